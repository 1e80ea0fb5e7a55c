// contact_shapes.c: what a contact says of two things that overlap: way, depth, volume and area, of
// tets, planes and balls, by volume or by nodes; and what is never paired.

#include "contact_boxes.h"

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
    // rounding: normals and volumes of a dozen operations
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
            // rounding: places near 5 m
            CHECK_NEAR(c->n.z, -1.0, 1e-12); // pushes the lower one down
            CHECK_NEAR(c->depth, 0.005, 1e-12);
            CHECK_NEAR(c->pa.b[2], 0.0075, 1e-12);
            lens += c->volume;
        }
    }
    // rounding: tets that have only an edge or a corner on the surface count, too
    CHECK_CLOSE(volume, 0.01, 1e-12);
    CHECK_CLOSE(area, 1.0, 1e-12);
    // rounding: a sphere of 1 cm, 5 m away
    CHECK_CLOSE(lens, 2 * FR_PI * 2.5e-3 * 2.5e-3 * (0.03 - 2.5e-3) / 3, 1e-12);
    // the ball inside one surface tet: its whole volume, pushed out through the top
    fr_contact_set_sphere(scene, ball, fr_vec3(0.1, 0.3, 0.48), fr_vec3_zero);
    CHECK_OK(ctx, fr_contact_detect(scene, all_items, 4, 1e-3, &list));
    volume = 0;
    for (int32_t k = 0; k < list.count; k++) {
        if (list.contact[k].b != ball) continue;
        volume += list.contact[k].volume;
        CHECK_NEAR(list.contact[k].n.z, -1.0, 1e-12); // rounding
    }
    CHECK_CLOSE(volume, 4.0 / 3 * FR_PI * 1e-6, 1e-12); // rounding
    // subsets: only the named items are looked at
    int32_t two[2] = {ball, other};
    CHECK_OK(ctx, fr_contact_detect(scene, two, 2, 1e-3, &list));
    CHECK_INT(list.count, 0);
    CHECK_OK(ctx, fr_contact_detect(scene, two, 0, 1e-3, &list));
    CHECK_INT(list.count, 0);
    // bounds
    for (int32_t k = 0; k < box.node_count; k++) fr_set3(box.v, k, fr_vec3(1, 0, -2));
    FrBox b = fr_contact_bounds(scene, body, 0.5);
    // rounding: one sum each
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
    FrContactOptions options = fr_contact_options_default();
    options.node_penetration = true;
    int32_t item; // the high box stands 0.01 deep in the low one
    Boxes b = boxes_open(1, &options, false, kit_box(2, 2, 2, 0.5), kit_box(1, 1, 1, 0.4),
                         fr_vec3(0.03, 0.02, 0.5 + 0.2 - 0.01));
    CHECK_OK(b.ctx, fr_contact_add_plane(b.scene, fr_vec3(0, 0, 1), -0.47, &item));
    boxes_detect(&b, 3, 1e-3);
    int in_low = 0, in_high = 0, in_plane = 0;
    double area = 0, plane_area = 0;
    for (int32_t k = 0; k < b.list.count; k++) {
        const FrContact *c = &b.list.contact[k];
        // rounding: of places of size 1
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
        const KitBox *box = &b.box[c->b];
        for (int i = 0; i < 4; i++) {
            CHECK(c->pb.b[i] >= 0.0);
            x = fr_axpy(c->pb.b[i], fr_get3(box->p, box->tet[c->pb.tet][i]), x);
        }
        CHECK(fr_distance(x, c->x) < 1e-14); // so force and moment balance exactly
    }
    CHECK_INT(in_low, 4);
    CHECK_INT(in_high, 1); // the middle node of the lower box's top
    CHECK_INT(in_plane, 9);
    // bottom of the upper box is 0.16 m^2, half its surface tets' share goes to it: 4 corners carry
    // 0.16 of the bottom and as much again of the sides, half of all that
    // rounding: sums of some ten areas
    CHECK_CLOSE(area, 0.5 * (0.16 + 4 * 0.16 / 2), 1e-12);
    CHECK_CLOSE(plane_area, 1.0 + 4 * 0.5 * 0.5, 1e-12); // bottom, and half of the lower side cells
    boxes_close(&b);
}

// a small body sunk deep inside a large one is found with `inside` only
TEST(deep_inside) {
    int found[2];
    for (int inside = 0; inside < 2; inside++) {
        FrContactOptions options = fr_contact_options_default();
        options.inside = inside;
        Boxes b = boxes_open(1, &options, false, kit_box(5, 5, 5, 0.2), kit_box(1, 1, 1, 0.15),
                             fr_vec3_zero);
        boxes_detect(&b, 2, 1e-3);
        found[inside] = b.list.count;
        double volume = 0;
        for (int32_t k = 0; k < b.list.count; k++) volume += b.list.contact[k].volume;
        if (inside) CHECK_CLOSE(volume, 0.15 * 0.15 * 0.15, 1e-12); // rounding
        boxes_close(&b);
    }
    CHECK_INT(found[0], 0);
    CHECK(found[1] > 0);
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
    FrClipTet ta = box_tet(a, c->pa.tet);
    if (c->pb.tet < 0) return fr_dot(c->n, centre) + radius - least_along(&ta, c->n);
    FrClipTet tb = box_tet(b, c->pb.tet);
    return way_of_tets(&ta, &tb);
}

// what is all but swallowed shows hardly any surface, and volume / surface has no bound: no overlap
// is deeper than its way out; what is wholly inside is that deep
TEST(no_overlap_is_deeper_than_its_way_out) {
    int32_t item;
    FrVec3 centre = {0, 0, -0.6};
    double radius = 0.3, floor = -0.52;
    Boxes b =
        boxes_open(1, NULL, false, kit_box(1, 1, 1, 0.1), kit_box(1, 1, 1, 1.0), fr_vec3_zero);
    KitBox *small = &b.box[0], *large = &b.box[1];
    CHECK_OK(b.ctx, fr_contact_add_sphere(b.scene, centre, radius, &item));
    CHECK_OK(b.ctx, fr_contact_add_plane(b.scene, fr_vec3(0, 0, 1), floor, &item));
    int count[4] = {0}, bounded = 0;
    kit_move(small, fr_vec3(0.31, 0.07, 0.6));
    for (int step = 0; step < 1400; step++) {
        kit_move(small, fr_vec3(-0.0002, 0, -0.001));
        boxes_detect(&b, 4, 1e-3);
        for (int32_t k = 0; k < b.list.count; k++) {
            const FrContact *c = &b.list.contact[k];
            if (c->a != 0) continue;
            double way = c->b == 3 ? way_out(c, small, NULL, fr_vec3(0, 0, floor), 0.0)
                                   : way_out(c, small, large, centre, radius);
            double ratio = c->volume / fr_length(c->area_normal);
            // rounding: the same quotients in another order
            CHECK(c->depth <= way * (1 + 1e-9));
            if (ratio < 0.999 * way) CHECK_CLOSE(c->depth, ratio, 1e-12);
            bounded += !(ratio < way);
            count[c->b]++;
        }
    }
    CHECK(count[1] > 1000 && count[2] > 100 && count[3] > 1000 && bounded > 100);
    boxes_close(&b);
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

// Tets of one rigid piece are never paired, set at first or when candidates are listed already;
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
