// build_births.c: bodies and spheres of a scene that come and go while it runs.

#include "build/build.h"
#include <math.h>
#include <string.h>

/// s: rounding of times that are meant to be at the beginning of a macro step.
#define ON_TIME 1e-9

/// One body or sphere of a scene.
typedef struct Solid {
    const char *name;
    const char *parent;
    double born, dies; ///< s; dies NaN: never
    FrBodyId *id;
} Solid;

static Solid solid_of(const FrBuilt *built, const FrScene *scene, int32_t k) {
    int32_t ball = k - scene->bodies_count;
    if (ball >= 0) {
        const FrSceneSphere *s = &scene->spheres[ball];
        return (Solid){s->name, s->parent, s->born, s->dies, &built->sphere[ball]};
    }
    const FrSceneBody *b = &scene->bodies[k];
    return (Solid){b->name, b->parent, b->born, b->dies, &built->body[k]};
}

static int32_t solid_count(const FrScene *scene) {
    return scene->bodies_count + scene->spheres_count;
}

int32_t fr_scene_solid(const FrScene *scene, const char *name) {
    for (int32_t k = 0; k < scene->bodies_count; k++)
        if (!strcmp(scene->bodies[k].name, name)) return k;
    for (int32_t k = 0; k < scene->spheres_count; k++)
        if (!strcmp(scene->spheres[k].name, name)) return scene->bodies_count + k;
    return -1;
}

static bool left_out(const FrBuilt *built, const FrScene *scene, int32_t k) {
    return k < scene->bodies_count && !built->mesh[k].mesh.tet_count;
}

FrResult fr_build_parent(const FrBuilt *built, const FrScene *scene, const char *parent,
                         FrBodyId *id) {
    *id = (FrBodyId){0};
    if (!parent || !parent[0]) return FR_OK;
    int32_t k = fr_scene_solid(scene, parent);
    if (k >= 0) *id = *solid_of(built, scene, k).id;
    if (k >= 0 && (id->index1 || left_out(built, scene, k))) return FR_OK;
    return fr_fail(built->ctx, FR_BAD_USE, "its parent %s lived for no macro step", parent);
}

bool fr_built_parent_there(const FrBuilt *built, const FrScene *scene, int32_t solid) {
    const char *parent = solid_of(built, scene, solid).parent;
    int32_t k = parent && parent[0] ? fr_scene_solid(scene, parent) : -1;
    return k < 0 || left_out(built, scene, k) || solid_of(built, scene, k).id->index1;
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

// its time has come
static bool is_due(const FrBuilt *built, const FrScene *scene, int32_t k) {
    bool there = solid_of(built, scene, k).id->index1 || left_out(built, scene, k);
    return !there && fr_built_lives(built, scene, k);
}

// those whose parents are there; until no more are
static FrResult bear_children(FrBuilt *built, const FrScene *scene) {
    bool any = true;
    while (any) {
        any = false;
        for (int32_t k = 0; k < solid_count(scene); k++) {
            const char *parent = solid_of(built, scene, k).parent;
            if (!parent || !parent[0] || !is_due(built, scene, k)) continue;
            if (!fr_built_parent_there(built, scene, k)) continue;
            FR_TRY(bear(built, scene, k));
            any = solid_of(built, scene, k).id->index1;
        }
    }
    return FR_OK;
}

// "cup.2.1" is a piece of "cup.2", and that one of "cup"
static bool names_piece(const char *name, const char *whole) {
    size_t length = strlen(whole);
    return !strncmp(name, whole, length) && name[length] == '.' &&
           strspn(name + length, ".0123456789") == strlen(name + length);
}

// it broke into others, which go in its place
static FrResult destroy_pieces(FrBuilt *built, const FrScene *scene, const char *whole) {
    const FrFrameView *view = fr_world_view(built->world);
    if (!view) return fr_no_memory(built->ctx, "a frame");
    int32_t count = 0;
    FrBodyId *id = FR_NEW(built->ctx, FrBodyId, view->body_count + 1);
    if (!id) return fr_no_memory(built->ctx, "pieces");
    for (int32_t b = 0; b < view->body_count; b++)
        if (view->body[b].kind != FR_BODY_PLANE && names_piece(view->body[b].name, whole) &&
            fr_scene_solid(scene, view->body[b].name) < 0)
            id[count++] = view->body[b].id;
    FrResult result = FR_OK;
    for (int32_t k = 0; result == FR_OK && k < count; k++)
        result = fr_body_destroy(built->world, id[k]);
    fr_free(built->ctx, id);
    return result;
}

// children come while their parents are there
FrResult fr_build_births(FrBuilt *built, const FrScene *scene) {
    FR_TRY(bear_children(built, scene));
    for (int32_t k = 0; k < solid_count(scene); k++) {
        Solid solid = solid_of(built, scene, k);
        if (!solid.id->index1 || fr_built_lives(built, scene, k)) continue;
        FR_TRY(fr_body_alive(built->world, *solid.id) ? fr_body_destroy(built->world, *solid.id)
                                                      : destroy_pieces(built, scene, solid.name));
        *solid.id = (FrBodyId){0};
    }
    for (int32_t k = 0; k < solid_count(scene); k++)
        if (is_due(built, scene, k) && fr_built_parent_there(built, scene, k))
            FR_TRY(bear(built, scene, k));
    FR_TRY(bear_children(built, scene));
    for (int32_t k = 0; k < solid_count(scene); k++) // orphans say so
        if (is_due(built, scene, k)) FR_TRY(bear(built, scene, k));
    return FR_OK;
}

/// Of a body that was born while the world ran and broke into others before it was found again.
static const FrBodyId broken_id = {-1};

// had its time come before the last step?
static bool was_due(const FrBuilt *built, const Solid *solid) {
    double now = fr_world_time(built->world), ticks = (double)fr_world_tick(built->world);
    return ticks > 0.0 && now * (ticks - 1.0) / ticks + ON_TIME >= solid->born;
}

FrResult fr_build_find(FrBuilt *built, const FrScene *scene) {
    const FrFrameView *view = fr_world_view(built->world);
    if (!view) return fr_no_memory(built->ctx, "a frame");
    for (int32_t k = 0; k < solid_count(scene); k++) {
        Solid solid = solid_of(built, scene, k);
        FrBodyId first = solid.id->index1 ? *solid.id : broken_id;
        *solid.id = (FrBodyId){0};
        for (int32_t b = 0; b < view->body_count && !solid.id->index1; b++)
            // the ground is no solid, and its name may be one's too
            if (view->body[b].kind != FR_BODY_PLANE && !strcmp(view->body[b].name, solid.name))
                *solid.id = view->body[b].id;
        // what broke into others is not born again
        if (!solid.id->index1 && was_due(built, &solid)) *solid.id = first;
    }
    return FR_OK;
}
