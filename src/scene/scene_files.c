// scene_files.c: the mesh and surface files that a scene names.

#include "scene/scene_files.h"
#include "base/file.h"
#include "base/file_names.h"
#include "geom/shape.h"
#include "scene/notes.h"
#include <string.h>

/// Larger files are refused by the readers, too.
#define MOST_BYTES ((size_t)1 << 31)

typedef struct Walk {
    FrContext *ctx;
    const FrScene *scene; ///< NULL: none, and mistakes have no place
    const char *folder;
    FrHash *hash;
} Walk;

static FrResult hash_file(Walk *walk, const char *path) {
    uint8_t *bytes;
    size_t size;
    FR_TRY(fr_file_load(walk->ctx, path, MOST_BYTES, &bytes, &size));
    fr_hash_u64(walk->hash, (uint64_t)size);
    fr_hash_bytes(walk->hash, bytes, size);
    fr_free(walk->ctx, bytes);
    return FR_OK;
}

// a TetGen mesh is two files: x.node and x.ele
static FrResult hash_pair(Walk *walk, const char *path) {
    size_t stem = (size_t)(strrchr(path, '.') - path);
    char *other = fr_alloc(walk->ctx, stem + sizeof ".node");
    if (!other) return fr_no_memory(walk->ctx, "a path");
    memcpy(other, path, stem);
    strcpy(other + stem, fr_ends_with(path, ".node") ? ".ele" : ".node");
    FrResult result = hash_file(walk, path);
    if (result == FR_OK) result = hash_file(walk, other);
    fr_free(walk->ctx, other);
    return result;
}

static FrResult hash_named(Walk *walk, const FrSceneFile *file) {
    char *path = fr_path_join(walk->ctx, walk->folder, file->file);
    if (!path) return fr_no_memory(walk->ctx, "a path");
    bool pair = fr_ends_with(path, ".node") || fr_ends_with(path, ".ele");
    FrResult result = pair ? hash_pair(walk, path) : hash_file(walk, path);
    fr_free(walk->ctx, path);
    return result;
}

// a file that cannot be read is a mistake of the scene, at the shape that names it
static FrResult at_place(Walk *walk, const FrSceneShape *shape, FrResult result) {
    if ((result != FR_IO && result != FR_BAD_INPUT) || !walk->scene) return result;
    FrProblems problems;
    fr_problems_init(&problems, walk->ctx);
    fr_scene_problem(&problems, walk->scene, shape, NULL, "%s", fr_context_message(walk->ctx));
    result = fr_problems_result(&problems);
    fr_problems_free(&problems);
    return result;
}

// the one shape inside, or NULL
static const FrSceneShape *inner(const FrSceneShape *shape) {
    switch (shape->kind) {
    case FR_SCENE_SHELL:
        return shape->shell->shape;
    case FR_SCENE_MOVE:
        return shape->move->shape;
    case FR_SCENE_TURN:
        return shape->turn->shape;
    case FR_SCENE_SCALE:
        return shape->scale->shape;
    default:
        return NULL;
    }
}

// depth: as deep as shapes are built; deeper ones are refused there with a message
static FrResult hash_shape(Walk *walk, const FrSceneShape *shape, int depth) {
    for (const FrSceneShape *in; (in = inner(shape)) != NULL;) shape = in;
    if (shape->kind == FR_SCENE_SURFACE || shape->kind == FR_SCENE_MESH)
        return at_place(walk, shape, hash_named(walk, shape->file));
    bool group = shape->kind == FR_SCENE_UNION || shape->kind == FR_SCENE_INTERSECTION ||
                 shape->kind == FR_SCENE_DIFFERENCE;
    for (int32_t k = 0; group && depth < FR_SHAPE_DEPTH && k < shape->group->parts_count; k++)
        FR_TRY(hash_shape(walk, &shape->group->parts[k], depth + 1));
    return FR_OK;
}

static FrResult hash_region(Walk *walk, const FrSceneRegion *region) {
    return region->kind == FR_SCENE_INSIDE ? hash_shape(walk, region->inside->shape, 0) : FR_OK;
}

static FrResult hash_load(Walk *walk, const FrSceneLoad *load) {
    switch (load->kind) {
    case FR_SCENE_FORCE:
        return hash_region(walk, &load->force->where);
    case FR_SCENE_PRESSURE:
        return hash_region(walk, &load->pressure->where);
    case FR_SCENE_DRIVE:
        return hash_region(walk, &load->drive->where);
    case FR_SCENE_HEAT:
        return hash_region(walk, &load->heat->where);
    case FR_SCENE_BLAST:
        break;
    }
    return FR_OK;
}

FrResult fr_scene_files_hash(FrContext *ctx, const FrScene *scene, FrHash *hash) {
    Walk walk = {ctx, scene, scene->folder, hash};
    for (int32_t k = 0; k < scene->bodies_count; k++) {
        const FrSceneBody *body = &scene->bodies[k];
        FR_TRY(hash_shape(&walk, &body->shape, 0));
        for (int32_t n = 0; n < body->fixed_count; n++)
            FR_TRY(hash_region(&walk, &body->fixed[n].where));
    }
    for (int32_t k = 0; k < scene->loads_count; k++) FR_TRY(hash_load(&walk, &scene->loads[k]));
    return FR_OK;
}

FrResult fr_shape_files_hash(FrContext *ctx, const FrSceneShape *shape, const char *folder,
                             FrHash *hash) {
    Walk walk = {ctx, NULL, folder, hash};
    return hash_shape(&walk, shape, 0);
}

const FrSceneFile *fr_scene_shape_file(const FrSceneShape *shape) {
    for (const FrSceneShape *in; (in = inner(shape)) != NULL;) shape = in;
    bool file = shape->kind == FR_SCENE_SURFACE || shape->kind == FR_SCENE_MESH;
    return file ? shape->file : NULL;
}
