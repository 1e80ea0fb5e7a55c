// cutlog.c: what a cut did to a mesh, kept as a list and carried through arrays and points.

#include "cut/cutlog.h"
#include "base/array.h"
#include "base/table.h"
#include "mesh/locate.h"

void fr_cutlog_init(FrCutLog *log, int32_t node_count) {
    *log = (FrCutLog){.first_node = node_count};
}

void fr_cutlog_free(FrContext *ctx, FrCutLog *log) {
    fr_free(ctx, log->tets);
    fr_free(ctx, log->nodes);
    fr_free(ctx, log->faces);
    fr_free(ctx, log->moves);
    fr_free(ctx, log->steps);
    *log = (FrCutLog){0};
}

void fr_cutlog_clear(FrCutLog *log, int32_t node_count) {
    log->tet_count = log->node_count = log->face_count = log->move_count = 0;
    log->group_count = log->step_count = 0;
    log->first_node = node_count;
}

static bool room(FrContext *ctx, void **data, int32_t *capacity, int32_t count, int32_t more,
                 size_t item) {
    return fr_array_grow_(ctx, data, capacity, count, more, item);
}

bool fr_cutlog_reserve(FrContext *ctx, FrCutLog *log, int32_t tets, int32_t nodes, int32_t faces,
                       int32_t moves) {
    return room(ctx, (void **)&log->tets, &log->tet_capacity, log->tet_count, tets,
                sizeof *log->tets) &&
           room(ctx, (void **)&log->nodes, &log->node_capacity, log->node_count, nodes,
                sizeof *log->nodes) &&
           room(ctx, (void **)&log->faces, &log->face_capacity, log->face_count, faces,
                sizeof *log->faces) &&
           room(ctx, (void **)&log->moves, &log->move_capacity, log->move_count, moves,
                sizeof *log->moves);
}

FrResult fr_cutlog_move(FrContext *ctx, FrCutLog *log, FrMovedNode move) {
    if (!room(ctx, (void **)&log->moves, &log->move_capacity, log->move_count, 1,
              sizeof *log->moves))
        return fr_no_memory(ctx, "a cut log");
    move.before = log->first_node + log->node_count;
    move.group = move.end = log->group_count;
    log->moves[log->move_count++] = move;
    return FR_OK;
}

void fr_cutlog_moves_end(FrCutLog *log, int32_t count) {
    for (int32_t k = log->move_count - count; k < log->move_count; k++)
        log->moves[k].end = log->group_count;
}

FrResult fr_cutlog_edge_node(FrContext *ctx, FrCutLog *log, int32_t a, int32_t b, double t,
                             int32_t *node) {
    FR_ASSERT_IN(ctx,
                 a < log->first_node + log->node_count && b < log->first_node + log->node_count,
                 "a new node lies between nodes that exist");
    if (!room(ctx, (void **)&log->nodes, &log->node_capacity, log->node_count, 1,
              sizeof *log->nodes))
        return fr_no_memory(ctx, "a cut log");
    *node = log->first_node + log->node_count;
    log->nodes[log->node_count++] = (FrNewNode){a, b, t};
    return FR_OK;
}

FrResult fr_cutlog_split(FrContext *ctx, FrCutLog *log, const FrChildren *into) {
    if (!room(ctx, (void **)&log->tets, &log->tet_capacity, log->tet_count, into->count,
              sizeof *log->tets))
        return fr_no_memory(ctx, "a cut log");
    for (int32_t k = 0; k < into->count; k++) {
        FrSplitTet *s = &log->tets[log->tet_count++];
        *s = (FrSplitTet){.group = log->group_count, .parent = into->parent};
        s->child = into->child[k];
        for (int i = 0; i < 4; i++) {
            s->parent_node[i] = into->parent_node[i];
            s->node[i] = into->child_node[k][i];
        }
    }
    log->group_count++;
    return FR_OK;
}

FrResult fr_cutlog_open(FrContext *ctx, FrCutLog *log, FrOpenFace face) {
    if (!room(ctx, (void **)&log->faces, &log->face_capacity, log->face_count, 1,
              sizeof *log->faces))
        return fr_no_memory(ctx, "a cut log");
    face.group = log->group_count;
    log->faces[log->face_count++] = face;
    return FR_OK;
}

FrResult fr_cutlog_append(FrContext *ctx, FrCutLog *log, const FrCutLog *more, double t) {
    FR_ASSERT_IN(ctx, more->first_node == log->first_node + log->node_count,
                 "append logs in their order");
    if (!fr_cutlog_reserve(ctx, log, more->tet_count, more->node_count, more->face_count,
                           more->move_count) ||
        !room(ctx, (void **)&log->steps, &log->step_capacity, log->step_count, 1,
              sizeof *log->steps))
        return fr_no_memory(ctx, "a cut log");
    if (more->group_count == 0) return FR_OK;
    for (int32_t k = 0; k < more->node_count; k++) log->nodes[log->node_count++] = more->nodes[k];
    for (int32_t k = 0; k < more->tet_count; k++) {
        log->tets[log->tet_count] = more->tets[k];
        log->tets[log->tet_count++].group += log->group_count;
    }
    for (int32_t k = 0; k < more->face_count; k++) {
        log->faces[log->face_count] = more->faces[k];
        log->faces[log->face_count++].group += log->group_count;
    }
    for (int32_t k = 0; k < more->move_count; k++) {
        FrMovedNode move = more->moves[k];
        move.group += log->group_count;
        move.end += log->group_count;
        log->moves[log->move_count++] = move;
    }
    log->group_count += more->group_count;
    log->steps[log->step_count++] = fr_cutlog_end(log, t);
    return FR_OK;
}

int32_t fr_cutlog_steps(const FrCutLog *log) { return log->step_count ? log->step_count : 1; }

