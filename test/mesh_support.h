// mesh_support.h: contexts, distance fields and checks that several mesh tests share.
#pragma once
#include "test.h"
#include "context.h"
#include "geom/field.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"

/// Run `work` with the k-th allocation refused, for every k until it succeeds: each refusal must
/// end in FR_NO_MEMORY, and nothing may stay behind.
__attribute__((unused)) static void refuse_each(FrResult (*work)(FrContext *ctx)) {
    for (int k = 1; k < 5000; k++) {
        Refuser r = {0};
        FrContext *ctx = make_refusing_context(&r);
        CHECK(ctx != NULL);
        if (!ctx) return;
        r.refuse_at = r.calls + k;
        FrResult result = work(ctx);
        bool refused = r.calls >= r.refuse_at;
        fr_context_destroy(ctx);
        CHECK_INT(r.live, 0);
        CHECK_INT(result, refused ? FR_NO_MEMORY : FR_OK);
        if (!refused || result != FR_NO_MEMORY) return;
    }
}

typedef enum BodyKind { BALL, TORUS, ROD, BRICK, PAIR, PLATE, BITTEN } BodyKind;

/// A shape for tests: size numbers, then turned and moved.
typedef struct Body {
    BodyKind kind;
    double a, b, c;
    FrQuat turn;
    FrVec3 at;
} Body;

static double brick(FrVec3 p, double x, double y, double z) {
    FrVec3 q = {fabs(p.x) - x, fabs(p.y) - y, fabs(p.z) - z};
    FrVec3 out = {fr_max(q.x, 0), fr_max(q.y, 0), fr_max(q.z, 0)};
    return fr_length(out) + fr_min(fr_max(q.x, fr_max(q.y, q.z)), 0);
}

__attribute__((unused)) static double body_distance(const void *user, FrVec3 x) {
    const Body *s = user;
    FrVec3 p = fr_quat_rotate(fr_quat_conj(s->turn), fr_sub(x, s->at));
    double r = sqrt(p.x * p.x + p.y * p.y);
    switch (s->kind) {
    case BALL:
        return fr_length(p) - s->a;
    case TORUS:
        return sqrt((r - s->a) * (r - s->a) + p.z * p.z) - s->b;
    case ROD: { // radius a, half height b
        double q = r - s->a, w = fabs(p.z) - s->b;
        double u = fr_max(q, 0), v = fr_max(w, 0);
        return sqrt(u * u + v * v) + fr_min(fr_max(q, w), 0);
    }
    case BRICK:
    case PLATE:
        return brick(p, s->a, s->b, s->c);
    case PAIR: // two balls, radius a, centres b from the middle
        return fr_min(fr_distance(p, fr_vec3(s->b, 0, 0)), fr_distance(p, fr_vec3(-s->b, 0, 0))) -
               s->a;
    case BITTEN: // a brick without a ball
        return fr_max(brick(p, s->a, s->a, s->a), s->b - fr_distance(p, fr_vec3(s->a, s->a, s->a)));
    }
    return 0;
}

__attribute__((unused)) static FrField body_field(const Body *body) {
    double reach = 0;
    switch (body->kind) {
    case BALL:
        reach = body->a;
        break;
    case TORUS:
    case PAIR:
        reach = body->a + body->b;
        break;
    case ROD:
        reach = sqrt(body->a * body->a + body->b * body->b);
        break;
    case BRICK:
    case PLATE:
        reach = sqrt(body->a * body->a + body->b * body->b + body->c * body->c);
        break;
    case BITTEN:
        reach = 1.7321 * body->a;
        break;
    }
    FrVec3 r = {reach, reach, reach};
    return (FrField){body_distance, body, {fr_sub(body->at, r), fr_add(body->at, r)}};
}

/// Conforming, positive, nothing floating.
__attribute__((unused)) static void check_mesh(FrContext *ctx, const FrTetMesh *mesh) {
    FrMeshCheck check;
    CHECK_OK(ctx, fr_tetmesh_check(ctx, mesh, &check));
}

__attribute__((unused)) static FrSurfaceCheck surface_facts(FrContext *ctx, const FrTetMesh *mesh) {
    FrSurface surface;
    FrSurfaceCheck facts = {0};
    CHECK_OK(ctx, fr_tetmesh_surface(ctx, mesh, &surface));
    CHECK_OK(ctx, fr_surface_check(ctx, &surface, &facts));
    fr_surface_free(ctx, &surface);
    return facts;
}
