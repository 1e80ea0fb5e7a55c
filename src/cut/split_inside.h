// split_inside.h: what the files that split nodes share: the mesh that grows, and a cut's plan.
#pragma once
#include "cut/split.h"
#include "cut/cut_tuning.h"
#include "base/array.h"

/// The tets round one node: pool[start] .. pool[start + count - 1], ascending.
typedef struct NodeStar {
    int32_t start, count, room; ///< room: a power of two, or 0
} NodeStar;

/// A node as a plan sees it.
typedef struct PlanNode {
    int32_t id;   ///< in the mesh; new ones follow its node_count
    int32_t a, b; ///< new ones: on the edge between these plan nodes (a == b: a copy); else -1
    int32_t edge; ///< new on an edge: index of the cut edge; else -1
    int32_t to;   ///< moves along the edge to this node of the mesh; -1: stays
    double t;     ///< new ones: (1 - t) a + t b; moved ones: how far along the edge
    FrVec3 x, p;  ///< at rest and as placed, m
    FrVec3 was_x, was_p; ///< moved ones: before
    double d;            ///< m, distance from the plane
    int8_t sign;         ///< side of the plane; 0: on it
    bool in_star;        ///< a corner of the star
    bool rim;            ///< the edge from the split node to it is on the surface
    bool front;          ///< the edge from the split node to it is where a crack ends
    bool open;           ///< a corner of a face that opens
    bool parted;         ///< it got copies
} PlanNode;

/// A tet of the plan: a tet of the mesh, or a part of one.
typedef struct PlanTet {
    int32_t n[4]; ///< plan nodes
    int32_t root; ///< the tet of the mesh it comes from
    int32_t next; ///< the next part of the same root; -1: none
    double part;  ///< of the root's volume
    int8_t label; ///< +1, -1: side of the crack; 0: not round the split node
} PlanTet;

/// A tet of the mesh that a plan looks at.
typedef struct PlanRoot {
    int32_t e, node[4]; ///< its number and corners in the mesh
    int32_t first;      ///< its first part, a plan tet
    bool touched;       ///< divided, or a corner renamed
} PlanRoot;

typedef struct PlanEdge {
    int32_t a, b;  ///< plan nodes
    int32_t rank;  ///< length at rest, in eighths of the star's longest edge: long ones first
    uint64_t key;  ///< (low id, high id): the order of cutting those of one rank
    double margin; ///< the cut point keeps this far from the ends, fraction of the edge
    bool dropped;  ///< left whole to avoid a back-crack
    bool pressed;  ///< was mended in this round
} PlanEdge;

/// A face round one node: its other two corners, and a tet behind it.
typedef struct StarFace {
    uint64_t key;
    int32_t tet;
} StarFace;

/// A face round the split node that opens.
typedef struct PlanFace {
    int32_t plus, minus;                ///< plan tets
    int32_t u, w;                       ///< plan nodes: the corners besides the split node
    int8_t plus_slot[3], minus_slot[3]; ///< where its corners are in those tets
    int32_t sector;                     ///< faces that hang together without crossing the surface
} PlanFace;

#define FR_MEND_SNAPS 1 ///< lies on the plane
#define FR_MEND_STAYS 2 ///< does not move onto it

typedef struct Plan {
    int32_t o, q; ///< plan nodes: the split node and its copy (-1: none yet)
    FR_ARRAY(PlanNode) nodes;
    FR_ARRAY(PlanTet) tets;
    FR_ARRAY(PlanRoot) roots;
    FR_ARRAY(PlanEdge) edges;
    FR_ARRAY(uint8_t) mend; ///< of plan nodes of the star: FR_MEND_...
    FR_ARRAY(StarFace) faces;
    FR_ARRAY(PlanFace) open;
    FR_ARRAY(int32_t) group;     ///< of each plan tet: union-find
    FR_ARRAY(uint64_t) barrier;  ///< faces kept after a back-crack was dropped
    FR_ARRAY(double) angle;      ///< of each sector
    int32_t new_nodes, new_tets; ///< that the mesh will get
} Plan;

struct FrCutMesh {
    FrContext *ctx;
    FrTetMesh mesh;
    int32_t node_capacity, tet_capacity;
    double *p;           ///< as placed, m (3 * node_count)
    double *height;      ///< least height of the tet that each tet came from, m (tet_count)
    double (*opened)[4]; ///< of each face; see fr_cutmesh_opened (tet_count)
    double clock;        ///< s
    NodeStar *star;      ///< (node_capacity)
    FR_ARRAY(int32_t) pool;
    int32_t free_block[32]; ///< first free block of 2^k entries; -1: none
    int32_t *local_node;    ///< plan node of a mesh node; -1 (node_capacity)
    int32_t *local_tet;     ///< plan root of a mesh tet; -1 (tet_capacity)
    uint32_t *seen;         ///< last visit to a tet (tet_capacity)
    uint32_t visit;
    FR_ARRAY(int32_t) front, touched, queue, child;
    FR_ARRAY(int32_t) child_node;
    Plan plan;
};

