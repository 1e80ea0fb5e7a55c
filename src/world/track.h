// track.h: motions and numbers over time, as scenes give them.
#pragma once
#include "fracas/world.h"
#include "math/vec.h"

/// FR_BAD_USE: times not ascending or a value not finite.
FrResult fr_track_copy(FrContext *ctx, const FrTrack *from, FrTrack *to);
FrResult fr_curve_copy(FrContext *ctx, const FrCurve *from, FrCurve *to);
void fr_track_free(FrContext *ctx, FrTrack *track);
void fr_curve_free(FrContext *ctx, FrCurve *curve);

FrKey fr_track_at(const FrTrack *track, double t);
/// Where the point that started at `x` is at time t.
FrVec3 fr_track_point(const FrTrack *track, double t, FrVec3 x);
double fr_curve_at(const FrCurve *curve, double t);
