// read.c: records, lists, variants and keyframes from values.

#include "scene/read.h"
#include "scene/json_read.h"
#include "scene/notes.h"
#include <stdio.h>
#include <string.h>

#define RECORD_BUDGET 200000

void fr_reader_begin(FrSceneReader *reader, FrContext *ctx, FrArena *arena, FrProblems *problems,
                     const FrSceneOptions *options, FrScene *scene) {
    memset(reader, 0, sizeof *reader);
    reader->ctx = ctx;
    reader->arena = arena;
    reader->problems = problems;
    reader->options = options;
    reader->scene = scene;
    reader->folder = "";
    reader->budget = RECORD_BUDGET;
    fr_value_tree_init(&reader->defaults, ctx, FR_VALUE_LIMIT_LUA);
}

void fr_reader_end(FrSceneReader *reader) { fr_value_tree_free(&reader->defaults); }

static bool out_of_budget(FrSceneReader *r, FrPlace place, const FrPath *path) {
    if (r->problems->no_memory || r->budget < 0) return true;
    if (r->budget-- > 0) return false;
    fr_problem(r->problems, place, path, "the scene has more than %d parts", RECORD_BUDGET);
    return true;
}

// the default of a field as a value; parsed once
static const FrValue *default_of(FrSceneReader *r, const FrField *field) {
    size_t slot = ((uintptr_t)field / sizeof *field) % FR_READ_DEFAULTS;
    while (r->cache[slot].field && r->cache[slot].field != field)
        slot = (slot + 1) % FR_READ_DEFAULTS;
    if (!r->cache[slot].field) {
        const FrValue *value = fr_json_read(&r->defaults, field->fallback, strlen(field->fallback),
                                            "(default)", r->problems);
        if (!value) return NULL;
        r->cache[slot].field = field;
        r->cache[slot].value = value;
    }
    return r->cache[slot].value;
}

static const char *field_name(const void *user, int32_t k) {
    return ((const FrRecord *)user)->field[k].name;
}

// what other programs call it, and what it was called before; NULL: no such word
static const char *known_as(const FrRecord *record, const char *key) {
    static const struct {
        const char *record, *key, *ours;
    } word[] = {{"material", "friction", "friction_static and friction_dynamic"},
                {"body", "size", "cells (its tets), or sizes in its shape"},
                {"film", "look", "show"},
                {"crack", "breaks", "off = true for breaks = false"},
                {"crack", "remesh", "along_faces = true for remesh = false"},
                {"crack", "viscous", "criterion = { elastic_only = true } for viscous = false"},
                {"crack", "interval", "criterion = { scan_interval = ... }"},
                {"crack", "snap", "remeshing = { snap_distance = ... }"},
                {"crack", "rigid", "pieces = { rigid_piece = ... }"},
                {"crack", "dust", "pieces = { dust_piece = ... }"},
                {"crack", "calm", "settle"},
                {"pieces", "min_piece", "crack.min_piece"},
                {"pieces", "settle", "crack.settle"}};
    for (size_t k = 0; k < sizeof word / sizeof word[0]; k++)
        if (!strcmp(word[k].record, record->name) && !strcmp(word[k].key, key)) return word[k].ours;
    return NULL;
}

// the part of a record that has the key; NULL: none has
static const FrField *part_with(const FrRecord *record, const char *key) {
    for (int32_t k = 0; k < record->field_count; k++) {
        const FrField *field = &record->field[k];
        if (field->type == FR_FIELD_RECORD && fr_record_find(field->record, key)) return field;
    }
    return NULL;
}

