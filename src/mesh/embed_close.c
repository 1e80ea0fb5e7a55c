// embed_close.c: the gap between a cut surface and the faces that the cracks opened, closed.

#include "mesh/embed_close.h"
#include "base/array.h"
#include "mesh/embed.h"
#include "mesh/embed_uv.h"
#include "mesh/table.h"
#include "mesh/zip.h"
#include <string.h>

#define INWARD 0.1 ///< part of the way to the third corner of a triangle
/// Strips that lie along the skin are part of it: cosine of the angle between them.
#define ALONG 0.7
/// Chips whose skin holds more or less than their tets by this share show their tets instead.
#define POOR 0.2

// A side of a triangle. Vertices as fr_embedded_places numbers them: nodes, then points.
typedef struct Side {
    int32_t from, to;
    int32_t apex; ///< third corner of the triangle; -1: of none
    int32_t next; ///< another that leaves `from`; -1: none
    bool gone;    ///< met by one that runs against it, or walked
} Side;

typedef FR_ARRAY(Side) Border;

typedef struct Tri {
    int32_t v[3];
    double opened; ///< s; -1: outside
    int32_t piece;
} Tri;

// a loop of a border
typedef struct Loop {
    int32_t begin, count; ///< in loop_vertex
    int32_t mate;         ///< loop of the other border that runs beside it; -1: none
} Loop;

typedef struct Closer {
    FrContext *ctx;
    const FrTetMesh *mesh;
    const FrSurface *surface;
    const FrEmbedded *skin;
    FrUvFinder uv;    ///< of the skin as it came
    FrVec3 *x;        ///< rest place of each vertex, m
    FrVec3 *normal;   ///< of each vertex of the skin or outside, as long as its triangles are large
    int32_t *place;   ///< vertex of each skin point
    bool *dropped;    ///< triangles of the skin that give way to faces of tets
    FrVec3 *aside;    ///< the same, of a border a little into its triangles
    int32_t *label;   ///< of a vertex of the skin's border: the nearest one of the tets', or itself
    int32_t *leaving; ///< first side that leaves a vertex; -1: none
    int32_t *on_path; ///< place of a vertex on the path; -1: not on it
    int32_t *node_tet; ///< a tet of this piece at each node
    double *opened;    ///< when the first crack of this piece came to each node, s; -1: none did
    double first;      ///< when its first crack came, s
    FR_ARRAY(uint64_t) key;
    FR_ARRAY(Side) side;
    FrTable line;                   ///< vertices that a side runs between already
    Border skin_border, tet_border; ///< of what the piece has of the skin and of the outside
    FR_ARRAY(int32_t) path;         ///< vertices
    FR_ARRAY(Loop) loop;            ///< of the skin's border, then of the tets'
    FR_ARRAY(int32_t) loop_vertex;
    FR_ARRAY(Tri) made;
    FR_ARRAY(FrPoint) point; ///< new ones
    FR_ARRAY(int32_t) point_piece;
    FR_ARRAY(int32_t) corner; ///< of triangles made, as points of the skin
} Closer;

static FrResult no_memory(const Closer *c) { return fr_no_memory(c->ctx, "a closed surface"); }

static double apart(const Closer *c, int32_t v, int32_t w) { return fr_distance(c->x[v], c->x[w]); }

static uint64_t line_key(int32_t v, int32_t w) {
    return (uint64_t)fr_min_i(v, w) << 32 | (uint32_t)fr_max_i(v, w);
}

static FrResult add_lines(Closer *c, const int32_t v[3]) {
    if (!fr_table_reserve(c->ctx, &c->line, 3)) return no_memory(c);
    for (int i = 0; i < 3; i++) fr_table_add(&c->line, line_key(v[i], v[(i + 1) % 3]), 0);
    return FR_OK;
}

static FrResult add_side(Closer *c, int32_t from, int32_t to, int32_t apex) {
    uint64_t key = line_key(from, to);
    if (from == to) return FR_OK;
    return fr_array_push(c->ctx, &c->side, ((Side){from, to, apex, -1, false})) &&
                   fr_array_push(c->ctx, &c->key, key)
               ? FR_OK
               : no_memory(c);
}

static FrResult add_sides(Closer *c, const int32_t v[3]) {
    for (int i = 0; i < 3; i++) FR_TRY(add_side(c, v[i], v[(i + 1) % 3], v[(i + 2) % 3]));
    return FR_OK;
}

