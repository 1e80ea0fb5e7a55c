// read_scalar.c: numbers with units, words, vectors, names of bodies and materials.

#include "scene/read.h"
#include "base/file.h"
#include "math/vec.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX 4096

// "a length (m)"
static const char *wanted_number(const FrField *field, char *buffer, size_t size) {
    if (field->dimension == FR_DIM_NONE)
        snprintf(buffer, size, "a number");
    else
        snprintf(buffer, size, "a number (%s in %s)", fr_dimension_name(field->dimension),
                 fr_dimension_unit(field->dimension));
    return buffer;
}

bool fr_read_unknown(FrSceneReader *r, const FrValue *value) {
    if (value->kind != FR_VALUE_UNKNOWN) return false;
    r->problems->count++;
    r->problems->repeats++;
    return true;
}

static void expected(FrSceneReader *r, const char *wanted, const FrValue *value,
                     const FrPath *path) {
    char found[64];
    if (fr_read_unknown(r, value)) return;
    fr_problem(r->problems, value->place, path, "expected %s, found %s", wanted,
               fr_value_describe(value, found, sizeof found));
}

// "; allowed: km, m, cm, mm, um, inch, in", or the unit of what has no name of its own: "; allowed:
// m/s"
static const char *allowed_units(FrDimension dimension, char *buffer, size_t size) {
    size_t used = 0;
    buffer[0] = 0;
    for (int32_t k = 0; dimension != FR_DIM_NONE && k < fr_unit_count; k++)
        if (fr_dimension_is(dimension, fr_units[k].powers) && used < size)
            used += (size_t)snprintf(buffer + used, size - used, "%s%s",
                                     used ? ", " : "; allowed: ", fr_units[k].name);
    if (!used && dimension != FR_DIM_NONE)
        snprintf(buffer, size, "; allowed: %s", fr_dimension_unit(dimension));
    return buffer;
}

// "60cm": false when a problem was added
static bool read_quantity(FrSceneReader *r, const FrField *field, const FrValue *value,
                          double *number, const FrPath *path) {
    FrPowers powers;
    bool has_unit;
    char bad[FR_NUMBER_ROOM], wanted[80], units[120];
    switch (fr_quantity_parse(value->text, number, &powers, &has_unit, bad)) {
    case FR_QUANTITY_NO_NUMBER:
        expected(r, wanted_number(field, wanted, sizeof wanted), value, path);
        return false;
    case FR_QUANTITY_BAD_UNIT:
        fr_problem(r->problems, value->place, path, "\"%.40s\": unknown unit \"%s\"%s", value->text,
                   bad, allowed_units(field->dimension, units, sizeof units));
        return false;
    case FR_QUANTITY_OK:
        break;
    }
    if (has_unit && fr_dimension_is(field->dimension, powers)) return true;
    if (!has_unit && (field->dimension == FR_DIM_NONE || *number == 0.0)) return true;
    if (has_unit && field->dimension != FR_DIM_NONE)
        fr_problem(r->problems, value->place, path, "\"%.40s\": %s is no unit of %s%s", value->text,
                   fr_powers_print(powers, bad), fr_dimension_name(field->dimension),
                   allowed_units(field->dimension, units, sizeof units));
    else
        fr_problem(r->problems, value->place, path, "expected %s, found \"%.40s\"%s",
                   wanted_number(field, wanted, sizeof wanted), value->text,
                   has_unit ? "" : " without a unit");
    return false;
}

