// score_json.c: contacts from JSON (docs/contacts.md): the same things as in CSV, with keys.

#include "base/file.h"
#include "math/vec.h"
#include "scene/json_read.h"
#include "score/score_contacts.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LARGEST_FILE ((size_t)256 << 20)

typedef struct Json {
    FrScore *score;
    const char *path;
} Json;

static FrResult wrong(Json *j, FrPlace place, const char *what) {
    return fr_fail(j->score->ctx, FR_BAD_INPUT, "%s:%d:%d: %s", j->path, place.line, place.column,
                   what);
}

static FrResult placed(Json *j, FrPlace place, FrResult result) {
    if (result != FR_BAD_INPUT && result != FR_BAD_USE) return result;
    return fr_fail_within(j->score->ctx, result, "%s:%d:%d: ", j->path, place.line, place.column);
}

static FrResult number(Json *j, const FrValue *object, const char *key, double *to) {
    const FrMember *m = fr_value_find(object, key);
    if (!m) return FR_OK; // stays as it was
    if (m->value->kind != FR_VALUE_NUMBER || !isfinite(m->value->number))
        return wrong(j, m->place, "a number is wanted here");
    *to = m->value->number;
    return FR_OK;
}

static FrResult text(Json *j, const FrValue *object, const char *key, const char **to) {
    const FrMember *m = fr_value_find(object, key);
    if (!m) return FR_OK;
    if (m->value->kind != FR_VALUE_TEXT) return wrong(j, m->place, "a text is wanted here");
    *to = m->value->text;
    return FR_OK;
}

static FrResult vector(Json *j, const FrValue *object, const char *key, FrVec3 *to) {
    const FrMember *m = fr_value_find(object, key);
    double *part[3] = {&to->x, &to->y, &to->z};
    if (!m) return FR_OK;
    if (m->value->kind != FR_VALUE_LIST || m->value->count != 3)
        return wrong(j, m->place, "three numbers are wanted here");
    int k = 0;
    for (const FrMember *i = m->value->first; i; i = i->next, k++) {
        if (i->value->kind != FR_VALUE_NUMBER || !isfinite(i->value->number))
            return wrong(j, i->value->place, "a number is wanted here");
        *part[k] = i->value->number;
    }
    return FR_OK;
}

static FrResult check_keys(Json *j, const FrValue *object, const char *const *keys) {
    if (object->kind != FR_VALUE_OBJECT) return wrong(j, object->place, "an object is wanted here");
    for (const FrMember *m = object->first; m; m = m->next) {
        char all[200] = "";
        bool known = false;
        for (int k = 0; keys[k]; k++) {
            size_t at = strlen(all);
            snprintf(all + at, sizeof all - at, "%s%s", k ? ", " : "", keys[k]);
            known |= !strcmp(keys[k], m->key);
        }
        if (!known)
            return fr_fail(j->score->ctx, FR_BAD_INPUT,
                           "%s:%d:%d: there is no key \"%.40s\" here; allowed: %s", j->path,
                           m->place.line, m->place.column, m->key, all);
    }
    return FR_OK;
}

static FrResult each(Json *j, const FrValue *top, const char *key,
                     FrResult (*read)(Json *, const FrValue *)) {
    const FrMember *m = fr_value_find(top, key);
    if (!m) return FR_OK;
    if (m->value->kind != FR_VALUE_LIST) return wrong(j, m->place, "a list is wanted here");
    for (const FrMember *i = m->value->first; i; i = i->next) FR_TRY(read(j, i->value));
    return FR_OK;
}

// where the body read last is at a time
static FrResult read_place(Json *j, const FrValue *v) {
    static const char *const keys[] = {"t", "at", NULL};
    double t = (double)NAN;
    FrVec3 at = {(double)NAN, (double)NAN, (double)NAN};
    FR_TRY(check_keys(j, v, keys));
    FR_TRY(number(j, v, "t", &t));
    FR_TRY(vector(j, v, "at", &at));
    return placed(j, v->place, fr_score_contact_place(j->score, j->score->body.count - 1, t, at));
}

