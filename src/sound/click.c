// click.c: what a body that is jolted as a whole sends out: the sound of its acceleration.

#include "sound/click.h"
#include "math/decompose.h"
#include "math/vec.h"
#include <math.h>

/// Half axes are not shorter than this part of the longest: flat bodies stay finite.
#define FLATTEST 1e-3

// Carlson's R_D(x, y, z) = 3/2 times the integral over s > 0 of
// 1/((z + s) sqrt((x + s)(y + s)(z + s))), by duplication (Carlson 1979)
static double carlson(double x, double y, double z) {
    double sum = 0.0, factor = 1.0, mean = 1.0;
    for (int k = 0; k < 40; k++) {
        double a = sqrt(x), b = sqrt(y), c = sqrt(z), next = a * b + b * c + c * a;
        sum += factor / (c * (z + next));
        factor *= 0.25;
        x = 0.25 * (x + next);
        y = 0.25 * (y + next);
        z = 0.25 * (z + next);
        mean = 0.2 * (x + y + 3.0 * z);
        if (fr_max(fabs(x - mean), fr_max(fabs(y - mean), fabs(z - mean))) < 1e-5 * mean) break;
    }
    return 3.0 * sum + factor / (mean * sqrt(mean)); // what is left is of second order
}

void fr_added_mass(const double half[3], double added[3]) {
    double volume = half[0] * half[1] * half[2], square[3];
    for (int k = 0; k < 3; k++) square[k] = half[k] * half[k];
    for (int k = 0; k < 3; k++) {
        double alpha =
            2.0 / 3.0 * volume * carlson(square[(k + 1) % 3], square[(k + 2) % 3], square[k]);
        added[k] = alpha / (2.0 - alpha);
    }
}

static FrVec3 corner(const FrAsset *a, int32_t v) {
    const float *x = a->x + 3 * (size_t)v;
    return fr_vec3((double)x[0], (double)x[1], (double)x[2]);
}

static FrSym3 square_of(FrVec3 q) {
    return (FrSym3){q.x * q.x, q.y * q.y, q.z * q.z, q.y * q.z, q.z * q.x, q.x * q.y};
}

/// First moments of the surface: a triangle counts by its area.
typedef struct Moments {
    double area;
    FrVec3 sum;
    FrSym3 square;
} Moments;

// of linear functions over a triangle: the middle, and (sum of squares + square of the sum)/12
static Moments moments_of(const FrAsset *a) {
    Moments m = {0};
    for (int32_t t = 0; t < a->info.tri_count; t++) {
        FrVec3 p[3], all = fr_vec3_zero;
        for (int k = 0; k < 3; k++) {
            p[k] = fr_sub(corner(a, a->tri[t][k]), a->info.centre);
            all = fr_add(all, p[k]);
        }
        double area = 0.5 * fr_length(fr_cross(fr_sub(p[1], p[0]), fr_sub(p[2], p[0])));
        m.area += area;
        m.sum = fr_axpy(area / 3.0, all, m.sum);
        for (int k = 0; k < 4; k++) {
            m.square = fr_sym3_axpy(area / 12.0, square_of(k < 3 ? p[k] : all), m.square);
        }
    }
    return m;
}

// Half axes of the ellipsoid whose surface is spread as far: sqrt(3) deviations, which is right for
// balls, solid or hollow. It is no smaller than the body.
static void half_axes(const FrAsset *a, const Moments *m, FrEigen3 *axes, double half[3]) {
    FrSym3 middle = square_of(fr_scale(1.0 / m->area, m->sum));
    FrSym3 spread = fr_sym3_axpy(1.0 / m->area, m->square, fr_sym3_zero);
    *axes = fr_sym3_eigen(fr_sym3_axpy(-1.0, middle, spread));
    for (int k = 0; k < 3; k++) half[k] = sqrt(3.0 * fr_max(axes->value[k], 0.0));
    for (int k = 1; k < 3; k++) half[k] = fr_max(half[k], FLATTEST * half[0]);
    double own = 4.0 / 3.0 * M_PI * half[0] * half[1] * half[2];
    double grow = cbrt(fr_max(a->info.volume / own, 1.0));
    for (int k = 0; k < 3; k++) half[k] *= grow;
}

// a proxy has its ellipsoid; other bodies that of their surface
static bool find_axes(const FrAsset *a, FrEigen3 *axes, double half[3]) {
    if (a->proxy.half[0] > 0.0) {
        FrMat3 turn = fr_quat_mat3(a->proxy.turn);
        *axes = (FrEigen3){.vector = {turn.c0, turn.c1, turn.c2}};
        for (int k = 0; k < 3; k++) half[k] = a->proxy.half[k];
        return true;
    }
    Moments m = moments_of(a);
    if (!(m.area > 0.0)) return false;
    half_axes(a, &m, axes, half);
    return half[0] > 0.0;
}

FrClick fr_click_of(const FrAsset *a) {
    static const FrSym3 identity = {1, 1, 1, 0, 0, 0};
    FrClick ball = {cbrt(3.0 * a->info.volume / (4.0 * M_PI)), identity};
    FrEigen3 axes;
    double half[3], added[3], mean = 0.0;
    if (!find_axes(a, &axes, half)) return ball;
    fr_added_mass(half, added);
    double own = 4.0 / 3.0 * M_PI * half[0] * half[1] * half[2];
    for (int k = 0; k < 3; k++) {
        added[k] = a->info.volume + own * added[k];
        mean += added[k] / 3.0;
    }
    FrClick click = {cbrt(mean / (2.0 * M_PI)), fr_sym3_zero};
    for (int k = 0; k < 3; k++)
        click.way = fr_sym3_axpy(added[k] / mean, square_of(axes.vector[k]), click.way);
    return click;
}

double fr_click_push(const FrClick *click, FrVec3 push) {
    return fr_length(fr_sym3_apply(click->way, push));
}
