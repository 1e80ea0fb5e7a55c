// rehearse.c: a trial of the real world and a rehearsal in coarse tets, and the forecast from both.

#include "run/rehearse.h"
#include "base/array.h"
#include "base/clock.h"
#include "math/vec.h"
#include <math.h>
#include <time.h>

/// Of processor time, so that a busy machine sees no less of the motion.
#define TRIAL_SECONDS 0.5
#define REHEARSAL_SECONDS 1.5
/// Cells of the rehearsal over those of the run. Three would be cheaper, but a sheet so coarse does
/// not hang over things, and touches them in few places.
#define COARSER 2.0
/// Substeps in a macro step of the trial: stiff bodies have a hundred thousand in a tick of a run.
#define TRIAL_SUBSTEPS 64.0

/// One macro step.
typedef struct Tick {
    double t;       ///< at its end, s
    double seconds; ///< of wall time
    double steps;   ///< substeps of bodies
    double full;    ///< likewise, if none had flown
} Tick;
typedef FR_ARRAY(Tick) Ticks;

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Steps of a tick that is this part of one of the run: who flies takes one in each of the run's.
static Tick tick_of(const FrWorldStats *then, const FrWorldStats *now, double part) {
    double steps = (double)(now->steps - then->steps);
    double flights = (double)(now->flights - then->flights);
    double flown = (double)(now->flown_steps - then->flown_steps);
    return (Tick){.steps = steps - (1.0 - part) * flights, .full = steps + flown};
}

// steps a world to its end or until so many seconds of this thread are spent
static FrResult advance(FrBuilt *built, const FrScene *scene, const FrTiming *timing, double budget,
                        Ticks *ticks) {
    FrContext *ctx = built->ctx;
    FrWorld *world = built->world;
    double begun = processor_seconds(), before = fr_wall_seconds();
    while (fr_world_time(world) < timing->duration && processor_seconds() - begun < budget) {
        if (fr_context_cancelled(ctx))
            return fr_fail(ctx, FR_INTERRUPTED, "stopped; nothing was written");
        FrWorldStats then = fr_world_stats(world);
        double was = fr_world_time(world);
        FR_TRY(fr_build_births(built, scene));
        FR_TRY(fr_world_step(world));
        double now = fr_wall_seconds();
        FrWorldStats stats = fr_world_stats(world);
        Tick tick = tick_of(&then, &stats, (fr_world_time(world) - was) / timing->step);
        tick.t = fr_world_time(world);
        tick.seconds = now - before;
        if (!fr_array_push(ctx, ticks, tick)) return fr_no_memory(ctx, "a trial");
        before = now;
    }
    return FR_OK;
}

/// Means over a span of time.
typedef struct Pace {
    double seconds, steps, full; ///< per second of the simulation
} Pace;

// from and to: s. The first tick makes trees and touches memory: not counted where there are more
static Pace pace_of(const Ticks *ticks, double from, double to) {
    Pace sum = {0.0, 0.0, 0.0};
    double span = 0.0;
    for (int32_t k = 0; k < ticks->count; k++) {
        double start = k > 0 ? ticks->data[k - 1].t : 0.0;
        if (start < from || (start >= to && span > 0.0) || (k == 0 && ticks->count > 2)) continue;
        span += ticks->data[k].t - start;
        sum.seconds += ticks->data[k].seconds;
        sum.steps += ticks->data[k].steps;
        sum.full += ticks->data[k].full;
    }
    if (!(span > 0.0)) return sum;
    return (Pace){sum.seconds / span, sum.steps / span, sum.full / span};
}

static double triangles_in(const FrBuilt *built) {
    const FrFrameView *view = fr_world_view(fr_built_all(built));
    double count = 0.0;
    for (int32_t k = 0; view && k < view->body_count; k++)
        count += view->body[k].surface ? view->body[k].surface->tri_count : 0;
    return count;
}

