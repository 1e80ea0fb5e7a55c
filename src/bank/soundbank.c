// soundbank.c: a bank in memory: what it holds, which entry is nearest.

#include "bank/soundbank.h"
#include <math.h>

void fr_bank_entry_free(FrContext *ctx, FrBankEntry *entry) {
    for (int32_t i = 0; i < entry->mode_count && entry->mode; i++)
        FR_FREE_ALL(ctx, entry->mode[i].shape, entry->mode[i].c);
    fr_free(ctx, entry->mode);
    *entry = (FrBankEntry){0};
}

void fr_soundbank_destroy(FrSoundbank *bank) {
    if (!bank) return;
    FrContext *ctx = bank->ctx;
    for (int32_t k = 0; k < bank->info.entry_count && bank->entry; k++)
        fr_bank_entry_free(ctx, &bank->entry[k]);
    fr_octa_sphere_free(ctx, &bank->sphere);
    FR_FREE_ALL(ctx, bank->entry, bank);
}

FrSoundbankInfo fr_soundbank_info(const FrSoundbank *bank) {
    if (!bank) return (FrSoundbankInfo){0};
    return bank->info;
}

FrSoundbankEntry fr_soundbank_entry(const FrSoundbank *bank, int32_t i) {
    FrSoundbankEntry entry = {0};
    if (!bank || i < 0 || i >= bank->info.entry_count) return entry;
    const FrBankEntry *from = &bank->entry[i];
    for (int k = 0; k < 3; k++) entry.half[k] = from->half[k];
    entry.mode_count = from->mode_count;
    if (from->mode_count > 0) entry.lowest = sqrt(from->mode[0].lambda) / (2.0 * FR_PI);
    return entry;
}

double fr_bank_mass(const FrSoundbank *bank, const FrBankEntry *entry) {
    return bank->info.density * 4.0 / 3.0 * FR_PI * entry->half[0] * entry->half[1] *
           entry->half[2];
}

// Some hundred points: looking at each is as fast as a tree (methods M25).
int32_t fr_bank_nearest(const FrSoundbank *bank, const double half[3]) {
    double length = sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    int32_t best = -1;
    double least = HUGE_VAL;
    for (int32_t k = 0; k < bank->info.entry_count; k++) {
        const double *other = bank->entry[k].half;
        double away = 0.0;
        for (int i = 0; i < 3; i++) {
            double d = half[i] / length - other[i];
            away += d * d;
        }
        if (away < least) least = away, best = k;
    }
    return best;
}

// P_nm cos(m phi) is odd in x for odd m, P_nm sin(m phi) odd in y, and in x for even m; both are
// odd in z for odd n + m
bool fr_bank_has(int32_t parity, int32_t n, int32_t l) {
    int32_t at = l - n * n, m = (at + 1) / 2, sine = at > 0 && at % 2 == 0;
    return parity == (((m + sine) & 1) | sine << 1 | ((n + m) & 1) << 2);
}

int32_t fr_bank_multipoles(int32_t parity, int32_t order) {
    int32_t count = 0;
    for (int32_t n = 0; n <= order; n++)
        for (int32_t l = n * n; l < (n + 1) * (n + 1); l++) count += fr_bank_has(parity, n, l);
    return count;
}
