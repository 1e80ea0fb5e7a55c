// camera.h: the axes of a camera, and what of a broken body it looks at.
#pragma once
#include "math/vec.h"
#include "render/render.h"

typedef struct FrCameraFrame {
    FrVec3 right, up, forward; ///< unit, right-handed with -forward
    double distance;           ///< eye to target, m
} FrCameraFrame;

FrCameraFrame fr_camera_frame(const FrCamera *camera);

/// Sets out[n] for the nodes (node_count) of pieces that fly far off: those that are twice as far
/// from the middle of the mass as the nearest 93 % of it, and farther than the body was long; and
/// those farther than the nearest quarter and than 1.5 such lengths. p: node positions, m.
FrResult fr_bulk_leave_out(FrContext *ctx, const FrBodyView *body, const double *p, bool *out);
