// clip_tet.h: the two builds of what clips tets by tets and planes; only geom/ looks inside.
#pragma once
#include "clip/clip.h"

typedef bool FrTetTetFn(const FrClipTet *a, const FrClipTet *b, FrOverlap *overlap, FrClipGap *gap);
typedef bool FrTetPlaneFn(const FrClipTet *tet, FrVec3 n, double offset, FrOverlap *overlap);
FrTetTetFn fr_tet_tet_portable, fr_tet_tet_avx2;
FrTetPlaneFn fr_tet_plane_portable, fr_tet_plane_avx2;
