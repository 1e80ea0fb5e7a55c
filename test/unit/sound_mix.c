// sound_mix.c: listeners, stems, mixes, WAV files and spectra.

#include "sound_kit.h"
#include "base/file.h"
#include "base/random.h"
#include "sound/listener.h"
#include "sound/mix.h"
#include "sound/spectrum.h"
#include "sound/wav.h"
#include <unistd.h>

#define RATE 48000.0

static FrContext *ctx;
static FrDelayTable table;
__attribute__((constructor)) static void start(void) {
    ctx = make_context(1);
    fr_delay_table(&table);
}

// a tone between samples is the tone, up to 15 kHz
TEST(fractional_delay) {
    enum { N = 400 };
    double s[N];
    for (double hz = 100; hz < 16000; hz *= 2.3) {
        double w = 2 * M_PI * hz / RATE, worst = 0;
        for (int n = 0; n < N; n++) s[n] = cos(w * n);
        for (double t = 50; t < 300; t += 0.137)
            worst = fmax(worst, fabs(fr_delay_read(&table, s, N, t) - cos(w * t)));
        CHECK(worst < (hz < 10000 ? 2e-3 : 2e-2)); // model: a windowed sinc of sixteen taps
    }
    CHECK(fr_delay_read(&table, s, N, -100) == 0 && fr_delay_read(&table, s, N, 1e9) == 0);
    // rounding: at a sample the other taps are zero
    for (int n = 20; n < 300; n++) CHECK_NEAR(fr_delay_read(&table, s, N, n), s[n], 1e-12);
}

static void impulse_from(FrVec3 at, bool mono, int frames, double *left, double *right) {
    double *s = calloc((size_t)frames, sizeof *s);
    s[100] = 1;
    FrListener l = {.right = {1, 0, 0}, .mono = mono};
    FrTravel path = {&at, NULL, 1, 1, 0.1};
    fr_listen(&l, &path, &table, &(FrSource){{s, s}, frames, RATE}, left, right);
    free(s);
}

static double centre_of(const double *s, int n) {
    double sum = 0, all = 0;
    for (int k = 0; k < n; k++) sum += k * s[k], all += s[k];
    return sum / all;
}

// pressure falls as 1/r and comes after r/c
TEST(distance_and_delay) {
    enum { N = 4000 };
    static double left[N], right[N];
    for (double r = 0.5; r < 20; r *= 1.7) {
        impulse_from(fr_vec3(0, r, 0), true, N, left, right);
        double sum = 0;
        for (int n = 0; n < N; n++) sum += left[n];
        CHECK_CLOSE(sum, 1 / r, 1e-12); // rounding: rows of the table add up to 1
        // rounding: a windowed sinc is symmetric
        CHECK_NEAR(centre_of(left, N), 100 + r / 343 * RATE, 1e-9);
        CHECK(memcmp(left, right, sizeof left) == 0);
    }
}

// Woodworth: a/c (theta + sin theta) between the ears, and the near ear is brighter
TEST(two_ears) {
    enum { N = 2000 };
    static double left[N], right[N];
    for (double deg = 0; deg <= 90; deg += 15) {
        double th = deg * M_PI / 180, itd = 0.0875 / 343 * (th + sin(th));
        double detour = fr_ear_detour(-sin(th)) - fr_ear_detour(sin(th));
        CHECK_NEAR(0.0875 / 343 * detour, itd, 1e-17); // rounding: of 1e-3 s
        impulse_from(fr_vec3(3 * sin(th), 3 * cos(th), 0), false, N, left, right);
        CHECK((energy_of(right, N) > 1.2 * energy_of(left, N)) == (deg >= 15));
        double l = 0, r = 0;
        for (int n = 0; n < N; n++) l += left[n], r += right[n];
        CHECK_CLOSE(l, r, 1e-12); // rounding: low tones bend around the head
    }
    impulse_from(fr_vec3(0, 2, 0), false, N, left, right);
    for (int n = 0; n < N; n++) CHECK_NEAR(left[n], right[n], TOL_EXACT); // exact: straight ahead
}

// a source that comes nearer sounds higher by 1/(1 - v/c)
TEST(doppler) {
    enum { N = 48000 };
    static double s[N], left[N], right[N];
    for (int n = 0; n < N; n++) s[n] = sin(2 * M_PI * 1000 * n / RATE);
    FrVec3 place[2] = {{0, 40, 0}, {0, 20, 0}}; // 20 m/s
    FrListener l = {.right = {1, 0, 0}, .mono = true};
    FrTravel path = {place, NULL, 2, 1, 0.1};
    fr_listen(&l, &path, &table, &(FrSource){{s, s}, N, RATE}, left, right);
    double best = 0, at = 0;
    for (double hz = 1000; hz < 1100; hz += 0.5) {
        double p = power_at(left + 12000, 24000, hz, RATE);
        if (p > best) best = p, at = hz;
    }
    CHECK_NEAR(at, 1000 / (1 - 20.0 / 343) * (1 - 0.0),
               4); // model: heard time and sent time differ by v^2/c^2
}

