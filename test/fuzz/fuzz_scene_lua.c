// fuzz_scene_lua.c: any bytes as a Lua scene; what loads must print and load again as JSON.

#include "fuzz_scene.h"

static FrContext *ctx;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FrScene *scene;
    if (!ctx) ctx = make_context(1);
    if (fr_scene_parse_lua(ctx, (const char *)data, size, "a.lua", NULL, &scene) == FR_OK)
        check_printing(ctx, scene);
    return 0;
}
