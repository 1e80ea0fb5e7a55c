// bank.c: a ringing body for real time: one thread hits, another pulls, neither waits.

#include "fracas/bank.h"
#include "math/vec.h"
#include "sound/mallet.h"
#include "sound/ringer.h"
#include <math.h>
#include <stdatomic.h>

/// Blows that can wait for the next pull; a power of two.
#define WAITING 256

struct FrBank {
    FrContext *ctx;
    FrBankDef def;
    FrRinger *ringer;
    FrBlow waiting[WAITING];     ///< a ring: written at `put`, read at `taken`
    _Atomic uint32_t put, taken; ///< counts; each is changed by one side only
    atomic_bool sounding;
    _Atomic double ear[3]; ///< m, the body's own axes: torn between two places it lies between them
    int32_t until_look;    ///< samples
};

/// Samples between two looks at how loud modes are.
#define LOOK 240

FrBankDef fr_bank_def_default(void) {
    return (FrBankDef){.rate = 48000.0,
                       .distance = 1.0,
                       .gain = 1.0 / FR_FULL_SCALE,
                       .most_blows = 32,
                       .click = true,
                       .cookie = FR_COOKIE};
}

void fr_bank_listen(FrBank *bank, FrVec3 listener) {
    if (!bank || !fr_vec3_finite(listener)) return;
    for (int k = 0; k < 3; k++)
        atomic_store_explicit(&bank->ear[k], fr_vec3_get(listener, k), memory_order_relaxed);
}

static void look(FrBank *bank) {
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = atomic_load_explicit(&bank->ear[k], memory_order_relaxed);
    FrVec3 ear = {x[0], x[1], x[2]};
    FrRingerEars ears = {.at = {ear, ear}, .distance = bank->def.distance, .frames = LOOK};
    fr_ringer_listen(bank->ringer, &ears);
    bank->until_look = LOOK;
}

FrResult fr_bank_create(FrContext *ctx, const FrBankDef *def, FrBank **bank) {
    FR_NEED_ALL(ctx, ctx && def && bank);

    FR_NEED(ctx, def->cookie == FR_COOKIE, "start from fr_bank_def_default()");
    *bank = NULL;
    if (!(def->distance > 0.0) || !isfinite(def->distance) || !isfinite(def->gain))
        return fr_fail(ctx, FR_BAD_USE,
                       "a bank is heard from %g m at a gain of %g: take finite "
                       "numbers, distance above 0",
                       def->distance, def->gain);
    FrBank *b = FR_NEW(ctx, FrBank, 1);
    if (!b) return fr_no_memory(ctx, "a bank");
    b->ctx = ctx;
    b->def = *def;
    FrRingerDef ringer = {.asset = def->asset,
                          .rate = def->rate,
                          .gain = def->gain / def->distance,
                          .most_modes = def->most_modes,
                          .most_blows = def->most_blows,
                          .air = def->air,
                          .click = def->click,
                          .single = !def->double_precision,
                          .seed = def->seed};
    FrResult result = fr_ringer_create(ctx, &ringer, &b->ringer);
    if (result != FR_OK) {
        fr_bank_destroy(b);
        return result;
    }
    FrVec3 way = fr_normalize(fr_vec3(0.0, -1.0, 1.0));
    fr_bank_listen(b, fr_axpy(def->distance, way, fr_asset_info(def->asset).centre));
    look(b);
    *bank = b;
    return FR_OK;
}

void fr_bank_destroy(FrBank *bank) {
    if (!bank) return;
    FrContext *ctx = bank->ctx;
    fr_ringer_destroy(bank->ringer);
    fr_free(ctx, bank);
}

// all of them or none
static bool wait_in_line(FrBank *bank, const FrBlow *blow, uint32_t count) {
    uint32_t put = atomic_load_explicit(&bank->put, memory_order_relaxed);
    uint32_t taken = atomic_load_explicit(&bank->taken, memory_order_acquire);
    if (put - taken + count > WAITING) return false;
    for (uint32_t k = 0; k < count; k++) bank->waiting[(put + k) % WAITING] = blow[k];
    atomic_store_explicit(&bank->put, put + count, memory_order_release);
    return true;
}

