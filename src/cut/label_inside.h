// label_inside.h: what the files that cut a mesh by regions share: the plan of the cut, and the
// parts of one tet.
#pragma once
#include "cut/split_inside.h"
#include "cut/split_labels.h"
#include "base/table.h"

#define FR_NODE_REGIONS 8 ///< that meet at a node at most; those of a tet are bits of 32

/// The regions that a node belongs to: its own; where it lies on their border, others, too.
typedef struct NodeRegions {
    int32_t region[FR_NODE_REGIONS]; ///< the first: its own (count)
    int32_t count;
} NodeRegions;

/// A cut by regions, before the mesh knows of it. Children are in the order of their parents.
typedef struct LabelPlan {
    FrContext *ctx;
    const FrCutMesh *cut;
    const FrTetMesh *mesh; ///< before
    const FrLabels *labels;
    FrLabelCutOptions options;
    double unit2;             ///< square of the longest edge, m^2
    NodeRegions *of;          ///< of each node before (mesh->node_count)
    FR_ARRAY(FrNewNode) node; ///< new ones on edges, then copies; they follow the mesh's
    FrTable edge_node;        ///< new nodes on edges, by the edge
    int32_t edge_nodes;       ///< how many are no copies
    struct {
        int32_t (*data)[4]; ///< corners
        int32_t count, capacity;
    } child;
    FR_ARRAY(int32_t) root;   ///< of each child: tet of the mesh before
    FR_ARRAY(int32_t) region; ///< of each child
    double *x;                ///< places of nodes at rest, m (3 * (mesh->node_count + edge_nodes))
    int32_t (*across)[4];     ///< children behind the faces of each; -1: none
    int32_t (*corner)[4];     ///< corners of children, copies as copies
    int32_t *number;          ///< of each child in the mesh after
    double flattest;          ///< of all children of divided tets
} LabelPlan;

/// A tet has no more nodes than this after it was divided: besides its corners one on each edge (6)
/// and face (4), and inside one where an opposite pair of edge nodes (3) or a face node and the
/// corner across (4) are joined. See docs/methods.md, M20.
#define FR_PART_NODES 21
/// v (v - 3) / 2 tets at most fill a ball with v nodes; here v = 21.
#define FR_PART_TETS 189

/// A corner of a tet, or a node on an edge between two of these.
typedef struct PartNode {
    int8_t a, b;      ///< between these; a corner: -1
    uint8_t corners;  ///< bit i: corner i has a share in it
    uint32_t regions; ///< bit k: it belongs to region k of the list
    double t;         ///< at (1 - t) a + t b
    double share[4];  ///< of each corner, sum 1
    FrVec3 x;         ///< at rest, m
} PartNode;

/// What one tet becomes.
typedef struct TetParts {
    int32_t corner[4]; ///< nodes of the mesh, ascending
    int32_t region[4 * FR_NODE_REGIONS];
    int32_t region_count;
    double t[4][4]; ///< i < j with no region in common: where the edge is cut, from i to j
    PartNode node[FR_PART_NODES];
    int8_t tet[FR_PART_TETS][4];
    int32_t node_count, tet_count;
} TetParts;

// label_divide.c
/// Where the border crosses the edge between two nodes of the mesh, fraction of the way from i.
double fr_label_border(const FrLabels *labels, int32_t i, int32_t j);
bool fr_label_common(const NodeRegions *a, const NodeRegions *b);
/// A tet into parts that each lie in one region. Tets that share a face divide it alike.
void fr_label_divide(const LabelPlan *plan, int32_t e, TetParts *parts);
int32_t fr_label_part_region(const LabelPlan *plan, const TetParts *parts, int32_t k);
/// Least height over longest edge of a tet, and of all parts of one.
double fr_label_flatness(FrVec3 a, FrVec3 b, FrVec3 c, FrVec3 d);
double fr_label_flattest(const TetParts *parts);

// label_snap.c
/// Each node belongs to its own region.
bool fr_label_begin(LabelPlan *plan);
/// Nodes that a border passes closely lie on it.
void fr_label_snap(LabelPlan *plan);
/// Nodes of tets whose parts would be too flat lie on the border, until they are not. FR_NO_MEMORY
/// only.
FrResult fr_label_mend(LabelPlan *plan);

// label_parts.c
/// Parts of regions that are too small, or that no node lies within, join the neighbour with which
/// they share the most area. FR_NO_MEMORY only.
FrResult fr_label_join_crumbs(LabelPlan *plan);
