// kernel_avx2.c: the force kernel for machines with AVX2; same bits as the portable one.

#define FR_KERNEL_NAME fr_fem_chunk_avx2
#include "fem/kernel.h"
