// fem_body.c: making a body, holding and pushing it, same bits everywhere, saving, failing well.

#include "fem_mesh.h"
#include "math/step_control.h"
#include "fem/bench.h"
#include "fem/chunk.h"
#include "fem_probe.h"
#include "base/hash.h"
#include "material/laws.h"
#include "fem_advance.h"

static const FrVec3 down = {0, 0, -9.81};

static uint64_t state_hash(const FrFem *fem) {
    FrShapeView view;
    fr_fem_view(fem, &view);
    size_t size = 3 * (size_t)view.node_count * sizeof(double);
    return fr_hash_of(view.p, size, fr_hash_of(view.v, size, 0));
}

// two regions, wood and glass, viscous, spinning: 6000 tets in a dozen chunks
static FrFem *mixed_body(FrContext *ctx, FrTetMesh *mesh, bool portable) {
    *mesh = test_box(10, 10, 10, 0.01);
    test_jitter(mesh, 10, 10, 10, 0.01, 0.002);
    mesh->region = calloc((size_t)mesh->tet_count, sizeof(int32_t));
    for (int e = 0; e < mesh->tet_count; e++) mesh->region[e] = e / 6 % 10 < 4;
    FrMaterial material[2];
    CHECK(fr_material_find("s6-glass", &material[0]) && fr_material_find("oak", &material[1]));
    FrFemDef def = {.mesh = mesh,
                    .material = material,
                    .material_count = 2,
                    .position = {1, 2, 3},
                    .rotation = fr_quat_from_rotation(fr_vec3(0.3, 0.2, 0.1)),
                    .velocity = {1, 0, 2},
                    .spin = {50, -80, 30},
                    .portable = portable};
    FrFem *fem = NULL;
    CHECK_OK(ctx, fr_fem_create(ctx, &def, &fem));
    return fem;
}

static void free_mixed(FrTetMesh *mesh, FrFem *fem) {
    fr_fem_destroy(fem);
    free(mesh->region);
    test_mesh_free(mesh);
}

static uint64_t run_mixed(int32_t workers, bool portable) {
    FrContext *ctx = test_context(workers);
    FrTetMesh mesh;
    FrFem *fem = mixed_body(ctx, &mesh, portable);
    fr_fem_hold(fem, 5);
    fr_fem_drive(fem, 5, fr_vec3(0, 0, 1));
    double dt = 0.7 * fr_fem_dt_limit(fem);
    for (int k = 0; k < 12; k++) {
        fr_fem_add_force(fem, FR_FEM_LOAD, 77, fr_vec3(0, 1, 0));
        CHECK_OK(ctx, fr_fem_step(fem, dt, down));
    }
    FrFemEnergy e;
    fr_fem_energy(fem, down, &e);
    uint64_t hash = state_hash(fem) ^ fr_hash_of(&e, sizeof e, 1);
    free_mixed(&mesh, fem);
    fr_context_destroy(ctx);
    return hash;
}

// any number of workers, with and without AVX2: the same bits
TEST(same_bits) {
    uint64_t hash = run_mixed(1, false);
    CHECK(run_mixed(2, false) == hash);
    CHECK(run_mixed(3, false) == hash);
    CHECK(run_mixed(8, false) == hash);
    CHECK(run_mixed(1, true) == hash);
    CHECK(run_mixed(2, true) == hash);
}

// several steps in one: the added forces act in each of them, as if they were added each time
TEST(steps_taken_together) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh[2];
    FrFem *one = mixed_body(ctx, &mesh[0], false), *each = mixed_body(ctx, &mesh[1], false);
    double dt = 0.7 * fr_fem_dt_limit(one), error = 0.0;
    for (int k = 0; k < 8; k++) {
        fr_fem_add_force(each, FR_FEM_LOAD, 77, fr_vec3(0, 1, 0));
        fr_fem_add_force(each, FR_FEM_CONTACT, 12, fr_vec3(3, 0, 0));
        CHECK_OK(ctx, fr_fem_step(each, dt, down));
        if (k >= 4) error += fr_fem_watch(each).error;
    }
    for (int k = 0; k < 2; k++) {
        fr_fem_add_force(one, FR_FEM_LOAD, 77, fr_vec3(0, 1, 0));
        fr_fem_add_force(one, FR_FEM_CONTACT, 12, fr_vec3(3, 0, 0));
        CHECK_OK(ctx, fr_fem_step_often(one, 4.0 * dt, 4, down));
    }
    CHECK(state_hash(one) == state_hash(each));
    // rounding: the same numbers, added in pairs
    CHECK_NEAR(fr_fem_watch(one).error, error, 1e-12 * fabs(error));
    free_mixed(&mesh[0], one);
    free_mixed(&mesh[1], each);
    fr_context_destroy(ctx);
}

