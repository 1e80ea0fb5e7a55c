// strike_job.c: `fracas strike`: hit a thing once, in one or several materials, and write what is
// heard.

#include "base/array.h"
#include "base/words.h"
#include "base/file.h"
#include "base/json.h"
#include "export/report_text.h"
#include "math/vec.h"
#include "output/spectrogram.h"
#include "output/spectrum_picture.h"
#include "score/cook.h"
#include "sound/spectrum.h"
#include "sound/strike.h"
#include "sound/wav.h"
#include <math.h>
#include <string.h>

#define MOST_MATERIALS 16
/// m/s; more is another unit.
#define FASTEST 1e4
/// Silence between two materials of the joined file, s.
#define PAUSE 0.25

typedef struct Sounding {
    FrMaterial material;
    FrStrikeSound sound;
    double lowest_hz, lowest_t60; ///< of the lowest mode, Hz and s; 0: none
    double centroid;              ///< brightness of the first 50 ms, Hz
    FrText path;
} Sounding;

typedef struct Job {
    FrContext *ctx;
    const FrStrikeDef *job;
    FrCook cook;
    FrStrike strike;
    Sounding sounding[MOST_MATERIALS];
    int32_t count;
    FrText joined; ///< path
} Job;

static FrResult check_strike(Job *j) {
    const FrStrikeDef *job = j->job;
    if (!(job->speed > 0.0 && job->speed <= FASTEST))
        return fr_fail(j->ctx, FR_BAD_USE, "the speed is %g m/s; it can be up to %g", job->speed,
                       FASTEST);
    if (!(job->distance > 0.0 && isfinite(job->distance)))
        return fr_fail(j->ctx, FR_BAD_USE, "the listener is %g m away; it takes a distance above 0",
                       job->distance);
    if (!fr_vec3_finite(job->point))
        return fr_fail(j->ctx, FR_BAD_USE, "the point to hit must be finite");
    j->strike = fr_strike_default();
    j->strike.speed = job->speed;
    j->strike.distance = job->distance;
    j->strike.mallet = job->mallet;
    j->strike.place = job->place;
    j->strike.point = job->point;
    j->strike.air = job->air;
    double gain;
    FR_TRY(fr_gain_of(j->ctx, job->gain, &gain));
    j->strike.gain *= gain;
    return FR_OK;
}

// as the job says, else as the scene or the asset has it
static FrResult choose_materials(Job *j) {
    const FrStrikeDef *job = j->job;
    const FrMaterial *own = job->made_of ? job->made_of : &j->cook.material;
    if (job->material_count > MOST_MATERIALS)
        return fr_fail(j->ctx, FR_BAD_USE, "at most %d materials at once", MOST_MATERIALS);
    if (job->made_of) FR_TRY(fr_material_check(j->ctx, job->made_of));
    for (; !job->made_of && j->count < job->material_count; j->count++)
        FR_TRY(fr_material_named(j->ctx, j->cook.source.scene, job->material[j->count],
                                 &j->sounding[j->count].material));
    if (j->count) return FR_OK;
    if (!*own->name) return fr_fail(j->ctx, FR_BAD_USE, "what is it made of? say --material NAME");
    j->sounding[j->count++].material = *own;
    return FR_OK;
}

static void find_lowest(const FrAsset *asset, Sounding *s) {
    for (int32_t i = 0; i < asset->info.mode_count; i++) {
        double hz, t60;
        fr_asset_mode(asset, i, &hz, &t60);
        if (s->lowest_hz > 0.0 && hz >= s->lowest_hz) continue;
        s->lowest_hz = hz;
        s->lowest_t60 = t60;
    }
}

// mean frequency of what is heard first
static FrResult find_brightness(Job *j, Sounding *s) {
    int64_t from = (int64_t)(0.01 * j->strike.rate), count = (int64_t)(0.05 * j->strike.rate);
    if (count > s->sound.frames - from) count = s->sound.frames - from;
    double *part = FR_NEW(j->ctx, double, count);
    if (!part) return fr_no_memory(j->ctx, "samples");
    for (int64_t n = 0; n < count; n++) part[n] = (double)s->sound.sample[from + n];
    FrResult result = fr_spectrum_centroid(j->ctx, part, count, j->strike.rate, &s->centroid);
    fr_free(j->ctx, part);
    return result;
}

static double size_of(const FrAsset *asset) { return fr_length(fr_box_size(asset->info.bounds)); }

// a place given as X,Y,Z is near the body
static FrResult check_place(const Job *j, const FrAsset *asset) {
    if (j->strike.place != FR_STRIKE_POINT) return FR_OK;
    double away = fr_asset_nearest(asset, j->strike.point).away;
    if (away <= FR_OFF_SURFACE * size_of(asset)) return FR_OK;
    FrVec3 middle = fr_box_center(asset->info.bounds), at = j->strike.point;
    return fr_fail(j->ctx, FR_BAD_USE,
                   "--at %g,%g,%g is %.3g m off the body, which is %.3g m across and has its "
                   "middle at %.3g,%.3g,%.3g",
                   at.x, at.y, at.z, away, size_of(asset), middle.x, middle.y, middle.z);
}

