// creases.h: normals at the corners of triangles: round where faces meet flatly, sharp elsewhere.
#pragma once
#include "base/base.h"
#include "math/vec.h"

/// Faces that meet at less than this angle are shaded as one round surface.
#define FR_CREASE_ANGLE (40.0 * FR_PI / 180.0)

/// The corners of a surface by the places where they meet. Fill the first five, then
/// fr_corners_make.
typedef struct FrCorners {
    const double *x; ///< points, m (3 * point_count)
    const int32_t (*tri)[3];
    int32_t point_count, tri_count;
    const int32_t *place;  ///< points at one place have the same (point_count); NULL: their own
    FrVec3 *face;          ///< unit face normals (tri_count)
    int32_t *start, *list; ///< corners 3 * t + i around each place (point_count + 1)
} FrCorners;

FrResult fr_corners_make(FrContext *ctx, FrCorners *corners);
void fr_corners_free(FrContext *ctx, FrCorners *corners); ///< fine on a zeroed one
/// Unit, or 0 where the triangle has no area.
FrVec3 fr_face_normal(const double *x, const int32_t tri[3]);
/// Mean of the faces around the place, weighted by angle (Thuermer and Wuethrich 1998), that lie
/// within the crease angle of the corner's own.
FrVec3 fr_corner_normal(const FrCorners *corners, int32_t place, int32_t corner);
