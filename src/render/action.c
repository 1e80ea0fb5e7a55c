// action.c: where the action of a film is: the outermost points of what takes part, frame by frame.

#include "render/action.h"
#include "math/decompose.h"
#include "render/camera.h"
#include <string.h>

#define DIRECTIONS 13

static const double direction[DIRECTIONS][3] = {
    {1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0}, {1, 0, 1}, {1, 0, -1},
    {0, 1, 1}, {0, 1, -1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};

static FrResult add_point(FrAction *a, int32_t body, FrVec3 x) {
    if (!fr_vec3_finite(x)) return FR_OK;
    bool added = fr_array_push(a->ctx, &a->point, x) && fr_array_push(a->ctx, &a->body, body);
    return added ? FR_OK : fr_no_memory(a->ctx, "the camera");
}

// Nodes of one body; place: rotation * p + shift.
typedef struct Nodes {
    const double *p;
    const bool *out; ///< those that do not count; NULL: all do
    int32_t count;
    FrVec3 shift;
    FrMat3 rotation;
} Nodes;

// the nodes farthest out in 26 directions
static FrResult add_nodes(FrAction *a, int32_t body, const Nodes *nodes) {
    for (int k = 0; k < 2 * DIRECTIONS; k++) {
        double sign = k % 2 ? -1 : 1, most = -HUGE_VAL;
        const double *d = direction[k / 2];
        FrVec3 n = fr_mat3_apply_t(nodes->rotation, fr_vec3(sign * d[0], sign * d[1], sign * d[2]));
        FrVec3 best = fr_vec3_zero;
        for (int32_t i = 0; i < nodes->count; i++) {
            FrVec3 x = fr_get3(nodes->p, i);
            if ((nodes->out && nodes->out[i]) || !(fr_dot(n, x) > most)) continue;
            most = fr_dot(n, x), best = x;
        }
        if (most == -HUGE_VAL) return FR_OK;
        FR_TRY(add_point(a, body, fr_add(nodes->shift, fr_mat3_apply(nodes->rotation, best))));
    }
    return FR_OK;
}

// a body that bends and may have broken: its bulk
static FrResult add_bulk(FrAction *a, int32_t id, const FrBodyView *body, const Nodes *all) {
    Nodes bulk = *all;
    bool *out = FR_NEW(a->ctx, bool, all->count);
    if (!out) return fr_no_memory(a->ctx, "the camera");
    bulk.out = out;
    FrResult result = fr_bulk_leave_out(a->ctx, body, all->p, out);
    if (result == FR_OK) result = add_nodes(a, id, &bulk);
    fr_free(a->ctx, out);
    return result;
}

static FrResult add_ball(FrAction *a, int32_t body, FrVec3 centre, double radius) {
    for (int k = 0; k < 2 * DIRECTIONS; k++) {
        const double *d = direction[k / 2];
        FrVec3 n = fr_normalize(fr_vec3(d[0], d[1], d[2]));
        FrVec3 x = fr_axpy(k % 2 ? -radius : radius, n, centre);
        FR_TRY(add_point(a, body, x));
    }
    return FR_OK;
}

// --- what is flat

/// Both ways longer than this many times its thickness.
#define FLAT 4.0

static double width_along(const Nodes *nodes, FrVec3 n) {
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int32_t i = 0; i < nodes->count; i++) {
        double at = fr_dot(n, fr_get3(nodes->p, i));
        lo = fr_min(lo, at), hi = fr_max(hi, at);
    }
    return hi - lo;
}

// normal of the broad side, by the moments of the nodes; false: there is none
static bool find_normal(const Nodes *nodes, FrVec3 *normal) {
    FrVec3 middle = fr_vec3_zero;
    FrSym3 moment = fr_sym3_zero;
    for (int32_t i = 0; i < nodes->count; i++)
        middle = fr_axpy(1.0 / nodes->count, fr_get3(nodes->p, i), middle);
    for (int32_t i = 0; i < nodes->count; i++) {
        FrVec3 d = fr_sub(fr_get3(nodes->p, i), middle);
        moment = fr_sym3_axpy(1.0, fr_mat3_sym(fr_outer(d, d)), moment);
    }
    if (!isfinite(fr_sym3_trace(moment))) return false;
    FrEigen3 axes = fr_sym3_eigen(moment);
    double thickness = width_along(nodes, axes.vector[2]);
    *normal = fr_mat3_apply(nodes->rotation, axes.vector[2]);
    return width_along(nodes, axes.vector[1]) > FLAT * thickness &&
           width_along(nodes, axes.vector[0]) > FLAT * thickness;
}

