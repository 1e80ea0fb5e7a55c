// measure.h: how well the window does, in numbers, for docs and tests.
#pragma once
#include "view.h"

void measure_begin(void); ///< when the program starts
/// A frame is there, `seconds` after the last one.
void measure_frame(const View *v, double seconds);
void measure_print(const View *v); ///< one JSON object on stdout
