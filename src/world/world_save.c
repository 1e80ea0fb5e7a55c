// world_save.c: checkpoints: all that a later step depends on.

#include "world/world.h"
#include <string.h>

#define FORMAT 0x41574346u // "FCWA"

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
    fr_write_u64(writer, (uint64_t)stats->rejected);
    fr_write_u64(writer, (uint64_t)stats->contacts);
    fr_write_i32(writer, stats->guarded_tets);
    fr_write_f64(writer, stats->dt_min);
    fr_write_f64(writer, stats->dt_max);
    fr_write_f64(writer, stats->momentum_drift);
    fr_write_f64(writer, stats->overlap);
}

static FrWorldStats read_stats(FrReader *reader) {
    FrWorldStats stats = {0};
    stats.steps = (int64_t)fr_read_u64(reader);
    stats.rejected = (int64_t)fr_read_u64(reader);
    stats.contacts = (int64_t)fr_read_u64(reader);
    stats.guarded_tets = fr_read_i32(reader);
    stats.dt_min = fr_read_f64(reader);
    stats.dt_max = fr_read_f64(reader);
    stats.momentum_drift = fr_read_f64(reader);
    stats.overlap = fr_read_f64(reader);
    return stats;
}

static void write_world(const FrWorld *w, FrWriter *writer) {
    fr_write_i32(writer, (int32_t)FORMAT);
    fr_write_i32(writer, w->body.count);
    fr_write_u64(writer, (uint64_t)w->tick);
    write_stats(writer, &w->stats);
    fr_write_vec3(writer, w->push);
    fr_write_f64(writer, w->momentum_scale);
    for (int32_t k = 0; k < w->body.count; k++) {
        const FrBody *body = &w->body.data[k];
        fr_step_control_save(&body->control, writer);
        fr_write_u8(writer, body->asleep);
        fr_write_f64(writer, body->still);
        fr_write_f64(writer, body->sunk);
        body->ops->save(body->state, writer);
    }
    fr_write_i32(writer, w->drive.count);
    for (int32_t k = 0; k < w->drive.count; k++) fr_write_u8(writer, w->drive.data[k].released);
    fr_world_save_lists(w, writer);
    fr_write_i32(writer, w->touch.count);
    for (int32_t k = 0; k < w->touch.count; k++) write_touch(writer, &w->touch.data[k]);
    fr_write_u64(writer, (uint64_t)(w->event_base + w->event.count));
    fr_write_u64(writer, w->event_hash);
    fr_contact_save(w->scene, writer);
    fr_stick_save(w->stick, writer);
    fr_frames_save(&w->frames, writer);
}

FrResult fr_world_save(const FrWorld *w, uint8_t **bytes, size_t *size) {
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

static FrResult read_bodies(FrWorld *w, FrReader *reader) {
    for (int32_t k = 0; k < w->body.count; k++) {
        FrBody *body = &w->body.data[k];
        FR_TRY(fr_step_control_load(w->ctx, &body->control, reader));
        body->asleep = fr_read_u8(reader) != 0;
        body->still = fr_read_f64(reader);
        body->sunk = fr_read_f64(reader);
        FR_TRY(body->ops->load(body->state, reader));
        fr_world_place_sphere(w, body);
        if (fr_world_topology(body) > 1) fr_world_show_arrays(w, body);
    }
    int32_t drives = fr_read_i32(reader);
    if (drives != w->drive.count)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint has %d drives, this world %d", drives,
                       w->drive.count);
    for (int32_t k = 0; k < drives; k++) w->drive.data[k].released = fr_read_u8(reader) != 0;
    return fr_world_load_lists(w, reader);
}

FrResult fr_world_load(FrWorld *w, const uint8_t *bytes, size_t size) {
    FrReader reader;
    fr_reader_init(&reader, bytes, size);
    uint32_t format = (uint32_t)fr_read_i32(&reader);
    int32_t bodies = fr_read_i32(&reader);
    if (format != FORMAT)
        return fr_fail(w->ctx, FR_BAD_INPUT, "not a checkpoint of this version of Fracas");
    if (bodies != w->body.count)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint has %d bodies, this world %d", bodies,
                       w->body.count);
    w->tick = (int64_t)fr_read_u64(&reader);
    w->stats = read_stats(&reader);
    w->push = fr_read_vec3(&reader);
    w->momentum_scale = fr_read_f64(&reader);
    fr_world_free_led(w, false); // those that were let go before
    FR_TRY(read_bodies(w, &reader));
    FR_TRY(read_touches(w, &reader));
    uint64_t events = fr_read_u64(&reader), event_hash = fr_read_u64(&reader);
    FR_TRY(fr_contact_load(w->scene, &reader));
    FR_TRY(fr_stick_load(w->stick, &reader));
    FR_TRY(fr_frames_load(&w->frames, &reader));
    if (reader.failed || events > INT32_MAX)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint is cut short");
    w->event_base = (int64_t)events;
    w->event_hash = event_hash;
    w->event.count = 0;
    for (int32_t k = 0; k < w->body.count; k++) fr_world_cuts_told(w, k);
    return FR_OK;
}
