// split.h: split a node of a tet mesh along a plane and keep the mesh conforming; no physics. [M7]
#pragma once
#include "base/bytes.h"
#include "cut/cutlog.h"
#include "mesh/tetmesh.h"

/// A tet mesh that can be cut: its arrays grow, and every node knows its tets. Cutting never makes
/// a tet flatter than options.min_height allows, so the stable step stays bounded from below.
typedef struct FrCutMesh FrCutMesh;

typedef struct FrSplitOptions {
    double snap_distance; ///< a node this near the plane lies on it; fraction of the local edge
    double snap_angle;    ///< likewise by its angle seen from the split node, rad
    /// Where children would be too flat, an end of a cut edge lies on the plane if that passes it
    /// within this part of the margin that the cut point would have to keep; else the point moves.
    /// At 0.5 the crack stays nearest to its plane. Below, fewer faces of the mesh open.
    double snap_part;
    double together;    ///< cut points this near each other give way alike; fraction of the edge
    double back_angle;  ///< a crack does not run back along an old one by less than this, rad
    double min_quality; ///< smallest child volume over its parent's that is allowed
    double min_height;  ///< least height of a child over that of its ancestor in the first mesh
    double min_piece;   ///< m^3: no cut that frees a piece smaller than this
    /// weight of the crack that ends at the node against the plane asked for; 0: that one, as it is
    double straight;
    FrVec3 upright; ///< the plane holds this, in the placed shape, 1, however it is turned; 0: not
                    ///< asked
    bool along_faces; ///< remeshing off: only open faces that are there already
    /// Nodes that lie on the plane by snapping move there, along edges, at rest too, where the
    /// solid keeps its shape: then the crack runs along its plane, not along faces of the mesh. At
    /// most so much does that change the deformation gradient of a tet; 0: nodes stay.
    double move;
    const uint8_t *held; ///< nodes that do not move for that (node_count); NULL: none
} FrSplitOptions;
FrSplitOptions fr_split_options_default(void);

typedef enum FrSplitOutcome {
    FR_SPLIT_DONE,
    FR_SPLIT_VOID, ///< one side would have been empty: nothing was changed
    FR_SPLIT_POOR, ///< children or pieces would have been too small: nothing was changed
} FrSplitOutcome;

typedef struct FrSplitResult {
    FrSplitOutcome outcome;
    double area;          ///< of the surface that opened, one side, in the rest shape, m^2
    const int32_t *front; ///< nodes where the crack ends now (front_count); borrowed
    int32_t front_count;
    const int32_t *touched; ///< nodes whose tets changed, new ones included; ascending; borrowed
    int32_t touched_count;
} FrSplitResult;

/// Copies the mesh (order 1, conforming, positive volumes). Placed as it rests.
FrResult fr_cutmesh_create(FrContext *ctx, const FrTetMesh *mesh, FrCutMesh **cut);
void fr_cutmesh_destroy(FrCutMesh *cut); ///< accepts NULL
/// The mesh as it is now; borrowed until the next split.
const FrTetMesh *fr_cutmesh_view(const FrCutMesh *cut);
/// The tets round a node, ascending; borrowed until the next split.
const int32_t *fr_cutmesh_star(const FrCutMesh *cut, int32_t node, int32_t *count);

/// Where the nodes are now (3 * node_count), m; copied. New nodes are placed by the splits.
void fr_cutmesh_place(FrCutMesh *cut, const double *p);
/// Where the nodes are, new ones included; borrowed until the next split.
const double *fr_cutmesh_placed(const FrCutMesh *cut);

/// The tet behind the face of tet e opposite corner i; -1: none.
int32_t fr_cutmesh_across(const FrCutMesh *cut, int32_t e, int i);

#define FR_FACE_INNER (-2.0) ///< has a tet on both sides
#define FR_FACE_OUTER (-1.0) ///< on the surface since the start
/// For each tet and corner: when the face opposite it was opened by a crack, s; or one of the
/// above. Borrowed until the next split.
const double (*fr_cutmesh_opened(const FrCutMesh *cut))[4];
/// The time that faces opened from now on are marked with, s (0 before the first call).
void fr_cutmesh_clock(FrCutMesh *cut, double t);
/// The outside now, by tet then face, with `opened`; `piece` of each tet may be NULL. Caller frees.
FrResult fr_cutmesh_surface(const FrCutMesh *cut, const int32_t *piece, FrSurface *surface);

/// Do again what a log of another copy of this mesh says; faces are marked with time t, s. The log
/// may come from a file: FR_BAD_INPUT says which entry does not follow. After a failure the mesh is
/// only good to be destroyed.
FrResult fr_cutmesh_apply(FrCutMesh *cut, const FrCutLog *log, double t);

/// Everything that later splits depend on, for checkpoints. `load` wants a mesh made by
/// fr_cutmesh_create from the same first mesh. FR_BAD_INPUT: the bytes are another mesh's.
void fr_cutmesh_save(const FrCutMesh *cut, FrWriter *out);
FrResult fr_cutmesh_load(FrCutMesh *cut, FrReader *in);

/// Split `node` along the plane through it with this unit normal, in the placed shape. Where a
/// crack ends at the node, the plane is turned towards it and holds its front. What was done is
/// added to `log`, which was cleared for this mesh and has followed it since. The + side keeps the
/// node's number. Where children would be too small, cut points move along their edges, or nodes
/// near the plane snap to it, as little as helps. Costs in proportion to the stars around; no
/// memory is asked for once warm, except to grow. FR_NO_MEMORY: mesh and log are as before.
FrResult fr_cutmesh_split(FrCutMesh *cut, int32_t node, FrVec3 normal,
                          const FrSplitOptions *options, FrCutLog *log, FrSplitResult *result);
