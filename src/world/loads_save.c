// loads_save.c: drives and loads in checkpoints, whole: nothing else need know that they were
// added.

#include "world/world.h"

/// Those that the world had before.
typedef struct Firsts {
    FrDrive *drive;
    FrLoad *load;
    int32_t drive_count, load_count;
} Firsts;

static void write_i32s(FrWriter *writer, const int32_t *x, int32_t count) {
    fr_write_i32(writer, count);
    for (int32_t k = 0; k < count; k++) fr_write_i32(writer, x[k]);
}

static void write_f64s(FrWriter *writer, const double *x, int32_t count) {
    fr_write_i32(writer, count);
    for (int32_t k = 0; k < count; k++) fr_write_f64(writer, x[k]);
}

// `least` to `most` - 1 are allowed
static FrResult read_i32s(FrWorld *w, FrReader *reader, int32_t least, int32_t most, int32_t **x,
                          int32_t *count) {
    *count = fr_read_i32(reader);
    if (reader->failed || *count < 0 || (size_t)*count > fr_reader_left(reader) / 4)
        return fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: a list of %d", reader->at - 4, *count);
    *x = FR_NEW(w->ctx, int32_t, *count);
    if (!*x) return fr_no_memory(w->ctx, "drives and loads");
    for (int32_t k = 0; k < *count; k++) {
        (*x)[k] = fr_read_i32(reader);
        if ((*x)[k] < least || (*x)[k] >= most)
            return fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: %d; allowed: %d to %d", reader->at - 4,
                           (*x)[k], least, most - 1);
    }
    return FR_OK;
}

static FrResult read_f64s(FrWorld *w, FrReader *reader, double **x, int32_t *count) {
    *count = fr_read_i32(reader);
    if (reader->failed || *count < 0 || (size_t)*count > fr_reader_left(reader) / 8)
        return fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: a list of %d", reader->at - 4, *count);
    *x = FR_NEW(w->ctx, double, *count);
    if (!*x) return fr_no_memory(w->ctx, "drives and loads");
    for (int32_t k = 0; k < *count; k++)
        if (!isfinite((*x)[k] = fr_read_f64(reader)))
            return fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: not a number", reader->at - 8);
    return FR_OK;
}

/// Numbers in an FrKey.
#define KEY_NUMBERS 8

static void write_drive(const FrDrive *d, FrWriter *writer) {
    fr_write_i32(writer, d->number);
    fr_write_u8(writer, d->late);
    fr_write_i32(writer, d->body);
    fr_write_u8(writer, d->released);
    write_i32s(writer, d->node, d->node_count);
    write_f64s(writer, d->start, 3 * d->node_count);
    fr_write_vec3(writer, d->from.origin);
    fr_write_f64(writer, d->from.q.w);
    fr_write_vec3(writer, fr_vec3(d->from.q.x, d->from.q.y, d->from.q.z));
    if (!d->late) return;
    fr_write_f64(writer, d->until);
    write_f64s(writer, (const double *)d->track.key, KEY_NUMBERS * d->track.count);
    fr_write_vec3(writer, d->track.pivot);
}

static FrResult read_track(FrWorld *w, FrReader *reader, FrTrack *track) {
    double *numbers = NULL;
    int32_t count = 0;
    FrResult result = read_f64s(w, reader, &numbers, &count);
    FrTrack read = {(const FrKey *)numbers, count / KEY_NUMBERS, fr_read_vec3(reader)};
    if (result == FR_OK) result = fr_track_copy(w->ctx, &read, track);
    fr_free(w->ctx, numbers);
    return result;
}

static bool has_nodes(const FrBody *body) { return body->ops->solid || fr_world_holds_frame(body); }

static FrResult read_body(FrWorld *w, FrReader *reader, int32_t *body, FrShapeView *view) {
    *body = fr_read_i32(reader);
    if (reader->failed || *body < 0 || *body >= w->body.count || !has_nodes(&w->body.data[*body]))
        return fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: body %d of %d has no nodes to act on",
                       reader->at - 4, *body, w->body.count);
    w->body.data[*body].ops->view(w->body.data[*body].state, view);
    return FR_OK;
}

// what the world has of it
static FrResult take_first_drive(FrWorld *w, const Firsts *first, FrDrive *d) {
    for (int32_t k = 0; k < first->drive_count; k++) {
        FrDrive *from = &first->drive[k];
        if (from->number != d->number || from->late) continue;
        d->until = from->until;
        d->track = from->track;
        from->track = (FrTrack){0};
        return FR_OK;
    }
    return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint has drive %d, this world does not",
                   d->number);
}

static FrResult read_drive(FrWorld *w, FrReader *reader, const Firsts *first, FrDrive *d) {
    FrShapeView view;
    int32_t numbers;
    d->number = fr_read_i32(reader);
    d->late = fr_read_u8(reader) != 0;
    FR_TRY(read_body(w, reader, &d->body, &view));
    d->released = fr_read_u8(reader) != 0;
    FR_TRY(read_i32s(w, reader, 0, view.node_count, &d->node, &d->node_count));
    FR_TRY(read_f64s(w, reader, &d->start, &numbers));
    if (numbers != 3 * d->node_count)
        return fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: places of %d nodes, there are %d",
                       reader->at, numbers / 3, d->node_count);
    d->from.origin = fr_read_vec3(reader);
    double w0 = fr_read_f64(reader);
    FrVec3 axis = fr_read_vec3(reader);
    d->from.q = (FrQuat){w0, axis.x, axis.y, axis.z};
    if (!d->late) return take_first_drive(w, first, d);
    d->until = fr_read_f64(reader);
    return read_track(w, reader, &d->track);
}

