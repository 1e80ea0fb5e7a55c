// corot.h: a solid of linear tets that turn, stepped implicitly [S5] [M12]: small strain in the
// axes of each tet, implicit Euler by conjugate gradients, contact and friction in the same system.
#pragma once
#include "fracas/material.h"
#include "fracas/mesh.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "cut/cutlog.h"
#include "sparse/meet.h"

typedef struct FrCorot FrCorot;

typedef struct FrCorotDef {
    const FrTetMesh *mesh;      ///< borrowed during create; order 1
    const FrMaterial *material; ///< one per region (material_count), copied
    int32_t material_count;
    FrVec3 position; ///< m: p = rotation * x + position
    FrQuat rotation;
    FrVec3 velocity;    ///< m/s, of the centre of mass
    FrVec3 spin;        ///< rad/s, about the centre of mass, world axes
    bool linear;        ///< tets do not turn: linear FEM, for comparison
    double temperature; ///< at the start, degrees C
} FrCorotDef;

/// Energies and works since the start, J. Each term is the work of its own forces, or follows from
/// its own formula; none is the remainder.
typedef struct FrCorotEnergy {
    double kinetic, elastic;
    double damping;  ///< dissipated by strain rate and mass damping
    double implicit; ///< dissipated by the implicit step: see corot_step.c
    double plastic;  ///< spent in plastic flow and creep
    double gravity_work, load_work, contact_work;
} FrCorotEnergy;

/// FR_BAD_INPUT: as fr_fem_create; FR_BAD_USE: an anisotropic material.
FrResult fr_corot_create(FrContext *ctx, const FrCorotDef *def, FrCorot **body);
void fr_corot_destroy(FrCorot *body); ///< accepts NULL

void fr_corot_view(const FrCorot *body, FrShapeView *view);
double fr_corot_mass(const FrCorot *body);
double fr_corot_node_mass(const FrCorot *body, int32_t node);
const double *fr_corot_rest(const FrCorot *body);
const FrMaterial *fr_corot_material(const FrCorot *body, int32_t tet);
void fr_corot_set_damping(FrCorot *body, int32_t region, const FrMaterial *from);
bool fr_corot_yields(const FrCorot *body);
FrSym3 fr_corot_plastic_strain(const FrCorot *body, int32_t tet);
/// How many tets are squeezed below 0.3 of their volume, or turned inside out, now.
int32_t fr_corot_crushed(const FrCorot *body);

/// Positions m and velocities m/s (3 * node_count) between steps; NULL: keep. What energy and
/// momentum change by is booked as that of loads.
void fr_corot_put(FrCorot *body, const double *p, const double *v, FrVec3 gravity);

/// The same tets with corners of `mesh`, the body's own after cuts along faces: nodes that are new
/// are copies. fr_corot_load of a body that was cut wants it first.
FrResult fr_corot_adopt(FrCorot *body, const FrTetMesh *mesh);
/// What the cuts did: copies of nodes go on as these do. Momentum and energy stay.
FrResult fr_corot_cut(FrCorot *body, const FrCutLog *log, const FrTetMesh *mesh);
/// Elastic stress of a tet in its own axes, Pa, and how these have turned.   [S5 section 4] (E16)
FrSym3 fr_corot_stress(const FrCorot *body, int32_t tet, FrMat3 *R);
/// How much of its strength a tet has that is warm: 1 where it is solid.               [M32]
double fr_corot_hardness(const FrCorot *body, int32_t tet);
/// Of nodes, degrees C; borrowed until the next change; NULL: it does not get warm.
const double *fr_corot_temperature(const FrCorot *body);
void fr_corot_warm(FrCorot *body, int32_t node, double heat); ///< at once, J
/// Since the start, J: stored = brought - lost.
void fr_corot_heat(const FrCorot *body, double *stored, double *brought, double *lost);

double fr_corot_tet_energy(const FrCorot *body, int32_t tet); ///< elastic, J
double fr_corot_tet_volume(const FrCorot *body, int32_t tet); ///< at rest, m^3

void fr_corot_hold(FrCorot *body, int32_t node);
void fr_corot_release(FrCorot *body, int32_t node);
bool fr_corot_held(const FrCorot *body, int32_t node);
void fr_corot_drive(FrCorot *body, int32_t node, FrVec3 velocity); ///< of a held node, m/s

/// A force of a load for the next step, N.
void fr_corot_add_load(FrCorot *body, int32_t node, FrVec3 force);
/// What contact in substeps adds up in, N (3 * node_count); fr_corot_predict takes them.
double *fr_corot_contact_forces(FrCorot *body);
void fr_corot_note_kinematic(FrCorot *body, double work);
/// Show it where it will be about dt s later: it flies on as it is, and as a rigid body under the
/// contact forces that were added, which are kept for the step and cleared. 0: they did not act.
void fr_corot_predict(FrCorot *body, double dt, FrVec3 gravity);

/// One step of several bodies that meet each other, frames and what stands.
/// FR_NUMERICAL: `failed` is not finite any more.
FrResult fr_corot_step(FrCorot *const *body, int32_t count, FrMeetStep *step, int32_t *failed);
/// What the last step took.
typedef struct FrCorotReport {
    int32_t iterations; ///< of conjugate gradients, all solves
    int32_t solves;
    FrSolveReason reason; ///< why the last of them ended
    double residual;      ///< over the forces that act, in the norm of the preconditioner
} FrCorotReport;

/// How fast it moves and bends, rms m/s; HUGE_VAL: it flows, or warmth goes through it.
double fr_corot_speed(const FrCorot *body);
/// It stops where it is.
void fr_corot_stop(FrCorot *body);
/// How its steps were solved so far: steps, those whose solver came to its last round, and the
/// most that was left of the forces that act then.
typedef struct FrCorotSolves {
    int64_t steps, stalled;
    double left;
} FrCorotSolves;
FrCorotSolves fr_corot_solves(const FrCorot *body);
void fr_corot_energy(const FrCorot *body, FrCorotEnergy *energy);
void fr_corot_momentum(const FrCorot *body, FrVec3 *linear, FrVec3 *angular);
FrVec3 fr_corot_impulse(const FrCorot *body); ///< of gravity, loads, supports, mass damping, N s

void fr_corot_hash(const FrCorot *body, FrHash *hash);
void fr_corot_save(const FrCorot *body, FrWriter *writer);
FrResult fr_corot_load(FrCorot *body, FrReader *reader);
