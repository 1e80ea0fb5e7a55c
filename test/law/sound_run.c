// sound_run.c: what falls is heard when it lands, and what rests is silent.

#include "fracas/studio.h"
#include "sound_kit.h"
#include "place.h"

#define RATE 48000

__attribute__((constructor)) static void start(void) {
    place_make("sound-run");
    setenv("FRACAS_CACHE", place, 1);
}

static const char scene[] = "scene { duration = 1.6*s }\n"
                            "ground { material = 'concrete' }\n"
                            "body { name = 'block', model = 'frame', material = 'oak', at = {0, 0, "
                            "12*cm}, turn = {0, 8, 0},\n"
                            "  shape = box { 16*cm, 8*cm, 4*cm }, cells = 4*cm }\n"
                            "material { name = 'slate', base = 'glass', density = 2700 }\n"
                            "sound { listener = {0, -1*m, 5*cm} }\n";

static void run(FrContext *with, const char *folder) {
    FrRunDef options = fr_run_def_default();
    options.scene = at("block.lua");
    options.out = at(folder);
    options.detail = FR_DETAIL_NORMAL;
    options.no_film = true;
    options.restart = true;
    FrText text;
    put_text("block.lua", scene);
    CHECK_OK(with, fr_job_run(with, &options, false, &text));
    fr_text_free(with, &text);
}

static double *left_of(const char *name, int *frames, uint8_t **bytes, size_t *size) {
    double *s = NULL;
    CHECK_OK(ctx, fr_file_load(ctx, at(name), 1 << 28, bytes, size));
    *frames = (int)((*size - 58) / 8);
    s = malloc(sizeof *s * (size_t)*frames);
    for (int n = 0; n < *frames; n++) {
        float f;
        memcpy(&f, *bytes + 58 + 8 * (size_t)n, 4);
        s[n] = (double)f;
    }
    return s;
}

TEST(a_block_lands_and_rests) {
    int frames;
    uint8_t *bytes;
    size_t size;
    run(ctx, "one");
    double *s = left_of("one/sound.wav", &frames, &bytes, &size), peak = peak_of(s, frames);
    CHECK(peak > 1e-3);
    // an edge is 8 cm sin 8 degrees lower than the middle of the lower face: the fall of the edge
    double drop = 0.12 - 0.02 * cos(8 * M_PI / 180) - 0.08 * sin(8 * M_PI / 180);
    int lands = (int)((sqrt(2 * drop / 9.81) + 1.0 / 343) * RATE);
    CHECK(peak_of(s, lands - RATE / 200) <= 1e-6 * peak); // nothing before, 5 ms for the step
    CHECK(peak_of(s + lands, RATE / 50) > 0.1 * peak);    // then at once
    // it has come to rest by 1.1 s; oak is quiet 0.5 s later
    double rest = peak_of(s + (int)(1.55 * RATE), frames - (int)(1.55 * RATE));
    CHECK(rest <= 1e-3 * peak); // promise: -60 dB
    // no line at the steps' 240 Hz and its multiples
    for (int k = 1; k <= 8; k++)
        CHECK(sqrt(power_at(s + (int)(1.3 * RATE), RATE / 4, 240.0 * k, RATE)) * 8 / RATE <=
              3.2e-4 * peak); // promise: -70 dB
    fr_free(ctx, bytes);
    free(s);
}

// any number of workers gives the same bytes, and so does sounding the recording anew
TEST(same_bytes_for_any_workers) {
    int frames;
    uint8_t *a, *b, *c;
    size_t na, nb, nc;
    FrContext *many = make_context(3);
    FrText text;
    run(ctx, "one");
    run(many, "three");
    double *s = left_of("one/sound.wav", &frames, &a, &na),
           *t = left_of("three/sound.wav", &frames, &b, &nb);
    CHECK(na == nb && !memcmp(a, b, na));
    FrVec3 ears = {0, -1, 0.05};
    FrSoundDef job = fr_sound_def_default();
    job.input = at("three/run.fracas");
    job.output = at("again.wav");
    job.listener = &ears;
    CHECK_OK(many, fr_job_sound(many, &job, false, &text));
    fr_text_free(many, &text);
    double *u = left_of("again.wav", &frames, &c, &nc);
    CHECK(na == nc && !memcmp(a, c, na));
    // materials of the scene are known where the recording sounds anew
    FrSoundChangeDef change = fr_sound_change_def_default();
    change.body = "block", change.key = FR_SOUND_MATERIAL, change.material = "slate";
    job.change = &change;
    job.change_count = 1;
    CHECK_OK(many, fr_job_sound(many, &job, false, &text));
    fr_text_free(many, &text);
    change.material = "slte";
    CHECK(fr_job_sound(many, &job, false, &text) == FR_BAD_INPUT);
    fr_free(ctx, a);
    fr_free(ctx, b);
    fr_free(ctx, c);
    free(s);
    free(t);
    free(u);
    fr_context_destroy(many);
}

