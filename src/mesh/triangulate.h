// triangulate.h: triangles of good shape inside closed loops in the plane.
#pragma once
#include "base/base.h"

typedef struct FrTriangulation {
    int32_t point_count, tri_count;
    double (*xy)[2];   ///< m; points of the loops are kept exactly (point_count)
    int32_t (*tri)[3]; ///< counter-clockwise (tri_count)
} FrTriangulation;

/// Loop k ends before xy[loop_end[k]]; inside: an odd number of loops around. Sides are divided
/// into edges of about h, the inside filled with points h apart, in rows but for what they are
/// scattered by (a share of h, to and fro along both axes); constrained Delaunay.
/// FR_BAD_INPUT: a loop has fewer than 3 points, or loops cross or touch; the message says where.
FrResult fr_triangulate(FrContext *ctx, const double (*xy)[2], const int32_t *loop_end,
                        int32_t loop_count, double h, double scatter, FrTriangulation *out);
void fr_triangulation_free(FrContext *ctx, FrTriangulation *triangulation);
