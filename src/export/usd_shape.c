// usd_shape.c: which triangles each piece of a body has: skin or surface outside, cracks inside.

#include "export/usd_inside.h"
#include "skin/embed.h"
#include <string.h>

FrUsdBody *fr_usd_prim(FrUsdGather *g, const FrBodyView *view, int32_t body, int32_t piece) {
    for (int32_t k = 0; k < g->prim.count; k++)
        if (g->prim.data[k].body == body && g->prim.data[k].piece == piece) return &g->prim.data[k];
    const char *name = view->name ? view->name : "";
    FrUsdBody made = {.body = body,
                      .piece = piece,
                      .parent = view->parent.index1 - 1,
                      .name = fr_arena_text(&g->arena, name, strlen(name)),
                      .kind = view->kind,
                      .rigid = view->kind == FR_BODY_TETS && view->rigid && !view->deforms,
                      .radius = view->radius,
                      .material = view->material,
                      .at = FR_ARENA_NEW(&g->arena, uint64_t, g->frame_count),
                      .alive = FR_ARENA_NEW(&g->arena, uint8_t, g->frame_count)};
    if (!made.name || !made.at || !made.alive || !fr_array_push(g->ctx, &g->prim, made))
        return NULL;
    return &g->prim.data[g->prim.count - 1];
}

// a triangle of a body on its way to its piece
typedef struct Item {
    int32_t piece, tri; ///< tri: of the skin or the surface
    bool skin, inside;
} Item;

typedef struct Planner {
    FrUsdGather *g;
    const FrBodyView *view;
    FR_ARRAY(Item) item, sorted;
    FR_ARRAY(int32_t) start; ///< of each piece in `sorted`
    int32_t piece_count;
    int32_t *place; ///< of each skin point (fr_embedded_places): nodes, then points
    int32_t *point; ///< of each place in the prim; -1: none yet
} Planner;

static FrResult no_memory(Planner *p) { return fr_no_memory(p->g->ctx, "the shape of a body"); }

static bool add_item(Planner *p, int32_t piece, int32_t tri, bool skin, bool inside) {
    Item item = {piece, tri, skin, inside};
    p->piece_count = fr_max_i(p->piece_count, piece + 1);
    return fr_array_push(p->g->ctx, &p->item, item);
}

// outside first, then inside
static FrResult collect(Planner *p) {
    const FrSurface *s = p->view->surface;
    const FrEmbedded *e = p->view->embedded;
    for (int32_t k = 0; e && k < e->tri_count; k++)
        if (!add_item(p, e->piece ? e->piece[e->tri[k][0]] : 0, k, true,
                      k >= e->tri_count - e->closing_count))
            return no_memory(p);
    for (int pass = e ? 1 : 0; pass < 2 && !(e && e->closed); pass++)
        for (int32_t k = 0; k < s->tri_count; k++) {
            bool inside = s->opened && s->opened[k] >= 0;
            if (inside != (pass == 1)) continue;
            if (!add_item(p, s->piece ? s->piece[k] : 0, k, false, inside)) return no_memory(p);
        }
    return FR_OK;
}

// by piece, otherwise in the same order
static FrResult sort_items(Planner *p) {
    if (!fr_array_extend(p->g->ctx, &p->start, p->piece_count + 1) ||
        !fr_array_extend(p->g->ctx, &p->sorted, p->item.count))
        return no_memory(p);
    int32_t *start = p->start.data;
    for (int32_t k = 0; k < p->item.count; k++) start[p->item.data[k].piece + 1]++;
    for (int32_t k = 0; k < p->piece_count; k++) start[k + 1] += start[k];
    for (int32_t k = p->item.count - 1; k >= 0; k--)
        p->sorted.data[--start[p->item.data[k].piece + 1]] = p->item.data[k];
    // each start now sits one slot late
    for (int32_t k = 0; k < p->piece_count; k++) start[k] = start[k + 1];
    start[p->piece_count] = p->item.count;
    return FR_OK;
}

