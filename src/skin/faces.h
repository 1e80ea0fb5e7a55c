// faces.h: a surface of tets as a fine surface of its own, with the normals that it is shaded with:
// cuts leave these as they are.
#pragma once
#include "cut/face_roots.h"
#include "fracas/mesh.h"

/// The triangles of a surface that are outside (opened < 0, or no times), in their order; one point
/// at each node, no normals. Caller frees.
FrResult fr_embedded_of_faces(FrContext *ctx, const FrTetMesh *mesh, const FrSurface *surface,
                              FrEmbedded *skin);
/// Is this skin those triangles, in their order?
bool fr_embedded_is_of_faces(const FrTetMesh *mesh, const FrSurface *surface,
                             const FrEmbedded *skin);

/// Normals as pictures have them where a skin brings none: round where its triangles meet flatly,
/// sharp elsewhere (geom/creases.h). Points with several normals become several points. No normals
/// yet, nothing that closes cracks. FR_NO_MEMORY: the skin is as before.
FrResult fr_embedded_shade(FrContext *ctx, const FrTetMesh *mesh, FrEmbedded *skin);

/// A surface before and after cuts.
typedef struct FrFaceCut {
    const FrSurface *was;
    const FrTetMesh *mesh; ///< after
    const FrSurface *now;
    const FrFaceRoot *root; ///< of each face after (now->tri_count)
} FrFaceCut;

/// `whole`: of the faces of `was`, with normals. *out: of the faces of `now` that lie on those,
/// with what `whole` has there. Caller frees.
FrResult fr_embedded_cut_faces(FrContext *ctx, const FrEmbedded *whole, const FrFaceCut *faces,
                               FrEmbedded *out);
