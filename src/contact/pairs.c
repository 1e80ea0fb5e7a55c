// pairs.c: which leaves may touch: items by their bounds, then leaves by their trees, remembered
// from step to step [S6 s. 5.2.1, M9, K10].

#include "contact/contact_scene.h"
#include "base/tasks.h"
#include <string.h>

static int order2(int32_t a, int32_t b, int32_t c, int32_t d) {
    return a != c ? (a < c ? -1 : 1) : b != d ? (b < d ? -1 : 1) : 0;
}

static bool is_ignored(const FrContactScene *scene, int32_t a, int32_t b) {
    int32_t lo = 0, hi = scene->ignored.count;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        const FrIgnored *it = &scene->ignored.data[middle];
        int order = order2(it->a, it->b, fr_min_i(a, b), fr_max_i(a, b));
        if (order == 0) return true;
        if (order < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return false;
}

// the body first, then the sphere, then the plane; equals by number
static FrIgnored oriented(const FrContactScene *scene, int32_t a, int32_t b) {
    FrContactKind ka = scene->item.data[a].kind, kb = scene->item.data[b].kind;
    bool swap = ka != kb ? ka > kb : a > b;
    FrIgnored pair = {swap ? b : a, swap ? a : b};
    return pair;
}

static bool box_reaches_plane(FrBox box, const FrContactItem *plane) {
    FrVec3 n = plane->normal;
    double low = n.x * (n.x > 0.0 ? box.lo.x : box.hi.x) + n.y * (n.y > 0.0 ? box.lo.y : box.hi.y) +
                 n.z * (n.z > 0.0 ? box.lo.z : box.hi.z);
    return low <= plane->offset;
}

static bool note_pair(FrContactScene *scene, int32_t a, int32_t b) {
    int32_t layer = scene->item.data[a].layer;
    if (a != b && layer > 0 && layer == scene->item.data[b].layer) return true;
    if (a != b && is_ignored(scene, a, b)) return true;
    FrIgnored pair = oriented(scene, a, b);
    return fr_array_push(scene->ctx, &scene->near_item, pair);
}

static bool sooner(const FrContactScene *scene, int32_t a, int32_t b) {
    double x = scene->item.data[a].box.lo.x, y = scene->item.data[b].box.lo.x;
    return x < y || (!(y < x) && a < b);
}

// bottom-up merge sort; the second half of the array is the other buffer
static void sort_by_x(FrContactScene *scene, int32_t count) {
    int32_t *from = scene->by_x.data, *to = from + count;
    for (int32_t width = 1; width < count; width *= 2) {
        for (int32_t lo = 0; lo < count; lo += 2 * width) {
            int32_t mid = fr_min_i(lo + width, count), hi = fr_min_i(lo + 2 * width, count);
            int32_t i = lo, j = mid;
            for (int32_t k = lo; k < hi; k++)
                to[k] = j >= hi || (i < mid && !sooner(scene, from[j], from[i])) ? from[i++]
                                                                                 : from[j++];
        }
        int32_t *swap = from;
        from = to, to = swap;
    }
    if (from != scene->by_x.data) memcpy(to, from, (size_t)count * sizeof *to);
    scene->by_x.count = count;
}

static bool near_planes(FrContactScene *scene, const int32_t *items, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        const FrContactItem *plane = &scene->item.data[items[k]];
        if (plane->kind != FR_ITEM_PLANE) continue;
        for (int32_t j = 0; j < count; j++) {
            const FrContactItem *other = &scene->item.data[items[j]];
            if (other->kind == FR_ITEM_PLANE || !box_reaches_plane(other->box, plane)) continue;
            if (!note_pair(scene, items[j], items[k])) return false;
        }
    }
    return true;
}

