// explicit_step.c: one explicit step of a deformable body, and the ledger of works that goes with
// it.
//
// Velocities live half way between positions, so the body's own forces and gravity f act for half
// of each of the two steps around a position; outside forces g, which pair with another body's, for
// dt (who adds one that balances f scales it by kick/dt, or a change of the step jolts what rests):
//     v1 = v0 + (kick f + dt g)/m,  kick = (dt before + dt)/2,  p1 = p0 + dt v1
// At first, where both are of one moment, the step before is 0: half a kick brings velocities half
// a step on, and what falls is on its parabola. With a constant step this is symplectic Euler; with
// a changing one its energy stays level: a kick of dt would jolt it by (dt - dt before)/2 f.v (soft
// block dropped on a floor: the ledger is off by 8e-4 of its peak instead of 2e-4). An impulse j
// changes 1/2 m v.v by exactly j.(v0 + v1)/2. Split over the channels that sum gives each channel's
// work; only the elastic part has to be compared with stored energy.

#include "fem/body.h"
#include "base/tasks.h"
#include "math/step_tuning.h"
#include <string.h>

/// Where the step changes a kick comes in two halves, and nodes are shifted between them
/// (change.c).
typedef enum Half { WHOLE, FIRST, SECOND } Half;

typedef struct Kick {
    FrFem *fem;
    double dt, kick, push; ///< s: of the move, of the body's own forces, of outside ones
    FrVec3 gravity;
    Half half;
} Kick;

double fr_fem_kick_time(const FrFem *fem, double dt) {
    return fem->settings.integrator == FR_SYMPLECTIC ? 0.5 * (fem->state.last_dt + dt) : dt;
}

static bool changes(const FrFem *fem, double dt) {
    return fem->settings.integrator == FR_SYMPLECTIC && fem->state.last_dt > 0.0 &&
           fabs(dt - fem->state.last_dt) > FR_STEP_SAME * dt;
}

// how long forces act: half of the last step, half of this one, or both
static Kick kick_of(FrFem *fem, double dt, FrVec3 gravity, Half half) {
    Kick kick = {fem, dt, fr_fem_kick_time(fem, dt), dt, gravity, half};
    if (half == WHOLE) return kick;
    double part = (half == FIRST ? fem->state.last_dt : dt) / (fem->state.last_dt + dt);
    kick.kick = 0.5 * (half == FIRST ? fem->state.last_dt : dt);
    kick.push = part * dt;
    return kick;
}

static FrVec3 moved(const Kick *kick, FrVec3 p, FrVec3 v0, FrVec3 v1) {
    switch (kick->fem->settings.integrator) {
    case FR_EULER:
        return fr_axpy(kick->dt, v0, p);
    case FR_TAYLOR:
        return fr_axpy(0.5 * kick->dt, fr_add(v0, v1), p); // dt v0 + dt^2/2 a
    case FR_SYMPLECTIC:
        break;
    }
    return fr_axpy(kick->dt, v1, p);
}

// A held node leaps to its velocity at the moment between the two halves of its kick; forces work
// on it at the old one in the first half and at the new one in the second. Returns how far from v0
// to v1 that mean is.
static double mean_of_held(const Kick *kick) {
    if (kick->fem->settings.integrator != FR_SYMPLECTIC) return 0.5;
    if (kick->half != WHOLE) return kick->half == FIRST ? 0.0 : 1.0;
    return kick->dt / (kick->fem->state.last_dt + kick->dt);
}

