// contact_boxes.h: two boxes of tets in a scene of contacts, for tests of what detection finds.
#pragma once
#include "test.h"
#include "context.h"
#include "contact_kit.h"
#include "contact/contact_scene.h"

static const int32_t all_items[8] = {0, 1, 2, 3, 4, 5, 6, 7};

/// Items 0 and 1.
typedef struct Boxes {
    FrContext *ctx;
    FrContactScene *scene;
    KitBox box[2];
    FrContactList list;
} Boxes;

/// The second one at `at`; `self`: they may touch themselves. Options may be NULL.
static inline Boxes boxes_open(int32_t workers, const FrContactOptions *options, bool self,
                               KitBox first, KitBox second, FrVec3 at) {
    Boxes b = {.ctx = make_context(workers), .box = {first, second}};
    kit_move(&b.box[1], at);
    CHECK_OK(b.ctx, fr_contact_scene_create(b.ctx, options, &b.scene));
    for (int i = 0; i < 2; i++) {
        FrShapeView view = kit_view(&b.box[i]);
        int32_t item;
        CHECK_OK(b.ctx, fr_contact_add_body(b.scene, &view, self, &item));
        CHECK_INT(item, i);
    }
    return b;
}

/// The first `count` items.
static inline void boxes_detect(Boxes *b, int32_t count, double dt) {
    CHECK_OK(b->ctx, fr_contact_detect(b->scene, all_items, count, dt, &b->list));
}

static inline void boxes_close(Boxes *b) {
    fr_contact_list_free(b->ctx, &b->list);
    fr_contact_scene_destroy(b->scene);
    for (int i = 0; i < 2; i++) kit_box_free(&b->box[i]);
    fr_context_destroy(b->ctx);
}

/// A smooth random motion of every node, in steps of 0.01 s; large enough for bodies to cross.
static inline void box_swing(KitBox *box, FrVec3 at, double t, double phase, double soft) {
    FrVec3 c = {at.x + 0.6 * sin(2 * t + phase), at.y + 0.3 * cos(3 * t + phase),
                at.z + 0.5 * sin(t + 2 * phase)};
    FrQuat q = fr_quat_from_rotation(fr_vec3(t, 0.7 * t + phase, 0.3 * t));
    for (int32_t k = 0; k < box->node_count; k++) {
        FrVec3 r = fr_get3(box->rest, k);
        r = fr_axpy(soft * sin(5 * t + 4 * r.x + 3 * r.y), fr_vec3(r.y, -r.z, r.x), r);
        FrVec3 p = fr_add(c, fr_quat_rotate(q, r)), old = fr_get3(box->p, k);
        fr_set3(box->v, k, fr_scale(100.0, fr_sub(p, old)));
        fr_set3(box->p, k, p);
    }
}

/// Tet e where its nodes are now.
static inline FrClipTet box_tet(const KitBox *box, int32_t e) {
    FrClipTet tet;
    const int32_t *n = box->tet[e];
    fr_clip_tet_init(&tet, fr_get3(box->p, n[0]), fr_get3(box->p, n[1]), fr_get3(box->p, n[2]),
                     fr_get3(box->p, n[3]), 15);
    return tet;
}
