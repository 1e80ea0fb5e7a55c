// sound_bank.c: the real-time bank: linear, allocation-free, safe between two threads.

#include "sound_kit.h"
#include "fracas/bank.h"
#include "modal/oscillator.h"
#include "score/cook.h"
#include "sound/ringer.h"
#include <pthread.h>
#include <unistd.h>

#define N 9600

static FrContext *ctx;
static FrAsset *bar;
__attribute__((constructor)) static void start(void) {
    ctx = make_context(1);
    bar = bar_of(ctx, "bronze");
}

static FrBank *new_bank(bool precise) {
    FrBankDef def = fr_bank_def_default();
    def.asset = bar;
    def.double_precision = precise;
    FrBank *bank = NULL;
    CHECK_OK(ctx, fr_bank_create(ctx, &def, &bank));
    return bank;
}

static const FrVec3 end = {0.0, 0.02, 0.01};

static void ring(FrVec3 at, FrVec3 impulse, double duration, float *out) {
    FrBank *bank = new_bank(true);
    CHECK(fr_bank_strike(bank, at, impulse, duration));
    fr_bank_pull(bank, out, N);
    fr_bank_destroy(bank);
}

// the sum of what mode after mode should sound like after a blow that is nearly instant
TEST(a_blow_rings_as_the_formula_says) {
    float out[N];
    double J = 0.01, rate = 48000,
           scale = FR_AIR_DENSITY * FR_SOUND_SPEED * sqrt(bar->info.area / (4 * M_PI));
    FrBankDef def = fr_bank_def_default();
    def.asset = bar;
    def.double_precision = true;
    def.click = false;
    def.air = FR_AIR_FLAT;
    def.distance = 2;
    def.gain = 3;
    FrBank *bank;
    CHECK_OK(ctx, fr_bank_create(ctx, &def, &bank));
    double tc = 20e-6; // inside the first sample
    CHECK(fr_bank_strike(bank, end, fr_vec3(0, 0, -J), tc));
    fr_bank_pull(bank, out, N);
    FrSpot spot = fr_asset_nearest(bar, end);
    double worst = 0, peak = 0;
    for (int n = 1; n < N; n++) {
        double p = 0;
        for (int i = 0; i < bar->info.mode_count; i++) {
            double c = fr_asset_damping(bar, i);
            // one sample of held force J/T, then free
            FrModeStep s = fr_mode_step(bar->lambda[i], c, 1 / rate),
                       f = fr_mode_step(bar->lambda[i], c, n > 1 ? (n - 1) / rate : 1e-12);
            double g = fr_asset_weight(bar, &spot, i, fr_vec3(0, 0, -J)) * rate;
            p += bar->coupling[i] * (f.vz * s.gz + f.vv * s.gv) / sqrt(bar->lambda[i]) * g;
        }
        p *= scale * 3 / 2;
        peak = fmax(peak, fabs(p));
        worst = fmax(worst, fabs((double)out[n] - p));
    }
    CHECK(worst < 1e-6 * peak); // the output is a float
    CHECK(peak > 0.01);
    fr_bank_destroy(bank);
}

TEST(audio_linearity) {
    static float one[N], ten[N], left[N], both[N];
    ring(end, fr_vec3(0, 0, -0.01), 1e-4, one);
    ring(end, fr_vec3(0, 0, -0.1), 1e-4, ten);
    ring(fr_vec3(0.3, 0.02, 0.01), fr_vec3(0, 0, -0.02), 5e-4, left);
    FrBank *bank = new_bank(true);
    CHECK(fr_bank_strike(bank, end, fr_vec3(0, 0, -0.01), 1e-4));
    CHECK(fr_bank_strike(bank, fr_vec3(0.3, 0.02, 0.01), fr_vec3(0, 0, -0.02), 5e-4));
    fr_bank_pull(bank, both, N);
    double worst = 0, sum = 0, peak = 0;
    for (int n = 0; n < N; n++) {
        peak = fmax(peak, fabs((double)one[n]));
        worst = fmax(worst, fabs((double)ten[n] - 10 * (double)one[n]));
        sum = fmax(sum, fabs((double)both[n] - (double)one[n] - (double)left[n]));
    }
    CHECK(worst < 1e-5 * peak); // floats of ten times the peak
    CHECK(sum < 1e-6 * peak);   // rounding: float32
    fr_bank_destroy(bank);
}

