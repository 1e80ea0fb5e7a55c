// separation_criterion.c: whether a node of a deformable body fails by the separation tensor, from
// the stresses of the tets round it.

#include "cut/node_surface.h"
#include "fracture/separation_inside.h"
#include "math/decompose.h"
#include "mesh/tetmesh.h"

typedef struct Corners {
    FrVec3 p[4], v[4];
} Corners;

static Corners corners_of(const FrFem *fem, int32_t tet) {
    FrShapeView view;
    fr_fem_view(fem, &view);
    Corners c;
    for (int i = 0; i < 4; i++) {
        int32_t n = view.tet[tet][i];
        c.p[i] = fr_get3(view.p, n), c.v[i] = fr_get3(view.v, n);
    }
    return c;
}

// Material that flows keeps its volume, which linear tets can only do together: they lock and pull
// at each other, up to ten times the yield stress, with a mean tension that the body does not have.
// Of a tet that flows and has not reached its limit no more mean tension counts than flow leaves at
// a free surface, FR_FREE_MEAN sqrt(3/2) 2 mu g1; so it tears where its plastic strain is at the
// limit, or where it is weaker than it yields. A tau is the papers', as they have it.
FrMeanCap fr_mean_cap(const FrMaterial *m, const FrToughness *t) {
    if (t->tau > 0.0 || !(m->yield_strain > 0.0)) return (FrMeanCap){HUGE_VAL, 0.0};
    return (FrMeanCap){FR_FREE_MEAN * sqrt(1.5) * 2.0 * m->mu * m->yield_strain,
                       (1.0 - FR_SCAN_ROUNDING) * m->plastic_limit};
}

static FrSym3 without_locking(FrMeanCap cap, FrSym3 Ep, FrSym3 S) {
    double mean = fr_sym3_trace(S) / 3.0;
    if (!(mean > cap.most && sqrt(fr_sym3_dot(Ep, Ep)) < cap.flowed)) return S;
    FrSym3 identity = {1, 1, 1, 0, 0, 0};
    return fr_sym3_axpy(cap.most - mean, identity, S);
}

// the pressure of what yields is that of the means round its nodes
static FrSym3 with_even_volume(const FrBreakable *body, int32_t tet, FrSym3 E, FrSym3 S) {
    const FrMaterial *material = fr_fem_material(body->fem, tet);
    if (!body->grown || !fr_material_yields(material) || material->anisotropic) return S;
    double off = body->grown[tet] - fr_volume_change(E);
    return fr_sym3_axpy(1.0, fr_volume_stress(material, E, off), S);
}

// what of it counts
static FrSym3 as_tough(const FrBreakable *body, int32_t tet, FrSym3 Ep, FrSym3 S) {
    const FrToughness *t = &body->toughness[fr_fem_region(body->fem, tet)];
    S = without_locking(fr_mean_cap(fr_fem_material(body->fem, tet), t), Ep, S);
    return t->directional ? fr_stress_scaled(t->A, S) : S;
}

// sigma = sigma_elastic + sigma_viscous, plastic strain taken off; thin tets are damped less
static FrSym3 total_stress(const FrBreakable *body, int32_t tet, const FrElement *e,
                           const Corners *c, FrMat3 *F) {
    const FrMaterial *material = fr_fem_material(body->fem, tet);
    *F = fr_element_gradient(e, c->p);
    FrSym3 E = fr_green_strain(*F), Ep = fr_fem_plastic_strain(body->fem, tet);
    FrSym3 S = fr_material_stress(material, E, Ep);
    S = with_even_volume(body, tet, E, S);
    if (!body->elastic_only && (material->phi != 0.0 || material->psi != 0.0)) {
        FrSym3 rate = fr_green_rate(*F, fr_element_gradient(e, c->v));
        FrSym3 viscous = fr_stress_viscous(material->phi, material->psi, rate);
        S = fr_sym3_axpy(fr_fem_damping_factor(body->fem, tet), viscous, S);
    }
    return as_tough(body, tet, Ep, S);
}

FrSym3 fr_breaking_stress(const FrBreakable *body, int32_t tet, FrMat3 *F) {
    Corners c = corners_of(body->fem, tet);
    return total_stress(body, tet, &body->element[tet], &c, F);
}

/// A tet under stress.
typedef struct Stressed {
    const FrElement *e;
    FrMat3 F;
    FrSym3 S;
} Stressed;