static FrVec3 area_of(const Closer *c, const int32_t v[3]) {
    return fr_cross(fr_sub(c->x[v[1]], c->x[v[0]]), fr_sub(c->x[v[2]], c->x[v[0]]));
}

// Cracks are cut a little beside where the tets have them: what is between runs along the skin, and
// is no inside. A strip may fold over the skin, so either of its sides counts.
static bool lies_along_skin(const Closer *c, const int32_t v[3]) {
    FrVec3 n = fr_normalize(area_of(c, v)), out = fr_vec3_zero;
    for (int i = 0; i < 3; i++) out = fr_add(out, fr_normalize(c->normal[v[i]]));
    return fabs(fr_dot(n, fr_normalize(out))) > ALONG;
}

static FrResult add_made(Closer *c, int32_t u, int32_t v, int32_t w, double opened, int32_t piece) {
    if (u == v || v == w || w == u) return FR_OK;
    if (lies_along_skin(c, (int32_t[3]){u, v, w})) opened = -1;
    if (!fr_array_push(c->ctx, &c->made, ((Tri){{u, v, w}, opened, piece}))) return no_memory(c);
    return add_lines(c, (int32_t[3]){u, v, w});
}

// order[begin..end) are sides between the same two vertices
static void take_pairs(Closer *c, const int32_t *order, int32_t begin, int32_t end) {
    for (int32_t k = begin; k < end; k++) {
        Side *side = &c->side.data[order[k]];
        for (int32_t j = k + 1; j < end && !side->gone; j++) {
            Side *other = &c->side.data[order[j]];
            if (!other->gone && other->from == side->to) side->gone = other->gone = true;
        }
    }
}

// those that none runs against
static FrResult keep_border(Closer *c) {
    int32_t *order, kept = 0;
    FR_TRY(fr_sort_keys(c->ctx, c->key.data, c->key.count, &order));
    for (int32_t k = 0, end; k < c->key.count; k = end) {
        end = k + 1;
        while (end < c->key.count && c->key.data[order[end]] == c->key.data[order[k]]) end++;
        take_pairs(c, order, k, end);
    }
    fr_free(c->ctx, order);
    for (int32_t k = 0; k < c->side.count; k++)
        if (!c->side.data[k].gone) c->side.data[kept++] = c->side.data[k];
    c->side.count = kept;
    c->key.count = 0;
    return FR_OK;
}

// the two sides of a crack that is not open are at one place: apart, a little into their triangles
static void shift(Closer *c, const Side *side, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        c->aside[side[k].from] = c->x[side[k].from];
        c->aside[side[k].to] = c->x[side[k].to];
    }
    for (int32_t k = 0; k < count; k++)
        for (int i = 0; i < 2; i++) {
            int32_t v = i ? side[k].to : side[k].from;
            FrVec3 in = fr_sub(c->x[side[k].apex], c->x[v]);
            c->aside[v] = fr_axpy(INWARD, in, c->aside[v]);
        }
}

// the nearest vertex of the tets' border that is not farther off than `reach`; itself: none is
static int32_t nearest_of_tets(const Closer *c, int32_t v, double reach) {
    int32_t best = v;
    double least = reach;
    for (int32_t k = 0; k < c->tet_border.count; k++) {
        double d = fr_distance(c->aside[v], c->aside[c->tet_border.data[k].from]);
        if (d < least) least = d, best = c->tet_border.data[k].from;
    }
    return best;
}

static double longest_side(const Closer *c) {
    double longest = 0;
    for (int32_t k = 0; k < c->tet_border.count; k++)
        longest = fr_max(longest, apart(c, c->tet_border.data[k].from, c->tet_border.data[k].to));
    return longest;
}

// when a crack opened the tets at a vertex, or the first one of the piece, s
static double opened_at(const Closer *c, int32_t v) {
    return v < c->mesh->node_count && c->opened[v] >= 0 ? c->opened[v] : c->first;
}

// how long the line across a corner is; one that a side runs along already is the last choice
static double across(const Closer *c, int32_t v, int32_t w) {
    return fr_table_find(&c->line, line_key(v, w)) < 0 ? apart(c, v, w) : HUGE_VAL;
}

