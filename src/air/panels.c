// panels.c: a closed surface as flat triangles that send and reflect sound, with what is near what.

#include "air/panels.h"
#include "base/array.h"
#include "base/random.h"
#include "base/tasks.h"
#include <string.h>

/// Nearer than so many edges the sums over a panel's points are set right.
#define NEAR 4.0

static const double weight_of[FR_PANEL_POINTS][3] = {{2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0},
                                                     {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0},
                                                     {1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0}};

void fr_panels_free(FrContext *ctx, FrPanels *p) {
    FR_FREE_ALL(ctx, p->corner, p->middle, p->normal, p->area, p->longest, p->y, p->n, p->share,
                p->near_first, p->near, p->near_lack);
    *p = (FrPanels){0};
}

static FrResult alloc(FrContext *ctx, int32_t count, FrPanels *p) {
    size_t n = (size_t)count, lanes = FR_PANEL_LANES, padded = (n + lanes - 1) / lanes * lanes;
    p->count = count;
    p->padded = (int32_t)padded;
    p->corner = fr_alloc_zero(ctx, n, sizeof *p->corner);
    p->middle = FR_NEW(ctx, double, 3 * n);
    p->normal = FR_NEW(ctx, double, 3 * n);
    p->area = FR_NEW(ctx, double, n);
    p->longest = FR_NEW(ctx, double, n);
    p->y = FR_NEW(ctx, float, 3 * FR_PANEL_POINTS * padded);
    p->n = FR_NEW(ctx, float, 3 * padded);
    p->share = FR_NEW(ctx, float, padded);
    p->near_first = FR_NEW(ctx, int32_t, n + 1);
    bool good = p->corner && p->middle && p->normal && p->area && p->longest && p->y && p->n &&
                p->share && p->near_first;
    return good ? FR_OK : fr_no_memory(ctx, "panels of a surface");
}

static FrVec3 point_of(const FrPanels *p, int32_t t, int q) {
    FrVec3 at = fr_vec3_zero;
    for (int k = 0; k < 3; k++) at = fr_axpy(weight_of[q][k], fr_get3(p->corner[t][k], 0), at);
    return at;
}

static bool measure(FrPanels *p, int32_t t) {
    FrVec3 a = fr_get3(p->corner[t][0], 0), b = fr_get3(p->corner[t][1], 0),
           c = fr_get3(p->corner[t][2], 0);
    FrVec3 twice = fr_cross(fr_sub(b, a), fr_sub(c, a));
    p->area[t] = 0.5 * fr_length(twice);
    p->longest[t] = fr_max(fr_distance(a, b), fr_max(fr_distance(b, c), fr_distance(c, a)));
    if (!(p->area[t] > 1e-9 * p->longest[t] * p->longest[t])) return false;
    fr_set3(p->normal, t, fr_normalize(twice));
    fr_set3(p->middle, t, fr_scale(1.0 / 3.0, fr_add(a, fr_add(b, c))));
    return true;
}

// what lanes read; beyond `count` a weightless panel far away
static void spread(FrPanels *p) {
    size_t n = (size_t)p->padded;
    for (int32_t t = 0; t < p->padded; t++) {
        bool real = t < p->count;
        for (int q = 0; q < FR_PANEL_POINTS; q++) {
            FrVec3 y = point_of(p, real ? t : 0, q);
            for (int k = 0; k < 3; k++)
                p->y[(size_t)(3 * q + k) * n + (size_t)t] = (float)fr_vec3_get(y, k);
        }
        FrVec3 normal = real ? fr_get3(p->normal, t) : fr_vec3_zero;
        for (int k = 0; k < 3; k++) p->n[(size_t)k * n + (size_t)t] = (float)fr_vec3_get(normal, k);
        p->share[t] = real ? (float)(p->area[t] / (FR_PANEL_POINTS * 4.0 * FR_PI)) : 0.0f;
    }
}

