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
    CHECK_NEAR(fr_length(sum), 0.0, 1e-12); // rounding
    return moment;
}

static const double radius = 2e-3, push = 7.0, mu = 0.3, stiff = 1e9;
static const double rough = 5e-4; // m, unless the options say otherwise

// a step of dt; `turned` is what the contact remembers
static void brake(Piece *a, Piece *b, double dt, FrVec3 *turned) {
    FrMover movers[2] = {mover_of(a), mover_of(b)};
    FrContact c = {.a = 0, .b = 1, .pb = {.tet = b ? 0 : -1}, .area = FR_PI * radius * radius};
    FrTouch touch = {.n = {0, 0, 1}, .normal = push, .stiffness = stiff};
    FrPairLaw law = {.mu_d = mu, .mu_s = 2 * mu};
    FrPenaltyOptions options = fr_penalty_options_default();
    fr_touch_brake(&c, &(FrSeen){law, touch}, movers, &options, dt, turned);
}

// 2/3 mu a N about the normal: the integral of mu p r over a disc of even pressure
TEST(it_drills_with_coulombs_moment) {
    Piece piece;
    FrVec3 turned = fr_vec3_zero;
    place(&piece, fr_vec3(0, 0, 5));
    brake(&piece, NULL, 1e-5, &turned);
    double sum = 0.0;
    int rings = 2000;
    for (int k = 0; k < rings; k++) {
        double r = (k + 0.5) / rings * radius;
        sum += mu * push / (FR_PI * radius * radius) * r * 2 * FR_PI * r * radius / rings;
    }
    FrVec3 m = moment_on(&piece);
    CHECK_CLOSE(-m.z, sum, 2e-7);            // step: of the sum over rings, its square
    CHECK_NEAR(hypot(m.x, m.y), 0.0, 1e-12); // rounding
}

// the lever arm of roughness and 3/16 (1 - e^2) a of bounce, times N, against rolling, whichever
// way
static double lever(void) { return rough + 3.0 / 16.0 * (1.0 - 0.25) * radius; }

TEST(it_rolls_with_the_lever_arm) {
    for (int k = 0; k < 8; k++) {
        Piece piece;
        FrVec3 spin = {4 * cos(0.8 * k), 4 * sin(0.8 * k), 0}, turned = fr_vec3_zero;
        place(&piece, spin);
        brake(&piece, NULL, 1e-5, &turned);
        FrVec3 wanted = fr_scale(-lever() * push / 4.0, spin);
        // rounding
        CHECK_NEAR(fr_distance(moment_on(&piece), wanted), 0.0, 1e-12 * fr_length(wanted));
    }
}

// below its bound it is a spring, and remembers; two pieces get the same with opposite signs
TEST(small_turns_and_reactions) {
    Piece a, b;
    FrVec3 turned = fr_vec3_zero;
    for (int k = 1; k <= 3; k++) {
        place(&a, fr_vec3(0.01, 0, 0));
        brake(&a, NULL, 1e-5, &turned);
        // rounding
        CHECK_CLOSE(-moment_on(&a).x, stiff * lever() * lever() * 0.01 * 1e-5 * k, 1e-12);
    }
    FrVec3 wa = {3, 1, -2}, wb = {-1, 4, 2};
    place(&a, wa);
    place(&b, wb);
    turned = fr_vec3_zero;
    brake(&a, &b, 1e-5, &turned);
    FrVec3 m = moment_on(&a);
    CHECK_NEAR(fr_length(fr_add(m, moment_on(&b))), 0.0, 1e-12); // rounding
    CHECK(fr_dot(m, fr_sub(wa, wb)) < 0.0);                      // it takes energy
    place(&a, wa);
    place(&b, wa);
    turned = fr_vec3_zero;
    brake(&a, &b, 1e-5, &turned);
    CHECK_NEAR(fr_length(moment_on(&a)), 0.0, 1e-12); // rounding: they turn together
}

// What rolls without slipping, radius R and inertia 2/5 m R^2, has the lever arm's N b against
// 7/5 m R^2 about its contact: it slows down with 5/7 g b / R, and stops within the spring's turn.
TEST(a_ball_slows_down_by_five_sevenths_of_it) {
    double R = 0.05, mass = push / 9.81, dt = 1e-5, spin = 2.0, angle = 0.0, first = spin;
    FrVec3 turned = fr_vec3_zero;
    double stop = first / (5.0 / 7.0 * 9.81 * lever() / (R * R));
    for (int k = 0; k < 200000 && k * dt < 1.2 * stop; k++) {
        Piece piece;
        place(&piece, fr_vec3(0, spin, 0));
        brake(&piece, NULL, dt, &turned);
        spin += dt * moment_on(&piece).y / (1.4 * mass * R * R);
        angle += dt * spin;
        // step: dt of the way
        if (k == (int)(0.5 * stop / dt)) CHECK_CLOSE(spin, 0.5 * first, 1e-4);
    }
    // step: it rolled v^2 / 2a; what is left is its swing on the spring, N/(k b) to and fro
    CHECK_CLOSE(angle, 0.5 * first * stop, 1e-4);
    CHECK(fabs(spin) < 0.02 * first);
}

// A shell that rocks on its round side: N h against its tilt, h how far its centre lies below that
// of its roundness. Each half swing takes 2 b / h of its tilt, as Coulomb friction takes from a
// swing, and it stays where N h tilt is less than N b.
TEST(a_rocking_shell_loses_twice_the_lever_arm_each_half_swing) {
    double h = 0.025, inertia = 5e-4, dt = 1e-5, tilt = 0.3, spin = 0.0, last = tilt;
    FrVec3 turned = fr_vec3_zero;
    int swings = 0;
    for (int k = 0; k < 400000; k++) {
        Piece piece;
        place(&piece, fr_vec3(spin, 0, 0));
        brake(&piece, NULL, dt, &turned);
        double before = spin;
        spin += dt * (moment_on(&piece).x - push * h * sin(tilt)) / inertia;
        tilt += dt * spin;
        // sin: a half swing goes from one tilt to another with N h (cos - cos) = N b (sum of both)
        if (before * spin < 0.0 && fabs(last) > 0.06) {
            double loss = h * (cos(tilt) - cos(last)) / (fabs(tilt) + fabs(last));
            CHECK_CLOSE(loss, lever(), 1e-3); // step: ends of swings, to dt^2
            // model: cos is a parabola
            CHECK_NEAR(fabs(last) - fabs(tilt), 2.0 * lever() / h, 0.03 * 2.0 * lever() / h);
            swings++;
            last = tilt;
        }
    }
    printf("  %d half swings, at rest at %.4f rad of %.4f, %.2g rad/s\n", swings, fabs(tilt),
           lever() / h, fabs(spin));
    CHECK(swings >= 3);
    CHECK(fabs(tilt) <= lever() / h);
    CHECK(fabs(spin) < push / sqrt(stiff * inertia)); // the spring, turned by N/(k b), swings
}
