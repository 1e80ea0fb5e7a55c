// judge.c: whether a blow breaks a body, and along which regions: Rankine's limit, regions under an
// energy budget (M20, M34).

#include "shatter/shatter_inside.h"
#include "fracture/regions.h"
#include "fracture/separation.h"
#include "material/laws.h"
#include "material/material_tuning.h"
#include "math/decompose.h"

// at the corner nodes: the least of the tets around
static double limit_at(const FrShatter *s, const double *weakest, int32_t n) {
    return s->material.strength * (weakest ? weakest[n] : 1.0);
}

static FrResult weakest_nodes(const FrShatter *s, double **weakest) {
    *weakest = NULL;
    if (!s->weak) return FR_OK;
    double *w = FR_NEW(s->ctx, double, s->mesh.node_count);
    if (!w) return fr_no_memory(s->ctx, "a blow");
    for (int32_t n = 0; n < s->mesh.node_count; n++) w[n] = HUGE_VAL;
    for (int32_t e = 0; e < s->mesh.tet_count; e++)
        for (int i = 0; i < 4; i++) {
            double *at = &w[s->mesh.tet[e][i]];
            *at = fr_min(*at, s->weak[e]);
        }
    *weakest = w;
    return FR_OK;
}

// stress this near a contact crushes and does not break: half a wall, whatever the mesh
static bool in_contact(const FrShatter *s, const FrStrike *strike, FrVec3 x) {
    for (int32_t k = 0; k < strike->point_count; k++)
        if (fr_distance(x, strike->self.point[k]) < FR_CRUSHED * s->wall) return true;
    return false;
}

/// The node that is nearest to its limit.
typedef struct Worst {
    int32_t node;
    double share; ///< stress over limit
    FrEigen3 eigen;
} Worst;

// Rankine: it breaks where the largest principal stress passes the strength          [S7 3.2]
static Worst worst_node(const FrShatter *s, const FrStrike *strike, const FrSym3 *field,
                        const double *weakest) {
    Worst worst = {.node = -1};
    for (int32_t n = 0; n < s->mesh.node_count; n++) {
        double limit = limit_at(s, weakest, n);
        // |largest principal stress| <= Frobenius norm
        FrSym3 f = s->directional ? fr_stress_scaled(s->tougher, field[n]) : field[n];
        double norm2 = f.xx * f.xx + f.yy * f.yy + f.zz * f.zz +
                       2.0 * (f.yz * f.yz + f.zx * f.zx + f.xy * f.xy);
        double most = worst.share * limit;
        if (!(norm2 > most * most) || in_contact(s, strike, fr_get3(s->mesh.x, n))) continue;
        FrEigen3 eigen = fr_sym3_eigen(f);
        if (eigen.value[0] > most) worst = (Worst){n, eigen.value[0] / limit, eigen};
    }
    return worst;
}

static double largest_left(const FrShatter *s, const FrRung *r) {
    double most = 0.0;
    for (int32_t n = 0; n < s->mesh.node_count; n++) {
        FrSym3 f = r->stress_left[n];
        double norm2 = f.xx * f.xx + f.yy * f.yy + f.zz * f.zz +
                       2.0 * (f.yz * f.yz + f.zx * f.zx + f.xy * f.xy);
        most = fr_max(most, norm2);
    }
    return sqrt(most);
}

/// Looking through the moments of a blow for the first that breaks the body.
typedef struct Search {
    FrShatter *shatter;
    const FrStrike *strike;
    const FrRung *rung;
    const FrModalBlow *blow;
    FrVec3 from;     ///< where cracks begin, m
    double *weakest; ///< of each node (node_count); NULL: 1
    double *q;       ///< (own modes)
    FrSym3 *shape;   ///< the stress that shapes cracks, Pa (node_count)
    double least;    ///< limit of all nodes, Pa
    double left;     ///< largest residual stress, Pa/N
} Search;

// sum |q_i| max S_i + F max S_r: no stress is larger
static bool may_break(const Search *search, int32_t k) {
    FrStressModes modes = fr_stress_modes(search->shatter->stress);
    const float *q = search->blow->q + (size_t)k * (size_t)search->rung->own;
    double sum = search->left * search->blow->moment[k].force;
    for (int32_t i = 0; i < modes.count; i++) sum += fabs((double)q[i]) * modes.most[i];
    return sum > search->least;
}

static Worst judge_moment(const Search *search, int32_t k) {
    FrShatter *s = search->shatter;
    const float *q = search->blow->q + (size_t)k * (size_t)search->rung->own;
    // the blow counts displacement against the push
    for (int32_t i = 0; i < search->rung->own; i++) search->q[i] = -(double)q[i];
    fr_stress_field(s->stress, search->q, search->blow->moment[k].force, search->rung->stress_left,
                    s->field);
    return worst_node(s, search->strike, s->field, search->weakest);
}

