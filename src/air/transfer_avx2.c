// transfer_avx2.c: the sound of many modes for machines with AVX2; same bits as the portable one.

#define FR_TRANSFER fr_transfer_avx2
#include "air/transfer_loop.h"
