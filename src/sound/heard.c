// heard.c: how much of a mode is heard: what it gives to the air, and its part in the sound of a
// blow.

#include "sound/heard.h"
#include "math/vec.h"
#include "sound/mallet.h"
#include "sound/pulse.h"
#include "sound/ringer.h"
#include <math.h>

/// What comes later than this after a blow does not count, s.
#define HEARD 1.0

// p r per velocity of mode i. What moves is heard, what is only bent is not: with z'/omega instead
// of S4's z [S4 3.4] tones keep their size, and a slow push leaves no offset.
double fr_air_gain(FrAir air, double area, double volume, double coupling, double lambda) {
    double gain =
        FR_AIR_DENSITY * FR_SOUND_SPEED * sqrt(area / (4.0 * M_PI)) * coupling / sqrt(lambda);
    if (air == FR_AIR_FLAT) return gain;
    double ka = sqrt(lambda) / FR_SOUND_SPEED * cbrt(3.0 * volume / (4.0 * M_PI));
    return gain * ka * ka / (1.0 + ka * ka);
}

// The ear for loud sounds: C-weighting (IEC 61672), nearly flat from 60 Hz to 5 kHz, -11 dB at 20
// kHz. A-weighting is for faint ones, and nobody knows here how loud it is played.
static double ear(double hz) {
    double f2 = hz * hz, low = 20.598997 * 20.598997, high = 12194.217 * 12194.217;
    return 1.0071525 * high * f2 / ((f2 + low) * (f2 + high));
}

static double energy(const FrAssetInfo *info, const FrHeardMode *m, FrAir air, double duration) {
    double omega = sqrt(m->lambda);
    double p = fr_air_gain(air, info->area, info->volume, m->coupling, m->lambda) * m->coupling /
               omega * fr_pulse_spectrum(omega * duration) * ear(omega / (2.0 * M_PI));
    double c = m->damping, time = c * HEARD > 1e-9 ? -expm1(-c * HEARD) / c : HEARD;
    return p * p * time;
}

void fr_heard_shares(const FrAssetInfo *info, const FrHeardMode *mode, int32_t count,
                     double *share) {
    static const FrMallet mallets[] = {FR_MALLET_STEEL, FR_MALLET_WOOD, FR_MALLET_RUBBER,
                                       FR_MALLET_FELT};
    static const FrAir airs[] = {FR_AIR_SMALL, FR_AIR_FLAT};
    for (int32_t i = 0; i < count; i++) share[i] = 0.0;
    for (int way = 0; way < 8; way++) {
        double duration = fr_mallet_push(fr_mallet_info(mallets[way / 2]), 0.0, 1.0, info).duration;
        double sum = 0.0;
        for (int32_t i = 0; i < count; i++) sum += energy(info, &mode[i], airs[way % 2], duration);
        for (int32_t i = 0; i < count && sum > 0.0; i++)
            share[i] = fr_max(share[i], energy(info, &mode[i], airs[way % 2], duration) / sum);
    }
}
