// shape.c: sets of shapes, and what every shape can be asked.

#include "geom/shape_node.h"
#include <stdio.h>

FrResult fr_shapeset_create(FrContext *ctx, FrShapeSet **set) {
    *set = FR_NEW(ctx, FrShapeSet, 1);
    if (!*set) return fr_no_memory(ctx, "shapes");
    (*set)->ctx = ctx;
    fr_arena_init(&(*set)->arena, ctx);
    return FR_OK;
}

void fr_shapeset_destroy(FrShapeSet *set) {
    if (!set) return;
    for (FrOwnedSolid *owned = set->solids; owned; owned = owned->next)
        fr_solid_destroy(set->ctx, owned->solid);
    fr_arena_free(&set->arena);
    fr_free(set->ctx, set);
}

FrResult fr_shapeset_result(const FrShapeSet *set) { return set->result; }

FrShape *fr_shape_new(FrShapeSet *set, FrShapeKind kind, FrShapeFn *distance, FrBox bounds) {
    FrShape *shape = FR_ARENA_NEW(&set->arena, FrShape, 1);
    if (!shape) {
        fr_shape_no_memory(set);
        return NULL;
    }
    shape->info.kind = kind;
    shape->distance = distance;
    shape->bounds = bounds;
    shape->depth = 1;
    return shape;
}

const FrShape *fr_shape_refuse(FrShapeSet *set, const char *format, ...) {
    if (set->result != FR_OK) return NULL;
    char words[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    set->result = fr_fail(set->ctx, FR_BAD_INPUT, "%s", words);
    return NULL;
}

const FrShape *fr_shape_no_memory(FrShapeSet *set) {
    if (set->result == FR_OK) set->result = fr_no_memory(set->ctx, "a shape");
    return NULL;
}

int32_t fr_shape_depth_above(FrShapeSet *set, const FrShape *const *child, int32_t count) {
    int32_t depth = 0;
    for (int32_t k = 0; k < count; k++) {
        if (!child[k]) return 0;
        depth = fr_max_i(depth, child[k]->depth);
    }
    if (depth < FR_SHAPE_DEPTH) return depth + 1;
    fr_shape_refuse(set, "shapes inside shapes %d deep; at most %d are allowed", depth + 1,
                    FR_SHAPE_DEPTH);
    return 0;
}

double fr_box_distance(FrBox box, FrVec3 x) {
    double dx = fr_max(fr_max(box.lo.x - x.x, x.x - box.hi.x), 0.0);
    double dy = fr_max(fr_max(box.lo.y - x.y, x.y - box.hi.y), 0.0);
    double dz = fr_max(fr_max(box.lo.z - x.z, x.z - box.hi.z), 0.0);
    return sqrt(dx * dx + dy * dy + dz * dz);
}

double fr_shape_distance(const FrShape *shape, FrVec3 x) { return shape->distance(shape, x); }

FrBox fr_shape_bounds(const FrShape *shape) { return shape->bounds; }

const FrShapeInfo *fr_shape_info(const FrShape *shape) { return &shape->info; }

static double field_distance(const void *user, FrVec3 x) { return fr_shape_distance(user, x); }

void fr_shape_field(const FrShape *shape, FrField *field) {
    *field = (FrField){field_distance, shape, shape->bounds};
}

const char *fr_shape_kind_name(FrShapeKind kind) {
    static const char *const names[] = {"box",        "sphere",    "ellipsoid", "cylinder",
                                        "tube",       "cone",      "torus",     "lathe",
                                        "extrusion",  "transform", "union",     "intersection",
                                        "difference", "shell",     "surface"};
    return names[kind];
}

static double surface_distance(const FrShape *shape, FrVec3 x) {
    return fr_solid_distance(shape->info.solid, x);
}

const FrShape *fr_shape_surface(FrShapeSet *set, const char *name, const FrTriMesh *mesh) {
    FrOwnedSolid *owned = FR_ARENA_NEW(&set->arena, FrOwnedSolid, 1);
    if (!owned) return fr_shape_no_memory(set);
    FrResult result = fr_solid_create(set->ctx, mesh, &owned->solid);
    if (result == FR_OK) {
        owned->next = set->solids;
        set->solids = owned;
        result = fr_solid_check(set->ctx, name, owned->solid);
    }
    if (result != FR_OK) {
        if (set->result == FR_OK) set->result = result;
        return NULL;
    }
    FrShape *shape =
        fr_shape_new(set, FR_SHAPE_SURFACE, surface_distance, fr_solid_bounds(owned->solid));
    if (shape) shape->info.solid = owned->solid;
    return shape;
}
