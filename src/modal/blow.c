// blow.c: an impact in numbers: force, bounce and modal motion over time.                    (M35)

#include "modal/blow.h"
#include "modal/blow_modes.h"
#include "modal/blow_tuning.h"
#include <math.h>

/// How a blow will be followed.
typedef struct Plan {
    double push;    ///< shortest push to expect, s
    double step;    ///< while they touch, s
    double stride;  ///< while they are apart, s
    double swing;   ///< of the slowest mode that is waited for, s; 0: none
    double fastest; ///< faster modes follow the force at once, rad/s
} Plan;

/// A blow under way. x'' = -b0 F, q_i'' = -l_i q_i - c_i q_i' - w_i F, approach y = x + sum w_i
/// q_i.
typedef struct Flow {
    const FrModalBlowDef *def;
    FrModalBlow *out;
    Plan plan;
    FrHertzLaw law;
    FrHertzState touch;
    FrBlowModes modes;
    double x, u;          ///< rigid approach, m, and its rate, m/s
    double place;         ///< sum w_i q_i, m
    double t;             ///< s
    double apart;         ///< since when, s
    bool clear;           ///< they will not touch again
    double force;         ///< now, N
    double rung;          ///< work done on the modes so far, J
    double crushed;       ///< J
    int32_t ticks, every; ///< steps, and steps from one moment to the next
} Flow;

void fr_modal_blow_free(FrContext *ctx, FrModalBlow *blow) {
    FR_FREE_ALL(ctx, blow->moment, blow->q, blow->most);
    *blow = (FrModalBlow){0};
}

static FrResult check(FrContext *ctx, const FrModalBlowDef *def) {
    if (!(def->speed > 0.0 && def->mobility > 0.0 && def->hertz > 0.0) ||
        !isfinite(def->speed + def->mobility + def->hertz + def->compliance))
        return fr_fail(ctx, FR_BAD_INPUT,
                       "blow: speed %g, mobility %g and hertz %g must be above zero and finite",
                       def->speed, def->mobility, def->hertz);
    if (!(def->compliance_judged >= 0.0 && def->compliance >= def->compliance_judged))
        return fr_fail(ctx, FR_BAD_INPUT, "blow: compliance %g, of which judged %g",
                       def->compliance, def->compliance_judged);
    if (!(def->loss >= 0.0 && def->loss <= 1.0))
        return fr_fail(ctx, FR_BAD_INPUT, "blow: loss %g is not within 0 and 1", def->loss);
    if (def->mode_count < 0 || def->stressed < 0 || def->stressed > def->mode_count)
        return fr_fail(ctx, FR_BAD_INPUT, "blow: %d of %d modes are judged", (int)def->stressed,
                       (int)def->mode_count);
    for (int32_t i = 0; i < def->mode_count; i++)
        if (!(def->lambda[i] > 0.0 && def->damping[i] >= 0.0 && isfinite(def->w[i]) &&
              isfinite(def->lambda[i] + def->damping[i])))
            return fr_fail(ctx, FR_BAD_INPUT, "blow: mode %d: lambda %g, damping %g, w %g", (int)i,
                           def->lambda[i], def->damping[i], def->w[i]);
    return FR_OK;
}

// Of a push as long as T, a mode is mass as far as it is slow and spring as far as it is fast:
// shares 1/(1 + (w T/pi)^2) and the rest. Hertz's time and that of the spring add in squares.
static double push_after(const FrModalBlowDef *def, double T) {
    double b = def->mobility, C = def->compliance;
    for (int32_t i = 0; i < def->mode_count; i++) {
        double turn = def->lambda[i] * T * T / (M_PI * M_PI), w2 = def->w[i] * def->w[i];
        b += w2 / (1.0 + turn);
        C += w2 / def->lambda[i] * turn / (1.0 + turn);
    }
    double hertz = fr_hertz_blow(def->hertz, 1.0, b, def->speed).duration;
    return sqrt(hertz * hertz + M_PI * M_PI * C / b);
}

// The shortest push that agrees with itself: from below, it only grows.
static double shortest_push(const FrModalBlowDef *def) {
    double T = 0.0;
    for (int k = 0; k < 20; k++) T = push_after(def, T);
    return T;
}

static double slowest_swing(const FrModalBlowDef *def) {
    int32_t count = def->stressed > 0 ? def->stressed : def->mode_count;
    double least = HUGE_VAL;
    for (int32_t i = 0; i < count; i++) least = fr_min(least, def->lambda[i]);
    return count > 0 ? 2.0 * M_PI / sqrt(least) : 0.0;
}

