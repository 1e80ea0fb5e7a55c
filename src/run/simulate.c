// simulate.c: the loop over macro steps: step, record, checkpoint, tell how far.

#include "run/simulate.h"
#include "base/clock.h"
#include "event/log.h"
#include "math/vec.h"
#include "world/cuts.h"
#include "world/fields.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define POSE_HZ 240.0
/// Twice the rate of sound files: what is above hearing is filtered off, not folded back.
#define MICROPHONE_HZ 96000.0

/// Substeps in a macro step, and parts of one that could have more.
#define MOST_SUBSTEPS 256.0
#define MOST_PARTS 1e5

double fr_step_rate(const FrScene *scene, bool microphone) {
    if (microphone) return MICROPHONE_HZ;
    double rate = POSE_HZ;
    for (int32_t k = 0; k < scene->bodies_count; k++)
        rate = fr_max(rate, fr_body_traits(&scene->bodies[k]).step_rate);
    return rate;
}

FrTiming fr_timing(double duration, double fps, double rate) {
    int32_t poses = (int32_t)fr_max(1.0, ceil(POSE_HZ / fps));
    int32_t each = rate > POSE_HZ ? (int32_t)fr_max(1.0, ceil(rate / (fps * poses))) : 1;
    int32_t ticks = poses * each;
    double step = 1.0 / (fps * ticks);
    return (FrTiming){duration, fps, ticks, step, (int64_t)ceil(duration / step - 1e-6), each};
}

FrTiming fr_timing_for(FrTiming timing, double substep) {
    double parts = ceil(timing.step / (MOST_SUBSTEPS * substep));
    if (!(parts > 1.0)) return timing;
    int32_t n = (int32_t)fr_min(parts, MOST_PARTS);
    timing.ticks_per_frame *= n;
    timing.ticks_per_pose *= n;
    timing.step = 1.0 / (timing.fps * timing.ticks_per_frame);
    timing.tick_count = (int64_t)ceil(timing.duration / timing.step - 1e-6);
    return timing;
}

static FrResult record_frame(FrSimulation *sim, const FrFrameView *view) {
    FrEnergy e;
    fr_world_energy(sim->built->world, &e);
    FrEnergyRow row = {view->tick, e.kinetic,  e.elastic,  e.plastic, e.damping,
                       e.contact,  e.fracture, e.external, e.dust};
    FR_TRY(fr_recorder_frame(sim->recorder, view));
    return fr_recorder_energy(sim->recorder, &row);
}

// what broke in this tick
static FrResult record_cuts(FrSimulation *sim, const FrFrameView *view) {
    FrWorld *world = sim->built->world;
    for (int32_t k = 0; k < view->body_count; k++) {
        int32_t first_tet;
        if (view->body[k].kind == FR_BODY_PLANE) continue;
        const FrCutLog *log = fr_world_cuts(world, k, &first_tet);
        if (!log->tet_count) continue;
        int32_t number = view->body[k].id.index1 - 1;
        FR_TRY(fr_recorder_topology(sim->recorder, number, view->tick, log, first_tet));
        fr_world_cuts_reported(world, k);
    }
    return FR_OK;
}

// one that lived for no step, between two that did: recordings number all bodies
static FrResult record_unseen(FrSimulation *sim, int32_t number, int64_t tick) {
    FrBodyView view = {.id = {number + 1}, .kind = FR_BODY_SPHERE, .name = "", .model = ""};
    FrRecordBody body = {.id = number, .parent = -1, .born = tick, .view = view};
    FR_TRY(fr_recorder_add_body(sim->recorder, &body));
    return fr_recorder_end_body(sim->recorder, number, tick);
}

