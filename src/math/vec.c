// vec.c: the few vector and quaternion functions that are not one-liners.

#include "math/vec.h"

FrVec3 fr_any_normal(FrVec3 n) {
    // cross with the axis least aligned with n
    double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
    FrVec3 axis = ax <= ay && ax <= az ? fr_vec3(1, 0, 0)
                  : ay <= az           ? fr_vec3(0, 1, 0)
                                       : fr_vec3(0, 0, 1);
    return fr_normalize(fr_cross(n, axis));
}

FrQuat fr_quat_from_rotation(FrVec3 w) {
    double angle = fr_length(w);
    // sin(a/2)/a -> 1/2 - a^2/48 near zero
    double s = angle > 1e-6 ? sin(0.5 * angle) / angle : 0.5 - angle * angle / 48.0;
    FrQuat q = {cos(0.5 * angle), s * w.x, s * w.y, s * w.z};
    return fr_quat_normalize(q);
}

FrQuat fr_quat_from_euler(FrVec3 angles) {
    FrQuat x = fr_quat_from_rotation(fr_vec3(angles.x, 0, 0));
    FrQuat y = fr_quat_from_rotation(fr_vec3(0, angles.y, 0));
    FrQuat z = fr_quat_from_rotation(fr_vec3(0, 0, angles.z));
    return fr_quat_normalize(fr_quat_mul(z, fr_quat_mul(y, x)));
}

FrQuat fr_quat_from_mat3(FrMat3 m) {
    // take the largest of the four squared components first: no cancellation
    double t = m.c0.x + m.c1.y + m.c2.z;
    FrQuat q;
    if (t >= m.c0.x && t >= m.c1.y && t >= m.c2.z)
        q = (FrQuat){1 + t, m.c1.z - m.c2.y, m.c2.x - m.c0.z, m.c0.y - m.c1.x};
    else if (m.c0.x >= m.c1.y && m.c0.x >= m.c2.z)
        q = (FrQuat){m.c1.z - m.c2.y, 1 + 2 * m.c0.x - t, m.c0.y + m.c1.x, m.c2.x + m.c0.z};
    else if (m.c1.y >= m.c2.z)
        q = (FrQuat){m.c2.x - m.c0.z, m.c0.y + m.c1.x, 1 + 2 * m.c1.y - t, m.c1.z + m.c2.y};
    else
        q = (FrQuat){m.c0.y - m.c1.x, m.c2.x + m.c0.z, m.c1.z + m.c2.y, 1 + 2 * m.c2.z - t};
    return fr_quat_normalize(q);
}

FrQuat fr_quat_slerp(FrQuat a, FrQuat b, double t) {
    double c = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    if (c < 0.0) {
        b = (FrQuat){-b.w, -b.x, -b.y, -b.z};
        c = -c;
    }
    double wa = 1.0 - t, wb = t;
    if (c < 0.9995) {
        double angle = acos(c), s = 1.0 / sin(angle);
        wa = s * sin((1.0 - t) * angle);
        wb = s * sin(t * angle);
    }
    FrQuat q = {wa * a.w + wb * b.w, wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z};
    return fr_quat_normalize(q);
}
