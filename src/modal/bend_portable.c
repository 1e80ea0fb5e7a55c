// bend_portable.c: displacements by modes, for any machine.

#define FR_BEND_FIELD fr_bend_field_portable
#include "modal/bend_loop.h"