static void unknown_key(FrSceneReader *r, const FrRecord *record, const FrMember *m,
                        const FrPath *path) {
    FrPath here = {path, m->key, 0};
    const char *meant = known_as(record, m->key);
    if (meant) {
        fr_problem(r->problems, m->place, &here, "unknown key; use %s", meant);
        return;
    }
    const FrField *part = part_with(record, m->key);
    if (part) {
        fr_problem(r->problems, m->place, &here, "unknown key; use %s = { %s = ... }", part->name,
                   m->key);
        return;
    }
    meant = fr_suggest(m->key, field_name, record, record->field_count);
    if (meant) {
        fr_problem(r->problems, m->place, &here, "unknown key; did you mean \"%s\"?", meant);
        return;
    }
    char list[400] = "";
    for (int32_t k = 0; k < record->field_count; k++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", record->field[k].name);
    }
    fr_problem(r->problems, m->place, &here, "unknown key; %s has: %s", record->name,
               record->field_count ? list : "no keys");
}

static bool takes_list(const FrField *field) {
    return field->type == FR_FIELD_LIST || field->type == FR_FIELD_KEYS ||
           field->type == FR_FIELD_VEC2 || field->type == FR_FIELD_VEC3;
}

typedef struct Given {
    const FrValue *object; ///< keys; NULL: none
    const FrValue *list;   ///< list part; NULL: none
    const FrValue *lone;   ///< for the main field; NULL: none
} Given;

// what a value says about a record: by keys, by its list part, by one value alone
static bool sort_given(FrSceneReader *r, const FrRecord *record, const FrValue *value, Given *given,
                       const FrPath *path) {
    *given = (Given){0};
    char found[64];
    if (value->kind == FR_VALUE_OBJECT) {
        given->object = value;
        given->list = value->items;
    } else if (value->kind == FR_VALUE_LIST) {
        given->list = value->count ? value : NULL;
    } else if (record->word && value->kind == FR_VALUE_TEXT && !strcmp(value->text, record->word)) {
        return true;
    } else if (record->main) {
        given->lone = value;
    } else {
        fr_problem(r->problems, value->place, path,
                   "expected a table with the keys of %s, found %s", record->name,
                   fr_value_describe(value, found, sizeof found));
        return false;
    }
    if (!given->list || record->in_order) return true;
    const FrField *main = record->main ? fr_record_find(record, record->main) : NULL;
    bool vector = main && (main->type == FR_FIELD_VEC2 || main->type == FR_FIELD_VEC3);
    const FrValue *only = given->list->count == 1 ? given->list->first->value : NULL;
    bool list_in_list = only && only->kind == FR_VALUE_LIST;
    // one table where several are wanted is the list itself: lathe { points, wall = 4*mm }
    bool several = main && main->type == FR_FIELD_LIST && main->count_min > 1 && list_in_list &&
                   only->first && only->first->value->kind == FR_VALUE_LIST;
    bool wrapped = (vector && list_in_list) || several;
    if (main && takes_list(main) && !wrapped) {
        given->lone = given->list;
    } else if (main && given->list->count == 1) {
        given->lone = given->list->first->value;
    } else if (main) {
        fr_problem(r->problems, value->place, path,
                   "expected one %s before the keys, found %d values", main->name,
                   given->list->count);
        return false;
    } else {
        fr_problem(r->problems, value->place, path, "%s takes keys only; found values without keys",
                   record->name);
        return false;
    }
    given->list = NULL;
    return true;
}

static const FrMember *nth(const FrValue *list, int32_t k) {
    const FrMember *m = list->first;
    while (m && k-- > 0) m = m->next;
    return m;
}

// the value given for field k; NULL: not given
static const FrValue *given_for(FrSceneReader *r, const FrRecord *record, int32_t k,
                                const Given *given, const FrPath *path) {
    const FrField *field = &record->field[k];
    const FrMember *by_key = given->object ? fr_value_find(given->object, field->name) : NULL;
    const FrValue *other = NULL;
    if (record->in_order && given->list) {
        const FrMember *m = nth(given->list, k);
        other = m ? m->value : NULL;
    } else if (given->lone && !strcmp(record->main, field->name)) {
        other = given->lone;
    }
    if (by_key && other)
        fr_problem(r->problems, by_key->place, path, "given twice, with its key and without");
    return by_key ? by_key->value : other;
}

