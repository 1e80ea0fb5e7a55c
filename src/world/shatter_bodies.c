// shatter_bodies.c: blows on rigid frames that may shatter: the bounce that their vibration leaves
// (M35), and what becomes of those that break: bodies in their place, driven apart by what was
// stored (M21).

#include "event/log.h"
#include "world/cuts.h"
#include "world/world.h"
#include "world/world_tuning.h"

static const FrShatterOps *shattering(const FrBody *body) {
    const FrShatterOps *ops = body ? body->ops->shatters : NULL;
    return ops && ops->may(body->state) ? ops : NULL;
}

FrShatter *fr_world_shatter(const FrWorld *w, int32_t k) {
    FrBody *body = &w->body.data[k];
    const FrShatterOps *ops = shattering(body);
    return ops ? ops->modes(body->state) : NULL;
}

static FrBody *body_of(const FrWorld *w, int32_t frame) {
    return frame < 0 ? NULL : &w->body.data[w->frames.frame.data[frame].body];
}

// the side of a frame: normal and points in the axes of its mesh
static void fill_side(const FrWorld *w, const FrFrameImpact *impact, bool second,
                      FrStrikeSide *side) {
    int32_t frame = second ? impact->b : impact->a;
    FrBody *body = body_of(w, frame);
    const FrShatterOps *ops = shattering(body);
    *side = (FrStrikeSide){0};
    if (!body) return;
    const FrFrameParts *part = &w->frames.frame.data[frame].part;
    FrVec3 n = fr_scale(second ? -1.0 : 1.0, fr_normalize(impact->n));
    side->n = fr_quat_rotate(fr_quat_conj(part->rigid->q), n);
    side->shatter = ops ? ops->modes(body->state) : NULL;
    for (int32_t k = 0; k < impact->point_count; k++)
        side->point[k] = fr_add(second ? impact->point[k].lb : impact->point[k].la, part->offset);
}

static double yielding_of(const FrFrames *f, int32_t k) {
    return k < 0 ? f->plane.data[-1 - k].yielding : f->frame.data[k].yielding;
}

static double curvature_of(const FrFrames *f, int32_t k) {
    return k < 0 ? 0.0 : f->frame.data[k].curvature;
}

// rows gave weight = (1 + e) v / b0
static void fill_strike(const FrWorld *w, const FrFrameImpact *impact, FrStrike *strike) {
    double pushed = 0.0;
    *strike = (FrStrike){.point_count = impact->point_count,
                         .speed = impact->v_n,
                         .restitution = impact->restitution,
                         .step = w->def.step};
    strike->mobility = (1.0 + impact->restitution) * impact->v_n / impact->weight;
    strike->yielding = yielding_of(&w->frames, impact->a) + yielding_of(&w->frames, impact->b);
    strike->curvature = curvature_of(&w->frames, impact->a) + curvature_of(&w->frames, impact->b);
    for (int32_t k = 0; k < impact->point_count; k++) pushed += impact->point[k].push;
    for (int32_t k = 0; k < impact->point_count; k++)
        strike->share[k] = impact->point[k].push / pushed;
}

static bool is_broken(const FrWorld *w, FrBodyId id) {
    for (int32_t k = 0; k < w->now.broken.count; k++)
        if (w->now.broken.data[k].id.index1 == id.index1) return true;
    return false;
}

bool fr_world_may_shatter(const FrWorld *w, const FrBody *body) {
    return shattering(body) && !is_broken(w, (FrBodyId){body->number + 1});
}

uint64_t fr_world_break_seed(const FrWorld *w, const FrBody *body) {
    uint64_t of[3] = {(uint64_t)body->number, (uint64_t)w->tick, w->def.seed};
    return fr_hash_of(of, sizeof of, 0);
}

// one side of the blow
static FrResult judge_side(FrWorld *w, const FrFrameImpact *impact, bool second, FrBroken *broken) {
    FrBody *body = body_of(w, second ? impact->b : impact->a);
    const FrShatterOps *ops = shattering(body);
    broken->struck = (FrStruck){0};
    // what breaks already does so along the cracks of that blow
    if (!body || !fr_world_may_shatter(w, body)) return FR_OK;
    FrStrike now, *strike = &now;
    fill_strike(w, impact, strike);
    fill_side(w, impact, second, &strike->self);
    fill_side(w, impact, !second, &strike->other);
    strike->seed = fr_world_break_seed(w, body);
    broken->id = (FrBodyId){body->number + 1};
    broken->t = impact->t;
    FrResult result = ops->struck(body->state, strike, &broken->struck);
    if (broken->struck.followed) body->struck = w->tick;
    return result == FR_OK ? FR_OK : fr_fail_within(w->ctx, result, "%s: ", body->name);
}

static bool moves(const FrWorld *w, int32_t k) {
    return k >= 0 && !w->frames.frame.data[k].kinematic;
}