// bodies that are new to the recording
static FrResult record_births(FrSimulation *sim, const FrFrameView *view, int64_t tick) {
    int32_t known = fr_recorder_body_count(sim->recorder);
    for (int32_t k = 0; k < view->body_count; k++) {
        FrRecordBody body = {.id = view->body[k].id.index1 - 1,
                             .parent = view->body[k].parent.index1 - 1,
                             .born = tick,
                             .view = view->body[k]};
        if (body.id < known) continue;
        for (; known < body.id; known++) FR_TRY(record_unseen(sim, known, tick));
        known = body.id + 1;
        if (body.view.kind == FR_BODY_TETS) body.view = fr_world_first_view(sim->built->world, k);
        FR_TRY(fr_recorder_add_body(sim->recorder, &body));
    }
    return FR_OK;
}

// the last that were born, if they left at once (dust)
static FrResult record_gone(FrSimulation *sim, const FrEvent *event, int64_t count, int64_t tick) {
    for (int64_t k = 0; k < count; k++)
        while (event[k].kind == FR_EVENT_DEATH &&
               fr_recorder_body_count(sim->recorder) <= fr_event_body(&event[k]))
            FR_TRY(record_unseen(sim, fr_recorder_body_count(sim->recorder), tick));
    int32_t all = fr_recorder_body_count(sim->recorder);
    return fr_roster_reserve(sim->ctx, &sim->roster, all) ? FR_OK
                                                          : fr_no_memory(sim->ctx, "a frame");
}

// events of the step, and who left in it
static FrResult record_events(FrSimulation *sim, const FrEvent *event, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        const FrEvent *e = &event[k];
        FR_TRY(fr_recorder_event(sim->recorder, e));
        if (e->kind == FR_EVENT_DEATH)
            FR_TRY(fr_recorder_end_body(sim->recorder, fr_event_body(e),
                                        fr_world_tick(sim->built->world)));
    }
    return FR_OK;
}

// those that were not recorded yet
static const FrEvent *new_events(FrSimulation *sim, int64_t *count) {
    const FrEvent *event = fr_world_events(sim->built->world, count);
    while (*count > 0 && event->seq < sim->next_event) event++, --*count;
    if (*count > 0) sim->next_event = event[*count - 1].seq + 1;
    return event;
}

FrResult fr_simulate_record(FrSimulation *sim) {
    FrWorld *world = sim->built->world;
    int64_t count;
    const FrEvent *event = new_events(sim, &count);
    const FrFrameView *living = fr_world_view(world);
    if (!living) return fr_no_memory(sim->ctx, "a frame");
    int64_t before = living->tick ? living->tick - 1 : 0;
    FR_TRY(record_births(sim, living, before));
    FR_TRY(record_gone(sim, event, count, before));
    const FrFrameView *view = fr_roster_view(sim->ctx, &sim->roster, living);
    if (!view) return fr_no_memory(sim->ctx, "a frame");
    FR_TRY(fr_under_note(sim->ctx, view, &sim->under));
    FR_TRY(record_cuts(sim, living));
    int64_t pose = view->tick / sim->timing.ticks_per_pose;
    if (view->tick % sim->timing.ticks_per_pose == 0)
        FR_TRY(fr_recorder_poses(sim->recorder, pose, view));
    if (sim->microphone) FR_TRY(fr_microphone_hear(sim->microphone, view));
    FR_TRY(record_events(sim, event, count));
    FrBurstInto into = {world, &sim->roster, sim->recorder};
    FR_TRY(fr_burst_record(&sim->burst, &into, event, count));
    // the end is shown, also between two frames
    if (living->tick % sim->timing.ticks_per_frame && living->tick != sim->timing.tick_count)
        return FR_OK;
    FR_TRY(fr_world_fields(world));
    view = fr_roster_view(sim->ctx, &sim->roster, living);
    return view ? record_frame(sim, view) : fr_no_memory(sim->ctx, "a frame");
}

FrResult fr_simulate_begin(FrSimulation *sim) {
    sim->burst = fr_burst_begin(sim->built->world, sim->bursts);
    FR_TRY(fr_simulate_record(sim));
    return fr_recorder_commit(sim->recorder);
}

// the time since the last look at the clock goes to the stage; what a kill takes away is not
// counted
static FrResult clock_in(FrSimulation *sim) {
    double now = fr_wall_seconds(), seconds = now - sim->clock;
    sim->clock = now;
    return fr_recorder_timing(sim->recorder, "simulate", seconds);
}

