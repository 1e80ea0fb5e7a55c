// film.c: what hands did as a recording, with its sound and its film; one at a time in the
// background.

#include "film.h"
#include <errno.h>
#include <fracas/studio.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static struct Film {
    pthread_t thread;
    bool begun;
    atomic_bool busy, news;
    FrContext *ctx;
    char inputs[512], folder[512], text[700];
} film;

static FrResult make_folder(const char *folder) {
    char path[512];
    snprintf(path, sizeof path, "%s", folder);
    for (char *at = path + 1; *at; at++) {
        if (*at != '/') continue;
        *at = 0;
        mkdir(path, 0777);
        *at = '/';
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST ? FR_OK : FR_IO;
}

// only what is rigid sounds: none of it is no mistake
static FrResult make_sound(FrContext *ctx, const char *run) {
    FrSoundDef def = fr_sound_def_default();
    FrText text;
    def.input = run;
    def.no_stems = true;
    FrResult result = fr_job_sound(ctx, &def, false, &text);
    fr_text_free(ctx, &text);
    return result == FR_BAD_INPUT || result == FR_NUMERICAL ? FR_OK : result;
}

FrResult film_make(FrContext *ctx, const char *inputs, const char *folder) {
    char run[600], mp4[600];
    FrRenderDef def = fr_render_def_default();
    FrText text;
    snprintf(run, sizeof run, "%s/run.fracas", folder);
    snprintf(mp4, sizeof mp4, "%s/film.mp4", folder);
    FrResult result = make_folder(folder);
    if (result == FR_OK) result = fr_live_record(ctx, inputs, run);
    if (result == FR_OK) result = make_sound(ctx, run);
    if (result != FR_OK) return result;
    def.recording = run;
    def.output = mp4;
    result = fr_job_render(ctx, &def, false, &text);
    fr_text_free(ctx, &text);
    return result;
}

static void *film_main(void *arg) {
    (void)arg;
    FrResult result = film_make(film.ctx, film.inputs, film.folder);
    if (result == FR_OK)
        snprintf(film.text, sizeof film.text, "%s/film.mp4 is there", film.folder);
    else
        snprintf(film.text, sizeof film.text, "no film: %.600s", fr_context_message(film.ctx));
    atomic_store(&film.news, true);
    atomic_store(&film.busy, false);
    return NULL;
}

bool film_begin(const char *inputs, const char *folder) {
    FrContextDef def = fr_context_def_default();
    if (atomic_load(&film.busy)) return false;
    film_end();
    def.tasks.workers = 1; // beside the scene, which goes on
    film.ctx = fr_context_create(&def);
    if (!film.ctx) return false;
    snprintf(film.inputs, sizeof film.inputs, "%s", inputs);
    snprintf(film.folder, sizeof film.folder, "%s", folder);
    atomic_store(&film.busy, true);
    film.begun = pthread_create(&film.thread, NULL, film_main, NULL) == 0;
    return film.begun;
}

const char *film_news(void) { return atomic_exchange(&film.news, false) ? film.text : NULL; }

void film_end(void) {
    if (film.begun) {
        fr_context_cancel(film.ctx);
        pthread_join(film.thread, NULL);
    }
    fr_context_destroy(film.ctx);
    film.ctx = NULL;
    film.begun = false;
}