// Lua's unit words are numbers, and a script may leave some of them out of a formula: a number
// whose units do not fit is warned of, once for each place, and taken
static void question_unit(FrSceneReader *r, const FrField *field, const FrValue *value,
                          const FrPath *path) {
    FrPlace place = value->place;
    char where[300], found[FR_NUMBER_ROOM], wanted[80], column[16] = "";
    if (fr_dimension_is(FR_DIM_NONE, value->powers)) return;
    if (fr_dimension_is(field->dimension, value->powers)) return;
    for (int32_t k = 0; k < r->warned_count; k++)
        if (r->warned[k].line == place.line && r->warned[k].column == place.column) return;
    if (r->options->quiet || r->warned_count == FR_READ_WARNINGS) return;
    r->warned[r->warned_count++] = place;
    if (place.column) snprintf(column, sizeof column, ":%d", place.column);
    fr_log(r->ctx, FR_LOG_WARNING, "%s:%d%s: %s: its unit is %s; wanted: %s", place.file,
           place.line, column, fr_path_print(path, where, sizeof where),
           fr_powers_print(value->powers, found), wanted_number(field, wanted, sizeof wanted));
}

// number in the unit scenes use, within its bounds; false when a problem was added
static bool read_number(FrSceneReader *r, const FrField *field, const FrValue *value,
                        double *number, const FrPath *path) {
    char wanted[80], a[FR_NUMBER_ROOM], b[FR_NUMBER_ROOM], c[FR_NUMBER_ROOM];
    if (value->kind == FR_VALUE_TEXT) {
        if (!read_quantity(r, field, value, number, path)) return false;
    } else if (value->kind == FR_VALUE_NUMBER) {
        *number = value->number;
        question_unit(r, field, value, path);
    } else {
        expected(r, wanted_number(field, wanted, sizeof wanted), value, path);
        return false;
    }
    if (*number >= field->min && *number <= field->max) return true;
    bool plain = field->dimension == FR_DIM_NONE;
    fr_problem(r->problems, value->place, path, "%s%s%s is out of range; allowed: %s to %s",
               fr_number_print(*number, a), plain ? "" : " ",
               plain ? "" : fr_dimension_unit(field->dimension), fr_number_print(field->min, b),
               fr_number_print(field->max, c));
    return false;
}

static double to_si(const FrField *field, double number) {
    bool angle = field->dimension == FR_DIM_ANGLE || field->dimension == FR_DIM_SPIN;
    return (angle ? number * (FR_PI / 180.0) : number) + 0.0; // no -0
}

static const FrValue *follow_param(FrSceneReader *r, const FrValue *value, FrValue *stand_in,
                                   const FrPath *path);

// n doubles in a row; where they may be alike, one for all
static void read_vector(FrSceneReader *r, const FrField *field, const FrValue *value, double *at,
                        int32_t n, const FrPath *path) {
    char wanted[80];
    if (value->kind == FR_VALUE_NULL) {
        for (int32_t k = 0; k < n; k++) at[k] = (double)NAN;
        return;
    }
    if (field->alike && value->kind != FR_VALUE_LIST) {
        double number;
        if (!read_number(r, field, value, &number, path)) return;
        for (int32_t k = 0; k < n; k++) at[k] = to_si(field, number);
        return;
    }
    if (value->kind != FR_VALUE_LIST || value->count != n) {
        bool plain = field->dimension == FR_DIM_NONE;
        snprintf(wanted, sizeof wanted, "a list of %d numbers%s%s%s", n, plain ? "" : " (",
                 plain ? "" : fr_dimension_unit(field->dimension), plain ? "" : ")");
        expected(r, wanted, value, path);
        return;
    }
    const FrMember *m = value->first;
    for (int32_t k = 0; k < n; k++, m = m->next) {
        FrPath here = {path, NULL, k + 1};
        FrValue stand_in;
        const FrValue *item = follow_param(r, m->value, &stand_in, &here);
        double number;
        if (item && read_number(r, field, item, &number, &here)) at[k] = to_si(field, number);
    }
}

static const char *choice_name(const void *user, int32_t k) {
    return ((const char *const *)user)[k];
}

