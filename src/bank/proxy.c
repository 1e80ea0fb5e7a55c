// proxy.c: a body that borrows its sound: the nearest ellipsoid of a bank, in the body's size, axes
// and mass.

#include "air/air.h"
#include "air/radiation.h"
#include "bank/soundbank.h"
#include "math/decompose.h"
#include "modal/oscillator.h"
#include "sound/asset.h"
#include "sound/heard.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Tones above this are not heard, Hz.
#define HIGHEST_HZ 20000.0
#define LOWEST_HZ 20.0
/// Half axes are no shorter than this part of the longest (E54).
#define THINNEST 1e-3

/// A mode that is kept.
typedef struct Kept {
    int32_t mode;
    double share; ///< fr_heard_shares
} Kept;

typedef struct Maker {
    FrContext *ctx;
    const FrProxyDef *def;
    const FrSoundbank *bank;
    const FrBankEntry *entry;
    FrMaterial material;
    FrProxyInfo info;
    FrQuat turn;
    double waves; ///< size of what is heard, by its waves in the air
    double shape; ///< of the body over the entry's: sqrt of the masses
    Kept *kept;
    int32_t count;
    FrAsset *asset;
} Maker;

FrProxyDef fr_proxy_def_default(void) { return (FrProxyDef){.mass = 1.0, .cookie = FR_COOKIE}; }

// a^2 = 5/(2m) (-I1 + I2 + I3), and round: the ellipsoid with these moments. Of length 1 in
// [S7 eq. 12]; its axes turn to the body's as the eigenvectors do (E54)
static FrResult find_axes(Maker *m) {
    const FrProxyDef *d = m->def;
    FrEigen3 e = fr_sym3_eigen(d->inertia);
    double *half = m->info.half, all = e.value[0] + e.value[1] + e.value[2];
    if (!(d->mass > 0.0) || !isfinite(d->mass) || !(e.value[2] > 0.0) || !isfinite(all) ||
        !fr_vec3_finite(d->centre))
        return fr_fail(m->ctx, FR_BAD_INPUT,
                       "a mass of %g kg with moments of inertia %g, %g, %g kg m^2 is no body",
                       d->mass, e.value[0], e.value[1], e.value[2]);
    for (int k = 0; k < 3; k++)
        half[k] = sqrt(fr_max(2.5 / d->mass * (all - 2.0 * e.value[k]), 0.0));
    for (int k = 0; k < 2; k++) half[k] = fr_max(half[k], THINNEST * half[2]);
    m->turn = fr_quat_from_mat3(fr_mat3(e.vector[0], e.vector[1], e.vector[2]));
    return FR_OK;
}

static FrMaterial material_of(const FrSoundbank *bank, const FrMaterial *given) {
    if (given->density > 0.0) return *given;
    FrMaterial m = {.density = bank->info.density,
                    .alpha1 = bank->alpha1,
                    .alpha2 = bank->alpha2,
                    .eta = bank->eta};
    memcpy(m.name, bank->info.material, sizeof m.name);
    fr_material_set_young(&m, bank->info.young, bank->info.poisson);
    return m;
}

static double young_of(const FrMaterial *m) {
    return m->mu * (3.0 * m->lambda + 2.0 * m->mu) / (m->lambda + m->mu);
}

// Its lowest tone sets the size g = w_p0/w_0 [S7 5.4]. Of another material it is larger by the
// ratio of the speeds of sound, but its waves in the air stay those of the size by frequency
// (methods M25).
static void find_size(Maker *m) {
    const FrSoundbankInfo *b = &m->bank->info;
    double faster = sqrt(young_of(&m->material) / m->material.density / (b->young / b->density));
    double own = fr_bank_mass(m->bank, m->entry) / b->density * m->material.density;
    double by_mass = cbrt(m->def->mass / own);
    double lowest = m->entry->mode_count ? sqrt(m->entry->mode[0].lambda) / (2.0 * FR_PI) : 0.0;
    m->waves =
        m->def->lowest_hz > 0.0 && lowest > 0.0 ? lowest / m->def->lowest_hz : by_mass / faster;
    m->info.size = m->waves * faster;
    m->info.waves = faster;
    // as loud as its mass, not as that of the ellipsoid (E64)
    m->shape = sqrt(fr_bank_mass(m->bank, m->entry) / m->def->mass);
    int32_t last = m->entry->mode_count - 1;
    m->info.covered = last < 0 ? 0.0 : sqrt(m->entry->mode[last].lambda) / (2.0 * FR_PI * m->waves);
}

