// estimate.h: `fracas run --dry-run`: what a run will take, before anything starts.
#pragma once
#include "fracas/studio.h"
#include "job/simulate.h"

/// Steps a built world for two seconds to see how fast it goes. Text, or one JSON object.
FrResult fr_estimate(FrBuilt *built, const FrTiming *timing, bool json, FrText *text);
