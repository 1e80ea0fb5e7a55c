// starts.h: where the bodies of a recording began.
#pragma once
#include "base/array.h"
#include "render/render.h"

typedef struct FrStarts {
    FR_ARRAY(FrDrawStart) body; ///< by their place in frames
} FrStarts;

/// From the first frame: the rotation and shift that take a body's mesh nearest to where it is.
/// Bodies that come later are not known. Free body in any case.
FrResult fr_find_starts(FrContext *ctx, const FrFrameSource *source, FrStarts *starts);
