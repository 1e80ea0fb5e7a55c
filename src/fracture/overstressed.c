// overstressed.c: at which stress the nodes of a tet are scanned.

#include "fracture/inside.h"
#include "mesh/tetmesh.h"

// a third of the face of a tet opposite a node, at rest, m^2
static double area_opposite(const FrTetMesh *mesh, int32_t tet, int32_t node) {
    const int32_t *n = mesh->tet[tet];
    int32_t o[3];
    for (int j = 0, m = 0; j < 4; j++)
        if (n[j] != node && m < 3) o[m++] = n[j];
    FrVec3 a = fr_get3(mesh->x, o[0]);
    return fr_length(
               fr_cross(fr_sub(fr_get3(mesh->x, o[1]), a), fr_sub(fr_get3(mesh->x, o[2]), a))) /
           6.0;
}

static double area_round(const FrFracture *f, int32_t node) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    double area = 0.0;
    for (int32_t k = 0; k < count; k++) area += area_opposite(mesh, star[k], node);
    return area;
}

// v+ <= 1/2 sum |f+| + 1/2 sum |f-| <= sqrt(1/2) |F| |S| sum vol |G|, since |S+|^2 + |S-|^2 =
// |S|^2: as long as no |F| is above 1.7 a node fails only above 0.8 tau / (sum vol |G|)
static double overstress_by_tau(const FrFracture *f, int32_t tet, double tau) {
    const int32_t *n = fr_cutmesh_view(f->cut)->tet[tet];
    double least = HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        double area = f->scratch.limits.area.data[n[i]];
        if (area > 0.0) least = fr_min(least, 2.0 * tau / area);
    }
    return FR_OVERSTRESSED_SHARE * least;
}

// tips of cracks fail below the strength, down to what stops a crack in tets of this size
static double tip_share(const FrFracture *f, const FrToughness *t, int32_t tet) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    const int32_t *n = mesh->tet[tet];
    bool near = false;
    double edge = 0.0;
    for (int i = 0; i < 4; i++) near = near || f->scratch.limits.limit.data[n[i]].torn;
    if (!near || !(t->tip > 0.0) || !(t->strength > 0.0)) return 1.0;
    for (int k = 0; k < 6; k++)
        edge = fr_max(edge, fr_distance(fr_get3(mesh->x, n[fr_tet_edge[k][0]]),
                                        fr_get3(mesh->x, n[fr_tet_edge[k][1]])));
    return fr_min(1.0, t->tip * sqrt(2.0 / (FR_PI * edge)) / t->strength);
}

// scaled stresses are at most this times the true ones: |A S A| <= |A|^2 |S|, and rounding
double fr_fracture_most_scaled(const FrToughness *t) {
    return t->directional ? (1.0 + FR_SCAN_ROUNDING) * fr_mat3_norm(t->A) * fr_mat3_norm(t->A)
                          : 1.0;
}

// of the true stress
static double overstress_of(const FrFracture *f, int32_t tet) {
    if (fr_fem_is_rigid(f->fem, tet)) return HUGE_VAL;
    const FrToughness *t = &f->settings.toughness[fr_fem_region(f->fem, tet)];
    double weak = f->state.weak.count ? f->state.weak.data[tet] : 1.0,
           scale = fr_fracture_most_scaled(t);
    if (t->tau > 0.0) return overstress_by_tau(f, tet, weak * t->tau) / scale;
    if (!(t->strength > 0.0)) return HUGE_VAL;
    return FR_OVERSTRESSED_SHARE * weak * t->strength * tip_share(f, t, tet) / scale;
}

double fr_fracture_weakest(const FrFracture *f) {
    double least = HUGE_VAL;
    for (int32_t e = 0; e < f->scratch.limits.overstress.count; e++)
        least = fr_min(least, f->scratch.limits.overstress.data[e]);
    return least / FR_OVERSTRESSED_SHARE;
}

static void make_element(FrFracture *f, int32_t tet) {
    const int32_t *n = fr_cutmesh_view(f->cut)->tet[tet];
    const double *rest = fr_fem_rest(f->fem);
    FrVec3 m[4];
    for (int i = 0; i < 4; i++) m[i] = fr_get3(rest, n[i]);
    fr_element_make(m, &f->scratch.limits.element.data[tet]);
}

// what is known of a tet at rest
static void limit_tet(FrFracture *f, int32_t tet) {
    const double *opened = fr_cutmesh_opened(f->cut)[tet];
    f->scratch.limits.overstress.data[tet] = overstress_of(f, tet);
    f->scratch.limits.open.data[tet] = 0;
    for (int i = 0; i < 4; i++)
        f->scratch.limits.open.data[tet] |= (uint8_t)((opened[i] >= 0.0) << i);
    make_element(f, tet);
}

// what limits hang on at a node, once
static void limit_node(FrFracture *f, int32_t node) {
    if (f->scratch.scan.mark.data[node]) return;
    f->scratch.limits.area.data[node] = area_round(f, node);
    FrBreakable body = fr_fracture_body(f);
    f->scratch.limits.limit.data[node] = fr_node_limit_kind(&body, node);
    f->state.wait.data[node] = 0;
    f->scratch.scan.mark.data[node] = 1;
}