// a steel ruler in a vice, 25 cm of it free, hit by a ball near its end
static const char ruler[] =
    "scene { duration = 0.5*s, gravity = {0, 0, 0} }\n"
    "local bar = body { name = 'bar', model = 'frame', material = 'steel', cells = 8*mm,\n"
    "  shape = box { 30*cm, 3*cm, 6*mm } }\n"
    "fix { bar, where = below { x = -99*mm } }\n"
    "sphere { 5*mm, name = 'ball', material = 'rubber', at = {13*cm, 0, 12*mm}, velocity = {0, 0, "
    "-0.5} }\n"
    "sound { listener = {0, -1*m, 0}, gain = 40, air = 'flat' }\n";

// Clamped, it has a cantilever's tone, 3.516 / (2 pi L^2) sqrt(E h^2 / (12 rho)); free it would
// have one of 341 Hz. Only the ball can be thrown, and only it clicks.
TEST(what_is_clamped_rings_clamped) {
    int frames;
    uint8_t *bytes;
    size_t size;
    FrRunDef options = fr_run_def_default();
    options.scene = at("ruler.lua");
    options.out = at("ruler");
    options.detail = FR_DETAIL_NORMAL;
    options.no_film = true;
    options.restart = true;
    FrText text;
    FrMaterial steel;
    CHECK(fr_material_find("steel", &steel));
    put_text("ruler.lua", ruler);
    CHECK_OK(ctx, fr_job_run(ctx, &options, false, &text));
    fr_text_free(ctx, &text);
    double *s = left_of("ruler/stems/001-bar.wav", &frames, &bytes, &size), best = 0.0, tone = 0.0;
    double young = steel.mu * (3 * steel.lambda + 2 * steel.mu) / (steel.lambda + steel.mu);
    double wanted = 3.516 / (2 * M_PI * 0.0625) * sqrt(young * 36e-6 / (12 * steel.density));
    for (double hz = 40.0; hz < 600.0; hz += 0.25) {
        double power = power_at(s + RATE / 10, RATE, hz, RATE);
        if (power > best) best = power, tone = hz;
    }
    // model: width stiffens a plate a little, shear softens
    CHECK_NEAR(tone, wanted, 0.015 * wanted);
    fr_free(ctx, bytes);
    free(s);
}

static const char soft[] = "scene { duration = 20*ms, fps = 100 }\n"
                           "ground { material = 'concrete' }\n"
                           "body { name = 'cube', model = 'fem', material = 'vinyl', at = {0, 0, "
                           "2.02*cm}, velocity = {0, 0, -2*m/s},\n"
                           "  shape = box { 4*cm, 4*cm, 4*cm }, cells = 2*cm }\n"
                           "sound { listener = {0, -30*cm, 2*cm}, microphone = true }\n";

static FrContext *stopper;
static void stop_half_way(void *user, const char *stage, double done, double total) {
    (void)user;
    if (!strcmp(stage, "simulate") && done > 0.4 * total && done < 0.5 * total)
        fr_context_cancel(stopper);
}

static FrResult run_soft(FrContext *with, const char *folder, bool restart) {
    FrRunDef options = fr_run_def_default();
    options.scene = at("soft.lua");
    options.out = at(folder);
    options.detail = FR_DETAIL_NORMAL;
    options.no_film = true;
    options.restart = restart;
    FrText text;
    FrResult result = fr_job_run(with, &options, false, &text);
    fr_text_free(with, &text);
    return result;
}

// a deformable body is heard when it lands; stopped and taken up again, the same bytes
TEST(a_microphone_hears_soft_bodies) {
    int frames;
    uint8_t *a, *b;
    size_t na, nb;
    put_text("soft.lua", soft);
    CHECK_OK(ctx, run_soft(ctx, "soft", true));
    double *s = left_of("soft/sound.wav", &frames, &a, &na), peak = peak_of(s, frames);
    CHECK(peak > 1e-6);
    // 0.2 mm at 2 m/s, and 28 cm of way
    // raster: nothing before, 40 samples for the filter
    CHECK(peak_of(s, (int)((1e-4 + 0.26 / 343) * RATE) - 40) < 1e-3 * peak);
    fr_free(ctx, a);
    free(s);
    FrContextDef def = fr_context_def_default();
    def.progress = stop_half_way;
    def.tasks.workers = 1;
    stopper = fr_context_create(&def);
    CHECK_INT(run_soft(stopper, "halves", true), FR_INTERRUPTED);
    fr_context_destroy(stopper);
    CHECK_OK(ctx, run_soft(ctx, "halves", false));
    CHECK_OK(ctx, fr_file_load(ctx, at("soft/microphone.wav"), 1 << 28, &a, &na));
    CHECK_OK(ctx, fr_file_load(ctx, at("halves/microphone.wav"), 1 << 28, &b, &nb));
    CHECK(na == nb && !memcmp(a, b, na));
    fr_free(ctx, a);
    fr_free(ctx, b);
}
