// sound_jobs.c: strikes, cooked bodies and contacts of other engines, as the program does them.

#include "sound_kit.h"
#include "fracas/studio.h"
#include "place.h"

__attribute__((constructor)) static void start(void) {
    place_make("sound-jobs");
    FrAsset *asset = bar_of(ctx, "plastic");
    uint8_t *bytes;
    size_t size;
    CHECK_OK(ctx, fr_asset_save(asset, NULL, &bytes, &size));
    CHECK_OK(ctx, fr_file_save(ctx, at("bar.frm"), bytes, size));
    fr_free(ctx, bytes);
    fr_asset_destroy(asset);
}

typedef struct Wav {
    float *sample;
    int64_t frames;
    int channels;
    uint8_t *bytes;
    size_t size;
} Wav;

static Wav load(const char *name) {
    Wav w = {0};
    CHECK_OK(ctx, fr_file_load(ctx, at(name), 1 << 28, &w.bytes, &w.size));
    if (w.size < 58) return w;
    w.channels = w.bytes[22];
    w.frames = (int64_t)(w.size - 58) / (4 * w.channels);
    w.sample = malloc(w.size);
    memcpy(w.sample, w.bytes + 58, w.size - 58);
    return w;
}
static void drop(Wav *w) {
    fr_free(ctx, w->bytes);
    free(w->sample);
}

static FrStrikeDef strike_def(const char *output) {
    FrStrikeDef job = fr_strike_def_default();
    job.input.file = at("bar.frm");
    job.output = output;
    return job;
}

static FrResult strike(FrStrikeDef job, bool json, char *said, size_t size) {
    FrText report;
    FrResult result = fr_job_strike(ctx, &job, json, &report);
    snprintf(said, size, "%s", report.data ? report.data : "");
    fr_text_free(ctx, &report);
    return result;
}

TEST(strike_one) {
    char said[4000];
    FrStrikeDef job = strike_def(at("one.wav"));
    job.picture = at("one.png");
    CHECK_OK(ctx, strike(job, false, said, sizeof said));
    CHECK_HAS(said, "one.wav");
    CHECK_HAS(said, "modes from");
    Wav w = load("one.wav");
    CHECK_INT(w.channels, 1);
    for (int n = 0; n < 480; n++) CHECK(w.sample[n] == 0); // lead-in
    double peak = 0, last = 0;
    for (int64_t n = 0; n < w.frames; n++) {
        peak = fmax(peak, fabs((double)w.sample[n]));
        if (n >= w.frames - 480) last = fmax(last, fabs((double)w.sample[n]));
    }
    CHECK(peak > 1e-3 && last < 1e-3 * peak);
    CHECK(access(at("one.png"), R_OK) == 0);
    drop(&w);
}

// several materials: each by itself, and all in a row at the same gain
TEST(strike_several) {
    char said[8000];
    static const char *const material[] = {"plastic", "oak", "glass"};
    FrStrikeDef job = strike_def(at("all.wav"));
    job.material = material;
    job.material_count = 3;
    job.gain = -6.0;
    job.mallet = FR_MALLET_WOOD;
    job.place = FR_STRIKE_TOP;
    CHECK_OK(ctx, strike(job, true, said, sizeof said));
    CHECK_HAS(said, "\"joined\"");
    CHECK_HAS(said, "\"gain_db\"");
    static const char *const part[] = {"all-plastic.wav", "all-oak.wav", "all-glass.wav"};
    Wav all = load("all.wav");
    int64_t from = 0;
    for (int k = 0; k < 3; k++) {
        Wav w = load(part[k]);
        CHECK(from + w.frames <= all.frames);
        CHECK(memcmp(all.sample + from, w.sample, 4 * (size_t)w.frames) == 0);
        from += w.frames + 12000;
        drop(&w);
    }
    CHECK_INT(from - 12000, all.frames);
    drop(&all);
}

