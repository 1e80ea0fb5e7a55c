// trimesh_file.c: surface files: which kind it is, and writing OBJ and PLY.

#include "base/bytes.h"
#include "base/file.h"
#include "base/text.h"
#include "geom/trimesh.h"
#include <stdio.h>
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

static FrResult put_row(FrFileWriter *file, const char *word, const double *x, int count) {
    char line[160];
    int used = snprintf(line, sizeof line, "%s", word);
    for (int k = 0; k < count; k++)
        used +=
            snprintf(line + used, sizeof line - (size_t)used, " %s", fr_print_double(x[k]).text);
    line[used++] = '\n';
    return fr_file_write(file, line, (size_t)used);
}

static FrResult put_obj(FrFileWriter *file, const FrTriMesh *mesh) {
    for (int32_t n = 0; n < mesh->point_count; n++)
        FR_TRY(put_row(file, "v", mesh->p + 3 * (size_t)n, 3));
    for (int32_t n = 0; n < mesh->point_count && mesh->uv; n++)
        FR_TRY(put_row(file, "vt", mesh->uv + 2 * (size_t)n, 2));
    for (int32_t n = 0; n < mesh->point_count && mesh->normal; n++)
        FR_TRY(put_row(file, "vn", mesh->normal + 3 * (size_t)n, 3));
    for (int32_t t = 0; t < mesh->tri_count; t++) {
        FR_TRY(fr_file_write(file, "f", 1));
        for (int k = 0; k < 3; k++) {
            int32_t i = mesh->tri[t][k] + 1;
            if (mesh->uv && mesh->normal)
                FR_TRY(fr_file_printf(file, " %d/%d/%d", i, i, i));
            else if (mesh->normal)
                FR_TRY(fr_file_printf(file, " %d//%d", i, i));
            else if (mesh->uv)
                FR_TRY(fr_file_printf(file, " %d/%d", i, i));
            else
                FR_TRY(fr_file_printf(file, " %d", i));
        }
        FR_TRY(fr_file_write(file, "\n", 1));
    }
    return FR_OK;
}

static FrResult finish(FrFileWriter *file, FrResult result) {
    if (result == FR_OK) return fr_file_commit(file);
    fr_file_abort(file);
    return result;
}

FrResult fr_trimesh_write_obj(FrContext *ctx, const char *path, const FrTriMesh *mesh) {
    FrFileWriter file;
    FR_TRY(fr_file_begin(ctx, path, &file));
    return finish(&file, put_obj(&file, mesh));
}

// binary, little-endian, whatever this machine is
static FrResult put_ply(FrFileWriter *file, FrWriter *bytes, const FrTriMesh *mesh) {
    FR_TRY(fr_file_printf(
        file,
        "ply\nformat binary_little_endian 1.0\nelement vertex %d\n"
        "property double x\nproperty double y\nproperty double z\n%s%s"
        "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
        mesh->point_count,
        mesh->normal ? "property double nx\nproperty double ny\nproperty double nz\n" : "",
        mesh->uv ? "property double s\nproperty double t\n" : "", mesh->tri_count));
    for (int32_t n = 0; n < mesh->point_count; n++) {
        for (int k = 0; k < 3; k++) fr_write_f64(bytes, mesh->p[3 * (size_t)n + (size_t)k]);
        for (int k = 0; k < 3 && mesh->normal; k++)
            fr_write_f64(bytes, mesh->normal[3 * (size_t)n + (size_t)k]);
        for (int k = 0; k < 2 && mesh->uv; k++)
            fr_write_f64(bytes, mesh->uv[2 * (size_t)n + (size_t)k]);
    }
    for (int32_t t = 0; t < mesh->tri_count; t++) {
        fr_write_u8(bytes, 3);
        for (int k = 0; k < 3; k++) fr_write_i32(bytes, mesh->tri[t][k]);
    }
    FR_TRY(fr_writer_result(bytes));
    return fr_file_write(file, bytes->data, bytes->size);
}

FrResult fr_trimesh_write_ply(FrContext *ctx, const char *path, const FrTriMesh *mesh) {
    FrFileWriter file;
    FrWriter bytes;
    FR_TRY(fr_file_begin(ctx, path, &file));
    fr_writer_init(&bytes, ctx);
    FrResult result = finish(&file, put_ply(&file, &bytes, mesh));
    fr_writer_free(&bytes);
    return result;
}