// A loop: corner after corner is cut off, always over the shortest line. Where its two sides lie on
// each other it is sewn up.
static FrResult cap(Closer *c, int32_t *left, int32_t count, int32_t piece) {
    double opened = opened_at(c, left[0]);
    for (; count > 2; count--) {
        int32_t best = 0;
        double least = HUGE_VAL;
        for (int32_t k = 0; k < count; k++) {
            double d = across(c, left[k], left[(k + 2) % count]);
            if (d < least) least = d, best = k;
        }
        int32_t corner = (best + 1) % count, last = left[(best + 2) % count];
        FR_TRY(add_made(c, left[best], left[corner], last, opened, piece));
        memmove(left + corner, left + corner + 1, (size_t)(count - corner - 1) * sizeof *left);
    }
    return FR_OK;
}

static FrResult keep_loop(Closer *c, int32_t *vertex, int32_t count, int32_t piece) {
    (void)piece;
    Loop loop = {c->loop_vertex.count, count, -1};
    for (int32_t k = 0; k < count; k++)
        if (!fr_array_push(c->ctx, &c->loop_vertex, vertex[k])) return no_memory(c);
    return fr_array_push(c->ctx, &c->loop, loop) ? FR_OK : no_memory(c);
}

// what is done with a loop of vertices; it may use them up
typedef FrResult LoopFn(Closer *c, int32_t *vertex, int32_t count, int32_t piece);

static int32_t leave(const Closer *c, int32_t v) {
    int32_t k = c->leaving[v];
    while (k >= 0 && c->side.data[k].gone) k = c->side.data[k].next;
    return k;
}

// As many sides come to a vertex as leave it: a walk ends where it began. Where it meets itself a
// loop is done with and forgotten.
static FrResult walk_from(Closer *c, int32_t v, LoopFn *done, int32_t piece) {
    for (int32_t k; (k = leave(c, v)) >= 0;) {
        c->side.data[k].gone = true;
        c->on_path[v] = c->path.count;
        if (!fr_array_push(c->ctx, &c->path, v)) return no_memory(c);
        v = c->side.data[k].to;
        if (c->on_path[v] < 0) continue;
        int32_t begin = c->on_path[v];
        for (int32_t j = begin; j < c->path.count; j++) c->on_path[c->path.data[j]] = -1;
        FR_TRY(done(c, c->path.data + begin, c->path.count - begin, piece));
        c->path.count = begin;
    }
    return FR_OK;
}

// all sides, loop after loop
static FrResult walk_all(Closer *c, LoopFn *done, int32_t piece) {
    for (int32_t k = 0; k < c->side.count; k++) {
        Side *side = &c->side.data[k];
        side->next = c->leaving[side->from];
        c->leaving[side->from] = k;
    }
    for (int32_t k = 0; k < c->side.count; k++)
        if (!c->side.data[k].gone) FR_TRY(walk_from(c, c->side.data[k].from, done, piece));
    for (int32_t k = 0; k < c->side.count; k++) c->leaving[c->side.data[k].from] = -1;
    c->side.count = 0;
    return FR_OK;
}

static FrResult take_border(Closer *c, Border *border) {
    border->count = 0;
    for (int32_t k = 0; k < c->side.count; k++)
        if (!fr_array_push(c->ctx, border, c->side.data[k])) return no_memory(c);
    c->side.count = 0;
    return FR_OK;
}

static FrResult find_loops(Closer *c, const Border *border) {
    for (int32_t k = 0; k < border->count; k++)
        if (!fr_array_push(c->ctx, &c->side, border->data[k])) return no_memory(c);
    return walk_all(c, keep_loop, 0);
}

static FrLoop loop_of(const Closer *c, int32_t k) {
    const Loop *loop = &c->loop.data[k];
    return (FrLoop){c->loop_vertex.data + loop->begin, loop->count};
}

// the loop among [begin, end) that is nearest to this one, and within reach; -1: none
static int32_t nearest_loop(const Closer *c, int32_t k, int32_t begin, int32_t end, double reach) {
    int32_t best = -1;
    for (int32_t j = begin; j < end; j++) {
        double d = fr_loop_distance(c->aside, loop_of(c, k), loop_of(c, j), reach);
        if (d < reach) reach = d, best = j;
    }
    return best;
}

