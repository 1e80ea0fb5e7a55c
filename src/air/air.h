// air.h: what air is like.
#pragma once

#define FR_AIR_DENSITY 1.204 ///< kg/m^3, at 20 degrees; S7 prints that of 25 degrees (E60)
#define FR_SOUND_SPEED 343.0 ///< m/s, at 20 degrees
