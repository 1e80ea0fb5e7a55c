// export_job.c: `fracas export`: a recording for other programs.

#include "base/file.h"
#include "export/usd.h"
#include "export/vtu.h"
#include "fracas/studio.h"
#include "job/names.h"
#include "job/text.h"
#include "record/recording.h"
#include <string.h>

static FrResult usd_options(FrContext *ctx, const FrExportJob *job, FrUsdOptions *options) {
    *options = fr_usd_options_default();
    options->fps = job->fps;
    options->start_frame = job->start_frame;
    if (!job->preset || fr_usd_preset_find(job->preset, &options->preset)) return FR_OK;
    return fr_fail(ctx, FR_BAD_USE, "--preset is '%s'; it can be blender, houdini or unreal",
                   job->preset);
}

// what can be said before anything is opened
static FrResult check_job(FrContext *ctx, const FrExportJob *job, FrUsdOptions *options) {
    if (!job->output)
        return fr_fail(ctx, FR_BAD_USE, "say what to write: -o FILE.usda or -o FILE.pvd");
    if (!fr_ends_with(job->output, ".pvd") && !fr_ends_with(job->output, ".usda"))
        return fr_fail(ctx, FR_BAD_USE, "%s: exports are .usda (USD) or .pvd (ParaView)",
                       job->output);
    return usd_options(ctx, job, options);
}

// "final" unless "changing" is asked for
static FrResult find_topology(FrContext *ctx, const FrExportJob *job, FrTopology *topology) {
    *topology = FR_TOPOLOGY_FINAL;
    if (!job->topology || !strcmp(job->topology, "final")) return FR_OK;
    *topology = FR_TOPOLOGY_CHANGING;
    if (!strcmp(job->topology, "changing")) return FR_OK;
    return fr_fail(ctx, FR_BAD_USE, "--topology is '%s'; it can be final or changing",
                   job->topology);
}

static FrResult write_file(FrContext *ctx, const FrExportJob *job, const FrUsdOptions *options,
                           FrRecording *recording) {
    FrFrameSource source;
    fr_recording_source(recording, &source);
    if (source.frame_count == 0)
        return fr_fail(ctx, FR_BAD_INPUT, "%s has no frame yet", job->recording);
    FR_TRY(fr_make_folder_of(ctx, job->output));
    if (fr_ends_with(job->output, ".pvd")) return fr_export_pvd(ctx, &source, job->output);
    return fr_export_usd(ctx, &source, options, job->output);
}

FrResult fr_job_export(FrContext *ctx, const FrExportJob *job, bool json, FrText *report) {
    FrRecording *recording;
    FrUsdOptions options;
    FrTopology topology;
    *report = (FrText){NULL, 0};
    FR_TRY(check_job(ctx, job, &options));
    FR_TRY(find_topology(ctx, job, &topology));
    FR_TRY(fr_recording_open(ctx, job->recording, &recording));
    fr_recording_set_topology(recording, topology);
    FrResult result = write_file(ctx, job, &options, recording);
    if (result == FR_OK) result = fr_text_output(ctx, job->output, json, report);
    fr_recording_close(recording);
    return result;
}
