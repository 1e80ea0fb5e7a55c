// transfer_loop.h: the loop of transfer.h, compiled twice, with and without AVX2: same bits.
#pragma once
#include "air/transfer.h"
#include "math/lanes.h"

typedef float Lane __attribute__((vector_size(32)));
typedef int32_t Mask __attribute__((vector_size(32)));

FR_LANE_INLINE Lane load(const float *p) {
    Lane r;
    memcpy(&r, p, sizeof r);
    return r;
}

// Orders that a mode has no coefficients of may grow beyond floats, and must not: nothing times
// infinity is no number.
#define MOST 1e30f
FR_LANE_INLINE Lane bounded(Lane x) {
    Mask bits, low = x<-MOST, high = x> MOST;
    Lane most = {MOST, MOST, MOST, MOST, MOST, MOST, MOST, MOST}, least = -most;
    Mask m, l;
    memcpy(&bits, &x, sizeof bits);
    memcpy(&m, &most, sizeof m);
    memcpy(&l, &least, sizeof l);
    bits = (low & l) | (high & m) | (~(low | high) & bits);
    memcpy(&x, &bits, sizeof x);
    return x;
}

// p = sum_n h_n(kr)/h_n(ka) sum_l c_l Y_l; the phase e^{-ikr} that all orders share is left out
// [S7 eq. 8] [K8]
void FR_TRANSFER(const FrTransferGroup *group, float r, const float *y, int32_t order,
                 float *gain) {
    const int row = FR_TRANSFER_LANES;
    Lane over = 1.0f / (load(group->k) * r), zero = {0};
    Lane re = zero, im = over, last_re = over, last_im = zero; // g_0 = i/z; g_-1 = 1/z
    Lane p_re = zero, p_im = zero;
    const float *c = group->c, *inverse = group->inverse;
    for (int32_t n = 0; n <= order; n++, inverse += 2 * row) {
        Lane sum_re = zero, sum_im = zero;
        for (int32_t l = 0; l < 2 * n + 1; l++, c += 2 * row) {
            float value = *y++;
            sum_re = sum_re + load(c) * value;
            sum_im = sum_im + load(c + row) * value;
        }
        Lane a = load(inverse), b = load(inverse + row);
        Lane u = re * a - im * b, v = re * b + im * a;
        p_re = p_re + (sum_re * u - sum_im * v);
        p_im = p_im + (sum_re * v + sum_im * u);
        float factor = (float)(2 * n + 1);
        Lane next_re = bounded(factor * over * re - last_re),
             next_im = bounded(factor * over * im - last_im);
        last_re = re, last_im = im;
        re = next_re, im = next_im;
    }
    Lane square = p_re * p_re + p_im * p_im;
    for (int i = 0; i < row; i++) gain[i] = sqrtf(square[i]);
}
