// event.c: one event to bytes and back, field by field, so that padding never matters.

#include "event/log.h"
#include "math/vec.h"
#include <string.h>

const char *fr_event_kind_name(uint32_t kind) {
    static const char *const names[] = {"?",       "impact", "crack", "piece", "release",
                                        "contact", "dust",   "birth", "death"};
    return kind <= FR_EVENT_DEATH ? names[kind] : "?";
}

FrEvent fr_event_new(FrEventKind kind, double t, FrBodyId a, FrBodyId b) {
    FrEvent event;
    memset(&event, 0, sizeof event);
    event.kind = kind;
    event.t = t;
    event.a = a;
    event.b = b;
    return event;
}

FrEvent fr_event_of_piece(FrEventKind kind, double t, FrBodyId a, int32_t piece) {
    FrEvent event = fr_event_new(kind, t, a, (FrBodyId){0});
    event.piece = piece;
    return event;
}

static bool names_a_piece(const FrEvent *event) {
    return event->kind == FR_EVENT_PIECE || event->kind == FR_EVENT_DUST;
}

int32_t fr_event_body(const FrEvent *event) { return event->a.index1 - 1; }

int32_t fr_event_other(const FrEvent *event) { return event->b.index1 - 1; }

int32_t fr_event_piece(const FrEvent *event) { return names_a_piece(event) ? event->piece : -1; }

// what tables and recordings have beside the first body: the second, or the piece
static int32_t second(const FrEvent *event) {
    return names_a_piece(event) ? event->piece : fr_event_other(event);
}

FrEventFacts fr_event_facts(const FrEvent *event) {
    const double no = (double)NAN;
    const FrVec3 nowhere = {no, no, no};
    FrEventFacts f = {nowhere, nowhere, nowhere, no, no, no, no, no, no};
    switch (event->kind) {
    case FR_EVENT_IMPACT:
        f.x = event->u.impact.x;
        f.n = event->u.impact.n;
        f.impulse = event->u.impact.impulse;
        f.area = event->u.impact.area;
        break;
    case FR_EVENT_CRACK:
        f.x = event->u.crack.x;
        f.n = event->u.crack.n;
        f.strength = event->u.crack.strength;
        f.limit = event->u.crack.limit;
        f.area = event->u.crack.area;
        f.energy = event->u.crack.energy;
        break;
    case FR_EVENT_PIECE:
        f.x = event->u.piece.centre;
        f.mass = event->u.piece.mass;
        f.volume = event->u.piece.volume;
        break;
    case FR_EVENT_BIRTH:
        f.x = event->u.birth.centre;
        f.mass = event->u.birth.mass;
        f.volume = event->u.birth.volume;
        break;
    case FR_EVENT_RELEASE:
        f.impulse = event->u.release.impulse;
        break;
    case FR_EVENT_CONTACT:
        f.x = event->u.contact.x;
        f.n = event->u.contact.n;
        f.impulse = fr_scale(event->u.contact.span, event->u.contact.force);
        break;
    case FR_EVENT_DUST:
        f.x = event->u.dust.centre;
        f.impulse = fr_neg(event->u.dust.momentum);
        f.energy = event->u.dust.energy;
        f.mass = event->u.dust.mass;
        break;
    default:
        break;
    }
    return f;
}

static void hash_vec3(FrHash *hash, FrVec3 v) {
    fr_hash_f64(hash, v.x);
    fr_hash_f64(hash, v.y);
    fr_hash_f64(hash, v.z);
}

void fr_event_hash(const FrEvent *event, FrHash *hash) {
    const FrEventFacts f = fr_event_facts(event);
    const FrVec3 vector[3] = {f.x, f.n, f.impulse};
    const double number[6] = {f.strength, f.limit, f.area, f.energy, f.mass, f.volume};
    fr_hash_u64(hash, event->kind);
    fr_hash_f64(hash, event->t);
    fr_hash_u64(hash, (uint64_t)fr_event_body(event));
    fr_hash_u64(hash, (uint64_t)second(event));
    for (int k = 0; k < 3; k++)
        if (!isnan(vector[k].x)) hash_vec3(hash, vector[k]);
    for (int k = 0; k < 6; k++)
        if (!isnan(number[k])) fr_hash_f64(hash, number[k]);
}

static FrVec3 or_zero(FrVec3 v) { return isnan(v.x) ? fr_vec3_zero : v; }

void fr_event_summary(const FrEvent *event, FrVec3 *x, FrVec3 *impulse, double *area) {
    FrEventFacts f = fr_event_facts(event);
    *x = or_zero(f.x);
    *impulse = or_zero(f.impulse);
    *area = isnan(f.area) ? 0.0 : f.area;
}

// writing and reading walk the same fields: one walk, two directions
typedef struct Walk {
    FrWriter *writer; ///< NULL when reading
    FrReader *reader;
    const char *field; ///< that is walked, as FrEvent names it
    const char *bad;   ///< the first field read with a number that is not finite; NULL: none
} Walk;

