// main.c: fracas-view: a window in which scenes and recordings come alive.

#include "film.h"
#include "measure.h"
#include "script.h"
#include "thumbs.h"
#include "view.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_SETS 32
/// Frames that take longer make the chosen picture a fast one, and shorter ones a fine one, ms.
#define SLOW_FRAME 30.0
#define QUICK_FRAME 9.0

typedef struct Words {
    const char *file, *script, *replay, *film;
    const char *set[MOST_SETS];
    int set_count, width, height;
    float scale;
    bool light, paused, silent, exact, fuzz;
    unsigned fuzz_seed;
    double fuzz_seconds, measure;
} Words;

static const char help_text[] =
    "fracas view [SCENE.lua|SCENE.json|RUN.fracas] [options]\n"
    "a window in which a scene comes alive under your hands, or a recording is played\n\n"
    "  --set NAME=VALUE   change a param of the scene; units as in 60cm\n"
    "  --exact            with the models of a run: soft bodies are else of model corot, which is "
    "quick\n"
    "  --replay FILE      play inputs again that were saved with Ctrl+S\n"
    "  --film DIR         with --replay: no window; recording, sound and film of it into DIR\n"
    "  --script FILE      keys and pointer from a file: SECONDS key NAME | press|move|release X Y "
    "|\n"
    "                     wheel N | shot FILE.png | quit, one a line\n"
    "  --size WxH         of the window, pixels (1280x800)\n"
    "  --scale S          of letters and panels (by the display)\n"
    "  --light            light panels\n"
    "  --paused           do not run at once\n"
    "  --silent           no sound\n"
    "  --play SECONDS     random keys and clicks for so long, then quit; --seed N: others\n"
    "  --measure SECONDS  run for so long, then print how well it went, as JSON\n"
    "\nExamples:\n"
    "  fracas view scenes/hello.lua\n"
    "  fracas view scenes/drop-row.lua --set fall=1m\n"
    "  fracas view out/hello/run.fracas\n";

static const char *value_of(int argc, char **argv, int *k) {
    if (*k + 1 < argc) return argv[++*k];
    fprintf(stderr, "fracas view: %s takes a value; `fracas view --help`\n", argv[*k]);
    exit(FR_BAD_USE);
}

static void read_words(int argc, char **argv, Words *w) {
    for (int k = 1; k < argc; k++) {
        const char *word = argv[k];
        if (!strcmp(word, "--help") || !strcmp(word, "-h")) exit(printf("%s", help_text) < 0);
        if (!strcmp(word, "--set") && w->set_count < MOST_SETS)
            w->set[w->set_count++] = value_of(argc, argv, &k);
        else if (!strcmp(word, "--script"))
            w->script = value_of(argc, argv, &k);
        else if (!strcmp(word, "--replay"))
            w->replay = value_of(argc, argv, &k);
        else if (!strcmp(word, "--film"))
            w->film = value_of(argc, argv, &k);
        else if (!strcmp(word, "--scale"))
            w->scale = (float)atof(value_of(argc, argv, &k));
        else if (!strcmp(word, "--play"))
            w->fuzz = true, w->fuzz_seconds = atof(value_of(argc, argv, &k));
        else if (!strcmp(word, "--measure"))
            w->measure = atof(value_of(argc, argv, &k));
        else if (!strcmp(word, "--seed"))
            w->fuzz_seed = (unsigned)atoi(value_of(argc, argv, &k));
        else if (!strcmp(word, "--size"))
            sscanf(value_of(argc, argv, &k), "%dx%d", &w->width, &w->height);
        else if (!strcmp(word, "--light"))
            w->light = true;
        else if (!strcmp(word, "--paused"))
            w->paused = true;
        else if (!strcmp(word, "--exact"))
            w->exact = true;
        else if (!strcmp(word, "--silent"))
            w->silent = true;
        else if (word[0] != '-' && !w->file)
            w->file = word;
        else
            fprintf(stderr, "fracas view: what is %s? `fracas view --help`\n", word),
                exit(FR_BAD_USE);
    }
    if (w->width < 320 || w->height < 240 || w->width > 8192 || w->height > 8192)
        fprintf(stderr, "fracas view: a window of 320x240 to 8192x8192 is possible\n"),
            exit(FR_BAD_USE);
    if (!(w->scale >= 0.0f && w->scale <= 4.0f))
        fprintf(stderr, "fracas view: --scale takes 0.6 to 4\n"), exit(FR_BAD_USE);
}