static void ring_one_mode(double duration, double *out) {
    FrRinger *ringer;
    FrRingerDef def = {.asset = bar, .rate = 48000, .gain = 1, .most_modes = 1, .most_blows = 1};
    CHECK_OK(ctx, fr_ringer_create(ctx, &def, &ringer));
    FrBlow blow = {.duration = duration, .spot = fr_asset_nearest(bar, end), .push = {0, 0, -1}};
    CHECK(fr_ringer_add(ringer, &blow));
    fr_ringer_pull(ringer, out, N);
    fr_ringer_destroy(ringer);
}

// shorter and shorter pulses come to the instant blow: what is missing is the lateness of their
// middle, so its energy falls with the square of the duration
TEST(pulse_to_delta) {
    static double a[N], b[N];
    double before = HUGE_VAL;
    ring_one_mode(1e-3, b);
    for (double samples = 32; samples > 3; samples /= 2) {
        ring_one_mode(samples, a);
        double off = 0;
        for (int n = 0; n < N; n++) off += pow(a[n] - b[n], 2);
        CHECK(off < 0.3 * before);
        before = off;
    }
}

// pulls of any length give the same samples as one long pull
TEST(pull_in_pieces) {
    static float whole[N], part[N];
    ring(end, fr_vec3(0, 0, -0.01), 3e-4, whole);
    FrBank *bank = new_bank(true);
    CHECK(fr_bank_strike(bank, end, fr_vec3(0, 0, -0.01), 3e-4));
    for (int n = 0, now = 1; n < N; n += now, now = 1 + (now * 5) % 333)
        fr_bank_pull(bank, part + n, now = now > N - n ? N - n : now);
    double worst = 0, peak = 0;
    for (int n = 0; n < N; n++) {
        worst = fmax(worst, fabs((double)whole[n] - (double)part[n]));
        peak = fmax(peak, fabs((double)whole[n]));
    }
    // rounding: blocks end elsewhere, other matrices and the same motion
    CHECK(worst < 1e-6 * peak);
    fr_bank_destroy(bank);
}

// after it is made, nothing is allocated, whatever happens to it
TEST(pull_allocates_nothing) {
    Refuser refuser = {.refuse_at = 0};
    FrContext *own = make_refusing_context(&refuser);
    FrBankDef def = fr_bank_def_default();
    def.asset = bar;
    def.most_blows = 4;
    FrBank *bank;
    CHECK_OK(own, fr_bank_create(own, &def, &bank));
    int calls = refuser.calls;
    static float out[N];
    for (int k = 0; k < 20; k++) {
        fr_bank_strike(bank, end, fr_vec3(0, 0, -0.01), 1e-3);
        fr_bank_strike_speed(bank, end, (FrMallet)(k % 4), 0, 1);
        fr_bank_scrape(bank, end, 1, 0.3, 0.05);
        fr_bank_pull(bank, out, 100 * k);
    }
    CHECK_INT(refuser.calls, calls);
    CHECK(fr_bank_sounding(bank));
    for (int n = 0; n < N; n++) CHECK(isfinite(out[n]));
    fr_bank_destroy(bank);
    // 16 to 20 things are allocated for it: each may fail
    int live = refuser.live;
    for (int k = 1; k <= calls; k++) {
        refuser.refuse_at = refuser.calls + k;
        FrResult result = fr_bank_create(own, &def, &bank);
        CHECK((result == FR_OK) == (bank != NULL));
        if (bank) k = calls;
        fr_bank_destroy(bank);
        CHECK_INT(refuser.live, live);
    }
    fr_context_destroy(own);
}

