// action.h: where the bodies of a film are, as the camera that finds its place by itself sees them.
#pragma once
#include "base/array.h"
#include "math/vec.h"
#include "render/render.h"
#include "render/subject.h"

#define FR_ACTION_FRAMES FR_CAMERA_STOPS

/// A body that is flat, and how it was turned up to the poster.
typedef struct FrFlat {
    int32_t body;
    int32_t count; ///< frames
    FrSym3 normal; ///< sum of n n' over the frames, n: unit normal of its broad side
} FrFlat;

/// Outermost points of the bodies in a few frames.
typedef struct FrAction {
    FrContext *ctx;
    FR_ARRAY(FrVec3) point;
    FR_ARRAY(int32_t) body;              ///< of each point
    int32_t start[FR_ACTION_FRAMES + 2]; ///< points of each frame
    double t[FR_ACTION_FRAMES + 1];      ///< of each frame, s
    int32_t frame_count;
    int32_t poster;         ///< among the frames
    double fov;             ///< rad, vertical
    FR_ARRAY(int32_t) soft; ///< bodies that are not rigid, in each frame
    FR_ARRAY(FrFlat) flat;  ///< those that take part
    FrSubject subject;      ///< its name is given
    FrVec3 floor[4];        ///< normals of planes that carry
    double offset[4];
    int32_t floor_count;
} FrAction;

/// Looks at frames of the source, `poster` among them; leaves out what only stands far away, what
/// flies off and crumbs, and all but the subject if that has a name. Free it also when it fails.
FrResult fr_action_gather(FrAction *action, const FrFrameSource *source, int32_t poster);
void fr_action_free(FrAction *action);

/// Sine of the angle at which the flat bodies are looked at along the unit vector `forward`, the
/// root of the mean square over the frames; of the worst body. 1: none is flat.
double fr_action_broad(const FrAction *action, FrVec3 forward);
