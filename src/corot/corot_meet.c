// corot_meet.c: contacts of corot bodies in the system of a step: which of them hold, slide or
// open, and what they remember.                                                      [S6 eq. 5.7]

#include "corot/corot_step.h"
#include "corot/corot_tuning.h"
#include <string.h>

// n n' part and the rest of a vector
static FrVec3 along(const FrMeet *m, FrVec3 x) { return fr_scale(fr_dot(m->n, x), m->n); }

// how much velocity along the contact costs: a spring over the step; of what slides Coulomb's bound
// over its speed, which takes energy out whatever the speed comes to
static double grip_of(const FrMeet *m, double dt) {
    double most = dt * dt * m->k_t;
    return m->slides ? fr_min(m->grip, most) : most;
}

// W = dt^2 k_n n n' + grip (I - n n')
static FrSym3 weight_of(const FrMeet *m, double dt) {
    double t = grip_of(m, dt), n = dt * dt * m->k_n - t;
    FrVec3 a = m->n;
    return (FrSym3){t + n * a.x * a.x, t + n * a.y * a.y, t + n * a.z * a.z,
                    n * a.y * a.z,     n * a.z * a.x,     n * a.x * a.y};
}

// J = J0 - W u: the impulse on a that springs give which end where the step does    [S6 eq. 5.7]
static FrVec3 given_by(const FrMeet *m, double dt) {
    double k = dt * dt * m->k_n;
    FrVec3 J =
        fr_scale(dt * m->push + k * (fr_dot(m->n, m->shown) - fr_dot(m->n, m->driven)), m->n);
    J = fr_axpy(-grip_of(m, dt), fr_sub(m->driven, along(m, m->driven)), J);
    return m->slides ? J : fr_axpy(-dt * m->k_t, m->shear, J);
}

// one solve with what is open, holds and slides
static void solve_once(FrCorotWhole *w) {
    FrCgArrays *at = w->system.at;
    double dt = w->step->dt;
    memcpy(at->b, w->begun, 3 * (size_t)w->system.node_count * sizeof(double));
    w->system.link_count = 0;
    for (int32_t k = 0; k < w->step->meet_count; k++) {
        FrMeet *m = &w->step->meet[k];
        if (m->open) continue;
        FrLink link = m->link;
        link.W = weight_of(m, dt);
        fr_link_push(&link, given_by(m, dt), at->b);
        w->link[w->system.link_count++] = link;
    }
    w->system.other = w->base; // so that standing still is never far
    fr_cg_prepare(w->ctx, &w->system);
    FrCgReport r = fr_cg_solve(w->ctx, &w->system, (FrCgLimit){w->limit, FR_COROT_ITERATIONS});
    w->report.iterations += r.iterations;
    w->report.reason = r.reason;
    w->report.residual = r.residual;
    w->report.solves++;
}

// What a contact gives at the end of the step; returns the normal part, N s.
static double found_impulse(const FrCorotWhole *w, FrMeet *m, FrVec3 *friction) {
    double dt = w->step->dt;
    m->u = fr_add(fr_link_velocity(&m->link, w->system.at->x), m->driven);
    double normal = dt * (m->push - dt * m->k_n * fr_dot(m->n, fr_sub(m->u, m->shown)));
    *friction = fr_scale(-grip_of(m, dt), fr_sub(m->u, along(m, m->u)));
    if (!m->slides) *friction = fr_axpy(-dt * m->k_t, m->shear, *friction);
    return normal;
}

// After a solve: what pulls opens, what is sheared too far slides with Coulomb's bound, and what
// would go the other way holds again. False: hardly anything changed.
static bool judge(FrCorotWhole *w) {
    bool changed = false;
    for (int32_t k = 0; k < w->step->meet_count; k++) {
        FrMeet *m = &w->step->meet[k], was = *m;
        FrVec3 friction;
        double dt = w->step->dt, normal = found_impulse(w, m, &friction),
               size = fr_length(friction);
        double stiff = dt * dt * m->k_t, bound = m->mu_d * normal;
        double held = m->slides ? size * (stiff / grip_of(m, dt)) : size; // N s, should it hold
        m->open = !(normal > 0.0);
        m->slides = !m->open && held > (was.slides ? bound : m->mu_s * normal);
        m->grip = m->slides ? bound * (was.slides ? grip_of(&was, dt) : stiff) / size : 0.0;
        changed = changed || m->open != was.open || m->slides != was.slides ||
                  (m->slides && fabs(m->grip - was.grip) > 0.01 * was.grip);
    }
    return changed;
}

