// fuzz_scene_json.c: any bytes as a JSON scene; what loads must print and load again the same.

#include "scene/scene.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FrContext *ctx;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!ctx) {
        FrContextDef def = fr_context_def_default();
        def.tasks.workers = 1;
        ctx = fr_context_create(&def);
    }
    FrScene *scene, *again;
    if (fr_scene_parse_json(ctx, (const char *)data, size, "a.json", NULL, &scene) != FR_OK)
        return 0;
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
    return 0;
}
