// air_kit.h: surfaces that sound, and sources whose sound has a closed form.
#pragma once
#include "air/radiator.h"
#include "base/base.h"
#include "context.h"
#include "test.h"
#include "math/complex.h"

#define J fr_complex(0.0, 1.0)

/// Triangles over points, made for a test.
typedef struct Shell {
    int32_t point_count, tri_count;
    double *point;
    int32_t (*tri)[3];
} Shell;

static inline void free_shell(Shell *s) {
    free(s->point);
    free(s->tri);
}

static inline int32_t shell_point(Shell *s, FrVec3 p) {
    for (int32_t i = 0; i < s->point_count; i++)
        if (fr_distance(fr_get3(s->point, i), p) < 1e-9) return i;
    fr_set3(s->point, s->point_count, p);
    return s->point_count++;
}

/// A ball of radius 1 of 20 * parts^2 triangles.
static inline Shell ball_shell(int parts) {
    static const int face[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                    {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                    {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                    {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    double g = 0.5 * (1 + sqrt(5.0));
    double at[12][3] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                        {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    Shell s = {0};
    s.point = calloc((size_t)(10 * parts * parts + 2) * 3, sizeof *s.point);
    s.tri = calloc((size_t)(20 * parts * parts), sizeof *s.tri);
    for (int f = 0; f < 20; f++) {
        FrVec3 a = fr_get3(at[face[f][0]], 0), b = fr_get3(at[face[f][1]], 0),
               c = fr_get3(at[face[f][2]], 0);
        int32_t row[2][64];
        for (int i = 0; i <= parts; i++) {
            for (int j = 0; j <= parts - i; j++) {
                FrVec3 p =
                    fr_add(fr_scale(parts - i - j, a), fr_add(fr_scale(j, b), fr_scale(i, c)));
                row[i % 2][j] = shell_point(&s, fr_normalize(p));
            }
            const int32_t *low = row[(i + 1) % 2], *high = row[i % 2];
            for (int j = 0; i > 0 && j <= parts - i; j++) {
                int32_t up[3] = {low[j], low[j + 1], high[j]};
                memcpy(s.tri[s.tri_count++], up, sizeof up);
                int32_t down[3] = {low[j + 1], high[j + 1], high[j]};
                if (j < parts - i) memcpy(s.tri[s.tri_count++], down, sizeof down);
            }
        }
    }
    return s;
}

static inline void stretch_shell(Shell *s, FrVec3 by) {
    for (int32_t i = 0; i < s->point_count; i++) {
        s->point[3 * i] *= by.x;
        s->point[3 * i + 1] *= by.y;
        s->point[3 * i + 2] *= by.z;
    }
}

static inline FrPanels panels_of(FrContext *ctx, const Shell *s) {
    FrPanels panels;
    CHECK_OK(ctx,
             fr_panels_make(ctx, s->point, (const int32_t(*)[3])s->tri, s->tri_count, &panels));
    return panels;
}

static inline double panels_volume(const FrPanels *p) {
    double sum = 0;
    for (int32_t t = 0; t < p->count; t++)
        sum += p->area[t] * fr_dot(fr_get3(p->middle, t), fr_get3(p->normal, t)) / 3;
    return sum;
}

/// how far found is off, over wanted, both in squares over the surface
static inline double off_by(const FrPanels *p, const double complex *found,
                            const double complex *wanted) {
    double off = 0, all = 0;
    for (int32_t t = 0; t < p->count; t++) {
        double complex d = found[t] - wanted[t];
        off += p->area[t] * creal(d * conj(d));
        all += p->area[t] * creal(wanted[t] * conj(wanted[t]));
    }
    return sqrt(off / all);
}

/// pressure of a point source at a distance, and its derivative along n
static inline double complex point_source(FrVec3 from, double k, FrVec3 x) {
    double r = fr_distance(x, from);
    return cexp(-J * k * r) / (4 * M_PI * r);
}
static inline double complex point_source_slope(FrVec3 from, double k, FrVec3 x, FrVec3 n) {
    FrVec3 d = fr_sub(x, from);
    double r = fr_length(d);
    return -(J * k + 1 / r) * point_source(from, k, x) * fr_dot(d, n) / r;
}

/// A closed profile (distance from the z axis, height), first and last point on the axis, turned
/// about it in `around` steps, the outside to the right of the way along it.
static inline Shell turned_shell(const double (*rz)[2], int count, int around) {
    Shell s = {.point_count = 2 + (count - 2) * around};
    s.point = calloc((size_t)s.point_count * 3, sizeof *s.point);
    s.tri = calloc((size_t)(2 * (count - 1) * around), sizeof *s.tri);
    fr_set3(s.point, 0, fr_vec3(0, 0, rz[0][1]));
    fr_set3(s.point, 1, fr_vec3(0, 0, rz[count - 1][1]));
    for (int i = 1; i < count - 1; i++)
        for (int j = 0; j < around; j++) {
            double w = 2 * M_PI * (j + 0.5 * (i % 2)) / around;
            fr_set3(s.point, 2 + (i - 1) * around + j,
                    fr_vec3(rz[i][0] * cos(w), rz[i][0] * sin(w), rz[i][1]));
        }
    for (int i = 1; i < count; i++)
        for (int j = 0; j < around; j++) {
            int odd = i % 2, next = (j + 1) % around, low = 2 + (i - 2) * around,
                high = 2 + (i - 1) * around;
            int a = i == 1 ? 0 : low + j, b = i == 1 ? 0 : low + next,
                c = i == count - 1 ? 1 : high + j, d = i == count - 1 ? 1 : high + next;
            // rings are turned by half a step against each other
            int32_t one[3] = {a, b, odd ? c : d}, two[3] = {odd ? b : a, d, c};
            if (i > 1) memcpy(s.tri[s.tri_count++], one, sizeof one);
            if (i < count - 1) memcpy(s.tri[s.tri_count++], two, sizeof two);
        }
    return s;
}

/// Sound of one shell at one wave number.
typedef struct Sounding {
    FrPanels panels;
    FrRadiator *radiator;
    double complex *q, *p, *wanted; ///< (panels.count)
    FrRadiated how;
} Sounding;

static inline void open_sounding(FrContext *ctx, const Shell *shell, Sounding *s) {
    *s = (Sounding){.panels = panels_of(ctx, shell)};
    CHECK_OK(ctx, fr_radiator_create(ctx, &s->panels, &s->radiator));
    s->q = calloc((size_t)s->panels.count, sizeof *s->q);
    s->p = calloc((size_t)s->panels.count, sizeof *s->p);
    s->wanted = calloc((size_t)s->panels.count, sizeof *s->wanted);
}

static inline void free_sounding(FrContext *ctx, Sounding *s) {
    fr_radiator_destroy(s->radiator);
    fr_panels_free(ctx, &s->panels);
    free(s->q), free(s->p), free(s->wanted);
}

/// the same volume as a ball of radius 1
static inline Shell unit_ball(FrContext *ctx, int parts) {
    Shell s = ball_shell(parts);
    FrPanels p = panels_of(ctx, &s);
    double grow = cbrt(4.0 / 3 * M_PI / panels_volume(&p));
    fr_panels_free(ctx, &p);
    stretch_shell(&s, fr_vec3(grow, grow, grow));
    return s;
}

/// power that passes a ball about the origin, far away, W
static inline double far_power(Sounding *s, double k) {
    Shell ball = ball_shell(6);
    double sum = 0, all = 0, r = 40 / k;
    for (int32_t t = 0; t < ball.tri_count; t++) {
        FrVec3 c[3];
        for (int i = 0; i < 3; i++) c[i] = fr_get3(ball.point, ball.tri[t][i]);
        double area = fr_length(fr_cross(fr_sub(c[1], c[0]), fr_sub(c[2], c[0])));
        FrVec3 x = fr_scale(r, fr_normalize(fr_add(c[0], fr_add(c[1], c[2]))));
        double complex p = fr_radiator_field(s->radiator, k, s->q, s->p, x);
        sum += creal(p * conj(p)) * area;
        all += area;
    }
    free_shell(&ball);
    return sum / all * 4 * M_PI * r * r / (2 * FR_AIR_DENSITY * FR_SOUND_SPEED);
}