// strong crushing stops bodies in a shorter way: a^(2/5) of it
static Plan plan_for(const FrModalBlowDef *def, double crushing) {
    Plan plan = {.push = shortest_push(def), .swing = slowest_swing(def)};
    plan.step = plan.push / FR_BLOW_STEPS / pow(1.0 + crushing * def->speed, 0.4);
    if (def->step > 0.0) plan.step = def->step;
    plan.stride = fr_max(FR_BLOW_STRIDE * plan.step, plan.swing / FR_BLOW_SWING_STEPS);
    plan.fastest = def->fastest > 0.0 ? def->fastest : FR_BLOW_FOLLOWS / plan.push;
    return plan;
}

// what fast modes give way: w^2/l, in series with the contact
static double fast_compliance(const FrModalBlowDef *def, double fastest) {
    double C = 0.0;
    for (int32_t i = 0; i < def->mode_count; i++)
        if (!(def->lambda[i] < fastest * fastest)) C += def->w[i] * def->w[i] / def->lambda[i];
    return C;
}

static FrResult prepare(FrContext *ctx, Flow *flow) {
    const FrModalBlowDef *def = flow->def;
    double crushing = fr_hertz_crushing(def->loss, def->speed);
    flow->plan = plan_for(def, crushing);
    double C = def->compliance + fast_compliance(def, flow->plan.fastest);
    flow->law = (FrHertzLaw){def->hertz, C, crushing};
    flow->u = def->speed;
    flow->every = 1;
    FR_TRY(fr_blow_modes_create(ctx, def, flow->plan.fastest, &flow->modes));
    fr_blow_table_set(def, &flow->modes, flow->plan.step, &flow->modes.fine);
    fr_blow_table_set(def, &flow->modes, flow->plan.stride, &flow->modes.coarse);
    flow->out->moment = FR_NEW(ctx, FrBlowMoment, FR_BLOW_MOMENTS);
    flow->out->q = FR_NEW(ctx, float, (size_t)FR_BLOW_MOMENTS *(size_t)def->stressed);
    flow->out->most = FR_NEW(ctx, double, def->stressed);
    if (!flow->out->moment || !flow->out->q || !flow->out->most)
        return fr_no_memory(ctx, "moments of a blow");
    return FR_OK;
}

// every second moment goes
static void thin_out(FrModalBlow *out, int32_t stressed) {
    out->moment_count /= 2;
    for (int32_t j = 0; j < out->moment_count; j++) {
        out->moment[j] = out->moment[2 * j + 1];
        const float *from = out->q + (ptrdiff_t)(2 * j + 1) * stressed;
        float *to = out->q + (ptrdiff_t)j * stressed;
        for (int32_t i = 0; i < stressed; i++) to[i] = from[i];
    }
}

// the judged modes now: those that are followed, and -w F/l of the others; their energy, J
static double record_modes(const Flow *flow, float *q) {
    const FrModalBlowDef *def = flow->def;
    double sum = 0.0;
    for (int32_t i = 0, k = 0; i < def->stressed; i++) {
        bool followed = k < flow->modes.count && flow->modes.mode[k] == i;
        double z = followed ? flow->modes.z[k++] : -def->w[i] * flow->force / def->lambda[i];
        q[i] = (float)z;
        sum += 0.5 * def->lambda[i] * z * z;
    }
    return sum;
}

static void record(Flow *flow) {
    FrModalBlow *out = flow->out;
    if (++flow->ticks % flow->every) return;
    if (out->moment_count == FR_BLOW_MOMENTS) {
        thin_out(out, flow->def->stressed);
        flow->every *= 2;
        if (flow->ticks % flow->every) return;
    }
    int32_t j = out->moment_count++;
    double F = flow->force, rest = 0.5 * flow->def->compliance_judged * F * F;
    double modes = record_modes(flow, out->q + (ptrdiff_t)j * flow->def->stressed);
    out->moment[j] = (FrBlowMoment){flow->t, F, out->impulse, modes + rest};
}

// what has become of the energy when they part
static void part(Flow *flow) {
    FrModalBlow *out = flow->out;
    double mass = 1.0 / flow->def->mobility, speed = flow->def->speed;
    double came = 0.5 * mass * speed * speed, left = 0.5 * mass * flow->u * flow->u;
    bool damped = false;
    for (int32_t k = 0; k < flow->modes.count; k++)
        damped |= flow->def->damping[flow->modes.mode[k]] > 0.0;
    flow->apart = out->duration = flow->t;
    out->bounce = -flow->u / speed;
    out->vibration = fr_blow_modes_energy(&flow->modes);
    // undamped, the modes' own energy is in the balance; damped, the work done on them
    out->lost = flow->crushed + (damped ? flow->rung - out->vibration : 0.0);
    double held = fr_hertz_energy(&flow->law, flow->touch.s); // where the steps were spent
    out->error = fabs(came - left - out->vibration - out->lost - held) / came;
}

