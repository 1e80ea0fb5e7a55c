// stress_skin.c: the surface of a stress model with its mid-nodes.

#include "modal/stress_model.h"
#include "math/vec.h"
#include "mesh/topology.h"
#include <string.h>

void fr_stress_skin_free(FrContext *ctx, FrStressSkin *skin) {
    FR_FREE_ALL(ctx, skin->node, skin->x, skin->tri);
    *skin = (FrStressSkin){0};
}

static int32_t mid_between(const FrTetMesh *mesh, int32_t e, int32_t a, int32_t b) {
    for (int k = 0; k < 6; k++) {
        int32_t p = mesh->tet[e][fr_tet_edge[k][0]], q = mesh->tet[e][fr_tet_edge[k][1]];
        if ((p == a && q == b) || (p == b && q == a)) return mesh->mid[e][k];
    }
    return a;
}

static void measure(const FrStressSkin *skin, FrStressTri *tri) {
    FrVec3 c[3];
    fr_stress_corners(skin, tri, c);
    FrVec3 twice = fr_cross(fr_sub(c[1], c[0]), fr_sub(c[2], c[0]));
    tri->normal = fr_normalize(twice);
    tri->area = 0.5 * fr_length(twice);
    tri->middle = fr_scale(1.0 / 3.0, fr_add(c[0], fr_add(c[1], c[2])));
    for (int i = 0; i < 3; i++) tri->reach = fr_max(tri->reach, fr_distance(c[i], tri->middle));
}

// `number` of each node of the mesh on the surface, from 1 (zeroed, mesh node_count)
static FrResult fill(FrContext *ctx, const FrTetMesh *mesh, const FrSurface *surface,
                     int32_t *number, FrStressSkin *skin) {
    skin->tri_count = surface->tri_count;
    skin->tri = FR_NEW(ctx, FrStressTri, surface->tri_count);
    if (!number || !skin->tri) return fr_no_memory(ctx, "the skin of a stress model");
    for (int32_t t = 0; t < surface->tri_count; t++) {
        const int32_t *n = surface->tri[t];
        int32_t all[6] = {n[0], n[1], n[2]};
        for (int k = 0; k < 3; k++)
            all[3 + k] = mid_between(mesh, surface->tet[t], n[k], n[(k + 1) % 3]);
        memcpy(skin->tri[t].node, all, sizeof all);
        for (int k = 0; k < 6; k++) number[all[k]] = 1;
    }
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (number[n]) number[n] = ++skin->node_count;
    skin->node = FR_NEW(ctx, int32_t, skin->node_count);
    skin->x = FR_NEW(ctx, double, 3 * (int64_t)skin->node_count);
    if (!skin->node || !skin->x) return fr_no_memory(ctx, "the skin of a stress model");
    for (int32_t n = 0; n < mesh->node_count; n++) {
        if (!number[n]) continue;
        skin->node[number[n] - 1] = n;
        fr_set3(skin->x, number[n] - 1, fr_get3(mesh->x, n));
    }
    for (int32_t t = 0; t < skin->tri_count; t++) {
        for (int k = 0; k < 6; k++) skin->tri[t].node[k] = number[skin->tri[t].node[k]] - 1;
        measure(skin, &skin->tri[t]);
    }
    return FR_OK;
}

FrResult fr_stress_skin_create(FrContext *ctx, const FrTetMesh *mesh, FrStressSkin *skin) {
    FrSurface surface;
    *skin = (FrStressSkin){0};
    FR_TRY(fr_tetmesh_surface(ctx, mesh, &surface));
    int32_t *number = FR_NEW(ctx, int32_t, mesh->node_count);
    FrResult result = fill(ctx, mesh, &surface, number, skin);
    fr_free(ctx, number);
    fr_surface_free(ctx, &surface);
    if (result != FR_OK) fr_stress_skin_free(ctx, skin);
    return result;
}