// when more blows push than there are voices none is lost
TEST(more_blows_than_voices) {
    FrBankDef def = fr_bank_def_default();
    def.asset = bar;
    def.most_blows = 1;
    def.double_precision = true;
    FrBank *bank;
    static float a[N], b[N];
    CHECK_OK(ctx, fr_bank_create(ctx, &def, &bank));
    for (int k = 0; k < 10; k++) CHECK(fr_bank_strike(bank, end, fr_vec3(0, 0, -0.01), 20e-6));
    fr_bank_pull(bank, a, N);
    ring(end, fr_vec3(0, 0, -0.1), 20e-6, b);
    double ea = 0, eb = 0;
    for (int n = 0; n < N; n++) ea += pow((double)a[n], 2), eb += pow((double)b[n], 2);
    CHECK_CLOSE(ea, eb, 0.05); // raster: at most a sample early each
    fr_bank_destroy(bank);
}

// a mode that rings is heard at its own pitch and dies as it should
TEST(decay_and_pitch) {
    static double s[48000];
    FrRinger *ringer;
    FrRingerDef def = {.asset = bar, .rate = 48000, .gain = 1, .most_modes = 1, .most_blows = 1};
    CHECK_OK(ctx, fr_ringer_create(ctx, &def, &ringer));
    FrBlow blow = {.duration = 3, .spot = fr_asset_nearest(bar, end), .push = {0, 0, -0.01}};
    CHECK(fr_ringer_add(ringer, &blow));
    fr_ringer_pull(ringer, s, 48000);
    double hz, t60;
    fr_asset_mode(bar, 0, &hz, &t60);
    double early = energy_of(s + 480, 4800), late = energy_of(s + 24480, 4800);
    // raster: rate by log fit; windows hold many whole cycles
    CHECK_CLOSE(log(early / late) / 2 / 0.5, log(1000) / t60, 0.01);
    double best = 0, at = 0;
    for (double f = hz - 20; f <= hz + 20; f += 0.25) {
        double p = power_at(s, 48000, f, 48000);
        if (p > best) best = p, at = f;
    }
    CHECK_NEAR(at, hz, 0.25); // step of the scan, twice
    fr_ringer_destroy(ringer);
}

// The click of a small ball: the jolt of a rigid sphere, checked against its formula
TEST(click_of_a_ball) {
    FrMaterial glass;
    FrAsset *asset;
    double a = cbrt(3 * 8e-6 / (4 * M_PI));
    CHECK(fr_material_find("glass", &glass));
    CHECK_OK(ctx, fr_cook_ball(ctx, a, &glass, &asset));
    FrRinger *ringer;
    FrRingerDef def = {.asset = asset, .rate = 192000, .gain = 1, .most_blows = 1, .click = true};
    CHECK_OK(ctx, fr_ringer_create(ctx, &def, &ringer));
    double J = 0.02, tc = 24, s[400], b = 343 / a, worst = 0, peak = 0;
    FrBlow blow = {.duration = tc, .spot = {0, {1, 0, 0}, 0}, .push = {J, 0, 0}};
    CHECK(fr_ringer_add(ringer, &blow));
    fr_ringer_pull(ringer, s, 400);
    for (int k = 0; k < 400; k++) {
        // the jolt spread over the pulse: a fine sum
        double t = k / def.rate, p = 0;
        for (int i = 0; i < 2000; i++) {
            double u = (i + 0.5) / 2000 * tc / def.rate, dt = tc / def.rate / 2000;
            if (u > t) break;
            double f = M_PI / 2 / (tc / def.rate) * sin(M_PI * u / (tc / def.rate));
            p += f * dt * exp(-b * (t - u)) * (cos(b * (t - u)) - sin(b * (t - u)));
        }
        p *= 1.204 * 343 * a * J / asset->info.mass / sqrt(3);
        peak = fmax(peak, fabs(p));
        worst = fmax(worst, fabs(p - s[k]));
    }
    CHECK(worst < 0.02 * peak); // force held over samples, 24 to a pulse
    CHECK(peak > 0.01);
    double sum = 0;
    for (int k = 0; k < 400; k++) sum += s[k];
    CHECK_NEAR(sum / peak, 0, 1e-12); // rounding: air goes back to where it was
    fr_ringer_destroy(ringer);
    fr_asset_destroy(asset);
}

