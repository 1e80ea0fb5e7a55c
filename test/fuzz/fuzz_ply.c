// fuzz_ply.c: any bytes as a PLY file end in a surface or a message.

#include "context.h"
#include "geom/trimesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    FrContext *ctx = make_context(1);
    FrTriMesh mesh;
    fr_trimesh_parse_ply(ctx, "fuzz", bytes, size, &mesh);
    fr_trimesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
    return 0;
}
