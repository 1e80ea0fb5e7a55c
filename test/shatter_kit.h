// shatter_kit.h: a body in the air that a ball strikes from below, and what it falls into.
#pragma once
#include "mesh/quality.h"
#include "mesh/topology.h"
#include "modal_kit.h"
#include "shatter/shatter_inside.h"

/// A body of glass in the air, and a ball of steel that strikes it from below.
typedef struct Struck {
    FrContext *ctx;
    FrTetMesh mesh;
    FrSurface surface;
    FrMaterial material;
    FrShatter *shatter;
    FrStrike strike;
    double mass; ///< kg
    int seeds;
    FrStruck struck; ///< of the last blow
    FrFallen fallen;
} Struck;

static inline double yielding_of(const FrMaterial *m) {
    double nu = fr_poisson(m->lambda, m->mu);
    return (1.0 - nu * nu) / fr_young(m->lambda, m->mu);
}

static inline void make_shatter(Struck *s, FrCrackDef crack) {
    FrBodyDef def = fr_body_def_default();
    fr_shatter_destroy(s->shatter);
    def.crack = crack;
    def.name = "pane";
    def.mesh = &s->mesh;
    def.surface = &s->surface;
    def.material = &s->material;
    def.material_count = 1;
    CHECK_OK(s->ctx, fr_shatter_create(s->ctx, &def, &s->shatter));
}

// struck in the middle of its underside by a ball of radius r, m
static inline Struck struck_box(FrVec3 size, double cells, double r, double speed) {
    Struck s = {.ctx = make_modal_context(1), .seeds = 10};
    FrMaterial steel;
    CHECK_OK(s.ctx, fr_mesh_scattered_box(s.ctx, size, cells, 1, &s.mesh));
    CHECK_OK(s.ctx, fr_tetmesh_surface(s.ctx, &s.mesh, &s.surface));
    CHECK(fr_material_find("s7-glass", &s.material) && fr_material_find("steel", &steel));
    s.mass = fr_tetmesh_props(&s.mesh).volume * s.material.density;
    double ball = 4.0 / 3.0 * FR_PI * r * r * r * steel.density;
    FrVec3 below = {0, 0, -0.5 * size.z}, above = {0, 0, 0.5 * size.z};
    s.strike = (FrStrike){.self = {.n = {0, 0, 1}, .point = {below}},
                          .other = {.n = {0, 0, -1}, .point = {above}},
                          .share = {1.0},
                          .point_count = 1,
                          .speed = speed,
                          .mobility = 1.0 / s.mass + 1.0 / ball,
                          .restitution = 0.5,
                          .step = 1.0 / 4800.0,
                          .yielding = yielding_of(&s.material) + yielding_of(&steel),
                          .curvature = 1.0 / r};
    make_shatter(&s, fr_crack_def_default());
    return s;
}

static inline void blow(Struck *s, int seed) {
    fr_fallen_free(&s->fallen);
    s->strike.self.shatter = s->shatter;
    s->strike.seed = (uint64_t)seed;
    CHECK_OK(s->ctx, fr_shatter_struck(s->shatter, &s->strike, &s->struck));
    CHECK(s->struck.breaks);
    if (s->struck.breaks)
        CHECK_OK(s->ctx, fr_shatter_fall_apart(s->shatter, &s->struck, &s->fallen));
}

static inline void leave(Struck *s) {
    fr_fallen_free(&s->fallen);
    fr_shatter_destroy(s->shatter);
    fr_surface_free(s->ctx, &s->surface);
    fr_tetmesh_free(s->ctx, &s->mesh);
    fr_context_destroy(s->ctx);
}
