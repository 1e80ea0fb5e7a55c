// scene_sandbox.c: a Lua scene cannot reach files or programs, cannot go on for ever, cannot eat
// memory, and does the same every time.

#include "test.h"
#include "scene_help.h"
#include "scene/lua_state.h"
#include <time.h>

static double cpu(void) { return (double)clock() / CLOCKS_PER_SEC; }

// each ends with a message. FR_LUA_SECONDS (1 s) is the most one may take, all but one need less
// than 0.5 s; measured as this process's time, not a busy machine's; sanitizers take three times it
static void check_ends(const char *scene, const char *message) {
    double start = cpu();
    const char *found = scene_message(scene, NULL);
    double took = cpu() - start;
    CHECK_HAS(found, message);
    test_checks++;
    if (took > 3.0) TEST_FAIL("%s took %g s", scene, took);
}

TEST(nothing_to_escape_with) {
    static const char *const words[] = {
        "io",           "os",      "load",   "loadstring", "loadfile",       "dofile",
        "require",      "package", "debug",  "coroutine",  "collectgarbage", "setmetatable",
        "getmetatable", "rawget",  "rawset", "rawequal",   "rawlen",         "next",
        "xpcall",       "utf8",    "_G"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        char scene[80], message[80];
        snprintf(scene, sizeof scene, "local x = %s", words[k]);
        snprintf(message, sizeof message, "a.lua:1:11: scenes have no \"%s\"", words[k]);
        CHECK_TEXT(scene_message(scene, NULL), message);
    }
    static const char *const absent[] = {
        "assert(string.dump == nil)", "assert(('x').dump == nil)", "assert(table.move == nil)",
        "assert(math.randomseed == nil)", "local s = '' assert(s.dump == nil and s.rep)",
        "assert(string.pack == nil)",
        // the environment holds what the script put there, not the words
        "for k in pairs(_ENV) do error(k) end",
        "x = 1 for k in pairs(_ENV) do assert(k == 'x') end"};
    for (size_t k = 0; k < sizeof absent / sizeof absent[0]; k++)
        CHECK_TEXT(scene_message(absent[k], NULL), "");
    CHECK_HAS(scene_message("_ENV.io.open('x')", NULL), "scenes have no \"io\"");
    CHECK_HAS(scene_message("local b = body { material = 'oak', shape = ball(1) } b.x = 1", NULL),
              "attempt to index a scene value");
    CHECK_HAS(scene_message("\x1bLua", NULL), "attempt to load a binary chunk");
}

TEST(loops_end) {
    check_ends("while true do end",
               "a.lua:1: the script goes on for too long (more than 20 million steps)");
    check_ends("\nlocal function f() return f() end f()",
               "a.lua:2: the script goes on for too long");
    check_ends("local function f() return 1 + f() end f()",
               "a.lua:1: calls are nested deeper than 5000");
    check_ends("while true do pcall(function() while true do end end) end", "goes on for too long");
    check_ends("pcall(pcall, function() while true do end end) error('caught')",
               "goes on for too long");
    check_ends("local ok = pcall(function() while true do end end) error('caught')",
               "goes on for too long");
    check_ends("local function f() pcall(f) while true do end end f()", "goes on for too long");
    check_ends("table.sort({3, 1, 2}, function() while true do end end)", "goes on for too long");
    check_ends("string.gsub('abc', '.', function() while true do end end)", "goes on for too long");
    check_ends("for k in pairs({1}) do while true do end end", "goes on for too long");
    check_ends("goto a ::a:: goto a", "");
}

TEST(memory_ends) {
    check_ends("local t = {}\nfor k = 1, 1e9 do t[k] = {} end",
               "a.lua:2: the script uses too much memory (more than 64 MB)");
    check_ends("local t = {} pcall(function() for k = 1, 1e9 do t[k] = {} end end) error('caught')",
               "uses too much memory");
    check_ends("local t = {}\n\nfor k = 1, 1e9 do t[k] = k end",
               "a.lua:3: the script uses too much memory");
    check_ends("string.rep('x', 1e9)", "string.rep: a text longer than 64 KB");
    check_ends("local s = 'x' while true do s = s .. s end",
               "a.lua:1: the script makes a text longer than 64 KB");
    check_ends("local s = 'x'\nlocal function f()\nwhile true do s = s .. s end end\npcall(f)",
               "a.lua:3: the script makes a text longer than 64 KB");
    check_ends("local s = ('x'):rep(60000) while true do local t = s .. 'a' end", "");
    check_ends("local t = {} for k = 1, 1e5 do t[k] = 'xxxxxxxxxx' end\ntable.concat(t)",
               "a.lua:2: the script makes a text longer than 64 KB");
    check_ends("for k = 1, 1e9 do ball(k) end", "the scene holds too many values");
    check_ends("for k = 1, 1e9 do body { material = 'oak', shape = ball(1) } end",
               "a.lua:1: the sc");
    check_ends("local t = {} for k = 1, 300 do t['k' .. k] = 1 end body(t)",
               "too many keys in one table");
    check_ends("local t = {} for k = 1, 1e6 do t[k] = 1 end table.unpack(t)",
               "at most 4000 values");
}

