// file.h: whole files in, whole files out: a written file is the old one or the new one, never
// half.
#pragma once
#include "base/base.h"

/// A file being written beside its final name. Nothing is visible until fr_file_commit.
typedef struct FrFileWriter {
    FrContext *ctx;
    char *path, *temp;
    uint8_t *buffer;
    size_t used;
    int fd;
} FrFileWriter;

FrResult fr_file_begin(FrContext *ctx, const char *path, FrFileWriter *writer);
FrResult fr_file_write(FrFileWriter *writer, const void *bytes, size_t size);
FrResult fr_file_printf(FrFileWriter *writer, const char *format, ...) FR_PRINTF(2, 3);
/// Flush, fsync, rename into place, fsync the folder. Releases the writer either way.
FrResult fr_file_commit(FrFileWriter *writer);
/// Throw the new content away. Fine on a zeroed or finished writer.
void fr_file_abort(FrFileWriter *writer);

/// Write `size` bytes as the new content of `path`.
FrResult fr_file_save(FrContext *ctx, const char *path, const void *bytes, size_t size);

/// Read a whole regular file, followed by a zero byte that is not counted. Over `max_size`:
/// FR_BAD_INPUT.
FrResult fr_file_load(FrContext *ctx, const char *path, size_t max_size, uint8_t **bytes,
                      size_t *size);

/// Bytes of the mark that some editors put before UTF-8 text: 3, or 0.
size_t fr_text_mark(const void *bytes, size_t size);

/// Make a folder and those above it.
FrResult fr_make_folders(FrContext *ctx, const char *path);

/// Is there the folder that a file is to be written into? FR_IO names it.
FrResult fr_check_folder_of(FrContext *ctx, const char *path);

/// Join folder and name; name alone when absolute or the folder is empty or ".". Caller frees;
/// NULL: no memory.
char *fr_path_join(FrContext *ctx, const char *folder, const char *name);
/// The folder part of a path ("." when there is none). Caller frees; NULL: no memory.
char *fr_path_folder(FrContext *ctx, const char *path);
