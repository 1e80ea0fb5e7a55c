// turning.c: the term of the energy that couples spin and modes, to first order in how far these
// are out, and its own motion.
//
// With z and v of the modes and w = I^-1 R'L, body axes, the energy of a body that spins and bends
// is that of a rigid frame, that of its modes, and
//     H = -1/2 w.(sum_j z_j I_j) w - w.(sum_jk c_jk z_j v_k)                              [M33]
// I_j: how a mode changes the inertia; c_jk = integral of rho w_j x w_k. Alone it moves
//     v_j' = 1/2 w.I_j w + (C v)_j,   z' = C z,   C_jk = w.c_jk
// which are the centrifugal force, and the Coriolis force (with the term of z, where the axes turn
// below the modes), and turns the frame by -I^-1 (sum_j z_j I_j w + sum_jk c_jk z_j v_k).

#include "modal/turning.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include <string.h>

void fr_turning_destroy(FrTurning *t) {
    if (t) FR_FREE_ALL(t->ctx, t->inertia, t->cross, t->matrix, t->room, t);
}

static FrVec3 shape_at(const FrBend *b, int32_t mode, int32_t node) {
    const float *w = b->modes.shape + 3 * ((size_t)mode * (size_t)b->node_count + (size_t)node);
    return fr_vec3((double)w[0], (double)w[1], (double)w[2]);
}

static FrMat3 outer_sum(FrMat3 M, double by, FrVec3 a, FrVec3 b) {
    return fr_mat3_axpy(by, fr_outer(a, b), M);
}

// integral of rho a_i b_k over a tet: a and b are straight between its corners
static FrMat3 integral(double mass, const FrVec3 a[4], const FrVec3 b[4]) {
    FrMat3 M = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    FrVec3 sa = fr_vec3_zero, sb = fr_vec3_zero;
    for (int i = 0; i < 4; i++) {
        M = outer_sum(M, mass / 20.0, a[i], b[i]);
        sa = fr_add(sa, a[i]), sb = fr_add(sb, b[i]);
    }
    return outer_sum(M, mass / 20.0, sa, sb);
}

static double entry(FrMat3 M, int i, int k) {
    FrVec3 unit = fr_vec3(k == 0, k == 1, k == 2);
    return fr_vec3_get(fr_mat3_apply(M, unit), i);
}

// of S = integral of rho x u: 2 tr S - S - S'
static FrSym3 inertia_of(FrMat3 S) {
    double xx = entry(S, 0, 0), yy = entry(S, 1, 1), zz = entry(S, 2, 2);
    return (FrSym3){2.0 * (yy + zz),
                    2.0 * (zz + xx),
                    2.0 * (xx + yy),
                    -entry(S, 1, 2) - entry(S, 2, 1),
                    -entry(S, 2, 0) - entry(S, 0, 2),
                    -entry(S, 0, 1) - entry(S, 1, 0)};
}

// of S = integral of rho a b: that of a x b
static FrVec3 cross_of(FrMat3 S) {
    return fr_vec3(entry(S, 1, 2) - entry(S, 2, 1), entry(S, 2, 0) - entry(S, 0, 2),
                   entry(S, 0, 1) - entry(S, 1, 0));
}

static void corners(const FrBend *b, const int32_t *node, int32_t mode, FrVec3 w[4]) {
    for (int i = 0; i < 4; i++)
        w[i] = mode < 0 ? fr_get3(b->rest, b->slot[node[i]]) : shape_at(b, mode, node[i]);
}

static void add_tet(FrTurning *t, const FrBend *b, const int32_t *node, double mass) {
    size_t n = (size_t)t->count;
    FrVec3 x[4], w[4], u[4];
    corners(b, node, -1, x);
    for (int32_t j = 0; j < t->count; j++) {
        corners(b, node, j, w);
        t->inertia[j] = fr_sym3_axpy(1.0, inertia_of(integral(mass, x, w)), t->inertia[j]);
        for (int32_t k = j + 1; k < t->count; k++) {
            corners(b, node, k, u);
            FrVec3 c = cross_of(integral(mass, w, u));
            for (int axis = 0; axis < 3; axis++) {
                double *row = t->cross + (size_t)axis * n * n;
                row[(size_t)j * n + (size_t)k] += fr_vec3_get(c, axis);
                row[(size_t)k * n + (size_t)j] -= fr_vec3_get(c, axis);
            }
        }
    }
}

