// model_shatter.c: when a blow breaks a rigid frame, and into which bodies: stress of the blow in
// modes (M35), Rankine's limit, regions under an energy budget (M20, M34), a cut along them.

#include "cut/pieces.h"
#include "cut/split_labels.h"
#include "fracture/regions.h"
#include "material/laws.h"
#include "math/decompose.h"
#include "mesh/quality.h"
#include "mesh/topology.h"
#include "modal/blow.h"
#include "modal/load_stress.h"
#include "skin/dress.h"
#include "world/shatter.h"
#include "world/world_tuning.h"
#include <stdio.h>
#include <string.h>

struct FrShatter {
    FrContext *ctx;
    FrTetMesh mesh; ///< arrays are the body's, as those of its surface and skin
    FrSurface surface;
    FrEmbedded skin; ///< point_count 0: none
    FrMaterial material;
    char *name;
    double *weak;   ///< factor on the strength of each tet (tet_count); NULL: 1
    double weakest; ///< the least of them, at most 1
    FrCrackShatter how;
    double density;        ///< of one with a mass of its own, kg/m^3; 0: the material says
    double wall;           ///< 2 V / A, m
    double volume;         ///< m^3
    int32_t parts;         ///< that hang together by faces
    bool warned;           ///< that there are several
    double size;           ///< longest side of the box around it, m
    bool whole;            ///< no piece of another: it may break however small it is
    FrStressModel *stress; ///< NULL: not needed so far
    FrSym3 *field;         ///< of the last blow that breaks it, Pa (node_count)
    FrLabels labels;       ///< what that cuts it into
};

bool fr_shatter_wanted(const FrBodyDef *def) {
    const FrMaterial *m = &def->material[0];
    return def->mesh && !def->kinematic && !def->crack.off && m->strength > 0.0 && m->Gc > 0.0;
}

void fr_shatter_destroy(FrShatter *s) {
    if (!s) return;
    fr_shatter_drop(s);
    fr_labels_free(s->ctx, &s->labels);
    FR_FREE_ALL(s->ctx, s->name, s->weak, s->field, s);
}

void fr_shatter_drop(FrShatter *s) {
    fr_stress_destroy(s->stress);
    s->stress = NULL;
}

size_t fr_shatter_bytes(const FrShatter *s) { return s->stress ? fr_stress_bytes(s->stress) : 0; }

static double area_of(const FrTetMesh *mesh, const FrSurface *surface) {
    double area = 0.0;
    for (int32_t k = 0; k < surface->tri_count; k++) {
        FrVec3 a = fr_get3(mesh->x, surface->tri[k][0]);
        FrVec3 ab = fr_sub(fr_get3(mesh->x, surface->tri[k][1]), a);
        FrVec3 ac = fr_sub(fr_get3(mesh->x, surface->tri[k][2]), a);
        area += 0.5 * fr_length(fr_cross(ab, ac));
    }
    return area;
}

static void measure(FrShatter *s) {
    FrVec3 box = fr_box_size(fr_tetmesh_bounds(&s->mesh));
    s->size = fr_max(box.x, fr_max(box.y, box.z));
    s->volume = fr_tetmesh_props(&s->mesh).volume;
    s->wall = 2.0 * s->volume / area_of(&s->mesh, &s->surface);
}

// parts that hang together by faces
static FrResult count_parts(FrShatter *s) {
    FrMeshCheck check;
    FR_TRY(fr_tetmesh_check(s->ctx, &s->mesh, &check));
    s->parts = check.component_count;
    return FR_OK;
}

static FrResult set_up(FrShatter *s, const FrBodyDef *def) {
    int32_t tets = s->mesh.tet_count;
    s->name = fr_strdup(s->ctx, def->name);
    if (!s->name) return fr_no_memory(s->ctx, "a body");
    measure(s);
    FR_TRY(count_parts(s));
    s->density = def->mass / s->volume;
    s->whole = isnan(s->how.least);
    if (s->whole) s->how.least = FR_LEAST_PIECE * s->wall;
    s->weakest = 1.0;
    if (!def->crack.weak) return FR_OK;
    s->weak = FR_NEW(s->ctx, double, tets);
    if (!s->weak) return fr_no_memory(s->ctx, "weak places");
    memcpy(s->weak, def->crack.weak, (size_t)tets * sizeof *s->weak);
    for (int32_t e = 0; e < tets; e++) s->weakest = fr_min(s->weakest, s->weak[e]);
    return FR_OK;
}

