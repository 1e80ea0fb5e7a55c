// fuzz_recording.c: any bytes as a recording: everything a reader can ask for.

#include "context.h"
#include "record/recording.h"
#include <stdio.h>
#include <unistd.h>

static void read_all(FrContext *ctx, FrRecording *rec) {
    const FrFrameView *view;
    FrEventLog log;
    FrEnergyRow *rows;
    int32_t count;
    uint64_t a, b;
    for (int32_t k = 0; k < fr_recording_info(rec)->frame_count; k++)
        if (fr_recording_frame(rec, k, &view) != FR_OK) break;
    fr_event_log_init(&log, ctx);
    (void)fr_recording_events(rec, &log);
    fr_event_log_free(&log);
    if (fr_recording_energy(rec, &rows, &count) == FR_OK) fr_free(ctx, rows);
    for (int32_t k = 0; k < fr_recording_info(rec)->body_count; k++) {
        FrPoseTrack track;
        if (fr_recording_poses(rec, k, &track) == FR_OK) fr_free(ctx, track.data);
    }
    (void)fr_recording_hash(rec, &a, &b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/fuzz-recording-%ld", (long)getpid());
    FILE *file = fopen(path, "wb");
    if (!file) return 0;
    fwrite(data, 1, size, file);
    fclose(file);
    FrContext *ctx = make_context(1);
    FrRecording *rec;
    if (ctx && fr_recording_open(ctx, path, &rec) == FR_OK) {
        read_all(ctx, rec);
        fr_recording_close(rec);
    }
    fr_context_destroy(ctx);
    unlink(path);
    return 0;
}
