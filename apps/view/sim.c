// sim.c: a live scene stepped in a thread of its own, another one opened in the background, and
// copies of it for the picture.

#include "sim.h"
#include "film.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// Wall time after which steps are left for what hands want, s, and the least between two copies.
#define BUDGET 0.012
#define COPY_EVERY 0.008
/// What was missed of real time for longer is not made up for, s.
#define MOST_BEHIND 0.05
#define MOST_COMMANDS 512
/// Copies of the last seconds, so many, so often a second of the scene, of at most so many nodes
/// together.
#define PAST 150
#define PAST_HZ 30.0
#define PAST_NODES 4000000
#define MOST_SETS 32

typedef enum Order { RUN, STEP, SPEED, BACK, GO_TO, RESET, INPUT, FIELDS, SAVE, FILM } Order;

typedef struct Command {
    Order order;
    double amount;
    FrInput input;
    char path[512];
} Command;

/// What is opened.
typedef struct Wish {
    char scene[512], set[MOST_SETS][128];
    int set_count;
    bool replay, exact;
} Wish;

/// A copy that can be looked at again.
typedef struct Past {
    FrSnapshot *copy;
    int64_t tick; ///< -1: nothing is there
} Past;

struct Sim {
    pthread_t thread, opener, cook;
    atomic_bool leave; ///< of the cook
    pthread_mutex_t lock;
    pthread_cond_t wake;
    Sounds *sounds;
    // behind the lock
    bool quit, open_wanted;
    bool closing; ///< the context that would be next has a scene that is being closed
    Command command[MOST_COMMANDS];
    int command_count;
    double aspect;
    Wish wish, now; ///< to be opened; of the scene that is there
    FrLive *next;   ///< was opened, waits to be taken
    int next_context;
    SimStatus status;
    FrSnapshot *ready, *front;
    Past past[PAST];
    int past_at;   ///< the next that is overwritten
    bool scrubbed; ///< they are looked at: none is overwritten
    bool fresh;
    double began; ///< wall time at which the present step did; 0: none
    // of the threads; contexts take turns, so that one opens while the other is stepped
    FrContext *context[2], *copies, *kitchen_context;
    FrKitchen *kitchen;
    FrLive *live;
    int live_context;
    FrSnapshot *back;
    bool fields, changed;
    int32_t steps_left;
    double last, carry, copied;
    double measured_from;
    int64_t measured_tick;
};

static double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// with the lock
static void say(Sim *sim, const char *text) {
    snprintf(sim->status.message, sizeof sim->status.message, "%s", text);
    sim->status.messages++;
}

// --- opening

static FrResult open_scene(FrContext *ctx, const Wish *wish, FrLive **live) {
    const char *set[MOST_SETS];
    for (int k = 0; k < wish->set_count; k++) set[k] = wish->set[k];
    FrLiveDef def = fr_live_def_default();
    def.scene = wish->scene;
    def.set = set;
    def.set_count = wish->set_count;
    def.quick = !wish->exact;
    return fr_live_open(ctx, &def, live);
}

// inputs of a program that had no kitchen are played without one
static FrResult open_wish(FrContext *ctx, FrKitchen *kitchen, const Wish *wish, FrLive **live) {
    FrResult result = wish->replay ? fr_live_replay(ctx, wish->scene, live, NULL, NULL)
                                   : open_scene(ctx, wish, live);
    if (result != FR_OK || wish->exact) return result;
    result = fr_live_use_kitchen(*live, kitchen);
    return result == FR_BAD_USE ? FR_OK : result;
}

static void *cook_main(void *arg) {
    Sim *sim = arg;
    while (!atomic_load(&sim->leave))
        if (!fr_kitchen_cook(sim->kitchen, sim->kitchen_context)) usleep(15000);
    return NULL;
}

static void *opener_main(void *arg) {
    Sim *sim = arg;
    pthread_mutex_lock(&sim->lock);
    while (!sim->quit) {
        if (!sim->open_wanted || sim->next || sim->closing) {
            pthread_cond_wait(&sim->wake, &sim->lock);
            continue;
        }
        Wish wish = sim->wish;
        int turn = sim->live ? 1 - sim->live_context : 0;
        sim->open_wanted = false;
        sim->status.opening = true;
        pthread_mutex_unlock(&sim->lock);
        FrLive *live = NULL;
        FrResult result = open_wish(sim->context[turn], sim->kitchen, &wish, &live);
        pthread_mutex_lock(&sim->lock);
        sim->status.opening = sim->open_wanted;
        if (result == FR_OK) {
            sim->next = live;
            sim->next_context = turn;
            sim->now = wish;
        } else {
            say(sim, fr_context_message(sim->context[turn]));
        }
        pthread_cond_broadcast(&sim->wake);
    }
    pthread_mutex_unlock(&sim->lock);
    return NULL;
}

