// outputs.h: what a finished (or running) recording is turned into: pictures, film, tables, page,
// report.
#pragma once
#include "event/grains.h"
#include "build/build.h"
#include "fracas/studio.h"
#include "record/recording.h"
#include "render/render.h"
#include "scene/scene.h"
#include "score/score.h"
#include "sound/microphone.h"

/// What a file was made from: a recording, the settings that matter for it; and what it held then.
typedef struct FrStamp {
    uint64_t source, settings, content;
} FrStamp;

/// How long a recording took, for runs that end before report.json says so; us of wall time.
typedef struct FrSpent {
    uint64_t source; ///< the recording; 0: not known
    int64_t mesh, simulate, checkpoint;
} FrSpent;

/// Paths inside one output folder, and what belongs in there. Freed together.
typedef struct FrOutputs {
    FrContext *ctx;
    char *folder, *run, *film, *poster, *sheet, *events, *report, *page, *scene;
    char *sound, *stems, *spectrogram, *microphone;
    char *usd;                               ///< pieces.usda, of what a run was made to break
    char *pieces;                            ///< the folder of its pieces
    char *stamps;                            ///< made.json
    char *made;                              ///< its text; NULL: none
    int lock;                                ///< of the folder; -1: none
    uint64_t source;                         ///< identity of the recording; 0: not finished
    uint64_t film_key, sound_key, scene_key; ///< hashes of what decides pictures, sound, all
    FrSpent spent;                           ///< as made.json has it
} FrOutputs;

FrResult fr_outputs_init(FrOutputs *outputs, FrContext *ctx, const char *folder);
void fr_outputs_free(FrOutputs *outputs);
/// Make the folder, keep other runs out of it until fr_outputs_free (FR_IO: one is writing there),
/// and remove what runs that were killed left half written.
FrResult fr_outputs_claim(FrOutputs *outputs);
/// Who writes into the folder of a recording: a run that is going, nobody, or it is not known.
typedef enum FrGoing { FR_STOPPED, FR_GOING, FR_GOING_UNKNOWN } FrGoing;
FrGoing fr_folder_going(FrContext *ctx, const char *recording);
/// Remove what processes that are gone left half written. Not while this one writes.
FrResult fr_outputs_tidy(const FrOutputs *outputs);

/// "bowl-fall=60cm" for a scene and settings; "fall=60cm" where the scene is "".
FrResult fr_settings_name(FrContext *ctx, const char *scene, const char *const *set,
                          int32_t set_count, FrText *name);
/// out/<scene>, with the settings in its name: out/bowl-fall=60cm.
FrResult fr_default_folder(FrContext *ctx, const char *scene, const char *const *set,
                           int32_t set_count, FrText *folder);
/// A number that is the same for the same finished motion; 0: it is not finished.
uint64_t fr_recording_identity(const FrRecording *recording);
/// Say what the files are to be made from, and read what they were made from. `sound`: wanted.
FrResult fr_outputs_source(FrOutputs *outputs, const FrRecording *recording, const FrScene *scene,
                           bool sound);
/// Read made.json; fine where there is none.
FrResult fr_outputs_read_made(FrOutputs *outputs);
/// Is this file (a path of `outputs`) there, unchanged, made from this recording with these
/// settings?
bool fr_output_fresh(const FrOutputs *outputs, const char *path);
/// The same, whatever the settings were.
bool fr_output_made_from(const FrOutputs *outputs, const char *path, uint64_t source);
/// This file has just been made: remember from what. NULL: none was.
FrResult fr_output_made(FrOutputs *outputs, const char *path);
/// Is all there that a run leaves behind?
bool fr_outputs_all_there(const FrOutputs *outputs, bool pictures);

/// What a run measured that the recording does not keep.
typedef struct FrRunNumbers {
    double mesh_seconds, simulate_seconds, film_seconds; ///< wall time
    double checkpoint_seconds;                           ///< part of simulate_seconds
    const char *command;                                 ///< NULL: none
} FrRunNumbers;

/// The motion is recorded: remember what it took, for a run that ends before its report.
FrResult fr_output_spent(FrOutputs *outputs, const FrRunNumbers *numbers);

/// How many times slower bursts are shown where the scene does not say.
#define FR_BURST_SLOW 200.0