static void write_load_def(const FrLoad *load, FrWriter *writer) {
    const FrLoadDef *d = &load->def;
    fr_write_i32(writer, (int32_t)d->kind);
    const double number[] = {d->vector.x, d->vector.y, d->vector.z,  d->pressure,
                             d->origin.x, d->origin.y, d->origin.z,  d->start,
                             d->speed,    d->decay,    d->reference, d->power};
    write_f64s(writer, number, sizeof number / sizeof number[0]);
    write_f64s(writer, (const double *)d->curve.key, 2 * d->curve.count);
}

static void write_load(const FrLoad *load, FrWriter *writer) {
    const FrLoadDef *d = &load->def;
    fr_write_i32(writer, load->number);
    fr_write_u8(writer, load->late);
    fr_write_i32(writer, load->body);
    fr_write_f64(writer, load->mass);
    if (load->late) write_load_def(load, writer);
    fr_write_u8(writer, d->node != NULL);
    write_i32s(writer, d->node, d->node ? d->node_count : 0);
    write_i32s(writer, (const int32_t *)d->tri, 3 * d->tri_count);
    write_i32s(writer, load->tri_tet, d->tri_count);
}

static FrResult read_load_numbers(FrWorld *w, FrReader *reader, FrLoad *load) {
    FrLoadDef *d = &load->def;
    double *number = NULL;
    int32_t count = 0;
    double *to[] = {&d->vector.x, &d->vector.y, &d->vector.z,  &d->pressure,
                    &d->origin.x, &d->origin.y, &d->origin.z,  &d->start,
                    &d->speed,    &d->decay,    &d->reference, &d->power};
    int32_t wanted = sizeof to / sizeof to[0];
    FrResult result = read_f64s(w, reader, &number, &count);
    for (int32_t k = 0; result == FR_OK && k < wanted && k < count; k++) *to[k] = number[k];
    fr_free(w->ctx, number);
    return result == FR_OK && count != wanted
               ? fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: %d numbers of a load", reader->at, count)
               : result;
}

static FrResult read_curve(FrWorld *w, FrReader *reader, FrCurve *curve) {
    double *numbers = NULL;
    int32_t count = 0;
    FrResult result = read_f64s(w, reader, &numbers, &count);
    FrCurve read = {(const double(*)[2])numbers, count / 2};
    if (result == FR_OK) result = fr_curve_copy(w->ctx, &read, curve);
    fr_free(w->ctx, numbers);
    return result;
}

static FrResult read_lists(FrWorld *w, FrReader *reader, const FrShapeView *view, FrLoad *load) {
    int32_t *node = NULL, *tri = NULL, corners, tets;
    bool some = fr_read_u8(reader) != 0;
    FrResult result = read_i32s(w, reader, 0, view->node_count, &node, &load->def.node_count);
    load->def.node = node;
    if (!some) fr_free(w->ctx, node), load->def.node = NULL;
    FR_TRY(result);
    result = read_i32s(w, reader, 0, view->node_count, &tri, &corners);
    load->def.tri = (const int32_t(*)[3])tri;
    FR_TRY(result);
    load->def.tri_count = corners / 3;
    FR_TRY(read_i32s(w, reader, -1, view->tet_count, &load->tri_tet, &tets));
    return tets == load->def.tri_count
               ? FR_OK
               : fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: %d tets behind %d triangles", reader->at,
                         tets, load->def.tri_count);
}

static FrResult take_first_load(FrWorld *w, const Firsts *first, FrLoad *load) {
    for (int32_t k = 0; k < first->load_count; k++) {
        FrLoad *from = &first->load[k];
        if (from->number != load->number || from->late) continue;
        FrLoadDef def = from->def;
        from->def.curve = (FrCurve){0};
        def.node = NULL;
        def.tri = NULL;
        def.node_count = def.tri_count = 0;
        load->def = def;
        return FR_OK;
    }
    return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint has load %d, this world does not",
                   load->number);
}

static FrResult read_load_def(FrWorld *w, FrReader *reader, FrLoad *load) {
    load->def.kind = (FrLoadKind)fr_read_i32(reader);
    FR_TRY(read_load_numbers(w, reader, load));
    return read_curve(w, reader, &load->def.curve);
}

static FrResult read_load(FrWorld *w, FrReader *reader, const Firsts *first, FrLoad *load) {
    FrShapeView view;
    load->number = fr_read_i32(reader);
    load->late = fr_read_u8(reader) != 0;
    FR_TRY(read_body(w, reader, &load->body, &view));
    load->mass = fr_read_f64(reader);
    FR_TRY(load->late ? read_load_def(w, reader, load) : take_first_load(w, first, load));
    return read_lists(w, reader, &view, load);
}

