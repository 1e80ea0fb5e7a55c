// record_topology.c: a body that breaks, read back at any frame in any order, and with its last
// mesh.

#include "test.h"
#include "context.h"
#include "record_world.h"
#include "mesh/topology.h"
#include <unistd.h>

enum { FRAMES = WORLD_TICKS / TICKS_PER_FRAME + 1 };

static void record(FrContext *ctx, const char *path, uint64_t *mesh_hash, FrTetMesh *last) {
    World w;
    FrRecorder *r;
    FrRecorderDef def = world_def();
    world_init(&w, ctx, 3);
    w.view[1].embedded = &w.skin;
    CHECK_OK(ctx, fr_recorder_create(ctx, path, &def, &r));
    CHECK_OK(ctx, world_start(&w, r));
    for (int32_t k = 0; k <= WORLD_TICKS / TICKS_PER_FRAME; k++) {
        CHECK_OK(ctx, world_run(&w, r, k * TICKS_PER_FRAME, 0, 0));
        mesh_hash[k] = fr_tetmesh_hash(w.view[1].mesh);
    }
    CHECK_OK(ctx, fr_tetmesh_copy(ctx, w.view[1].mesh, last));
    CHECK_OK(ctx, fr_recorder_finish(r));
    fr_recorder_close(r);
    world_free(&w);
}

/// A recording of a body that breaks, and what it must have.
typedef struct Tape {
    FrContext *ctx;
    const char *path;
    FrRecording *rec;
    uint64_t wanted[FRAMES]; ///< hash of the mesh in each frame
    FrTetMesh last;
} Tape;

static void tape_make(Tape *t, const char *path) {
    *t = (Tape){.ctx = make_unsynced_context(NULL), .path = path};
    record(t->ctx, path, t->wanted, &t->last);
    CHECK_OK(t->ctx, fr_recording_open(t->ctx, path, &t->rec));
}

static void tape_end(Tape *t) {
    fr_recording_close(t->rec);
    fr_tetmesh_free(t->ctx, &t->last);
    fr_context_destroy(t->ctx);
    unlink(t->path);
}

// the triangles of a view are the outside of its mesh; those that a crack opened are marked with
// times up to the frame's
static void check_surface(FrContext *ctx, const FrFrameView *view, double latest) {
    const FrSurface *surface = view->body[1].surface;
    FrSurface real;
    CHECK_OK(ctx, fr_tetmesh_surface(ctx, view->body[1].mesh, &real));
    CHECK_INT(surface->tri_count, real.tri_count);
    int32_t wrong = 0;
    for (int32_t k = 0; k < surface->tri_count; k++) {
        wrong += memcmp(surface->tri[k], real.tri[k], sizeof real.tri[k]) != 0;
        if (surface->opened) wrong += surface->opened[k] > latest;
    }
    CHECK_INT(wrong, 0);
    fr_surface_free(ctx, &real);
}

TEST(any_frame_in_any_order) {
    Tape tape;
    tape_make(&tape, "topo-any.fracas");
    FrContext *ctx = tape.ctx;
    FrRecording *rec = tape.rec;
    CHECK(tape.wanted[0] != tape.wanted[FRAMES - 1]);
    FrRandom random = fr_random_for(3, "order", 0);
    for (int k = 0; k < 200; k++) {
        int32_t frame = k < FRAMES       ? k
                        : k < 2 * FRAMES ? 2 * FRAMES - 1 - k
                                         : fr_random_below(&random, FRAMES);
        const FrFrameView *view;
        CHECK_OK(ctx, fr_recording_frame(rec, frame, &view));
        CHECK(fr_tetmesh_hash(view->body[1].mesh) == tape.wanted[frame]);
        check_surface(ctx, view, view->t);
        if (k == 70) CHECK_OK(ctx, fr_recording_refresh(rec));
    }
    tape_end(&tape);
}

