// world_tuning.h: the constants of this room that decide how things move and what is reported: what
// they are of, in which unit, why they have their size, and the test that notices twice and half of
// it, or in which range nothing but speed hangs on it.
#pragma once

// world.c
/// Macro steps in a second where nothing asks for more: poses for sound, and every usual rate of
/// films divides it or is divided by it. Noticed by unit/world_stepping.
#define FR_STEP_HZ 240.0
/// The same with bodies that shatter: what breaks breaks at the end of a macro step, within the
/// time of a blow. (S7: 5 to 10 kHz) Noticed by unit/world_stepping.
#define FR_SHATTER_HZ 4800.0

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
/// Apart for this long: the touch is over, s. Noticed by unit/world_constants.
#define FR_TOUCH_APART 2e-3
/// Touching for this long: it has come to rest; the impact is reported and the rest is silence, s.
/// Noticed by unit/world_constants.
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
/// Slower than this is rest of what deforms, rms: 60 dB below the 10 m/s of what breaks, at 20 Hz
/// 80 um, m/s. Noticed by law/world_shards.
#define FR_SETTLED_SPEED 1e-2

// model_fem.c
/// Time between scans over that in which a pressure wave runs along an edge of the median tet.
/// Noticed by unit/world_constants.
#define FR_SCAN_PART 0.5

// model.c
/// Young's modulus from which on a body is stiff, Pa: glass, china, stone and wood across its grain
/// are; rubber, gels and soft plastics are not. Noticed by unit/world_constants.
#define FR_STIFF 1e9

// shatter_bodies.c
/// Pieces gain no more than this speed by release, m/s. Noticed by unit/world_constants. (M21)
#define FR_RELEASE_FASTEST 5.0
/// Bytes of stress models of all bodies, at most; those not used for longest go. Noticed by
/// unit/world_constants.
#define FR_STRESS_BYTES ((size_t)2 << 30)

// grab.c
/// A grab that holds a solid at a place is a spring that would swing this often in a step, squared:
/// what is left of a miss after it is about 1e-6. Noticed by law/modal_pull.
#define FR_PULL_STIFF 1e6
/// What turns farther than this in a step, rad, is pulled at its centre by a spring: the places of
/// a point that goes round do not add up to a way. Noticed by law/world_external when it is large.
#define FR_GRAB_TURN 1.0

// model_modal.c
/// No node of a body goes farther by modes than it is from the centre to the farthest node, times
/// this: what is linear in them means nothing there. Noticed by law/modal_body.
#define FR_BEND_MOST 1.0