// damping from measured times: 0.4 s at all pitches ends 0.4 s after the blow
TEST(strike_with_given_t60) {
    char said[4000];
    static const FrTone tone[] = {{500, 0.4}, {5000, 0.4}};
    FrStrikeDef job = strike_def(at("t.wav"));
    job.t60 = tone;
    job.t60_count = 2;
    CHECK_OK(ctx, strike(job, false, said, sizeof said));
    CHECK_HAS(said, "T60 0.40 s");
    Wav w = load("t.wav");
    CHECK_NEAR((double)w.frames / 48000, 0.41,
               0.15); // model: modes together are louder than the peak at times
    drop(&w);
}

static void no_strike(const FrStrikeDef *job, const char *says) {
    char said[100];
    FrResult result = strike(*job, false, said, sizeof said);
    CHECK(result == FR_BAD_USE || result == FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), says);
}

// a struct of the right values, but for one
#define NO_STRIKE(field, value, says)                                                              \
    do {                                                                                           \
        FrStrikeDef wrong = strike_def(at("no.wav"));                                              \
        wrong.field = value;                                                                       \
        no_strike(&wrong, says);                                                                   \
    } while (0)

TEST(strike_mistakes) {
    FrStrikeDef off = strike_def(at("no.wav"));
    off.place = FR_STRIKE_POINT;
    off.point = fr_vec3(1, 2, (double)NAN);
    no_strike(&off, "must be finite");
    off.point = fr_vec3(9, 9, 9);
    no_strike(&off, "m off the body");
    static const char *const cheese[] = {"cheese"};
    FrMaterial soft = {.density = 1000.0, .mu = -1.0}, parsed;
    FrTone late = {440, -1}, many[17] = {{440, 1}};
    FrStrikeDef job = strike_def(at("no.wav"));
    job.material = cheese;
    job.material_count = 1;
    no_strike(&job, "cheese");
    NO_STRIKE(made_of, &soft, "mu");
    NO_STRIKE(output, "x.mp3", ".wav");
    NO_STRIKE(input.unit, 0.001, "takes no unit");
    NO_STRIKE(input.size, 0.001, "takes no size of tets");
    NO_STRIKE(gain, 201.0, "decibels");
    job = strike_def(at("no.wav"));
    job.t60 = &late;
    job.t60_count = 1;
    no_strike(&job, "t60 of -1 s at 440 Hz; both are above 0");
    job.t60 = many;
    job.t60_count = 17;
    no_strike(&job, "t60 of 17 tones; 1 to 16");
    // what a person types
    CHECK_INT(fr_material_parse(ctx, "E=1,nu=0.7,rho=1", &parsed), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "nu between");
    CHECK_INT(fr_material_parse(ctx, "E=1e9,rho=1000", &parsed), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "nu");
    FrText report;
    FrStrikeDef none = fr_strike_def_default();
    none.input.file = at("nothing.frm");
    CHECK_INT(fr_job_strike(ctx, &none, false, &report), FR_BAD_INPUT); // no such file
    put_text("wrong.frm", "FRACASRM but not really");
    none.input.file = at("wrong.frm");
    CHECK_INT(fr_job_strike(ctx, &none, false, &report), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "wrong.frm: modal asset, byte");
}

// the number after `key`
static double number_in(const char *text, const char *key) {
    const char *found = strstr(text, key);
    CHECK(found);
    return found ? strtod(found + strlen(key), NULL) : 0.0;
}

// the bar, all of its modes
static FrBakeDef bake_def(const char *output) {
    FrBakeDef job = fr_bake_def_default();
    job.input.file = at("bar.frm");
    job.output = output;
    job.modes = INT32_MAX;
    return job;
}

static FrResult bake(FrBakeDef job) {
    FrText report;
    FrResult result = fr_job_bake(ctx, &job, false, &report);
    fr_text_free(ctx, &report);
    return result;
}

