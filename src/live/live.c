// live.c: a live scene: opened, stepped for as long as there is time, closed.

#include "live/live.h"
#include "base/words.h"
#include "base/clock.h"
#include "build/scene_load.h"
#include "math/vec.h"
#include "world/cuts.h"
#include "world/model.h"
#include <math.h>
#include <string.h>

/// Macro steps per second where something may shatter: it breaks at their ends, and a frame of a
/// picture has to hold few of them.
#define SHATTER_HZ 1000.0
/// Macro steps per second where all that bends steps implicitly.
#define QUICK_HZ 120.0
/// Frames per second by which time is cut.
#define FRAME_HZ 60.0
/// What goes on for as long as somebody looks, s.
#define FOR_EVER 1e9

FrLiveDef fr_live_def_default(void) {
    return (FrLiveDef){.detail = FR_DETAIL_NORMAL,
                       .rate = FR_CHOSEN,
                       .history_every = 0.25,
                       .history_bytes = (int64_t)256 << 20,
                       .cookie = FR_COOKIE};
}

static FrResult copy_def(FrLive *live, const FrLiveDef *def) {
    FrContext *ctx = live->ctx;
    live->def = *def;
    live->def.set_count = 0; // so many are copied
    live->def.scene = fr_strdup(ctx, def->scene);
    live->set = FR_NEW(ctx, char *, def->set_count + 1);
    if (!live->def.scene || !live->set) return fr_no_memory(ctx, "a live scene");
    for (int32_t k = 0; k < def->set_count; k++) {
        live->set[k] = fr_strdup(ctx, def->set[k]);
        if (!live->set[k]) return fr_no_memory(ctx, "a live scene");
        live->def.set_count++;
    }
    live->def.set = (const char *const *)live->set;
    return FR_OK;
}

static FrResult check_def(FrContext *ctx, const FrLiveDef *def) {
    if (!isnan(def->rate) && !(def->rate >= 1.0 && def->rate <= 1e6))
        return fr_fail(ctx, FR_BAD_USE, "%g macro steps per second; 1 to 1000000 are possible",
                       def->rate);
    if (!(def->history_every > 0.0) || def->history_bytes < 0)
        return fr_fail(ctx, FR_BAD_USE,
                       "moments every %g s in %lld bytes are to be kept; above 0, and 0 or more",
                       def->history_every, (long long)def->history_bytes);
    if (!def->scene) return fr_fail(ctx, FR_BAD_USE, "no scene is named");
    FR_NEED_WORDS(ctx, def->set, def->set_count);
    return FR_OK;
}

// what is stronger than stiff would have to be pulled to twice its length
static bool hardly_breaks(const FrSceneBody *body, const FrMaterial *m) {
    double young = m->mu * (3.0 * m->lambda + 2.0 * m->mu) / (m->lambda + m->mu);
    return fr_stays_whole(body, m) != NULL || (m->strength > young && !(m->tau > 0.0));
}

static bool bends_at_once(const FrModelTraits *traits) {
    return traits->deforms && traits->implicit;
}

FrModel fr_live_quick_model(void) { return fr_model_find(bends_at_once); }

// soft bodies that are left open and stay whole step implicitly
static void choose_quick(FrLive *live) {
    FrScene *scene = live->scene;
    bool any = false;
    live->quick = live->def.quick;
    for (int32_t k = 0; live->def.quick && k < scene->bodies_count; k++) {
        FrSceneBody *body = &scene->bodies[k];
        FrMaterial material;
        FrModelTraits traits = fr_body_traits(body);
        bool open;
        fr_scene_model(body, &open);
        if (!traits.deforms || traits.implicit) continue;
        // a material that is wrong is reported later
        if (fr_scene_material(live->ctx, scene, body->material, &material) != FR_OK) continue;
        if (open && hardly_breaks(body, &material))
            body->chosen = fr_live_quick_model(), any = true;
        else
            live->quick = false;
    }
    live->quick = live->quick && any; // rigid bodies alone step as they do
}

