// matrices_tet.c: stiffness and mass of one tet at rest, with four nodes or with ten on curved
// sides.

#include "fem/matrices.h"
#include "math/vec.h"
#include "mesh/order2.h"
#include "mesh/tetmesh.h"
#include <string.h>

#define NODES FR_TET_NODES

// degree 5 with positive weights: two orbits of four points and one of six (Walkington 2000)
void fr_tet_rule(FrTetRule *rule) {
    static const double corner[2] = {0.0927352503108912264, 0.3108859192633006098};
    static const double corner_weight[2] = {0.0734930431163619493, 0.1126879257180158508};
    const double edge = 0.0455037041256496495, edge_weight = 0.0425460207770814664;
    int q = 0;
    for (int orbit = 0; orbit < 2; orbit++)
        for (int k = 0; k < 4; k++, q++) {
            for (int i = 0; i < 4; i++)
                rule->b[q][i] = i == k ? 1.0 - 3.0 * corner[orbit] : corner[orbit];
            rule->weight[q] = corner_weight[orbit];
        }
    for (int k = 0; k < 6; k++, q++) {
        for (int i = 0; i < 4; i++) {
            bool on = i == fr_tet_edge[k][0] || i == fr_tet_edge[k][1];
            rule->b[q][i] = on ? 0.5 - edge : edge;
        }
        rule->weight[q] = edge_weight;
    }
}

int32_t fr_tet_nodes(const FrTetMesh *mesh, int32_t e, int32_t node[NODES]) {
    memcpy(node, mesh->tet[e], 4 * sizeof(int32_t));
    if (mesh->order == 1) return 4;
    memcpy(node + 4, mesh->mid[e], 6 * sizeof(int32_t));
    return NODES;
}

// the ten shape functions: b_i (2 b_i - 1) at corners, 4 b_i b_j between them
static void quadratic(const double b[4], double N[NODES]) {
    for (int i = 0; i < 4; i++) N[i] = b[i] * (2.0 * b[i] - 1.0);
    for (int k = 0; k < 6; k++) N[4 + k] = 4.0 * b[fr_tet_edge[k][0]] * b[fr_tet_edge[k][1]];
}

// their derivatives along x, 1/m, from J = dx/db; false where det J is not positive
static bool quadratic_gradients(const double b[4], FrMat3 J, FrVec3 G[NODES]) {
    if (!(fr_mat3_det(J) > 0.0)) return false;
    FrMat3 inverse = fr_mat3_inverse(J); // its rows are grad b1, b2, b3
    FrMat3 rows = fr_mat3_transpose(inverse);
    FrVec3 g[4] = {fr_neg(fr_add(rows.c0, fr_add(rows.c1, rows.c2))), rows.c0, rows.c1, rows.c2};
    for (int i = 0; i < 4; i++) G[i] = fr_scale(4.0 * b[i] - 1.0, g[i]);
    for (int k = 0; k < 6; k++) {
        int i = fr_tet_edge[k][0], j = fr_tet_edge[k][1];
        G[4 + k] = fr_add(fr_scale(4.0 * b[j], g[i]), fr_scale(4.0 * b[i], g[j]));
    }
    return true;
}

// S_ij = integral of G_i G_j' over the tet, m, for i >= j: all that stiffness needs
typedef struct Products {
    int count;
    double S[NODES][NODES][9];
} Products;

static void add_products(Products *p, const FrVec3 *G, double weight) {
    for (int i = 0; i < p->count; i++) {
        double a[3] = {weight * G[i].x, weight * G[i].y, weight * G[i].z};
        for (int j = 0; j <= i; j++) {
            double *S = p->S[i][j], b[3] = {G[j].x, G[j].y, G[j].z};
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++) S[3 * c + d] += a[c] * b[d];
        }
    }
}

static bool linear_products(const FrTetMesh *mesh, int32_t e, Products *p) {
    FrVec3 x[4];
    for (int i = 0; i < 4; i++) x[i] = fr_get3(mesh->x, mesh->tet[e][i]);
    FrMat3 J = fr_mat3(fr_sub(x[1], x[0]), fr_sub(x[2], x[0]), fr_sub(x[3], x[0]));
    double volume6 = fr_mat3_det(J);
    if (!(volume6 > 0.0) || !isfinite(volume6)) return false;
    FrMat3 rows = fr_mat3_transpose(fr_mat3_inverse(J));
    FrVec3 G[4] = {fr_neg(fr_add(rows.c0, fr_add(rows.c1, rows.c2))), rows.c0, rows.c1, rows.c2};
    add_products(p, G, volume6 / 6.0);
    return true;
}

