// flat.h: tets for a thin plate or a prism that came as a surface.
#pragma once
#include "geom/placed_shape.h"
#include "mesh/tetmesh.h"

typedef struct FrFlatTets {
    FrTetMesh mesh;
    const char *method; ///< "flat", "prism"
    double cells;       ///< edge of the tets, m
} FrFlatTets;

/// Its outline kept, tets `cells` m long, as many layers of them as it takes (0: about 12,000 tets,
/// one layer, no shorter than it is thick; of what is thicker some 600 cells, two layers at least).
/// *done false: the shape is no closed surface, or neither a plate of one thickness nor a prism,
/// and nothing is made. Round or bevelled edges of plates become upright, the volume is kept.
FrResult fr_tets_flat(FrContext *ctx, const FrShape *shape, double cells, FrFlatTets *flat,
                      bool *done);
