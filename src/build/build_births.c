// build_births.c: bodies and spheres of a scene that come and go while it runs.

#include "build/build.h"
#include <math.h>
#include <string.h>

/// s: rounding of times that are meant to be at the beginning of a macro step.
#define ON_TIME 1e-9

/// One body or sphere of a scene.
typedef struct Solid {
    const char *name;
    double born, dies; ///< s; dies NaN: never
    FrBodyId *id;
} Solid;

static Solid solid_of(const FrBuilt *built, const FrScene *scene, int32_t k) {
    int32_t ball = k - scene->bodies_count;
    if (ball >= 0) {
        const FrSceneSphere *s = &scene->spheres[ball];
        return (Solid){s->name, s->born, s->dies, &built->sphere[ball]};
    }
    const FrSceneBody *b = &scene->bodies[k];
    return (Solid){b->name, b->born, b->dies, &built->body[k]};
}

static int32_t solid_count(const FrScene *scene) {
    return scene->bodies_count + scene->spheres_count;
}

bool fr_scene_births(const FrScene *scene) {
    bool any = false;
    for (int32_t k = 0; k < scene->bodies_count; k++) any = any || scene->bodies[k].born > 0.0;
    for (int32_t k = 0; k < scene->spheres_count; k++) any = any || scene->spheres[k].born > 0.0;
    return any;
}

// births and deaths wait for the first macro step that begins at their time or after it
bool fr_built_lives(const FrBuilt *built, const FrScene *scene, int32_t k) {
    Solid solid = solid_of(built, scene, k);
    double now = fr_world_time(built->world) + ON_TIME;
    return now >= solid.born && !(now >= solid.dies);
}

static FrResult bear(FrBuilt *built, const FrScene *scene, int32_t k) {
    FR_TRY(fr_build_solid(built, scene, k));
    if (k < scene->bodies_count) FR_TRY(fr_build_loads(built, scene, k));
    FR_TRY(fr_build_joints(built, scene, k));
    return fr_build_result(built);
}

static bool left_out(const FrBuilt *built, const FrScene *scene, int32_t k) {
    return k < scene->bodies_count && !built->mesh[k].mesh.tet_count;
}

FrResult fr_build_births(FrBuilt *built, const FrScene *scene) {
    for (int32_t k = 0; k < solid_count(scene); k++) {
        Solid solid = solid_of(built, scene, k);
        if (!solid.id->index1 || fr_built_lives(built, scene, k)) continue;
        FR_TRY(fr_body_destroy(built->world, *solid.id));
        *solid.id = (FrBodyId){0};
    }
    for (int32_t k = 0; k < solid_count(scene); k++) {
        bool there = solid_of(built, scene, k).id->index1 || left_out(built, scene, k);
        if (!there && fr_built_lives(built, scene, k)) FR_TRY(bear(built, scene, k));
    }
    return FR_OK;
}

FrResult fr_build_find(FrBuilt *built, const FrScene *scene) {
    const FrFrameView *view = fr_world_view(built->world);
    if (!view) return fr_no_memory(built->ctx, "a frame");
    for (int32_t k = 0; k < solid_count(scene); k++) {
        Solid solid = solid_of(built, scene, k);
        *solid.id = (FrBodyId){0};
        for (int32_t b = 0; b < view->body_count && !solid.id->index1; b++)
            // the ground is no solid, and its name may be one's too
            if (view->body[b].kind != FR_BODY_PLANE && !strcmp(view->body[b].name, solid.name))
                *solid.id = view->body[b].id;
    }
    return FR_OK;
}
