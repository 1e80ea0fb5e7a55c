// build_idle.c: what a scene says about breaking that does nothing, warned of before the first
// step.

#include "build/build.h"
#include "math/vec.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "world/cuts.h"
#include <math.h>

const char *fr_stays_whole(const FrSceneBody *body, const FrMaterial *material) {
    if (!fr_body_traits(body).breaks) return "a rigid frame does not break";
    if (body->crack.off) return "crack.off is true";
    bool strong = material->strength > 0.0 || material->tau > 0.0;
    return strong ? NULL : "its material has no strength to change";
}

static double to_nearest_node(const FrTetMesh *mesh, FrVec3 x) {
    double least = HUGE_VAL;
    for (int32_t n = 0; n < mesh->node_count; n++)
        least = fr_min(least, fr_distance(fr_get3(mesh->x, n), x));
    return least;
}

// of a regular tet, a^3 / (6 sqrt 2) its volume
static double regular_edge(double volume) { return cbrt(6.0 * sqrt(2.0) * volume); }

static void tell_cuts(const FrBuilt *built, const FrScene *scene, int32_t k) {
    const FrSceneBody *body = &scene->bodies[k];
    const FrTetMesh *mesh = &built->mesh[k].mesh;
    bool dropped = !fr_body_traits(body).breaks || body->crack.off;
    double edge = regular_edge(fr_tetmesh_props(mesh).volume / mesh->tet_count);
    for (int32_t c = 0; c < body->cuts_count; c++) {
        const FrSceneCut *cut = &body->cuts[c];
        double away = to_nearest_node(mesh, cut->at);
        if (dropped)
            fr_scene_warning(built->ctx, scene, cut, body, "%s: the cut is left out: %s",
                             body->name, fr_stays_whole(body, NULL));
        else if (!fr_world_cut_made(built->world, built->body[k], c))
            fr_scene_warning(
                built->ctx, scene, cut, body,
                "%s: the cut opens nothing: its disc, %.3g m from the nearest node of "
                "the body, with a radius of %.3g m, goes past it or along its surface "
                "(its place is in the body's own frame, before it is turned and moved)",
                body->name, away, cut->radius);
        else if (2.0 * cut->radius < edge)
            fr_scene_warning(built->ctx, scene, cut, body,
                             "%s: the cut, %.3g m across, is smaller than the cells (%.3g m), and "
                             "as large as they make it; smaller cells there make it as it is meant",
                             body->name, 2.0 * cut->radius, edge);
    }
}

static void tell_weak(const FrBuilt *built, const FrScene *scene, int32_t k,
                      const FrMaterial *material) {
    const FrSceneBody *body = &scene->bodies[k];
    const char *why = fr_stays_whole(body, material);
    for (int32_t w = 0; why && w < body->weaken_count; w++)
        fr_scene_warning(built->ctx, scene, &body->weaken[w], body, "%s: weaken does nothing: %s",
                         body->name, why);
    const FrSceneWeaken *thin = built->mesh[k].thin_weak;
    if (thin && !why)
        fr_scene_warning(built->ctx, scene, &thin->where, thin,
                         "%s: weaken does nothing: the region is thinner than the cells, and no "
                         "tet has its middle in it",
                         body->name);
}

// places that nothing falls into pieces from, or that lie outside
static void tell_seeds(const FrBuilt *built, const FrScene *scene, int32_t k,
                       const FrMaterial *material) {
    const FrSceneBody *body = &scene->bodies[k];
    const char *why = fr_stays_whole(body, material);
    if (!why && !fr_body_traits(body).shatters) why = "only what shatters has seeds";
    double edge = fr_tetmesh_mean_edge(&built->mesh[k].mesh);
    for (int32_t s = 0; s < body->seeds_count; s++) {
        double away = to_nearest_node(&built->mesh[k].mesh, body->seeds[s]);
        if (why)
            fr_scene_warning(built->ctx, scene, body->seeds, body, "%s: seeds do nothing: %s",
                             body->name, why);
        else if (away > edge)
            fr_scene_warning(built->ctx, scene, body->seeds, body,
                             "%s: seed %d is outside: %.3g m from the nearest node of the body "
                             "(its place is in the body's own frame, before it is turned and "
                             "moved)",
                             body->name, s + 1, away);
        if (why) return;
    }
}

// pieces are no smaller than min_piece, and no more of the body leaves than dust_mass
static void tell_dust(const FrBuilt *built, const FrScene *scene, int32_t k,
                      const FrMaterial *material) {
    const FrSceneBody *body = &scene->bodies[k];
    const FrCrackDef *crack = &body->crack;
    const char *why = fr_stays_whole(body, material);
    int32_t tets = built->mesh[k].mesh.tet_count;
    double min_piece = isnan(crack->min_piece) ? 1.0 : crack->min_piece;
    if (!(crack->pieces.dust_piece > 0.0)) return;
    if (why)
        fr_scene_warning(built->ctx, scene, crack, body, "%s: dust_piece does nothing: %s",
                         body->name, why);
    else if (crack->pieces.dust_piece <= min_piece)
        fr_scene_warning(built->ctx, scene, crack, body,
                         "%s: nothing leaves as dust: no piece smaller than min_piece = %g comes "
                         "off, and dust_piece is %g; a min_piece well below it makes some",
                         body->name, min_piece, crack->pieces.dust_piece);
    else if (min_piece > crack->pieces.dust_mass * tets)
        fr_scene_warning(built->ctx, scene, crack, body,
                         "%s: nothing leaves as dust: the smallest piece (min_piece = %g of %d "
                         "tets) is more than dust_mass = %g of the body",
                         body->name, min_piece, tets, crack->pieces.dust_mass);
    else if (crack->pieces.dust_piece <= 2.0 * min_piece)
        fr_log(built->ctx, FR_LOG_INFO,
               "%s: only pieces of %g to %g mean tets leave as dust; a lower min_piece makes more",
               body->name, min_piece, crack->pieces.dust_piece);
}

