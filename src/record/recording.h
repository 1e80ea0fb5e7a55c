// recording.h: reading a run back, finished or still going. Never trusts the file.
#pragma once
#include "fracas/frame.h"
#include "cut/pieces.h"
#include "event/log.h"
#include "record/recorder.h"

typedef struct FrRecording FrRecording;

/// What the file says about itself. All borrowed.
typedef struct FrRecordingInfo {
    const char *path, *version, *scene_json;
    uint64_t scene_hash, seed;
    double fps, duration, tick_seconds, pose_hz, burst_hz;
    bool finished;
    int32_t body_count, frame_count;
    const int64_t *tick;   ///< of each frame (frame_count)
    const double *t;       ///< of each frame, s (frame_count)
    int32_t burst_count;   ///< frames between ticks, for slow motion
    const double *burst_t; ///< of each of them, s (burst_count)
    size_t file_size;      ///< bytes
} FrRecordingInfo;

/// One body as its row says. All borrowed.
typedef struct FrRecordingBody {
    const FrBodyView *view;
    int32_t parent, piece; ///< parent -1: none
    int64_t born, died;    ///< ticks; died INT64_MAX: never
    uint64_t mesh_hash;
} FrRecordingBody;

typedef struct FrPose {
    FrVec3 x;
    FrQuat q;
} FrPose;

/// The path of one body, sample k at (first + k) / hz seconds.
typedef struct FrPoseTrack {
    double hz;
    int64_t first;
    int32_t count, capacity;
    FrPose *data; ///< (count); give back with fr_free
} FrPoseTrack;

/// FR_BAD_INPUT: not a recording, or damaged; the message says what was found.
FrResult fr_recording_open(FrContext *ctx, const char *path, FrRecording **recording);
void fr_recording_close(FrRecording *recording); ///< accepts NULL

/// Look again: a run still going has new frames and bodies. What was given out before is no longer
/// valid, also when this fails (nothing is readable then until it succeeds).
FrResult fr_recording_refresh(FrRecording *recording);

const FrRecordingInfo *fr_recording_info(const FrRecording *recording);
/// A fact of fr_recorder_meta as text, NULL: not there.
const char *fr_recording_meta(const FrRecording *recording, const char *key);
void fr_recording_body(const FrRecording *recording, int32_t id, FrRecordingBody *body);
/// Colour, roughness, metallic, opacity and inside that its views have from now on; the file stays
/// as it is.
void fr_recording_paint(FrRecording *recording, int32_t id, const FrMaterial *look);

/// FR_TOPOLOGY_CHANGING unless set otherwise. Views given out before are no longer valid.
void fr_recording_set_topology(FrRecording *recording, FrTopology topology);

/// The pieces of a body in its last mesh, by name; borrowed until the next call. A body that was
/// never cut has one.
FrResult fr_recording_pieces(FrRecording *recording, int32_t id, const FrPiece **piece,
                             int32_t *count);

/// Whether fr_recording_source gives the ordinary frames (unless set otherwise) or those of
/// bursts.
void fr_recording_set_bursts(FrRecording *recording, bool bursts);
bool fr_recording_shows_bursts(const FrRecording *recording); ///< as it was set

/// Frame k in [0, frame_count); borrowed until the next call. Buffers are kept and used again.
FrResult fr_recording_frame(FrRecording *recording, int32_t k, const FrFrameView **view);
void fr_recording_source(FrRecording *recording, FrFrameSource *source);

/// The same, but bodies that were cut may be without their skins: quicker where nobody looks at
/// them.
FrResult fr_recording_bare_frame(FrRecording *recording, int32_t k, const FrFrameView **view);
void fr_recording_bare_source(FrRecording *recording, FrFrameSource *source);

/// The same for frames of bursts, k in [0, burst_count).
FrResult fr_recording_burst(FrRecording *recording, int32_t k, const FrFrameView **view);

/// All events into `log` (its old content is dropped).
FrResult fr_recording_events(FrRecording *recording, FrEventLog *log);
/// Caller frees `rows` with fr_free.
FrResult fr_recording_energy(FrRecording *recording, FrEnergyRow **rows, int32_t *count);
FrResult fr_recording_poses(FrRecording *recording, int32_t id, FrPoseTrack *track);

/// What all frames, and all events, come to: the same for the same motion. `frames` goes over tick,
/// t and the encoded state of every body of every frame.
FrResult fr_recording_hash(FrRecording *recording, uint64_t *frames, uint64_t *events);

FrResult fr_recording_frame_hash(FrRecording *recording, int32_t k, uint64_t *hash);
