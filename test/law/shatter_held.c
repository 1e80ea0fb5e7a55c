// shatter_held.c: brittle bodies that something holds: they give way between their supports, break
// there, and what still has a support stays.

#include "modal_kit.h"
#include "world_kit.h"
#include "mesh/quality.h"
#include "modal/load_stress.h"

/// Macro steps a second, as scenes have them with what shatters.
#define STEPS 4800

static const FrVec3 strip_size = {0.22, 0.02, 0.008}; // m; 1 cm at each end is held

static FrTetMesh strip_mesh(FrContext *ctx, int across) {
    return kit_box(ctx, strip_size, 22 * across, 2 * across, across, 1);
}

static bool at_end(const FrTetMesh *mesh, int32_t n, int end) {
    return (end ? 1.0 : -1.0) * mesh->x[3 * n] > 0.0999;
}

// A beam with built-in ends, pushed in the middle: it gives by L^3 / (192 E I), and by what shear
// adds, L / (4 k G A); the moment there is F L / 8 (any textbook of beams). [M19]
TEST(a_clamped_strip_is_pushed_in_its_middle) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = strip_mesh(ctx, 2);
    FrMaterial m = kit_material(2500.0, 7e10, 0.22);
    uint8_t *held = calloc((size_t)mesh.node_count, 1);
    for (int32_t n = 0; n < mesh.node_count; n++)
        held[n] = at_end(&mesh, n, 0) || at_end(&mesh, n, 1);
    FrStressDef def = {.mesh = &mesh,
                       .material = &m,
                       .material_count = 1,
                       .held = held,
                       .max_hz = 2e4,
                       .most_modes = 6};
    FrStressModel *model;
    FrStressAnswer answer;
    CHECK_OK(ctx, fr_stress_create(ctx, &def, &model));
    FrStressLoad load = {{0, 0, 0.004}, {0, 0, -1}, 0.004};
    CHECK_OK(ctx, push_one(model, &load, &answer));
    double L = 0.2, b = strip_size.y, h = strip_size.z, I = b * h * h * h / 12.0, A = b * h;
    double G = 7e10 / (2.0 * 1.22), gives = L * L * L / (192.0 * 7e10 * I);
    gives += L / (4.0 * 5.0 / 6.0 * G * A);
    CHECK_CLOSE(answer.compliance, gives, 0.02); // model: the load has a width
    double below = 0.0;                          // largest tension right below the load
    for (int32_t n = 0; n < mesh.node_count; n++)
        if (fabs(mesh.x[3 * n]) < 1e-9 && mesh.x[3 * n + 2] < -0.0039)
            below = fr_max(below, answer.stress[n].xx);
    CHECK_CLOSE(below, L / 8.0 * 0.5 * h / I, 0.1); // model: likewise
    // 4.730^2 / (2 pi L^2) sqrt(E I / rho A), less what shear takes
    double hz = sqrt(fr_stress_modes(model).lambda[0]) / (2.0 * FR_PI), k = 4.73004 * 4.73004;
    // the first that bends up and down is the lowest: the strip is wider than thick
    CHECK_CLOSE(hz, k / (2.0 * FR_PI * L * L) * sqrt(7e10 * I / (2500.0 * A)),
                0.02); // model: beams without shear
    fr_stress_answer_free(ctx, &answer);
    fr_stress_destroy(model);
    free(held);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

typedef struct Stage {
    FrContext *ctx;
    FrWorld *world;
    FrTetMesh strip;
    FrBodyId id, ball;
    FrDriveId end[2];
} Stage;

static FrDriveId hold_end(Stage *s, int end, double until, FrTrack track) {
    int32_t *node = malloc((size_t)s->strip.node_count * sizeof *node);
    FrDriveDef def = fr_drive_def_default();
    FrDriveId id;
    def.body = s->id;
    def.node = node;
    def.until = until;
    def.track = track;
    for (int32_t n = 0; n < s->strip.node_count; n++)
        if (at_end(&s->strip, n, end)) node[def.node_count++] = n;
    CHECK_OK(s->ctx, fr_drive_create(s->world, &def, &id));
    free(node);
    return id;
}

