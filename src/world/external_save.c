// external_save.c: pushes and grabs in checkpoints.

#include "world/track.h"
#include "world/world.h"

/// What write_anchor writes: 24 + 4 + 32 + 8, and a push and a grab with it.
#define ANCHOR_BYTES 68
#define PUSH_BYTES (4 + ANCHOR_BYTES + 48)
#define GRAB_BYTES (8 + ANCHOR_BYTES + 24 + 24 + 4 + 48 + 8 + 4 + 4)

static void write_anchor(FrWriter *writer, const FrAnchor *anchor) {
    fr_write_vec3(writer, anchor->place);
    fr_write_i32(writer, anchor->at.tet);
    for (int i = 0; i < 4; i++) fr_write_f64(writer, anchor->at.b[i]);
    fr_write_u64(writer, anchor->topology);
}

static void read_anchor(FrReader *reader, FrAnchor *anchor) {
    anchor->place = fr_read_vec3(reader);
    anchor->at.tet = fr_read_i32(reader);
    for (int i = 0; i < 4; i++) anchor->at.b[i] = fr_read_f64(reader);
    anchor->topology = fr_read_u64(reader);
}

static void write_exact(FrWriter *writer, const FrGrab *grab) {
    fr_write_i32(writer, (int32_t)grab->kind);
    fr_write_vec3(writer, grab->value);
    fr_write_vec3(writer, grab->start);
    fr_write_f64(writer, grab->until);
    fr_write_i32(writer, grab->by_count);
    for (int32_t k = 0; k < grab->by_count; k++) write_anchor(writer, &grab->by[k]);
    fr_write_i32(writer, grab->track.count);
    for (int32_t k = 0; k < grab->track.count; k++) {
        fr_write_f64(writer, grab->track.key[k].t);
        fr_write_vec3(writer, grab->track.key[k].move);
    }
}

void fr_world_save_external(const FrWorld *w, FrWriter *writer) {
    fr_write_i32(writer, w->external.push.count);
    for (int32_t k = 0; k < w->external.push.count; k++) {
        const FrPush *push = &w->external.push.data[k];
        fr_write_i32(writer, push->body.index1);
        write_anchor(writer, &push->at);
        fr_write_vec3(writer, push->force);
        fr_write_vec3(writer, push->torque);
    }
    fr_write_i32(writer, w->external.grab.count);
    for (int32_t k = 0; k < w->external.grab.count; k++) {
        const FrGrab *grab = &w->external.grab.data[k];
        fr_write_i32(writer, grab->number);
        fr_write_i32(writer, grab->body.index1);
        write_anchor(writer, &grab->at);
        fr_write_vec3(writer, grab->target);
        fr_write_f64(writer, grab->stiffness);
        fr_write_f64(writer, grab->damping);
        fr_write_f64(writer, grab->max_force);
        write_exact(writer, grab);
    }
}

static FrPush read_push(FrReader *reader) {
    FrPush push = {.body.index1 = fr_read_i32(reader)};
    read_anchor(reader, &push.at);
    push.force = fr_read_vec3(reader);
    push.torque = fr_read_vec3(reader);
    return push;
}

#define KEY_BYTES 32

static FrResult read_keys(FrWorld *w, FrReader *reader, FrTrack *track) {
    int32_t count = fr_read_i32(reader);
    if (count < 0 || (size_t)count > fr_reader_left(reader) / KEY_BYTES)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint claims %d keys of a grab", count);
    if (!count) return FR_OK;
    FrKey *key = FR_NEW(w->ctx, FrKey, count);
    if (!key) return fr_no_memory(w->ctx, "a grab");
    for (int32_t k = 0; k < count; k++) {
        key[k].t = fr_read_f64(reader);
        key[k].move = fr_read_vec3(reader);
        key[k].turn = fr_quat_identity;
    }
    FrTrack read = {key, count, fr_vec3_zero};
    FrResult result = fr_track_copy(w->ctx, &read, track);
    fr_free(w->ctx, key);
    return result == FR_BAD_USE
               ? fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint has keys of a grab out of order")
               : result;
}

