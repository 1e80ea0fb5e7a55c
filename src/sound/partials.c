// partials.c: the tones of one recorded blow: peaks of the spectrum, then the envelope of each.

#include "sound/partials.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The blow itself: what comes so long after the loudest moment is the body alone, s.
#define CONTACT 3e-3
/// What is looked at, s.
#define SHORTEST 0.05
#define LONGEST 2.0
/// A peak is so far above what surrounds it, and no further below the loudest, as power. The
/// highest of 50,000 bins of noise is 16 times above their median.
#define OVER_FLOOR 30.0
#define OVER_VALLEY 8.0
#define UNDER_LOUDEST 3e-6
/// On either side: Hz, and of its own frequency, whichever is more; short tones have broad peaks.
#define SURROUNDINGS 150.0
#define SURROUNDINGS_SHARE 0.15
#define LOWEST 30.0 ///< Hz
/// An envelope is followed until it has lost so much, dB, or meets twice its own noise.
#define FOLLOWED 40.0
#define HARDLY 8.0
#define NARROWEST 4e-3 ///< s: windows of envelopes
#define WIDEST 60e-3
#define MOST_PEAKS 256

typedef struct Listening {
    FrContext *ctx;
    const float *sample; ///< from CONTACT after the blow on (frames)
    int64_t frames;
    double rate;
    int32_t size; ///< of the transform, a power of two
    double *power;
    FrPartial peak[MOST_PEAKS];
    int32_t count;
} Listening;

// where the loudest 2 ms are
static int64_t find_blow(const FrMono *sound) {
    int64_t block = (int64_t)(2e-3 * sound->rate), best = 0;
    double most = -1.0;
    for (int64_t n = 0; n + block <= sound->frames; n += block) {
        double energy = 0.0;
        for (int64_t k = n; k < n + block; k++)
            energy += (double)sound->sample[k] * (double)sound->sample[k];
        if (energy > most) most = energy, best = n;
    }
    return best;
}

static FrResult begin(Listening *l, const FrMono *sound) {
    int64_t from = find_blow(sound) + (int64_t)(CONTACT * sound->rate);
    l->sample = sound->sample + from;
    l->rate = sound->rate;
    l->frames = sound->frames - from;
    if (l->frames > (int64_t)(LONGEST * l->rate)) l->frames = (int64_t)(LONGEST * l->rate);
    if (l->frames < (int64_t)(SHORTEST * l->rate))
        return fr_fail(l->ctx, FR_BAD_INPUT,
                       "the recording ends %.0f ms after its loudest moment; it takes %.0f ms",
                       1e3 * (double)(l->frames > 0 ? l->frames : 0) / l->rate, 1e3 * SHORTEST);
    for (l->size = 1024; l->size < 2 * l->frames;) l->size *= 2;
    return FR_OK;
}

