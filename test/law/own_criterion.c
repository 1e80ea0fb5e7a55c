// own_criterion.c: a criterion that only this test has: a bar in tension breaks where it says,
// through the same cuts, pieces, log, events and checkpoints as by the separation tensor.

#include "cut/cutlog.h"
#include "fracture/criterion.h"
#include "world/model.h"
#include "world_kit.h"

// a bar along x, 12 x 3 x 3 cells of 10 cm; only one layer of its nodes may fail
#define CELL 0.1
#define LONG 12
#define WIDE 3
#define LAYER 0.4 ///< m: where that is
#define STRENGTH 1000.0
#define YOUNG 1e6

// The largest stress of a tet round the node across the plane of the layer, Pa.
static double most_pulled(const FrBreakable *body, int32_t node) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    double most = 0.0;
    for (int32_t k = 0; k < count; k++) {
        FrMat3 F;
        most = fr_max(most, fr_breaking_stress(body, star[k], &F).xx);
    }
    return most;
}

static FrNodeState judge_plane(const FrBreakable *body, int32_t node, FrSym3 residual) {
    FrVec3 rest = fr_get3(fr_cutmesh_view(body->cut)->x, node);
    bool in_layer = fabs(rest.x - LAYER) < 0.4 * CELL;
    return (FrNodeState){.value = most_pulled(body, node) + residual.xx,
                         .limit = in_layer ? body->toughness[0].strength : (double)INFINITY,
                         .normal = {1, 0, 0}};
}

// the same, and no tet is cut
static FrNodeState judge_faces(const FrBreakable *body, int32_t node, FrSym3 residual) {
    FrNodeState state = judge_plane(body, node, residual);
    state.along_faces = true;
    return state;
}

static const FrCriterion plane_of_own = {.name = "stress across a plane", .judge = judge_plane};
static const FrCriterion faces_of_own = {.name = "faces of a plane", .judge = judge_faces};

typedef struct Bar {
    const FrCriterion *by; ///< NULL: the library's
    double jitter;         ///< m: how far inner nodes lie off the grid
    int workers;
    bool late;  ///< born after the first step
    bool bumpy; ///< its layer is not flat
} Bar;

typedef struct Pulled {
    FrContext *ctx;
    FrTetMesh mesh;
    FrMaterial material;
    FrWorld *world;
    FrBodyId body;
} Pulled;

/// a world with the bar, whose ends go apart so that it gets to its strength after ten times what a
/// wave takes along it; empty: without
static Pulled pulled_make(const Bar *bar, bool empty) {
    Pulled p = {.ctx = test_context(bar->workers), .mesh = test_box(LONG, WIDE, WIDE, CELL)};
    test_jitter(&p.mesh, LONG, WIDE, WIDE, CELL, bar->jitter);
    for (int32_t n = 0; n < p.mesh.node_count && !bar->bumpy; n++)
        if (fabs(p.mesh.x[3 * n] - LAYER) < 0.4 * CELL) p.mesh.x[3 * n] = LAYER;
    p.material = elastic_material(YOUNG, 0.0);
    p.material.alpha1 = 2e-4;
    p.material.strength = STRENGTH;
    p.world = test_world(p.ctx, fr_vec3_zero);
    FrBodyDef def = fr_body_def_default();
    def.mesh = &p.mesh;
    def.material = &p.material;
    def.material_count = 1;
    def.crack = test_paper_crack();
    def.crack.min_piece = def.crack.pieces.rigid_piece = 0.0;
    def.crack.remeshing.move = false; // the layer stays where it is
    if (bar->by)
        CHECK_OK(p.ctx, fr_world_add_criterion(p.world, bar->by, &def.crack.criterion.kind));
    if (bar->late) CHECK_OK(p.ctx, world_step(p.world));
    if (empty) return p;
    CHECK_OK(p.ctx, fr_body_create(p.world, &def, &p.body));
    double T = 10.0 * LONG * CELL / sqrt(YOUNG / p.material.density), far = LONG * CELL;
    double by = far * STRENGTH / YOUNG;
    for (int side = 0; side < 2; side++) {
        FrVec3 to = {side ? by : -by, 0, 0};
        FrKey key[2] = {{0.0, {0, 0, 0}, {1, 0, 0, 0}}, {2.0 * T, to, {1, 0, 0, 0}}};
        world_drive_end(p.ctx, p.world, p.body, &p.mesh, side ? far : 0.0,
                        (FrTrack){key, 2, {0, 0, 0}}, 10.0);
    }
    return p;
}

