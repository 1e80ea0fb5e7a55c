// solids.c: tets of plain solids for hosts, as a scene would have them.

#include "mesh/solids.h"
#include "math/vec.h"
#include "mesh/structured.h"
#include "mesh/stuffing.h"
#include <math.h>

static bool is_length(double x) { return x > 0.0 && isfinite(x); }

FrResult fr_mesh_cell_for(FrContext *ctx, const char *call, FrVec3 size, double *cell) {
    if (*cell == 0.0) *cell = fr_mesh_chosen_cell(size);
    if (is_length(*cell)) return FR_OK;
    return fr_fail(ctx, FR_BAD_USE,
                   "%s: cells of %g m; give an edge above 0 m, or 0: some hundred cells fill it",
                   call, *cell);
}

FrResult fr_mesh_finish(FrContext *ctx, const char *call, FrResult result, FrTetMesh *mesh) {
    if (result == FR_OK) result = fr_tetmesh_renumber(ctx, mesh);
    if (result == FR_OK) return FR_OK;
    fr_tetmesh_free(ctx, mesh);
    return fr_fail_within(ctx, result, "%s: ", call);
}

FrResult fr_mesh_box(FrContext *ctx, FrVec3 size, double cell, FrTetMesh *mesh) {
    FR_NEED_ALL(ctx, ctx && mesh);

    *mesh = (FrTetMesh){0};
    if (!is_length(size.x) || !is_length(size.y) || !is_length(size.z))
        return fr_fail(ctx, FR_BAD_USE,
                       "fr_mesh_box: a box of %g x %g x %g m; give three lengths above 0 m", size.x,
                       size.y, size.z);
    FR_TRY(fr_mesh_cell_for(ctx, "fr_mesh_box", size, &cell));
    FrBox box = {fr_scale(-0.5, size), fr_scale(0.5, size)};
    FrResult result = fr_mesh_box_sized(ctx, box, cell, FR_BOX_LAYERS, mesh);
    return fr_mesh_finish(ctx, "fr_mesh_box", result, mesh);
}

FrResult fr_mesh_tube(FrContext *ctx, double outer, double inner, double height, double cell,
                      FrTetMesh *mesh) {
    FR_NEED_ALL(ctx, ctx && mesh);

    *mesh = (FrTetMesh){0};
    if (!is_length(outer) || !is_length(height) || !(inner >= 0.0 && inner < outer))
        return fr_fail(ctx, FR_BAD_USE,
                       "fr_mesh_tube: radii of %g and %g m, %g m high; give an outer radius and a "
                       "height above 0 m, and an inner radius below the outer one (0: a cylinder)",
                       outer, inner, height);
    FR_TRY(fr_mesh_cell_for(ctx, "fr_mesh_tube", fr_vec3(2.0 * outer, 2.0 * outer, height), &cell));
    FrResult result = fr_mesh_tube_layers(ctx, (FrTube){outer, inner, height}, cell, 0, mesh);
    return fr_mesh_finish(ctx, "fr_mesh_tube", result, mesh);
}

// the box around a profile that is turned about the z axis
static FrVec3 profile_size(const double (*rz)[2], int32_t count) {
    double r = 0.0, lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int32_t k = 0; k < count; k++) {
        r = fr_max(r, rz[k][0]);
        lo = fr_min(lo, rz[k][1]);
        hi = fr_max(hi, rz[k][1]);
    }
    return fr_vec3(2.0 * r, 2.0 * r, hi - lo);
}

FrResult fr_mesh_lathe(FrContext *ctx, const double (*rz)[2], int32_t count, double wall,
                       double cell, FrTetMesh *mesh) {
    FR_NEED_ALL(ctx, ctx && rz && mesh);

    *mesh = (FrTetMesh){0};
    if (!rz || count < 2 || !is_length(wall))
        return fr_fail(ctx, FR_BAD_USE,
                       "fr_mesh_lathe: a profile of %d points, a wall of %g m; give two points or "
                       "more and a wall above 0 m",
                       rz ? count : 0, wall);
    for (int32_t k = 0; k < count; k++)
        if (!(rz[k][0] >= 0.0) || !isfinite(rz[k][0]) || !isfinite(rz[k][1]))
            return fr_fail(ctx, FR_BAD_USE,
                           "fr_mesh_lathe: rz[%d] = (%g, %g); give a distance from the axis of 0 m "
                           "or more and a height",
                           k, rz[k][0], rz[k][1]);
    FrVec3 size = fr_add(profile_size(rz, count), fr_vec3(wall, wall, wall));
    FR_TRY(fr_mesh_cell_for(ctx, "fr_mesh_lathe", size, &cell));
    FrResult result = fr_mesh_lathe_layers(ctx, (FrProfile){rz, count, wall}, cell, 0, mesh);
    return fr_mesh_finish(ctx, "fr_mesh_lathe", result, mesh);
}

static double ball(const void *radius, FrVec3 x) { return fr_length(x) - *(const double *)radius; }

FrResult fr_mesh_sphere(FrContext *ctx, double radius, double cell, FrTetMesh *mesh) {
    FR_NEED_ALL(ctx, ctx && mesh);

    *mesh = (FrTetMesh){0};
    if (!is_length(radius))
        return fr_fail(ctx, FR_BAD_USE, "fr_mesh_sphere: a radius of %g m; give one above 0 m",
                       radius);
    FrVec3 corner = fr_vec3(radius, radius, radius);
    FR_TRY(fr_mesh_cell_for(ctx, "fr_mesh_sphere", fr_scale(2.0, corner), &cell));
    FrField field = {ball, &radius, {fr_scale(-1.0, corner), corner}};
    FrStuffingOptions options = fr_stuffing_options_default(cell);
    FrResult result = fr_mesh_stuff(ctx, &field, &options, mesh, NULL);
    return fr_mesh_finish(ctx, "fr_mesh_sphere", result, mesh);
}
