// build_walls.h: tets for walls that are thin beside the size of their body.
#pragma once
#include "build/build.h"

/// Tets of a lattice in a cube of one cell's edge.
#define FR_TETS_PER_CELL 12.0
/// Tets at most that are made for the sake of walls: for modes to hear, of which many are wanted,
/// and for what shatters.
#define FR_MOST_WALL_TETS 600000
#define FR_MOST_SHATTER_TETS 1500000

/// So fine that walls have no holes, and larger inside. built->wall: how thick they are; 0: it has
/// none. *met: the tets are there. FR_BAD_INPUT: there are walls, and they would take more than
/// `most`.
FrResult fr_walls_stuff(FrContext *ctx, const FrShape *shape, int32_t most, FrBuiltMesh *built,
                        bool *met);
/// The message for walls that no cells follow.
FrResult fr_walls_too_thin(FrContext *ctx, double wall, int32_t most);
/// Larger tets where the shape allows it, as long as walls stay one connected layer: for what
/// shatters. `cells` becomes the mean edge; a skin is dropped.
FrResult fr_walls_coarsen(FrContext *ctx, FrBuiltMesh *built);
/// Likewise, down to `enough` tets; cells and skin stay.
FrResult fr_built_coarsen(FrContext *ctx, int32_t enough, FrBuiltMesh *built);