// constants count, not names: what is given as numbers has one name, whatever they are
TEST(a_cooked_body_of_given_constants) {
    char said[4000];
    double hz[2];
    static const char *const material[] = {"E=2e9,nu=0.35,rho=1000,alpha1=1e-7",
                                           "E=8e9,nu=0.35,rho=1000,alpha1=1e-7"};
    FrMaterial made_of[2];
    for (int k = 0; k < 2; k++) CHECK_OK(ctx, fr_material_parse(ctx, material[k], &made_of[k]));
    FrBakeDef given = bake_def(at("g.frm"));
    given.made_of = &made_of[0];
    CHECK_OK(ctx, bake(given));
    for (int k = 0; k < 2; k++) {
        FrStrikeDef job = fr_strike_def_default();
        job.input.file = at("g.frm"), job.made_of = &made_of[k], job.output = at("given.wav");
        FrText report;
        CHECK_OK(ctx, fr_job_strike(ctx, &job, true, &report));
        snprintf(said, sizeof said, "%s", report.data);
        fr_text_free(ctx, &report);
        hz[k] = number_in(said, "\"lowest_hz\":");
    }
    CHECK_NEAR(hz[1] / hz[0], 2.0, 1e-6); // model: as the root of E; damping takes a little
}

static FrAsset *load_asset(const char *name) {
    uint8_t *bytes;
    size_t size;
    FrAsset *asset = NULL;
    CHECK_OK(ctx, fr_file_load(ctx, at(name), 1 << 28, &bytes, &size));
    CHECK_OK(ctx, fr_asset_load(ctx, bytes, size, &asset));
    fr_free(ctx, bytes);
    return asset;
}

// a cooked body baked again loses modes as asked, and what stays is as it was
TEST(fewer_modes_of_a_cooked_body) {
    FrBakeDef job = bake_def(at("all.frm"));
    CHECK_OK(ctx, bake(job));
    job.output = at("two.frm"), job.modes = 2;
    CHECK_OK(ctx, bake(job));
    job.modes = 0;
    CHECK_INT(bake(job), FR_BAD_USE);
    FrAsset *all = load_asset("all.frm"), *two = load_asset("two.frm");
    CHECK(all->info.mode_count > 4);
    CHECK_INT(two->info.mode_count, 2);
    CHECK_INT(two->info.vertex_count, all->info.vertex_count);
    double hz[2] = {0}, t60, low = HUGE_VAL;
    FrSpot spot = fr_asset_nearest(all, fr_vec3(0.29, 0.02, 0.01));
    for (int i = 0; i < 2; i++) {
        fr_asset_mode(two, i, &hz[0], &t60);
        fr_asset_mode(all, i, &hz[1], &t60);
        CHECK(hz[0] == hz[1]);
        FrVec3 push = fr_vec3(0.3, 0.2, 1);
        CHECK(fr_asset_weight(two, &spot, i, push) == fr_asset_weight(all, &spot, i, push));
    }
    for (int i = 0; i < all->info.mode_count; i++) {
        fr_asset_mode(all, i, &hz[0], &t60);
        low = fmin(low, hz[0]);
    }
    job = bake_def(at("low.frm"));
    job.max_hz = 1.01 * low;
    CHECK_OK(ctx, bake(job));
    FrAsset *one = load_asset("low.frm");
    CHECK_INT(one->info.mode_count, 1);
    fr_asset_mode(one, 0, &hz[0], &t60);
    CHECK(hz[0] == low);
    fr_asset_destroy(all), fr_asset_destroy(two), fr_asset_destroy(one);
}

static void keep_warning(void *user, FrLogLevel level, const char *text) {
    char *to = user;
    size_t at = strlen(to);
    if (level == FR_LOG_WARNING) snprintf(to + at, 2000 - at, "%s\n", text);
}

