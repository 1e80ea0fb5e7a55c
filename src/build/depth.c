// depth.c: how deep bodies are inside each other where they stand, and how thick their walls are.

#include "build/depth.h"
#include "math/vec.h"
#include "mesh/outside.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"

FrResult fr_depths_init(FrDepths *d, FrContext *ctx, const FrFrameView *view) {
    *d = (FrDepths){ctx, view, FR_NEW(ctx, FrSolid *, view->body_count + 1)};
    return d->solid ? FR_OK : fr_no_memory(ctx, "overlaps");
}

void fr_depths_free(FrDepths *d) {
    for (int32_t k = 0; d->solid && k < d->view->body_count; k++)
        fr_solid_destroy(d->ctx, d->solid[k]);
    fr_free(d->ctx, d->solid);
}

FrBox fr_view_bounds(const FrFrameView *view, int32_t k) {
    const FrBodyView *body = &view->body[k];
    FrVec3 r = fr_vec3(body->radius, body->radius, body->radius);
    FrVec3 centre = view->frame[k].position;
    if (!body->mesh) return (FrBox){fr_sub(centre, r), fr_add(centre, r)};
    FrBox box = fr_box_empty();
    for (int32_t n = 0; n < body->mesh->node_count; n++)
        box = fr_box_add(box, fr_get3(view->frame[k].p, n));
    return box;
}

static FrResult solid_of(FrDepths *d, int32_t k) {
    if (d->solid[k]) return FR_OK;
    FrTriMesh skin = {0};
    FrTetMesh there = *d->view->body[k].mesh;
    there.x = (double *)(uintptr_t)d->view->frame[k].p;
    FrResult result = fr_surface_trimesh(d->ctx, &there, d->view->body[k].surface, &skin);
    if (result == FR_OK) result = fr_solid_create(d->ctx, &skin, &d->solid[k]);
    fr_trimesh_free(d->ctx, &skin);
    return result;
}

FrResult fr_depth_inside(FrDepths *d, int32_t one, int32_t other, double *depth) {
    const FrBodyView *a = &d->view->body[one], *b = &d->view->body[other];
    const FrBodyFrame *at = &d->view->frame[one];
    *depth = 0.0;
    FrBox reach = fr_view_bounds(d->view, other);
    if (b->mesh) FR_TRY(solid_of(d, other));
    for (int32_t n = 0; n < (a->mesh ? a->mesh->node_count : 1); n++) {
        FrVec3 x = a->mesh ? fr_get3(at->p, n) : at->position;
        double around = a->mesh ? 0.0 : a->radius; // a sphere reaches that much further
        FrVec3 r = fr_vec3(around, around, around);
        if (!fr_box_overlaps((FrBox){fr_sub(x, r), fr_add(x, r)}, reach)) continue;
        double outside = b->mesh ? fr_solid_distance(d->solid[other], x)
                                 : fr_distance(x, d->view->frame[other].position) - b->radius;
        *depth = fr_max(*depth, around - outside);
    }
    return FR_OK;
}

static double area_of(const FrBodyView *body) {
    const FrSurface *s = body->surface;
    double area = 0.0;
    for (int32_t k = 0; k < s->tri_count; k++) {
        if (s->opened && s->opened[k] >= 0.0) continue;
        FrVec3 x = fr_get3(body->mesh->x, s->tri[k][0]);
        FrVec3 u = fr_sub(fr_get3(body->mesh->x, s->tri[k][1]), x);
        FrVec3 v = fr_sub(fr_get3(body->mesh->x, s->tri[k][2]), x);
        area += 0.5 * fr_length(fr_cross(u, v));
    }
    return area;
}

double fr_wall_of(const FrBodyView *body) {
    if (!body->mesh) return 2.0 / 3.0 * body->radius;
    return 2.0 * fr_tetmesh_props(body->mesh).volume / area_of(body);
}
