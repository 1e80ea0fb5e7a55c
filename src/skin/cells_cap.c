// cells_cap.c: what a face of the tets has of the solid, as triangles: loops of sides of the
// divided surface and of parts of the face's own edges, cut into ears. [M13]

#include "skin/cells_inside.h"
#include <string.h>

/// A corner of an outline.
typedef struct CapCorner {
    int32_t vertex;
    double x, y; ///< in the plane of the face, m
    int edges;   ///< bits: which edges of the face it lies on
} CapCorner;

typedef struct CapLoop {
    int32_t first, count;
    double area; ///< m^2, below 0: a hole
} CapLoop;

typedef struct CapMaker {
    const FrCells *c;
    const FrCellFace *face;
    FrVec3 origin, u, v;        ///< axes of the plane
    FR_ARRAY(int32_t) from, to; ///< sides
    FR_ARRAY(CapCorner) corner; ///< of loops
    FR_ARRAY(CapLoop) loop;
    FR_ARRAY(CapCorner) ring; ///< one outline with its holes
    FrCellCap *cap;
} CapMaker;

static FrResult no_memory(const CapMaker *m) { return fr_no_memory(m->c->ctx, "a cap"); }

static FrResult add_side(CapMaker *m, int32_t from, int32_t to) {
    return fr_array_push(m->c->ctx, &m->from, from) && fr_array_push(m->c->ctx, &m->to, to)
               ? FR_OK
               : no_memory(m);
}

static int32_t node_vertex(const FrCells *c, int32_t node) { return c->node_vertex + node; }

// the parts of an edge of the face that are inside, from its corner a to b
static FrResult add_edge(CapMaker *m, int32_t edge, int32_t a) {
    const FrCells *c = m->c;
    const FrCellEdge *e = &c->edge.data[edge];
    bool along = e->a == a;
    int32_t open = c->inside[e->a] ? node_vertex(c, e->a) : -1;
    for (int32_t k = e->crossing; k >= 0; k = c->crossing.data[k].next) {
        int32_t at = c->crossing.data[k].vertex;
        if (open >= 0) FR_TRY(along ? add_side(m, open, at) : add_side(m, at, open));
        open = open >= 0 ? -1 : at;
    }
    if (open < 0) return FR_OK;
    int32_t end = node_vertex(c, e->b);
    if (e->crossing < 0) {
        FR_TRY(along ? add_side(m, open, e->middle) : add_side(m, e->middle, open));
        open = e->middle;
    }
    return along ? add_side(m, open, end) : add_side(m, end, open);
}

static FrResult list_sides(CapMaker *m) {
    const FrCells *c = m->c;
    for (int32_t k = m->face->segment; k >= 0; k = c->segment.data[k].next)
        FR_TRY(add_side(m, c->segment.data[k].from, c->segment.data[k].to));
    const int8_t *f = fr_tet_face[m->face->corner[0]];
    for (int k = 0; k < 3; k++)
        FR_TRY(add_edge(m, m->face->edge[k], c->mesh.tet[m->face->tet[0]][f[k]]));
    return FR_OK;
}

static CapCorner corner_of(const CapMaker *m, int32_t vertex) {
    const FrCellVertex *v = &m->c->vertex.data[vertex];
    FrVec3 x = fr_sub(fr_cells_place(m->c, vertex), m->origin);
    CapCorner corner = {vertex, fr_dot(x, m->u), fr_dot(x, m->v), 0};
    for (int k = 0; k < 3; k++) {
        const FrCellEdge *e = &m->c->edge.data[m->face->edge[k]];
        bool on = v->kind == FR_CELL_NODE
                      ? e->a == v->simplex || e->b == v->simplex
                      : v->kind == FR_CELL_ON_EDGE && v->simplex == m->face->edge[k];
        corner.edges |= on << k;
    }
    return corner;
}

