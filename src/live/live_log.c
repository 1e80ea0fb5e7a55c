// live_log.c: what hands did, as JSON, and opened again with it waiting.

#include "base/file.h"
#include "base/json.h"
#include "live/live.h"
#include "math/vec.h"
#include "scene/json_read.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_FILE ((size_t)256 << 20)
/// Params that a file can set.
#define MOST_SETS 64

static const char *const kinds[FR_INPUT_KINDS] = {
    NULL,     "grab",     "nail",    "move", "let go", "strike", "spawn",
    "delete", "material", "gravity", "cut",  "part",   "twist",  "ready"};
static const char *const details[] = {"draft", "normal", "fine", NULL};

// --- writing

static void write_vector(FrJson *json, const char *key, FrVec3 v) {
    if (fr_length2(v) > 0.0) fr_json_vec3(json, key, v);
}

static void write_input(FrJson *json, const FrInput *i) {
    fr_json_object(json, NULL);
    fr_json_int(json, "tick", i->tick);
    fr_json_text(json, "do", kinds[i->kind]);
    if (i->hand) fr_json_int(json, "hand", i->hand);
    if (i->body.index1) fr_json_int(json, "body", i->body.index1);
    if (i->has_point) {
        fr_json_int(json, "tet", i->point.tet);
        fr_json_array(json, "weights");
        for (int k = 0; k < 4; k++) fr_json_number(json, NULL, i->point.b[k]);
        fr_json_end(json);
    }
    write_vector(json, "at", i->at);
    write_vector(json, "to", i->to);
    write_vector(json, "v", i->v);
    if (i->amount != 0.0) fr_json_number(json, "amount", i->amount);
    if (i->word[0]) fr_json_text(json, "word", i->word);
    if (i->material[0]) fr_json_text(json, "material", i->material);
    fr_json_end(json);
}

static void write_all(const FrLive *live, FrJson *json) {
    fr_json_object(json, NULL);
    fr_json_text(json, "fracas", "inputs");
    fr_json_text(json, "scene", live->def.scene);
    fr_json_array(json, "set");
    for (int32_t k = 0; k < live->def.set_count; k++) fr_json_text(json, NULL, live->set[k]);
    fr_json_end(json);
    if (live->def.has_seed) fr_json_int(json, "seed", (int64_t)live->def.seed);
    fr_json_text(json, "detail", details[live->def.detail]);
    fr_json_bool(json, "quick", live->def.quick);
    if (live->waits) fr_json_bool(json, "waits", true);
    if (!isnan(live->def.rate)) fr_json_number(json, "rate", live->def.rate);
    fr_json_array(json, "inputs");
    for (int32_t k = 0; k < live->done; k++) write_input(json, &live->input.data[k]);
    fr_json_end(json);
    fr_json_int(json, "end", fr_live_tick(live));
    fr_json_hash(json, "hash", fr_live_hash(live));
    fr_json_end(json);
}

FrResult fr_live_save_inputs(const FrLive *live, const char *path) {
    FR_NEED_ALL(live ? live->ctx : NULL, live && path);
    FrWriter out;
    FrJson json;
    fr_writer_init(&out, live->ctx);
    fr_json_begin(&json, &out, true);
    write_all(live, &json);
    fr_write_u8(&out, '\n');
    FrResult result = fr_writer_result(&out);
    if (result == FR_OK) result = fr_file_save(live->ctx, path, out.data, out.size);
    fr_writer_free(&out);
    return result;
}

// --- reading

typedef struct Log {
    FrContext *ctx;
    const char *path;
    const FrValue *root;
} Log;

static FrResult wrong(const Log *log, FrPlace place, const char *what) {
    return fr_fail(log->ctx, FR_BAD_INPUT, "%s:%d:%d: %s", log->path, place.line, place.column,
                   what);
}

static FrResult read_number(const Log *log, const FrValue *object, const char *key, double *to) {
    const FrMember *m = fr_value_find(object, key);
    if (!m) return FR_OK; // stays as it was
    if (m->value->kind != FR_VALUE_NUMBER || !isfinite(m->value->number))
        return wrong(log, m->place, "a number is wanted here");
    *to = m->value->number;
    return FR_OK;
}

static FrResult read_whole(const Log *log, const FrValue *object, const char *key, double most,
                           int64_t *to) {
    double value = (double)*to;
    FR_TRY(read_number(log, object, key, &value));
    const FrMember *m = fr_value_find(object, key);
    if (!(value >= -1.0 && value <= most) || value != floor(value))
        return wrong(log, m ? m->place : object->place,
                     "a whole number that is not so large or "
                     "below 0 is wanted here");
    *to = (int64_t)value;
    return FR_OK;
}