FrResult fr_shatter_create(FrContext *ctx, const FrBodyDef *def, FrShatter **shatter) {
    FrShatter *s = FR_NEW(ctx, FrShatter, 1);
    *shatter = NULL;
    if (!s) return fr_no_memory(ctx, "a body");
    s->ctx = ctx;
    s->mesh = *def->mesh;
    s->surface = *def->surface;
    if (def->embedded) s->skin = *def->embedded;
    s->material = def->material[0];
    s->how = def->crack.shatter;
    FrResult result = set_up(s, def);
    if (result != FR_OK) {
        fr_shatter_destroy(s);
        return result;
    }
    *shatter = s;
    return FR_OK;
}

// J that cracks may take of this much elastic energy
static double budget(const FrShatter *s, double elastic) {
    return FR_CRACK_SHARE * s->how.eta * elastic;
}

// A body that vibrates at v bears sqrt(3) sqrt(E rho) v at most where it is flat, whatever its size
// (Hunt 1960), and a blow gives no place more speed than twice that of closing.
static double most_stress(const FrShatter *s, double speed) {
    double young = fr_young(s->material.lambda, s->material.mu);
    return FR_BLOW_SPEED * FR_BENDING * sqrt(young * s->material.density) * speed;
}

// What comes in is too little for a crack across a wall of the body, 1/2 m v^2 = v^2 / (2 b0), or
// too slow to reach the strength.
static bool too_weak(const FrShatter *s, const FrStrike *strike) {
    if (!s->whole && s->volume < s->how.least * s->how.least * s->how.least) return true;
    double in = 0.5 * strike->speed * strike->speed / strike->mobility;
    return budget(s, in) < s->material.Gc * s->wall * s->wall ||
           most_stress(s, strike->speed) < s->weakest * s->material.strength;
}

// Modes up to some periods in the blow matter; faster ones give way as the residual does.
static FrResult need_stress(FrShatter *s) {
    if (s->stress) return FR_OK;
    FrStressDef def = {.mesh = &s->mesh,
                       .material = &s->material,
                       .material_count = 1,
                       .max_hz = FR_BLOW_MAX_HZ,
                       .most_modes = FR_BLOW_MODES};
    return fr_stress_create(s->ctx, &def, &s->stress);
}

/// Modes of both sides, one after the other, and what they take up of the push.
typedef struct Rung {
    double *lambda, *damping, *w; ///< (count)
    double *most;                 ///< largest |q| that may come (count)
    int32_t count, own;           ///< all; of the body that is judged
    double left, own_left;        ///< what the modes of both, of the judged body, leave out, m/N
    FrSym3 *stress_left;          ///< of the judged body, Pa/N (node_count)
} Rung;

static void free_rung(FrContext *ctx, Rung *r) {
    FR_FREE_ALL(ctx, r->lambda, r->damping, r->w, r->most, r->stress_left);
}

/// A push that is spread over the points of a blow.
typedef struct Spread {
    const FrStrike *strike;
    const FrStrikeSide *side;
    double radius; ///< of the disc of contact, m
} Spread;

static FrStressLoad load_at(const Spread *spread, int32_t k) {
    return (FrStressLoad){spread->side->point[k], spread->side->n, spread->radius};
}

static void copy_modes(const FrShatter *s, Rung *r, int32_t at) {
    FrStressModes modes = fr_stress_modes(s->stress);
    memcpy(r->lambda + at, modes.lambda, (size_t)modes.count * sizeof *r->lambda);
    memcpy(r->damping + at, modes.damping, (size_t)modes.count * sizeof *r->damping);
}

// what modes take up of the push; `one` is room for as many
static void add_weights(const FrShatter *s, const Spread *spread, double *one, double *w) {
    int32_t modes = fr_stress_modes(s->stress).count;
    for (int32_t k = 0; k < spread->strike->point_count; k++) {
        FrStressLoad load = load_at(spread, k);
        fr_stress_weights(s->stress, &load, one);
        for (int32_t i = 0; i < modes; i++) w[i] += spread->strike->share[k] * one[i];
    }
}

