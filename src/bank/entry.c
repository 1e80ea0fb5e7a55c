// entry.c: one entry of a bank: the modes of an ellipsoid, and how they go out into the air.

#include "bank/entry.h"
#include "air/multipole.h"
#include "air/radiate.h"
#include "bank/ellipsoid.h"
#include <math.h>
#include <string.h>

/// Edges of the surface that radiates, before it is remeshed.
#define FINE_LEVEL 24

typedef struct Maker {
    FrContext *ctx;
    const FrBankPlan *plan;
    FrBankEntry *to;
    FrEllipsoid modes;
    FrOctaSphere fine, coarse;
    double *point; ///< of the fine surface, m
    double *move;  ///< kg^-1/2: point after point, mode after mode, xyz
} Maker;

static double or_else(double value, double otherwise) { return value > 0.0 ? value : otherwise; }

FrResult fr_bank_plan(FrContext *ctx, FrBankPlan *p) {
    FR_TRY(fr_material_check(ctx, &p->material));
    double nu = 0.5 * p->material.lambda / (p->material.lambda + p->material.mu);
    if (p->material.anisotropic || !(nu >= 0.0 && nu <= 0.49))
        return fr_fail(ctx, FR_BAD_INPUT,
                       "%s: a bank is of a material without grain, Poisson's ratio 0 to 0.49",
                       p->material.name);
    p->most_mass = or_else(p->most_mass, 0.25);
    p->max_hz = or_else(p->max_hz, 16000.0);
    p->thinnest = or_else(p->thinnest, 0.03);
    p->tolerance = or_else(p->tolerance, 0.05);
    if (p->most_samples <= 0) p->most_samples = 100;
    if (p->most_modes <= 0) p->most_modes = 60;
    if (p->most_panels <= 0) p->most_panels = 2000;
    if (p->level <= 0) p->level = 10;
    return FR_OK;
}

static double young_of(const FrMaterial *m) {
    return m->mu * (3.0 * m->lambda + 2.0 * m->mu) / (m->lambda + m->mu);
}

FrResult fr_bank_empty(FrContext *ctx, const FrBankPlan *plan, int32_t samples,
                       FrSoundbank **bank) {
    const FrMaterial *m = &plan->material;
    FrSoundbank *b = FR_NEW(ctx, FrSoundbank, 1);
    *bank = b;
    if (!b) return fr_no_memory(ctx, "a soundbank");
    b->ctx = ctx;
    b->info = (FrSoundbankInfo){.density = m->density,
                                .young = young_of(m),
                                .poisson = 0.5 * m->lambda / (m->lambda + m->mu),
                                .most_mass = plan->most_mass,
                                .max_hz = plan->max_hz,
                                .samples = samples};
    memcpy(b->info.material, m->name, sizeof b->info.material);
    b->alpha1 = m->alpha1;
    b->alpha2 = m->alpha2;
    b->eta = m->eta;
    return fr_octa_sphere(ctx, plan->level, &b->sphere);
}

static FrVec3 stretched(const double half[3], FrVec3 p) {
    return fr_vec3(half[0] * p.x, half[1] * p.y, half[2] * p.z);
}

static FrVec3 move(const void *user, int32_t mode, int32_t point) {
    const Maker *m = user;
    return fr_get3(m->move + 3 * (size_t)point * (size_t)m->to->mode_count, mode);
}

static double mirror_sign(int32_t parity, int d, uint8_t mirrored) {
    return __builtin_parity((unsigned)((parity ^ 1 << d) & mirrored)) ? -1.0 : 1.0;
}

// points of the fine surface and how they move; mirror images are exact
static FrResult sample(Maker *m) {
    size_t stride = 3 * (size_t)m->to->mode_count;
    m->point = FR_NEW(m->ctx, double, 3 * m->fine.point_count);
    m->move = fr_alloc(m->ctx, stride * (size_t)m->fine.point_count * sizeof *m->move);
    if (!m->point || !m->move) return fr_no_memory(m->ctx, "an ellipsoid");
    for (int32_t k = 0; k < m->fine.octant_count; k++) {
        int32_t v = m->fine.octant[k];
        FR_TRY(
            fr_ellipsoid_shapes(m->ctx, &m->modes, m->fine.point[v], m->move + stride * (size_t)v));
    }
    for (int32_t v = 0; v < m->fine.point_count; v++) {
        const double *from = m->move + stride * (size_t)m->fine.octant[m->fine.home[v]];
        fr_set3(m->point, v, stretched(m->to->half, m->fine.point[v]));
        for (int32_t i = 0; i < m->to->mode_count && m->fine.mirrored[v]; i++)
            for (int d = 0; d < 3; d++)
                m->move[stride * (size_t)v + (size_t)(3 * i + d)] =
                    from[3 * i + d] * mirror_sign(m->modes.mode[i].parity, d, m->fine.mirrored[v]);
    }
    return FR_OK;
}

static FrVec3 area_vector(const Maker *m, int32_t t) {
    const int32_t *v = m->fine.tri[t];
    FrVec3 a = fr_get3(m->point, v[0]);
    return fr_scale(
        0.5, fr_cross(fr_sub(fr_get3(m->point, v[1]), a), fr_sub(fr_get3(m->point, v[2]), a)));
}

// a_i = omega_i sqrt(integral of (n . w)^2/A), by the middles of triangles
static void measure(Maker *m) {
    FrBankEntry *e = m->to;
    for (int32_t t = 0; t < m->fine.tri_count; t++) {
        const int32_t *v = m->fine.tri[t];
        FrVec3 n = area_vector(m, t);
        double area = fr_length(n);
        e->area += area;
        for (int32_t i = 0; i < e->mode_count; i++) {
            FrVec3 w = fr_add(move(m, i, v[0]), fr_add(move(m, i, v[1]), move(m, i, v[2])));
            double across = fr_dot(w, n) / (3.0 * area);
            e->mode[i].coupling += area * across * across;
        }
    }
    for (int32_t i = 0; i < e->mode_count; i++)
        e->mode[i].coupling = sqrt(e->mode[i].lambda * e->mode[i].coupling / e->area);
}