static void pulled_free(Pulled *p) {
    fr_world_destroy(p->world);
    test_mesh_free(&p->mesh);
    fr_context_destroy(p->ctx);
}

/// What was reported until it was in two parts.
typedef struct Told {
    double first;  ///< s: of the first crack
    double volume; ///< of the piece that came off, m^3
    double area;   ///< that opened, m^2
    int64_t cracks;
    double far; ///< of a crack from the layer, m
} Told;

static Told pull_apart(Pulled *p) {
    Told told = {0};
    while (!fr_world_stats(p->world).pieces && fr_world_time(p->world) < 1.0)
        CHECK_OK(p->ctx, world_step(p->world));
    int64_t count;
    const FrEvent *event = world_events(p->world, &count);
    for (int64_t k = 0; k < count; k++) {
        if (event[k].kind == FR_EVENT_PIECE) told.volume = event[k].u.piece.volume;
        if (event[k].kind != FR_EVENT_CRACK) continue;
        CHECK(event[k].u.crack.strength > event[k].u.crack.limit);
        CHECK_CLOSE(event[k].u.crack.limit, STRENGTH, 0.0); // exact: the criterion's own
        CHECK_CLOSE(event[k].u.crack.n.x, 1.0, 0.0);        // exact: likewise
        if (!told.cracks++) told.first = event[k].t;
        told.area += event[k].u.crack.area;
        told.far = fr_max(told.far, fabs(event[k].u.crack.x.x - LAYER));
    }
    return told;
}

TEST(a_bar_breaks_where_another_criterion_says) {
    Bar bar = {.by = &plane_of_own, .jitter = 0.01, .workers = 1};
    Pulled p = pulled_make(&bar, false);
    Told told = pull_apart(&p);
    double T = 10.0 * LONG * CELL / sqrt(YOUNG / p.material.density), across = WIDE * CELL;
    CHECK_INT(fr_world_stats(p.world).pieces, 1);
    CHECK(told.cracks > 0);
    // model: 10 %, a wave is under way for 1/10 of the ramp
    CHECK_CLOSE(told.first, T, 0.1);
    CHECK(told.far < 2.0 * STRENGTH / YOUNG * LONG * CELL); // as far as the ends were moved
    // rounding: sums over tets of a layer that is flat
    CHECK_CLOSE(told.area, across * across, 1e-9);
    CHECK_CLOSE(told.volume, LAYER * across * across, 1e-9);
    // the log has what opened, and the view both pieces
    int32_t first_tet;
    const FrCutLog *log = fr_world_cuts(p.world, 0, &first_tet);
    CHECK_INT(first_tet, p.mesh.tet_count);
    CHECK_INT(log->face_count, 2 * WIDE * WIDE);
    const FrFrameView *view = fr_world_view(p.world);
    CHECK(view->body[0].surface->piece && view->body[0].piece);
    pulled_free(&p);
}

// without it the separation tensor decides, and ends that are held are weakest
TEST(the_separation_tensor_breaks_it_elsewhere) {
    Bar bar = {.workers = 1};
    Pulled p = pulled_make(&bar, false);
    double far = 0.0;
    while (!fr_world_stats(p.world).pieces && fr_world_time(p.world) < 1.0)
        CHECK_OK(p.ctx, world_step(p.world));
    int64_t count;
    const FrEvent *event = world_events(p.world, &count);
    for (int64_t k = 0; k < count; k++)
        if (event[k].kind == FR_EVENT_CRACK) far = fr_max(far, fabs(event[k].u.crack.x.x - LAYER));
    CHECK(far > CELL);
    pulled_free(&p);
}

