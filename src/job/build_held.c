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

/// Where a joint holds a body, in the body's own axes.
typedef struct Grip {
    FrVec3 at, axis; ///< axis 0: a point
    double radius;   ///< m; 0: none
} Grip;

static Grip grip_of(const FrScene *scene, const FrSceneBody *body, const FrSceneJoint *joint) {
    int32_t index = (int32_t)(body - scene->bodies);
    Grip grip = {.radius = 0.0};
    if (joint->kind == FR_SCENE_PIN && joint->pin->body == index)
        grip = (Grip){joint->pin->at, fr_vec3_zero, joint->pin->grip};
    if (joint->kind == FR_SCENE_HINGE && joint->hinge->body == index)
        grip = (Grip){joint->hinge->at, joint->hinge->axis, joint->hinge->grip};
    FrQuat back = fr_quat_conj(fr_quat_from_euler(body->turn));
    grip.at = fr_quat_rotate(back, fr_sub(grip.at, body->at));
    grip.axis = fr_quat_rotate(back, grip.axis);
    return grip;
}

bool fr_body_clamped(const FrScene *scene, const FrSceneBody *body) {
    bool clamped = false;
    for (int32_t k = 0; k < body->fixed_count; k++) clamped = clamped || is_part(&body->fixed[k]);
    for (int32_t k = 0; scene && k < scene->joints_count; k++)
        clamped = clamped || grip_of(scene, body, &scene->joints[k]).radius > 0.0;
    return clamped;
}

static FrResult hold_grip(FrContext *ctx, const Grip *grip, const FrTetMesh *mesh, uint8_t *held) {
    int32_t count = 0;
    double off = 0.0; // the farthest held node from the axis, m
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FrVec3 away = fr_sub(fr_get3(mesh->x, n), grip->at);
        away = fr_axpy(-fr_dot(away, grip->axis), grip->axis, away);
        if (fr_length(away) > grip->radius) continue;
        held[n] = 1, count++;
        off = fr_max(off, fr_length(away));
    }
    if (off > 1e-6 * grip->radius)
        fr_log(ctx, FR_LOG_WARNING,
               "a joint's grip of %.3g m holds nodes up to %.2g m from it: there the body rings as "
               "clamped; to let it turn, grip only nodes that lie on the joint",
               grip->radius, off);
    if (count) return FR_OK;
    return fr_fail(ctx, FR_BAD_INPUT,
                   "a joint's grip of %.3g m holds no node of the body: a larger grip, or smaller "
                   "cells",
                   grip->radius);
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

FrResult fr_held_nodes(FrContext *ctx, const FrScene *scene, const FrSceneBody *body,
                       const char *folder, const FrTetMesh *mesh, uint8_t **held) {
    FrShapeSet *set;
    *held = NULL;
    if (!fr_body_clamped(scene, body)) return FR_OK;
    FR_TRY(fr_shapeset_create(ctx, &set));
    *held = FR_NEW(ctx, uint8_t, mesh->node_count);
    FrResult result = *held ? FR_OK : fr_no_memory(ctx, "held nodes");
    for (int32_t k = 0; k < body->fixed_count && result == FR_OK; k++)
        if (is_part(&body->fixed[k]))
            result = hold_region(ctx, &body->fixed[k], folder, set, mesh, *held);
    for (int32_t k = 0; scene && k < scene->joints_count && result == FR_OK; k++) {
        Grip grip = grip_of(scene, body, &scene->joints[k]);
        if (grip.radius > 0.0) result = hold_grip(ctx, &grip, mesh, *held);
    }
    fr_shapeset_destroy(set);
    if (result == FR_OK) return FR_OK;
    fr_free(ctx, *held);
    *held = NULL;
    return result;
}
