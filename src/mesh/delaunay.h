// delaunay.h: a triangulation of integer points that grows by insertion and flips; exact, so that
// it never goes wrong by rounding.
#pragma once
#include "base/array.h"

/// Coordinates below 2^25: orientation fits 64 bits, the circle test 128.
#define FR_PLANE_MAX ((int64_t)1 << 25)

typedef struct FrPlanePoint {
    int64_t x, y;
} FrPlanePoint;

/// Side k is opposite corner k.
typedef struct FrPlaneTri {
    int32_t v[3];
    int32_t across[3]; ///< -1: none
    bool fixed[3];     ///< sides that may not be flipped
    int8_t inside;     ///< -1 not known, 0 outside, 1 inside
} FrPlaneTri;

typedef struct FrPlane {
    FrContext *ctx;
    FR_ARRAY(FrPlanePoint) point; ///< the first three are the corners of a triangle around all
    FR_ARRAY(FrPlaneTri) tri;
    FR_ARRAY(int32_t) of_point; ///< a triangle at each point
    FR_ARRAY(int32_t) stack;
    int32_t last; ///< where the last search ended
} FrPlane;

FrResult fr_plane_init(FrContext *ctx, FrPlane *plane);
void fr_plane_free(FrPlane *plane);

/// Twice the signed area of (a, b, c): positive when counter-clockwise.
int64_t fr_plane_turn(FrPlanePoint a, FrPlanePoint b, FrPlanePoint c);

/// The triangle that holds p (on its border counts), never -1 for points within the limits.
int32_t fr_plane_find(FrPlane *plane, FrPlanePoint p);
/// Add a point. *index: its number, or that of the point already there.
FrResult fr_plane_add(FrPlane *plane, FrPlanePoint p, int32_t *index);
/// Make (a, b) a fixed side. *blocked: the point or fixed side in the way (any point of it), or -1.
FrResult fr_plane_fix(FrPlane *plane, int32_t a, int32_t b, int32_t *blocked);
/// Mark triangles inside or outside by counting fixed sides from the outer triangle.
FrResult fr_plane_mark(FrPlane *plane);
/// Move a point if all its triangles stay positive. True: moved.
bool fr_plane_move(FrPlane *plane, int32_t point, FrPlanePoint to);
/// Flip until every side that is not fixed is Delaunay.
FrResult fr_plane_flip_all(FrPlane *plane);
/// Next triangle counter-clockwise around a point; -1 at a border.
int32_t fr_plane_around(const FrPlane *plane, int32_t tri, int32_t point);
