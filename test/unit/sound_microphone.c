// sound_microphone.c: a microphone near surfaces whose sound has a closed form.

#include "sound/microphone.h"
#include "context.h"
#include "math/vec.h"
#include "mesh/stuffing.h"
#include "mesh/topology.h"
#include "sound_kit.h"

#define RATE 96000.0
#define R0 0.05

static FrContext *ctx;
static FrTetMesh ball;
static FrSurface outside;
static double area;

static double ball_distance(const void *user, FrVec3 x) {
    (void)user;
    return fr_length(x) - R0;
}

__attribute__((constructor)) static void start(void) {
    ctx = make_context(1);
    FrField field = {ball_distance, NULL, {{-R0, -R0, -R0}, {R0, R0, R0}}};
    FrStuffingOptions options = fr_stuffing_options_default(0.012);
    options.thin = FR_THIN_ALLOW;
    CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &ball, NULL));
    CHECK_OK(ctx, fr_tetmesh_surface(ctx, &ball, &outside));
    for (int32_t t = 0; t < outside.tri_count; t++) {
        FrVec3 a = fr_get3(ball.x, outside.tri[t][0]), b = fr_get3(ball.x, outside.tri[t][1]),
               c = fr_get3(ball.x, outside.tri[t][2]);
        area += 0.5 * fr_length(fr_cross(fr_sub(b, a), fr_sub(c, a)));
    }
}

typedef enum Motion { BREATHE, SWING, SPIN } Motion;

/// The spin grows over this time, s, up to `hz` turns a second.
#define GROWS 0.02

static void spin(double *p, double *v, double hz, double t) {
    double w = 2 * M_PI * hz, now = t < GROWS ? 0.5 - 0.5 * cos(M_PI * t / GROWS) : 1;
    double angle = t < GROWS ? w * (0.5 * t - 0.5 * GROWS / M_PI * sin(M_PI * t / GROWS))
                             : w * (t - 0.5 * GROWS);
    for (int32_t n = 0; n < ball.node_count; n++) {
        FrVec3 x = fr_get3(ball.x, n);
        FrVec3 at = {cos(angle) * x.x - sin(angle) * x.y, sin(angle) * x.x + cos(angle) * x.y, x.z};
        fr_set3(p, n, at);
        fr_set3(v, n, fr_scale(w * now, fr_vec3(-at.y, at.x, 0)));
    }
}

// the ball moves by 1 um at `hz`; the view of one tick
static void move(double *p, double *v, Motion motion, double hz, int64_t tick) {
    double w = 2 * M_PI * hz, t = (double)tick / RATE, x = 1e-6 * sin(w * t),
           u = 1e-6 * w * cos(w * t);
    if (motion == SPIN) {
        spin(p, v, hz, t);
        return;
    }
    for (int32_t n = 0; n < ball.node_count; n++) {
        FrVec3 at = fr_get3(ball.x, n),
               way = motion == BREATHE ? fr_scale(1 / R0, at) : fr_vec3(1, 0, 0);
        fr_set3(p, n, fr_axpy(x, way, at));
        fr_set3(v, n, fr_scale(u, way));
    }
}

static void listen(FrMicrophone *m, Motion motion, double hz, int64_t from, int64_t to) {
    double *p = malloc(sizeof(double) * 3 * (size_t)ball.node_count),
           *v = malloc(sizeof(double) * 3 * (size_t)ball.node_count);
    FrBodyView body = {.name = "ball", .model = "fem", .mesh = &ball, .surface = &outside};
    FrBodyFrame frame = {.p = p, .v = v, .alive = true};
    FrFrameView view = {.body_count = 1, .body = &body, .frame = &frame};
    for (int64_t k = from; k < to; k++) {
        move(p, v, motion, hz, k);
        view.tick = k;
        CHECK_OK(ctx, fr_microphone_hear(m, &view));
    }
    free(p);
    free(v);
}

static const FrVec3 ears[2] = {{0, 1, 0}, {2, 0, 0}};

// amplitude of a tone in a stretch of whole periods
static double tone(const float *track, int side, int from, int count, double hz) {
    double re = 0, im = 0;
    for (int n = from; n < from + count; n++) {
        re += (double)track[2 * n + side] * cos(2 * M_PI * hz * n / 48000);
        im += (double)track[2 * n + side] * sin(2 * M_PI * hz * n / 48000);
    }
    return 2 * hypot(re, im) / count;
}

// what is heard of the ball's first frames at 48 kHz, two tracks; to be freed
static float *heard(Motion motion, double hz, int count, int64_t *frames) {
    FrMicrophone *m;
    float *track;
    CHECK_OK(ctx, fr_microphone_create(ctx, ears, RATE, &m));
    listen(m, motion, hz, 0, count);
    CHECK_OK(ctx, fr_microphone_track(m, 48000, &track, frames));
    fr_microphone_destroy(m);
    return track;
}

// A ball that breathes is a point source: p = rho/(4 pi) S a / r for waves that are long beside it
TEST(breathing_ball) {
    double hz = 500;
    int64_t frames;
    float *track = heard(BREATHE, hz, 4000, &frames);
    double w = 2 * M_PI * hz, p = 1.204 / (4 * M_PI) * area * 1e-6 * w * w;
    // mesh: flat facets point past the radius by up to 10 degrees, and ka = 0.46: (ka)^2/6
    CHECK_CLOSE(tone(track, 0, 768, 960, hz), p / 1, 0.06);
    CHECK_CLOSE(tone(track, 1, 768, 960, hz), p / 2, 0.06);
    // nothing before sound has come a metre
    double early = 0;
    for (int n = 0; n < (int)(0.93 / 343 * 48000) - 40; n++)
        early = fmax(early, fabs((double)track[2 * n]));
    CHECK(early < 1e-9 * p); // exact: no sample is written there
    fr_free(ctx, track);
}

