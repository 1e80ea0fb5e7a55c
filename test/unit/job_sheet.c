// job_sheet.c: what the colours of several runs in one sheet stand for: all that is shown of any of
// them, and nothing else.

#include "test.h"
#include "context.h"
#include "fracas/studio.h"
#include "output/outputs.h"
#include <math.h>
#include <stdio.h>

static const char tile[] =
    "scene { duration = 0.8*ms, fps = 20000 }\n"
    "ground {}\n"
    "material { name = 'tile', base = 'porcelain', young = 2*GPa, poisson = 0.2,\n"
    "  strength = param('strength', 4*MPa) }\n"
    "body { name = 'tile', model = 'fem', material = 'tile', cells = 16*mm, shape = box { 8*cm, "
    "8*cm, 12*mm },\n"
    "  at = {0, 0, 36*mm}, turn = {25, 20, 0}, velocity = {0, 0, -12} }\n";

static FrRecording *recorded(FrContext *ctx, const char *strength, const char *out) {
    char path[64];
    FrRunDef options = fr_run_def_default();
    options.scene = "sheet-tile.lua";
    options.out = out;
    options.set = &strength;
    options.set_count = 1;
    options.detail = FR_DETAIL_NORMAL;
    options.restart = true;
    options.no_film = true;
    options.no_sound = true;
    FrText report;
    FrRecording *recording = NULL;
    CHECK_OK(ctx, fr_job_run(ctx, &options, true, &report));
    fr_text_free(ctx, &report);
    snprintf(path, sizeof path, "%s/run.fracas", out);
    CHECK_OK(ctx, fr_recording_open(ctx, path, &recording));
    return recording;
}

// first and last crack up to a time, from the events
static void span_of(FrContext *ctx, FrRecording *recording, double until, double *first,
                    double *last) {
    FrEventLog log;
    fr_event_log_init(&log, ctx);
    CHECK_OK(ctx, fr_recording_events(recording, &log));
    *first = HUGE_VAL, *last = 0.0;
    for (int32_t k = 0; k < log.count; k++) {
        if (log.data[k].kind != FR_EVENT_CRACK || log.data[k].t > until) continue;
        *first = fmin(*first, log.data[k].t);
        *last = fmax(*last, log.data[k].t);
    }
    fr_event_log_free(&log);
}

TEST(one_scale_for_all_cells) {
    FrContext *ctx = make_context(1);
    FILE *file = fopen("sheet-tile.lua", "wb");
    CHECK(file != NULL);
    if (!file) return;
    fputs(tile, file);
    fclose(file);
    FrRecording *weak = recorded(ctx, "strength=4MPa", "weak"),
                *strong = recorded(ctx, "strength=8MPa", "strong"),
                *whole = recorded(ctx, "strength=1GPa", "whole");
    const FrRecordingInfo *info = fr_recording_info(weak);
    for (int32_t frame = info->frame_count - 1; frame > 8; frame -= 4) {
        FrPictureScale scale = {0};
        double first[2], last[2], until = info->t[frame];
        span_of(ctx, weak, until, &first[0], &last[0]);
        span_of(ctx, strong, until, &first[1], &last[1]);
        CHECK(first[0] < first[1]);
        CHECK_OK(ctx, fr_picture_scale(ctx, whole, frame, FR_SHOW_CRACKS, &scale));
        CHECK(scale.crack_first == 0.0 && scale.crack_last == 0.0);
        CHECK_OK(ctx, fr_picture_scale(ctx, strong, frame, FR_SHOW_CRACKS, &scale));
        CHECK_OK(ctx, fr_picture_scale(ctx, weak, frame, FR_SHOW_CRACKS, &scale));
        // exact: the same times
        CHECK_CLOSE(scale.crack_first, fmin(first[0], first[1]), TOL_EXACT);
        CHECK_CLOSE(scale.crack_last, fmax(last[0], last[1]), TOL_EXACT);
    }
    FrPictureScale all = {0}, each[3] = {0};
    FrRecording *run[3] = {weak, strong, whole};
    for (int k = 0; k < 3; k++) {
        CHECK_OK(ctx, fr_picture_scale(ctx, run[k], 12, FR_SHOW_STRESS, &each[k]));
        CHECK_OK(ctx, fr_picture_scale(ctx, run[k], 12, FR_SHOW_STRESS, &all));
        CHECK(each[k].stress_max > 0.0);
    }
    CHECK(all.stress_max == fmax(each[0].stress_max, fmax(each[1].stress_max, each[2].stress_max)));
    for (int k = 0; k < 3; k++) fr_recording_close(run[k]);
    fr_context_destroy(ctx);
}
