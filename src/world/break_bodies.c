// break_bodies.c: bodies break after a step, or are cut by a caller between two: contact, drives,
// loads and events follow.

#include "world/member.h"
#include "cut/labels.h"
#include "event/log.h"

uint64_t fr_world_topology(const FrBody *body) {
    FrShapeView view;
    body->ops->view(body->state, &view);
    return view.topology;
}

static FrResult report_crack(FrWorld *w, int32_t body, double t, const FrCrack *crack) {
    FrEvent event = fr_event_new(FR_EVENT_CRACK, t, fr_world_id(w, body), (FrBodyId){0});
    event.u.crack.x = crack->x;
    event.u.crack.n = crack->n;
    event.u.crack.strength = crack->value;
    event.u.crack.limit = crack->limit;
    event.u.crack.area = crack->area;
    event.u.crack.energy = crack->energy;
    return fr_world_add_event(w, event);
}

// a piece by its number: mass, place and shape as it comes off
static FrResult report_piece(FrWorld *w, int32_t index, double t, int32_t number,
                             const FrSolidProps *props) {
    const FrBody *body = &w->body.data[index];
    int32_t count;
    const FrPiece *piece = &fr_pieces_table(body->pieces, &count)[number];
    double density = body->ops->solid->material(body->state, piece->tet)->density;
    FrEvent event = fr_event_of_piece(FR_EVENT_PIECE, t, fr_world_id(w, index), number);
    event.u.piece.parent = piece->parent;
    event.u.piece.volume = props->volume;
    event.u.piece.mass = density * props->volume;
    event.u.piece.centre = props->centre;
    event.u.piece.inertia = fr_sym3_axpy(density, props->inertia, fr_sym3_zero);
    return fr_world_add_event(w, event);
}

static FrResult report_pieces(FrWorld *w, int32_t index, double t, int32_t first, int32_t count) {
    if (!count) return FR_OK;
    const FrBody *body = &w->body.data[index];
    FrSolidProps *props = FR_NEW(w->ctx, FrSolidProps, count);
    if (!props) return fr_no_memory(w->ctx, "pieces");
    FrShapeView view;
    body->ops->view(body->state, &view);
    fr_pieces_props(body->pieces, body->cut, view.p, first, count, props);
    FrResult result = FR_OK;
    for (int32_t k = 0; result == FR_OK && k < count; k++)
        result = report_piece(w, index, t, first + k, &props[k]);
    fr_free(w->ctx, props);
    w->stats.pieces += count;
    return result;
}

// first touches of the body keep their place in it
static FrResult follow_touches(FrWorld *w, int32_t index, const FrCutLog *log) {
    const FrBody *body = &w->body.data[index];
    const double *rest = body->ops->solid->rest(body->state);
    for (int32_t k = 0; k < w->touch.count; k++) {
        FrTouch *touch = &w->touch.data[k];
        if (touch->a == index && touch->pa.tet >= 0)
            FR_TRY(fr_cutlog_retarget(w->ctx, log, rest, &touch->pa, 1));
        if (touch->b == index && touch->pb.tet >= 0)
            FR_TRY(fr_cutlog_retarget(w->ctx, log, rest, &touch->pb, 1));
    }
    return FR_OK;
}

static FrResult report_dust(FrWorld *w, int32_t body, double t, const FrDustPiece *left) {
    FrEvent event = fr_event_of_piece(FR_EVENT_DUST, t, fr_world_id(w, body), left->piece);
    event.u.dust.mass = left->dust.mass;
    event.u.dust.energy = left->dust.energy;
    event.u.dust.momentum = left->dust.momentum;
    event.u.dust.centre = left->dust.centre;
    return fr_world_add_event(w, event);
}

// what left is reported, and drawn together
static FrResult report_dusts(FrWorld *w, int32_t index, double t, const FrBreakResult *result) {
    const FrBody *body = &w->body.data[index];
    if (!result->dust_count) return FR_OK;
    fr_contact_thin(w->scene, body->item);
    for (int32_t k = 0; k < result->dust_count; k++)
        FR_TRY(report_dust(w, index, t, &result->dust[k]));
    return body->ops->breaks->shrink_dust(body->state);
}

bool fr_world_cut_made(const FrWorld *w, FrBodyId id, int32_t cut) {
    int32_t index = fr_world_find(w, id);
    if (index < 0) return false;
    const FrBody *body = &w->body.data[index];
    return cut < body->cut_made.count && body->cut_made.data[cut];
}

