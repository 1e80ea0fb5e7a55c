// step.c: one macro step: groups of bodies substep through it together, watched by their energy,
// redone smaller if they blew up. What steps implicitly takes it at once, with the impulse that
// contact gave it in these substeps.

#include "world/world.h"
#include "base/clock.h"
#include "world/member.h"
#include "world/world_tuning.h"
#include <string.h>

#define GRACE 1.0 // s that a macro step has to come to its end once it is asked to stop

// does a soft body belong to the group? Else rows move it alone.
static bool bends(FrWorld *w, const FrGroup *group) {
    for (int32_t k = 0; k < group->count; k++)
        if (member(w, group, k)->frame < 0) return true;
    return false;
}

FrPenaltyOptions fr_world_penalty(const FrWorld *w) {
    FrPenaltyOptions options = fr_penalty_options_default();
    options.stiffness = w->def.contact_stiffness;
    options.damping = w->def.contact_damping;
    options.conservative = w->def.conservative_contact;
    options.stick_speed = w->def.stick_speed;
    options.rolling = w->def.rolling;
    return options;
}

// stable step of the stiffest contact that a group can have, s
static double contact_dt(FrWorld *w, const FrGroup *group) {
    FrPenaltyOptions options = fr_world_penalty(w);
    double dt = HUGE_VAL;
    for (int32_t k = 0; k < group->count; k++)
        for (int32_t j = 0; j < w->mover.count; j++)
            if (w->item_body.data[j] != FR_NO_ITEM)
                dt = fr_min(dt, fr_penalty_dt_limit(&w->mover.data[member(w, group, k)->item],
                                                    &w->mover.data[j], &options));
    return dt;
}

double fr_world_dt(FrWorld *w) {
    if (!w) return 0.0;

    double dt = w->def.step;
    if (fr_world_make_groups(w) != FR_OK) return dt;
    if (w->frames.frame.count) dt /= w->def.frame_substeps;
    for (int32_t g = 0; g < w->now.group.count; g++) {
        const FrGroup *group = &w->now.group.data[g];
        if (!bends(w, group) || fr_world_all_implicit(w, group)) continue;
        dt = fr_min(dt, w->def.step_safety * contact_dt(w, group));
        for (int32_t k = 0; k < group->count; k++) {
            FrBody *body = member(w, group, k);
            if (!is_implicit(body))
                dt = fr_min(dt, w->def.step_safety * body->ops->dt_limit(body->state));
        }
    }
    return dt;
}

// items a group can touch: its own, the kinematic ones, the planes; ascending
static void list_items(FrWorld *w, const FrGroup *group) {
    w->now.items.count = 0;
    for (int32_t k = 0; k < w->item_body.count; k++) {
        int32_t body = w->item_body.data[k];
        bool moved = body >= 0 && !w->body.data[body].kinematic;
        w->now.item_chosen.data[k] = body != FR_NO_ITEM && !moved;
    }
    for (int32_t k = 0; k < group->count; k++)
        w->now.item_chosen.data[member(w, group, k)->item] = 1;
    for (int32_t k = 0; k < w->item_body.count; k++)
        if (w->now.item_chosen.data[k]) w->now.items.data[w->now.items.count++] = k;
}

void fr_world_place_sphere(FrWorld *w, const FrBody *body) {
    if (body->mesh.tet_count) return;
    FrVec3 x, v, spin;
    FrQuat q;
    body->ops->pose(body->state, &x, &q, &v, &spin);
    fr_contact_set_sphere(w->scene, body->item, x, v);
}

// kinematic frames go where their tracks say
static FrResult move_kinematic(FrWorld *w, double t, double dt) {
    for (int32_t k = 0; k < w->body.count; k++) {
        FrBody *body = &w->body.data[k];
        if (!body->kinematic) continue;
        int32_t failed;
        FR_TRY(body->ops->step(&body->state, 1, t, dt, w->gravity, &failed));
        fr_world_place_sphere(w, body);
    }
    return FR_OK;
}

static void backup_kinematic(FrWorld *w) {
    for (int32_t k = 0; k < w->body.count; k++)
        if (w->body.data[k].kinematic) w->body.data[k].ops->backup(w->body.data[k].state);
}

