// heat.c: bodies of the model corot get warm, spread it, cool, soften and set again.        [M32]

#include "checkpoint.h"
#include "world_kit.h"

static FrMaterial wax(void) {
    FrMaterial m = elastic_material(1e6, 0.33);
    m.conductivity = 0.25, m.heat_capacity = 2500.0; // paraffin: handbooks
    m.softens = 40.0, m.melts = 62.0;
    return m;
}

static FrWorld *world_of(FrContext *ctx, double step, double gravity) {
    FrWorldDef def = fr_world_def_default();
    FrWorld *world = NULL;
    def.step = step;
    def.gravity = fr_vec3(0, 0, -gravity);
    CHECK_OK(ctx, fr_world_create(ctx, &def, &world));
    return world;
}

static FrBodyId add(FrContext *ctx, FrWorld *world, const FrTetMesh *mesh, const FrMaterial *m,
                    double temperature) {
    FrBodyDef def = fr_body_def_default();
    FrBodyId id = {0};
    def.model = FR_MODEL_COROT, def.mesh = mesh, def.material = m, def.material_count = 1;
    def.temperature = temperature;
    CHECK_OK(ctx, fr_body_create(world, &def, &id));
    return id;
}

static int32_t nodes_at(const FrTetMesh *mesh, double x, int32_t *node) {
    int32_t count = 0;
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (fabs(mesh->x[3 * n] - x) < 1e-9) node[count++] = n;
    return count;
}

static void heat_end(FrContext *ctx, FrWorld *world, FrBodyId id, const FrTetMesh *mesh, double x,
                     double power) {
    int32_t node[256];
    FrLoadDef load = fr_load_def_default();
    load.kind = FR_LOAD_HEAT, load.body = id, load.power = power;
    load.node = node, load.node_count = nodes_at(mesh, x, node);
    CHECK_OK(ctx, fr_load_create(world, &load, NULL));
}

static double warmth_at(FrContext *ctx, FrWorld *world, FrBodyId id, FrVec3 at) {
    double t = 0.0;
    CHECK_OK(ctx, fr_body_temperature(world, id, at, &t));
    return t;
}

// of the four nodes of a bar's section of 1 cm
static double section_at(FrContext *ctx, FrWorld *world, FrBodyId id, double x) {
    double sum = 0.0;
    for (int k = 0; k < 4; k++)
        sum += 0.25 * warmth_at(ctx, world, id, fr_vec3(x, 0.01 * (k % 2), 0.01 * (k / 2)));
    return sum;
}

static double closure(const FrHeat *h) {
    return fabs(h->stored - h->brought + h->lost) / fr_max(fabs(h->brought) + fabs(h->lost), 1e-9);
}

// what no air cools keeps all that it was given, however it spreads
TEST(an_insulated_body_keeps_its_heat) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(5, 4, 3, 0.02);
    FrMaterial m = wax();
    FrWorld *world = world_of(ctx, 0.01, 0.0);
    FrBodyId id = add(ctx, world, &box, &m, 20.0);
    FrHeat heat;
    CHECK_OK(ctx, fr_body_heat(world, id, fr_vec3(0.02, 0.02, 0.02), 0.03, 500.0));
    test_run(ctx, world, 5.0);
    fr_world_heat(world, &heat);
    printf("  brought %.3f J, stored off by %.1e, lost %.1e J\n", heat.brought,
           heat.stored / heat.brought - 1.0, heat.lost);
    CHECK_CLOSE(heat.brought, 500.0, 1e-12); // rounding
    CHECK_CLOSE(heat.stored, 500.0, 1e-12);  // rounding
    CHECK(fabs(heat.lost) < 1e-12 * 500.0);  // rounding
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

