// build_flat.h: tets for a thin plate that came as a surface.
#pragma once
#include "job/build.h"

/// About `tets` of them, longer than thick, its outline kept; *done false: the shape is no closed
/// surface, or no plate of one thickness, and nothing is made.
FrResult fr_tets_flat(FrContext *ctx, const FrShape *shape, double tets, FrBuiltMesh *built,
                      bool *done);
