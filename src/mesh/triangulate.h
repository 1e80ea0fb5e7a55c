// triangulate.h: triangles of good shape inside closed loops in the plane.
#pragma once
#include "geom/outline.h"

typedef struct FrTriangulation {
    int32_t point_count, tri_count;
    double (*xy)[2];   ///< m; points of the loops are kept exactly (point_count)
    int32_t (*tri)[3]; ///< counter-clockwise (tri_count)
} FrTriangulation;

/// Of an outline. Sides are divided into edges of about h, the inside filled with points h apart,
/// in rows but for what they are scattered by (a share of h, to and fro along both axes);
/// constrained Delaunay. FR_BAD_INPUT: a loop has fewer than 3 points, or loops cross or touch; the
/// message says where.
FrResult fr_triangulate(FrContext *ctx, const FrOutline *outline, double h, double scatter,
                        FrTriangulation *out);
void fr_triangulation_free(FrContext *ctx, FrTriangulation *triangulation);
