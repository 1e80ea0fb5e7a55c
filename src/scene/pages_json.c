// pages_json.c: the JSON Schema of scenes, made from the schema table.

#include "scene/json_read.h"
#include "scene/pages.h"
#include <stdio.h>
#include <string.h>

static void put(FrWriter *page, const char *text) { fr_write_bytes(page, text, strlen(text)); }

static void reference(FrWriter *page, const char *name) {
    char path[80];
    snprintf(path, sizeof path, "#/$defs/%s", name);
    put(page, "\"$ref\": ");
    fr_json_write_text(page, path);
}

static void print_number_type(FrWriter *page, const FrField *field) {
    char lo[FR_NUMBER_ROOM], hi[FR_NUMBER_ROOM];
    fr_page_printf(page, "{\"anyOf\": [{\"type\": \"number\", \"minimum\": %s, \"maximum\": %s}, ",
                   fr_number_print(field->min, lo), fr_number_print(field->max, hi));
    put(page, "{\"type\": \"string\", \"description\": \"number with a unit");
    if (field->dimension != FR_DIM_NONE)
        fr_page_printf(page, " of %s, like 1 %s", fr_dimension_name(field->dimension),
                       fr_dimension_unit(field->dimension));
    put(page, "\"}, {");
    reference(page, "param reference");
    put(page, "}");
    if (field->fallback && !strcmp(field->fallback, "null")) put(page, ", {\"type\": \"null\"}");
    put(page, "]}");
}

static void print_choices(FrWriter *page, const FrField *field) {
    put(page, "{\"anyOf\": [{\"enum\": [");
    for (int k = 0; field->choices[k]; k++) {
        if (k) put(page, ", ");
        fr_json_write_text(page, field->choices[k]);
    }
    put(page, "]}, {");
    reference(page, "param reference");
    put(page, "}]}");
}

static void print_type(FrWriter *page, const FrField *field, FrFieldType type);

static void print_list(FrWriter *page, const FrField *field) {
    bool keys = field->type == FR_FIELD_KEYS;
    if (keys) put(page, "{\"anyOf\": [");
    put(page, "{\"type\": \"array\", \"items\": ");
    print_type(page, field, field->item);
    fr_page_printf(page, ", \"minItems\": %d, \"maxItems\": %d}", field->count_min,
                   field->count_max);
    if (!keys) return;
    put(page, ", ");
    print_type(page, &field->record->field[1], field->record->field[1].type);
    put(page, "]}");
}

static void print_simple(FrWriter *page, const char *type, bool null) {
    fr_page_printf(page, "{\"anyOf\": [{\"type\": \"%s\"}, {", type);
    reference(page, "param reference");
    put(page, null ? "}, {\"type\": \"null\"}]}" : "}]}");
}

static void print_type(FrWriter *page, const FrField *field, FrFieldType type) {
    bool null = field->fallback && !strcmp(field->fallback, "null");
    int n = type == FR_FIELD_VEC2 ? 2 : 3;
    switch (type) {
    case FR_FIELD_NUMBER:
    case FR_FIELD_INTEGER:
        print_number_type(page, field);
        break;
    case FR_FIELD_BOOL:
        print_simple(page, "boolean", null);
        break;
    case FR_FIELD_TEXT:
    case FR_FIELD_FILE:
    case FR_FIELD_BODY:
    case FR_FIELD_SOLID:
    case FR_FIELD_MATERIAL:
        print_simple(page, "string", null);
        break;
    case FR_FIELD_CHOICE:
        print_choices(page, field);
        break;
    case FR_FIELD_VEC2:
    case FR_FIELD_VEC3:
        if (field->alike) put(page, "{\"anyOf\": [");
        fr_page_printf(page, "{\"type\": [\"array\"%s], \"items\": ", null ? ", \"null\"" : "");
        print_number_type(page, field);
        fr_page_printf(page, ", \"minItems\": %d, \"maxItems\": %d}", n, n);
        if (!field->alike) break;
        put(page, ", ");
        print_number_type(page, field);
        put(page, "]}");
        break;
    case FR_FIELD_SCALAR:
        put(page, "{\"type\": [\"number\", \"string\", \"boolean\"]}");
        break;
    case FR_FIELD_RECORD:
    case FR_FIELD_MAYBE:
        put(page, "{\"anyOf\": [{");
        reference(page, field->record->name);
        if (field->record->word) fr_page_printf(page, "}, {\"const\": \"%s\"", field->record->word);
        put(page, null ? "}, {\"type\": \"null\"}]}" : "}]}");
        break;
    case FR_FIELD_VARIANT:
    case FR_FIELD_SHAPE:
        put(page, "{");
        reference(page, field->variant->name);
        put(page, "}");
        break;
    case FR_FIELD_LIST:
    case FR_FIELD_KEYS:
        print_list(page, field);
        break;
    }
}

