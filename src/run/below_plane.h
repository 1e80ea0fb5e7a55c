// below_plane.h: bodies that went wholly under a plane: how deep at the worst, and what ended
// there.
#pragma once
#include "base/array.h"
#include "fracas/world.h"
#include "scene/scene.h"

/// How far under a plane all of a body was at the worst.
typedef struct FrUnder {
    int32_t plane; ///< body of the view
    double depth;  ///< of its lowest point, m; 0: it never was; negative: it began there
} FrUnder;

/// One for each body of the view.
typedef FR_ARRAY(FrUnder) FrUnders;

/// Note a moment; the first one shows who began under a plane.
FrResult fr_under_note(FrContext *ctx, const FrFrameView *view, FrUnders *under);

/// Lines "body plane depth", and back; a line that makes no sense is left out.
void fr_under_save(const FrUnders *under, FrWriter *lines);
FrResult fr_under_load(FrContext *ctx, const FrFrameView *view, const char *lines, FrUnders *under);

/// Bodies that ended with more than half of their volume under a plane, or were wholly under it:
/// contact did not keep them out. Warns by name, and writes a line for each, "body plane share
/// depth". What nothing moves, and what began there, is left out.
FrResult fr_find_under(FrContext *ctx, const FrScene *scene, const FrFrameView *view,
                       const FrUnders *under, FrWriter *lines);
