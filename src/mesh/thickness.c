// thickness.c: how thick the walls of a shape are, felt from the surface inwards.

#include "mesh/lattice.h"
#include "base/tasks.h"

// samples at most: enough to see a part that holds 1/1000 of the surface
#define MAX_SAMPLES 20000
// walls have nearly opposite normals; a wedge opening more than 37 degrees is no wall
#define OPPOSITE -0.8

static FrVec3 gradient(const FrField *field, FrVec3 x, double eps) {
    FrVec3 g;
    g.x = fr_field_at(field, fr_vec3(x.x + eps, x.y, x.z)) -
          fr_field_at(field, fr_vec3(x.x - eps, x.y, x.z));
    g.y = fr_field_at(field, fr_vec3(x.x, x.y + eps, x.z)) -
          fr_field_at(field, fr_vec3(x.x, x.y - eps, x.z));
    g.z = fr_field_at(field, fr_vec3(x.x, x.y, x.z + eps)) -
          fr_field_at(field, fr_vec3(x.x, x.y, x.z - eps));
    return fr_scale(0.5 / eps, g);
}

// onto the surface along the gradient; false where that does not lead there
static bool to_surface(const FrField *field, double size, FrVec3 *x, FrVec3 *normal) {
    for (int k = 0; k < 5; k++) {
        double f = fr_field_at(field, *x);
        FrVec3 g = gradient(field, *x, 1e-4 * size);
        double g2 = fr_length2(g);
        if (!(g2 > 0.01) || !isfinite(f)) return false;
        *normal = fr_scale(1.0 / sqrt(g2), g);
        if (fabs(f) < 1e-3 * size) return true;
        *x = fr_axpy(-f / g2, g, *x);
    }
    return fabs(fr_field_at(field, *x)) < 0.02 * size;
}

// distance to the other side along -normal, if below `limit`; HUGE_VAL: thick, or no wall
static double wall_at(const FrField *field, double size, double limit, FrVec3 x, FrVec3 normal) {
    double inside = 0.0, s = 0.02 * size;
    if (!(fr_field_at(field, fr_axpy(-s, normal, x)) < 0)) return HUGE_VAL;
    double outside = HUGE_VAL;
    while (s < limit) {
        double f = fr_field_at(field, fr_axpy(-s, normal, x));
        if (f >= 0) {
            outside = s;
            break;
        }
        inside = s;
        s += fr_max(-f, size / 16);
    }
    if (!isfinite(outside)) return HUGE_VAL;
    for (int k = 0; k < 12; k++) {
        double mid = 0.5 * (inside + outside);
        if (fr_field_at(field, fr_axpy(-mid, normal, x)) < 0)
            inside = mid;
        else
            outside = mid;
    }
    FrVec3 there = fr_normalize(gradient(field, fr_axpy(-outside, normal, x), 1e-4 * size));
    return fr_dot(there, normal) < OPPOSITE ? outside : HUGE_VAL;
}

typedef struct WallRun {
    const FrLattice *L;
    const int32_t *cell;
    double limit;
    double *wall; ///< HUGE_VAL: thick; NAN: no answer
} WallRun;

static void wall_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    WallRun *run = arg;
    const FrLattice *L = run->L;
    for (int32_t k = begin; k < end; k++) {
        const FrCell *c = &L->cell.data[run->cell[k]];
        FrVec3 x = fr_lattice_point(L, 2 * c->x + 1, 2 * c->y + 1, 2 * c->z + 1), normal;
        run->wall[k] = (double)NAN;
        if (to_surface(L->field, L->size, &x, &normal))
            run->wall[k] = wall_at(L->field, L->size, run->limit, x, normal);
    }
}

static void summarise(FrThickness *t, double *wall, int32_t count) {
    int32_t thin = 0;
    for (int32_t k = 0; k < count; k++) {
        t->sample_count += !isnan(wall[k]);
        if (isfinite(wall[k])) wall[thin++] = wall[k];
    }
    if (!thin) return;
    t->fraction = (double)thin / t->sample_count;
    // 10th percentile by counting; thin is at most 20,000
    int32_t rank = thin / 10;
    double lo = 0, hi = 0;
    for (int32_t k = 0; k < thin; k++) hi = fr_max(hi, wall[k]);
    for (int pass = 0; pass < 50; pass++) {
        double mid = 0.5 * (lo + hi);
        int32_t below = 0;
        for (int32_t k = 0; k < thin; k++) below += wall[k] <= mid;
        if (below > rank)
            hi = mid;
        else
            lo = mid;
    }
    t->wall = hi;
}

FrResult fr_lattice_thickness(FrLattice *L, double limit, FrThickness *thickness) {
    *thickness = (FrThickness){0};
    int32_t near = 0, count = 0;
    for (int32_t k = 0; k < L->cell.count; k++)
        near += !L->cell.data[k].known && fabs(L->cell.data[k].value) < 0.87 * L->size;
    int32_t stride = near / MAX_SAMPLES + 1;
    WallRun run = {.L = L, .limit = limit};
    int32_t *cell = FR_NEW(L->ctx, int32_t, near / stride + 1);
    run.wall = FR_NEW(L->ctx, double, near / stride + 1);
    run.cell = cell;
    FrResult result = cell && run.wall ? FR_OK : fr_no_memory(L->ctx, "a thickness check");
    near = 0;
    for (int32_t k = 0; result == FR_OK && k < L->cell.count; k++) {
        const FrCell *c = &L->cell.data[k];
        if (c->known || !(fabs(c->value) < 0.87 * L->size)) continue;
        if (near++ % stride == 0) cell[count++] = k;
    }
    if (result == FR_OK) {
        fr_parallel_for(L->ctx, count, 32, wall_range, &run);
        summarise(thickness, run.wall, count);
    }
    fr_free(L->ctx, cell);
    fr_free(L->ctx, run.wall);
    return result;
}
