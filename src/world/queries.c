// queries.c: what a ray meets, which bodies reach into a box or a ball, where they touch and what
// joins them, as they are now.

#include "geom/probe.h"
#include "world/member.h"

static FrVec3 place_of(const FrBody *body) {
    FrVec3 x, v, spin;
    FrQuat q;
    body->ops->pose(body->state, &x, &q, &v, &spin);
    return x;
}

static FrBox bounds_of(const FrWorld *w, const FrBody *body) {
    return fr_contact_bounds(w->scene, body->item, 0.0);
}

/// A ray with a direction of length 1, and the nearest hit so far.
typedef struct Search {
    FrVec3 from, along;
    FrRayHit hit;
} Search;

static void take_hit(Search *s, double distance, FrBodyId id, FrVec3 normal) {
    FrVec3 x = fr_axpy(distance, s->along, s->from);
    s->hit = (FrRayHit){id, {.tet = -1}, x, normal, distance};
}

static void meet_plane(Search *s, const FrPlane *plane) {
    double height = fr_dot(plane->normal, s->from) - plane->offset;
    double fall = -fr_dot(plane->normal, s->along);
    if (height < 0.0 || !(fall > 0.0) || !(height / fall < s->hit.distance)) return;
    take_hit(s, height / fall, (FrBodyId){plane->number + 1}, plane->normal);
}

static void meet_sphere(Search *s, const FrBody *body, FrBodyId id) {
    FrVec3 r = fr_sub(s->from, place_of(body));
    double b = fr_dot(r, s->along), c = fr_dot(r, r) - body->radius * body->radius, d = b * b - c;
    if (c < 0.0 || b >= 0.0 || d < 0.0 || !(-b - sqrt(d) < s->hit.distance)) return;
    double distance = -b - sqrt(d);
    take_hit(s, distance, id, fr_normalize(fr_axpy(distance, s->along, r)));
}

static void meet_tets(Search *s, const FrBody *body, FrBodyId id) {
    FrShapeView view;
    body->ops->view(body->state, &view);
    for (int32_t k = 0; k < body->surface.tri_count; k++) {
        const int32_t *tri = body->surface.tri[k], tet = body->surface.tet[k];
        FrVec3 x[3];
        double weight[3], distance;
        if (view.gone && view.gone[tet]) continue;
        for (int i = 0; i < 3; i++) x[i] = fr_get3(view.p, tri[i]);
        if (!fr_tri_ray(x, s->from, s->along, &distance, weight) || !(distance < s->hit.distance))
            continue;
        FrVec3 normal = fr_cross(fr_sub(x[1], x[0]), fr_sub(x[2], x[0]));
        take_hit(s, distance, id, fr_normalize(normal));
        s->hit.at.tet = tet;
        for (int i = 0; i < 3; i++)
            for (int c = 0; c < 4; c++)
                if (view.tet[tet][c] == tri[i]) s->hit.at.b[c] = weight[i];
    }
}

FrResult fr_world_ray(FrWorld *w, const FrRay *ray, FrRayHit *hit) {
    FR_NEED_ALL(fr_world_context(w), w && ray && hit);

    double length = fr_length(ray->along);
    *hit = (FrRayHit){.at.tet = -1};
    if (!fr_vec3_finite(ray->from) || !(length > 0.0 && isfinite(length)) || !(ray->length >= 0.0))
        return fr_fail(w->ctx, FR_BAD_USE,
                       "a ray needs a finite begin, a direction that is not zero, a length of 0 or "
                       "more (found %g)",
                       ray->length);
    Search s = {ray->from, fr_scale(1.0 / length, ray->along), *hit};
    s.hit.distance = ray->length;
    fr_world_number_planes(w);
    for (int32_t k = 0; k < w->plane.count; k++) meet_plane(&s, &w->plane.data[k]);
    for (int32_t k = 0; k < w->body.count; k++) {
        FrBody *body = &w->body.data[k];
        if (!fr_box_ray(bounds_of(w, body), s.from, s.along, s.hit.distance)) continue;
        if (!body->mesh.tet_count) {
            meet_sphere(&s, body, fr_world_id(w, k));
            continue;
        }
        if (!fr_world_renew_surface(w, body)) return fr_no_memory(w->ctx, "a surface");
        meet_tets(&s, body, fr_world_id(w, k));
    }
    if (s.hit.body.index1) *hit = s.hit;
    return FR_OK;
}

/// A box, or a ball within it.
typedef struct Region {
    FrBox box;
    bool ball;
    FrVec3 centre;
    double radius; ///< m
} Region;

static bool sphere_reaches(const FrBody *body, const Region *region) {
    FrVec3 x = place_of(body);
    double r = body->radius;
    if (region->ball) return fr_distance(x, region->centre) <= r + region->radius;
    return fr_box_distance2(region->box, x) <= r * r;
}

static bool tets_reach(const FrBody *body, const Region *region) {
    FrShapeView view;
    body->ops->view(body->state, &view);
    for (int32_t e = 0; e < view.tet_count; e++) {
        FrVec3 x[4];
        if (view.gone && view.gone[e]) continue;
        for (int i = 0; i < 4; i++) x[i] = fr_get3(view.p, view.tet[e][i]);
        if (region->ball ? fr_tet_meets_ball(x, region->centre, region->radius)
                         : fr_tet_meets_box(x, region->box))
            return true;
    }
    return false;
}

