// arena.c: a chain of blocks, filled front to back.

#include "base/arena.h"
#include <string.h>

#define BLOCK_SIZE ((size_t)64 * 1024)
#define ALIGN ((size_t)32)

struct FrArenaBlock {
    FrArenaBlock *next;
    size_t used, size; ///< of the bytes behind the header
};

static size_t round_up(size_t n) { return (n + ALIGN - 1) & ~(ALIGN - 1); }

static uint8_t *block_bytes(FrArenaBlock *block) {
    return (uint8_t *)round_up((size_t)(uintptr_t)(block + 1));
}

void fr_arena_init(FrArena *arena, FrContext *ctx) { *arena = (FrArena){ctx, NULL, NULL}; }

static FrArenaBlock *add_block(FrArena *arena, size_t least) {
    size_t size = least > BLOCK_SIZE ? least : BLOCK_SIZE;
    FrArenaBlock *block = fr_alloc(arena->ctx, sizeof *block + ALIGN + size);
    if (!block) return NULL;
    *block = (FrArenaBlock){NULL, 0, size};
    if (arena->current) {
        block->next = arena->current->next;
        arena->current->next = block;
    } else {
        arena->first = block;
    }
    arena->current = block;
    return block;
}

void *fr_arena_alloc(FrArena *arena, size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total) || total > SIZE_MAX / 2) return NULL;
    total = round_up(total ? total : 1);
    FrArenaBlock *block = arena->current;
    while (block && block->size - block->used < total) {
        block = block->next;
        if (block) block->used = 0, arena->current = block;
    }
    if (!block) block = add_block(arena, total);
    if (!block) return NULL;
    void *at = block_bytes(block) + block->used;
    block->used += total;
    memset(at, 0, total);
    return at;
}

char *fr_arena_text(FrArena *arena, const char *text, size_t length) {
    char *copy = fr_arena_alloc(arena, length + 1, 1);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}

void fr_arena_reset(FrArena *arena) {
    arena->current = arena->first;
    if (arena->current) arena->current->used = 0;
}

void fr_arena_free(FrArena *arena) {
    for (FrArenaBlock *block = arena->first, *next; block; block = next) {
        next = block->next;
        fr_free(arena->ctx, block);
    }
    arena->first = arena->current = NULL;
}