static inline uint64_t fr_pair_key(int32_t a, int32_t b) {
    return a < b ? (uint64_t)(uint32_t)a << 32 | (uint32_t)b
                 : (uint64_t)(uint32_t)b << 32 | (uint32_t)a;
}
/// Is v a corner of the tet?
static inline bool fr_tet_has(const int32_t n[4], int32_t v) {
    return n[0] == v || n[1] == v || n[2] == v || n[3] == v;
}
/// Least height of a tet, m: 3 volume / largest face.
double fr_tet_height(FrVec3 a, FrVec3 b, FrVec3 c, FrVec3 d);

// cutmesh.c
bool fr_cutmesh_reserve(FrCutMesh *cut, int32_t nodes, int32_t tets);
bool fr_cutmesh_star_room(FrCutMesh *cut, int32_t node, int32_t count);
void fr_cutmesh_join(FrCutMesh *cut, int32_t node, int32_t tet);
void fr_cutmesh_leave(FrCutMesh *cut, int32_t node, int32_t tet);
bool fr_cutmesh_fill_stars(FrCutMesh *cut);

// cutmesh_follow.c
/// Marks of the faces of the tets that entries tet0 .. and face0 .. of the log made or opened.
/// FR_BAD_INPUT cannot happen for a log that a split wrote.
FrResult fr_cutmesh_mark(FrCutMesh *cut, const FrCutLog *log, int32_t tet0, int32_t face0);

// split_plan.c
void fr_plan_forget(FrCutMesh *cut);
/// The plan looks at this tet of the mesh, too. False: no memory.
bool fr_plan_add_root(FrCutMesh *cut, int32_t e);
/// A node that the mesh will get, at (1 - t) a + t b on cut edge `edge`; a == b: a copy (edge -1).
/// -1: no memory.
int32_t fr_plan_new_node(FrCutMesh *cut, int32_t a, int32_t b, double t, int32_t edge);
/// FR_NO_MEMORY, or the outcome; the mesh is not changed.
FrResult fr_plan_make(FrCutMesh *cut, int32_t node, FrVec3 normal, const FrSplitOptions *options,
                      FrSplitOutcome *outcome);
/// Faces round plan node v, sorted by their other corners, so that shared ones follow each other.
bool fr_plan_star_faces(FrCutMesh *cut, int32_t v);
/// Has face k of plan->faces a tet on one side only?
static inline bool fr_plan_on_surface(const Plan *plan, int32_t k) {
    const StarFace *face = plan->faces.data;
    return (k == 0 || face[k - 1].key != face[k].key) &&
           (k + 1 == plan->faces.count || face[k + 1].key != face[k].key);
}
/// The name of a face round the split node that stays the same when the plan is made anew.
uint64_t fr_plan_face_name(const Plan *plan, int32_t u, int32_t w);

// split_side.c
/// Distances and signs of the nodes of the star; the normal comes back turned to the side that
/// keeps the split node's number. False: no memory.
bool fr_plan_take_sides(FrCutMesh *cut, const FrSplitOptions *options, FrVec3 *normal);

// split_edges.c
/// Where the plane meets a cut edge: (1 - t) a + t b, as far from its ends as was asked for.
double fr_plan_cut_point(const Plan *plan, const PlanEdge *edge);
/// Cut the edges with an end on either side, and all tets that have them. False: no memory.
bool fr_plan_cut_edges(FrCutMesh *cut);

// split_part.c
/// Sides of the tets round the split node, and the faces that open; *none: there are none.
FrResult fr_plan_label(FrCutMesh *cut, bool *none);
/// The split node and the nodes of open faces get copies where their tets no longer hang together.
/// False: no memory.
bool fr_plan_part(FrCutMesh *cut);

// split_turn.c
/// Unless options.straight is 0: marks the edges at the split node that are the front of a crack,
/// and returns the normal, turned towards the crack behind and so that the plane holds the front
/// there.
FrVec3 fr_plan_turn(FrCutMesh *cut, const FrSplitOptions *options, FrVec3 normal);

// split_move.c
/// Nodes of the star that lie on the plane by snapping move there along edges, where that leaves
/// the shape of the solid alone.
void fr_plan_move(FrCutMesh *cut, const FrSplitOptions *options, FrVec3 normal);
/// All tets round nodes that move, once edges were cut. False: no memory.
bool fr_plan_add_moved(FrCutMesh *cut);
bool fr_plan_has_moved(const Plan *plan, const PlanTet *tet);

// split_mend.c
/// Are all children large and tall enough?
bool fr_plan_good(const FrCutMesh *cut, const FrSplitOptions *options);
/// Where children are not: move cut points or snap nodes, as little as may help; then plan anew.
/// False: nothing is left to change.
bool fr_plan_mend(FrCutMesh *cut, const FrSplitOptions *options);

// split_back.c
/// Which sectors of the crack run back along the surface; true: edges were dropped, plan anew.
/// *void_split: nothing is left.
FrResult fr_plan_avoid_back(FrCutMesh *cut, double back_angle, bool *again, bool *void_split);