// Skins are cut when somebody looks at them, and are the same whether frames before were bare or
// not.
TEST(bare_frames_have_no_cut_skins) {
    Tape tape;
    tape_make(&tape, "topo-bare.fracas");
    FrContext *ctx = tape.ctx;
    FrRecording *rec = tape.rec;
    FrRecording *other;
    int32_t cut = 0;
    CHECK_OK(ctx, fr_recording_open(ctx, "topo-bare.fracas", &other));
    for (int32_t k = 0; k < FRAMES; k++) {
        const FrFrameView *view, *dressed;
        CHECK_OK(ctx, fr_recording_bare_frame(rec, k, &view));
        CHECK(fr_tetmesh_hash(view->body[1].mesh) == tape.wanted[k]);
        check_surface(ctx, view, view->t);
        if (view->body[1].piece && !view->body[1].embedded) cut++;
        if (k % 3) continue;
        CHECK_OK(ctx, fr_recording_frame(rec, k, &view));
        CHECK_OK(ctx, fr_recording_frame(other, k, &dressed));
        const FrEmbedded *a = view->body[1].embedded, *b = dressed->body[1].embedded;
        CHECK(a && b);
        CHECK_INT(a->point_count, b->point_count);
        CHECK_INT(a->tri_count, b->tri_count);
        CHECK(!memcmp(a->tri, b->tri, sizeof *a->tri * (size_t)a->tri_count));
    }
    CHECK(cut > 0);
    fr_recording_close(other);
    tape_end(&tape);
}

// a moment before the tick of a crack has the mesh before it, from any other frame on
TEST(bursts_see_cuts_come) {
    Tape tape;
    tape_make(&tape, "topo-burst.fracas");
    FrContext *ctx = tape.ctx;
    FrRecording *rec = tape.rec;
    uint64_t mesh[2 * WORLD_TICKS / 60];
    int32_t count = fr_recording_info(rec)->burst_count;
    CHECK_INT(count, 2 * WORLD_TICKS / 60);
    FrRandom random = fr_random_for(5, "order", 0);
    for (int k = 0; k < 200; k++) {
        int32_t at = k < count ? k : fr_random_below(&random, count);
        const FrFrameView *view;
        if (k % 3 == 2) CHECK_OK(ctx, fr_recording_frame(rec, k % FRAMES, &view));
        CHECK_OK(ctx, fr_recording_burst(rec, at, &view));
        uint64_t hash = fr_tetmesh_hash(view->body[1].mesh);
        if (k < count) mesh[k] = hash;
        CHECK(hash == mesh[at]);
        check_surface(ctx, view, view->t);
        // crack c is at tick 60 c + 25: the frames before and after it are 6 c + 2 and 6 c + 3
        CHECK(hash == tape.wanted[at / 2 * 6 + (at % 2 ? 3 : 2)]);
    }
    tape_end(&tape);
}

// loads to a 254th, strains to the bit, on the mesh of each frame; on the last one tets and nodes
// have those of what they came from
TEST(fields_follow_cuts) {
    FrContext *ctx = make_unsynced_context(NULL);
    World w;
    FrRecorder *r;
    FrRecorderDef def = world_def();
    FrRecording *rec;
    world_init(&w, ctx, 3);
    CHECK_OK(ctx, fr_recorder_create(ctx, "topo-field.fracas", &def, &r));
    CHECK_OK(ctx, world_start(&w, r));
    CHECK_OK(ctx, world_run(&w, r, WORLD_TICKS, 0, 0));
    CHECK_OK(ctx, fr_recorder_finish(r));
    fr_recorder_close(r);
    CHECK_OK(ctx, fr_recording_open(ctx, "topo-field.fracas", &rec));
    for (int final = 0; final < 2; final++) {
        fr_recording_set_topology(rec, final ? FR_TOPOLOGY_FINAL : FR_TOPOLOGY_CHANGING);
        for (int32_t k = 0; k <= WORLD_TICKS / TICKS_PER_FRAME; k++) {
            const FrFrameView *view;
            CHECK_OK(ctx, fr_recording_frame(rec, k, &view));
            const FrTetMesh *mesh = view->body[1].mesh;
            int64_t flows = view->tick / 100;
            CHECK(!view->frame[0].load && !view->frame[0].plastic);
            CHECK(view->frame[1].load && !view->frame[1].plastic == (flows == 0));
            int32_t known = final ? w.mesh.node_count : mesh->node_count;
            double worst = 0, wrong = 0;
            for (int32_t n = 0; n < known; n++)
                worst = fr_max(worst, fabs((double)view->frame[1].load[n] -
                                           (double)world_load_of(n, view->t)));
            CHECK(worst <= 0.5 / 127 + 1e-6); // rounding: to 8 bits, half a step of 1/127
            for (int32_t e = 0; flows && e < 6 * mesh->tet_count; e++)
                wrong += view->frame[1].plastic[e] !=
                         (float)(1e-3 * (double)flows * (w.root[e / 6] + e % 6));
            CHECK(wrong == 0);
        }
    }
    fr_recording_close(rec);
    world_free(&w);
    fr_context_destroy(ctx);
    unlink("topo-field.fracas");
}

