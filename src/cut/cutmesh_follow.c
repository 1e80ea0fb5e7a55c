// cutmesh_follow.c: which faces of a cut mesh are open and since when; logs done again;
// checkpoints.

#include "cut/split_inside.h"
#include "cut/cut_tuning.h"
#include <string.h>

const double (*fr_cutmesh_opened(const FrCutMesh *cut))[4] {
    return (const double(*)[4])cut->opened;
}

void fr_cutmesh_clock(FrCutMesh *cut, double t) { cut->clock = t; }

// bit i: corner i of the parent has a part in this node; 0: it does not come from the parent
static unsigned corners_of(const FrCutLog *log, const int32_t parent[4], int32_t node, int depth) {
    for (int i = 0; i < 4; i++)
        if (parent[i] == node) return 1u << i;
    if (node < log->first_node || depth == FR_ANCESTRY_MOST) return 0;
    const FrNewNode *from = &log->nodes[node - log->first_node];
    unsigned a = corners_of(log, parent, from->a, depth + 1);
    unsigned b = from->a == from->b ? a : corners_of(log, parent, from->b, depth + 1);
    return a && b ? a | b : 0;
}

static FrResult not_following(const FrCutMesh *cut, const char *what, int32_t entry) {
    return fr_fail(cut->ctx, FR_BAD_INPUT, "a cut log: %s %d does not follow from the mesh", what,
                   entry);
}

// A child's face is inside its parent, or part of one of the parent's faces.
static FrResult mark_child(FrCutMesh *cut, const FrCutLog *log, int32_t entry,
                           const double parent_opened[4]) {
    const FrSplitTet *s = &log->tets[entry];
    unsigned corners[4];
    for (int i = 0; i < 4; i++) {
        corners[i] = corners_of(log, s->parent_node, s->node[i], 0);
        if (!corners[i]) return not_following(cut, "tet", entry);
    }
    for (int i = 0; i < 4; i++) {
        const int8_t *c = fr_tet_face[i];
        unsigned all = corners[c[0]] | corners[c[1]] | corners[c[2]];
        cut->opened[s->child][i] = FR_FACE_INNER;
        for (int j = 0; j < 4; j++)
            if (!(all & 1u << j)) cut->opened[s->child][i] = parent_opened[j];
    }
    return FR_OK;
}

// all children of the division that starts at `entry`; returns the next one's start through *entry
static FrResult mark_division(FrCutMesh *cut, const FrCutLog *log, int32_t *entry) {
    const FrSplitTet *first = &log->tets[*entry];
    double opened[4];
    memcpy(opened, cut->opened[first->parent], sizeof opened);
    for (; *entry < log->tet_count && log->tets[*entry].group == first->group; ++*entry)
        FR_TRY(mark_child(cut, log, *entry, opened));
    return FR_OK;
}

// one side of a face that opens
static bool mark_open(FrCutMesh *cut, int32_t e, const int32_t node[3]) {
    if (e < 0 || e >= cut->mesh.tet_count) return false;
    const int32_t *n = cut->mesh.tet[e];
    for (int i = 0; i < 4; i++) {
        int found = 0;
        for (int k = 0; k < 9; k++) found += n[fr_tet_face[i][k / 3]] == node[k % 3];
        if (found != 3) continue;
        if (cut->opened[e][i] != FR_FACE_INNER) return false;
        cut->opened[e][i] = cut->clock;
        return true;
    }
    return false;
}

static FrResult mark_faces(FrCutMesh *cut, const FrCutLog *log, int32_t *face, int32_t group) {
    for (; *face < log->face_count && log->faces[*face].group <= group; ++*face) {
        const FrOpenFace *f = &log->faces[*face];
        if (!mark_open(cut, f->plus, f->plus_node) || !mark_open(cut, f->minus, f->minus_node))
            return not_following(cut, "face", *face);
    }
    return FR_OK;
}

FrResult fr_cutmesh_mark(FrCutMesh *cut, const FrCutLog *log, int32_t tet0, int32_t face0) {
    while (tet0 < log->tet_count) FR_TRY(mark_division(cut, log, &tet0));
    return mark_faces(cut, log, &face0, INT32_MAX);
}

