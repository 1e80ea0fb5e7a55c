// samples.c: a world at moments between its macro steps: bodies that substep are taken as they come
// by, all others lie between where they were before and after.

#include "world/member.h"
#include <string.h>

static int32_t parts_of(const FrWorld *w) { return w->body.count + w->plane.count; }

static double time_of(const FrWorld *w, int32_t k) {
    return (double)w->shown.samples.head.data[k].number * w->shown.samples.every;
}

static FrSamplePart *part_of(FrWorld *w, int32_t k, int32_t body) {
    return &w->shown.samples.part.data[w->shown.samples.head.data[k].first + body];
}

void fr_world_sample_every(FrWorld *w, double every, double keep) {
    FrSamples *s = &w->shown.samples;
    FR_ASSERT_IN(w->ctx, every >= 0.0 && keep >= 0.0,
                 "samples come at an interval of 0 (none) s or more");
    s->every = every;
    s->keep = keep;
    s->head.count = s->part.count = s->x.count = s->load.count = s->kept = s->next = 0;
}

int32_t fr_world_sample_count(const FrWorld *w) { return w->shown.samples.head.count; }

// number of the last sample that is not after a tick
static int64_t last_by(const FrWorld *w, int64_t tick) {
    return (int64_t)floor((double)tick * w->def.step / w->shown.samples.every);
}

// samples of the last `keep` seconds before the world's time
static int32_t first_to_keep(const FrWorld *w) {
    double from = fr_world_time(w) - w->shown.samples.keep * (1.0 + 1e-9);
    int32_t k = 0;
    while (k < w->shown.samples.head.count && time_of(w, k) < from) k++;
    return k;
}

static void drop_first(FrWorld *w, int32_t count) {
    FrSamples *s = &w->shown.samples;
    if (!count) return;
    int32_t left = s->head.count - count, x = s->x.count, load = s->load.count;
    int32_t parts = left ? s->head.data[count].first : s->part.count;
    for (int32_t k = parts; k < s->part.count; k++) {
        if (s->part.data[k].nodes) x = fr_min_i(x, s->part.data[k].at);
        if (s->part.data[k].breaks) load = fr_min_i(load, s->part.data[k].load_at);
    }
    s->head.count = left;
    s->part.count -= parts;
    s->x.count -= x;
    s->load.count -= load;
    if (left) memmove(s->head.data, s->head.data + count, sizeof *s->head.data * (size_t)left);
    if (s->part.count)
        memmove(s->part.data, s->part.data + parts, sizeof *s->part.data * (size_t)s->part.count);
    // of frames alone there are none
    if (s->x.count) memmove(s->x.data, s->x.data + x, sizeof *s->x.data * (size_t)s->x.count);
    if (s->load.count)
        memmove(s->load.data, s->load.data + load, sizeof *s->load.data * (size_t)s->load.count);
    for (int32_t k = 0; k < left; k++) s->head.data[k].first -= parts;
    for (int32_t k = 0; k < s->part.count; k++) {
        s->part.data[k].at -= x;
        s->part.data[k].load_at -= load;
    }
}

static FrSamplePart plane_part(const FrWorld *w, int32_t plane) {
    return (FrSamplePart){.id = {w->plane.data[plane].number + 1},
                          .kind = FR_BODY_PLANE,
                          .rotation = fr_quat_identity};
}

static FrSamplePart pose_of(const FrBody *body) {
    FrSamplePart part = {.id = {body->number + 1},
                         .kind = body->mesh.tet_count ? FR_BODY_TETS : FR_BODY_SPHERE,
                         .rotation = fr_quat_identity};
    part.rigid =
        body->ops->pose(body->state, &part.position, &part.rotation, &part.velocity, &part.spin);
    return part;
}

static void begin_sample(FrWorld *w, int64_t number) {
    FrSamples *s = &w->shown.samples;
    int32_t parts = parts_of(w);
    s->head.data[s->head.count++] = (FrSampleHead){number, w->tick + 1, s->part.count, parts};
    for (int32_t b = 0; b < parts; b++) {
        FrSamplePart part = b < w->body.count ? s->start.data[b] : plane_part(w, b - w->body.count);
        part.at = -1;
        s->part.data[s->part.count++] = part;
    }
}