// single instructions made as slow as possible
TEST(slow_instructions_end) {
    check_ends("local a, b = ('x'):rep(60000) .. 'a', ('x'):rep(60000) .. 'b'\nwhile a ~= b do end",
               "a.lua:");
    check_ends("local a, b = ('x'):rep(60000) .. 'a', ('x'):rep(60000) .. 'b'\nwhile a < b do end",
               "a.lua:");
    check_ends("local function g(n, ...) if n > 0 then return g(n - 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, "
               "10, ...) end\n"
               "while true do local x = select('#', ...) end end g(10000)",
               "a.lua:");
    check_ends(
        "local t = {} for k = 1, 1e6 do t[k] = k end while true do table.insert(t, 1, 0) end",
        "a.lua:");
    check_ends("local t = {} for k = 1, 1e5 do t[k] = -k end while true do table.sort(t) end",
               "a.lua:");
    check_ends("local t = {} for k = 1, 1e5 do t[k] = k end while true do for k in pairs(t) do "
               "break end end",
               "a.lua:");
    check_ends("local s = ('1'):rep(60000) while true do tonumber(s) end", "a.lua:");
    check_ends("local s = ('x'):rep(60000) while true do s:find('y', 1, true) end", "a.lua:");
}

TEST(patterns_end) {
    check_ends("local s = ('a'):rep(30000) s:find(('.-'):rep(30) .. 'b')", "goes on for too long");
    check_ends("local s = ('a'):rep(30000) s:match(('a*'):rep(20) .. 'b')", "goes on for too long");
    check_ends("local s = ('a'):rep(50000) s:gsub(('a?'):rep(50) .. 'b', '')", "");
    check_ends("local s = ('('):rep(50000) s:find('%b()')", "goes on for too long");
    check_ends("('x'):find(('('):rep(40))", "too many captures");
    check_ends("('x'):rep(1000):find(('x-'):rep(400) .. 'y')", "");
    check_ends("for w in ('a'):rep(60000):gmatch('.-.-.-b') do end", "goes on for too long");
}

TEST(pairs_goes_in_order) {
    CHECK_TEXT(
        scene_message("local t = {b = 1, a = 2, [10] = 3, [2] = 4, [1.5] = 5, c = 6, [true] = 7}\n"
                      "local s = '' for k, v in pairs(t) do s = s .. tostring(k) .. v .. ' ' end\n"
                      "assert(s == '1.55 24 103 a2 b1 c6 true7 ', s)",
                      NULL),
        "");
    CHECK_TEXT(scene_message("local t = {} for k = 1, 1000 do t['k' .. (k * 7919 % 1000)] = k end\n"
                             "local last, n = '', 0 for k, v in pairs(t) do assert(last < k) last "
                             "= k n = n + 1 end\n"
                             "assert(n == 1000)",
                             NULL),
               "");
    CHECK_TEXT(scene_message("local t = {a = 1, b = 2, c = 3} local n = 0\n"
                             "for k in pairs(t) do t.b = nil n = n + 1 end assert(n == 2)",
                             NULL),
               "");
    CHECK_HAS(scene_message("for k in pairs({[{}] = 1}) do end", NULL),
              "keys must be numbers, texts or truths");
}

TEST(nothing_differs_from_run_to_run) {
    CHECK_TEXT(scene_message("assert(tostring({}) == 'table' and tostring(print) == 'function')\n"
                             "local b = body { name = 'x', material = 'oak', shape = ball(1) }\n"
                             "assert(tostring(b) == 'body x' and tostring(ball(1)) == 'shape')",
                             NULL),
               "");
    CHECK_HAS(scene_message("string.format('%p', 1)", NULL), "%p is not available");
    CHECK_HAS(scene_message("string.format('%5.2s', {})", NULL), "a table has no text");
    CHECK_TEXT(
        scene_message("assert(string.format('%5.2f|%s|%d%%', 1.5, 'x', 3) == ' 1.50|x|3%')", NULL),
        "");
    char *a = scene_json("scene { seed = 5 } for k = 1, 5 do sphere { 0.1 + math.random(), mass = "
                         "math.random(9) } end",
                         NULL);
    char *b = scene_json("scene { seed = 5 } for k = 1, 5 do sphere { 0.1 + math.random(), mass = "
                         "math.random(9) } end",
                         NULL);
    char *c = scene_json("scene { seed = 6 } for k = 1, 5 do sphere { 0.1 + math.random(), mass = "
                         "math.random(9) } end",
                         NULL);
    CHECK_TEXT(a, b);
    CHECK(strlen(a) > 500 && strcmp(a, c));
    free(a), free(b), free(c);
}

