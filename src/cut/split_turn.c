// split_turn.c: turn the plane of a split so that it goes on where a crack ended.

#include "cut/split_inside.h"
#include "cut/cut_tuning.h"
#include "cut/node_surface.h"
#include "math/decompose.h"

// Towards the planes of the crack behind: the largest direction of n n' and of theirs together.
static FrVec3 straightened(FrVec3 normal, FrSym3 behind, double weight) {
    FrSym3 both = fr_sym3_axpy(weight, behind, fr_mat3_sym(fr_outer(normal, normal)));
    FrVec3 n = fr_sym3_eigen(both).vector[0];
    return fr_dot(n, normal) < 0 ? fr_neg(n) : n;
}

// Cracks of a wall stand upright in it, wherever the last cuts ended. One that is turned so far
// that this is no small change stays.
static FrVec3 stood_up(FrVec3 normal, FrVec3 upright) {
    double part = fr_dot(normal, upright);
    if (part == 0 || fabs(part) > FR_MOST_TURN) return normal;
    return fr_normalize(fr_axpy(-part, upright, normal));
}

FrVec3 fr_plan_turn(FrCutMesh *cut, const FrSplitOptions *options, FrVec3 normal) {
    Plan *plan = &cut->plan;
    FrNodeSurface surface;
    if (!(options->straight > 0)) return normal;
    fr_node_surface(cut, cut->p, plan->nodes.data[plan->o].id, &surface);
    for (int32_t k = 0; k < surface.ends; k++)
        plan->nodes.data[cut->local_node[surface.end[k]]].front = true;
    if (surface.ends) normal = straightened(normal, surface.crack, options->straight);
    double part = fr_dot(normal, surface.along);
    if (fabs(part) <= FR_MOST_TURN) normal = fr_normalize(fr_axpy(-part, surface.along, normal));
    return stood_up(normal, options->upright);
}