// the impulses of the last solve; shears go on
static void settle_meets(FrCorotWhole *w) {
    for (int32_t k = 0; k < w->step->meet_count; k++) {
        FrMeet *m = &w->step->meet[k];
        FrVec3 friction;
        double normal = found_impulse(w, m, &friction);
        m->impulse = m->open ? fr_vec3_zero : fr_axpy(normal, m->n, friction);
        m->shear =
            m->open || m->slides ? fr_vec3_zero : fr_scale(-1.0 / (w->step->dt * m->k_t), friction);
    }
}

void fr_corot_solve(FrCorotWhole *w) {
    for (int k = 0; k < FR_COROT_SOLVES; k++) {
        if (k && !judge(w)) break;
        solve_once(w);
    }
    settle_meets(w);
}

// a contact among those that are kept; NULL: it is new
static const FrHold *find_hold(const FrCorot *b, uint64_t key) {
    int32_t lo = 0, hi = b->hold.count;
    while (lo < hi) {
        int32_t mid = lo + (hi - lo) / 2;
        if (b->hold.data[mid].key < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < b->hold.count && b->hold.data[lo].key == key ? &b->hold.data[lo] : NULL;
}

// which body keeps how far a contact is sheared: that of side a, else of side b; -1: none
static int32_t keeper(const FrCorotWhole *w, const FrMeet *m) {
    const FrLinkSide *side = m->link.a.count && !m->link.a.turns ? &m->link.a : &m->link.b;
    if (!side->count || side->turns) return -1;
    for (int32_t k = w->count - 1; k >= 0; k--)
        if (side->node[0] >= fr_corot_first_of(w, k)) return k;
    return -1;
}

// mass of what a side belongs to, kg
static double mass_of(const FrCorotWhole *w, const FrLinkSide *side) {
    if (!side->count) return HUGE_VAL;
    if (side->turns) return w->step->frame[(side->node[0] - w->part[w->count].first) / 2].mass;
    int32_t k = w->count - 1;
    while (side->node[0] < fr_corot_first_of(w, k)) k--;
    return w->body[k]->total;
}

// A contact is no stiffer than what stops the lighter side within a small part of a step: stiffer
// ones only make the system harder to solve.
static void bound_stiffness(const FrCorotWhole *w, FrMeet *m) {
    double dt = w->step->dt;
    double most =
        FR_COROT_MEET * fr_min(mass_of(w, &m->link.a), mass_of(w, &m->link.b)) / (dt * dt);
    if (!(m->k_n > most)) return;
    double share = most / m->k_n;
    m->k_n *= share, m->k_t *= share, m->push *= share;
}

// contacts come sorted by their keys
void fr_corot_recall_holds(FrCorotWhole *w) {
    for (int32_t k = 0; k < w->step->meet_count; k++) {
        FrMeet *m = &w->step->meet[k];
        int32_t at = keeper(w, m);
        const FrHold *hold = at < 0 ? NULL : find_hold(w->body[at], m->key);
        FrHold none = {.shear = fr_vec3_zero, .state = FR_HOLDS};
        if (!hold) hold = &none;
        bound_stiffness(w, m);
        m->shear = fr_sub(hold->shear, along(m, hold->shear));
        m->driven = fr_add(m->driven, fr_link_velocity(&m->link, w->base));
        m->open = hold->state == FR_OPEN;
        m->slides = hold->state == FR_SLIDES;
        m->grip = hold->grip;
    }
}

FrResult fr_corot_keep_holds(FrCorotWhole *w) {
    for (int32_t k = 0; k < w->count; k++) w->body[k]->hold.count = 0;
    for (int32_t k = 0; k < w->step->meet_count; k++) {
        const FrMeet *m = &w->step->meet[k];
        int32_t at = keeper(w, m);
        FrHoldState state = m->open ? FR_OPEN : m->slides ? FR_SLIDES : FR_HOLDS;
        FrHold hold = {m->key, m->shear, m->grip, state};
        if (at >= 0 && !fr_array_push(w->ctx, &w->body[at]->hold, hold))
            return fr_no_memory(w->ctx, "contacts that hold");
    }
    return FR_OK;
}
