// penalty.c: contact forces from overlaps: push, damp and rub [S6 ch. 5, M11].

#include "solve/response.h"
#include "solve/solve_tuning.h"

FrPenaltyOptions fr_penalty_options_default(void) {
    FrPenaltyOptions options = {.stiffness = 1.0,
                                .damping = 1.0,
                                .conservative = false,
                                .stick_speed = FR_STICK_SPEED,
                                .rolling = FR_ROLLING_ARM,
                                .share = 1.0};
    return options;
}

// e = exp(-(pi - 2 phi) tan phi), zeta = sin phi: a linear spring and dashpot let go when their
// force reaches zero, which is before the spring is straight again (Schwager and Poeschel 2007).
// Without that, e = exp(-pi tan phi), zeta = -ln e / sqrt(pi^2 + ln^2 e).
// (pi - 2 phi) tan phi rises and is concave, so Newton from the left never passes the root; it
// starts from the further of its tangent at 0 and its parabola at pi/2.
double fr_penalty_damping_ratio(double restitution) {
    if (!(restitution < 1.0)) return 0.0;
    double wanted = restitution > 0.0 ? -log(restitution) : 2.0;
    if (wanted >= 2.0) return 1.0; // the limit of phi -> pi/2
    double phi = fr_max(wanted / FR_PI, 0.5 * FR_PI - sqrt(3.0 * (1.0 - 0.5 * wanted)));
    for (int k = 0; k < 5; k++) {
        double t = tan(phi), open = FR_PI - 2.0 * phi;
        phi += (wanted - open * t) / (open * (1.0 + t * t) - 2.0 * t);
    }
    return sin(phi);
}

// what a says, what b says, or what is left when neither does
static double smaller_of(double a, double b, double neither) {
    if (a > 0.0 && b > 0.0) return fr_min(a, b);
    return a > 0.0 ? a : b > 0.0 ? b : neither;
}

// mass that swings on a contact of one node: both sides move, or one does; 0: neither says
static double swinging_mass(const FrMover *a, const FrMover *b) {
    if (a->node_mass > 0.0 && b->node_mass > 0.0)
        return a->node_mass * b->node_mass / (a->node_mass + b->node_mass);
    return fr_max(a->node_mass, b->node_mass);
}

// k_err = 0.5 E/h (N/m^3), E the softer of the two, h the finer of the two mean edges (M11)
static double stiffness_of(const FrMover *a, const FrMover *b, const FrPenaltyOptions *options) {
    double young = smaller_of(a->young, b->young, FR_RIGID_YOUNG);
    return options->stiffness * 0.5 * young / smaller_of(a->edge, b->edge, FR_RIGID_EDGE);
}

static double pair_ratio(const FrMover *a, const FrMover *b) {
    return fr_penalty_damping_ratio(sqrt(a->restitution * b->restitution));
}

// t_d = 2 zeta / w_c, w_c^2 = k_err h^2 / m: one node with the surface it stands for swings as the
// linear oscillator whose restitution is the pair's.
// Departs from M11: t_d there is 0.2 (2 pi / w_c), which is zeta = 0.63 for everything.
FrPairLaw fr_pair_law(const FrContact *c, const FrMover *movers, const FrPenaltyOptions *options) {
    const FrMover *a = &movers[c->a], *b = &movers[c->b];
    FrPairLaw law = {.a = c->a, .b = c->b};
    law.k = stiffness_of(a, b, options);
    law.h = smaller_of(a->edge, b->edge, FR_RIGID_EDGE);
    law.k_area = law.k / (0.25 * sqrt(3.0) * law.h * law.h);
    law.mu_s = sqrt(a->friction_static * b->friction_static);
    law.mu_d = sqrt(a->friction_dynamic * b->friction_dynamic);
    double m = swinging_mass(a, b);
    if (!(m > 0.0)) {
        double inverse =
            a->inverse_mass(a->state, c->pa, c->x) + b->inverse_mass(b->state, c->pb, c->x);
        m = inverse > 0.0 ? 1.0 / inverse : 0.0;
    }
    double period = sqrt(m / (law.k * law.h * law.h)); // 1 / w_c
    law.damping = options->damping * 2.0 * pair_ratio(a, b) * period;
    law.slide = period;
    double wall = smaller_of(a->wall, b->wall, 0.0);
    law.slack = wall > 0.0 ? FR_SLACK * fr_min(law.h, wall) : HUGE_VAL;
    return law;
}

