// cells.c: a divided surface made, and followed as faces of its tets open.  [S5 section 5.2] [M13]

#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "skin/cells_inside.h"
#include <string.h>

static FrResult no_memory(const FrCells *c) { return fr_no_memory(c->ctx, "a divided skin"); }

void fr_cells_destroy(FrCells *c) {
    if (!c) return;
    FrContext *ctx = c->ctx;
    fr_tetmesh_free(ctx, &c->mesh);
    FR_FREE_ALL(ctx, c->face_of, c->edge_of, c->star_first, c->star, c->inside, c->poly_of,
                c->changed);
    fr_array_free(ctx, &c->face);
    fr_array_free(ctx, &c->edge);
    fr_array_free(ctx, &c->vertex);
    fr_array_free(ctx, &c->look);
    fr_array_free(ctx, &c->poly);
    fr_array_free(ctx, &c->corner);
    fr_array_free(ctx, &c->corner_point);
    fr_array_free(ctx, &c->segment);
    fr_array_free(ctx, &c->crossing);
    fr_table_free(ctx, &c->table);
    fr_array_free(ctx, &c->at);
    fr_array_free(ctx, &c->normal);
    fr_array_free(ctx, &c->uv);
    fr_array_free(ctx, &c->opened);
    fr_array_free(ctx, &c->tri);
    fr_array_free(ctx, &c->piece);
    fr_free(ctx, c);
}

// number of the edge of a tet between two of its corners
static int32_t edge_of_corners(const FrCells *c, int32_t tet, int i, int j) {
    for (int e = 0; e < 6; e++)
        if ((fr_tet_edge[e][0] == i && fr_tet_edge[e][1] == j) ||
            (fr_tet_edge[e][0] == j && fr_tet_edge[e][1] == i))
            return c->edge_of[tet][e];
    return -1;
}

static FrResult list_faces(FrCells *c, int32_t (*across)[4]) {
    for (int32_t e = 0; e < c->mesh.tet_count; e++)
        for (int i = 0; i < 4; i++) {
            int32_t other = across[e][i];
            if (other >= 0 && other < e) continue;
            const int8_t *f = fr_tet_face[i];
            FrCellFace face = {.tet = {e, other}, .corner = {i, -1}, .segment = -1, .opened = -1.0};
            for (int k = 0; k < 3; k++) face.edge[k] = edge_of_corners(c, e, f[k], f[(k + 1) % 3]);
            for (int j = 0; other >= 0 && j < 4; j++)
                if (across[other][j] == e) face.corner[1] = j;
            c->face_of[e][i] = c->face.count;
            if (other >= 0) c->face_of[other][face.corner[1]] = c->face.count;
            if (!fr_array_push(c->ctx, &c->face, face)) return no_memory(c);
        }
    return FR_OK;
}

static FrResult list_edges(FrCells *c) {
    FrEdges edges;
    FR_TRY(fr_tetmesh_edges(c->ctx, &c->mesh, &edges));
    memcpy(c->edge_of, edges.of_tet, (size_t)c->mesh.tet_count * sizeof *c->edge_of);
    bool room = fr_array_extend(c->ctx, &c->edge, edges.count);
    for (int32_t k = 0; room && k < edges.count; k++)
        c->edge.data[k] = (FrCellEdge){edges.node[k][0], edges.node[k][1], -1, -1};
    fr_edges_free(c->ctx, &edges);
    return room ? FR_OK : no_memory(c);
}

static void list_stars(FrCells *c) {
    int32_t *first = c->star_first, nodes = c->mesh.node_count;
    for (int32_t k = 0; k < 4 * c->mesh.tet_count; k++) first[c->mesh.tet[k / 4][k % 4] + 1]++;
    for (int32_t n = 0; n < nodes; n++) first[n + 1] += first[n];
    for (int32_t k = 4 * c->mesh.tet_count - 1; k >= 0; k--)
        c->star[--first[c->mesh.tet[k / 4][k % 4] + 1]] = k / 4;
    memmove(first, first + 1, (size_t)nodes * sizeof *first);
    first[nodes] = 4 * c->mesh.tet_count;
}