static double lambda_of(const Maker *m, int32_t mode) {
    return m->entry->mode[mode].lambda / (m->waves * m->waves);
}

static double coupling_of(const Maker *m, int32_t mode) {
    return m->entry->mode[mode].coupling / m->waves * m->shape;
}

static int by_share(const void *a, const void *b) {
    const Kept *x = a, *y = b;
    if (x->share != y->share) return x->share > y->share ? -1 : 1;
    return x->mode < y->mode ? -1 : x->mode > y->mode;
}

static FrAssetInfo describe(const Maker *m) {
    const FrMaterial *of = &m->material;
    FrAssetInfo info = {.density = of->density,
                        .young = young_of(of),
                        .poisson = 0.5 * of->lambda / (of->lambda + of->mu),
                        .alpha1 = of->alpha1,
                        .alpha2 = of->alpha2,
                        .eta = of->eta,
                        .mass = m->def->mass,
                        .volume = m->def->mass / of->density,
                        .centre = m->def->centre,
                        .mode_count = m->count};
    memcpy(info.name, of->name, sizeof info.name);
    if (!m->entry) return info;
    info.area = m->entry->area * m->waves * m->waves;
    info.vertex_count = m->bank->sphere.point_count;
    info.tri_count = m->bank->sphere.tri_count;
    return info;
}

// tones that can be heard, those first of which most is [S7 5.1]
static FrResult choose(Maker *m) {
    int32_t all = m->entry ? m->entry->mode_count : 0;
    FrHeardMode *heard = FR_NEW(m->ctx, FrHeardMode, all);
    double *share = FR_NEW(m->ctx, double, all);
    m->kept = FR_NEW(m->ctx, Kept, all);
    bool good = heard && share && m->kept;
    for (int32_t i = 0; i < all && good; i++) {
        double lambda = lambda_of(m, i), c = fr_mode_damping(&m->material, lambda, sqrt(lambda));
        double hz = fr_mode_omega(lambda, c) / (2.0 * FR_PI);
        if (!(hz >= LOWEST_HZ && hz <= HIGHEST_HZ)) continue;
        heard[m->count] = (FrHeardMode){lambda, c, coupling_of(m, i)};
        m->kept[m->count++].mode = i;
    }
    if (good && m->count > 0) {
        FrAssetInfo info = describe(m);
        fr_heard_shares(&info, heard, m->count, share);
        for (int32_t k = 0; k < m->count; k++) m->kept[k].share = share[k];
        qsort(m->kept, (size_t)m->count, sizeof *m->kept, by_share);
    }
    FR_FREE_ALL(m->ctx, heard, share);
    return good ? FR_OK : fr_no_memory(m->ctx, "a proxy");
}

// displacement there, mirrored from the first octant
static FrVec3 shape_at(const Maker *m, const FrBankMode *mode, int32_t point) {
    const FrOctaSphere *s = &m->bank->sphere;
    const float *from = mode->shape + 3 * (size_t)s->home[point];
    double w[3];
    for (int d = 0; d < 3; d++) {
        int odd = __builtin_parity((unsigned)((mode->parity ^ 1 << d) & s->mirrored[point]));
        w[d] = odd ? -(double)from[d] : (double)from[d];
    }
    return fr_quat_rotate(m->turn, fr_scale(m->shape, fr_vec3(w[0], w[1], w[2])));
}

