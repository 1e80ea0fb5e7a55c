// microphone.c: what deforming bodies sound like: their surfaces push the air, and two ears sum it
// up.

#include "sound/microphone.h"
#include "base/array.h"
#include "math/vec.h"
#include "sound/ringer.h"
#include <math.h>
#include <string.h>

/// Nearer than this does not get louder, m.
#define NEAREST 0.05
/// The low-pass that goes with another rate: taps on each side, and its edge over the lower rate.
#define TAPS 32
#define EDGE 0.42
/// What is slower than this is not sound, Hz.
#define LOWEST 20.0
/// Where the run ends its sound is faded over this time, s; what is slower than sound stays as it
/// was for the time after, until the filter has forgotten it.
#define END_FADE 0.004
#define TAIL 0.12

/// Where the nodes of one body were a tick ago, and how fast they came there.
typedef struct Past {
    int32_t node_count;
    double *p, *u; ///< m, m/s (3 * node_count)
} Past;

struct FrMicrophone {
    FrContext *ctx;
    FrVec3 ear[2];
    double rate;
    int64_t ticks; ///< heard so far
    FR_ARRAY(Past) past;
    FR_ARRAY(double) heard[2]; ///< Pa, by tick; the end is still filling up
    int64_t whole[2];          ///< ticks of these that lack nothing
    FR_ARRAY(FrVec3) pull;     ///< scratch: acceleration of each node of a body, m/s^2
};

FrResult fr_microphone_create(FrContext *ctx, const FrVec3 ear[2], double rate,
                              FrMicrophone **microphone) {
    FR_ASSERT_IN(ctx, rate > 0.0, "give the ticks per second");
    FrMicrophone *m = FR_NEW(ctx, FrMicrophone, 1);
    *microphone = m;
    if (!m) return fr_no_memory(ctx, "a microphone");
    m->ctx = ctx;
    m->ear[0] = ear[0];
    m->ear[1] = ear[1];
    m->rate = rate;
    return FR_OK;
}

static void forget(FrMicrophone *m) {
    for (int32_t k = 0; k < m->past.count; k++) {
        fr_free(m->ctx, m->past.data[k].p);
        fr_free(m->ctx, m->past.data[k].u);
    }
    fr_array_free(m->ctx, &m->past);
    fr_array_free(m->ctx, &m->heard[0]);
    fr_array_free(m->ctx, &m->heard[1]);
    fr_array_free(m->ctx, &m->pull);
}

void fr_microphone_destroy(FrMicrophone *m) {
    if (!m) return;
    FrContext *ctx = m->ctx;
    forget(m);
    fr_free(ctx, m);
}

// nodes that are new came with the velocity they have now
static FrResult grow_past(FrMicrophone *m, Past *past, const FrBodyFrame *frame, int32_t count) {
    size_t size = 3 * (size_t)count * sizeof(double);
    double *p = fr_resize(m->ctx, past->p, size + 1);
    if (p) past->p = p;
    double *u = p ? fr_resize(m->ctx, past->u, size + 1) : NULL;
    if (u) past->u = u;
    if (!p || !u) return fr_no_memory(m->ctx, "a microphone");
    for (size_t k = 3 * (size_t)past->node_count; k < 3 * (size_t)count; k++) {
        u[k] = frame->v[k];
        p[k] = frame->p[k] - u[k] / m->rate;
    }
    past->node_count = count;
    return FR_OK;
}

// one triangle as heard by one ear: at tick + r/c, shared by the two ticks around it
static FrResult send(FrMicrophone *m, int side, FrVec3 at, double strength) {
    double r = fr_max(fr_distance(at, m->ear[side]), NEAREST);
    double when = (double)m->ticks + r / FR_SOUND_SPEED * m->rate, floor_when = floor(when);
    int64_t first = (int64_t)floor_when;
    if (first < m->whole[side]) m->whole[side] = first;
    if (first + 2 > INT32_MAX / 2)
        return fr_fail(m->ctx, FR_BAD_USE, "a run of %g s is too long for the microphone",
                       when / m->rate);
    int32_t more = (int32_t)(first + 2) - m->heard[side].count;
    if (more > 0 && !fr_array_extend(m->ctx, &m->heard[side], more))
        return fr_no_memory(m->ctx, "a microphone");
    double part = when - floor_when, p = FR_AIR_DENSITY / (4.0 * M_PI) * strength / r;
    m->heard[side].data[first] += (1.0 - part) * p;
    m->heard[side].data[first + 1] += part * p;
    return FR_OK;
}