static void read_list(FrSceneReader *r, const FrField *field, const FrValue *value, void *base,
                      const FrPath *path);

static void read_field(FrSceneReader *r, const FrField *field, const FrValue *value, void *base,
                       const FrPath *path) {
    char *at = (char *)base + field->offset;
    if (field->type == FR_FIELD_LIST || field->type == FR_FIELD_KEYS)
        read_list(r, field, value, base, path);
    else
        fr_read_value(r, field, field->type, value, at, path);
}

static void read_or_default(FrSceneReader *r, const FrField *field, const FrValue *value,
                            FrPlace place, void *base, const FrPath *up) {
    FrPath path = {up, field->name, 0};
    if (value && value->kind == FR_VALUE_NULL && field->fallback) value = NULL;
    if (!value && !field->fallback) {
        fr_problem(r->problems, place, &path, "missing. %s", field->doc);
        return;
    }
    if (!value) value = default_of(r, field);
    if (!value) return;
    read_field(r, field, value, base, &path);
}

void fr_read_record(FrSceneReader *r, const FrRecord *record, const FrValue *value, void *at,
                    const FrPath *path) {
    Given given;
    if (out_of_budget(r, value->place, path) || !sort_given(r, record, value, &given, path)) return;
    int32_t before = r->problems->count;
    for (const FrMember *m = given.object ? given.object->first : NULL; m; m = m->next)
        if (!fr_record_find(record, m->key)) unknown_key(r, record, m, path);
    if (given.list && given.list->count > record->field_count)
        fr_problem(r->problems, value->place, path, "expected at most %d values, found %d",
                   record->field_count, given.list->count);
    for (int32_t k = 0; k < record->field_count; k++) {
        FrPath here = {path, record->field[k].name, 0};
        const FrValue *part = given_for(r, record, k, &given, &here);
        read_or_default(r, &record->field[k], part, value->place, at, path);
    }
    if (r->problems->count != before || r->problems->no_memory || !record->check) return;
    const char *wrong = NULL;
    if (record->check_keys && given.object) wrong = record->check_keys(given.object, at);
    if (!wrong) wrong = record->check(at);
    if (wrong) fr_problem(r->problems, value->place, path, "%s", wrong);
}

static const char *case_name(const void *user, int32_t k) {
    return ((const FrVariant *)user)->cases[k].tag;
}

// which case a value is; -1: a problem was added
static int32_t find_case(FrSceneReader *r, const FrVariant *variant, const FrValue *value,
                         const FrPath *path, const FrValue **content, bool *wrapped) {
    char found[64], meant[100];
    const char *tag = NULL;
    *content = NULL;
    *wrapped = false;
    if (value->kind == FR_VALUE_TEXT) tag = value->text;
    if (value->kind == FR_VALUE_OBJECT && value->count == 1 && !value->items) {
        tag = value->first->key;
        *content = value->first->value;
    }
    if (!tag && value->kind == FR_VALUE_OBJECT && value->count > 1 && !value->items) {
        fr_problem(r->problems, value->place, path, "expected one %s, found %d: %.60s, %.60s%s",
                   variant->name, value->count, value->first->key, value->first->next->key,
                   value->count > 2 ? ", ..." : "");
        return -1;
    }
    if (!tag) {
        fr_problem(r->problems, value->place, path, "expected a %s, found %s", variant->name,
                   fr_value_describe(value, found, sizeof found));
        return -1;
    }
    int32_t k = fr_variant_find(variant, tag);
    if (k < 0 && variant->other && fr_variant_find(variant->other, tag) >= 0) {
        *wrapped = true; // a shape where a region is wanted: inside it
        return variant->wrap;
    }
    if (k >= 0 && (*content || variant->cases[k].record->field_count == 0)) return k;
    const char *near = fr_suggest(tag, case_name, variant, variant->case_count);
    bool sphere = variant == &fr_variant_shape && !strncmp(tag, "sphere", 6);
    if (k < 0 && sphere)
        fr_problem(r->problems, value->place, path,
                   "a sphere is a thing of its own, not a shape; use ball { radius }");
    else if (k < 0)
        fr_problem(r->problems, value->place, path, "\"%.60s\" is not a %s%s", tag, variant->name,
                   fr_suggest_text(near, meant, sizeof meant));
    else
        fr_problem(r->problems, value->place, path, "%s needs its values", tag);
    return -1;
}