FrResult fr_cells_topology(FrCells *c) {
    size_t tets = (size_t)c->mesh.tet_count;
    int32_t(*across)[4];
    c->face_of = fr_alloc_zero(c->ctx, tets, sizeof *c->face_of);
    c->edge_of = fr_alloc_zero(c->ctx, tets, sizeof *c->edge_of);
    c->star_first = FR_NEW(c->ctx, int32_t, c->mesh.node_count + 1);
    c->star = FR_NEW(c->ctx, int32_t, 4 * tets);
    c->inside = FR_NEW(c->ctx, int8_t, c->mesh.node_count);
    c->poly_of = FR_NEW(c->ctx, int32_t, tets);
    c->changed = FR_NEW(c->ctx, uint8_t, tets);
    if (!c->face_of || !c->edge_of || !c->star_first || !c->star || !c->inside || !c->poly_of ||
        !c->changed)
        return no_memory(c);
    FR_TRY(list_edges(c));
    FR_TRY(fr_tet_neighbours(c->ctx, &c->mesh, &across));
    FrResult result = list_faces(c, across);
    fr_free(c->ctx, across);
    list_stars(c);
    return result;
}

// crossings of an edge by their places, each the other way than the one before
static FrResult sort_crossings(FrCells *c, FrCellEdge *edge, bool inside) {
    int32_t at[64], count = 0;
    for (int32_t k = edge->crossing; k >= 0; k = c->crossing.data[k].next) {
        if (count == 64)
            return fr_fail(c->ctx, FR_BAD_INPUT, "an edge of a tet meets the skin over 64 times");
        int32_t j = count++;
        for (; j > 0 && c->crossing.data[at[j - 1]].t > c->crossing.data[k].t; j--)
            at[j] = at[j - 1];
        at[j] = k;
    }
    edge->crossing = -1;
    for (int32_t k = 0, *last = &edge->crossing; k < count; k++, inside = !inside) {
        int32_t j = k; // of some that lie together the next one that goes this way
        while (j < count && c->crossing.data[at[j]].enters == inside) j++;
        if (j == count)
            return fr_fail(c->ctx, FR_BAD_INPUT, "the skin crosses itself: it has no inside");
        int32_t one = at[j];
        for (; j > k; j--) at[j] = at[j - 1];
        at[k] = one;
        *last = one;
        last = &c->crossing.data[one].next;
        *last = -1;
    }
    return FR_OK;
}

static int32_t crossings_of(const FrCells *c, const FrCellEdge *edge) {
    int32_t count = 0;
    for (int32_t k = edge->crossing; k >= 0; k = c->crossing.data[k].next) count++;
    return count;
}

// from nodes of the outside, along edges
FrResult fr_cells_find_inside(FrCells *c) {
    FR_ARRAY(int32_t) queue = {0};
    FrResult result = FR_OK;
    for (int32_t n = 0; n < c->mesh.node_count; n++) c->inside[n] = -1;
    for (int32_t k = 0; k < c->face.count && result == FR_OK; k++) {
        const FrCellFace *f = &c->face.data[k];
        for (int i = 0; f->tet[1] < 0 && i < 3; i++) {
            int32_t node = c->mesh.tet[f->tet[0]][fr_tet_face[f->corner[0]][i]];
            if (c->inside[node] < 0 && !fr_array_push(c->ctx, &queue, node)) result = no_memory(c);
            c->inside[node] = 0;
        }
    }
    for (int32_t k = 0; k < queue.count && result == FR_OK; k++) {
        int32_t node = queue.data[k];
        for (int32_t j = c->star_first[node]; j < c->star_first[node + 1] && result == FR_OK; j++)
            for (int e = 0; e < 6; e++) {
                const FrCellEdge *edge = &c->edge.data[c->edge_of[c->star[j]][e]];
                int32_t other = edge->a == node ? edge->b : edge->a;
                if ((edge->a != node && edge->b != node) || c->inside[other] >= 0) continue;
                c->inside[other] = (int8_t)(c->inside[node] ^ (crossings_of(c, edge) & 1));
                if (!fr_array_push(c->ctx, &queue, other)) result = no_memory(c);
            }
    }
    fr_array_free(c->ctx, &queue);
    for (int32_t k = 0; k < c->edge.count && result == FR_OK; k++)
        result = sort_crossings(c, &c->edge.data[k], c->inside[c->edge.data[k].a]);
    return result;
}

