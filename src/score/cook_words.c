// cook_words.c: what is asked of sound: gains, other materials, changes.

#include "math/vec.h"
#include "score/cook.h"
#include "score/modes_material.h"
#include "sound/pulse.h"
#include <math.h>
#include <string.h>

/// Tones whose T60 can be given.
#define MOST_TONES 16
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

FrResult fr_material_parse(FrContext *ctx, const char *text, FrMaterial *material) {
    FR_NEED_ALL(ctx, ctx && text && material);
    return fr_material_from_text(ctx, text, material);
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

FrResult fr_cook_tones(FrContext *ctx, FrAsset *asset, const FrTone *tone, int32_t count) {
    double pair[MOST_TONES][2], alpha1, alpha2, eta;
    if (count < 1 || count > MOST_TONES)
        return fr_fail(ctx, FR_BAD_USE, "t60 of %d tones; 1 to %d are possible", count, MOST_TONES);
    for (int32_t k = 0; k < count; k++) {
        pair[k][0] = tone[k].hz;
        pair[k][1] = tone[k].t60;
        if (!(tone[k].hz > 0.0 && tone[k].t60 > 0.0 && isfinite(tone[k].hz + tone[k].t60)))
            return fr_fail(ctx, FR_BAD_USE, "t60 of %g s at %g Hz; both are above 0", tone[k].t60,
                           tone[k].hz);
    }
    fr_damping_fit((const double(*)[2])pair, count, &alpha1, &alpha2, &eta);
    fr_asset_set_damping(asset, alpha1, alpha2, eta);
    return FR_OK;
}

static FrResult change_material(FrContext *ctx, const FrScene *scene, FrAsset *asset,
                                const FrSoundChangeDef *change) {
    FrMaterial named;
    const FrMaterial *to = change->made_of ? change->made_of : &named;
    if (!change->made_of && !change->material)
        return fr_fail(ctx, FR_BAD_USE, "another material: which? A name or constants");
    if (!change->made_of) FR_TRY(fr_material_named(ctx, scene, change->material, &named));
    FR_TRY(fr_material_check(ctx, to));
    return fr_cook_remake(ctx, asset, to);
}

FrResult fr_cook_change(FrContext *ctx, const FrScene *scene, FrAsset *asset,
                        const FrSoundChangeDef *change) {
    double x = change->factor;
    const FrAssetInfo *info = &asset->info;
    if (change->key == FR_SOUND_MATERIAL) return change_material(ctx, scene, asset, change);
    if (change->key == FR_SOUND_T60)
        return fr_cook_tones(ctx, asset, change->t60, change->t60_count);
    if (!(x > 0.0 && x <= 1e6))
        return fr_fail(ctx, FR_BAD_USE, "a change by %g: a factor above 0 and at most 1e6", x);
    switch (change->key) {
    case FR_SOUND_SIZE:
        return fr_asset_rescale(asset, x, 1.0, 1.0);
    case FR_SOUND_STIFFNESS:
        return fr_asset_rescale(asset, 1.0, x, 1.0);
    case FR_SOUND_DENSITY:
        return fr_asset_rescale(asset, 1.0, 1.0, x);
    default: // damping
        fr_asset_set_damping(asset, x * info->alpha1, x * info->alpha2, x * info->eta);
        return FR_OK;
    }
}
