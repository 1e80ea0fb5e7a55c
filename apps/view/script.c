// script.c: SECONDS key NAME, press|move|release X Y, wheel N, shot FILE.png, quit: one a line.

#include "script.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_EVENTS 10000

typedef enum What { KEY, PRESS, MOVE, RELEASE, WHEEL, SHOT, QUIT, WHATS } What;
static const char *const words[WHATS] = {"key",   "press", "move", "release",
                                         "wheel", "shot",  "quit"};

typedef struct Event {
    double t;
    What what;
    int x, y;
    SDL_Keycode key;
    Uint16 mod;
    char path[256];
} Event;

struct Script {
    Event event[MOST_EVENTS];
    int count, next;
    SDL_Keycode down; ///< key that is to be let go; 0: none
};

static bool wrong(const char *path, int line, long column, const char *what) {
    fprintf(stderr, "%s:%d:%ld: %s\n", path, line, column, what);
    return false;
}

// "Ctrl+S", "Space"
static bool read_key(const char *name, Event *e) {
    static const struct {
        const char *name;
        Uint16 mod;
    } held[] = {{"Ctrl+", KMOD_LCTRL}, {"Shift+", KMOD_LSHIFT}};
    for (size_t k = 0; k < 2; k++)
        if (!strncmp(name, held[k].name, strlen(held[k].name))) {
            e->mod |= held[k].mod;
            name += strlen(held[k].name);
        }
    e->key = SDL_GetKeyFromName(name);
    return e->key != SDLK_UNKNOWN;
}

static bool read_rest(const char *path, int line, const char *from, char *rest, Event *e) {
    long column = rest - from + 1;
    int used = 0;
    rest[strcspn(rest, "\r\n")] = 0;
    switch (e->what) {
    case KEY:
        return read_key(rest, e) ||
               wrong(path, line, column, "no key is called so: Space, A, Ctrl+S, F12, ...");
    case PRESS:
    case MOVE:
    case RELEASE:
        return (sscanf(rest, "%d %d%n", &e->x, &e->y, &used) == 2 && !rest[used]) ||
               wrong(path, line, column, "two whole numbers are wanted: X Y, pixels");
    case WHEEL:
        return (sscanf(rest, "%d%n", &e->x, &used) == 1 && !rest[used]) ||
               wrong(path, line, column, "a whole number is wanted");
    case SHOT:
        snprintf(e->path, sizeof e->path, "%s", rest);
        return (rest[0] && strlen(rest) < sizeof e->path) ||
               wrong(path, line, column, "the name of a picture is wanted: FILE.png");
    default:
        return !rest[0] || wrong(path, line, column, "nothing follows quit");
    }
}

static bool read_line(const char *path, int line, char *text, Script *script) {
    char *at = text + strspn(text, " \t"), *end;
    if (*at == '#' || !at[strspn(at, "\r\n")]) return true;
    Event *e = &script->event[script->count];
    *e = (Event){.t = strtod(at, &end)};
    if (end == at || !(e->t >= 0.0) || !isfinite(e->t))
        return wrong(path, line, at - text + 1, "a time is wanted, s, not below 0");
    if (script->count && e->t < e[-1].t)
        return wrong(path, line, at - text + 1, "this is earlier than the line before");
    at = end + strspn(end, " \t");
    size_t length = strcspn(at, " \t\r\n");
    int k = 0;
    while (k < WHATS && (strlen(words[k]) != length || strncmp(words[k], at, length) != 0)) k++;
    if (k == WHATS)
        return wrong(path, line, at - text + 1,
                     "key, press, move, release, wheel, shot or quit is wanted");
    e->what = (What)k;
    at += length;
    at += strspn(at, " \t");
    if (!read_rest(path, line, text, at, e)) return false;
    script->count++;
    return true;
}

Script *script_read(const char *path) {
    char text[512];
    FILE *file = fopen(path, "rb");
    Script *script = calloc(1, sizeof *script);
    bool fine = file && script;
    if (!file) fprintf(stderr, "%s: cannot be read\n", path);
    for (int line = 1; fine && fgets(text, sizeof text, file); line++) {
        fine = read_line(path, line, text, script);
        if (fine && script->count == MOST_EVENTS)
            fine = wrong(path, line, 1, "more than 10000 events");
    }
    if (file) fclose(file);
    if (fine) return script;
    free(script);
    return NULL;
}

void script_free(Script *script) { free(script); }

static void push_key(SDL_Keycode key, Uint16 mod, bool down) {
    SDL_Event e = {.type = down ? SDL_KEYDOWN : SDL_KEYUP};
    e.key.state = down ? SDL_PRESSED : SDL_RELEASED;
    e.key.keysym.sym = key;
    e.key.keysym.mod = mod;
    e.key.keysym.scancode = SDL_GetScancodeFromKey(key);
    SDL_PushEvent(&e);
}

static void push_pointer(const Event *from) {
    SDL_Event e = {.type = SDL_MOUSEMOTION};
    e.motion.x = from->x;
    e.motion.y = from->y;
    SDL_PushEvent(&e);
    if (from->what == MOVE) return;
    e = (SDL_Event){.type = from->what == PRESS ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP};
    e.button.button = SDL_BUTTON_LEFT;
    e.button.x = from->x;
    e.button.y = from->y;
    SDL_PushEvent(&e);
}

const char *script_step(Script *s, double t, bool *quit) {
    if (s->down) push_key(s->down, 0, false), s->down = 0;
    if (s->next == s->count || s->event[s->next].t > t) return NULL;
    const Event *e = &s->event[s->next++];
    SDL_Event wheel = {.type = SDL_MOUSEWHEEL};
    wheel.wheel.y = e->x;
    switch (e->what) {
    case KEY:
        push_key(e->key, e->mod, true);
        s->down = e->key;
        break;
    case PRESS:
    case MOVE:
    case RELEASE:
        push_pointer(e);
        break;
    case WHEEL:
        SDL_PushEvent(&wheel);
        break;
    case SHOT:
        return e->path;
    default:
        *quit = true;
    }
    return NULL;
}
