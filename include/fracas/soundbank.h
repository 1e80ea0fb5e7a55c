// fracas/soundbank.h: ellipsoids that stand for pieces: their modes and how these go out into the
// air, computed once; a piece borrows them by its mass and inertia.
// SI units (m, kg, s, Pa). Conventions: docs/conventions.md
// SPDX-License-Identifier: MIT
#pragma once
#include "fracas/bank.h"
#include "fracas/material.h"

FR_EXTERN_C_BEGIN

/// Ellipsoids of one material, read-only once it is made. `fracas bank build` makes the file.
typedef struct FrSoundbank FrSoundbank;

/// What a soundbank holds.
typedef struct FrSoundbankInfo {
    char material[40];              ///< that it was computed for
    double density, young, poisson; ///< kg/m^3, Pa, 1
    double most_mass;    ///< kg: bodies up to this are covered up to max_hz, heavier ones less far
    double max_hz;       ///< Hz
    int32_t samples;     ///< ellipsoids that a whole one has
    int32_t entry_count; ///< that are there
    int32_t mode_count;  ///< of all entries together
} FrSoundbankInfo;

/// One of its ellipsoids.
typedef struct FrSoundbankEntry {
    double half[3];     ///< half axes, rising, m: the sum of their squares is 1
    double lowest;      ///< Hz; 0: it has no modes that could be heard
    int32_t mode_count; ///< tones
} FrSoundbankEntry;

/// From the bytes of a packed bank (`fracas bank pack`); everything is copied. FR_BAD_INPUT: the
/// message has the byte offset and what was found.
FR_API FrResult fr_soundbank_load(FrContext *ctx, const void *bytes, size_t size,
                                  FrSoundbank **bank);
/// Accepts NULL. What was made of it lives on.
FR_API void fr_soundbank_destroy(FrSoundbank *bank);
/// A copy; the bank stays as it is.
FR_API FrSoundbankInfo fr_soundbank_info(const FrSoundbank *bank);
/// Entry i in [0, entry_count).
FR_API FrSoundbankEntry fr_soundbank_entry(const FrSoundbank *bank, int32_t i);

/// A body that borrows its sound. Start from fr_proxy_def_default(), then change fields.
typedef struct FrProxyDef {
    const FrSoundbank *bank; ///< borrowed for the call
    double mass;             ///< kg, above 0
    FrVec3 centre;           ///< of mass, m, in the body's own axes
    FrSym3 inertia;          ///< about the centre, kg m^2, in the body's own axes
    double lowest_hz;        ///< its lowest tone, Hz; 0: that of an ellipsoid of its mass
    FrMaterial material;     ///< of the body; density 0: the bank's, with its damping
    int32_t cookie;          ///< set by fr_proxy_def_default(); do not touch
} FrProxyDef;

/// One kilogram of nothing yet; the lowest tone by mass.
FR_API FrProxyDef fr_proxy_def_default(void);

/// What a body got.
typedef struct FrProxyInfo {
    int32_t entry;  ///< of the bank; -1: none, it only clicks
    double size;    ///< of the body over the entry's
    double half[3]; ///< half axes of the ellipsoid with the body's inertia, rising, m
    double covered; ///< Hz up to which its tones are there
    double waves;   ///< waves in the air are so much longer beside the body than they should be, 1
} FrProxyInfo;

/// A body for fr_bank_create, in the body's own axes: pushes move its tones as they would at the
/// place of an ellipsoid that faces them. `info` may be NULL. FR_BAD_INPUT: mass and inertia are
/// not those of a body.
FR_API FrResult fr_proxy_create(FrContext *ctx, const FrProxyDef *def, FrAsset **asset,
                                FrProxyInfo *info);

FR_EXTERN_C_END
