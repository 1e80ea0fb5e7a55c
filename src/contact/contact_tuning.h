// contact_tuning.h: the constants of this room that decide which overlaps and points are found:
// what they are of, in which unit, and what they are for. Which tests notice another value was not
// tried.
#pragma once

// contact_scene.c: defaults of FrContactOptions
/// Steps that leaf boxes grow by, where no horizon is given.
#define FR_STEPS_AHEAD 100.0
/// Margin of a leaf over the mean edge, 1: wider boxes last longer and meet more.
#define FR_LEAF_SKIN 0.02
/// Detections between full rebuilds.
#define FR_REBUILD_EVERY 4000
/// Of a length, 1: travels are sums of rounded ones.
#define FR_SURE 0.999

// detect.c: they cut work into tasks; results do not hang on them
/// Candidates of a task.
#define FR_CANDIDATE_GRAIN 256
/// Tets of a task that puts boxes around them.
#define FR_BOX_GRAIN 512

// manifold_box.c
/// Edges must part the boxes this much better than faces, and faces of the second than those of the
/// first, of the smaller box, 1.
#define FR_EDGE_BIAS 2e-3
#define FR_FACE_BIAS 1e-3
/// Sine of the angle between two edges: nearly parallel, a face does as well.
#define FR_PARALLEL 1e-3

// manifold_mesh.c
/// Candidates for points kept while looking; the best of them remain.
#define FR_NEAR_POINTS 64
/// Of the reach, 1: distances nearer than this differ by rounding.
#define FR_NEAREST_TIE 1e-12

// narrow.c
/// Square of the sum of a solid's face normals over that of their areas, 1: below it the sum is
/// rounding, and has no direction.
#define FR_NO_DIRECTION 1e-12
