// bench.h: how long detection takes for two resting bodies; `fracas bench` calls it.
#pragma once
#include "contact/contact.h"

typedef struct FrContactBench {
    int32_t tets, surface_tets; ///< of both bodies together
    int32_t candidates, contacts;
    int32_t detections;
    double seconds;       ///< per detection with remembered candidates, median
    double seconds_renew; ///< per detection that walks both trees anew
    double seconds_build; ///< making the scene: surfaces and trees, once
    int64_t traversals;   ///< walks that happened during the timed resting detections
    double
        seconds_ball; ///< per detection of a ball of half their width sunk into one of the bodies
    int32_t ball_contacts;
} FrContactBench;

/// Two boxes of 6 cells^3 tets each, the upper one turned by 0.2 rad and sunk 1 % of a cell into
/// the lower one, both trembling; cells = 15 gives 20,250 tets each.
FrResult fr_contact_bench(FrContext *ctx, int32_t cells, int32_t detections, FrContactBench *bench);
