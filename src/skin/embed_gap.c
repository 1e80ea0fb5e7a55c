// embed_gap.c: the gap of one piece, closed: borders of the skin and of the tets, loops of these,
// strips between them.

#include "skin/embed_gap.h"
#include "skin/zip.h"
#include <string.h>

#define INWARD 0.1 ///< part of the way to the third corner of a triangle
/// Strips that lie along the skin are part of it: cosine of the angle between them.
#define ALONG 0.7
/// Chips whose skin holds more or less than their tets by this share show their tets instead.
#define POOR 0.2

static double apart(const FrCloser *c, int32_t v, int32_t w) {
    return fr_distance(c->x[v], c->x[w]);
}

static uint64_t line_key(int32_t v, int32_t w) {
    return (uint64_t)fr_min_i(v, w) << 32 | (uint32_t)fr_max_i(v, w);
}

static FrResult add_lines(FrCloser *c, const int32_t v[3]) {
    if (!fr_table_reserve(c->ctx, &c->line, 3)) return fr_closer_no_memory(c);
    for (int i = 0; i < 3; i++) fr_table_add(&c->line, line_key(v[i], v[(i + 1) % 3]), 0);
    return FR_OK;
}

static FrResult add_side(FrCloser *c, int32_t from, int32_t to, int32_t apex) {
    uint64_t key = line_key(from, to);
    if (from == to) return FR_OK;
    return fr_array_push(c->ctx, &c->side, ((FrSide){from, to, apex, -1, false})) &&
                   fr_array_push(c->ctx, &c->key, key)
               ? FR_OK
               : fr_closer_no_memory(c);
}

static FrResult add_sides(FrCloser *c, const int32_t v[3]) {
    for (int i = 0; i < 3; i++) FR_TRY(add_side(c, v[i], v[(i + 1) % 3], v[(i + 2) % 3]));
    return FR_OK;
}

// Cracks are cut a little beside where the tets have them: what is between runs along the skin, and
// is no inside. A strip may fold over the skin, so either of its sides counts.
static bool lies_along_skin(const FrCloser *c, const int32_t v[3]) {
    FrVec3 n = fr_normalize(fr_closer_area(c, v)), out = fr_vec3_zero;
    for (int i = 0; i < 3; i++) out = fr_add(out, fr_normalize(c->normal[v[i]]));
    return fabs(fr_dot(n, fr_normalize(out))) > ALONG;
}

static FrResult add_made(FrCloser *c, int32_t u, int32_t v, int32_t w, double opened,
                         int32_t piece) {
    if (u == v || v == w || w == u) return FR_OK;
    if (lies_along_skin(c, (int32_t[3]){u, v, w})) opened = -1;
    if (!fr_array_push(c->ctx, &c->made, ((FrCloseTri){{u, v, w}, opened, piece})))
        return fr_closer_no_memory(c);
    return add_lines(c, (int32_t[3]){u, v, w});
}

// order[begin..end) are sides between the same two vertices
static void take_pairs(FrCloser *c, const int32_t *order, int32_t begin, int32_t end) {
    for (int32_t k = begin; k < end; k++) {
        FrSide *side = &c->side.data[order[k]];
        for (int32_t j = k + 1; j < end && !side->gone; j++) {
            FrSide *other = &c->side.data[order[j]];
            if (!other->gone && other->from == side->to) side->gone = other->gone = true;
        }
    }
}

