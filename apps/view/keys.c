// keys.c: the keys, in one table that help shows, and what each does.

#include "view.h"
#include <stdio.h>
#include <string.h>

static const KeyRow table[] = {
    {"Space", "run or pause"},
    {".", "one step"},
    {"B", "back by a quarter of a second; Shift+B: by two seconds"},
    {"R", "back to the start"},
    {"+  -", "faster, slower"},
    {"1 to 8", "tool: pull, nail, strike, shoot, drop, delete, cut, twist"},
    {"Tab", "pick the next body"},
    {"Enter", "use the tool on it; again: let go"},
    {"Arrows", "move what is held (Page Up, Page Down: up, down); else turn the camera"},
    {"Backspace", "take all nails out"},
    {"X", "take the joint apart that is nearest to the pointer, or to the picked body"},
    {"Ctrl+Z", "undo: back by half a second"},
    {"F", "look at the picked body; with none, at all"},
    {"V", "what colours mean: surface, stress, tets, cracks, separation, pieces, speed, heat"},
    {"C  J  G  N  T", "contacts, joints, velocities, names, trees of boxes"},
    {"M", "the next mode of the picked body: see it swing, hear it"},
    {"Q", "fine or fast picture"},
    {"L", "light or dark"},
    {"H", "panels on or off"},
    {"Ctrl +  Ctrl -", "larger, smaller letters"},
    {"F5", "read the scene again"},
    {"F12", "screenshot"},
    {"Ctrl+S", "save what hands did"},
    {"Ctrl+Tab", "into the panels: arrows and Space there, Esc leaves them"},
    {"F1  ?", "this list"},
    {"Ctrl+Q", "quit"},
};

const KeyRow *keys_table(int *count) {
    *count = (int)(sizeof table / sizeof *table);
    return table;
}

static void toggle_run(View *v) {
    if (v->player.playback) {
        v->player.playing = !v->player.playing;
        if (v->player.t >= playing_length(v)) v->player.t = 0.0;
        return;
    }
    sim_run(v->sim, !v->status.running);
}

static void change_speed(View *v, double factor) {
    double *speed = v->player.playback ? &v->player.speed : &v->status.speed;
    double now = *speed * factor;
    now = now < 1.0 / 2048 ? 1.0 / 2048 : now > 4.0 ? 4.0 : now;
    *speed = now;
    if (!v->player.playback) sim_speed(v->sim, now);
}

static void change_scale(View *v, float factor) {
    float scale = v->style.scale * factor;
    v->style.scale = scale < 0.6f ? 0.6f : scale > 4.0f ? 4.0f : scale;
    ui_restyle(&v->style);
}

static bool with_control(View *v, SDL_Keycode key) {
    switch (key) {
    case SDLK_q:
        v->quit = true;
        return true;
    case SDLK_s:
        sim_save(v->sim, "fracas-inputs.json");
        view_note(v, "saved fracas-inputs.json: fracas view --replay fracas-inputs.json");
        return true;
    case SDLK_z:
        sim_back(v->sim, 0.5);
        return true;
    case SDLK_PLUS:
    case SDLK_EQUALS:
    case SDLK_KP_PLUS:
        return change_scale(v, 1.15f), true;
    case SDLK_MINUS:
    case SDLK_KP_MINUS:
        return change_scale(v, 1.0f / 1.15f), true;
    default:
        return false;
    }
}

static bool time_key(View *v, SDL_Keycode key, bool shift) {
    switch (key) {
    case SDLK_SPACE:
        return toggle_run(v), true;
    case SDLK_PERIOD:
        if (v->player.playback) return playing_step(v, 0.0), true;
        return sim_step(v->sim, 1), true;
    case SDLK_b:
        if (v->player.playback) return playing_seek(v, v->player.t - (shift ? 2.0 : 0.25)), true;
        return sim_back(v->sim, shift ? 2.0 : 0.25), true;
    case SDLK_r:
        if (v->player.playback) return playing_seek(v, 0.0), true;
        return v->nails.count = 0, v->grip.held = false, sim_reset(v->sim), true;
    case SDLK_PLUS:
    case SDLK_EQUALS:
    case SDLK_KP_PLUS:
        return change_speed(v, 2.0), true;
    case SDLK_MINUS:
    case SDLK_KP_MINUS:
        return change_speed(v, 0.5), true;
    default:
        return false;
    }
}