// the body's forces are the sums of the elements' forces, whatever the chunks
TEST(body_sums_elements) {
    FrContext *ctx = test_context(2);
    FrTetMesh mesh;
    FrFem *fem = mixed_body(ctx, &mesh, false);
    FrShapeView view;
    fr_fem_view(fem, &view);
    CHECK(view.tet_count == mesh.tet_count && !memcmp(view.tet, mesh.tet, 24000 * 4));
    double *f = calloc(3 * (size_t)mesh.node_count, sizeof(double)), size = 0, worst = 0, mass = 0;
    double *d = calloc(3 * (size_t)mesh.node_count, sizeof(double)), energy = 0;
    double dt = 0.5 * fr_fem_dt_limit(fem);
    for (int k = 0; k < 5; k++) CHECK_OK(ctx, fr_fem_step(fem, dt, down));
    for (int e = 0; e < mesh.tet_count; e++) {
        FrVec3 m[4], p[4], v[4], fe[4], de[4];
        FrElement element;
        for (int i = 0; i < 4; i++) {
            m[i] = fr_get3(mesh.x, mesh.tet[e][i]);
            p[i] = fr_get3(view.p, mesh.tet[e][i]);
            v[i] = fr_get3(view.v, mesh.tet[e][i]);
        }
        CHECK(fr_element_make(m, &element));
        element_elastic(&element, fr_fem_material(fem, e), p, fe);
        fr_element_viscous(&element, fr_fem_material(fem, e), p, v, de);
        energy += fr_element_energy(&element, fr_fem_material(fem, e), p);
        mass += fr_fem_material(fem, e)->density * element.volume;
        for (int i = 0; i < 4; i++) {
            fr_add3(f, mesh.tet[e][i], fe[i]);
            fr_add3(d, mesh.tet[e][i], de[i]);
            size = fr_max(size, fr_length(fe[i]) + fr_length(de[i]));
        }
    }
    const double *elastic, *viscous;
    fr_fem_internal_forces(fem, &elastic, &viscous);
    for (int k = 0; k < 3 * mesh.node_count; k++)
        worst = fr_max(worst, fabs(elastic[k] - f[k]) + fabs(viscous[k] - d[k]));
    CHECK(worst < 1e-11 * size); // rounding: p is metres away, strains are 1e-3: three digits go
    FrFemEnergy e;
    fr_fem_energy(fem, down, &e);
    // rounding: sums of 24,000 tets, of whose strains three digits are left
    CHECK_CLOSE(e.elastic, energy, 1e-11);
    CHECK_CLOSE(fr_fem_mass(fem), mass, 1e-12);
    free(f);
    free(d);
    free_mixed(&mesh, fem);
    fr_context_destroy(ctx);
}