static double rate_of(const FrLive *live) {
    if (!isnan(live->def.rate)) return live->def.rate;
    if (live->quick && fr_step_rate(live->scene, false) < SHATTER_HZ) return QUICK_HZ;
    return fr_min(fr_step_rate(live->scene, false), SHATTER_HZ);
}

/// Cells of what shatters are so much larger where steps are to keep up with real time: what a
/// break takes goes by some power above 1 of the number of tets.
#define QUICK_CELLS 1.5

static double cells_of(const FrLive *live) {
    static const double coarseness[] = {1.5, 1.0, 2.0 / 3.0}; // in the order of FrDetail
    bool shatters = false;
    for (int32_t k = 0; k < live->scene->bodies_count; k++)
        shatters = shatters || fr_body_traits(&live->scene->bodies[k]).shatters;
    return coarseness[live->def.detail] * (live->def.quick && shatters ? QUICK_CELLS : 1.0);
}

// whole steps in a frame; slower than the poses of runs, if that is asked for
static FrTiming timing_of(const FrLive *live) {
    double rate = rate_of(live);
    int32_t ticks = (int32_t)fr_max(1.0, ceil(rate / FRAME_HZ - 1e-9));
    double step = 1.0 / (FRAME_HZ * ticks);
    if (rate >= fr_step_rate(live->scene, false)) return fr_timing(FOR_EVER, FRAME_HZ, rate);
    return (FrTiming){FOR_EVER, FRAME_HZ, ticks, step, (int64_t)(FOR_EVER / step), 1};
}

static FrResult build(FrLive *live) {
    FrBuildOptions options = {0};
    FrRunDef run = fr_run_def_default();
    run.scene = live->def.scene;
    run.set = live->def.set;
    run.set_count = live->def.set_count;
    run.has_seed = live->def.has_seed;
    run.seed = live->def.seed;
    FR_TRY(fr_load_scene(live->ctx, &run, &live->scene));
    choose_quick(live);
    options.coarseness = cells_of(live);
    live->timing = timing_of(live);
    FR_TRY(fr_build_meshes(live->ctx, live->scene, &options, &live->built));
    FR_TRY(fr_build_world(&live->built, live->scene, live->timing.step));
    live->timing = fr_timing_for(live->timing, fr_built_substep(&live->built, live->scene));
    live->every = fr_max(1.0, live->def.history_every / live->timing.step);
    FR_TRY(fr_world_set_step(live->built.world, live->timing.step));
    FR_TRY(fr_build_start(&live->built, live->scene));
    FR_TRY(fr_build_result(&live->built));
    fr_built_drop_whole(&live->built);
    return FR_OK;
}

FrResult fr_live_open(FrContext *ctx, const FrLiveDef *def, FrLive **to) {
    FR_NEED_ALL(ctx, ctx && def && to);
    FR_NEED(ctx, def->cookie == FR_COOKIE, "start from fr_live_def_default()");
    *to = NULL;
    FR_TRY(check_def(ctx, def));
    FrLive *live = FR_NEW(ctx, FrLive, 1);
    if (!live) return fr_no_memory(ctx, "a live scene");
    live->ctx = ctx;
    FrResult result = copy_def(live, def);
    if (result == FR_OK) result = build(live);
    if (result == FR_OK)
        *to = live;
    else
        fr_live_close(live);
    return result;
}

void fr_live_close(FrLive *live) {
    if (!live) return;
    FrContext *ctx = live->ctx;
    fr_live_drop_shapes(live);
    for (int32_t k = 0; k < live->kept.count; k++) fr_kept_free(live, &live->kept.data[k]);
    fr_array_free(ctx, &live->kept);
    fr_array_free(ctx, &live->input);
    fr_array_free(ctx, &live->hand);
    fr_array_free(ctx, &live->raw);
    fr_array_free(ctx, &live->ready);
    fr_array_free(ctx, &live->event);
    fr_built_free(&live->built);
    fr_scene_free(live->scene);
    for (int32_t k = 0; k < live->def.set_count; k++) fr_free(ctx, live->set[k]);
    fr_free(ctx, live->set);
    fr_free(ctx, (void *)(uintptr_t)live->def.scene);
    fr_free(ctx, live);
}

