// playing.c: a recording played, scrubbed, with the sound that was made beside it.

#include "view.h"
#include <stdio.h>
#include <string.h>

static void play_sound_beside(View *v, const char *path) {
    char wav[600];
    const char *slash = strrchr(path, '/');
    snprintf(wav, sizeof wav, "%.*ssound.wav", slash ? (int)(slash - path + 1) : 0, path);
    if (v->sounds) sounds_load(v->sounds, wav);
}

bool playing_open(View *v, const char *path) {
    Player *p = &v->player;
    if (fr_playback_open(v->ctx, path, &p->playback) != FR_OK) return false;
    double aspect = (double)v->width / v->height;
    if (fr_playback_viewpoint(p->playback, aspect, &v->look.from) != FR_OK) return false;
    p->speed = 1.0;
    p->playing = true;
    play_sound_beside(v, path);
    playing_seek(v, 0.0);
    return true;
}

double playing_length(const View *v) {
    const FrPlayback *p = v->player.playback;
    return fr_playback_time(p, fr_playback_frames(p) - 1);
}

// the last frame up to t
static int frame_at(const FrPlayback *p, double t) {
    int lo = 0, hi = fr_playback_frames(p) - 1;
    while (lo < hi) {
        int middle = (lo + hi + 1) / 2;
        if (fr_playback_time(p, middle) <= t + 1e-9)
            lo = middle;
        else
            hi = middle - 1;
    }
    return lo;
}

static void show(View *v) {
    Player *p = &v->player;
    if (fr_playback_frame(p->playback, frame_at(p->playback, p->t), &p->view) != FR_OK)
        view_note(v, fr_context_message(v->ctx));
}

void playing_seek(View *v, double t) {
    double end = playing_length(v);
    v->player.t = t < 0.0 ? 0.0 : t > end ? end : t;
    show(v);
}

// 0 seconds: one frame
void playing_step(View *v, double seconds) {
    Player *p = &v->player;
    if (!(seconds > 0.0)) {
        int next = frame_at(p->playback, p->t) + 1;
        p->playing = false;
        if (next < fr_playback_frames(p->playback))
            playing_seek(v, fr_playback_time(p->playback, next));
    } else if (p->playing) {
        playing_seek(v, p->t + seconds * p->speed);
        if (p->t >= playing_length(v)) p->playing = false;
    }
    // sound has one speed
    bool heard = p->playing && p->speed > 0.99 && p->speed < 1.01;
    if (v->sounds) sounds_play(v->sounds, heard, p->t);
}