static void put(float *to, FrVec3 v) {
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static void fill_surface(Maker *m) {
    const FrOctaSphere *s = &m->bank->sphere;
    const double *half = m->entry->half;
    FrAsset *a = m->asset;
    a->info.bounds = fr_box_empty();
    for (int32_t v = 0; v < s->point_count; v++) {
        FrVec3 p = s->point[v];
        p = fr_scale(m->waves, fr_vec3(half[0] * p.x, half[1] * p.y, half[2] * p.z));
        p = fr_add(m->def->centre, fr_quat_rotate(m->turn, p));
        put(a->x + 3 * (size_t)v, p);
        a->info.bounds = fr_box_add(a->info.bounds, p);
        for (int32_t i = 0; i < m->count; i++)
            put(a->shape + 3 * ((size_t)v * (size_t)m->count + (size_t)i),
                shape_at(m, &m->entry->mode[m->kept[i].mode], v));
    }
    memcpy(a->tri, s->tri, (size_t)s->tri_count * sizeof *s->tri);
}

// all multipoles of a mode, those that its mirror planes forbid as zeros; M -> g^-5/2 M with the
// shapes' own factor g^-3/2 replaced (E51)                                          [S7 eq. 9]
static void expand(const Maker *m, const FrBankMode *mode, float *c) {
    const float *from = mode->c;
    double factor = m->shape / m->waves;
    for (int32_t n = 0; n <= mode->order; n++)
        for (int32_t l = n * n; l < (n + 1) * (n + 1); l++) {
            bool there = fr_bank_has(mode->parity, n, l);
            for (int k = 0; k < 2; k++)
                c[2 * l + k] = there ? (float)(factor * (double)*from++) : 0.0f;
        }
}

static FrResult fill_air(Maker *m) {
    size_t floats = 0;
    for (int32_t i = 0; i < m->count; i++) {
        size_t side = (size_t)m->entry->mode[m->kept[i].mode].order + 1;
        floats += 2 * side * side;
    }
    FrMultipole *mode = FR_NEW(m->ctx, FrMultipole, m->count);
    float *c = FR_NEW(m->ctx, float, floats), *next = c;
    FrResult result = mode && c ? FR_OK : fr_no_memory(m->ctx, "a proxy");
    for (int32_t i = 0; i < m->count && result == FR_OK; i++) {
        const FrBankMode *from = &m->entry->mode[m->kept[i].mode];
        size_t side = (size_t)from->order + 1;
        expand(m, from, next);
        mode[i] =
            (FrMultipole){sqrt(lambda_of(m, m->kept[i].mode)) / FR_SOUND_SPEED, from->order, next};
        next += 2 * side * side;
    }
    FrRadiationDef def = {.x0 = m->def->centre,
                          .radius = m->waves * m->entry->half[2],
                          .mode = mode,
                          .mode_count = m->count,
                          .turn = m->turn};
    if (result == FR_OK) result = fr_radiation_create(m->ctx, &def, &m->asset->radiation);
    FR_FREE_ALL(m->ctx, mode, c);
    return result;
}

static FrResult fill(Maker *m) {
    FrAsset *a = m->asset;
    for (int32_t i = 0; i < m->count; i++) {
        a->lambda[i] = lambda_of(m, m->kept[i].mode);
        a->coupling[i] = coupling_of(m, m->kept[i].mode);
    }
    a->proxy = (FrProxyAxes){.turn = m->turn};
    for (int k = 0; k < 3; k++) {
        a->proxy.half[k] = m->info.half[k];
        a->proxy.rings[k] = m->waves * m->entry->half[k];
    }
    fill_surface(m);
    fr_asset_balls(a);
    fr_asset_places(a);
    return m->count > 0 ? fill_air(m) : FR_OK;
}

static FrResult make(Maker *m) {
    FR_TRY(find_axes(m));
    m->info.entry = fr_bank_nearest(m->bank, m->info.half);
    if (m->info.entry < 0) return fr_fail(m->ctx, FR_BAD_USE, "the soundbank has no entries");
    m->entry = &m->bank->entry[m->info.entry];
    find_size(m);
    FR_TRY(choose(m));
    FrAssetInfo info = describe(m);
    FR_TRY(fr_asset_alloc(m->ctx, &info, &m->asset));
    return fill(m);
}

FrResult fr_proxy_create(FrContext *ctx, const FrProxyDef *def, FrAsset **asset,
                         FrProxyInfo *info) {
    FR_NEED_ALL(ctx, ctx && def && asset);

    FR_NEED(ctx, def->cookie == FR_COOKIE, "start from fr_proxy_def_default()");
    *asset = NULL;
    FR_NEED(ctx, def->bank, "a proxy needs a soundbank");
    if (!(def->lowest_hz >= 0.0) || !isfinite(def->lowest_hz))
        return fr_fail(ctx, FR_BAD_USE, "a lowest tone of %g Hz; 0 or above", def->lowest_hz);
    Maker m = {.ctx = ctx, .def = def, .bank = def->bank};
    m.material = material_of(def->bank, &def->material);
    FrResult result = fr_material_check(ctx, &m.material);
    if (result == FR_OK) result = make(&m);
    fr_free(ctx, m.kept);
    if (result != FR_OK) {
        fr_asset_destroy(m.asset);
        return result;
    }
    *asset = m.asset;
    if (info) *info = m.info;
    return FR_OK;
}
