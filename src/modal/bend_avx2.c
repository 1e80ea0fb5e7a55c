// bend_avx2.c: displacements by modes for machines with AVX2; same bits as the portable ones.

#define FR_BEND_FIELD fr_bend_field_avx2
#include "modal/bend_loop.h"
