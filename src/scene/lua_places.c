// lua_places.c: columns for messages: Lua tells the line of a call, its text tells the rest.

#include "scene/lua_state.h"
#include <ctype.h>
#include <string.h>

#define TEXT_MAX 65536 ///< of one call, bytes; past it, places stay those of the word

typedef struct Scan {
    const char *at, *end;
    const char *line_start;
    const char *file;
    int32_t line;
    int32_t depth; ///< of tables
} Scan;

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

static FrPlace place_here(const Scan *s) {
    return (FrPlace){s->file, s->line, (int32_t)(s->at - s->line_start) + 1};
}

static void pass(Scan *s, size_t count) {
    for (; count > 0 && s->at < s->end; count--)
        if (*s->at++ == '\n') {
            s->line++;
            s->line_start = s->at;
        }
}

static bool begins(const Scan *s, const char *word) {
    size_t length = strlen(word);
    return (size_t)(s->end - s->at) >= length && !memcmp(s->at, word, length);
}

// [[...]] or [==[...]==] at this place; false: something else
static bool pass_long(Scan *s) {
    const char *p = s->at + 1;
    while (p < s->end && *p == '=') p++;
    if (*s->at != '[' || p >= s->end || *p != '[') return false;
    size_t level = (size_t)(p - s->at) - 1;
    pass(s, level + 2);
    for (; s->at < s->end; pass(s, 1)) {
        if (*s->at != ']' || (size_t)(s->end - s->at) < level + 2) continue;
        size_t k = 0;
        while (k < level && s->at[1 + k] == '=') k++;
        if (k == level && s->at[1 + level] == ']') break;
    }
    pass(s, level + 2);
    return true;
}

static void pass_quoted(Scan *s) {
    char quote = *s->at;
    for (pass(s, 1); s->at < s->end && *s->at != quote && *s->at != '\n'; pass(s, 1))
        if (*s->at == '\\') pass(s, 1);
    pass(s, 1);
}

static void pass_blanks(Scan *s) {
    for (;;) {
        while (s->at < s->end && isspace((unsigned char)*s->at)) pass(s, 1);
        if (!begins(s, "--")) return;
        pass(s, 2);
        if (s->at < s->end && pass_long(s)) continue;
        while (s->at < s->end && *s->at != '\n') pass(s, 1);
    }
}

// a name, a text, or one other character
static void pass_token(Scan *s) {
    if (is_name(*s->at))
        while (s->at < s->end && is_name(*s->at)) pass(s, 1);
    else if (*s->at == '"' || *s->at == '\'')
        pass_quoted(s);
    else if (!pass_long(s))
        pass(s, 1);
}

// to the comma or the bracket that ends an item; false: there is none, or a function stands here
static bool pass_item(Scan *s) {
    for (int32_t open = 0; pass_blanks(s), s->at < s->end; pass_token(s)) {
        if (open == 0 && strchr(",;}", *s->at)) return true;
        if (begins(s, "function")) return false;
        if (strchr("({[", *s->at) && !(*s->at == '[' && begins(s, "[["))) open++;
        if (strchr(")}]", *s->at)) open--;
    }
    return false;
}

static bool place_table(Scan *s, FrValue *value);

// scalars are made anew for each call; tables that do not stand here keep the place they have
static bool place_value(Scan *s, FrValue *value) {
    if (!value) return true;
    bool table = value->kind == FR_VALUE_LIST || value->kind == FR_VALUE_OBJECT;
    if (!table || *s->at == '{') value->place = place_here(s);
    return !table || *s->at != '{' || place_table(s, value);
}

// `name =` or `["name"] =` at this place: the member, its place set
static FrMember *place_key(Scan *s, const FrValue *object, bool *keyed) {
    Scan ahead = *s;
    bool bracket = *ahead.at == '[';
    if (bracket) pass(&ahead, 1), pass_blanks(&ahead);
    const char *name = ahead.at;
    if (ahead.at < ahead.end) pass_token(&ahead);
    size_t length = (size_t)(ahead.at - name);
    if (bracket) {
        pass_blanks(&ahead);
        if (ahead.at < ahead.end && *ahead.at == ']') pass(&ahead, 1);
        if (length >= 2 && (*name == '"' || *name == '\'')) name++, length -= 2;
    }
    pass_blanks(&ahead);
    *keyed = begins(&ahead, "=") && !begins(&ahead, "==");
    if (!*keyed) return NULL;
    FrMember *found = NULL;
    for (FrMember *m = object->kind == FR_VALUE_OBJECT ? object->first : NULL; m; m = m->next)
        if (strlen(m->key) == length && !memcmp(m->key, name, length)) found = m;
    if (found) found->place = place_here(s);
    pass(&ahead, 1);
    *s = ahead;
    return found;
}

// a table written here, and the tables written in it
static bool place_table(Scan *s, FrValue *value) {
    if (++s->depth > FR_VALUE_DEPTH) return false;
    const FrValue *list = value->kind == FR_VALUE_LIST ? value : value->items;
    FrMember *item = list ? list->first : NULL;
    for (pass(s, 1); pass_blanks(s), s->at < s->end && *s->at != '}';) {
        bool keyed;
        FrMember *member = place_key(s, value, &keyed);
        pass_blanks(s);
        if (!keyed && (member = item)) {
            item->place = place_here(s);
            item = item->next;
        }
        if (s->at >= s->end || !place_value(s, member ? (FrValue *)member->value : NULL))
            return false;
        if (!pass_item(s)) return false;
        if (*s->at != '}') pass(s, 1);
    }
    pass(s, 1);
    s->depth--;
    return true;
}

// the text from a line on; false: it is not known
static bool at_line(lua_State *L, FrPlace place, Scan *s) {
    const FrLua *lua = fr_lua_of(L);
    for (int32_t k = 0; k < lua->source_count; k++) {
        const FrLuaSource *source = &lua->source[k];
        if (strcmp(source->file, place.file)) continue;
        const char *at = source->text, *end = at + source->size;
        fr_lua_charge(L, (int64_t)source->size / 256);
        for (int32_t line = 1; at && line < place.line; line++) {
            at = memchr(at, '\n', (size_t)(end - at));
            if (at) at++;
        }
        if (!at) return false;
        if (end - at > TEXT_MAX) end = at + TEXT_MAX;
        *s = (Scan){at, end, at, place.file, place.line, 0};
        return true;
    }
    return false;
}

FrPlace fr_lua_place_of(lua_State *L, const char *word) {
    FrPlace place = fr_lua_place(L);
    Scan s;
    int32_t found = 0;
    if (!place.line || !at_line(L, place, &s)) return place;
    size_t length = strlen(word);
    char before = 0;
    for (; pass_blanks(&s), s.at < s.end && s.line == place.line;) {
        const char *start = s.at;
        int32_t column = place_here(&s).column;
        pass_token(&s);
        bool same = (size_t)(s.at - start) == length && !memcmp(start, word, length);
        if (same && before != '.' && before != ':') {
            place.column = column;
            found++;
        }
        before = *start;
    }
    if (found != 1) place.column = 0; // twice in a line: nobody knows which
    return place;
}

void fr_lua_locate(lua_State *L, FrPlace word, const FrValue *value) {
    Scan s;
    if (!word.column || !at_line(L, word, &s)) return;
    pass(&s, (size_t)word.column - 1);
    pass_token(&s);
    pass_blanks(&s);
    if (s.at < s.end && *s.at == '(') pass(&s, 1), pass_blanks(&s);
    const char *start = s.at;
    if (s.at < s.end) place_value(&s, (FrValue *)value);
    fr_lua_charge(L, (s.at - start) / 64);
}
