// sound_job.c: `fracas sound`: a recording sounded anew, or the contacts of another engine.

#include "base/file.h"
#include "base/file_names.h"
#include "base/json.h"
#include "export/report_text.h"
#include "math/vec.h"
#include "output/outputs.h"
#include "output/spectrogram.h"
#include "output/spectrum_picture.h"
#include "render/render.h"
#include "sound/wav.h"
#include <math.h>
#include <string.h>

typedef struct Job {
    FrContext *ctx;
    const FrSoundDef *job;
    FrScore score;
    FrScoreSound sound;
    FrText mix, stems, picture; ///< paths
} Job;

static FrResult name_files(Job *j) {
    const FrSoundDef *job = j->job;
    if (job->output && !fr_ends_with(job->output, ".wav"))
        return fr_fail(j->ctx, FR_BAD_USE, "%s: sounds are .wav", job->output);
    char *folder = fr_path_folder(j->ctx, job->output ? job->output : job->input);
    if (!folder) return fr_no_memory(j->ctx, "a path");
    FrResult result;
    if (job->output) {
        int stem = (int)strlen(job->output) - 4;
        result = fr_text_print(j->ctx, &j->mix, "%s", job->output);
        if (result == FR_OK)
            result = fr_text_print(j->ctx, &j->stems, "%.*s-stems", stem, job->output);
        if (result == FR_OK)
            result = fr_text_print(j->ctx, &j->picture, "%.*s.png", stem, job->output);
    } else {
        const char *in = strcmp(folder, ".") ? folder : "", *slash = *in ? "/" : "";
        result = fr_text_print(j->ctx, &j->mix, "%s%ssound.wav", in, slash);
        if (result == FR_OK) result = fr_text_print(j->ctx, &j->stems, "%s%sstems", in, slash);
        if (result == FR_OK)
            result = fr_text_print(j->ctx, &j->picture, "%s%sspectrogram.png", in, slash);
    }
    fr_free(j->ctx, folder);
    return result;
}

static FrResult read_track(Job *j) {
    char *folder = fr_path_folder(j->ctx, j->job->input);
    char *path = folder ? fr_path_join(j->ctx, folder, "microphone.wav") : NULL;
    FrResult result = path ? fr_score_track(&j->score, path) : fr_no_memory(j->ctx, "a path");
    if (result == FR_OK && j->score.track && j->job->listener)
        fr_log(j->ctx, FR_LOG_WARNING,
               "what the microphone heard stays where it was; only rigid bodies follow --listener");
    fr_free(j->ctx, folder);
    fr_free(j->ctx, path);
    return result;
}

static FrResult read_recording(Job *j) {
    FrRecording *recording;
    FR_TRY(fr_recording_open(j->ctx, j->job->input, &recording));
    FrResult result = fr_output_score(&j->score, recording);
    j->score.scene = fr_recording_scene(j->ctx, recording);
    if (result == FR_OK) result = fr_output_listener(&j->score, recording, j->score.scene);
    if (result == FR_OK && j->score.microphone) result = read_track(j);
    fr_recording_close(recording);
    return result;
}

static FrResult read_input(Job *j) {
    const char *input = j->job->input;
    j->score.air_given = j->job->air;
    if (j->job->air) j->score.air = *j->job->air;
    if (fr_ends_with(input, ".fracas")) return read_recording(j);
    if (fr_ends_with(input, ".csv")) return fr_score_csv(&j->score, input);
    if (fr_ends_with(input, ".json")) return fr_score_json(&j->score, input);
    return fr_fail(j->ctx, FR_BAD_INPUT,
                   "%s: not a recording (.fracas) nor contacts (.csv, .json: docs/contacts.md)",
                   input);
}

// a file without blows is a mistake; a run in which nothing was hit is only silent
static FrResult check_anything(Job *j) {
    int32_t hits = 0;
    for (int32_t k = 0; k < j->score.body.count; k++) hits += j->score.body.data[k].hit.count;
    if (hits || j->score.track) return FR_OK;
    if (!j->score.recorded)
        return fr_fail(j->ctx, FR_BAD_INPUT, "%s: there are no contacts in it (docs/contacts.md)",
                       j->job->input);
    fr_log(j->ctx, FR_LOG_WARNING, "%s: nothing is hit and there was no microphone: it is silent",
           j->job->input);
    return FR_OK;
}

static FrResult listen(Job *j) {
    const FrSoundDef *job = j->job;
    double gain = 0.0;
    if (!isnan(job->gain)) {
        FR_TRY(fr_gain_of(j->ctx, job->gain, &gain));
        j->score.gain = gain / FR_FULL_SCALE;
        j->score.fits = false;
    }
    if (job->listener) {
        if (!fr_vec3_finite(*job->listener))
            return fr_fail(j->ctx, FR_BAD_USE, "the listener must be at a finite place");
        j->score.listener.at = *job->listener;
        j->score.has_listener = true;
    }
    if (!j->score.has_listener) j->score.listener.at = fr_vec3(0.0, -1.0, 0.0);
    for (int32_t k = 0; k < job->change_count; k++)
        FR_TRY(fr_score_change(&j->score, &job->change[k]));
    return FR_OK;
}