// a tick of the run in parts, where it has too many substeps for a trial: a pane shatters in one
static FrResult shorten_ticks(FrBuilt *built, const FrScene *scene, const FrTiming *timing) {
    double parts = ceil(timing->step / fr_built_substep(built, scene) / TRIAL_SUBSTEPS);
    if (!(parts > 1.0)) return FR_OK;
    return fr_world_set_step(built->world, timing->step / parts);
}

typedef struct Rehearsal {
    Ticks ticks;
    double triangles; ///< of all surfaces
    bool breaks;      ///< something broke
} Rehearsal;

// Coarse bodies through the same motion. What cannot be meshed so coarsely, or fails in its steps,
// ends the rehearsal early; that is no failure of the run.
static FrResult rehearse(FrContext *ctx, const FrScene *scene, const FrTiming *timing,
                         double coarseness, Rehearsal *r) {
    FrBuildOptions options = {.coarseness = COARSER * coarseness, .rough = true};
    FrBuilt built;
    FrResult result = fr_build_meshes(ctx, scene, &options, &built);
    if (result == FR_OK) result = fr_build_world(&built, scene, timing->step);
    if (result == FR_OK && built.problems.count == 0) {
        r->triangles = triangles_in(&built);
        result = shorten_ticks(&built, scene, timing);
    }
    if (result == FR_OK && built.problems.count == 0)
        result = advance(&built, scene, timing, REHEARSAL_SECONDS, &r->ticks);
    r->breaks = built.world && fr_world_stats(built.world).cracks > 0;
    fr_built_free(&built);
    bool fatal = result == FR_NO_MEMORY || result == FR_INTERRUPTED;
    return fatal ? result : FR_OK;
}

// The cost of free motion from the trial; what the rehearsal takes more than in its first moments,
// scaled by the number of triangles that can touch and of substeps, on top of it.
static void combine(const Ticks *trial, const Rehearsal *r, double triangles, double duration,
                    FrForecast *f) {
    double seen = trial->data[trial->count - 1].t;
    Pace real = pace_of(trial, 0.0, seen);
    f->steps = real.steps * duration;
    f->seconds = real.seconds * duration;
    if (!r->ticks.count || seen >= duration) return;
    double end = r->ticks.data[r->ticks.count - 1].t;
    Pace first = pace_of(&r->ticks, 0.0, seen), all = pace_of(&r->ticks, 0.0, end);
    Pace late = pace_of(&r->ticks, 0.5 * end, end);
    if (!(first.full > 0.0) || !(r->triangles > 0.0)) return;
    // what it did not come to goes on as its later half did
    double known = fr_min(1.0, end / duration);
    double steps = known * all.steps + (1.0 - known) * late.steps;
    double seconds = known * all.seconds + (1.0 - known) * late.seconds;
    double more = fr_max(0.0, seconds - first.seconds);
    double finer = real.full / first.full;
    double scale = (triangles / r->triangles) * finer;
    f->steps = steps * finer * duration;
    f->seconds += more * scale * duration;
}

FrResult fr_forecast(FrBuilt *built, const FrScene *scene, const FrTiming *timing,
                     double coarseness, FrForecast *forecast) {
    Ticks trial = {0};
    Rehearsal r = {0};
    double dt = fr_built_substep(built, scene);
    double triangles = triangles_in(built);
    *forecast = (FrForecast){.step = fr_min(dt, timing->step)};
    FR_TRY(shorten_ticks(built, scene, timing));
    FrResult result = advance(built, scene, timing, TRIAL_SECONDS, &trial);
    bool longer = result == FR_OK && trial.data[trial.count - 1].t < timing->duration;
    if (longer) result = rehearse(built->ctx, scene, timing, coarseness, &r);
    if (result == FR_OK) combine(&trial, &r, triangles, timing->duration, forecast);
    if (trial.count) forecast->seen = trial.data[trial.count - 1].t;
    if (r.ticks.count) forecast->seen = fr_max(forecast->seen, r.ticks.data[r.ticks.count - 1].t);
    forecast->breaks = r.breaks || fr_world_stats(built->world).cracks > 0;
    fr_array_free(built->ctx, &trial);
    fr_array_free(built->ctx, &r.ticks);
    return result;
}
