// triangulate.c: triangles of good shape inside closed loops in the plane.

#include "mesh/triangulate.h"
#include "base/random.h"
#include "mesh/delaunay.h"
#include <math.h>

// inner points keep this distance from the sides, in h: closer ones make flat triangles
#define CLEARANCE 0.6
#define SMOOTHINGS 6
// where points are scattered: more would bring them back into rows
#define SMOOTHINGS_SCATTERED 3

typedef struct PlaneVec {
    double x, y;
} PlaneVec;

typedef struct Side {
    int32_t a, b; ///< points of the plane
} Side;

typedef struct Outline {
    FrContext *ctx;
    FrPlane plane;
    FR_ARRAY(PlaneVec) at; ///< true places of the points of the plane
    FR_ARRAY(Side) side;
    PlaneVec centre;
    double scale; ///< integer units per m
    double h;
    double scatter; ///< of points inside, m
    FrRandom random;
    int32_t border_count; ///< points before this one are on the loops (or the outer triangle)
} Outline;

static FrPlanePoint snap(const Outline *o, PlaneVec p) {
    return (FrPlanePoint){(int64_t)floor((p.x - o->centre.x) * o->scale + 0.5),
                          (int64_t)floor((p.y - o->centre.y) * o->scale + 0.5)};
}

void fr_triangulation_free(FrContext *ctx, FrTriangulation *triangulation) {
    fr_free(ctx, triangulation->xy);
    fr_free(ctx, triangulation->tri);
    *triangulation = (FrTriangulation){0};
}

static FrResult add_point(Outline *o, PlaneVec p, int32_t *index) {
    FR_TRY(fr_plane_add(&o->plane, snap(o, p), index));
    while (o->at.count < o->plane.point.count)
        if (!fr_array_push(o->ctx, &o->at, p)) return fr_no_memory(o->ctx, "an outline");
    return FR_OK;
}

static FrResult check_loops(FrContext *ctx, const FrOutline *outline, double h) {
    const int32_t *loop_end = outline->loop_end;
    const double(*xy)[2] = outline->xy;
    if (!(h > 0) || !isfinite(h))
        return fr_fail(ctx, FR_BAD_USE, "an edge length of %g m: it must be positive", h);
    if (outline->loop_count < 1) return fr_fail(ctx, FR_BAD_INPUT, "an outline without loops");
    for (int32_t l = 0, begin = 0; l < outline->loop_count; begin = loop_end[l++]) {
        if (loop_end[l] - begin < 3)
            return fr_fail(ctx, FR_BAD_INPUT, "loop %d has %d points, at least 3", l,
                           loop_end[l] - begin);
        for (int32_t k = begin; k < loop_end[l]; k++)
            if (!isfinite(xy[k][0]) || !isfinite(xy[k][1]))
                return fr_fail(ctx, FR_BAD_INPUT, "point %d of loop %d is not finite", k - begin,
                               l);
    }
    return FR_OK;
}

static FrResult fit(Outline *o, const double (*xy)[2], int32_t count) {
    PlaneVec lo = {xy[0][0], xy[0][1]}, hi = lo;
    for (int32_t k = 0; k < count; k++) {
        lo.x = fr_min(lo.x, xy[k][0]), lo.y = fr_min(lo.y, xy[k][1]);
        hi.x = fr_max(hi.x, xy[k][0]), hi.y = fr_max(hi.y, xy[k][1]);
    }
    double reach = 0.5 * fr_max(hi.x - lo.x, hi.y - lo.y);
    if (!(reach > 0) || !isfinite(reach))
        return fr_fail(o->ctx, FR_BAD_INPUT, "an outline of %g x %g m", hi.x - lo.x, hi.y - lo.y);
    if (reach / o->h > 5000)
        return fr_fail(o->ctx, FR_BAD_INPUT, "an edge length of %g m is too small for %g m", o->h,
                       2 * reach);
    o->centre = (PlaneVec){0.5 * (lo.x + hi.x), 0.5 * (lo.y + hi.y)};
    o->scale = 0.99 * (double)FR_PLANE_MAX / reach;
    return FR_OK;
}

