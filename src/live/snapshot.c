// snapshot.c: copies of moments, for those who look while the scene goes on.

#include "live/live.h"
#include "mesh/tetmesh.h"
#include "skin/copy.h"
#include "world/cuts.h"
#include "world/fields.h"
#include <stdatomic.h>
#include <string.h>

/// Boxes of trees that are shown: so far down, at most so many.
#define BOX_DEPTH 4
#define MOST_BOXES 512

/// One shape, as long as a scene or a snapshot has it.
struct FrShapeCopy {
    FrContext *ctx; ///< of the scene: its memory may be given back in any thread
    atomic_int users;
    FrTetMesh mesh;
    FrSurface surface;
    FrEmbedded embedded;
    int32_t *piece;
    char *name;
    bool has_mesh, has_embedded;
};

struct FrSnapshot {
    FrContext *ctx;
    FrMoment moment;
    FR_ARRAY(FrShapeCopy *) shape; ///< of each body of the view; NULL: a plane
    FR_ARRAY(FrBodyView) body;
    FR_ARRAY(FrBodyFrame) frame;
    FR_ARRAY(double) number; ///< places and velocities
    FR_ARRAY(float) field;   ///< loads and plastic strains
    FR_ARRAY(FrTouchPoint) touch;
    FR_ARRAY(FrTie) tie;
    FR_ARRAY(bool) asleep;
    FR_ARRAY(FrBox) box;
};

static void leave(FrShapeCopy *shape) {
    if (!shape || atomic_fetch_sub(&shape->users, 1) > 1) return;
    FrContext *ctx = shape->ctx;
    fr_tetmesh_free(ctx, &shape->mesh);
    fr_surface_free(ctx, &shape->surface);
    fr_embedded_free(ctx, &shape->embedded);
    fr_free(ctx, shape->piece);
    fr_free(ctx, shape->name);
    fr_free(ctx, shape);
}

void fr_live_drop_shapes(FrLive *live) {
    for (int32_t k = 0; k < live->shape.count; k++) leave(live->shape.data[k].own);
    fr_array_free(live->ctx, &live->shape);
}

static FrResult copy_parts(FrContext *ctx, const FrBodyView *view, FrShapeCopy *shape) {
    shape->name = fr_strdup(ctx, view->name ? view->name : "");
    if (!shape->name) return fr_no_memory(ctx, "a shape");
    if (!view->mesh) return FR_OK;
    shape->has_mesh = true;
    FR_TRY(fr_tetmesh_copy(ctx, view->mesh, &shape->mesh));
    if (view->surface) FR_TRY(fr_surface_copy(ctx, view->surface, &shape->surface));
    shape->has_embedded = view->embedded != NULL;
    if (view->embedded) FR_TRY(fr_embedded_copy(ctx, view->embedded, &shape->embedded));
    if (!view->piece) return FR_OK;
    shape->piece = FR_NEW(ctx, int32_t, view->mesh->tet_count);
    if (!shape->piece) return fr_no_memory(ctx, "pieces");
    memcpy(shape->piece, view->piece, sizeof(int32_t) * (size_t)view->mesh->tet_count);
    return FR_OK;
}

static FrResult copy_shape(FrContext *ctx, const FrBodyView *view, FrShapeCopy **to) {
    *to = FR_NEW(ctx, FrShapeCopy, 1);
    if (!*to) return fr_no_memory(ctx, "a shape");
    (*to)->ctx = ctx;
    atomic_init(&(*to)->users, 1);
    FrResult result = copy_parts(ctx, view, *to);
    if (result != FR_OK) leave(*to), *to = NULL;
    return result;
}