static int no_display(const Words *w) {
    const char *file = w->file ? w->file : "scenes/hello.lua";
    fprintf(stderr,
            "fracas view: no window can be opened here (%s).\nA film instead: fracas %s %s\n",
            SDL_GetError(), strstr(file, ".fracas") ? "render" : "run", file);
    return FR_FAILED;
}

static void log_line(void *user, FrLogLevel level, const char *text) {
    (void)user;
    if (level == FR_LOG_WARNING) fprintf(stderr, "%s\n", text);
}

// --- the window

static float scale_of(SDL_Window *window, const Words *w) {
    float dpi = 96.0f;
    int points, pixels, high;
    if (w->scale > 0.0f) return w->scale;
    SDL_GetWindowSize(window, &points, &high);
    SDL_GL_GetDrawableSize(window, &pixels, &high);
    if (pixels > points) return (float)pixels / (float)points;
    if (SDL_GetDisplayDPI(SDL_GetWindowDisplayIndex(window), NULL, &dpi, NULL) != 0) dpi = 96.0f;
    return dpi > 120.0f && dpi < 400.0f ? dpi / 96.0f : 1.0f;
}

// SDL draws where nobody sees it when there is no display: only who asks for that gets it
static bool seen_by_nobody(void) {
    const char *driver = SDL_GetCurrentVideoDriver();
    bool hidden = driver && (!strcmp(driver, "offscreen") || !strcmp(driver, "dummy"));
    return hidden && !getenv("SDL_VIDEODRIVER") && SDL_SetError("no display") != 0;
}

static bool open_window(View *v, const Words *w) {
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    if (SDL_Init(SDL_INIT_VIDEO) != 0 || seen_by_nobody()) return false;
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    v->window = SDL_CreateWindow("Fracas", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                                 w->width, w->height, flags);
    if (v->window) v->gl = SDL_GL_CreateContext(v->window);
    if (!v->gl) return false;
    SDL_GL_SetSwapInterval(1);
    SDL_GL_GetDrawableSize(v->window, &v->width, &v->height);
    v->style.scale = scale_of(v->window, w);
    return ui_open(&v->style);
}

// a rasteriser in software draws one sample a pixel
static bool draws_in_software(void) {
    typedef const unsigned char *GetString(unsigned);
    GetString *get = (GetString *)(uintptr_t)SDL_GL_GetProcAddress("glGetString");
    const char *name = get ? (const char *)get(0x1F01) : NULL; // GL_RENDERER
    return name && (strstr(name, "llvmpipe") || strstr(name, "softpipe"));
}

static FrResult open_draw(View *v) {
    FrDrawDef def = fr_draw_def_default();
    v->software = draws_in_software();
    def.width = v->width;
    def.height = v->height;
    def.samples = v->software ? 1 : 4;
    def.fine = !v->software;
    return fr_draw_create(v->ctx, &def, &v->draw);
}

static void defaults(View *v) {
    v->look = fr_draw_look_default();
    v->set.strength = 1.0;
    v->set.mallet = 2.0;
    v->set.ball_size = 0.04;
    v->set.ball_speed = 8.0;
    v->set.drop_size = 0.12;
    v->over.ties = true;
    v->panels = true;
    v->frame_ms = 16.0;
    v->swing.mode = -1;
    for (int32_t k = 0; k < fr_material_count(); k++) {
        if (!strcmp(fr_material_name(k), "steel")) v->set.ball_material = k;
        if (!strcmp(fr_material_name(k), "jelly")) v->set.drop_material = k;
    }
}