// sweep along x
static bool near_each_other(FrContactScene *scene) {
    for (int32_t k = 0; k < scene->by_x.count; k++) {
        int32_t a = scene->by_x.data[k];
        const FrContactItem *item = &scene->item.data[a];
        if (item->kind == FR_ITEM_BODY && item->body.self_contact && !note_pair(scene, a, a))
            return false;
        for (int32_t j = k + 1; j < scene->by_x.count; j++) {
            int32_t b = scene->by_x.data[j];
            if (scene->item.data[b].box.lo.x > item->box.hi.x) break;
            if (!fr_box_overlaps(item->box, scene->item.data[b].box)) continue;
            if (!note_pair(scene, a, b)) return false;
        }
    }
    return true;
}

static FrResult near_items(FrContactScene *scene, const int32_t *items, int32_t count) {
    scene->near_item.count = scene->by_x.count = 0;
    if (!fr_array_reserve(scene->ctx, &scene->by_x, 2 * count))
        return fr_no_memory(scene->ctx, "contact items");
    int32_t solid = 0;
    for (int32_t k = 0; k < count; k++)
        if (scene->item.data[items[k]].kind != FR_ITEM_PLANE) scene->by_x.data[solid++] = items[k];
    sort_by_x(scene, solid);
    if (!near_each_other(scene) || !near_planes(scene, items, count))
        return fr_no_memory(scene->ctx, "contact items");
    return FR_OK;
}

