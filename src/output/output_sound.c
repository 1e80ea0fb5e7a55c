// output_sound.c: the sound of a run: mix, stems and spectrogram beside its recording.

#include "math/vec.h"
#include "output/outputs.h"
#include "output/spectrogram.h"
#include "sound/wav.h"
#include <math.h>

FrResult fr_output_score(FrScore *score, FrRecording *recording) {
    FrScene *scene = fr_recording_scene(score->ctx, recording);
    FrResult result = fr_score_recording(score, recording, scene);
    fr_scene_free(scene);
    return result;
}

FrResult fr_output_listener(FrScore *score, FrRecording *recording, const FrScene *scene) {
    FrVec3 eye, target;
    FR_TRY(fr_picture_camera(score->ctx, recording, scene, &eye, &target));
    fr_score_camera(score, eye, target, scene);
    return FR_OK;
}

static bool anything(const FrScore *score) {
    if (score->track) return true;
    for (int32_t k = 0; k < score->body.count; k++)
        if (score->body.data[k].asset && score->body.data[k].hit.count) return true;
    return false;
}

static FrResult write_sound(FrOutputs *o, FrScore *score) {
    FrScoreSound sound;
    FR_TRY(fr_score_play(score, o->stems, &sound));
    FrResult result =
        fr_wav_save(o->ctx, o->sound, sound.sample, sound.frames, 2, (int32_t)FR_SOUND_RATE);
    if (result == FR_OK)
        result =
            fr_picture_sound(o->ctx, sound.sample, sound.frames, 2, FR_SOUND_RATE, o->spectrogram);
    if (result == FR_OK && sound.peak > 1.0)
        fr_log(
            o->ctx, FR_LOG_WARNING,
            "the sound is %.1f dB over full scale and will clip; sound { gain = %.0f } lowers it",
            20.0 * log10(sound.peak),
            floor(20.0 * log10(score->gain * FR_FULL_SCALE / sound.peak)) - 1.0);
    fr_free(o->ctx, sound.sample);
    return result;
}

static FrResult sound_of(FrOutputs *o, FrRecording *recording, const FrScene *scene, FrScore *score,
                         bool *made) {
    FR_TRY(fr_output_score(score, recording));
    fr_score_scene(score, scene);
    if (score->microphone) FR_TRY(fr_score_track(score, o->microphone));
    *made = anything(score);
    if (!*made) return FR_OK;
    FR_TRY(fr_output_listener(score, recording, scene));
    return write_sound(o, score);
}

FrResult fr_output_sound(FrOutputs *o, FrRecording *recording, const FrScene *scene) {
    if (fr_output_fresh(o, o->sound) && fr_output_fresh(o, o->spectrogram)) return FR_OK;
    FrScore score;
    fr_score_init(&score, o->ctx);
    bool made = false;
    FrResult result = sound_of(o, recording, scene, &score, &made);
    if (result == FR_OK && made) result = fr_output_made(o, o->spectrogram);
    if (result == FR_OK && made) result = fr_output_made(o, o->sound);
    fr_score_free(&score);
    return result;
}
