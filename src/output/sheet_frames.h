// sheet_frames.h: which moments of a run a contact sheet shows.
#pragma once
#include <stdint.h>

/// When things happened for the first time, s; HUGE_VAL: never.
typedef struct FrMoments {
    double impact, crack;
} FrMoments;

/// What a break shows of itself: from so long before to so long after its first crack, s.
#define FR_BREAK_BEFORE 0.020
#define FR_BREAK_AFTER 0.300

/// Frames for `tiles` pictures, at most frame_count, without one twice: frame[tiles], rising, the
/// first and the last frame among them. t: of each frame, rising, s. Where something broke, two
/// thirds of them, or as many as there are, are of the moments around the first crack, the more of
/// them the nearer to it; else they lie evenly.
void fr_sheet_frames(const double *t, int32_t frame_count, int32_t tiles, FrMoments moments,
                     int32_t *frame);