// every material is hit at the same place: the first one's
static FrResult sound_one(Job *j, int32_t k) {
    Sounding *s = &j->sounding[k];
    FrAsset *asset;
    FrAssetOptions options = {.radiate = j->strike.air == FR_AIR_FULL};
    FR_TRY(fr_cook_asset(&j->cook, &s->material, &options, &asset));
    FrResult result = check_place(j, asset);
    if (result == FR_OK && j->job->t60_count)
        result = fr_cook_tones(j->ctx, asset, j->job->t60, j->job->t60_count);
    find_lowest(asset, s);
    if (result == FR_OK) result = fr_strike(j->ctx, asset, &j->strike, &s->sound);
    if (result == FR_OK && s->sound.spot.away > 0.1 * size_of(asset))
        fr_log(j->ctx, FR_LOG_WARNING, "the place is %.3g m off the surface; hit at %.4g,%.4g,%.4g",
               s->sound.spot.away, s->sound.at.x, s->sound.at.y, s->sound.at.z);
    if (result == FR_OK && asset->info.mode_count == 0)
        fr_log(j->ctx, FR_LOG_WARNING,
               "no tone of %s lies between 20 Hz and 20 kHz: it only clicks", s->material.name);
    if (k == 0 && j->count > 1) {
        j->strike.place = FR_STRIKE_POINT;
        j->strike.point = s->sound.at;
    }
    fr_asset_destroy(asset);
    return result == FR_OK ? find_brightness(j, s) : result;
}

// "bowl" of "shapes/bowl.obj"
static void bare_name(const char *path, const char **name, int *length) {
    const char *slash = strrchr(path, '/'), *dot;
    *name = slash ? slash + 1 : path;
    dot = strrchr(*name, '.');
    *length = dot && dot > *name ? (int)(dot - *name) : (int)strlen(*name);
}

static FrResult name_files(Job *j) {
    const char *name, *out = j->job->output;
    int length;
    bare_name(j->job->input.file, &name, &length);
    if (out && j->count == 1) return fr_text_print(j->ctx, &j->sounding[0].path, "%s", out);
    int stem = out ? (int)strlen(out) - 4 : 0; // it ends in .wav
    for (int32_t k = 0; k < j->count; k++) {
        const char *of = j->sounding[k].material.name;
        FR_TRY(out ? fr_text_print(j->ctx, &j->sounding[k].path, "%.*s-%s.wav", stem, out, of)
                   : fr_text_print(j->ctx, &j->sounding[k].path, "%.*s-%s.wav", length, name, of));
    }
    if (j->count == 1) return FR_OK;
    return out ? fr_text_print(j->ctx, &j->joined, "%s", out)
               : fr_text_print(j->ctx, &j->joined, "%.*s.wav", length, name);
}

static FrResult join(Job *j, float **all, int64_t *frames) {
    int64_t pause = (int64_t)(PAUSE * j->strike.rate), at = 0;
    *frames = 0;
    for (int32_t k = 0; k < j->count; k++) *frames += j->sounding[k].sound.frames + pause;
    *frames -= pause;
    *all = FR_NEW(j->ctx, float, *frames);
    if (!*all) return fr_no_memory(j->ctx, "samples");
    for (int32_t k = 0; k < j->count; k++) {
        const FrStrikeSound *s = &j->sounding[k].sound;
        memcpy(*all + at, s->sample, (size_t)s->frames * sizeof **all);
        at += s->frames + pause;
    }
    return FR_OK;
}

static FrResult save(Job *j) {
    int32_t rate = (int32_t)j->strike.rate;
    float *all;
    int64_t frames;
    FR_TRY(name_files(j));
    for (int32_t k = 0; k < j->count; k++) {
        const FrStrikeSound *s = &j->sounding[k].sound;
        FR_TRY(fr_wav_save(j->ctx, j->sounding[k].path.data, s->sample, s->frames, 1, rate));
    }
    FR_TRY(join(j, &all, &frames));
    FrResult result = FR_OK;
    if (j->count > 1) result = fr_wav_save(j->ctx, j->joined.data, all, frames, 1, rate);
    if (result == FR_OK && j->job->picture)
        result = fr_picture_sound(j->ctx, all, frames, 1, rate, j->job->picture);
    if (result == FR_OK && j->job->spectrum)
        result = fr_picture_spectrum(j->ctx, all, frames, 1, rate, j->job->spectrum);
    fr_free(j->ctx, all);
    return result;
}

static double decibels(double peak) { return peak > 0.0 ? 20.0 * log10(peak) : -300.0; }

static void print_report(const Job *j, FrWriter *w) {
    for (int32_t k = 0; k < j->count; k++) {
        const Sounding *s = &j->sounding[k];
        fr_print(w, "%s: %.2f s, peak %.1f dB of full scale, level %.1f dB, %d mode%s",
                 s->path.data, (double)s->sound.frames / j->strike.rate, decibels(s->sound.peak),
                 decibels(s->sound.level), s->sound.modes, fr_s(s->sound.modes));
        if (s->lowest_hz > 0.0)
            fr_print(w, " from %.1f Hz (T60 %.2f s)", s->lowest_hz, s->lowest_t60);
        fr_print(w, "; %s mallet, %.3g m/s, %.3g ms, at %.4g,%.4g,%.4g\n",
                 fr_mallet_info(j->strike.mallet)->name, j->strike.speed, 1e3 * s->sound.duration,
                 s->sound.at.x, s->sound.at.y, s->sound.at.z);
    }
    if (j->joined.data) fr_print(w, "%s: all of them, at one gain\n", j->joined.data);
}