// as a half-sine of `duration` s
static FrBlow half_sine(const FrBank *bank, FrSpot spot, FrVec3 impulse, double duration) {
    return (FrBlow){
        .duration = fr_max(duration * bank->def.rate, 1e-3), .spot = spot, .push = impulse};
}

bool fr_bank_strike(FrBank *bank, FrVec3 at, FrVec3 impulse, double duration) {
    if (!bank) return false;

    if (!fr_vec3_finite(at) || !fr_vec3_finite(impulse) || !(duration >= 0.0 && duration < 10.0))
        return false;
    FrBlow blow = half_sine(bank, fr_asset_struck(bank->def.asset, at, impulse), impulse, duration);
    return wait_in_line(bank, &blow, 1);
}

bool fr_bank_strike_speed(FrBank *bank, FrVec3 at, FrMallet mallet, double mass, double speed) {
    if (!bank || !fr_mallet_known(mallet)) return false;
    if (!fr_vec3_finite(at) || !(speed > 0.0 && speed < 1e4) || !(mass >= 0.0 && mass < 1e6))
        return false;
    FrSpot spot = fr_asset_nearest(bank->def.asset, at);
    FrVec3 inward = fr_neg(fr_asset_normal(bank->def.asset, spot.tri));
    FrPush push[2];
    FrBlow blow[2];
    int32_t count =
        fr_mallet_blow(fr_mallet_info(mallet), mass, speed, bank->def.asset, &spot, push);
    for (int32_t k = 0; k < count; k++)
        blow[k] = half_sine(bank, spot, fr_scale(push[k].impulse, inward), push[k].duration);
    return wait_in_line(bank, blow, (uint32_t)count);
}

bool fr_bank_scrape(FrBank *bank, FrVec3 at, double force, double speed, double duration) {
    if (!bank) return false;

    if (!fr_vec3_finite(at) || !(force > 0.0 && force <= 1e9) || !(speed > 0.0 && speed < 1e4) ||
        !(duration > 0.0 && duration < 1e4))
        return false;
    FrSpot spot = fr_asset_nearest(bank->def.asset, at);
    FrBlow blow = {.duration = duration * bank->def.rate,
                   .spot = spot,
                   .push = fr_scale(-force, fr_asset_normal(bank->def.asset, spot.tri)),
                   .cutoff = speed / FR_SURFACE_GRAIN};
    return wait_in_line(bank, &blow, 1);
}

static void take_blows(FrBank *bank) {
    uint32_t taken = atomic_load_explicit(&bank->taken, memory_order_relaxed);
    uint32_t put = atomic_load_explicit(&bank->put, memory_order_acquire);
    for (; taken != put; taken++) {
        fr_ringer_add(bank->ringer, &bank->waiting[taken % WAITING]);
        atomic_store_explicit(&bank->taken, taken + 1, memory_order_release);
    }
}

void fr_bank_pull(FrBank *bank, float *out, int32_t frames) {
    if (!(bank && out)) return;

    double block[FR_RESONATOR_BLOCK];
    take_blows(bank);
    for (int32_t n = 0; n < frames; n += FR_RESONATOR_BLOCK) {
        int32_t now = fr_min_i(FR_RESONATOR_BLOCK, frames - n);
        if (bank->until_look <= 0 && fr_ringer_radiates(bank->ringer)) look(bank);
        bank->until_look -= now;
        fr_ringer_pull(bank->ringer, block, now);
        for (int32_t k = 0; k < now; k++) out[n + k] = (float)block[k];
    }
    atomic_store_explicit(&bank->sounding, fr_ringer_sounding(bank->ringer), memory_order_release);
}

bool fr_bank_sounding(const FrBank *bank) {
    if (!bank) return false;

    FrBank *b = (FrBank *)(uintptr_t)bank; // atomic loads change nothing
    return atomic_load(&b->sounding) || atomic_load(&b->put) != atomic_load(&b->taken);
}