static FrResult keep_shapes(Maker *m) {
    FrBankEntry *e = m->to;
    int32_t points = m->coarse.octant_count;
    double *w = FR_NEW(m->ctx, double, 3 * e->mode_count);
    bool good = w;
    for (int32_t i = 0; i < e->mode_count && good; i++) {
        e->mode[i].shape = FR_NEW(m->ctx, float, 3 * points);
        good = e->mode[i].shape;
    }
    FrResult result = good ? FR_OK : fr_no_memory(m->ctx, "shapes");
    for (int32_t k = 0; k < points && result == FR_OK; k++) {
        result = fr_ellipsoid_shapes(m->ctx, &m->modes, m->coarse.point[m->coarse.octant[k]], w);
        for (int32_t i = 0; i < e->mode_count && result == FR_OK; i++)
            for (int d = 0; d < 3; d++) e->mode[i].shape[3 * k + d] = (float)w[3 * i + d];
    }
    fr_free(m->ctx, w);
    return result;
}

// what the mirror planes leave of the multipoles
static FrResult keep_multipoles(Maker *m, const FrRadiation *radiation, int32_t i) {
    FrBankMode *to = &m->to->mode[i];
    float all[2 * FR_SPHERICAL_COUNT], *c;
    to->order = fr_radiation_mode(radiation, i).order;
    fr_radiation_coefficients(radiation, i, all);
    to->c = c = FR_NEW(m->ctx, float, 2 * fr_bank_multipoles(to->parity, to->order) + 1);
    if (!c) return fr_no_memory(m->ctx, "multipoles");
    for (int32_t n = 0; n <= to->order; n++)
        for (int32_t l = n * n; l < (n + 1) * (n + 1); l++)
            if (fr_bank_has(to->parity, n, l)) *c++ = all[2 * l], *c++ = all[2 * l + 1];
    return FR_OK;
}

static FrResult radiate(Maker *m) {
    FrBankEntry *e = m->to;
    FrRadiation *radiation = NULL;
    double *omega = FR_NEW(m->ctx, double, e->mode_count);
    if (!omega) return fr_no_memory(m->ctx, "an ellipsoid");
    for (int32_t i = 0; i < e->mode_count; i++) omega[i] = sqrt(e->mode[i].lambda);
    FrRadiateDef def = {.surface = {m->fine.point_count, m->fine.tri_count, m->point,
                                    (const int32_t(*)[3])m->fine.tri},
                        .mode_count = e->mode_count,
                        .omega = omega,
                        .move = move,
                        .user = m,
                        .most_panels = m->plan->most_panels};
    FrResult result = fr_radiate(m->ctx, &def, &radiation, NULL);
    for (int32_t i = 0; i < e->mode_count && result == FR_OK; i++)
        result = keep_multipoles(m, radiation, i);
    fr_radiation_destroy(radiation);
    fr_free(m->ctx, omega);
    return result;
}

static FrResult find_modes(Maker *m) {
    const FrMaterial *of = &m->plan->material;
    FrBankEntry *e = m->to;
    double volume = 4.0 / 3.0 * FR_PI * e->half[0] * e->half[1] * e->half[2];
    double size = cbrt(m->plan->most_mass / (of->density * volume));
    FrEllipsoidDef def = {.half = {e->half[0], e->half[1], e->half[2]},
                          .young = young_of(of),
                          .poisson = 0.5 * of->lambda / (of->lambda + of->mu),
                          .density = of->density,
                          .highest = 2.0 * FR_PI * m->plan->max_hz * size,
                          .most = m->plan->most_modes};
    FR_TRY(fr_ellipsoid_modes(m->ctx, &def, &m->modes));
    e->mode = FR_NEW(m->ctx, FrBankMode, m->modes.mode_count);
    if (!e->mode) return fr_no_memory(m->ctx, "an ellipsoid");
    e->mode_count = m->modes.mode_count;
    for (int32_t i = 0; i < e->mode_count; i++) {
        e->mode[i].lambda = m->modes.mode[i].lambda;
        e->mode[i].parity = m->modes.mode[i].parity;
    }
    return FR_OK;
}

FrResult fr_bank_entry_make(FrContext *ctx, const FrBankPlan *plan, const FrBankShape *shape,
                            FrBankEntry *entry) {
    Maker m = {.ctx = ctx, .plan = plan, .to = entry};
    *entry = (FrBankEntry){0};
    memcpy(entry->half, shape->half, sizeof entry->half);
    FrResult result = find_modes(&m);
    if (result == FR_OK) result = fr_octa_sphere(ctx, FINE_LEVEL, &m.fine);
    if (result == FR_OK) result = fr_octa_sphere(ctx, plan->level, &m.coarse);
    if (result == FR_OK) result = sample(&m);
    if (result == FR_OK) measure(&m);
    if (result == FR_OK) result = keep_shapes(&m);
    if (result == FR_OK && entry->mode_count > 0) result = radiate(&m);
    fr_ellipsoid_free(ctx, &m.modes);
    fr_octa_sphere_free(ctx, &m.fine);
    fr_octa_sphere_free(ctx, &m.coarse);
    FR_FREE_ALL(ctx, m.point, m.move);
    if (result != FR_OK) fr_bank_entry_free(ctx, entry);
    return result;
}