static FrResult zip(Closer *c, int32_t k, int32_t piece) {
    FrLoop skin = loop_of(c, k), tets = loop_of(c, c->loop.data[k].mate);
    int32_t count = skin.count + tets.count;
    int32_t(*tri)[3] = fr_alloc_zero(c->ctx, (size_t)count, sizeof *tri);
    FrResult result = tri ? fr_loops_zip(c->ctx, c->aside, skin, tets, tri) : no_memory(c);
    // each has a corner of the tets
    for (int32_t t = 0; t < count && result == FR_OK; t++) {
        double opened = opened_at(c, tri[t][2] < c->mesh->node_count ? tri[t][2] : tri[t][0]);
        result = add_made(c, tri[t][0], tri[t][1], tri[t][2], opened, piece);
    }
    fr_free(c->ctx, tri);
    return result;
}

// sides of loops [begin, end) that have none beside them
static FrResult keep_lonely(Closer *c, int32_t begin, int32_t end, Border *border) {
    for (int32_t k = begin; k < end; k++) {
        FrLoop loop = loop_of(c, k);
        for (int32_t j = 0; j < loop.count && c->loop.data[k].mate < 0; j++)
            FR_TRY(add_side(c, loop.v[j], loop.v[(j + 1) % loop.count], -1));
    }
    c->key.count = 0;
    return take_border(c, border);
}

// Loops of the two borders that are nearest to each other are joined; the other sides remain.
static FrResult zip_loops(Closer *c, double reach, int32_t piece) {
    c->loop.count = c->loop_vertex.count = 0;
    FR_TRY(find_loops(c, &c->skin_border));
    int32_t skins = c->loop.count;
    FR_TRY(find_loops(c, &c->tet_border));
    for (int32_t k = 0; k < skins; k++) {
        int32_t mate = nearest_loop(c, k, skins, c->loop.count, reach);
        if (mate < 0 || nearest_loop(c, mate, 0, skins, reach) != k) continue;
        c->loop.data[k].mate = mate;
        c->loop.data[mate].mate = k;
        FR_TRY(zip(c, k, piece));
    }
    FR_TRY(keep_lonely(c, 0, skins, &c->skin_border));
    return keep_lonely(c, skins, c->loop.count, &c->tet_border);
}

// Triangles from each side of the skin's border to the vertices of the tets' border that are
// nearest to its ends. What is left between these and that border, as sides, is closed by itself.
static FrResult reach_over(Closer *c, double reach, int32_t piece) {
    for (int32_t k = 0; k < c->skin_border.count; k++) {
        int32_t v = c->skin_border.data[k].from;
        c->label[v] = nearest_of_tets(c, v, reach);
    }
    for (int32_t k = 0; k < c->skin_border.count; k++) {
        int32_t p = c->skin_border.data[k].from, next = c->skin_border.data[k].to;
        int32_t q = c->label[p], beside = c->label[next];
        FR_TRY(add_made(c, next, p, q, opened_at(c, q), piece));
        FR_TRY(add_made(c, next, q, beside, opened_at(c, q), piece));
        FR_TRY(add_side(c, beside, q, -1));
    }
    for (int32_t k = 0; k < c->tet_border.count; k++)
        FR_TRY(add_side(c, c->tet_border.data[k].from, c->tet_border.data[k].to, -1));
    return keep_border(c);
}

// what has got none of the skin is seen as its tets are
static FrResult show_tets(Closer *c, const int32_t *item, int32_t count, int32_t piece) {
    for (int32_t k = 0; k < count; k++) {
        int32_t t = item[k] - c->skin->tri_count;
        const int32_t *n = c->surface->tri[t];
        if (c->surface->opened[t] < 0) FR_TRY(add_made(c, n[0], n[1], n[2], -1, piece));
    }
    return FR_OK;
}

static void note_node(Closer *c, int32_t t) {
    double opened = c->surface->opened[t];
    for (int i = 0; i < 3; i++) {
        int32_t n = c->surface->tri[t][i];
        if (opened >= 0 && (c->opened[n] < 0 || opened < c->opened[n])) c->opened[n] = opened;
        c->node_tet[n] = c->surface->tet[t];
    }
}

static FrResult border_of_skin(Closer *c, const int32_t *item, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        int32_t v[3];
        for (int i = 0; i < 3; i++) v[i] = c->place[c->skin->tri[item[k]][i]];
        FR_TRY(add_sides(c, v));
        FR_TRY(add_lines(c, v));
    }
    FR_TRY(keep_border(c));
    return take_border(c, &c->skin_border);
}

