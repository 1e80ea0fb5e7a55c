// bodies.c: bodies by their ids, and bodies that leave. Living bodies lie side by side in the order
// of their births, so loops over them need not ask who is alive; what names a body by its place is
// renumbered when one leaves.

#include "event/log.h"
#include "mesh/quality.h"
#include "world/member.h"
#include "world/world_tuning.h"
#include <string.h>

int32_t fr_world_find(const FrWorld *w, FrBodyId id) {
    int32_t lo = 0, hi = w->body.count, number = id.index1 - 1;
    while (lo < hi) {
        int32_t mid = lo + (hi - lo) / 2;
        if (w->body.data[mid].number < number)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < w->body.count && w->body.data[lo].number == number ? lo : -1;
}

FrResult fr_world_need(FrWorld *w, FrBodyId id, int32_t *body) {
    *body = fr_world_find(w, id);
    if (*body >= 0) return FR_OK;
    bool was = id.index1 > 0 && id.index1 <= w->next_number;
    for (int32_t k = 0; was && k < w->plane.count; k++)
        if (w->plane.data[k].number == id.index1 - 1)
            return fr_fail(w->ctx, FR_BAD_USE, "%s: a plane, where a body is asked for",
                           w->plane.data[k].name);
    return fr_fail(w->ctx, FR_BAD_USE,
                   was ? "body %d is gone: its id is stale" : "no body has id %d", id.index1);
}

FrResult fr_world_need_number(FrWorld *w, int32_t next, const char *what) {
    if (next < INT32_MAX - w->plane.count) return FR_OK; // planes may get theirs later
    return fr_fail(w->ctx, FR_BAD_USE,
                   "no number is left for more %s: this world has given away %d", what, next);
}

FrBodyId fr_world_id(const FrWorld *w, int32_t body) {
    return (FrBodyId){body < 0 ? 0 : w->body.data[body].number + 1};
}

bool fr_body_alive(const FrWorld *w, FrBodyId id) {
    if (!w) return false;
    return fr_world_find(w, id) >= 0;
}

/// Mass and shape of a body as it is now.
typedef struct Weighed {
    double mass, volume; ///< kg, m^3
    FrVec3 centre;       ///< m
    FrSym3 inertia;      ///< about the centre, kg m^2
    uint64_t mesh;       ///< hash at rest; 0: a sphere
} Weighed;

static uint64_t mesh_hash(const FrTetMesh *mesh) {
    uint64_t nodes = fr_hash_of(mesh->x, 3 * (size_t)mesh->node_count * sizeof *mesh->x, 0);
    return fr_hash_of(mesh->tet, (size_t)mesh->tet_count * sizeof *mesh->tet, nodes);
}

static Weighed weigh(const FrBody *body) {
    Weighed w = {0};
    FrVec3 impulse, v, spin;
    FrQuat q;
    FrShapeView view;
    body->ops->impulse(body->state, &impulse, &w.mass);
    body->ops->view(body->state, &view);
    if (!view.tet_count) { // a ball: 4/3 pi r^3, 2/5 m r^2
        double r = body->radius, moment = 0.4 * w.mass * r * r;
        w.volume = 4.0 / 3.0 * FR_PI * r * r * r;
        w.inertia = (FrSym3){moment, moment, moment, 0, 0, 0};
        body->ops->pose(body->state, &w.centre, &q, &v, &spin);
        return w;
    }
    FrTetMesh placed = body->mesh;
    placed.x = (double *)(uintptr_t)view.p;
    FrSolidProps props = fr_tetmesh_props(&placed);
    w.volume = props.volume;
    w.centre = props.centre;
    w.inertia = fr_sym3_axpy(w.mass / props.volume, props.inertia, fr_sym3_zero);
    w.mesh = mesh_hash(&body->mesh);
    return w;
}

FrResult fr_world_tell_birth(FrWorld *w, int32_t index, FrBodyId parent) {
    const FrBody *body = &w->body.data[index];
    FrEvent event = fr_event_new(FR_EVENT_BIRTH, fr_world_time(w), fr_world_id(w, index), parent);
    Weighed weighed = weigh(body);
    event.u.birth.mass = weighed.mass;
    event.u.birth.volume = weighed.volume;
    event.u.birth.centre = weighed.centre;
    event.u.birth.inertia = weighed.inertia;
    event.u.birth.mesh = weighed.mesh;
    return fr_world_add_event(w, event);
}

// an index after one has left; -1 stays -1
static int32_t after(int32_t index, int32_t gone) { return index > gone ? index - 1 : index; }

// supports and loads of a body go with it
static void drop_loads(FrWorld *w, int32_t gone) {
    int32_t kept = 0;
    for (int32_t k = 0; k < w->drive.count; k++) {
        FrDrive *drive = &w->drive.data[k];
        if (drive->body == gone)
            fr_world_free_drive(w->ctx, drive);
        else
            drive->body = after(drive->body, gone), w->drive.data[kept++] = *drive;
    }
    w->drive.count = kept;
    kept = 0;
    for (int32_t k = 0; k < w->load.count; k++) {
        FrLoad *load = &w->load.data[k];
        if (load->body == gone)
            fr_world_free_load(w->ctx, load);
        else
            load->body = after(load->body, gone), w->load.data[kept++] = *load;
    }
    w->load.count = kept;
}

void fr_world_wake(FrWorld *w, int32_t index) {
    FrBody *body = &w->body.data[index];
    body->asleep = false;
    body->still = 0.0;
    fr_world_land(body);
    if (pieces_of(body)) body->ops->pieces->wake_all(body->state);
    if (pieces_of(body)) body->ops->pieces->go_on(body->state, FR_CAUSE_TOUCHED);
    if (body->frame < 0) return;
    w->frames.frame.data[body->frame].asleep = false;
    w->frames.frame.data[body->frame].still = 0.0;
}

void fr_world_wake_near(FrWorld *w, int32_t index) {
    FrBox here = fr_contact_bounds(w->scene, w->body.data[index].item, w->def.step);
    here = fr_box_grow(here, FR_NEAR_SHARE * fr_length(fr_sub(here.hi, here.lo)));
    for (int32_t k = 0; k < w->body.count; k++) {
        FrBox there = fr_contact_bounds(w->scene, w->body.data[k].item, w->def.step);
        if (k != index && fr_box_overlaps(here, there)) fr_world_wake(w, k);
    }
}

// strings reach farther than contact
static void wake_jointed(FrWorld *w, int32_t index) {
    int32_t gone = w->body.data[index].frame;
    for (int32_t k = 0; gone >= 0 && k < w->frames.joint.count; k++) {
        const FrJoint *joint = &w->frames.joint.data[k];
        int32_t other = joint->a == gone ? joint->b : joint->b == gone ? joint->a : -1;
        if (other >= 0) fr_world_wake(w, w->frames.frame.data[other].body);
    }
}

// what it touched is reported, if it was a blow
static FrResult drop_touches(FrWorld *w, int32_t gone) {
    int32_t kept = 0;
    for (int32_t k = 0; k < w->touch.count; k++) {
        FrTouch *touch = &w->touch.data[k];
        bool of_it = touch->a == gone || touch->b == gone;
        if (of_it && !touch->reported && touch->weight > 0.0)
            FR_TRY(fr_world_report_touch(w, touch));
        if (of_it) continue;
        touch->a = after(touch->a, gone);
        touch->b = after(touch->b, gone);
        w->touch.data[kept++] = *touch;
    }
    w->touch.count = kept;
    return FR_OK;
}

static void drop_item(FrWorld *w, int32_t item) {
    fr_contact_remove(w->scene, item);
    fr_stick_forget(w->stick, item);
    w->item_body.data[item] = FR_NO_ITEM;
    w->mover.data[item] = (FrMover){0};
    while (w->item_body.count && w->item_body.data[w->item_body.count - 1] == FR_NO_ITEM)
        w->mover.count = --w->item_body.count;
}

// what is there of it is taken out of the world: energy and momentum leave with it
void fr_world_book_leaving(FrWorld *w, const FrBody *body) {
    FrEnergy e;
    FrVec3 p, angular, given;
    double mass;
    body->ops->energy(body->state, w->gravity, &e);
    if (body->kinematic) return;
    body->ops->momentum(body->state, &p, &angular);
    body->ops->impulse(body->state, &given, &mass);
    fr_energy_add(&w->passed, &e);
    w->passed.external -= e.kinetic + e.elastic;
    w->passed.kinetic -= e.kinetic;
    w->passed.elastic -= e.elastic;
    // what it gained beside impulses from outside came from planes and from bodies that stay
    w->push = fr_sub(w->push, fr_sub(fr_sub(p, body->momentum), given));
}

void fr_world_take_out(FrWorld *w, int32_t gone) {
    FrBody *body = &w->body.data[gone];
    if (body->frame >= 0) {
        fr_frames_remove(&w->frames, body->frame);
        for (int32_t k = 0; k < w->body.count; k++)
            if (k != gone && w->body.data[k].frame > body->frame) w->body.data[k].frame--;
    }
    drop_item(w, body->item);
    fr_world_free_body(w->ctx, body);
    memmove(body, body + 1, (size_t)(w->body.count - 1 - gone) * sizeof *body);
    w->body.count--;
    for (int32_t k = 0; k < w->item_body.count; k++)
        w->item_body.data[k] = after(w->item_body.data[k], gone);
    for (int32_t k = 0; k < w->frames.frame.count; k++)
        w->frames.frame.data[k].body = after(w->frames.frame.data[k].body, gone);
}

FrResult fr_world_remove_body(FrWorld *w, int32_t gone) {
    drop_loads(w, gone);
    fr_world_drop_external(w, fr_world_id(w, gone));
    FR_TRY(drop_touches(w, gone));
    fr_world_wake_near(w, gone);
    wake_jointed(w, gone);
    fr_world_book_leaving(w, &w->body.data[gone]);
    fr_world_take_out(w, gone);
    w->now.detected = false;
    return FR_OK;
}

// room for what is reported of a death: once it begins, nothing may fail
static bool reserve_events(FrWorld *w, int32_t gone) {
    int32_t count = 1;
    for (int32_t k = 0; k < w->touch.count; k++)
        count += w->touch.data[k].a == gone || w->touch.data[k].b == gone;
    return fr_array_reserve(w->ctx, &w->event, count);
}

FrResult fr_body_destroy(FrWorld *w, FrBodyId id) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t index;
    FR_TRY(fr_world_need(w, id, &index));
    if (!reserve_events(w, index)) return fr_no_memory(w->ctx, "events");
    FrEvent event = fr_event_new(FR_EVENT_DEATH, fr_world_time(w), id, (FrBodyId){0});
    if (w->tick) FR_TRY(fr_world_add_event(w, event));
    return fr_world_remove_body(w, index);
}
