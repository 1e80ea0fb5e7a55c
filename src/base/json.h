// json.h: writing JSON: escaped texts, shortest numbers that read back to the same bits.
#pragma once
#include "base/bytes.h"

#define FR_NUMBER_TEXT 32

/// Shortest decimal text that reads back to the same double; "." whatever the locale. Not finite:
/// "null".
void fr_number_text(double value, char text[FR_NUMBER_TEXT]);
/// Reads a number as fr_number_text writes it; false when `text` is anything else.
bool fr_number_read(const char *text, size_t length, double *value);

/// Writes into a FrWriter; memory trouble shows in fr_writer_result at the end.
typedef struct FrJson {
    FrWriter *out;
    int32_t depth;
    bool pretty;     ///< a line per entry
    bool filled[32]; ///< the level has an entry already
    bool array[32];
} FrJson;

void fr_json_begin(FrJson *json, FrWriter *out, bool pretty);
/// key NULL: an array's entry, or the document itself.
void fr_json_object(FrJson *json, const char *key);
void fr_json_array(FrJson *json, const char *key);
void fr_json_end(FrJson *json); ///< closes the innermost object or array
void fr_json_text(FrJson *json, const char *key, const char *text); ///< NULL: null
void fr_json_number(FrJson *json, const char *key, double value);
void fr_json_vec3(FrJson *json, const char *key, FrVec3 value); ///< an array of three
void fr_json_int(FrJson *json, const char *key, int64_t value);
void fr_json_bool(FrJson *json, const char *key, bool value);
void fr_json_hash(FrJson *json, const char *key, uint64_t value); ///< 16 hex digits in quotes
