// recording_topology.c: meshes of a recording as cuts have left them at a tick, or at the end.

#include "record/recording_inside.h"
#include "record/cut_code.h"
#include "skin/cells.h"
#include "skin/embed_close.h"
#include <inttypes.h>
#include <string.h>

void fr_recording_uncut(FrContext *ctx, FrReadBody *body) {
    FrReadCut *c = &body->cut;
    fr_cutmesh_destroy(c->cut);
    fr_pieces_destroy(c->pieces);
    fr_free(ctx, c->at);
    fr_surface_free(ctx, &c->surface);
    fr_embedded_free(ctx, &c->skin);
    fr_cells_destroy(c->cells);
    fr_array_free(ctx, &c->node);
    fr_array_free(ctx, &c->move);
    fr_array_free(ctx, &c->tet_parent);
    *c = (FrReadCut){0};
}

static FrResult topo_row(FrRecording *r, FrQuery *query, void *arg) {
    FrReadTopo row;
    FrCutHead head;
    const void *bytes;
    size_t size;
    int64_t length;
    int32_t *last = arg;
    FR_TRY(fr_query_i32(query, 0, fr_max_i(*last, 0), r->body.count - 1, &row.body));
    FrReadBody *body = &r->body.data[row.body];
    int64_t least = body->topo_count ? r->topo.data[r->topo.count - 1].tick + 1 : INT64_MIN / 2;
    FR_TRY(fr_query_int(query, 1, least, INT64_MAX / 2, &row.tick));
    FR_TRY(fr_query_blob(query, 2, &bytes, &size));
    FR_TRY(fr_query_int(query, 3, 0, INT64_MAX / 2, &length));
    FR_TRY(fr_recording_charge(r, (size_t)length));
    FR_TRY(fr_cut_code_head(r->ctx, bytes, size, &head));
    int32_t nodes = !body->mesh        ? -1
                    : body->topo_count ? r->topo.data[r->topo.count - 1].nodes
                                       : body->mesh->mesh.node_count;
    if (head.first_node != nodes || nodes > INT32_MAX / 24 - head.nodes)
        return fr_fail(r->ctx, FR_BAD_INPUT,
                       "%s: topo of body %d at tick %" PRId64 ": begins at node %d of %d",
                       r->info.path, row.body, row.tick, head.first_node, nodes);
    row.nodes = nodes + head.nodes;
    if (!body->topo_count++) body->first_topo = r->topo.count;
    if (!fr_array_push(r->ctx, &r->topo, row)) return fr_no_memory(r->ctx, "cuts");
    *last = row.body;
    return FR_OK;
}

FrResult fr_recording_load_topo(FrRecording *r) {
    int32_t last = -1;
    r->topo.count = 0;
    return fr_recording_each(r,
                             &(FrSelect){"topo",
                                         "SELECT body, tick, substr(cutlog, 1, 32), length(cutlog) "
                                         "FROM topo ORDER BY body, tick",
                                         NULL, 0},
                             topo_row, &last);
}

void fr_recording_set_topology(FrRecording *r, FrTopology topology) { r->topology = topology; }

