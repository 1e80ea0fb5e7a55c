// build_flat.h: tets for a thin plate that came as a surface.
#pragma once
#include "job/build.h"

/// Its outline kept, tets `cells` m long, as many layers of them as it takes (0: about 12,000 tets,
/// one layer, no shorter than it is thick). *done false: the shape is no closed surface, or no
/// plate of one thickness, and nothing is made. Round or bevelled edges become upright, the volume
/// is kept.
FrResult fr_tets_flat(FrContext *ctx, const FrShape *shape, double cells, FrBuiltMesh *built,
                      bool *done);