FrResult fr_world_samples_begin(FrWorld *w) {
    FrSamples *s = &w->shown.samples;
    if (!(s->every > 0.0)) return FR_OK;
    drop_first(w, first_to_keep(w));
    s->kept = s->head.count;
    s->first = last_by(w, w->tick) + 1;
    int32_t count = (int32_t)(last_by(w, w->tick + 1) + 1 - s->first), parts = parts_of(w);
    s->start.count = 0;
    if (!fr_array_reserve(w->ctx, &s->start, w->body.count) ||
        !fr_array_reserve(w->ctx, &s->head, count) ||
        !fr_array_reserve(w->ctx, &s->part, count * parts))
        return fr_no_memory(w->ctx, "samples between steps");
    for (int32_t k = 0; k < w->body.count; k++)
        s->start.data[s->start.count++] = pose_of(&w->body.data[k]);
    for (int32_t k = 0; k < count; k++) begin_sample(w, s->first + k);
    return FR_OK;
}

// how near its nodes are to breaking
static FrResult take_loads(FrWorld *w, const FrBody *body, FrSamplePart *part) {
    FrSamples *s = &w->shown.samples;
    if (!breaking_of(body)) return FR_OK;
    if (!fr_array_reserve(w->ctx, &s->load, part->nodes))
        return fr_no_memory(w->ctx, "samples between steps");
    part->breaks = true;
    part->load_at = s->load.count;
    s->load.count += part->nodes;
    return fr_world_loads(w, body, part->nodes, s->load.data + part->load_at);
}

// nodes went straight to where they are: back by `ago` seconds
static FrResult take_nodes(FrWorld *w, const FrBody *body, double ago, FrSamplePart *part) {
    FrSamples *s = &w->shown.samples;
    FrShapeView view;
    body->ops->view(body->state, &view);
    int32_t numbers = 3 * view.node_count;
    if (!fr_array_reserve(w->ctx, &s->x, 2 * numbers))
        return fr_no_memory(w->ctx, "samples between steps");
    part->nodes = view.node_count;
    part->cuts = body->cuts.step_count;
    part->at = s->x.count;
    double *p = s->x.data + s->x.count, *v = p + numbers;
    for (int32_t k = 0; k < numbers; k++) p[k] = view.p[k] - ago * view.v[k];
    memcpy(v, view.v, sizeof *v * (size_t)numbers);
    s->x.count += 2 * numbers;
    return take_loads(w, body, part);
}

static FrResult take(FrWorld *w, int32_t k, int32_t index, double now) {
    const FrBody *body = &w->body.data[index];
    FrSamplePart *part = part_of(w, k, index);
    double ago = now - time_of(w, k);
    *part = pose_of(body);
    part->position = fr_axpy(-ago, part->velocity, part->position);
    part->rotation = fr_quat_mul(fr_quat_from_rotation(fr_scale(-ago, part->spin)), part->rotation);
    if (body->ops->solid) return take_nodes(w, body, ago, part);
    part->at = 0;
    return FR_OK;
}

void fr_world_samples_group(FrWorld *w) { w->shown.samples.next = w->shown.samples.kept; }

FrResult fr_world_samples_pass(FrWorld *w, const FrGroup *group, double now, bool last) {
    FrSamples *s = &w->shown.samples;
    while (s->next < s->head.count && (last || time_of(w, s->next) <= now)) {
        for (int32_t k = 0; k < group->count; k++)
            FR_TRY(take(w, s->next, w->now.group_body.data[group->first + k], now));
        s->next++;
    }
    return FR_OK;
}

void fr_world_samples_end(FrWorld *w) {
    FrSamples *s = &w->shown.samples;
    double before = (double)(w->tick - 1) * w->def.step;
    for (int32_t b = 0; s->kept < s->head.count && b < w->body.count; b++) {
        FrSamplePart now = pose_of(&w->body.data[b]), then = s->start.data[b];
        for (int32_t k = s->kept; k < s->head.count; k++) {
            FrSamplePart *part = part_of(w, k, b);
            if (part->at >= 0) continue;
            double f = (time_of(w, k) - before) / w->def.step;
            *part = (FrSamplePart){.id = now.id,
                                   .kind = now.kind,
                                   .rigid = now.rigid,
                                   .position = fr_lerp(then.position, now.position, f),
                                   .velocity = fr_lerp(then.velocity, now.velocity, f),
                                   .spin = fr_lerp(then.spin, now.spin, f),
                                   .rotation = fr_quat_slerp(then.rotation, now.rotation, f)};
        }
    }
}

