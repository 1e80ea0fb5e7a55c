// lua_words.c: the words of Lua scenes: units, shapes, regions, body, param, include and the rest.

#include "base/file.h"
#include "scene/lua_state.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const other_words[] = {
    "param", "fix",    "weaken",   "include",  "assert", "error", "ipairs", "pairs", "pcall",
    "print", "select", "tonumber", "tostring", "type",   "math",  "string", "table", NULL};

const char *fr_lua_word(int32_t k) {
    if (k < fr_word_count) return fr_words[k].name;
    k -= fr_word_count;
    if (k < fr_variant_shape.case_count) return fr_variant_shape.cases[k].tag;
    k -= fr_variant_shape.case_count;
    if (k < fr_variant_region.case_count) return fr_variant_region.cases[k].tag;
    k -= fr_variant_region.case_count;
    for (int32_t u = 0; u < fr_unit_count; u++)
        if (fr_units[u].word && k-- == 0) return fr_units[u].name;
    return other_words[k];
}

static int read_param(lua_State *L);

// `param` and unit words come by this way, so that a param knows the units in its call
static bool push_param_or_unit(lua_State *L, const char *name) {
    FrLua *lua = fr_lua_of(L);
    if (!strcmp(name, "param")) {
        lua->unit_kinds = 0;
        lua_pushcfunction(L, read_param);
        return true;
    }
    for (int32_t k = 0; k < fr_unit_count; k++) {
        if (!fr_units[k].word || strcmp(fr_units[k].name, name)) continue;
        bool same = lua->unit_kinds == 1 && fr_powers_same(lua->units, fr_units[k].powers);
        if (!same && lua->unit_kinds < 2) lua->unit_kinds++;
        lua->units = fr_units[k].powers;
        lua->has_units = true;
        double growth = lua->grown ? fr_lua_grown(lua->units) : 1.0;
        lua_pushnumber(L, fr_units[k].factor * growth);
        return true;
    }
    return false;
}

int fr_lua_unknown_word(lua_State *L) {
    if (lua_type(L, 2) != LUA_TSTRING) return luaL_error(L, "unknown word");
    const char *name = lua_tostring(L, 2);
    return push_param_or_unit(L, name) ? 1 : fr_lua_unknown(L, name);
}

static FrValue *new_value(lua_State *L, FrValueKind kind, FrPlace place) {
    FrValue *value = fr_value_new(fr_lua_of(L)->tree, kind, place);
    if (!value) fr_lua_tree_refused(L);
    return value;
}

static FrValue *new_text(lua_State *L, const char *text, FrPlace place) {
    FrValue *value = fr_value_text(fr_lua_of(L)->tree, place, text, strlen(text));
    if (!value) fr_lua_tree_refused(L);
    return value;
}

static void add(lua_State *L, FrValue *parent, const char *key, FrPlace place,
                const FrValue *child) {
    if (!fr_value_add(fr_lua_of(L)->tree, parent, key, place, child)) fr_lua_tree_refused(L);
}

// the list under a key at the top of the scene
static FrValue *top_list(lua_State *L, const char *key, FrPlace place) {
    FrLua *lua = fr_lua_of(L);
    const FrMember *m = fr_value_find(lua->root, key);
    if (m) return (FrValue *)m->value;
    FrValue *list = new_value(L, FR_VALUE_LIST, place);
    add(L, lua->root, key, place, list);
    return list;
}

static const FrValue *only_argument(lua_State *L, const char *word, FrPlace place,
                                    const FrPath *path) {
    if (lua_gettop(L) != 1) luaL_error(L, "%s takes one table: %s { ... }", word, word);
    const FrValue *value = fr_lua_value(L, 1, place, path);
    fr_lua_locate(L, place, value);
    return value;
}

// the same with keys, so that a name can be added
static FrValue *as_object(lua_State *L, const FrValue *value) {
    if (value->kind == FR_VALUE_OBJECT) return (FrValue *)value;
    FrValue *object = new_value(L, FR_VALUE_OBJECT, value->place);
    const FrValue *items = value;
    if (value->kind != FR_VALUE_LIST) {
        FrValue *list = new_value(L, FR_VALUE_LIST, value->place);
        add(L, list, NULL, value->place, value);
        items = list;
    }
    object->items = items;
    object->depth = items->depth;
    return object;
}

