// modal_cooked.c: bodies that were cooked move as those whose modes are computed, to the same bits,
// in a context without any solver; any bytes end in one or in a message.

#include "modal_kit.h"
#include "rigid_kit.h"
#include "checkpoint.h"
#include "base/random.h"
#include "modal/motion.h"
#include "sound/asset.h"
#include "sound_kit.h"

static FrMaterial rubber(double young) {
    FrMaterial m = rigid_material(0.0, 0.5);
    fr_material_set_young(&m, young, 0.4);
    m.alpha1 = 1e-4;
    strcpy(m.name, "rubber");
    return m;
}

/// A block of two materials, and nodes that hold it at one side.
typedef struct Block {
    FrTetMesh mesh;
    FrMaterial material[2];
    int32_t held[64], held_count, region[256];
    FrPoint at[3];
    int32_t tri[1][3];
    FrEmbedded skin;
} Block;

static void make_block(FrContext *ctx, Block *b) {
    b->mesh = kit_box(ctx, fr_vec3(0.3, 0.2, 0.1), 4, 3, 2, 1);
    b->mesh.region = b->region;
    for (int32_t e = 0; e < b->mesh.tet_count; e++) b->mesh.region[e] = e % 5 == 0;
    b->material[0] = rubber(1e5);
    b->material[1] = rubber(1e6);
    b->material[1].density = 1500.0;
    b->held_count = 0;
    for (int32_t n = 0; n < b->mesh.node_count; n++)
        if (b->mesh.x[3 * n] < -0.149) b->held[b->held_count++] = n;
    for (int k = 0; k < 3; k++) b->at[k] = (FrPoint){7 * k, {0.1, 0.2, 0.3, 0.4}};
    b->tri[0][0] = 0, b->tri[0][1] = 1, b->tri[0][2] = 2;
    b->skin = (FrEmbedded){.point_count = 3, .tri_count = 1, .at = b->at, .tri = b->tri};
}

static FrBodyDef block_def(const Block *b, bool held) {
    FrBodyDef def = fr_body_def_default();
    def.name = "block";
    def.model = FR_MODEL_MODAL;
    def.mesh = &b->mesh;
    def.material = b->material;
    def.material_count = 2;
    def.embedded = &b->skin;
    def.modes = 14;
    if (held) def.held = b->held, def.held_count = b->held_count;
    return def;
}

// the file that `fracas bake --motion` writes; the bar that rings is another body, which no one
// minds
static uint8_t *baked(FrContext *ctx, const Block *block, bool held, size_t *size) {
    Beam beam = make_beam(ctx, "oak", 0.1, 0.05, 0.05);
    FrBodyDef def = block_def(block, held);
    FrMotion *motion;
    FrAsset *asset;
    uint8_t *bytes;
    CHECK_OK(ctx, fr_motion_make(ctx, &def, &motion));
    CHECK_OK(ctx, fr_asset_make(ctx, &beam.mesh, &beam.modes, &beam.material,
                                &(FrAssetOptions){.most_modes = 1, .highest = 1e6}, &asset));
    CHECK_OK(ctx, fr_asset_save(asset, motion, &bytes, size));
    fr_motion_destroy(motion);
    fr_asset_destroy(asset);
    free_beam(ctx, &beam);
    return bytes;
}

static FrWorld *fall(FrContext *ctx, FrBodyDef def, bool later) {
    FrMaterial m = rubber(1e6);
    FrWorldDef world_def = fr_world_def_default();
    FrWorld *world;
    CHECK_OK(ctx, fr_world_create(ctx, &world_def, &world));
    CHECK_OK(ctx, fr_world_add_plane(world, "ground", fr_vec3(0, 0, 1), 0.0, &m));
    if (later) CHECK_OK(ctx, world_step(world));
    for (int k = 0; k < 2; k++) {
        def.position = fr_vec3(0.02 * k, 0, 0.15 + 0.25 * k);
        def.rotation = fr_quat_from_rotation(fr_vec3(0.3, 0.2 * k, 0.1));
        put(ctx, world, &def);
    }
    return world;
}

static uint64_t after(FrContext *ctx, FrWorld *world, int steps) {
    for (int i = 0; i < steps; i++) CHECK_OK(ctx, world_step(world));
    return fr_world_hash(world);
}

