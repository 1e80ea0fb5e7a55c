// film.c: frames to an MP4 by feeding ffmpeg; the film appears whole or not at all.
//
// ffmpeg is started without a shell in a process group of its own, so that a Ctrl-C meant for us
// does not end it half-way. Frames go through a socket pair: a dead ffmpeg is an error of send,
// never a SIGPIPE.

#include "base/file.h"
#include "render/render.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct FrFilm {
    FrContext *ctx;
    FrFilmDef def;
    char *path, *temp;
    pid_t process;   ///< 0: not running
    int feed, words; ///< our end of the frames; ffmpeg's complaints
};

FrFilmDef fr_film_def_default(void) {
    return (FrFilmDef){.width = 1280, .height = 720, .fps = 60, .crf = 20};
}

static FrResult check_film(FrContext *ctx, const FrFilmDef *def) {
    if (def->width < 2 || def->height < 2 || def->width % 2 || def->height % 2)
        return fr_fail(ctx, FR_BAD_USE, "film of %d x %d pixels; both have to be even", def->width,
                       def->height);
    if (!(def->fps >= 0.1 && def->fps <= 1000))
        return fr_fail(ctx, FR_BAD_USE, "film of %g frames per second; 0.1 to 1000 are possible",
                       def->fps);
    if (def->crf < 0 || def->crf > 51)
        return fr_fail(ctx, FR_BAD_USE, "film quality (crf) %d; 0 to 51 are possible", def->crf);
    return FR_OK;
}

static void close_fd(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

static void release(FrFilm *film) {
    close_fd(&film->feed);
    close_fd(&film->words);
    fr_free(film->ctx, film->path);
    fr_free(film->ctx, film->temp);
    fr_free(film->ctx, film);
}

#define ARGUMENTS 64

// the command line; numbers are printed into `number`
static void arguments(const FrFilm *film, char number[3][64], const char *argv[ARGUMENTS]) {
    int n = 0;
    snprintf(number[0], 64, "%dx%d", film->def.width, film->def.height);
    snprintf(number[1], 64, "%.6f", film->def.fps);
    snprintf(number[2], 64, "%d", film->def.crf);
    const char *input[] = {film->def.program, "-hide_banner", "-nostdin",    "-loglevel",
                           "error",           "-y",           "-f",          "rawvideo",
                           "-pix_fmt",        "rgba",         "-video_size", number[0],
                           "-framerate",      number[1],      "-i",          "pipe:0"};
    const char *sound[] = {"-i",  film->def.wav, "-map", "0:v", "-map",  "1:a",      "-c:a",
                           "aac", "-b:a",        "192k", "-ar", "48000", "-flags:a", "+bitexact"};
    // threads fixed: x264 gives other bytes for another count
    const char *output[] = {
        "-c:v",        "libx264",    "-preset",
        "veryfast",    "-crf",       number[2],
        "-threads",    "2",          "-pix_fmt",
        "yuv420p",     "-vf",        "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd",
        "-colorspace", "bt709",      "-color_primaries",
        "bt709",       "-color_trc", "bt709",
        "-movflags",   "+faststart", "-map_metadata",
        "-1",          "-fflags",    "+bitexact",
        "-flags:v",    "+bitexact",  "-f",
        "mp4",         film->temp};
    for (size_t k = 0; k < sizeof input / sizeof *input; k++) argv[n++] = input[k];
    for (size_t k = 0; film->def.wav && k < sizeof sound / sizeof *sound; k++) argv[n++] = sound[k];
    for (size_t k = 0; k < sizeof output / sizeof *output; k++) argv[n++] = output[k];
    argv[n] = NULL;
}

// the signal mask and dispositions of a fresh program: a host may have blocked or ignored some
static int spawn_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGINT);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &defaults);
    posix_spawnattr_setpgroup(attributes, 0);
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                    POSIX_SPAWN_SETSIGDEF);
}

