// cook.c: from what a user has to bodies that ring: meshes, materials, modes, assets.

#include "job/cook.h"
#include "base/file.h"
#include "job/names.h"
#include "job/scene_load.h"
#include "math/vec.h"
#include <math.h>
#include <string.h>

/// Largest .frm that is read, bytes.
#define LARGEST_ASSET ((size_t)1 << 30)

static FrResult open_asset(FrCook *c, const FrRingInput *input) {
    uint8_t *bytes;
    size_t size;
    FR_TRY(fr_file_load(c->ctx, input->file, LARGEST_ASSET, &bytes, &size));
    FrResult result = fr_asset_load(c->ctx, bytes, size, &c->ready);
    fr_free(c->ctx, bytes);
    if (result != FR_OK) return fr_fail_within(c->ctx, result, "%s: ", input->file);
    FrAssetInfo info = fr_asset_info(c->ready);
    memcpy(c->material.name, info.name, sizeof c->material.name);
    return FR_OK;
}

// linear tets lock in thin walls: modes want 10-node ones, on the true shape
static FrResult make_tets(FrCook *c, const FrSceneBody *body, const char *folder) {
    FrBuildOptions whole = {.coarseness = 1.0};
    FrBuiltMesh *built = &c->built.mesh[0];
    FR_TRY(fr_build_tets(c->ctx, body, folder, &whole, built));
    return fr_build_order2(c->ctx, body, folder, built);
}

// a lone file is a scene of one body
static FrResult open_file(FrCook *c, const FrRingInput *input, FrFileKind kind) {
    FrSceneFile file = {input->file, input->unit > 0.0 ? input->unit : 1.0,
                        input->up_y ? FR_SCENE_UP_Y : FR_SCENE_UP_Z};
    FrSceneBody body = {.name = input->file, .cells = input->size};
    body.shape.kind = kind == FR_FILE_TETS ? FR_SCENE_MESH : FR_SCENE_SURFACE;
    body.shape.file = &file;
    c->built = (FrBuilt){.ctx = c->ctx, .mesh = FR_NEW(c->ctx, FrBuiltMesh, 1)};
    fr_problems_init(&c->built.problems, c->ctx);
    if (!c->built.mesh) return fr_no_memory(c->ctx, "a mesh");
    c->built.mesh_count = 1;
    return make_tets(c, &body, "");
}

static FrResult find_body(FrCook *c, const FrRingInput *input) {
    for (c->body = 0; c->body < c->scene->bodies_count; c->body++)
        if (!input->body || !strcmp(input->body, c->scene->bodies[c->body].name)) return FR_OK;
    if (!input->body) return fr_fail(c->ctx, FR_BAD_INPUT, "%s has no body", input->file);
    return fr_fail(c->ctx, FR_BAD_INPUT, "%s has no body '%s'", input->file, input->body);
}

// only the body that is asked for is meshed
static FrResult open_scene(FrCook *c, const FrRingInput *input) {
    FrRunOptions run = {.scene = input->file, .set = input->set, .set_count = input->set_count};
    FR_TRY(fr_load_scene(c->ctx, &run, &c->scene));
    FR_TRY(find_body(c, input));
    FrSceneBody *body = &c->scene->bodies[c->body];
    if (input->size > 0.0) body->cells = input->size;
    c->built = (FrBuilt){.ctx = c->ctx, .mesh = FR_NEW(c->ctx, FrBuiltMesh, 1)};
    fr_problems_init(&c->built.problems, c->ctx);
    if (!c->built.mesh) return fr_no_memory(c->ctx, "a mesh");
    c->built.mesh_count = 1;
    FR_TRY(make_tets(c, body, c->scene->folder));
    return fr_build_material(c->ctx, c->scene, body->material, &c->material);
}

FrResult fr_cook_open(FrContext *ctx, const FrRingInput *input, FrCook *cook) {
    *cook = (FrCook){.ctx = ctx};
    FrFileKind kind = fr_file_kind(input->file);
    if (kind == FR_FILE_ASSET) return open_asset(cook, input);
    if (kind == FR_FILE_SCENE) return open_scene(cook, input);
    if (kind == FR_FILE_SURFACE || kind == FR_FILE_TETS) return open_file(cook, input, kind);
    return fr_fail(
        ctx, FR_BAD_INPUT,
        "%s: not a surface (.obj .ply .stl), tet mesh (.msh .node), scene (.lua .json) or "
        "cooked body (.frm)",
        input->file);
}

FrResult fr_cook_asset(FrCook *cook, const FrMaterial *material, const FrAssetOptions *options,
                       FrAsset **asset) {
    if (!cook->ready)
        return fr_cook_mesh(cook->ctx, &cook->built.mesh[0].mesh, material, options, asset);
    FR_TRY(fr_asset_copy(cook->ctx, cook->ready, asset));
    if (!strcmp(material->name, cook->ready->info.name)) return FR_OK;
    FrResult result = fr_cook_change(cook->ctx, *asset, "material", material->name);
    if (result == FR_OK) return FR_OK;
    fr_asset_destroy(*asset);
    *asset = NULL;
    return result;
}

void fr_cook_close(FrCook *cook) {
    if (!cook->ctx) return;
    fr_built_free(&cook->built);
    fr_scene_free(cook->scene);
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
    return FR_OK;
}
