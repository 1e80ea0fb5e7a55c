// stress_portable.c: loops over stresses for any machine.

#define FR_STRESS_NAME fr_fem_stress_portable
#include "fem/stress_loop.h"
