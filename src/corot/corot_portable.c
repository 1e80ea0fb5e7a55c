// corot_portable.c: corot_kernel.h for any machine.
#define FR_COROT_TETS fr_corot_tets_portable
#define FR_COROT_ROWS fr_corot_rows_portable
#include "corot/corot_kernel.h"
