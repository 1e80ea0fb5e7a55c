// lua_state.c: runs a script with bounded steps, memory and time; nothing inside can undo a stop.

#include "scene/lua_state.h"
#include "base/file.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

#define HOOK_EVERY 1000

FrLua *fr_lua_of(lua_State *L) { return *(FrLua **)lua_getextraspace(L); }

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Lua's stack may be what is moved, and cannot be looked at then: the hook's place is near enough
static void *too_much(FrLua *lua, const void *moved) {
    lua->full_place = moved || !lua->state ? lua->hook_place : fr_lua_place(lua->state);
    return NULL;
}

// memory of the script, through the context; LUA_TSTRING in old_size says that a text is made
static void *script_resize(void *user, void *ptr, size_t old_size, size_t size) {
    FrLua *lua = user;
    size_t old = ptr ? old_size : 0;
    if (size == 0) {
        lua->memory -= old;
        fr_free(lua->ctx, ptr);
        return NULL;
    }
    bool text = !ptr && old_size == LUA_TSTRING;
    if (text && size > FR_LUA_TEXT) {
        lua->text_too_long = true;
        if (lua->state) lua->text_place = fr_lua_place(lua->state);
        return NULL;
    }
    if (size > old) {
        bool full = size > FR_LUA_MEMORY || lua->memory - old > FR_LUA_MEMORY - size;
        if (!full) lua->churn += size;
        if (full || lua->churn > FR_LUA_CHURN) return too_much(lua, ptr);
    }
    void *moved = fr_resize(lua->ctx, ptr, size);
    if (!moved) {
        lua->refused = true;
        // Lua trusts that giving memory back works
        if (size <= old) return ptr;
        return NULL;
    }
    lua->memory += size - old;
    if (text && size > lua->longest) lua->longest = size;
    return moved;
}

_Noreturn void fr_lua_stop(lua_State *L, FrLuaEnd end) {
    FrLua *lua = fr_lua_of(L);
    if (!lua->end) {
        lua->end = end;
        lua->end_place = fr_lua_place(L);
    }
    lua_pushboolean(L, 0); // needs no memory
    lua_error(L);
    __builtin_unreachable();
}

_Noreturn void fr_lua_tree_refused(lua_State *L) {
    FrLua *lua = fr_lua_of(L);
    if (!lua->tree->refused) fr_lua_stop(L, FR_LUA_NO_MEMORY);
    fr_problem(lua->problems, fr_lua_place(L), NULL, "%s", lua->tree->refused);
    fr_lua_stop(L, FR_LUA_PROBLEM);
}

_Noreturn void fr_lua_rethrow(lua_State *L, int status) {
    FrLua *lua = fr_lua_of(L);
    if (lua->end) fr_lua_stop(L, lua->end);
    if (status == LUA_ERRMEM)
        fr_lua_stop(L, lua->refused ? FR_LUA_NO_MEMORY : FR_LUA_OUT_OF_MEMORY);
    lua_error(L);
    __builtin_unreachable();
}

void fr_lua_charge(lua_State *L, int64_t steps) {
    FrLua *lua = fr_lua_of(L);
    lua->steps -= steps;
    if (lua->steps < 0) fr_lua_stop(L, FR_LUA_OUT_OF_STEPS);
}

static const char *keep_file(FrLua *lua, const char *name) {
    if (!strcmp(name, lua->file)) return lua->file;
    if (lua->other_file && !strcmp(name, lua->other_file)) return lua->other_file;
    const char *kept = fr_arena_text(&lua->tree->arena, name, strlen(name));
    if (kept) lua->other_file = kept;
    return kept ? kept : lua->file;
}

void fr_lua_keep_source(FrLua *lua, const char *file, const char *text, size_t size, void *owned) {
    size_t mark = fr_text_mark(text, size);
    lua->source[lua->source_count++] =
        (FrLuaSource){keep_file(lua, file), text + mark, size - mark, owned};
}

static void free_sources(FrLua *lua) {
    for (int32_t k = 0; k < lua->source_count; k++) fr_free(lua->ctx, lua->source[k].owned);
    lua->source_count = 0;
}

FrPlace fr_lua_place(lua_State *L) {
    FrLua *lua = fr_lua_of(L);
    lua_Debug ar;
    for (int level = 0; level < 10 && lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sl", &ar);
        if (ar.currentline > 0 && ar.source[0] == '@')
            return (FrPlace){keep_file(lua, ar.source + 1), ar.currentline, 0};
    }
    return (FrPlace){lua->file, 0, 0};
}

// every HOOK_EVERY instructions; long texts make single instructions slow, so they cost more
static void on_count(lua_State *L, lua_Debug *ar) {
    FrLua *lua = fr_lua_of(L);
    lua_Debug deep;
    lua->hook_place = fr_lua_place(L);
    if (lua->end) fr_lua_stop(L, lua->end);
    if (cpu_seconds() - lua->started > FR_LUA_SECONDS) fr_lua_stop(L, FR_LUA_OUT_OF_TIME);
    if (lua_getstack(L, FR_LUA_CALLS, &deep)) {
        lua_getinfo(L, "Sl", ar);
        lua_pushfstring(L, "%s:%d: calls are nested deeper than %d", ar->short_src, ar->currentline,
                        FR_LUA_CALLS);
        lua_error(L);
    }
    fr_lua_charge(L, HOOK_EVERY * (1 + (int64_t)(lua->longest / 1024)));
}

