// edges.h: which triangles meet at which edge.
#pragma once
#include "geom/trimesh.h"

/// One side of a triangle. `lo` < `hi` are its points; lo == hi for a side without length.
typedef struct FrEdgeUse {
    int32_t lo, hi;
    int32_t tri;
    bool forward; ///< the triangle runs from lo to hi
} FrEdgeUse;

/// All sides of all triangles, sorted by (lo, hi), then by triangle: 3 * tri_count. Linear time.
FrResult fr_trimesh_edges(FrContext *ctx, const FrTriMesh *mesh, FrEdgeUse **uses);

/// How many of `uses` from `at` on belong to one edge.
static inline int32_t fr_edge_run(const FrEdgeUse *uses, int32_t count, int32_t at) {
    int32_t end = at + 1;
    while (end < count && uses[end].lo == uses[at].lo && uses[end].hi == uses[at].hi) end++;
    return end - at;
}

/// True where the triangle has the points of an earlier one, in any order (tri_count flags).
FrResult fr_trimesh_duplicates(FrContext *ctx, const FrTriMesh *mesh, bool **duplicate);
