// probe.h: points, rays and boxes against one triangle or tet.
#pragma once
#include "math/vec.h"

/// Weights of the corners at x; their sum is 1, below 0: outside. False: the tet is flat.
bool fr_tet_corner_weights(const FrVec3 corner[4], FrVec3 x, double weight[4]);
/// Weights of the corners of a triangle at its point that is nearest to x.
void fr_tri_nearest(const FrVec3 corner[3], FrVec3 x, double weight[3]);
/// Does a ray enter a triangle, counter-clockwise seen from outside? `distance`: in lengths of
/// `along`.
bool fr_tri_ray(const FrVec3 corner[3], FrVec3 from, FrVec3 along, double *distance,
                double weight[3]);
/// Do they share a point?
bool fr_tet_meets_box(const FrVec3 corner[4], FrBox box);
bool fr_tet_meets_ball(const FrVec3 corner[4], FrVec3 centre, double radius);
/// May the ray meet the box within this many lengths of `along`?
bool fr_box_ray(FrBox box, FrVec3 from, FrVec3 along, double most);
