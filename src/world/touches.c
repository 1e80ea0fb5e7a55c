// touches.c: many small overlaps over many substeps become one impact: when, where, how hard.

#include "world/world.h"
#include "event/log.h"
#include "world/world_tuning.h"
#include <string.h>

static int order_of(const FrTouch *touch, int32_t a, int32_t b) {
    if (touch->a != a) return touch->a < a ? -1 : 1;
    return touch->b < b ? -1 : touch->b > b;
}

// the touch of bodies a and b, made if it is not there; NULL: no memory
static FrTouch *find_touch(FrWorld *w, int32_t a, int32_t b) {
    int32_t lo = 0, hi = w->touch.count;
    while (lo < hi) {
        int32_t mid = lo + (hi - lo) / 2;
        if (order_of(&w->touch.data[mid], a, b) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo < w->touch.count && order_of(&w->touch.data[lo], a, b) == 0) return &w->touch.data[lo];
    if (!fr_array_extend(w->ctx, &w->touch, 1)) return NULL;
    memmove(&w->touch.data[lo + 1], &w->touch.data[lo],
            (size_t)(w->touch.count - 1 - lo) * sizeof(FrTouch));
    w->touch.data[lo] = (FrTouch){.a = a, .b = b, .first = -1.0};
    return &w->touch.data[lo];
}

// swapped: the contact has the bodies the other way round
static void begin_touch(FrTouch *touch, const FrContact *contact, bool swapped, double t) {
    *touch = (FrTouch){.a = touch->a,
                       .b = touch->b,
                       .first = t,
                       .last = t,
                       .normal = swapped ? fr_neg(contact->n) : contact->n,
                       .pa = swapped ? contact->pb : contact->pa,
                       .pb = swapped ? contact->pa : contact->pb,
                       .key = contact->key};
}

static void add_contact(FrTouch *touch, const FrContact *contact, const FrContactForce *force,
                        bool swapped, double t, double dt) {
    if (touch->first < 0.0) begin_touch(touch, contact, swapped, t);
    if (touch->first == t) { // speeds are those of the first moment
        touch->v_n = fr_max(touch->v_n, force->v_n);
        touch->v_t = fr_max(touch->v_t, force->v_t);
    }
    double strength = dt * fr_length(force->force);
    touch->last = t + dt;
    touch->impulse = fr_axpy(swapped ? -dt : dt, force->force, touch->impulse);
    touch->place = fr_axpy(strength, contact->x, touch->place);
    touch->weight += strength;
    touch->area = fr_max(touch->area, contact->area);
}

FrResult fr_world_gather_touches(FrWorld *w, double t, double dt) {
    for (int32_t k = 0; k < w->now.contacts.count; k++) {
        const FrContact *contact = &w->now.contacts.contact[k];
        int32_t a = w->item_body.data[contact->a], b = w->item_body.data[contact->b];
        if (a == b) continue; // a body folding onto itself is no event
        // the ground is always b; of two bodies the first is a
        bool swapped = a < 0 || (b >= 0 && b < a);
        FrTouch *touch = swapped ? find_touch(w, b, a) : find_touch(w, a, b);
        if (!touch) return fr_no_memory(w->ctx, "touches");
        add_contact(touch, contact, &w->now.force.data[k], swapped, t, dt);
    }
    return FR_OK;
}

FrResult fr_world_add_event(FrWorld *w, FrEvent event) {
    event.seq = (uint64_t)(w->event_base + w->event.count);
    if (!fr_array_push(w->ctx, &w->event, event)) return fr_no_memory(w->ctx, "events");
    fr_world_hash_event(w, &event);
    return FR_OK;
}

FrResult fr_world_report_touch(FrWorld *w, const FrTouch *touch) {
    FrEvent event = fr_event_new(FR_EVENT_IMPACT, touch->first, fr_world_id(w, touch->a),
                                 fr_world_id(w, touch->b));
    event.u.impact.pa = touch->pa;
    event.u.impact.pb = touch->pb;
    event.u.impact.x =
        touch->weight > 0.0 ? fr_scale(1.0 / touch->weight, touch->place) : fr_vec3_zero;
    event.u.impact.n = touch->normal;
    event.u.impact.impulse = touch->impulse;
    event.u.impact.v_n = touch->v_n;
    event.u.impact.v_t = touch->v_t;
    event.u.impact.duration = touch->last - touch->first;
    event.u.impact.area = touch->area;
    event.u.impact.contact = touch->key;
    return fr_world_add_event(w, event);
}

FrResult fr_world_report_touches(FrWorld *w, double t) {
    int32_t kept = 0;
    for (int32_t k = 0; k < w->touch.count; k++) {
        FrTouch *touch = &w->touch.data[k];
        if (w->body.data[touch->a].asleep && (touch->b < 0 || w->body.data[touch->b].asleep))
            touch->last = t;
        bool over = t - touch->last > FR_TOUCH_APART,
             resting = touch->last - touch->first > FR_TOUCH_RESTING;
        if (!touch->reported && touch->weight > 0.0 && (over || resting)) {
            FR_TRY(fr_world_report_touch(w, touch));
            touch->reported = true;
        }
        if (!over) w->touch.data[kept++] = *touch;
    }
    w->touch.count = kept;
    return FR_OK;
}
