// peak_loop.h: the loops of peak.h; included twice, with and without AVX2, under two names.
#pragma once
#include "fem/peak.h"

// keeps the compiler from folding or dropping a chain; its value stays in a register
#if defined(__AVX2__)
#define KEEP(a) __asm__ volatile("" : "+x"(a))
#else
#define KEEP(a) __asm__ volatile("" : "+m"(a))
#endif
#define ADD(a)                                                                                     \
    (a = a + step);                                                                                \
    KEEP(a)
#define MUL(a)                                                                                     \
    (a = a * grow);                                                                                \
    KEEP(a)

// fourteen independent chains cover a latency of four cycles on three pipes
double FR_PEAK_ADD(int64_t turns) {
    FrLane step = fr_lane_set(1e-9), a = step, b = a, c = a, d = a, e = a, f = a, g = a, h = a,
           i = a, j = a, k = a, l = a, m = a, n = a;
    for (int64_t t = 0; t < turns; t++) {
        ADD(a);
        ADD(b);
        ADD(c);
        ADD(d);
        ADD(e);
        ADD(f);
        ADD(g);
        ADD(h);
        ADD(i);
        ADD(j);
        ADD(k);
        ADD(l);
        ADD(m);
        ADD(n);
    }
    return 14.0 * FR_LANES * (double)turns;
}

// seven chains of each kind cover a latency of three cycles on two pipes each
double FR_PEAK_MIXED(int64_t turns) {
    FrLane step = fr_lane_set(1e-9), grow = fr_lane_set(1.0 + 1e-15), a = step, b = a, c = a, d = a,
           e = a, f = a, g = a, h = grow, i = h, j = h, k = h, l = h, m = h, n = h;
    for (int64_t t = 0; t < turns; t++) {
        ADD(a);
        MUL(h);
        ADD(b);
        MUL(i);
        ADD(c);
        MUL(j);
        ADD(d);
        MUL(k);
        ADD(e);
        MUL(l);
        ADD(f);
        MUL(m);
        ADD(g);
        MUL(n);
    }
    return 14.0 * FR_LANES * (double)turns;
}
