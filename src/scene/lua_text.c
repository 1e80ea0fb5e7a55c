// lua_text.c: the string library of scenes: bounded lengths, counted pattern matching, no
// addresses.

#include "scene/lua_pattern.h"
#include <string.h>

// a place in a text as Lua counts: from 1, negative from the end; cut to [1, length + 1]
static size_t start_at(lua_Integer at, size_t length) {
    if (at > 0) return at > (lua_Integer)length ? length + 1 : (size_t)at;
    if (at == 0 || at < -(lua_Integer)length) return 1;
    return (size_t)((lua_Integer)length + at + 1);
}

// the k-th capture, or the whole match where the pattern has none
static void push_capture(FrPattern *m, int32_t k, const char *from, const char *to) {
    if (k >= m->count) {
        if (k != 0) luaL_error(m->L, "invalid capture index %%%d", k + 1);
        lua_pushlstring(m->L, from, (size_t)(to - from));
        return;
    }
    ptrdiff_t length = m->capture[k].length;
    if (length == FR_PATTERN_OPEN) luaL_error(m->L, "unfinished capture");
    if (length == FR_PATTERN_PLACE)
        lua_pushinteger(m->L, m->capture[k].start - m->text + 1);
    else
        lua_pushlstring(m->L, m->capture[k].start, (size_t)length);
}

static int push_captures(FrPattern *m, const char *from, const char *to, bool whole) {
    int32_t n = m->count == 0 && whole ? 1 : m->count;
    luaL_checkstack(m->L, n, "too many captures");
    for (int32_t k = 0; k < n; k++) push_capture(m, k, from, to);
    return n;
}

static void begin(FrPattern *m, lua_State *L, const char *text, size_t length, const char *pattern,
                  size_t pattern_length) {
    m->L = L;
    m->text = text;
    m->text_end = text + length;
    m->end = pattern + pattern_length;
}

static bool has_specials(const char *pattern, size_t length) {
    for (size_t k = 0; k < length; k++)
        if (pattern[k] && strchr("^$*+?.([%-", pattern[k])) return true;
    return false;
}

static int find_plain(lua_State *L, const char *text, size_t length, const char *part,
                      size_t part_length, size_t start) {
    fr_lua_charge(L, (int64_t)length / 8);
    const char *found = part_length
                            ? memmem(text + start - 1, length - start + 1, part, part_length)
                            : text + start - 1;
    if (!found) return lua_pushnil(L), 1;
    lua_pushinteger(L, found - text + 1);
    lua_pushinteger(L, found - text + (lua_Integer)part_length);
    return 2;
}

static int search(lua_State *L, bool find) {
    size_t length, pattern_length;
    const char *text = luaL_checklstring(L, 1, &length);
    const char *pattern = luaL_checklstring(L, 2, &pattern_length);
    lua_Integer init = luaL_optinteger(L, 3, 1);
    size_t start = start_at(init, length);
    if (init > (lua_Integer)length + 1) return lua_pushnil(L), 1;
    if (find && (lua_toboolean(L, 4) || !has_specials(pattern, pattern_length)))
        return find_plain(L, text, length, pattern, pattern_length, start);
    FrPattern m;
    begin(&m, L, text, length, pattern, pattern_length);
    bool anchored = pattern_length && *pattern == '^';
    const char *at = text + start - 1;
    do {
        m.depth = m.count = 0;
        const char *end = fr_pattern_match(&m, at, pattern + anchored);
        if (end && !find) return push_captures(&m, at, end, true);
        if (end) {
            lua_pushinteger(L, at - text + 1);
            lua_pushinteger(L, end - text);
            return 2 + push_captures(&m, at, end, false);
        }
    } while (at++ < m.text_end && !anchored);
    return lua_pushnil(L), 1;
}

static int safe_find(lua_State *L) { return search(L, true); }
static int safe_match(lua_State *L) { return search(L, false); }

// upvalues: text, pattern, where to go on, where the last match ended
static int next_match(lua_State *L) {
    size_t length, pattern_length;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &length);
    const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_length);
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    FrPattern m;
    begin(&m, L, text, length, pattern, pattern_length);
    for (const char *at = text + lua_tointeger(L, lua_upvalueindex(3)); at <= m.text_end; at++) {
        m.depth = m.count = 0;
        const char *end = fr_pattern_match(&m, at, pattern);
        if (!end || end - text == last) continue;
        lua_pushinteger(L, end - text);
        lua_copy(L, -1, lua_upvalueindex(3));
        lua_replace(L, lua_upvalueindex(4));
        return push_captures(&m, at, end, true);
    }
    return 0;
}

static int safe_gmatch(lua_State *L) {
    size_t length;
    luaL_checklstring(L, 1, &length);
    luaL_checkstring(L, 2);
    lua_Integer init = luaL_optinteger(L, 3, 1);
    size_t start = start_at(init, length);
    lua_settop(L, 2);
    lua_pushinteger(L, init > (lua_Integer)length + 1 ? (lua_Integer)length + 1
                                                      : (lua_Integer)start - 1);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, next_match, 4);
    return 1;
}

