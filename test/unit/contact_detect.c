// contact_detect.c: what detection finds depends on positions only: not on trees, caches, workers
// or the past.

#include "test.h"
#include "context.h"
#include "contact_kit.h"
#include "contact/bench.h"
#include "contact/scene.h"

// a smooth random motion of every node; large enough for bodies to cross
static void swing(KitBox *box, FrVec3 at, double t, double phase, double soft) {
    FrVec3 c = {at.x + 0.6 * sin(2 * t + phase), at.y + 0.3 * cos(3 * t + phase),
                at.z + 0.5 * sin(t + 2 * phase)};
    FrQuat q = fr_quat_from_rotation(fr_vec3(t, 0.7 * t + phase, 0.3 * t));
    for (int32_t k = 0; k < box->node_count; k++) {
        FrVec3 r = fr_get3(box->rest, k);
        r = fr_axpy(soft * sin(5 * t + 4 * r.x + 3 * r.y), fr_vec3(r.y, -r.z, r.x), r);
        FrVec3 p = fr_add(c, fr_quat_rotate(q, r)), old = fr_get3(box->p, k);
        fr_set3(box->v, k, fr_scale(100.0, fr_sub(p, old))); // dt 0.01
        fr_set3(box->p, k, p);
    }
}

// nodes of the tet, for checking neighbours and overlaps by brute force
static FrClipTet frame_of(const KitBox *box, int32_t e) {
    FrClipTet tet;
    const int32_t *n = box->tet[e];
    fr_clip_tet_init(&tet, fr_get3(box->p, n[0]), fr_get3(box->p, n[1]), fr_get3(box->p, n[2]),
                     fr_get3(box->p, n[3]), 15);
    return tet;
}

static bool joined(const KitBox *box, int32_t e, int32_t f) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (box->tet[e][i] == box->tet[f][j]) return true;
    return false;
}

static const FrContact *find_key(const FrContactList *list, uint64_t key) {
    int32_t lo = 0, hi = list->count;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (list->contact[middle].key < key)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < list->count && list->contact[lo].key == key ? &list->contact[lo] : NULL;
}

#define MOST_LEAVES 1000

// all pairs of leaves, clipped: how many are missing or different in the list
static int brute_force(const FrContactScene *scene, const KitBox *a, const KitBox *b, int ia,
                       int ib, const FrContactList *list) {
    static FrClipTet of_b[MOST_LEAVES];
    const FrContactBody *ba = &scene->item.data[ia].body, *bb = &scene->item.data[ib].body;
    FR_ASSERT(bb->leaf_count <= MOST_LEAVES, "make the box smaller");
    for (int32_t j = 0; j < bb->leaf_count; j++) of_b[j] = frame_of(b, bb->leaf_tet[j]);
    int missing = 0;
    for (int32_t i = 0; i < ba->leaf_count; i++) {
        FrClipTet ta = frame_of(a, ba->leaf_tet[i]);
        for (int32_t j = ia == ib ? i + 1 : 0; j < bb->leaf_count; j++) {
            FrOverlap overlap;
            if (!fr_overlap_tet_tet(&ta, &of_b[j], &overlap, NULL)) continue;
            if (ia == ib && fr_contact_neighbours(ba, i, j)) continue;
            const FrContact *found =
                find_key(list, fr_contact_key(ia, ib, ba->leaf_tet[i], bb->leaf_tet[j]));
            missing += !found || found->volume != overlap.volume;
        }
    }
    return missing;
}

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

static const int32_t all_items[8] = {0, 1, 2, 3, 4, 5, 6, 7};

