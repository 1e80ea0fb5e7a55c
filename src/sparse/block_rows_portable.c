// block_rows_portable.c: block_rows.h for any machine.
#define FR_BLOCK_ROWS fr_block_rows_portable
#include "sparse/block_rows.h"
