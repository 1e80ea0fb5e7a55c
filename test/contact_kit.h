// contact_kit.h: boxes of tets that tests throw about: rigid blocks, and nodes on springs.
#pragma once
#include "base/random.h"
#include "contact/contact.h"
#include "solve/penalty.h"
#include <stdlib.h>
#include <string.h>

/// A box of nx x ny x nz cells, six tets each, centred at the origin of `rest`.
typedef struct KitBox {
    int32_t node_count, tet_count;
    double *rest, *p, *v;
    int32_t (*tet)[4];
} KitBox;

static inline KitBox kit_box(int nx, int ny, int nz, double h) {
    static const int path[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    KitBox box = {.node_count = (nx + 1) * (ny + 1) * (nz + 1), .tet_count = 6 * nx * ny * nz};
    size_t bytes = 3 * (size_t)box.node_count * sizeof(double);
    box.rest = malloc(bytes), box.p = malloc(bytes), box.v = calloc(1, bytes);
    box.tet = malloc((size_t)box.tet_count * sizeof *box.tet);
    for (int32_t k = 0; k < box.node_count; k++) {
        int x = k % (nx + 1), y = k / (nx + 1) % (ny + 1), z = k / ((nx + 1) * (ny + 1));
        fr_set3(box.rest, k, fr_vec3(h * (x - 0.5 * nx), h * (y - 0.5 * ny), h * (z - 0.5 * nz)));
    }
    memcpy(box.p, box.rest, bytes);
    int32_t step[3] = {1, nx + 1, (nx + 1) * (ny + 1)}, at = 0;
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++)
                for (int k = 0; k < 6; k++) {
                    int32_t *t = box.tet[at++];
                    t[0] = x + y * step[1] + z * step[2];
                    for (int i = 0; i < 3; i++) t[i + 1] = t[i] + step[path[k][i]];
                    if (k == 1 || k == 2 || k == 5) {
                        int32_t swap = t[2];
                        t[2] = t[3], t[3] = swap;
                    }
                }
    return box;
}

static inline void kit_box_free(KitBox *box) {
    free(box->rest), free(box->p), free(box->v), free(box->tet);
}

static inline FrShapeView kit_view(const KitBox *box) {
    return (FrShapeView){.node_count = box->node_count,
                         .tet_count = box->tet_count,
                         .p = box->p,
                         .v = box->v,
                         .tet = (const int32_t(*)[4])box->tet,
                         .topology = 1};
}

static inline void kit_move(KitBox *box, FrVec3 by) {
    for (int32_t k = 0; k < box->node_count; k++) fr_add3(box->p, k, by);
}

/// Something that never moves.
static inline FrVec3 kit_still(const void *state, FrPoint at, FrVec3 x) {
    (void)state, (void)at, (void)x;
    return fr_vec3_zero;
}
static inline double kit_heavy(const void *state, FrPoint at, FrVec3 x) {
    (void)state, (void)at, (void)x;
    return 0.0;
}
/// Forces on the ground are added up in an FrVec3 when there is one.
static inline void kit_take(void *state, FrPoint at, FrVec3 x, FrVec3 force) {
    (void)at, (void)x;
    if (state) *(FrVec3 *)state = fr_add(*(FrVec3 *)state, force);
}
static inline FrMover kit_ground(FrVec3 *sum, double mu_s, double mu_d, double restitution) {
    FrMover mover = {.state = sum,
                     .velocity = kit_still,
                     .inverse_mass = kit_heavy,
                     .force = kit_take,
                     .friction_static = mu_s,
                     .friction_dynamic = mu_d,
                     .restitution = restitution};
    return mover;
}

/// A rigid block in the shape of a box of tets.
typedef struct KitBlock {
    KitBox box;
    double mass;
    FrVec3 inertia; ///< about its own axes, kg m^2
    FrVec3 x, v, L; ///< place, velocity, angular momentum
    FrQuat q;
    FrVec3 force, torque;
    bool no_spin;
} KitBlock;

static inline FrVec3 kit_spin(const KitBlock *b) {
    FrVec3 l = fr_quat_rotate(fr_quat_conj(b->q), b->L);
    return fr_quat_rotate(b->q,
                          fr_vec3(l.x / b->inertia.x, l.y / b->inertia.y, l.z / b->inertia.z));
}

static inline void kit_block_place(KitBlock *b) {
    FrMat3 R = fr_quat_mat3(b->q);
    FrVec3 w = kit_spin(b);
    for (int32_t k = 0; k < b->box.node_count; k++) {
        FrVec3 r = fr_mat3_apply(R, fr_get3(b->box.rest, k));
        fr_set3(b->box.p, k, fr_add(b->x, r));
        fr_set3(b->box.v, k, fr_add(b->v, fr_cross(w, r)));
    }
}

static inline KitBlock kit_block(int nx, int ny, int nz, double h, double mass, FrVec3 x) {
    KitBlock b = {.box = kit_box(nx, ny, nz, h), .mass = mass, .x = x, .q = fr_quat_identity};
    double a = h * nx, c = h * ny, d = h * nz;
    b.inertia = fr_scale(mass / 12, fr_vec3(c * c + d * d, a * a + d * d, a * a + c * c));
    kit_block_place(&b);
    return b;
}

