// build_shape.c: a shape of the scene as a distance field.

#include "base/array.h"
#include "base/file.h"
#include "build/build.h"
#include "geom/trimesh.h"
#include "math/vec.h"

static const FrShape *surface_shape(FrContext *ctx, FrShapeSet *set, const FrSceneFile *from,
                                    const char *folder, FrResult *result) {
    FrTriMesh mesh = {0};
    const FrShape *shape = NULL;
    char *path = fr_path_join(ctx, folder, from->file);
    *result = path ? fr_trimesh_read(ctx, path, &mesh) : fr_no_memory(ctx, from->file);
    if (*result == FR_OK) {
        fr_trimesh_scale(&mesh, from->unit);
        if (from->up == FR_SCENE_UP_Y) fr_trimesh_y_up_to_z_up(&mesh);
        shape = fr_shape_surface(set, path, &mesh);
    }
    fr_trimesh_free(ctx, &mesh);
    fr_free(ctx, path);
    return shape;
}

// does a ray from p towards +x leave the outline once more than it enters?
static bool inside_outline(const FrSceneExtrude *from, FrSceneVec2 p) {
    bool odd = false;
    for (int32_t k = 0; k < from->outline_count; k++) {
        FrSceneVec2 a = from->outline[k], b = from->outline[(k + 1) % from->outline_count];
        if ((a.y > p.y) == (b.y > p.y)) continue;
        odd ^= p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y);
    }
    return odd;
}

static FrResult check_holes(FrContext *ctx, const FrSceneExtrude *from) {
    for (int32_t hole = 0; hole < from->holes_count; hole++)
        for (int32_t k = 0; k < from->holes[hole].outline_count; k++) {
            FrSceneVec2 p = from->holes[hole].outline[k];
            if (!inside_outline(from, p))
                return fr_fail(ctx, FR_BAD_INPUT,
                               "holes[%d] does not lie inside the outline: its corner at (%g, %g) "
                               "m is outside",
                               hole + 1, p.x, p.y);
        }
    return FR_OK;
}

static const FrShape *extrusion_shape(FrContext *ctx, FrShapeSet *set, const FrSceneExtrude *from,
                                      FrResult *result) {
    typedef double Pair[2];
    FR_ARRAY(Pair) xy = {0};
    FR_ARRAY(int32_t) end = {0};
    const FrShape *shape = NULL;
    bool room = true;
    if ((*result = check_holes(ctx, from)) != FR_OK) return NULL;
    for (int32_t loop = -1; room && loop < from->holes_count; loop++) {
        const FrSceneVec2 *point = loop < 0 ? from->outline : from->holes[loop].outline;
        int32_t count = loop < 0 ? from->outline_count : from->holes[loop].outline_count;
        for (int32_t k = 0; room && k < count; k++) {
            room = fr_array_extend(ctx, &xy, 1);
            if (room) xy.data[xy.count - 1][0] = point[k].x, xy.data[xy.count - 1][1] = point[k].y;
        }
        room = room && fr_array_push(ctx, &end, xy.count);
    }
    FrOutline outline = {end.count, xy.count, end.data, (const double(*)[2])xy.data};
    if (room)
        shape = fr_shape_extrusion(set, &outline, from->height, 0.0);
    else
        *result = fr_no_memory(ctx, "an outline");
    fr_array_free(ctx, &xy);
    fr_array_free(ctx, &end);
    return shape;
}

static const FrShape *lathe_shape(FrContext *ctx, FrShapeSet *set, const FrSceneLathe *from,
                                  FrResult *result) {
    double(*rz)[2] = fr_alloc_zero(ctx, (size_t)from->profile_count, sizeof *rz);
    if (!rz) return *result = fr_no_memory(ctx, "a profile"), NULL;
    for (int32_t k = 0; k < from->profile_count; k++)
        rz[k][0] = from->profile[k].x, rz[k][1] = from->profile[k].y;
    const FrShape *shape =
        fr_shape_lathe(set, (const double(*)[2])rz, from->profile_count, from->wall);
    fr_free(ctx, rz);
    return shape;
}

/// Straight pieces in a quarter circle of a rounded edge.
#define ARC 8

// a cylinder with rounded edges is a lathe: half the profile from the axis below, mirrored above
static const FrShape *cylinder_shape(FrShapeSet *set, const FrSceneCylinder *from) {
    double r = from->round, inner = from->radius - r, half = 0.5 * from->height - r;
    double rz[2 * ARC + 4][2];
    int32_t count = 2 * ARC + 4, last = count - 1;
    if (!(r > 0.0)) return fr_shape_cylinder(set, from->radius, from->height);
    rz[0][0] = 0.0;
    rz[0][1] = -half - r;
    for (int32_t k = 0; k <= ARC; k++) {
        double angle = 0.5 * FR_PI * k / ARC;
        rz[k + 1][0] = inner + r * sin(angle);
        rz[k + 1][1] = -half - r * cos(angle);
    }
    for (int32_t k = 0; k < count / 2; k++) {
        rz[last - k][0] = rz[k][0];
        rz[last - k][1] = -rz[k][1];
    }
    return fr_shape_lathe(set, (const double(*)[2])rz, count, 0.0);
}

