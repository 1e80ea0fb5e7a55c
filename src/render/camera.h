// camera.h: the axes of a camera, and what of a broken body it looks at.
#pragma once
#include "math/vec.h"
#include "render/render.h"

typedef struct FrCameraFrame {
    FrVec3 right, up, forward; ///< unit, right-handed with -forward
    double distance;           ///< eye to target, m
} FrCameraFrame;

FrCameraFrame fr_camera_frame(const FrCamera *camera);

/// A piece of a body that broke.
typedef struct FrBulkPiece {
    double volume; ///< at rest, m^3: of one material, as good as mass
    FrVec3 centre; ///< m
    double far;    ///< its farthest point from the middle of all, m
    int32_t id;    ///< rising, from 0
} FrBulkPiece;

/// Half of the mass lies to either side of it, along each axis. Pieces stay in order.
FrVec3 fr_bulk_middle(FrBulkPiece *piece, int32_t count);
/// What is farther from the middle than this flies far off, m, as fr_bulk_leave_out says; length:
/// of the body when it was whole, m.
double fr_bulk_limit(FrBulkPiece *piece, int32_t count, double length);

/// Sets out[n] for the nodes (node_count) of pieces that fly far off: those that are twice as far
/// from the middle of the mass as the nearest 93 % of it, and farther than the body was long; and
/// those farther than the nearest quarter and than 1.5 such lengths. p: node positions, m.
FrResult fr_bulk_leave_out(FrContext *ctx, const FrBodyView *body, const double *p, bool *out);