// points along one side, its first end included; sides are remembered
static FrResult add_side(Outline *o, const double *a, const double *b, int32_t *last) {
    double dx = b[0] - a[0], dy = b[1] - a[1];
    double n = fr_max(1, floor(sqrt(dx * dx + dy * dy) / o->h + 0.5));
    for (double k = 0; k < n; k++) {
        PlaneVec p = {a[0] + dx * (k / n), a[1] + dy * (k / n)};
        int32_t index, before = o->plane.point.count;
        FR_TRY(add_point(o, p, &index));
        if (index < before)
            return fr_fail(o->ctx, FR_BAD_INPUT,
                           "the outline touches itself or a hole at (%g, %g) m", p.x, p.y);
        if (*last >= 0) {
            if (!fr_array_extend(o->ctx, &o->side, 1)) return fr_no_memory(o->ctx, "an outline");
            o->side.data[o->side.count - 1].a = *last;
            o->side.data[o->side.count - 1].b = index;
        }
        *last = index;
    }
    return FR_OK;
}

static FrResult add_loop(Outline *o, const double (*xy)[2], int32_t count) {
    int32_t last = -1, first = o->plane.point.count;
    for (int32_t k = 0; k < count; k++) FR_TRY(add_side(o, xy[k], xy[(k + 1) % count], &last));
    if (!fr_array_extend(o->ctx, &o->side, 1)) return fr_no_memory(o->ctx, "an outline");
    o->side.data[o->side.count - 1].a = last;
    o->side.data[o->side.count - 1].b = first;
    return FR_OK;
}

static FrResult fix_sides(Outline *o) {
    for (int32_t k = 0; k < o->side.count; k++) {
        int32_t blocked;
        FR_TRY(fr_plane_fix(&o->plane, o->side.data[k].a, o->side.data[k].b, &blocked));
        if (blocked >= 0)
            return fr_fail(o->ctx, FR_BAD_INPUT,
                           "the outline crosses or touches itself or a hole near (%g, %g) m",
                           o->at.data[blocked].x, o->at.data[blocked].y);
    }
    return FR_OK;
}

static double side_distance2(const Outline *o, int32_t side, PlaneVec p) {
    PlaneVec a = o->at.data[o->side.data[side].a], b = o->at.data[o->side.data[side].b];
    double ux = b.x - a.x, uy = b.y - a.y, vx = p.x - a.x, vy = p.y - a.y;
    double t = fr_clamp((vx * ux + vy * uy) / (ux * ux + uy * uy), 0, 1);
    vx -= t * ux, vy -= t * uy;
    return vx * vx + vy * vy;
}

static PlaneVec scattered(Outline *o, double x, double y) {
    if (o->scatter == 0.0) return (PlaneVec){x, y};
    double dx = fr_random_range(&o->random, -1.0, 1.0), dy = fr_random_range(&o->random, -1.0, 1.0);
    return (PlaneVec){x + o->scatter * dx, y + o->scatter * dy};
}

// a row of the triangular pattern: `near` lists the sides that come close to it
static FrResult add_row(Outline *o, double y, double from, double to, int32_t *near) {
    int32_t near_count = 0;
    for (int32_t k = 0; k < o->side.count; k++) {
        double a = o->at.data[o->side.data[k].a].y, b = o->at.data[o->side.data[k].b].y;
        double reach = o->h + o->scatter;
        if (fr_min(a, b) < y + reach && fr_max(a, b) > y - reach) near[near_count++] = k;
    }
    for (double x = from; x < to; x += o->h) {
        PlaneVec p = scattered(o, x, y);
        int32_t t = fr_plane_find(&o->plane, snap(o, p)), index;
        if (t < 0 || o->plane.tri.data[t].inside != 1) continue;
        bool clear = true;
        double least = CLEARANCE * CLEARANCE * o->h * o->h;
        for (int32_t k = 0; clear && k < near_count; k++)
            clear = side_distance2(o, near[k], p) >= least;
        if (clear) FR_TRY(add_point(o, p, &index));
    }
    return FR_OK;
}

static FrResult add_inner(Outline *o) {
    double reach = (double)FR_PLANE_MAX / o->scale, step = 0.86602540378443864676 * o->h;
    int32_t *near = FR_NEW(o->ctx, int32_t, o->side.count);
    if (!near) return fr_no_memory(o->ctx, "an outline");
    FrResult result = FR_OK;
    int32_t rows = (int32_t)(reach / step), columns = (int32_t)(reach / o->h) + 1;
    for (int32_t k = -rows; result == FR_OK && k <= rows; k++) {
        double from = o->centre.x - columns * o->h + (k & 1 ? 0.5 * o->h : 0);
        while (from < o->centre.x - 0.99 * reach) from += o->h;
        result = add_row(o, o->centre.y + k * step, from, o->centre.x + 0.99 * reach, near);
    }
    fr_free(o->ctx, near);
    return result;
}

