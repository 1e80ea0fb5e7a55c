// grains.h: what left as dust flies on as grains, for pictures and exports: they have its mass,
// momentum and kinetic energy together, fall freely, and lie where they meet a plane.
#pragma once
#include "base/array.h"
#include "event/log.h"
#include "fracas/material.h"

typedef struct FrGrain {
    double t;        ///< when it left, s
    FrVec3 x, v;     ///< then, m, m/s
    double mass;     ///< kg
    double radius;   ///< of a ball of this mass, m
    double lands;    ///< when it meets a plane, s; HUGE_VAL: never
    float colour[3]; ///< linear RGB
} FrGrain;

/// n . x = offset
typedef struct FrGrainPlane {
    FrVec3 n;      ///< unit
    double offset; ///< m
} FrGrainPlane;

typedef struct FrGrains {
    FrVec3 gravity;          ///< m/s^2
    FR_ARRAY(FrGrain) grain; ///< by time
    FR_ARRAY(FrGrainPlane) plane;
} FrGrains;

/// Grains of all dust among the events. Gravity and planes are set; `made_of` says what a body is.
FrResult fr_grains_gather(FrContext *ctx, const FrEventLog *log,
                          const FrMaterial *(*made_of)(const void *user, int32_t body),
                          const void *user, FrGrains *grains);
void fr_grains_free(FrContext *ctx, FrGrains *grains); ///< fine on a zeroed one
/// Where one is at time t; false: it has not left yet.
bool fr_grain_place(const FrGrains *grains, const FrGrain *grain, double t, FrVec3 *x);