// how much the body is stressed in a second direction, over the first: 0 a bar, 1 a pane's middle
static double both_ways(FrSym3 stress) {
    FrEigen3 e = fr_sym3_eigen(stress); // values descend: the largest is at one of the ends
    double a = fabs(e.value[0]), b = fabs(e.value[1]), c = fabs(e.value[2]);
    double most = fr_max(a, c);
    return most > 0.0 ? fr_max(b, fr_min(a, c)) / most : 0.0;
}

// Near where it is pushed a body is not unloaded: the push goes on, and its stress changes over the
// way to it. There pieces are as wide as a dozen cracks leave them that go out from it, down to the
// wall, if it is pulled both ways.
static double *closer_to_contact(const Search *search) {
    const FrShatter *s = search->shatter;
    double *closer = FR_NEW(s->ctx, double, s->mesh.node_count), wide = FR_OUTRUN * s->wall;
    for (int32_t n = 0; closer && n < s->mesh.node_count; n++) {
        double way = wide;
        for (int32_t k = 0; k < search->strike->point_count; k++)
            way = fr_min(way, fr_distance(fr_get3(s->mesh.x, n), search->strike->self.point[k]));
        double near = 1.0 - fr_max(FR_DOZEN * way, s->wall) / wide;
        closer[n] = near > 0.0 ? 1.0 - near * both_ways(search->shape[n]) : 1.0;
    }
    return closer;
}

// the middle of the points that were struck; where cracks begin, if nothing was
static FrVec3 struck_at(const Search *search) {
    const FrStrike *strike = search->strike;
    FrVec3 sum = fr_vec3_zero;
    for (int32_t k = 0; k < strike->point_count; k++) sum = fr_add(sum, strike->self.point[k]);
    return strike->point_count ? fr_scale(1.0 / strike->point_count, sum) : search->from;
}

// regions of the stress that shapes them, that this much elastic energy pays for
static FrResult grow(const Search *search, double elastic, FrLabels *labels) {
    FrShatter *s = search->shatter;
    int32_t nodes = s->mesh.node_count, tets = s->mesh.tet_count;
    double *density = FR_NEW(s->ctx, double, nodes), *Gc = FR_NEW(s->ctx, double, tets);
    double *closer = closer_to_contact(search);
    FrSym3 *metric;
    FrRegionsDef def = fr_regions_def_default();
    FrRegionsReport report;
    def.mesh = &s->mesh;
    def.stress = search->shape;
    def.density = density;
    def.Gc = Gc;
    def.energy = fr_shatter_budget(s, elastic);
    def.exponent = s->how.exponent;
    // a style takes the place of the stress
    def.stretch = s->how.style == FR_SHATTER_STRESS ? s->how.stretch : 0.0;
    def.apart = FR_OUTRUN * s->wall;
    def.smallest = fr_shatter_smallest(s->wall);
    def.closer = closer;
    def.seed = search->strike->seed;
    def.chosen = s->seed;
    def.chosen_count = s->seed_count;
    FrResult result = fr_shatter_metric(s, struck_at(search), search->strike->self.n, &metric);
    if (!density || !Gc || !closer) result = fr_no_memory(s->ctx, "regions");
    def.grain = metric;
    for (int32_t n = 0; result == FR_OK && n < nodes; n++)
        density[n] = fr_stress_density(&s->material, search->shape[n]);
    for (int32_t e = 0; result == FR_OK && e < tets; e++)
        Gc[e] = s->material.Gc * (s->weak ? s->weak[e] : 1.0);
    if (result == FR_OK) result = fr_regions_grow(s->ctx, &def, labels, &report);
    FR_FREE_ALL(s->ctx, density, Gc, closer, metric);
    return result;
}

// Cracks run at no more than 0.38 of the speed of waves along a bar (Roberts & Wells 1954): so long
// they take through half of the body, s.
static double crack_time(const FrShatter *s) {
    double young = fr_young(s->material.lambda, s->material.mu);
    return 0.5 * s->size / (FR_CRACK_SPEED * sqrt(young / s->material.density));
}

// While cracks run the blow goes on: of this time the moment at which most is stored.
static int32_t fullest_moment(const Search *search, int32_t from, int32_t *last) {
    const FrBlowMoment *moment = search->blow->moment;
    double end = moment[from].t + crack_time(search->shatter);
    int32_t best = from;
    for (*last = from; *last + 1 < search->blow->moment_count && moment[*last + 1].t <= end;)
        if (moment[++*last].elastic > moment[best].elastic) best = *last;
    return best;
}

// Cracks are where the stress leads them while they run, and they wait for it where it is not yet:
// the first waves of a blow part nothing (in a pane they bend rings under the ball, which gives way
// in the shape of a bell in the end, and shards are radial). So what shapes them is the mean stress
// from where they begin to where most is stored; it is linear in the modes and in the force.
static void mean_stress(const Search *search, int32_t from) {
    const FrBlowMoment *moment = search->blow->moment;
    int32_t to = from, own = search->rung->own;
    double force = moment[from].force;
    for (int32_t k = from; k < search->blow->moment_count; k++)
        if (moment[k].elastic > moment[to].elastic) to = k;
    for (int32_t i = 0; i < own; i++)
        search->q[i] = -(double)search->blow->q[(size_t)from * (size_t)own + (size_t)i];
    for (int32_t k = from + 1; k <= to; k++) {
        const float *q = search->blow->q + (size_t)k * (size_t)own;
        double share = (moment[k].t - moment[k - 1].t) / (moment[k].t - moment[from].t);
        force += share * (moment[k].force - force);
        for (int32_t i = 0; i < own; i++) search->q[i] -= share * ((double)q[i] + search->q[i]);
    }
    fr_stress_field(search->shatter->stress, search->q, force, search->rung->stress_left,
                    search->shape);
}

