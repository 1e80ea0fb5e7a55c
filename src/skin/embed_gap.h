// embed_gap.h: the gap of one piece between a cut surface and the faces that cracks opened; what
// closing it needs and leaves. Only embed_close.c and embed_gap.c look inside.
#pragma once
#include "base/array.h"
#include "base/table.h"
#include "cut/pieces.h"
#include "math/vec.h"
#include "skin/embed.h"
#include "skin/embed_uv.h"

// A side of a triangle. Vertices as fr_embedded_places numbers them: nodes, then points.
typedef struct FrSide {
    int32_t from, to;
    int32_t apex; ///< third corner of the triangle; -1: of none
    int32_t next; ///< another that leaves `from`; -1: none
    bool gone;    ///< met by one that runs against it, or walked
} FrSide;

typedef FR_ARRAY(FrSide) FrBorder;

typedef struct FrCloseTri {
    int32_t v[3];
    double opened; ///< s; -1: outside
    int32_t piece;
} FrCloseTri;

// a loop of a border
typedef struct FrBorderLoop {
    int32_t begin, count; ///< in loop_vertex
    int32_t mate;         ///< loop of the other border that runs beside it; -1: none
} FrBorderLoop;

typedef struct FrCloser {
    FrContext *ctx;
    const FrTetMesh *mesh;
    const FrSurface *surface;
    const FrEmbedded *skin;
    FrUvFinder uv;    ///< of the skin as it came
    FrVec3 *x;        ///< rest place of each vertex, m
    FrVec3 *normal;   ///< of each vertex of the skin or outside, as long as its triangles are large
    int32_t *place;   ///< vertex of each skin point
    bool *dropped;    ///< triangles of the skin that give way to faces of tets
    FrVec3 *aside;    ///< the same, of a border a little into its triangles
    int32_t *label;   ///< of a vertex of the skin's border: the nearest one of the tets', or itself
    int32_t *leaving; ///< first side that leaves a vertex; -1: none
    int32_t *on_path; ///< place of a vertex on the path; -1: not on it
    int32_t *node_tet; ///< a tet of this piece at each node
    double *opened;    ///< when the first crack of this piece came to each node, s; -1: none did
    double first;      ///< when its first crack came, s
    FR_ARRAY(uint64_t) key;
    FR_ARRAY(FrSide) side;
    FrTable line;                     ///< vertices that a side runs between already
    FrBorder skin_border, tet_border; ///< of what the piece has of the skin and of the outside
    FR_ARRAY(int32_t) path;           ///< vertices
    FR_ARRAY(FrBorderLoop) loop;      ///< of the skin's border, then of the tets'
    FR_ARRAY(int32_t) loop_vertex;
    FR_ARRAY(FrCloseTri) made;
    FR_ARRAY(FrPoint) point; ///< new ones
    FR_ARRAY(int32_t) point_piece;
    FR_ARRAY(int32_t) corner; ///< of triangles made, as points of the skin
} FrCloser;

static inline FrResult fr_closer_no_memory(const FrCloser *c) {
    return fr_no_memory(c->ctx, "a closed surface");
}

static inline FrVec3 fr_closer_area(const FrCloser *c, const int32_t v[3]) {
    return fr_cross(fr_sub(c->x[v[1]], c->x[v[0]]), fr_sub(c->x[v[2]], c->x[v[0]]));
}

/// Triangles in the gap of a piece, or its tets where it has got none of the skin, or too much of
/// it; item: triangles of the skin, then those of the surface.
FrResult fr_close_piece(FrCloser *c, const int32_t *item, int32_t count, int32_t piece);