// modes made for one material, heard in another: what they cannot know is reported
TEST(another_material_is_warned_of) {
    char said[2000] = "";
    FrContextDef def = fr_context_def_default();
    def.log = keep_warning;
    def.user = said;
    FrContext *told = fr_context_create(&def);
    FrStrikeDef job = fr_strike_def_default();
    static const char *const oak[] = {"oak"}, *const plastic[] = {"plastic"};
    job.input.file = at("bar.frm"), job.material = oak, job.output = at("w.wav");
    job.material_count = 1;
    FrText report;
    CHECK_OK(told, fr_job_strike(told, &job, false, &report));
    fr_text_free(told, &report);
    CHECK_HAS(said, "oak has a grain, which the modes do not follow: tones can be tens of percent");
    said[0] = 0;
    job.material = plastic;
    job.gain = -40.0;
    CHECK_OK(told, fr_job_strike(told, &job, false, &report));
    fr_text_free(told, &report);
    CHECK(!strstr(said, "modes"));
    FrMaterial slow; // about a third as fast
    CHECK_OK(told, fr_material_parse(told, "E=2e8,nu=0.37,rho=1000", &slow));
    job.made_of = &slow;
    CHECK_OK(told, fr_job_strike(told, &job, false, &report));
    fr_text_free(told, &report);
    CHECK_HAS(said, "the tones at hand end at");
    fr_context_destroy(told);
}

static const char csv[] = "\xEF\xBB\xBF# two bars, behind the mark of UTF-8\n"
                          "body, left, bar.frm\n"
                          "body, right, bar.frm, oak\r\n"
                          "\n"
                          "place, 0, left, -1, 1, 0\n"
                          "place, 0.5, left, -1, 2, 0\n"
                          "place, 0, right, 1, 1, 0\n"
                          "listener, 0, 0, 0\n"
                          "blow, 0.02, left, 0.01, 0.02, 0.01, 1.0, steel\n"
                          "hit, 0.05, right, 0.29, 0.02, 0.01, 0, 0, -0.02, 0.0003\n"
                          "hit, 0.04, right, 0.29, 0.02, 0.01, 0, 0, -0.02\n"
                          "scrape, 0.1, right, 0.2, 0.02, 0.01, 3, 0.5, 0.1\n";

static FrSoundDef sound_def(const char *input, const char *output) {
    FrSoundDef job = fr_sound_def_default();
    job.input = input;
    job.output = output;
    return job;
}

static FrResult sound(FrContext *with, FrSoundDef job) {
    FrText report;
    FrResult result = fr_job_sound(with, &job, true, &report);
    fr_text_free(with, &report);
    return result;
}

// CSV and JSON say the same; stems on disk add up to the mix; workers do not matter
TEST(contacts_sound) {
    put_text("c.csv", csv);
    put_text(
        "c.json",
        "{\"listener\": [0, 0, 0],\n \"bodies\": [{\"name\": \"left\", \"file\": \"bar.frm\", "
        "\"places\": [{\"t\": 0, \"at\": [-1, 1, 0]}, {\"t\": 0.5, \"at\": [-1, 2, 0]}]},\n"
        "  {\"name\": \"right\", \"file\": \"bar.frm\", \"material\": \"oak\", \"at\": [1, 1, "
        "0]}],\n"
        " \"contacts\": [{\"t\": 0.02, \"body\": \"left\", \"at\": [0.01, 0.02, 0.01], \"speed\": "
        "1, "
        "\"mallet\": \"steel\"},\n {\"t\": 0.05, \"body\": \"right\", \"at\": [0.29, 0.02, 0.01],"
        " \"impulse\": [0, 0, -0.02], \"duration\": 0.0003},\n"
        " {\"t\": 0.04, \"body\": \"right\", \"at\": [0.29, 0.02, 0.01], \"impulse\": [0, 0, "
        "-0.02]},\n"
        " {\"t\": 0.1, \"body\": \"right\", \"at\": [0.2, 0.02, 0.01], \"force\": 3, \"speed\": "
        "0.5,"
        " \"duration\": 0.1}]}");
    CHECK_OK(ctx, sound(ctx, sound_def(at("c.csv"), at("c.wav"))));
    CHECK_OK(ctx, sound(ctx, sound_def(at("c.json"), at("j.wav"))));
    Wav mix = load("c.wav"), left = load("c-stems/001-left.wav"),
        right = load("c-stems/002-right.wav");
    Wav alone = load("j-stems/002-right.wav"), moving = load("j-stems/001-left.wav");
    CHECK_INT(mix.channels, 2);
    CHECK(mix.frames == left.frames && mix.frames == right.frames && mix.frames > 10000);
    for (int64_t n = 0; n < 2 * mix.frames; n++)
        CHECK((float)((double)left.sample[n] + (double)right.sample[n]) == mix.sample[n]);
    for (int64_t n = 0; n < 20000; n++)
        CHECK(alone.sample[n] == right.sample[n] && moving.sample[n] == left.sample[n]);
    // the left one is on the left
    double l = 0, r = 0;
    for (int64_t n = 0; n < 5000; n++) {
        l += pow((double)left.sample[2 * n], 2);
        r += pow((double)left.sample[2 * n + 1], 2);
    }
    CHECK(l > 1.1 * r);
    FrContext *many = make_context(4);
    CHECK_OK(many, sound(many, sound_def(at("c.csv"), at("m.wav"))));
    Wav again = load("m.wav");
    CHECK(again.size == mix.size && memcmp(again.bytes, mix.bytes, mix.size) == 0);
    fr_context_destroy(many);
    drop(&mix), drop(&left), drop(&right), drop(&alone), drop(&again), drop(&moving);
}