FrResult fr_cutmesh_surface(const FrCutMesh *cut, const int32_t *piece, FrSurface *surface) {
    const FrTetMesh *mesh = &cut->mesh;
    FrContext *ctx = cut->ctx;
    int32_t count = 0;
    for (int32_t k = 0; k < 4 * mesh->tet_count; k++)
        count += cut->opened[k / 4][k % 4] != FR_FACE_INNER;
    *surface = (FrSurface){.tri = fr_alloc_zero(ctx, (size_t)count, sizeof *surface->tri),
                           .tet = FR_NEW(ctx, int32_t, count),
                           .opened = FR_NEW(ctx, double, count),
                           .piece = FR_NEW(ctx, int32_t, count)};
    if (!surface->tri || !surface->tet || !surface->opened || !surface->piece) {
        fr_surface_free(ctx, surface);
        return fr_no_memory(ctx, "a surface");
    }
    for (int32_t k = 0; k < 4 * mesh->tet_count; k++) {
        int32_t e = k / 4, i = k % 4, at = surface->tri_count;
        if (cut->opened[e][i] == FR_FACE_INNER) continue;
        for (int j = 0; j < 3; j++) surface->tri[at][j] = mesh->tet[e][fr_tet_face[i][j]];
        surface->tet[at] = e;
        surface->opened[at] = cut->opened[e][i];
        surface->piece[at] = piece ? piece[e] : 0;
        surface->tri_count++;
    }
    return FR_OK;
}

// those that come before the cut that made node `until`
static FrResult apply_moves(FrCutMesh *cut, const FrCutLog *log, int32_t until, int32_t *entry) {
    for (; *entry < log->move_count && log->moves[*entry].before <= until; ++*entry) {
        const FrMovedNode *m = &log->moves[*entry];
        int32_t nodes = cut->mesh.node_count, groups = log->first_group + log->group_count;
        if (m->before != nodes || m->node < 0 || m->node >= nodes || m->to < 0 || m->to >= nodes ||
            !(m->t >= 0 && m->t <= 1) || m->group < log->first_group || m->end <= m->group ||
            m->end > groups || !(fr_distance(m->was, fr_get3(cut->mesh.x, m->node)) <= 0))
            return not_following(cut, "moved node", *entry);
        fr_cutlog_apply_move(m, cut->mesh.x);
        fr_cutlog_apply_move(m, cut->p);
    }
    return FR_OK;
}

static FrResult apply_nodes(FrCutMesh *cut, const FrCutLog *log) {
    int32_t moved = 0;
    if (log->first_node != cut->mesh.node_count) return not_following(cut, "node", 0);
    if (!fr_cutmesh_reserve(cut, log->node_count, 0)) return fr_no_memory(cut->ctx, "a cut log");
    for (int32_t k = 0; k < log->node_count; k++) {
        const FrNewNode *n = &log->nodes[k];
        int32_t id = log->first_node + k;
        FR_TRY(apply_moves(cut, log, id, &moved));
        if (n->a < 0 || n->a >= id || n->b < 0 || n->b >= id || !(n->t >= 0 && n->t <= 1))
            return not_following(cut, "node", k);
        for (int s = 0; s < 2; s++) {
            double *x = s ? cut->p : cut->mesh.x;
            FrVec3 a = fr_get3(x, n->a);
            fr_set3(x, id, n->a == n->b ? a : fr_lerp(a, fr_get3(x, n->b), n->t));
        }
        cut->mesh.node_count = cut->mesh.corner_count = id + 1;
    }
    return moved == log->move_count ? FR_OK : not_following(cut, "moved node", moved);
}

static bool can_follow(const FrCutMesh *cut, const FrSplitTet *s, bool first) {
    const FrTetMesh *mesh = &cut->mesh;
    if (first && (s->parent < 0 || s->parent >= mesh->tet_count || s->child != s->parent ||
                  memcmp(s->parent_node, mesh->tet[s->parent], sizeof s->parent_node) != 0))
        return false;
    if (!first && s->child != mesh->tet_count) return false;
    for (int i = 0; i < 4; i++) {
        if (s->node[i] < 0 || s->node[i] >= mesh->node_count) return false;
        for (int j = 0; j < i; j++)
            if (s->node[i] == s->node[j]) return false;
    }
    return true;
}

static FrResult apply_division(FrCutMesh *cut, const FrCutLog *log, int32_t entry) {
    const FrSplitTet *head = &log->tets[entry];
    for (int32_t k = entry; k < log->tet_count && log->tets[k].group == head->group; k++) {
        const FrSplitTet *s = &log->tets[k];
        bool first = k == entry;
        if (s->parent != head->parent ||
            memcmp(s->parent_node, head->parent_node, sizeof s->parent_node) != 0 ||
            !can_follow(cut, s, first))
            return not_following(cut, "tet", k);
        if (!first) {
            if (!fr_cutmesh_reserve(cut, 0, 1)) return fr_no_memory(cut->ctx, "a cut log");
            cut->mesh.tet_count++;
            cut->height[s->child] = cut->height[s->parent];
            if (cut->mesh.region) cut->mesh.region[s->child] = cut->mesh.region[s->parent];
        }
        for (int i = 0; i < 4; i++) {
            if (first) fr_cutmesh_leave(cut, s->parent_node[i], s->parent);
            cut->mesh.tet[s->child][i] = s->node[i];
        }
        for (int i = 0; i < 4; i++) {
            if (!fr_cutmesh_star_room(cut, s->node[i], cut->star[s->node[i]].count + 1))
                return fr_no_memory(cut->ctx, "a cut log");
            fr_cutmesh_join(cut, s->node[i], s->child);
        }
    }
    return FR_OK;
}