// A long bar heated at its end as half a space that is heated at its face:
//     T = 2 q/k sqrt(a t/pi) exp(-x^2/4 a t) - q x/k erfc(x/(2 sqrt(a t)))      (Carslaw & Jaeger)
TEST(heat_goes_into_a_half_space_as_it_should) {
    FrContext *ctx = test_context(1);
    FrTetMesh bar = test_box(60, 1, 1, 0.01);
    FrMaterial m = wax();
    m.conductivity = 50.0, m.density = 2000.0, m.heat_capacity = 500.0, m.melts = 0.0;
    FrWorld *world = world_of(ctx, 0.5, 0.0);
    FrBodyId id = add(ctx, world, &bar, &m, 20.0);
    double power = 10.0, q = power / 1e-4, worst = 0.0, t = 200.0;
    heat_end(ctx, world, id, &bar, 0.0, power);
    test_run(ctx, world, t);
    double a = m.conductivity / (m.density * m.heat_capacity), reach = sqrt(a * t);
    double face = 2.0 * q / m.conductivity * sqrt(a * t / FR_PI);
    for (int k = 0; k <= 30; k++) {
        double x = 0.01 * k, wanted = 2.0 * q / m.conductivity * sqrt(a * t / FR_PI) *
                                          exp(-x * x / (4.0 * a * t)) -
                                      q * x / m.conductivity * erfc(x / (2.0 * reach));
        double found = section_at(ctx, world, id, x) - FR_AIR;
        worst = fr_max(worst, fabs(found - wanted) / face);
    }
    printf("  %.1f K at the face, off by %.2g of it at most\n", face, worst);
    CHECK(worst < 0.01); // promise: 1 %
    fr_world_destroy(world);
    test_mesh_free(&bar);
    fr_context_destroy(ctx);
}

// As much heat in at one end as out at the other: T falls on a line, by q/k.
TEST(a_steady_flow_falls_on_a_line) {
    FrContext *ctx = test_context(1);
    FrTetMesh bar = test_box(20, 1, 1, 0.01);
    FrMaterial m = wax();
    m.conductivity = 200.0, m.heat_capacity = 100.0, m.melts = 0.0;
    FrWorld *world = world_of(ctx, 1.0, 0.0);
    FrBodyId id = add(ctx, world, &bar, &m, 20.0);
    heat_end(ctx, world, id, &bar, 0.0, 5.0);
    heat_end(ctx, world, id, &bar, 0.2, -5.0);
    test_run(ctx, world, 400.0);
    double worst = 0.0, slope = 5.0 / (m.conductivity * 1e-4);
    double first = section_at(ctx, world, id, 0.05);
    for (int k = 5; k <= 15; k++) {
        double found = section_at(ctx, world, id, 0.01 * k);
        worst = fr_max(worst, fabs(found - first + slope * 0.01 * (k - 5)) / (0.1 * slope));
    }
    printf("  %.0f K/m, off by %.1e of its fall\n", slope, worst);
    CHECK(worst < 1e-7); // model: ends share heat by mass; that dies out by 23 from cell to cell
    fr_world_destroy(world);
    test_mesh_free(&bar);
    fr_context_destroy(ctx);
}

// A small body cools by (1 + h A dt / C)^-n: implicit Euler of Newton's law; what it loses is
// booked.
TEST(it_cools_as_newton_says) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(2, 2, 2, 0.005);
    FrMaterial m = wax();
    m.conductivity = 400.0, m.cooling = 20.0;
    FrWorld *world = world_of(ctx, 0.1, 0.0);
    FrBodyId id = add(ctx, world, &box, &m, 90.0);
    test_run(ctx, world, 50.0);
    double capacity = m.density * m.heat_capacity * 1e-6, gives = m.cooling * 6e-4;
    double wanted = 70.0 * pow(1.0 + gives * 0.1 / capacity, -500.0);
    double found = warmth_at(ctx, world, id, fr_vec3(0.005, 0.005, 0.005)) - FR_AIR;
    FrHeat heat;
    fr_world_heat(world, &heat);
    printf("  %.3f K above the air, wanted %.3f; books off by %.1e\n", found, wanted,
           closure(&heat));
    CHECK_CLOSE(found, wanted, 1e-3); // model: its middle is a little warmer than its faces
    CHECK(closure(&heat) < 1e-12);    // rounding
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}

static double tip_of(FrWorld *world, const FrTetMesh *bar) {
    return fr_world_view(world)->frame[0].p[3 * (bar->node_count - 1) + 2];
}