static void restore_kinematic(FrWorld *w) {
    for (int32_t k = 0; k < w->body.count; k++) {
        FrBody *body = &w->body.data[k];
        if (!body->kinematic) continue;
        body->ops->restore(body->state);
        fr_world_place_sphere(w, body);
    }
}

/// A group on its way through the macro step.
typedef struct Pass {
    double left;   ///< s
    double always; ///< stable step of the stiffest contact that it can have, s
    bool ahead; ///< contacts are detected ahead, and the deforming part steps more often than they
                ///< do
    bool touches; ///< something may touch: contacts limit substeps
    bool meets;   ///< a row solves contacts of the group
    bool alone;   ///< all of them: none acts in substeps
} Pass;

// how long contacts let the next substep be, s
static double limit_of(const FrWorld *w, const Pass *pass) {
    return pass->ahead ? fr_world_loose_step(w, pass->always) : pass->always;
}

// how much time may pass until a body is scanned for failed nodes, s
static double scan_wait(const FrBody *body) {
    const FrBreakOps *breaks = breaking_of(body);
    return breaks ? breaks->scan_wait(body->state) : HUGE_VAL;
}

// how long a body and its contacts let it be, s
static double body_limit(FrWorld *w, const Pass *pass, const FrBody *body) {
    double fixed = w->def.substep, limit = limit_of(w, pass);
    if (fixed > 0.0) return fixed / body->control.first;
    if (!pass->ahead || !body->ops->solid) return fr_min(limit, body->ops->dt_limit(body->state));
    return fr_min(limit, scan_wait(body) / body->control.first);
}

// how long its contacts let a body be that has no substeps of its own, s
static double implicit_limit(const FrWorld *w, const Pass *pass) {
    if (pass->alone) return w->frames.frame.count ? w->def.step / w->def.frame_substeps : HUGE_VAL;
    if (!pass->touches) return HUGE_VAL;
    return w->def.substep > 0.0 ? w->def.substep : w->def.step_safety * pass->always;
}

/// From t to t + dt, s.
typedef struct FrStepSpan {
    double t, dt;
} FrStepSpan;

// how often a body steps in a substep
static int32_t times_of(const Pass *pass, const FrBody *body, double dt) {
    if (!pass->ahead) return 1;
    double times = ceil(dt / (body->control.first * body->ops->dt_limit(body->state)));
    return times < FR_MOST_TIMES ? fr_max_i((int32_t)times, 1) : FR_MOST_TIMES;
}

// how long the next substep of a group is, s
static double choose_dt(FrWorld *w, const FrGroup *group, const Pass *pass, double left) {
    double dt = left;
    for (int32_t k = 0; k < group->count; k++) {
        FrBody *body = member(w, group, k);
        double own = is_implicit(body)
                         ? implicit_limit(w, pass)
                         : fr_step_control_begin(&body->control, body_limit(w, pass, body), left);
        dt = fr_min(dt, own);
    }
    for (int32_t k = 0; k < group->count; k++) member(w, group, k)->control.used = dt;
    return dt;
}

// For how long forces between the bodies of a group act, in steps: as long as the bodies' own, else
// each change of the step jolts what rests (a block of rubber: 1e-3 of its energy in 30 ms). Bodies
// that came together with different steps before this one share it as it is; so do those that step
// more often.
static double acting_share(FrWorld *w, const FrGroup *group, const Pass *pass, double dt) {
    double kick = 0.0;
    for (int32_t k = 0; k < group->count; k++) {
        FrBody *body = member(w, group, k);
        if (!body->ops->solid || is_implicit(body) || (pass->ahead && fr_world_bends(body)))
            continue;
        double own = body->ops->solid->kick_time(body->state, dt);
        if (kick > 0.0 && own != kick) return 1.0;
        kick = own;
    }
    return kick > 0.0 ? kick / dt : 1.0;
}

// Bodies that step often have forces held over all of these steps: late by half of them.
static void note_lags(FrWorld *w, const FrGroup *group, const Pass *pass, double dt) {
    for (int32_t k = 0; k < group->count; k++) {
        const FrBody *body = member(w, group, k);
        int32_t times = body->ops->solid ? times_of(pass, body, dt) : 1;
        w->mover.data[body->item].lag = 0.5 * (dt - dt / times);
    }
}

