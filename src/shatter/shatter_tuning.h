// shatter_tuning.h: the constants of this room that decide what breaks and how: what they are of,
// in which unit, why they have their size, and the test that notices another value.
#pragma once
#include "material/material_tuning.h"

/// Half a wall around a contact is crushed and does not break the body, walls. Noticed by
/// unit/shatter_constants.
#define FR_CRUSHED 0.5
/// Width of a piece, in walls, whose bending waves are as fast as its cracks: what is narrower is
/// unloaded from its new edges before another crack is through it. Waves twice as long as the piece
/// carry energy at 2 pi / (sqrt(12) width) of the speed of waves along a bar, walls per width (thin
/// plates), and cracks run at FR_CRACK_SPEED of it: 4.77. So far apart are seeds, a square of wall
/// as wide is the least region, and what is smaller than two of them does not break again. Noticed
/// by law/shatter_pane.
#define FR_OUTRUN (3.14159265358979324 / (1.7320508075688772 * FR_CRACK_SPEED))
/// Width of pieces near the contact over the way to it, 1: a dozen cracks go out from it, 2 pi
/// / 12. Noticed by law/shatter_pane.
#define FR_DOZEN 0.52
/// Modes that a blow is followed with: up to this frequency, Hz, and at most so many. Faster ones
/// give way as if at once. Noticed by unit/shatter_constants.
#define FR_BLOW_MAX_HZ 20000.0
#define FR_BLOW_MODES 60
/// What an even pressure of 1 N on a disc of radius R does to a half space in the mean over the
/// disc is this share of (1 - nu^2) / (E R): 16 / (3 pi^2) (Johnson 1985, Contact mechanics, 3.4).
/// Noticed by unit/shatter_constants.
#define FR_DISC_DENT 0.5404
/// Speed that a blow gives any place of a body, over that of closing: a light wall that a heavy
/// body meets leaves at twice of it. Noticed by law/shatter_screen.
#define FR_BLOW_SPEED 2.0
/// A blow whose modes cannot make more than this share of the strength needs no static answer: what
/// modes leave out is local.
#define FR_SURELY_HOLDS 0.7
/// Cracks that did not get through are tried again when so much more is stored. Noticed by
/// unit/shatter_constants.
#define FR_TRY_MORE 1.3

// --- slow loads (bear.c)

/// Bending of a slender beam of the body's measures times this is more than any push of 1 N does,
/// 1. Noticed by law/shatter_bears, where random pushes on plates, bowls and bars do not pass it.
#define FR_BEARS_SAFE 4.0
/// A load that changed by less than the first share is the same, by more than the second
/// another, 1. Noticed by law/shatter_bears.
#define FR_BEARS_LEAST 0.02
#define FR_BEARS_MOST 0.5
/// For how long it has to be too much, s: longer than a step, shorter than one sees. Noticed by
/// law/shatter_bears.
#define FR_BEARS_LASTS 1e-3
/// Radius of a flat place over the body's size, 1 [M18].
#define FR_FLAT_RADIUS 0.1
