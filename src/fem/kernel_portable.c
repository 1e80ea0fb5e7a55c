// kernel_portable.c: the force kernel for any machine.

#define FR_KERNEL_NAME fr_fem_chunk_portable
#include "fem/kernel.h"