// integral of 1/(4 pi r) over the edges' triangles, and the solid angle [M23]
FrStatic fr_panel_static(double (*corner)[3], FrVec3 normal, FrVec3 x) {
    FrVec3 v[3];
    double length[3];
    for (int k = 0; k < 3; k++) {
        v[k] = fr_sub(fr_get3(corner[k], 0), x);
        length[k] = fr_length(v[k]);
    }
    double up = -fr_dot(v[0], normal), height = fabs(up), s = 0.0;
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3;
        FrVec3 t = fr_normalize(fr_sub(v[l], v[k]));
        double h = fr_dot(v[k], fr_cross(t, normal)), s1 = fr_dot(v[k], t), s2 = fr_dot(v[l], t);
        double r1 = length[k], r2 = length[l];
        double ratio = s1 + s2 >= 0.0 ? (r2 + s2) / (r1 + s1) : (r1 - s1) / (r2 - s2);
        if (fabs(h) <= 1e-12 * (r1 + r2)) continue;
        double away = h * h + height * height;
        s += h * log(ratio) -
             height * (atan(h * s2 / (away + height * r2)) - atan(h * s1 / (away + height * r1)));
    }
    double solid = 2.0 * atan2(fr_dot(v[0], fr_cross(v[1], v[2])),
                               length[0] * length[1] * length[2] + fr_dot(v[0], v[1]) * length[2] +
                                   fr_dot(v[1], v[2]) * length[0] + fr_dot(v[2], v[0]) * length[1]);
    return (FrStatic){s / (4.0 * FR_PI), -solid / (4.0 * FR_PI)};
}

double fr_panels_around(const FrPanels *p, FrVec3 x) {
    double sum = 0.0;
    for (int32_t t = 0; t < p->count; t++)
        sum -= fr_panel_static(p->corner[t], fr_get3(p->normal, t), x).d;
    return sum;
}

// the same by the points that lanes use: G = 1/(4 pi r), dG/dn_y = (d.n)/(4 pi r^3), d = x - y
static FrStatic summed(const FrPanels *p, int32_t t, FrVec3 x) {
    FrStatic sum = {0.0, 0.0};
    double share = p->area[t] / (FR_PANEL_POINTS * 4.0 * FR_PI);
    for (int q = 0; q < FR_PANEL_POINTS; q++) {
        FrVec3 d = fr_sub(x, point_of(p, t, q));
        double r = fr_length(d);
        sum.s += share / r;
        sum.d += share * fr_dot(d, fr_get3(p->normal, t)) / (r * r * r);
    }
    return sum;
}

static bool is_near(const FrPanels *p, int32_t i, int32_t j) {
    FrVec3 d = fr_sub(fr_get3(p->middle, i), fr_get3(p->middle, j));
    double reach = NEAR * p->longest[j];
    return fr_length2(d) < reach * reach;
}

typedef struct Nearness {
    FrPanels *p;
    int32_t *found; ///< of each row
} Nearness;

static void count_near(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Nearness *n = arg;
    (void)chunk, (void)worker;
    for (int32_t i = begin; i < end; i++)
        for (int32_t j = 0; j < n->p->count; j++) n->found[i] += is_near(n->p, i, j);
}

static void fill_near(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    FrPanels *p = ((Nearness *)arg)->p;
    (void)chunk, (void)worker;
    for (int32_t i = begin; i < end; i++) {
        FrVec3 x = fr_get3(p->middle, i);
        int32_t at = p->near_first[i];
        for (int32_t j = 0; j < p->count; j++) {
            if (!is_near(p, i, j)) continue;
            FrStatic exact = fr_panel_static(p->corner[j], fr_get3(p->normal, j), x),
                     sum = summed(p, j, x);
            p->near[at] = j;
            p->near_lack[at][0] = (float)(exact.s - sum.s);
            p->near_lack[at++][1] = i == j ? 0.0f : (float)(exact.d - sum.d);
        }
    }
}

// waves differ from static sources by what is smooth, so that the static lack is all of it
static FrResult find_near(FrContext *ctx, FrPanels *p) {
    Nearness n = {p, FR_NEW(ctx, int32_t, p->count)};
    if (!n.found) return fr_no_memory(ctx, "panels of a surface");
    fr_parallel_for(ctx, p->count, 64, count_near, &n);
    for (int32_t i = 0; i < p->count; i++) p->near_first[i + 1] = p->near_first[i] + n.found[i];
    fr_free(ctx, n.found);
    p->near = FR_NEW(ctx, int32_t, p->near_first[p->count]);
    p->near_lack = fr_alloc_zero(ctx, (size_t)p->near_first[p->count], sizeof *p->near_lack);
    if (!p->near || !p->near_lack) return fr_no_memory(ctx, "panels of a surface");
    fr_parallel_for(ctx, p->count, 64, fill_near, &n);
    return FR_OK;
}

