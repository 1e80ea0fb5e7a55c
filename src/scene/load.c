// load.c: a scene from a file or from memory: read, resolve, check.

#include "base/file.h"
#include "math/vec.h"
#include "scene/json_read.h"
#include "scene/lua_state.h"
#include "scene/read.h"
#include "scene/scene.h"
#include <stdio.h>
#include <string.h>

#define JSON_FILE_MAX ((size_t)64 << 20)

/// A scene with the memory it lives in.
typedef struct OwnedScene {
    FrScene scene; ///< first, so that both have one address
    FrArena arena;
} OwnedScene;

typedef struct Load {
    FrContext *ctx;
    FrSceneOptions options;
    OwnedScene *owned;
    FrProblems problems;
    FrValueTree tree;
    FrSceneReader reader;
    const char *file, *folder; ///< name for messages; "": from memory
    bool *set_used;
} Load;

static FrResult load_begin(Load *load, FrContext *ctx, const FrSceneOptions *options,
                           const char *file, const char *folder, int64_t limit) {
    memset(load, 0, sizeof *load);
    load->ctx = ctx;
    if (options) load->options = *options;
    load->file = file;
    load->folder = folder;
    fr_problems_init(&load->problems, ctx);
    fr_value_tree_init(&load->tree, ctx, limit);
    load->owned = FR_NEW(ctx, OwnedScene, 1);
    load->set_used = FR_NEW(ctx, bool, load->options.set_count + 1);
    if (load->owned) fr_arena_init(&load->owned->arena, ctx);
    if (!load->owned || !load->set_used) load->problems.no_memory = true;
    fr_reader_begin(&load->reader, ctx, load->owned ? &load->owned->arena : NULL, &load->problems,
                    &load->options, load->owned ? &load->owned->scene : NULL);
    load->reader.folder = folder;
    load->reader.set_used = load->set_used;
    return load->problems.no_memory ? fr_no_memory(ctx, "a scene") : FR_OK;
}

// "scenes/bowl.lua" -> "bowl"
static const char *stem_of(Load *load) {
    const char *slash = strrchr(load->file, '/');
    const char *name = slash ? slash + 1 : load->file;
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return fr_arena_text(&load->owned->arena, name, length);
}

static void resolve(Load *load, const FrValue *root, bool json) {
    FrScene *scene = &load->owned->scene;
    if (root->kind != FR_VALUE_OBJECT) {
        fr_problem(&load->problems, root->place, NULL, "a scene is one object: { ... }");
        return;
    }
    fr_read_record(&load->reader, &fr_record_scene, root, scene, NULL);
    if (load->problems.no_memory) return;
    fr_read_finish(&load->reader, root, json);
    if (scene->scene.name && !scene->scene.name[0]) scene->scene.name = stem_of(load);
    scene->folder = fr_arena_text(&load->owned->arena, load->folder, strlen(load->folder));
    scene->file = fr_arena_text(&load->owned->arena, load->file, strlen(load->file));
    if (!scene->scene.name || !scene->folder || !scene->file)
        load->problems.no_memory |= load->problems.count == 0;
    if (load->options.has_seed) scene->scene.seed = load->options.seed;
    if (!load->problems.count && !load->problems.no_memory)
        fr_scene_choose_models(load->ctx, scene);
}

static FrResult load_end(Load *load, FrWriter *report, FrScene **scene) {
    FrResult result = fr_problems_result(&load->problems);
    if (result == FR_OK && load->owned)
        *scene = &load->owned->scene;
    else if (load->owned)
        fr_scene_free(&load->owned->scene);
    if (report && result == FR_BAD_INPUT) {
        fr_write_bytes(report, load->problems.text.data, load->problems.text.size);
        fr_write_bytes(report, "\n", 1);
    }
    fr_reader_end(&load->reader);
    fr_value_tree_free(&load->tree);
    fr_problems_free(&load->problems);
    fr_free(load->ctx, load->set_used);
    return result;
}

/// The text of a scene and where it comes from.
typedef struct Source {
    const char *text; ///< (size)
    size_t size;
    const char *file, *folder;
} Source;

static FrResult parse_json(FrContext *ctx, const Source *from, const FrSceneOptions *options,
                           FrWriter *report, FrScene **scene) {
    Load load;
    *scene = NULL;
    if (load_begin(&load, ctx, options, from->file, from->folder, FR_VALUE_LIMIT_JSON) == FR_OK) {
        const FrValue *root =
            fr_json_read(&load.tree, from->text, from->size, from->file, &load.problems);
        if (root) resolve(&load, root, true);
    }
    return load_end(&load, report, scene);
}

