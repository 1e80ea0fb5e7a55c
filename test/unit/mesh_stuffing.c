// mesh_stuffing.c: isosurface stuffing keeps its angles, its surface and its volume, for any shape.

#include "mesh_support.h"
#include "base/clock.h"
#include "mesh/lattice.h"
#include "mesh/stuffing.h"
#include "base/random.h"

static const Body ball = {.kind = BALL, .a = 1, .turn = {1, 0, 0, 0}};

static FrQuat random_turn(FrRandom *r) {
    double w[3];
    for (int k = 0; k < 3; k++) w[k] = fr_random_range(r, -3, 3);
    return fr_quat_from_rotation(fr_vec3(w[0], w[1], w[2]));
}

static Body random_body(uint64_t seed) {
    FrRandom r = fr_random_for(seed, "stuffing-test", 0);
    Body body = {.kind = (BodyKind)(seed % 7)};
    body.a = fr_random_range(&r, 0.8, 1.2);
    body.b = fr_random_range(&r, 0.45, 0.6);
    body.c = fr_random_range(&r, 0.45, 0.9);
    body.turn = random_turn(&r);
    double at[3];
    for (int k = 0; k < 3; k++) at[k] = fr_random_range(&r, -5, 5);
    body.at = fr_vec3(at[0], at[1], at[2]);
    return body;
}

// one background tet, its corners in half cells: centres of cells 0 1, corners 2 3. The two kinds
// differ in the parities of the corners
static const int32_t tet_at[2][4][3] = {{{5, 5, 5}, {7, 5, 5}, {6, 4, 4}, {6, 6, 4}},
                                        {{5, 5, 5}, {7, 5, 5}, {6, 4, 6}, {6, 6, 6}}};

static int direction_of(const int32_t *a, const int32_t *b) {
    int32_t d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    if (d[0] && d[1] && d[2]) return 6 + (d[0] > 0) + 2 * (d[1] > 0) + 4 * (d[2] > 0);
    int axis = d[0] ? 0 : d[1] ? 1 : 2;
    return 2 * axis + (d[axis] > 0);
}

static double limit_of(int direction) {
    return direction < 6 ? FR_STUFF_ALPHA_LONG : FR_STUFF_ALPHA_SHORT;
}

// move a surface corner along one of its 14 edges, mostly as far as it may go
static int warp_corner(FrRandom *r, FrLatticeNode *node) {
    int d = fr_random_below(r, 14);
    double t = limit_of(d) * (fr_random_below(r, 4) ? 1 : fr_random_unit(r));
    double v[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        if (d >= 6) v[k] = (d - 6) >> k & 1 ? 1 : -1;
    if (d < 6) v[d / 2] = d & 1 ? 2 : -2;
    node->at = fr_axpy(t, fr_vec3(v[0], v[1], v[2]), node->at);
    return d;
}

typedef struct OneTet {
    FrLatticeNode node[4];
    FrCut cut[4];
    FrLattice lattice;
} OneTet;

static void cut_edges(OneTet *one, FrRandom *r, const int *sign, const int32_t (*at)[3], int a) {
    for (int d = 0; d < 14; d++)
        for (int b = 0; b < 4; b++) {
            if (sign[b] != 0 || direction_of(at[a], at[b]) != d) continue;
            int kind = fr_random_below(r, 3);
            double lim = limit_of(d), u = fr_random_unit(r);
            double t = kind == 0 ? lim : kind == 1 ? 1 - lim : lim + u * (1 - 2 * lim);
            one->node[a].cut_mask |= (uint16_t)(1u << d);
            FrVec3 x = fr_lerp(one->node[a].at, one->node[b].at, t);
            one->cut[one->lattice.cut.count++] = (FrCut){a, b, t, x};
        }
}

// signs: 0 outside, 1 on the surface, 2 inside. False: two corners went to the same cut point
static bool make_one(OneTet *one, FrRandom *r, const int *sign, const int32_t (*at)[3]) {
    int way[4] = {-1, -1, -1, -1};
    for (int k = 0; k < 4; k++) {
        FrLatticeNode node = {
            .x = (uint32_t)at[k][0], .y = (uint32_t)at[k][1], .z = (uint32_t)at[k][2]};
        node.value = 1 - sign[k];
        node.at = fr_vec3(at[k][0], at[k][1], at[k][2]);
        one->node[k] = node;
        if (sign[k] == 1) way[k] = warp_corner(r, &one->node[k]);
    }
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            if (a != b && way[a] >= 0 && way[a] == direction_of(at[a], at[b]) &&
                way[b] == direction_of(at[b], at[a]))
                return false;
    for (int a = 0; a < 4; a++) {
        one->node[a].cut_start = one->lattice.cut.count;
        if (sign[a] == 2) cut_edges(one, r, sign, at, a);
    }
    return true;
}

static void widen_bounds(const FrTetMesh *mesh, double *least, double *most) {
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrVec3 p[4];
        double angle[6];
        for (int i = 0; i < 4; i++) p[i] = fr_get3(mesh->x, mesh->tet[e][i]);
        fr_tet_dihedrals(p, angle);
        for (int i = 0; i < 6; i++) {
            *least = fr_min(*least, angle[i] * 180 / FR_PI);
            *most = fr_max(*most, angle[i] * 180 / FR_PI);
        }
    }
}

