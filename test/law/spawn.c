// spawn.c: bodies that come from another one: they go on with its place, turn and motion, an
// exchange keeps momentum, and a checkpoint knows who came from whom.

#include "births_kit.h"

typedef struct Stage {
    FrContext *ctx;
    FrWorld *world;
    FrTetMesh whole, half;
    FrMaterial material;
    FrModel own;
} Stage;

static Stage stage(void) {
    Stage s = {.ctx = test_context(1)};
    s.world = test_world(s.ctx, fr_vec3_zero);
    s.whole = test_box(2, 1, 1, 0.1);
    s.half = test_box(1, 1, 1, 0.1);
    s.material = elastic_material(2e5, 0.3);
    CHECK_OK(s.ctx, fr_world_add_model(s.world, &own_model, &s.own));
    return s;
}

static void leave(Stage *s) {
    fr_world_destroy(s->world);
    test_mesh_free(&s->whole);
    test_mesh_free(&s->half);
    fr_context_destroy(s->ctx);
}

// a box of 20 x 10 x 10 cm that flies and turns about all its axes
static FrBodyId spinning(Stage *s, FrModel model, FrVec3 spin) {
    FrBodyDef def = fr_body_def_default();
    FrBodyId id;
    def.name = "box";
    def.model = model;
    def.mesh = &s->whole;
    def.material = &s->material;
    def.material_count = 1;
    def.position = fr_vec3(1.0, -2.0, 3.0);
    def.rotation = fr_quat_from_euler(fr_vec3(0.3, -0.7, 1.1));
    def.velocity = fr_vec3(0.5, 1.0, -2.0);
    def.spin = spin;
    CHECK_OK(s->ctx, fr_body_create(s->world, &def, &id));
    return id;
}

// the two halves of it: all that they say is which part of its mesh they are
static void halves(const Stage *s, FrModel model, FrBodyDef def[2]) {
    for (int k = 0; k < 2; k++) {
        def[k] = fr_body_def_default();
        def[k].model = model;
        def[k].mesh = &s->half;
        def[k].position = fr_vec3(0.1 * k, 0, 0);
    }
}

typedef struct Moments {
    FrVec3 linear, angular;
    double sum; ///< of the ledger, J
} Moments;

static Moments moments(FrWorld *world) {
    Moments m;
    FrEnergy e;
    fr_world_momentum(world, &m.linear, &m.angular);
    fr_world_energy(world, &e);
    m.sum = e.kinetic + e.elastic + e.damping + e.contact + e.plastic - e.external;
    return m;
}

static void check_moments(Moments now, Moments then) {
    CHECK(fr_distance(now.linear, then.linear) < 1e-12 * fr_length(then.linear));    // rounding
    CHECK(fr_distance(now.angular, then.angular) < 1e-10 * fr_length(then.angular)); // rounding
    CHECK(fabs(now.sum - then.sum) < 1e-12 * 20.0); // rounding: of the 20 J that it moves with
}

TEST(halves_of_a_spinning_box_keep_its_momentum) {
    Stage s = stage();
    FrBodyDef def[2];
    FrBodyId half[2], box = spinning(&s, FR_MODEL_FRAME, fr_vec3(20, -30, 40));
    test_run(s.ctx, s.world, 0.1);
    Moments before = moments(s.world);
    halves(&s, FR_MODEL_FRAME, def);
    CHECK_OK(s.ctx, fr_body_exchange(s.world, box, def, 2, half));
    check_moments(moments(s.world), before);
    CHECK(!fr_body_alive(s.world, box) && fr_body_alive(s.world, half[1]));
    const FrFrameView *view = fr_world_view(s.world);
    CHECK_INT(view->body_count, 2);
    for (int k = 0; k < 2; k++) CHECK_INT(view->body[k].parent.index1, box.index1);
    // who came from whom is reported, and then who went
    int64_t count;
    const FrEvent *event = fr_world_events(s.world, &count);
    CHECK_INT(count, 3);
    for (int k = 0; k < 2; k++) {
        CHECK_INT(event[k].kind, FR_EVENT_BIRTH);
        CHECK_INT(event[k].a.index1, half[k].index1);
        CHECK_INT(event[k].b.index1, box.index1);
    }
    CHECK_INT(event[2].kind, FR_EVENT_DEATH);
    // they touch all over and fly apart
    test_run(s.ctx, s.world, 0.3);
    check_moments(moments(s.world), before);
    CHECK(fr_world_stats(s.world).momentum_drift < TOL_MOMENTUM);
    CHECK(fr_distance(nursery_place(s.world, half[0]), nursery_place(s.world, half[1])) > 0.2);
    leave(&s);
}