static void note(FrSceneReader *r, const void *part, FrPlace place, const FrPath *path) {
    if (!fr_note_part(r->scene, r->arena, part, place, path)) r->problems->no_memory = true;
}

// {enum kind; void *data}
static void read_variant(FrSceneReader *r, const FrVariant *variant, const FrValue *value, void *at,
                         const FrPath *path) {
    FrMember only = {NULL, value->place, value, NULL};
    FrValue nothing = {.kind = FR_VALUE_OBJECT, .place = value->place};
    FrValue list = {.kind = FR_VALUE_LIST, .place = value->place, .count = 1, .first = &only};
    const FrValue *content;
    bool wrapped;
    int32_t kind = find_case(r, variant, value, path, &content, &wrapped);
    if (kind < 0) return;
    if (wrapped)
        content = &list;
    else if (!content)
        content = &nothing;
    const FrCase *c = &variant->cases[kind];
    void *data = fr_arena_alloc(r->arena, 1, c->record->size);
    if (!data) {
        r->problems->no_memory = true;
        return;
    }
    memcpy(at, &kind, sizeof kind);
    memcpy((char *)at + offsetof(FrSceneShape, data), &data, sizeof data);
    note(r, at, value->place, path);
    FrPath here = {path, c->tag, 0};
    fr_read_record(r, c->record, content, data, &here);
}

_Static_assert(sizeof(FrSceneShapeKind) == sizeof(int32_t), "kinds are stored as int32_t");
_Static_assert(offsetof(FrSceneShape, data) == offsetof(FrSceneRegion, data) &&
                   offsetof(FrSceneShape, data) == offsetof(FrSceneLoad, data),
               "all variants have one layout");

static void read_pointer(FrSceneReader *r, const FrField *field, const FrValue *value, void *at,
                         const FrPath *path) {
    bool record = field->type == FR_FIELD_MAYBE;
    void *data = NULL;
    if (value->kind != FR_VALUE_NULL) {
        data = fr_arena_alloc(r->arena, 1, record ? field->record->size : field->variant->size);
        if (!data) {
            r->problems->no_memory = true;
            return;
        }
        if (record) {
            note(r, data, value->place, path);
            fr_read_record(r, field->record, value, data, path);
        } else {
            read_variant(r, field->variant, value, data, path);
        }
    }
    memcpy(at, &data, sizeof data);
}

void fr_read_value(FrSceneReader *r, const FrField *field, FrFieldType type, const FrValue *value,
                   void *at, const FrPath *path) {
    if (fr_read_unknown(r, value)) return;
    switch (type) {
    case FR_FIELD_RECORD:
        fr_read_record(r, field->record, value, at, path);
        // after its own parts: the first of them has the same address
        if (!field->record->in_order) note(r, at, value->place, path);
        break;
    case FR_FIELD_VARIANT:
        read_variant(r, field->variant, value, at, path);
        break;
    case FR_FIELD_MAYBE:
    case FR_FIELD_SHAPE:
        read_pointer(r, field, value, at, path);
        break;
    default:
        fr_read_scalar(r, field, type, value, at, path);
    }
}

static bool is_scalar(const FrValue *value) {
    return value->kind == FR_VALUE_NUMBER || value->kind == FR_VALUE_TEXT ||
           fr_value_find(value, "param") != NULL;
}

