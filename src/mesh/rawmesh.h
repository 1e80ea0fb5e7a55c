// rawmesh.h: nodes and tets as a file has them, before they are a mesh.
#pragma once
#include "base/array.h"
#include "base/file.h"
#include "mesh/tetmesh.h"

typedef struct FrRawTet {
    int32_t n[10];  ///< corners, then mid-nodes 01 02 03 12 13 23
    int64_t tag;    ///< region in the file
    int64_t number; ///< as the file has it
} FrRawTet;

typedef struct FrRawMesh {
    FR_ARRAY(FrVec3) node;
    FR_ARRAY(int64_t) number; ///< of nodes, as the file has them
    FR_ARRAY(FrRawTet) tet;
    int order; ///< 1 or 2
} FrRawMesh;

void fr_rawmesh_free(FrContext *ctx, FrRawMesh *raw);
/// Turn, renumber (corners first, unused nodes dropped), number regions, check.
FrResult fr_rawmesh_finish(FrContext *ctx, const char *name, const FrRawMesh *raw, FrTetMesh *mesh);

/// Files larger than this are not read.
#define FR_MESH_FILE_MAX ((size_t)4 << 30)

/// A line "x y z" that reads back as the same numbers.
FrResult fr_write_point(FrFileWriter *writer, const double *x);
