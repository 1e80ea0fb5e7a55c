// prism.c: which surfaces are prisms: two flat ends, upright sides between them.

#include "geom/prism.h"
#include "math/vec.h"
#include <math.h>

/// Sine of the angle by which ends and sides may be off, and share of the height by which the ends
/// may be uneven: a micron of rounding turns triangles of a tenth of a millimetre.
#define SLANT 1e-2
#define UNEVEN 1e-3
/// Share of the area that may be off by more: hair-thin triangles whose normals mean nothing.
#define MOST_SLANTED 1e-3
/// What has more triangles is a scan, and not looked at.
#define MOST_TRIS 200000

typedef struct Ends {
    double low, high; ///< heights, m
} Ends;

// twice its area, outwards
static FrVec3 normal_of(const FrTriMesh *m, int32_t t) {
    FrVec3 a = fr_get3(m->p, m->tri[t][0]);
    return fr_cross(fr_sub(fr_get3(m->p, m->tri[t][1]), a), fr_sub(fr_get3(m->p, m->tri[t][2]), a));
}

static Ends ends_of(const FrTriMesh *m, FrVec3 across) {
    Ends e = {HUGE_VAL, -HUGE_VAL};
    for (int32_t k = 0; k < m->point_count; k++) {
        double height = fr_dot(across, fr_get3(m->p, k));
        e.low = fr_min(e.low, height);
        e.high = fr_max(e.high, height);
    }
    return e;
}

// is the triangle, level as it is, part of one of the ends?
static bool in_end(const FrTriMesh *m, int32_t t, FrVec3 across, Ends e) {
    double room = UNEVEN * (e.high - e.low);
    for (int i = 0; i < 3; i++) {
        double height = fr_dot(across, fr_get3(m->p, m->tri[t][i]));
        if (fr_min(height - e.low, e.high - height) > room) return false;
    }
    return true;
}

// is all of it level or upright? `area`: of the surface, m^2
static bool upright(const FrTriMesh *m, FrVec3 across, double area) {
    double off = 0.0;
    for (int32_t t = 0; t < m->tri_count && off <= MOST_SLANTED * area; t++) {
        FrVec3 normal = normal_of(m, t);
        double size = fr_length(normal), up = fabs(fr_dot(normal, across));
        double aside = fr_length(fr_cross(normal, across));
        if (fr_min(up, aside) > SLANT * size) off += 0.5 * size;
    }
    return off <= MOST_SLANTED * area;
}

static bool is_level(FrVec3 normal, FrVec3 across) {
    return fabs(fr_dot(normal, across)) > 0.5 * fr_length(normal);
}

// the mean normal of all that is level, for one triangle may be small and its points rounded
static FrVec3 mean_axis(const FrTriMesh *m, FrVec3 across) {
    FrVec3 sum = fr_vec3_zero;
    for (int32_t t = 0; t < m->tri_count; t++) {
        FrVec3 normal = normal_of(m, t);
        double sign = fr_dot(normal, across) > 0.0 ? 1.0 : -1.0;
        if (is_level(normal, across)) sum = fr_axpy(sign, normal, sum);
    }
    return fr_normalize(sum);
}

// is all that is level at one of the ends?
static bool even(const FrTriMesh *m, FrVec3 across, Ends e, double area) {
    double off = 0.0;
    for (int32_t t = 0; t < m->tri_count; t++) {
        FrVec3 normal = normal_of(m, t);
        if (is_level(normal, across) && !in_end(m, t, across, e)) off += 0.5 * fr_length(normal);
    }
    return off <= MOST_SLANTED * area;
}

// directions in the ends: along the largest triangle of the sides
static void lay_along(const FrTriMesh *m, FrPrism *prism) {
    double most = 0.0;
    for (int32_t t = 0; t < m->tri_count; t++) {
        FrVec3 normal = normal_of(m, t);
        FrVec3 along = fr_cross(normal, prism->across);
        double size = fr_length(along);
        if (is_level(normal, prism->across) || size <= most) continue;
        most = size;
        prism->along = fr_scale(1.0 / size, along);
    }
    prism->side = fr_cross(prism->across, prism->along);
}

bool fr_find_prism(const FrTriMesh *m, FrPrism *prism) {
    double area = fr_trimesh_area(m), lowest = HUGE_VAL;
    FrVec3 refused = fr_vec3_zero; // the direction tried last: a flat side has many triangles
    if (m->tri_count > MOST_TRIS) return false;
    for (int32_t t = 0; t < m->tri_count; t++) {
        FrVec3 normal = normal_of(m, t);
        double size = fr_length(normal);
        if (!(size > 0.0)) continue;
        FrVec3 across = fr_scale(1.0 / size, normal);
        if (lowest < HUGE_VAL && fabs(fr_dot(across, prism->across)) > 0.5) continue;
        if (fabs(fr_dot(across, refused)) > 1.0 - 1e-9) continue;
        if (!upright(m, across, area)) {
            refused = across;
            continue;
        }
        across = mean_axis(m, across);
        Ends e = ends_of(m, across);
        bool lower = e.high - e.low < (1.0 - UNEVEN) * lowest;
        if (!lower || !even(m, across, e, area)) continue;
        lowest = e.high - e.low;
        prism->across = across;
    }
    if (lowest < HUGE_VAL) lay_along(m, prism);
    return lowest < HUGE_VAL;
}
