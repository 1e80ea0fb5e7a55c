// checkpoint_bytes.c: a checkpoint that lost bytes, has others, or is of another world: it is
// refused, and the world is as it was.

#include "births_kit.h"
#include "context.h"
#include <string.h>

// soft and brittle solids, boxes, balls, a mass, a kinematic ball; supports, a load, joints
static Nursery begin(FrContext *ctx, int first) {
    Nursery n = nursery(ctx, true);
    for (int k = 0; k < first; k++) nursery_bear(&n);
    return n;
}

/// A world in the middle of births and deaths, and its checkpoint.
typedef struct Saved {
    FrContext *ctx;
    Nursery n;
    uint8_t *bytes;
    size_t size;
} Saved;

enum { FIRST = 9, CYCLES = 8 };

static Saved saved_world(void) {
    Saved s = {.ctx = make_context(1)};
    s.n = begin(s.ctx, FIRST);
    for (int k = 0; k < CYCLES; k++) nursery_cycle(&s.n);
    CHECK(s.n.deaths > 2 && fr_world_stats(s.n.world).cracks > 0);
    CHECK_OK(s.ctx, fr_world_save(s.n.world, &s.bytes, &s.size));
    return s;
}

static void free_saved(Saved *s) {
    fr_world_free_bytes(s->ctx, s->bytes);
    nursery_free(&s->n);
    fr_context_destroy(s->ctx);
}

// every byte of what it would save is the same
static void check_unchanged(const Nursery *n, uint64_t before) {
    CHECK(checkpoint_hash(n->world) == before);
    CHECK(fr_world_view(n->world) != NULL);
}

TEST(bytes_that_are_lost_or_changed_change_nothing) {
    Saved s = saved_world();
    Nursery n = begin(s.ctx, FIRST), twin = begin(s.ctx, FIRST);
    uint64_t before = checkpoint_hash(n.world);
    uint8_t *other = malloc(s.size + 1);
    int tried = 0;
    for (size_t at = 0; at < s.size; at += s.size / 211 + 1, tried++) {
        CHECK_INT(fr_world_load(n.world, s.bytes, at), FR_BAD_INPUT);
        for (int bit = 0; bit < 8; bit += 7) {
            memcpy(other, s.bytes, s.size);
            other[at] ^= (uint8_t)(1 << bit);
            CHECK_INT(fr_world_load(n.world, other, s.size), FR_BAD_INPUT);
        }
        if (at % 8 == 0) check_unchanged(&n, before);
    }
    memcpy(other, s.bytes, s.size);
    other[s.size] = 0;
    CHECK_INT(fr_world_load(n.world, other, s.size + 1), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(s.ctx), "changed");
    CHECK(tried > 200);
    check_unchanged(&n, before);
    // it goes on as one that nobody tried to load, and whole bytes load
    CHECK_OK(s.ctx, fr_world_step(n.world));
    CHECK_OK(s.ctx, fr_world_step(twin.world));
    CHECK(checkpoint_hash(n.world) == checkpoint_hash(twin.world));
    CHECK_OK(s.ctx, fr_world_load(n.world, s.bytes, s.size));
    CHECK(checkpoint_hash(n.world) == checkpoint_hash(s.n.world));
    CHECK_OK(s.ctx, fr_world_step(n.world));
    CHECK_OK(s.ctx, fr_world_step(s.n.world));
    CHECK(fr_world_hash(n.world) == fr_world_hash(s.n.world));
    free(other);
    nursery_free(&n);
    nursery_free(&twin);
    free_saved(&s);
}

// a body less, another shape, a support or a load (of bodies that still live) less, a model less:
// the bytes are whole, but of another world
TEST(a_checkpoint_of_another_world_changes_nothing) {
    Saved s = saved_world();
    for (int kind = 0; kind < 5; kind++) {
        Nursery n = nursery(s.ctx, true);
        if (kind == 4) n.own = FR_MODEL_FRAME;
        for (int k = 0; k < FIRST; k++) {
            if (kind == 1 && k == 1) n.bar.x[0] -= 1e-3;
            nursery_bear(&n);
        }
        if (kind == 0) nursery_bury(&n, FIRST - 1);
        if (kind == 2) CHECK_OK(s.ctx, fr_drive_destroy(n.world, (FrDriveId){5}));
        if (kind == 3) CHECK_OK(s.ctx, fr_load_destroy(n.world, (FrLoadId){6}));
        uint64_t before = checkpoint_hash(n.world);
        CHECK_INT(fr_world_load(n.world, s.bytes, s.size), FR_BAD_INPUT);
        check_unchanged(&n, before);
        CHECK_OK(s.ctx, fr_world_step(n.world));
        nursery_free(&n);
    }
    free_saved(&s);
}

// Somebody gave wrong bytes a hash that fits: loaded, refused as the world was, or a world that
// says that it can only be destroyed. Never a crash, and nothing is lost.
TEST(nonsense_with_a_fitting_hash_is_refused) {
    Saved s = saved_world();
    int spoiled = 0, kept = 0;
    for (size_t at = 0; at < s.size; at += s.size / 151 + 1) {
        Nursery n = begin(s.ctx, FIRST);
        bool cut = at % 2;
        uint8_t *other = malloc(s.size);
        memcpy(other, s.bytes, s.size);
        if (!cut) other[at] ^= 0x81;
        FrResult result = load_sealed(n.world, other, cut ? at : s.size - 8);
        bool stays = fr_world_view(n.world) != NULL;
        if (cut) CHECK_INT(result, FR_BAD_INPUT);
        if (result != FR_OK && !stays) {
            CHECK_INT(fr_world_step(n.world), FR_BAD_USE);
            CHECK_HAS(fr_context_message(s.ctx), "destroy");
            spoiled++;
        }
        kept += result != FR_OK && stays;
        free(other);
        nursery_free(&n);
    }
    CHECK(spoiled > 0 && kept > 0);
    free_saved(&s);
}