static bool same_place(const double *a, const double *b, int32_t n) {
    return !memcmp(a + 3 * n, b + 3 * n, 3 * sizeof(double));
}

// the last mesh over all frames: nodes that a frame has are where they were, those that come or
// move later where the material was that they came from
TEST(last_mesh_played_back) {
    Tape tape;
    tape_make(&tape, "topo-tape.last.fracas");
    FrContext *ctx = tape.ctx;
    FrRecording *rec = tape.rec;
    FrRecording *changing;
    int32_t moved = 0;
    CHECK_OK(ctx, fr_recording_open(ctx, "topo-tape.last.fracas", &changing));
    fr_recording_set_topology(rec, FR_TOPOLOGY_FINAL);
    for (int32_t k = 0; k < FRAMES; k++) {
        const FrFrameView *all, *then;
        CHECK_OK(ctx, fr_recording_frame(rec, k, &all));
        CHECK_OK(ctx, fr_recording_frame(changing, k, &then));
        CHECK(fr_tetmesh_hash(all->body[1].mesh) == fr_tetmesh_hash(&tape.last));
        int32_t nodes = then->body[1].mesh->node_count;
        // the motion is x + wave(x) with a wave of 1 cm over 31 cm: linear on an edge of 3 cm to
        // 1/8 0.01 (20 0.034)^2 = 0.6 mm; a node in the wrong place would be off by its edge
        double worst = 0, t = then->t;
        for (int32_t n = 0; n < tape.last.node_count; n++) {
            if (n < nodes && same_place(then->body[1].mesh->x, tape.last.x, n)) {
                CHECK(same_place(all->frame[1].p, then->frame[1].p, n));
                CHECK(same_place(all->frame[1].v, then->frame[1].v, n));
                continue;
            }
            moved += n < nodes;
            FrVec3 x = fr_get3(tape.last.x, n), p = fr_get3(all->frame[1].p, n);
            double y = x.y + 0.01 * sin(20 * x.x + 9 * t + 1);
            worst = fr_max(worst, fabs(p.y - y) + fabs(p.x - x.x - 1));
        }
        CHECK(worst < 0.7e-3); // mesh: the wave is straight within a tet
        check_surface(ctx, all, 1e-3 * WORLD_TICKS);
    }
    const FrPiece *piece;
    int32_t count, parts, *part;
    CHECK(moved > 0);
    CHECK_OK(ctx, fr_recording_pieces(rec, 1, &piece, &count));
    CHECK_OK(ctx, fr_tet_components(ctx, &tape.last, &part, &parts));
    CHECK_INT(count, parts);
    double volume = 0;
    for (int32_t k = 0; k < count; k++) volume += piece[k].volume;
    CHECK_CLOSE(volume, 1e-3, 1e-12); // rounding: a cube of 10 cm
    CHECK_OK(ctx, fr_recording_pieces(rec, 0, &piece, &count));
    CHECK_INT(count, 1);
    fr_free(ctx, part);
    fr_recording_close(changing);
    tape_end(&tape);
}

static FrResult read_refused(FrContext *ctx) {
    FrRecording *rec;
    const FrFrameView *view;
    FR_TRY(fr_recording_open(ctx, "topo-refused.fracas", &rec));
    int32_t last = fr_recording_info(rec)->frame_count - 1;
    FrResult result = fr_recording_frame(rec, last, &view);
    if (result == FR_OK) result = fr_recording_frame(rec, last / 2, &view);
    fr_recording_close(rec);
    return result;
}

TEST(refused_memory_is_reported) {
    FrContext *plain = make_unsynced_context(NULL);
    uint64_t wanted[WORLD_TICKS / TICKS_PER_FRAME + 1];
    FrTetMesh last;
    record(plain, "topo-refused.fracas", wanted, &last);
    for (int k = 1;; k++) {
        Refuser r = {0};
        FrContext *ctx = make_unsynced_context(&r);
        r.refuse_at = r.calls + k;
        FrResult result = read_refused(ctx);
        bool refused = r.calls >= r.refuse_at;
        fr_context_destroy(ctx);
        CHECK_INT(r.live, 0);
        CHECK_INT(result, refused ? FR_NO_MEMORY : FR_OK);
        if (!refused || k > 3000) break;
    }
    fr_tetmesh_free(plain, &last);
    fr_context_destroy(plain);
    unlink("topo-refused.fracas");
}
