// soundbank.c: ellipsoids that stand for pieces: they sound as the bodies they are of, and bytes
// are not believed.

#include "air/radiation.h"
#include "bank/ellipsoid.h"
#include "bank/entry.h"
#include "bank/pitch.h"
#include "fracas/soundbank.h"
#include "modal/compute.h"
#include "modal_kit.h"
#include "sound/asset.h"
#include "sound/click.h"
#include <math.h>
#include <string.h>

/// A bank of these shapes, by its bytes.
typedef struct Shelf {
    FrWriter w;
    FrSoundbank *bank;
} Shelf;

static FrBankPlan plan_of(FrContext *ctx) {
    FrBankPlan plan = {.most_mass = 0.02, .most_modes = 4, .most_panels = 200, .level = 4};
    CHECK(fr_material_find("glass", &plan.material));
    CHECK_OK(ctx, fr_bank_plan(ctx, &plan));
    return plan;
}

static Shelf make_shelf(FrContext *ctx, const FrBankShape *shape, int32_t count) {
    FrBankPlan plan = plan_of(ctx);
    FrSoundbank *empty;
    Shelf s;
    fr_writer_init(&s.w, ctx);
    CHECK_OK(ctx, fr_bank_empty(ctx, &plan, count, &empty));
    fr_bank_write_head(&s.w, empty, plan.level);
    fr_bank_write_count(&s.w, count);
    for (int32_t k = 0; k < count; k++) {
        FrBankEntry entry;
        CHECK_OK(ctx, fr_bank_entry_make(ctx, &plan, &shape[k], &entry));
        fr_bank_write_entry(&s.w, &entry, empty->sphere.octant_count);
        fr_bank_entry_free(ctx, &entry);
    }
    fr_soundbank_destroy(empty);
    CHECK_OK(ctx, fr_soundbank_load(ctx, s.w.data, s.w.size, &s.bank));
    return s;
}

static void free_shelf(Shelf *s) {
    fr_soundbank_destroy(s->bank);
    fr_writer_free(&s->w);
}

static FrBankShape shape_of(double a, double b, double c) {
    double length = sqrt(a * a + b * b + c * c);
    return (FrBankShape){{a / length, b / length, c / length}};
}

// moments of an ellipsoid, turned
static FrSym3 inertia_of(double mass, const double half[3], FrQuat turn) {
    FrMat3 r = fr_quat_mat3(turn);
    FrVec3 axis[3] = {r.c0, r.c1, r.c2};
    FrSym3 sum = {0};
    for (int k = 0; k < 3; k++) {
        double i = mass / 5.0 *
                   (half[(k + 1) % 3] * half[(k + 1) % 3] + half[(k + 2) % 3] * half[(k + 2) % 3]);
        sum = fr_sym3_axpy(i, fr_mat3_sym(fr_outer(axis[k], axis[k])), sum);
    }
    return sum;
}

static FrProxyDef body_of(const Shelf *s, const double half[3], FrQuat turn) {
    FrProxyDef def = fr_proxy_def_default();
    def.bank = s->bank;
    def.mass = s->bank->info.density * 4.0 / 3.0 * M_PI * half[0] * half[1] * half[2];
    def.centre = fr_vec3(0.3, -0.2, 0.1);
    def.inertia = inertia_of(def.mass, half, turn);
    return def;
}