static void note_break(const Search *search, const Worst *worst, FrStruck *struck) {
    struck->breaks = true;
    struck->x = fr_get3(search->shatter->mesh.x, worst->node);
    const FrShatter *s = search->shatter;
    FrVec3 n = worst->eigen.vector[0];
    struck->tension = s->directional ? fr_normalize(fr_mat3_apply(s->tougher, n)) : n;
    struck->stress = worst->eigen.value[0];
    struck->limit = struck->stress / worst->share;
}

// Cracks that begin at moment k: do they part the body? *last: how far that was looked at.
static FrResult try_break(Search *search, int32_t k, FrStruck *struck, int32_t *last) {
    FrShatter *s = search->shatter;
    Worst worst = judge_moment(search, k);
    *last = k;
    if (!(worst.share > 1.0)) return FR_OK;
    int32_t full = fullest_moment(search, k, last);
    const FrBlowMoment *moment = &search->blow->moment[full];
    if (moment->elastic <= FR_TRY_MORE * struck->elastic) return FR_OK;
    if (full != k) judge_moment(search, full); // the stress that is set free
    mean_stress(search, k);
    search->from = fr_get3(s->mesh.x, worst.node);
    struck->elastic = moment->elastic;
    struck->impulse = moment->impulse;
    struck->duration = fr_max(moment->t, search->blow->duration * 1e-3);
    fr_labels_free(s->ctx, &s->labels);
    FR_TRY(grow(search, moment->elastic, &s->labels));
    if (s->labels.count > 1) note_break(search, &worst, struck);
    return FR_OK;
}

// The first moment at which some node is beyond its limit, of those from which cracks get through.
static FrResult find_break(Search *search, FrStruck *struck) {
    FrShatter *s = search->shatter;
    for (int32_t k = 0; k < search->blow->moment_count && !struck->breaks; k++) {
        double most = fr_shatter_budget(s, search->blow->moment[k].elastic);
        if (most < s->material.Gc * s->wall * s->wall || !may_break(search, k)) continue;
        FR_TRY(try_break(search, k, struck, &k));
    }
    if (struck->breaks) return FR_OK;
    struck->elastic = 0.0;
    struck->impulse = search->blow->impulse;
    struck->duration = search->blow->duration;
    return FR_OK;
}

FrResult fr_shatter_search(FrShatter *s, const FrStrike *strike, const FrRung *rung,
                           const FrModalBlow *blow, FrStruck *struck) {
    Search search = {.shatter = s, .strike = strike, .rung = rung, .blow = blow, .least = HUGE_VAL};
    FR_TRY(weakest_nodes(s, &search.weakest));
    search.q = FR_NEW(s->ctx, double, rung->own);
    search.shape = FR_NEW(s->ctx, FrSym3, s->mesh.node_count);
    if (!s->field) s->field = FR_NEW(s->ctx, FrSym3, s->mesh.node_count);
    FrResult result = search.q && search.shape && s->field ? FR_OK : fr_no_memory(s->ctx, "a blow");
    for (int32_t n = 0; n < s->mesh.node_count; n++)
        search.least = fr_min(search.least, limit_at(s, search.weakest, n));
    // a stress that is scaled for toughness is as much larger at most (fr_toughness_scale)
    search.least *= fr_shatter_least_toughness(s);
    search.left = largest_left(s, rung);
    if (result == FR_OK) result = find_break(&search, struck);
    FR_FREE_ALL(s->ctx, search.weakest, search.q, search.shape);
    return result;
}

FrResult fr_shatter_stands(FrShatter *s, const FrStrike *strike, double *share) {
    double *weakest;
    FR_TRY(weakest_nodes(s, &weakest));
    *share = worst_node(s, strike, s->field, weakest).share;
    fr_free(s->ctx, weakest);
    return FR_OK;
}

FrResult fr_shatter_part(FrShatter *s, const FrStrike *strike, double elastic, FrStruck *struck) {
    Search search = {.shatter = s, .strike = strike, .shape = s->field};
    FR_TRY(weakest_nodes(s, &search.weakest));
    Worst worst = worst_node(s, strike, s->field, search.weakest);
    if (worst.node >= 0) search.from = fr_get3(s->mesh.x, worst.node);
    fr_labels_free(s->ctx, &s->labels);
    FrResult result = worst.share > 1.0 ? grow(&search, elastic, &s->labels) : FR_OK;
    struck->elastic = elastic;
    if (result == FR_OK && s->labels.count > 1) note_break(&search, &worst, struck);
    fr_free(s->ctx, search.weakest);
    return result;
}
