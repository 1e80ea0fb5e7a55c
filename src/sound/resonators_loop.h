// resonators_loop.h: the inner loops of resonators.h, for one width and one kind of number.
//
// Included by resonators_*.c only, which define FR_RESONATORS_RUN, REAL, BITS, LANES and TINY.
// Every product and sum is rounded by itself, so all widths give the same bits.
#pragma once
#include "math/lanes.h"
#include "sound/resonators.h"

typedef REAL Lane __attribute__((vector_size(32)));
typedef BITS Mask __attribute__((vector_size(32)));

/// One group of modes. Matrices of 1, 2, 3 and 4 samples; what a held unit force adds.
typedef struct Group {
    REAL x[LANES], y[LANES];
    REAL c[4][LANES], s[4][LANES]; ///< of 1 to 4 samples
    REAL q1[LANES], q4[LANES];     ///< of 1 and of 4
    REAL fx[LANES], fy[LANES];
} Group;

FR_LANE_INLINE Lane load(const REAL *p) {
    Lane r;
    memcpy(&r, p, sizeof r);
    return r;
}
FR_LANE_INLINE void store(REAL *p, Lane v) { memcpy(p, &v, sizeof v); }

FR_LANE_INLINE void add_to(REAL *sum, Lane v) { store(sum, load(sum) + v); }

// four samples of one group: y of each, x of the last only
#define FOUR(g, x, y, y1, y2, y3)                                                                  \
    Lane y1 = load(g->s[0]) * x + load(g->c[0]) * y, y2 = load(g->s[1]) * x + load(g->c[1]) * y,   \
         y3 = load(g->s[2]) * x + load(g->c[2]) * y,                                               \
         x##_next = load(g->c[3]) * x + load(g->q4) * y;                                           \
    Lane y##_next = load(g->s[3]) * x + load(g->c[3]) * y;

// free motion of two groups side by side: the one computes while the other waits
static void run_free(Group *g, Group *h, int32_t frames, REAL *sum) {
    Lane x = load(g->x), y = load(g->y), u = load(h->x), v = load(h->y);
    int32_t n = 0;
    for (; n + 4 <= frames; n += 4) {
        REAL *to = sum + (size_t)n * LANES;
        FOUR(g, x, y, y1, y2, y3)
        FOUR(h, u, v, v1, v2, v3)
        add_to(to, y + v);
        add_to(to + LANES, y1 + v1);
        add_to(to + 2 * LANES, y2 + v2);
        add_to(to + 3 * LANES, y3 + v3);
        x = x_next, y = y_next, u = u_next, v = v_next;
    }
    for (; n < frames; n++) {
        add_to(sum + (size_t)n * LANES, y + v);
        Lane next = load(g->c[0]) * x + load(g->q1) * y;
        y = load(g->s[0]) * x + load(g->c[0]) * y;
        x = next;
        next = load(h->c[0]) * u + load(h->q1) * v;
        v = load(h->s[0]) * u + load(h->c[0]) * v;
        u = next;
    }
    store(g->x, x);
    store(g->y, y);
    store(h->x, u);
    store(h->y, v);
}

// with forces, sample by sample
static void run_driven(Group *g, int32_t first, const FrDrive *drive, int32_t drive_count,
                       int32_t frames, REAL *sum) {
    Lane x = load(g->x), y = load(g->y), c = load(g->c[0]), s = load(g->s[0]), q = load(g->q1);
    Lane fx = load(g->fx), fy = load(g->fy);
    for (int32_t n = 0; n < frames; n++) {
        Lane f = {0};
        for (int32_t k = 0; k < drive_count; k++)
            f = f + load((const REAL *)drive[k].weight + first) * (REAL)drive[k].force[n];
        add_to(sum + (size_t)n * LANES, y);
        Lane next = c * x + q * y + fx * f;
        y = s * x + c * y + fy * f;
        x = next;
    }
    store(g->x, x);
    store(g->y, y);
}

