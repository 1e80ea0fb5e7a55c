// cut_tuning.h: the constants of this room that decide where cuts go: what they are of, in which
// unit, why they have their size, and the test that notices when it is another one: twice or half
// of it, or what is said.
#pragma once

// node_surface.c
/// Cosine: the two sides of a crack lie within 30 degrees of each other where it ends. Noticed by
/// golden/scenes (papers/wall.lua).
#define FR_SAME_SIDE 0.87
/// Length of the sum of two unit vectors, 1: a front that turns back at the node has no direction
/// there. Noticed by golden/scenes (papers/wall.lua).
#define FR_LEAST_SPAN 0.5
/// Square of a cosine: sides nearer to a right angle than 84 degrees lie on no clear side of each
/// other. No test notices: from 0 to 0.5 unit/split_* and the quick golden scenes find the same.
#define FR_SIDES_APART 0.01

// label_divide.c
/// Edges are cut by their squared length, in half so many ranks from each power of two to the next;
/// within one by number. No quick golden scene notices twice or 4/5 of it.
#define FR_LABEL_RANKS 16
/// Of the squared length: no simple ratio (1 : 2 : 3 : 4 : 5) lies at the end of a rank. No quick
/// golden scene notices twice or 4/5 of it.
#define FR_LABEL_RANK_START 1.35
/// More than the squares of two lengths can be apart: 2^1074 : 1, with 16 ranks each. Noticed by
/// unit/split_labels (four_regions_share_a_tet) when it is 0.
#define FR_LABEL_MOST_RANKS 65536
/// Of the way to where a border would be at the farthest. In regions about 10 and 100 random seeds
/// in a plate, a ball and a tube it is 0.07 to 0.09 of the edge off, by 0.6 or 0.8 at most 0.02
/// more, in the middle of the edge 0.25. No quick golden scene notices twice or 4/5 of it.
#define FR_LABEL_NEARER 0.7

// label_snap.c
/// Of the clamp: a cut point nearer to the end of its edge than this goes there, another one as far
/// away as the clamp: whichever is nearer. No quick golden scene notices twice or 4/5 of it.
#define FR_LABEL_SNAP 0.5
/// Of its parent's flatness: two cuts through the middle leave a quarter of the height. Noticed by
/// unit/split_labels (random_labellings_keep_everything).
#define FR_LABEL_OF_PARENT 0.25

// split_back.c
/// Angles nearer than this are the same, rad: right angles of a mesh made by rule, in any frame.
/// Noticed by law/world_fracture (half of it: a pane breaks otherwise) and by unit/embed_cut when
/// it is 1e-2; from 0 to 1e-3 unit/split_* find the same.
#define FR_SAME_ANGLE 1e-6

// split_edges.c
/// Edges are cut by length, in so many ranks; within one by number, as lengths of a mesh made by
/// rule differ by rounding. Noticed by golden/scenes (papers/wall.lua).
#define FR_EDGE_RANKS 8
/// Of a rank: no simple ratio of lengths, nor 1 : sqrt 2 : sqrt 3, lies at the end of one. Noticed
/// by golden/scenes (papers/wall.lua).
#define FR_RANK_START 0.37

// split_inside.h
/// Relative: what is nearer than this differs by rounding only, and may differ in a turned frame.
/// Noticed by unit/embed_cut when it is 0 or 1e-3; at 1e-6 it finds the same.
#define FR_SPLIT_ROUNDING 1e-9

// split_mend.c
/// Sine of the angle seen from the split node: nodes farther off the plane do not snap. Noticed by
/// golden/scenes (papers/wall.lua).
#define FR_MOST_SNAP 0.5
/// Cut points keep this far from the ends, then, where children are still poor, this far; shares of
/// the edge. At a half both would meet. Noticed by golden/scenes (papers/wall.lua).
#define FR_CUT_MARGIN 0.35
#define FR_CUT_MARGIN_NEXT 0.48
/// Share of the edge: edges are cut alike where the plane meets them at parts that differ by less.
/// Noticed by golden/scenes (panes.lua) when it is 0.01 or 0.5; unit/split_* find the same there.
#define FR_CUT_ALIKE 0.1

// split_move.c
/// Share of an edge: a node goes at most this far along it, so that tets behind it keep most of
/// their height. Noticed by golden/scenes (papers/wall.lua).
#define FR_MOST_WAY 0.4

// split_plan.c
/// Times that a plan with poor children is mended: each tries another node or edge. Noticed by
/// unit/split_cracks when it is 1; with three unit/split_* find the same, more only try longer.
#define FR_MENDS 12
/// Cosine: a face whose normal is within 30 degrees of the way through a wall lies flat in it.
/// Noticed by unit/split_cracks.
#define FR_LIES_FLAT 0.87

// split_side.c
/// Share of the farthest node's distance: nodes farther off a plane than this lie clearly on one
/// side of it, in any frame. No quick golden scene notices twice or 4/5 of it.
#define FR_WELL_OFF 0.3
/// Share of the edge: cut points this near to an end snap to it. Noticed by
/// unit/split_cracks (more) and unit/split_cases (0).
#define FR_END_MARGIN 0.02
/// Sine of 45 degrees: up to this angle the end of an edge of the crack's front lies on the plane.
/// Noticed by golden/scenes (papers/wall.lua).
#define FR_FRONT_SNAP 0.71

// split_turn.c
/// Sine of 54 degrees: planes that cross the front more steeply are not turned to hold it. Noticed
/// by golden/scenes (papers/wall.lua).
#define FR_MOST_TURN 0.81

// cutmesh_follow.c
/// Steps back through new nodes until the corners of a tet are reached: a copy of a copy of a node
/// on an edge is three. Noticed by unit/split_follow when it is 1; two do there.
#define FR_ANCESTRY_MOST 8
