// estimate.c: `fracas run --dry-run`: what a run will take, before anything starts.

#include "run/estimate.h"
#include "base/json.h"
#include "export/report_text.h"
#include "mesh/quality.h"
#include "run/rehearse.h"
#include "world/cuts.h"
#include <math.h>
#include <stdio.h>

/// Bytes of a recorded frame per node: six numbers as doubles, after compression.
#define BYTES_PER_NODE 18.0

typedef struct Estimate {
    int64_t bodies, tets, nodes;
    FrForecast forecast;
    double frames, bytes;
} Estimate;

static FrResult measure(FrBuilt *built, const FrScene *scene, const FrTiming *timing,
                        double coarseness, Estimate *e) {
    const FrFrameView *view = fr_world_view(fr_built_all(built));
    if (!view) return fr_no_memory(built->ctx, "a frame");
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrBodyView *body = &view->body[k];
        e->bodies += body->kind != FR_BODY_PLANE;
        e->tets += body->mesh ? body->mesh->tet_count : 0;
        e->nodes += body->mesh ? body->mesh->node_count : 0;
    }
    e->frames = ceil((double)timing->tick_count / timing->ticks_per_frame) + 1.0;
    e->bytes = 1e6 + e->frames * (double)e->nodes * BYTES_PER_NODE;
    return fr_forecast(built, scene, timing, coarseness, &e->forecast);
}

// Breakable bodies were followed into the thick of it, and not out again: more pieces cost more,
// those that lie cost less, and which it will be is not known.
static bool breaks_on(const Estimate *e, double duration) {
    return e->forecast.breaks && e->forecast.seen < duration;
}

// how the bodies break, in the units of scenes: also what a scene leaves open (null)
static void print_crack(FrJson *j, const FrBuilt *built, const FrScene *scene) {
    const FrBodyId *body = built->whole ? built->whole_body : built->body;
    fr_json_array(j, "crack");
    for (int32_t k = 0; k < scene->bodies_count; k++) {
        FrCrackDef crack = fr_crack_def_default();
        if (!fr_world_crack_chosen(fr_built_all(built), body[k], &crack)) continue;
        fr_json_object(j, NULL);
        fr_json_text(j, "body", scene->bodies[k].name);
        fr_json_number(j, "min_piece", crack.min_piece);
        fr_json_number(j, "settle", crack.settle);
        fr_json_object(j, "criterion");
        fr_json_number(j, "scan_interval", crack.criterion.scan_interval);
        fr_json_end(j);
        fr_json_object(j, "remeshing");
        fr_json_number(j, "snap_distance", crack.remeshing.snap_distance);
        fr_json_number(j, "together", crack.remeshing.together);
        fr_json_end(j);
        fr_json_object(j, "pieces");
        fr_json_number(j, "rigid_piece", crack.pieces.rigid_piece);
        fr_json_end(j);
        fr_json_end(j);
    }
    fr_json_end(j);
}

static FrResult print_json(const FrBuilt *built, const FrScene *scene, const Estimate *e,
                           double duration, FrText *text) {
    FrWriter w;
    FrJson j;
    fr_writer_init(&w, built->ctx);
    fr_json_begin(&j, &w, true);
    fr_json_object(&j, NULL);
    fr_json_int(&j, "bodies", e->bodies);
    fr_json_int(&j, "tets", e->tets);
    fr_json_int(&j, "nodes", e->nodes);
    fr_json_number(&j, "sim_seconds", duration);
    fr_json_number(&j, "step", e->forecast.step);
    fr_json_number(&j, "steps", ceil(e->forecast.steps));
    fr_json_number(&j, "frames", e->frames);
    fr_json_number(&j, "wall_seconds", e->forecast.seconds);
    fr_json_bool(&j, "breaks_on", breaks_on(e, duration));
    fr_json_number(&j, "bytes", e->bytes);
    print_crack(&j, built, scene);
    fr_json_end(&j);
    return fr_text_take(&w, text);
}

FrResult fr_estimate(FrBuilt *built, const FrScene *scene, const FrTiming *timing,
                     double coarseness, bool json, FrText *text) {
    Estimate e = {0};
    FR_TRY(measure(built, scene, timing, coarseness, &e));
    if (json) return print_json(built, scene, &e, timing->duration, text);
    const FrForecast *f = &e.forecast;
    char time[32], until[80] = "";
    fr_duration_text(f->seconds, time);
    bool guess = breaks_on(&e, timing->duration);
    if (guess)
        snprintf(until, sizeof until, ", which saw %.3g ms of the break: a guess", 1e3 * f->seen);
    return fr_text_print(
        built->ctx, text,
        "%lld %s, %lld tet%s, %lld node%s\n"
        "step %.3g s, about %.3g steps of bodies for %.4g s\n"
        "%s %s to simulate (by a trial and a coarse rehearsal%s), then the pictures\n"
        "%.0f frames, about %.0f MB on disk\n",
        (long long)e.bodies, fr_bodies(e.bodies), (long long)e.tets, fr_s(e.tets),
        (long long)e.nodes, fr_s(e.nodes), f->step, f->steps, timing->duration,
        guess ? "perhaps" : "about", time, until, e.frames, ceil(1e-6 * e.bytes));
}