// what a handle is called: its name, or one made up here
static const FrValue *name_of(lua_State *L, const FrWord *word, FrValue **value, int32_t index) {
    const FrMember *m = fr_value_find(*value, "name");
    if (m) return m->value;
    const FrValue *list = (*value)->kind == FR_VALUE_LIST ? *value : (*value)->items;
    bool lone = word->record->main && !strcmp(word->record->main, "name");
    if (lone && (*value)->kind == FR_VALUE_TEXT) return *value;
    if (lone && list && list->count) return list->first->value;
    if (!fr_record_find(word->record, "name")->fallback) return NULL;
    char text[48];
    snprintf(text, sizeof text, "%s%d", word->name, index);
    FrValue *name = new_text(L, text, (*value)->place);
    *value = as_object(L, *value);
    add(L, *value, "name", name->place, name);
    return name;
}

// seed of math.random, as soon as the scene says it
static void take_seed(FrLua *lua, const FrValue *value) {
    const FrMember *m = fr_value_find(value, "seed");
    double seed = m && m->value->kind == FR_VALUE_NUMBER ? m->value->number : 0;
    if (!m || lua->reader->options->has_seed || !(seed >= 0 && seed <= 9007199254740992.0)) return;
    lua->random = fr_random_for((uint64_t)seed, "scene", 0);
}

static int read_word(lua_State *L) {
    FrLua *lua = fr_lua_of(L);
    const FrWord *word = lua_touserdata(L, lua_upvalueindex(1));
    FrPlace place = fr_lua_place_of(L, word->name);
    FrPath path = {NULL, word->name, 0};
    FrValue *value = (FrValue *)only_argument(L, word->name, place, &path);
    if (value->kind == FR_VALUE_UNKNOWN) return fr_lua_push_unknown(L), 1;
    if (!word->list) {
        const FrMember *before = fr_value_find(lua->root, word->place);
        if (before)
            return luaL_error(L, "%s was given already, in line %d", word->name,
                              before->place.line);
        add(L, lua->root, word->place, place, value);
        if (!strcmp(word->name, "scene")) take_seed(lua, value);
        return 0;
    }
    FrValue *list = top_list(L, word->place, place);
    const FrValue *name = word->handle ? name_of(L, word, &value, list->count + 1) : NULL;
    if (word->tagged) {
        FrValue *tagged = new_value(L, FR_VALUE_OBJECT, place);
        add(L, tagged, word->name, place, value);
        value = tagged;
    }
    add(L, list, NULL, place, value);
    if (!word->handle) return 0;
    if (!name || name->kind != FR_VALUE_TEXT) name = new_text(L, "", place);
    fr_lua_push_handle(L, word->handle, name);
    return 1;
}

// box {...}: a handle that holds {"box": {...}}
static int read_case(lua_State *L) {
    const FrCase *c = lua_touserdata(L, lua_upvalueindex(1));
    const char *kind = lua_touserdata(L, lua_upvalueindex(2));
    FrPlace place = fr_lua_place_of(L, c->tag);
    FrPath path = {NULL, c->tag, 0};
    FrValue *tagged = new_value(L, FR_VALUE_OBJECT, place);
    add(L, tagged, c->tag, place, only_argument(L, c->tag, place, &path));
    fr_lua_push_handle(L, kind, tagged);
    return 1;
}

static FrValue *find_body(FrLua *lua, const char *name) {
    const FrMember *list = fr_value_find(lua->root, "bodies");
    for (const FrMember *m = list ? list->value->first : NULL; m; m = m->next) {
        const FrMember *n = fr_value_find(m->value, "name");
        if (n && n->value->kind == FR_VALUE_TEXT && !strcmp(n->value->text, name))
            return (FrValue *)m->value;
    }
    return NULL;
}