static void copy_param(const FrLive *live, int k, SimParam *to) {
    FrParam from = fr_live_param(live, k);
    *to = (SimParam){.is_number = from.is_number,
                     .value = from.value,
                     .min = from.min,
                     .max = from.max,
                     .choice = from.choice};
    snprintf(to->name, sizeof to->name, "%s", from.name);
    snprintf(to->help, sizeof to->help, "%s", from.help);
    snprintf(to->unit, sizeof to->unit, "%s", from.unit);
    snprintf(to->word, sizeof to->word, "%s", from.word);
    to->choices = from.choices < MOST_CHOICES ? from.choices : MOST_CHOICES;
    for (int i = 0; i < to->choices; i++) fr_live_param_choice(live, k, i, to->choice_text[i]);
}

// with the lock: what is after a tick is not what was
static void forget_after(Sim *sim, int64_t tick) {
    for (int k = 0; k < PAST; k++)
        if (sim->past[k].tick > tick) sim->past[k].tick = -1;
}

static int64_t newest_past(const Sim *sim) {
    int64_t newest = -1;
    for (int k = 0; k < PAST; k++)
        if (sim->past[k].tick > newest) newest = sim->past[k].tick;
    return newest;
}

static int64_t oldest_past(const Sim *sim) {
    int64_t oldest = INT64_MAX;
    for (int k = 0; k < PAST; k++)
        if (sim->past[k].tick >= 0 && sim->past[k].tick < oldest) oldest = sim->past[k].tick;
    return oldest;
}

// with the lock: another scene is there
static void take_next(Sim *sim) {
    FrLive *old = sim->live;
    sim->live = sim->next;
    sim->live_context = sim->next_context;
    sim->next = NULL;
    SimStatus *s = &sim->status;
    fr_live_viewpoint(sim->live, sim->aspect, &s->from);
    int count = fr_live_param_count(sim->live);
    s->param_count = count < MOST_PARAMS ? count : MOST_PARAMS;
    for (int k = 0; k < s->param_count; k++) copy_param(sim->live, k, &s->param[k]);
    forget_after(sim, -1);
    sim->scrubbed = false;
    s->opened += !old || strcmp(s->scene, sim->now.scene) != 0;
    snprintf(s->scene, sizeof s->scene, "%s", sim->now.scene);
    sim->closing = true;
    s->ready = true;
    s->broken = false;
    s->message[0] = 0;
    sim->changed = true;
    sim->carry = 0.0;
    sim->measured_from = 0.0;
    pthread_mutex_unlock(&sim->lock);
    if (sim->sounds) sounds_forget(sim->sounds);
    fr_live_close(old);
    pthread_mutex_lock(&sim->lock);
    sim->closing = false;
    pthread_cond_broadcast(&sim->wake);
}

// --- stepping

static FrContext *live_ctx(const Sim *sim) { return sim->context[sim->live_context]; }

static void check(Sim *sim, FrResult result) {
    if (result == FR_OK) return;
    pthread_mutex_lock(&sim->lock);
    say(sim, fr_context_message(live_ctx(sim)));
    if (result != FR_BAD_USE) {
        sim->status.running = false;
        sim->status.broken = result == FR_NUMERICAL;
    }
    pthread_mutex_unlock(&sim->lock);
}

static void go_to(Sim *sim, int64_t tick) {
    check(sim, fr_live_rewind(sim->live, tick > 0 ? tick : 0));
    if (sim->sounds) sounds_forget(sim->sounds);
    sim->carry = 0.0;
    pthread_mutex_lock(&sim->lock);
    sim->status.broken = false;
    forget_after(sim, fr_live_tick(sim->live));
    pthread_mutex_unlock(&sim->lock);
}

static void go_back(Sim *sim, double seconds) {
    go_to(sim, fr_live_tick(sim->live) - (int64_t)ceil(seconds / fr_live_step(sim->live)));
}

