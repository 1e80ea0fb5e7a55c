// contact_stage.h: a ground plane and up to three bodies, detected and pushed each step.
#pragma once
#include "test.h"
#include "contact_kit.h"
#include "context.h"
#include "penalty_plain.h"

#define STAGE_CONTACTS 20000
static FrContactForce stage_force[STAGE_CONTACTS];
static const int32_t stage_items[4] = {0, 1, 2, 3};
static const FrVec3 stage_down = {0, 0, -9.81};

/// Item 0 is the ground.
typedef struct Stage {
    FrContext *ctx;
    FrContactScene *scene;
    FrContactList list;
    FrStick *stick;
    FrPenaltyOptions options;
    FrMover mover[4];
    FrVec3 on_ground; ///< N, of the last push
} Stage;

static inline void stage_open(Stage *s, FrContext *ctx, FrVec3 normal, double mu_s, double mu_d,
                              double restitution) {
    int32_t item;
    *s = (Stage){.ctx = ctx, .options = fr_penalty_options_default()};
    CHECK_OK(ctx, fr_contact_scene_create(ctx, NULL, &s->scene));
    CHECK_OK(ctx, fr_contact_add_plane(s->scene, normal, 0.0, &item));
    CHECK_OK(ctx, fr_stick_create(ctx, &s->stick));
    s->mover[0] = kit_ground(&s->on_ground, mu_s, mu_d, restitution);
}

static inline void stage_add(Stage *s, const KitBox *box, FrMover mover) {
    FrShapeView view = kit_view(box);
    int32_t item;
    CHECK_OK(s->ctx, fr_contact_add_body(s->scene, &view, false, &item));
    s->mover[item] = mover;
}

static inline void stage_close(Stage *s) {
    fr_contact_list_free(s->ctx, &s->list);
    fr_contact_scene_destroy(s->scene);
    fr_stick_destroy(s->stick);
}

/// Detect and push; returns the sum of k vol, N.
static inline double stage_push(Stage *s, int32_t count, double dt, bool with_stick) {
    CHECK_OK(s->ctx, fr_contact_detect(s->scene, stage_items, count, dt, &s->list));
    FR_ASSERT(s->list.count <= STAGE_CONTACTS, "make the test smaller");
    s->on_ground = fr_vec3_zero;
    if (with_stick) {
        CHECK_OK(s->ctx, fr_penalty_step(&(FrMeeting){&s->list, s->mover, stage_items, count},
                                         &s->options, dt, s->stick, stage_force));
    } else {
        penalty_apply(&s->list, s->mover, &s->options, dt, stage_force);
    }
    double sum = 0.0;
    FrPairLaw law = {.a = -1};
    for (int32_t k = 0; k < s->list.count; k++) {
        const FrContact *c = &s->list.contact[k];
        if (c->a != law.a || c->b != law.b) law = fr_pair_law(c, s->mover, &s->options);
        sum += law.k * c->volume;
    }
    return sum;
}
