// flat.c: tets for a thin plate or a prism that came as a surface: the outline half way
// through it, filled with triangles and swept across. Tets can be longer than a plate is thick.

#include "mesh/flat.h"
#include "base/array.h"
#include "geom/solid.h"
#include "geom/prism.h"
#include "math/decompose.h"
#include "math/vec.h"
#include "mesh/structured.h"
#include "mesh/tetmesh.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A plate is no thicker than this share of the root of its area.
#define THICKEST 0.05
/// It is no plate where outline times thickness is off its volume by more, or one of the cuts
/// beside it off the outline: dented, bevelled far in. Slopes are seen by MOST_SLOPING.
#define MOST_OFF 0.02
/// It is no plate where more than this share of its area is turned by more than SLOPE (the sine of
/// 2 degrees) from its axis and from right angles to it: a wedge, a cone, a dish. What is no
/// farther from its outline than it is thick does not count: round edges, bevels.
#define MOST_SLOPING 0.01
#define SLOPE 0.0349
/// How far the outline may be drawn straight, over the edges of the tets.
#define STRAIGHT 0.02
/// Where it is cut, from the bottom, over its thickness: hardly any file has points there.
static const double cuts[] = {0.5137, 0.1037, 0.8963};
#define CUTS (sizeof cuts / sizeof cuts[0])
/// Which cut is its outline: the one that, upright, holds the volume best. Round edges of a full
/// half circle are cut at 0.81; upright ones half way, for others must be better by this much.
static const double rims[] = {0.5137, 0.7137, 0.8137, 0.8837, 0.2863, 0.1863, 0.1163};
#define RIMS (sizeof rims / sizeof rims[0])
#define BETTER 1e-4

/// Tets where no size is asked for.
#define PLATE_TETS 12000.0

/// A prism has cells like a box by rule: so many where no size is asked for, and layers at least.
/// More tets than these are left to stuffing, which can make them larger afterwards, or refuses.
#define PRISM_CELLS 600.0
#define PRISM_LAYERS 2
#define MOST_PRISM_TETS 60000.0
#define MOST_ASKED_TETS 500000.0
/// Tets in a cube of one edge: three in each half of it at least.
#define TETS_PER_CELL 6.0
/// It is none where outline times height is off its volume by more.
#define PRISM_OFF 1e-3

typedef double Pair[2];

/// A triangle cut by the plane: from one of its edges to another, each named by its two points.
typedef struct Segment {
    uint64_t from, to;
    Pair at; ///< of `from`, in the plane
    bool used;
} Segment;

typedef struct Plate {
    FrContext *ctx;
    FrTriMesh surface;
    FrVec3 along, side, across; ///< right-handed; `across`: where it is thinnest
    double low, thick;          ///< heights along `across`, m
    double cut;                 ///< height of the cut above `low`, m
    double slopes;              ///< share of its area that is no face, side or rim
    double longest;             ///< sides of the outline are drawn no longer than this, m
    FR_ARRAY(Segment) segment;  ///< by `from`
    FR_ARRAY(Pair) xy;
    FR_ARRAY(int32_t) end; ///< of the loops in xy
} Plate;

static FrSym3 square(FrVec3 r) { return fr_mat3_sym(fr_outer(r, r)); }

// second moment of the surface about its centre, m^4
static FrSym3 second_moment(const FrTriMesh *m) {
    FrVec3 from = fr_box_center(fr_trimesh_bounds(m)), first = fr_vec3_zero;
    FrSym3 moment = fr_sym3_zero;
    double whole = 0.0;
    for (int32_t t = 0; t < m->tri_count; t++) {
        FrVec3 r[3], sum = fr_vec3_zero;
        for (int i = 0; i < 3; i++) {
            r[i] = fr_sub(fr_get3(m->p, m->tri[t][i]), from);
            sum = fr_add(sum, r[i]);
        }
        double area = 0.5 * fr_length(fr_cross(fr_sub(r[1], r[0]), fr_sub(r[2], r[0])));
        // over a triangle: those of the corners and that of their sum, / 12
        for (int i = 0; i < 3; i++) moment = fr_sym3_axpy(area / 12.0, square(r[i]), moment);
        moment = fr_sym3_axpy(area / 12.0, square(sum), moment);
        first = fr_axpy(area / 3.0, sum, first);
        whole += area;
    }
    return fr_sym3_axpy(-1.0 / whole, square(first), moment);
}