// modes that have died away become zero; false when all have
static bool settle(Group *g) {
    Lane x = load(g->x), y = load(g->y);
    Mask keep = x * x + y * y >= TINY * TINY, bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= keep;
    memcpy(g->x, &bits, sizeof bits);
    memcpy(&bits, &y, sizeof bits);
    bits &= keep;
    memcpy(g->y, &bits, sizeof bits);
    bool any = false;
    for (int i = 0; i < LANES; i++) any |= keep[i] != 0;
    return any;
}

// the next group that still moves, or `count`
static int32_t next_live(const FrResonators *r, int32_t k) {
    while (k < r->group_count && !r->live[k]) k++;
    return k;
}

static void run_all_free(FrResonators *r, int32_t frames, REAL *sum) {
    Group *group = r->group, none = {0};
    for (int32_t k = next_live(r, 0); k < r->group_count;) {
        int32_t other = next_live(r, k + 1);
        bool two = other < r->group_count;
        run_free(&group[k], two ? &group[other] : &none, frames, sum);
        r->live[k] = settle(&group[k]);
        if (two) r->live[other] = settle(&group[other]);
        k = two ? next_live(r, other + 1) : other;
    }
}

static void run_all_driven(FrResonators *r, const FrDrive *drive, int32_t drive_count,
                           int32_t frames, REAL *sum) {
    Group *group = r->group;
    for (int32_t k = 0; k < r->group_count; k++) {
        run_driven(&group[k], k * LANES, drive, drive_count, frames, sum);
        r->live[k] = settle(&group[k]);
    }
}

static void sum_lanes(const REAL *sum, int32_t frames, double *out) {
    for (int32_t n = 0; n < frames; n++) {
        double total = 0.0;
        for (int i = 0; i < LANES; i++) total += (double)sum[(size_t)n * LANES + i];
        out[n] = total;
    }
}

void FR_RESONATORS_RUN(FrResonators *r, const FrDrive *drive, int32_t drive_count, int32_t frames,
                       double *out) {
    REAL *sum = r->sum;
    memset(sum, 0, (size_t)frames * LANES * sizeof *sum);
    if (drive_count > 0)
        run_all_driven(r, drive, drive_count, frames, sum);
    else
        run_all_free(r, frames, sum);
    sum_lanes(sum, frames, out);
}

/// The name of the other entry: name##_ears.
#define JOINED(name) name##_ears
#define EARS(name) JOINED(name)

// sum[n] += y[n] times what goes from `from` to `to`
static void add_ear(const REAL *y, const REAL *from, const REAL *to, int32_t frames, REAL *sum) {
    Lane w = load(from), step = (load(to) - w) / (REAL)frames;
    for (int32_t n = 0; n < frames; n++)
        add_to(sum + (size_t)n * LANES, load(y + (size_t)n * LANES) * (w + step * (REAL)n));
}

void EARS(FR_RESONATORS_RUN)(FrResonators *r, const FrDrive *drive, int32_t drive_count,
                             int32_t frames, const FrLoudness *loudness, double *out[2]) {
    Group *group = r->group;
    REAL *y = r->sum;
    _Alignas(32) REAL sum[2][FR_RESONATOR_BLOCK * LANES];
    size_t size = (size_t)frames * LANES * sizeof *y;
    for (int ear = 0; ear < 2; ear++) memset(sum[ear], 0, size);
    for (int32_t k = 0; k < r->group_count; k++) {
        if (!drive_count && !r->live[k]) continue;
        memset(y, 0, size);
        run_driven(&group[k], k * LANES, drive, drive_count, frames, y);
        r->live[k] = settle(&group[k]);
        for (int ear = 0; ear < 2; ear++)
            add_ear(y, (const REAL *)loudness->from[ear] + (size_t)k * LANES,
                    (const REAL *)loudness->to[ear] + (size_t)k * LANES, frames, sum[ear]);
    }
    for (int ear = 0; ear < 2; ear++) sum_lanes(sum[ear], frames, out[ear]);
}
