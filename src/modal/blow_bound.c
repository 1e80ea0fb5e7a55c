// blow_bound.c: what a blow can do at most, from its energy and momentum alone.              (M35)

#include "modal/blow.h"
#include "modal/blow_tuning.h"
#include <math.h>

// s at which the contact holds all the energy
static double deepest(const FrHertzLaw *law, double energy) {
    double s =
        pow(2.5 * energy / law->stiffness, 0.2); // more than all, with other springs in series
    for (int k = 0; k < 60; k++) {
        double F = fr_hertz_force(law, s);
        double slope = (2.0 * s + 3.0 * law->compliance * law->stiffness * s * s) * F;
        double next = s - (fr_hertz_energy(law, s) - energy) / slope;
        if (!(next < s)) break;
        s = next;
    }
    return s;
}

// F = k s^3 (1 + c y'), where y'^2/(2 b) is at most what the contact does not hold; b counts modes
// as mass. In slices: the most of each factor within one.
static double largest_force(const FrHertzLaw *law, double energy, double b) {
    double s = deepest(law, energy), most = fr_hertz_force(law, s);
    if (!(law->crushing > 0.0)) return most;
    for (int j = 0; j < FR_BLOW_SLICES; j++) {
        double from = s * j / FR_BLOW_SLICES, to = s * (j + 1) / FR_BLOW_SLICES;
        double left = fr_max(energy - fr_hertz_energy(law, from), 0.0);
        double rate = sqrt(2.0 * b * left);
        most = fr_max(most, fr_hertz_force(law, to) * (1.0 + law->crushing * rate));
    }
    return most;
}

// An impulse J makes |q| <= J |w|/omega, and what the rigid masses give up, J v - b J^2/2, is at
// least l q^2/2. The largest q that both allow has J = 2 v/(b + w^2), or J = v/b if that is less.
static double swing_bound(double speed, double b, double w, double lambda) {
    double share = w * w <= b ? 2.0 * fabs(w) / (b + w * w) : 1.0 / sqrt(b);
    return speed * share / sqrt(lambda);
}

double fr_modal_blow_bound(const FrModalBlowDef *def, double *most) {
    double b = def->mobility, all = b;
    for (int32_t i = 0; i < def->mode_count; i++) all += def->w[i] * def->w[i];
    FrHertzLaw law = {def->hertz, def->compliance, fr_hertz_crushing(def->loss, def->speed)};
    double F = largest_force(&law, 0.5 * def->speed * def->speed / b, all);
    for (int32_t i = 0; i < def->stressed; i++) {
        double w = def->w[i], lambda = def->lambda[i];
        most[i] =
            fr_min(swing_bound(def->speed, b, w, lambda), FR_BLOW_SWINGS * fabs(w) * F / lambda);
    }
    return F;
}
