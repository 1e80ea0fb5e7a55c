// contact_history.c: what detection finds depends on positions only: not on workers, the past or a
// checkpoint between; and what it needs of memory.

#include "contact_boxes.h"

static bool same_list(const FrContactList *x, const FrContactList *y) {
    if (x->count != y->count) return false;
    for (int32_t k = 0; k < x->count; k++) {
        const FrContact *a = &x->contact[k], *b = &y->contact[k];
        if (a->key != b->key || a->a != b->a || a->b != b->b || a->pa.tet != b->pa.tet ||
            a->pb.tet != b->pb.tet || memcmp(&a->x, &b->x, sizeof a->x) ||
            memcmp(&a->n, &b->n, sizeof a->n) || a->volume != b->volume || a->depth != b->depth ||
            memcmp(a->pa.b, b->pa.b, sizeof a->pa.b) || memcmp(a->pb.b, b->pb.b, sizeof a->pb.b))
            return false;
    }
    return true;
}

// a scene with everything in it
typedef struct Zoo {
    FrContactScene *scene;
    KitBox box[3];
    FrContactList list;
} Zoo;

static FrResult zoo_make(FrContext *ctx, Zoo *zoo, bool nodes) {
    FrContactOptions options = fr_contact_options_default();
    options.horizon = 0.03;
    options.node_penetration = nodes;
    int32_t item;
    FR_TRY(fr_contact_scene_create(ctx, &options, &zoo->scene));
    FR_TRY(fr_contact_add_plane(zoo->scene, fr_vec3(0, 0, 2), -0.6, &item));
    for (int i = 0; i < 3; i++) {
        FrShapeView view = kit_view(&zoo->box[i]);
        FR_TRY(fr_contact_add_body(zoo->scene, &view, i == 1, &item));
    }
    FR_TRY(fr_contact_add_sphere(zoo->scene, fr_vec3(0.1, 0.1, 0.1), 0.3, &item));
    FR_TRY(fr_contact_add_sphere(zoo->scene, fr_vec3(0.2, 0.4, -0.2), 0.2, &item));
    return fr_contact_ignore(zoo->scene, 3, 1);
}

static Zoo zoo(FrContext *ctx, bool nodes) {
    Zoo z = {0};
    for (int i = 0; i < 3; i++) z.box[i] = kit_box(2, 2, 2 + (i == 1), 0.25);
    CHECK_OK(ctx, zoo_make(ctx, &z, nodes));
    return z;
}

static void zoo_free(FrContext *ctx, Zoo *z) {
    fr_contact_list_free(ctx, &z->list);
    fr_contact_scene_destroy(z->scene);
    for (int i = 0; i < 3; i++) kit_box_free(&z->box[i]);
}

static FrResult zoo_step(Zoo *z, int step) {
    double t = 0.01 * step;
    for (int i = 0; i < 3; i++) box_swing(&z->box[i], fr_vec3(0.2 * i, 0, 0), t, i, 0.3);
    FrVec3 c = {0.1 + 0.3 * sin(t), 0.1, 0.1}, d = {0.2, 0.4 * cos(t), -0.3};
    fr_contact_set_sphere(z->scene, 4, c, fr_vec3(0.3 * cos(t), 0, 0));
    fr_contact_set_sphere(z->scene, 5, d, fr_vec3(0, -0.4 * sin(t), 0));
    return fr_contact_detect(z->scene, all_items, 6, 0.01, &z->list);
}

