// cook_modes.c: from tets to modes to an asset.

#include "backend/backend.h"
#include "job/cook.h"
#include "math/vec.h"
#include "job/modes_cache.h"
#include "modal/compute.h"
#include <math.h>

/// Enough for any ear [S4 3.4].
#define MOST_MODES 800

// Hz above which nothing has a tone: there a1 w^2 + a2 + eta w = 2 w
static double highest_tone(const FrMaterial *m, double wanted) {
    double b = 2.0 - m->eta, under = b * b - 4.0 * m->alpha1 * m->alpha2;
    if (b <= 0.0 || under <= 0.0) return 0.0;
    if (m->alpha1 <= 0.0) return wanted;
    return fr_min(wanted, (b + sqrt(under)) / (2.0 * m->alpha1) / (2.0 * M_PI));
}

static FrResult find_modes(FrContext *ctx, const FrModesDef *def, FrModes *modes) {
    char *folder = fr_cache_folder(ctx);
    FrResult result = fr_modes_cached(ctx, fr_backend(), def, folder, modes, NULL, NULL);
    fr_free(ctx, folder);
    return result;
}

FrResult fr_cook_mesh(FrContext *ctx, const FrTetMesh *mesh, const uint8_t *held,
                      const FrMaterial *material, const FrAssetOptions *options, FrAsset **asset) {
    double wanted = options && options->highest > 0.0 ? options->highest : FR_MODES_MAX_HZ;
    FrModesDef def = {.mesh = mesh,
                      .material = material,
                      .material_count = 1,
                      .held = held,
                      .max_hz = highest_tone(material, wanted),
                      .count = MOST_MODES};
    FrModes modes = {.node_count = mesh->node_count};
    *asset = NULL;
    FR_TRY(fr_material_check(ctx, material));
    if (def.max_hz > 0.0) FR_TRY(find_modes(ctx, &def, &modes));
    FrResult result = fr_asset_make(ctx, mesh, &modes, material, options, asset);
    fr_modes_free(ctx, &modes);
    return result;
}
