// embed_uv.h: the UV that a surface has at a place, or next to it.
#pragma once
#include "geom/aabb.h"
#include "skin/embed.h"

/// Borrows what it is made of.
typedef struct FrUvFinder {
    const FrEmbedded *skin;
    const FrVec3 *x; ///< places of its points, m
    FrAabbTree tree; ///< of its triangles
} FrUvFinder;

/// Of the first `tris` triangles; the surface may grow meanwhile. FR_NO_MEMORY only.
FrResult fr_uv_finder_create(FrContext *ctx, const FrEmbedded *skin, const FrVec3 *x, int32_t tris,
                             FrUvFinder *finder);
void fr_uv_finder_free(FrContext *ctx, FrUvFinder *finder);

/// uv stays as it is where no triangle has an area.
void fr_uv_find(const FrUvFinder *finder, FrVec3 x, double uv[2]);