FrResult fr_cells_add_poly(FrCells *c, int32_t tet, const int32_t *look, int32_t count) {
    FrCellPoly poly = {tet, c->corner.count, count, c->tri.count / 3, c->poly_of[tet]};
    c->poly_of[tet] = c->poly.count;
    if (!fr_array_push(c->ctx, &c->poly, poly) ||
        !fr_array_extend(c->ctx, &c->tri, 3 * (count - 2)))
        return no_memory(c);
    for (int32_t k = 0; k < count; k++)
        if (!fr_array_push(c->ctx, &c->corner, look[k])) return no_memory(c);
    return FR_OK;
}

static bool is_open(const FrCells *c, int32_t face) { return c->face.data[face].opened >= 0.0; }

static int32_t behind(const FrCells *c, int32_t face, int32_t tet) {
    const FrCellFace *f = &c->face.data[face];
    return f->tet[0] == tet ? f->tet[1] : f->tet[0];
}

// is a simplex part of the face of a tet opposite corner i?
static bool has_simplex(const FrCells *c, int32_t tet, int i, const FrCellVertex *v) {
    const int32_t *n = c->mesh.tet[tet];
    for (int k = 0; k < 4; k++)
        if (v->node[k] >= 0 && v->node[k] == n[i]) return false;
    return true;
}

// The lowest of the tets round an edge or a node that hang together with this one by faces which
// hold it and are shut.
static int32_t lowest_round(const FrCells *c, const FrCellVertex *v, int32_t tet) {
    int32_t found[512], count = 1, lowest = tet;
    found[0] = tet;
    for (int32_t k = 0; k < count; k++)
        for (int i = 0; i < 4; i++) {
            int32_t e = found[k], face = c->face_of[e][i], other = behind(c, face, e);
            if (other < 0 || is_open(c, face) || !has_simplex(c, e, i, v)) continue;
            bool known = false;
            for (int32_t j = 0; j < count && !known; j++) known = found[j] == other;
            if (known || count == 512) continue;
            found[count++] = other;
            lowest = fr_min_i(lowest, other);
        }
    return lowest;
}

// the tet that a vertex hangs on where this tet has it: one for all that still hang together there
static int32_t tet_for(const FrCells *c, int32_t vertex, int32_t tet) {
    const FrCellVertex *v = &c->vertex.data[vertex];
    if (v->kind == FR_CELL_INNER) return v->simplex;
    if (v->kind != FR_CELL_ON_FACE) return lowest_round(c, v, tet);
    const FrCellFace *f = &c->face.data[v->simplex];
    return is_open(c, v->simplex) ? tet : f->tet[0];
}

// what hangs on this tet by weights of nodes
static FrPoint point_on(const FrCells *c, const FrCellVertex *v, int32_t tet) {
    FrPoint at = {.tet = tet};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            if (v->node[k] >= 0 && v->node[k] == c->mesh.tet[tet][i]) at.b[i] = v->weight[k];
    return at;
}

// the point of the surface with this look on this tet
static FrResult point_for(FrCells *c, int32_t look, int32_t tet, int32_t *point) {
    const FrCellLook *l = &c->look.data[look];
    int32_t on = tet_for(c, l->vertex, tet);
    if (!fr_table_reserve(c->ctx, &c->table, 1)) return no_memory(c);
    *point = fr_table_add(&c->table, fr_cells_key(0, look, on), c->at.count);
    if (*point < c->at.count) return FR_OK;
    FrPoint at = point_on(c, &c->vertex.data[l->vertex], on);
    bool room = fr_array_push(c->ctx, &c->at, at) && fr_array_push(c->ctx, &c->piece, 0);
    room = room && fr_array_extend(c->ctx, &c->normal, 3);
    if (room) fr_set3(c->normal.data, *point, l->normal);
    for (int a = 0; room && c->has_uv && a < 2; a++) room = fr_array_push(c->ctx, &c->uv, l->uv[a]);
    return room ? FR_OK : no_memory(c);
}