// One more impulse on a frame, booked as contact's; what nothing moves gives it from outside.
static void push_frame(FrWorld *w, int32_t k, FrVec3 x, FrVec3 impulse, bool other_moves) {
    if (!moves(w, k)) return;
    FrFrame *frame = &w->frames.frame.data[k];
    double before = fr_rigid_kinetic(frame->part.rigid);
    fr_rigid_impulse(frame->part.rigid, x, impulse);
    *frame->part.contact_work += fr_rigid_kinetic(frame->part.rigid) - before;
    if (!other_moves) *frame->part.outer_impulse = fr_add(*frame->part.outer_impulse, impulse);
    frame->ops->place(frame->part.state);
}

// kinetic energy that an impulse on a frame would bring, J
static double gain_of(const FrWorld *w, int32_t k, FrVec3 x, FrVec3 impulse) {
    if (!moves(w, k)) return 0.0;
    FrRigid now = *w->frames.frame.data[k].part.rigid;
    double before = fr_rigid_kinetic(&now);
    fr_rigid_impulse(&now, x, impulse);
    return fr_rigid_kinetic(&now) - before;
}

// What the normal impulse takes out of the motion, and friction none of it, J: v P - 1/2 b0 P^2, as
// rows gave weight = (1 + e) v / b0.
static double taken_by(const FrFrameImpact *impact, double impulse) {
    double mobility = (1.0 + impact->restitution) * impact->v_n / impact->weight;
    return impact->v_n * impulse - 0.5 * mobility * impulse * impulse;
}

// The blow pushed as much as it was followed to push, not what restitution alone would say: that
// part of the impulse of rows, friction with it. Where bodies pass blows on among each other, rows
// solved them together, and less of one alone could bring more energy than came in: then it stays.
// Returns what the blow took, J.
static double set_impulse(FrWorld *w, FrFrameImpact *impact, const FrStruck *struck) {
    FrVec3 x = fr_scale(1.0 / impact->weight, impact->x);
    double share = fr_min(struck->impulse / impact->weight, 1.0);
    FrVec3 less = fr_scale(share - 1.0, impact->impulse);
    double gain = gain_of(w, impact->a, x, less) + gain_of(w, impact->b, x, fr_neg(less));
    double taken = taken_by(impact, impact->weight);
    double slid = 0.5 * impact->v_t * impact->v_t * impact->weight / impact->v_n; // at most
    impact->duration = struck->duration;
    if (gain > taken + slid) return taken;
    push_frame(w, impact->a, x, less, moves(w, impact->b));
    push_frame(w, impact->b, x, fr_neg(less), moves(w, impact->a));
    impact->impulse = fr_add(impact->impulse, less);
    return taken_by(impact, share * impact->weight);
}

FrResult fr_world_note_broken(FrWorld *w, const FrBroken *broken) {
    if (is_broken(w, broken->id)) return FR_OK;
    return fr_array_push(w->ctx, &w->now.broken, *broken) ? FR_OK
                                                          : fr_no_memory(w->ctx, "broken bodies");
}

// the side that breaks first ends the blow
static FrResult judge_blow(FrWorld *w, FrFrameImpact *impact) {
    FrBroken side[2];
    const FrStruck *ends = NULL;
    if (!(impact->v_n > 0.0 && impact->weight > 0.0) || !impact->point_count) return FR_OK;
    for (int i = 0; i < 2; i++) {
        FR_TRY(judge_side(w, impact, i == 1, &side[i]));
        const FrStruck *s = &side[i].struck;
        if (!s->followed) continue;
        bool sooner = !ends || (s->breaks && !ends->breaks) ||
                      (s->breaks == ends->breaks && s->impulse < ends->impulse);
        if (sooner) ends = s;
    }
    if (!ends) return FR_OK;
    double taken = set_impulse(w, impact, ends);
    for (int i = 0; i < 2; i++) {
        // breaking takes from what the blow took, and from nothing else; who breaks first comes
        // first
        FrBroken *now = &side[ends == &side[1].struck ? 1 - i : i];
        now->slowly = now->struck.made;
        if (!now->struck.breaks) continue;
        if (!now->struck.made && now->struck.elastic > taken) continue;
        if (!now->struck.made) taken -= now->struck.elastic;
        FR_TRY(fr_world_note_broken(w, now));
    }
    return FR_OK;
}

FrResult fr_world_blows(FrWorld *w) {
    w->now.broken.count = 0;
    for (int32_t k = 0; k < w->frames.impact.count; k++)
        FR_TRY(judge_blow(w, &w->frames.impact.data[k]));
    return FR_OK;
}

// stress models of those struck longest ago go, if all together are too large
static void bound_memory(FrWorld *w) {
    for (;;) {
        size_t bytes = 0;
        FrBody *oldest = NULL;
        for (int32_t k = 0; k < w->body.count; k++) {
            FrBody *body = &w->body.data[k];
            const FrShatterOps *ops = shattering(body);
            size_t own = ops ? ops->bytes(body->state) : 0;
            bytes += own;
            if (own && (!oldest || body->struck < oldest->struck)) oldest = body;
        }
        if (bytes <= FR_STRESS_BYTES || !oldest) return;
        oldest->ops->shatters->drop(oldest->state);
    }
}

