// build_holds.c: nails, drags and grabs of a scene become grabs of the world.

#include "build/build.h"
#include "fracas/body.h"

// where the point is when, as moves from where it was at first
static FrResult moves_of(FrContext *ctx, const FrSceneKey3 *path, int32_t count, FrVec3 at,
                         FrTrack *track) {
    if (!count) return FR_OK;
    FrKey *key = FR_NEW(ctx, FrKey, count);
    if (!key) return fr_no_memory(ctx, "a path");
    for (int32_t k = 0; k < count; k++)
        key[k] = (FrKey){path[k].t, fr_sub(path[k].value, at), fr_quat_identity};
    *track = (FrTrack){key, count, fr_vec3_zero};
    return FR_OK;
}

static FrGrabDef exactly(FrPullKind kind, FrVec3 at, double release) {
    FrGrabDef def = fr_grab_def_default();
    def.kind = kind;
    def.at = def.target = at;
    def.until = isnan(release) ? HUGE_VAL : release;
    return def;
}

static FrGrabDef drag_def(const FrSceneDrag *drag, FrVec3 by[FR_PULL_POINTS]) {
    bool v = !isnan(drag->velocity.x), a = !isnan(drag->acceleration.x);
    FrGrabDef def = exactly(v   ? FR_PULL_VELOCITY
                            : a ? FR_PULL_ACCELERATION
                                : FR_PULL_PLACE,
                            drag->at, drag->release);
    if (v) def.value = drag->velocity;
    if (a) def.value = drag->acceleration;
    for (int32_t k = 0; k < drag->by_count; k++) by[k] = drag->by[k].at;
    def.by = by;
    def.by_count = drag->by_count;
    return def;
}

static FrGrabDef grab_def(const FrSceneGrab *grab) {
    FrGrabDef def = exactly(FR_PULL_SPRING, grab->at, grab->release);
    def.stiffness = grab->stiffness;
    def.damping = grab->damping;
    if (!isnan(grab->most)) def.max_force = grab->most;
    return def;
}

FrResult fr_build_hold(FrBuilt *built, const FrSceneJoint *joint, FrBodyId body) {
    FrVec3 by[FR_PULL_POINTS];
    FrGrabDef def;
    FrTrack track = {0};
    FrResult result = FR_OK;
    if (joint->kind == FR_SCENE_NAIL) {
        def = exactly(FR_PULL_PLACE, joint->nail->at, joint->nail->release);
    } else if (joint->kind == FR_SCENE_DRAG) {
        def = drag_def(joint->drag, by);
        result = moves_of(built->ctx, joint->drag->path, joint->drag->path_count, joint->drag->at,
                          &track);
    } else {
        def = grab_def(joint->grab);
        result = moves_of(built->ctx, joint->grab->path, joint->grab->path_count, joint->grab->at,
                          &track);
    }
    FrGrabId id;
    def.body = body;
    def.track = track;
    if (result == FR_OK) result = fr_grab_create(built->world, &def, &id);
    fr_free(built->ctx, (void *)(uintptr_t)track.key);
    return result;
}

bool fr_scene_joint_holds(const FrSceneJoint *joint, int32_t *body) {
    switch (joint->kind) {
    case FR_SCENE_NAIL:
        *body = joint->nail->body;
        return true;
    case FR_SCENE_DRAG:
        *body = joint->drag->body;
        return true;
    case FR_SCENE_GRAB:
        *body = joint->grab->body;
        return true;
    default:
        return false;
    }
}
