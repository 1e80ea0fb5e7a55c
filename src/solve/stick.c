// stick.c: what contacts remember: static friction that holds, a tangential spring per contact that
// slips at Coulomb's bound [M11, E26], and how firm they are.

#include "solve/response.h"
#include "base/array.h"
#include "base/tasks.h"
#include "solve/solve_tuning.h"

#define TOUCH_GRAIN 512 // contacts per task

typedef struct Held {
    uint64_t key;
    int32_t a, b, tet; ///< items and tet of a: with the key a total order
    FrVec3 s;          ///< how far a was sheared against b since it took hold, m
    FrVec3 turned;     ///< how far it turned, where one of them is a rigid piece, rad
    double firm; ///< grows while it stays deep: factor on its stiffness, of rigid pieces on one
                 ///< over its friction; >= 1
    bool slips;
    bool crumb; ///< of a rigid piece
} Held;

struct FrStick {
    FrContext *ctx;
    FR_ARRAY(Held) now;
    FR_ARRAY(Held) before; ///< as it was before the last step
    FR_ARRAY(FrSeen) seen; ///< scratch: of each contact
};

FrResult fr_stick_create(FrContext *ctx, FrStick **stick) {
    *stick = FR_NEW(ctx, FrStick, 1);
    if (!*stick) return fr_no_memory(ctx, "the friction state");
    (*stick)->ctx = ctx;
    return FR_OK;
}

void fr_stick_destroy(FrStick *stick) {
    if (!stick) return;
    fr_array_free(stick->ctx, &stick->now);
    fr_array_free(stick->ctx, &stick->before);
    fr_array_free(stick->ctx, &stick->seen);
    fr_free(stick->ctx, stick);
}

static void exchange(FrStick *stick) {
    Held *data = stick->now.data;
    int32_t count = stick->now.count, capacity = stick->now.capacity;
    stick->now.data = stick->before.data;
    stick->now.count = stick->before.count;
    stick->now.capacity = stick->before.capacity;
    stick->before.data = data;
    stick->before.count = count;
    stick->before.capacity = capacity;
}

void fr_stick_undo(FrStick *stick) { exchange(stick); }

void fr_stick_forget(FrStick *stick, int32_t item) {
    int32_t kept = 0;
    for (int32_t k = 0; k < stick->now.count; k++)
        if (stick->now.data[k].a != item && stick->now.data[k].b != item)
            stick->now.data[kept++] = stick->now.data[k];
    stick->now.count = kept;
    stick->before.count = 0;
}

static int order_i(int32_t x, int32_t y) { return x < y ? -1 : x > y; }

static int order(const Held *x, const Held *y) {
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    int o = order_i(x->a, y->a);
    if (!o) o = order_i(x->b, y->b);
    return o ? o : order_i(x->tet, y->tet);
}

// friction on a, N: -k_t (s + t w_t), at most mu f_n                                [S6 eq. 5.10]
// Departs from the paper (E26) and from M11's stick-limited value, which creeps: the force is that
// of a spring of the contact's own shear, -k_t s - k_t t w_t, up to mu |f_n|; beyond it slips: the
// spring is let out until its force is on the bound (return mapping, Cundall and Strack 1979).
// Pointing the slipping force against w_t instead lets the small swings of a soft block shake it
// down a slope.
// `mass`: of rigid pieces, whose springs may be soft and then hardly damp: sticking is to stop
// them, so the dashpot stops as much in a step.
static FrVec3 hold(Held *held, const FrTouch *touch, const FrPairLaw *law, double stick_speed,
                   double mass, double dt) {
    double k = FR_TANGENTIAL * touch->stiffness, dashpot = fr_max(k * law->slide, mass / dt);
    bool fast = touch->v_t >= stick_speed;
    double mu = fast && held->slips ? law->mu_d : law->mu_s;
    held->s = fr_axpy(-fr_dot(held->s, touch->n), touch->n, held->s);
    held->s = fr_axpy(dt, touch->w_t, held->s);
    FrVec3 trial = fr_axpy(-dashpot, touch->w_t, fr_scale(-k, held->s));
    double size = fr_length(trial);
    held->slips = size > mu * touch->normal;
    if (!held->slips) return trial;
    double bound = (fast ? law->mu_d : law->mu_s) * touch->normal;
    FrVec3 force = fr_scale(bound / size, trial);
    held->s = fr_scale(-1.0 / k, force);
    return force;
}

static bool stays_deep(const FrContact *c, const FrTouch *touch, const FrPairLaw *law,
                       double time) {
    return c->depth > law->slack && fabs(fr_dot(touch->w, touch->n)) * time < c->depth;
}

// A corner that is pressed in has next to no volume, and k_err times that hardly holds it: it goes
// in as deep as the material round it lets it, and would stay.
static double firm_up(double firm, bool slow, const FrContact *c, const FrTouch *touch,
                      const FrPairLaw *law, double dt) {
    double area = fr_max(c->area, c->volume / law->h), time = FR_FIRM_TIME * law->slide;
    double most = FR_FIRM_SHARE * law->h * law->h / area;
    if (slow && stays_deep(c, touch, law, time)) firm *= 1.0 + dt / time;
    return fr_max(1.0, fr_min(firm, most));
}

