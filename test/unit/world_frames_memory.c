// world_frames_memory.c: rigid worlds when memory runs out: a message, nothing lost, at every
// request.

#include "rigid_kit.h"

static FrResult live(FrContext *ctx, const FrTetMesh *brick, const FrTetMesh *plate) {
    FrWorld *world = NULL;
    FrBodyId id[4] = {{0}};
    FrMaterial material = rigid_material(0.5, 0.5);
    FrWorldDef def = fr_world_def_default();
    FR_TRY(fr_world_create(ctx, &def, &world));
    FrBodyDef body[4] = {box_def(&material, brick, fr_vec3(0.05, 0.05, 0.05), fr_vec3(0, 0, 0.0501),
                                 fr_vec3(1, 0, 0)),
                         ball_def(&material, 0.05, fr_vec3(0, 0, 0.16), fr_vec3_zero),
                         ball_def(&material, 0.0, fr_vec3(0.2, 0, 0.001), fr_vec3_zero),
                         ball_def(&material, 0.0, fr_vec3(0.21, 0, 0.0405), fr_vec3_zero)};
    body[2].mesh = body[3].mesh = plate;
    FrResult result = fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &material);
    for (int k = 0; k < 4 && result == FR_OK; k++) result = fr_body_create(world, &body[k], &id[k]);
    FrJointDef cord = fr_joint_def_default();
    cord.kind = FR_JOINT_STRING;
    cord.a = id[1];
    cord.at_a = (FrVec3){0, 0, 0.16};
    cord.length = 1.0;
    if (result == FR_OK) result = fr_joint_create(world, &cord, NULL);
    FrJointDef pin = fr_joint_def_default();
    pin.kind = FR_JOINT_BALL;
    pin.a = id[0];
    pin.b = id[2];
    pin.at_a = (FrVec3){0.1, 0, 0.05};
    if (result == FR_OK) result = fr_joint_create(world, &pin, NULL);
    for (int k = 0; k < 6 && result == FR_OK; k++) result = fr_world_step(world);
    uint8_t *bytes = NULL;
    size_t size;
    if (result == FR_OK) result = fr_world_save(world, &bytes, &size);
    if (result == FR_OK) result = fr_world_load(world, bytes, size);
    fr_world_free_bytes(ctx, bytes);
    fr_world_destroy(world);
    return result;
}

TEST(memory_runs_out_anywhere) {
    FrTetMesh brick = brick_mesh(0.1, 0.1, 0.1), plate = test_box(2, 2, 1, 0.04);
    int refused = 0;
    for (int k = 1; k < 2000; k++) {
        Refuser refuser = {.refuse_at = 0};
        FrContext *ctx = make_refusing_context(&refuser);
        int before = refuser.live;
        refuser.refuse_at = refuser.calls + k;
        FrResult result = live(ctx, &brick, &plate);
        CHECK_INT(refuser.live, before);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        bool reached = refuser.calls >= refuser.refuse_at;
        // what is made when first asked (where an impact was) may fail without harm
        refused += result == FR_NO_MEMORY;
        fr_context_destroy(ctx);
        if (!reached) break;
    }
    CHECK(refused > 80);
    test_mesh_free(&brick);
    test_mesh_free(&plate);
}