static FrResult add_contacts(FrWorld *w, const FrGroup *group, const Pass *pass, double dt) {
    if (pass->alone)
        w->now.contacts.count = 0;
    else if (!w->now.detected)
        FR_TRY(fr_contact_detect(w->scene, w->now.items.data, w->now.items.count, dt,
                                 &w->now.contacts));
    if (pass->meets) fr_world_drop_met(w, &w->now.contacts);
    w->now.force.count = 0;
    if (!fr_array_extend(w->ctx, &w->now.force, w->now.contacts.count))
        return fr_no_memory(w->ctx, "contact forces");
    FrPenaltyOptions options = fr_world_penalty(w);
    options.share = acting_share(w, group, pass, dt);
    options.ease = pass->ahead ? w->now.ease.data : NULL;
    note_lags(w, group, pass, dt);
    FrMeeting meeting = {&w->now.contacts, w->mover.data, w->now.items.data, w->now.items.count};
    return fr_penalty_step(&meeting, &options, dt, w->stick, w->now.force.data);
}

static FrResult name_body(FrWorld *w, int32_t body, FrResult result) {
    return fr_fail_within(w->ctx, result, "%s: ", w->body.data[body].name);
}

// does a body step by itself: more often than its group, or piece by piece?
static bool steps_alone(const FrBody *body, int32_t times) {
    const FrPieceOps *pieces = body->ops->pieces;
    return pieces && (times > 1 || pieces->steps_alone(body->state));
}

// bodies of one row in a group at once, but those that step alone
static FrResult step_row(FrWorld *w, const FrGroup *group, const FrModelOps *row, const Pass *pass,
                         FrStepSpan span) {
    w->now.together.count = w->now.together_body.count = 0;
    for (int32_t k = 0; k < group->count; k++) {
        FrBody *body = member(w, group, k);
        int32_t index = w->now.group_body.data[group->first + k];
        if (body->ops != row) continue;
        int32_t times = times_of(pass, body, span.dt);
        if (!steps_alone(body, times)) {
            w->now.together.data[w->now.together.count++] = body->state;
            w->now.together_body.data[w->now.together_body.count++] = index;
            continue;
        }
        FrResult result = row->pieces->step_often(body->state, span.dt, times, w->gravity);
        if (result != FR_OK) return name_body(w, index, result);
    }
    int32_t failed = 0;
    if (!w->now.together.count) return FR_OK;
    FrResult result = row->step(w->now.together.data, w->now.together.count, span.t, span.dt,
                                w->gravity, &failed);
    return result == FR_OK ? FR_OK : name_body(w, w->now.together_body.data[failed], result);
}

// is this body the first of its row in the group?
static bool first_of_row(FrWorld *w, const FrGroup *group, int32_t k) {
    for (int32_t j = 0; j < k; j++)
        if (member(w, group, j)->ops == member(w, group, k)->ops) return false;
    return true;
}

// all bodies of a group that step in this way
static FrResult step_bodies(FrWorld *w, const FrGroup *group, const Pass *pass, FrStepSpan span,
                            FrStepping stepping) {
    if (!fr_array_reserve(w->ctx, &w->now.together, group->count + 1) ||
        !fr_array_reserve(w->ctx, &w->now.together_body, group->count + 1))
        return fr_no_memory(w->ctx, "a step of bodies");
    for (int32_t k = 0; k < group->count; k++) {
        const FrModelOps *row = member(w, group, k)->ops;
        if (row->stepping == stepping && first_of_row(w, group, k))
            FR_TRY(step_row(w, group, row, pass, span));
    }
    return FR_OK;
}

static FrResult move_bodies(FrWorld *w, const FrGroup *group, const Pass *pass, double t,
                            double dt) {
    for (int32_t k = 0; k < group->count; k++) {
        FrBody *body = member(w, group, k);
        if (is_implicit(body)) continue;
        body->ops->backup(body->state);
        fr_world_apply_loads(w, w->now.group_body.data[group->first + k], t, dt);
    }
    FR_TRY(step_bodies(w, group, pass, (FrStepSpan){t, dt}, FR_STEPS_EXPLICIT));
    return fr_world_frames_substep(w, t, dt, !(dt < pass->left));
}

