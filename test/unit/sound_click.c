// sound_click.c: the sound of a body that is jolted as a whole: how much air it moves, which way,
// and pushes at many places at one time.

#include "sound_kit.h"
#include "score/cook.h"
#include "sound/click.h"
#include "sound/ringer.h"

#define RATE 192000.0

static FrContext *ctx;
static FrMaterial glass;
__attribute__((constructor)) static void start(void) {
    ctx = make_context(1);
    CHECK(fr_material_find("glass", &glass));
}

// a box of glass without modes, m
static FrAsset *box_of(double a, double b, double c) {
    FrTetMesh mesh;
    FrBox box = {{0, 0, 0}, {a, b, c}};
    CHECK_OK(ctx, fr_mesh_box_sized(ctx, box, fmin(a, b) / 3, 1, &mesh));
    FrModes none = {.node_count = mesh.node_count};
    FrAsset *asset = NULL;
    CHECK_OK(ctx, fr_asset_make(ctx, &mesh, &none, &glass, NULL, &asset));
    fr_tetmesh_free(ctx, &mesh);
    return asset;
}

// Lamb's closed forms: ball 1/2, long spheroid, disc 8/3 a^3, cylinder across 1
TEST(air_that_ellipsoids_take_along) {
    double k[3];
    fr_added_mass((double[3]){0.3, 0.3, 0.3}, k);
    for (int i = 0; i < 3; i++) CHECK_NEAR(k[i], 0.5, 1e-9); // rounding: duplication to 1e-10
    fr_added_mass((double[3]){2, 1, 1}, k);
    double e = sqrt(0.75), along = 2 * (1 - e * e) / (e * e * e) * (atanh(e) - e),
           across = 1 / (e * e) - (1 - e * e) / (e * e * e) * atanh(e);
    CHECK_NEAR(k[0], along / (2 - along), 1e-9);   // rounding: as above
    CHECK_NEAR(k[1], across / (2 - across), 1e-9); // rounding: as above
    CHECK_NEAR(k[1], k[2], 1e-12);                 // rounding: mirror images
    fr_added_mass((double[3]){1, 1, 1e-4}, k);
    CHECK_CLOSE(4 * M_PI / 3 * 1e-4 * k[2], 8.0 / 3, 1e-3); // model: the disc has 1e-4 of thickness
    fr_added_mass((double[3]){1e3, 1, 1}, k);
    CHECK_NEAR(k[1], 1, 1e-4); // model: a long one ends somewhere
}

TEST(a_ball_moves_half_of_its_volume) {
    FrAsset *ball = NULL;
    CHECK_OK(ctx, fr_cook_ball(ctx, 0.02, &glass, &ball));
    FrClick click = fr_click_of(ball);
    CHECK_NEAR(click.radius, 0.02, 1e-8);                           // rounding: points are floats
    CHECK_NEAR(fr_click_push(&click, fr_vec3(3, 4, 12)), 13, 1e-5); // rounding: as above
    fr_asset_destroy(ball);
}

// volume and air of a body pushed along n, m^3
static double moved(const FrClick *click, FrVec3 n) {
    return 2 * M_PI * pow(click->radius, 3) * fr_click_push(click, n);
}

// Plates of 3:2 that are pushed through their face take 0.690 pi/4 b^2 a of air along (DNV-RP-C205,
// table D-2), a cube 0.67 of its volume.
TEST(plates_and_cubes_move_as_much_as_they_should) {
    FrAsset *plate = box_of(0.06, 0.04, 1e-4), *cube = box_of(0.03, 0.03, 0.03),
            *shard = box_of(0.06, 0.04, 0.006);
    FrClick click = fr_click_of(plate);
    double wanted = 0.690 * M_PI / 4 * 0.04 * 0.04 * 0.06;
    // model: the ellipse within the rectangle is smaller, 2.8 dB at the most
    CHECK_NEAR(20 * log10(moved(&click, fr_vec3(0, 0, 1)) / wanted), -1.4, 1.4);
    // along its face it moves little but itself
    CHECK(moved(&click, fr_vec3(1, 0, 0)) < 2 * plate->info.volume);
    click = fr_click_of(cube);
    // model: a cube as a ball, 1 dB
    CHECK_NEAR(20 * log10(moved(&click, fr_vec3(0, 1, 0)) / (1.67 * 2.7e-5)), 0, 1);
    click = fr_click_of(shard);
    double face = moved(&click, fr_vec3(0, 0, 1)), edge = moved(&click, fr_vec3(1, 0, 0));
    CHECK(face > 2.5 * edge && face > 3 * shard->info.volume);
    fr_asset_destroy(plate);
    fr_asset_destroy(cube);
    fr_asset_destroy(shard);
}

static FrRinger *ringer_of(const FrAsset *asset) {
    FrRinger *ringer = NULL;
    FrRingerDef def = {.asset = asset, .rate = RATE, .gain = 1, .most_blows = 4, .click = true};
    CHECK_OK(ctx, fr_ringer_create(ctx, &def, &ringer));
    return ringer;
}