static FrResult read_exact(FrWorld *w, FrReader *reader, FrGrab *grab) {
    grab->kind = (FrPullKind)fr_read_i32(reader);
    grab->value = fr_read_vec3(reader);
    grab->start = fr_read_vec3(reader);
    grab->until = fr_read_f64(reader);
    grab->by_count = fr_read_i32(reader);
    if ((uint32_t)grab->kind > FR_PULL_ACCELERATION || grab->by_count < 0 ||
        grab->by_count > FR_PULL_POINTS)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint has a grab of kind %d by %d points",
                       (int)grab->kind, grab->by_count);
    for (int32_t k = 0; k < grab->by_count; k++) read_anchor(reader, &grab->by[k]);
    return read_keys(w, reader, &grab->track);
}

static FrGrab read_grab(FrReader *reader) {
    FrGrab grab = {.number = fr_read_i32(reader)};
    grab.body.index1 = fr_read_i32(reader);
    read_anchor(reader, &grab.at);
    grab.target = fr_read_vec3(reader);
    grab.stiffness = fr_read_f64(reader);
    grab.damping = fr_read_f64(reader);
    grab.max_force = fr_read_f64(reader);
    return grab;
}

// does the body have the point? A torque has none
static FrResult check(FrWorld *w, FrBodyId id, const FrAnchor *anchor) {
    int32_t index = fr_world_find(w, id);
    FrShapeView view = {0};
    if (index >= 0) w->body.data[index].ops->view(w->body.data[index].state, &view);
    bool good = index >= 0 && anchor->at.tet < view.tet_count && !w->body.data[index].kinematic &&
                (w->body.data[index].ops->solid || w->body.data[index].frame >= 0 ||
                 w->body.data[index].ops->put);
    return good ? FR_OK
                : fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint pushes tet %d of body %d",
                          anchor->at.tet, id.index1);
}

static FrResult check_grab(FrWorld *w, const FrGrab *grab) {
    FR_TRY(check(w, grab->body, &grab->at));
    for (int32_t k = 0; k < grab->by_count; k++) FR_TRY(check(w, grab->body, &grab->by[k]));
    if (grab->at.at.tet < 0 && w->body.data[fr_world_find(w, grab->body)].ops->solid)
        return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint has a grab without a tet");
    return FR_OK;
}

static FrResult read_count(FrWorld *w, FrReader *reader, size_t size, int32_t *count) {
    *count = fr_read_i32(reader);
    if (*count >= 0 && (size_t)*count <= fr_reader_left(reader) / size) return FR_OK;
    return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint claims %d pushes or grabs", *count);
}

FrResult fr_world_load_external(FrWorld *w, FrReader *reader) {
    int32_t count;
    for (int32_t k = 0; k < w->external.grab.count; k++)
        fr_world_free_grab(w->ctx, &w->external.grab.data[k]);
    w->external.push.count = w->external.grab.count = 0;
    FR_TRY(read_count(w, reader, PUSH_BYTES, &count));
    for (int32_t k = 0; k < count; k++) {
        FrPush push = read_push(reader);
        FR_TRY(check(w, push.body, &push.at));
        if (!fr_array_push(w->ctx, &w->external.push, push)) return fr_no_memory(w->ctx, "a force");
    }
    FR_TRY(read_count(w, reader, GRAB_BYTES, &count));
    for (int32_t k = 0; k < count; k++) {
        if (!fr_array_reserve(w->ctx, &w->external.grab, 1)) return fr_no_memory(w->ctx, "a grab");
        FrGrab grab = read_grab(reader);
        FR_TRY(read_exact(w, reader, &grab));
        (void)fr_array_push(w->ctx, &w->external.grab, grab); // the world frees it now
        FR_TRY(check_grab(w, &grab));
    }
    return FR_OK;
}
