// shatter_tuning.h: the constants of this room that decide what breaks and how: what they are of,
// in which unit, why they have their size, and the test that notices another value.
#pragma once

/// Half a wall around a contact is crushed and does not break the body, walls.
#define FR_CRUSHED 0.5
/// Least distance of two seeds, walls: what is smaller than a few walls across is crushed, not
/// cracked.
#define FR_SEEDS_APART 3.0
/// Regions of less volume join a neighbour, walls cubed: a patch of wall twice as wide as it is
/// thick.
#define FR_SMALLEST_REGION 4.0
/// Edge of a cube as large as the least piece that may break again, walls: a patch of wall five
/// times as wide as it is thick.
#define FR_LEAST_PIECE 3.0
/// Modes that a blow is followed with: up to this frequency, Hz, and at most so many. Faster ones
/// give way as if at once.
#define FR_BLOW_MAX_HZ 20000.0
#define FR_BLOW_MODES 60
/// What an even pressure of 1 N on a disc of radius R does to a half space in the mean over the
/// disc is this share of (1 - nu^2) / (E R): 16 / (3 pi^2) (Johnson 1985, Contact mechanics, 3.4).
#define FR_DISC_DENT 0.5404
/// Speed that a blow gives any place of a body, over that of closing: a light wall that a heavy
/// body meets leaves at twice of it. Noticed by law/shatter_screen.
#define FR_BLOW_SPEED 2.0
/// A blow whose modes cannot make more than this share of the strength needs no static answer: what
/// modes leave out is local.
#define FR_SURELY_HOLDS 0.7
/// Cracks that did not get through are tried again when so much more is stored.
#define FR_TRY_MORE 1.3
