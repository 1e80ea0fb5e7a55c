// separation_criterion.h: whether a node fails by the separation tensor, from the stresses of the
// tets round it, and bounds on that.
#pragma once
#include "fracture/criterion.h"
#include "fracture/separation.h"

/// Mean stress that counts of material that flows, Pa.
FrMeanCap fr_mean_cap(const FrMaterial *material, const FrToughness *toughness);

/// What the limit of a node comes from.
typedef enum FrLimitKind {
    FR_LIMIT_NONE,     ///< something round it does not break: it never fails
    FR_LIMIT_TAU,      ///< tau alone
    FR_LIMIT_STRENGTH, ///< strength alone
    FR_LIMIT_CRACK,    ///< strength, with open faces at it
    FR_LIMIT_MIXED,    ///< both, or it hangs on direction
} FrLimitKind;
typedef struct FrNodeLimit {
    FrLimitKind kind;
    bool torn;    ///< a face opens at it
    bool tips;    ///< and cracks may go on from it by the energy they take
    double tau;   ///< N, the least, if that is its kind; else 0
    double share; ///< of the sum of strengths times |area . n| that the limit is, at least
    double tip;   ///< share of strengths that is enough at a tip, edges as at rest, at least
} FrNodeLimit;

/// f+ and f- of a tet on its corners, N.
typedef struct FrTetPulls {
    FrVec3 plus[4], minus[4];
} FrTetPulls;
void fr_tet_pulls(const FrBreakable *body, int32_t tet, FrTetPulls *pulls);
/// The same bits, for four at once.
void fr_tet_pulls_four(const FrBreakable *body, const int32_t tet[4], FrTetPulls pulls[4]);

/// No v+ without a residual is above this, N. `pull`: as fr_fem_bound_pulls has it; `force`: of the
/// body itself on the node, elastic and viscous, N. Not where toughness is directional or
/// elastic_only, or material that flows is evened out.
double fr_node_value_at_most(double pull, FrVec3 force);
/// What its limit comes from; changes by cuts alone.
FrNodeLimit fr_node_limit_kind(const FrBreakable *body, int32_t node);

/// The way through the wall at a node, present frame, 1; 0: it is in no wall.
FrVec3 fr_wall_at(const FrBreakable *body, int32_t node);
/// FrCriterion.judge: `residual` is added to the separation tensor, N. Nodes that are held do not
/// fail.
FrNodeState fr_node_state(const FrBreakable *body, int32_t node, FrSym3 residual);
/// The same bits, for four at once, without residuals, where it fails.
void fr_node_states_four(const FrBreakable *body, const int32_t node[4], FrNodeState state[4]);
/// v+ over the limit, at most, of four nodes by strength with these separation tensors, if those
/// are off by no more than `off`, N; HUGE_VAL: not known. `count`: only the first of them.
void fr_node_loads_at_most_four(const FrBreakable *body, const int32_t node[4],
                                const FrSym3 zeta[4], const double off[4], int count,
                                double load[4]);
/// Of nodes where faces open: did all cracks there go by, so that no plane across which one may
/// fail runs along any, and its limit has no tip? Those that are not `passed` are not tried.
/// `across`: s s' of directions that its normal is at right angles to then, 0 where none opens.
void fr_cracks_passed_four(const FrBreakable *body, const int32_t node[4], bool passed[4],
                           FrSym3 across[4]);
