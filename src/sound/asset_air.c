// asset_air.c: how the modes of a cooked body go out into the air.

#include "math/vec.h"
#include "sound/asset.h"
#include <math.h>

/// Modes of a mesh by the numbers of an asset.
typedef struct Moves {
    const FrModes *modes;
    const int32_t *made_of;
} Moves;

static FrVec3 move(const void *user, int32_t mode, int32_t point) {
    const Moves *m = user;
    size_t stride = 3 * (size_t)m->modes->node_count;
    return fr_get3(m->modes->shape + stride * (size_t)m->made_of[mode], point);
}

FrResult fr_asset_radiate(FrAsset *a, const FrTetMesh *mesh, const FrModes *modes,
                          FrRadiateReport *report) {
    int32_t count = a->info.mode_count, tri_count;
    int32_t(*facets)[3];
    Moves moves = {modes, a->made_of};
    FR_TRY(fr_modes_facets(a->ctx, mesh, &facets, &tri_count));
    double *omega = FR_NEW(a->ctx, double, count);
    FrResult result = omega ? FR_OK : fr_no_memory(a->ctx, "a radiation");
    for (int32_t i = 0; i < count && omega; i++) omega[i] = sqrt(a->lambda[i]);
    FrRadiateDef def = {
        .surface = {mesh->node_count, tri_count, mesh->x, (const int32_t(*)[3])facets},
        .mode_count = count,
        .omega = omega,
        .move = move,
        .user = &moves};
    fr_radiation_destroy(a->radiation);
    a->radiation = NULL;
    if (result == FR_OK) result = fr_radiate(a->ctx, &def, &a->radiation, report);
    fr_free(a->ctx, omega);
    fr_free(a->ctx, facets);
    return result;
}

FrResult fr_asset_change_air(const FrAsset *from, FrAsset *to, const int32_t *mode, double size,
                             double shape) {
    int32_t count = to->info.mode_count;
    if (!from->radiation) return FR_OK;
    int32_t *all = FR_NEW(to->ctx, int32_t, count);
    FrRadiation *made;
    if (!all) return fr_no_memory(to->ctx, "a radiation");
    for (int32_t i = 0; i < count; i++) all[i] = mode ? mode[i] : i;
    FrRadiationChange change = {all, count, size, shape};
    FrResult result = fr_radiation_change(to->ctx, from->radiation, &change, &made);
    fr_free(to->ctx, all);
    fr_radiation_destroy(to->radiation);
    to->radiation = made;
    return result;
}

void fr_asset_adopt(FrAsset *asset, FrContext *ctx) {
    asset->ctx = ctx;
    if (asset->radiation) fr_radiation_adopt(asset->radiation, ctx);
}

const FrRadiation *fr_asset_radiation(const FrAsset *asset) {
    return asset ? asset->radiation : NULL;
}
