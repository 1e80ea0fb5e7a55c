// output_stamps.c: made.json: what each file of a run was made from, so that only what changed is
// made again.

#include "base/file.h"
#include "base/json.h"
#include "build/scene_keys.h"
#include "export/report_text.h"
#include "output/outputs.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Larger files are taken as changed.
#define MOST_BYTES ((size_t)1 << 31)
/// Before the recording and the us that it took.
#define SPENT "\"spent\": \""

static uint64_t meta_number(const FrRecording *recording, const char *key) {
    const char *text = fr_recording_meta(recording, key);
    return text ? strtoull(text, NULL, 16) : 0;
}

uint64_t fr_recording_identity(const FrRecording *recording) {
    const FrRecordingInfo *info = fr_recording_info(recording);
    if (!info->finished) return 0;
    FrHash hash;
    fr_hash_begin(&hash, 0);
    fr_hash_u64(&hash, info->scene_hash);
    fr_hash_u64(&hash, meta_number(recording, "state_hash"));
    fr_hash_f64(&hash, info->duration);
    fr_hash_u64(&hash, (uint64_t)info->frame_count);
    return fr_hash_end(&hash);
}

// what an output is, that a stamp is for
static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// the stamp of a file in made.json as this program writes it; false: none
static bool find_stamp(const FrOutputs *o, const char *path, FrStamp *stamp) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\": \"", name_of(path));
    const char *at = o->made ? strstr(o->made, key) : NULL;
    return at && sscanf(at + strlen(key), "%" SCNx64 " %" SCNx64 " %" SCNx64, &stamp->source,
                        &stamp->settings, &stamp->content) == 3;
}

static FrSpent find_spent(const FrOutputs *o) {
    FrSpent spent;
    const char *at = o->made ? strstr(o->made, SPENT) : NULL;
    bool whole = at && sscanf(at + strlen(SPENT), "%" SCNx64 " %" SCNd64 " %" SCNd64 " %" SCNd64,
                              &spent.source, &spent.mesh, &spent.simulate, &spent.checkpoint) == 4;
    return whole ? spent : (FrSpent){0};
}

static bool content_of(const FrOutputs *o, const char *path, uint64_t *content) {
    uint8_t *bytes;
    size_t size;
    if (fr_file_load(o->ctx, path, MOST_BYTES, &bytes, &size) != FR_OK) return false;
    *content = fr_hash_of(bytes, size, 0);
    fr_free(o->ctx, bytes);
    return true;
}

static bool is_sound(const FrOutputs *o, const char *path) {
    return path == o->sound || path == o->spectrogram;
}

static uint64_t settings_of(const FrOutputs *o, const char *path) {
    if (is_sound(o, path)) return o->sound_key;
    if (path == o->poster || path == o->sheet) return o->film_key;
    if (path != o->film) return o->scene_key;
    uint64_t sound = 0; // a film has the sound that is there
    if (fr_output_fresh(o, o->sound)) content_of(o, o->sound, &sound);
    return fr_hash_of(&sound, sizeof sound, o->film_key);
}

bool fr_output_made_from(const FrOutputs *o, const char *path, uint64_t source) {
    FrStamp stamp;
    uint64_t content;
    return source && find_stamp(o, path, &stamp) && stamp.source == source &&
           content_of(o, path, &content) && content == stamp.content;
}

bool fr_output_fresh(const FrOutputs *o, const char *path) {
    FrStamp stamp;
    return find_stamp(o, path, &stamp) && stamp.settings == settings_of(o, path) &&
           fr_output_made_from(o, path, o->source);
}

bool fr_outputs_all_there(const FrOutputs *o, bool pictures) {
    FrStamp stamp;
    if (find_stamp(o, o->sound, &stamp) && !fr_output_fresh(o, o->sound)) return false;
    if (pictures && !(fr_output_fresh(o, o->film) && fr_output_fresh(o, o->poster) &&
                      fr_output_fresh(o, o->sheet)))
        return false;
    return fr_output_fresh(o, o->scene) && fr_output_fresh(o, o->events) &&
           fr_output_fresh(o, o->report) && fr_output_fresh(o, o->page);
}

FrResult fr_outputs_read_made(FrOutputs *o) {
    uint8_t *bytes;
    size_t size;
    fr_free(o->ctx, o->made);
    o->made = NULL;
    FrResult result = fr_file_load(o->ctx, o->stamps, 1u << 20, &bytes, &size);
    if (result == FR_OK) o->made = (char *)bytes;
    o->spent = find_spent(o);
    return result == FR_NO_MEMORY ? result : FR_OK; // none, or none that can be read: all is made
}

FrResult fr_outputs_source(FrOutputs *o, const FrRecording *recording, const FrScene *scene,
                           bool sound) {
    FrHash film, heard, all;
    fr_hash_begin(&film, 0);
    fr_hash_begin(&heard, 0);
    fr_hash_begin(&all, 0);
    FR_TRY(fr_scene_film_hash(o->ctx, scene, &film));
    FR_TRY(fr_scene_sound_hash(o->ctx, scene, &heard));
    FR_TRY(fr_scene_hash(o->ctx, scene, &all));
    fr_hash_u64(&all, sound);
    o->source = fr_recording_identity(recording);
    o->film_key = fr_hash_end(&film);
    o->sound_key = fr_hash_end(&heard);
    o->scene_key = fr_hash_end(&all);
    return fr_outputs_read_made(o);
}

static void put_stamp(FrJson *j, const char *name, const FrStamp *stamp) {
    char text[64];
    snprintf(text, sizeof text, "%016" PRIx64 " %016" PRIx64 " %016" PRIx64, stamp->source,
             stamp->settings, stamp->content);
    fr_json_text(j, name, text);
}

static void put_spent(FrJson *j, const FrSpent *spent) {
    char text[96];
    snprintf(text, sizeof text, "%016" PRIx64 " %" PRId64 " %" PRId64 " %" PRId64, spent->source,
             spent->mesh, spent->simulate, spent->checkpoint);
    fr_json_text(j, "spent", text);
}

FrResult fr_output_made(FrOutputs *o, const char *path) {
    const char *const all[] = {o->sound, o->spectrogram, o->poster, o->sheet,  o->film,
                               o->scene, o->events,      o->page,   o->report, o->usd};
    FrWriter w;
    FrJson j;
    fr_writer_init(&w, o->ctx);
    fr_json_begin(&j, &w, true);
    fr_json_object(&j, NULL);
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        FrStamp stamp = {.source = o->source, .settings = settings_of(o, all[k])};
        bool known =
            all[k] == path ? content_of(o, path, &stamp.content) : find_stamp(o, all[k], &stamp);
        if (known) put_stamp(&j, name_of(all[k]), &stamp);
    }
    if (o->spent.source) put_spent(&j, &o->spent);
    fr_json_end(&j);
    FrText text;
    FR_TRY(fr_text_take(&w, &text));
    FrResult result = fr_file_save(o->ctx, o->stamps, text.data, text.size);
    fr_free(o->ctx, o->made);
    o->made = text.data;
    return result;
}

FrResult fr_output_spent(FrOutputs *o, const FrRunNumbers *numbers) {
    o->spent = (FrSpent){o->source, (int64_t)(1e6 * numbers->mesh_seconds),
                         (int64_t)(1e6 * numbers->simulate_seconds),
                         (int64_t)(1e6 * numbers->checkpoint_seconds)};
    return fr_output_made(o, NULL);
}
