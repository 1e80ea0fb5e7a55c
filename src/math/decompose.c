// decompose.c: symmetric eigenproblem by Jacobi rotations; polar rotation and SVD from it.

#include "math/decompose.h"
#include "math/eigen_four.h"
#include "math/lanes.h"

typedef struct Jacobi {
    double a[3][3]; ///< becomes diagonal
    double v[3][3]; ///< columns: eigenvectors
} Jacobi;

// one rotation in the (p, q) plane that makes a[p][q] zero (Golub & Van Loan, 8.5.2)
static void rotate(Jacobi *j, int p, int q) {
    double apq = j->a[p][q];
    if (apq == 0.0) return;
    double theta = (j->a[q][q] - j->a[p][p]) / (2.0 * apq);
    double t = 1.0 / (fabs(theta) + sqrt(theta * theta + 1.0));
    if (theta < 0.0) t = -t;
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    int r = 3 - p - q;
    double arp = j->a[r][p], arq = j->a[r][q];
    j->a[p][p] -= t * apq;
    j->a[q][q] += t * apq;
    j->a[p][q] = j->a[q][p] = 0.0;
    j->a[r][p] = j->a[p][r] = c * arp - s * arq;
    j->a[r][q] = j->a[q][r] = s * arp + c * arq;
    for (int k = 0; k < 3; k++) {
        double vp = j->v[k][p], vq = j->v[k][q];
        j->v[k][p] = c * vp - s * vq;
        j->v[k][q] = s * vp + c * vq;
    }
}

static FrVec3 positive_largest(FrVec3 v) {
    double ax = fabs(v.x), ay = fabs(v.y), az = fabs(v.z);
    double lead = ax >= ay && ax >= az ? v.x : ay >= az ? v.y : v.z;
    return lead < 0.0 ? fr_neg(v) : v;
}

static Jacobi begin(FrSym3 s) {
    Jacobi j = {{{s.xx, s.xy, s.zx}, {s.xy, s.yy, s.yz}, {s.zx, s.yz, s.zz}},
                {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return j;
}

// descending, ties keep their order
static FrEigen3 sorted(const Jacobi *j) {
    int order[3] = {0, 1, 2};
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 2 - pass; k++)
            if (j->a[order[k]][order[k]] < j->a[order[k + 1]][order[k + 1]]) {
                int swap = order[k];
                order[k] = order[k + 1];
                order[k + 1] = swap;
            }
    FrEigen3 e;
    for (int k = 0; k < 3; k++) {
        int c = order[k];
        e.value[k] = j->a[c][c];
        e.vector[k] = fr_vec3(j->v[0][c], j->v[1][c], j->v[2][c]);
    }
    e.vector[0] = positive_largest(e.vector[0]);
    e.vector[1] = positive_largest(e.vector[1]);
    e.vector[2] = fr_cross(e.vector[0], e.vector[1]);
    return e;
}

FrEigen3 fr_sym3_eigen(FrSym3 s) {
    Jacobi j = begin(s);
    for (int sweep = 0; sweep < FR_EIGEN_SWEEPS; sweep++) {
        double off = fabs(j.a[0][1]) + fabs(j.a[0][2]) + fabs(j.a[1][2]);
        double diagonal = fabs(j.a[0][0]) + fabs(j.a[1][1]) + fabs(j.a[2][2]);
        if (!(off > FR_EIGEN_ROUND * diagonal)) break;
        rotate(&j, 0, 1);
        rotate(&j, 0, 2);
        rotate(&j, 1, 2);
    }
    return sorted(&j);
}

void fr_sym3_eigen_four(const FrSym3 s[4], FrEigen3 e[4]) {
    if (fr_cpu_has_avx2())
        fr_eigen_four_avx2(s, e);
    else
        fr_eigen_four_portable(s, e);
}

// unit vector along a with its parts along u removed; `fallback` where nothing is left
static FrVec3 unit_without(FrVec3 a, FrVec3 u, double least, FrVec3 fallback) {
    FrVec3 r = fr_axpy(-fr_dot(a, u), u, a);
    if (fr_length(r) > least) return fr_normalize(r);
    r = fr_axpy(-fr_dot(fallback, u), u, fallback);
    return fr_length(r) > 1e-6 ? fr_normalize(r) : fr_any_normal(u);
}

// m = U diag(sigma) V' from m'm = V diag(sigma^2) V'; what m leaves open is taken from `previous` =
// U V'
static FrSvd3 svd_near(FrMat3 m, FrMat3 previous) {
    double size = fabs(m.c0.x) + fabs(m.c0.y) + fabs(m.c0.z) + fabs(m.c1.x) + fabs(m.c1.y) +
                  fabs(m.c1.z) + fabs(m.c2.x) + fabs(m.c2.y) + fabs(m.c2.z);
    FrSvd3 svd = {previous, fr_mat3_identity, {0, 0, 0}};
    if (!(size > 0.0) || !isfinite(size)) return svd;
    m = fr_mat3_scale(1.0 / size, m);
    FrEigen3 e = fr_sym3_eigen(fr_mat3_sym(fr_mat3_mul(fr_mat3_transpose(m), m)));
    FrVec3 v0 = e.vector[0], v1 = e.vector[1], v2 = e.vector[2];
    FrVec3 mv0 = fr_mat3_apply(m, v0), mv1 = fr_mat3_apply(m, v1);
    FrVec3 u0 = fr_normalize(mv0);
    FrVec3 u1 = unit_without(mv1, u0, 1e-13 * fr_length(mv0), fr_mat3_apply(previous, v1));
    FrVec3 u2 = fr_cross(u0, u1);
    svd.U = fr_mat3(u0, u1, u2);
    svd.V = fr_mat3(v0, v1, v2);
    svd.sigma[0] = size * fr_length(mv0);
    svd.sigma[1] =
        fr_max(0.0, size * fr_dot(u1, mv1)); // below zero only by rounding, when m has rank one
    svd.sigma[2] = size * fr_dot(u2, fr_mat3_apply(m, v2)); // takes the sign of det m
    return svd;
}

FrSvd3 fr_mat3_svd(FrMat3 m) { return svd_near(m, fr_mat3_identity); }

FrMat3 fr_mat3_polar(FrMat3 m, FrMat3 previous) {
    FrSvd3 svd = svd_near(m, previous);
    return fr_mat3_mul(svd.U, fr_mat3_transpose(svd.V));
}
