// pick.c: what a pointer points at in a view, and where points of its bodies are.

#include "fracas/live.h"
#include "geom/probe.h"
#include "math/vec.h"
#include <math.h>

FrVec3 fr_view_point(const FrFrameView *view, int32_t index, const FrPoint *point) {
    if (!view || !point || index < 0 || index >= view->body_count) return fr_vec3_zero;
    const FrTetMesh *mesh = view->body[index].mesh;
    const FrBodyFrame *frame = &view->frame[index];
    FrVec3 sum = fr_vec3_zero;
    if (!mesh || point->tet < 0) { // of a ball: from its centre, own axes
        FrVec3 own = {point->b[0], point->b[1], point->b[2]};
        return fr_add(frame->position, fr_quat_rotate(frame->rotation, own));
    }
    const double *x = frame->p ? frame->p : mesh->x;
    for (int k = 0; k < 4; k++)
        sum = fr_axpy(point->b[k], fr_get3(x, mesh->tet[point->tet][k]), sum);
    return frame->p ? sum : fr_add(frame->position, fr_quat_rotate(frame->rotation, sum));
}

/// A ray with a direction of length 1, and the nearest hit so far.
typedef struct Search {
    FrVec3 from, along;
    FrRayHit hit;
} Search;

static void meet_plane(Search *s, const FrBodyView *body) {
    double height = fr_dot(body->normal, s->from) - body->offset;
    double fall = -fr_dot(body->normal, s->along);
    if (height < 0.0 || !(fall > 0.0) || !(height / fall < s->hit.distance)) return;
    double d = height / fall;
    s->hit = (FrRayHit){body->id, {.tet = -1}, fr_axpy(d, s->along, s->from), body->normal, d};
}

static void meet_ball(Search *s, const FrBodyView *body, const FrBodyFrame *frame) {
    FrVec3 r = fr_sub(s->from, frame->position);
    double b = fr_dot(r, s->along), c = fr_dot(r, r) - body->radius * body->radius, d = b * b - c;
    if (c < 0.0 || b >= 0.0 || d < 0.0 || !(-b - sqrt(d) < s->hit.distance)) return;
    double distance = -b - sqrt(d);
    FrVec3 arm = fr_axpy(distance, s->along, r);
    FrVec3 own = fr_quat_rotate(fr_quat_conj(frame->rotation), arm);
    s->hit = (FrRayHit){body->id,
                        {.tet = -1, .b = {own.x, own.y, own.z, 0.0}},
                        fr_axpy(distance, s->along, s->from),
                        fr_normalize(arm),
                        distance};
}

static void take_tri(Search *s, const FrBodyView *body, int32_t k, const double weight[3]) {
    const FrSurface *surface = body->surface;
    const int32_t *node = body->mesh->tet[surface->tet[k]];
    FrPoint at = {.tet = surface->tet[k]};
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 4; c++)
            if (node[c] == surface->tri[k][i]) at.b[c] = weight[i];
    s->hit.body = body->id;
    s->hit.at = at;
}

// rays meet frames in their own axes
static void meet_tets(Search *s, const FrBodyView *body, const FrBodyFrame *frame) {
    const double *p = frame->p ? frame->p : body->mesh->x;
    FrQuat back = fr_quat_conj(frame->rotation);
    FrVec3 from = frame->p ? s->from : fr_quat_rotate(back, fr_sub(s->from, frame->position));
    FrVec3 along = frame->p ? s->along : fr_quat_rotate(back, s->along);
    for (int32_t k = 0; k < body->surface->tri_count; k++) {
        FrVec3 x[3];
        double weight[3], distance;
        for (int i = 0; i < 3; i++) x[i] = fr_get3(p, body->surface->tri[k][i]);
        if (!fr_tri_ray(x, from, along, &distance, weight) || !(distance < s->hit.distance))
            continue;
        FrVec3 n = fr_normalize(fr_cross(fr_sub(x[1], x[0]), fr_sub(x[2], x[0])));
        take_tri(s, body, k, weight);
        s->hit.distance = distance;
        s->hit.x = fr_axpy(distance, s->along, s->from);
        s->hit.normal = frame->p ? n : fr_quat_rotate(frame->rotation, n);
    }
}

bool fr_view_ray(const FrFrameView *view, const FrRay *ray, FrRayHit *hit) {
    if (!view || !ray || !hit) return false;
    double length = fr_length(ray->along);
    *hit = (FrRayHit){.distance = ray->length};
    if (!(length > 0.0) || !fr_vec3_finite(ray->from) || !fr_vec3_finite(ray->along)) return false;
    Search s = {ray->from, fr_scale(1.0 / length, ray->along), *hit};
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrBodyView *body = &view->body[k];
        if (!view->frame[k].alive) continue;
        if (body->kind == FR_BODY_PLANE) meet_plane(&s, body);
        if (body->kind == FR_BODY_SPHERE) meet_ball(&s, body, &view->frame[k]);
        if (body->kind == FR_BODY_TETS && body->surface) meet_tets(&s, body, &view->frame[k]);
    }
    *hit = s.hit;
    return s.hit.body.index1 != 0;
}