static FrTouch firmed(FrTouch touch, double firm) {
    touch.push *= firm;
    touch.drag *= sqrt(firm); // as much of critical as before
    touch.late *= firm;
    touch.stiffness *= firm;
    touch.normal = fr_max(0.0, touch.push - (touch.drag + touch.late));
    return touch;
}

// What jams a rigid piece between others cannot bend away, however firm: friction gives way instead
// until it has slid out, or at least less deep.
static double loosen(double firm, const FrContact *c, const FrTouch *touch, const FrPairLaw *law,
                     double dt) {
    double time = fr_max(FR_FIRM_TIME * law->slide, FR_JAM_TIME), rate = fr_min(dt / time, 1.0);
    firm *= stays_deep(c, touch, law, time) ? 1.0 + rate : 1.0 - rate;
    return fr_max(1.0, fr_min(firm, 1.0 / FR_LOOSEST));
}

static FrPairLaw loosened(FrPairLaw law, double firm) {
    law.mu_s /= firm;
    law.mu_d /= firm;
    return law;
}

// else it would shoot off with what had jammed it (a shard of 7 g at 24 m/s)
static FrTouch eased_out(FrTouch touch, double firm) {
    double part = fr_min(fr_max(fr_dot(touch.w, touch.n), 0.0) / FR_COMES_OUT, 1.0);
    touch.push *= 1.0 - (1.0 - 1.0 / firm) * part;
    touch.normal = touch.push;
    return touch;
}

static bool between_crumbs(const FrContact *c, const FrMover *movers) {
    return fr_is_crumb(&movers[c->a], c->pa) || fr_is_crumb(&movers[c->b], c->pb);
}

