// order2_shape.c: mid-nodes of surface edges onto the true shape: smooth sides, flat sides, sharp
// rims.

#include "math/vec.h"
#include "mesh/order2_inside.h"

// a mid-node may move this part of its edge
#define MAX_MOVE 0.35
// cosine between the two triangles of an edge below which a rim is looked for
#define SHARP 0.8
// how far inside its triangle a side of a rim is looked at, of the triangle's height
#define ASIDE 0.3
// a middle this near to the shape (of its edge) lies on it
#define ON_SHAPE 1e-9
// an edge whose ends are farther from the shape than this (of its length) belongs to something
// else, as the square rim of a turned wall whose shape has a round one
#define OFF_SHAPE 0.02

/// A surface edge and its two triangles.
typedef struct Side {
    int32_t tri[2]; ///< -1: none yet
} Side;

typedef struct Shape {
    FrContext *ctx;
    const FrTetMesh *mesh;
    const FrEdges *edges;
    const FrField *field;
    FrSurface surface;
    Side *side;     ///< of each edge (edges->count)
    uint8_t *fixed; ///< mid-nodes that have their place (edges->count)
    uint8_t *flat;  ///< on a side that is flat around it: follows, but stays on it (edges->count)
} Shape;

// number of the edge between two corners, which are in tet e
static int32_t edge_in_tet(const FrTetMesh *mesh, const FrEdges *edges, int32_t e, int32_t a,
                           int32_t b) {
    for (int k = 0; k < 6; k++) {
        int32_t p = mesh->tet[e][fr_tet_edge[k][0]], q = mesh->tet[e][fr_tet_edge[k][1]];
        if ((p == a && q == b) || (p == b && q == a)) return edges->of_tet[e][k];
    }
    return -1;
}

static void mark_surface(Shape *s) {
    for (int32_t k = 0; k < s->edges->count; k++) s->side[k] = (Side){{-1, -1}};
    for (int32_t t = 0; t < s->surface.tri_count; t++)
        for (int k = 0; k < 3; k++) {
            const int32_t *tri = s->surface.tri[t];
            int32_t *side =
                s->side[edge_in_tet(s->mesh, s->edges, s->surface.tet[t], tri[k], tri[(k + 1) % 3])]
                    .tri;
            side[side[0] >= 0] = t;
        }
}

static FrVec3 gradient(const FrField *field, FrVec3 x, double eps) {
    double slope[3];
    for (int axis = 0; axis < 3; axis++) {
        FrVec3 step = {axis == 0 ? eps : 0, axis == 1 ? eps : 0, axis == 2 ? eps : 0};
        slope[axis] =
            (fr_field_at(field, fr_add(x, step)) - fr_field_at(field, fr_sub(x, step))) / (2 * eps);
    }
    return fr_vec3(slope[0], slope[1], slope[2]);
}

// Newton along the gradient; `start` itself where that does not lead to the surface nearby
static FrVec3 to_smooth(const FrField *field, FrVec3 start, double edge) {
    FrVec3 x = start;
    for (int k = 0; k < 8; k++) {
        double f = fr_field_at(field, x);
        if (fabs(f) < 1e-13 * edge) break;
        FrVec3 g = gradient(field, x, 1e-5 * edge);
        double g2 = fr_length2(g);
        if (!(g2 > 1e-4)) return start;
        x = fr_axpy(-f / g2, g, x);
    }
    bool good = fr_vec3_finite(x) && fr_distance(x, start) <= MAX_MOVE * edge &&
                fabs(fr_field_at(field, x)) < 1e-6 * edge;
    return good ? x : start;
}

static FrVec3 normal_of(const Shape *s, int32_t t) {
    const int32_t *n = s->surface.tri[t];
    FrVec3 a = fr_get3(s->mesh->x, n[0]);
    return fr_cross(fr_sub(fr_get3(s->mesh->x, n[1]), a), fr_sub(fr_get3(s->mesh->x, n[2]), a));
}

/// What one side of a rim looks like near its edge: the plane g.x = level.
typedef struct Plane {
    FrVec3 g;
    double level;
} Plane;

// seen from a point inside the triangle, near enough that the other side is farther away
static Plane side_plane(const Shape *s, int32_t t, FrVec3 along, FrVec3 middle, double edge) {
    FrVec3 normal = normal_of(s, t);
    double height = fr_length(normal) / edge;
    FrVec3 inward = fr_cross(fr_normalize(normal), along);
    FrVec3 at = fr_axpy(ASIDE * height, inward, middle);
    Plane plane = {gradient(s->field, at, 1e-4 * height), 0};
    plane.level = fr_dot(plane.g, at) - fr_field_at(s->field, at);
    return plane;
}

