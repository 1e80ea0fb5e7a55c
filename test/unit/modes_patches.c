// modes_patches.c: the same table of modes sounds the same in Faust, Csound and SuperCollider: the
// resonators of the three, as their sources have them, fed with the numbers of the files.

#include "sound_kit.h"
#include "output/modes_export.h"
#include "sound/heard.h"
#include "sound/spectrum.h"

#define RATE 48000.0
#define FRAMES 48000
#define MODES 9
#define LN_1000 6.907755278982137

static FrContext *ctx;
__attribute__((constructor)) static void start(void) { ctx = make_context(1); }

// the tones of a bowl and of a tube, one above hearing and one without a tone
static FrModeTable make_table(FrModeRow row[MODES]) {
    static const double hz[MODES] = {152, 585, 1386, 4120, 9116, 14300, 19800, 26000, 300},
                        t60[MODES] = {9, 10, 3, 0.4, 0.09, 0.02, 0.009, 0.01, 0.002},
                        pressure[MODES] = {1, 3, 2, 4, 2.5, 1, 0.5, 9, 5};
    for (int i = 0; i < MODES; i++) {
        double decay = LN_1000 / t60[i], w = 2 * M_PI * hz[i], rest = w * w - decay * decay;
        row[i] = (FrModeRow){.hz = hz[i],
                             .tone = rest > 0 ? sqrt(rest) / (2 * M_PI) : 0,
                             .decay = decay,
                             .t60 = t60[i],
                             .pressure = pressure[i]};
    }
    return (FrModeTable){"bowl", "bronze", MODES, row};
}

static char *text_of(const FrModeTable *table, const char *path) {
    FrWriter w;
    fr_writer_init(&w, ctx);
    fr_mode_format(path)->write(&w, table);
    fr_write_u8(&w, 0);
    CHECK_OK(ctx, fr_writer_result(&w));
    return (char *)w.data;
}

// numbers after `name`, with commas, spaces and ends of lines between; returns how many
static int numbers(const char *text, const char *name, double to[MODES]) {
    const char *at = strstr(text, name);
    CHECK(at != NULL);
    int count = 0;
    for (at += at ? strlen(name) : 0; at && count < MODES; count++) {
        char *end;
        at += strspn(at, ", \\\n");
        to[count] = strtod(at, &end);
        if (end == at) break;
        at = end;
    }
    return count;
}

// three lists of seven, by what stands before each
static int lists(const char *text, const char *const names[3], double *a, double *b, double *c) {
    int count = numbers(text, names[0], a);
    CHECK(numbers(text, names[1], b) == count);
    CHECK(numbers(text, names[2], c) == count);
    CHECK_INT(count, 7);
    return count;
}

// fi.tf2(1, 0, -1, -2 r cos w, r^2) * gain, r = 0.001^(1/(t60 rate))
static void faust(const char *text, double *out) {
    static const char *const names[] = {"modeFreqs = (", "modeT60s = (", "modeGains = ("};
    double hz[MODES], t60[MODES], gain[MODES];
    int count = lists(text, names, hz, t60, gain);
    for (int i = 0; i < count; i++) {
        double r = pow(0.001, 1 / (t60[i] * RATE)), y1 = 0, y2 = 0;
        for (int n = 0; n < FRAMES; n++) {
            double x = (n == 0) - (n == 2);
            double y = x + 2 * r * cos(2 * M_PI * hz[i] / RATE) * y1 - r * r * y2;
            out[n] += gain[i] * y;
            y2 = y1;
            y1 = y;
        }
    }
}

// y = a0 x' - a1 y' - a2 y'', out y d; x the impulse less itself two samples later
static void csound(const char *text, double *out) {
    static const char *const names[] = {"giFreq ftgen 0, 0, -7, -2, ", "giQ ftgen 0, 0, -7, -2, ",
                                        "giGain ftgen 0, 0, -7, -2, "};
    double hz[MODES], q[MODES], gain[MODES];
    int count = lists(text, names, hz, q, gain);
    for (int i = 0; i < count; i++) {
        CHECK(RATE / hz[i] > M_PI); // what it takes to be stable
        double alpha = RATE / (2 * M_PI * hz[i]), beta = alpha * alpha, d = 0.5 * alpha;
        double a0 = 1 / (beta + d / q[i]), a1 = a0 * (1 - 2 * beta), a2 = a0 * (beta - d / q[i]);
        double x1 = 0, y1 = 0, y2 = 0;
        for (int n = 0; n < FRAMES; n++) {
            double y = a0 * x1 - a1 * y1 - a2 * y2;
            x1 = (n == 0) - (n == 2);
            y2 = y1;
            y1 = y;
            out[n] += gain[i] * y * d;
        }
    }
}

