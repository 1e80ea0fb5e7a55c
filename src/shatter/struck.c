// struck.c: a blow on a body that may shatter: what gives way, and how force and modes go on (M35).

#include "shatter/shatter_inside.h"
#include "material/laws.h"
#include "material/material_tuning.h"
#include <string.h>

// A body that vibrates at v bears sqrt(3) sqrt(E rho) v at most where it is flat, whatever its size
// (Hunt 1960), and a blow gives no place more speed than twice that of closing. A push on one place
// of a wall h bears down on it with 8 sqrt(D rho h) v at most (Zener 1941), and bends it there by
// 3 F / (2 pi h^2) ((1 + nu) ln(R / r) + 1) (Timoshenko and Woinowsky-Krieger 1959): R is half the
// body, r half a wall, for what is nearer does not count.
static double most_stress(const FrShatter *s, double speed) {
    double young = fr_young(s->material.lambda, s->material.mu);
    double nu = fr_poisson(s->material.lambda, s->material.mu);
    double plate = 3.0 / (2.0 * FR_PI) * 8.0 / sqrt(12.0 * (1.0 - nu * nu));
    double pushed = plate * ((1.0 + nu) * log(fr_max(s->size / s->wall, 1.0)) + 1.0);
    double share = fr_max(FR_BLOW_SPEED * FR_BENDING, pushed);
    return share * sqrt(young * s->material.density) * speed;
}

bool fr_shatter_crumb(const FrShatter *s) {
    return !s->whole && s->volume < s->how.least * s->how.least * s->how.least;
}

// What comes in is too little for a crack across a wall of the body, 1/2 m v^2 = v^2 / (2 b0), or
// too slow to reach the strength.
static bool too_weak(const FrShatter *s, const FrStrike *strike) {
    if (fr_shatter_crumb(s)) return true;
    double in = 0.5 * strike->speed * strike->speed / strike->mobility;
    return fr_shatter_budget(s, in) < s->material.Gc * s->wall * s->wall ||
           most_stress(s, strike->speed) < s->weakest * s->material.strength;
}

// Modes up to some periods in the blow matter; faster ones give way as the residual does.
static FrStressDef stress_def(const FrShatter *s) {
    return (FrStressDef){.mesh = &s->mesh,
                         .material = &s->material,
                         .material_count = 1,
                         .held = s->held_count ? s->held : NULL,
                         .max_hz = FR_BLOW_MAX_HZ,
                         .most_modes = FR_BLOW_MODES};
}

FrResult fr_shatter_need_stress(FrShatter *s) {
    if (s->stress) return FR_OK;
    FrStressDef def = stress_def(s);
    return fr_stress_create(s->ctx, &def, &s->stress);
}

bool fr_shatter_lacks(const FrShatter *s, FrStressDef *def) {
    if (s->stress || s->parts > 1 || fr_shatter_crumb(s)) return false;
    *def = stress_def(s);
    return true;
}

void fr_shatter_give(FrShatter *s, FrStressModel *model) {
    if (s->stress) return;
    s->stress = fr_stress_share(model);
    fr_stress_move(model, s->ctx);
}

void fr_shatter_wait(FrShatter *s, bool waits) { s->waits = waits; }

