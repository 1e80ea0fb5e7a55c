// usd_inside.h: what the two halves of the USD writer share: gathering samples, writing text.
#pragma once
#include "export/usd.h"
#include "base/arena.h"
#include "math/vec.h"

/// One body's prim: everything that does not change, copied.
typedef struct FrUsdBody {
    const char *prim; ///< unique and valid as a prim name
    FrBodyKind kind;
    double radius;
    FrVec3 corner[4]; ///< plane
    FrMaterial material;
    int32_t material_index; ///< first body with the same looks
    int32_t point_count, tri_count;
    int32_t *node;     ///< tet mesh node of each point (point_count); NULL with a skin
    int32_t (*tri)[3]; ///< points (tri_count)
    float *uv;         ///< (2 * point_count); NULL: none
    uint64_t at;       ///< place of its samples within a frame of the scratch file
    size_t floats;     ///< of one sample
    uint8_t *alive;    ///< (frame_count)
} FrUsdBody;

/// A whole run turned sideways: samples by body. The scratch file keeps memory small.
typedef struct FrUsdGather {
    FrContext *ctx;
    const FrFrameSource *source;
    FrUsdOptions options;
    FrArena arena;
    FrUsdBody *body;
    int32_t body_count, frame_count;
    double *code;        ///< time code of each frame (frame_count)
    uint64_t frame_size; ///< bytes of one frame in the scratch file
    float *sample;       ///< room for the largest sample
    int scratch;         ///< file descriptor
    const char *path;    ///< of the file being made, for messages; borrowed
} FrUsdGather;

/// Runs through the source once. Free also after a failure.
FrResult fr_usd_gather(FrUsdGather *gather, const char *path);
void fr_usd_gather_free(FrUsdGather *gather);
/// One body at one frame into gather->sample.
FrResult fr_usd_sample(FrUsdGather *gather, const FrUsdBody *body, int32_t frame);
/// World metres to the file's axes and unit.
FrVec3 fr_usd_axes(const FrUsdOptions *options, FrVec3 v);
double fr_usd_scale(const FrUsdOptions *options);
