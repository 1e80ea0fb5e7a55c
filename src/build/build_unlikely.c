// build_unlikely.c: numbers about breaking that are probably slips, most of them of a unit, warned
// of with what was probably meant.

#include "build/build.h"
#include "material/laws.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include <math.h>
#include <stdio.h>

/// Strengths of one material differ by less than this; those of the library's reach from 1e-4 of
/// the stiffness (concrete) to 10 times it (rubber).
#define STRENGTHS_DIFFER 1e3
#define USUAL_STRAIN 1e-3
#define LEAST_STRAIN 1e-6
#define MOST_STRAIN 100.0
/// A strength that this part of the weight of the body's own height is more than.
#define HEAVY_PART 0.1
/// Scans further apart than this many passes of a wave through the body see none of what is hit.
#define MOST_PASSES 10.0

// "; did you mean 40*MPa?", or nothing when no unit makes the number a usual one
static const char *meant_unit(double number, double usual, char text[64]) {
    static const struct {
        const char *name;
        double pascals;
    } units[] = {{"kPa", 1e3}, {"MPa", 1e6}, {"GPa", 1e9}};
    double nearest = log(STRENGTHS_DIFFER);
    text[0] = 0;
    for (int k = 0; k < 3; k++) {
        double off = fabs(log(number * units[k].pascals / usual));
        if (!(off < nearest)) continue;
        nearest = off;
        snprintf(text, 64, "; did you mean %g*%s?", number, units[k].name);
    }
    return text;
}

/// Between what a material's strength should lie, Pa.
typedef struct Usual {
    double least, usual, most;
    double against; ///< what that is measured by, Pa
    char of[160];   ///< that in words
} Usual;

static FrResult usual_strength(const FrBuilt *built, const FrScene *scene,
                               const FrSceneMaterial *from, const FrMaterial *material,
                               Usual *usual) {
    FrMaterial base = {0};
    double young = fr_young(material->lambda, material->mu);
    if (from->base[0]) FR_TRY(fr_scene_material(built->ctx, scene, from->base, &base));
    if (base.strength > 0.0) {
        *usual = (Usual){base.strength / STRENGTHS_DIFFER, base.strength,
                         base.strength * STRENGTHS_DIFFER, base.strength, ""};
        snprintf(usual->of, sizeof usual->of, "the strength of %s, %.4g Pa", base.name,
                 base.strength);
    } else {
        *usual =
            (Usual){young * LEAST_STRAIN, young * USUAL_STRAIN, young * MOST_STRAIN, young, ""};
        snprintf(usual->of, sizeof usual->of, "its stiffness, %.4g Pa", young);
    }
    return FR_OK;
}

static FrResult judge_strength(const FrBuilt *built, const FrScene *scene,
                               const FrSceneMaterial *from) {
    FrMaterial material;
    Usual usual;
    char meant[64];
    FR_TRY(fr_scene_material(built->ctx, scene, from->name, &material));
    if (material.tau > 0.0) return FR_OK; // it is not used, and a warning says so
    FR_TRY(usual_strength(built, scene, from, &material, &usual));
    if (from->strength < usual.least)
        fr_scene_warning(built->ctx, scene, from, NULL,
                         "strength = %g Pa is %.2g times %s: it breaks at a touch%s",
                         from->strength, from->strength / usual.against, usual.of,
                         meant_unit(from->strength, usual.usual, meant));
    else if (from->strength > usual.most)
        fr_scene_warning(built->ctx, scene, from, NULL,
                         "strength = %g Pa is %.2g times %s: nothing breaks it; strength = 0 says "
                         "the same, and costs less",
                         from->strength, from->strength / usual.against, usual.of);
    return FR_OK;
}

static double height_along(const FrTetMesh *mesh, FrVec3 direction) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int32_t n = 0; n < mesh->node_count; n++) {
        double at = fr_dot(fr_get3(mesh->x, n), direction);
        low = fr_min(low, at);
        high = fr_max(high, at);
    }
    return high - low;
}

// A body hung up by one end bears density g height there.
static void judge_weight(const FrBuilt *built, const FrScene *scene, int32_t k,
                         const FrMaterial *material) {
    const FrSceneBody *body = &scene->bodies[k];
    double g = fr_length(scene->scene.gravity);
    if (!(material->strength > 0.0) || material->tau > 0.0 || !(g > 0.0)) return;
    FrVec3 down =
        fr_quat_rotate(fr_quat_conj(fr_quat_from_euler(body->turn)), scene->scene.gravity);
    double height = height_along(&built->mesh[k].mesh, fr_scale(1.0 / g, down));
    double weight = material->density * g * height;
    if (material->strength < HEAVY_PART * weight)
        fr_scene_warning(built->ctx, scene, body, NULL,
                         "%s: the strength of %s, %g Pa, is far below what the body's own weight "
                         "makes (up to %.3g Pa over its height of %.3g m): it falls apart",
                         body->name, body->material, material->strength, weight, height);
}

static void judge_scans(const FrBuilt *built, const FrScene *scene, int32_t k,
                        const FrMaterial *material) {
    const FrSceneBody *body = &scene->bodies[k];
    const FrCrackDef *crack = &body->crack;
    double interval = crack->criterion.scan_interval;
    FrBox box = fr_tetmesh_bounds(&built->mesh[k].mesh);
    double pass = fr_distance(box.lo, box.hi) / fr_wave_speed_p(material);
    if (!(interval > 0.0)) return; // not given, or every step
    if (interval > scene->scene.duration)
        fr_scene_warning(
            built->ctx, scene, crack, body,
            "%s: scan_interval = %g s is longer than the scene, %g s: nothing scans for "
            "cracks, and none comes; a wave passes through the body in %.2g s, and "
            "without scan_interval scans come often enough",
            body->name, interval, scene->scene.duration, pass);
    else if (interval > MOST_PASSES * pass)
        fr_scene_warning(
            built->ctx, scene, crack, body,
            "%s: scan_interval = %g s is %.2g times what a wave takes through the body, "
            "%.2g s: what a blow would break is not seen; without scan_interval "
            "scans come often enough",
            body->name, interval, interval / pass, pass);
}

FrResult fr_build_unlikely(const FrBuilt *built, const FrScene *scene) {
    for (int32_t k = 0; k < scene->materials_count; k++)
        if (scene->materials[k].strength > 0.0)
            FR_TRY(judge_strength(built, scene, &scene->materials[k]));
    for (int32_t k = 0; k < scene->bodies_count; k++) {
        FrMaterial material;
        FR_TRY(fr_scene_material(built->ctx, scene, scene->bodies[k].material, &material));
        if (!built->body[k].index1 || fr_stays_whole(&scene->bodies[k], &material)) continue;
        judge_weight(built, scene, k, &material);
        judge_scans(built, scene, k, &material);
    }
    return FR_OK;
}