// velocity and position of one node; adds its works, and its elastic power at the new velocity
static void kick_node(const Kick *kick, int32_t n, FrFemWorks *w, FrNodeSums *sums) {
    FrFem *fem = kick->fem;
    FrVec3 v0 = fr_get3(fem->state.v, n), f = fr_get3(fem->scratch.f, n);
    // impulses, N s
    FrVec3 drag = fr_scale(-kick->kick * fem->scratch.drag[n], v0);
    FrVec3 damp = fr_axpy(kick->kick, fr_get3(fem->scratch.d, n), drag);
    FrVec3 weight = fr_scale(kick->kick * fem->scratch.mass[n], kick->gravity);
    FrVec3 load = fr_scale(kick->push, fr_get3(fem->state.load, n));
    FrVec3 contact = fr_scale(kick->push, fr_get3(fem->state.contact, n));
    FrVec3 own = fr_axpy(kick->kick, f, fr_add(damp, weight));
    FrVec3 sum = fr_add(own, fr_add(load, contact));
    FrVec3 v1 = fr_axpy(fem->scratch.inverse_mass[n], sum, v0);
    FrVec3 mean = fr_scale(0.5, fr_add(v0, v1));
    if (fem->state.held[n]) {
        // the support's impulse is what makes the node follow
        v1 = fr_get3(fem->state.drive, n);
        FrVec3 leap = fr_sub(v1, v0);
        mean = fr_lerp(v0, v1, mean_of_held(kick));
        load = fr_add(load, fr_axpy(fem->scratch.mass[n], leap, fr_neg(sum)));
        w->load += fem->scratch.mass[n] * fr_dot(leap, fr_sub(fr_lerp(v0, v1, 0.5), mean));
        sums->leap += fr_dot(f, leap);
    }
    w->impulse = fr_add(w->impulse, fr_add(drag, fr_add(weight, load)));
    w->damping -= fr_dot(damp, mean);
    w->gravity += fr_dot(weight, mean);
    w->load += fr_dot(load, mean);
    w->contact += fr_dot(contact, mean);
    if (kick->half == FIRST)
        fr_set3(fem->scratch.gain, n, fr_sub(v1, v0));
    else
        fr_set3(fem->state.p, n, moved(kick, fr_get3(fem->state.p, n), v0, v1));
    fr_set3(fem->state.v, n, v1);
    sums->elastic += fr_dot(f, v1);
}

static void kick_chunk(const Kick *kick, int32_t chunk) {
    FrFem *fem = kick->fem;
    int32_t begin = chunk * FR_NODE_GRAIN,
            end = fr_min_i(begin + FR_NODE_GRAIN, fem->state.node_count);
    FrFemWorks works = {0};
    FrNodeSums sums = {0};
    for (int32_t n = begin; n < end; n++) kick_node(kick, n, &works, &sums);
    size_t at = 3 * (size_t)begin, size = 3 * (size_t)(end - begin) * sizeof(double);
    if (kick->half != FIRST) {
        memset(fem->state.load + at, 0, size);
        memset(fem->state.contact + at, 0, size);
    }
    fem->scratch.node_works[chunk] = works;
    fem->scratch.node_sums[chunk] = sums;
}

typedef struct KickAll {
    FrFemSet set;
    double dt;
    FrVec3 gravity;
    bool first; ///< the first half, of those whose step changes
} KickAll;

static void kick_chunks(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const KickAll *all = arg;
    for (int32_t task = begin; task < end; task++) {
        FrFem *fem = fr_fem_of_task(&all->set, task);
        Half half = all->first ? FIRST : changes(fem, all->dt) ? SECOND : WHOLE;
        if (all->first && !changes(fem, all->dt)) continue;
        Kick kick = kick_of(fem, all->dt, all->gravity, half);
        kick_chunk(&kick, task - fem->scratch.first_task);
    }
}

// After a kick: works; returns the elastic power at the new velocities, W. That of before becomes
// what it is with the new velocities of held nodes: a leap is no part of a kick.
static double add_works(FrFem *fem) {
    double power = 0.0;
    for (int32_t k = 0; k < fr_fem_node_chunks(fem); k++) {
        const FrFemWorks *w = &fem->scratch.node_works[k];
        fem->state.works.damping += w->damping;
        fem->state.works.gravity += w->gravity;
        fem->state.works.load += w->load;
        fem->state.works.contact += w->contact;
        fem->state.works.impulse = fr_add(fem->state.works.impulse, w->impulse);
        power += fem->scratch.node_sums[k].elastic;
        fem->scratch.sums.elastic += fem->scratch.node_sums[k].leap;
    }
    return power;
}

// after the last kick, whose forces are kept until the new ones are there
static void end_kick(FrFem *fem) {
    fem->scratch.watch.kick_power = add_works(fem);
    fem->scratch.watch.still_power = fem->scratch.sums.elastic;
    fem->scratch.watch.kick_energy = fem->scratch.energy;
    if (fem->state.has_stiffness)
        memset(fem->state.stiffness, 0, (size_t)fem->state.node_count * sizeof(double));
    fem->state.has_stiffness = false;
    fem->scratch.pulled = false;
    fem->scratch.current = false;
}

static double plastic_work(const FrFem *fem) {
    double work = 0.0;
    for (int32_t k = 0; k < fem->state.chunks.chunk_count; k++)
        work += fem->scratch.slots.chunk_sums[k].plastic;
    return work;
}