static const int32_t *corners_of(const Planner *p, const Item *item) {
    return item->skin ? p->view->embedded->tri[item->tri] : p->view->surface->tri[item->tri];
}

static int32_t place_of(const Planner *p, const Item *item, int c) {
    int32_t n = corners_of(p, item)[c];
    return item->skin ? p->place[n] : n;
}

static FrVec3 rest_of(const Planner *p, const Item *item, int c) {
    const FrTetMesh *mesh = p->view->mesh;
    int32_t n = corners_of(p, item)[c];
    if (!item->skin) return fr_get3(mesh->x, n);
    return fr_point_carried((const int32_t(*)[4])mesh->tet, &p->view->embedded->at[n], mesh->x);
}

// Seen along the axis that the rest normal is nearest to: 1 m of the rest shape is 1.
static void box_project(const Planner *p, const Item *item, float st[6]) {
    FrVec3 x[3];
    for (int c = 0; c < 3; c++) x[c] = rest_of(p, item, c);
    FrVec3 n = fr_cross(fr_sub(x[1], x[0]), fr_sub(x[2], x[0]));
    double size[3] = {fabs(n.x), fabs(n.y), fabs(n.z)};
    int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    for (int c = 0; c < 3; c++) {
        st[2 * c] = (float)fr_vec3_get(x[c], (axis + 1) % 3);
        st[2 * c + 1] = (float)fr_vec3_get(x[c], (axis + 2) % 3);
    }
}

static void corner_uvs(const Planner *p, const Item *item, float st[6]) {
    const FrEmbedded *e = p->view->embedded;
    if (!item->skin || item->inside || !e->uv) {
        box_project(p, item, st);
        return;
    }
    for (int c = 0; c < 3; c++) {
        st[2 * c] = (float)e->uv[2 * e->tri[item->tri][c]];
        st[2 * c + 1] = (float)e->uv[2 * e->tri[item->tri][c] + 1];
    }
}

// points of a piece in the order in which its triangles name them
static void number_points(Planner *p, FrUsdShape *shape, const Item *item) {
    int32_t nodes = p->view->mesh->node_count;
    for (int32_t k = 0; k < shape->tri_count; k++)
        for (int c = 0; c < 3; c++) {
            int32_t place = place_of(p, &item[k], c);
            if (p->point[place] < 0) {
                shape->source[shape->point_count] = place < nodes ? place : nodes - 1 - place;
                p->point[place] = shape->point_count++;
            }
            shape->tri[k][c] = p->point[place];
        }
    // the map is clean for the next piece
    for (int32_t k = 0; k < shape->tri_count; k++)
        for (int c = 0; c < 3; c++) p->point[place_of(p, &item[k], c)] = -1;
}

// when a crack opened it, s; -1: outside
static double opened_at(const Planner *p, const Item *item) {
    const FrEmbedded *e = p->view->embedded;
    if (!item->inside) return -1;
    return item->skin ? e->opened[item->tri - (e->tri_count - e->closing_count)]
                      : p->view->surface->opened[item->tri];
}

static bool allocate_shape(FrArena *arena, FrUsdShape *shape, bool broken) {
    size_t tris = (size_t)shape->tri_count;
    shape->source = FR_ARENA_NEW(arena, int32_t, 3 * tris);
    shape->tri = fr_arena_alloc(arena, tris, sizeof *shape->tri);
    shape->st = FR_ARENA_NEW(arena, float, 6 * tris);
    if (broken) shape->opened = FR_ARENA_NEW(arena, float, tris);
    return shape->source && shape->tri && shape->st && (!broken || shape->opened);
}