static inline FrVec3 kit_block_velocity(const void *state, FrPoint at, FrVec3 x) {
    (void)at;
    const KitBlock *b = state;
    return fr_add(b->v, fr_cross(kit_spin(b), fr_sub(x, b->x)));
}
static inline double kit_block_inverse(const void *state, FrPoint at, FrVec3 x) {
    (void)at, (void)x;
    return 1.0 / ((const KitBlock *)state)->mass;
}
static inline void kit_block_force(void *state, FrPoint at, FrVec3 x, FrVec3 force) {
    (void)at;
    KitBlock *b = state;
    b->force = fr_add(b->force, force);
    b->torque = fr_add(b->torque, fr_cross(fr_sub(x, b->x), force));
}
static inline FrMover kit_block_mover(KitBlock *b, double young, double edge, double mu_s,
                                      double mu_d, double restitution) {
    FrMover mover = {.state = b,
                     .velocity = kit_block_velocity,
                     .inverse_mass = kit_block_inverse,
                     .force = kit_block_force,
                     .young = young,
                     .edge = edge,
                     .node_mass = b->mass,
                     .friction_static = mu_s,
                     .friction_dynamic = mu_d,
                     .restitution = restitution};
    return mover;
}

static inline void kit_block_step(KitBlock *b, double dt, FrVec3 gravity) {
    b->v = fr_axpy(dt / b->mass, b->force, fr_axpy(dt, gravity, b->v));
    if (!b->no_spin) b->L = fr_axpy(dt, b->torque, b->L);
    b->x = fr_axpy(dt, b->v, b->x);
    b->q = fr_quat_normalize(fr_quat_mul(fr_quat_from_rotation(fr_scale(dt, kit_spin(b))), b->q));
    b->force = b->torque = fr_vec3_zero;
    kit_block_place(b);
}

/// Nodes with masses, held together by damped springs along the edges of the tets.
typedef struct KitSoft {
    KitBox box;
    double node_mass, spring, damper; ///< kg, N/m, N s/m
    double *f;
    int32_t (*edge)[2];
    int32_t edge_count;
} KitSoft;

static inline KitSoft kit_soft(int nx, int ny, int nz, double h, double mass, double spring,
                               double damper, FrVec3 at) {
    KitSoft s = {.box = kit_box(nx, ny, nz, h), .spring = spring, .damper = damper};
    s.node_mass = mass / s.box.node_count;
    s.f = calloc(3 * (size_t)s.box.node_count, sizeof *s.f);
    s.edge = malloc(6 * (size_t)s.box.tet_count * sizeof *s.edge);
    char *seen = calloc((size_t)s.box.node_count * (size_t)s.box.node_count, 1);
    for (int32_t e = 0; e < s.box.tet_count; e++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                int32_t a = s.box.tet[e][i], b = s.box.tet[e][j];
                char *mark = &seen[(size_t)a * (size_t)s.box.node_count + (size_t)b];
                if (a >= b || *mark) continue;
                *mark = 1;
                s.edge[s.edge_count][0] = a, s.edge[s.edge_count++][1] = b;
            }
    free(seen);
    kit_move(&s.box, at);
    return s;
}
static inline void kit_soft_free(KitSoft *s) {
    kit_box_free(&s->box);
    free(s->f), free(s->edge);
}

static inline FrVec3 kit_soft_velocity(const void *state, FrPoint at, FrVec3 x) {
    (void)x;
    const KitBox *box = &((const KitSoft *)state)->box;
    FrVec3 v = fr_vec3_zero;
    for (int i = 0; i < 4; i++) v = fr_axpy(at.b[i], fr_get3(box->v, box->tet[at.tet][i]), v);
    return v;
}
static inline double kit_soft_inverse(const void *state, FrPoint at, FrVec3 x) {
    (void)x;
    double sum = 0.0;
    for (int i = 0; i < 4; i++) sum += at.b[i] * at.b[i];
    return sum / ((const KitSoft *)state)->node_mass;
}
// f_i = b_i f                                                                  [S6 eq. 5.6]
static inline void kit_soft_force(void *state, FrPoint at, FrVec3 x, FrVec3 force) {
    (void)x;
    KitSoft *s = state;
    for (int i = 0; i < 4; i++) fr_add3(s->f, s->box.tet[at.tet][i], fr_scale(at.b[i], force));
}
static inline FrMover kit_soft_mover(KitSoft *s, double young, double edge, double mu_s,
                                     double mu_d, double restitution) {
    FrMover mover = {.state = s,
                     .velocity = kit_soft_velocity,
                     .inverse_mass = kit_soft_inverse,
                     .force = kit_soft_force,
                     .young = young,
                     .edge = edge,
                     .node_mass = s->node_mass,
                     .friction_static = mu_s,
                     .friction_dynamic = mu_d,
                     .restitution = restitution};
    return mover;
}

static inline void kit_soft_step(KitSoft *s, double dt, FrVec3 gravity) {
    for (int32_t k = 0; k < s->edge_count; k++) {
        int32_t i = s->edge[k][0], j = s->edge[k][1];
        FrVec3 d = fr_sub(fr_get3(s->box.p, j), fr_get3(s->box.p, i));
        FrVec3 w = fr_sub(fr_get3(s->box.v, j), fr_get3(s->box.v, i));
        double rest = fr_distance(fr_get3(s->box.rest, j), fr_get3(s->box.rest, i));
        double len = fr_length(d), rate = fr_dot(w, d) / len;
        FrVec3 f = fr_scale((s->spring * (len - rest) + s->damper * rate) / len, d);
        fr_add3(s->f, i, f);
        fr_add3(s->f, j, fr_neg(f));
    }
    for (int32_t k = 0; k < s->box.node_count; k++) {
        FrVec3 a = fr_axpy(1.0 / s->node_mass, fr_get3(s->f, k), gravity);
        fr_add3(s->box.v, k, fr_scale(dt, a));
        fr_add3(s->box.p, k, fr_scale(dt, fr_get3(s->box.v, k)));
    }
    memset(s->f, 0, 3 * (size_t)s->box.node_count * sizeof *s->f);
}