// changes of the mean speeds of nodes over the last tick, as accelerations; goes on to this tick
static FrResult find_pulls(FrMicrophone *m, const double *p, Past *past) {
    m->pull.count = 0;
    if (!fr_array_reserve(m->ctx, &m->pull, past->node_count))
        return fr_no_memory(m->ctx, "a microphone");
    for (int32_t n = 0; n < past->node_count; n++) {
        FrVec3 u = fr_scale(m->rate, fr_sub(fr_get3(p, n), fr_get3(past->p, n)));
        m->pull.data[n] = fr_scale(m->rate, fr_sub(u, fr_get3(past->u, n)));
        fr_set3(past->u, n, u);
        fr_set3(past->p, n, fr_get3(p, n));
    }
    return FR_OK;
}

static FrResult hear_body(FrMicrophone *m, const FrBodyView *body, const FrBodyFrame *frame,
                          Past *past) {
    FR_TRY(find_pulls(m, frame->p, past));
    const FrVec3 *pull = m->pull.data;
    for (int32_t t = 0; t < body->surface->tri_count; t++) {
        const int32_t *n = body->surface->tri[t];
        FrVec3 sum = fr_add(pull[n[0]], fr_add(pull[n[1]], pull[n[2]]));
        if (!(fr_length2(sum) > 0.0)) continue; // what lies is silent
        FrVec3 a = fr_get3(frame->p, n[0]), b = fr_get3(frame->p, n[1]),
               c = fr_get3(frame->p, n[2]);
        FrVec3 area = fr_scale(0.5, fr_cross(fr_sub(b, a), fr_sub(c, a)));
        FrVec3 middle = fr_scale(1.0 / 3.0, fr_add(a, fr_add(b, c)));
        for (int side = 0; side < 2; side++) FR_TRY(send(m, side, middle, fr_dot(area, sum) / 3.0));
    }
    return FR_OK;
}

// where nothing sounds the tick itself lacks nothing
static FrResult end_tick(FrMicrophone *m, int side) {
    int64_t more = m->ticks - m->heard[side].count;
    if (more > 0 && !fr_array_extend(m->ctx, &m->heard[side], (int32_t)more))
        return fr_no_memory(m->ctx, "a microphone");
    if (m->whole[side] == INT64_MAX) m->whole[side] = m->ticks;
    if (m->whole[side] > m->heard[side].count) m->whole[side] = m->heard[side].count;
    return FR_OK;
}

FrResult fr_microphone_hear(FrMicrophone *m, const FrFrameView *view) {
    m->whole[0] = m->whole[1] = INT64_MAX;
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrBodyView *body = &view->body[k];
        const FrBodyFrame *frame = &view->frame[k];
        if (k >= m->past.count && !fr_array_extend(m->ctx, &m->past, k + 1 - m->past.count))
            return fr_no_memory(m->ctx, "a microphone");
        if (body->rigid || !body->mesh || !body->surface || !frame->p || !frame->alive) continue;
        Past *past = &m->past.data[k];
        if (past->node_count != body->mesh->node_count)
            FR_TRY(grow_past(m, past, frame, body->mesh->node_count));
        FR_TRY(hear_body(m, body, frame, past));
    }
    m->ticks++;
    for (int side = 0; side < 2; side++) FR_TRY(end_tick(m, side));
    return FR_OK;
}

static void write_numbers(FrWriter *w, const double *x, int64_t count) {
    fr_write_u64(w, (uint64_t)count);
    for (int64_t k = 0; k < count; k++) fr_write_f64(w, x[k]);
}

void fr_microphone_save(const FrMicrophone *m, FrWriter *w) {
    fr_write_u64(w, (uint64_t)m->ticks);
    for (int side = 0; side < 2; side++)
        write_numbers(w, m->heard[side].data, m->heard[side].count);
    for (int side = 0; side < 2; side++) fr_write_u64(w, (uint64_t)m->whole[side]);
    fr_write_i32(w, m->past.count);
    for (int32_t k = 0; k < m->past.count; k++) {
        write_numbers(w, m->past.data[k].p, 3 * (int64_t)m->past.data[k].node_count);
        write_numbers(w, m->past.data[k].u, 3 * (int64_t)m->past.data[k].node_count);
    }
}

static FrResult damaged(FrMicrophone *m, const FrReader *r) {
    forget(m);
    return fr_fail(m->ctx, FR_BAD_INPUT, "microphone, byte %zu: the checkpoint is damaged", r->at);
}

// a count that fits what remains, and its numbers; NULL: damaged or no memory
static double *read_numbers(FrMicrophone *m, FrReader *r, int64_t *count) {
    uint64_t declared = fr_read_u64(r);
    if (r->failed || declared > fr_reader_left(r) / 8 || declared > INT32_MAX) return NULL;
    double *x = FR_NEW(m->ctx, double, declared);
    for (uint64_t k = 0; x && k < declared; k++) x[k] = fr_read_f64(r);
    *count = (int64_t)declared;
    return x;
}