// the point of the rim across the edge from its middle: where both sides meet
static bool to_rim(const Shape *s, int32_t k, FrVec3 a, FrVec3 b, FrVec3 *rim) {
    const int32_t *tri = s->side[k].tri;
    double edge = fr_distance(a, b);
    FrVec3 x = fr_lerp(a, b, 0.5), start = x;
    for (int step = 0; step < 6; step++) {
        // each triangle has the edge in its own direction: inward is to the left of it
        FrVec3 along = fr_normalize(fr_sub(b, a));
        FrVec3 n0 = normal_of(s, tri[0]), c0 = fr_vec3_zero;
        for (int i = 0; i < 3; i++)
            c0 = fr_axpy(1.0 / 3, fr_get3(s->mesh->x, s->surface.tri[tri[0]][i]), c0);
        double sense = fr_dot(fr_cross(n0, along), fr_sub(c0, start)) > 0.0 ? 1.0 : -1.0;
        Plane p = side_plane(s, tri[0], fr_scale(sense, along), x, edge);
        Plane q = side_plane(s, tri[1], fr_scale(-sense, along), x, edge);
        // least move d with p.g.d = rp and q.g.d = rq
        double pp = fr_length2(p.g), qq = fr_length2(q.g), pq = fr_dot(p.g, q.g),
               det = pp * qq - pq * pq;
        if (!(det > 0.05 * pp * qq)) return false;
        double rp = p.level - fr_dot(p.g, x), rq = q.level - fr_dot(q.g, x);
        FrVec3 move = fr_add(fr_scale((qq * rp - pq * rq) / det, p.g),
                             fr_scale((pp * rq - pq * rp) / det, q.g));
        x = fr_add(x, move);
        if (fr_length(move) < 1e-12 * edge) break;
    }
    *rim = x;
    return fr_vec3_finite(x) && fr_distance(x, start) <= MAX_MOVE * edge &&
           fabs(fr_field_at(s->field, x)) < 1e-6 * edge;
}

static bool is_sharp(const Shape *s, int32_t k) {
    const int32_t *tri = s->side[k].tri;
    if (tri[1] < 0) return false;
    return fr_dot(fr_normalize(normal_of(s, tri[0])), fr_normalize(normal_of(s, tri[1]))) < SHARP;
}

static void find_move(Shape *s, int32_t k, FrVec3 *move) {
    FrVec3 a = fr_get3(s->mesh->x, s->edges->node[k][0]),
           b = fr_get3(s->mesh->x, s->edges->node[k][1]);
    FrVec3 middle = fr_lerp(a, b, 0.5), rim = middle;
    double edge = fr_distance(a, b);
    double off = fr_max(fabs(fr_field_at(s->field, a)), fabs(fr_field_at(s->field, b)));
    if (off > OFF_SHAPE * edge) {
        s->fixed[k] = 1;
        return;
    }
    bool sharp = is_sharp(s, k) && to_rim(s, k, a, b, &rim);
    s->flat[k] = !sharp && !is_sharp(s, k) && fabs(fr_field_at(s->field, middle)) < ON_SHAPE * edge;
    s->fixed[k] = !s->flat[k];
    *move = fr_sub(sharp ? rim : to_smooth(s->field, middle, edge), middle);
}

// those of flat sides went along with what surrounds them: back onto the side
static void back_to_shape(const Shape *s, FrVec3 *move) {
    for (int32_t k = 0; k < s->edges->count; k++) {
        if (!s->flat[k]) continue;
        FrVec3 a = fr_get3(s->mesh->x, s->edges->node[k][0]),
               b = fr_get3(s->mesh->x, s->edges->node[k][1]);
        FrVec3 middle = fr_lerp(a, b, 0.5);
        FrVec3 x = to_smooth(s->field, fr_add(middle, move[k]), fr_distance(a, b));
        bool good = fabs(fr_field_at(s->field, x)) < 1e-6 * fr_distance(a, b);
        move[k] = good ? fr_sub(x, middle) : fr_vec3_zero;
    }
}

static FrResult place(Shape *s, FrVec3 *move, int32_t *projected) {
    s->side = FR_NEW(s->ctx, Side, s->edges->count);
    s->fixed = FR_NEW(s->ctx, uint8_t, s->edges->count);
    s->flat = FR_NEW(s->ctx, uint8_t, s->edges->count);
    if (!s->side || !s->fixed || !s->flat) return fr_no_memory(s->ctx, "mid-nodes");
    FR_TRY(fr_tetmesh_surface(s->ctx, s->mesh, &s->surface));
    mark_surface(s);
    for (int32_t k = 0; k < s->edges->count; k++) {
        if (s->side[k].tri[0] < 0) continue;
        find_move(s, k, &move[k]);
        ++*projected;
    }
    FR_TRY(fr_order2_spread(s->ctx, s->mesh, s->edges, s->fixed, move));
    back_to_shape(s, move);
    return FR_OK;
}

FrResult fr_order2_to_shape(FrContext *ctx, const FrTetMesh *mesh, const FrEdges *edges,
                            const FrField *shape, FrVec3 *move, int32_t *projected) {
    Shape s = {.ctx = ctx, .mesh = mesh, .edges = edges, .field = shape};
    FrResult result = place(&s, move, projected);
    fr_surface_free(ctx, &s.surface);
    fr_free(ctx, s.side);
    fr_free(ctx, s.fixed);
    fr_free(ctx, s.flat);
    return result;
}
