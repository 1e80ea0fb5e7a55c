// radiate_job.c: `fracas radiate`: how the modes of a body go out into the air.

#include "air/air.h"
#include "base/words.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/file_names.h"
#include "base/json.h"
#include "export/report_text.h"
#include "job/radiate_picture.h"
#include "math/vec.h"
#include "score/cook.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Job {
    FrContext *ctx;
    const FrRadiateJobDef *job;
    FrCook cook;
    FrMaterial material;
    FrAsset *asset;
    FrModeAir *mode; ///< by rising frequency (count)
    int32_t count;
    double seconds;
} Job;

static FrResult cook(Job *j) {
    const FrRadiateJobDef *job = j->job;
    j->material = j->cook.material;
    if (job->made_of)
        j->material = *job->made_of;
    else if (job->material)
        FR_TRY(fr_material_named(j->ctx, j->cook.source.scene, job->material, &j->material));
    if (!*j->material.name)
        return fr_fail(j->ctx, FR_BAD_USE, "what is it made of? say --material NAME");
    FR_TRY(fr_material_check(j->ctx, &j->material));
    FrAssetOptions options = {.highest = job->max_hz, .most_modes = job->modes, .radiate = true};
    double start = fr_wall_seconds();
    FR_TRY(fr_cook_asset(&j->cook, &j->material, &options, &j->asset));
    j->seconds = fr_wall_seconds() - start;
    if (j->asset->info.mode_count == 0)
        return fr_fail(j->ctx, FR_BAD_INPUT, "%s: no tone of %s lies between 20 Hz and %g Hz",
                       job->input.file, j->material.name, job->max_hz);
    if (j->asset->radiation) return FR_OK;
    return fr_fail(j->ctx, FR_BAD_INPUT,
                   "%s: nothing is known of how it radiates: bake it of this material, with --air "
                   "full, or give the shape that it is baked from",
                   job->input.file);
}

static int by_pitch(const void *a, const void *b) {
    const FrModeAir *x = a, *y = b;
    if (x->hz != y->hz) return x->hz < y->hz ? -1 : 1;
    return x->mode < y->mode ? -1 : x->mode > y->mode;
}

// pressure at 1 m over what the same power would give in all directions
static void find_loudest(Job *j, FrModeAir *mode, float *gain) {
    FrVec3 centre = fr_radiation_about(j->asset->radiation).x0;
    double most = 0.0, sum = 0.0, far = FR_RADIATE_FAR * mode->radius;
    int32_t ways = 0;
    for (int32_t k = 0; k < FR_RADIATE_WAYS; k++) {
        double z = (2.0 * k + 1.0) / FR_RADIATE_WAYS - 1.0, turn = k * FR_PI * (3.0 - sqrt(5.0));
        double flat = sqrt(1.0 - z * z);
        FrVec3 way = {flat * cos(turn), flat * sin(turn), z};
        fr_radiation_gains(j->asset->radiation, fr_axpy(far, way, centre), FR_RADIATION_FULL, gain);
        double p = (double)gain[mode->mode];
        sum += p * p;
        ways++;
        if (p <= most) continue;
        most = p;
        mode->loudest = way;
    }
    mode->directivity = sum > 0.0 ? 10.0 * log10(most * most * ways / sum) : 0.0;
}

static FrResult describe(Job *j) {
    const FrRadiation *r = j->asset->radiation;
    j->count = j->asset->info.mode_count;
    j->mode = FR_NEW(j->ctx, FrModeAir, j->count);
    float *gain = FR_NEW(j->ctx, float, j->count);
    for (int32_t i = 0; i < j->count && j->mode && gain; i++) {
        FrModeAir *m = &j->mode[i];
        FrMultipole pole = fr_radiation_mode(r, i);
        *m = (FrModeAir){.mode = i, .order = pole.order, .k = pole.k};
        m->radius = fr_radiation_about(r).radius;
        fr_asset_mode(j->asset, i, &m->hz, &m->t60);
        // all of the surface at its speed in phase: rho c a^2 S/2 per displacement squared
        double speed = j->asset->coupling[i];
        m->power = fr_radiation_power(r, i);
        m->efficiency = m->power / (0.5 * FR_AIR_DENSITY * FR_SOUND_SPEED * speed * speed *
                                    j->asset->info.area);
        // energy w^2/2 per displacement squared, lost at twice the rate of amplitudes
        m->t60_air = log(1e6) * 0.5 * j->asset->lambda[i] / m->power;
        find_loudest(j, m, gain);
    }
    bool good = j->mode && gain;
    if (good) qsort(j->mode, (size_t)j->count, sizeof *j->mode, by_pitch);
    fr_free(j->ctx, gain);
    return good ? FR_OK : fr_no_memory(j->ctx, "a radiation");
}