FrResult fr_turning_create(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material,
                           const FrBend *bend, FrTurning **turning) {
    size_t n = (size_t)bend->count;
    FrTurning *t = *turning = FR_NEW(ctx, FrTurning, 1);
    if (!t) return fr_no_memory(ctx, "a spinning body");
    t->ctx = ctx;
    t->count = bend->count;
    t->inertia = FR_NEW(ctx, FrSym3, n + 1);
    t->cross = FR_NEW(ctx, double, 3 * n * n + 1);
    t->matrix = FR_NEW(ctx, double, n *n + 1);
    t->room = FR_NEW(ctx, double, 3 * n + 1);
    if (!t->inertia || !t->cross || !t->matrix || !t->room) {
        fr_turning_destroy(t);
        *turning = NULL;
        return fr_no_memory(ctx, "a spinning body");
    }
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        double density = material[mesh->region ? mesh->region[e] : 0].density;
        add_tet(t, bend, mesh->tet[e], density * fr_tet_volume(mesh, e));
    }
    return FR_OK;
}

static FrVec3 spin_of(const FrRigid *r) {
    return fr_mat3_apply(r->inv_inertia, fr_quat_rotate(fr_quat_conj(r->q), r->L));
}

static FrSym3 bent_inertia(const FrTurning *t, const double *z) {
    FrSym3 sum = fr_sym3_zero;
    for (int32_t j = 0; j < t->count; j++) sum = fr_sym3_axpy(z[j], t->inertia[j], sum);
    return sum;
}

// angular momentum of the modes about the frame: sum of c_jk z_j v_k
static FrVec3 inner_momentum(const FrTurning *t, const double *z, const double *v) {
    size_t n = (size_t)t->count;
    double sum[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < 3; axis++)
        for (size_t j = 0; j < n; j++) {
            const double *row = t->cross + ((size_t)axis * n + j) * n;
            double by = 0.0;
            for (size_t k = 0; k < n; k++) by += row[k] * v[k];
            sum[axis] += z[j] * by;
        }
    return fr_vec3(sum[0], sum[1], sum[2]);
}

double fr_turning_energy(const FrTurning *t, const FrBend *b, const FrRigid *r) {
    FrVec3 w = spin_of(r);
    return -0.5 * fr_dot(w, fr_sym3_apply(bent_inertia(t, b->z), w)) -
           fr_dot(w, inner_momentum(t, b->z, b->v));
}

// the frame turns below what is bent; by the spin at the middle of the time
static void turn(const FrTurning *t, const FrBend *b, FrRigid *r, double dt) {
    FrSym3 bent = bent_inertia(t, b->z);
    FrVec3 inner = inner_momentum(t, b->z, b->v);
    FrQuat start = r->q;
    for (int half = 1; half >= 0; half--) {
        FrVec3 more = fr_add(fr_sym3_apply(bent, spin_of(r)), inner);
        FrVec3 by = fr_scale(-(half ? 0.5 : 1.0) * dt, fr_mat3_apply(r->inv_inertia, more));
        r->q = fr_quat_normalize(fr_quat_mul(start, fr_quat_from_rotation(by)));
    }
}

// x becomes exp(dt C) x, by four terms of its series
static void flow(const FrTurning *t, double dt, double *x) {
    size_t n = (size_t)t->count;
    double *term = t->room, *next = t->room + n;
    memcpy(term, x, n * sizeof *x);
    for (int order = 1; order <= 4; order++) {
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < n; k++) sum += t->matrix[j * n + k] * term[k];
            next[j] = dt / order * sum;
        }
        for (size_t j = 0; j < n; j++) x[j] += next[j];
        memcpy(term, next, n * sizeof *x);
    }
}

static void swing(FrTurning *t, FrBend *b, const FrRigid *r, double dt) {
    size_t n = (size_t)t->count;
    FrVec3 w = spin_of(r);
    double *before = t->room + 2 * n;
    for (size_t k = 0; k < n * n; k++)
        t->matrix[k] =
            w.x * t->cross[k] + w.y * t->cross[n * n + k] + w.z * t->cross[2 * n * n + k];
    memcpy(before, b->z, n * sizeof *before);
    flow(t, dt, b->v);
    flow(t, dt, b->z);
    for (size_t j = 0; j < n; j++) b->path += b->most[j] * fabs(b->z[j] - before[j]);
}

// Held over the step, as all forces on modes are, so that stiff ones follow it at once: that of the
// spin in its middle.
static void whirl(const FrTurning *t, FrBend *b, const FrRigid *r, double dt) {
    FrRigid middle = *r;
    fr_rigid_turn(&middle, dt);
    FrVec3 w = spin_of(&middle);
    for (int32_t j = 0; j < t->count; j++)
        b->whirl[j] = 0.5 * fr_dot(w, fr_sym3_apply(t->inertia[j], w));
}

void fr_turning_act(FrTurning *t, FrBend *b, FrRigid *r, double dt, bool after) {
    if (after) swing(t, b, r, dt);
    turn(t, b, r, dt);
    if (after) return;
    swing(t, b, r, dt);
    whirl(t, b, r, dt);
}
