// listen_job.c: `fracas listen`: the material of a thing from a recording of one blow on it.

#include "base/file_names.h"
#include "base/words.h"
#include "base/json.h"
#include "export/report_text.h"
#include "fracas/studio.h"
#include "material/laws.h"
#include "math/vec.h"
#include "score/cook.h"
#include "score/modes_cache.h"
#include "score/modes_source.h"
#include "sound/match.h"
#include "sound/pulse.h"
#include "sound/wav.h"
#include <math.h>

/// The loudest tones; what is quieter is more often the room's.
#define MOST_PARTIALS 32
/// Of the shape, the lowest: a scale that puts a tone above them leaves it out.
#define MOST_MODES 160
/// E of the guess is right within the square of this.
#define MOST_FACTOR 4.0
/// Below e^3 = 20 times as likely as all others the next best answer is told.
#define SURE 3.0

typedef struct Job {
    FrContext *ctx;
    const FrListenDef *job;
    FrModesDef modes_job;
    FrModesSource source;
    FrModes modes;
    FrMaterial guess, fitted;
    double young, poisson; ///< of the guess
    double hz[MOST_MODES];
    FrPartial partial[MOST_PARTIALS];
    double free_hz[MOST_PARTIALS]; ///< of the tones, were they not damped
    int32_t count;
    FrMatch match;
} Job;

static FrResult open_shape(Job *j) {
    const FrRingDef *shape = &j->job->shape;
    if (!j->job->recording) return fr_fail(j->ctx, FR_BAD_USE, "which recording? give a .wav");
    if (!shape->file)
        return fr_fail(j->ctx, FR_BAD_USE, "what was struck? say --shape pot.obj (or .msh, .lua)");
    j->modes_job = fr_ring_modes_def(shape); // as strike has it: tets of 4 nodes lock
    j->modes_job.material = j->job->material;
    j->modes_job.made_of = j->job->made_of;
    FR_TRY(fr_modes_source_open(j->ctx, &j->modes_job, &j->source));
    j->guess = j->source.made_of;
    j->young = fr_young(j->guess.lambda, j->guess.mu);
    j->poisson = 0.5 * j->guess.lambda / (j->guess.lambda + j->guess.mu);
    if (*j->guess.name) return FR_OK;
    return fr_fail(j->ctx, FR_BAD_USE,
                   "about what is it made of? say --material NAME (`fracas materials` lists them): "
                   "a sound has stiffness over density, not both");
}

static FrResult hear_tones(Job *j) {
    FrWavSound wav;
    FR_TRY(fr_wav_read(j->ctx, j->job->recording, &wav));
    FrMono mono = {wav.sample, wav.frames, wav.rate};
    FrResult result = fr_partials_find(j->ctx, &mono, j->partial, MOST_PARTIALS, &j->count);
    fr_wav_sound_free(j->ctx, &wav);
    FR_TRY(result);
    if (j->count == 0)
        return fr_fail(j->ctx, FR_FAILED, "%s: no tone stands out of it", j->job->recording);
    for (int32_t i = 0; i < j->count; i++) {
        double falls = log(1000.0) / j->partial[i].t60 / (2.0 * FR_PI);
        j->free_hz[i] = hypot(j->partial[i].hz, falls);
    }
    return FR_OK;
}

static FrResult compute_modes(Job *j) {
    FR_TRY(fr_modes_source_build(j->ctx, &j->source));
    FrModalDef def = {.mesh = &j->source.mesh,
                      .material = j->source.material,
                      .material_count = j->source.material_count,
                      .held = j->source.held,
                      .max_hz = MOST_FACTOR * j->partial[j->count - 1].hz,
                      .count = MOST_MODES};
    FrModesReport report;
    char *folder = fr_modes_job_cache(j->ctx, &j->modes_job);
    FrResult result = fr_modes_cached(j->ctx, &def, folder, &j->modes, &report, NULL);
    fr_free(j->ctx, folder);
    FR_TRY(result);
    for (int32_t i = 0; i < j->modes.mode_count; i++)
        j->hz[i] = sqrt(j->modes.lambda[i]) / (2.0 * FR_PI);
    return FR_OK;
}

// the dampings that modes are known to have; without any, of all tones
static void fit_damping(Job *j) {
    double pair[MOST_PARTIALS][2];
    int32_t count = 0;
    for (int32_t i = 0; i < j->count; i++) {
        if (j->match.matched && j->match.mode[i] < 0) continue;
        pair[count][0] = j->partial[i].hz;
        pair[count++][1] = j->partial[i].t60;
    }
    FrMaterial *m = &j->fitted;
    fr_damping_fit((const double(*)[2])pair, count, &m->alpha1, &m->alpha2, &m->eta);
}

static FrResult fit(Job *j) {
    FrPartial of_free[MOST_PARTIALS];
    for (int32_t i = 0; i < j->count; i++) {
        of_free[i] = j->partial[i];
        of_free[i].hz = j->free_hz[i];
    }
    FrMatchDef def = {j->hz, j->modes.mode_count, of_free, j->count, MOST_FACTOR};
    FR_TRY(fr_match_tones(j->ctx, &def, &j->match));
    j->fitted = j->guess;
    fit_damping(j);
    if (j->match.matched == 0)
        return fr_fail(j->ctx, FR_FAILED,
                       "%s: none of its %d tones is a mode of %s; is it this shape, in metres "
                       "(--unit), and about of this material?",
                       j->job->recording, j->count, j->job->shape.file);
    if (j->match.confidence < SURE)
        fr_log(j->ctx, FR_LOG_WARNING,
               "not sure: E = %.3g Pa is nearly as likely; a recording with more tones tells them "
               "apart",
               j->young * j->match.other * j->match.other);
    return FR_OK;
}

