// fuzz_msh.c: any bytes as a Gmsh file end in a mesh or a message.

#include "mesh/meshfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = 1;
    FrContext *ctx = fr_context_create(&def);
    FrTetMesh mesh;
    fr_msh_read(ctx, "fuzz", bytes, size, &mesh);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
    return 0;
}
