// scene_job.c: `fracas scene` and `fracas check`: a scene resolved, its mistakes, its language.

#include "base/json.h"
#include "base/words.h"
#include "build/build.h"
#include "build/scene_load.h"
#include "export/report_text.h"
#include "run/simulate.h"
#include <string.h>

FrResult fr_job_scene(FrContext *ctx, const FrRunDef *options, FrText *text) {
    FR_NEED_ALL(ctx, ctx && options && text);
    *text = (FrText){NULL, 0};
    FR_NEED(ctx, options->cookie == FR_COOKIE, "start from fr_run_def_default()");
    FR_NEED_WORDS(ctx, options->set, options->set_count);
    FrScene *scene;
    if (!options->scene)
        return fr_fail(ctx, FR_BAD_USE, "give a scene, or --language md, schema or lua");
    FR_TRY(fr_load_scene(ctx, options, &scene));
    FrWriter w;
    fr_writer_init(&w, ctx);
    FrResult result = fr_scene_json(ctx, scene, &w);
    fr_scene_free(scene);
    if (result == FR_OK) return fr_text_take(&w, text);
    fr_writer_free(&w);
    return result;
}

/// Most tets that a check makes: about two seconds of work.
#define CHECK_TETS 400000.0

// lines of a text, one by one, as an array
static void json_lines(FrJson *j, const char *name, const FrWriter *lines) {
    fr_json_array(j, name);
    const char *at = (const char *)lines->data, *end = at + lines->size;
    while (at && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        char line[1400];
        if (length >= sizeof line) length = sizeof line - 1;
        memcpy(line, at, length);
        line[length] = 0;
        fr_json_text(j, NULL, line);
        at = stop ? stop + 1 : end;
    }
    fr_json_end(j);
}

/// What a check found.
typedef struct Check {
    FrContext *ctx;
    const FrRunDef *options;
    FrScene *scene;    ///< NULL: it could not be read
    FrBuilt built;     ///< of what could be
    FrWriter problems; ///< one per line
    FrWriter warnings; ///< one per line
    FrWriter left_out; ///< what was not looked at, one per line
    int64_t tets;
} Check;

static void note_left_out(Check *c) {
    for (int32_t k = 0; k < c->built.mesh_count; k++) {
        c->tets += c->built.mesh[k].mesh.tet_count;
        if (c->built.mesh[k].left_out > 0.0)
            fr_print(&c->left_out,
                     "%s: up to %.2g tets are too many for a check; its thin walls and regions "
                     "are looked at by `fracas run --dry-run`\n",
                     c->scene->bodies[k].name, c->built.mesh[k].left_out);
    }
}

// meshes and world, as a run would make them; what is wrong goes to the problems
static FrResult build(Check *c) {
    FrBuildOptions options = {.coarseness = 1.0, .most_tets = CHECK_TETS};
    const FrSceneSettings *settings = &c->scene->scene;
    FR_TRY(fr_build_meshes(c->ctx, c->scene, &options, &c->built));
    FR_TRY(fr_build_world(&c->built, c->scene,
                          fr_timing(settings->duration, settings->fps,
                                    fr_step_rate(c->scene, c->scene->sound.microphone))
                              .step));
    FR_TRY(fr_build_start(&c->built, c->scene));
    note_left_out(c);
    FrResult result = fr_build_result(&c->built);
    if (result != FR_BAD_INPUT) return result;
    const FrWriter *text = &c->built.problems.text;
    fr_write_bytes(&c->problems, text->data, text->size);
    fr_print(&c->problems, "\n");
    return result;
}

static void print_check(Check *c, bool ok, FrWriter *w) {
    const FrScene *scene = c->scene;
    if (ok)
        fr_print(w, "%s: ok: bodies %d, spheres %d, loads %d, %lld tet%s, %g s\n",
                 c->options->scene, scene->bodies_count, scene->spheres_count, scene->loads_count,
                 (long long)c->tets, fr_s(c->tets), scene->scene.duration);
    fr_write_bytes(w, c->problems.data, c->problems.size);
    fr_write_bytes(w, c->left_out.data, c->left_out.size);
}

