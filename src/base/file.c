// file.c: crash-safe writing (temp + fsync + rename) and bounded reading of whole files.

#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE ((size_t)256 * 1024)

static FrResult io_failed(FrContext *ctx, const char *verb, const char *path) {
    return fr_fail(ctx, FR_IO, "cannot %s %s: %s", verb, path, strerror(errno));
}

static void release(FrFileWriter *writer) {
    if (!writer->ctx) return;
    if (writer->fd >= 0) close(writer->fd);
    fr_free(writer->ctx, writer->path);
    fr_free(writer->ctx, writer->temp);
    fr_free(writer->ctx, writer->buffer);
    memset(writer, 0, sizeof *writer);
}

// a rename would put a plain file where a device, a pipe or a folder was
static FrResult check_replaceable(FrContext *ctx, const char *path) {
    struct stat info;
    if (stat(path, &info) || S_ISREG(info.st_mode)) return FR_OK;
    return fr_fail(ctx, FR_IO, "cannot write %s: it is not a regular file", path);
}

FrResult fr_file_begin(FrContext *ctx, const char *path, FrFileWriter *writer) {
    *writer = (FrFileWriter){0};
    FR_TRY(check_replaceable(ctx, path));
    *writer = (FrFileWriter){.ctx = ctx, .fd = -1};
    size_t room = strlen(path) + 32;
    writer->path = fr_strdup(ctx, path);
    writer->temp = fr_alloc(ctx, room);
    writer->buffer = fr_alloc(ctx, BUFFER_SIZE);
    if (!writer->path || !writer->temp || !writer->buffer) {
        release(writer);
        return fr_no_memory(ctx, path);
    }
    snprintf(writer->temp, room, "%s.%ld.part", path, (long)getpid());
    writer->fd = open(writer->temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (writer->fd >= 0) return FR_OK;
    FrResult result = io_failed(ctx, "write", path);
    release(writer);
    return result;
}

static FrResult write_all(FrFileWriter *writer, const uint8_t *bytes, size_t size) {
    const FrFileCalls *calls = fr_context_files(writer->ctx);
    while (size) {
        ssize_t n = calls->write ? calls->write(calls->user, writer->fd, bytes, size)
                                 : write(writer->fd, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return io_failed(writer->ctx, "write", writer->path);
        bytes += n;
        size -= (size_t)n;
    }
    return FR_OK;
}

FrResult fr_file_write(FrFileWriter *writer, const void *bytes, size_t size) {
    if (writer->used + size > BUFFER_SIZE) {
        FR_TRY(write_all(writer, writer->buffer, writer->used));
        writer->used = 0;
    }
    if (size > BUFFER_SIZE) return write_all(writer, bytes, size);
    if (size) memcpy(writer->buffer + writer->used, bytes, size);
    writer->used += size;
    return FR_OK;
}

FrResult fr_file_printf(FrFileWriter *writer, const char *format, ...) {
    char text[4096];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    FR_ASSERT_IN(writer->ctx, length >= 0 && (size_t)length < sizeof text,
                 "print less than 4 KB at once");
    return fr_file_write(writer, text, (size_t)length);
}

// the rename itself must survive a power cut: sync the folder that holds the name
static void sync_folder(FrContext *ctx, const char *path) {
    char *folder = fr_path_folder(ctx, path);
    if (!folder) return;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    fr_free(ctx, folder);
}

static FrResult finish(FrFileWriter *writer) {
    const FrFileCalls *calls = fr_context_files(writer->ctx);
    FR_TRY(write_all(writer, writer->buffer, writer->used));
    if (calls->sync ? calls->sync(calls->user, writer->fd) : fsync(writer->fd))
        return io_failed(writer->ctx, "write", writer->path);
    int fd = writer->fd;
    writer->fd = -1;
    if (close(fd)) return io_failed(writer->ctx, "write", writer->path);
    if (calls->rename ? calls->rename(calls->user, writer->temp, writer->path)
                      : rename(writer->temp, writer->path))
        return io_failed(writer->ctx, "replace", writer->path);
    sync_folder(writer->ctx, writer->path);
    return FR_OK;
}

FrResult fr_file_commit(FrFileWriter *writer) {
    FR_ASSERT(writer->ctx, "begin the file before you commit it");
    FrResult result = finish(writer);
    if (result != FR_OK) unlink(writer->temp);
    release(writer);
    return result;
}

void fr_file_abort(FrFileWriter *writer) {
    if (writer->ctx && writer->temp) unlink(writer->temp);
    release(writer);
}

FrResult fr_file_save(FrContext *ctx, const char *path, const void *bytes, size_t size) {
    FrFileWriter writer;
    FR_TRY(fr_file_begin(ctx, path, &writer));
    FrResult result = fr_file_write(&writer, bytes, size);
    if (result == FR_OK) return fr_file_commit(&writer);
    fr_file_abort(&writer);
    return result;
}

static FrResult read_whole(FrContext *ctx, int fd, const char *path, size_t max_size,
                           uint8_t **bytes, size_t *size) {
    struct stat info;
    if (fstat(fd, &info)) return io_failed(ctx, "read", path);
    if (S_ISDIR(info.st_mode))
        return fr_fail(ctx, FR_BAD_INPUT, "%s is a folder, not a file", path);
    if (!S_ISREG(info.st_mode)) return fr_fail(ctx, FR_BAD_INPUT, "%s is not a regular file", path);
    if ((uint64_t)info.st_size > max_size)
        return fr_fail(ctx, FR_BAD_INPUT, "%s has %lld bytes; at most %zu are read", path,
                       (long long)info.st_size, max_size);
    size_t room = (size_t)info.st_size, got = 0;
    uint8_t *buffer = fr_alloc(ctx, room + 1);
    if (!buffer) return fr_no_memory(ctx, path);
    while (got < room) {
        ssize_t n = read(fd, buffer + got, room - got);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            fr_free(ctx, buffer);
            return io_failed(ctx, "read", path);
        }
        if (n == 0) break;
        got += (size_t)n;
    }
    buffer[got] = 0;
    *bytes = buffer;
    *size = got;
    return FR_OK;
}

FrResult fr_file_load(FrContext *ctx, const char *path, size_t max_size, uint8_t **bytes,
                      size_t *size) {
    *bytes = NULL;
    *size = 0;
    // O_NONBLOCK: opening a pipe without a writer must not hang
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        bool absent = errno == ENOENT || errno == ENOTDIR;
        return fr_fail(ctx, absent ? FR_BAD_INPUT : FR_IO, "cannot read %s: %s", path,
                       strerror(errno));
    }
    FrResult result = read_whole(ctx, fd, path, max_size, bytes, size);
    close(fd);
    return result;
}

