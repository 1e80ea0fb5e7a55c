// verb_listen.c: `fracas listen`: from its command line to its job.

#include "verbs.h"
#include <string.h>

static const Option options[] = {
    {"--shape", OPTION_TEXT, AT(listen, job.shape.file), "SURFACE|TETS|SCENE",
     "the thing that was struck", NULL},
    {"--material", OPTION_TEXT, AT(listen, material), "NAME|E=..,nu=..,rho=..",
     "about what it is made of: density and Poisson's ratio are taken from it", NULL},
    {"--body", OPTION_TEXT, AT(listen, job.shape.body), "NAME", "which body of a scene", NULL},
    SHAPE_OPTIONS(listen, job.shape),
};

static void prepare(VerbState *state) { state->u.listen.job = fr_listen_def_default(); }

static FrResult run(FrContext *ctx, VerbState *state, FrText *text) {
    FrListenDef *job = &state->u.listen.job;
    const char *material = state->u.listen.material;
    FrMaterial made_of;
    job->recording = state->line->word[0];
    job->shape.set = state->line->set;
    job->shape.set_count = state->line->set_count;
    job->material = material;
    if (material && strchr(material, '=')) {
        FrResult result = fr_material_parse(ctx, material, &made_of);
        if (result != FR_OK) return result;
        job->made_of = &made_of;
    }
    return fr_job_listen(ctx, job, state->line->json, text);
}

const Verb verb_listen = {
    .name = "listen",
    .form = "BLOW.wav --shape FILE --material NAME [options]",
    .summary = "fit stiffness and damping to a recording of one blow",
    .examples = "  fracas listen pot.wav --shape pot.obj --material ceramic\n"
                "  fracas listen bar.wav --shape bar.msh --material E=70e9,nu=0.33,rho=2700\n",
    .options = options,
    .option_count = COUNT(options),
    .min_words = 1,
    .max_words = 1,
    .prepare = prepare,
    .run = run,
};