static FrResult report_break(FrWorld *w, const FrBroken *broken, const FrAxes *axes,
                             const FrFallen *fallen) {
    FrEvent e = fr_event_new(FR_EVENT_CRACK, broken->t, broken->id, (FrBodyId){0});
    e.u.crack.x = fr_axes_place(axes, broken->struck.x);
    e.u.crack.n = fr_quat_rotate(axes->q, broken->struck.tension);
    e.u.crack.strength = broken->struck.stress;
    e.u.crack.limit = broken->struck.limit;
    e.u.crack.area = fallen->area;
    e.u.crack.energy = fallen->spent;
    w->stats.cracks++;
    return fr_world_add_event(w, e);
}

// what it had stored came from outside; what of it neither cracks nor pieces take is gone
static void book_bending(FrWorld *w, double elastic) {
    w->passed.external += elastic;
    w->passed.contact += elastic;
}

// It is taken out of the world with what it has: not a body, but told.
static FrResult leave_as_dust(FrWorld *w, FrBodyId id, double *left) {
    const FrBody *body = &w->body.data[fr_world_find(w, id)];
    const FrRigid *r = w->frames.frame.data[body->frame].part.rigid;
    FrEvent e = fr_event_of_piece(FR_EVENT_DUST, fr_world_time(w), id, 0);
    e.u.dust.mass = r->mass;
    e.u.dust.energy = fr_rigid_kinetic(r);
    e.u.dust.momentum = fr_scale(r->mass, r->v);
    e.u.dust.centre = r->x;
    FR_TRY(fr_world_add_event(w, e));
    w->stats.dust_pieces++;
    w->stats.dust_mass += e.u.dust.mass;
    w->stats.dust_energy += e.u.dust.energy;
    *left += e.u.dust.mass;
    w->passed.dust += e.u.dust.energy;
    w->passed.external += e.u.dust.energy; // what leaves takes it from there
    return fr_body_destroy(w, id);
}

// pieces that are too small to be bodies leave, once they were driven apart
static FrResult leave_small(FrWorld *w, const FrFallen *fallen, const FrBodyId *id) {
    double left = 0.0, mass = 0.0;
    for (int32_t k = 0; k < fallen->count; k++) {
        const FrBody *body = &w->body.data[fr_world_find(w, id[k])];
        mass += w->frames.frame.data[body->frame].part.rigid->mass;
    }
    for (int32_t k = 0; k < fallen->count; k++)
        if (fallen->dust[k]) FR_TRY(leave_as_dust(w, id[k], &left));
    w->stats.dust_share = fr_max(w->stats.dust_share, left / mass);
    return FR_OK;
}

static FrResult replace(FrWorld *w, const FrBroken *broken, const FrFallen *fallen) {
    int32_t index = fr_world_find(w, broken->id);
    FrAxes axes = fr_world_mesh_axes(&w->body.data[index]);
    FrBodyId *id = FR_NEW(w->ctx, FrBodyId, fallen->count);
    FrKeptHolds kept = {0};
    FrResult result = id ? FR_OK : fr_no_memory(w->ctx, "pieces");
    if (result == FR_OK) result = fr_world_keep_holds(w, index, &kept);
    for (int32_t k = 0; k < fallen->count; k++) {
        int32_t *kin = &fallen->child[k].crack.shatter.kin;
        if (!*kin) *kin = broken->id.index1;
    }
    if (result == FR_OK) result = report_break(w, broken, &axes, fallen);
    if (broken->slowly) book_bending(w, broken->struck.elastic);
    if (result == FR_OK) result = fr_body_exchange(w, broken->id, fallen->child, fallen->count, id);
    if (result == FR_OK) result = fr_world_pass_holds(w, &kept, fallen, id);
    if (result == FR_OK) result = fr_world_drive_apart(w, fallen, id, &axes);
    if (result == FR_OK) result = leave_small(w, fallen, id);
    if (result == FR_OK) w->stats.pieces += fallen->count - fallen->dust_count;
    fr_world_free_holds(w, &kept);
    fr_free(w->ctx, id);
    return result;
}

FrResult fr_world_break_apart(FrWorld *w, FrBroken *broken) {
    int32_t index = fr_world_find(w, broken->id);
    if (index < 0) return FR_OK;
    FrBody *body = &w->body.data[index];
    FrFallen fallen;
    broken->struck.t = fr_world_time(w);
    FrResult result = body->ops->shatters->fall_apart(body->state, &broken->struck, &fallen);
    if (result != FR_OK) return fr_fail_within(w->ctx, result, "%s: ", body->name);
    if (fallen.count > 1) result = replace(w, broken, &fallen);
    fr_fallen_free(&fallen);
    return result;
}

FrResult fr_world_fall_apart(FrWorld *w) {
    for (int32_t k = 0; k < w->now.broken.count; k++)
        FR_TRY(fr_world_break_apart(w, &w->now.broken.data[k]));
    if (w->now.broken.count) bound_memory(w);
    w->now.broken.count = 0;
    return FR_OK;
}
