// deflate.c: zlib streams to and from memory; memory comes from the context's allocator.

#include "store/deflate.h"
#include <zlib.h>

// deflate never packs tighter than 1032:1, so a longer claim is a lie
#define RATIO_MAX 1032

static void *z_alloc(void *ctx, unsigned count, unsigned size) {
    return fr_alloc_zero(ctx, count, size);
}
static void z_free(void *ctx, void *ptr) { fr_free(ctx, ptr); }

static FrResult bad(FrContext *ctx, int code, size_t z_size, size_t size) {
    if (code == Z_MEM_ERROR) return fr_no_memory(ctx, "zlib");
    return fr_fail(ctx, FR_BAD_INPUT,
                   "%zu compressed bytes are damaged or are not %zu bytes packed", z_size, size);
}

bool fr_deflate_quiet(FrContext *ctx, const void *raw, size_t size, int level, FrWriter *z) {
    z_stream stream = {.zalloc = z_alloc, .zfree = z_free, .opaque = ctx};
    if (deflateInit2(&stream, level, Z_DEFLATED, 15, 9, Z_DEFAULT_STRATEGY) != Z_OK) return false;
    uint8_t piece[16384];
    const uint8_t *from = raw;
    int code = Z_OK;
    z->size = 0;
    z->failed = false;
    while (code != Z_STREAM_END) {
        if (stream.avail_in == 0 && size) {
            stream.next_in = (uint8_t *)(uintptr_t)from;
            stream.avail_in = size > 1u << 30 ? 1u << 30 : (unsigned)size;
            from += stream.avail_in;
            size -= stream.avail_in;
        }
        stream.next_out = piece;
        stream.avail_out = sizeof piece;
        code = deflate(&stream, size ? Z_NO_FLUSH : Z_FINISH);
        fr_write_bytes(z, piece, sizeof piece - stream.avail_out);
    }
    deflateEnd(&stream);
    return !z->failed;
}

FrResult fr_deflate(FrContext *ctx, const void *raw, size_t size, int level, FrWriter *z) {
    return fr_deflate_quiet(ctx, raw, size, level, z) ? FR_OK : fr_no_memory(ctx, "zlib");
}

// at most `size` bytes into raw, or, with raw NULL, through a small window; all of it must match
static FrResult run_inflate(FrContext *ctx, const void *z, size_t z_size, uint8_t *raw,
                            size_t size) {
    if (size / RATIO_MAX > z_size || z_size > UINT32_MAX / 2) return bad(ctx, 0, z_size, size);
    z_stream stream = {.zalloc = z_alloc, .zfree = z_free, .opaque = ctx};
    stream.next_in = (uint8_t *)(uintptr_t)z;
    stream.avail_in = (unsigned)z_size;
    if (inflateInit(&stream) != Z_OK) return fr_no_memory(ctx, "zlib");
    uint8_t window[16384];
    size_t got = 0;
    int code = Z_OK;
    while (code == Z_OK) {
        // one byte more than wanted, so that a longer stream shows
        size_t room = raw && got < size ? size - got : sizeof window;
        if (room > 1u << 30) room = 1u << 30;
        stream.next_out = raw && got < size ? raw + got : window;
        stream.avail_out = (unsigned)room;
        code = inflate(&stream, Z_NO_FLUSH);
        got += room - stream.avail_out;
        if (got > size) code = Z_DATA_ERROR;
    }
    bool rest = stream.avail_in > 0;
    inflateEnd(&stream);
    if (code == Z_STREAM_END && got == size && !rest) return FR_OK;
    return bad(ctx, code, z_size, size);
}

FrResult fr_inflate(FrContext *ctx, const void *z, size_t z_size, void *raw, size_t size) {
    return run_inflate(ctx, z, z_size, raw, size);
}

FrResult fr_inflate_check(FrContext *ctx, const void *z, size_t z_size, size_t size) {
    return run_inflate(ctx, z, z_size, NULL, size);
}
