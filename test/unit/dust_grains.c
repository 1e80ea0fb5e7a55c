// dust_grains.c: grains of dust have its mass, momentum and energy, fall as stones do, and lie on
// the floor.

#include "event/grains.h"
#include "math/vec.h"
#include "test.h"
#include "context.h"

static const FrMaterial *made_of(const void *user, int32_t body) {
    CHECK_INT(body, 3);
    return user;
}

// a piece of body 3 that leaves at 0.2 s, 30 cm above the floor
static FrGrains fly(FrContext *ctx, FrEvent *e) {
    FrEventLog log;
    FrMaterial of = {.density = 2500.0};
    FrGrains grains = {.gravity = {0, 0, -9.81}};
    FrGrainPlane floor = {{0, 0, 1}, 0.0};
    FrEvent birth = fr_event_new(FR_EVENT_BIRTH, 0.2, (FrBodyId){8}, (FrBodyId){4});
    *e = fr_event_of_piece(FR_EVENT_DUST, 0.2, (FrBodyId){8}, 0);
    e->seq = 5;
    e->u.dust.mass = 2e-3;
    e->u.dust.centre = fr_vec3(1, 2, 0.3);
    e->u.dust.momentum = fr_vec3(4e-3, 0, 2e-3);
    e->u.dust.energy = 0.02;
    fr_event_log_init(&log, ctx);
    CHECK_OK(ctx, fr_event_log_put(&log, &birth));
    CHECK_OK(ctx, fr_event_log_put(&log, e));
    CHECK(fr_array_push(ctx, &grains.plane, floor));
    CHECK_OK(ctx, fr_grains_gather(ctx, &log, made_of, &of, &grains));
    fr_event_log_free(&log);
    return grains;
}

TEST(grains_have_what_the_dust_took_along) {
    FrContext *ctx = make_context(1);
    FrEvent e;
    FrGrains grains = fly(ctx, &e);
    double mass = 0.0, energy = 0.0, volume = 0.0;
    FrVec3 p = fr_vec3_zero, centre = fr_vec3_zero;
    for (int32_t k = 0; k < grains.grain.count; k++) {
        const FrGrain *g = &grains.grain.data[k];
        mass += g->mass;
        energy += 0.5 * g->mass * fr_length2(g->v);
        volume += 4.0 / 3.0 * FR_PI * g->radius * g->radius * g->radius;
        p = fr_axpy(g->mass, g->v, p);
        centre = fr_axpy(g->mass / e.u.dust.mass, g->x, centre);
    }
    CHECK_CLOSE(mass, e.u.dust.mass, 1e-12);                                 // rounding
    CHECK_CLOSE(energy, e.u.dust.energy, 1e-12);                             // rounding
    CHECK_CLOSE(volume * 2500.0, e.u.dust.mass, 1e-12);                      // rounding
    CHECK(fr_distance(p, e.u.dust.momentum) < 1e-12 * fr_length(p));         // rounding
    CHECK(fr_distance(centre, e.u.dust.centre) < 1e-12 * fr_length(centre)); // rounding
    fr_grains_free(ctx, &grains);
    fr_context_destroy(ctx);
}

TEST(grains_fall_and_lie) {
    FrContext *ctx = make_context(1);
    FrEvent e;
    FrGrains grains = fly(ctx, &e);
    CHECK(grains.grain.count > 10);
    for (int32_t k = 0; k < grains.grain.count; k++) {
        const FrGrain *g = &grains.grain.data[k];
        FrVec3 x, end;
        CHECK(!fr_grain_place(&grains, g, 0.19, &x));
        CHECK(fr_grain_place(&grains, g, 0.21, &x));
        if (g->lands > 0.21)
            CHECK_CLOSE(x.z, g->x.z + 0.01 * g->v.z - 0.5 * 9.81 * 1e-4, 1e-12); // rounding
        CHECK(fr_grain_place(&grains, g, 100.0, &end));
        CHECK_NEAR(end.z, g->radius, 1e-12); // rounding
        fr_grain_place(&grains, g, g->lands, &x);
        CHECK(fr_distance(x, end) < 1e-12); // rounding
    }
    fr_grains_free(ctx, &grains);
    fr_context_destroy(ctx);
}