// Klank: b1 = 2R (2R cos w / (1 + R^2)), b2 = -R^2, out level/4 (y - y'')
static void klank(const char *text, double *out) {
    double hz[MODES], level[MODES], time[MODES];
    int count = numbers(text, "freqs = #[", hz);
    CHECK(numbers(text, "levels = #[", level) == count);
    CHECK(numbers(text, "times = #[", time) == count);
    CHECK_INT(count, 7);
    for (int i = 0; i < count; i++) {
        double R = exp(log(0.001) / (time[i] * RATE)), y1 = 0, y2 = 0;
        double b1 = 2 * R * (2 * R * cos(2 * M_PI * hz[i] / RATE) / (1 + R * R));
        for (int n = 0; n < FRAMES; n++) {
            double y = (n == 0) + b1 * y1 - R * R * y2;
            out[n] += 0.25 * level[i] * (y - y2);
            y2 = y1;
            y1 = y;
        }
    }
}

// Csound comes one sample later; SuperCollider's poles are off by (decay/rate)^2 near half the
// rate. All are what a bank of modes does after an instant blow, sum of A r^n cos(n theta), but for
// the 1/Q that a resonator has of the sine, and half of its first sample.
TEST(one_table_one_sound) {
    static double f[FRAMES], c[FRAMES + 1], s[FRAMES];
    FrModeRow row[MODES];
    FrModeTable table = make_table(row);
    char *dsp = text_of(&table, "x.dsp"), *csd = text_of(&table, "x.csd"),
         *scd = text_of(&table, "x.scd");
    faust(dsp, f);
    csound(csd, c);
    klank(scd, s);
    double peak = peak_of(f, FRAMES), off_c = 0, off_s = 0, off = 0;
    for (int n = 0; n < FRAMES - 1; n++) {
        double want = 0;
        for (int i = 0; i < 7; i++)
            want += row[i].pressure / 14.0 * exp(-row[i].decay * n / RATE) *
                    cos(2 * M_PI * row[i].tone * n / RATE);
        off_c = fmax(off_c, fabs(c[n + 1] - f[n]));
        off_s = fmax(off_s, fabs(s[n] - f[n]));
        if (n > 0) off = fmax(off, fabs(f[n] - want));
    }
    CHECK_NEAR(off_c / peak, 0, 1e-9); // digits: 17 of them, and a million steps
    CHECK_NEAR(off_s / peak, 0, 1e-3); // model: poles that are off, as above
    CHECK_NEAR(off / peak, 0, 0.02);   // model: the 1/Q of the sine, as above
    CHECK(peak <= 1 && peak > 0.5);
    CHECK_HAS(csd, "sr = 48000");
    fr_free(ctx, dsp);
    fr_free(ctx, csd);
    fr_free(ctx, scd);
}

// The level of a mode in the table is what a unit blow gives to the air at the points of its
// surface, root mean square: no 6 dB more for each octave.
TEST(levels_are_those_of_a_blow) {
    Beam beam = make_beam(ctx, "steel", 0.3, 0.04, 0.01);
    FrModeTable table = {0};
    CHECK_OK(ctx, fr_mode_table(ctx, &beam.mesh, &beam.modes, &beam.material, &table));
    FrAsset *bar;
    CHECK_OK(ctx, fr_asset_make(ctx, &beam.mesh, &beam.modes, &beam.material, NULL, &bar));
    CHECK_INT(bar->info.mode_count, BEAM_MODES);
    FrAssetInfo info = fr_asset_info(bar);
    for (int i = 0; i < BEAM_MODES; i++) {
        double sum = 0, gain = fr_air_gain(FR_AIR_SMALL, info.area, info.volume, bar->coupling[i],
                                           bar->lambda[i]);
        for (int32_t t = 0; t < info.tri_count; t++) {
            FrVec3 p[3], n = fr_asset_normal(bar, t);
            for (int k = 0; k < 3; k++) {
                const float *x = bar->x + 3 * bar->tri[t][k];
                p[k] = fr_vec3((double)x[0], (double)x[1], (double)x[2]);
            }
            double area = 0.5 * fr_length(fr_cross(fr_sub(p[1], p[0]), fr_sub(p[2], p[0])));
            for (int k = 0; k < 3; k++) { // mid-edges: exact for squares of straight lines
                FrSpot spot = {.tri = t, .b = {0.5, 0.5, 0.5}};
                spot.b[k] = 0;
                double part = gain * fr_asset_weight(bar, &spot, i, n);
                sum += area / 3 * part * part;
            }
        }
        int found = -1;
        for (int k = 0; k < table.count; k++)
            if (fabs(2 * M_PI * table.row[k].hz / sqrt(bar->lambda[i]) - 1) < 1e-9) found = k;
        CHECK(found >= 0);
        // rounding: float32 shapes
        if (found >= 0) CHECK_CLOSE(table.row[found].pressure, sqrt(sum / info.area), 1e-5);
    }
    fr_asset_destroy(bar);
    fr_mode_table_free(ctx, &table);
    free_beam(ctx, &beam);
}