static void json_mode(const Job *j, const FrModeAir *m, float *c, FrJson *json) {
    fr_json_object(json, NULL);
    fr_json_number(json, "hz", m->hz);
    fr_json_number(json, "ka", m->k * m->radius);
    fr_json_number(json, "efficiency", m->efficiency);
    fr_json_number(json, "power", m->power);
    fr_json_number(json, "t60_air", m->t60_air);
    fr_json_number(json, "directivity_db", m->directivity);
    fr_json_vec3(json, "loudest", m->loudest);
    fr_json_int(json, "order", m->order);
    fr_radiation_coefficients(j->asset->radiation, m->mode, c);
    fr_json_array(json, "coefficients");
    for (int32_t l = 0; l < 2 * (m->order + 1) * (m->order + 1); l++)
        fr_json_number(json, NULL, (double)c[l]);
    fr_json_end(json);
    fr_json_end(json);
}

static FrResult json_all(const Job *j, FrWriter *w) {
    FrRadiationDef about = fr_radiation_about(j->asset->radiation);
    float *c = FR_NEW(j->ctx, float, 2 * FR_SPHERICAL_COUNT);
    FrJson json;
    if (!c) return fr_no_memory(j->ctx, "a radiation");
    fr_json_begin(&json, w, true);
    fr_json_object(&json, NULL);
    fr_json_text(&json, "input", j->job->input.file);
    fr_json_text(&json, "material", j->material.name);
    fr_json_vec3(&json, "about", about.x0);
    fr_json_number(&json, "radius", about.radius);
    fr_json_array(&json, "modes");
    for (int32_t i = 0; i < j->count; i++) json_mode(j, &j->mode[i], c, &json);
    fr_json_end(&json);
    fr_json_end(&json);
    fr_free(j->ctx, c);
    return FR_OK;
}

static void print_table(const Job *j, FrWriter *w) {
    fr_print(w, "%s of %s: %d modes, ball of %.3g m around it\n", j->job->input.file,
             j->material.name, j->count, j->mode[0].radius);
    fr_print(w,
             "      Hz     ka  efficiency   T60 by air, s   louder ahead, dB   loudest towards\n");
    for (int32_t i = 0; i < j->count; i++) {
        const FrModeAir *m = &j->mode[i];
        fr_print(w, "%8.1f %6.2f   %9.2e       %9.3g   %16.1f   %5.2f %5.2f %5.2f\n", m->hz,
                 m->k * m->radius, m->efficiency, m->t60_air, m->directivity, m->loudest.x,
                 m->loudest.y, m->loudest.z);
    }
}

static FrResult save_json(const Job *j, const char *path) {
    FrWriter w;
    fr_writer_init(&w, j->ctx);
    FrResult result = json_all(j, &w);
    if (result == FR_OK) result = fr_writer_result(&w);
    if (result == FR_OK) result = fr_file_save(j->ctx, path, w.data, w.size);
    fr_writer_free(&w);
    return result;
}

static FrResult save(const Job *j) {
    const char *out = j->job->output;
    if (!out) return FR_OK;
    if (fr_ends_with(out, ".json")) return save_json(j, out);
    FrDirectivity picture = {j->asset->radiation, j->mode, j->count};
    return fr_directivity_save(j->ctx, &picture, out);
}

static FrResult go(Job *j, bool json, FrWriter *w) {
    const FrRadiateJobDef *job = j->job;
    const char *out = job->output;
    if (out && !fr_ends_with(out, ".json") && !fr_ends_with(out, ".png"))
        return fr_fail(j->ctx, FR_BAD_USE, "%s: .json (multipoles) or .png (pictures)", out);
    if (job->modes < 1)
        return fr_fail(j->ctx, FR_BAD_USE, "%d modes; 1 or more are possible", job->modes);
    if (out) FR_TRY(fr_check_folder_of(j->ctx, out));
    FR_TRY(fr_cook_open(j->ctx, &job->input, &j->cook));
    FR_TRY(cook(j));
    FR_TRY(describe(j));
    FR_TRY(save(j));
    if (json) return json_all(j, w);
    print_table(j, w);
    return FR_OK;
}

FrResult fr_job_radiate(FrContext *ctx, const FrRadiateJobDef *job, bool json, FrText *report) {
    FR_NEED_ALL(ctx, ctx && job && report);
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_radiate_job_def_default()");
    FR_NEED(ctx, job->input.file, "name the body that rings: input.file");
    FR_NEED_WORDS(ctx, job->input.set, job->input.set_count);
    Job j = {.ctx = ctx, .job = job};
    FrWriter w;
    *report = (FrText){NULL, 0};
    fr_writer_init(&w, ctx);
    FrResult result = go(&j, json, &w);
    fr_free(ctx, j.mode);
    fr_asset_destroy(j.asset);
    fr_cook_close(&j.cook);
    if (result == FR_OK) return fr_text_take(&w, report);
    fr_writer_free(&w);
    return result;
}
