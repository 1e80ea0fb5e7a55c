// spectrum.c: Fourier transforms, spectrograms and what one reads off them.

#include "sound/spectrum.h"
#include <math.h>

/// Longest stretch that one column looks at, samples; a short sound has shorter ones, a sixteenth
/// of it, or one could not tell its moments apart.
#define LONGEST 4096
#define SHORTEST 256
#define STRETCHES 16
#define LOWEST 40.0
#define HIGHEST 20000.0
/// Below this the picture is black, dB.
#define FLOOR (-120.0)

// bits of k in reverse order
static void swap_reversed(double *re, double *im, int32_t count) {
    for (int32_t k = 1, r = 0; k < count; k++) {
        int32_t bit = count >> 1;
        for (; r & bit; bit >>= 1) r ^= bit;
        r ^= bit;
        if (k >= r) continue;
        double a = re[k], b = im[k];
        re[k] = re[r], im[k] = im[r];
        re[r] = a, im[r] = b;
    }
}

// Cooley and Tukey, radix two
void fr_fft(double *re, double *im, int32_t count) {
    FR_ASSERT(count > 0 && (count & (count - 1)) == 0, "give a power of two");
    swap_reversed(re, im, count);
    for (int32_t half = 1; half < count; half *= 2)
        for (int32_t j = 0; j < half; j++) {
            double angle = -M_PI * j / half, c = cos(angle), s = sin(angle);
            for (int32_t k = j; k < count; k += 2 * half) {
                double a = c * re[k + half] - s * im[k + half];
                double b = s * re[k + half] + c * im[k + half];
                re[k + half] = re[k] - a, im[k + half] = im[k] - b;
                re[k] += a, im[k] += b;
            }
        }
}

/// Power of each bin of one windowed stretch.
typedef struct Stretch {
    int32_t window; ///< samples
    double re[LONGEST], im[LONGEST];
} Stretch;

static int32_t window_of(int64_t frames) {
    int32_t window = SHORTEST;
    while (window < LONGEST && 2 * window <= frames / STRETCHES) window *= 2;
    return window;
}

static void stretch_at(const float *sample, int64_t frames, int64_t middle, Stretch *s) {
    for (int32_t k = 0; k < s->window; k++) {
        int64_t n = middle - s->window / 2 + k;
        double w = 0.5 - 0.5 * cos(2.0 * M_PI * (k + 0.5) / s->window);
        s->re[k] = n >= 0 && n < frames ? w * (double)sample[n] : 0.0;
        s->im[k] = 0.0;
    }
    fr_fft(s->re, s->im, s->window);
}

static double bin_power(const Stretch *s, int32_t k) {
    return s->re[k] * s->re[k] + s->im[k] * s->im[k];
}

// the loudest bin between two frequencies; where they are nearer than bins, in between
static double row_power(const Stretch *s, double lo, double hi) {
    int32_t first = (int32_t)ceil(lo), last = (int32_t)floor(hi);
    double most = 0.0;
    for (int32_t k = first; k <= last && k <= s->window / 2; k++)
        most = fr_max(most, bin_power(s, k));
    if (first <= last) return most;
    int32_t k = (int32_t)floor(lo);
    if (k >= s->window / 2) return 0.0;
    double part = 0.5 * (lo + hi) - k;
    return (1.0 - part) * bin_power(s, k) + part * bin_power(s, k + 1);
}

static void to_db(FrSpectrogram *g, double most) {
    int64_t count = (int64_t)g->columns * g->rows;
    for (int64_t k = 0; k < count; k++) {
        double p = (double)g->db[k];
        g->db[k] = (float)(p > 0.0 && most > 0.0 ? fr_max(FLOOR, 10.0 * log10(p / most)) : FLOOR);
    }
}

