// hertz.c: how two bodies push each other where they touch: Hertz's law, what else gives way at
// once, and what crushing takes.                                                     (M18, M35)

#include "modal/hertz.h"
#include "modal/blow_tuning.h"
#include <math.h>

// k_h = 4/3 E* sqrt(R)                                                                     (M18)
double fr_hertz_stiffness(double yielding, double curvature) {
    FR_ASSERT(yielding > 0.0 && curvature > 0.0, "give what touches a modulus and a curvature");
    return 4.0 / 3.0 / (yielding * sqrt(curvature));
}

// All energy is in the contact once: 2/5 k d^(5/2) = v^2/(2 b), F = k d^(3/2), radius^2 = R d. The
// duration is 2 d/v times the integral of du/sqrt(1 - u^(5/2)), sqrt(pi) G(7/5)/G(9/10).  (M18)
FrHertzBlow fr_hertz_blow(double stiffness, double curvature, double mobility, double speed) {
    double d = pow(1.25 * speed * speed / (stiffness * mobility), 0.4);
    double turn = sqrt(M_PI) * tgamma(1.4) / tgamma(0.9);
    return (FrHertzBlow){stiffness * d * sqrt(d), 2.0 * turn * d / speed, sqrt(d / curvature)};
}

// With F = f(y) (1 + c y') and mass m: m v dv/(1 + c v) = -f(y) dy. The work of f is the same both
// ways, so that for any f
//     a (1 + e) = ln((1 + a)/(1 - a e)),    a = c v,  e = 1 - loss
// (law: Hunt and Crossley 1975; this relation: Gonthier and others 2004). z = -ln(1 - a e) is
// halved for: z itself keeps its digits where a e goes to 1.                               (M35)
double fr_hertz_crushing(double loss, double speed) {
    double e = 1.0 - fr_clamp(loss, 0.0, FR_HERTZ_MOST_LOSS);
    double small = 1.5 * (1.0 - e * e) / (1.0 + e * e * e); // the first term of a series
    if (small < 1e-4) return small / speed;
    double lo = -log1p(-0.5 * small * e), hi = (1.0 + e) / e + 1.0;
    for (int k = 0; k < 60; k++) {
        double z = 0.5 * (lo + hi), a = -expm1(-z) / e;
        if (a * (1.0 + e) > log1p(a) + z)
            lo = z;
        else
            hi = z;
    }
    return -expm1(-lo) / e / speed;
}

double fr_hertz_force(const FrHertzLaw *law, double s) { return law->stiffness * s * s * s; }

// 2/5 k d^(5/2) + 1/2 C F^2
double fr_hertz_energy(const FrHertzLaw *law, double s) {
    double F = fr_hertz_force(law, s);
    return F * (0.4 * s * s + 0.5 * law->compliance * F);
}

// y = s^2 (1 + C k s)
static double approach_at(const FrHertzLaw *law, double s) {
    return s * s * (1.0 + law->compliance * law->stiffness * s);
}

static double approach_slope(const FrHertzLaw *law, double s) {
    return s * (2.0 + 3.0 * law->compliance * law->stiffness * s);
}

// Newton from above: y(s) is convex, so it never goes too far
double fr_hertz_root(const FrHertzLaw *law, double y) {
    if (y <= 0.0) return 0.0;
    double s = sqrt(y);
    for (int k = 0; k < 100; k++) {
        double next = s - (approach_at(law, s) - y) / approach_slope(law, s);
        if (!(next < s)) break;
        s = next;
    }
    return s;
}

/// Mean force between two states, N, and how it rises with the root of the second, N/m^(1/2).
typedef struct Mean {
    double force, slope;
} Mean;

// from a gap: all energy over all the way
static Mean mean_from_gap(const FrHertzLaw *law, double y, double s) {
    double way = approach_at(law, s) - y, rise = approach_slope(law, s);
    double F = fr_hertz_energy(law, s) / way;
    return (Mean){F, (fr_hertz_force(law, s) - F) * rise / way};
}

