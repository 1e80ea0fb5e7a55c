// cache_file.h: where results are kept between runs, and the SQLite files they are kept in.
#pragma once
#include "store/store.h"

/// $FRACAS_CACHE, else $XDG_CACHE_HOME/fracas, else ~/.cache/fracas. Caller frees; NULL: there is
/// none.
char *fr_cache_folder(FrContext *ctx);

/// A file of the folder, made with its tables where it is not there yet.
FrResult fr_cache_open(FrContext *ctx, const char *folder, const char *file,
                       const FrStoreKind *kind, FrStore **store);

/// Between these two, no other thread is: one at a time opens, reads and writes caches.
void fr_cache_begin(void);
void fr_cache_end(void);

/// A statement that drops the rows with the lowest stamps once the blobs of all are larger than its
/// value, bytes.
#define FR_CACHE_TRIM(table, blob)                                                                 \
    "DELETE FROM " table " WHERE stamp <= (SELECT coalesce(max(a.stamp), -1) FROM " table          \
    " a WHERE (SELECT sum(length(b." blob ")) FROM " table " b WHERE b.stamp >= a.stamp) > ?)"
/// In an INSERT: the stamp of the newest row.
#define FR_CACHE_STAMP(table) "(SELECT coalesce(max(stamp), 0) + 1 FROM " table ")"
