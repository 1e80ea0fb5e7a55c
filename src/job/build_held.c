// build_held.c: what holds a body for good: as a whole, or in a part that cannot move and does not
// ring.

#include "job/build.h"
#include "math/vec.h"

static bool for_good(const FrSceneFix *fix) { return isnan(fix->release); }

bool fr_body_fixed(const FrSceneBody *body, double *until) {
    *until = 0.0;
    for (int32_t k = 0; k < body->fixed_count; k++) {
        if (for_good(&body->fixed[k])) {
            *until = 0.0;
            break;
        }
        *until = fr_max(*until, body->fixed[k].release);
    }
    return body->model == FR_SCENE_MODEL_FRAME && body->fixed_count > 0;
}

bool fr_body_stays(const FrSceneBody *body) {
    double until;
    return fr_body_fixed(body, &until) && until == 0.0;
}

static bool is_part(const FrSceneFix *fix) {
    return for_good(fix) && fix->where.kind != FR_SCENE_ALL;
}

bool fr_body_clamped(const FrSceneBody *body) {
    bool clamped = false;
    for (int32_t k = 0; k < body->fixed_count; k++) clamped = clamped || is_part(&body->fixed[k]);
    return clamped;
}

static FrResult hold_region(FrContext *ctx, const FrSceneFix *fix, const char *folder,
                            FrShapeSet *set, const FrTetMesh *mesh, uint8_t *held) {
    FrRegionTest test = {&fix->where, NULL};
    if (fix->where.kind == FR_SCENE_INSIDE)
        FR_TRY(fr_build_shape(ctx, set, fix->where.inside->shape, folder, &test.shape));
    int32_t count = 0;
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (fr_region_has(&test, fr_get3(mesh->x, n))) held[n] = 1, count++;
    return count ? FR_OK : fr_empty_region(ctx, mesh);
}

FrResult fr_held_nodes(FrContext *ctx, const FrSceneBody *body, const char *folder,
                       const FrTetMesh *mesh, uint8_t **held) {
    FrShapeSet *set;
    *held = NULL;
    if (!fr_body_clamped(body)) return FR_OK;
    FR_TRY(fr_shapeset_create(ctx, &set));
    *held = FR_NEW(ctx, uint8_t, mesh->node_count);
    FrResult result = *held ? FR_OK : fr_no_memory(ctx, "held nodes");
    for (int32_t k = 0; k < body->fixed_count && result == FR_OK; k++)
        if (is_part(&body->fixed[k]))
            result = hold_region(ctx, &body->fixed[k], folder, set, mesh, *held);
    fr_shapeset_destroy(set);
    if (result == FR_OK) return FR_OK;
    fr_free(ctx, *held);
    *held = NULL;
    return result;
}