static FrVec3 velocity_of(const FrMover *m, FrPoint at, FrVec3 x) {
    if (!m->tet || at.tet < 0) return m->velocity(m->state, at, x);
    FrVec3 v = fr_vec3_zero;
    for (int i = 0; i < 4; i++) v = fr_axpy(at.b[i], fr_get3(m->v, m->tet[at.tet][i]), v);
    return v;
}

static void put_force(const FrMover *m, FrPoint at, FrVec3 x, FrVec3 force) {
    if (!m->tet || at.tet < 0) {
        m->force(m->state, at, x, force);
        return;
    }
    for (int i = 0; i < 4; i++) fr_add3(m->f, m->tet[at.tet][i], fr_scale(at.b[i], force));
}

// How much stiffer an overlap is at a depth. k_err = 0.5 E/h stands for a layer of two edges of
// the softer material: pressed in by d it carries E e / (1 - e), e = d / 2h, since it cannot be
// squeezed to nothing; so each part of the overlap carries the slope of that at its own depth.
// What is deeper than the layer is pushed in proportion to its depth: a body that went under a
// plane at once has no more volume to add, and would drift up slowly, or sink on.
static double crowded(double below, double h) {
    double e = fr_max(0.5 * below / h, 0.0), s = 1.0 - fr_min(e, FR_CROWDED);
    return fr_max(e / FR_CROWDED, 1.0) / (s * s);
}

static double contact_stiffness(const FrContact *c, double k, double h) {
    return k * fr_max(c->area, c->volume / h);
}

double fr_penalty_stiffness(const FrContact *c, const FrMover *movers,
                            const FrPenaltyOptions *options) {
    const FrMover *a = &movers[c->a], *b = &movers[c->b];
    return contact_stiffness(c, stiffness_of(a, b, options),
                             smaller_of(a->edge, b->edge, FR_RIGID_EDGE));
}

bool fr_is_crumb(const FrMover *m, FrPoint at) {
    return m->crumb && at.tet >= 0 && m->crumb[at.tet];
}

static double softness(const FrMover *m, FrPoint at) {
    return m->soft && at.tet >= 0 && m->rigid[at.tet] >= 2 ? m->soft[m->rigid[at.tet] - 2] : 1.0;
}

// A small piece that comes off under a blow lies in overlaps that the whole body pressed: more than
// its own motion ever would, and more than a dashpot for its mass can take (a bowl that fell 75 cm
// shot crumbs of a gram at 13 m/s). Its overlaps give back e^2 of what they took instead: full
// force while they close, e^2 of it while they open (Walton and Braun 1986). Its bounce is the
// same.
// A leap of the force where the speed changes its sign would drive what is wedged to and fro with
// every step, by push dt / m. There it comes gradually, as a dashpot k_i / (w^2 dt), w the fastest
// that the piece swings on all its contacts k_i: all of them together just stop it in a step.
static double push_crumb(const FrTouch *touch, double push, double w_n, double easing,
                         const FrMover *a, const FrMover *b) {
    double kept = a->restitution * b->restitution;
    if (!(w_n > 0.0)) return push;
    double full = easing > 0.0 ? (1.0 - kept) * easing * (push / touch->stiffness) : 0.0; // m/s
    return w_n < full ? push * (1.0 - (1.0 - kept) * (w_n / full)) : kept * push;
}