static void read_choice(FrSceneReader *r, const FrField *field, const FrValue *value, void *at,
                        const FrPath *path) {
    char list[300] = "", meant[100];
    int32_t count = 0;
    for (; field->choices[count]; count++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", count ? ", " : "", field->choices[count]);
        if (value->kind == FR_VALUE_TEXT && !strcmp(value->text, field->choices[count])) {
            memcpy(at, &count, sizeof count);
            return;
        }
    }
    if (value->kind != FR_VALUE_TEXT) {
        char wanted[340];
        snprintf(wanted, sizeof wanted, "one of %s", list);
        expected(r, wanted, value, path);
        return;
    }
    const char *near = fr_suggest(value->text, choice_name, field->choices, count);
    fr_problem(r->problems, value->place, path, "\"%.60s\" is not one of %s%s", value->text, list,
               fr_suggest_text(near, meant, sizeof meant));
}

static void store_text(FrSceneReader *r, const char *text, void *at) {
    const char *copy = fr_arena_text(r->arena, text, strlen(text));
    if (!copy) r->problems->no_memory = true;
    memcpy(at, &copy, sizeof copy);
}

// text without control bytes, not too long
static bool read_text(FrSceneReader *r, const FrValue *value, void *at, const FrPath *path) {
    store_text(r, "", at); // never NULL, whatever comes
    if (value->kind != FR_VALUE_TEXT) return expected(r, "a text", value, path), false;
    if (strlen(value->text) > TEXT_MAX) {
        fr_problem(r->problems, value->place, path, "text of %zu bytes; allowed: %d",
                   strlen(value->text), TEXT_MAX);
        return false;
    }
    for (const char *c = value->text; *c; c++)
        if ((unsigned char)*c < ' ' && *c != '\n') {
            fr_problem(r->problems, value->place, path, "byte %d inside a text", *c);
            return false;
        }
    store_text(r, value->text, at);
    return true;
}

static void read_file(FrSceneReader *r, const FrValue *value, void *at, const FrPath *path) {
    if (!read_text(r, value, at, path)) return;
    if (value->text[0] == 0) {
        fr_problem(r->problems, value->place, path, "the name of a file is missing");
        return;
    }
    if (r->folder[0] == 0 || r->options->skip_files) return;
    char *full = fr_path_join(r->ctx, r->folder, value->text);
    if (!full)
        r->problems->no_memory = true;
    else if (access(full, R_OK))
        fr_problem(r->problems, value->place, path, "cannot read the file %.300s", full);
    fr_free(r->ctx, full);
}

static const char *material_name(const void *user, int32_t k) {
    const FrSceneReader *r = user;
    if (k < r->scene->materials_count) return r->scene->materials[k].name;
    const FrSceneLibrary *library = &r->options->library;
    return library->material_name(library->user, k - r->scene->materials_count);
}

static void read_material(FrSceneReader *r, const FrField *field, const FrValue *value, void *at,
                          const FrPath *path) {
    const FrSceneLibrary *library = &r->options->library;
    char meant[100];
    if (!read_text(r, value, at, path)) return;
    if (value->text[0] == 0 && field->fallback && !strcmp(field->fallback, "\"\"")) return;
    if (fr_scene_find_material(r->scene, value->text) >= 0) return;
    if (!library->has_material || library->has_material(library->user, value->text)) return;
    int32_t count =
        r->scene->materials_count + (library->material_name ? library->material_count : 0);
    const char *near = library->everyday_material ? library->everyday_material(value->text) : NULL;
    if (!near) near = fr_suggest(value->text, material_name, r, count);
    fr_problem(r->problems, value->place, path, "no material \"%.60s\"%s", value->text,
               fr_suggest_text(near, meant, sizeof meant));
}

static const char *body_name(const void *user, int32_t k) {
    return ((const FrScene *)user)->bodies[k].name;
}

// a body or, after all bodies, a sphere
static const char *solid_name(const void *user, int32_t k) {
    const FrScene *scene = user;
    return k < scene->bodies_count ? scene->bodies[k].name
                                   : scene->spheres[k - scene->bodies_count].name;
}

