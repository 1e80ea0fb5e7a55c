// recorder_frame.c: frames and pose tracks into the file; bodies are packed in parallel.

#include "record/recorder_inside.h"
#include "record/state_code.h"
#include "store/deflate.h"
#include "base/hash.h"
#include "base/tasks.h"
#include "math/vec.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct PackRun {
    FrRecorder *recorder;
    const FrFrameView *view;
    const int32_t *nodes; ///< of each body; NULL: all that it has
} PackRun;

// planes do not move: no row
static bool has_state(const FrRecordedBody *body, const FrBodyFrame *frame) {
    return body->kind != FR_BODY_PLANE && frame->alive;
}

// nodes of rigid bodies follow from their pose
static int32_t state_nodes(const FrRecordedBody *body) {
    return body->whole ? 0 : body->node_count;
}

static int32_t nodes_of(const PackRun *run, int32_t k) {
    int32_t all = state_nodes(&run->recorder->body.data[k]);
    return run->nodes ? fr_min_i(all, run->nodes[k]) : all;
}

// by pose and modes; a burst, and a frame that does not know them, has nodes
static bool by_modes(const PackRun *run, int32_t k) {
    return run->recorder->body.data[k].modes && run->view->frame[k].z && !run->nodes;
}

static int32_t encoding_of(const PackRun *run, int32_t k) {
    if (by_modes(run, k)) return FR_STATE_MODES;
    return nodes_of(run, k) ? FR_STATE_NODES : FR_STATE_POSE;
}

static size_t raw_size(const PackRun *run, int32_t k) {
    return by_modes(run, k) ? fr_state_modes_size(run->recorder->body.data[k].modes)
                            : fr_state_size(nodes_of(run, k));
}

static bool encode(const PackRun *run, int32_t k, FrStateJob *job) {
    const FrBodyFrame *frame = &run->view->frame[k];
    job->bad_node = -1;
    if (by_modes(run, k))
        return fr_state_encode_modes(frame, run->recorder->body.data[k].modes, job->raw);
    return fr_state_encode(frame, nodes_of(run, k), job->raw, &job->bad_node);
}

static void pack_bodies(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    PackRun *run = arg;
    FrRecorder *r = run->recorder;
    for (int32_t k = begin; k < end; k++) {
        const FrRecordedBody *body = &r->body.data[k];
        FrStateJob *job = &r->job.data[k];
        const FrBodyFrame *frame = &run->view->frame[k];
        if (!has_state(body, frame)) continue;
        if (!encode(run, k, job)) continue;
        job->bad_node = -2;
        job->failed =
            !fr_deflate_quiet(r->ctx, job->raw, raw_size(run, k), FR_DEFLATE_LEVEL, &job->z);
    }
}

static FrResult make_room(FrRecorder *r, const FrFrameView *view) {
    FR_ASSERT_IN(r->ctx, view->body_count == r->body.count,
                 "add every body of the view before its frame");
    for (int32_t k = 0; k < r->body.count; k++) {
        FrStateJob *job = &r->job.data[k];
        const FrRecordedBody *body = &r->body.data[k];
        size_t size = fr_state_size(state_nodes(body)), other = fr_state_modes_size(body->modes);
        if (size < other) size = other;
        job->failed = false;
        job->bad_node = -2;
        if (!has_state(&r->body.data[k], &view->frame[k]) || job->room >= size) continue;
        uint8_t *moved = fr_resize(r->ctx, job->raw, size);
        if (!moved) return fr_no_memory(r->ctx, "a frame");
        job->raw = moved;
        job->room = size;
    }
    return FR_OK;
}

static FrResult check_jobs(FrRecorder *r, const FrFrameView *view) {
    for (int32_t k = 0; k < r->job.count; k++) {
        const FrStateJob *job = &r->job.data[k];
        const char *name = view->body[k].name ? view->body[k].name : "";
        if (job->bad_node >= 0)
            return fr_fail(r->ctx, FR_NUMERICAL, "body %d \"%s\": node %d is not finite at %.9g s",
                           k, name, job->bad_node, view->t);
        if (job->bad_node == -1)
            return fr_fail(r->ctx, FR_NUMERICAL, "body %d \"%s\": its pose is not finite at %.9g s",
                           k, name, view->t);
        if (job->failed) return fr_no_memory(r->ctx, "a frame");
    }
    return FR_OK;
}

static FrResult put_frame(FrRecorder *r, const FrFrameView *view) {
    PackRun run = {r, view, NULL};
    FR_TRY(FR_STORE_PUT(r->store, "INSERT OR REPLACE INTO frame VALUES(?,?)",
                        fr_cell_int(view->tick), fr_cell_real(view->t)));
    for (int32_t k = 0; k < r->body.count; k++) {
        const FrStateJob *job = &r->job.data[k];
        if (!has_state(&r->body.data[k], &view->frame[k])) continue;
        FR_TRY(FR_STORE_PUT(r->store, "INSERT OR REPLACE INTO state VALUES(?,?,?,?)",
                            fr_cell_int(view->tick), fr_cell_int(k),
                            fr_cell_int(encoding_of(&run, k)),
                            fr_cell_blob(job->z.data, job->z.size)));
    }
    return FR_OK;
}

