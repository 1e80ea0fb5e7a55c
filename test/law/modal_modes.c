// modal_modes.c: frequencies and shapes of bodies whose answer is known.

#include "modal_kit.h"
#include "mesh/structured.h"
#include "backend/backend.h"
#include "beam_kit.h"
#include "mesh/stuffing.h"
#include "modal/compute.h"

static FrModes modes_of(FrContext *ctx, const FrModalDef *def, FrModesReport *report) {
    FrModes modes;
    CHECK_OK(ctx, fr_modes_compute(ctx, def, &modes, report));
    return modes;
}
static double hz(const FrModes *m, int32_t i) { return sqrt(m->lambda[i]) / (2.0 * FR_PI); }

static double ball_at(const void *user, FrVec3 x) {
    (void)user;
    return fr_length(x) - 1.0;
}

static FrTetMesh ball(FrContext *ctx, double cell) {
    FrField field = {ball_at, NULL, {{-1, -1, -1}, {1, 1, 1}}};
    FrStuffingOptions options = fr_stuffing_options_default(cell);
    FrTetMesh linear, mesh;
    CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &linear, NULL));
    CHECK_OK(ctx, fr_tetmesh_order2(ctx, &linear, &field, &mesh, NULL));
    fr_tetmesh_free(ctx, &linear);
    return mesh;
}

// Lamb's roots of a free sphere, omega a / c_s: torsion n = 2 (5 times), spheroidal n = 2 (5), ...
TEST(eig_sphere) {
    FrContext *ctx = make_modal_context(2);
    FrTetMesh mesh = ball(ctx, 0.42);
    const double poisson[2] = {0.25, 0.33}, spheroidal[2] = {2.6399, 2.6497},
                 breathing[2] = {2.5634, 2.7363};
    for (int k = 0; k < 2; k++) {
        FrMaterial m = kit_material(1.0, 1.0, poisson[k]);
        double cs = fr_wave_speed_s(&m), cp = fr_wave_speed_p(&m);
        FrModalDef def = {.mesh = &mesh, .material = &m, .material_count = 1, .count = 60};
        FrModesReport report;
        FrModes modes = modes_of(ctx, &def, &report);
        CHECK_INT(modes.rigid_count, 6);
        // mesh: quadratic tets of 0.4 radii: some 1e-3 high, and the five of a multiplet nearly
        // alike
        for (int i = 0; i < 5; i++) CHECK_CLOSE(sqrt(modes.lambda[i]) / cs, 2.50113, 2e-3);
        for (int i = 5; i < 10; i++) CHECK_CLOSE(sqrt(modes.lambda[i]) / cs, spheroidal[k], 2e-3);
        int torsion3 = 0, breath = 0;
        for (int32_t i = 10; i < modes.mode_count; i++) {
            torsion3 += fabs(sqrt(modes.lambda[i]) / cs / 3.86470 - 1.0) < 4e-3;
            breath += fabs(sqrt(modes.lambda[i]) / cp / breathing[k] - 1.0) < 2e-3;
        }
        CHECK(torsion3 >= 7); // 7 of its own; for some nu others are as near
        CHECK(breath >= 1);
        // solver: what the eigensolver promises
        CHECK(report.eigen.residual < 1e-6 && report.eigen.orthogonality < 1e-8);
        CHECK_INT(report.eigen.counted >= 60, 1);
        fr_modes_free(ctx, &modes);
    }
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// a square bar of 20 thicknesses, 1,925 nodes: bending and stretching
TEST(solid_beam_is_timoshenkos) {
    FrContext *ctx = make_modal_context(2);
    FrMaterial m = kit_material(7800.0, 2e11, 0.3);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.2, 0.01, 0.01), 38, 2, 2, 2);
    CHECK_INT(mesh.order, 2);
    CHECK_INT(mesh.node_count, 1925); // 2,000 are allowed
    FrModalDef def = {.mesh = &mesh, .material = &m, .material_count = 1, .max_hz = 30e3};
    FrModes modes = modes_of(ctx, &def, NULL);
    Beam beam = beam_box(0.2, 0.01, 0.01, 7800.0, 2e11, 0.3);
    // 0.02 % and 0.07 % high here; 60 x 3 x 3 cells leave 0.01 % and 0.04 %: the theory's own
    for (int k = 0; k < 2; k++) {
        double wanted = beam_bending(&beam, k);
        int found = 0;
        for (int32_t i = 0; i < modes.mode_count; i++)
            found += fabs(hz(&modes, i) / wanted - 1.0) < 1e-3;
        CHECK_INT(found, 2); // both directions
    }
    // stretching: n c / 2L less the sideways inertia (Rayleigh): nu^2 (pi n)^2 I_p / (2 A L^2)
    double c = sqrt(2e11 / 7800.0), lateral = 0.09 * FR_PI * FR_PI * (1e-4 / 6.0) / (2.0 * 0.04);
    double stretch = c / 0.4 * (1.0 - lateral), nearest = HUGE_VAL;
    for (int32_t i = 0; i < modes.mode_count; i++)
        nearest = fr_min(nearest, fabs(hz(&modes, i) / stretch - 1.0));
    CHECK(nearest < 1e-3); // model: Rayleigh's, and Timoshenko's below, to the next power of h / L
    CHECK_CLOSE(hz(&modes, 0), beam_bending(&beam, 0), 1e-3); // model: as above
    fr_modes_free(ctx, &modes);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// a clamped bar: nodes held at one end, no rigid motion left, the cantilever's pitch
