// brake.c: what a patch of contact does against turning: it drills, and it rolls with loss.
//
// A rigid piece often lies on the overlap of one tet, which is one point to friction and to bounce:
// a shard on its round side would spin and rock without end. The patch has a radius
// a = sqrt(area / pi), so against spin about the normal Coulomb's friction acts with the moment
//     M_s = 2/3 mu a N                                (even pressure)
// and against rolling the part 1 - e^2 of what the patch stores and does not give back,
//     M_r = 3/16 (1 - e^2) a N                        (Greenwood, Minshall and Tabor 1961)
// As friction does without memory, both fall in proportion where the rim is slower than
// stick_speed.

#include "solve/response.h"

#define DRILL (2.0 / 3.0)
#define ROLL (3.0 / 16.0)

/// The corners of a tet as points of a rigid piece.
typedef struct Spinner {
    const FrMover *mover;
    const int32_t *node; ///< NULL: it does not turn
    FrVec3 r[4];         ///< from their middle, m
    FrMat3 inverse;      ///< of sum r^2 - r r', 1/m^2
    FrVec3 spin;         ///< rad/s
    double inertia;      ///< at least, kg m^2
} Spinner;

static FrVec3 middle_of(const double *x, const int32_t *node) {
    FrVec3 sum = fr_vec3_zero;
    for (int i = 0; i < 4; i++) sum = fr_axpy(0.25, fr_get3(x, node[i]), sum);
    return sum;
}

static Spinner spinner_of(const FrMover *m, FrPoint at, FrVec3 x) {
    Spinner s = {.mover = m, .inertia = HUGE_VAL};
    double inverse_mass = m->inverse_mass(m->state, at, x);
    if (!fr_is_crumb(m, at) || !(inverse_mass > 0.0)) return s;
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
    s.inertia = r2 / inverse_mass;
    return s;
}

// a couple: forces on the corners without a sum
static void turn(const Spinner *s, FrVec3 moment) {
    if (!s->node) return;
    FrVec3 w = fr_mat3_apply(s->inverse, moment);
    for (int i = 0; i < 4; i++) fr_add3(s->mover->f, s->node[i], fr_cross(w, s->r[i]));
}

// against the part `spin` of the relative spin; never more than stops the tet's own corners
static FrVec3 against(FrVec3 spin, double bound, double slow, double stop) {
    double speed = fr_length(spin);
    if (!(speed > 0.0)) return fr_vec3_zero;
    double moment = fr_min(bound * fr_min(1.0, speed / slow), stop * speed);
    return fr_scale(-moment / speed, spin);
}

void fr_touch_brake(const FrContact *c, const FrTouch *touch, const FrPairLaw *law,
                    const FrMover *movers, const FrPenaltyOptions *options, double dt) {
    const FrMover *ma = &movers[c->a], *mb = &movers[c->b];
    double radius = sqrt(c->area / FR_PI), push = options->share * radius * touch->normal;
    if (!(push > 0.0)) return;
    Spinner a = spinner_of(ma, c->pa, c->x), b = spinner_of(mb, c->pb, c->x);
    // what bends shows its patch by itself, and how a ball spins is not known here
    if ((!a.node && ma->node_mass > 0.0) || (!b.node && mb->node_mass > 0.0)) return;
    FrVec3 spin = fr_sub(a.spin, b.spin), drill = fr_scale(fr_dot(spin, touch->n), touch->n);
    double slow = options->stick_speed / radius, stop = fr_min(a.inertia, b.inertia) / dt;
    double lost = 1.0 - ma->restitution * mb->restitution;
    FrVec3 moment = fr_add(against(drill, DRILL * law->mu_d * push, slow, stop),
                           against(fr_sub(spin, drill), ROLL * lost * push, slow, stop));
    turn(&a, moment);
    turn(&b, fr_neg(moment));
}
