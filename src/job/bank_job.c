// bank_job.c: `fracas bank`: soundbanks built, merged, packed, told of.

#include "base/clock.h"
#include "base/words.h"
#include "base/file.h"
#include "base/file_names.h"
#include "base/json.h"
#include "export/report_text.h"
#include "job/bank_picture.h"
#include "score/bank_file.h"
#include "score/modes_material.h"
#include <string.h>

typedef struct Job {
    FrContext *ctx;
    const FrSoundbankDef *def;
    bool json;
    FrText *report;
} Job;

static FrResult check_frb(const Job *j, const char *path) {
    if (fr_ends_with(path, ".frb")) return FR_OK;
    return fr_fail(j->ctx, FR_BAD_USE, "%s: soundbanks are .frb", path);
}

static FrResult tell_built(Job *j, const char *path, const FrBankBuilt *built, double wall) {
    int32_t made = built->mine - built->found;
    if (!j->json)
        return fr_text_print(
            j->ctx, j->report, "%s: %d of %d ellipsoids, %d made now in %.0f s (%.1f s each)\n",
            path, built->mine, built->samples, made, wall, made ? built->seconds / made : 0.0);
    FrWriter w;
    FrJson out;
    fr_writer_init(&w, j->ctx);
    fr_json_begin(&out, &w, true);
    fr_json_object(&out, NULL);
    fr_json_text(&out, "output", path);
    fr_json_int(&out, "samples", built->samples);
    fr_json_int(&out, "entries", built->mine);
    fr_json_int(&out, "made", made);
    fr_json_number(&out, "seconds", wall);
    fr_json_end(&out);
    return fr_text_take(&w, j->report);
}

static FrResult build(Job *j) {
    const FrSoundbankDef *d = j->def;
    FrBankBuild def = {.part = d->part, .parts = d->parts, .restart = d->restart};
    FrBankBuilt built;
    FrText path = {NULL, 0};
    def.plan.most_mass = d->most_mass;
    def.plan.max_hz = d->max_hz;
    def.plan.most_samples = d->samples;
    if (d->made_of)
        def.plan.material = *d->made_of;
    else
        FR_TRY(fr_material_named(j->ctx, NULL, d->material, &def.plan.material));
    if (d->output)
        FR_TRY(fr_text_print(j->ctx, &path, "%s", d->output));
    else
        FR_TRY(fr_text_print(j->ctx, &path, "%s.frb", def.plan.material.name));
    def.path = path.data;
    double start = fr_wall_seconds();
    FrResult result = check_frb(j, def.path);
    if (result == FR_OK) result = fr_check_folder_of(j->ctx, def.path);
    if (result == FR_OK) result = fr_bank_build(j->ctx, &def, &built);
    if (result == FR_OK) result = tell_built(j, def.path, &built, fr_wall_seconds() - start);
    fr_text_free(j->ctx, &path);
    return result;
}

static FrResult merge(Job *j) {
    const FrSoundbankDef *d = j->def;
    FrSoundbank *bank;
    if (!d->output || d->file_count < 1)
        return fr_fail(j->ctx, FR_BAD_USE, "merge takes parts, and -o FILE.frb");
    FR_TRY(check_frb(j, d->output));
    FR_TRY(fr_bank_merge(j->ctx, d->file, d->file_count, d->output));
    FR_TRY(fr_bank_open(j->ctx, d->output, &bank));
    FrSoundbankInfo info = fr_soundbank_info(bank);
    fr_soundbank_destroy(bank);
    if (!j->json)
        return fr_text_print(j->ctx, j->report, "%s: %d of %d ellipsoids, %d modes\n", d->output,
                             info.entry_count, info.samples, info.mode_count);
    FrWriter w;
    FrJson out;
    fr_writer_init(&w, j->ctx);
    fr_json_begin(&out, &w, true);
    fr_json_object(&out, NULL);
    fr_json_text(&out, "output", d->output);
    fr_json_int(&out, "samples", info.samples);
    fr_json_int(&out, "entries", info.entry_count);
    fr_json_int(&out, "modes", info.mode_count);
    fr_json_end(&out);
    return fr_text_take(&w, j->report);
}

// one file, or the one that came with the program
static FrResult find_file(Job *j, char **path) {
    *path = j->def->file_count ? fr_strdup(j->ctx, j->def->file[0]) : fr_bank_shipped(j->ctx);
    if (j->def->file_count > 1) return fr_fail(j->ctx, FR_BAD_USE, "one soundbank at a time");
    if (*path) return FR_OK;
    return fr_fail(j->ctx, FR_BAD_INPUT,
                   "no soundbank came with the program; `fracas bank build glass` makes one");
}

