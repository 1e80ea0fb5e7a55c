// embed_cut.h: a fine surface cut where the mesh that carries it has cracks.
#pragma once
#include "mesh/pieces.h"

/// `whole`: the surface before any cut; at: where its points hang now (fr_cutlog_retarget moves
/// them); pieces may be NULL. Edges that a crack crosses are cut there, for both their triangles,
/// so that no triangle spans a crack and the edges on either side of it meet. *out: caller frees.
FrResult fr_embedded_cut(FrContext *ctx, const FrEmbedded *whole, const FrPoint *at,
                         const FrCutMesh *cut, const FrPieces *pieces, FrEmbedded *out);