// user code sees an empty table; words are behind it, so that they cannot be replaced by accident
static int assign_word(lua_State *L) {
    if (lua_type(L, 2) == LUA_TSTRING) {
        const char *name = lua_tostring(L, 2);
        for (int32_t k = 0; fr_lua_word(k); k++)
            if (!strcmp(fr_lua_word(k), name))
                return luaL_error(L, "\"%s\" is a word of scenes; use another name, or a local",
                                  name);
    }
    lua_rawset(L, 1);
    return 0;
}

static void make_globals(lua_State *L) {
    lua_newtable(L); // words
    fr_lua_add_library(L);
    fr_lua_add_text(L);
    fr_lua_add_words(L);
    lua_newtable(L);
    lua_pushcfunction(L, fr_lua_unknown_word);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_newtable(L); // what scripts see
    lua_newtable(L);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, assign_word);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, -2);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_pop(L, 1);
}

// editors may begin a file with a mark of its encoding
int fr_lua_compile(lua_State *L, const char *text, size_t size, const char *name) {
    size_t mark = fr_text_mark(text, size);
    return luaL_loadbufferx(L, text + mark, size - mark, name, "t");
}

typedef struct Script {
    const char *text;
    size_t size;
} Script;

static int run_script(lua_State *L) {
    FrLua *lua = fr_lua_of(L);
    const Script *script = lua_touserdata(L, 1);
    lua_settop(L, 0);
    make_globals(L);
    lua_pushfstring(L, "@%s", lua->file);
    int status = fr_lua_compile(L, script->text, script->size, lua_tostring(L, -1));
    if (status != LUA_OK) fr_lua_rethrow(L, status);
    lua_sethook(L, on_count, LUA_MASKCOUNT, HOOK_EVERY);
    lua_call(L, 0, 0);
    return 0;
}

// does a message speak of the line of the last unknown word? Then that was reported already
static bool of_unknown(const FrLua *lua, const char *message) {
    char place[300];
    if (!lua->unknown_place.line) return false;
    snprintf(place, sizeof place, "%.250s:%d:", lua->unknown_place.file, lua->unknown_place.line);
    return !strncmp(message, place, strlen(place));
}

// why a script stopped, as a problem
static void report(FrLua *lua, lua_State *L, int status) {
    if (lua->end == FR_LUA_GOES_ON && status == LUA_ERRMEM)
        lua->end = lua->refused ? FR_LUA_NO_MEMORY : FR_LUA_OUT_OF_MEMORY;
    FrPlace place = lua->end_place.file ? lua->end_place : (FrPlace){lua->file, 0, 0};
    bool endless = lua->end == FR_LUA_OUT_OF_STEPS || lua->end == FR_LUA_OUT_OF_TIME;
    if (endless && lua->unknown_place.line) return; // it may wait for what nobody knows
    switch (lua->end) {
    case FR_LUA_GOES_ON:
        if (lua_type(L, -1) == LUA_TSTRING && of_unknown(lua, lua_tostring(L, -1))) break;
        if (lua_type(L, -1) == LUA_TSTRING)
            fr_problem_line(lua->problems, lua_tostring(L, -1));
        else
            fr_problem(lua->problems, place, NULL, "the script failed without a message");
        break;
    case FR_LUA_OUT_OF_STEPS:
        fr_problem(lua->problems, place, NULL,
                   "the script goes on for too long (more than %d million steps)",
                   FR_LUA_STEPS / 1000000);
        break;
    case FR_LUA_OUT_OF_TIME:
        fr_problem(lua->problems, place, NULL, "the script takes more than %g s", FR_LUA_SECONDS);
        break;
    case FR_LUA_OUT_OF_MEMORY:
        if (lua->text_too_long)
            fr_problem(lua->problems, lua->text_place.file ? lua->text_place : place, NULL,
                       "the script makes a text longer than %zu KB", FR_LUA_TEXT >> 10);
        else
            fr_problem(lua->problems, lua->full_place.file ? lua->full_place : place, NULL,
                       "the script uses too much memory (more than %zu MB)", FR_LUA_MEMORY >> 20);
        break;
    case FR_LUA_NO_MEMORY:
        lua->problems->no_memory = true;
        break;
    case FR_LUA_PROBLEM:
        break;
    }
}

void fr_lua_run(FrLua *lua, const char *text, size_t size) {
    lua->steps = FR_LUA_STEPS;
    lua->started = cpu_seconds();
    lua_State *L = lua_newstate(script_resize, lua);
    if (!L) {
        lua->problems->no_memory = true;
        return;
    }
    *(FrLua **)lua_getextraspace(L) = lua;
    lua->state = L;
    Script script = {text, size};
    fr_lua_keep_source(lua, lua->file, text, size, NULL);
    lua_pushcfunction(L, run_script);
    lua_pushlightuserdata(L, &script);
    int status = lua_pcall(L, 1, 0, 0);
    lua->failed = status != LUA_OK;
    if (lua->failed) report(lua, L, status);
    lua->state = NULL;
    lua_close(L);
    free_sources(lua);
}
