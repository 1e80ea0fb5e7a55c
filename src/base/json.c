// json.c: writing JSON, and numbers as text that come back bit for bit in any locale.

#include "base/json.h"
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fr_number_read(const char *text, size_t length, double *value) {
    char copy[FR_NUMBER_TEXT * 2], *end;
    if (length == 0 || length >= sizeof copy) return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    if (strspn(copy, "+-.0123456789eE") != length || copy[0] == '+' || copy[0] == '.') return false;
    // strtod wants the point of the present locale
    char *point = strchr(copy, '.');
    if (point) *point = localeconv()->decimal_point[0];
    *value = strtod(copy, &end);
    return end == copy + length && isfinite(*value);
}

void fr_number_text(double value, char text[FR_NUMBER_TEXT]) {
    if (!isfinite(value)) {
        strcpy(text, "null");
        return;
    }
    double back = 0.0;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, FR_NUMBER_TEXT, "%.*g", digits, value);
        char *point = strchr(text, localeconv()->decimal_point[0]);
        if (point) *point = '.';
        if (fr_number_read(text, strlen(text), &back) && back == value) return;
    }
}

static void put(FrJson *json, const char *text) { fr_write_bytes(json->out, text, strlen(text)); }

// length of the well-formed UTF-8 sequence at `s` (zero-ended), 0 when it is not one
static int utf8_length(const unsigned char *s) {
    if (s[0] < 0x80) return 1;
    int length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    for (int k = 1; k < length; k++)
        if ((s[k] & 0xc0) != 0x80) return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xed && s[1] >= 0xa0;
    bool beyond = s[0] == 0xf4 && s[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

static void put_quoted(FrJson *json, const char *text) {
    put(json, "\"");
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        char code[8];
        int length = utf8_length(s);
        if (*s == '"' || *s == '\\') {
            snprintf(code, sizeof code, "\\%c", *s);
            put(json, code);
        } else if (*s < 0x20 || *s == 0x7f) {
            snprintf(code, sizeof code, "\\u%04x", *s);
            put(json, code);
        } else if (length == 0) {
            put(json, "\\ufffd");
        } else {
            fr_write_bytes(json->out, s, (size_t)length);
        }
        s += length ? length : 1;
    }
    put(json, "\"");
}

static void new_line(FrJson *json) {
    if (!json->pretty) return;
    put(json, "\n");
    for (int32_t k = 0; k < json->depth; k++) put(json, "  ");
}

// comma, line and key before a value
static void start(FrJson *json, const char *key) {
    if (json->depth == 0) return;
    FR_ASSERT((key == NULL) == json->array[json->depth], "objects have keys, arrays have none");
    if (json->filled[json->depth]) put(json, ",");
    json->filled[json->depth] = true;
    new_line(json);
    if (!key) return;
    put_quoted(json, key);
    put(json, json->pretty ? ": " : ":");
}

void fr_json_begin(FrJson *json, FrWriter *out, bool pretty) {
    *json = (FrJson){.out = out, .pretty = pretty};
}

static void open_level(FrJson *json, const char *key, bool array) {
    FR_ASSERT(json->depth + 1 < (int32_t)(sizeof json->array / sizeof json->array[0]),
              "nest JSON less than 32 deep");
    start(json, key);
    put(json, array ? "[" : "{");
    json->depth++;
    json->filled[json->depth] = false;
    json->array[json->depth] = array;
}

void fr_json_object(FrJson *json, const char *key) { open_level(json, key, false); }
void fr_json_array(FrJson *json, const char *key) { open_level(json, key, true); }

void fr_json_end(FrJson *json) {
    FR_ASSERT(json->depth > 0, "close only what is open");
    bool array = json->array[json->depth], filled = json->filled[json->depth];
    json->depth--;
    if (filled) new_line(json);
    put(json, array ? "]" : "}");
    if (json->depth == 0 && json->pretty) put(json, "\n");
}

void fr_json_text(FrJson *json, const char *key, const char *text) {
    start(json, key);
    if (text)
        put_quoted(json, text);
    else
        put(json, "null");
}

void fr_json_number(FrJson *json, const char *key, double value) {
    char text[FR_NUMBER_TEXT];
    fr_number_text(value, text);
    start(json, key);
    put(json, text);
}

void fr_json_vec3(FrJson *json, const char *key, FrVec3 value) {
    fr_json_array(json, key);
    fr_json_number(json, NULL, value.x);
    fr_json_number(json, NULL, value.y);
    fr_json_number(json, NULL, value.z);
    fr_json_end(json);
}

void fr_json_int(FrJson *json, const char *key, int64_t value) {
    char text[FR_NUMBER_TEXT];
    snprintf(text, sizeof text, "%" PRId64, value);
    start(json, key);
    put(json, text);
}

void fr_json_bool(FrJson *json, const char *key, bool value) {
    start(json, key);
    put(json, value ? "true" : "false");
}

void fr_json_hash(FrJson *json, const char *key, uint64_t value) {
    char text[FR_NUMBER_TEXT];
    snprintf(text, sizeof text, "\"%016" PRIx64 "\"", value);
    start(json, key);
    put(json, text);
}
