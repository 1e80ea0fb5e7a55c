// pieces_kit.h: recordings of boxes that are born, pushed and die when a test says so.
#pragma once
#include "base/base.h"
#include "event/log.h"
#include "fracas/material.h"
#include "math/vec.h"
#include "mesh/structured.h"
#include "mesh/tetmesh.h"
#include "record/recorder.h"
#include "record/recording.h"
#include "test.h"

#define PIECE_TICK 1e-3 ///< s; a pose is taken at each

/// A box of one material that flies straight on, unturned.
typedef struct Piece {
    const char *name, *material;
    FrVec3 size;         ///< m
    double cell;         ///< of its tets, m
    FrVec3 corner;       ///< of the box in its own axes, m
    int32_t parent;      ///< -1: none
    int64_t born, died;  ///< ticks; 0: never
    FrVec3 at, velocity; ///< of its own axes at its birth, m and m/s
    FrTetMesh mesh;      ///< made
} Piece;

static inline void piece_view(FrContext *ctx, Piece *p, FrBodyView *view) {
    FrBox box = {p->corner, fr_add(p->corner, p->size)};
    *view = (FrBodyView){.name = p->name, .model = "frame", .rigid = true, .kind = FR_BODY_TETS};
    CHECK(fr_material_find(p->material, &view->material));
    CHECK_OK(ctx, fr_mesh_box_sized(ctx, box, p->cell, 1, &p->mesh));
    view->mesh = &p->mesh;
}

static inline FrBodyFrame piece_frame(const Piece *p, int64_t tick) {
    bool alive = tick >= p->born && !(p->died && tick >= p->died);
    double t = PIECE_TICK * (double)(tick - p->born);
    return (FrBodyFrame){.position = fr_axpy(t, p->velocity, p->at),
                         .velocity = p->velocity,
                         .rotation = fr_quat_identity,
                         .alive = alive};
}

/// Events have rising t.
typedef struct Pieces {
    Piece *piece;
    int32_t count;
    const FrEvent *event;
    int32_t event_count;
    int64_t ticks;
} Pieces;

static inline void pieces_tick(Pieces *all, FrRecorder *r, FrContext *ctx, FrFrameView *frame,
                               int32_t *event) {
    FrBodyFrame *state = FR_NEW(ctx, FrBodyFrame, all->count);
    frame->frame = state;
    frame->t = PIECE_TICK * (double)frame->tick;
    for (int32_t k = 0; k < all->count; k++) {
        const Piece *p = &all->piece[k];
        state[k] = piece_frame(p, frame->tick);
        if (p->died && p->died == frame->tick) CHECK_OK(ctx, fr_recorder_end_body(r, k, p->died));
    }
    for (; *event < all->event_count && all->event[*event].t <= frame->t; ++*event)
        CHECK_OK(ctx, fr_recorder_event(r, &all->event[*event]));
    CHECK_OK(ctx, fr_recorder_poses(r, frame->tick, frame));
    if (frame->tick == 0 || frame->tick == all->ticks) CHECK_OK(ctx, fr_recorder_frame(r, frame));
    fr_free(ctx, state);
}

static inline void record_pieces(FrContext *ctx, const char *path, Pieces *all) {
    FrRecorderDef def = {.scene_json = "{\"bodies\":[]}",
                         .fps = 1.0 / (PIECE_TICK * (double)all->ticks),
                         .duration = PIECE_TICK * (double)all->ticks,
                         .tick_seconds = PIECE_TICK,
                         .pose_hz = 1.0 / PIECE_TICK,
                         .seed = 5,
                         .version = "test"};
    FrRecorder *r = NULL;
    FrBodyView *view = FR_NEW(ctx, FrBodyView, all->count);
    int32_t event = 0;
    CHECK_OK(ctx, fr_recorder_create(ctx, path, &def, &r));
    for (int32_t k = 0; k < all->count; k++) {
        piece_view(ctx, &all->piece[k], &view[k]);
        FrRecordBody body = {k, all->piece[k].parent, 0, all->piece[k].born, view[k]};
        CHECK_OK(ctx, fr_recorder_add_body(r, &body));
    }
    for (int64_t tick = 0; tick <= all->ticks; tick++) {
        FrFrameView frame = {tick, 0, all->count, view, NULL};
        pieces_tick(all, r, ctx, &frame, &event);
    }
    CHECK_OK(ctx, fr_recorder_finish(r));
    fr_recorder_close(r);
    for (int32_t k = 0; k < all->count; k++) fr_tetmesh_free(ctx, &all->piece[k].mesh);
    fr_free(ctx, view);
}

static inline FrEvent piece_impact(uint64_t seq, double t, FrBodyId a, FrVec3 x, FrVec3 impulse) {
    FrEvent e = {.seq = seq, .t = t, .kind = FR_EVENT_IMPACT, .a = a};
    e.u.impact.pa.tet = e.u.impact.pb.tet = -1;
    e.u.impact.x = x;
    e.u.impact.impulse = impulse;
    e.u.impact.n = fr_normalize(impulse);
    e.u.impact.v_n = 1.0;
    e.u.impact.duration = 1e-4;
    return e;
}
