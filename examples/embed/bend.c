// bend.c: Fracas inside another program: a cooked body falls, bends and bounces, without any eigen
// solver.
//
//     fracas bake scenes/papers/dodo.lua --body left --motion -o bird.frm
//     cc bend.c $(pkg-config --cflags --libs fracas) -o bend && ./bend bird.frm

#include <fracas/fracas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void need(FrContext *ctx, FrResult result) {
    if (result == FR_OK) return;
    fprintf(stderr, "%s: %s\n", fr_result_name(result), fr_context_message(ctx));
    exit((int)result);
}

static FrMotion *load(FrContext *ctx, const char *path) {
    static unsigned char bytes[1 << 26];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    FrMotion *motion;
    if (file) fclose(file);
    need(ctx, fr_motion_load(ctx, bytes, size, &motion)); // copied
    return motion;
}

// what graphics hardware would do: rest + sum z shape, turned and moved; here for the lowest point
static double lowest(FrWorld *world, FrBodyId body, const FrMotion *motion) {
    FrMotionInfo info = fr_motion_info(motion);
    float *place = malloc(3 * sizeof *place * (size_t)info.skin_points);
    double low = INFINITY;
    int32_t count;
    if (!place) exit(FR_NO_MEMORY);
    if (fr_body_skin(world, body, place, info.skin_points, &count) != FR_OK) exit(FR_FAILED);
    for (int32_t k = 0; k < count; k++) low = fmin(low, (double)place[3 * k + 2]);
    free(place);
    return low;
}

int main(int argc, char **argv) {
    FrContextDef context_def = fr_context_def_default(); // without a back end
    FrContext *ctx = fr_context_create(&context_def);
    if (!ctx || argc != 2) return fprintf(stderr, "bend BODY.frm\n"), FR_BAD_USE;
    FrMotion *motion = load(ctx, argv[1]);
    FrMotionInfo info = fr_motion_info(motion);
    printf("%s: %d modes, %d points\n", info.name, info.mode_count, info.skin_points);
    FrWorldDef world_def = fr_world_def_default();
    FrMaterial concrete = {.name = ""};
    FrWorld *world;
    FrBodyId body;
    fr_material_find("concrete", &concrete);
    need(ctx, fr_world_create(ctx, &world_def, &world));
    need(ctx, fr_world_add_plane(world, "ground", (FrVec3){0, 0, 1}, 0.0, &concrete));
    FrBodyDef def = fr_motion_body_def(motion);
    def.position = (FrVec3){0, 0, 0.5};
    need(ctx, fr_body_create(world, &def, &body));
    double bent = 0.0;
    for (int k = 0; k < 240; k++) { // a second
        double z[64] = {0};
        int32_t count;
        need(ctx, fr_world_step(world));
        need(ctx, fr_body_modes(world, body, z, 64, &count));
        for (int i = 0; i < count && i < 64; i++) bent = fmax(bent, fabs(z[i]));
        if (k % 40 == 39)
            printf("%.3f s: lowest point at %.4f m\n", (k + 1) / 240.0,
                   lowest(world, body, motion));
    }
    printf("largest modal coordinate %.4f kg^1/2 m\n", bent);
    fr_world_destroy(world);
    fr_motion_destroy(motion);
    fr_context_destroy(ctx);
    return bent > 0.0 ? 0 : 1;
}