typedef struct Player {
    FrBank *bank;
    bool stop;
    double energy;
} Player;

static void *play(void *arg) {
    Player *p = arg;
    float out[128];
    double energy = 0;
    for (bool last = false; !last;) { // once more after the stop: what was struck is there by then
        last = __atomic_load_n(&p->stop, __ATOMIC_ACQUIRE);
        fr_bank_pull(p->bank, out, 128);
        for (int n = 0; n < 128; n++) energy += (double)(out[n] * out[n]);
    }
    p->energy = energy;
    return NULL;
}

// hit on one thread, pulled on another (a ThreadSanitizer build looks closer)
TEST(two_threads) {
    Player p = {.bank = new_bank(false)};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, play, &p) == 0);
    int waited = 0;
    for (int k = 0; k < 5000; k++)
        if (!fr_bank_strike(p.bank, end, fr_vec3(0, 0, -0.01), 2e-4)) waited++;
    __atomic_store_n(&p.stop, true, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    CHECK(p.energy > 0 && isfinite(p.energy));
    CHECK(waited < 5000);
    fr_bank_destroy(p.bank);
}

// a blow that gives way is two pushes; where only one finds room, none is taken
TEST(a_blow_waits_as_a_whole) {
    FrBank *bank = new_bank(false);
    int taken = 0, pushes = 0;
    while (fr_bank_strike_speed(bank, end, FR_MALLET_STEEL, 0, 1)) taken++;
    while (fr_bank_strike(bank, end, fr_vec3(0, 0, 1), 1e-4)) pushes++;
    CHECK(pushes <= 1 && (2 * taken + pushes == 256 || taken + pushes == 256));
    fr_bank_destroy(bank);
    bank = new_bank(false);
    for (int k = 0; k < 255; k++) CHECK(fr_bank_strike(bank, end, fr_vec3(0, 0, 1), 1e-4));
    bool whole = taken == 256; // in one push
    CHECK(fr_bank_strike_speed(bank, end, FR_MALLET_STEEL, 0, 1) == whole);
    CHECK(fr_bank_strike(bank, end, fr_vec3(0, 0, 1), 1e-4) == !whole);
    fr_bank_destroy(bank);
}

TEST(bad_use) {
    FrBankDef def = fr_bank_def_default();
    FrBank *bank;
    CHECK_INT(fr_bank_create(ctx, &def, &bank), FR_BAD_USE);
    def.asset = bar;
    def.rate = 0;
    CHECK_INT(fr_bank_create(ctx, &def, &bank), FR_BAD_USE);
    def = fr_bank_def_default();
    def.asset = bar;
    def.distance = 0;
    CHECK_INT(fr_bank_create(ctx, &def, &bank), FR_BAD_USE);
    bank = new_bank(false);
    CHECK(!fr_bank_strike(bank, fr_vec3((double)NAN, 0, 0), fr_vec3(0, 0, 1), 0));
    CHECK(!fr_bank_strike(bank, end, fr_vec3(0, 0, (double)INFINITY), 0));
    CHECK(!fr_bank_strike(bank, end, fr_vec3(0, 0, 1), -1));
    CHECK(!fr_bank_strike_speed(bank, end, FR_MALLET_FELT, 0, 0));
    CHECK(!fr_bank_scrape(bank, end, 1, 0, 1));
    CHECK(!fr_bank_scrape(bank, end, -1, 1, 1));
    CHECK(!fr_bank_scrape(bank, end, 0, 1, 1));
    CHECK(!fr_bank_sounding(bank));
    fr_bank_destroy(bank);
}
