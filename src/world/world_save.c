// world_save.c: checkpoints: all that a later step depends on.

#include "base/hash.h"
#include "event/log.h"
#include "world/birth_code.h"
#include "world/world.h"
#include <string.h>

#define FORMAT 0x49574346u // "FCWI"
/// A hash of all before it ends a checkpoint.
#define SEAL_BYTES 8

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
    fr_write_u64(writer, (uint64_t)stats->dust_pieces);
    fr_write_f64(writer, stats->dust_mass);
    fr_write_f64(writer, stats->dust_energy);
    fr_write_f64(writer, stats->dust_share);
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
    stats.dust_pieces = (int64_t)fr_read_u64(reader);
    stats.dust_mass = fr_read_f64(reader);
    stats.dust_energy = fr_read_f64(reader);
    stats.dust_share = fr_read_f64(reader);
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
        if (!body->born) fr_write_u64(writer, body->made);
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
    fr_world_save_first_holds(w, writer);
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
    if (!writer->failed) fr_write_u64(writer, fr_hash_of(writer->data, writer->size, 0));
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
    uint64_t made;   ///< FrBody.made, of one from the start
    size_t at, size; ///< what it was made from, if born later
} Entry;

/// Which bodies and planes a checkpoint has: judged before anything of the world changes.
typedef struct Roll {
    int64_t tick;
    int32_t next_number, count;
    FrReader planes; ///< at their numbers
    Entry *entry;    ///< (count)
} Roll;

/// More contact items than any world has.
#define MOST_ITEMS (1 << 24)

static FrResult read_entry(FrContext *ctx, FrReader *reader, Entry *entry) {
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
    } else {
        entry->made = fr_read_u64(reader);
    }
    bool items = entry->item >= 0 && entry->item <= MOST_ITEMS && entry->frame_item <= MOST_ITEMS;
    return reader->failed || entry->born < 0 || entry->number < 0 || !items
               ? fr_fail(ctx, FR_BAD_INPUT, "byte %zu: no body of this world", at)
               : FR_OK;
}

static FrResult read_planes(FrWorld *w, FrReader *reader, Roll *roll) {
    int32_t count = fr_read_i32(reader);
    if (reader->failed || count != w->plane.count)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint has %d planes, this world %d", count,
                       w->plane.count);
    roll->planes = *reader;
    for (int32_t k = 0; k < count; k++) fr_read_i32(reader);
    return FR_OK;
}

// of an empty roll; free its entries in any case
static FrResult read_roll(FrWorld *w, FrReader *reader, Roll *roll) {
    roll->tick = (int64_t)fr_read_u64(reader);
    roll->next_number = fr_read_i32(reader);
    if (roll->next_number < 0)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint's next body has number %d",
                       roll->next_number);
    FR_TRY(read_planes(w, reader, roll));
    int32_t count = fr_read_i32(reader);
    if (reader->failed || count < 0 || (size_t)count > fr_reader_left(reader) / 12)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint claims %d bodies", count);
    roll->entry = FR_NEW(w->ctx, Entry, count);
    if (!roll->entry) return fr_no_memory(w->ctx, "the bodies of a checkpoint");
    roll->count = count;
    for (int32_t k = 0; k < count; k++) FR_TRY(read_entry(w->ctx, reader, &roll->entry[k]));
    return FR_OK;
}

static const FrBody *find_body(const FrWorld *w, int32_t number) {
    for (int32_t k = 0; k < w->body.count; k++)
        if (w->body.data[k].number == number) return &w->body.data[k];
    return NULL;
}

// could it be born into this world?
static FrResult check_birth(FrWorld *w, const FrReader *reader, const Entry *entry) {
    FrReader code;
    FrBirth birth;
    const FrModelOps *row;
    fr_reader_init(&code, reader->data + entry->at, entry->size);
    FrResult result = fr_birth_read(w->ctx, &code, &birth);
    if (result == FR_OK) result = fr_world_check_def(w, &birth.def, &row);
    fr_birth_free(&birth);
    return result == FR_OK || result == FR_NO_MEMORY
               ? result
               : fr_fail_within(w->ctx, FR_BAD_INPUT, "byte %zu: ", entry->at);
}

// Are the bodies of the start among those of this world, and the others such as could be born?
static FrResult check_roll(FrWorld *w, const FrReader *reader, const Roll *roll) {
    for (int32_t k = 0; k < roll->count; k++) {
        const Entry *entry = &roll->entry[k];
        const FrBody *body = find_body(w, entry->number);
        bool order = entry->number < roll->next_number &&
                     (k == 0 || entry->number > roll->entry[k - 1].number);
        bool same = entry->born ? !body : body && body->made == entry->made;
        if (!order || !same)
            return fr_fail(w->ctx, FR_BAD_INPUT,
                           "the checkpoint has %d bodies, this world %d, and not the same: body %d",
                           roll->count, w->body.count, entry->number);
        if (entry->born) FR_TRY(check_birth(w, reader, entry));
    }
    return FR_OK;
}

