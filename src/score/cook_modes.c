// cook_modes.c: from tets to modes to an asset.

#include "backend/backend.h"
#include "math/vec.h"
#include "modal/compute.h"
#include "modal/lowest.h"
#include "score/air_cache.h"
#include "score/cook.h"
#include "score/modes_cache.h"
#include "store/cache_file.h"
#include <math.h>

/// Enough for any ear [S4 3.4].
#define MOST_MODES 800
/// Numbers in the shapes of all modes together: what is found within a minute and 2 GB. But so many
/// modes at least.
#define MOST_NUMBERS 3.3e7
#define FEWEST_MODES 150

// Hz above which nothing has a tone: there a1 w^2 + a2 + eta w = 2 w
static double highest_tone(const FrMaterial *m, double wanted) {
    double b = 2.0 - m->eta, under = b * b - 4.0 * m->alpha1 * m->alpha2;
    if (b <= 0.0 || under <= 0.0) return 0.0;
    if (m->alpha1 <= 0.0) return wanted;
    return fr_min(wanted, (b + sqrt(under)) / (2.0 * m->alpha1) / (2.0 * M_PI));
}

static int32_t most_modes(const FrTetMesh *mesh) {
    double room = MOST_NUMBERS / (3.0 * mesh->node_count);
    return room < MOST_MODES ? fr_max_i((int32_t)room, FEWEST_MODES) : MOST_MODES;
}

// the lowest, where there are more than there is time for
static FrResult find_modes(FrContext *ctx, const FrModalDef *def, FrModes *modes) {
    char *folder = fr_cache_folder(ctx);
    FrResult result = fr_modes_cached(ctx, def, folder, modes, NULL, NULL);
    fr_free(ctx, folder);
    if (result == FR_OK && modes->mode_count == def->count && def->count < MOST_MODES)
        fr_log(ctx, FR_LOG_INFO,
               "%s: its %d lowest modes, up to %.4g Hz, are taken; %d nodes make more of them dear",
               def->material->name, def->count, sqrt(modes->lambda[def->count - 1]) / (2.0 * M_PI),
               modes->node_count);
    return result;
}

// how modes go out into the air, or nothing of the asset
static FrResult radiate(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                        FrAsset **asset) {
    char *folder = fr_cache_folder(ctx);
    FrResult result = fr_air_cached(ctx, mesh, modes, folder, *asset, NULL);
    fr_free(ctx, folder);
    if (result == FR_OK) return FR_OK;
    fr_asset_destroy(*asset);
    *asset = NULL;
    return result;
}

FrResult fr_cook_mesh(FrContext *ctx, const FrTetMesh *mesh, const uint8_t *held,
                      const FrMaterial *material, const FrAssetOptions *options, FrAsset **asset) {
    double wanted = options && options->highest > 0.0 ? options->highest : FR_MODES_MAX_HZ;
    FrModalDef def = {.mesh = mesh,
                      .material = material,
                      .material_count = 1,
                      .held = held,
                      .max_hz = highest_tone(material, wanted),
                      .count = most_modes(mesh)};
    FrModes modes = {.node_count = mesh->node_count};
    *asset = NULL;
    FR_TRY(fr_material_check(ctx, material));
    double lowest = 0.0;
    if (!held) FR_TRY(fr_modes_lowest_bound(ctx, mesh, material, &lowest));
    if (def.max_hz > 0.0 && lowest <= def.max_hz) FR_TRY(find_modes(ctx, &def, &modes));
    FrResult result = fr_asset_make(ctx, mesh, &modes, material, options, asset);
    if (result == FR_OK && options && options->radiate) result = radiate(ctx, mesh, &modes, asset);
    fr_modes_free(ctx, &modes);
    return result;
}
