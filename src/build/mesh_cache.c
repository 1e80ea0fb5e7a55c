// mesh_cache.c: meshes that took long to make are kept, by what they were made of.

#include "build/mesh_cache.h"
#include "base/hash.h"
#include "record/mesh_code.h"
#include "store/cache_file.h"
#include "store/deflate.h"
#include <link.h>
#include <string.h>

#define CACHE_FILE "meshes.sqlite"
// the oldest rows go when all are larger than this, bytes
#define MOST_ALL 500000000

static const FrStoreTable tables[] = {
    {"meshes",
     "CREATE TABLE meshes(key INTEGER PRIMARY KEY, stamp INTEGER, tet_order INTEGER, nodes "
     "INTEGER, corners INTEGER, tets INTEGER, regions INTEGER, notes BLOB, mesh BLOB)",
     false},
};
static const FrStoreKind kind = {"mesh cache", 0x46724d65, 1, tables, 1};

static bool holds(const struct dl_phdr_info *object, const ElfW(Phdr) * part, uintptr_t here) {
    uintptr_t from = object->dlpi_addr + part->p_vaddr;
    return part->p_type == PT_LOAD && here >= from && here - from < part->p_filesz;
}

// Sanitizers keep guards between constants, which are never read otherwise; volatile, or the loop
// becomes a memcpy, which they watch.
__attribute__((no_sanitize("address"))) static void hash_part(FrHash *hash, const uint8_t *bytes,
                                                              size_t size) {
    uint8_t copy[4096];
    while (size) {
        size_t n = size < sizeof copy ? size : sizeof copy;
        for (size_t k = 0; k < n; k++) copy[k] = ((const volatile uint8_t *)bytes)[k];
        fr_hash_bytes(hash, copy, n);
        bytes += n;
        size -= n;
    }
}

// code and constants of the object that this function lies in: all that is never written to
static int hash_object(struct dl_phdr_info *object, size_t size, void *hash) {
    (void)size;
    bool own = false;
    for (int k = 0; k < object->dlpi_phnum; k++)
        own = own || holds(object, &object->dlpi_phdr[k], (uintptr_t)&fr_mesh_cache_program);
    for (int k = 0; k < object->dlpi_phnum && own; k++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[k];
        const uint8_t *bytes = (const uint8_t *)(object->dlpi_addr + part->p_vaddr);
        if (part->p_type == PT_LOAD && !(part->p_flags & PF_W))
            hash_part(hash, bytes, part->p_filesz);
    }
    return own;
}

uint64_t fr_mesh_cache_program(void) {
    FrHash hash;
    fr_hash_begin(&hash, 1);
    fr_hash_text(&hash, fr_version());
    dl_iterate_phdr(hash_object, &hash);
    return fr_hash_end(&hash);
}

void fr_mesh_cache_hear(void *writer, FrLogLevel level, const char *text) {
    fr_write_u8(writer, (uint8_t)level);
    fr_write_bytes(writer, text, strlen(text) + 1);
}

static void say_again(FrContext *ctx, const char *notes, size_t size) {
    while (size > 1) {
        size_t length = strnlen(notes + 1, size - 1);
        if (length == size - 1) return; // no end: not written by us
        fr_log(ctx, (FrLogLevel)notes[0], "%s", notes + 1);
        notes += length + 2;
        size -= length + 2;
    }
}

static FrResult take_row(FrContext *ctx, FrQuery *q, FrTetMesh *mesh) {
    FrMeshHead head = {0};
    int32_t regions;
    const void *notes, *z;
    size_t notes_size, z_size;
    FR_TRY(fr_query_i32(q, 0, 1, 2, &head.order));
    FR_TRY(fr_query_i32(q, 1, 1, INT32_MAX, &head.nodes));
    FR_TRY(fr_query_i32(q, 2, 1, head.nodes, &head.corners));
    FR_TRY(fr_query_i32(q, 3, 1, INT32_MAX, &head.tets));
    FR_TRY(fr_query_i32(q, 4, 0, 1, &regions));
    FR_TRY(fr_query_blob(q, 5, &notes, &notes_size));
    FR_TRY(fr_query_blob(q, 6, &z, &z_size));
    head.regions = regions;
    FR_TRY(fr_mesh_code_read(ctx, &head, z, z_size, mesh, NULL));
    say_again(ctx, notes, notes_size);
    return FR_OK;
}

