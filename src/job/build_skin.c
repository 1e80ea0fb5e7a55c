// build_skin.c: a fine surface for pictures, carried by coarse tets: the imported one, or the
// shape's own drawn finer.

#include "geom/trimesh.h"
#include "job/build.h"
#include "job/skin_relax.h"
#include "math/vec.h"
#include "mesh/embed.h"
#include "mesh/stuffing.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include <string.h>

/// How much finer than the tets a drawn skin is, and how many triangles one body may have.
#define FINER 3.0
#define MOST_TRIANGLES 14000

// surface nodes numbered anew, in the order of their nodes
FrResult fr_surface_trimesh(FrContext *ctx, const FrTetMesh *mesh, const FrSurface *surface,
                            FrTriMesh *skin) {
    int32_t *number = FR_NEW(ctx, int32_t, mesh->node_count), count = 0;
    if (!number) return fr_no_memory(ctx, "a skin");
    for (int32_t k = 0; k < surface->tri_count; k++)
        for (int i = 0; i < 3; i++) number[surface->tri[k][i]] = 1;
    for (int32_t n = 0; n < mesh->node_count; n++) number[n] = number[n] ? ++count : 0;
    FrResult result = fr_trimesh_alloc(ctx, count, surface->tri_count, skin);
    for (int32_t n = 0; result == FR_OK && n < mesh->node_count; n++)
        if (number[n]) fr_set3(skin->p, number[n] - 1, fr_get3(mesh->x, n));
    for (int32_t k = 0; result == FR_OK && k < surface->tri_count; k++)
        for (int i = 0; i < 3; i++) skin->tri[k][i] = number[surface->tri[k][i]] - 1;
    fr_free(ctx, number);
    return result;
}

static FrResult outside_of(FrContext *ctx, const FrTetMesh *mesh, FrTriMesh *skin) {
    FrSurface surface = {0};
    FrResult result = fr_tetmesh_surface(ctx, mesh, &surface);
    if (result == FR_OK) result = fr_surface_trimesh(ctx, mesh, &surface, skin);
    fr_surface_free(ctx, &surface);
    return result;
}

static FrResult stuffed_surface(FrContext *ctx, const FrField *field, double size,
                                FrTriMesh *skin) {
    FrTetMesh fine = {0};
    FrStuffingOptions options = fr_stuffing_options_default(size);
    options.thin = FR_THIN_ALLOW;
    options.graded = true;
    FrResult result = fr_mesh_stuff(ctx, field, &options, &fine, NULL);
    if (result == FR_OK) result = outside_of(ctx, &fine, skin);
    fr_tetmesh_free(ctx, &fine);
    return result;
}

// what a rule meshes has a rule for its skin, too: thin walls stay whole, edges sharp
static FrResult ruled_surface(FrContext *ctx, const FrPlacedShape *placed, double size,
                              FrTriMesh *skin) {
    FrTetMesh fine = {0};
    FrResult result = fr_tets_by_rule(ctx, placed, size, &fine);
    if (result == FR_OK) result = outside_of(ctx, &fine, skin);
    fr_tetmesh_free(ctx, &fine);
    return result;
}

// `placed`: by rule; NULL: stuffed
static FrResult drawn_finer(FrContext *ctx, const FrShape *shape, const FrPlacedShape *placed,
                            double cells, FrTriMesh *skin) {
    FrField field;
    double size = cells / FINER;
    fr_shape_field(shape, &field);
    // triangles grow with the square of the fineness: one more try meets the budget
    for (int round = 0; round < 2; round++) {
        FR_TRY(placed ? ruled_surface(ctx, placed, size, skin)
                      : stuffed_surface(ctx, &field, size, skin));
        if (skin->tri_count <= MOST_TRIANGLES || round) break;
        size *= sqrt((double)skin->tri_count / MOST_TRIANGLES);
        fr_trimesh_free(ctx, skin);
    }
    return placed ? FR_OK : fr_skin_relax(ctx, &field, size, skin);
}

static void place(const FrPlacedShape *placed, FrTriMesh *surface) {
    for (int32_t k = 0; k < surface->point_count; k++)
        fr_set3(surface->p, k,
                fr_add(fr_mat3_apply(placed->linear, fr_get3(surface->p, k)), placed->offset));
    // turned and scaled alike in all directions
    for (int32_t k = 0; surface->normal && k < surface->point_count; k++)
        fr_set3(surface->normal, k,
                fr_normalize(fr_mat3_apply(placed->linear, fr_get3(surface->normal, k))));
}

FrResult fr_placed_surface(FrContext *ctx, const FrSolid *solid, const FrPlacedShape *placed,
                           FrTriMesh *surface) {
    FR_TRY(fr_trimesh_copy(ctx, fr_solid_mesh(solid), surface));
    place(placed, surface);
    return FR_OK;
}

static FrResult as_imported(FrContext *ctx, const FrSolid *solid, const FrPlacedShape *placed,
                            FrTriMesh *skin) {
    FR_TRY(fr_solid_dressed(ctx, solid, skin));
    place(placed, skin);
    return FR_OK;
}

static FrResult hang(FrContext *ctx, const FrTriMesh *skin, FrBuiltMesh *built,
                     FrEmbedReport *report) {
    return fr_embed(ctx, &built->mesh, skin->p, skin->point_count, (const int32_t(*)[3])skin->tri,
                    skin->tri_count, skin->normal, skin->uv, &built->skin, report);
}

// Cracks cut an edge of the skin once: with edges no longer than those of the tets it gets as many
// parts as there are pieces. As fine as a drawn one where the budget allows it.
static FrResult make_cuttable(FrContext *ctx, FrTriMesh *skin, FrBuiltMesh *built) {
    int32_t before = skin->tri_count;
    double size = built->cells, least = built->cells / FINER;
    FR_TRY(fr_trimesh_refine(ctx, skin, size));
    // triangles grow with the square of the fineness
    while (size > least && skin->tri_count <= MOST_TRIANGLES / 2) {
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
    FrPlacedShape placed = fr_place_shape(shape);
    const FrShapeInfo *info = fr_shape_info(placed.shape);
    FrTriMesh skin = {0};
    bool ruled = built->method && !strcmp(built->method, "structured");
    bool closed = info->kind == FR_SHAPE_SURFACE && fr_solid_report(info->solid)->after.closed;
    FrResult result = closed ? as_imported(ctx, info->solid, &placed, &skin)
                             : drawn_finer(ctx, shape, ruled ? &placed : NULL, built->cells, &skin);
    if (result == FR_OK) result = hang(ctx, &skin, built, &report);
    if (result == FR_OK && breaks) result = make_cuttable(ctx, &skin, built);
    *away = report.worst;
    fr_trimesh_free(ctx, &skin);
    return result;
}
