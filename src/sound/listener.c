// listener.c: what two ears hear of a moving source: distance, delay, the shadow of a round head.

#include "sound/listener.h"
#include "math/vec.h"
#include "sound/ringer.h"
#include <math.h>

/// Samples between two looks at where the source is.
#define STRIDE 32

// Hann-windowed sinc; every row adds up to 1, so that low tones pass as they are
void fr_delay_table(FrDelayTable *table) {
    for (int p = 0; p <= FR_DELAY_PHASES; p++) {
        double part = (double)p / FR_DELAY_PHASES, sum = 0.0;
        for (int k = 0; k < FR_DELAY_TAPS; k++) {
            double u = k - (FR_DELAY_TAPS / 2 - 1) - part, half = FR_DELAY_TAPS / 2;
            double sinc = fabs(u) < 1e-9 ? 1.0 : sin(M_PI * u) / (M_PI * u);
            double window = fabs(u) < half ? 0.5 + 0.5 * cos(M_PI * u / half) : 0.0;
            sum += table->row[p][k] = sinc * window;
        }
        for (int k = 0; k < FR_DELAY_TAPS; k++) table->row[p][k] /= sum;
    }
}

double fr_delay_read(const FrDelayTable *table, const double *source, int64_t frames, double t) {
    if (t < -FR_DELAY_TAPS || t > (double)frames + FR_DELAY_TAPS) return 0.0;
    double floor_t = floor(t), phase = (t - floor_t) * FR_DELAY_PHASES;
    int64_t first = (int64_t)floor_t - (FR_DELAY_TAPS / 2 - 1);
    int p = (int)phase < FR_DELAY_PHASES ? (int)phase : FR_DELAY_PHASES - 1;
    double part = phase - p, sum = 0.0;
    const double *a = table->row[p], *b = table->row[p + 1];
    for (int k = 0; k < FR_DELAY_TAPS; k++) {
        int64_t n = first + k;
        if (n >= 0 && n < frames) sum += source[n] * (a[k] + part * (b[k] - a[k]));
    }
    return sum;
}

// straight to an ear that sees the source, around the head to one that does not; the two together
// are Woodworth's a/c (theta + sin theta)
double fr_ear_detour(double cosine) {
    return cosine >= 0.0 ? -cosine : acos(fr_max(cosine, -1.0)) - 0.5 * M_PI;
}

double fr_ear_brightness(double cosine) {
    double degrees = acos(fr_clamp(cosine, -1.0, 1.0)) * 180.0 / M_PI;
    return 1.05 + 0.95 * cos(degrees / 150.0 * M_PI);
}

static FrVec3 place_at(const FrTravel *path, double t) {
    double k = fr_clamp(t * path->hz, 0.0, (double)(path->count - 1));
    int32_t i = fr_min_i((int32_t)k, fr_max_i(path->count - 2, 0));
    if (path->count == 1) return path->place[0];
    return fr_lerp(path->place[i], path->place[i + 1], k - i);
}

static FrQuat turn_at(const FrTravel *path, double t) {
    if (!path->turn) return fr_quat_identity;
    double k = fr_clamp(t * path->hz, 0.0, (double)(path->count - 1));
    int32_t i = fr_min_i((int32_t)k, fr_max_i(path->count - 2, 0));
    return path->count == 1 ? path->turn[0]
                            : fr_quat_slerp(path->turn[i], path->turn[i + 1], k - i);
}

static double distance_at(const FrListener *listener, const FrTravel *path, double t) {
    double r = fr_distance(place_at(path, t), listener->at);
    return fr_max(fr_max(r, path->nearest), 1e-3);
}

double fr_ears_from(const FrListener *listener, const FrTravel *path, double t, FrVec3 ear[2]) {
    FrVec3 place = place_at(path, t);
    FrQuat back = fr_quat_conj(turn_at(path, t));
    for (int side = 0; side < 2; side++) {
        double aside = listener->mono ? 0.0 : side ? FR_HEAD_RADIUS : -FR_HEAD_RADIUS;
        FrVec3 at = fr_axpy(aside, listener->right, listener->at);
        ear[side] = fr_quat_rotate(back, fr_sub(at, place));
    }
    return distance_at(listener, path, t);
}

