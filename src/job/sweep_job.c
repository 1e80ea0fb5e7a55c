// sweep_job.c: `fracas sweep`: a scene with all combinations of some params, one run each, then one
// table and one sheet.

#include "output/sweep_sheet.h"
#include "base/words.h"
#include "base/file.h"
#include "base/json.h"
#include "build/scene_load.h"
#include "export/report_text.h"
#include <stdio.h>
#include <string.h>

#define MOST_RUNS 1000

/// Columns of the table, as report.json names them.
static const char *const columns[] = {"pieces",   "cracks",   "tets_start",  "tets_end", "steps",
                                      "kinetic",  "elastic",  "plastic",     "damping",  "contact",
                                      "fracture", "external", "sim_seconds", "simulate"};
#define COLUMN_COUNT ((int32_t)(sizeof columns / sizeof columns[0]))

// --- what is asked for

static FrResult check_axis(FrSweep *s, const FrVaryDef *axis) {
    FR_NEED(s->ctx, axis->cookie == FR_COOKIE, "start from fr_vary_def_default()");
    bool good = axis->param && *axis->param && !strchr(axis->param, '=') && axis->value_count > 0 &&
                axis->value;
    for (int32_t k = 0; good && k < axis->value_count; k++)
        good = axis->value[k] && *axis->value[k];
    if (good) return FR_OK;
    return fr_fail(s->ctx, FR_BAD_USE, "what varies is a param and at least one value; found '%s'",
                   axis->param ? axis->param : "");
}

// is it this param that "name=value" sets?
static bool is_set(const char *param, const char *setting) {
    size_t length = strlen(param);
    return !strncmp(param, setting, length) && setting[length] == '=';
}

static FrResult check_axes(FrSweep *s) {
    const FrSweepDef *job = s->job;
    int64_t count = 1;
    if (job->vary_count < 1)
        return fr_fail(s->ctx, FR_BAD_USE, "--vary says what changes: --vary name=a:b:c");
    for (int32_t k = 0; k < job->vary_count; k++) {
        const FrVaryDef *axis = &job->vary[k];
        bool again = false;
        FR_TRY(check_axis(s, axis));
        for (int32_t j = 0; j < k; j++) again = again || !strcmp(axis->param, job->vary[j].param);
        for (int32_t j = 0; j < job->run.set_count; j++)
            again = again || is_set(axis->param, job->run.set[j]);
        if (again) return fr_fail(s->ctx, FR_BAD_USE, "%s is given twice", axis->param);
        count *= axis->value_count;
        if (count > MOST_RUNS)
            return fr_fail(s->ctx, FR_BAD_USE, "more than %d runs; fewer values are wanted",
                           MOST_RUNS);
    }
    s->run_count = (int32_t)count;
    return FR_OK;
}

// "name=value" with value number k; caller frees
static char *setting(FrContext *ctx, const FrVaryDef *axis, int32_t k) {
    FrText text;
    if (fr_text_print(ctx, &text, "%s=%s", axis->param, axis->value[k]) != FR_OK) return NULL;
    return text.data;
}

static FrResult name_run(FrSweep *s, int32_t k) {
    FrSweepRun *run = &s->run[k];
    const FrVaryDef *axis = s->job->vary;
    int32_t axes = s->job->vary_count;
    run->set = (char **)fr_alloc_zero(s->ctx, (size_t)axes, sizeof *run->set);
    if (!run->set) return fr_no_memory(s->ctx, "a sweep");
    for (int32_t a = axes - 1, rest = k; a >= 0; rest /= axis[a--].value_count) {
        run->set[a] = setting(s->ctx, &axis[a], rest % axis[a].value_count);
        if (!run->set[a]) return fr_no_memory(s->ctx, "a sweep");
    }
    FR_TRY(fr_settings_name(s->ctx, "", (const char *const *)run->set, axes, &run->name));
    char *folder = fr_path_join(s->ctx, s->outputs.folder, run->name.data);
    FrResult result =
        folder ? fr_outputs_init(&run->outputs, s->ctx, folder) : fr_no_memory(s->ctx, "a path");
    fr_free(s->ctx, folder);
    return result;
}

