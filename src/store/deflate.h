// deflate.h: zlib in memory of the context, with the size known before anything is allocated.
#pragma once
#include "base/bytes.h"

/// Rows that stay. Made-up frames of 20k nodes, best of 25: with noise in every node level 6 is
/// 1.6 % smaller and takes 1.7 times as long; on a smooth field 16 % smaller and 2.4 times.
#define FR_DEFLATE_LEVEL 3
#define FR_DEFLATE_FAST_LEVEL 1 ///< rows that go (checkpoints)

/// Replaces the content of `z`, keeps its room. Same bytes in, same bytes out.
FrResult fr_deflate(FrContext *ctx, const void *raw, size_t size, int level, FrWriter *z);
/// The same without a message, for parallel tasks: false when memory is out.
bool fr_deflate_quiet(FrContext *ctx, const void *raw, size_t size, int level, FrWriter *z);

/// Exactly `size` bytes must come out, no more, no less: else FR_BAD_INPUT.
FrResult fr_inflate(FrContext *ctx, const void *z, size_t z_size, void *raw, size_t size);

/// Does `z` hold exactly `size` bytes? Looks without allocating them; FR_BAD_INPUT when not.
FrResult fr_inflate_check(FrContext *ctx, const void *z, size_t z_size, size_t size);