// the view of a body that lives; else what is known of it
static FrBodyView view_of(const FrWorld *w, const FrSamplePart *part) {
    for (int32_t k = 0; k < w->shown.body_view.count; k++)
        if (w->shown.body_view.data[k].id.index1 == part->id.index1)
            return w->shown.body_view.data[k];
    return (FrBodyView){.id = part->id, .kind = part->kind, .rigid = part->rigid};
}

static FrBodyFrame frame_of(const FrSamples *s, const FrSamplePart *part) {
    const double *p = part->nodes ? s->x.data + part->at : NULL;
    return (FrBodyFrame){.p = p,
                         .v = p ? p + 3 * (size_t)part->nodes : NULL,
                         .load = part->breaks ? s->load.data + part->load_at : NULL,
                         .position = part->position,
                         .rotation = part->rotation,
                         .velocity = part->velocity,
                         .spin = part->spin,
                         .alive = true};
}

FrResult fr_world_sample(FrWorld *w, int32_t k, FrWorldSample *sample) {
    FrSamples *s = &w->shown.samples;
    FrSampleHead head = s->head.data[k];
    s->view.count = s->frame.count = s->nodes.count = s->cuts.count = 0;
    if (!fr_array_extend(w->ctx, &s->view, head.count) ||
        !fr_array_extend(w->ctx, &s->frame, head.count) ||
        !fr_array_extend(w->ctx, &s->nodes, head.count) ||
        !fr_array_extend(w->ctx, &s->cuts, head.count))
        return fr_no_memory(w->ctx, "samples between steps");
    for (int32_t b = 0; b < head.count; b++) {
        const FrSamplePart *part = part_of(w, k, b);
        s->view.data[b] = view_of(w, part);
        s->frame.data[b] = frame_of(s, part);
        s->nodes.data[b] = part->nodes;
        s->cuts.data[b] = part->cuts;
    }
    *sample =
        (FrWorldSample){.number = head.number,
                        .tick = head.tick,
                        .view = {head.tick, time_of(w, k), head.count, s->view.data, s->frame.data},
                        .nodes = s->nodes.data,
                        .cuts = s->cuts.data};
    return FR_OK;
}

void fr_world_samples_free(FrContext *ctx, FrSamples *s) {
    fr_array_free(ctx, &s->head);
    fr_array_free(ctx, &s->view);
    fr_array_free(ctx, &s->part);
    fr_array_free(ctx, &s->x);
    fr_array_free(ctx, &s->load);
    fr_array_free(ctx, &s->start);
    fr_array_free(ctx, &s->frame);
    fr_array_free(ctx, &s->nodes);
    fr_array_free(ctx, &s->cuts);
}

static void save_part(FrWriter *writer, const FrSamples *s, const FrSamplePart *part) {
    fr_write_i32(writer, part->id.index1);
    fr_write_u8(writer, (uint8_t)part->kind);
    fr_write_u8(writer, part->rigid);
    fr_write_vec3(writer, part->position);
    fr_write_vec3(writer, part->velocity);
    fr_write_vec3(writer, part->spin);
    const FrQuat *q = &part->rotation;
    const double turn[4] = {q->w, q->x, q->y, q->z};
    for (int i = 0; i < 4; i++) fr_write_f64(writer, turn[i]);
    fr_write_i32(writer, part->nodes);
    fr_write_i32(writer, part->cuts);
    for (int32_t k = 0; k < 6 * part->nodes; k++) fr_write_f64(writer, s->x.data[part->at + k]);
    fr_write_u8(writer, part->breaks);
    for (int32_t k = 0; part->breaks && k < part->nodes; k++)
        fr_write_f64(writer, (double)s->load.data[part->load_at + k]);
}

