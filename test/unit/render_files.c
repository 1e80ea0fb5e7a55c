// render_files.c: PNG, sheets and films come out whole, the same each time, or not at all.

#include "test.h"
#include "context.h"
#include "unit/render_scene.h"
#include <errno.h>
#include <dirent.h>
#include <png.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 320, HEIGHT = 180, FRAMES = 12 };

// first of all, before this process has loaded any driver: none is there
TEST(no_driver_is_reported_clearly) {
    pid_t child = fork();
    if (child == 0) {
        setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent.json", 1);
        FrContext *ctx = make_context(1);
        FrRendererDef def = fr_renderer_def_default();
        FrRenderer *renderer;
        FrResult result = fr_renderer_create(ctx, &def, &renderer);
        bool said = strncmp(fr_context_message(ctx), "no OpenGL: ", 11) == 0;
        fr_context_destroy(ctx);
        _exit(result == FR_FAILED && said ? 0 : 1);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// --- PNG

static void make_noise(uint8_t *rgba, int32_t width, int32_t height) {
    uint32_t state = 12345;
    for (int32_t k = 0; k < width * height; k++) {
        for (int i = 0; i < 3; i++)
            state = state * 1664525u + 1013904223u, rgba[4 * k + i] = (uint8_t)(state >> 24);
        rgba[4 * k + 3] = 255;
    }
}

// libpng's own simple reader
static bool same_as_file(const char *path, int32_t width, int32_t height, const uint8_t *rgba) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) return false;
    image.format = PNG_FORMAT_RGBA;
    bool same = image.width == (png_uint_32)width && image.height == (png_uint_32)height;
    uint8_t *found = malloc(PNG_IMAGE_SIZE(image));
    same = same && png_image_finish_read(&image, NULL, found, 0, NULL) &&
           memcmp(found, rgba, 4 * (size_t)width * (size_t)height) == 0;
    free(found);
    png_image_free(&image);
    return same;
}

