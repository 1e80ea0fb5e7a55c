// place.h: a context and a folder of its own for tests of whole jobs; the folder goes when the test
// ends.
#pragma once
#include "base/file.h"
#include "context.h"
#include "test.h"
#include <stdlib.h>
#include <unistd.h>

static FrContext *ctx;
static char place[64];

/// the path of `name` in the folder; good until the eighth call after this one
static const char *at(const char *name) {
    static char path[8][160];
    static int turn;
    char *to = path[turn++ % 8];
    snprintf(to, sizeof path[0], "%s/%s", place, name);
    return to;
}

static inline void put_text(const char *name, const char *text) {
    CHECK_OK(ctx, fr_file_save(ctx, at(name), text, strlen(text)));
}

static void place_make(const char *name) {
    ctx = make_unsynced_context(NULL);
    snprintf(place, sizeof place, "%s-%d", name, (int)getpid());
    CHECK_OK(ctx, fr_make_folders(ctx, place));
}

__attribute__((destructor)) static void place_remove(void) {
    char command[128];
    fr_context_destroy(ctx);
    snprintf(command, sizeof command, "rm -rf %s", place);
    if (system(command)) return;
}