static FrResult pack(FrRecorder *r, const FrFrameView *view, const int32_t *nodes) {
    FR_TRY(fr_recorder_ready(r));
    if (!isfinite(view->t)) return fr_fail(r->ctx, FR_NUMERICAL, "a frame's time is not finite");
    FR_TRY(make_room(r, view));
    PackRun run = {r, view, nodes};
    fr_parallel_for(r->ctx, r->body.count, 1, pack_bodies, &run);
    return check_jobs(r, view);
}

// plastic strains, each set of them once: they stay what they are while nothing flows
static FrResult put_strain(FrRecorder *r, const float *strain, int32_t tets, FrCell *cell) {
    size_t count = 6 * (size_t)tets;
    r->raw.size = 0;
    for (size_t k = 0; k < 4 * count; k++) fr_write_u8(&r->raw, 0);
    FR_TRY(fr_writer_result(&r->raw));
    fr_planes_split(strain, count, r->raw.data);
    uint64_t hash = fr_hash_of(r->raw.data, r->raw.size, 4);
    FR_TRY(fr_deflate(r->ctx, r->raw.data, r->raw.size, FR_DEFLATE_LEVEL, &r->z));
    *cell = fr_cell_int((int64_t)hash);
    return FR_STORE_PUT(r->store, "INSERT OR IGNORE INTO strain VALUES(?,?,?)", *cell,
                        fr_cell_int(tets), fr_cell_blob(r->z.data, r->z.size));
}

// loads as bytes: 1 is FR_LOAD_ONE, -1 FR_LOAD_RIGID
static FrResult pack_loads(FrRecorder *r, const float *load, int32_t nodes) {
    r->raw.size = 0;
    for (int32_t n = 0; n < nodes; n++) {
        double byte = (double)load[n] * FR_LOAD_ONE + 0.5;
        byte = load[n] < 0 ? FR_LOAD_RIGID : fr_min(byte, FR_LOAD_RIGID - 1);
        fr_write_u8(&r->raw, (uint8_t)byte);
    }
    FR_TRY(fr_writer_result(&r->raw));
    return fr_deflate(r->ctx, r->raw.data, r->raw.size, FR_DEFLATE_LEVEL, &r->z);
}

// temperatures of a row that is there, split in byte planes
static FrResult put_warmth(FrRecorder *r, const float *warmth, int32_t nodes, FrCell tick,
                           FrCell body) {
    r->raw.size = 0;
    for (int32_t k = 0; k < 4 * nodes; k++) fr_write_u8(&r->raw, 0);
    FR_TRY(fr_writer_result(&r->raw));
    fr_planes_split(warmth, (size_t)nodes, r->raw.data);
    FR_TRY(fr_deflate(r->ctx, r->raw.data, r->raw.size, FR_DEFLATE_LEVEL, &r->z));
    return FR_STORE_PUT(r->store, "UPDATE field SET warmth=? WHERE tick=? AND body=?",
                        fr_cell_blob(r->z.data, r->z.size), tick, body);
}

static FrResult put_fields(FrRecorder *r, const FrFrameView *view) {
    for (int32_t k = 0; k < r->body.count; k++) {
        const FrBodyFrame *frame = &view->frame[k];
        const FrTetMesh *mesh = view->body[k].mesh;
        FrCell strain = fr_cell_null();
        if (!frame->alive || !mesh || (!frame->load && !frame->plastic && !frame->warmth)) continue;
        if (frame->plastic) FR_TRY(put_strain(r, frame->plastic, mesh->tet_count, &strain));
        if (frame->load) FR_TRY(pack_loads(r, frame->load, mesh->node_count));
        FrCell load = frame->load ? fr_cell_blob(r->z.data, r->z.size) : fr_cell_null();
        FR_TRY(FR_STORE_PUT(r->store, "INSERT OR REPLACE INTO field VALUES(?,?,?,?,?)",
                            fr_cell_int(view->tick), fr_cell_int(k), load, strain, fr_cell_null()));
        if (frame->warmth)
            FR_TRY(put_warmth(r, frame->warmth, mesh->node_count, fr_cell_int(view->tick),
                              fr_cell_int(k)));
    }
    return FR_OK;
}

FrResult fr_recorder_frame(FrRecorder *r, const FrFrameView *view) {
    FR_TRY(pack(r, view, NULL));
    FR_TRY(fr_recorder_broke(r, put_frame(r, view)));
    FR_TRY(fr_recorder_broke(r, put_fields(r, view)));
    return fr_recorder_commit_sometimes(r);
}

