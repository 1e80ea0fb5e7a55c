// shape_combine.c: transforms, unions, intersections, differences, shells.

#include "geom/shape_node.h"
#include <string.h>

static double transform_distance(const FrShape *shape, FrVec3 x) {
    double scale = shape->info.transform.scale;
    FrVec3 moved = fr_sub(x, shape->info.transform.offset);
    FrVec3 local = fr_scale(1.0 / scale, fr_mat3_apply_t(shape->info.transform.rotation, moved));
    return scale * fr_shape_distance(shape->info.transform.child, local);
}

static FrBox transformed_box(FrBox box, FrMat3 rotation, FrVec3 offset, double scale) {
    FrBox out = fr_box_empty();
    for (int k = 0; k < 8; k++) {
        FrVec3 corner = {k & 1 ? box.hi.x : box.lo.x, k & 2 ? box.hi.y : box.lo.y,
                         k & 4 ? box.hi.z : box.lo.z};
        out = fr_box_add(out, fr_axpy(scale, fr_mat3_apply(rotation, corner), offset));
    }
    return out;
}

const FrShape *fr_shape_transform(FrShapeSet *set, const FrShape *child, FrQuat rotation,
                                  FrVec3 offset, double scale) {
    double norm = sqrt(rotation.w * rotation.w + rotation.x * rotation.x + rotation.y * rotation.y +
                       rotation.z * rotation.z);
    if (!child) return NULL;
    if (!isfinite(norm) || !(norm > 0.0))
        return fr_shape_refuse(set, "rotate: the quaternion has length %g", norm);
    if (!isfinite(scale) || !(scale > 0.0))
        return fr_shape_refuse(set, "scale: the factor is %g; must be above 0", scale);
    if (!fr_vec3_finite(offset)) return fr_shape_refuse(set, "move: the way is not finite");
    int32_t depth = fr_shape_depth_above(set, &child, 1);
    if (!depth) return NULL;
    FrMat3 R = fr_quat_mat3(fr_quat_normalize(rotation));
    FrShape *shape = fr_shape_new(set, FR_SHAPE_TRANSFORM, transform_distance,
                                  transformed_box(child->bounds, R, offset, scale));
    if (!shape) return NULL;
    shape->depth = depth;
    shape->info.transform.child = child;
    shape->info.transform.rotation = R;
    shape->info.transform.offset = offset;
    shape->info.transform.scale = scale;
    return shape;
}

const FrShape *fr_shape_move(FrShapeSet *set, const FrShape *child, FrVec3 by) {
    return fr_shape_transform(set, child, fr_quat_identity, by, 1.0);
}

const FrShape *fr_shape_rotate(FrShapeSet *set, const FrShape *child, FrQuat rotation) {
    return fr_shape_transform(set, child, rotation, fr_vec3_zero, 1.0);
}

const FrShape *fr_shape_scale(FrShapeSet *set, const FrShape *child, double factor) {
    return fr_shape_transform(set, child, fr_quat_identity, fr_vec3_zero, factor);
}

// min(a, b) - h^2 k/4, h = max(1 - |a - b|/k, 0): its slope is a mean of those of a and b, so it
// changes no faster than they do
static double smooth_min(double a, double b, double k) {
    double low = fr_min(a, b), gap = fabs(a - b);
    if (!(gap < k)) return low;
    double h = 1.0 - gap / k;
    return low - 0.25 * k * h * h;
}

// Outside its box a child counts at least as far as the box: no worse a bound, and a child whose
// box is too far away need not be asked.
static double union_distance(const FrShape *shape, FrVec3 x) {
    double k = shape->info.combine.rounding, d = HUGE_VAL;
    for (int32_t i = 0; i < shape->info.combine.count; i++) {
        const FrShape *child = shape->info.combine.child[i];
        double least = fr_box_distance(child->bounds, x);
        if (least > 0.0 && least >= d + k) continue;
        double here = fr_shape_distance(child, x);
        if (least > 0.0) here = fr_max(here, least);
        d = k > 0.0 ? smooth_min(d, here, k) : fr_min(d, here);
    }
    return d;
}

// max(a, b) = -min(-a, -b)
static double intersection_distance(const FrShape *shape, FrVec3 x) {
    double k = shape->info.combine.rounding, d = HUGE_VAL;
    for (int32_t i = 0; i < shape->info.combine.count; i++) {
        double here = -fr_shape_distance(shape->info.combine.child[i], x);
        d = k > 0.0 ? smooth_min(d, here, k) : fr_min(d, here);
    }
    return -d;
}

static double difference_distance(const FrShape *shape, FrVec3 x) {
    double k = shape->info.combine.rounding;
    double d = -fr_shape_distance(shape->info.combine.child[0], x);
    for (int32_t i = 1; i < shape->info.combine.count; i++) {
        double here = fr_shape_distance(shape->info.combine.child[i], x);
        d = k > 0.0 ? smooth_min(d, here, k) : fr_min(d, here);
    }
    return -d;
}

/// What is combined.
typedef struct Parts {
    const FrShape *const *child; ///< (count)
    int32_t count;
    double rounding; ///< m
} Parts;

