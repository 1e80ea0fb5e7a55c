// names.h: what a file is, from its name.
#pragma once
#include "base/base.h"

bool fr_ends_with(const char *text, const char *end);

typedef enum FrFileKind {
    FR_FILE_SCENE,
    FR_FILE_SURFACE,
    FR_FILE_TETS,
    FR_FILE_RECORDING,
    FR_FILE_ASSET,
    FR_FILE_UNKNOWN
} FrFileKind;
FrFileKind fr_file_kind(const char *path);