static FrResult put_burst(FrRecorder *r, const FrBurstFrame *f) {
    PackRun run = {r, f->view, f->nodes};
    FR_TRY(FR_STORE_PUT(r->store, "INSERT OR REPLACE INTO burst VALUES(?,?,?)",
                        fr_cell_int(f->sample), fr_cell_int(f->view->tick),
                        fr_cell_real(f->view->t)));
    for (int32_t k = 0; k < r->body.count; k++) {
        const FrStateJob *job = &r->job.data[k];
        const FrBodyFrame *frame = &f->view->frame[k];
        if (!has_state(&r->body.data[k], frame)) continue;
        if (frame->load) FR_TRY(pack_loads(r, frame->load, nodes_of(&run, k)));
        FrCell load = frame->load ? fr_cell_blob(r->z.data, r->z.size) : fr_cell_null();
        FR_TRY(FR_STORE_PUT(r->store, "INSERT OR REPLACE INTO burst_state VALUES(?,?,?,?,?,?,?)",
                            fr_cell_int(f->sample), fr_cell_int(k),
                            fr_cell_int(encoding_of(&run, k)), fr_cell_int(nodes_of(&run, k)),
                            fr_cell_int(f->cuts[k]), fr_cell_blob(job->z.data, job->z.size), load));
    }
    return FR_OK;
}

FrResult fr_recorder_burst(FrRecorder *r, const FrBurstFrame *frame) {
    FR_TRY(pack(r, frame->view, frame->nodes));
    FR_TRY(fr_recorder_broke(r, put_burst(r, frame)));
    return fr_recorder_commit_sometimes(r);
}

// x y z, rotation w x y z
static bool pose_floats(const FrBodyFrame *frame, float out[FR_POSE_FLOATS]) {
    const FrVec3 *x = &frame->position;
    const FrQuat *q = &frame->rotation;
    const double wide[FR_POSE_FLOATS] = {x->x, x->y, x->z, q->w, q->x, q->y, q->z};
    for (int k = 0; k < FR_POSE_FLOATS; k++) {
        out[k] = (float)wide[k];
        if (!isfinite(out[k])) return false;
    }
    return true;
}

FrResult fr_recorder_new_chunk(FrRecorder *r, FrRecordedBody *body) {
    if (!body->pose) body->pose = fr_alloc_zero(r->ctx, FR_POSE_CHUNK, sizeof *body->pose);
    if (!body->pose) return fr_no_memory(r->ctx, "a pose track");
    body->first = body->samples = 0;
    return FR_OK;
}

// the chunk so far as one row: all x, all y, ... split in byte planes
FrResult fr_recorder_pack_poses(FrRecorder *r, FrRecordedBody *body, int32_t id) {
    size_t count = (size_t)body->samples, total = count * FR_POSE_FLOATS;
    float column[FR_POSE_CHUNK * FR_POSE_FLOATS];
    uint8_t planes[sizeof column];
    for (size_t c = 0; c < FR_POSE_FLOATS; c++)
        for (size_t k = 0; k < count; k++) column[c * count + k] = body->pose[k][c];
    fr_planes_split(column, total, planes);
    FR_TRY(fr_deflate(r->ctx, planes, 4 * total, FR_DEFLATE_LEVEL, &r->z));
    return FR_STORE_PUT(r->store, "INSERT OR REPLACE INTO pose VALUES(?,?,?,?,?,?)",
                        fr_cell_int(id), fr_cell_int(body->chunk), fr_cell_real(r->pose_hz),
                        fr_cell_int(body->first), fr_cell_int(body->samples),
                        fr_cell_blob(r->z.data, r->z.size));
}

static FrResult add_pose(FrRecorder *r, int32_t id, int64_t sample, const FrBodyFrame *frame) {
    FrRecordedBody *body = &r->body.data[id];
    int64_t chunk = sample / FR_POSE_CHUNK;
    int32_t place = (int32_t)(sample % FR_POSE_CHUNK);
    if (body->chunk >= 0 && body->chunk != chunk)
        FR_TRY(fr_recorder_broke(r, fr_recorder_pack_poses(r, body, id)));
    if (body->chunk != chunk) {
        FR_TRY(fr_recorder_broke(r, fr_recorder_new_chunk(r, body)));
        body->first = place;
        body->chunk = chunk;
    }
    FR_ASSERT_IN(r->ctx, place == body->first + body->samples, "a body lives and dies once");
    if (!pose_floats(frame, body->pose[body->samples]))
        return fr_fail(r->ctx, FR_NUMERICAL, "body %d: its pose is not finite", id);
    body->samples++;
    return FR_OK;
}

FrResult fr_recorder_poses(FrRecorder *r, int64_t sample, const FrFrameView *view) {
    FR_TRY(fr_recorder_ready(r));
    FR_ASSERT_IN(r->ctx, sample == r->next_sample, "record pose samples one by one");
    FR_ASSERT_IN(r->ctx, view->body_count == r->body.count,
                 "add every body of the view before its poses");
    for (int32_t k = 0; k < r->body.count; k++)
        if (r->body.data[k].posed && view->frame[k].alive)
            FR_TRY(add_pose(r, k, sample, &view->frame[k]));
    r->next_sample++;
    return FR_OK;
}

FrResult fr_recorder_flush_poses(FrRecorder *r) {
    for (int32_t k = 0; k < r->body.count; k++)
        if (r->body.data[k].chunk >= 0 && r->body.data[k].samples > 0)
            FR_TRY(fr_recorder_pack_poses(r, &r->body.data[k], k));
    return FR_OK;
}
