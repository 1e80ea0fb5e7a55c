// playback.c: a recording frame by frame, for those who see only the public headers.

#include "fracas/live.h"
#include "record/recording.h"
#include "render/render.h"

struct FrPlayback {
    FrContext *ctx;
    FrRecording *recording;
};

FrResult fr_playback_open(FrContext *ctx, const char *path, FrPlayback **playback) {
    FR_NEED_ALL(ctx, ctx && path && playback);
    *playback = NULL;
    FrPlayback *p = FR_NEW(ctx, FrPlayback, 1);
    if (!p) return fr_no_memory(ctx, "a playback");
    p->ctx = ctx;
    FrResult result = fr_recording_open(ctx, path, &p->recording);
    if (result == FR_OK && fr_recording_info(p->recording)->frame_count == 0)
        result = fr_fail(ctx, FR_BAD_INPUT, "%s: the recording has no frame yet", path);
    if (result == FR_OK)
        *playback = p;
    else
        fr_playback_close(p);
    return result;
}

void fr_playback_close(FrPlayback *p) {
    if (!p) return;
    fr_recording_close(p->recording);
    fr_free(p->ctx, p);
}

int32_t fr_playback_frames(const FrPlayback *p) {
    return p ? fr_recording_info(p->recording)->frame_count : 0;
}

double fr_playback_time(const FrPlayback *p, int32_t k) {
    bool there = k >= 0 && k < fr_playback_frames(p);
    return there ? fr_recording_info(p->recording)->t[k] : 0.0;
}

FrResult fr_playback_frame(FrPlayback *p, int32_t k, const FrFrameView **view) {
    FR_NEED_ALL(p ? p->ctx : NULL, p && view);
    if (k < 0 || k >= fr_playback_frames(p))
        return fr_fail(p->ctx, FR_BAD_USE, "frame %d; there are 0 to %d", k,
                       fr_playback_frames(p) - 1);
    return fr_recording_frame(p->recording, k, view);
}

FrResult fr_playback_viewpoint(FrPlayback *p, double aspect, FrViewpoint *to) {
    FR_NEED_ALL(p ? p->ctx : NULL, p && to);
    FrFrameSource source;
    FrCamera camera;
    fr_recording_bare_source(p->recording, &source);
    FR_TRY(fr_camera_auto(p->ctx, &source, aspect, -1, &camera));
    *to = (FrViewpoint){camera.eye, camera.target, camera.fov};
    return FR_OK;
}
