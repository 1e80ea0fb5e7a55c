// embed_close.h: the gap between a cut surface and the faces that the cracks opened, closed.
#pragma once
#include "cut/pieces.h"

/// `skin`: as fr_embedded_cut leaves it, of the mesh whose surface this is (with pieces and times).
/// Its border and that of the tets' outer faces run side by side, a little apart: triangles between
/// them come last, `closing_count` of them; those that lie along the skin are
/// part of it, with its normals and UVs, and come before these. Where there is nothing beside a
/// border, it is sewn up. Pieces too small to have got any of the skin get the outer faces of their
/// tets. Every edge of a piece (fr_embedded_places) then has as many triangles one way as the
/// other. Nodes are points that hang on one alone.
FrResult fr_embedded_close(FrContext *ctx, const FrTetMesh *mesh, const FrSurface *surface,
                           FrEmbedded *skin);
