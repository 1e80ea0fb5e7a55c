// implicit_meet.c: contacts that rows solve together with their implicit bodies: those of a group
// in which no side takes substeps. They are found where all will be at the end of the macro step.

#include "sparse/meet.h"
#include "world/member.h"

bool fr_world_meets(const FrWorld *w, const FrGroup *group) {
    for (int32_t k = 0; k < group->count; k++)
        if (is_implicit(member(w, group, k)) && member(w, group, k)->ops->meet) return true;
    return false;
}

/// Items that take part, by the side that a contact gives them.
typedef struct Stage {
    FrWorld *w;
    const FrModelOps *row;
    int32_t *first; ///< of each item: its first node; -1: the system does not move it
    bool *turns;    ///< of each item: a frame
    void **state;   ///< of the row's bodies
    int32_t state_count;
    FrMeetFrame *frame;
    int32_t *frame_body;
    int32_t frame_count;
    int32_t frames_from; ///< first node of frames
} Stage;

// does the item step in a way that substeps have settled its contacts?
static bool takes_substeps(const FrWorld *w, const FrModelOps *row, int32_t item) {
    const FrBody *body = body_of_item(w, item);
    return body && body->frame < 0 && !body->kinematic && body->ops != row;
}

// is it solved with the bodies of a row?
static bool is_met(const FrWorld *w, const FrContact *c) {
    const FrBody *a = body_of_item(w, c->a), *b = body_of_item(w, c->b);
    const FrModelOps *row = a && a->ops->meet ? a->ops : b && b->ops->meet ? b->ops : NULL;
    return row && !takes_substeps(w, row, c->a) && !takes_substeps(w, row, c->b);
}

void fr_world_drop_met(const FrWorld *w, FrContactList *list) {
    int32_t kept = 0;
    for (int32_t k = 0; k < list->count; k++)
        if (!is_met(w, &list->contact[k])) list->contact[kept++] = list->contact[k];
    list->count = kept;
}

static FrMeetFrame frame_of(const FrWorld *w, const FrBody *body) {
    const FrRigid *r = w->frames.frame.data[body->frame].part.rigid;
    FrMat3 R = fr_quat_mat3(r->q);
    FrMat3 inertia = fr_mat3_mul(R, fr_mat3_mul(r->inertia, fr_mat3_transpose(R)));
    return (FrMeetFrame){r->mass, inertia, r->v, fr_rigid_spin(r)};
}

// bodies of the row one after the other, then free frames
static FrResult set_stage(Stage *s, const FrGroup *group) {
    FrWorld *w = s->w;
    int32_t items = w->item_body.count, nodes = 0;
    s->first = FR_NEW(w->ctx, int32_t, items);
    s->turns = FR_NEW(w->ctx, bool, items);
    s->state = FR_NEW(w->ctx, void *, group->count);
    s->frame = FR_NEW(w->ctx, FrMeetFrame, group->count);
    s->frame_body = FR_NEW(w->ctx, int32_t, group->count);
    if (!s->first || !s->turns || !s->state || !s->frame || !s->frame_body)
        return fr_no_memory(w->ctx, "contacts of implicit bodies");
    for (int32_t k = 0; k < items; k++) s->first[k] = -1;
    for (int32_t k = 0; k < group->count; k++) {
        FrBody *body = member(w, group, k);
        FrShapeView view;
        if (body->ops != s->row) continue;
        body->ops->view(body->state, &view);
        s->first[body->item] = nodes;
        nodes += view.node_count;
        s->state[s->state_count++] = body->state;
    }
    s->frames_from = nodes;
    for (int32_t k = 0; k < group->count; k++) {
        FrBody *body = member(w, group, k);
        if (body->frame < 0 || body->kinematic) continue;
        s->first[body->item] = nodes + 2 * s->frame_count;
        s->turns[body->item] = true;
        s->frame_body[s->frame_count] = w->now.group_body.data[group->first + k];
        s->frame[s->frame_count++] = frame_of(w, body);
    }
    return FR_OK;
}

static void free_stage(Stage *s) {
    FR_FREE_ALL(s->w->ctx, s->first, s->turns, s->state, s->frame, s->frame_body);
}

static FrLinkSide side_of(const Stage *s, int32_t item, FrPoint at, FrVec3 x) {
    FrLinkSide side = {0};
    const FrBody *body = body_of_item(s->w, item);
    int32_t first = s->first[item];
    if (first < 0) return side;
    if (s->turns[item]) {
        side.turns = true, side.count = 2;
        side.node[0] = first, side.node[1] = first + 1;
        side.arm = fr_sub(x, s->w->frames.frame.data[body->frame].part.rigid->x);
        return side;
    }
    FrShapeView view;
    body->ops->view(body->state, &view);
    side.count = 4;
    for (int i = 0; i < 4; i++) {
        side.node[i] = first + view.tet[at.tet][i];
        side.weight[i] = at.b[i];
    }
    return side;
}

static FrVec3 speed_of(const FrWorld *w, int32_t item, FrPoint at, FrVec3 x) {
    const FrBody *body = body_of_item(w, item);
    return body ? body->ops->velocity(body->state, at, x) : fr_vec3_zero;
}

