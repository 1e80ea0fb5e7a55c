// folder.c: where the files of a run go.

#include "base/file.h"
#include "base/file_names.h"
#include "base/hash.h"
#include "export/report_text.h"
#include "output/outputs.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/// Longest name of a folder; file systems stop at 255 bytes.
#define LONGEST_NAME 200

// "scene-fall=60cm", with nothing in it that a path would take apart
static void print_name(FrWriter *w, const char *scene, const char *const *set, int32_t set_count) {
    const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene;
    const char *dot = strrchr(name, '.');
    fr_print(w, "%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
    for (int32_t k = 0; k < set_count; k++) {
        if (w->size) fr_print(w, "-");
        for (const char *c = set[k]; *c; c++) fr_write_u8(w, *c == '/' ? '_' : (uint8_t)*c);
    }
}

FrResult fr_settings_name(FrContext *ctx, const char *scene, const char *const *set,
                          int32_t set_count, FrText *name) {
    FrWriter w;
    FrText whole;
    fr_writer_init(&w, ctx);
    print_name(&w, scene, set, set_count);
    FR_TRY(fr_text_take(&w, &whole));
    // too long for a name: its beginning and a hash of all of it
    unsigned long long rest = fr_hash_of(whole.data, whole.size, 0);
    FrResult result =
        whole.size <= LONGEST_NAME
            ? fr_text_print(ctx, name, "%s", whole.data)
            : fr_text_print(ctx, name, "%.*s-%016llx", LONGEST_NAME - 20, whole.data, rest);
    fr_text_free(ctx, &whole);
    return result;
}

FrResult fr_default_folder(FrContext *ctx, const char *scene, const char *const *set,
                           int32_t set_count, FrText *folder) {
    FrText name;
    FR_TRY(fr_settings_name(ctx, scene, set, set_count, &name));
    FrResult result = fr_text_print(ctx, folder, "out/%s", name.data);
    fr_text_free(ctx, &name);
    return result;
}

static FrResult join(FrOutputs *outputs, const char *name, char **path) {
    *path = fr_path_join(outputs->ctx, outputs->folder, name);
    return *path ? FR_OK : fr_no_memory(outputs->ctx, "a path");
}

FrResult fr_outputs_init(FrOutputs *outputs, FrContext *ctx, const char *folder) {
    *outputs = (FrOutputs){.ctx = ctx, .lock = -1};
    outputs->folder = fr_strdup(ctx, folder);
    if (!outputs->folder) return fr_no_memory(ctx, "a path");
    FR_TRY(join(outputs, "run.fracas", &outputs->run));
    FR_TRY(join(outputs, "preview.mp4", &outputs->film));
    FR_TRY(join(outputs, "poster.png", &outputs->poster));
    FR_TRY(join(outputs, "sheet.png", &outputs->sheet));
    FR_TRY(join(outputs, "events.csv", &outputs->events));
    FR_TRY(join(outputs, "report.json", &outputs->report));
    FR_TRY(join(outputs, "scene.json", &outputs->scene));
    FR_TRY(join(outputs, "made.json", &outputs->stamps));
    FR_TRY(join(outputs, "sound.wav", &outputs->sound));
    FR_TRY(join(outputs, "stems", &outputs->stems));
    FR_TRY(join(outputs, "microphone.wav", &outputs->microphone));
    FR_TRY(join(outputs, "pieces.usda", &outputs->usd));
    FR_TRY(join(outputs, "pieces", &outputs->pieces));
    FR_TRY(join(outputs, "spectrogram.png", &outputs->spectrogram));
    return join(outputs, "index.html", &outputs->page);
}

void fr_outputs_free(FrOutputs *outputs) {
    if (!outputs->ctx) return;
    if (outputs->lock >= 0) close(outputs->lock);
    char *const path[] = {
        outputs->folder,      outputs->run,        outputs->film,  outputs->poster, outputs->sheet,
        outputs->events,      outputs->report,     outputs->page,  outputs->sound,  outputs->stems,
        outputs->spectrogram, outputs->microphone, outputs->scene, outputs->stamps, outputs->made,
        outputs->usd,         outputs->pieces};
    for (size_t k = 0; k < sizeof path / sizeof path[0]; k++) fr_free(outputs->ctx, path[k]);
    *outputs = (FrOutputs){0};
}

// is this "NAME.PROCESS.part" of a process that is gone, where NAME has this ending?
static bool is_stale(const char *name, const char *ending) {
    size_t length = strlen(name), tail = strlen(ending);
    if (!fr_ends_with(name, ".part")) return false;
    size_t dot = length - strlen(".part");
    while (dot > 0 && name[dot - 1] >= '0' && name[dot - 1] <= '9') dot--;
    if (dot < tail + 1 || name[dot - 1] != '.' || memcmp(name + dot - 1 - tail, ending, tail))
        return false;
    long process = strtol(name + dot, NULL, 10);
    // our own number: another one had it before, nothing of ours is being written
    return process == (long)getpid() || (process > 0 && kill((pid_t)process, 0) && errno == ESRCH);
}

// what was left half written of files whose names end in one of these
static FrResult tidy(FrContext *ctx, const char *folder, const char *const *ending, int32_t count) {
    FrResult result = FR_OK;
    DIR *dir = opendir(folder);
    if (!dir) return FR_OK;
    for (const struct dirent *entry; result == FR_OK && (entry = readdir(dir)) != NULL;) {
        bool stale = false;
        for (int32_t k = 0; k < count; k++) stale = stale || is_stale(entry->d_name, ending[k]);
        char *path = stale ? fr_path_join(ctx, folder, entry->d_name) : NULL;
        if (stale && !path) result = fr_no_memory(ctx, "a path");
        if (path) unlink(path);
        fr_free(ctx, path);
    }
    closedir(dir);
    return result;
}

FrResult fr_outputs_tidy(const FrOutputs *outputs) {
    static const char *const own[] = {
        "preview.mp4",    "poster.png",  "sheet.png", "events.csv",      "report.json",
        "scene.json",     "made.json",   "sound.wav", "spectrogram.png", "index.html",
        "microphone.wav", "pieces.usda", "break.json"};
    static const char *const wav = ".wav", *const obj = ".obj";
    FR_TRY(tidy(outputs->ctx, outputs->folder, own, (int32_t)(sizeof own / sizeof own[0])));
    FR_TRY(tidy(outputs->ctx, outputs->stems, &wav, 1));
    return tidy(outputs->ctx, outputs->pieces, &obj, 1);
}

// for a moment, so that a run that begins just then waits it out
FrGoing fr_folder_going(FrContext *ctx, const char *recording) {
    char *folder = fr_path_folder(ctx, recording);
    int lock = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    FrGoing going = FR_GOING_UNKNOWN;
    if (lock >= 0 && !flock(lock, LOCK_SH | LOCK_NB))
        going = FR_STOPPED;
    else if (lock >= 0 && errno == EWOULDBLOCK)
        going = FR_GOING;
    if (lock >= 0) close(lock);
    fr_free(ctx, folder);
    return going;
}

// false: another process has the lock, and not just to look whether there is one
static bool take_lock(int lock) {
    struct timespec pause = {0, 20000000};
    for (int k = 0; k < 10; k++, nanosleep(&pause, NULL))
        if (!flock(lock, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) return true;
    return false;
}

// the lock is the kernel's and ends with the process, however that ends; where a file system knows
// none, SQLite's has to do
FrResult fr_outputs_claim(FrOutputs *outputs) {
    FR_TRY(fr_make_folders(outputs->ctx, outputs->folder));
    outputs->lock = open(outputs->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (outputs->lock >= 0 && !take_lock(outputs->lock))
        return fr_fail(outputs->ctx, FR_IO,
                       "another run is writing %s; wait for it, or give another folder with -o",
                       outputs->run);
    return fr_outputs_tidy(outputs);
}
