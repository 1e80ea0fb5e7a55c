// nodeset.c: nodes and surface triangles picked by where they are.

#include "mesh/nodeset.h"

bool fr_zone_contains(const FrZone *zone, FrVec3 x) {
    switch (zone->kind) {
    case FR_ZONE_ALL:
        return true;
    case FR_ZONE_BOX:
        return fr_box_contains(zone->box, x);
    case FR_ZONE_SPHERE:
        return fr_length2(fr_sub(x, zone->centre)) <= zone->radius * zone->radius;
    case FR_ZONE_HALFSPACE:
        return fr_dot(zone->normal, x) <= zone->offset;
    case FR_ZONE_FIELD:
        return fr_field_at(&zone->field, x) <= zone->offset;
    }
    return false;
}

FrResult fr_nodes_in(FrContext *ctx, const FrTetMesh *mesh, const FrZone *zone, FrIndices *nodes) {
    *nodes = (FrIndices){FR_NEW(ctx, int32_t, mesh->node_count), 0};
    if (!nodes->index) return fr_no_memory(ctx, "a node set");
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (fr_zone_contains(zone, fr_get3(mesh->x, n))) nodes->index[nodes->count++] = n;
    return FR_OK;
}

FrResult fr_tris_in(FrContext *ctx, const FrTetMesh *mesh, const FrSurface *surface,
                    const FrZone *zone, FrVec3 direction, double min_cos, FrIndices *tris) {
    *tris = (FrIndices){FR_NEW(ctx, int32_t, surface->tri_count), 0};
    if (!tris->index) return fr_no_memory(ctx, "a triangle set");
    FrVec3 d = fr_normalize(direction);
    bool any = fr_length2(d) == 0.0;
    for (int32_t k = 0; k < surface->tri_count; k++) {
        FrVec3 p[3];
        for (int j = 0; j < 3; j++) p[j] = fr_get3(mesh->x, surface->tri[k][j]);
        FrVec3 n = fr_normalize(fr_cross(fr_sub(p[1], p[0]), fr_sub(p[2], p[0])));
        FrVec3 centre = fr_scale(1.0 / 3.0, fr_add(fr_add(p[0], p[1]), p[2]));
        if ((any || fr_dot(n, d) >= min_cos) && fr_zone_contains(zone, centre))
            tris->index[tris->count++] = k;
    }
    return FR_OK;
}
