// mesh_code.c: rest meshes and embedded skins to bytes and back, every index checked.

#include "record/mesh_code.h"
#include "base/hash.h"
#include "store/deflate.h"
#include <math.h>
#include <string.h>

size_t fr_mesh_code_size(const FrMeshHead *h) {
    size_t ints = 4 + (h->order == 2 ? 6 : 0) + (h->regions ? 1 : 0);
    return 24 * (size_t)h->nodes + 4 * ints * (size_t)h->tets + 12 * (size_t)h->opened;
}

size_t fr_skin_code_size(const FrSkinHead *h) {
    size_t point = 4 + 32 + (h->normals ? 24 : 0) + (h->uvs ? 16 : 0);
    return point * (size_t)h->points + 12 * (size_t)h->tris + 8 * (size_t)h->closings;
}

static bool is_opened(const FrSurface *surface, int32_t t) {
    return surface->opened && surface->opened[t] >= 0.0;
}

FrMeshHead fr_mesh_code_head(const FrTetMesh *mesh, const FrSurface *surface) {
    FrMeshHead head = {mesh->order,     mesh->node_count,     mesh->corner_count,
                       mesh->tet_count, mesh->region != NULL, 0};
    for (int32_t t = 0; surface && t < surface->tri_count; t++)
        head.opened += is_opened(surface, t);
    return head;
}

FrSkinHead fr_skin_code_head(const FrEmbedded *skin) {
    return (FrSkinHead){skin->point_count, skin->tri_count, skin->normal != NULL, skin->uv != NULL,
                        skin->closing_count};
}

static void write_f64s(FrWriter *out, const double *value, size_t count) {
    for (size_t k = 0; k < count; k++) fr_write_f64(out, value[k]);
}

static void write_i32s(FrWriter *out, const int32_t *value, size_t count) {
    for (size_t k = 0; k < count; k++) fr_write_i32(out, value[k]);
}

// 4 e + i of the face of tet e opposite corner i
static int32_t face_of(const FrTetMesh *mesh, int32_t e, const int32_t tri[3]) {
    int32_t apex = 0;
    for (int32_t i = 0; i < 4; i++) {
        int32_t n = mesh->tet[e][i];
        if (n != tri[0] && n != tri[1] && n != tri[2]) apex = i;
    }
    return 4 * e + apex;
}

void fr_mesh_code_write(const FrTetMesh *mesh, const FrSurface *surface, FrWriter *out) {
    size_t tets = (size_t)mesh->tet_count;
    write_f64s(out, mesh->x, 3 * (size_t)mesh->node_count);
    if (tets) write_i32s(out, mesh->tet[0], 4 * tets);
    if (mesh->order == 2 && tets) write_i32s(out, mesh->mid[0], 6 * tets);
    if (mesh->region) write_i32s(out, mesh->region, tets);
    for (int32_t t = 0; surface && t < surface->tri_count; t++) {
        if (!is_opened(surface, t)) continue;
        fr_write_i32(out, face_of(mesh, surface->tet[t], surface->tri[t]));
        fr_write_f64(out, surface->opened[t]);
    }
}

void fr_skin_code_write(const FrEmbedded *skin, FrWriter *out) {
    size_t points = (size_t)skin->point_count;
    for (size_t k = 0; k < points; k++) fr_write_i32(out, skin->at[k].tet);
    for (size_t k = 0; k < points; k++) write_f64s(out, skin->at[k].b, 4);
    if (skin->tri_count) write_i32s(out, skin->tri[0], 3 * (size_t)skin->tri_count);
    if (skin->normal) write_f64s(out, skin->normal, 3 * points);
    if (skin->uv) write_f64s(out, skin->uv, 2 * points);
    if (skin->closing_count) write_f64s(out, skin->opened, (size_t)skin->closing_count);
}

uint64_t fr_mesh_code_hash(const FrMeshHead *h, const FrWriter *raw) {
    FrHash hash;
    fr_hash_begin(&hash, 1);
    int32_t part[5] = {h->order, h->nodes, h->corners, h->tets, h->regions};
    for (int k = 0; k < 5; k++) fr_hash_u64(&hash, (uint64_t)part[k]);
    if (h->opened) fr_hash_u64(&hash, (uint64_t)h->opened);
    fr_hash_bytes(&hash, raw->data, raw->size);
    return fr_hash_end(&hash);
}

