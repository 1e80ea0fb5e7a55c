// usd_inside.h: what the parts of the USD writer share: planning prims, gathering samples, writing.
#pragma once
#include "export/usd.h"
#include "base/arena.h"
#include "base/array.h"
#include "math/vec.h"

/// The triangles of a prim from one frame on: those outside first, then those that cracks opened.
typedef struct FrUsdShape {
    int32_t from; ///< frame
    int32_t point_count, tri_count, inside_count;
    int32_t *source;   ///< node of each point, or -1 - point of the skin (point_count)
    int32_t (*tri)[3]; ///< points (tri_count)
    float *st;         ///< UVs of each corner (6 * tri_count)
    float *point;      ///< at rest, of what is rigid (3 * point_count); else NULL
    bool own_uv;       ///< those outside came with the skin
    float *opened;     ///< s, -1: outside (tri_count); NULL: nothing inside
    struct FrUsdShape *next;
} FrUsdShape;

/// One prim: a body, or one piece of a body that broke.
typedef struct FrUsdBody {
    int32_t body, piece;
    int32_t parent;   ///< body that this one came from; -1: none
    const char *name; ///< of the body; borrowed from the arena
    const char *prim; ///< unique and valid as a prim name; set when all prims are known
    FrBodyKind kind;
    double radius;
    FrVec3 corner[4]; ///< plane
    FrMaterial material;
    int32_t material_index; ///< first prim with the same looks
    const char *look;       ///< name of that look, where it is this prim
    bool rigid;             ///< its points stand still: its pose is sampled
    FrUsdShape *shape;      ///< bodies of tets: the first; others follow as it breaks
    FrUsdShape *last;
    uint64_t *at;   ///< place of each frame's sample in the scratch file (frame_count)
    uint8_t *alive; ///< (frame_count)
} FrUsdBody;

/// A whole run turned sideways: samples by prim. The scratch file keeps memory small.
typedef struct FrUsdGather {
    FrContext *ctx;
    const FrFrameSource *source;
    FrUsdOptions options;
    FrArena arena;
    FR_ARRAY(FrUsdBody) prim; ///< by body, then piece
    FR_ARRAY(int32_t) nodes;  ///< of each source body's mesh when it was planned last
    int32_t frame_count;
    double *code;                          ///< time code of each frame (frame_count)
    double *t;                             ///< time of each frame, s (frame_count)
    uint64_t end;                          ///< bytes in the scratch file
    const char *camera, *sun, *sky, *dust; ///< names that no body has
    FR_ARRAY(float) sample;
    int scratch;      ///< file descriptor
    const char *path; ///< of the file being made, for messages; borrowed
} FrUsdGather;

/// Runs through the source once. Free also after a failure.
FrResult fr_usd_gather(FrUsdGather *gather, const char *path);
void fr_usd_gather_free(FrUsdGather *gather);
/// One prim at one frame into gather->sample.
FrResult fr_usd_sample(FrUsdGather *gather, const FrUsdBody *body, int32_t frame);
/// The triangles of a prim at a frame.
const FrUsdShape *fr_usd_shape(const FrUsdBody *body, int32_t frame);
/// World metres to the file's axes and unit.
FrVec3 fr_usd_axes(const FrUsdOptions *options, FrVec3 v);
/// A direction to the file's axes.
FrVec3 fr_usd_turn(const FrUsdOptions *options, FrVec3 v);
double fr_usd_scale(const FrUsdOptions *options);

// usd_shape.c
/// The prims of a body of tets as it is at `frame`: new pieces get new prims, pieces that look the
/// same as before keep their shape.
FrResult fr_usd_plan_tets(FrUsdGather *gather, const FrBodyView *view, int32_t body, int32_t frame);
/// The prim of a piece, made when it is not there; NULL: no memory.
FrUsdBody *fr_usd_prim(FrUsdGather *gather, const FrBodyView *view, int32_t body, int32_t piece);
