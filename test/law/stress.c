// stress.c: bodies that are pushed, held or free, against closed forms and finer meshes.

#include "modal_kit.h"
#include "mesh/stuffing.h"
#include "modal/stress_model.h"

static double bent(double t) { return t * (0.7 + 0.3 * t * t); }

// a bar of uneven cells along x, from -length / 2
static FrTetMesh graded_bar(FrContext *ctx, FrVec3 size, int cells) {
    FrTetMesh mesh = kit_box(ctx, size, cells, 2, 2, 1);
    for (int32_t n = 0; n < mesh.node_count; n++)
        mesh.x[3 * n] = 0.5 * size.x * bent(mesh.x[3 * n] / (0.5 * size.x));
    return mesh;
}

// Pushed at its end a free bar is accelerated as a whole: what is cut off at x pushes the rest, so
// stress grows linearly from the free end. The answer is quadratic, and 10-node tets have it
// exactly, on any cells. [S7 eq. 1, M19]
TEST(a_bar_pushed_at_its_end) {
    FrContext *ctx = make_modal_context(1);
    FrVec3 size = {0.2, 0.03, 0.02};
    FrTetMesh mesh = graded_bar(ctx, size, 8);
    FrMaterial m = kit_material(2500.0, 7e10, 0.22);
    FrStressDef def = {
        .mesh = &mesh, .material = &m, .material_count = 1, .max_hz = 2e4, .most_modes = 4};
    FrStressModel *model;
    FrStressAnswer answer;
    CHECK_OK(ctx, fr_stress_create(ctx, &def, &model));
    // large enough for the whole end face; no other face looks that way
    FrStressLoad load = {{0.1, 0, 0}, {-1, 0, 0}, 1.0};
    CHECK_OK(ctx, push_one(model, &load, &answer));
    double pressure = 1.0 / (size.y * size.z), worst = 0.0;
    for (int32_t n = 0; n < mesh.node_count; n++) {
        FrSym3 wanted = {-pressure * (mesh.x[3 * n] / size.x + 0.5), 0, 0, 0, 0, 0};
        FrSym3 off = fr_sym3_axpy(-1.0, wanted, answer.stress[n]);
        worst = fr_max(worst, sqrt(fr_sym3_dot(off, off)));
    }
    CHECK(worst < 1e-9 * pressure); // solver: its residual was 1.6e-10
    // energy of that stress: integral of s^2 / 2E
    double energy = pressure * pressure * size.x * size.y * size.z / (6.0 * 7e10);
    CHECK_CLOSE(0.5 * answer.compliance, energy, 1e-9); // solver: as above
    fr_stress_answer_free(ctx, &answer);
    fr_stress_destroy(model);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

/// A body without modes: static answers alone.
typedef struct Still {
    FrContext *ctx;
    FrTetMesh mesh;
    FrStressSkin skin;
    FrStressStatic fixed;
    double young;
} Still;

static Still make_still(FrContext *ctx, FrVec3 size, const int cells[3], int order) {
    Still s = {.ctx = ctx, .mesh = kit_box(ctx, size, cells[0], cells[1], cells[2], order)};
    FrTetMesh ten = order == 1 ? kit_box(ctx, size, cells[0], cells[1], cells[2], 2) : s.mesh;
    FrMaterial m = kit_material(2500.0, 7e10, 0.22);
    FrModalDef def = {.mesh = &s.mesh, .material = &m, .material_count = 1, .count = 1};
    FrModalSystem system;
    FrModesReport report;
    s.young = 7e10;
    CHECK_OK(ctx, fr_modal_system(ctx, &def, &system, &report));
    // a lower bound of the slowest elastic mode: waves across three times the body
    CHECK_OK(ctx, fr_stress_static_create(ctx, &system,
                                          &(FrStressStart){.lowest = 1e-3 / (size.x * size.x)},
                                          &s.fixed));
    CHECK_OK(ctx, fr_stress_skin_create(ctx, &ten, &s.skin));
    if (order == 1) fr_tetmesh_free(ctx, &ten);
    return s;
}
static void free_still(Still *s) {
    fr_stress_static_free(&s->fixed);
    fr_stress_skin_free(s->ctx, &s->skin);
    fr_tetmesh_free(s->ctx, &s->mesh);
}

typedef struct Shares {
    const Still *still;
    FrVec3 n;
    double *f;
} Shares;

// in linear tets the share of a mid-node goes to its two corners
static void put(void *user, const int32_t node[6], const double share[6]) {
    const Shares *s = user;
    for (int k = 0; k < 6; k++) {
        int32_t a = s->still->skin.node[node[k]], b = a;
        if (k > 2 && s->still->mesh.order == 1)
            a = s->still->skin.node[node[k - 3]], b = s->still->skin.node[node[(k - 2) % 3]];
        fr_add3(s->f, a, fr_scale(0.5 * share[k], s->n));
        fr_add3(s->f, b, fr_scale(0.5 * share[k], s->n));
    }
}

// compliance of a push of 1 N
static double push(Still *s, FrStressLoad load, FrStressSolve *report) {
    double *f = calloc(2 * (size_t)s->fixed.size, sizeof(double)), *u = f + s->fixed.size;
    Shares shares = {s, load.n, f};
    fr_stress_spread(&s->skin, load.x, load.radius, put, &shares);
    fr_stress_balance(&s->fixed, f);
    CHECK_OK(s->ctx, fr_stress_solve(&s->fixed, f, 1e-8, u, report));
    double work = kit_dot(f, u, s->fixed.size) / s->young;
    free(f);
    return work;
}

// a pane of one layer, a hundred times as wide as thick: the worst condition of all
TEST(panes_are_solved_in_a_few_steps) {
    FrContext *ctx = make_modal_context(1);
    Still s = make_still(ctx, fr_vec3(0.3, 0.3, 0.003), (int[3]){26, 26, 1}, 2);
    FrStressLoad load = {{0.01, 0.02, 0.0015}, {0, 0, -1}, 0.003};
    FrStressSolve report;
    CHECK(push(&s, load, &report) > 0.0);
    CHECK(report.residual <= 1e-8); // promise
    CHECK(report.steps <= 3);
    free_still(&s);
    fr_context_destroy(ctx);
}

// The energy in a plate that is hit in the middle: one layer of 10-node tets is as good as two of
// half the size; linear tets lose half of it and more.
TEST(one_layer_bends_as_two_do) {
    FrContext *ctx = make_modal_context(1);
    FrVec3 size = {0.12, 0.12, 0.006};
    FrStressLoad load = {{0, 0, 0.003}, {0, 0, -1}, 0.006};
    FrStressSolve report;
    double energy[2][2]; // [order - 1][layers - 1]
    for (int order = 1; order <= 2; order++)
        for (int layers = 1; layers <= 2; layers++) {
            int cells[3] = {12 * layers, 12 * layers, layers};
            Still s = make_still(ctx, size, cells, order);
            energy[order - 1][layers - 1] = 0.5 * push(&s, load, &report);
            free_still(&s);
        }
    CHECK_CLOSE(energy[1][0], energy[1][1], 0.02); // mesh: 1.9 % found
    // linear ones: 4.7 times too little in one layer, 2.0 in two of half the size
    CHECK(energy[0][0] < energy[1][0] / 4.0);
    CHECK(energy[0][1] < energy[1][1] / 1.8);
    fr_context_destroy(ctx);
}

static FrSym3 turned(FrSym3 s, FrMat3 R) {
    return fr_mat3_sym(fr_mat3_mul(fr_mat3_mul(R, fr_sym3_full(s)), fr_mat3_transpose(R)));
}

// turn mesh and load, and the stress turns along
TEST(stress_turns_with_the_body) {
    FrContext *ctx = make_modal_context(1);
    FrMaterial m = kit_material(2500.0, 7e10, 0.22);
    FrMat3 R = fr_quat_mat3(fr_quat_from_rotation(fr_vec3(0.7, -1.1, 0.4)));
    FrStressAnswer answer[2];
    FrTetMesh mesh[2];
    for (int k = 0; k < 2; k++) {
        mesh[k] = kit_box(ctx, fr_vec3(0.1, 0.08, 0.02), 5, 4, 1, 1);
        FrStressLoad load = {{0.05, 0.013, 0.01}, {-0.6, 0, -0.8}, 0.011};
        if (k) {
            CHECK_OK(ctx, fr_tetmesh_transform(ctx, &mesh[k], R, fr_vec3(3, 2, -1)));
            load.x = fr_add(fr_mat3_apply(R, load.x), fr_vec3(3, 2, -1));
            load.n = fr_mat3_apply(R, load.n);
        }
        FrStressDef def = {
            .mesh = &mesh[k], .material = &m, .material_count = 1, .max_hz = 2e4, .most_modes = 3};
        FrStressModel *model;
        CHECK_OK(ctx, fr_stress_create(ctx, &def, &model));
        CHECK_OK(ctx, push_one(model, &load, &answer[k]));
        fr_stress_destroy(model);
    }
    double most = 0.0, worst = 0.0;
    for (int32_t n = 0; n < mesh[0].node_count; n++) {
        FrSym3 wanted = turned(answer[0].stress[n], R);
        FrSym3 off = fr_sym3_axpy(-1.0, wanted, answer[1].stress[n]);
        most = fr_max(most, sqrt(fr_sym3_dot(wanted, wanted)));
        worst = fr_max(worst, sqrt(fr_sym3_dot(off, off)));
    }
    CHECK(worst < 1e-9 * most); // rounding, of places 4 m from the origin
    CHECK_CLOSE(answer[1].compliance, answer[0].compliance, 1e-9); // rounding, as above
    for (int k = 0; k < 2; k++) {
        fr_stress_answer_free(ctx, &answer[k]);
        fr_tetmesh_free(ctx, &mesh[k]);
    }
    fr_context_destroy(ctx);
}

// held at one end, pushed sideways at the other: F L^3 / 3 E I, and the stress at its surface M h /
// 2 I, seen by one layer of tets
TEST(a_held_bar_gives_as_a_cantilever) {
    FrContext *ctx = make_modal_context(1);
    double L = 0.2, b = 0.012, h = 0.01, I = b * h * h * h / 12.0;
    FrTetMesh mesh = kit_box(ctx, fr_vec3(L, b, h), 20, 1, 1, 1);
    FrMaterial m = kit_material(2500.0, 7e10, 0.0); // nothing is squeezed at the clamp
    uint8_t *held = calloc((size_t)mesh.node_count, 1);
    for (int32_t n = 0; n < mesh.node_count; n++) held[n] = mesh.x[3 * n] < -0.5 * L + 1e-9;
    FrStressDef def = {
        .mesh = &mesh, .material = &m, .material_count = 1, .held = held, .max_hz = 2e3};
    FrStressModel *model;
    FrStressAnswer answer;
    CHECK_OK(ctx, fr_stress_create(ctx, &def, &model));
    FrStressLoad load = {{0.5 * L, 0, 0}, {0, 0, -1}, 1.0};
    CHECK_OK(ctx, push_one(model, &load, &answer));
    CHECK_CLOSE(answer.compliance, L * L * L / (3.0 * 7e10 * I), 0.02); // model: shear, 0.15 %
    CHECK_INT(model->fixed.shift == 0.0, 1);
    // the first mode alone has 97 % of it
    CHECK(answer.left > 0.0 && answer.left < 0.04 * answer.compliance);
    for (int32_t n = 0; n < mesh.node_count; n++) {
        FrVec3 x = fr_get3(mesh.x, n);
        double wanted = (0.5 * L - x.x) * x.z / I; // the upper side is pulled
        // mesh: the clamp is an edge; within three thicknesses of the ends others rule
        if (fabs(x.x) < 0.5 * L - 3.0 * h)
            CHECK_NEAR(answer.stress[n].xx, wanted, 0.01 * L * 0.5 * h / I);
    }
    fr_stress_answer_free(ctx, &answer);
    fr_stress_destroy(model);
    free(held);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

static double ball_at(const void *user, FrVec3 x) {
    (void)user;
    return fr_length(x) - 1.0;
}

// mid-nodes on the true shape: modes are those of the curved mesh
TEST(mid_nodes_follow_the_shape) {
    FrContext *ctx = make_modal_context(2);
    FrField field = {ball_at, NULL, {{-1, -1, -1}, {1, 1, 1}}};
    FrStuffingOptions options = fr_stuffing_options_default(0.7);
    FrMaterial m = kit_material(1.0, 1.0, 0.25);
    FrTetMesh linear;
    CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &linear, NULL));
    FrStressDef def = {.mesh = &linear,
                       .shape = &field,
                       .material = &m,
                       .material_count = 1,
                       .max_hz = 1e3,
                       .most_modes = 10};
    FrStressModel *model;
    CHECK_OK(ctx, fr_stress_create(ctx, &def, &model));
    FrStressModes modes = fr_stress_modes(model);
    // mesh: Lamb's first five of a free ball, omega a / c_s = 2.50113; 1 % at 0.7 radii
    for (int i = 0; i < 5; i++) CHECK_CLOSE(sqrt(modes.lambda[i] * 2.5), 2.50113, 0.02);
    FrStressAnswer answer;
    FrStressLoad load = {{0, 0, 1}, {0, 0, -1}, 0.4};
    CHECK_OK(ctx, push_one(model, &load, &answer));
    CHECK(answer.compliance > answer.left && answer.left > 0.0);
    fr_stress_answer_free(ctx, &answer);
    fr_stress_destroy(model);
    fr_tetmesh_free(ctx, &linear);
    fr_context_destroy(ctx);
}
