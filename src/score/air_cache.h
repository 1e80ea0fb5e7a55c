// air_cache.h: how bodies radiate, computed once and kept beside their modes.
#pragma once
#include "sound/asset.h"

/// fr_asset_radiate, or what an earlier call kept for the same surface and the same modes. `folder`
/// NULL: nothing is kept. A cache that cannot be read or written is a warning, not a failure. What
/// is rough, or takes long, is told. A surface that does not radiate (it is not closed) leaves the
/// asset without, and a warning.
FrResult fr_air_cached(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                       const char *folder, FrAsset *asset, FrRadiateReport *report);
