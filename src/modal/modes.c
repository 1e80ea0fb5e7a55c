// modes.c: modes of the same body of other material, and which of them matter [M15].

#include "modal/modes.h"
#include "math/vec.h"
#include <string.h>

// E x s: lambda s. rho x s: lambda / s, shapes s^-1/2. Size x g: lambda / g^2, shapes g^-3/2.
// S4 3.3 leaves the shapes as they are; mass-normalised ones do change with the mass (E38).
void fr_modes_rescale(FrModes *modes, FrRescale by) {
    double lambda = by.young / (by.density * by.size * by.size);
    double shape = 1.0 / sqrt(by.density * by.size * by.size * by.size);
    size_t numbers = 3 * (size_t)modes->node_count * (size_t)modes->mode_count;
    for (int32_t i = 0; i < modes->mode_count; i++) modes->lambda[i] *= lambda;
    for (size_t k = 0; k < numbers; k++) modes->shape[k] *= shape;
}

// |Im omega| of omega = (-c +- sqrt(c^2 - 4 lambda)) / 2, c = alpha1 lambda + alpha2    [S4 eq. 9]
double fr_mode_tone(const FrMaterial *material, double lambda) {
    double half = 0.5 * fr_mode_damping(material, lambda, sqrt(fr_max(lambda, 0.0)));
    double square = lambda - half * half;
    return square > 0.0 ? sqrt(square) : 0.0;
}

// 20 Hz to 20 kHz are 125.7 to 125,664 rad/s; S4 divides by 2 pi where it must multiply (E36)
FrModeFilter fr_mode_filter_audio(double sample_rate) {
    FrModeFilter filter = {.lowest_hz = 20.0, .highest_hz = fr_min(20000.0, 0.45 * sample_rate)};
    return filter;
}

// S1 3.2: a mode shows when |w|^2 / lambda >= min_res / max_frc, and below half the frame rate
FrModeFilter fr_mode_filter_visual(double resolution, double force, double fps) {
    FrModeFilter filter = {.observable = resolution / force, .below_hz = 0.5 * fps};
    return filter;
}

// how far the largest unit force moves its own node, m/N: max_n |w(n)|^2 / lambda
static double observability(const FrModes *modes, int32_t i) {
    const double *w = modes->shape + 3 * (size_t)i * (size_t)modes->node_count;
    double most = 0.0;
    for (int32_t n = 0; n < modes->node_count; n++) most = fr_max(most, fr_length2(fr_get3(w, n)));
    return most / modes->lambda[i];
}

static bool passes(const FrModes *modes, const FrMaterial *material, const FrModeFilter *f,
                   int32_t i) {
    double hz = fr_mode_tone(material, modes->lambda[i]) / (2.0 * FR_PI);
    bool heard = f->lowest_hz > 0.0 || f->highest_hz > 0.0;
    if (heard && !(hz > 0.0 && hz >= f->lowest_hz)) return false;
    if (f->highest_hz > 0.0 && !(hz <= f->highest_hz)) return false;
    if (f->below_hz > 0.0 && !(hz < f->below_hz)) return false;
    return !(f->observable > 0.0) || observability(modes, i) > f->observable;
}

void fr_modes_select(FrModes *modes, const FrMaterial *material, const FrModeFilter *filter) {
    size_t stride = 3 * (size_t)modes->node_count;
    int32_t kept = 0;
    for (int32_t i = 0; i < modes->mode_count; i++) {
        if (filter->count > 0 && kept >= filter->count) break;
        if (!passes(modes, material, filter, i)) continue;
        modes->lambda[kept] = modes->lambda[i];
        if (kept != i)
            memcpy(modes->shape + stride * (size_t)kept, modes->shape + stride * (size_t)i,
                   stride * sizeof(double));
        kept++;
    }
    modes->mode_count = kept;
}