// A disc dents the half space under it by 0.54 (1 - nu^2) / (E R) per newton: Hertz has that
// already.
static double dent(const FrShatter *s, double radius) {
    double young = fr_young(s->material.lambda, s->material.mu);
    double nu = fr_poisson(s->material.lambda, s->material.mu);
    return FR_DISC_DENT * (1.0 - nu * nu) / (young * radius);
}

// What the modes leave out. What two points do to each other is left out: that is local.
static FrResult add_left(FrShatter *s, const Spread *spread, double *left, FrSym3 *stress) {
    for (int32_t k = 0; k < spread->strike->point_count; k++) {
        FrStressAnswer answer;
        FrStressLoad load = load_at(spread, k);
        double share = spread->strike->share[k];
        FR_TRY(fr_stress_push(s->stress, &load, &answer));
        *left += share * share * fr_max(0.0, answer.left - dent(s, spread->radius));
        for (int32_t n = 0; stress && n < s->mesh.node_count; n++)
            stress[n] = fr_sym3_axpy(share, answer.stress_left[n], stress[n]);
        fr_stress_answer_free(s->ctx, &answer);
    }
    return FR_OK;
}

static FrResult make_rung(FrShatter *s, const Spread *own, const Spread *its, Rung *r) {
    FrShatter *other = its->side->shatter;
    r->own = fr_stress_modes(s->stress).count;
    r->count = r->own + (other ? fr_stress_modes(other->stress).count : 0);
    r->lambda = FR_NEW(s->ctx, double, r->count);
    r->damping = FR_NEW(s->ctx, double, r->count);
    r->w = FR_NEW(s->ctx, double, r->count);
    r->most = FR_NEW(s->ctx, double, r->count);
    if (!r->lambda || !r->damping || !r->w || !r->most) return fr_no_memory(s->ctx, "a blow");
    copy_modes(s, r, 0);
    add_weights(s, own, r->most, r->w);
    if (!other) return FR_OK;
    copy_modes(other, r, r->own);
    add_weights(other, its, r->most, r->w + r->own);
    return FR_OK;
}

static FrResult make_left(FrShatter *s, const Spread *own, const Spread *its, Rung *r) {
    r->stress_left = FR_NEW(s->ctx, FrSym3, s->mesh.node_count);
    if (!r->stress_left) return fr_no_memory(s->ctx, "a blow");
    FR_TRY(add_left(s, own, &r->own_left, r->stress_left));
    r->left = r->own_left;
    FrShatter *other = its->side->shatter;
    return other ? add_left(other, its, &r->left, NULL) : FR_OK;
}

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
        FrSym3 f = field[n];
        double norm2 = f.xx * f.xx + f.yy * f.yy + f.zz * f.zz +
                       2.0 * (f.yz * f.yz + f.zx * f.zx + f.xy * f.xy);
        double most = worst.share * limit;
        if (!(norm2 > most * most) || in_contact(s, strike, fr_get3(s->mesh.x, n))) continue;
        FrEigen3 eigen = fr_sym3_eigen(f);
        if (eigen.value[0] > most) worst = (Worst){n, eigen.value[0] / limit, eigen};
    }
    return worst;
}