#define FAINT_DB (-50.0)   ///< below, a hint is given
#define SILENT_DB (-120.0) ///< below, there is nothing to bring up

// contacts that nobody hears
static void tell_faint(const Job *j, double db) {
    if (!j->sound.contacts || db > FAINT_DB) return;
    if (db < SILENT_DB)
        fr_log(j->ctx, FR_LOG_WARNING,
               "%s: all tones are outside hearing, or too faint: it is silent", j->mix.data);
    else
        fr_log(j->ctx, FR_LOG_INFO,
               "the peak is %.0f dB of full scale; --gain %.0f brings it to -3 dB", db,
               20.0 * log10(j->score.gain * FR_FULL_SCALE) - 3.0 - db);
}

static FrResult tell(Job *j, bool json, FrText *report) {
    double db = j->sound.peak > 0.0 ? 20.0 * log10(j->sound.peak) : -300.0;
    tell_faint(j, db);
    if (!json)
        return fr_text_print(j->ctx, report,
                             "%s: %.2f s, %d %s, %d contact%s, peak %.1f dB of full scale\n",
                             j->mix.data, (double)j->sound.frames / FR_SOUND_RATE, j->sound.stems,
                             j->sound.stems == 1 ? "body sounds" : "bodies sound",
                             j->sound.contacts, fr_s(j->sound.contacts), db);
    FrWriter w;
    FrJson out;
    fr_writer_init(&w, j->ctx);
    fr_json_begin(&out, &w, true);
    fr_json_object(&out, NULL);
    fr_json_text(&out, "output", j->mix.data);
    fr_json_text(&out, "spectrogram", j->picture.data);
    fr_json_number(&out, "seconds", (double)j->sound.frames / FR_SOUND_RATE);
    fr_json_int(&out, "stems", j->sound.stems);
    fr_json_int(&out, "contacts", j->sound.contacts);
    fr_json_number(&out, "peak_db", db);
    fr_json_number(&out, "gain_db", 20.0 * log10(j->score.gain * FR_FULL_SCALE));
    fr_json_number(&out, "full_scale_pa", FR_FULL_SCALE);
    fr_json_end(&out);
    return fr_text_take(&w, report);
}

static FrResult go(Job *j, bool json, FrText *report) {
    FR_TRY(name_files(j));
    FR_TRY(fr_check_folder_of(j->ctx, j->mix.data));
    if (j->job->spectrum) FR_TRY(fr_check_folder_of(j->ctx, j->job->spectrum));
    FR_TRY(read_input(j));
    FR_TRY(check_anything(j));
    FR_TRY(listen(j));
    FR_TRY(fr_score_play(&j->score, j->job->no_stems ? NULL : j->stems.data, &j->sound));
    FR_TRY(fr_wav_save(j->ctx, j->mix.data, j->sound.sample, j->sound.frames, 2,
                       (int32_t)FR_SOUND_RATE));
    FR_TRY(fr_picture_sound(j->ctx, j->sound.sample, j->sound.frames, 2, FR_SOUND_RATE,
                            j->picture.data));
    if (j->job->spectrum)
        FR_TRY(fr_picture_spectrum(j->ctx, j->sound.sample, j->sound.frames, 2, FR_SOUND_RATE,
                                   j->job->spectrum));
    if (j->sound.peak > 1.0)
        fr_log(j->ctx, FR_LOG_WARNING, "the peak is %.1f dB over full scale: --gain %.0f",
               20.0 * log10(j->sound.peak),
               20.0 * log10(j->score.gain * FR_FULL_SCALE / j->sound.peak) - 3.0);
    return tell(j, json, report);
}

FrResult fr_job_sound(FrContext *ctx, const FrSoundDef *job, bool json, FrText *report) {
    char *file;
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_sound_def_default()");
    FrSoundDef own = *job;
    Job j = {.ctx = ctx, .job = &own};
    *report = (FrText){NULL, 0};
    FR_TRY(fr_recording_file(ctx, job->input, &file));
    own.input = file;
    fr_score_init(&j.score, ctx);
    FrResult result = go(&j, json, report);
    fr_free(ctx, file);
    fr_free(ctx, j.sound.sample);
    fr_score_free(&j.score);
    fr_text_free(ctx, &j.mix);
    fr_text_free(ctx, &j.stems);
    fr_text_free(ctx, &j.picture);
    return result;
}
