// aabb_walk.c: finds overlapping leaves of box trees, with a stack of its own [S6 s. 5.2.1, M9].

#include "geom/aabb.h"

// each level of either tree leaves at most two pairs behind: 2 (210 + 210) < 1024
#define STACK 1024

typedef struct Pair {
    int32_t a, b;
} Pair;

static double half_area(FrBox box) {
    FrVec3 s = fr_box_size(box);
    return s.x * s.y + s.y * s.z + s.z * s.x;
}

// what to open next: the larger box, unless it is a leaf
static bool open_first(const FrAabbTree *a, const FrAabbTree *b, Pair p) {
    if (a->right[p.a] < 0) return false;
    if (b->right[p.b] < 0) return true;
    return half_area(a->box[p.a]) >= half_area(b->box[p.b]);
}

/// Who gets the pairs.
typedef struct Receiver {
    FrAabbPairFn *found;
    void *user;
} Receiver;

// one pair: reports it, drops it, or replaces it by the pairs with the children of one side
static bool visit(const FrAabbTree *a, const FrAabbTree *b, Pair p, Pair *stack, int32_t *depth,
                  Receiver receiver) {
    if (!fr_box_overlaps(a->box[p.a], b->box[p.b])) return true;
    int32_t ra = a->right[p.a], rb = b->right[p.b];
    if (ra < 0 && rb < 0) return receiver.found(receiver.user, ~ra, ~rb);
    if (open_first(a, b, p)) {
        stack[(*depth)++] = (Pair){ra, p.b};
        stack[(*depth)++] = (Pair){p.a + 1, p.b};
    } else {
        stack[(*depth)++] = (Pair){p.a, rb};
        stack[(*depth)++] = (Pair){p.a, p.b + 1};
    }
    return true;
}

bool fr_aabb_pairs(const FrAabbTree *a, const FrAabbTree *b, FrAabbPairFn *found, void *user) {
    if (!a->node_count || !b->node_count) return true;
    Pair stack[STACK];
    int32_t depth = 0;
    stack[depth++] = (Pair){0, 0};
    while (depth) {
        Pair p = stack[--depth];
        if (!visit(a, b, p, stack, &depth, (Receiver){found, user})) return false;
    }
    return true;
}

// S6's pseudo code with E29: only a pair [a,a] takes the triangle of its children's pairs
bool fr_aabb_self_pairs(const FrAabbTree *tree, FrAabbPairFn *found, void *user) {
    if (!tree->node_count) return true;
    Pair stack[STACK];
    int32_t depth = 0;
    stack[depth++] = (Pair){0, 0};
    while (depth) {
        Pair p = stack[--depth];
        if (p.a != p.b) {
            if (!visit(tree, tree, p, stack, &depth, (Receiver){found, user})) return false;
            continue;
        }
        int32_t left = p.a + 1, right = tree->right[p.a];
        if (right < 0) continue;
        stack[depth++] = (Pair){right, right};
        stack[depth++] = (Pair){left, right};
        stack[depth++] = (Pair){left, left};
    }
    return true;
}

bool fr_aabb_in_box(const FrAabbTree *tree, FrBox box, FrAabbLeafFn *found, void *user) {
    int32_t stack[STACK], depth = 0;
    if (tree->node_count) stack[depth++] = 0;
    while (depth) {
        int32_t node = stack[--depth], right = tree->right[node];
        if (!fr_box_overlaps(tree->box[node], box)) continue;
        if (right < 0) {
            if (!found(user, ~right)) return false;
            continue;
        }
        stack[depth++] = right;
        stack[depth++] = node + 1;
    }
    return true;
}