// every body's control looks at the energy its step made from nothing                        [M3]
static FrResult judge(FrWorld *w, const FrGroup *group, bool broke, bool *accepted) {
    *accepted = !broke;
    for (int32_t k = 0; k < group->count; k++) {
        FrBody *body = member(w, group, k);
        FrStepWatch watch = {0, 0, 0, 0};
        bool good = false;
        if (is_implicit(body)) continue;
        if (!broke) watch = body->ops->watch(body->state);
        FrResult result = fr_step_control_judge(w->ctx, &body->control, &watch, broke, &good);
        if (result != FR_OK)
            return fr_fail_within(w->ctx, result, "%s at %g s: ", body->name, fr_world_time(w));
        *accepted = *accepted && good;
    }
    return FR_OK;
}

static void note_overlap(FrWorld *w) {
    for (int32_t k = 0; k < w->now.contacts.count; k++)
        w->stats.overlap = fr_max(w->stats.overlap, w->now.contacts.contact[k].depth);
}

static FrResult keep_substep(FrWorld *w, const FrGroup *group, double t, double dt) {
    fr_world_predict(w, group, dt);
    for (int32_t k = 0; k < group->count; k++) w->stats.steps += !is_implicit(member(w, group, k));
    w->stats.contacts += w->now.contacts.count;
    w->stats.dt_min = fr_min(w->stats.dt_min, dt);
    w->stats.dt_max = fr_max(w->stats.dt_max, dt);
    note_overlap(w);
    fr_world_note_pushes(w, dt);
    FR_TRY(fr_world_gather_touches(w, t, dt));
    for (int32_t k = 0; k < group->count; k++) fr_world_place_sphere(w, member(w, group, k));
    return FR_OK;
}

// what is rigid pieces only breaks no more, what rests not now
static FrResult break_bodies(FrWorld *w, const FrGroup *group, const Pass *pass, double t,
                             double dt, bool *scanned) {
    for (int32_t k = 0; k < group->count; k++)
        if (!is_implicit(member(w, group, k)) &&
            (!pass->ahead || fr_world_bends(member(w, group, k))))
            FR_TRY(fr_world_break(w, w->now.group_body.data[group->first + k], t, dt, scanned));
    return FR_OK;
}

static bool was_cut(const FrBody *body) {
    const FrSolidOps *solid = body->ops->solid;
    return solid && !is_implicit(body) && solid->was_cut(body->state);
}

// what was cut goes on with the step that the cut leaves it, and meets others as it is now
static FrResult follow_cuts(FrWorld *w, const FrGroup *group, const Pass *pass, double dt) {
    bool cut = false;
    for (int32_t k = 0; k < group->count; k++) cut = cut || was_cut(member(w, group, k));
    if (!cut) return FR_OK;
    if (pass->ahead) FR_TRY(fr_world_detect_ahead(w, group, dt));
    double next = choose_dt(w, group, pass, dt < pass->left ? pass->left - dt : w->def.step);
    for (int32_t k = 0; k < group->count; k++) {
        const FrBody *body = member(w, group, k);
        if (was_cut(body)) body->ops->solid->retime(body->state, next / times_of(pass, body, next));
    }
    return FR_OK;
}

// where the time of a substep went
typedef struct Clocks {
    double begun, touched,
        moved;      ///< s of processor time: contact came first, then motion, then breaking
    int64_t cracks; ///< when it began
    bool scanned;   ///< for cracks: else no time went there
} Clocks;

static void note_clocks(FrWorld *w, const Clocks *clocks) {
    double now = clocks->scanned ? fr_processor_seconds() : clocks->moved;
    w->stats.contact_seconds += clocks->touched - clocks->begun;
    w->stats.force_seconds += clocks->moved - clocks->touched;
    w->stats.fracture_seconds += now - clocks->moved;
    if (w->stats.cracks != clocks->cracks) return;
    w->stats.quiet_seconds += now - clocks->begun;
    w->stats.quiet_fracture_seconds += now - clocks->moved;
}

