// label_parts.c: parts of regions: those too small to stand alone join a neighbour. [M20]

#include "cut/label_inside.h"
#include "base/groups.h"

// parts of regions, by their lowest child
typedef struct Crumbs {
    LabelPlan *plan;
    int32_t *part;  ///< of each child: union-find; heads are the lowest (count)
    int32_t *next;  ///< the next child of the same part; -1: none (count)
    int32_t *last;  ///< at heads: the last child of the part (count)
    double *volume; ///< at heads: m^3 (count)
    bool *within;   ///< at heads: a node lies within it, not on a border (count)
    double *shared; ///< at heads, while one crumb is looked at: area with it, m^2 (count)
} Crumbs;

static void crumbs_free(FrContext *ctx, Crumbs *c) {
    FR_FREE_ALL(ctx, c->part, c->next, c->last, c->volume, c->within, c->shared);
}

static void join(Crumbs *c, int32_t a, int32_t b) {
    a = fr_group_head(c->part, a);
    b = fr_group_head(c->part, b);
    if (a == b) return;
    int32_t to = fr_min_i(a, b), from = fr_max_i(a, b);
    fr_group_join(c->part, a, b);
    c->next[c->last[to]] = from;
    c->last[to] = c->last[from];
    c->volume[to] += c->volume[from];
    c->within[to] |= c->within[from];
}

// a corner that was there before and belongs to one region alone
static bool has_own_node(const LabelPlan *plan, int32_t k) {
    for (int i = 0; i < 4; i++) {
        int32_t n = plan->child.data[k][i];
        if (n < plan->mesh->node_count && plan->of[n].count == 1) return true;
    }
    return false;
}

static FrVec3 child_corner(const LabelPlan *plan, int32_t k, int i) {
    return fr_get3(plan->x, plan->child.data[k][i]);
}

static FrResult begin_crumbs(Crumbs *c) {
    LabelPlan *plan = c->plan;
    FrContext *ctx = plan->ctx;
    int32_t count = plan->child.count;
    c->part = FR_NEW(ctx, int32_t, count);
    c->next = FR_NEW(ctx, int32_t, count);
    c->last = FR_NEW(ctx, int32_t, count);
    c->volume = FR_NEW(ctx, double, count);
    c->within = FR_NEW(ctx, bool, count);
    c->shared = FR_NEW(ctx, double, count);
    if (!c->part || !c->next || !c->last || !c->volume || !c->within || !c->shared)
        return fr_no_memory(ctx, "parts of regions");
    for (int32_t k = 0; k < count; k++) {
        c->part[k] = c->last[k] = k;
        c->next[k] = -1;
        c->within[k] = has_own_node(plan, k);
        c->volume[k] = fr_volume6(child_corner(plan, k, 0), child_corner(plan, k, 1),
                                  child_corner(plan, k, 2), child_corner(plan, k, 3)) /
                       6;
    }
    for (int32_t k = 0; k < 4 * count; k++) {
        int32_t other = plan->across[k / 4][k % 4];
        if (other >= 0 && plan->region.data[other] == plan->region.data[k / 4])
            join(c, k / 4, other);
    }
    return FR_OK;
}

static double face_area(const LabelPlan *plan, int32_t k, int i) {
    const int8_t *f = fr_tet_face[i];
    FrVec3 a = child_corner(plan, k, f[0]);
    return 0.5 * fr_length(fr_cross(fr_sub(child_corner(plan, k, f[1]), a),
                                    fr_sub(child_corner(plan, k, f[2]), a)));
}

// the part that shares the most area with a crumb, the lowest of equals; -1: it has no neighbour
static int32_t best_neighbour(Crumbs *c, int32_t crumb) {
    const LabelPlan *plan = c->plan;
    int32_t best = -1;
    for (int pass = 0; pass < 3; pass++) // begin sums, add up, compare
        for (int32_t k = crumb; k >= 0; k = c->next[k])
            for (int i = 0; i < 4; i++) {
                int32_t other = plan->across[k][i];
                if (other < 0) continue;
                other = fr_group_head(c->part, other);
                if (other == crumb) continue;
                if (pass == 0) c->shared[other] = 0;
                if (pass == 1) c->shared[other] += face_area(plan, k, i);
                if (pass == 2 && (best < 0 || c->shared[other] > c->shared[best] ||
                                  (!(c->shared[other] < c->shared[best]) && other < best)))
                    best = other;
            }
    return best;
}

static void join_crumb(Crumbs *c, int32_t crumb) {
    int32_t best = best_neighbour(c, crumb);
    if (best < 0) return;
    int32_t region = c->plan->region.data[best];
    for (int32_t k = crumb; k >= 0; k = c->next[k]) c->plan->region.data[k] = region;
    for (int32_t k = crumb, end = c->last[crumb], next; k >= 0; k = next) {
        next = k == end ? -1 : c->next[k];
        for (int i = 0; i < 4; i++) {
            int32_t other = c->plan->across[k][i];
            if (other >= 0 && c->plan->region.data[other] == region) join(c, k, other);
        }
    }
}

// m^3: a part that is smaller joins a neighbour
static double least_of(const Crumbs *c, int32_t part) {
    const LabelPlan *plan = c->plan;
    double least = plan->options.least_part;
    return plan->labels->least ? fr_max(least, plan->labels->least[plan->region.data[part]])
                               : least;
}

// the smallest first: what it joins may become large enough by it
static FrResult join_small(Crumbs *c) {
    FrContext *ctx = c->plan->ctx;
    FR_ARRAY(int32_t) crumb = {0};
    for (int32_t k = 0; k < c->plan->child.count; k++) {
        if (c->part[k] != k || (c->within[k] && c->volume[k] >= least_of(c, k))) continue;
        if (!fr_array_push(ctx, &crumb, k)) {
            fr_array_free(ctx, &crumb);
            return fr_no_memory(ctx, "parts of regions");
        }
    }
    while (crumb.count > 0) {
        int32_t at = 0;
        double smallest = HUGE_VAL;
        for (int32_t k = 0; k < crumb.count; k++) {
            double volume = c->volume[fr_group_head(c->part, crumb.data[k])];
            if (volume < smallest) smallest = volume, at = k;
        }
        int32_t head = fr_group_head(c->part, crumb.data[at]);
        crumb.data[at] = crumb.data[--crumb.count];
        if (!c->within[head] || c->volume[head] < least_of(c, head)) join_crumb(c, head);
    }
    fr_array_free(ctx, &crumb);
    return FR_OK;
}

FrResult fr_label_join_crumbs(LabelPlan *plan) {
    Crumbs c = {.plan = plan};
    FrResult result = begin_crumbs(&c);
    if (result == FR_OK) result = join_small(&c);
    crumbs_free(plan->ctx, &c);
    return result;
}