// the replacement text with %0 ... %9 filled in
static void add_template(FrPattern *m, luaL_Buffer *out, const char *from, const char *to) {
    size_t length;
    const char *text = lua_tolstring(m->L, 3, &length);
    for (size_t k = 0; k < length; k++) {
        if (text[k] != '%') {
            luaL_addchar(out, text[k]);
            continue;
        }
        char c = ++k < length ? text[k] : 0;
        if (c == '%')
            luaL_addchar(out, '%');
        else if (c == '0')
            luaL_addlstring(out, from, (size_t)(to - from));
        else if (c >= '1' && c <= '9') {
            push_capture(m, c - '1', from, to);
            luaL_tolstring(m->L, -1, NULL);
            lua_remove(m->L, -2);
            luaL_addvalue(out);
        } else
            luaL_error(m->L, "invalid use of '%%' in replacement string");
    }
    fr_lua_charge(m->L, (int64_t)length / 8);
}

// what stands in for one match; true: it was changed
static bool add_replacement(FrPattern *m, luaL_Buffer *out, const char *from, const char *to) {
    lua_State *L = m->L;
    int type = lua_type(L, 3);
    if (type == LUA_TSTRING || type == LUA_TNUMBER) return add_template(m, out, from, to), true;
    if (type == LUA_TTABLE) {
        push_capture(m, 0, from, to);
        lua_rawget(L, 3);
    } else {
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(m, from, to, true), 1);
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(out, from, (size_t)(to - from));
        return false;
    }
    if (!lua_isstring(L, -1))
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    luaL_addvalue(out);
    return true;
}

static int safe_gsub(lua_State *L) {
    size_t length, pattern_length;
    const char *text = luaL_checklstring(L, 1, &length);
    const char *pattern = luaL_checklstring(L, 2, &pattern_length);
    int type = lua_type(L, 3);
    luaL_argexpected(L,
                     type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TTABLE ||
                         type == LUA_TFUNCTION,
                     3, "string/function/table");
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)length + 1), count = 0;
    bool anchored = pattern_length && *pattern == '^';
    FrPattern m;
    luaL_Buffer out;
    begin(&m, L, text, length, pattern, pattern_length);
    luaL_buffinit(L, &out);
    const char *at = text, *last = NULL;
    while (count < most) {
        m.depth = m.count = 0;
        const char *end = fr_pattern_match(&m, at, pattern + anchored);
        if (end && end != last) {
            count++;
            add_replacement(&m, &out, at, end);
            at = last = end;
        } else if (at < m.text_end) {
            luaL_addchar(&out, *at++);
        } else {
            break;
        }
        if (anchored) break;
    }
    luaL_addlstring(&out, at, (size_t)(m.text_end - at));
    luaL_pushresult(&out);
    lua_pushinteger(L, count);
    return 2;
}

static int safe_rep(lua_State *L) {
    size_t length, gap = 0;
    luaL_checklstring(L, 1, &length);
    lua_Integer n = luaL_checkinteger(L, 2);
    luaL_optlstring(L, 3, "", &gap);
    if (n > 0 && (length + gap) > FR_LUA_TEXT / (lua_Unsigned)n)
        return luaL_error(L, "string.rep: a text longer than %d KB", (int)(FR_LUA_TEXT >> 10));
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

// %p and %s of tables would print addresses, which differ from run to run
static int safe_format(lua_State *L) {
    size_t length;
    const char *format = luaL_checklstring(L, 1, &length);
    for (size_t k = 0; k + 1 < length; k++) {
        if (format[k] != '%') continue;
        size_t spec = k + 1 + strspn(format + k + 1, "-+ #0123456789.");
        if (format[spec] == 'p') return luaL_error(L, "string.format: %%p is not available");
        k = spec;
    }
    for (int k = 2, n = lua_gettop(L); k <= n; k++) {
        int type = lua_type(L, k);
        if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA)
            return luaL_error(L, "string.format: a %s has no text", lua_typename(L, type));
    }
    fr_lua_charge(L, (int64_t)length / 8);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

void fr_lua_add_text(lua_State *L) {
    static const char *const names[] = {"byte",    "char", "len",   "lower",
                                        "reverse", "sub",  "upper", NULL};
    static const luaL_Reg own[] = {{"find", safe_find},
                                   {"match", safe_match},
                                   {"gmatch", safe_gmatch},
                                   {"gsub", safe_gsub},
                                   {NULL, NULL}};
    lua_newtable(L);
    luaL_setfuncs(L, own, 0);
    luaL_requiref(L, "string", luaopen_string, 0);
    for (int k = 0; names[k]; k++) {
        lua_getfield(L, -1, names[k]);
        lua_setfield(L, -3, names[k]);
    }
    lua_getfield(L, -1, "rep");
    lua_pushcclosure(L, safe_rep, 1);
    lua_setfield(L, -3, "rep");
    lua_getfield(L, -1, "format");
    lua_pushcclosure(L, safe_format, 1);
    lua_setfield(L, -3, "format");
    lua_pop(L, 1);
    // ("x"):rep(3) finds these, not the library's
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 2);
    lua_setfield(L, -2, "string");
}
