// world_tuning.h: the constants of this room that decide how things move and what is reported: what
// they are of, in which unit, why they have their size, and the test that notices twice and half of
// it, or in which range nothing but speed hangs on it.
#pragma once

// add.c
/// A strain this small is rounding; energies below it say nothing about a step. Noticed by
/// law/world when it is 0; up to 1e-3 the worlds of law/world* that are not cut move alike.
#define FR_ROUNDING_STRAIN 1e-9

// body_def.c
/// A mesh fills the box around it if their volumes differ by no more than this share: rounding of
/// places, and 1e-3 of the edge for a notch. Noticed by unit/scene_crack when it is 0.
#define FR_BOX_ROUNDING 1e-9

// bodies.c
/// Of its size: bodies this near may rest on it. Noticed by law/rigid_limits.
#define FR_NEAR_SHARE 0.05

// grab.c
/// Factor on the mobility of a node, 1. Beside the forces of its tets, w^2 h^2 = 3.24 in a step of
/// 0.9 of the stable one, a spring with the share s of the node's way is stable where
/// 3.24 < 4 - 3 s. Noticed by law/world_external (a_stiff_grab_of_a_node_stirs_nothing_up).
#define FR_NODE_SLACK 5.0

// follow.c
/// A node of a child this near a face of its parent, as a share of the height, lies on it:
/// children of a loaded face do but for rounding, others are a good part of the height off. Noticed
/// by unit/world_follow when it is 0.5; up to 0.1 it finds the same.
#define FR_ON_FACE 1e-9

// touches.c
/// Apart for this long: the touch is over, s. Noticed by golden/scenes (papers/letters.lua).
#define FR_TOUCH_APART 2e-3
/// Touching for this long: it has come to rest; the impact is reported and the rest is silence, s.
/// Noticed by golden/bits.
#define FR_TOUCH_RESTING 50e-3

// step.c
/// Steps of a body within one substep, at most: what would need more is judged, and taken back. A
/// guard against a substep that hardly ends: no test of law/ or unit/ notices twice or half of it.
#define FR_MOST_TIMES 1000

// rigid_pieces.c
/// Steps are this share of 1/w, w the fastest swing on contacts, so that blows come out as set; of
/// contacts that close slower than what counts as rest, where no blow is, a larger one. Noticed by
/// law/world_pieces.
#define FR_SWING 0.4
#define FR_SWING_AT_REST 0.7
/// A step that met contacts stiffer by the square of this is taken back, 1. Neither 1, which costs
/// 4 % more steps there, nor 1.56 changes what law/world_pieces and law/world_supports find.
#define FR_STIFFER 1.25
/// What lies chatters by g dt: steps keep that below this share of what counts as rest.
/// Noticed by law/world_pieces.
#define FR_CHATTER 0.125
/// Contacts do not swing a rigid piece faster, 1/s: a blow lasts 80 us or more, and presses it in
/// by 25 um for each m/s. Crumbs that fit between larger pieces would ask for steps of 1 us.
/// Noticed by law/world_pieces.
#define FR_FASTEST 4e4
/// Dashpots against sliding stop no more than twice this share of a rigid piece in a step: more
/// than 1 would overshoot. Noticed by golden/scenes (bowl.lua).
#define FR_STOPPED 0.25

// rest_bodies.c

// model_fem.c
/// Time between scans over that in which a pressure wave runs along an edge of the median tet.
/// Noticed by golden/scenes (papers/wall.lua).
#define FR_SCAN_PART 0.5

// frames.c
/// Substeps that candidates of rigid frames are to serve: few, as they move far in each. Speed
/// only: with none and with 40 law/rigid_bounce and law/spawn find the same.
#define FR_FRAME_STEPS_AHEAD 4.0

// frames.h
/// Substeps for which a push still counts as touching: a macro step. Noticed by golden/scenes
/// (papers/blocks-and-boxes.lua).
#define FR_TOUCHED 4
/// Rows: islands of so few are solved to the end. Noticed by golden/scenes
/// (papers/blocks-and-boxes.lua).
#define FR_FEW_ROWS 24

// frames_contact.c
/// Of the size of the smaller body, 1: points are looked for this much farther than needed, so that
/// they serve for some steps. Noticed by golden/scenes (papers/blocks-and-boxes.lua).
#define FR_POINT_MARGIN 0.02
/// Of the size of the smaller body, 1: points this near are rows already, what rests among them.
/// Noticed by golden/scenes (papers/blocks-and-boxes.lua).
#define FR_POINT_REACH 1e-3
/// Gravity brings more than this in a step, else this is slow, m/s: for worlds without gravity.
/// Noticed by law/rigid_limits.
#define FR_SLOW_LEAST 1e-5
/// Overlap that is left alone, of the size of the smaller body; at most FR_SLOP_MOST m. Noticed by
/// golden/scenes (papers/blocks-and-boxes.lua).
#define FR_SLOP 2e-4
#define FR_SLOP_MOST 2e-5
/// Share of an error in place that one substep takes back. Noticed by golden/scenes
/// (papers/blocks-and-boxes.lua).
#define FR_TAKE_BACK 0.2
/// A found set of points serves until the bodies moved by this share of their size, or radians.
/// Noticed by golden/scenes (rain.lua).
#define FR_STALE 4e-3
/// Of meshes a smaller share: their other points come near as they roll. Noticed by golden/scenes
/// (papers/blocks-and-boxes.lua).
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

// frames_pairs.c
/// Of its size, 1: a frame at rest keeps pairs with what is this near: fewer are made anew.
/// Speed only: 0 and 0.2 change nothing that law/rigid_* find.
#define FR_REST_REACH 0.02

// what counts as rest, for rigid frames and for rigid pieces of bodies that broke
/// Slower than this, for long enough, is rest, m/s: in a film it is not seen. Noticed by
/// law/rigid_limits.
#define FR_STILL_SPEED 2e-3
/// The same of the deforming part, rms: 60 dB below the 10 m/s of what breaks, at 20 Hz 80 um, m/s.
/// Noticed by law/world_shards.
#define FR_SETTLED_SPEED 1e-2
/// The same where nothing rubs: joints and smooth floors take no energy, so what swings or slides
/// goes on, m/s. Noticed by law/rigid_limits.
#define FR_STILL_SPEED_SMOOTH 1e-6

// model.c
/// Young's modulus from which on a body is stiff, Pa: glass, china, stone and wood across its grain
/// are; rubber, gels and soft plastics are not.
#define FR_STIFF 1e9

// shatter_bodies.c
/// Pieces gain no more than this speed by release, m/s.                                (M21)
#define FR_RELEASE_FASTEST 5.0
/// Pieces hold for so long after their birth, s.                                       (M20)
#define FR_SHATTER_EXEMPT 1e-3
/// Bytes of stress models of all bodies, at most; those not used for longest go.
#define FR_STRESS_BYTES ((size_t)2 << 30)
