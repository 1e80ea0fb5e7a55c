// cells.h: a fine surface that stays closed when tets part along their faces: divided once by the
// tets that carry it, so that what each tet has of the solid is a cell of its own  [S5 section 5.2]
// [M13].
#pragma once
#include "cut/split.h"

typedef struct FrCells FrCells;

/// `mesh`: the tets before any cut; `whole`: a closed surface in them, all of it. Everything is
/// copied. FR_BAD_INPUT: it is not closed, or not in the tets; the message says where.
FrResult fr_cells_create(FrContext *ctx, const FrTetMesh *mesh, const FrEmbedded *whole,
                         FrCells **cells);
void fr_cells_destroy(FrCells *cells); ///< accepts NULL
/// Open the faces that `cut` has open now, and did not have at the last call: the surface is cut
/// along them, and closed by two caps, marked with their times. No cut may have divided a tet.
/// `piece` of each tet may be NULL.
FrResult fr_cells_follow(FrCells *cells, const FrCutMesh *cut, const int32_t *piece);
/// The surface now, caps last; borrowed until the next call. Two triangles are at every edge, where
/// points are one that hang alike (fr_points_alike).
const FrEmbedded *fr_cells_surface(const FrCells *cells);
