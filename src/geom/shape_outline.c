// shape_outline.c: lathes, extrusions and text: plane figures turned about an axis or pulled along
// one.

#include "geom/font.h"
#include "geom/shape_node.h"
#include <string.h>

static double lathe_solid_distance(const FrShape *shape, FrVec3 x) {
    double r = sqrt(x.x * x.x + x.y * x.y);
    double d = fr_segments_distance(shape->segments, r, x.z);
    return fr_segments_odd(shape->segments, r, x.z) ? -d : d;
}

static double lathe_wall_distance(const FrShape *shape, FrVec3 x) {
    double r = sqrt(x.x * x.x + x.y * x.y);
    return fr_segments_distance(shape->segments, r, x.z) - 0.5 * shape->info.lathe.wall;
}

static void put_segment(double (*s)[4], int32_t *count, const double *a, const double *b) {
    if (a[0] == 0.0 && b[0] == 0.0) return; // on the axis there is no surface
    double segment[4] = {a[0], a[1], b[0], b[1]};
    memcpy(s[(*count)++], segment, sizeof segment);
}

static FrSegments *lathe_segments(FrShapeSet *set, const double (*rz)[2], int32_t count,
                                  double wall) {
    double(*s)[4] = fr_arena_alloc(&set->arena, (size_t)count + 1, sizeof *s);
    if (!s) return NULL;
    int32_t used = 0;
    for (int32_t k = 1; k < count; k++) put_segment(s, &used, rz[k - 1], rz[k]);
    const double *first = rz[0], *last = rz[count - 1];
    bool ring = first[0] == last[0] && first[1] == last[1];
    if (wall == 0.0 && !ring) {
        double low[2] = {0.0, first[1]}, high[2] = {0.0, last[1]};
        put_segment(s, &used, low, first);
        put_segment(s, &used, last, high);
    }
    return fr_segments_create(&set->arena, (const double(*)[4])s, used);
}

static bool check_profile(FrShapeSet *set, const double (*rz)[2], int32_t count, double wall,
                          FrBox *bounds) {
    double widest = 0.0, lo = HUGE_VAL, hi = -HUGE_VAL;
    if (count < 2) {
        fr_shape_refuse(set, "lathe: a profile of %d points; at least 2 are needed", count);
        return false;
    }
    for (int32_t k = 0; k < count; k++) {
        if (!isfinite(rz[k][0]) || !isfinite(rz[k][1]) || rz[k][0] < 0.0) {
            fr_shape_refuse(set, "lathe: point %d is r = %g m, z = %g m; r must be 0 or more",
                            k + 1, rz[k][0], rz[k][1]);
            return false;
        }
        widest = fr_max(widest, rz[k][0]);
        lo = fr_min(lo, rz[k][1]), hi = fr_max(hi, rz[k][1]);
    }
    bool good = isfinite(wall) && wall >= 0.0 && widest > 0.0 && (wall > 0.0 || hi > lo);
    if (!good)
        fr_shape_refuse(set, "lathe: radius up to %g m, height %g m, wall %g m; nothing is inside",
                        widest, hi - lo, wall);
    *bounds = fr_box_grow(fr_box_about_z(widest, lo, hi), 0.5 * wall);
    return good;
}

const FrShape *fr_shape_lathe(FrShapeSet *set, const double (*rz)[2], int32_t count, double wall) {
    FrBox bounds;
    if (!check_profile(set, rz, count, wall, &bounds)) return NULL;
    double(*copy)[2] = fr_arena_alloc(&set->arena, (size_t)count, sizeof *copy);
    FrSegments *segments = lathe_segments(set, rz, count, wall);
    if (!copy || !segments) return fr_shape_no_memory(set);
    memcpy(copy, rz, (size_t)count * sizeof *copy);
    FrShape *shape = fr_shape_new(set, FR_SHAPE_LATHE,
                                  wall > 0.0 ? lathe_wall_distance : lathe_solid_distance, bounds);
    if (!shape) return NULL;
    shape->info.lathe.rz = (const double(*)[2])copy;
    shape->info.lathe.count = count;
    shape->info.lathe.wall = wall;
    shape->segments = segments;
    return shape;
}