// The shapes of all bodies there are, by number: kept ones where nothing was cut since. Bodies of a
// view, and shapes that are known, lie in the order of their births.
static FrResult know_shapes(FrLive *live, const FrFrameView *view) {
    FR_ARRAY(FrKnownShape) now = {0};
    int32_t old = 0;
    FrResult result = FR_OK;
    for (int32_t k = 0; k < view->body_count && result == FR_OK; k++) {
        if (view->body[k].kind == FR_BODY_PLANE) continue;
        FrKnownShape known = {view->body[k].id.index1, fr_world_cut_number(live->built.world, k),
                              NULL};
        for (; old < live->shape.count && live->shape.data[old].number < known.number; old++)
            leave(live->shape.data[old].own);
        bool there = old < live->shape.count && live->shape.data[old].number == known.number;
        bool same = there && live->shape.data[old].cuts == known.cuts;
        if (same) known.own = live->shape.data[old].own;
        if (there && !same) leave(live->shape.data[old].own);
        old += there;
        if (!same) result = copy_shape(live->ctx, &view->body[k], &known.own);
        if (result == FR_OK && !fr_array_push(live->ctx, &now, known)) {
            leave(known.own);
            result = fr_no_memory(live->ctx, "shapes");
        }
    }
    for (; old < live->shape.count; old++) leave(live->shape.data[old].own);
    fr_array_free(live->ctx, &live->shape);
    live->shape.data = now.data;
    live->shape.count = now.count;
    live->shape.capacity = now.capacity;
    return result;
}

FrResult fr_snapshot_create(FrContext *ctx, FrSnapshot **snapshot) {
    FR_NEED_ALL(ctx, ctx && snapshot);
    *snapshot = FR_NEW(ctx, FrSnapshot, 1);
    if (!*snapshot) return fr_no_memory(ctx, "a snapshot");
    (*snapshot)->ctx = ctx;
    return FR_OK;
}

static void empty(FrSnapshot *s) {
    for (int32_t k = 0; k < s->shape.count; k++) leave(s->shape.data[k]);
    s->shape.count = s->body.count = s->frame.count = s->number.count = s->field.count = 0;
    s->asleep.count = s->touch.count = s->tie.count = s->box.count = 0;
    s->moment = (FrMoment){0};
}

void fr_snapshot_destroy(FrSnapshot *s) {
    if (!s) return;
    empty(s);
    fr_array_free(s->ctx, &s->shape);
    fr_array_free(s->ctx, &s->body);
    fr_array_free(s->ctx, &s->frame);
    fr_array_free(s->ctx, &s->number);
    fr_array_free(s->ctx, &s->field);
    fr_array_free(s->ctx, &s->touch);
    fr_array_free(s->ctx, &s->tie);
    fr_array_free(s->ctx, &s->asleep);
    fr_array_free(s->ctx, &s->box);
    fr_free(s->ctx, s);
}

const FrMoment *fr_snapshot_moment(const FrSnapshot *snapshot) {
    return snapshot ? &snapshot->moment : NULL;
}

static bool reserve(FrSnapshot *s, const FrFrameView *view) {
    int64_t numbers = 0, fields = 0;
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrTetMesh *mesh = view->body[k].mesh;
        if (!mesh) continue;
        numbers += 6 * (int64_t)mesh->node_count;
        fields += 2 * mesh->node_count + 6 * (int64_t)mesh->tet_count;
    }
    if (numbers > INT32_MAX || fields > INT32_MAX) return false;
    return fr_array_reserve(s->ctx, &s->number, (int32_t)numbers) &&
           fr_array_reserve(s->ctx, &s->field, (int32_t)fields) &&
           fr_array_reserve(s->ctx, &s->shape, view->body_count) &&
           fr_array_reserve(s->ctx, &s->body, view->body_count) &&
           fr_array_reserve(s->ctx, &s->frame, view->body_count) &&
           fr_array_reserve(s->ctx, &s->asleep, view->body_count);
}

static const double *copy_numbers(FrSnapshot *s, const double *from, int32_t nodes) {
    if (!from) return NULL;
    double *to = s->number.data + s->number.count;
    memcpy(to, from, 3 * sizeof(double) * (size_t)nodes);
    s->number.count += 3 * nodes;
    return to;
}

static const float *copy_field(FrSnapshot *s, const float *from, int32_t count) {
    if (!from) return NULL;
    float *to = s->field.data + s->field.count;
    memcpy(to, from, sizeof(float) * (size_t)count);
    s->field.count += count;
    return to;
}

