// schema.h: the one table of what a scene can say; reader, checker, printer and pages follow it.
#pragma once
#include "scene/number.h"
#include "scene/scene.h"
#include "scene/value.h"

typedef enum FrFieldType {
    FR_FIELD_NUMBER,   ///< double
    FR_FIELD_INTEGER,  ///< int64_t
    FR_FIELD_BOOL,     ///< bool
    FR_FIELD_TEXT,     ///< const char *
    FR_FIELD_FILE,     ///< const char *, a path relative to the scene
    FR_FIELD_CHOICE,   ///< an enum in the order of `choices`
    FR_FIELD_VEC2,     ///< FrSceneVec2
    FR_FIELD_VEC3,     ///< FrVec3
    FR_FIELD_SCALAR,   ///< FrSceneScalar
    FR_FIELD_BODY,     ///< int32_t, written as the body's name; null: -1
    FR_FIELD_SOLID,    ///< int32_t, a body or a sphere (bodies first), by its name; null: -1
    FR_FIELD_MATERIAL, ///< const char *, a material of the scene or the library
    FR_FIELD_RECORD,   ///< the record's struct itself
    FR_FIELD_MAYBE,    ///< pointer to the record's struct; null: NULL
    FR_FIELD_VARIANT,  ///< {enum kind; void *data}
    FR_FIELD_SHAPE,    ///< pointer to a variant
    FR_FIELD_LIST,     ///< pointer to items, int32_t count at count_offset
    FR_FIELD_KEYS,     ///< list of key records; a constant is one key at t = 0
} FrFieldType;

typedef struct FrRecord FrRecord;
typedef struct FrVariant FrVariant;

typedef struct FrField {
    const char *name;
    FrFieldType type, item; ///< item: of a list
    FrDimension dimension;
    const char *fallback;       ///< default as JSON; NULL: must be given; "null": may be missing
    double min, max;            ///< in the unit scenes use
    const char *const *choices; ///< ends with NULL
    const FrRecord *record;
    const FrVariant *variant;
    int32_t count_min, count_max; ///< of a list
    bool alike;                   ///< of a vector: one number stands for all
    const char *doc;
    size_t offset, count_offset;
} FrField;

struct FrRecord {
    const char *name, *doc;
    size_t size;
    const FrField *field;
    int32_t field_count;
    const char *main;    ///< field that takes the list part of a table, or a lone value; NULL: none
    bool in_order;       ///< a list gives the fields in their order (keyframes)
    const char *word;    ///< this text alone means all defaults ("auto"); NULL: none
    const char *example; ///< Lua
    /// What the fields together must keep; may bring values into their usual form. NULL: fine,
    /// otherwise what is wrong.
    const char *(*check)(void *at);
    /// The same of what only the keys given tell, before `check`; NULL: nothing to look at.
    const char *(*check_keys)(const FrValue *given, const void *at);
};

typedef struct FrCase {
    const char *tag;
    const FrRecord *record;
} FrCase;

/// One of several records, named by its only key: {"box": {...}}.
struct FrVariant {
    const char *name, *doc;
    size_t size; ///< of the C struct
    const FrCase *cases;
    int32_t case_count;
    const FrVariant *other; ///< a value of this variant is taken as the case `wrap`; NULL: none
    int32_t wrap;
};

/// A function of Lua scenes that adds to the scene.
typedef struct FrWord {
    const char *name;
    const char *place; ///< key at the top of the scene
    const FrRecord *record;
    bool list;          ///< appended to a list; otherwise it may be given once
    bool tagged;        ///< item of a list of variants, with `name` as its key
    const char *handle; ///< what it returns: "body", "material", ...; NULL: nothing
} FrWord;

extern const FrRecord fr_record_scene; ///< the top: FrScene
extern const FrVariant fr_variant_shape, fr_variant_region, fr_variant_load, fr_variant_joint;
extern const FrRecord fr_record_fix, fr_record_weaken, fr_record_param, fr_record_hole;
extern const FrRecord fr_record_crack, fr_record_criterion, fr_record_remeshing, fr_record_pieces,
    fr_record_cost, fr_record_shatter;
extern const FrRecord fr_record_body, fr_record_cut, fr_record_sphere, fr_record_key,
    fr_record_force_key, fr_record_place_key, fr_record_pose, fr_record_force, fr_record_pressure,
    fr_record_blast, fr_record_drive, fr_record_heat, fr_record_power_key, fr_record_pin,
    fr_record_hinge, fr_record_cord, fr_record_part, fr_record_nail, fr_record_drag, fr_record_spot,
    fr_record_grab;
extern const FrWord fr_words[];
extern const int32_t fr_word_count;
/// Every record and variant that has a name of its own on the pages, in reading order.
extern const FrRecord *const fr_records[];
extern const int32_t fr_record_count;

