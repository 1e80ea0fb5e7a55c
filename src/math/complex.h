// complex.h: a complex number from its parts. C's CMPLX, which clang does not find in Debian 12's
// complex.h.
#pragma once
#include <complex.h>

static inline double complex fr_complex(double re, double im) { return __builtin_complex(re, im); }
