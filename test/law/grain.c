// grain.c: a bar of wood, pulled along its length, gives way as stiffly as its grain runs.

#include "test.h"
#include "build/build.h"
#include "context.h"
#include "math/vec.h"
#include <stdio.h>
#include <string.h>

/// 3 MPa at both ends of a bar of 20 cm along x; mass damping of twice the first tone's frequency,
/// so that it is at rest after 4 ms.
static const char form[] =
    "scene { gravity = {0, 0, 0} }\n"
    "material { 'still', base = 'oak', alpha2 = 60000 }\n"
    "local bar = body { material = 'still', shape = box { 20*cm, 2*cm, 2*cm }, cells = 1*cm,\n"
    "  mesher = 'structured', skin = 'none'%s }\n"
    "pressure { bar, where = above { x = 9.99*cm }, value = -3*MPa }\n"
    "pressure { bar, where = below { x = -9.99*cm }, value = -3*MPa }\n";

static double mean_end(const FrFrameView *view, double sign) {
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t n = 0; n < view->body[0].mesh->node_count; n++) {
        if (sign * view->body[0].mesh->x[3 * n] < 0.0999) continue;
        sum += view->frame[0].p[3 * n];
        count++;
    }
    return sum / count;
}

// stress over stretch of a bar whose grain points so, Pa
static double bar_modulus(const char *grain) {
    char text[800];
    snprintf(text, sizeof text, form, grain);
    FrContext *ctx = make_context(1);
    FrScene *scene = NULL;
    FrBuilt built = {0};
    FrBuildOptions options = {.coarseness = 1.0};
    double modulus = 0.0;
    CHECK_OK(ctx, fr_scene_parse_lua(ctx, text, strlen(text), "bar.lua", NULL, &scene));
    if (scene) CHECK_OK(ctx, fr_build_meshes(ctx, scene, &options, &built));
    if (scene) CHECK_OK(ctx, fr_build_world(&built, scene, 1e-3));
    if (scene) CHECK_OK(ctx, fr_build_result(&built));
    for (int k = 0; built.world && k < 4; k++) CHECK_OK(ctx, fr_world_step(built.world));
    if (built.world) {
        const FrFrameView *view = fr_world_view(built.world);
        double stretch = (mean_end(view, 1.0) - mean_end(view, -1.0)) / 0.2 - 1.0;
        modulus = 3e6 / stretch;
    }
    fr_built_free(&built);
    fr_scene_free(scene);
    fr_context_destroy(ctx);
    return modulus;
}

// model: linear tets hold a uniform strain exactly. What is left: the law is in Green's strain and
// the pressure follows the surface, both of the order of the strain (3e-3 across the grain).
#define TOL_STRAIN 5e-3

TEST(bar_is_as_stiff_as_its_grain) {
    // oak of the library: E along the grain, radial, tangential
    CHECK_CLOSE(bar_modulus(""), 13.8e9, TOL_STRAIN);
    CHECK_CLOSE(bar_modulus(", grain = {3, 0, 0}"), 13.8e9, TOL_STRAIN);
    CHECK_CLOSE(bar_modulus(", grain = {-1, 0, 0}"), 13.8e9, TOL_STRAIN);
    CHECK_CLOSE(bar_modulus(", grain = {0, 1, 0}"), 0.154 * 13.8e9, TOL_STRAIN);
    CHECK_CLOSE(bar_modulus(", grain = {0, 0, 1}"), 0.082 * 13.8e9, TOL_STRAIN);
}

// at an angle in the plane of grain and radius:
//     1/E(a) = cos^4/Ex + sin^4/Ey + cos^2 sin^2 (1/Gxy - 2 nu_xy/Ex)     (Lekhnitskii)
TEST(bar_with_grain_at_an_angle) {
    double Ex = 13.8e9, Ey = 0.154 * Ex, Gxy = 0.089 * Ex, nu = 0.350;
    double c2 = cos(0.5) * cos(0.5), s2 = 1.0 - c2;
    double wanted = 1.0 / (c2 * c2 / Ex + s2 * s2 / Ey + c2 * s2 * (1.0 / Gxy - 2.0 * nu / Ex));
    CHECK_CLOSE(bar_modulus(", grain = {math.cos(0.5), math.sin(0.5), 0}"), wanted, TOL_STRAIN);
}

TEST(grain_needs_a_direction) {
    FrContext *ctx = make_context(1);
    FrScene *scene = NULL;
    static const char text[] = "body { material = 'oak', shape = ball(1), grain = {0, 0, 0} }";
    CHECK_INT(fr_scene_parse_lua(ctx, text, sizeof text - 1, "a.lua", NULL, &scene), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(ctx), "a.lua:1:6: bodies[1]: grain has no direction");
    fr_context_destroy(ctx);
}