// The first halves where the step changes, and the shift of change.c. Elastic power is f.v_old
// before and f.u after the first half, f'.u before and f'.v_new after the second, u the velocity of
// the moment and f' the forces after the shift; so the ledger misses
//     a/4 (f.u - f.v_old) + W' - W + b/4 (f'.u - f'.v_new),  without a shift (a^2 - b^2)/8 f.f/m
static void begin_change(const KickAll *all) {
    KickAll first = *all;
    bool any = false;
    for (int32_t k = 0; k < all->set.count; k++) any = any || changes(all->set.fem[k], all->dt);
    if (!any) return;
    first.first = true;
    int32_t tasks = fr_fem_number_tasks(&all->set, fr_fem_node_chunks);
    fr_parallel_for(all->set.fem[0]->ctx, tasks, 1, kick_chunks, &first);
    for (int32_t k = 0; k < all->set.count; k++) {
        FrFem *fem = all->set.fem[k];
        if (!changes(fem, all->dt)) continue;
        double power = add_works(fem), energy = fem->scratch.energy;
        fem->scratch.watch.half_power = power - fem->scratch.sums.elastic;
        fem->scratch.sums.elastic = power; // if nothing is shifted it is not computed again
        fem->scratch.watch.between =
            fr_fem_shift(fem, all->dt, fem->scratch.watch.half_power) - energy;
    }
    fr_fem_evaluate_all(&all->set);
    for (int32_t k = 0; k < all->set.count; k++)
        if (changes(all->set.fem[k], all->dt))
            all->set.fem[k]->scratch.watch.between += all->set.fem[k]->scratch.energy;
}

static void note_shift(FrFem *fem, double dt) {
    double a = fem->state.last_dt, change = fem->scratch.watch.still_power -
                                            fem->scratch.watch.kick_power; // of half a kick, b/2
    bool staggered = fem->settings.integrator == FR_SYMPLECTIC, halved = changes(fem, dt);
    bool first = staggered && a == 0.0; // only a second half
    fem->scratch.watch.shift = first || halved ? 0.25 * dt * change : 0.0;
    if (halved)
        fem->scratch.watch.shift +=
            0.25 * a * fem->scratch.watch.half_power + fem->scratch.watch.between;
    double time = halved ? 0.5 * dt : fr_fem_kick_time(fem, dt);
    fem->scratch.watch.jolt =
        staggered ? fr_max(0.0, -0.125 * (1.0 - FR_PART_SHRINK2) * dt * dt * (change / time)) : 0.0;
}

static bool all_loose(FrFem *const *fem, int32_t count) {
    bool all = true;
    for (int32_t k = 0; k < count; k++) all = all && fem[k]->scratch.loose.moves;
    return all;
}

static FrResult step_all_loose(FrFem *const *fem, int32_t count, double dt, FrVec3 gravity,
                               int32_t *failed) {
    for (int32_t k = 0; k < count; k++) fr_fem_step_loose(fem[k], dt, gravity);
    for (*failed = 0; *failed < count; (*failed)++) FR_TRY(fr_fem_check_finite(fem[*failed]));
    return FR_OK;
}

FrResult fr_fem_step_all(FrFem *const *fem, int32_t count, double dt, FrVec3 gravity,
                         int32_t *failed) {
    FR_ASSERT(dt > 0.0, "a step lasts longer than 0 s");
    if (count == 0) return FR_OK;
    if (all_loose(fem, count)) return step_all_loose(fem, count, dt, gravity, failed);
    KickAll all = {{fem, count}, dt, gravity, false};
    fr_fem_evaluate_all(&all.set);
    begin_change(&all);
    int32_t tasks = fr_fem_number_tasks(&all.set, fr_fem_node_chunks);
    fr_parallel_for(fem[0]->ctx, tasks, 1, kick_chunks, &all);
    for (int32_t k = 0; k < count; k++) end_kick(fem[k]);
    for (int32_t k = 0; k < count; k++) fr_fem_move_rigid(fem[k], dt);
    for (int32_t k = 0; k < count; k++) fem[k]->scratch.watch.flow_dt = dt;
    fr_fem_evaluate_all(&all.set);
    for (int32_t k = 0; k < count; k++) {
        fem[k]->scratch.watch.flow_dt = 0.0;
        double flowed = fem[k]->settings.yields ? plastic_work(fem[k]) : 0.0;
        fem[k]->state.works.plastic += flowed;
        // stored energy against the trapezoidal work of the elastic forces along dt v
        fem[k]->state.step_error =
            (fem[k]->scratch.energy - fem[k]->scratch.watch.kick_energy) + flowed +
            0.5 * dt * (fem[k]->scratch.watch.kick_power + fem[k]->scratch.sums.elastic);
        note_shift(fem[k], dt);
        fem[k]->state.last_dt = dt;
    }
    for (*failed = 0; *failed < count; (*failed)++) FR_TRY(fr_fem_check_finite(fem[*failed]));
    return FR_OK;
}

