// bake_job.c: `fracas bake`: cook a body for real time.

#include "base/file.h"
#include "base/words.h"
#include "base/json.h"
#include "export/report_text.h"
#include "score/cook.h"
#include <stdio.h>
#include <string.h>

static FrResult output_of(FrContext *ctx, const FrBakeDef *job, const char *material,
                          FrText *path) {
    if (job->output) return fr_text_print(ctx, path, "%s", job->output);
    const char *slash = strrchr(job->input.file, '/'), *name = slash ? slash + 1 : job->input.file;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    return fr_text_print(ctx, path, "%.*s-%s.frm", length, name, material);
}

/// What is cooked of a body.
typedef struct Baked {
    FrAsset *asset;
    FrMotion *motion; ///< NULL: not asked for
    size_t size;      ///< of the file, bytes
} Baked;

static FrResult save(FrContext *ctx, Baked *b, const char *path) {
    uint8_t *bytes;
    FR_TRY(fr_asset_save(b->asset, b->motion, &bytes, &b->size));
    FrResult result = fr_file_save(ctx, path, bytes, b->size);
    fr_free(ctx, bytes);
    return result;
}

static FrResult tell_text(FrContext *ctx, const Baked *b, const char *path, FrText *report) {
    FrAssetInfo info = fr_asset_info(b->asset);
    FrMotionInfo moves = fr_motion_info(b->motion);
    char motion[96] = "";
    if (b->motion)
        snprintf(motion, sizeof motion, ", moves by %d mode%s of %d tets", moves.mode_count,
                 fr_s(moves.mode_count), moves.tet_count);
    return fr_text_print(ctx, report, "%s: %s, %.4g kg, %d mode%s, %d points%s, %.0f kB\n", path,
                         info.name, info.mass, info.mode_count, fr_s(info.mode_count),
                         info.vertex_count, motion, (double)b->size / 1e3);
}

static FrResult tell(FrContext *ctx, const Baked *b, const char *path, bool json, FrText *report) {
    FrAssetInfo info = fr_asset_info(b->asset);
    FrMotionInfo moves = fr_motion_info(b->motion);
    if (!json) return tell_text(ctx, b, path, report);
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
    fr_json_int(&j, "bytes", (int64_t)b->size);
    if (b->motion) {
        fr_json_object(&j, "motion");
        fr_json_int(&j, "modes", moves.mode_count);
        fr_json_int(&j, "nodes", moves.node_count);
        fr_json_int(&j, "tets", moves.tet_count);
        fr_json_int(&j, "held", moves.held_count);
        fr_json_int(&j, "skin_points", moves.skin_points);
        fr_json_end(&j);
    }
    fr_json_end(&j);
    return fr_text_take(&w, report);
}

// the sound, on a surface of not too many points, and how it moves
static FrResult cook(FrCook *from, const FrBakeDef *job, const FrMaterial *material, Baked *b) {
    FrAsset *whole;
    FrAssetOptions options = {
        .highest = job->max_hz, .most_modes = job->modes, .radiate = !job->plain};
    if (job->motion) FR_TRY(fr_cook_motion(from, material, &b->motion));
    FR_TRY(fr_cook_asset(from, material, &options, &whole));
    FrResult result = fr_asset_thin(from->ctx, whole, fr_asset_points(whole), &b->asset);
    fr_asset_destroy(whole);
    return result;
}

static FrResult bake(FrCook *from, const FrBakeDef *job, bool json, FrText *report) {
    FrContext *ctx = from->ctx;
    FrMaterial material = from->material;
    if (job->modes < 1)
        return fr_fail(ctx, FR_BAD_USE, "%d modes; 1 or more are possible", job->modes);
    if (job->made_of)
        material = *job->made_of;
    else if (job->material)
        FR_TRY(fr_material_named(ctx, from->source.scene, job->material, &material));
    if (!*material.name) return fr_fail(ctx, FR_BAD_USE, "what is it made of? say --material NAME");
    FR_TRY(fr_material_check(ctx, &material));
    Baked baked = {0};
    FrText path = {NULL, 0};
    FrResult result = cook(from, job, &material, &baked);
    if (result == FR_OK) result = output_of(ctx, job, material.name, &path);
    if (result == FR_OK) result = save(ctx, &baked, path.data);
    if (result == FR_OK) result = tell(ctx, &baked, path.data, json, report);
    fr_text_free(ctx, &path);
    fr_motion_destroy(baked.motion);
    fr_asset_destroy(baked.asset);
    return result;
}

FrResult fr_job_bake(FrContext *ctx, const FrBakeDef *job, bool json, FrText *report) {
    FR_NEED_ALL(ctx, ctx && job && report);
    FrCook cook;
    *report = (FrText){NULL, 0};
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_bake_def_default()");
    FR_NEED(ctx, job->input.file, "name the body that rings: input.file");
    FR_NEED_WORDS(ctx, job->input.set, job->input.set_count);
    if (job->output) FR_TRY(fr_check_folder_of(ctx, job->output));
    FrResult result = fr_cook_open(ctx, &job->input, &cook);
    if (result == FR_OK) result = bake(&cook, job, json, report);
    fr_cook_close(&cook);
    return result;
}