// rows of a body up to a tick
static int32_t rows_at(const FrRecording *r, const FrReadBody *body, int64_t tick) {
    int32_t lo = 0, hi = body->topo_count;
    while (lo < hi) {
        int32_t mid = lo + (hi - lo) / 2;
        if (r->topo.data[body->first_topo + mid].tick <= tick)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

// nodes of a body after so many rows
static int32_t nodes_after(const FrRecording *r, const FrReadBody *body, int32_t rows) {
    if (rows) return r->topo.data[body->first_topo + rows - 1].nodes;
    return body->mesh ? body->mesh->mesh.node_count : 0;
}

FrResult fr_recording_nodes_at(FrRecording *r, int32_t id, FrReadMoment at, int32_t *nodes) {
    const FrReadBody *body = &r->body.data[id];
    int32_t most = nodes_after(r, body, rows_at(r, body, at.tick));
    *nodes = at.cuts < 0 ? most : at.nodes;
    if (*nodes <= most &&
        (at.cuts < 0 || *nodes >= nodes_after(r, body, rows_at(r, body, at.tick - 1))))
        return FR_OK;
    return fr_fail(r->ctx, FR_BAD_INPUT, "%s: body %d has %d nodes of %d within tick %" PRId64,
                   r->info.path, id, *nodes, most, at.tick);
}

static FrResult start(FrRecording *r, FrReadBody *body) {
    FrReadCut *c = &body->cut;
    fr_recording_uncut(r->ctx, body);
    if (body->mesh->mesh.order != 1)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: a mesh of 10-node tets was cut", r->info.path);
    FR_TRY(fr_cutmesh_create(r->ctx, &body->mesh->mesh, &c->cut));
    FR_TRY(fr_pieces_create(r->ctx, c->cut, &c->pieces));
    if (!body->skin) return FR_OK;
    c->at = FR_NEW(r->ctx, FrPoint, body->skin->point_count);
    if (!c->at) return fr_no_memory(r->ctx, "a skin");
    memcpy(c->at, body->skin->at, sizeof *c->at * (size_t)body->skin->point_count);
    return FR_OK;
}

static double step_time(const FrCutLog *log, int32_t k, double otherwise) {
    return log->step_count && log->steps[k].t >= 0.0 ? log->steps[k].t : otherwise;
}

static FrResult apply_step(FrRecording *r, FrReadBody *body, const FrCutLog *step, double t) {
    FrReadCut *c = &body->cut;
    FR_TRY(fr_cutmesh_apply(c->cut, step, t));
    FR_TRY(fr_pieces_follow(c->pieces, c->cut, step, step->first_group, t, NULL));
    if (c->at)
        FR_TRY(fr_cutlog_retarget(r->ctx, step, fr_cutmesh_view(c->cut)->x, c->at,
                                  body->skin->point_count));
    for (int32_t k = 0; k < step->node_count; k++)
        if (!fr_array_push(r->ctx, &c->node, step->nodes[k]))
            return fr_no_memory(r->ctx, "a cut mesh");
    for (int32_t k = 0; k < step->move_count; k++)
        if (!fr_array_push(r->ctx, &c->move, step->moves[k]))
            return fr_no_memory(r->ctx, "a cut mesh");
    for (int32_t k = 0; k < step->tet_count; k++) // the first child keeps its parent's number
        if (step->tets[k].child != step->tets[k].parent &&
            !fr_array_push(r->ctx, &c->tet_parent, step->tets[k].parent))
            return fr_no_memory(r->ctx, "a cut mesh");
    return FR_OK;
}

typedef struct RowWalk {
    FrReadBody *body;
    int32_t rows, part; ///< to apply: whole rows, and steps of the next one
} RowWalk;

static FrResult apply_row(FrRecording *r, FrQuery *query, void *arg) {
    const RowWalk *walk = arg;
    FrReadBody *body = walk->body;
    FrReadCut *c = &body->cut;
    const FrTetMesh *mesh = fr_cutmesh_view(c->cut);
    int64_t tick;
    const void *bytes;
    size_t size;
    FrCutHead head;
    FR_TRY(fr_query_int(query, 0, INT64_MIN / 2, INT64_MAX / 2, &tick));
    FR_TRY(fr_query_blob(query, 1, &bytes, &size));
    FR_TRY(fr_cut_code_head(r->ctx, bytes, size, &head));
    if (c->part ? head.first_tet > mesh->tet_count : head.first_tet != mesh->tet_count)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: topo at tick %" PRId64 ": begins at tet %d of %d",
                       r->info.path, tick, head.first_tet, mesh->tet_count);
    FR_TRY(fr_cut_code_read(r->ctx, bytes, size, (const int32_t(*)[4])mesh->tet, &r->log));
    double t = (double)tick * r->info.tick_seconds;
    int32_t steps = fr_cutlog_steps(&r->log), end = c->applied < walk->rows ? steps : walk->part;
    if (end > steps)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: topo at tick %" PRId64 ": %d cuts of %d",
                       r->info.path, tick, end, steps);
    // pieces as they were distinguished in the run
    for (; c->part < end; c->part++) {
        FrCutLog step = fr_cutlog_step(&r->log, c->part);
        FR_TRY(apply_step(r, body, &step, step_time(&r->log, c->part, t)));
    }
    if (end < steps) return FR_OK;
    c->applied++;
    c->part = 0;
    return FR_OK;
}

// all steps of a row are the whole row
static bool applied(const FrReadCut *c, int32_t rows, int32_t part) {
    return c->cut &&
           (c->applied == rows ? c->part == part : part && c->applied == rows + 1 && !c->part);
}

