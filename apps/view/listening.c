// listening.c: what is heard, to be looked at: its shape, its spectrum, and the modes of a body,
// which swing and sound one by one.

#include "view.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE 48000.0
#define SCOPE 512
/// Samples of a spectrum, a power of two; bands that are shown, from 40 Hz to 20 kHz.
#define WINDOW 4096
#define BANDS 120
#define LOWEST 40.0
#define HIGHEST 20000.0
/// What a mode swings: so often a second, so far of the body's size.
#define SWING_HZ 1.2
#define SWING 0.07

// --- scope and spectrum

// Cooley and Tukey's transform in place; count a power of two
static void transform(double *re, double *im, int count) {
    for (int i = 1, j = 0; i < count; i++) {
        int bit = count >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        double r = re[i];
        re[i] = re[j], re[j] = r;
        r = im[i], im[i] = im[j], im[j] = r;
    }
    for (int size = 2; size <= count; size *= 2)
        for (int k = 0; k < count; k++) {
            if (k & (size / 2)) continue;
            double a = -2.0 * M_PI * (k % size) / size, c = cos(a), s = sin(a);
            int m = k + size / 2;
            double r = c * re[m] - s * im[m], i = s * re[m] + c * im[m];
            re[m] = re[k] - r, im[m] = im[k] - i;
            re[k] += r, im[k] += i;
        }
}

// loudest line of each band, dB over -90 of full scale
static void spectrum(const float *sample, float *band) {
    static double re[WINDOW], im[WINDOW];
    for (int k = 0; k < WINDOW; k++) {
        re[k] = (double)sample[k] * (0.5 - 0.5 * cos(2.0 * M_PI * k / WINDOW));
        im[k] = 0.0;
    }
    transform(re, im, WINDOW);
    for (int b = 0; b < BANDS; b++) {
        double low = LOWEST * pow(HIGHEST / LOWEST, (double)b / BANDS),
               high = LOWEST * pow(HIGHEST / LOWEST, (b + 1.0) / BANDS), most = 0.0;
        int from = (int)(low * WINDOW / RATE), to = (int)(high * WINDOW / RATE);
        for (int k = from; k <= to && k < WINDOW / 2; k++) most = fmax(most, hypot(re[k], im[k]));
        band[b] = (float)fmax(0.0, 90.0 + 20.0 * log10(fmax(4.0 * most / WINDOW, 1e-9)));
    }
}

void listening_show(View *v) {
    static float sample[WINDOW], scope[SCOPE], band[BANDS];
    char text[64];
    float most = 1e-4f;
    sounds_recent(v->sounds, sample, WINDOW);
    for (int k = 0; k < SCOPE; k++) {
        scope[k] = sample[WINDOW - SCOPE + k];
        most = fmaxf(most, fabsf(scope[k]));
    }
    for (int k = 0; k < SCOPE; k++) scope[k] = 0.5f + 0.45f * scope[k] / most;
    snprintf(text, sizeof text, "%.1f dB", 20.0 * log10((double)most));
    ui_plot(text, scope, SCOPE, 0, 1.0f);
    ui_tip("the last 11 ms, both ears together; its peak under full scale");
    spectrum(sample, band);
    ui_plot("40 Hz to 20 kHz", band, BANDS, 0, 90.0f);
    ui_tip("its spectrum, from -90 dB to full scale; equal ratios are equally wide");
}

// --- modes

static void stop_swing(View *v) { v->swing.mode = -1; }

static void begin_swing(View *v, const FrBodyView *body, int mode, const FrHearMode *tone) {
    Swing *s = &v->swing;
    double *u = realloc(s->u, 3 * sizeof *u * (size_t)body->mesh->node_count);
    if (!u) return;
    s->u = u;
    s->nodes = body->mesh->node_count;
    s->body = body->id;
    s->began = 1e-3 * SDL_GetTicks();
    s->mode = sounds_shape(v->sounds, body->id, mode, body, u) ? mode : -1;
    sounds_tone(v->sounds, tone->hz, tone->t60);
}

