// fracas/bank.h: bodies that ring in real time: load a cooked body, hit it, pull samples.
// SI units (m, kg, s, Pa). Conventions: docs/conventions.md
// SPDX-License-Identifier: MIT
#pragma once
#include "fracas/air.h"
#include "fracas/base.h"

FR_EXTERN_C_BEGIN

/// Pressure of a sample of 1 at a gain of 0 dB, Pa: full scale is a peak of 120 dB.
#define FR_FULL_SCALE 20.0

/// A cooked body, read-only once it is made: any number of banks may share it. `fracas bake` makes
/// the file.
typedef struct FrAsset FrAsset;

/// What a cooked body is made of, how large it is and what it holds.
typedef struct FrAssetInfo {
    char name[40];                   ///< of the material
    double density, young, poisson;  ///< kg/m^3, Pa, 1
    double alpha1, alpha2, eta;      ///< damping: s, 1/s, 1
    double mass, volume, area;       ///< kg, m^3, m^2
    FrVec3 centre;                   ///< of mass, m
    FrBox bounds;                    ///< m
    int32_t mode_count;              ///< tones
    int32_t vertex_count, tri_count; ///< of its surface, where it can be hit
} FrAssetInfo;

/// From the bytes of a .frm file; everything is copied. FR_BAD_INPUT: the message has the byte
/// offset and what was found.
FR_API FrResult fr_asset_load(FrContext *ctx, const void *bytes, size_t size, FrAsset **asset);
/// Accepts NULL. After its banks.
FR_API void fr_asset_destroy(FrAsset *asset);
/// A copy; the asset stays as it is.
FR_API FrAssetInfo fr_asset_info(const FrAsset *asset);
/// Mode i in [0, mode_count), those first of which most is heard when it is hit: damped frequency,
/// Hz, and time to fall by 60 dB, s.
FR_API void fr_asset_mode(const FrAsset *asset, int32_t i, double *hz, double *t60);
/// How its modes go out into the air, in the order of its modes; belongs to the asset. NULL: it was
/// cooked without.
FR_API const FrRadiation *fr_asset_radiation(const FrAsset *asset);
/// Other damping, at once. Not while banks of it play.
FR_API void fr_asset_set_damping(FrAsset *asset, double alpha1, double alpha2, double eta);
/// The same shape `size` times as large, of a material `stiffness` times as stiff and `density`
/// times as dense: exact, no modes are computed. Unless stiffness and density are the same its
/// radiation is lost. Not while banks of it play. FR_BAD_USE: a factor is not above 0.
FR_API FrResult fr_asset_rescale(FrAsset *asset, double size, double stiffness, double density);

/// How the surface moves the air.
typedef enum FrAir {
    FR_AIR_SMALL, ///< alike in all directions; tones whose waves are long beside the body are
                  ///< weaker: (ka)^2/(1+(ka)^2)
    FR_AIR_FLAT,  ///< alike in all directions, all tones alike, as in S4
    FR_AIR_FULL,  ///< as the body's radiation says; FR_AIR_SMALL where it has none
} FrAir;

/// All that is needed to make a bank. Start from fr_bank_def_default(), then change fields.
typedef struct FrBankDef {
    const FrAsset *asset;  ///< borrowed as long as the bank lives
    double rate;           ///< samples per second
    double distance;       ///< of the listener, m: pressure falls as 1/distance; see fr_bank_listen
    double gain;           ///< samples per Pa
    int32_t most_modes;    ///< the first ones of the asset; 0: all below 0.45 of the rate
    int32_t most_blows;    ///< that can push at one time; more become instant blows
    FrAir air;             ///< how tones of a small body reach the listener
    bool click;            ///< the body's own jolt is heard too
    bool double_precision; ///< twice the work
    uint64_t seed;         ///< of roughness
    int32_t cookie;        ///< set by fr_bank_def_default(); do not touch
} FrBankDef;

/// 48 kHz, one metre away, 1/FR_FULL_SCALE samples per Pa, 32 blows, with the click.
FR_API FrBankDef fr_bank_def_default(void);

/// One ringing body. One thread may hit it while another pulls: nobody ever waits.
typedef struct FrBank FrBank;

/// A silent bank. FR_BAD_USE: a value of the def is out of range.
FR_API FrResult fr_bank_create(FrContext *ctx, const FrBankDef *def, FrBank **bank);
/// Accepts NULL. Not while another thread pulls.
FR_API void fr_bank_destroy(FrBank *bank);

/// What hits it.
typedef enum FrMallet {
    FR_MALLET_STEEL,
    FR_MALLET_WOOD,
    FR_MALLET_RUBBER,
    FR_MALLET_FELT
} FrMallet;

/// Where to hit.
typedef enum FrStrikePlace {
    FR_STRIKE_AUTO,   ///< where its level is highest, as of fr_asset_loudest
    FR_STRIKE_RIM,    ///< farthest from the upright axis
    FR_STRIKE_TOP,    ///< in the middle of what is highest: a face, or somewhere on a rim
    FR_STRIKE_CENTRE, ///< above the centre of mass, or nearest to the upright line through it
    FR_STRIKE_POINT,  ///< nearest to a point
} FrStrikePlace;

/// Where a blow at 1 m/s along the inward normal is loudest, m: highest level over an eighth of a
/// second. Tries some hundred blows: not for the audio thread.
FR_API FrResult fr_asset_loudest(const FrAsset *asset, FrMallet mallet, FrVec3 *at);

/// Push by `impulse` (N s, the body's own axes) at the surface point nearest to `at` (m), as a
/// half-sine of `duration` seconds that begins with the next pull. False: too many blows are
/// waiting, or a value is not finite.
FR_API bool fr_bank_strike(FrBank *bank, FrVec3 at, FrVec3 impulse, double duration);
/// A mallet comes along the inward normal at `speed` m/s; impulse and duration follow from both
/// masses and Hertz's law. mass 0: the mallet's own. A blow that gives way is two pushes: both wait
/// or, with false, none.
FR_API bool fr_bank_strike_speed(FrBank *bank, FrVec3 at, FrMallet mallet, double mass,
                                 double speed);
/// Something rough slides over `at` with `speed` m/s, pressed on by `force` N along the inward
/// normal, for `duration` seconds. Call it again and again while it goes on: ends overlap. False,
/// too: a force, a speed or a duration that is not above 0.
FR_API bool fr_bank_scrape(FrBank *bank, FrVec3 at, double force, double speed, double duration);

/// Where the listener is from now on: m, the body's own axes. With FR_AIR_FULL and a body that
/// radiates each mode becomes as loud as it is there, within some 5 ms; looked at 200 times a
/// second while samples are pulled. Until it is called the listener stands at `distance` from the
/// body's middle, as high above it as in front (-y). Any thread; nobody waits.
FR_API void fr_bank_listen(FrBank *bank, FrVec3 listener);

/// The next `frames` samples, mono. Allocates nothing, waits for nothing.
FR_API void fr_bank_pull(FrBank *bank, float *out, int32_t frames);
/// Is anything moving or waiting?
FR_API bool fr_bank_sounding(const FrBank *bank);

FR_EXTERN_C_END
