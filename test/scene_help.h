// scene_help.h: scenes from a line of text, for the tests of scene/.
#pragma once
#include "context.h"
#include "fracas/material.h"
#include "scene/scene.h"

static bool library_has(void *user, const char *name) {
    (void)user;
    FrMaterial material;
    return fr_material_find(name, &material);
}

static const char *library_name(void *user, int32_t k) {
    (void)user;
    return fr_material_name(k);
}

static FrSceneOptions scene_options(void) {
    FrSceneOptions options = {
        .library = {library_has, library_name, fr_material_count(), NULL, NULL}};
    return options;
}

/// Text that begins with '{' is JSON, anything else Lua.
static FrResult scene_from(FrContext *ctx, const char *text, const FrSceneOptions *options,
                           FrScene **scene) {
    if (text[0] == '{')
        return fr_scene_parse_json(ctx, text, strlen(text), "a.json", options, scene);
    return fr_scene_parse_lua(ctx, text, strlen(text), "a.lua", options, scene);
}

/// The message a scene is refused with; "" when it is fine. Valid until the next call.
__attribute__((unused)) static const char *scene_message(const char *text, const char *set) {
    static char message[4096];
    FrContext *ctx = make_refusing_context(NULL);
    FrSceneOptions options = scene_options();
    FrScene *scene = NULL;
    options.sets = &set;
    options.set_count = set ? 1 : 0;
    FrResult result = scene_from(ctx, text, &options, &scene);
    snprintf(message, sizeof message, "%s", result == FR_OK ? "" : fr_context_message(ctx));
    fr_scene_free(scene);
    fr_context_destroy(ctx);
    return message;
}

/// The JSON of a scene; the message when it is refused. Free it.
__attribute__((unused)) static char *scene_json(const char *text, const char *set) {
    FrContext *ctx = make_refusing_context(NULL);
    FrSceneOptions options = scene_options();
    FrScene *scene = NULL;
    options.sets = &set;
    options.set_count = set ? 1 : 0;
    char *copy;
    if (scene_from(ctx, text, &options, &scene) != FR_OK) {
        copy = strdup(fr_context_message(ctx));
    } else {
        FrWriter json;
        fr_writer_init(&json, ctx);
        fr_scene_json(ctx, scene, &json);
        copy = strndup((const char *)json.data, json.size);
        fr_writer_free(&json);
    }
    fr_scene_free(scene);
    fr_context_destroy(ctx);
    return copy;
}