static char *bytes_of(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    *size = 0;
    if (!file) return NULL;
    char *bytes = malloc(1 << 22);
    *size = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

static bool same_files(const char *a, const char *b) {
    size_t size_a, size_b;
    char *x = bytes_of(a, &size_a), *y = bytes_of(b, &size_b);
    bool same = x && y && size_a == size_b && memcmp(x, y, size_a) == 0;
    free(x), free(y);
    return same;
}

TEST(png_comes_back_as_it_was) {
    FrContext *ctx = make_context(1);
    static uint8_t rgba[4 * 61 * 37];
    make_noise(rgba, 61, 37);
    CHECK_OK(ctx, fr_png_write(ctx, "render-noise.png", 61, 37, rgba));
    CHECK(same_as_file("render-noise.png", 61, 37, rgba));
    CHECK_OK(ctx, fr_png_write(ctx, "render-noise2.png", 61, 37, rgba));
    CHECK(same_files("render-noise.png", "render-noise2.png"));
    CHECK_INT(fr_png_write(ctx, "no/such/folder.png", 61, 37, rgba), FR_IO);
    CHECK_HAS(fr_context_message(ctx), "no/such/folder.png");
    fr_context_destroy(ctx);
}

typedef struct Faults {
    long allocations, writes, alive; ///< until one fails, -1: never; blocks not given back
} Faults;

static void *faulty_resize(void *user, void *ptr, size_t size) {
    Faults *f = user;
    if (size == 0) {
        f->alive -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    if (f->allocations == 0) return NULL;
    if (f->allocations > 0) f->allocations--;
    void *moved = realloc(ptr, size);
    if (moved && !ptr) f->alive++;
    return moved;
}

static long faulty_write(void *user, int fd, const void *bytes, size_t size) {
    Faults *f = user;
    if (f->writes == 0) {
        errno = ENOSPC;
        return -1;
    }
    if (f->writes > 0) f->writes--;
    return (long)write(fd, bytes, size);
}

static FrContext *make_faulty(Faults *faults) {
    *faults = (Faults){-1, -1, 0};
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = 1;
    def.allocator = (FrAllocator){faulty_resize, faults};
    def.files.write = faulty_write;
    def.files.user = faults;
    return fr_context_create(&def);
}

static int parts_left(void) {
    int count = 0;
    DIR *folder = opendir(".");
    for (struct dirent *e; folder && (e = readdir(folder));)
        count += strncmp(e->d_name, "render-", 7) == 0 && strstr(e->d_name, ".part") != NULL;
    if (folder) closedir(folder);
    return count;
}

TEST(png_survives_failing_memory_and_disk) {
    Faults faults;
    FrContext *ctx = make_faulty(&faults);
    static uint8_t before[4 * 16 * 16], rgba[4 * 400 * 300];
    make_noise(rgba, 400, 300);
    CHECK_OK(ctx, fr_png_write(ctx, "render-fault.png", 16, 16, before));
    long alive = faults.alive;
    for (int kind = 0; kind < 2; kind++) {
        FrResult result = FR_FAILED;
        for (long k = 0; result != FR_OK; k++) {
            *(kind ? &faults.writes : &faults.allocations) = k;
            result = fr_png_write(ctx, "render-fault.png", 400, 300, rgba);
            CHECK(result == FR_OK || result == (kind ? FR_IO : FR_NO_MEMORY));
            CHECK_INT(faults.alive, alive);
            if (result == FR_OK) break;
            if (kind == 0) CHECK(!same_as_file("render-fault.png", 400, 300, rgba));
        }
        faults.writes = faults.allocations = -1;
    }
    CHECK(same_as_file("render-fault.png", 400, 300, rgba));
    CHECK_INT(parts_left(), 0);
    fr_context_destroy(ctx);
    CHECK_INT(faults.alive, 0);
}

// --- films and sheets of a ball that falls

typedef struct Fall {
    Scene scene;
    FrContext *cancel_at_frame; ///< cancelled when frame 5 is asked for
    int32_t asked[8], count;    ///< frames that were asked for, the first of them; how many
} Fall;

static FrResult fall_get(void *user, int32_t k, const FrFrameView **view) {
    Fall *fall = user;
    double t = k / 30.0;
    fall->scene.frame[1].position = fr_vec3(0, 0, 1.0 - 4.9 * t * t * 0.9);
    fall->scene.frame[1].velocity = fr_vec3(0, 0, -9.8 * t);
    fall->scene.view.t = t;
    if (fall->count < 8) fall->asked[fall->count] = k;
    fall->count++;
    if (fall->cancel_at_frame && k == 5) fr_context_cancel(fall->cancel_at_frame);
    *view = &fall->scene.view;
    return FR_OK;
}

static FrFrameSource make_fall(Fall *fall) {
    memset(fall, 0, sizeof *fall);
    scene_floor(&fall->scene);
    scene_ball(&fall->scene, fr_vec3(0, 0, 1), 0.2, scene_material(0.8, 0.1, 0.05, 0.4, 0, 1));
    return (FrFrameSource){fall, FRAMES, 30, fall_get};
}

static FrRenderer *make_renderer(FrContext *ctx) {
    FrRendererDef def = fr_renderer_def_default();
    def.width = WIDTH, def.height = HEIGHT, def.samples = 1, def.shadow_size = 256;
    FrRenderer *renderer = NULL;
    CHECK_OK(ctx, fr_renderer_create(ctx, &def, &renderer));
    return renderer;
}

// what ffprobe says about a film
static void probe(const char *path, const char *stream, const char *entries, char *text,
                  size_t room) {
    char command[400];
    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -select_streams %s -show_entries stream=%s -of "
             "csv=p=0 %s",
             stream, entries, path);
    FILE *pipe = popen(command, "r");
    size_t got = pipe ? fread(text, 1, room - 1, pipe) : 0;
    text[got] = 0;
    if (pipe) pclose(pipe);
    text[strcspn(text, "\n")] = 0;
}

static long find(const char *bytes, size_t size, const char *word) {
    for (size_t k = 0; k + 4 <= size; k++)
        if (memcmp(bytes + k, word, 4) == 0) return (long)k;
    return -1;
}

TEST(film_plays_and_repeats) {
    FrContext *ctx = make_context(1);
    static Fall fall;
    FrFrameSource source = make_fall(&fall);
    FrRenderer *renderer = make_renderer(ctx);
    FrCamera camera;
    FrRenderOptions options = fr_render_options_default();
    FrFilmDef def = fr_film_def_default();
    def.fps = 30;
    CHECK_OK(ctx, fr_camera_auto(ctx, &source, WIDTH / (double)HEIGHT, -1, &camera));
    for (int k = 0; k < 2; k++)
        CHECK_OK(ctx, fr_film_render(renderer, &source, &camera, &options, &def,
                                     k ? "render-film2.mp4" : "render-film.mp4"));
    char text[200];
    probe("render-film.mp4", "v:0", "codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames",
          text, sizeof text);
    CHECK_TEXT(text, "h264,320,180,yuv420p,30/1,12");
    CHECK(same_files("render-film.mp4", "render-film2.mp4"));
    // plays while it loads: the index comes before the frames
    size_t size;
    char *bytes = bytes_of("render-film.mp4", &size);
    CHECK(find(bytes, size, "moov") > 0 && find(bytes, size, "moov") < find(bytes, size, "mdat"));
    free(bytes);
    CHECK_INT(parts_left(), 0);
    fr_renderer_destroy(renderer);
    fr_context_destroy(ctx);
}

static void write_wav(const char *path, int32_t samples) {
    uint32_t head[11] = {0x46464952,
                         36 + 2 * (uint32_t)samples,
                         0x45564157,
                         0x20746d66,
                         16,
                         0x00010001,
                         44100,
                         88200,
                         0x00100002,
                         0x61746164,
                         2 * (uint32_t)samples};
    FILE *file = fopen(path, "wb");
    fwrite(head, sizeof head, 1, file);
    for (int32_t k = 0; k < samples; k++) {
        int16_t v = (int16_t)(8000 * sin(0.06 * k));
        fwrite(&v, sizeof v, 1, file);
    }
    fclose(file);
}

TEST(film_takes_a_sound_track) {
    FrContext *ctx = make_context(1);
    static uint8_t rgba[4 * 64 * 48];
    write_wav("render-sound.wav", 22050);
    FrFilmDef def = fr_film_def_default();
    def.width = 64, def.height = 48, def.fps = 24, def.wav = "render-sound.wav";
    FrFilm *film;
    CHECK_OK(ctx, fr_film_begin(ctx, "render-sound.mp4", &def, &film));
    for (int k = 0; k < 12; k++) {
        memset(rgba, 20 * k, sizeof rgba);
        CHECK_OK(ctx, fr_film_add(film, rgba));
    }
    CHECK_OK(ctx, fr_film_commit(film));
    char text[200];
    probe("render-sound.mp4", "a:0", "codec_name,sample_rate", text, sizeof text);
    CHECK_TEXT(text, "aac,48000");
    probe("render-sound.mp4", "v:0", "nb_read_frames", text, sizeof text);
    CHECK_TEXT(text, "12");
    fr_context_destroy(ctx);
}

static bool exists(const char *path) { return access(path, F_OK) == 0; }

TEST(film_failures_are_reported_and_leave_nothing) {
    FrContext *ctx = make_context(1);
    FrFilmDef def = fr_film_def_default();
    FrFilm *film = NULL;
    static uint8_t rgba[4 * 1280 * 720];
    unlink("render-none.mp4");
    def.program = "no-such-encoder";
    CHECK_INT(fr_film_begin(ctx, "render-none.mp4", &def, &film), FR_FAILED);
    CHECK_HAS(fr_context_message(ctx), "\"no-such-encoder\" is not there");
    CHECK(film == NULL);
    // a program that ends at once: writing to it fails, and no signal ends us
    def.program = "false";
    FrResult result = fr_film_begin(ctx, "render-none.mp4", &def, &film);
    CHECK_INT(result, FR_OK);
    for (int k = 0; k < 50 && result == FR_OK; k++) result = fr_film_add(film, rgba);
    CHECK_INT(result, FR_FAILED);
    CHECK_HAS(fr_context_message(ctx), "false could not make render-none.mp4 (exit 1)");
    fr_film_abort(film);
    // ffmpeg's own words
    def.program = NULL, def.wav = "no-such.wav";
    result = fr_film_begin(ctx, "render-none.mp4", &def, &film);
    for (int k = 0; k < 50 && result == FR_OK; k++) result = fr_film_add(film, rgba);
    CHECK_INT(result, FR_FAILED);
    CHECK_HAS(fr_context_message(ctx), "no-such.wav");
    fr_film_abort(film);
    def.wav = NULL, def.width = 641;
    CHECK_INT(fr_film_begin(ctx, "render-none.mp4", &def, &film), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "even");
    def.width = 640, def.height = 360;
    result = fr_film_begin(ctx, "no/such/folder.mp4", &def, &film);
    if (result == FR_OK) result = fr_film_commit(film);
    CHECK(result != FR_OK);
    CHECK(!exists("render-none.mp4"));
    CHECK_INT(parts_left(), 0);
    fr_context_destroy(ctx);
}

TEST(cancelled_film_leaves_the_old_one) {
    FrContext *ctx = make_context(1);
    static Fall fall;
    FrFrameSource source = make_fall(&fall);
    FrRenderer *renderer = make_renderer(ctx);
    FrCamera camera;
    FrRenderOptions options = fr_render_options_default();
    FrFilmDef def = fr_film_def_default();
    CHECK_OK(ctx, fr_camera_auto(ctx, &source, 1.7, 0, &camera));
    FILE *old = fopen("render-old.mp4", "wb");
    fputs("old", old);
    fclose(old);
    fall.cancel_at_frame = ctx;
    CHECK_INT(fr_film_render(renderer, &source, &camera, &options, &def, "render-old.mp4"),
              FR_INTERRUPTED);
    size_t size;
    char *bytes = bytes_of("render-old.mp4", &size);
    CHECK(size == 3 && memcmp(bytes, "old", 3) == 0);
    free(bytes);
    CHECK_INT(parts_left(), 0);
    fr_context_resume(ctx);
    fr_renderer_destroy(renderer);
    fr_context_destroy(ctx);
}

TEST(sheet_has_all_cells) {
    FrContext *ctx = make_context(1);
    static Fall fall;
    FrFrameSource source = make_fall(&fall);
    FrRenderer *renderer = make_renderer(ctx);
    FrCamera camera;
    FrRenderOptions options = fr_render_options_default();
    CHECK_OK(ctx, fr_camera_auto(ctx, &source, 1.7, -1, &camera));
    CHECK_OK(ctx, fr_sheet_render(renderer, &source, &camera, &options, (FrSheetGrid){3, 2},
                                  "render-sheet.png"));
    png_image image = {.version = PNG_IMAGE_VERSION};
    CHECK(png_image_begin_read_from_file(&image, "render-sheet.png"));
    CHECK_INT(image.width, 3 * (WIDTH + 6) + 6);
    CHECK_INT(image.height, 2 * (HEIGHT + 6) + 6);
    png_image_free(&image);
    // seven frames in six cells: the one that is left out is in the middle
    static const int32_t wanted[] = {6, 0, 1, 2, 4, 5, 6}; // the last one first, for its time
    source.frame_count = 7, fall.count = 0;
    CHECK_OK(ctx, fr_sheet_render(renderer, &source, &camera, &options, (FrSheetGrid){3, 2},
                                  "render-sheet.png"));
    CHECK_INT(fall.count, 7);
    for (int k = 0; k < 7; k++) CHECK_INT(fall.asked[k], wanted[k]);
    // four frames in six cells: each once, and no more cells than that needs
    source.frame_count = 4, fall.count = 0;
    CHECK_OK(ctx, fr_sheet_render(renderer, &source, &camera, &options, (FrSheetGrid){3, 2},
                                  "render-sheet.png"));
    CHECK_INT(fall.count, 5);
    for (int k = 0; k < 4; k++) CHECK_INT(fall.asked[1 + k], k);
    source.frame_count = 2, fall.count = 0;
    CHECK_OK(ctx, fr_sheet_render(renderer, &source, &camera, &options, (FrSheetGrid){3, 2},
                                  "render-sheet.png"));
    CHECK_INT(fall.count, 3);
    CHECK(png_image_begin_read_from_file(&image, "render-sheet.png"));
    CHECK_INT(image.width, 2 * (WIDTH + 6) + 6);
    CHECK_INT(image.height, HEIGHT + 6 + 6);
    png_image_free(&image);
    source.frame_count = FRAMES;
    CHECK_INT(fr_sheet_render(renderer, &source, &camera, &options, (FrSheetGrid){0, 2}, "x.png"),
              FR_BAD_USE);
    CHECK_INT(fr_picture_render(renderer, &source, 12, &camera, &options, "x.png"), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "frame 12; there are 0 to 11");
    CHECK_OK(ctx, fr_picture_render(renderer, &source, 11, &camera, &options, "render-frame.png"));
    fr_renderer_destroy(renderer);
    fr_context_destroy(ctx);
}

TEST(rendering_survives_failing_memory) {
    Faults faults;
    FrContext *ctx = make_faulty(&faults);
    static Fall fall;
    FrFrameSource source = make_fall(&fall);
    FrCamera camera;
    FrRenderOptions options = fr_render_options_default();
    CHECK_OK(ctx, fr_camera_auto(ctx, &source, 1.7, 0, &camera));
    FrRendererDef def = fr_renderer_def_default();
    def.width = 64, def.height = 36, def.shadow_size = 256;
    long alive = faults.alive;
    FrRenderer *renderer = NULL;
    for (long k = 0; !renderer; k++) {
        faults.allocations = k;
        FrResult result = fr_renderer_create(ctx, &def, &renderer);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        if (!renderer) CHECK_INT(faults.alive, alive);
    }
    FrResult result = FR_NO_MEMORY;
    FrFilmDef film = fr_film_def_default();
    source.frame_count = 2;
    for (long k = 0; result != FR_OK; k++) {
        faults.allocations = k;
        result = fr_sheet_render(renderer, &source, &camera, &options, (FrSheetGrid){2, 1},
                                 "render-memory.png");
        if (result == FR_OK)
            result =
                fr_film_render(renderer, &source, &camera, &options, &film, "render-memory.mp4");
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
    }
    faults.allocations = -1;
    fr_renderer_destroy(renderer);
    CHECK_INT(faults.alive, alive);
    CHECK_INT(parts_left(), 0);
    fr_context_destroy(ctx);
}