// tets that a crack made more, of a bar whose layer is not flat
static int32_t tets_made(const FrCriterion *by) {
    Bar bar = {.by = by, .jitter = 0.03, .workers = 1, .bumpy = true};
    Pulled p = pulled_make(&bar, false);
    Told told = pull_apart(&p);
    const FrFrameView *view = fr_world_view(p.world);
    CHECK(told.cracks > 0);
    CHECK(view->body[0].mesh->node_count > p.mesh.node_count);
    int32_t made = view->body[0].mesh->tet_count - p.mesh.tet_count;
    pulled_free(&p);
    return made;
}

// a criterion whose plans are faces cuts no tet, where planes do
TEST(faces_open_and_no_tet_is_cut) {
    CHECK(tets_made(&plane_of_own) > 0);
    CHECK_INT(tets_made(&faces_of_own), 0);
}

static uint64_t hash_with(int workers) {
    Bar bar = {.by = &plane_of_own, .jitter = 0.01, .workers = workers};
    Pulled p = pulled_make(&bar, false);
    pull_apart(&p);
    uint64_t hash = fr_world_hash(p.world);
    pulled_free(&p);
    return hash;
}

TEST(bits_do_not_depend_on_workers) { CHECK(hash_with(1) == hash_with(3)); }

// of a body born later the checkpoint has which criterion it is, by its number
TEST(a_checkpoint_goes_on_with_the_criterion) {
    Bar bar = {.by = &plane_of_own, .jitter = 0.01, .workers = 1, .late = true};
    Pulled p = pulled_make(&bar, false), q = pulled_make(&bar, true);
    uint8_t *bytes;
    size_t size;
    for (int k = 0; k < 60; k++) CHECK_OK(p.ctx, world_step(p.world));
    CHECK_INT(fr_world_stats(p.world).cracks, 0);
    CHECK_OK(p.ctx, fr_world_save(p.world, &bytes, &size));
    CHECK_OK(q.ctx, fr_world_load(q.world, bytes, size));
    fr_world_free_bytes(p.ctx, bytes);
    pull_apart(&p);
    while (fr_world_tick(q.world) < fr_world_tick(p.world)) CHECK_OK(q.ctx, fr_world_step(q.world));
    CHECK_INT(fr_world_stats(q.world).pieces, 1);
    CHECK(fr_world_hash(p.world) == fr_world_hash(q.world));
    // once it is cut, too
    CHECK_OK(p.ctx, fr_world_save(p.world, &bytes, &size));
    Pulled r = pulled_make(&bar, true);
    CHECK_OK(r.ctx, fr_world_load(r.world, bytes, size));
    fr_world_free_bytes(p.ctx, bytes);
    for (int k = 0; k < 20; k++) {
        CHECK_OK(p.ctx, fr_world_step(p.world));
        CHECK_OK(r.ctx, fr_world_step(r.world));
    }
    CHECK(fr_world_hash(p.world) == fr_world_hash(r.world));
    pulled_free(&p), pulled_free(&q), pulled_free(&r);
}

TEST(a_criterion_that_is_not_there_is_refused) {
    Bar bar = {.workers = 1};
    Pulled p = pulled_make(&bar, true);
    FrBodyDef def = fr_body_def_default();
    def.mesh = &p.mesh;
    def.material = &p.material;
    def.material_count = 1;
    def.crack.criterion.kind = (FrCriterionKind)7;
    CHECK_INT(fr_body_create(p.world, &def, &p.body), FR_BAD_USE);
    CHECK_HAS(fr_context_message(p.ctx), "no criterion has number 7");
    pulled_free(&p);
}
