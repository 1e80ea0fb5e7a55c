// momentum.c: does momentum change by the impulses from outside, and by nothing else? What
// kinematic bodies push is found on the way, and the work they do with it.
//
// Momentum of all free bodies against what gravity, loads, supports and mass damping
// gave them and what planes and kinematic bodies pushed. Forces inside bodies and contacts between
// free bodies must cancel; what they leave is drift.

#include "world/world.h"

static bool free_item(const FrWorld *w, int32_t item) {
    int32_t body = w->item_body.data[item];
    return body >= 0 && !w->body.data[body].kinematic;
}

// what a kinematic body that pushes a free one with this force gives it in dt
static void note_kinematic(FrWorld *w, int32_t free, int32_t kinematic, FrVec3 x, FrVec3 force,
                           double dt) {
    if (w->item_body.data[kinematic] < 0) return; // planes do no work
    const FrBody *from = &w->body.data[w->item_body.data[kinematic]];
    const FrBody *to = &w->body.data[w->item_body.data[free]];
    FrVec3 v = from->ops->velocity(from->state, (FrPoint){.tet = -1}, x);
    to->ops->note_kinematic(to->state, dt * fr_dot(force, v));
}

// those of one substep together first: a block at rest adds the same small numbers 1e6 times
void fr_world_note_pushes(FrWorld *w, double dt) {
    FrVec3 sum = fr_vec3_zero;
    for (int32_t k = 0; k < w->now.contacts.count; k++) {
        const FrContact *contact = &w->now.contacts.contact[k];
        bool a = free_item(w, contact->a), b = free_item(w, contact->b);
        if (a == b) continue;
        FrVec3 force = fr_scale(a ? 1.0 : -1.0, w->now.force.data[k].force);
        sum = fr_axpy(dt, force, sum);
        note_kinematic(w, a ? contact->a : contact->b, a ? contact->b : contact->a, contact->x,
                       force, dt);
    }
    w->push = fr_add(w->push, sum);
}

// over the largest momentum and impulse so far; sqrt(2 m E) bounds sum m |v| of a body that shakes
void fr_world_note_momentum(FrWorld *w) {
    FrVec3 rest = fr_neg(w->push);
    double scale = fr_length(w->push);
    for (int32_t k = 0; k < w->body.count; k++) {
        const FrBody *body = &w->body.data[k];
        if (body->kinematic) continue;
        FrVec3 now, given, angular;
        double mass;
        body->ops->momentum(body->state, &now, &angular);
        body->ops->impulse(body->state, &given, &mass);
        rest = fr_add(rest, fr_sub(fr_sub(now, body->momentum), given));
        double energy = fr_max(0.0, body->ops->watch(body->state).scale);
        // what hangs or rests gets as much from its support as from gravity: rounding of that
        double weight = mass * fr_length(w->gravity) * w->def.step;
        scale += fr_length(now) + fr_length(given) + sqrt(2.0 * mass * energy) + weight;
    }
    w->momentum_scale = fr_max(w->momentum_scale, scale);
    if (w->momentum_scale > 0.0)
        w->stats.momentum_drift =
            fr_max(w->stats.momentum_drift, fr_length(rest) / w->momentum_scale);
}
