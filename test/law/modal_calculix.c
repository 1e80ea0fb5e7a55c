// modal_calculix.c: the same mesh in CalculiX: stored answers of ccx 2.20, or, with CALCULIX=1,
// itself.
//
// CalculiX integrates the mass of its tets at as many points as their stiffness: one for C3D4 (rho
// vol / 16 between all four nodes), four for C3D10. That is less than a consistent mass for motion
// that varies inside a tet. With its points ours are the same to all digits it prints; with the
// consistent mass ours are lower, and come nearer as tets get smaller.

#include "modal_kit.h"
#include "backend/backend.h"
#include "bench/calculix.h"
#include "modal/rigid_modes.h"
#include <unistd.h>

#define COUNT 8
#define RIGID 6

static FrMaterial steel(void) { return kit_material(7800.0, 2e11, 0.3); }

static FrTetMesh bar(FrContext *ctx, int order) {
    return order == 1 ? kit_box(ctx, fr_vec3(0.2, 0.02, 0.03), 20, 4, 6, 1)
                      : kit_box(ctx, fr_vec3(0.2, 0.02, 0.03), 10, 2, 2, 2);
}

// lambda of ccx 2.20 behind the six rigid ones, 1/s^2
static const double stored[2][COUNT] = {
    {3.4137050e+08, 6.0728160e+08, 2.3412590e+09, 2.8563690e+09, 3.7585610e+09, 6.3312910e+09,
     7.9471110e+09, 1.1519690e+10},
    {2.5061860e+08, 5.2152630e+08, 1.7161150e+09, 1.8285100e+09, 3.2113510e+09, 5.8050880e+09,
     6.3114280e+09, 7.3943900e+09},
};

// shape functions at a point of a tet
static int shapes(int order, const double b[4], double N[10]) {
    for (int i = 0; i < 4; i++) N[i] = order == 1 ? b[i] : b[i] * (2.0 * b[i] - 1.0);
    for (int k = 0; k < 6; k++) N[4 + k] = 4.0 * b[fr_tet_edge[k][0]] * b[fr_tet_edge[k][1]];
    return order == 1 ? 4 : 10;
}

// one point for linear tets, four for 10-node tets with straight sides
static void their_mass(const FrTetMesh *mesh, double density, FrBlockMatrix *M) {
    int points = mesh->order == 1 ? 1 : 4;
    for (int32_t k = 0; k < M->start[M->node_count]; k++) M->value[k] = 0.0;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int q = 0; q < points; q++) {
            double b[4], N[10], weight = density * fr_tet_volume(mesh, e) / points;
            int32_t node[FR_TET_NODES];
            for (int i = 0; i < 4; i++)
                b[i] = points == 1 ? 0.25 : i == q ? 0.58541019662496845 : 0.13819660112501052;
            int count = shapes(mesh->order, b, N);
            fr_tet_nodes(mesh, e, node);
            for (int i = 0; i < count; i++)
                for (int j = 0; j < count; j++)
                    M->value[fr_block_matrix_entry(M, node[i], node[j])] += weight * N[i] * N[j];
        }
}

static void ours(FrContext *ctx, const FrTetMesh *mesh, bool as_theirs, double *lambda) {
    FrMaterial m = steel();
    FrMatricesDef def = {mesh, &m, 1, false, NULL};
    FrMatrices matrices;
    FrRigidMotions rigid;
    CHECK_OK(ctx, fr_matrices_assemble(ctx, &def, &matrices));
    if (as_theirs) their_mass(mesh, m.density, &matrices.M);
    CHECK_OK(ctx, fr_rigid_motions(ctx, mesh, NULL, &matrices, false, &rigid));
    FrEigenProblem problem = {.K = &matrices.K,
                              .M = &matrices.M,
                              .rigid = rigid.R,
                              .rigid_count = rigid.count,
                              .count = COUNT};
    FrEigenPairs pairs;
    FrEigenReport report;
    CHECK_OK(ctx, fr_studio_backend()->eigen(ctx, &problem, &pairs, &report));
    for (int i = 0; i < COUNT; i++) lambda[i] = pairs.lambda[i];
    fr_eigen_pairs_free(ctx, &pairs);
    fr_rigid_motions_free(ctx, &rigid);
    fr_matrices_free(ctx, &matrices);
}

static void theirs(FrContext *ctx, const FrTetMesh *mesh, double *lambda) {
    char folder[] = "/tmp/fracas-ccx-XXXXXX", command[128];
    FrMaterial m = steel();
    FrCalculixRun run = {0};
    double all[COUNT + RIGID];
    CHECK(mkdtemp(folder) != NULL);
    CHECK_OK(ctx, fr_calculix_save(ctx, folder, "bar", mesh, &m, COUNT + RIGID));
    CHECK_OK(ctx, fr_calculix_run(ctx, folder, "bar", all, COUNT + RIGID, &run));
    CHECK(run.installed);
    CHECK_INT(run.count, COUNT + RIGID);
    for (int i = 0; i < COUNT; i++) lambda[i] = all[RIGID + i];
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK_INT(system(command), 0);
}

TEST(same_frequencies_as_calculix) {
    FrContext *ctx = make_context(1);
    for (int order = 1; order <= 2; order++) {
        FrTetMesh mesh = bar(ctx, order);
        double wanted[COUNT], found[COUNT];
        memcpy(wanted, stored[order - 1], sizeof wanted);
        if (getenv("CALCULIX")) {
            theirs(ctx, &mesh, wanted);
            for (int i = 0; i < COUNT; i++)
                printf("%.7e%s", wanted[i], i + 1 < COUNT ? ", " : "\n");
        }
        ours(ctx, &mesh, true, found);
        // ccx prints seven digits of lambda
        for (int i = 0; i < COUNT; i++) CHECK_CLOSE(sqrt(found[i]), sqrt(wanted[i]), 2e-7);
        ours(ctx, &mesh, false, found);
        // the most for turning, which varies most inside a tet
        for (int i = 0; i < COUNT; i++)
            CHECK(found[i] < wanted[i] && found[i] > (order == 1 ? 0.95 : 0.998) * wanted[i]);
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}
