// drawlist.h: a frame as plain arrays of vertices, triangles and batches: all the GPU part sees of
// the simulation.
#pragma once
#include "base/array.h"
#include "render/render.h"
#include "render/skin.h"

#define FR_DRAW_PLANES 4

typedef struct FrDrawVertex {
    float p[3]; ///< m, relative to the list's origin
    float n[3]; ///< unit
    float s;    ///< stress, cracks: 0..1 of the range, -1: none; else: brightness
} FrDrawVertex;

/// Triangles of one look. Ranges of the list's index array.
typedef struct FrDrawBatch {
    int32_t first, count; ///< indices
    int32_t body;         ///< -1: cords
    bool clear;           ///< light passes; drawn last, from far to near
    bool inside;          ///< the faces of a body that cracks opened
    bool closed;          ///< its back faces are never seen
    float colour[3], roughness, metallic, opacity;
    bool inward;     ///< its triangles are wound so that they face inwards
    float index;     ///< clear: of refraction; 1: it bends no light
    double distance; ///< of its centre from the eye, m
} FrDrawBatch;

typedef struct FrDrawPlane {
    FrVec3 normal; ///< unit
    double offset; ///< m, relative to the list's origin
    float colour[3];
    float roughness;
} FrDrawPlane;

typedef struct FrDrawBody {
    FrSkin skin;
    uint64_t signature;
    double *posed; ///< node positions of a body that is given by its pose only; NULL: none needed
    int32_t first_vertex, vertex_count, first_index, index_count;
} FrDrawBody;

/// An edge of a body's mesh, or a stroke of the options, as a thin rod.
typedef struct FrDrawWire {
    int32_t body;    ///< -1: a stroke
    int32_t node[2]; ///< of the body; else node[0] is which stroke
} FrDrawWire;

typedef enum FrDrawWireKind {
    FR_WIRE_MESH,
    FR_WIRE_CRACK,
    FR_WIRE_STROKE,
    FR_WIRE_KINDS
} FrDrawWireKind;

typedef struct FrDrawList {
    FrContext *ctx;
    FrShow show;
    FrBodyId lit;  ///< a body that is drawn brighter; null: none
    FrVec3 origin; ///< m: subtracted before rounding to float
    FrBox bounds;  ///< of what is alive, m, relative to the origin; empty when nothing is
    FR_ARRAY(FrDrawVertex) vertex;
    FR_ARRAY(uint32_t) index;
    FR_ARRAY(FrDrawBatch) batch; ///< opaque ones from near to far, then clear ones from far to near
    FrDrawPlane plane[FR_DRAW_PLANES];
    int32_t plane_count;
    double stress_max;               ///< Pa, of speed m/s: what s == 1 stands for
    double crack_first, crack_last;  ///< s: what s == 0 and s == 1 stand for
    bool precut;                     ///< some faces were cut before the first step: s == -1
    int32_t cord_vertex, cord_index; ///< first ones of the cords
    FR_ARRAY(FrDrawWire) wire;       ///< sorted by kind
    int32_t wire_end[FR_WIRE_KINDS]; ///< of each kind
    int32_t wire_vertex, wire_index; ///< first ones of the wires
    int32_t dust_vertex, dust_index; ///< first ones of the dust
    uint64_t layout;                 ///< of vertex and index ranges; 0: none yet
    bool index_changed;              ///< since the last update
    FR_ARRAY(FrDrawBody) body;
    FR_ARRAY(FrVec3) ball; ///< vertices of a unit sphere
    FR_ARRAY(uint32_t) ball_index;
    int32_t ball_cells; ///< along the edge of a cube face
} FrDrawList;

/// Colours by a scale, with a bar?
static inline bool fr_show_scaled(FrShow show) {
    return show == FR_SHOW_STRESS || show == FR_SHOW_CRACKS || show == FR_SHOW_SEPARATION ||
           show == FR_SHOW_PIECES || show == FR_SHOW_SPEED || show == FR_SHOW_HEAT;
}

/// Colours by a scale whose top may follow from the frame itself?
static inline bool fr_show_metered(FrShow show) {
    return show == FR_SHOW_STRESS || show == FR_SHOW_SPEED;
}

/// Is each body drawn as it was before anything happened?
static inline bool fr_show_reassembled(FrShow show) {
    return show == FR_SHOW_REST || show == FR_SHOW_WIRE;
}

void fr_drawlist_init(FrDrawList *list, FrContext *ctx);
void fr_drawlist_free(FrDrawList *list);

/// Bring the list up to `view`. Arrays grow and are kept; triangles are only made again when a
/// mesh, the set of bodies or `show` changed. FR_NUMERICAL when a position is not finite.
FrResult fr_drawlist_update(FrDrawList *list, const FrFrameView *view, FrVec3 eye, FrVec3 origin,
                            const FrRenderOptions *options);

/// dust.c: room for all grains at the end of the list's vertices and indices, and their triangles.
FrResult fr_dust_layout(FrDrawList *list, const FrGrains *grains);
/// Where they are in this frame.
FrResult fr_dust_fill(FrDrawList *list, const FrFrameView *view, FrVec3 eye,
                      const FrRenderOptions *options);

/// cords.c: room for all cords at the end of the list's vertices and indices, and their triangles.
FrResult fr_cords_layout(FrDrawList *list, int32_t count);
/// Where they are in this frame, as one batch.
FrResult fr_cords_fill(FrDrawList *list, const FrFrameView *view, FrVec3 eye,
                       const FrRenderOptions *options);

/// wires.c: which wires there are, room for them behind all else, and their triangles.
FrResult fr_wires_layout(FrDrawList *list, const FrFrameView *view, const FrRenderOptions *options);
/// Where they are in this frame: once bodies are placed.
FrResult fr_wires_fill(FrDrawList *list, const FrRenderOptions *options);