// corners of a polygon as they hang now
static FrResult hang(FrCells *c, const FrCellPoly *poly) {
    int32_t *at = c->corner_point.data + poly->first;
    for (int32_t k = 0; k < poly->count; k++)
        FR_TRY(point_for(c, c->corner.data[poly->first + k], poly->tet, &at[k]));
    for (int32_t k = 0; k + 2 < poly->count; k++) {
        int32_t *tri = c->tri.data + 3 * (size_t)(poly->tri + k);
        tri[0] = at[0], tri[1] = at[k + 1], tri[2] = at[k + 2];
    }
    return FR_OK;
}

static void show(FrCells *c) {
    c->surface = (FrEmbedded){.point_count = c->at.count,
                              .tri_count = c->tri.count / 3,
                              .at = c->at.data,
                              .normal = c->normal.data,
                              .uv = c->has_uv ? c->uv.data : NULL,
                              .tri = (int32_t(*)[3])(void *)c->tri.data,
                              .piece = c->piece.data,
                              .closing_count = c->opened.count,
                              .opened = c->opened.count ? c->opened.data : NULL,
                              .closed = true};
}

// normals of all looks, from the triangles, where the surface brings none
static FrResult find_normals(FrCells *c) {
    FrVec3 *sum = FR_NEW(c->ctx, FrVec3, c->vertex.count);
    if (!sum) return no_memory(c);
    for (int32_t k = 0; k < c->poly.count; k++) {
        const FrCellPoly *poly = &c->poly.data[k];
        const int32_t *corner = c->corner.data + poly->first;
        FrVec3 o = fr_cells_place(c, c->look.data[corner[0]].vertex), n = fr_vec3_zero;
        for (int32_t j = 1; j + 1 < poly->count; j++) {
            FrVec3 a = fr_cells_place(c, c->look.data[corner[j]].vertex);
            FrVec3 b = fr_cells_place(c, c->look.data[corner[j + 1]].vertex);
            n = fr_add(n, fr_cross(fr_sub(a, o), fr_sub(b, o)));
        }
        for (int32_t j = 0; j < poly->count; j++) {
            int32_t v = c->look.data[corner[j]].vertex;
            sum[v] = fr_add(sum[v], n);
        }
    }
    for (int32_t k = 0; k < c->look.count; k++)
        c->look.data[k].normal = fr_normalize(sum[c->look.data[k].vertex]);
    fr_free(c->ctx, sum);
    return FR_OK;
}

static FrResult add_node_vertices(FrCells *c) {
    c->node_vertex = c->vertex.count;
    for (int32_t n = 0; n < c->mesh.node_count; n++) {
        FrCellVertex v = {FR_CELL_NODE, n, {n, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}};
        if (!fr_array_push(c->ctx, &c->vertex, v)) return no_memory(c);
    }
    return FR_OK;
}

static FrResult add_middles(FrCells *c) {
    for (int32_t k = 0; k < c->edge.count; k++) {
        FrCellEdge *e = &c->edge.data[k];
        FrCellVertex v = {FR_CELL_ON_EDGE, k, {e->a, e->b, -1, -1}, {0.5, 0.5, 0.0, 0.0}};
        if (!c->inside[e->a] || e->crossing >= 0) continue;
        e->middle = c->vertex.count;
        if (!fr_array_push(c->ctx, &c->vertex, v)) return no_memory(c);
    }
    return FR_OK;
}

static FrResult fill(FrCells *c, const FrTetMesh *mesh, const FrEmbedded *whole) {
    if (mesh->order != 1) return fr_fail(c->ctx, FR_BAD_INPUT, "cells need 4-node tets");
    FR_TRY(fr_tetmesh_copy(c->ctx, mesh, &c->mesh));
    FR_TRY(fr_cells_topology(c));
    c->has_uv = whole->uv != NULL;
    FR_TRY(fr_cells_divide(c, whole));
    FR_TRY(add_node_vertices(c));
    FR_TRY(fr_cells_find_inside(c));
    FR_TRY(add_middles(c));
    if (!whole->normal) FR_TRY(find_normals(c));
    if (!fr_array_extend(c->ctx, &c->corner_point, c->corner.count)) return no_memory(c);
    for (int32_t k = 0; k < c->poly.count; k++) FR_TRY(hang(c, &c->poly.data[k]));
    show(c);
    return FR_OK;
}