// A cantilever is solid, soft while it is warm, and solid again in another shape: the books close
// all the way, and stiffness that went is booked.
TEST(it_softens_and_sets_again) {
    FrContext *ctx = test_context(1);
    FrTetMesh bar = test_box(6, 1, 1, 0.02);
    FrMaterial m = wax();
    m.yield_strain = 0.02, m.plastic_limit = 1.0, m.creep = 1.0;
    m.cooling = 2000.0, m.heat_capacity = 50.0, m.conductivity = 5.0, m.alpha2 = 4.0;
    FrWorld *world = world_of(ctx, 1.0 / 120.0, 9.81);
    FrBodyId id = add(ctx, world, &bar, &m, 20.0);
    int32_t node[256];
    FrDriveDef drive = fr_drive_def_default();
    drive.body = id, drive.node = node, drive.node_count = nodes_at(&bar, 0.0, node);
    CHECK_OK(ctx, fr_drive_create(world, &drive, NULL));
    FrLedger ledger = {0};
    double tip[4], start = tip_of(world, &bar);
    for (int part = 0; part < 4; part++) {
        if (part == 1)
            CHECK_OK(ctx, fr_body_heat(world, id, fr_vec3(0.04, 0.01, 0.01), 0.1, 250.0));
        if (part == 3) { // does it still give way?
            FrLoadDef load = fr_load_def_default();
            load.body = id, load.vector = fr_vec3(0, 0, -0.02);
            CHECK_OK(ctx, fr_load_create(world, &load, NULL));
        }
        for (int k = 0; k < 240; k++) {
            CHECK_OK(ctx, fr_world_step(world));
            world_note(&ledger, world);
        }
        tip[part] = tip_of(world, &bar) - start;
    }
    FrHeat heat;
    fr_world_heat(world, &heat);
    printf("  tip: solid %.4f m, after melting %.4f, set %.4f, under more %.4f; ledger %.1e, heat "
           "%.1e\n",
           tip[0], tip[1], tip[2], tip[3], fr_ledger_closure(&ledger), closure(&heat));
    CHECK(tip[0] > -0.005);                   // stiff
    CHECK(tip[1] < -0.02);                    // flowed
    CHECK(fabs(tip[2] - tip[1]) < 0.02);      // and stayed there
    CHECK(fabs(tip[3] - tip[2]) < 0.005);     // stiff again
    CHECK(fr_ledger_closure(&ledger) < 1e-9); // rounding: each term has its own formula
    CHECK(closure(&heat) < 1e-12);            // rounding
    fr_world_destroy(world);
    test_mesh_free(&bar);
    fr_context_destroy(ctx);
}

// the same bits for any number of workers, and from a checkpoint
TEST(heat_is_the_same_for_any_workers) {
    FrTetMesh box = test_box(6, 3, 3, 0.02);
    FrMaterial m = wax();
    uint64_t hash[3];
    m.yield_strain = 0.02, m.plastic_limit = 1.0, m.creep = 1.0, m.heat_capacity = 100.0;
    m.conductivity = 20.0, m.strength = 2e4;
    for (int k = 0; k < 3; k++) {
        FrContext *ctx = test_context(1 << k);
        FrWorld *world[2];
        for (int w = 0; w < 2; w++) {
            world[w] = world_of(ctx, 1.0 / 60.0, 9.81);
            CHECK_OK(ctx, fr_world_add_plane(world[w], "ground", fr_vec3(0, 0, 1), -0.05, &m));
            FrBodyId id = add(ctx, world[w], &box, &m, 20.0);
            heat_end(ctx, world[w], id, &box, 0.0, 200.0);
        }
        uint8_t *bytes;
        size_t size;
        test_run(ctx, world[0], 0.5);
        CHECK_OK(ctx, fr_world_save(world[0], &bytes, &size));
        CHECK_OK(ctx, fr_world_load(world[1], bytes, size));
        fr_world_free_bytes(ctx, bytes);
        for (int w = 0; w < 2; w++) test_run(ctx, world[w], 1.0);
        hash[k] = fr_world_hash(world[0]);
        CHECK(hash[k] == hash[0] && fr_world_hash(world[1]) == hash[k]);
        CHECK(checkpoint_hash(world[0]) == checkpoint_hash(world[1]));
        for (int w = 0; w < 2; w++) fr_world_destroy(world[w]);
        fr_context_destroy(ctx);
    }
    test_mesh_free(&box);
}

// heat where it does nothing is refused
TEST(what_does_not_get_warm_says_so) {
    FrContext *ctx = test_context(1);
    FrTetMesh box = test_box(1, 1, 1, 0.1);
    FrMaterial cold = elastic_material(1e5, 0.3);
    FrWorld *world = world_of(ctx, 0.01, 0.0);
    FrBodyId id = add(ctx, world, &box, &cold, 20.0);
    CHECK(fr_body_heat(world, id, fr_vec3_zero, 0.1, 1.0) == FR_BAD_USE);
    CHECK(strstr(fr_context_message(ctx), "heat_capacity"));
    FrMaterial bad = wax();
    bad.softens = 70.0;
    CHECK(fr_material_check(ctx, &bad) == FR_BAD_INPUT);
    fr_world_destroy(world);
    test_mesh_free(&box);
    fr_context_destroy(ctx);
}
