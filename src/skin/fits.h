// fits.h: do a surface and a skin that a caller brings fit the mesh that carries them?
#pragma once
#include "fracas/mesh.h"

/// FR_BAD_USE: the message names the first triangle or point that does not.
FrResult fr_surface_fits(FrContext *ctx, const FrSurface *surface, const FrTetMesh *mesh);
FrResult fr_embedded_fits(FrContext *ctx, const FrEmbedded *skin, const FrTetMesh *mesh);
