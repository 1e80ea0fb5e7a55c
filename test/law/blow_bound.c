// blow_bound.c: no blow goes beyond what its bounds say, whatever vibrates.

#include "base/random.h"
#include "context.h"
#include "modal/blow.h"
#include "test.h"

enum { MODES = 12, KINDS = 4 };
/// A blow and its modes.
typedef struct Case {
    FrModalBlowDef def;
    double lambda[MODES], damping[MODES], w[MODES];
} Case;

static FrRandom random_numbers;
static double between(double lo, double hi) { // evenly in their logarithms
    return lo * pow(hi / lo, fr_random_unit(&random_numbers));
}

static void set_mode(Case *c, double omega, double w) {
    int i = c->def.mode_count++;
    c->lambda[i] = omega * omega;
    c->w[i] = w;
}

// a bending beam of mass m, struck at a share x of its length: w as a cosine has it
static void beam(Case *c, double m, double first) {
    double x = fr_random_unit(&random_numbers);
    for (int i = 1; i <= 8; i++)
        set_mode(c, first * (i + 0.5) * (i + 0.5) / 2.25, 2 / sqrt(m) * cos((i + 0.5) * M_PI * x));
}

// a plate that is held at its rim
static void plate(Case *c, double m, double first) {
    double x = M_PI * fr_random_unit(&random_numbers), y = M_PI * fr_random_unit(&random_numbers);
    double wide = between(0.3, 3);
    for (int i = 1; i <= 4; i++)
        for (int j = 1; j <= 3; j++)
            set_mode(c, first * (i * i + wide * j * j) / (1 + wide),
                     2 / sqrt(m) * sin(i * x) * sin(j * y));
}

static void scattered(Case *c, double m, double first) {
    int count = 1 + fr_random_below(&random_numbers, MODES);
    for (int i = 0; i < count; i++)
        set_mode(c, first * between(1, 100), fr_random_normal(&random_numbers) / sqrt(m));
}

// tones that fit each other: pushes may come in time
static void in_tune(Case *c, double m, double first) {
    int count = 1 + fr_random_below(&random_numbers, 5);
    for (int i = 0; i < count; i++) set_mode(c, first * (i + 1), between(0.3, 3) / sqrt(m));
}

static void make(Case *c, int kind) {
    static void (*const modes[KINDS])(Case *, double, double) = {beam, plate, scattered, in_tune};
    FrRandom *r = &random_numbers;
    double m = between(0.01, 10);
    *c = (Case){.def = {.speed = between(0.05, 20), .hertz = between(1e8, 1e10)}};
    c->def.mobility = (1 + between(0.01, 100)) / m;
    double T = fr_hertz_blow(c->def.hertz, 1, c->def.mobility, c->def.speed).duration;
    modes[kind](c, m, between(0.03, 30) / T);
    if (fr_random_below(r, 3) == 0) c->def.compliance = between(0.01, 10) * c->def.mobility * T * T;
    if (fr_random_below(r, 3) == 0) c->def.loss = fr_random_unit(r);
    double damped = fr_random_below(r, 2) ? between(1e-4, 1) : 0;
    for (int i = 0; i < c->def.mode_count; i++) c->damping[i] = damped * sqrt(c->lambda[i]);
    c->def.stressed = c->def.mode_count;
    c->def.lambda = c->lambda, c->def.damping = c->damping, c->def.w = c->w;
}

// the length of the shortest push there can be: all modes as mass
static double shortest(const FrModalBlowDef *def) {
    double b = def->mobility;
    for (int i = 0; i < def->mode_count; i++) b += def->w[i] * def->w[i];
    return fr_hertz_blow(def->hertz, 1, b, def->speed).duration;
}

// 10,000 random blows; the bounds of modes are energy and momentum, and beyond them an observation
TEST(bounds_hold) {
    FrContext *ctx = make_context(1);
    random_numbers = fr_random_for(1, "law/blow_bound", 0);
    double nearest_force = 0, nearest_mode = 0, mean_force = 0, mean_mode = 0;
    int hits = 0, modes = 0, count = 10000;
    for (int k = 0; k < count; k++) {
        Case c;
        double most[MODES];
        make(&c, k % KINDS);
        c.def.step = shortest(&c.def) / 50;
        double force = fr_modal_blow_bound(&c.def, most);
        FrModalBlow blow;
        CHECK_OK(ctx, fr_modal_blow(ctx, &c.def, &blow));
        CHECK(blow.error < 1e-9);                // rounding
        CHECK(blow.peak <= force * (1 + 1e-12)); // rounding
        nearest_force = fmax(nearest_force, blow.peak / force);
        mean_force += blow.peak / force;
        hits += blow.hits > 1;
        for (int i = 0; i < c.def.stressed; i++) {
            CHECK(blow.most[i] <= most[i] * (1 + 1e-9)); // rounding: of thousands of steps
            nearest_mode = fmax(nearest_mode, blow.most[i] / most[i]);
            mean_mode += blow.most[i] / most[i];
            modes++;
        }
        fr_modal_blow_free(ctx, &blow);
    }
    printf("  of their bounds: forces %.3f on average, %.3f at most; modes %.3f and %.3f; %d of %d "
           "blows hit twice or more\n",
           mean_force / count, nearest_force, mean_mode / modes, nearest_mode, hits, count);
    CHECK(nearest_force > 0.99 && nearest_mode > 0.8); // they are not far off
    CHECK(hits > count / 5);
    fr_context_destroy(ctx);
}

// a bound that holds for one mode that takes up all there is
TEST(bounds_are_met) {
    FrContext *ctx = make_context(1);
    double lambda = 1e4, damping = 0, w = 1, most;
    FrModalBlowDef def = {.speed = 3,
                          .mobility = 1,
                          .hertz = 1e10,
                          .mode_count = 1,
                          .lambda = &lambda,
                          .damping = &damping,
                          .w = &w,
                          .stressed = 1};
    fr_modal_blow_bound(&def, &most);
    CHECK_CLOSE(most, def.speed / 100, 1e-12); // rounding: all energy, v/(omega sqrt(b))
    FrModalBlow blow;
    CHECK_OK(ctx, fr_modal_blow(ctx, &def, &blow));
    CHECK_CLOSE(blow.most[0], most, 1e-2); // model: equal masses; the contact is not quite hard
    fr_modal_blow_free(ctx, &blow);
    fr_context_destroy(ctx);
}