static void print_property(FrWriter *page, const FrField *field) {
    put(page, "        ");
    fr_json_write_text(page, field->name);
    put(page, ": {\"description\": ");
    fr_json_write_text(page, field->doc);
    if (field->fallback) fr_page_printf(page, ", \"default\": %s", field->fallback);
    put(page, ", \"allOf\": [");
    print_type(page, field, field->type);
    put(page, "]}");
}

// keys as an object; what has a main value, or is in order, may also be written without keys
static void print_body(FrWriter *page, const FrRecord *record) {
    put(page, "{\n      \"type\": \"object\", \"additionalProperties\": false,\n      "
              "\"description\": ");
    fr_json_write_text(page, record->doc);
    put(page, ",\n      \"properties\": {\n");
    for (int32_t k = 0; k < record->field_count; k++) {
        print_property(page, &record->field[k]);
        put(page, k + 1 < record->field_count ? ",\n" : "\n");
    }
    put(page, "      },\n      \"required\": [");
    bool any = false;
    for (int32_t k = 0; k < record->field_count; k++) {
        if (record->field[k].fallback) continue;
        if (any) put(page, ", ");
        fr_json_write_text(page, record->field[k].name);
        any = true;
    }
    put(page, "]\n    }");
}

static void print_record(FrWriter *page, const FrRecord *record) {
    put(page, ",\n    ");
    fr_json_write_text(page, record->name);
    put(page, ": ");
    bool bare = record->in_order || record->main;
    if (bare) put(page, "{\"anyOf\": [");
    print_body(page, record);
    if (record->in_order)
        put(page, ", {\"type\": \"array\"}]}");
    else if (record->main)
        put(page, ", {\"type\": [\"array\", \"number\", \"string\", \"null\"]}]}");
}

static void print_variant(FrWriter *page, const FrVariant *variant) {
    for (int32_t k = 0; k < variant->case_count; k++) {
        // loads are records of their own already
        bool listed = false;
        for (int32_t j = 0; j < fr_record_count; j++)
            listed |= fr_records[j] == variant->cases[k].record;
        if (!listed) print_record(page, variant->cases[k].record);
    }
    put(page, ",\n    ");
    fr_json_write_text(page, variant->name);
    put(page, ": {\"anyOf\": [\n");
    for (int32_t k = 0; k < variant->case_count; k++) {
        const FrCase *c = &variant->cases[k];
        fr_page_printf(page,
                       "      {\"type\": \"object\", \"additionalProperties\": false, "
                       "\"required\": [\"%s\"], \"properties\": {\"%s\": {",
                       c->tag, c->tag);
        reference(page, c->record->name);
        put(page, "}}}");
        if (c->record->field_count == 0)
            fr_page_printf(page, ",\n      {\"const\": \"%s\"}", c->tag);
        put(page, k + 1 < variant->case_count ? ",\n" : "");
    }
    if (variant->other) {
        put(page, ",\n      {");
        reference(page, variant->other->name);
        put(page, "}");
    }
    put(page, "\n    ]}");
}

void fr_schema_print_json_schema(FrWriter *page) {
    put(page, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
              "  \"title\": \"Fracas scene\",\n  \"$ref\": \"#/$defs/top\",\n  \"$defs\": {\n"
              "    \"param reference\": {\"type\": \"object\", \"additionalProperties\": false, "
              "\"required\": [\"param\"], \"properties\": {\"param\": {\"type\": \"string\"}}}");
    for (int32_t k = 0; k < fr_record_count; k++) print_record(page, fr_records[k]);
    print_variant(page, &fr_variant_shape);
    print_variant(page, &fr_variant_region);
    print_variant(page, &fr_variant_load);
    put(page, "\n  }\n}\n");
}
