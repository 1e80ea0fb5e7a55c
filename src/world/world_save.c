// world_save.c: checkpoints: all that a later step depends on.

#include "event/log.h"
#include "world/birth_code.h"
#include "world/world.h"
#include <string.h>

#define FORMAT 0x47574346u // "FCWG"

/// What an event takes at least: its number, time, kind and bodies.
#define EVENT_BYTES 28
/// What write_touch writes: 4 + 4 + 1 + 2*8 + 2*24 + 8 + 24 + 2*36 + 3*8 + 8.
#define TOUCH_BYTES 209

static void write_point(FrWriter *writer, FrPoint point) {
    fr_write_i32(writer, point.tet);
    for (int i = 0; i < 4; i++) fr_write_f64(writer, point.b[i]);
}

static FrPoint read_point(FrReader *reader) {
    FrPoint point;
    point.tet = fr_read_i32(reader);
    for (int i = 0; i < 4; i++) point.b[i] = fr_read_f64(reader);
    return point;
}

static void write_touch(FrWriter *writer, const FrTouch *touch) {
    fr_write_i32(writer, touch->a);
    fr_write_i32(writer, touch->b);
    fr_write_u8(writer, touch->reported);
    fr_write_f64(writer, touch->first);
    fr_write_f64(writer, touch->last);
    fr_write_vec3(writer, touch->impulse);
    fr_write_vec3(writer, touch->place);
    fr_write_f64(writer, touch->weight);
    fr_write_vec3(writer, touch->normal);
    write_point(writer, touch->pa);
    write_point(writer, touch->pb);
    fr_write_f64(writer, touch->v_n);
    fr_write_f64(writer, touch->v_t);
    fr_write_f64(writer, touch->area);
    fr_write_u64(writer, touch->key);
}

static FrTouch read_touch(FrReader *reader) {
    FrTouch touch;
    touch.a = fr_read_i32(reader);
    touch.b = fr_read_i32(reader);
    touch.reported = fr_read_u8(reader) != 0;
    touch.first = fr_read_f64(reader);
    touch.last = fr_read_f64(reader);
    touch.impulse = fr_read_vec3(reader);
    touch.place = fr_read_vec3(reader);
    touch.weight = fr_read_f64(reader);
    touch.normal = fr_read_vec3(reader);
    touch.pa = read_point(reader);
    touch.pb = read_point(reader);
    touch.v_n = fr_read_f64(reader);
    touch.v_t = fr_read_f64(reader);
    touch.area = fr_read_f64(reader);
    touch.key = fr_read_u64(reader);
    return touch;
}

static void write_stats(FrWriter *writer, const FrWorldStats *stats) {
    fr_write_u64(writer, (uint64_t)stats->steps);
    fr_write_u64(writer, (uint64_t)stats->flights);
    fr_write_u64(writer, (uint64_t)stats->flown_steps);
    fr_write_u64(writer, (uint64_t)stats->rejected);
    fr_write_u64(writer, (uint64_t)stats->contacts);
    fr_write_i32(writer, stats->guarded_tets);
    fr_write_f64(writer, stats->dt_min);
    fr_write_f64(writer, stats->dt_max);
    fr_write_f64(writer, stats->momentum_drift);
    fr_write_f64(writer, stats->overlap);
    fr_write_u64(writer, (uint64_t)stats->cracks);
    fr_write_u64(writer, (uint64_t)stats->pieces);
}

static FrWorldStats read_stats(FrReader *reader) {
    FrWorldStats stats = {0};
    stats.steps = (int64_t)fr_read_u64(reader);
    stats.flights = (int64_t)fr_read_u64(reader);
    stats.flown_steps = (int64_t)fr_read_u64(reader);
    stats.rejected = (int64_t)fr_read_u64(reader);
    stats.contacts = (int64_t)fr_read_u64(reader);
    stats.guarded_tets = fr_read_i32(reader);
    stats.dt_min = fr_read_f64(reader);
    stats.dt_max = fr_read_f64(reader);
    stats.momentum_drift = fr_read_f64(reader);
    stats.overlap = fr_read_f64(reader);
    stats.cracks = (int64_t)fr_read_u64(reader);
    stats.pieces = (int64_t)fr_read_u64(reader);
    return stats;
}

