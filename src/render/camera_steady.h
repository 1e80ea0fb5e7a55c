// camera_steady.h: what the parts of the camera that finds the action share, and how it goes
// closer.
#pragma once
#include "render/action.h"

/// Rotation of a view.
typedef struct FrView {
    FrVec3 right, up, forward;
} FrView;

/// Share of the picture's height that frame k takes, seen from `eye`; t: tan of half the opening.
double fr_action_height(const FrAction *a, int32_t k, const FrView *v, FrVec3 eye, double t);
/// First and behind the last frame that lie within `reach` of frame k, s.
void fr_action_span(const FrAction *a, int32_t k, double reach, int32_t *from, int32_t *to);
/// How far ahead and back the camera looks at most, s.
double fr_action_reach(const FrAction *a);
/// Of the points of frame k.
FrVec3 fr_action_middle(const FrAction *a, int32_t k);

/// What acts stays large: eyes (frame_count) go closer where it would be small, and not at a
/// stroke.
void fr_camera_closer(const FrAction *a, double aspect, const FrView *v, FrVec3 *eye);