bool fr_world_crack_chosen(const FrWorld *w, FrBodyId id, FrCrackDef *crack) {
    int32_t index = fr_world_find(w, id);
    if (index < 0 || !breaking_of(&w->body.data[index])) return false;
    const FrBody *body = &w->body.data[index];
    body->ops->breaks->chosen(body->state, crack);
    return true;
}

double fr_world_damping_kept(const FrWorld *w, FrBodyId id) {
    int32_t index = fr_world_find(w, id);
    return index < 0 ? 0.0 : w->body.data[index].damping_kept;
}

const FrCutLog *fr_world_cuts(const FrWorld *w, int32_t index, int32_t *first_tet) {
    *first_tet = w->body.data[index].cuts_from;
    return &w->body.data[index].cuts;
}

void fr_world_cuts_reported(FrWorld *w, int32_t index) {
    FrBody *body = &w->body.data[index];
    FrShapeView view;
    body->ops->view(body->state, &view);
    fr_cutlog_clear(&body->cuts, view.node_count);
    body->cuts_from = view.tet_count;
}

static FrResult follow(FrWorld *w, int32_t index, const FrCutLog *log, double t) {
    FrBody *body = &w->body.data[index];
    FR_TRY(fr_cutlog_append(w->ctx, &body->cuts, log, t));
    FR_TRY(fr_contact_follow(w->scene, body->item, log));
    fr_world_show_arrays(w, body);
    FR_TRY(fr_world_follow_loads(w, index, log));
    return follow_touches(w, index, log);
}

FrResult fr_world_take_cut(FrWorld *w, int32_t index, double t, const FrBreakResult *result) {
    if (result->log && result->log->tet_count) FR_TRY(follow(w, index, result->log, t));
    w->stats.cracks += result->crack_count;
    for (int32_t k = 0; k < result->crack_count; k++)
        FR_TRY(report_crack(w, index, t, &result->crack[k]));
    FR_TRY(report_pieces(w, index, t, result->first_piece, result->piece_count));
    return report_dusts(w, index, t, result);
}

FrResult fr_world_break(FrWorld *w, int32_t index, double t, double dt, bool *scanned) {
    const FrBody *body = &w->body.data[index];
    if (!breaking_of(body)) return FR_OK;
    FrBreakResult result;
    FrResult broke = body->ops->breaks->scan(body->state, t, dt, &result);
    if (broke != FR_OK) return fr_fail_within(w->ctx, broke, "%s: ", body->name);
    if (result.settled) {
        fr_world_show_arrays(w, body);
        if (body->ops->pieces->step_cost(body->state).rigid_pieces)
            fr_log(w->ctx, FR_LOG_INFO,
                   "%s: its loose pieces are rigid from %.4g s on, until a blow may break them "
                   "(crack.settle)",
                   body->name, t + dt);
    }
    if (result.log) FR_TRY(fr_world_settle_whole(w, index, t + dt));
    *scanned = *scanned || result.log;
    w->stats.scan_seconds += result.scan_seconds;
    return fr_world_take_cut(w, index, t + dt, &result);
}

FrResult fr_world_set_off(FrWorld *w) {
    for (int32_t k = 0; k < w->body.count; k++) {
        const FrBody *body = &w->body.data[k];
        if (body->born != w->tick || !breaking_of(body)) continue;
        FrBreakResult result;
        FR_TRY(body->ops->breaks->set_off(body->state, &result));
        fr_world_show_arrays(w, body);
        FR_TRY(report_dusts(w, k, fr_world_time(w), &result));
    }
    return FR_OK;
}

