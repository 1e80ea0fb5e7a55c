// octa_sphere.h: an octahedron whose sides are parted and blown up to a ball: points that mirror
// planes take to points.
#pragma once
#include "math/vec.h"

typedef struct FrOctaSphere {
    int32_t level, point_count, tri_count;
    int32_t octant_count; ///< points with no coordinate below zero
    FrVec3 *point;        ///< on the unit ball (point_count)
    int32_t (*tri)[3];    ///< counter-clockwise seen from outside (tri_count)
    int32_t *home;        ///< the mirror image in the first octant, by its number there
    uint8_t *mirrored;    ///< bit e: below zero along axis e
    int32_t *octant;      ///< which points are in the first octant (octant_count)
} FrOctaSphere;
/// Edges are parted in `level`, 1 to 64: 8 level^2 triangles.
FrResult fr_octa_sphere(FrContext *ctx, int32_t level, FrOctaSphere *sphere);
void fr_octa_sphere_free(FrContext *ctx, FrOctaSphere *sphere); ///< fine on a zeroed one
/// How many points the first octant has.
static inline int32_t fr_octant_points(int32_t level) { return (level + 1) * (level + 2) / 2; }