static const FrShape *combine(FrShapeSet *set, FrShapeKind kind, FrShapeFn *distance, FrBox bounds,
                              Parts parts) {
    int32_t depth = fr_shape_depth_above(set, parts.child, parts.count);
    if (!depth) return NULL;
    const FrShape **copy = FR_ARENA_NEW(&set->arena, const FrShape *, parts.count);
    FrShape *shape = copy ? fr_shape_new(set, kind, distance, bounds) : NULL;
    if (!shape) return fr_shape_no_memory(set);
    memcpy(copy, parts.child, (size_t)parts.count * sizeof *copy);
    shape->depth = depth;
    shape->info.combine.child = copy;
    shape->info.combine.count = parts.count;
    shape->info.combine.rounding = parts.rounding;
    return shape;
}

static bool check_children(FrShapeSet *set, FrShapeKind kind, const FrShape *const *child,
                           int32_t count, double rounding) {
    for (int32_t k = 0; k < count; k++)
        if (!child[k]) return false;
    if (count < 1)
        fr_shape_refuse(set, "%s: of no shapes; at least one is needed", fr_shape_kind_name(kind));
    else if (!isfinite(rounding) || rounding < 0.0)
        fr_shape_refuse(set, "%s: rounding is %g m; must be 0 or more", fr_shape_kind_name(kind),
                        rounding);
    else
        return true;
    return false;
}

const FrShape *fr_shape_union(FrShapeSet *set, const FrShape *const *child, int32_t count,
                              double rounding) {
    if (!check_children(set, FR_SHAPE_UNION, child, count, rounding)) return NULL;
    FrBox bounds = fr_box_empty();
    for (int32_t k = 0; k < count; k++) bounds = fr_box_union(bounds, child[k]->bounds);
    // each blend adds at most a quarter of the radius, all together at most the radius
    bounds = fr_box_grow(bounds, rounding * fr_min(0.25 * (count - 1), 1.0));
    return combine(set, FR_SHAPE_UNION, union_distance, bounds, (Parts){child, count, rounding});
}

const FrShape *fr_shape_intersection(FrShapeSet *set, const FrShape *const *child, int32_t count,
                                     double rounding) {
    if (!check_children(set, FR_SHAPE_INTERSECTION, child, count, rounding)) return NULL;
    FrBox b = child[0]->bounds;
    for (int32_t k = 1; k < count; k++) {
        FrBox c = child[k]->bounds;
        b.lo = fr_vec3(fr_max(b.lo.x, c.lo.x), fr_max(b.lo.y, c.lo.y), fr_max(b.lo.z, c.lo.z));
        b.hi = fr_vec3(fr_min(b.hi.x, c.hi.x), fr_min(b.hi.y, c.hi.y), fr_min(b.hi.z, c.hi.z));
    }
    if (!(b.lo.x < b.hi.x && b.lo.y < b.hi.y && b.lo.z < b.hi.z))
        return fr_shape_refuse(set, "intersection: the shapes have nothing in common");
    return combine(set, FR_SHAPE_INTERSECTION, intersection_distance, b,
                   (Parts){child, count, rounding});
}

const FrShape *fr_shape_difference(FrShapeSet *set, const FrShape *const *child, int32_t count,
                                   double rounding) {
    if (!check_children(set, FR_SHAPE_DIFFERENCE, child, count, rounding)) return NULL;
    return combine(set, FR_SHAPE_DIFFERENCE, difference_distance, child[0]->bounds,
                   (Parts){child, count, rounding});
}

static double shell_distance(const FrShape *shape, FrVec3 x) {
    double half = 0.5 * shape->info.shell.thickness;
    return fabs(fr_shape_distance(shape->info.shell.child, x) + half) - half;
}

// a surface with large holes is a sheet: it has no inside, and its wall lies half to each side
static double sheet_distance(const FrShape *shape, FrVec3 x) {
    const FrShape *child = shape->info.shell.child;
    return fr_solid_unsigned(child->info.solid, x) - 0.5 * shape->info.shell.thickness;
}

static bool is_sheet(const FrShape *shape) {
    return shape->info.kind == FR_SHAPE_SURFACE &&
           fr_solid_report(shape->info.solid)->after.holes > FR_LARGE_HOLES;
}

const FrShape *fr_shape_shell(FrShapeSet *set, const FrShape *child, double thickness) {
    if (!child) return NULL;
    if (!isfinite(thickness) || !(thickness > 0.0))
        return fr_shape_refuse(set, "shell: thickness is %g m; must be above 0", thickness);
    int32_t depth = fr_shape_depth_above(set, &child, 1);
    bool sheet = is_sheet(child);
    FrBox bounds = sheet ? fr_box_grow(child->bounds, 0.5 * thickness) : child->bounds;
    FrShape *shape =
        depth ? fr_shape_new(set, FR_SHAPE_SHELL, sheet ? sheet_distance : shell_distance, bounds)
              : NULL;
    if (!shape) return NULL;
    shape->depth = depth;
    shape->info.shell.child = child;
    shape->info.shell.thickness = thickness;
    FrField inside;
    fr_shape_field(child, &inside);
    if (!sheet && !fr_field_below(&inside, -thickness))
        fr_log(set->ctx, FR_LOG_WARNING,
               "shell: a wall of %.3g m leaves no hollow in the shape: it is solid", thickness);
    return shape;
}
