// air_modes.c: modes of bodies in the air: other sizes, files, blows heard, energy lost.

#include "air/coarse.h"
#include "air_kit.h"
#include "sound/mix.h"
#include "sound_kit.h"

/// A bar of these sizes, its modes up to 20 kHz with their radiation.
static FrAsset *radiating_bar(FrContext *ctx, double length, double width, double height) {
    Beam beam = make_beam(ctx, "steel", length, width, height);
    FrAsset *asset = NULL;
    FrAssetOptions options = {.most_modes = 4};
    FrRadiateReport report;
    CHECK_OK(ctx, fr_asset_make(ctx, &beam.mesh, &beam.modes, &beam.material, &options, &asset));
    CHECK_OK(ctx, fr_asset_radiate(asset, &beam.mesh, &beam.modes, &report));
    CHECK_INT(report.tired, 0);
    free_beam(ctx, &beam);
    return asset;
}

// p(g x) = g^-5/2 p(x): what S7 prints no equation for (E51)                           [S7 eq. 9]
TEST(another_size_is_another_radiation) {
    FrContext *ctx = make_context(2);
    double g = 1.8;
    FrAsset *small = radiating_bar(ctx, 0.10, 0.02, 0.004),
            *large = radiating_bar(ctx, g * 0.10, g * 0.02, g * 0.004);
    float before[8], after[8], anew[8];
    FrVec3 at = {0.2, -0.3, 0.5};
    int32_t count = small->info.mode_count;
    CHECK_INT(large->info.mode_count, count);
    fr_radiation_gains(fr_asset_radiation(small), at, FR_RADIATION_FULL, before);
    CHECK_OK(ctx, fr_asset_rescale(small, g, 1, 1));
    fr_radiation_gains(fr_asset_radiation(small), fr_scale(g, at), FR_RADIATION_FULL, after);
    fr_radiation_gains(fr_asset_radiation(large), fr_scale(g, at), FR_RADIATION_FULL, anew);
    for (int32_t i = 0; i < count; i++) {
        // rounding, of float32
        CHECK_CLOSE((double)after[i], pow(g, -2.5) * (double)before[i], 1e-5);
        CHECK_CLOSE(small->lambda[i], large->lambda[i], 1e-9); // rounding
        // mesh: both are remeshed
        CHECK_CLOSE((double)after[i], (double)anew[i], 0.02);
    }
    // another stiffness is another pitch at the same size: nothing is known of that
    CHECK_OK(ctx, fr_asset_rescale(large, 1, 2, 1));
    CHECK(!fr_asset_radiation(large));
    fr_asset_destroy(small);
    fr_asset_destroy(large);
    fr_context_destroy(ctx);
}

// any number of workers, and a file between: the same bits
TEST(files_keep_it) {
    uint8_t *bytes[2];
    size_t size[2];
    for (int way = 0; way < 2; way++) {
        FrContext *ctx = make_context(way ? 3 : 1);
        FrAsset *asset = radiating_bar(ctx, 0.12, 0.03, 0.01), *read;
        CHECK_OK(ctx, fr_asset_save(asset, NULL, &bytes[way], &size[way]));
        CHECK_OK(ctx, fr_asset_load(ctx, bytes[way], size[way], &read));
        float a[8], b[8];
        for (int k = 0; k < 5; k++) {
            FrVec3 at = {0.3 * k - 0.5, 0.2, 0.4};
            fr_radiation_gains(fr_asset_radiation(asset), at, FR_RADIATION_FULL, a);
            fr_radiation_gains(fr_asset_radiation(read), at, FR_RADIATION_FULL, b);
            CHECK(!memcmp(a, b, (size_t)asset->info.mode_count * sizeof *a));
        }
        fr_asset_destroy(read);
        // every prefix is refused, as is what follows the end
        for (size_t cut = size[way] - 4000; cut < size[way]; cut += 7)
            CHECK_INT(fr_asset_load(ctx, bytes[way], cut, &read), FR_BAD_INPUT);
        if (way == 1) {
            CHECK_INT(size[0], size[1]);
            CHECK(!memcmp(bytes[0], bytes[1], size[0]));
            free(bytes[0]);
        }
        uint8_t *own = malloc(size[way]);
        memcpy(own, bytes[way], size[way]);
        fr_free(ctx, bytes[way]);
        bytes[way] = own;
        fr_asset_destroy(asset);
        fr_context_destroy(ctx);
    }
    free(bytes[1]);
}

