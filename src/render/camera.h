// camera.h: the axes of a camera.
#pragma once
#include "math/vec.h"
#include "render/render.h"

typedef struct FrCameraFrame {
    FrVec3 right, up, forward; ///< unit, right-handed with -forward
    double distance;           ///< eye to target, m
} FrCameraFrame;

FrCameraFrame fr_camera_frame(const FrCamera *camera);
