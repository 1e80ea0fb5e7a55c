// names.c: file names and their endings.

#include "job/names.h"
#include <string.h>
#include <strings.h>

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
