// bounds.c: how far nodes are from failing, at least, whatever their planes turn to.

#include "fracture/criterion_inside.h"

/// What limits of a node hang on.
typedef struct Held {
    double tau;   ///< N, the least; HUGE_VAL: none
    double far2;  ///< square of the longest edge, m^2
    bool torn;    ///< a face opens at it
    bool tip;     ///< it may be at a tip, where less than the strength is enough
    bool never;   ///< something round it does not break
    bool unknown; ///< by direction, or by tau and strength
} Held;

// does a face of the tet open at the node?
static bool opens_at(const FrBreakable *body, const int32_t *n, int32_t tet, int32_t node) {
    const double *opened = fr_cutmesh_opened(body->cut)[tet];
    for (int i = 0; i < 4; i++)
        if (n[i] != node && opened[i] >= 0.0) return true;
    return false;
}

static Held held_at(const FrBreakable *body, const FrShapeView *view, int32_t node) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    Held held = {.tau = HUGE_VAL};
    bool strong = false;
    for (int32_t k = 0; k < count; k++) {
        const FrToughness *t = &body->toughness[fr_fem_region(body->fem, star[k])];
        const int32_t *n = view->tet[star[k]];
        held.never = held.never || !(t->strength > 0.0 || t->tau > 0.0);
        held.unknown = held.unknown || t->directional;
        if (t->tau > 0.0)
            held.tau = fr_min(held.tau, (body->weak ? body->weak[star[k]] : 1.0) * t->tau);
        else
            strong = true;
        bool open = opens_at(body, n, star[k], node);
        held.torn = held.torn || open;
        if (t->tau > 0.0 || !(t->tip > 0.0)) continue;
        held.tip = held.tip || open;
        for (int i = 0; i < 4; i++)
            held.far2 = fr_max(held.far2,
                               fr_length2(fr_sub(fr_get3(view->p, n[i]), fr_get3(view->p, node))));
    }
    held.unknown = held.unknown || (strong && held.tau < HUGE_VAL);
    return held;
}

// Edges that lead ahead of a tip are no longer than the longest; what a tet with an open face holds
// may not count there.
static FrHoldBound hold_of(const FrBreakable *body, const FrShapeView *view, int32_t node,
                           const Held *held, FrVec3 normal) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    FrHoldBound bound = {.along = normal};
    for (int32_t k = 0; k < count; k++) {
        const FrToughness *t = &body->toughness[fr_fem_region(body->fem, star[k])];
        const int32_t *n = view->tet[star[k]];
        bool tip = held->tip && t->tip > 0.0;
        if (tip && opens_at(body, n, star[k], node)) continue;
        double stress = tip ? fr_min(t->strength, t->tip * sqrt(2.0 / (FR_PI * sqrt(held->far2))))
                            : t->strength;
        fr_hold_bound_add(&bound, fr_opposite_area(view, n, node),
                          (body->weak ? body->weak[star[k]] : 1.0) * stress);
    }
    return bound;
}

double fr_node_tau(const FrBreakable *body, int32_t node) {
    FrShapeView view;
    fr_fem_view(body->fem, &view);
    Held held = held_at(body, &view, node);
    return held.unknown || held.never || !(held.tau < HUGE_VAL) ? 0.0 : held.tau;
}

// how far v+ is from the limit along the normal that goes with it, N; of a node with open faces
// that is not the one of zeta alone: for all normals
static double room_at(const FrBreakable *body, const FrShapeView *view, int32_t node,
                      const Held *held, FrSym3 zeta, FrSeparation s, double enough) {
    if (held->never) return HUGE_VAL;
    if (held->unknown) return -1.0;
    if (held->tau < HUGE_VAL) return held->tau - s.value;
    if (held->torn && enough <= 0.0) return 0.0;
    FrHoldBound bound = hold_of(body, view, node, held, s.normal);
    double near = held->torn ? 0.0 : fr_hold_room_near(&bound, s.value, s.second, enough);
    return near >= enough ? near : fr_max(near, fr_hold_room(&bound, !held->tip, zeta, enough));
}

// v+ <= 1/2 sum |f+| + 1/2 |m(sum f-) - m(sum f+)|, and with a = sum f-, b = -sum f+:
// |m(a) - m(b)| <= ||a| - |b|| + |b| sin(a, b) <= 2 |a - b| = 2 |sum f|
// where the forces of the body itself on the node are sum f.                           [after M5]
double fr_node_value_at_most(double pull, FrVec3 force) { return 0.5 * pull + fr_length(force); }

/// The vector of a separation tensor is known this well where limits are taken along it, rad.
#define KNOWN_TO 1e-3

// does a face of the node lie so that it hangs on less than what is known whether it is along the
// plane?
static bool may_be_along(const FrBreakable *body, const FrShapeView *view, int32_t tet,
                         int32_t node, FrVec3 normal) {
    const double *opened = fr_cutmesh_opened(body->cut)[tet];
    const int32_t *n = view->tet[tet];
    for (int i = 0; i < 4; i++) {
        if (n[i] == node || opened[i] < 0.0) continue;
        FrVec3 area = fr_face_area(view, n, i);
        if (fabs(fabs(fr_dot(area, normal)) - FR_ALONG * fr_length(area)) <=
            2.0 * KNOWN_TO * fr_length(area))
            return true;
    }
    return false;
}

// Does a node with open faces hold, as it stands now, if its tensor is off by no more than `off`,
// N? Then its first vector is off by off / (value - second - off) (Davis & Kahan 1970), and the
// limit along it by that times the largest strength and all areas.
static bool holds_now(const FrBreakable *body, const FrShapeView *view, int32_t node, FrSym3 zeta,
                      double off) {
    FrSeparation s = fr_separation(fr_at_crack(body, view, node, zeta));
    double gap = s.value - s.second - off, most = 0.0, areas = 0.0;
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    if (!(off < KNOWN_TO * gap)) return false;
    for (int32_t k = 0; k < count; k++) {
        if (may_be_along(body, view, star[k], node, s.normal)) return false;
        double weak = body->weak ? body->weak[star[k]] : 1.0;
        most = fr_max(most, weak * body->toughness[fr_fem_region(body->fem, star[k])].strength);
        areas += fr_length(fr_opposite_area(view, view->tet[star[k]], node));
    }
    double limit = fr_node_limit(body, view, node, s.normal);
    return s.value + off + 2.0 * most * areas * off / gap < limit;
}

void fr_node_rooms_four(const FrBreakable *body, const int32_t node[4], const FrSym3 zeta[4],
                        const double off[4], const double *tau, const double enough[4],
                        double room[4], bool holds[4]) {
    FrShapeView view;
    fr_fem_view(body->fem, &view);
    bool by_tau = true;
    for (int k = 0; k < 4; k++) {
        bool own = tau[node[k]] > 0.0;
        room[k] = own ? tau[node[k]] - fr_separation_at_most(zeta[k]) : 0.0;
        holds[k] = room[k] > off[k];
        by_tau = by_tau && own;
    }
    if (by_tau) return;
    FrSeparation s[4];
    fr_separation_four(zeta, s);
    for (int k = 0; k < 4; k++) {
        if (tau[node[k]] > 0.0) continue;
        Held held = held_at(body, &view, node[k]);
        room[k] = room_at(body, &view, node[k], &held, zeta[k], s[k], enough[k]);
        bool torn = held.torn && !held.unknown && !(held.tau < HUGE_VAL);
        holds[k] = room[k] > off[k] || (torn && holds_now(body, &view, node[k], zeta[k], off[k]));
    }
}
