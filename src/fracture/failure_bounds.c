// failure_bounds.c: how far nodes are from failing by the separation tensor, at least, whatever
// their planes turn to.

#include "fracture/separation_inside.h"

// the longest edge at a node at rest, m
static double longest_edge(const FrBreakable *body, int32_t node) {
    const double *rest = fr_fem_rest(body->fem);
    const FrTetMesh *mesh = fr_cutmesh_view(body->cut);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    double far = 0.0;
    for (int32_t k = 0; k < 4 * count; k++)
        far = fr_max(
            far, fr_distance(fr_get3(rest, mesh->tet[star[k / 4]][k % 4]), fr_get3(rest, node)));
    return far;
}

static bool is_inside(const FrBreakable *body, int32_t node) {
    const double(*opened)[4] = fr_cutmesh_opened(body->cut);
    const FrTetMesh *mesh = fr_cutmesh_view(body->cut);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    for (int32_t k = 0; k < 4 * count; k++)
        if (mesh->tet[star[k / 4]][k % 4] != node && opened[star[k / 4]][k % 4] != FR_FACE_INNER)
            return false;
    return true;
}

// Inside a body areas balance, and the limit along n is half of sum s |a.n|; elsewhere it is not
// below FR_LEAST_BALANCE of that.
FrNodeLimit fr_node_limit_kind(const FrBreakable *body, int32_t node) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    FrNodeLimit limit = {.kind = FR_LIMIT_NONE, .torn = fr_is_torn(body, node), .tip = 1.0};
    limit.share = (1.0 - FR_SCAN_ROUNDING) * 0.5 * (is_inside(body, node) ? 1.0 : FR_LEAST_BALANCE);
    bool never = false, directional = false, strong = false;
    double tau = HUGE_VAL, tip = sqrt(2.0 / (FR_PI * longest_edge(body, node)));
    for (int32_t k = 0; k < count; k++) {
        const FrToughness *t = &body->toughness[fr_fem_region(body->fem, star[k])];
        double weak = body->weak ? body->weak[star[k]] : 1.0;
        never = never || !(t->strength > 0.0 || t->tau > 0.0);
        directional = directional || t->directional;
        if (t->tau > 0.0)
            tau = fr_min(tau, weak * t->tau);
        else
            strong = true;
        limit.tips = limit.tips || (limit.torn && t->tip > 0.0);
        if (limit.torn && t->tip > 0.0 && t->strength > 0.0)
            limit.tip = fr_min(limit.tip, t->tip * tip / t->strength);
    }
    if (never) return limit;
    if (directional || (strong && tau < HUGE_VAL))
        limit.kind = FR_LIMIT_MIXED;
    else if (tau < HUGE_VAL)
        limit.kind = FR_LIMIT_TAU, limit.tau = tau;
    else
        limit.kind = limit.torn ? FR_LIMIT_CRACK : FR_LIMIT_STRENGTH;
    return limit;
}

// v+ <= 1/2 sum |f+| + 1/2 |m(sum f-) - m(sum f+)|, and with a = sum f-, b = -sum f+:
// |m(a) - m(b)| <= ||a| - |b|| + |b| sin(a, b) <= 2 |a - b| = 2 |sum f|
// where the forces of the body itself on the node are sum f.                           [after M5]
double fr_node_value_at_most(double pull, FrVec3 force) { return 0.5 * pull + fr_length(force); }

// does a face of the node lie so that it hangs on less than what is known whether it is along the
// plane?
static bool may_be_along(const FrBreakable *body, const FrShapeView *view, int32_t tet,
                         int32_t node, FrVec3 normal) {
    const int32_t *n = view->tet[tet];
    for (int i = 0; body->open[tet] && i < 4; i++) {
        if (n[i] == node || !(body->open[tet] >> i & 1)) continue;
        FrVec3 area = fr_face_area(view, n, i);
        if (fabs(fabs(fr_dot(area, normal)) - FR_ALONG * fr_length(area)) <=
            2.0 * FR_KNOWN_TO * fr_length(area))
            return true;
    }
    return false;
}

// A first vector of a tensor that is off by `off` is off by off / (value - second - off) (Davis &
// Kahan 1970), and the limit along it by that times twice the largest strength and all areas.
static double load_at_most(const FrBreakable *body, const FrShapeView *view, int32_t node,
                           FrSeparation s, double off) {
    double gap = s.value - s.second - off, most = 0.0;
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    if (s.value + off <= 0.0) return 0.0;
    if (!(off < FR_KNOWN_TO * gap)) return HUGE_VAL;
    for (int32_t k = 0; body->limit[node].tips && k < count; k++)
        if (may_be_along(body, view, star[k], node, s.normal)) return HUGE_VAL;
    double limit = fr_node_limit(body, view, node, s.normal, &most);
    limit -= 2.0 * most * off / gap;
    return limit > 0.0 ? (s.value + off) / limit : HUGE_VAL;
}

void fr_node_loads_at_most_four(const FrBreakable *body, const int32_t node[4],
                                const FrSym3 zeta[4], const double off[4], int count,
                                double load[4]) {
    FrShapeView view;
    fr_fem_view(body->fem, &view);
    FrSym3 own[4];
    FrSeparation s[4];
    bool torn[4];
    for (int k = 0; k < 4; k++) own[k] = zeta[k], torn[k] = k < count && body->limit[node[k]].torn;
    fr_at_crack_four(body, &view, node, torn, own);
    fr_separation_four(own, s);
    for (int k = 0; k < count; k++) load[k] = load_at_most(body, &view, node[k], s[k], off[k]);
}