// pieces smaller than min_piece do not come off, so that none is small enough to be rigid
static void tell_rigid(const FrBuilt *built, const FrScene *scene, int32_t k) {
    const FrSceneBody *body = &scene->bodies[k];
    const FrCrackDef *crack = &body->crack;
    if (crack->pieces.rigid_piece > 0.0 && crack->pieces.rigid_piece <= crack->min_piece)
        fr_scene_warning(
            built->ctx, scene, crack, body,
            "%s: rigid_piece = %g does nothing: no piece smaller than min_piece = %g comes "
            "off; left out, it is twice min_piece",
            body->name, crack->pieces.rigid_piece, crack->min_piece);
}

/// Patches this much larger than the body are one patch.
#define PATCHES_TOO_LARGE 3.0

static void tell_patches(const FrBuilt *built, const FrScene *scene, int32_t k) {
    const FrSceneBody *body = &scene->bodies[k];
    FrBox box = fr_tetmesh_bounds(&built->mesh[k].mesh);
    FrVec3 size = fr_sub(box.hi, box.lo);
    double largest = fr_max(size.x, fr_max(size.y, size.z));
    for (int32_t w = 0; w < body->weaken_count; w++) {
        const FrSceneWeaken *weak = &body->weaken[w];
        if (!(weak->by.x < weak->by.y)) continue;
        if (weak->size == 0.0)
            fr_scene_warning(built->ctx, scene, weak, body,
                             "%s: by = {%g, %g} without a size of the patches is %g everywhere; "
                             "did you mean size = %.2g*m, a tenth of the body?",
                             body->name, weak->by.x, weak->by.y, weak->by.x, 0.1 * largest);
        else if (weak->size > PATCHES_TOO_LARGE * largest)
            fr_scene_warning(built->ctx, scene, weak, body,
                             "%s: patches of %g m in a body of %.3g m are one patch: its strength "
                             "hardly varies; did you mean size = %.2g*m, a tenth of the body?",
                             body->name, weak->size, largest, 0.1 * largest);
    }
}

// a soft body in parts falls apart without a crack
static FrResult tell_parts(const FrBuilt *built, const FrScene *scene, int32_t k) {
    const FrSceneBody *body = &scene->bodies[k];
    int32_t *component, parts;
    if (!fr_body_traits(body).deforms) return FR_OK;
    FR_TRY(fr_tet_components(built->ctx, &built->mesh[k].mesh, &component, &parts));
    fr_free(built->ctx, component);
    if (parts > 1)
        fr_scene_warning(built->ctx, scene, &body->shape, body,
                         "%s: begins in %d parts that no tet holds together", body->name, parts);
    return FR_OK;
}

// A bar under a stress s along it: the size of its deviatoric strain is sqrt(2/3) s / (2 mu), so
// that it yields at sqrt(3/2) 2 mu yield_strain.                                  [S3 eq. 3]
static void tell_brittle(const FrBuilt *built, const FrScene *scene, const FrSceneMaterial *from,
                         const FrMaterial *material) {
    double yields = sqrt(6.0) * material->mu * material->yield_strain;
    bool own = from->strength > 0.0 || from->yield_strain > 0.0;
    if (own && material->strength > 0.0 && !(material->tau > 0.0) && material->strength < yields)
        fr_scene_warning(
            built->ctx, scene, from, NULL,
            "a bar breaks at %.3g MPa (strength), before it yields at %.3g MPa "
            "(yield_strain %.3g): it breaks as brittle materials do; more strength, or "
            "a yield_strain below %.2g, lets it dent first",
            1e-6 * material->strength, 1e-6 * yields, material->yield_strain,
            material->strength / (sqrt(6.0) * material->mu));
}

// a raw threshold is taken before a strength, whichever of them the scene gives
static FrResult tell_materials(const FrBuilt *built, const FrScene *scene) {
    for (int32_t k = 0; k < scene->materials_count; k++) {
        const FrSceneMaterial *from = &scene->materials[k];
        FrMaterial material;
        FR_TRY(fr_scene_material(built->ctx, scene, from->name, &material));
        if (from->plastic_limit > 0.0 && material.yield_strain == 0.0)
            fr_scene_warning(built->ctx, scene, from, NULL,
                             "plastic_limit = %g does nothing: yield_strain is 0, and nothing "
                             "yields; give a yield_strain too, 0.01 say",
                             from->plastic_limit);
        if (from->strength > 0.0 && material.tau > 0.0)
            fr_scene_warning(built->ctx, scene, from, NULL,
                             "strength is not used: tau = %.4g N is%s; tau = 0 takes the strength",
                             material.tau, from->tau > 0.0 ? "" : ", which the base has");
        tell_brittle(built, scene, from, &material);
    }
    return FR_OK;
}

FrResult fr_build_idle(const FrBuilt *built, const FrScene *scene) {
    FR_TRY(tell_materials(built, scene));
    for (int32_t k = 0; k < scene->bodies_count; k++) {
        FrMaterial material;
        if (!built->body[k].index1) continue; // it was left out
        FR_TRY(fr_scene_material(built->ctx, scene, scene->bodies[k].material, &material));
        tell_cuts(built, scene, k);
        tell_weak(built, scene, k, &material);
        tell_seeds(built, scene, k, &material);
        tell_dust(built, scene, k, &material);
        if (!fr_stays_whole(&scene->bodies[k], &material)) {
            tell_rigid(built, scene, k);
            tell_patches(built, scene, k);
        }
        FR_TRY(tell_parts(built, scene, k));
    }
    return FR_OK;
}
