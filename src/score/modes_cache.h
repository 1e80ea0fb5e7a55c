// modes_cache.h: modes that were computed once are kept: for E = rho = 1, in one SQLite file.
#pragma once
#include "modal/compute.h"

/// fr_modes_compute, or what an earlier call kept for the same mesh, mass, held nodes and ratios of
/// stiffness and density: a row with more modes answers a smaller request. `folder` NULL: nothing
/// is kept. A cache that cannot be read or written is a warning, not a failure. `hit`: it was there
/// (report has no times then); may be NULL.
FrResult fr_modes_cached(FrContext *ctx, const FrModalDef *def, const char *folder, FrModes *modes,
                         FrModesReport *report, bool *hit);

/// Number of the row: the same for the same body, whatever its E, rho, damping and worker count.
uint64_t fr_modes_key(const FrModalDef *def);