static void measure(Plate *p, FrPrism axes) {
    double high = -HUGE_VAL;
    p->along = axes.along;
    p->side = axes.side;
    p->across = axes.across;
    p->low = HUGE_VAL;
    for (int32_t k = 0; k < p->surface.point_count; k++) {
        double height = fr_dot(p->across, fr_get3(p->surface.p, k));
        p->low = fr_min(p->low, height);
        high = fr_max(high, height);
    }
    p->thick = high - p->low;
}

// where it is longest and where it is thinnest
static FrPrism main_axes(const FrTriMesh *surface) {
    FrEigen3 axes = fr_sym3_eigen(second_moment(surface));
    return (FrPrism){axes.vector[0], axes.vector[1], axes.vector[2]};
}

static uint64_t edge_name(int32_t a, int32_t b) {
    return (uint64_t)fr_min_i(a, b) << 32 | (uint64_t)fr_max_i(a, b);
}

// how far point k is above the cut, m
static double above(const Plate *p, int32_t k) {
    return fr_dot(p->across, fr_get3(p->surface.p, k)) - p->low - p->cut;
}

// where the edge between points a and b, on either side of the cut, meets it
static void meet(const Plate *p, int32_t a, int32_t b, Pair at) {
    int32_t first = fr_min_i(a, b), second = fr_max_i(a, b); // the same bits from both triangles
    double s = above(p, first), t = above(p, second);
    FrVec3 x = fr_get3(p->surface.p, first), y = fr_get3(p->surface.p, second);
    FrVec3 cut = fr_axpy(s / (s - t), fr_sub(y, x), x);
    at[0] = fr_dot(p->along, cut);
    at[1] = fr_dot(p->side, cut);
}

static bool cut_triangle(Plate *p, const int32_t *tri) {
    bool up[3] = {above(p, tri[0]) >= 0.0, above(p, tri[1]) >= 0.0, above(p, tri[2]) >= 0.0};
    for (int i = 0; i < 3; i++) {
        int32_t here = tri[i], next = tri[(i + 1) % 3], last = tri[(i + 2) % 3];
        if (up[i] == up[(i + 1) % 3] || up[i] == up[(i + 2) % 3]) continue;
        Segment s = {edge_name(here, next), edge_name(last, here), {0, 0}, false};
        meet(p, here, up[i] ? next : last, s.at);
        if (!up[i]) s = (Segment){s.to, s.from, {s.at[0], s.at[1]}, false};
        return fr_array_push(p->ctx, &p->segment, s);
    }
    return true;
}

static int by_from(const void *a, const void *b) {
    uint64_t x = ((const Segment *)a)->from, y = ((const Segment *)b)->from;
    return x < y ? -1 : x > y;
}

// how far x is from the side between a and b, m
static double off_side(const double *a, const double *b, const double *x) {
    double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
    double ex = x[0] - a[0], ey = x[1] - a[1];
    double s = square > 0.0 ? fr_clamp((dx * ex + dy * ey) / square, 0.0, 1.0) : 0.0;
    return hypot(ex - s * dx, ey - s * dy);
}

// may the points of xy between first and last be left out?
static bool straight(const Plate *p, int32_t first, int32_t last) {
    const Pair *xy = p->xy.data;
    for (int32_t k = first + 1; k < last; k++)
        if (off_side(xy[first], xy[last], xy[k]) > STRAIGHT * p->longest) return false;
    return true;
}

// The loop behind `begin` with fewer points: those that lie within STRAIGHT of a side between
// others go, first come, first gone.
static void simplify(Plate *p, int32_t begin) {
    int32_t kept = begin;
    Pair *xy = p->xy.data;
    for (int32_t k = begin, next; k < p->xy.count; k = next) {
        next = k + 1;
        while (next + 1 < p->xy.count && straight(p, k, next + 1)) next++;
        memcpy(xy[kept++], xy[k], sizeof xy[k]);
    }
    p->xy.count = kept;
}

// one loop, from a segment that is not used yet. False: no memory
static bool follow(Plate *p, Segment *s) {
    int32_t begin = p->xy.count;
    for (; s && !s->used; s = bsearch(&(Segment){.from = s->to}, p->segment.data,
                                      (size_t)p->segment.count, sizeof *s, by_from)) {
        s->used = true;
        if (!fr_array_extend(p->ctx, &p->xy, 1)) return false;
        memcpy(p->xy.data[p->xy.count - 1], s->at, sizeof s->at);
    }
    simplify(p, begin);
    if (p->xy.count - begin < 3) return p->xy.count = begin, true;
    return fr_array_push(p->ctx, &p->end, p->xy.count);
}

