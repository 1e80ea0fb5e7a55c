// build_walls.c: tets for walls that are thin beside the size of their body: first so fine that no
// wall has a hole, then larger along the wall.

#include "build/build_walls.h"
#include "geom/placed_shape.h"
#include "geom/trimesh.h"
#include "mesh/coarsen.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include <math.h>

/// Cells through a wall: 1.84 can have no holes, whatever the wall does to the lattice; 1.45 have
/// twice as few tets, and what they lose is measured. Volume that may be lost.
#define WALL_CELLS 1.45
#define SAFE_CELLS 1.84
#define MOST_CUT 0.05
/// Share of the surface whose walls may be thinner all the same.
#define THIN_SHARE 0.02
/// Where tets are made larger: their edges up to so many cells, their corners within this share of
/// a cell of where faces were. Fewer tets are not sought for what shatters: cracks follow their
/// edges.
#define LONGEST_EDGE 5.0
#define MOST_OFF 0.15
#define ENOUGH_TETS 16000

FrResult fr_walls_too_thin(FrContext *ctx, double wall, int32_t most) {
    return fr_fail(ctx, FR_BAD_INPUT,
                   "walls of %.2g m are too thin for it: more than %d tets would be needed; flat "
                   "plates, and a lathe, a tube or the shell of a box in a scene, are meshed "
                   "however thin",
                   wall, most);
}

// FR_BAD_INPUT: it would take too many tets, or parts are lost
static FrResult stuff(FrContext *ctx, const FrShape *shape, double thin_cells, int32_t most,
                      FrBuiltMesh *built) {
    FrField field;
    FrStuffingReport report;
    FrStuffingOptions options = fr_stuffing_options_default(built->cells);
    fr_shape_field(shape, &field);
    options.graded = true;
    options.thin = FR_THIN_REFINE;
    options.thin_cells = thin_cells;
    options.thin_share = THIN_SHARE;
    options.max_tets = most;
    built->method = "stuffing";
    fr_tetmesh_free(ctx, &built->mesh);
    FrResult result = fr_mesh_stuff(ctx, &field, &options, &built->mesh, &report);
    // at cells that are small enough for all of them none is thin any more
    built->wall = report.refinements > 0 ? fr_max(report.wall, thin_cells * report.size) : 0.0;
    if (result != FR_OK || built->wall == 0.0) return result;
    built->cells = report.size;
    if (fabs(report.volume / report.sampled_volume - 1.0) > MOST_CUT)
        return fr_fail(ctx, FR_BAD_INPUT, "cells of %.3g m lose parts", report.size);
    return fr_tetmesh_renumber(ctx, &built->mesh);
}

// about so many tets for a closed surface whose walls are followed everywhere; *wall: their mean
// thickness, m. Little for what is no wall; 0: not known
static double wall_tets(const FrShape *shape, double *wall) {
    FrPlacedShape placed = fr_place_shape(shape);
    const FrShapeInfo *info = fr_shape_info(placed.shape);
    if (info->kind != FR_SHAPE_SURFACE || !fr_solid_report(info->solid)->after.closed) return 0.0;
    double side = 0.5 * fr_trimesh_area(fr_solid_mesh(info->solid));
    double mean = fr_solid_report(info->solid)->volume / side, cells = mean / WALL_CELLS;
    *wall = placed.scale * mean;
    return FR_TETS_PER_CELL * WALL_CELLS * side / (cells * cells);
}

FrResult fr_walls_stuff(FrContext *ctx, const FrShape *shape, int32_t most, FrBuiltMesh *built,
                        bool *met) {
    const double through[] = {WALL_CELLS, SAFE_CELLS};
    double cells = built->cells, wall = 0.0;
    *met = false;
    if (wall_tets(shape, &wall) > most) return fr_walls_too_thin(ctx, wall, most);
    for (int k = 0; k < 2; k++) {
        built->cells = cells;
        FrResult result = stuff(ctx, shape, through[k], most, built);
        *met = result == FR_OK && built->wall > 0.0;
        if (result != FR_BAD_INPUT) return result;
    }
    return FR_OK;
}

FrResult fr_built_coarsen(FrContext *ctx, int32_t enough, FrBuiltMesh *built) {
    FrCoarsenOptions options = {.longest = LONGEST_EDGE * built->cells,
                                .tolerance = MOST_OFF * built->cells,
                                .enough = enough};
    FR_TRY(fr_tetmesh_coarsen(ctx, &options, &built->mesh));
    return fr_tetmesh_renumber(ctx, &built->mesh);
}

FrResult fr_walls_coarsen(FrContext *ctx, FrBuiltMesh *built) {
    int32_t before = built->mesh.tet_count;
    if (before <= ENOUGH_TETS) return FR_OK;
    FR_TRY(fr_built_coarsen(ctx, ENOUGH_TETS, built));
    fr_embedded_free(ctx, &built->skin);
    built->cells = fr_tetmesh_mean_edge(&built->mesh);
    fr_log(ctx, FR_LOG_INFO, "walls of %.2g m: %d tets as long as %.2g m, of %d that follow them",
           built->wall, built->mesh.tet_count, built->cells, before);
    return FR_OK;
}
