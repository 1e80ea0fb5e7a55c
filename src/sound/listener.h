// listener.h: what two ears hear of a moving source: distance, delay, the shadow of a round head.
#pragma once
#include "fracas/base.h"

#define FR_HEAD_RADIUS 0.0875 ///< m

typedef struct FrListener {
    FrVec3 at;    ///< middle of the head, m
    FrVec3 right; ///< unit, towards the right ear
    bool mono;    ///< no head: both channels alike
} FrListener;

/// Where a source is over time: straight between knots.
typedef struct FrTravel {
    const FrVec3 *place; ///< m (count); borrowed
    const FrQuat *turn;  ///< from the source's axes to the world's (count); NULL: as it was made
    int32_t count;       ///< at least 1
    double hz;           ///< knots per second
    double nearest;      ///< no nearer than this, m: its own size
} FrTravel;

/// Fractional delays: rows of a windowed sinc.
#define FR_DELAY_TAPS 16
#define FR_DELAY_PHASES 256
typedef struct FrDelayTable {
    double row[FR_DELAY_PHASES + 1][FR_DELAY_TAPS];
} FrDelayTable;
void fr_delay_table(FrDelayTable *table);
/// source at `t` samples, t any real number; silence outside [0, frames)
double fr_delay_read(const FrDelayTable *table, const double *source, int64_t frames, double t);

/// How long the way to one ear is beyond that to the middle of the head (negative: shorter), in
/// head radii. cosine: of the angle between the ear's axis and the source.
double fr_ear_detour(double cosine);
/// Gain of that ear for high tones over that for low ones: 2 when it faces the source, 0.1 at 150
/// degrees (Brown & Duda 1998).
double fr_ear_brightness(double cosine);

/// Where the two ears are at time t (s) as the source sees it from its place, m, in its own axes;
/// how far it is from the middle of the head, as fr_listen takes it.
double fr_ears_from(const FrListener *listener, const FrTravel *path, double t, FrVec3 ear[2]);

/// What a source gives off.
typedef struct FrSource {
    const double *sample[2]; ///< towards the left and the right ear, Pa m (frames)
    int64_t frames;
    double rate; ///< samples per second
} FrSource;
/// left and right get as many samples, Pa.
void fr_listen(const FrListener *listener, const FrTravel *path, const FrDelayTable *table,
               const FrSource *source, double *left, double *right);
