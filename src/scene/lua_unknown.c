// lua_unknown.c: words that scenes do not have are reported, and stand for a value that nobody
// knows, so that a script goes on to its other mistakes.

#include "scene/lua_state.h"
#include <stdio.h>
#include <string.h>

#define UNKNOWN "unknown word" ///< also how messages call it
#define PARTS_MAX 100          ///< numbered parts and turns of loops that a script is given

bool fr_lua_is_unknown(lua_State *L, int index) { return luaL_testudata(L, index, UNKNOWN); }

// whatever is done with it gives it again
static int again(lua_State *L) {
    fr_lua_push_unknown(L);
    return 1;
}

// What loops ask for ends, or they would not: at once for ipairs and other functions, and after a
// while for a script that asks by itself.
static int next_part(lua_State *L) {
    FrLua *lua = fr_lua_of(L);
    lua_Debug ar;
    bool by_script = lua_getstack(L, 1, &ar) && lua_getinfo(L, "S", &ar) && ar.what[0] != 'C';
    if (by_script && lua->unknown_parts < PARTS_MAX) {
        lua->unknown_parts++;
        return again(L);
    }
    lua_pushnil(L);
    return 1;
}

static int part(lua_State *L) { return lua_isinteger(L, 2) ? next_part(L) : again(L); }

// "for k, v in UNKNOWN" calls it with no state and what it gave last
static int called(lua_State *L) {
    return lua_gettop(L) == 3 && lua_isnil(L, 2) ? next_part(L) : again(L);
}

// it has no length, and is not less than anything
static int none(lua_State *L) {
    lua_pushinteger(L, 0);
    return 1;
}

static int not_so(lua_State *L) {
    lua_pushboolean(L, 0);
    return 1;
}

static int nothing(lua_State *L) {
    (void)L;
    return 0;
}

void fr_lua_push_unknown(lua_State *L) {
    static const luaL_Reg acts[] = {
        {"__call", called}, {"__index", part}, {"__add", again},        {"__sub", again},
        {"__mul", again},   {"__div", again},  {"__idiv", again},       {"__mod", again},
        {"__pow", again},   {"__unm", again},  {"__concat", again},     {"__len", none},
        {"__lt", not_so},   {"__le", not_so},  {"__newindex", nothing}, {NULL, NULL}};
    lua_newuserdatauv(L, 1, 0);
    if (luaL_newmetatable(L, UNKNOWN)) {
        luaL_setfuncs(L, acts, 0);
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
    }
    lua_setmetatable(L, -2);
}

static const char *word_name(const void *user, int32_t k) {
    (void)user;
    return fr_lua_word(k);
}

static bool is_absent(const char *name) {
    static const char *const absent[] = {"io",
                                         "os",
                                         "load",
                                         "loadstring",
                                         "loadfile",
                                         "dofile",
                                         "require",
                                         "package",
                                         "debug",
                                         "coroutine",
                                         "collectgarbage",
                                         "setmetatable",
                                         "getmetatable",
                                         "rawget",
                                         "rawset",
                                         "rawlen",
                                         "rawequal",
                                         "next",
                                         "xpcall",
                                         "utf8",
                                         "_G",
                                         "warn",
                                         NULL};
    for (int k = 0; absent[k]; k++)
        if (!strcmp(absent[k], name)) return true;
    return false;
}

int fr_lua_unknown(lua_State *L, const char *name) {
    FrLua *lua = fr_lua_of(L);
    char meant[100];
    int32_t count = 0;
    while (fr_lua_word(count)) count++;
    const char *near = fr_suggest(name, word_name, NULL, count);
    lua->unknown_place = fr_lua_place_of(L, name);
    if (is_absent(name))
        fr_problem(lua->problems, lua->unknown_place, NULL, "scenes have no \"%s\"", name);
    else
        fr_problem(lua->problems, lua->unknown_place, NULL, "unknown word \"%.60s\"%s", name,
                   fr_suggest_text(near, meant, sizeof meant));
    return again(L);
}
