// fracture_tuning.h: constants that decide which nodes fail and where, each with its unit, its
// reason and the test that notices when it is another one.
#pragma once

// --- which nodes are scanned (overstressed.c, separation_scan.c, separation_screen.c)

/// No node fails while all tets round it have less than this share of the strength, 1. That is a
/// rule, not a bound: a plane through a node has half the area of all faces opposite it on average,
/// but less in stars of a few tets, chips that hang by an edge, and their tensors would fail at a
/// third of it already (5 of 1,365 in test/law/fracture_skips.c). By a tau it is a bound. Noticed
/// by unit/fracture_spared.
#define FR_OVERSTRESSED_SHARE 0.4
/// A body whose stress is all below this share of what may break it is at ease, 1: loads that small
/// are not worth telling. No test notices it.
#define FR_AT_EASE 1e-3
/// Of its limit, that the load of a node that waits is taken to rise by in a scan at pace 1, 1:
/// material that flows keeps its stress, and most of its nodes stay far below their limits for
/// long. Scans of block.lua while nothing breaks: 22 to 25 % of its time without waits, 8 to 9 with
/// them. Noticed by unit/fracture_yield.
#define FR_LOAD_RISE (1.0 / 12.0)
/// The longest wait, of 2^3 scans: below a third of the limit at pace 1. Noticed by
/// unit/fracture_yield.
#define FR_MOST_WAIT 3
/// Bounds are tried for loads this much below those for which nodes wait, 1: rounding must not
/// decide how long. No test notices a smaller one: more nodes are judged exactly.
#define FR_WAIT_MARGIN 0.99
/// Nodes or fours of tets of one task, and nodes of one where pulls are only compared, which is
/// cheap. Results do not hang on them.
#define FR_SCAN_GRAIN 32
#define FR_PULL_GRAIN 512
/// Rounding of what is compared, over what it is compared with, 1: a few hundred operations of
/// 2e-16 each, with room. Bounds that are wider by it are bounds still: no bits change.
#define FR_SCAN_ROUNDING 1e-9
/// What a separation tensor from the force kernel's stresses may be off, over the sizes of what
/// tears, 1: forces may be off by 1e-7 of FrNodeTears.size together. No bits change by a wider one.
/// Noticed by unit/fracture_spared.
#define FR_TEARS_OFF 1e-6
/// The vector of a separation tensor is known this well where limits are taken along it, rad: where
/// it is not the node is judged exactly, so no bits change. Noticed by unit/fracture_spared.
#define FR_KNOWN_TO 1e-3
/// Largest eigenvalues by the cosine of a third of an angle are off by less than this, over their
/// sizes, 1 (lane_math.h); a bound that is wider changes no bits. Noticed by unit/fracture_spared
/// (a narrower one).
#define FR_EIGEN_OFF 1e-6
/// On sides that a crack left behind nothing pulls along their normals: there a node holds as much
/// as it likes, this many times all that it holds, 1. No test notices a smaller one: it only lets
/// fewer nodes go early.
#define FR_PASSED_HOLD 100.0

// --- when a node fails (separation_criterion.c)

/// A node fails only where something pulls: tensile forces above this share of the limit, 1 (E65).
/// Noticed by unit/fracture_wall.
#define FR_LEAST_PULL 1e-3
/// Mean tension over yield stress that flow leaves at a free surface, 1: pulled alike in two
/// directions. A lead pane under a ball of 6 m/s: 95 cracks become 11. Noticed by
/// unit/fracture_yield.
#define FR_FREE_MEAN (2.0 / 3.0)
/// Smallest share of the outer faces at a node, seen along an axis, that makes a surface across it,
/// 1: sin^2(a/2) of two faces alike whose normals are a = 46 degrees apart, so that the sides of an
/// octagon are one surface still. Noticed by law/world_fracture.
#define FR_SURFACE_SHARE 0.155
/// A crack within 30 degrees of a plane runs along it (cosine), and what rounding adds to its
/// square where sides are surely farther off. Noticed by unit/fracture_wall.
#define FR_ALONG 0.87
#define FR_ALONG_OFF 1e-6
/// Nodes on a loaded face hold together less than this share of the planes through them, 1: they
/// count as if they held this share, or noise would be taken for stress. Noticed by
/// unit/fracture_spared.
#define FR_LEAST_BALANCE 0.5

// --- how cracks run (break.c, fracture.c, refusal.c)

/// Planes through one node within one scan: as many as stresses have. Noticed by golden/scenes
/// (papers/wall.lua).
#define FR_MOST_PLANES 3
/// Splits that follow from each other within one scan, unless set otherwise: then a crack waits
/// for the stresses of the next step. Noticed by unit/fracture_loop.
#define FR_GENERATIONS 8
/// Of the strain at which a material flows, that nodes may bring to tets by moving onto a crack's
/// plane, 1: well below it, so that a move does not make it flow. Noticed by law/fracture_refusal.
#define FR_MOVE_FLOW 0.2
/// The same of the strain at which a brittle material breaks: round a crack it is strained by that
/// much. With a fifth of it cracks hardly leave the mesh (56 % of their area in a plate of glass
/// instead of 38), with four times that moves make energy. Noticed by unit/fracture_wall.
#define FR_MOVE_BRITTLE 1.0
/// Corners move against a plane that could not be cut by this much of the mean edge at the node
/// before it is tried again, 1: so much is what cuts give way by anyhow. Noticed by golden/scenes
/// (papers/wall.lua).
#define FR_REFUSAL_MOVED 0.02
/// Nodes with more tets than this round them are tried at each scan: what is noted of the others
/// fits on the stack. Noticed by unit/fracture_refusal.
#define FR_REFUSAL_TETS 64