static double cross2(const CapCorner *a, const CapCorner *b, const CapCorner *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static FrResult add_loop(CapMaker *m, int32_t start, uint8_t *used) {
    CapLoop loop = {m->corner.count, 0, 0.0};
    int32_t at = start;
    while (!used[at]) {
        used[at] = 1;
        if (!fr_array_push(m->c->ctx, &m->corner, corner_of(m, m->from.data[at])))
            return no_memory(m);
        int32_t next = 0;
        while (next < m->from.count && m->from.data[next] != m->to.data[at]) next++;
        if (next == m->from.count)
            return fr_fail(m->c->ctx, FR_BAD_INPUT, "the skin crosses itself: a crack has no side");
        at = next;
    }
    loop.count = m->corner.count - loop.first;
    const CapCorner *p = m->corner.data + loop.first;
    for (int32_t k = 1; k + 1 < loop.count; k++) loop.area += 0.5 * cross2(&p[0], &p[k], &p[k + 1]);
    return fr_array_push(m->c->ctx, &m->loop, loop) ? FR_OK : no_memory(m);
}

static FrResult list_loops(CapMaker *m) {
    uint8_t *used = FR_NEW(m->c->ctx, uint8_t, m->from.count);
    if (!used) return no_memory(m);
    FrResult result = FR_OK;
    for (int32_t k = 0; k < m->from.count && result == FR_OK; k++)
        if (!used[k]) result = add_loop(m, k, used);
    fr_free(m->c->ctx, used);
    return result;
}

static bool is_within(const CapCorner *p, int32_t count, const CapCorner *x) {
    bool in = false;
    for (int32_t k = 0; k < count; k++) {
        const CapCorner *a = &p[k], *b = &p[(k + 1) % count];
        if ((a->y > x->y) == (b->y > x->y)) continue;
        in ^= x->x < a->x + (b->x - a->x) * (x->y - a->y) / (b->y - a->y);
    }
    return in;
}

// the smallest outline round a hole; -1: none
static int32_t outline_of(const CapMaker *m, int32_t hole) {
    int32_t best = -1;
    const CapCorner *at = &m->corner.data[m->loop.data[hole].first];
    for (int32_t k = 0; k < m->loop.count; k++) {
        const CapLoop *loop = &m->loop.data[k];
        if (loop->area < 0.0 || !is_within(m->corner.data + loop->first, loop->count, at)) continue;
        if (best < 0 || loop->area < m->loop.data[best].area) best = k;
    }
    return best;
}

static bool lines_cross(const CapCorner *a, const CapCorner *b, const CapCorner *c,
                        const CapCorner *d) {
    if (a->vertex == c->vertex || a->vertex == d->vertex || b->vertex == c->vertex ||
        b->vertex == d->vertex)
        return false;
    return (cross2(a, b, c) > 0.0) != (cross2(a, b, d) > 0.0) &&
           (cross2(c, d, a) > 0.0) != (cross2(c, d, b) > 0.0);
}

static bool is_clear(const CapCorner *p, int32_t count, const CapCorner *a, const CapCorner *b) {
    for (int32_t k = 0; k < count; k++)
        if (lines_cross(a, b, &p[k], &p[(k + 1) % count])) return false;
    return true;
}

// A hole joins the outline by the shortest line between them that meets nothing, run both ways.
static FrResult join_hole(CapMaker *m, const CapLoop *hole) {
    const CapCorner *h = m->corner.data + hole->first;
    int32_t best_o = 0, best_h = 0, count = m->ring.count;
    double least = HUGE_VAL;
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < hole->count; j++) {
            const CapCorner *o = &m->ring.data[i];
            double dx = h[j].x - o->x, dy = h[j].y - o->y, d = dx * dx + dy * dy;
            if (d >= least || !is_clear(m->ring.data, count, o, &h[j]) ||
                !is_clear(h, hole->count, o, &h[j]))
                continue;
            least = d, best_o = i, best_h = j;
        }
    if (!fr_array_reserve(m->c->ctx, &m->ring, hole->count + 2)) return no_memory(m);
    CapCorner *ring = m->ring.data;
    memmove(ring + best_o + hole->count + 3, ring + best_o + 1,
            (size_t)(count - best_o - 1) * sizeof *ring);
    for (int32_t k = 0; k <= hole->count; k++) ring[best_o + 1 + k] = h[(best_h + k) % hole->count];
    ring[best_o + hole->count + 2] = ring[best_o];
    m->ring.count += hole->count + 2;
    return FR_OK;
}