static Stressed stressed(const FrBreakable *body, int32_t tet) {
    Stressed s = {.e = &body->element[tet]};
    s.S = fr_breaking_stress(body, tet, &s.F);
    return s;
}

// f+_i = -vol F S+ G_i, f-_i = -vol F S- G_i, N     [S2 eq. 31] [S6 eq. 4.4] [S6 eq. 4.5]
// Departs from the papers: S is half of the printed sigma, so vol instead of vol/2 (E1).
static void pull_corners(const Stressed *s, FrSym3 plus, FrSym3 minus, FrTetPulls *pulls) {
    for (int i = 0; i < 4; i++) {
        FrVec3 G = s->e->G[i];
        pulls->plus[i] = fr_scale(-s->e->volume, fr_mat3_apply(s->F, fr_sym3_apply(plus, G)));
        pulls->minus[i] = fr_scale(-s->e->volume, fr_mat3_apply(s->F, fr_sym3_apply(minus, G)));
    }
}

void fr_tet_pulls(const FrBreakable *body, int32_t tet, FrTetPulls *pulls) {
    Stressed s = stressed(body, tet);
    FrSym3 plus, minus;
    fr_stress_parts(s.S, &plus, &minus);
    pull_corners(&s, plus, minus, pulls);
}

void fr_tet_pulls_four(const FrBreakable *body, const int32_t tet[4], FrTetPulls pulls[4]) {
    Stressed s[4];
    FrSym3 S[4], plus[4], minus[4];
    for (int k = 0; k < 4; k++) {
        s[k] = stressed(body, tet[k]);
        S[k] = s[k].S;
    }
    fr_stress_parts_four(S, plus, minus);
    for (int k = 0; k < 4; k++) pull_corners(&s[k], plus[k], minus[k], &pulls[k]);
}

static void add_tet(const FrBreakable *body, const int32_t *nodes, int32_t tet, int32_t node,
                    FrTearing *tearing) {
    int i = fr_corner_of(nodes, node);
    if (body->pulls_of && body->pulls_of[tet]) {
        const FrTetPulls *known = &body->pulls[body->pulls_of[tet] - 1];
        fr_tearing_add(tearing, known->plus[i], known->minus[i]);
        return;
    }
    FrTetPulls pulls;
    fr_tet_pulls(body, tet, &pulls);
    fr_tearing_add(tearing, pulls.plus[i], pulls.minus[i]);
}

FrVec3 fr_face_area(const FrShapeView *view, const int32_t *nodes, int corner) {
    const int8_t *f = fr_tet_face[corner];
    FrVec3 a = fr_get3(view->p, nodes[f[0]]);
    return fr_cross(fr_sub(fr_get3(view->p, nodes[f[1]]), a),
                    fr_sub(fr_get3(view->p, nodes[f[2]]), a));
}

FrVec3 fr_opposite_area(const FrShapeView *view, const int32_t *nodes, int32_t node) {
    return fr_scale(-1.0 / 6.0, fr_face_area(view, nodes, fr_corner_of(nodes, node)));
}

// When a face of the tet at the node opened that lies on a crack along this plane, s: there nothing
// holds any more. Below 0: there is none.
static double behind_tip(const FrBreakable *body, const FrShapeView *view, int32_t tet,
                         int32_t node, FrVec3 normal) {
    if (!body->open[tet]) return -1.0;
    const double(*opened)[4] = fr_cutmesh_opened(body->cut);
    const int32_t *n = view->tet[tet];
    for (int i = 0; i < 4; i++) {
        if (n[i] == node || opened[tet][i] < 0.0) continue;
        FrVec3 area = fr_face_area(view, n, i);
        if (fabs(fr_dot(area, normal)) >= FR_ALONG * fr_length(area)) return opened[tet][i];
    }
    return -1.0;
}

bool fr_opens_at(const FrBreakable *body, int32_t tet, int32_t node) {
    const double *opened = fr_cutmesh_opened(body->cut)[tet];
    const int32_t *n = fr_cutmesh_view(body->cut)->tet[tet];
    for (int i = 0; i < 4; i++)
        if (n[i] != node && opened[i] >= 0.0) return true;
    return false;
}

bool fr_is_torn(const FrBreakable *body, int32_t node) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    for (int32_t k = 0; k < count; k++)
        if (fr_opens_at(body, star[k], node)) return true;
    return false;
}

