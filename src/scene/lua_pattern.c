// lua_pattern.c: matching of Lua patterns by backtracking over counted steps.

#include "scene/lua_pattern.h"
#include <ctype.h>
#include <string.h>

#define DEPTH_MAX 180

typedef unsigned char Byte;

// one item of a pattern: a single-character class [from, to) and how often it may come
typedef struct Item {
    const char *from, *to, *next;
    char repeat; ///< * + - ? or 0
} Item;

static const char *set_end(FrPattern *m, const char *p) {
    p++; // [
    if (p < m->end && *p == '^') p++;
    do { // a ] in first place is a plain character
        if (p >= m->end) luaL_error(m->L, "malformed pattern (missing ']')");
        if (*p++ == '%') p++;
    } while (p >= m->end || *p != ']');
    return p + 1;
}

static Item read_item(FrPattern *m, const char *p) {
    Item item = {p, p + 1, NULL, 0};
    if (*p == '%') {
        if (p + 1 >= m->end) luaL_error(m->L, "malformed pattern (ends with '%%')");
        item.to = p + 2;
    } else if (*p == '[') {
        item.to = set_end(m, p);
    }
    item.next = item.to;
    if (item.to < m->end && strchr("*+-?", *item.to) && *item.to) {
        item.repeat = *item.to;
        item.next++;
    }
    return item;
}

static bool in_class(Byte c, Byte name) {
    bool is;
    switch (tolower(name)) {
    case 'a':
        is = isalpha(c);
        break;
    case 'c':
        is = iscntrl(c);
        break;
    case 'd':
        is = isdigit(c);
        break;
    case 'g':
        is = isgraph(c);
        break;
    case 'l':
        is = islower(c);
        break;
    case 'p':
        is = ispunct(c);
        break;
    case 's':
        is = isspace(c);
        break;
    case 'u':
        is = isupper(c);
        break;
    case 'w':
        is = isalnum(c);
        break;
    case 'x':
        is = isxdigit(c);
        break;
    default:
        return c == name;
    }
    return isupper(name) ? !is : is;
}

// from stands on [, to behind ]
static bool in_set(Byte c, const char *from, const char *to) {
    const char *p = from + 1, *last = to - 1;
    bool found = false, inverted = *p == '^';
    if (inverted) p++;
    while (p < last && !found) {
        if (*p == '%') {
            found = in_class(c, (Byte)p[1]);
            p += 2;
        } else if (p + 2 < last && p[1] == '-') {
            found = (Byte)p[0] <= c && c <= (Byte)p[2];
            p += 3;
        } else {
            found = (Byte)*p == c;
            p++;
        }
    }
    return found != inverted;
}

static bool fits(const FrPattern *m, const char *at, const Item *item) {
    if (at >= m->text_end) return false;
    fr_lua_charge(m->L, 1);
    Byte c = (Byte)*at;
    if (*item->from == '[') return in_set(c, item->from, item->to);
    if (*item->from == '%') return in_class(c, (Byte)item->from[1]);
    return *item->from == '.' || (Byte)*item->from == c;
}

// %bxy: from an x to the y that balances it
static const char *match_balance(FrPattern *m, const char *at, const char *p) {
    if (m->end - p < 4) luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    if (at >= m->text_end || *at != p[2]) return NULL;
    int depth = 1;
    for (const char *s = at + 1; s < m->text_end; s++) {
        fr_lua_charge(m->L, 1);
        if (*s == p[3]) {
            if (--depth == 0) return s + 1;
        } else if (*s == p[2]) {
            depth++;
        }
    }
    return NULL;
}