static void one_mode(View *v, const FrBodyView *body, int k, const FrHearMode *mode) {
    char text[64];
    bool on = v->swing.mode == k && v->swing.body.index1 == body->id.index1;
    snprintf(text, sizeof text, "%.0f Hz##mode%d", mode->hz, k);
    if (ui_button(text, on, 5.6f)) {
        if (on)
            stop_swing(v);
        else
            begin_swing(v, body, k, mode);
    }
    snprintf(text, sizeof text, "rings for %.3g s (until 60 dB less)", mode->t60);
    ui_tip(text);
}

#define MOST_MODES 24
void modes_show(View *v, const FrBodyView *body) {
    FrHearMode mode[MOST_MODES];
    int count = sounds_modes(v->sounds, body->id, mode, MOST_MODES);
    if (!body->rigid || !body->mesh) return;
    if (count == 0) {
        if (ui_button("Find its modes", false, 0)) sounds_want(v->sounds, body->id);
        ui_tip("in the background; M. What is struck gets its modes by itself");
        return;
    }
    ui_dim("Modes, those first of which most is heard: click one to see and hear it.");
    for (int k = 0; k < count && k < MOST_MODES; k++) {
        one_mode(v, body, k, &mode[k]);
        if (k % 3 < 2 && k + 1 < count && k + 1 < MOST_MODES) ui_beside(0.3f);
    }
}

void modes_next(View *v) {
    int k = hands_find(v, v->picked);
    FrHearMode mode[MOST_MODES];
    if (k < 0 || !v->sounds || v->player.playback) return;
    const FrBodyView *body = &view_shown(v)->body[k];
    int count = sounds_modes(v->sounds, body->id, mode, MOST_MODES);
    bool same = v->swing.body.index1 == body->id.index1;
    int next = same ? v->swing.mode + 1 : 0;
    if (count == 0) sounds_want(v->sounds, body->id);
    if (count > MOST_MODES) count = MOST_MODES;
    if (next < count)
        begin_swing(v, body, next, &mode[next]);
    else
        stop_swing(v);
}

static FrVec3 turn(FrQuat q, const double *u) {
    FrVec3 a = {u[0], u[1], u[2]}, n = {q.x, q.y, q.z};
    FrVec3 t = {2 * (n.y * a.z - n.z * a.y), 2 * (n.z * a.x - n.x * a.z),
                2 * (n.x * a.y - n.y * a.x)};
    return (FrVec3){a.x + q.w * t.x + n.y * t.z - n.z * t.y,
                    a.y + q.w * t.y + n.z * t.x - n.x * t.z,
                    a.z + q.w * t.z + n.x * t.y - n.y * t.x};
}

static double size_of(const FrTetMesh *mesh) {
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int k = 0; k < 3 * mesh->node_count; k++)
        lo = fmin(lo, mesh->x[k]), hi = fmax(hi, mesh->x[k]);
    return hi - lo;
}

// the picked body as its mode bends it, much too far and much too slowly
const FrFrameView *modes_swing(View *v, const FrFrameView *view) {
    static FrFrameView shown;
    static FrBodyFrame *frame;
    static double *p;
    Swing *s = &v->swing;
    int k = s->mode < 0 ? -1 : hands_find(v, s->body);
    if (k < 0 || !view->body[k].mesh || view->body[k].mesh->node_count != s->nodes) return view;
    FrBodyFrame *frames = realloc(frame, sizeof *frame * (size_t)view->body_count);
    double *places = frames ? realloc(p, 3 * sizeof *p * (size_t)s->nodes) : NULL;
    if (frames) frame = frames;
    if (!places) return view;
    p = places;
    memcpy(frame, view->frame, sizeof *frame * (size_t)view->body_count);
    double t = 1e-3 * SDL_GetTicks() - s->began;
    double far = SWING * size_of(view->body[k].mesh) * sin(2.0 * M_PI * SWING_HZ * t);
    for (int n = 0; n < s->nodes; n++) {
        const double *rest = view->body[k].mesh->x + 3 * n, *u = s->u + 3 * n;
        double own[3] = {rest[0] + far * u[0], rest[1] + far * u[1], rest[2] + far * u[2]};
        FrVec3 x = turn(frame[k].rotation, own), at = frame[k].position;
        p[3 * n] = at.x + x.x, p[3 * n + 1] = at.y + x.y, p[3 * n + 2] = at.z + x.z;
    }
    frame[k].p = p;
    shown = *view;
    shown.frame = frame;
    return &shown;
}