// contacts that a group came to, when it need not go back
static void take_ahead(FrWorld *w) {
    FrContactList before = w->now.contacts;
    FrEase *ease = w->now.ease.data;
    int32_t room = w->now.ease.capacity;
    w->now.contacts = w->now.ahead;
    w->now.ahead = before;
    w->now.ease.data = w->now.ahead_ease.data, w->now.ease.capacity = w->now.ahead_ease.capacity;
    w->now.ahead_ease.data = ease, w->now.ahead_ease.capacity = room;
    w->now.detected = true;
}

// rigid pieces: were the steps short enough for what they met?
static FrResult judge_contacts(FrWorld *w, const FrGroup *group, double dt, double always,
                               bool *accepted) {
    FR_TRY(fr_world_detect_ahead(w, group, dt));
    *accepted = !fr_world_too_long(w, dt, always);
    for (int32_t k = 0; !*accepted && k < group->count; k++)
        fr_step_control_shorten(&member(w, group, k)->control);
    return FR_OK;
}

// what its contacts struck bends; a group of which something bends again steps as such do
static FrResult wake_rested(FrWorld *w, const FrGroup *group, Pass *pass, double t) {
    bool woke;
    FR_TRY(fr_world_wake_struck(w, t, &woke));
    if (!woke || !pass->ahead) return FR_OK;
    pass->ahead = w->now.detected = false;
    fr_world_end_loose(w, group);
    fr_world_wake_pieces(w, group);
    return FR_OK;
}

static FrResult try_substep(FrWorld *w, const FrGroup *group, Pass *pass, double t, double dt,
                            bool *accepted) {
    Clocks clocks = {.begun = fr_processor_seconds(), .cracks = w->stats.cracks};
    FR_TRY(add_contacts(w, group, pass, dt));
    clocks.touched = fr_processor_seconds();
    FrResult result = move_bodies(w, group, pass, t, dt);
    if (result != FR_OK && result != FR_NUMERICAL) return result;
    FR_TRY(judge(w, group, result == FR_NUMERICAL, accepted));
    if (*accepted && pass->ahead) FR_TRY(judge_contacts(w, group, dt, pass->always, accepted));
    if (*accepted) FR_TRY(keep_substep(w, group, t, dt));
    if (*accepted) FR_TRY(wake_rested(w, group, pass, t + dt));
    clocks.moved = fr_processor_seconds();
    if (*accepted) FR_TRY(break_bodies(w, group, pass, t, dt, &clocks.scanned));
    if (*accepted) FR_TRY(follow_cuts(w, group, pass, dt));
    note_clocks(w, &clocks);
    if (*accepted && pass->ahead) take_ahead(w);
    if (*accepted) return move_kinematic(w, t, dt);
    for (int32_t k = 0; k < group->count; k++)
        if (!is_implicit(member(w, group, k)))
            member(w, group, k)->ops->restore(member(w, group, k)->state);
    fr_world_predict(w, group, 0.0);
    fr_world_frames_undo(w);
    for (int32_t k = 0; pass->ahead && k < group->count; k++)
        fr_world_place_sphere(w, member(w, group, k));
    fr_stick_undo(w->stick);
    w->stats.rejected++;
    return FR_OK;
}

// which rigid frames step with this group
static FrResult choose_frames(FrWorld *w, const FrGroup *group) {
    w->now.chosen.count = 0;
    if (!fr_array_extend(w->ctx, &w->now.chosen, w->frames.frame.count))
        return fr_no_memory(w->ctx, "a group of bodies");
    for (int32_t k = 0; k < group->count; k++) {
        int32_t frame = member(w, group, k)->frame;
        if (frame >= 0) w->now.chosen.data[frame] = 1;
    }
    return fr_world_frames_group(w, w->now.chosen.data);
}

// Asked to stop, a macro step may still come to its end, so that nothing of it is lost; but not for
// long. The clock decides whether there is a result, never which.
static FrResult ask_on(FrWorld *w, double t) {
    if (!fr_context_cancelled(w->ctx)) return FR_OK;
    double now = fr_wall_seconds();
    if (!(w->now.asked_to_stop > 0.0)) w->now.asked_to_stop = now;
    if (now - w->now.asked_to_stop < GRACE) return FR_OK;
    return fr_fail(w->ctx, FR_INTERRUPTED, "stopped at %.6g s, inside a macro step", t);
}