// %f[set]: between a character outside the set and one inside
static bool at_frontier(FrPattern *m, const char *at, const char *p, const char **next) {
    p += 2;
    if (p >= m->end || *p != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
    *next = set_end(m, p);
    Byte before = at == m->text ? 0 : (Byte)at[-1];
    Byte here = at < m->text_end ? (Byte)*at : 0;
    return !in_set(before, p, *next) && in_set(here, p, *next);
}

// %1: the same text again
static const char *match_again(FrPattern *m, const char *at, char digit) {
    int32_t k = digit - '1';
    if (k < 0 || k >= m->count || m->capture[k].length == FR_PATTERN_OPEN)
        luaL_error(m->L, "invalid capture index %%%d", k + 1);
    ptrdiff_t length = m->capture[k].length;
    if (length < 0 || m->text_end - at < length) return NULL;
    fr_lua_charge(m->L, length / 16 + 1);
    return memcmp(m->capture[k].start, at, (size_t)length) ? NULL : at + length;
}

static const char *open_capture(FrPattern *m, const char *at, const char *p, ptrdiff_t length) {
    if (m->count >= FR_PATTERN_CAPTURES) luaL_error(m->L, "too many captures");
    m->capture[m->count].start = at;
    m->capture[m->count].length = length;
    m->count++;
    const char *end = fr_pattern_match(m, at, p);
    if (!end) m->count--;
    return end;
}

static const char *close_capture(FrPattern *m, const char *at, const char *p) {
    int32_t k = m->count - 1;
    while (k >= 0 && m->capture[k].length != FR_PATTERN_OPEN) k--;
    if (k < 0) luaL_error(m->L, "invalid pattern capture");
    m->capture[k].length = at - m->capture[k].start;
    const char *end = fr_pattern_match(m, at, p);
    if (!end) m->capture[k].length = FR_PATTERN_OPEN;
    return end;
}

static const char *match_longest(FrPattern *m, const char *at, const Item *item, ptrdiff_t least) {
    ptrdiff_t n = 0;
    while (fits(m, at + n, item)) n++;
    for (; n >= least; n--) {
        const char *end = fr_pattern_match(m, at + n, item->next);
        if (end) return end;
    }
    return NULL;
}

static const char *match_shortest(FrPattern *m, const char *at, const Item *item) {
    for (;; at++) {
        const char *end = fr_pattern_match(m, at, item->next);
        if (end) return end;
        if (!fits(m, at, item)) return NULL;
    }
}

// what stands for itself, not for a class: ( ) $ %b %f %1. False: it is an ordinary item
static bool match_special(FrPattern *m, const char **at, const char **p, bool *done) {
    const char *q = *p;
    *done = true;
    if (*q == '(') {
        bool place = q + 1 < m->end && q[1] == ')';
        *at = place ? open_capture(m, *at, q + 2, FR_PATTERN_PLACE)
                    : open_capture(m, *at, q + 1, FR_PATTERN_OPEN);
        return true;
    }
    if (*q == ')') return *at = close_capture(m, *at, q + 1), true;
    if (*q == '$' && q + 1 == m->end) return *at = *at == m->text_end ? *at : NULL, true;
    if (*q != '%' || q + 1 >= m->end) return false;
    *done = false;
    if (q[1] == 'b') {
        *at = match_balance(m, *at, q);
        *p = q + 4;
    } else if (q[1] == 'f') {
        if (!at_frontier(m, *at, q, p)) *at = NULL;
    } else if (q[1] >= '0' && q[1] <= '9') {
        *at = match_again(m, *at, q[1]);
        *p = q + 2;
    } else {
        return false;
    }
    return true;
}

static const char *match_items(FrPattern *m, const char *at, const char *p) {
    while (p < m->end) {
        bool done;
        fr_lua_charge(m->L, 1);
        if (match_special(m, &at, &p, &done)) {
            if (done || !at) return at;
            continue;
        }
        Item item = read_item(m, p);
        if (item.repeat == '*') return match_longest(m, at, &item, 0);
        if (item.repeat == '+') return match_longest(m, at, &item, 1);
        if (item.repeat == '-') return match_shortest(m, at, &item);
        bool here = fits(m, at, &item);
        if (item.repeat == '?') {
            const char *end = here ? fr_pattern_match(m, at + 1, item.next) : NULL;
            if (end) return end;
        } else if (here) {
            at++;
        } else {
            return NULL;
        }
        p = item.next;
    }
    return at;
}

const char *fr_pattern_match(FrPattern *m, const char *at, const char *pattern) {
    if (++m->depth > DEPTH_MAX) luaL_error(m->L, "pattern too complex");
    const char *end = match_items(m, at, pattern);
    m->depth--;
    return end;
}