// the falling half of Hann's window: a blow needs no rise, and what still rings does not end in a
// step
static FrResult transform(Listening *l) {
    double *re = FR_NEW(l->ctx, double, l->size), *im = FR_NEW(l->ctx, double, l->size);
    l->power = FR_NEW(l->ctx, double, l->size / 2);
    bool good = re && im && l->power;
    for (int64_t n = 0; good && n < l->frames; n++)
        re[n] = (double)l->sample[n] * (0.5 + 0.5 * cos(M_PI * (double)n / (double)l->frames));
    if (good) fr_fft(re, im, l->size);
    for (int32_t k = 0; good && k < l->size / 2; k++) l->power[k] = re[k] * re[k] + im[k] * im[k];
    fr_free(l->ctx, re);
    fr_free(l->ctx, im);
    return good ? FR_OK : fr_no_memory(l->ctx, "a spectrum");
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// the median of what lies around bin k
static double floor_at(const Listening *l, int32_t k, double *scratch) {
    int32_t half = (int32_t)fr_max(SURROUNDINGS * l->size / l->rate, SURROUNDINGS_SHARE * k);
    int32_t from = k - half, to = k + half;
    int32_t stride = 1 + half / 64, count = 0;
    if (from < 1) from = 1;
    if (to >= l->size / 2) to = l->size / 2 - 1;
    for (int32_t i = from; i <= to; i += stride) scratch[count++] = l->power[i];
    qsort(scratch, (size_t)count, sizeof *scratch, by_value);
    return scratch[count / 2];
}

// the least on the way to something higher: noise that rides on the slope of a peak has no valley
static double valley(const Listening *l, int32_t k, int32_t way) {
    double least = l->power[k];
    for (int32_t i = k + way; i >= 1 && i < l->size / 2 && l->power[i] <= l->power[k]; i += way)
        least = fr_min(least, l->power[i]);
    return least;
}

static bool is_peak(const Listening *l, int32_t k) {
    if (l->power[k] <= l->power[k - 1] || l->power[k] < l->power[k + 1]) return false;
    return fr_max(valley(l, k, -1), valley(l, k, 1)) * OVER_VALLEY < l->power[k];
}

static int louder(const void *a, const void *b) {
    double x = ((const FrPartial *)a)->level, y = ((const FrPartial *)b)->level;
    return (x < y) - (x > y);
}

static int higher(const void *a, const void *b) {
    double x = ((const FrPartial *)a)->hz, y = ((const FrPartial *)b)->hz;
    return (x > y) - (x < y);
}

static void keep_peak(Listening *l, FrPartial peak) {
    if (l->count < MOST_PEAKS) {
        l->peak[l->count++] = peak;
        return;
    }
    int32_t least = 0;
    for (int32_t i = 1; i < l->count; i++)
        if (l->peak[i].level < l->peak[least].level) least = i;
    if (peak.level > l->peak[least].level) l->peak[least] = peak;
}

// the parabola through the logarithms of a bin and its neighbours
static double top_of(const Listening *l, int32_t k) {
    double least = 1e-300, a = log(l->power[k - 1] + least), b = log(l->power[k] + least),
           c = log(l->power[k + 1] + least);
    double bend = a - 2.0 * b + c;
    return bend < 0.0 ? k + 0.5 * (a - c) / bend : k;
}

static FrResult find_peaks(Listening *l) {
    int32_t first = (int32_t)ceil(LOWEST * l->size / l->rate);
    double loudest = 0.0;
    for (int32_t k = first; k < l->size / 2; k++) loudest = fr_max(loudest, l->power[k]);
    if (!(loudest > 0.0)) return fr_fail(l->ctx, FR_BAD_INPUT, "the recording is silent");
    double *scratch = FR_NEW(l->ctx, double, 2 * 64 + 4);
    if (!scratch) return fr_no_memory(l->ctx, "a spectrum");
    for (int32_t k = first > 1 ? first : 1; k + 1 < l->size / 2; k++) {
        if (l->power[k] < UNDER_LOUDEST * loudest || !is_peak(l, k)) continue;
        if (l->power[k] < OVER_FLOOR * floor_at(l, k, scratch)) continue;
        keep_peak(l, (FrPartial){.hz = top_of(l, k) * l->rate / l->size, .level = l->power[k]});
    }
    fr_free(l->ctx, scratch);
    return FR_OK;
}

/// Envelope of one tone: its level and phase at moments `hop` apart.
typedef struct Envelope {
    double log_level[512], phase[512];
    int32_t count;
    double hop; ///< s
} Envelope;

// what is left of the tone after it was turned to 0 Hz and averaged over Hann's window
static void follow(const Listening *l, double hz, double window, Envelope *e) {
    int64_t width = (int64_t)(window * l->rate);
    int64_t hop = (l->frames - width) / 511 + 1;
    if (hop < width / 8) hop = width / 8 + 1;
    double turn = 2.0 * M_PI * hz / l->rate, last = 0.0;
    e->count = 0;
    e->hop = (double)hop / l->rate;
    for (int64_t n = 0; n + width <= l->frames && e->count < 512; n += hop) {
        double re = 0.0, im = 0.0;
        for (int64_t k = 0; k < width; k++) {
            double w = 0.5 - 0.5 * cos(2.0 * M_PI * ((double)k + 0.5) / (double)width);
            double x = w * (double)l->sample[n + k], angle = turn * (double)(n + k);
            re += x * cos(angle), im -= x * sin(angle);
        }
        double phase = atan2(im, re);
        if (e->count) phase = last + remainder(phase - last, 2.0 * M_PI);
        last = e->phase[e->count] = phase;
        e->log_level[e->count++] = 0.5 * log(re * re + im * im + 1e-300);
    }
}

static double slope(const double *y, int32_t count) {
    double top = 0.0, below = 0.0, middle = 0.5 * (count - 1);
    for (int32_t k = 0; k < count; k++) {
        top += (k - middle) * y[k];
        below += (k - middle) * (k - middle);
    }
    return below > 0.0 ? top / below : 0.0;
}

// how many moments are of the tone and not of the noise, which is what its quietest eighth has.
// What has hardly fallen at the end has not met its noise.
static int32_t followed(const Envelope *e) {
    double sorted[512];
    memcpy(sorted, e->log_level, sizeof *sorted * (size_t)e->count);
    qsort(sorted, (size_t)e->count, sizeof *sorted, by_value);
    double first = e->log_level[0], noise = sorted[e->count / 8];
    double least = first - FOLLOWED * log(10.0) / 20.0;
    if (first - noise > log(HARDLY)) least = fr_max(least, noise + log(2.0));
    for (int32_t k = 0; k < e->count; k++)
        if (e->log_level[k] < least) return k;
    return e->count;
}

// two rounds: the first frequency is as good as a bin
static bool measure(const Listening *l, double window, FrPartial *partial) {
    Envelope e;
    for (int round = 0; round < 2; round++) {
        follow(l, partial->hz, window, &e);
        int32_t count = e.count ? followed(&e) : 0;
        if (count < 4) return false;
        double falls = -slope(e.log_level, count) / e.hop;
        if (!(falls > 0.0)) return false;
        partial->hz += slope(e.phase, count) / e.hop / (2.0 * M_PI);
        partial->t60 = log(1000.0) / falls;
    }
    return partial->hz > LOWEST && partial->t60 > 2.0 * NARROWEST;
}

// the nearest other peak must lie outside the window's main lobe
static double window_for(const Listening *l, int32_t i) {
    double apart = 4.0 / NARROWEST;
    if (i > 0) apart = fr_min(apart, l->peak[i].hz - l->peak[i - 1].hz);
    if (i + 1 < l->count) apart = fr_min(apart, l->peak[i + 1].hz - l->peak[i].hz);
    double longest = fr_min(WIDEST, 0.25 * (double)l->frames / l->rate);
    return fr_min(longest, fr_max(NARROWEST, 4.0 / apart));
}

static void measure_all(Listening *l) {
    int32_t kept = 0;
    double window[MOST_PEAKS];
    qsort(l->peak, (size_t)l->count, sizeof *l->peak, higher);
    for (int32_t i = 0; i < l->count; i++) window[i] = window_for(l, i);
    for (int32_t i = 0; i < l->count; i++) {
        FrPartial partial = l->peak[i];
        if (measure(l, window[i], &partial)) l->peak[kept++] = partial;
    }
    l->count = kept;
}

static void take(Listening *l, FrPartial *partial, int32_t most, int32_t *count) {
    qsort(l->peak, (size_t)l->count, sizeof *l->peak, louder);
    *count = l->count < most ? l->count : most;
    for (int32_t i = *count - 1; i >= 0; i--) {
        partial[i] = l->peak[i];
        partial[i].level = 10.0 * log10(l->peak[i].level / l->peak[0].level);
    }
    qsort(partial, (size_t)*count, sizeof *partial, higher);
}

FrResult fr_partials_find(FrContext *ctx, const FrMono *sound, FrPartial *partial, int32_t most,
                          int32_t *count) {
    *count = 0;
    Listening *l = FR_NEW(ctx, Listening, 1);
    if (!l) return fr_no_memory(ctx, "a spectrum");
    l->ctx = ctx;
    FrResult result = begin(l, sound);
    if (result == FR_OK) result = transform(l);
    if (result == FR_OK) result = find_peaks(l);
    if (result == FR_OK) {
        measure_all(l);
        take(l, partial, most, count);
    }
    fr_free(ctx, l->power);
    fr_free(ctx, l);
    return result;
}