static void read_solid(FrSceneReader *r, const FrValue *value, int32_t *at, const FrPath *path) {
    const FrScene *scene = r->scene;
    int32_t count = scene->bodies_count + scene->spheres_count;
    char meant[100];
    *at = -1;
    if (value->kind == FR_VALUE_NULL) return;
    if (value->kind != FR_VALUE_TEXT) {
        expected(r, "a body or a sphere (what body {...} returned, or its name)", value, path);
        return;
    }
    for (int32_t k = 0; k < count; k++)
        if (!strcmp(solid_name(scene, k), value->text)) {
            *at = k;
            return;
        }
    const char *near = fr_suggest(value->text, solid_name, scene, count);
    fr_problem(r->problems, value->place, path, "no body or sphere \"%.60s\"%s", value->text,
               fr_suggest_text(near, meant, sizeof meant));
}

static void read_body(FrSceneReader *r, const FrValue *value, int32_t *at, const FrPath *path) {
    const FrScene *scene = r->scene;
    char meant[100];
    *at = -1;
    if (value->kind == FR_VALUE_NULL) return;
    if (value->kind != FR_VALUE_TEXT) {
        expected(r, "a body (what body {...} returned, or its name)", value, path);
        return;
    }
    for (int32_t k = 0; k < scene->bodies_count; k++)
        if (!strcmp(scene->bodies[k].name, value->text)) {
            *at = k;
            return;
        }
    for (int32_t k = 0; k < scene->spheres_count; k++)
        if (!strcmp(scene->spheres[k].name, value->text)) {
            fr_problem(r->problems, value->place, path, "\"%.60s\" is a sphere; a body is wanted",
                       value->text);
            return;
        }
    const char *near = fr_suggest(value->text, body_name, scene, scene->bodies_count);
    fr_problem(r->problems, value->place, path, "no body \"%.60s\"%s", value->text,
               fr_suggest_text(near, meant, sizeof meant));
}

// "75cm" is a number, as an item or a value of a param
static bool read_as_quantity(FrSceneReader *r, const char *text, FrSceneScalar *at) {
    FrPowers powers;
    bool has_unit;
    char bad[FR_NUMBER_ROOM];
    double number;
    if (fr_quantity_parse(text, &number, &powers, &has_unit, bad) != FR_QUANTITY_OK || !has_unit)
        return false;
    at->kind = FR_SCENE_NUMBER;
    at->number = number + 0.0;
    text += strspn(text, " +-.0123456789");
    if ((text[0] == 'e' || text[0] == 'E') && strspn(text + 1, "+-0123456789"))
        text += 1 + strspn(text + 1, "+-0123456789 ");
    at->unit = fr_arena_text(r->arena, text, strlen(text));
    if (!at->unit) r->problems->no_memory = true;
    return true;
}

static void read_any(FrSceneReader *r, const FrField *field, const FrValue *value,
                     FrSceneScalar *at, const FrPath *path) {
    bool may_miss = field->fallback && !strcmp(field->fallback, "null");
    at->word = "";
    if (value->kind == FR_VALUE_NULL && may_miss) return;
    switch (value->kind) {
    case FR_VALUE_NUMBER:
        at->kind = FR_SCENE_NUMBER;
        at->number = value->number + 0.0;
        if (!isfinite(value->number)) expected(r, "a finite number", value, path);
        break;
    case FR_VALUE_BOOL:
        at->kind = FR_SCENE_TRUTH;
        at->truth = value->truth;
        break;
    case FR_VALUE_TEXT:
        if (read_as_quantity(r, value->text, at)) break;
        at->kind = FR_SCENE_WORD;
        read_text(r, value, &at->word, path);
        break;
    default:
        expected(r, "a number, a text, true or false", value, path);
    }
}

