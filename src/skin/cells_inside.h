// cells_inside.h: what the files of divided surfaces share; only skin/cells*.c include it.
#pragma once
#include "base/array.h"
#include "base/table.h"
#include "math/vec.h"
#include "skin/cells.h"

/// What part of the tets a vertex lies on.
typedef enum FrCellKind {
    FR_CELL_INNER,
    FR_CELL_ON_FACE,
    FR_CELL_ON_EDGE,
    FR_CELL_NODE
} FrCellKind;

/// A vertex of the divided surface and of caps.
typedef struct FrCellVertex {
    FrCellKind kind;
    int32_t simplex; ///< the tet, face, edge or node of the mesh that it lies in
    int32_t node[4]; ///< of that
    double weight[4];
} FrCellVertex;

/// How the surface looks at one of its vertices.
typedef struct FrCellLook {
    int32_t vertex;
    FrVec3 normal;
    double uv[2];
} FrCellLook;

/// A polygon within one tet: of the surface, or a triangle of a cap.
typedef struct FrCellPoly {
    int32_t tet;
    int32_t first, count; ///< corners
    int32_t tri;          ///< its first triangle
    int32_t next;         ///< another of the tet; -1: none
} FrCellPoly;

/// A side of a polygon that lies in a face of the mesh, as the cap of the face's first tet runs.
typedef struct FrCellSegment {
    int32_t from, to;
    int32_t next; ///< another of the face; -1: none
} FrCellSegment;

/// Where an edge of the mesh goes through the surface.
typedef struct FrCellCrossing {
    int32_t vertex;
    double t;     ///< from the node of the lower number
    bool enters;  ///< the solid
    int32_t next; ///< another of the edge; -1: none
} FrCellCrossing;

typedef struct FrCellFace {
    int32_t tet[2], corner[2]; ///< opposite which it lies; tet[1] -1: outside
    int32_t edge[3];           ///< from its corners 0, 1, 2 to the next, as tet[0] has them
    int32_t segment;           ///< first; -1: none
    double opened;             ///< s; below 0: not
} FrCellFace;

typedef struct FrCellEdge {
    int32_t a, b;     ///< nodes, a < b
    int32_t crossing; ///< first, ascending once sorted; -1: none
    int32_t middle;   ///< vertex: where parts of the solid meet at all of an edge alone, it is a
                      ///< place of each of them
} FrCellEdge;

struct FrCells {
    FrContext *ctx;
    FrTetMesh mesh; ///< as it was first
    int32_t (*face_of)[4], (*edge_of)[6];
    int32_t *star_first, *star; ///< tets round each node
    FR_ARRAY(FrCellFace) face;
    FR_ARRAY(FrCellEdge) edge;
    int32_t node_vertex; ///< vertex of node 0; those of the others follow
    int8_t *inside;      ///< of each node: in the solid
    FR_ARRAY(FrCellVertex) vertex;
    FR_ARRAY(FrCellLook) look;
    FR_ARRAY(FrCellPoly) poly;
    FR_ARRAY(int32_t) corner, corner_point; ///< looks of polygons; points of the surface
    FR_ARRAY(FrCellSegment) segment;
    FR_ARRAY(FrCellCrossing) crossing;
    int32_t *poly_of; ///< first of each tet; -1: none
    FrTable table;    ///< points of the surface by look and tet
    bool has_uv;
    // the surface
    FR_ARRAY(FrPoint) at;
    FR_ARRAY(double) normal, uv, opened;
    FR_ARRAY(int32_t) tri, piece; ///< three a triangle
    FrEmbedded surface;
    // scratch
    uint8_t *changed; ///< tets whose corners may hang elsewhere
};

static inline FrVec3 fr_cells_place(const FrCells *c, int32_t vertex) {
    const FrCellVertex *v = &c->vertex.data[vertex];
    FrVec3 x = fr_vec3_zero;
    for (int i = 0; i < 4; i++)
        if (v->node[i] >= 0) x = fr_axpy(v->weight[i], fr_get3(c->mesh.x, v->node[i]), x);
    return x;
}

/// A key of two numbers of one kind.
static inline uint64_t fr_cells_key(uint64_t kind, int32_t a, int32_t b) {
    return fr_mix64((uint64_t)(uint32_t)a << 32 | (uint32_t)b) * 8u + kind;
}

/// Faces, edges and stars of the mesh.
FrResult fr_cells_topology(FrCells *cells);
/// Divide the surface by the tets: vertices, polygons, segments, crossings.
FrResult fr_cells_divide(FrCells *cells, const FrEmbedded *whole);
/// Which nodes are in the solid.
FrResult fr_cells_find_inside(FrCells *cells);
/// Triangles of what a face has of the solid, seen from outside of its first tet: vertices, three
/// each.
typedef FR_ARRAY(int32_t) FrCellCap;
FrResult fr_cells_cap(const FrCells *cells, int32_t face, FrCellCap *cap);
/// A polygon of a tet; its triangles are a fan. Corners: looks.
FrResult fr_cells_add_poly(FrCells *cells, int32_t tet, const int32_t *look, int32_t count);