// chunks hold every tet once, small node lists, and every slot once per node
TEST(chunks_cover_the_mesh) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(9, 8, 7, 1.0);
    int32_t *region = calloc((size_t)mesh.tet_count, sizeof(int32_t));
    for (int e = 0; e < mesh.tet_count; e++) region[e] = e % 3 == 0;
    FrMaterial material[2] = {test_material(1, 0.3, 0), test_material(2, 0.2, 0)};
    FrChunks c;
    FrTetMesh regions = mesh;
    regions.region = region;
    CHECK_OK(ctx, fr_chunks_create(ctx, &regions, material, &c));
    int *seen = calloc((size_t)mesh.tet_count, sizeof(int));
    for (int32_t k = 0; k < c.chunk_count; k++) {
        const FrChunk *chunk = &c.chunk[k];
        CHECK(chunk->slot_count <= FR_CHUNK_NODES && chunk->block_count <= FR_CHUNK_BLOCKS);
        for (int32_t l = 0; l < FR_LANES * chunk->block_count; l++) {
            int32_t tet = c.lane_tet[FR_LANES * chunk->first_block + l];
            if (tet < 0) continue;
            seen[tet]++;
            CHECK_INT(region[tet], chunk->material);
            const uint16_t *row = c.block[chunk->first_block + l / FR_LANES].node[l % FR_LANES];
            for (int i = 0; i < 4; i++)
                CHECK_INT(c.slot_node[chunk->first_slot + row[i]], mesh.tet[tet][i]);
        }
    }
    for (int e = 0; e < mesh.tet_count; e++) CHECK_INT(seen[e], 1);
    for (int n = 0; n < mesh.node_count; n++)
        for (int32_t k = c.node_first[n]; k < c.node_first[n + 1]; k++) {
            CHECK_INT(c.slot_node[c.node_slot[k]], n);
            CHECK(k == c.node_first[n] || c.node_slot[k] > c.node_slot[k - 1]);
        }
    CHECK_INT(c.node_first[mesh.node_count], c.slot_count);
    free(seen);
    free(region);
    fr_chunks_free(ctx, &c);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// save in the middle, load into a fresh body: it ends in the same bits, its ledger too
TEST(save_and_load) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh, other_mesh;
    FrFem *fem = mixed_body(ctx, &mesh, false), *other = mixed_body(ctx, &other_mesh, false);
    double dt = 0.7 * fr_fem_dt_limit(fem);
    fr_fem_hold(fem, 9);
    for (int k = 0; k < 4; k++) CHECK_OK(ctx, fr_fem_step(fem, dt, down));
    fr_fem_add_force(fem, FR_FEM_CONTACT, 20, fr_vec3(0, 0, 5)); // pending forces travel too
    fr_fem_add_stiffness(fem, 20, 1e9);
    FrWriter writer;
    fr_writer_init(&writer, ctx);
    fr_fem_save(fem, &writer);
    CHECK_OK(ctx, fr_writer_result(&writer));
    FrReader reader;
    fr_reader_init(&reader, writer.data, writer.size);
    CHECK_OK(ctx, fr_fem_load(other, &reader));
    CHECK_INT(reader.at, writer.size);
    CHECK(fr_fem_held(other, 9));
    CHECK(fr_fem_dt_limit(other) == fr_fem_dt_limit(fem));
    for (int k = 0; k < 4; k++) {
        CHECK_OK(ctx, fr_fem_step(fem, dt, down));
        CHECK_OK(ctx, fr_fem_step(other, dt, down));
    }
    CHECK(state_hash(fem) == state_hash(other));
    FrFemEnergy a, b;
    fr_fem_energy(fem, down, &a);
    fr_fem_energy(other, down, &b);
    CHECK(!memcmp(&a, &b, sizeof a));
    // every cut-short or poisoned state is refused and changes nothing
    uint64_t before = state_hash(other);
    for (size_t cut = 0; cut < writer.size; cut += cut < 64 ? 1 : 9973) {
        fr_reader_init(&reader, writer.data, cut);
        CHECK_INT(fr_fem_load(other, &reader), FR_BAD_INPUT);
        CHECK_HAS(fr_context_message(ctx), "byte");
    }
    double nan = (double)NAN;
    memcpy(writer.data + writer.size - 8, &nan, 8);
    fr_reader_init(&reader, writer.data, writer.size);
    CHECK_INT(fr_fem_load(other, &reader), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "nan");
    CHECK(state_hash(other) == before);
    fr_writer_free(&writer);
    free_mixed(&mesh, fem);
    free_mixed(&other_mesh, other);
    fr_context_destroy(ctx);
}