static FrResult read_body(Json *j, const FrValue *v) {
    static const char *const keys[] = {"name", "file", "material", "unit", "at", "places", NULL};
    const char *name = NULL, *file = NULL, *material = NULL;
    double unit = 1.0;
    FrVec3 at = {(double)NAN, (double)NAN, (double)NAN};
    FR_TRY(check_keys(j, v, keys));
    FR_TRY(text(j, v, "name", &name));
    FR_TRY(text(j, v, "file", &file));
    FR_TRY(text(j, v, "material", &material));
    FR_TRY(number(j, v, "unit", &unit));
    FR_TRY(vector(j, v, "at", &at));
    if (!name || !file || !(unit > 0.0)) return wrong(j, v->place, "a body has a name and a file");
    FR_TRY(
        placed(j, v->place, fr_score_contact_body(j->score, j->path, name, file, material, unit)));
    if (!fr_vec3_finite(at)) return each(j, v, "places", read_place);
    if (fr_value_find(v, "places"))
        return wrong(j, v->place, "a body stays \"at\" a place or has \"places\", not both");
    return placed(j, v->place, fr_score_contact_place(j->score, j->score->body.count - 1, 0.0, at));
}

static FrResult read_contact(Json *j, const FrValue *v) {
    static const char *const keys[] = {"t",     "body",  "at",     "impulse", "duration",
                                       "speed", "force", "mallet", NULL};
    FrContactRow row = fr_contact_row();
    const char *name = NULL;
    FR_TRY(check_keys(j, v, keys));
    FR_TRY(text(j, v, "body", &name));
    FR_TRY(number(j, v, "t", &row.t));
    FR_TRY(vector(j, v, "at", &row.at));
    FR_TRY(vector(j, v, "impulse", &row.impulse));
    FR_TRY(number(j, v, "duration", &row.duration));
    FR_TRY(number(j, v, "speed", &row.speed));
    FR_TRY(number(j, v, "force", &row.force));
    FR_TRY(text(j, v, "mallet", &row.mallet));
    int32_t body = name ? fr_score_find(j->score, name) : -1;
    if (body < 0) return wrong(j, v->place, "no body of this name is in \"bodies\"");
    return placed(j, v->place, fr_score_contact(j->score, body, &row));
}

static FrResult read_top(Json *j, const FrValue *top) {
    static const char *const keys[] = {"listener", "bodies", "contacts", NULL};
    FrVec3 at = {(double)NAN, (double)NAN, (double)NAN};
    FR_TRY(check_keys(j, top, keys));
    FR_TRY(vector(j, top, "listener", &at));
    if (fr_vec3_finite(at)) {
        j->score->listener.at = at;
        j->score->has_listener = true;
    }
    FR_TRY(each(j, top, "bodies", read_body));
    return each(j, top, "contacts", read_contact);
}

FrResult fr_score_json(FrScore *score, const char *path) {
    uint8_t *bytes;
    size_t size;
    FR_TRY(fr_file_load(score->ctx, path, LARGEST_FILE, &bytes, &size));
    Json j = {score, path};
    FrValueTree tree;
    FrProblems problems;
    fr_value_tree_init(&tree, score->ctx, FR_VALUE_LIMIT_JSON);
    fr_problems_init(&problems, score->ctx);
    const FrValue *top = fr_json_read(&tree, (const char *)bytes, size, path, &problems);
    FrResult result = FR_OK;
    if (!top)
        result =
            problems.no_memory ? fr_no_memory(score->ctx, path) : fr_problems_result(&problems);
    else
        result = read_top(&j, top);
    fr_problems_free(&problems);
    fr_value_tree_free(&tree);
    fr_free(score->ctx, bytes);
    return result;
}