static void film(Sim *sim) {
    char folder[64], inputs[96];
    struct stat there;
    int k = 0;
    do snprintf(folder, sizeof folder, "out/session-%d", ++k);
    while (stat(folder, &there) == 0 && k < 10000);
    mkdir("out", 0777);
    mkdir(folder, 0777);
    snprintf(inputs, sizeof inputs, "%s/inputs.json", folder);
    FrResult result = fr_live_save_inputs(sim->live, inputs);
    check(sim, result);
    if (result == FR_OK) film_begin(inputs, folder);
}

// what a hand held may be gone: it is moved and let go in vain
static void do_input(Sim *sim, const FrInput *input) {
    FrResult result = fr_live_input(sim->live, input);
    bool vain = input->kind == FR_INPUT_MOVE || input->kind == FR_INPUT_LET_GO;
    if (!(vain && result == FR_BAD_USE)) check(sim, result);
}

static void obey(Sim *sim, const Command *c) {
    switch (c->order) {
    case RUN:
        sim->steps_left = 0;
        sim->carry = 0.0;
        break;
    case STEP:
        sim->steps_left += (int32_t)c->amount;
        break;
    case SPEED:
        sim->carry = 0.0;
        break;
    case BACK:
        go_back(sim, c->amount);
        break;
    case GO_TO:
        go_to(sim, (int64_t)llround(c->amount / fr_live_step(sim->live)));
        break;
    case RESET:
        go_back(sim, (double)fr_live_tick(sim->live) * fr_live_step(sim->live));
        fr_live_drop_waiting(sim->live);
        break;
    case INPUT:
        do_input(sim, &c->input);
        break;
    case FIELDS:
        sim->fields = c->amount > 0.0;
        break;
    case FILM:
        film(sim);
        break;
    case SAVE:
        check(sim, fr_live_save_inputs(sim->live, c->path));
        break;
    }
    sim->changed = true;
}

static void obey_all(Sim *sim) {
    static Command taken[MOST_COMMANDS]; // one simulation thread
    pthread_mutex_lock(&sim->lock);
    if (sim->next) take_next(sim);
    int count = sim->live ? sim->command_count : 0;
    memcpy(taken, sim->command, sizeof *taken * (size_t)count);
    sim->command_count -= count;
    pthread_mutex_unlock(&sim->lock);
    for (int k = 0; k < count; k++) obey(sim, &taken[k]);
}

// how many steps real time asks for
static int32_t steps_due(Sim *sim, bool running, double speed) {
    double now = now_seconds(), step = fr_live_step(sim->live);
    double passed = fmin(now - sim->last, MOST_BEHIND);
    bool first = fr_live_tick(sim->live) == 0;
    sim->last = now;
    if (sim->steps_left > 0) return sim->steps_left;
    if (!running || (first && fr_live_raw(sim->live) > 0)) return 0; // it is to break at once
    sim->carry = fmin(sim->carry + passed * speed, MOST_BEHIND * speed + step);
    return (int32_t)fmin(sim->carry / step, 1e6);
}

static void advance(Sim *sim, int32_t due) {
    int32_t done = 0;
    double start = now_seconds();
    pthread_mutex_lock(&sim->lock);
    sim->began = start;
    pthread_mutex_unlock(&sim->lock);
    FrResult result = fr_live_advance(sim->live, BUDGET, due, &done);
    double each = done > 0 ? (now_seconds() - start) / done : 0.0;
    if (sim->steps_left > 0)
        sim->steps_left -= done;
    else
        sim->carry -= done * fr_live_step(sim->live);
    sim->changed = sim->changed || done > 0;
    check(sim, result);
    if (result != FR_OK) sim->steps_left = 0;
    pthread_mutex_lock(&sim->lock);
    sim->began = 0.0;
    if (done > 0) sim->status.step_ms += 0.2 * (1e3 * each - sim->status.step_ms);
    pthread_mutex_unlock(&sim->lock);
}

// simulated time per wall time, over the last half second
static void measure(Sim *sim, bool running) {
    double now = now_seconds();
    int64_t tick = fr_live_tick(sim->live);
    bool begin = !running || sim->measured_from == 0.0 || tick < sim->measured_tick;
    if (!begin && now - sim->measured_from < 0.5) return;
    double passed = now - sim->measured_from;
    pthread_mutex_lock(&sim->lock);
    sim->status.tick = tick;
    if (!begin)
        sim->status.factor = (double)(tick - sim->measured_tick) * fr_live_step(sim->live) / passed;
    if (!running) sim->status.factor = 0.0;
    pthread_mutex_unlock(&sim->lock);
    sim->measured_from = now;
    sim->measured_tick = tick;
}

