// lowest.c: a frequency below which a free body has no tone, from its size alone.

#include "modal/lowest.h"
#include "material/laws.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"

/// The least that any body is allowed to have of sqrt(E/rho) 2r / D^2, 1.
#define LEAST 0.4
/// More slender ones, D / 2r, were not tried.
#define MOST_SLENDER 20.0

static FrVec3 centre_of(const FrTetMesh *mesh) {
    FrVec3 sum = fr_vec3_zero;
    double volume = 0.0;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        double v = fr_tet_volume(mesh, e);
        for (int k = 0; k < 4; k++) sum = fr_axpy(0.25 * v, fr_get3(mesh->x, mesh->tet[e][k]), sum);
        volume += v;
    }
    return volume > 0.0 ? fr_scale(1.0 / volume, sum) : sum;
}

// radius of the ball in front of all triangles, and how far the farthest corner is
static void measure(const FrTetMesh *mesh, const FrSurface *surface, FrVec3 centre, double *ball,
                    double *reach) {
    *ball = HUGE_VAL;
    *reach = 0.0;
    for (int32_t t = 0; t < surface->tri_count; t++) {
        const int32_t *v = surface->tri[t];
        FrVec3 p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = fr_sub(fr_get3(mesh->x, v[k]), centre);
            *reach = fr_max(*reach, fr_length(p[k]));
        }
        FrVec3 n = fr_normalize(fr_cross(fr_sub(p[1], p[0]), fr_sub(p[2], p[0])));
        *ball = fr_min(*ball, fr_dot(n, p[0]));
    }
}

FrResult fr_modes_lowest_bound(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *m,
                               double *hz) {
    FrSurface surface;
    double ball, reach;
    *hz = 0.0;
    if (m->anisotropic || !(m->density > 0.0)) return FR_OK;
    FR_TRY(fr_tetmesh_surface(ctx, mesh, &surface));
    measure(mesh, &surface, centre_of(mesh), &ball, &reach);
    fr_surface_free(ctx, &surface);
    double thick = 2.0 * ball, far = 2.0 * reach;
    if (ball > 0.0 && far <= MOST_SLENDER * thick)
        *hz = LEAST * sqrt(fr_young(m->lambda, m->mu) / m->density) * thick / (far * far);
    return FR_OK;
}