// a strip of glass 30 cm above the floor, held at its ends, and a steel ball over its middle
static Stage stage(int workers, double speed, double until) {
    Stage s = {.ctx = make_modal_context(workers)};
    FrWorldDef def = fr_world_def_default();
    FrMaterial glass, stone, steel;
    FrBodyDef strip = fr_body_def_default(), ball = fr_body_def_default();
    def.step = 1.0 / STEPS;
    def.frame_substeps = 1;
    CHECK_OK(s.ctx, fr_world_create(s.ctx, &def, &s.world));
    CHECK(fr_material_find("glass", &glass) && fr_material_find("granite", &stone));
    CHECK(fr_material_find("steel", &steel));
    CHECK_OK(s.ctx, fr_world_add_plane(s.world, "floor", fr_vec3(0, 0, 1), 0.0, &stone));
    s.strip = strip_mesh(s.ctx, 2);
    strip.name = "strip";
    strip.model = FR_MODEL_SHATTER;
    strip.mesh = &s.strip;
    strip.material = &glass;
    strip.material_count = 1;
    strip.position = fr_vec3(0, 0, 0.3);
    CHECK_OK(s.ctx, fr_body_create(s.world, &strip, &s.id));
    for (int end = 0; end < 2; end++) s.end[end] = hold_end(&s, end, until, (FrTrack){0});
    ball.name = "ball";
    ball.radius = 0.02;
    ball.material = &steel;
    ball.material_count = 1;
    ball.position = fr_vec3(0, 0, 0.3 + 0.004 + 0.025);
    ball.velocity = fr_vec3(0, 0, -speed);
    CHECK_OK(s.ctx, fr_body_create(s.world, &ball, &s.ball));
    return s;
}

static void leave(Stage *s) {
    fr_world_destroy(s->world);
    fr_tetmesh_free(s->ctx, &s->strip);
    fr_context_destroy(s->ctx);
}

static void run(Stage *s, int steps) {
    for (int k = 0; k < steps; k++) CHECK_OK(s->ctx, fr_world_step(s->world));
}

static double ledger(FrWorld *world) {
    FrEnergy e;
    fr_world_energy(world, &e);
    return e.kinetic + e.elastic + e.plastic + e.fracture + e.dust + e.damping + e.contact -
           e.external;
}

/// What became of the strip.
typedef struct Parts {
    int held, free;
    double mass, volume; ///< of both, kg, m^3
    double lowest;       ///< middle of what is free, m
    double moved;        ///< of what is held, m
} Parts;

static Parts parts(const FrWorld *world) {
    Parts p = {.lowest = 1.0};
    for (int32_t k = 0; k < world->body.count; k++) {
        const FrBody *body = &world->body.data[k];
        FrVec3 origin, v, spin, impulse;
        FrQuat q;
        double mass;
        if (!body->mesh.tet_count) continue;
        body->ops->pose(body->state, &origin, &q, &v, &spin);
        body->ops->impulse(body->state, &impulse, &mass);
        FrSolidProps props = fr_tetmesh_props(&body->mesh);
        p.mass += mass;
        p.volume += props.volume;
        double z = fr_add(origin, fr_quat_rotate(q, props.centre)).z;
        if (body->kinematic)
            p.held++, p.moved = fr_max(p.moved, fr_distance(origin, fr_vec3(0, 0, 0.3)));
        else
            p.free++, p.lowest = fr_min(p.lowest, z);
    }
    return p;
}

// what is held stays for good, the rest falls; nothing is lost, and no energy is made
TEST(a_held_strip_breaks_between_its_supports) {
    Stage s = stage(2, 6.0, HUGE_VAL);
    FrEnergy first, last;
    Parts before = parts(s.world);
    CHECK_INT(before.held, 1);
    fr_world_energy(s.world, &first);
    double start = ledger(s.world);
    run(&s, STEPS / 8);
    Parts after = parts(s.world);
    fr_world_energy(s.world, &last);
    CHECK(!fr_body_alive(s.world, s.id));
    CHECK_INT(after.held, 2);
    CHECK(after.free >= 1);
    CHECK(after.moved < 1e-12); // rounding of a place
    CHECK(after.lowest < 0.28);
    CHECK_NEAR(after.volume, before.volume, 1e-12 * before.volume); // rounding of a sum
    CHECK_NEAR(after.mass, before.mass, 1e-12 * before.mass);       // likewise rounding
    CHECK(last.fracture > 0.0);
    // the promise of every ledger, over its peak
    CHECK_NEAR(ledger(s.world), start, 1e-3 * first.kinetic);
    CHECK(fr_world_stats(s.world).momentum_drift < 1e-12); // rounding of sums over bodies
    leave(&s);
}

// a small blow leaves it where it is
TEST(a_weak_blow_on_a_held_strip_breaks_nothing) {
    Stage s = stage(1, 0.1, HUGE_VAL);
    run(&s, STEPS / 8);
    CHECK(fr_body_alive(s.world, s.id));
    Parts p = parts(s.world);
    CHECK_INT(p.held, 1);
    CHECK(p.moved < 1e-12); // rounding of a place
    leave(&s);
}

