// cook_words.c: what command lines say about sound: places, gains, materials, changes.

#include "job/cook.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

FrResult fr_parse_place(FrContext *ctx, const char *what, const char *text, FrVec3 *place) {
    double *to[3] = {&place->x, &place->y, &place->z};
    const char *at = text;
    for (int k = 0; k < 3; k++) {
        char *end;
        *to[k] = strtod(at, &end);
        bool good = end != at && isfinite(*to[k]) && *end == (k < 2 ? ',' : 0);
        if (!good)
            return fr_fail(ctx, FR_BAD_USE, "%s is '%s'; it takes X,Y,Z in m, like 0.1,0,0.25",
                           what, text);
        at = end + 1;
    }
    return FR_OK;
}

FrResult fr_parse_gain(FrContext *ctx, const char *text, double *gain) {
    *gain = 1.0;
    if (!text) return FR_OK;
    char *end;
    double db = strtod(text, &end);
    if (end == text || (*end && strcmp(end, "dB")) || !(fabs(db) <= 200.0))
        return fr_fail(ctx, FR_BAD_USE, "the gain is '%s'; it takes decibels from -200 to 200",
                       text);
    *gain = pow(10.0, db / 20.0);
    return FR_OK;
}

static bool word_is(const char *word, const char *text, size_t length) {
    return strlen(word) == length && !memcmp(word, text, length);
}

// E=..,nu=..,rho=.. with alpha1, alpha2, eta if wanted
static FrResult own_material(FrContext *ctx, const char *text, size_t length, FrMaterial *m) {
    double young = (double)NAN, poisson = (double)NAN, *to;
    *m = (FrMaterial){.name = "custom",
                      .density = (double)NAN,
                      .friction_static = 0.4,
                      .friction_dynamic = 0.3,
                      .restitution = 0.5,
                      .crack_alpha = 0.0,
                      .opacity = 1.0f};
    for (const char *at = text, *end = text + length; at < end;) {
        const char *equals = memchr(at, '=', (size_t)(end - at));
        size_t name = equals ? (size_t)(equals - at) : 0;
        to = word_is("E", at, name)        ? &young
             : word_is("nu", at, name)     ? &poisson
             : word_is("rho", at, name)    ? &m->density
             : word_is("alpha1", at, name) ? &m->alpha1
             : word_is("alpha2", at, name) ? &m->alpha2
             : word_is("eta", at, name)    ? &m->eta
                                           : NULL;
        char *after = NULL;
        if (to) *to = strtod(equals + 1, &after);
        if (!to || after == equals + 1 || (*after && *after != ','))
            return fr_fail(
                ctx, FR_BAD_USE,
                "material '%.*s': E (Pa), nu and rho (kg/m^3) are needed, alpha1, alpha2 "
                "and eta allowed, as in E=70e9,nu=0.3,rho=2700",
                (int)length, text);
        at = *after ? after + 1 : end;
    }
    if (!(young > 0.0) || !(m->density > 0.0) || !(poisson > -1.0 && poisson < 0.5))
        return fr_fail(ctx, FR_BAD_USE,
                       "material '%.*s': E and rho are above 0, nu is between -1 and 0.5",
                       (int)length, text);
    fr_material_set_young(m, young, poisson);
    return fr_material_check(ctx, m);
}

FrResult fr_cook_material(FrContext *ctx, const FrScene *scene, const char *text, size_t length,
                          FrMaterial *material) {
    char name[sizeof material->name] = "";
    if (memchr(text, '=', length)) return own_material(ctx, text, length, material);
    if (length < sizeof name) memcpy(name, text, length);
    if (scene) return fr_build_material(ctx, scene, name, material);
    if (fr_material_find(name, material)) return FR_OK;
    return fr_fail(ctx, FR_BAD_INPUT, "there is no material '%.*s'; `fracas materials` lists them",
                   (int)length, text);
}

// damping, density and stiffness of another material; its Poisson's ratio would need new modes
static FrResult other_material(FrContext *ctx, FrAsset *asset, const char *name) {
    FrMaterial m;
    FR_TRY(fr_cook_material(ctx, NULL, name, strlen(name), &m));
    double young = m.mu * (3.0 * m.lambda + 2.0 * m.mu) / (m.lambda + m.mu);
    double poisson = 0.5 * m.lambda / (m.lambda + m.mu);
    if (fabs(poisson - asset->info.poisson) > 0.02)
        fr_log(ctx, FR_LOG_WARNING,
               "%s has Poisson's ratio %.2f, the modes were made with %.2f: pitches are a few "
               "percent off",
               name, poisson, asset->info.poisson);
    FR_TRY(
        fr_asset_rescale(asset, 1.0, young / asset->info.young, m.density / asset->info.density));
    fr_asset_set_damping(asset, m.alpha1, m.alpha2, m.eta);
    memcpy(asset->info.name, m.name, sizeof asset->info.name);
    return FR_OK;
}

FrResult fr_cook_change(FrContext *ctx, FrAsset *asset, const char *key, const char *value) {
    if (!strcmp(key, "material")) return other_material(ctx, asset, value);
    char *end;
    double x = strtod(value, &end);
    const FrAssetInfo *info = &asset->info;
    if (end == value || *end || !(x > 0.0 && x <= 1e6))
        return fr_fail(ctx, FR_BAD_USE, "%s=%s: a factor above 0 and at most 1e6", key, value);
    if (!strcmp(key, "size")) return fr_asset_rescale(asset, x, 1.0, 1.0);
    if (!strcmp(key, "stiffness")) return fr_asset_rescale(asset, 1.0, x, 1.0);
    if (!strcmp(key, "density")) return fr_asset_rescale(asset, 1.0, 1.0, x);
    if (strcmp(key, "damping"))
        return fr_fail(ctx, FR_BAD_USE,
                       "cannot set '%s'; material, damping, density, stiffness and size can be set",
                       key);
    fr_asset_set_damping(asset, x * info->alpha1, x * info->alpha2, x * info->eta);
    return FR_OK;
}
