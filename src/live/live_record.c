// live_record.c: what hands did, done again into a recording, which can be filmed and sounded as
// that of any run.

#include "live/live.h"
#include "record/recorder.h"
#include "run/simulate.h"
#include <math.h>

static FrResult start(FrLive *live, const char *path, int64_t end, FrSimulation *sim) {
    FrWriter json;
    FrTiming *timing = &live->timing;
    timing->tick_count = end;
    timing->duration = (double)end * timing->step;
    fr_writer_init(&json, live->ctx);
    FrResult result = fr_scene_json(live->ctx, live->scene, &json);
    fr_write_u8(&json, 0); // ends the text
    if (result == FR_OK) result = fr_writer_result(&json);
    FrRecorderDef def = {.scene_json = (const char *)json.data,
                         .seed = (uint64_t)live->scene->scene.seed,
                         .fps = timing->fps,
                         .duration = timing->duration,
                         .tick_seconds = timing->step,
                         .pose_hz = 1.0 / (timing->step * timing->ticks_per_pose)};
    *sim = (FrSimulation){
        .ctx = live->ctx, .built = &live->built, .scene = live->scene, .timing = *timing};
    if (result == FR_OK) result = fr_recorder_create(live->ctx, path, &def, &sim->recorder);
    if (result == FR_OK) result = fr_simulate_begin(sim);
    fr_writer_free(&json);
    return result;
}

static FrResult go(FrLive *live, int64_t end, FrSimulation *sim) {
    while (fr_live_tick(live) < end) {
        if (fr_context_cancelled(live->ctx))
            return fr_fail(live->ctx, FR_INTERRUPTED, "stopped while inputs were recorded");
        FR_TRY(fr_live_step_once(live));
        FR_TRY(fr_simulate_record(sim));
        fr_progress(live->ctx, "simulate", (double)fr_live_tick(live), (double)end);
    }
    return FR_OK;
}

FrResult fr_live_record(FrContext *ctx, const char *inputs, const char *path) {
    FR_NEED_ALL(ctx, ctx && inputs && path);
    FrLive *live;
    FrSimulation sim = {0};
    int64_t end;
    uint64_t wanted;
    FR_TRY(fr_live_replay(ctx, inputs, &live, &end, &wanted));
    FrResult result = start(live, path, end, &sim);
    if (result == FR_OK) result = go(live, end, &sim);
    if (result == FR_OK && wanted && fr_live_hash(live) != wanted)
        fr_log(ctx, FR_LOG_WARNING,
               "%s: it comes to another state than it did: another build, or the scene changed",
               inputs);
    if (result == FR_OK) result = fr_recorder_finish(sim.recorder);
    fr_simulate_close(&sim);
    fr_live_close(live);
    return result;
}
