// json_read.h: JSON text to values, every one with its line and column.
#pragma once
#include "scene/problems.h"
#include "scene/value.h"

/// NULL: a problem was added (or memory ran out: problems->no_memory). `file` must outlive the
/// tree.
const FrValue *fr_json_read(FrValueTree *tree, const char *text, size_t size, const char *file,
                            FrProblems *problems);

/// Quoted and escaped.
void fr_json_write_text(FrWriter *writer, const char *text);

/// Valid UTF-8 without zero bytes?
bool fr_utf8_valid(const char *text, size_t length);