// out/bowl-sweep-strength
static FrResult open_folder(FrSweep *s) {
    const FrRunDef *run = &s->job->run;
    if (run->out) return fr_outputs_init(&s->outputs, s->ctx, run->out);
    FrText base;
    FrWriter w;
    FR_TRY(fr_default_folder(s->ctx, run->scene, run->set, run->set_count, &base));
    fr_writer_init(&w, s->ctx);
    fr_print(&w, "%s-sweep", base.data);
    for (int32_t k = 0; k < s->job->vary_count; k++) fr_print(&w, "-%s", s->job->vary[k].param);
    fr_text_free(s->ctx, &base);
    FR_TRY(fr_text_take(&w, &base));
    FrResult result = fr_outputs_init(&s->outputs, s->ctx, base.data);
    fr_text_free(s->ctx, &base);
    return result;
}

// --- doing it

/// Settings of one run: those of all, then its own.
typedef struct Settings {
    const char **set;
    FrRunDef options;
} Settings;

static FrResult settings_of(FrSweep *s, const FrSweepRun *run, Settings *settings) {
    const FrRunDef *all = &s->job->run;
    int32_t count = all->set_count + s->job->vary_count;
    settings->set = (const char **)fr_alloc_zero(s->ctx, (size_t)count, sizeof *settings->set);
    if (!settings->set) return fr_no_memory(s->ctx, "a sweep");
    for (int32_t k = 0; k < count; k++)
        settings->set[k] = k < all->set_count ? all->set[k] : run->set[k - all->set_count];
    settings->options = *all;
    settings->options.set = settings->set;
    settings->options.set_count = count;
    settings->options.out = run->outputs.folder;
    settings->options.no_film = true;
    settings->options.no_sound = true;
    return FR_OK;
}

// all mistakes of names and values are found before the first run begins
static FrResult check_run(FrSweep *s, const FrSweepRun *run) {
    Settings settings;
    FrScene *scene = NULL;
    FR_TRY(settings_of(s, run, &settings));
    FrSceneOptions options = fr_scene_options(&settings.options);
    options.vary_count = s->job->vary_count;
    FrResult result = fr_scene_load(s->ctx, settings.options.scene, &options, &scene);
    fr_scene_free(scene);
    fr_free(s->ctx, settings.set);
    return result;
}

static FrResult do_run(FrSweep *s, int32_t k) {
    FrSweepRun *run = &s->run[k];
    Settings settings;
    if (fr_context_cancelled(s->ctx))
        return fr_fail(s->ctx, FR_INTERRUPTED, "stopped before run %d of %d", k + 1, s->run_count);
    FR_TRY(settings_of(s, run, &settings));
    fr_log(s->ctx, FR_LOG_INFO, "run %d of %d: %s", k + 1, s->run_count, run->name.data);
    FrResult result = fr_job_run(s->ctx, &settings.options, true, &run->report);
    fr_free(s->ctx, settings.set);
    if (result == FR_OK || result == FR_INTERRUPTED) return result;
    if (result != FR_NUMERICAL) return fr_fail_within(s->ctx, result, "%s: ", run->name.data);
    fr_log(s->ctx, FR_LOG_WARNING, "%s broke down: %s", run->name.data, fr_context_message(s->ctx));
    s->broken++;
    return FR_OK;
}

// --- what comes of it

// a value in a table: quoted where it would be taken apart
static void put_cell(FrWriter *w, const char *text) {
    bool plain = !strpbrk(text, ",\"\n");
    fr_print(w, plain ? "%s," : "\"%s\",", text);
}

static FrResult write_table(FrSweep *s, const char *path) {
    FrWriter w;
    fr_writer_init(&w, s->ctx);
    for (int32_t a = 0; a < s->job->vary_count; a++) fr_print(&w, "%s,", s->job->vary[a].param);
    fr_print(&w, "folder,result");
    for (int32_t c = 0; c < COLUMN_COUNT; c++) fr_print(&w, ",%s", columns[c]);
    fr_print(&w, "\n");
    for (int32_t k = 0; k < s->run_count; k++) {
        const FrSweepRun *run = &s->run[k];
        for (int32_t a = 0; a < s->job->vary_count; a++) put_cell(&w, strchr(run->set[a], '=') + 1);
        put_cell(&w, run->name.data);
        fr_print(&w, "%s", run->report.data ? "ok" : "broke down");
        for (int32_t c = 0; c < COLUMN_COUNT; c++) {
            char number[FR_NUMBER_TEXT] = "";
            if (run->report.data)
                fr_number_text(fr_report_number(&run->report, columns[c]), number);
            fr_print(&w, ",%s", number);
        }
        fr_print(&w, "\n");
    }
    FrResult result = fr_writer_result(&w);
    if (result == FR_OK) result = fr_file_save(s->ctx, path, w.data, w.size);
    fr_writer_free(&w);
    return result;
}

