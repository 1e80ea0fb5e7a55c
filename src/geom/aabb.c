// aabb.c: makes box trees and keeps them up to date [S6 s. 5.2.1, M9].

#include "geom/aabb.h"

// a side never gets less than a tenth, so that 2^31 leaves are at most 210 levels deep
#define STACK 256

bool fr_aabb_reserve(FrContext *ctx, FrAabbTree *tree, int32_t leaf_count) {
    if (leaf_count <= tree->capacity) return true;
    if (leaf_count > INT32_MAX / 2) return false;
    size_t n = (size_t)leaf_count, nodes = 2 * n;
    FrAabbTree grown = *tree;
    grown.box = FR_NEW(ctx, FrBox, nodes);
    grown.right = FR_NEW(ctx, int32_t, nodes);
    grown.parent = FR_NEW(ctx, int32_t, nodes);
    grown.node_of = FR_NEW(ctx, int32_t, n);
    grown.order = FR_NEW(ctx, int32_t, n);
    if (!grown.box || !grown.right || !grown.parent || !grown.node_of || !grown.order) {
        fr_aabb_free(ctx, &grown);
        return false;
    }
    fr_aabb_free(ctx, tree);
    grown.leaf_count = grown.node_count = 0;
    grown.capacity = leaf_count;
    *tree = grown;
    return true;
}

void fr_aabb_free(FrContext *ctx, FrAabbTree *tree) {
    FR_FREE_ALL(ctx, tree->box, tree->right, tree->parent, tree->node_of, tree->order);
    *tree = (FrAabbTree){0};
}

static double centre_on(const FrBox *box, int axis) {
    return fr_vec3_get(box->lo, axis) + fr_vec3_get(box->hi, axis);
}

// mean of the centres (doubled), and the axis on which they spread most
static int widest_axis(const FrBox *leaf, const int32_t *order, int32_t count, double *mean) {
    double sum[3] = {0, 0, 0}, square[3] = {0, 0, 0}, at[3];
    FrVec3 origin = fr_add(leaf[order[0]].lo, leaf[order[0]].hi);
    for (int32_t k = 0; k < count; k++) {
        FrVec3 c = fr_sub(fr_add(leaf[order[k]].lo, leaf[order[k]].hi), origin);
        sum[0] += c.x, sum[1] += c.y, sum[2] += c.z;
        square[0] += c.x * c.x, square[1] += c.y * c.y, square[2] += c.z * c.z;
    }
    int axis = 0;
    double spread[3];
    for (int i = 0; i < 3; i++) {
        at[i] = sum[i] / count;
        spread[i] = square[i] - sum[i] * at[i];
        if (spread[i] > spread[axis]) axis = i;
    }
    *mean = at[axis] + fr_vec3_get(origin, axis);
    return axis;
}

// leaves at or below the mean to the front; returns how many
static int32_t partition(const FrBox *leaf, int32_t *order, int32_t count, int axis, double mean) {
    int32_t front = 0;
    for (int32_t k = 0; k < count; k++) {
        int32_t id = order[k];
        if (centre_on(&leaf[id], axis) > mean) continue;
        order[k] = order[front];
        order[front++] = id;
    }
    return front;
}

static bool before(const FrBox *leaf, int axis, int32_t a, int32_t b) {
    double x = centre_on(&leaf[a], axis), y = centre_on(&leaf[b], axis);
    return x < y || (!(y < x) && a < b);
}

// quickselect: the `middle` smallest to the front; ties by number, so that the order is total
static void select_front(const FrBox *leaf, int32_t *order, int32_t count, int axis,
                         int32_t middle) {
    int32_t lo = 0, hi = count - 1;
    while (lo < hi) {
        int32_t pivot = order[lo + (hi - lo) / 2], i = lo, j = hi;
        while (i <= j) {
            while (before(leaf, axis, order[i], pivot)) i++;
            while (before(leaf, axis, pivot, order[j])) j--;
            if (i > j) break;
            int32_t swap = order[i];
            order[i++] = order[j];
            order[j--] = swap;
        }
        if (middle <= j)
            hi = j;
        else if (middle >= i)
            lo = i;
        else
            return;
    }
}

static int32_t split(const FrBox *leaf, int32_t *order, int32_t count) {
    double mean;
    int axis = widest_axis(leaf, order, count, &mean);
    int32_t front = partition(leaf, order, count, axis, mean);
    int32_t least = fr_max_i(1, count / 10);
    if (front >= least && count - front >= least) return front;
    select_front(leaf, order, count, axis, count / 2);
    return count / 2;
}

typedef struct Part {
    int32_t begin, count, parent;
    bool is_right;
} Part;

void fr_aabb_build(FrAabbTree *tree, const FrBox *leaf, int32_t leaf_count) {
    FR_ASSERT(leaf_count <= tree->capacity, "call fr_aabb_reserve first");
    tree->leaf_count = leaf_count;
    tree->node_count = 0;
    if (leaf_count == 0) return;
    for (int32_t k = 0; k < leaf_count; k++) tree->order[k] = k;
    Part stack[STACK] = {{0, leaf_count, -1, false}};
    int32_t depth = 1;
    while (depth) {
        Part part = stack[--depth];
        int32_t node = tree->node_count++;
        tree->parent[node] = part.parent;
        if (part.is_right) tree->right[part.parent] = node;
        if (part.count == 1) {
            tree->right[node] = ~tree->order[part.begin];
            tree->node_of[tree->order[part.begin]] = node;
            continue;
        }
        int32_t front = split(leaf, tree->order + part.begin, part.count);
        stack[depth++] = (Part){part.begin + front, part.count - front, node, true};
        stack[depth++] = (Part){part.begin, front, node, false};
    }
    fr_aabb_refit(tree, leaf);
}

void fr_aabb_refit(FrAabbTree *tree, const FrBox *leaf) {
    for (int32_t k = tree->node_count - 1; k >= 0; k--) {
        int32_t right = tree->right[k];
        tree->box[k] = right < 0 ? leaf[~right] : fr_box_union(tree->box[k + 1], tree->box[right]);
    }
}

static bool same_box(FrBox a, FrBox b) {
    return a.lo.x == b.lo.x && a.lo.y == b.lo.y && a.lo.z == b.lo.z && a.hi.x == b.hi.x &&
           a.hi.y == b.hi.y && a.hi.z == b.hi.z;
}

void fr_aabb_update(FrAabbTree *tree, int32_t leaf, FrBox box) {
    int32_t node = tree->node_of[leaf];
    tree->box[node] = box;
    while ((node = tree->parent[node]) >= 0) {
        FrBox both = fr_box_union(tree->box[node + 1], tree->box[tree->right[node]]);
        if (same_box(both, tree->box[node])) return;
        tree->box[node] = both;
    }
}