// the world, and behind it what the microphone heard and what bursts may need
static FrResult save_state(FrSimulation *sim, uint8_t **bytes, size_t *size) {
    FR_TRY(fr_world_save(sim->built->world, bytes, size));
    if (!sim->microphone && !sim->bursts) return FR_OK;
    FrWriter w;
    fr_writer_init(&w, sim->ctx);
    fr_write_u64(&w, *size);
    fr_write_bytes(&w, *bytes, *size);
    fr_world_free_bytes(sim->ctx, *bytes);
    if (sim->microphone) fr_microphone_save(sim->microphone, &w);
    if (sim->bursts) fr_burst_save(&sim->burst, sim->built->world, &w);
    FrResult result = fr_writer_result(&w);
    if (result != FR_OK) fr_writer_free(&w);
    *bytes = w.data;
    *size = w.size;
    return result;
}

static FrResult load_state(FrSimulation *sim, const uint8_t *bytes, size_t size) {
    sim->burst = fr_burst_begin(sim->built->world, sim->bursts);
    if (!sim->microphone && !sim->bursts) return fr_world_load(sim->built->world, bytes, size);
    FrReader r;
    fr_reader_init(&r, bytes, size);
    uint64_t world = fr_read_u64(&r);
    if (r.failed || world > fr_reader_left(&r))
        return fr_fail(sim->ctx, FR_BAD_INPUT, "the checkpoint is damaged at byte 0");
    FR_TRY(fr_world_load(sim->built->world, bytes + r.at, (size_t)world));
    r.at += (size_t)world;
    if (sim->microphone) FR_TRY(fr_microphone_load(sim->microphone, &r));
    return sim->bursts ? fr_burst_load(sim->ctx, &sim->burst, sim->built->world, &r) : FR_OK;
}

// who was under planes goes along with a checkpoint
static FrResult record_under(FrSimulation *sim) {
    FrWriter lines;
    fr_writer_init(&lines, sim->ctx);
    fr_under_save(&sim->under, &lines);
    fr_write_u8(&lines, 0);
    FrResult result = fr_writer_result(&lines);
    if (result == FR_OK) result = fr_recorder_meta(sim->recorder, "under", (char *)lines.data);
    fr_writer_free(&lines);
    return result;
}

static FrResult load_under(FrSimulation *sim) {
    FrWriter lines;
    const FrFrameView *living = fr_world_view(sim->built->world), *view = NULL;
    if (living && fr_roster_reserve(sim->ctx, &sim->roster, fr_recorder_body_count(sim->recorder)))
        view = fr_roster_view(sim->ctx, &sim->roster, living);
    if (!view) return fr_no_memory(sim->ctx, "a frame");
    fr_writer_init(&lines, sim->ctx);
    FrResult result = fr_recorder_meta_get(sim->recorder, "under", &lines);
    if (result == FR_OK)
        result = fr_under_load(sim->ctx, view, (const char *)lines.data, &sim->under);
    fr_writer_free(&lines);
    return result;
}

FrResult fr_simulate_load(FrSimulation *sim, const uint8_t *bytes, size_t size) {
    FR_TRY(load_state(sim, bytes, size));
    FR_TRY(fr_build_find(sim->built, sim->scene));
    FR_TRY(load_under(sim));
    sim->kept = fr_world_time(sim->built->world);
    return FR_OK;
}

FrResult fr_simulate_checkpoint(FrSimulation *sim) {
    uint8_t *bytes;
    size_t size;
    double start = fr_wall_seconds();
    FR_TRY(clock_in(sim));
    FR_TRY(record_under(sim));
    FR_TRY(save_state(sim, &bytes, &size));
    FrResult result =
        fr_recorder_checkpoint(sim->recorder, fr_world_tick(sim->built->world), bytes, size);
    fr_world_free_bytes(sim->ctx, bytes);
    sim->checkpoint_seconds = fr_wall_seconds() - start;
    FR_TRY(result);
    sim->kept = fr_world_time(sim->built->world);
    return fr_recorder_timing(sim->recorder, "checkpoint", sim->checkpoint_seconds);
}

