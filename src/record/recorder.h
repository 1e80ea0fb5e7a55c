// recorder.h: writing a run into one crash-safe file.
//
// Rows gather in one open transaction; fr_recorder_commit and fr_recorder_checkpoint make them
// stay. Whatever kills the process, the file holds the rows of the last commit, and resuming goes
// back to the last checkpoint. The finished file depends on what was recorded only: not on commits,
// kills or resumes, not on workers.
#pragma once
#include "fracas/event.h"
#include "fracas/frame.h"
#include "base/bytes.h"
#include "cut/cutlog.h"

typedef struct FrRecorder FrRecorder;

/// What a recording says about itself. All borrowed during create.
typedef struct FrRecorderDef {
    const char *scene_json; ///< resolved and complete, so that it can be replayed
    uint64_t scene_hash;
    uint64_t seed;
    double fps;          ///< frames per second of the film
    double duration;     ///< s
    double tick_seconds; ///< s per tick (the world's macro step)
    double pose_hz;      ///< pose samples per second; at least 200 for sound
    double burst_hz;     ///< samples per second of bursts; 0: there are none
    const char *version; ///< of the program, NULL: this library's
} FrRecorderDef;

/// A new body. Its id is its index in the frame views that follow.
typedef struct FrRecordBody {
    int32_t id;
    int32_t parent;  ///< the body it broke off, -1: none
    int32_t piece;   ///< which piece of the parent, 0 when whole
    int64_t born;    ///< tick
    FrBodyView view; ///< borrowed; rigid ones have a pose track; mesh, skin and material are stored
                     ///< once however often used
} FrRecordBody;

/// Energies at one tick, J. Dissipated and external parts are sums since the start.
typedef struct FrEnergyRow {
    int64_t tick;
    double kinetic, elastic, plastic, damping, contact, fracture, external, dust;
} FrEnergyRow;

typedef enum FrRunState {
    FR_RUN_ABSENT,   ///< no file
    FR_RUN_STARTED,  ///< goes on at the checkpoint (or from the start when there is none)
    FR_RUN_FINISHED, ///< nothing to do
} FrRunState;

/// Where a resumed run stands.
typedef struct FrResumePoint {
    FrRunState state;
    int64_t tick;   ///< of the checkpoint; -1: none, start over
    uint8_t *bytes; ///< the checkpoint; caller frees with fr_free; NULL: none
    size_t size;
    uint64_t next_seq;   ///< number of the next event
    int64_t next_sample; ///< number of the next pose sample
    int32_t body_count;  ///< bodies the file has
    double duration;     ///< how long the run was to be, s
    double tick_seconds; ///< s per tick
} FrResumePoint;

/// A new file at `path`, over an old one if there is one (which stays until the new one is whole).
FrResult fr_recorder_create(FrContext *ctx, const char *path, const FrRecorderDef *def,
                            FrRecorder **recorder);

/// Go on with the run in `path`: rows past the last good checkpoint are dropped. `recorder` is NULL
/// unless the state is FR_RUN_STARTED. FR_BAD_USE: made from another scene; the file is untouched.
FrResult fr_recorder_open_resume(FrContext *ctx, const char *path, uint64_t scene_hash,
                                 FrRecorder **recorder, FrResumePoint *point);

/// Go on with a finished run from its end, towards the scene text and duration of `def`; the rest
/// of `def` must be as it was. FR_BAD_USE: its end was not kept; the file is untouched.
FrResult fr_recorder_open_extend(FrContext *ctx, const char *path, const FrRecorderDef *def,
                                 FrRecorder **recorder, FrResumePoint *point);
/// Another scene text and duration for the same motion.
FrResult fr_recorder_retarget(FrRecorder *recorder, const FrRecorderDef *def);

/// Rows not committed are dropped. Accepts NULL.
void fr_recorder_close(FrRecorder *recorder);

/// Any further fact that is the same in every run of the scene (no times, no paths).
FrResult fr_recorder_meta(FrRecorder *recorder, const char *key, const char *value);
/// It as text, which a zero byte ends; empty: there is none.
FrResult fr_recorder_meta_get(FrRecorder *recorder, const char *key, FrWriter *value);

/// So many bodies were added: the number of the next one.
int32_t fr_recorder_body_count(const FrRecorder *recorder);
/// Ids rise by one. With its first mesh, uncut. Adding a body again (after a resume) changes
/// nothing.
FrResult fr_recorder_add_body(FrRecorder *recorder, const FrRecordBody *body);
FrResult fr_recorder_end_body(FrRecorder *recorder, int32_t id, int64_t tick);

/// What cuts did to a body's mesh since its last such row, at `tick`: before the frame of that
/// tick, at most once per body and tick. `first_tet`: tets before the log. Frames that follow have
/// the log's nodes, too. A log without entries is left out.
FrResult fr_recorder_topology(FrRecorder *recorder, int32_t body, int64_t tick, const FrCutLog *log,
                              int32_t first_tet);

/// All bodies at view->tick. FR_NUMERICAL names the body and node whose number is not finite;
/// nothing of the frame is kept then. Commits about once a second.
FrResult fr_recorder_frame(FrRecorder *recorder, const FrFrameView *view);

/// One moment between ticks, for slow motion.
typedef struct FrBurstFrame {
    int64_t sample;          ///< its time is sample / burst_hz
    const FrFrameView *view; ///< all bodies; view->tick: the first tick that is not before it
    const int32_t *nodes;    ///< that each body had (view->body_count)
    const int32_t *cuts;     ///< steps of the body's log of that tick that had come (likewise)
} FrBurstFrame;

/// After the topology of its tick. Samples rise.
FrResult fr_recorder_burst(FrRecorder *recorder, const FrBurstFrame *frame);

/// Pose sample number `sample` (time sample / pose_hz) of all posed and living bodies. Samples come
/// in order, one by one.
FrResult fr_recorder_poses(FrRecorder *recorder, int64_t sample, const FrFrameView *view);

FrResult fr_recorder_event(FrRecorder *recorder, const FrEvent *event);
FrResult fr_recorder_energy(FrRecorder *recorder, const FrEnergyRow *row);

/// Add seconds to a stage's clock. Dropped when the run is finished.
FrResult fr_recorder_timing(FrRecorder *recorder, const char *stage, double seconds);
/// Sum of a stage over all resumes, s; 0 when unknown.
FrResult fr_recorder_timing_get(FrRecorder *recorder, const char *stage, double *seconds);

/// Keep all rows, and this state to go on from.
FrResult fr_recorder_checkpoint(FrRecorder *recorder, int64_t tick, const void *bytes, size_t size);
FrResult fr_recorder_commit(FrRecorder *recorder);
/// The state at the end: stays in the finished file, so that the run can be made longer.
FrResult fr_recorder_ending(FrRecorder *recorder, int64_t tick, const void *bytes, size_t size);

/// Drop checkpoints and timings, write the final file and put it in place. Then only close is left.
FrResult fr_recorder_finish(FrRecorder *recorder);
