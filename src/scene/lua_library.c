// lua_library.c: the safe part of Lua's library: what could hang, differ from run to run, or undo a
// stop is replaced.

#include "scene/lua_state.h"
#include <stdio.h>
#include <string.h>

// a stop is not an error that a script may catch
static int safe_pcall(lua_State *L) {
    luaL_checkany(L, 1);
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    FrLua *lua = fr_lua_of(L);
    if (lua->end || status == LUA_ERRMEM) fr_lua_rethrow(L, status);
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, 1);
    return lua_gettop(L);
}

// no addresses: they differ from run to run
static void push_text_of(lua_State *L, int index) {
    int type = lua_type(L, index);
    const FrLuaHandle *handle = type == LUA_TUSERDATA ? fr_lua_handle(L, index) : NULL;
    if (handle && handle->value->kind == FR_VALUE_TEXT)
        lua_pushfstring(L, "%s %s", handle->kind, handle->value->text);
    else if (handle)
        lua_pushstring(L, handle->kind);
    else if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA)
        lua_pushstring(L, lua_typename(L, type));
    else
        luaL_tolstring(L, index, NULL);
}

static int safe_tostring(lua_State *L) {
    luaL_checkany(L, 1);
    push_text_of(L, 1);
    return 1;
}

// goes to the log
static int safe_print(lua_State *L) {
    FrLua *lua = fr_lua_of(L);
    char line[1000];
    size_t used = 0;
    line[0] = 0;
    if (++lua->print_count > FR_LUA_PRINTS || lua->reader->options->quiet) return 0;
    for (int k = 1, n = lua_gettop(L); k <= n && used < sizeof line; k++) {
        push_text_of(L, k);
        int more = snprintf(line + used, sizeof line - used, "%s%s", k > 1 ? " " : "",
                            lua_tostring(L, -1));
        used += more > 0 ? (size_t)more : 0;
        lua_pop(L, 1);
    }
    fr_log(lua->ctx, FR_LOG_INFO, "%s: %s", lua->file, line);
    return 0;
}

typedef struct Key {
    int type;          ///< 0 number, 1 text, 2 truth
    lua_Integer index; ///< in the list of keys as found
    bool whole;
    lua_Integer integer;
    lua_Number number;
    const char *text;
    size_t length;
    int truth;
} Key;

static int compare_keys(const Key *a, const Key *b) {
    if (a->type != b->type) return a->type - b->type;
    if (a->type == 0 && a->whole && b->whole)
        return (a->integer > b->integer) - (a->integer < b->integer);
    if (a->type == 0) return (a->number > b->number) - (a->number < b->number);
    if (a->type == 2) return a->truth - b->truth;
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->text, b->text, shorter);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static void sift(Key *keys, size_t at, size_t count) {
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= count) return;
        if (child + 1 < count && compare_keys(&keys[child], &keys[child + 1]) < 0) child++;
        if (compare_keys(&keys[at], &keys[child]) >= 0) return;
        Key swap = keys[at];
        keys[at] = keys[child];
        keys[child] = swap;
        at = child;
    }
}

// heap sort; keys are all different, so every right answer is the same answer
static void sort_keys(Key *keys, size_t count) {
    for (size_t k = count / 2; k-- > 0;) sift(keys, k, count);
    for (size_t k = count; k-- > 1;) {
        Key swap = keys[0];
        keys[0] = keys[k];
        keys[k] = swap;
        sift(keys, 0, k);
    }
}

static Key key_at(lua_State *L, int index) {
    Key key = {0};
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        key.number = lua_tonumber(L, index);
        key.whole = lua_isinteger(L, index);
        if (key.whole) key.integer = lua_tointeger(L, index);
        break;
    case LUA_TSTRING:
        key.type = 1;
        key.text = lua_tolstring(L, index, &key.length);
        break;
    case LUA_TBOOLEAN:
        key.type = 2;
        key.truth = lua_toboolean(L, index);
        break;
    default:
        luaL_error(L, "pairs: keys must be numbers, texts or truths (others have no order)");
    }
    return key;
}