typedef struct Stems {
    int count;
    double *sum;
    int64_t frames;
} Stems;

static FrResult add_stem(void *user, int32_t body, const float *stem) {
    Stems *s = user;
    (void)body;
    s->count++;
    for (int64_t n = 0; n < 2 * s->frames; n++) s->sum[n] += (double)stem[n];
    return FR_OK;
}

#define BODIES 11
static FrHit hits[BODIES][20];
static FrVec3 places[BODIES][3];

static void make_bodies(FrAsset *asset, FrSoundBody *body) {
    FrRandom random = fr_random_for(9, "bodies", 0);
    for (int b = 0; b < BODIES; b++) {
        for (int k = 0; k < 20; k++) {
            FrVec3 at = fr_vec3(fr_random_range(&random, 0, 0.3), 0.02, 0.01);
            hits[b][k] = (FrHit){.t = 0.02 * k + 1e-3 * b,
                                 .duration = k % 5 == 4 ? 0.05 : 2e-4,
                                 .spot = fr_asset_nearest(asset, at),
                                 .push = {0, 0, -0.01 * fr_random_unit(&random)},
                                 .cutoff = k % 5 == 4 ? 800 : 0};
        }
        for (int k = 0; k < 3; k++) places[b][k] = fr_vec3(b - 5.0, 2 + k, 0.5);
        body[b] = (FrSoundBody){asset,           hits[b],
                                b == 3 ? 0 : 20, {places[b], NULL, 3, 10, 0.2},
                                false,           b == 4 ? 0.2 : HUGE_VAL,
                                HUGE_VAL,        b};
    }
}

// stems add up to the mix, bit by bit; any number of workers gives the same bits
TEST(stems_sum_to_the_mix) {
    enum { FRAMES = 24000 };
    static float mix[2][2 * FRAMES];
    static double sum[2 * FRAMES];
    FrAsset *asset = bar_of(ctx, "aluminium");
    FrSoundBody body[BODIES];
    make_bodies(asset, body);
    FrMixDef def = {.rate = RATE,
                    .frames = FRAMES,
                    .gain = 0.5,
                    .listener = {.right = {1, 0, 0}},
                    .click = true,
                    .seed = 4};
    Stems stems = {0, sum, FRAMES};
    CHECK_OK(ctx, fr_mix(ctx, &def, body, BODIES, (FrStemSink){add_stem, &stems}, mix[0]));
    CHECK_INT(stems.count, BODIES - 1);
    for (int n = 0; n < 2 * FRAMES; n++) CHECK((float)sum[n] == mix[0][n]);
    FrContext *many = make_context(3);
    CHECK_OK(many, fr_mix(many, &def, body, BODIES, (FrStemSink){NULL, NULL}, mix[1]));
    CHECK(memcmp(mix[0], mix[1], sizeof mix[0]) == 0);
    fr_context_destroy(many);
    // nothing before sound has come: the nearest is at two metres
    for (int n = 0; n < 2 * 250; n++) CHECK(mix[0][n] == 0);
    fr_asset_destroy(asset);
}

typedef struct Heard {
    int count, body[BODIES];
    float *stem[BODIES];
    int64_t frames;
} Heard;

static FrResult keep_stem(void *user, int32_t body, const float *stem) {
    Heard *h = user;
    h->body[h->count] = body;
    h->stem[h->count] = malloc(2 * sizeof(float) * (size_t)h->frames);
    memcpy(h->stem[h->count++], stem, 2 * sizeof(float) * (size_t)h->frames);
    return FR_OK;
}

static void drop_stems(Heard *h) {
    for (int k = 0; k < h->count; k++) free(h->stem[k]);
}

