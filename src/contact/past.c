// past.c: remembers the direction of each contact, for the step in which one tet swallows the
// other; the only state of detection that outlives a step.

#include "contact/contact_scene.h"
#include <string.h>

static int order(const FrContactPast *p, uint64_t key, int32_t a, int32_t b) {
    if (p->key != key) return p->key < key ? -1 : 1;
    if (p->a != a) return p->a < a ? -1 : 1;
    return p->b < b ? -1 : p->b > b;
}

const FrVec3 *fr_contact_past(const FrContactScene *scene, const FrContact *contact) {
    int32_t lo = 0, hi = scene->past.count;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (order(&scene->past.data[middle], contact->key, contact->a, contact->b) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    if (lo == scene->past.count) return NULL;
    const FrContactPast *p = &scene->past.data[lo];
    return order(p, contact->key, contact->a, contact->b) == 0 ? &p->n : NULL;
}

// what was not looked at in this call stays
static bool stays(const FrContactScene *scene, const FrContactPast *p) {
    return !scene->in_call.data[p->a] || !scene->in_call.data[p->b];
}

static void exchange(FrContactScene *scene) {
    FrContactPast *data = scene->past.data;
    int32_t capacity = scene->past.capacity;
    scene->past.data = scene->past_next.data;
    scene->past.count = scene->past_next.count;
    scene->past.capacity = scene->past_next.capacity;
    scene->past_next.data = data;
    scene->past_next.capacity = capacity;
    scene->past_next.count = 0;
}

// a plane, and a node that went in, have a direction of their own
static bool needs_past(const FrContactScene *scene, const FrContact *c) {
    return c->pa.tet >= 0 && scene->item.data[c->b].kind != FR_ITEM_PLANE;
}

FrResult fr_contact_remember(FrContactScene *scene, const FrContactList *list) {
    int32_t most;
    if (scene->options.node_penetration || (!scene->past.count && !list->count)) return FR_OK;
    scene->past_next.count = 0;
    if (__builtin_add_overflow(scene->past.count, list->count, &most) ||
        !fr_array_reserve(scene->ctx, &scene->past_next, most) ||
        !fr_array_reserve(scene->ctx, &scene->past, 1))
        return fr_no_memory(scene->ctx, "contact directions");
    const FrContactPast *old = scene->past.data, *old_end = old + scene->past.count;
    FrContactPast *to = scene->past_next.data;
    for (int32_t k = 0; k < list->count; k++) {
        const FrContact *c = &list->contact[k];
        if (!needs_past(scene, c)) continue;
        for (; old < old_end && order(old, c->key, c->a, c->b) < 0; old++)
            if (stays(scene, old)) *to++ = *old;
        if (old < old_end && order(old, c->key, c->a, c->b) == 0) old++;
        FrContactPast now = {c->key, c->a, c->b, c->n};
        *to++ = now;
    }
    for (; old < old_end; old++)
        if (stays(scene, old)) *to++ = *old;
    scene->past_next.count = (int32_t)(to - scene->past_next.data);
    exchange(scene);
    return FR_OK;
}

static bool any_cut(const FrContactScene *scene) {
    bool any = false;
    for (int32_t k = 0; k < scene->item.count; k++)
        any = any || (scene->item.data[k].kind == FR_ITEM_BODY &&
                      scene->item.data[k].body.view.topology > 1);
    return any;
}

void fr_contact_save(const FrContactScene *scene, FrWriter *writer) {
    fr_write_u8(writer, scene->whole);
    fr_write_i32(writer, scene->ignored.count);
    for (int32_t k = 0; k < scene->ignored.count; k++) {
        fr_write_i32(writer, scene->ignored.data[k].a);
        fr_write_i32(writer, scene->ignored.data[k].b);
    }
    fr_write_i32(writer, scene->past.count);
    for (int32_t k = 0; k < scene->past.count; k++) {
        const FrContactPast *p = &scene->past.data[k];
        fr_write_u64(writer, p->key);
        fr_write_i32(writer, p->a);
        fr_write_i32(writer, p->b);
        fr_write_f64(writer, p->n.x);
        fr_write_f64(writer, p->n.y);
        fr_write_f64(writer, p->n.z);
    }
    if (any_cut(scene)) fr_contact_barred_save(scene, writer);
}

#define PAST_BYTES 40

static FrContactPast read_one(FrReader *reader) {
    FrContactPast p = {.key = fr_read_u64(reader)};
    p.a = fr_read_i32(reader), p.b = fr_read_i32(reader);
    p.n.x = fr_read_f64(reader), p.n.y = fr_read_f64(reader), p.n.z = fr_read_f64(reader);
    return p;
}

static FrResult read_past(FrContactScene *scene, FrReader *reader) {
    size_t at = reader->at;
    int32_t count = fr_read_i32(reader), items = scene->item.count;
    if (reader->failed || count < 0 || (size_t)count > fr_reader_left(reader) / PAST_BYTES)
        return fr_fail(scene->ctx, FR_BAD_INPUT,
                       "contact state, byte %zu: %d directions do not fit the %zu bytes left", at,
                       count, fr_reader_left(reader));
    scene->past_next.count = 0;
    if (!fr_array_reserve(scene->ctx, &scene->past_next, count))
        return fr_no_memory(scene->ctx, "contact directions");
    for (int32_t k = 0; k < count; k++) {
        at = reader->at;
        FrContactPast p = read_one(reader), *to = scene->past_next.data + k;
        bool known = p.a >= 0 && p.b >= 0 && p.a < items && p.b < items;
        bool ascending = k == 0 || order(&p, to[-1].key, to[-1].a, to[-1].b) > 0;
        if (!known || !ascending || !fr_vec3_finite(p.n))
            return fr_fail(scene->ctx, FR_BAD_INPUT,
                           "contact state, byte %zu: direction %d of items %d and %d (%g %g %g); "
                           "items are 0 to %d, keys ascend, numbers are finite",
                           at, k, p.a, p.b, p.n.x, p.n.y, p.n.z, items - 1);
        *to = p;
    }
    scene->past_next.count = count;
    exchange(scene);
    return FR_OK;
}

static FrResult read_ignored(FrContactScene *scene, FrReader *reader) {
    int32_t count = fr_read_i32(reader), items = scene->item.count;
    if (reader->failed || count < 0 || (size_t)count > fr_reader_left(reader) / 8)
        return fr_fail(scene->ctx, FR_BAD_INPUT, "contact state: %d pairs that never touch", count);
    scene->ignored.count = 0;
    for (int32_t k = 0; k < count; k++) {
        int32_t a = fr_read_i32(reader), b = fr_read_i32(reader);
        if (a < 0 || b < 0 || a >= items || b >= items || a == b)
            return fr_fail(scene->ctx, FR_BAD_INPUT, "contact state: items %d and %d of %d", a, b,
                           items);
        FR_TRY(fr_contact_ignore(scene, a, b));
    }
    return FR_OK;
}

// Trees are built again from the positions at the next detection: what they find does not depend on
// their shape, so nothing else has to come back.
FrResult fr_contact_load(FrContactScene *scene, FrReader *reader) {
    bool whole = fr_read_u8(reader) != 0;
    for (int32_t k = 0; whole != scene->whole && k < scene->item.count; k++)
        scene->item.data[k].body.stale = true;
    scene->whole = whole;
    FR_TRY(read_ignored(scene, reader));
    FR_TRY(read_past(scene, reader));
    if (any_cut(scene)) FR_TRY(fr_contact_barred_load(scene, reader));
    for (int32_t k = 0; k < scene->item.count; k++) {
        scene->item.data[k].body.age = -1;
        scene->item.data[k].body.follows = false;
    }
    for (int32_t k = 0; k < scene->pair.count; k++)
        scene->pair.data[k].valid = false, scene->pair.data[k].seen = 0;
    return FR_OK;
}
