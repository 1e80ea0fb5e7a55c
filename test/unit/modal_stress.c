// modal_stress.c: loads on discs of the surface, stress at nodes, and what a stress model keeps and
// refuses.

#include "modal_kit.h"
#include "base/hash.h"
#include "base/random.h"
#include "math/decompose.h"
#include "math/lanes.h"
#include "modal/mode_sum.h"
#include "modal/stress_model.h"

/// What a load adds up to.
typedef struct Sum {
    const FrStressSkin *skin;
    double total, most; ///< of shares; the largest |share|
    FrVec3 first;       ///< share-weighted place, m
    FrBox box;          ///< of the nodes that have a share
} Sum;

static void add_up(void *user, const int32_t node[6], const double share[6]) {
    Sum *s = user;
    for (int k = 0; k < 6; k++) {
        FrVec3 x = fr_get3(s->skin->x, node[k]);
        s->total += share[k];
        s->most = fr_max(s->most, fabs(share[k]));
        s->first = fr_axpy(share[k], x, s->first);
        if (share[k] != 0.0) s->box = fr_box_add(s->box, x);
    }
}

static Sum spread(const FrStressSkin *skin, FrVec3 x, double radius) {
    Sum s = {.skin = skin, .box = fr_box_empty()};
    fr_stress_spread(skin, x, radius, add_up, &s);
    return s;
}

// 1 N in all, and its middle is where it is meant to be: inside a face, at an edge, at a corner,
// wherever the disc lies among the triangles
TEST(loads_add_up_to_one_about_their_middle) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.08, 0.06, 0.01), 8, 6, 1, 2);
    FrStressSkin skin;
    CHECK_OK(ctx, fr_stress_skin_create(ctx, &mesh, &skin));
    FrRandom r = fr_random_for(1, "spread", 0);
    for (int k = 0; k < 60; k++) {
        double radius = 0.01 * pow(10.0, fr_random_range(&r, -4.0, 0.3));
        FrVec3 x = {fr_random_range(&r, -0.04, 0.04), fr_random_range(&r, -0.03, 0.03), 0.005};
        if (k % 3 == 1) x.x = 0.04;
        if (k % 6 == 4) x.y = 0.03;
        Sum s = spread(&skin, x, radius);
        CHECK_NEAR(s.total, 1.0, 1e-12);                 // rounding
        CHECK_NEAR(fr_distance(s.first, x), 0.0, 1e-13); // rounding, of a body of 0.1 m
        // nothing pushes the far side, but for the sides that an edge belongs to
        if (k % 3 != 1) CHECK_NEAR(s.box.lo.z, 0.005, 1e-12); // rounding
        // it reaches no farther than the triangles of the disc
        CHECK(s.box.hi.x - s.box.lo.x <= 2.0 * radius + 0.02 + 1e-12); // rounding
    }
    // above the face: as on it. A radius of nothing is a point
    Sum above = spread(&skin, fr_vec3(0.011, 0.007, 0.008), 0.0),
        on = spread(&skin, fr_vec3(0.011, 0.007, 0.005), 1e-30);
    CHECK_NEAR(fr_distance(above.first, fr_vec3(0.011, 0.007, 0.005)), 0.0, 1e-14); // rounding
    CHECK_NEAR(fr_distance(above.first, on.first), 0.0, 1e-14);                     // rounding
    fr_stress_skin_free(ctx, &skin);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

static void keep_shares(void *user, const int32_t node[6], const double share[6]) {
    for (int k = 0; k < 6; k++) ((double *)user)[node[k]] += share[k];
}

