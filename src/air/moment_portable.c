// moment_portable.c: integrals of multipoles, for any machine.

#define FR_MOMENTS fr_moments_portable
#include "air/moment_loop.h"
