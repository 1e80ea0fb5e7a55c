// grains.c: what left as dust flies on as grains.

#include "event/grains.h"
#include "base/random.h"
#include "math/vec.h"

/// Grains of one piece.
#define GRAINS 24

void fr_grains_free(FrContext *ctx, FrGrains *g) {
    fr_array_free(ctx, &g->grain);
    fr_array_free(ctx, &g->plane);
    *g = (FrGrains){0};
}

static FrVec3 any(FrRandom *random) {
    return fr_vec3(fr_random_normal(random), fr_random_normal(random), fr_random_normal(random));
}

static FrVec3 fallen(const FrGrains *g, const FrGrain *grain, double since) {
    FrVec3 x = fr_axpy(since, grain->v, grain->x);
    return fr_axpy(0.5 * since * since, g->gravity, x);
}

// first time at which n . x(t) = offset + radius, coming from above: n.x + n.v t + n.g t^2 / 2
static double meets(const FrGrains *g, const FrGrain *grain, const FrGrainPlane *plane) {
    double c = fr_dot(plane->n, grain->x) - plane->offset - grain->radius;
    double b = fr_dot(plane->n, grain->v), a = 0.5 * fr_dot(plane->n, g->gravity);
    if (c <= 0.0) return 0.0;
    if (!(a < 0.0)) return b < 0.0 && a == 0.0 ? -c / b : HUGE_VAL;
    return (-b - sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
}

static void land(const FrGrains *g, FrGrain *grain) {
    double since = HUGE_VAL;
    for (int32_t k = 0; k < g->plane.count; k++)
        since = fr_min(since, meets(g, grain, &g->plane.data[k]));
    grain->lands = grain->t + since;
}

// the velocities of equal grains: none in the mean, and this mean square, m^2/s^2
static void scatter(FrRandom *random, double square, FrVec3 u[GRAINS]) {
    FrVec3 mean = fr_vec3_zero;
    double sum = 0.0;
    for (int k = 0; k < GRAINS; k++) {
        u[k] = any(random);
        mean = fr_axpy(1.0 / GRAINS, u[k], mean);
    }
    for (int k = 0; k < GRAINS; k++) {
        u[k] = fr_sub(u[k], mean);
        sum += fr_length2(u[k]);
    }
    for (int k = 0; k < GRAINS; k++) u[k] = fr_scale(sqrt(square * GRAINS / sum), u[k]);
}

// What is left of the energy beside that of its centre scatters them: together they have all that
// the dust took along.
static FrResult add_grains(FrContext *ctx, const FrEvent *e, const FrMaterial *m, FrGrains *g) {
    FrRandom random = fr_random_for(e->seq, "grains", 0);
    double mass = e->u.dust.mass, own;
    FrVec3 v = fr_scale(1.0 / mass, e->u.dust.momentum), u[GRAINS], off[GRAINS];
    own = fr_max(e->u.dust.energy - 0.5 * mass * fr_length2(v), 0.0);
    double size = cbrt(0.75 / FR_PI * mass / m->density); // of a ball of all of it
    scatter(&random, 2.0 * own / mass, u);
    scatter(&random, 0.6 * size * size, off); // as spread as that ball
    FrGrain grain = {.t = e->t, .mass = mass / GRAINS, .radius = size / cbrt(GRAINS)};
    fr_material_inside(m, grain.colour);
    for (int k = 0; k < GRAINS; k++) {
        grain.x = fr_add(e->u.dust.centre, off[k]);
        grain.v = fr_add(v, u[k]);
        land(g, &grain);
        if (!fr_array_push(ctx, &g->grain, grain)) return fr_no_memory(ctx, "dust");
    }
    return FR_OK;
}

// what it came off: the parent of a body that was born to leave at once; else itself
static int32_t came_off(const FrEventLog *log, int32_t dust) {
    int32_t body = fr_event_body(&log->data[dust]);
    for (int32_t k = dust; k >= 0; k--)
        if (log->data[k].kind == FR_EVENT_BIRTH && fr_event_body(&log->data[k]) == body)
            return log->data[k].b.index1 ? fr_event_other(&log->data[k]) : body;
    return body;
}

FrResult fr_grains_gather(FrContext *ctx, const FrEventLog *log,
                          const FrMaterial *(*made_of)(const void *user, int32_t body),
                          const void *user, FrGrains *g) {
    for (int32_t k = 0; k < log->count; k++) {
        const FrEvent *e = &log->data[k];
        if (e->kind != FR_EVENT_DUST || !(e->u.dust.mass > 0.0)) continue;
        FR_TRY(add_grains(ctx, e, made_of(user, came_off(log, k)), g));
    }
    return FR_OK;
}

bool fr_grain_place(const FrGrains *g, const FrGrain *grain, double t, FrVec3 *x) {
    *x = fallen(g, grain, fr_clamp(t - grain->t, 0.0, grain->lands - grain->t));
    return t >= grain->t;
}
