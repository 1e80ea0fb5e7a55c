// arena.h: memory that is given back all at once; for scratch inside a step and for parsed trees.
#pragma once
#include "base/base.h"

typedef struct FrArenaBlock FrArenaBlock;

typedef struct FrArena {
    FrContext *ctx;
    FrArenaBlock *first, *current; ///< chain of blocks; reset keeps them
} FrArena;

void fr_arena_init(FrArena *arena, FrContext *ctx);
/// Zeroed, 32-byte aligned. NULL when memory is out.
void *fr_arena_alloc(FrArena *arena, size_t count, size_t size);
char *fr_arena_text(FrArena *arena, const char *text, size_t length);
/// Forget everything handed out, keep the blocks.
void fr_arena_reset(FrArena *arena);
void fr_arena_free(FrArena *arena);

#define FR_ARENA_NEW(arena, T, n) ((T *)fr_arena_alloc((arena), (size_t)(n), sizeof(T)))