// a blow that gives way is two pushes, but one contact
TEST(contacts_are_counted_once) {
    put_text("o.csv", "body, a, bar.frm\nblow, 0.1, a, 0.01, 0.02, 0.01, 1, steel\n"
                      "hit, 0.2, a, 0.01, 0.02, 0.01, 0,0,-0.01\n");
    FrText text;
    FrSoundDef job = fr_sound_def_default();
    job.input = at("o.csv");
    job.output = at("o.wav");
    CHECK_OK(ctx, fr_job_sound(ctx, &job, true, &text));
    CHECK_HAS(text.data, "\"contacts\": 2");
    fr_text_free(ctx, &text);
    CHECK_OK(ctx, fr_job_sound(ctx, &job, false, &text));
    CHECK_HAS(text.data, "1 body sounds, 2 contacts");
    fr_text_free(ctx, &text);
    put_text("o.csv", "body, a, bar.frm\nblow, 0.1, a, 0.01, 0.02, 0.01, 1, steel\n");
    CHECK_OK(ctx, fr_job_sound(ctx, &job, false, &text));
    CHECK_HAS(text.data, "1 body sounds, 1 contact,");
    fr_text_free(ctx, &text);
}

static FrSoundChangeDef by_factor(const char *body, FrSoundKey key, double factor) {
    FrSoundChangeDef change = fr_sound_change_def_default();
    change.body = body, change.key = key, change.factor = factor;
    return change;
}

// sounded anew: a tenth of the gain is -20 dB, other damping dies sooner, the other body stays
TEST(contacts_changed) {
    FrSoundChangeDef change[] = {by_factor("left", FR_SOUND_DAMPING, 5.0),
                                 by_factor("left", FR_SOUND_SIZE, 1.5)};
    put_text("c.csv", csv);
    CHECK_OK(ctx, sound(ctx, sound_def(at("c.csv"), at("c.wav"))));
    FrSoundDef quiet = sound_def(at("c.csv"), at("q.wav"));
    quiet.gain = -20.0;
    CHECK_OK(ctx, sound(ctx, quiet));
    FrSoundDef other_left = sound_def(at("c.csv"), at("s.wav"));
    other_left.change = change;
    other_left.change_count = 2;
    CHECK_OK(ctx, sound(ctx, other_left));
    Wav c = load("c.wav"), q = load("q.wav"), left = load("c-stems/001-left.wav"),
        other = load("s-stems/001-left.wav"), right = load("c-stems/002-right.wav"),
        same = load("s-stems/002-right.wav");
    double worst = 0, peak = 0, early[2] = {0}, late[2] = {0};
    for (int64_t n = 0; n < 2 * c.frames; n++) {
        worst = fmax(worst, fabs(0.1 * (double)c.sample[n] - (double)q.sample[n]));
        peak = fmax(peak, fabs((double)c.sample[n]));
    }
    CHECK(worst < 1e-6 * peak); // rounding: float32
    for (int64_t n = 0; n < 20000; n++) {
        double *to = n < 8000 ? early : late;
        to[0] += pow((double)left.sample[n], 2);
        to[1] += pow((double)other.sample[n], 2);
        CHECK(right.sample[n] == same.sample[n]);
    }
    CHECK(late[1] / early[1] < 0.5 * late[0] / early[0]);
    drop(&c), drop(&q), drop(&left), drop(&other), drop(&right), drop(&same);
}

