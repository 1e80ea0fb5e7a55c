// sound_asset.c: cooked bodies: what is in them, what survives a file, what does not.

#include "sound_kit.h"
#include "base/hash.h"
#include "base/random.h"
#include "sound/heard.h"
#include "modal/oscillator.h"
#include "sound/strike.h"

static FrContext *ctx;
__attribute__((constructor)) static void start(void) { ctx = make_context(1); }

// A bar that bends moves its top and its bottom, not its sides: a = omega sqrt(2 L B/A / m). The
// literal signed sum is the same up as down: silence (E43).
TEST(coupling_of_a_bar) {
    Beam beam = make_beam(ctx, "steel", 0.3, 0.04, 0.01);
    FrAsset *asset;
    CHECK_OK(ctx, fr_asset_make(ctx, &beam.mesh, &beam.modes, &beam.material, NULL, &asset));
    FrAssetInfo info = fr_asset_info(asset);
    double mass = beam.material.density * 0.3 * 0.04 * 0.01;
    double area = 2 * (0.3 * 0.04 + 0.3 * 0.01 + 0.04 * 0.01);
    CHECK_CLOSE(info.mass, mass, 1e-12); // rounding: sums of 2304 tets
    // rounding: sums of as many parts
    CHECK_CLOSE(info.area, area, 1e-12);
    CHECK_CLOSE(info.volume, 0.3 * 0.04 * 0.01, 1e-12);
    CHECK_NEAR(fr_distance(info.centre, fr_vec3(0.15, 0.02, 0.005)), 0, 1e-12);
    CHECK_INT(info.mode_count, BEAM_MODES); // 590 Hz to 19 kHz
    for (int i = 0; i < info.mode_count; i++) {
        double rms = asset->coupling[i] / sqrt(asset->lambda[i]);
        // mesh: straight lines between 48 points instead of the curve: (b h)^2/12 of the mean
        // square
        CHECK_CLOSE(rms, sqrt(2 * 0.3 * 0.04 / area / mass), 0.04);
    }
    // those first of which most is heard: each is a part of one whole
    double share[BEAM_MODES], parts = 0;
    FrHeardMode mode[BEAM_MODES];
    for (int i = 0; i < BEAM_MODES; i++)
        mode[i] = (FrHeardMode){asset->lambda[i], fr_asset_damping(asset, i), asset->coupling[i]};
    fr_heard_shares(&info, mode, BEAM_MODES, share);
    for (int i = 0; i < BEAM_MODES; i++) {
        CHECK(share[i] > 0 && share[i] <= 1 && (i == 0 || share[i] <= share[i - 1]));
        parts += share[i];
    }
    CHECK(parts >= 1 && parts <= 8); // the largest of eight parts each
    fr_heard_shares(&info, mode + 3, 1, share);
    CHECK(share[0] == 1);
    double sum = 0, all = 0;
    for (int32_t t = 0; t < info.tri_count; t++) {
        FrSpot spot = {t, {1.0 / 3, 1.0 / 3, 1.0 / 3}, 0};
        double part = fr_asset_weight(asset, &spot, 0, fr_asset_normal(asset, t));
        sum += part;
        all += fabs(part);
    }
    CHECK_NEAR(sum / all, 0, 1e-6); // rounding: float32 shapes
    fr_asset_destroy(asset);
    free_beam(ctx, &beam);
}

// hitting here and listening there is the same as the other way round, mode by mode
TEST(reciprocity) {
    FrAsset *asset = bar_of(ctx, "bronze");
    FrSpot a = fr_asset_nearest(asset, fr_vec3(0.02, 0.01, 0.01)),
           b = fr_asset_nearest(asset, fr_vec3(0.21, 0.03, 0.00));
    FrVec3 na = fr_vec3(0, 0.6, 0.8), nb = fr_vec3(0.6, 0, -0.8);
    double there = 0, back = 0;
    for (int i = 0; i < asset->info.mode_count; i++) {
        FrModeStep s = fr_mode_step(asset->lambda[i], fr_asset_damping(asset, i), 1e-3);
        there += fr_asset_weight(asset, &b, i, nb) * (s.zv * fr_asset_weight(asset, &a, i, na));
        back += fr_asset_weight(asset, &a, i, na) * (s.zv * fr_asset_weight(asset, &b, i, nb));
    }
    CHECK_CLOSE(there, back, 1e-14); // rounding: other order of factors
    fr_asset_destroy(asset);
}

