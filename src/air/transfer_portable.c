// transfer_portable.c: the sound of many modes, for any machine.

#define FR_TRANSFER fr_transfer_portable
#include "air/transfer_loop.h"
