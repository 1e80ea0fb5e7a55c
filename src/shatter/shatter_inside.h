// shatter_inside.h: what the files of this room share: a body that may shatter, and the modes of a
// blow.
#pragma once
#include "cut/labels.h"
#include "modal/blow.h"
#include "modal/load_stress.h"
#include "shatter/shatter.h"
#include "shatter/shatter_tuning.h"

/// What tells one load of a body from another.
typedef struct FrBorneLoad {
    double force;  ///< of all pushes, N
    FrVec3 moment; ///< of them, by their places over the body's size, N
    double spread; ///< likewise, by the squares of these, N
    FrVec3 weight; ///< m/s^2
    double moved;  ///< m
} FrBorneLoad;

/// What it bore when it was judged last.
typedef struct FrBorne {
    bool judged;
    FrBorneLoad load;
    double share;  ///< of its strength, at the worst place
    double lasted; ///< for how long that was above 1, s
    double tried;  ///< elastic energy that did not get cracks through, J
} FrBorne;
#define FR_BORNE_NUMBERS 12

/// The last pushes on a body and their answer: each side of a blow asks for both sides'.
typedef struct FrPushed {
    FrStressLoad load[FR_STRIKE_POINTS];
    double share[FR_STRIKE_POINTS];
    int32_t count; ///< 0: none
    FrStressAnswer answer;
} FrPushed;

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
    double weakest;     ///< the least of them, at most 1, times the least toughness
    FrVec3 *seed;       ///< m: in pieces of their own when it breaks (seed_count)
    int32_t seed_count;
    FrVec3 toughness, cleavage; ///< as in FrCrackDef
    bool directional;           ///< not as tough in all directions:
    FrMat3 tougher;             ///< scale of its stress (fr_toughness_scale)
    bool grained;               ///< cracks keep to a grain:
    FrSym3 grain;               ///< lengths along its axes count so many times, 1
    FrVec3 lengthwise;          ///< unit: the toughest of them
    FrCrackShatter how;
    double density;        ///< of one with a mass of its own, kg/m^3; 0: the material says
    double wall;           ///< 2 V / A, m
    double volume;         ///< m^3
    int32_t parts;         ///< that hang together by faces
    bool warned;           ///< that there are several
    double size;           ///< longest side of the box around it, m
    bool whole;            ///< no piece of another: it may break however small it is
    bool waits;            ///< nothing breaks it so far
    FrStressModel *stress; ///< NULL: not needed so far
    FrPushed pushed;
    FrBorne borne;
    FrSym3 *field;   ///< of the last blow that breaks it, Pa (node_count)
    FrLabels labels; ///< what that cuts it into
};

// J that cracks may take of this much elastic energy
static inline double fr_shatter_budget(const FrShatter *s, double elastic) {
    return s->how.eta * elastic;
}

// no stress counts more over this
static inline double fr_shatter_least_toughness(const FrShatter *s) {
    return fr_min(s->toughness.x, fr_min(s->toughness.y, s->toughness.z));
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

// struck.c
/// It is a piece that holds, however it is struck.
bool fr_shatter_crumb(const FrShatter *shatter);
/// Its stress model is there.
FrResult fr_shatter_need_stress(FrShatter *shatter);

// style.c
/// What the def says of its grain; `weakest` is known.
void fr_shatter_set_grain(FrShatter *shatter, const FrCrackDef *crack);
/// Metric of each tet by grain and style, struck at `from` along `push`; NULL: it has none
/// (tet_count).
FrResult fr_shatter_metric(const FrShatter *shatter, FrVec3 from, FrVec3 push, FrSym3 **metric);

// judge.c
/// Largest share of its strength that the stress in `field` takes, away from the points of contact.
FrResult fr_shatter_stands(FrShatter *shatter, const FrStrike *strike, double *share);
/// The stress in `field`, with this much elastic energy, breaks it if cracks get through.
FrResult fr_shatter_part(FrShatter *shatter, const FrStrike *strike, double elastic,
                         FrStruck *struck);
/// Look through the moments of a blow for the first from which cracks part the body; then its
/// labels are what they cut.
FrResult fr_shatter_search(FrShatter *shatter, const FrStrike *strike, const FrRung *rung,
                           const FrModalBlow *blow, FrStruck *struck);
