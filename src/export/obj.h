// obj.h: what is there at one moment as OBJ files, one for each piece: for tools that take meshes
// only.
#pragma once
#include "fracas/frame.h"

/// Each body of tets that lives, as it is at rest: in the axes of its mesh, m, z up, so that pieces
/// of one body fit together. A body that was cut has a file per piece. Groups `outside` and
/// `inside` (faces that cracks opened) have a material each; corners have UVs and normals, round
/// where faces meet flatly. Files are FOLDER/NAME.obj, pieces of a cut body FOLDER/NAME.K.obj; the
/// folder is made. NULL: they are only counted. What left as dust has none.
FrResult fr_export_obj(FrContext *ctx, const FrFrameView *view, const char *folder, int32_t *count);
