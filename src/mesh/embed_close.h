// embed_close.h: the gap between a cut surface and the faces that the cracks opened, closed.
#pragma once
#include "mesh/pieces.h"

/// `skin`: as fr_embedded_cut leaves it, of the mesh whose surface this is (with pieces and times).
/// Its border and that of the faces that cracks opened run side by side, a little apart, since the
/// surface is not that of the tets: strips of triangles between them, `closing_count` of them, come
/// last. Pieces too small to have got any of the skin get the faces of their tets. Every edge of a
/// piece then has as many triangles one way as the other. Strips use nodes by points that hang on
/// one alone.
FrResult fr_embedded_close(FrContext *ctx, const FrTetMesh *mesh, const FrSurface *surface,
                           FrEmbedded *skin);