TEST(backup_and_restore) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh;
    FrFem *fem = mixed_body(ctx, &mesh, false);
    double dt = 0.7 * fr_fem_dt_limit(fem);
    for (int k = 0; k < 3; k++) CHECK_OK(ctx, fr_fem_step(fem, dt, down));
    fr_fem_backup(fem);
    for (int k = 0; k < 3; k++) CHECK_OK(ctx, fr_fem_step(fem, dt, down));
    uint64_t end = state_hash(fem);
    double ledger = test_ledger(fem, down);
    fr_fem_restore(fem);
    fr_fem_add_force(fem, FR_FEM_LOAD, 0, fr_vec3(1e3, 0, 0));
    fr_fem_restore(fem); // forgets what was added
    for (int k = 0; k < 3; k++) CHECK_OK(ctx, fr_fem_step(fem, dt, down));
    CHECK(state_hash(fem) == end);
    CHECK(test_ledger(fem, down) == ledger);
    free_mixed(&mesh, fem);
    fr_context_destroy(ctx);
}

// a force that is not a number: the step says which tet broke first, and restore goes back
TEST(not_finite_is_named) {
    FrContext *ctx = test_context(2);
    FrTetMesh mesh = test_box(4, 4, 4, 1.0);
    FrMaterial material = test_material(1, 0.3, 0.01);
    FrFem *fem = test_body(ctx, &mesh, &material);
    int node = 62, first = -1;
    for (int e = mesh.tet_count - 1; e >= 0; e--)
        for (int i = 0; i < 4; i++)
            if (mesh.tet[e][i] == node) first = e;
    double bad[] = {(double)NAN, (double)INFINITY, 1e200};
    for (int k = 0; k < 3; k++) {
        fr_fem_backup(fem);
        uint64_t before = state_hash(fem);
        fr_fem_add_force(fem, FR_FEM_LOAD, node, fr_vec3(0, bad[k], 0));
        CHECK_INT(fr_fem_step(fem, 0.1, down), FR_NUMERICAL);
        char wanted[32];
        snprintf(wanted, sizeof wanted, "tet %d ", first);
        CHECK_HAS(fr_context_message(ctx), wanted);
        fr_fem_restore(fem);
        CHECK(state_hash(fem) == before);
        CHECK_OK(ctx, fr_fem_step(fem, 0.1, down));
    }
    test_end(ctx, &mesh, fem);
}

static void refused(FrContext *ctx, const FrFemDef *def, const char *part) {
    FrFem *fem = (FrFem *)&fem;
    CHECK_INT(fr_fem_create(ctx, def, &fem), FR_BAD_INPUT);
    CHECK(fem == NULL);
    CHECK_HAS(fr_context_message(ctx), part);
}

TEST(bad_bodies_are_refused) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(2, 1, 1, 1.0), bad = mesh;
    FrMaterial material = test_material(1, 0.3, 0), broken = material;
    int32_t region[12] = {0};
    FrFemDef def = {
        .mesh = &bad, .material = &material, .material_count = 1, .rotation = {1, 0, 0, 0}};
    bad.order = 2;
    refused(ctx, &def, "order is 2");
    bad = mesh;
    bad.tet_count = 0;
    refused(ctx, &def, "0 tets");
    bad = mesh;
    bad.region = region;
    region[7] = 1;
    refused(ctx, &def, "tet 7: region is 1");
    bad = mesh;
    bad.node_count = 11;
    refused(ctx, &def, "node is 11");
    bad = mesh;
    bad.tet_count = 6; // the second cell is gone, its nodes are not
    refused(ctx, &def, "belongs to no tet");
    bad = mesh;
    int32_t swap = mesh.tet[3][0];
    mesh.tet[3][0] = mesh.tet[3][1];
    mesh.tet[3][1] = swap;
    refused(ctx, &def, "tet 3");
    CHECK_HAS(fr_context_message(ctx), "volume is -");
    mesh.tet[3][1] = mesh.tet[3][0];
    mesh.tet[3][0] = swap;
    double x = mesh.x[0];
    mesh.x[0] = (double)NAN;
    refused(ctx, &def, "volume is");
    mesh.x[0] = x;
    broken.density = -1;
    def.material = &broken;
    refused(ctx, &def, "density");
    def.material = &material;
    def.rotation.w = 2;
    refused(ctx, &def, "rotation");
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

typedef struct Failing {
    long left, live;
} Failing;

