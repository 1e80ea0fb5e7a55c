// skin_draw.c: the fine surface of a shape: the imported one, or the shape's own drawn finer than
// its tets.

#include "skin/skin_draw.h"
#include "geom/placed_shape.h"
#include "math/vec.h"
#include "mesh/outside.h"
#include "mesh/ruled.h"
#include "mesh/stuffing.h"
#include "skin/skin_relax.h"
#include <string.h>

static FrResult stuffed_surface(FrContext *ctx, const FrField *field, double size,
                                FrTriMesh *skin) {
    FrTetMesh fine = {0};
    FrStuffingOptions options = fr_stuffing_options_default(size);
    options.thin = FR_THIN_ALLOW;
    options.graded = true;
    FrResult result = fr_mesh_stuff(ctx, field, &options, &fine, NULL);
    if (result == FR_OK) result = fr_outside_trimesh(ctx, &fine, skin);
    fr_tetmesh_free(ctx, &fine);
    return result;
}

// what a rule meshes has a rule for its skin, too: thin walls stay whole, edges sharp
static FrResult ruled_surface(FrContext *ctx, const FrPlacedShape *placed, double size,
                              FrTriMesh *skin) {
    FrTetMesh fine = {0};
    FrResult result = fr_tets_by_rule(ctx, placed, size, &fine);
    if (result == FR_OK) result = fr_outside_trimesh(ctx, &fine, skin);
    fr_tetmesh_free(ctx, &fine);
    return result;
}

/// Where a skin may have so many times the triangles it is allowed, they are counted first, in
/// cells so many times as large.
#define SKIN_GUESS 4.0
/// Triangles of a stuffed surface in the square of a cell's edge, about.
#define TRIS_PER_SQUARE 2.5

// A first drawing far above the budget would be thrown away, and takes far longer than the second:
// then a coarse one tells how fine it may be.
static FrResult affordable(FrContext *ctx, const FrField *field, double *size) {
    FrVec3 box = fr_box_size(field->bounds);
    double area = 2.0 * (box.x * box.y + box.y * box.z + box.z * box.x), coarse = *size;
    double guess = TRIS_PER_SQUARE * area / (*size * *size);
    if (guess <= SKIN_GUESS * FR_SKIN_TRIANGLES) return FR_OK;
    coarse *= sqrt(guess / FR_SKIN_TRIANGLES);
    FrTriMesh skin = {0};
    FR_TRY(stuffed_surface(ctx, field, coarse, &skin));
    *size = fr_max(*size, coarse * sqrt((double)skin.tri_count / FR_SKIN_TRIANGLES));
    fr_trimesh_free(ctx, &skin);
    return FR_OK;
}

// `placed`: by rule; NULL: stuffed
static FrResult drawn_finer(FrContext *ctx, const FrShape *shape, const FrPlacedShape *placed,
                            double cells, FrTriMesh *skin) {
    FrField field;
    double size = cells / FR_SKIN_FINER;
    fr_shape_field(shape, &field);
    if (!placed) FR_TRY(affordable(ctx, &field, &size));
    // triangles grow with the square of the fineness: one more try meets the budget
    for (int round = 0; round < 2; round++) {
        FR_TRY(placed ? ruled_surface(ctx, placed, size, skin)
                      : stuffed_surface(ctx, &field, size, skin));
        if (skin->tri_count <= FR_SKIN_TRIANGLES || round) break;
        size *= sqrt((double)skin->tri_count / FR_SKIN_TRIANGLES);
        fr_trimesh_free(ctx, skin);
    }
    return placed ? FR_OK : fr_skin_relax(ctx, &field, size, skin);
}

static FrResult as_imported(FrContext *ctx, const FrSolid *solid, const FrPlacedShape *placed,
                            FrTriMesh *skin) {
    FR_TRY(fr_solid_dressed(ctx, solid, skin));
    fr_surface_place(placed, skin);
    return FR_OK;
}

// --- hollow solids of surfaces

/// The surface that a shell is the wall of, its outside; shape NULL: it is no shell of a closed
/// one.
static FrPlacedShape outside_of_shell(const FrPlacedShape *shell) {
    FrPlacedShape none = {0};
    if (fr_shape_info(shell->shape)->kind != FR_SHAPE_SHELL) return none;
    FrPlacedShape of = fr_place_shape(fr_shape_info(shell->shape)->shell.child);
    const FrShapeInfo *info = fr_shape_info(of.shape);
    if (info->kind != FR_SHAPE_SURFACE || !fr_solid_report(info->solid)->after.closed) return none;
    of.offset = fr_add(fr_mat3_apply(shell->linear, of.offset), shell->offset);
    of.linear = fr_mat3_mul(shell->linear, of.linear);
    of.scale *= shell->scale;
    return of;
}

// does a triangle of the shell's drawn surface belong to the hollow?
static bool is_hollow(const FrPlacedShape *shell, FrMat3 back, const FrTriMesh *drawn, int32_t t) {
    const FrShapeInfo *info = fr_shape_info(shell->shape);
    for (int i = 0; i < 3; i++) {
        FrVec3 x = fr_sub(fr_get3(drawn->p, drawn->tri[t][i]), shell->offset);
        double d = fr_shape_distance(info->shell.child, fr_mat3_apply(back, x));
        if (d > -0.5 * info->shell.thickness) return false;
    }
    return true;
}

