// asset_info.c: `fracas info BODY.frm`: what a cooked body is and how it rings.

#include "job/asset_info.h"
#include "base/file.h"
#include "base/json.h"
#include "export/report_text.h"
#include "score/cook.h"

/// Modes that are listed.
#define LISTED 12

static void print_info(FrWriter *w, const char *path, const FrAsset *asset) {
    FrAssetInfo i = fr_asset_info(asset);
    fr_print(w, "%s: %s, %.4g kg, %d mode%s, %d points, %d triangle%s\n", path, i.name, i.mass,
             i.mode_count, fr_s(i.mode_count), i.vertex_count, i.tri_count, fr_s(i.tri_count));
    for (int32_t k = 0; k < i.mode_count && k < LISTED; k++) {
        double hz, t60;
        fr_asset_mode(asset, k, &hz, &t60);
        fr_print(w, "  %9.2f Hz   T60 %.3g s\n", hz, t60);
    }
    if (i.mode_count > LISTED) fr_print(w, "  ... listed are those of which most is heard\n");
}

static void json_info(FrWriter *w, const FrAsset *asset) {
    FrAssetInfo i = fr_asset_info(asset);
    FrJson j;
    fr_json_begin(&j, w, true);
    fr_json_object(&j, NULL);
    fr_json_text(&j, "kind", "asset");
    fr_json_text(&j, "material", i.name);
    fr_json_number(&j, "mass", i.mass);
    fr_json_int(&j, "points", i.vertex_count);
    fr_json_int(&j, "triangles", i.tri_count);
    fr_json_array(&j, "modes");
    for (int32_t k = 0; k < i.mode_count; k++) {
        double hz, t60;
        fr_asset_mode(asset, k, &hz, &t60);
        fr_json_object(&j, NULL);
        fr_json_number(&j, "hz", hz);
        fr_json_number(&j, "t60", t60);
        fr_json_end(&j);
    }
    fr_json_end(&j);
    fr_json_end(&j);
}

FrResult fr_asset_describe(FrContext *ctx, const char *path, bool json, FrWriter *w) {
    FrRingDef input = fr_ring_def_default();
    input.file = path;
    FrCook cook;
    FrResult result = fr_cook_open(ctx, &input, &cook);
    if (result == FR_OK && json) json_info(w, cook.ready);
    if (result == FR_OK && !json) print_info(w, path, cook.ready);
    fr_cook_close(&cook);
    return result;
}
