// state_code.c: node positions and velocities as float32 byte planes about the body's middle.

#include "record/state_code.h"
#include "base/bytes.h"
#include "math/vec.h"
#include <string.h>

/// sqrt(kg) m, or sqrt(kg) m/s.
#define LARGEST_MODE 1e30

static void put_f64(uint8_t *to, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 8; k++) to[k] = (uint8_t)(bits >> (8 * k));
}

static inline void put_plane(uint8_t *planes, size_t count, size_t at, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (size_t k = 0; k < 4; k++) planes[k * count + at] = (uint8_t)(bits >> (8 * k));
}

static inline float get_plane(const uint8_t *planes, size_t count, size_t at) {
    uint32_t bits = 0;
    float value;
    for (size_t k = 0; k < 4; k++) bits |= (uint32_t)planes[k * count + at] << (8 * k);
    memcpy(&value, &bits, sizeof value);
    return value;
}

void fr_planes_split(const float *value, size_t count, uint8_t *planes) {
    for (size_t k = 0; k < count; k++) put_plane(planes, count, k, value[k]);
}

void fr_planes_join(const uint8_t *planes, size_t count, float *value) {
    for (size_t k = 0; k < count; k++) value[k] = get_plane(planes, count, k);
}

static FrVec3 middle(const double *p, int32_t node_count) {
    FrBox box = fr_box_empty();
    for (int32_t n = 0; n < node_count; n++) box = fr_box_add(box, fr_get3(p, n));
    return fr_box_center(box);
}

bool fr_state_encode(const FrBodyFrame *frame, int32_t node_count, uint8_t *raw,
                     int32_t *bad_node) {
    FrVec3 origin = node_count ? middle(frame->p, node_count) : frame->spin;
    const FrVec3 *x = &frame->position, *v = &frame->velocity;
    const FrQuat *q = &frame->rotation;
    double head[13] = {origin.x, origin.y, origin.z, x->x, x->y, x->z, q->w,
                       q->x,     q->y,     q->z,     v->x, v->y, v->z};
    bool good = true;
    *bad_node = -1;
    // an infinite node spoils the origin and would blame node 0
    for (int32_t k = 0; k < node_count && !fr_vec3_finite(origin); k++)
        if (!fr_vec3_finite(fr_get3(frame->p, k))) return *bad_node = k, false;
    for (int k = 0; k < 13; k++) {
        if ((k >= 3 || node_count == 0) && !isfinite(head[k])) good = false;
        put_f64(raw + 8 * k, head[k]);
    }
    if (!good) return false;
    size_t n = (size_t)node_count, count = 6 * n;
    const double base[3] = {origin.x, origin.y, origin.z};
    for (size_t c = 0; c < 6 && n > 0; c++) {
        const double *from = c < 3 ? frame->p + c : frame->v + (c - 3);
        double shift = c < 3 ? base[c] : 0.0;
        for (size_t k = 0; k < n; k++) {
            float value = (float)(from[3 * k] - shift);
            if (!isfinite(value)) return *bad_node = (int32_t)k, false;
            put_plane(raw + FR_STATE_HEAD, count, c * n + k, value);
        }
    }
    return true;
}

bool fr_state_decode(const uint8_t *raw, int32_t node_count, double *p, double *v,
                     FrBodyFrame *frame) {
    FrReader reader;
    double head[13];
    fr_reader_init(&reader, raw, FR_STATE_HEAD);
    for (int k = 0; k < 13; k++) {
        head[k] = fr_read_f64(&reader);
        if (!isfinite(head[k])) return false;
    }
    size_t n = (size_t)node_count, count = 6 * n;
    for (size_t c = 0; c < 6 && n > 0; c++) {
        double *to = c < 3 ? p + c : v + (c - 3);
        double shift = c < 3 ? head[c] : 0.0;
        for (size_t k = 0; k < n; k++) {
            float value = get_plane(raw + FR_STATE_HEAD, count, c * n + k);
            if (!isfinite(value)) return false;
            to[3 * k] = shift + (double)value;
        }
    }
    frame->p = n ? p : NULL;
    frame->v = n ? v : NULL;
    frame->position = fr_vec3(head[3], head[4], head[5]);
    frame->rotation = (FrQuat){head[6], head[7], head[8], head[9]};
    frame->velocity = fr_vec3(head[10], head[11], head[12]);
    frame->spin = n ? fr_vec3_zero : fr_vec3(head[0], head[1], head[2]);
    return true;
}

bool fr_state_encode_modes(const FrBodyFrame *frame, int32_t modes, uint8_t *raw) {
    int32_t bad;
    bool good = fr_state_encode(frame, 0, raw, &bad);
    uint8_t *to = raw + FR_STATE_HEAD;
    for (int32_t m = 0; m < 2 * modes; m++) {
        double value = m < modes ? frame->z[m] : frame->z_speed[m - modes];
        good = good && fabs(value) <= LARGEST_MODE;
        put_f64(to + 8 * (size_t)m, value);
    }
    return good;
}

bool fr_state_decode_modes(const uint8_t *raw, int32_t modes, double *z, FrBodyFrame *frame) {
    FrReader reader;
    bool good = fr_state_decode(raw, 0, NULL, NULL, frame);
    fr_reader_init(&reader, raw + FR_STATE_HEAD, 16 * (size_t)modes);
    for (int32_t m = 0; m < 2 * modes; m++) {
        z[m] = fr_read_f64(&reader);
        good = good && fabs(z[m]) <= LARGEST_MODE;
    }
    frame->z = z;
    frame->z_speed = z + modes;
    return good;
}
