// strobe.c: several moments of a recording as one frame: what moves is there once for each, with
// its path; what stands still is there once; what is put together again stands where it began.

#include "test.h"
#include "context.h"
#include "math/vec.h"
#include "output/starts.h"
#include "output/strobe.h"
#include "run_kit.h"

// a ball and a soft box fall side by side, beside a box that is held
static const char falling[] =
    "scene { duration = 0.2*s, fps = 50 }\n"
    "ground {}\n"
    "sphere { 5*cm, name = 'ball', at = {0, 0, 2*m} }\n"
    "body { name = 'soft', material = 'silicone', shape = box { 10*cm, 10*cm, 10*cm }, cells = "
    "5*cm,\n"
    "  at = {0.5*m, 0, 2*m}, turn = {30, 40, 50} }\n"
    "fix { body { name = 'held', material = 'oak', model = 'frame', shape = box { 10*cm, 10*cm, "
    "10*cm }, at = {-0.5*m, 0, 10*cm} } }\n";

static FrRecording *record(FrContext *ctx) {
    FrText report;
    FrRecording *recording = NULL;
    run_scene(ctx, "strobe-falling", falling, &report);
    fr_text_free(ctx, &report);
    CHECK_OK(ctx, fr_recording_open(ctx, "strobe-falling/run.fracas", &recording));
    return recording;
}

TEST(what_moves_is_there_once_for_each_moment) {
    FrContext *ctx = make_context(1);
    FrRecording *recording = record(ctx);
    FrStrobe strobe;
    CHECK_OK(ctx, fr_strobe_make(ctx, recording, 5, &strobe));
    int32_t balls = 0, soft = 0, held = 0, planes = 0;
    for (int32_t k = 0; k < strobe.view.body_count; k++) {
        const FrBodyView *body = &strobe.view.body[k];
        balls += body->kind == FR_BODY_SPHERE;
        planes += body->kind == FR_BODY_PLANE;
        soft += body->mesh && !body->rigid;
        held += body->mesh && body->rigid;
    }
    CHECK_INT(balls, 5);
    CHECK_INT(soft, 5);
    CHECK_INT(held, 1);
    CHECK_INT(planes, 1);
    // two of them fall g t^2 / 2: that is how long their paths are together
    double length = 0.0;
    for (int32_t k = 0; k < strobe.path.count; k++)
        length += fr_distance(strobe.path.data[k].from, strobe.path.data[k].to);
    CHECK_CLOSE(length, 2 * 0.5 * 9.81 * 0.2 * 0.2, 2e-3); // a step of the world is 1/480 s
    fr_strobe_free(&strobe);
    CHECK(fr_strobe_make(ctx, recording, 1, &strobe) == FR_BAD_USE);
    fr_strobe_free(&strobe);
    fr_recording_close(recording);
    fr_context_destroy(ctx);
}

TEST(bodies_are_known_to_have_begun_where_they_did) {
    FrContext *ctx = make_context(1);
    FrRecording *recording = record(ctx);
    FrFrameSource source;
    FrStarts starts = {0};
    const FrFrameView *view;
    fr_recording_bare_source(recording, &source);
    CHECK_OK(ctx, fr_find_starts(ctx, &source, &starts));
    CHECK_OK(ctx, source.get(source.user, 0, &view));
    CHECK_INT(starts.body.count, view->body_count);
    int32_t known = 0;
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrDrawStart *start = &starts.body.data[k];
        const FrTetMesh *mesh = view->body[k].mesh;
        if (!start->known) continue;
        known++;
        CHECK_NEAR(fr_mat3_det(start->rotation), 1, 1e-12); // rounding
        for (int32_t n = 0; view->frame[k].p && n < mesh->node_count; n++) {
            FrVec3 x = fr_add(start->position, fr_mat3_apply(start->rotation, fr_get3(mesh->x, n)));
            CHECK_NEAR(fr_distance(x, fr_get3(view->frame[k].p, n)), 0, 1e-6); // kept as floats
        }
    }
    CHECK_INT(known, 2); // both boxes
    fr_array_free(ctx, &starts.body);
    fr_recording_close(recording);
    fr_context_destroy(ctx);
}
