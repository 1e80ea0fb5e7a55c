// contact_friction.c: Coulomb's angle, sticking without creep, and friction that resumes [M11,
// E26].

#include "context.h"
#include "contact_stage.h"

typedef struct Slope {
    double moved;        ///< m, down the slope, after settling
    double speed;        ///< m/s at the end
    double acceleration; ///< mean over the timed part, m/s^2
} Slope;

static Slope slide_block(FrContext *ctx, double angle, double mu_s, double mu_d, bool with_stick,
                         double start) {
    Stage s;
    FrVec3 n = {sin(angle), 0, cos(angle)}, along = {cos(angle), 0, -sin(angle)};
    stage_open(&s, ctx, n, mu_s, mu_d, 0.3);
    // at the depth where it rests, m g cos / (k_err A): one that is dropped has slid before it
    // holds
    double depth = 9.0 * 9.81 * cos(angle) / (0.5e7 / 0.3 * 0.09);
    KitBlock block = kit_block(3, 3, 1, 0.1, 9.0, fr_scale(0.05 - depth, n));
    block.q = fr_quat_from_rotation(fr_vec3(0, angle, 0));
    block.v = fr_scale(start, along);
    kit_block_place(&block);
    stage_add(&s, &block.box, kit_block_mover(&block, 1e7, 0.3, mu_s, mu_d, 0.3));
    double dt = 1e-4, from = 0, v0 = 0;
    int settle = 3000, timed = 3000;
    for (int step = 0; step < settle + timed; step++) {
        if (step == settle) from = fr_dot(block.x, along), v0 = fr_dot(block.v, along);
        stage_push(&s, 2, dt, with_stick);
        // gravity leans over in 0.2 s: a sudden load would overshoot and break loose
        double lean = angle * (step < 2000 ? 5e-4 * step : 1.0) - angle;
        kit_block_step(&block, dt, fr_vec3(9.81 * sin(lean), 0, -9.81 * cos(lean)));
    }
    Slope result = {fr_dot(block.x, along) - from, fr_dot(block.v, along),
                    (fr_dot(block.v, along) - v0) / (timed * dt)};
    kit_box_free(&block.box);
    stage_close(&s);
    return result;
}

// M29 friction_incline: sticks below Coulomb's angle, slides above it with g (sin - mu cos)
TEST(friction_incline) {
    FrContext *ctx = make_context(1);
    double mu = 0.4, g = 9.81, limit = atan(mu), part[3] = {0.5, 0.9, 0.97};
    for (int k = 0; k < 3; k++) {
        Slope held = slide_block(ctx, part[k] * limit, mu, mu, true, 0.0);
        // promise: 1 um in 0.3 s, 1 um/s
        CHECK(fabs(held.moved) < 1e-6); // in 0.3 s
        CHECK(fabs(held.speed) < 1e-6);
        // rounding, once it is steady: without memory it creeps, at stick_speed tan(angle) / mu
        Slope creeps = slide_block(ctx, part[k] * limit, mu, mu, false, 0.0);
        CHECK_CLOSE(creeps.speed, 1e-3 * tan(part[k] * limit) / mu, 1e-6);
    }
    for (int k = 0; k < 4; k++) {
        double angle = limit * (k & 1 ? 1.6 : 1.1);
        Slope slides = slide_block(ctx, angle, mu, mu, k & 2, 0.0);
        // rounding of 3,000 steps: forces are constant
        CHECK_CLOSE(slides.acceleration, g * (sin(angle) - mu * cos(angle)), 1e-9);
    }
    fr_context_destroy(ctx);
}

// between the two coefficients a block at rest stays, a moving one goes on
TEST(static_and_dynamic) {
    FrContext *ctx = make_context(1);
    double angle = atan(0.4);
    Slope rests = slide_block(ctx, angle, 0.5, 0.3, true, 0.0);
    CHECK(fabs(rests.moved) < 1e-6); // promise: 1 um
    Slope moves = slide_block(ctx, angle, 0.5, 0.3, true, 0.5);
    // rounding: forces are constant
    CHECK_CLOSE(moves.acceleration, 9.81 * (sin(angle) - 0.3 * cos(angle)), 1e-9);
    fr_context_destroy(ctx);
}

