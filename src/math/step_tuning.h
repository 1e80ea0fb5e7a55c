// step_tuning.h: constants that decide how long a substep is, each with its unit, its reason and
// the test that notices when it is another one.
#pragma once

/// Energy that a step may make from nothing, over what the bodies have and had at most, 1 [M3].
/// Noticed by unit/fem_body.
#define FR_STEP_TOLERANCE 1e-4
/// Smallest step over the stable one, 1: below it something is wrong, and the run ends with a
/// message. Noticed by unit/fem_body.
#define FR_STEP_FLOOR 1e-3
/// Largest step over the stable one, 1: the safety factor of [M3], unless a scene says another.
/// Noticed by unit/fem_body.
#define FR_STEP_CAP 0.9
/// Steps aim at this share of the cap, 1: the limit of what only rests swings by thousandths, and
/// steps that grew to the cap fell back from it each time. Noticed by unit/fem_body, golden/bits.
#define FR_STEP_AIM 0.95
/// Accepted steps before the step grows, and by how much, 1 [M3]. Noticed by unit/fem_body.
#define FR_STEP_PATIENCE 50
#define FR_STEP_GROWTH 1.1
/// Rounding of a count of steps, 1: 100 steps that last a frame are not 101. Noticed by
/// golden/scenes (tear.lua).
#define FR_STEP_ROUNDING 1e-12

/// What all errors together may come to, over the largest energy, 1: seven drops of jelly come to
/// 2.8e-4 to 7.5e-4 of it, without a budget to 7e-4 to 2.5e-3. Noticed by unit/fem_body.
#define FR_STEP_BUDGET 8e-4
/// Share of the budget that errors use before steps shorten, 1: errors of swings come and go.
/// Noticed by golden/scenes (papers/letters.lua).
#define FR_BUDGET_FREE 0.25
/// One in so many of what is left of the budget is fair for a step: a blow lasts some tens of them.
/// Noticed by unit/fem_body.
#define FR_BUDGET_STEPS 32.0
/// An error below this share of the largest energy never matters, 1. Noticed by unit/fem_body.
#define FR_BUDGET_TRIFLE 1e-6
/// A step that shortens jolts fast modes: not where that is more than so many times the error that
/// it saves, 1; it saves half of it in each of the tens of steps to come. Noticed by unit/fem_body.
#define FR_BUDGET_JOLT 16.0
/// Factor on steps that cost too much, 1 (its error falls to half: with the cube), and its square;
/// on steps when the body has lost half of its energy; and the smallest part of the stable step
/// that errors leave, 1 (an error of a 64th). Noticed by unit/fem_body.
#define FR_PART_SHRINK 0.8
#define FR_PART_SHRINK2 0.64
#define FR_PART_GROW 1.25
#define FR_PART_LEAST 0.25
#define FR_PART_SETTLED 0.5
