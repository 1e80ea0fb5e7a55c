// material_tuning.h: constants of solids of any material: what they are of, in which unit, where
// they are from, and the test that notices another value.
#pragma once

/// What is given a speed v bends until it bears FR_BENDING sqrt(E rho) v, a wall or a bar of any
/// size: sqrt(3) where it is flat (Hunt 1960, Stress and strain limits on the attainable velocity
/// in mechanical vibration). Noticed by law/world_pieces.
#define FR_BENDING 1.7320508075688772
/// Cracks run at no more than 0.38 of the speed of waves along a bar (Roberts & Wells 1954).
/// Noticed by law/world_pieces.
#define FR_CRACK_SPEED 0.38