// what was reported of the start was reported
FrResult fr_live_fill(FrLive *live) {
    FrBuilt *built = &live->built;
    fr_world_destroy(built->world);
    built->world = NULL;
    fr_log_hush(live->ctx, true);
    FrResult result = fr_build_world(built, live->scene, live->timing.step);
    if (result == FR_OK) result = fr_build_result(built);
    fr_log_hush(live->ctx, false);
    fr_built_drop_whole(built);
    live->hand.count = live->raw.count = live->ready.count = live->spawned = 0;
    live->births = true;
    live->next_event = 0;
    fr_live_drop_shapes(live);
    return result;
}

FrResult fr_live_take_events(FrLive *live) {
    int64_t count;
    const FrEvent *event = fr_world_events(live->built.world, &count);
    for (int64_t k = 0; k < count; k++) {
        if (event[k].seq < live->next_event) continue;
        if (!fr_array_push(live->ctx, &live->event, event[k]))
            return fr_no_memory(live->ctx, "events");
        live->next_event = event[k].seq + 1;
        live->births = live->births || event[k].kind == FR_EVENT_BIRTH;
    }
    return FR_OK;
}

// what cannot be done any more is left out of the story, with a warning
static FrResult do_due(FrLive *live) {
    int64_t now = fr_world_tick(live->built.world);
    while (live->done < live->input.count && live->input.data[live->done].tick <= now) {
        FrInput *input = &live->input.data[live->done];
        FrResult result = fr_live_do(live, input);
        if (result != FR_OK && result != FR_BAD_USE) return result;
        if (result == FR_OK) {
            live->done++;
            continue;
        }
        fr_log(live->ctx, FR_LOG_WARNING, "step %lld: %s", (long long)now,
               fr_context_message(live->ctx));
        memmove(input, input + 1, (size_t)(--live->input.count - live->done) * sizeof *input);
    }
    return FR_OK;
}

FrResult fr_live_step_once(FrLive *live) {
    double start = fr_wall_seconds();
    FR_TRY(fr_live_order(live));
    FR_TRY(fr_live_serve(live));
    FR_TRY(do_due(live));
    FR_TRY(fr_live_order(live));
    FR_TRY(fr_build_births(&live->built, live->scene));
    FR_TRY(fr_live_twist(live));
    FR_TRY(fr_world_step(live->built.world));
    if (live->told) live->event.count = 0;
    live->told = false;
    FR_TRY(fr_live_take_events(live));
    live->seconds = fr_wall_seconds() - start;
    return FR_OK;
}

// nobody records them: they would only add up
static void drop_cuts(FrLive *live) {
    const FrFrameView *view = fr_world_view(live->built.world);
    for (int32_t k = 0; view && k < view->body_count; k++)
        if (view->body[k].kind != FR_BODY_PLANE) fr_world_cuts_reported(live->built.world, k);
}

FrResult fr_live_advance(FrLive *live, double budget, int32_t most, int32_t *done) {
    FR_NEED_ALL(live ? live->ctx : NULL, live);
    double end = fr_wall_seconds() + budget;
    int32_t count = 0;
    FrResult result = most > 0 ? FR_OK : fr_live_serve(live);
    while (result == FR_OK && count < most && (count == 0 || fr_wall_seconds() < end)) {
        result = fr_live_step_once(live);
        if (result == FR_OK) result = fr_live_keep(live);
        count += result == FR_OK;
    }
    drop_cuts(live);
    if (done) *done = count;
    return result;
}

int64_t fr_live_tick(const FrLive *live) { return live ? fr_world_tick(live->built.world) : 0; }
double fr_live_step(const FrLive *live) { return live ? live->timing.step : 0.0; }
uint64_t fr_live_hash(const FrLive *live) { return live ? fr_world_hash(live->built.world) : 0; }

const FrEvent *fr_live_events(FrLive *live, int64_t *count) {
    if (count) *count = 0;
    if (!live || !count) return NULL;
    if (live->told) live->event.count = 0;
    live->told = true;
    *count = live->event.count;
    return live->event.data;
}
