// verb_modes.c: `fracas modes`: from its command line to its job.

#include "verbs.h"
#include <stddef.h>

#define AT(field) (offsetof(VerbState, u.modes.field) - offsetof(VerbState, u))

static const char *const unit_choices[] = {"m", "cm", "mm", "in", NULL};
static const double unit_sizes[] = {1.0, 1e-2, 1e-3, 0.0254};
static const char *const up_choices[] = {"z", "y", NULL};
static const char *const order_choices[] = {"auto", "1", "2", NULL};
static const char *const mass_choices[] = {"consistent", "lumped", NULL};

static const Option options[] = {
    {"--material", OPTION_TEXT, AT(job.material), "NAME|E=..,nu=..,rho=..",
     "what it is made of (a scene's own)", NULL},
    {"--max-freq", OPTION_NUMBER, AT(job.max_hz), "HZ", "up to this frequency (20000)", NULL},
    {"--count", OPTION_INT, AT(job.count), "N", "no more than this many modes", NULL},
    {"--order", OPTION_CHOICE, AT(order), "1|2",
     "nodes of a tet: 4, or 10 with mid-nodes on the true shape (2; a mesh file as it is)",
     order_choices},
    {"--mass", OPTION_CHOICE, AT(mass), "consistent|lumped",
     "how mass is spread over nodes (consistent)", mass_choices},
    {"-o", OPTION_TEXT, AT(job.output), "FILE.json|.csv|.png|.dsp|.csd|.scd",
     "write them too; shapes as .png, Faust .dsp, Csound .csd, SuperCollider .scd", NULL},
    {"--body", OPTION_TEXT, AT(job.body), "NAME", "which body of a scene", NULL},
    {"--set", OPTION_SETTING, 0, "NAME=VALUE", "change a param of the scene", NULL},
    {"--size", OPTION_LENGTH, AT(job.size), "H", "target edge, m (or 5mm, 2cm)", NULL},
    {"--unit", OPTION_CHOICE, AT(unit), "m|cm|mm|in", "unit of the file (m)", unit_choices},
    {"--up", OPTION_CHOICE, AT(up), "z|y", "which axis of the file points up (z)", up_choices},
    {"--no-cache", OPTION_FLAG, AT(job.no_cache), NULL, "compute anew and keep nothing", NULL},
};

static FrResult run(FrContext *ctx, VerbState *state, FrText *text) {
    FrModesJob *job = &state->u.modes.job;
    job->input = state->line->word[0];
    job->set = state->line->set;
    job->set_count = state->line->set_count;
    job->unit = unit_sizes[state->u.modes.unit];
    job->up_y = state->u.modes.up == 1;
    job->order = state->u.modes.order;
    job->lumped = state->u.modes.mass == 1;
    return fr_job_modes(ctx, job, state->line->json, text);
}

const Verb verb_modes = {
    .name = "modes",
    .form = "MESH|SURFACE|SCENE [options]",
    .summary = "how a body rings: frequencies, notes, decay times, gains",
    .examples = "  fracas modes bowl.obj --material bronze\n"
                "  fracas modes bar.msh --material E=210GPa,nu=0.3,rho=7850 --count 12\n"
                "  fracas modes scenes/hello.lua --body bunny -o bunny.dsp\n",
    .options = options,
    .option_count = (int32_t)(sizeof options / sizeof options[0]),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
