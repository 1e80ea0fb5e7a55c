// body_model.c: which model moves a body of a scene: the one it names, or what is chosen for it.

#include "scene/scene.h"

FrModel fr_scene_model(const FrSceneBody *body, bool *open) {
    const FrTetMesh some = {0}; // bodies of scenes have tets; spheres are lists of their own
    FrBodyDef def = fr_body_def_default();
    def.model = body->model;
    def.mesh = &some;
    if (open) *open = body->model == FR_MODEL_AUTO;
    return fr_model_choose(&def);
}