// checks of records (schema_check.c)
const char *fr_check_box(void *at);
const char *fr_check_cylinder(void *at);
const char *fr_check_tube(void *at);
const char *fr_check_torus(void *at);
const char *fr_check_lathe(void *at);
const char *fr_check_extrude(void *at);
const char *fr_check_text(void *at);
const char *fr_check_limits(void *at);
const char *fr_check_side(void *at);
const char *fr_check_ground(void *at);
const char *fr_check_material(void *at);
const char *fr_check_body(void *at);
const char *fr_check_weaken(void *at);
const char *fr_check_cut(void *at);
const char *fr_check_sphere(void *at);
const char *fr_check_sphere_keys(const FrValue *given, const void *at);
const char *fr_check_drive(void *at);
const char *fr_check_hinge(void *at);
const char *fr_check_drag(void *at);
const char *fr_check_param(void *at);
const char *fr_check_camera(void *at);
const char *fr_check_film(void *at);
const char *fr_check_burst(void *at);

const FrField *fr_record_find(const FrRecord *record, const char *name);
int32_t fr_variant_find(const FrVariant *variant, const char *tag); ///< -1: none
size_t fr_field_item_size(const FrField *field);

// how the tables are written
#define FR_AT(T, f) .name = #f, .offset = offsetof(T, f)
#define FR_NUMBER_(T, f, dim, def, lo, hi, d)                                                      \
    {                                                                                              \
        FR_AT(T, f), .type = FR_FIELD_NUMBER, .dimension = dim, .fallback = def, .min = lo,        \
                     .max = hi, .doc = d                                                           \
    }
#define FR_VEC3_(T, f, dim, def, lo, hi, d)                                                        \
    {                                                                                              \
        FR_AT(T, f), .type = FR_FIELD_VEC3, .dimension = dim, .fallback = def, .min = lo,          \
                     .max = hi, .doc = d                                                           \
    }
#define FR_FAR 1e4 ///< m
#define FR_COLOUR_(T, d) FR_VEC3_(T, colour, FR_DIM_NONE, "null", 0, 1, d)
#define FR_PLACE_(T, f, def, d) FR_VEC3_(T, f, FR_DIM_LENGTH, def, -FR_FAR, FR_FAR, d)
#define FR_BOOL_(T, f, def, d)                                                                     \
    { FR_AT(T, f), .type = FR_FIELD_BOOL, .fallback = def, .doc = d }
#define FR_TEXT_(T, f, def, d)                                                                     \
    { FR_AT(T, f), .type = FR_FIELD_TEXT, .fallback = def, .doc = d }
#define FR_CHOICE_(T, f, def, list, d)                                                             \
    { FR_AT(T, f), .type = FR_FIELD_CHOICE, .fallback = def, .choices = list, .doc = d }
#define FR_MATERIAL_(T, f, def, d)                                                                 \
    { FR_AT(T, f), .type = FR_FIELD_MATERIAL, .fallback = def, .doc = d }
#define FR_BODY_(T, f, def, d)                                                                     \
    { FR_AT(T, f), .type = FR_FIELD_BODY, .fallback = def, .doc = d }
#define FR_SOLID_(T, f, def, d)                                                                    \
    { FR_AT(T, f), .type = FR_FIELD_SOLID, .fallback = def, .doc = d }
#define FR_RECORD_(T, f, r, d)                                                                     \
    { FR_AT(T, f), .type = FR_FIELD_RECORD, .record = &r, .fallback = "{}", .doc = d }
#define FR_MAYBE_(T, f, r, d)                                                                      \
    { FR_AT(T, f), .type = FR_FIELD_MAYBE, .record = &r, .fallback = "null", .doc = d }
#define FR_VARIANT_(T, f, v, def, d)                                                               \
    { FR_AT(T, f), .type = FR_FIELD_VARIANT, .variant = &v, .fallback = def, .doc = d }
#define FR_SHAPE_(T, f, d)                                                                         \
    { FR_AT(T, f), .type = FR_FIELD_SHAPE, .variant = &fr_variant_shape, .doc = d }
#define FR_LIST_(T, f, kind, def, lo, hi, d)                                                       \
    {                                                                                              \
        FR_AT(T, f), .type = FR_FIELD_LIST, kind, .fallback = def, .count_min = lo,                \
                     .count_max = hi, .doc = d, .count_offset = offsetof(T, f##_count)             \
    }
#define FR_KEYS_(T, f, r, def, d)                                                                  \
    {                                                                                              \
        FR_AT(T, f), .type = FR_FIELD_KEYS, .item = FR_FIELD_RECORD, .record = &r,                 \
                     .fallback = def, .count_max = 100000, .doc = d,                               \
                     .count_offset = offsetof(T, f##_count)                                        \
    }
#define FR_FIELDS(array) .field = array, .field_count = (int32_t)(sizeof(array) / sizeof(array)[0])