// every stencil, its points at the extremes of every place they may take
TEST(stencils_keep_the_angle_bounds) {
    FrContext *ctx = make_context(1);
    FrRandom r = fr_random_for(3, "stencils", 0);
    double least = 180, most = 0;
    static OneTet one;
    for (int code = 0; code < 162; code++) {
        int sign[4] = {code % 3, code / 3 % 3, code / 9 % 3, code / 27 % 3};
        if (sign[0] != 2 && sign[1] != 2 && sign[2] != 2 && sign[3] != 2) continue;
        for (int k = 0; k < 1500; k++) {
            int32_t all[4] = {0, 1, 2, 3};
            one = (OneTet){0};
            FrLattice *L = &one.lattice;
            if (!make_one(&one, &r, sign, tet_at[code / 81])) continue;
            L->ctx = ctx;
            L->options = fr_stuffing_options_default(1);
            L->node.data = one.node, L->node.count = 4;
            L->cut.data = one.cut;
            L->tet.data = (void *)all, L->tet.count = 1;
            CHECK_OK(ctx, fr_lattice_fill(L));
            widen_bounds(&L->mesh, &least, &most);
            fr_tetmesh_free(ctx, &L->mesh);
        }
    }
    if (getenv("FRACAS_BENCH")) printf("stencils: dihedral %.3f to %.3f\n", least, most);
    CHECK(least >= 10.7);
    CHECK(most <= 164.8);
    fr_context_destroy(ctx);
}

static FrStuffingReport stuff_within_bounds(FrContext *ctx, const FrField *field,
                                            const FrStuffingOptions *options, FrTetMesh *mesh,
                                            FrMeshQuality *q) {
    FrStuffingReport report;
    CHECK_OK(ctx, fr_mesh_stuff(ctx, field, options, mesh, &report));
    check_mesh(ctx, mesh);
    CHECK_OK(ctx, fr_tetmesh_quality(ctx, mesh, q));
    CHECK(q->min_dihedral >= 10.7);
    CHECK(q->max_dihedral <= 164.8);
    return report;
}

