// frames_tuning.h: the constants of this room that decide how rigid frames move: what they are of,
// in which unit, why they have their size, and the test that notices twice and half of it, or in
// which range nothing but speed hangs on it.
#pragma once

// frames.c
/// Substeps that candidates of rigid frames are to serve: few, as they move far in each. Speed
/// only: with none and with 40 law/rigid_bounce and law/spawn find the same.
#define FR_FRAME_STEPS_AHEAD 4.0

// frames.h
/// Substeps for which a push still counts as touching: a macro step. Noticed by
/// unit/world_constants.
#define FR_TOUCHED 4
/// Rows: islands of so few are solved to the end. Noticed by golden/scenes
/// (papers/blocks-and-boxes.lua).
#define FR_FEW_ROWS 24

// frames_contact.c
/// Of the size of the smaller body, 1: points are looked for this much farther than needed, so that
/// they serve for some steps. Noticed by golden/scenes (papers/blocks-and-boxes.lua).
#define FR_POINT_MARGIN 0.02
/// Of the size of the smaller body, 1: points this near are rows already, what rests among them.
/// Noticed by unit/world_constants.
#define FR_POINT_REACH 1e-3
/// Gravity brings more than this in a step, else this is slow, m/s: for worlds without gravity.
/// Noticed by law/rigid_limits.
#define FR_SLOW_LEAST 1e-5
/// Overlap that is left alone, of the size of the smaller body; at most FR_SLOP_MOST m. Noticed by
/// unit/world_constants.
#define FR_SLOP 2e-4
#define FR_SLOP_MOST 2e-5
/// Share of an error in place that one substep takes back. Noticed by unit/world_constants.
#define FR_TAKE_BACK 0.2
/// A found set of points serves until the bodies moved by this share of their size, or radians.
/// Noticed by unit/world_constants.
#define FR_STALE 4e-3
/// Of meshes a smaller share: their other points come near as they roll. Noticed by
/// unit/world_constants.
#define FR_STALE_MESH 1e-4
/// Points nearer than this share of the size are the same ones. Noticed by golden/scenes
/// (papers/blocks-and-boxes.lua).
#define FR_SAME_POINT 0.05

// frames_event.c
/// Longest span of a sample, s (200 a second at least). Noticed by law/rigid_limits.
#define FR_SAMPLE_SPAN 5e-3
/// Slower than this makes no sample, m/s: it is not heard. Noticed by law/rigid_limits.
#define FR_CREEP_SPEED 1e-3

// frames_impact.c
/// Of the sum of |impulse| |velocity|, 1: energy that an impact may make by rounding. Noticed
/// by law/rigid_bounce when it is 1e-3; from 0 to 1e-4 it finds the same.
#define FR_HIT_GAIN 1e-8
/// Of the fastest approach, 1: change in a sweep at which an impact is solved. Noticed by
/// golden/scenes (rain.lua).
#define FR_HIT_EXACT 1e-10
/// Impacts after impacts within one substep; what is left is stopped without a bounce: a
/// row of nine balls hands a blow on. Noticed by law/rigid_bounce (fewer); more only take longer.
#define FR_IMPACT_ROUNDS 8
/// Points of a body that hit within this share of the substep hit together. Noticed by
/// golden/scenes (papers/blocks-and-boxes.lua, figurine-chute.lua).
#define FR_HIT_TOGETHER 0.2
/// Sweeps over the rows of an impact, of few rows and of many, at most. Noticed by
/// law/rigid_bounce and golden/scenes (papers/letters-ring.lua, papers/blocks-and-boxes.lua).
#define FR_HIT_SWEEPS 400
#define FR_HIT_SWEEPS_MANY 100
/// A turn so small that its square does not matter, rad. Noticed by golden/scenes
/// (papers/clay.lua).
#define FR_SMALL_TURN 1e-5

// frames_island.c
/// Of a substep, 1: a gap is closed over no less time than this, however late an impact came. It
/// keeps a quotient finite: from 0 to 1 law/rigid_bounce and law/rigid_stack find the same.
#define FR_LEFT_LEAST 0.05
/// Share of the square of what friction can do: above it all of it acts, and the point may slide.
/// Noticed by law/rigid_friction when it is above 1; from 0.1 on law/rigid_* find the same.
#define FR_RUBS_FULLY 0.99
/// Of what gravity brings in a substep, 1, and m/s: change in a sweep at which many rows are
/// solved. The share is noticed by golden/scenes (glockenspiel.lua, papers/blocks-and-boxes.lua);
/// the other is for worlds without gravity: from 0 to 1e-5 law/rigid_* find the same.
#define FR_SOLVED_SHARE 1e-4
#define FR_SOLVED_LEAST 1e-9
/// Errors in place below this are left alone; corrected to so much, m: far below the slop. Noticed
/// by golden/scenes (chimes.lua; papers/blocks-and-boxes.lua).
#define FR_CORRECT_LEAST 1e-9
#define FR_CORRECT_EXACT 1e-8
/// Sweeps of a substep that goes on from the last one's forces. Noticed by golden/scenes
/// (papers/blocks-and-boxes.lua).
#define FR_HOLD_SWEEPS 6
/// Islands of few rows, those with many new ones and tall ones get more. Noticed by golden/scenes
/// (papers/blocks-and-boxes.lua).
#define FR_HOLD_SWEEPS_MOST 60
/// Bodies above each other that so few sweeps still hold. Noticed by law/rigid_stack (more); fewer
/// only take longer.
#define FR_HOLD_DEPTH 10
/// Sweeps that move bodies apart which overlap: what is left is for the next substep. Noticed by
/// golden/scenes (papers/blocks-and-boxes.lua).
#define FR_CORRECT_SWEEPS 12
/// An island whose bodies move less than this share of their size in a macro step keeps its rows.
/// Noticed by golden/scenes (rain.lua).
#define FR_STEADY 1e-3

// frames_island.c: pulls and rows in turn
/// No more rounds than this; three do where nothing touches what is pulled. Noticed by
/// law/modal_pull.
#define FR_PULL_ROUNDS 12
/// What is still this share of what it was a round before comes no nearer.
#define FR_PULL_STAYS 0.9
/// How many of its sizes a second a point comes to its target, if it is not there, 1/s. Noticed by
/// law/modal_pull.
#define FR_PULL_CATCH 20.0
/// What a pull may still lack of its target, m/s: some 1e-12 m in a substep.
#define FR_PULL_EXACT 1e-9

// frames_pairs.c
/// Of its size, 1: a frame at rest keeps pairs with what is this near: fewer are made anew.
/// Speed only: 0 and 0.2 change nothing that law/rigid_* find.
#define FR_REST_REACH 0.02

// what counts as rest, for rigid frames and for rigid pieces of bodies that broke
/// Slower than this, for long enough, is rest, m/s: in a film it is not seen. Noticed by
/// law/rigid_limits.
#define FR_STILL_SPEED 2e-3
/// The same where nothing rubs: joints and smooth floors take no energy, so what swings or slides
/// goes on, m/s. Noticed by law/rigid_limits.
#define FR_STILL_SPEED_SMOOTH 1e-6