// free and held, of two materials: what a file gives moves as what was computed
TEST(cooked_bodies_move_to_the_same_bits) {
    FrContext *ctx = make_modal_context(1), *bare = make_context(1);
    Block block;
    make_block(ctx, &block);
    for (int held = 0; held < 2; held++) {
        size_t size;
        uint8_t *bytes = baked(ctx, &block, held, &size);
        FrMotion *motion;
        FrAsset *asset;
        CHECK_OK(bare, fr_motion_load(bare, bytes, size, &motion));
        CHECK_OK(bare, fr_asset_load(bare, bytes, size, &asset)); // it rings, too
        FrWorld *computed = fall(ctx, block_def(&block, held), false);
        FrWorld *cooked = fall(bare, fr_motion_body_def(motion), false);
        fr_motion_destroy(motion); // bodies have what they need
        CHECK(after(ctx, computed, 150) == after(bare, cooked, 150));
        double z[20];
        int32_t count;
        CHECK_OK(bare, fr_body_modes(cooked, (FrBodyId){1}, z, 20, &count));
        CHECK_INT(count, 14);
        CHECK(fabs(z[0]) > 1e-9); // it does bend
        fr_world_destroy(computed);
        fr_world_destroy(cooked);
        fr_asset_destroy(asset);
        fr_free(ctx, bytes);
    }
    test_mesh_free(&block.mesh);
    fr_context_destroy(ctx);
    fr_context_destroy(bare);
}

// born after the first step, it is in checkpoints with its modes
TEST(checkpoints_hold_cooked_bodies) {
    FrContext *ctx = make_modal_context(1), *bare = make_context(1);
    Block block;
    size_t size, saved;
    make_block(ctx, &block);
    uint8_t *bytes = baked(ctx, &block, false, &size), *state;
    FrMotion *motion;
    CHECK_OK(bare, fr_motion_load(bare, bytes, size, &motion));
    FrWorld *first = fall(bare, fr_motion_body_def(motion), true);
    FrWorldDef world_def = fr_world_def_default();
    FrMaterial m = rubber(1e6);
    FrWorld *second;
    after(bare, first, 60);
    CHECK_OK(bare, fr_world_save(first, &state, &saved));
    CHECK_OK(bare, fr_world_create(bare, &world_def, &second));
    CHECK_OK(bare, fr_world_add_plane(second, "ground", fr_vec3(0, 0, 1), 0.0, &m));
    CHECK_OK(bare, fr_world_load(second, state, saved));
    CHECK(after(bare, first, 60) == after(bare, second, 60));
    CHECK(checkpoint_hash(first) == checkpoint_hash(second));
    fr_world_free_bytes(bare, state);
    fr_world_destroy(first);
    fr_world_destroy(second);
    fr_motion_destroy(motion);
    fr_free(ctx, bytes);
    test_mesh_free(&block.mesh);
    fr_context_destroy(ctx);
    fr_context_destroy(bare);
}

// R (rest + sum z shape) + position, as graphics hardware does it, is where the skin is
TEST(skins_by_modes) {
    FrContext *ctx = make_modal_context(1);
    Block block;
    make_block(ctx, &block);
    FrBodyDef def = block_def(&block, false);
    FrMotion *motion;
    CHECK_OK(ctx, fr_motion_make(ctx, &def, &motion));
    FrMotionInfo info = fr_motion_info(motion);
    CHECK(info.fine && info.skin_points == 3 && info.skin_tris == 1 && info.mode_count == 14);
    CHECK_INT(fr_motion_skin_tris(motion)[0][2], 2);
    FrWorld *world = fall(ctx, fr_motion_body_def(motion), false);
    after(ctx, world, 40);
    FrBodyFrame f = frame_at(world, 0);
    float rest[9], shape[9], place[9];
    double z[14], most = 0.0;
    int32_t count;
    CHECK_OK(ctx, fr_body_modes(world, (FrBodyId){1}, z, 14, &count));
    CHECK_OK(ctx, fr_body_skin(world, (FrBodyId){1}, place, 3, &count));
    CHECK_INT(count, 3);
    fr_motion_skin_rest(motion, rest);
    double sum[9];
    for (int k = 0; k < 9; k++) sum[k] = (double)rest[k];
    for (int i = 0; i < 14; i++) {
        fr_motion_skin_shape(motion, i, shape);
        for (int k = 0; k < 9; k++) sum[k] += z[i] * (double)shape[k];
    }
    for (int k = 0; k < 3; k++) {
        FrVec3 is =
            fr_vec3((double)place[3 * k], (double)place[3 * k + 1], (double)place[3 * k + 2]);
        FrVec3 by = fr_add(f.position, fr_quat_rotate(f.rotation, fr_get3(sum, k)));
        CHECK(fr_distance(is, by) < 1e-6); // rounding: floats of 0.3 m
        FrVec3 still =
            fr_vec3((double)rest[3 * k], (double)rest[3 * k + 1], (double)rest[3 * k + 2]);
        most = fr_max(most, fr_distance(fr_get3(sum, k), still));
    }
    CHECK(most > 1e-4); // they have moved
    double hz, t60;
    fr_motion_mode(motion, 0, &hz, &t60);
    CHECK(hz > 1.0 && hz < 1e3 && t60 > 0.0);
    fr_world_destroy(world);
    fr_motion_destroy(motion);
    test_mesh_free(&block.mesh);
    fr_context_destroy(ctx);
}

