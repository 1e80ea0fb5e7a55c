// sound_job.c: `fracas sound`: a recording sounded anew, or the contacts of another engine.

#include "base/clock.h"
#include "base/file.h"
#include "base/file_names.h"
#include "base/json.h"
#include "export/report_text.h"
#include "math/vec.h"
#include "output/outputs.h"
#include "output/spectrogram.h"
#include "output/spectrum_picture.h"
#include "render/render.h"
#include "score/bank_file.h"
#include "sound/spectrum.h"
#include "sound/wav.h"
#include <math.h>
#include <string.h>

typedef struct Job {
    FrContext *ctx;
    const FrSoundDef *job;
    FrScore score;
    FrScoreSound sound;
    FrText mix, stems, picture; ///< paths
    FrSoundbank *bank;
    double cooked, played; ///< processor time, s
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

static FrResult open_bank(Job *j) {
    const char *bank = j->job->bank;
    if (!bank) return FR_OK;
    if (!fr_ends_with(j->job->input, ".fracas"))
        return fr_fail(j->ctx, FR_BAD_USE, "%s: only bodies of a recording borrow from a bank",
                       j->job->input);
    char *path = strcmp(bank, "auto") ? fr_strdup(j->ctx, bank) : fr_bank_shipped(j->ctx);
    if (!path)
        return fr_fail(j->ctx, FR_BAD_INPUT,
                       "no soundbank came with the program; `fracas bank build glass -o glass.frb` "
                       "makes one for --bank glass.frb");
    FrResult result = fr_bank_open(j->ctx, path, &j->bank);
    fr_free(j->ctx, path);
    j->score.rule = (FrProxyRule){j->bank, j->job->proxy};
    return result;
}

/// What bodies borrowed.
typedef struct Borrowed {
    int32_t bodies, direct, meshed; ///< that borrow; that have modes of their own; pitches by tets
    double seconds;                 ///< of finding lowest tones
    double waves;                   ///< the largest mismatch of waves in the air, 1
    double covered;                 ///< Hz: the least
} Borrowed;

static Borrowed count_borrowed(const Job *j) {
    Borrowed b = {.covered = HUGE_VAL};
    for (int32_t k = 0; k < j->score.body.count; k++) {
        const FrScoreBody *body = &j->score.body.data[k];
        b.direct += body->asset && !body->proxied.asset;
        if (!body->proxied.asset) continue;
        b.bodies++;
        b.meshed += body->proxied.meshed;
        b.seconds += body->proxied.seconds;
        b.waves = fr_max(b.waves, fabs(body->proxied.info.waves - 1.0));
        if (body->proxied.info.covered > body->proxied.hz)
            b.covered = fr_min(b.covered, body->proxied.info.covered);
    }
    return b;
}

// what borrowing costs, in words
static void tell_borrowed(const Job *j) {
    if (!j->bank) return;
    Borrowed b = count_borrowed(j);
    FrSoundbankInfo info = fr_soundbank_info(j->bank);
    fr_log(
        j->ctx, FR_LOG_INFO,
        "%d of %d bodies borrow their sound from ellipsoids of %s; lowest tones took %.0f ms each, "
        "%d of them by tets",
        b.bodies, b.bodies + b.direct, info.material, b.bodies ? 1e3 * b.seconds / b.bodies : 0.0,
        b.meshed);
    if (b.waves > 0.005)
        fr_log(j->ctx, FR_LOG_INFO,
               "they are not of %s: waves in the air are up to %.1f %% off beside the bodies",
               info.material, 100.0 * b.waves);
    if (b.covered < 12000.0)
        fr_log(j->ctx, FR_LOG_INFO,
               "the bank covers the heaviest up to %.0f Hz; what rings above that is left out",
               b.covered);
}

// the middle of both ears
static float *mono_of(FrContext *ctx, const FrScoreSound *sound, int64_t frames) {
    float *to = FR_NEW(ctx, float, frames);
    for (int64_t n = 0; to && n < frames && n < sound->frames; n++)
        to[n] = 0.5f * (sound->sample[2 * n] + sound->sample[2 * n + 1]);
    return to;
}

static FrResult distance(const Job *a, const Job *b, double *db) {
    int64_t frames = a->sound.frames > b->sound.frames ? a->sound.frames : b->sound.frames;
    float *x = mono_of(a->ctx, &a->sound, frames), *y = mono_of(a->ctx, &b->sound, frames);
    FrMono one = {x, frames, FR_SOUND_RATE}, other = {y, frames, FR_SOUND_RATE};
    FrResult result = x && y ? fr_spectrum_distance(a->ctx, &one, &other, db)
                             : fr_no_memory(a->ctx, "a comparison");
    FR_FREE_ALL(a->ctx, x, y);
    return result;
}

static void json_way(FrJson *out, const char *key, const Job *j) {
    fr_json_object(out, key);
    fr_json_text(out, "output", j->mix.data);
    fr_json_number(out, "cook_seconds", j->cooked);
    fr_json_number(out, "mix_seconds", j->played);
    fr_json_number(out, "peak_db", j->sound.peak > 0.0 ? 20.0 * log10(j->sound.peak) : -300.0);
    fr_json_end(out);
}

static FrResult json_both(Job *j, const Job *direct, double db, FrText *report) {
    Borrowed b = count_borrowed(j);
    FrWriter w;
    FrJson out;
    fr_writer_init(&w, j->ctx);
    fr_json_begin(&out, &w, true);
    fr_json_object(&out, NULL);
    fr_json_int(&out, "bodies", b.bodies + b.direct);
    fr_json_int(&out, "borrow", b.bodies);
    json_way(&out, "direct", direct);
    json_way(&out, "proxies", j);
    fr_json_number(&out, "apart_db", db);
    fr_json_end(&out);
    return fr_text_take(&w, report);
}

static FrResult tell_both(Job *j, const Job *direct, double db, FrText *report) {
    Borrowed b = count_borrowed(j);
    double seconds = (double)j->sound.frames / FR_SOUND_RATE;
    double all = j->cooked + j->played, own = direct->cooked + direct->played;
    return fr_text_print(
        j->ctx, report,
        "            bodies that borrow   modes and waves      mixing           all\n"
        "direct      0 of %-13d %11.2f s    %9.2f s   %9.2f s   %s\n"
        "proxies     %d of %-13d %10.2f s    %9.2f s   %9.2f s   %s\n"
        "%.0f ms of processor time per body; mixing %.0fx real time; %.1fx as fast as direct (S7 "
        "prints 463 to 1083x against its cluster)\n"
        "they are %.1f dB apart (root mean square over third octaves and moments within 60 dB of "
        "the "
        "loudest)\n",
        b.bodies + b.direct, direct->cooked, direct->played, own, direct->mix.data, b.bodies,
        b.bodies + b.direct, j->cooked, j->played, all, j->mix.data,
        b.bodies ? 1e3 * j->cooked / b.bodies : 0.0, seconds / j->played, own / all, db);
}

static FrResult play(Job *j) {
    double start = fr_processor_seconds();
    FR_TRY(read_input(j));
    tell_borrowed(j);
    FR_TRY(check_anything(j));
    FR_TRY(listen(j));
    j->cooked = fr_processor_seconds() - start;
    FR_TRY(fr_score_play(&j->score, j->job->no_stems ? NULL : j->stems.data, &j->sound));
    j->played = fr_processor_seconds() - start - j->cooked;
    return FR_OK;
}

static FrResult go(Job *j) {
    FR_TRY(name_files(j));
    FR_TRY(fr_check_folder_of(j->ctx, j->mix.data));
    if (j->job->spectrum) FR_TRY(fr_check_folder_of(j->ctx, j->job->spectrum));
    FR_TRY(open_bank(j));
    FR_TRY(play(j));
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
    return FR_OK;
}

static void close_job(Job *j) {
    fr_free(j->ctx, j->sound.sample);
    fr_score_free(&j->score);
    fr_soundbank_destroy(j->bank);
    fr_text_free(j->ctx, &j->mix);
    fr_text_free(j->ctx, &j->stems);
    fr_text_free(j->ctx, &j->picture);
}

// <mix>-direct.wav, without a bank
static FrResult direct_name(Job *j, const char *mix, FrText *path) {
    return fr_text_print(j->ctx, path, "%.*s-direct.wav", (int)strlen(mix) - 4, mix);
}

// every body with modes of its own, at a gain that the other one takes over
static FrResult play_direct(Job *direct, const Job *j, FrSoundDef *def) {
    FrText path = {NULL, 0};
    FR_TRY(direct_name(direct, j->mix.data, &path));
    def->bank = NULL;
    def->no_stems = true;
    def->output = path.data;
    def->spectrum = NULL;
    FrResult result = go(direct);
    fr_text_free(direct->ctx, &path);
    return result;
}

static FrResult compare(Job *j, bool json, FrText *report) {
    FrSoundDef def = *j->job, own = *j->job;
    Job direct = {.ctx = j->ctx, .job = &def};
    double db = 0.0;
    fr_score_init(&direct.score, j->ctx);
    FrResult result = name_files(j);
    if (result == FR_OK) result = play_direct(&direct, j, &def);
    fr_text_free(j->ctx, &j->mix);
    fr_text_free(j->ctx, &j->stems);
    fr_text_free(j->ctx, &j->picture);
    own.gain = 20.0 * log10(direct.score.gain * FR_FULL_SCALE);
    j->job = &own;
    if (result == FR_OK) result = go(j);
    if (result == FR_OK) result = distance(j, &direct, &db);
    if (result == FR_OK)
        result = json ? json_both(j, &direct, db, report) : tell_both(j, &direct, db, report);
    close_job(&direct);
    return result;
}

FrResult fr_job_sound(FrContext *ctx, const FrSoundDef *job, bool json, FrText *report) {
    FR_NEED_ALL(ctx, ctx && job && report);
    char *file;
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_sound_def_default()");
    FR_NEED(ctx, job->change || job->change_count <= 0, "give as many changes as are said");
    if (job->compare && !job->bank)
        return fr_fail(ctx, FR_BAD_USE, "what is compared is a bank: --bank auto");
    FrSoundDef own = *job;
    Job j = {.ctx = ctx, .job = &own};
    *report = (FrText){NULL, 0};
    FR_TRY(fr_recording_file(ctx, job->input, &file));
    own.input = file;
    fr_score_init(&j.score, ctx);
    FrResult result;
    if (job->compare) {
        result = compare(&j, json, report);
    } else {
        result = go(&j);
        if (result == FR_OK) result = tell(&j, json, report);
    }
    fr_free(ctx, file);
    close_job(&j);
    return result;
}
