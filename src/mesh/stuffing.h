// stuffing.h: tet meshes of any distance field by isosurface stuffing (Labelle & Shewchuk 2007).
//
// A body-centred cubic lattice of `size` is cut by the surface; lattice points too close to it are
// moved onto it. Uniform meshes have dihedral angles within [10.7, 164.8] degrees whatever the
// field. Surface nodes lie on the surface to rounding. Sharp edges and corners are cut off within
// a cell. Deterministic: same bits for any number of workers.
#pragma once
#include "geom/field.h"
#include "mesh/tetmesh.h"

/// What to do where a wall is thinner than `thin_cells` cells.
typedef enum FrThinPolicy {
    FR_THIN_REFUSE, ///< FR_BAD_INPUT; the message says the thickness and the size needed
    FR_THIN_REFINE, ///< make the cells smaller, step by step, until few walls are thin
    FR_THIN_ALLOW,  ///< mesh what the lattice sees; thin parts may be lost
} FrThinPolicy;

typedef struct FrStuffingOptions {
    double size;       ///< m: lattice cell = longest interior edge; the others are 0.87 of it
    bool graded;       ///< larger tets inside, `size` at the surface
    int32_t max_level; ///< graded: cells grow to at most size * 2^max_level (4)
    int32_t max_tets;  ///< more is refused (20 million)
    FrThinPolicy thin; ///< (refuse)
    /// Cells wanted through a wall (2). Any ball of 0.56 cells holds a lattice point, and one more
    /// than 0.36 cells deep is never moved to the surface: walls of 1.84 cells cannot have holes.
    /// FR_THIN_ALLOW: 0: walls are not measured.
    double thin_cells;
    double thin_share; ///< of the surface that may be thinner: tips of wedges always are (0.002)
    double speck_fraction; ///< parts below this fraction of the volume are dropped (1e-3)
} FrStuffingOptions;
FrStuffingOptions fr_stuffing_options_default(double size);

#define FR_STUFF_SPECKS 16

typedef struct FrStuffingReport {
    double size;             ///< m, used
    int32_t refinements;     ///< rounds of FR_THIN_REFINE
    double wall;             ///< m, of the thin parts (10th percentile); 0: none found
    double thin_fraction;    ///< part of the surface with a wall thinner than thin_cells cells;
                             ///< FR_THIN_ALLOW: measured where volume is missing, otherwise 0
    double volume;           ///< m^3, of the mesh
    double sampled_volume;   ///< m^3, estimated from the field alone
    int32_t component_count; ///< kept
    int32_t specks_dropped;  ///< parts
    FrBox speck[FR_STUFF_SPECKS]; ///< around the first of them, m
    double specks_volume;         ///< m^3
    int32_t hinges_split;         ///< nodes copied where parts hung together by a point or an edge
    int32_t nonmanifold_edges;    ///< of the surface, that are left
    int64_t evaluations;          ///< of the field, without those of the thickness check
} FrStuffingReport;

/// FR_BAD_INPUT: nothing inside the bounds, a wall too thin, too many tets, a field that is not
/// finite or (graded) changes faster than distance. `report` may be NULL.
FrResult fr_mesh_stuff(FrContext *ctx, const FrField *field, const FrStuffingOptions *options,
                       FrTetMesh *mesh, FrStuffingReport *report);

/// Warp limits: a lattice point moves onto the surface when a cut point is closer than this
/// fraction of the edge. See stuffing_cut.c for where they come from.
#define FR_STUFF_ALPHA_LONG 0.2850
#define FR_STUFF_ALPHA_SHORT 0.3985
