// build_held.c: what holds a body for good: as a whole, or in a part that cannot move and does not
// ring.

#include "build/build.h"
#include "math/vec.h"
#include <math.h>

static bool for_good(const FrSceneFix *fix) { return isnan(fix->release); }

bool fr_body_bent_parts(const FrSceneBody *body) {
    bool parts = fr_body_traits(body).bends && body->fixed_count > 0;
    for (int32_t k = 0; k < body->fixed_count; k++)
        parts = parts && for_good(&body->fixed[k]) && body->fixed[k].where.kind != FR_SCENE_ALL;
    return parts;
}

bool fr_body_fixed(const FrSceneBody *body, double *until) {
    *until = body->fixed_count ? 0.0 : HUGE_VAL;
    if (fr_body_bent_parts(body)) return false;
    for (int32_t k = 0; k < body->fixed_count; k++)
        *until = for_good(&body->fixed[k]) ? HUGE_VAL : fr_max(*until, body->fixed[k].release);
    return fr_body_traits(body).rigid && body->fixed_count > 0;
}

bool fr_body_held_whole(const FrSceneBody *body, double *until) {
    return fr_body_fixed(body, until) && !fr_body_traits(body).shatters;
}

bool fr_body_stays(const FrSceneBody *body) {
    double until;
    return fr_body_fixed(body, &until) && isinf(until);
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

/// How near the joint a node lies that turns with it on the spot, over the grip; and how much of
/// the grip's length such nodes of a hinge must span, so that they hold it along its axis.
#define ON_JOINT 1e-6
#define SPAN 0.5

// how far a node is from a joint; *along: where along its axis, m
static double from_joint(const Grip *grip, const FrTetMesh *mesh, int32_t n, double *along) {
    FrVec3 away = fr_sub(fr_get3(mesh->x, n), grip->at);
    *along = fr_dot(away, grip->axis);
    return fr_length(fr_axpy(-*along, grip->axis, away));
}

/// Nodes within some distance of a joint.
typedef struct Reach {
    int32_t count;
    double low, high, off; ///< along the axis, and the farthest from it, m
} Reach;

static Reach reach_of(const Grip *grip, const FrTetMesh *mesh, double within) {
    Reach r = {0, HUGE_VAL, -HUGE_VAL, 0.0};
    for (int32_t n = 0; n < mesh->node_count; n++) {
        double along, away = from_joint(grip, mesh, n, &along);
        if (away > within) continue;
        r.count++;
        r.low = fr_min(r.low, along);
        r.high = fr_max(r.high, along);
        r.off = fr_max(r.off, away);
    }
    return r;
}

// Nodes on a hinge's axis hold it and let it turn; where there are too few to hold it along the
// axis, and on a pin, whose one node holds a solid less the smaller the cells are, all within the
// grip are held, and it cannot turn.
static FrResult hold_grip(FrContext *ctx, const Grip *grip, const FrTetMesh *mesh, uint8_t *held) {
    double within = grip->radius;
    Reach all = reach_of(grip, mesh, within), on = reach_of(grip, mesh, ON_JOINT * within);
    if (!all.count)
        return fr_fail(ctx, FR_BAD_INPUT,
                       "a joint's grip of %.3g m holds no node of the body: a larger grip, or "
                       "smaller cells",
                       grip->radius);
    bool turns = on.count > 1 && on.high - on.low >= SPAN * (all.high - all.low);
    if (turns) within *= ON_JOINT;
    if (!turns && all.off > within * ON_JOINT)
        fr_log(ctx, FR_LOG_WARNING,
               "a joint's grip of %.3g m holds nodes up to %.2g m from it: there the body rings as "
               "clamped; it turns on a hinge along whose axis it has nodes",
               grip->radius, all.off);
    for (int32_t n = 0; n < mesh->node_count; n++) {
        double along;
        if (from_joint(grip, mesh, n, &along) <= within) held[n] = 1;
    }
    return FR_OK;
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
