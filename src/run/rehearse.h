// rehearse.h: what a run will cost, by doing a little of it and all of it coarsely.
#pragma once
#include "run/simulate.h"

/// What a run is expected to take.
typedef struct FrForecast {
    double step;    ///< shortest substep, s
    double steps;   ///< substeps summed over bodies, as in report.json
    double seconds; ///< of wall time, pictures not counted
    double seen;    ///< s, of the motion: how far it was followed
    bool breaks;    ///< something broke until then
} FrForecast;

/// Steps a small part of the real thing (half a second of work), and a coarse copy of the scene
/// through as much of it as a second and a half can do (then the pace it had is kept): the part
/// gives the cost of free motion, the copy tells how much more there is when things touch. The
/// world of `built` is used up.
FrResult fr_forecast(FrBuilt *built, const FrScene *scene, const FrTiming *timing,
                     double coarseness, FrForecast *forecast);
