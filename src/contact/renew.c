// renew.c: a body whose mesh was cut gets new leaves; what is known of those away from the cuts
// stays.
//
// A cut changes which tets are neighbours only at the nodes of the tets that it changed. A leaf
// with none of these nodes keeps its box, its travel and its candidates, under a new number;
// numbers ascend with those of the tets before and after, so that lists stay sorted.

#include "contact/contact_scene.h"
#include <string.h>

static bool keep_room(FrContext *ctx, FrOldLeaves *old, int32_t count) {
    old->tet.count = old->travel.count = old->box.count = old->changed.count = old->now.count = 0;
    return fr_array_reserve(ctx, &old->tet, count) && fr_array_reserve(ctx, &old->travel, count) &&
           fr_array_reserve(ctx, &old->box, count) && fr_array_reserve(ctx, &old->changed, count) &&
           fr_array_reserve(ctx, &old->now, count);
}

// a copy of what the leaves are now
static FrResult remember(FrContext *ctx, FrContactBody *body) {
    FrOldLeaves *old = &body->old;
    int32_t count = body->follows && body->age > 0 ? body->leaf_count : 0;
    if (!keep_room(ctx, old, count)) return fr_no_memory(ctx, "the surface tets of a body");
    for (int32_t k = 0; k < count; k++) {
        old->tet.data[k] = body->leaf_tet[k];
        old->travel.data[k] = body->leaf_travel[k];
        old->box.data[k] = body->leaf_box[k];
        old->changed.data[k] = body->leaf_changed[k];
    }
    old->tet.count = old->now.count = count;
    return FR_OK;
}

static bool touched(const FrContactBody *body, int32_t leaf) {
    bool any = false;
    for (int i = 0; i < 4; i++) {
        int32_t n = body->leaf_node[leaf][i];
        any |= n >= body->touched.count || body->touched.data[n];
    }
    return any;
}

// both lists ascend by tet: what stands in both, and was not touched, is the same leaf
static void match(FrContactBody *body) {
    FrOldLeaves *old = &body->old;
    int32_t k = 0;
    for (int32_t o = 0; o < old->tet.count; o++) {
        old->now.data[o] = -1;
        for (; k < body->leaf_count && body->leaf_tet[k] < old->tet.data[o]; k++)
            body->leaf_box[k] = fr_box_empty();
        if (k == body->leaf_count || body->leaf_tet[k] != old->tet.data[o]) continue;
        if (touched(body, k)) continue;
        old->now.data[o] = k;
        body->leaf_travel[k] = old->travel.data[o];
        body->leaf_box[k] = old->box.data[o];
        body->leaf_changed[k++] = old->changed.data[o];
    }
    for (; k < body->leaf_count; k++) body->leaf_box[k] = fr_box_empty();
}

// candidate k goes on at an earlier place under a new name
static void keep_at(FrContactPair *pair, int32_t at, int32_t k, uint64_t name) {
    pair->candidate.data[at] = name;
    pair->apart.data[at] = pair->apart.data[k];
    pair->parting.data[at] = pair->parting.data[k];
}

// candidates of leaves that are still there, under their new numbers
static void rename_candidates(FrContactPair *pair, const FrOldLeaves *a, const FrOldLeaves *b) {
    int32_t kept = 0;
    for (int32_t k = 0; k < pair->candidate.count; k++) {
        int32_t leaf_a = (int32_t)(pair->candidate.data[k] >> 32);
        int32_t leaf_b = (int32_t)(uint32_t)pair->candidate.data[k];
        if (a) leaf_a = a->now.data[leaf_a];
        if (b) leaf_b = b->now.data[leaf_b];
        if (leaf_a < 0 || leaf_b < 0) continue;
        keep_at(pair, kept++, k, (uint64_t)(uint32_t)leaf_a << 32 | (uint32_t)leaf_b);
    }
    pair->candidate.count = pair->apart.count = pair->parting.count = kept;
}

static void follow_pairs(FrContactScene *scene, int32_t item, bool known) {
    const FrOldLeaves *old = &scene->item.data[item].body.old;
    for (int32_t k = 0; k < scene->pair.count; k++) {
        FrContactPair *pair = &scene->pair.data[k];
        if (pair->a != item && pair->b != item) continue;
        if (scene->item.data[pair->b].kind != FR_ITEM_BODY) continue; // found anew each time
        pair->valid = pair->valid && known;
        if (pair->valid)
            rename_candidates(pair, pair->a == item ? old : NULL, pair->b == item ? old : NULL);
    }
}

void fr_contact_drop_rigid(FrContactScene *scene, int32_t item) {
    FrContactBody *body = &scene->item.data[item].body;
    body->stiffer = false;
    for (int32_t p = 0; p < scene->pair.count; p++) {
        FrContactPair *pair = &scene->pair.data[p];
        if (pair->a != item || pair->b != item || !pair->valid) continue;
        int32_t kept = 0;
        for (int32_t k = 0; k < pair->candidate.count; k++) {
            uint64_t c = pair->candidate.data[k];
            if (fr_contact_as_one(body, (int32_t)(c >> 32), (int32_t)(uint32_t)c)) continue;
            keep_at(pair, kept++, k, c);
        }
        pair->candidate.count = pair->apart.count = pair->parting.count = kept;
    }
}

FrResult fr_contact_renew(FrContactScene *scene, int32_t item) {
    FrContactBody *body = &scene->item.data[item].body;
    FR_TRY(remember(scene->ctx, body));
    bool known = body->old.tet.count > 0;
    body->follows = false; // until the new leaves are there
    FR_TRY(fr_contact_leaves(scene, body));
    body->stale = false;
    body->age = known ? 0 : -1;
    if (known) match(body);
    follow_pairs(scene, item, known);
    for (int32_t n = 0; n < body->touched.count; n++) body->touched.data[n] = 0;
    if (!fr_array_extend(scene->ctx, &body->touched, body->view.node_count - body->touched.count))
        return fr_no_memory(scene->ctx, "the nodes of a body");
    return FR_OK;
}
