// nodeset.h: nodes and surface triangles picked by where they are: what gets held, driven, pushed.
#pragma once
#include "geom/field.h"
#include "mesh/topology.h"

typedef enum FrZoneKind {
    FR_ZONE_ALL,
    FR_ZONE_BOX,       ///< box, borders included
    FR_ZONE_SPHERE,    ///< |x - centre| <= radius
    FR_ZONE_HALFSPACE, ///< normal.x <= offset
    FR_ZONE_FIELD,     ///< field(x) <= offset
} FrZoneKind;

/// A part of space.
typedef struct FrZone {
    FrZoneKind kind;
    FrBox box;     ///< m
    FrVec3 centre; ///< m
    double radius; ///< m
    FrVec3 normal; ///< unit
    double offset; ///< m
    FrField field;
} FrZone;

bool fr_zone_contains(const FrZone *zone, FrVec3 x);

/// Nodes inside, ascending (mid-nodes too). Caller frees with fr_indices_free.
FrResult fr_nodes_in(FrContext *ctx, const FrTetMesh *mesh, const FrZone *zone, FrIndices *nodes);

/// Surface triangles whose centroid is inside and whose unit outward normal n satisfies
/// n.direction >= min_cos. direction 0: any normal.
FrResult fr_tris_in(FrContext *ctx, const FrTetMesh *mesh, const FrSurface *surface,
                    const FrZone *zone, FrVec3 direction, double min_cos, FrIndices *tris);
