// dress.h: what bodies look like that another one falls into: their skins, and when cracks
// opened their faces.
#pragma once
#include "cut/pieces.h"
#include "skin/part.h"

/// The body before. All borrowed.
typedef struct FrDressWhole {
    const FrTetMesh *mesh;
    const FrSurface *surface;
    const FrEmbedded *skin; ///< NULL: none
} FrDressWhole;

/// How it was cut. All borrowed; faces that opened are marked with when they did.
typedef struct FrDressCut {
    const FrCutMesh *mesh;
    const FrPieces *pieces;
    const FrCutLog *log;
    const FrTetPlace *place; ///< of each tet of the mesh now: its piece, and its number there
} FrDressCut;

/// What is seen of the pieces.
typedef struct FrDress {
    FrEmbedded *skin;    ///< of each piece, in numbers of its own tets (count)
    double (*opened)[4]; ///< of each tet of the mesh now, as of fr_cutmesh_opened, with the cracks
                         ///< that the body had before (tet_count)
    int32_t count;
} FrDress;

/// Pieces of a body without a skin have one, too: it keeps the normals that the body was shaded
/// with. Free it in any case; parts may be taken out before.
FrResult fr_dress_pieces(FrContext *ctx, const FrDressWhole *before, const FrDressCut *cut,
                         FrDress *dress);
void fr_dress_free(FrContext *ctx, FrDress *dress); ///< fine on a zeroed one
