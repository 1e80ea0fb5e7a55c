// wires.c: edges of meshes and paths of bodies, as thin rods among what is drawn.

#include "base/table.h"
#include "render/drawlist.h"
#include <string.h>

/// Sides of a rod; points and triangle corners of one.
#define SIDES 3
#define POINTS (2 * SIDES)
#define CORNERS (6 * SIDES)

/// Where an edge was seen.
enum { OUTSIDE = 1, CRACK = 2 };

typedef struct Edge {
    int32_t node[2];
    int seen; ///< OUTSIDE, CRACK or both
} Edge;

typedef struct Edges {
    FR_ARRAY(Edge) edge;
    FrTable table;
} Edges;

static FrResult add_edge(FrContext *ctx, Edges *e, int32_t a, int32_t b, int seen) {
    if (a > b) return add_edge(ctx, e, b, a, seen);
    uint64_t key = (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
    int32_t k = fr_table_add(&e->table, key, e->edge.count);
    if (k == e->edge.count && !fr_array_push(ctx, &e->edge, ((Edge){{a, b}, 0})))
        return fr_no_memory(ctx, "edges");
    e->edge.data[k].seen |= seen;
    return FR_OK;
}

static FrResult find_edges(FrContext *ctx, const FrSurface *s, Edges *e) {
    if (!fr_table_reserve(ctx, &e->table, 3 * s->tri_count)) return fr_no_memory(ctx, "edges");
    for (int32_t t = 0; t < s->tri_count; t++) {
        int seen = s->opened && s->opened[t] >= 0.0 ? CRACK : OUTSIDE;
        for (int i = 0; i < 3; i++)
            FR_TRY(add_edge(ctx, e, s->tri[t][i], s->tri[t][(i + 1) % 3], seen));
    }
    return FR_OK;
}

// Rest shows the mesh outside, and where cracks come to it; wire shows the faces of cracks.
static bool is_wire(FrShow show, FrDrawWireKind kind, int seen) {
    if (kind == FR_WIRE_CRACK) return seen == (OUTSIDE | CRACK);
    return seen == (show == FR_SHOW_REST ? OUTSIDE : CRACK);
}

static FrResult add_wires(FrDrawList *list, int32_t body, const Edges *e, FrShow show,
                          FrDrawWireKind kind) {
    for (int32_t k = 0; k < e->edge.count; k++) {
        const Edge *edge = &e->edge.data[k];
        if (!is_wire(show, kind, edge->seen)) continue;
        FrDrawWire wire = {body, {edge->node[0], edge->node[1]}};
        if (!fr_array_push(list->ctx, &list->wire, wire)) return fr_no_memory(list->ctx, "wires");
    }
    return FR_OK;
}

// of the bodies that may break
static FrResult wires_of(FrDrawList *list, const FrFrameView *view, FrShow show,
                         FrDrawWireKind kind) {
    FrResult result = FR_OK;
    for (int32_t k = 0; result == FR_OK && k < view->body_count; k++) {
        Edges e = {0};
        if (!view->body[k].surface || !view->body[k].breaks) continue;
        result = find_edges(list->ctx, view->body[k].surface, &e);
        if (result == FR_OK) result = add_wires(list, k, &e, show, kind);
        fr_array_free(list->ctx, &e.edge);
        fr_table_free(list->ctx, &e.table);
    }
    return result;
}

static FrResult find_wires(FrDrawList *list, const FrFrameView *view,
                           const FrRenderOptions *options) {
    list->wire.count = 0;
    for (int kind = 0; kind < FR_WIRE_STROKE; kind++) {
        if (fr_show_reassembled(options->show))
            FR_TRY(wires_of(list, view, options->show, (FrDrawWireKind)kind));
        list->wire_end[kind] = list->wire.count;
    }
    for (int32_t k = 0; k < options->stroke_count; k++)
        if (!fr_array_push(list->ctx, &list->wire, ((FrDrawWire){-1, {k, k}})))
            return fr_no_memory(list->ctx, "paths");
    list->wire_end[FR_WIRE_STROKE] = list->wire.count;
    return FR_OK;
}

FrResult fr_wires_layout(FrDrawList *list, const FrFrameView *view,
                         const FrRenderOptions *options) {
    FR_TRY(find_wires(list, view, options));
    int32_t count = list->wire.count;
    list->wire_vertex = list->vertex.count;
    list->wire_index = list->index.count;
    if (count > INT32_MAX / CORNERS || !fr_array_extend(list->ctx, &list->vertex, count * POINTS) ||
        !fr_array_extend(list->ctx, &list->index, count * CORNERS))
        return fr_no_memory(list->ctx, "drawn wires");
    uint32_t *to = list->index.data + list->wire_index;
    for (int32_t k = 0; k < count * SIDES; k++) {
        uint32_t base = (uint32_t)(list->wire_vertex + k / SIDES * POINTS);
        uint32_t a = base + (uint32_t)(k % SIDES), b = base + (uint32_t)((k + 1) % SIDES);
        uint32_t quad[6] = {a, b, b + SIDES, a, b + SIDES, a + SIDES};
        for (int i = 0; i < 6; i++) *to++ = quad[i];
    }
    return FR_OK;
}

// false: its body is not drawn
static bool ends_of(const FrDrawList *list, const FrDrawWire *wire, const FrRenderOptions *options,
                    FrVec3 end[2]) {
    const FrDrawStroke *stroke = wire->body < 0 ? &options->stroke[wire->node[0]] : NULL;
    const double *p = stroke ? NULL : list->body.data[wire->body].posed;
    if (!stroke && !p) return false;
    for (int i = 0; i < 2; i++)
        end[i] = fr_sub(stroke ? (i ? stroke->to : stroke->from) : fr_get3(p, wire->node[i]),
                        list->origin);
    return true;
}

static void fill_wire(FrDrawVertex *to, const FrVec3 end[2], double radius, float s) {
    FrVec3 along = fr_sub(end[1], end[0]);
    if (!(fr_length2(along) > 0.0)) return;
    FrVec3 u = fr_any_normal(fr_normalize(along)), v = fr_cross(fr_normalize(along), u);
    for (int k = 0; k < POINTS; k++) {
        double angle = 2.0 * FR_PI * (k % SIDES) / SIDES;
        FrVec3 n = fr_axpy(cos(angle), u, fr_scale(sin(angle), v));
        FrVec3 p = fr_axpy(radius, n, end[k / SIDES]);
        to[k] = (FrDrawVertex){
            {(float)p.x, (float)p.y, (float)p.z}, {(float)n.x, (float)n.y, (float)n.z}, s};
    }
}

/// How a kind of wire is drawn.
typedef struct Pen {
    double radius; ///< over the size of what is seen
    float colour[3];
} Pen;

static const Pen pens[FR_WIRE_KINDS] = {
    [FR_WIRE_MESH] = {1.0 / 1600.0, {0.10f, 0.10f, 0.12f}},
    [FR_WIRE_CRACK] = {1.0 / 500.0, {0.60f, 0.05f, 0.03f}},
    [FR_WIRE_STROKE] = {1.0 / 450.0, {0.85f, 0.62f, 0.05f}},
};

FrResult fr_wires_fill(FrDrawList *list, const FrRenderOptions *options) {
    FrVec3 size = fr_sub(list->bounds.hi, list->bounds.lo);
    float s = fr_show_scaled(options->show) ? -1.0f : 1.0f;
    int32_t first = 0;
    for (int kind = 0; kind < FR_WIRE_KINDS; first = list->wire_end[kind++]) {
        const Pen *pen = &pens[kind];
        if (first == list->wire_end[kind] || !(size.x >= 0.0)) continue;
        for (int32_t k = first; k < list->wire_end[kind]; k++) {
            FrDrawVertex *to = list->vertex.data + list->wire_vertex + (size_t)k * POINTS;
            FrVec3 end[2];
            memset(to, 0, POINTS * sizeof *to); // no area: not seen
            if (ends_of(list, &list->wire.data[k], options, end))
                fill_wire(to, end, pen->radius * fr_length(size), s);
        }
        FrDrawBatch batch = {.first = list->wire_index + first * CORNERS,
                             .count = (list->wire_end[kind] - first) * CORNERS,
                             .body = -1,
                             .colour = {pen->colour[0], pen->colour[1], pen->colour[2]},
                             .roughness = 0.8f,
                             .opacity = 1.0f};
        if (!fr_array_push(list->ctx, &list->batch, batch)) return fr_no_memory(list->ctx, "wires");
    }
    return FR_OK;
}
