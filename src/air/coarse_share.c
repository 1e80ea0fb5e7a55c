// coarse_share.c: which coarse triangle each part of a fine surface belongs to.

#include "air/coarse.h"
#include "base/array.h"

/// Shares across an edge of a fine triangle, at most.
#define MOST_ACROSS 4

typedef struct Sharer {
    FrContext *ctx;
    const FrFine *fine;
    const FrCoarse *coarse;
    double edge;
    int32_t *first, *next; ///< corners of the coarse triangles, by point
    FR_ARRAY(FrShare) found;
} Sharer;

static FrVec3 twice_area(const double *point, const int32_t *t) {
    FrVec3 p = fr_get3(point, t[0]);
    return fr_cross(fr_sub(fr_get3(point, t[1]), p), fr_sub(fr_get3(point, t[2]), p));
}

// how badly a coarse triangle stands for a part at x that looks along n: its distance, and edge
// lengths for each turn
static double misfit(const Sharer *s, int32_t t, FrVec3 x, FrVec3 n) {
    const int32_t *v = s->coarse->tri[t];
    FrVec3 a = fr_get3(s->coarse->point, v[0]),
           normal = fr_normalize(twice_area(s->coarse->point, v));
    double up = fr_dot(fr_sub(x, a), normal), out = 0.0;
    for (int i = 0; i < 3; i++) {
        FrVec3 p = fr_get3(s->coarse->point, v[i]), q = fr_get3(s->coarse->point, v[(i + 1) % 3]);
        FrVec3 side = fr_normalize(fr_cross(fr_sub(q, p), normal));
        out = fr_max(out, fr_dot(fr_sub(x, p), side));
    }
    return sqrt(up * up + out * out) + (1.0 - fr_dot(normal, n)) * s->edge;
}

static int32_t best_for(const Sharer *s, const int32_t *fine, FrVec3 x, FrVec3 n) {
    int32_t best = -1;
    double least = HUGE_VAL;
    for (int i = 0; i < 3; i++)
        for (int32_t k = s->first[s->coarse->into[fine[i]]]; k >= 0; k = s->next[k]) {
            double off = misfit(s, k / 3, x, n);
            if (off < least || (off <= least && k / 3 < best)) least = off, best = k / 3;
        }
    return best;
}

// cut into across^2 alike, pointing up and down by turns
static bool share_tri(Sharer *s, int32_t t) {
    const int32_t *v = s->fine->tri[t];
    FrVec3 twice = twice_area(s->fine->point, v), p[3];
    double longest = 0.0;
    for (int i = 0; i < 3; i++) p[i] = fr_get3(s->fine->point, v[i]);
    for (int i = 0; i < 3; i++) longest = fr_max(longest, fr_distance(p[i], p[(i + 1) % 3]));
    int across = fr_min_i(MOST_ACROSS, fr_max_i(1, (int32_t)ceil(3.0 * longest / s->edge)));
    FrVec3 n = fr_normalize(twice);
    for (int i = 0; i < across; i++)
        for (int j = 0; j < 2 * (across - i) - 1; j++) {
            int down = j % 2;
            double b1 = (j / 2 + (down ? 2.0 : 1.0) / 3.0) / across,
                   b2 = (i + (down ? 2.0 : 1.0) / 3.0) / across, b0 = 1.0 - b1 - b2;
            FrVec3 x = fr_axpy(b0, p[0], fr_axpy(b1, p[1], fr_scale(b2, p[2])));
            FrShare share = {t,
                             best_for(s, v, x, n),
                             {(float)b0, (float)b1, (float)b2},
                             0.5 * fr_length(twice) / (across * across)};
            if (share.coarse >= 0 && !fr_array_push(s->ctx, &s->found, share)) return false;
        }
    return true;
}

FrResult fr_coarse_share(FrContext *ctx, const FrFine *fine, const FrCoarse *coarse, double edge,
                         FrShare **shares, int32_t *count) {
    Sharer s = {.ctx = ctx, .fine = fine, .coarse = coarse, .edge = edge};
    s.first = FR_NEW(ctx, int32_t, coarse->point_count);
    s.next = FR_NEW(ctx, int32_t, 3 * (size_t)coarse->tri_count);
    bool good = s.first && s.next;
    for (int32_t v = 0; v < coarse->point_count && good; v++) s.first[v] = -1;
    for (int32_t k = 0; k < 3 * coarse->tri_count && good; k++) {
        int32_t v = coarse->tri[k / 3][k % 3];
        s.next[k] = s.first[v];
        s.first[v] = k;
    }
    for (int32_t t = 0; t < fine->tri_count && good; t++) good = share_tri(&s, t);
    FR_FREE_ALL(ctx, s.first, s.next);
    if (!good) fr_array_free(ctx, &s.found);
    *shares = s.found.data;
    *count = s.found.count;
    return good ? FR_OK : fr_no_memory(ctx, "a coarse surface");
}
