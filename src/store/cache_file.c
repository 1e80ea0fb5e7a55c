// cache_file.c: where results are kept between runs, and the SQLite files they are kept in.

#include "store/cache_file.h"
#include "base/file.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

// of the process, as the files are: it decides who is first, never what is found
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
void fr_cache_begin(void) { pthread_mutex_lock(&cache_lock); }
void fr_cache_end(void) { pthread_mutex_unlock(&cache_lock); }

char *fr_cache_folder(FrContext *ctx) {
    const char *own = getenv("FRACAS_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (own && own[0]) return fr_strdup(ctx, own);
    if (xdg && xdg[0]) return fr_path_join(ctx, xdg, "fracas");
    return home && home[0] ? fr_path_join(ctx, home, ".cache/fracas") : NULL;
}

static FrResult fill_nothing(void *arg, FrStore *store) {
    (void)arg, (void)store;
    return FR_OK;
}

FrResult fr_cache_open(FrContext *ctx, const char *folder, const char *file,
                       const FrStoreKind *kind, FrStore **store) {
    char *path = fr_path_join(ctx, folder, file);
    if (!path) return fr_no_memory(ctx, file);
    FrResult result = fr_make_folders(ctx, folder);
    if (result == FR_OK && access(path, F_OK) != 0)
        result = fr_store_replace(ctx, path, kind, false, fill_nothing, NULL);
    if (result == FR_OK) result = fr_store_open(ctx, path, kind, FR_STORE_WRITE, store);
    fr_free(ctx, path);
    return result;
}
