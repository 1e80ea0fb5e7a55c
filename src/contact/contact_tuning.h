// contact_tuning.h: the constants of this room that decide which overlaps and points are found:
// what they are of, in which unit, what they are for, and the test that notices twice and half of
// it, or that nothing but speed hangs on it.
#pragma once

// contact_scene.c: defaults of FrContactOptions
/// Steps that leaf boxes grow by, where no horizon is given: detection walks its trees once in so
/// many. Noticed by unit/contact_detect.
#define FR_STEPS_AHEAD 100.0
/// Margin of a leaf over the mean edge, 1: wider boxes last longer and meet more. Noticed by
/// unit/contact_detect.
#define FR_LEAF_SKIN 0.02
/// Detections between full rebuilds: by then what moved has made the tree slower. Contacts do not
/// hang on it (unit/contact_detect: 17 finds what brute force does), nor does any motion between
/// half and twice.
#define FR_REBUILD_EVERY 4000
/// Of a length, 1: travels are sums of rounded ones. Less only costs looks; more is noticed by
/// unit/contact_history.
#define FR_SURE 0.999

// detect.c: they cut work into tasks; results do not hang on them, nor does any motion between half
// and twice
/// Candidates of a task.
#define FR_CANDIDATE_GRAIN 256
/// Tets of a task that puts boxes around them.
#define FR_BOX_GRAIN 512

// manifold_box.c
/// Edges must part the boxes this much better than faces, and faces of the second than those of the
/// first, of the smaller box, 1: what rests is held by a face, the same one while it sways. Noticed
/// by unit/contact_manifold.
#define FR_EDGE_BIAS 2e-3
#define FR_FACE_BIAS 1e-3
/// Sine of the angle between two edges below which they have no direction across, 1. Noticed by
/// unit/contact_manifold (a larger one); no motion of a test hangs on half of it.
#define FR_PARALLEL 1e-3

// manifold_mesh.c
/// Candidates for points kept while looking; the best of them remain. They fit on the stack.
/// Noticed by golden/scenes (bowl-rings.lua).
#define FR_NEAR_POINTS 64
/// Of the reach, 1: distances nearer than this differ by rounding. Noticed by unit/contact_manifold
/// when it is 0 or 1e-3; from 1e-16 to 1e-6 it finds the same.
#define FR_NEAREST_TIE 1e-12

// narrow.c
/// Square of the sum of a solid's face normals over that of their areas, 1: below it the sum is
/// rounding, and has no direction. Noticed by golden/scenes (papers/balls.lua, papers/letters.lua).
#define FR_NO_DIRECTION 1e-12