static void *failing_resize(void *user, void *ptr, size_t size) {
    Failing *f = user;
    if (size == 0) {
        f->live -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    if (f->left == 0) return NULL;
    if (f->left > 0) f->left--;
    f->live += ptr == NULL;
    return realloc(ptr, size);
}

// the k-th allocation fails, for every k: no memory, no leak, no crash
TEST(every_allocation_can_fail) {
    Failing failing = {-1, 0};
    FrContextDef def = fr_context_def_default();
    def.allocator = (FrAllocator){failing_resize, &failing};
    def.tasks.workers = 1;
    FrContext *ctx = fr_context_create(&def);
    FrTetMesh mesh = test_box(3, 3, 3, 1.0);
    FrMaterial material = test_material(1, 0.3, 0);
    FrFemDef body = {
        .mesh = &mesh, .material = &material, .material_count = 1, .rotation = {1, 0, 0, 0}};
    long before = failing.live;
    for (long k = 0;; k++) {
        failing.left = k;
        FrFem *fem;
        FrResult result = fr_fem_create(ctx, &body, &fem);
        failing.left = -1;
        if (result == FR_OK) {
            CHECK(k > 20); // every array was tried
            fr_fem_destroy(fem);
            break;
        }
        CHECK_INT(result, FR_NO_MEMORY);
        CHECK_INT(failing.live, before);
    }
    CHECK_INT(failing.live, before);
    fr_fem_destroy(NULL);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// once made, a body allocates nothing
TEST(steps_do_not_allocate) {
    Failing failing = {-1, 0};
    FrContextDef def = fr_context_def_default();
    def.allocator = (FrAllocator){failing_resize, &failing};
    def.tasks.workers = 2;
    FrContext *ctx = fr_context_create(&def);
    FrTetMesh mesh = test_box(3, 3, 3, 1.0);
    FrMaterial material = test_material(1, 0.3, 0.1);
    FrFem *fem = test_body(ctx, &mesh, &material);
    failing.left = 0;
    FrStepControl control = fr_step_control_default();
    CHECK_OK(ctx, fem_advance(fem, &control, 2.0, down, NULL, NULL));
    failing.left = -1;
    test_end(ctx, &mesh, fem);
}

// uniform stretch: stress and strain of every tet are the closed form
TEST(tet_stress_and_strain) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(2, 2, 2, 0.5);
    FrMaterial material = test_material(10, 0.25, 0);
    FrFem *fem = test_body(ctx, &mesh, &material);
    double s = 1.2, p[81];
    for (int k = 0; k < 81; k++) p[k] = mesh.x[k] * (k % 3 == 0 ? s : 1.0);
    fr_fem_set_state(fem, p, NULL);
    double S = (s * s - 1) / 2 * (material.lambda + 2 * material.mu);
    for (int e = 0; e < mesh.tet_count; e++) {
        // rounding: a dozen operations on numbers of order 1
        CHECK_NEAR(fem_tet_strain(fem, e).xx, (s * s - 1) / 2, 1e-14);
        CHECK_NEAR(fem_tet_stress(fem, e).xx, s * S, 1e-13); // F S F' / J
        CHECK_NEAR(fem_tet_stress(fem, e).xy, 0, 1e-14);
    }
    FrFemEnergy energy;
    fr_fem_energy(fem, down, &energy); // one cubic metre of lambda/2 tr^2 + mu E:E
    double E = (s * s - 1) / 2;
    // rounding: sums of 48 tets
    CHECK_CLOSE(energy.elastic, (material.lambda / 2 + material.mu) * E * E, 1e-13);
    CHECK_INT(fr_fem_crushed(fem), 0);
    for (int k = 0; k < 81; k++) p[k] = mesh.x[k] * (k % 3 == 0 ? 0.2 : 1.0);
    fr_fem_set_state(fem, p, NULL);
    CHECK_INT(fr_fem_crushed(fem), 48);
    test_end(ctx, &mesh, fem);
}

// added stiffness shortens the step as a spring on the node would                            [M3]
TEST(contact_stiffness_shortens_the_step) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(2, 2, 2, 0.5);
    FrMaterial material = test_material(10, 0.25, 0);
    FrFem *fem = test_body(ctx, &mesh, &material);
    double free_dt = fr_fem_dt_limit(fem), w2 = 4 / (free_dt * free_dt);
    double k = 1e4, m = fr_fem_node_mass(fem, 13);
    fr_fem_add_stiffness(fem, 13, k / 4);
    fr_fem_add_stiffness(fem, 13, 3 * k / 4);
    // rounding: a root and a quotient
    CHECK_CLOSE(fr_fem_dt_limit(fem), 2 / sqrt(w2 + k / m), 1e-12);
    CHECK_OK(ctx, fr_fem_step(fem, 1e-3, fr_vec3_zero));
    CHECK_CLOSE(fr_fem_dt_limit(fem), free_dt, 1e-12);
    test_end(ctx, &mesh, fem);
}

