// outside.h: the outside of a tet mesh as a triangle mesh of its own.
#pragma once
#include "geom/trimesh.h"
#include "mesh/tetmesh.h"

/// A surface of the mesh; points in the order of their nodes.
FrResult fr_surface_trimesh(FrContext *ctx, const FrTetMesh *mesh, const FrSurface *surface,
                            FrTriMesh *trimesh);
/// The whole outside.
FrResult fr_outside_trimesh(FrContext *ctx, const FrTetMesh *mesh, FrTriMesh *trimesh);