TEST(uniform_angles_stay_within_the_bounds) {
    FrContext *ctx = make_context(2);
    double least = 180, most = 0;
    for (uint64_t seed = 0; seed < 28; seed++) {
        Body body = random_body(seed);
        FrField field = body_field(&body);
        FrStuffingOptions options = fr_stuffing_options_default(0.17 + 0.002 * (double)seed);
        options.thin = FR_THIN_ALLOW;
        FrTetMesh mesh;
        FrMeshQuality q;
        FrStuffingReport report = stuff_within_bounds(ctx, &field, &options, &mesh, &q);
        least = fr_min(least, q.min_dihedral);
        most = fr_max(most, q.max_dihedral);
        CHECK_INT(q.sliver_count, 0);
        FrSurfaceCheck facts = surface_facts(ctx, &mesh);
        CHECK_INT(facts.nonmanifold_edges, report.nonmanifold_edges);
        CHECK_INT(facts.nonmanifold_edges, 0);
        CHECK_INT(facts.nonmanifold_nodes, 0);
        CHECK_NEAR(report.sampled_volume, report.volume,
                   0.12 * report.volume); // mesh: corners cut off at 5 cells per side
        // every surface node is on the surface, to rounding of its coordinates
        FrSurface surface;
        CHECK_OK(ctx, fr_tetmesh_surface(ctx, &mesh, &surface));
        double worst = 0;
        for (int32_t k = 0; k < surface.tri_count; k++)
            for (int j = 0; j < 3; j++)
                worst =
                    fr_max(worst, fabs(fr_field_at(&field, fr_get3(mesh.x, surface.tri[k][j]))));
        CHECK(worst < 1e-12); // rounding
        fr_surface_free(ctx, &surface);
        fr_tetmesh_free(ctx, &mesh);
    }
    if (getenv("FRACAS_BENCH")) printf("uniform: dihedral %.3f to %.3f\n", least, most);
    fr_context_destroy(ctx);
}

TEST(graded_angles_stay_within_the_measured_bounds) {
    FrContext *ctx = make_context(2);
    double least = 180, most = 0;
    for (uint64_t seed = 100; seed < 124; seed++) {
        Body body = random_body(seed);
        FrField field = body_field(&body);
        FrStuffingOptions options =
            fr_stuffing_options_default(0.07 + 0.001 * (double)(seed - 100));
        options.thin = FR_THIN_ALLOW;
        options.graded = true;
        FrTetMesh mesh;
        FrMeshQuality q;
        stuff_within_bounds(ctx, &field, &options, &mesh, &q);
        least = fr_min(least, q.min_dihedral);
        most = fr_max(most, q.max_dihedral);
        CHECK_INT(surface_facts(ctx, &mesh).nonmanifold_edges, 0);
        fr_tetmesh_free(ctx, &mesh);
    }
    if (getenv("FRACAS_BENCH")) printf("graded: dihedral %.3f to %.3f\n", least, most);
    fr_context_destroy(ctx);
}

static FrStuffingReport material(FrContext *ctx, const FrField *field, double size, bool graded,
                                 FrTetMesh *mesh) {
    FrStuffingOptions options = fr_stuffing_options_default(size);
    FrStuffingReport report;
    options.graded = graded;
    CHECK_OK(ctx, fr_mesh_stuff(ctx, field, &options, mesh, &report));
    return report;
}

// chords inside the surface: volume errors fall as h^2; topology is that of the shape
TEST(volumes_converge_to_closed_forms) {
    FrContext *ctx = make_context(2);
    FrQuat turn = fr_quat_from_rotation(fr_vec3(0.4, 0.8, -0.3));
    Body body[4] = {{BALL, 1, 0, 0, turn, {0.1, 0.2, 0.3}},
                    {TORUS, 1, 0.5, 0, turn, {0.1, 0.2, 0.3}},
                    {ROD, 0.8, 0.7, 0, turn, {0.1, 0.2, 0.3}},
                    {PAIR, 0.5, 1, 0, turn, {0.1, 0.2, 0.3}}};
    double exact[4] = {4 * FR_PI / 3, 2 * FR_PI * FR_PI * 0.25, FR_PI * 0.64 * 1.4,
                       2 * 4 * FR_PI / 3 * 0.125};
    int32_t euler[4] = {2, 0, 2, 4};
    for (int b = 0; b < 4; b++) {
        FrField field = body_field(&body[b]);
        double error[2];
        for (int k = 0; k < 2; k++) {
            FrTetMesh mesh;
            FrStuffingReport report = material(ctx, &field, 0.2 / (1 << 2 * k), k > 0, &mesh);
            error[k] = fabs(fr_tetmesh_props(&mesh).volume - exact[b]);
            // rounding: sums in another order
            CHECK_CLOSE(report.volume, fr_tetmesh_props(&mesh).volume, 1e-12);
            FrSurfaceCheck facts = surface_facts(ctx, &mesh);
            CHECK_INT(facts.euler, euler[b]);
            CHECK_INT(facts.component_count, b == 3 ? 2 : 1);
            CHECK_INT(report.component_count, b == 3 ? 2 : 1);
            fr_tetmesh_free(ctx, &mesh);
        }
        CHECK_NEAR(0.5 * log2(error[0] / error[1]), 2, 0.4); // mesh: over a factor of 4
    }
    fr_context_destroy(ctx);
}