FrResult fr_microphone_load(FrMicrophone *m, FrReader *r) {
    int64_t count, other;
    forget(m);
    m->ticks = (int64_t)fr_read_u64(r);
    for (int side = 0; side < 2; side++) {
        m->heard[side].data = read_numbers(m, r, &count);
        if (!m->heard[side].data) return damaged(m, r);
        m->heard[side].count = m->heard[side].capacity = (int32_t)count;
    }
    for (int side = 0; side < 2; side++) {
        uint64_t whole = fr_read_u64(r);
        if (r->failed || whole > (uint64_t)m->heard[side].count) return damaged(m, r);
        m->whole[side] = (int64_t)whole;
    }
    int32_t bodies = fr_read_i32(r);
    if (r->failed || bodies < 0 || (size_t)bodies > fr_reader_left(r) / 16) return damaged(m, r);
    if (!fr_array_extend(m->ctx, &m->past, bodies)) return fr_no_memory(m->ctx, "a microphone");
    for (int32_t k = 0; k < bodies; k++) {
        Past *past = &m->past.data[k];
        past->p = read_numbers(m, r, &count);
        past->u = past->p ? read_numbers(m, r, &other) : NULL;
        if (!past->u || count != other || count % 3) return damaged(m, r);
        past->node_count = (int32_t)(count / 3);
    }
    return FR_OK;
}

// one sample at time t (ticks) through a Blackman-windowed low-pass
static double filtered(const double *x, int64_t count, double t, double cutoff) {
    double sum = 0.0, weight = 0.0, half = TAPS / (2.0 * cutoff);
    for (int64_t n = (int64_t)ceil(t - half); n <= (int64_t)floor(t + half); n++) {
        double u = ((double)n - t) / half, v = 2.0 * M_PI * cutoff * ((double)n - t);
        double w = 0.42 + 0.5 * cos(M_PI * u) + 0.08 * cos(2.0 * M_PI * u);
        w *= fabs(v) < 1e-9 ? 1.0 : sin(v) / v;
        weight += w;
        if (n >= 0 && n < count) sum += w * x[n];
    }
    return sum / weight;
}

// The last sound of the run fades into what is slower than sound, and that is held: a run that ends
// is no event.
static void settle(double *x, int64_t count, int64_t all, double rate) {
    int64_t fade = (int64_t)(END_FADE * rate);
    if (fade > count) fade = count;
    double slow = 0.0;
    for (int64_t n = count - fade; n < count; n++) slow += x[n] / (double)fade;
    for (int64_t n = count - fade; n < count; n++) {
        double t = ((double)(n - count + fade) + 1.0) / (double)fade;
        x[n] = slow + (0.5 + 0.5 * cos(M_PI * t)) * (x[n] - slow);
    }
    for (int64_t n = count; n < all; n++) x[n] = slow;
}

// Butterworth's second order by the bilinear transform: two zeros at rest, so that neither a step
// nor its mean is left
static void high_pass(double *x, int64_t count, double rate) {
    double k = tan(M_PI * LOWEST / rate), scale = 1.0 / (1.0 + sqrt(2.0) * k + k * k);
    double b = 2.0 * (k * k - 1.0) * scale, c = (1.0 - sqrt(2.0) * k + k * k) * scale;
    double x1 = 0.0, x2 = 0.0, y1 = 0.0, y2 = 0.0;
    for (int64_t n = 0; n < count; n++) {
        double y = scale * (x[n] - 2.0 * x1 + x2) - b * y1 - c * y2;
        x2 = x1, x1 = x[n];
        y2 = y1, y1 = y;
        x[n] = y;
    }
}

FrResult fr_microphone_track(const FrMicrophone *m, double rate, float **track, int64_t *frames) {
    int64_t ticks = m->whole[0] > m->whole[1] ? m->whole[0] : m->whole[1];
    int64_t all = ticks + (int64_t)ceil(TAIL * m->rate);
    double cutoff = EDGE * fr_min(rate, m->rate) / m->rate;
    *frames = (int64_t)ceil((double)all * rate / m->rate);
    *track = FR_NEW(m->ctx, float, 2 * (size_t)*frames);
    double *x = FR_NEW(m->ctx, double, all);
    for (int side = 0; x && *track && side < 2; side++) {
        if (m->whole[side]) memcpy(x, m->heard[side].data, (size_t)m->whole[side] * sizeof *x);
        settle(x, m->whole[side], all, m->rate);
        high_pass(x, all, m->rate);
        for (int64_t n = 0; n < *frames; n++)
            (*track)[2 * n + side] = (float)filtered(x, all, (double)n * m->rate / rate, cutoff);
    }
    bool good = x && *track;
    fr_free(m->ctx, x);
    if (good) return FR_OK;
    fr_free(m->ctx, *track);
    *track = NULL;
    return fr_no_memory(m->ctx, "a track");
}
