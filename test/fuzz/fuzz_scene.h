// fuzz_scene.h: a scene that was read must print, and read and print again the same.
#pragma once
#include "context.h"
#include "scene/scene.h"
#include <string.h>

static inline void check_printing(FrContext *ctx, FrScene *scene) {
    FrScene *again;
    FrWriter first, second;
    fr_writer_init(&first, ctx);
    fr_writer_init(&second, ctx);
    if (fr_scene_json(ctx, scene, &first) != FR_OK) abort();
    if (fr_scene_parse_json(ctx, (const char *)first.data, first.size, "b.json", NULL, &again) !=
        FR_OK)
        abort();
    if (fr_scene_json(ctx, again, &second) != FR_OK) abort();
    if (first.size != second.size || memcmp(first.data, second.data, first.size)) abort();
    fr_writer_free(&first);
    fr_writer_free(&second);
    fr_scene_free(scene);
    fr_scene_free(again);
}
