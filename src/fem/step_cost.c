// step_cost.c: mass on nodes of small tets, so that steps do not shrink with them; what was done so
// far.

#include "fem/step_cost.h"
#include "fem/body.h"

void fr_fem_set_floor(FrFem *fem, double part, double most) {
    FR_ASSERT_IN(fem->ctx, part >= 0.0 && part <= 1.0 && most >= 0.0,
                 "a floor lies between 0 and 1");
    fem->settings.floor_part = part;
    fem->settings.added_limit = most * fem->settings.total_mass;
}

FrStepCost fr_fem_step_cost(const FrFem *fem) {
    FrStepCost step_cost = fem->state.step_cost;
    step_cost.dust_energy = fem->state.works.dust;
    return step_cost;
}

// The node keeps its momentum and slows down; a held one keeps its velocity, and the support does
// it.
static void add_mass(FrFem *fem, int32_t n, double mass) {
    FrVec3 v = fr_get3(fem->state.v, n);
    double had = fem->scratch.mass[n], has = had + mass, v2 = fr_dot(v, v);
    fem->scratch.mass[n] = has;
    fem->scratch.inverse_mass[n] = 1.0 / has;
    fem->state.added[n] += mass;
    fem->state.step_cost.added_mass += mass;
    if (fem->state.held[n]) {
        fem->state.works.impulse = fr_axpy(mass, v, fem->state.works.impulse);
        fem->state.works.load += 0.5 * mass * v2;
        return;
    }
    fr_set3(fem->state.v, n, fr_scale(had / has, v));
    if (fem->scratch.pulled)
        fr_set3(fem->scratch.gain, n, fr_scale(had / has, fr_get3(fem->scratch.gain, n)));
    fem->state.works.fracture += 0.5 * had * v2 * (mass / has);
}

// What a level asks of nodes: mass * (w2 * level / first_w2 - 1) where that is above 0; of those
// nodes together `pull` * level - `have`, kg.
typedef struct Asked {
    double pull, have; ///< kg
    int32_t count;
} Asked;

static Asked ask(const FrFem *fem, const int32_t *node, int32_t count, double level) {
    Asked asked = {0};
    for (int32_t k = 0; k < count; k++) {
        double over = fem->scratch.node_w2[node[k]] / fem->state.first_w2;
        if (!(over * level > 1.0)) continue;
        asked.pull += fem->scratch.mass[node[k]] * over;
        asked.have += fem->scratch.mass[node[k]];
        asked.count++;
    }
    return asked;
}

// first_w2 over the largest w2 that is left: the wish with the first quarter of the mass; with the
// second it falls to the floor, the rest is for that alone; lower where there is not enough of it
static double afford(const FrFem *fem, Asked asked, double floor) {
    double limit = fem->settings.added_limit,
           left = fr_max(0.0, limit - fem->state.step_cost.added_mass);
    double wish = fr_max(FR_FLOOR_WISH * FR_FLOOR_WISH, floor),
           slope = (wish - floor) / (FR_FLOOR_FALL * limit);
    double level =
        (floor + slope * (left - FR_FLOOR_KEPT * limit + asked.have)) / (1.0 + slope * asked.pull);
    level = fr_clamp(level, floor, wish);
    return fr_min(level, (left + asked.have) / asked.pull);
}

// The step follows the largest w2, so mass is worth most where that is: all nodes above some w2
// come down to it. With too many nodes counted the level comes out too high, never too low, so that
// those it leaves are to be left.
bool fr_fem_weigh_down(FrFem *fem, const int32_t *node, int32_t count) {
    double floor = fem->settings.floor_part * fem->settings.floor_part,
           level = fr_max(FR_FLOOR_WISH * FR_FLOOR_WISH, floor);
    if (!(floor > 0.0 && fem->settings.added_limit > 0.0)) return false;
    Asked asked = ask(fem, node, count, level);
    // a node whose w2 is the level itself may come back by rounding: that ends it, too
    for (int32_t before = INT32_MAX; asked.count && asked.count < before;) {
        before = asked.count;
        level = afford(fem, asked, floor);
        asked = ask(fem, node, count, level);
    }
    if (!asked.count) return false;
    if (level < floor) fem->state.step_cost.below_floor = true;
    for (int32_t k = 0; k < count; k++) {
        double over = fem->scratch.node_w2[node[k]] / fem->state.first_w2 * level;
        if (over > 1.0) add_mass(fem, node[k], fem->scratch.mass[node[k]] * (over - 1.0));
    }
    return true;
}