uint64_t fr_skin_code_hash(const FrSkinHead *h, const FrWriter *raw) {
    FrHash hash;
    fr_hash_begin(&hash, 2);
    int32_t part[4] = {h->points, h->tris, h->normals, h->uvs};
    for (int k = 0; k < 4; k++) fr_hash_u64(&hash, (uint64_t)part[k]);
    if (h->closings) fr_hash_u64(&hash, (uint64_t)h->closings);
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

// the triangle of a face; they are in the order of their faces. -1: it is not outside
static int32_t triangle_of(const FrTetMesh *mesh, const FrSurface *surface, int32_t face) {
    int32_t lo = 0, hi = surface->tri_count;
    while (lo < hi) {
        int32_t mid = lo + (hi - lo) / 2;
        if (face_of(mesh, surface->tet[mid], surface->tri[mid]) < face)
            lo = mid + 1;
        else
            hi = mid;
    }
    bool found =
        lo < surface->tri_count && face_of(mesh, surface->tet[lo], surface->tri[lo]) == face;
    return found ? lo : -1;
}

static FrResult parse_opened(FrContext *ctx, const FrMeshHead *h, FrReader *reader,
                             const FrTetMesh *mesh, FrSurface *surface) {
    if (!h->opened) return FR_OK;
    surface->opened = FR_NEW(ctx, double, surface->tri_count);
    if (!surface->opened) return fr_no_memory(ctx, "a surface");
    for (int32_t t = 0; t < surface->tri_count; t++) surface->opened[t] = -1.0;
    for (int32_t k = 0; k < h->opened; k++) {
        int32_t t = triangle_of(mesh, surface, fr_read_i32(reader));
        double when = fr_read_f64(reader);
        if (t < 0 || !(when >= 0.0 && isfinite(when))) return not_valid(ctx, "mesh", reader);
        surface->opened[t] = when;
    }
    return FR_OK;
}

FrResult fr_mesh_code_read(FrContext *ctx, const FrMeshHead *h, const void *z, size_t z_size,
                           FrTetMesh *mesh, FrSurface *surface) {
    uint8_t *raw;
    FrReader reader;
    memset(mesh, 0, sizeof *mesh);
    if (surface) memset(surface, 0, sizeof *surface);
    if ((h->order != 1 && h->order != 2) || h->corners > h->nodes ||
        (h->order == 1 && h->corners != h->nodes))
        return fr_fail(ctx, FR_BAD_INPUT, "mesh: order %d with %d nodes and %d corners", h->order,
                       h->nodes, h->corners);
    size_t size = fr_mesh_code_size(h);
    FR_TRY(unpack(ctx, z, z_size, size, &raw));
    fr_reader_init(&reader, raw, size);
    FrResult result = parse_mesh(ctx, h, &reader, mesh);
    if (result == FR_OK && surface) result = fr_mesh_code_surface(ctx, mesh, surface);
    if (result == FR_OK && surface) result = parse_opened(ctx, h, &reader, mesh, surface);
    if (result != FR_OK) {
        if (surface) fr_mesh_code_surface_free(ctx, surface);
        fr_mesh_code_free(ctx, mesh);
    }
    fr_free(ctx, raw);
    return result;
}

static FrResult parse_skin(FrContext *ctx, const FrSkinHead *h, int32_t tet_count, FrReader *reader,
                           FrEmbedded *skin) {
    size_t points = (size_t)h->points, tris = (size_t)h->tris;
    *skin =
        (FrEmbedded){.point_count = h->points, .tri_count = h->tris, .closing_count = h->closings};
    if (h->closings > h->tris)
        return fr_fail(ctx, FR_BAD_INPUT, "skin: %d of %d triangles inside", h->closings, h->tris);
    skin->at = FR_NEW(ctx, FrPoint, points);
    skin->tri = fr_alloc_zero(ctx, tris, sizeof *skin->tri);
    if (h->normals) skin->normal = FR_NEW(ctx, double, 3 * points);
    if (h->uvs) skin->uv = FR_NEW(ctx, double, 2 * points);
    if (h->closings) skin->opened = FR_NEW(ctx, double, h->closings);
    if (!skin->at || !skin->tri || (h->normals && !skin->normal) || (h->uvs && !skin->uv) ||
        (h->closings && !skin->opened))
        return fr_no_memory(ctx, "a skin");
    bool good = true;
    for (size_t k = 0; k < points && good; k++)
        good = read_i32s(reader, &skin->at[k].tet, 1, tet_count);
    for (size_t k = 0; k < points && good; k++) good = read_f64s(reader, skin->at[k].b, 4);
    good = good && read_i32s(reader, (int32_t *)skin->tri, 3 * tris, h->points);
    if (h->normals) good = good && read_f64s(reader, skin->normal, 3 * points);
    if (h->uvs) good = good && read_f64s(reader, skin->uv, 2 * points);
    if (h->closings) good = good && read_f64s(reader, skin->opened, (size_t)h->closings);
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
    fr_free(ctx, skin->opened);
    memset(skin, 0, sizeof *skin);
}
