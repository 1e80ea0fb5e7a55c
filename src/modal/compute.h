// compute.h: from a mesh and its materials to modes, through the solvers of the context's back end.
#pragma once
#include "modal/modes.h"
#include "modal/rigid_modes.h"
#include "sparse/solver.h"

#define FR_MODES_MAX_HZ 20000.0

/// What to find. All borrowed.
typedef struct FrModalDef {
    const FrTetMesh *mesh;      ///< order 1 or 2
    const FrMaterial *material; ///< of each region (material_count)
    int32_t material_count;
    bool lumped;         ///< mass on the diagonal instead of consistent
    bool parts;          ///< several parts that do not touch are fine; else they are refused
    const uint8_t *held; ///< nodes that do not move (node_count); NULL: none
    double max_hz;       ///< undamped; 0: no limit
    int32_t count;       ///< at most; 0: all up to max_hz
    bool unproved;       ///< see FrEigenProblem
    FrFactor **factor;   ///< likewise
} FrModalDef;

typedef struct FrModesReport {
    int32_t unknowns, parts;
    double assemble_seconds; ///< wall time
    FrEigenReport eigen;     ///< lambda and shift for E = rho = 1 of the first material
} FrModesReport;

/// The lowest modes, ascending; signs fixed: the largest component (the first of equals) is
/// positive. The same bits for any number of workers. FR_BAD_USE: neither max_hz nor count, or the
/// context has no back end. FR_BAD_INPUT: floating nodes, tets without volume, several parts,
/// absurd materials. FR_NUMERICAL: not all were found. `report` may be NULL.
FrResult fr_modes_compute(FrContext *ctx, const FrModalDef *def, FrModes *modes,
                          FrModesReport *report);

/// Scales that cost nothing (E38): Young's modulus and density of the first material.
typedef struct FrModesScale {
    double young, density; ///< Pa, kg/m^3
} FrModesScale;
FrModesScale fr_modes_scale(const FrMaterial *material);
/// The same material for E = rho = 1.
FrMaterial fr_modes_unit_material(const FrMaterial *material, FrModesScale scale);

/// What is solved: the matrices of a body for E = rho = 1 of its first material (K / E in m, M /
/// rho in m^3), and its rigid motions.
typedef struct FrModalSystem {
    FrModesScale scale;
    FrMatrices matrices;
    FrRigidMotions rigid;
} FrModalSystem;
/// Fine on a zeroed one.
void fr_modal_system_free(FrContext *ctx, FrModalSystem *system);

/// fr_modes_compute in two halves, for those who need the matrices too: check and assemble,
FrResult fr_modal_system(FrContext *ctx, const FrModalDef *def, FrModalSystem *system,
                         FrModesReport *report);
/// and solve.
FrResult fr_modal_system_modes(FrContext *ctx, const FrModalDef *def, const FrModalSystem *system,
                               FrModes *modes, FrModesReport *report);