static void run_json(const FrSweep *s, const FrSweepRun *run, FrJson *j) {
    fr_json_object(j, NULL);
    fr_json_text(j, "folder", run->outputs.folder);
    fr_json_object(j, "set");
    for (int32_t a = 0; a < s->job->vary_count; a++)
        fr_json_text(j, s->job->vary[a].param, strchr(run->set[a], '=') + 1);
    fr_json_end(j);
    fr_json_bool(j, "ok", run->report.data != NULL);
    for (int32_t c = 0; run->report.data && c < COLUMN_COUNT; c++)
        fr_json_number(j, columns[c], fr_report_number(&run->report, columns[c]));
    fr_json_end(j);
}

static FrResult tell(const FrSweep *s, const char *table, bool sheet, bool json, FrText *text) {
    if (!json)
        return fr_text_print(s->ctx, text, "%s: %d run%s, %s\n",
                             sheet ? s->outputs.sheet : s->outputs.folder, s->run_count,
                             fr_s(s->run_count), table);
    FrWriter w;
    FrJson j;
    fr_writer_init(&w, s->ctx);
    fr_json_begin(&j, &w, true);
    fr_json_object(&j, NULL);
    fr_json_text(&j, "folder", s->outputs.folder);
    fr_json_text(&j, "sheet", sheet ? s->outputs.sheet : NULL);
    fr_json_text(&j, "table", table);
    fr_json_array(&j, "runs");
    for (int32_t k = 0; k < s->run_count; k++) run_json(s, &s->run[k], &j);
    fr_json_end(&j);
    fr_json_end(&j);
    return fr_text_take(&w, text);
}

// a machine that cannot draw has the table all the same
static FrResult draw(FrSweep *s, bool *there) {
    FrResult result = fr_sweep_sheet(s);
    *there = result == FR_OK;
    if (result != FR_FAILED) return result;
    fr_log(s->ctx, FR_LOG_WARNING, "no sheet: %s", fr_context_message(s->ctx));
    return FR_OK;
}

static FrResult finish(FrSweep *s, bool json, FrText *text) {
    char *table = fr_path_join(s->ctx, s->outputs.folder, "sweep.csv");
    bool sheet = false;
    FrResult result = table ? write_table(s, table) : fr_no_memory(s->ctx, "a path");
    if (result == FR_OK && s->broken < s->run_count) result = draw(s, &sheet);
    if (result == FR_OK) result = tell(s, table, sheet, json, text);
    fr_free(s->ctx, table);
    if (result == FR_OK && s->broken)
        result = fr_fail(s->ctx, FR_NUMERICAL, "%d of %d runs broke down", s->broken, s->run_count);
    return result;
}

static FrResult go(FrSweep *s, bool json, FrText *text) {
    FR_TRY(check_axes(s));
    FR_TRY(open_folder(s));
    s->run = FR_NEW(s->ctx, FrSweepRun, s->run_count);
    if (!s->run) return fr_no_memory(s->ctx, "a sweep");
    for (int32_t k = 0; k < s->run_count; k++) {
        FR_TRY(name_run(s, k));
        FR_TRY(check_run(s, &s->run[k]));
    }
    for (int32_t k = 0; k < s->run_count; k++) FR_TRY(do_run(s, k));
    return finish(s, json, text);
}

static void free_run(FrSweep *s, FrSweepRun *run) {
    for (int32_t a = 0; run->set && a < s->job->vary_count; a++) fr_free(s->ctx, run->set[a]);
    fr_free(s->ctx, run->set);
    fr_text_free(s->ctx, &run->name);
    fr_text_free(s->ctx, &run->report);
    fr_outputs_free(&run->outputs);
}

FrResult fr_job_sweep(FrContext *ctx, const FrSweepDef *job, bool json, FrText *text) {
    FR_NEED_ALL(ctx, ctx && job && text);
    FrSweep sweep = {.ctx = ctx, .job = job};
    *text = (FrText){NULL, 0};
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_sweep_def_default()");
    FR_NEED(ctx, job->run.cookie == FR_COOKIE, "start from fr_sweep_def_default()");
    FR_NEED(ctx, job->run.scene, "name a scene: run.scene");
    FR_NEED(ctx, job->vary || job->vary_count <= 0, "give as many params as are said");
    FR_NEED_WORDS(ctx, job->run.set, job->run.set_count);
    FrResult result = go(&sweep, json, text);
    for (int32_t k = 0; sweep.run && k < sweep.run_count; k++) free_run(&sweep, &sweep.run[k]);
    fr_free(ctx, sweep.run);
    fr_outputs_free(&sweep.outputs);
    return result;
}
