// papers.c: formulas of the papers term by term, as printed but for the errata.

#include "fem_mesh.h"
#include "fem/element.h"
#include "clip_kit.h"
#include "material/laws.h"
#include "world/model.h"

// indices of the six components xx yy zz yz zx xy
static const int first[6] = {0, 1, 2, 1, 2, 0}, second[6] = {0, 1, 2, 2, 0, 1};

static void spread(FrSym3 s, double out[3][3]) {
    const double six[6] = {s.xx, s.yy, s.zz, s.yz, s.zx, s.xy};
    for (int k = 0; k < 6; k++) out[first[k]][second[k]] = out[second[k]][first[k]] = six[k];
}

static FrSym3 some_strain(FrRandom *r) {
    FrSym3 E = {test_random(r, 1), test_random(r, 1), test_random(r, 1),
                test_random(r, 1), test_random(r, 1), test_random(r, 1)};
    return E;
}

// S_ij = sum_kl C_ijkl E_kl over all nine k, l, with tensor shears            [S2 eq. 5, S6
// eq. 3.10]
TEST(general_stress_is_the_double_sum) {
    FrRandom r = fr_random_for(1, "papers", 0);
    double C[6][6], full[3][3][3][3], E[3][3], S[3][3];
    for (int a = 0; a < 6; a++)
        for (int b = 0; b <= a; b++) C[a][b] = C[b][a] = test_random(&r, 1);
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
            int i = first[a], j = second[a], k = first[b], l = second[b];
            full[i][j][k][l] = full[j][i][k][l] = full[i][j][l][k] = full[j][i][l][k] = C[a][b];
        }
    FrSym3 strain = some_strain(&r);
    spread(strain, E);
    spread(fr_stress_anisotropic((const double(*)[6])C, strain), S);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) sum += full[i][j][k][l] * E[k][l];
            CHECK_NEAR(S[i][j], sum, 1e-15 * 9); // rounding: nine terms of size 1
        }
}

// Sv_ij = phi (sum_k Ed_kk) delta_ij + 2 psi Ed_ij: the sum covers the trace only (E4)
//                                                                            [S2 eq. 8, S6
//                                                                            eq. 3.13]
TEST(viscous_stress_term_by_term) {
    FrRandom r = fr_random_for(2, "papers", 0);
    double phi = 0.7, psi = 0.4, Ed[3][3], S[3][3];
    FrSym3 rate = some_strain(&r);
    spread(rate, Ed);
    spread(fr_stress_viscous(phi, psi, rate), S);
    double trace = Ed[0][0] + Ed[1][1] + Ed[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            // rounding: three terms
            CHECK_NEAR(S[i][j], (i == j ? phi * trace : 0) + 2 * psi * Ed[i][j], 1e-15 * 4);
}

// the rows of beta are the shape functions: G_i.(m_j - m_0) = [i == j] - [i == 0]
//                                                                           [S2 eq. 16, S6
//                                                                           eq. 3.21]
TEST(shape_functions_are_one_at_their_corner) {
    FrRandom r = fr_random_for(3, "papers", 0);
    FrVec3 m[4];
    FrElement e;
    do
        for (int i = 0; i < 4; i++) m[i] = test_vec(&r, 1);
    while (!fr_element_make(m, &e) || e.volume < 0.05);
    for (int i = 0; i < 4; i++)
        for (int j = 1; j < 4; j++)
            // rounding: an inverse of volume above 0.05
            CHECK_NEAR(fr_dot(e.G[i], fr_sub(m[j], m[0])), (i == j) - (i == 0), 1e-13);
}

// velocity inside a tet of a turning body: v + spin x (x - centre), whatever the weights; and the
// force that acts there keeps its sum and moment                [S2 eq. 14, S6 eq. 3.19, S6
// eq. 5.6]
TEST(points_inside_move_and_push) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = test_box(2, 2, 2, 0.1);
    FrMaterial material = test_material(1, 0.3, 0);
    FrVec3 v = {0.3, -0.2, 0.1}, spin = {1, 2, -3}, centre = {0.1, 0.1, 0.1};
    FrBodyDef def = {.mesh = &mesh,
                     .material = &material,
                     .material_count = 1,
                     .rotation = {1, 0, 0, 0},
                     .velocity = v,
                     .spin = spin};
    const FrModelOps *ops = fr_model_row(FR_MODEL_FEM);
    void *state = NULL;
    CHECK_OK(ctx, ops->create(ctx, &def, &state));
    FrPoint at = {.tet = 17, .b = {0.1, 0.2, 0.3, 0.4}};
    FrVec3 x = fr_vec3_zero, p0, L0, p1, L1, f = {2, -1, 3};
    for (int i = 0; i < 4; i++) x = fr_axpy(at.b[i], fr_get3(mesh.x, mesh.tet[17][i]), x);
    FrVec3 wanted = fr_add(v, fr_cross(spin, fr_sub(x, centre)));
    // rounding: eight terms
    CHECK_NEAR(fr_distance(ops->velocity(state, at, x), wanted), 0, 1e-15 * 8);
    ops->momentum(state, &p0, &L0);
    ops->force(state, at, x, f);
    double dt = 1e-6; // so short that the body hardly moves: moments change by dt^2
    int32_t failed;
    CHECK_OK(ctx, ops->step(&state, 1, 0.0, dt, fr_vec3_zero, &failed));
    ops->momentum(state, &p1, &L1);
    CHECK_NEAR(fr_distance(fr_scale(1 / dt, fr_sub(p1, p0)), f), 0, 1e-9); // rounding: 1e-16 / dt
    // step: moments change by dt^2 over dt
    CHECK_NEAR(fr_distance(fr_scale(1 / dt, fr_sub(L1, L0)), fr_cross(x, f)), 0, 1e-5);
    ops->destroy(state);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}

// the corner of a unit tet above z = 1/2 is a tet of half the size: volume 1/48, centre at 1/8,
// 1/8, 5/8; the three old faces together face away from the cut, 1/8 of area              [S6
// eqs. 5.3-5.5]
TEST(a_cut_tet_has_its_centre_and_direction) {
    FrClipTet tet;
    FrClipPoly whole, part = {0};
    FrClipMeasure measure;
    fr_clip_tet_init(&tet, fr_vec3(0, 0, 0), fr_vec3(1, 0, 0), fr_vec3(0, 1, 0), fr_vec3(0, 0, 1),
                     15);
    fr_clip_tet_poly(&tet, &whole);
    FrClipPlane plane = {fr_vec3(0, 0, -1), -0.5, 1e-9};
    CHECK_INT(fr_clip(&whole, &plane, &part), FR_CLIP_CUT);
    fr_clip_measure(&part, &measure);
    // rounding: a few operations on numbers below 1
    CHECK_NEAR(measure.volume, 1.0 / 48.0, 1e-16);
    CHECK_NEAR(fr_distance(measure.centroid, fr_vec3(0.125, 0.125, 0.625)), 0, 1e-15);
    CHECK_NEAR(fr_distance(measure.normal[FR_CLIP_A], fr_vec3(0, 0, 0.125)), 0, 1e-16);
    CHECK_NEAR(fr_distance(measure.normal[FR_CLIP_B], fr_vec3(0, 0, -0.125)), 0, 1e-16);
}
