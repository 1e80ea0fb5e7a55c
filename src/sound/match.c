// match.c: which modes of a body the tones of a recording are, and by what factor all are higher.
//
// A tone of the recording is one of the K modes that lie in the range of its tones, all alike
// likely, off by a spread; or, one time in ten, something else, anywhere in the range. Factor and
// spread are those under which the recording is likeliest. So a factor that puts many modes
// everywhere has no advantage: each of them is then the less likely to be the one.

#include "sound/match.h"
#include <math.h>

/// Modes of a shape as it was drawn are so far from those of the thing, relative: well measured,
/// as usual, roughly.
static const double spreads[] = {0.003, 0.01, 0.03};
#define SPREADS 3
/// Share of tones that are of something else: the hand, the table, the room.
#define STRAY 0.1
/// Factors that are nearer than this are the same answer, as logarithms.
#define SAME 0.05

typedef struct Search {
    const FrMatchDef *def;
    double range;  ///< of the tones, as logarithm
    double spread; ///< one of the three
} Search;

static double gauss(const Search *s, double x) {
    double y = x / s->spread;
    return exp(-0.5 * y * y) / (s->spread * sqrt(2.0 * M_PI));
}

// modes within the range of the tones, and a little around it
static int32_t modes_in_range(const Search *s, double scale, int32_t *first) {
    const FrMatchDef *d = s->def;
    double lo = d->partial[0].hz * (1.0 - 3.0 * s->spread) / scale,
           hi = d->partial[d->partial_count - 1].hz * (1.0 + 3.0 * s->spread) / scale;
    int32_t count = 0;
    *first = 0;
    for (int32_t i = 0; i < d->mode_count; i++) {
        if (d->hz[i] < lo) *first = i + 1;
        if (d->hz[i] >= lo && d->hz[i] <= hi) count++;
    }
    return count;
}

// logarithm, against tones that are anywhere. What lies above the last mode says nothing.
static double likelihood(const Search *s, double scale) {
    const FrMatchDef *d = s->def;
    int32_t first, count = modes_in_range(s, scale, &first);
    double sum = 0.0, last = d->hz[d->mode_count - 1] * scale;
    for (int32_t p = 0; p < d->partial_count; p++) {
        double near = 0.0;
        if (d->partial[p].hz > last * (1.0 + 3.0 * s->spread)) continue;
        for (int32_t i = first; i < first + count; i++)
            near += gauss(s, log(d->partial[p].hz / (scale * d->hz[i])));
        sum += log(STRAY + (count ? (1.0 - STRAY) * near * s->range / count : 0.0));
    }
    return sum;
}

// the mean of what the tones say, each by how likely it is a mode
static double improve(const Search *s, double scale) {
    const FrMatchDef *d = s->def;
    int32_t first, count = modes_in_range(s, scale, &first);
    double sum = 0.0, weight = 0.0;
    for (int32_t p = 0; p < d->partial_count; p++) {
        double near = STRAY * count / ((1.0 - STRAY) * s->range), off = 0.0;
        for (int32_t i = first; i < first + count; i++) {
            double away = log(d->partial[p].hz / (scale * d->hz[i]));
            near += gauss(s, away);
            off += gauss(s, away) * away;
        }
        double sure = near > 0.0 ? 1.0 - STRAY * count / ((1.0 - STRAY) * s->range) / near : 0.0;
        if (sure <= 0.0) continue;
        sum += off / near;
        weight += sure;
    }
    return weight > 0.0 ? scale * exp(sum / weight) : scale;
}

// each mode is the tone that is nearest to it
static void assign(const Search *s, FrMatch *m) {
    const FrMatchDef *d = s->def;
    double sum = 0.0;
    for (int32_t p = 0; p < d->partial_count; p++) m->mode[p] = -1;
    for (int32_t i = 0; i < d->mode_count; i++) {
        int32_t best = -1;
        double least = 3.0 * s->spread;
        for (int32_t p = 0; p < d->partial_count; p++) {
            double away = fabs(log(d->partial[p].hz / (m->scale * d->hz[i])));
            if (away >= least) continue;
            least = away;
            best = p;
        }
        if (best < 0) continue;
        int32_t had = m->mode[best];
        if (had >= 0 && fabs(log(d->partial[best].hz / (m->scale * d->hz[had]))) <= least) continue;
        m->mode[best] = i;
    }
    for (int32_t p = 0; p < d->partial_count; p++) {
        if (m->mode[p] < 0) continue;
        double away = log(d->partial[p].hz / (m->scale * d->hz[m->mode[p]]));
        sum += away * away;
        m->matched++;
    }
    m->spread = m->matched ? sqrt(sum / m->matched) : 0.0;
}

typedef struct Best {
    double scale, spread, value;
} Best;

static double scale_at(const Search *s, int32_t k, int32_t count) {
    return s->def->most > 1.0 ? pow(s->def->most, 2.0 * k / count - 1.0) : 1.0;
}

static int32_t scale_count(const Search *s) {
    return 1 + (int32_t)ceil(2.0 * log(s->def->most) / (0.25 * s->spread));
}

// the likeliest scale but those that are the same as `except` (0: none)
static Best find_best(Search *s, double except) {
    Best best = {1.0, spreads[0], -HUGE_VAL};
    for (int k = 0; k < SPREADS; k++) {
        s->spread = spreads[k];
        int32_t count = scale_count(s);
        for (int32_t i = 0; i <= count; i++) {
            double scale = scale_at(s, i, count);
            if (except > 0.0 && fabs(log(scale / except)) < SAME) continue;
            double value = likelihood(s, scale);
            if (value > best.value) best = (Best){scale, s->spread, value};
        }
    }
    return best;
}

// of all scales and spreads, alike likely before: those that are the best one's against all others
static double odds(Search *s, Best best) {
    double same = 0.0, other = 0.0;
    for (int k = 0; k < SPREADS; k++) {
        s->spread = spreads[k];
        int32_t count = scale_count(s);
        for (int32_t i = 0; i <= count; i++) {
            double scale = scale_at(s, i, count);
            double part = exp(likelihood(s, scale) - best.value) / count;
            if (fabs(log(scale / best.scale)) < SAME)
                same += part;
            else
                other += part;
        }
    }
    return log(same / fr_max(other, 1e-30));
}

static void search(Search *s, FrMatch *m) {
    Best best = find_best(s, 0.0);
    m->other = find_best(s, best.scale).scale;
    m->confidence = odds(s, best);
    m->scale = best.scale;
    s->spread = best.spread;
    for (int round = 0; round < 8; round++) m->scale = improve(s, m->scale);
}

FrResult fr_match_tones(FrContext *ctx, const FrMatchDef *def, FrMatch *match) {
    *match = (FrMatch){0};
    if (def->mode_count < 1 || def->partial_count < 1)
        return fr_fail(ctx, FR_FAILED, "there is nothing to match: %d tones, %d modes",
                       def->partial_count, def->mode_count);
    match->mode = FR_NEW(ctx, int32_t, def->partial_count);
    if (!match->mode) return fr_no_memory(ctx, "a match");
    double lowest = def->partial[0].hz, highest = def->partial[def->partial_count - 1].hz;
    // one tone alone is of a range, too
    Search s = {.def = def, .range = fr_max(log(highest / lowest), 1.0)};
    search(&s, match);
    assign(&s, match);
    return FR_OK;
}

void fr_match_free(FrContext *ctx, FrMatch *match) {
    fr_free(ctx, match->mode);
    *match = (FrMatch){0};
}
