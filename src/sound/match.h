// match.h: which modes of a body the tones of a recording are, and by what factor all are higher.
#pragma once
#include "sound/partials.h"

/// What is known before: tones of the body in a guessed material, by rising frequency.
typedef struct FrMatchDef {
    const double *hz; ///< (mode_count)
    int32_t mode_count;
    const FrPartial *partial; ///< by rising frequency (partial_count)
    int32_t partial_count;
    double most; ///< the factor lies between 1/most and most
} FrMatchDef;

typedef struct FrMatch {
    double scale;      ///< partials are at scale * hz
    double confidence; ///< how many times as likely it is as all others, natural logarithm
    double other;      ///< the likeliest of these
    double spread;     ///< of what is matched about its modes, relative
    int32_t matched;   ///< partials that are modes
    int32_t *mode;     ///< of each partial (partial_count); -1: none
} FrMatch;

/// FR_FAILED: no tone of the body lies at a tone of the recording, whatever the factor.
FrResult fr_match_tones(FrContext *ctx, const FrMatchDef *def, FrMatch *match);
void fr_match_free(FrContext *ctx, FrMatch *match);
