// opened.c: parts of a body that lie in each other because a cut made them strangers do not push
// until they have been apart once.
//
// Tets that share a node or an edge never touch, so the two sides of a crack may overlap near its
// tip. When the crack runs on they become strangers: pushing them apart at once would make energy
// from nothing. Such pairs are barred until a detection finds them apart.

#include "contact/contact_scene.h"

// the nodes of all tets that changed, before and after
static FrResult touch_nodes(FrContext *ctx, FrContactBody *body, const FrCutLog *log) {
    int32_t more = log->first_node + log->node_count - body->touched.count;
    if (more > 0 && !fr_array_extend(ctx, &body->touched, more))
        return fr_no_memory(ctx, "the sides of a crack");
    for (int32_t k = 0; k < log->tet_count; k++)
        for (int i = 0; i < 4; i++) {
            body->touched.data[log->tets[k].parent_node[i]] = 1;
            body->touched.data[log->tets[k].node[i]] = 1;
        }
    body->follows = true;
    return FR_OK;
}

FrResult fr_contact_follow(FrContactScene *scene, int32_t item, const FrCutLog *log) {
    FR_ASSERT_IN(scene->ctx,
                 item >= 0 && item < scene->item.count &&
                     scene->item.data[item].kind == FR_ITEM_BODY,
                 "follow the cuts of a body");
    FrContactBody *body = &scene->item.data[item].body;
    FR_TRY(touch_nodes(scene->ctx, body, log));
    for (int32_t k = 0; k < log->tet_count; k++) {
        int32_t tet = log->tets[k].child, more = tet + 1 - body->fresh.count;
        if (more > 0 && !fr_array_extend(scene->ctx, &body->fresh, more))
            return fr_no_memory(scene->ctx, "the sides of a crack");
        body->fresh.data[tet] = 1;
        body->any_fresh = true;
    }
    return FR_OK;
}

static bool fresh(const FrContactBody *body, int32_t tet) {
    return tet >= 0 && tet < body->fresh.count && body->fresh.data[tet];
}

static bool was_barred(const FrContactScene *scene, uint64_t key) {
    int32_t lo = 0, hi = scene->barred.count;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (scene->barred.data[middle] < key)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < scene->barred.count && scene->barred.data[lo] == key;
}

// both were cut since the last detection, and did not touch then; or barred before
static bool is_barred(const FrContactScene *scene, const FrContact *c) {
    if (c->a != c->b) return false;
    const FrContactBody *body = &scene->item.data[c->a].body;
    if (scene->barred.count && was_barred(scene, c->key)) return true;
    return body->any_fresh && fresh(body, c->pa.tet) && fresh(body, c->pb.tet) &&
           !fr_contact_past(scene, c);
}

// pairs of items that take no part stay as they are
static bool looked_at(const FrContactScene *scene, uint64_t key) {
    uint64_t item = key >> 53;
    return key >> 63 || scene->in_call.data[item];
}

FrResult fr_contact_bar(FrContactScene *scene, const FrContactList *list) {
    bool any = scene->barred.count > 0;
    for (int32_t k = 0; k < scene->item.count; k++)
        any = any || (scene->item.data[k].kind == FR_ITEM_BODY && scene->in_call.data[k] &&
                      scene->item.data[k].body.any_fresh);
    scene->bar_next.count = 0;
    if (!any) return FR_OK;
    if (!fr_array_reserve(scene->ctx, &scene->bar_next, scene->barred.count + list->count) ||
        !fr_array_reserve(scene->ctx, &scene->barred, 1))
        return fr_no_memory(scene->ctx, "the sides of a crack");
    // both lists ascend: merge what stays with what is found
    int32_t old = 0;
    uint64_t *to = scene->bar_next.data;
    for (int32_t k = 0; k < list->count; k++) {
        const FrContact *c = &list->contact[k];
        if (!is_barred(scene, c)) continue;
        for (; old < scene->barred.count && scene->barred.data[old] < c->key; old++)
            if (!looked_at(scene, scene->barred.data[old])) *to++ = scene->barred.data[old];
        if (old < scene->barred.count && scene->barred.data[old] == c->key) old++;
        *to++ = c->key;
    }
    for (; old < scene->barred.count; old++)
        if (!looked_at(scene, scene->barred.data[old])) *to++ = scene->barred.data[old];
    scene->bar_next.count = (int32_t)(to - scene->bar_next.data);
    return FR_OK;
}