// weights between points are straight lines, and the nearest point of a box is known
TEST(nearest_points) {
    FrAsset *asset = bar_of(ctx, "steel");
    FrRandom random = fr_random_for(3, "points", 0);
    for (int k = 0; k < 200; k++) {
        double x = fr_random_range(&random, -0.1, 0.4), y = fr_random_range(&random, -0.1, 0.1),
               z = fr_random_range(&random, 0.011, 0.1);
        FrSpot spot = fr_asset_nearest(asset, fr_vec3(x, y, z));
        FrVec3 want = fr_vec3(fr_clamp(x, 0, 0.3), fr_clamp(y, 0, 0.04), 0.01);
        // rounding: float32 points
        CHECK_NEAR(fr_distance(fr_asset_spot(asset, &spot), want), 0, 2e-8);
        // rounding: float32 points
        CHECK_NEAR(spot.away, fr_distance(want, fr_vec3(x, y, z)), 2e-8);
        CHECK_NEAR(spot.b[0] + spot.b[1] + spot.b[2], 1, 1e-15); // rounding
        CHECK(spot.b[0] > -1e-12 && spot.b[1] > -1e-12 && spot.b[2] > -1e-12);
    }
    fr_asset_destroy(asset);
}

// the same bar made anew at another size, stiffness and density (E38)     [S4 3.3]
TEST(rescale_rules) {
    Beam small = make_beam(ctx, "glass", 0.1, 0.02, 0.005),
         large = make_beam(ctx, "glass", 0.25, 0.05, 0.0125);
    double s = 1.7, rho = 2.3, g = 2.5;
    large.material.density *= rho;
    large.material.lambda *= s;
    large.material.mu *= s;
    for (int k = 0; k < BEAM_MODES; k++) large.modes.lambda[k] *= s / rho;
    for (size_t k = 0; k < 3 * (size_t)BEAM_MODES * large.mesh.node_count; k++)
        large.modes.shape[k] /= sqrt(rho);
    FrAsset *a, *b;
    CHECK_OK(ctx, fr_asset_make(ctx, &small.mesh, &small.modes, &small.material,
                                &(FrAssetOptions){.highest = 1e6}, &a));
    CHECK_OK(ctx, fr_asset_make(ctx, &large.mesh, &large.modes, &large.material,
                                &(FrAssetOptions){.highest = 1e6}, &b));
    CHECK_OK(ctx, fr_asset_rescale(a, g, s, rho));
    CHECK_INT(a->info.mode_count, b->info.mode_count);
    for (int i = 0; i < b->info.mode_count; i++) {
        // rounding: products of three powers, and a mesh made anew at another size
        CHECK_CLOSE(a->lambda[i], b->lambda[i], 1e-12);
        CHECK_CLOSE(a->coupling[i], b->coupling[i], 1e-12);
    }
    // rounding: products of three powers
    CHECK_CLOSE(a->info.mass, b->info.mass, 1e-12);
    CHECK_CLOSE(a->info.young, b->info.young, 1e-12);
    for (int k = 0; k < 3 * b->info.vertex_count * b->info.mode_count; k++)
        // rounding: float32 of size up to 10
        CHECK_NEAR((double)a->shape[k], (double)b->shape[k], 1e-5);
    CHECK_INT(fr_asset_rescale(a, 0, 1, 1), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "above 0");
    fr_asset_destroy(a);
    fr_asset_destroy(b);
    free_beam(ctx, &small);
    free_beam(ctx, &large);
}

TEST(file_round_trip) {
    FrAsset *asset = bar_of(ctx, "oak"), *again;
    uint8_t *bytes, *twice;
    size_t size, size2;
    CHECK_OK(ctx, fr_asset_save(asset, NULL, &bytes, &size));
    CHECK_OK(ctx, fr_asset_load(ctx, bytes, size, &again));
    CHECK_OK(ctx, fr_asset_save(again, NULL, &twice, &size2));
    CHECK(size == size2 && memcmp(bytes, twice, size) == 0);
    CHECK_TEXT(fr_asset_info(again).name, "oak");
    // rounding: to 16 bits, half a step of 1/32767 of a mode's largest component
    int32_t modes = asset->info.mode_count, values = 3 * asset->info.vertex_count;
    for (int32_t i = 0; i < modes; i++) {
        double most = 0, off = 0;
        for (int32_t k = 0; k < values; k++) {
            size_t at = ((size_t)(k / 3) * (size_t)modes + (size_t)i) * 3 + (size_t)(k % 3);
            most = fmax(most, fabs((double)asset->shape[at]));
            off = fmax(off, fabs((double)asset->shape[at] - (double)again->shape[at]));
        }
        CHECK(off <= most * (0.5 / 32767 + 1e-7));
    }
    fr_free(ctx, bytes);
    fr_free(ctx, twice);
    fr_asset_destroy(asset);
    fr_asset_destroy(again);
}

