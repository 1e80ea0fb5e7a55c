// drop.c: Fracas inside another program: a soft box falls on the ground.
//
//     cc drop.c $(pkg-config --cflags --libs fracas) -o drop && ./drop

#include <fracas/fracas.h>
#include <stdio.h>
#include <stdlib.h>

static void need(FrContext *ctx, FrResult result) {
    if (result == FR_OK) return;
    fprintf(stderr, "%s: %s\n", fr_result_name(result), fr_context_message(ctx));
    exit((int)result);
}

int main(void) {
    FrContextDef context_def = fr_context_def_default();
    FrContext *ctx = fr_context_create(&context_def);
    FrWorldDef world_def = fr_world_def_default();
    FrBodyDef body_def = fr_body_def_default();
    FrTetMesh mesh;
    FrMaterial rubber, concrete;
    FrWorld *world;
    FrBodyId box; // names the body in later calls
    FrBodyMotion motion;
    if (!ctx || !fr_material_find("rubber", &rubber) || !fr_material_find("concrete", &concrete))
        return 1;
    need(ctx, fr_mesh_box(ctx, (FrVec3){0.15, 0.15, 0.15}, 0.05, &mesh)); // centred at 0
    body_def.name = "box";
    body_def.mesh = &mesh; // borrowed: fr_body_create copies
    body_def.material = &rubber;
    body_def.material_count = 1;
    body_def.position.z = 0.375; // 0.3 m below it
    need(ctx, fr_world_create(ctx, &world_def, &world));
    need(ctx, fr_world_add_plane(world, "ground", (FrVec3){0, 0, 1}, 0.0, &concrete));
    need(ctx, fr_body_create(world, &body_def, &box));
    fr_tetmesh_free(ctx, &mesh);
    int64_t count, impacts = 0;
    while (fr_world_time(world) < 0.6) {
        need(ctx, fr_world_step(world));
        const FrEvent *event = fr_world_events(world, &count); // of this step
        for (int64_t k = 0; k < count; k++) {
            if (event[k].kind != FR_EVENT_IMPACT) continue; // `u` has what belongs to the kind
            impacts++;
            printf("impact at %.3f s, %.2f m/s, %.3f N s\n", event[k].t, event[k].u.impact.v_n,
                   event[k].u.impact.impulse.z);
        }
        if (fr_world_tick(world) % 12) continue;
        need(ctx, fr_body_motion(world, box, &motion));
        printf("%.2f s: centre at %.3f m\n", fr_world_time(world), motion.centre.z);
    }
    fr_world_destroy(world);
    fr_context_destroy(ctx);
    return impacts > 0 ? 0 : 1;
}
