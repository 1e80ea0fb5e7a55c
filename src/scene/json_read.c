// json_read.c: a strict JSON reader: bounded depth on its own stack, UTF-8 checked, no key twice.

#include "scene/json_read.h"
#include "base/file.h"
#include "scene/number.h"
#include <stdio.h>
#include <string.h>

typedef struct Reader {
    FrValueTree *tree;
    FrProblems *problems;
    const char *text, *file;
    size_t size, at, line_start;
    int32_t line;
    bool failed;
} Reader;

typedef struct Level {
    FrValue *value;
    const char *key; ///< waiting for its value
    FrPlace key_place;
} Level;

static FrPlace place_at(const Reader *r, size_t at) {
    return (FrPlace){
        r->file, r->line,
        (int32_t)(at - r->line_start < 1000000000 ? at - r->line_start + 1 : 1000000000)};
}

#define complain(r, at, ...)                                                                       \
    ((r)->failed = true, fr_problem((r)->problems, place_at((r), (at)), NULL, __VA_ARGS__))

// a call into the tree gave nothing: say why
static void refused(Reader *r, size_t at) {
    r->failed = true;
    if (r->tree->refused)
        fr_problem(r->problems, place_at(r, at), NULL, "%s", r->tree->refused);
    else
        r->problems->no_memory = true;
}

static int peek(Reader *r) {
    while (r->at < r->size) {
        char c = r->text[r->at];
        if (c == '\n') {
            r->line++;
            r->line_start = r->at + 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return (unsigned char)c;
        }
        r->at++;
    }
    return -1;
}

// how a byte is called in a message
static const char *seen(const Reader *r, char buffer[24]) {
    if (r->at >= r->size) return "the end of the file";
    unsigned char c = (unsigned char)r->text[r->at];
    if (c > ' ' && c < 127)
        snprintf(buffer, 24, "'%c'", c);
    else
        snprintf(buffer, 24, "byte %d", c);
    return buffer;
}

static size_t utf8_length(const unsigned char *s, size_t left) {
    if (s[0] < 0x80) return s[0] ? 1 : 0;
    size_t n = s[0] >= 0xC2 && s[0] <= 0xDF ? 2 : (s[0] & 0xF0) == 0xE0 ? 3 : 0;
    if (s[0] >= 0xF0 && s[0] <= 0xF4) n = 4;
    if (n == 0 || n > left) return 0;
    for (size_t k = 1; k < n; k++)
        if ((s[k] & 0xC0) != 0x80) return 0;
    // no overlong forms, no surrogates, nothing past U+10FFFF
    if (s[0] == 0xE0 && s[1] < 0xA0) return 0;
    if (s[0] == 0xED && s[1] > 0x9F) return 0;
    if (s[0] == 0xF0 && s[1] < 0x90) return 0;
    if (s[0] == 0xF4 && s[1] > 0x8F) return 0;
    return n;
}

bool fr_utf8_valid(const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        size_t n = utf8_length((const unsigned char *)text + at, length - at);
        if (!n) return false;
        at += n;
    }
    return true;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// four hex digits at `at`; -1: not there
static int32_t hex4(const Reader *r, size_t at) {
    int32_t code = 0;
    if (r->size - at < 4 || at > r->size) return -1;
    for (size_t k = 0; k < 4; k++) {
        int digit = hex_digit(r->text[at + k]);
        if (digit < 0) return -1;
        code = code * 16 + digit;
    }
    return code;
}

static char *put_utf8(char *to, int32_t c) {
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xC0 | (c >> 6));
        *to++ = (char)(0x80 | (c & 63));
    } else if (c < 0x10000) {
        *to++ = (char)(0xE0 | (c >> 12));
        *to++ = (char)(0x80 | ((c >> 6) & 63));
        *to++ = (char)(0x80 | (c & 63));
    } else {
        *to++ = (char)(0xF0 | (c >> 18));
        *to++ = (char)(0x80 | ((c >> 12) & 63));
        *to++ = (char)(0x80 | ((c >> 6) & 63));
        *to++ = (char)(0x80 | (c & 63));
    }
    return to;
}