static FrResult tell_packed(Job *j, size_t size) {
    if (!j->json) return fr_text_print(j->ctx, j->report, "%s: %zu bytes\n", j->def->output, size);
    FrWriter w;
    FrJson out;
    fr_writer_init(&w, j->ctx);
    fr_json_begin(&out, &w, true);
    fr_json_object(&out, NULL);
    fr_json_text(&out, "output", j->def->output);
    fr_json_int(&out, "bytes", (int64_t)size);
    fr_json_end(&out);
    return fr_text_take(&w, j->report);
}

static FrResult pack(Job *j, const char *path) {
    FrWriter w;
    FrSoundbank *bank = NULL;
    if (!j->def->output) return fr_fail(j->ctx, FR_BAD_USE, "pack takes -o FILE");
    fr_writer_init(&w, j->ctx);
    FrResult result = fr_bank_pack(j->ctx, path, &w);
    if (result == FR_OK) result = fr_soundbank_load(j->ctx, w.data, w.size, &bank);
    if (result == FR_OK) result = fr_file_save(j->ctx, j->def->output, w.data, w.size);
    if (result == FR_OK) result = tell_packed(j, w.size);
    fr_soundbank_destroy(bank);
    fr_writer_free(&w);
    return result;
}

static FrResult tell_json(Job *j, const char *path, const FrSoundbank *bank) {
    FrSoundbankInfo info = fr_soundbank_info(bank);
    FrWriter w;
    FrJson out;
    fr_writer_init(&w, j->ctx);
    fr_json_begin(&out, &w, true);
    fr_json_object(&out, NULL);
    fr_json_text(&out, "file", path);
    fr_json_text(&out, "material", info.material);
    fr_json_number(&out, "most_mass_kg", info.most_mass);
    fr_json_number(&out, "max_hz", info.max_hz);
    fr_json_int(&out, "samples", info.samples);
    fr_json_array(&out, "entries");
    for (int32_t k = 0; k < info.entry_count; k++) {
        FrSoundbankEntry e = fr_soundbank_entry(bank, k);
        fr_json_object(&out, NULL);
        fr_json_array(&out, "half_axes");
        for (int i = 0; i < 3; i++) fr_json_number(&out, NULL, e.half[i]);
        fr_json_end(&out);
        fr_json_number(&out, "lowest_hz", e.lowest);
        fr_json_int(&out, "modes", e.mode_count);
        fr_json_end(&out);
    }
    fr_json_end(&out);
    fr_json_end(&out);
    return fr_text_take(&w, j->report);
}

static FrResult tell_text(Job *j, const char *path, const FrSoundbank *bank) {
    FrSoundbankInfo info = fr_soundbank_info(bank);
    int32_t silent = 0, most = 0;
    for (int32_t k = 0; k < info.entry_count; k++) {
        FrSoundbankEntry e = fr_soundbank_entry(bank, k);
        silent += e.mode_count == 0;
        if (e.mode_count > most) most = e.mode_count;
    }
    return fr_text_print(j->ctx, j->report,
                         "%s: %s, %d of %d ellipsoids, %d modes (at most %d)\n"
                         "bodies up to %g kg are covered up to %g Hz; %d ellipsoids have no tone "
                         "below that and only "
                         "click\n",
                         path, info.material, info.entry_count, info.samples, info.mode_count, most,
                         info.most_mass, info.max_hz, silent);
}

static FrResult tell(Job *j, const char *path) {
    FrSoundbank *bank;
    FR_TRY(fr_bank_open(j->ctx, path, &bank));
    FrResult result = FR_OK;
    if (j->def->output && !fr_ends_with(j->def->output, ".png"))
        result = fr_fail(j->ctx, FR_BAD_USE, "%s: pictures are .png", j->def->output);
    if (result == FR_OK && j->def->output)
        result = fr_bank_picture_save(j->ctx, bank, j->def->output);
    if (result == FR_OK) result = j->json ? tell_json(j, path, bank) : tell_text(j, path, bank);
    fr_soundbank_destroy(bank);
    return result;
}

static FrResult with_file(Job *j) {
    char *path;
    FR_TRY(find_file(j, &path));
    FrResult result = j->def->act == FR_SOUNDBANK_PACK ? pack(j, path) : tell(j, path);
    fr_free(j->ctx, path);
    return result;
}

FrResult fr_job_soundbank(FrContext *ctx, const FrSoundbankDef *job, bool json, FrText *report) {
    FR_NEED_ALL(ctx, ctx && job && report);
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_soundbank_def_default()");
    FR_NEED_WORDS(ctx, job->file, job->file_count);
    Job j = {ctx, job, json, report};
    *report = (FrText){NULL, 0};
    if (job->act == FR_SOUNDBANK_BUILD) return build(&j);
    if (job->act == FR_SOUNDBANK_MERGE) return merge(&j);
    return with_file(&j);
}
