// copy.h: own copies of surfaces and embedded skins.
#pragma once
#include "fracas/mesh.h"

FrResult fr_surface_copy(FrContext *ctx, const FrSurface *from, FrSurface *to);
FrResult fr_embedded_copy(FrContext *ctx, const FrEmbedded *from, FrEmbedded *to);
