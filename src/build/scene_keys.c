// scene_keys.c: hashes of parts of a scene, over its fixed JSON form with the other parts left out.

#include "build/scene_keys.h"
#include "build/appearance.h"
#include "export/report_text.h"
#include <string.h>

FrResult fr_scene_hash(FrContext *ctx, const FrScene *scene, FrHash *hash) {
    FrWriter json;
    fr_writer_init(&json, ctx);
    FrResult result = fr_scene_json(ctx, scene, &json);
    if (result == FR_OK) fr_hash_bytes(hash, json.data, json.size);
    fr_writer_free(&json);
    return result;
}

// a scene in which nothing is but what its parts will be set to
static FrScene empty_scene(void) { return (FrScene){.scene = {.name = ""}}; }

/// A scene with only what decides the motion and what of it is recorded.
typedef struct Motion {
    FrScene scene;
    FrSceneBurst burst; ///< what `scene` has, if any
    FrPlainScene plain; ///< its solids, whatever they look like
} Motion;

// free `plain` in any case
static FrResult motion_part(FrContext *ctx, const FrScene *scene, Motion *part) {
    const FrScene none = empty_scene();
    part->scene = *scene;
    part->scene.params_count = 0; // their values are where they are used
    part->scene.scene.name = "";
    part->scene.scene.duration = 0.0;
    part->scene.film = none.film;
    part->scene.sound = none.sound;
    if (scene->film.burst) {
        part->burst = *scene->film.burst;
        part->burst.slow = 0.0; // is the film's
        part->scene.film.burst = &part->burst;
    }
    FR_TRY(fr_appearance_take_out(ctx, &part->scene, &part->plain));
    if (!scene->sound.microphone) return FR_OK;
    // ears are where the listener or the camera is, while things move
    part->scene.sound.microphone = true;
    part->scene.sound.listener = scene->sound.listener;
    part->scene.film.camera = scene->film.camera;
    part->scene.film.size = scene->film.size;
    return FR_OK;
}

FrResult fr_scene_motion_hash(FrContext *ctx, const FrScene *scene, FrHash *hash) {
    Motion part;
    FrResult result = motion_part(ctx, scene, &part);
    if (result == FR_OK) result = fr_scene_hash(ctx, &part.scene, hash);
    fr_plain_scene_free(ctx, &part.plain);
    return result;
}

FrResult fr_scene_film_hash(FrContext *ctx, const FrScene *scene, FrHash *hash) {
    FrScene part = empty_scene();
    part.film = scene->film;
    fr_appearance_hash(ctx, scene, hash);
    return fr_scene_hash(ctx, &part, hash);
}

FrResult fr_scene_sound_hash(FrContext *ctx, const FrScene *scene, FrHash *hash) {
    FrScene part = empty_scene();
    part.sound = scene->sound;
    // the camera is where the listener looks from; its picture's shape decides where it stands
    part.film.camera = scene->film.camera;
    part.film.size = scene->film.size;
    return fr_scene_hash(ctx, &part, hash);
}

// the words of the line that begins at `at`, and how many bytes they are
static const char *trim(const FrWriter *text, size_t at, int *length) {
    const char *line = (const char *)text->data;
    while (at < text->size && line[at] == ' ') at++;
    size_t end = at;
    while (end < text->size && line[end] != '\n' && end - at < 60) end++;
    while (end > at && strchr(", {[", line[end - 1])) end--;
    *length = (int)(end - at);
    return line + at;
}

static FrResult compare(FrContext *ctx, const FrWriter *old, const FrWriter *now, FrText *text) {
    const char *a = (const char *)old->data, *b = (const char *)now->data;
    size_t least = old->size < now->size ? old->size : now->size, at = 0;
    while (at < least && a[at] == b[at]) at++;
    if (at == least) return fr_text_print(ctx, text, "%s", "");
    while (at > 0 && a[at - 1] != '\n') at--;
    int n, m;
    const char *was = trim(old, at, &n), *is = trim(now, at, &m);
    return fr_text_print(ctx, text, " (%.*s, was %.*s)", m, is, n, was);
}

FrResult fr_scene_difference(FrContext *ctx, const FrScene *old, const FrScene *now, FrText *text) {
    Motion part[2];
    FrWriter json[2];
    FrResult result = motion_part(ctx, old, &part[0]), other = motion_part(ctx, now, &part[1]);
    if (result == FR_OK) result = other;
    for (int k = 0; k < 2; k++) fr_writer_init(&json[k], ctx);
    if (result == FR_OK) result = fr_scene_json(ctx, &part[0].scene, &json[0]);
    if (result == FR_OK) result = fr_scene_json(ctx, &part[1].scene, &json[1]);
    if (result == FR_OK) result = compare(ctx, &json[0], &json[1], text);
    for (int k = 0; k < 2; k++) fr_writer_free(&json[k]);
    for (int k = 0; k < 2; k++) fr_plain_scene_free(ctx, &part[k].plain);
    return result;
}
