// contact_tree.c: box trees find every overlapping pair once, however they were made or mended.

#include "test.h"
#include "context.h"
#include "base/random.h"
#include "geom/aabb.h"

#define MOST 400

static FrBox random_box(FrRandom *r, double spread, double size) {
    FrVec3 lo = {fr_random_range(r, 0, spread), fr_random_range(r, 0, spread), 0};
    lo.z = fr_random_range(r, 0, spread);
    FrVec3 s = {fr_random_range(r, 0, size), fr_random_range(r, 0, size), 0};
    s.z = fr_random_range(r, 0, size);
    FrBox box = {lo, fr_add(lo, s)};
    return box;
}

typedef struct Seen {
    int count[MOST][MOST];
    bool unordered;
} Seen;

static bool see(void *user, int32_t a, int32_t b) {
    Seen *seen = user;
    seen->count[seen->unordered && a > b ? b : a][seen->unordered && a > b ? a : b]++;
    return true;
}
static bool see_leaf(void *user, int32_t leaf) {
    ((Seen *)user)->count[0][leaf]++;
    return true;
}
static bool stop(void *user, int32_t a, int32_t b) {
    (void)a, (void)b;
    return ++*(int *)user < 3;
}

static bool contains(FrBox out, FrBox in) {
    return fr_box_contains(out, in.lo) && fr_box_contains(out, in.hi);
}

static void check_structure(const FrAabbTree *tree) {
    int32_t wrong = 0;
    for (int32_t k = 0; k < tree->node_count; k++) {
        int32_t right = tree->right[k];
        if (right < 0) {
            wrong += tree->node_of[~right] != k;
            continue;
        }
        wrong += !contains(tree->box[k], tree->box[k + 1]);
        wrong += !contains(tree->box[k], tree->box[right]);
        wrong += tree->parent[k + 1] != k || tree->parent[right] != k;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(tree->node_count, tree->leaf_count ? 2 * tree->leaf_count - 1 : 0);
}

static void check_against_all_pairs(const FrAabbTree *a, const FrBox *ba, int na,
                                    const FrAabbTree *b, const FrBox *bb, int nb) {
    static Seen seen;
    memset(&seen, 0, sizeof seen);
    CHECK(fr_aabb_pairs(a, b, see, &seen));
    int wrong = 0;
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++) wrong += seen.count[i][j] != fr_box_overlaps(ba[i], bb[j]);
    CHECK_INT(wrong, 0);
    // E29: in a self walk each pair comes once, no leaf meets itself
    memset(&seen, 0, sizeof seen);
    seen.unordered = true;
    CHECK(fr_aabb_self_pairs(a, see, &seen));
    wrong = 0;
    for (int i = 0; i < na; i++)
        for (int j = i; j < na; j++)
            wrong += seen.count[i][j] != (i != j && fr_box_overlaps(ba[i], ba[j]));
    CHECK_INT(wrong, 0);
}

// M29 tree_superset, for boxes that are built, mended one by one, and refitted
TEST(tree_superset) {
    FrContext *ctx = make_context(1);
    FrRandom r = fr_random_for(1, "tree", 0);
    static FrBox a[MOST], b[MOST];
    FrAabbTree ta = {0}, tb = {0};
    for (int round = 0; round < 12; round++) {
        int na = round == 0 ? 1 : fr_random_below(&r, MOST) + 1, nb = fr_random_below(&r, MOST) + 1;
        for (int k = 0; k < na; k++) a[k] = random_box(&r, 10, 1);
        for (int k = 0; k < nb; k++) b[k] = random_box(&r, 10, 1);
        CHECK(fr_aabb_reserve(ctx, &ta, na) && fr_aabb_reserve(ctx, &tb, nb));
        fr_aabb_build(&ta, a, na);
        fr_aabb_build(&tb, b, nb);
        check_structure(&ta);
        check_against_all_pairs(&ta, a, na, &tb, b, nb);
        for (int k = 0; k < na / 3; k++) {
            int leaf = fr_random_below(&r, na);
            a[leaf] = random_box(&r, 12, 1);
            fr_aabb_update(&ta, leaf, a[leaf]);
        }
        check_structure(&ta);
        check_against_all_pairs(&ta, a, na, &tb, b, nb);
        for (int k = 0; k < na; k++) a[k] = random_box(&r, 8, 1.5);
        fr_aabb_refit(&ta, a);
        check_structure(&ta);
        check_against_all_pairs(&ta, a, na, &tb, b, nb);
    }
    fr_aabb_free(ctx, &ta);
    fr_aabb_free(ctx, &tb);
    fr_context_destroy(ctx);
}

TEST(tree_in_box_and_half_space) {
    FrContext *ctx = make_context(1);
    FrRandom r = fr_random_for(2, "tree", 0);
    static FrBox a[MOST];
    static Seen seen;
    FrAabbTree tree = {0};
    for (int k = 0; k < MOST; k++) a[k] = random_box(&r, 10, 1);
    CHECK(fr_aabb_reserve(ctx, &tree, MOST));
    fr_aabb_build(&tree, a, MOST);
    for (int round = 0; round < 20; round++) {
        FrBox box = random_box(&r, 10, 4);
        memset(&seen, 0, sizeof seen);
        CHECK(fr_aabb_in_box(&tree, box, see_leaf, &seen));
        int wrong = 0;
        for (int k = 0; k < MOST; k++) wrong += seen.count[0][k] != fr_box_overlaps(a[k], box);
        CHECK_INT(wrong, 0);
    }
    int visits = 0;
    CHECK(!fr_aabb_self_pairs(&tree, stop, &visits));
    CHECK_INT(visits, 3);
    fr_aabb_free(ctx, &tree);
    fr_context_destroy(ctx);
}

// places that double: the mean splits off one leaf at a time; the median keeps the tree shallow
TEST(tree_stays_shallow) {
    FrContext *ctx = make_context(1);
    static FrBox a[MOST];
    FrAabbTree tree = {0};
    for (int kind = 0; kind < 2; kind++) {
        for (int k = 0; k < MOST; k++) {
            FrVec3 p = {kind ? 1.0 : pow(2.0, k), 0, 0}; // or all in one place
            a[k].lo = a[k].hi = p;
        }
        CHECK(fr_aabb_reserve(ctx, &tree, MOST));
        fr_aabb_build(&tree, a, MOST);
        check_structure(&tree);
        int deepest = 0;
        for (int k = 0; k < MOST; k++) {
            int depth = 0;
            for (int32_t n = tree.node_of[k]; n >= 0; n = tree.parent[n]) depth++;
            deepest = depth > deepest ? depth : deepest;
        }
        CHECK(deepest <= 58); // log 400 / log(10/9) + 1
    }
    fr_aabb_build(&tree, a, 0);
    check_structure(&tree);
    fr_aabb_free(ctx, &tree);
    fr_context_destroy(ctx);
}