static void limit_star(FrFracture *f, int32_t node) {
    if (!f->scratch.scan.mark.data[node]) return;
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    for (int32_t k = 0; k < count; k++) limit_tet(f, star[k]);
    f->scratch.scan.mark.data[node] = 0;
}

void fr_fracture_limit_tets(FrFracture *f, const int32_t *tet, int32_t count) {
    for (int32_t k = 0; k < count; k++) limit_tet(f, tet[k]);
    f->scratch.limits.topology = 0;
}

static void limit_all(FrFracture *f) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    for (int32_t n = 0; n < mesh->node_count; n++) limit_node(f, n);
    for (int32_t n = 0; n < mesh->node_count; n++) f->scratch.scan.mark.data[n] = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) limit_tet(f, e);
}

static void each_node(FrFracture *f, const FrCutLog *log, void (*visit)(FrFracture *, int32_t)) {
    for (int32_t k = 0; k < log->tet_count; k++)
        for (int i = 0; i < 4; i++) {
            visit(f, log->tets[k].parent_node[i]);
            visit(f, log->tets[k].node[i]);
        }
    for (int32_t k = 0; k < log->face_count; k++)
        for (int i = 0; i < 3; i++) {
            visit(f, log->faces[k].plus_node[i]);
            visit(f, log->faces[k].minus_node[i]);
        }
}

// All round the nodes of what changed: first the nodes, then the tets. The same limits follow from
// a checkpoint.
static void limit_cut(FrFracture *f, const FrCutLog *log) {
    each_node(f, log, limit_node);
    each_node(f, log, limit_star);
}

bool fr_fracture_follow(FrFracture *f, const FrCutLog *log) {
    if (!log) f->scratch.scan.grown.count = 0;
    if (!fr_fracture_arrays_follow(f, log)) return false;
    if (!log) {
        f->scratch.limits.topology = 0;
        limit_all(f);
        return true;
    }
    for (int32_t k = 0; k < log->tet_count; k++)
        f->scratch.scan.pulls_of.data[log->tets[k].child] = 0;
    limit_cut(f, log);
    return true;
}

// strengths, and where tips may not count them, by places
static bool place_strengths(FrFracture *f) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    const double(*opened)[4] = fr_cutmesh_opened(f->cut);
    int32_t lanes = 4 * fr_fem_block_count(f->fem);
    f->scratch.limits.strength.count = f->scratch.limits.behind.count = 0;
    if (!fr_array_extend(f->ctx, &f->scratch.limits.strength, lanes) ||
        !fr_array_extend(f->ctx, &f->scratch.limits.behind, lanes))
        return false;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        const FrToughness *t = &f->settings.toughness[fr_fem_region(f->fem, e)];
        int32_t lane = fr_fem_tet_lane(f->fem, e);
        f->scratch.limits.strength.data[lane] =
            (f->state.weak.count ? f->state.weak.data[e] : 1.0) * t->strength;
        for (int i = 0; t->tip > 0.0 && i < 4; i++)
            if (opened[e][i] >= 0.0)
                f->scratch.limits.behind.data[lane] |= (uint8_t)(15 & ~(1 << i));
    }
    return true;
}

// the smallest limit in each chunk, the squares of all and strengths by their places, and sides of
// cracks
bool fr_fracture_limit_chunks(FrFracture *f) {
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    if (f->scratch.limits.topology == view.topology) return true;
    int32_t chunks = fr_fem_chunk_count(f->fem);
    f->scratch.limits.chunk_overstress.count = f->scratch.limits.overstress2.count = 0;
    if (!fr_array_extend(f->ctx, &f->scratch.limits.chunk_overstress, chunks)) return false;
    for (int32_t k = 0; k < chunks; k++) {
        int32_t count;
        const int32_t *tet = fr_fem_chunk_tets(f->fem, k, &count);
        double least = HUGE_VAL;
        if (!fr_array_reserve(f->ctx, &f->scratch.limits.overstress2, count)) return false;
        for (int32_t j = 0; j < count; j++) {
            double limit = tet[j] >= 0 ? f->scratch.limits.overstress.data[tet[j]] : HUGE_VAL;
            least = fr_min(least, limit);
            f->scratch.limits.overstress2.data[f->scratch.limits.overstress2.count++] =
                limit * limit;
        }
        f->scratch.limits.chunk_overstress.data[k] = least;
    }
    if (!place_strengths(f)) return false;
    if (!fr_crack_sides_list(f->ctx, f->cut, f->scratch.limits.open.data, &f->scratch.limits.sides))
        return false;
    f->scratch.limits.topology = view.topology;
    return true;
}

// is all stress below a thousandth of what may break something?
bool fr_fracture_at_ease(FrFracture *f) {
    if (f->settings.by_tau || !fr_fracture_limit_chunks(f)) return false;
    for (int32_t k = 0; k < f->scratch.limits.chunk_overstress.count; k++)
        if (fr_fem_chunk_stress(f->fem, k) >=
            FR_AT_EASE / FR_OVERSTRESSED_SHARE * f->scratch.limits.chunk_overstress.data[k])
            return false;
    return true;
}
