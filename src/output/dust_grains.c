// dust_grains.c: the grains of a recording's dust, with its planes and gravity.

#include "math/vec.h"
#include "output/outputs.h"

static const FrMaterial *made_of(const void *user, int32_t body) {
    FrRecordingBody row;
    fr_recording_body(user, body, &row);
    return &row.view->material;
}

static FrResult add_planes(FrContext *ctx, const FrFrameView *view, FrGrains *grains) {
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrBodyView *body = &view->body[k];
        if (body->kind != FR_BODY_PLANE) continue;
        double length = fr_length(body->normal);
        FrGrainPlane plane = {fr_scale(1.0 / length, body->normal), body->offset / length};
        if (!fr_array_push(ctx, &grains->plane, plane)) return fr_no_memory(ctx, "dust");
    }
    return FR_OK;
}

FrResult fr_recording_grains(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                             FrGrains *grains) {
    FrFrameSource source;
    const FrFrameView *view;
    FrEventLog log;
    *grains = (FrGrains){.gravity = scene ? scene->scene.gravity : fr_vec3_zero};
    fr_event_log_init(&log, ctx);
    fr_recording_bare_source(recording, &source);
    FrResult result = fr_recording_events(recording, &log);
    if (result == FR_OK && source.frame_count)
        result = source.get(source.user, source.frame_count - 1, &view);
    if (result == FR_OK && source.frame_count) result = add_planes(ctx, view, grains);
    if (result == FR_OK && source.frame_count)
        result = fr_grains_gather(ctx, &log, made_of, recording, grains);
    fr_event_log_free(&log);
    if (result != FR_OK) fr_grains_free(ctx, grains);
    return result;
}