// shapes without children
static const FrShape *simple_shape(FrContext *ctx, FrShapeSet *set, const FrSceneShape *from,
                                   const char *folder, FrResult *result) {
    switch (from->kind) {
    case FR_SCENE_BOX:
        return fr_shape_box(set, from->box->size, from->box->round);
    case FR_SCENE_BALL:
        return fr_shape_sphere(set, from->ball->radius);
    case FR_SCENE_ELLIPSOID:
        return fr_shape_ellipsoid(set, from->ellipsoid->radii);
    case FR_SCENE_CYLINDER:
        return cylinder_shape(set, from->cylinder);
    case FR_SCENE_TUBE:
        return fr_shape_tube(set, from->tube->radius, from->tube->radius - from->tube->wall,
                             from->tube->height);
    case FR_SCENE_CONE:
        return fr_shape_cone(set, from->cone->radius, from->cone->top, from->cone->height);
    case FR_SCENE_TORUS:
        return fr_shape_torus(set, from->torus->radius, from->torus->thickness);
    case FR_SCENE_LATHE:
        return lathe_shape(ctx, set, from->lathe, result);
    case FR_SCENE_EXTRUDE:
        return extrusion_shape(ctx, set, from->extrude, result);
    case FR_SCENE_TEXT:
        return fr_shape_text(set, from->text->text, from->text->size, from->text->height,
                             from->text->round);
    case FR_SCENE_SURFACE:
        return surface_shape(ctx, set, from->file, folder, result);
    default:
        *result = fr_fail(ctx, FR_BAD_INPUT, "a tet mesh cannot be part of another shape");
        return NULL;
    }
}

static FrResult build(FrContext *ctx, FrShapeSet *set, const FrSceneShape *from, const char *folder,
                      int depth, const FrShape **shape);

static FrResult combined_shape(FrContext *ctx, FrShapeSet *set, const FrSceneShape *from,
                               const char *folder, int depth, const FrShape **shape) {
    const FrSceneGroup *group = from->group;
    const FrShape **part =
        (const FrShape **)fr_alloc_zero(ctx, (size_t)group->parts_count, sizeof *part);
    if (!part) return fr_no_memory(ctx, "a shape");
    FrResult result = FR_OK;
    for (int32_t k = 0; result == FR_OK && k < group->parts_count; k++)
        result = build(ctx, set, &group->parts[k], folder, depth + 1, &part[k]);
    if (result == FR_OK && from->kind == FR_SCENE_UNION)
        *shape = fr_shape_union(set, part, group->parts_count, group->round);
    else if (result == FR_OK && from->kind == FR_SCENE_INTERSECTION)
        *shape = fr_shape_intersection(set, part, group->parts_count, group->round);
    else if (result == FR_OK)
        *shape = fr_shape_difference(set, part, group->parts_count, group->round);
    fr_free(ctx, part);
    return result;
}

static FrResult wrapped_shape(FrContext *ctx, FrShapeSet *set, const FrSceneShape *from,
                              const char *folder, int depth, const FrShape **shape) {
    const FrShape *child = NULL;
    switch (from->kind) {
    case FR_SCENE_SHELL:
        FR_TRY(build(ctx, set, from->shell->shape, folder, depth + 1, &child));
        *shape = fr_shape_shell(set, child, from->shell->thickness);
        return FR_OK;
    case FR_SCENE_MOVE:
        FR_TRY(build(ctx, set, from->move->shape, folder, depth + 1, &child));
        *shape = fr_shape_move(set, child, from->move->by);
        return FR_OK;
    case FR_SCENE_TURN:
        FR_TRY(build(ctx, set, from->turn->shape, folder, depth + 1, &child));
        *shape = fr_shape_rotate(set, child, fr_quat_from_euler(from->turn->by));
        return FR_OK;
    default:
        FR_TRY(build(ctx, set, from->scale->shape, folder, depth + 1, &child));
        *shape = fr_shape_scale(set, child, from->scale->by);
        return FR_OK;
    }
}

static FrResult build(FrContext *ctx, FrShapeSet *set, const FrSceneShape *from, const char *folder,
                      int depth, const FrShape **shape) {
    if (depth > FR_SHAPE_DEPTH)
        return fr_fail(ctx, FR_BAD_INPUT, "more than %d shapes one inside the other",
                       FR_SHAPE_DEPTH);
    FrResult result = FR_OK;
    switch (from->kind) {
    case FR_SCENE_UNION:
    case FR_SCENE_INTERSECTION:
    case FR_SCENE_DIFFERENCE:
        result = combined_shape(ctx, set, from, folder, depth, shape);
        break;
    case FR_SCENE_SHELL:
    case FR_SCENE_MOVE:
    case FR_SCENE_TURN:
    case FR_SCENE_SCALE:
        result = wrapped_shape(ctx, set, from, folder, depth, shape);
        break;
    default:
        *shape = simple_shape(ctx, set, from, folder, &result);
    }
    if (result == FR_OK && !*shape) result = fr_shapeset_result(set);
    return result;
}

FrResult fr_build_shape(FrContext *ctx, FrShapeSet *set, const FrSceneShape *from,
                        const char *folder, const FrShape **shape) {
    *shape = NULL;
    return build(ctx, set, from, folder, 0, shape);
}
