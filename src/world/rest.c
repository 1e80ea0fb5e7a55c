// rest.c: held bodies of stuff that flows: they rest once they hardly bend, until something strikes
// them.

#include "world/rest.h"
#include "fem/remedy.h"
#include "world/member.h"

bool fr_world_bends(const FrBody *body) {
    const FrFem *fem = solid_of(body);
    return fem && !fr_fem_is_loose(fem);
}

// how long it has to be slow, s; HUGE_VAL: it never rests
static double patience_of(const FrWorld *w, int32_t index) {
    const FrFracture *fracture = fr_model_fem_fracture(w->body.data[index].state);
    bool may = fracture && fr_world_holds_fast(w, index);
    for (int32_t k = 0; k < w->load.count; k++) may = may && w->load.data[k].body != index;
    return may ? fr_fracture_patience(fracture) : HUGE_VAL;
}

void fr_world_note_rest(FrWorld *w, const FrGroup *group) {
    for (int32_t k = 0; k < group->count; k++) {
        FrBody *body = member(w, group, k);
        double patience =
            fr_world_bends(body) ? patience_of(w, w->group_body.data[group->first + k]) : HUGE_VAL;
        if (isinf(patience)) continue;
        FrFem *fem = solid_of(body);
        body->still = fr_fem_bend_speed(fem) < FR_CALM_SPEED ? body->still + w->def.step : 0.0;
        if (body->still >= patience) fr_fem_stay(fem, w->def.gravity);
    }
}

// mass of what is at this side of a contact, kg: the rigid piece, else the whole body
static double mass_at(const FrBody *body, FrPoint at) {
    const FrFem *fem = solid_of(body);
    FrVec3 impulse;
    double mass = fem ? fr_fem_piece_mass(fem, at.tet) : 0.0;
    if (!(mass > 0.0)) body->ops->impulse(body->state, &impulse, &mass);
    return mass;
}

// Would a body at rest move faster than rest if it took all the energy of what touches it? What is
// led has more than enough, however slow. Of the body's own only rigid pieces strike it.
static bool strikes(const FrBody *body, const FrBody *other, FrPoint at, const FrContactForce *f) {
    double v2 = f->v_n * f->v_n + f->v_t * f->v_t;
    if (other->kinematic) return v2 > 0.0;
    const FrFem *fem = solid_of(body);
    double mass = body == other ? fr_fem_piece_mass(fem, at.tet) : mass_at(other, at);
    return mass * v2 > FR_CALM_SPEED * FR_CALM_SPEED * fr_fem_mass(fem);
}

static void rouse(FrBody *body, const FrBody *other, FrPoint at, const FrContactForce *f) {
    if (!body || !other || !solid_of(body) || !fr_fem_rests(solid_of(body)) ||
        !strikes(body, other, at, f))
        return;
    fr_fem_rouse(solid_of(body));
    body->still = 0.0;
}

static FrBody *body_at(const FrWorld *w, int32_t item) {
    int32_t body = w->item_body.data[item];
    return body < 0 ? NULL : &w->body.data[body];
}

void fr_world_rouse_struck(FrWorld *w) {
    for (int32_t k = 0; k < w->contacts.count && k < w->force.count; k++) {
        const FrContact *c = &w->contacts.contact[k];
        FrBody *a = body_at(w, c->a), *b = body_at(w, c->b);
        rouse(a, b, c->pb, &w->force.data[k]);
        rouse(b, a, c->pa, &w->force.data[k]);
    }
}