static FrResult look_up(FrContext *ctx, FrStore *store, uint64_t key, FrTetMesh *mesh, bool *hit) {
    FrQuery q;
    FrCell cell = fr_cell_int((int64_t)key);
    FR_TRY(fr_query_begin(store, "mesh",
                          "SELECT tet_order, nodes, corners, tets, regions, notes, mesh FROM "
                          "meshes WHERE key = ?",
                          &cell, 1, &q));
    FrResult result = fr_query_next(&q, hit);
    if (result == FR_OK && *hit) result = take_row(ctx, &q, mesh);
    fr_query_end(&q);
    return result;
}

// memory is a failure, anything else a warning
static FrResult forgive(FrContext *ctx, FrResult result, const char *what) {
    if (result == FR_OK || result == FR_NO_MEMORY) return result;
    fr_log(ctx, FR_LOG_WARNING, "a mesh is not %s the cache: %s", what, fr_context_message(ctx));
    return FR_OK;
}

FrResult fr_mesh_cache_take(FrContext *ctx, const char *folder, uint64_t key, FrTetMesh *mesh,
                            bool *hit) {
    FrStore *store = NULL;
    *hit = false;
    *mesh = (FrTetMesh){0};
    FrResult result = fr_cache_open(ctx, folder, CACHE_FILE, &kind, &store);
    if (result == FR_OK) result = look_up(ctx, store, key, mesh, hit);
    if (result != FR_OK) *hit = false;
    fr_store_close(store);
    return forgive(ctx, result, "read from");
}

static FrResult put_row(FrStore *store, uint64_t key, const FrMeshHead *head, const FrWriter *z,
                        const FrWriter *heard) {
    FR_TRY(fr_store_begin(store));
    FrResult result = FR_STORE_PUT(
        store,
        "INSERT OR REPLACE INTO meshes VALUES(?, " FR_CACHE_STAMP("meshes") ", ?, ?, ?, ?, ?, ?, "
                                                                            "?)",
        fr_cell_int((int64_t)key), fr_cell_int(head->order), fr_cell_int(head->nodes),
        fr_cell_int(head->corners), fr_cell_int(head->tets), fr_cell_int(head->regions),
        fr_cell_blob(heard->data, heard->size), fr_cell_blob(z->data, z->size));
    if (result == FR_OK)
        result = FR_STORE_PUT(store, FR_CACHE_TRIM("meshes", "mesh"), fr_cell_int(MOST_ALL));
    if (result == FR_OK) return fr_store_commit(store);
    fr_store_rollback(store);
    return result;
}

void fr_mesh_cache_put(FrContext *ctx, const char *folder, uint64_t key, const FrTetMesh *mesh,
                       const FrWriter *heard) {
    FrStore *store = NULL;
    FrWriter raw, z;
    FrMeshHead head = fr_mesh_code_head(mesh, NULL);
    fr_writer_init(&raw, ctx);
    fr_writer_init(&z, ctx);
    fr_mesh_code_write(mesh, NULL, &raw);
    FrResult result = fr_writer_result(&raw);
    if (result == FR_OK) result = fr_writer_result(heard);
    if (result == FR_OK) result = fr_deflate(ctx, raw.data, raw.size, FR_DEFLATE_LEVEL, &z);
    if (result == FR_OK) result = fr_cache_open(ctx, folder, CACHE_FILE, &kind, &store);
    if (result == FR_OK) result = put_row(store, key, &head, &z, heard);
    fr_store_close(store);
    fr_writer_free(&raw);
    fr_writer_free(&z);
    if (result != FR_OK)
        fr_log(ctx, FR_LOG_WARNING, "a mesh is not kept in the cache: %s", fr_context_message(ctx));
}