// a moving block on the flat stops where its energy is used up: v^2 / (2 mu g), and stays there
TEST(stopping_distance) {
    FrContext *ctx = make_context(1);
    Stage s;
    stage_open(&s, ctx, fr_vec3(0, 0, 1), 0.3, 0.3, 0.3);
    // at the depth where it rests: m g / (k_err A)
    double depth = 9.0 * 9.81 / (0.5e6 / 0.3 * 0.09), dt = 1e-4;
    KitBlock block = kit_block(3, 3, 1, 0.1, 9.0, fr_vec3(0, 0, 0.05 - depth));
    block.v.x = 0.8;
    kit_block_place(&block);
    stage_add(&s, &block.box, kit_block_mover(&block, 1e6, 0.3, 0.3, 0.3, 0.3));
    double at_stop = 0;
    for (int step = 0; step < 6000; step++) {
        stage_push(&s, 2, dt, true);
        kit_block_step(&block, dt, stage_down);
        // it stops at 0.27 s, then the springs of its contacts come to rest with time 1/43 s
        if (step == 5000) at_stop = block.x.x;
    }
    // model: the springs of its contacts give way at the end
    CHECK_CLOSE(block.x.x, 0.64 / (2 * 0.3 * 9.81), 0.01);
    CHECK_NEAR(block.x.x, at_stop, 1e-6); // promise: it stays
    kit_box_free(&block.box);
    stage_close(&s);
    fr_context_destroy(ctx);
}

static double mean_x(const double *a, int32_t nodes) {
    double sum = 0;
    for (int32_t k = 0; k < nodes; k++) sum += a[3 * k] / nodes;
    return sum;
}

// nodes on springs, each with contacts of its own, stick and slide as well; on a plane, and on tets
static void soft_block(FrContext *ctx, bool slides, bool on_tets) {
    double mu = 0.4, angle = atan(mu) * (slides ? 1.5 : 0.8), dt = 5e-5;
    Stage s;
    stage_open(&s, ctx, fr_vec3(0, 0, 1), mu, mu, 0.3);
    KitSoft soft = kit_soft(3, 3, 2, 0.05, 1.0, 2e4, 8.0, fr_vec3(0, 0, 0.05 + 0.1 * on_tets));
    KitBlock low = kit_block(12, 5, 1, 0.08, 1.0, fr_vec3(0.2, 0, 0.06));
    int32_t count = 2 + on_tets;
    stage_add(&s, &soft.box, kit_soft_mover(&soft, 1e6, 0.06, mu, mu, 0.3));
    if (on_tets) {
        FrMover held = kit_block_mover(&low, 1e6, 0.06, mu, mu, 0.3);
        held.node_mass = 0.0, held.inverse_mass = kit_heavy;
        stage_add(&s, &low.box, held);
    }
    FrVec3 gravity = {9.81 * sin(angle), 0, -9.81 * cos(angle)};
    double x[2] = {0, 0}, v[2] = {0, 0};
    int half = on_tets ? 3000 : 6000;
    for (int step = 0; step < 2 * half; step++) {
        stage_push(&s, count, dt, true);
        kit_soft_step(&soft, dt, gravity);
        low.force = low.torque = fr_vec3_zero;
        if (step != half - 1 && step != 2 * half - 1) continue;
        x[step > half] = mean_x(soft.box.p, soft.box.node_count);
        v[step > half] = mean_x(soft.box.v, soft.box.node_count);
    }
    double time = half * dt, creep = (x[1] - x[0]) / time;
    if (!slides) {
        CHECK(fabs(creep) < 1e-4); // promise: a tenth of 1 mm/s
    } else {
        // mesh: tets on tets: lines of overlaps lean by depth / cell either way
        CHECK_CLOSE((v[1] - v[0]) / time, 9.81 * (sin(angle) - mu * cos(angle)),
                    on_tets ? 0.05 : 0.02);
    }
    kit_soft_free(&soft);
    kit_box_free(&low.box);
    stage_close(&s);
}

TEST(soft_block_sticks) {
    FrContext *ctx = make_context(1);
    soft_block(ctx, false, false);
    soft_block(ctx, false, true);
    fr_context_destroy(ctx);
}

TEST(soft_block_slides) {
    FrContext *ctx = make_context(1);
    soft_block(ctx, true, false);
    soft_block(ctx, true, true);
    fr_context_destroy(ctx);
}

