// body_model.c: which model moves a body of a scene: the one it names, or what is chosen for it.

#include "scene/scene.h"

FrModel fr_scene_model(const FrSceneBody *body, bool *open) {
    if (open) *open = body->model == FR_MODEL_AUTO;
    return body->chosen;
}

static int32_t loaded_body(const FrSceneLoad *load) {
    switch (load->kind) {
    case FR_SCENE_FORCE:
        return load->force->body;
    case FR_SCENE_PRESSURE:
        return load->pressure->body;
    case FR_SCENE_BLAST:
        return load->blast->body;
    case FR_SCENE_DRIVE:
        return load->drive->body;
    case FR_SCENE_HEAT:
        return load->heat->body;
    }
    return -1;
}

// Loads act on nodes, and a blast without a body on those of all bodies.
static bool is_loaded(const FrScene *scene, int32_t body) {
    for (int32_t k = 0; k < scene->loads_count; k++) {
        int32_t of = loaded_body(&scene->loads[k]);
        if (of == body || (of < 0 && scene->loads[k].kind == FR_SCENE_BLAST)) return true;
    }
    return false;
}

// What only a solid with nodes can do keeps it one. What is fixed and never breaks could only bend.
static bool needs_nodes(const FrScene *scene, int32_t k) {
    const FrSceneBody *body = &scene->bodies[k];
    bool bends = body->crack.off && body->fixed_count;
    return bends || body->parts_count || body->cuts_count || is_loaded(scene, k);
}

void fr_scene_choose_models(FrContext *ctx, FrScene *scene) {
    const FrTetMesh some = {0}; // bodies of scenes have tets; spheres are lists of their own
    for (int32_t k = 0; k < scene->bodies_count; k++) {
        FrSceneBody *body = &scene->bodies[k];
        FrMaterial material;
        FrBodyDef def = fr_body_def_default();
        def.model = body->model;
        def.mesh = &some;
        def.crack = body->crack;
        // a material that is wrong is reported later
        bool known = fr_scene_material(ctx, scene, body->material, &material) == FR_OK;
        if (known && !needs_nodes(scene, k)) def.material = &material, def.material_count = 1;
        body->chosen = fr_model_choose(&def);
    }
}