static double draw(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

// [S7 eq. 12]: half axes come back from the moments of whatever ellipsoid
TEST(moments_give_their_ellipsoid_back) {
    FrContext *ctx = make_modal_context(1);
    FrBankShape shape = shape_of(1, 1, 1);
    Shelf s = make_shelf(ctx, &shape, 1);
    uint32_t seed = 7;
    for (int round = 0; round < 50; round++) {
        double half[3] = {0.001 + 0.01 * draw(&seed), 0, 0};
        half[1] = half[0] + 0.02 * draw(&seed);
        half[2] = half[1] + 0.03 * draw(&seed);
        FrQuat turn = fr_quat_from_rotation(fr_vec3(3 * draw(&seed), 3 * draw(&seed), draw(&seed)));
        FrProxyDef def = body_of(&s, half, turn);
        FrProxyInfo info;
        FrAsset *asset;
        CHECK_OK(ctx, fr_proxy_create(ctx, &def, &asset, &info));
        for (int k = 0; k < 3; k++)
            CHECK_CLOSE(info.half[k], half[k], 1e-9); // rounding: squares cancel
        fr_asset_destroy(asset);
    }
    free_shelf(&s);
    fr_context_destroy(ctx);
}

// an ellipsoid of the bank, smaller and turned: tones are the entry's over the size, and at every
// place the pressure of the mode is that of one computed at that size
TEST(an_ellipsoid_is_its_own_proxy) {
    FrContext *ctx = make_modal_context(1);
    FrBankShape shape[2] = {shape_of(0.1, 0.5, 1), shape_of(1, 1, 1)};
    Shelf s = make_shelf(ctx, shape, 2);
    double g = 0.03, half[3];
    for (int k = 0; k < 3; k++) half[k] = g * shape[0].half[k];
    FrQuat turn = fr_quat_from_rotation(fr_vec3(0.4, -1.1, 0.7));
    FrProxyDef def = body_of(&s, half, turn);
    FrProxyInfo info;
    FrAsset *asset;
    CHECK_OK(ctx, fr_proxy_create(ctx, &def, &asset, &info));
    CHECK_INT(info.entry, 0);
    CHECK_CLOSE(info.size, g, 1e-9); // rounding of moments
    FrEllipsoidDef at = {.young = s.bank->info.young,
                         .poisson = s.bank->info.poisson,
                         .density = s.bank->info.density,
                         .most = 6};
    memcpy(at.half, half, sizeof half);
    FrEllipsoid own;
    CHECK_OK(ctx, fr_ellipsoid_modes(ctx, &at, &own));
    CHECK(asset->info.mode_count > 0);
    double given = sqrt(s.bank->entry[0].mode[0].lambda) / (2 * M_PI) / g;
    def.lowest_hz = given;
    FrAsset *same;
    CHECK_OK(ctx, fr_proxy_create(ctx, &def, &same, NULL));
    for (int32_t i = 0; i < asset->info.mode_count; i++) {
        int32_t k = 0;
        while (k < own.mode_count && fabs(own.mode[k].lambda / asset->lambda[i] - 1) > 1e-8) k++;
        CHECK(k < own.mode_count);                                // rounding: scaled is computed
        CHECK_CLOSE(same->lambda[i], asset->lambda[i], 1e-8);     // rounding of moments
        CHECK_CLOSE(same->coupling[i], asset->coupling[i], 1e-8); // rounding of moments
    }
    fr_asset_destroy(same);
    fr_asset_destroy(asset);
    fr_ellipsoid_free(ctx, &own);
    free_shelf(&s);
    fr_context_destroy(ctx);
}

// [S7 eq. 9] (E51), (E52): the entry's waves, scaled and turned, against those of a bank entry made
// of the same shape and evaluated in its own frame
TEST(waves_are_scaled_and_turned) {
    FrContext *ctx = make_modal_context(1);
    FrBankShape shape = shape_of(0.1, 0.5, 1);
    Shelf s = make_shelf(ctx, &shape, 1);
    double g = 0.03, one[3], small[3];
    for (int k = 0; k < 3; k++) one[k] = shape.half[k], small[k] = g * one[k];
    FrQuat turn = fr_quat_from_rotation(fr_vec3(0.4, -1.1, 0.7)), none = {1, 0, 0, 0};
    FrProxyDef at_one = body_of(&s, one, none), at_small = body_of(&s, small, turn);
    FrAsset *unit, *body;
    at_one.centre = fr_vec3_zero;
    CHECK_OK(ctx, fr_proxy_create(ctx, &at_one, &unit, NULL));
    CHECK_OK(ctx, fr_proxy_create(ctx, &at_small, &body, NULL));
    float big[8], little[8];
    FrVec3 v = fr_vec3(1.3, 2.1, -0.8); // of the entry's own axes
    fr_radiation_gains(unit->radiation, v, FR_RADIATION_FULL, big);
    // principal axes come with signs of their own, under which an ellipsoid is the same
    FrVec3 there = fr_quat_rotate(body->proxy.turn, fr_scale(g, v));
    fr_radiation_gains(body->radiation, fr_add(at_small.centre, there), FR_RADIATION_FULL, little);
    CHECK(unit->info.mode_count > 0);
    for (int32_t i = 0; i < body->info.mode_count; i++)
        for (int32_t k = 0; k < unit->info.mode_count; k++)
            if (fabs(unit->lambda[k] / (g * g) / body->lambda[i] - 1) < 1e-9)
                CHECK_CLOSE((double)little[i], pow(g, -2.5) * (double)big[k], 1e-4); // floats
    fr_asset_destroy(unit);
    fr_asset_destroy(body);
    free_shelf(&s);
    fr_context_destroy(ctx);
}

// multipoles that mirror planes forbid are left out: what is kept is the whole
TEST(a_mode_has_one_parity) {
    int32_t count = 0;
    for (int32_t parity = 0; parity < 8; parity++) count += fr_bank_multipoles(parity, 12);
    CHECK_INT(count, 13 * 13); // each belongs to one class
    CHECK(fr_bank_has(0, 0, 0));
    CHECK(fr_bank_has(4, 1, 1)); // cos theta: odd in z
    CHECK(fr_bank_has(1, 1, 2)); // sin theta cos phi: odd in x
    CHECK(fr_bank_has(2, 1, 3)); // sin theta sin phi: odd in y
}

// [S7 eq. 24] (E55): the surface faces the push where it acts
TEST(a_push_acts_where_the_surface_faces_it) {
    FrContext *ctx = make_modal_context(1);
    FrBankShape shape = shape_of(0.3, 0.5, 1);
    Shelf s = make_shelf(ctx, &shape, 1);
    double half[3];
    for (int k = 0; k < 3; k++) half[k] = 0.05 * shape.half[k];
    FrQuat turn = fr_quat_from_rotation(fr_vec3(0.2, 0.9, -0.5));
    FrProxyDef def = body_of(&s, half, turn);
    FrAsset *asset;
    CHECK_OK(ctx, fr_proxy_create(ctx, &def, &asset, NULL));
    uint32_t seed = 3;
    for (int round = 0; round < 40; round++) {
        FrVec3 push = fr_vec3(draw(&seed) - 0.5, draw(&seed) - 0.5, draw(&seed) - 0.5);
        FrSpot spot = fr_asset_struck(asset, fr_vec3(9, 9, 9), push);
        FrVec3 p = fr_quat_rotate(fr_quat_conj(asset->proxy.turn),
                                  fr_sub(fr_asset_spot(asset, &spot), def.centre));
        FrVec3 n = fr_vec3(p.x / (half[0] * half[0]), p.y / (half[1] * half[1]),
                           p.z / (half[2] * half[2]));
        n = fr_quat_rotate(asset->proxy.turn, fr_normalize(n)); // of the smooth surface
        CHECK(-fr_dot(n, fr_normalize(push)) > cos(0.2));       // facets of a coarse one
    }
    fr_asset_destroy(asset);
    free_shelf(&s);
    fr_context_destroy(ctx);
}

// as loud as its mass says: twice the mass with the same lowest tone moves half as much (E64); and
// a jolt takes the air along of its own ellipsoid, whatever rings
TEST(loudness_goes_by_mass) {
    FrContext *ctx = make_modal_context(1);
    FrBankShape shape = shape_of(0.1, 0.5, 1);
    Shelf s = make_shelf(ctx, &shape, 1);
    double half[3];
    for (int k = 0; k < 3; k++) half[k] = 0.03 * shape.half[k];
    FrProxyDef def = body_of(&s, half, (FrQuat){1, 0, 0, 0});
    def.lowest_hz = 6000.0;
    FrAsset *light, *heavy;
    CHECK_OK(ctx, fr_proxy_create(ctx, &def, &light, NULL));
    def.mass *= 2.0;
    def.inertia = inertia_of(def.mass, half, (FrQuat){1, 0, 0, 0});
    CHECK_OK(ctx, fr_proxy_create(ctx, &def, &heavy, NULL));
    FrSpot spot = fr_asset_struck(light, fr_vec3_zero, fr_vec3(-1, 0, 0));
    double a = fr_asset_weight(light, &spot, 0, fr_vec3(1, 0, 0)),
           b = fr_asset_weight(heavy, &spot, 0, fr_vec3(1, 0, 0));
    CHECK_CLOSE(b * b / (a * a), 0.5, 1e-5); // floats
    FrClick click = fr_click_of(light);
    double added[3], volume = def.mass / 2.0 / s.bank->info.density, mean = 0.0;
    fr_added_mass(half, added);
    for (int k = 0; k < 3; k++) mean += volume * (1.0 + added[k]) / 3.0;
    CHECK_CLOSE(click.radius, cbrt(mean / (2.0 * M_PI)), 1e-6); // rounding of moments
    fr_asset_destroy(light);
    fr_asset_destroy(heavy);
    free_shelf(&s);
    fr_context_destroy(ctx);
}

TEST(samples_are_always_the_same_and_lie_within) {
    FrContext *ctx = make_modal_context(1);
    FrBankPlan plan = plan_of(ctx);
    FrBankShape *shape;
    int32_t count;
    plan.most_samples = 12;
    CHECK_OK(ctx, fr_bank_shapes(ctx, &plan, &shape, &count));
    CHECK_INT(count, 12);
    for (int32_t k = 0; k < count; k++) {
        const double *h = shape[k].half;
        CHECK(h[0] <= h[1] + 1e-12 && h[1] <= h[2] + 1e-12);             // rounding
        CHECK_NEAR(h[0] * h[0] + h[1] * h[1] + h[2] * h[2], 1.0, 1e-12); // rounding
        CHECK(h[0] / h[2] > 0.03 - 1e-12);
        for (int32_t i = 0; i < k; i++) CHECK(memcmp(&shape[i], &shape[k], sizeof *shape) != 0);
    }
    fr_free(ctx, shape);
    fr_context_destroy(ctx);
}

// every byte changed, every length cut: a bank or a message with the byte, nothing else
TEST(bytes_are_not_believed) {
    FrContext *ctx = make_modal_context(1);
    FrBankShape shape[2] = {shape_of(0.2, 0.6, 1), shape_of(1, 1, 1)};
    Shelf s = make_shelf(ctx, shape, 2);
    FrSoundbank *bank;
    uint32_t seed = 1;
    int refused = 0;
    for (size_t size = 0; size < s.w.size; size += 1 + size / 16) {
        CHECK(fr_soundbank_load(ctx, s.w.data, size, &bank) == FR_BAD_INPUT);
        CHECK_HAS(fr_context_message(ctx), "byte ");
    }
    for (int round = 0; round < 2000; round++) {
        size_t at =
            round < 400 ? (size_t)round % s.w.size : (size_t)(draw(&seed) * (double)s.w.size);
        uint8_t was = s.w.data[at];
        s.w.data[at] = (uint8_t)(256 * draw(&seed));
        if (fr_soundbank_load(ctx, s.w.data, s.w.size, &bank) != FR_OK) {
            CHECK_HAS(fr_context_message(ctx), "byte ");
            refused++;
        }
        fr_soundbank_destroy(bank);
        s.w.data[at] = was;
    }
    CHECK(refused > 100);
    free_shelf(&s);
    fr_context_destroy(ctx);
}

// no body, no bank: messages
TEST(what_is_no_body_is_refused) {
    FrContext *ctx = make_modal_context(1);
    FrBankShape shape = shape_of(1, 1, 1);
    Shelf s = make_shelf(ctx, &shape, 1);
    FrProxyDef def = fr_proxy_def_default();
    FrAsset *asset;
    def.bank = s.bank;
    CHECK(fr_proxy_create(ctx, &def, &asset, NULL) == FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "is no body");
    def.inertia = (FrSym3){1, 1, 1, 0, 0, 0};
    def.mass = (double)NAN;
    CHECK(fr_proxy_create(ctx, &def, &asset, NULL) == FR_BAD_INPUT);
    def.mass = 1.0;
    def.lowest_hz = -1.0;
    CHECK(fr_proxy_create(ctx, &def, &asset, NULL) == FR_BAD_USE);
    free_shelf(&s);
    fr_context_destroy(ctx);
}

// the lowest tone from polynomials against 10-node tets
TEST(polynomials_find_the_lowest_tone) {
    FrContext *ctx = make_modal_context(1);
    const double size[][3] = {{0.06, 0.04, 0.006}, {0.1, 0.012, 0.008}, {0.03, 0.02, 0.015}};
    const int cells[][3] = {{9, 6, 2}, {12, 2, 2}, {6, 4, 3}};
    FrMaterial glass;
    CHECK(fr_material_find("glass", &glass));
    for (int k = 0; k < 3; k++) {
        FrTetMesh mesh = kit_box(ctx, fr_vec3(size[k][0], size[k][1], size[k][2]), cells[k][0],
                                 cells[k][1], cells[k][2], 2);
        FrModalDef def = {.mesh = &mesh, .material = &glass, .material_count = 1, .count = 1};
        FrModes modes;
        double hz, slack;
        CHECK_OK(ctx, fr_modes_compute(ctx, &def, &modes, NULL));
        CHECK_OK(ctx, fr_body_pitch(ctx, &mesh, &glass, &hz, &slack));
        // what a proxy's tone is asked to be
        CHECK_CLOSE(hz, sqrt(modes.lambda[0]) / (2 * M_PI), 0.02); // promise: of a proxy's tone
        CHECK_NEAR(slack, 0.0, 0.03); // promise: polynomials are enough
        fr_modes_free(ctx, &modes);
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}
