// clip_tet_portable.c: tets against tets and planes, for every processor.
#define FR_TET_TET fr_tet_tet_portable
#define FR_TET_PLANE fr_tet_plane_portable
#include "clip/clip_tet_loop.h"