// the controller: halves on energy from nothing, grows after fifty, to 0.855, never above 0.9,
// stops at the floor with a sentence; even division of the time left [M3, K9]
TEST(step_control) {
    FrContext *ctx = test_context(1);
    FrStepControl c = fr_step_control_default();
    c.budget = 0.0; // see errors_add_up
    bool ok;
    // model: an even division of 1e9 s shortens steps by up to 1e-9 of themselves
    CHECK_NEAR(fr_step_control_begin(&c, 1.0, 1e9), 0.855, 1e-9);
    CHECK_OK(ctx, fr_step_control_judge(ctx, &c, &(FrStepWatch){.error = 1.0, .scale = 10.0}, false,
                                        &ok));
    CHECK(!ok);
    CHECK_NEAR(fr_step_control_begin(&c, 1.0, 1e9), 0.4275, 1e-9);
    CHECK_OK(ctx, fr_step_control_judge(ctx, &c, &(FrStepWatch){.error = 0.0, .scale = 10.0}, true,
                                        &ok)); // not finite
    CHECK(!ok);
    for (int k = 0; k < 50; k++) {
        CHECK_NEAR(fr_step_control_begin(&c, 1.0, 1e9), 0.21375, 1e-9);
        CHECK_OK(ctx, fr_step_control_judge(ctx, &c, &(FrStepWatch){.error = -3.0, .scale = 10.0},
                                            false, &ok)); // losing is fine
        CHECK(ok);
    }
    CHECK_NEAR(c.dt, 1.1 * 0.21375, 1e-9);
    for (int k = 0; k < 2000; k++) {
        fr_step_control_begin(&c, 1.0, 100.0);
        CHECK_OK(ctx, fr_step_control_judge(
                          ctx, &c, &(FrStepWatch){.error = 1e-4 * 10, .scale = 10.0}, false, &ok));
    }
    CHECK(c.dt <= 0.855 && c.dt >= 0.95 * 0.855);
    double kept = c.dt; // a limit that swings by a twentieth changes nothing
    for (int k = 0; k < 500; k++) {
        fr_step_control_begin(&c, 1.0 + 0.05 * sin(k), 1e9);
        CHECK_OK(ctx, fr_step_control_judge(ctx, &c, &(FrStepWatch){.scale = 10.0}, false, &ok));
        CHECK(c.dt == kept);
    }
    CHECK_NEAR(fr_step_control_begin(&c, 0.5, 1e9), 0.4275, 1e-9); // the limit fell
    // rounding: 0.4275 does not divide 1
    CHECK_NEAR(fr_step_control_begin(&c, 1.0, 1.0), 1.0 / 3, 1e-12);
    CHECK_INT(c.accepted, 2550);
    CHECK_INT(c.rejected, 2);
    FrWriter writer;
    fr_writer_init(&writer, ctx);
    fr_step_control_save(&c, &writer);
    FrStepControl d = {0};
    FrReader reader;
    for (size_t cut = 0; cut < writer.size; cut++) {
        fr_reader_init(&reader, writer.data, cut);
        CHECK_INT(fr_step_control_load(ctx, &d, &reader), FR_BAD_INPUT);
    }
    fr_reader_init(&reader, writer.data, writer.size);
    CHECK_OK(ctx, fr_step_control_load(ctx, &d, &reader));
    CHECK(c.dt == d.dt && c.reference == d.reference && c.accepted == d.accepted &&
          c.good == d.good && c.patience == d.patience && c.used == d.used && c.drift == d.drift);
    fr_writer_free(&writer);
    FrResult result = FR_OK;
    for (int k = 0; k < 12 && result == FR_OK; k++) {
        fr_step_control_begin(&c, 1.0, 100.0);
        result =
            fr_step_control_judge(ctx, &c, &(FrStepWatch){.error = 1.0, .scale = 10.0}, false, &ok);
    }
    CHECK_INT(result, FR_NUMERICAL);
    CHECK_HAS(fr_context_message(ctx), "energy from nothing");
    fr_context_destroy(ctx);
}