// fix { body, where = ... } and weaken { body, ... } add to a list of the body
static int read_part(lua_State *L, const char *word, const char *key) {
    FrLua *lua = fr_lua_of(L);
    FrPlace place = fr_lua_place_of(L, word);
    FrPath path = {NULL, word, 0};
    const FrValue *given = only_argument(L, word, place, &path);
    const FrValue *list = given->kind == FR_VALUE_LIST ? given : given->items;
    const FrMember *by_key = fr_value_find(given, "body");
    const FrValue *name = by_key                     ? by_key->value
                          : list && list->count == 1 ? list->first->value
                                                     : given;
    if (name->kind == FR_VALUE_UNKNOWN) return 0;
    FrValue *body = name->kind == FR_VALUE_TEXT ? find_body(lua, name->text) : NULL;
    if (!body) return luaL_error(L, "%s wants a body: %s { body, where = ... }", word, word);
    FrValue *part = new_value(L, FR_VALUE_OBJECT, place);
    for (const FrMember *m = given->kind == FR_VALUE_OBJECT ? given->first : NULL; m; m = m->next)
        if (strcmp(m->key, "body")) add(L, part, m->key, m->place, m->value);
    const FrMember *known = fr_value_find(body, key);
    if (!known) {
        add(L, body, key, place, new_value(L, FR_VALUE_LIST, place));
        known = fr_value_find(body, key);
    }
    FrValue *parts = (FrValue *)known->value;
    if (parts->kind == FR_VALUE_OBJECT && !parts->count && !parts->items)
        parts->kind = FR_VALUE_LIST;
    if (parts->kind != FR_VALUE_LIST) return luaL_error(L, "%s of this body is not a list", key);
    add(L, parts, NULL, place, part);
    return 0;
}

static int read_fix(lua_State *L) { return read_part(L, "fix", "fixed"); }
static int read_weaken(lua_State *L) { return read_part(L, "weaken", "weaken"); }

static void push_scalar(lua_State *L, const FrSceneScalar *s) {
    if (s->kind == FR_SCENE_NUMBER)
        lua_pushnumber(L, s->number);
    else if (s->kind == FR_SCENE_WORD)
        lua_pushstring(L, s->word);
    else
        lua_pushboolean(L, s->truth);
}

// param("fall", 75*cm): the unit words in the call tell the dimension, unless it has a unit; what
// they are multiplied to is seen in lua_units.c
static void add_unit(lua_State *L, FrValue *param, FrPlace place) {
    FrLua *lua = fr_lua_of(L);
    const FrMember *value = fr_value_find(param, "value");
    bool number = value->value->kind == FR_VALUE_NUMBER;
    if (!number || fr_value_find(param, "unit") || lua->unit_kinds == 0) return;
    const char *unit = lua->unit_kinds == 1 ? fr_powers_unit(lua->units) : NULL;
    FrValue *guess = new_text(L, unit ? unit : "any", place);
    guess->guessed = true;
    add(L, param, "unit", place, guess);
    lua->unit_kinds = 0;
}

// a number that --set gave instead of what the script gave grows as that did
static void grow_set(const FrValue *unit, const FrSceneScalar *given, FrSceneScalar *value) {
    FrPowers powers;
    bool set = value->kind == FR_SCENE_NUMBER && value->number != given->number;
    if (set && unit->kind == FR_VALUE_TEXT && fr_unit_parse(unit->text, &powers))
        value->number *= fr_lua_grown(powers);
}

// param(name, value, {min, max, choices, help}): the value, or what --set says
static int read_param(lua_State *L) {
    FrLua *lua = fr_lua_of(L);
    FrPlace place = fr_lua_place_of(L, "param");
    FrPath list = {NULL, "params", 0}, path = {&list, NULL, ++lua->param_count};
    if (lua_gettop(L) < 2 || lua_gettop(L) > 3)
        return luaL_error(
            L, "param takes a name, a value, and a table: param(\"fall\", 1*m, {max = 2*m})");
    FrValue *param = new_value(L, FR_VALUE_OBJECT, place);
    add(L, param, "name", place, fr_lua_value(L, 1, place, &path));
    add(L, param, "value", place, fr_lua_value(L, 2, place, &path));
    const FrValue *more = lua_gettop(L) == 3 ? fr_lua_value(L, 3, place, &path) : NULL;
    if (more && more->kind != FR_VALUE_OBJECT)
        return luaL_error(L, "param takes a table of min, max, choices, help as its third value");
    for (const FrMember *m = more ? more->first : NULL; m; m = m->next) {
        if (fr_value_find(param, m->key)) return luaL_error(L, "param has its %s already", m->key);
        add(L, param, m->key, m->place, m->value);
    }
    add_unit(L, param, place);
    FrValue *params = top_list(L, "params", place);
    add(L, params, NULL, place, param);
    FrSceneParam read = {0};
    int32_t before = lua->problems->count;
    fr_read_record(lua->reader, &fr_record_param, param, &read, &path);
    const FrMember *unit = fr_value_find(param, "unit");
    FrSceneScalar given = read.value;
    if (unit && unit->value->guessed) read.unit = NULL;
    if (lua->problems->count == before && !lua->problems->no_memory)
        fr_read_param(lua->reader, &read, place, &path);
    if (lua->grown && unit) grow_set(unit->value, &given, &read.value);
    if (lua->problems->no_memory) fr_lua_stop(L, FR_LUA_NO_MEMORY);
    // a wrong value lets the script go on to its other mistakes; a wrong word is not reported again
    bool wrong = lua->problems->count > before;
    if (read.value.kind == FR_SCENE_NONE || (wrong && read.value.kind == FR_SCENE_WORD))
        fr_lua_push_unknown(L);
    else
        push_scalar(L, &read.value);
    return 1;
}

