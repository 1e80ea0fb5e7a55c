// part.h: a fine surface whose body falls into several, one for each.
#pragma once
#include "fracas/mesh.h"

/// Which piece a tet belongs to, and its number in it.
typedef struct FrTetPlace {
    int32_t piece, tet;
} FrTetPlace;

/// part[k] (count): what piece k has of a skin that is cut (fr_embedded_cut) and closed
/// (fr_embedded_close), carried by the tets of its own; points that no triangle has are left out.
/// place: of each tet that carries the skin. Its numbers follow the order of the whole. Caller
/// frees the parts; all are empty when the call fails.
FrResult fr_embedded_parts(FrContext *ctx, const FrEmbedded *skin, const FrTetPlace *place,
                           FrEmbedded *part, int32_t count);
