// body_def.h: what the def of a body leaves open, set. One place for C, JSON and Lua.
#pragma once
#include "world/model.h"

/// `box` left open: half sizes and centre of the box that the mesh fills, or zero where it fills
/// none. Else as it is.
void fr_body_def_see_box(FrBodyDef *def);

/// Keep the loss factor of strain-rate damping below def's `damping_limit` at the finest tets, in
/// `material`, one per region of the mesh (material_count). Gives the share of the first that is
/// kept.
double fr_body_def_limit_damping(const FrBodyDef *def, const FrSolidOps *solid,
                                 FrMaterial *material);