TEST(held_nodes_make_a_cantilever) {
    FrContext *ctx = make_modal_context(1);
    FrMaterial m = kit_material(7800.0, 2e11, 0.0); // no Poisson effect at the clamp
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.4, 0.01, 0.01), 24, 1, 1, 2);
    uint8_t *held = calloc((size_t)mesh.node_count, 1);
    for (int32_t n = 0; n < mesh.node_count; n++) held[n] = mesh.x[3 * n] < -0.2 + 1e-9;
    FrModalDef def = {.mesh = &mesh, .material = &m, .material_count = 1, .count = 2, .held = held};
    FrModes modes = modes_of(ctx, &def, NULL);
    CHECK_INT(modes.rigid_count, 0);
    double euler =
        1.8751040687 * 1.8751040687 / (2.0 * FR_PI * 0.16) * sqrt(2e11 * 1e-4 / (12.0 * 7800.0));
    // model: shear and turning inertia: some (h / L)^2 = 6e-4 lower
    CHECK_CLOSE(hz(&modes, 0), euler, 2e-3);
    for (int32_t n = 0; n < mesh.node_count; n++)
        if (held[n]) CHECK(modes.shape[3 * n] == 0.0 && modes.shape[3 * n + 2] == 0.0);
    fr_modes_free(ctx, &modes);
    // one held corner leaves three turns, a held edge one
    for (int corners = 1; corners <= 2; corners++) {
        memset(held, 0, (size_t)mesh.node_count);
        for (int32_t n = 0; n < mesh.corner_count; n++)
            held[n] = mesh.x[3 * n] < -0.2 + 1e-9 && mesh.x[3 * n + 1] < 0 &&
                      (corners == 2 || mesh.x[3 * n + 2] < 0);
        modes = modes_of(ctx, &def, NULL);
        CHECK_INT(modes.rigid_count, corners == 1 ? 3 : 1);
        CHECK(modes.lambda[0] > 1e3);
        fr_modes_free(ctx, &modes);
    }
    free(held);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// the sparse way finds what the dense way finds, shapes too
