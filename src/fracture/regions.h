// regions.h: into which regions a body falls at once: seeds where energy is dense, grown under an
// energy budget, with distances that follow the stress.                      [S7 3.2, M20, M34, K6]
#pragma once
#include "cut/labels.h"
#include "fracas/material.h"
#include "fracas/mesh.h"
#include "math/vec.h"

/// What to divide. All borrowed.
typedef struct FrRegionsDef {
    const FrTetMesh *mesh; ///< order 1, at rest
    const FrSym3 *stress;  ///< at the nodes, Pa (node_count); NULL: none that is followed
    const double *density; ///< elastic energy density at the nodes, J/m^3 (node_count)
    const double *Gc;      ///< breaking energy of each tet, J/m^2 (tet_count)
    double energy;         ///< that may go into cracks, J
    double exponent;       ///< of the density in the weights (0.15)
    double stretch;        ///< g of the metric that follows the stress (0: plain S7)
    const FrSym3 *grain;   ///< metric of the material in each tet, 1: along a direction in which
                           ///< it is 9 regions grow three times slower; NULL: 1 in all
                           ///< directions (tet_count)
    double apart;          ///< least distance of two seeds, m
    double smallest;       ///< regions of less volume join a neighbour, m^3
    const double *closer;  ///< at the nodes: factor on `apart`, its square on `smallest`, 0 to 1;
                           ///< NULL: 1 (node_count)
    int32_t most;          ///< regions at most
    uint64_t seed;
    const FrVec3 *chosen; ///< seeds that come first (chosen_count); NULL: none
    int32_t chosen_count;
} FrRegionsDef;
/// Exponent 0.15, stretch 5, up to 1000 regions.
FrRegionsDef fr_regions_def_default(void);

typedef struct FrRegionsReport {
    double area;   ///< of the cracks between regions, m^2
    double energy; ///< that they take, J
    int32_t tries; ///< seeds that were tried
} FrRegionsReport;

/// labels->count < 2: the energy is not enough for any crack. The same bits for any number of
/// workers. `labels` is zeroed on failure; fr_labels_free gives it back.
FrResult fr_regions_grow(FrContext *ctx, const FrRegionsDef *def, FrLabels *labels,
                         FrRegionsReport *report);