FrResult fr_world_precut(FrWorld *w, int32_t index, const FrCrackDef *crack) {
    FrBody *body = &w->body.data[index];
    const FrBreakOps *breaks = breaking_of(body);
    if (!breaks) return FR_OK;
    int32_t parts;
    fr_pieces_table(body->pieces, &parts);
    double t = fr_world_time(w);
    FR_TRY(report_pieces(w, index, t, 1, parts - 1)); // it may come in several
    FrShapeView view;
    body->ops->view(body->state, &view);
    // the frame of the mesh in the world, from any tet
    const double *rest = body->ops->solid->rest(body->state);
    const int32_t *n = view.tet[0];
    FrVec3 x0 = fr_get3(rest, n[0]), p0 = fr_get3(view.p, n[0]);
    FrMat3 Dm = {fr_sub(fr_get3(rest, n[1]), x0), fr_sub(fr_get3(rest, n[2]), x0),
                 fr_sub(fr_get3(rest, n[3]), x0)};
    FrMat3 Ds = {fr_sub(fr_get3(view.p, n[1]), p0), fr_sub(fr_get3(view.p, n[2]), p0),
                 fr_sub(fr_get3(view.p, n[3]), p0)};
    FrMat3 R = fr_mat3_mul(Ds, fr_mat3_inverse(Dm));
    for (int32_t k = 0; k < crack->cut_count; k++) {
        const FrPreCut disc = {.centre =
                                   fr_add(p0, fr_mat3_apply(R, fr_sub(crack->cut[k].centre, x0))),
                               .normal = fr_normalize(fr_mat3_apply(R, crack->cut[k].normal)),
                               .radius = crack->cut[k].radius};
        FrBreakResult result;
        FR_TRY(breaks->precut(body->state, &disc, &result));
        if (result.log->tet_count) FR_TRY(follow(w, index, result.log, t));
        FR_TRY(fr_cutlog_append(w->ctx, &body->first_cuts, result.log, t));
        FR_TRY(report_pieces(w, index, t, result.first_piece, result.piece_count));
        uint8_t made = result.log->face_count > 0;
        if (!fr_array_push(w->ctx, &body->cut_made, made)) return fr_no_memory(w->ctx, "cuts");
    }
    return FR_OK;
}

// --- cut along a plane: by labels on either side

// Two regions whose distances are equal on the plane; nodes that are not meant are of the first
// one, and nobody's neighbours.
static void label(const double *height, const bool *meant, FrLabels *l) {
    int32_t count = l->node_count, at = 0;
    double most = 0.0;
    for (int32_t n = 0; n < count; n++) most = fr_max(most, fabs(height[n]));
    for (int32_t n = 0; n < count; n++) {
        double far = most + fabs(height[n]), near = most - fabs(height[n]);
        l->label[n] = meant[n] && height[n] > 0.0;
        l->second[n] = meant[n] ? 1 - l->label[n] : -1;
        l->key[n] = near;
        l->second_key[n] = meant[n] ? far : HUGE_VAL;
        l->near_start[n] = at;
        l->near[at++] = (FrLabelKey){l->label[n], near};
        if (meant[n]) l->near[at++] = (FrLabelKey){l->second[n], far};
    }
    l->near_start[count] = at;
}

static FrResult make_labels(FrContext *ctx, const double *height, const bool *meant, int32_t count,
                            FrLabels *l) {
    *l = (FrLabels){.node_count = count, .count = 2};
    l->label = FR_NEW(ctx, int32_t, count);
    l->key = FR_NEW(ctx, double, count);
    l->second = FR_NEW(ctx, int32_t, count);
    l->second_key = FR_NEW(ctx, double, count);
    l->near_start = FR_NEW(ctx, int32_t, count + 1);
    l->near = FR_NEW(ctx, FrLabelKey, 2 * (int64_t)count);
    if (l->label && l->key && l->second && l->second_key && l->near_start && l->near)
        return label(height, meant, l), FR_OK;
    fr_labels_free(ctx, l);
    return fr_no_memory(ctx, "a cut");
}

/// A plane through a body.
typedef struct Slash {
    FrVec3 at, n;   ///< world; unit
    int32_t tet;    ///< of the piece that is meant; -1: all of it
    double *height; ///< of each node over it, m
    bool *meant;    ///< of each node
} Slash;

static void mark_meant(const FrBody *body, const FrShapeView *view, const Slash *s) {
    const int32_t *piece = body->cut && s->tet >= 0 ? fr_pieces_of_tets(body->pieces) : NULL;
    for (int32_t e = 0; e < view->tet_count; e++) {
        if ((piece && piece[e] != piece[s->tet]) || (view->gone && view->gone[e])) continue;
        for (int i = 0; i < 4; i++) s->meant[view->tet[e][i]] = true;
    }
}

// is there something on both sides?
static bool parts(const Slash *s, int32_t count) {
    bool side[2] = {false, false};
    for (int32_t n = 0; n < count; n++)
        if (s->meant[n]) side[s->height[n] > 0.0] = true;
    return side[0] && side[1];
}

