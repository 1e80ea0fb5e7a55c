// placed_shape.h: a shape without the moves, turns and scalings around it, and these as one map.
#pragma once
#include "geom/shape.h"
#include "geom/solid.h"
#include "geom/trimesh.h"

/// A shape without the moves, turns and scalings around it: x -> linear x + offset.
typedef struct FrPlacedShape {
    const FrShape *shape;
    FrMat3 linear;
    FrVec3 offset;
    double scale;
} FrPlacedShape;
FrPlacedShape fr_place_shape(const FrShape *shape);
/// A surface of the shape moves, turns and grows to where the shape is.
void fr_surface_place(const FrPlacedShape *placed, FrTriMesh *surface);
/// An imported surface as it came, placed as its shape is.
FrResult fr_placed_surface(FrContext *ctx, const FrSolid *solid, const FrPlacedShape *placed,
                           FrTriMesh *surface);