// E26: as printed, friction doubles with speed; Coulomb's does not                [S6 eq. 5.10]
TEST(printed_friction_is_not_coulomb) {
    FrContext *ctx = make_context(1);
    double rub[2], printed[2], normal = 0;
    for (int k = 0; k < 2; k++) {
        Stage s;
        stage_open(&s, ctx, fr_vec3(0, 0, 1), 0.4, 0.4, 1.0);
        KitBlock block = kit_block(2, 2, 1, 0.1, 4.0, fr_vec3(0, 0, 0.049));
        block.v.x = k ? 2.0 : 1.0;
        stage_add(&s, &block.box, kit_block_mover(&block, 1e6, 0.2, 0.4, 0.4, 1.0));
        stage_push(&s, 2, 1e-5, true);
        rub[k] = -block.force.x;
        normal = block.force.z;
        printed[k] = 0.4 * block.force.z * block.v.x; // k_frc |f_err| w
        kit_box_free(&block.box);
        stage_close(&s);
    }
    // rounding: a product
    CHECK_CLOSE(rub[1], rub[0], 1e-12);
    CHECK_CLOSE(rub[0], 0.4 * normal, 1e-12);
    CHECK_CLOSE(printed[1], 2.0 * printed[0], 1e-12);
    fr_context_destroy(ctx);
}

// scene and friction are thrown away and made again from what was saved
static void resume(Stage *s, const KitBox *block, const KitBox *soft) {
    FrWriter writer;
    FrReader reader;
    FrContext *ctx = s->ctx;
    fr_writer_init(&writer, ctx);
    fr_contact_save(s->scene, &writer);
    fr_stick_save(s->stick, &writer);
    FrMover mover[3] = {s->mover[0], s->mover[1], s->mover[2]};
    stage_close(s);
    stage_open(s, ctx, fr_vec3(0, 0, 1), 0.5, 0.4, 0.4);
    stage_add(s, block, mover[1]);
    stage_add(s, soft, mover[2]);
    fr_reader_init(&reader, writer.data, writer.size);
    CHECK_OK(ctx, fr_contact_load(s->scene, &reader));
    CHECK_OK(ctx, fr_stick_load(s->stick, &reader));
    CHECK_INT(fr_reader_left(&reader), 0);
    fr_writer_free(&writer);
}

#define TUMBLE_DOUBLES (3 * 48 + 6)

// a rigid block falls on a soft one
static void tumble(int32_t workers, int steps, int resume_at, double *end) {
    FrContext *ctx = make_context(workers);
    Stage s;
    stage_open(&s, ctx, fr_vec3(0, 0, 1), 0.5, 0.4, 0.4);
    KitBlock block = kit_block(3, 3, 2, 0.1, 5.0, fr_vec3(0, 0, 0.36));
    KitSoft soft = kit_soft(3, 3, 2, 0.1, 6.0, 1e4, 5.0, fr_vec3(0.03, 0.02, 0.1));
    block.q = fr_quat_from_rotation(fr_vec3(0.1, 0.2, 0.3));
    block.v = fr_vec3(0.5, 0.2, -1);
    kit_block_place(&block);
    stage_add(&s, &block.box, kit_block_mover(&block, 1e6, 0.1, 0.5, 0.4, 0.4));
    stage_add(&s, &soft.box, kit_soft_mover(&soft, 1e6, 0.1, 0.5, 0.4, 0.4));
    int64_t seen = 0;
    for (int step = 0; step < steps; step++) {
        if (step == resume_at) resume(&s, &block.box, &soft.box);
        stage_push(&s, 3, 1e-4, true);
        seen += s.list.count;
        kit_block_step(&block, 1e-4, stage_down);
        kit_soft_step(&soft, 1e-4, stage_down);
    }
    CHECK(seen > 10 * steps);
    CHECK_INT(soft.box.node_count, 48);
    memcpy(end, soft.box.p, 3 * 48 * sizeof *end);
    fr_set3(end, 48, block.x);
    fr_set3(end, 49, block.L);
    CHECK(isfinite(end[0]) && isfinite(block.L.x));
    kit_box_free(&block.box);
    kit_soft_free(&soft);
    stage_close(&s);
    fr_context_destroy(ctx);
}

