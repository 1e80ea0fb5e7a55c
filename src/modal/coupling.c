// coupling.c: how fast the surface of a body moves in each mode: what reaches the air.

#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "modal/modes.h"
#include <string.h>

/// A flat triangle of the surface.
typedef struct Facet {
    int32_t node[3];
    FrVec3 normal; ///< unit
    double area;   ///< m^2
} Facet;

static int32_t mid_between(const FrTetMesh *mesh, int32_t e, int32_t a, int32_t b) {
    for (int k = 0; k < 6; k++) {
        int32_t p = mesh->tet[e][fr_tet_edge[k][0]], q = mesh->tet[e][fr_tet_edge[k][1]];
        if ((p == a && q == b) || (p == b && q == a)) return mesh->mid[e][k];
    }
    return a;
}

static Facet facet(const FrTetMesh *mesh, int32_t a, int32_t b, int32_t c) {
    FrVec3 x = fr_get3(mesh->x, a);
    FrVec3 twice = fr_cross(fr_sub(fr_get3(mesh->x, b), x), fr_sub(fr_get3(mesh->x, c), x));
    Facet f = {{a, b, c}, fr_normalize(twice), 0.5 * fr_length(twice)};
    return f;
}

// a curved side is taken as four flat triangles
static int32_t facets_of(const FrTetMesh *mesh, const FrSurface *surface, int32_t t, Facet to[4]) {
    const int32_t *n = surface->tri[t];
    if (mesh->order == 1) {
        to[0] = facet(mesh, n[0], n[1], n[2]);
        return 1;
    }
    int32_t e = surface->tet[t];
    int32_t ab = mid_between(mesh, e, n[0], n[1]), bc = mid_between(mesh, e, n[1], n[2]),
            ca = mid_between(mesh, e, n[2], n[0]);
    to[0] = facet(mesh, n[0], ab, ca);
    to[1] = facet(mesh, ab, n[1], bc);
    to[2] = facet(mesh, ca, bc, n[2]);
    to[3] = facet(mesh, ab, bc, ca);
    return 4;
}

// integral of (n.w)^2 over a triangle, w linear on it
static double moved(const Facet *f, const double *shape) {
    double u[3];
    for (int i = 0; i < 3; i++) u[i] = fr_dot(f->normal, fr_get3(shape, f->node[i]));
    return f->area / 6.0 *
           (u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[0] * u[1] + u[1] * u[2] + u[2] * u[0]);
}

// a_i = omega_i sqrt( sum_tri A (n.w_i)^2 / A_tot ). S4 3.4 sums n.w_i with its sign, which is
// silent for whatever bends as much one way as the other (E43).
FrResult fr_modes_couplings(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                            double *coupling) {
    FrSurface surface;
    FR_TRY(fr_tetmesh_surface(ctx, mesh, &surface));
    size_t stride = 3 * (size_t)modes->node_count;
    double total = 0.0;
    for (int32_t i = 0; i < modes->mode_count; i++) coupling[i] = 0.0;
    for (int32_t t = 0; t < surface.tri_count; t++) {
        Facet f[4];
        int32_t count = facets_of(mesh, &surface, t, f);
        for (int32_t k = 0; k < count; k++) {
            total += f[k].area;
            for (int32_t i = 0; i < modes->mode_count; i++)
                coupling[i] += moved(&f[k], modes->shape + stride * (size_t)i);
        }
    }
    for (int32_t i = 0; i < modes->mode_count; i++)
        coupling[i] = total > 0.0 ? sqrt(modes->lambda[i] * coupling[i] / total) : 0.0;
    fr_surface_free(ctx, &surface);
    return FR_OK;
}

FrResult fr_modes_facets(FrContext *ctx, const FrTetMesh *mesh, int32_t (**facets)[3],
                         int32_t *count) {
    FrSurface surface;
    *facets = NULL;
    FR_TRY(fr_tetmesh_surface(ctx, mesh, &surface));
    *count = 0;
    *facets = fr_alloc_zero(ctx, 4 * (size_t)surface.tri_count, sizeof **facets);
    for (int32_t t = 0; t < surface.tri_count && *facets; t++) {
        Facet f[4];
        int32_t found = facets_of(mesh, &surface, t, f);
        for (int32_t k = 0; k < found; k++)
            memcpy((*facets)[(*count)++], f[k].node, sizeof f->node);
    }
    fr_surface_free(ctx, &surface);
    return *facets ? FR_OK : fr_no_memory(ctx, "the surface of a mesh");
}