// the outline at a share of the thickness
static FrResult find_outline(Plate *p, double share) {
    bool room = true;
    p->cut = share * p->thick;
    p->segment.count = p->xy.count = p->end.count = 0;
    for (int32_t t = 0; room && t < p->surface.tri_count; t++)
        room = cut_triangle(p, p->surface.tri[t]);
    if (room && p->segment.count)
        qsort(p->segment.data, (size_t)p->segment.count, sizeof *p->segment.data, by_from);
    for (int32_t k = 0; room && k < p->segment.count; k++)
        if (!p->segment.data[k].used) room = follow(p, &p->segment.data[k]);
    return room ? FR_OK : fr_no_memory(p->ctx, "the outline of a plate");
}

static FrOutline outline_of(const Plate *p) {
    return (FrOutline){p->end.count, p->xy.count, p->end.data, (const double(*)[2])p->xy.data};
}

// is the point no farther from the outline, along the plate, than the plate is thick?
static bool near_rim(const Plate *p, FrVec3 x) {
    Pair at = {fr_dot(p->along, x), fr_dot(p->side, x)};
    const Pair *xy = p->xy.data;
    for (int32_t loop = 0, first = 0; loop < p->end.count; first = p->end.data[loop++])
        for (int32_t k = first; k < p->end.data[loop]; k++) {
            int32_t next = k + 1 < p->end.data[loop] ? k + 1 : first;
            if (off_side(xy[k], xy[next], at) <= p->thick) return true;
        }
    return false;
}

// share of the area that is neither a face nor a side of the plate, nor its rim
static double sloping(const Plate *p) {
    const FrTriMesh *m = &p->surface;
    double off = 0.0, whole = 0.0;
    for (int32_t t = 0; t < m->tri_count; t++) {
        FrVec3 x[3];
        for (int i = 0; i < 3; i++) x[i] = fr_get3(m->p, m->tri[t][i]);
        FrVec3 normal = fr_cross(fr_sub(x[1], x[0]), fr_sub(x[2], x[0]));
        double area = fr_length(normal), up = fabs(fr_dot(normal, p->across));
        double aside = fr_length(fr_cross(normal, p->across));
        whole += area;
        if (fr_min(up, aside) <= SLOPE * area) continue;
        if (!near_rim(p, x[0]) || !near_rim(p, x[1]) || !near_rim(p, x[2])) off += area;
    }
    return off / whole;
}

// the volume between upright sides on the outline at a share of the thickness, over that of the
// plate, less 1
static FrResult cut_off(Plate *p, double share, double volume, double *off) {
    FR_TRY(find_outline(p, share));
    FrOutline outline = outline_of(p);
    *off = fabs(fabs(fr_outline_area(&outline)) * p->thick / volume - 1.0);
    return FR_OK;
}

// is every cut through it as large as its volume says, but for `most`?
static FrResult cuts_agree(Plate *p, double volume, double most, bool *agree) {
    *agree = true;
    for (size_t k = CUTS; k-- > 0 && *agree;) { // the outline half way through it stays
        double off;
        FR_TRY(cut_off(p, cuts[k], volume, &off));
        *agree = off < most;
    }
    return FR_OK;
}

// and nothing of it slopes but its rim?
static FrResult is_plate(Plate *p, double volume, bool *plate) {
    double off;
    FR_TRY(cut_off(p, cuts[0], volume, &off));
    if (off < MOST_OFF) p->slopes = sloping(p);
    *plate = off < MOST_OFF && p->slopes <= MOST_SLOPING;
    return *plate ? cuts_agree(p, volume, MOST_OFF, plate) : FR_OK;
}

static FrResult choose_outline(Plate *p, double volume) {
    double best = HUGE_VAL, share = rims[0];
    for (size_t k = 0; k < RIMS; k++) {
        double off;
        FR_TRY(cut_off(p, rims[k], volume, &off));
        if (off < best - BETTER) best = off, share = rims[k];
    }
    return find_outline(p, share);
}