// M29 tree_superset: at every step of a random motion the contacts are exactly those of all pairs;
// no pair shares a node; all four strategies (keep, mend, refit, build) happen
TEST(detection_equals_brute_force) {
    FrContext *ctx = make_context(2);
    FrContactOptions options = fr_contact_options_default();
    options.horizon = 0.02;
    options.rebuild_every = 17;
    FrContactScene *scene;
    CHECK_OK(ctx, fr_contact_scene_create(ctx, &options, &scene));
    KitBox box[2] = {kit_box(3, 2, 2, 0.25), kit_box(2, 3, 2, 0.25)};
    for (int i = 0; i < 2; i++) {
        FrShapeView view = kit_view(&box[i]);
        int32_t item;
        CHECK_OK(ctx, fr_contact_add_body(scene, &view, true, &item));
        CHECK_INT(item, i);
    }
    FrContactList list = {0};
    int hits = 0, adjacent = 0, missing = 0, unsorted = 0, self = 0;
    for (int step = 0; step < 150; step++) {
        // sometimes only a few nodes move: those boxes are mended
        if (step % 3 == 2)
            fr_add3(box[0].p, step % box[0].node_count, fr_vec3(0.02, 0.01, 0.03));
        else
            for (int i = 0; i < 2; i++) swing(&box[i], fr_vec3(0.2 * i, 0, 0), 0.01 * step, i, 0.9);
        CHECK_OK(ctx, fr_contact_detect(scene, all_items, 2, 0.01, &list));
        hits += list.count;
        for (int32_t k = 0; k < list.count; k++) {
            const FrContact *c = &list.contact[k];
            if (k) unsorted += list.contact[k - 1].key >= c->key;
            if (c->a == c->b) self++, adjacent += joined(&box[c->a], c->pa.tet, c->pb.tet);
        }
        missing += brute_force(scene, &box[0], &box[1], 0, 1, &list);
        missing += brute_force(scene, &box[0], &box[0], 0, 0, &list);
        missing += brute_force(scene, &box[1], &box[1], 1, 1, &list);
    }
    CHECK_INT(missing, 0);
    CHECK_INT(adjacent, 0);
    CHECK_INT(unsorted, 0);
    CHECK(hits > 1000);
    CHECK(self > 0); // it was bent enough to reach itself
    FrContactStats stats = fr_contact_stats(scene);
    CHECK(stats.rebuilds >= 2 * 150 / 17 && stats.refits > 20);
    CHECK(stats.traversals < 3 * stats.detections);
    fr_contact_list_free(ctx, &list);
    fr_contact_scene_destroy(scene);
    for (int i = 0; i < 2; i++) kit_box_free(&box[i]);
    fr_context_destroy(ctx);
}

// single nodes jump: their leaves are mended and walked alone, on either side and against
// themselves
TEST(mended_leaves_equal_brute_force) {
    FrContext *ctx = make_context(1);
    FrContactScene *scene;
    int32_t item;
    CHECK_OK(ctx, fr_contact_scene_create(ctx, NULL, &scene));
    KitBox box[2] = {kit_box(5, 5, 4, 0.1), kit_box(5, 5, 4, 0.1)};
    kit_move(&box[1], fr_vec3(0.03, 0.02, 0.39));
    for (int i = 0; i < 2; i++) {
        FrShapeView view = kit_view(&box[i]);
        CHECK_OK(ctx, fr_contact_add_body(scene, &view, true, &item));
    }
    FrContactList list = {0};
    CHECK_OK(ctx, fr_contact_detect(scene, all_items, 2, 1e-6, &list));
    FrContactStats first = fr_contact_stats(scene);
    FrRandom r = fr_random_for(4, "mend", 0);
    int missing = 0, self = 0, twice = 0;
    for (int step = 0; step < 150; step++) {
        // two nodes of a row jump towards each other, on the faces that touch; often in both bodies
        for (int i = 0; i < 2; i++) {
            if (step % 3 != 2 && step % 3 != i) continue;
            int32_t x = fr_random_below(&r, 3), y = fr_random_below(&r, 6);
            int32_t node = x + 6 * y + (i == 0 ? 36 * 4 : 0);
            double up = fr_random_range(&r, -0.1, 0.1);
            fr_add3(box[i].p, node, fr_vec3(fr_random_range(&r, 0, 0.2), 0.01, up));
            fr_add3(box[i].p, node + 3, fr_vec3(fr_random_range(&r, -0.2, 0), 0.01, up));
        }
        CHECK_OK(ctx, fr_contact_detect(scene, all_items, 2, 1e-6, &list));
        missing += brute_force(scene, &box[0], &box[1], 0, 1, &list);
        missing += brute_force(scene, &box[0], &box[0], 0, 0, &list);
        missing += brute_force(scene, &box[1], &box[1], 1, 1, &list);
        for (int32_t k = 0; k < list.count; k++) {
            self += list.contact[k].a == list.contact[k].b;
            twice += k && list.contact[k - 1].key >= list.contact[k].key;
        }
    }
    CHECK_INT(missing, 0);
    CHECK_INT(twice, 0);
    CHECK(self > 100);
    FrContactStats last = fr_contact_stats(scene);
    CHECK(last.refits - first.refits > 100);
    CHECK_INT(last.rebuilds, first.rebuilds);
    fr_contact_list_free(ctx, &list);
    fr_contact_scene_destroy(scene);
    for (int i = 0; i < 2; i++) kit_box_free(&box[i]);
    fr_context_destroy(ctx);
}