TEST(grading_saves_tets_and_keeps_the_surface) {
    FrContext *ctx = make_context(2);
    FrField field = body_field(&ball);
    FrTetMesh fine, graded;
    material(ctx, &field, 0.08, false, &fine);
    material(ctx, &field, 0.08, true, &graded);
    CHECK(graded.tet_count < 0.7 * fine.tet_count);
    CHECK_INT(surface_facts(ctx, &graded).tri_count, surface_facts(ctx, &fine).tri_count);
    // rounding: sums over other tets inside
    CHECK_CLOSE(fr_tetmesh_props(&graded).volume, fr_tetmesh_props(&fine).volume, 1e-12);
    fr_tetmesh_free(ctx, &fine);
    fr_tetmesh_free(ctx, &graded);
    fr_context_destroy(ctx);
}

TEST(same_bits_for_any_number_of_workers) {
    int32_t workers[4] = {1, 2, 3, 8};
    uint64_t first[2] = {0, 0};
    Body body = random_body(1);
    FrField field = body_field(&body);
    for (int w = 0; w < 4; w++)
        for (int graded = 0; graded < 2; graded++) {
            FrContext *ctx = make_context(workers[w]);
            FrTetMesh mesh;
            material(ctx, &field, 0.1, graded, &mesh);
            uint64_t hash = fr_tetmesh_hash(&mesh);
            if (w == 0) first[graded] = hash;
            CHECK(hash == first[graded]);
            fr_tetmesh_free(ctx, &mesh);
            fr_context_destroy(ctx);
        }
}

// a plate thinner than two cells, then one that no lattice point meets
TEST(thin_walls_are_refused_or_refined) {
    FrContext *ctx = make_context(2);
    FrQuat turn = fr_quat_from_rotation(fr_vec3(0.4, 0.8, -0.3));
    double half[3] = {0.06, 0.02, 0.004};
    for (int k = 0; k < 3; k++) {
        Body plate = {PLATE, 0.5, 0.4, half[k], turn, {0.01, 0.02, 0.03}};
        FrField field = body_field(&plate);
        FrStuffingOptions options = fr_stuffing_options_default(0.1);
        FrTetMesh mesh;
        FrStuffingReport report;
        CHECK_INT(fr_mesh_stuff(ctx, &field, &options, &mesh, &report), FR_BAD_INPUT);
        CHECK_HAS(fr_context_message(ctx), "thick");
        // solver: thickness is found along rays that are halved
        CHECK_CLOSE(report.wall, 2 * half[k], 0.02);
        CHECK(report.thin_fraction > 0.5);
        if (k == 2) continue; // refining to 2 mm would cost a million tets
        options.thin = FR_THIN_REFINE;
        CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &mesh, &report));
        CHECK(report.refinements >= 1 && report.size <= half[k]);
        CHECK_CLOSE(report.volume, 8 * 0.5 * 0.4 * half[k], 0.05); // mesh: rims are cut off
        FrSurfaceCheck facts = surface_facts(ctx, &mesh);
        CHECK_INT(facts.euler, 2);
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// solid shapes with sharp edges are not thin
TEST(edges_and_corners_are_not_walls) {
    FrContext *ctx = make_context(2);
    for (uint64_t seed = 0; seed < 14; seed++) {
        Body body = random_body(seed);
        FrField field = body_field(&body);
        FrTetMesh mesh;
        FrStuffingReport report = material(ctx, &field, 0.2, false, &mesh);
        CHECK_INT(report.refinements, 0);
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

static double ball_and_speck(const void *user, FrVec3 x) {
    (void)user;
    return fr_min(fr_length(x) - 1, fr_distance(x, fr_vec3(1.5, 0, 0)) - 0.08);
}

TEST(specks_are_dropped_and_reported) {
    FrContext *ctx = make_context(1);
    FrField field = {ball_and_speck, NULL, {{-1, -1, -1}, {1.6, 1, 1}}};
    FrStuffingOptions options = fr_stuffing_options_default(0.1);
    options.thin = FR_THIN_ALLOW;
    FrTetMesh mesh;
    FrStuffingReport report;
    CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &mesh, &report));
    CHECK_INT(report.specks_dropped, 1);
    CHECK_INT(report.component_count, 1);
    CHECK_INT(surface_facts(ctx, &mesh).component_count, 1);
    check_mesh(ctx, &mesh);
    fr_tetmesh_free(ctx, &mesh);
    options.speck_fraction = 0;
    CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &mesh, &report));
    CHECK_INT(report.component_count, 2);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