static FrResult read_text(const Log *log, const FrValue *object, const char *key, const char **to) {
    const FrMember *m = fr_value_find(object, key);
    if (!m) return FR_OK;
    if (m->value->kind != FR_VALUE_TEXT) return wrong(log, m->place, "a text is wanted here");
    *to = m->value->text;
    return FR_OK;
}

static FrResult read_list(const Log *log, const FrValue *object, const char *key, int32_t count,
                          double *to) {
    const FrMember *m = fr_value_find(object, key);
    if (!m) return FR_OK;
    if (m->value->kind != FR_VALUE_LIST || m->value->count != count)
        return wrong(log, m->place,
                     count == 3 ? "three numbers are wanted here" : "four numbers are wanted here");
    for (const FrMember *i = m->value->first; i; i = i->next) {
        if (i->value->kind != FR_VALUE_NUMBER || !isfinite(i->value->number))
            return wrong(log, i->value->place, "a number is wanted here");
        *to++ = i->value->number;
    }
    return FR_OK;
}

static FrResult read_vector(const Log *log, const FrValue *object, const char *key, FrVec3 *to) {
    double v[3] = {to->x, to->y, to->z};
    FR_TRY(read_list(log, object, key, 3, v));
    *to = fr_vec3(v[0], v[1], v[2]);
    return FR_OK;
}

static FrResult read_word(const Log *log, const FrValue *object, const char *key, size_t room,
                          char *to) {
    const char *text = "";
    FR_TRY(read_text(log, object, key, &text));
    if (strlen(text) >= room)
        return wrong(log, fr_value_find(object, key)->place, "this text is too long");
    strcpy(to, text);
    return FR_OK;
}

static FrResult read_kind(const Log *log, const FrValue *object, FrInput *input) {
    const char *word = "";
    FR_TRY(read_text(log, object, "do", &word));
    int k = 1;
    while (k < FR_INPUT_KINDS && strcmp(kinds[k], word) != 0) k++;
    input->kind = (FrInputKind)k;
    if (k < FR_INPUT_KINDS) return FR_OK;
    return wrong(log, object->place,
                 "\"do\" is wanted: grab, nail, move, let go, strike, spawn, "
                 "delete, material, gravity, cut, part, twist or ready");
}

static FrResult read_input(const Log *log, const FrValue *object, FrInput *input) {
    int64_t hand = 0, body = 0, tet = -1;
    *input = (FrInput){0};
    if (object->kind != FR_VALUE_OBJECT)
        return wrong(log, object->place, "an input like {\"tick\": 120, \"do\": ...} is wanted");
    FR_TRY(read_kind(log, object, input));
    FR_TRY(read_whole(log, object, "tick", 1e15, &input->tick));
    FR_TRY(read_whole(log, object, "hand", INT32_MAX, &hand));
    FR_TRY(read_whole(log, object, "body", INT32_MAX, &body));
    FR_TRY(read_whole(log, object, "tet", INT32_MAX, &tet));
    FR_TRY(read_list(log, object, "weights", 4, input->point.b));
    FR_TRY(read_vector(log, object, "at", &input->at));
    FR_TRY(read_vector(log, object, "to", &input->to));
    FR_TRY(read_vector(log, object, "v", &input->v));
    FR_TRY(read_number(log, object, "amount", &input->amount));
    FR_TRY(read_word(log, object, "word", sizeof input->word, input->word));
    FR_TRY(read_word(log, object, "material", sizeof input->material, input->material));
    input->has_point = fr_value_find(object, "weights") != NULL;
    input->point.tet = (int32_t)tet;
    input->hand = (int32_t)hand;
    input->body.index1 = (int32_t)body;
    return FR_OK;
}

static FrResult read_bool(const Log *log, const char *key, bool *to) {
    const FrMember *m = fr_value_find(log->root, key);
    if (m && m->value->kind != FR_VALUE_BOOL)
        return wrong(log, m->place, "true or false is wanted here");
    *to = m && m->value->truth;
    return FR_OK;
}

static FrResult read_inputs(const Log *log, FrLive *live) {
    const FrMember *list = fr_value_find(log->root, "inputs");
    FR_TRY(read_bool(log, "waits", &live->waits));
    live->births = true;
    if (!list) return FR_OK;
    if (list->value->kind != FR_VALUE_LIST)
        return wrong(log, list->place, "a list of inputs is wanted here");
    int64_t last = 0;
    for (const FrMember *i = list->value->first; i; i = i->next) {
        FrInput input;
        FR_TRY(read_input(log, i->value, &input));
        if (input.tick < last)
            return wrong(log, i->value->place, "this input is earlier than the one before it");
        last = input.tick;
        if (!fr_array_push(live->ctx, &live->input, input))
            return fr_no_memory(live->ctx, "inputs");
    }
    live->old_story = live->input.count > 0;
    return FR_OK;
}

