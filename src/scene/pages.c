// pages.c: the reference page and the editor completion file, made from the schema table.

#include "scene/pages.h"
#include <stdio.h>
#include <string.h>

void fr_page_printf(FrWriter *page, const char *format, ...) {
    char text[2000];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    FR_ASSERT_IN(page->ctx, length >= 0 && (size_t)length < sizeof text,
                 "print less than 2 KB at once");
    fr_write_bytes(page, text, (size_t)length);
}

// of types that are the same for every field
static const char *const type_name[] = {
    [FR_FIELD_INTEGER] = "whole number",
    [FR_FIELD_BOOL] = "true or false",
    [FR_FIELD_TEXT] = "text",
    [FR_FIELD_FILE] = "file",
    [FR_FIELD_SCALAR] = "number, text or truth",
    [FR_FIELD_BODY] = "body",
    [FR_FIELD_SOLID] = "body or sphere",
    [FR_FIELD_MATERIAL] = "material",
};

static void print_item_type(FrWriter *page, const FrField *field, FrFieldType type) {
    const char *unit = fr_dimension_unit(field->dimension);
    bool plain = field->dimension == FR_DIM_NONE;
    bool named = (size_t)type < sizeof type_name / sizeof type_name[0] && type_name[type];
    if (named) {
        fr_page_printf(page, "%s", type_name[type]);
        return;
    }
    switch (type) {
    case FR_FIELD_NUMBER:
        if (plain)
            fr_page_printf(page, "number");
        else
            fr_page_printf(page, "%s, %s", fr_dimension_name(field->dimension), unit);
        break;
    case FR_FIELD_CHOICE:
        for (int k = 0; field->choices[k]; k++)
            fr_page_printf(page, "%s`\"%s\"`", k ? " or " : "", field->choices[k]);
        break;
    case FR_FIELD_VEC2:
    case FR_FIELD_VEC3:
        fr_page_printf(page, "%s%s%s", type == FR_FIELD_VEC2 ? "{a, b}" : "{x, y, z}",
                       plain ? "" : ", ", plain ? "" : unit);
        if (field->alike) fr_page_printf(page, " or number");
        break;
    case FR_FIELD_RECORD:
    case FR_FIELD_MAYBE:
        fr_page_printf(page, "%s", field->record->name);
        break;
    case FR_FIELD_VARIANT:
    case FR_FIELD_SHAPE:
        fr_page_printf(page, "%s", field->variant->name);
        break;
    case FR_FIELD_LIST:
        fr_page_printf(page, "list of ");
        print_item_type(page, field, field->item);
        break;
    case FR_FIELD_KEYS:
        fr_page_printf(page, "constant, or list of %s", field->record->name);
        break;
    default:
        break;
    }
}

void fr_page_type(FrWriter *page, const FrField *field) {
    print_item_type(page, field, field->type);
}

static bool has_range(const FrField *field) {
    FrFieldType type = field->type == FR_FIELD_LIST ? field->item : field->type;
    return type == FR_FIELD_NUMBER || type == FR_FIELD_INTEGER || type == FR_FIELD_VEC2 ||
           type == FR_FIELD_VEC3;
}

static void print_row(FrWriter *page, const FrField *field) {
    char lo[FR_NUMBER_ROOM], hi[FR_NUMBER_ROOM];
    fr_page_printf(page, "| `%s` | ", field->name);
    fr_page_type(page, field);
    if (!field->fallback)
        fr_page_printf(page, " | must be given | ");
    else
        fr_page_printf(page, " | `%s` | ", field->fallback);
    if (has_range(field))
        fr_page_printf(page, "%s to %s", fr_number_print(field->min, lo),
                       fr_number_print(field->max, hi));
    fr_page_printf(page, " | %s |\n", field->doc);
}

static void print_record(FrWriter *page, const FrRecord *record, const char *level) {
    fr_page_printf(page, "%s %s\n\n%s\n\n", level, record->name, record->doc);
    if (record->example) fr_page_printf(page, "```lua\n%s\n```\n\n", record->example);
    if (record->main)
        fr_page_printf(page, "What stands before the keys, or alone, is `%s`.\n\n", record->main);
    if (record->word)
        fr_page_printf(page, "`\"%s\"` alone stands for all defaults.\n\n", record->word);
    if (record->in_order) fr_page_printf(page, "Values without keys are taken in this order.\n\n");
    if (record->field_count == 0) return;
    fr_page_printf(page,
                   "| key | type | default | allowed | what it is |\n|---|---|---|---|---|\n");
    for (int32_t k = 0; k < record->field_count; k++) print_row(page, &record->field[k]);
    fr_page_printf(page, "\n");
}

