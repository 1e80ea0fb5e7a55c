// penalty_plain.h: the plain penalty law of S6, without memory: what stick.c is held against.
#pragma once
#include "solve/response.h"

// f = - min(mu f_n, m_eff |w_t| / dt) w_t / |w_t|                              [S6 eq. 5.10]
// Departs from the paper: as printed it grows with speed and k_frc has a unit (E26). Below
// stick_speed the bound falls in proportion, so that contacts that share a node do not chatter.
static inline FrVec3 rub(const FrContact *c, const FrTouch *touch, const FrPairLaw *law,
                         const FrMover *movers, const FrPenaltyOptions *options, double dt) {
    if (!(touch->v_t > 0.0)) return fr_vec3_zero;
    const FrMover *a = &movers[c->a], *b = &movers[c->b];
    bool slow = touch->v_t < options->stick_speed;
    double bound = slow ? law->mu_s * touch->normal * (touch->v_t / options->stick_speed)
                        : law->mu_d * touch->normal;
    double inverse =
        a->inverse_mass(a->state, c->pa, c->x) + b->inverse_mass(b->state, c->pb, c->x);
    if (inverse * dt * bound > touch->v_t) bound = touch->v_t / (inverse * dt);
    return fr_scale(-bound / touch->v_t, touch->w_t);
}

/// Apply forces to both sides of every contact. `force` (count) is filled. `movers` by item.
/// Below stick_speed friction is viscous, so that a body on a slope creeps at
/// stick_speed tan(slope) / friction.
static inline void penalty_apply(const FrContactList *contacts, const FrMover *movers,
                                 const FrPenaltyOptions *options, double dt,
                                 FrContactForce *force) {
    FrPairLaw law = {.a = -1, .b = -1};
    for (int32_t k = 0; k < contacts->count; k++) {
        const FrContact *c = &contacts->contact[k];
        if (c->a != law.a || c->b != law.b) law = fr_pair_law(c, movers, options);
        FrTouch touch = fr_touch(c, &law, movers, options, NULL, dt);
        FrVec3 friction = rub(c, &touch, &law, movers, options, dt);
        fr_touch_apply(c, &touch, friction, options->share, movers, &force[k]);
    }
}
