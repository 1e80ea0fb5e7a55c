// moment_loop.h: the loops of moment.h, compiled twice, with and without AVX2: same bits.
#pragma once
#include "air/moment.h"

/// Four points of the surface as seen from x0.
typedef struct Points {
    FrLane r, cosine, sine, c, s;  ///< distance; polar angle; azimuth
    FrLane along, down, round;     ///< the normal's parts: outward, southward, eastward
    FrLane q_re, q_im, p_re, p_im; ///< times their areas
} Points;

/// Nearer to x0 than this over k a point counts as there, so that nothing overflows.
#define LEAST 0.01

static void gather(const FrMomentJob *job, int32_t at, int32_t end, Points *to) {
    const FrPanels *panels = job->sound->panels;
    size_t n = (size_t)panels->padded;
    for (int i = 0; i < FR_LANES; i++) {
        bool real = at + i < FR_PANEL_POINTS * end;
        int32_t t = real ? (at + i) / FR_PANEL_POINTS : end - 1, point = (at + i) % FR_PANEL_POINTS;
        const float *y = panels->y + 3 * (size_t)point * n + (size_t)t;
        FrVec3 d = fr_sub(fr_vec3((double)y[0], (double)y[n], (double)y[2 * n]), job->x0);
        FrVec3 normal = fr_get3(panels->normal, t);
        double r = fr_max(fr_length(d), LEAST / job->sound->k),
               across = sqrt(d.x * d.x + d.y * d.y);
        double cosine = d.z / r, sine = across / r;
        double c = across > 0.0 ? d.x / across : 1.0, s = across > 0.0 ? d.y / across : 0.0;
        double share = real ? panels->area[t] / FR_PANEL_POINTS : 0.0;
        double flat = c * normal.x + s * normal.y;
        to->r[i] = r, to->cosine[i] = cosine, to->sine[i] = sine, to->c[i] = c, to->s[i] = s;
        to->along[i] = sine * flat + cosine * normal.z;
        to->down[i] = cosine * flat - sine * normal.z;
        to->round[i] = c * normal.y - s * normal.x;
        to->q_re[i] = share * creal(job->sound->q[t]),
        to->q_im[i] = share * cimag(job->sound->q[t]);
        to->p_re[i] = share * creal(job->sound->p[t]),
        to->p_im[i] = share * cimag(job->sound->p[t]);
    }
}

// j_n-1 = (2n + 1)/z j_n - j_n+1 downward from far above: upward it is not stable (E66). Scaled by
// j_0 = sin(z)/z or j_1, whichever is larger [M24]
static void bessel(FrLane z, int32_t order, double (*j)[FR_LANES]) {
    double most = order;
    for (int i = 0; i < FR_LANES; i++) most = most > z[i] ? most : z[i];
    FrLane above = fr_lane_set(0.0), here = fr_lane_set(1e-280), scale, over = 1.0 / z;
    for (int32_t n = (int32_t)most + 20; n >= 0; n--) {
        if (n <= order + 1) fr_lane_store(j[n], here);
        FrLane below = (2.0 * n + 1.0) * over * here - above;
        above = here;
        here = below;
    }
    for (int i = 0; i < FR_LANES; i++) {
        double zero = sin(z[i]) / z[i], one = (zero - cos(z[i])) / z[i];
        scale[i] = fabs(zero) > fabs(one) ? zero / j[0][i] : one / j[1][i];
    }
    for (int32_t n = 0; n <= order + 1; n++) fr_lane_store(j[n], fr_lane_load(j[n]) * scale);
}

// of each order: a = j_n q - k j_n' n_r p, b = -(j_n/r) p, j_n' = n/z j_n - j_n+1
static void factors(const FrMomentJob *job, const Points *at) {
    FrMomentScratch *s = job->scratch;
    double k = job->sound->k;
    FrLane z = k * at->r, over = 1.0 / at->r;
    bessel(z, job->order, s->j);
    for (int32_t n = 0; n <= job->order; n++) {
        FrLane j = fr_lane_load(s->j[n]), above = fr_lane_load(s->j[n + 1]);
        FrLane slope = ((double)n * over * j - k * above) * at->along, tilt = j * over;
        fr_lane_store(s->a[2 * n], j * at->q_re - slope * at->p_re);
        fr_lane_store(s->a[2 * n + 1], j * at->q_im - slope * at->p_im);
        fr_lane_store(s->b[2 * n], -(tilt * at->p_re));
        fr_lane_store(s->b[2 * n + 1], -(tilt * at->p_im));
    }
}