static void read_integer(FrSceneReader *r, const FrField *field, const FrValue *value, int64_t *at,
                         const FrPath *path) {
    double number;
    if (!read_number(r, field, value, &number, path)) return;
    if (number != floor(number))
        expected(r, "a whole number", value, path);
    else
        *at = (int64_t)number;
}

static void read_real(FrSceneReader *r, const FrField *field, const FrValue *value, double *at,
                      const FrPath *path) {
    double number = 0;
    *at = (double)NAN;
    if (value->kind == FR_VALUE_NULL && field->fallback && !strcmp(field->fallback, "null")) return;
    if (read_number(r, field, value, &number, path)) *at = to_si(field, number);
}

static const char *param_name(const void *user, int32_t k) {
    return ((const FrScene *)user)->params[k].name;
}

// {"param": "fall"} stands for the value of that param; NULL: a problem was added
static const FrValue *follow_param(FrSceneReader *r, const FrValue *value, FrValue *stand_in,
                                   const FrPath *path) {
    const FrMember *m = value->count == 1 ? fr_value_find(value, "param") : NULL;
    if (!m) return value;
    const FrScene *scene = r->scene;
    char meant[100];
    const char *name = m->value->kind == FR_VALUE_TEXT ? m->value->text : "";
    for (int32_t k = 0; k < scene->params_count; k++) {
        const FrSceneParam *param = &scene->params[k];
        if (strcmp(param->name, name)) continue;
        for (int32_t s = 0; r->set_used && s < r->options->set_count; s++) {
            size_t n = strlen(name);
            const char *set = r->options->sets[s];
            if (!strncmp(set, name, n) && set[n] == '=') r->set_used[s] = true;
        }
        *stand_in = (FrValue){.place = value->place,
                              .depth = 1,
                              .number = param->value.number,
                              .truth = param->value.truth,
                              .text = param->value.word};
        stand_in->kind = param->value.kind == FR_SCENE_NUMBER ? FR_VALUE_NUMBER
                         : param->value.kind == FR_SCENE_WORD ? FR_VALUE_TEXT
                                                              : FR_VALUE_BOOL;
        return stand_in;
    }
    const char *near = fr_suggest(name, param_name, scene, scene->params_count);
    fr_problem(r->problems, value->place, path, "no param \"%.60s\"%s", name,
               fr_suggest_text(near, meant, sizeof meant));
    return NULL;
}

void fr_read_scalar(FrSceneReader *r, const FrField *field, FrFieldType type, const FrValue *value,
                    void *at, const FrPath *path) {
    FrValue stand_in;
    value = follow_param(r, value, &stand_in, path);
    if (!value) return;
    switch (type) {
    case FR_FIELD_NUMBER:
        read_real(r, field, value, at, path);
        break;
    case FR_FIELD_INTEGER:
        read_integer(r, field, value, at, path);
        break;
    case FR_FIELD_BOOL:
        if (value->kind != FR_VALUE_BOOL)
            expected(r, "true or false", value, path);
        else
            *(bool *)at = value->truth;
        break;
    case FR_FIELD_TEXT:
        read_text(r, value, at, path);
        break;
    case FR_FIELD_FILE:
        read_file(r, value, at, path);
        break;
    case FR_FIELD_CHOICE:
        read_choice(r, field, value, at, path);
        break;
    case FR_FIELD_VEC2:
        read_vector(r, field, value, at, 2, path);
        break;
    case FR_FIELD_VEC3:
        read_vector(r, field, value, at, 3, path);
        break;
    case FR_FIELD_SCALAR:
        read_any(r, field, value, at, path);
        break;
    case FR_FIELD_BODY:
        read_body(r, value, at, path);
        break;
    case FR_FIELD_SOLID:
        read_solid(r, value, at, path);
        break;
    case FR_FIELD_MATERIAL:
        read_material(r, field, value, at, path);
        break;
    default:
        FR_ASSERT_IN(r->ctx, false, "give this type a reader");
    }
}
