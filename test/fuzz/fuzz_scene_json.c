// fuzz_scene_json.c: any bytes as a JSON scene; what loads must print and load again the same.

#include "fuzz_scene.h"

static FrContext *ctx;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FrScene *scene;
    if (!ctx) ctx = make_context(1);
    if (fr_scene_parse_json(ctx, (const char *)data, size, "a.json", NULL, &scene) == FR_OK)
        check_printing(ctx, scene);
    return 0;
}