// an inner point to the mean of its neighbours
static void smooth_point(Outline *o, int32_t p) {
    int32_t first = o->plane.of_point.data[p], t = first, count = 0;
    PlaneVec sum = {0, 0};
    do {
        const FrPlaneTri *tri = &o->plane.tri.data[t];
        int k = tri->v[0] == p ? 0 : tri->v[1] == p ? 1 : 2;
        PlaneVec q = o->at.data[tri->v[(k + 1) % 3]];
        sum.x += q.x, sum.y += q.y, count++;
        t = fr_plane_around(&o->plane, t, p);
    } while (t != first);
    PlaneVec to = {sum.x / count, sum.y / count};
    if (fr_plane_move(&o->plane, p, snap(o, to))) o->at.data[p] = to;
}

static FrResult smooth(Outline *o) {
    int rounds = o->scatter > 0.0 ? SMOOTHINGS_SCATTERED : SMOOTHINGS;
    for (int round = 0; round < rounds; round++) {
        for (int32_t p = o->border_count; p < o->plane.point.count; p++) smooth_point(o, p);
        FR_TRY(fr_plane_flip_all(&o->plane));
    }
    return FR_OK;
}

static FrResult write_out(const Outline *o, FrTriangulation *out) {
    int32_t points = o->plane.point.count - 3;
    for (int32_t t = 0; t < o->plane.tri.count; t++)
        out->tri_count += o->plane.tri.data[t].inside == 1;
    out->xy = fr_alloc_zero(o->ctx, (size_t)points, sizeof *out->xy);
    out->tri = fr_alloc_zero(o->ctx, (size_t)out->tri_count, sizeof *out->tri);
    if (!out->xy || !out->tri) {
        fr_triangulation_free(o->ctx, out);
        return fr_no_memory(o->ctx, "a triangulation");
    }
    out->point_count = points;
    for (int32_t p = 0; p < points; p++) {
        out->xy[p][0] = o->at.data[p + 3].x;
        out->xy[p][1] = o->at.data[p + 3].y;
    }
    int32_t count = 0;
    for (int32_t t = 0; t < o->plane.tri.count; t++) {
        const FrPlaneTri *tri = &o->plane.tri.data[t];
        if (tri->inside != 1) continue;
        for (int k = 0; k < 3; k++) out->tri[count][k] = tri->v[k] - 3;
        count++;
    }
    return FR_OK;
}

static FrResult triangulate(Outline *o, const FrOutline *outline) {
    const int32_t *loop_end = outline->loop_end;
    FR_TRY(fit(o, outline->xy, loop_end[outline->loop_count - 1]));
    FR_TRY(fr_plane_init(o->ctx, &o->plane));
    if (!fr_array_extend(o->ctx, &o->at, 3)) return fr_no_memory(o->ctx, "an outline");
    for (int32_t l = 0, begin = 0; l < outline->loop_count; begin = loop_end[l++])
        FR_TRY(add_loop(o, outline->xy + begin, loop_end[l] - begin));
    o->border_count = o->plane.point.count;
    FR_TRY(fix_sides(o));
    FR_TRY(fr_plane_flip_all(&o->plane));
    FR_TRY(fr_plane_mark(&o->plane));
    FR_TRY(add_inner(o));
    return smooth(o);
}

FrResult fr_triangulate(FrContext *ctx, const FrOutline *outline, double h, double scatter,
                        FrTriangulation *out) {
    *out = (FrTriangulation){0};
    FR_TRY(check_loops(ctx, outline, h));
    Outline o = {.ctx = ctx, .h = h, .scatter = scatter * h, .plane = {.ctx = ctx}};
    o.random = fr_random_for(0, "triangulate", 0);
    FrResult result = triangulate(&o, outline);
    if (result == FR_OK) result = write_out(&o, out);
    fr_plane_free(&o.plane);
    fr_array_free(ctx, &o.at);
    fr_array_free(ctx, &o.side);
    return result;
}