void view_note(View *v, const char *text) {
    snprintf(v->note.text, sizeof v->note.text, "%.255s", text);
    v->note.until = 1e-3 * SDL_GetTicks() + 6.0;
}

const FrFrameView *view_shown(const View *v) {
    if (v->player.playback) return v->player.view;
    return v->moment ? &v->moment->view : NULL;
}

// --- events

static void pointer(View *v, int x, int y) {
    float dx = (float)x - v->pointer.x, dy = (float)y - v->pointer.y;
    v->pointer.x = (float)x;
    v->pointer.y = (float)y;
    if (v->pointer.panning) camera_shift(v, (double)dx, (double)dy);
    if (v->pointer.orbiting) camera_turn(v, (double)dx, (double)dy);
    if ((v->grip.held || v->stroke.drawn) && v->pointer.button) hands_move(v);
}

static void press(View *v, const SDL_MouseButtonEvent *b) {
    pointer(v, b->x, b->y);
    if (ui_has_mouse()) return;
    v->pointer.button = b->button;
    bool shift = SDL_GetModState() & KMOD_SHIFT;
    if (b->button == SDL_BUTTON_LEFT && hands_press(v)) return;
    v->pointer.panning = b->button == SDL_BUTTON_MIDDLE || (b->button == SDL_BUTTON_RIGHT && shift);
    v->pointer.orbiting = !v->pointer.panning;
}

static void wheel(View *v, int steps) {
    if (ui_has_mouse()) return;
    if (!v->grip.held) {
        camera_zoom(v, steps);
        return;
    }
    FrVec3 n = v->grip.normal; // away from the eye
    double by = 0.03 * steps;
    hands_nudge(v, (FrVec3){by * n.x, by * n.y, by * n.z});
}

static void react(View *v, const SDL_Event *e) {
    switch (e->type) {
    case SDL_QUIT:
        v->quit = true;
        break;
    case SDL_MOUSEMOTION:
        pointer(v, e->motion.x, e->motion.y);
        break;
    case SDL_MOUSEBUTTONDOWN:
        press(v, &e->button);
        break;
    case SDL_MOUSEBUTTONUP:
        if (v->pointer.button) hands_release(v);
        v->pointer.orbiting = v->pointer.panning = false;
        v->pointer.button = 0;
        break;
    case SDL_MOUSEWHEEL:
        wheel(v, e->wheel.y);
        break;
    case SDL_KEYDOWN:
        if (!ui_has_text() && !(ui_has_keys() && !(e->key.keysym.mod & KMOD_CTRL)))
            keys_press(v, &e->key);
        break;
    case SDL_DROPFILE:
        sim_open(v->sim, e->drop.file, NULL, 0, false);
        SDL_free(e->drop.file);
        break;
    default:
        break;
    }
}

// pixels of the window as pixels of the picture
static void to_pixels(const View *v, SDL_Event *e) {
    int w, h;
    SDL_GetWindowSize(v->window, &w, &h);
    if (w == v->width || w <= 0) return;
    double scale = (double)v->width / w;
    if (e->type == SDL_MOUSEMOTION)
        e->motion.x = (int)(scale * e->motion.x), e->motion.y = (int)(scale * e->motion.y);
    if (e->type == SDL_MOUSEBUTTONDOWN || e->type == SDL_MOUSEBUTTONUP)
        e->button.x = (int)(scale * e->button.x), e->button.y = (int)(scale * e->button.y);
}

static void take_events(View *v) {
    SDL_Event e;
    while (SDL_PollEvent(&e)) {
        to_pixels(v, &e);
        ui_event(&e);
        react(v, &e);
    }
    int w, h;
    SDL_GL_GetDrawableSize(v->window, &w, &h);
    if ((w == v->width && h == v->height) || w < 16 || h < 16) return;
    if (fr_draw_resize(v->draw, w, h) == FR_OK) v->width = w, v->height = h;
}

