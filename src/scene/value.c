// value.c: makes trees of values and looks into them.

#include "scene/value.h"
#include "scene/number.h"
#include <stdio.h>
#include <string.h>

void fr_value_tree_init(FrValueTree *tree, FrContext *ctx, int64_t limit) {
    *tree = (FrValueTree){.limit = limit};
    fr_arena_init(&tree->arena, ctx);
}

void fr_value_tree_free(FrValueTree *tree) {
    if (tree->arena.ctx) fr_arena_free(&tree->arena);
}

FrValue *fr_value_new(FrValueTree *tree, FrValueKind kind, FrPlace place) {
    if (++tree->count > tree->limit) {
        tree->refused = "the scene holds too many values";
        return NULL;
    }
    FrValue *value = FR_ARENA_NEW(&tree->arena, FrValue, 1);
    if (!value) return NULL;
    value->kind = kind;
    value->place = place;
    value->depth = 1;
    return value;
}

FrValue *fr_value_text(FrValueTree *tree, FrPlace place, const char *text, size_t length) {
    FrValue *value = fr_value_new(tree, FR_VALUE_TEXT, place);
    if (value) value->text = fr_arena_text(&tree->arena, text, length);
    return value && value->text ? value : NULL;
}

bool fr_value_add(FrValueTree *tree, FrValue *parent, const char *key, FrPlace place,
                  const FrValue *child) {
    if (child->depth >= FR_VALUE_DEPTH) return tree->refused = "nested too deeply", false;
    if (key && parent->count >= FR_VALUE_KEYS)
        return tree->refused = "too many keys in one place", false;
    FrMember *member = FR_ARENA_NEW(&tree->arena, FrMember, 1);
    if (!member) return false;
    if (key) {
        member->key = fr_arena_text(&tree->arena, key, strlen(key));
        if (!member->key) return false;
    }
    member->place = place;
    member->value = child;
    if (parent->last)
        parent->last->next = member;
    else
        parent->first = member;
    parent->last = member;
    parent->count++;
    if (parent->depth <= child->depth) parent->depth = child->depth + 1;
    return true;
}

const FrMember *fr_value_find(const FrValue *object, const char *key) {
    if (object->kind != FR_VALUE_OBJECT) return NULL;
    for (const FrMember *m = object->first; m; m = m->next)
        if (!strcmp(m->key, key)) return m;
    return NULL;
}

const char *fr_value_describe(const FrValue *value, char *buffer, size_t size) {
    char number[FR_NUMBER_ROOM];
    switch (value->kind) {
    case FR_VALUE_NULL:
        snprintf(buffer, size, "null");
        break;
    case FR_VALUE_BOOL:
        snprintf(buffer, size, "%s", value->truth ? "true" : "false");
        break;
    case FR_VALUE_NUMBER:
        snprintf(buffer, size, "%s", fr_number_print(value->number, number));
        break;
    case FR_VALUE_TEXT:
        snprintf(buffer, size, "\"%.40s\"", value->text);
        break;
    case FR_VALUE_LIST:
        snprintf(buffer, size, "a list of %d", value->count);
        break;
    case FR_VALUE_UNKNOWN:
        snprintf(buffer, size, "something unknown");
        break;
    case FR_VALUE_OBJECT:
        snprintf(buffer, size, value->count ? "a table with keys" : "an empty table");
        break;
    }
    return buffer;
}
