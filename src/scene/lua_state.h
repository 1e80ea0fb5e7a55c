// lua_state.h: the sandbox a Lua scene runs in once: budgets for steps, memory and time.
#pragma once
#include "base/random.h"
#include "scene/read.h"
#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#define FR_LUA_STEPS 20000000            ///< virtual machine instructions
#define FR_LUA_MEMORY ((size_t)64 << 20) ///< bytes at once
#define FR_LUA_CHURN ((size_t)1 << 30)   ///< bytes in all
#define FR_LUA_TEXT ((size_t)64 << 10)   ///< longest text, bytes
#define FR_LUA_SECONDS 1.0               ///< processor time; only what slips past the others
#define FR_LUA_CALLS 5000                ///< deepest nesting of calls
#define FR_LUA_INCLUDES 100
#define FR_LUA_INCLUDE_DEPTH 8
#define FR_LUA_FILE_MAX ((size_t)4 << 20)
#define FR_LUA_PRINTS 1000

typedef enum FrLuaEnd {
    FR_LUA_GOES_ON,
    FR_LUA_OUT_OF_STEPS,
    FR_LUA_OUT_OF_TIME,
    FR_LUA_OUT_OF_MEMORY, ///< of its own limit
    FR_LUA_NO_MEMORY,     ///< the context's allocator refused
    FR_LUA_PROBLEM,       ///< already in the list of problems
} FrLuaEnd;

/// The text of a script, for the columns of messages.
typedef struct FrLuaSource {
    const char *file, *text;
    size_t size;
    void *owned; ///< what to free in the end; NULL: nothing
} FrLuaSource;

typedef struct FrLua {
    FrContext *ctx;
    FrValueTree *tree;
    FrSceneReader *reader;
    FrProblems *problems;
    const char *file;       ///< as messages name it
    const char *other_file; ///< the included file named last
    const char *folder;     ///< include looks here; "": no include
    FrValue *root;          ///< what the words add up to
    size_t memory, churn, longest;
    bool refused, text_too_long;   ///< by the context's allocator; by FR_LUA_TEXT
    int64_t steps;                 ///< left
    double started;                ///< s of processor time
    FrLuaEnd end;                  ///< once set, nothing catches it
    bool failed;                   ///< the script did not come to its end
    FrPlace end_place, text_place; ///< where it was stopped; where its text became too long
    FrPlace unknown_place;         ///< of the last word that scenes do not have
    int32_t unknown_parts;         ///< how often numbered parts of such words were given
    FrPlace hook_place;            ///< where it was a thousand instructions ago, or less
    FrPlace full_place;            ///< where memory was refused
    lua_State *state;              ///< while it runs
    FrRandom random;
    bool grown;         ///< unit words give larger units: see lua_units.c
    bool has_units;     ///< some unit word was read
    FrPowers units;     ///< of the unit words read since `param` was
    int32_t unit_kinds; ///< how many different ones; 2: two or more
    int32_t include_depth, include_count, print_count, param_count;
    int32_t source_count;
    FrLuaSource source[1 + FR_LUA_INCLUDES];
} FrLua;

/// Values handed to scripts: shapes, regions and names of bodies, spheres and materials.
typedef struct FrLuaHandle {
    const FrValue *value;
    const char *kind; ///< "shape", "region", "body", "sphere", "material"
} FrLuaHandle;

/// Run a script; what it says is added to lua->root. Problems are in the list, or no_memory is set.
void fr_lua_run(FrLua *lua, const char *text, size_t size);

FrLua *fr_lua_of(lua_State *L);
/// Take steps from the budget; ends the script when it is spent.
void fr_lua_charge(lua_State *L, int64_t steps);
/// End the script; does not return.
_Noreturn void fr_lua_stop(lua_State *L, FrLuaEnd end);
/// A script onto the stack as a function; a status of Lua's.
int fr_lua_compile(lua_State *L, const char *text, size_t size, const char *name);
/// Pass on the error on top of the stack; memory errors become a stop.
_Noreturn void fr_lua_rethrow(lua_State *L, int status);
/// After fr_value_new or fr_value_add gave nothing; does not return.
_Noreturn void fr_lua_tree_refused(lua_State *L);
/// File and line of the caller of the running C function.
FrPlace fr_lua_place(lua_State *L);
/// With the column of a word, where its line has it once.
FrPlace fr_lua_place_of(lua_State *L, const char *word);
/// Give what was written in the call of a word the lines and columns it was written at.
void fr_lua_locate(lua_State *L, FrPlace word, const FrValue *value);
/// Keep a script's text until the end of the run; `owned` is freed then.
void fr_lua_keep_source(FrLua *lua, const char *file, const char *text, size_t size, void *owned);

/// What is on the stack at `index` as a value. `path` is for messages.
const FrValue *fr_lua_value(lua_State *L, int index, FrPlace place, const FrPath *path);
FrLuaHandle *fr_lua_handle(lua_State *L, int index); ///< NULL: something else
void fr_lua_push_handle(lua_State *L, const char *kind, const FrValue *value);

/// Tell that scenes do not have this word, and push what stands for it.
int fr_lua_unknown(lua_State *L, const char *name);
void fr_lua_push_unknown(lua_State *L);
bool fr_lua_is_unknown(lua_State *L, int index);

// parts of the sandbox; each leaves the table of words (top of the stack) filled
void fr_lua_add_library(lua_State *L); ///< pairs, tostring, pcall, math, table, ...
void fr_lua_add_text(lua_State *L);    ///< string
void fr_lua_add_words(lua_State *L);   ///< units, scene, body, box, ...
int fr_lua_unknown_word(lua_State *L); ///< __index of the words

/// By how much a unit of these powers is larger where `grown` is set.
double fr_lua_grown(FrPowers powers);
/// Name the guessed units of a script's params by what became of their numbers when the same script
/// ran with grown units. False: no memory.
bool fr_lua_name_units(FrValueTree *tree, const FrValue *root, const FrValue *grown_root);
/// Find the powers of units in all numbers of a script, by the same script with grown units.
void fr_lua_measure(const FrValue *root, const FrValue *grown_root);
/// Every word of scenes, for suggestions; NULL past the last.
const char *fr_lua_word(int32_t k);
