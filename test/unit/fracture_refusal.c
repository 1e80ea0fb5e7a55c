// fracture_refusal.c: planes that cannot be cut are tried once, and again once something changed.

#include "fracture_kit.h"

/// 4 x 2 x 4 cells of 10 cm, 1 MPa, strength 1 kPa: no piece is large enough to come off, so that
/// no plane can be cut
static Block block_make(int workers) {
    FrMaterial material = test_material(1e6, 0.0, 0.0);
    material.density = 1000.0;
    material.strength = 1000.0;
    return block_of(test_context(workers), test_box(4, 2, 4, 0.1), &material, 1000.0,
                    TEST_ALL_TETS);
}

/// stretched by 0.12 % in the x z plane, `angle` off z; all of it turned by `turn`, rad, about y
static void stretch(Block *b, double angle, double turn) {
    const FrTetMesh *mesh = fr_cutmesh_view(b->fracture->cut);
    double *x = calloc(3 * (size_t)mesh->node_count, sizeof *x);
    FrVec3 along = {sin(angle), 0, cos(angle)};
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FrVec3 at = fr_get3(mesh->x, n);
        at = fr_axpy(0.0012 * fr_dot(at, along), along, at);
        fr_set3(x, n,
                fr_vec3(cos(turn) * at.x + sin(turn) * at.z, at.y,
                        cos(turn) * at.z - sin(turn) * at.x));
    }
    fr_fem_set_state(b->fem, x, NULL);
    free(x);
}

/// planes that a look tries; none can be cut
static int32_t planes_of(Block *b) {
    FrBreakResult r;
    CHECK_OK(b->ctx, fr_fracture_step(b->fracture, 0.0, &r));
    CHECK_INT(r.crack_count, 0);
    return r.planes;
}

// A plane is tried once; turned with the body it is the same; turned in the body it is another.
TEST(what_cannot_be_cut_is_tried_once) {
    Block b = block_make(1);
    stretch(&b, 0.0, 0.0);
    int32_t first = planes_of(&b);
    CHECK(first > 20);
    for (int look = 0; look < 5; look++) CHECK_INT(planes_of(&b), 0);
    stretch(&b, 0.0, 0.5);
    CHECK_INT(planes_of(&b), 0);
    stretch(&b, 0.005, 0.0);
    CHECK_INT(planes_of(&b), 0);
    stretch(&b, 0.1, 0.0);
    int32_t turned = planes_of(&b);
    printf("  %d planes, %d of them anew once turned\n", first, turned);
    CHECK(turned > first / 2);
    CHECK_INT(planes_of(&b), 0);
    block_free(&b);
}

/// a crack from the start, although no piece is large enough
static void cut_somewhere(Block *b) {
    FrBreakResult r;
    double least = b->fracture->settings.split.min_piece;
    b->fracture->settings.split.min_piece = 0.0;
    CHECK_OK(b->ctx,
             fr_fracture_precut(b->fracture, fr_vec3(0.0, 0.1, 0.2), fr_vec3(0, 0, 1), 0.06, &r));
    CHECK(r.log->tet_count > 0);
    b->fracture->settings.split.min_piece = least;
}

// Nodes that fail are tried again where the tets round them, or behind these, were cut.
TEST(what_was_cut_is_tried_again) {
    Block b = block_make(1);
    stretch(&b, 0.0, 0.0);
    int32_t first = planes_of(&b);
    CHECK_INT(planes_of(&b), 0);
    cut_somewhere(&b);
    stretch(&b, 0.0, 0.0);
    for (int32_t k = 0; k < b.fracture->state.refusal.count; k++) {
        int32_t count, node = b.fracture->state.refusal.data[k].node;
        fr_cutmesh_star(b.fracture->cut, node, &count);
        CHECK_INT(b.fracture->state.refusal.data[k].count, 3 * count);
        CHECK_INT(b.fracture->scratch.cuts.refused.data[node], k + 1);
    }
    int32_t again = planes_of(&b);
    printf("  %d of %d planes anew beside a cut\n", again, first);
    CHECK(again > 0 && again < first);
    CHECK_INT(planes_of(&b), 0);
    block_free(&b);
}

// `to` goes on from a checkpoint of `from`; its cracks are kept in `cracks`
static void go_on(const Block *from, Block *to, FrWriter *cracks) {
    FrWriter body;
    FrReader reader;
    fr_writer_init(&body, from->ctx), fr_writer_init(cracks, from->ctx);
    fr_fem_save(from->fem, &body);
    test_fracture_save(from->fracture, cracks);
    fr_reader_init(&reader, body.data, body.size);
    CHECK_OK(to->ctx, fr_fem_load(to->fem, &reader));
    fr_reader_init(&reader, cracks->data, cracks->size);
    CHECK_OK(to->ctx, test_fracture_load(to->fracture, &reader));
    CHECK(fr_reader_left(&reader) == 0);
    fr_writer_free(&body);
}

// What was refused goes into checkpoints, and nothing that is no plane comes out of them.
TEST(refusals_are_kept_in_checkpoints) {
    Block b = block_make(1), c = block_make(1);
    stretch(&b, 0.0, 0.0);
    CHECK(planes_of(&b) > 0);
    FrWriter cracks;
    FrReader reader;
    go_on(&b, &c, &cracks);
    CHECK_INT(c.fracture->state.refusal.count, b.fracture->state.refusal.count);
    CHECK_INT(planes_of(&c), 0);
    size_t entry =
        8 + 8 * (size_t)b.fracture->state.refusal.data[b.fracture->state.refusal.count - 1].count;
    const int32_t wrong[2][2] = {{-1, 3}, {0, 1 << 28}};
    for (int k = 0; k < 2; k++) {
        memcpy(cracks.data + cracks.size - entry, wrong[k], sizeof wrong[k]);
        fr_reader_init(&reader, cracks.data, cracks.size);
        CHECK_INT(test_fracture_load(c.fracture, &reader), FR_BAD_INPUT);
    }
    size_t all = 4;
    for (int32_t k = 0; k < b.fracture->state.refusal.count; k++)
        all += 8 + 8 * (size_t)b.fracture->state.refusal.data[k].count;
    memset(cracks.data + cracks.size - all, 0xff, 4); // -1 planes
    fr_reader_init(&reader, cracks.data, cracks.size);
    CHECK_INT(test_fracture_load(c.fracture, &reader), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(c.ctx), "-1 planes");
    fr_writer_free(&cracks);
    block_free(&b), block_free(&c);
}

// A plane whose node had another number of tets when it was refused is in checkpoints, too, and is
// tried again after them as it would have been without.
TEST(refusals_of_other_stars_are_kept) {
    Block b = block_make(1), c = block_make(1);
    stretch(&b, 0.0, 0.0);
    CHECK(planes_of(&b) > 0);
    b.fracture->state.refusal.data[0].count -= 3;
    FrWriter cracks;
    go_on(&b, &c, &cracks);
    CHECK_INT(planes_of(&b), 1);
    CHECK_INT(planes_of(&c), 1);
    fr_writer_free(&cracks);
    block_free(&b), block_free(&c);
}