FrResult fr_simulate_end(FrSimulation *sim) {
    uint8_t *bytes;
    size_t size;
    double start = fr_wall_seconds();
    FR_TRY(record_under(sim));
    FR_TRY(save_state(sim, &bytes, &size));
    FrResult result =
        fr_recorder_ending(sim->recorder, fr_world_tick(sim->built->world), bytes, size);
    fr_world_free_bytes(sim->ctx, bytes);
    FR_TRY(result);
    FR_TRY(fr_recorder_timing(sim->recorder, "checkpoint", fr_wall_seconds() - start));
    return clock_in(sim);
}

static FrResult interrupted(FrSimulation *sim) {
    FR_TRY(fr_simulate_checkpoint(sim));
    return fr_fail(sim->ctx, FR_INTERRUPTED,
                   "stopped at %.4g s of %.4g s; the same command goes on from here",
                   fr_world_time(sim->built->world), sim->timing.duration);
}

// A macro step that would have gone on for long was left in its middle: resuming goes back to the
// last checkpoint.
static FrResult cut_short(FrSimulation *sim) {
    double now = fr_world_time(sim->built->world), end = sim->timing.duration;
    if (!(sim->kept > 0.0))
        return fr_fail(sim->ctx, FR_INTERRUPTED,
                       "stopped inside the long step at %.4g s of %.4g s, before the first "
                       "checkpoint; the same command starts over",
                       now, end);
    return fr_fail(sim->ctx, FR_INTERRUPTED,
                   "stopped inside the long step at %.4g s of %.4g s; the checkpoint at %.4g s is "
                   "kept, and the same command goes on from there",
                   now, end, sim->kept);
}

// frames up to here are worth looking at; the message of the breakdown stays
static FrResult broken_down(FrSimulation *sim, FrResult result) {
    if (result != FR_NUMERICAL) return result;
    fr_fail_within(sim->ctx, result, "at %.4g s: ", fr_world_time(sim->built->world));
    char message[1024];
    snprintf(message, sizeof message, "%s", fr_context_message(sim->ctx));
    FR_TRY(fr_recorder_commit(sim->recorder));
    return fr_fail(sim->ctx, result, "%s (what was recorded so far is kept)", message);
}

// as asked for; else so that the last one's cost stays within the share
static double time_between(const FrSimulation *sim) {
    if (sim->checkpoint_every > 0.0) return sim->checkpoint_every;
    return fr_max(FR_CHECKPOINT_EVERY, sim->checkpoint_seconds / FR_CHECKPOINT_SHARE);
}

FrResult fr_simulate(FrSimulation *sim) {
    FrWorld *world = sim->built->world;
    double last = fr_wall_seconds();
    sim->clock = last;
    while (fr_world_tick(world) < sim->timing.tick_count) {
        if (fr_context_cancelled(sim->ctx)) return interrupted(sim);
        FrResult result = fr_build_births(sim->built, sim->scene);
        if (result == FR_OK) result = fr_world_step(world);
        if (result == FR_INTERRUPTED) return cut_short(sim);
        if (result == FR_OK) result = fr_simulate_record(sim);
        if (result != FR_OK) return broken_down(sim, result);
        double now = fr_wall_seconds();
        // what is complete needs no checkpoint: its last frame would stay in a longer run
        bool complete = fr_world_tick(world) == sim->timing.tick_count;
        if (!complete && now - last >= time_between(sim)) {
            FR_TRY(fr_simulate_checkpoint(sim));
            last = fr_wall_seconds();
        }
        fr_progress(sim->ctx, "simulate", (double)fr_world_tick(world),
                    (double)sim->timing.tick_count);
    }
    return clock_in(sim);
}

void fr_simulate_close(FrSimulation *sim) {
    fr_recorder_close(sim->recorder);
    fr_array_free(sim->ctx, &sim->under);
    fr_roster_free(sim->ctx, &sim->roster);
}
