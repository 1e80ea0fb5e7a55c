// trimesh_file.c: surface files: which kind it is.

#include "base/file.h"
#include "geom/trimesh.h"
#include <string.h>
#include <strings.h>

#define MOST_BYTES ((size_t)2 << 30)

static bool ends_with(const char *name, const char *ending) {
    size_t n = strlen(name), m = strlen(ending);
    return n >= m && !strcasecmp(name + n - m, ending);
}

FrResult fr_trimesh_parse(FrContext *ctx, const char *name, const void *bytes, size_t size,
                          FrTriMesh *mesh) {
    *mesh = (FrTriMesh){0};
    const char *text = bytes;
    if (!size) return fr_fail(ctx, FR_BAD_INPUT, "%s: is empty", name);
    bool ply = size >= 4 && !memcmp(text, "ply", 3) && (text[3] == '\n' || text[3] == '\r');
    if (ply || ends_with(name, ".ply")) return fr_trimesh_parse_ply(ctx, name, bytes, size, mesh);
    if (ends_with(name, ".obj")) return fr_trimesh_parse_obj(ctx, name, bytes, size, mesh);
    if (ends_with(name, ".stl") || (size >= 6 && !strncasecmp(text, "solid ", 6)))
        return fr_trimesh_parse_stl(ctx, name, bytes, size, mesh);
    return fr_fail(ctx, FR_BAD_INPUT, "%s: is not a surface; .obj, .ply and .stl are read", name);
}

FrResult fr_trimesh_read(FrContext *ctx, const char *path, FrTriMesh *mesh) {
    *mesh = (FrTriMesh){0};
    uint8_t *bytes;
    size_t size;
    FR_TRY(fr_file_load(ctx, path, MOST_BYTES, &bytes, &size));
    FrResult result = fr_trimesh_parse(ctx, path, bytes, size, mesh);
    fr_free(ctx, bytes);
    return result;
}
