// part.c: triangles and points of a skin to the pieces that carry them.

#include "skin/part.h"
#include "base/base.h"
#include <string.h>

static int32_t piece_of(const FrEmbedded *skin, const FrTetPlace *place, int32_t point) {
    return place[skin->at[point].tet].piece;
}

// number[p]: of each point in its part; -1: no triangle has it
static void count_all(const FrEmbedded *skin, const FrTetPlace *place, int32_t *number,
                      FrEmbedded *part) {
    for (int32_t p = 0; p < skin->point_count; p++) number[p] = -1;
    for (int32_t t = 0; t < skin->tri_count; t++) {
        FrEmbedded *to = &part[piece_of(skin, place, skin->tri[t][0])];
        to->tri_count++;
        to->closing_count += t >= skin->tri_count - skin->closing_count;
        for (int i = 0; i < 3; i++) number[skin->tri[t][i]] = 0;
    }
    for (int32_t p = 0; p < skin->point_count; p++)
        if (number[p] == 0) number[p] = part[piece_of(skin, place, p)].point_count++;
}

static bool allocate(FrContext *ctx, const FrEmbedded *skin, FrEmbedded *part) {
    size_t points = (size_t)part->point_count;
    part->at = FR_NEW(ctx, FrPoint, points);
    part->tri = fr_alloc_zero(ctx, (size_t)part->tri_count, sizeof *part->tri);
    if (skin->normal) part->normal = FR_NEW(ctx, double, 3 * points);
    if (skin->uv) part->uv = FR_NEW(ctx, double, 2 * points);
    if (part->closing_count) part->opened = FR_NEW(ctx, double, part->closing_count);
    return part->at && part->tri && (!skin->normal || part->normal) && (!skin->uv || part->uv) &&
           (!part->closing_count || part->opened);
}

static void fill_points(const FrEmbedded *skin, const FrTetPlace *place, const int32_t *number,
                        FrEmbedded *part) {
    for (int32_t p = 0; p < skin->point_count; p++) {
        FrEmbedded *to = &part[piece_of(skin, place, p)];
        int32_t k = number[p];
        if (k < 0) continue;
        to->at[k] = skin->at[p];
        to->at[k].tet = place[skin->at[p].tet].tet;
        if (to->normal) memcpy(to->normal + 3 * k, skin->normal + 3 * p, 3 * sizeof *to->normal);
        if (to->uv) memcpy(to->uv + 2 * k, skin->uv + 2 * p, 2 * sizeof *to->uv);
    }
}

// outside first, then what closes them, as they come
static void fill_triangles(const FrEmbedded *skin, const FrTetPlace *place, const int32_t *number,
                           FrEmbedded *part) {
    int32_t outside = skin->tri_count - skin->closing_count;
    for (int32_t t = 0; t < skin->tri_count; t++) {
        FrEmbedded *to = &part[piece_of(skin, place, skin->tri[t][0])];
        for (int i = 0; i < 3; i++) to->tri[to->tri_count][i] = number[skin->tri[t][i]];
        to->tri_count++;
        if (t >= outside) to->opened[to->closing_count++] = skin->opened[t - outside];
    }
}

FrResult fr_embedded_parts(FrContext *ctx, const FrEmbedded *skin, const FrTetPlace *place,
                           FrEmbedded *part, int32_t count) {
    int32_t *number = FR_NEW(ctx, int32_t, skin->point_count);
    bool good = number != NULL;
    for (int32_t k = 0; k < count; k++) part[k] = (FrEmbedded){0};
    if (good) count_all(skin, place, number, part);
    for (int32_t k = 0; k < count && good; k++) {
        good = allocate(ctx, skin, &part[k]);
        part[k].tri_count = part[k].closing_count = 0;
    }
    if (good) {
        fill_points(skin, place, number, part);
        fill_triangles(skin, place, number, part);
    }
    fr_free(ctx, number);
    for (int32_t k = 0; k < count && !good; k++) fr_embedded_free(ctx, &part[k]);
    return good ? FR_OK : fr_no_memory(ctx, "the skins of pieces");
}
