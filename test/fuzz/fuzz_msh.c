// fuzz_msh.c: any bytes as a Gmsh file end in a mesh or a message.

#include "context.h"
#include "mesh/meshfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    fr_msh_read(ctx, "fuzz", bytes, size, &mesh);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
    return 0;
}