// stiffness over what was guessed; of wood in every direction
static double factor_of(const Job *j) { return j->match.scale * j->match.scale; }

static void print_material(const Job *j, FrWriter *w) {
    const FrMaterial *m = &j->fitted;
    if (m->anisotropic) {
        fr_print(w, "\nall stiffnesses of %s times %.4g, alpha1 %.3g s, alpha2 %.3g /s, eta %.3g\n",
                 m->name, factor_of(j), m->alpha1, m->alpha2, m->eta);
        return;
    }
    fr_print(w,
             "\nE = %.4g Pa (%s: %.4g), density %.5g kg/m^3 as %s has it\nhear it:  fracas strike "
             "%s --material E=%.4g,nu=%.4g,rho=%.5g,alpha1=%.3g,alpha2=%.3g,eta=%.3g\n",
             j->young * factor_of(j), m->name, j->young, m->density, m->name, j->job->shape.file,
             j->young * factor_of(j), j->poisson, m->density, m->alpha1, m->alpha2, m->eta);
}

static double cents(const Job *j, int32_t i) {
    return 1200.0 * log2(j->free_hz[i] / (j->match.scale * j->hz[j->match.mode[i]]));
}

static void print_table(const Job *j, FrWriter *w) {
    fr_print(w, "%s: %d tones, %d of them modes of %s, off by %.2f %% in the mean\n\n",
             j->job->recording, j->count, j->match.matched, j->job->shape.file,
             100.0 * j->match.spread);
    fr_print(w, "        Hz    T60 s   level dB   mode   cents off   T60 s fitted\n");
    for (int32_t i = 0; i < j->count; i++) {
        const FrPartial *p = &j->partial[i];
        double omega = 2.0 * FR_PI * j->free_hz[i];
        double c = fr_mode_damping(&j->fitted, omega * omega, omega);
        fr_print(w, "%10.2f %8.3g %10.1f", p->hz, p->t60, p->level);
        if (j->match.mode[i] >= 0)
            fr_print(w, "   %4d   %9.1f   %12.3g\n", j->match.mode[i] + 1, cents(j, i),
                     2.0 * log(1000.0) / c);
        else
            fr_print(w, "      -           -              -\n");
    }
    print_material(j, w);
}

static void write_json(const Job *j, FrWriter *w) {
    FrJson json;
    fr_json_begin(&json, w, true);
    fr_json_object(&json, NULL);
    fr_json_text(&json, "recording", j->job->recording);
    fr_json_text(&json, "shape", j->job->shape.file);
    fr_json_text(&json, "guess", j->guess.name);
    fr_json_number(&json, "stiffness_factor", factor_of(j));
    fr_json_number(&json, "young", j->young * factor_of(j));
    fr_json_number(&json, "poisson", j->poisson);
    fr_json_number(&json, "density", j->fitted.density);
    fr_json_number(&json, "alpha1", j->fitted.alpha1);
    fr_json_number(&json, "alpha2", j->fitted.alpha2);
    fr_json_number(&json, "eta", j->fitted.eta);
    fr_json_number(&json, "confidence", j->match.confidence);
    fr_json_number(&json, "other_young", j->young * j->match.other * j->match.other);
    fr_json_array(&json, "tones");
    for (int32_t i = 0; i < j->count; i++) {
        fr_json_object(&json, NULL);
        fr_json_number(&json, "hz", j->partial[i].hz);
        fr_json_number(&json, "t60", j->partial[i].t60);
        fr_json_number(&json, "level_db", j->partial[i].level);
        if (j->match.mode[i] >= 0) {
            fr_json_int(&json, "mode", j->match.mode[i] + 1);
            fr_json_number(&json, "cents_off", cents(j, i));
        }
        fr_json_end(&json);
    }
    fr_json_end(&json);
    fr_json_end(&json);
}

static FrResult go(Job *j) {
    FR_TRY(open_shape(j));
    FR_TRY(hear_tones(j));
    FR_TRY(compute_modes(j));
    return fit(j);
}

FrResult fr_job_listen(FrContext *ctx, const FrListenDef *job, bool json, FrText *report) {
    FR_NEED_ALL(ctx, ctx && job && report);
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_listen_def_default()");
    FR_NEED_WORDS(ctx, job->shape.set, job->shape.set_count);
    *report = (FrText){NULL, 0};
    Job *j = FR_NEW(ctx, Job, 1);
    if (!j) return fr_no_memory(ctx, "a recording");
    j->ctx = ctx;
    j->job = job;
    FrWriter w;
    fr_writer_init(&w, ctx);
    FrResult result = go(j);
    if (result == FR_OK && json) write_json(j, &w);
    if (result == FR_OK && !json) print_table(j, &w);
    fr_match_free(ctx, &j->match);
    fr_modes_free(ctx, &j->modes);
    fr_modes_source_free(ctx, &j->source);
    fr_free(ctx, j);
    if (result == FR_OK) return fr_text_take(&w, report);
    fr_writer_free(&w);
    return result;
}
