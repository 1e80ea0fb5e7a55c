// break_bodies.c: bodies break after a step: contact, drives, loads and events follow.

#include "world/member.h"
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
    if (result.log && result.log->tet_count) FR_TRY(follow(w, index, result.log, t + dt));
    w->stats.cracks += result.crack_count;
    for (int32_t k = 0; k < result.crack_count; k++)
        FR_TRY(report_crack(w, index, t + dt, &result.crack[k]));
    FR_TRY(report_pieces(w, index, t + dt, result.first_piece, result.piece_count));
    return report_dusts(w, index, t + dt, &result);
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
