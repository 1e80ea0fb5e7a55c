// shatter_constants.c: what constants of shattering are of, each by itself: twice or half of one
// would be noticed.

#include "modal_kit.h"
#include "mesh/topology.h"
#include "shatter/shatter_inside.h"
#include "world_kit.h"

/// A body of glass that may shatter.
typedef struct Glass {
    FrContext *ctx;
    FrTetMesh mesh;
    FrSurface surface;
    FrMaterial material;
    FrShatter *body;
} Glass;

static Glass plate(FrVec3 size, int nx, int ny, int nz) {
    Glass g = {.ctx = make_modal_context(1)};
    FrBodyDef def = fr_body_def_default();
    g.mesh = kit_box(g.ctx, size, nx, ny, nz, 1);
    CHECK(fr_material_find("glass", &g.material));
    CHECK_OK(g.ctx, fr_tetmesh_surface(g.ctx, &g.mesh, &g.surface));
    def.mesh = &g.mesh;
    def.surface = &g.surface;
    def.material = &g.material;
    def.material_count = 1;
    CHECK_OK(g.ctx, fr_shatter_create(g.ctx, &def, &g.body));
    return g;
}

static void drop_plate(Glass *g) {
    fr_shatter_destroy(g->body);
    fr_surface_free(g->ctx, &g->surface);
    fr_tetmesh_free(g->ctx, &g->mesh);
    fr_context_destroy(g->ctx);
}

// Under what pushes it glass is crushed, not cracked: tension of one node counts from half a wall
// off the contact on.
TEST(stress_within_half_a_wall_of_a_contact_does_not_count) {
    Glass g = plate(fr_vec3(0.04, 0.04, 0.004), 4, 4, 1);
    FrStrike strike = {.point_count = 1};
    const double way[2] = {0.375, 0.75}; // walls
    g.body->field = FR_NEW(g.ctx, FrSym3, g.mesh.node_count);
    g.body->field[0].xx = 2.0 * g.material.strength;
    for (int k = 0; k < 2; k++) {
        double share;
        strike.self.point[0] = fr_add(fr_get3(g.mesh.x, 0), fr_vec3(0, way[k] * g.body->wall, 0.0));
        CHECK_OK(g.ctx, fr_shatter_stands(g.body, &strike, &share));
        CHECK_NEAR(share, k ? 2.0 : 0.0, 1e-12); // rounding of an eigenvalue
    }
    drop_plate(&g);
}

// A blow is followed with the modes that one hears, up to 20 kHz, and of these with the lowest 60.
TEST(a_blow_has_the_modes_that_one_hears) {
    Glass tile = plate(fr_vec3(0.06, 0.05, 0.004), 12, 10, 1);
    Glass pane = plate(fr_vec3(0.5, 0.5, 0.004), 16, 16, 1);
    CHECK_OK(tile.ctx, fr_shatter_need_stress(tile.body));
    CHECK_OK(pane.ctx, fr_shatter_need_stress(pane.body));
    FrStressModes few = fr_stress_modes(tile.body->stress);
    double highest = few.count ? sqrt(few.lambda[few.count - 1]) / (2.0 * FR_PI) : 0.0;
    printf("  tile: %d modes up to %.0f Hz\n", few.count, highest);
    CHECK(few.count < 60 && highest <= 20e3 && highest > 10e3);
    CHECK_INT(fr_stress_modes(pane.body->stress).count, 60);
    drop_plate(&tile);
    drop_plate(&pane);
}

// An even pressure on a half space presses its disc in by (1 - nu^2) / (pi E) F <1/r> in the mean
// (Boussinesq), <1/r> over pairs of places of the disc; over one place it is 4 E(s) / (pi R), s
// from the middle over R, E the complete elliptic integral.
TEST(a_disc_under_even_pressure_sinks_in_as_hertz_has_it) {
    enum { STEPS = 400 };
    double mean = 0.0, pi = 3.14159265358979324;
    for (int i = 0; i < STEPS; i++) {
        double s = (i + 0.5) / STEPS, integral = 0.0;
        for (int k = 0; k < STEPS; k++) {
            double sine = sin(0.5 * pi * (k + 0.5) / STEPS);
            integral += sqrt(1.0 - s * s * sine * sine) * 0.5 * pi / STEPS;
        }
        mean += 2.0 * s / STEPS * 4.0 * integral / pi;
    }
    // statistics: steps of the sums, and four digits of the constant
    CHECK_CLOSE(FR_DISC_DENT, mean / pi, 1e-4);
}

// Cracks that did not get through are tried again when 1.3 times as much is stored.
TEST(cracks_are_tried_again_when_more_is_stored) {
    Glass g = plate(fr_vec3(0.06, 0.02, 0.004), 12, 4, 2);
    FrShatter *s = g.body;
    FrStruck struck;
    // three points bend it
    FrBearing bearing = {.point_count = 3, .dt = 2.0 * FR_BEARS_LASTS};
    for (int k = 0; k < 3; k++) {
        bearing.point[k] = fr_vec3(0.025 * (k - 1), 0.0, k == 1 ? 0.002 : -0.002);
        bearing.force[k] = fr_vec3(0, 0, k == 1 ? -4e3 : 2e3);
    }
    CHECK_OK(g.ctx, fr_shatter_bear(s, &bearing, &struck));
    double stored = s->borne.tried;
    CHECK(s->borne.share > 1.0 && stored > 0.0);
    s->borne.tried = stored / 1.15;
    CHECK_OK(g.ctx, fr_shatter_bear(s, &bearing, &struck));
    CHECK(s->borne.tried < stored);
    s->borne.tried = stored / 1.45;
    CHECK_OK(g.ctx, fr_shatter_bear(s, &bearing, &struck));
    CHECK_CLOSE(s->borne.tried, stored, 1e-12); // rounding: the same answer
    drop_plate(&g);
}
