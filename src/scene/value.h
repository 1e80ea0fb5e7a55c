// value.h: what a scene file says, before anyone knows what it means: JSON-like values with places.
#pragma once
#include "base/arena.h"
#include "scene/number.h"

#define FR_VALUE_DEPTH 192 ///< deepest nesting of values
#define FR_VALUE_KEYS 256  ///< most keys in one object
#define FR_VALUE_LIMIT_LUA 100000
#define FR_VALUE_LIMIT_JSON 4000000

/// Where a value was written. column 0: not known (some of Lua).
typedef struct FrPlace {
    const char *file;
    int32_t line, column;
} FrPlace;

typedef enum FrValueKind {
    FR_VALUE_NULL,
    FR_VALUE_BOOL,
    FR_VALUE_NUMBER,
    FR_VALUE_TEXT,
    FR_VALUE_LIST,
    FR_VALUE_OBJECT,
    FR_VALUE_UNKNOWN ///< made of a word that scenes do not have, which was reported
} FrValueKind;

typedef struct FrValue FrValue;

/// A key with its value in an object, or an item of a list (key NULL).
typedef struct FrMember {
    const char *key;
    FrPlace place; ///< of the key
    const FrValue *value;
    struct FrMember *next;
} FrMember;

struct FrValue {
    FrValueKind kind;
    FrPlace place;
    int32_t depth; ///< 1 for what has no members
    int32_t count; ///< members
    FrMember *first, *last;
    const FrValue *items; ///< list part of a Lua table that has keys too; NULL: none
    double number;
    bool truth;
    const char *text; ///< UTF-8, no zero byte inside
    bool guessed;     ///< a unit that nobody wrote: from the unit words near it
    bool measured;    ///< of Lua: looked at for the units in it
    FrPowers powers;  ///< of the unit words that a number of Lua is made of; plain: none, or a sum
};

/// Owns values. `refused` says why fr_value_new or fr_value_add gave nothing.
typedef struct FrValueTree {
    FrArena arena;
    int64_t count, limit;
    const char *refused; ///< NULL: memory ran out
} FrValueTree;

void fr_value_tree_init(FrValueTree *tree, FrContext *ctx, int64_t limit);
void fr_value_tree_free(FrValueTree *tree);

/// NULL: no memory, or more values than the limit.
FrValue *fr_value_new(FrValueTree *tree, FrValueKind kind, FrPlace place);
FrValue *fr_value_text(FrValueTree *tree, FrPlace place, const char *text, size_t length);
/// Append a member (key copied; NULL for lists). False: no memory, too deep, too many keys.
bool fr_value_add(FrValueTree *tree, FrValue *parent, const char *key, FrPlace place,
                  const FrValue *child);
/// The member of an object; NULL: none.
const FrMember *fr_value_find(const FrValue *object, const char *key);
/// "a number", "a text", "a list of 3", ...: for messages.
const char *fr_value_describe(const FrValue *value, char *buffer, size_t size);
