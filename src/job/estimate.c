// estimate.c: `fracas run --dry-run`: what a run will take, before anything starts.

#include "job/estimate.h"
#include "base/clock.h"
#include "job/text.h"
#include "record/json.h"
#include <math.h>

#define TRIAL_SECONDS 2.0
/// Bytes of a recorded frame per node: six numbers as doubles, after compression.
#define BYTES_PER_NODE 18.0
/// Contacts cost about as much as the bodies that touch; a trial rarely sees them.
#define WITH_CONTACT 2.0

typedef struct Estimate {
    int64_t bodies, tets, nodes;
    double dt;      ///< s
    double steps;   ///< substeps
    double seconds; ///< of wall time, without contact
    double frames, bytes;
} Estimate;

static FrResult try_out(FrBuilt *built, const FrTiming *timing, double *per_tick) {
    FrWorld *world = built->world;
    double start = fr_wall_seconds(), spent = 0.0;
    while (spent < TRIAL_SECONDS && fr_world_tick(world) < timing->tick_count) {
        if (fr_context_cancelled(built->ctx))
            return fr_fail(built->ctx, FR_INTERRUPTED, "stopped; nothing was written");
        FR_TRY(fr_world_step(world));
        spent = fr_wall_seconds() - start;
    }
    *per_tick = fr_world_tick(world) ? spent / (double)fr_world_tick(world) : 0.0;
    return FR_OK;
}

static FrResult measure(FrBuilt *built, const FrTiming *timing, Estimate *e) {
    const FrFrameView *view = fr_world_view(built->world);
    if (!view) return fr_no_memory(built->ctx, "a frame");
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrBodyView *body = &view->body[k];
        e->bodies += body->kind != FR_BODY_PLANE;
        e->tets += body->mesh ? body->mesh->tet_count : 0;
        e->nodes += body->mesh ? body->mesh->node_count : 0;
    }
    e->dt = fr_world_dt(built->world);
    double per_tick = 0.0;
    FR_TRY(try_out(built, timing, &per_tick));
    e->steps = ceil(timing->duration / e->dt);
    e->seconds = per_tick * (double)timing->tick_count;
    e->frames = floor((double)timing->tick_count / timing->ticks_per_frame) + 1.0;
    e->bytes = 1e6 + e->frames * (double)e->nodes * BYTES_PER_NODE;
    return FR_OK;
}

static FrResult print_json(FrContext *ctx, const Estimate *e, double duration, FrText *text) {
    FrWriter w;
    FrJson j;
    fr_writer_init(&w, ctx);
    fr_json_begin(&j, &w, true);
    fr_json_object(&j, NULL);
    fr_json_int(&j, "bodies", e->bodies);
    fr_json_int(&j, "tets", e->tets);
    fr_json_int(&j, "nodes", e->nodes);
    fr_json_number(&j, "sim_seconds", duration);
    fr_json_number(&j, "step", e->dt);
    fr_json_number(&j, "steps", e->steps);
    fr_json_number(&j, "frames", e->frames);
    fr_json_number(&j, "wall_seconds", e->seconds);
    fr_json_number(&j, "wall_seconds_with_contact", WITH_CONTACT * e->seconds);
    fr_json_number(&j, "bytes", e->bytes);
    fr_json_end(&j);
    fr_print(&w, "\n");
    return fr_text_take(&w, text);
}

FrResult fr_estimate(FrBuilt *built, const FrTiming *timing, bool json, FrText *text) {
    Estimate e = {0};
    FR_TRY(measure(built, timing, &e));
    if (json) return print_json(built->ctx, &e, timing->duration, text);
    return fr_text_print(
        built->ctx, text,
        "%lld bodies, %lld tets, %lld nodes\n"
        "step %.3g s, about %.0f steps for %.4g s\n"
        "about %.0f s to simulate at the pace of the first moments; %.0f s and more when much "
        "touches; then the pictures\n"
        "%.0f frames, about %.0f MB on disk\n",
        (long long)e.bodies, (long long)e.tets, (long long)e.nodes, e.dt, e.steps, timing->duration,
        ceil(e.seconds), ceil(WITH_CONTACT * e.seconds), e.frames, ceil(1e-6 * e.bytes));
}
