// criterion.h: whether a node of a deformable body fails, from the stresses of the tets round it.
#pragma once
#include "fem/element.h"
#include "fem/fem.h"
#include "fracture/separation.h"
#include "mesh/split.h"

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

/// Total stress (second Piola-Kirchhoff, Pa, scaled for toughness) of a tet, and its deformation.
struct FrBreakable;
FrSym3 fr_breaking_stress(const struct FrBreakable *body, int32_t tet, FrMat3 *F);
/// Mean stress that counts of what flows, Pa.
FrMeanCap fr_mean_cap(const FrMaterial *material, const FrToughness *toughness);

/// A body that can break. All borrowed.
typedef struct FrBreakable {
    const FrFem *fem;
    const FrCutMesh *cut;           ///< the same mesh, with the tets round each node
    const FrElement *element;       ///< of each tet, at rest
    const FrToughness *toughness;   ///< one per material
    double now;                     ///< s, as faces that opened are marked
    const double *weak;             ///< factor on strength and tau of each tet; NULL: 1
    const double *grown;            ///< det C - 1 of each tet, evened out; NULL: its own
    bool elastic_only;              ///< leave the viscous stress out
    const int32_t *pulls_of;        ///< where the pulls of a tet are in `pulls`, + 1; 0: not known
    const struct FrTetPulls *pulls; ///< what is known already
} FrBreakable;

/// How a node stands.
typedef struct FrNodeState {
    double value;  ///< v+, N
    double limit;  ///< above which it fails, N; INFINITY: never
    FrVec3 normal; ///< of the plane it would fail across, present frame
} FrNodeState;

/// f+ and f- of a tet on its corners, N.
typedef struct FrTetPulls {
    FrVec3 plus[4], minus[4];
} FrTetPulls;
void fr_tet_pulls(const FrBreakable *body, int32_t tet, FrTetPulls *pulls);
/// The same bits, for four at once.
void fr_tet_pulls_four(const FrBreakable *body, const int32_t tet[4], FrTetPulls pulls[4]);

/// No v+ without a residual is above this, N. `pull`: as fr_fem_bound_pulls has it; `force`: of the
/// body itself on the node, elastic and viscous, N. Not where toughness is directional or
/// elastic_only, or what flows is evened out.
double fr_node_value_at_most(double pull, FrVec3 force);
/// The limit of a node that has nothing but tets with a tau round it, at least, N; 0: others.
double fr_node_tau(const FrBreakable *body, int32_t node);

/// `residual`: added to the separation tensor, N. Nodes that are held do not fail.
FrNodeState fr_node_state(const FrBreakable *body, int32_t node, FrSym3 residual);
/// The same bits, for four at once, without residuals, where it fails.
void fr_node_states_four(const FrBreakable *body, const int32_t node[4], FrNodeState state[4]);
/// How far v+ of these separation tensors is from the limits of four nodes, N, at least, whatever
/// the normals turn to; not above 0: they may fail. Room shrinks by drifts (fr_fem_find_drifts).
/// `tau`: fr_node_tau of all nodes; no more than `enough` is looked for, none at
/// nodes with open faces where that is 0. `holds`: whether they do
/// now, room or not, by tensors that may be off by `off`, N.
void fr_node_rooms_four(const FrBreakable *body, const int32_t node[4], const FrSym3 zeta[4],
                        const double off[4], const double *tau, const double enough[4],
                        double room[4], bool holds[4]);
static inline bool fr_node_fails(const FrNodeState *state) { return state->value > state->limit; }