FrResult fr_cutmesh_apply(FrCutMesh *cut, const FrCutLog *log, double t) {
    int32_t face = 0, group = log->first_group;
    cut->clock = t;
    FR_TRY(apply_nodes(cut, log));
    for (int32_t k = 0; k < log->face_count; k++) {
        const FrOpenFace *f = &log->faces[k];
        if (f->group < (k ? log->faces[k - 1].group : log->first_group) ||
            f->group > log->first_group + log->group_count)
            return not_following(cut, "face", k);
    }
    for (int32_t k = 0; k < log->tet_count; group++) {
        FR_TRY(mark_faces(cut, log, &face, group));
        FR_TRY(apply_division(cut, log, k));
        FR_TRY(mark_division(cut, log, &k));
    }
    return mark_faces(cut, log, &face, INT32_MAX);
}

void fr_cutmesh_save(const FrCutMesh *cut, FrWriter *out) {
    const FrTetMesh *mesh = &cut->mesh;
    fr_write_i32(out, mesh->node_count);
    fr_write_i32(out, mesh->tet_count);
    fr_write_f64(out, cut->clock);
    for (int32_t k = 0; k < 3 * mesh->node_count; k++) fr_write_f64(out, mesh->x[k]);
    for (int32_t k = 0; k < 3 * mesh->node_count; k++) fr_write_f64(out, cut->p[k]);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        for (int i = 0; i < 4; i++) fr_write_i32(out, mesh->tet[e][i]);
        for (int i = 0; i < 4; i++) fr_write_f64(out, cut->opened[e][i]);
        fr_write_f64(out, cut->height[e]);
        fr_write_i32(out, mesh->region ? mesh->region[e] : 0);
    }
}

// all numbers of the mesh; its stars are filled afterwards
static bool read_mesh(FrCutMesh *cut, FrReader *in) {
    FrTetMesh *mesh = &cut->mesh;
    for (int32_t k = 0; k < 3 * mesh->node_count; k++)
        if (!isfinite(mesh->x[k] = fr_read_f64(in))) return false;
    for (int32_t k = 0; k < 3 * mesh->node_count; k++)
        if (!isfinite(cut->p[k] = fr_read_f64(in))) return false;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        for (int i = 0; i < 4; i++) {
            int32_t n = mesh->tet[e][i] = fr_read_i32(in);
            if (n < 0 || n >= mesh->node_count) return false;
        }
        for (int i = 0; i < 4; i++)
            if (!isfinite(cut->opened[e][i] = fr_read_f64(in))) return false;
        if (!isfinite(cut->height[e] = fr_read_f64(in))) return false;
        int32_t region = fr_read_i32(in);
        if (mesh->region) mesh->region[e] = region;
    }
    return !in->failed;
}

FrResult fr_cutmesh_load(FrCutMesh *cut, FrReader *in) {
    FrTetMesh *mesh = &cut->mesh;
    int32_t nodes = fr_read_i32(in), tets = fr_read_i32(in);
    double clock = fr_read_f64(in);
    size_t left = fr_reader_left(in);
    if (in->failed || nodes < mesh->node_count || tets < mesh->tet_count || !isfinite(clock) ||
        (uint64_t)nodes * 48 > left || (uint64_t)tets * 60 > left)
        return fr_fail(cut->ctx, FR_BAD_INPUT,
                       "a checkpoint: %d nodes, %d tets; %d and %d at least", nodes, tets,
                       mesh->node_count, mesh->tet_count);
    if (!fr_cutmesh_reserve(cut, nodes - mesh->node_count, tets - mesh->tet_count))
        return fr_no_memory(cut->ctx, "a mesh that can be cut");
    for (int32_t n = 0; n < mesh->node_count; n++) cut->star[n].count = 0;
    mesh->node_count = mesh->corner_count = nodes;
    mesh->tet_count = tets;
    cut->clock = clock;
    if (!read_mesh(cut, in))
        return fr_fail(cut->ctx, FR_BAD_INPUT, "a checkpoint: byte %zu: not a cut mesh", in->at);
    return fr_cutmesh_fill_stars(cut) ? FR_OK : fr_no_memory(cut->ctx, "a mesh that can be cut");
}