FrResult fr_cells_create(FrContext *ctx, const FrTetMesh *mesh, const FrEmbedded *whole,
                         FrCells **out) {
    FrCells *c = FR_NEW(ctx, FrCells, 1);
    *out = NULL;
    if (!c) return fr_no_memory(ctx, "a divided skin");
    c->ctx = ctx;
    FrResult result = fill(c, mesh, whole);
    if (result == FR_OK)
        *out = c;
    else
        fr_cells_destroy(c);
    return result;
}

// triangles of one side of an opened face; flat, as seen from there
static FrResult add_cap_side(FrCells *c, int32_t face, int side, const FrCellCap *cap) {
    FrCellFace f = c->face.data[face];
    const int8_t *k = fr_tet_face[f.corner[side]];
    const int32_t *n = c->mesh.tet[f.tet[side]];
    FrVec3 o = fr_get3(c->mesh.x, n[k[0]]), a = fr_sub(fr_get3(c->mesh.x, n[k[1]]), o);
    FrVec3 normal = fr_normalize(fr_cross(a, fr_sub(fr_get3(c->mesh.x, n[k[2]]), o)));
    FrVec3 u = fr_normalize(a), v = fr_cross(normal, u);
    FrTable looks = {0};
    FrResult result = fr_table_reserve(c->ctx, &looks, cap->count) ? FR_OK : no_memory(c);
    for (int32_t j = 0; j < cap->count && result == FR_OK; j += 3) {
        int32_t look[3];
        for (int i = 0; i < 3 && result == FR_OK; i++) {
            int32_t vertex = cap->data[side ? j + 2 - i : j + i];
            look[i] = fr_table_add(&looks, (uint64_t)vertex, c->look.count);
            if (look[i] < c->look.count) continue;
            FrVec3 x = fr_sub(fr_cells_place(c, vertex), o);
            FrCellLook made = {vertex, normal, {fr_dot(x, u), fr_dot(x, v)}};
            if (!fr_array_push(c->ctx, &c->look, made)) result = no_memory(c);
        }
        if (result == FR_OK) result = fr_cells_add_poly(c, f.tet[side], look, 3);
        if (result == FR_OK && (!fr_array_extend(c->ctx, &c->corner_point, 3) ||
                                !fr_array_push(c->ctx, &c->opened, f.opened)))
            result = no_memory(c);
    }
    fr_table_free(c->ctx, &looks);
    return result;
}

static void note_changed(FrCells *c, const FrCellFace *face) {
    const int8_t *f = fr_tet_face[face->corner[0]];
    for (int i = 0; i < 3; i++) {
        int32_t node = c->mesh.tet[face->tet[0]][f[i]];
        for (int32_t k = c->star_first[node]; k < c->star_first[node + 1]; k++)
            c->changed[c->star[k]] = 1;
    }
}

FrResult fr_cells_follow(FrCells *c, const FrCutMesh *cut, const int32_t *piece) {
    const double(*opened)[4] = fr_cutmesh_opened(cut);
    FrCellCap cap = {0};
    FrResult result = FR_OK;
    if (fr_cutmesh_view(cut)->tet_count != c->mesh.tet_count)
        return fr_fail(c->ctx, FR_BAD_USE, "cells follow cuts along faces only");
    memset(c->changed, 0, (size_t)c->mesh.tet_count);
    for (int32_t k = 0; k < c->face.count && result == FR_OK; k++) {
        FrCellFace *f = &c->face.data[k];
        double t = opened[f->tet[0]][f->corner[0]];
        if (f->tet[1] < 0 || f->opened >= 0.0 || !(t >= 0.0)) continue;
        f->opened = t;
        note_changed(c, f);
        result = fr_cells_cap(c, k, &cap);
        for (int side = 0; side < 2 && result == FR_OK; side++)
            result = add_cap_side(c, k, side, &cap);
    }
    fr_array_free(c->ctx, &cap);
    for (int32_t e = 0; e < c->mesh.tet_count; e++)
        for (int32_t k = c->poly_of[e]; c->changed[e] && k >= 0 && result == FR_OK;
             k = c->poly.data[k].next)
            result = hang(c, &c->poly.data[k]);
    for (int32_t k = 0; k < c->at.count; k++)
        c->piece.data[k] = piece ? piece[c->at.data[k].tet] : 0;
    show(c);
    return result;
}

const FrEmbedded *fr_cells_surface(const FrCells *c) { return &c->surface; }
