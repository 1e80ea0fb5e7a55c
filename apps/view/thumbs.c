// thumbs.c: small pictures of scenes: a thread opens one after the other and draws it without a
// window; what was drawn once is read from the cache until the scene changes.

#include "thumbs.h"
#include <SDL.h>
#include <fracas/draw.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES ((size_t)4 * THUMB_WIDTH * THUMB_HEIGHT)
#define MOST_THUMBS 128

static struct Thumbs {
    pthread_t thread;
    bool begun;
    atomic_bool leave;
    FrContext *ctx;
    const char *const *path;
    int count;
    _Atomic(uint8_t *) pixels[MOST_THUMBS]; ///< made, to be handed to OpenGL
    unsigned texture[MOST_THUMBS];
} thumbs;

// --- the thread

static bool folder(char *text, size_t room) {
    const char *own = getenv("FRACAS_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (own && own[0])
        snprintf(text, room, "%.400s/thumbs", own);
    else if (xdg && xdg[0])
        snprintf(text, room, "%.400s/fracas/thumbs", xdg);
    else
        snprintf(text, room, "%.400s/.cache/fracas/thumbs", home ? home : ".");
    for (char *at = text + 1; *at; at++) {
        if (*at != '/') continue;
        *at = 0;
        mkdir(text, 0777);
        *at = '/';
    }
    return mkdir(text, 0777) == 0 || access(text, W_OK) == 0;
}

// by the path and the time of its last change
static bool cached_name(const char *scene, char *text, size_t room) {
    char dir[480], real[4096];
    struct stat file;
    uint64_t hash = 14695981039346656037u; // FNV-1a
    if (!folder(dir, sizeof dir) || stat(scene, &file) != 0) return false;
    const char *name = realpath(scene, real) ? real : scene;
    for (const char *at = name; *at; at++) hash = (hash ^ (uint8_t)*at) * 1099511628211u;
    snprintf(text, room, "%s/%016llx-%lld.rgba", dir, (unsigned long long)hash,
             (long long)file.st_mtime);
    return true;
}

static uint8_t *read_cached(const char *name) {
    FILE *file = fopen(name, "rb");
    uint8_t *pixels = file ? malloc(BYTES) : NULL;
    bool good = pixels && fread(pixels, 1, BYTES, file) == BYTES;
    if (file) fclose(file);
    if (good) return pixels;
    free(pixels);
    return NULL;
}

static void write_cached(const char *name, const uint8_t *pixels) {
    char half[600];
    snprintf(half, sizeof half, "%.590s~", name);
    FILE *file = fopen(half, "wb");
    if (!file) return;
    bool good = fwrite(pixels, 1, BYTES, file) == BYTES;
    if (fclose(file) == 0 && good)
        rename(half, name);
    else
        remove(half);
}

static FrResult draw_scene(FrDraw *draw, FrLive *live, FrSnapshot *snapshot, uint8_t *pixels) {
    FrDrawLook look = fr_draw_look_default();
    FrResult result = fr_live_viewpoint(live, (double)THUMB_WIDTH / THUMB_HEIGHT, &look.from);
    if (result == FR_OK) result = fr_live_snapshot(live, snapshot, false);
    if (result == FR_OK) result = fr_draw_view(draw, &fr_snapshot_moment(snapshot)->view, &look);
    return result == FR_OK ? fr_draw_read(draw, pixels) : result;
}

static uint8_t *make(const char *scene, FrDraw *draw) {
    FrLiveDef def = fr_live_def_default();
    FrLive *live = NULL;
    FrSnapshot *snapshot = NULL;
    uint8_t *pixels = calloc(BYTES, 1);
    def.scene = scene;
    def.detail = FR_DETAIL_DRAFT;
    def.quick = true;
    FrResult result = pixels ? fr_live_open(thumbs.ctx, &def, &live) : FR_NO_MEMORY;
    if (result == FR_OK) result = fr_snapshot_create(thumbs.ctx, &snapshot);
    if (result == FR_OK) draw_scene(draw, live, snapshot, pixels);
    fr_snapshot_destroy(snapshot);
    fr_live_close(live);
    return pixels;
}

// a scene that cannot be opened has an empty picture
static void *thumbs_main(void *arg) {
    FrDrawDef def = fr_draw_def_default();
    FrDraw *draw = NULL;
    (void)arg;
    def.width = THUMB_WIDTH;
    def.height = THUMB_HEIGHT;
    def.offscreen = true;
    def.samples = 4;
    for (int k = 0; k < thumbs.count && !atomic_load(&thumbs.leave); k++) {
        char name[560];
        bool named = cached_name(thumbs.path[k], name, sizeof name);
        uint8_t *pixels = named ? read_cached(name) : NULL;
        if (!pixels && !draw && fr_draw_create(thumbs.ctx, &def, &draw) != FR_OK) break;
        if (!pixels) {
            pixels = make(thumbs.path[k], draw);
            if (named && pixels && !atomic_load(&thumbs.leave)) write_cached(name, pixels);
        }
        atomic_store(&thumbs.pixels[k], pixels);
    }
    fr_draw_destroy(draw);
    return NULL;
}

void thumbs_want(const char *const *path, int count) {
    FrContextDef def = fr_context_def_default();
    if (thumbs.begun) return;
    def.tasks.workers = 1;
    thumbs.ctx = fr_context_create(&def);
    thumbs.path = path;
    thumbs.count = count < MOST_THUMBS ? count : MOST_THUMBS;
    thumbs.begun = thumbs.ctx && pthread_create(&thumbs.thread, NULL, thumbs_main, NULL) == 0;
}

void thumbs_end(void) {
    if (!thumbs.begun) return;
    atomic_store(&thumbs.leave, true);
    fr_context_cancel(thumbs.ctx);
    pthread_join(thumbs.thread, NULL);
    for (int k = 0; k < MOST_THUMBS; k++) free(atomic_load(&thumbs.pixels[k]));
    fr_context_destroy(thumbs.ctx);
    thumbs.begun = false;
}

// --- the window's side

// what of OpenGL it takes to make a texture
static unsigned upload(const uint8_t *pixels) {
    typedef void (*Gen)(int, unsigned *);
    typedef void (*Bind)(unsigned, unsigned);
    typedef void (*Set)(unsigned, unsigned, int);
    typedef void (*Image)(unsigned, int, int, int, int, int, unsigned, unsigned, const void *);
    Gen gen = (Gen)(uintptr_t)SDL_GL_GetProcAddress("glGenTextures");
    Bind bind = (Bind)(uintptr_t)SDL_GL_GetProcAddress("glBindTexture");
    Set set = (Set)(uintptr_t)SDL_GL_GetProcAddress("glTexParameteri");
    Image image = (Image)(uintptr_t)SDL_GL_GetProcAddress("glTexImage2D");
    const unsigned texture_2d = 0x0DE1, rgba = 0x1908, bytes = 0x1401, linear = 0x2601;
    unsigned texture = 0;
    if (!gen || !bind || !set || !image) return 0;
    gen(1, &texture);
    bind(texture_2d, texture);
    set(texture_2d, 0x2801, (int)linear); // smaller
    set(texture_2d, 0x2800, (int)linear); // larger
    image(texture_2d, 0, (int)rgba, THUMB_WIDTH, THUMB_HEIGHT, 0, rgba, bytes, pixels);
    bind(texture_2d, 0);
    return texture;
}

unsigned thumbs_texture(int k) {
    if (k >= MOST_THUMBS || thumbs.texture[k]) return k < MOST_THUMBS ? thumbs.texture[k] : 0;
    uint8_t *pixels = atomic_load(&thumbs.pixels[k]);
    if (pixels) thumbs.texture[k] = upload(pixels);
    return thumbs.texture[k];
}