// either is NULL
static void walk_numbers(double *const *number, size_t count, FrWriter *writer, FrReader *reader) {
    for (size_t k = 0; k < count; k++) {
        if (writer)
            fr_write_f64(writer, *number[k]);
        else
            *number[k] = fr_read_f64(reader);
    }
}

static void walk_passed(FrEnergy *e, FrWriter *writer, FrReader *reader) {
    double *part[] = {&e->kinetic, &e->elastic, &e->plastic, &e->fracture,
                      &e->dust,    &e->damping, &e->contact, &e->external};
    walk_numbers(part, sizeof part / sizeof part[0], writer, reader);
}

// which bodies there are; what those born later were made from
static void write_roll(const FrWorld *w, FrWriter *writer) {
    fr_write_i32(writer, w->next_number);
    fr_write_i32(writer, w->plane.count);
    for (int32_t k = 0; k < w->plane.count; k++) fr_write_i32(writer, w->plane.data[k].number);
    fr_write_i32(writer, w->body.count);
    for (int32_t k = 0; k < w->body.count; k++) {
        const FrBody *body = &w->body.data[k];
        fr_write_i32(writer, body->number);
        fr_write_u64(writer, (uint64_t)body->born);
        if (!body->born) continue;
        fr_write_i32(writer, body->item);
        fr_write_i32(writer, body->frame < 0 ? -1 : w->frames.frame.data[body->frame].item);
        fr_write_u64(writer, body->birth_size);
        fr_write_bytes(writer, body->birth, body->birth_size);
    }
}

// what callers may change of one
static void walk_material(FrMaterial *m, FrWriter *writer, FrReader *reader) {
    double *part[] = {&m->friction_static,
                      &m->friction_dynamic,
                      &m->restitution,
                      &m->alpha1,
                      &m->alpha2,
                      &m->phi,
                      &m->psi,
                      &m->eta};
    walk_numbers(part, sizeof part / sizeof part[0], writer, reader);
}

static void write_body(const FrBody *body, FrWriter *writer) {
    fr_step_control_save(&body->control, writer);
    fr_write_u8(writer, body->asleep);
    fr_write_f64(writer, body->still);
    fr_write_f64(writer, body->sunk);
    fr_write_vec3(writer, body->momentum);
    fr_write_u8(writer, body->kinematic);
    for (int32_t k = 0; k < body->material_count; k++) {
        FrMaterial m = body->material[k];
        walk_material(&m, writer, NULL);
    }
    bool cut = fr_world_topology(body) > 1;
    fr_write_u8(writer, cut);
    if (cut) fr_cutmesh_save(body->cut, writer);
    if (cut) fr_pieces_save(body->pieces, writer);
    body->ops->save(body->state, writer);
}

// what was reported since the last step: the next one reports it once more
static void write_events(const FrWorld *w, FrWriter *writer) {
    fr_write_u64(writer, (uint64_t)(w->event_base + w->event_done));
    fr_write_i32(writer, w->event.count - w->event_done);
    for (int32_t k = w->event_done; k < w->event.count; k++)
        fr_event_save(&w->event.data[k], writer);
    fr_write_u64(writer, w->event_hash);
}

