// fuzz_obj.c: any bytes as an OBJ file end in a surface or a message.

#include "context.h"
#include "geom/trimesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    FrContext *ctx = make_context(1);
    FrTriMesh mesh;
    fr_trimesh_parse_obj(ctx, "fuzz", bytes, size, &mesh);
    fr_trimesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
    return 0;
}