FrResult fr_panels_make(FrContext *ctx, const double *point, const int32_t (*tri)[3], int32_t count,
                        FrPanels *p) {
    *p = (FrPanels){0};
    FrResult result = alloc(ctx, count, p);
    for (int32_t t = 0; t < count && result == FR_OK; t++) {
        for (int k = 0; k < 3; k++)
            memcpy(p->corner[t][k], point + 3 * (size_t)tri[t][k], 3 * sizeof(double));
        if (!measure(p, t))
            result =
                fr_fail(ctx, FR_BAD_INPUT, "triangle %d of a surface that sounds has no area", t);
    }
    if (result == FR_OK) {
        spread(p);
        result = find_near(ctx, p);
    }
    if (result != FR_OK) fr_panels_free(ctx, p);
    return result;
}

/// Points inside are looked for behind so many panels.
#define TRIES 128

// how far the surface is from x, about: to middles and corners of panels
static double distance_to(const FrPanels *p, FrVec3 x) {
    double least = HUGE_VAL;
    for (int32_t t = 0; t < p->count; t++) {
        least = fr_min(least, fr_length2(fr_sub(x, fr_get3(p->middle, t))));
        for (int k = 0; k < 3; k++)
            least = fr_min(least, fr_length2(fr_sub(x, fr_get3(p->corner[t][k], 0))));
    }
    return sqrt(least);
}

// how far it is from panel `from` straight through the body to its other side; 0: nothing was met
static double through(const FrPanels *p, int32_t from) {
    FrVec3 a = fr_get3(p->middle, from), way = fr_neg(fr_get3(p->normal, from));
    double least = HUGE_VAL;
    for (int32_t t = 0; t < p->count; t++) {
        FrVec3 n = fr_get3(p->normal, t), c = fr_get3(p->corner[t][0], 0);
        double slope = fr_dot(way, n), s = fr_dot(fr_sub(c, a), n) / slope;
        if (t == from || !(slope > 1e-9) || !(s > 0.0 && s < least)) continue;
        FrVec3 x = fr_axpy(s, way, a);
        bool within = true;
        for (int k = 0; k < 3 && within; k++) {
            FrVec3 u = fr_get3(p->corner[t][k], 0), v = fr_get3(p->corner[t][(k + 1) % 3], 0);
            within = fr_dot(fr_cross(fr_sub(v, u), fr_sub(x, u)), n) >= 0.0;
        }
        if (within) least = s;
    }
    return least < HUGE_VAL ? least : 0.0;
}

/// A point inside.
typedef struct Inner {
    FrVec3 at;
    double depth;
} Inner;

// behind panels drawn by lot, a quarter to three quarters of the way to the other side
static int32_t find_inner(const FrPanels *p, Inner *inner) {
    FrRandom random = fr_random_for(1, "points inside", 0);
    int32_t found = 0;
    for (int32_t k = 0; k < TRIES; k++) {
        int32_t from = fr_random_below(&random, p->count);
        double part = fr_random_range(&random, 0.25, 0.75), length = through(p, from);
        FrVec3 way = fr_get3(p->normal, from),
               at = fr_axpy(-part * length, way, fr_get3(p->middle, from));
        if (!(length > 0.0)) continue;
        inner[found++] = (Inner){at, distance_to(p, at)};
    }
    return found;
}

// those that are deep enough, by lot
double fr_panels_depth(const FrPanels *p, double *deep, int32_t count) {
    Inner inner[TRIES];
    int32_t found = find_inner(p, inner);
    double most = 0.0;
    for (int32_t k = 0; k < found; k++) most = fr_max(most, inner[k].depth);
    FrVec3 any = found ? inner[0].at : fr_get3(p->middle, 0);
    for (int32_t c = 0, next = 0; c < count; c++) {
        while (next < found && inner[next].depth < 0.3 * most) next++;
        fr_set3(deep, c, next < found ? inner[next++].at : any);
    }
    return most;
}
