// resonators.h: many modes at once: exact steps in rotation form, side by side in vector lanes
// [K7].
//
// Every mode is a pair (x, y) that is turned and shrunk by a fixed 2x2 matrix (oscillator.h); y,
// already scaled by the mode's gain, is its share of the output. Phases stay right because the
// matrices of one to four samples are each computed once, in double, and never multiplied up.
// Same bits with and without AVX2. What has died away is set to zero, so no denormals remain.
#pragma once
#include "base/base.h"

/// Most frames of one call.
#define FR_RESONATOR_BLOCK 64

/// A force that is constant over each sample, shared by all modes with a weight each.
typedef struct FrDrive {
    const void *weight;  ///< modal force per unit of `force` (slot_count), floats or doubles
    const double *force; ///< (frames)
} FrDrive;

/// How loud each mode is on the left and on the right: from `from` to `to` in the course of a call
/// (slot_count each), floats or doubles as weights are.
typedef struct FrLoudness {
    const void *from[2], *to[2];
} FrLoudness;

typedef struct FrResonators FrResonators;
typedef void FrResonatorEarsFn(FrResonators *r, const FrDrive *drive, int32_t drive_count,
                               int32_t frames, const FrLoudness *loudness, double *out[2]);
typedef void FrResonatorFn(FrResonators *r, const FrDrive *drive, int32_t drive_count,
                           int32_t frames, double *out);

struct FrResonators {
    FrContext *ctx;
    int32_t count;       ///< modes
    int32_t lanes;       ///< modes that stand side by side: 8 floats or 4 doubles
    int32_t group_count; ///< groups of `lanes` modes
    bool single;         ///< float instead of double
    double dt;           ///< s
    void *memory;        ///< what was allocated for the next two
    void *group;         ///< see resonators_loop.h (group_count)
    void *sum;           ///< scratch, lane sums (FR_RESONATOR_BLOCK * lanes)
    uint8_t *live;       ///< has anything but zeros (group_count)
    double (*kick)[2];   ///< what a unit impulse adds to x and y (count)
    FrResonatorFn *run;
    FrResonatorEarsFn *run_ears;
};
FrResonatorFn fr_resonators_f32_portable, fr_resonators_f32_avx2, fr_resonators_f64_portable,
    fr_resonators_f64_avx2;
FrResonatorEarsFn fr_resonators_f32_portable_ears, fr_resonators_f32_avx2_ears,
    fr_resonators_f64_portable_ears, fr_resonators_f64_avx2_ears;

/// What a mode gives to the output.
typedef enum FrResonance { FR_RESONANCE_DISPLACEMENT, FR_RESONANCE_VELOCITY } FrResonance;

/// `count` silent modes. `portable`: without AVX2 even where it is there.
FrResult fr_resonators_init(FrResonators *r, FrContext *ctx, int32_t count, double dt, bool single,
                            bool portable);
void fr_resonators_free(FrResonators *r); ///< fine on a zeroed one
/// Mode i: squared angular frequency 1/s^2, damping 1/s, output per displacement (or velocity).
/// Velocity is for under-damped modes. The state is cleared.
void fr_resonators_set(FrResonators *r, int32_t i, double lambda, double c, double gain,
                       FrResonance motion);
void fr_resonators_kick(FrResonators *r, int32_t i, double impulse); ///< v += impulse, now
/// out[n] = sum of all modes at n * dt from now, then time goes on by `frames` samples. frames <=
/// FR_RESONATOR_BLOCK.
void fr_resonators_run(FrResonators *r, const FrDrive *drive, int32_t drive_count, int32_t frames,
                       double *out);
/// The same for two ears. frames may be 0.
void fr_resonators_run_ears(FrResonators *r, const FrDrive *drive, int32_t drive_count,
                            int32_t frames, const FrLoudness *loudness, double *out[2]);
/// Weights of a drive have room for this many modes (the last group is filled up).
static inline int32_t fr_resonators_slots(const FrResonators *r) {
    return r->group_count * r->lanes;
}
/// Write weight i of a drive, or add to it.
void fr_resonators_weight(const FrResonators *r, void *weight, int32_t i, double value);
void fr_resonators_add_weight(const FrResonators *r, void *weight, int32_t i, double value);
/// x and y of mode i.
void fr_resonators_state(const FrResonators *r, int32_t i, double *x, double *y);