static FrResult read_sets(const Log *log, const char **set, FrLiveDef *def) {
    const FrMember *list = fr_value_find(log->root, "set");
    if (!list) return FR_OK;
    if (list->value->kind != FR_VALUE_LIST || list->value->count > MOST_SETS)
        return wrong(log, list->place, "a list of at most 64 params is wanted here");
    for (const FrMember *i = list->value->first; i; i = i->next) {
        if (i->value->kind != FR_VALUE_TEXT)
            return wrong(log, i->value->place, "a param like \"fall=60cm\" is wanted here");
        set[def->set_count++] = i->value->text;
    }
    def->set = set;
    return FR_OK;
}

static FrResult read_def(const Log *log, const char **set, FrLiveDef *def) {
    const char *kind = "", *detail = "normal";
    if (log->root->kind == FR_VALUE_OBJECT) FR_TRY(read_text(log, log->root, "fracas", &kind));
    if (strcmp(kind, "inputs") != 0)
        return wrong(log, log->root->place,
                     "inputs of a live scene are wanted, {\"fracas\": \"inputs\", ...}");
    FR_TRY(read_text(log, log->root, "scene", &def->scene));
    if (!def->scene) return wrong(log, log->root->place, "its \"scene\" is not named");
    FR_TRY(read_text(log, log->root, "detail", &detail));
    int k = 0;
    while (details[k] && strcmp(details[k], detail) != 0) k++;
    if (!details[k])
        return wrong(log, fr_value_find(log->root, "detail")->place,
                     "draft, normal or fine is wanted here");
    def->detail = (FrDetail)k;
    FR_TRY(read_number(log, log->root, "rate", &def->rate));
    FR_TRY(read_bool(log, "quick", &def->quick));
    int64_t seed = 0;
    FR_TRY(read_whole(log, log->root, "seed", 9e15, &seed));
    def->has_seed = fr_value_find(log->root, "seed") != NULL;
    def->seed = (uint64_t)seed;
    return read_sets(log, set, def);
}

// named from where the program was; else beside the file
static FrResult find_scene(const Log *log, FrLiveDef *def, char **beside) {
    FILE *file = fopen(def->scene, "rb");
    *beside = NULL;
    if (file) return fclose(file), FR_OK;
    char *folder = fr_path_folder(log->ctx, log->path);
    if (folder) *beside = fr_path_join(log->ctx, folder, def->scene);
    fr_free(log->ctx, folder);
    if (!*beside) return fr_no_memory(log->ctx, "a path");
    def->scene = *beside;
    return FR_OK;
}

static FrResult open_log(const Log *log, FrLive **live, int64_t *end, uint64_t *hash) {
    const char *set[MOST_SETS], *text = "0";
    char *beside = NULL;
    FrLiveDef def = fr_live_def_default();
    def.scene = NULL;
    FR_TRY(read_def(log, set, &def));
    int64_t last = 0;
    FR_TRY(read_whole(log, log->root, "end", 1e15, &last));
    FR_TRY(read_text(log, log->root, "hash", &text));
    FR_TRY(find_scene(log, &def, &beside));
    FrResult result = fr_live_open(log->ctx, &def, live);
    fr_free(log->ctx, beside);
    if (result == FR_OK) result = read_inputs(log, *live);
    if (result != FR_OK) fr_live_close(*live), *live = NULL;
    if (end) *end = last;
    if (hash) *hash = strtoull(text, NULL, 16);
    return result;
}

FrResult fr_live_replay(FrContext *ctx, const char *path, FrLive **live, int64_t *end,
                        uint64_t *hash) {
    FR_NEED_ALL(ctx, ctx && path && live);
    uint8_t *bytes;
    size_t size;
    FrValueTree tree;
    FrProblems problems;
    *live = NULL;
    FR_TRY(fr_file_load(ctx, path, LARGEST_FILE, &bytes, &size));
    fr_value_tree_init(&tree, ctx, FR_VALUE_LIMIT_JSON);
    fr_problems_init(&problems, ctx);
    Log log = {ctx, path, fr_json_read(&tree, (const char *)bytes, size, path, &problems)};
    FrResult result = log.root             ? open_log(&log, live, end, hash)
                      : problems.no_memory ? fr_no_memory(ctx, path)
                                           : fr_problems_result(&problems);
    fr_problems_free(&problems);
    fr_value_tree_free(&tree);
    fr_free(ctx, bytes);
    return result;
}
