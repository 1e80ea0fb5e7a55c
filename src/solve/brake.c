// brake.c: what a patch of contact does against turning: it drills, and it rolls with loss.
//
// A rigid piece often lies on the overlap of one tet, which is one point to friction and to bounce:
// a shard on its round side would spin and rock without end. The patch has a radius
// a = sqrt(area / pi), so against spin about the normal Coulomb's friction acts with the moment
//     M_s = 2/3 mu a N                                (even pressure)
// and against rolling the part 1 - e^2 of what the patch stores and does not give back, and the
// roughness of what rolls, which outweighs that on hard floors (Cross 2016), by a lever arm b:
//     M_r = (b + 3/16 (1 - e^2) a) N                  (Greenwood, Minshall and Tabor 1961)
// Both are springs that slip at these bounds, as friction is (stick.c; for rolling Iwashita and Oda
// 1998), so that what rocks stops, and stays where it stopped. They are as stiff as the contact is
// at the edge of its patch: half of k_t a^2 against spin, k b^2 against rolling.

#include "solve/response.h"
#include "solve/solve_tuning.h"

/// The corners of a tet as points of a rigid piece.
typedef struct Spinner {
    const FrMover *mover;
    const int32_t *node; ///< NULL: it does not turn
    FrVec3 r[4];         ///< from their middle, m
    FrMat3 inverse;      ///< of sum r^2 - r r', 1/m^2
    FrVec3 spin;         ///< rad/s
    double reach;        ///< of the corners from their middle, m
} Spinner;

static FrVec3 middle_of(const double *x, const int32_t *node) {
    FrVec3 sum = fr_vec3_zero;
    for (int i = 0; i < 4; i++) sum = fr_axpy(0.25, fr_get3(x, node[i]), sum);
    return sum;
}

static Spinner spinner_of(const FrMover *m, FrPoint at, FrVec3 x) {
    Spinner s = {.mover = m, .reach = HUGE_VAL};
    if (!fr_is_crumb(m, at) || !(m->inverse_mass(m->state, at, x) > 0.0)) return s;
    s.node = m->tet[at.tet];
    FrVec3 centre = middle_of(m->p, s.node), v = middle_of(m->v, s.node), turn = fr_vec3_zero;
    FrMat3 J = {fr_vec3_zero, fr_vec3_zero, fr_vec3_zero};
    double r2 = 0.0;
    for (int i = 0; i < 4; i++) {
        FrVec3 r = s.r[i] = fr_sub(fr_get3(m->p, s.node[i]), centre);
        double d = fr_dot(r, r);
        J.c0 = fr_add(J.c0, fr_vec3(d - r.x * r.x, -r.x * r.y, -r.x * r.z));
        J.c1 = fr_add(J.c1, fr_vec3(-r.y * r.x, d - r.y * r.y, -r.y * r.z));
        J.c2 = fr_add(J.c2, fr_vec3(-r.z * r.x, -r.z * r.y, d - r.z * r.z));
        turn = fr_add(turn, fr_cross(r, fr_sub(fr_get3(m->v, s.node[i]), v)));
        r2 += 0.25 * d;
    }
    s.inverse = fr_mat3_inverse(J);
    s.spin = fr_mat3_apply(s.inverse, turn);
    s.reach = sqrt(r2);
    return s;
}

// Planes, pieces that sleep, and what is held still. The deforming part shows its patch by itself,
// and how a frame spins is not known here.
static bool stands(const FrMover *m, FrPoint at, FrVec3 x) {
    if (!(m->node_mass > 0.0) || fr_is_crumb(m, at)) return true;
    FrVec3 aside = fr_add(x, fr_vec3(1.0, 2.0, 3.0));
    return !m->tet && !(m->inverse_mass(m->state, at, x) > 0.0) &&
           fr_length2(m->velocity(m->state, at, x)) == 0.0 &&
           fr_length2(m->velocity(m->state, at, aside)) == 0.0;
}

// a couple: forces on the corners without a sum
static void turn(const Spinner *s, FrVec3 moment) {
    if (!s->node) return;
    FrVec3 w = fr_mat3_apply(s->inverse, moment);
    for (int i = 0; i < 4; i++) fr_add3(s->mover->f, s->node[i], fr_cross(w, s->r[i]));
}

/// A spring against turning.
typedef struct Spring {
    double stiffness; ///< N m/rad
    double time;      ///< damping time, s
    double bound;     ///< N m
} Spring;

// Moment of a spring that was turned by `turned` and now turns with `spin`. Beyond its bound it
// slips: it is let out until its moment is on the bound.
static FrVec3 hold(const Spring *spring, FrVec3 spin, FrVec3 *turned) {
    FrVec3 trial = fr_scale(-spring->stiffness, fr_axpy(spring->time, spin, *turned));
    double size = fr_length(trial);
    if (!(size > spring->bound)) return trial;
    FrVec3 moment = fr_scale(spring->bound / size, trial);
    *turned = spring->stiffness > 0.0 ? fr_scale(-1.0 / spring->stiffness, moment) : fr_vec3_zero;
    return moment;
}

// how far from its middle a rolling patch is pushed, m: no arm reaches beyond half of a tet
static double lever_of(const Spinner *a, const Spinner *b, double radius, double rough) {
    double lost = 1.0 - a->mover->restitution * b->mover->restitution;
    return fr_min(rough + FR_ROLL * lost * radius, 0.5 * fr_min(a->reach, b->reach));
}

void fr_touch_brake(const FrContact *c, const FrSeen *seen, const FrMover *movers,
                    const FrPenaltyOptions *options, double dt, FrVec3 *turned) {
    const FrTouch *touch = &seen->touch;
    const FrPairLaw *law = &seen->law;
    const FrMover *ma = &movers[c->a], *mb = &movers[c->b];
    double radius = sqrt(c->area / FR_PI), k = touch->stiffness;
    Spinner a = spinner_of(ma, c->pa, c->x), b = spinner_of(mb, c->pb, c->x);
    if (!(a.node || stands(ma, c->pa, c->x)) || !(b.node || stands(mb, c->pb, c->x))) return;
    double lever = lever_of(&a, &b, radius, options->rolling);
    Spring drill = {0.5 * FR_TANGENTIAL * k * radius * radius, law->slide,
                    FR_DRILL * law->mu_d * radius * touch->normal};
    Spring roll = {k * lever * lever, law->slide, lever * touch->normal};
    FrVec3 spin = fr_sub(a.spin, b.spin), n = touch->n;
    FrVec3 about = fr_scale(fr_dot(spin, n), n);
    *turned = fr_axpy(dt, spin, *turned);
    FrVec3 twist = fr_scale(fr_dot(*turned, n), n), tilt = fr_sub(*turned, twist);
    FrVec3 moment = hold(&drill, about, &twist);
    moment = fr_add(moment, hold(&roll, fr_sub(spin, about), &tilt));
    *turned = fr_add(twist, tilt);
    moment = fr_scale(options->share, moment);
    turn(&a, moment);
    turn(&b, fr_neg(moment));
}