/// The tip of a crack, as the node in it sees it.
typedef struct Tip {
    bool there;
    double reach; ///< mean length of the edges that lead ahead, m
    double since; ///< when the crack got here, s
} Tip;

// when the crack along this plane got to the node, s; below 0: there is none
static double crack_since(const FrBreakable *body, const FrShapeView *view, int32_t node,
                          FrVec3 normal) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    double since = -1.0;
    for (int32_t k = 0; k < count; k++)
        since = fr_max(since, behind_tip(body, view, star[k], node, normal));
    return since;
}

static Tip find_tip(const FrBreakable *body, const FrShapeView *view, int32_t node, FrVec3 normal) {
    int32_t count, edges = 0;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    Tip tip = {.since = -1.0};
    if (body->limit[node].tips) tip.since = crack_since(body, view, node, normal);
    if (tip.since < 0.0) return tip;
    FrVec3 at = fr_get3(view->p, node);
    for (int32_t k = 0; k < count; k++) {
        if (behind_tip(body, view, star[k], node, normal) >= 0.0) continue;
        for (int i = 0; i < 4; i++) {
            int32_t other = view->tet[star[k]][i];
            tip.reach += fr_distance(fr_get3(view->p, other), at);
            edges += other != node;
        }
    }
    tip.there = edges > 0;
    tip.reach /= fr_max_i(edges, 1);
    return tip;
}

// The stress that is enough, Pa. Ahead of a tip it falls as K / sqrt(2 pi x); tets of size r see
// its mean over r: K sqrt(2 / (pi r)) with K = sqrt(E Gc). A crack that runs on this alone takes
// its time. Lead and rubber, whose toughness is larger, break at their strength everywhere.
static double stress_needed(const FrBreakable *body, const FrToughness *t, const Tip *tip) {
    if (!tip->there || !(t->tip > 0.0)) return t->strength;
    if (t->crack_speed * (body->now - tip->since) < tip->reach) return t->strength;
    return fr_min(t->strength, t->tip * sqrt(2.0 / (FR_PI * tip->reach)));
}

// The limit along the plane with this normal, N: the raw tau, or strength times the area that the
// node holds; at the tip of a crack in a material with a breaking energy that is what lies ahead of
// it (without one, as in the papers, tips count the whole star: they run straighter and later).
// Several materials: the mean, weighted with that area.
double fr_node_limit(const FrBreakable *body, const FrShapeView *view, int32_t node, FrVec3 normal,
                     double *most) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    FrHold hold = {.normal = normal};
    double strength = 0.0, tau = 0.0, weight = 0.0, strongest = 0.0, areas = 0.0;
    Tip tip = find_tip(body, view, node, normal);
    for (int32_t k = 0; k < count; k++) {
        const FrToughness *t = &body->toughness[fr_fem_region(body->fem, star[k])];
        double weak = body->weak ? body->weak[star[k]] : 1.0;
        if (!(t->strength > 0.0 || t->tau > 0.0)) return (double)INFINITY;
        FrVec3 area = fr_opposite_area(view, view->tet[star[k]], node);
        double share = fabs(fr_dot(area, normal));
        bool ahead = !tip.there || behind_tip(body, view, star[k], node, normal) < 0.0;
        fr_hold_add(&hold, area);
        weight += share;
        if (most) strongest = fr_max(strongest, weak * t->strength), areas += fr_length(area);
        if (t->tau > 0.0)
            tau += share * weak * t->tau;
        else if (ahead || !(t->tip > 0.0))
            strength += share * weak * stress_needed(body, t, &tip);
    }
    if (most) *most = strongest * areas;
    if (!(weight > 0.0)) return (double)INFINITY;
    return (tau + strength * fr_hold_area(&hold)) / weight;
}

static FrTearing tearing_at(const FrBreakable *body, const FrShapeView *view, int32_t node) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    FrTearing tearing = {0};
    for (int32_t k = 0; k < count; k++) add_tet(body, view->tet[star[k]], star[k], node, &tearing);
    return tearing;
}

// Z without the axes that the faces of a surface lie across: there it counts as pushed.
static FrSym3 in_axes(FrSym3 zeta, const FrEigen3 *outside) {
    FrMat3 P = fr_mat3_identity;
    FrSym3 across = fr_sym3_zero;
    double pushed = -sqrt(fr_sym3_dot(zeta, zeta));
    for (int k = 0; k < 3; k++) {
        FrVec3 s = outside->vector[k];
        if (!(outside->value[k] > FR_SURFACE_SHARE)) continue;
        P = fr_mat3_axpy(-1.0, fr_outer(s, s), P);
        across = fr_sym3_axpy(pushed, fr_mat3_sym(fr_outer(s, s)), across);
    }
    return fr_sym3_axpy(1.0, across, fr_stress_scaled(P, zeta));
}

