// scene_jobs.c: `fracas scene` and `fracas check`: a scene resolved, its mistakes, its language.

#include "fracas/material.h"
#include "job/scene_load.h"
#include "job/text.h"
#include "record/json.h"
#include <string.h>

static bool has_material(void *user, const char *name) {
    (void)user;
    FrMaterial material;
    return fr_material_find(name, &material);
}

static const char *material_name(void *user, int32_t k) {
    (void)user;
    return fr_material_name(k);
}

FrSceneOptions fr_scene_options(const FrRunOptions *options) {
    return (FrSceneOptions){.sets = options->set,
                            .set_count = options->set_count,
                            .has_seed = options->has_seed,
                            .seed = (int64_t)options->seed,
                            .library = {has_material, material_name, fr_material_count(), NULL}};
}

FrResult fr_load_scene(FrContext *ctx, const FrRunOptions *options, FrScene **scene) {
    FrSceneOptions scene_options = fr_scene_options(options);
    return fr_scene_load(ctx, options->scene, &scene_options, scene);
}

FrResult fr_job_scene(FrContext *ctx, const FrRunOptions *options, FrText *text) {
    *text = (FrText){NULL, 0};
    FrScene *scene;
    *text = (FrText){NULL, 0};
    FR_TRY(fr_load_scene(ctx, options, &scene));
    FrWriter w;
    fr_writer_init(&w, ctx);
    FrResult result = fr_scene_json(ctx, scene, &w);
    fr_scene_free(scene);
    if (result == FR_OK) return fr_text_take(&w, text);
    fr_writer_free(&w);
    return result;
}

static void problems_json(FrWriter *out, const FrWriter *report, bool ok) {
    FrJson j;
    fr_json_begin(&j, out, true);
    fr_json_object(&j, NULL);
    fr_json_bool(&j, "ok", ok);
    fr_json_array(&j, "problems");
    const char *at = (const char *)report->data, *end = at + report->size;
    while (!ok && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        char line[1024];
        if (length >= sizeof line) length = sizeof line - 1;
        memcpy(line, at, length);
        line[length] = 0;
        fr_json_text(&j, NULL, line);
        at = stop ? stop + 1 : end;
    }
    fr_json_end(&j);
    fr_json_end(&j);
    fr_print(out, "\n");
}

FrResult fr_job_check(FrContext *ctx, const FrRunOptions *options, bool json, FrText *text) {
    FrSceneOptions scene_options = fr_scene_options(options);
    FrWriter report, w;
    *text = (FrText){NULL, 0};
    fr_writer_init(&report, ctx);
    FrResult found = fr_scene_check(ctx, options->scene, &scene_options, &report);
    // the list is the answer; the message need not say it again
    if (found == FR_BAD_INPUT && report.size)
        fr_fail(ctx, found, "%s cannot be run as it is", options->scene);
    if (!json) {
        FrResult taken = fr_text_take(&report, text);
        return taken == FR_OK ? found : taken;
    }
    fr_writer_init(&w, ctx);
    problems_json(&w, &report, found == FR_OK);
    fr_writer_free(&report);
    FrResult taken = fr_text_take(&w, text);
    return taken == FR_OK ? found : taken;
}

FrResult fr_job_language(FrContext *ctx, const char *form, FrText *text) {
    *text = (FrText){NULL, 0};
    FrWriter w;
    *text = (FrText){NULL, 0};
    fr_writer_init(&w, ctx);
    if (!strcmp(form, "md"))
        fr_schema_print_reference(&w);
    else if (!strcmp(form, "schema"))
        fr_schema_print_json_schema(&w);
    else if (!strcmp(form, "lua"))
        fr_schema_print_completion(&w);
    else
        return fr_fail(ctx, FR_BAD_USE,
                       "give a scene, or --language md, schema or lua (found '%s')", form);
    return fr_text_take(&w, text);
}
