// cook_proxy.h: bodies that borrow their sound from a soundbank: which, and how.
#pragma once
#include "fracas/mesh.h"
#include "fracas/soundbank.h"
#include "fracas/studio.h"

/// Who borrows.
typedef struct FrProxyRule {
    const FrSoundbank *bank; ///< borrowed; NULL: nobody
    FrProxyLimit limit;
} FrProxyRule;

/// What one got.
typedef struct FrProxied {
    FrAsset *asset; ///< the caller's; NULL: its lowest tone is not above the limit
    FrProxyInfo info;
    double hz;      ///< its lowest tone
    double seconds; ///< processor time of finding that
    bool meshed;    ///< by its tets: polynomials were not enough
} FrProxied;
/// A free body of one material.
FrResult fr_cook_proxy(FrContext *ctx, const FrProxyRule *rule, const FrTetMesh *mesh,
                       const FrMaterial *material, FrProxied *to);