// discs on coarse triangles are discs: what they hold is what they hold on fine ones. A quadratic
// field on the face is integrated exactly: its mean square distance is r^2 / 2.
TEST(discs_are_round_on_any_mesh) {
    FrContext *ctx = make_modal_context(1);
    double radius = 0.011;
    for (int cells = 2; cells <= 16; cells *= 2) {
        FrTetMesh mesh = kit_box(ctx, fr_vec3(0.08, 0.08, 0.01), cells, cells, 1, 2);
        FrStressSkin skin;
        CHECK_OK(ctx, fr_stress_skin_create(ctx, &mesh, &skin));
        double *share = calloc((size_t)skin.node_count, sizeof(double)), mean2 = 0.0;
        FrVec3 x = {0.003, -0.004, 0.005};
        fr_stress_spread(&skin, x, radius, keep_shares, share);
        for (int32_t n = 0; n < skin.node_count; n++) {
            FrVec3 d = fr_sub(fr_get3(skin.x, n), x);
            mean2 += share[n] * fr_length2(d);
        }
        // mesh: polygons of 24 sides have 1.5e-4 more; cut up into triangles, whole ones among them
        CHECK_CLOSE(mean2, 0.5 * radius * radius, 2e-2);
        free(share);
        fr_stress_skin_free(ctx, &skin);
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// a quadratic displacement has linear stress, and at corners it is exact
TEST(stress_at_corners_is_exact_for_quadratic_fields) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(1.0, 0.8, 0.7), 3, 2, 2, 2);
    FrMaterial wood = {.name = "wood", .density = 500.0};
    FrOrthotropic grain = {1.2e10, 8e8, 5e8, 6e7, 7e8, 9e8, 0.3, 0.35, 0.4};
    CHECK(fr_material_set_orthotropic(&wood, &grain));
    FrMaterial material[2] = {kit_material(2500.0, 7e10, 0.22), wood};
    double *u = calloc(3 * (size_t)mesh.node_count, sizeof(double));
    for (int32_t n = 0; n < mesh.node_count; n++) {
        FrVec3 x = fr_get3(mesh.x, n);
        fr_set3(u, n, fr_vec3(x.x * x.x + 2 * x.y * x.z, 3 * x.x * x.y - x.z, x.z * x.z + x.x));
    }
    for (int k = 0; k < 2; k++) {
        FrStressNodes nodes;
        CHECK_OK(ctx, fr_stress_nodes_create(ctx, &mesh, &material[k], 1, &nodes));
        for (int32_t n = 0; n < mesh.corner_count; n++) {
            FrVec3 x = fr_get3(mesh.x, n);
            FrSym3 e = {
                2 * x.x, 3 * x.x, 2 * x.z, -0.5, 0.5 * (1 + 2 * x.y), 0.5 * (2 * x.z + 3 * x.y)};
            FrSym3 wanted = fr_material_stress(&material[k], e, fr_sym3_zero);
            FrSym3 off = fr_sym3_axpy(-1.0, wanted, fr_stress_at_node(&nodes, n, u));
            CHECK(sqrt(fr_sym3_dot(off, off)) < 1e-13 * 7e10 * 10); // rounding
            // the energy density of stress is that of strain
            CHECK_CLOSE(fr_stress_density(&material[k], wanted),
                        fr_material_energy(&material[k], e, fr_sym3_zero), 1e-12); // rounding
        }
        fr_stress_nodes_free(ctx, &nodes);
    }
    free(u);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// stress jumps between steel and rubber: a node there shows one of them, not a mixture; regions
// that differ in strength only are one
TEST(stress_is_not_averaged_over_different_stiffness) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh box = kit_box(ctx, fr_vec3(1.0, 0.8, 0.6), 4, 2, 2, 2), mesh;
    CHECK_OK(ctx, fr_tetmesh_alloc(ctx, box.node_count, box.tet_count, 2, true, &mesh));
    mesh.corner_count = box.corner_count;
    memcpy(mesh.x, box.x, 3 * sizeof(double) * (size_t)box.node_count);
    memcpy(mesh.tet, box.tet, sizeof *box.tet * (size_t)box.tet_count);
    memcpy(mesh.mid, box.mid, sizeof *box.mid * (size_t)box.tet_count);
    for (int32_t e = 0; e < mesh.tet_count; e++) {
        double x = 0.0;
        for (int i = 0; i < 4; i++) x += mesh.x[3 * mesh.tet[e][i]];
        mesh.region[e] = x > 0.0 ? 1 : 0;
    }
    double *u = calloc(3 * (size_t)mesh.node_count, sizeof(double));
    for (int32_t n = 0; n < mesh.node_count; n++) u[3 * n] = 1e-3 * mesh.x[3 * n];
    for (int alike = 0; alike < 2; alike++) {
        FrMaterial material[2] = {kit_material(7800.0, 2e11, 0.3), kit_material(1000.0, 1e7, 0.3)};
        if (alike) material[1] = material[0], material[1].strength = 1e6;
        FrStressNodes nodes;
        CHECK_OK(ctx, fr_stress_nodes_create(ctx, &mesh, material, 2, &nodes));
        for (int32_t n = 0; n < mesh.corner_count; n++) {
            double x = mesh.x[3 * n];
            int32_t region = nodes.region[n];
            if (fabs(x) > 1e-9) CHECK_INT(region, x > 0.0);
            FrSym3 one = {1e-3, 0, 0, 0, 0, 0};
            FrSym3 wanted = fr_material_stress(&material[region], one, fr_sym3_zero);
            CHECK_CLOSE(fr_stress_at_node(&nodes, n, u).xx, wanted.xx, 1e-12); // rounding
            if (alike && fabs(x) < 1e-9)
                CHECK(nodes.start[n + 1] - nodes.start[n] >= 8); // tets of both sides
        }
        fr_stress_nodes_free(ctx, &nodes);
    }
    free(u);
    fr_tetmesh_free(ctx, &box);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

typedef struct Body {
    FrTetMesh mesh;
    FrMaterial material;
    FrStressDef def;
    FrStressLoad load;
} Body;

static void make_body(FrContext *ctx, Body *b, int nx) {
    *b = (Body){.mesh = kit_box(ctx, fr_vec3(0.06, 0.05, 0.01), nx, 2, 1, 1),
                .material = kit_material(2500.0, 7e10, 0.22)};
    b->material.alpha1 = 1e-8;
    b->material.alpha2 = 3.0;
    b->material.eta = 1e-3;
    b->def = (FrStressDef){.mesh = &b->mesh, .material = &b->material, .material_count = 1};
    b->load = (FrStressLoad){{0.011, 0.007, 0.005}, {0, 0.6, -0.8}, 0.004};
}

// with every mode that there is, nothing is left: f'u = sum w^2 / lambda, s = sum w / lambda S
TEST(all_modes_together_are_the_static_answer) {
    FrContext *ctx = make_modal_context(1);
    Body b;
    make_body(ctx, &b, 2);
    b.def.max_hz = 1e9;
    FrStressModel *model;
    FrStressAnswer answer;
    CHECK_OK(ctx, fr_stress_create(ctx, &b.def, &model));
    FrStressModes modes = fr_stress_modes(model);
    CHECK_INT(modes.count, model->fixed.size - 6);
    CHECK_OK(ctx, push_one(model, &b.load, &answer));
    CHECK(answer.compliance > 0.0 && answer.residual <= 1e-8);
    CHECK(answer.left < 1e-6 * answer.compliance); // rounding of float32 shapes
    double most = 0.0;
    for (int32_t n = 0; n < modes.node_count; n++)
        most = fr_max(most, sqrt(fr_sym3_dot(answer.stress[n], answer.stress[n])));
    for (int32_t n = 0; n < modes.node_count; n++)
        CHECK(sqrt(fr_sym3_dot(answer.stress_left[n], answer.stress_left[n])) <
              2e-5 * most); // float32
    for (int32_t i = 0; i < modes.count; i++) {
        double omega = sqrt(modes.lambda[i]), biggest = 0.0;
        CHECK_CLOSE(modes.damping[i], 1e-8 * omega * omega + 3.0 + 1e-3 * omega, 1e-12); // rounding
        for (int32_t n = 0; n < modes.node_count; n++) {
            const float *s = modes.stress + 6 * ((size_t)i * (size_t)modes.node_count + (size_t)n);
            double six[6];
            for (int k = 0; k < 6; k++) six[k] = (double)s[k];
            FrEigen3 e = fr_sym3_eigen((FrSym3){six[0], six[1], six[2], six[3], six[4], six[5]});
            biggest = fr_max(biggest, fr_max(fabs(e.value[0]), fabs(e.value[2])));
        }
        CHECK_CLOSE(modes.most[i], biggest, 1e-6); // rounding of float32
    }
    fr_stress_answer_free(ctx, &answer);
    fr_stress_destroy(model);
    fr_tetmesh_free(ctx, &b.mesh);
    fr_context_destroy(ctx);
}

// what modes take up and what is left is the whole, however many modes are kept
TEST(modes_and_the_rest_are_the_whole) {
    FrContext *ctx = make_modal_context(1);
    Body b;
    make_body(ctx, &b, 4);
    double whole = 0.0, left = HUGE_VAL;
    FrSym3 first = fr_sym3_zero;
    for (int32_t count = 1; count <= 16; count *= 4) {
        b.def.max_hz = 1e9;
        b.def.most_modes = count;
        FrStressModel *model;
        FrStressAnswer answer;
        CHECK_OK(ctx, fr_stress_create(ctx, &b.def, &model));
        CHECK_OK(ctx, push_one(model, &b.load, &answer));
        CHECK_INT(fr_stress_modes(model).count, count);
        double sum = answer.left, w[16], q[16];
        fr_stress_weights(model, &b.load, w);
        for (int32_t i = 0; i < count; i++) {
            CHECK(w[i] == answer.w[i]);
            q[i] = w[i] / fr_stress_modes(model).lambda[i];
            sum += w[i] * q[i];
        }
        if (count == 1) whole = sum, first = answer.stress[7];
        CHECK_CLOSE(sum, whole, 1e-12); // solver: squares of a residual below 1e-8
        CHECK(answer.left < left);
        left = answer.left;
        FrSym3 *s = calloc((size_t)b.mesh.node_count, sizeof *s);
        fr_stress_field(model, q, 1.0, answer.stress_left, s);
        CHECK_CLOSE(s[7].xx, first.xx, 1e-7); // solver: as above, not squared
        CHECK_CLOSE(s[7].zx, first.zx, 1e-7); // solver: as above
        free(s);
        fr_stress_answer_free(ctx, &answer);
        fr_stress_destroy(model);
    }
    fr_tetmesh_free(ctx, &b.mesh);
    fr_context_destroy(ctx);
}

static FrStressAnswer pushed(FrStressModel *model, const FrStressLoad *load, double a, double b) {
    FrStressAnswer answer = {0};
    double share[2] = {a, b};
    CHECK_OK(model->ctx, fr_stress_push(model, &(FrStressLoads){load, share, 2}, &answer));
    return answer;
}

// s'C s with what each push does to the other: C is symmetric, and answers add up
TEST(pushes_together_are_the_compliance_matrix) {
    FrContext *ctx = make_modal_context(1);
    Body b;
    make_body(ctx, &b, 4);
    b.def.max_hz = 1e9;
    b.def.most_modes = 6;
    FrStressModel *model;
    CHECK_OK(ctx, fr_stress_create(ctx, &b.def, &model));
    FrStressLoad load[2] = {b.load, {{-0.02, -0.01, 0.005}, {0, 0, -1}, 0.003}};
    FrStressAnswer one = pushed(model, load, 1, 0), two = pushed(model, load, 0, 1);
    FrStressAnswer sum = pushed(model, load, 0.5, 0.5), off = pushed(model, load, 0.5, -0.5);
    double cross = sum.compliance - 0.25 * (one.compliance + two.compliance);
    CHECK(fabs(cross) > 0.01 * one.compliance); // they do feel each other
    // solver: residuals below 1e-8, squared
    CHECK_CLOSE(sum.compliance + off.compliance, 0.5 * (one.compliance + two.compliance), 1e-10);
    CHECK_CLOSE(sum.left + off.left, 0.5 * (one.left + two.left), 1e-9); // solver: likewise
    for (int32_t i = 0; i < 6; i++)
        CHECK_NEAR(sum.w[i], 0.5 * (one.w[i] + two.w[i]), 1e-12 * fabs(one.w[i])); // rounding
    for (int32_t n = 0; n < b.mesh.node_count; n++) {
        FrSym3 wanted = fr_sym3_axpy(0.5, one.stress_left[n],
                                     fr_sym3_axpy(0.5, two.stress_left[n], fr_sym3_zero));
        FrSym3 wrong = fr_sym3_axpy(-1.0, wanted, sum.stress_left[n]);
        double size = sqrt(fr_sym3_dot(one.stress[n], one.stress[n])) + 1.0;
        CHECK(sqrt(fr_sym3_dot(wrong, wrong)) < 1e-6 * size); // solver: residuals below 1e-8
    }
    FrStressAnswer *all[] = {&one, &two, &sum, &off};
    for (int k = 0; k < 4; k++) fr_stress_answer_free(ctx, all[k]);
    fr_stress_destroy(model);
    fr_tetmesh_free(ctx, &b.mesh);
    fr_context_destroy(ctx);
}

static uint64_t hash_of_push(int32_t workers) {
    FrContext *ctx = make_modal_context(workers);
    Body b;
    make_body(ctx, &b, 12);
    b.def.max_hz = 6e4;
    FrStressModel *model;
    FrStressAnswer answer;
    CHECK_OK(ctx, fr_stress_create(ctx, &b.def, &model));
    CHECK(fr_stress_modes(model).count > 5);
    CHECK_OK(ctx, push_one(model, &b.load, &answer));
    size_t nodes = (size_t)b.mesh.node_count, count = (size_t)fr_stress_modes(model).count;
    uint64_t hash = fr_hash_of(answer.w, count * sizeof(double), 1);
    hash = fr_hash_of(answer.stress_left, nodes * sizeof(FrSym3), hash);
    fr_stress_field(model, answer.w, 3.0, answer.stress_left, answer.stress);
    hash = fr_hash_of(answer.stress, nodes * sizeof(FrSym3), hash);
    // what it says it holds is there: the factor at least, and not ten times as much
    CHECK(fr_stress_bytes(model) > 1000000 && fr_stress_bytes(model) < 30000000);
    fr_stress_answer_free(ctx, &answer);
    fr_stress_destroy(model);
    fr_tetmesh_free(ctx, &b.mesh);
    fr_context_destroy(ctx);
    return hash;
}
TEST(the_same_bits_for_any_workers) { CHECK(hash_of_push(1) == hash_of_push(3)); }

TEST(sums_of_modes_are_the_same_with_and_without_avx2) {
    enum { STRIDE = 37, COUNT = 11 };
    float array[STRIDE * COUNT];
    double weight[COUNT], sum[3][STRIDE];
    FrRandom r = fr_random_for(1, "sum", 0);
    for (int k = 0; k < STRIDE * COUNT; k++) array[k] = (float)fr_random_range(&r, -1, 1);
    for (int k = 0; k < COUNT; k++) weight[k] = fr_random_range(&r, -1, 1);
    for (int k = 0; k < STRIDE; k++) {
        sum[0][k] = sum[1][k] = sum[2][k] = k;
        for (int i = 0; i < COUNT; i++) sum[2][k] += weight[i] * (double)array[i * STRIDE + k];
    }
    FrModeSum s = {array, STRIDE, weight, COUNT, sum[0]};
    fr_mode_sum_portable(&s, 0, 10);
    fr_mode_sum_portable(&s, 10, STRIDE);
    CHECK(!memcmp(sum[0], sum[2], sizeof sum[0]));
    if (!fr_cpu_has_avx2()) return;
    s.sum = sum[1];
    fr_mode_sum_avx2(&s, 0, STRIDE);
    CHECK(!memcmp(sum[1], sum[2], sizeof sum[1]));
}

TEST(every_refused_allocation_is_survived) {
    bool done = false;
    FrContext *plain = make_modal_context(1);
    Body b;
    make_body(plain, &b, 2);
    b.def.most_modes = 3;
    for (int k = 1; !done && k < 400; k++) {
        Refuser refuser = {0};
        FrContext *ctx = make_refusing_context(&refuser);
        fr_context_set_backend(ctx, fr_studio_backend());
        int before = refuser.live;
        refuser.refuse_at = refuser.calls + k;
        FrStressModel *model;
        FrStressAnswer answer = {0};
        FrResult result = fr_stress_create(ctx, &b.def, &model);
        if (result == FR_OK) result = push_one(model, &b.load, &answer);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        done = refuser.calls < refuser.refuse_at;
        fr_stress_answer_free(ctx, &answer);
        fr_stress_destroy(model);
        CHECK_INT(refuser.live, before);
        fr_context_destroy(ctx);
    }
    CHECK(done);
    fr_tetmesh_free(plain, &b.mesh);
    fr_context_destroy(plain);
}

TEST(what_it_refuses) {
    FrContext *ctx = make_context(1), *modal = make_modal_context(1);
    Body b;
    make_body(ctx, &b, 2);
    FrStressModel *model;
    CHECK_INT(fr_stress_create(ctx, &b.def, &model), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "FrContextDef.backend = fr_studio_backend()");
    CHECK(model == NULL);
    fr_stress_destroy(model);
    b.def.material_count = 0;
    CHECK_INT(fr_stress_create(modal, &b.def, &model), FR_BAD_USE);
    b.def.material_count = 1;
    b.material.density = -1.0;
    CHECK_INT(fr_stress_create(modal, &b.def, &model), FR_BAD_INPUT);
    fr_tetmesh_free(ctx, &b.mesh);
    fr_context_destroy(ctx);
    fr_context_destroy(modal);
}