void fr_world_save_loads(const FrWorld *w, FrWriter *writer) {
    fr_write_i32(writer, w->next_hold);
    fr_write_i32(writer, w->drive.count);
    for (int32_t k = 0; k < w->drive.count; k++) write_drive(&w->drive.data[k], writer);
    fr_write_i32(writer, w->load.count);
    for (int32_t k = 0; k < w->load.count; k++) write_load(&w->load.data[k], writer);
}

static int32_t first_drives(const FrWorld *w) {
    int32_t count = 0;
    for (int32_t k = 0; k < w->drive.count; k++) count += !w->drive.data[k].late;
    return count;
}

static int32_t first_loads(const FrWorld *w) {
    int32_t count = 0;
    for (int32_t k = 0; k < w->load.count; k++) count += !w->load.data[k].late;
    return count;
}

void fr_world_save_first_holds(const FrWorld *w, FrWriter *writer) {
    fr_write_i32(writer, first_drives(w));
    for (int32_t k = 0; k < w->drive.count; k++)
        if (!w->drive.data[k].late) fr_write_i32(writer, w->drive.data[k].number);
    fr_write_i32(writer, first_loads(w));
    for (int32_t k = 0; k < w->load.count; k++)
        if (!w->load.data[k].late) fr_write_i32(writer, w->load.data[k].number);
}

static bool has_first_drive(const FrWorld *w, int32_t number) {
    for (int32_t k = 0; k < w->drive.count; k++)
        if (w->drive.data[k].number == number && !w->drive.data[k].late) return true;
    return false;
}

static bool has_first_load(const FrWorld *w, int32_t number) {
    for (int32_t k = 0; k < w->load.count; k++)
        if (w->load.data[k].number == number && !w->load.data[k].late) return true;
    return false;
}

static FrResult check_firsts(FrWorld *w, FrReader *reader, const char *what,
                             bool (*has)(const FrWorld *, int32_t)) {
    int32_t count = fr_read_i32(reader);
    for (int32_t k = 0; k < count && !reader->failed; k++) {
        int32_t number = fr_read_i32(reader);
        if (!reader->failed && !has(w, number))
            return fr_fail(w->ctx, FR_BAD_INPUT, "the checkpoint has %s %d, this world does not",
                           what, number);
    }
    return reader->failed
               ? fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: %d of %ss", reader->at, count, what)
               : FR_OK;
}

FrResult fr_world_check_first_holds(FrWorld *w, FrReader *reader) {
    FR_TRY(check_firsts(w, reader, "drive", has_first_drive));
    return check_firsts(w, reader, "load", has_first_load);
}

static void drop_firsts(FrWorld *w, Firsts *first) {
    for (int32_t k = 0; k < first->drive_count; k++) fr_world_free_drive(w->ctx, &first->drive[k]);
    for (int32_t k = 0; k < first->load_count; k++) fr_world_free_load(w->ctx, &first->load[k]);
    fr_free(w->ctx, first->drive);
    fr_free(w->ctx, first->load);
}

static FrResult read_count(FrWorld *w, FrReader *reader, int32_t *count) {
    *count = fr_read_i32(reader);
    return !reader->failed && *count >= 0 && (size_t)*count <= fr_reader_left(reader) / 16
               ? FR_OK
               : fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: %d drives or loads", reader->at - 4,
                         *count);
}

static FrResult read_drives(FrWorld *w, FrReader *reader, const Firsts *first) {
    int32_t count;
    FR_TRY(read_count(w, reader, &count));
    for (int32_t k = 0; k < count; k++) {
        FrDrive drive = {0};
        FrResult result = read_drive(w, reader, first, &drive);
        if (result == FR_OK && !fr_array_push(w->ctx, &w->drive, drive))
            result = fr_no_memory(w->ctx, "drives");
        if (result != FR_OK) fr_world_free_drive(w->ctx, &drive);
        FR_TRY(result);
    }
    return FR_OK;
}

static FrResult read_loads(FrWorld *w, FrReader *reader, const Firsts *first) {
    int32_t count;
    FR_TRY(read_count(w, reader, &count));
    for (int32_t k = 0; k < count; k++) {
        FrLoad load = {0};
        FrResult result = read_load(w, reader, first, &load);
        if (result == FR_OK && !fr_array_push(w->ctx, &w->load, load))
            result = fr_no_memory(w->ctx, "loads");
        if (result != FR_OK) fr_world_free_load(w->ctx, &load);
        FR_TRY(result);
    }
    return FR_OK;
}

FrResult fr_world_load_loads(FrWorld *w, FrReader *reader) {
    Firsts first = {w->drive.data, w->load.data, w->drive.count, w->load.count};
    w->drive.data = NULL, w->drive.count = w->drive.capacity = 0;
    w->load.data = NULL, w->load.count = w->load.capacity = 0;
    w->next_hold = fr_read_i32(reader);
    FrResult result = read_drives(w, reader, &first);
    if (result == FR_OK) result = read_loads(w, reader, &first);
    drop_firsts(w, &first);
    return result;
}
