// solids.h: what the calls that mesh solids for hosts share.
#pragma once
#include "mesh/tetmesh.h"

/// The cell wanted of a solid in a box of this size, m: as given, or chosen when it is 0. `call`
/// names the function in messages. FR_BAD_USE: no length.
FrResult fr_mesh_cell_for(FrContext *ctx, const char *call, FrVec3 size, double *cell);
/// Numbers the mesh in the order that solvers like. After a failure, of this or of `result`, the
/// mesh is given back and the message names the call.
FrResult fr_mesh_finish(FrContext *ctx, const char *call, FrResult result, FrTetMesh *mesh);