static bool look_key(View *v, SDL_Keycode key, bool shift) {
    switch (key) {
    case SDLK_f:
        return camera_fit(v), true;
    case SDLK_v: {
        int next = (int)v->look.show + (shift ? FR_SHOW_HEAT : 1);
        return v->look.show = (FrShow)(next % (FR_SHOW_HEAT + 1)), true;
    }
    case SDLK_c:
        return v->over.touches = !v->over.touches, true;
    case SDLK_j:
        return v->over.ties = !v->over.ties, true;
    case SDLK_g:
        return v->over.speeds = !v->over.speeds, true;
    case SDLK_n:
        return v->over.names = !v->over.names, true;
    case SDLK_t:
        return v->over.trees = !v->over.trees, true;
    case SDLK_m:
        return modes_next(v), true;
    case SDLK_q:
        return v->quality = v->quality == 2 ? 1 : 2, true;
    case SDLK_l:
        v->style.light = !v->style.light;
        return ui_restyle(&v->style), true;
    case SDLK_h:
        return v->panels = !v->panels, true;
    case SDLK_F5:
        if (!v->player.playback) sim_reload(v->sim);
        return true;
    case SDLK_F12:
        return v->shot.wanted = true, true;
    case SDLK_F1:
    case SDLK_QUESTION:
    case SDLK_SLASH:
        return v->help = !v->help, true;
    case SDLK_ESCAPE:
        return v->help = false, v->swing.mode = -1, v->picked = (FrBodyId){0}, true;
    default:
        return false;
    }
}

static void arrow_key(View *v, SDL_Keycode key) {
    double dx = (key == SDLK_RIGHT) - (key == SDLK_LEFT),
           dy = (key == SDLK_UP) - (key == SDLK_DOWN);
    double dz = (key == SDLK_PAGEUP) - (key == SDLK_PAGEDOWN);
    if (!v->grip.held) {
        camera_turn(v, 24 * dx, 24 * dy);
        camera_zoom(v, 1.5 * dz);
        return;
    }
    FrVec3 n = v->grip.normal; // along the ground as one looks
    double flat = n.x * n.x + n.y * n.y, d = 0.02;
    if (flat > 0.0) d /= SDL_sqrt(flat);
    hands_nudge(v, (FrVec3){d * (n.y * dx + n.x * dy), d * (-n.x * dx + n.y * dy), 0.02 * dz});
}

void keys_press(View *v, const SDL_KeyboardEvent *key) {
    SDL_Keycode sym = key->keysym.sym;
    bool shift = key->keysym.mod & KMOD_SHIFT;
    if (key->keysym.mod & KMOD_CTRL) {
        with_control(v, sym);
        return;
    }
    if (time_key(v, sym, shift) || look_key(v, sym, shift)) return;
    if (sym >= SDLK_1 && sym < SDLK_1 + TOOLS) v->tool = (Tool)(sym - SDLK_1);
    if (sym == SDLK_TAB) hands_pick_next(v);
    if (sym == SDLK_RETURN) hands_use(v);
    if (sym == SDLK_BACKSPACE) hands_drop_nails(v);
    if (sym == SDLK_x && !v->player.playback) hands_part(v);
    if (sym == SDLK_LEFT || sym == SDLK_RIGHT || sym == SDLK_UP || sym == SDLK_DOWN ||
        sym == SDLK_PAGEUP || sym == SDLK_PAGEDOWN)
        arrow_key(v, sym);
}