// with rounding r: the figure and the thickness drawn in by r, then everything pushed out by r
static double extrusion_distance(const FrShape *shape, FrVec3 x) {
    double r = shape->info.extrusion.rounding;
    double plane = fr_segments_distance(shape->segments, x.x, x.y);
    if (fr_segments_odd(shape->segments, x.x, x.y)) plane = -plane;
    double dp = plane + r, dz = fabs(x.z) - 0.5 * shape->info.extrusion.depth + r;
    double op = fr_max(dp, 0.0), oz = fr_max(dz, 0.0);
    return sqrt(op * op + oz * oz) + fr_min(fr_max(dp, dz), 0.0) - r;
}

static bool check_outline(FrShapeSet *set, const FrOutline *outline) {
    int32_t begin = 0;
    for (int32_t loop = 0; loop < outline->loop_count; begin = outline->loop_end[loop++])
        if (outline->loop_end[loop] - begin < 3) {
            fr_shape_refuse(set, "extrusion: loop %d has %d points; at least 3 are needed",
                            loop + 1, outline->loop_end[loop] - begin);
            return false;
        }
    if (!outline->loop_count || begin != outline->point_count) {
        fr_shape_refuse(set, "extrusion: %d loops end at point %d of %d", outline->loop_count,
                        begin, outline->point_count);
        return false;
    }
    for (int32_t k = 0; k < outline->point_count; k++)
        if (!isfinite(outline->xy[k][0]) || !isfinite(outline->xy[k][1])) {
            fr_shape_refuse(set, "extrusion: point %d is not finite", k + 1);
            return false;
        }
    return true;
}

const FrShape *fr_shape_extrusion(FrShapeSet *set, const FrOutline *outline, double depth,
                                  double rounding) {
    if (!check_outline(set, outline)) return NULL;
    if (!isfinite(depth) || !(depth > 0.0))
        return fr_shape_refuse(set, "extrusion: depth is %g m; must be above 0", depth);
    if (!(rounding >= 0.0 && rounding <= 0.5 * depth))
        return fr_shape_refuse(set,
                               "extrusion: rounding is %g m; allowed are 0 to %g, half its "
                               "depth",
                               rounding, 0.5 * depth);
    FrBox bounds = fr_box_empty();
    for (int32_t k = 0; k < outline->point_count; k++)
        for (int side = -1; side <= 1; side += 2)
            bounds = fr_box_add(bounds,
                                fr_vec3(outline->xy[k][0], outline->xy[k][1], 0.5 * side * depth));
    FrOutline *copy = fr_outline_copy(&set->arena, outline);
    FrSegments *segments = copy ? fr_segments_of(&set->arena, copy) : NULL;
    if (!segments) return fr_shape_no_memory(set);
    FrShape *shape = fr_shape_new(set, FR_SHAPE_EXTRUSION, extrusion_distance, bounds);
    if (!shape) return NULL;
    shape->info.extrusion.outline = *copy;
    shape->info.extrusion.depth = depth;
    shape->info.extrusion.rounding = rounding;
    shape->segments = segments;
    return shape;
}

const FrShape *fr_shape_text(FrShapeSet *set, const char *text, double size, double depth,
                             double rounding) {
    if (!isfinite(size) || !(size > 0.0))
        return fr_shape_refuse(set, "text: size is %g m; must be above 0", size);
    const char *bad = fr_font_unknown(text);
    if (bad)
        return fr_shape_refuse(set,
                               "text \"%.40s\": character %d is not to be had; allowed are "
                               "A-Z 0-9 . , : ; ! ? - + = / ' ( ) and space",
                               text, (int)(bad - text) + 1);
    FrOutline outline;
    if (!fr_font_outline(&set->arena, text, size, &outline)) return fr_shape_no_memory(set);
    if (!outline.loop_count) return fr_shape_refuse(set, "text: there is nothing to see in it");
    return fr_shape_extrusion(set, &outline, depth, rounding);
}
