// bake_job.c: `fracas bake`: cook a body for real time.

#include "base/file.h"
#include "base/json.h"
#include "export/report_text.h"
#include "score/cook.h"
#include <string.h>

static FrResult output_of(FrContext *ctx, const FrBakeDef *job, const char *material,
                          FrText *path) {
    if (job->output) return fr_text_print(ctx, path, "%s", job->output);
    const char *slash = strrchr(job->input.file, '/'), *name = slash ? slash + 1 : job->input.file;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    return fr_text_print(ctx, path, "%.*s-%s.frm", length, name, material);
}

static FrResult save(FrContext *ctx, const FrAsset *asset, const char *path, size_t *size) {
    uint8_t *bytes;
    FR_TRY(fr_asset_save(asset, &bytes, size));
    FrResult result = fr_file_save(ctx, path, bytes, *size);
    fr_free(ctx, bytes);
    return result;
}

static FrResult tell(FrContext *ctx, const FrAsset *asset, const char *path, size_t size, bool json,
                     FrText *report) {
    FrAssetInfo info = fr_asset_info(asset);
    if (!json)
        return fr_text_print(ctx, report, "%s: %s, %.4g kg, %d mode%s, %d points, %.0f kB\n", path,
                             info.name, info.mass, info.mode_count, fr_s(info.mode_count),
                             info.vertex_count, (double)size / 1e3);
    FrWriter w;
    FrJson j;
    fr_writer_init(&w, ctx);
    fr_json_begin(&j, &w, true);
    fr_json_object(&j, NULL);
    fr_json_text(&j, "output", path);
    fr_json_text(&j, "material", info.name);
    fr_json_number(&j, "mass", info.mass);
    fr_json_int(&j, "modes", info.mode_count);
    fr_json_int(&j, "points", info.vertex_count);
    fr_json_int(&j, "bytes", (int64_t)size);
    fr_json_end(&j);
    return fr_text_take(&w, report);
}

static FrResult bake(FrCook *cook, const FrBakeDef *job, bool json, FrText *report) {
    FrContext *ctx = cook->ctx;
    FrMaterial material = cook->material;
    FrAssetOptions options = {
        .highest = job->max_hz, .most_modes = job->modes, .radiate = !job->plain};
    if (job->modes < 1)
        return fr_fail(ctx, FR_BAD_USE, "%d modes; 1 or more are possible", job->modes);
    if (job->made_of)
        material = *job->made_of;
    else if (job->material)
        FR_TRY(fr_material_named(ctx, cook->source.scene, job->material, &material));
    if (!*material.name) return fr_fail(ctx, FR_BAD_USE, "what is it made of? say --material NAME");
    FR_TRY(fr_material_check(ctx, &material));
    FrAsset *asset, *whole;
    FrText path = {NULL, 0};
    size_t size = 0;
    FR_TRY(fr_cook_asset(cook, &material, &options, &whole));
    FrResult result = fr_asset_thin(ctx, whole, fr_asset_points(whole), &asset);
    fr_asset_destroy(whole);
    FR_TRY(result);
    result = output_of(ctx, job, material.name, &path);
    if (result == FR_OK) result = save(ctx, asset, path.data, &size);
    if (result == FR_OK) result = tell(ctx, asset, path.data, size, json, report);
    fr_text_free(ctx, &path);
    fr_asset_destroy(asset);
    return result;
}

FrResult fr_job_bake(FrContext *ctx, const FrBakeDef *job, bool json, FrText *report) {
    FrCook cook;
    *report = (FrText){NULL, 0};
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_bake_def_default()");
    if (job->output) FR_TRY(fr_check_folder_of(ctx, job->output));
    FrResult result = fr_cook_open(ctx, &job->input, &cook);
    if (result == FR_OK) result = bake(&cook, job, json, report);
    fr_cook_close(&cook);
    return result;
}
