// event.c: one event to bytes and back, field by field, so that padding never matters.

#include "event/log.h"
#include "math/vec.h"
#include <string.h>

const char *fr_event_kind_name(uint32_t kind) {
    static const char *const names[] = {"?",       "impact",  "crack", "birth",
                                        "release", "contact", "dust"};
    return kind <= FR_EVENT_DUST ? names[kind] : "?";
}

FrEvent fr_event_new(FrEventKind kind, double t, int32_t a, int32_t b) {
    FrEvent event;
    memset(&event, 0, sizeof event);
    event.kind = kind;
    event.t = t;
    event.a = a;
    event.b = b;
    return event;
}

void fr_event_summary(const FrEvent *event, FrVec3 *x, FrVec3 *impulse, double *area) {
    *x = *impulse = fr_vec3_zero;
    *area = 0.0;
    switch (event->kind) {
    case FR_EVENT_IMPACT:
        *x = event->u.impact.x;
        *impulse = event->u.impact.impulse;
        *area = event->u.impact.area;
        break;
    case FR_EVENT_CRACK:
        *x = event->u.crack.x;
        *area = event->u.crack.area;
        break;
    case FR_EVENT_BIRTH:
        *x = event->u.birth.centre;
        break;
    case FR_EVENT_RELEASE:
        *impulse = event->u.release.impulse;
        break;
    case FR_EVENT_CONTACT:
        *x = event->u.contact.x;
        *impulse = fr_scale(event->u.contact.span, event->u.contact.force);
        break;
    case FR_EVENT_DUST:
        *x = event->u.dust.centre;
        *impulse = fr_neg(event->u.dust.momentum);
        break;
    default:
        break;
    }
}

// writing and reading walk the same fields: one walk, two directions
typedef struct Walk {
    FrWriter *writer; ///< NULL when reading
    FrReader *reader;
    bool bad; ///< a number read is not finite
} Walk;

static void walk_f64(Walk *w, double *value) {
    if (w->writer) {
        fr_write_f64(w->writer, *value);
        return;
    }
    *value = fr_read_f64(w->reader);
    if (!isfinite(*value)) w->bad = true;
}

static void walk_u64(Walk *w, uint64_t *value) {
    if (w->writer)
        fr_write_u64(w->writer, *value);
    else
        *value = fr_read_u64(w->reader);
}

static void walk_i32(Walk *w, int32_t *value) {
    if (w->writer)
        fr_write_i32(w->writer, *value);
    else
        *value = fr_read_i32(w->reader);
}

static void walk_vec3(Walk *w, FrVec3 *v) {
    walk_f64(w, &v->x);
    walk_f64(w, &v->y);
    walk_f64(w, &v->z);
}

static void walk_point(Walk *w, FrPoint *p) {
    walk_i32(w, &p->tet);
    for (int k = 0; k < 4; k++) walk_f64(w, &p->b[k]);
}

static void walk_impact(Walk *w, FrEvent *e) {
    walk_point(w, &e->u.impact.pa);
    walk_point(w, &e->u.impact.pb);
    walk_vec3(w, &e->u.impact.x);
    walk_vec3(w, &e->u.impact.n);
    walk_vec3(w, &e->u.impact.impulse);
    walk_f64(w, &e->u.impact.v_n);
    walk_f64(w, &e->u.impact.v_t);
    walk_f64(w, &e->u.impact.duration);
    walk_f64(w, &e->u.impact.area);
    walk_u64(w, &e->u.impact.contact);
}

static void walk_crack(Walk *w, FrEvent *e) {
    walk_vec3(w, &e->u.crack.x);
    walk_vec3(w, &e->u.crack.n);
    walk_f64(w, &e->u.crack.strength);
    walk_f64(w, &e->u.crack.limit);
    walk_f64(w, &e->u.crack.area);
    walk_f64(w, &e->u.crack.energy);
}

static void walk_birth(Walk *w, FrEvent *e) {
    FrSym3 *inertia = &e->u.birth.inertia;
    walk_i32(w, &e->u.birth.parent);
    walk_f64(w, &e->u.birth.mass);
    walk_f64(w, &e->u.birth.volume);
    walk_vec3(w, &e->u.birth.centre);
    double *part[] = {&inertia->xx, &inertia->yy, &inertia->zz,
                      &inertia->yz, &inertia->zx, &inertia->xy};
    for (int k = 0; k < 6; k++) walk_f64(w, part[k]);
    walk_u64(w, &e->u.birth.mesh);
}

static void walk_release(Walk *w, FrEvent *e) {
    walk_point(w, &e->u.release.p);
    walk_vec3(w, &e->u.release.impulse);
    walk_i32(w, &e->u.release.other);
}

static void walk_contact(Walk *w, FrEvent *e) {
    walk_point(w, &e->u.contact.pa);
    walk_point(w, &e->u.contact.pb);
    walk_vec3(w, &e->u.contact.x);
    walk_vec3(w, &e->u.contact.n);
    walk_vec3(w, &e->u.contact.force);
    walk_vec3(w, &e->u.contact.slip);
    walk_vec3(w, &e->u.contact.roll);
    walk_f64(w, &e->u.contact.span);
    walk_u64(w, &e->u.contact.contact);
}

static void walk_dust(Walk *w, FrEvent *e) {
    walk_f64(w, &e->u.dust.mass);
    walk_f64(w, &e->u.dust.energy);
    walk_vec3(w, &e->u.dust.momentum);
    walk_vec3(w, &e->u.dust.centre);
}

// false for a kind that does not exist
static bool walk_event(Walk *w, FrEvent *e) {
    walk_u64(w, &e->seq);
    walk_f64(w, &e->t);
    int32_t kind = (int32_t)e->kind;
    walk_i32(w, &kind);
    e->kind = (uint32_t)kind;
    walk_i32(w, &e->a);
    walk_i32(w, &e->b);
    switch (e->kind) {
    case FR_EVENT_IMPACT:
        walk_impact(w, e);
        return true;
    case FR_EVENT_CRACK:
        walk_crack(w, e);
        return true;
    case FR_EVENT_BIRTH:
        walk_birth(w, e);
        return true;
    case FR_EVENT_RELEASE:
        walk_release(w, e);
        return true;
    case FR_EVENT_CONTACT:
        walk_contact(w, e);
        return true;
    case FR_EVENT_DUST:
        walk_dust(w, e);
        return true;
    default:
        return false;
    }
}

void fr_event_save(const FrEvent *event, FrWriter *writer) {
    Walk walk = {.writer = writer};
    FrEvent copy = *event;
    bool known = walk_event(&walk, &copy);
    FR_ASSERT(known, "give an event one of the kinds of FrEventKind");
}

FrResult fr_event_load(FrContext *ctx, FrReader *reader, FrEvent *event) {
    size_t start = reader->at;
    Walk walk = {.reader = reader};
    memset(event, 0, sizeof *event);
    bool known = walk_event(&walk, event);
    if (reader->failed) return fr_fail(ctx, FR_BAD_INPUT, "byte %zu: the event is cut off", start);
    if (!known)
        return fr_fail(ctx, FR_BAD_INPUT, "byte %zu: event kind %u; 1 to %d are known", start + 16,
                       event->kind, FR_EVENT_DUST);
    if (walk.bad)
        return fr_fail(ctx, FR_BAD_INPUT, "byte %zu: an event with a number that is not finite",
                       start);
    return FR_OK;
}
