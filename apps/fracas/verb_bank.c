// verb_bank.c: `fracas bank`: ellipsoids that stand for pieces, built, merged, packed, told of.

#include "verbs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Option options[] = {
    {"-o", OPTION_TEXT, AT(soundbank, job.output), "FILE",
     "what to write (build: <material>.frb; info: a picture, .png)", NULL},
    {"--part", OPTION_TEXT, AT(soundbank, part), "K/N",
     "build the K-th of N parts, on one of several machines; `merge` joins them", NULL},
    {"--mass", OPTION_NUMBER, AT(soundbank, job.most_mass), "KG",
     "bodies up to this are covered up to the highest tone (0.25)", NULL},
    {"--max-freq", OPTION_NUMBER, AT(soundbank, job.max_hz), "HZ", "highest tone (16000)", NULL},
    {"--samples", OPTION_COUNT, AT(soundbank, job.samples), "N", "ellipsoids at most (100)", NULL},
    {"--restart", OPTION_FLAG, AT(soundbank, job.restart), NULL,
     "throw away what an earlier build left", NULL},
};

static void prepare(VerbState *state) { state->u.soundbank.job = fr_soundbank_def_default(); }

static FrResult misused(const char *what) {
    fprintf(stderr, "fracas bank: %s\n", what);
    return FR_BAD_USE;
}

// "2/4"
static bool read_part(const char *text, FrSoundbankDef *job) {
    char *end;
    if (!text) return true;
    long part = strtol(text, &end, 10), parts = *end == '/' ? strtol(end + 1, &end, 10) : 0;
    job->part = (int32_t)part;
    job->parts = (int32_t)parts;
    return !*end && part >= 1 && part <= parts && parts <= 10000;
}

static bool read_act(const char *word, FrSoundbankDef *job) {
    static const char *const acts[] = {"build", "merge", "pack", "info"};
    for (int k = 0; k < COUNT(acts); k++)
        if (!strcmp(word, acts[k])) return job->act = (FrSoundbankAct)k, true;
    return false;
}

static FrResult run(FrContext *ctx, VerbState *state, FrText *text) {
    FrSoundbankDef *job = &state->u.soundbank.job;
    const char *const *word = (const char *const *)state->line->word;
    FrMaterial made_of;
    if (!read_act(word[0], job)) return misused("build, merge, pack or info comes first");
    if (!read_part(state->u.soundbank.part, job))
        return misused("--part takes K/N, K from 1 to N, like 2/4");
    job->file = word + 1;
    job->file_count = state->line->word_count - 1;
    if (job->act == FR_SOUNDBANK_BUILD) {
        if (job->file_count != 1) return misused("build takes one material");
        job->material = word[1];
        job->file_count = 0;
        if (strchr(word[1], '=')) {
            FrResult result = fr_material_parse(ctx, word[1], &made_of);
            if (result != FR_OK) return result;
            job->made_of = &made_of;
        }
    }
    return fr_job_soundbank(ctx, job, state->line->json, text);
}

const Verb verb_bank = {
    .name = "bank",
    .form = "build MATERIAL | merge FILE.. | pack FILE | info [FILE] [options]",
    .summary = "sounds that pieces borrow: the modes of ellipsoids, computed once per material",
    .examples =
        "  fracas bank info\n"
        "  fracas bank build glass -o glass.frb\n"
        "  fracas bank build glass --part 2/4 -o glass-2.frb\n"
        "  fracas bank merge glass-1.frb glass-2.frb glass-3.frb glass-4.frb -o glass.frb\n",
    .options = options,
    .option_count = COUNT(options),
    .min_words = 1,
    .max_words = MAX_WORDS,
    .prepare = prepare,
    .run = run,
};
