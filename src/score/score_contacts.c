// score_contacts.c: contacts of another engine become blows and slidings.

#include "score/score_contacts.h"
#include "base/file.h"
#include "math/vec.h"
#include "sound/mallet.h"
#include <math.h>
#include <string.h>

/// Where nothing is given about a blow's duration, s.
#define USUAL_BLOW 2e-4
/// Latest contact, s: an hour.
#define LATEST 3600.0
/// Fastest mallet, m/s, and hardest blow, N s: more is another unit.
#define FASTEST 1e4
#define HARDEST 1e6
/// Hardest press on what slides, N.
#define MOST_FORCE 1e9

FrContactRow fr_contact_row(void) {
    FrVec3 none = {(double)NAN, (double)NAN, (double)NAN};
    return (FrContactRow){none.x, none, none, none.x, none.x, none.x, NULL};
}

FrResult fr_score_contact_body(FrScore *score, const char *beside, const char *name,
                               const char *file, const char *material, double unit) {
    FrContext *ctx = score->ctx;
    if (fr_score_find(score, name) >= 0)
        return fr_fail(ctx, FR_BAD_INPUT, "there are two bodies '%s'", name);
    char *folder = fr_path_folder(ctx, beside),
         *path = folder ? fr_path_join(ctx, folder, file) : NULL;
    FrScoreBody *body = path ? fr_score_add(score, name) : NULL;
    FrResult result = body ? FR_OK : fr_no_memory(ctx, "a body");
    FrCook cook = {0};
    FrRingDef input = fr_ring_def_default();
    input.file = path;
    if (unit > 0.0) input.unit = unit;
    if (result == FR_OK) result = fr_cook_open(ctx, &input, &cook);
    cook.source.unit_name = "a unit of the body in";
    FrMaterial made_of = cook.material;
    if (result == FR_OK && material && *material)
        result = strchr(material, '=')
                     ? fr_material_parse(ctx, material, &made_of)
                     : fr_material_named(ctx, cook.source.scene, material, &made_of);
    if (result == FR_OK && !*made_of.name)
        result =
            fr_fail(ctx, FR_BAD_INPUT, "what is '%s' made of? a surface has no material", name);
    if (result == FR_OK) result = fr_cook_asset(&cook, &made_of, NULL, &body->asset);
    fr_cook_close(&cook);
    fr_free(ctx, folder);
    fr_free(ctx, path);
    return result;
}

FrResult fr_score_contact_place(FrScore *score, int32_t body, double t, FrVec3 at) {
    FrScoreBody *b = &score->body.data[body];
    if (!fr_vec3_finite(at) || !(t >= 0.0))
        return fr_fail(score->ctx, FR_BAD_INPUT, "a place has a time from 0 s on and X, Y, Z");
    if (b->place.count == 1 && t > 0.0) b->place_hz = 1.0 / t;
    if (fabs(t * b->place_hz - b->place.count) > 0.01 && !(b->place.count == 0 && t == 0.0))
        return fr_fail(score->ctx, FR_BAD_INPUT,
                       "places of a body begin at 0 s and come at equal steps of time");
    if (!fr_array_push(score->ctx, &b->place, at)) return fr_no_memory(score->ctx, "places");
    return FR_OK;
}

static FrVec3 inward(const FrAsset *asset, const FrSpot *spot) {
    return fr_neg(fr_asset_normal(asset, spot->tri));
}

static FrResult hit_by_mallet(FrScore *score, int32_t body, const FrContactRow *row) {
    const FrAsset *asset = score->body.data[body].asset;
    FrMallet mallet = FR_MALLET_STEEL;
    if (row->mallet && *row->mallet && !fr_mallet_find(row->mallet, &mallet))
        return fr_fail(score->ctx, FR_BAD_INPUT,
                       "there is no mallet '%s'; take steel, wood, rubber or felt", row->mallet);
    if (!(row->speed > 0.0 && row->speed <= FASTEST))
        return fr_fail(score->ctx, FR_BAD_INPUT, "a speed of %g m/s; above 0, at most %g m/s",
                       row->speed, FASTEST);
    FrSpot spot = fr_asset_nearest(asset, row->at);
    FrPush push[2];
    int32_t count = fr_mallet_blow(fr_mallet_info(mallet), 0.0, row->speed, asset, &spot, push);
    for (int32_t k = 0; k < count; k++) {
        FrVec3 impulse = fr_scale(push[k].impulse, inward(asset, &spot));
        FrHit hit = {.t = row->t, .duration = push[k].duration, .push = impulse, .more = k > 0};
        FR_TRY(fr_score_hit(score, body, hit, row->at));
    }
    score->duration = fr_max(score->duration, row->t);
    return FR_OK;
}

static FrResult slide(FrScore *score, const FrAsset *asset, const FrContactRow *row, FrHit *hit) {
    if (!(row->force > 0.0 && row->force <= MOST_FORCE))
        return fr_fail(score->ctx, FR_BAD_INPUT, "a force of %g N; above 0, at most %g N",
                       row->force, MOST_FORCE);
    if (!(row->speed > 0.0 && row->speed <= FASTEST) || !(row->duration > 0.0))
        return fr_fail(score->ctx, FR_BAD_INPUT,
                       "sliding needs a force, a speed above 0 and up to %g m/s, and a duration "
                       "above 0",
                       FASTEST);
    hit->cutoff = row->speed / FR_SURFACE_GRAIN;
    hit->duration = row->duration;
    FrSpot spot = fr_asset_nearest(asset, row->at);
    hit->push = fr_scale(row->force, inward(asset, &spot));
    return FR_OK;
}

static FrResult push_with(FrScore *score, const FrContactRow *row, FrHit *hit) {
    double size = fr_length(row->impulse);
    if (!(size > 0.0 && size <= HARDEST))
        return fr_fail(score->ctx, FR_BAD_INPUT, "an impulse of %g N s; above 0, at most %g N s",
                       size, HARDEST);
    hit->push = row->impulse;
    if (!(hit->duration > 0.0)) hit->duration = USUAL_BLOW;
    return FR_OK;
}

FrResult fr_score_contact(FrScore *score, int32_t body, const FrContactRow *row) {
    const FrAsset *asset = score->body.data[body].asset;
    FrHit hit = {.t = row->t, .duration = row->duration};
    if (!(row->t >= 0.0 && row->t <= LATEST))
        return fr_fail(score->ctx, FR_BAD_INPUT, "a contact at %g s; times are 0 to %g s", row->t,
                       LATEST);
    if (!fr_vec3_finite(row->at))
        return fr_fail(score->ctx, FR_BAD_INPUT, "a contact without a point");
    if (isfinite(row->duration) && !(row->duration > 0.0 && row->duration <= 60.0))
        return fr_fail(score->ctx, FR_BAD_INPUT, "a duration of %g s; above 0, at most 60 s",
                       row->duration);
    bool impulse = fr_vec3_finite(row->impulse);
    if (impulse && !(isnan(row->speed) && isnan(row->force)))
        return fr_fail(
            score->ctx, FR_BAD_INPUT,
            "a contact with an impulse and a speed or a force: one of them says how hard "
            "it is");
    if (!isnan(row->force)) {
        FR_TRY(slide(score, asset, row, &hit));
    } else if (impulse) {
        FR_TRY(push_with(score, row, &hit));
    } else if (!isnan(row->speed)) {
        return hit_by_mallet(score, body, row);
    } else {
        return fr_fail(score->ctx, FR_BAD_INPUT, "a contact without impulse, speed or force");
    }
    score->duration = fr_max(score->duration, row->t + hit.duration);
    return fr_score_hit(score, body, hit, row->at);
}