static void fix_hash(uint8_t *bytes, size_t size) {
    if (size <= 32) return;
    uint64_t hash = fr_hash_of(bytes + 32, size - 32, 0);
    for (int k = 0; k < 8; k++) bytes[24 + k] = (uint8_t)(hash >> (8 * k));
}

// a bar is hit in the middle of its upper face, whether by its top or above its centre of mass
TEST(places_of_a_bar) {
    Beam beam = make_beam(ctx, "steel", 0.3, 0.03, 0.006);
    FrAsset *asset;
    FrVec3 middle = fr_vec3(0.15, 0.015, 0.006);
    CHECK_OK(ctx, fr_asset_make(ctx, &beam.mesh, &beam.modes, &beam.material, NULL, &asset));
    for (int place = FR_STRIKE_TOP; place <= FR_STRIKE_CENTRE; place++) {
        FrSpot spot = fr_strike_spot(asset, (FrStrikePlace)place, fr_vec3_zero);
        // rounding: points are float32
        CHECK_NEAR(fr_distance(fr_asset_spot(asset, &spot), middle), 0, 1e-7);
        CHECK_NEAR(fr_asset_normal(asset, spot.tri).z, 1, 1e-6); // rounding: of float32 points
    }
    FrSpot rim = fr_strike_spot(asset, FR_STRIKE_RIM, fr_vec3_zero);
    CHECK(fabs(fr_asset_spot(asset, &rim).x - 0.15) > 0.149); // an end
    fr_asset_destroy(asset);
    free_beam(ctx, &beam);
}

// a square frame of bars, upright sides: 0.3 m across, a hole of 0.1 m, 0.06 m high
static FrAsset *frame_of_bars(void) {
    FrTetMesh whole = {0}, mesh;
    FrMaterial material;
    FrModes none = {0};
    FrAsset *asset;
    FrBox box = {{-0.15, -0.15, 0}, {0.15, 0.15, 0.06}};
    CHECK(fr_material_find("steel", &material));
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (const int32_t[3]){6, 6, 2}, &whole));
    mesh = whole;
    mesh.tet_count = 0;
    for (int32_t e = 0; e < whole.tet_count; e++) {
        FrVec3 sum = fr_vec3_zero;
        for (int k = 0; k < 4; k++) sum = fr_axpy(0.25, fr_get3(whole.x, whole.tet[e][k]), sum);
        if (fmax(fabs(sum.x), fabs(sum.y)) > 0.05)
            memmove(whole.tet[mesh.tet_count++], whole.tet[e], sizeof whole.tet[e]);
    }
    none.node_count = mesh.node_count;
    CHECK_OK(ctx, fr_asset_make(ctx, &mesh, &none, &material, NULL, &asset));
    fr_tetmesh_free(ctx, &whole);
    return asset;
}

// where nothing is above the middle, the nearest of what is: on the upper face, at the hole
TEST(places_around_a_hole) {
    FrAsset *asset = frame_of_bars();
    FrSpot top = fr_strike_spot(asset, FR_STRIKE_TOP, fr_vec3_zero);
    FrSpot centre = fr_strike_spot(asset, FR_STRIKE_CENTRE, fr_vec3_zero);
    FrVec3 at = fr_asset_spot(asset, &top), inside = fr_asset_spot(asset, &centre);
    // rounding: points are float32
    CHECK_NEAR(at.z, 0.06, 1e-7);
    CHECK_NEAR(fr_asset_normal(asset, top.tri).z, 1, 1e-6);
    CHECK(fmax(fabs(at.x), fabs(at.y)) > 0.05 && fmax(fabs(at.x), fabs(at.y)) < 0.1);
    CHECK_NEAR(fmax(fabs(inside.x), fabs(inside.y)), 0.05, 1e-7); // its wall
    CHECK(inside.z > 0.03);                                       // the upper half of it
    fr_asset_destroy(asset);
}

