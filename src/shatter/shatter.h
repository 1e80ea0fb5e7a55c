// shatter.h: blows on rigid frames that may break: what the world says of a blow, what the model
// answers, and what a body falls into. Plain data between the world and a row of the model table.
#pragma once
#include "base/bytes.h"
#include "cut/crack_def.h"
#include "fracas/world.h"
#include "cut/labels.h"
#include "math/vec.h"
#include "modal/load_stress.h"

/// Points of a blow that are told one by one.
#define FR_STRIKE_POINTS 8

/// Where one body of two is struck.
typedef struct FrStrikeSide {
    void *shatter;                  ///< its state; NULL: it gives way by its rigid motion alone
    FrVec3 n;                       ///< unit, pushes the body, axes of its mesh
    FrVec3 point[FR_STRIKE_POINTS]; ///< axes of its mesh, m
} FrStrikeSide;

/// One blow between two bodies, as rows found it.
typedef struct FrStrike {
    FrStrikeSide self, other;
    double share[FR_STRIKE_POINTS]; ///< of the push at each point; their sum is 1
    int32_t point_count;
    double speed;       ///< of closing, m/s
    double mobility;    ///< rigid, of both along the normal, 1/kg
    double restitution; ///< of the pair, 1
    double yielding;    ///< (1 - nu^2) / E of both together, 1/Pa
    double curvature;   ///< 1/R of both together, 1/m
    double step;        ///< macro step of the world, s
    uint64_t seed;      ///< of where cracks begin
} FrStrike;

/// What the blow does to the body, until it breaks or the two have parted.
typedef struct FrStruck {
    bool followed;   ///< else it is as rows made it
    bool breaks;     ///< it falls apart now
    double t;        ///< when it falls apart, s: the world says
    double impulse;  ///< N s
    double duration; ///< s
    double elastic;  ///< that the body holds when it breaks, J
    bool made;       ///< by S7's letter: that is not out of what the blow took
    FrVec3 x;        ///< where it breaks first, axes of its mesh, m
    FrVec3 tension;  ///< unit: along the largest tension there
    double stress;   ///< that tension, Pa
    double limit;    ///< what the body stands there, Pa
} FrStruck;

/// Where the axes of a mesh are.
typedef struct FrAxes {
    FrVec3 origin;
    FrQuat q;
} FrAxes;
static inline FrVec3 fr_axes_place(const FrAxes *axes, FrVec3 x) {
    return fr_add(axes->origin, fr_quat_rotate(axes->q, x));
}

/// Nodes of a body that something holds: they move as its track says.
typedef struct FrShatterHold {
    const int32_t *node; ///< (node_count)
    int32_t node_count;
    FrTrack track;
    FrAxes from; ///< of the mesh, when it was taken hold of
} FrShatterHold;
/// More of them than a body can have.
#define FR_MOST_HOLDS 255

/// Points at which a body bears something, at most.
#define FR_BEARING_POINTS FR_STRIKE_POINTS
/// What a body bears for a macro step, in the axes of its mesh.
typedef struct FrBearing {
    FrVec3 point[FR_BEARING_POINTS]; ///< m (point_count)
    FrVec3 force[FR_BEARING_POINTS]; ///< N
    int32_t point_count;
    FrVec3 weight;       ///< what pulls all of it, m/s^2: gravity, where something holds it
    const double *moved; ///< how far held nodes are from where it would have them, m
                         ///< (3 * node_count); NULL: nothing bends it
    double most_moved;   ///< the farthest of them, m
    double dt;           ///< s
    uint64_t seed;       ///< of where cracks begin
} FrBearing;

/// A face between two of the bodies that it falls into.
typedef struct FrFallenFacet {
    int32_t a, b;  ///< bodies on either side
    double area;   ///< m^2
    FrVec3 x, n;   ///< middle, m; unit normal from a to b; axes of the mesh
    FrSym3 stress; ///< of the body before, Pa, likewise
} FrFallenFacet;

/// What a body falls into.
typedef struct FrFallen {
    FrContext *ctx;
    FrBodyDef *child; ///< as of fr_body_exchange, of which model the row says; meshes and
                      ///< surfaces are its own (count)
    int32_t count;    ///< 0: the energy was not enough for any crack
    uint8_t **held;   ///< what holds each node of a child, 1 more than its number; 0: nothing
                      ///< does. NULL: nothing holds the child (count)
    bool *dust;       ///< it is too small for a body, and leaves (count)
    int32_t dust_count;
    FrFallenFacet *facet; ///< (facet_count)
    int32_t facet_count;
    double area;  ///< of the cracks, m^2
    double spent; ///< on them, J
    double free;  ///< what may drive the bodies apart, J
} FrFallen;
void fr_fallen_free(FrFallen *fallen); ///< fine on a zeroed one

/// How a frame shatters. Made for bodies that may; all it needs for a blow is made at the first one
/// that may break it.
typedef struct FrShatter FrShatter;
/// May a body that is made so break at a blow?
bool fr_shatter_wanted(const FrBodyDef *def);
/// Mesh, surface and skin of the def are borrowed for as long as it lives.
FrResult fr_shatter_create(FrContext *ctx, const FrBodyDef *def, FrShatter **shatter);
void fr_shatter_destroy(FrShatter *shatter); ///< accepts NULL
/// These hold it from now on; read now.
FrResult fr_shatter_hold(FrShatter *shatter, const FrShatterHold *hold, int32_t count);
/// Is there something between what is held that could break?
bool fr_shatter_may(const FrShatter *shatter);
/// Does it still lack what blows are judged by, and might one break it? Then what that is made of:
/// borrowed until the body changes.
bool fr_shatter_lacks(const FrShatter *shatter, FrStressDef *def);
/// That, made elsewhere: one more owner of it.
void fr_shatter_give(FrShatter *shatter, FrStressModel *model);
/// As long as it waits nothing breaks it, instead of making at once what it lacks.
void fr_shatter_wait(FrShatter *shatter, bool waits);
/// Follow the blow. `struck->followed` false: it cannot break the body, and was not followed.
FrResult fr_shatter_struck(FrShatter *shatter, const FrStrike *strike, FrStruck *struck);
/// What it bears is judged where it may matter; it breaks once that lasts. Elastic energy of it is
/// what bent it gave.
FrResult fr_shatter_bear(FrShatter *shatter, const FrBearing *bearing, FrStruck *struck);
/// Forces that together are less than this surely do not break it, N.
double fr_shatter_bears(const FrShatter *shatter);
/// What it bore so far.
void fr_shatter_save(const FrShatter *shatter, FrWriter *writer);
FrResult fr_shatter_load(FrShatter *shatter, FrReader *reader);
/// It is to fall apart into these regions, which it takes over, whatever it stands.
FrResult fr_shatter_sever(FrShatter *shatter, FrLabels *labels);
/// After a blow that breaks it: into which bodies.
FrResult fr_shatter_fall_apart(FrShatter *shatter, const FrStruck *struck, FrFallen *fallen);
/// Bytes of what it made for blows; 0: nothing. It can be dropped, and is made again.
size_t fr_shatter_bytes(const FrShatter *shatter);
void fr_shatter_drop(FrShatter *shatter);
