// read_ply.c: PLY, text and binary of both byte orders; any order and type of properties.

#include "base/text.h"
#include "geom/soup.h"
#include <string.h>

#define MOST_ELEMENTS 64
#define MOST_PROPERTIES 256

typedef enum Format { ASCII, LITTLE, BIG } Format;
typedef enum Type { NONE, I8, U8, I16, U16, I32, U32, F32, F64 } Type;
typedef enum Meaning { OTHER, X, Y, Z, NX, NY, NZ, U, V, CORNERS } Meaning;

static const uint8_t type_size[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};

typedef struct Property {
    Type type;
    Type count_type; ///< NONE: one value, not a list
    Meaning meaning;
    FrWord name;
} Property;

typedef struct Element {
    FrWord name;
    int64_t count;
    int32_t first, end; ///< of the properties
    bool is_vertex, is_face;
} Element;

typedef struct Ply {
    FrText text; ///< the header, and the whole file when it is text
    Format format;
    Element element[MOST_ELEMENTS];
    Property property[MOST_PROPERTIES];
    int32_t element_count, property_count;
    int32_t vertex_count;
    bool has_normal, has_uv;
    FrPassed no_line, no_value;
    FrSoup soup;
} Ply;

static FrResult read_type(FrText *text, Type *type) {
    static const struct {
        const char *name;
        Type type;
    } names[] = {{"char", I8},   {"int8", I8},     {"uchar", U8},   {"uint8", U8},
                 {"short", I16}, {"int16", I16},   {"ushort", U16}, {"uint16", U16},
                 {"int", I32},   {"int32", I32},   {"uint", U32},   {"uint32", U32},
                 {"float", F32}, {"float32", F32}, {"double", F64}, {"float64", F64}};
    FrWord word = fr_text_word(text);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (!fr_word_is(word, names[k].name)) continue;
        *type = names[k].type;
        return FR_OK;
    }
    return fr_text_unwanted(text, word, "a type: char uchar short ushort int uint float double");
}

