// from_surface.c: tets inside of a triangle surface, and the surface as their skin, for hosts.

#include "geom/solid.h"
#include "mesh/solids.h"
#include "mesh/stuffing.h"
#include "skin/embed.h"
#include <math.h>
#include <string.h>

/// Tets at most, for cells that nobody chose.
#define MOST_TETS 3000000
/// Cells through a wall: no wall of so many has holes, whatever it does to the lattice.
#define WALL_CELLS 1.84
/// Share of the surface whose walls may be thinner: tips and ears.
#define THIN_SHARE 0.02

// arrays of the caller's that can be a surface
static FrResult check_triangles(FrContext *ctx, const FrTriangles *s) {
    if (!s || !s->point || !s->tri || s->point_count < 4 || s->tri_count < 4)
        return fr_fail(ctx, FR_BAD_USE,
                       "fr_mesh_from_surface: %d points and %d triangles; a closed surface has "
                       "four of each or more",
                       s && s->point ? s->point_count : 0, s && s->tri ? s->tri_count : 0);
    for (int32_t k = 0; k < 3 * s->point_count; k++)
        if (!isfinite(s->point[k]))
            return fr_fail(ctx, FR_BAD_INPUT, "fr_mesh_from_surface: point %d is at %g", k / 3,
                           s->point[k]);
    for (int32_t k = 0; k < s->tri_count; k++)
        for (int i = 0; i < 3; i++)
            if (s->tri[k][i] < 0 || s->tri[k][i] >= s->point_count)
                return fr_fail(ctx, FR_BAD_INPUT,
                               "fr_mesh_from_surface: triangle %d has point %d; points are 0 to %d",
                               k, s->tri[k][i], s->point_count - 1);
    return FR_OK;
}

static FrResult make_solid(FrContext *ctx, const FrTriangles *s, FrSolid **solid) {
    FrTriMesh own = {0};
    FR_TRY(fr_trimesh_alloc(ctx, s->point_count, s->tri_count, &own));
    size_t points = (size_t)s->point_count;
    memcpy(own.p, s->point, 3 * points * sizeof *own.p);
    memcpy(own.tri, s->tri, (size_t)s->tri_count * sizeof *own.tri);
    own.uv = s->uv ? fr_alloc(ctx, 2 * points * sizeof *own.uv) : NULL;
    FrResult result = s->uv && !own.uv ? fr_no_memory(ctx, "a surface") : FR_OK;
    if (own.uv) memcpy(own.uv, s->uv, 2 * points * sizeof *own.uv);
    if (result == FR_OK) result = fr_solid_create(ctx, &own, solid);
    fr_trimesh_free(ctx, &own);
    return result;
}

// cells that the caller gives stay or are refused; others shrink until walls are whole
static FrResult stuff_solid(FrContext *ctx, const FrSolid *solid, double cell, FrTetMesh *mesh) {
    FrField field;
    fr_solid_field(solid, &field);
    bool chosen = cell == 0.0;
    FR_TRY(
        fr_mesh_cell_for(ctx, "fr_mesh_from_surface", fr_box_size(fr_solid_bounds(solid)), &cell));
    FrStuffingOptions options = fr_stuffing_options_default(cell);
    options.thin = chosen ? FR_THIN_REFINE : FR_THIN_REFUSE;
    options.thin_cells = WALL_CELLS;
    options.thin_share = THIN_SHARE;
    options.max_tets = MOST_TETS;
    return fr_mesh_stuff(ctx, &field, &options, mesh, NULL);
}

static FrResult wear(FrContext *ctx, const FrSolid *solid, const FrTetMesh *mesh,
                     FrEmbedded *skin) {
    FrTriMesh dressed = {0};
    FrResult result = fr_solid_dressed(ctx, solid, &dressed);
    if (result == FR_OK) result = fr_embed(ctx, mesh, &dressed, skin, NULL);
    fr_trimesh_free(ctx, &dressed);
    return result;
}

FrResult fr_mesh_from_surface(FrContext *ctx, const FrTriangles *surface, double cell,
                              FrTetMesh *mesh, FrEmbedded *skin) {
    FR_NEED_ALL(ctx, ctx && surface && mesh);

    FrSolid *solid = NULL;
    *mesh = (FrTetMesh){0};
    if (skin) *skin = (FrEmbedded){0};
    FR_TRY(check_triangles(ctx, surface));
    FrResult result = make_solid(ctx, surface, &solid);
    if (result == FR_OK) result = fr_solid_check(ctx, "the surface", solid);
    if (result == FR_OK) result = stuff_solid(ctx, solid, cell, mesh);
    result = fr_mesh_finish(ctx, "fr_mesh_from_surface", result, mesh);
    if (result == FR_OK && skin) {
        result = wear(ctx, solid, mesh, skin);
        if (result != FR_OK) fr_tetmesh_free(ctx, mesh);
        if (result != FR_OK) fr_embedded_free(ctx, skin);
    }
    fr_solid_destroy(ctx, solid);
    return result;
}