// files from before have 32-bit numbers: they are read to the bit
TEST(files_of_version_1) {
    FrAsset *asset = bar_of(ctx, "oak"), *again;
    uint8_t *bytes;
    size_t size, modes = (size_t)asset->info.mode_count, points = (size_t)asset->info.vertex_count;
    CHECK_OK(ctx, fr_asset_save(asset, NULL, &bytes, &size));
    size_t numbers = 72 + 8 * 18, places = 8 * 9; // places came with version 2
    size_t head = numbers + 16 * modes + 12 * points + 12 * (size_t)asset->info.tri_count;
    size_t old_size = head + 12 * points * modes, at = head;
    uint8_t *old = malloc(old_size);
    memcpy(old, bytes, numbers);
    memcpy(old + numbers, bytes + numbers + places, head - numbers);
    old[8] = 1;
    for (size_t i = 0; i < modes; i++)
        for (size_t v = 0; v < points; v++, at += 12)
            memcpy(old + at, asset->shape + 3 * (v * modes + i), 12); // little-endian, as tests are
    fix_hash(old, old_size);
    CHECK_OK(ctx, fr_asset_load(ctx, old, old_size, &again));
    CHECK(memcmp(asset->shape, again->shape, 12 * points * modes) == 0);
    // rounding: float32 points
    for (int k = 0; k < 3; k++) CHECK(fr_distance(asset->place[k], again->place[k]) < 1e-7);
    free(old);
    fr_free(ctx, bytes);
    fr_asset_destroy(asset);
    fr_asset_destroy(again);
}

// any bytes end in a result or a message, and in no memory out of proportion
TEST(malformed_files) {
    Beam beam = make_beam(ctx, "oak", 0.1, 0.05, 0.05);
    FrAsset *asset, *again;
    uint8_t *bytes;
    size_t size;
    CHECK_OK(ctx, fr_asset_make(ctx, &beam.mesh, &beam.modes, &beam.material,
                                &(FrAssetOptions){.most_modes = 1, .highest = 1e6}, &asset));
    CHECK_OK(ctx, fr_asset_save(asset, NULL, &bytes, &size));
    Refuser refuser = {.refuse_at = 0};
    FrContext *own = make_refusing_context(&refuser);
    int live = refuser.live, accepted = 0;
    uint8_t *bad = malloc(size);
    FrRandom random = fr_random_for(5, "bytes", 0);
    for (int k = 0; k < 4000; k++) {
        memcpy(bad, bytes, size);
        size_t cut = size;
        if (k % 4 == 0) cut = (size_t)fr_random_below(&random, (int32_t)size);
        int flips = 1 + fr_random_below(&random, 4);
        for (int f = 0; f < flips; f++) {
            // the head and the tables are looked at most
            int32_t span = f % 2 ? (int32_t)size : 400;
            bad[fr_random_below(&random, span)] ^= (uint8_t)(1u << fr_random_below(&random, 8));
        }
        if (k % 2) fix_hash(bad, cut);
        FrResult result = fr_asset_load(own, bad, cut, &again);
        CHECK(result == FR_OK || result == FR_BAD_INPUT);
        CHECK((result == FR_OK) == (again != NULL));
        if (result != FR_OK) CHECK_HAS(fr_context_message(own), "modal asset, byte ");
        accepted += result == FR_OK;
        fr_asset_destroy(again);
        CHECK_INT(refuser.live, live);
    }
    CHECK(accepted > 50); // flips in low bits of numbers are harmless, with their hash put right
    CHECK(refuser.largest <= 2 * size + 1000);
    CHECK_INT(fr_asset_load(own, "", 0, &again), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(own), "FRACASRM");
    memcpy(bad, bytes, size);
    bad[8] = 9;
    CHECK_INT(fr_asset_load(own, bad, size, &again), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(own), "version 9");
    memcpy(bad, bytes, size);
    bad[size - 1] ^= 1;
    CHECK_INT(fr_asset_load(own, bad, size, &again), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(own), "hash");
    fr_context_destroy(own);
    free(bad);
    fr_free(ctx, bytes);
    fr_asset_destroy(asset);
    free_beam(ctx, &beam);
}