// bodies of the start that are not there any more leave
static FrResult drop_dead(FrWorld *w, const Roll *roll) {
    for (int32_t k = 0; k < w->body.count;) {
        int32_t e = 0, number = w->body.data[k].number;
        while (e < roll->count && roll->entry[e].number != number) e++;
        if (e < roll->count)
            k++;
        else
            FR_TRY(fr_world_remove_body(w, k));
    }
    return FR_OK;
}

// room for its numbers in contact, as it had them
static FrResult reserve_numbers(FrWorld *w, const Entry *entry) {
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

static FrResult take_roll(FrWorld *w, const FrReader *reader, const Roll *roll) {
    FrReader planes = roll->planes;
    w->tick = roll->tick;
    w->next_number = roll->next_number;
    for (int32_t k = 0; k < w->plane.count; k++) w->plane.data[k].number = fr_read_i32(&planes);
    FR_TRY(drop_dead(w, roll));
    for (int32_t k = 0; k < roll->count; k++)
        if (roll->entry[k].born) FR_TRY(bear(w, reader, &roll->entry[k]));
    return FR_OK;
}

// a world that others were born into does not go back
static FrResult check_first(FrWorld *w) {
    bool fresh = true;
    for (int32_t k = 0; k < w->body.count; k++) fresh = fresh && !w->body.data[k].born;
    return fresh ? FR_OK
                 : fr_fail(w->ctx, FR_BAD_USE,
                           "load a checkpoint into a world to which no body was born later");
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
    if (body->cut && body->ops->solid) fr_world_show_arrays(w, body); // they may have moved
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

static FrResult read_rest(FrWorld *w, FrReader *reader) {
    w->stats = read_stats(reader);
    w->push = fr_read_vec3(reader);
    w->momentum_scale = fr_read_f64(reader);
    w->gravity = fr_read_vec3(reader);
    walk_passed(&w->passed, NULL, reader);
    FR_TRY(read_bodies(w, reader));
    FR_TRY(read_touches(w, reader));
    FR_TRY(read_events(w, reader));
    FR_TRY(fr_contact_load(w->scene, reader));
    FR_TRY(fr_stick_load(w->stick, reader));
    FR_TRY(fr_frames_load(&w->frames, reader));
    if (reader->failed || fr_reader_left(reader))
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint ends at byte %zu of %zu", reader->at,
                       reader->size);
    for (int32_t k = 0; k < w->body.count; k++) {
        FrBody *body = &w->body.data[k];
        fr_world_cuts_reported(w, k);
        if (!fr_world_is_new(w, body)) fr_cutlog_free(w->ctx, &body->first_cuts);
    }
    return FR_OK;
}

// are the bytes those that were saved? `reader` gets what is in them
static FrResult open_checkpoint(FrWorld *w, const uint8_t *bytes, size_t size, FrReader *reader) {
    fr_reader_init(reader, bytes, size);
    if ((uint32_t)fr_read_i32(reader) != FORMAT)
        return fr_fail(w->ctx, FR_BAD_INPUT, "not a checkpoint of this version of Fracas");
    size_t inside = size > SEAL_BYTES ? size - SEAL_BYTES : 0;
    FrReader seal;
    fr_reader_init(&seal, bytes + inside, size - inside);
    if (fr_read_u64(&seal) != fr_hash_of(bytes, inside, 0))
        return fr_fail(w->ctx, FR_BAD_INPUT,
                       "the checkpoint is cut short or was changed: its %zu bytes are not those "
                       "that were saved",
                       size);
    reader->size = inside;
    return FR_OK;
}

FrResult fr_world_load(FrWorld *w, const uint8_t *bytes, size_t size) {
    FR_NEED_ALL(fr_world_context(w), w && bytes);

    FrReader reader;
    Roll roll = {.entry = NULL};
    FR_TRY(open_checkpoint(w, bytes, size, &reader));
    FR_TRY(check_first(w));
    FrResult result = read_roll(w, &reader, &roll);
    if (result == FR_OK) result = fr_world_check_first_holds(w, &reader);
    if (result == FR_OK) result = check_roll(w, &reader, &roll);
    if (result == FR_OK) {
        w->spoiled = true; // until all of it is there
        result = take_roll(w, &reader, &roll);
        if (result == FR_OK) result = read_rest(w, &reader);
        w->spoiled = result != FR_OK;
    }
    fr_free(w->ctx, roll.entry);
    return result;
}
