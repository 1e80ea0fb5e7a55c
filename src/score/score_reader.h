// score_reader.h: what is read from a recording on the way to a score; only score/ looks inside.
#pragma once
#include "score/cook_recording.h"
#include "score/score.h"

typedef struct FrScoreReader {
    FrScore *score;
    FrRecording *recording;
    int32_t *body;    ///< of the score, for each of the recording; -1: silent
    uint8_t *touched; ///< is hit, slides or is let go at some time (body_count)
    FrEventLog log;
    const FrScene *scene; ///< of the recording; NULL: not readable
    FrPoseTrack *track;   ///< of those that ring, and their ancestors (body_count)
    FrCookItem *item;     ///< of each body of the score (its count)
} FrScoreReader;

/// Which bodies have anything to be heard of.
void fr_score_mark_touched(FrScoreReader *reader);
/// Blows, slidings and what breaking lets go, once bodies are cooked and tracks are read.
FrResult fr_score_events(FrScoreReader *reader);
