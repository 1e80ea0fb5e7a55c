// face_roots.h: on which triangle of the outside before some cuts a triangle of the outside after
// them lies.
#pragma once
#include "cut/cutlog.h"

/// A triangle after the cuts, on one before them.
typedef struct FrFaceRoot {
    int32_t tri;    ///< of the surface before; -1: the cuts opened it
    double w[3][3]; ///< corner i after is at the sum of w[i][j] times corner j before, 1
} FrFaceRoot;

/// `was`: the outside before the cuts of `log`, `now`: after them (fr_cutmesh_surface), as the cuts
/// alone marked it. root (now->tri_count). FR_BAD_USE: they are not of one mesh. Weights are sums
/// in the order of nodes: faces that share an edge agree there to the last bit.
FrResult fr_face_roots(FrContext *ctx, const FrCutLog *log, const FrSurface *was,
                       const FrSurface *now, FrFaceRoot *root);
