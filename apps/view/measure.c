// measure.c: time to the first picture, frames a second, what is uploaded, how fast time goes by.

#include "measure.h"
#include <math.h>
#include <stdio.h>

static struct Measured {
    Uint64 began;
    double first, total; ///< s: to the first picture; since time goes by
    double worst_frame, worst_step;
    int pictures, frames, most_calls; ///< frames: since time goes by
    int64_t most_bytes;
    double first_t, last_t;
} m;

static double since_start(void) {
    return (double)(SDL_GetPerformanceCounter() - m.began) / (double)SDL_GetPerformanceFrequency();
}

void measure_begin(void) { m.began = SDL_GetPerformanceCounter(); }

void measure_frame(const View *v, double seconds) {
    FrDrawCost cost = fr_draw_cost(v->draw);
    if (!view_shown(v)) return;
    double t = view_shown(v)->t;
    bool began = m.pictures > 0 && t > m.first_t;
    if (m.pictures++ == 0) m.first = since_start(), m.first_t = t;
    if (began) { // time goes by: not while something is cooked
        m.frames++;
        m.total += seconds;
        m.worst_frame = fmax(m.worst_frame, seconds);
    }
    if (v->moment) m.worst_step = fmax(m.worst_step, v->moment->seconds);
    m.most_calls = cost.calls > m.most_calls ? cost.calls : m.most_calls;
    m.most_bytes = cost.uploaded > m.most_bytes ? cost.uploaded : m.most_bytes;
    m.last_t = t;
}

void measure_print(const View *v) {
    printf("{\"first_picture_s\": %.3f, \"frames\": %d, \"frames_per_second\": %.1f, "
           "\"worst_frame_ms\": %.1f, \"draw_calls\": %d, \"uploaded_mb\": %.3f, "
           "\"real_time_factor\": %.3f, \"worst_step_ms\": %.1f, "
           "\"width\": %d, \"height\": %d}\n",
           m.first, m.frames, m.total > 0.0 ? m.frames / m.total : 0.0, 1e3 * m.worst_frame,
           m.most_calls, 1e-6 * (double)m.most_bytes,
           m.total > 0.0 ? (m.last_t - m.first_t) / m.total : 0.0, 1e3 * m.worst_step, v->width,
           v->height);
}