FR_LANE_INLINE void add(double *to, FrLane v) { fr_lane_store(to, fr_lane_load(to) + v); }

// m = 0: dP_n0/dtheta = -sqrt(n (n + 1)) P_n1
static void straight(const FrMomentJob *job, const Points *at) {
    FrMomentScratch *s = job->scratch;
    FrLane last = fr_lane_set(0.0), p = fr_lane_set(sqrt(0.25 / FR_PI)), last1 = last;
    FrLane p1 = sqrt(1.5) * at->sine * p;
    for (int32_t n = 0; n <= job->order; n++) {
        const double *ab = job->table->ab + (size_t)n * (size_t)(n + 1);
        if (n > 0) {
            FrLane next = ab[0] * (at->cosine * p - ab[1] * last);
            last = p, p = next;
        }
        if (n > 1) {
            FrLane next = ab[2] * (at->cosine * p1 - ab[3] * last1);
            last1 = p1, p1 = next;
        }
        FrLane fall = n ? -sqrt((double)n * (n + 1)) * (p1 * at->down) : fr_lane_set(0.0);
        double(*sum)[FR_LANES] = s->sum + 2 * (size_t)n * (size_t)n;
        for (int c = 0; c < 2; c++)
            add(sum[c], p * fr_lane_load(s->a[2 * n + c]) + fall * fr_lane_load(s->b[2 * n + c]));
    }
}

// m > 0, by Q = P/sin, so that poles are safe: dP_nm/dtheta = n cos Q_nm - f Q_n-1,m, f =
// sqrt((2n + 1)/(2n - 1) (n^2 - m^2)); (1/sin) dY/dphi turns cosines into sines
static void turned(const FrMomentJob *job, const Points *at, int32_t m, FrLane diagonal,
                   const FrLane turn[2]) {
    FrMomentScratch *s = job->scratch;
    FrLane last = fr_lane_set(0.0), q = diagonal;
    for (int32_t n = m; n <= job->order; n++) {
        const double *ab = job->table->ab + (size_t)n * (size_t)(n + 1) + 2 * (size_t)m;
        if (n > m) {
            FrLane next = ab[0] * (at->cosine * q - ab[1] * last);
            last = q, q = next;
        }
        // f = (2n + 1)/a
        double f = n > m ? (2.0 * n + 1.0) / ab[0] : 0.0;
        FrLane fall = ((double)n * at->cosine * q - f * last) * at->down;
        FrLane p = at->sine * q, spin = (double)m * q * at->round;
        double(*sum)[FR_LANES] = s->sum + 2 * ((size_t)n * (size_t)n + 2 * (size_t)m - 1);
        for (int c = 0; c < 2; c++) {
            FrLane b = fr_lane_load(s->b[2 * n + c]);
            FrLane u = p * fr_lane_load(s->a[2 * n + c]) + fall * b, v = spin * b;
            add(sum[c], turn[0] * u - turn[1] * v);
            add(sum[2 + c], turn[1] * u + turn[0] * v);
        }
    }
}

void FR_MOMENTS(const FrMomentJob *job, int32_t begin, int32_t end) {
    for (int32_t i = FR_PANEL_POINTS * begin; i < FR_PANEL_POINTS * end; i += FR_LANES) {
        Points at;
        gather(job, i, end, &at);
        factors(job, &at);
        straight(job, &at);
        FrLane diagonal = fr_lane_set(sqrt(1.5) * sqrt(0.25 / FR_PI));
        FrLane turn[2] = {sqrt(2.0) * at.c, sqrt(2.0) * at.s};
        for (int32_t m = 1; m <= job->order; m++) {
            if (m > 1)
                diagonal = job->table->ab[(size_t)m * (size_t)(m + 1) + 2 * (size_t)m] *
                           (at.sine * diagonal);
            turned(job, &at, m, diagonal, turn);
            FrLane re = turn[0] * at.c - turn[1] * at.s, im = turn[1] * at.c + turn[0] * at.s;
            turn[0] = re;
            turn[1] = im;
        }
    }
}
