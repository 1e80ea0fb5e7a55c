// shatter_inside.h: what the files of this room share: a body that may shatter, and the modes of a
// blow.
#pragma once
#include "cut/labels.h"
#include "modal/blow.h"
#include "modal/load_stress.h"
#include "shatter/shatter.h"
#include "shatter/shatter_tuning.h"

struct FrShatter {
    FrContext *ctx;
    FrTetMesh mesh; ///< arrays are the body's, as those of its surface and skin
    FrSurface surface;
    FrEmbedded skin; ///< point_count 0: none
    FrMaterial material;
    char *name;
    uint8_t *held;      ///< what holds each node, 1 more than its number; 0: nothing (node_count)
    int32_t held_count; ///< nodes that something holds
    double *weak;       ///< factor on the strength of each tet (tet_count); NULL: 1
    double weakest;     ///< the least of them, at most 1
    FrCrackShatter how;
    double density;        ///< of one with a mass of its own, kg/m^3; 0: the material says
    double wall;           ///< 2 V / A, m
    double volume;         ///< m^3
    int32_t parts;         ///< that hang together by faces
    bool warned;           ///< that there are several
    double size;           ///< longest side of the box around it, m
    bool whole;            ///< no piece of another: it may break however small it is
    FrStressModel *stress; ///< NULL: not needed so far
    FrSym3 *field;         ///< of the last blow that breaks it, Pa (node_count)
    FrLabels labels;       ///< what that cuts it into
};

// J that cracks may take of this much elastic energy
static inline double fr_shatter_budget(const FrShatter *s, double elastic) {
    return s->how.eta * elastic;
}

// volume of the least region, a square of wall, m^3
static inline double fr_shatter_smallest(double wall) {
    return FR_OUTRUN * FR_OUTRUN * wall * wall * wall;
}

/// Modes of both sides, one after the other, and what they take up of the push.
typedef struct FrRung {
    double *lambda, *damping, *w; ///< (count)
    double *most;                 ///< largest |q| that may come (count)
    int32_t count, own;           ///< all; of the body that is judged
    double left, own_left;        ///< what the modes of both, of the judged body, leave out, m/N
    FrSym3 *stress_left;          ///< of the judged body, Pa/N (node_count)
} FrRung;

// judge.c
/// Look through the moments of a blow for the first from which cracks part the body; then its
/// labels are what they cut.
FrResult fr_shatter_search(FrShatter *shatter, const FrStrike *strike, const FrRung *rung,
                           const FrModalBlow *blow, FrStruck *struck);