static FrResult add_flat(FrAction *a, int32_t body, const Nodes *nodes) {
    FrVec3 n;
    if (!find_normal(nodes, &n)) return FR_OK;
    int32_t k = 0;
    while (k < a->flat.count && a->flat.data[k].body != body) k++;
    if (k == a->flat.count && !fr_array_push(a->ctx, &a->flat, ((FrFlat){.body = body})))
        return fr_no_memory(a->ctx, "the camera");
    FrFlat *flat = &a->flat.data[k];
    flat->normal = fr_sym3_axpy(1.0, fr_mat3_sym(fr_outer(n, n)), flat->normal);
    flat->count++;
    return FR_OK;
}

double fr_action_broad(const FrAction *a, FrVec3 forward) {
    double least = 1.0;
    for (int32_t k = 0; k < a->flat.count; k++) {
        const FrFlat *flat = &a->flat.data[k];
        FrVec3 n = fr_mat3_apply(fr_sym3_full(flat->normal), forward);
        least = fr_min(least, fr_dot(forward, n) / flat->count);
    }
    return sqrt(fr_max(0.0, least));
}

// --- frames

static bool is_soft(const FrBodyView *body) { return !body->rigid; }

// early: the poster is still to come
static FrResult add_tets(FrAction *a, int32_t k, const FrBodyView *body, const FrBodyFrame *frame,
                         bool early) {
    Nodes nodes = {.p = body->mesh->x,
                   .count = body->mesh->node_count,
                   .shift = frame->position,
                   .rotation = fr_quat_mat3(frame->rotation)};
    if (frame->p) {
        nodes.p = frame->p;
        nodes.shift = fr_vec3_zero;
        nodes.rotation = fr_mat3_identity;
    }
    if (is_soft(body) && !fr_array_push(a->ctx, &a->soft, k))
        return fr_no_memory(a->ctx, "the camera");
    if (early) FR_TRY(add_flat(a, k, &nodes));
    return frame->p ? add_bulk(a, k, body, &nodes) : add_nodes(a, k, &nodes);
}

static FrResult add_frame(FrAction *a, const FrFrameView *view, bool early) {
    a->floor_count = 0;
    a->t[a->frame_count] = view->t;
    FR_TRY(fr_subject_look(a->ctx, &a->subject, view));
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrBodyView *body = &view->body[k];
        const FrBodyFrame *frame = &view->frame[k];
        if (!frame->alive) continue;
        if (body->kind == FR_BODY_PLANE) {
            FrVec3 n = fr_normalize(body->normal);
            if (n.z < 0.5 || a->floor_count == 4) continue;
            a->floor[a->floor_count] = n;
            a->offset[a->floor_count++] = body->offset / fr_length(body->normal);
        } else if (body->kind == FR_BODY_SPHERE) {
            FR_TRY(add_ball(a, k, frame->position, body->radius));
        } else if (body->mesh) {
            FR_TRY(add_tets(a, k, body, frame, early));
        }
    }
    a->start[++a->frame_count] = a->point.count;
    return FR_OK;
}

// --- what takes part and what only stands there

/// A body moves when it goes farther than this share of its size.
#define MOVES 0.02
/// What only stands there is looked at as far as this share of the size of what takes part, around
/// it; what is rigid and comes from afar or flies off as far as so many sizes of what is not.
#define NEAR 0.75
#define AWAY 1.0

/// What the bodies are, by their numbers.
typedef struct Cast {
    FrBox *first; ///< where each is at first
    bool *soft;   ///< not rigid, or what broke
    bool *acts;   ///< moves, or is not rigid: what is struck may bend less than its box tells
} Cast;

static bool box_valid(FrBox box) { return box.lo.x <= box.hi.x; }

