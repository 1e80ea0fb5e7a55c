// verb_modes.c: `fracas modes`: from its command line to its job.

#include "verbs.h"
#include <string.h>

static const char *const order_choices[] = {"auto", "1", "2", NULL};
static const char *const mass_choices[] = {"consistent", "lumped", NULL};

static const Option options[] = {
    {"--material", OPTION_TEXT, AT(modes, material), "NAME|E=..,nu=..,rho=..",
     "what it is made of (a scene's own)", NULL},
    {"--max-freq", OPTION_NUMBER, AT(modes, job.max_hz), "HZ", "up to this frequency (20000)",
     NULL},
    {"--count", OPTION_COUNT, AT(modes, job.count), "N", "no more than this many modes", NULL},
    {"--order", OPTION_CHOICE, AT(modes, order), "1|2",
     "nodes of a tet: 4, or 10 with mid-nodes on the true shape (2; a mesh file as it is)",
     order_choices},
    {"--mass", OPTION_CHOICE, AT(modes, mass), "consistent|lumped",
     "how mass is spread over nodes (consistent)", mass_choices},
    {"-o", OPTION_TEXT, AT(modes, job.output), "FILE.json|.csv|.png|.dsp|.csd|.scd",
     "write them too; Faust .dsp, Csound .csd, SuperCollider .scd; .png: shapes (dark: at rest, "
     "hold it there; bright: moves most)",
     NULL},
    {"--body", OPTION_TEXT, AT(modes, job.body), "NAME", "which body of a scene", NULL},
    SHAPE_OPTIONS(modes, job),
    {"--no-cache", OPTION_FLAG, AT(modes, job.no_cache), NULL, "compute anew and keep nothing",
     NULL},
};

// a name, or constants
static FrResult material_option(FrContext *ctx, const char *text, FrMaterial *made_of,
                                FrModesDef *job) {
    job->material = text;
    if (!text || !strchr(text, '=')) return FR_OK;
    job->made_of = made_of;
    return fr_material_parse(ctx, text, made_of);
}

static void prepare(VerbState *state) { state->u.modes.job = fr_modes_def_default(); }

static FrResult run(FrContext *ctx, VerbState *state, FrText *text) {
    FrModesDef *job = &state->u.modes.job;
    job->input = state->line->word[0];
    job->set = state->line->set;
    job->set_count = state->line->set_count;
    job->order = (FrTetOrder)state->u.modes.order;
    job->lumped = state->u.modes.mass == 1;
    FrMaterial made_of;
    FrResult result = material_option(ctx, state->u.modes.material, &made_of, job);
    return result == FR_OK ? fr_job_modes(ctx, job, state->line->json, text) : result;
}

const Verb verb_modes = {
    .name = "modes",
    .form = "MESH|SURFACE|SCENE [options]",
    .summary = "how a body rings: frequencies, notes, decay times, gains",
    .examples = "  fracas modes bowl.obj --material bronze\n"
                "  fracas modes bar.msh --material E=210GPa,nu=0.3,rho=7850 --count 12\n"
                "  fracas modes scenes/hello.lua --body bunny -o bunny.dsp\n",
    .options = options,
    .option_count = COUNT(options),
    .min_words = 1,
    .max_words = 1,
    .prepare = prepare,
    .run = run,
};