// a scene that has run for long and one made this moment find the same bits; so do 1, 2, 3, 8
// workers
TEST(same_contacts_for_any_history_and_workers) {
    for (int nodes = 0; nodes < 2; nodes++) {
        int32_t workers[4] = {1, 2, 3, 8};
        FrContext *ctx[4];
        Zoo z[4];
        for (int w = 0; w < 4; w++) ctx[w] = make_context(workers[w]), z[w] = zoo(ctx[w], nodes);
        int differ = 0, fresh_differ = 0, kinds[3] = {0};
        for (int step = 0; step < 60; step++) {
            for (int w = 0; w < 4; w++) CHECK_OK(ctx[w], zoo_step(&z[w], step));
            for (int w = 1; w < 4; w++) differ += !same_list(&z[0].list, &z[w].list);
            for (int32_t k = 0; k < z[0].list.count; k++) {
                const FrContact *c = &z[0].list.contact[k];
                kinds[c->pb.tet >= 0 ? 0 : c->pa.tet >= 0 ? 1 : 2]++;
                CHECK(!(c->a == 3 && c->b == 1) && !(c->a == 1 && c->b == 3));
                CHECK_NEAR(fr_length(c->n), 1.0, 1e-14); // rounding
                CHECK(c->volume > 0.0);
            }
            if (step % 10) continue;
            Zoo now = zoo(ctx[0], nodes);
            CHECK_OK(ctx[0], zoo_step(&now, step));
            // swallowed tets take their direction from the past: hand that over
            FrWriter writer;
            fr_writer_init(&writer, ctx[0]);
            fr_contact_save(z[0].scene, &writer);
            FrReader reader;
            fr_reader_init(&reader, writer.data, writer.size);
            CHECK_OK(ctx[0], fr_contact_load(now.scene, &reader));
            CHECK_INT(fr_reader_left(&reader), 0);
            CHECK_OK(ctx[0], zoo_step(&now, step));
            fresh_differ += !same_list(&z[0].list, &now.list);
            fr_writer_free(&writer);
            zoo_free(ctx[0], &now);
        }
        CHECK_INT(differ, 0);
        CHECK_INT(fresh_differ, 0);
        CHECK(kinds[0] > 100 && kinds[1] > 100 && kinds[2] > 10);
        for (int w = 0; w < 4; w++) zoo_free(ctx[w], &z[w]), fr_context_destroy(ctx[w]);
    }
}

// one box moves, or a ball does, and all else stays where step 7 left it
static FrResult zoo_stir(Zoo *z, int step) {
    double t = 0.01 * step;
    if (step % 3 < 2)
        box_swing(&z->box[step % 3], fr_vec3(0.2 * (step % 3), 0, 0), t, step % 3, 0.3);
    else
        fr_contact_set_sphere(z->scene, 5, fr_vec3(0.2, 0.4 * cos(t), -0.3), fr_vec3_zero);
    return fr_contact_detect(z->scene, all_items, 6, 0.01, &z->list);
}

// What did not move is not looked at again (but for tets below the surface, and balls); and it is
// found all the same, as by a scene that forgets what it found.
TEST(what_did_not_move_is_found_without_a_look) {
    FrContext *ctx = make_context(2);
    Zoo z = zoo(ctx, false), forgets = zoo(ctx, false);
    CHECK_OK(ctx, zoo_step(&z, 7));
    CHECK_OK(ctx, zoo_step(&forgets, 7));
    int32_t found = z.list.count;
    int64_t before = fr_contact_stats(z.scene).tested;
    CHECK_OK(ctx, fr_contact_detect(z.scene, all_items, 6, 0.01, &z.list));
    int64_t again = fr_contact_stats(z.scene).tested - before;
    printf("  %lld looks, then %lld\n", (long long)before, (long long)again);
    CHECK(4 * again < before);
    CHECK(found > 20);
    CHECK(same_list(&z.list, &forgets.list));
    for (int step = 0; step < 40; step++) {
        FrWriter writer;
        FrReader reader;
        fr_writer_init(&writer, ctx);
        fr_contact_save(forgets.scene, &writer);
        fr_reader_init(&reader, writer.data, writer.size);
        CHECK_OK(ctx, fr_contact_load(forgets.scene, &reader));
        fr_writer_free(&writer);
        CHECK_OK(ctx, zoo_stir(&z, step));
        CHECK_OK(ctx, zoo_stir(&forgets, step));
        CHECK(same_list(&z.list, &forgets.list));
    }
    CHECK(2 * fr_contact_stats(z.scene).tested < fr_contact_stats(forgets.scene).tested);
    zoo_free(ctx, &z);
    zoo_free(ctx, &forgets);
    fr_context_destroy(ctx);
}

