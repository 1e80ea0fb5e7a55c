// view.h: the window's state: camera, tools, what is shown, the keys.
#pragma once
#include "sim.h"
#include "ui.h"
#include <fracas/draw.h>

typedef enum Tool { PULL, NAIL, STRIKE, SHOOT, DROP, TAKE, CUT, TWIST, TOOLS } Tool;

#define PLOT 240
#define MOST_LINES 8192
#define MOST_NAILS 64

/// What the pointer, or the keyboard, holds.
typedef struct Grip {
    bool held;
    int32_t hand;
    FrBodyId body;
    FrVec3 to;     ///< m
    FrVec3 normal; ///< of the plane that it moves in
    double depth;  ///< of that plane, along the normal, m
    bool twists;   ///< it turns, and does not pull
    FrVec3 spin;   ///< that it wants, rad/s
    float x, y;    ///< pixel at which it began
} Grip;

/// A point that stays where it was put.
typedef struct Nail {
    int32_t hand;
    FrVec3 to; ///< m
} Nail;

typedef struct Nails {
    Nail at[MOST_NAILS]; ///< (count)
    int32_t count, so_far;
} Nails;

/// A cut that is being drawn, pixels.
typedef struct Stroke {
    bool drawn;
    float from[2], to[2];
} Stroke;

typedef struct Overlays {
    bool touches, ties, speeds, names, trees;
} Overlays;

typedef struct Player {
    FrPlayback *playback; ///< NULL: a live scene
    const FrFrameView *view;
    double t; ///< s
    bool playing;
    double speed;
} Player;

/// What the tools do: sliders of the panel.
typedef struct HandSettings {
    double strength, mallet, ball_size, ball_speed, drop_size;
    int ball_material, drop_shape, drop_material;
} HandSettings;

typedef struct Pointer {
    int button; ///< that is down on the scene; 0: none
    float x, y; ///< pixels
    bool orbiting, panning;
} Pointer;

/// The last values of what is plotted, in a ring.
typedef struct Plots {
    float energy[PLOT], elastic[PLOT], spent[PLOT], brought[PLOT], step[PLOT], factor[PLOT];
    int at; ///< where the next one goes
} Plots;

/// Where the time of a step goes, ms of processor time.
typedef struct Stages {
    double forces, contact, breaking;
    FrWorldStats last;
    int64_t tick; ///< at which those were
} Stages;

/// The past that is looked at.
typedef struct Scrub {
    bool on;
    double t; ///< s
} Scrub;

/// What was done, told for a while.
typedef struct Note {
    char text[256];
    double until; ///< s
} Note;

typedef struct Shot {
    int count; ///< so far
    bool wanted;
} Shot;

/// A mode of a body that is looked at.
typedef struct Swing {
    FrBodyId body;
    int mode;  ///< -1: none
    double *u; ///< how it moves nodes (3 * nodes)
    int nodes;
    double began; ///< s
} Swing;

typedef struct View {
    SDL_Window *window;
    SDL_GLContext gl;
    FrContext *ctx;
    FrDraw *draw;
    Sim *sim;
    Sounds *sounds; ///< NULL: silent
    SimStatus status;
    Player player;
    int width, height; ///< pixels
    UiStyle style;
    bool quit, help, panels, software;
    int quality; ///< 0: chosen by the time that frames take, 1: fast, 2: fine
    double frame_ms;
    const FrMoment *moment; ///< NULL: none yet
    FrDrawLook look;
    int32_t opened; ///< scenes so far
    // hands
    Tool tool;
    Grip grip;
    Nails nails;
    Stroke stroke;
    FrBodyId picked;
    FrRayHit hover;
    bool hovers;
    HandSettings set;
    Pointer pointer;
    // shown
    Overlays over;
    FrDrawLine line[MOST_LINES];
    int line_count;
    Plots plots;
    Stages stages;
    FrLedger ledger;
    Swing swing;
    Scrub scrub;
    Note note;
    int32_t messages;
    Shot shot;
} View;

/// A key and what it does; help lists them.
typedef struct KeyRow {
    const char *keys, *what;
} KeyRow;
const KeyRow *keys_table(int *count);
void keys_press(View *v, const SDL_KeyboardEvent *key);

// camera.c
void camera_turn(View *v, double dx, double dy); ///< pixels
void camera_shift(View *v, double dx, double dy);
void camera_zoom(View *v, double steps);
void camera_fit(View *v); ///< the picked body, or all

// hands.c
void hands_hover(View *v);
bool hands_press(View *v); ///< true: it took the pointer
void hands_move(View *v);
void hands_release(View *v);
void hands_nudge(View *v, FrVec3 by); ///< what is held, or the picked body
void hands_pick_next(View *v);
void hands_use(View *v); ///< the tool on the picked body, by key
void hands_drop_nails(View *v);
void hands_part(View *v); ///< the joint nearest to the pointer, or of the picked body
int hands_find(const View *v, FrBodyId id); ///< of the view; -1: none
const char *tool_name(Tool tool);
const char *tool_hint(Tool tool);

// overlays.c
void overlays_draw(View *v);

// listening.c
void listening_show(View *v);                     ///< scope and spectrum
void modes_show(View *v, const FrBodyView *body); ///< of the picked body
void modes_next(View *v);                         ///< by keyboard
const FrFrameView *modes_swing(View *v, const FrFrameView *view);

// panels.c
void panels_show(View *v);
void view_note(View *v, const char *text);
const FrFrameView *view_shown(const View *v);

// playing.c
bool playing_open(View *v, const char *path);
void playing_step(View *v, double seconds);
void playing_seek(View *v, double t);
double playing_length(const View *v);

// browser.c
bool browser_show(View *v); ///< true: a scene was chosen
