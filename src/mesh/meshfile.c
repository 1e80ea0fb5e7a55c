// meshfile.c: tets from a file of either format, by its ending.

#include "mesh/meshfile.h"
#include "base/file_names.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

FrResult fr_tets_load(FrContext *ctx, const char *path, FrTetMesh *mesh) {
    bool tets = fr_file_kind(path) == FR_FILE_TETS;
    if (!tets && access(path, R_OK))
        return fr_fail(ctx, FR_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    if (!tets)
        return fr_fail(ctx, FR_BAD_INPUT, "%s: is not a tet mesh; .msh, .node and .ele are read",
                       path);
    return fr_ends_with(path, ".msh") ? fr_msh_load(ctx, path, mesh)
                                      : fr_tetgen_load(ctx, path, mesh);
}
