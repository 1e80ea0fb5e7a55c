// usd.h: a run as USD text (.usda): a prim per body, time samples and defaults.
#pragma once
#include "event/grains.h"
#include "fracas/studio.h"
#include "record/recording.h"

/// Where a frame is seen from, m.
typedef struct FrUsdView {
    FrVec3 eye, target, up;
} FrUsdView;

typedef struct FrUsdOptions {
    FrUsdPreset preset;
    double fps;             ///< time codes per second; 0: the source's
    double start_frame;     ///< time code of the first frame
    const FrUsdView *view;  ///< a camera and lights (of each frame of the source); NULL: none
    double fov, aspect;     ///< of the camera: vertical opening, rad; width / height
    const FrGrains *grains; ///< of dust; borrowed; NULL: none
    FrVec3 sun;             ///< towards where the light comes from
} FrUsdOptions;

FrUsdOptions fr_usd_options_default(void);

/// Writes `path` whole or not at all. Needs room for the samples in a scratch file beside it.
/// A body that moves as a rigid frame has one mesh, and samples of its place and rotation.
/// A body that falls apart has one prim per piece, NAME_p0000, NAME_p0001, ..., with primvars
/// piecename and crackTime (s, for each face; -1: outside), GeomSubsets inside and outside, and
/// corner uvs (inside: along the axis nearest to the rest normal, 1 per metre). Where the source's
/// topology changes, so do the prims'; with the last mesh over all frames
/// (fr_recording_set_topology) points can be blurred and prims are there from the start.
FrResult fr_export_usd(FrContext *ctx, const FrFrameSource *source, const FrUsdOptions *options,
                       const char *path);
