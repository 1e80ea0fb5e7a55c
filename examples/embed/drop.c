// drop.c: Fracas inside another program: a soft box from plain arrays falls on the ground.
//
//     cc drop.c $(pkg-config --cflags --libs fracas) -o drop && ./drop

#include <fracas/fracas.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 3, M = N + 1, NODES = M * M * M, TETS = 6 * N * N * N };
static double x[3 * NODES]; // m
static int32_t tet[TETS][4];

// N x N x N cells of size h, six tets each: one for every way along three edges to the far corner
static FrTetMesh make_box(double h) {
    static const int path[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                   {1, 0, 2}, {2, 1, 0}, {0, 2, 1}};
    const int32_t step[3] = {1, M, M * M};
    for (int n = 0; n < NODES; n++) {
        x[3 * n] = h * (n % M);
        x[3 * n + 1] = h * (n / M % M);
        x[3 * n + 2] = h * (n / (M * M));
    }
    for (int e = 0; e < TETS; e++) {
        int cell = e / 6, k = e % 6;
        int32_t a = cell % N + M * (cell / N % N) + M * M * (cell / (N * N));
        int32_t b = a + step[path[k][0]], c = b + step[path[k][1]], d = c + step[path[k][2]];
        int32_t corner[4] = {a, k < 3 ? b : c, k < 3 ? c : b, d};
        for (int i = 0; i < 4; i++) tet[e][i] = corner[i];
    }
    FrTetMesh mesh = {NODES, NODES, TETS, 1, x, tet, NULL, NULL}; // nothing to free
    return mesh;
}

static void need(FrContext *ctx, FrResult result) {
    if (result == FR_OK) return;
    fprintf(stderr, "%s: %s\n", fr_result_name(result), fr_context_message(ctx));
    exit((int)result);
}

static double centre_height(FrWorld *world) {
    const FrFrameView *view = fr_world_view(world);
    double sum = 0.0;
    for (int n = 0; view && n < NODES; n++) sum += view->frame[0].p[3 * n + 2] / NODES;
    return sum;
}

int main(void) {
    FrContextDef context_def = fr_context_def_default();
    FrContext *ctx = fr_context_create(&context_def);
    FrWorldDef world_def = fr_world_def_default();
    FrBodyDef body_def = fr_body_def_default();
    FrTetMesh mesh = make_box(0.05);
    FrMaterial rubber, concrete;
    FrWorld *world;
    FrBodyId box; // names the body in later calls
    if (!ctx || !fr_material_find("rubber", &rubber) || !fr_material_find("concrete", &concrete))
        return 1;
    body_def.name = "box";
    body_def.mesh = &mesh; // borrowed: fr_body_create copies
    body_def.material = &rubber;
    body_def.material_count = 1;
    body_def.position.z = 0.3;
    need(ctx, fr_world_create(ctx, &world_def, &world));
    need(ctx, fr_world_add_plane(world, "ground", (FrVec3){0, 0, 1}, 0.0, &concrete));
    need(ctx, fr_body_create(world, &body_def, &box));
    while (fr_world_time(world) < 0.6) {
        need(ctx, fr_world_step(world));
        if (fr_world_tick(world) % 12 == 0)
            printf("%.2f s: centre at %.3f m\n", fr_world_time(world), centre_height(world));
    }
    int64_t count;
    const FrEvent *event = fr_world_events(world, &count);
    for (int64_t k = 0; k < count; k++)
        printf("impact at %.3f s, %.2f m/s, %.3f N s\n", event[k].t, event[k].u.impact.v_n,
               event[k].u.impact.impulse.z);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
    return count > 0 ? 0 : 1;
}
