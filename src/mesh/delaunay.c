// delaunay.c: a triangulation of integer points that grows by insertion and flips.

#include "mesh/delaunay.h"

FrResult fr_plane_init(FrContext *ctx, FrPlane *plane) {
    *plane = (FrPlane){.ctx = ctx};
    // a triangle around the square of all allowed points
    int64_t m = FR_PLANE_MAX;
    FrPlanePoint corner[3] = {{-3 * m, -2 * m}, {3 * m, -2 * m}, {0, 3 * m}};
    FrPlaneTri all = {{0, 1, 2}, {-1, -1, -1}, {false, false, false}, -1};
    bool ok = fr_array_push(ctx, &plane->tri, all);
    for (int k = 0; k < 3; k++)
        ok = ok && fr_array_push(ctx, &plane->point, corner[k]) &&
             fr_array_push(ctx, &plane->of_point, 0);
    return ok ? FR_OK : fr_no_memory(ctx, "a triangulation");
}

void fr_plane_free(FrPlane *plane) {
    fr_array_free(plane->ctx, &plane->point);
    fr_array_free(plane->ctx, &plane->tri);
    fr_array_free(plane->ctx, &plane->of_point);
    fr_array_free(plane->ctx, &plane->stack);
}

int64_t fr_plane_turn(FrPlanePoint a, FrPlanePoint b, FrPlanePoint c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// d is inside the circle through a, b, c (counter-clockwise)
static bool in_circle(FrPlanePoint a, FrPlanePoint b, FrPlanePoint c, FrPlanePoint d) {
    int64_t ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x,
            cy = c.y - d.y;
    __int128 a2 = (__int128)(ax * ax + ay * ay), b2 = (__int128)(bx * bx + by * by),
             c2 = (__int128)(cx * cx + cy * cy);
    return a2 * (bx * cy - by * cx) - b2 * (ax * cy - ay * cx) + c2 * (ax * by - ay * bx) > 0;
}

static int corner_of(const FrPlaneTri *t, int32_t point) {
    return t->v[0] == point ? 0 : t->v[1] == point ? 1 : t->v[2] == point ? 2 : -1;
}

static int side_to(const FrPlaneTri *t, int32_t tri) {
    return t->across[0] == tri ? 0 : t->across[1] == tri ? 1 : 2;
}

int32_t fr_plane_around(const FrPlane *plane, int32_t tri, int32_t point) {
    const FrPlaneTri *t = &plane->tri.data[tri];
    return t->across[(corner_of(t, point) + 1) % 3];
}

// side of t beyond which p lies; -1: none
static int side_towards(const FrPlane *plane, const FrPlaneTri *t, FrPlanePoint p) {
    for (int k = 0; k < 3; k++) {
        FrPlanePoint a = plane->point.data[t->v[(k + 1) % 3]];
        FrPlanePoint b = plane->point.data[t->v[(k + 2) % 3]];
        if (fr_plane_turn(a, b, p) < 0) return k;
    }
    return -1;
}

int32_t fr_plane_find(FrPlane *plane, FrPlanePoint p) {
    int32_t t = plane->last;
    for (int32_t step = 0; step < plane->tri.count && t >= 0; step++) {
        int side = side_towards(plane, &plane->tri.data[t], p);
        if (side < 0) return plane->last = t;
        t = plane->tri.data[t].across[side];
    }
    // the walk can go round in circles where fixed sides keep triangles from being Delaunay
    for (t = 0; t < plane->tri.count; t++)
        if (side_towards(plane, &plane->tri.data[t], p) < 0) return plane->last = t;
    return -1;
}

// exchange the diagonal of the quad around side k of t
static void flip(FrPlane *plane, int32_t t, int k) {
    int32_t u = plane->tri.data[t].across[k];
    FrPlaneTri a = plane->tri.data[t], b = plane->tri.data[u];
    int j = side_to(&b, t), k1 = (k + 1) % 3, k2 = (k + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    // a = p r s, b = q s r
    int32_t p = a.v[k], q = b.v[j], r = a.v[k1], s = a.v[k2];
    int32_t rq = b.across[j1], qs = b.across[j2], sp = a.across[k1], pr = a.across[k2];
    plane->tri.data[t] =
        (FrPlaneTri){{p, r, q}, {rq, u, pr}, {b.fixed[j1], false, a.fixed[k2]}, a.inside};
    plane->tri.data[u] =
        (FrPlaneTri){{p, q, s}, {qs, sp, t}, {b.fixed[j2], a.fixed[k1], false}, b.inside};
    if (rq >= 0) plane->tri.data[rq].across[side_to(&plane->tri.data[rq], u)] = t;
    if (sp >= 0) plane->tri.data[sp].across[side_to(&plane->tri.data[sp], t)] = u;
    plane->of_point.data[p] = plane->of_point.data[r] = plane->of_point.data[q] = t;
    plane->of_point.data[s] = u;
}

static bool push(FrPlane *plane, int32_t tri) {
    return fr_array_push(plane->ctx, &plane->stack, tri);
}

// flip the sides opposite `point` of the triangles on the stack, and what that uncovers
static FrResult legalize(FrPlane *plane, int32_t point) {
    while (plane->stack.count) {
        int32_t t = plane->stack.data[--plane->stack.count];
        const FrPlaneTri *tri = &plane->tri.data[t];
        int k = corner_of(tri, point);
        int32_t u = tri->across[k];
        if (u < 0 || tri->fixed[k]) continue;
        const FrPlaneTri *o = &plane->tri.data[u];
        FrPlanePoint d = plane->point.data[o->v[side_to(o, t)]];
        if (!in_circle(plane->point.data[tri->v[0]], plane->point.data[tri->v[1]],
                       plane->point.data[tri->v[2]], d))
            continue;
        flip(plane, t, k);
        if (!push(plane, t) || !push(plane, u)) return fr_no_memory(plane->ctx, "a triangulation");
    }
    return FR_OK;
}

// t becomes three triangles around p
static FrResult split_tri(FrPlane *plane, int32_t t, int32_t p) {
    FrPlaneTri old = plane->tri.data[t];
    int32_t id[3] = {t, plane->tri.count, plane->tri.count + 1};
    if (!fr_array_extend(plane->ctx, &plane->tri, 2)) return fr_no_memory(plane->ctx, "triangles");
    for (int k = 0; k < 3; k++) {
        int32_t a = old.v[(k + 1) % 3], b = old.v[(k + 2) % 3];
        FrPlaneTri n = {{p, a, b},
                        {old.across[k], id[(k + 1) % 3], id[(k + 2) % 3]},
                        {old.fixed[k], false, false},
                        old.inside};
        plane->tri.data[id[k]] = n;
        plane->of_point.data[a] = id[k];
        int32_t other = old.across[k];
        if (other >= 0 && k > 0) {
            FrPlaneTri *o = &plane->tri.data[other];
            o->across[side_to(o, t)] = id[k];
        }
        if (!push(plane, id[k])) return fr_no_memory(plane->ctx, "triangles");
    }
    plane->of_point.data[p] = t;
    return legalize(plane, p);
}

FrResult fr_plane_add(FrPlane *plane, FrPlanePoint p, int32_t *index) {
    int32_t t = fr_plane_find(plane, p);
    FR_ASSERT_IN(plane->ctx, t >= 0, "points must lie within FR_PLANE_MAX");
    const FrPlaneTri *tri = &plane->tri.data[t];
    for (int k = 0; k < 3; k++) {
        FrPlanePoint q = plane->point.data[tri->v[k]];
        *index = tri->v[k];
        if (q.x == p.x && q.y == p.y) return FR_OK;
    }
    *index = plane->point.count;
    if (!fr_array_push(plane->ctx, &plane->point, p) ||
        !fr_array_push(plane->ctx, &plane->of_point, t))
        return fr_no_memory(plane->ctx, "a triangulation");
    // on a side: the flat triangle this makes is flipped away at once (its circle holds everything
    // beyond), unless the side is fixed
    for (int k = 0; k < 3; k++) {
        FrPlanePoint a = plane->point.data[tri->v[(k + 1) % 3]];
        FrPlanePoint b = plane->point.data[tri->v[(k + 2) % 3]];
        if (fr_plane_turn(a, b, p) != 0) continue;
        FR_ASSERT_IN(plane->ctx, !tri->fixed[k], "points may not lie on fixed sides");
        FR_TRY(split_tri(plane, t, *index));
        return FR_OK;
    }
    return split_tri(plane, t, *index);
}

// the triangle with side (a, b), counter-clockwise from a to b; false: no such side
static bool find_side(const FrPlane *plane, int32_t a, int32_t b, int32_t *tri, int *side) {
    int32_t first = plane->of_point.data[a], t = first;
    do {
        const FrPlaneTri *o = &plane->tri.data[t];
        int k = corner_of(o, a);
        if (o->v[(k + 1) % 3] == b) {
            *tri = t;
            *side = (k + 2) % 3;
            return true;
        }
        t = fr_plane_around(plane, t, a);
    } while (t >= 0 && t != first);
    return false;
}

typedef struct PlaneEdge {
    int32_t r, s; ///< r right of a -> b, s left
} PlaneEdge;
typedef FR_ARRAY(PlaneEdge) EdgeList;

// the triangle at a through which the way to b leaves; a point on the way is reported
static int32_t first_crossed(const FrPlane *plane, int32_t a, int32_t b, int32_t *on_way) {
    const FrPlanePoint *at = plane->point.data;
    int32_t first = plane->of_point.data[a], t = first;
    do {
        const FrPlaneTri *o = &plane->tri.data[t];
        int k = corner_of(o, a);
        int32_t r = o->v[(k + 1) % 3], s = o->v[(k + 2) % 3];
        int64_t right = fr_plane_turn(at[a], at[b], at[r]),
                left = fr_plane_turn(at[a], at[b], at[s]);
        bool ahead =
            (at[r].x - at[a].x) * (at[b].x - at[a].x) + (at[r].y - at[a].y) * (at[b].y - at[a].y) >
            0;
        if (right == 0 && ahead) *on_way = r;
        if (right == 0 && ahead) return -1;
        if (right < 0 && left > 0) return t;
        t = fr_plane_around(plane, t, a);
    } while (t >= 0 && t != first);
    return -1;
}

// all sides between a and b, in order
static FrResult list_crossed(FrPlane *plane, int32_t a, int32_t b, EdgeList *list,
                             int32_t *blocked) {
    const FrPlanePoint *at = plane->point.data;
    int32_t t = first_crossed(plane, a, b, blocked), apex = a;
    while (t >= 0) {
        const FrPlaneTri *o = &plane->tri.data[t];
        int k = corner_of(o, apex);
        // enter through `apex`'s far side
        PlaneEdge edge = {o->v[(k + 1) % 3], o->v[(k + 2) % 3]};
        if (o->fixed[k]) *blocked = edge.r;
        if (o->fixed[k]) return FR_OK;
        if (!fr_array_push(plane->ctx, list, edge)) return fr_no_memory(plane->ctx, "sides");
        int32_t u = o->across[k];
        const FrPlaneTri *next = &plane->tri.data[u];
        int32_t q = next->v[side_to(next, t)];
        if (q == b) return FR_OK;
        int64_t turn = fr_plane_turn(at[a], at[b], at[q]);
        if (turn == 0) *blocked = q;
        if (turn == 0) return FR_OK;
        // leave through the side away from the corner that stays behind
        apex = turn > 0 ? edge.s : edge.r;
        t = u;
    }
    return FR_OK;
}

static bool crosses(const FrPlane *plane, int32_t a, int32_t b, int32_t p, int32_t q) {
    const FrPlanePoint *at = plane->point.data;
    if (p == a || p == b || q == a || q == b) return false;
    int64_t u = fr_plane_turn(at[a], at[b], at[p]), v = fr_plane_turn(at[a], at[b], at[q]);
    return (u > 0) != (v > 0);
}

// flip the crossed sides, each in its turn, until none is left
static FrResult clear_way(FrPlane *plane, int32_t a, int32_t b, EdgeList *list) {
    const FrPlanePoint *at = plane->point.data;
    for (int64_t head = 0; head < list->count; head++) {
        PlaneEdge edge = list->data[head];
        int32_t t;
        int k;
        if (!find_side(plane, edge.r, edge.s, &t, &k)) continue;
        const FrPlaneTri *o = &plane->tri.data[t], *n = &plane->tri.data[o->across[k]];
        int32_t p = o->v[k], q = n->v[side_to(n, t)];
        bool convex = fr_plane_turn(at[p], at[edge.r], at[q]) > 0 &&
                      fr_plane_turn(at[p], at[q], at[edge.s]) > 0;
        if (convex) {
            flip(plane, t, k);
            edge = (PlaneEdge){p, q};
        }
        if (convex && !crosses(plane, a, b, p, q)) continue;
        if (list->count > 100000000) return fr_fail(plane->ctx, FR_FAILED, "a side does not clear");
        if (!fr_array_push(plane->ctx, list, edge)) return fr_no_memory(plane->ctx, "sides");
    }
    return FR_OK;
}

FrResult fr_plane_fix(FrPlane *plane, int32_t a, int32_t b, int32_t *blocked) {
    int32_t t;
    int k;
    *blocked = -1;
    if (!find_side(plane, a, b, &t, &k)) {
        EdgeList list = {0};
        FrResult result = list_crossed(plane, a, b, &list, blocked);
        if (result == FR_OK && *blocked < 0) result = clear_way(plane, a, b, &list);
        fr_array_free(plane->ctx, &list);
        if (result != FR_OK || *blocked >= 0) return result;
        if (!find_side(plane, a, b, &t, &k))
            return fr_fail(plane->ctx, FR_FAILED, "a side of an outline cannot be made");
    }
    FrPlaneTri *o = &plane->tri.data[t];
    o->fixed[k] = true;
    FrPlaneTri *n = &plane->tri.data[o->across[k]];
    n->fixed[side_to(n, t)] = true;
    return FR_OK;
}

FrResult fr_plane_mark(FrPlane *plane) {
    for (int32_t t = 0; t < plane->tri.count; t++) plane->tri.data[t].inside = -1;
    int32_t first = plane->of_point.data[0];
    plane->tri.data[first].inside = 0;
    plane->stack.count = 0;
    bool ok = push(plane, first);
    while (ok && plane->stack.count) {
        const FrPlaneTri *t = &plane->tri.data[plane->stack.data[--plane->stack.count]];
        for (int k = 0; ok && k < 3; k++) {
            if (t->across[k] < 0 || plane->tri.data[t->across[k]].inside >= 0) continue;
            plane->tri.data[t->across[k]].inside = (int8_t)(t->inside ^ (int)t->fixed[k]);
            ok = push(plane, t->across[k]);
        }
    }
    return ok ? FR_OK : fr_no_memory(plane->ctx, "a triangulation");
}

bool fr_plane_move(FrPlane *plane, int32_t point, FrPlanePoint to) {
    int32_t first = plane->of_point.data[point], t = first;
    do {
        const FrPlaneTri *o = &plane->tri.data[t];
        int k = corner_of(o, point);
        if (fr_plane_turn(to, plane->point.data[o->v[(k + 1) % 3]],
                          plane->point.data[o->v[(k + 2) % 3]]) <= 0)
            return false;
        t = fr_plane_around(plane, t, point);
    } while (t != first);
    plane->point.data[point] = to;
    return true;
}

FrResult fr_plane_flip_all(FrPlane *plane) {
    bool again = true;
    while (again) {
        again = false;
        for (int32_t t = 0; t < plane->tri.count; t++)
            for (int k = 0; k < 3; k++) {
                const FrPlaneTri *o = &plane->tri.data[t];
                if (o->across[k] < t || o->fixed[k]) continue;
                const FrPlaneTri *n = &plane->tri.data[o->across[k]];
                const FrPlanePoint *at = plane->point.data;
                if (!in_circle(at[o->v[0]], at[o->v[1]], at[o->v[2]], at[n->v[side_to(n, t)]]))
                    continue;
                flip(plane, t, k);
                again = true;
            }
    }
    return FR_OK;
}
