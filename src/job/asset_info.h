// asset_info.h: what a cooked body is and how it rings, in words.
#pragma once
#include "base/bytes.h"

/// What a .frm file holds, for `fracas info`.
FrResult fr_asset_describe(FrContext *ctx, const char *path, bool json, FrWriter *w);
