// mesh_code.c: rest meshes and embedded skins to bytes and back, every index checked.

#include "record/mesh_code.h"
#include "base/hash.h"
#include "store/deflate.h"
#include <math.h>
#include <string.h>

size_t fr_mesh_code_size(const FrMeshHead *h) {
    size_t ints = 4 + (h->order == 2 ? 6 : 0) + (h->regions ? 1 : 0);
    return 24 * (size_t)h->nodes + 4 * ints * (size_t)h->tets;
}

size_t fr_skin_code_size(const FrSkinHead *h) {
    size_t point = 4 + 32 + (h->normals ? 24 : 0) + (h->uvs ? 16 : 0);
    return point * (size_t)h->points + 12 * (size_t)h->tris;
}

FrMeshHead fr_mesh_code_head(const FrTetMesh *mesh) {
    return (FrMeshHead){mesh->order, mesh->node_count, mesh->corner_count, mesh->tet_count,
                        mesh->region != NULL};
}

FrSkinHead fr_skin_code_head(const FrEmbedded *skin) {
    return (FrSkinHead){skin->point_count, skin->tri_count, skin->normal != NULL, skin->uv != NULL};
}

static void write_f64s(FrWriter *out, const double *value, size_t count) {
    for (size_t k = 0; k < count; k++) fr_write_f64(out, value[k]);
}

static void write_i32s(FrWriter *out, const int32_t *value, size_t count) {
    for (size_t k = 0; k < count; k++) fr_write_i32(out, value[k]);
}

void fr_mesh_code_write(const FrTetMesh *mesh, FrWriter *out) {
    size_t tets = (size_t)mesh->tet_count;
    write_f64s(out, mesh->x, 3 * (size_t)mesh->node_count);
    if (tets) write_i32s(out, mesh->tet[0], 4 * tets);
    if (mesh->order == 2 && tets) write_i32s(out, mesh->mid[0], 6 * tets);
    if (mesh->region) write_i32s(out, mesh->region, tets);
}

void fr_skin_code_write(const FrEmbedded *skin, FrWriter *out) {
    size_t points = (size_t)skin->point_count;
    for (size_t k = 0; k < points; k++) fr_write_i32(out, skin->at[k].tet);
    for (size_t k = 0; k < points; k++) write_f64s(out, skin->at[k].b, 4);
    if (skin->tri_count) write_i32s(out, skin->tri[0], 3 * (size_t)skin->tri_count);
    if (skin->normal) write_f64s(out, skin->normal, 3 * points);
    if (skin->uv) write_f64s(out, skin->uv, 2 * points);
}

uint64_t fr_mesh_code_hash(const FrMeshHead *h, const FrWriter *raw) {
    FrHash hash;
    fr_hash_begin(&hash, 1);
    int32_t part[5] = {h->order, h->nodes, h->corners, h->tets, h->regions};
    for (int k = 0; k < 5; k++) fr_hash_u64(&hash, (uint64_t)part[k]);
    fr_hash_bytes(&hash, raw->data, raw->size);
    return fr_hash_end(&hash);
}

uint64_t fr_skin_code_hash(const FrSkinHead *h, const FrWriter *raw) {
    FrHash hash;
    fr_hash_begin(&hash, 2);
    int32_t part[4] = {h->points, h->tris, h->normals, h->uvs};
    for (int k = 0; k < 4; k++) fr_hash_u64(&hash, (uint64_t)part[k]);
    fr_hash_bytes(&hash, raw->data, raw->size);
    return fr_hash_end(&hash);
}

static bool read_f64s(FrReader *reader, double *value, size_t count) {
    for (size_t k = 0; k < count; k++) {
        value[k] = fr_read_f64(reader);
        if (!isfinite(value[k])) return false;
    }
    return true;
}

// each in [0, limit)
static bool read_i32s(FrReader *reader, int32_t *value, size_t count, int32_t limit) {
    for (size_t k = 0; k < count; k++) {
        value[k] = fr_read_i32(reader);
        if (value[k] < 0 || value[k] >= limit) return false;
    }
    return true;
}

// the bytes behind z, of the size the head says and not a byte allocated before that is certain
static FrResult unpack(FrContext *ctx, const void *z, size_t z_size, size_t size, uint8_t **raw) {
    *raw = NULL;
    FR_TRY(fr_inflate_check(ctx, z, z_size, size));
    *raw = fr_alloc(ctx, size);
    if (!*raw) return fr_no_memory(ctx, "a mesh");
    FrResult result = fr_inflate(ctx, z, z_size, *raw, size);
    if (result != FR_OK) fr_free(ctx, *raw), *raw = NULL;
    return result;
}

static FrResult not_valid(FrContext *ctx, const char *what, const FrReader *reader) {
    return fr_fail(ctx, FR_BAD_INPUT, "%s: byte %zu: an index out of range or a number not finite",
                   what, reader->at);
}