static void exchange(FrContactScene *scene) {
    uint64_t *data = scene->barred.data;
    int32_t capacity = scene->barred.capacity;
    scene->barred.data = scene->bar_next.data;
    scene->barred.count = scene->bar_next.count;
    scene->barred.capacity = scene->bar_next.capacity;
    scene->bar_next.data = data;
    scene->bar_next.capacity = capacity;
    scene->bar_next.count = 0;
}

void fr_contact_drop_barred(FrContactScene *scene, FrContactList *list) {
    if (scene->barred.count || scene->bar_next.count) exchange(scene);
    int32_t kept = 0;
    for (int32_t k = 0; k < list->count; k++) {
        const FrContact *c = &list->contact[k];
        if (c->a == c->b && scene->barred.count && was_barred(scene, c->key)) continue;
        list->contact[kept++] = *c;
    }
    list->count = kept;
    for (int32_t k = 0; k < scene->item.count; k++) {
        FrContactBody *body = &scene->item.data[k].body;
        if (!body->any_fresh || !scene->in_call.data[k]) continue;
        for (int32_t e = 0; e < body->fresh.count; e++) body->fresh.data[e] = 0;
        body->any_fresh = false;
    }
}

void fr_contact_barred_save(const FrContactScene *scene, FrWriter *writer) {
    fr_write_i32(writer, scene->barred.count);
    for (int32_t k = 0; k < scene->barred.count; k++) fr_write_u64(writer, scene->barred.data[k]);
    for (int32_t k = 0; k < scene->item.count; k++) {
        const FrContactBody *body = &scene->item.data[k].body;
        int32_t count = body->any_fresh ? body->fresh.count : 0;
        fr_write_i32(writer, count);
        fr_write_bytes(writer, body->fresh.data, (size_t)count);
    }
}

static FrResult bad(FrContactScene *scene, const FrReader *reader) {
    return fr_fail(scene->ctx, FR_BAD_INPUT, "contact state, byte %zu: not the sides of cracks",
                   reader->at);
}

FrResult fr_contact_barred_load(FrContactScene *scene, FrReader *reader) {
    int32_t count = fr_read_i32(reader);
    if (reader->failed || count < 0 || (size_t)count > fr_reader_left(reader) / 8)
        return bad(scene, reader);
    scene->barred.count = 0;
    if (!fr_array_extend(scene->ctx, &scene->barred, count))
        return fr_no_memory(scene->ctx, "the sides of a crack");
    for (int32_t k = 0; k < count; k++) {
        scene->barred.data[k] = fr_read_u64(reader);
        if (k && scene->barred.data[k] <= scene->barred.data[k - 1]) return bad(scene, reader);
    }
    for (int32_t k = 0; k < scene->item.count; k++) {
        FrContactBody *body = &scene->item.data[k].body;
        int32_t tets = fr_read_i32(reader);
        if (reader->failed || tets < 0 || tets > body->view.tet_count ||
            (size_t)tets > fr_reader_left(reader))
            return bad(scene, reader);
        body->fresh.count = 0;
        body->any_fresh = tets > 0;
        if (!fr_array_extend(scene->ctx, &body->fresh, tets))
            return fr_no_memory(scene->ctx, "the sides of a crack");
        if (tets) fr_read_bytes(reader, body->fresh.data, (size_t)tets);
    }
    return FR_OK;
}