// as long as one end is held all of it is; then it falls as a stone does
TEST(it_falls_when_the_last_support_lets_go) {
    Stage s = stage(1, 0.0, 0.0125);
    double start = ledger(s.world);
    CHECK_OK(s.ctx, fr_body_destroy(s.world, s.ball));
    CHECK_OK(s.ctx, fr_drive_destroy(s.world, s.end[1]));
    run(&s, 60);
    CHECK_NEAR(fr_world_time(s.world), 0.0125, 1e-9); // rounding
    CHECK_INT(parts(s.world).held, 1);
    CHECK(parts(s.world).moved < 1e-12); // rounding of a place
    run(&s, 480);
    double fell = 0.3 - parts(s.world).lowest;
    CHECK_INT(parts(s.world).free, 1);
    CHECK_CLOSE(fell, 0.5 * 9.81 * 0.01, 0.02); // 480 steps, each with its speed at the end
    CHECK_NEAR(ledger(s.world), start, 1e-12);  // rounding of 0.08 J
    CHECK(fr_world_stats(s.world).momentum_drift < 1e-12); // rounding of sums
    leave(&s);
}

// it moves as what holds it does, each with half a say
TEST(it_goes_where_its_supports_go) {
    FrKey lift[2] = {{0.0, {0, 0, 0}, {1, 0, 0, 0}}, {0.1, {0, 0, 0.0004}, {1, 0, 0, 0}}};
    Stage s = stage(1, 0.0, HUGE_VAL);
    CHECK_OK(s.ctx, fr_body_destroy(s.world, s.ball));
    CHECK_OK(s.ctx, fr_drive_destroy(s.world, s.end[1]));
    FrDriveId id = hold_end(&s, 1, HUGE_VAL, (FrTrack){lift, 2, {0, 0, 0}});
    FrVec3 place, v, spin;
    FrQuat q;
    run(&s, 240);
    const FrBody *body = &s.world->body.data[fr_world_find(s.world, s.id)];
    body->ops->pose(body->state, &place, &q, &v, &spin);
    CHECK_NEAR(place.z, 0.3 + 0.0001, 1e-12);       // rounding
    CHECK_NEAR(v.z, 0.002, 1e-9);                   // rounding of a difference over a step
    CHECK_OK(s.ctx, fr_drive_destroy(s.world, id)); // it stays where it is
    run(&s, 24);
    body->ops->pose(body->state, &place, &q, &v, &spin);
    CHECK_NEAR(place.z, 0.3 + 0.0001, 1e-12); // rounding
    leave(&s);
}

TEST(same_bits_for_any_workers_and_from_a_checkpoint) {
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        Stage s = stage(k ? 3 : 1, 6.0, HUGE_VAL), again = stage(1, 6.0, HUGE_VAL);
        uint8_t *bytes;
        size_t size;
        run(&s, k ? 3 : 60); // before the break, and after it
        CHECK(fr_body_alive(s.world, s.id) == (k == 1));
        CHECK_OK(s.ctx, fr_world_save(s.world, &bytes, &size));
        run(&s, k ? 297 : 240);
        hash[k] = fr_world_hash(s.world);
        CHECK_OK(again.ctx, fr_world_load(again.world, bytes, size));
        run(&again, k ? 297 : 240);
        CHECK(fr_world_hash(again.world) == hash[k]);
        CHECK_INT(parts(again.world).held, 2);
        fr_world_free_bytes(s.ctx, bytes);
        leave(&again);
        leave(&s);
    }
    CHECK(hash[0] == hash[1]);
}

// what is kinematic as a whole has no nodes to take hold of
TEST(a_body_is_held_in_one_way) {
    Stage s = stage(1, 0.0, HUGE_VAL);
    FrBodyDef def = fr_body_def_default();
    FrMaterial glass;
    CHECK(fr_material_find("glass", &glass));
    def.model = FR_MODEL_SHATTER;
    def.mesh = &s.strip;
    def.material = &glass;
    def.material_count = 1;
    def.position = fr_vec3(0, 1, 0.3);
    def.kinematic = true;
    CHECK_OK(s.ctx, fr_body_create(s.world, &def, &s.id));
    FrDriveDef drive = fr_drive_def_default();
    int32_t node = 0;
    drive.body = s.id;
    drive.node = &node;
    drive.node_count = 1;
    CHECK(fr_drive_create(s.world, &drive, NULL) == FR_BAD_USE);
    leave(&s);
}