static void write_world(const FrWorld *w, FrWriter *writer) {
    FrEnergy passed = w->passed;
    fr_write_i32(writer, (int32_t)FORMAT);
    fr_write_u64(writer, (uint64_t)w->tick);
    write_roll(w, writer);
    write_stats(writer, &w->stats);
    fr_write_vec3(writer, w->push);
    fr_write_f64(writer, w->momentum_scale);
    fr_write_vec3(writer, w->gravity);
    walk_passed(&passed, writer, NULL);
    for (int32_t k = 0; k < w->body.count; k++) write_body(&w->body.data[k], writer);
    fr_world_save_loads(w, writer);
    fr_world_save_external(w, writer);
    fr_write_i32(writer, w->touch.count);
    for (int32_t k = 0; k < w->touch.count; k++) write_touch(writer, &w->touch.data[k]);
    write_events(w, writer);
    fr_contact_save(w->scene, writer);
    fr_stick_save(w->stick, writer);
    fr_frames_save(&w->frames, writer);
}

FrResult fr_world_save(const FrWorld *w, uint8_t **bytes, size_t *size) {
    FR_NEED_ALL(fr_world_context(w), w && bytes && size);

    FrWriter writer;
    fr_writer_init(&writer, w->ctx);
    write_world(w, &writer);
    FrResult result = fr_writer_result(&writer);
    if (result != FR_OK) fr_writer_free(&writer);
    *bytes = writer.data;
    *size = writer.size;
    return result;
}

void fr_world_free_bytes(FrContext *ctx, uint8_t *bytes) { fr_free(ctx, bytes); }

static FrResult read_touches(FrWorld *w, FrReader *reader) {
    int32_t count = fr_read_i32(reader);
    if (count < 0 || (size_t)count > fr_reader_left(reader) / TOUCH_BYTES)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint claims %d touches", count);
    w->touch.count = 0;
    for (int32_t k = 0; k < count; k++)
        if (!fr_array_push(w->ctx, &w->touch, read_touch(reader)))
            return fr_no_memory(w->ctx, "touches");
    return FR_OK;
}

/// A body of a checkpoint.
typedef struct Entry {
    int32_t number, item, frame_item;
    int64_t born;    ///< tick; 0: the world has it from the start
    size_t at, size; ///< what it was made from, if born later
} Entry;

static FrResult read_entry(FrWorld *w, FrReader *reader, Entry *entry) {
    size_t at = reader->at;
    entry->number = fr_read_i32(reader);
    entry->born = (int64_t)fr_read_u64(reader);
    if (entry->born) {
        entry->item = fr_read_i32(reader);
        entry->frame_item = fr_read_i32(reader);
        uint64_t size = fr_read_u64(reader);
        if (size > fr_reader_left(reader)) reader->failed = true;
        entry->at = reader->at;
        entry->size = (size_t)size;
        if (!reader->failed) reader->at += entry->size;
    }
    return reader->failed || entry->born < 0 || entry->number < 0 || entry->number >= w->next_number
               ? fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: no body of this world", at)
               : FR_OK;
}

// bodies of the start that are not there any more leave
static FrResult drop_dead(FrWorld *w, const Entry *entry, int32_t count) {
    for (int32_t k = 0; k < w->body.count;) {
        int32_t e = 0, number = w->body.data[k].number;
        while (e < count && entry[e].number != number) e++;
        if (e < count)
            k++;
        else
            FR_TRY(fr_world_remove_body(w, k));
    }
    return FR_OK;
}

/// More contact items than any world has.
#define MOST_ITEMS (1 << 24)

// room for its numbers in contact, as it had them
static FrResult reserve_numbers(FrWorld *w, const Entry *entry) {
    if (entry->item < 0 || entry->item > MOST_ITEMS || entry->frame_item > MOST_ITEMS)
        return fr_fail(w->ctx, FR_BAD_INPUT, "contact items %d and %d of a body", entry->item,
                       entry->frame_item);
    FR_TRY(fr_contact_number_next(w->scene, entry->item));
    if (entry->frame_item >= 0) FR_TRY(fr_contact_number_next(w->frames.scene, entry->frame_item));
    while (w->mover.count <= entry->item) {
        int32_t none = FR_NO_ITEM;
        if (!fr_array_extend(w->ctx, &w->mover, 1) || !fr_array_push(w->ctx, &w->item_body, none))
            return fr_no_memory(w->ctx, "a body");
    }
    return FR_OK;
}

