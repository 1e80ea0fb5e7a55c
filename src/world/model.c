// model.c: the rows that the library has, and which of them a body gets by itself.

#include "world/model.h"

FrModel fr_model_choose(const FrBodyDef *def) {
    if (def->model != FR_MODEL_AUTO) return def->model;
    return !def->mesh || def->kinematic ? FR_MODEL_FRAME : FR_MODEL_FEM;
}

const FrModelOps *fr_model_row(FrModel model) {
    static const FrModelOps *const row[] = {
        [FR_MODEL_FEM] = &fr_model_fem, [FR_MODEL_FRAME] = &fr_model_frame};
    size_t count = sizeof row / sizeof row[0];
    return (size_t)model < count ? row[model] : NULL;
}

FrModelTraits fr_model_traits(FrModel model) {
    const FrModelOps *row = fr_model_row(model);
    if (!row) return (FrModelTraits){.name = NULL};
    return (FrModelTraits){row->name, row->solid != NULL, row->breaks != NULL, row->frame != NULL};
}
