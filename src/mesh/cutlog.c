// cutlog.c: what a cut did to a mesh, kept as a list and carried through arrays and points.

#include "mesh/cutlog.h"
#include "mesh/table.h"
#include "base/array.h"

void fr_cutlog_init(FrCutLog *log, int32_t node_count) {
    *log = (FrCutLog){.first_node = node_count};
}

void fr_cutlog_free(FrContext *ctx, FrCutLog *log) {
    fr_free(ctx, log->tets);
    fr_free(ctx, log->nodes);
    fr_free(ctx, log->faces);
    fr_free(ctx, log->steps);
    *log = (FrCutLog){0};
}

void fr_cutlog_clear(FrCutLog *log, int32_t node_count) {
    log->tet_count = log->node_count = log->face_count = log->group_count = log->step_count = 0;
    log->first_node = node_count;
}

static bool room(FrContext *ctx, void **data, int32_t *capacity, int32_t count, int32_t more,
                 size_t item) {
    return fr_array_grow_(ctx, data, capacity, count, more, item);
}

bool fr_cutlog_reserve(FrContext *ctx, FrCutLog *log, int32_t tets, int32_t nodes, int32_t faces) {
    return room(ctx, (void **)&log->tets, &log->tet_capacity, log->tet_count, tets,
                sizeof *log->tets) &&
           room(ctx, (void **)&log->nodes, &log->node_capacity, log->node_count, nodes,
                sizeof *log->nodes) &&
           room(ctx, (void **)&log->faces, &log->face_capacity, log->face_count, faces,
                sizeof *log->faces);
}

FrResult fr_cutlog_edge_node(FrContext *ctx, FrCutLog *log, int32_t a, int32_t b, double t,
                             int32_t *node) {
    FR_ASSERT(a < log->first_node + log->node_count && b < log->first_node + log->node_count,
              "a new node lies between nodes that exist");
    if (!room(ctx, (void **)&log->nodes, &log->node_capacity, log->node_count, 1,
              sizeof *log->nodes))
        return fr_no_memory(ctx, "a cut log");
    *node = log->first_node + log->node_count;
    log->nodes[log->node_count++] = (FrNewNode){a, b, t};
    return FR_OK;
}

FrResult fr_cutlog_copy_node(FrContext *ctx, FrCutLog *log, int32_t a, int32_t *node) {
    return fr_cutlog_edge_node(ctx, log, a, a, 0, node);
}

FrResult fr_cutlog_split(FrContext *ctx, FrCutLog *log, int32_t parent,
                         const int32_t parent_node[4], const int32_t *child,
                         const int32_t (*child_node)[4], int32_t count) {
    if (!room(ctx, (void **)&log->tets, &log->tet_capacity, log->tet_count, count,
              sizeof *log->tets))
        return fr_no_memory(ctx, "a cut log");
    for (int32_t k = 0; k < count; k++) {
        FrSplitTet *s = &log->tets[log->tet_count++];
        *s = (FrSplitTet){.group = log->group_count, .parent = parent, .child = child[k]};
        for (int i = 0; i < 4; i++) {
            s->parent_node[i] = parent_node[i];
            s->node[i] = child_node[k][i];
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
    FR_ASSERT(more->first_node == log->first_node + log->node_count, "append logs in their order");
    if (!fr_cutlog_reserve(ctx, log, more->tet_count, more->node_count, more->face_count) ||
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
    log->group_count += more->group_count;
    log->steps[log->step_count++] =
        (FrCutStep){log->node_count, log->group_count, log->tet_count, log->face_count, t};
    return FR_OK;
}

int32_t fr_cutlog_steps(const FrCutLog *log) { return log->step_count ? log->step_count : 1; }

FrCutLog fr_cutlog_step(const FrCutLog *log, int32_t k) {
    if (!log->step_count) return *log;
    FrCutStep from = k ? log->steps[k - 1] : (FrCutStep){0}, to = log->steps[k];
    return (FrCutLog){.tets = log->tets + from.tets,
                      .nodes = log->nodes + from.nodes,
                      .faces = log->faces + from.faces,
                      .tet_count = to.tets - from.tets,
                      .node_count = to.nodes - from.nodes,
                      .face_count = to.faces - from.faces,
                      .first_node = log->first_node + from.nodes,
                      .first_group = from.groups,
                      .group_count = to.groups - from.groups};
}

void fr_cutlog_apply_positions(const FrCutLog *log, double *x) {
    for (int32_t k = 0; k < log->node_count; k++) {
        const FrNewNode *n = &log->nodes[k];
        FrVec3 a = fr_get3(x, n->a);
        fr_set3(x, log->first_node + k, n->a == n->b ? a : fr_lerp(a, fr_get3(x, n->b), n->t));
    }
}

static void weights(const double *rest, const int32_t *n, FrVec3 x, double b[4]) {
    FrVec3 o = fr_get3(rest, n[0]);
    FrVec3 u = fr_sub(fr_get3(rest, n[1]), o), v = fr_sub(fr_get3(rest, n[2]), o),
           w = fr_sub(fr_get3(rest, n[3]), o), d = fr_sub(x, o);
    double det = fr_dot(u, fr_cross(v, w));
    b[1] = fr_dot(d, fr_cross(v, w)) / det;
    b[2] = fr_dot(d, fr_cross(w, u)) / det;
    b[3] = fr_dot(d, fr_cross(u, v)) / det;
    b[0] = 1 - b[1] - b[2] - b[3];
}

// into the child of one division where the point's least weight is largest
static void enter_child(const FrCutLog *log, int32_t first, const double *rest, FrPoint *point) {
    const FrSplitTet *s = &log->tets[first];
    FrVec3 x = fr_vec3_zero;
    for (int i = 0; i < 4; i++) x = fr_axpy(point->b[i], fr_get3(rest, s->parent_node[i]), x);
    double best = -HUGE_VAL;
    FrPoint found = *point;
    for (int32_t k = first; k < log->tet_count && log->tets[k].group == s->group; k++) {
        FrPoint p = {.tet = log->tets[k].child};
        weights(rest, log->tets[k].node, x, p.b);
        double least = fr_min(fr_min(p.b[0], p.b[1]), fr_min(p.b[2], p.b[3]));
        if (least > best) best = least, found = p;
    }
    *point = found;
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
            enter_child(log, k, rest, &at[p]);
            done = k;
            k = fr_table_find(&first, (uint64_t)at[p].tet);
        }
    }
    fr_table_free(ctx, &first);
    fr_free(ctx, next);
    return FR_OK;
}
