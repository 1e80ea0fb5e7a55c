// build_cage.c: uneven tets that contain all of a shape's fine surface, for skins that tear along
// their faces [S5 section 5.2] [M13].

#include "build/build.h"
#include "math/vec.h"
#include "mesh/stuffing.h"
#include "mesh/tetmesh.h"
#include "mesh/uneven.h"
#include "skin/cells.h"

/// How far the tets reach beyond the surface, first and more each time, share of a cell; how far
/// nodes move; what they leave of the worst tet.
#define MARGIN 0.12
#define MOST_MARGINS 10
#define MOVES 0.3
#define QUALITY 0.6

typedef struct Wider {
    FrField inner;
    double by; ///< m
} Wider;

static double wider_at(const void *user, FrVec3 x) {
    const Wider *w = user;
    return fr_field_at(&w->inner, x) - w->by;
}

static FrResult make_cage(FrContext *ctx, const FrShape *shape, double margin, int32_t most,
                          FrBuiltMesh *built) {
    Wider wider;
    fr_shape_field(shape, &wider.inner);
    wider.by = margin;
    FrField field = {wider_at, &wider, fr_box_grow(wider.inner.bounds, margin)};
    FrStuffingOptions options = fr_stuffing_options_default(built->cells);
    options.thin = FR_THIN_ALLOW;
    options.thin_cells = 0.0;
    options.max_tets = most;
    fr_tetmesh_free(ctx, &built->mesh);
    FR_TRY(fr_mesh_stuff(ctx, &field, &options, &built->mesh, NULL));
    FR_TRY(fr_tetmesh_renumber(ctx, &built->mesh));
    FrUnevenOptions uneven = {MOVES * built->cells, QUALITY, wider.inner, 0.5 * margin};
    return fr_tetmesh_uneven(ctx, &built->mesh, &uneven);
}

// does the mesh hold all of the skin, so that cells of it can be made?
static FrResult holds_skin(FrContext *ctx, const FrBuiltMesh *built, bool *holds) {
    FrCells *cells;
    FrResult result = fr_cells_create(ctx, &built->mesh, &built->skin, &cells);
    fr_cells_destroy(cells);
    *holds = result == FR_OK;
    return result == FR_BAD_INPUT ? FR_OK : result;
}

FrResult fr_build_cage(FrContext *ctx, const FrShape *shape, int32_t most, FrBuiltMesh *built) {
    double away;
    built->method = "cage";
    for (int k = 1; k <= MOST_MARGINS; k++) {
        bool holds;
        FR_TRY(make_cage(ctx, shape, k * MARGIN * built->cells, most, built));
        fr_embedded_free(ctx, &built->skin);
        FR_TRY(fr_build_skin(ctx, shape, false, built, &away));
        FR_TRY(holds_skin(ctx, built, &holds));
        if (holds) return FR_OK;
    }
    return fr_fail(ctx, FR_BAD_INPUT,
                   "mesher = \"cage\": no tets of %.3g m contain all of this shape's surface; "
                   "smaller cells may",
                   built->cells);
}
