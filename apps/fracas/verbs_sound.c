// verbs_sound.c: the verbs that make sound: strike, bake, sound.

#include "verbs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "small" is what "plain" was called
static const char *const air_choices[] = {"full", "plain", "flat", "small", NULL};
static const FrAir airs[] = {FR_AIR_FULL, FR_AIR_SMALL, FR_AIR_FLAT, FR_AIR_SMALL};
// in the order of FrStrikePlace and FrMallet
static const char *const place_choices[] = {"auto", "rim", "top", "centre", NULL};
static const char *const mallet_choices[] = {"steel", "wood", "rubber", "felt", NULL};

// clang-format off
/// What is to ring, for `member`.
#define INPUT_OPTIONS(member) \
    {"--body", OPTION_TEXT, AT(member, job.input.body), "NAME", "which body of a scene (the only one)", NULL}, \
    SHAPE_OPTIONS(member, job.input)
// clang-format on

static void fill_input(VerbState *state, FrRingDef *input) {
    input->file = state->line->word[0];
    input->set = state->line->set;
    input->set_count = state->line->set_count;
}

static const Option strike_options[] = {
    {"--material", OPTION_TEXT, AT(strike, material), "NAME[,NAME]",
     "what it is made of; several: each by itself and all in a row", NULL},
    {"--t60", OPTION_TONES, AT(strike, t60), "HZ:S,HZ:S",
     "how long tones last, instead of the material's damping", NULL},
    {"--at", OPTION_PLACE, AT(strike, at), "auto|rim|top|centre|X,Y,Z",
     "where it is hit (auto: where its level over 1/8 s is highest; top: the middle of what is "
     "highest; centre: above its centre of mass)",
     place_choices},
    {"--mallet", OPTION_CHOICE, AT(strike, mallet), "steel|wood|rubber|felt",
     "what hits it (steel)", mallet_choices},
    {"--speed", OPTION_NUMBER, AT(strike, job.speed), "M/S", "of the mallet (1)", NULL},
    {"--distance", OPTION_LENGTH, AT(strike, job.distance), "M", "of the listener (1 m)", NULL},
    {"--gain", OPTION_DECIBEL, AT(strike, job.gain), "DB", "one for all (0: full scale is 20 Pa)",
     NULL},
    AIR_OPTION(strike),
    {"-o", OPTION_TEXT, AT(strike, job.output), "FILE.wav", "what to write (<file>-<material>.wav)",
     NULL},
    {"--picture", OPTION_TEXT, AT(strike, job.picture), "FILE.png", "write a spectrogram, too",
     NULL},
    {"--spectrum", OPTION_TEXT, AT(strike, job.spectrum), "FILE.png",
     "which frequencies it has, 0 to 5 kHz", NULL},
    INPUT_OPTIONS(strike),
};

static void strike_prepare(VerbState *state) { state->u.strike.job = fr_strike_def_default(); }

static FrResult strike_run(FrContext *ctx, VerbState *state, FrText *text) {
    FrStrikeDef *job = &state->u.strike.job;
    const Place *at = &state->u.strike.at;
    fill_input(state, &job->input);
    job->mallet = (FrMallet)state->u.strike.mallet;
    job->place = at->given ? FR_STRIKE_POINT : (FrStrikePlace)at->word;
    if (at->given) job->point = at->at;
    job->air = airs[state->u.strike.air];
    job->t60 = state->u.strike.t60.tone;
    job->t60_count = state->u.strike.t60.count;
    Materials materials;
    FrResult result = spec_materials(ctx, state->u.strike.material, &materials);
    job->material = materials.name;
    job->material_count = materials.count;
    if (materials.given) job->made_of = &materials.made_of;
    return result == FR_OK ? fr_job_strike(ctx, job, state->line->json, text) : result;
}

const Verb verb_strike = {
    .name = "strike",
    .form = "SURFACE|TETS|SCENE|BODY.frm --material NAME [options]",
    .summary = "hit a thing once and hear it: surface, tet mesh, scene or cooked body to WAV",
    .examples =
        "  fracas strike bowl.obj --material bronze\n"
        "  fracas strike bowl.obj --material oak,aluminium,glass --mallet wood --at rim\n"
        "  fracas strike bar.msh --material E=70e9,nu=0.33,rho=2700,alpha1=1e-7 -o bar.wav\n",
    .options = strike_options,
    .option_count = COUNT(strike_options),
    .min_words = 1,
    .max_words = 1,
    .prepare = strike_prepare,
    .run = strike_run,
};

