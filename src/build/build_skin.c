// build_skin.c: a fine surface for pictures, carried by coarse tets: the imported one, or the
// shape's own drawn finer.

#include "build/build.h"
#include "geom/placed_shape.h"
#include "geom/trimesh.h"
#include "math/vec.h"
#include "mesh/stuffing.h"
#include "mesh/tetmesh.h"
#include "skin/embed.h"
#include "skin/skin_draw.h"
#include <string.h>

static FrResult hang(FrContext *ctx, const FrTriMesh *skin, FrBuiltMesh *built,
                     FrEmbedReport *report) {
    return fr_embed(ctx, &built->mesh, skin, &built->skin, report);
}

// Cracks cut an edge of the skin once: with edges no longer than those of the tets it gets as many
// parts as there are pieces. As fine as a drawn one where the budget allows it.
static FrResult make_cuttable(FrContext *ctx, FrTriMesh *skin, FrBuiltMesh *built) {
    int32_t before = skin->tri_count;
    double size = built->cells, least = built->cells / FR_SKIN_FINER;
    FR_TRY(fr_trimesh_refine(ctx, skin, size));
    // triangles grow with the square of the fineness
    while (size > least && skin->tri_count <= FR_SKIN_TRIANGLES / 2) {
        size = fr_max(least, size * sqrt(0.5));
        FR_TRY(fr_trimesh_refine(ctx, skin, size));
    }
    if (skin->tri_count == before) return FR_OK;
    fr_embedded_free(ctx, &built->skin);
    return hang(ctx, skin, built, NULL);
}

FrResult fr_build_skin(FrContext *ctx, const FrShape *shape, bool breaks, FrBuiltMesh *built,
                       double *away) {
    FrEmbedReport report = {0};
    FrTriMesh skin = {0};
    bool ruled = built->method &&
                 (!strcmp(built->method, "structured") || !strcmp(built->method, "scattered"));
    double longest = breaks ? built->cells : 0;
    FrResult result = fr_skin_draw(ctx, shape, ruled, built->cells, longest, &skin);
    if (result == FR_OK) result = hang(ctx, &skin, built, &report);
    if (result == FR_OK && breaks) result = make_cuttable(ctx, &skin, built);
    *away = report.worst;
    fr_trimesh_free(ctx, &skin);
    return result;
}

/// Triangles of an open surface whose distance from the tets is asked for, and how far behind them
/// an inside is looked for, over its diagonal: walls thinner than this are lost at any cells.
#define MOST_POINTS 4000
#define BEHIND 1e-3

// points of parts that are too small to be kept say nothing of what is lost
static void leave_out_specks(const FrStuffingReport *stuffed, FrTriMesh *points) {
    int32_t specks = fr_min_i(stuffed->specks_dropped, FR_STUFF_SPECKS), kept = 0;
    for (int32_t k = 0; k < points->point_count; k++) {
        FrVec3 x = fr_get3(points->p, k);
        bool out = false;
        for (int32_t s = 0; s < specks; s++)
            out |= fr_box_contains(fr_box_grow(stuffed->speck[s], stuffed->size), x);
        if (!out) fr_set3(points->p, kept++, x);
    }
    points->point_count = kept;
}

FrResult fr_build_away(FrContext *ctx, const FrShape *shape, const FrStuffingReport *stuffed,
                       bool breaks, FrBuiltMesh *built, double *away) {
    FrPlacedShape placed = fr_place_shape(shape);
    const FrShapeInfo *info = fr_shape_info(placed.shape);
    if (info->kind != FR_SHAPE_SURFACE || fr_solid_report(info->solid)->after.closed)
        return fr_build_skin(ctx, shape, breaks, built, away);
    FrTriMesh points = {0};
    FrEmbedded hung = {0};
    FrEmbedReport report = {0};
    double depth = BEHIND * fr_length(fr_box_size(fr_solid_bounds(info->solid)));
    FrResult result = fr_solid_skin_points(ctx, info->solid, MOST_POINTS, depth, &points);
    if (result == FR_OK) fr_surface_place(&placed, &points);
    if (result == FR_OK) leave_out_specks(stuffed, &points);
    if (result == FR_OK) result = fr_embed(ctx, &built->mesh, &points, &hung, &report);
    *away = report.worst;
    fr_embedded_free(ctx, &hung);
    fr_trimesh_free(ctx, &points);
    return result;
}

static bool any_uv(const FrShape *shape) {
    const FrShapeInfo *info = fr_shape_info(shape);
    switch (info->kind) {
    case FR_SHAPE_SURFACE:
        return fr_solid_has_uv(info->solid);
    case FR_SHAPE_TRANSFORM:
        return any_uv(info->transform.child);
    case FR_SHAPE_SHELL:
        return any_uv(info->shell.child);
    case FR_SHAPE_UNION:
    case FR_SHAPE_INTERSECTION:
    case FR_SHAPE_DIFFERENCE:
        for (int32_t k = 0; k < info->combine.count; k++)
            if (any_uv(info->combine.child[k])) return true;
        return false;
    default:
        return false;
    }
}

void fr_note_uv(FrContext *ctx, const FrShape *shape, const FrBuiltMesh *built) {
    if (built->skin.point_count && !built->skin.uv && any_uv(shape))
        fr_log(ctx, FR_LOG_INFO,
               "the UVs of its file are lost: only a closed surface as it is, or the shell of one, "
               "keeps them");
}
