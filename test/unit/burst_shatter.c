// burst_shatter.c: a body that shatters, in slow motion: bursts have it whole until it breaks and
// its pieces from then on, where they are at each moment.

#include "test.h"
#include "context.h"
#include "fracas/studio.h"
#include "math/vec.h"
#include "record/recording.h"
#include <stdio.h>

#define SPEED 6.0
#define RATE 20000.0
#define LENGTH 1e-3
#define BEFORE 0.25e-3

static const char scene[] =
    "scene { duration = 4*ms, fps = 500 }\n"
    "ground {}\n"
    "body { name = 'tile', material = 'porcelain', model = 'shatter', cells = 16*mm,\n"
    "  shape = box { 8*cm, 8*cm, 12*mm }, at = {0, 0, 46*mm}, turn = {25, 20, 0},\n"
    "  velocity = {0, 0, -6} }\n"
    "film { burst = { rate = 20000, length = 1*ms, before = 0.25*ms } }\n";

static FrRecording *recorded(FrContext *ctx) {
    FILE *file = fopen("burst-tile.lua", "wb");
    fputs(scene, file);
    fclose(file);
    FrRunDef options = fr_run_def_default();
    options.scene = "burst-tile.lua";
    options.out = "burst-tile";
    options.restart = options.no_film = options.no_sound = true;
    FrText report;
    FrRecording *recording = NULL;
    CHECK_OK(ctx, fr_job_run(ctx, &options, true, &report));
    fr_text_free(ctx, &report);
    CHECK_OK(ctx, fr_recording_open(ctx, "burst-tile/run.fracas", &recording));
    return recording;
}

/// All that is there.
typedef struct Sum {
    int32_t bodies;
    double volume; ///< m^3
    FrVec3 centre; ///< m
} Sum;

static Sum sum_of(const FrFrameView *view) {
    Sum s = {0};
    for (int32_t b = 0; b < view->body_count; b++) {
        const FrTetMesh *mesh = view->body[b].mesh;
        if (!mesh || !view->frame[b].alive) continue;
        s.bodies++;
        for (int32_t e = 0; e < mesh->tet_count; e++) {
            FrVec3 x[4], middle = fr_vec3_zero;
            for (int i = 0; i < 4; i++) {
                x[i] = fr_get3(view->frame[b].p, mesh->tet[e][i]);
                middle = fr_axpy(0.25, x[i], middle);
            }
            FrVec3 n = fr_cross(fr_sub(x[1], x[0]), fr_sub(x[2], x[0]));
            double volume = fr_dot(n, fr_sub(x[3], x[0])) / 6;
            s.volume += volume;
            s.centre = fr_axpy(volume, middle, s.centre);
        }
    }
    s.centre = fr_scale(1 / s.volume, s.centre);
    return s;
}

TEST(pieces_are_born_between_frames_of_a_burst) {
    FrContext *ctx = make_context(1);
    FrRecording *recording = recorded(ctx);
    const FrRecordingInfo *info = fr_recording_info(recording);
    FrFrameSource source;
    Sum last = {0};
    fr_recording_set_bursts(recording, true);
    fr_recording_bare_source(recording, &source);
    // one more where its ends fall on samples
    int32_t wanted = (int32_t)((LENGTH + BEFORE) * RATE + 0.5);
    CHECK(source.frame_count == wanted || source.frame_count == wanted + 1);
    int32_t births = 0;
    for (int32_t k = 0; k < source.frame_count; k++) {
        const FrFrameView *view;
        CHECK_OK(ctx, source.get(source.user, k, &view));
        Sum now = sum_of(view);
        if (k == 0) CHECK_INT(now.bodies, 1);
        if (k > 0) {
            births += now.bodies > last.bodies;
            CHECK(now.bodies >= last.bodies);
            CHECK_CLOSE(now.volume, last.volume, 1e-9); // rounding of places of cuts
            double dt = info->burst_t[k] - info->burst_t[k - 1];
            CHECK_NEAR(dt, 1 / RATE, 1e-12); // rounding of times of ms
            // nothing jumps: no faster than it fell, by a hundredth for gravity and release
            CHECK(fr_distance(now.centre, last.centre) < 1.01 * SPEED * dt);
        }
        last = now;
    }
    printf("%d pieces at the end of the burst\n", last.bodies);
    CHECK(births >= 1 && last.bodies > 1);
    fr_recording_close(recording);
    fr_context_destroy(ctx);
}
