// contact_brake.c: one patch of contact under a rigid piece brakes its spin and its rolling.

#include "context.h"
#include "solve/response.h"
#include "test.h"

/// a regular tet of a rigid piece, touched below its middle
typedef struct Piece {
    double p[12], v[12], f[12];
    int32_t tet[1][4];
    uint8_t crumb[1];
} Piece;

static FrVec3 at_rest(const void *state, FrPoint at, FrVec3 x) {
    (void)state, (void)at, (void)x;
    return fr_vec3_zero;
}
static double light(const void *state, FrPoint at, FrVec3 x) {
    (void)at, (void)x;
    return state ? 1e-3 : 0.0; // a ton: nothing stops at once
}
static void unmoved(void *state, FrPoint at, FrVec3 x, FrVec3 force) {
    (void)state, (void)at, (void)x, (void)force;
}

static void place(Piece *piece, FrVec3 spin) {
    static const FrVec3 corner[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    *piece = (Piece){.tet = {{0, 1, 2, 3}}, .crumb = {1}};
    for (int i = 0; i < 4; i++) {
        FrVec3 r = fr_scale(0.01, corner[i]);
        fr_set3(piece->p, i, fr_add(r, fr_vec3(0.2, 0.1, 0.3)));
        fr_set3(piece->v, i, fr_add(fr_cross(spin, r), fr_vec3(0.4, -0.3, 0.0)));
    }
}

static FrMover mover_of(Piece *piece) {
    FrMover m = {.velocity = at_rest, .inverse_mass = light, .force = unmoved, .restitution = 0.5};
    if (!piece) return m;
    m.state = piece;
    m.tet = (const int32_t(*)[4])piece->tet;
    m.p = piece->p, m.v = piece->v, m.f = piece->f, m.crumb = piece->crumb;
    m.node_mass = 1.0;
    return m;
}

// moment about the middle, and the sum of the forces, which must be none
static FrVec3 moment_on(const Piece *piece) {
    FrVec3 sum = fr_vec3_zero, moment = fr_vec3_zero;
    for (int i = 0; i < 4; i++) {
        FrVec3 f = fr_get3(piece->f, i);
        sum = fr_add(sum, f);
        moment = fr_add(moment, fr_cross(fr_get3(piece->p, i), f));
    }
    CHECK_NEAR(fr_length(sum), 0.0, 1e-9);
    return moment;
}

static const double radius = 2e-3, push = 7.0, mu = 0.3;

static void brake(Piece *a, Piece *b) {
    FrMover movers[2] = {mover_of(a), mover_of(b)};
    FrContact c = {.a = 0, .b = 1, .pb = {.tet = b ? 0 : -1}, .area = FR_PI * radius * radius};
    FrTouch touch = {.n = {0, 0, 1}, .normal = push};
    FrPairLaw law = {.mu_d = mu, .mu_s = 2 * mu};
    FrPenaltyOptions options = fr_penalty_options_default();
    fr_touch_brake(&c, &touch, &law, movers, &options, 1e-6);
}

// 2/3 mu a N about the normal: the integral of mu p r over a disc of even pressure
TEST(it_drills_with_coulombs_moment) {
    Piece piece;
    place(&piece, fr_vec3(0, 0, 5));
    brake(&piece, NULL);
    double sum = 0.0;
    int rings = 2000;
    for (int k = 0; k < rings; k++) {
        double r = (k + 0.5) / rings * radius;
        sum += mu * push / (FR_PI * radius * radius) * r * 2 * FR_PI * r * radius / rings;
    }
    FrVec3 m = moment_on(&piece);
    CHECK_CLOSE(-m.z, sum, 1e-6);
    CHECK_NEAR(hypot(m.x, m.y), 0.0, 1e-12);
}

// 3/16 (1 - e^2) a N against rolling, whichever way
TEST(it_rolls_with_the_loss_of_bounce) {
    for (int k = 0; k < 8; k++) {
        Piece piece;
        FrVec3 spin = {4 * cos(0.8 * k), 4 * sin(0.8 * k), 0};
        place(&piece, spin);
        brake(&piece, NULL);
        FrVec3 wanted = fr_scale(-3.0 / 16.0 * (1.0 - 0.25) * radius * push / 4.0, spin);
        CHECK_NEAR(fr_distance(moment_on(&piece), wanted), 0.0, 1e-9 * fr_length(wanted));
    }
}

// slow rims are braked in proportion, and two pieces get the same with opposite signs
TEST(slow_spin_and_reactions) {
    Piece a, b;
    double slow = 0.1 * 1e-3 / radius;
    place(&a, fr_vec3(0, 0, slow));
    brake(&a, NULL);
    CHECK_CLOSE(-moment_on(&a).z, 0.1 * 2.0 / 3.0 * mu * radius * push, 1e-9);
    FrVec3 wa = {3, 1, -2}, wb = {-1, 4, 2};
    place(&a, wa);
    place(&b, wb);
    brake(&a, &b);
    FrVec3 m = moment_on(&a);
    CHECK_NEAR(fr_length(fr_add(m, moment_on(&b))), 0.0, 1e-12);
    CHECK(fr_dot(m, fr_sub(wa, wb)) < 0.0); // it takes energy
    place(&a, wa);
    place(&b, wa);
    brake(&a, &b);
    CHECK_NEAR(fr_length(moment_on(&a)), 0.0, 1e-12); // they turn together
}
