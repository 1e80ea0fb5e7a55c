// embed_close.c: the gap between a cut surface and the faces that the cracks opened, closed: piece
// by piece, and what came of it handed over as triangles of the skin.

#include "skin/embed_close.h"
#include "skin/embed_gap.h"
#include <string.h>

static FrResult add_point(FrCloser *c, FrPoint at, int32_t piece) {
    return fr_array_push(c->ctx, &c->point, at) && fr_array_push(c->ctx, &c->point_piece, piece)
               ? FR_OK
               : fr_closer_no_memory(c);
}

// a point of the skin that a strip along it has for a corner; -1: it is no such strip
static int32_t corner_of_skin(const FrCloser *c, const FrCloseTri *tri) {
    for (int i = 0; tri->opened < 0 && i < 3; i++)
        if (tri->v[i] >= c->mesh->node_count) return tri->v[i] - c->mesh->node_count;
    return -1;
}

static FrPoint point_at(const FrCloser *c, int32_t v) {
    if (v >= c->mesh->node_count) return c->skin->at[v - c->mesh->node_count];
    FrPoint at = {.tet = c->node_tet[v]};
    for (int j = 0; j < 4; j++) at.b[j] = c->mesh->tet[at.tet][j] == v;
    return at;
}

// corners of the triangles made from `from` on: points of the skin, new ones for nodes, and for
// strips along the skin, which may fold over it
static FrResult add_corners(FrCloser *c, int32_t from) {
    int32_t nodes = c->mesh->node_count;
    for (int32_t k = from; k < c->made.count; k++)
        for (int i = 0; i < 3; i++) {
            const FrCloseTri *tri = &c->made.data[k];
            int32_t v = tri->v[i], point = v - nodes;
            if (v < nodes || corner_of_skin(c, tri) >= 0) {
                point = c->skin->point_count + c->point.count;
                FR_TRY(add_point(c, point_at(c, v), tri->piece));
            }
            if (!fr_array_push(c->ctx, &c->corner, point)) return fr_closer_no_memory(c);
        }
    return FR_OK;
}

static FrResult close_pieces(FrCloser *c) {
    int32_t skins = c->skin->tri_count, all = skins + c->surface->tri_count, *order;
    uint64_t *piece = FR_NEW(c->ctx, uint64_t, all);
    if (!piece) return fr_closer_no_memory(c);
    for (int32_t k = 0; k < all; k++)
        piece[k] = (uint64_t)(k < skins ? c->skin->piece[c->skin->tri[k][0]]
                                        : c->surface->piece[k - skins]);
    FrResult result = fr_sort_keys(c->ctx, piece, all, &order);
    for (int32_t k = 0, end; k < all && result == FR_OK; k = end) {
        int32_t before = c->made.count;
        for (end = k + 1; end < all && piece[order[end]] == piece[order[k]];) end++;
        result = fr_close_piece(c, order + k, end - k, (int32_t)piece[order[k]]);
        if (result == FR_OK) result = add_corners(c, before);
    }
    fr_free(c->ctx, piece);
    fr_free(c->ctx, order);
    return result;
}

static bool grow(FrContext *ctx, void *array, size_t bytes) {
    void *old;
    memcpy(&old, array, sizeof old);
    void *larger = fr_resize(ctx, old, bytes);
    if (larger) memcpy(array, &larger, sizeof larger);
    return larger != NULL;
}

static bool grow_points(const FrCloser *c, FrEmbedded *skin) {
    size_t points = (size_t)(skin->point_count + c->point.count);
    return grow(c->ctx, &skin->at, points * sizeof *skin->at) &&
           grow(c->ctx, &skin->piece, points * sizeof *skin->piece) &&
           (!skin->normal || grow(c->ctx, &skin->normal, 3 * points * sizeof *skin->normal)) &&
           (!skin->uv || grow(c->ctx, &skin->uv, 2 * points * sizeof *skin->uv));
}

// Strips along the skin look as the skin does at their corners of it; where they fold over it they
// are seen from behind. What tets show is flat.
static void fill_looks(const FrCloser *c, const FrCloseTri *tri, const int32_t corner[3],
                       FrEmbedded *skin) {
    FrVec3 n = fr_normalize(fr_closer_area(c, tri->v)), flat = n;
    int32_t own = corner_of_skin(c, tri), nodes = c->mesh->node_count;
    if (own >= 0 && skin->normal) n = fr_get3(skin->normal, own);
    if (fr_dot(n, flat) < 0) n = fr_neg(n);
    for (int i = 0; i < 3; i++) {
        if (own < 0 && tri->v[i] >= nodes) continue;
        if (skin->normal) fr_set3(skin->normal, corner[i], n);
        if (!skin->uv) continue;
        double *uv = skin->uv + 2 * (size_t)corner[i];
        size_t from = tri->v[i] >= nodes ? (size_t)(tri->v[i] - nodes) : 0;
        memcpy(uv, skin->uv + 2 * from, 2 * sizeof *uv); // strips inside have none of the skin's
        if (tri->opened < 0 && tri->v[i] < nodes) fr_uv_find(&c->uv, c->x[tri->v[i]], uv);
    }
}

// what was dropped lies among the first `tris`
static void drop_triangles(const FrCloser *c, int32_t tris, FrEmbedded *skin) {
    int32_t kept = 0;
    for (int32_t t = 0; t < skin->tri_count; t++)
        if (t >= tris || !c->dropped[t])
            memmove(skin->tri[kept++], skin->tri[t], sizeof *skin->tri);
    skin->tri_count = kept;
}