// Added forces act in each of them alike: all at once, as impulses, they would make what holds
// against them swing with every dt for good, a node of lead in a closed crack at 1.5 m/s. Forces
// that are held lag behind what moves by half of dt: who adds them has to make up for that.
FrResult fr_fem_step_often(FrFem *fem, double dt, int32_t times, FrVec3 gravity) {
    if (times == 1) return fr_fem_step(fem, dt, gravity);
    double error = 0.0, shift = 0.0, jolt = 0.0;
    size_t numbers = 3 * (size_t)fem->state.node_count, size = numbers * sizeof(double);
    if (!fr_array_reserve(fem->ctx, &fem->scratch.lasting, 6 * fem->state.node_count))
        return fr_no_memory(fem->ctx, "steps of a body");
    memcpy(fem->scratch.lasting.data, fem->state.load, size);
    memcpy(fem->scratch.lasting.data + numbers, fem->state.contact, size);
    for (int32_t k = 0; k < times; k++) {
        memcpy(fem->state.load, fem->scratch.lasting.data, size);
        memcpy(fem->state.contact, fem->scratch.lasting.data + numbers, size);
        FR_TRY(fr_fem_step(fem, dt / times, gravity));
        error += fem->state.step_error;
        shift += fem->scratch.watch.shift;
        jolt += fem->scratch.watch.jolt;
    }
    fem->state.step_error = error;
    fem->scratch.watch.shift = shift;
    fem->scratch.watch.jolt = jolt;
    return FR_OK;
}

FrResult fr_fem_step(FrFem *fem, double dt, FrVec3 gravity) {
    int32_t failed;
    return fr_fem_step_all(&fem, 1, dt, gravity, &failed);
}

// For linear forces the step balances staggered energy exactly even when it is unstable: amplitudes
// then grow while sum 1/2 m v_old.v_new + W stays small. Below w dt = 1.8 it is at least a tenth of
// 1/2 m v.v + W (1 - w dt/2), so anything above 16 times counts as made from nothing too.
FrStepWatch fr_fem_watch(const FrFem *fem) {
    double scale = fem->scratch.sums.kinetic + fem->scratch.energy;
    double staggered = fr_max(0.0, scale + 0.5 * fem->state.last_dt * fem->scratch.sums.elastic);
    double runaway = fr_max(0.0, scale - FR_WATCH_RUNAWAY * staggered);
    FrStepWatch watch = {fem->state.step_error + runaway, scale, fem->scratch.watch.shift,
                         fem->scratch.watch.jolt};
    return watch;
}

// The staggered half: the next kick's first half dt/2 f.v, in kinetic energy and works alike [M3].
// On held nodes the support balances every other force.
void fr_fem_energy(FrFem *fem, FrVec3 gravity, FrFemEnergy *energy) {
    fr_fem_evaluate(fem);
    double half = 0.5 * fem->state.last_dt, damping = 0, weight = 0, support = 0;
    for (int32_t n = 0; n < fem->state.node_count; n++) {
        FrVec3 v = fr_get3(fem->state.v, n);
        double power_f = fr_dot(fr_get3(fem->scratch.f, n), v);
        double power_d = fr_dot(fr_axpy(-fem->scratch.drag[n], v, fr_get3(fem->scratch.d, n)), v);
        double power_g = fem->scratch.mass[n] * fr_dot(gravity, v);
        damping -= half * power_d;
        weight += half * power_g;
        if (fem->state.held[n]) support -= half * (power_f + power_d + power_g);
    }
    double kinetic =
        fem->scratch.sums.kinetic + half * fem->scratch.sums.elastic - damping + weight + support;
    *energy = (FrFemEnergy){.kinetic = kinetic,
                            .elastic = fem->scratch.energy,
                            .damping = fem->state.works.damping + damping,
                            .gravity_work = fem->state.works.gravity + weight,
                            .load_work = fem->state.works.load + support,
                            .contact_work = fem->state.works.contact,
                            .plastic = fem->state.works.plastic,
                            .fracture = fem->state.works.fracture,
                            .dust = fem->state.works.dust};
}
