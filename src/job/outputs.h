// outputs.h: what a finished (or running) recording is turned into: pictures, film, tables, page,
// report.
#pragma once
#include "fracas/studio.h"
#include "job/build.h"
#include "record/recording.h"
#include "scene/scene.h"
#include "sound/microphone.h"

/// Paths inside one output folder. Freed together.
typedef struct FrOutputs {
    FrContext *ctx;
    char *folder, *run, *film, *poster, *sheet, *events, *report, *page;
    char *sound, *stems, *spectrogram, *microphone;
} FrOutputs;

FrResult fr_outputs_init(FrOutputs *outputs, FrContext *ctx, const char *folder);
void fr_outputs_free(FrOutputs *outputs);

/// out/<scene>, with the settings in its name: out/bowl-fall=60cm.
FrResult fr_default_folder(FrContext *ctx, const char *scene, const char *const *set,
                           int32_t set_count, FrText *folder);
/// Is this file there, and not older than the recording?
bool fr_output_fresh(const FrOutputs *outputs, const char *path);
/// Are all that a run leaves behind?
bool fr_outputs_all_there(const FrOutputs *outputs, bool pictures);

/// What a run measured that the recording does not keep.
typedef struct FrRunNumbers {
    double mesh_seconds, simulate_seconds, film_seconds; ///< wall time
    double checkpoint_seconds;                           ///< part of simulate_seconds
    const char *command;                                 ///< NULL: none
} FrRunNumbers;

/// How many times slower bursts are shown where the scene does not say.
#define FR_BURST_SLOW 200.0

/// One frame (-1: the poster's choice), a contact sheet, a film. `scene` may be NULL; width 0: the
/// scene's.
FrResult fr_picture_frame(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                          int32_t frame, int32_t width, FrShow show, const char *path);
FrResult fr_picture_sheet(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                          int32_t columns, int32_t rows, FrShow show, const char *path);
/// `wav`: sound that begins with the first frame; NULL: none.
FrResult fr_picture_film(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                         int32_t width, FrShow show, const char *wav, const char *path);

/// Where the film is seen from, m.
FrResult fr_picture_camera(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                           FrVec3 *eye, FrVec3 *target);
/// The scene inside a recording; NULL: none that can be read. Free it with fr_scene_free.
FrScene *fr_recording_scene(FrContext *ctx, FrRecording *recording);

/// Two ears where the listener of the scene is, before anything moves.
FrResult fr_output_microphone(FrBuilt *built, const FrScene *scene, double rate,
                              FrMicrophone **microphone);
/// microphone.wav: what it heard, at a gain of 0 dB.
FrResult fr_output_track(FrOutputs *outputs, const FrMicrophone *microphone);
/// sound.wav, stems/ and spectrogram.png, when something rigid was hit and they are not there yet.
FrResult fr_output_sound(FrOutputs *outputs, FrRecording *recording, const FrScene *scene);

/// A first picture, as soon as there is a frame.
FrResult fr_output_poster(FrOutputs *outputs, FrRecording *recording, const FrScene *scene);
/// Film, poster and contact sheet, those that are not there or older than the recording. What this
/// machine cannot draw (no OpenGL, no ffmpeg) is a warning, not a failure.
FrResult fr_output_pictures(FrOutputs *outputs, FrRecording *recording, const FrScene *scene);
/// events.csv, index.html, report.json (last: it says that all is there).
FrResult fr_output_tables(FrOutputs *outputs, FrRecording *recording, const FrScene *scene,
                          const FrRunNumbers *numbers);
/// How well the ledger closes: largest gap over largest energy held.
double fr_energy_gap(const FrEnergyRow *row, int32_t count);
