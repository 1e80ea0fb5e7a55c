// coarse.h: a closed surface with fewer triangles, and which of them each part of it went to.
#pragma once
#include "math/vec.h"

/// Triangles over points. Owned by whom fr_coarse_make gave it to.
typedef struct FrCoarse {
    int32_t point_count, tri_count;
    double *point;     ///< m (3 * point_count)
    int32_t (*tri)[3]; ///< counter-clockwise seen from outside (tri_count)
    int32_t *into;     ///< the point that each one of the fine surface went to
} FrCoarse;

/// A closed surface; borrowed.
typedef struct FrFine {
    int32_t point_count, tri_count;
    const double *point;     ///< m (3 * point_count)
    const int32_t (*tri)[3]; ///< (tri_count)
} FrFine;

/// Edges shorter than `edge` (m) are drawn together, shortest first, where no part of the surface
/// moves by more than `tolerance` (m, root mean square), turns over or becomes a sliver. Points are
/// left out, none is moved.
FrResult fr_coarse_make(FrContext *ctx, const FrFine *fine, double edge, double tolerance,
                        FrCoarse *coarse);
void fr_coarse_free(FrContext *ctx, FrCoarse *coarse); ///< fine on a zeroed one

/// A share of a triangle of the fine surface, and the coarse triangle that it belongs to.
typedef struct FrShare {
    int32_t fine, coarse;
    float b[3];  ///< where in the fine one its middle is
    double area; ///< m^2
} FrShare;
/// Cuts fine triangles into shares no larger than a third of `edge` across, and gives each to the
/// nearest coarse triangle that looks the same way. *shares from ctx.
FrResult fr_coarse_share(FrContext *ctx, const FrFine *fine, const FrCoarse *coarse, double edge,
                         FrShare **shares, int32_t *count);