static FrResult bear(FrWorld *w, const FrReader *reader, const Entry *entry) {
    FrReader code;
    FrBirth birth;
    FrBodyId id;
    FR_TRY(reserve_numbers(w, entry));
    fr_reader_init(&code, reader->data + entry->at, entry->size);
    FrResult result = fr_birth_read(w->ctx, &code, &birth);
    if (result == FR_OK) result = fr_world_add_body(w, &birth.def, entry->number, &id);
    if (result == FR_OK) w->body.data[w->body.count - 1].born = entry->born;
    fr_birth_free(&birth);
    return result;
}

// a world that others were born into does not go back
static FrResult check_first(FrWorld *w) {
    bool fresh = true;
    for (int32_t k = 0; k < w->body.count; k++) fresh = fresh && !w->body.data[k].born;
    return fresh ? FR_OK
                 : fr_fail(w->ctx, FR_BAD_USE,
                           "load a checkpoint into a world to which no body was born later");
}

static FrResult make_entries(FrWorld *w, const FrReader *reader, const Entry *entry,
                             int32_t count) {
    FR_TRY(drop_dead(w, entry, count));
    for (int32_t k = 0; k < count; k++)
        if (entry[k].born) FR_TRY(bear(w, reader, &entry[k]));
    bool same = w->body.count == count;
    for (int32_t k = 0; same && k < count; k++) same = w->body.data[k].number == entry[k].number;
    return same ? FR_OK
                : fr_fail(w->ctx, FR_BAD_INPUT,
                          "the checkpoint has %d bodies, this world %d, and not the same", count,
                          w->body.count);
}

static FrResult read_planes(FrWorld *w, FrReader *reader) {
    int32_t count = fr_read_i32(reader);
    if (reader->failed || count != w->plane.count)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint has %d planes, this world %d", count,
                       w->plane.count);
    for (int32_t k = 0; k < count; k++) w->plane.data[k].number = fr_read_i32(reader);
    return FR_OK;
}

static FrResult read_roll(FrWorld *w, FrReader *reader) {
    w->next_number = fr_read_i32(reader);
    if (w->next_number < 0)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint's next body has number %d",
                       w->next_number);
    FR_TRY(read_planes(w, reader));
    int32_t count = fr_read_i32(reader);
    if (reader->failed || count < 0 || (size_t)count > fr_reader_left(reader) / 12)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint claims %d bodies", count);
    Entry *entry = FR_NEW(w->ctx, Entry, count);
    if (!entry) return fr_no_memory(w->ctx, "the bodies of a checkpoint");
    FrResult result = FR_OK;
    for (int32_t k = 0; result == FR_OK && k < count; k++)
        result = read_entry(w, reader, &entry[k]);
    if (result == FR_OK) result = make_entries(w, reader, entry, count);
    fr_free(w->ctx, entry);
    return result;
}

// the mesh and the pieces of a body that was cut, then all that its row has
static FrResult read_state(FrWorld *w, FrReader *reader, FrBody *body) {
    size_t at = reader->at;
    bool cut = fr_read_u8(reader) != 0;
    if (cut && !body->cut)
        return fr_fail(w->ctx, FR_BAD_INPUT,
                       "byte %zu: the state of a broken body; this one does not break", at);
    if (cut) FR_TRY(fr_cutmesh_load(body->cut, reader));
    if (cut) FR_TRY(fr_pieces_load(body->pieces, body->cut, reader));
    FR_TRY(body->ops->load(body->state, reader));
    return cut == (fr_world_topology(body) > 1)
               ? FR_OK
               : fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: cracks do not fit the body", at);
}

