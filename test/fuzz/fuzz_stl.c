// fuzz_stl.c: any bytes as an STL file end in a surface or a message.

#include "geom/trimesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = 1;
    FrContext *ctx = fr_context_create(&def);
    FrTriMesh mesh;
    fr_trimesh_parse_stl(ctx, "fuzz", bytes, size, &mesh);
    fr_trimesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
    return 0;
}