// save in the middle, load into a new scene, go on: same contacts to the end
TEST(resumed_scene_goes_on_the_same) {
    FrContext *ctx = make_context(2);
    Zoo whole = zoo(ctx, false), part = zoo(ctx, false);
    for (int step = 0; step < 30; step++) CHECK_OK(ctx, zoo_step(&whole, step));
    FrWriter writer;
    fr_writer_init(&writer, ctx);
    fr_contact_save(whole.scene, &writer);
    CHECK_OK(ctx, fr_writer_result(&writer));
    FrReader reader;
    fr_reader_init(&reader, writer.data, writer.size);
    CHECK_OK(ctx, fr_contact_load(part.scene, &reader));
    int differ = 0;
    for (int step = 30; step < 60; step++) {
        CHECK_OK(ctx, zoo_step(&whole, step));
        CHECK_OK(ctx, zoo_step(&part, step));
        differ += !same_list(&whole.list, &part.list);
    }
    CHECK_INT(differ, 0);
    // any cut, and any flipped byte, is a message or a valid state; never a crash
    int refused = 0;
    for (size_t cut = 0; cut < writer.size; cut += 1 + writer.size / 300) {
        fr_reader_init(&reader, writer.data, cut);
        refused += fr_contact_load(part.scene, &reader) == FR_BAD_INPUT;
    }
    CHECK(refused > 200);
    CHECK_HAS(fr_context_message(ctx), "contact state, byte");
    FrRandom r = fr_random_for(9, "flip", 0);
    for (int k = 0; k < 300; k++) {
        size_t at = (size_t)fr_random_below(&r, (int32_t)writer.size);
        uint8_t was = writer.data[at];
        writer.data[at] ^= (uint8_t)(1u << fr_random_below(&r, 8));
        fr_reader_init(&reader, writer.data, writer.size);
        FrResult result = fr_contact_load(part.scene, &reader);
        CHECK(result == FR_OK || result == FR_BAD_INPUT);
        CHECK_OK(ctx, zoo_step(&part, 60));
        writer.data[at] = was;
    }
    fr_writer_free(&writer);
    zoo_free(ctx, &whole);
    zoo_free(ctx, &part);
    fr_context_destroy(ctx);
}

// once a motion has been seen, going through it again allocates nothing
TEST(no_allocation_once_warm) {
    Refuser counter = {0};
    FrContext *ctx = make_refusing_context(&counter);
    for (int nodes = 0; nodes < 2; nodes++) {
        Zoo z = zoo(ctx, nodes);
        for (int round = 0; round < 2; round++)
            for (int step = 0; step < 40; step++) CHECK_OK(ctx, zoo_step(&z, step));
        int before = counter.calls;
        for (int step = 0; step < 40; step++) CHECK_OK(ctx, zoo_step(&z, step));
        CHECK_INT(counter.calls, before);
        zoo_free(ctx, &z);
    }
    fr_context_destroy(ctx);
}

// the k-th allocation fails, for every k: a result, no leak, and the scene can go on
TEST(every_allocation_may_fail) {
    Refuser counter = {0};
    FrContext *ctx = make_refusing_context(&counter);
    int refused = 0;
    for (int k = 1; k < 400; k++) {
        int live = counter.live;
        Zoo z = {0};
        for (int i = 0; i < 3; i++) z.box[i] = kit_box(2, 2, 2 + (i == 1), 0.25);
        counter.calls = 0, counter.refuse_at = k;
        FrResult result = zoo_make(ctx, &z, k & 1);
        if (result == FR_OK) result = zoo_step(&z, 3);
        bool hit = counter.calls >= k;
        counter.refuse_at = 0;
        CHECK(result == (hit ? FR_NO_MEMORY : FR_OK));
        refused += hit;
        if (z.scene && z.scene->item.count == 6) CHECK_OK(ctx, zoo_step(&z, 4));
        zoo_free(ctx, &z);
        CHECK_INT(counter.live, live);
        if (!hit && k > 1 && !(k & 1)) break;
    }
    CHECK(refused > 60);
    fr_context_destroy(ctx);
}
