// shapes.h: spheres and planes as triangles and quads, for files that know meshes only.
#pragma once
#include "fracas/frame.h"
#include "math/vec.h"

#define FR_SPHERE_RINGS 12
#define FR_SPHERE_SECTORS 24
#define FR_SPHERE_POINTS (2 + (FR_SPHERE_RINGS - 1) * FR_SPHERE_SECTORS)
#define FR_SPHERE_TRIS (2 * FR_SPHERE_SECTORS * (FR_SPHERE_RINGS - 1))

/// Unit sphere about the origin, counter-clockwise from outside.
void fr_sphere_points(FrVec3 point[FR_SPHERE_POINTS]);
void fr_sphere_tris(int32_t tri[FR_SPHERE_TRIS][3]);

/// A square of a plane, half-width `reach` m, nearest to `near`, seen from the side of its normal.
void fr_plane_quad(const FrBodyView *plane, FrVec3 near, double reach, FrVec3 corner[4]);

/// Box around all living nodes and spheres of a frame; empty when there are none.
FrBox fr_frame_box(const FrFrameView *view);
