// world_follow.c: drives and loads of a body that is cut: the same area is pushed, the same nodes
// held.

#include "world/model_fem.h"
#include "world/world.h"
#include "mesh/topology.h"
#include "world_kit.h"

static double loaded_area(const FrLoad *load, const double *rest) {
    FrVec3 sum = fr_vec3_zero;
    for (int32_t k = 0; k < load->def.tri_count; k++) {
        const int32_t *n = load->def.tri[k];
        FrVec3 a = fr_get3(rest, n[0]), b = fr_get3(rest, n[1]), c = fr_get3(rest, n[2]);
        sum = fr_axpy(0.5, fr_cross(fr_sub(b, a), fr_sub(c, a)), sum);
    }
    return sum.x; // of the face that looks along x
}

typedef struct Held {
    FrContext *ctx;
    FrWorld *world;
    FrTetMesh mesh;
    FrBodyId id;
} Held;

/// a crack through the middle that reaches the held, the pressed and the pushed side
static void cut_through(Held *h) {
    FrPreCut cut[2] = {{{0.2, 0.2, 0.2}, {0, 1, 0}, 1.0}, {{0.2, 0.1, 0.2}, {0, 0.6, 0.8}, 1.0}};
    FrCrackDef crack = fr_crack_def_default();
    crack.cut = cut;
    crack.cut_count = 2;
    CHECK_OK(h->ctx, fr_world_precut(h->world, 0, &crack));
}

/// a block with pressure on one side, its opposite side held, its top pushed; `first`: it is cut
/// before, and looked at
static Held held_make(bool first) {
    Held h = {.ctx = test_context(1), .mesh = test_box(4, 4, 4, 0.1)};
    test_jitter(&h.mesh, 4, 4, 4, 0.1, 0.02);
    FrMaterial material = elastic_material(1e6, 0.2);
    material.strength = 1e9;
    h.world = test_world(h.ctx, fr_vec3_zero);
    h.id = world_body(h.ctx, h.world, &h.mesh, &material, fr_vec3_zero, fr_vec3_zero);
    FrSurface own, *surface = &own;
    CHECK_OK(h.ctx, fr_tetmesh_surface(h.ctx, &h.mesh, surface));
    if (first) cut_through(&h);
    if (first) CHECK(fr_world_view(h.world));
    int32_t tri[200][3], tris = 0, node[64], nodes = 0, top[64], tops = 0;
    for (int32_t k = 0; k < surface->tri_count; k++) {
        bool on = true;
        for (int i = 0; i < 3; i++) on = on && h.mesh.x[3 * surface->tri[k][i]] > 0.4 - 1e-9;
        if (on) memcpy(tri[tris++], surface->tri[k], sizeof tri[0]);
    }
    for (int32_t n = 0; n < h.mesh.node_count; n++) {
        if (h.mesh.x[3 * n] < 1e-9) node[nodes++] = n;
        if (h.mesh.x[3 * n + 2] > 0.4 - 1e-9) top[tops++] = n;
    }
    FrLoadDef pressure = fr_load_def_default();
    pressure.kind = FR_LOAD_PRESSURE;
    pressure.body = h.id;
    pressure.pressure = 1.0;
    pressure.tri = (const int32_t(*)[3])tri;
    pressure.tri_count = tris;
    const double one[1][2] = {{0.0, 1.0}};
    pressure.curve = (FrCurve){one, 1};
    CHECK_OK(h.ctx, fr_load_create(h.world, &pressure, NULL));
    FrLoadDef force = fr_load_def_default();
    force.kind = FR_LOAD_FORCE;
    force.body = h.id;
    force.vector = (FrVec3){0, 0, 1};
    force.node = top;
    force.node_count = tops;
    force.curve = pressure.curve;
    CHECK_OK(h.ctx, fr_load_create(h.world, &force, NULL));
    FrDriveDef drive = fr_drive_def_default();
    drive.body = h.id;
    drive.node = node;
    drive.node_count = nodes;
    drive.until = HUGE_VAL;
    CHECK_OK(h.ctx, fr_drive_create(h.world, &drive, NULL));
    fr_surface_free(h.ctx, &own);
    return h;
}