static const Option bake_options[] = {
    {"--material", OPTION_TEXT, AT(bake, material), "NAME", "what it is made of", NULL},
    {"--modes", OPTION_INT, AT(bake, job.modes), "N",
     "at most, those first of which most is heard (64; 0: all)", NULL},
    {"--max-freq", OPTION_NUMBER, AT(bake, job.max_hz), "HZ", "highest tone (20000)", NULL},
    AIR_OPTION(bake),
    {"--motion", OPTION_FLAG, AT(bake, job.motion), NULL,
     "with how it bends and moves: a body of the model modal that needs no eigen solver", NULL},
    {"-o", OPTION_TEXT, AT(bake, job.output), "FILE.frm", "what to write (<file>-<material>.frm)",
     NULL},
    INPUT_OPTIONS(bake),
};

static void bake_prepare(VerbState *state) { state->u.bake.job = fr_bake_def_default(); }

static FrResult bake_run(FrContext *ctx, VerbState *state, FrText *text) {
    FrBakeDef *job = &state->u.bake.job;
    const char *material = state->u.bake.material;
    FrMaterial made_of;
    fill_input(state, &job->input);
    if (job->modes == 0) job->modes = INT32_MAX; // as the help says
    job->plain = airs[state->u.bake.air] != FR_AIR_FULL;
    job->material = material;
    if (material && strchr(material, '=')) {
        FrResult result = fr_material_parse(ctx, material, &made_of);
        if (result != FR_OK) return result;
        job->made_of = &made_of;
    }
    return fr_job_bake(ctx, job, state->line->json, text);
}

static const Option radiate_options[] = {
    {"--material", OPTION_TEXT, AT(radiate, material), "NAME", "what it is made of", NULL},
    {"--modes", OPTION_INT, AT(radiate, job.modes), "N",
     "at most, those first of which most is heard (64; 0: all)", NULL},
    {"--max-freq", OPTION_NUMBER, AT(radiate, job.max_hz), "HZ", "highest tone (20000)", NULL},
    {"-o", OPTION_TEXT, AT(radiate, job.output), "FILE.json|.png",
     "multipoles of each mode, or pictures of which way it is loud", NULL},
    INPUT_OPTIONS(radiate),
};

static void radiate_prepare(VerbState *state) {
    state->u.radiate.job = fr_radiate_job_def_default();
}

static FrResult radiate_run(FrContext *ctx, VerbState *state, FrText *text) {
    FrRadiateJobDef *job = &state->u.radiate.job;
    const char *material = state->u.radiate.material;
    FrMaterial made_of;
    fill_input(state, &job->input);
    if (job->modes == 0) job->modes = INT32_MAX; // as the help says
    job->material = material;
    if (material && strchr(material, '=')) {
        FrResult result = fr_material_parse(ctx, material, &made_of);
        if (result != FR_OK) return result;
        job->made_of = &made_of;
    }
    return fr_job_radiate(ctx, job, state->line->json, text);
}

const Verb verb_radiate = {
    .name = "radiate",
    .form = "SURFACE|TETS|SCENE|BODY.frm --material NAME [options]",
    .summary = "how each mode goes out into the air: how strongly, and which way",
    .examples = "  fracas radiate bowl.obj --material bronze -o bowl.png\n"
                "  fracas radiate bar.msh --material aluminium --modes 10 --json\n",
    .options = radiate_options,
    .option_count = COUNT(radiate_options),
    .min_words = 1,
    .max_words = 1,
    .prepare = radiate_prepare,
    .run = radiate_run,
};

const Verb verb_bake = {
    .name = "bake",
    .form = "SURFACE|TETS|SCENE --material NAME [-o FILE.frm]",
    .summary = "cook a body for real time: the modes one hears in a small file for libfracas",
    .examples = "  fracas bake bowl.obj --material bronze -o bowl.frm\n"
                "  fracas bake scenes/chimes.lua --body d3 --modes 60\n"
                "  fracas bake scenes/papers/dodo.lua --body left --motion -o bird.frm\n",
    .options = bake_options,
    .option_count = COUNT(bake_options),
    .min_words = 1,
    .max_words = 1,
    .prepare = bake_prepare,
    .run = bake_run,
};

