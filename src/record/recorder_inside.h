// recorder_inside.h: what the files of the recorder share; nobody else includes it.
#pragma once
#include "record/recorder.h"
#include "record/recording_schema.h"
#include "base/array.h"
#include "base/bytes.h"

typedef struct FrRecordedBody {
    FrBodyKind kind;
    int32_t node_count;            ///< with those that cuts have added
    bool posed;                    ///< has a pose track
    bool whole;                    ///< its pose says where its nodes are
    int32_t modes;                 ///< its pose and so many modes do; 0: none
    int64_t chunk;                 ///< the pose chunk being filled, -1: none
    int32_t first, samples;        ///< place of its first sample in the chunk, and how many
    float (*pose)[FR_POSE_FLOATS]; ///< (FR_POSE_CHUNK); NULL until needed
} FrRecordedBody;

/// One body's state on its way into the file; kept from frame to frame.
typedef struct FrStateJob {
    uint8_t *raw;
    size_t room;
    FrWriter z;
    bool failed;
    int32_t bad_node; ///< -2: all numbers are finite
} FrStateJob;

struct FrRecorder {
    FrContext *ctx;
    FrStore *store;
    char *path;
    FR_ARRAY(FrRecordedBody) body;
    FR_ARRAY(FrStateJob) job; ///< one per body
    FrWriter raw, z, cut;
    double pose_hz;
    uint64_t next_seq;
    int64_t next_sample;
    int32_t slot;        ///< checkpoint slot to write next
    int64_t last_commit; ///< ns, monotonic
    FrResult broken;     ///< the first failure that lost rows; every later call gives it again
};

/// Every public function starts with this: nothing works on a broken recorder.
FrResult fr_recorder_ready(FrRecorder *recorder);
/// Remember a failure that made SQLite drop rows.
FrResult fr_recorder_broke(FrRecorder *recorder, FrResult result);
FrResult fr_recorder_flush_poses(FrRecorder *recorder);
FrResult fr_recorder_pack_poses(FrRecorder *recorder, FrRecordedBody *body, int32_t id);
FrResult fr_recorder_new_chunk(FrRecorder *recorder, FrRecordedBody *body);
/// Open an existing file for writing, with its bodies.
FrResult fr_recorder_attach(FrContext *ctx, const char *path, FrRecorder **recorder);
/// Commit when the last one is a while ago; a reader in the way is only logged.
FrResult fr_recorder_commit_sometimes(FrRecorder *recorder);
/// How a body that is known is recorded.
typedef struct FrRecordedKind {
    FrBodyKind kind;
    int32_t node_count, modes;
    bool posed, deforms;
} FrRecordedKind;
FrResult fr_recorder_know_body(FrRecorder *recorder, const FrRecordedKind *kind);
