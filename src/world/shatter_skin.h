// shatter_skin.h: what bodies look like that another one falls into: their skins, and when cracks
// opened their faces.
#pragma once
#include "cut/pieces.h"
#include "skin/part.h"

/// The body before. All borrowed.
typedef struct FrShatterLook {
    const FrTetMesh *mesh;
    const FrSurface *surface;
    const FrEmbedded *skin; ///< NULL: none
} FrShatterLook;

/// How it was cut. All borrowed; faces that opened are marked with when they did.
typedef struct FrShatterCut {
    const FrCutMesh *mesh;
    const FrPieces *pieces;
    const FrCutLog *log;
    const FrTetPlace *place; ///< of each tet of the mesh now: its piece, and its number there
} FrShatterCut;

/// What is seen of the pieces.
typedef struct FrShatterDress {
    FrEmbedded *skin;    ///< of each piece, in numbers of its own tets (count)
    double (*opened)[4]; ///< of each tet of the mesh now, as of fr_cutmesh_opened, with the cracks
                         ///< that the body had before (tet_count)
    int32_t count;
} FrShatterDress;

/// Pieces of a body without a skin have one, too: it keeps the normals that the body was shaded
/// with. Free it in any case; parts may be taken out before.
FrResult fr_shatter_dress(FrContext *ctx, const FrShatterLook *before, const FrShatterCut *cut,
                          FrShatterDress *dress);
void fr_shatter_undress(FrContext *ctx, FrShatterDress *dress); ///< fine on a zeroed one
