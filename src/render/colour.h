// colour.h: the sRGB curve and a colour map whose steps look equally large.
#pragma once
#include "base/base.h"

#define FR_COLOUR_STEPS 256

double fr_srgb_encode(double linear); ///< [0,1] -> [0,1]

/// From dark violet through teal to yellow, CIE L* rising evenly. sRGB bytes.
void fr_colour_map(uint8_t rgb[FR_COLOUR_STEPS][3]);

/// The smallest 1, 2 or 5 times a power of ten that is >= x; 1 for x <= 0.
double fr_round_up(double x);