static size_t count_keys(lua_State *L, int index) {
    size_t count = 0;
    lua_pushnil(L);
    while (lua_next(L, index)) lua_pop(L, 1), count++;
    fr_lua_charge(L, (int64_t)count * 32); // two passes and a sort
    return count;
}

// upvalues: the table, the list of its keys, how many were given
static int next_pair(lua_State *L) {
    lua_Integer at = lua_tointeger(L, lua_upvalueindex(3));
    for (;;) {
        at++;
        lua_rawgeti(L, lua_upvalueindex(2), at);
        if (lua_isnil(L, -1)) return 1;
        lua_pushvalue(L, -1);
        lua_rawget(L, lua_upvalueindex(1));
        if (!lua_isnil(L, -1)) break; // removed meanwhile
        lua_pop(L, 2);
    }
    lua_pushinteger(L, at);
    lua_replace(L, lua_upvalueindex(3));
    return 2;
}

static int safe_pairs(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    size_t count = count_keys(L, 1), k = 0;
    int room = count < 1000000 ? (int)count : 0;
    Key *keys = lua_newuserdatauv(L, (count + 1) * sizeof *keys, 0);
    lua_createtable(L, room, 0); // keys as found
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        keys[k] = key_at(L, -1);
        keys[k].index = (lua_Integer)k + 1;
        k++;
        lua_pushvalue(L, -1);
        lua_rawseti(L, 3, (lua_Integer)k);
    }
    sort_keys(keys, count);
    lua_pushvalue(L, 1);
    lua_createtable(L, room, 0);
    for (k = 0; k < count; k++) {
        lua_rawgeti(L, 3, keys[k].index);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_pair, 3);
    return 1;
}

