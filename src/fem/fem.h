// fem.h: a deformable solid: linear tets, finite strain, explicit steps.
#pragma once
#include "fracas/material.h"
#include "fracas/mesh.h"
#include "base/bytes.h"
#include "math/vec.h"

typedef struct FrFem FrFem;

typedef struct FrFemDef {
    const FrTetMesh *mesh;      ///< borrowed during create; order 1
    const FrMaterial *material; ///< one per region (material_count), copied
    int32_t material_count;
    FrVec3 position; ///< m: p = rotation * x + position
    FrQuat rotation;
    FrVec3 velocity; ///< m/s, of the centre of mass
    FrVec3 spin;     ///< rad/s, about the centre of mass, world axes
} FrFemDef;

/// Energies and works since the start, J. The ledger closes when
/// kinetic + elastic + barrier + damping - work == its value at the start.
typedef struct FrFemEnergy {
    double kinetic;      ///< staggered: sum 1/2 m v_old.v_new (M3)
    double elastic;      ///< stored, with the barrier's part
    double damping;      ///< dissipated by strain rate and mass damping
    double gravity_work; ///< done by gravity
    double load_work;    ///< done by forces added with FR_FEM_LOAD, and by held or driven nodes
    double contact_work; ///< done by forces added with FR_FEM_CONTACT
} FrFemEnergy;

typedef enum FrFemChannel { FR_FEM_LOAD, FR_FEM_CONTACT } FrFemChannel;

FrResult fr_fem_create(FrContext *ctx, const FrFemDef *def, FrFem **fem);
void fr_fem_destroy(FrFem *fem); ///< accepts NULL

void fr_fem_view(const FrFem *fem, FrShapeView *view);
double fr_fem_mass(const FrFem *fem);                    ///< kg
double fr_fem_node_mass(const FrFem *fem, int32_t node); ///< kg
const FrMaterial *fr_fem_material(const FrFem *fem, int32_t tet);

/// Hold a node: from now on it moves as fr_fem_drive says (default: stays).
void fr_fem_hold(FrFem *fem, int32_t node);
void fr_fem_release(FrFem *fem, int32_t node);
bool fr_fem_held(const FrFem *fem, int32_t node);
/// Velocity of a held node during the next step, m/s.
void fr_fem_drive(FrFem *fem, int32_t node, FrVec3 velocity);

/// Add a force for the next step, N.
void fr_fem_add_force(FrFem *fem, FrFemChannel channel, int32_t node, FrVec3 force);

/// Largest stable step without safety factor, s [M3]; `contact_stiffness` is kept per node by
/// fr_fem_add_stiffness.
double fr_fem_dt_limit(FrFem *fem);

/// One step: forces at (p, v), v += dt f/m, p += dt v. Clears the added forces.
/// FR_NUMERICAL: a value is not finite; the message names the first bad tet.
FrResult fr_fem_step(FrFem *fem, double dt, FrVec3 gravity);

void fr_fem_energy(FrFem *fem, FrVec3 gravity, FrFemEnergy *energy);
/// Momentum kg m/s, and angular momentum about the world origin kg m^2/s.
void fr_fem_momentum(const FrFem *fem, FrVec3 *linear, FrVec3 *angular);
/// How many tets are below J0 now (inversion guard at work).
int32_t fr_fem_guarded(const FrFem *fem);

/// Cauchy stress Pa and Green strain of one tet, from its present shape (elastic part).
FrSym3 fr_fem_tet_stress(const FrFem *fem, int32_t tet);
FrSym3 fr_fem_tet_strain(const FrFem *fem, int32_t tet);

/// One backup, by copy.
void fr_fem_backup(FrFem *fem);
void fr_fem_restore(FrFem *fem);

/// All that changes with time, hidden state included.
void fr_fem_save(const FrFem *fem, FrWriter *writer);
FrResult fr_fem_load(FrFem *fem, FrReader *reader);