FrResult fr_spectrogram_make(FrContext *ctx, const FrMono *sound, int32_t columns, int32_t rows,
                             FrSpectrogram *g) {
    int64_t frames = sound->frames;
    double rate = sound->rate;
    *g = (FrSpectrogram){.columns = columns, .rows = rows, .lowest = LOWEST};
    g->highest = fr_min(HIGHEST, 0.5 * rate);
    g->span = (double)frames / rate;
    g->db = FR_NEW(ctx, float, (size_t)columns *(size_t)rows);
    Stretch *s = FR_NEW(ctx, Stretch, 1);
    if (s) s->window = window_of(frames);
    double most = 0.0, ratio = log(g->highest / g->lowest), bins = window_of(frames) / rate;
    for (int32_t c = 0; g->db && s && c < columns; c++) {
        stretch_at(sound->sample, frames, (int64_t)((c + 0.5) / columns * (double)frames), s);
        for (int32_t r = 0; r < rows; r++) {
            double lo = g->lowest * exp(ratio * r / rows),
                   hi = g->lowest * exp(ratio * (r + 1) / rows);
            double p = row_power(s, lo * bins, hi * bins);
            g->db[(int64_t)c * rows + r] = (float)p;
            most = fr_max(most, p);
        }
    }
    bool good = g->db && s;
    fr_free(ctx, s);
    if (!good) {
        fr_spectrogram_free(ctx, g);
        return fr_no_memory(ctx, "a spectrogram");
    }
    to_db(g, most);
    return FR_OK;
}

void fr_spectrogram_free(FrContext *ctx, FrSpectrogram *g) {
    fr_free(ctx, g->db);
    g->db = NULL;
}

FrResult fr_spectrum_centroid(FrContext *ctx, const double *sample, int64_t frames, double rate,
                              double *hz) {
    int32_t count = 1;
    while (count < frames && count < 1 << 24) count *= 2;
    double *re = FR_NEW(ctx, double, count), *im = FR_NEW(ctx, double, count), sum = 0.0, all = 0.0;
    bool good = re && im;
    if (good) {
        for (int64_t n = 0; n < frames && n < count; n++) re[n] = sample[n];
        fr_fft(re, im, count);
        for (int32_t k = 1; k <= count / 2; k++) {
            double p = re[k] * re[k] + im[k] * im[k];
            sum += p * k * rate / count;
            all += p;
        }
    }
    fr_free(ctx, re);
    fr_free(ctx, im);
    *hz = all > 0.0 ? sum / all : 0.0;
    return good ? FR_OK : fr_no_memory(ctx, "a spectrum");
}

#define MOMENT 2048
#define BANDS 22
#define FAINTEST 1e-6 ///< power over the loudest band

// power in third octaves from 100 Hz up, of one moment under Hann's window
static void band_powers(const FrMono *sound, int64_t at, double *re, double *im, double *power) {
    for (int32_t n = 0; n < MOMENT; n++) {
        double x = at + n < sound->frames ? (double)sound->sample[at + n] : 0.0;
        re[n] = x * (0.5 - 0.5 * cos(2.0 * M_PI * n / MOMENT));
        im[n] = 0.0;
    }
    fr_fft(re, im, MOMENT);
    for (int32_t b = 0; b < BANDS; b++) {
        double low = 100.0 * pow(2.0, b / 3.0) * MOMENT / sound->rate;
        int32_t first = (int32_t)ceil(low), end = (int32_t)ceil(low * pow(2.0, 1.0 / 3.0));
        power[b] = 0.0;
        if (end == first) end++;
        for (int32_t k = first; k < end && k < MOMENT / 2; k++)
            power[b] += re[k] * re[k] + im[k] * im[k];
    }
}

FrResult fr_spectrum_distance(FrContext *ctx, const FrMono *a, const FrMono *b, double *db) {
    int32_t moments = (int32_t)(a->frames / (MOMENT / 2)) + 1;
    double *power = FR_NEW(ctx, double, 2 * BANDS * (size_t)moments);
    double *re = FR_NEW(ctx, double, MOMENT), *im = FR_NEW(ctx, double, MOMENT);
    double most = 0.0, sum = 0.0, count = 0.0;
    bool good = power && re && im;
    for (int32_t m = 0; m < moments && good; m++)
        for (int i = 0; i < 2; i++)
            band_powers(i ? b : a, (int64_t)m * (MOMENT / 2), re, im,
                        power + BANDS * (2 * (size_t)m + (size_t)i));
    for (size_t k = 0; k < 2 * BANDS * (size_t)moments && good; k++) most = fmax(most, power[k]);
    for (size_t k = 0; k < 2 * BANDS * (size_t)moments && good && most > 0.0; k++) {
        if (k / BANDS % 2) continue;
        double x = power[k] / most, y = power[k + BANDS] / most;
        if (fmax(x, y) < FAINTEST) continue;
        double d = 10.0 * log10(fmax(x, FAINTEST) / fmax(y, FAINTEST));
        sum += d * d;
        count += 1.0;
    }
    *db = count > 0.0 ? sqrt(sum / count) : 0.0;
    FR_FREE_ALL(ctx, power, re, im);
    return good ? FR_OK : fr_no_memory(ctx, "a comparison");
}
