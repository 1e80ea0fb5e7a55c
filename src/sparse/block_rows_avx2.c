// block_rows_avx2.c: block_rows.h with AVX2.
#define FR_BLOCK_ROWS fr_block_rows_avx2
#include "sparse/block_rows.h"
