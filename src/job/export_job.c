// export_job.c: `fracas export`: a recording for other programs.

#include "base/file.h"
#include "export/usd.h"
#include "export/vtu.h"
#include "fracas/studio.h"
#include "job/names.h"
#include "job/text.h"
#include "record/recording.h"

static FrResult usd_options(FrContext *ctx, const FrExportJob *job, FrUsdOptions *options) {
    *options = fr_usd_options_default();
    options->fps = job->fps;
    options->start_frame = job->start_frame;
    if (!job->preset || fr_usd_preset_find(job->preset, &options->preset)) return FR_OK;
    return fr_fail(ctx, FR_BAD_USE, "--preset is '%s'; it can be blender, houdini or unreal", job->preset);
}

static FrResult write_file(FrContext *ctx, const FrExportJob *job, FrRecording *recording) {
    FrFrameSource source;
    FrUsdOptions options;
    fr_recording_source(recording, &source);
    if (source.frame_count == 0) return fr_fail(ctx, FR_BAD_INPUT, "%s has no frame yet", job->recording);
    if (fr_ends_with(job->output, ".pvd")) return fr_export_pvd(ctx, &source, job->output);
    if (!fr_ends_with(job->output, ".usda"))
        return fr_fail(ctx, FR_BAD_USE, "%s: exports are .usda (USD) or .pvd (ParaView)", job->output);
    FR_TRY(usd_options(ctx, job, &options));
    return fr_export_usd(ctx, &source, &options, job->output);
}

FrResult fr_job_export(FrContext *ctx, const FrExportJob *job, FrText *report) {
    FrRecording *recording;
    *report = (FrText){NULL, 0};
    if (!job->output) return fr_fail(ctx, FR_BAD_USE, "say what to write: -o FILE.usda or -o FILE.pvd");
    FR_TRY(fr_recording_open(ctx, job->recording, &recording));
    char *folder = fr_path_folder(ctx, job->output);
    FrResult result = folder ? fr_make_folders(ctx, folder) : fr_no_memory(ctx, "a path");
    if (result == FR_OK) result = write_file(ctx, job, recording);
    if (result == FR_OK) result = fr_text_print(ctx, report, "%s\n", job->output);
    fr_free(ctx, folder);
    fr_recording_close(recording);
    return result;
}
