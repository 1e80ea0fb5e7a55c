// solid_tree.c: building the tree of triangles: split where it costs least, four children a node.

#include "base/array.h"
#include "geom/solid_tree.h"
#include <string.h>

#define LEAF 4
#define BINS 12
#define DEPTH_BY_COST 24 ///< below this, halves: no input makes the tree deeper than 24 + 31

typedef struct Item {
    FrBox box;
    FrVec3 middle;
    int32_t tri;
} Item;

typedef struct Range {
    int32_t begin, end;
} Range;

typedef struct Work {
    Range range;
    int32_t parent, slot, depth;
} Work;

typedef struct Builder {
    FrContext *ctx;
    FrTree *tree;
    Item *item;
    FR_ARRAY(Work) work;
} Builder;

static double half_area(FrBox box) {
    FrVec3 d = fr_box_size(box);
    return d.x < 0.0 ? 0.0 : d.x * d.y + d.y * d.z + d.z * d.x;
}

static FrBox middles_box(const Item *item, Range range) {
    FrBox box = fr_box_empty();
    for (int32_t k = range.begin; k < range.end; k++) box = fr_box_add(box, item[k].middle);
    return box;
}

static int bin_of(const Item *item, int axis, double lo, double inverse) {
    int bin = (int)((fr_vec3_get(item->middle, axis) - lo) * inverse);
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

// the bin after which splitting costs least (areas times counts), or -1
static int cheapest_bin(const Item *item, Range range, int axis, double lo, double inverse) {
    FrBox box[BINS], right[BINS];
    int32_t count[BINS] = {0}, right_count[BINS];
    for (int b = 0; b < BINS; b++) box[b] = fr_box_empty();
    for (int32_t k = range.begin; k < range.end; k++) {
        int b = bin_of(&item[k], axis, lo, inverse);
        box[b] = fr_box_union(box[b], item[k].box);
        count[b]++;
    }
    FrBox sum = fr_box_empty();
    int32_t n = 0;
    for (int b = BINS - 1; b > 0; b--) {
        sum = fr_box_union(sum, box[b]);
        right[b] = sum, right_count[b] = n += count[b];
    }
    int best = -1;
    double least = HUGE_VAL;
    sum = fr_box_empty(), n = 0;
    for (int b = 0; b < BINS - 1; b++) {
        sum = fr_box_union(sum, box[b]), n += count[b];
        double cost = n * half_area(sum) + right_count[b + 1] * half_area(right[b + 1]);
        if (n && right_count[b + 1] && cost < least) least = cost, best = b;
    }
    return best;
}

static bool item_before(const Item *a, const Item *b, int axis) {
    double x = fr_vec3_get(a->middle, axis), y = fr_vec3_get(b->middle, axis);
    return x < y || (x == y && a->tri < b->tri);
}

// put the k-th in order at its place, smaller ones before it (Hoare)
static void select_item(Item *item, Range range, int32_t k, int axis) {
    int32_t lo = range.begin, hi = range.end - 1;
    while (lo < hi) {
        Item pivot = item[lo + (hi - lo) / 2];
        int32_t i = lo, j = hi;
        while (i <= j) {
            while (item_before(&item[i], &pivot, axis)) i++;
            while (item_before(&pivot, &item[j], axis)) j--;
            if (i > j) break;
            Item swap = item[i];
            item[i++] = item[j], item[j--] = swap;
        }
        if (k <= j)
            hi = j;
        else if (k >= i)
            lo = i;
        else
            return;
    }
}

static int32_t split_range(Item *item, Range range, int32_t depth) {
    FrBox box = middles_box(item, range);
    FrVec3 size = fr_box_size(box);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    double lo = fr_vec3_get(box.lo, axis), length = fr_vec3_get(size, axis);
    int32_t middle = range.begin + (range.end - range.begin) / 2;
    if (depth < DEPTH_BY_COST && length > 0.0) {
        double inverse = BINS / length;
        int best = cheapest_bin(item, range, axis, lo, inverse);
        int32_t i = range.begin, j = range.end;
        while (i < j) {
            if (bin_of(&item[i], axis, lo, inverse) <= best) {
                i++;
                continue;
            }
            Item swap = item[i];
            item[i] = item[--j], item[j] = swap;
        }
        if (i > range.begin && i < range.end) return i;
    }
    select_item(item, range, middle, axis);
    return middle;
}

static FrBox items_box(const Item *item, Range range) {
    FrBox box = fr_box_empty();
    for (int32_t k = range.begin; k < range.end; k++) box = fr_box_union(box, item[k].box);
    return box;
}

static void set_box(FrTreeNode *node, int slot, FrBox box) {
    for (int k = 0; k < 3; k++) {
        node->lo[k][slot] = fr_vec3_get(box.lo, k);
        node->hi[k][slot] = fr_vec3_get(box.hi, k);
    }
}

static int32_t new_node(FrTree *tree) {
    FrTreeNode *node = &tree->node[tree->node_count];
    for (int slot = 0; slot < 4; slot++) {
        set_box(node, slot, fr_box_empty());
        node->child[slot] = FR_TREE_NONE;
    }
    return tree->node_count++;
}

static void attach(Builder *builder, Work work, int32_t child) {
    if (work.parent < 0) return;
    FrTreeNode *node = &builder->tree->node[work.parent];
    node->child[work.slot] = child;
    node->begin[work.slot] = work.range.begin, node->end[work.slot] = work.range.end;
    set_box(node, work.slot, items_box(builder->item, work.range));
}

static void make_leaf(Builder *builder, Work work) {
    FrTree *tree = builder->tree;
    tree->leaf[tree->leaf_count].first = work.range.begin;
    tree->leaf[tree->leaf_count].count = work.range.end - work.range.begin;
    attach(builder, work, ~tree->leaf_count++);
}

// halves of halves; parts small enough for a leaf stay whole
static bool make_node(Builder *builder, Work work) {
    int32_t index = new_node(builder->tree);
    attach(builder, work, index);
    Range part[4] = {work.range};
    int count = 1;
    for (int round = 0; round < 2; round++) {
        for (int k = count - 1; k >= 0; k--) {
            if (part[k].end - part[k].begin <= LEAF) continue;
            int32_t cut = split_range(builder->item, part[k], 2 * work.depth + round);
            part[count++] = (Range){cut, part[k].end};
            part[k].end = cut;
        }
    }
    for (int k = 0; k < count; k++) {
        Work below = {part[k], index, k, work.depth + 1};
        if (!fr_array_push(builder->ctx, &builder->work, below)) return false;
    }
    return true;
}

static bool build(Builder *builder, int32_t count) {
    Work all = {{0, count}, -1, 0, 0};
    // the root is a node even when one leaf would do
    if (count <= LEAF) {
        all.parent = new_node(builder->tree);
        make_leaf(builder, all);
        return true;
    }
    if (!make_node(builder, all)) return false;
    while (builder->work.count) {
        Work work = builder->work.data[--builder->work.count];
        if (work.range.end - work.range.begin <= LEAF)
            make_leaf(builder, work);
        else if (!make_node(builder, work))
            return false;
    }
    return true;
}

FrResult fr_tree_create(FrContext *ctx, const FrTriMesh *mesh, FrTree *tree) {
    int32_t count = mesh->tri_count;
    *tree = (FrTree){.bounds = fr_box_empty()};
    tree->query = fr_cpu_has_avx2() ? &fr_tree_queries_avx2 : &fr_tree_queries_portable;
    Builder builder = {.ctx = ctx, .tree = tree, .item = FR_NEW(ctx, Item, count)};
    tree->node = FR_NEW(ctx, FrTreeNode, count + 1);
    tree->leaf = FR_NEW(ctx, FrTreeLeaf, count + 1);
    tree->order = FR_NEW(ctx, int32_t, count);
    bool good = builder.item && tree->node && tree->leaf && tree->order;
    for (int32_t t = 0; t < count && good; t++) {
        Item *item = &builder.item[t];
        item->box = fr_box_empty();
        for (int k = 0; k < 3; k++)
            item->box = fr_box_add(item->box, fr_get3(mesh->p, mesh->tri[t][k]));
        item->middle = fr_box_center(item->box);
        item->tri = t;
        tree->bounds = fr_box_union(tree->bounds, item->box);
    }
    good = good && build(&builder, count);
    for (int32_t t = 0; t < count && good; t++) tree->order[t] = builder.item[t].tri;
    fr_free(ctx, builder.item);
    fr_array_free(ctx, &builder.work);
    // give back what was too much; a smaller block cannot be refused, but may move
    void *node =
        good ? fr_resize(ctx, tree->node, sizeof *tree->node * (size_t)tree->node_count) : NULL;
    if (node) tree->node = node;
    void *leaf =
        good ? fr_resize(ctx, tree->leaf, sizeof *tree->leaf * (size_t)tree->leaf_count) : NULL;
    if (leaf) tree->leaf = leaf;
    if (good) return FR_OK;
    fr_tree_free(ctx, tree);
    return fr_no_memory(ctx, "a tree of triangles");
}

void fr_tree_free(FrContext *ctx, FrTree *tree) {
    fr_free(ctx, tree->node);
    fr_free(ctx, tree->leaf);
    fr_free(ctx, tree->order);
    *tree = (FrTree){0};
}
