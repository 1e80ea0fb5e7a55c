// file_names.c: file names and their endings; the recording of a folder.

#include "base/file_names.h"
#include "base/file.h"
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool fr_ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcasecmp(text + n - m, end);
}

FrFileKind fr_file_kind(const char *path) {
    static const struct {
        const char *end;
        FrFileKind kind;
    } known[] = {{".lua", FR_FILE_SCENE},        {".json", FR_FILE_SCENE},
                 {".obj", FR_FILE_SURFACE},      {".ply", FR_FILE_SURFACE},
                 {".stl", FR_FILE_SURFACE},      {".msh", FR_FILE_TETS},
                 {".node", FR_FILE_TETS},        {".ele", FR_FILE_TETS},
                 {".fracas", FR_FILE_RECORDING}, {".frm", FR_FILE_ASSET}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (fr_ends_with(path, known[k].end)) return known[k].kind;
    return FR_FILE_UNKNOWN;
}

static bool is_folder(const char *path) {
    struct stat found;
    return !stat(path, &found) && S_ISDIR(found.st_mode);
}

FrResult fr_recording_file(FrContext *ctx, const char *path, char **file) {
    struct stat found;
    *file = NULL;
    FR_NEED(ctx, path, "name a file");
    bool folder = is_folder(path);
    *file = folder ? fr_path_join(ctx, path, "run.fracas") : fr_strdup(ctx, path);
    if (!*file) return fr_no_memory(ctx, "a path");
    if (!folder || !stat(*file, &found)) return FR_OK;
    fr_free(ctx, *file);
    *file = NULL;
    return fr_fail(ctx, FR_BAD_INPUT,
                   "%s is a folder without a run.fracas: give the folder of a run (fracas run -o) "
                   "or its recording",
                   path);
}
