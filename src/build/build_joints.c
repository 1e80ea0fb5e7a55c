// build_joints.c: pins, hinges and cords of a scene become joints of the world.

#include "build/build.h"

static FrBodyId solid_of(const FrBuilt *built, const FrScene *scene, int32_t k) {
    if (k < 0) return (FrBodyId){0};
    return k < scene->bodies_count ? built->body[k] : built->sphere[k - scene->bodies_count];
}

static FrJointDef joint_def(const FrSceneJoint *joint, int32_t *body, int32_t *to) {
    FrJointDef def = fr_joint_def_default();
    switch (joint->kind) {
    case FR_SCENE_PIN:
        *body = joint->pin->body, *to = joint->pin->to;
        def.at_a = joint->pin->at;
        break;
    case FR_SCENE_HINGE:
        *body = joint->hinge->body, *to = joint->hinge->to;
        def.kind = FR_JOINT_HINGE;
        def.at_a = joint->hinge->at;
        def.axis = joint->hinge->axis;
        break;
    case FR_SCENE_CORD:
        *body = joint->cord->body, *to = joint->cord->to;
        def.kind = FR_JOINT_STRING;
        def.at_a = joint->cord->from;
        def.at_b = joint->cord->till;
        def.length = joint->cord->length;
        break;
    default: // held, not joined
        break;
    }
    return def;
}

static FrResult hold(FrBuilt *built, const FrScene *scene, const FrSceneJoint *joint,
                     int32_t solid) {
    int32_t body;
    (void)fr_scene_joint_holds(joint, &body);
    FrBodyId id = solid_of(built, scene, body);
    if ((solid >= 0 && solid != body) || !id.index1) return FR_OK;
    return fr_build_problem(built, scene, joint->data, joint, NULL,
                            fr_build_hold(built, joint, id));
}

FrResult fr_build_joints(FrBuilt *built, const FrScene *scene, int32_t solid) {
    for (int32_t k = 0; k < scene->joints_count; k++) {
        int32_t body = -1, to = -1;
        if (fr_scene_joint_holds(&scene->joints[k], &body)) {
            FR_TRY(hold(built, scene, &scene->joints[k], solid));
            continue;
        }
        FrJointDef def = joint_def(&scene->joints[k], &body, &to);
        if (solid >= 0 && solid != body && solid != to) continue;
        def.a = solid_of(built, scene, body);
        def.b = solid_of(built, scene, to);
        // joints wait for both; a body that was left out takes its own along
        if (!def.a.index1 || (to >= 0 && !def.b.index1)) continue;
        FR_TRY(fr_build_problem(built, scene, scene->joints[k].data, &scene->joints[k], NULL,
                                fr_joint_create(built->world, &def, NULL)));
    }
    return FR_OK;
}