TEST(contacts_mistakes) {
    static const struct {
        const char *name, *text, *says;
    } bad[] = {
        {"b.csv", "boddy, a, bar.frm\n", "b.csv:1:1: a line begins with body, place"},
        {"b.csv", "body, a\n", "b.csv:1:1: body takes"},
        {"b.csv", "body, a, no.frm\n", "no.frm"},
        {"b.csv", "body, a, bar.frm\nbody, a, bar.frm\n", "two bodies 'a'"},
        {"b.csv", "hit, 0, a, 0,0,0, 0,0,1\n", "b.csv:1:9: no body of this name"},
        {"b.csv", "body, a, bar.frm\nhit, 0, a, 0, 0, 1x, 0,0,1\n",
         "b.csv:2:18: the point is '1x'"},
        {"b.csv", "body, a, bar.frm\nhit, -1, a, 0, 0, 0, 0,0,1\n", "times are 0 to"},
        {"b.csv", "body, a, bar.frm\nhit, 1, a, 9, 0, 0, 0,0,1\n", "off the surface"},
        {"b.csv", "body, a, bar.frm\nhit, 1, a, 0, 0, 0\n", "without impulse"},
        {"b.csv", "body, a, bar.frm\nblow, 1, a, 0, 0, 0, 1, axe\n", "axe"},
        {"b.csv", "body, a, bar.frm\nblow, 1, a, 0, 0, 0, 1e9, steel\n", "a speed of 1e+09 m/s"},
        {"b.csv", "body, a, bar.frm\nblow, 1, a, 0, 0, 0, 0, steel\n", "a speed of 0 m/s"},
        {"b.csv", "body, a, bar.frm\nhit, 1, a, 0, 0, 0, 0,0,0\n", "an impulse of 0 N s"},
        {"b.csv", "body, a, bar.frm\nhit, 1, a, 0, 0, 0, 0,0,1e7\n", "at most 1e+06 N s"},
        {"b.json",
         "{\"bodies\": [{\"name\": \"a\", \"file\": \"bar.frm\"}], \"contacts\": [{\"t\": 0, "
         "\"body\": "
         "\"a\", \"at\": [0,0,0], \"impulse\": [0,0,1], \"speed\": 2}]}",
         "b.json:1:61: a contact with an impulse and a speed"},
        {"b.csv", "body, a, bar.frm\nscrape, 1, a, 0, 0, 0, 1, 1, -1\n", "duration"},
        {"b.csv", "body, a, bar.frm\nscrape, 1, a, 0, 0, 0, -3, 1, 1\n",
         "b.csv:2:1: a force of -3 N; above 0"},
        {"b.csv", "body, a, bar.frm\nscrape, 1, a, 0, 0, 0, 2e9, 1, 1\n", "at most 1e+09 N"},
        {"b.csv", "body, a, bar.frm\nblow, 1, a, 0, 0, 0, 1, steel, 7\n",
         "b.csv:2:32: a line of this kind ends"},
        {"b.csv", "body, a, bar.frm, , 0.001\n", "takes no unit"},
        {"b.csv", "body, a, bar.frm\nplace, 1, a, 0, 0, 0\n", "begin at 0 s"},
        {"b.json", "{", "b.json"},
        {"b.json", "[1]", "an object is wanted"},
        {"b.json", "{\"bodys\": []}",
         "b.json:1:2: there is no key \"bodys\" here; allowed: listener, bodies"},
        {"b.json",
         "\xEF\xBB\xBF{\"bodies\": [{\"name\": \"a\", \"file\": \"bar.frm\", \"at\": [0,0,0], "
         "\"places\": []}]}",
         "not both"},
        {"b.json",
         "{\"bodies\": [{\"name\": \"a\", \"file\": \"bar.frm\", "
         "\"places\": [{\"t\": 1, \"at\": [0,0,0]}]}]}",
         "begin at 0 s"},
        {"b.json", "{\"bodies\": [{\"name\": \"a\", \"file\": \"bar.frm\"}]}", "no contacts"},
        {"b.csv", "", "no contacts"},
        {"b.csv", "body, a, bar.frm\n", "no contacts"},
        {"b.csv", "body, a, bar.frm, chese\n", "chese"},
        {"b.json", "{\"bodies\": [{\"name\": 1}]}", "a text is wanted"},
        {"b.json", "{\"bodies\": [], \"contacts\": [{\"body\": \"a\"}]}", "no body of this name"},
        {"b.txt", "", "not a recording"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        put_text(bad[k].name, bad[k].text);
        FrResult result = sound(ctx, sound_def(at(bad[k].name), at("b.wav")));
        CHECK(result == FR_BAD_INPUT || result == FR_IO || result == FR_BAD_USE);
        CHECK_HAS(fr_context_message(ctx), bad[k].says);
        CHECK(access(at("b.wav"), F_OK) != 0);
    }
    FrSoundChangeDef change = by_factor("nobody", FR_SOUND_DAMPING, 1.0);
    put_text("c.csv", csv);
    FrSoundDef job = sound_def(at("c.csv"), at("b.wav"));
    job.change = &change;
    job.change_count = 1;
    CHECK_INT(sound(ctx, job), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "no body 'nobody'");
    change = by_factor(NULL, FR_SOUND_SIZE, 0.0);
    CHECK_INT(sound(ctx, job), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "a change by 0: a factor above 0");
    change = by_factor(NULL, FR_SOUND_T60, 1.0);
    CHECK_INT(sound(ctx, job), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "t60 of 0 tones");
    change = by_factor(NULL, FR_SOUND_MATERIAL, 1.0);
    CHECK_INT(sound(ctx, job), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "which?");
    change = by_factor("lefft", FR_SOUND_DAMPING, 1.0);
    CHECK_INT(sound(ctx, job), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "did you mean \"left\"?");
}

// the k-th allocation fails: no leak, no crash, no half file
TEST(refused_memory) {
    put_text("k.csv", "body, a, bar.frm\nblow, 0, a, 0, 0, 0, 1, wood\n");
    bool done = false;
    for (int k = 1; k < 400 && !done; k++) {
        Refuser refuser = {.refuse_at = 0};
        FrContext *own = make_unsynced_context(&refuser);
        int live = refuser.live;
        FrSoundChangeDef change = by_factor(NULL, FR_SOUND_DAMPING, 300.0);
        FrSoundDef job = sound_def(at("k.csv"), at("k.wav"));
        job.change = &change;
        job.change_count = 1;
        refuser.refuse_at = refuser.calls + k;
        FrResult result = sound(own, job);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        done = result == FR_OK;
        CHECK_INT(refuser.live, live);
        fr_context_destroy(own);
    }
    CHECK(done);
}

TEST(info_of_a_cooked_body) {
    FrText text;
    CHECK_OK(ctx, fr_job_info(ctx, at("bar.frm"), true, &text));
    CHECK_HAS(text.data, "\"kind\": \"asset\"");
    CHECK_HAS(text.data, "\"hz\"");
    fr_text_free(ctx, &text);
}