void fr_world_samples_save(const FrWorld *w, FrWriter *writer) {
    const FrSamples *s = &w->shown.samples;
    int32_t from = first_to_keep(w);
    fr_write_f64(writer, s->every);
    fr_write_f64(writer, s->keep);
    fr_write_i32(writer, s->head.count - from);
    for (int32_t k = from; k < s->head.count; k++) {
        FrSampleHead head = s->head.data[k];
        fr_write_u64(writer, (uint64_t)head.number);
        fr_write_u64(writer, (uint64_t)head.tick);
        fr_write_i32(writer, head.count);
        for (int32_t b = 0; b < head.count; b++)
            save_part(writer, s, &s->part.data[head.first + b]);
    }
}

static FrResult load_part(FrWorld *w, FrReader *reader, FrSamplePart *part) {
    FrSamples *s = &w->shown.samples;
    part->id.index1 = fr_read_i32(reader);
    uint8_t kind = fr_read_u8(reader);
    part->kind = (FrBodyKind)(kind <= FR_BODY_PLANE ? kind : FR_BODY_PLANE);
    part->rigid = fr_read_u8(reader) != 0;
    part->position = fr_read_vec3(reader);
    part->velocity = fr_read_vec3(reader);
    part->spin = fr_read_vec3(reader);
    FrQuat *q = &part->rotation;
    double *turn[4] = {&q->w, &q->x, &q->y, &q->z};
    for (int i = 0; i < 4; i++) *turn[i] = fr_read_f64(reader);
    part->nodes = fr_read_i32(reader);
    part->cuts = fr_read_i32(reader);
    part->at = s->x.count;
    if (reader->failed || part->nodes < 0 || part->cuts < 0 ||
        (size_t)part->nodes > fr_reader_left(reader) / 48)
        return fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: samples between steps are damaged",
                       reader->at);
    if (!fr_array_reserve(w->ctx, &s->x, 6 * part->nodes))
        return fr_no_memory(w->ctx, "samples between steps");
    for (int32_t k = 0; k < 6 * part->nodes; k++) s->x.data[s->x.count++] = fr_read_f64(reader);
    part->breaks = fr_read_u8(reader) != 0;
    part->load_at = s->load.count;
    if (!part->breaks) return FR_OK;
    if (!fr_array_reserve(w->ctx, &s->load, part->nodes))
        return fr_no_memory(w->ctx, "samples between steps");
    for (int32_t k = 0; k < part->nodes; k++)
        s->load.data[s->load.count++] = (float)fr_read_f64(reader);
    return FR_OK;
}

/// What a part of a sample takes in a checkpoint, at least.
#define PART_BYTES 119

static FrResult load_sample(FrWorld *w, FrReader *reader) {
    FrSamples *s = &w->shown.samples;
    FrSampleHead head = {.number = (int64_t)fr_read_u64(reader), .first = s->part.count};
    head.tick = (int64_t)fr_read_u64(reader);
    head.count = fr_read_i32(reader);
    if (reader->failed || head.count < 0 ||
        (size_t)head.count > fr_reader_left(reader) / PART_BYTES)
        return fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: samples between steps are damaged",
                       reader->at);
    if (!fr_array_push(w->ctx, &s->head, head) || !fr_array_extend(w->ctx, &s->part, head.count))
        return fr_no_memory(w->ctx, "samples between steps");
    for (int32_t b = 0; b < head.count; b++)
        FR_TRY(load_part(w, reader, &s->part.data[head.first + b]));
    return FR_OK;
}

FrResult fr_world_samples_load(FrWorld *w, FrReader *reader) {
    FrSamples *s = &w->shown.samples;
    double every = fr_read_f64(reader), keep = fr_read_f64(reader);
    int32_t count = fr_read_i32(reader);
    if (reader->failed || !(every >= 0.0 && keep >= 0.0) || count < 0 ||
        (size_t)count > fr_reader_left(reader) / 20)
        return fr_fail(w->ctx, FR_BAD_INPUT, "byte %zu: samples between steps are damaged",
                       reader->at);
    fr_world_sample_every(w, every, keep);
    for (int32_t k = 0; k < count; k++) FR_TRY(load_sample(w, reader));
    s->kept = s->head.count;
    return FR_OK;
}