// one key at t = 0 that stands for a constant
static void read_constant(FrSceneReader *r, const FrField *field, const FrValue *value, void *at,
                          const FrPath *path) {
    const FrRecord *record = field->record;
    fr_read_value(r, &record->field[1], record->field[1].type, value,
                  (char *)at + record->field[1].offset, path);
    for (int32_t k = 2; k < record->field_count; k++)
        read_or_default(r, &record->field[k], NULL, value->place, at, path);
}

// names of things that were given none: body1, body2, ...
static void name_item(FrSceneReader *r, const FrRecord *record, void *at, int32_t k) {
    const FrField *field = fr_record_find(record, "name");
    const char *name = NULL;
    if (!field) return;
    memcpy(&name, (char *)at + field->offset, sizeof name);
    if (name && name[0]) return;
    char text[48] = "";
    if (field->fallback) snprintf(text, sizeof text, "%s%d", record->name, k + 1);
    name = fr_arena_text(r->arena, text, strlen(text));
    if (!name) r->problems->no_memory = true;
    memcpy((char *)at + field->offset, &name, sizeof name);
}

static void check_times(FrSceneReader *r, const FrField *field, const char *items, int32_t count,
                        const FrValue *value, const FrPath *path) {
    for (int32_t k = 1; k < count; k++) {
        double before, now;
        memcpy(&before, items + (size_t)(k - 1) * field->record->size, sizeof before);
        memcpy(&now, items + (size_t)k * field->record->size, sizeof now);
        if (now > before) continue;
        FrPath here = {path, NULL, k + 1};
        fr_problem(r->problems, value->place, &here, "times must ascend; %g comes after %g", now,
                   before);
        return;
    }
}

static void read_items(FrSceneReader *r, const FrField *field, const FrValue *value, char *items,
                       int32_t *count, const FrPath *path) {
    size_t size = fr_field_item_size(field);
    const FrMember *m = value->first;
    for (int32_t k = 0; m && !r->problems->no_memory; k++, m = m->next) {
        FrPath here = {path, NULL, k + 1};
        char *at = items + (size_t)k * size;
        fr_read_value(r, field, field->item, m->value, at, &here);
        if (field->item == FR_FIELD_RECORD) name_item(r, field->record, at, k);
        if (field->record == &fr_record_param)
            fr_read_param(r, (FrSceneParam *)(void *)at, m->value->place, &here);
        *count = k + 1; // items read so far can be named by the next
    }
}

static void read_list(FrSceneReader *r, const FrField *field, const FrValue *value, void *base,
                      const FrPath *path) {
    bool keys = field->type == FR_FIELD_KEYS;
    bool constant = keys && (is_scalar(value) || (value->kind == FR_VALUE_LIST && value->count &&
                                                  is_scalar(value->first->value)));
    bool empty_table = value->kind == FR_VALUE_OBJECT && !value->count && !value->items;
    char found[64];
    if (fr_read_unknown(r, value)) return;
    if (!constant && !empty_table && value->kind != FR_VALUE_LIST) {
        fr_problem(r->problems, value->place, path, "expected a list, found %s",
                   fr_value_describe(value, found, sizeof found));
        return;
    }
    int32_t count = constant ? 1 : value->count;
    if (count < field->count_min || count > field->count_max) {
        fr_problem(r->problems, value->place, path, "found %d items; allowed: %d to %d", count,
                   field->count_min, field->count_max);
        return;
    }
    char *items = fr_arena_alloc(r->arena, (size_t)count, fr_field_item_size(field));
    if (!items) {
        r->problems->no_memory = true;
        return;
    }
    int32_t *stored = (int32_t *)(void *)((char *)base + field->count_offset);
    memcpy((char *)base + field->offset, &items, sizeof items);
    if (constant) {
        read_constant(r, field, value, items, path);
        *stored = 1;
        return;
    }
    int32_t before = r->problems->count;
    read_items(r, field, value, items, stored, path);
    if (keys && r->problems->count == before) check_times(r, field, items, count, value, path);
}
