// prism.h: which surfaces are prisms: two flat ends, upright sides between them.
#pragma once
#include "geom/trimesh.h"

/// Where a prism lies: right-handed directions, `across` along its sides, `along` in its largest
/// side.
typedef struct FrPrism {
    FrVec3 along, side, across;
} FrPrism;

/// False: the surface is none. Of more than one way to see it as one (a box) that which is lowest.
/// Only directions and heights are looked at; overlaps and insides are not.
bool fr_find_prism(const FrTriMesh *surface, FrPrism *prism);