static void find_reaching(const FrWorld *w, const Region *region, FrBodyId *id, int32_t room,
                          int32_t *count) {
    *count = 0;
    for (int32_t k = 0; k < w->body.count; k++) {
        const FrBody *body = &w->body.data[k];
        if (!fr_box_overlaps(bounds_of(w, body), region->box)) continue;
        if (!(body->mesh.tet_count ? tets_reach(body, region) : sphere_reaches(body, region)))
            continue;
        if (id && *count < room) id[*count] = fr_world_id(w, k);
        ++*count;
    }
}

FrResult fr_world_overlap_box(FrWorld *w, FrBox box, FrBodyId *id, int32_t room, int32_t *count) {
    FR_NEED_ALL(fr_world_context(w), w && count);

    *count = 0;
    if (!(box.lo.x <= box.hi.x && box.lo.y <= box.hi.y && box.lo.z <= box.hi.z) ||
        !fr_vec3_finite(box.lo) || !fr_vec3_finite(box.hi))
        return fr_fail(w->ctx, FR_BAD_USE, "a box must be finite, and lo nowhere above hi");
    find_reaching(w, &(Region){.box = box}, id, room, count);
    return FR_OK;
}

FrResult fr_world_overlap_sphere(FrWorld *w, FrVec3 centre, double radius, FrBodyId *id,
                                 int32_t room, int32_t *count) {
    FR_NEED_ALL(fr_world_context(w), w && count);

    *count = 0;
    if (!fr_vec3_finite(centre) || !(radius >= 0.0 && isfinite(radius)))
        return fr_fail(w->ctx, FR_BAD_USE, "a ball must be finite, its radius %g not below 0",
                       radius);
    FrBox box = fr_box_grow((FrBox){centre, centre}, radius);
    find_reaching(w, &(Region){box, true, centre, radius}, id, room, count);
    return FR_OK;
}

// the first `room` are kept
static void take_touch(FrTouchPoint *to, int32_t room, int32_t *count, FrTouchPoint touch) {
    if (to && *count < room) to[*count] = touch;
    ++*count;
}

static FrVec3 at_frame(const FrFrame *frame, FrVec3 place) {
    const FrRigid *rigid = frame->part.rigid;
    return fr_add(rigid->x, fr_quat_rotate(rigid->q, place));
}

void fr_world_touch_points(FrWorld *w, FrTouchPoint *touch, int32_t room, int32_t *count) {
    if (!(w && count)) return;

    const FrFrames *frames = &w->frames;
    *count = 0;
    for (int32_t k = 0; k < frames->pair.count; k++) {
        const FrFramePair *pair = &frames->pair.data[k];
        const FrFrame *a = &frames->frame.data[pair->a];
        FrBodyId other =
            pair->b < 0 ? (FrBodyId){0} : fr_world_id(w, frames->frame.data[pair->b].body);
        for (int32_t i = 0; i < pair->count; i++)
            if (fr_length2(pair->point[i].force) > 0.0)
                take_touch(touch, room, count,
                           (FrTouchPoint){fr_world_id(w, a->body), other,
                                          at_frame(a, pair->point[i].la), pair->point[i].force});
    }
    for (int32_t k = 0; k < w->touch.count; k++) {
        const FrTouch *t = &w->touch.data[k];
        double span = t->last - t->first;
        if (!(t->weight > 0.0) || !(span > 0.0)) continue;
        take_touch(touch, room, count,
                   (FrTouchPoint){fr_world_id(w, t->a), fr_world_id(w, t->b),
                                  fr_scale(1.0 / t->weight, t->place),
                                  fr_scale(1.0 / span, t->impulse)});
    }
}

static void take_tie(FrTie *to, int32_t room, int32_t *count, FrTie tie) {
    if (to && *count < room) to[*count] = tie;
    ++*count;
}

void fr_world_ties(FrWorld *w, FrTie *tie, int32_t room, int32_t *count) {
    if (!(w && count)) return;

    const FrFrames *frames = &w->frames;
    *count = 0;
    for (int32_t k = 0; k < frames->joint.count; k++) {
        const FrJoint *j = &frames->joint.data[k];
        FrVec3 a = at_frame(&frames->frame.data[j->a], j->la);
        FrVec3 b = j->b < 0 ? j->lb : at_frame(&frames->frame.data[j->b], j->lb);
        take_tie(tie, room, count, (FrTie){a, b, false, j->kind, {j->number + 1}});
    }
    for (int32_t k = 0; k < w->external.grab.count; k++) {
        const FrGrab *grab = &w->external.grab.data[k];
        int32_t body = fr_world_find(w, grab->body);
        if (body < 0) continue;
        FrAnchor at = grab->at; // it follows cuts when it is stepped, not when it is looked at
        FrVec3 x = fr_world_anchor_place(&w->body.data[body], &at, frames);
        take_tie(tie, room, count, (FrTie){.a = x, .b = grab->target, .hand = true});
    }
}
