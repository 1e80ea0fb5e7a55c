// rigid_modes.c: the motions of a mesh that store no energy, found from its shape, not from numbers
// near 0.

#include "modal/rigid_modes.h"
#include "math/jacobi.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include <string.h>

// a held node stops a motion whose (scaled) square at it is above this
#define HOLDS 1e-12

void fr_rigid_motions_free(FrContext *ctx, FrRigidMotions *m) {
    fr_free(ctx, m->R);
    *m = (FrRigidMotions){0};
}

/// One part: where it is, and which combinations of its six motions are free.
typedef struct Part {
    FrVec3 centre;     ///< m
    double radius;     ///< m
    double free[6][6]; ///< rows: combinations (free_count)
    int32_t free_count;
    int32_t node_count;
} Part;

typedef struct Rigid {
    FrContext *ctx;
    const FrTetMesh *mesh;
    const uint8_t *held;
    const FrMatrices *matrices;
    int32_t *part_of; ///< part of each node (mesh node_count)
    Part *part;
    int32_t part_count;
} Rigid;

// motion c of the six at x: along an axis, or about one through the centre, in units of the radius
static FrVec3 motion(const Part *part, int c, FrVec3 x) {
    FrVec3 axis = {c % 3 == 0, c % 3 == 1, c % 3 == 2};
    if (c < 3) return axis;
    return fr_scale(1.0 / part->radius, fr_cross(axis, fr_sub(x, part->centre)));
}

static FrResult hang_together(const Rigid *r, int32_t n, int32_t a, int32_t b) {
    FrVec3 x = fr_get3(r->mesh->x, n);
    return fr_fail(
        r->ctx, FR_BAD_INPUT,
        "parts %d and %d of the mesh touch at node %d (%g, %g, %g) without a common face: "
        "they would swing about it; join or separate them",
        a, b, n, x.x, x.y, x.z);
}

static FrResult find_parts(Rigid *r, bool several) {
    int32_t *component = NULL;
    FR_TRY(fr_tet_components(r->ctx, r->mesh, &component, &r->part_count));
    FrResult result = FR_OK;
    for (int32_t n = 0; n < r->mesh->node_count; n++) r->part_of[n] = -1;
    for (int32_t e = 0; e < r->mesh->tet_count && result == FR_OK; e++) {
        int32_t node[FR_TET_NODES], count = fr_tet_nodes(r->mesh, e, node);
        for (int32_t i = 0; i < count && result == FR_OK; i++) {
            int32_t *part = &r->part_of[node[i]];
            if (*part >= 0 && *part != component[e])
                result = hang_together(r, node[i], *part, component[e]);
            *part = component[e];
        }
    }
    fr_free(r->ctx, component);
    FR_TRY(result);
    if (r->part_count > 1 && !several)
        return fr_fail(r->ctx, FR_BAD_INPUT,
                       "the mesh has %d parts that do not touch; modes are of one body: keep one "
                       "part, or make a "
                       "body of each",
                       r->part_count);
    r->part = FR_NEW(r->ctx, Part, r->part_count);
    return r->part ? FR_OK : fr_no_memory(r->ctx, "parts of a mesh");
}

static void measure_parts(Rigid *r) {
    for (int32_t n = 0; n < r->mesh->node_count; n++) {
        Part *part = &r->part[r->part_of[n]];
        part->centre = fr_add(part->centre, fr_get3(r->mesh->x, n));
        part->node_count++;
    }
    for (int32_t k = 0; k < r->part_count; k++)
        r->part[k].centre = fr_scale(1.0 / r->part[k].node_count, r->part[k].centre);
    for (int32_t n = 0; n < r->mesh->node_count; n++) {
        Part *part = &r->part[r->part_of[n]];
        part->radius = fr_max(part->radius, fr_distance(fr_get3(r->mesh->x, n), part->centre));
    }
}

// eigenvectors of a symmetric 6x6 matrix in the rows of V, by more sweeps than it takes
static void find_eigenvectors(double A[6][6], double V[6][6]) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) V[i][j] = i == j;
    for (int sweep = 0; sweep < 30; sweep++) fr_sym6_sweep(A, V);
}