// those that none runs against
static FrResult keep_border(FrCloser *c) {
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
static void shift(FrCloser *c, const FrSide *side, int32_t count) {
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
static int32_t nearest_of_tets(const FrCloser *c, int32_t v, double reach) {
    int32_t best = v;
    double least = reach;
    for (int32_t k = 0; k < c->tet_border.count; k++) {
        double d = fr_distance(c->aside[v], c->aside[c->tet_border.data[k].from]);
        if (d < least) least = d, best = c->tet_border.data[k].from;
    }
    return best;
}

static double longest_side(const FrCloser *c) {
    double longest = 0;
    for (int32_t k = 0; k < c->tet_border.count; k++)
        longest = fr_max(longest, apart(c, c->tet_border.data[k].from, c->tet_border.data[k].to));
    return longest;
}

// when a crack opened the tets at a vertex, or the first one of the piece, s
static double opened_at(const FrCloser *c, int32_t v) {
    return v < c->mesh->node_count && c->opened[v] >= 0 ? c->opened[v] : c->first;
}

// how long the line across a corner is; one that a side runs along already is the last choice
static double across(const FrCloser *c, int32_t v, int32_t w) {
    return fr_table_find(&c->line, line_key(v, w)) < 0 ? apart(c, v, w) : HUGE_VAL;
}

// A loop: corner after corner is cut off, always over the shortest line. Where its two sides lie on
// each other it is sewn up.
static FrResult cap(FrCloser *c, int32_t *left, int32_t count, int32_t piece) {
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

static FrResult keep_loop(FrCloser *c, int32_t *vertex, int32_t count, int32_t piece) {
    (void)piece;
    FrBorderLoop loop = {c->loop_vertex.count, count, -1};
    for (int32_t k = 0; k < count; k++)
        if (!fr_array_push(c->ctx, &c->loop_vertex, vertex[k])) return fr_closer_no_memory(c);
    return fr_array_push(c->ctx, &c->loop, loop) ? FR_OK : fr_closer_no_memory(c);
}

// what is done with a loop of vertices; it may use them up
typedef FrResult LoopFn(FrCloser *c, int32_t *vertex, int32_t count, int32_t piece);

static int32_t leave(const FrCloser *c, int32_t v) {
    int32_t k = c->leaving[v];
    while (k >= 0 && c->side.data[k].gone) k = c->side.data[k].next;
    return k;
}

// As many sides come to a vertex as leave it: a walk ends where it began. Where it meets itself a
// loop is done with and forgotten.
static FrResult walk_from(FrCloser *c, int32_t v, LoopFn *done, int32_t piece) {
    for (int32_t k; (k = leave(c, v)) >= 0;) {
        c->side.data[k].gone = true;
        c->on_path[v] = c->path.count;
        if (!fr_array_push(c->ctx, &c->path, v)) return fr_closer_no_memory(c);
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
static FrResult walk_all(FrCloser *c, LoopFn *done, int32_t piece) {
    for (int32_t k = 0; k < c->side.count; k++) {
        FrSide *side = &c->side.data[k];
        side->next = c->leaving[side->from];
        c->leaving[side->from] = k;
    }
    for (int32_t k = 0; k < c->side.count; k++)
        if (!c->side.data[k].gone) FR_TRY(walk_from(c, c->side.data[k].from, done, piece));
    for (int32_t k = 0; k < c->side.count; k++) c->leaving[c->side.data[k].from] = -1;
    c->side.count = 0;
    return FR_OK;
}

static FrResult take_border(FrCloser *c, FrBorder *border) {
    border->count = 0;
    for (int32_t k = 0; k < c->side.count; k++)
        if (!fr_array_push(c->ctx, border, c->side.data[k])) return fr_closer_no_memory(c);
    c->side.count = 0;
    return FR_OK;
}

static FrResult find_loops(FrCloser *c, const FrBorder *border) {
    for (int32_t k = 0; k < border->count; k++)
        if (!fr_array_push(c->ctx, &c->side, border->data[k])) return fr_closer_no_memory(c);
    return walk_all(c, keep_loop, 0);
}

static FrLoop loop_of(const FrCloser *c, int32_t k) {
    const FrBorderLoop *loop = &c->loop.data[k];
    return (FrLoop){c->loop_vertex.data + loop->begin, loop->count};
}

// the loop among [begin, end) that is nearest to this one, and within reach; -1: none
static int32_t nearest_loop(const FrCloser *c, int32_t k, int32_t begin, int32_t end,
                            double reach) {
    int32_t best = -1;
    for (int32_t j = begin; j < end; j++) {
        double d = fr_loop_distance(c->aside, loop_of(c, k), loop_of(c, j), reach);
        if (d < reach) reach = d, best = j;
    }
    return best;
}

static FrResult zip(FrCloser *c, int32_t k, int32_t piece) {
    FrLoop skin = loop_of(c, k), tets = loop_of(c, c->loop.data[k].mate);
    int32_t count = skin.count + tets.count;
    int32_t(*tri)[3] = fr_alloc_zero(c->ctx, (size_t)count, sizeof *tri);
    FrResult result =
        tri ? fr_loops_zip(c->ctx, c->aside, skin, tets, tri) : fr_closer_no_memory(c);
    // each has a corner of the tets
    for (int32_t t = 0; t < count && result == FR_OK; t++) {
        double opened = opened_at(c, tri[t][2] < c->mesh->node_count ? tri[t][2] : tri[t][0]);
        result = add_made(c, tri[t][0], tri[t][1], tri[t][2], opened, piece);
    }
    fr_free(c->ctx, tri);
    return result;
}

// sides of loops [begin, end) that have none beside them
static FrResult keep_lonely(FrCloser *c, int32_t begin, int32_t end, FrBorder *border) {
    for (int32_t k = begin; k < end; k++) {
        FrLoop loop = loop_of(c, k);
        for (int32_t j = 0; j < loop.count && c->loop.data[k].mate < 0; j++)
            FR_TRY(add_side(c, loop.v[j], loop.v[(j + 1) % loop.count], -1));
    }
    c->key.count = 0;
    return take_border(c, border);
}

// Loops of the two borders that are nearest to each other are joined; the other sides remain.
static FrResult zip_loops(FrCloser *c, double reach, int32_t piece) {
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
static FrResult reach_over(FrCloser *c, double reach, int32_t piece) {
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
static FrResult show_tets(FrCloser *c, const int32_t *item, int32_t count, int32_t piece) {
    for (int32_t k = 0; k < count; k++) {
        int32_t t = item[k] - c->skin->tri_count;
        const int32_t *n = c->surface->tri[t];
        if (c->surface->opened[t] < 0) FR_TRY(add_made(c, n[0], n[1], n[2], -1, piece));
    }
    return FR_OK;
}

static void note_node(FrCloser *c, int32_t t) {
    double opened = c->surface->opened[t];
    for (int i = 0; i < 3; i++) {
        int32_t n = c->surface->tri[t][i];
        if (opened >= 0 && (c->opened[n] < 0 || opened < c->opened[n])) c->opened[n] = opened;
        c->node_tet[n] = c->surface->tet[t];
    }
}

static FrResult border_of_skin(FrCloser *c, const int32_t *item, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        int32_t v[3];
        for (int i = 0; i < 3; i++) v[i] = c->place[c->skin->tri[item[k]][i]];
        FR_TRY(add_sides(c, v));
        FR_TRY(add_lines(c, v));
    }
    FR_TRY(keep_border(c));
    return take_border(c, &c->skin_border);
}

static FrResult border_of_tets(FrCloser *c, const int32_t *item, int32_t count) {
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
static double volume_of(const FrCloser *c, FrVec3 from, const int32_t v[3]) {
    FrVec3 x[3];
    for (int i = 0; i < 3; i++) x[i] = fr_sub(c->x[v[i]], from);
    return fr_dot(x[0], fr_cross(x[1], x[2])) / 6;
}

// Chips have more triangles in strips (made from `before` on) than of the skin, whose edges are as
// long as they are: cracks that bend within one give them too much of it, or too little.
static bool is_poor_chip(const FrCloser *c, const int32_t *item, int32_t skins, int32_t count,
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

FrResult fr_close_piece(FrCloser *c, const int32_t *item, int32_t count, int32_t piece) {
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