// whichever came first: cracks from the start are there before supports and loads
static void follow_a_cut(bool first) {
    Held h = held_make(first);
    FrWorld *w = h.world;
    FrFem *fem = fr_fem_of(w->body.data[0].state);
    int32_t tris = 32, held = 25; // 4 x 4 cells
    double area = 0.16;
    if (!first) cut_through(&h);
    FrShapeView view;
    fr_fem_view(fem, &view);
    const double *rest = fr_fem_rest(fem);
    CHECK(view.topology > 1);
    CHECK(w->load.data[0].def.tri_count > tris);
    CHECK_NEAR(loaded_area(&w->load.data[0], rest), area, 1e-12); // rounding: sums of 100 triangles
    for (int32_t k = 0; k < w->load.data[0].def.tri_count; k++) {
        const int32_t *tri = w->load.data[0].def.tri[k];
        const int32_t *tet = view.tet[w->load.data[0].tri_tet[k]];
        for (int i = 0; i < 3; i++)
            CHECK(tri[i] == tet[0] || tri[i] == tet[1] || tri[i] == tet[2] || tri[i] == tet[3]);
    }
    // every node on the held side is held, and no other
    CHECK(w->drive.data[0].node_count > held);
    for (int32_t n = 0; n < view.node_count; n++)
        // rounding: nodes of the side that is held
        CHECK(fr_fem_held(fem, n) == (rest[3 * n] < 1e-9));
    // and all of the top is pushed, by its mass
    double mass = 0.0;
    for (int32_t n = 0; n < view.node_count; n++)
        if (rest[3 * n + 2] > 0.4 - 1e-9) mass += fr_fem_node_mass(fem, n);
    CHECK_CLOSE(w->load.data[1].mass, mass, 1e-12); // rounding
    fr_world_destroy(w);
    test_mesh_free(&h.mesh);
    fr_context_destroy(h.ctx);
}

TEST(loads_and_supports_follow_a_cut) {
    follow_a_cut(false);
    follow_a_cut(true);
}

TEST(a_checkpoint_brings_the_lists_back) {
    Held h = held_make(false), g = held_make(false);
    cut_through(&h);
    uint8_t *bytes;
    size_t size;
    CHECK_OK(h.ctx, fr_world_step(h.world));
    CHECK_OK(h.ctx, fr_world_save(h.world, &bytes, &size));
    CHECK_OK(g.ctx, fr_world_load(g.world, bytes, size));
    CHECK(checkpoint_hash(g.world) == checkpoint_hash(h.world));
    for (int k = 0; k < 3; k++) {
        CHECK_OK(h.ctx, fr_world_step(h.world));
        CHECK_OK(g.ctx, fr_world_step(g.world));
    }
    CHECK(checkpoint_hash(g.world) == checkpoint_hash(h.world));
    // bytes cut short anywhere: a message
    for (size_t at = 0; at < size; at += 1 + size / 53) {
        Held f = held_make(false);
        CHECK(load_sealed(f.world, bytes, at) != FR_OK);
        fr_world_destroy(f.world);
        test_mesh_free(&f.mesh);
        fr_context_destroy(f.ctx);
    }
    fr_world_free_bytes(h.ctx, bytes);
    fr_world_destroy(h.world);
    fr_world_destroy(g.world);
    test_mesh_free(&h.mesh);
    test_mesh_free(&g.mesh);
    fr_context_destroy(h.ctx);
    fr_context_destroy(g.ctx);
}

/// a plate that flies apart, cut from the start: everything that asks for memory on the way
static FrResult break_plate(FrContext *ctx, const FrTetMesh *mesh) {
    FrMaterial material = elastic_material(1e6, 0.2);
    material.strength = 500.0;
    material.crack_alpha = 0.9;
    FrWorldDef def = fr_world_def_default();
    def.gravity = fr_vec3_zero;
    def.step = 1e-3;
    FrPreCut cut = {{0.1, 0.05, 0.1}, {0, 0, 1}, 0.06};
    FrBodyDef body = fr_body_def_default();
    body.mesh = mesh;
    body.material = &material;
    body.material_count = 1;
    body.spin = fr_vec3(0, 20, 0); // turns: pulled outwards
    body.crack = test_paper_crack();
    body.crack.cut = &cut;
    body.crack.cut_count = 1;
    FrWorld *world = NULL;
    FrBodyId id;
    FrResult result = fr_world_create(ctx, &def, &world);
    if (result == FR_OK) result = fr_body_create(world, &body, &id);
    FrLoadDef pressure = fr_load_def_default();
    pressure.kind = FR_LOAD_PRESSURE;
    pressure.body = (FrBodyId){1};
    pressure.pressure = 1.0;
    if (result == FR_OK) result = fr_load_create(world, &pressure, NULL);
    for (int k = 0; k < 6 && result == FR_OK; k++) result = fr_world_step(world);
    if (result == FR_OK) CHECK(fr_world_stats(world).cracks > 0);
    if (result == FR_OK && !fr_world_view(world)) result = FR_NO_MEMORY;
    fr_world_destroy(world);
    return result;
}

// the k-th request is refused: a message, or a step that does without; never a leak
TEST(memory_that_runs_out_while_breaking) {
    FrTetMesh mesh = test_box(2, 1, 2, 0.1);
    int stride = 1, refusals = 0;
    for (int k = 1; k < 100000; k += stride) {
        Refuser refuser = {.refuse_at = k, .from_then_on = true};
        FrContext *ctx = make_refusing_context(&refuser);
        if (!ctx) continue;
        FrResult result = break_plate(ctx, &mesh);
        bool refused = refuser.calls >= k;
        CHECK(refused ? result == FR_NO_MEMORY : result == FR_OK);
        fr_context_destroy(ctx);
        CHECK_INT(refuser.live, 0);
        if (!refused) break;
        refusals++;
        stride = 1 + k / 60; // each of the first hundred, then thinner
    }
    CHECK(refusals > 60);
    test_mesh_free(&mesh);
}
