// model.c: the rows that the library has, and which of them a body gets by itself.

#include "world/model.h"
#include "cut/crack_def.h"
#include "material/laws.h"
#include "world/world_tuning.h"

bool fr_is_brittle(const FrMaterial *m) {
    return m->strength > 0.0 && m->Gc > 0.0 && !(m->tau > 0.0) && !(m->yield_strain > 0.0) &&
           fr_young(m->lambda, m->mu) >= FR_STIFF;
}

// Stiff, of one material that breaks before it yields, whole: a blow decides in a moment.
static bool shatters(const FrBodyDef *def) {
    if (def->material_count != 1 || !def->material || !fr_crack_def_is_open(&def->crack))
        return false;
    return fr_is_brittle(def->material);
}

FrModel fr_model_choose(const FrBodyDef *def) {
    if (!def) return (FrModel){0};

    if (def->model != FR_MODEL_AUTO) return def->model;
    if (!def->mesh || def->kinematic) return FR_MODEL_FRAME;
    return shatters(def) ? FR_MODEL_SHATTER : FR_MODEL_FEM;
}

const FrModelOps *fr_model_row(FrModel model) {
    static const FrModelOps *const row[] = {[FR_MODEL_FEM] = &fr_model_fem,
                                            [FR_MODEL_FRAME] = &fr_model_frame,
                                            [FR_MODEL_SHATTER] = &fr_model_shatter,
                                            [FR_MODEL_MODAL] = &fr_model_modal,
                                            [FR_MODEL_COROT] = &fr_model_corot};
    size_t count = sizeof row / sizeof row[0];
    return (size_t)model < count ? row[model] : NULL;
}

// what every row has
static bool is_whole(const FrModelOps *r) {
    return r->name && r->create && r->destroy && r->step && r->view && r->pose && r->velocity &&
           r->inverse_mass && r->force && r->note_kinematic && r->traits && r->watch && r->energy &&
           r->momentum && r->impulse && r->hash && r->save && r->load;
}

const char *fr_model_flaw(const FrModelOps *row) {
    bool rows = row->stepping == FR_STEPS_ROWS, implicit = row->stepping == FR_STEPS_IMPLICIT;
    if (!is_whole(row))
        return "a function that every row needs is NULL: only dt_limit, backup, restore and "
               "predict depend on how it steps, and solid, pieces, breaks and frame on what it can";
    if (rows && !row->frame) return "what steps by rows needs `frame`: rows move its rigid state";
    if (!rows && row->frame) return "`frame` is of what steps by rows (FR_STEPS_ROWS)";
    if (!implicit && (!row->backup || !row->restore))
        return "what takes substeps needs backup and restore: a substep may be taken back";
    if (row->stepping == FR_STEPS_EXPLICIT && !row->dt_limit)
        return "what steps explicitly needs dt_limit: how long its substeps may be";
    if (implicit && !row->predict)
        return "what steps implicitly needs predict: contact acts in substeps of its own";
    if (!implicit && row->meet) return "`meet` is of what steps implicitly";
    if (implicit && row->pieces) return "`pieces` are of what steps explicitly";
    if (row->breaks && !row->solid)
        return "a row with `breaks` needs `solid`: cuts go through its nodes";
    if (row->shatters && !row->frame)
        return "a row with `shatters` needs `frame`: blows come by rows";
    return NULL;
}

FrModelTraits fr_model_traits(FrModel model) {
    const FrModelOps *row = fr_model_row(model);
    if (!row) return (FrModelTraits){.name = NULL};
    return (FrModelTraits){row->name,
                           row->solid != NULL,
                           row->breaks || row->shatters,
                           row->frame != NULL,
                           row->shatters != NULL,
                           fr_model_step_rate(row),
                           row->frame && row->frame->bends,
                           row->stepping == FR_STEPS_IMPLICIT};
}

FrModel fr_model_find(bool (*suits)(const FrModelTraits *traits)) {
    for (int k = FR_MODEL_AUTO + 1; fr_model_row((FrModel)k); k++) {
        FrModelTraits traits = fr_model_traits((FrModel)k);
        if (suits(&traits)) return (FrModel)k;
    }
    return FR_MODEL_AUTO;
}

FrModel fr_model_choose_with(const FrBodyDef *def, bool solvers) {
    FrModel model = fr_model_choose(def);
    bool lacks = !solvers && def->model == FR_MODEL_AUTO && fr_model_traits(model).shatters;
    return lacks ? FR_MODEL_FEM : model; // what is stiff deforms then, slowly
}

double fr_model_step_rate(const FrModelOps *row) {
    return row->shatters ? FR_SHATTER_HZ : FR_STEP_HZ;
}