/// A bar that was kicked, heard without click and damping.
static FrRinger *kicked(FrContext *ctx, FrAsset *asset, double rate, FrVec3 ear) {
    FrRingerDef def = {
        .asset = asset, .rate = rate, .gain = 1, .most_blows = 1, .air = FR_AIR_FULL};
    FrRinger *ringer;
    fr_asset_set_damping(asset, 0, 0, 0);
    CHECK_OK(ctx, fr_ringer_create(ctx, &def, &ringer));
    CHECK(fr_ringer_radiates(ringer));
    FrRingerEars ears = {.at = {ear, ear}, .distance = fr_distance(ear, asset->info.centre)};
    fr_ringer_listen(ringer, &ears);
    FrBlow blow = {
        .duration = 1e-3, .spot = fr_asset_nearest(asset, asset->place[0]), .push = {0, 0, 0.01}};
    fr_ringer_add(ringer, &blow);
    return ringer;
}

static FrAsset *one_mode(FrContext *ctx) {
    FrAsset *asset = radiating_bar(ctx, 0.12, 0.03, 0.01);
    FrAssetOptions one = {.most_modes = 1};
    CHECK_OK(ctx, fr_asset_keep(asset, &one));
    CHECK_INT(fr_radiation_mode_count(asset->radiation), 1);
    return asset;
}

// |p| q, q the displacement of the mode                                                [S7 eq. 8]
TEST(modes_are_as_loud_as_they_radiate) {
    FrContext *ctx = make_context(2);
    FrAsset *asset = one_mode(ctx);
    FrVec3 ear = {0.4, -0.2, 0.7};
    FrRinger *ringer = kicked(ctx, asset, 192000, ear);
    double out[4800], most = 0;
    fr_ringer_pull(ringer, out, 4800);
    for (int n = 0; n < 4800; n++) most = fmax(most, fabs(out[n]));
    float gain;
    fr_radiation_gains(asset->radiation, ear, FR_RADIATION_FULL, &gain);
    FrSpot spot = fr_asset_nearest(asset, asset->place[0]);
    double q = fabs(fr_asset_weight(asset, &spot, 0, fr_vec3(0, 0, 0.01))) / sqrt(asset->lambda[0]);
    double wanted = (double)gain * q * fr_distance(ear, asset->info.centre);
    CHECK_CLOSE(most, wanted, 0.01); // raster: samples beside the crest, and what is lost by then
    fr_ringer_destroy(ringer);
    fr_asset_destroy(asset);
    fr_context_destroy(ctx);
}

// Of the energy w^2/2 at a displacement of 1 the air takes P a second: all of it is sent out
TEST(what_goes_out_is_lost) {
    FrContext *ctx = make_context(2);
    FrAsset *asset = one_mode(ctx);
    double rate = 96000, block[4800], level[2] = {0};
    FrRinger *ringer = kicked(ctx, asset, rate, fr_vec3(0.4, -0.2, 0.7));
    for (int k = 0; k < 60; k++) {
        double sum = 0;
        fr_ringer_pull(ringer, block, 4800);
        for (int n = 0; n < 4800; n++) sum += block[n] * block[n];
        if (k == 2) level[0] = sum;
        if (k == 52) level[1] = sum;
    }
    double seconds = 50 * 4800 / rate, decay = log(level[0] / level[1]) / seconds;
    double wanted = fr_radiation_power(asset->radiation, 0) / (0.5 * asset->lambda[0]);
    CHECK_CLOSE(decay, wanted, 0.02); // raster: blocks do not end with whole waves
    CHECK(wanted > 0.01);
    fr_ringer_destroy(ringer);
    fr_asset_destroy(asset);
    fr_context_destroy(ctx);
}