TEST(lanczos_is_lapack) {
    FrContext *ctx = make_modal_context(1);
    FrMaterial m = kit_material(1.0, 1.0, 0.3);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(1.0, 0.7, 0.45), 5, 4, 3, 1);
    FrModalDef def = {.mesh = &mesh, .material = &m, .material_count = 1, .count = 30};
    FrModesReport sparse, dense;
    for (int lumped = 0; lumped < 2; lumped++) {
        def.lumped = lumped;
        // 120 nodes: 360 unknowns go to LAPACK; two copies that do not touch are over its limit
        FrModes full = modes_of(ctx, &def, &dense);
        FrTetMesh twice;
        CHECK_OK(ctx,
                 fr_tetmesh_alloc(ctx, 2 * mesh.node_count, 2 * mesh.tet_count, 1, false, &twice));
        for (int32_t n = 0; n < 2 * mesh.node_count; n++) {
            FrVec3 x = fr_get3(mesh.x, n % mesh.node_count);
            fr_set3(twice.x, n,
                    n < mesh.node_count ? x : fr_add(fr_scale(1.5, x), fr_vec3(5, 0, 0)));
        }
        for (int32_t e = 0; e < 2 * mesh.tet_count; e++)
            for (int i = 0; i < 4; i++)
                twice.tet[e][i] =
                    mesh.tet[e % mesh.tet_count][i] + (e < mesh.tet_count ? 0 : mesh.node_count);
        FrModalDef both = def;
        both.mesh = &twice;
        both.count = 60;
        FrModes some;
        CHECK_INT(fr_modes_compute(ctx, &both, &some, &sparse), FR_BAD_INPUT);
        CHECK_HAS(fr_context_message(ctx), "2 parts that do not touch");
        both.parts = true;
        some = modes_of(ctx, &both, &sparse);
        CHECK(dense.eigen.dense && !sparse.eigen.dense);
        CHECK_INT(some.rigid_count, 12);
        CHECK_INT(sparse.eigen.counted, 60);
        // every one of the first copy is there, and every one of the larger, 1.5 times lower
        for (int32_t i = 0; i < 20; i++)
            for (int k = 0; k < 2; k++) {
                double wanted = full.lambda[i] / (k ? 2.25 : 1.0), nearest = HUGE_VAL;
                for (int32_t j = 0; j < some.mode_count; j++)
                    nearest = fr_min(nearest, fabs(some.lambda[j] / wanted - 1.0));
                if (wanted < 0.999 * some.lambda[59])
                    CHECK(nearest < 1e-10); // squares of 1e-8 over gaps of 1e-3, and rounding
            }
        fr_modes_free(ctx, &full);
        fr_modes_free(ctx, &some);
        fr_tetmesh_free(ctx, &twice);
    }
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// X' M X = 1 and W^-1 = W' M (E35), by sums over tets of their own
TEST(shapes_are_mass_normalised) {
    FrContext *ctx = make_modal_context(1);
    FrMaterial m = kit_material(2700.0, 7e10, 0.33);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.1, 0.08, 0.05), 4, 3, 3, 2);
    FrModalDef def = {.mesh = &mesh, .material = &m, .material_count = 1, .count = 12};
    FrModes modes = modes_of(ctx, &def, NULL);
    size_t stride = 3 * (size_t)mesh.node_count;
    double G[12][12] = {{0}};
    for (int32_t e = 0; e < mesh.tet_count; e++) {
        double M[100];
        int32_t node[FR_TET_NODES], count = fr_tet_nodes(&mesh, e, node);
        CHECK(fr_tet_mass(&mesh, e, m.density, false, M));
        for (int a = 0; a < 12; a++)
            for (int b = 0; b < 12; b++)
                for (int32_t i = 0; i < count; i++)
                    for (int32_t j = 0; j < count; j++)
                        G[a][b] += M[count * i + j] *
                                   fr_dot(fr_get3(modes.shape + stride * (size_t)a, node[i]),
                                          fr_get3(modes.shape + stride * (size_t)b, node[j]));
    }
    for (int a = 0; a < 12; a++)
        // solver: vectors are orthonormal to rounding
        for (int b = 0; b < 12; b++) CHECK_NEAR(G[a][b], a == b, 1e-12);
    fr_modes_free(ctx, &modes);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// E38: recomputed or rescaled, the same; S4 forgets the shapes
TEST(rescale_rules) {
    FrContext *ctx = make_modal_context(1);
    FrMaterial m = kit_material(2700.0, 7e10, 0.33),
               other = kit_material(7.0 * 2700.0, 3.0 * 7e10, 0.33);
    FrTetMesh small = kit_box(ctx, fr_vec3(0.1, 0.08, 0.05), 3, 3, 3, 1);
    FrTetMesh large = kit_box(ctx, fr_vec3(0.5, 0.4, 0.25), 3, 3, 3, 1);
    FrModalDef def = {.mesh = &small, .material = &m, .material_count = 1, .count = 8};
    FrModes from = modes_of(ctx, &def, NULL);
    def.mesh = &large;
    def.material = &other;
    FrModes to = modes_of(ctx, &def, NULL);
    fr_modes_rescale(&from, (FrRescale){3.0, 7.0, 5.0});
    for (int32_t i = 0; i < 8; i++) {
        // solver: eigenvalues converge to some 1e-12, vectors to the root of that
        CHECK_CLOSE(from.lambda[i], to.lambda[i], 1e-10);
        for (int32_t k = 0; k < 3 * small.node_count; k++) {
            size_t at = (size_t)i * 3 * (size_t)small.node_count + (size_t)k;
            CHECK_NEAR(from.shape[at], to.shape[at],
                       1e-7 * fabs(to.shape[(size_t)i * 3 * (size_t)small.node_count]) + 1e-6);
        }
    }
    fr_modes_free(ctx, &from);
    fr_modes_free(ctx, &to);
    fr_tetmesh_free(ctx, &small);
    fr_tetmesh_free(ctx, &large);
    fr_context_destroy(ctx);
}