// f_err = k_err vol n                                                          [S6 eq. 5.7]
// f_dmp = -k_err t_d area (w.n) n                                              [S6 eq. 5.9]
// together k_err (vol + t_d d vol/dt), never pulling; w = sum b v of a - of b.
// Departs from the paper: 5.9 has k_dmp vol where k_err t_d area stands here, so k_dmp is
// k_err t_d / depth; with a constant k_dmp a light touch is hardly damped and restitution depends
// on speed. The conservative variant (E27) is (k_err / face area) vol N, the gradient of 1/2 k
// vol^2.
FrTouch fr_touch(const FrContact *c, const FrPairLaw *law, const FrMover *movers,
                 const FrPenaltyOptions *options, const FrEase *ease, double dt) {
    const FrMover *a = &movers[c->a], *b = &movers[c->b];
    FrTouch touch = {.n = c->n};
    double k = law->k * fr_min(softness(a, c->pa), softness(b, c->pb));
    double push = k * crowded(c->below, law->h) * c->volume;
    touch.stiffness = contact_stiffness(c, k, law->h);
    if (options->conservative) {
        double area = fr_length(c->area_normal);
        if (area > 0.0) touch.n = fr_scale(1.0 / area, c->area_normal);
        push = law->k_area * c->volume * area;
        touch.stiffness = law->k_area * area * area;
    }
    touch.w = fr_sub(velocity_of(a, c->pa, c->x), velocity_of(b, c->pb, c->x));
    double w_n = fr_dot(touch.w, touch.n);
    touch.w_t = fr_axpy(-w_n, touch.n, touch.w);
    touch.v_t = fr_length(touch.w_t);
    bool crumb = fr_is_crumb(a, c->pa) || fr_is_crumb(b, c->pb);
    touch.push = crumb ? push_crumb(&touch, push, w_n, ease ? ease->w2 * dt : 0.0, a, b) : push;
    touch.drag = crumb ? 0.0 : law->damping * touch.stiffness * w_n;
    touch.late = crumb ? 0.0 : fr_max(a->lag, b->lag) * touch.stiffness * w_n;
    touch.normal = fr_max(0.0, touch.push - (touch.drag + touch.late));
    return touch;
}

// the reaction: b gets the negation at the same place                          [S6 eq. 5.8]
void fr_touch_apply(const FrContact *c, const FrTouch *touch, FrVec3 friction, double share,
                    const FrMover *movers, FrContactForce *force) {
    const FrMover *a = &movers[c->a], *b = &movers[c->b];
    force->force = fr_scale(share, fr_axpy(touch->normal, touch->n, friction));
    force->normal = share * touch->normal;
    force->v_n = -fr_dot(touch->w, touch->n);
    force->v_t = touch->v_t;
    force->stiffness = touch->stiffness;
    put_force(a, c->pa, c->x, force->force);
    put_force(b, c->pb, c->x, fr_neg(force->force));
}

// dt = (2/w) (sqrt(1 + zeta^2) - zeta), w^2 = 2 k_err h^2 / m (M3): the 2 is for surface nodes,
// which are lighter than the mean for the surface they stand for
double fr_penalty_dt_limit(const FrMover *a, const FrMover *b, const FrPenaltyOptions *options) {
    double m = swinging_mass(a, b), h = smaller_of(a->edge, b->edge, FR_RIGID_EDGE);
    double k = stiffness_of(a, b, options) * h * h;
    if (options->conservative) k *= FR_NODE_OVER_FACE;
    if (!(m > 0.0)) return HUGE_VAL;
    double w = sqrt(2.0 * k / m);
    double zeta = sqrt(2.0) * options->damping * pair_ratio(a, b);
    return 2.0 / w * (sqrt(1.0 + zeta * zeta) - zeta);
}

FrPenaltySpring fr_penalty_spring(const FrContact *c, const FrMover *movers,
                                  const FrPenaltyOptions *options) {
    FrPairLaw law = fr_pair_law(c, movers, options);
    FrTouch touch = fr_touch(c, &law, movers, options, NULL, 0.0);
    return (FrPenaltySpring){touch.n, touch.push, touch.stiffness, law.mu_s, law.mu_d};
}
