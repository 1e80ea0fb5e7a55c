// split_labels.h: cut a mesh at once along the borders of regions, where the keys of two regions
// are equal; conforming, with one log. No physics.                                       [M20]
#pragma once
#include "cut/labels.h"
#include "cut/split.h"

/// How borders go through the mesh.
typedef struct FrLabelCutOptions {
    /// Cut points stay this far from the ends of their edge, fraction of it (0.1). Where a border
    /// is nearer to an end than to that, it goes through the node.
    double clamp;
    /// Least height of a child over its longest edge (0.02), and a quarter of its parent's where
    /// that is flat itself: borders go through nodes until it holds.
    double flattest;
    double least_part; ///< m^3: smaller parts of regions join a neighbour, whatever the labels say
} FrLabelCutOptions;
FrLabelCutOptions fr_label_cut_options_default(void);

/// One face that opened, between two regions; axes of the mesh at rest.
typedef struct FrLabelFacet {
    int32_t a, b;    ///< regions on either side, a < b
    int32_t node[3]; ///< as side a names them, counter-clockwise from outside of a
    int32_t tet;     ///< of the mesh before the cut, that it lies in (or one beside it)
    double area;     ///< m^2
    FrVec3 x, n;     ///< middle, m; unit normal, from a to b
} FrLabelFacet;

typedef struct FrLabelCut {
    FrLabelFacet *facet; ///< (facet_count)
    int32_t facet_count;
    int32_t *region; ///< of each tet of the mesh now (tet_count)
    double area;     ///< of all facets, m^2
    double flattest; ///< least height of a child over its longest edge; 1: nothing was divided
} FrLabelCut;
void fr_label_cut_free(FrContext *ctx, FrLabelCut *cut);

/// Cut the whole mesh, placed anyhow: regions are of the shape at rest. Labels are of its nodes as
/// it is now. A region is whole where its tets hang together by faces; it may come in several
/// parts, and one that is thinner than the mesh may get none of it. What is done is added to `log`,
/// as of fr_cutmesh_split; opened faces are marked with the clock's time. FR_NO_MEMORY: the log is
/// as before, the mesh is only good to be destroyed.
FrResult fr_cutmesh_split_labels(FrCutMesh *cut, const FrLabels *labels,
                                 const FrLabelCutOptions *options, FrCutLog *log,
                                 FrLabelCut *result);

/// Some tets of a mesh.
typedef struct FrTetPart {
    const int32_t *of; ///< of each tet, which part it belongs to (tet_count)
    int32_t which;     ///< the part that is meant
} FrTetPart;
/// The tets of a mesh that have part.of[e] == part.which, as a mesh of its own, in the same order.
/// `node` (may be NULL): for each node of the part, its number in the whole (part's node_count);
/// `tet` likewise. Caller frees.
FrResult fr_tetmesh_part(FrContext *ctx, const FrTetMesh *mesh, FrTetPart part, FrTetMesh *piece,
                         int32_t **node, int32_t **tet);