// blocks of 5 cm and boxes of 50 cm: the ratio is 10
TEST(ten_times_the_size_is_a_tenth_of_the_pitch) {
    FrContext *ctx = make_modal_context(1);
    FrMaterial m = {.name = "wood", .density = 550.0, .lambda = 5e8, .mu = 1e8};
    FrModes modes[2];
    for (int k = 0; k < 2; k++) {
        double size = k ? 0.5 : 0.05;
        FrBox box = fr_box_grow((FrBox){fr_vec3_zero, fr_vec3_zero}, 0.5 * size);
        FrTetMesh full;
        CHECK_OK(ctx, fr_mesh_hollow_box(ctx, box, 0.05 * size, size / 12, &full));
        FrModalDef def = {.mesh = &full, .material = &m, .material_count = 1, .count = 6};
        modes[k] = modes_of(ctx, &def, NULL);
        fr_tetmesh_free(ctx, &full);
    }
    // solver: eigenvalues to some 1e-12
    for (int32_t i = 0; i < 6; i++) CHECK_CLOSE(hz(&modes[0], i) / hz(&modes[1], i), 10.0, 1e-11);
    fr_modes_free(ctx, &modes[0]);
    fr_modes_free(ctx, &modes[1]);
    fr_context_destroy(ctx);
}

// lowest elastic frequency of a cube: 10-node tets err as h^4, linear ones as h^2
TEST(convergence_order) {
    FrContext *ctx = make_modal_context(2);
    FrMaterial m = kit_material(1.0, 1.0, 0.3);
    double lambda[2][4];
    for (int order = 1; order <= 2; order++)
        for (int k = 0; k < (order == 1 ? 3 : 4); k++) {
            int n = order == 1 ? 4 << k : k < 3 ? 2 << k : 12;
            FrTetMesh mesh = kit_box(ctx, fr_vec3(1, 1, 1), n, n, n, order);
            FrModalDef def = {.mesh = &mesh, .material = &m, .material_count = 1, .count = 1};
            FrModes modes = modes_of(ctx, &def, NULL);
            lambda[order - 1][k] = modes.lambda[0];
            fr_modes_free(ctx, &modes);
            fr_tetmesh_free(ctx, &mesh);
        }
    // the finest of the better element is the reference
    double exact = lambda[1][3];
    double linear = log2((lambda[0][0] - exact) / (lambda[0][2] - exact)) / 2.0;
    double quadratic = log2((lambda[1][1] - exact) / (lambda[1][2] - exact));
    CHECK_NEAR(linear, 2.0, 0.3);    // mesh: the next power of h
    CHECK_NEAR(quadratic, 4.0, 0.4); // mesh: the reference itself errs by a fifth of the finer one
    for (int order = 0; order < 2; order++)
        CHECK(lambda[order][0] > lambda[order][1]); // from above
    fr_context_destroy(ctx);
}