static FrResult border_of_tets(Closer *c, const int32_t *item, int32_t count) {
    int32_t tris = c->skin->tri_count;
    c->first = HUGE_VAL;
    for (int32_t k = 0; k < count; k++)
        for (int i = 0; i < 3; i++) c->opened[c->surface->tri[item[k] - tris][i]] = -1;
    for (int32_t k = 0; k < count; k++) {
        int32_t t = item[k] - tris;
        note_node(c, t);
        if (c->surface->opened[t] < 0)
            FR_TRY(add_sides(c, c->surface->tri[t]));
        else
            FR_TRY(add_lines(c, c->surface->tri[t]));
        if (c->surface->opened[t] >= 0) c->first = fr_min(c->first, c->surface->opened[t]);
    }
    if (!isfinite(c->first)) c->first = 0;
    FR_TRY(keep_border(c));
    return take_border(c, &c->tet_border);
}

// volume between a triangle and the point `from`, m^3
static double volume_of(const Closer *c, FrVec3 from, const int32_t v[3]) {
    FrVec3 x[3];
    for (int i = 0; i < 3; i++) x[i] = fr_sub(c->x[v[i]], from);
    return fr_dot(x[0], fr_cross(x[1], x[2])) / 6;
}

// Chips have more triangles in strips (made from `before` on) than of the skin, whose edges are as
// long as they are: cracks that bend within one give them too much of it, or too little.
static bool is_poor_chip(const Closer *c, const int32_t *item, int32_t skins, int32_t count,
                         int32_t before) {
    FrVec3 from = c->x[c->surface->tri[item[count - 1] - c->skin->tri_count][0]];
    double tets = 0, more = 0;
    if (c->made.count - before <= skins) return false;
    for (int32_t k = 0; k < skins; k++) {
        int32_t v[3];
        for (int i = 0; i < 3; i++) v[i] = c->place[c->skin->tri[item[k]][i]];
        more += volume_of(c, from, v);
    }
    for (int32_t k = before; k < c->made.count; k++) more += volume_of(c, from, c->made.data[k].v);
    for (int32_t k = skins; k < count; k++) {
        int32_t t = item[k] - c->skin->tri_count;
        double volume = volume_of(c, from, c->surface->tri[t]);
        tets += volume;
        if (c->surface->opened[t] < 0) more -= volume;
    }
    return fabs(more) > POOR * tets;
}

// item: triangles of the skin, then those of the surface
static FrResult close_piece(Closer *c, const int32_t *item, int32_t count, int32_t piece) {
    int32_t skins = 0, before = c->made.count;
    while (skins < count && item[skins] < c->skin->tri_count) skins++;
    FR_TRY(border_of_skin(c, item, skins));
    FR_TRY(border_of_tets(c, item + skins, count - skins));
    if (!skins) return show_tets(c, item, count, piece);
    shift(c, c->skin_border.data, c->skin_border.count);
    shift(c, c->tet_border.data, c->tet_border.count);
    double reach = longest_side(c);
    FR_TRY(zip_loops(c, reach, piece));
    FR_TRY(reach_over(c, reach, piece));
    FR_TRY(walk_all(c, cap, piece));
    if (skins == count || !is_poor_chip(c, item, skins, count, before)) return FR_OK;
    for (int32_t k = 0; k < skins; k++) c->dropped[item[k]] = true;
    c->made.count = before;
    return show_tets(c, item + skins, count - skins, piece);
}

static FrResult add_point(Closer *c, FrPoint at, int32_t piece) {
    return fr_array_push(c->ctx, &c->point, at) && fr_array_push(c->ctx, &c->point_piece, piece)
               ? FR_OK
               : no_memory(c);
}

// a point of the skin that a strip along it has for a corner; -1: it is no such strip
static int32_t corner_of_skin(const Closer *c, const Tri *tri) {
    for (int i = 0; tri->opened < 0 && i < 3; i++)
        if (tri->v[i] >= c->mesh->node_count) return tri->v[i] - c->mesh->node_count;
    return -1;
}

static FrPoint point_at(const Closer *c, int32_t v) {
    if (v >= c->mesh->node_count) return c->skin->at[v - c->mesh->node_count];
    FrPoint at = {.tet = c->node_tet[v]};
    for (int j = 0; j < 4; j++) at.b[j] = c->mesh->tet[at.tet][j] == v;
    return at;
}