static FrResult apply_rows(FrRecording *r, int32_t id, int32_t rows, int32_t part) {
    FrReadBody *body = &r->body.data[id];
    FrReadCut *c = &body->cut;
    const FrReadTopo *row = &r->topo.data[body->first_topo];
    if (!c->cut || c->applied > rows || (c->applied == rows && c->part > part))
        FR_TRY(start(r, body));
    RowWalk walk = {body, rows, part};
    int32_t last = part ? rows : rows - 1;
    if (applied(c, rows, part)) return FR_OK;
    FrCell cell[3] = {fr_cell_int(id), fr_cell_int(row[c->applied].tick),
                      fr_cell_int(row[last].tick)};
    FR_TRY(fr_recording_each(
        r,
        &(FrSelect){
            "topo",
            "SELECT tick, cutlog FROM topo WHERE body=? AND tick BETWEEN ? AND ? ORDER BY tick",
            cell, 3},
        apply_row, &walk));
    if (applied(c, rows, part)) return FR_OK;
    return fr_fail(r->ctx, FR_BAD_INPUT, "%s: topo of body %d changed while reading", r->info.path,
                   id);
}

static FrResult show_cut(FrRecording *r, int32_t id) {
    FrReadCut *c = &r->body.data[id].cut;
    FrBodyView *view = &r->view.data[id];
    fr_surface_free(r->ctx, &c->surface);
    fr_embedded_free(r->ctx, &c->skin);
    c->dressed = false;
    FR_TRY(fr_cutmesh_surface(c->cut, fr_pieces_of_tets(c->pieces), &c->surface));
    view->mesh = fr_cutmesh_view(c->cut);
    view->surface = &c->surface;
    view->embedded = NULL;
    view->piece = fr_pieces_of_tets(c->pieces);
    return FR_OK;
}

// have all cuts so far opened faces that were there, and nothing else?
static bool along_faces(const FrReadCut *c) {
    if (c->move.count || c->tet_parent.count) return false;
    for (int32_t k = 0; k < c->node.count; k++)
        if (c->node.data[k].a != c->node.data[k].b) return false;
    return true;
}

// A skin that can be divided by its tets stays closed along faces. *done: it could.
static FrResult dress_cells(FrRecording *r, FrReadBody *body, bool *done) {
    FrReadCut *c = &body->cut;
    *done = false;
    if (c->undivided || !along_faces(c)) return FR_OK;
    if (!c->cells) {
        FrResult made = fr_cells_create(r->ctx, &body->mesh->mesh, body->skin, &c->cells);
        c->undivided = made == FR_BAD_INPUT;
        if (c->undivided)
            fr_log(r->ctx, FR_LOG_DEBUG, "cracks are not closed: %s", fr_context_message(r->ctx));
        if (made != FR_OK) return c->undivided ? FR_OK : made;
    }
    *done = true;
    return fr_cells_follow(c->cells, c->cut, fr_pieces_of_tets(c->pieces));
}

static FrResult dress(FrRecording *r, int32_t id) {
    FrReadBody *body = &r->body.data[id];
    FrReadCut *c = &r->body.data[id].cut;
    FrBodyView *view = &r->view.data[id];
    if (c->dressed || !c->at) return FR_OK;
    FR_TRY(dress_cells(r, body, &c->dressed));
    if (c->dressed) {
        view->embedded = fr_cells_surface(c->cells);
        return FR_OK;
    }
    FR_TRY(fr_embedded_cut(r->ctx, body->skin, c->at, c->cut, c->pieces, &c->skin));
    FR_TRY(fr_embedded_close(r->ctx, view->mesh, &c->surface, &c->skin));
    view->embedded = &c->skin;
    c->dressed = true;
    return FR_OK;
}

static void show_whole(FrRecording *r, int32_t id) {
    const FrReadBody *body = &r->body.data[id];
    FrBodyView *view = &r->view.data[id];
    view->mesh = &body->mesh->mesh;
    view->surface = &body->mesh->surface;
    view->embedded = body->skin;
    view->piece = NULL;
}

// how many rows have come by then, and how many steps of the next one
static FrResult come_by(FrRecording *r, int32_t id, FrReadMoment at, int32_t *rows, int32_t *part) {
    const FrReadBody *body = &r->body.data[id];
    bool final = r->topology == FR_TOPOLOGY_FINAL;
    *rows = final ? body->topo_count : rows_at(r, body, at.cuts < 0 ? at.tick : at.tick - 1);
    *part = final || at.cuts < 0 ? 0 : at.cuts;
    if (*part == 0 || (*rows < body->topo_count && rows_at(r, body, at.tick) > *rows)) return FR_OK;
    return fr_fail(r->ctx, FR_BAD_INPUT, "%s: body %d was not cut in tick %" PRId64, r->info.path,
                   id, at.tick);
}

