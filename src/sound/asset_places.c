// asset_places.c: where a cooked body is hit when a place is asked for by name.

#include "math/vec.h"
#include "sound/asset.h"
#include <math.h>

/// What counts as one height, of the body's, and as one distance, of its size.
#define LEVEL 0.02
/// What counts as facing up as much: cosines.
#define FACING 0.1

static FrVec3 middle_of(const FrAsset *a, int32_t tri) {
    return fr_asset_spot(a, &(FrSpot){.tri = tri, .b = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}});
}

static FrVec3 corner_of(const FrAsset *a, int32_t tri, int k) {
    FrSpot spot = {.tri = tri};
    spot.b[k] = 1.0;
    return fr_asset_spot(a, &spot);
}

// two sides of a triangle, from its first corner
static void sides_of(const FrAsset *a, int32_t tri, FrVec3 *u, FrVec3 *v) {
    FrVec3 p = corner_of(a, tri, 0);
    *u = fr_sub(corner_of(a, tri, 1), p);
    *v = fr_sub(corner_of(a, tri, 2), p);
}

// the first triangle of those farthest from the upright axis
static FrVec3 find_rim(const FrAsset *a) {
    FrVec3 axis = fr_box_center(a->info.bounds), rim = axis;
    double most = -HUGE_VAL, size = fr_length(fr_box_size(a->info.bounds));
    for (int32_t t = 0; t < a->info.tri_count; t++) {
        FrVec3 at = middle_of(a, t), d = fr_sub(at, axis);
        double fit = d.x * d.x + d.y * d.y;
        if (fit <= most + 1e-9 * size * size) continue;
        most = fit;
        rim = at;
    }
    return rim;
}

// where a triangle meets the upright line through `at`
static bool meets_upright(const FrAsset *a, int32_t tri, FrVec3 at, FrVec3 *meets) {
    FrVec3 p = corner_of(a, tri, 0), d = fr_sub(at, p), u, v;
    sides_of(a, tri, &u, &v);
    double area = u.x * v.y - u.y * v.x;
    if (!(fabs(area) > 1e-6 * fr_length(fr_cross(u, v)))) return false; // upright itself
    double s = (d.x * v.y - d.y * v.x) / area, t = (u.x * d.y - u.y * d.x) / area;
    if (!(fr_min(fr_min(s, t), 1.0 - s - t) >= -1e-6)) return false; // edges: points are floats
    *meets = fr_axpy(s, u, fr_axpy(t, v, p));
    return true;
}

// the highest place on the upright line through `at`, of triangles whose middle is above `lowest`
static bool highest_on_line(const FrAsset *a, FrVec3 at, double lowest, FrVec3 *highest) {
    bool found = false;
    for (int32_t t = 0; t < a->info.tri_count; t++) {
        FrVec3 meets;
        if (middle_of(a, t).z < lowest || !meets_upright(a, t, at, &meets)) continue;
        if (!found || meets.z > highest->z) *highest = meets;
        found = true;
    }
    return found;
}

/// Triangles whose middles are no lower than `lowest`.
typedef struct Upper {
    double lowest; ///< m
    double up;     ///< the most that one of them faces up, cosine
    FrVec3 mean;   ///< of their surface, m
} Upper;

static Upper find_upper(const FrAsset *a) {
    Upper upper = {.lowest = -HUGE_VAL, .up = -1.0};
    double area = 0.0;
    for (int32_t t = 0; t < a->info.tri_count; t++)
        upper.lowest = fr_max(upper.lowest, middle_of(a, t).z);
    upper.lowest -= LEVEL * fr_box_size(a->info.bounds).z;
    for (int32_t t = 0; t < a->info.tri_count; t++) {
        FrVec3 at = middle_of(a, t), u, v;
        if (at.z < upper.lowest) continue;
        sides_of(a, t, &u, &v);
        double part = fr_length(fr_cross(u, v));
        upper.mean = fr_axpy(part, at, upper.mean);
        area += part;
        upper.up = fr_max(upper.up, fr_asset_normal(a, t).z);
    }
    upper.mean = fr_scale(area > 0.0 ? 1.0 / area : 0.0, upper.mean);
    return upper;
}

// In the middle of what is highest: of the triangles within LEVEL of the highest one, the place at
// their mean; where they go around it, as a rim does, of those that face up most (not the wall
// below it) the first of those nearest to it.
static FrVec3 find_top(const FrAsset *a) {
    Upper upper = find_upper(a);
    FrVec3 top = upper.mean;
    double least = HUGE_VAL, size = fr_length(fr_box_size(a->info.bounds));
    if (highest_on_line(a, upper.mean, upper.lowest, &top)) return top;
    for (int32_t t = 0; t < a->info.tri_count; t++) {
        FrVec3 at = middle_of(a, t);
        double away = fr_distance(at, upper.mean);
        if (at.z < upper.lowest || fr_asset_normal(a, t).z < upper.up - FACING) continue;
        if (away >= least - 1e-6 * size) continue;
        least = away;
        top = at;
    }
    return top;
}

static double off_line(FrVec3 p, FrVec3 line) { return hypot(p.x - line.x, p.y - line.y); }

// On the upright line through the centre of mass, the upper side; where that meets nothing, as in a
// ring, the highest of the triangles nearest to it within LEVEL of the body's size.
static FrVec3 find_centre(const FrAsset *a) {
    FrVec3 line = a->info.centre, centre = line;
    double least = HUGE_VAL, highest = -HUGE_VAL;
    double slack = LEVEL * fr_length(fr_box_size(a->info.bounds));
    if (highest_on_line(a, line, -HUGE_VAL, &centre)) return centre;
    for (int32_t t = 0; t < a->info.tri_count; t++)
        least = fr_min(least, off_line(middle_of(a, t), line));
    for (int32_t t = 0; t < a->info.tri_count; t++) {
        FrVec3 at = middle_of(a, t);
        if (off_line(at, line) > least + slack || at.z <= highest) continue;
        highest = at.z;
        centre = at;
    }
    return centre;
}

void fr_asset_places(FrAsset *a) {
    a->place[0] = find_rim(a);
    a->place[1] = find_top(a);
    a->place[2] = find_centre(a);
}
