// mesh_cache.h: meshes that took long to make are kept, by what they were made of.
#pragma once
#include "base/bytes.h"
#include "fracas/mesh.h"

/// Part of every key: the bytes of the program that makes meshes. Another build makes them anew.
uint64_t fr_mesh_cache_program(void);

/// What was kept for the key, and the notes and warnings of when it was made, once more. *hit
/// false: nothing. A cache that cannot be read is a warning, not a failure.
FrResult fr_mesh_cache_take(FrContext *ctx, const char *folder, uint64_t key, FrTetMesh *mesh,
                            bool *hit);
/// Keep it, with what was heard: see fr_mesh_cache_hear. One that cannot be kept is a warning.
void fr_mesh_cache_put(FrContext *ctx, const char *folder, uint64_t key, const FrTetMesh *mesh,
                       const FrWriter *heard);
/// For fr_log_listen, `writer` an FrWriter: gathers notes and warnings for fr_mesh_cache_put.
void fr_mesh_cache_hear(void *writer, FrLogLevel level, const char *text);
