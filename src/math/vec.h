// vec.h: vectors, 3x3 matrices, symmetric matrices, quaternions, boxes; double, by value.
#pragma once
#include "base/base.h"
#include <math.h>

#define FR_PI 3.14159265358979323846

static const FrVec3 fr_vec3_zero = {0.0, 0.0, 0.0};
static const FrMat3 fr_mat3_zero = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
static const FrMat3 fr_mat3_identity = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const FrSym3 fr_sym3_zero = {0, 0, 0, 0, 0, 0};
static const FrQuat fr_quat_identity = {1, 0, 0, 0};

static inline FrVec3 fr_vec3(double x, double y, double z) {
    FrVec3 v = {x, y, z};
    return v;
}
static inline FrVec3 fr_add(FrVec3 a, FrVec3 b) { return fr_vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline FrVec3 fr_sub(FrVec3 a, FrVec3 b) { return fr_vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline FrVec3 fr_scale(double s, FrVec3 a) { return fr_vec3(s * a.x, s * a.y, s * a.z); }
static inline FrVec3 fr_neg(FrVec3 a) { return fr_vec3(-a.x, -a.y, -a.z); }
/// s a + b
static inline FrVec3 fr_axpy(double s, FrVec3 a, FrVec3 b) {
    return fr_vec3(s * a.x + b.x, s * a.y + b.y, s * a.z + b.z);
}
/// (1 - t) a + t b
static inline FrVec3 fr_lerp(FrVec3 a, FrVec3 b, double t) { return fr_axpy(t, fr_sub(b, a), a); }
static inline double fr_dot(FrVec3 a, FrVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline FrVec3 fr_cross(FrVec3 a, FrVec3 b) {
    return fr_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double fr_length2(FrVec3 a) { return fr_dot(a, a); }
static inline double fr_length(FrVec3 a) { return sqrt(fr_dot(a, a)); }
static inline double fr_distance(FrVec3 a, FrVec3 b) { return fr_length(fr_sub(a, b)); }
/// a / |a|, and 0 for 0
static inline FrVec3 fr_normalize(FrVec3 a) {
    double len = fr_length(a);
    return len > 0.0 ? fr_scale(1.0 / len, a) : fr_vec3_zero;
}
static inline bool fr_vec3_finite(FrVec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}
static inline double fr_vec3_get(FrVec3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }
/// any unit vector normal to the unit vector n
FrVec3 fr_any_normal(FrVec3 n);

/// three consecutive doubles at index i of a packed array
static inline FrVec3 fr_get3(const double *a, int32_t i) {
    return fr_vec3(a[3 * (size_t)i], a[3 * (size_t)i + 1], a[3 * (size_t)i + 2]);
}
static inline void fr_set3(double *a, int32_t i, FrVec3 v) {
    a[3 * (size_t)i] = v.x;
    a[3 * (size_t)i + 1] = v.y;
    a[3 * (size_t)i + 2] = v.z;
}
static inline void fr_add3(double *a, int32_t i, FrVec3 v) {
    fr_set3(a, i, fr_add(fr_get3(a, i), v));
}

static inline FrMat3 fr_mat3(FrVec3 c0, FrVec3 c1, FrVec3 c2) {
    FrMat3 m = {c0, c1, c2};
    return m;
}
static inline FrVec3 fr_mat3_apply(FrMat3 m, FrVec3 v) {
    return fr_axpy(v.z, m.c2, fr_axpy(v.y, m.c1, fr_scale(v.x, m.c0)));
}
/// m' v
static inline FrVec3 fr_mat3_apply_t(FrMat3 m, FrVec3 v) {
    return fr_vec3(fr_dot(m.c0, v), fr_dot(m.c1, v), fr_dot(m.c2, v));
}
static inline FrMat3 fr_mat3_mul(FrMat3 a, FrMat3 b) {
    return fr_mat3(fr_mat3_apply(a, b.c0), fr_mat3_apply(a, b.c1), fr_mat3_apply(a, b.c2));
}
static inline FrMat3 fr_mat3_transpose(FrMat3 m) {
    return fr_mat3(fr_vec3(m.c0.x, m.c1.x, m.c2.x), fr_vec3(m.c0.y, m.c1.y, m.c2.y),
                   fr_vec3(m.c0.z, m.c1.z, m.c2.z));
}
static inline FrMat3 fr_mat3_scale(double s, FrMat3 m) {
    return fr_mat3(fr_scale(s, m.c0), fr_scale(s, m.c1), fr_scale(s, m.c2));
}
static inline FrMat3 fr_mat3_add(FrMat3 a, FrMat3 b) {
    return fr_mat3(fr_add(a.c0, b.c0), fr_add(a.c1, b.c1), fr_add(a.c2, b.c2));
}
/// s a + b
static inline FrMat3 fr_mat3_axpy(double s, FrMat3 a, FrMat3 b) {
    return fr_mat3(fr_axpy(s, a.c0, b.c0), fr_axpy(s, a.c1, b.c1), fr_axpy(s, a.c2, b.c2));
}
static inline double fr_mat3_det(FrMat3 m) { return fr_dot(m.c0, fr_cross(m.c1, m.c2)); }
/// cofactor matrix: det(m) inverse(m)'
static inline FrMat3 fr_mat3_cofactor(FrMat3 m) {
    return fr_mat3(fr_cross(m.c1, m.c2), fr_cross(m.c2, m.c0), fr_cross(m.c0, m.c1));
}
/// the caller makes sure that det != 0
static inline FrMat3 fr_mat3_inverse(FrMat3 m) {
    return fr_mat3_scale(1.0 / fr_mat3_det(m), fr_mat3_transpose(fr_mat3_cofactor(m)));
}
/// a b'
static inline FrMat3 fr_outer(FrVec3 a, FrVec3 b) {
    return fr_mat3(fr_scale(b.x, a), fr_scale(b.y, a), fr_scale(b.z, a));
}
/// sqrt of the sum of squares of all entries
static inline double fr_mat3_norm(FrMat3 m) {
    return sqrt(fr_length2(m.c0) + fr_length2(m.c1) + fr_length2(m.c2));
}

static inline FrMat3 fr_sym3_full(FrSym3 s) {
    return fr_mat3(fr_vec3(s.xx, s.xy, s.zx), fr_vec3(s.xy, s.yy, s.yz), fr_vec3(s.zx, s.yz, s.zz));
}
/// symmetric part of m
static inline FrSym3 fr_mat3_sym(FrMat3 m) {
    FrSym3 s = {m.c0.x,
                m.c1.y,
                m.c2.z,
                0.5 * (m.c1.z + m.c2.y),
                0.5 * (m.c2.x + m.c0.z),
                0.5 * (m.c0.y + m.c1.x)};
    return s;
}
static inline double fr_sym3_trace(FrSym3 s) { return s.xx + s.yy + s.zz; }
/// a : b
static inline double fr_sym3_dot(FrSym3 a, FrSym3 b) {
    return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz +
           2.0 * (a.yz * b.yz + a.zx * b.zx + a.xy * b.xy);
}
/// s a + b
static inline FrSym3 fr_sym3_axpy(double s, FrSym3 a, FrSym3 b) {
    FrSym3 r = {s * a.xx + b.xx, s * a.yy + b.yy, s * a.zz + b.zz,
                s * a.yz + b.yz, s * a.zx + b.zx, s * a.xy + b.xy};
    return r;
}
static inline FrVec3 fr_sym3_apply(FrSym3 s, FrVec3 v) {
    return fr_vec3(s.xx * v.x + s.xy * v.y + s.zx * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
                   s.zx * v.x + s.yz * v.y + s.zz * v.z);
}

static inline FrQuat fr_quat_mul(FrQuat a, FrQuat b) {
    FrQuat q = {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    return q;
}
static inline FrQuat fr_quat_conj(FrQuat q) {
    FrQuat r = {q.w, -q.x, -q.y, -q.z};
    return r;
}
static inline FrQuat fr_quat_normalize(FrQuat q) {
    double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    FrQuat r = {s * q.w, s * q.x, s * q.y, s * q.z};
    return r;
}
static inline FrMat3 fr_quat_mat3(FrQuat q) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, yz = q.y * q.z, zx = q.z * q.x;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return fr_mat3(fr_vec3(1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (zx - wy)),
                   fr_vec3(2 * (xy - wz), 1 - 2 * (zz + xx), 2 * (yz + wx)),
                   fr_vec3(2 * (zx + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)));
}
static inline FrVec3 fr_quat_rotate(FrQuat q, FrVec3 v) {
    return fr_mat3_apply(fr_quat_mat3(q), v);
}
/// rotation by |w| radians about w
FrQuat fr_quat_from_rotation(FrVec3 w);
/// rotation about x, then y, then z (fixed axes), radians
FrQuat fr_quat_from_euler(FrVec3 angles);
FrQuat fr_quat_from_mat3(FrMat3 rotation);
/// shortest way from a to b
FrQuat fr_quat_slerp(FrQuat a, FrQuat b, double t);

static inline FrBox fr_box_empty(void) {
    FrBox b = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    return b;
}
static inline FrBox fr_box_add(FrBox b, FrVec3 p) {
    FrBox r = {{fr_min(b.lo.x, p.x), fr_min(b.lo.y, p.y), fr_min(b.lo.z, p.z)},
               {fr_max(b.hi.x, p.x), fr_max(b.hi.y, p.y), fr_max(b.hi.z, p.z)}};
    return r;
}
static inline FrBox fr_box_union(FrBox a, FrBox b) { return fr_box_add(fr_box_add(a, b.lo), b.hi); }
static inline FrBox fr_box_grow(FrBox b, double by) {
    FrBox r = {{b.lo.x - by, b.lo.y - by, b.lo.z - by}, {b.hi.x + by, b.hi.y + by, b.hi.z + by}};
    return r;
}
/// Square of how far a point is from the box; 0 inside.
static inline double fr_box_distance2(FrBox b, FrVec3 p) {
    FrVec3 below = fr_sub(b.lo, p), above = fr_sub(p, b.hi);
    FrVec3 off = {fr_max(fr_max(below.x, above.x), 0.0), fr_max(fr_max(below.y, above.y), 0.0),
                  fr_max(fr_max(below.z, above.z), 0.0)};
    return fr_dot(off, off);
}
static inline bool fr_box_overlaps(FrBox a, FrBox b) {
    return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
           a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}
/// The widest gap along an axis, m; <= 0: they overlap.
static inline double fr_box_gap(FrBox a, FrBox b) {
    return fr_max(
        fr_max(fr_max(a.lo.x - b.hi.x, b.lo.x - a.hi.x), fr_max(a.lo.y - b.hi.y, b.lo.y - a.hi.y)),
        fr_max(a.lo.z - b.hi.z, b.lo.z - a.hi.z));
}
static inline bool fr_box_contains(FrBox b, FrVec3 p) {
    return p.x >= b.lo.x && p.x <= b.hi.x && p.y >= b.lo.y && p.y <= b.hi.y && p.z >= b.lo.z &&
           p.z <= b.hi.z;
}
static inline FrVec3 fr_box_center(FrBox b) { return fr_scale(0.5, fr_add(b.lo, b.hi)); }
static inline FrVec3 fr_box_size(FrBox b) { return fr_sub(b.hi, b.lo); }
