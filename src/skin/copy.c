// copy.c: array by array; nothing is left behind when memory runs out.

#include "skin/copy.h"
#include "base/base.h"
#include <string.h>

// NULL stays NULL; false: no memory
static bool copy_array(FrContext *ctx, void *to, const void *from, size_t count, size_t item) {
    void *copy = NULL;
    if (from) {
        copy = fr_alloc_zero(ctx, count, item);
        if (!copy) return false;
        if (count) memcpy(copy, from, count * item);
    }
    memcpy(to, &copy, sizeof copy);
    return true;
}

FrResult fr_surface_copy(FrContext *ctx, const FrSurface *from, FrSurface *to) {
    size_t n = (size_t)from->tri_count;
    *to = (FrSurface){.tri_count = from->tri_count};
    if (copy_array(ctx, &to->tri, from->tri, n, sizeof *from->tri) &&
        copy_array(ctx, &to->tet, from->tet, n, sizeof *from->tet) &&
        copy_array(ctx, &to->opened, from->opened, n, sizeof *from->opened) &&
        copy_array(ctx, &to->piece, from->piece, n, sizeof *from->piece))
        return FR_OK;
    fr_surface_free(ctx, to);
    return fr_no_memory(ctx, "a surface");
}

FrResult fr_embedded_copy(FrContext *ctx, const FrEmbedded *from, FrEmbedded *to) {
    size_t n = (size_t)from->point_count;
    *to = (FrEmbedded){.point_count = from->point_count,
                       .tri_count = from->tri_count,
                       .closing_count = from->closing_count,
                       .closed = from->closed};
    if (copy_array(ctx, &to->at, from->at, n, sizeof *from->at) &&
        copy_array(ctx, &to->normal, from->normal, 3 * n, sizeof *from->normal) &&
        copy_array(ctx, &to->uv, from->uv, 2 * n, sizeof *from->uv) &&
        copy_array(ctx, &to->tri, from->tri, (size_t)from->tri_count, sizeof *from->tri) &&
        copy_array(ctx, &to->piece, from->piece, n, sizeof *from->piece) &&
        copy_array(ctx, &to->opened, from->opened, (size_t)from->closing_count,
                   sizeof *from->opened))
        return FR_OK;
    fr_embedded_free(ctx, to);
    return fr_no_memory(ctx, "an embedded surface");
}
