// shape_node.h: the inside of a shape; only the files shape*.c look here.
#pragma once
#include "base/arena.h"
#include "geom/shape.h"

typedef double FrShapeFn(const FrShape *shape, FrVec3 x);

struct FrShape {
    FrShapeInfo info;
    FrShapeFn *distance;
    FrBox bounds;
    int32_t depth;              ///< 1 for a leaf
    const FrSegments *segments; ///< lathe, extrusion
};

typedef struct FrOwnedSolid {
    struct FrOwnedSolid *next;
    FrSolid *solid;
} FrOwnedSolid;

struct FrShapeSet {
    FrContext *ctx;
    FrArena arena;
    FrOwnedSolid *solids;
    FrResult result; ///< first failure
};

/// A node with room for nothing else. NULL: no memory.
FrShape *fr_shape_new(FrShapeSet *set, FrShapeKind kind, FrShapeFn *distance, FrBox bounds);
/// Keep the first failure; always NULL, so that constructors can return it.
const FrShape *fr_shape_refuse(FrShapeSet *set, const char *format, ...) FR_PRINTF(2, 3);
const FrShape *fr_shape_no_memory(FrShapeSet *set);
/// Depth of a node above `child`; 0, with a message, when too deep.
int32_t fr_shape_depth_above(FrShapeSet *set, const FrShape *const *child, int32_t count);
/// 0 inside.
double fr_box_distance(FrBox box, FrVec3 x);

static inline FrBox fr_box_about_z(double radius, double lo, double hi) {
    FrBox box = {{-radius, -radius, lo}, {radius, radius, hi}};
    return box;
}

/// Distance to a rectangle |x| <= hx, |y| <= hy from (x, y), exact inside and outside.
static inline double fr_rectangle_distance(double x, double y, double hx, double hy) {
    double dx = fabs(x) - hx, dy = fabs(y) - hy;
    double ox = fr_max(dx, 0.0), oy = fr_max(dy, 0.0);
    return sqrt(ox * ox + oy * oy) + fr_min(fr_max(dx, dy), 0.0);
}