// \uXXXX, with its second half where it is a pair; r->at stands on the u
static char *read_code(Reader *r, char *to) {
    int32_t code = hex4(r, r->at + 1);
    if (code >= 0xD800 && code < 0xDC00) {
        bool pair = r->size - r->at > 10 && r->text[r->at + 5] == '\\' && r->text[r->at + 6] == 'u';
        int32_t low = pair ? hex4(r, r->at + 7) : -1;
        if (low < 0xDC00 || low > 0xDFFF) return NULL;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        r->at += 6;
    } else if (code <= 0 || (code >= 0xDC00 && code <= 0xDFFF)) {
        return NULL;
    }
    r->at += 5;
    return put_utf8(to, code);
}

static char *read_escape(Reader *r, char *to) {
    static const char names[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    r->at++;
    char c = r->at < r->size ? r->text[r->at] : 0;
    if (c == 'u') return read_code(r, to);
    const char *found = c ? strchr(names, c) : NULL;
    if (!found) return NULL;
    *to++ = means[found - names];
    r->at++;
    return to;
}

// bytes of the text up to its closing quote, escapes still in it; SIZE_MAX: there is none
static size_t text_extent(const Reader *r) {
    for (size_t k = r->at; k < r->size; k++) {
        if (r->text[k] == '"') return k - r->at;
        if (r->text[k] == '\\') k++;
    }
    return SIZE_MAX;
}

// r->at stands on the opening quote; decoded text in the arena
static char *read_text(Reader *r) {
    size_t start = r->at++;
    size_t extent = text_extent(r);
    if (extent == SIZE_MAX) return complain(r, start, "this text has no closing quote"), NULL;
    char *text = fr_arena_alloc(&r->tree->arena, extent + 1, 1), *to = text;
    if (!text) return refused(r, start), NULL;
    while (r->text[r->at] != '"') {
        const unsigned char *c = (const unsigned char *)r->text + r->at;
        size_t n = *c == '\\' ? 0 : utf8_length(c, r->size - r->at);
        if (*c == '\\') {
            size_t at = r->at;
            to = read_escape(r, to);
            if (!to) return complain(r, at, "this is not an escape JSON knows"), NULL;
        } else if (*c < ' ') {
            return complain(r, r->at, "byte %d inside a text; write it as an escape", *c), NULL;
        } else if (n == 0) {
            return complain(r, r->at, "byte %d is not UTF-8", *c), NULL;
        } else {
            memcpy(to, c, n);
            to += n;
            r->at += n;
        }
    }
    r->at++;
    return text;
}

static const FrValue *read_number(Reader *r) {
    size_t start = r->at, left = r->size - start;
    double number;
    size_t taken = fr_number_scan(r->text + start, left, &number);
    const char *t = r->text + start;
    size_t first = t[0] == '-';
    bool zero_first =
        taken > first + 1 && t[first] == '0' && t[first + 1] >= '0' && t[first + 1] <= '9';
    bool digit_first = taken > first && t[first] >= '0' && t[first] <= '9';
    if (!taken || !digit_first || zero_first)
        return complain(r, start, "this is not a finite JSON number"), NULL;
    r->at += taken;
    FrValue *value = fr_value_new(r->tree, FR_VALUE_NUMBER, place_at(r, start));
    if (!value) return refused(r, start), NULL;
    value->number = number + 0.0; // -0 becomes 0
    return value;
}

static const FrValue *read_word(Reader *r) {
    static const char *const words[] = {"null", "true", "false"};
    for (int k = 0; k < 3; k++) {
        size_t n = strlen(words[k]);
        if (r->size - r->at < n || memcmp(r->text + r->at, words[k], n)) continue;
        FrValue *value =
            fr_value_new(r->tree, k ? FR_VALUE_BOOL : FR_VALUE_NULL, place_at(r, r->at));
        if (!value) return refused(r, r->at), NULL;
        value->truth = k == 1;
        r->at += n;
        return value;
    }
    char buffer[24];
    return complain(r, r->at, "found %s where a value was expected", seen(r, buffer)), NULL;
}

static const FrValue *read_scalar(Reader *r) {
    size_t start = r->at;
    char c = r->text[r->at];
    if (c == '-' || (c >= '0' && c <= '9')) return read_number(r);
    if (c != '"') return read_word(r);
    const char *text = read_text(r);
    if (!text) return NULL;
    FrValue *value = fr_value_new(r->tree, FR_VALUE_TEXT, place_at(r, start));
    if (!value) return refused(r, start), NULL;
    value->text = text;
    return value;
}

// "key" : in front of a value of the object on top
static void read_key(Reader *r, Level *top) {
    char buffer[24];
    if (peek(r) != '"') {
        complain(r, r->at, "found %s where a key in quotes was expected", seen(r, buffer));
        return;
    }
    top->key_place = place_at(r, r->at);
    top->key = read_text(r);
    if (!top->key) return;
    if (fr_value_find(top->value, top->key)) {
        r->failed = true;
        fr_problem(r->problems, top->key_place, NULL, "the key \"%.60s\" is here twice", top->key);
        return;
    }
    if (peek(r) != ':') {
        complain(r, r->at, "found %s where ':' was expected", seen(r, buffer));
        return;
    }
    r->at++;
}

// after a value, or after an opening bracket: closes what ends here and stands before the next
// value
static void read_between(Reader *r, Level *stack, int *depth, bool opened) {
    char buffer[24];
    while (*depth > 0 && !r->failed) {
        Level *top = &stack[*depth - 1];
        bool object = top->value->kind == FR_VALUE_OBJECT;
        int c = peek(r);
        if (c == (object ? '}' : ']')) {
            r->at++;
            // the container is complete: hand it to the one around it
            if (--*depth > 0) {
                Level *outer = &stack[*depth - 1];
                if (!fr_value_add(r->tree, outer->value, outer->key, outer->key_place, top->value))
                    refused(r, r->at);
            }
            opened = false;
            continue;
        }
        if (!opened && c != ',') {
            complain(r, r->at, "found %s where ',' or '%c' was expected", seen(r, buffer),
                     object ? '}' : ']');
            return;
        }
        if (!opened) r->at++;
        if (object) read_key(r, top);
        return;
    }
}

static const FrValue *read_document(Reader *r, Level *stack) {
    const FrValue *root = NULL;
    int depth = 0;
    do {
        int c = peek(r);
        if (c < 0) return complain(r, r->at, "the text ends where a value was expected"), NULL;
        bool opened = c == '{' || c == '[';
        if (opened) {
            if (depth == FR_VALUE_DEPTH - 1) return complain(r, r->at, "nested too deeply"), NULL;
            FrValue *value = fr_value_new(r->tree, c == '{' ? FR_VALUE_OBJECT : FR_VALUE_LIST,
                                          place_at(r, r->at));
            if (!value) return refused(r, r->at), NULL;
            stack[depth++] = (Level){value, NULL, value->place};
            if (!root) root = value;
            r->at++;
        } else {
            const FrValue *value = read_scalar(r);
            if (!value) return NULL;
            if (!root) root = value;
            Level *top = depth ? &stack[depth - 1] : NULL;
            if (top && !fr_value_add(r->tree, top->value, top->key, top->key_place, value))
                return refused(r, r->at), NULL;
        }
        read_between(r, stack, &depth, opened);
        if (r->failed) return NULL;
    } while (depth > 0);
    return root;
}

const FrValue *fr_json_read(FrValueTree *tree, const char *text, size_t size, const char *file,
                            FrProblems *problems) {
    Reader r = {
        .tree = tree, .problems = problems, .text = text, .size = size, .file = file, .line = 1};
    Level stack[FR_VALUE_DEPTH];
    r.at = r.line_start = fr_text_mark(text, size);
    const FrValue *root = read_document(&r, stack);
    char buffer[24];
    if (root && peek(&r) >= 0)
        return complain(&r, r.at, "found %s after the end of the scene", seen(&r, buffer)), NULL;
    return root;
}

void fr_json_write_text(FrWriter *writer, const char *text) {
    fr_write_u8(writer, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char escape[8];
        if (c == '"' || c == '\\')
            snprintf(escape, sizeof escape, "\\%c", c);
        else if (c == '\n')
            snprintf(escape, sizeof escape, "\\n");
        else if (c == '\t')
            snprintf(escape, sizeof escape, "\\t");
        else if (c < ' ' || c == 127)
            snprintf(escape, sizeof escape, "\\u%04x", c);
        else
            snprintf(escape, sizeof escape, "%c", c);
        fr_write_bytes(writer, escape, strlen(escape));
    }
    fr_write_u8(writer, '"');
}