// the same body all around, in real time
TEST(banks_hear_where_the_listener_is) {
    Refuser refuser = {0};
    FrContext *ctx = make_refusing_context(&refuser);
    FrAsset *asset = one_mode(ctx);
    fr_asset_set_damping(asset, 0, 0, 0);
    FrBankDef def = fr_bank_def_default();
    def.asset = asset;
    def.air = FR_AIR_FULL;
    def.click = false;
    FrBank *bank;
    CHECK_OK(ctx, fr_bank_create(ctx, &def, &bank));
    fr_bank_strike(bank, asset->place[0], fr_vec3(0, 0, 0.01), 1e-4);
    int calls = refuser.calls;
    FrVec3 ear[] = {{0.06, -0.5, 0.5}, {0.06, 0.015, 0.7}, {0.06, 0.2, 0.1}, {0.06, 0.015, 1.4}};
    double level[4], lost = fr_radiation_power(fr_asset_radiation(asset), 0) / asset->lambda[0];
    for (int k = 0; k < 4; k++) {
        static float block[2400];
        double sum = 0;
        fr_bank_listen(bank, ear[k]);
        fr_bank_pull(bank, block, 2400);
        fr_bank_pull(bank, block, 2400);
        for (int n = 0; n < 2400; n++) sum += (double)block[n] * (double)block[n];
        float gain;
        fr_radiation_gains(fr_asset_radiation(asset), ear[k], FR_RADIATION_FULL, &gain);
        level[k] = sqrt(sum) / (double)gain * exp(0.1 * k * lost);
    }
    CHECK_INT(refuser.calls, calls); // nothing is allocated
    // raster: blocks do not end with whole waves
    for (int k = 1; k < 4; k++) CHECK_CLOSE(level[k], level[0], 0.02);
    fr_bank_destroy(bank);
    fr_asset_destroy(asset);
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
}

/// Root mean square at a listener without a head of a body that lies at a place, turned.
static double heard(FrContext *ctx, const FrAsset *asset, FrVec3 place, FrQuat turn, FrVec3 ear) {
    static float out[2 * 9600];
    FrHit hit = {.t = 0.01,
                 .duration = 1e-4,
                 .spot = fr_asset_nearest(asset, asset->place[0]),
                 .push = {0, 0, 0.01}};
    FrSoundBody body = {
        .asset = asset,
        .hit = &hit,
        .hit_count = 1,
        .path = {.place = &place, .turn = &turn, .count = 1, .hz = 1, .nearest = 0.1},
        .held = true,
        .died = HUGE_VAL,
        .rests = HUGE_VAL};
    FrMixDef def = {.rate = 48000,
                    .frames = 9600,
                    .gain = 1,
                    .listener = {.at = ear, .right = {1, 0, 0}, .mono = true},
                    .air = FR_AIR_FULL};
    double sum = 0;
    CHECK_OK(ctx, fr_mix(ctx, &def, &body, 1, (FrStemSink){0}, out));
    for (int n = 0; n < 2 * 9600; n++) sum += (double)out[n] * (double)out[n];
    return sqrt(sum);
}

// in a mix the ear is where the body sees it, turned as it is
TEST(turned_bodies_are_heard_from_another_side) {
    FrContext *ctx = make_context(1);
    FrAsset *asset = one_mode(ctx);
    fr_asset_set_damping(asset, 0, 0, 0);
    FrVec3 place = {0.3, 0.1, 0.2}, ear = {0.5, -0.9, 1.1};
    double level[4], wanted[4];
    for (int k = 0; k < 4; k++) {
        FrQuat turn = fr_quat_from_rotation(fr_vec3(0.9 * k, -0.5 * k, 0.2 * k));
        FrVec3 own = fr_quat_rotate(fr_quat_conj(turn), fr_sub(ear, place));
        float gain;
        fr_radiation_gains(asset->radiation, fr_add(own, asset->info.centre), FR_RADIATION_FULL,
                           &gain);
        level[k] = heard(ctx, asset, place, turn, ear);
        wanted[k] = (double)gain;
    }
    for (int k = 1; k < 4; k++)
        CHECK_CLOSE(level[k] / level[0], wanted[k] / wanted[0], 1e-3); // rounding, of float32
    CHECK(fabs(wanted[1] / wanted[0] - 1) > 0.1);
    fr_asset_destroy(asset);
    fr_context_destroy(ctx);
}