// an empty list is NULL, to which nothing may be added, not even 0
#define LIST_FROM(list, at) ((at) ? (list) + (at) : (list))

FrCutLog fr_cutlog_between(const FrCutLog *log, FrCutStep from, FrCutStep to) {
    return (FrCutLog){.tets = LIST_FROM(log->tets, from.tets),
                      .nodes = LIST_FROM(log->nodes, from.nodes),
                      .faces = LIST_FROM(log->faces, from.faces),
                      .moves = LIST_FROM(log->moves, from.moves),
                      .tet_count = to.tets - from.tets,
                      .node_count = to.nodes - from.nodes,
                      .face_count = to.faces - from.faces,
                      .move_count = to.moves - from.moves,
                      .first_node = log->first_node + from.nodes,
                      .first_group = from.groups,
                      .group_count = to.groups - from.groups};
}

FrCutStep fr_cutlog_end(const FrCutLog *log, double t) {
    return (FrCutStep){log->node_count, log->group_count, log->tet_count,
                       log->face_count, log->move_count,  t};
}

FrCutLog fr_cutlog_step(const FrCutLog *log, int32_t k) {
    if (!log->step_count) return *log;
    return fr_cutlog_between(log, k ? log->steps[k - 1] : (FrCutStep){0}, log->steps[k]);
}

void fr_cutlog_apply_move(const FrMovedNode *move, double *x) {
    fr_set3(x, move->node, fr_lerp(fr_get3(x, move->node), fr_get3(x, move->to), move->t));
}

void fr_cutlog_apply_positions(const FrCutLog *log, double *x) {
    int32_t moved = 0;
    for (int32_t k = 0; k < log->node_count; k++) {
        const FrNewNode *n = &log->nodes[k];
        while (moved < log->move_count && log->moves[moved].before <= log->first_node + k)
            fr_cutlog_apply_move(&log->moves[moved++], x);
        FrVec3 a = fr_get3(x, n->a);
        fr_set3(x, log->first_node + k, n->a == n->b ? a : fr_lerp(a, fr_get3(x, n->b), n->t));
    }
    while (moved < log->move_count) fr_cutlog_apply_move(&log->moves[moved++], x);
}

// where a node rested when division `group` began, or (after) had been done
static FrVec3 rest_at(const FrCutLog *log, const double *rest, int32_t node, int32_t group,
                      bool after) {
    for (int32_t k = 0; k < log->move_count; k++) {
        const FrMovedNode *m = &log->moves[k];
        if (m->node == node && (after ? m->group : m->end) > group) return m->was;
    }
    return fr_get3(rest, node);
}

// divisions whose children may hold what a tet held: its own; where nodes moved, all of the cut
static void range_of(const FrCutLog *log, int32_t group, int32_t *from, int32_t *to) {
    *from = group;
    *to = group + 1;
    for (int32_t k = 0; k < log->move_count; k++)
        if (log->moves[k].group <= group && group < log->moves[k].end) {
            *from = log->moves[k].group;
            *to = log->moves[k].end;
            return;
        }
}

// Into the child of the division that begins at entry `first` where the point's least weight is
// largest. Returns the last entry that was looked at.
static int32_t enter_child(const FrCutLog *log, int32_t first, const double *rest, FrPoint *point) {
    const FrSplitTet *s = &log->tets[first];
    int32_t from, to, k = first;
    range_of(log, s->group, &from, &to);
    FrVec3 x = fr_vec3_zero;
    for (int i = 0; i < 4; i++)
        x = fr_axpy(point->b[i], rest_at(log, rest, s->parent_node[i], s->group, false), x);
    double best = -HUGE_VAL;
    FrPoint found = *point;
    while (k > 0 && log->tets[k - 1].group >= from) k--;
    for (; k < log->tet_count && log->tets[k].group < to; k++) {
        FrPoint p = {.tet = log->tets[k].child};
        FrVec3 corner[4];
        for (int i = 0; i < 4; i++)
            corner[i] = rest_at(log, rest, log->tets[k].node[i], log->tets[k].group, true);
        fr_corner_weights(corner, x, p.b);
        double least = fr_min(fr_min(p.b[0], p.b[1]), fr_min(p.b[2], p.b[3]));
        if (least > best) best = least, found = p;
    }
    *point = found;
    return k - 1;
}

// divisions of each tet, in order: next[k] is the next division of the same tet after entry k
FrResult fr_cutlog_retarget(FrContext *ctx, const FrCutLog *log, const double *rest, FrPoint *at,
                            int32_t count) {
    FrTable first = {0};
    int32_t *next = FR_NEW(ctx, int32_t, log->tet_count);
    if (!next || !fr_table_reserve(ctx, &first, log->tet_count)) {
        fr_free(ctx, next);
        return fr_no_memory(ctx, "points following a cut");
    }
    for (int32_t k = log->tet_count - 1; k >= 0; k--) {
        if (k > 0 && log->tets[k - 1].group == log->tets[k].group) continue;
        uint64_t parent = (uint64_t)log->tets[k].parent;
        next[k] = fr_table_find(&first, parent);
        fr_table_add(&first, parent, k);
        first.value[fr_table_slot(&first, parent)] = k;
    }
    for (int32_t p = 0; p < count; p++) {
        // a child can be divided again, but only later in the log
        int32_t done = -1;
        for (int32_t k = fr_table_find(&first, (uint64_t)at[p].tet); k >= 0;) {
            if (k <= done) {
                k = next[k];
                continue;
            }
            done = enter_child(log, k, rest, &at[p]);
            k = fr_table_find(&first, (uint64_t)at[p].tet);
        }
    }
    fr_table_free(ctx, &first);
    fr_free(ctx, next);
    return FR_OK;
}