// --- walls (wall.c)

/// Of the outer faces round a tet of a wall at least this share lies across one way, 1 (of a rim
/// with faces half as large as those of the wall: 0.8). Noticed by unit/fracture_wall.
#define FR_WALL_ACROSS 0.75
/// And this share on either side, 1: a layer of two sees the far side by one corner of four.
/// Noticed by unit/fracture_wall.
#define FR_WALL_SIDE 0.05
/// Ways through a flat wall agree: the length of their mean, 1. A plate of scattered points: 6.4
/// becomes 0.1 % of crack area that lies flat in it. Noticed by unit/fracture_wall.
#define FR_WALL_FLAT 0.999
/// Ways through the wall round a node that are farther apart than this, all in all, make no wall
/// (cosine of 26 degrees): there it has a fold. Noticed by unit/fracture_wall.
#define FR_WALL_FOLD 0.9
/// Share of its volume that makes a body a wall, 1: most of it. Noticed by unit/fracture_wall.
#define FR_WALL_MOST 0.5
/// Tets of a prism through one layer, which is the least piece of a wall, and of two by two cells,
/// below which a piece is too small to bend as it should. Noticed by unit/fracture_wall.
#define FR_WALL_PRISM 3.0
#define FR_WALL_PATCH 24.0
/// Least pieces of a body that is no wall, over which a piece bends: nothing smaller can break any
/// more. Noticed by unit/fracture_wall.
#define FR_SOLID_PATCH 2.0
/// FrSplitOptions.snap_distance of walls and of other bodies, and `together` of walls, edges: both
/// sides of a wall are cut alike, and steps do not get much shorter. A plate of glass breaks into
/// 68 pieces so, into 469 without. Noticed by unit/fracture_wall.
#define FR_WALL_SNAP 0.05
#define FR_SOLID_SNAP 0.1
#define FR_WALL_TOGETHER 0.4

// --- discs that are cut from the start (precut.c)

/// Nodes of a disc's front lie at most this far off its plane, edges: others belong to another
/// layer. Noticed by unit/fracture_precut.
#define FR_DISC_LAYER 0.3
/// A cut begins at most this far off the plane, edges: no edge that crosses it has both ends
/// further off. Noticed by unit/fracture_precut.
#define FR_DISC_SEED 0.5
/// What a cut left standing is cut from the nodes nearest to the plane first: within this, edges,
/// then FR_DISC_LAYER, then FR_DISC_SEED. Noticed by unit/fracture_precut.
#define FR_DISC_NEAR 0.1
/// Lengths that differ by less than this, edges, are the same: the first number counts, or rounding
/// would choose. Noticed by unit/fracture_precut.
#define FR_DISC_SAME 1e-9
/// A node of the front that is nearer to where the cut began than this, edges, has no way out: the
/// plane does not turn back there. Noticed by unit/fracture_precut.
#define FR_DISC_WAY 0.1
/// Where the crack runs is known: thin tets are allowed and nodes move far to have it there. The
/// crack behind does not turn it, but the plane holds its front, or it doubles there. Of 60 planes
/// through plates and tubes 57 make two pieces so, half of them before. FrSplitOptions.straight
/// (1), snap_distance (edges) and min_height (1). Noticed by unit/fracture_precut.
#define FR_DISC_STRAIGHT 0.01
#define FR_DISC_SNAP 0.25
#define FR_DISC_HEIGHT 0.1
/// What could not be split can be, now and then, where fewer nodes move, edges. Noticed by
/// unit/fracture_precut.
#define FR_DISC_SNAP_AGAIN 0.15

// --- regions into which a body falls at once (regions*.c)

/// Nodes or tets of one task. Results do not hang on it.
#define FR_REGION_GRAIN 512
/// Times that the tension at nodes is evened out, which carries it through a bent wall: each does
/// so for about one cell. Noticed by law/regions_stress.
#define FR_REGION_WALL_PASSES 4
/// Ways that are shorter by less than this are the same, 1: fronts come to an end. No test notices
/// a smaller one.
#define FR_REGION_ROUNDING 1e-9
/// Times that a node may march again within one front: fronts come to an end in any metric. Twenty
/// are enough at 36 : 1 in cells of 1 : 1. No test notices twice of it.
#define FR_REGION_TURNS 100
/// Least over largest eigenvalue of a grain's metric, 1. Noticed by unit/regions_grow.
#define FR_REGION_LEAST_GRAIN 1e-4
/// Steps outside of its region from which a front still goes on. With none both ends of each edge
/// between two regions know both keys; one more serves nodes that change sides. Two more make
/// borders no straighter. Noticed by unit/regions_grow (with none).
#define FR_REGION_RIM 1
/// Seeds that may not fit before no more are tried. Four as in K6. Noticed by unit/regions_grow.
#define FR_REGION_MISFITS 4
/// Places that are drawn for one seed, and seeds in a row that take a region's last node, before a
/// body counts as full, 1. No test notices twice of it.
#define FR_REGION_DRAWS 64
/// Density over its mean, at least and, turned round, at most: weights stay finite where a chosen
/// seed has no energy, 1. No test notices twice of it.
#define FR_REGION_LEAST_DENSITY 1e-6
/// Of the energy, that is left for rounding of sums over tets, 1. No test notices a smaller one.
#define FR_REGION_SUM_ROUNDING 1e-9
/// Lengths of a way by two metrics that differ by this much, 1: what is known of one says nothing
/// about the other. No test notices twice or half of it: facets of a pane meet at 4.9 degrees, 5.0
/// or 5.5.
#define FR_REGION_ALIKE 0.25
