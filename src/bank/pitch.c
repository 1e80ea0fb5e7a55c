// pitch.c: the lowest tone of a body from polynomials over its tets (Ritz).

#include "bank/pitch.h"
#include "bank/ball_terms.h"
#include "math/decompose.h"
#include "mesh/quality.h"
#include "mesh/topology.h"
#include "sparse/solver.h"
#include <string.h>

#define DEGREE 6
/// Along the shortest axis of the body: walls bend as a whole.
#define ACROSS 3
#define SPAN (2 * DEGREE + 1)
#define MOST_TERMS 84 ///< (DEGREE + 1)(DEGREE + 2)(DEGREE + 3)/6

typedef struct Term {
    int32_t power[3];
} Term;

typedef struct Pitch {
    FrContext *ctx;
    const FrTetMesh *mesh;
    FrVec3 centre, axis[3];
    double half[3];                  ///< of the ellipsoid with its inertia, rising, m
    double moment[SPAN][SPAN][SPAN]; ///< over the body, of coordinates along axes over half axes
    double poisson;
    Term term[MOST_TERMS];
    int32_t count;
    double *K, *M, *lambda;
} Pitch;

// coordinates over half axes
static FrVec3 own_point(const Pitch *p, int32_t node) {
    FrVec3 arm = fr_sub(fr_get3(p->mesh->x, node), p->centre);
    return fr_vec3(fr_dot(arm, p->axis[0]) / p->half[0], fr_dot(arm, p->axis[1]) / p->half[1],
                   fr_dot(arm, p->axis[2]) / p->half[2]);
}

// moments up to `degree` of the cone from the middle to a triangle: 3 V/(d + 3) times their means
// over it
static void add_point(Pitch *p, int32_t degree, FrVec3 x, double weight) {
    double a = 3.0 * weight;
    for (int32_t i = 0; i <= degree; i++, a *= x.x) {
        double b = a;
        for (int32_t j = 0; i + j <= degree; j++, b *= x.y) {
            double c = b;
            for (int32_t k = 0; i + j + k <= degree; k++, c *= x.z)
                p->moment[i][j][k] += c / (i + j + k + 3.0);
        }
    }
}

static void add_triangle(Pitch *p, const int32_t node[3], int32_t points, const double *x,
                         const double *weight) {
    FrVec3 a = own_point(p, node[0]), b = own_point(p, node[1]), c = own_point(p, node[2]);
    double volume = fr_dot(a, fr_cross(b, c)) / 6.0;
    for (int32_t i = 0; i < points; i++)
        for (int32_t j = 0; j < points; j++) { // a square drawn together to a triangle
            double s = 0.5 * (1.0 + x[i]), t = 0.5 * (1.0 + x[j]) * (1.0 - s);
            FrVec3 at = fr_axpy(s, b, fr_axpy(t, c, fr_scale(1.0 - s - t, a)));
            add_point(p, 2 * DEGREE, at, 0.5 * volume * weight[i] * weight[j] * (1.0 - s));
        }
}

static FrResult gather(Pitch *p) {
    FrSurface surface;
    double x[DEGREE + 2], weight[DEGREE + 2];
    FR_TRY(fr_tetmesh_surface(p->ctx, p->mesh, &surface));
    fr_gauss(DEGREE + 1, x, weight);
    for (int32_t t = 0; t < surface.tri_count; t++)
        add_triangle(p, surface.tri[t], DEGREE + 1, x, weight);
    fr_surface_free(p->ctx, &surface);
    return FR_OK;
}

static FrResult measure(Pitch *p) {
    FrSolidProps mass = fr_tetmesh_props(p->mesh);
    if (!(mass.volume > 0.0)) return fr_fail(p->ctx, FR_BAD_INPUT, "a body without volume");
    FrEigen3 e = fr_sym3_eigen(mass.inertia);
    double all = e.value[0] + e.value[1] + e.value[2];
    p->centre = mass.centre;
    for (int k = 0; k < 3; k++) {
        p->axis[k] = e.vector[k];
        p->half[k] = sqrt(fr_max(2.5 / mass.volume * (all - 2.0 * e.value[k]), 0.0));
        p->half[k] = fr_max(p->half[k], 1e-3 * sqrt(2.5 / mass.volume * all));
    }
    return FR_OK;
}