// One step under contact. The force is held over it, so that all but the contact is exact; the work
// is what the contact stores and crushes: energy closes whatever the step.
static void touch(Flow *flow) {
    FrBlowTable *table = &flow->modes.fine;
    double h = table->time, b = flow->def->mobility;
    double reach = fr_blow_modes_reach(&flow->modes, table), x = flow->x + h * flow->u;
    FrHertzStep step = {flow->touch, x + reach, table->give + 0.5 * b * h * h, h};
    FrHertzPush push = fr_hertz_step(&flow->law, &step);
    double way = push.to.y - flow->touch.y, before = flow->touch.s;
    fr_blow_modes_step(&flow->modes, table, push.force);
    double place = reach - table->give * push.force;
    flow->rung -= push.force * (place - flow->place);
    flow->crushed += (push.force - push.stored) * way;
    flow->place = place;
    flow->x = x - 0.5 * b * h * h * push.force;
    flow->u -= b * h * push.force;
    flow->t += h;
    flow->touch = push.to;
    flow->out->impulse += h * push.force;
    flow->force =
        fr_hertz_force(&flow->law, push.to.s) * fr_max(1.0 + flow->law.crushing * way / h, 0.0);
    flow->out->peak = fr_max(flow->out->peak, flow->force);
    if (before <= 0.0 && push.to.s > 0.0) flow->out->hits++;
    if (before > 0.0 && push.to.s <= 0.0) part(flow);
}

// One step apart. False: they would touch within it.
static bool drift(Flow *flow) {
    FrBlowTable *table = &flow->modes.coarse;
    double reach = fr_blow_modes_reach(&flow->modes, table), x = flow->x + table->time * flow->u;
    if (x + reach > 0.0) return false;
    fr_blow_modes_step(&flow->modes, table, 0.0);
    flow->place = reach;
    flow->x = x;
    flow->t += table->time;
    flow->touch = (FrHertzState){x + reach, 0.0};
    flow->force = 0.0;
    return true;
}

// They have parted, and what is waited for has swung once. Bodies that drift on towards each other
// get four swings to meet again.
static bool over(const Flow *flow) {
    if (flow->out->hits == 0 || flow->touch.s > 0.0) return false;
    double wait = flow->u < 0.0 ? 1.0 : 4.0;
    return flow->t - flow->apart >= wait * flow->plan.swing;
}

// They move apart, and no swing reaches across the gap: what is left of the swing is told in even
// steps, half of the moments.
static void look_ahead(Flow *flow) {
    const FrModalBlowDef *def = flow->def;
    double left = flow->plan.swing - (flow->t - flow->apart);
    if (flow->clear || flow->u >= 0.0 || flow->out->steps % FR_BLOW_GLANCE || left <= 0.0) return;
    if (flow->x + fr_blow_modes_span(def, &flow->modes) >= 0.0) return;
    flow->clear = true;
    double steps = ceil(fr_min(left / flow->plan.stride, 0.5 * FR_BLOW_MOMENTS));
    fr_blow_table_set(def, &flow->modes, left / steps, &flow->modes.coarse);
    while (flow->out->moment_count > FR_BLOW_MOMENTS / 2) thin_out(flow->out, def->stressed);
    flow->every = 1;
}

static void follow(Flow *flow) {
    FrModalBlow *out = flow->out;
    while (!over(flow) && out->steps < FR_BLOW_MOST_STEPS) {
        if (flow->touch.s > 0.0 || out->hits == 0 || !drift(flow))
            touch(flow);
        else
            look_ahead(flow);
        out->steps++;
        record(flow);
    }
    if (flow->touch.s > 0.0) part(flow);
    out->parted = flow->touch.s <= 0.0 && flow->u < 0.0;
    out->step = flow->plan.step;
    out->followed = flow->modes.count;
}

// largest amplitudes: as followed, and at the largest force
static void note_most(Flow *flow) {
    const FrModalBlowDef *def = flow->def;
    for (int32_t i = 0, k = 0; i < def->stressed; i++) {
        bool followed = k < flow->modes.count && flow->modes.mode[k] == i;
        flow->out->most[i] = followed ? sqrt(flow->modes.most2[k++])
                                      : fabs(def->w[i]) * flow->out->peak / def->lambda[i];
    }
}

FrResult fr_modal_blow(FrContext *ctx, const FrModalBlowDef *def, FrModalBlow *blow) {
    *blow = (FrModalBlow){0};
    FR_TRY(check(ctx, def));
    Flow flow = {.def = def, .out = blow};
    FrResult result = prepare(ctx, &flow);
    if (result == FR_OK) {
        follow(&flow);
        note_most(&flow);
    }
    fr_blow_modes_free(ctx, &flow.modes);
    if (result != FR_OK) fr_modal_blow_free(ctx, blow);
    return result;
}
