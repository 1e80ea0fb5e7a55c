// roster.h: all bodies of a run by number: what recordings, microphones and pictures count by. A
// world shows those that live only.
#pragma once
#include "base/array.h"
#include "fracas/frame.h"

typedef struct FrRoster {
    FR_ARRAY(FrBodyView) body;   ///< by number; of those that are gone the kind is left
    FR_ARRAY(FrBodyFrame) frame; ///< likewise; not alive: before birth, after death
    FR_ARRAY(int32_t) nodes;     ///< of a sample, by number
    FR_ARRAY(int32_t) cuts;
    FrFrameView view;
} FrRoster;

/// A world's view with a place for each number so far: those that are not in it are not alive.
/// Valid until the next call. NULL: no memory.
const FrFrameView *fr_roster_view(FrContext *ctx, FrRoster *roster, const FrFrameView *from);
/// Places for `count` bodies at least: after a resume nobody else knows of those that died before.
/// False: no memory.
bool fr_roster_reserve(FrContext *ctx, FrRoster *roster, int32_t count);
/// What is known of each body of `from`, spread likewise into `to` (one of the roster's arrays); 0
/// for others. After fr_roster_view.
const int32_t *fr_roster_spread(FrRoster *roster, const FrFrameView *from, const int32_t *value,
                                int32_t *to);
void fr_roster_free(FrContext *ctx, FrRoster *roster);