size_t fr_text_mark(const void *bytes, size_t size) {
    return size >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

FrResult fr_make_folders(FrContext *ctx, const char *path) {
    char *part = fr_strdup(ctx, path);
    if (!part) return fr_no_memory(ctx, path);
    FrResult result = FR_OK;
    for (char *at = part + 1; result == FR_OK; at++) {
        if (*at != '/' && *at != 0) continue;
        char old = *at;
        *at = 0;
        struct stat info;
        if (mkdir(part, 0777) && (errno != EEXIST || stat(part, &info) || !S_ISDIR(info.st_mode)))
            result = io_failed(ctx, "make the folder", path);
        *at = old;
        if (old == 0) break;
    }
    fr_free(ctx, part);
    return result;
}

char *fr_path_join(FrContext *ctx, const char *folder, const char *name) {
    bool here = folder[0] == 0 || !strcmp(folder, ".");
    if (name[0] == '/' || here) return fr_strdup(ctx, name);
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = fr_alloc(ctx, size);
    bool slash = folder[strlen(folder) - 1] == '/';
    if (path) snprintf(path, size, "%s%s%s", folder, slash ? "" : "/", name);
    return path;
}

char *fr_path_folder(FrContext *ctx, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return fr_strdup(ctx, ".");
    if (slash == path) return fr_strdup(ctx, "/");
    char *folder = fr_strdup(ctx, path);
    if (folder) folder[slash - path] = 0;
    return folder;
}

FrResult fr_check_folder_of(FrContext *ctx, const char *path) {
    struct stat info;
    char *folder = fr_path_folder(ctx, path);
    FrResult result = folder ? FR_OK : fr_no_memory(ctx, "a path");
    if (folder && (stat(folder, &info) || !S_ISDIR(info.st_mode)))
        result = fr_fail(ctx, FR_IO, "cannot write %s: there is no folder %s", path, folder);
    fr_free(ctx, folder);
    return result;
}