static FrResult read_body(FrWorld *w, FrReader *reader, FrBody *body) {
    FR_TRY(fr_step_control_load(w->ctx, &body->control, reader));
    body->asleep = fr_read_u8(reader) != 0;
    body->still = fr_read_f64(reader);
    body->sunk = fr_read_f64(reader);
    body->momentum = fr_read_vec3(reader);
    bool kinematic = fr_read_u8(reader) != 0;
    if (body->kinematic && !kinematic) fr_world_set_free(w, body, false); // it was let go before
    for (int32_t k = 0; k < body->material_count; k++) {
        FrMaterial m = body->material[k];
        walk_material(&m, NULL, reader);
        if (fr_material_check(w->ctx, &m) != FR_OK)
            return fr_fail_within(w->ctx, FR_BAD_INPUT, "%s: ", body->name);
        fr_world_take_material(body, k, &m);
    }
    fr_world_show_surface(w, body);
    FR_TRY(read_state(w, reader, body));
    fr_world_place_sphere(w, body);
    if (fr_world_topology(body) > 1) fr_world_show_arrays(w, body);
    return FR_OK;
}

static FrResult read_bodies(FrWorld *w, FrReader *reader) {
    for (int32_t k = 0; k < w->body.count; k++) FR_TRY(read_body(w, reader, &w->body.data[k]));
    FR_TRY(fr_world_load_loads(w, reader));
    FR_TRY(fr_world_reload_holds(w));
    FR_TRY(fr_world_load_external(w, reader));
    for (int32_t k = 0; k < w->body.count; k++) fr_world_fix_supports(w, k);
    return FR_OK;
}

static FrResult read_events(FrWorld *w, FrReader *reader) {
    uint64_t base = fr_read_u64(reader);
    int32_t count = fr_read_i32(reader);
    if (reader->failed || base > INT32_MAX || count < 0 ||
        (size_t)count > fr_reader_left(reader) / EVENT_BYTES)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint claims %d events", count);
    w->event_base = (int64_t)base;
    w->event.count = w->event_done = 0;
    for (int32_t k = 0; k < count; k++) {
        FrEvent event;
        FR_TRY(fr_event_load(w->ctx, reader, &event));
        if (!fr_array_push(w->ctx, &w->event, event)) return fr_no_memory(w->ctx, "events");
    }
    w->event_hash = fr_read_u64(reader);
    return FR_OK;
}

FrResult fr_world_load(FrWorld *w, const uint8_t *bytes, size_t size) {
    FR_NEED_ALL(fr_world_context(w), w && bytes);

    FrReader reader;
    fr_reader_init(&reader, bytes, size);
    if ((uint32_t)fr_read_i32(&reader) != FORMAT)
        return fr_fail(w->ctx, FR_BAD_INPUT, "not a checkpoint of this version of Fracas");
    FR_TRY(check_first(w));
    w->spoiled = true; // until all of it is there
    w->tick = (int64_t)fr_read_u64(&reader);
    FR_TRY(read_roll(w, &reader));
    w->stats = read_stats(&reader);
    w->push = fr_read_vec3(&reader);
    w->momentum_scale = fr_read_f64(&reader);
    w->gravity = fr_read_vec3(&reader);
    walk_passed(&w->passed, NULL, &reader);
    FR_TRY(read_bodies(w, &reader));
    FR_TRY(read_touches(w, &reader));
    FR_TRY(read_events(w, &reader));
    FR_TRY(fr_contact_load(w->scene, &reader));
    FR_TRY(fr_stick_load(w->stick, &reader));
    FR_TRY(fr_frames_load(&w->frames, &reader));
    if (reader.failed) return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint is cut short");
    for (int32_t k = 0; k < w->body.count; k++) {
        FrBody *body = &w->body.data[k];
        fr_world_cuts_reported(w, k);
        if (!fr_world_is_new(w, body)) fr_cutlog_free(w->ctx, &body->first_cuts);
    }
    w->spoiled = false;
    return FR_OK;
}