// where the points are in the axes of a rigid body
static FrResult rest_points(Planner *p, FrUsdShape *shape) {
    const FrTetMesh *mesh = p->view->mesh;
    shape->point = FR_ARENA_NEW(&p->g->arena, float, 3 * (size_t)shape->point_count);
    if (!shape->point) return no_memory(p);
    for (int32_t k = 0; k < shape->point_count; k++) {
        int32_t from = shape->source[k];
        FrVec3 x = from >= 0 ? fr_get3(mesh->x, from)
                             : fr_point_carried((const int32_t(*)[4])mesh->tet,
                                                &p->view->embedded->at[-1 - from], mesh->x);
        x = fr_usd_axes(&p->g->options, x);
        const double part[3] = {x.x, x.y, x.z};
        for (int c = 0; c < 3; c++) shape->point[3 * k + c] = (float)part[c];
    }
    return FR_OK;
}

static bool same_shape(const FrUsdShape *a, const FrUsdShape *b) {
    return a && a->point_count == b->point_count && a->tri_count == b->tri_count &&
           !a->opened == !b->opened &&
           !memcmp(a->source, b->source, (size_t)a->point_count * sizeof *a->source) &&
           !memcmp(a->tri, b->tri, (size_t)a->tri_count * sizeof *a->tri);
}

// the shape of one piece, added to its prim when it is another than before
static FrResult plan_piece(Planner *p, int32_t body, int32_t piece, int32_t frame) {
    FrUsdGather *g = p->g;
    const FrEmbedded *e = p->view->embedded;
    const Item *item = p->sorted.data + p->start.data[piece];
    bool broken = p->view->surface->opened != NULL;
    FrUsdShape *shape = FR_ARENA_NEW(&g->arena, FrUsdShape, 1);
    FrUsdBody *prim = fr_usd_prim(g, p->view, body, piece);
    if (!shape || !prim) return no_memory(p);
    shape->from = frame;
    shape->own_uv = e && e->uv;
    shape->tri_count = p->start.data[piece + 1] - p->start.data[piece];
    if (!allocate_shape(&g->arena, shape, broken)) return no_memory(p);
    number_points(p, shape, item);
    for (int32_t k = 0; k < shape->tri_count; k++) {
        corner_uvs(p, &item[k], shape->st + 6 * (size_t)k);
        shape->inside_count += item[k].inside;
        if (broken) shape->opened[k] = (float)opened_at(p, &item[k]);
    }
    if (prim->rigid) FR_TRY(rest_points(p, shape));
    if (same_shape(prim->last, shape)) return FR_OK;
    *(prim->last ? &prim->last->next : &prim->shape) = shape;
    prim->last = shape;
    return FR_OK;
}

static FrResult plan_pieces(Planner *p, int32_t body, int32_t frame) {
    FrContext *ctx = p->g->ctx;
    int32_t nodes = p->view->mesh->node_count;
    int32_t points = p->view->embedded ? p->view->embedded->point_count : 0;
    FR_TRY(collect(p));
    FR_TRY(sort_items(p));
    p->place = FR_NEW(ctx, int32_t, points);
    p->point = fr_alloc(ctx, sizeof(int32_t) * ((size_t)nodes + (size_t)points + 1));
    if (!p->place || !p->point) return no_memory(p);
    memset(p->point, 0xFF, sizeof(int32_t) * ((size_t)nodes + (size_t)points));
    if (points) FR_TRY(fr_embedded_places(ctx, p->view->mesh, p->view->embedded, p->place));
    for (int32_t k = 0; k < p->piece_count; k++)
        if (p->start.data[k + 1] > p->start.data[k]) FR_TRY(plan_piece(p, body, k, frame));
    return FR_OK;
}

FrResult fr_usd_plan_tets(FrUsdGather *g, const FrBodyView *view, int32_t body, int32_t frame) {
    Planner p = {.g = g, .view = view};
    FrResult result = plan_pieces(&p, body, frame);
    fr_array_free(g->ctx, &p.item);
    fr_array_free(g->ctx, &p.sorted);
    fr_array_free(g->ctx, &p.start);
    fr_free(g->ctx, p.place);
    fr_free(g->ctx, p.point);
    return result;
}
