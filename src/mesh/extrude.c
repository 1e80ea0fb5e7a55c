// extrude.c: a plane outline with holes, filled with triangles and swept to a solid.

#include "mesh/grid.h"
#include "mesh/triangulate.h"

typedef struct Extrusion {
    FrTriangulation plane;
    double depth;
    int32_t layers;
} Extrusion;

static FrVec3 extruded_at(const void *user, int32_t point, int32_t layer) {
    const Extrusion *e = user;
    double z = layer == e->layers ? 0.5 * e->depth : e->depth * ((double)layer / e->layers - 0.5);
    return fr_vec3(e->plane.xy[point][0], e->plane.xy[point][1], z);
}

FrResult fr_mesh_extrusion(FrContext *ctx, const double (*xy)[2], const int32_t *loop_end,
                           int32_t loop_count, double depth, double h, int32_t layers,
                           FrTetMesh *mesh) {
    *mesh = (FrTetMesh){0};
    if (!(depth > 0) || !isfinite(depth))
        return fr_fail(ctx, FR_BAD_INPUT, "an extrusion of depth %g m: it must be positive", depth);
    Extrusion e = {.depth = depth};
    FR_TRY(fr_mesh_count(ctx, depth, h, 1, &e.layers));
    if (layers > 0) e.layers = layers;
    FR_TRY(fr_triangulate(ctx, xy, loop_end, loop_count, h, &e.plane));
    FrResult result = fr_mesh_sweep(ctx, (const int32_t(*)[3])e.plane.tri, e.plane.tri_count,
                                    e.plane.point_count, e.layers, extruded_at, &e, mesh);
    fr_triangulation_free(ctx, &e.plane);
    return result;
}