// bodies that step implicitly, through the whole macro step, which is never taken back
static FrResult step_implicit(FrWorld *w, const FrGroup *group, const Pass *pass) {
    FrStepSpan span = {fr_world_time(w), w->def.step};
    FR_TRY(pass->meets ? fr_world_step_meeting(w, group, span.t, span.dt)
                       : step_bodies(w, group, pass, span, FR_STEPS_IMPLICIT));
    for (int32_t k = 0; k < group->count; k++) {
        bool scanned = false;
        if (!is_implicit(member(w, group, k))) continue;
        w->stats.steps++;
        w->now.detected = false;
        fr_world_place_sphere(w, member(w, group, k));
        FR_TRY(
            fr_world_break(w, w->now.group_body.data[group->first + k], span.t, span.dt, &scanned));
    }
    return FR_OK;
}

// before they are shown anywhere else: drives and grabs go by where they are
static void load_implicit(FrWorld *w, const FrGroup *group) {
    for (int32_t k = 0; k < group->count; k++)
        if (is_implicit(member(w, group, k)))
            fr_world_apply_loads(w, w->now.group_body.data[group->first + k], fr_world_time(w),
                                 w->def.step);
}

// all substeps of a group
static FrResult pass_through(FrWorld *w, const FrGroup *group, Pass *pass) {
    double start = fr_world_time(w);
    while (pass->left > 0.0) {
        bool accepted;
        double t = start + (w->def.step - pass->left);
        FR_TRY(ask_on(w, t));
        double dt = choose_dt(w, group, pass, pass->left);
        FR_TRY(try_substep(w, group, pass, t, dt, &accepted));
        if (!accepted) continue;
        pass->left = dt < pass->left ? pass->left - dt : 0.0;
        t = start + (w->def.step - pass->left);
        if (!(pass->left > 0.0)) FR_TRY(step_implicit(w, group, pass));
        FR_TRY(fr_world_samples_pass(w, group, t, !(pass->left > 0.0)));
    }
    return FR_OK;
}

static FrResult begin_ahead(FrWorld *w, const FrGroup *group) {
    FR_TRY(fr_world_begin_loose(w, group));
    FR_TRY(fr_world_detect_ahead(w, group, w->def.step));
    take_ahead(w);
    return FR_OK;
}

// one group through the macro step; kinematic frames are put back for the next group
static FrResult step_group(FrWorld *w, const FrGroup *group) {
    Pass pass = {.left = w->def.step, .always = contact_dt(w, group), .touches = true};
    pass.meets = fr_world_meets(w, group);
    pass.alone = pass.meets && fr_world_all_implicit(w, group);
    if (fr_world_all_implicit(w, group)) pass.touches = fr_world_may_touch(w, group);
    pass.ahead = fr_world_detects_ahead(w, group);
    list_items(w, group);
    w->now.detected = false;
    FR_TRY(choose_frames(w, group));
    fr_world_note_slow(w, group);
    backup_kinematic(w);
    fr_world_samples_group(w);
    if (!pass.ahead) fr_world_wake_pieces(w, group);
    FrResult result = pass.ahead ? begin_ahead(w, group) : FR_OK;
    load_implicit(w, group);
    if (result == FR_OK) result = pass_through(w, group, &pass);
    fr_world_end_loose(w, group);
    restore_kinematic(w);
    FR_TRY(result);
    if (pass.ahead) FR_TRY(fr_world_note_still(w, group));
    fr_world_note_rest(w, group);
    return FR_OK;
}

// what sleeps stays where it is
static FrResult pass_asleep(FrWorld *w, const FrGroup *group) {
    fr_world_samples_group(w);
    return fr_world_samples_pass(w, group, fr_world_time(w) + w->def.step, true);
}

// rigid frames that no soft body can reach
static FrResult step_rigid(FrWorld *w) {
    w->now.chosen.count = 0;
    if (!fr_array_extend(w->ctx, &w->now.chosen, w->frames.frame.count))
        return fr_no_memory(w->ctx, "rigid bodies");
    for (int32_t g = 0; g < w->now.group.count; g++) {
        const FrGroup *group = &w->now.group.data[g];
        for (int32_t k = 0; !bends(w, group) && k < group->count; k++)
            w->now.chosen.data[member(w, group, k)->frame] = 1;
    }
    backup_kinematic(w);
    FR_TRY(fr_world_frames_step(w, w->now.group.count ? w->now.chosen.data : NULL));
    restore_kinematic(w);
    FR_TRY(fr_world_frames_list(w));
    FR_TRY(fr_world_blows(w));
    return fr_world_frames_tell(w);
}

