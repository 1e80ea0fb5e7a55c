// modes_export.h: the table of modes for other programs.
#pragma once
#include "base/bytes.h"
#include "score/modes_table.h"

/// Undamped modes ring this long in programs that know no infinity, s.
#define FR_LONGEST_T60 60.0

/// One format: the ending of its files and how a table is written.
typedef struct FrModeFormat {
    const char *end, *what;
    void (*write)(FrWriter *out, const FrModeTable *table);
} FrModeFormat;
/// By the ending of a path; NULL: none.
const FrModeFormat *fr_mode_format(const char *path);
