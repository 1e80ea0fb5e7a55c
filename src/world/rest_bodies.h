// rest_bodies.h: what counts as rest, for rigid frames and for rigid pieces of bodies that broke.
#pragma once

/// Slower than this, for long enough, is rest, m/s.
#define FR_STILL_SPEED 2e-3
/// The same of what bends, rms: 60 dB below the 10 m/s of what breaks, at 20 Hz 80 um, m/s.
#define FR_CALM_SPEED 1e-2
/// The same where nothing rubs: joints and smooth floors take no energy, so what swings or slides
/// goes on, m/s.
#define FR_STILL_SPEED_SMOOTH 1e-6