// How good the ear at corner k is: twice its area over its longest side, squared; below 0: none.
// A line between two points of one edge of the face lies in it, where others have their sides.
static double ear_of(const CapMaker *m, int32_t k, bool strict) {
    const CapCorner *p = m->ring.data;
    int32_t count = m->ring.count;
    const CapCorner *a = &p[(k + count - 1) % count], *b = &p[k], *c = &p[(k + 1) % count];
    double area = cross2(a, b, c);
    if (a->edges & c->edges || a->vertex == c->vertex) return strict ? -1.0 : -2.0;
    for (int32_t j = 0; strict && j < count; j++) {
        const CapCorner *x = &p[j];
        if (x->vertex == a->vertex || x->vertex == b->vertex || x->vertex == c->vertex) continue;
        if (cross2(a, b, x) >= 0.0 && cross2(b, c, x) >= 0.0 && cross2(c, a, x) >= 0.0) return -1.0;
    }
    double dx = c->x - a->x, dy = c->y - a->y;
    double longest = fr_max(dx * dx + dy * dy, 1e-300);
    return strict && !(area > 0.0) ? -1.0 : area / longest;
}

static int32_t best_ear(const CapMaker *m) {
    int32_t best = 0;
    for (int strict = 1; strict >= 0; strict--) {
        double most = strict ? 0.0 : -HUGE_VAL;
        best = -1;
        for (int32_t k = 0; k < m->ring.count; k++) {
            double good = ear_of(m, k, strict);
            if (good > most) most = good, best = k;
        }
        if (best >= 0) break;
    }
    return best;
}

static FrResult cut_ears(CapMaker *m) {
    FrContext *ctx = m->c->ctx;
    while (m->ring.count >= 3) {
        int32_t count = m->ring.count, k = count > 3 ? best_ear(m) : 1;
        const CapCorner *p = m->ring.data;
        int32_t tri[3] = {p[(k + count - 1) % count].vertex, p[k].vertex,
                          p[(k + 1) % count].vertex};
        for (int i = 0; i < 3; i++)
            if (!fr_array_push(ctx, m->cap, tri[i])) return no_memory(m);
        if (count == 3) break;
        memmove(m->ring.data + k, m->ring.data + k + 1,
                (size_t)(count - k - 1) * sizeof *m->ring.data);
        m->ring.count--;
    }
    return FR_OK;
}

static FrResult fill_outline(CapMaker *m, int32_t k) {
    const CapLoop *loop = &m->loop.data[k];
    m->ring.count = 0;
    if (!fr_array_reserve(m->c->ctx, &m->ring, loop->count)) return no_memory(m);
    memcpy(m->ring.data, m->corner.data + loop->first, (size_t)loop->count * sizeof *m->ring.data);
    m->ring.count = loop->count;
    for (int32_t j = 0; j < m->loop.count && loop->area >= 0.0; j++)
        if (m->loop.data[j].area < 0.0 && outline_of(m, j) == k)
            FR_TRY(join_hole(m, &m->loop.data[j]));
    return cut_ears(m);
}

static FrResult make(CapMaker *m) {
    FR_TRY(list_sides(m));
    FR_TRY(list_loops(m));
    for (int32_t k = 0; k < m->loop.count; k++)
        if (m->loop.data[k].area >= 0.0 || outline_of(m, k) < 0) FR_TRY(fill_outline(m, k));
    return FR_OK;
}

FrResult fr_cells_cap(const FrCells *c, int32_t face, FrCellCap *cap) {
    CapMaker m = {.c = c, .face = &c->face.data[face], .cap = cap};
    const int8_t *f = fr_tet_face[m.face->corner[0]];
    const int32_t *n = c->mesh.tet[m.face->tet[0]];
    FrVec3 p[3];
    for (int k = 0; k < 3; k++) p[k] = fr_get3(c->mesh.x, n[f[k]]);
    FrVec3 normal = fr_normalize(fr_cross(fr_sub(p[1], p[0]), fr_sub(p[2], p[0])));
    m.origin = p[0];
    m.u = fr_normalize(fr_sub(p[1], p[0]));
    m.v = fr_cross(normal, m.u);
    cap->count = 0;
    FrResult result = make(&m);
    fr_array_free(c->ctx, &m.from);
    fr_array_free(c->ctx, &m.to);
    fr_array_free(c->ctx, &m.corner);
    fr_array_free(c->ctx, &m.loop);
    fr_array_free(c->ctx, &m.ring);
    return result;
}
