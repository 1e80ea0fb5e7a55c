// appearance.c: the appearance of the solids of a scene: taken out of what decides the motion, and
// put on a recording that was made with others.

#include "build/appearance.h"
#include "build/build.h"
#include <math.h>
#include <string.h>

static const FrVec3 unset = {(double)NAN, (double)NAN, (double)NAN};

// material and colour as a run would have them; false: the scene has no such material
static bool look_of(FrContext *ctx, const FrScene *scene, const char *material, FrVec3 colour,
                    FrMaterial *look) {
    if (fr_scene_material(ctx, scene, material, look) != FR_OK) return false;
    fr_set_colour(colour, look);
    return true;
}

static bool look_of_view(FrContext *ctx, const FrScene *scene, const FrBodyView *view,
                         FrMaterial *look) {
    if (view->kind == FR_BODY_PLANE)
        return scene->ground &&
               look_of(ctx, scene, scene->ground->material, scene->ground->colour, look);
    if (!view->name) return false;
    for (int32_t k = 0; k < scene->bodies_count; k++)
        if (!strcmp(scene->bodies[k].name, view->name))
            return look_of(ctx, scene, scene->bodies[k].material, scene->bodies[k].colour, look);
    for (int32_t k = 0; k < scene->spheres_count; k++)
        if (!strcmp(scene->spheres[k].name, view->name))
            return look_of(ctx, scene, scene->spheres[k].material, scene->spheres[k].colour, look);
    return false;
}

void fr_appearance_paint(FrContext *ctx, FrRecording *recording, const FrScene *scene) {
    int32_t count = fr_recording_info(recording)->body_count;
    for (int32_t k = 0; k < count; k++) {
        FrRecordingBody body;
        FrMaterial look;
        int32_t root = k;
        // what the scene does not name looks like who it came from
        fr_recording_body(recording, root, &body);
        bool found = look_of_view(ctx, scene, body.view, &look);
        while (!found && body.parent >= 0 && body.parent < root) {
            root = body.parent;
            fr_recording_body(recording, root, &body);
            found = look_of_view(ctx, scene, body.view, &look);
        }
        if (found) fr_recording_paint(recording, k, &look);
    }
}

static void hash_look(FrHash *hash, const FrMaterial *look) {
    for (int k = 0; k < 3; k++) fr_hash_f64(hash, (double)look->colour[k]);
    fr_hash_f64(hash, (double)look->roughness);
    fr_hash_f64(hash, (double)look->metallic);
    fr_hash_f64(hash, (double)look->opacity);
    for (int k = 0; k < 3; k++) fr_hash_f64(hash, (double)look->inside[k]);
}

void fr_appearance_hash(FrContext *ctx, const FrScene *scene, FrHash *hash) {
    FrMaterial look;
    for (int32_t k = 0; k < scene->bodies_count; k++)
        if (look_of(ctx, scene, scene->bodies[k].material, scene->bodies[k].colour, &look))
            hash_look(hash, &look);
    for (int32_t k = 0; k < scene->spheres_count; k++)
        if (look_of(ctx, scene, scene->spheres[k].material, scene->spheres[k].colour, &look))
            hash_look(hash, &look);
    if (scene->ground && look_of(ctx, scene, scene->ground->material, scene->ground->colour, &look))
        hash_look(hash, &look);
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