static void list_terms(Pitch *p, int32_t degree) {
    p->count = 0;
    for (int32_t i = 0; i <= fr_min_i(ACROSS, degree); i++)
        for (int32_t j = 0; i + j <= degree; j++)
            for (int32_t k = 0; i + j + k <= degree; k++) p->term[p->count++] = (Term){{i, j, k}};
}

// integral of d_m a d_n b
static double slopes(const Pitch *p, const Term *a, const Term *b, int m, int n) {
    if (!a->power[m] || !b->power[n]) return 0.0;
    int32_t power[3];
    for (int k = 0; k < 3; k++) power[k] = a->power[k] + b->power[k] - (k == m) - (k == n);
    return a->power[m] / p->half[m] * (b->power[n] / p->half[n]) *
           p->moment[power[0]][power[1]][power[2]];
}

// lambda u_d,d v_e,e + mu (u_d,e v_e,d' + ...), E = rho = 1
static void fill_pair(Pitch *p, int32_t i, int32_t j) {
    const Term *a = &p->term[i], *b = &p->term[j];
    double nu = p->poisson, mu = 0.5 / (1.0 + nu), lame = nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    double s[3][3], mass = p->moment[a->power[0] + b->power[0]][a->power[1] + b->power[1]]
                                    [a->power[2] + b->power[2]];
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++) s[m][n] = slopes(p, a, b, m, n);
    size_t size = 3 * (size_t)p->count;
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) {
            size_t at = (3 * (size_t)i + (size_t)d) * size + 3 * (size_t)j + (size_t)e;
            p->K[at] = lame * s[d][e] + mu * s[e][d];
            p->M[at] = d == e ? mass : 0.0;
            if (d == e) p->K[at] += mu * (s[0][0] + s[1][1] + s[2][2]);
        }
}

static FrResult solve(Pitch *p, const FrBackend *backend, int32_t degree, double *lambda) {
    list_terms(p, degree);
    for (int32_t i = 0; i < p->count; i++)
        for (int32_t j = 0; j < p->count; j++) fill_pair(p, i, j);
    FR_TRY(backend->dense(p->ctx, 3 * p->count, p->K, p->M, p->lambda));
    *lambda = fr_max(p->lambda[6], 0.0); // after three ways to move and three to turn
    return FR_OK;
}

static FrResult find(Pitch *p, const FrMaterial *m, double *hz, double *slack) {
    const FrBackend *backend;
    double coarse, fine;
    size_t size = 3 * MOST_TERMS;
    FR_TRY(fr_backend_of(p->ctx, "the pitch of a body", &backend));
    FR_TRY(measure(p));
    FR_TRY(gather(p));
    p->K = FR_NEW(p->ctx, double, size *size);
    p->M = FR_NEW(p->ctx, double, size *size);
    p->lambda = FR_NEW(p->ctx, double, size);
    if (!p->K || !p->M || !p->lambda) return fr_no_memory(p->ctx, "a pitch");
    FR_TRY(solve(p, backend, DEGREE - 2, &coarse));
    FR_TRY(solve(p, backend, DEGREE, &fine));
    double young = m->mu * (3.0 * m->lambda + 2.0 * m->mu) / (m->lambda + m->mu);
    *hz = sqrt(fine * young / m->density) / (2.0 * FR_PI);
    *slack = fine > 0.0 ? sqrt(coarse / fine) - 1.0 : 1e9;
    return FR_OK;
}

FrResult fr_body_pitch(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material,
                       double *hz, double *slack) {
    *hz = *slack = 0.0;
    if (material->anisotropic)
        return fr_fail(ctx, FR_BAD_INPUT, "polynomials are for materials without a grain");
    Pitch *p = FR_NEW(ctx, Pitch, 1);
    if (!p) return fr_no_memory(ctx, "a pitch");
    p->ctx = ctx;
    p->mesh = mesh;
    p->poisson = 0.5 * material->lambda / (material->lambda + material->mu);
    FrResult result = find(p, material, hz, slack);
    FR_FREE_ALL(ctx, p->K, p->M, p->lambda, p);
    return result;
}
