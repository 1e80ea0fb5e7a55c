// fem_tuning.h: constants that decide how deformable bodies move, each with its unit, its reason
// and the test that notices when it is another one.
#pragma once

// --- the force kernel

/// Volume ratio below which the inversion guard pushes back, 1. The law itself gives way at 0.577;
/// a guard from 0.3 on let a jelly cube that fell 30 cm turn inside out (J down to -0.63), from 0.7
/// on J stays above 0.19 there (kernel.h). Noticed by unit/fem_guard, golden/bits.
#define FR_GUARD_J0 0.7
/// Volume ratio below which a tet is counted as crushed, 1 [M1, E5]. Only reported. Noticed
/// by unit/fem_body.
#define FR_CRUSHED_J 0.3
/// Tets of a thin shape that push a node by their guards together, 1: up to four share its mass
/// (cut.c). No test notices it: it only shortens steps.
#define FR_GUARD_TETS 4.0

/// Blocks (of four tets) of a chunk, at most, and its nodes: 40 kB of rows stay in the first-level
/// cache. They decide the order of sums, so the bits. Noticed by golden/bits.
#define FR_CHUNK_BLOCKS 128
#define FR_CHUNK_NODES 320
/// Room that a chunk gets when it outgrows its own: a part in this many more, and so many slots or
/// blocks besides: a chunk moves a few times while a body shatters, not at each cut. They may
/// decide the order of sums. No test notices them.
#define FR_CHUNK_GROWTH 4
#define FR_CHUNK_SPARE_SLOTS 8
#define FR_CHUNK_SPARE_BLOCKS 4

/// Nodes of a task, and of a partial sum. It decides the order of sums, so the bits. Noticed by
/// golden/scenes (papers/wall.lua).
#define FR_NODE_GRAIN 1024
/// Chunks of a task that only reads stresses, which is cheap. Results do not hang on it.
#define FR_CHUNK_GRAIN 4

// --- steps (explicit_step.c; how long they are: math/step_tuning.h) [M3]

/// Steps that differ by less than this share are equal, 1: rounding of a time divided evenly.
/// Noticed by unit/fem_constants.
#define FR_STEP_SAME 1e-9
/// Energy now over its staggered part that counts as made from nothing, 1: below w dt = 1.8 it is
/// at most ten times (explicit_step.c). Noticed by unit/fem_constants.
#define FR_WATCH_RUNAWAY 16.0

// --- a change of the step (change.c)

/// Below this share of the energy a shift is not worth forces at the new places, 1. A change of 0.1
/// in every fiftieth step then costs at most 1e-3 in 50,000 steps, if all were of one sign. Noticed
/// by unit/fem_constants.
#define FR_SHIFT_WORTH 1e-6
/// Most of a shift, over what would do for slow modes, 1: a root further off is of modes that
/// hardly bear the step, and what is left the cut has taken. Noticed by golden/scenes
/// (papers/wall.lua).
#define FR_SHIFT_MOST 4.0

// --- mass for the step (step_cost.c)

/// What is wished for while there is mass: steps of this share of the first, 1. Shattering panes of
/// glass took 6,135 steps without, 4,941 with it, for 0.25 % of their mass. Noticed by
/// unit/fem_step_cost.
#define FR_FLOOR_WISH 0.75
/// Share of the mass that may be added over which the wish falls to the floor, and share that is
/// kept for the floor alone, 1: the rest, a quarter, is for the wish. Noticed by
/// unit/fem_step_cost.
#define FR_FLOOR_FALL 0.25
#define FR_FLOOR_KEPT 0.5

// --- rigid pieces on contacts (rigid_piece_springs.c)

/// A piece is wedged where its pushes add up to less than this share of their sizes, 1: they hold
/// each other for more than a tenth. Such pieces lie still at 0.1 instead of 15 mm/s under a load.
/// Noticed by unit/fem_constants.
#define FR_WEDGED 0.9

// --- free flight (flight.c)

/// What a body may still swing by when it begins to fly, 1: its energy over that of this strain all
/// through it. 10 cm of it then swing by 10 nm. Noticed by law/flight.
#define FR_FLIGHT_STRAIN 1e-7
/// Of the strain rho (w r)^2 / E that its spin brings about as much may go with that, 1: 10 cm of
/// it then get 1 um shorter. Noticed by law/flight.
#define FR_FLIGHT_SPUN 1e-5
/// And as much may be missing of a body that never had it, 1. Noticed by law/flight.
#define FR_FLIGHT_SPIN 1e-3
/// Its turn in one part of a step, rad, and parts of a step at most. Noticed by law/flight.
#define FR_FLIGHT_TURN 0.01
#define FR_FLIGHT_MOST_TURNS 1000.0