// A soup of triangles: one edge has three, two lie in one place, one has no area, none closes. It
// is carried as well as any skin [S1 s. 4].
TEST(a_soup_is_carried_by_modes) {
    FrContext *ctx = make_modal_context(1);
    Block block;
    make_block(ctx, &block);
    FrRandom random = fr_random_for(9, "soup", 0);
    enum { POINTS = 41, TRIS = 60 };
    FrPoint at[POINTS];
    int32_t tri[TRIS][3];
    for (int k = 0; k < POINTS; k++) {
        double b = fr_random_range(&random, -0.2, 1.2), c = fr_random_range(&random, 0, 1);
        at[k] = (FrPoint){fr_random_below(&random, block.mesh.tet_count), {b, c, 0.5 - b, 0.5 - c}};
    }
    for (int k = 0; k < 3 * TRIS; k++) tri[k / 3][k % 3] = fr_random_below(&random, POINTS);
    for (int k = 0; k < 3; k++) tri[k][0] = 1, tri[k][1] = 2; // three at an edge
    memcpy(tri[5], tri[4], sizeof tri[4]);
    tri[6][0] = tri[6][1] = tri[6][2] = 7;
    FrEmbedded soup = {.point_count = POINTS, .tri_count = TRIS, .at = at, .tri = tri};
    FrBodyDef def = block_def(&block, false);
    def.embedded = &soup;
    FrMotion *motion;
    CHECK_OK(ctx, fr_motion_make(ctx, &def, &motion));
    CHECK_INT(fr_motion_info(motion).skin_tris, TRIS);
    FrWorld *world = fall(ctx, fr_motion_body_def(motion), false);
    after(ctx, world, 40);
    float place[3 * POINTS];
    int32_t count;
    CHECK_OK(ctx, fr_body_skin(world, (FrBodyId){1}, place, POINTS, &count));
    CHECK_INT(count, POINTS);
    const double *p = frame_at(world, 0).p;
    for (int k = 0; k < POINTS; k++) {
        FrVec3 x = fr_vec3_zero;
        for (int i = 0; i < 4; i++)
            x = fr_axpy(at[k].b[i], fr_get3(p, block.mesh.tet[at[k].tet][i]), x);
        FrVec3 is =
            fr_vec3((double)place[3 * k], (double)place[3 * k + 1], (double)place[3 * k + 2]);
        CHECK(fr_distance(is, x) < 1e-6); // rounding: floats of 0.3 m
    }
    fr_world_destroy(world);
    fr_motion_destroy(motion);
    test_mesh_free(&block.mesh);
    fr_context_destroy(ctx);
}

static void fix_hash(uint8_t *bytes, size_t size) {
    if (size <= 32) return;
    uint64_t hash = fr_hash_of(bytes + 32, size - 32, 0);
    for (int k = 0; k < 8; k++) bytes[24 + k] = (uint8_t)(hash >> (8 * k));
}

// where the motion begins: its word is in the file once
static size_t motion_at(const uint8_t *bytes, size_t size) {
    size_t at = 0;
    while (at + 4 < size && memcmp(bytes + at, "MOTN", 4)) at++;
    return at;
}

