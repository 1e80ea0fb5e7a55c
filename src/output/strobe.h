// strobe.h: several moments of a recording as one frame, and the paths between them.
#pragma once
#include "base/array.h"
#include "record/recording.h"
#include "render/render.h"

/// Most moments in one picture.
#define FR_STROBE_MOST 64

typedef struct FrStrobe {
    FrContext *ctx;
    FrRecording *moment[FR_STROBE_MOST]; ///< each stands at its own frame
    int32_t moment_count;
    FR_ARRAY(FrBodyView) body;
    FR_ARRAY(FrBodyFrame) frame;
    FR_ARRAY(FrDrawStroke) path; ///< of the centres of what moves, from frame to frame
    FrFrameView view;            ///< all of it
} FrStrobe;

/// `count` moments, evenly from the first frame to the last. What stands still is there once.
/// Free it in any case.
FrResult fr_strobe_make(FrContext *ctx, FrRecording *recording, int32_t count, FrStrobe *strobe);
void fr_strobe_free(FrStrobe *strobe);
