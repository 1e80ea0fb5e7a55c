// record_world.h: a small make-believe world whose motion has a hidden state, for recording tests.
#pragma once
#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/random.h"
#include "cut/split.h"
#include "event/log.h"
#include "math/vec.h"
#include "record/recorder.h"
#include "record/recording.h"

enum { WORLD_BODIES = 5, WORLD_TICKS = 600, TICKS_PER_FRAME = 10, TICKS_PER_POSE = 2 };

typedef struct World {
    FrContext *ctx;
    FrTetMesh mesh;  ///< a cube of Kuhn tets
    FrEmbedded skin; ///< one triangle inside it
    FrCutMesh *cut;  ///< cube B: cracks at some ticks
    FrCutLog log;
    FrRandom random; ///< hidden state: part of the checkpoint
    double height;   ///< hidden state
    int64_t tick;
    double *p[2], *v[2];
    float *load, *plastic; ///< of cube B
    int32_t *root;         ///< tet of the first mesh that each of cube B's came from
    FrBodyView view[WORLD_BODIES];
    FrBodyFrame frame[WORLD_BODIES];
    int32_t body_count;
    uint64_t next_seq;
} World;

// six tets around the main diagonal of each of n^3 cubes
static inline void make_cube(FrContext *ctx, int32_t n, double size, FrTetMesh *mesh) {
    static const int path[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int32_t m = n + 1;
    *mesh = (FrTetMesh){m * m * m, m * m * m, 6 * n * n * n, 1, NULL, NULL, NULL, NULL};
    mesh->x = FR_NEW(ctx, double, 3 * mesh->node_count);
    mesh->tet = fr_alloc_zero(ctx, (size_t)mesh->tet_count, sizeof *mesh->tet);
    if (!mesh->x || !mesh->tet) abort();
    for (int32_t k = 0; k < mesh->node_count; k++)
        fr_set3(mesh->x, k, fr_scale(size / n, fr_vec3(k % m, k / m % m, k / m / m)));
    int32_t stride[3] = {1, m, m * m}, e = 0;
    for (int32_t c = 0; c < n * n * n; c++) {
        int32_t base = c % n + c / n % n * m + c / n / n * m * m;
        for (int k = 0; k < 6; k++, e++) {
            int32_t at = base;
            mesh->tet[e][0] = at;
            for (int s = 0; s < 3; s++) mesh->tet[e][s + 1] = at += stride[path[k][s]];
            bool odd = k == 1 || k == 2 || k == 5;
            if (odd) {
                int32_t old = mesh->tet[e][2];
                mesh->tet[e][2] = mesh->tet[e][3];
                mesh->tet[e][3] = old;
            }
        }
    }
}

static inline FrMaterial test_material(const char *name) {
    FrMaterial m = {.density = 2500,
                    .lambda = 2.3e10,
                    .mu = 2.9e10,
                    .alpha1 = 1e-7,
                    .friction_static = 0.1,
                    .colour = {0.2f, 0.4f, 0.8f},
                    .opacity = 1};
    snprintf(m.name, sizeof m.name, "%s", name);
    return m;
}

// of node n of the broken body at a time, s: one in seven is of a rigid piece
static inline float world_load_of(int32_t n, double t) {
    return n % 7 == 3 ? -1 : (float)fmod(0.01 * n + 3 * t, 1.9);
}

static inline void world_move(World *w) {
    double t = 1e-3 * (double)w->tick;
    for (int b = 0; b < 2; b++) {
        const FrTetMesh *mesh = w->view[b].mesh;
        for (int32_t n = 0; n < mesh->node_count; n++) {
            FrVec3 x = fr_get3(mesh->x, n);
            double wave = 0.01 * sin(20 * x.x + 9 * t + b);
            fr_set3(w->p[b], n, fr_vec3(x.x + b, x.y + wave, x.z + w->height));
            fr_set3(w->v[b], n, fr_vec3(0, 0.09 * cos(20 * x.x + 9 * t + b), -9.81 * t));
        }
        w->frame[b] =
            (FrBodyFrame){.p = w->p[b], .v = w->v[b], .rotation = fr_quat_identity, .alive = true};
    }
    const FrTetMesh *broken = w->view[1].mesh;
    for (int32_t n = 0; n < broken->node_count; n++) w->load[n] = world_load_of(n, t);
    for (int32_t e = 0; e < 6 * broken->tet_count; e++) // flows now and then
        w->plastic[e] = (float)(1e-3 * (double)(w->tick / 100) * (w->root[e / 6] + e % 6));
    w->frame[1].load = w->load;
    w->frame[1].plastic = w->tick >= 100 ? w->plastic : NULL;
    w->frame[2] = (FrBodyFrame){.position = {t, 0, w->height},
                                .rotation = fr_quat_from_rotation(fr_vec3(t, 0, 0)),
                                .velocity = {1, 0, 0},
                                .spin = {1, 0, 0},
                                .alive = true};
    w->frame[3] = (FrBodyFrame){.rotation = fr_quat_identity, .alive = true};
    w->frame[4] = w->frame[2];
    w->frame[4].position.y = 1;
    w->frame[4].alive = w->tick >= 205 && w->tick < 400;
}

// room for the nodes of cube B as it is now
static inline void world_fit(World *w) {
    int32_t nodes = fr_cutmesh_view(w->cut)->node_count;
    fr_free(w->ctx, w->p[1]), fr_free(w->ctx, w->v[1]);
    w->p[1] = FR_NEW(w->ctx, double, 3 * nodes);
    w->v[1] = FR_NEW(w->ctx, double, 3 * nodes);
    w->view[1].mesh = fr_cutmesh_view(w->cut);
    int32_t tets = w->view[1].mesh->tet_count;
    fr_free(w->ctx, w->load), fr_free(w->ctx, w->plastic);
    w->load = FR_NEW(w->ctx, float, nodes);
    w->plastic = FR_NEW(w->ctx, float, 6 * tets);
    w->root = fr_resize(w->ctx, w->root, sizeof *w->root * (size_t)tets);
}

// at every 60th tick from 25 on, cube B cracks at a node, and on from there
static inline FrResult world_crack(World *w, FrRecorder *r) {
    if (w->tick % 60 != 25) return FR_OK;
    FrSplitOptions options = fr_split_options_default();
    int32_t before = fr_cutmesh_view(w->cut)->tet_count, queue[64], count = 0;
    FrVec3 normal = fr_normalize(fr_vec3(1, 0.01 * (double)(w->tick % 100), 0.2));
    queue[count++] = (int32_t)(w->tick * 7) % w->mesh.node_count;
    fr_cutmesh_clock(w->cut, 1e-3 * (double)w->tick);
    fr_cutlog_clear(&w->log, fr_cutmesh_view(w->cut)->node_count);
    for (int k = 0; k < 12 && count > 0; k++) {
        FrSplitResult result;
        FR_TRY(fr_cutmesh_split(w->cut, queue[--count], normal, &options, &w->log, &result));
        for (int32_t f = 0; f < result.front_count && count < 64; f++)
            queue[count++] = result.front[f];
    }
    world_fit(w);
    for (int32_t k = 0; k < w->log.tet_count; k++)
        w->root[w->log.tets[k].child] = w->root[w->log.tets[k].parent];
    return fr_recorder_topology(r, 1, w->tick, &w->log, before);
}

static inline void world_init(World *w, FrContext *ctx, int32_t n) {
    *w = (World){.ctx = ctx, .height = 1, .random = fr_random_for(1, "record-world", 0)};
    make_cube(ctx, n, 0.1, &w->mesh);
    for (int b = 0; b < 2; b++) {
        w->p[b] = FR_NEW(ctx, double, 3 * w->mesh.node_count);
        w->v[b] = FR_NEW(ctx, double, 3 * w->mesh.node_count);
    }
    if (fr_cutmesh_create(ctx, &w->mesh, &w->cut) != FR_OK) abort();
    fr_cutlog_init(&w->log, w->mesh.node_count);
    w->skin = (FrEmbedded){.point_count = 3, .tri_count = 1};
    w->skin.at = FR_NEW(ctx, FrPoint, 3);
    w->skin.tri = fr_alloc_zero(ctx, 1, sizeof *w->skin.tri);
    w->skin.uv = FR_NEW(ctx, double, 6);
    w->skin.normal = FR_NEW(ctx, double, 9);
    for (int k = 0; k < 3; k++) {
        w->skin.at[k].b[k] = 1;
        w->skin.tri[0][k] = k;
        w->skin.uv[2 * k] = 0.5 * k;
        w->skin.normal[3 * k + 2] = 1;
    }
    const char *names[WORLD_BODIES] = {"cube \"A\"", "cube B", "ball", "ground", "late ball"};
    for (int b = 0; b < WORLD_BODIES; b++) {
        w->view[b] = (FrBodyView){.name = names[b],
                                  .model = b < 2 ? "fem" : "frame",
                                  .rigid = b == 2 || b == 4,
                                  .deforms = b < 2,
                                  .kind = b < 2    ? FR_BODY_TETS
                                          : b == 3 ? FR_BODY_PLANE
                                                   : FR_BODY_SPHERE,
                                  .material = test_material(b == 0 ? "glass" : "rubber"),
                                  .radius = b == 2 || b == 4 ? 0.05 : 0,
                                  .normal = {0, 0, b == 3 ? 1 : 0}};
        if (b < 2) w->view[b].mesh = &w->mesh;
    }
    w->view[0].embedded = &w->skin;
    w->body_count = 4;
    w->load = FR_NEW(ctx, float, w->mesh.node_count);
    w->plastic = FR_NEW(ctx, float, 6 * w->mesh.tet_count);
    w->root = FR_NEW(ctx, int32_t, w->mesh.tet_count);
    for (int32_t e = 0; e < w->mesh.tet_count; e++) w->root[e] = e;
    world_move(w);
}

static inline void world_free(World *w) {
    fr_cutmesh_destroy(w->cut), fr_cutlog_free(w->ctx, &w->log);
    fr_free(w->ctx, w->mesh.x), fr_free(w->ctx, w->mesh.tet);
    fr_free(w->ctx, w->skin.at), fr_free(w->ctx, w->skin.tri);
    fr_free(w->ctx, w->skin.uv), fr_free(w->ctx, w->skin.normal);
    for (int b = 0; b < 2; b++) fr_free(w->ctx, w->p[b]), fr_free(w->ctx, w->v[b]);
    fr_free(w->ctx, w->load), fr_free(w->ctx, w->plastic), fr_free(w->ctx, w->root);
}

static inline FrRecorderDef world_def(void) {
    return (FrRecorderDef){.scene_json = "{\"bodies\":[]}",
                           .scene_hash = 0xabcdef0123456789u,
                           .seed = 7,
                           .fps = 100,
                           .duration = 0.6,
                           .tick_seconds = 1e-3,
                           .pose_hz = 500,
                           .burst_hz = 2000,
                           .version = "test"};
}

static inline FrFrameView world_view(const World *w) {
    return (FrFrameView){w->tick, 1e-3 * (double)w->tick, w->body_count, w->view, w->frame};
}

static inline FrResult world_add_body(World *w, FrRecorder *r, int32_t id) {
    FrRecordBody body = {id, id == 4 ? 2 : -1, 0, id == 4 ? 205 : 0, w->view[id]};
    if (id == 1) body.view.mesh = &w->mesh;
    return fr_recorder_add_body(r, &body);
}

static inline FrResult world_start(World *w, FrRecorder *r) {
    for (int32_t b = 0; b < w->body_count; b++) FR_TRY(world_add_body(w, r, b));
    FrFrameView view = world_view(w);
    FR_TRY(fr_recorder_poses(r, 0, &view));
    return fr_recorder_frame(r, &view);
}

// where cube B cracks: a moment before within the same tick, and the tick itself
static inline FrResult world_burst(const World *w, FrRecorder *r) {
    if (w->tick % 60 != 25) return FR_OK;
    int32_t nodes[WORLD_BODIES] = {w->mesh.node_count, w->log.first_node}, cuts[WORLD_BODIES] = {0};
    FrFrameView view = world_view(w);
    FrBurstFrame frame = {2 * w->tick - 1, &view, nodes, cuts};
    view.t -= 0.5e-3;
    FR_TRY(fr_recorder_burst(r, &frame));
    view.t += 0.5e-3;
    frame.sample++;
    nodes[1] += w->log.node_count;
    cuts[1] = w->log.tet_count > 0;
    return fr_recorder_burst(r, &frame);
}

// one tick: moves, records what is due
static inline FrResult world_step(World *w, FrRecorder *r) {
    w->tick++;
    w->height += 1e-4 * (fr_random_unit(&w->random) - 0.5);
    if (w->tick == 205) {
        w->body_count = 5;
        FR_TRY(world_add_body(w, r, 4));
    }
    if (w->tick == 400) FR_TRY(fr_recorder_end_body(r, 4, 400));
    FR_TRY(world_crack(w, r));
    world_move(w);
    FR_TRY(world_burst(w, r));
    FrFrameView view = world_view(w);
    if (fr_random_below(&w->random, 4) == 0) {
        FrEvent e = {.seq = w->next_seq++, .t = view.t, .kind = FR_EVENT_CRACK, .a = {1}};
        e.u.crack.x = fr_vec3(w->height, 0, 0);
        e.u.crack.area = 1e-4;
        FR_TRY(fr_recorder_event(r, &e));
    }
    if (w->tick % TICKS_PER_POSE == 0)
        FR_TRY(fr_recorder_poses(r, w->tick / TICKS_PER_POSE, &view));
    FrEnergyRow row = {w->tick, w->height, 2, 0, 0.5, 0, 0, -1, 0.25};
    if (w->tick % 5 == 0) FR_TRY(fr_recorder_energy(r, &row));
    return w->tick % TICKS_PER_FRAME ? FR_OK : fr_recorder_frame(r, &view);
}

static inline FrResult world_checkpoint(World *w, FrRecorder *r) {
    FrWriter out;
    fr_writer_init(&out, w->ctx);
    fr_write_u64(&out, (uint64_t)w->tick);
    fr_write_u64(&out, w->random.state);
    fr_write_u64(&out, w->random.stream);
    fr_write_f64(&out, w->height);
    fr_write_u64(&out, w->next_seq);
    fr_cutmesh_save(w->cut, &out);
    for (int32_t e = 0; e < fr_cutmesh_view(w->cut)->tet_count; e++) fr_write_i32(&out, w->root[e]);
    FrResult result = fr_writer_result(&out);
    if (result == FR_OK) result = fr_recorder_checkpoint(r, w->tick, out.data, out.size);
    fr_writer_free(&out);
    return result;
}

static inline void world_load(World *w, const FrResumePoint *point) {
    FrReader in;
    fr_reader_init(&in, point->bytes, point->size);
    w->tick = (int64_t)fr_read_u64(&in);
    w->random.state = fr_read_u64(&in);
    w->random.stream = fr_read_u64(&in);
    w->height = fr_read_f64(&in);
    w->next_seq = fr_read_u64(&in);
    if (fr_cutmesh_load(w->cut, &in) != FR_OK) abort();
    world_fit(w);
    for (int32_t e = 0; e < fr_cutmesh_view(w->cut)->tet_count; e++) w->root[e] = fr_read_i32(&in);
    w->body_count = w->tick >= 205 ? 5 : 4;
    world_move(w);
}

static inline FrResult world_run(World *w, FrRecorder *r, int64_t until, int checkpoint_every,
                                 int commit_every) {
    while (w->tick < until) {
        FR_TRY(world_step(w, r));
        if (commit_every && w->tick % commit_every == 0) FR_TRY(fr_recorder_commit(r));
        if (checkpoint_every && w->tick % checkpoint_every == 0) FR_TRY(world_checkpoint(w, r));
    }
    return FR_OK;
}

static inline uint64_t file_hash(FrContext *ctx, const char *path) {
    uint8_t *bytes;
    size_t size;
    CHECK_OK(ctx, fr_file_load(ctx, path, (size_t)1 << 30, &bytes, &size));
    uint64_t hash = fr_hash_of(bytes, size, 0);
    fr_free(ctx, bytes);
    return hash;
}
