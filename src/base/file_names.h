// file_names.h: what a file is, from its name, and which recording a path means.
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

/// What a run left in its folder, or the path itself where that is none. FR_BAD_INPUT: a folder
/// without a recording. Caller frees.
FrResult fr_recording_file(FrContext *ctx, const char *path, char **file);
