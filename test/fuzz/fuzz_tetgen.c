// fuzz_tetgen.c: any bytes, cut in two by the first, as a .node and an .ele file.

#include "context.h"
#include "mesh/meshfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < 1) return 0;
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    size_t nodes = (size - 1) * bytes[0] / 255;
    fr_tetgen_read(ctx, (FrTextFile){"node", bytes + 1, nodes},
                   (FrTextFile){"ele", bytes + 1 + nodes, size - 1 - nodes}, &mesh);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
    return 0;
}
