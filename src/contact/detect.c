// detect.c: one detection from beginning to end: boxes, candidates, overlaps in a fixed order.

#include "contact/contact_scene.h"
#include "contact/contact_tuning.h"
#include "base/tasks.h"
#include <string.h>

// contacts one candidate can give (nodes: 4 + 4)
#define NODE_CONTACTS 8
#define AHEAD 4 // candidates

static bool frame_leaf(FrContactScene *scene, FrContactBody *body, int32_t leaf) {
    if (body->framed[leaf] == scene->stats.detections) return true;
    body->framed[leaf] = scene->stats.detections;
    FrFraming framing = {body, leaf};
    return fr_array_push(scene->ctx, &scene->framing, framing);
}

// Two leaves whose corners moved less, in all, than they may are still apart. Bits of the others,
// of 64 candidates: most sleep, and those that do not lie anywhere.
static uint64_t awake_of(const FrContactPair *pair, const FrContactBody *a, const FrContactBody *b,
                         int32_t first) {
    int32_t count = fr_min_i(64, pair->candidate.count - first);
    if (!b) return ~0ull >> (64 - count);
    const uint64_t *candidate = pair->candidate.data + first;
    const double *apart = pair->apart.data + first;
    const double *travel_a = a->leaf_travel, *travel_b = b->leaf_travel;
    uint64_t bits = 0;
    for (int32_t k = 0; k < count; k++) {
        double travel = travel_a[candidate[k] >> 32] + travel_b[(uint32_t)candidate[k]];
        bits |= (uint64_t) !(travel < apart[k]) << k;
    }
    return bits;
}

static bool moved(const FrContactPair *pair, const FrContactItem *item, int32_t leaf) {
    if (item->kind != FR_ITEM_BODY) return item->moved > pair->seen;
    return leaf >= item->body.leaf_count || item->body.leaf_moved[leaf] > pair->seen;
}

// does a contact come before the one of these tets?
static bool comes_before(const FrContact *c, int32_t tet_a, int32_t tet_b) {
    return c->pa.tet != tet_a ? c->pa.tet < tet_a : c->pb.tet < tet_b;
}

// Of a candidate that did not move since the pair was looked at: where its contact is among those
// found then, -1: it had none. `at`: the place up to which the candidates before came.
static int32_t find_kept(const FrContactPair *pair, int32_t tet_a, int32_t tet_b, int32_t *at) {
    const FrContact *kept = pair->kept.data;
    while (*at < pair->kept.count && comes_before(&kept[*at], tet_a, tet_b)) (*at)++;
    bool found = *at < pair->kept.count && kept[*at].pa.tet == tet_a && kept[*at].pb.tet == tet_b;
    return found ? *at : -1;
}

// one candidate that may overlap, and the tets that it names
static bool wake(FrContactScene *scene, int32_t index, int32_t k, int32_t *at) {
    FrContactPair *pair = &scene->pair.data[index];
    FrContactItem *a = &scene->item.data[pair->a], *b = &scene->item.data[pair->b];
    bool of_a = a->kind == FR_ITEM_BODY, of_b = b->kind == FR_ITEM_BODY;
    bool known = pair->seen && of_a && !scene->options.node_penetration;
    uint64_t c = pair->candidate.data[k];
    int32_t leaf_a = (int32_t)(c >> 32), leaf_b = (int32_t)(uint32_t)c;
    if (known && !moved(pair, a, leaf_a) && !moved(pair, b, leaf_b)) {
        int32_t tet_b = of_b ? b->body.leaf_tet[leaf_b] : -1;
        int32_t kept = find_kept(pair, a->body.leaf_tet[leaf_a], tet_b, at);
        if (kept >= 0) scene->awake.data[scene->awake.count++] = (FrAwake){index, k, kept};
        pair->reused += kept >= 0;
        return true;
    }
    scene->awake.data[scene->awake.count++] = (FrAwake){index, k, -1};
    return (!of_a || frame_leaf(scene, &a->body, leaf_a)) &&
           (!of_b || frame_leaf(scene, &b->body, leaf_b));
}

// list the candidates that may overlap, and the tets that they name, each once
static bool wake_pair(FrContactScene *scene, int32_t index) {
    FrContactPair *pair = &scene->pair.data[index];
    FrContactItem *a = &scene->item.data[pair->a], *b = &scene->item.data[pair->b];
    const FrContactBody *of_b = b->kind == FR_ITEM_BODY ? &b->body : NULL;
    int32_t at = 0;
    pair->reused = 0;
    if (!fr_array_reserve(scene->ctx, &scene->awake, pair->candidate.count)) return false;
    for (int32_t first = 0; first < pair->candidate.count; first += 64)
        for (uint64_t left = awake_of(pair, &a->body, of_b, first); left; left &= left - 1)
            if (!wake(scene, index, first + __builtin_ctzll(left), &at)) return false;
    scene->stats.tested -= pair->reused;
    return true;
}

