// lanes.h: four doubles at once. Compiled with -mavx2 it is one register, without it two; same bits
// either way.
//
// A kernel is written once against FrLane in a header and compiled twice: name_portable.c and
// name_avx2.c (the build gives *_avx2.c its flag); fr_cpu_has_avx2() picks one at run time.
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#define FR_LANES 4

typedef double FrLane __attribute__((vector_size(32))); ///< + - * / and unary - work lane by lane
typedef int64_t FrLaneMask __attribute__((vector_size(32))); ///< what < > == give: 0 or -1

#define FR_LANE_INLINE static inline __attribute__((always_inline))

FR_LANE_INLINE FrLane fr_lane_set(double x) {
    FrLane r = {x, x, x, x};
    return r;
}
FR_LANE_INLINE FrLane fr_lane_load(const double *p) {
    FrLane r;
    memcpy(&r, p, sizeof r);
    return r;
}
FR_LANE_INLINE void fr_lane_store(double *p, FrLane v) { memcpy(p, &v, sizeof v); }
FR_LANE_INLINE FrLane fr_lane_pick(FrLaneMask mask, FrLane yes, FrLane no) {
    FrLaneMask y, n, r;
    FrLane out;
    memcpy(&y, &yes, sizeof y);
    memcpy(&n, &no, sizeof n);
    r = (mask & y) | (~mask & n);
    memcpy(&out, &r, sizeof out);
    return out;
}
/// a < b ? a : b, and a > b ? a : b, of zeros and what is no number too
FR_LANE_INLINE FrLane fr_lane_min(FrLane a, FrLane b) {
#if defined(__AVX__)
    return (FrLane)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    return fr_lane_pick(a < b, a, b);
#endif
}
FR_LANE_INLINE FrLane fr_lane_max(FrLane a, FrLane b) {
#if defined(__AVX__)
    return (FrLane)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return fr_lane_pick(a > b, a, b);
#endif
}
/// Correctly rounded, one instruction or four.
FR_LANE_INLINE FrLane fr_lane_sqrt(FrLane a) {
#if defined(__AVX__)
    return (FrLane)_mm256_sqrt_pd((__m256d)a);
#else
    FrLane r = {sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
    return r;
#endif
}
FR_LANE_INLINE bool fr_lane_any(FrLaneMask m) {
#if defined(__AVX__)
    return _mm256_movemask_pd((__m256d)m) != 0;
#else
    return (m[0] | m[1] | m[2] | m[3]) != 0;
#endif
}

/// Bit k: lane k is set.
FR_LANE_INLINE int fr_lane_bits(FrLaneMask m) {
#ifdef __AVX__
    FrLane d;
    memcpy(&d, &m, sizeof d);
    return __builtin_ia32_movmskpd256(d);
#else
    return (int)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#endif
}

bool fr_cpu_has_avx2(void);

/// cos(acos(r)/3) for -1 <= r <= 1 (beyond: as at the ends) is a polynomial in u = cos(acos(r)/2) =
/// sqrt((1 + r)/2), by interpolation at Chebyshev's points; off by less than 5e-10. Summed in
/// pairs, so that products do not wait for each other.
FR_LANE_INLINE FrLane fr_lane_third_angle(FrLane r) {
    FrLane half = fr_lane_set(0.5), most = fr_lane_min(r, fr_lane_set(1.0));
    FrLane u = fr_lane_sqrt(fr_lane_max(half + half * most, fr_lane_set(0.0)));
    FrLane u2 = u * u, u4 = u2 * u2;
    FrLane a = 0.5000000004754314 + 0.5773501705591221 * u;
    FrLane b = -0.11110770292085878 + 0.05341205747679279 * u;
    FrLane c = -0.032595931608158185 + 0.021509111513177005 * u;
    FrLane d = -0.013436705945358653 + 0.006784710189572251 * u;
    FrLane e = -0.0022803936772834276 + 0.0003646842903981451 * u;
    return (a + u2 * b) + u4 * ((c + u2 * d) + u4 * e);
}
