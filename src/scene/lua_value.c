// lua_value.c: Lua tables to values, keys sorted; handles stand for shapes and names.

#include "scene/json_read.h"
#include "scene/lua_state.h"
#include <stdio.h>
#include <string.h>

#define HANDLE "scene" ///< also how messages call it

FrLuaHandle *fr_lua_handle(lua_State *L, int index) { return luaL_testudata(L, index, HANDLE); }

void fr_lua_push_handle(lua_State *L, const char *kind, const FrValue *value) {
    FrLuaHandle *handle = lua_newuserdatauv(L, sizeof *handle, 0);
    *handle = (FrLuaHandle){value, kind};
    if (luaL_newmetatable(L, HANDLE)) {
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
    }
    lua_setmetatable(L, -2);
}

static FrValue *new_value(lua_State *L, FrValueKind kind, FrPlace place) {
    FrValue *value = fr_value_new(fr_lua_of(L)->tree, kind, place);
    if (!value) fr_lua_tree_refused(L);
    return value;
}

static void add_value(lua_State *L, FrValue *parent, const char *key, FrPlace place,
                      const FrValue *child) {
    if (!fr_value_add(fr_lua_of(L)->tree, parent, key, place, child)) fr_lua_tree_refused(L);
}

// the message names the path; does not return
static int bad_value(lua_State *L, const FrPath *path, const char *what) {
    char where[300];
    return luaL_error(L, "%s: %s", fr_path_print(path, where, sizeof where), what);
}

static const FrValue *text_value(lua_State *L, int index, FrPlace place, const FrPath *path) {
    size_t length;
    const char *text = lua_tolstring(L, index, &length);
    if (!fr_utf8_valid(text, length)) bad_value(L, path, "this text is not UTF-8");
    FrValue *value = fr_value_text(fr_lua_of(L)->tree, place, text, length);
    if (!value) fr_lua_tree_refused(L);
    return value;
}

// names among the keys of the table, sorted by bytes; anything else but 1..n is refused
static const char **sorted_keys(lua_State *L, int index, lua_Integer n, int32_t *count,
                                const FrPath *path) {
    const char **keys = FR_ARENA_NEW(&fr_lua_of(L)->tree->arena, const char *, FR_VALUE_KEYS);
    if (!keys) fr_lua_stop(L, FR_LUA_NO_MEMORY);
    *count = 0;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        fr_lua_charge(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING) {
            if (*count == FR_VALUE_KEYS) bad_value(L, path, "too many keys in one table");
            const char *key = lua_tostring(L, -1);
            if (!fr_utf8_valid(key, lua_rawlen(L, -1))) bad_value(L, path, "a key is not UTF-8");
            int32_t at = (*count)++;
            for (; at > 0 && strcmp(keys[at - 1], key) > 0; at--) keys[at] = keys[at - 1];
            keys[at] = key;
        } else if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1 || lua_tointeger(L, -1) > n) {
            bad_value(L, path, "keys must be names, or 1, 2, 3, ... without a gap");
        }
    }
    return keys;
}

static const FrValue *list_value(lua_State *L, int index, lua_Integer n, FrPlace place,
                                 const FrPath *path) {
    FrValue *list = new_value(L, FR_VALUE_LIST, place);
    for (lua_Integer k = 1; k <= n; k++) {
        FrPath here = {path, NULL, (int32_t)k};
        lua_rawgeti(L, index, k);
        add_value(L, list, NULL, place, fr_lua_value(L, lua_gettop(L), place, &here));
        lua_pop(L, 1);
    }
    return list;
}

static const FrValue *table_value(lua_State *L, int index, FrPlace place, const FrPath *path) {
    int32_t count, depth = 0;
    for (const FrPath *p = path; p; p = p->up) depth++;
    if (depth > FR_VALUE_DEPTH)
        bad_value(L, NULL, "a table is nested too deeply (or holds itself)");
    luaL_checkstack(L, 8, "tables nested too deeply");
    lua_Integer n = (lua_Integer)lua_rawlen(L, index);
    const char **keys = sorted_keys(L, index, n, &count, path);
    if (n > 0 && count == 0) return list_value(L, index, n, place, path);
    FrValue *object = new_value(L, FR_VALUE_OBJECT, place);
    if (n > 0) {
        object->items = list_value(L, index, n, place, path);
        object->depth = object->items->depth;
    }
    for (int32_t k = 0; k < count; k++) {
        FrPath here = {path, keys[k], 0};
        lua_pushstring(L, keys[k]);
        lua_rawget(L, index);
        add_value(L, object, keys[k], place, fr_lua_value(L, lua_gettop(L), place, &here));
        lua_pop(L, 1);
    }
    return object;
}

static const FrValue *handle_value(lua_State *L, int index, FrPlace place, const FrPath *path) {
    const FrLuaHandle *handle = fr_lua_handle(L, index);
    if (!handle) bad_value(L, path, "this is not a value of a scene");
    if (handle->value->kind != FR_VALUE_TEXT) return handle->value;
    const char *name = handle->value->text;
    FrValue *value = fr_value_text(fr_lua_of(L)->tree, place, name, strlen(name));
    if (!value) fr_lua_tree_refused(L);
    return value;
}

const FrValue *fr_lua_value(lua_State *L, int index, FrPlace place, const FrPath *path) {
    FrValue *value;
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        return new_value(L, FR_VALUE_NULL, place);
    case LUA_TBOOLEAN:
        value = new_value(L, FR_VALUE_BOOL, place);
        value->truth = lua_toboolean(L, index);
        return value;
    case LUA_TNUMBER:
        value = new_value(L, FR_VALUE_NUMBER, place);
        value->number = lua_tonumber(L, index) + 0.0;
        return value;
    case LUA_TSTRING:
        return text_value(L, index, place, path);
    case LUA_TTABLE:
        return table_value(L, index, place, path);
    case LUA_TUSERDATA:
        if (fr_lua_is_unknown(L, index)) return new_value(L, FR_VALUE_UNKNOWN, place);
        return handle_value(L, index, place, path);
    default:
        bad_value(L, path, "a function is not a value; was a call meant?");
        return NULL;
    }
}