static bool quadratic_products(const FrTetMesh *mesh, int32_t e, Products *p) {
    FrTetRule rule;
    fr_tet_rule(&rule);
    for (int q = 0; q < FR_TET_RULE; q++) {
        FrVec3 G[NODES];
        FrMat3 J = fr_order2_jacobian(mesh, e, rule.b[q]);
        if (!quadratic_gradients(rule.b[q], J, G)) return false;
        add_products(p, G, rule.weight[q] * fr_mat3_det(J) / 6.0);
    }
    return true;
}

// k_ij = -df_i/dp_j at rest = lambda S + mu S' + mu tr(S) I                          [S4 eq. 11]
// with S = vol G_i G_j' for a linear tet                                               [S4 eq. 12]
//
// Departs from the paper: positive, and the full volume; S4 prints half of it and a minus (E6).
static void isotropic_block(double lambda, double mu, const double S[9], double k[9]) {
    double trace = S[0] + S[4] + S[8];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            k[3 * a + b] = lambda * S[3 * a + b] + mu * S[3 * b + a] + (a == b ? mu * trace : 0.0);
}

// k_ij,ab = sum_cd C_acbd S_cd with C by pairs xx yy zz yz zx xy
static void general_block(const double C[6][6], const double S[9], double k[9]) {
    static const int pair[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double sum = 0.0;
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++) sum += C[pair[a][c]][pair[b][d]] * S[3 * c + d];
            k[3 * a + b] = sum;
        }
}

bool fr_tet_stiffness(const FrTetMesh *mesh, int32_t e, const FrMaterial *material, double *K) {
    Products p = {.count = mesh->order == 1 ? 4 : NODES};
    if (mesh->order == 1 ? !linear_products(mesh, e, &p) : !quadratic_products(mesh, e, &p))
        return false;
    int stride = 3 * p.count;
    for (int i = 0; i < p.count; i++)
        for (int j = 0; j <= i; j++) {
            double k[9];
            if (material->anisotropic)
                general_block(material->C, p.S[i][j], k);
            else
                isotropic_block(material->lambda, material->mu, p.S[i][j], k);
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) {
                    K[(3 * i + a) * stride + 3 * j + b] = k[3 * a + b];
                    K[(3 * j + b) * stride + 3 * i + a] = k[3 * a + b];
                }
        }
    return true;
}

// m_ij = rho vol / 20 (1 + delta_ij)                                               [S4 eq. 14]
// lumped: rho vol / 4 on the diagonal                                              [S4 eq. 15]
static bool linear_mass(const FrTetMesh *mesh, int32_t e, double density, bool lumped, double *M) {
    double mass = density * fr_tet_volume(mesh, e);
    if (!(mass > 0.0) || !isfinite(mass)) return false;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            M[4 * i + j] = lumped ? (i == j ? mass / 4.0 : 0.0) : mass / 20.0 * (1.0 + (i == j));
    return true;
}

// Hinton, Rock and Zienkiewicz 1976: the diagonal, scaled to the whole mass
static void lump_quadratic(double mass, double *M) {
    double trace = 0.0;
    for (int i = 0; i < NODES; i++) trace += M[NODES * i + i];
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < NODES; j++)
            M[NODES * i + j] = i == j ? M[NODES * i + i] * (mass / trace) : 0.0;
}

// second derivatives of the kinetic energy by the velocities of nodes: integral of rho N_i N_j
//                                                                                      [S4 eq. 13]
bool fr_tet_mass(const FrTetMesh *mesh, int32_t e, double density, bool lumped, double *M) {
    if (mesh->order == 1) return linear_mass(mesh, e, density, lumped, M);
    FrTetRule rule;
    fr_tet_rule(&rule);
    memset(M, 0, NODES * NODES * sizeof(double));
    double mass = 0.0;
    for (int q = 0; q < FR_TET_RULE; q++) {
        double N[NODES], det = fr_mat3_det(fr_order2_jacobian(mesh, e, rule.b[q]));
        if (!(det > 0.0) || !isfinite(det)) return false;
        double weight = density * rule.weight[q] * det / 6.0;
        mass += weight;
        quadratic(rule.b[q], N);
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < NODES; j++) M[NODES * i + j] += weight * N[i] * N[j];
    }
    if (lumped) lump_quadratic(mass, M);
    return true;
}
