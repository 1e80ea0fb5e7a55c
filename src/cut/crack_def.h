// crack_def.h: what may be asked of how a body breaks.
#pragma once
#include "base/context.h"
#include "fracas/crack.h"

/// FR_BAD_USE: some setting is out of range; the message names it. `weak` has tet_count entries.
FrResult fr_crack_def_check(FrContext *ctx, const FrCrackDef *crack, int32_t tet_count);
/// Is nothing asked of how cracks go from node to node? Then any model may break the body.
bool fr_crack_def_is_open(const FrCrackDef *crack);