// Does the body of the points [i, end) go away from where it was first? Points of a body lie
// together in each frame.
static int32_t compare_box(const FrAction *a, int32_t i, int32_t stop, Cast *cast) {
    int32_t body = a->body.data[i], end = i;
    FrBox box = fr_box_empty();
    for (; end < stop && a->body.data[end] == body; end++)
        box = fr_box_add(box, a->point.data[end]);
    FrBox *was = &cast->first[body];
    if (!box_valid(*was)) *was = box;
    double far = MOVES * fr_distance(was->lo, was->hi);
    if (fr_distance(box.lo, was->lo) > far || fr_distance(box.hi, was->hi) > far)
        cast->acts[body] = true;
    return end;
}

static void find_cast(const FrAction *a, Cast *cast) {
    for (int32_t k = 0; k < a->soft.count; k++)
        cast->soft[a->soft.data[k]] = cast->acts[a->soft.data[k]] = true;
    for (int32_t k = 0; k < a->subject.body.count; k++)
        if (fr_subject_broke(&a->subject, k)) cast->soft[k] = cast->acts[k] = true;
    for (int32_t k = 0; k < a->frame_count; k++)
        for (int32_t i = a->start[k]; i < a->start[k + 1];)
            i = compare_box(a, i, a->start[k + 1], cast);
}

// around the points [from, to) of some bodies, grown by a share of its size; empty: none is there
static FrBox box_of(const FrAction *a, int32_t from, int32_t to, const bool *which, double grow) {
    FrBox box = fr_box_empty();
    for (int32_t i = from; i < to; i++)
        if (which[a->body.data[i]]) box = fr_box_add(box, a->point.data[i]);
    return box_valid(box) ? fr_box_grow(box, grow * fr_distance(box.lo, box.hi)) : box;
}

// drops the points of bodies that stand still far from those that take part, and of what flies off
static void leave_out_set(FrAction *a, const Cast *cast) {
    int32_t from = 0, kept = 0;
    for (int32_t k = 0; k < a->frame_count; k++) {
        int32_t to = a->start[k + 1];
        FrBox action = box_of(a, from, to, cast->acts, NEAR);
        FrBox struck = box_of(a, from, to, cast->soft, AWAY);
        for (int32_t i = from; i < to; i++) {
            FrVec3 p = a->point.data[i];
            int32_t body = a->body.data[i];
            bool off = box_valid(struck) && !fr_box_contains(struck, p);
            bool set = !cast->acts[body] && box_valid(action) && !fr_box_contains(action, p);
            if (set || (off && !cast->soft[body])) continue;
            a->body.data[kept] = body;
            a->point.data[kept++] = p;
        }
        from = to;
        a->start[k + 1] = kept;
    }
    a->point.count = a->body.count = kept;
}

// only what takes part is looked at for its broad side
static void leave_out_flats(FrAction *a, const Cast *cast) {
    int32_t kept = 0;
    for (int32_t k = 0; k < a->flat.count; k++)
        if (cast->acts[a->flat.data[k].body]) a->flat.data[kept++] = a->flat.data[k];
    a->flat.count = kept;
}

// --- what broke to bodies of their own

/// Room for the bodies of one frame.
typedef struct Pieces {
    FrBulkPiece *piece; ///< (bodies)
    int32_t *body;      ///< of each piece
    bool *out;          ///< of each body: it is not looked at in this frame
    int32_t count;
} Pieces;

// the pieces of a body that broke, as they are in frame k
static void gather_pieces(const FrAction *a, int32_t k, int32_t root, Pieces *p) {
    p->count = 0;
    for (int32_t i = a->start[k], end; i < a->start[k + 1]; i = end) {
        int32_t body = a->body.data[i];
        FrBox box = fr_box_empty();
        for (end = i; end < a->start[k + 1] && a->body.data[end] == body; end++)
            box = fr_box_add(box, a->point.data[end]);
        const FrSubjectBody *of = &a->subject.body.data[body];
        if (of->root != root || p->out[body]) continue;
        p->body[p->count] = body;
        p->piece[p->count] = (FrBulkPiece){of->volume, fr_box_center(box), 0.0, p->count};
        p->count++;
    }
}