// the outline filled and swept, in at least so many layers
static FrResult sweep(Plate *p, int32_t least, const char *method, FrFlatTets *flat, bool *done) {
    FrOutline outline = outline_of(p);
    int32_t layers = (int32_t)fr_max(ceil(p->thick / p->longest - 1e-9), least);
    FrResult result =
        fr_mesh_extrusion(p->ctx, &outline, p->thick, p->longest, layers, &flat->mesh);
    if (result == FR_BAD_INPUT) return FR_OK; // an outline that crosses itself: another way may do
    FR_TRY(result);
    *done = true;
    flat->method = method;
    flat->cells = p->longest;
    FR_TRY(fr_tetmesh_transform(p->ctx, &flat->mesh, fr_mat3(p->along, p->side, p->across),
                                fr_scale(p->low + 0.5 * p->thick, p->across)));
    return fr_tetmesh_renumber(p->ctx, &flat->mesh);
}

// Edges of the triangles, m, where none are asked for: equilateral ones give three tets each.
static double plate_edge(const Plate *p, double area) {
    return fr_max(p->thick, sqrt(3.0 * area / (0.25 * sqrt(3.0) * PLATE_TETS)));
}

static FrResult fill_plate(Plate *p, double cells, double volume, FrFlatTets *flat, bool *done) {
    double area = 0.5 * fr_trimesh_area(&p->surface);
    bool plate;
    measure(p, main_axes(&p->surface));
    p->longest = cells > 0.0 ? cells : plate_edge(p, area);
    if (p->thick > THICKEST * sqrt(area)) return FR_OK;
    FR_TRY(is_plate(p, volume, &plate));
    if (!plate) return FR_OK;
    FR_TRY(choose_outline(p, volume));
    FR_TRY(sweep(p, 1, "flat", flat, done));
    if (*done)
        fr_log(p->ctx, FR_LOG_INFO, "a plate of %.3g m: tets %.3g m long", p->thick, p->longest);
    return FR_OK;
}

// Edges, m: like those of a box by rule, and two of them across what is narrow on average (twice
// its area over the length of its rim is the radius of a rod, the wall of a tube).
static double prism_edge(const Plate *p, double volume) {
    double end = volume / p->thick, sides = fr_trimesh_area(&p->surface) - 2.0 * end;
    return fr_min(cbrt(volume / PRISM_CELLS), 2.0 * end * p->thick / sides);
}

static FrResult fill_prism(Plate *p, double cells, double volume, FrFlatTets *flat, bool *done) {
    FrPrism axes;
    bool prism;
    if (!fr_find_prism(&p->surface, &axes)) return FR_OK;
    measure(p, axes);
    p->longest = 0.0; // cuts as they are
    FR_TRY(cuts_agree(p, volume, PRISM_OFF, &prism));
    p->longest = cells > 0.0 ? cells : prism_edge(p, volume);
    double tets = TETS_PER_CELL * volume / (p->longest * p->longest * p->longest);
    if (!prism || tets > (cells > 0.0 ? MOST_ASKED_TETS : MOST_PRISM_TETS)) return FR_OK;
    FR_TRY(find_outline(p, cuts[0]));
    return sweep(p, PRISM_LAYERS, "prism", flat, done);
}

FrResult fr_tets_flat(FrContext *ctx, const FrShape *shape, double cells, FrFlatTets *flat,
                      bool *done) {
    FrPlacedShape placed = fr_place_shape(shape);
    const FrShapeInfo *info = fr_shape_info(placed.shape);
    *done = false;
    if (info->kind != FR_SHAPE_SURFACE || !fr_solid_report(info->solid)->after.closed) return FR_OK;
    Plate p = {.ctx = ctx};
    FR_TRY(fr_placed_surface(ctx, info->solid, &placed, &p.surface));
    double volume = fr_trimesh_props(&p.surface).volume;
    FrResult result = fill_plate(&p, cells, volume, flat, done);
    if (result == FR_OK && !*done) result = fill_prism(&p, cells, volume, flat, done);
    if (result == FR_OK && !*done && p.slopes > MOST_SLOPING)
        fr_log(ctx, FR_LOG_INFO,
               "thin as a plate (%.2g m), but %.0f %% of its surface slopes away from its rim: it "
               "is filled with small tets like any solid",
               p.thick, 100.0 * p.slopes);
    fr_trimesh_free(ctx, &p.surface);
    fr_array_free(ctx, &p.segment);
    fr_array_free(ctx, &p.xy);
    fr_array_free(ctx, &p.end);
    return result;
}
