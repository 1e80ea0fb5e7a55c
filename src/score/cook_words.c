// cook_words.c: what command lines say about sound: places, gains, materials, changes.

#include "math/vec.h"
#include "score/cook.h"
#include "score/modes_material.h"
#include "sound/pulse.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Tones whose T60 can be given.
#define MOST_PAIRS 16
/// Constants nearer than this are the same, relative.
#define SAME 1e-9
/// Tones that end lower than this share of where they did, and below so many Hz, are missed.
#define LOWER 0.7
#define HIGH 12000.0

FrResult fr_gain_of(FrContext *ctx, double decibels, double *gain) {
    *gain = pow(10.0, decibels / 20.0);
    return fabs(decibels) <= 200.0
               ? FR_OK
               : fr_fail(ctx, FR_BAD_USE, "the gain is %g; it takes decibels from -200 to 200",
                         decibels);
}

FrResult fr_cook_material(FrContext *ctx, const FrScene *scene, const char *text, size_t length,
                          FrMaterial *material) {
    char name[sizeof material->name] = "";
    if (memchr(text, '=', length)) return fr_material_parse(ctx, text, material);
    if (length >= sizeof name)
        return fr_fail(ctx, FR_BAD_INPUT, "there is no material '%.*s'", (int)length, text);
    memcpy(name, text, length);
    if (scene) return fr_build_material(ctx, scene, name, material);
    return fr_material_parse(ctx, name, material);
}

static bool near(double a, double b) { return fabs(a - b) <= SAME * fr_max(fabs(a), fabs(b)); }

// Hz of the highest tone
static double highest_tone(const FrAsset *asset) {
    double highest = 0.0;
    for (int32_t i = 0; i < asset->info.mode_count; i++) {
        double hz, t60;
        fr_asset_mode(asset, i, &hz, &t60);
        highest = fr_max(highest, hz);
    }
    return highest;
}

// what the modes at hand do not know of another material; `before`: their highest tone, Hz
static void warn_other(FrContext *ctx, const FrMaterial *m, const FrAssetInfo *was, double poisson,
                       double before, double after) {
    static const char anew[] = "the mesh itself, struck, baked or run in it, has the right ones";
    FrMaterial old;
    bool grained = fr_material_find(was->name, &old) && old.anisotropic;
    if (m->anisotropic != grained)
        fr_log(ctx, FR_LOG_WARNING,
               "%s has a grain, which the modes %s: tones can be tens of percent off; %s",
               grained ? was->name : m->name, grained ? "follow still" : "do not follow", anew);
    else if (fabs(poisson - was->poisson) > 0.02)
        fr_log(ctx, FR_LOG_WARNING,
               "%s has Poisson's ratio %.2f, the modes were made with %.2f: pitches are a few "
               "percent off; %s",
               m->name, poisson, was->poisson, anew);
    if (after < LOWER * before && after < HIGH)
        fr_log(ctx, FR_LOG_WARNING,
               "in %s the tones at hand end at %.0f Hz, in %s they did at %.0f Hz; %s", m->name,
               after, was->name, before, anew);
}

// its Poisson's ratio and its grain would need new modes
FrResult fr_cook_remake(FrContext *ctx, FrAsset *asset, const FrMaterial *m) {
    double young = m->mu * (3.0 * m->lambda + 2.0 * m->mu) / (m->lambda + m->mu);
    double poisson = 0.5 * m->lambda / (m->lambda + m->mu), before = highest_tone(asset);
    FrAssetInfo was = asset->info;
    memcpy(asset->info.name, m->name, sizeof asset->info.name);
    if (near(young, was.young) && near(poisson, was.poisson) && near(m->density, was.density) &&
        near(m->alpha1, was.alpha1) && near(m->alpha2, was.alpha2) && near(m->eta, was.eta))
        return FR_OK;
    FR_TRY(fr_asset_rescale(asset, 1.0, young / was.young, m->density / was.density));
    fr_asset_set_damping(asset, m->alpha1, m->alpha2, m->eta);
    warn_other(ctx, m, &was, poisson, before, highest_tone(asset));
    return FR_OK;
}

// "440:2.5,2000:0.8": how long two or more tones last
static FrResult damp_by_t60(FrContext *ctx, FrAsset *asset, const char *text) {
    double pair[MOST_PAIRS][2], alpha1, alpha2, eta;
    int32_t count = 0;
    const char *at = text;
    for (bool more = true; more; count++) {
        char *end = NULL;
        bool good = count < MOST_PAIRS;
        if (good) pair[count][0] = strtod(at, &end);
        good = good && end != at && *end == ':';
        if (good) at = end + 1, pair[count][1] = strtod(at, &end);
        good = good && end != at && (*end == ',' || !*end) && pair[count][0] > 0.0 &&
               pair[count][1] > 0.0 && isfinite(pair[count][0]) && isfinite(pair[count][1]);
        if (!good)
            return fr_fail(ctx, FR_BAD_USE,
                           "t60 is '%s'; it takes 1 to %d pairs of Hz and s above 0, like "
                           "440:2.5,2000:0.8",
                           text, MOST_PAIRS);
        more = *end == ',';
        at = end + 1;
    }
    fr_damping_fit((const double(*)[2])pair, count, &alpha1, &alpha2, &eta);
    fr_asset_set_damping(asset, alpha1, alpha2, eta);
    return FR_OK;
}

FrResult fr_cook_change(FrContext *ctx, const FrScene *scene, FrAsset *asset, const char *key,
                        const char *value) {
    if (!strcmp(key, "material")) {
        FrMaterial m;
        FR_TRY(fr_cook_material(ctx, scene, value, strlen(value), &m));
        return fr_cook_remake(ctx, asset, &m);
    }
    if (!strcmp(key, "t60")) return damp_by_t60(ctx, asset, value);
    char *end;
    double x = strtod(value, &end);
    const FrAssetInfo *info = &asset->info;
    if (end == value || *end || !(x > 0.0 && x <= 1e6))
        return fr_fail(ctx, FR_BAD_USE, "%s=%s: a factor above 0 and at most 1e6", key, value);
    if (!strcmp(key, "size")) return fr_asset_rescale(asset, x, 1.0, 1.0);
    if (!strcmp(key, "stiffness")) return fr_asset_rescale(asset, 1.0, x, 1.0);
    if (!strcmp(key, "density")) return fr_asset_rescale(asset, 1.0, 1.0, x);
    if (strcmp(key, "damping"))
        return fr_fail(
            ctx, FR_BAD_USE,
            "cannot set '%s'; material, t60, damping, density, stiffness and size can be set", key);
    fr_asset_set_damping(asset, x * info->alpha1, x * info->alpha2, x * info->eta);
    return FR_OK;
}