static void note_guarded(FrWorld *w) {
    int32_t guarded = 0;
    for (int32_t k = 0; k < w->body.count; k++) {
        const FrBody *body = &w->body.data[k];
        if (body->ops->solid) guarded += body->ops->solid->guarded(body->state);
    }
    w->stats.guarded_tets = fr_max_i(w->stats.guarded_tets, guarded);
}

void fr_world_set_free(FrWorld *w, FrBody *body, bool fresh) {
    body->kinematic = w->frames.frame.data[body->frame].kinematic = false;
    body->ops->frame->set_free(body->state, fresh);
}

void fr_world_free_kinematic(FrWorld *w) {
    double now = fr_world_time(w) + 1e-9 * w->def.step;
    for (int32_t k = 0; k < w->body.count; k++) {
        FrBody *body = &w->body.data[k];
        if (body->kinematic && !(now < body->until)) fr_world_set_free(w, body, true);
    }
}

// those of the step before go; what was reported since then stays until the end of this one
static void begin_events(FrWorld *w) {
    int32_t left = w->event.count - w->event_done;
    if (left) memmove(w->event.data, w->event.data + w->event_done, (size_t)left * sizeof(FrEvent));
    w->event_base += w->event_done;
    w->event.count = left;
    w->event_done = 0;
}

// bodies that make their first step: from now on callers name the nodes that there are
static void drop_first_cuts(FrWorld *w) {
    for (int32_t k = 0; k < w->body.count; k++)
        if (fr_world_is_new(w, &w->body.data[k]))
            fr_cutlog_free(w->ctx, &w->body.data[k].first_cuts);
}

// spin acts on modes in two halves, around all else                                   [M33]
static void turn_modes(FrWorld *w, bool after) {
    for (int32_t k = 0; k < w->frames.frame.count; k++) {
        const FrFrame *frame = &w->frames.frame.data[k];
        if (frame->ops->turning && !frame->asleep)
            frame->ops->turning(frame->part.state, 0.5 * w->def.step, after);
    }
}

FrResult fr_world_step(FrWorld *w) {
    FR_NEED_ALL(fr_world_context(w), w);
    FR_NEED(w->ctx, !w->spoiled, "destroy a world that could not be loaded");

    double t = fr_world_time(w);
    w->stats.overlap = 0.0;
    w->now.asked_to_stop = 0.0;
    begin_events(w);
    fr_world_number_planes(w);
    FR_TRY(fr_world_set_off(w));
    drop_first_cuts(w);
    FR_TRY(fr_world_release_drives(w, t));
    fr_world_free_kinematic(w);
    FR_TRY(fr_world_begin_external(w));
    turn_modes(w, false);
    FR_TRY(fr_world_frames_begin(w));
    FR_TRY(fr_world_make_groups(w));
    FR_TRY(fr_world_samples_begin(w));
    for (int32_t k = 0; k < w->now.group.count; k++) {
        const FrGroup *group = &w->now.group.data[k];
        if (!bends(w, group)) continue;
        if (fr_world_sleeps(w, group))
            FR_TRY(pass_asleep(w, group));
        else
            FR_TRY(fr_world_flies(w, group) ? fr_world_fly(w, group) : step_group(w, group));
    }
    FR_TRY(step_rigid(w));
    turn_modes(w, true);
    FR_TRY(move_kinematic(w, t, w->def.step));
    w->tick++;
    w->external.push.count = 0;
    fr_world_end_pulls(w);
    fr_world_samples_end(w);
    note_guarded(w);
    fr_world_note_momentum(w);
    FR_TRY(fr_world_report_touches(w, fr_world_time(w)));
    FR_TRY(fr_world_bears(w));
    FR_TRY(fr_world_fall_apart(w));
    w->event_done = w->event.count;
    return FR_OK;
}