static void print_variant(FrWriter *page, const FrVariant *variant, const char *title) {
    fr_page_printf(page, "## %s\n\n%s\n\n", title, variant->doc);
    for (int32_t k = 0; k < variant->case_count; k++)
        print_record(page, variant->cases[k].record, "###");
}

static const char introduction[] =
    "# Scenes\n\n"
    "Made from the schema table in `src/scene/schema.c`; a test keeps it up to date.\n\n"
    "A scene is a Lua file for people or a JSON file for tools; both say the same things in the\n"
    "same words. `fracas check SCENE` finds mistakes, `fracas scene SCENE --json` prints the "
    "scene\n"
    "complete, with every default, in a form that can be run again. There, `null` is what the\n"
    "scene leaves open: no such thing, or chosen later, as the key says here; what depends on the\n"
    "mesh (`crack`) is listed by `fracas run SCENE --dry-run --json`.\n\n"
    "Lengths are in m, masses in kg, times in s, **angles in degrees**; +z is up. In Lua, unit "
    "words\n"
    "are numbers to multiply with (`75*cm`); in JSON and in `--set` a text may carry a unit\n"
    "(`\"75cm\"`, `\"2 GPa\"`, `\"9.81 m/s^2\"`). Lists in messages count from 1: "
    "`bodies[3].material`.\n\n"
    "In Lua every record is a function (`body { ... }`), shapes and regions are values\n"
    "(`shape = box { 1, 2, 3 }`). In JSON a scene is one object with the keys of `top`, and a "
    "shape is\n"
    "`{\"box\": {\"size\": [1, 2, 3]}}`.\n\n"
    "Lua scenes run once, with bounded steps, memory and text lengths, and without files, programs "
    "or\n"
    "the clock. `pairs` goes in order (numbers, then texts), `table.sort` is stable, `math.random` "
    "is\n"
    "seeded by the scene, `print` goes to the log. `include \"part.lua\"` runs a file of the "
    "scene's\n"
    "folder and gives what it returns.\n\n";

static void print_units(FrWriter *page) {
    fr_page_printf(page, "## Units\n\n| word | value | what it is |\n|---|---|---|\n");
    for (int32_t k = 0; k < fr_unit_count; k++) {
        char value[FR_NUMBER_ROOM];
        fr_page_printf(page, "| `%s` | %s | %s%s |\n", fr_units[k].name,
                       fr_number_print(fr_units[k].factor, value), fr_units[k].doc,
                       fr_units[k].word ? "" : " (in texts only)");
    }
    fr_page_printf(page, "\n");
}

void fr_schema_print_reference(FrWriter *page) {
    fr_write_bytes(page, introduction, strlen(introduction));
    print_units(page);
    for (int32_t k = 0; k < fr_record_count; k++) print_record(page, fr_records[k], "##");
    print_variant(page, &fr_variant_shape, "Shapes");
    print_variant(page, &fr_variant_region, "Regions");
}

// type of a field for the Lua language server
static void print_lua_type(FrWriter *page, const FrField *field, FrFieldType type) {
    switch (type) {
    case FR_FIELD_NUMBER:
        fr_page_printf(page, "number");
        break;
    case FR_FIELD_INTEGER:
        fr_page_printf(page, "integer");
        break;
    case FR_FIELD_BOOL:
        fr_page_printf(page, "boolean");
        break;
    case FR_FIELD_TEXT:
    case FR_FIELD_FILE:
        fr_page_printf(page, "string");
        break;
    case FR_FIELD_CHOICE:
        for (int k = 0; field->choices[k]; k++)
            fr_page_printf(page, "%s\"%s\"", k ? "|" : "", field->choices[k]);
        break;
    case FR_FIELD_VEC2:
    case FR_FIELD_VEC3:
        fr_page_printf(page, field->alike ? "number[]|number" : "number[]");
        break;
    case FR_FIELD_SCALAR:
        fr_page_printf(page, "number|string|boolean");
        break;
    case FR_FIELD_BODY:
        fr_page_printf(page, "fracas.handle.body|string");
        break;
    case FR_FIELD_SOLID:
        fr_page_printf(page, "fracas.handle.body|fracas.handle.sphere|string");
        break;
    case FR_FIELD_MATERIAL:
        fr_page_printf(page, "fracas.handle.material|string");
        break;
    case FR_FIELD_RECORD:
    case FR_FIELD_MAYBE:
    case FR_FIELD_KEYS:
        for (const char *c = field->record->name; *c; c++)
            fr_page_printf(page, "%s%c", c == field->record->name ? "fracas." : "",
                           *c == ' ' ? '_' : *c);
        if (field->type == FR_FIELD_KEYS)
            fr_page_printf(page, "[]|number|number[]");
        else if (field->record->word)
            fr_page_printf(page, "|\"%s\"", field->record->word);
        break;
    case FR_FIELD_VARIANT:
    case FR_FIELD_SHAPE:
        fr_page_printf(page, "fracas.handle.%s", field->variant->name);
        if (field->variant->other)
            fr_page_printf(page, "|fracas.handle.%s|\"all\"", field->variant->other->name);
        break;
    case FR_FIELD_LIST:
        fr_page_printf(page, "(");
        print_lua_type(page, field, field->item);
        fr_page_printf(page, ")[]");
        break;
    }
}

