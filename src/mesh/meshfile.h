// meshfile.h: tet meshes from and to Gmsh .msh and TetGen .node/.ele files.
//
// Readers take bytes (any bytes: they end in a mesh or a message with name:line:column) or a path.
// What comes back has positive volumes (tets turned the wrong way are turned), no unused nodes, and
// has passed fr_tetmesh_check. Regions: the file's tags in ascending order become 0, 1, 2, ...;
// NULL where there is only one.
#pragma once
#include "mesh/tetmesh.h"

/// ASCII, versions 2.x and 4.1; 4- and 10-node tets (types 4 and 11); elements of lower dimension
/// are skipped. Binary files are refused with advice.
FrResult fr_msh_read(FrContext *ctx, const char *name, const void *bytes, size_t size,
                     FrTetMesh *mesh);
FrResult fr_msh_load(FrContext *ctx, const char *path, FrTetMesh *mesh);
/// ASCII 2.2, numbers that read back the same, region + 1 as the physical tag; crash-safe.
FrResult fr_msh_save(FrContext *ctx, const char *path, const FrTetMesh *mesh);

/// A text file in memory.
typedef struct FrTextFile {
    const char *name; ///< for messages
    const void *bytes;
    size_t size;
} FrTextFile;
/// Counting from 0 or 1, 4 or 10 nodes per tet in any mid-node order; attributes and markers are
/// skipped, except the first attribute of a tet, which is its region.
FrResult fr_tetgen_read(FrContext *ctx, FrTextFile node, FrTextFile ele, FrTetMesh *mesh);
/// `path` names either file, or both without ending.
FrResult fr_tetgen_load(FrContext *ctx, const char *path, FrTetMesh *mesh);
/// Writes path.node and path.ele, counting from 0. Order 1 and 2.
FrResult fr_tetgen_save(FrContext *ctx, const char *path, const FrTetMesh *mesh);

/// A Gmsh (.msh) or TetGen (.node with its .ele) file.
FrResult fr_tets_load(FrContext *ctx, const char *path, FrTetMesh *mesh);