// planes and boxes of the listed tets
static void frame_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const FrContactScene *scene = arg;
    for (int32_t k = begin; k < end; k++) {
        FrContactBody *body = scene->framing.data[k].body;
        int32_t leaf = scene->framing.data[k].leaf;
        const int32_t *n = body->leaf_node[leaf];
        const double *p = body->view.p;
        fr_clip_tet_init(&body->frame[leaf], fr_get3(p, n[0]), fr_get3(p, n[1]), fr_get3(p, n[2]),
                         fr_get3(p, n[3]), body->leaf_faces[leaf]);
    }
}

static FrResult frame_all(FrContactScene *scene) {
    scene->framing.count = scene->awake.count = 0;
    for (int32_t k = 0; k < scene->active.count; k++)
        if (!wake_pair(scene, scene->active.data[k]))
            return fr_no_memory(scene->ctx, "tets near each other");
    fr_parallel_for(scene->ctx, scene->framing.count, FR_BOX_GRAIN, frame_range, scene);
    return FR_OK;
}

static int32_t slots(const FrContactScene *scene) {
    return scene->options.node_penetration ? NODE_CONTACTS : 1;
}

// tets are large and lie anywhere: the processor learns early which ones come
static void fetch_frames(const FrContactScene *scene, FrAwake awake) {
    const FrContactPair *pair = &scene->pair.data[awake.pair];
    const FrContactItem *a = &scene->item.data[pair->a], *b = &scene->item.data[pair->b];
    uint64_t c = pair->candidate.data[awake.candidate];
    if (awake.kept >= 0 || a->kind != FR_ITEM_BODY || b->kind != FR_ITEM_BODY) return;
    const char *of_a = (const char *)&a->body.frame[c >> 32];
    const char *of_b = (const char *)&b->body.frame[(uint32_t)c];
    for (size_t k = 0; k < sizeof(FrClipTet); k += 64) {
        __builtin_prefetch(of_a + k);
        __builtin_prefetch(of_b + k);
    }
}

// contacts of one chunk go to the front of its own slots
static void narrow_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)worker;
    FrContactScene *scene = arg;
    FrContact *out = scene->found.data + (size_t)begin * (size_t)slots(scene);
    int32_t count = 0;
    for (int32_t k = begin; k < end; k++) {
        FrAwake awake = scene->awake.data[k];
        const FrContactPair *pair = &scene->pair.data[awake.pair];
        if (k + AHEAD < end) fetch_frames(scene, scene->awake.data[k + AHEAD]);
        if (awake.kept >= 0)
            out[count++] = pair->kept.data[awake.kept];
        else
            count += fr_contact_narrow(scene, pair, awake.candidate, out + count);
    }
    scene->found_count.data[chunk] = count;
}

static FrResult narrow_all(FrContactScene *scene) {
    FR_TRY(frame_all(scene));
    scene->stats.tested += scene->awake.count;
    int32_t total = scene->awake.count, chunks = fr_chunk_count(total, FR_CANDIDATE_GRAIN), room;
    scene->found.count = scene->found_count.count = 0;
    if (__builtin_mul_overflow(total, slots(scene), &room) ||
        !fr_array_reserve(scene->ctx, &scene->found, room) ||
        !fr_array_reserve(scene->ctx, &scene->found_count, chunks))
        return fr_no_memory(scene->ctx, "contacts");
    fr_parallel_for(scene->ctx, total, FR_CANDIDATE_GRAIN, narrow_range, scene);
    return FR_OK;
}

static FrResult collect(FrContactScene *scene, FrContactList *out) {
    int32_t chunks = fr_chunk_count(scene->awake.count, FR_CANDIDATE_GRAIN), count = 0, at = 0;
    for (int32_t k = 0; k < chunks; k++) count += scene->found_count.data[k];
    out->count = 0;
    if (!fr_array_grow_(scene->ctx, (void **)&out->contact, &out->capacity, 0, count,
                        sizeof *out->contact))
        return fr_no_memory(scene->ctx, "contacts");
    for (int32_t k = 0; k < chunks; k++) {
        int32_t here = scene->found_count.data[k];
        if (!here) continue;
        memcpy(out->contact + at,
               scene->found.data + (size_t)k * FR_CANDIDATE_GRAIN * (size_t)slots(scene),
               (size_t)here * sizeof *out->contact);
        at += here;
    }
    out->count = count;
    return FR_OK;
}