static double not_a_number(const void *user, FrVec3 x) {
    (void)user, (void)x;
    return (double)NAN;
}
static double nothing(const void *user, FrVec3 x) {
    (void)user, (void)x;
    return 1;
}
static double too_steep(const void *user, FrVec3 x) {
    (void)user;
    return 3 * (fr_length(x) - 0.9);
}
static double everywhere(const void *user, FrVec3 x) {
    (void)user, (void)x;
    return -0.01;
}

TEST(what_cannot_be_meshed_is_refused_in_words) {
    FrContext *ctx = make_context(1);
    FrBox box = {{-1, -1, -1}, {1, 1, 1}};
    struct {
        FrField field;
        double size;
        bool graded;
        FrResult result;
        const char *message;
    } bad[] = {
        {{not_a_number, NULL, box}, 0.2, false, FR_BAD_INPUT, "not finite"},
        {{nothing, NULL, box}, 0.2, false, FR_BAD_INPUT, "empty"},
        {{too_steep, NULL, box}, 0.2, true, FR_BAD_INPUT, "distance"},
        {{everywhere, NULL, box}, 0.2, false, FR_BAD_INPUT, "bounds"},
        {{nothing, NULL, {{0, 0, 0}, {-1, 1, 1}}}, 0.2, false, FR_BAD_INPUT, "bounds"},
        {{nothing, NULL, box}, 0, false, FR_BAD_USE, "size"},
        {{nothing, NULL, box}, 1e-9, false, FR_BAD_INPUT, "too small"},
        {body_field(&ball), 0.001, false, FR_BAD_INPUT, "the limit is"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        FrStuffingOptions options = fr_stuffing_options_default(bad[k].size);
        options.graded = bad[k].graded;
        options.thin = FR_THIN_ALLOW;
        options.max_tets = 1000000;
        FrTetMesh mesh;
        CHECK_INT(fr_mesh_stuff(ctx, &bad[k].field, &options, &mesh, NULL), bad[k].result);
        CHECK_HAS(fr_context_message(ctx), bad[k].message);
        CHECK(mesh.x == NULL);
    }
    fr_context_destroy(ctx);
}

static FrResult stuff_small(FrContext *ctx) {
    FrField field = body_field(&ball);
    FrStuffingOptions options = fr_stuffing_options_default(0.45);
    options.graded = true;
    FrTetMesh mesh;
    FrResult result = fr_mesh_stuff(ctx, &field, &options, &mesh, NULL);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}

TEST(stuffing_refusals) { refuse_each(stuff_small); }

TEST(time_it) {
    if (!getenv("FRACAS_BENCH")) return;
    for (int graded = 0; graded < 2; graded++) {
        FrContext *ctx = make_context(1);
        FrField field = body_field(&ball);
        FrStuffingOptions options = fr_stuffing_options_default(graded ? 0.02 : 0.04);
        options.graded = graded;
        options.thin = FR_THIN_ALLOW;
        FrTetMesh mesh;
        FrStuffingReport report;
        double start = fr_wall_seconds();
        CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &mesh, &report));
        double s = fr_wall_seconds() - start;
        printf("%s: %d tets in %.3f s: %.0f tets/s on one core, %lld evaluations\n",
               graded ? "graded" : "uniform", mesh.tet_count, s, mesh.tet_count / s,
               (long long)report.evaluations);
        fr_tetmesh_free(ctx, &mesh);
        fr_context_destroy(ctx);
    }
}