static void print_check_json(Check *c, bool ok, FrWriter *w) {
    FrJson j;
    fr_json_begin(&j, w, true);
    fr_json_object(&j, NULL);
    fr_json_bool(&j, "ok", ok);
    json_lines(&j, "problems", &c->problems);
    json_lines(&j, "warnings", &c->warnings);
    json_lines(&j, "not_checked", &c->left_out);
    if (ok) fr_json_int(&j, "tets", c->tets);
    fr_json_end(&j);
}

static void hear_warning(void *user, FrLogLevel level, const char *text) {
    if (level == FR_LOG_WARNING) fr_print(user, "%s\n", text);
}

// files that are not there are found by meshing, with all else that is wrong; only where the scene
// itself cannot be read is that left to reading
static FrResult find(Check *c, FrSceneOptions *options) {
    FrWriter first;
    fr_writer_init(&first, c->ctx);
    options->skip_files = true;
    FrResult found = fr_scene_check(c->ctx, c->options->scene, options, &first, &c->scene);
    bool failed = first.failed;
    fr_writer_free(&first);
    if (failed) return fr_no_memory(c->ctx, "a check");
    if (found == FR_OK) return build(c);
    if (found != FR_BAD_INPUT) return found;
    options->skip_files = false;
    options->quiet = true;
    return fr_scene_check(c->ctx, c->options->scene, options, &c->problems, &c->scene);
}

FrResult fr_job_check(FrContext *ctx, const FrRunDef *options, bool json, FrText *text) {
    FR_NEED_ALL(ctx, ctx && options && text);
    FR_NEED(ctx, options->cookie == FR_COOKIE, "start from fr_run_def_default()");
    FR_NEED(ctx, options->scene, "name a scene");
    FR_NEED_WORDS(ctx, options->set, options->set_count);
    FrSceneOptions scene_options = fr_scene_options(options);
    Check c = {.ctx = ctx, .options = options};
    FrWriter w;
    *text = (FrText){NULL, 0};
    fr_writer_init(&c.problems, ctx);
    fr_writer_init(&c.warnings, ctx);
    fr_writer_init(&c.left_out, ctx);
    fr_writer_init(&w, ctx);
    fr_log_listen(ctx, hear_warning, &c.warnings);
    FrResult found = find(&c, &scene_options);
    fr_log_listen(ctx, NULL, NULL);
    bool failed = c.problems.failed || c.warnings.failed || c.left_out.failed;
    if (found == FR_OK || c.problems.size)
        json ? print_check_json(&c, found == FR_OK, &w) : print_check(&c, found == FR_OK, &w);
    // the list is the answer; the message need not say it again
    if (found == FR_BAD_INPUT && c.problems.size)
        fr_fail(ctx, found, "%s cannot be run as it is", options->scene);
    fr_built_free(&c.built);
    fr_scene_free(c.scene);
    fr_writer_free(&c.problems);
    fr_writer_free(&c.warnings);
    fr_writer_free(&c.left_out);
    FrResult taken = fr_text_take(&w, text);
    if (failed) return fr_no_memory(ctx, "a check");
    return taken == FR_OK ? found : taken;
}

FrResult fr_job_language(FrContext *ctx, FrLanguageForm form, FrText *text) {
    FR_NEED_ALL(ctx, ctx && text);
    FrWriter w;
    *text = (FrText){NULL, 0};
    fr_writer_init(&w, ctx);
    if (form == FR_LANGUAGE_MARKDOWN) fr_schema_print_reference(&w);
    if (form == FR_LANGUAGE_SCHEMA) fr_schema_print_json_schema(&w);
    if (form == FR_LANGUAGE_LUA) fr_schema_print_completion(&w);
    return fr_text_take(&w, text);
}
