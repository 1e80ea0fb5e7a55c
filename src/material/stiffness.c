// stiffness.c: 6x6 stiffness matrices: isotropic, orthotropic, turned, and how stiff at most.

#include "material/laws.h"
#include "math/jacobi.h"
#include <string.h>

// tensor indices of the six rows: xx yy zz yz zx xy
static const int row_i[6] = {0, 1, 2, 1, 2, 0}, row_j[6] = {0, 1, 2, 2, 0, 1};

// how a strain in turned axes looks along the material's own axes, engineering shears
static void strain_map(FrMat3 R, double T[6][6]) {
    double r[3][3] = {{R.c0.x, R.c0.y, R.c0.z}, {R.c1.x, R.c1.y, R.c1.z}, {R.c2.x, R.c2.y, R.c2.z}};
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
            int i = row_i[a], j = row_j[a], k = row_i[b], l = row_j[b];
            double t = b < 3 ? r[i][k] * r[j][l] : 0.5 * (r[i][k] * r[j][l] + r[i][l] * r[j][k]);
            T[a][b] = a < 3 ? t : 2.0 * t;
        }
}

// C_turned = T' C T: the energy of a strain does not depend on who looks
void fr_stiffness_rotate(const double C[6][6], FrMat3 R, double out[6][6]) {
    double T[6][6], CT[6][6];
    strain_map(R, T);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            CT[i][j] = 0.0;
            for (int k = 0; k < 6; k++) CT[i][j] += C[i][k] * T[k][j];
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            out[i][j] = 0.0;
            for (int k = 0; k < 6; k++) out[i][j] += T[k][i] * CT[k][j];
        }
}

static bool diagonal6(double a[6][6]) {
    double off = 0.0, diagonal = 0.0;
    for (int p = 0; p < 6; p++) {
        diagonal += fabs(a[p][p]);
        for (int q = p + 1; q < 6; q++) off += fabs(a[p][q]);
    }
    return !(off > 1e-17 * diagonal);
}

void fr_stiffness_range(const double C[6][6], double *lowest, double *largest) {
    // Mandel's form: shears carry sqrt(2), so that a 6-vector's length is the tensor's
    const double root2 = 1.4142135623730951;
    double a[6][6];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            a[i][j] = 0.5 * (C[i][j] + C[j][i]) * (i < 3 ? 1.0 : root2) * (j < 3 ? 1.0 : root2);
    for (int sweep = 0; sweep < 20 && !diagonal6(a); sweep++) fr_sym6_sweep(a, NULL);
    *lowest = *largest = a[0][0];
    for (int i = 1; i < 6; i++) {
        *lowest = fr_min(*lowest, a[i][i]);
        *largest = fr_max(*largest, a[i][i]);
    }
}

// x of C x = b; C is positive, so that no row need be changed for another
static void solve6(const double C[6][6], const double b[6], double x[6]) {
    double a[6][7];
    for (int i = 0; i < 6; i++) {
        memcpy(a[i], C[i], sizeof C[i]);
        a[i][6] = b[i];
    }
    for (int k = 0; k < 6; k++)
        for (int i = k + 1; i < 6; i++)
            for (int j = 6; j >= k; j--) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    for (int i = 5; i >= 0; i--) {
        x[i] = a[i][6];
        for (int j = i + 1; j < 6; j++) x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
    }
}

// a pull s n n' of 1 stores s : e / 2 = 1 / 2E
double fr_stiffness_young(const double C[6][6], FrVec3 n) {
    double s[6] = {n.x * n.x, n.y * n.y, n.z * n.z, n.y * n.z, n.z * n.x, n.x * n.y}, e[6];
    double sum = 0.0;
    solve6(C, s, e);
    for (int i = 0; i < 6; i++) sum += s[i] * e[i];
    return 1.0 / sum;
}

bool fr_stiffness_orthotropic(const FrOrthotropic *o, double C[6][6]) {
    if (!(o->young_x > 0 && o->young_y > 0 && o->young_z > 0)) return false;
    if (!(o->shear_yz > 0 && o->shear_zx > 0 && o->shear_xy > 0)) return false;
    // compliance of the stretches, 1/Pa: -poisson_ab / young_a is symmetric
    double xy = -o->poisson_xy / o->young_x, xz = -o->poisson_xz / o->young_x,
           yz = -o->poisson_yz / o->young_y;
    FrMat3 compliance =
        fr_mat3(fr_vec3(1.0 / o->young_x, xy, xz), fr_vec3(xy, 1.0 / o->young_y, yz),
                fr_vec3(xz, yz, 1.0 / o->young_z));
    // positive definite: every leading minor is
    double minor = compliance.c0.x * compliance.c1.y - xy * xy;
    if (!(minor > 0.0) || !(fr_mat3_det(compliance) > 0.0)) return false;
    FrSym3 s = fr_mat3_sym(fr_mat3_inverse(compliance));
    memset(C, 0, 36 * sizeof(double));
    C[0][0] = s.xx;
    C[1][1] = s.yy;
    C[2][2] = s.zz;
    C[1][2] = C[2][1] = s.yz;
    C[2][0] = C[0][2] = s.zx;
    C[0][1] = C[1][0] = s.xy;
    C[3][3] = o->shear_yz;
    C[4][4] = o->shear_zx;
    C[5][5] = o->shear_xy;
    return true;
}