static FrSym3 in_surface(FrSym3 zeta, FrSym3 faces) {
    FrEigen3 outside = fr_sym3_eigen(faces);
    return in_axes(zeta, &outside);
}

FrVec3 fr_wall_at(const FrBreakable *body, int32_t node) {
    FrShapeView view;
    fr_fem_view(body->fem, &view);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    FrVec3 sum = fr_vec3_zero;
    for (int32_t k = 0; body->wall && k < count; k++) {
        FrVec3 p[4], rest = body->wall[star[k]];
        for (int i = 0; i < 4; i++) p[i] = fr_get3(view.p, view.tet[star[k]][i]);
        if (!(fr_dot(rest, rest) > 0.0)) return fr_vec3_zero;
        FrMat3 F = fr_element_gradient(&body->element[star[k]], p);
        FrVec3 way = fr_normalize(fr_mat3_apply(fr_mat3_cofactor(F), rest));
        sum = fr_axpy(fr_dot(way, sum) < 0.0 ? -1.0 : 1.0, way, sum);
    }
    return fr_length(sum) > FR_WALL_FOLD * count ? fr_normalize(sum) : fr_vec3_zero;
}

// Inside a wall of two tets these do not tell what pulls across it: bent, such flat tets lock, and
// have stresses across that no plate has. There only what pulls along the wall counts, as in
// Kirchhoff's plates (plane stress).
static FrSym3 in_wall(const FrBreakable *body, int32_t node, FrSym3 zeta) {
    FrVec3 way = fr_wall_at(body, node);
    return fr_dot(way, way) > 0.0 ? in_surface(zeta, fr_mat3_sym(fr_outer(way, way))) : zeta;
}

// Nothing pulls at a free surface from outside, so that its normal is no direction of tension. On
// the sides of a crack that went by, only what pulls along them counts: P Z P, P without their
// normals. What tears the outside of a thin wall along its normal is shear through it: that fails
// as it does in the papers, but the plane stands on the surface squarely, and crosses edges of the
// body. Departs from the papers, whose tau has Z alone.
static FrSeparation squared(const FrBreakable *body, const FrShapeView *view, int32_t node,
                            FrSym3 zeta, FrVec3 *plane) {
    FrNodeSurface surface;
    fr_node_surface(body->cut, view->p, node, &surface);
    bool inside = !(fr_sym3_trace(surface.outer) > 0.0);
    if (inside) zeta = in_wall(body, node, zeta);
    if (!surface.ends) zeta = in_surface(zeta, surface.crack);
    FrSeparation s = fr_separation(zeta), square = fr_separation(in_surface(zeta, surface.outer));
    bool corner =
        square.value < -(1.0 - FR_SCAN_ROUNDING) * sqrt(fr_sym3_dot(zeta, zeta)); // no axis is left
    *plane = corner ? s.normal : square.normal;
    return s;
}

// Of nodes on the sides of a crack that went by nothing counts along its normal: what is left is
// compared with the limit as it is.
void fr_at_crack_four(const FrBreakable *body, const FrShapeView *view, const int32_t node[4],
                      const bool torn[4], FrSym3 zeta[4]) {
    FrSym3 faces[4] = {{0}};
    FrEigen3 outside[4];
    bool along[4], any = false;
    for (int k = 0; k < 4; k++) {
        FrNodeCrack crack;
        along[k] = torn[k] && fr_node_crack(body->sides, view->p, node[k], &crack);
        if (along[k]) faces[k] = crack.faces;
        any = any || along[k];
    }
    if (!any) return;
    fr_sym3_eigen_four(faces, outside);
    for (int k = 0; k < 4; k++)
        if (along[k]) zeta[k] = in_axes(zeta[k], &outside[k]);
}

// s s' of the axes that the faces of a surface lie across
static FrSym3 axes_across(const FrEigen3 *outside) {
    FrSym3 across = fr_sym3_zero;
    for (int k = 0; k < 3; k++)
        if (outside->value[k] > FR_SURFACE_SHARE)
            across = fr_sym3_axpy(1.0, fr_outer_times(1.0, outside->vector[k]), across);
    return across;
}