static double largest_left(const FrShatter *s, const Rung *r) {
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
    const Rung *rung;
    const FrModalBlow *blow;
    double *weakest; ///< of each node (node_count); NULL: 1
    double *q;       ///< (own modes)
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

// regions of the stress in `field` that this much elastic energy pays for
static FrResult grow(FrShatter *s, const FrStrike *strike, double elastic, FrLabels *labels) {
    int32_t nodes = s->mesh.node_count, tets = s->mesh.tet_count;
    double *density = FR_NEW(s->ctx, double, nodes), *Gc = FR_NEW(s->ctx, double, tets);
    FrRegionsDef def = fr_regions_def_default();
    FrRegionsReport report;
    def.mesh = &s->mesh;
    def.stress = s->field;
    def.density = density;
    def.Gc = Gc;
    def.energy = budget(s, elastic);
    def.exponent = s->how.exponent;
    def.stretch = s->how.stretch;
    def.apart = FR_SEEDS_APART * s->wall;
    def.smallest = FR_SMALLEST_REGION * s->wall * s->wall * s->wall;
    def.seed = strike->seed;
    FrResult result = density && Gc ? FR_OK : fr_no_memory(s->ctx, "regions");
    for (int32_t n = 0; result == FR_OK && n < nodes; n++)
        density[n] = fr_stress_density(&s->material, s->field[n]);
    for (int32_t e = 0; result == FR_OK && e < tets; e++)
        Gc[e] = s->material.Gc * (s->weak ? s->weak[e] : 1.0);
    if (result == FR_OK) result = fr_regions_grow(s->ctx, &def, labels, &report);
    FR_FREE_ALL(s->ctx, density, Gc);
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

static void note_break(const Search *search, const Worst *worst, FrStruck *struck) {
    struck->breaks = true;
    struck->x = fr_get3(search->shatter->mesh.x, worst->node);
    struck->tension = worst->eigen.vector[0];
    struck->stress = worst->eigen.value[0];
    struck->limit = struck->stress / worst->share;
}

// Cracks that begin at moment k: do they part the body? *last: how far that was looked at.
static FrResult try_break(const Search *search, int32_t k, FrStruck *struck, int32_t *last) {
    FrShatter *s = search->shatter;
    Worst worst = judge_moment(search, k);
    *last = k;
    if (!(worst.share > 1.0)) return FR_OK;
    int32_t full = fullest_moment(search, k, last);
    const FrBlowMoment *moment = &search->blow->moment[full];
    if (moment->elastic <= FR_TRY_MORE * struck->elastic) return FR_OK;
    if (full != k) judge_moment(search, full); // the stress that shapes them
    struck->elastic = moment->elastic;
    struck->impulse = moment->impulse;
    struck->duration = fr_max(moment->t, search->blow->duration * 1e-3);
    fr_labels_free(s->ctx, &s->labels);
    FR_TRY(grow(s, search->strike, moment->elastic, &s->labels));
    if (s->labels.count > 1) note_break(search, &worst, struck);
    return FR_OK;
}

// The first moment at which some node is beyond its limit, of those from which cracks get through.
static FrResult find_break(const Search *search, FrStruck *struck) {
    FrShatter *s = search->shatter;
    for (int32_t k = 0; k < search->blow->moment_count && !struck->breaks; k++) {
        double most = budget(s, search->blow->moment[k].elastic);
        if (most < s->material.Gc * s->wall * s->wall || !may_break(search, k)) continue;
        FR_TRY(try_break(search, k, struck, &k));
    }
    if (struck->breaks) return FR_OK;
    struck->elastic = 0.0;
    struck->impulse = search->blow->impulse;
    struck->duration = search->blow->duration;
    return FR_OK;
}

static FrResult search_blow(FrShatter *s, const FrStrike *strike, const Rung *rung,
                            const FrModalBlow *blow, FrStruck *struck) {
    Search search = {.shatter = s, .strike = strike, .rung = rung, .blow = blow, .least = HUGE_VAL};
    FR_TRY(weakest_nodes(s, &search.weakest));
    search.q = FR_NEW(s->ctx, double, rung->own);
    if (!s->field) s->field = FR_NEW(s->ctx, FrSym3, s->mesh.node_count);
    FrResult result = search.q && s->field ? FR_OK : fr_no_memory(s->ctx, "a blow");
    for (int32_t n = 0; n < s->mesh.node_count; n++)
        search.least = fr_min(search.least, limit_at(s, search.weakest, n));
    search.left = largest_left(s, rung);
    if (result == FR_OK) result = find_break(&search, struck);
    FR_FREE_ALL(s->ctx, search.weakest, search.q);
    return result;
}

static FrModalBlowDef blow_def(const FrStrike *strike, const Rung *rung) {
    return (FrModalBlowDef){.speed = strike->speed,
                            .mobility = strike->mobility,
                            .hertz = fr_hertz_stiffness(strike->yielding, strike->curvature),
                            .compliance = rung->left,
                            .compliance_judged = rung->own_left,
                            .loss = 1.0 - strike->restitution,
                            .mode_count = rung->count,
                            .lambda = rung->lambda,
                            .damping = rung->damping,
                            .w = rung->w,
                            .stressed = rung->own};
}

// sum |q_i| max S_i of a blow that is not followed: far below the strength, it surely holds
static bool surely_holds(const FrShatter *s, const FrStrike *strike, Rung *rung) {
    FrStressModes modes = fr_stress_modes(s->stress);
    FrModalBlowDef def = blow_def(strike, rung);
    double sum = 0.0;
    fr_modal_blow_bound(&def, rung->most);
    for (int32_t i = 0; i < modes.count; i++) sum += rung->most[i] * modes.most[i];
    return sum < FR_SURELY_HOLDS * s->weakest * s->material.strength;
}

static FrResult follow_blow(FrShatter *s, const FrStrike *strike, const Rung *rung, bool holds,
                            FrStruck *struck) {
    FrModalBlowDef def = blow_def(strike, rung);
    FrModalBlow blow;
    FR_TRY(fr_modal_blow(s->ctx, &def, &blow));
    struck->followed = true;
    struck->impulse = blow.impulse;
    struck->duration = blow.duration;
    FrResult result = holds ? FR_OK : search_blow(s, strike, rung, &blow, struck);
    fr_modal_blow_free(s->ctx, &blow);
    return result;
}

// once: modes and stress are of one body
static void warn_parts(FrShatter *s) {
    if (s->warned) return;
    fr_log(s->ctx, FR_LOG_WARNING,
           "%s: its tets are in %d parts that do not hang together, and no blow breaks it; smaller "
           "cells may join them, model = \"fem\" takes it as it is",
           s->name, s->parts);
    s->warned = true;
}

FrResult fr_shatter_struck(FrShatter *s, const FrStrike *strike, FrStruck *struck) {
    FrShatter *other = strike->other.shatter;
    *struck = (FrStruck){0};
    if (too_weak(s, strike)) return FR_OK;
    if (s->parts > 1) return warn_parts(s), FR_OK;
    FR_TRY(need_stress(s));
    if (other) FR_TRY(need_stress(other));
    double hertz = fr_hertz_stiffness(strike->yielding, strike->curvature);
    double radius = fr_hertz_blow(hertz, strike->curvature, strike->mobility, strike->speed).radius;
    Spread own = {strike, &strike->self, radius}, its = {strike, &strike->other, radius};
    Rung rung = {0};
    FrResult result = make_rung(s, &own, &its, &rung);
    bool holds = result == FR_OK && surely_holds(s, strike, &rung);
    if (result == FR_OK && !holds) result = make_left(s, &own, &its, &rung);
    if (result == FR_OK) result = follow_blow(s, strike, &rung, holds, struck);
    free_rung(s->ctx, &rung);
    return result;
}

/// On the way from stress to bodies.
typedef struct Falling {
    FrShatter *shatter;
    FrCutMesh *cut;
    FrPieces *pieces;
    FrCutLog log;
    FrLabelCut along;
    double *weak;      ///< of each tet of the cut mesh (tet_count); NULL: 1
    FrTetPlace *place; ///< of each tet of the cut mesh (tet_count)
    FrDress dress;
} Falling;

static FrResult cut_along(Falling *f, double t) {
    FrContext *ctx = f->shatter->ctx;
    FrLabelCutOptions options = fr_label_cut_options_default();
    double wall = f->shatter->wall;
    options.least_part = FR_SMALLEST_REGION * wall * wall * wall;
    FR_TRY(fr_cutmesh_create(ctx, &f->shatter->mesh, &f->cut));
    FR_TRY(fr_pieces_create(ctx, f->cut, &f->pieces));
    fr_cutmesh_clock(f->cut, t);
    fr_cutlog_init(&f->log, f->shatter->mesh.node_count);
    FR_TRY(fr_cutmesh_split_labels(f->cut, &f->shatter->labels, &options, &f->log, &f->along));
    return fr_pieces_follow(f->pieces, f->cut, &f->log, 0, t, NULL);
}

// tets that were cut are as weak as what they were cut from
static FrResult follow_weak(Falling *f) {
    const FrShatter *s = f->shatter;
    int32_t tets = fr_cutmesh_view(f->cut)->tet_count, group = -1;
    double now = 1.0;
    if (!s->weak) return FR_OK;
    f->weak = FR_NEW(s->ctx, double, tets);
    if (!f->weak) return fr_no_memory(s->ctx, "weak places");
    memcpy(f->weak, s->weak, (size_t)s->mesh.tet_count * sizeof *f->weak);
    for (int32_t k = 0; k < f->log.tet_count; k++) {
        const FrSplitTet *split = &f->log.tets[k];
        if (split->group != group) now = f->weak[split->parent];
        group = split->group;
        f->weak[split->child] = now;
    }
    return FR_OK;
}

static double *part_weak(const Falling *f, const int32_t *tet, int32_t count) {
    if (!f->weak) return NULL;
    double *weak = FR_NEW(f->shatter->ctx, double, count);
    for (int32_t e = 0; weak && e < count; e++) weak[e] = f->weak[tet[e]];
    return weak;
}

// tets of a piece are numbered as in the whole
static FrResult number_tets(Falling *f) {
    const int32_t *piece = fr_pieces_of_tets(f->pieces);
    int32_t tets = fr_cutmesh_view(f->cut)->tet_count, count;
    FrContext *ctx = f->shatter->ctx;
    fr_pieces_table(f->pieces, &count);
    int32_t *next = FR_NEW(ctx, int32_t, count);
    f->place = FR_NEW(ctx, FrTetPlace, tets);
    bool good = next && f->place;
    for (int32_t e = 0; e < tets && good; e++)
        f->place[e] = (FrTetPlace){piece[e], next[piece[e]]++};
    fr_free(ctx, next);
    return good ? FR_OK : fr_no_memory(ctx, "pieces");
}

static FrResult dress_pieces(Falling *f) {
    const FrShatter *s = f->shatter;
    FR_TRY(number_tets(f));
    FrDressWhole before = {&s->mesh, &s->surface, s->skin.point_count ? &s->skin : NULL};
    FrDressCut cut = {f->cut, f->pieces, &f->log, f->place};
    return fr_dress_pieces(s->ctx, &before, &cut, &f->dress);
}

// what cracks opened, now or before, shows on the outside of a piece as such
static void mark_opened(const Falling *f, const int32_t *tet, const FrTetMesh *part,
                        FrSurface *surface) {
    for (int32_t k = 0; k < surface->tri_count; k++) {
        int32_t e = surface->tet[k], apex = 0;
        const int32_t *tri = surface->tri[k];
        for (int i = 0; i < 4; i++) {
            int32_t n = part->tet[e][i];
            if (n != tri[0] && n != tri[1] && n != tri[2]) apex = i;
        }
        surface->opened[k] = f->dress.opened[tet[e]][apex];
    }
}

// the child takes its skin over
static bool take_skin(Falling *f, int32_t piece, FrBodyDef *child) {
    FrEmbedded *skin = FR_NEW(f->shatter->ctx, FrEmbedded, 1);
    if (!skin) return false;
    *skin = f->dress.skin[piece];
    f->dress.skin[piece] = (FrEmbedded){0};
    child->embedded = skin;
    return true;
}

static FrResult make_child(Falling *f, int32_t piece, FrBodyDef *child) {
    FrShatter *s = f->shatter;
    FrContext *ctx = s->ctx;
    FrTetMesh *mesh = FR_NEW(ctx, FrTetMesh, 1);
    FrSurface *surface = FR_NEW(ctx, FrSurface, 1);
    int32_t *tet = NULL;
    *child = fr_body_def_default();
    child->mesh = mesh;
    child->surface = surface;
    if (!mesh || !surface) return fr_no_memory(ctx, "a piece");
    FR_TRY(fr_tetmesh_part(ctx, fr_cutmesh_view(f->cut), fr_pieces_of_tets(f->pieces), piece, mesh,
                           NULL, &tet));
    FrResult result = fr_tetmesh_surface(ctx, mesh, surface);
    if (result == FR_OK) surface->opened = FR_NEW(ctx, double, surface->tri_count);
    child->crack.weak = result == FR_OK ? part_weak(f, tet, mesh->tet_count) : NULL;
    char name[256];
    snprintf(name, sizeof name, "%s.%d", s->name, piece + 1);
    child->name = fr_strdup(ctx, name);
    bool good = result != FR_OK || (surface->opened && child->name &&
                                    (child->crack.weak || !f->weak) && take_skin(f, piece, child));
    if (result == FR_OK && good) mark_opened(f, tet, mesh, surface);
    child->model = FR_MODEL_SHATTER;
    child->crack.shatter = s->how;
    child->box = fr_vec3_zero;
    child->mass = s->density * fr_tetmesh_props(mesh).volume;
    fr_free(ctx, tet);
    return good ? result : fr_no_memory(ctx, "a piece");
}

// stress of the body in the tet that a facet lies in
static FrSym3 mean_stress(const FrShatter *s, int32_t tet) {
    FrSym3 sum = fr_sym3_zero;
    for (int i = 0; i < 4; i++) sum = fr_sym3_axpy(0.25, s->field[s->mesh.tet[tet][i]], sum);
    return sum;
}

// faces of the same region on both sides, or of the same piece in the end, free nothing
static FrResult make_facets(const Falling *f, FrFallen *fallen) {
    const int32_t *piece = fr_pieces_of_tets(f->pieces);
    int32_t tets = fr_cutmesh_view(f->cut)->tet_count, regions = f->shatter->labels.count;
    FrContext *ctx = f->shatter->ctx;
    int32_t *of_region = FR_NEW(ctx, int32_t, regions);
    fallen->facet = FR_NEW(ctx, FrFallenFacet, f->along.facet_count);
    if (!of_region || !fallen->facet) {
        fr_free(ctx, of_region);
        return fr_no_memory(ctx, "cracks");
    }
    for (int32_t e = 0; e < tets; e++) of_region[f->along.region[e]] = piece[e];
    for (int32_t k = 0; k < f->along.facet_count; k++) {
        const FrLabelFacet *from = &f->along.facet[k];
        int32_t a = of_region[from->a], b = of_region[from->b];
        if (a == b) continue;
        fallen->facet[fallen->facet_count++] =
            (FrFallenFacet){a, b, from->area, from->x, from->n, mean_stress(f->shatter, from->tet)};
    }
    fr_free(ctx, of_region);
    return FR_OK;
}

static FrResult make_children(Falling *f, const FrStruck *struck, FrFallen *fallen) {
    int32_t count;
    fr_pieces_table(f->pieces, &count);
    FR_TRY(follow_weak(f));
    FR_TRY(dress_pieces(f));
    fallen->child = FR_NEW(f->shatter->ctx, FrBodyDef, count);
    if (!fallen->child) return fr_no_memory(f->shatter->ctx, "pieces");
    for (int32_t k = 0; k < count; k++) {
        fallen->count = k + 1;
        FR_TRY(make_child(f, k, &fallen->child[k]));
    }
    fallen->area = f->along.area;
    fallen->spent = f->shatter->material.Gc * f->along.area / FR_CRACK_SHARE;
    if (f->shatter->how.release) fallen->free = fr_max(0.0, struck->elastic - fallen->spent);
    return make_facets(f, fallen);
}

FrResult fr_shatter_fall_apart(FrShatter *s, const FrStruck *struck, FrFallen *fallen) {
    Falling f = {.shatter = s};
    *fallen = (FrFallen){.ctx = s->ctx};
    FrResult result = cut_along(&f, struck->t);
    if (result == FR_OK) result = make_children(&f, struck, fallen);
    fr_label_cut_free(s->ctx, &f.along);
    fr_cutlog_free(s->ctx, &f.log);
    fr_pieces_destroy(f.pieces);
    fr_cutmesh_destroy(f.cut);
    fr_labels_free(s->ctx, &s->labels);
    fr_dress_free(s->ctx, &f.dress);
    FR_FREE_ALL(s->ctx, f.weak, f.place);
    if (result != FR_OK) fr_fallen_free(fallen);
    return result;
}

void fr_fallen_free(FrFallen *fallen) {
    for (int32_t k = 0; k < fallen->count; k++) {
        FrBodyDef *child = &fallen->child[k];
        FrTetMesh *mesh = (FrTetMesh *)(uintptr_t)child->mesh;
        FrSurface *surface = (FrSurface *)(uintptr_t)child->surface;
        if (mesh) fr_tetmesh_free(fallen->ctx, mesh);
        if (surface) fr_surface_free(fallen->ctx, surface);
        FrEmbedded *skin = (FrEmbedded *)(uintptr_t)child->embedded;
        fr_embedded_free(fallen->ctx, skin);
        FR_FREE_ALL(fallen->ctx, mesh, surface, skin, (void *)(uintptr_t)child->name,
                    (void *)(uintptr_t)child->crack.weak);
    }
    if (fallen->ctx) FR_FREE_ALL(fallen->ctx, fallen->child, fallen->facet);
    *fallen = (FrFallen){0};
}
