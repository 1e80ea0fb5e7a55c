// criterion.h: what decides that a node of a deformable body fails, and across which plane: a
// table, with a row for each way to decide. Cuts, pieces, logs and events follow whichever it was.
#pragma once
#include "cut/node_surface.h"
#include "cut/split.h"
#include "cut/tet_state.h"
#include "fracas/crack.h"
#include "fem/element.h"
#include "fem/fem.h"

/// How one material of a body breaks.
typedef struct FrToughness {
    double strength; ///< Pa; 0: see tau
    double tau;      ///< N, used as it stands where it is above 0; both 0: does not break
    double tip; ///< sqrt(E Gc), Pa sqrt(m): what stops cracks of this strength; 0: nothing more
    double crack_speed; ///< m/s, of cracks that the tip alone drives
    double residual;  ///< share of what exceeds the limit that is passed on to the crack's front, 1
    bool directional; ///< A is used
    FrMat3 A;         ///< scale of stresses (fr_toughness_scale)
} FrToughness;

/// A body that can break. All borrowed.
typedef struct FrBreakable {
    const FrFem *fem;
    const FrCutMesh *cut;         ///< the same mesh, with the tets round each node
    const FrElement *element;     ///< of each tet, at rest
    const FrToughness *toughness; ///< one per material
    double now;                   ///< s, as faces that opened are marked
    const double *weak;           ///< factor on strength and tau of each tet; NULL: 1
    const FrVec3 *wall;  ///< way through the wall, 1, at rest, of each tet; 0: no wall; NULL: none
    const double *grown; ///< det C - 1 of each tet, evened out; NULL: its own
    const struct FrNodeLimit *limit; ///< of each node
    const uint8_t *open;             ///< of each tet, bit i: face i is a side of a crack
    const FrCrackSides *sides;       ///< at nodes, as listed before this scan
    bool elastic_only;               ///< leave the viscous stress out
    const int32_t *pulls_of;         ///< where the pulls of a tet are in `pulls`, + 1; 0: not known
    const struct FrTetPulls *pulls;  ///< what is known already
} FrBreakable;

/// Total stress (second Piola-Kirchhoff, Pa, scaled for toughness) of a tet, and its deformation.
FrSym3 fr_breaking_stress(const FrBreakable *body, int32_t tet, FrMat3 *F);

/// How a node stands, and what is planned if it fails: a plane through it.
typedef struct FrNodeState {
    double value;  ///< what tears at it (v+ of the separation tensor), in the unit of the limit, N
    double limit;  ///< above which it fails; INFINITY: never
    FrVec3 normal; ///< of the plane it would fail across, present frame
    bool along_faces; ///< faces that are there open, those nearest to the plane: no tet is cut
} FrNodeState;
static inline bool fr_node_fails(const FrNodeState *state) { return state->value > state->limit; }

struct FrFracture;
/// One way to decide.
typedef struct FrCriterion {
    const char *name;
    /// How a node stands that is not supported. `residual`: what cracks that got to it passed on in
    /// this scan, a tensor of the unit of `value`. Pure, and asked by several workers at once.
    FrNodeState (*judge)(const FrBreakable *body, int32_t node, FrSym3 residual);
    /// The nodes that may fail now, ascending, and how they stand (FrFractureScan.candidate, state:
    /// inside.h): for what knows how to skip the others. NULL: all that deform are judged.
    FrResult (*scan)(struct FrFracture *fracture);
    /// How a tet stands where cracks follow faces of the mesh (model corot); NULL: by its largest
    /// principal stress.
    FrTetJudge *judge_tet;
    /// Is all of the body so far from failing that no load is worth telling? NULL: not known.
    bool (*at_ease)(struct FrFracture *fracture);
} FrCriterion;

extern const FrCriterion fr_criterion_separation;
/// The row of a criterion that the library has; NULL: it has none of this number.
const FrCriterion *fr_criterion_row(FrCriterionKind kind);