// the hollow has the UV of what is next to it outside
static void take_uv(const FrTriMesh *skin, int32_t outside, int32_t point) {
    FrVec3 x = fr_get3(skin->p, point);
    double least = HUGE_VAL;
    int32_t best = 0;
    for (int32_t k = 0; k < outside; k++) {
        double d = fr_length2(fr_sub(fr_get3(skin->p, k), x));
        if (d < least) least = d, best = k;
    }
    memcpy(skin->uv + 2 * (size_t)point, skin->uv + 2 * (size_t)best, 2 * sizeof *skin->uv);
}

// how many triangles of `drawn` are of the hollow; its points are numbered on from `point`, others
// -1
static int32_t number_hollow(const FrPlacedShape *shell, const FrTriMesh *drawn, int32_t point,
                             int32_t *number, bool *in) {
    FrMat3 back = fr_mat3_inverse(shell->linear);
    int32_t tris = 0;
    for (int32_t k = 0; k < drawn->point_count; k++) number[k] = -1;
    for (int32_t t = 0; t < drawn->tri_count; t++) {
        in[t] = is_hollow(shell, back, drawn, t);
        tris += in[t];
        for (int i = 0; in[t] && i < 3; i++)
            if (number[drawn->tri[t][i]] < 0) number[drawn->tri[t][i]] = point++;
    }
    return tris;
}

static void add_outside(const FrTriMesh *outer, FrTriMesh *skin) {
    size_t points = (size_t)outer->point_count;
    memcpy(skin->p, outer->p, 3 * sizeof *skin->p * points);
    memcpy(skin->normal, outer->normal, 3 * sizeof *skin->p * points);
    memcpy(skin->tri, outer->tri, sizeof *skin->tri * (size_t)outer->tri_count);
    if (skin->uv) memcpy(skin->uv, outer->uv, 2 * sizeof *skin->uv * points);
}

static void add_hollow(const FrTriMesh *drawn, const int32_t *number, const bool *in,
                       int32_t outside, FrTriMesh *skin) {
    for (int32_t k = 0; k < drawn->point_count; k++) {
        if (number[k] < 0) continue;
        fr_set3(skin->p, number[k], fr_get3(drawn->p, k));
        fr_set3(skin->normal, number[k], fr_get3(drawn->normal, k));
        if (skin->uv) take_uv(skin, outside, number[k]);
    }
    int32_t t = skin->tri_count - 1;
    for (int32_t k = drawn->tri_count - 1; k >= 0; k--) {
        for (int i = 0; in[k] && i < 3; i++) skin->tri[t][i] = number[drawn->tri[k][i]];
        t -= in[k];
    }
}

// outer, then the triangles of `drawn` that are of the hollow
static FrResult join_walls(FrContext *ctx, const FrPlacedShape *shell, const FrTriMesh *outer,
                           const FrTriMesh *drawn, FrTriMesh *skin) {
    int32_t *number = FR_NEW(ctx, int32_t, drawn->point_count), points = outer->point_count;
    bool *in = FR_NEW(ctx, bool, drawn->tri_count);
    FrResult result = number && in ? FR_OK : fr_no_memory(ctx, "a skin");
    if (result == FR_OK) {
        int32_t tris = number_hollow(shell, drawn, points, number, in);
        for (int32_t k = 0; k < drawn->point_count; k++) points += number[k] >= 0;
        result = fr_trimesh_alloc(ctx, points, outer->tri_count + tris, skin);
    }
    if (result == FR_OK) {
        skin->normal = FR_NEW(ctx, double, 3 * (size_t)points);
        if (outer->uv) skin->uv = FR_NEW(ctx, double, 2 * (size_t)points);
        if (!skin->normal || (outer->uv && !skin->uv)) result = fr_no_memory(ctx, "a skin");
    }
    if (result == FR_OK) {
        add_outside(outer, skin);
        add_hollow(drawn, number, in, outer->point_count, skin);
    }
    FR_FREE_ALL(ctx, number, in);
    return result;
}

// A wall of an imported surface: that surface outside, with all it has, and the hollow as drawn. No
// edge outside is then longer than `longest`, m; 0: as they are.
static FrResult hollow(FrContext *ctx, const FrShape *shape, const FrPlacedShape *shell,
                       double cells, double longest, FrTriMesh *skin) {
    FrTriMesh outer = {0}, drawn = {0};
    FrPlacedShape of = outside_of_shell(shell);
    FrResult result = as_imported(ctx, fr_shape_info(of.shape)->solid, &of, &outer);
    if (result == FR_OK && longest > 0) result = fr_trimesh_refine(ctx, &outer, longest);
    if (result == FR_OK) result = drawn_finer(ctx, shape, NULL, cells, &drawn);
    if (result == FR_OK) result = join_walls(ctx, shell, &outer, &drawn, skin);
    fr_trimesh_free(ctx, &outer);
    fr_trimesh_free(ctx, &drawn);
    return result;
}

FrResult fr_skin_draw(FrContext *ctx, const FrShape *shape, bool ruled, double cells,
                      double longest, FrTriMesh *skin) {
    FrPlacedShape placed = fr_place_shape(shape);
    const FrShapeInfo *info = fr_shape_info(placed.shape);
    bool closed = info->kind == FR_SHAPE_SURFACE && fr_solid_report(info->solid)->after.closed;
    if (closed) return as_imported(ctx, info->solid, &placed, skin);
    if (outside_of_shell(&placed).shape) return hollow(ctx, shape, &placed, cells, longest, skin);
    return drawn_finer(ctx, shape, ruled ? &placed : NULL, cells, skin);
}
