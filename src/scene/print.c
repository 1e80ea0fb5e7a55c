// print.c: definitions to JSON in one fixed form: keys in the schema's order, shortest numbers.

#include "scene/json_read.h"
#include "scene/schema.h"
#include "base/hash.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Printer {
    FrWriter *out;
    const FrScene *scene;
    int32_t indent;
} Printer;

static void put(Printer *p, const char *text) { fr_write_bytes(p->out, text, strlen(text)); }

static void new_line(Printer *p) {
    put(p, "\n");
    for (int32_t k = 0; k < p->indent && k < 20; k++) put(p, "  ");
}

static void print_number(Printer *p, const FrField *field, double number) {
    char buffer[FR_NUMBER_ROOM];
    bool angle = field->dimension == FR_DIM_ANGLE || field->dimension == FR_DIM_SPIN;
    if (isnan(number))
        put(p, "null");
    else
        put(p, angle ? fr_number_print_degrees(number, buffer) : fr_number_print(number, buffer));
}

static void print_vector(Printer *p, const FrField *field, const double *v, int n) {
    if (isnan(v[0])) {
        put(p, "null");
        return;
    }
    for (int k = 0; k < n; k++) {
        put(p, k ? ", " : "[");
        print_number(p, field, v[k]);
    }
    put(p, "]");
}

static void print_scalar(Printer *p, const FrSceneScalar *s) {
    char buffer[FR_NUMBER_ROOM];
    if (s->kind == FR_SCENE_NONE)
        put(p, "null");
    else if (s->kind == FR_SCENE_NUMBER)
        put(p, fr_number_print(s->number, buffer));
    else if (s->kind == FR_SCENE_WORD)
        fr_json_write_text(p->out, s->word);
    else
        put(p, s->truth ? "true" : "false");
}

static void print_record(Printer *p, const FrRecord *record, const void *at);

static void print_variant(Printer *p, const FrVariant *variant, const void *at) {
    int32_t kind;
    void *data;
    memcpy(&kind, at, sizeof kind);
    memcpy(&data, (const char *)at + offsetof(FrSceneShape, data), sizeof data);
    put(p, "{");
    fr_json_write_text(p->out, variant->cases[kind].tag);
    put(p, ": ");
    print_record(p, variant->cases[kind].record, data);
    put(p, "}");
}

static void print_pointer(Printer *p, const FrField *field, const void *at) {
    const void *data;
    memcpy(&data, at, sizeof data);
    if (!data)
        put(p, "null");
    else if (field->type == FR_FIELD_MAYBE)
        print_record(p, field->record, data);
    else
        print_variant(p, field->variant, data);
}

static void print_text(Printer *p, const void *at) {
    const char *text;
    memcpy(&text, at, sizeof text);
    fr_json_write_text(p->out, text);
}

static void print_choice(Printer *p, const FrField *field, const void *at) {
    int32_t choice;
    memcpy(&choice, at, sizeof choice);
    fr_json_write_text(p->out, field->choices[choice]);
}

static void print_body(Printer *p, int32_t body) {
    if (body < 0)
        put(p, "null");
    else
        fr_json_write_text(p->out, body < p->scene->bodies_count
                                       ? p->scene->bodies[body].name
                                       : p->scene->spheres[body - p->scene->bodies_count].name);
}

static void print_value(Printer *p, const FrField *field, FrFieldType type, const void *at) {
    char buffer[FR_NUMBER_ROOM];
    switch (type) {
    case FR_FIELD_NUMBER:
        print_number(p, field, *(const double *)at);
        break;
    case FR_FIELD_INTEGER:
        snprintf(buffer, sizeof buffer, "%lld", (long long)*(const int64_t *)at);
        put(p, buffer);
        break;
    case FR_FIELD_BOOL:
        put(p, *(const bool *)at ? "true" : "false");
        break;
    case FR_FIELD_TEXT:
    case FR_FIELD_FILE:
    case FR_FIELD_MATERIAL:
        print_text(p, at);
        break;
    case FR_FIELD_CHOICE:
        print_choice(p, field, at);
        break;
    case FR_FIELD_VEC2:
        print_vector(p, field, at, 2);
        break;
    case FR_FIELD_VEC3:
        print_vector(p, field, at, 3);
        break;
    case FR_FIELD_SCALAR:
        print_scalar(p, at);
        break;
    case FR_FIELD_BODY:
    case FR_FIELD_SOLID:
        print_body(p, *(const int32_t *)at);
        break;
    case FR_FIELD_RECORD:
        print_record(p, field->record, at);
        break;
    case FR_FIELD_VARIANT:
        print_variant(p, field->variant, at);
        break;
    case FR_FIELD_MAYBE:
    case FR_FIELD_SHAPE:
        print_pointer(p, field, at);
        break;
    case FR_FIELD_LIST:
    case FR_FIELD_KEYS:
        FR_ASSERT(false, "lists are printed with their record");
    }
}

static void print_list(Printer *p, const FrField *field, const void *base) {
    const char *items;
    int32_t count;
    memcpy(&items, (const char *)base + field->offset, sizeof items);
    memcpy(&count, (const char *)base + field->count_offset, sizeof count);
    bool small = field->item == FR_FIELD_NUMBER || field->item == FR_FIELD_VEC2 ||
                 field->item == FR_FIELD_SCALAR;
    put(p, "[");
    p->indent++;
    for (int32_t k = 0; k < count; k++) {
        if (k) put(p, small ? ", " : ",");
        if (!small) new_line(p);
        print_value(p, field, field->item, items + (size_t)k * fr_field_item_size(field));
    }
    p->indent--;
    if (count && !small) new_line(p);
    put(p, "]");
}

static void print_record(Printer *p, const FrRecord *record, const void *at) {
    put(p, "{");
    p->indent++;
    for (int32_t k = 0; k < record->field_count; k++) {
        const FrField *field = &record->field[k];
        if (k) put(p, ",");
        new_line(p);
        fr_json_write_text(p->out, field->name);
        put(p, ": ");
        bool list = field->type == FR_FIELD_LIST || field->type == FR_FIELD_KEYS;
        if (list)
            print_list(p, field, at);
        else
            print_value(p, field, field->type, (const char *)at + field->offset);
    }
    p->indent--;
    if (record->field_count) new_line(p);
    put(p, "}");
}

FrResult fr_scene_json(FrContext *ctx, const FrScene *scene, FrWriter *json) {
    (void)ctx;
    Printer p = {json, scene, 0};
    print_record(&p, &fr_record_scene, scene);
    put(&p, "\n");
    return fr_writer_result(json);
}
