// depth.h: how deep bodies are inside each other where they stand.
#pragma once
#include "fracas/world.h"
#include "geom/solid.h"

/// Surfaces of the bodies of a view, made when they are needed.
typedef struct FrDepths {
    FrContext *ctx;
    const FrFrameView *view;
    FrSolid **solid; ///< (body_count)
} FrDepths;

FrResult fr_depths_init(FrDepths *depths, FrContext *ctx, const FrFrameView *view);
void fr_depths_free(FrDepths *depths);

FrBox fr_view_bounds(const FrFrameView *view, int32_t body);

/// How far the deepest node (or the centre) of one is inside the other, m; no node: 0.
FrResult fr_depth_inside(FrDepths *depths, int32_t one, int32_t other, double *depth);

/// Thickness of a wall with the volume and the surface of a body, m: 2 V / A. Faces that cracks
/// opened are not of its surface.
double fr_wall_of(const FrBodyView *body);