static int spawn(FrFilm *film, int frames) {
    char number[3][64];
    const char *argv[ARGUMENTS];
    arguments(film, number, argv);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = spawn_attributes(&attributes);
        if (!error) error = posix_spawn_file_actions_adddup2(&actions, frames, 0);
        if (!error) error = posix_spawn_file_actions_adddup2(&actions, film->words, 1);
        if (!error) error = posix_spawn_file_actions_adddup2(&actions, film->words, 2);
        if (!error)
            error = posix_spawnp(&film->process, film->def.program, &actions, &attributes,
                                 (char *const *)(uintptr_t)argv, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    if (error) film->process = 0;
    return error;
}

static FrResult start(FrFilm *film) {
    int pair[2];
    film->words = memfd_create("film", MFD_CLOEXEC);
    if (film->words < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
        return fr_fail(film->ctx, FR_IO, "cannot start %s: %s", film->def.program, strerror(errno));
    film->feed = pair[0];
    int error = spawn(film, pair[1]);
    close(pair[1]);
    if (!error) return FR_OK;
    if (error == ENOENT)
        return fr_fail(film->ctx, FR_FAILED,
                       "cannot make %s: the program \"%s\" is not there (Debian: apt install "
                       "ffmpeg)",
                       film->path, film->def.program);
    return fr_fail(film->ctx, FR_FAILED, "cannot start \"%s\": %s", film->def.program,
                   strerror(error));
}

FrResult fr_film_begin(FrContext *ctx, const char *path, const FrFilmDef *def, FrFilm **film) {
    *film = NULL;
    FR_TRY(check_film(ctx, def));
    FrFilm *f = FR_NEW(ctx, FrFilm, 1);
    if (!f) return fr_no_memory(ctx, path);
    *f = (FrFilm){.ctx = ctx, .def = *def, .feed = -1, .words = -1};
    if (!f->def.program) f->def.program = "ffmpeg";
    size_t room = strlen(path) + 32;
    f->path = fr_strdup(ctx, path);
    f->temp = fr_alloc(ctx, room);
    FrResult result = f->path && f->temp ? FR_OK : fr_no_memory(ctx, path);
    if (result == FR_OK) {
        snprintf(f->temp, room, "%s.%ld.part", path, (long)getpid());
        result = start(f);
    }
    if (result == FR_OK)
        *film = f;
    else
        release(f);
    return result;
}

// the end of what ffmpeg printed, on one line
static void last_words(const FrFilm *film, char *text, size_t room) {
    off_t size = lseek(film->words, 0, SEEK_END);
    off_t from = size > (off_t)room - 1 ? size - (off_t)room + 1 : 0;
    ssize_t got = pread(film->words, text, room - 1, from);
    text[got > 0 ? got : 0] = 0;
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r') *c = c[1] ? ';' : 0;
}

static int wait_for(FrFilm *film) {
    int status = 0;
    while (waitpid(film->process, &status, 0) < 0)
        if (errno != EINTR) {
            status = -1;
            break;
        }
    film->process = 0;
    return status;
}

// ffmpeg has ended, or must: say why
static FrResult encoder_failed(FrFilm *film, int status) {
    char words[600];
    last_words(film, words, sizeof words);
    if (status > 0 && WIFSIGNALED(status))
        return fr_fail(film->ctx, FR_FAILED, "%s was ended by signal %d while making %s%s%s",
                       film->def.program, WTERMSIG(status), film->path, *words ? ": " : "", words);
    return fr_fail(film->ctx, strstr(words, "No space left") ? FR_IO : FR_FAILED,
                   "%s could not make %s (exit %d): %s", film->def.program, film->path,
                   status > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                   *words ? words : "it stopped reading frames");
}

FrResult fr_film_add(FrFilm *film, const uint8_t *rgba) {
    size_t left = 4 * (size_t)film->def.width * (size_t)film->def.height;
    if (film->feed < 0 || !film->process)
        return fr_fail(film->ctx, FR_FAILED, "%s is no longer running", film->def.program);
    while (left) {
        ssize_t n = send(film->feed, rgba, left, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            close_fd(&film->feed);
            return encoder_failed(film, wait_for(film));
        }
        rgba += n;
        left -= (size_t)n;
    }
    return FR_OK;
}

void fr_film_abort(FrFilm *film) {
    if (!film) return;
    close_fd(&film->feed);
    if (film->process) {
        kill(film->process, SIGKILL);
        wait_for(film);
    }
    unlink(film->temp);
    release(film);
}

static FrResult sync_film(const FrFilm *film) {
    const FrFileCalls *calls = fr_context_files(film->ctx);
    int fd = open(film->temp, O_RDONLY | O_CLOEXEC);
    int failed = fd < 0 || (calls->sync ? calls->sync(calls->user, fd) : fsync(fd));
    int reason = errno;
    if (fd >= 0) close(fd);
    if (failed)
        return fr_fail(film->ctx, FR_IO, "cannot write %s: %s", film->path, strerror(reason));
    if (calls->rename ? calls->rename(calls->user, film->temp, film->path)
                      : rename(film->temp, film->path))
        return fr_fail(film->ctx, FR_IO, "cannot replace %s: %s", film->path, strerror(errno));
    return FR_OK;
}

FrResult fr_film_commit(FrFilm *film) {
    FrResult result = FR_OK;
    close_fd(&film->feed);
    int status = film->process ? wait_for(film) : -1;
    if (status != 0) result = encoder_failed(film, status);
    if (result == FR_OK) result = sync_film(film);
    if (result != FR_OK) unlink(film->temp);
    release(film);
    return result;
}

// the strip over the foot of the picture, and a line where the film is now
static void add_strip(const FrFilm *film, uint8_t *rgba, double done) {
    FrImage image = {film->def.width, film->def.height, rgba}, strip = film->def.strip;
    if (strip.width == 0) return;
    fr_image_paste(image, 0, image.height - strip.height, strip);
    int32_t x = (int32_t)(done * image.width) - 1;
    fr_image_fill(image, x, image.height - strip.height, 2, strip.height,
                  (FrInk){255, 255, 255, 0.9});
}

static FrResult add_frames(FrRenderer *renderer, const FrFrameSource *source,
                           const FrCamera *camera, const FrRenderOptions *options, FrFilm *film,
                           uint8_t *rgba) {
    FrContext *ctx = film->ctx;
    for (int32_t k = 0; k < source->frame_count; k++) {
        if (fr_context_cancelled(ctx))
            return fr_fail(ctx, FR_INTERRUPTED, "interrupted at frame %d of %d of %s", k,
                           source->frame_count, film->path);
        fr_progress(ctx, "film", k, source->frame_count);
        const FrFrameView *view;
        FR_TRY(source->get(source->user, k, &view));
        FR_TRY(fr_render_frame(renderer, view, camera, options, rgba));
        add_strip(film, rgba, (k + 0.5) / source->frame_count);
        FR_TRY(fr_film_add(film, rgba));
    }
    fr_progress(ctx, "film", source->frame_count, source->frame_count);
    return FR_OK;
}

FrResult fr_film_render(FrRenderer *renderer, const FrFrameSource *source, const FrCamera *camera,
                        const FrRenderOptions *options, const FrFilmDef *def, const char *path) {
    FrContext *ctx = fr_renderer_context(renderer);
    FrFilmDef sized = *def;
    fr_renderer_size(renderer, &sized.width, &sized.height);
    if (source->frame_count < 1)
        return fr_fail(ctx, FR_BAD_USE, "there is no frame to make a film of");
    FrFilm *film;
    FR_TRY(fr_film_begin(ctx, path, &sized, &film));
    uint8_t *rgba = fr_alloc(ctx, 4 * (size_t)sized.width * (size_t)sized.height);
    FrResult result = rgba ? FR_OK : fr_no_memory(ctx, "a picture");
    if (result == FR_OK) result = add_frames(renderer, source, camera, options, film, rgba);
    fr_free(ctx, rgba);
    if (result == FR_OK) return fr_film_commit(film);
    fr_film_abort(film);
    return result;
}
