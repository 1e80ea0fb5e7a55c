// material_json.c: a material as one flat JSON object: a table of fields drives both directions.

#include "record/material_json.h"
#include "base/json.h"
#include <ctype.h>
#include <stddef.h>
#include <string.h>

typedef struct Field {
    const char *name;
    size_t offset;
    int32_t count; ///< numbers in a row; more than one: an array
    bool narrow;   ///< float
} Field;

#define WIDE(f)                                                                                    \
    { #f, offsetof(FrMaterial, f), 1, false }
#define NARROW(f)                                                                                  \
    { #f, offsetof(FrMaterial, f), 1, true }
static const Field fields[] = {WIDE(density),
                               WIDE(lambda),
                               WIDE(mu),
                               {"C", offsetof(FrMaterial, C), 36, false},
                               WIDE(alpha1),
                               WIDE(alpha2),
                               WIDE(phi),
                               WIDE(psi),
                               WIDE(eta),
                               WIDE(friction_static),
                               WIDE(friction_dynamic),
                               WIDE(restitution),
                               WIDE(strength),
                               WIDE(Gc),
                               WIDE(tau),
                               WIDE(yield_strain),
                               WIDE(plastic_limit),
                               WIDE(crack_alpha),
                               WIDE(creep),
                               WIDE(conductivity),
                               WIDE(heat_capacity),
                               WIDE(cooling),
                               WIDE(softens),
                               WIDE(melts),
                               {"colour", offsetof(FrMaterial, colour), 3, true},
                               NARROW(roughness),
                               NARROW(metallic),
                               NARROW(opacity),
                               {"inside", offsetof(FrMaterial, inside), 3, true}};

static double get(const FrMaterial *material, const Field *field, int32_t k) {
    const char *at = (const char *)material + field->offset;
    float narrow;
    double wide;
    if (!field->narrow) return memcpy(&wide, at + (size_t)k * sizeof wide, sizeof wide), wide;
    memcpy(&narrow, at + (size_t)k * sizeof narrow, sizeof narrow);
    return (double)narrow;
}

static void set(FrMaterial *material, const Field *field, int32_t k, double wide) {
    char *at = (char *)material + field->offset;
    float narrow = (float)wide;
    if (field->narrow)
        memcpy(at + (size_t)k * sizeof narrow, &narrow, sizeof narrow);
    else
        memcpy(at + (size_t)k * sizeof wide, &wide, sizeof wide);
}

static bool all_zero(const FrMaterial *material, const Field *field) {
    for (int32_t k = 0; k < field->count; k++)
        if (get(material, field, k) != 0.0) return false;
    return true;
}

void fr_material_json_write(const FrMaterial *material, FrWriter *out) {
    char name[sizeof material->name + 1] = {0};
    memcpy(name, material->name, sizeof material->name);
    FrJson json;
    fr_json_begin(&json, out, false);
    fr_json_object(&json, NULL);
    fr_json_text(&json, "name", name);
    if (material->anisotropic) fr_json_bool(&json, "anisotropic", true);
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        const Field *field = &fields[f];
        if (all_zero(material, field)) continue;
        if (field->count > 1) fr_json_array(&json, field->name);
        for (int32_t k = 0; k < field->count; k++)
            fr_json_number(&json, field->count > 1 ? NULL : field->name, get(material, field, k));
        if (field->count > 1) fr_json_end(&json);
    }
    fr_json_end(&json);
}

// a bounded cursor; texts are short, so they are copied out
typedef struct Cursor {
    FrContext *ctx;
    const char *text;
    size_t size, at;
} Cursor;

static FrResult expected(Cursor *c, const char *what) {
    return fr_fail(c->ctx, FR_BAD_INPUT, "material: byte %zu: %s expected", c->at, what);
}

static void skip_space(Cursor *c) {
    while (c->at < c->size && strchr(" \t\r\n", c->text[c->at]) && c->text[c->at]) c->at++;
}

static bool accept(Cursor *c, char wanted) {
    skip_space(c);
    if (c->at >= c->size || c->text[c->at] != wanted) return false;
    c->at++;
    return true;
}

static FrResult read_escape(Cursor *c, char *value) {
    if (c->at < c->size && strchr("\"\\/", c->text[c->at]) && c->text[c->at])
        return *value = c->text[c->at++], FR_OK;
    unsigned code = 0;
    if (c->at + 5 > c->size || c->text[c->at] != 'u') return expected(c, "an escape");
    for (int k = 1; k <= 4; k++) {
        int digit = tolower((unsigned char)c->text[c->at + (size_t)k]);
        if (!isxdigit(digit)) return expected(c, "four hex digits");
        code = code * 16 + (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    c->at += 5;
    *value = code && code < 0x80 ? (char)code : '?';
    return FR_OK;
}

static FrResult read_text(Cursor *c, char *out, size_t room) {
    size_t used = 0;
    if (!accept(c, '"')) return expected(c, "a text in quotes");
    while (c->at < c->size && c->text[c->at] != '"') {
        char value = c->text[c->at++];
        if (value == '\\') FR_TRY(read_escape(c, &value));
        if ((unsigned char)value < 0x20) return expected(c, "a printable character");
        if (used + 1 < room) out[used++] = value;
    }
    out[used] = 0;
    return accept(c, '"') ? FR_OK : expected(c, "a closing quote");
}

static FrResult read_number(Cursor *c, double *value) {
    skip_space(c);
    size_t start = c->at;
    while (c->at < c->size && c->text[c->at] && strchr("+-.0123456789eE", c->text[c->at])) c->at++;
    if (fr_number_read(c->text + start, c->at - start, value)) return FR_OK;
    c->at = start;
    return expected(c, "a finite number");
}

static const Field *find_field(const char *name) {
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++)
        if (!strcmp(fields[f].name, name)) return &fields[f];
    return NULL;
}

static FrResult read_numbers(Cursor *c, const Field *field, FrMaterial *material) {
    int32_t wanted = field ? field->count : -1, k = 0;
    double value;
    if (!accept(c, '[')) return expected(c, "[");
    do {
        FR_TRY(read_number(c, &value));
        if (field && k >= wanted) return expected(c, "] (too many numbers)");
        if (field) set(material, field, k, value);
        k++;
    } while (accept(c, ','));
    if (field && k != wanted) return expected(c, ", (too few numbers)");
    return accept(c, ']') ? FR_OK : expected(c, "]");
}

static FrResult read_word(Cursor *c, bool *value) {
    *value = c->size - c->at >= 4 && !memcmp(c->text + c->at, "true", 4);
    if (!*value && (c->size - c->at < 5 || memcmp(c->text + c->at, "false", 5)))
        return expected(c, "a number, a text, true or false");
    c->at += *value ? 4 : 5;
    return FR_OK;
}

static FrResult read_value(Cursor *c, const char *key, FrMaterial *material) {
    const Field *field = find_field(key);
    char ignored[8];
    double number = 0.0;
    bool word = false, is_name = !strcmp(key, "name");
    skip_space(c);
    char first = c->at < c->size ? c->text[c->at] : 0;
    if (field && field->count > 1) return read_numbers(c, field, material);
    if (is_name) return read_text(c, material->name, sizeof material->name);
    if (field || first == '-' || isdigit((unsigned char)first)) {
        FR_TRY(read_number(c, &number));
        if (field) set(material, field, 0, number);
        return FR_OK;
    }
    if (first == '[') return read_numbers(c, NULL, material);
    if (first == '"') return read_text(c, ignored, sizeof ignored);
    FR_TRY(read_word(c, &word));
    if (!strcmp(key, "anisotropic")) material->anisotropic = word;
    return FR_OK;
}

FrResult fr_material_json_read(FrContext *ctx, const char *json, size_t size,
                               FrMaterial *material) {
    Cursor c = {ctx, json, size, 0};
    memset(material, 0, sizeof *material);
    if (!accept(&c, '{')) return expected(&c, "{");
    if (!accept(&c, '}')) {
        do {
            char key[32];
            skip_space(&c);
            FR_TRY(read_text(&c, key, sizeof key));
            if (!accept(&c, ':')) return expected(&c, ":");
            FR_TRY(read_value(&c, key, material));
        } while (accept(&c, ','));
        if (!accept(&c, '}')) return expected(&c, "}");
    }
    skip_space(&c);
    return c.at == c.size ? FR_OK : expected(&c, "nothing more");
}
