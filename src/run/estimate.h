// estimate.h: `fracas run --dry-run`: what a run will take, before anything starts.
#pragma once
#include "fracas/studio.h"
#include "run/simulate.h"

/// What a built world holds and what its run will take (rehearse.h). Text, or one JSON object.
FrResult fr_estimate(FrBuilt *built, const FrScene *scene, const FrTiming *timing,
                     double coarseness, bool json, FrText *text);
