// fits.c: counts and arrays first, then every index and weight.

#include "skin/fits.h"
#include "base/base.h"
#include <math.h>

// the first of the corners that is none of 0 to count - 1; -1: all are
static int bad_corner(const int32_t *tri, int32_t count) {
    for (int i = 0; i < 3; i++)
        if (tri[i] < 0 || tri[i] >= count) return i;
    return -1;
}

FrResult fr_surface_fits(FrContext *ctx, const FrSurface *surface, const FrTetMesh *mesh) {
    if (surface->tri_count < 0)
        return fr_fail(ctx, FR_BAD_USE, "the surface has %d triangles; at least 0",
                       surface->tri_count);
    FR_NEED(ctx, !surface->tri_count || (surface->tri && surface->tet),
            "give the triangles of the surface and the tets behind them");
    for (int32_t k = 0; k < surface->tri_count; k++) {
        int bad = bad_corner(surface->tri[k], mesh->node_count);
        if (bad >= 0)
            return fr_fail(ctx, FR_BAD_USE, "triangle %d of the surface has node %d; 0 to %d", k,
                           surface->tri[k][bad], mesh->node_count - 1);
        if (surface->tet[k] < 0 || surface->tet[k] >= mesh->tet_count)
            return fr_fail(ctx, FR_BAD_USE, "triangle %d of the surface lies on tet %d; 0 to %d", k,
                           surface->tet[k], mesh->tet_count - 1);
    }
    return FR_OK;
}

static FrResult check_counts(FrContext *ctx, const FrEmbedded *skin) {
    if (skin->point_count < 0 || skin->tri_count < 0 || skin->closing_count < 0 ||
        skin->closing_count > skin->tri_count)
        return fr_fail(ctx, FR_BAD_USE,
                       "the skin has %d points and %d triangles, %d of them closing; at least 0 "
                       "each, and no more closing than there are",
                       skin->point_count, skin->tri_count, skin->closing_count);
    FR_NEED(ctx, skin->at || !skin->point_count, "give the places of the skin's points");
    FR_NEED(ctx, skin->tri || !skin->tri_count, "give the skin's triangles");
    return FR_OK;
}

FrResult fr_embedded_fits(FrContext *ctx, const FrEmbedded *skin, const FrTetMesh *mesh) {
    FR_TRY(check_counts(ctx, skin));
    for (int32_t k = 0; k < skin->point_count; k++) {
        const FrPoint *at = &skin->at[k];
        if (at->tet < 0 || at->tet >= mesh->tet_count)
            return fr_fail(ctx, FR_BAD_USE, "point %d of the skin is in tet %d; 0 to %d", k,
                           at->tet, mesh->tet_count - 1);
        for (int i = 0; i < 4; i++)
            if (!isfinite(at->b[i]))
                return fr_fail(ctx, FR_BAD_USE,
                               "point %d of the skin has weight %g at corner %d; it must be finite",
                               k, at->b[i], i);
    }
    for (int32_t k = 0; k < skin->tri_count; k++) {
        int bad = bad_corner(skin->tri[k], skin->point_count);
        if (bad >= 0)
            return fr_fail(ctx, FR_BAD_USE, "triangle %d of the skin has point %d; 0 to %d", k,
                           skin->tri[k][bad], skin->point_count - 1);
    }
    return FR_OK;
}
