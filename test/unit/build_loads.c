// build_loads.c: loads on parts of a scene's body act on the parts that were meant, also where the
// body has cracks from the start.

#include "test.h"
#include "scene_help.h"
#include "build/build.h"
#include "math/vec.h"

#define STEP 1e-4 ///< s

// a bar, whole or cut through in the middle
#define BAR(cuts)                                                                                  \
    "scene { gravity = {0, 0, 0} } "                                                               \
    "local b = body { name = 'bar', material = 'rubber', mesher = 'structured', cells = 5*cm, "    \
    "  shape = box { 20*cm, 10*cm, 10*cm }, cuts = {" cuts "} } "
#define CUT "{ at = {0, 0, 0}, normal = {1, 0, 0}, radius = 1 }"
#define AT_ONE_END "pressure { b, value = 1000, where = above { x = 9.9*cm } }"

static FrVec3 momentum_of(const char *text) {
    FrContext *ctx = make_context(1);
    FrSceneOptions options = scene_options();
    FrScene *scene = NULL;
    FrBuilt built = {0};
    FrVec3 linear, angular;
    CHECK_OK(ctx, scene_from(ctx, text, &options, &scene));
    CHECK_OK(ctx, fr_build_meshes(ctx, scene, &(FrBuildOptions){.coarseness = 1.0}, &built));
    CHECK_OK(ctx, fr_build_world(&built, scene, STEP));
    CHECK_OK(ctx, fr_build_result(&built));
    CHECK_OK(ctx, fr_world_step(built.world));
    fr_world_momentum(built.world, &linear, &angular);
    fr_built_free(&built);
    fr_scene_free(scene);
    fr_context_destroy(ctx);
    return linear;
}

// 1 kPa on the face of 10 x 10 cm at x = 10 cm: 10 N against x, and none on the faces of the cut
TEST(pressure_on_a_part_of_a_cut_body) {
    FrVec3 whole = momentum_of(BAR("") AT_ONE_END), cut = momentum_of(BAR(CUT) AT_ONE_END);
    CHECK_NEAR(whole.x, -10.0 * STEP, 0.5 * 10.0 * STEP); // step: the first kick is half a one
    CHECK_NEAR(fr_distance(cut, whole), 0.0, 1e-12 * 10.0 * STEP); // rounding of sums over nodes
}

// on all of it: what it was before the cut is closed, so that its sum is none
TEST(pressure_on_all_of_a_cut_body) {
    FrVec3 p = momentum_of(BAR(CUT) "pressure { b, value = 1000 }");
    CHECK_NEAR(fr_length(p), 0.0, 1e-12 * 10.0 * STEP); // rounding of sums over the surface
}
