// verb_break.c: `fracas break`: from its command line to its job.

#include "verbs.h"
#include <stdio.h>

static const Option options[] = {
    {"--material", OPTION_TEXT, AT(breaking, job.material), "NAME",
     "what it is made of; without it: which ones break", NULL},
    {"--drop", OPTION_LENGTH, AT(breaking, drop), "HEIGHT",
     "fall of its lowest point onto concrete, m (75cm)", NULL},
    {"--hit", OPTION_PLACE, AT(breaking, hit), "X,Y,Z",
     "instead, it stands there and a steel ball of 3 cm radius flies at this point of the file, m",
     NULL},
    {"--speed", OPTION_NUMBER, AT(breaking, job.speed), "M/S", "of that ball (5)", NULL},
    {"--turn", OPTION_TURN, AT(breaking, turn), "X,Y,Z",
     "how it stands: degrees about x, then y, then z", NULL},
    FILE_OPTIONS(breaking, job),
    {"-o", OPTION_TEXT, AT(breaking, job.run.out), "DIR", "where to write (out/<file>-<material>)",
     NULL},
    GOING_OPTIONS(breaking, job.run, detail),
    LESS_OPTIONS(breaking, job.run),
};

static void prepare(VerbState *state) {
    state->u.breaking.job = fr_break_def_default();
    state->u.breaking.detail = (int32_t)state->u.breaking.job.run.detail;
}

static FrResult run(FrContext *ctx, VerbState *state, FrText *text) {
    FrBreakDef *job = &state->u.breaking.job;
    job->file = state->line->word[0];
    if (state->u.breaking.drop > 0.0) job->drop = state->u.breaking.drop;
    if (state->u.breaking.drop > 0.0 && state->u.breaking.hit.given) {
        fprintf(stderr, "fracas break: --drop or --hit, not both: what is hit stands there\n");
        return FR_BAD_USE;
    }
    if (state->u.breaking.hit.given) job->hit = &state->u.breaking.hit.at;
    if (state->u.breaking.turn.given) job->turn = state->u.breaking.turn.at;
    job->run.detail = (FrDetail)state->u.breaking.detail;
    job->run.has_seed = state->line->has_seed;
    job->run.seed = state->line->seed;
    job->run.command = state->command;
    return fr_job_break(ctx, job, state->line->json, text);
}

const Verb verb_break = {
    .name = "break",
    .form = "SURFACE|TETS --material NAME [options]",
    .summary = "drop or hit a thing (OBJ, PLY, STL, tet mesh): film, sound, and its pieces as USD "
               "and OBJ",
    .examples =
        "  fracas break mug.obj --material china\n"
        "  fracas break vase.stl --unit mm --material glass --drop 1.2m --turn 90,0,0\n"
        "  fracas break assets/bunny.obj --material terracotta --hit 0,-0.05,0.1 --speed 8\n",
    .options = options,
    .option_count = COUNT(options),
    .min_words = 1,
    .max_words = 1,
    .prepare = prepare,
    .run = run,
};