// what was cooked meanwhile is there before the first step
static void look_into_kitchen(Sim *sim) {
    if (fr_live_tick(sim->live) == 0) check(sim, fr_live_advance(sim->live, 0.0, 0, NULL));
    pthread_mutex_lock(&sim->lock);
    sim->status.raw = fr_live_raw(sim->live);
    pthread_mutex_unlock(&sim->lock);
}

static void keep_past(Sim *sim) {
    int64_t tick = fr_live_tick(sim->live);
    double every = 1.0 / (PAST_HZ * fr_live_step(sim->live));
    int32_t nodes = fr_snapshot_moment(sim->back)->nodes;
    int room = nodes > PAST_NODES / PAST ? PAST_NODES / (nodes + 1) : PAST;
    pthread_mutex_lock(&sim->lock);
    bool due = !sim->scrubbed && (double)(tick - newest_past(sim)) >= every && room > 1;
    if (sim->past_at >= room) sim->past_at = 0;
    Past *past = &sim->past[sim->past_at];
    if (due) past->tick = -1; // nobody looks at it now
    pthread_mutex_unlock(&sim->lock);
    if (!due) return;
    if (!past->copy && fr_snapshot_create(sim->copies, &past->copy) != FR_OK) return;
    if (fr_live_snapshot(sim->live, past->copy, false) != FR_OK) return;
    pthread_mutex_lock(&sim->lock);
    past->tick = tick;
    sim->past_at++;
    pthread_mutex_unlock(&sim->lock);
}

static void publish(Sim *sim) {
    double now = now_seconds();
    if (!sim->changed || now - sim->copied < COPY_EVERY) return;
    if (fr_live_snapshot(sim->live, sim->back, sim->fields) != FR_OK) return;
    keep_past(sim);
    sim->copied = now;
    sim->changed = false;
    int64_t count;
    const FrEvent *event = fr_live_events(sim->live, &count);
    if (sim->sounds) sounds_tell(sim->sounds, fr_snapshot_moment(sim->back), event, count);
    pthread_mutex_lock(&sim->lock);
    FrSnapshot *old = sim->ready;
    sim->ready = sim->back;
    sim->back = old;
    sim->fresh = true;
    sim->status.tick = fr_live_tick(sim->live);
    sim->status.t = (double)sim->status.tick * fr_live_step(sim->live);
    int64_t oldest = oldest_past(sim);
    sim->status.past =
        oldest > sim->status.tick ? sim->status.t : (double)oldest * fr_live_step(sim->live);
    pthread_mutex_unlock(&sim->lock);
}

static void wait_a_little(Sim *sim, double seconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    long ns = until.tv_nsec + (long)(1e9 * seconds);
    until.tv_sec += ns / 1000000000L;
    until.tv_nsec = ns % 1000000000L;
    pthread_mutex_lock(&sim->lock);
    if (!sim->quit && sim->command_count == 0 && !sim->next)
        pthread_cond_timedwait(&sim->wake, &sim->lock, &until);
    pthread_mutex_unlock(&sim->lock);
}

static void *sim_main(void *arg) {
    Sim *sim = arg;
    for (;;) {
        obey_all(sim);
        pthread_mutex_lock(&sim->lock);
        bool quit = sim->quit, running = sim->status.running;
        double speed = sim->status.speed;
        pthread_mutex_unlock(&sim->lock);
        if (quit) return NULL;
        int32_t due = sim->live ? steps_due(sim, running, speed) : 0;
        if (due > 0) advance(sim, due);
        if (sim->live) look_into_kitchen(sim);
        if (sim->live) measure(sim, running);
        if (sim->live) publish(sim);
        if (due == 0) wait_a_little(sim, running ? 0.001 : 0.01);
    }
}

// --- the window's side