static Meaning meaning_in_vertex(FrWord name) {
    static const struct {
        const char *name;
        Meaning meaning;
    } names[] = {{"x", X},          {"y", Y},         {"z", Z},         {"nx", NX},
                 {"ny", NY},        {"nz", NZ},       {"s", U},         {"t", V},
                 {"u", U},          {"v", V},         {"texture_u", U}, {"texture_v", V},
                 {"texcoord_u", U}, {"texcoord_v", V}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (fr_word_is(name, names[k].name)) return names[k].meaning;
    return OTHER;
}

static FrResult read_property(Ply *ply) {
    FrText *text = &ply->text;
    FrWord here = fr_text_word(text);
    if (!ply->element_count) return fr_text_fail(text, here, "a property before the first element");
    if (ply->property_count == MOST_PROPERTIES)
        return fr_text_fail(text, here, "more than %d properties", MOST_PROPERTIES);
    Element *element = &ply->element[ply->element_count - 1];
    Property property = {0};
    if (fr_word_is(here, "list")) {
        FR_TRY(read_type(text, &property.count_type));
        if (property.count_type >= F32)
            return fr_text_fail(text, here, "the length of a list cannot be a float");
    } else {
        text->at -= here.length;
    }
    FR_TRY(read_type(text, &property.type));
    property.name = fr_text_word(text);
    if (!property.name.length) return fr_text_unwanted(text, property.name, "a property's name");
    if (element->is_vertex && !property.count_type)
        property.meaning = meaning_in_vertex(property.name);
    if (element->is_face && (fr_word_is(property.name, "vertex_indices") ||
                             fr_word_is(property.name, "vertex_index"))) {
        if (!property.count_type || property.type >= F32)
            return fr_text_fail(text, property.name, "vertex_indices must be a list of integers");
        property.meaning = CORNERS;
    }
    for (int32_t k = element->first; k < element->end; k++)
        if (property.meaning && ply->property[k].meaning == property.meaning)
            return fr_text_fail(text, property.name, "%s is given twice",
                                fr_text_quote(text, property.name).text);
    ply->property[ply->property_count++] = property;
    element->end = ply->property_count;
    return fr_text_expect_line_end(text);
}

static FrResult read_element(Ply *ply) {
    FrText *text = &ply->text;
    FrWord name = fr_text_word(text);
    if (!name.length) return fr_text_unwanted(text, name, "an element's name");
    if (ply->element_count == MOST_ELEMENTS)
        return fr_text_fail(text, name, "more than %d elements", MOST_ELEMENTS);
    Element element = {.name = name, .first = ply->property_count, .end = ply->property_count};
    element.is_vertex = fr_word_is(name, "vertex");
    element.is_face = fr_word_is(name, "face");
    bool ours = element.is_vertex || element.is_face;
    FrWord count = fr_text_word(text);
    FR_TRY(fr_word_int(text, count, "count", 0, ours ? INT32_MAX / 4 : INT64_MAX, &element.count));
    for (int32_t k = 0; k < ply->element_count && ours; k++)
        if (ply->element[k].is_vertex == element.is_vertex &&
            ply->element[k].is_face == element.is_face)
            return fr_text_fail(text, name, "element %s is given twice",
                                fr_text_quote(text, name).text);
    // a row has at least a byte, so more rows than bytes cannot be there
    if (element.count > 0 && ours && (uint64_t)element.count > text->size - text->at)
        return fr_text_fail(text, count, "says %lld rows; only %zu bytes follow",
                            (long long)element.count, text->size - text->at);
    if (element.is_vertex) ply->vertex_count = (int32_t)element.count;
    ply->element[ply->element_count++] = element;
    return fr_text_expect_line_end(text);
}

static FrResult read_format(Ply *ply) {
    FrText *text = &ply->text;
    FrWord word = fr_text_word(text);
    if (fr_word_is(word, "ascii"))
        ply->format = ASCII;
    else if (fr_word_is(word, "binary_little_endian"))
        ply->format = LITTLE;
    else if (fr_word_is(word, "binary_big_endian"))
        ply->format = BIG;
    else
        return fr_text_unwanted(text, word, "ascii, binary_little_endian or binary_big_endian");
    FR_TRY(fr_text_expect(text, "1.0"));
    return fr_text_expect_line_end(text);
}

// step over exactly the line break that ends the header: what follows may be binary
static FrResult leave_header(Ply *ply, bool cr_only) {
    FrText *text = &ply->text;
    FR_TRY(fr_text_expect_line_end(text));
    size_t at = text->at;
    fr_text_next_line(text);
    if (cr_only && ply->format != ASCII && text->at > at + 1) text->at = at + 1;
    return FR_OK;
}

static FrResult read_header(Ply *ply) {
    FrText *text = &ply->text;
    FR_TRY(fr_text_expect(text, "ply"));
    FR_TRY(fr_text_expect_line_end(text));
    bool cr_only = text->at + 1 < text->size && text->data[text->at] == '\r' &&
                   text->data[text->at + 1] != '\n';
    bool format = false;
    for (;;) {
        fr_text_next_line(text);
        FrWord word = fr_text_next_word(text);
        if (fr_word_is(word, "comment") || fr_word_is(word, "obj_info")) continue;
        if (!format && !fr_word_is(word, "format"))
            return fr_text_unwanted(text, word, "\"format\"");
        if (fr_word_is(word, "end_header")) return leave_header(ply, cr_only);
        if (fr_word_is(word, "format") && !format)
            FR_TRY(read_format(ply));
        else if (fr_word_is(word, "element"))
            FR_TRY(read_element(ply));
        else if (fr_word_is(word, "property"))
            FR_TRY(read_property(ply));
        else if (!word.length || fr_word_is(word, "format"))
            return fr_text_unwanted(text, word, "element, property, comment or end_header");
        else
            fr_text_pass(&ply->no_line, word);
        format = true;
    }
}

static const Property *find_property(const Ply *ply, const Element *element, Meaning meaning) {
    for (int32_t k = element->first; k < element->end; k++)
        if (ply->property[k].meaning == meaning) return &ply->property[k];
    return NULL;
}

// is all there that a surface needs?
static FrResult check_header(Ply *ply) {
    bool points = false, faces = false;
    for (int32_t k = 0; k < ply->element_count; k++) {
        const Element *e = &ply->element[k];
        if (e->is_vertex) {
            points =
                find_property(ply, e, X) && find_property(ply, e, Y) && find_property(ply, e, Z);
            ply->has_normal =
                find_property(ply, e, NX) && find_property(ply, e, NY) && find_property(ply, e, NZ);
            ply->has_uv = find_property(ply, e, U) && find_property(ply, e, V);
        }
        if (e->is_face) faces = find_property(ply, e, CORNERS) && e->count;
    }
    const char *name = ply->text.name;
    if (!points)
        return fr_fail(ply->text.ctx, FR_BAD_INPUT,
                       "%s: has no element vertex with properties x, y and z", name);
    if (!faces)
        return fr_fail(ply->text.ctx, FR_BAD_INPUT,
                       "%s: has no element face with a list vertex_indices", name);
    return FR_OK;
}

static uint64_t read_raw(const uint8_t *b, size_t size, bool big) {
    uint64_t bits = 0;
    for (size_t k = 0; k < size; k++) bits |= (uint64_t)b[big ? size - 1 - k : k] << 8 * k;
    return bits;
}

static double raw_value(uint64_t bits, Type type) {
    float f;
    double d;
    uint32_t low = (uint32_t)bits;
    switch (type) {
    case I8:
        return (double)(int8_t)bits;
    case I16:
        return (double)(int16_t)bits;
    case I32:
        return (double)(int32_t)bits;
    case F32:
        memcpy(&f, &low, sizeof f);
        return (double)f;
    case F64:
        memcpy(&d, &bits, sizeof d);
        return d;
    default:
        return (double)bits;
    }
}

static FrResult file_ends(const Ply *ply, const Property *property) {
    return fr_fail(ply->text.ctx, FR_BAD_INPUT, "%s: byte %zu: the file ends inside %s",
                   ply->text.name, ply->text.size, fr_text_quote(&ply->text, property->name).text);
}

static void allowed_range(Type type, double *lo, double *hi) {
    static const double range[][2] = {{0, 0},           {-128, 127}, {0, 255},
                                      {-32768, 32767},  {0, 65535},  {-2147483648.0, 2147483647.0},
                                      {0, 4294967295.0}};
    *lo = range[type][0], *hi = range[type][1];
}

// one number of either kind of file, where = its place for a message
static FrResult read_value(Ply *ply, const Property *property, Type type, FrWord *where,
                           double *value) {
    FrText *text = &ply->text;
    *where = (FrWord){.column = (int64_t)text->at};
    if (ply->format == ASCII) {
        *where = fr_text_next_word(text);
        char what[80];
        FrQuoted name = fr_text_quote(text, property->name);
        memcpy(what, name.text, sizeof name.text);
        if (type >= F32) return fr_word_double(text, *where, what, value);
        double lo, hi;
        int64_t integer;
        allowed_range(type, &lo, &hi);
        FR_TRY(fr_word_int(text, *where, what, (int64_t)lo, (int64_t)hi, &integer));
        *value = (double)integer;
        return FR_OK;
    }
    size_t size = type_size[type];
    if (text->size - text->at < size) return file_ends(ply, property);
    *value =
        raw_value(read_raw((const uint8_t *)text->data + text->at, size, ply->format == BIG), type);
    text->at += size;
    return FR_OK;
}

// a value that nobody asks for: in a text any word will do
static FrResult skip_value(Ply *ply, const Property *property) {
    FrWord where;
    double value;
    if (ply->format != ASCII) return read_value(ply, property, property->type, &where, &value);
    FrWord word = fr_text_next_word(&ply->text);
    if (!word.length)
        return fr_text_unwanted(&ply->text, word, fr_text_quote(&ply->text, property->name).text);
    if (!fr_parse_double(word.data, word.length, &value)) fr_text_pass(&ply->no_value, word);
    return FR_OK;
}

static FrResult value_fails(const Ply *ply, FrWord where, const Property *property, double found,
                            double lo, double hi) {
    FrQuoted name = fr_text_quote(&ply->text, property->name);
    if (ply->format == ASCII)
        return fr_text_fail(&ply->text, where, "%s: found %g; allowed are %g to %g", name.text,
                            found, lo, hi);
    return fr_fail(ply->text.ctx, FR_BAD_INPUT, "%s: byte %lld: %s: found %g; allowed are %g to %g",
                   ply->text.name, (long long)where.column, name.text, found, lo, hi);
}

static FrResult read_list(Ply *ply, const Property *property) {
    FrWord where;
    double count, value;
    FR_TRY(read_value(ply, property, property->count_type, &where, &count));
    size_t left = ply->text.size - ply->text.at;
    size_t least = ply->format == ASCII ? 1 : type_size[property->type];
    double most = (double)(left / least);
    if (!(count >= 0.0 && count <= most))
        return value_fails(ply, where, property, count, 0.0, most);
    FrSoup *soup = &ply->soup;
    bool corners = property->meaning == CORNERS;
    for (int64_t k = 0; k < (int64_t)count; k++) {
        if (!corners) FR_TRY(skip_value(ply, property));
        if (!corners) continue;
        FR_TRY(read_value(ply, property, property->type, &where, &value));
        if (!(value >= 0.0 && value < ply->vertex_count))
            return value_fails(ply, where, property, value, 0.0, ply->vertex_count - 1.0);
        if (!fr_array_push(soup->ctx, &soup->corner, (int32_t)value))
            return fr_no_memory(soup->ctx, ply->text.name);
    }
    if (corners && !fr_array_push(soup->ctx, &soup->end, soup->corner.count))
        return fr_no_memory(soup->ctx, ply->text.name);
    return FR_OK;
}

static FrResult read_row(Ply *ply, const Element *element, double meant[CORNERS]) {
    for (int32_t k = element->first; k < element->end; k++) {
        const Property *property = &ply->property[k];
        if (property->count_type) {
            FR_TRY(read_list(ply, property));
            continue;
        }
        if (property->meaning == OTHER) {
            FR_TRY(skip_value(ply, property));
            continue;
        }
        FrWord where;
        double value;
        FR_TRY(read_value(ply, property, property->type, &where, &value));
        if (!(fabs(value) <= FR_SOUP_FAR))
            return value_fails(ply, where, property, value, -FR_SOUP_FAR, FR_SOUP_FAR);
        meant[property->meaning] = value;
    }
    return FR_OK;
}

static FrResult add_point(Ply *ply, const double *meant) {
    FrSoup *soup = &ply->soup;
    if (!fr_array_reserve(soup->ctx, &soup->p, 3) ||
        (ply->has_normal && !fr_array_reserve(soup->ctx, &soup->normal, 3)) ||
        (ply->has_uv && !fr_array_reserve(soup->ctx, &soup->uv, 2)))
        return fr_no_memory(soup->ctx, ply->text.name);
    fr_set3(soup->p.data, soup->p.count / 3, fr_vec3(meant[X], meant[Y], meant[Z]));
    soup->p.count += 3;
    if (ply->has_normal) {
        FrVec3 n = fr_normalize(fr_vec3(meant[NX], meant[NY], meant[NZ]));
        fr_set3(soup->normal.data, soup->normal.count / 3, n);
        soup->normal.count += 3;
    }
    if (ply->has_uv) {
        soup->uv.data[soup->uv.count++] = meant[U];
        soup->uv.data[soup->uv.count++] = meant[V];
    }
    return FR_OK;
}

static FrResult read_rows(Ply *ply) {
    double meant[CORNERS] = {0};
    for (int32_t e = 0; e < ply->element_count; e++) {
        const Element *element = &ply->element[e];
        // rows without properties have no bytes: nothing to step over
        if (element->first == element->end) continue;
        for (int64_t row = 0; row < element->count; row++) {
            FR_TRY(read_row(ply, element, meant));
            if (element->is_vertex) FR_TRY(add_point(ply, meant));
        }
    }
    return FR_OK;
}

FrResult fr_trimesh_parse_ply(FrContext *ctx, const char *name, const void *bytes, size_t size,
                              FrTriMesh *mesh) {
    *mesh = (FrTriMesh){0};
    Ply *ply = FR_NEW(ctx, Ply, 1);
    if (!ply) return fr_no_memory(ctx, name);
    ply->soup.ctx = ctx;
    ply->no_line.what = "not a line of a header that is read: passed over";
    ply->no_value.what = "a value that is not read is no number: passed over";
    fr_text_init(&ply->text, ctx, name, bytes, size);
    FrResult result = read_header(ply);
    if (result == FR_OK) result = check_header(ply);
    if (result == FR_OK) result = read_rows(ply);
    if (result == FR_OK) {
        fr_text_warn_passed(&ply->text, &ply->no_line);
        fr_text_warn_passed(&ply->text, &ply->no_value);
    }
    if (result == FR_OK)
        result = fr_soup_finish(&ply->soup, mesh);
    else
        fr_soup_free(&ply->soup);
    if (result == FR_OK && !mesh->tri_count) {
        fr_trimesh_free(ctx, mesh);
        result = fr_fail(ctx, FR_BAD_INPUT, "%s: no face has three corners", name);
    }
    fr_free(ctx, ply);
    return result;
}