static void print_class(FrWriter *page, const FrRecord *record) {
    fr_page_printf(page, "--- %s\n---@class fracas.", record->doc);
    for (const char *c = record->name; *c; c++) fr_page_printf(page, "%c", *c == ' ' ? '_' : *c);
    fr_page_printf(page, "\n");
    for (int32_t k = 0; k < record->field_count; k++) {
        const FrField *field = &record->field[k];
        bool optional = field->fallback || (record->main && !strcmp(record->main, field->name));
        fr_page_printf(page, "---@field %s%s ", field->name, optional ? "?" : "");
        print_lua_type(page, field, field->type);
        fr_page_printf(page, " %s", field->doc);
        if (field->dimension != FR_DIM_NONE)
            fr_page_printf(page, " (%s)", fr_dimension_unit(field->dimension));
        if (field->fallback) fr_page_printf(page, " Default: %s", field->fallback);
        fr_page_printf(page, "\n");
    }
    fr_page_printf(page, "\n");
}

static void print_function(FrWriter *page, const char *name, const FrRecord *record,
                           const char *result) {
    fr_page_printf(page, "--- %s\n", record->doc);
    if (record->example) {
        fr_page_printf(page, "--- ```lua\n--- ");
        for (const char *c = record->example; *c; c++)
            fr_page_printf(page, *c == '\n' ? "\n--- " : "%c", *c);
        fr_page_printf(page, "\n--- ```\n");
    }
    fr_page_printf(page, "---@param def fracas.%s%s\n", record->name,
                   record->main ? "|number|string|any[]" : "");
    if (result) fr_page_printf(page, "---@return fracas.handle.%s\n", result);
    fr_page_printf(page, "function %s(def) end\n\n", name);
}

static void print_case_functions(FrWriter *page, const FrVariant *variant) {
    for (int32_t k = 0; k < variant->case_count; k++) {
        print_class(page, variant->cases[k].record);
        print_function(page, variant->cases[k].tag, variant->cases[k].record, variant->name);
    }
}

static const char completion_head[] =
    "---@meta\n"
    "-- The words of Fracas scenes, for editors with the Lua language server: put this file on "
    "its\n"
    "-- library path. Made from the schema table; a test keeps it up to date.\n\n"
    "---@class fracas.handle.body\n---@class fracas.handle.sphere\n"
    "---@class fracas.handle.material\n---@class fracas.handle.shape\n"
    "---@class fracas.handle.region\n\n";

static const char completion_tail[] =
    "--- A knob of the scene, changed with --set name=value. Returns its value.\n"
    "---@generic T\n---@param name string\n---@param value T\n"
    "---@param more? {unit?: string, min?: number, max?: number, choices?: T[], help?: string}\n"
    "---@return T\nfunction param(name, value, more) end\n\n"
    "--- Keep a part of a body where it is: fix { body, where = below { z = 0 } }\n"
    "---@param def fracas.fix\nfunction fix(def) end\n\n"
    "--- Make a part of a body weaker or stronger: weaken { body, by = {0.7, 1.3}, size = 2*cm }\n"
    "---@param def fracas.weaken\nfunction weaken(def) end\n\n"
    "--- Run a file of the scene's folder and give what it returns.\n"
    "---@param file string\n---@return any\nfunction include(file) end\n";

void fr_schema_print_completion(FrWriter *page) {
    fr_write_bytes(page, completion_head, strlen(completion_head));
    for (int32_t k = 0; k < fr_unit_count; k++) {
        char value[FR_NUMBER_ROOM];
        if (!fr_units[k].word) continue;
        fr_page_printf(page, "--- %s\n%s = %s\n", fr_units[k].doc, fr_units[k].name,
                       fr_number_print(fr_units[k].factor, value));
    }
    fr_page_printf(page, "\n");
    for (int32_t k = 1; k < fr_record_count; k++) print_class(page, fr_records[k]);
    print_case_functions(page, &fr_variant_shape);
    print_case_functions(page, &fr_variant_region);
    for (int32_t k = 0; k < fr_word_count; k++)
        print_function(page, fr_words[k].name, fr_words[k].record, fr_words[k].handle);
    fr_write_bytes(page, completion_tail, strlen(completion_tail));
}
