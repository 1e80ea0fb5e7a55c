// embed_cut.h: a fine surface cut where the mesh that carries it has cracks.
#pragma once
#include "cut/pieces.h"

/// `whole`: the surface before any cut; at: where its points hang now (fr_cutlog_retarget moves
/// them); pieces may be NULL. Edges that a crack crosses are cut there, once, for all triangles
/// that share it or its places: no triangle spans two pieces, and the edges on either side of a
/// crack meet. Pieces smaller than the surface's triangles may get none of it: its edges must not
/// be longer than those of the tets. *out: caller frees.
FrResult fr_embedded_cut(FrContext *ctx, const FrEmbedded *whole, const FrPoint *at,
                         const FrCutMesh *cut, const FrPieces *pieces, FrEmbedded *out);