// A ball that swings pushes as much as it pulls: far weaker, and nothing at its side
TEST(swinging_ball) {
    double hz = 500, w = 2 * M_PI * hz;
    int64_t frames;
    float *track = heard(SWING, hz, 4000, &frames);
    // rho/(4 pi) a V (1/r + ik) / r: the sum over the ball of n.a e^{-ikr'}/r'
    double volume = 4.0 / 3 * M_PI * R0 * R0 * R0, k = w / 343;
    double p = 1.204 / (4 * M_PI) * 1e-6 * w * w * volume / 2 * hypot(1.0 / 2, k);
    CHECK_CLOSE(tone(track, 1, 768, 960, hz), p, 0.1); // mesh: facets again
    CHECK(tone(track, 0, 768, 960, hz) < 0.02 * p);
    fr_free(ctx, track);
}

// What spins pulls all its surface inwards, sum n.a dS = -2 w^2 V: a steady pressure that nobody
// hears. Where the run ends it is neither a step nor a thump.
TEST(spinning_ball_ends_quietly) {
    double hz = 30, w = 2 * M_PI * hz, volume = 4.0 / 3 * M_PI * R0 * R0 * R0;
    double p = 1.204 / (4 * M_PI) * 2 * w * w * volume;
    int64_t frames;
    float *track = heard(SPIN, hz, 4800, &frames); // 50 ms
    for (int side = 0; side < 2; side++) {
        double sum = 0, jump = 0, last = 0;
        p /= side + 1;
        for (int64_t n = 0; n < frames; n++) {
            double x = (double)track[2 * n + side],
                   next = n + 1 < frames ? (double)track[2 * n + 2 + side] : 0;
            sum += x;
            jump = fmax(jump, fabs(next - x));
            if (n >= frames - 480) last = fmax(last, fabs(x));
        }
        // model: 10 ms of silence, but for the slow answer of the 20 Hz filter
        CHECK(last < 1e-3 * p);
        // model: nothing steady is left by a filter from 20 Hz
        CHECK(fabs(sum) < 1e-3 * p * (double)frames);
        CHECK(jump < 0.02 * p); // slower than 20 Hz changes by 0.0026 a sample
    }
    fr_free(ctx, track);
}

// The far side is heard later than the near one. When the run ends it is not heard alone.
TEST(no_half_of_a_ball_at_the_end) {
    double most[2] = {0};
    int64_t frames;
    float *track = heard(SWING, 500, 4000, &frames);
    for (int64_t n = 768; n < frames; n++)
        most[n >= 1728] = fmax(most[n >= 1728], fabs((double)track[2 * n + 1]));
    CHECK(most[1] < 1.05 * most[0] && most[1] > 0.5 * most[0]);
    fr_free(ctx, track);
}

// what lies still, or moves evenly, is silent
TEST(still_and_even) {
    int64_t frames;
    float *track = heard(BREATHE, 0, 500, &frames);
    // exact: nothing is written
    for (int64_t n = 0; n < 2 * frames; n++) CHECK(fabs((double)track[n]) < 1e-9);
    fr_free(ctx, track);
}

// above what 48 kHz can carry nothing folds back
TEST(no_aliases) {
    int64_t frames;
    float *track = heard(BREATHE, 34000, 4000, &frames);
    double w = 2 * M_PI * 34000, p = 1.204 / (4 * M_PI) * area * 1e-6 * w * w;
    CHECK(tone(track, 0, 768, 960, 14000) < 1e-4 * p); // model: what the filter lets through
    fr_free(ctx, track);
}

// stopped and taken up again, it heard the same
TEST(goes_on_after_a_checkpoint) {
    FrMicrophone *a, *b, *c;
    FrWriter w, again;
    CHECK_OK(ctx, fr_microphone_create(ctx, ears, RATE, &a));
    CHECK_OK(ctx, fr_microphone_create(ctx, ears, RATE, &b));
    CHECK_OK(ctx, fr_microphone_create(ctx, ears, RATE, &c));
    listen(a, SWING, 700, 0, 300);
    listen(b, SWING, 700, 0, 100);
    fr_writer_init(&w, ctx);
    fr_microphone_save(b, &w);
    FrReader r;
    fr_reader_init(&r, w.data, w.size);
    CHECK_OK(ctx, fr_microphone_load(c, &r));
    listen(c, SWING, 700, 100, 300);
    fr_writer_free(&w);
    fr_writer_init(&w, ctx);
    fr_writer_init(&again, ctx);
    fr_microphone_save(a, &w);
    fr_microphone_save(c, &again);
    CHECK(w.size == again.size && !memcmp(w.data, again.data, w.size));
    // any cut is refused
    for (size_t cut = 0; cut < 2000; cut += 7) {
        fr_reader_init(&r, w.data, cut);
        CHECK_INT(fr_microphone_load(c, &r), FR_BAD_INPUT);
    }
    fr_writer_free(&w);
    fr_writer_free(&again);
    fr_microphone_destroy(a);
    fr_microphone_destroy(b);
    fr_microphone_destroy(c);
}