// combinations of the six motions that leave every held node where it is
static void find_free(const Rigid *r, int32_t k) {
    Part *part = &r->part[k];
    double A[6][6] = {{0}}, V[6][6];
    bool any = false;
    for (int32_t n = 0; n < r->mesh->node_count; n++) {
        if (r->part_of[n] != k || !r->held || !r->held[n]) continue;
        FrVec3 x = fr_get3(r->mesh->x, n);
        any = true;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) A[i][j] += fr_dot(motion(part, i, x), motion(part, j, x));
    }
    find_eigenvectors(A, V);
    double most = 0.0;
    for (int i = 0; i < 6; i++) most = fr_max(most, A[i][i]);
    for (int i = 0; i < 6; i++)
        if (!any || A[i][i] <= HOLDS * most)
            memcpy(part->free[part->free_count++], V[i], sizeof V[i]);
}

static void fill_motion(const Rigid *r, int32_t k, const double *combination, double *to) {
    const Part *part = &r->part[k];
    for (int32_t n = 0; n < r->matrices->node_count; n++) {
        int32_t node = r->matrices->node[n];
        if (r->part_of[node] != k) continue;
        FrVec3 sum = fr_vec3_zero;
        for (int c = 0; c < 6; c++)
            sum = fr_axpy(combination[c], motion(part, c, fr_get3(r->mesh->x, node)), sum);
        fr_set3(to, n, sum);
    }
}

static double dot(const double *a, const double *b, int32_t size) {
    double sum = 0.0;
    for (int32_t i = 0; i < size; i++) sum += a[i] * b[i];
    return sum;
}

// Gram-Schmidt in M, twice
static FrResult orthonormalise(const Rigid *r, FrRigidMotions *m) {
    int32_t size = 3 * r->matrices->node_count;
    double *Mv = FR_NEW(r->ctx, double, size);
    if (!Mv) return fr_no_memory(r->ctx, "rigid motions");
    for (int32_t c = 0; c < m->count; c++) {
        double *v = m->R + (size_t)c * (size_t)size;
        for (int pass = 0; pass < 2; pass++)
            for (int32_t p = 0; p < c; p++) {
                const double *u = m->R + (size_t)p * (size_t)size;
                fr_block_matrix_apply(r->ctx, &r->matrices->M, v, Mv, 1);
                double along = dot(u, Mv, size);
                for (int32_t i = 0; i < size; i++) v[i] -= along * u[i];
            }
        fr_block_matrix_apply(r->ctx, &r->matrices->M, v, Mv, 1);
        double scale = 1.0 / sqrt(dot(v, Mv, size));
        for (int32_t i = 0; i < size; i++) v[i] *= scale;
    }
    fr_free(r->ctx, Mv);
    return FR_OK;
}

static FrResult build(Rigid *r, bool several, FrRigidMotions *m) {
    r->part_of = FR_NEW(r->ctx, int32_t, r->mesh->node_count);
    if (!r->part_of) return fr_no_memory(r->ctx, "parts of a mesh");
    FR_TRY(find_parts(r, several));
    measure_parts(r);
    m->parts = r->part_count;
    for (int32_t k = 0; k < r->part_count; k++) {
        find_free(r, k);
        m->count += r->part[k].free_count;
    }
    size_t size = 3 * (size_t)r->matrices->node_count;
    m->R = FR_NEW(r->ctx, double, size *(size_t)(m->count + 1));
    if (!m->R) return fr_no_memory(r->ctx, "rigid motions");
    int32_t column = 0;
    for (int32_t k = 0; k < r->part_count; k++)
        for (int32_t i = 0; i < r->part[k].free_count; i++)
            fill_motion(r, k, r->part[k].free[i], m->R + size * (size_t)column++);
    return orthonormalise(r, m);
}

FrResult fr_rigid_motions(FrContext *ctx, const FrTetMesh *mesh, const uint8_t *held,
                          const FrMatrices *matrices, bool several, FrRigidMotions *m) {
    Rigid r = {.ctx = ctx, .mesh = mesh, .held = held, .matrices = matrices};
    *m = (FrRigidMotions){0};
    FrResult result = build(&r, several, m);
    fr_free(ctx, r.part_of);
    fr_free(ctx, r.part);
    if (result != FR_OK) fr_rigid_motions_free(ctx, m);
    return result;
}