/// What the ends of the colours stand for. Begin with zeros.
typedef struct FrPictureScale {
    double stress_max;              ///< Pa
    double crack_first, crack_last; ///< s; 0: no crack yet
} FrPictureScale;
/// How pictures are drawn.
typedef struct FrPictureDef {
    int32_t width; ///< 0: the scene's, or what suits a sheet
    FrShow show;
    const FrPictureScale *scale; ///< of one in memory; NULL: that of the whole recording
    const FrCamera *camera;      ///< likewise; NULL: the scene's
    const char *follow;          ///< body that the camera follows; NULL: what acts
} FrPictureDef;

/// dust_grains.c: the grains of its dust, where its planes and gravity lead them. Free them.
FrResult fr_recording_grains(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                             FrGrains *grains);

/// The camera of the film; *aspect: width / height of its pictures.
FrResult fr_picture_film_camera(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                                FrCamera *camera, double *aspect);

/// One frame (-1: the poster's choice), a contact sheet (where something breaks, mostly of the
/// moments around that), a film. `scene` may be NULL.
FrResult fr_picture_frame(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                          int32_t frame, FrPictureDef def, const char *path);
/// Several moments in one picture, with the paths of what moves.
FrResult fr_picture_strobe(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                           int32_t moments, FrPictureDef def, const char *path);
FrResult fr_picture_sheet(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                          FrSheetGrid grid, FrPictureDef def, const char *path);
/// `wav`: sound that begins with the first frame; NULL: none.
FrResult fr_picture_film(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                         FrPictureDef def, const char *wav, const char *path);

/// Make room for what a recording shows up to a frame.
FrResult fr_picture_scale(FrContext *ctx, FrRecording *recording, int32_t frame, FrShow show,
                          FrPictureScale *scale);

/// One frame in memory, `image->rgba` is freed with fr_free.
FrResult fr_picture_image(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                          int32_t frame, FrPictureDef def, FrImage *image);
/// The film's camera as it stands in a frame.
FrResult fr_picture_camera_at(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                              int32_t frame, FrCamera *camera);
/// Where the film is seen from, m.
FrResult fr_picture_camera(FrContext *ctx, FrRecording *recording, const FrScene *scene,
                           FrVec3 *eye, FrVec3 *target);
/// The folder that a recording lies in, and its made.json. Free it in any case.
FrResult fr_outputs_beside(FrContext *ctx, const FrRecording *recording, FrOutputs *outputs);
/// The scene of a recording as its pictures were last made (scene.json beside it), else as it was
/// recorded; NULL: none that can be read. Free it with fr_scene_free.
FrScene *fr_recording_scene(FrContext *ctx, FrRecording *recording);

/// Two ears where the listener of the scene is, before anything moves.
FrResult fr_output_microphone(FrBuilt *built, const FrScene *scene, double rate,
                              FrMicrophone **microphone);
/// microphone.wav: what it heard, at a gain of 0 dB.
FrResult fr_output_track(FrOutputs *outputs, const FrMicrophone *microphone);
/// What is to be heard of a recording, by its own scene.
FrResult fr_output_score(FrScore *score, FrRecording *recording);
/// The listener stands where the film is seen from, unless the scene (NULL: none) says otherwise.
FrResult fr_output_listener(FrScore *score, FrRecording *recording, const FrScene *scene);
/// sound.wav, stems/ and spectrogram.png, when something rigid was hit and they are not there yet.
FrResult fr_output_sound(FrOutputs *outputs, FrRecording *recording, const FrScene *scene);

/// A first picture, as soon as there is a frame.
FrResult fr_output_poster(FrOutputs *outputs, FrRecording *recording, const FrScene *scene);
/// Film, poster and contact sheet, those that are not there or older than the recording. What this
/// machine cannot draw (no OpenGL, no ffmpeg) is a warning, not a failure.
FrResult fr_output_pictures(FrOutputs *outputs, FrRecording *recording, const FrScene *scene);
/// scene.json, events.csv, index.html, report.json (last: it says that all is there).
FrResult fr_output_tables(FrOutputs *outputs, FrRecording *recording, const FrScene *scene,
                          const FrRunNumbers *numbers);