static FrResult measure(FrWorld *w, int32_t index, Slash *s, FrLabels *labels) {
    const FrBody *body = &w->body.data[index];
    FrShapeView view;
    body->ops->view(body->state, &view);
    s->height = FR_NEW(w->ctx, double, view.node_count);
    s->meant = FR_NEW(w->ctx, bool, view.node_count);
    if (!s->height || !s->meant) return fr_no_memory(w->ctx, "a cut");
    for (int32_t n = 0; n < view.node_count; n++)
        s->height[n] = fr_dot(s->n, fr_sub(fr_get3(view.p, n), s->at));
    mark_meant(body, &view, s);
    if (!parts(s, view.node_count))
        return fr_fail(w->ctx, FR_BAD_USE, "%s: the plane passes it by", body->name);
    return make_labels(w->ctx, s->height, s->meant, view.node_count, labels);
}

static FrResult cut_in_place(FrWorld *w, int32_t index, const FrLabels *labels) {
    const FrBody *body = &w->body.data[index];
    FrBreakResult result;
    double t = fr_world_time(w);
    FrResult cut = body->ops->breaks->sever(body->state, labels, t, &result);
    if (cut != FR_OK) return fr_fail_within(w->ctx, cut, "%s: ", body->name);
    return fr_world_take_cut(w, index, t, &result);
}

static FrResult cut_into_bodies(FrWorld *w, int32_t index, const Slash *s, FrLabels *labels) {
    const FrBody *body = &w->body.data[index];
    FrAxes axes = fr_world_mesh_axes(body);
    FrQuat back = fr_quat_conj(axes.q);
    FrBroken broken = {.id = fr_world_id(w, index), .t = fr_world_time(w)};
    broken.struck.breaks = true;
    broken.struck.x = fr_quat_rotate(back, fr_sub(s->at, axes.origin));
    broken.struck.tension = fr_quat_rotate(back, s->n);
    FR_TRY(body->ops->shatters->sever(body->state, labels));
    return fr_world_break_apart(w, &broken);
}

// which piece is meant
static FrResult find_piece(FrWorld *w, int32_t index, Slash *s) {
    FrAnchor anchor;
    if (!breaking_of(&w->body.data[index])) return FR_OK;
    FR_TRY(fr_world_anchor(w, index, s->at, &anchor));
    s->tet = anchor.at.tet;
    return FR_OK;
}

// it bends and may break from now on
static FrResult take_up(FrWorld *w, int32_t index, const Slash *s) {
    const FrBody *body = &w->body.data[index];
    fr_world_wake(w, index);
    if (!breaking_of(body)) return FR_OK;
    body->ops->breaks->put_off(body->state, fr_world_time(w));
    return fr_world_deform_settled(w, index, s->tet);
}

static FrResult cut(FrWorld *w, int32_t index, Slash *s, FrLabels *labels) {
    const FrBody *body = &w->body.data[index];
    bool in_place = breaking_of(body) && body->ops->breaks->sever;
    bool apart = body->ops->shatters && body->ops->shatters->may(body->state);
    if (!in_place && !apart)
        return fr_fail(w->ctx, FR_BAD_USE, "%s: it does not break (model %s), so nothing cuts it",
                       body->name, body->ops->name);
    FR_TRY(find_piece(w, index, s));
    FR_TRY(measure(w, index, s, labels));
    FR_TRY(take_up(w, index, s));
    fr_world_wake_near(w, index);
    return in_place ? cut_in_place(w, index, labels) : cut_into_bodies(w, index, s, labels);
}

FrResult fr_body_cut(FrWorld *w, FrBodyId id, FrVec3 at, FrVec3 normal) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t index;
    FrLabels labels = {0};
    FR_TRY(fr_world_need(w, id, &index));
    if (!fr_vec3_finite(at) || !fr_vec3_finite(normal) || !(fr_length(normal) > 0.0))
        return fr_fail(w->ctx, FR_BAD_USE, "%s: a cut needs a place and a normal, both finite",
                       w->body.data[index].name);
    Slash s = {.at = at, .n = fr_normalize(normal), .tet = -1};
    FrResult result = cut(w, index, &s, &labels);
    fr_labels_free(w->ctx, &labels);
    FR_FREE_ALL(w->ctx, s.height, s.meant);
    return result;
}