double fr_stick_firmness(const FrStick *stick, const FrContact *c, const FrMover *movers) {
    if (between_crumbs(c, movers)) return 1.0;
    Held held = {.key = c->key, .a = c->a, .b = c->b, .tet = c->pa.tet};
    int32_t lo = 0, hi = stick->now.count;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (order(&stick->now.data[middle], &held) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    bool known = lo < stick->now.count && order(&stick->now.data[lo], &held) == 0;
    return known ? stick->now.data[lo].firm : 1.0;
}

static bool listed(const int32_t *items, int32_t count, int32_t item) {
    int32_t lo = 0, hi = count;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (items[middle] < item)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < count && items[lo] == item;
}

// contacts between items that were not detected stay as they are
static Held *keep_others(const Held **old, const Held *end, const Held *until, const int32_t *items,
                         int32_t count, Held *to) {
    for (; *old < end && (!until || order(*old, until) < 0); (*old)++)
        if (!listed(items, count, (*old)->a) || !listed(items, count, (*old)->b)) *to++ = **old;
    return to;
}

static bool dormant(const FrPenaltyOptions *options, int32_t k) {
    return options->ease && options->ease[k].w2 < 0.0;
}

typedef struct TouchPass {
    const FrContactList *contacts;
    const FrMover *movers;
    const FrPenaltyOptions *options;
    double dt; ///< s
    FrSeen *seen;
} TouchPass;

static void touch_contacts(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const TouchPass *pass = arg;
    FrPairLaw law = {.a = -1, .b = -1};
    for (int32_t k = begin; k < end; k++) {
        const FrContact *c = &pass->contacts->contact[k];
        if (dormant(pass->options, k)) continue;
        if (c->a != law.a || c->b != law.b) law = fr_pair_law(c, pass->movers, pass->options);
        pass->seen[k].law = law;
        const FrEase *ease = pass->options->ease ? &pass->options->ease[k] : NULL;
        pass->seen[k].touch = fr_touch(c, &law, pass->movers, pass->options, ease, pass->dt);
    }
}

FrResult fr_penalty_step(const FrMeeting *meeting, const FrPenaltyOptions *options, double dt,
                         FrStick *stick, FrContactForce *force) {
    const FrContactList *contacts = meeting->contacts;
    const FrMover *movers = meeting->movers;
    int32_t most;
    exchange(stick);
    stick->now.count = 0;
    if (__builtin_add_overflow(stick->before.count, contacts->count, &most) ||
        !fr_array_reserve(stick->ctx, &stick->now, most) ||
        !fr_array_reserve(stick->ctx, &stick->seen, contacts->count)) {
        exchange(stick);
        stick->before.count = 0;
        return fr_no_memory(stick->ctx, "the friction state");
    }
    if (!most) return FR_OK;
    const Held *old = stick->before.data, *end = old ? old + stick->before.count : NULL;
    Held *to = stick->now.data;
    TouchPass pass = {contacts, movers, options, dt, stick->seen.data};
    fr_parallel_for(stick->ctx, contacts->count, TOUCH_GRAIN, touch_contacts, &pass);
    for (int32_t k = 0; k < contacts->count; k++) {
        const FrContact *c = &contacts->contact[k];
        FrSeen seen = stick->seen.data[k];
        Held held = {.key = c->key, .a = c->a, .b = c->b, .tet = c->pa.tet, .firm = 1.0};
        to = keep_others(&old, end, &held, meeting->items, meeting->item_count, to);
        bool known = old < end && order(old, &held) == 0;
        if (known) held = *old++;
        if (dormant(options, k)) {
            force[k] = (FrContactForce){0};
            if (known) *to++ = held;
            continue;
        }
        double mass = options->ease ? options->ease[k].mass : 0.0;
        bool crumb = between_crumbs(c, movers), slow = movers[c->a].slow && movers[c->b].slow;
        if (crumb != held.crumb) held.firm = 1.0; // it bends no more, or again
        held.crumb = crumb;
        held.firm = crumb ? loosen(held.firm, c, &seen.touch, &seen.law, dt)
                          : firm_up(held.firm, slow, c, &seen.touch, &seen.law, dt);
        if (held.firm > 1.0) seen.touch = (crumb ? eased_out : firmed)(seen.touch, held.firm);
        if (crumb) seen.law = loosened(seen.law, held.firm);
        FrVec3 friction = hold(&held, &seen.touch, &seen.law, options->stick_speed, mass, dt);
        fr_touch_apply(c, &seen.touch, friction, options->share, movers, &force[k]);
        if (crumb) fr_touch_brake(c, &seen, movers, options, dt, &held.turned);
        *to++ = held;
    }
    to = keep_others(&old, end, NULL, meeting->items, meeting->item_count, to);
    stick->now.count = (int32_t)(to - stick->now.data);
    return FR_OK;
}

#define HELD_BYTES 77

void fr_stick_save(const FrStick *stick, FrWriter *writer) {
    fr_write_i32(writer, stick->now.count);
    for (int32_t k = 0; k < stick->now.count; k++) {
        const Held *held = &stick->now.data[k];
        fr_write_u64(writer, held->key);
        fr_write_i32(writer, held->a);
        fr_write_i32(writer, held->b);
        fr_write_i32(writer, held->tet);
        fr_write_f64(writer, held->s.x);
        fr_write_f64(writer, held->s.y);
        fr_write_f64(writer, held->s.z);
        fr_write_f64(writer, held->turned.x);
        fr_write_f64(writer, held->turned.y);
        fr_write_f64(writer, held->turned.z);
        fr_write_f64(writer, held->firm);
        fr_write_u8(writer, (uint8_t)(held->slips | held->crumb << 1));
    }
}

static Held read_held(FrReader *reader) {
    Held held = {.key = fr_read_u64(reader)};
    held.a = fr_read_i32(reader), held.b = fr_read_i32(reader);
    held.tet = fr_read_i32(reader);
    held.s.x = fr_read_f64(reader), held.s.y = fr_read_f64(reader), held.s.z = fr_read_f64(reader);
    held.turned.x = fr_read_f64(reader), held.turned.y = fr_read_f64(reader);
    held.turned.z = fr_read_f64(reader);
    held.firm = fr_read_f64(reader);
    uint8_t flags = fr_read_u8(reader);
    held.slips = flags & 1, held.crumb = flags & 2;
    return held;
}

FrResult fr_stick_load(FrStick *stick, FrReader *reader) {
    size_t at = reader->at;
    int32_t count = fr_read_i32(reader);
    if (reader->failed || count < 0 || (size_t)count > fr_reader_left(reader) / HELD_BYTES)
        return fr_fail(stick->ctx, FR_BAD_INPUT,
                       "friction state, byte %zu: %d contacts do not fit the %zu bytes left", at,
                       count, fr_reader_left(reader));
    stick->before.count = 0;
    if (!fr_array_reserve(stick->ctx, &stick->before, count))
        return fr_no_memory(stick->ctx, "the friction state");
    for (int32_t k = 0; k < count; k++) {
        at = reader->at;
        Held held = read_held(reader);
        bool ascending = k == 0 || order(&stick->before.data[k - 1], &held) < 0;
        if (held.a < 0 || held.b < 0 || !ascending || !fr_vec3_finite(held.s) ||
            !fr_vec3_finite(held.turned) || !(held.firm >= 1.0) || !isfinite(held.firm))
            return fr_fail(stick->ctx, FR_BAD_INPUT,
                           "friction state, byte %zu: contact %d of items %d and %d, shear (%g %g "
                           "%g), %g times as firm; items >= 0, keys ascend, numbers are finite, "
                           "firmness >= 1",
                           at, k, held.a, held.b, held.s.x, held.s.y, held.s.z, held.firm);
        stick->before.data[k] = held;
        stick->before.count = k + 1;
    }
    exchange(stick);
    stick->before.count = 0;
    return FR_OK;
}