static int safe_tonumber(lua_State *L) {
    if (lua_type(L, 1) == LUA_TSTRING) fr_lua_charge(L, (int64_t)lua_rawlen(L, 1));
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

static int safe_random(lua_State *L) {
    FrRandom *random = &fr_lua_of(L)->random;
    if (lua_gettop(L) == 0) {
        lua_pushnumber(L, fr_random_unit(random));
        return 1;
    }
    lua_Integer lo = lua_gettop(L) > 1 ? luaL_checkinteger(L, 1) : 1;
    lua_Integer hi = luaL_checkinteger(L, lua_gettop(L) > 1 ? 2 : 1);
    if (lo > hi || lo < -1000000000 || hi > 1000000000 || hi - lo >= INT32_MAX)
        return luaL_error(L, "math.random: from %I to %I is not a range", lo, hi);
    lua_pushinteger(L, lo + fr_random_below(random, (int32_t)(hi - lo + 1)));
    return 1;
}

// insert and remove move what is behind the place; upvalues: the library's function, arguments it
// has when a place is given
static int charged(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
    if (lua_gettop(L) == lua_tointeger(L, lua_upvalueindex(2))) {
        lua_Integer at = luaL_checkinteger(L, 2);
        fr_lua_charge(L, at > 0 && at <= n ? n - at : n);
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

static int safe_unpack(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer from = luaL_optinteger(L, 2, 1);
    lua_Integer to = luaL_optinteger(L, 3, (lua_Integer)lua_rawlen(L, 1));
    if (from > to) return 0;
    if ((lua_Unsigned)to - (lua_Unsigned)from >= 4000)
        return luaL_error(L, "table.unpack: at most 4000 values at once");
    int count = (int)(to - from) + 1;
    fr_lua_charge(L, count);
    luaL_checkstack(L, count + 2, "too many values");
    for (int k = 0; k < count; k++) lua_rawgeti(L, 1, from + k);
    return count;
}

// does the value on top come before the one below it? both stay
static bool comes_first(lua_State *L, bool by_function) {
    if (!by_function) return lua_compare(L, -1, -2, LUA_OPLT);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -4);
    lua_call(L, 2, 1);
    bool first = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return first;
}

/// Two tables on the stack, and how their items are compared.
typedef struct Sort {
    int from, to;
    bool by_function;
} Sort;

// merge [a, b) and [b, c) of the table `from` into `to`; equal items keep their order
static void merge(lua_State *L, const Sort *sort, lua_Integer a, lua_Integer b, lua_Integer c) {
    int from = sort->from, to = sort->to;
    lua_Integer i = a, j = b;
    for (lua_Integer k = a; k < c; k++) {
        bool right = i >= b;
        if (i < b && j < c) {
            lua_rawgeti(L, from, i);
            lua_rawgeti(L, from, j);
            right = comes_first(L, sort->by_function);
            lua_pop(L, 2);
        }
        lua_rawgeti(L, from, right ? j++ : i++);
        lua_rawseti(L, to, k);
    }
    fr_lua_charge(L, c - a);
}

static lua_Integer least(lua_Integer a, lua_Integer b) { return a < b ? a : b; }

// stable merge sort: the library's own draws its pivots from the clock
static int safe_sort(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    Sort sort = {.from = 1, .to = 3, .by_function = !lua_isnil(L, 2)};
    if (sort.by_function) luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
    lua_createtable(L, n < 1000000 ? (int)n : 0, 0);
    for (lua_Integer width = 1; width < n; width *= 2) {
        for (lua_Integer a = 1; a <= n; a += 2 * width)
            merge(L, &sort, a, least(a + width, n + 1), least(a + 2 * width, n + 1));
        int swap = sort.from;
        sort.from = sort.to;
        sort.to = swap;
    }
    for (lua_Integer k = 1; sort.from != 1 && k <= n; k++) {
        lua_rawgeti(L, sort.from, k);
        lua_rawseti(L, 1, k);
    }
    return 0;
}

// copy named functions of the table at the top to the table below it
static void take(lua_State *L, const char *const *names) {
    for (int k = 0; names[k]; k++) {
        lua_getfield(L, -1, names[k]);
        lua_setfield(L, -3, names[k]);
    }
}

static void add_table(lua_State *L) {
    static const char *const names[] = {"concat", "pack", NULL};
    static const char *const moving[] = {"insert", "remove", NULL};
    lua_newtable(L);
    luaL_requiref(L, "table", luaopen_table, 0);
    take(L, names);
    for (int k = 0; moving[k]; k++) {
        lua_getfield(L, -1, moving[k]);
        lua_pushinteger(L, k == 0 ? 3 : 2);
        lua_pushcclosure(L, charged, 2);
        lua_setfield(L, -3, moving[k]);
    }
    lua_pop(L, 1);
    lua_pushcfunction(L, safe_unpack);
    lua_setfield(L, -2, "unpack");
    lua_pushcfunction(L, safe_sort);
    lua_setfield(L, -2, "sort");
    lua_setfield(L, -2, "table");
}

static void add_math(lua_State *L) {
    static const char *const names[] = {
        "abs",  "acos", "asin", "atan", "ceil",       "cos",  "deg",        "exp",  "floor",
        "fmod", "huge", "log",  "max",  "maxinteger", "min",  "mininteger", "modf", "pi",
        "rad",  "sin",  "sqrt", "tan",  "tointeger",  "type", "ult",        NULL};
    lua_newtable(L);
    luaL_requiref(L, "math", luaopen_math, 0);
    take(L, names);
    lua_pop(L, 1);
    lua_pushcfunction(L, safe_random);
    lua_setfield(L, -2, "random");
    lua_setfield(L, -2, "math");
}

void fr_lua_add_library(lua_State *L) {
    static const char *const names[] = {"assert",   "error", "ipairs", "select",
                                        "tonumber", "type",  NULL};
    static const luaL_Reg own[] = {{"pcall", safe_pcall},
                                   {"tostring", safe_tostring},
                                   {"print", safe_print},
                                   {"pairs", safe_pairs},
                                   {NULL, NULL}};
    luaL_requiref(L, "_G", luaopen_base, 0);
    take(L, names);
    lua_getfield(L, -1, "tonumber");
    lua_pushcclosure(L, safe_tonumber, 1);
    lua_setfield(L, -3, "tonumber");
    lua_pop(L, 1);
    luaL_setfuncs(L, own, 0);
    add_table(L);
    add_math(L);
}