static void put_body(FrLive *live, FrSnapshot *s, const FrBodyView *view, const FrBodyFrame *frame,
                     FrShapeCopy *shape) {
    FrBodyView body = *view;
    FrBodyFrame now = *frame;
    bool asleep = false;
    body.modes = NULL; // its nodes are enough to look at it
    now.z = now.z_speed = NULL;
    if (shape) {
        atomic_fetch_add(&shape->users, 1);
        body.name = shape->name;
        body.mesh = shape->has_mesh ? &shape->mesh : NULL;
        body.surface = shape->has_mesh ? &shape->surface : NULL;
        body.embedded = shape->has_embedded ? &shape->embedded : NULL;
        body.piece = shape->piece;
        fr_body_asleep(live->built.world, view->id, &asleep);
    } else {
        body.name = "ground"; // planes come from scenes, which have one
    }
    int32_t nodes = body.mesh ? body.mesh->node_count : 0;
    now.p = copy_numbers(s, frame->p, nodes);
    now.v = copy_numbers(s, frame->v, nodes);
    now.load = copy_field(s, frame->load, nodes);
    now.plastic = copy_field(s, frame->plastic, body.mesh ? 6 * body.mesh->tet_count : 0);
    now.warmth = copy_field(s, frame->warmth, nodes);
    s->shape.data[s->shape.count++] = shape;
    s->body.data[s->body.count++] = body;
    s->frame.data[s->frame.count++] = now;
    s->asleep.data[s->asleep.count++] = asleep;
    s->moment.nodes += nodes;
    s->moment.tets += body.mesh ? body.mesh->tet_count : 0;
}

// asked how many first, since they must have room
static FrResult put_overlays(FrLive *live, FrSnapshot *s) {
    FrWorld *world = live->built.world;
    int32_t touches, ties;
    fr_world_touch_points(world, NULL, 0, &touches);
    fr_world_ties(world, NULL, 0, &ties);
    if (!fr_array_extend(s->ctx, &s->touch, touches) || !fr_array_extend(s->ctx, &s->tie, ties))
        return fr_no_memory(live->ctx, "overlays");
    fr_world_touch_points(world, s->touch.data, touches, &s->moment.touch_count);
    fr_world_ties(world, s->tie.data, ties, &s->moment.tie_count);
    if (!fr_array_reserve(s->ctx, &s->box, MOST_BOXES)) return fr_no_memory(live->ctx, "overlays");
    s->box.count = fr_world_boxes(world, BOX_DEPTH, s->box.data, MOST_BOXES);
    return FR_OK;
}

// as hands set it last, or as the scene has it
static FrVec3 gravity_of(const FrLive *live) {
    for (int32_t k = live->done - 1; k >= 0; k--)
        if (live->input.data[k].kind == FR_INPUT_GRAVITY) return live->input.data[k].v;
    return live->scene->scene.gravity;
}

static void put_numbers(FrLive *live, const FrFrameView *view, FrSnapshot *s) {
    FrMoment *m = &s->moment;
    m->view = (FrFrameView){view->tick, view->t, s->body.count, s->body.data, s->frame.data};
    m->touch = s->touch.data;
    m->tie = s->tie.data;
    m->asleep = s->asleep.data;
    m->box = s->box.data;
    m->box_count = s->box.count;
    m->stats = fr_world_stats(live->built.world);
    fr_world_energy(live->built.world, &m->energy);
    m->gravity = gravity_of(live);
    m->step = live->timing.step;
    m->seconds = live->seconds;
    m->contacts = fr_world_stats(live->built.world).contacts;
    m->waiting = fr_live_waiting(live);
}

FrResult fr_live_snapshot(FrLive *live, FrSnapshot *s, bool fields) {
    FR_NEED_ALL(live ? live->ctx : NULL, live && s);
    const FrFrameView *view = fr_world_view(live->built.world);
    if (!view) return fr_no_memory(live->ctx, "a view");
    if (fields) FR_TRY(fr_world_fields(live->built.world));
    FR_TRY(know_shapes(live, view));
    empty(s);
    if (!reserve(s, view)) return fr_no_memory(live->ctx, "a snapshot");
    int32_t known = 0;
    for (int32_t k = 0; k < view->body_count; k++) {
        bool plane = view->body[k].kind == FR_BODY_PLANE;
        put_body(live, s, &view->body[k], &view->frame[k],
                 plane ? NULL : live->shape.data[known++].own);
    }
    FR_TRY(put_overlays(live, s));
    put_numbers(live, view, s);
    return FR_OK;
}
