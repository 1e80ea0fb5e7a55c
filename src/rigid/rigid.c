// rigid.c: Newton and Euler for one rigid frame, with angular momentum as the state.

#include "rigid/rigid.h"
#include "math/decompose.h"

void fr_rigid_init(FrRigid *body, double mass, FrSym3 inertia, FrVec3 x, FrQuat q, FrVec3 v) {
    FR_ASSERT(mass > 0.0, "a rigid frame needs mass");
    *body = (FrRigid){.x = x, .q = fr_quat_normalize(q), .v = v, .mass = mass};
    body->inertia = fr_sym3_full(inertia);
    body->inv_inertia = fr_mat3_inverse(body->inertia);
    FrEigen3 axes = fr_sym3_eigen(inertia);
    body->principal = fr_quat_from_mat3(fr_mat3(axes.vector[0], axes.vector[1], axes.vector[2]));
    body->moment = fr_vec3(axes.value[0], axes.value[1], axes.value[2]);
}

void fr_rigid_set_spin(FrRigid *body, FrVec3 spin) {
    FrMat3 R = fr_quat_mat3(body->q);
    body->L = fr_mat3_apply(R, fr_mat3_apply(body->inertia, fr_mat3_apply_t(R, spin)));
}

FrMat3 fr_rigid_inv_inertia(const FrRigid *body) {
    FrMat3 R = fr_quat_mat3(body->q);
    return fr_mat3_mul(R, fr_mat3_mul(body->inv_inertia, fr_mat3_transpose(R)));
}

FrVec3 fr_rigid_spin(const FrRigid *body) {
    FrMat3 R = fr_quat_mat3(body->q);
    return fr_mat3_apply(R, fr_mat3_apply(body->inv_inertia, fr_mat3_apply_t(R, body->L)));
}

// v + w x r, the frame's part of a point's velocity                                  [S1 eq. 19]
FrVec3 fr_rigid_velocity(const FrRigid *body, FrVec3 at) {
    return fr_add(body->v, fr_cross(fr_rigid_spin(body), fr_sub(at, body->x)));
}

void fr_rigid_add_force(FrRigid *body, FrVec3 at, FrVec3 force) {
    body->force = fr_add(body->force, force);
    body->torque = fr_add(body->torque, fr_cross(fr_sub(at, body->x), force));
}

void fr_rigid_impulse(FrRigid *body, FrVec3 at, FrVec3 impulse) {
    body->v = fr_axpy(1.0 / body->mass, impulse, body->v);
    body->L = fr_add(body->L, fr_cross(fr_sub(at, body->x), impulse));
}

// [r]x as a matrix: [r]x a = r x a
static FrMat3 cross_matrix(FrVec3 r) {
    return fr_mat3(fr_vec3(0, r.z, -r.y), fr_vec3(-r.z, 0, r.x), fr_vec3(r.y, -r.x, 0));
}

// change of velocity at ra by an impulse at rb: the frame's two terms                [S1 eq. 21]
FrMat3 fr_rigid_mobility(const FrRigid *body, FrVec3 at, FrVec3 by) {
    // 1/m I - [ra]x J^-1 [rb]x
    FrMat3 ra = cross_matrix(fr_sub(at, body->x)), rb = cross_matrix(fr_sub(by, body->x));
    FrMat3 turn = fr_mat3_mul(ra, fr_mat3_mul(fr_rigid_inv_inertia(body), rb));
    return fr_mat3_axpy(-1.0, turn, fr_mat3_scale(1.0 / body->mass, fr_mat3_identity));
}

// axis k of the frame q
static FrVec3 axis_of(FrQuat q, int k) {
    if (k == 0)
        return fr_vec3(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z),
                       2 * (q.z * q.x - q.w * q.y));
    if (k == 1)
        return fr_vec3(2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.z * q.z + q.x * q.x),
                       2 * (q.y * q.z + q.w * q.x));
    return fr_vec3(2 * (q.z * q.x + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                   1 - 2 * (q.x * q.x + q.y * q.y));
}

// turn the principal frame q about its own axis k as if that axis alone had a moment
static FrQuat turn_about(FrQuat q, int k, double dt, const FrRigid *body) {
    double half = 0.5 * dt * fr_dot(axis_of(q, k), body->L) / fr_vec3_get(body->moment, k);
    double s = half - half * half * half / 6.0, c = 1.0 - 0.5 * half * half;
    if (fabs(half) > 1e-3) s = sin(half), c = cos(half); // else exact to 1e-14 of the angle
    if (k == 0)
        return (FrQuat){c * q.w - s * q.x, c * q.x + s * q.w, c * q.y + s * q.z, c * q.z - s * q.y};
    if (k == 1)
        return (FrQuat){c * q.w - s * q.y, c * q.x - s * q.z, c * q.y + s * q.w, c * q.z + s * q.x};
    return (FrQuat){c * q.w - s * q.z, c * q.x + s * q.y, c * q.y - s * q.x, c * q.z + s * q.w};
}

// H = sum_k L_k^2 / (2 I_k): each term alone turns the body about its axis k at L_k / I_k, with L_k
// kept; half turns on both sides of the middle one make it second order (Reich, McLachlan 1993).
void fr_rigid_turn(FrRigid *body, double dt) {
    FrQuat p = fr_quat_mul(body->q, body->principal);
    p = turn_about(p, 2, 0.5 * dt, body);
    p = turn_about(p, 1, 0.5 * dt, body);
    p = turn_about(p, 0, dt, body);
    p = turn_about(p, 1, 0.5 * dt, body);
    p = turn_about(p, 2, 0.5 * dt, body);
    body->q = fr_quat_normalize(fr_quat_mul(p, fr_quat_conj(body->principal)));
}

double fr_rigid_kinetic(const FrRigid *body) {
    return 0.5 * body->mass * fr_length2(body->v) + 0.5 * fr_dot(body->L, fr_rigid_spin(body));
}

void fr_rigid_save(const FrRigid *body, FrWriter *writer) {
    fr_write_vec3(writer, body->x);
    fr_write_vec3(writer, body->v);
    fr_write_vec3(writer, body->L);
    fr_write_f64(writer, body->q.w);
    fr_write_vec3(writer, fr_vec3(body->q.x, body->q.y, body->q.z));
    fr_write_vec3(writer, body->force);
    fr_write_vec3(writer, body->torque);
}

void fr_rigid_load(FrRigid *body, FrReader *reader) {
    body->x = fr_read_vec3(reader);
    body->v = fr_read_vec3(reader);
    body->L = fr_read_vec3(reader);
    body->q.w = fr_read_f64(reader);
    FrVec3 axis = fr_read_vec3(reader);
    body->q.x = axis.x;
    body->q.y = axis.y;
    body->q.z = axis.z;
    body->force = fr_read_vec3(reader);
    body->torque = fr_read_vec3(reader);
}
