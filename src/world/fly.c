// fly.c: what is whole, unstressed and far from everything flies as a rigid frame, a macro step
// at once, until something comes near.

#include "world/member.h"

// does something act on it besides weight?
static bool is_acted_on(const FrWorld *w, int32_t index) {
    bool any = fr_world_is_pushed(w, &w->body.data[index]);
    for (int32_t k = 0; k < w->drive.count; k++)
        any = any || (w->drive.data[k].body == index && !w->drive.data[k].released);
    for (int32_t k = 0; k < w->load.count; k++) any = any || w->load.data[k].body == index;
    return any;
}

void fr_world_land(FrBody *body) {
    const FrFlightOps *flight = body->ops->flight;
    if (flight && flight->flies(body->state)) flight->land(body->state);
}

bool fr_world_flies(FrWorld *w, const FrGroup *group) {
    FrBody *body = member(w, group, 0);
    const FrFlightOps *flight = body->ops->flight;
    if (group->count > 1 || !flight || w->def.substep > 0.0 || fr_world_comes_near(w, group) ||
        is_acted_on(w, w->now.group_body.data[group->first])) {
        for (int32_t k = 0; k < group->count; k++) fr_world_land(member(w, group, k));
        return false;
    }
    return flight->flies(body->state) || flight->take_off(body->state, w->gravity);
}

FrResult fr_world_fly(FrWorld *w, const FrGroup *group) {
    FrBody *body = member(w, group, 0);
    double dt = w->def.step;
    body->ops->flight->fly(body->state, dt, w->gravity);
    w->stats.steps++;
    w->stats.flights++;
    double own = body->control.first * body->ops->dt_limit(body->state);
    w->stats.flown_steps += (int64_t)fr_max(0.0, ceil(dt / own) - 1.0);
    w->stats.dt_max = fr_max(w->stats.dt_max, dt);
    fr_world_samples_group(w);
    return fr_world_samples_pass(w, group, fr_world_time(w) + dt, true);
}
