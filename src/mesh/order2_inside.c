// order2_inside.c: mid-nodes inside a mesh follow those that went to the shape, so that thin curved
// walls keep their tets positive.
//
// Moves m_ij give the map of a tet the second derivative H = sum 4 m_ij (g_i g_j' + g_j g_i'), g_i
// the gradients of its corners. What is free makes the sum of vol |H|^2 least: tets stay as nearly
// affine as the surface lets them, and through a thin wall, where bending is dearest, nothing
// bends. (Moves spread as a harmonic function bend the edges through a wall: 0.1 % of a chime's
// pitch.)

#include "math/vec.h"
#include "mesh/order2_inside.h"
#include <string.h>

#define MOST_STEPS 500
// of the first residual: a mid-node inside needs no more digits
#define ENOUGH 1e-7

typedef struct Spread {
    const FrTetMesh *mesh;
    const FrEdges *edges;
    const uint8_t *fixed;
    double (*A)[21]; ///< lower triangle of each tet's 6x6 matrix (tet_count)
    FrVec3 *r, *p, *Ap;
    double *diagonal;
} Spread;

// vol H_ij : H_kl of two edges of a straight tet
static void tet_matrix(const FrTetMesh *mesh, int32_t e, double A[21]) {
    FrVec3 x[4];
    for (int i = 0; i < 4; i++) x[i] = fr_get3(mesh->x, mesh->tet[e][i]);
    FrMat3 D = fr_mat3(fr_sub(x[1], x[0]), fr_sub(x[2], x[0]), fr_sub(x[3], x[0]));
    double det = fr_mat3_det(D), G[4][4];
    FrMat3 rows = fr_mat3_scale(1.0 / det, fr_mat3_cofactor(D));
    FrVec3 g[4] = {fr_neg(fr_add(rows.c0, fr_add(rows.c1, rows.c2))), rows.c0, rows.c1, rows.c2};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) G[i][j] = fr_dot(g[i], g[j]);
    for (int a = 0, at = 0; a < 6; a++)
        for (int b = 0; b <= a; b++, at++) {
            int i = fr_tet_edge[a][0], j = fr_tet_edge[a][1], k = fr_tet_edge[b][0],
                l = fr_tet_edge[b][1];
            A[at] = 32.0 / 6.0 * det * (G[i][k] * G[j][l] + G[i][l] * G[j][k]);
        }
}

// out = A u over all tets, zero where moves are given
static void apply(const Spread *s, const FrVec3 *u, FrVec3 *out) {
    memset(out, 0, (size_t)s->edges->count * sizeof *out);
    for (int32_t e = 0; e < s->mesh->tet_count; e++) {
        const int32_t *k = s->edges->of_tet[e];
        for (int a = 0, at = 0; a < 6; a++)
            for (int b = 0; b <= a; b++, at++) {
                out[k[a]] = fr_axpy(s->A[e][at], u[k[b]], out[k[a]]);
                if (a != b) out[k[b]] = fr_axpy(s->A[e][at], u[k[a]], out[k[b]]);
            }
    }
    for (int32_t k = 0; k < s->edges->count; k++)
        if (s->fixed[k]) out[k] = fr_vec3_zero;
}

static void set_up(Spread *s, const FrVec3 *move) {
    for (int32_t e = 0; e < s->mesh->tet_count; e++) {
        tet_matrix(s->mesh, e, s->A[e]);
        for (int a = 0, at = 0; a < 6; at += ++a + 1)
            s->diagonal[s->edges->of_tet[e][a]] += s->A[e][at];
    }
    apply(s, move, s->r);
    for (int32_t k = 0; k < s->edges->count; k++) s->r[k] = fr_neg(s->r[k]);
}

// r . r / diagonal
static double weighted(const Spread *s) {
    double sum = 0.0;
    for (int32_t k = 0; k < s->edges->count; k++) sum += fr_length2(s->r[k]) / s->diagonal[k];
    return sum;
}

static void iterate(Spread *s, FrVec3 *move) {
    int32_t count = s->edges->count;
    double rho = weighted(s), first = rho;
    for (int32_t k = 0; k < count; k++) s->p[k] = fr_scale(1.0 / s->diagonal[k], s->r[k]);
    for (int step = 0; step < MOST_STEPS && rho > ENOUGH * ENOUGH * first; step++) {
        double along = 0.0;
        apply(s, s->p, s->Ap);
        for (int32_t k = 0; k < count; k++) along += fr_dot(s->p[k], s->Ap[k]);
        double alpha = rho / along;
        for (int32_t k = 0; k < count; k++) {
            move[k] = fr_axpy(alpha, s->p[k], move[k]);
            s->r[k] = fr_axpy(-alpha, s->Ap[k], s->r[k]);
        }
        double next = weighted(s), beta = next / rho;
        for (int32_t k = 0; k < count; k++)
            s->p[k] = fr_axpy(beta, s->p[k], fr_scale(1.0 / s->diagonal[k], s->r[k]));
        rho = next;
    }
}

FrResult fr_order2_spread(FrContext *ctx, const FrTetMesh *mesh, const FrEdges *edges,
                          const uint8_t *fixed, FrVec3 *move) {
    Spread s = {.mesh = mesh, .edges = edges, .fixed = fixed};
    s.A = fr_alloc_zero(ctx, (size_t)mesh->tet_count, sizeof *s.A);
    s.r = FR_NEW(ctx, FrVec3, edges->count);
    s.p = FR_NEW(ctx, FrVec3, edges->count);
    s.Ap = FR_NEW(ctx, FrVec3, edges->count);
    s.diagonal = FR_NEW(ctx, double, edges->count);
    bool room = s.A && s.r && s.p && s.Ap && s.diagonal;
    if (room) {
        set_up(&s, move);
        iterate(&s, move);
    }
    FR_FREE_ALL(ctx, s.A, s.r, s.p, s.Ap, s.diagonal);
    return room ? FR_OK : fr_no_memory(ctx, "mid-nodes");
}
