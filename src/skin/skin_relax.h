// skin_relax.h: triangles of a drawn surface made even, turned along its edges, laid on the shape.
#pragma once
#include "geom/field.h"
#include "geom/trimesh.h"

/// Move the points of a surface near field = 0 onto it, spread them evenly, turn the diagonals of
/// triangle pairs along edges and roundings, and fill `normal` from the field. `size`: edge of the
/// triangles, m. Deterministic for any worker count.
FrResult fr_skin_relax(FrContext *ctx, const FrField *field, double size, FrTriMesh *skin);
