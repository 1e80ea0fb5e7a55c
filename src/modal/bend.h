// bend.h: modes that bend a body inside its rigid frame: their shapes at nodes, how far each is
// out, and steps of them [S1 s. 3, M15, M17].
//
// A step of length T takes all that pushes as constant forces over it. Where the body then is at
// its end is linear in them (E32):  z' = zz z + zv v + gz g. Rows see the mean velocity (z' - z) /
// T of each mode, in the scale in which an impulse changes it by its own share:
//     y = (z' - z) / (T reach),   y += reach u J,   reach = sqrt(gz) / T,
// u: displacement of a point by the mode. Slow modes have reach 1/sqrt(2); very stiff ones follow
// their static answer, for gz goes to 1/lambda.
#pragma once
#include "base/bytes.h"
#include "math/vec.h"
#include "modal/bend_modes.h"

/// Where a body is held or touched: up to four slots of nodes, and their weights; -1: no more.
typedef struct FrGrip {
    int32_t slot[4];
    float b[4];
} FrGrip;
static inline FrGrip fr_grip_none(void) { return (FrGrip){{-1, -1, -1, -1}, {0, 0, 0, 0}}; }

/// What a step of length T does to each mode (count each).
typedef struct FrBendStep {
    double T;                            ///< s; 0: not made yet
    double *zz, *zv, *vz, *vv, *gz, *gv; ///< as of FrModeStep
    double *reach;                       ///< sqrt(gz) / T, 1
    double *weight; ///< share of a sudden impulse that the mode takes up in T, 2 gz / T^2: 1 where
                    ///< it is slow, 0 where it is stiff
} FrBendStep;

typedef struct FrBend {
    FrContext *ctx;
    int32_t count, node_count;
    int32_t outside;      ///< nodes on the surface: they have the first slots, in their order
    int32_t *slot;        ///< of each node (node_count)
    double *rest;         ///< in slots, about the centre of mass, body axes, m (3 * node_count)
    float *shape;         ///< kg^-1/2, four slots side by side (fr_bend_at)
    FrBendModes modes;    ///< its own, by nodes
    FrModeShapes shown;   ///< of them, for those who look at it
    const double *lambda; ///< of them, as is `most` and `gravity`
    const double *most;   ///< likewise
    double *damping;      ///< 1/s (count)
    bool held;            ///< some nodes never move: its frame stays, and gravity bends it
    double limit;         ///< no node goes farther, m: what would is scaled back
    // state
    double *z, *v;         ///< sqrt(kg) m, sqrt(kg) m/s (count)
    double damped;         ///< energy lost to damping so far, J
    bool limited;          ///< it was scaled back
    bool stuck;            ///< in the step before: what pulls bends it no more
    bool told;             ///< and the world said so
    double path;           ///< how far nodes may have moved by modes so far, m
    double *kept;          ///< z, v, damped and path of a step that may be taken back (2 count + 2)
    double *shift, *speed; ///< room for all nodes' displacements and velocities, in slots
    // of the step that goes on
    double *force;          ///< for the next step, N / sqrt(kg) (count)
    double *steady;         ///< until it is set anew, likewise
    double *weigh;          ///< of gravity, likewise
    double *whirl;          ///< of its spin, likewise (src/modal/turning.c)
    double *start;          ///< z when it began (count)
    double *y, *y_free;     ///< as above, with and without rows (count)
    double *before;         ///< v before impulses (count)
    FrBendStep whole, part; ///< of the usual step; of what is left of one
    const FrBendStep *open; ///< the one that rows act in
    double *memory;         ///< of all numbers
} FrBend;

/// All borrowed.
typedef struct FrBendDef {
    const FrBendModes *modes; ///< copied
    const FrTetMesh *mesh;
    const FrSurface *surface;   ///< whose nodes come first
    FrVec3 centre;              ///< of mass, m
    const FrMaterial *material; ///< whose damping modes have
    bool held;                  ///< as of FrBend
    double limit;               ///< likewise, m
} FrBendDef;

FrResult fr_bend_create(FrContext *ctx, const FrBendDef *def, FrBend **bend);
void fr_bend_destroy(FrBend *bend); ///< accepts NULL

/// A material point of its mesh.
FrGrip fr_bend_grip(const FrBend *bend, const int32_t tet[4], FrPoint at);
/// Displacement of a slot by a mode is at[4 * mode] of each axis, kg^-1/2.
static inline const float *fr_bend_at(const FrBend *bend, int32_t slot, int axis) {
    size_t row = (size_t)(slot / 4) * 3 + (size_t)axis;
    return bend->shape + row * 4 * (size_t)bend->count + slot % 4;
}
/// Displacement of a grip per mode: rows x y z of `count` numbers, in the axes R turns body axes
/// into.
void fr_bend_rows(const FrBend *bend, const FrGrip *grip, FrMat3 R, double *to);
/// U W W' U' of one place, body axes, 1/kg; `share` of each mode (count), NULL: all
/// [S1 eq. 21, E33]
FrMat3 fr_bend_mobility(const FrBend *bend, const FrGrip *grip, const double *share);
/// How far a grip is displaced, body axes, m; and how fast, m/s.
FrVec3 fr_bend_shift(const FrBend *bend, const FrGrip *grip);
FrVec3 fr_bend_velocity(const FrBend *bend, const FrGrip *grip);
/// A force at a grip, body axes, onto modal forces, N; an impulse onto modal velocities, N s.
void fr_bend_push(const FrBend *bend, const FrGrip *grip, FrVec3 force, double *to);
/// Displacements (and velocities, if `speed` is not NULL) of the slots begin .. end - 1, begin a
/// multiple of 4, body axes, m (3 each).
void fr_bend_field(const FrBend *bend, int32_t begin, int32_t end, double *shift, double *speed);

double fr_bend_kinetic(const FrBend *bend); ///< J
double fr_bend_elastic(const FrBend *bend); ///< J
/// No node is displaced farther, m, or by modes faster, m/s.
double fr_bend_farthest(const FrBend *bend);
double fr_bend_fastest(const FrBend *bend);

/// A step of length T begins.
void fr_bend_begin(FrBend *bend, double T);
/// Nothing pushes for dt seconds.
void fr_bend_fly(FrBend *bend, double dt);
/// Gravity in body axes bends a held body until it is set anew, besides what is steady, m/s^2.
void fr_bend_weigh(FrBend *bend, FrVec3 gravity);
/// Rows act for T seconds: fills y, and says what the step does. fr_bend_close: they did, and the
/// modes go on.
const FrBendStep *fr_bend_open(FrBend *bend, double T);
void fr_bend_close(FrBend *bend);
/// All forces on a mode but those of rows, N / sqrt(kg).
static inline double fr_bend_force(const FrBend *bend, int32_t m) {
    return bend->force[m] + bend->steady[m] + bend->weigh[m] + bend->whirl[m];
}
/// Work that modal forces do in the open step, J.
double fr_bend_work(const FrBend *bend, const double *force);

/// One level: of a step that may be taken back.
void fr_bend_backup(FrBend *bend);
void fr_bend_restore(FrBend *bend);
void fr_bend_save(const FrBend *bend, FrWriter *writer);
/// FR_BAD_INPUT: of another number of modes, or not finite.
FrResult fr_bend_load(FrBend *bend, FrReader *reader);