FrResult fr_recording_follow(FrRecording *r, int32_t id, FrReadMoment at) {
    FrReadBody *body = &r->body.data[id];
    FrBodyView *view = &r->view.data[id];
    int32_t rows, part;
    FR_TRY(come_by(r, id, at, &rows, &part));
    if (body->topo_count == 0) return FR_OK;
    bool shown = body->cut.cut && view->mesh == fr_cutmesh_view(body->cut.cut);
    if (rows == 0 && part == 0) {
        show_whole(r, id);
        return FR_OK;
    }
    bool done = applied(&body->cut, rows, part);
    FrResult result = done ? FR_OK : apply_rows(r, id, rows, part);
    if (result == FR_OK && !(shown && done)) result = show_cut(r, id);
    if (result == FR_OK && !r->bare) result = dress(r, id);
    if (result == FR_OK) return FR_OK;
    show_whole(r, id);
    fr_recording_uncut(r->ctx, body);
    return fr_fail_within(r->ctx, result, "%s: body %d: ", r->info.path, id);
}

void fr_recording_play_back(FrReadBody *body, int32_t nodes, int32_t all) {
    int32_t first = body->mesh ? body->mesh->mesh.node_count : 0, moved = 0;
    const FrReadCut *c = &body->cut;
    if (nodes >= all) return;
    // a cut that moves nodes adds some: those of the cuts up to here have moved
    while (moved < c->move.count && c->move.data[moved].before < nodes) moved++;
    FrCutLog later = {.nodes = c->node.data + (nodes - first),
                      .node_count = all - nodes,
                      .first_node = nodes,
                      .moves = c->move.data + moved,
                      .move_count = c->move.count - moved};
    fr_cutlog_apply_positions(&later, body->p);
    fr_cutlog_apply_positions(&later, body->v);
}

FrResult fr_recording_play_fields(FrRecording *r, FrReadBody *body, const FrTetMesh *mesh) {
    const FrTetMesh *first = &body->mesh->mesh;
    int32_t nodes = body->load.count, tets = body->plastic.count / 6;
    if (nodes && !fr_array_extend(r->ctx, &body->load, fr_max_i(0, mesh->node_count - nodes)))
        return fr_no_memory(r->ctx, "a frame");
    for (int32_t n = nodes; nodes && n < mesh->node_count; n++)
        body->load.data[n] = body->load.data[body->cut.node.data[n - first->node_count].a];
    int32_t warm = body->warmth.count;
    if (warm && !fr_array_extend(r->ctx, &body->warmth, fr_max_i(0, mesh->node_count - warm)))
        return fr_no_memory(r->ctx, "a frame");
    for (int32_t n = warm; warm && n < mesh->node_count; n++)
        body->warmth.data[n] = body->warmth.data[body->cut.node.data[n - first->node_count].a];
    if (tets && !fr_array_extend(r->ctx, &body->plastic, 6 * fr_max_i(0, mesh->tet_count - tets)))
        return fr_no_memory(r->ctx, "a frame");
    for (int32_t e = tets; tets && e < mesh->tet_count; e++)
        memcpy(&body->plastic.data[6 * e],
               &body->plastic.data[6 * body->cut.tet_parent.data[e - first->tet_count]],
               6 * sizeof(float));
    return FR_OK;
}

FrResult fr_recording_pieces(FrRecording *r, int32_t id, const FrPiece **piece, int32_t *count) {
    static const FrPiece whole = {.parent = -1};
    FR_ASSERT_IN(r->ctx, id >= 0 && id < r->body.count,
                 "ask for a body between 0 and body_count - 1");
    FrReadBody *body = &r->body.data[id];
    *piece = &whole;
    *count = 1;
    if (body->topo_count == 0) return FR_OK;
    FrTopology before = r->topology;
    r->topology = FR_TOPOLOGY_FINAL;
    bool bare = r->bare;
    r->bare = true;
    FrResult result = fr_recording_follow(r, id, (FrReadMoment){0, -1, -1});
    r->bare = bare;
    r->topology = before;
    if (result == FR_OK) *piece = fr_pieces_table(body->cut.pieces, count);
    return result;
}