Sim *sim_create(Sounds *sounds) {
    Sim *sim = calloc(1, sizeof *sim);
    if (!sim) return NULL;
    FrContextDef def = fr_context_def_default();
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    def.tasks.workers = cores > 2 ? (int32_t)cores - 1 : 1; // one is left for the picture
    sim->sounds = sounds;
    sim->status.speed = 1.0;
    sim->aspect = 16.0 / 9.0;
    for (int k = 0; k < 2; k++) sim->context[k] = fr_context_create(&def);
    def.tasks.workers = 1;
    sim->copies = fr_context_create(&def);
    sim->kitchen_context = fr_context_create(&def);
    if (!sim->context[0] || !sim->context[1] || !sim->copies || !sim->kitchen_context) return NULL;
    if (fr_kitchen_create(sim->copies, &sim->kitchen) != FR_OK) return NULL;
    FrSnapshot **snapshot[] = {&sim->back, &sim->ready, &sim->front};
    for (int k = 0; k < 3; k++)
        if (fr_snapshot_create(sim->copies, snapshot[k]) != FR_OK) return NULL;
    for (int k = 0; k < PAST; k++) sim->past[k].tick = -1;
    pthread_mutex_init(&sim->lock, NULL);
    pthread_cond_init(&sim->wake, NULL);
    pthread_create(&sim->thread, NULL, sim_main, sim);
    pthread_create(&sim->opener, NULL, opener_main, sim);
    pthread_create(&sim->cook, NULL, cook_main, sim);
    return sim;
}

// long steps and long meshing are cut short
void sim_destroy(Sim *sim) {
    pthread_mutex_lock(&sim->lock);
    sim->quit = true;
    pthread_cond_broadcast(&sim->wake);
    pthread_mutex_unlock(&sim->lock);
    atomic_store(&sim->leave, true);
    for (int k = 0; k < 2; k++) fr_context_cancel(sim->context[k]);
    fr_context_cancel(sim->kitchen_context);
    pthread_join(sim->thread, NULL);
    pthread_join(sim->opener, NULL);
    pthread_join(sim->cook, NULL);
    fr_snapshot_destroy(sim->back);
    fr_snapshot_destroy(sim->ready);
    fr_snapshot_destroy(sim->front);
    for (int k = 0; k < PAST; k++) fr_snapshot_destroy(sim->past[k].copy);
    fr_live_close(sim->live);
    fr_live_close(sim->next);
    fr_kitchen_destroy(sim->kitchen);
    fr_context_destroy(sim->kitchen_context);
    for (int k = 0; k < 2; k++) fr_context_destroy(sim->context[k]);
    fr_context_destroy(sim->copies);
    pthread_mutex_destroy(&sim->lock);
    pthread_cond_destroy(&sim->wake);
    free(sim);
}

// with the lock: "name=value" in place of an earlier value
static void put_set(Wish *wish, const char *text) {
    size_t name = strcspn(text, "=") + 1;
    int k = 0;
    while (k < wish->set_count && strncmp(wish->set[k], text, name) != 0) k++;
    if (k == MOST_SETS) return;
    snprintf(wish->set[k], sizeof wish->set[k], "%s", text);
    if (k == wish->set_count) wish->set_count++;
}

static void want(Sim *sim) {
    sim->open_wanted = true;
    sim->status.opening = true;
    pthread_cond_broadcast(&sim->wake);
    pthread_mutex_unlock(&sim->lock);
}

void sim_open(Sim *sim, const char *scene, const char *const *set, int count, bool keep) {
    pthread_mutex_lock(&sim->lock);
    if (!keep) sim->wish.set_count = 0;
    sim->wish.replay = false;
    snprintf(sim->wish.scene, sizeof sim->wish.scene, "%s", scene);
    for (int k = 0; k < count; k++) put_set(&sim->wish, set[k]);
    want(sim);
}

void sim_replay(Sim *sim, const char *path) {
    pthread_mutex_lock(&sim->lock);
    sim->wish.set_count = 0;
    sim->wish.replay = true;
    snprintf(sim->wish.scene, sizeof sim->wish.scene, "%s", path);
    want(sim);
}

void sim_set(Sim *sim, const char *name, const char *value) {
    char text[128];
    snprintf(text, sizeof text, "%s=%s", name, value);
    pthread_mutex_lock(&sim->lock);
    put_set(&sim->wish, text);
    want(sim);
}

void sim_reload(Sim *sim) {
    pthread_mutex_lock(&sim->lock);
    want(sim);
}

static void order(Sim *sim, const Command *command) {
    pthread_mutex_lock(&sim->lock);
    Command *last = sim->command_count ? &sim->command[sim->command_count - 1] : NULL;
    bool again = last && last->order == INPUT && command->order == INPUT &&
                 last->input.kind == FR_INPUT_MOVE && command->input.kind == FR_INPUT_MOVE &&
                 last->input.hand == command->input.hand;
    if (again) // where a hand was between two steps nobody sees
        *last = *command;
    else if (sim->command_count < MOST_COMMANDS)
        sim->command[sim->command_count++] = *command;
    pthread_cond_broadcast(&sim->wake);
    pthread_mutex_unlock(&sim->lock);
}