// a field of FrEvent.u
#define WALK(kind, w, name) ((w)->field = #name, walk_##kind(w, &e->u.name))

static void walk_f64(Walk *w, double *value) {
    if (w->writer) {
        fr_write_f64(w->writer, *value);
        return;
    }
    *value = fr_read_f64(w->reader);
    if (!isfinite(*value) && !w->bad) w->bad = w->field;
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
    WALK(point, w, impact.pa);
    WALK(point, w, impact.pb);
    WALK(vec3, w, impact.x);
    WALK(vec3, w, impact.n);
    WALK(vec3, w, impact.impulse);
    WALK(f64, w, impact.v_n);
    WALK(f64, w, impact.v_t);
    WALK(f64, w, impact.duration);
    WALK(f64, w, impact.area);
    WALK(u64, w, impact.contact);
}

static void walk_crack(Walk *w, FrEvent *e) {
    WALK(vec3, w, crack.x);
    WALK(vec3, w, crack.n);
    WALK(f64, w, crack.strength);
    WALK(f64, w, crack.limit);
    WALK(f64, w, crack.area);
    WALK(f64, w, crack.energy);
}

static void walk_sym3(Walk *w, FrSym3 *a) {
    double *part[] = {&a->xx, &a->yy, &a->zz, &a->yz, &a->zx, &a->xy};
    for (int k = 0; k < 6; k++) walk_f64(w, part[k]);
}

static void walk_piece(Walk *w, FrEvent *e) {
    WALK(i32, w, piece.parent);
    WALK(f64, w, piece.mass);
    WALK(f64, w, piece.volume);
    WALK(vec3, w, piece.centre);
    WALK(sym3, w, piece.inertia);
    WALK(u64, w, piece.mesh);
}

static void walk_birth(Walk *w, FrEvent *e) {
    WALK(f64, w, birth.mass);
    WALK(f64, w, birth.volume);
    WALK(vec3, w, birth.centre);
    WALK(sym3, w, birth.inertia);
    WALK(u64, w, birth.mesh);
}

static void walk_release(Walk *w, FrEvent *e) {
    WALK(point, w, release.p);
    WALK(vec3, w, release.impulse);
    int32_t other = e->u.release.other.index1 - 1; // from 0 on, -1: none, as in walk_who
    walk_i32(w, &other);
    e->u.release.other.index1 = (int32_t)((uint32_t)other + 1u);
}

static void walk_contact(Walk *w, FrEvent *e) {
    WALK(point, w, contact.pa);
    WALK(point, w, contact.pb);
    WALK(vec3, w, contact.x);
    WALK(vec3, w, contact.n);
    WALK(vec3, w, contact.force);
    WALK(vec3, w, contact.slip);
    WALK(vec3, w, contact.roll);
    WALK(f64, w, contact.span);
    WALK(u64, w, contact.contact);
}

static void walk_dust(Walk *w, FrEvent *e) {
    WALK(f64, w, dust.mass);
    WALK(f64, w, dust.energy);
    WALK(vec3, w, dust.momentum);
    WALK(vec3, w, dust.centre);
}

// numbers from 0 on, -1: none; the second may be a piece
static void walk_who(Walk *w, FrEvent *e) {
    int32_t a = fr_event_body(e), b = second(e);
    walk_i32(w, &a);
    walk_i32(w, &b);
    e->a.index1 = (int32_t)((uint32_t)a + 1u);
    if (names_a_piece(e))
        e->piece = b;
    else
        e->b.index1 = (int32_t)((uint32_t)b + 1u);
}

// false for a kind that does not exist
static bool walk_event(Walk *w, FrEvent *e) {
    w->field = "t";
    walk_u64(w, &e->seq);
    walk_f64(w, &e->t);
    int32_t kind = (int32_t)e->kind;
    walk_i32(w, &kind);
    e->kind = (uint32_t)kind;
    walk_who(w, e);
    switch (e->kind) {
    case FR_EVENT_IMPACT:
        walk_impact(w, e);
        return true;
    case FR_EVENT_CRACK:
        walk_crack(w, e);
        return true;
    case FR_EVENT_PIECE:
        walk_piece(w, e);
        return true;
    case FR_EVENT_BIRTH:
        walk_birth(w, e);
        return true;
    case FR_EVENT_DEATH:
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
                       event->kind, FR_EVENT_DEATH);
    if (walk.bad)
        return fr_fail(ctx, FR_BAD_INPUT,
                       "byte %zu: the %s of %s %d and %d at %.9g s: its %s is not finite", start,
                       fr_event_kind_name(event->kind),
                       names_a_piece(event) ? "body and piece" : "bodies", fr_event_body(event),
                       second(event), event->t, walk.bad);
    return FR_OK;
}