static void json_one(const Job *j, const Sounding *s, FrJson *json) {
    fr_json_object(json, NULL);
    fr_json_text(json, "output", s->path.data);
    fr_json_text(json, "material", s->material.name);
    fr_json_number(json, "seconds", (double)s->sound.frames / j->strike.rate);
    fr_json_number(json, "peak_db", decibels(s->sound.peak));
    fr_json_number(json, "peak_pa", s->sound.peak / j->strike.gain);
    fr_json_number(json, "level_db", decibels(s->sound.level));
    fr_json_vec3(json, "at", s->sound.at);
    fr_json_text(json, "mallet", fr_mallet_info(j->strike.mallet)->name);
    fr_json_number(json, "impulse", s->sound.impulse);
    fr_json_number(json, "contact_seconds", s->sound.duration);
    fr_json_int(json, "modes", s->sound.modes);
    fr_json_number(json, "lowest_hz", s->lowest_hz);
    fr_json_number(json, "lowest_t60", s->lowest_t60);
    fr_json_number(json, "centroid_hz", s->centroid);
    fr_json_end(json);
}

static void json_report(const Job *j, FrWriter *w) {
    FrJson json;
    fr_json_begin(&json, w, true);
    fr_json_object(&json, NULL);
    fr_json_number(&json, "gain_db", decibels(j->strike.gain * FR_FULL_SCALE));
    fr_json_number(&json, "full_scale_pa", FR_FULL_SCALE);
    if (j->joined.data) fr_json_text(&json, "joined", j->joined.data);
    fr_json_array(&json, "strikes");
    for (int32_t k = 0; k < j->count; k++) json_one(j, &j->sounding[k], &json);
    fr_json_end(&json);
    fr_json_end(&json);
}

static void advise(const Job *j) {
    double peak = 0.0;
    for (int32_t k = 0; k < j->count; k++) peak = fr_max(peak, j->sounding[k].sound.peak);
    if (peak > 1.0 || peak < 0.1)
        fr_log(j->ctx, peak > 1.0 ? FR_LOG_WARNING : FR_LOG_INFO,
               "the peak is %.0f dB of full scale; --gain %.0f brings it to -3 dB", decibels(peak),
               decibels(j->strike.gain * FR_FULL_SCALE) - 3.0 - decibels(peak));
}

static FrResult go(Job *j, bool json, FrWriter *w) {
    const char *out = j->job->output;
    size_t length = out ? strlen(out) : 0;
    if (out && (length < 5 || strcmp(out + length - 4, ".wav")))
        return fr_fail(j->ctx, FR_BAD_USE, "%s: sounds are .wav", out);
    FR_TRY(check_strike(j));
    if (out) FR_TRY(fr_check_folder_of(j->ctx, out));
    if (j->job->picture) FR_TRY(fr_check_folder_of(j->ctx, j->job->picture));
    if (j->job->spectrum) FR_TRY(fr_check_folder_of(j->ctx, j->job->spectrum));
    FR_TRY(fr_cook_open(j->ctx, &j->job->input, &j->cook));
    FR_TRY(choose_materials(j));
    for (int32_t k = 0; k < j->count; k++) FR_TRY(sound_one(j, k));
    FR_TRY(save(j));
    advise(j);
    if (json)
        json_report(j, w);
    else
        print_report(j, w);
    return FR_OK;
}

FrResult fr_job_strike(FrContext *ctx, const FrStrikeDef *job, bool json, FrText *report) {
    FR_NEED_ALL(ctx, ctx && job && report);
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_strike_def_default()");
    FR_NEED(ctx, job->input.file, "name the body that rings: input.file");
    FR_NEED_WORDS(ctx, job->input.set, job->input.set_count);
    FR_NEED_WORDS(ctx, job->material, job->material_count);
    FR_NEED(ctx, job->t60 || job->t60_count <= 0, "give as many tones as are said");
    Job *j = FR_NEW(ctx, Job, 1);
    *report = (FrText){NULL, 0};
    if (!j) return fr_no_memory(ctx, "a strike");
    j->ctx = ctx;
    j->job = job;
    FrWriter w;
    fr_writer_init(&w, ctx);
    FrResult result = go(j, json, &w);
    for (int32_t k = 0; k < MOST_MATERIALS; k++) {
        fr_free(ctx, j->sounding[k].sound.sample);
        fr_text_free(ctx, &j->sounding[k].path);
    }
    fr_text_free(ctx, &j->joined);
    fr_cook_close(&j->cook);
    fr_free(ctx, j);
    if (result == FR_OK) return fr_text_take(&w, report);
    fr_writer_free(&w);
    return result;
}