TEST(same_bits_for_workers_and_resumed) {
    double one[TUMBLE_DOUBLES], other[TUMBLE_DOUBLES];
    int32_t workers[4] = {2, 3, 8, 1};
    int resumed[4] = {-1, 900, -1, 500};
    tumble(1, 1200, -1, one);
    for (int k = 0; k < 4; k++) {
        tumble(workers[k], 1200, resumed[k], other);
        CHECK_INT(memcmp(one, other, sizeof one), 0);
    }
}

static size_t saved(const FrStick *stick, FrWriter *writer) {
    writer->size = 0;
    fr_stick_save(stick, writer);
    return writer->size;
}

// a step taken back leaves the friction as it was; contacts of items not named are kept
TEST(stick_undo_and_subsets) {
    FrContext *ctx = make_context(1);
    Stage s;
    stage_open(&s, ctx, fr_vec3(0, 0, 1), 0.5, 0.4, 0.4);
    KitBlock block = kit_block(2, 2, 1, 0.1, 4.0, fr_vec3(0, 0, 0.0495));
    stage_add(&s, &block.box, kit_block_mover(&block, 1e6, 0.2, 0.5, 0.4, 0.4));
    block.v.x = 1e-4;
    for (int k = 0; k < 10; k++) stage_push(&s, 2, 1e-4, true);
    FrWriter before, after;
    fr_writer_init(&before, ctx);
    fr_writer_init(&after, ctx);
    size_t size = saved(s.stick, &before);
    CHECK(size > 40);
    stage_push(&s, 2, 1e-4, true);
    fr_stick_undo(s.stick);
    CHECK_INT(saved(s.stick, &after), size);
    CHECK_INT(memcmp(before.data, after.data, size), 0);
    FrContactList none = {0};
    CHECK_OK(ctx, fr_penalty_step(&(FrMeeting){&none, s.mover, stage_items, 1}, &s.options, 1e-4,
                                  s.stick, stage_force));
    CHECK_INT(saved(s.stick, &after), size);
    CHECK_OK(ctx, fr_penalty_step(&(FrMeeting){&none, s.mover, stage_items, 2}, &s.options, 1e-4,
                                  s.stick, stage_force));
    CHECK_INT(saved(s.stick, &after), 4);
    for (size_t cut = 0; cut < size; cut++) { // cut states are refused
        FrReader reader;
        fr_reader_init(&reader, before.data, cut);
        CHECK_INT(fr_stick_load(s.stick, &reader), FR_BAD_INPUT);
    }
    fr_writer_free(&before);
    fr_writer_free(&after);
    kit_box_free(&block.box);
    stage_close(&s);
    fr_context_destroy(ctx);
}

// out of memory: no force, the friction stays, the next call goes on; nothing leaks
TEST(stick_without_memory) {
    Refuser refuser = {0};
    FrContext *ctx = make_refusing_context(&refuser);
    int live = refuser.live;
    Stage s;
    stage_open(&s, ctx, fr_vec3(0, 0, 1), 0.5, 0.4, 0.4);
    KitBlock block = kit_block(2, 2, 1, 0.1, 4.0, fr_vec3(0, 0, 0.0495));
    stage_add(&s, &block.box, kit_block_mover(&block, 1e6, 0.2, 0.5, 0.4, 0.4));
    CHECK_OK(ctx, fr_contact_detect(s.scene, stage_items, 2, 1e-4, &s.list));
    for (int k = 0; k < 4; k++) {
        refuser.calls = 0, refuser.refuse_at = 1;
        FrResult result = fr_penalty_step(&(FrMeeting){&s.list, s.mover, stage_items, 2},
                                          &s.options, 1e-4, s.stick, stage_force);
        refuser.refuse_at = 0;
        // two buffers take turns and grow to twice the contacts: three calls need memory
        CHECK_INT(result, k < 3 ? FR_NO_MEMORY : FR_OK);
        if (result != FR_OK) CHECK(fr_length(block.force) == 0.0);
        CHECK_OK(ctx, fr_penalty_step(&(FrMeeting){&s.list, s.mover, stage_items, 2}, &s.options,
                                      1e-4, s.stick, stage_force));
        CHECK(block.force.z > 0.0);
        block.force = fr_vec3_zero;
    }
    FrStick *none;
    refuser.calls = 0, refuser.refuse_at = 1;
    CHECK_INT(fr_stick_create(ctx, &none), FR_NO_MEMORY);
    kit_box_free(&block.box);
    stage_close(&s);
    CHECK_INT(refuser.live, live);
    fr_context_destroy(ctx);
}
