// embed.h: a fine surface carried by a coarse tet mesh.
#pragma once
#include "geom/trimesh.h"
#include "mesh/tetmesh.h"

typedef struct FrEmbedReport {
    int32_t outside_count; ///< points in no tet; they follow the nearest one
    double worst;          ///< m, the farthest of them
    int32_t worst_point;   ///< -1: none
} FrEmbedReport;

/// Find every point's tet in rest space. Everything is copied. Points outside keep weights that may
/// be negative, so that affine motions are followed exactly; a debug note says how far out the
/// worst one is.
FrResult fr_embed(FrContext *ctx, const FrTetMesh *mesh, const FrTriMesh *surface,
                  FrEmbedded *embedded, FrEmbedReport *report);

/// Where a point is, or how fast, when node n has value[3 n ..].
FrVec3 fr_point_carried(const int32_t (*tet)[4], const FrPoint *at, const double *value);

/// Do two points hang on the same tet by the same weights?
bool fr_points_alike(const FrPoint *a, const FrPoint *b);

/// Points that are one place of the mesh, whatever their UVs and normals: place[k] is the node that
/// point k hangs on alone, else node_count + the first point that hangs alike. FR_NO_MEMORY only.
FrResult fr_embedded_places(FrContext *ctx, const FrTetMesh *mesh, const FrEmbedded *embedded,
                            int32_t *place);