// relative, downwards, and still inside the scene's folder when links are followed
static void check_include(lua_State *L, FrLua *lua, const char *name, char real[PATH_MAX]) {
    char base[PATH_MAX], joined[PATH_MAX];
    if (lua->folder[0] == 0) luaL_error(L, "include: this scene has no folder");
    bool up = !strcmp(name, "..") || !strncmp(name, "../", 3) || strstr(name, "/../");
    size_t length = strlen(name);
    up |= length >= 3 && !strcmp(name + length - 3, "/..");
    if (name[0] == 0 || name[0] == '/' || up)
        luaL_error(L, "include \"%s\": only files inside the scene's folder", name);
    int n = snprintf(joined, sizeof joined, "%s/%s", lua->folder, name);
    if (n < 0 || (size_t)n >= sizeof joined || !realpath(lua->folder, base) ||
        !realpath(joined, real))
        luaL_error(L, "include \"%s\": no such file in the scene's folder", name);
    size_t size = strlen(base);
    bool inside = !strncmp(real, base, size) && (real[size] == '/' || !strcmp(base, "/"));
    if (!inside) luaL_error(L, "include \"%s\": leads out of the scene's folder", name);
}

// include "file.lua": runs it here and gives what it returns
static int read_include(lua_State *L) {
    FrLua *lua = fr_lua_of(L);
    if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TSTRING)
        return luaL_error(L, "include takes the name of a file: include \"parts.lua\"");
    const char *name = lua_tostring(L, 1);
    char real[PATH_MAX];
    check_include(L, lua, name, real);
    if (lua->include_depth >= FR_LUA_INCLUDE_DEPTH)
        return luaL_error(L, "include \"%s\": nested deeper than %d", name, FR_LUA_INCLUDE_DEPTH);
    if (++lua->include_count > FR_LUA_INCLUDES)
        return luaL_error(L, "include \"%s\": more than %d files", name, FR_LUA_INCLUDES);
    const char *chunk = lua_pushfstring(L, "@%s/%s", lua->folder, name);
    uint8_t *bytes;
    size_t size;
    FrResult result = fr_file_load(lua->ctx, real, FR_LUA_FILE_MAX, &bytes, &size);
    if (result == FR_NO_MEMORY) fr_lua_stop(L, FR_LUA_NO_MEMORY);
    if (result != FR_OK) return luaL_error(L, "include: %s", fr_context_message(lua->ctx));
    lua->steps -= (int64_t)size; // the hook looks at it
    fr_lua_keep_source(lua, chunk + 1, (const char *)bytes, size, bytes);
    int status = fr_lua_compile(L, (const char *)bytes, size, chunk);
    if (status != LUA_OK) fr_lua_rethrow(L, status);
    lua->include_depth++;
    lua_call(L, 0, 1);
    lua->include_depth--;
    return 1;
}

static void add_cases(lua_State *L, const FrVariant *variant) {
    for (int32_t k = 0; k < variant->case_count; k++) {
        lua_pushlightuserdata(L, (void *)&variant->cases[k]);
        lua_pushlightuserdata(L, (void *)variant->name);
        lua_pushcclosure(L, read_case, 2);
        lua_setfield(L, -2, variant->cases[k].tag);
    }
}

void fr_lua_add_words(lua_State *L) {
    static const luaL_Reg own[] = {
        {"fix", read_fix}, {"weaken", read_weaken}, {"include", read_include}, {NULL, NULL}};
    luaL_setfuncs(L, own, 0);
    for (int32_t k = 0; k < fr_word_count; k++) {
        lua_pushlightuserdata(L, (void *)&fr_words[k]);
        lua_pushcclosure(L, read_word, 1);
        lua_setfield(L, -2, fr_words[k].name);
    }
    add_cases(L, &fr_variant_shape);
    add_cases(L, &fr_variant_region);
}