static const Option sound_options[] = {
    {"-o", OPTION_TEXT, AT(sound, job.output), "FILE.wav", "the mix (sound.wav beside the input)",
     NULL},
    {"--listener", OPTION_PLACE, AT(sound, listener), "X,Y,Z", "where the ears are, m (the camera)",
     NULL},
    {"--set", OPTION_CHANGE, AT(sound, changes), "[BODY.]KEY=VALUE",
     "material=NAME, t60=HZ:S,.., or factors on damping, density, stiffness, size", NULL},
    {"--gain", OPTION_DECIBEL, AT(sound, job.gain), "DB", "on mix and stems (the scene's)", NULL},
    AIR_OPTION(sound),
    {"--no-stems", OPTION_FLAG, AT(sound, job.no_stems), NULL, "only the mix", NULL},
    {"--spectrum", OPTION_TEXT, AT(sound, job.spectrum), "FILE.png",
     "which frequencies it has, 0 to 5 kHz", NULL},
    {"--bank", OPTION_TEXT, AT(sound, job.bank), "auto|FILE.frb",
     "bodies borrow their sound from ellipsoids (`fracas bank`) instead of having modes of their "
     "own",
     NULL},
    {"--proxy", OPTION_TEXT, AT(sound, proxy), "100%|4000Hz|5cm",
     "which do: the lightest share, those whose lowest tone is above, those smaller (100%)", NULL},
    {"--compare", OPTION_FLAG, AT(sound, job.compare), NULL,
     "without the bank, too: both files, times, and how far apart they are", NULL},
};

// "60%", "4000Hz", "5cm"
static bool read_limit(const char *text, FrProxyLimit *limit) {
    static const struct {
        const char *unit;
        FrProxyKind kind;
        double factor;
    } row[] = {{"%", FR_PROXY_SHARE, 0.01},  {"Hz", FR_PROXY_ABOVE, 1.0},
               {"kHz", FR_PROXY_ABOVE, 1e3}, {"mm", FR_PROXY_BELOW, 1e-3},
               {"cm", FR_PROXY_BELOW, 0.01}, {"m", FR_PROXY_BELOW, 1.0}};
    char *end;
    double value = strtod(text, &end);
    for (int k = 0; k < COUNT(row); k++) {
        if (end == text || strcmp(end, row[k].unit) != 0) continue;
        limit->kind = row[k].kind;
        limit->value = value * row[k].factor;
        return value > 0.0 && isfinite(value) &&
               (limit->kind != FR_PROXY_SHARE || limit->value <= 1.0);
    }
    return false;
}

static void sound_prepare(VerbState *state) {
    state->u.sound.job = fr_sound_def_default();
    state->u.sound.air = -1;               // as the scene says
    state->u.sound.job.gain = (double)NAN; // not given
}

static FrResult sound_changed(FrContext *ctx, VerbState *state, FrText *text) {
    FrSoundDef *job = &state->u.sound.job;
    Changes *changes = &state->u.sound.changes;
    FrSoundChangeDef change[MAX_SETTINGS];
    for (int32_t k = 0; k < changes->count; k++) {
        FrResult result = spec_change_material(ctx, &changes->one[k]);
        if (result != FR_OK) return result;
        change[k] = changes->one[k].change;
    }
    job->change = change;
    job->change_count = changes->count;
    return fr_job_sound(ctx, job, state->line->json, text);
}

static FrResult sound_run(FrContext *ctx, VerbState *state, FrText *text) {
    FrSoundDef *job = &state->u.sound.job;
    job->input = state->line->word[0];
    if (state->u.sound.air >= 0) job->air = &airs[state->u.sound.air];
    if (state->u.sound.listener.given) job->listener = &state->u.sound.listener.at;
    if (state->u.sound.proxy && (!read_limit(state->u.sound.proxy, &job->proxy) || !job->bank)) {
        fprintf(stderr, "fracas sound: --proxy takes a share up to 100%%, a tone like 4000Hz or a "
                        "size like 5cm, and --bank\n");
        return FR_BAD_USE;
    }
    return sound_changed(ctx, state, text);
}

const Verb verb_sound = {
    .name = "sound",
    .form = "RUN.fracas|FOLDER|CONTACTS.csv|CONTACTS.json [options]",
    .summary = "sound a recording anew, or the contacts of another engine",
    .examples = "  fracas sound out/chimes/run.fracas --listener 0,-2,1\n"
                "  fracas sound out/bowl/run.fracas --set bowl.material=oak -o oak.wav\n"
                "  fracas sound out/mug/run.fracas --bank auto --compare -o mug.wav\n"
                "  fracas sound contacts.csv -o mix.wav\n",
    .options = sound_options,
    .option_count = COUNT(sound_options),
    .min_words = 1,
    .max_words = 1,
    .prepare = sound_prepare,
    .run = sound_run,
};