TEST(refused_memory) {
    Beam beam = make_beam(ctx, "oak", 0.1, 0.05, 0.05);
    bool done = false;
    for (int k = 1; k < 400 && !done; k++) {
        Refuser refuser = {.refuse_at = 0};
        FrContext *own = make_refusing_context(&refuser);
        int live = refuser.live;
        uint8_t *bytes = NULL;
        size_t size = 0;
        FrAsset *asset = NULL, *again = NULL, *copy = NULL;
        refuser.refuse_at = refuser.calls + k;
        FrResult result = fr_asset_make(own, &beam.mesh, &beam.modes, &beam.material,
                                        &(FrAssetOptions){.highest = 1e6}, &asset);
        if (result == FR_OK) result = fr_asset_save(asset, NULL, &bytes, &size);
        if (result == FR_OK) result = fr_asset_load(own, bytes, size, &again);
        if (result == FR_OK) result = fr_asset_copy(own, again, &copy);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        done = result == FR_OK;
        fr_asset_destroy(asset);
        fr_asset_destroy(again);
        fr_asset_destroy(copy);
        fr_free(own, bytes);
        CHECK_INT(refuser.live, live);
        fr_context_destroy(own);
    }
    CHECK(done);
    free_beam(ctx, &beam);
}

// A plate with 200 points instead of 450, some 25 mm apart: what a push gives to a mode is off by
// less than 15 % of its rms where a wave is 5 points long; shorter waves lose no more than 3 dB on
// the whole. Both sides of the plate stay, and no tone changes.
TEST(thinned_surfaces) {
    FrAsset *plate = beam_asset(ctx, "glass", 0.3, 0.2, 0.004), *thin;
    CHECK_OK(ctx, fr_asset_thin(ctx, plate, 200, &thin));
    FrAssetInfo a = fr_asset_info(plate), b = fr_asset_info(thin);
    CHECK(a.vertex_count > 400 && b.vertex_count <= 200 && b.vertex_count >= 100);
    CHECK(a.mode_count == b.mode_count && a.area == b.area && a.mass == b.mass);
    FrRandom random = fr_random_for(7, "thinned", 0);
    double error[BEAM_MODES] = {0}, full[BEAM_MODES] = {0}, less[BEAM_MODES] = {0};
    for (int k = 0; k < 400; k++) {
        FrVec3 p = fr_vec3(fr_random_range(&random, 0, 0.3), fr_random_range(&random, 0, 0.2),
                           k % 2 ? 0.004 : 0.0),
               n = fr_vec3(0, 0, k % 2 ? 1 : -1);
        FrSpot s = fr_asset_nearest(plate, p), t = fr_asset_nearest(thin, p);
        if (t.away < 1e-4) CHECK(fr_dot(fr_asset_normal(thin, t.tri), n) > 0.9); // its own side
        for (int i = 0; i < a.mode_count; i++) {
            double x = fr_asset_weight(plate, &s, i, n), y = fr_asset_weight(thin, &t, i, n);
            error[i] += (x - y) * (x - y);
            full[i] += x * x;
            less[i] += y * y;
        }
    }
    for (int i = 0; i < a.mode_count; i++) {
        CHECK(plate->lambda[i] == thin->lambda[i] && plate->coupling[i] == thin->coupling[i]);
        double wave = 2 * M_PI / pow(plate->lambda[i] * 12 * a.density / (a.young * 16e-6), 0.25);
        double off = sqrt(error[i] / full[i]), level = 10 * log10(less[i] / full[i]);
        if (wave > 0.125 ? off > 0.15 : fabs(level) > 3)
            TEST_FAIL("wave of %.3g m: off by %.3g, level %.2g dB", wave, off, level);
    }
    fr_asset_destroy(plate);
    fr_asset_destroy(thin);
}

TEST(bands_and_counts) {
    Beam beam = make_beam(ctx, "steel", 0.3, 0.04, 0.01);
    FrAsset *asset;
    CHECK_OK(ctx, fr_asset_make(ctx, &beam.mesh, &beam.modes, &beam.material,
                                &(FrAssetOptions){.lowest = 1000, .highest = 6000}, &asset));
    for (int i = 0; i < asset->info.mode_count; i++) {
        double hz, t60;
        fr_asset_mode(asset, i, &hz, &t60);
        CHECK(hz >= 1000 && hz <= 6000 && t60 > 0);
    }
    CHECK(asset->info.mode_count >= 2);
    fr_asset_destroy(asset);
    CHECK_OK(ctx, fr_asset_make(ctx, &beam.mesh, &beam.modes, &beam.material,
                                &(FrAssetOptions){.most_modes = 2}, &asset));
    CHECK_INT(asset->info.mode_count, 2);
    fr_asset_destroy(asset);
    beam.material.alpha2 = 1e7; // over-damped: no tone
    CHECK_OK(ctx, fr_asset_make(ctx, &beam.mesh, &beam.modes, &beam.material, NULL, &asset));
    CHECK_INT(asset->info.mode_count, 0);
    fr_asset_destroy(asset);
    free_beam(ctx, &beam);
}