// what a script says; NULL: no memory
static const FrValue *run_lua(Load *load, const char *text, size_t size, bool grown,
                              bool *has_units) {
    uint64_t seed = load->options.has_seed ? (uint64_t)load->options.seed : 1;
    FrLua lua = {.ctx = load->ctx,
                 .tree = &load->tree,
                 .reader = &load->reader,
                 .problems = &load->problems,
                 .file = load->file,
                 .folder = load->folder,
                 .random = fr_random_for(seed, "scene", 0),
                 .grown = grown};
    lua.root = fr_value_new(&load->tree, FR_VALUE_OBJECT, (FrPlace){load->file, 0, 0});
    if (lua.root)
        fr_lua_run(&lua, text, size);
    else
        load->problems.no_memory = true;
    // what a script gave before it stopped is checked all the same; it could not give all
    load->reader.unfinished = lua.failed || lua.unknown_place.line;
    *has_units = lua.has_units;
    return lua.root;
}

// the script once more with larger units: whatever it says there is only measured
static void find_units(Load *load, const FrValue *root, const char *text, size_t size) {
    Load again;
    FrScene *none = NULL;
    FrSceneOptions options = load->options;
    options.quiet = true;
    if (load_begin(&again, load->ctx, &options, load->file, load->folder, FR_VALUE_LIMIT_LUA) ==
        FR_OK) {
        bool has_units;
        const FrValue *grown = run_lua(&again, text, size, true, &has_units);
        if (grown && !fr_lua_name_units(&load->tree, root, grown)) load->problems.no_memory = true;
        if (grown) fr_lua_measure(root, grown);
    }
    load->problems.no_memory |= again.problems.no_memory;
    load_end(&again, NULL, &none);
    if (none) fr_scene_free(none);
}

static FrResult parse_lua(FrContext *ctx, const Source *from, const FrSceneOptions *options,
                          FrWriter *report, FrScene **scene) {
    Load load;
    *scene = NULL;
    if (load_begin(&load, ctx, options, from->file, from->folder, FR_VALUE_LIMIT_LUA) == FR_OK) {
        bool has_units;
        const FrValue *root = run_lua(&load, from->text, from->size, false, &has_units);
        bool full =
            load.tree.count > load.tree.limit; // reported already, no need for as much again
        if (root && has_units && !full) find_units(&load, root, from->text, from->size);
        if (root && !load.problems.no_memory) resolve(&load, root, false);
    }
    return load_end(&load, report, scene);
}

FrResult fr_scene_parse_json(FrContext *ctx, const char *text, size_t size, const char *file,
                             const FrSceneOptions *options, FrScene **scene) {
    return parse_json(ctx, &(Source){text, size, file, ""}, options, NULL, scene);
}

FrResult fr_scene_parse_lua(FrContext *ctx, const char *text, size_t size, const char *file,
                            const FrSceneOptions *options, FrScene **scene) {
    return parse_lua(ctx, &(Source){text, size, file, ""}, options, NULL, scene);
}

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

static FrResult load_file(FrContext *ctx, const char *path, const FrSceneOptions *options,
                          FrWriter *report, FrScene **scene) {
    bool lua = ends_with(path, ".lua");
    uint8_t *bytes;
    size_t size;
    *scene = NULL;
    if (!lua && !ends_with(path, ".json"))
        return fr_fail(ctx, FR_BAD_INPUT, "%s: a scene is a .lua or a .json file", path);
    FR_TRY(fr_file_load(ctx, path, lua ? FR_LUA_FILE_MAX : JSON_FILE_MAX, &bytes, &size));
    char *folder = fr_path_folder(ctx, path);
    Source from = {(char *)bytes, size, path, folder};
    FrResult result = !folder ? fr_no_memory(ctx, path)
                      : lua   ? parse_lua(ctx, &from, options, report, scene)
                              : parse_json(ctx, &from, options, report, scene);
    fr_free(ctx, folder);
    fr_free(ctx, bytes);
    return result;
}

FrResult fr_scene_load(FrContext *ctx, const char *path, const FrSceneOptions *options,
                       FrScene **scene) {
    return load_file(ctx, path, options, NULL, scene);
}

void fr_scene_free(FrScene *scene) {
    if (!scene) return;
    OwnedScene *owned = (OwnedScene *)(void *)scene;
    FrContext *ctx = owned->arena.ctx;
    fr_arena_free(&owned->arena);
    fr_free(ctx, owned);
}

FrResult fr_scene_check(FrContext *ctx, const char *path, const FrSceneOptions *options,
                        FrWriter *report, FrScene **scene) {
    size_t before = report->size;
    FrResult result = load_file(ctx, path, options, report, scene);
    if (result == FR_OK || report->size != before) return result;
    // the file itself could not be read
    const char *message = fr_context_message(ctx);
    fr_write_bytes(report, message, strlen(message));
    fr_write_bytes(report, "\n", 1);
    return result;
}

int32_t fr_scene_find_material(const FrScene *scene, const char *name) {
    for (int32_t k = 0; k < scene->materials_count; k++)
        if (!strcmp(scene->materials[k].name, name)) return k;
    return -1;
}