// (V(s) - V(a))/(y(s) - y(a)), both divided by s - a, so that no digits are lost where s is a
static Mean mean_between(const FrHertzLaw *law, double a, double s) {
    double k = law->stiffness, C = law->compliance, p1 = s + a, p2 = p1 * s + a * a;
    double p4 = ((p2 * s) + a * a * a) * s + a * a * a * a, p5 = p4 * s + a * a * a * a * a;
    double p4_slope = ((4.0 * s + 3.0 * a) * s + 2.0 * a * a) * s + a * a * a;
    double rise = k * (0.4 * p4 + 0.5 * C * k * p5), way = p1 + C * k * p2;
    if (!(way > 0.0)) return (Mean){0.0, 0.0};
    double rise_slope = k * (0.4 * p4_slope + 0.5 * C * k * (p4 + s * p4_slope));
    double way_slope = 1.0 + C * k * (2.0 * s + a), F = rise / way;
    return (Mean){F, (rise_slope - F * way_slope) / way};
}

/// A trial of the end of a step.
typedef struct Trial {
    double stored, force, miss, slope; ///< N, N, m, m^(1/2)
} Trial;

// F = stored (1 + c (y - y_0)/h), and by how far y = free - give F is missed
static Trial try_root(const FrHertzLaw *law, const FrHertzStep *step, double s) {
    double y = approach_at(law, s), rise = approach_slope(law, s),
           rate = law->crushing / step->time;
    Mean mean = step->from.y < 0.0 ? mean_from_gap(law, step->from.y, s)
                                   : mean_between(law, step->from.s, s);
    double more = 1.0 + rate * (y - step->from.y);
    if (more < 0.0) return (Trial){mean.force, 0.0, y - step->free, rise};
    double F = mean.force * more, slope = mean.slope * more + mean.force * rate * rise;
    return (Trial){mean.force, F, y + step->give * F - step->free, rise + step->give * slope};
}

// They part within the step: what is stored is spent on the way w to the gap,
// w = y_0 - free + G F,  F = V/w (1 - c w/h).
static FrHertzPush part(const FrHertzLaw *law, const FrHertzStep *step) {
    double V = fr_hertz_energy(law, step->from.s), rate = law->crushing / step->time;
    double half = 0.5 * (step->from.y - step->free - step->give * V * rate);
    double way = half + sqrt(half * half + step->give * V);
    if (!(way > 0.0) || rate * way >= 1.0)
        return (FrHertzPush){{step->free, 0.0}, 0.0, V / (step->from.y - step->free)};
    double stored = V / way;
    return (FrHertzPush){{step->from.y - way, 0.0}, stored * (1.0 - rate * way), stored};
}

// A mean force that does as much work as the energy rises (discrete gradient; Gonzalez 1996), with
// a factor for crushing. The miss rises with s: Newton between bounds.                     (M35)
FrHertzPush fr_hertz_step(const FrHertzLaw *law, const FrHertzStep *step) {
    if (step->from.s <= 0.0 && step->free <= 0.0) return (FrHertzPush){{step->free, 0.0}, 0.0, 0.0};
    if (step->from.s > 0.0 && try_root(law, step, 0.0).miss >= 0.0) return part(law, step);
    double lo = 0.0, hi = fr_hertz_root(law, step->free), s = fr_min(step->from.s, hi);
    if (s <= 0.0) s = hi;
    Trial trial = try_root(law, step, s);
    for (int k = 0; k < 60; k++) {
        if (trial.miss > 0.0)
            hi = s;
        else
            lo = s;
        double next = s - trial.miss / trial.slope;
        if (!(next >= lo && next <= hi)) next = 0.5 * (lo + hi);
        bool there = fabs(next - s) <= 1e-14 * next;
        s = next;
        trial = try_root(law, step, s);
        if (there) break;
    }
    return (FrHertzPush){{approach_at(law, s), s}, trial.force, trial.stored};
}