static void free_rung(FrContext *ctx, FrRung *r) {
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

static void copy_modes(const FrShatter *s, FrRung *r, int32_t at) {
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

// into s->pushed; it may be there from the other side of the blow
static FrResult answer_to(FrShatter *s, const FrStressLoads *all) {
    FrPushed *p = &s->pushed;
    size_t loads = (size_t)all->count * sizeof *p->load;
    size_t shares = (size_t)all->count * sizeof *p->share;
    if (all->count == p->count && !memcmp(all->load, p->load, loads) &&
        !memcmp(all->share, p->share, shares))
        return FR_OK;
    fr_stress_answer_free(s->ctx, &p->answer);
    p->count = 0;
    FR_TRY(fr_stress_push(s->stress, all, &p->answer));
    memcpy(p->load, all->load, loads);
    memcpy(p->share, all->share, shares);
    p->count = all->count;
    return FR_OK;
}

// What the modes leave out: s'C s of all points together, C_kl what a push at l does at k.    [M35]
static FrResult add_left(FrShatter *s, const Spread *spread, double *left, FrSym3 *stress) {
    FrStressLoad load[FR_STRIKE_POINTS];
    FrStressLoads all = {load, spread->strike->share, spread->strike->point_count};
    double dents = 0.0;
    for (int32_t k = 0; k < all.count; k++) {
        load[k] = load_at(spread, k);
        dents += all.share[k] * all.share[k] * dent(s, spread->radius);
    }
    FR_TRY(answer_to(s, &all));
    const FrStressAnswer *answer = &s->pushed.answer;
    *left += fr_max(0.0, answer->left - dents);
    if (stress) memcpy(stress, answer->stress_left, (size_t)s->mesh.node_count * sizeof *stress);
    return FR_OK;
}

static FrResult make_rung(FrShatter *s, const Spread *own, const Spread *its, FrRung *r) {
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

static FrResult make_left(FrShatter *s, const Spread *own, const Spread *its, FrRung *r) {
    r->stress_left = FR_NEW(s->ctx, FrSym3, s->mesh.node_count);
    if (!r->stress_left) return fr_no_memory(s->ctx, "a blow");
    FR_TRY(add_left(s, own, &r->own_left, r->stress_left));
    r->left = r->own_left;
    FrShatter *other = its->side->shatter;
    return other ? add_left(other, its, &r->left, NULL) : FR_OK;
}

static FrModalBlowDef blow_def(const FrStrike *strike, const FrRung *rung) {
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
static bool surely_holds(const FrShatter *s, const FrStrike *strike, FrRung *rung) {
    FrStressModes modes = fr_stress_modes(s->stress);
    FrModalBlowDef def = blow_def(strike, rung);
    double sum = 0.0;
    fr_modal_blow_bound(&def, rung->most);
    for (int32_t i = 0; i < modes.count; i++) sum += rung->most[i] * modes.most[i];
    return sum < FR_SURELY_HOLDS * s->weakest * s->material.strength;
}

static FrResult follow_blow(FrShatter *s, const FrStrike *strike, const FrRung *rung, bool holds,
                            FrStruck *struck) {
    FrModalBlowDef def = blow_def(strike, rung);
    FrModalBlow blow;
    FR_TRY(fr_modal_blow(s->ctx, &def, &blow));
    struck->followed = true;
    struck->impulse = blow.impulse;
    struck->duration = blow.duration;
    FrResult result = holds ? FR_OK : fr_shatter_search(s, strike, rung, &blow, struck);
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

// Pieces of one body have its axes: where the same place of it touches itself, a crack closes. Its
// faces fit and push all over, not at a point as Hertz has it.
static bool closes_crack(const FrShatter *s, const FrStrike *strike) {
    const FrShatter *other = strike->other.shatter;
    if (!other || !s->how.kin || s->how.kin != other->how.kin) return false;
    for (int32_t k = 0; k < strike->point_count; k++)
        if (fr_distance(strike->self.point[k], strike->other.point[k]) > s->wall) return false;
    return true;
}

// As it is printed: the impulse over a time step, on a body at rest; what that stores is more than
// the blow brought.                                                    [S7 eq. 3]
static FrResult literal_blow(FrShatter *s, const FrStrike *strike, FrStruck *struck) {
    FrStressLoad load[FR_STRIKE_POINTS];
    double force[FR_STRIKE_POINTS], energy;
    double hertz = fr_hertz_stiffness(strike->yielding, strike->curvature);
    double radius = fr_hertz_blow(hertz, strike->curvature, strike->mobility, strike->speed).radius;
    Spread own = {strike, &strike->self, radius};
    struck->impulse = (1.0 + strike->restitution) * strike->speed / strike->mobility;
    struck->duration = strike->step;
    struck->followed = struck->made = true;
    FR_TRY(fr_shatter_need_stress(s));
    if (!s->field) s->field = FR_NEW(s->ctx, FrSym3, s->mesh.node_count);
    if (!s->field) return fr_no_memory(s->ctx, "a blow");
    for (int32_t k = 0; k < strike->point_count; k++) {
        load[k] = load_at(&own, k);
        force[k] = strike->share[k] * struck->impulse / strike->step;
    }
    FrStressStill still = {.load = load, .force = force, .load_count = strike->point_count};
    still.even = true;
    FR_TRY(fr_stress_still(s->stress, &still, s->field, &energy));
    return fr_shatter_part(s, strike, energy, struck);
}

// what waits gives way by its rigid motion alone
static FrStrikeSide side_that_gives(const FrStrikeSide *side) {
    FrStrikeSide given = *side;
    if (side->shatter && ((FrShatter *)side->shatter)->waits) given.shatter = NULL;
    return given;
}

FrResult fr_shatter_struck(FrShatter *s, const FrStrike *strike, FrStruck *struck) {
    FrStrikeSide gives = side_that_gives(&strike->other);
    FrShatter *other = gives.shatter;
    *struck = (FrStruck){0};
    if (s->waits || too_weak(s, strike) || closes_crack(s, strike)) return FR_OK;
    if (s->parts > 1) return warn_parts(s), FR_OK;
    if (s->how.literal) return literal_blow(s, strike, struck);
    FR_TRY(fr_shatter_need_stress(s));
    if (other) FR_TRY(fr_shatter_need_stress(other));
    double hertz = fr_hertz_stiffness(strike->yielding, strike->curvature);
    double radius = fr_hertz_blow(hertz, strike->curvature, strike->mobility, strike->speed).radius;
    Spread own = {strike, &strike->self, radius}, its = {strike, &gives, radius};
    FrRung rung = {0};
    FrResult result = make_rung(s, &own, &its, &rung);
    bool holds = result == FR_OK && surely_holds(s, strike, &rung);
    if (result == FR_OK && !holds) result = make_left(s, &own, &its, &rung);
    if (result == FR_OK) result = follow_blow(s, strike, &rung, holds, struck);
    free_rung(s->ctx, &rung);
    return result;
}
