// font.h: bold capitals, digits and signs as plane outlines.
#pragma once
#include "geom/outline.h"

/// The first character that has no glyph, or NULL.
const char *fr_font_unknown(const char *text);

/// Outlines of a text: capitals `size` high, middle of its width at x = 0, middle of the capitals
/// at y = 0. Outer loops counter-clockwise, holes clockwise, no two loops cross. All characters
/// must be known. False: no memory.
bool fr_font_outline(FrArena *arena, const char *text, double size, FrOutline *outline);