// --- a frame

// another scene: its own place to look from
static void follow_scene(View *v, const Words *w) {
    sim_status(v->sim, &v->status);
    if (v->status.opened == v->opened) return;
    bool first = v->opened == 0;
    v->opened = v->status.opened;
    v->look.from = v->status.from;
    v->picked = (FrBodyId){0};
    v->grip.held = v->stroke.drawn = false;
    v->nails.count = 0;
    v->swing.mode = -1;
    v->ledger = (FrLedger){0};
    v->scrub.on = false;
    if (!first || !w->paused) sim_run(v->sim, true);
}

// what of a step's time went where, since the moment before
static void count_stages(View *v) {
    Stages *s = &v->stages;
    const FrWorldStats *now = &v->moment->stats;
    int64_t tick = v->moment->view.tick, steps = tick - s->tick;
    if (steps == 0) return;
    if (steps < 0) v->ledger = (FrLedger){0}; // it went back
    fr_ledger_note(&v->ledger, &v->moment->energy);
    if (steps > 0 && s->tick > 0) {
        double by = 1e3 / (double)steps;
        s->forces += 0.2 * (by * (now->force_seconds - s->last.force_seconds) - s->forces);
        s->contact += 0.2 * (by * (now->contact_seconds - s->last.contact_seconds) - s->contact);
        s->breaking +=
            0.2 * (by * (now->fracture_seconds - s->last.fracture_seconds) - s->breaking);
    }
    s->last = *now;
    s->tick = tick;
}

static void plot(View *v) {
    if (!v->moment) return;
    const FrEnergy *e = &v->moment->energy;
    v->plots.energy[v->plots.at] = (float)e->kinetic;
    v->plots.elastic[v->plots.at] = (float)e->elastic;
    v->plots.spent[v->plots.at] =
        (float)(e->plastic + e->fracture + e->dust + e->damping + e->contact);
    v->plots.brought[v->plots.at] = (float)e->external;
    count_stages(v);
    v->plots.step[v->plots.at] = (float)v->status.step_ms;
    v->plots.factor[v->plots.at] = (float)v->status.factor;
    v->plots.at = (v->plots.at + 1) % PLOT;
}

static void choose_quality(View *v) {
    bool fine = v->quality == 2;
    if (v->quality == 0) // what was chosen stays, unless it is clearly wrong
        fine = !v->software && v->frame_ms < SLOW_FRAME;
    fr_draw_set_quality(v->draw, fine, v->software ? 1 : 4);
}

static void draw_nothing(View *v) {
    static const FrFrameView empty = {0};
    fr_draw_view(v->draw, &empty, &v->look);
}

static void draw_scene(View *v) {
    const FrFrameView *view = view_shown(v);
    v->look.lit = v->picked;
    choose_quality(v);
    if (!view) {
        draw_nothing(v);
        return;
    }
    if (fr_draw_view(v->draw, modes_swing(v, view), &v->look) != FR_OK)
        view_note(v, fr_context_message(v->ctx));
    hands_hover(v);
    overlays_draw(v);
}

static void take_shot(View *v, const char *path) {
    char name[64];
    snprintf(name, sizeof name, "fracas-%03d.png", ++v->shot.count);
    if (!path) path = name;
    if (fr_draw_save(v->draw, path) == FR_OK) {
        char text[300];
        snprintf(text, sizeof text, "saved %.240s", path);
        view_note(v, text);
    } else {
        fprintf(stderr, "%s\n", fr_context_message(v->ctx));
    }
}

// as it is, or as it was where time is scrubbed
static const FrMoment *moment_now(View *v) {
    const FrMoment *past = v->scrub.on ? sim_past(v->sim, v->scrub.t) : NULL;
    return past ? past : sim_moment(v->sim);
}

