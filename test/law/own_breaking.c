// own_breaking.c: a second breaking model (own_breaking.h) uses the cut mesh, the pieces, the cut
// log and the events of bodies as the first does: shown, reported, saved and loaded.

#include "own_breaking.h"
#include "world_kit.h"
#include "world/cuts.h"

/// A beam of 4 x 2 x 2 cells of 10 cm, thrown up.
typedef struct Thrown {
    FrContext *ctx;
    FrTetMesh mesh;
    FrMaterial material;
    FrWorld *world;
} Thrown;

static Thrown thrown_make(void) {
    Thrown t = {.ctx = test_context(1), .mesh = test_box(4, 2, 2, 0.1)};
    for (int32_t n = 0; n < t.mesh.node_count; n++) t.mesh.x[3 * n] -= 0.2; // the plane is x = 0
    for (int32_t n = 0; n < t.mesh.node_count; n++)
        if (fabs(t.mesh.x[3 * n]) < 1e-9) t.mesh.x[3 * n] = 0.0;
    t.material = elastic_material(1e6, 0.3);
    t.world = test_world(t.ctx, fr_vec3(0, 0, -9.81));
    FrBodyDef def = fr_body_def_default();
    def.mesh = &t.mesh;
    def.material = &t.material;
    def.material_count = 1;
    def.velocity = fr_vec3(0, 0, 3);
    def.self_contact = false;
    FrBodyId id;
    CHECK_OK(t.ctx, fr_world_add_model(t.world, &own_thrown, &def.model));
    CHECK_OK(t.ctx, fr_body_create(t.world, &def, &id));
    return t;
}

static void thrown_free(Thrown *t) {
    fr_world_destroy(t->world);
    test_mesh_free(&t->mesh);
    fr_context_destroy(t->ctx);
}

static void check_events(Thrown *t) {
    int64_t count;
    const FrEvent *event = world_events(t->world, &count);
    CHECK_INT(count, 2);
    CHECK(count == 2 && event[0].kind == FR_EVENT_CRACK && event[1].kind == FR_EVENT_PIECE);
    if (count != 2) return;
    CHECK_CLOSE(event[0].u.crack.area, 0.2 * 0.2, 1e-12);         // rounding: sums over eight faces
    CHECK_CLOSE(event[1].u.piece.volume, 0.2 * 0.2 * 0.2, 1e-12); // rounding: over 48 tets
    CHECK_CLOSE(event[1].u.piece.mass, 1000.0 * 0.2 * 0.2 * 0.2, 1e-12); // rounding: likewise
    CHECK_CLOSE(fabs(event[1].u.piece.centre.x), 0.1, 1e-12);            // rounding: likewise
}

TEST(another_model_breaks_through_the_same_cuts) {
    Thrown t = thrown_make();
    CHECK(fr_world_view(t.world)->body[0].breaks && !fr_world_view(t.world)->body[0].piece);
    while (fr_world_time(t.world) < 2.0 * OWN_APART_AT) CHECK_OK(t.ctx, world_step(t.world));
    check_events(&t);
    const FrFrameView *view = fr_world_view(t.world);
    const FrBodyView *body = &view->body[0];
    CHECK_INT(body->mesh->tet_count, t.mesh.tet_count); // the plane is one of faces
    CHECK_INT(body->mesh->node_count, t.mesh.node_count + 9);
    CHECK(body->piece && body->surface->opened);
    int32_t of[2] = {-1, -1}; // the pieces on either side
    for (int32_t e = 0; body->piece && e < body->mesh->tet_count; e++) {
        double x = 0.0;
        for (int i = 0; i < 4; i++) x += body->mesh->x[3 * body->mesh->tet[e][i]];
        if (of[x > 0.0] < 0) of[x > 0.0] = body->piece[e];
        CHECK_INT(body->piece[e], of[x > 0.0]);
    }
    CHECK(of[0] != of[1]);
    int32_t first_tet;
    CHECK_INT(fr_world_cuts(t.world, 0, &first_tet)->face_count, 8);
    double T = fr_world_time(t.world), z = 3.0 * T - 0.5 * 9.81 * T * T;
    CHECK_CLOSE(view->frame[0].p[2], z, 1e-12); // rounding: of some tens of steps
    thrown_free(&t);
}

TEST(its_checkpoints_have_the_cut_mesh) {
    Thrown t = thrown_make(), again = thrown_make();
    uint8_t *bytes;
    size_t size;
    while (fr_world_time(t.world) < 1.5 * OWN_APART_AT) CHECK_OK(t.ctx, world_step(t.world));
    CHECK_OK(t.ctx, fr_world_save(t.world, &bytes, &size));
    CHECK_OK(again.ctx, fr_world_load(again.world, bytes, size));
    CHECK(fr_world_hash(t.world) == fr_world_hash(again.world));
    for (int k = 0; k < 10; k++) {
        CHECK_OK(t.ctx, world_step(t.world));
        CHECK_OK(again.ctx, fr_world_step(again.world));
    }
    CHECK(fr_world_hash(t.world) == fr_world_hash(again.world));
    CHECK(checkpoint_hash(t.world) == checkpoint_hash(again.world));
    const FrBodyView *a = fr_world_view(t.world)->body, *b = fr_world_view(again.world)->body;
    CHECK(a->piece && b->piece && a->mesh->tet_count == b->mesh->tet_count);
    for (int32_t e = 0; a->piece && b->piece && e < a->mesh->tet_count; e++)
        CHECK_INT(a->piece[e], b->piece[e]);
    CHECK_INT(a->surface->tri_count, b->surface->tri_count);
    fr_world_free_bytes(t.ctx, bytes);
    thrown_free(&t), thrown_free(&again);
}