// M29 tree_cache: motion within v dt_h + skin walks no tree again
TEST(tree_cache) {
    FrContext *ctx = make_context(1);
    FrContactScene *scene;
    CHECK_OK(ctx, fr_contact_scene_create(ctx, NULL, &scene));
    KitBox box[2] = {kit_box(3, 3, 3, 0.1), kit_box(3, 3, 3, 0.1)};
    FrVec3 v = {0.3, -0.2, -0.4};
    kit_move(&box[1], fr_vec3(0.01, 0.02, 0.31));
    for (int32_t k = 0; k < box[1].node_count; k++) fr_set3(box[1].v, k, v);
    for (int i = 0; i < 2; i++) {
        FrShapeView view = kit_view(&box[i]);
        int32_t item;
        CHECK_OK(ctx, fr_contact_add_body(scene, &view, true, &item));
    }
    FrContactList list = {0};
    double dt = 1e-3; // the horizon is 100 steps
    CHECK_OK(ctx, fr_contact_detect(scene, all_items, 2, dt, &list));
    FrContactStats first = fr_contact_stats(scene);
    FrRandom r = fr_random_for(3, "cache", 0);
    for (int step = 1; step <= 100; step++) {
        // along v, with a jitter below the skin of 2 % of the mean edge, which is over 0.1
        for (int32_t k = 0; k < box[1].node_count; k++) {
            FrVec3 p = fr_add(fr_get3(box[1].rest, k), fr_vec3(0.01, 0.02, 0.31));
            p = fr_axpy(dt * step, v, p);
            for (int a = 0; a < 3; a++) (&p.x)[a] += fr_random_range(&r, -0.0019, 0.0019);
            fr_set3(box[1].p, k, p);
        }
        CHECK_OK(ctx, fr_contact_detect(scene, all_items, 2, dt, &list));
    }
    FrContactStats last = fr_contact_stats(scene);
    CHECK_INT(last.traversals, first.traversals);
    CHECK_INT(last.refits, first.refits);
    CHECK(list.count > 10);
    kit_move(&box[1], fr_scale(0.2, v)); // and beyond
    CHECK_OK(ctx, fr_contact_detect(scene, all_items, 2, dt, &list));
    CHECK(fr_contact_stats(scene).traversals > last.traversals);
    fr_contact_list_free(ctx, &list);
    fr_contact_scene_destroy(scene);
    for (int i = 0; i < 2; i++) kit_box_free(&box[i]);
    fr_context_destroy(ctx);
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
    for (int i = 0; i < 3; i++) swing(&z->box[i], fr_vec3(0.2 * i, 0, 0), t, i, 0.3);
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
                CHECK_NEAR(fr_length(c->n), 1.0, 1e-14);
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

// a tet pushed wholly into another keeps the direction it came from; without a past it takes the
// nearest way out
TEST(swallowed_tet_remembers) {
    FrContext *ctx = make_context(1);
    double big[12] = {-1, -1, 0, 1, -1, 0, 0, 1, 0, 0, 0, -2}, small[12], still[12] = {0};
    double shape[12] = {-.1, -.1, 0, .1, -.1, 0, 0, .1, 0, 0, 0, -.15};
    int32_t tet[2][1][4] = {{{0, 2, 1, 3}}, {{0, 2, 1, 3}}};
    FrShapeView vb = {4, 1, big, still, (const int32_t(*)[4])tet[0], 1, NULL, NULL};
    FrShapeView vs = {4, 1, small, still, (const int32_t(*)[4])tet[1], 1, NULL, NULL};
    double place[3][3] = {{0, -0.5, 0.05}, {0, -0.6, -0.1}, {0, -0.7, -0.3}};
    FrContactList list = {0};
    FrVec3 before = {0, 0, 0};
    for (int run = 0; run < 2; run++) {
        FrContactScene *scene;
        int32_t item;
        CHECK_OK(ctx, fr_contact_scene_create(ctx, NULL, &scene));
        CHECK_OK(ctx, fr_contact_add_body(scene, &vb, false, &item));
        memcpy(small, shape, sizeof small);
        CHECK_OK(ctx, fr_contact_add_body(scene, &vs, false, &item));
        for (int step = run ? 2 : 0; step < 3; step++) {
            for (int k = 0; k < 12; k++) small[k] = shape[k] + place[step][k % 3];
            CHECK_OK(ctx, fr_contact_detect(scene, all_items, 2, 1e-3, &list));
            CHECK_INT(list.count, 1);
            if (step == 0) before = list.contact[0].n;
            if (!run) CHECK(fr_distance(list.contact[0].n, before) < 1e-12);
        }
        // it came in through the top; the nearest way out is through the side (0, -2, -1)
        FrVec3 top = {0, 0, -1}, side = {0, 2 / sqrt(5.0), 1 / sqrt(5.0)};
        CHECK(fr_distance(list.contact[0].n, run ? side : top) < 1e-12);
        CHECK_NEAR(list.contact[0].volume, 0.2 * 0.2 / 2 * 0.15 / 3, 1e-15);
        fr_contact_scene_destroy(scene);
    }
    fr_contact_list_free(ctx, &list);
    fr_context_destroy(ctx);
}

// planes, spheres: all orders of adding, small ball inside one tet, closed forms between shapes
TEST(shapes_against_tets) {
    FrContext *ctx = make_context(1);
    FrContactScene *scene;
    int32_t plane, body, ball, other;
    KitBox box = kit_box(2, 2, 2, 0.5); // -0.5 .. 0.5
    FrShapeView view = kit_view(&box);
    CHECK_OK(ctx, fr_contact_scene_create(ctx, NULL, &scene));
    CHECK_OK(ctx, fr_contact_add_plane(scene, fr_vec3(0, 0, 1), -0.49, &plane));
    CHECK_OK(ctx, fr_contact_add_sphere(scene, fr_vec3(0, 0, 5), 0.01, &ball));
    CHECK_OK(ctx, fr_contact_add_body(scene, &view, false, &body));
    CHECK_OK(ctx, fr_contact_add_sphere(scene, fr_vec3(0, 0, 5.015), 0.01, &other));
    FrContactList list = {0};
    CHECK_OK(ctx, fr_contact_detect(scene, all_items, 4, 1e-3, &list));
    double volume = 0, area = 0, lens = 0;
    for (int32_t k = 0; k < list.count; k++) {
        const FrContact *c = &list.contact[k];
        if (c->b == plane) {
            CHECK_INT(c->a, body);
            CHECK(c->n.z == 1.0);
            volume += c->volume, area += c->area;
        } else {
            CHECK(c->a == ball && c->b == other && c->pa.tet == -1 && c->pb.tet == -1);
            CHECK_NEAR(c->n.z, -1.0, 1e-12); // pushes the lower one down
            CHECK_NEAR(c->depth, 0.005, 1e-12);
            CHECK_NEAR(c->pa.b[2], 0.0075, 1e-12);
            lens += c->volume;
        }
    }
    // tets that have only an edge or a corner on the surface are left out: a part depth / cell
    CHECK_CLOSE(volume, 0.01, 0.03);
    CHECK_CLOSE(area, 1.0, 0.06);
    CHECK_CLOSE(lens, 2 * FR_PI * 2.5e-3 * 2.5e-3 * (0.03 - 2.5e-3) / 3, 1e-12);
    // the ball inside one surface tet: its whole volume, pushed out through the top
    fr_contact_set_sphere(scene, ball, fr_vec3(0.1, 0.3, 0.48), fr_vec3_zero);
    CHECK_OK(ctx, fr_contact_detect(scene, all_items, 4, 1e-3, &list));
    volume = 0;
    for (int32_t k = 0; k < list.count; k++) {
        if (list.contact[k].b != ball) continue;
        volume += list.contact[k].volume;
        CHECK_NEAR(list.contact[k].n.z, -1.0, 1e-12);
    }
    CHECK_CLOSE(volume, 4.0 / 3 * FR_PI * 1e-6, 1e-9);
    // subsets: only the named items are looked at
    int32_t two[2] = {ball, other};
    CHECK_OK(ctx, fr_contact_detect(scene, two, 2, 1e-3, &list));
    CHECK_INT(list.count, 0);
    CHECK_OK(ctx, fr_contact_detect(scene, two, 0, 1e-3, &list));
    CHECK_INT(list.count, 0);
    // bounds
    for (int32_t k = 0; k < box.node_count; k++) fr_set3(box.v, k, fr_vec3(1, 0, -2));
    FrBox b = fr_contact_bounds(scene, body, 0.5);
    CHECK_NEAR(b.hi.x, 1.0, 1e-15);
    CHECK_NEAR(b.lo.z, -1.5, 1e-15);
    CHECK(isinf(fr_contact_bounds(scene, plane, 1).hi.x));
    CHECK_NEAR(fr_contact_bounds(scene, ball, 1).hi.z, 0.49, 1e-15);
    fr_contact_list_free(ctx, &list);
    fr_contact_scene_destroy(scene);
    kit_box_free(&box);
    fr_context_destroy(ctx);
}

// S2's criterion: depth of nodes, area they stand for, reaction on the entered tet  [S2 s. 3.3]
TEST(node_penetration) {
    FrContext *ctx = make_context(1);
    FrContactOptions options = fr_contact_options_default();
    options.node_penetration = true;
    FrContactScene *scene;
    int32_t item;
    KitBox low = kit_box(2, 2, 2, 0.5), high = kit_box(1, 1, 1, 0.4);
    kit_move(&high, fr_vec3(0.03, 0.02, 0.5 + 0.2 - 0.01));
    FrShapeView vl = kit_view(&low), vh = kit_view(&high);
    CHECK_OK(ctx, fr_contact_scene_create(ctx, &options, &scene));
    CHECK_OK(ctx, fr_contact_add_body(scene, &vl, false, &item));
    CHECK_OK(ctx, fr_contact_add_body(scene, &vh, false, &item));
    CHECK_OK(ctx, fr_contact_add_plane(scene, fr_vec3(0, 0, 1), -0.47, &item));
    FrContactList list = {0};
    CHECK_OK(ctx, fr_contact_detect(scene, all_items, 3, 1e-3, &list));
    int in_low = 0, in_high = 0, in_plane = 0;
    double area = 0, plane_area = 0;
    for (int32_t k = 0; k < list.count; k++) {
        const FrContact *c = &list.contact[k];
        if (c->b == 2) {
            in_plane++;
            CHECK_NEAR(c->depth, 0.03, 1e-14);
            plane_area += c->area;
            continue;
        }
        in_low += c->a == 1, in_high += c->a == 0;
        CHECK_NEAR(c->depth, 0.01, 1e-14);
        CHECK_NEAR(c->n.z, c->a == 1 ? 1.0 : -1.0, 1e-14);
        area += c->a == 1 ? c->area : 0.0;
        FrVec3 x = fr_vec3_zero;
        const KitBox *b = c->b == 0 ? &low : &high;
        for (int i = 0; i < 4; i++) {
            CHECK(c->pb.b[i] >= 0.0);
            x = fr_axpy(c->pb.b[i], fr_get3(b->p, b->tet[c->pb.tet][i]), x);
        }
        CHECK(fr_distance(x, c->x) < 1e-14); // so force and moment balance exactly
    }
    CHECK_INT(in_low, 4);
    CHECK_INT(in_high, 1); // the middle node of the lower box's top
    CHECK_INT(in_plane, 9);
    // bottom of the upper box is 0.16 m^2, half its surface tets' share goes to it: 4 corners carry
    // 0.16 of the bottom and as much again of the sides, half of all that
    CHECK_CLOSE(area, 0.5 * (0.16 + 4 * 0.16 / 2), 1e-12);
    CHECK_CLOSE(plane_area, 1.0 + 4 * 0.5 * 0.5, 1e-12); // bottom, and half of the lower side cells
    fr_contact_list_free(ctx, &list);
    fr_contact_scene_destroy(scene);
    kit_box_free(&low);
    kit_box_free(&high);
    fr_context_destroy(ctx);
}

// a small body sunk deep inside a large one is found with `inside` only
TEST(deep_inside) {
    FrContext *ctx = make_context(1);
    KitBox large = kit_box(5, 5, 5, 0.2), small = kit_box(1, 1, 1, 0.15);
    int found[2];
    for (int inside = 0; inside < 2; inside++) {
        FrContactOptions options = fr_contact_options_default();
        options.inside = inside;
        FrContactScene *scene;
        int32_t item;
        FrShapeView vl = kit_view(&large), vs = kit_view(&small);
        CHECK_OK(ctx, fr_contact_scene_create(ctx, &options, &scene));
        CHECK_OK(ctx, fr_contact_add_body(scene, &vl, false, &item));
        CHECK_OK(ctx, fr_contact_add_body(scene, &vs, false, &item));
        FrContactList list = {0};
        CHECK_OK(ctx, fr_contact_detect(scene, all_items, 2, 1e-3, &list));
        found[inside] = list.count;
        double volume = 0;
        for (int32_t k = 0; k < list.count; k++) volume += list.contact[k].volume;
        if (inside) CHECK_CLOSE(volume, 0.15 * 0.15 * 0.15, 1e-8);
        fr_contact_list_free(ctx, &list);
        fr_contact_scene_destroy(scene);
    }
    CHECK_INT(found[0], 0);
    CHECK(found[1] > 0);
    kit_box_free(&large);
    kit_box_free(&small);
    fr_context_destroy(ctx);
}

// tets taken away: the leaves follow the view's topology number
TEST(topology_changes) {
    FrContext *ctx = make_context(1);
    KitBox box = kit_box(3, 3, 3, 0.1);
    FrShapeView view = kit_view(&box);
    FrContactScene *scene;
    int32_t item;
    FrContactList list = {0};
    CHECK_OK(ctx, fr_contact_scene_create(ctx, NULL, &scene));
    CHECK_OK(ctx, fr_contact_add_body(scene, &view, true, &item));
    CHECK_OK(ctx, fr_contact_add_sphere(scene, fr_vec3_zero, 0.02, &item));
    CHECK_OK(ctx, fr_contact_detect(scene, all_items, 2, 1e-3, &list));
    double volume = 0; // deep inside, where no surface tet is near: spheres see all tets
    for (int32_t k = 0; k < list.count; k++) volume += list.contact[k].volume;
    // 80 planes enclose the ball's volume; a tet sees 19 of its own where it is narrow
    CHECK_CLOSE(volume, 4.0 / 3.0 * FR_PI * 8e-6, 0.02);
    int32_t before = scene->item.data[0].body.leaf_count;
    view.tet_count =
        6 * 14; // the middle cell is the last one left: its tets are on the surface now
    view.topology = 2;
    fr_contact_set_view(scene, 0, &view);
    CHECK_OK(ctx, fr_contact_detect(scene, all_items, 2, 1e-3, &list));
    CHECK(scene->item.data[0].body.leaf_count != before);
    CHECK(list.count > 0);
    // bad meshes are refused, with words
    int32_t wrong[1][4] = {{0, 1, 2, 99}};
    FrShapeView bad = {4, 1, box.p, box.v, (const int32_t(*)[4])wrong, 1, NULL, NULL};
    CHECK_INT(fr_contact_add_body(scene, &bad, false, &item), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "node 99");
    CHECK_INT(fr_contact_add_plane(scene, fr_vec3_zero, 0, &item), FR_BAD_INPUT);
    CHECK_INT(fr_contact_add_sphere(scene, fr_vec3_zero, -1, &item), FR_BAD_INPUT);
    fr_contact_list_free(ctx, &list);
    fr_contact_scene_destroy(scene);
    kit_box_free(&box);
    fr_context_destroy(ctx);
}

// items and tets beyond what the packed key holds
TEST(keys) {
    CHECK(fr_contact_key(3, 5, 7, 9) < fr_contact_key(3, 5, 8, 0));
    CHECK(fr_contact_key(3, 5, 7, 9) < fr_contact_key(3, 6, 0, 0));
    CHECK(fr_contact_key(1023, 2047, 2097150, 2097150) >> 63 == 0);
    CHECK(fr_contact_key(1024, 5, 7, 9) >> 63 == 1);
    CHECK(fr_contact_key(1024, 5, 7, 9) != fr_contact_key(1024, 5, 7, 10));
    CHECK(fr_contact_key(3, 5, 2097151, 9) >> 63 == 1);
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

static double least_along(const FrClipTet *tet, FrVec3 n) {
    double least = HUGE_VAL;
    for (int i = 0; i < 4; i++) least = fmin(least, fr_dot(n, fr_clip_tet_corner(tet, i)));
    return least;
}

// how far one of two tets has to go along a normal of a face of either
static double way_of_tets(const FrClipTet *a, const FrClipTet *b) {
    double way = HUGE_VAL;
    for (int k = 0; k < 8; k++) {
        const FrClipTet *of = k < 4 ? a : b, *other = k < 4 ? b : a;
        FrVec3 at[4];
        for (int i = 0; i < 4; i++) at[i] = fr_clip_tet_corner(of, (k + i) % 4); // 0: opposite
        FrVec3 n = fr_normalize(fr_cross(fr_sub(at[2], at[1]), fr_sub(at[3], at[1])));
        if (fr_dot(n, fr_sub(at[1], at[0])) < 0.0) n = fr_neg(n);
        way = fmin(way, fr_dot(n, at[1]) - least_along(other, n));
    }
    return way;
}

// how far the contact's tet of a has to go to leave a plane, a ball or a tet of b
static double way_out(const FrContact *c, const KitBox *a, const KitBox *b, FrVec3 centre,
                      double radius) {
    FrClipTet ta = frame_of(a, c->pa.tet);
    if (c->pb.tet < 0) return fr_dot(c->n, centre) + radius - least_along(&ta, c->n);
    FrClipTet tb = frame_of(b, c->pb.tet);
    return way_of_tets(&ta, &tb);
}

// what is all but swallowed shows hardly any surface, and volume / surface has no bound: no overlap
// is deeper than its way out; what is wholly inside is that deep
TEST(no_overlap_is_deeper_than_its_way_out) {
    FrContext *ctx = make_context(1);
    FrContactScene *scene;
    int32_t item;
    KitBox large = kit_box(1, 1, 1, 1.0), small = kit_box(1, 1, 1, 0.1);
    FrShapeView view[2] = {kit_view(&small), kit_view(&large)};
    FrVec3 centre = {0, 0, -0.6};
    double radius = 0.3, floor = -0.52;
    CHECK_OK(ctx, fr_contact_scene_create(ctx, NULL, &scene));
    for (int i = 0; i < 2; i++) CHECK_OK(ctx, fr_contact_add_body(scene, &view[i], false, &item));
    CHECK_OK(ctx, fr_contact_add_sphere(scene, centre, radius, &item));
    CHECK_OK(ctx, fr_contact_add_plane(scene, fr_vec3(0, 0, 1), floor, &item));
    FrContactList list = {0};
    int count[4] = {0}, bounded = 0;
    kit_move(&small, fr_vec3(0.31, 0.07, 0.6));
    for (int step = 0; step < 1400; step++) {
        kit_move(&small, fr_vec3(-0.0002, 0, -0.001));
        CHECK_OK(ctx, fr_contact_detect(scene, all_items, 4, 1e-3, &list));
        for (int32_t k = 0; k < list.count; k++) {
            const FrContact *c = &list.contact[k];
            if (c->a != 0) continue;
            double way = c->b == 3 ? way_out(c, &small, NULL, fr_vec3(0, 0, floor), 0.0)
                                   : way_out(c, &small, &large, centre, radius);
            double ratio = c->volume / fr_length(c->area_normal);
            CHECK(c->depth <= way * (1 + 1e-9));
            if (ratio < 0.999 * way) CHECK_CLOSE(c->depth, ratio, 1e-12);
            bounded += !(ratio < way);
            count[c->b]++;
        }
    }
    CHECK(count[1] > 1000 && count[2] > 100 && count[3] > 1000 && bounded > 100);
    fr_contact_list_free(ctx, &list);
    fr_contact_scene_destroy(scene);
    kit_box_free(&large), kit_box_free(&small);
    fr_context_destroy(ctx);
}

// the measurement measures what it says: two boxes at rest, nothing walked again
TEST(bench_rests) {
    FrContext *ctx = make_context(2);
    FrContactBench bench;
    CHECK_OK(ctx, fr_contact_bench(ctx, 4, 5, &bench));
    CHECK_INT(bench.tets, 2 * 6 * 64);
    CHECK_INT(bench.traversals, 0);
    CHECK(bench.contacts > 50 && bench.candidates > bench.contacts);
    CHECK(bench.seconds > 0 && bench.seconds_renew > 0);
    CHECK(bench.seconds_ball > 0 && bench.ball_contacts > 5);
    fr_context_destroy(ctx);
}

/// Three boxes in one body: each reaches into the next.
typedef struct Three {
    FrContext *ctx;
    double p[3 * 3 * 27], v[3 * 3 * 27];
    int32_t tet[3 * 48][4], rigid[3 * 48];
} Three;

static FrShapeView three_view(const Three *t, const int32_t *rigid) {
    return (FrShapeView){.node_count = 3 * 27,
                         .tet_count = 3 * 48,
                         .p = t->p,
                         .v = t->v,
                         .tet = (const int32_t(*)[4])t->tet,
                         .topology = 1,
                         .rigid = rigid};
}

static void three_make(Three *t) {
    KitBox box = kit_box(2, 2, 2, 0.1);
    for (int32_t k = 0; k < 3; k++) {
        for (int32_t n = 0; n < 27; n++) {
            FrVec3 x = fr_add(fr_get3(box.rest, n), fr_vec3(0.17 * k, 0.013 * k, 0.021 * k));
            fr_set3(t->p, 27 * k + n, x);
            fr_set3(t->v, 27 * k + n, fr_vec3_zero);
        }
        for (int32_t e = 0; e < 48; e++) {
            for (int i = 0; i < 4; i++) t->tet[48 * k + e][i] = box.tet[e][i] + 27 * k;
            t->rigid[48 * k + e] = k < 2 ? 7 : 8; // the first two are one piece
        }
    }
    kit_box_free(&box);
}

static FrContactScene *three_scene(const Three *t, const int32_t *rigid) {
    FrContactScene *scene;
    int32_t item;
    FrShapeView view = three_view(t, rigid);
    CHECK_OK(t->ctx, fr_contact_scene_create(t->ctx, NULL, &scene));
    CHECK_OK(t->ctx, fr_contact_add_body(scene, &view, true, &item));
    return scene;
}

static bool same_push(const FrContact *x, const FrContact *y) {
    return x->key == y->key && x->volume == y->volume && x->depth == y->depth &&
           fr_distance(x->x, y->x) == 0.0 && fr_distance(x->n, y->n) == 0.0;
}

// Tets of one rigid piece are never paired, told at first or when candidates are listed already;
// with tets of other pieces they touch as before, bit for bit.
TEST(a_rigid_piece_does_not_touch_itself) {
    Three t = {.ctx = make_context(1)};
    three_make(&t);
    FrContactScene *bends = three_scene(&t, NULL), *later = three_scene(&t, NULL),
                   *stiff = three_scene(&t, t.rigid);
    FrContactList all = {0}, some = {0}, told = {0};
    int32_t item = 0, between = 0, within = 0, different = 0;
    CHECK_OK(t.ctx, fr_contact_detect(later, &item, 1, 1e-3, &told));
    FrShapeView view = three_view(&t, t.rigid);
    fr_contact_set_view(later, 0, &view);
    CHECK_OK(t.ctx, fr_contact_detect(bends, &item, 1, 1e-3, &all));
    CHECK_OK(t.ctx, fr_contact_detect(stiff, &item, 1, 1e-3, &some));
    CHECK_OK(t.ctx, fr_contact_detect(later, &item, 1, 1e-3, &told));
    CHECK_INT(told.count, some.count);
    for (int32_t k = 0; k < all.count; k++) {
        const FrContact *c = &all.contact[k];
        if (t.rigid[c->pa.tet] == t.rigid[c->pb.tet]) {
            within++;
            continue;
        }
        CHECK(between < some.count);
        different += !same_push(c, &some.contact[between]) + !same_push(c, &told.contact[between]);
        between++;
    }
    CHECK(within > 10 && between > 10);
    CHECK_INT(between, some.count);
    CHECK_INT(different, 0);
    // what is not listed costs nothing
    CHECK(fr_contact_stats(stiff).candidates < fr_contact_stats(bends).candidates);
    fr_contact_list_free(t.ctx, &all);
    fr_contact_list_free(t.ctx, &some);
    fr_contact_list_free(t.ctx, &told);
    fr_contact_scene_destroy(bends);
    fr_contact_scene_destroy(later);
    fr_contact_scene_destroy(stiff);
    fr_context_destroy(t.ctx);
}
