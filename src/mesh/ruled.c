// ruled.c: boxes, hollow boxes, cylinders, tubes, lathes and extrusions are meshed by rule.

#include "mesh/ruled.h"
#include "math/vec.h"
#include "mesh/structured.h"
#include <math.h>

static FrBox centred_box(FrVec3 size) { return (FrBox){fr_scale(-0.5, size), fr_scale(0.5, size)}; }

// the shortest side of an outline, m
static double shortest_side(const FrOutline *outline) {
    double least = HUGE_VAL;
    for (int32_t loop = 0, first = 0; loop < outline->loop_count; first = outline->loop_end[loop++])
        for (int32_t k = first; k < outline->loop_end[loop]; k++) {
            int32_t next = k + 1 < outline->loop_end[loop] ? k + 1 : first;
            double dx = outline->xy[next][0] - outline->xy[k][0];
            double dy = outline->xy[next][1] - outline->xy[k][1];
            least = fr_min(least, sqrt(dx * dx + dy * dy));
        }
    return least;
}

bool fr_rule_is_good(const FrShapeInfo *info, double cells) {
    if (info->kind != FR_SHAPE_EXTRUSION) return true;
    return shortest_side(&info->extrusion.outline) > 0.4 * cells;
}

// the box that a shell is of; NULL: another shape
static const FrShapeInfo *box_inside(const FrShapeInfo *shell) {
    const FrShapeInfo *of = fr_shape_info(shell->shell.child);
    bool plain = of->kind == FR_SHAPE_BOX && of->box.rounding == 0.0;
    FrVec3 size = plain ? of->box.size : fr_vec3_zero;
    double shortest = fr_min(size.x, fr_min(size.y, size.z));
    return 2.0 * shell->shell.thickness < shortest ? of : NULL;
}

bool fr_has_rule(const FrShapeInfo *info) {
    switch (info->kind) {
    case FR_SHAPE_SHELL:
        return box_inside(info);
    case FR_SHAPE_BOX:
        return info->box.rounding == 0.0;
    case FR_SHAPE_CYLINDER:
    case FR_SHAPE_TUBE:
        return true;
    case FR_SHAPE_LATHE:
        return info->lathe.wall > 0.0;
    case FR_SHAPE_EXTRUSION:
        return info->extrusion.rounding == 0.0;
    default:
        return false;
    }
}

static FrResult mesh_by_rule(FrContext *ctx, const FrShapeInfo *info, double h, FrTetMesh *mesh) {
    switch (info->kind) {
    case FR_SHAPE_BOX:
        return fr_mesh_box_sized(ctx, centred_box(info->box.size), h, FR_BOX_LAYERS, mesh);
    case FR_SHAPE_SHELL:
        return fr_mesh_hollow_box(ctx, centred_box(box_inside(info)->box.size),
                                  info->shell.thickness, h, mesh);
    case FR_SHAPE_LATHE:
        return fr_mesh_lathe_layers(
            ctx, (FrProfile){info->lathe.rz, info->lathe.count, info->lathe.wall}, h, 0, mesh);
    case FR_SHAPE_EXTRUSION:
        return fr_mesh_extrusion(ctx, &info->extrusion.outline, info->extrusion.depth, h, 0, mesh);
    default:
        return fr_mesh_tube_layers(
            ctx, (FrTube){info->tube.outer, info->tube.inner, info->tube.height}, h, 0, mesh);
    }
}

FrResult fr_tets_by_rule(FrContext *ctx, const FrPlacedShape *placed, double cells,
                         FrTetMesh *mesh) {
    FR_TRY(mesh_by_rule(ctx, fr_shape_info(placed->shape), cells / placed->scale, mesh));
    return fr_tetmesh_transform(ctx, mesh, placed->linear, placed->offset);
}

bool fr_has_scatter(const FrShapeInfo *info) {
    return fr_has_rule(info) && (info->kind == FR_SHAPE_BOX || info->kind == FR_SHAPE_EXTRUSION);
}

FrResult fr_tets_scattered(FrContext *ctx, const FrPlacedShape *placed, double cells,
                           FrTetMesh *mesh) {
    const FrShapeInfo *info = fr_shape_info(placed->shape);
    double h = cells / placed->scale;
    if (info->kind == FR_SHAPE_BOX) {
        FR_TRY(fr_mesh_scattered_box(ctx, info->box.size, h, FR_BOX_LAYERS, mesh));
    } else {
        FR_TRY(fr_mesh_scattered(ctx, &info->extrusion.outline, info->extrusion.depth, h,
                                 FR_BOX_LAYERS, mesh));
    }
    return fr_tetmesh_transform(ctx, mesh, placed->linear, placed->offset);
}