static FrResult parse_mesh(FrContext *ctx, const FrMeshHead *h, FrReader *reader, FrTetMesh *mesh) {
    size_t nodes = (size_t)h->nodes, tets = (size_t)h->tets;
    *mesh = (FrTetMesh){h->nodes, h->corners, h->tets, h->order, NULL, NULL, NULL, NULL};
    mesh->x = FR_NEW(ctx, double, 3 * nodes);
    mesh->tet = fr_alloc_zero(ctx, tets, sizeof *mesh->tet);
    if (h->order == 2) mesh->mid = fr_alloc_zero(ctx, tets, sizeof *mesh->mid);
    if (h->regions) mesh->region = FR_NEW(ctx, int32_t, tets);
    if (!mesh->x || !mesh->tet || (h->order == 2 && !mesh->mid) || (h->regions && !mesh->region))
        return fr_no_memory(ctx, "a mesh");
    if (!read_f64s(reader, mesh->x, 3 * nodes) ||
        !read_i32s(reader, (int32_t *)mesh->tet, 4 * tets, h->corners) ||
        (h->order == 2 && !read_i32s(reader, (int32_t *)mesh->mid, 6 * tets, h->nodes)) ||
        (h->regions && !read_i32s(reader, mesh->region, tets, INT32_MAX)))
        return not_valid(ctx, "mesh", reader);
    return FR_OK;
}

FrResult fr_mesh_code_read(FrContext *ctx, const FrMeshHead *h, const void *z, size_t z_size,
                           FrTetMesh *mesh) {
    uint8_t *raw;
    FrReader reader;
    memset(mesh, 0, sizeof *mesh);
    if ((h->order != 1 && h->order != 2) || h->corners > h->nodes ||
        (h->order == 1 && h->corners != h->nodes))
        return fr_fail(ctx, FR_BAD_INPUT, "mesh: order %d with %d nodes and %d corners", h->order,
                       h->nodes, h->corners);
    size_t size = fr_mesh_code_size(h);
    FR_TRY(unpack(ctx, z, z_size, size, &raw));
    fr_reader_init(&reader, raw, size);
    FrResult result = parse_mesh(ctx, h, &reader, mesh);
    if (result != FR_OK) fr_mesh_code_free(ctx, mesh);
    fr_free(ctx, raw);
    return result;
}

static FrResult parse_skin(FrContext *ctx, const FrSkinHead *h, int32_t tet_count, FrReader *reader,
                           FrEmbedded *skin) {
    size_t points = (size_t)h->points, tris = (size_t)h->tris;
    *skin = (FrEmbedded){.point_count = h->points, .tri_count = h->tris};
    skin->at = FR_NEW(ctx, FrPoint, points);
    skin->tri = fr_alloc_zero(ctx, tris, sizeof *skin->tri);
    if (h->normals) skin->normal = FR_NEW(ctx, double, 3 * points);
    if (h->uvs) skin->uv = FR_NEW(ctx, double, 2 * points);
    if (!skin->at || !skin->tri || (h->normals && !skin->normal) || (h->uvs && !skin->uv))
        return fr_no_memory(ctx, "a skin");
    bool good = true;
    for (size_t k = 0; k < points && good; k++)
        good = read_i32s(reader, &skin->at[k].tet, 1, tet_count);
    for (size_t k = 0; k < points && good; k++) good = read_f64s(reader, skin->at[k].b, 4);
    good = good && read_i32s(reader, (int32_t *)skin->tri, 3 * tris, h->points);
    if (h->normals) good = good && read_f64s(reader, skin->normal, 3 * points);
    if (h->uvs) good = good && read_f64s(reader, skin->uv, 2 * points);
    return good ? FR_OK : not_valid(ctx, "skin", reader);
}

FrResult fr_skin_code_read(FrContext *ctx, const FrSkinHead *h, int32_t tet_count, const void *z,
                           size_t z_size, FrEmbedded *skin) {
    uint8_t *raw;
    FrReader reader;
    memset(skin, 0, sizeof *skin);
    size_t size = fr_skin_code_size(h);
    FR_TRY(unpack(ctx, z, z_size, size, &raw));
    fr_reader_init(&reader, raw, size);
    FrResult result = parse_skin(ctx, h, tet_count, &reader, skin);
    if (result != FR_OK) fr_skin_code_free(ctx, skin);
    fr_free(ctx, raw);
    return result;
}

void fr_mesh_code_free(FrContext *ctx, FrTetMesh *mesh) {
    fr_free(ctx, mesh->x);
    fr_free(ctx, mesh->tet);
    fr_free(ctx, mesh->mid);
    fr_free(ctx, mesh->region);
    memset(mesh, 0, sizeof *mesh);
}

void fr_skin_code_free(FrContext *ctx, FrEmbedded *skin) {
    fr_free(ctx, skin->at);
    fr_free(ctx, skin->tri);
    fr_free(ctx, skin->normal);
    fr_free(ctx, skin->uv);
    memset(skin, 0, sizeof *skin);
}