// bodies of a family share a stem, where the first of them stands; what they sound like stays
TEST(families_share_a_stem) {
    enum { FRAMES = 9600 };
    static float mix[2][2 * FRAMES];
    FrAsset *asset = bar_of(ctx, "aluminium");
    FrSoundBody body[BODIES];
    make_bodies(asset, body);
    FrMixDef def = {
        .rate = RATE, .frames = FRAMES, .gain = 0.5, .listener = {.right = {1, 0, 0}}, .seed = 4};
    Heard own = {.frames = FRAMES}, shared = {.frames = FRAMES};
    CHECK_OK(ctx, fr_mix(ctx, &def, body, BODIES, (FrStemSink){keep_stem, &own}, mix[0]));
    for (int b = 0; b < BODIES; b++) body[b].family = b % 3; // body 3 is not hit
    CHECK_OK(ctx, fr_mix(ctx, &def, body, BODIES, (FrStemSink){keep_stem, &shared}, mix[1]));
    CHECK_INT(own.count, BODIES - 1);
    CHECK_INT(shared.count, 3);
    double most = 0;
    for (int f = 0; f < 3; f++) {
        CHECK_INT(shared.body[f], f);
        for (int n = 0; n < 2 * FRAMES; n++) {
            double sum = 0;
            for (int k = 0; k < own.count; k++)
                if (own.body[k] % 3 == f) sum += (double)own.stem[k][n];
            most = fmax(most, fabs(sum - (double)shared.stem[f][n]));
        }
    }
    double peak = 0;
    for (int n = 0; n < 2 * FRAMES; n++) {
        double sum = 0;
        for (int f = 0; f < 3; f++) sum += (double)shared.stem[f][n];
        CHECK((float)sum == mix[1][n]);
        peak = fmax(peak, fabs(sum));
    }
    CHECK(most < 1e-6 * peak && peak > 0); // rounding: stems are floats
    drop_stems(&own);
    drop_stems(&shared);
    fr_asset_destroy(asset);
}

// a body that dies at 0.2 s is silent 5 ms and its way later, without a click
TEST(audio_no_click) {
    enum { FRAMES = 24000 };
    static float mix[2 * FRAMES];
    FrAsset *asset = bar_of(ctx, "steel");
    FrHit hit = {.t = 0.01,
                 .duration = 3e-4,
                 .spot = fr_asset_nearest(asset, fr_vec3(0, 0, 0)),
                 .push = {0, 0, 0.02}};
    FrVec3 at = {0, 1, 0};
    FrSoundBody body = {asset, &hit, 1, {&at, NULL, 1, 1, 0.1}, false, 0.2, HUGE_VAL, 0};
    FrMixDef def = {
        .rate = RATE, .frames = FRAMES, .gain = 1, .listener = {.right = {1, 0, 0}}, .click = true};
    CHECK_OK(ctx, fr_mix(ctx, &def, &body, 1, (FrStemSink){NULL, NULL}, mix));
    double peak = 0, late = 0, jump = 0, usual = 0;
    for (int n = 2; n < FRAMES; n++) {
        double s = (double)mix[2 * n],
               d = fabs(s - 2 * (double)mix[2 * n - 2] + (double)mix[2 * n - 4]);
        peak = fmax(peak, fabs(s));
        if (n > 0.215 * RATE) late = fmax(late, fabs(s));
        if (n > 0.15 * RATE && n < 0.19 * RATE) usual = fmax(usual, d);
        if (n > 0.19 * RATE && n < 0.22 * RATE) jump = fmax(jump, d);
    }
    CHECK(peak > 0.01);
    CHECK(late < 1e-3 * peak); // model: what is left is the slow answer of the 20 Hz filter
    CHECK(jump < 1.5 * usual);
    fr_asset_destroy(asset);
}

// what comes to rest at 0.1 s dies away faster from there on, by the rate that was set
TEST(rest_damps) {
    enum { FRAMES = 24000 };
    static float mix[2][2 * FRAMES];
    FrAsset *asset = bar_of(ctx, "steel");
    FrHit hit = {.t = 0.01,
                 .duration = 3e-4,
                 .spot = fr_asset_nearest(asset, fr_vec3(0, 0, 0)),
                 .push = {0, 0, 0.02}};
    FrVec3 at = {0, 1, 0};
    FrMixDef def = {.rate = RATE,
                    .frames = FRAMES,
                    .gain = 1,
                    .listener = {.right = {1, 0, 0}, .mono = true},
                    .rest_damping = 10};
    for (int k = 0; k < 2; k++) {
        FrSoundBody body = {
            asset, &hit, 1, {&at, NULL, 1, 1, 0.1}, false, HUGE_VAL, k ? 0.1 : HUGE_VAL, 0};
        CHECK_OK(ctx, fr_mix(ctx, &def, &body, 1, (FrStemSink){NULL, NULL}, mix[k]));
    }
    double a = 0, b = 0;
    for (int n = 20000; n < 22000; n++)
        a += pow((double)mix[0][2 * n], 2), b += pow((double)mix[1][2 * n], 2);
    double t = 21000 / RATE - 0.1 - 1.0 / 343;
    // model: the stretch is 40 ms long, and it dies away within
    CHECK_CLOSE(sqrt(b / a), exp(-10 * t), 0.03);
    for (int n = 0; n < 4800; n++) CHECK(mix[0][2 * n] == mix[1][2 * n]);
    fr_asset_destroy(asset);
}

