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

// scatter: of points inside, over h
static FrResult extrude(FrContext *ctx, const FrOutline *outline, Extrusion *e, double h,
                        double scatter, FrTetMesh *mesh) {
    FR_TRY(fr_triangulate(ctx, outline, h, scatter, &e->plane));
    FrSheet sheet = {(const int32_t(*)[3])e->plane.tri,
                     e->plane.tri_count,
                     e->plane.point_count,
                     e->layers,
                     extruded_at,
                     e};
    FrResult result = fr_mesh_sweep(ctx, &sheet, mesh);
    fr_triangulation_free(ctx, &e->plane);
    return result;
}

static FrResult check_depth(FrContext *ctx, double depth) {
    if (depth > 0 && isfinite(depth)) return FR_OK;
    return fr_fail(ctx, FR_BAD_INPUT, "an extrusion of depth %g m: it must be positive", depth);
}

FrResult fr_mesh_extrusion(FrContext *ctx, const FrOutline *outline, double depth, double h,
                           int32_t layers, FrTetMesh *mesh) {
    *mesh = (FrTetMesh){0};
    FR_TRY(check_depth(ctx, depth));
    Extrusion e = {.depth = depth};
    FR_TRY(fr_mesh_count(ctx, depth, h, 1, &e.layers));
    if (layers > 0) e.layers = layers;
    return extrude(ctx, outline, &e, h, 0.0, mesh);
}

/// Of points inside, over the edges of the tets: less leaves rows.
#define SCATTER 0.5

FrResult fr_mesh_scattered(FrContext *ctx, const FrOutline *outline, double depth, double h,
                           int32_t least_layers, FrTetMesh *mesh) {
    *mesh = (FrTetMesh){0};
    FR_TRY(check_depth(ctx, depth));
    Extrusion e = {.depth = depth};
    FR_TRY(fr_mesh_count(ctx, depth, h, least_layers, &e.layers));
    return extrude(ctx, outline, &e, h, SCATTER, mesh);
}

static int shortest_axis(FrVec3 size) {
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fr_vec3_get(size, k) < fr_vec3_get(size, least)) least = k;
    return least;
}

FrResult fr_mesh_scattered_box(FrContext *ctx, FrVec3 size, double h, int32_t least_layers,
                               FrTetMesh *mesh) {
    int axis = shortest_axis(size), across[2] = {(axis + 1) % 3, (axis + 2) % 3};
    double x = 0.5 * fr_vec3_get(size, across[0]), y = 0.5 * fr_vec3_get(size, across[1]);
    const double corner[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
    int32_t end = 4;
    FrOutline outline = {1, 4, &end, corner};
    FR_TRY(fr_mesh_scattered(ctx, &outline, fr_vec3_get(size, axis), h, least_layers, mesh));
    for (int32_t n = 0; n < mesh->node_count; n++) { // an even permutation: a turn
        FrVec3 at = fr_get3(mesh->x, n);
        mesh->x[3 * n + across[0]] = at.x;
        mesh->x[3 * n + across[1]] = at.y;
        mesh->x[3 * n + axis] = at.z;
    }
    return FR_OK;
}