// a point of the parent's mesh and of a child's, that are the same material
TEST(a_child_lies_in_its_parent_and_moves_as_it_does) {
    Stage s = stage();
    FrBodyDef def[2];
    FrBodyId id, box = spinning(&s, FR_MODEL_FRAME, fr_vec3(2, -3, 4));
    test_run(s.ctx, s.world, 0.1);
    halves(&s, FR_MODEL_FRAME, def);
    def[1].parent = box;
    CHECK_OK(s.ctx, fr_body_create(s.world, &def[1], &id));
    const FrFrameView *view = fr_world_view(s.world);
    const FrTetMesh *from = &s.whole, *to = &s.half;
    int same = 0;
    for (int32_t a = 0; a < from->node_count; a++)
        for (int32_t b = 0; b < to->node_count; b++) {
            FrVec3 x = fr_add(fr_get3(to->x, b), fr_vec3(0.1, 0, 0));
            if (fr_distance(fr_get3(from->x, a), x) > 1e-9) continue;
            FrVec3 p = fr_get3(view->frame[0].p, a), v = fr_get3(view->frame[0].v, a);
            CHECK(fr_distance(p, fr_get3(view->frame[1].p, b)) < 1e-14 * 10); // rounding
            CHECK(fr_distance(v, fr_get3(view->frame[1].v, b)) < 1e-14 * 10); // rounding
            same++;
        }
    CHECK_INT(same, to->node_count);
    leave(&s);
}

// of a body that deforms it is the mean motion; its halves go on deforming, or become rigid
TEST(a_solid_hands_on_its_mean_motion) {
    static const FrModel model[] = {FR_MODEL_FEM, FR_MODEL_FRAME};
    for (int k = 0; k < 2; k++) {
        Stage s = stage();
        FrBodyDef def[2];
        FrBodyId half[2], box = spinning(&s, FR_MODEL_FEM, fr_vec3(0, 0, 2));
        test_run(s.ctx, s.world, 0.5);
        Moments before = moments(s.world);
        FrVec3 centre = nursery_place(s.world, box);
        halves(&s, model[k], def);
        CHECK_OK(s.ctx, fr_body_exchange(s.world, box, def, 2, half));
        Moments after = moments(s.world);
        FrVec3 middle =
            fr_scale(0.5, fr_add(nursery_place(s.world, half[0]), nursery_place(s.world, half[1])));
        CHECK(fr_distance(middle, centre) < 1e-3 * 0.1); // model: it is stretched, they are not
        CHECK(fr_distance(after.linear, before.linear) <
              1e-12 * fr_length(before.linear)); // rounding
        // model: its inertia is that of what is stretched
        CHECK(fr_distance(after.angular, before.angular) < 1e-3 * fr_length(before.angular));
        CHECK_NEAR(after.sum, before.sum, 1e-12 * fabs(before.sum)); // rounding
        CHECK(fr_world_stats(s.world).momentum_drift < TOL_MOMENTUM);
        leave(&s);
    }
}