// Is each side, and what is left of it without the axes that they lie across, surely more than 30
// degrees apart? So is any direction without these then.
static bool all_across(const FrNodeCrack *crack, FrSym3 across) {
    const double most = FR_ALONG * FR_ALONG - FR_ALONG_OFF;
    for (int32_t j = 0; j < crack->sides; j++) {
        FrVec3 s = crack->side[j];
        double size = fr_dot(s, s), left = size - fr_dot(s, fr_sym3_apply(across, s));
        if (!(left < most * size)) return false;
    }
    return crack->sides < FR_SIDES;
}

void fr_cracks_passed_four(const FrBreakable *body, const int32_t node[4], bool passed[4],
                           FrSym3 across[4]) {
    FrShapeView view;
    fr_fem_view(body->fem, &view);
    FrNodeCrack crack[4];
    FrSym3 faces[4] = {{0}};
    FrEigen3 outside[4];
    for (int k = 0; k < 4; k++) {
        passed[k] = passed[k] && fr_node_crack(body->sides, view.p, node[k], &crack[k]);
        if (passed[k]) faces[k] = crack[k].faces;
    }
    fr_sym3_eigen_four(faces, outside);
    for (int k = 0; k < 4; k++) {
        across[k] = axes_across(&outside[k]);
        passed[k] = passed[k] && all_across(&crack[k], across[k]);
    }
}

static bool by_tau(const FrBreakable *body, int32_t node) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(body->cut, node, &count);
    for (int32_t k = 0; k < count; k++)
        if (body->toughness[fr_fem_region(body->fem, star[k])].tau > 0.0) return true;
    return false;
}

// `s`: of nodes by tau
static FrNodeState judged(const FrBreakable *body, const FrShapeView *view, int32_t node,
                          const FrTearing *tearing, FrSym3 zeta, FrSeparation s) {
    if (fr_fem_held(body->fem, node))
        return (FrNodeState){.limit = (double)INFINITY, .normal = {1, 0, 0}};
    FrVec3 plane = s.normal;
    if (!by_tau(body, node)) s = squared(body, view, node, zeta, &plane);
    FrNodeState state = {.value = s.value,
                         .limit = fr_node_limit(body, view, node, s.normal, NULL),
                         .normal = plane};
    // pure compression opens nothing                                                       [E65]
    if (tearing->pull < FR_LEAST_PULL * state.limit) state.limit = (double)INFINITY;
    return state;
}

FrNodeState fr_node_state(const FrBreakable *body, int32_t node, FrSym3 residual) {
    FrShapeView view;
    fr_fem_view(body->fem, &view);
    FrTearing tearing = tearing_at(body, &view, node);
    FrSym3 zeta = fr_sym3_axpy(1.0, residual, fr_separation_tensor(&tearing));
    return judged(body, &view, node, &tearing, zeta, fr_separation(zeta));
}

// As `judged`, but for the plane of a node that holds; `own`: of what counts at a crack. In a wall
// what pulls across it may hide a failure along it.
static FrNodeState judged_quickly(const FrBreakable *body, const FrShapeView *view, int32_t node,
                                  const FrTearing *tearing, FrSym3 zeta, FrSeparation own) {
    FrNodeState state = {.value = own.value,
                         .limit = fr_node_limit(body, view, node, own.normal, NULL),
                         .normal = own.normal};
    return fr_node_fails(&state) || body->wall ? judged(body, view, node, tearing, zeta, own)
                                               : state;
}

void fr_node_states_four(const FrBreakable *body, const int32_t node[4], FrNodeState state[4]) {
    FrShapeView view;
    fr_fem_view(body->fem, &view);
    FrTearing tearing[4];
    FrSym3 zeta[4], own[4];
    FrSeparation s[4];
    bool torn[4];
    for (int k = 0; k < 4; k++) {
        tearing[k] = tearing_at(body, &view, node[k]);
        zeta[k] = fr_sym3_axpy(1.0, fr_sym3_zero, fr_separation_tensor(&tearing[k]));
        own[k] = zeta[k];
        torn[k] = body->limit[node[k]].torn && !by_tau(body, node[k]);
    }
    fr_at_crack_four(body, &view, node, torn, own);
    fr_separation_four(own, s);
    for (int k = 0; k < 4; k++)
        state[k] = judged_quickly(body, &view, node[k], &tearing[k], zeta[k], s[k]);
}
