// recording_topology.c: meshes of a recording as cuts have left them at a tick, or at the end.

#include "record/recording_inside.h"
#include "record/cut_code.h"
#include <inttypes.h>
#include <string.h>

void fr_recording_uncut(FrContext *ctx, FrReadBody *body) {
    FrReadCut *c = &body->cut;
    fr_cutmesh_destroy(c->cut);
    fr_pieces_destroy(c->pieces);
    fr_free(ctx, c->at);
    fr_surface_free(ctx, &c->surface);
    fr_embedded_free(ctx, &c->skin);
    fr_array_free(ctx, &c->node);
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
    return fr_recording_each(
        r, "topo",
        "SELECT body, tick, substr(cutlog, 1, 28), length(cutlog) FROM topo ORDER BY body, tick",
        NULL, 0, topo_row, &last);
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

int32_t fr_recording_nodes_at(const FrRecording *r, int32_t id, int64_t tick) {
    const FrReadBody *body = &r->body.data[id];
    int32_t rows = rows_at(r, body, tick);
    if (rows) return r->topo.data[body->first_topo + rows - 1].nodes;
    return body->mesh ? body->mesh->mesh.node_count : 0;
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

static FrResult apply_row(FrRecording *r, FrQuery *query, void *arg) {
    FrReadBody *body = arg;
    FrReadCut *c = &body->cut;
    const FrTetMesh *mesh = fr_cutmesh_view(c->cut);
    int64_t tick;
    const void *bytes;
    size_t size;
    FrCutHead head;
    FR_TRY(fr_query_int(query, 0, INT64_MIN / 2, INT64_MAX / 2, &tick));
    FR_TRY(fr_query_blob(query, 1, &bytes, &size));
    FR_TRY(fr_cut_code_head(r->ctx, bytes, size, &head));
    if (head.first_tet != mesh->tet_count)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: topo at tick %" PRId64 ": begins at tet %d of %d",
                       r->info.path, tick, head.first_tet, mesh->tet_count);
    FR_TRY(fr_cut_code_read(r->ctx, bytes, size, (const int32_t(*)[4])mesh->tet, &r->log));
    double t = (double)tick * r->info.tick_seconds;
    // pieces as they were told apart in the run
    for (int32_t k = 0; k < fr_cutlog_steps(&r->log); k++) {
        FrCutLog step = fr_cutlog_step(&r->log, k);
        FR_TRY(fr_cutmesh_apply(c->cut, &step, t));
        FR_TRY(fr_pieces_follow(c->pieces, c->cut, &step, step.first_group, t, NULL, NULL));
    }
    if (c->at)
        FR_TRY(fr_cutlog_retarget(r->ctx, &r->log, fr_cutmesh_view(c->cut)->x, c->at,
                                  body->skin->point_count));
    for (int32_t k = 0; k < r->log.node_count; k++)
        if (!fr_array_push(r->ctx, &c->node, r->log.nodes[k]))
            return fr_no_memory(r->ctx, "a cut mesh");
    c->applied++;
    return FR_OK;
}

static FrResult apply_rows(FrRecording *r, int32_t id, int32_t rows) {
    FrReadBody *body = &r->body.data[id];
    const FrReadTopo *row = &r->topo.data[body->first_topo];
    if (!body->cut.cut || body->cut.applied > rows) FR_TRY(start(r, body));
    if (body->cut.applied == rows) return FR_OK;
    FrCell cell[3] = {fr_cell_int(id), fr_cell_int(row[body->cut.applied].tick),
                      fr_cell_int(row[rows - 1].tick)};
    FR_TRY(fr_recording_each(
        r, "topo",
        "SELECT tick, cutlog FROM topo WHERE body=? AND tick BETWEEN ? AND ? ORDER BY tick", cell,
        3, apply_row, body));
    if (body->cut.applied == rows) return FR_OK;
    return fr_fail(r->ctx, FR_BAD_INPUT, "%s: topo of body %d changed while reading", r->info.path,
                   id);
}

static FrResult make_views(FrRecording *r, int32_t id) {
    FrReadBody *body = &r->body.data[id];
    FrReadCut *c = &body->cut;
    FrBodyView *view = &r->view.data[id];
    fr_surface_free(r->ctx, &c->surface);
    fr_embedded_free(r->ctx, &c->skin);
    FR_TRY(fr_cutmesh_surface(c->cut, fr_pieces_of_tets(c->pieces), &c->surface));
    if (c->at) FR_TRY(fr_embedded_cut(r->ctx, body->skin, c->at, c->cut, c->pieces, &c->skin));
    view->mesh = fr_cutmesh_view(c->cut);
    view->surface = &c->surface;
    view->embedded = c->at ? &c->skin : NULL;
    view->piece = fr_pieces_of_tets(c->pieces);
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

FrResult fr_recording_follow(FrRecording *r, int32_t id, int64_t tick) {
    FrReadBody *body = &r->body.data[id];
    FrBodyView *view = &r->view.data[id];
    int32_t rows = r->topology == FR_TOPOLOGY_FINAL ? body->topo_count : rows_at(r, body, tick);
    if (body->topo_count == 0) return FR_OK;
    bool shown = body->cut.cut && view->mesh == fr_cutmesh_view(body->cut.cut);
    if (rows == 0) {
        show_whole(r, id);
        return FR_OK;
    }
    if (shown && body->cut.applied == rows) return FR_OK;
    FrResult result = FR_OK;
    if (!body->cut.cut || body->cut.applied != rows) result = apply_rows(r, id, rows);
    if (result == FR_OK) result = make_views(r, id);
    if (result == FR_OK) return FR_OK;
    show_whole(r, id);
    fr_recording_uncut(r->ctx, body);
    return fr_fail_within(r->ctx, result, "%s: body %d: ", r->info.path, id);
}

void fr_recording_play_back(FrReadBody *body, int32_t nodes, int32_t all) {
    int32_t first = body->mesh ? body->mesh->mesh.node_count : 0;
    for (int32_t k = nodes - first; k < all - first; k++) {
        const FrNewNode *n = &body->cut.node.data[k];
        for (int s = 0; s < 2; s++) {
            double *x = s ? body->v : body->p;
            FrVec3 a = fr_get3(x, n->a);
            fr_set3(x, first + k, n->a == n->b ? a : fr_lerp(a, fr_get3(x, n->b), n->t));
        }
    }
}

FrResult fr_recording_pieces(FrRecording *r, int32_t id, const FrPiece **piece, int32_t *count) {
    static const FrPiece whole = {.parent = -1};
    FR_ASSERT(id >= 0 && id < r->body.count, "ask for a body between 0 and body_count - 1");
    FrReadBody *body = &r->body.data[id];
    *piece = &whole;
    *count = 1;
    if (body->topo_count == 0) return FR_OK;
    FrTopology before = r->topology;
    r->topology = FR_TOPOLOGY_FINAL;
    FrResult result = fr_recording_follow(r, id, 0);
    r->topology = before;
    if (result == FR_OK) *piece = fr_pieces_table(body->cut.pieces, count);
    return result;
}
