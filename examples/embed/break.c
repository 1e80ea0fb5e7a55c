// break.c: Fracas inside another program: a steel ball breaks a pane of glass; what the pieces do.
//
//     cc break.c $(pkg-config --cflags --libs fracas) -o break && ./break

#include <fracas/fracas.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Piece {
    double volume; // m^3
    double v[3];   // of its middle, m/s
} Piece;

static void need(FrContext *ctx, FrResult result) {
    if (result == FR_OK) return;
    fprintf(stderr, "%s: %s\n", fr_result_name(result), fr_context_message(ctx));
    exit((int)result);
}

// volume of a tet at rest, m^3
static double tet_volume(const FrTetMesh *mesh, const int32_t *n) {
    double e[3][3];
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++) e[k][a] = mesh->x[3 * n[k + 1] + a] - mesh->x[3 * n[0] + a];
    return (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
            e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
            e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
           6.0;
}

// the view says to which piece each tet belongs; pieces are numbered from 0
static int sum_pieces(const FrBodyView *body, const FrBodyFrame *frame, Piece *piece, int most) {
    int count = 0;
    for (int32_t t = 0; t < body->mesh->tet_count; t++) {
        const int32_t *n = body->mesh->tet[t];
        int k = body->piece ? body->piece[t] : 0;
        double volume = tet_volume(body->mesh, n);
        if (k >= most) continue;
        if (k >= count) count = k + 1;
        piece[k].volume += volume;
        for (int i = 0; i < 4; i++)
            for (int a = 0; a < 3; a++)
                piece[k].v[a] += 0.25 * volume * frame->v[3 * n[i] + a]; // m^3 * m/s
    }
    for (int k = 0; k < count; k++)
        for (int a = 0; a < 3 && piece[k].volume > 0.0; a++) piece[k].v[a] /= piece[k].volume;
    return count;
}

int main(void) {
    FrContextDef context_def = fr_context_def_default();
    FrContext *ctx = fr_context_create(&context_def);
    FrWorldDef world_def = fr_world_def_default();
    FrBodyDef pane = fr_body_def_default(), ball = fr_body_def_default();
    FrTetMesh mesh;
    FrMaterial glass, steel;
    FrWorld *world;
    FrBodyId id;
    if (!ctx || !fr_material_find("glass", &glass) || !fr_material_find("steel", &steel)) return 1;
    need(ctx, fr_mesh_box(ctx, (FrVec3){0.20, 0.20, 0.008}, 0.04, &mesh));
    pane.name = "pane", pane.mesh = &mesh, pane.material = &glass, pane.material_count = 1;
    ball.name = "ball", ball.radius = 0.02;
    ball.material = &steel, ball.material_count = 1;
    ball.position.z = 0.026, ball.velocity.z = -6.0;
    need(ctx, fr_world_create(ctx, &world_def, &world));
    need(ctx, fr_body_create(world, &pane, &id));
    need(ctx, fr_body_create(world, &ball, &id));
    fr_tetmesh_free(ctx, &mesh);

    while (fr_world_time(world) < 0.004) need(ctx, fr_world_step(world));

    int64_t count;
    const FrEvent *event = fr_world_events(world, &count);
    int64_t first = 0;
    while (first < count && event[first].kind != FR_EVENT_CRACK) first++;
    if (first < count) printf("first crack after %.2f ms\n", 1e3 * event[first].t);
    static Piece piece[1000];
    const FrFrameView *view = fr_world_view(world);
    if (!view) return 1;
    int pieces = sum_pieces(&view->body[0], &view->frame[0], piece, 1000), alive = 0;
    double total = 0.0;
    for (int k = 0; k < pieces; k++) {
        if (piece[k].volume <= 0.0) continue; // a number that broke on
        printf("piece %d: %.2f cm^3, %.1f %.1f %.1f m/s\n", k, 1e6 * piece[k].volume, piece[k].v[0],
               piece[k].v[1], piece[k].v[2]);
        total += piece[k].volume;
        alive++;
    }
    printf("%d pieces, %.1f cm^3\n", alive, 1e6 * total);
    fr_world_destroy(world);
    fr_context_destroy(ctx);
    return alive > 1 ? 0 : 1;
}
