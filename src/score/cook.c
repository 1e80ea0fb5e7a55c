// cook.c: from what a user has to bodies that ring: meshes, materials, modes, assets.

#include "score/cook.h"
#include "base/file.h"
#include "base/file_names.h"
#include "math/vec.h"
#include <math.h>
#include <string.h>

/// Largest .frm that is read, bytes.
#define LARGEST_ASSET ((size_t)1 << 30)

// what says how a shape is read or meshed is not dropped in silence
static FrResult check_asset_input(FrContext *ctx, const FrRingDef *input) {
    const char *wrong = !isnan(input->size)    ? "size of tets"
                        : input->unit != 1.0   ? "unit"
                        : input->up_y          ? "other axis up"
                        : input->body          ? "name of a body"
                        : input->set_count > 0 ? "settings of a scene"
                                               : NULL;
    if (!wrong) return FR_OK;
    return fr_fail(ctx, FR_BAD_USE,
                   "%s: a cooked body is in metres and has its modes; it takes no %s, which goes "
                   "to what it is baked from",
                   input->file, wrong);
}

static FrResult open_asset(FrCook *c, const FrRingDef *input) {
    uint8_t *bytes;
    size_t size;
    FR_TRY(check_asset_input(c->ctx, input));
    FR_TRY(fr_file_load(c->ctx, input->file, LARGEST_ASSET, &bytes, &size));
    FrResult result = fr_asset_load(c->ctx, bytes, size, &c->ready);
    fr_free(c->ctx, bytes);
    if (result != FR_OK) return fr_fail_within(c->ctx, result, "%s: ", input->file);
    FrAssetInfo info = fr_asset_info(c->ready);
    c->material = (FrMaterial){
        .density = info.density, .alpha1 = info.alpha1, .alpha2 = info.alpha2, .eta = info.eta};
    memcpy(c->material.name, info.name, sizeof c->material.name);
    fr_material_set_young(&c->material, info.young, info.poisson);
    return FR_OK;
}

FrModesDef fr_ring_modes_def(const FrRingDef *input) {
    FrModesDef def = fr_modes_def_default();
    def.input = input->file;
    def.body = input->body;
    def.set = input->set;
    def.set_count = input->set_count;
    def.size = input->size;
    def.unit = input->unit;
    def.up_y = input->up_y;
    def.order = FR_ORDER_2;
    return def;
}

static FrResult open_source(FrCook *c, const FrRingDef *input) {
    c->job = fr_ring_modes_def(input);
    FR_TRY(fr_modes_source_open(c->ctx, &c->job, &c->source));
    c->material = c->source.made_of;
    return FR_OK;
}

FrResult fr_cook_open(FrContext *ctx, const FrRingDef *input, FrCook *cook) {
    *cook = (FrCook){.ctx = ctx};
    FrFileKind kind = fr_file_kind(input->file);
    if (kind == FR_FILE_ASSET) return open_asset(cook, input);
    if (kind == FR_FILE_SCENE || kind == FR_FILE_SURFACE || kind == FR_FILE_TETS)
        return open_source(cook, input);
    return fr_fail(
        ctx, FR_BAD_INPUT,
        "%s: not a surface (.obj .ply .stl), tet mesh (.msh .node), scene (.lua .json) or "
        "cooked body (.frm)",
        input->file);
}

FrResult fr_cook_asset(FrCook *cook, const FrMaterial *material, const FrAssetOptions *options,
                       FrAsset **asset) {
    if (!cook->ready && !cook->source.mesh.tet_count)
        FR_TRY(fr_modes_source_build(cook->ctx, &cook->source));
    if (!cook->ready)
        return fr_cook_mesh(cook->ctx, &cook->source.mesh, cook->source.held, material, options,
                            asset);
    FR_TRY(fr_asset_copy(cook->ctx, cook->ready, asset));
    FrResult result = fr_cook_remake(cook->ctx, *asset, material);
    if (result == FR_OK && options) result = fr_asset_keep(*asset, options);
    if (result == FR_OK) return FR_OK;
    fr_asset_destroy(*asset);
    *asset = NULL;
    return result;
}

void fr_cook_close(FrCook *cook) {
    if (!cook->ctx) return;
    fr_modes_source_free(cook->ctx, &cook->source);
    fr_asset_destroy(cook->ready);
    *cook = (FrCook){0};
}

// an octahedron with the mass, volume and surface of the ball
FrResult fr_cook_ball(FrContext *ctx, double radius, const FrMaterial *m, FrAsset **asset) {
    static const int32_t face[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                       {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    FrAssetInfo info = {.density = m->density,
                        .alpha1 = m->alpha1,
                        .alpha2 = m->alpha2,
                        .eta = m->eta,
                        .vertex_count = 6,
                        .tri_count = 8,
                        .volume = 4.0 / 3.0 * M_PI * radius * radius * radius,
                        .area = 4.0 * M_PI * radius * radius,
                        .bounds = {{-radius, -radius, -radius}, {radius, radius, radius}}};
    info.mass = info.volume * info.density;
    info.young = m->mu * (3.0 * m->lambda + 2.0 * m->mu) / (m->lambda + m->mu);
    info.poisson = 0.5 * m->lambda / (m->lambda + m->mu);
    memcpy(info.name, m->name, sizeof info.name);
    FR_TRY(fr_asset_alloc(ctx, &info, asset));
    for (int k = 0; k < 6; k++) (*asset)->x[3 * k + k / 2] = (float)(k % 2 ? -radius : radius);
    memcpy((*asset)->tri, face, sizeof face);
    fr_asset_balls(*asset);
    fr_asset_places(*asset);
    return FR_OK;
}