// lumping lowers, a consistent mass raises; both come together with refinement
TEST(lumped_is_below_consistent) {
    FrContext *ctx = make_modal_context(1);
    FrMaterial m = kit_material(1.0, 1.0, 0.3);
    for (int order = 1; order <= 2; order++) {
        FrTetMesh mesh = kit_box(ctx, fr_vec3(1, 0.8, 0.6), 5, 4, 3, order);
        double lambda[2];
        for (int lumped = 0; lumped < 2; lumped++) {
            FrModalDef def = {
                .mesh = &mesh, .material = &m, .material_count = 1, .count = 4, .lumped = lumped};
            FrModes modes = modes_of(ctx, &def, NULL);
            lambda[lumped] = modes.lambda[0];
            fr_modes_free(ctx, &modes);
        }
        CHECK(lambda[1] < lambda[0]);
        CHECK_CLOSE(lambda[1], lambda[0], 0.25); // mesh: (k h)^2 of five cells
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

TEST(same_bits_for_any_number_of_workers) {
    FrMaterial m = kit_material(2700.0, 7e10, 0.33);
    FrContext *first = make_modal_context(1);
    FrTetMesh mesh = kit_box(first, fr_vec3(0.1, 0.08, 0.05), 6, 5, 4, 2);
    FrModalDef def = {.mesh = &mesh, .material = &m, .material_count = 1, .count = 20};
    FrModes one = modes_of(first, &def, NULL);
    for (int workers = 2; workers <= 3; workers++) {
        FrContext *ctx = make_modal_context(workers);
        FrModes more = modes_of(ctx, &def, NULL);
        CHECK(!memcmp(one.lambda, more.lambda, 20 * sizeof(double)));
        CHECK(!memcmp(one.shape, more.shape, 20 * 3 * (size_t)mesh.node_count * sizeof(double)));
        fr_modes_free(ctx, &more);
        fr_context_destroy(ctx);
    }
    fr_modes_free(first, &one);
    fr_tetmesh_free(first, &mesh);
    fr_context_destroy(first);
}

// Of modes that share an eigenvalue each takes all of where they and those behind it move most, and
// they are orthonormal all the same: equal boxes ring one by one.
static void check_settled(const FrModes *modes, int32_t first, int32_t count) {
    int32_t size = 3 * modes->node_count;
    for (int32_t k = 0; k < count; k++) {
        const double *x = modes->shape + (size_t)(first + k) * (size_t)size;
        int32_t most = 0;
        for (int32_t i = 0; i < size; i++)
            if (fabs(x[i]) > (1 + 1e-5) * fabs(x[most])) most = i;
        // solver: vectors converge to the root of what eigenvalues do
        for (int32_t c = k + 1; c < count; c++)
            CHECK(fabs(modes->shape[(size_t)(first + c) * (size_t)size + (size_t)most]) <
                  1e-6 * fabs(x[most]));
        // a box has all of a mode, or nothing
        int32_t own = most / (size / count);
        for (int32_t i = 0; i < size; i++)
            CHECK(i / (size / count) == own || fabs(x[i]) < 1e-5 * fabs(x[most]));
    }
}

// twelve equal boxes ring alike: every eigenvalue comes twelve times, by count and by limit
TEST(equal_parts_ring_alike) {
    FrContext *ctx = make_modal_context(1);
    FrMaterial m = kit_material(1.0, 1.0, 0.3);
    FrTetMesh one = kit_box(ctx, fr_vec3(1, 0.8, 0.6), 2, 2, 2, 1), all;
    enum { PARTS = 12 };
    int32_t nodes = one.node_count, tets = one.tet_count;
    CHECK_OK(ctx, fr_tetmesh_alloc(ctx, PARTS * nodes, PARTS * tets, 1, false, &all));
    for (int32_t n = 0; n < PARTS * nodes; n++)
        fr_set3(all.x, n, fr_add(fr_get3(one.x, n % nodes), fr_vec3(3.0 * (n / nodes), 0, 0)));
    for (int32_t e = 0; e < PARTS * tets; e++)
        for (int i = 0; i < 4; i++) all.tet[e][i] = one.tet[e % tets][i] + e / tets * nodes;
    for (int limited = 0; limited < 2; limited++) {
        FrModalDef def = {.mesh = &all, .material = &m, .material_count = 1, .parts = true};
        if (limited)
            def.max_hz = 0.46; // between the first two of a box, 0.425 and 0.487 Hz
        else
            def.count = 2 * PARTS;
        FrModesReport report;
        FrModes modes = modes_of(ctx, &def, &report);
        CHECK_INT(modes.rigid_count, 6 * PARTS);
        CHECK_INT(modes.mode_count, limited ? PARTS : 2 * PARTS);
        for (int32_t i = 0; i < modes.mode_count; i++)
            // solver: eigenvalues to some 1e-13
            CHECK_CLOSE(modes.lambda[i], modes.lambda[i / PARTS * PARTS], 1e-10);
        for (int32_t i = 0; i < modes.mode_count; i += PARTS) check_settled(&modes, i, PARTS);
        fr_modes_free(ctx, &modes);
    }
    fr_tetmesh_free(ctx, &one);
    fr_tetmesh_free(ctx, &all);
    fr_context_destroy(ctx);
}