/// One ear at one moment.
typedef struct Ear {
    double delay;      ///< samples
    double gain;       ///< 1/m
    double brightness; ///< 1
} Ear;

static void ears_at(const FrListener *listener, const FrTravel *path, double t, double rate,
                    Ear ear[2]) {
    FrVec3 way = fr_sub(place_at(path, t), listener->at);
    double r = distance_at(listener, path, t);
    double cosine = fr_dot(fr_normalize(way), listener->right);
    for (int side = 0; side < 2; side++) {
        double c = side ? cosine : -cosine, more = listener->mono ? 0.0 : fr_ear_detour(c);
        ear[side].delay = (r + FR_HEAD_RADIUS * more) / FR_SOUND_SPEED * rate;
        ear[side].gain = 1.0 / r;
        ear[side].brightness = listener->mono ? 1.0 : fr_ear_brightness(c);
    }
}

/// (1 + brightness s/2w)/(1 + s/2w), w = c/a, by the bilinear rule
typedef struct Shelf {
    double x, y; ///< one sample back
} Shelf;

// what is left of a tone after this is nothing, and slow to reckon with
#define NOTHING 1e-200

static double shelf(Shelf *s, double in, double brightness, double k) {
    // k = 2 rate / (2 w): s/2w becomes k (1 - 1/z)/(1 + 1/z)
    double out = ((1.0 + brightness * k) * in + (1.0 - brightness * k) * s->x - (1.0 - k) * s->y) /
                 (1.0 + k);
    s->x = in;
    s->y = fabs(out) < NOTHING ? 0.0 : out;
    return s->y;
}

/// Where a source gives off anything: samples [from, to).
typedef struct Loud {
    int64_t from, to;
} Loud;

static Loud loud_part(const FrSource *source, int side) {
    const double *sample = source->sample[side];
    Loud loud = {0, source->frames};
    while (loud.to > 0 && fabs(sample[loud.to - 1]) <= 0.0) loud.to--;
    while (loud.from < loud.to && fabs(sample[loud.from]) <= 0.0) loud.from++;
    return loud;
}

// before it is heard and after it was, without a look at each tap
static double read_loud(const FrDelayTable *table, const double *sample, Loud loud, double t) {
    if (t < (double)(loud.from - FR_DELAY_TAPS)) return 0.0;
    return fr_delay_read(table, sample, loud.to, t);
}

void fr_listen(const FrListener *listener, const FrTravel *path, const FrDelayTable *table,
               const FrSource *source, double *left, double *right) {
    double rate = source->rate;
    double *out[2] = {left, right}, k = rate * FR_HEAD_RADIUS / FR_SOUND_SPEED;
    Loud loud[2] = {loud_part(source, 0), loud_part(source, 1)};
    Shelf state[2] = {{0}};
    Ear now[2], next[2];
    ears_at(listener, path, 0.0, rate, next);
    for (int64_t n = 0; n < source->frames; n++) {
        int64_t in = n % STRIDE;
        if (in == 0) {
            for (int side = 0; side < 2; side++) now[side] = next[side];
            ears_at(listener, path, (double)(n + STRIDE) / rate, rate, next);
        }
        double part = (double)in / STRIDE;
        for (int side = 0; side < 2; side++) {
            const Ear *a = &now[side], *b = &next[side];
            double delay = a->delay + part * (b->delay - a->delay);
            double heard = read_loud(table, source->sample[side], loud[side], (double)n - delay) *
                           (a->gain + part * (b->gain - a->gain));
            double bright = a->brightness + part * (b->brightness - a->brightness);
            out[side][n] = listener->mono ? heard : shelf(&state[side], heard, bright, k);
        }
    }
}