// outside first
static FrResult hand_over(FrCloser *c, FrEmbedded *skin) {
    int32_t before = skin->tri_count;
    size_t tris = (size_t)(before + c->made.count);
    if (skin->uv)
        FR_TRY(fr_uv_finder_create(c->ctx, skin, c->x + c->mesh->node_count, before, &c->uv));
    skin->opened = FR_NEW(c->ctx, double, c->made.count);
    if (!skin->opened || !grow_points(c, skin) ||
        !grow(c->ctx, &skin->tri, tris * sizeof *skin->tri))
        return fr_closer_no_memory(c);
    for (int32_t k = 0; k < c->point.count; k++) {
        skin->at[skin->point_count + k] = c->point.data[k];
        skin->piece[skin->point_count + k] = c->point_piece.data[k];
    }
    for (int inside = 0; inside < 2; inside++)
        for (int32_t k = 0; k < c->made.count; k++) {
            const FrCloseTri *tri = &c->made.data[k];
            const int32_t *corner = c->corner.data + 3 * (size_t)k;
            if ((tri->opened >= 0) != inside) continue;
            fill_looks(c, tri, corner, skin);
            memcpy(skin->tri[skin->tri_count++], corner, sizeof *skin->tri);
            if (inside) skin->opened[skin->closing_count++] = tri->opened;
        }
    skin->point_count += c->point.count;
    drop_triangles(c, before, skin);
    return FR_OK;
}

static bool prepare(FrCloser *c) {
    size_t vertices = (size_t)c->mesh->node_count + (size_t)c->skin->point_count;
    c->x = FR_NEW(c->ctx, FrVec3, vertices);
    c->normal = FR_NEW(c->ctx, FrVec3, vertices);
    c->place = FR_NEW(c->ctx, int32_t, c->skin->point_count);
    c->dropped = FR_NEW(c->ctx, bool, c->skin->tri_count);
    c->aside = FR_NEW(c->ctx, FrVec3, vertices);
    c->label = FR_NEW(c->ctx, int32_t, vertices);
    c->leaving = FR_NEW(c->ctx, int32_t, vertices);
    c->on_path = FR_NEW(c->ctx, int32_t, vertices);
    c->opened = FR_NEW(c->ctx, double, c->mesh->node_count);
    c->node_tet = FR_NEW(c->ctx, int32_t, c->mesh->node_count);
    if (!c->x || !c->normal || !c->aside || !c->place || !c->dropped || !c->label || !c->leaving ||
        !c->on_path || !c->opened || !c->node_tet)
        return false;
    for (size_t v = 0; v < vertices; v++) c->leaving[v] = c->on_path[v] = -1;
    const int32_t(*tet)[4] = (const int32_t(*)[4])c->mesh->tet;
    int32_t nodes = c->mesh->node_count;
    for (int32_t n = 0; n < nodes; n++) c->x[n] = fr_get3(c->mesh->x, n);
    for (int32_t k = 0; k < c->skin->point_count; k++)
        c->x[nodes + k] = fr_point_carried(tet, &c->skin->at[k], c->mesh->x);
    return true;
}

static void add_normal(FrCloser *c, const int32_t v[3]) {
    for (int i = 0; i < 3; i++) c->normal[v[i]] = fr_add(c->normal[v[i]], fr_closer_area(c, v));
}

static void find_normals(FrCloser *c) {
    for (int32_t t = 0; t < c->skin->tri_count; t++) {
        int32_t v[3];
        for (int i = 0; i < 3; i++) v[i] = c->place[c->skin->tri[t][i]];
        add_normal(c, v);
    }
    for (int32_t t = 0; t < c->surface->tri_count; t++)
        if (c->surface->opened[t] < 0) add_normal(c, c->surface->tri[t]);
}

FrResult fr_embedded_close(FrContext *ctx, const FrTetMesh *mesh, const FrSurface *surface,
                           FrEmbedded *skin) {
    FrCloser c = {.ctx = ctx, .mesh = mesh, .surface = surface, .skin = skin};
    if (!surface->opened || !surface->piece || !skin->piece) return FR_OK;
    FrResult result = prepare(&c) ? FR_OK : fr_closer_no_memory(&c);
    if (result == FR_OK) result = fr_embedded_places(ctx, mesh, skin, c.place);
    if (result == FR_OK) find_normals(&c);
    if (result == FR_OK) result = close_pieces(&c);
    if (result == FR_OK) result = hand_over(&c, skin);
    FR_FREE_ALL(ctx, c.x, c.normal, c.aside, c.place, c.dropped, c.label, c.leaving, c.on_path,
                c.opened, c.node_tet);
    fr_uv_finder_free(ctx, &c.uv);
    fr_table_free(ctx, &c.line);
    fr_array_free(ctx, &c.key);
    fr_array_free(ctx, &c.side);
    fr_array_free(ctx, &c.skin_border);
    fr_array_free(ctx, &c.tet_border);
    fr_array_free(ctx, &c.path);
    fr_array_free(ctx, &c.loop);
    fr_array_free(ctx, &c.loop_vertex);
    fr_array_free(ctx, &c.made);
    fr_array_free(ctx, &c.point);
    fr_array_free(ctx, &c.point_piece);
    fr_array_free(ctx, &c.corner);
    return result;
}