// a cap is a cap: however well it goes, no step is longer
TEST(safety_is_a_cap) {
    FrContext *ctx = test_context(1);
    FrStepControl c = fr_step_control_default();
    fr_step_control_cap(&c, 0.3);
    bool ok;
    for (int k = 0; k < 1000; k++) {
        CHECK(fr_step_control_begin(&c, 1.0 + 0.2 * cos(0.1 * k), 1e9) <=
              0.3 * (1.0 + 0.2 * cos(0.1 * k)));
        CHECK_OK(ctx, fr_step_control_judge(ctx, &c, &(FrStepWatch){.scale = 10.0}, false, &ok));
    }
    CHECK(c.dt > 0.2);
    fr_context_destroy(ctx);
}

// Errors of one sign are added up, and steps shorten before their sum passes the budget. Here every
// step of length dt loses 1e-4 dt^3 of the energy, as in a hard blow: fifty steps at 0.8 of the
// limit would lose 2.6e-3.
TEST(errors_add_up) {
    FrContext *ctx = test_context(1);
    FrStepControl c = fr_step_control_default();
    bool ok;
    double time = 0, lost = 0;
    while (time < 40.0) {
        double dt = fr_step_control_begin(&c, 1.0, 1e9), error = 1e-3 * dt * dt * dt;
        CHECK_OK(ctx, fr_step_control_judge(ctx, &c, &(FrStepWatch){.error = -error, .scale = 10.0},
                                            false, &ok));
        CHECK(ok && c.part >= 0.25);
        time += dt;
        lost += error;
    }
    CHECK_NEAR(c.drift, -lost, TOL_EXACT); // rounding: the same sum
    CHECK(lost < 8e-3 && lost > 2e-3);
    CHECK(c.part < 0.6);
    // the energy halves again and again: steps grow back
    for (int k = 0; k < 2000; k++) {
        fr_step_control_begin(&c, 1.0, 1e9);
        FrStepWatch quiet = {.scale = 10.0 * pow(0.997, k)};
        CHECK_OK(ctx, fr_step_control_judge(ctx, &c, &quiet, false, &ok));
    }
    CHECK(c.part == 1.0 && c.dt > 0.8);
    // swings that cancel cost nothing; neither does a millionth, nor what a change would make worse
    c = fr_step_control_default();
    for (int k = 0; k < 800; k++) {
        fr_step_control_begin(&c, 1.0, 1e9);
        FrStepWatch swing = {.error = k % 2 ? 1e-4 : -1e-4, .scale = 10.0};
        if (k % 4 == 3) swing.error += 9e-6;
        if (k >= 400) swing = (FrStepWatch){.error = 5e-4, .scale = 10.0, .jolt = 9e-3};
        CHECK_OK(ctx, fr_step_control_judge(ctx, &c, &swing, false, &ok));
        CHECK(c.part == 1.0);
    }
    CHECK_NEAR(c.dt, 0.855, 1e-12); // rounding: 0.9 x 0.95
    fr_context_destroy(ctx);
}

// the benchmark measures something; how fast is not a test's business
TEST(bench_gives_numbers) {
    FrContext *ctx = test_context(1);
    FrFemBench b;
    CHECK_OK(ctx, fr_fem_bench(ctx, 1300, 0.01, true, &b));
    CHECK_INT(b.tets, 6 * 6 * 6 * 6);
    CHECK_INT(b.nodes, 7 * 7 * 7);
    CHECK(b.kernel_seconds > 0 && b.step_seconds > 0 && b.kernel_ratio > 0 && b.step_ratio > 0);
    CHECK(b.peak.clock_hz > 1e8 && b.peak.mixed > 1e8 && b.peak.of_pipes > 0.1);
    // rounding: of the same three numbers
    CHECK_CLOSE(b.kernel_flops, FR_FEM_FLOPS_PER_TET * b.tets / b.kernel_seconds, 1e-12);
    fr_context_destroy(ctx);
}