void sim_exact(Sim *sim, bool exact) {
    pthread_mutex_lock(&sim->lock);
    sim->wish.exact = exact;
    pthread_mutex_unlock(&sim->lock);
}

void sim_aspect(Sim *sim, double aspect) {
    pthread_mutex_lock(&sim->lock);
    sim->aspect = aspect;
    pthread_mutex_unlock(&sim->lock);
}

void sim_run(Sim *sim, bool running) {
    Command c = {.order = RUN};
    pthread_mutex_lock(&sim->lock);
    sim->status.running = running;
    pthread_mutex_unlock(&sim->lock);
    order(sim, &c);
}

void sim_step(Sim *sim, int32_t steps) {
    Command c = {.order = STEP, .amount = steps};
    sim_run(sim, false);
    order(sim, &c);
}

void sim_speed(Sim *sim, double speed) {
    Command c = {.order = SPEED};
    pthread_mutex_lock(&sim->lock);
    sim->status.speed = speed;
    pthread_mutex_unlock(&sim->lock);
    order(sim, &c);
}

void sim_back(Sim *sim, double seconds) {
    Command c = {.order = BACK, .amount = seconds};
    order(sim, &c);
}

const FrMoment *sim_past(Sim *sim, double t) {
    const Past *best = NULL;
    pthread_mutex_lock(&sim->lock);
    sim->scrubbed = true;
    sim->status.running = false;
    for (int k = 0; k < PAST; k++) {
        const Past *past = &sim->past[k];
        if (past->tick < 0) continue;
        double off = fabs(fr_snapshot_moment(past->copy)->view.t - t);
        if (!best || off < fabs(fr_snapshot_moment(best->copy)->view.t - t)) best = past;
    }
    pthread_mutex_unlock(&sim->lock);
    return best ? fr_snapshot_moment(best->copy) : NULL;
}

void sim_go_to(Sim *sim, double t) {
    Command c = {.order = GO_TO, .amount = t};
    pthread_mutex_lock(&sim->lock);
    sim->scrubbed = false;
    pthread_mutex_unlock(&sim->lock);
    order(sim, &c);
}

void sim_reset(Sim *sim) {
    Command c = {.order = RESET};
    order(sim, &c);
}

void sim_input(Sim *sim, const FrInput *input) {
    Command c = {.order = INPUT, .input = *input};
    order(sim, &c);
}

void sim_fields(Sim *sim, bool wanted) {
    Command c = {.order = FIELDS, .amount = wanted};
    order(sim, &c);
}

void sim_save(Sim *sim, const char *path) {
    Command c = {.order = SAVE};
    snprintf(c.path, sizeof c.path, "%s", path);
    order(sim, &c);
}

void sim_film(Sim *sim) {
    Command c = {.order = FILM};
    order(sim, &c);
}

void sim_status(Sim *sim, SimStatus *status) {
    pthread_mutex_lock(&sim->lock);
    *status = sim->status;
    status->busy = sim->began > 0.0 ? now_seconds() - sim->began : 0.0;
    pthread_mutex_unlock(&sim->lock);
}

const FrMoment *sim_moment(Sim *sim) {
    pthread_mutex_lock(&sim->lock);
    if (sim->fresh) {
        FrSnapshot *old = sim->front;
        sim->front = sim->ready;
        sim->ready = old;
        sim->fresh = false;
    }
    pthread_mutex_unlock(&sim->lock);
    const FrMoment *moment = fr_snapshot_moment(sim->front);
    return moment->view.body_count ? moment : NULL;
}

void sim_command(Sim *sim, char *text, size_t room) {
    pthread_mutex_lock(&sim->lock);
    const Wish *w = &sim->now;
    size_t used = (size_t)snprintf(text, room, "fracas view %s", w->scene);
    if (w->exact && used < room) used += (size_t)snprintf(text + used, room - used, " --exact");
    for (int k = 0; k < w->set_count && used < room; k++)
        used += (size_t)snprintf(text + used, room - used, " --set '%s'", w->set[k]);
    pthread_mutex_unlock(&sim->lock);
}
