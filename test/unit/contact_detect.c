// contact_detect.c: what detection finds are all pairs that touch, whatever trees and caches spare.

#include "contact_boxes.h"
#include "contact/bench.h"

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
    for (int32_t j = 0; j < bb->leaf_count; j++) of_b[j] = box_tet(b, bb->leaf_tet[j]);
    int missing = 0;
    for (int32_t i = 0; i < ba->leaf_count; i++) {
        FrClipTet ta = box_tet(a, ba->leaf_tet[i]);
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

// M29 tree_superset: at every step of a random motion the contacts are exactly those of all pairs;
// no pair shares a node; all four strategies (keep, mend, refit, build) happen
TEST(detection_equals_brute_force) {
    FrContactOptions options = fr_contact_options_default();
    options.horizon = 0.02;
    options.rebuild_every = 17;
    Boxes b =
        boxes_open(2, &options, true, kit_box(3, 2, 2, 0.25), kit_box(2, 3, 2, 0.25), fr_vec3_zero);
    KitBox *box = b.box;
    int hits = 0, adjacent = 0, missing = 0, unsorted = 0, self = 0;
    for (int step = 0; step < 150; step++) {
        // sometimes only a few nodes move: those boxes are mended
        if (step % 3 == 2)
            fr_add3(box[0].p, step % box[0].node_count, fr_vec3(0.02, 0.01, 0.03));
        else
            for (int i = 0; i < 2; i++)
                box_swing(&box[i], fr_vec3(0.2 * i, 0, 0), 0.01 * step, i, 0.9);
        boxes_detect(&b, 2, 0.01);
        hits += b.list.count;
        for (int32_t k = 0; k < b.list.count; k++) {
            const FrContact *c = &b.list.contact[k];
            if (k) unsorted += b.list.contact[k - 1].key >= c->key;
            if (c->a == c->b) self++, adjacent += joined(&box[c->a], c->pa.tet, c->pb.tet);
        }
        missing += brute_force(b.scene, &box[0], &box[1], 0, 1, &b.list);
        missing += brute_force(b.scene, &box[0], &box[0], 0, 0, &b.list);
        missing += brute_force(b.scene, &box[1], &box[1], 1, 1, &b.list);
    }
    CHECK_INT(missing, 0);
    CHECK_INT(adjacent, 0);
    CHECK_INT(unsorted, 0);
    CHECK(hits > 1000);
    CHECK(self > 0); // it was bent enough to reach itself
    FrContactStats stats = fr_contact_stats(b.scene);
    CHECK(stats.rebuilds >= 2 * 150 / 17 && stats.refits > 20);
    CHECK(stats.traversals < 3 * stats.detections);
    boxes_close(&b);
}

// single nodes jump: their leaves are mended and walked alone, on either side and against
// themselves
TEST(mended_leaves_equal_brute_force) {
    Boxes b = boxes_open(1, NULL, true, kit_box(5, 5, 4, 0.1), kit_box(5, 5, 4, 0.1),
                         fr_vec3(0.03, 0.02, 0.39));
    KitBox *box = b.box;
    boxes_detect(&b, 2, 1e-6);
    FrContactStats first = fr_contact_stats(b.scene);
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
        boxes_detect(&b, 2, 1e-6);
        missing += brute_force(b.scene, &box[0], &box[1], 0, 1, &b.list);
        missing += brute_force(b.scene, &box[0], &box[0], 0, 0, &b.list);
        missing += brute_force(b.scene, &box[1], &box[1], 1, 1, &b.list);
        for (int32_t k = 0; k < b.list.count; k++) {
            self += b.list.contact[k].a == b.list.contact[k].b;
            twice += k && b.list.contact[k - 1].key >= b.list.contact[k].key;
        }
    }
    CHECK_INT(missing, 0);
    CHECK_INT(twice, 0);
    CHECK(self > 100);
    FrContactStats last = fr_contact_stats(b.scene);
    CHECK(last.refits - first.refits > 100);
    CHECK_INT(last.rebuilds, first.rebuilds);
    boxes_close(&b);
}

// M29 tree_cache: motion within v dt_h + skin walks no tree again
TEST(tree_cache) {
    FrVec3 v = {0.3, -0.2, -0.4}, at = {0.01, 0.02, 0.31};
    Boxes b = boxes_open(1, NULL, true, kit_box(3, 3, 3, 0.1), kit_box(3, 3, 3, 0.1), at);
    KitBox *moving = &b.box[1];
    for (int32_t k = 0; k < moving->node_count; k++) fr_set3(moving->v, k, v);
    double dt = 1e-3; // the horizon is 100 steps
    boxes_detect(&b, 2, dt);
    FrContactStats first = fr_contact_stats(b.scene);
    FrRandom r = fr_random_for(3, "cache", 0);
    for (int step = 1; step <= 100; step++) {
        // along v, with a jitter below the skin of 2 % of the mean edge, which is over 0.1
        for (int32_t k = 0; k < moving->node_count; k++) {
            FrVec3 p = fr_add(fr_get3(moving->rest, k), at);
            p = fr_axpy(dt * step, v, p);
            for (int a = 0; a < 3; a++) (&p.x)[a] += fr_random_range(&r, -0.0019, 0.0019);
            fr_set3(moving->p, k, p);
        }
        boxes_detect(&b, 2, dt);
    }
    FrContactStats last = fr_contact_stats(b.scene);
    CHECK_INT(last.traversals, first.traversals);
    CHECK_INT(last.refits, first.refits);
    CHECK(b.list.count > 10);
    kit_move(moving, fr_scale(0.2, v)); // and beyond
    boxes_detect(&b, 2, dt);
    CHECK(fr_contact_stats(b.scene).traversals > last.traversals);
    boxes_close(&b);
}

// The boxes round tets reach as far as their nodes get in 100 steps, and 1/50 of the mean edge
// further: so far nothing is made anew, and beyond it is.
TEST(boxes_last_as_long_as_they_reach) {
    for (int k = 0; k < 2; k++) {
        Boxes b = boxes_open(1, NULL, true, kit_box(3, 3, 3, 0.1), kit_box(3, 3, 3, 0.1),
                             fr_vec3(0, 0, 0.31));
        double dt = 1e-3, speed = k ? 2.0 : 0.0;
        for (int32_t n = 0; n < b.box[1].node_count; n++) b.box[1].v[3 * n] = speed;
        boxes_detect(&b, 2, dt);
        FrContactStats first = fr_contact_stats(b.scene);
        double skin = 0.02 * b.scene->item.data[1].body.edge, far = 100 * dt * speed + skin;
        kit_move(&b.box[1], fr_vec3(0.9 * far, 0, 0));
        boxes_detect(&b, 2, dt);
        CHECK_INT(fr_contact_stats(b.scene).refits, first.refits);
        kit_move(&b.box[1], fr_vec3(0.2 * far, 0, 0));
        boxes_detect(&b, 2, dt);
        CHECK_INT(fr_contact_stats(b.scene).refits, first.refits + 1);
        boxes_close(&b);
    }
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
    // mesh: 80 planes enclose the ball's volume; a tet sees 19 of its own where it is narrow
    CHECK_CLOSE(volume, 4.0 / 3.0 * FR_PI * 8e-6, 0.02);
    int32_t before = scene->item.data[0].body.leaf_count;
    view.tet_count = 6 * 14; // the middle cell is the last one left, on the surface now
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