static void frame(View *v, double seconds, const char *shot) {
    static bool fields;
    bool wanted = v->look.show == FR_SHOW_STRESS || v->look.show == FR_SHOW_SEPARATION ||
                  v->look.show == FR_SHOW_HEAT;
    if (wanted != fields) sim_fields(v->sim, wanted), fields = wanted;
    if (v->player.playback)
        playing_step(v, v->player.playing ? seconds : 1e-9);
    else
        v->moment = moment_now(v);
    plot(v);
    if (v->sounds) sounds_listen(v->sounds, &v->look.from);
    ui_begin(v->width, v->height, seconds);
    draw_scene(v);
    panels_show(v);
    ui_end();
    if (shot || v->shot.wanted) take_shot(v, shot);
    v->shot.wanted = false;
    SDL_GL_SwapWindow(v->window);
}

// saved: read again
static void watch(View *v) {
    static time_t seen;
    static Uint32 last;
    struct stat file;
    if (SDL_GetTicks() - last < 400 || v->player.playback || !v->status.ready) return;
    last = SDL_GetTicks();
    if (stat(v->status.scene, &file) != 0) return;
    if (seen && file.st_mtime != seen) sim_reload(v->sim);
    seen = file.st_mtime;
}

// --- random play, for tests

static unsigned draw_random(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// not what leaves, writes files or takes long
static void play_random(View *v, unsigned *state) {
    static const SDL_Keycode key[] = {
        SDLK_SPACE, SDLK_PERIOD, SDLK_b,         SDLK_1, SDLK_2,     SDLK_3,    SDLK_4,
        SDLK_5,     SDLK_6,      SDLK_7,         SDLK_8, SDLK_t,     SDLK_m,    SDLK_x,
        SDLK_TAB,   SDLK_RETURN, SDLK_BACKSPACE, SDLK_f, SDLK_v,     SDLK_c,    SDLK_j,
        SDLK_g,     SDLK_n,      SDLK_q,         SDLK_l, SDLK_h,     SDLK_LEFT, SDLK_UP,
        SDLK_PLUS,  SDLK_MINUS,  SDLK_SLASH,     SDLK_r, SDLK_PAGEUP};
    SDL_Event e = {.type = SDL_KEYDOWN};
    unsigned what = draw_random(state) % 8, k = draw_random(state);
    if (what < 3) {
        e.key.keysym.sym = key[k % (sizeof key / sizeof *key)];
        e.key.keysym.scancode = SDL_GetScancodeFromKey(e.key.keysym.sym);
        SDL_PushEvent(&e);
        e.type = SDL_KEYUP;
        SDL_PushEvent(&e);
        return;
    }
    e = (SDL_Event){.type = SDL_MOUSEMOTION};
    e.motion.x = (int)(k % (unsigned)v->width);
    e.motion.y = (int)(draw_random(state) % (unsigned)v->height);
    SDL_PushEvent(&e);
    if (what < 5) return;
    SDL_Event b = {.type = v->pointer.button ? SDL_MOUSEBUTTONUP : SDL_MOUSEBUTTONDOWN};
    b.button.button =
        v->pointer.button ? (Uint8)v->pointer.button : (Uint8)(1 + draw_random(state) % 3);
    b.button.x = e.motion.x;
    b.button.y = e.motion.y;
    SDL_PushEvent(&b);
}

static void go(View *v, const Words *w, Script *script) {
    Uint64 before = SDL_GetPerformanceCounter();
    double started = -1.0;
    unsigned random = w->fuzz_seed;
    while (!v->quit) {
        Uint64 now = SDL_GetPerformanceCounter();
        double seconds = (double)(now - before) / (double)SDL_GetPerformanceFrequency();
        double t = 1e-3 * SDL_GetTicks();
        before = now;
        v->frame_ms += 0.1 * (1e3 * seconds - v->frame_ms);
        bool ready =
            v->player.playback || v->moment || !(w->file || w->replay) || v->status.message[0];
        if (ready && started < 0.0) started = t;
        const char *shot = script && ready ? script_step(script, t - started, &v->quit) : NULL;
        if (w->fuzz && ready) play_random(v, &random);
        if (w->fuzz && ready && t - started > w->fuzz_seconds) v->quit = true;
        take_events(v);
        follow_scene(v, w);
        watch(v);
        const char *news = film_news();
        if (news) view_note(v, news);
        frame(v, seconds, shot);
        if (w->measure > 0.0) measure_frame(v, seconds);
        if (w->measure > 0.0 && ready && t - started > w->measure) v->quit = true;
    }
    if (w->measure > 0.0) measure_print(v);
}

static bool open_file(View *v, const Words *w) {
    const char *file = w->file;
    size_t length = file ? strlen(file) : 0;
    double beside = 39.0 * 15.5 * (double)v->style.scale; // panels
    sim_aspect(v->sim, fmax(v->width - beside, 0.4 * v->width) / v->height);
    sim_exact(v->sim, w->exact);
    if (w->replay) return sim_replay(v->sim, w->replay), true;
    if (!file) return true;
    if (length > 7 && !strcmp(file + length - 7, ".fracas")) return playing_open(v, file);
    sim_open(v->sim, file, w->set, w->set_count, false);
    return true;
}

static int run(View *v, const Words *w, Script *script) {
    FrContextDef def = fr_context_def_default();
    def.log = log_line;
    def.tasks.workers = 2;
    v->ctx = fr_context_create(&def);
    if (!v->ctx) return FR_NO_MEMORY;
    v->sounds = w->silent ? NULL : sounds_create();
    v->sim = sim_create(v->sounds);
    if (!v->sim) return FR_NO_MEMORY;
    FrResult result = open_draw(v);
    if (result == FR_OK && open_file(v, w))
        go(v, w, script);
    else
        fprintf(stderr, "fracas view: %s\n", fr_context_message(v->ctx)), result = FR_BAD_INPUT;
    film_end();
    thumbs_end();
    sim_destroy(v->sim);
    if (v->sounds) sounds_destroy(v->sounds);
    fr_draw_destroy(v->draw);
    fr_playback_close(v->player.playback);
    fr_context_destroy(v->ctx);
    return (int)result;
}

static int film_alone(const Words *w) {
    FrContextDef def = fr_context_def_default();
    def.log = log_line;
    FrContext *ctx = fr_context_create(&def);
    if (!ctx) return FR_NO_MEMORY;
    FrResult result = w->replay ? film_make(ctx, w->replay, w->film) : FR_BAD_USE;
    if (!w->replay) fprintf(stderr, "fracas view: --film is of inputs: --replay FILE\n");
    if (result != FR_OK && w->replay) fprintf(stderr, "fracas view: %s\n", fr_context_message(ctx));
    if (result == FR_OK) printf("%s/film.mp4\n", w->film);
    fr_context_destroy(ctx);
    return (int)result;
}

int main(int argc, char **argv) {
    static View view;
    Words words = {.width = 1280, .height = 800, .fuzz_seed = 1};
    measure_begin();
    read_words(argc, argv, &words);
    view.style = (UiStyle){.light = words.light, .scale = 1.0f, .accent = {0.96f, 0.62f, 0.22f}};
    defaults(&view);
    if (words.film) return film_alone(&words);
    Script *script = words.script ? script_read(words.script) : NULL;
    if (words.script && !script) return FR_BAD_INPUT;
    if (!open_window(&view, &words)) return no_display(&words);
    int status = run(&view, &words, script);
    ui_close();
    SDL_GL_DeleteContext(view.gl);
    SDL_DestroyWindow(view.window);
    SDL_Quit();
    script_free(script);
    return status;
}