// what it says itself counts from its parent; the parent stays
TEST(a_child_may_have_more) {
    Stage s = stage();
    FrBodyId box = spinning(&s, FR_MODEL_FRAME, fr_vec3(0, 0, 5)), ball;
    FrBodyDef def = fr_body_def_default();
    def.parent = box;
    def.radius = 0.02;
    def.position = fr_vec3(0.5, 0, 0);
    def.velocity = fr_vec3(0, 0, 1);
    CHECK_OK(s.ctx, fr_body_create(s.world, &def, &ball));
    const FrBodyFrame *frame = fr_world_view(s.world)->frame;
    FrVec3 arm = fr_sub(frame[1].position, frame[0].position);
    FrVec3 wanted = fr_quat_rotate(frame[0].rotation, fr_vec3(0.5, 0, 0));
    CHECK(fr_distance(arm, wanted) < 1e-14); // rounding
    FrVec3 v = fr_add(frame[0].velocity, fr_cross(frame[0].spin, arm));
    CHECK(fr_distance(frame[1].velocity, fr_add(v, fr_vec3(0, 0, 1))) < 1e-13); // rounding
    CHECK(fr_world_view(s.world)->body[1].material.density == s.material.density);
    // of a model that nobody knows, too
    def.model = s.own;
    def.position = fr_vec3(0, 0.7, 0);
    CHECK_OK(s.ctx, fr_body_create(s.world, &def, &ball));
    def.parent = ball;
    CHECK_OK(s.ctx, fr_body_create(s.world, &def, &ball));
    leave(&s);
}

TEST(what_fails_changes_nothing) {
    Stage s = stage();
    FrBodyDef def[2];
    FrBodyId half[2], box = spinning(&s, FR_MODEL_FRAME, fr_vec3(20, -30, 40));
    test_run(s.ctx, s.world, 0.1);
    uint64_t before = checkpoint_hash(s.world);
    halves(&s, FR_MODEL_FRAME, def);
    def[1].radius = HUGE_VAL;
    CHECK_INT(fr_body_exchange(s.world, box, def, 2, half), FR_BAD_USE);
    CHECK(fr_body_alive(s.world, box) && !half[0].index1);
    CHECK(checkpoint_hash(s.world) == before);
    def[1].radius = 0.0;
    CHECK_OK(s.ctx, fr_body_exchange(s.world, box, def, 2, half));
    CHECK_INT(half[0].index1, box.index1 + 1); // no number was lost
    CHECK_INT(fr_body_exchange(s.world, box, def, 2, half), FR_BAD_USE);
    CHECK_HAS(fr_context_message(s.ctx), "stale");
    def[0].parent = box;
    def[0].name = "child";
    CHECK_INT(fr_body_create(s.world, &def[0], &half[0]), FR_BAD_USE);
    CHECK_HAS(fr_context_message(s.ctx), "parent of child: body 1 is gone");
    leave(&s);
}

TEST(a_checkpoint_knows_who_came_from_whom) {
    Stage s = stage(), copy = stage();
    FrBodyDef def[2];
    FrBodyId half[2], box = spinning(&s, FR_MODEL_FEM, fr_vec3(0, 0, 2));
    uint8_t *bytes;
    size_t size;
    test_run(s.ctx, s.world, 0.05);
    halves(&s, FR_MODEL_FEM, def);
    CHECK_OK(s.ctx, fr_body_exchange(s.world, box, def, 2, half));
    test_run(s.ctx, s.world, 0.1);
    CHECK_OK(s.ctx, fr_world_save(s.world, &bytes, &size));
    spinning(&copy, FR_MODEL_FEM, fr_vec3(0, 0, 2));
    CHECK_OK(copy.ctx, fr_world_load(copy.world, bytes, size));
    fr_world_free_bytes(s.ctx, bytes);
    for (int k = 0; k < 2; k++)
        CHECK_INT(fr_world_view(copy.world)->body[k].parent.index1, box.index1);
    test_run(s.ctx, s.world, 0.15);
    test_run(copy.ctx, copy.world, 0.15);
    CHECK(checkpoint_hash(s.world) == checkpoint_hash(copy.world));
    CHECK(fr_world_hash(s.world) == fr_world_hash(copy.world));
    leave(&s);
    leave(&copy);
}
