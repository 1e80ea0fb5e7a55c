// solve_tuning.h: the constants of this room that decide how contacts push, rub and hold: what they
// are of, in which unit, why they have their size, and the test that notices twice and half of it.
#pragma once

// penalty.c
/// Two rigid things that say nothing of their material meet as if they had a coat of hard rubber:
/// Pa, and how thick, m. Noticed by law/contact_penalty.
#define FR_RIGID_YOUNG 1e7
#define FR_RIGID_EDGE 0.02
/// Area of a node over that of a face, 1: an edge squared over an equilateral triangle. Only where
/// steps are to be on the safe side (`conservative`). Noticed by law/contact_penalty.
#define FR_NODE_OVER_FACE (4.0 / sqrt(3.0))
/// Defaults of FrPenaltyOptions and FrWorldDef: slower than this static friction holds, m/s: a film
/// shows no creep of 1 mm/s; and the lever arm of what rigid pieces roll on, m: the roughness of a
/// floor. Noticed by law/contact_friction and law/contact_brake.
#define FR_STICK_SPEED 1e-3
#define FR_ROLLING_ARM 5e-4
/// Overlaps deeper than this share of a wall, or of an edge, do not stay: 1 % is not seen. Noticed
/// by law/contact_firm.
#define FR_SLACK 0.01
/// A layer of tets is not taken to be squeezed by more than this share: from there on the push
/// grows in proportion, and is bounded for steps. Noticed by law/contact_penalty (less) and
/// law/world (more).
#define FR_CROWDED 0.5

// stick.c
/// Of overlaps that stay deep the firmness grows by a factor of e in so many times 1 / w_c, w_c how
/// fast a node swings on what it stands for. Only of what comes to rest: a blow would get back more
/// than it brought, since a whole body swings slower on its corner than a node does. None gets
/// stiffer than this share of what a node stands for: steps reckon with all of it. Noticed by
/// law/contact_firm.
#define FR_FIRM_TIME 100.0
#define FR_FIRM_SHARE 0.1
/// Rigid pieces swing slower than nodes, their blows last 80 us or more: they take so long at least
/// to come loose, s. Friction of what is jammed does not fall below this share, and it is pushed
/// out no faster than this, m/s: 1 mm of overlap is gone in 10 ms. Noticed by law/contact_firm.
#define FR_JAM_TIME 5e-3
#define FR_LOOSEST 0.01
#define FR_COMES_OUT 0.1

// brake.c: shares of the patch of a contact that spin and rolling act over (see there). Noticed by
// law/contact_brake.
#define FR_DRILL (2.0 / 3.0)
#define FR_ROLL (3.0 / 16.0)

// pinv.c. Noticed by unit/pinv.
/// Singular values below this share of the largest count as none [M16].
#define FR_PINV_CUT 1e-8
/// Those below this share of it are damped with as much: targets that hardly differ would take
/// forces without bound [M16].
#define FR_PINV_DAMP 1e-6
/// As much of the largest number of the diagonal where a symmetric system is asked again and again
/// [M16]. Noticed by law/modal_pull.
#define FR_PINV_AGAIN 1e-4
/// Columns with a smaller cosine are orthogonal; so many sweeps make them so (six do).
#define FR_PINV_ORTHOGONAL 1e-15
#define FR_PINV_SWEEPS 40
/// Pivots below this share of the largest number of the diagonal are what rounding left.
#define FR_PINV_PIVOT 1e-12
