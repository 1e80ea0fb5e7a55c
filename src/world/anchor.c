// anchor.c: points of bodies that grabs hold on to: found by their place in the world, followed
// through motion and cuts.

#include "geom/probe.h"
#include "world/world.h"

static void corners_of(const double *x, const int32_t *node, int count, FrVec3 *corner) {
    for (int i = 0; i < count; i++) corner[i] = fr_get3(x, node[i]);
}

// the tet that x is deepest in, or least outside of, where nodes are at `p`; true: inside
static bool find_tet(const FrShapeView *view, const double *p, FrVec3 x, FrPoint *at) {
    double best = -HUGE_VAL;
    at->tet = 0;
    for (int32_t e = 0; e < view->tet_count; e++) {
        FrVec3 corner[4];
        double b[4];
        if (view->gone && view->gone[e]) continue;
        corners_of(p, view->tet[e], 4, corner);
        if (!fr_tet_corner_weights(corner, x, b)) continue;
        double least = fr_min(fr_min(b[0], b[1]), fr_min(b[2], b[3]));
        if (!(least > best)) continue;
        best = least;
        at->tet = e;
        for (int i = 0; i < 4; i++) at->b[i] = b[i];
    }
    return best >= 0.0;
}

// onto the tet: no weight below 0
static void clamp(FrPoint *at) {
    double sum = 0.0;
    for (int i = 0; i < 4; i++) sum += at->b[i] = fr_max(at->b[i], 0.0);
    for (int i = 0; i < 4; i++) at->b[i] /= sum;
}

static void set_on_tri(const FrShapeView *view, const int32_t *tri, int32_t tet,
                       const double weight[3], FrPoint *at) {
    *at = (FrPoint){.tet = tet};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            if (view->tet[tet][k] == tri[i]) at->b[k] = weight[i];
}

// the nearest point of the surface
static void find_on_surface(const FrShapeView *view, const FrSurface *surface, FrVec3 x,
                            FrPoint *at) {
    double best = HUGE_VAL;
    for (int32_t k = 0; k < surface->tri_count; k++) {
        FrVec3 corner[3], foot = fr_vec3_zero;
        double weight[3];
        if (view->gone && view->gone[surface->tet[k]]) continue;
        corners_of(view->p, surface->tri[k], 3, corner);
        fr_tri_nearest(corner, x, weight);
        for (int i = 0; i < 3; i++) foot = fr_axpy(weight[i], corner[i], foot);
        double d2 = fr_length2(fr_sub(foot, x));
        if (!(d2 < best)) continue;
        best = d2;
        set_on_tri(view, surface->tri[k], surface->tet[k], weight, at);
    }
}

static FrVec3 point_in(const FrShapeView *view, const double *p, FrPoint at) {
    FrVec3 x = fr_vec3_zero;
    for (int i = 0; i < 4; i++) x = fr_axpy(at.b[i], fr_get3(p, view->tet[at.tet][i]), x);
    return x;
}

FrGrip fr_world_anchor_grip(const FrWorld *w, const FrBody *body, const FrAnchor *anchor) {
    const FrBend *bend = body->frame < 0 ? NULL : w->frames.frame.data[body->frame].part.bend;
    if (!bend || anchor->at.tet < 0) return fr_grip_none();
    return fr_bend_grip(bend, body->mesh.tet[anchor->at.tet], anchor->at);
}

// where the place is when the modes are at rest
static FrResult hold_bent(FrWorld *w, const FrBody *body, FrAnchor *anchor) {
    const FrBend *bend = w->frames.frame.data[body->frame].part.bend;
    if (!bend) return FR_OK;
    anchor->at = fr_world_frame_point(w, body->frame, anchor->place);
    FrGrip grip = fr_world_anchor_grip(w, body, anchor);
    anchor->place = fr_sub(anchor->place, fr_bend_shift(bend, &grip));
    return FR_OK;
}

FrResult fr_world_anchor(FrWorld *w, int32_t index, FrVec3 x, FrAnchor *anchor) {
    FrBody *body = &w->body.data[index];
    FrShapeView view;
    *anchor = (FrAnchor){.at.tet = -1};
    if (!fr_vec3_finite(x))
        return fr_fail(w->ctx, FR_BAD_USE, "%s: its place must be finite", body->name);
    if (body->frame >= 0) {
        const FrRigid *r = w->frames.frame.data[body->frame].part.rigid;
        anchor->place = fr_quat_rotate(fr_quat_conj(r->q), fr_sub(x, r->x));
        return hold_bent(w, body, anchor);
    }
    if (fr_world_is_ball(body)) {
        FrBall ball = fr_world_ball(body);
        anchor->place = fr_quat_rotate(fr_quat_conj(ball.q), fr_sub(x, ball.x));
        return FR_OK;
    }
    if (!fr_world_renew_surface(w, body)) return fr_no_memory(w->ctx, "a surface");
    body->ops->view(body->state, &view);
    if (!find_tet(&view, view.p, x, &anchor->at))
        find_on_surface(&view, &body->surface, x, &anchor->at);
    anchor->place = point_in(&view, body->ops->solid->rest(body->state), anchor->at);
    anchor->topology = view.topology;
    return FR_OK;
}

FrVec3 fr_world_anchor_place(const FrBody *body, FrAnchor *anchor, const FrFrames *frames) {
    FrShapeView view;
    if (body->frame >= 0) {
        const FrRigid *r = frames->frame.data[body->frame].part.rigid;
        const FrBend *bend = frames->frame.data[body->frame].part.bend;
        FrVec3 place = anchor->place;
        if (bend && anchor->at.tet >= 0) {
            FrGrip grip = fr_bend_grip(bend, body->mesh.tet[anchor->at.tet], anchor->at);
            place = fr_add(place, fr_bend_shift(bend, &grip));
        }
        return fr_add(r->x, fr_quat_rotate(r->q, place));
    }
    if (fr_world_is_ball(body)) {
        FrBall ball = fr_world_ball(body);
        return fr_add(ball.x, fr_quat_rotate(ball.q, anchor->place));
    }
    body->ops->view(body->state, &view);
    if (anchor->topology != view.topology) {
        find_tet(&view, body->ops->solid->rest(body->state), anchor->place, &anchor->at);
        clamp(&anchor->at);
        anchor->topology = view.topology;
    }
    return point_in(&view, view.p, anchor->at);
}