static FrMeet meet_of(const Stage *s, const FrContact *c) {
    const FrWorld *w = s->w;
    FrPenaltyOptions options = fr_world_penalty(w);
    FrPenaltySpring spring = fr_penalty_spring(c, w->mover.data, &options);
    FrMeet m = {.link = {side_of(s, c->a, c->pa, c->x), side_of(s, c->b, c->pb, c->x), {0}},
                .key = c->key,
                .n = spring.n,
                .push = spring.push,
                .k_n = spring.stiffness,
                .k_t = FR_TANGENTIAL * spring.stiffness,
                .mu_s = spring.mu_s,
                .mu_d = spring.mu_d};
    FrVec3 va = speed_of(w, c->a, c->pa, c->x), vb = speed_of(w, c->b, c->pb, c->x);
    m.shown = fr_sub(va, vb);
    m.driven = fr_sub(m.link.a.count ? fr_vec3_zero : va, m.link.b.count ? fr_vec3_zero : vb);
    return m;
}

// what contact gave the frames
static void kick_frames(const Stage *s, const FrMeetStep *step) {
    for (int32_t k = 0; k < step->meet_count; k++) {
        const FrMeet *m = &step->meet[k];
        const FrLinkSide *side[2] = {&m->link.a, &m->link.b};
        for (int i = 0; i < 2; i++) {
            if (!side[i]->turns || m->open) continue;
            int32_t n = (side[i]->node[0] - s->frames_from) / 2;
            const FrBody *body = &s->w->body.data[s->frame_body[n]];
            const FrRigid *r = s->w->frames.frame.data[body->frame].part.rigid;
            fr_world_push_frame(s->w, body, fr_add(r->x, side[i]->arm),
                                fr_scale(i ? -1.0 : 1.0, m->impulse));
        }
    }
}

// events and momentum see them as they see those of a substep
static FrResult note_meets(FrWorld *w, const FrMeetStep *step, double t) {
    w->now.force.count = 0;
    if (!fr_array_extend(w->ctx, &w->now.force, step->meet_count))
        return fr_no_memory(w->ctx, "contact forces");
    for (int32_t k = 0; k < step->meet_count; k++) {
        const FrMeet *m = &step->meet[k];
        FrVec3 along = fr_scale(fr_dot(m->n, m->shown), m->n);
        w->now.force.data[k] = (FrContactForce){.force = fr_scale(1.0 / step->dt, m->impulse),
                                                .normal = fr_dot(m->impulse, m->n) / step->dt,
                                                .v_n = -fr_dot(m->n, m->shown),
                                                .v_t = fr_distance(m->shown, along),
                                                .stiffness = m->k_n};
        w->stats.overlap = fr_max(w->stats.overlap, w->now.contacts.contact[k].depth);
    }
    w->stats.contacts += step->meet_count;
    fr_world_note_pushes(w, step->dt);
    return fr_world_gather_touches(w, t, step->dt);
}

// contacts where the row's bodies will be if nothing stops them
static FrResult find_meets(Stage *s, FrMeetStep *step, bool touches) {
    FrWorld *w = s->w;
    w->now.contacts.count = 0;
    if (!touches) return FR_OK;
    FR_TRY(fr_contact_detect(w->scene, w->now.items.data, w->now.items.count, step->dt,
                             &w->now.contacts));
    int32_t kept = 0;
    for (int32_t k = 0; k < w->now.contacts.count; k++)
        if (is_met(w, &w->now.contacts.contact[k]))
            w->now.contacts.contact[kept++] = w->now.contacts.contact[k];
    w->now.contacts.count = kept;
    step->meet = FR_NEW(w->ctx, FrMeet, kept);
    if (!step->meet) return fr_no_memory(w->ctx, "contacts of implicit bodies");
    step->meet_count = kept;
    for (int32_t k = 0; k < kept; k++) step->meet[k] = meet_of(s, &w->now.contacts.contact[k]);
    return FR_OK;
}

static FrResult step_stage(Stage *s, const FrGroup *group, FrMeetStep *step, double t) {
    int32_t failed = 0;
    FR_TRY(set_stage(s, group));
    FR_TRY(find_meets(s, step, fr_world_may_touch(s->w, group)));
    step->frame = s->frame;
    step->frame_count = s->frame_count;
    FrResult result = s->row->meet(s->state, s->state_count, step, &failed);
    if (result != FR_OK) return result;
    kick_frames(s, step);
    return note_meets(s->w, step, t);
}

FrResult fr_world_step_meeting(FrWorld *w, const FrGroup *group, double t, double dt) {
    Stage s = {.w = w};
    FrMeetStep step = {.dt = dt, .gravity = w->gravity};
    for (int32_t k = 0; k < group->count; k++)
        if (is_implicit(member(w, group, k)) && member(w, group, k)->ops->meet)
            s.row = member(w, group, k)->ops;
    FrResult result = step_stage(&s, group, &step, t);
    fr_free(w->ctx, step.meet);
    free_stage(&s);
    return result;
}