// those that fly far off leave
static void leave_out_far(const FrAction *a, int32_t k, int32_t root, Pieces *p) {
    gather_pieces(a, k, root, p);
    if (p->count < 2) return;
    FrVec3 middle = fr_bulk_middle(p->piece, p->count);
    for (int32_t i = a->start[k], j = 0; i < a->start[k + 1]; i++) {
        while (j < p->count && p->body[j] < a->body.data[i]) j++; // both rise
        if (j < p->count && p->body[j] == a->body.data[i])
            p->piece[j].far = fr_max(p->piece[j].far, fr_distance(middle, a->point.data[i]));
    }
    double limit = fr_bulk_limit(p->piece, p->count, a->subject.body.data[root].length);
    for (int32_t j = 0; j < p->count; j++) p->out[p->body[j]] = p->piece[j].far > limit;
}

// the points [from, to) of bodies that are looked at move to `kept` and on; gives their end
static int32_t drop_points(FrAction *a, int32_t from, int32_t to, const bool *out, int32_t kept) {
    for (int32_t i = from; i < to; i++) {
        if (out[a->body.data[i]]) continue;
        a->body.data[kept] = a->body.data[i];
        a->point.data[kept++] = a->point.data[i];
    }
    return kept;
}

static void leave_out_pieces(FrAction *a, Pieces *p) {
    int32_t from = 0, kept = 0;
    const FrSubject *s = &a->subject;
    for (int32_t k = 0; k < a->frame_count; k++) {
        int32_t to = a->start[k + 1];
        a->start[k] = from; // of what has not been moved yet
        for (int32_t b = 0; b < s->body.count; b++)
            p->out[b] = s->body.data[b].crumb || (s->name && !s->body.data[b].named);
        for (int32_t b = 0; b < s->body.count; b++)
            if (s->body.data[b].root == b && s->body.data[b].parent) leave_out_far(a, k, b, p);
        a->start[k] = kept;
        kept = drop_points(a, from, to, p->out, kept);
        from = to;
    }
    a->start[a->frame_count] = a->point.count = a->body.count = kept;
}

static FrResult find_subject(FrAction *a) {
    int32_t count = a->subject.body.count;
    FR_TRY(fr_subject_choose(a->ctx, &a->subject));
    Pieces p = {FR_NEW(a->ctx, FrBulkPiece, count), FR_NEW(a->ctx, int32_t, count),
                FR_NEW(a->ctx, bool, count), 0};
    bool enough = p.piece && p.body && p.out;
    if (enough) leave_out_pieces(a, &p);
    FR_FREE_ALL(a->ctx, p.piece, p.body, p.out);
    return enough ? FR_OK : fr_no_memory(a->ctx, "the camera");
}

static FrResult find_set(FrAction *a) {
    int32_t count = fr_max_i(a->subject.body.count, 1);
    Cast cast = {FR_NEW(a->ctx, FrBox, count), FR_NEW(a->ctx, bool, count),
                 FR_NEW(a->ctx, bool, count)};
    bool enough = cast.first && cast.soft && cast.acts;
    if (enough) {
        for (int32_t b = 0; b < count; b++) cast.first[b] = fr_box_empty();
        find_cast(a, &cast);
        leave_out_set(a, &cast);
        leave_out_flats(a, &cast);
    }
    FR_FREE_ALL(a->ctx, cast.first, cast.soft, cast.acts);
    return enough ? FR_OK : fr_no_memory(a->ctx, "the camera");
}

FrResult fr_action_gather(FrAction *a, const FrFrameSource *source, int32_t poster) {
    int32_t count = fr_min_i(source->frame_count, FR_ACTION_FRAMES);
    int32_t last = -1;
    for (int32_t k = 0; k < count; k++) {
        int32_t frame =
            count > 1 ? (int32_t)((int64_t)k * (source->frame_count - 1) / (count - 1)) : 0;
        // the poster takes its place between the samples around it
        if (last < poster && poster < frame) frame = poster, last = poster;
        const FrFrameView *view;
        FR_TRY(source->get(source->user, frame, &view));
        if (frame == poster) a->poster = a->frame_count;
        FR_TRY(add_frame(a, view, frame <= poster));
        last = frame;
    }
    FR_TRY(find_subject(a));
    return find_set(a);
}

void fr_action_free(FrAction *a) {
    fr_array_free(a->ctx, &a->point);
    fr_array_free(a->ctx, &a->body);
    fr_array_free(a->ctx, &a->soft);
    fr_array_free(a->ctx, &a->flat);
    fr_array_free(a->ctx, &a->subject.body);
}