TEST(mix_refused_memory) {
    FrAsset *asset = bar_of(ctx, "steel");
    FrHit hit = {.t = 0, .duration = 1e-4, .spot = {0, {1, 0, 0}, 0}, .push = {0, 0, 0.02}};
    FrVec3 at = {0, 1, 0};
    FrSoundBody body = {asset, &hit, 1, {&at, NULL, 1, 1, 0.1}, false, HUGE_VAL, HUGE_VAL, 0};
    FrMixDef def = {.rate = RATE, .frames = 64, .gain = 1, .listener = {.right = {1, 0, 0}}};
    float mix[128];
    bool done = false;
    for (int k = 1; k < 100 && !done; k++) {
        Refuser refuser = {.refuse_at = 0};
        FrContext *own = make_refusing_context(&refuser);
        int live = refuser.live;
        refuser.refuse_at = refuser.calls + k;
        FrResult result = fr_mix(own, &def, &body, 1, (FrStemSink){NULL, NULL}, mix);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        done = result == FR_OK;
        CHECK_INT(refuser.live, live);
        fr_context_destroy(own);
    }
    CHECK(done);
    fr_asset_destroy(asset);
}

TEST(wav_files) {
    char path[64];
    snprintf(path, sizeof path, "sound-mix-%d.wav", (int)getpid());
    float s[6] = {0, 1, -1, 0.5f, -0.25f, 3};
    CHECK_OK(ctx, fr_wav_save(ctx, path, s, 3, 2, 48000));
    uint8_t *bytes;
    size_t size;
    CHECK_OK(ctx, fr_file_load(ctx, path, 1000, &bytes, &size));
    CHECK_INT(size, 58 + 24);
    CHECK(!memcmp(bytes, "RIFF", 4) && !memcmp(bytes + 8, "WAVEfmt ", 8));
    CHECK_INT(bytes[4], 58 + 24 - 8);
    CHECK_INT(bytes[20], 3);
    CHECK_INT(bytes[22], 2);
    CHECK(!memcmp(bytes + 50, "data", 4));
    CHECK(!memcmp(bytes + 58, s, sizeof s)); // little-endian here
    fr_free(ctx, bytes);
    unlink(path);
    s[2] = NAN;
    CHECK_INT(fr_wav_save(ctx, path, s, 3, 2, 48000), FR_NUMERICAL);
    CHECK(access(path, F_OK) != 0);
}

// against the sum that defines it
TEST(fft) {
    enum { N = 64 };
    double re[N], im[N], x[N], y[N];
    FrRandom random = fr_random_for(2, "fft", 0);
    for (int n = 0; n < N; n++)
        x[n] = re[n] = fr_random_normal(&random), y[n] = im[n] = fr_random_normal(&random);
    fr_fft(re, im, N);
    for (int k = 0; k < N; k++) {
        double a = 0, b = 0;
        for (int n = 0; n < N; n++) {
            double w = -2 * M_PI * ((n * k) % N) / N;
            a += x[n] * cos(w) - y[n] * sin(w);
            b += x[n] * sin(w) + y[n] * cos(w);
        }
        // rounding: sums of 64 terms of size 1
        CHECK_NEAR(re[k], a, 1e-13);
        CHECK_NEAR(im[k], b, 1e-13);
    }
}

TEST(spectra_find_a_tone) {
    enum { N = 48000 };
    static float f[N];
    static double d[N];
    for (int n = 0; n < N; n++) f[n] = (float)(d[n] = sin(2 * M_PI * 1000 * n / RATE));
    FrSpectrogram g;
    CHECK_OK(ctx, fr_spectrogram_make(ctx, &(FrMono){f, N, RATE}, 50, 200, &g));
    for (int c = 5; c < 45; c++) {
        int best = 0;
        for (int r = 0; r < 200; r++)
            if (g.db[c * 200 + r] > g.db[c * 200 + best]) best = r;
        double hz = g.lowest * pow(g.highest / g.lowest, (best + 0.5) / 200);
        CHECK_NEAR(hz, 1000, 30); // raster: rows are 3 % apart
        // rounding: float32, of a row that is the tone
        CHECK_NEAR((double)g.db[c * 200 + best], 0, 1e-5);
    }
    fr_spectrogram_free(ctx, &g);
    double hz;
    CHECK_OK(ctx, fr_spectrum_centroid(ctx, d, N, RATE, &hz));
    CHECK_NEAR(hz, 1000, 0.5); // model: the ends of the stretch are sharp
}