// flips and cuts behind a hash that fits: a motion that moves a body, or a message with a byte
TEST(malformed_motions) {
    FrContext *ctx = make_modal_context(1);
    Block block;
    size_t size;
    make_block(ctx, &block);
    uint8_t *bytes = baked(ctx, &block, true, &size), *bad = malloc(size);
    size_t begin = motion_at(bytes, size);
    Refuser refuser = {.refuse_at = 0};
    FrContext *own = make_refusing_context(&refuser);
    int live = refuser.live, accepted = 0, refused = 0;
    FrRandom random = fr_random_for(7, "motion", 0);
    FrMotion *motion;
    for (int k = 0; k < 1500; k++) {
        memcpy(bad, bytes, size);
        size_t cut =
            k % 5 ? size : begin + (size_t)fr_random_below(&random, (int32_t)(size - begin));
        // the head more often than the arrays
        int32_t span = k % 2 ? (int32_t)(size - begin) : 96;
        size_t at = begin + (size_t)fr_random_below(&random, span);
        bad[at] ^= (uint8_t)(1u << fr_random_below(&random, 8));
        fix_hash(bad, cut);
        FrResult result = fr_motion_load(own, bad, cut, &motion);
        CHECK(result == FR_OK || result == FR_BAD_INPUT);
        CHECK((result == FR_OK) == (motion != NULL));
        if (result != FR_OK) CHECK_HAS(fr_context_message(own), "modal asset, byte ");
        accepted += result == FR_OK, refused += result != FR_OK;
        if (motion && accepted % 25 == 1) {
            FrWorld *world = fall(own, fr_motion_body_def(motion), false);
            (void)fr_world_step(world); // whatever it is of: it ends
            fr_world_destroy(world);
        }
        fr_motion_destroy(motion);
        CHECK_INT(refuser.live, live);
    }
    CHECK(accepted > 100 && refused > 400);
    // a head of a few bytes asks for no gigabytes
    memcpy(bad, bytes, size);
    bad[begin + 8 + 2] = 0x3f, bad[begin + 8 + 1] = 0xff;
    fix_hash(bad, size);
    refuser.largest = 0;
    CHECK_INT(fr_motion_load(own, bad, size, &motion), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(own), "bytes; ");
    CHECK(refuser.largest < 10000);
    fr_context_destroy(own);
    free(bad);
    fr_free(ctx, bytes);
    test_mesh_free(&block.mesh);
    fr_context_destroy(ctx);
}

// each refusal of memory on the way to a body that falls
TEST(refused_memory) {
    FrContext *ctx = make_modal_context(1);
    Block block;
    size_t size;
    make_block(ctx, &block);
    uint8_t *bytes = baked(ctx, &block, false, &size);
    bool done = false;
    for (int k = 1; k < 400 && !done; k++) {
        Refuser refuser = {.refuse_at = 0};
        FrContext *own = make_refusing_context(&refuser);
        FrWorldDef def = fr_world_def_default();
        int live = refuser.live;
        FrMotion *motion = NULL;
        FrWorld *world = NULL;
        refuser.refuse_at = refuser.calls + k;
        FrResult result = fr_motion_load(own, bytes, size, &motion);
        if (result == FR_OK) result = fr_world_create(own, &def, &world);
        FrBodyDef body = fr_motion_body_def(motion);
        FrBodyId id;
        if (result == FR_OK) result = fr_body_create(world, &body, &id);
        if (result == FR_OK) result = fr_world_step(world);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        done = result == FR_OK;
        fr_world_destroy(world);
        fr_motion_destroy(motion);
        CHECK_INT(refuser.live, live);
        fr_context_destroy(own);
    }
    CHECK(done);
    fr_free(ctx, bytes);
    test_mesh_free(&block.mesh);
    fr_context_destroy(ctx);
}

// what does not fit is refused in words
TEST(other_bodies_are_refused) {
    FrContext *ctx = make_modal_context(1);
    Block block;
    make_block(ctx, &block);
    FrBodyDef def = block_def(&block, false);
    FrMotion *motion;
    CHECK_OK(ctx, fr_motion_make(ctx, &def, &motion));
    FrWorld *world = awake_world(ctx, fr_vec3_zero);
    FrBodyId id;
    def.motion = motion;
    block.mesh.x[0] += 1e-3;
    CHECK_INT(fr_body_create(world, &def, &id), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "another one");
    def.model = FR_MODEL_FRAME;
    CHECK_INT(fr_body_create(world, &def, &id), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "model modal");
    fr_world_destroy(world);
    fr_motion_destroy(motion);
    test_mesh_free(&block.mesh);
    fr_context_destroy(ctx);
}