// what a worker's own context made outlives it
TEST(another_context_takes_over) {
    FrContext *ctx = make_context(1), *own = make_context(1);
    FrAsset *asset = one_mode(own);
    fr_asset_adopt(asset, ctx);
    fr_context_destroy(own);
    CHECK_OK(ctx, fr_asset_rescale(asset, 2, 1, 1));
    CHECK(fr_asset_radiation(asset));
    fr_asset_destroy(asset);
    fr_context_destroy(ctx);
}

/// S7 takes edges of 5 mm for a sixth of a wave at 20 kHz, which is 2.9 mm (E45).
TEST(edges_of_five_millimetres_reach_eleven_kilohertz) {
    CHECK_CLOSE(FR_SOUND_SPEED / 20000 / 6, 2.86e-3, 1e-3); // digits
    CHECK_CLOSE(FR_SOUND_SPEED / 5e-3 / 6, 11.4e3, 5e-3);   // digits
}

// fewer triangles: closed, of the same volume, and each moves as much air as its part did
TEST(coarse_surfaces) {
    FrContext *ctx = make_context(1);
    Shell shell = ball_shell(16);
    stretch_shell(&shell, fr_vec3(1, 1, 0.1));
    FrFine fine = {shell.point_count, shell.tri_count, shell.point, (const int32_t(*)[3])shell.tri};
    FrPanels whole = panels_of(ctx, &shell);
    double area = 0, moved = 0;
    for (int32_t t = 0; t < whole.count; t++) {
        area += whole.area[t];
        moved += whole.area[t] * fabs(whole.normal[3 * t + 2]);
    }
    for (double edge = 0.15; edge < 0.4; edge += 0.1) {
        FrCoarse coarse;
        FrShare *share;
        int32_t count;
        CHECK_OK(ctx, fr_coarse_make(ctx, &fine, edge, 0.01, &coarse));
        CHECK(coarse.tri_count < shell.tri_count / 3);
        CHECK_INT(2 * coarse.point_count - coarse.tri_count, 4); // Euler: one closed sheet
        Shell left = {coarse.point_count, coarse.tri_count, coarse.point, coarse.tri};
        FrPanels panels = panels_of(ctx, &left);
        CHECK_CLOSE(panels_volume(&panels), panels_volume(&whole), 0.1);          // mesh
        CHECK_CLOSE(fr_panels_around(&panels, fr_vec3(0.1, 0.2, 0.01)), 1, 1e-9); // rounding
        CHECK_OK(ctx, fr_coarse_share(ctx, &fine, &coarse, edge, &share, &count));
        double shared = 0, up = 0, right_side = 0;
        for (int32_t k = 0; k < count; k++) {
            double n = whole.normal[3 * share[k].fine + 2];
            shared += share[k].area;
            up += share[k].area * fabs(n);
            if (n * panels.normal[3 * share[k].coarse + 2] > 0) right_side += share[k].area;
        }
        CHECK_CLOSE(shared, area, 1e-9); // rounding
        CHECK_CLOSE(up, moved, 1e-9);    // rounding
        CHECK(right_side > 0.97 * area);
        fr_free(ctx, share);
        fr_panels_free(ctx, &panels);
        fr_coarse_free(ctx, &coarse);
    }
    fr_panels_free(ctx, &whole);
    free_shell(&shell);
    fr_context_destroy(ctx);
}
