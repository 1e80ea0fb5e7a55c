// ringer.h: one body that is hit, scraped and heard: pulses push its modes, its modes move the air.
//
// What comes out is pressure times distance, Pa m, of a source that sends alike in all directions:
//     p r = rho c sqrt(S / 4 pi) a_i z_i'/omega_i
// because a surface S that moves at a root mean square speed v sends out the power rho c S v^2.
// With FR_AIR_FULL each mode is as loud at each ear as the body's radiation says:
//     p r = |p_i(ear)| r z_i'/omega_i                                                  [S7 eq. 8]
// Nothing is allocated once it is made.
#pragma once
#include "air/air.h"
#include "sound/asset.h"
#include "sound/pulse.h"
#include "sound/resonators.h"

typedef struct FrRingerDef {
    const FrAsset *asset; ///< borrowed
    double rate;          ///< samples per second
    double gain;          ///< on everything
    int32_t most_modes;   ///< 0: all below 0.45 of the rate
    int32_t most_blows;   ///< that push at one time
    FrAir air;
    bool click, single, portable;
    bool gauss; ///< pulses are Gaussians instead of Hertz's half-sines
    uint64_t seed;
} FrRingerDef;

/// What pushes, and when.
typedef struct FrBlow {
    double start;    ///< samples from now; may lie before now, less than `duration` ago
    double duration; ///< samples
    FrSpot spot;
    FrVec3 push;   ///< half-sine: impulse, N s; roughness: force, N. The body's own axes
    double cutoff; ///< of roughness noise, Hz; 0: a half-sine
    double fade;   ///< samples: roughness swells and fades that long; 0: 5 ms
    bool joined;   ///< one push with the blow before it, which began and lasts alike, at another
                   ///< spot: together they jolt the body as a whole
} FrBlow;

typedef struct FrRinger FrRinger;
FrResult fr_ringer_create(FrContext *ctx, const FrRingerDef *def, FrRinger **ringer);
void fr_ringer_destroy(FrRinger *ringer); ///< accepts NULL
/// False: all blows are taken; it became an instant one (roughness: was left out).
bool fr_ringer_add(FrRinger *ringer, const FrBlow *blow);
/// The next samples, Pa m: what the left ear hears of a body that radiates.
void fr_ringer_pull(FrRinger *ringer, double *out, int32_t frames);
/// Does it sound otherwise in one direction than in another?
bool fr_ringer_radiates(const FrRinger *ringer);

/// Where the ears are as the body sees it.
typedef struct FrRingerEars {
    FrVec3 at[2];    ///< left, right, m, the body's own axes
    double distance; ///< pressure is given times this, m
    int32_t frames;  ///< until they are there, from where they were before; the first time: at once
    FrRadiationDetail detail;
} FrRingerEars;
/// Nothing happens to a body that does not radiate.
void fr_ringer_listen(FrRinger *ringer, const FrRingerEars *ears);
/// The same as another ringer of this asset, made alike, hears.
void fr_ringer_listen_like(FrRinger *ringer, const FrRinger *other);
/// The next samples for each ear, Pa m, after fr_ringer_listen; alike if it does not radiate.
void fr_ringer_pull_ears(FrRinger *ringer, double *out[2], int32_t frames);
bool fr_ringer_sounding(const FrRinger *ringer);
/// The most that can still come without a new blow: amplitudes of all modes together, Pa m; more
/// than is known while something pushes.
double fr_ringer_level(const FrRinger *ringer);
int32_t fr_ringer_modes(const FrRinger *ringer); ///< that are really sounded