// place of the pair (a, b) in the sorted list; ~place where it would go
static int32_t find_pair(const FrContactScene *scene, FrIgnored p) {
    int32_t lo = 0, hi = scene->pair.count;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        const FrContactPair *pair = &scene->pair.data[middle];
        int order = order2(pair->a, pair->b, p.a, p.b);
        if (order == 0) return middle;
        if (order < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return ~lo;
}

static FrResult add_missing_pairs(FrContactScene *scene) {
    for (int32_t k = 0; k < scene->near_item.count; k++) {
        int32_t at = find_pair(scene, scene->near_item.data[k]);
        if (at >= 0) continue;
        at = ~at;
        FrContactPair pair = {.a = scene->near_item.data[k].a, .b = scene->near_item.data[k].b};
        if (!fr_array_push(scene->ctx, &scene->pair, pair))
            return fr_no_memory(scene->ctx, "contact pairs");
        FrContactPair *data = scene->pair.data;
        memmove(data + at + 1, data + at, (size_t)(scene->pair.count - 1 - at) * sizeof *data);
        data[at] = pair;
    }
    return FR_OK;
}

// mark, then list: ascending without a sort
static FrResult list_active(FrContactScene *scene) {
    FrContactPair *pair = scene->pair.data;
    for (int32_t k = 0; k < scene->near_item.count; k++)
        pair[find_pair(scene, scene->near_item.data[k])].active = true;
    scene->active.count = 0;
    if (!fr_array_reserve(scene->ctx, &scene->active, scene->near_item.count))
        return fr_no_memory(scene->ctx, "contact pairs");
    for (int32_t k = 0; k < scene->pair.count; k++) {
        if (pair[k].active) scene->active.data[scene->active.count++] = k;
        pair[k].active = false;
    }
    return FR_OK;
}

typedef struct Walk {
    FrContactScene *scene;
    FrContactPair *pair;
    const FrContactBody *a, *b; ///< b == a for self contact, NULL for a shape
    bool deep;                  ///< tets below the surface count
    int32_t leaf;               ///< the changed leaf that is walked alone
    bool of_b;                  ///< it belongs to b
} Walk;

static bool add_candidate(Walk *walk, int32_t leaf_a, int32_t leaf_b) {
    uint64_t c = (uint64_t)(uint32_t)leaf_a << 32 | (uint32_t)leaf_b;
    FrContactPair *pair = walk->pair;
    return fr_array_push(walk->scene->ctx, &pair->fresh, c);
}

static bool take_pair(void *user, int32_t leaf_a, int32_t leaf_b) {
    Walk *walk = user;
    if (!walk->deep && !(walk->a->leaf_faces[leaf_a] && walk->b->leaf_faces[leaf_b])) return true;
    if (walk->a != walk->b) return add_candidate(walk, leaf_a, leaf_b);
    if (leaf_a == leaf_b || fr_contact_as_one(walk->a, leaf_a, leaf_b) ||
        fr_contact_neighbours(walk->a, leaf_a, leaf_b))
        return true;
    return add_candidate(walk, fr_min_i(leaf_a, leaf_b), fr_max_i(leaf_a, leaf_b));
}

static bool changed(const FrContactBody *body, int32_t leaf, uint32_t since) {
    return body->leaf_changed[leaf] > since;
}

// a leaf found near a changed one; the pair of two changed leaves is taken once
static bool take_near_changed(void *user, int32_t other) {
    Walk *walk = user;
    if (walk->a == walk->b) {
        if (changed(walk->a, other, walk->pair->version_a) && other <= walk->leaf) return true;
        return take_pair(user, walk->leaf, other);
    }
    if (!walk->of_b) return take_pair(user, walk->leaf, other);
    return changed(walk->a, other, walk->pair->version_a) || take_pair(user, other, walk->leaf);
}

static int compare_u64(uint64_t x, uint64_t y) { return x < y ? -1 : x > y; }

// bottom-up merge sort of `fresh`, with `room` as the other buffer
static void sort_candidates(uint64_t *data, uint64_t *room, int32_t count) {
    uint64_t *from = data, *to = room;
    for (int32_t width = 1; width < count; width *= 2) {
        for (int32_t lo = 0; lo < count; lo += 2 * width) {
            int32_t mid = fr_min_i(lo + width, count), hi = fr_min_i(lo + 2 * width, count);
            int32_t i = lo, j = mid;
            for (int32_t k = lo; k < hi; k++)
                to[k] = j >= hi || (i < mid && compare_u64(from[i], from[j]) <= 0) ? from[i++]
                                                                                   : from[j++];
        }
        uint64_t *swap = from;
        from = to, to = swap;
    }
    if (from != data) memcpy(data, from, (size_t)count * sizeof *data);
}

// the sides of a shape that a point lies beyond: above a plane, or each side of a ball's box
static uint8_t sides_beyond(const FrContactItem *shape, FrVec3 x) {
    if (shape->kind == FR_ITEM_PLANE) return fr_dot(shape->normal, x) > shape->offset;
    FrVec3 r = fr_sub(x, shape->centre);
    double R = shape->radius;
    return (uint8_t)((r.x > R) | (r.x < -R) << 1 | (r.y > R) << 2 | (r.y < -R) << 3 |
                     (r.z > R) << 4 | (r.z < -R) << 5);
}

// All tets that can reach a shape, below the surface too: no side has all of its corners beyond.
// A soft body that is squeezed flat would sink through the shape if only its surface felt it.
static bool find_in_shape(FrContactScene *scene, FrContactPair *pair) {
    const FrContactBody *a = &scene->item.data[pair->a].body;
    const FrContactItem *shape = &scene->item.data[pair->b];
    const FrShapeView *view = &a->view;
    pair->candidate.count = pair->beyond.count = 0;
    if (!fr_array_reserve(scene->ctx, &pair->beyond, view->node_count)) return false;
    uint8_t *beyond = pair->beyond.data;
    bool near = false;
    for (int32_t n = 0; n < view->node_count; n++) {
        beyond[n] = sides_beyond(shape, fr_get3(view->p, n));
        near |= !beyond[n] || shape->kind != FR_ITEM_PLANE;
    }
    if (!near) return true;
    for (int32_t e = 0; e < view->tet_count; e++) {
        const int32_t *n = view->tet[e];
        if (view->gone && view->gone[e]) continue;
        if (beyond[n[0]] & beyond[n[1]] & beyond[n[2]] & beyond[n[3]]) continue;
        uint64_t c = (uint64_t)(uint32_t)a->leaf_of[e] << 32;
        if (!fr_array_push(scene->ctx, &pair->candidate, c)) return false;
    }
    return true;
}

static bool walk_whole(Walk *walk) {
    if (!walk->a) return add_candidate(walk, 0, 0);
    if (walk->a == walk->b) return fr_aabb_self_pairs(&walk->a->tree, take_pair, walk);
    return fr_aabb_pairs(&walk->a->tree, &walk->b->tree, take_pair, walk);
}

static int32_t count_changed(const FrContactBody *body, uint32_t since) {
    if (body->version == since) return 0;
    int32_t count = 0;
    for (int32_t k = 0; k < body->leaf_count; k++) count += changed(body, k, since);
    return count;
}

static bool walk_changed(Walk *walk, bool of_b) {
    const FrContactBody *from = of_b ? walk->b : walk->a, *to = of_b ? walk->a : walk->b;
    uint32_t since = of_b ? walk->pair->version_b : walk->pair->version_a;
    if (from->version == since) return true;
    walk->of_b = of_b;
    for (int32_t k = 0; k < from->leaf_count; k++) {
        if (!changed(from, k, since)) continue;
        walk->leaf = k;
        if (!fr_aabb_in_box(&to->tree, fr_aabb_leaf_box(&from->tree, k), take_near_changed, walk))
            return false;
    }
    return true;
}

static bool outdated(const Walk *walk, uint64_t c) {
    return changed(walk->a, (int32_t)(c >> 32), walk->pair->version_a) ||
           changed(walk->b, (int32_t)(uint32_t)c, walk->pair->version_b);
}

static void keep_candidate(FrContactPair *pair, uint64_t c, double apart, int8_t parting) {
    pair->next.data[pair->next.count++] = c;
    pair->next_apart.data[pair->next_apart.count++] = apart;
    pair->next_parting.data[pair->next_parting.count++] = parting;
}

#define SWAP(x, y)                                                                                 \
    do {                                                                                           \
        __typeof__((x).data) swap_ = (x).data;                                                     \
        int32_t room_ = (x).capacity;                                                              \
        (x).data = (y).data, (x).count = (y).count, (x).capacity = (y).capacity;                   \
        (y).data = swap_, (y).capacity = room_;                                                    \
    } while (0)

// in the lists of now and of next, so that lists that have seen a motion do not grow again
static bool room_to_merge(FrContext *ctx, FrContactPair *pair, int32_t most) {
    int32_t more = most - pair->candidate.count;
    pair->next.count = pair->next_apart.count = pair->next_parting.count = 0;
    return fr_array_reserve(ctx, &pair->next, most) &&
           fr_array_reserve(ctx, &pair->next_apart, most) &&
           fr_array_reserve(ctx, &pair->next_parting, most) &&
           fr_array_reserve(ctx, &pair->candidate, more) &&
           fr_array_reserve(ctx, &pair->apart, more) && fr_array_reserve(ctx, &pair->parting, more);
}

// Both lists ascend. Pairs of changed leaves (`whole`: of all) stay only if they were found again;
// what is known of them stays too.
static bool merge_found(Walk *walk, bool whole) {
    FrContext *ctx = walk->scene->ctx;
    FrContactPair *pair = walk->pair;
    if (!room_to_merge(ctx, pair, pair->candidate.count + pair->fresh.count)) return false;
    const uint64_t *old = pair->candidate.data, *found = pair->fresh.data;
    int32_t j = 0;
    for (int32_t k = 0; k < pair->candidate.count; k++) {
        for (; j < pair->fresh.count && found[j] < old[k]; j++)
            keep_candidate(pair, found[j], 0.0, 0);
        bool again = j < pair->fresh.count && found[j] == old[k];
        j += again;
        if (again || (!whole && !outdated(walk, old[k])))
            keep_candidate(pair, old[k], pair->apart.data[k], pair->parting.data[k]);
    }
    for (; j < pair->fresh.count; j++) keep_candidate(pair, found[j], 0.0, 0);
    SWAP(pair->candidate, pair->next);
    SWAP(pair->apart, pair->next_apart);
    SWAP(pair->parting, pair->next_parting);
    return true;
}

static bool walk_all_changed(Walk *walk) {
    return walk_changed(walk, false) && (walk->a == walk->b || walk_changed(walk, true));
}

// K10: changed leaves are walked against the other tree, or all; what was found is merged
static bool find_pairs(Walk *walk, bool whole) {
    FrContactPair *pair = walk->pair;
    pair->fresh.count = pair->next.count = 0;
    if (!(whole ? walk_whole(walk) : walk_all_changed(walk))) return false;
    int32_t found = pair->fresh.count;
    if (!fr_array_reserve(walk->scene->ctx, &pair->next, found)) return false;
    sort_candidates(pair->fresh.data, pair->next.data, found);
    return merge_found(walk, whole);
}

static uint32_t version_of(const FrContactItem *item) {
    return item->kind == FR_ITEM_BODY ? item->body.version : item->version;
}

// true when the list was found anew, wholly or in part
static bool refresh_pair(FrContactScene *scene, FrContactPair *pair) {
    FrContactItem *a = &scene->item.data[pair->a], *b = &scene->item.data[pair->b];
    uint32_t va = version_of(a), vb = version_of(b);
    pair->failed = false;
    if (a->kind == FR_ITEM_BODY && b->kind != FR_ITEM_BODY) {
        pair->failed = !find_in_shape(scene, pair);
        return false;
    }
    if (pair->valid && va == pair->version_a && vb == pair->version_b) return false;
    Walk walk = {scene,
                 pair,
                 a->kind == FR_ITEM_BODY ? &a->body : NULL,
                 b->kind == FR_ITEM_BODY ? &b->body : NULL,
                 scene->options.inside || a->rigid != b->rigid,
                 -1,
                 false};
    bool part = pair->valid && walk.a && walk.b &&
                count_changed(walk.a, pair->version_a) <= walk.a->leaf_count / 2 &&
                count_changed(walk.b, pair->version_b) <= walk.b->leaf_count / 2;
    if (!pair->valid) pair->candidate.count = pair->apart.count = pair->parting.count = 0;
    pair->failed = !find_pairs(&walk, !part);
    pair->valid = !pair->failed;
    pair->version_a = va;
    pair->version_b = vb;
    return true;
}

static void refresh_pairs(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrContactScene *scene = arg;
    for (int32_t k = begin; k < end; k++)
        scene->in_call.data[k] = refresh_pair(scene, &scene->pair.data[scene->active.data[k]]);
}

FrResult fr_contact_candidates(FrContactScene *scene, const int32_t *items, int32_t count) {
    FR_TRY(near_items(scene, items, count));
    FR_TRY(add_missing_pairs(scene));
    FR_TRY(list_active(scene));
    scene->in_call.count = 0;
    if (!fr_array_extend(scene->ctx, &scene->in_call, scene->active.count))
        return fr_no_memory(scene->ctx, "contact pairs");
    fr_parallel_for(scene->ctx, scene->active.count, 1, refresh_pairs, scene);
    int32_t total = 0;
    for (int32_t k = 0; k < scene->active.count; k++) {
        const FrContactPair *pair = &scene->pair.data[scene->active.data[k]];
        if (pair->failed) return fr_no_memory(scene->ctx, "candidate pairs of tets");
        scene->stats.traversals += scene->in_call.data[k];
        if (__builtin_add_overflow(total, pair->candidate.count, &total))
            return fr_fail(scene->ctx, FR_NUMERICAL, "too many tets near each other");
    }
    scene->stats.candidates += total;
    return FR_OK;
}