// corners of the triangles made from `from` on: points of the skin, new ones for nodes, and for
// strips along the skin, which may fold over it
static FrResult add_corners(Closer *c, int32_t from) {
    int32_t nodes = c->mesh->node_count;
    for (int32_t k = from; k < c->made.count; k++)
        for (int i = 0; i < 3; i++) {
            const Tri *tri = &c->made.data[k];
            int32_t v = tri->v[i], point = v - nodes;
            if (v < nodes || corner_of_skin(c, tri) >= 0) {
                point = c->skin->point_count + c->point.count;
                FR_TRY(add_point(c, point_at(c, v), tri->piece));
            }
            if (!fr_array_push(c->ctx, &c->corner, point)) return no_memory(c);
        }
    return FR_OK;
}

static FrResult close_pieces(Closer *c) {
    int32_t skins = c->skin->tri_count, all = skins + c->surface->tri_count, *order;
    uint64_t *piece = FR_NEW(c->ctx, uint64_t, all);
    if (!piece) return no_memory(c);
    for (int32_t k = 0; k < all; k++)
        piece[k] = (uint64_t)(k < skins ? c->skin->piece[c->skin->tri[k][0]]
                                        : c->surface->piece[k - skins]);
    FrResult result = fr_sort_keys(c->ctx, piece, all, &order);
    for (int32_t k = 0, end; k < all && result == FR_OK; k = end) {
        int32_t before = c->made.count;
        for (end = k + 1; end < all && piece[order[end]] == piece[order[k]];) end++;
        result = close_piece(c, order + k, end - k, (int32_t)piece[order[k]]);
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

static bool grow_points(const Closer *c, FrEmbedded *skin) {
    size_t points = (size_t)(skin->point_count + c->point.count);
    return grow(c->ctx, &skin->at, points * sizeof *skin->at) &&
           grow(c->ctx, &skin->piece, points * sizeof *skin->piece) &&
           (!skin->normal || grow(c->ctx, &skin->normal, 3 * points * sizeof *skin->normal)) &&
           (!skin->uv || grow(c->ctx, &skin->uv, 2 * points * sizeof *skin->uv));
}

// Strips along the skin look as the skin does at their corners of it; where they fold over it they
// are seen from behind. What tets show is flat.
static void fill_looks(const Closer *c, const Tri *tri, const int32_t corner[3], FrEmbedded *skin) {
    FrVec3 n = fr_normalize(area_of(c, tri->v)), flat = n;
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
static void drop_triangles(const Closer *c, int32_t tris, FrEmbedded *skin) {
    int32_t kept = 0;
    for (int32_t t = 0; t < skin->tri_count; t++)
        if (t >= tris || !c->dropped[t])
            memmove(skin->tri[kept++], skin->tri[t], sizeof *skin->tri);
    skin->tri_count = kept;
}

// outside first
static FrResult hand_over(Closer *c, FrEmbedded *skin) {
    int32_t before = skin->tri_count;
    size_t tris = (size_t)(before + c->made.count);
    if (skin->uv)
        FR_TRY(fr_uv_finder_create(c->ctx, skin, c->x + c->mesh->node_count, before, &c->uv));
    skin->opened = FR_NEW(c->ctx, double, c->made.count);
    if (!skin->opened || !grow_points(c, skin) ||
        !grow(c->ctx, &skin->tri, tris * sizeof *skin->tri))
        return no_memory(c);
    for (int32_t k = 0; k < c->point.count; k++) {
        skin->at[skin->point_count + k] = c->point.data[k];
        skin->piece[skin->point_count + k] = c->point_piece.data[k];
    }
    for (int inside = 0; inside < 2; inside++)
        for (int32_t k = 0; k < c->made.count; k++) {
            const Tri *tri = &c->made.data[k];
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

static bool prepare(Closer *c) {
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

static void add_normal(Closer *c, const int32_t v[3]) {
    for (int i = 0; i < 3; i++) c->normal[v[i]] = fr_add(c->normal[v[i]], area_of(c, v));
}

static void find_normals(Closer *c) {
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
    Closer c = {.ctx = ctx, .mesh = mesh, .surface = surface, .skin = skin};
    if (!surface->opened || !surface->piece || !skin->piece) return FR_OK;
    FrResult result = prepare(&c) ? FR_OK : no_memory(&c);
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
