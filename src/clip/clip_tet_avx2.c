// clip_tet_avx2.c: tets against tets and planes, with AVX2.
#define FR_TET_TET fr_tet_tet_avx2
#define FR_TET_PLANE fr_tet_plane_avx2
#include "clip/clip_tet_loop.h"
