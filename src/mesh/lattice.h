// lattice.h: what the steps of isosurface stuffing hand to each other.
#pragma once
#include "base/array.h"
#include "base/table.h"
#include "mesh/stuffing.h"

/// A leaf of the octree: a cube of 2^level cells. Coordinates count finest cells.
typedef struct FrCell {
    uint32_t x, y, z;
    uint8_t level;
    bool known;   ///< wholly inside, nothing of it needs evaluating
    bool dead;    ///< split while balancing
    double value; ///< field at the centre where !known
} FrCell;

/// A lattice point: corner or centre of a cell. Coordinates count half cells.
typedef struct FrLatticeNode {
    uint32_t x, y, z;
    uint16_t cut_mask; ///< directions in which an edge is cut (owned by the inside end)
    bool known;        ///< inside without evaluation
    double value;      ///< field; 0 after the warp
    FrVec3 at;         ///< m; on the surface after the warp
    int32_t cut_start; ///< first cut owned
} FrLatticeNode;

/// Where the surface crosses a lattice edge.
typedef struct FrCut {
    int32_t in, out; ///< lattice nodes
    double t;        ///< fraction of the edge from `in`
    FrVec3 at;       ///< m
} FrCut;

typedef struct FrLattice {
    FrContext *ctx;
    const FrField *field;
    FrStuffingOptions options;
    double size;       ///< m, finest cell
    FrVec3 origin;     ///< m
    uint32_t cells[3]; ///< finest cells along each axis
    int32_t top;       ///< level of the roots
    int64_t evaluations;
    FR_ARRAY(FrCell) cell;
    FrTable cell_at;
    FR_ARRAY(FrLatticeNode) node;
    FrTable node_at;
    FR_ARRAY(struct { int32_t n[4]; }) tet; ///< 01 and 23 are the long edges of regular ones
    FR_ARRAY(FrCut) cut;
    FrTetMesh mesh;
} FrLattice;

FrVec3 fr_lattice_point(const FrLattice *lattice, uint32_t x, uint32_t y, uint32_t z);
uint64_t fr_cell_key(int level, uint32_t x, uint32_t y, uint32_t z);

FrResult fr_lattice_cells(FrLattice *lattice); ///< octree: cells near and inside the surface
FrResult fr_lattice_tets(FrLattice *lattice);  ///< nodes with field values, background tets
FrResult fr_lattice_cut(FrLattice *lattice);   ///< cut points, warp
FrResult fr_lattice_fill(FrLattice *lattice);  ///< stencils: lattice->mesh
void fr_lattice_free(FrLattice *lattice);

/// Thickness of the walls near the surface cells.
typedef struct FrThickness {
    double wall;     ///< m, 10th percentile of the thin samples
    double fraction; ///< thin samples / samples
    int32_t sample_count;
} FrThickness;
FrResult fr_lattice_thickness(FrLattice *lattice, double limit, FrThickness *thickness);
