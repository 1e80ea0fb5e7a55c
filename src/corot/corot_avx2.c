// corot_avx2.c: corot_kernel.h with AVX2.
#define FR_COROT_TETS fr_corot_tets_avx2
#define FR_COROT_ROWS fr_corot_rows_avx2
#include "corot/corot_kernel.h"