// A ball set in motion by F = J pi/(2 T) sin(pi t/T): while it is pushed
//     p r = rho c a J/(sqrt(3) m) (f - 2 b (f - h)), where the velocity of z'' + 2 b z' + 2 b^2 z =
//     F
// is known in closed form: a forced sine and the ball's own answer
static double pushed_ball(double t, double T, double b) {
    double w = M_PI / T, A = 2 * b * b - w * w, B = 2 * b * w, force = M_PI / (2 * T);
    // z = C sin wt + D cos wt + e^{-bt} (E cos bt + G sin bt), at rest at first
    double C = force * A / (A * A + B * B), D = -force * B / (A * A + B * B), E = -D,
           G = (-C * w + b * E) / b;
    return w * (C * cos(w * t) - D * sin(w * t)) +
           b * exp(-b * t) * ((G - E) * cos(b * t) - (G + E) * sin(b * t));
}

TEST(a_ball_set_in_motion_by_a_half_sine) {
    enum { N = 96 };
    FrAsset *ball = NULL;
    double a = 0.02, b = 343 / a, J = 0.01, T = 96 / RATE, s[N], worst = 0, peak = 0;
    CHECK_OK(ctx, fr_cook_ball(ctx, a, &glass, &ball));
    FrRinger *ringer = ringer_of(ball);
    FrBlow blow = {.duration = N, .spot = {0, {1, 0, 0}, 0}, .push = {0, J, 0}};
    CHECK(fr_ringer_add(ringer, &blow));
    fr_ringer_pull(ringer, s, N);
    for (int n = 0; n < N; n++) {
        double p = 1.204 * 343 * a * J / (sqrt(3) * ball->info.mass) * pushed_ball(n / RATE, T, b);
        peak = fmax(peak, fabs(p));
        worst = fmax(worst, fabs(p - s[n]));
    }
    // raster: forces are held over samples, each 3 % of a radian of the pulse and 9 % of the ball's
    // own time: half of the product
    CHECK(worst < 3e-3 * peak && peak > 1e-3);
    fr_ringer_destroy(ringer);
    fr_asset_destroy(ball);
}

// slow pushes: rho/(4 pi c sqrt(3)) W dA/dt, ten times as much through the face of a plate
TEST(slow_pushes_sound_as_a_dipole) {
    enum { N = 4000 };
    static double s[N];
    FrAsset *plate = box_of(0.03, 0.02, 0.001);
    FrClick click = fr_click_of(plate);
    FrVec3 n[2] = {{0, 0, 1}, {1, 0, 0}};
    for (int k = 0; k < 2; k++) {
        FrRinger *ringer = ringer_of(plate);
        double J = 0.01, T = N / RATE, worst = 0, peak = 0;
        FrBlow blow = {.duration = N, .spot = {0, {1, 0, 0}, 0}, .push = fr_scale(J, n[k])};
        CHECK(fr_ringer_add(ringer, &blow));
        fr_ringer_pull(ringer, s, N);
        double scale = 1.204 / (4 * M_PI * 343 * sqrt(3)) * moved(&click, n[k]) / plate->info.mass;
        for (int i = 100; i < N; i++) {
            double slope = J * M_PI * M_PI / (2 * T * T) * cos(M_PI * i / RATE / T);
            peak = fmax(peak, scale * fabs(slope));
            worst = fmax(worst, fabs(s[i] - scale * slope));
        }
        // model: the air answers within a/c = 50 us, 0.2 % of the pulse, or 0.8 % of its slope
        CHECK(worst < 0.02 * peak);
        fr_ringer_destroy(ringer);
    }
    fr_asset_destroy(plate);
}

// two pushes that begin together, one against the other: the modes take both, the body stays put
TEST(joined_pushes_jolt_as_one) {
    enum { N = 2000 };
    static double both[N], one[2][N];
    FrAsset *bar = bar_of(ctx, "glass");
    FrBlow blow[2] = {{.start = 7.3,
                       .duration = 20,
                       .spot = fr_asset_nearest(bar, fr_vec3(0, 0.02, 0.01)),
                       .push = {0, 0, 0.01}},
                      {.start = 7.3,
                       .duration = 20,
                       .spot = fr_asset_nearest(bar, fr_vec3(0.2, 0.02, 0.01)),
                       .push = {0, 0, -0.01},
                       .joined = true}};
    FrRinger *ringer = ringer_of(bar);
    for (int k = 0; k < 2; k++) CHECK(fr_ringer_add(ringer, &blow[k]));
    for (int k = 0; k < 10; k++) { // all of one voice: there is room for more
        blow[0].push = blow[1].push = fr_vec3_zero;
        CHECK(fr_ringer_add(ringer, &blow[1]));
    }
    fr_ringer_pull(ringer, both, N);
    fr_ringer_destroy(ringer);
    FrRingerDef silent = {.asset = bar, .rate = RATE, .gain = 1, .most_blows = 4};
    double worst = 0;
    for (int k = 0; k < 2; k++) {
        CHECK_OK(ctx, fr_ringer_create(ctx, &silent, &ringer));
        blow[k].push = fr_vec3(0, 0, k ? -0.01 : 0.01);
        blow[k].joined = false;
        CHECK(fr_ringer_add(ringer, &blow[k]));
        fr_ringer_pull(ringer, one[k], N);
        fr_ringer_destroy(ringer);
    }
    double peak = peak_of(one[0], N);
    for (int n = 0; n < N; n++) worst = fmax(worst, fabs(both[n] - one[0][n] - one[1][n]));
    CHECK(worst < 1e-12 * peak && peak > 0); // rounding: sums in another order
    fr_asset_destroy(bar);
}
