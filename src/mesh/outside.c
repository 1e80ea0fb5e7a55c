// outside.c: the outside of a tet mesh as a triangle mesh of its own.

#include "mesh/outside.h"
#include "mesh/topology.h"

// surface nodes numbered anew, in the order of their nodes
FrResult fr_surface_trimesh(FrContext *ctx, const FrTetMesh *mesh, const FrSurface *surface,
                            FrTriMesh *trimesh) {
    int32_t *number = FR_NEW(ctx, int32_t, mesh->node_count), count = 0;
    if (!number) return fr_no_memory(ctx, "a skin");
    for (int32_t k = 0; k < surface->tri_count; k++)
        for (int i = 0; i < 3; i++) number[surface->tri[k][i]] = 1;
    for (int32_t n = 0; n < mesh->node_count; n++) number[n] = number[n] ? ++count : 0;
    FrResult result = fr_trimesh_alloc(ctx, count, surface->tri_count, trimesh);
    for (int32_t n = 0; result == FR_OK && n < mesh->node_count; n++)
        if (number[n]) fr_set3(trimesh->p, number[n] - 1, fr_get3(mesh->x, n));
    for (int32_t k = 0; result == FR_OK && k < surface->tri_count; k++)
        for (int i = 0; i < 3; i++) trimesh->tri[k][i] = number[surface->tri[k][i]] - 1;
    fr_free(ctx, number);
    return result;
}

FrResult fr_outside_trimesh(FrContext *ctx, const FrTetMesh *mesh, FrTriMesh *trimesh) {
    FrSurface surface = {0};
    FrResult result = fr_tetmesh_surface(ctx, mesh, &surface);
    if (result == FR_OK) result = fr_surface_trimesh(ctx, mesh, &surface, trimesh);
    fr_surface_free(ctx, &surface);
    return result;
}
