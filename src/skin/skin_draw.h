// skin_draw.h: the fine surface of a shape, for pictures.
#pragma once
#include "geom/shape.h"
#include "geom/trimesh.h"

/// How much finer than the tets a drawn skin is, and how many triangles one body may have.
#define FR_SKIN_FINER 3.0
#define FR_SKIN_TRIANGLES 14000

/// `ruled`: its tets, edges near `cells` m, are by rule. `longest`: no edge outside the shell of an
/// imported surface is longer, m; 0: as they are. Free it in any case.
FrResult fr_skin_draw(FrContext *ctx, const FrShape *shape, bool ruled, double cells,
                      double longest, FrTriMesh *skin);
