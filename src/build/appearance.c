// appearance.c: the appearance of the solids of a scene: taken out of what decides the motion, and
// put on a recording that was made with others.

#include "build/appearance.h"
#include "build/build.h"
#include <math.h>
#include <string.h>

static const FrVec3 unset = {(double)NAN, (double)NAN, (double)NAN};

// material and colour as a run would have them; false: the scene has no such material
static bool find_appearance(FrContext *ctx, const FrScene *scene, const char *material,
                            FrVec3 colour, FrMaterial *paint) {
    if (fr_scene_material(ctx, scene, material, paint) != FR_OK) return false;
    fr_set_colour(colour, paint);
    return true;
}

static bool appearance_of(FrContext *ctx, const FrScene *scene, const FrBodyView *view,
                          FrMaterial *paint) {
    if (view->kind == FR_BODY_PLANE)
        return scene->ground &&
               find_appearance(ctx, scene, scene->ground->material, scene->ground->colour, paint);
    if (!view->name) return false;
    for (int32_t k = 0; k < scene->bodies_count; k++)
        if (!strcmp(scene->bodies[k].name, view->name))
            return find_appearance(ctx, scene, scene->bodies[k].material, scene->bodies[k].colour,
                                   paint);
    for (int32_t k = 0; k < scene->spheres_count; k++)
        if (!strcmp(scene->spheres[k].name, view->name))
            return find_appearance(ctx, scene, scene->spheres[k].material, scene->spheres[k].colour,
                                   paint);
    return false;
}

void fr_appearance_paint(FrContext *ctx, FrRecording *recording, const FrScene *scene) {
    int32_t count = fr_recording_info(recording)->body_count;
    for (int32_t k = 0; k < count; k++) {
        FrRecordingBody body;
        FrMaterial paint;
        int32_t root = k;
        // what the scene does not name looks like who it came from
        fr_recording_body(recording, root, &body);
        bool found = appearance_of(ctx, scene, body.view, &paint);
        while (!found && body.parent >= 0 && body.parent < root) {
            root = body.parent;
            fr_recording_body(recording, root, &body);
            found = appearance_of(ctx, scene, body.view, &paint);
        }
        if (found) fr_recording_paint(recording, k, &paint);
    }
}

static void hash_appearance(FrHash *hash, const FrMaterial *paint) {
    for (int k = 0; k < 3; k++) fr_hash_f64(hash, (double)paint->colour[k]);
    fr_hash_f64(hash, (double)paint->roughness);
    fr_hash_f64(hash, (double)paint->metallic);
    fr_hash_f64(hash, (double)paint->opacity);
    for (int k = 0; k < 3; k++) fr_hash_f64(hash, (double)paint->inside[k]);
}

void fr_appearance_hash(FrContext *ctx, const FrScene *scene, FrHash *hash) {
    FrMaterial paint;
    for (int32_t k = 0; k < scene->bodies_count; k++)
        if (find_appearance(ctx, scene, scene->bodies[k].material, scene->bodies[k].colour, &paint))
            hash_appearance(hash, &paint);
    for (int32_t k = 0; k < scene->spheres_count; k++)
        if (find_appearance(ctx, scene, scene->spheres[k].material, scene->spheres[k].colour,
                            &paint))
            hash_appearance(hash, &paint);
    if (scene->ground &&
        find_appearance(ctx, scene, scene->ground->material, scene->ground->colour, &paint))
        hash_appearance(hash, &paint);
}

FrResult fr_appearance_take_out(FrContext *ctx, FrScene *scene, FrPlainScene *plain) {
    *plain = (FrPlainScene){.body = FR_NEW(ctx, FrSceneBody, scene->bodies_count + 1),
                            .sphere = FR_NEW(ctx, FrSceneSphere, scene->spheres_count + 1),
                            .material = FR_NEW(ctx, FrSceneMaterial, scene->materials_count + 1)};
    if (!plain->body || !plain->sphere || !plain->material)
        return fr_no_memory(ctx, "a scene without its appearance");
    for (int32_t k = 0; k < scene->bodies_count; k++) {
        plain->body[k] = scene->bodies[k];
        plain->body[k].colour = unset;
    }
    for (int32_t k = 0; k < scene->spheres_count; k++) {
        plain->sphere[k] = scene->spheres[k];
        plain->sphere[k].colour = unset;
    }
    for (int32_t k = 0; k < scene->materials_count; k++) {
        FrSceneMaterial *m = &plain->material[k];
        *m = scene->materials[k];
        m->colour = m->inside = unset;
        m->roughness = m->metallic = m->opacity = (double)NAN;
    }
    scene->bodies = plain->body;
    scene->spheres = plain->sphere;
    scene->materials = plain->material;
    if (!scene->ground) return FR_OK;
    plain->ground = *scene->ground;
    plain->ground.colour = unset;
    scene->ground = &plain->ground;
    return FR_OK;
}

void fr_plain_scene_free(FrContext *ctx, FrPlainScene *plain) {
    fr_free(ctx, plain->body);
    fr_free(ctx, plain->sphere);
    fr_free(ctx, plain->material);
}
