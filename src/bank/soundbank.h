// soundbank.h: the ellipsoids of a bank as they lie in memory, and their bytes.
#pragma once
#include "bank/octa_sphere.h"
#include "base/bytes.h"
#include "fracas/soundbank.h"

/// One mode of an entry. Of numbers that its mirror planes give, one in eight is kept.
typedef struct FrBankMode {
    double lambda;   ///< squared angular frequency, 1/s^2
    double coupling; ///< a_i, speed of the surface per displacement of the mode, kg^-1/2/s
    int32_t parity;  ///< class, see ellipsoid.h
    int32_t order;   ///< of its multipoles
    float *shape;    ///< kg^-1/2, at the points of the first octant (3 * octant_count)
    float *c;        ///< multipoles of its parity, as FrMultipole has them
} FrBankMode;

typedef struct FrBankEntry {
    double half[3]; ///< rising, m
    double area;    ///< m^2
    int32_t mode_count;
    FrBankMode *mode; ///< ascending (mode_count)
} FrBankEntry;

struct FrSoundbank {
    FrContext *ctx;
    FrSoundbankInfo info;
    double alpha1, alpha2, eta; ///< damping of the material: s, 1/s, 1
    FrOctaSphere sphere;        ///< where shapes are known
    FrBankEntry *entry;         ///< (info.entry_count)
};

/// Volume of an entry times the density of the bank, kg.
double fr_bank_mass(const FrSoundbank *bank, const FrBankEntry *entry);
void fr_bank_entry_free(FrContext *ctx, FrBankEntry *entry); ///< fine on a zeroed one

/// Is multipole l of order n (n^2 + ..., see spherical.h) there for this parity?
bool fr_bank_has(int32_t parity, int32_t n, int32_t l);
/// How many of all orders up to `order` are.
int32_t fr_bank_multipoles(int32_t parity, int32_t order);

/// Material, limits, level: what comes before the entries. `level` of the surface.
void fr_bank_write_head(FrWriter *w, const FrSoundbank *bank, int32_t level);
void fr_bank_write_entry(FrWriter *w, const FrBankEntry *entry, int32_t octant_count);
/// What fr_soundbank_load takes: head, how many entries, entries.
void fr_bank_write_count(FrWriter *w, int32_t count);
FrResult fr_bank_read_head(FrContext *ctx, FrReader *r, FrSoundbank *bank);
/// What is damaged is named with its byte.
FrResult fr_bank_read_entry(FrContext *ctx, FrReader *r, int32_t octant_count, FrBankEntry *entry);

/// The entry whose half axes (rising, any length) are nearest to these once both are of length 1
/// [S7 5.4]. -1: there is none.
int32_t fr_bank_nearest(const FrSoundbank *bank, const double half[3]);