TEST(sort_is_stable) {
    CHECK_TEXT(
        scene_message(
            "local t = {} for k = 1, 500 do t[k] = {k * 7919 % 10, k} end\n"
            "table.sort(t, function(a, b) return a[1] < b[1] end)\n"
            "for k = 2, 500 do local a, b = t[k - 1], t[k]\n"
            "assert(a[1] < b[1] or a[1] == b[1] and a[2] < b[2]) end\n"
            "local u = {3, 1, 2} table.sort(u) assert(u[1] == 1 and u[2] == 2 and u[3] == 3)\n"
            "table.sort(u, function() return true end) table.sort({}) table.sort({1})",
            NULL),
        "");
}

TEST(library_still_works) {
    CHECK_TEXT(
        scene_message(
            "local t = {1, 2, 3} table.insert(t, 4) table.insert(t, 1, 0) table.remove(t)\n"
            "assert(table.concat(t, ',') == '0,1,2,3') assert(select('#', table.unpack(t)) == 4)\n"
            "assert(math.max(1, 2) == 2 and math.floor(1.5) == 1 and math.pi > 3)\n"
            "assert(('abc'):upper() == 'ABC' and ('x'):rep(3, '-') == 'x-x-x')\n"
            "local ok, e = pcall(error, 'x') assert(not ok and e == 'x')\n"
            "for i, v in ipairs(t) do assert(v == i - 1) end print('hello', t)\n"
            "for k = 1, 100 do local r = math.random(3, 5) assert(r >= 3 and r <= 5) end",
            NULL),
        "");
}

// our pattern matcher against Lua's own, on texts and patterns of few letters
static void push_random(lua_State *L, FrRandom *random, const char *letters, int most) {
    char text[40];
    int length = fr_random_below(random, most);
    for (int k = 0; k < length; k++)
        text[k] = letters[fr_random_below(random, (int32_t)strlen(letters))];
    lua_pushlstring(L, text, (size_t)length);
}

typedef struct Run {
    char text[300];
} Run;

// calls f(args) with the arguments at the top of `from`; results and errors as one text
static Run call(lua_State *L, int function, int first, int count) {
    Run run = {""};
    int top = lua_gettop(L);
    lua_pushvalue(L, function);
    for (int k = 0; k < count; k++) lua_pushvalue(L, first + k);
    bool fine = lua_pcall(L, count, LUA_MULTRET, 0) == LUA_OK;
    for (int k = top + 1; fine && k <= lua_gettop(L); k++) {
        size_t used = strlen(run.text);
        snprintf(run.text + used, sizeof run.text - used, "%s;", luaL_tolstring(L, k, NULL));
        lua_pop(L, 1);
    }
    if (!fine) snprintf(run.text, sizeof run.text, "error");
    lua_settop(L, top);
    return run;
}

static int compare_patterns(lua_State *L) {
    static const char *const functions[] = {"find", "match", "gsub"};
    FrRandom random = fr_random_for(1, "patterns", 0);
    luaL_requiref(L, "string", luaopen_string, 0);
    lua_newtable(L);
    fr_lua_add_text(L); // t.string
    lua_getfield(L, -1, "string");
    for (int k = 0; k < 60000; k++) {
        const char *name = functions[k % 3];
        fr_lua_of(L)->steps = FR_LUA_STEPS;
        lua_settop(L, 4);
        lua_getfield(L, 2, name);
        lua_getfield(L, 4, name);
        push_random(L, &random, "abA1 .(", 12);
        push_random(L, &random, "abA1.*+-?[]^$()%%%wdfb", 10);
        lua_pushliteral(L, "<%0>");
        int count = k % 3 == 2 ? 3 : 2;
        Run theirs = call(L, 5, 7, count), ours = call(L, 6, 7, count);
        if (strcmp(theirs.text, ours.text))
            TEST_FAIL("%s(\"%s\", \"%s\"): ours %s, Lua's %s", name, lua_tostring(L, 7),
                      lua_tostring(L, 8), ours.text, theirs.text);
        test_checks++;
    }
    return 0;
}

static void *plain_alloc(void *user, void *ptr, size_t old_size, size_t size) {
    (void)user, (void)old_size;
    if (size == 0) return free(ptr), NULL;
    return realloc(ptr, size);
}

TEST(patterns_match_as_in_lua) {
    FrLua lua = {.file = "a.lua"};
    lua_State *L = lua_newstate(plain_alloc, NULL);
    *(FrLua **)lua_getextraspace(L) = &lua;
    lua_pushcfunction(L, compare_patterns);
    lua_pushnil(L);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) TEST_FAIL("%s", lua_tostring(L, -1));
    lua_close(L);
}

TEST(gmatch_goes_on) {
    CHECK_TEXT(
        scene_message(
            "local s = '' for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do s = s .. k .. v end\n"
            "assert(s == 'a1b2') local n = 0 for _ in ('abc'):gmatch('') do n = n + 1 end assert(n "
            "== 4)\n"
            "s = ('hello world'):gsub('o', {o = '0'}) assert(s == 'hell0 w0rld')\n"
            "s = ('abc'):gsub('%w', function(c) if c == 'b' then return 'X' end end) assert(s == "
            "'aXc')",
            NULL),
        "");
}