// what each pair has now, for the next time
static FrResult keep_found(FrContactScene *scene, const FrContactList *list) {
    const FrContact *at = list->contact, *end = at ? at + list->count : at;
    for (int32_t k = 0; k < scene->active.count; k++) {
        FrContactPair *pair = &scene->pair.data[scene->active.data[k]];
        const FrContact *first = at;
        while (at < end && at->a == pair->a && at->b == pair->b) at++;
        int32_t count = (int32_t)(at - first);
        bool same = count == pair->kept.count && count == pair->reused;
        pair->seen = same ? scene->stats.detections : 0;
        if (same) continue;
        pair->kept.count = 0;
        if (!fr_array_reserve(scene->ctx, &pair->kept, count))
            return fr_no_memory(scene->ctx, "contacts");
        pair->seen = scene->stats.detections;
        if (count) memcpy(pair->kept.data, first, (size_t)count * sizeof *first);
        pair->kept.count = count;
    }
    return FR_OK;
}

static bool in_order(const FrContactList *list) {
    for (int32_t k = 1; k < list->count; k++)
        if (fr_contact_order(&list->contact[k - 1], &list->contact[k]) >= 0) return false;
    return true;
}

// pairs and candidates are sorted, so this is needed only for hashed keys and for nodes
static FrResult sort_contacts(FrContactScene *scene, FrContactList *list) {
    if (in_order(list)) return FR_OK;
    if (!fr_array_reserve(scene->ctx, &scene->sort, list->count))
        return fr_no_memory(scene->ctx, "contacts");
    FrContact *from = list->contact, *to = scene->sort.data;
    for (int32_t width = 1; width < list->count; width *= 2) {
        for (int32_t lo = 0; lo < list->count; lo += 2 * width) {
            int32_t mid = fr_min_i(lo + width, list->count);
            int32_t hi = fr_min_i(lo + 2 * width, list->count), i = lo, j = mid;
            for (int32_t k = lo; k < hi; k++)
                to[k] = j >= hi || (i < mid && fr_contact_order(&from[i], &from[j]) <= 0)
                            ? from[i++]
                            : from[j++];
        }
        FrContact *swap = from;
        from = to, to = swap;
    }
    if (from != list->contact) memcpy(list->contact, from, (size_t)list->count * sizeof *from);
    return FR_OK;
}

// a node on the face between two tets is in both: once is enough
static void drop_twins(FrContactList *list) {
    int32_t kept = 0;
    for (int32_t k = 0; k < list->count; k++) {
        const FrContact *c = &list->contact[k];
        if (kept && list->contact[kept - 1].key == c->key && list->contact[kept - 1].a == c->a &&
            list->contact[kept - 1].b == c->b && list->contact[kept - 1].pa.tet == c->pa.tet)
            continue;
        list->contact[kept++] = *c;
    }
    list->count = kept;
}

static FrResult mark_items(FrContactScene *scene, const int32_t *items, int32_t count) {
    scene->in_call.count = 0;
    if (!fr_array_extend(scene->ctx, &scene->in_call, scene->item.count))
        return fr_no_memory(scene->ctx, "contact items");
    for (int32_t k = 0; k < count; k++) scene->in_call.data[items[k]] = 1;
    return FR_OK;
}

static void check_items(const FrContactScene *scene, const int32_t *items, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        FR_ASSERT_IN(scene->ctx,
                     items[k] >= 0 && items[k] < scene->item.count &&
                         (!k || items[k] > items[k - 1]),
                     "give items of this scene, ascending");
}

FrResult fr_contact_detect(FrContactScene *scene, const int32_t *items, int32_t item_count,
                           double dt, FrContactList *out) {
    check_items(scene, items, item_count);
    out->count = 0;
    scene->stats.detections++;
    if (item_count == 0) return FR_OK;
    scene->dt_growth =
        scene->options.horizon > 0.0 ? scene->options.horizon : scene->options.steps * dt;
    FR_TRY(fr_contact_refresh(scene, items, item_count));
    FR_TRY(fr_contact_candidates(scene, items, item_count));
    FR_TRY(narrow_all(scene));
    if (scene->awake.count) {
        FR_TRY(collect(scene, out));
        if (!scene->options.node_penetration) FR_TRY(keep_found(scene, out));
        FR_TRY(sort_contacts(scene, out));
        if (scene->options.node_penetration) drop_twins(out);
    }
    scene->stats.overlaps += out->count;
    FR_TRY(mark_items(scene, items, item_count));
    FR_TRY(fr_contact_bar(scene, out));
    FR_TRY(fr_contact_remember(scene, out));
    fr_contact_drop_barred(scene, out);
    return FR_OK;
}

void fr_contact_list_free(FrContext *ctx, FrContactList *list) {
    fr_free(ctx, list->contact);
    *list = (FrContactList){0};
}
