// entry.h: making the entries of a bank: which ellipsoids, and the modes and waves of each.
#pragma once
#include "bank/soundbank.h"

/// What bank is to be made. Zeros: as said.
typedef struct FrBankPlan {
    FrMaterial material;
    double most_mass;     ///< kg; 0: 0.25
    double max_hz;        ///< Hz; 0: 16000
    double thinnest;      ///< shortest half axis over the longest; 0: 0.03
    double tolerance;     ///< of frequencies between samples, 1; 0: 0.05
    int32_t most_samples; ///< 0: 100
    int32_t most_modes;   ///< of an entry; 0: 60
    int32_t most_panels;  ///< of a surface; 0: 2000
    int32_t level;        ///< of the surface on which shapes are known; 0: 10
} FrBankPlan;
/// Fills in what is 0. FR_BAD_INPUT: no bank can be made of this material.
FrResult fr_bank_plan(FrContext *ctx, FrBankPlan *plan);

/// Half axes, rising, of length 1.
typedef struct FrBankShape {
    double half[3];
} FrBankShape;
/// Between ball, disc and needle, closer where frequencies change faster: a triangle is parted
/// while one of the first ten frequencies halfway along an edge is farther than the tolerance
/// from between those at its ends. *shapes from ctx. Always the same for the same plan.
FrResult fr_bank_shapes(FrContext *ctx, const FrBankPlan *plan, FrBankShape **shapes,
                        int32_t *count);

/// Without entries; free it with fr_soundbank_destroy.
FrResult fr_bank_empty(FrContext *ctx, const FrBankPlan *plan, int32_t samples, FrSoundbank **bank);
/// Modes of this ellipsoid up to what a body of the plan's mass has at its highest frequency, and
/// how they go out into the air.
FrResult fr_bank_entry_make(FrContext *ctx, const FrBankPlan *plan, const FrBankShape *shape,
                            FrBankEntry *entry);
