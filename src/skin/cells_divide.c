// cells_divide.c: a closed surface divided by the tets that it lies in. Who lies on which side of
// whom is decided in whole numbers, exactly, so that all parts agree.                       [M13]

#include "base/hash.h"
#include "base/random.h"
#include "math/lanes.h"
#include "mesh/locate.h"
#include "skin/cells_inside.h"
#include "skin/embed.h"
#include <string.h>

// What triangle and tet share is convex. Its sides are numbered: 0 to 2 those of the triangle, from
// its corner k to the next; 3 to 6 the faces of the tet, opposite its corners. A vertex knows the
// side that comes to it and the one that leaves it, counter-clockwise as the triangle runs.
#define SIDES 7
#define GRID 0x1p36      // whole numbers in the length of the mesh: three products fit 128 bits
#define JITTER (1 << 18) // points are moved by so many, so that none lies on a plane: 4e-6 lengths
#define ATTEMPTS 4
#define NEAR_END 1e-3 // share of a line
#define FAR_OFF 0.01  // likewise
__extension__ typedef __int128 Wide;

typedef struct Whole {
    int64_t x[3];
} Whole;

typedef struct Divider {
    FrCells *c;
    const FrEmbedded *skin;
    Whole *node, *point; ///< on the grid
    int32_t *place;      ///< first point that hangs alike
    int32_t *home;       ///< tet that each place is in
    FrTable vertex_of, look_of, edge_of;
    int32_t edges; ///< of the surface
    int32_t *seen; ///< last triangle that looked at a tet
    FR_ARRAY(int32_t) queue;
    int32_t ties; ///< points that lie on planes: to be done again
    int32_t tri;  ///< now
} Divider;

static Wide volume_of(const Whole *a, const Whole *b, const Whole *c, const Whole *d) {
    int64_t u[3], v[3], w[3];
    for (int k = 0; k < 3; k++)
        u[k] = b->x[k] - a->x[k], v[k] = c->x[k] - a->x[k], w[k] = d->x[k] - a->x[k];
    return ((Wide)u[1] * v[2] - (Wide)u[2] * v[1]) * w[0] +
           ((Wide)u[2] * v[0] - (Wide)u[0] * v[2]) * w[1] +
           ((Wide)u[0] * v[1] - (Wide)u[1] * v[0]) * w[2];
}

static int side_of(const Whole *a, const Whole *b, const Whole *c, const Whole *d, int32_t *ties) {
    Wide det = volume_of(a, b, c, d);
    *ties += det == 0;
    return (det > 0) - (det < 0);
}

/// Where a line meets a plane: from how far its ends are from it, truly and on the grid.
typedef struct Meeting {
    double a, b;         ///< of opposite sign, unless the line runs along the plane
    double margin;       ///< least weight of the point in the triangle or face that it lies in
    Wide grid_a, grid_b; ///< of opposite sign
} Meeting;

// Share of the line from its first end. Where anything is so near that the grid may have moved it
// across, as the grid has it, so that points that are different stay apart.
static double true_meeting(double a, double b) { return a != b ? a / (a - b) : 0.5; }
static double meeting_at(const Meeting *m) {
    double grid = (double)m->grid_a / ((double)m->grid_a - (double)m->grid_b);
    double t = true_meeting(m->a, m->b), end = fr_min(t, 1.0 - t);
    return fr_min(end, m->margin) > NEAR_END && fabs(t - grid) < FAR_OFF ? t : grid;
}

/// On which sides triangle and tet are of each other.
typedef struct Sides {
    int node[4];      ///< of the plane of the triangle; 1: where its normal points
    int corner[3][4]; ///< of the faces; 1: inside
    int line[6][3];   ///< of edges of the tet and sides of the triangle
} Sides;

static Sides sides_of(Divider *d, const int32_t place[3], int32_t tet) {
    const int32_t *n = d->c->mesh.tet[tet];
    const Whole *p[3] = {&d->point[place[0]], &d->point[place[1]], &d->point[place[2]]};
    Sides s;
    for (int i = 0; i < 4; i++) {
        const int8_t *f = fr_tet_face[i];
        s.node[i] = side_of(p[0], p[1], p[2], &d->node[n[i]], &d->ties);
        for (int k = 0; k < 3; k++)
            s.corner[k][i] =
                -side_of(&d->node[n[f[0]]], &d->node[n[f[1]]], &d->node[n[f[2]]], p[k], &d->ties);
    }
    for (int e = 0; e < 6; e++)
        for (int k = 0; k < 3; k++)
            s.line[e][k] = side_of(&d->node[n[fr_tet_edge[e][0]]], &d->node[n[fr_tet_edge[e][1]]],
                                   p[k], p[(k + 1) % 3], &d->ties);
    return s;
}

static int edge_between(int i, int j) {
    static const int at[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};
    return at[i][j];
}

// line of the edge from corner i to j of a tet, and side k of a triangle
static int line_of(const Sides *s, int i, int j, int k) {
    int line = s->line[edge_between(i, j)][k];
    return i < j ? line : -line;
}

// does side k of the triangle go through a face?
static bool pierces_face(const Sides *s, int k, int face) {
    const int8_t *f = fr_tet_face[face];
    if (s->corner[k][face] == s->corner[(k + 1) % 3][face]) return false;
    int a = line_of(s, f[0], f[1], k), b = line_of(s, f[1], f[2], k), c = line_of(s, f[2], f[0], k);
    return a == b && b == c;
}

// does an edge of the tet go through the triangle?
static bool pierces_triangle(const Sides *s, int e) {
    return s->node[fr_tet_edge[e][0]] != s->node[fr_tet_edge[e][1]] &&
           s->line[e][0] == s->line[e][1] && s->line[e][1] == s->line[e][2];
}

static FrResult no_memory(const Divider *d) { return fr_no_memory(d->c->ctx, "a divided skin"); }

// a new vertex, or the one of this key
static FrResult vertex_for(Divider *d, uint64_t key, FrCellVertex made, int32_t *vertex) {
    FrCells *c = d->c;
    if (!fr_table_reserve(c->ctx, &d->vertex_of, 1)) return no_memory(d);
    *vertex = fr_table_add(&d->vertex_of, key, c->vertex.count);
    if (*vertex < c->vertex.count) return FR_OK;
    return fr_array_push(c->ctx, &c->vertex, made) ? FR_OK : no_memory(d);
}

static FrResult look_for(Divider *d, uint64_t key, FrCellLook made, int32_t *look) {
    FrCells *c = d->c;
    if (!fr_table_reserve(c->ctx, &d->look_of, 1)) return no_memory(d);
    *look = fr_table_add(&d->look_of, key, c->look.count);
    if (*look < c->look.count) return FR_OK;
    return fr_array_push(c->ctx, &c->look, made) ? FR_OK : no_memory(d);
}

static FrVec3 rest_of(const Divider *d, int32_t point) {
    return fr_point_carried((const int32_t(*)[4])d->c->mesh.tet, &d->skin->at[point], d->c->mesh.x);
}

// the look of a point of the triangle, with weights of its corners
static FrCellLook blend(const Divider *d, int32_t vertex, const double b[3]) {
    FrCellLook look = {.vertex = vertex, .normal = fr_vec3_zero};
    const int32_t *point = d->skin->tri[d->tri];
    for (int k = 0; k < 3; k++) {
        if (d->skin->normal)
            look.normal = fr_axpy(b[k], fr_get3(d->skin->normal, point[k]), look.normal);
        for (int a = 0; d->skin->uv && a < 2; a++)
            look.uv[a] += b[k] * d->skin->uv[2 * (size_t)point[k] + (size_t)a];
    }
    look.normal = fr_normalize(look.normal);
    return look;
}

// weights in the nodes of a simplex: those of corners whose bit is set
static FrCellVertex vertex_at(const Divider *d, int32_t tet, int corners, FrVec3 x) {
    FrCellVertex v;
    double b[4], sum = 0.0;
    fr_tet_weights(&d->c->mesh, tet, x, b);
    for (int i = 0; i < 4; i++) sum += corners >> i & 1 ? b[i] : 0.0;
    for (int i = 0; i < 4; i++) {
        bool on = corners >> i & 1;
        v.node[i] = on ? d->c->mesh.tet[tet][i] : -1;
        v.weight[i] = on ? b[i] / sum : 0.0;
    }
    return v;
}

// a corner of the triangle
static FrResult add_corner(Divider *d, int k, int32_t tet, int32_t *look) {
    int32_t point = d->skin->tri[d->tri][k], place = d->place[point], vertex;
    FrCellVertex v = vertex_at(d, tet, 15, rest_of(d, point));
    v.kind = FR_CELL_INNER, v.simplex = tet;
    FR_TRY(vertex_for(d, fr_cells_key(0, place, 0), v, &vertex));
    double b[3] = {k == 0, k == 1, k == 2};
    return look_for(d, fr_cells_key(0, point, 0), blend(d, vertex, b), look);
}

// number of a side of the triangle; the lower place first
static FrResult surface_edge(Divider *d, int32_t a, int32_t b, int32_t *edge) {
    if (!fr_table_reserve(d->c->ctx, &d->edge_of, 1)) return no_memory(d);
    *edge = fr_table_add(&d->edge_of, fr_cells_key(1, fr_min_i(a, b), fr_max_i(a, b)), d->edges);
    d->edges += *edge == d->edges;
    return FR_OK;
}

// Where side k of the triangle goes through a face. Worked out from its end with the lower place,
// so that both triangles at the side find the same.
static FrResult add_on_face(Divider *d, int k, int32_t tet, int f, int32_t *look) {
    const int32_t *tri = d->skin->tri[d->tri];
    int32_t u = tri[k], v = tri[(k + 1) % 3], face = d->c->face_of[tet][f], vertex;
    int32_t edge = -1;
    bool turned = d->place[u] > d->place[v];
    FrVec3 a = rest_of(d, turned ? v : u), b = rest_of(d, turned ? u : v);
    double wa[4], wb[4];
    fr_tet_weights(&d->c->mesh, tet, a, wa);
    fr_tet_weights(&d->c->mesh, tet, b, wb);
    const int32_t *n = d->c->mesh.tet[tet];
    const Whole *p[3], *from = &d->point[d->place[turned ? v : u]],
                       *to = &d->point[d->place[turned ? u : v]];
    for (int i = 0; i < 3; i++) p[i] = &d->node[n[fr_tet_face[f][i]]];
    Meeting meeting = {wa[f], wb[f], 1.0, volume_of(p[0], p[1], p[2], from),
                       volume_of(p[0], p[1], p[2], to)};
    double there = true_meeting(wa[f], wb[f]);
    for (int i = 0; i < 4; i++)
        if (i != f) meeting.margin = fr_min(meeting.margin, wa[i] + there * (wb[i] - wa[i]));
    double t = meeting_at(&meeting);
    FrCellVertex made = vertex_at(d, tet, 15 & ~(1 << f), fr_lerp(a, b, t));
    made.kind = FR_CELL_ON_FACE, made.simplex = face;
    FR_TRY(surface_edge(d, d->place[u], d->place[v], &edge));
    FR_TRY(vertex_for(d, fr_cells_key(1, face, edge), made, &vertex));
    double w[3] = {0, 0, 0};
    w[k] = turned ? t : 1.0 - t;
    w[(k + 1) % 3] = 1.0 - w[k];
    uint64_t seam = fr_cells_key(2, fr_min_i(u, v), fr_max_i(u, v));
    return look_for(d, fr_mix64(seam + (uint64_t)face) * 8u + 2u, blend(d, vertex, w), look);
}

// weights of the corners of a triangle at x, or at what is nearest in its plane
static void weigh_in(const FrVec3 p[3], FrVec3 x, double w[3]) {
    FrVec3 n = fr_cross(fr_sub(p[1], p[0]), fr_sub(p[2], p[0]));
    double n2 = fr_max(fr_dot(n, n), 1e-300);
    for (int k = 0; k < 3; k++) {
        FrVec3 a = fr_sub(p[(k + 1) % 3], x), b = fr_sub(p[(k + 2) % 3], x);
        w[k] = fr_dot(n, fr_cross(a, b)) / n2;
    }
}

// where an edge of the tet goes through the triangle
static FrResult add_on_edge(Divider *d, const Sides *s, int e, int32_t tet, int32_t *look) {
    FrCells *c = d->c;
    const int32_t *tri = d->skin->tri[d->tri];
    int i = fr_tet_edge[e][0], j = fr_tet_edge[e][1];
    if (c->mesh.tet[tet][i] > c->mesh.tet[tet][j]) i = fr_tet_edge[e][1], j = fr_tet_edge[e][0];
    int32_t edge = c->edge_of[tet][e], vertex, before = c->vertex.count;
    FrVec3 p[3], a = fr_get3(c->mesh.x, c->mesh.tet[tet][i]);
    FrVec3 b = fr_get3(c->mesh.x, c->mesh.tet[tet][j]);
    const Whole *g[3];
    double w[3];
    for (int k = 0; k < 3; k++) p[k] = rest_of(d, tri[k]), g[k] = &d->point[d->place[tri[k]]];
    FrVec3 n = fr_cross(fr_sub(p[1], p[0]), fr_sub(p[2], p[0]));
    double da = fr_dot(n, fr_sub(a, p[0])), db = fr_dot(n, fr_sub(b, p[0]));
    weigh_in(p, fr_lerp(a, b, true_meeting(da, db)), w);
    Meeting meeting = {da, db, fr_min(w[0], fr_min(w[1], w[2])),
                       volume_of(g[0], g[1], g[2], &d->node[c->mesh.tet[tet][i]]),
                       volume_of(g[0], g[1], g[2], &d->node[c->mesh.tet[tet][j]])};
    double t = meeting_at(&meeting);
    FrCellVertex made = {.kind = FR_CELL_ON_EDGE, .simplex = edge, .node = {-1, -1, -1, -1}};
    made.node[0] = c->mesh.tet[tet][i], made.node[1] = c->mesh.tet[tet][j];
    made.weight[0] = 1.0 - t, made.weight[1] = t;
    FR_TRY(vertex_for(d, fr_cells_key(3, edge, d->tri), made, &vertex));
    if (vertex == before) {
        FrCellCrossing x = {vertex, t, s->node[i] > 0, c->edge.data[edge].crossing};
        if (!fr_array_push(c->ctx, &c->crossing, x)) return no_memory(d);
        c->edge.data[edge].crossing = c->crossing.count - 1;
    }
    weigh_in(p, fr_lerp(a, b, t), w);
    double sum = 0.0;
    for (int k = 0; k < 3; k++) sum += w[k] = fr_max(w[k], 0.0);
    for (int k = 0; k < 3; k++) w[k] = sum > 0.0 ? w[k] / sum : 1.0 / 3.0;
    return look_for(d, fr_cells_key(3, edge, d->tri), blend(d, vertex, w), look);
}

/// A polygon while it is found: by the side that leaves each vertex.
typedef struct Outline {
    int32_t look[SIDES]; ///< -1: none
    int8_t to[SIDES];    ///< from the side that comes to a vertex, the one that leaves it
    int count;
} Outline;

static void put(Outline *o, int from, int to, int32_t look) {
    o->look[from] = look;
    o->to[from] = (int8_t)to;
    o->count++;
}

static FrResult put_corners(Divider *d, const Sides *s, int32_t tet, Outline *o) {
    for (int k = 0; k < 3; k++) {
        int32_t look;
        bool in = true;
        for (int f = 0; f < 4; f++) in = in && s->corner[k][f] > 0;
        if (!in) continue;
        FR_TRY(add_corner(d, k, tet, &look));
        put(o, (k + 2) % 3, k, look);
    }
    return FR_OK;
}

static FrResult put_on_faces(Divider *d, const Sides *s, int32_t tet, Outline *o) {
    for (int k = 0; k < 3; k++)
        for (int f = 0; f < 4; f++) {
            int32_t look;
            if (!pierces_face(s, k, f)) continue;
            FR_TRY(add_on_face(d, k, tet, f, &look));
            if (s->corner[k][f] < 0) // comes in
                put(o, 3 + f, k, look);
            else
                put(o, k, 3 + f, look);
        }
    return FR_OK;
}

// Faces opposite l and m meet at the edge from i to k, where (i k l m) turns as the tet does. Along
// the face of m the way leads on into that of l where the edge runs against the normal.
static FrResult put_on_edges(Divider *d, const Sides *s, int32_t tet, Outline *o) {
    static const int8_t others[6][2] = {{2, 3}, {3, 1}, {1, 2}, {0, 3}, {2, 0}, {0, 1}};
    for (int e = 0; e < 6; e++) {
        int32_t look;
        if (!pierces_triangle(s, e)) continue;
        int l = others[e][0], m = others[e][1];
        FR_TRY(add_on_edge(d, s, e, tet, &look));
        if (s->node[fr_tet_edge[e][0]] > 0)
            put(o, 3 + m, 3 + l, look);
        else
            put(o, 3 + l, 3 + m, look);
    }
    return FR_OK;
}

// a side in a face, for the cap of its first tet, which runs against it
static FrResult add_segment(Divider *d, int32_t tet, int f, int32_t from, int32_t to) {
    FrCells *c = d->c;
    FrCellFace *face = &c->face.data[c->face_of[tet][f]];
    if (face->tet[0] != tet || face->corner[0] != f) return FR_OK;
    FrCellSegment s = {c->look.data[to].vertex, c->look.data[from].vertex, face->segment};
    if (!fr_array_push(c->ctx, &c->segment, s)) return no_memory(d);
    face->segment = c->segment.count - 1;
    return FR_OK;
}

// *open: bits of faces that the polygon goes on behind
static FrResult divide_in(Divider *d, const int32_t place[3], int32_t tet, int *open) {
    Sides s = sides_of(d, place, tet);
    Outline o = {.count = 0};
    *open = 0;
    for (int k = 0; k < SIDES; k++) o.look[k] = -1;
    FR_TRY(put_corners(d, &s, tet, &o));
    FR_TRY(put_on_faces(d, &s, tet, &o));
    FR_TRY(put_on_edges(d, &s, tet, &o));
    if (d->ties || o.count < 3) return FR_OK;
    int32_t ring[SIDES], first = 0;
    int side[SIDES], count = 0;
    while (o.look[first] < 0) first++;
    for (int at = first; count < o.count && o.look[at] >= 0; at = o.to[at]) {
        side[count] = o.to[at]; // from this vertex on
        ring[count++] = o.look[at];
    }
    for (int k = 0; k < count; k++) {
        if (side[k] < 3) continue;
        *open |= 1 << (side[k] - 3);
        FR_TRY(add_segment(d, tet, side[k] - 3, ring[k], ring[(k + 1) % count]));
    }
    return fr_cells_add_poly(d->c, tet, ring, count);
}

static FrResult leaves_mesh(const Divider *d, int32_t point) {
    FrVec3 x = rest_of(d, point);
    return fr_fail(d->c->ctx, FR_BAD_INPUT,
                   "the skin leaves its tets at triangle %d, near (%.4g, %.4g, %.4g) m", d->tri,
                   x.x, x.y, x.z);
}

static FrResult divide_triangle(Divider *d) {
    const int32_t *point = d->skin->tri[d->tri];
    int32_t place[3] = {d->place[point[0]], d->place[point[1]], d->place[point[2]]};
    if (place[0] == place[1] || place[1] == place[2] || place[2] == place[0]) return FR_OK;
    d->queue.count = 0;
    if (!fr_array_push(d->c->ctx, &d->queue, d->home[place[0]])) return no_memory(d);
    d->seen[d->home[place[0]]] = d->tri + 1;
    for (int32_t k = 0; k < d->queue.count && !d->ties; k++) {
        int32_t tet = d->queue.data[k];
        int open;
        FR_TRY(divide_in(d, place, tet, &open));
        for (int f = 0; f < 4; f++) {
            if (!(open >> f & 1)) continue;
            const FrCellFace *face = &d->c->face.data[d->c->face_of[tet][f]];
            int32_t other = face->tet[0] == tet ? face->tet[1] : face->tet[0];
            if (other < 0) return leaves_mesh(d, point[0]);
            if (d->seen[other] == d->tri + 1) continue;
            d->seen[other] = d->tri + 1;
            if (!fr_array_push(d->c->ctx, &d->queue, other)) return no_memory(d);
        }
    }
    return FR_OK;
}

static bool is_in(Divider *d, int32_t point, int32_t tet) {
    const int32_t *n = d->c->mesh.tet[tet];
    for (int i = 0; i < 4; i++) {
        const int8_t *f = fr_tet_face[i];
        if (side_of(&d->node[n[f[0]]], &d->node[n[f[1]]], &d->node[n[f[2]]],
                    &d->point[d->place[point]], &d->ties) >= 0)
            return false;
    }
    return true;
}

// the tet that a point is in: that which it hangs on, or one near it
static FrResult find_home(Divider *d, int32_t point) {
    FrCells *c = d->c;
    d->queue.count = 0;
    if (!fr_array_push(c->ctx, &d->queue, d->skin->at[point].tet)) return no_memory(d);
    d->seen[d->skin->at[point].tet] = -point - 1;
    for (int32_t k = 0; k < d->queue.count; k++) {
        int32_t tet = d->queue.data[k];
        if (is_in(d, point, tet)) {
            d->home[point] = tet;
            return FR_OK;
        }
        if (k > 64) break; // it is far from where it hangs
        for (int f = 0; f < 4; f++) {
            const FrCellFace *face = &c->face.data[c->face_of[tet][f]];
            int32_t other = face->tet[0] == tet ? face->tet[1] : face->tet[0];
            if (other < 0 || d->seen[other] == -point - 1) continue;
            d->seen[other] = -point - 1;
            if (!fr_array_push(c->ctx, &d->queue, other)) return no_memory(d);
        }
    }
    if (d->ties) return FR_OK;
    FrVec3 x = rest_of(d, point);
    return fr_fail(c->ctx, FR_BAD_INPUT,
                   "point %d of the skin, at (%.4g, %.4g, %.4g) m, is outside of its tets", point,
                   x.x, x.y, x.z);
}

static void put_on_grid(Divider *d, int attempt) {
    const FrTetMesh *mesh = &d->c->mesh;
    FrBox box = fr_box_empty();
    for (int32_t n = 0; n < mesh->node_count; n++) box = fr_box_add(box, fr_get3(mesh->x, n));
    FrVec3 size = fr_sub(box.hi, box.lo), lo = box.lo;
    double scale = GRID / fr_max(size.x, fr_max(size.y, size.z));
    FrRandom random = fr_random_for((uint64_t)attempt, "cells", 0);
    for (int32_t n = 0; n < mesh->node_count; n++)
        for (int a = 0; a < 3; a++)
            d->node[n].x[a] =
                llround(scale * (fr_vec3_get(fr_get3(mesh->x, n), a) - fr_vec3_get(lo, a)));
    for (int32_t k = 0; k < d->skin->point_count; k++) {
        FrVec3 x = fr_sub(rest_of(d, k), lo);
        for (int a = 0; a < 3; a++)
            d->point[k].x[a] = llround(scale * fr_vec3_get(x, a)) - JITTER +
                               (int64_t)fr_random_below(&random, 2 * JITTER);
    }
}

// each side of a triangle is met by one that runs against it
static FrResult check_closed(Divider *d) {
    FrTable once = {0};
    FrContext *ctx = d->c->ctx;
    int64_t balance = 0;
    bool doubled = false;
    if (!fr_table_reserve(ctx, &once, 3 * d->skin->tri_count)) return no_memory(d);
    for (int32_t k = 0; k < 3 * d->skin->tri_count; k++) {
        const int32_t *tri = d->skin->tri[k / 3];
        int32_t a = d->place[tri[k % 3]], b = d->place[tri[(k + 1) % 3]];
        if (a == d->place[tri[(k + 2) % 3]] || b == d->place[tri[(k + 2) % 3]] || a == b) continue;
        doubled = doubled || fr_table_find(&once, fr_cells_key(0, a, b)) >= 0;
        balance += fr_table_find(&once, fr_cells_key(0, b, a)) >= 0 ? -1 : 1;
        fr_table_add(&once, fr_cells_key(0, a, b), k);
    }
    fr_table_free(ctx, &once);
    if (balance == 0 && !doubled) return FR_OK;
    return fr_fail(ctx, FR_BAD_INPUT,
                   "the skin is not closed, or has edges of more than two triangles");
}

static void forget(FrCells *c) {
    c->vertex.count = c->look.count = c->poly.count = c->corner.count = 0;
    c->segment.count = c->crossing.count = c->tri.count = 0;
    for (int32_t k = 0; k < c->face.count; k++) c->face.data[k].segment = -1;
    for (int32_t k = 0; k < c->edge.count; k++) c->edge.data[k].crossing = -1;
    for (int32_t e = 0; e < c->mesh.tet_count; e++) c->poly_of[e] = -1;
}

static FrResult divide_once(Divider *d, int attempt) {
    forget(d->c);
    put_on_grid(d, attempt);
    d->ties = d->edges = 0;
    fr_table_free(d->c->ctx, &d->vertex_of);
    fr_table_free(d->c->ctx, &d->look_of);
    fr_table_free(d->c->ctx, &d->edge_of);
    memset(d->seen, 0, (size_t)d->c->mesh.tet_count * sizeof *d->seen);
    for (int32_t k = 0; k < d->skin->point_count && !d->ties; k++)
        if (d->place[k] == k) FR_TRY(find_home(d, k));
    memset(d->seen, 0, (size_t)d->c->mesh.tet_count * sizeof *d->seen);
    for (d->tri = 0; d->tri < d->skin->tri_count && !d->ties; d->tri++) FR_TRY(divide_triangle(d));
    return FR_OK;
}

static FrResult find_places(Divider *d) {
    FR_TRY(fr_embedded_places(d->c->ctx, &d->c->mesh, d->skin, d->place));
    FrTable first = {0};
    if (!fr_table_reserve(d->c->ctx, &first, d->skin->point_count)) return no_memory(d);
    for (int32_t k = 0; k < d->skin->point_count; k++)
        d->place[k] = fr_table_add(&first, (uint64_t)d->place[k], k);
    fr_table_free(d->c->ctx, &first);
    return FR_OK;
}

FrResult fr_cells_divide(FrCells *c, const FrEmbedded *skin) {
    Divider d = {.c = c, .skin = skin};
    d.node = FR_NEW(c->ctx, Whole, c->mesh.node_count);
    d.point = FR_NEW(c->ctx, Whole, skin->point_count);
    d.place = FR_NEW(c->ctx, int32_t, skin->point_count);
    d.home = FR_NEW(c->ctx, int32_t, skin->point_count);
    d.seen = FR_NEW(c->ctx, int32_t, c->mesh.tet_count);
    FrResult result = d.node && d.point && d.place && d.home && d.seen ? FR_OK : no_memory(&d);
    if (result == FR_OK) result = find_places(&d);
    if (result == FR_OK) result = check_closed(&d);
    d.ties = 1;
    for (int k = 0; k < ATTEMPTS && d.ties && result == FR_OK; k++) result = divide_once(&d, k);
    if (result == FR_OK && d.ties)
        result = fr_fail(c->ctx, FR_BAD_INPUT, "the skin lies in faces of its tets");
    fr_table_free(c->ctx, &d.vertex_of);
    fr_table_free(c->ctx, &d.look_of);
    fr_table_free(c->ctx, &d.edge_of);
    fr_array_free(c->ctx, &d.queue);
    FR_FREE_ALL(c->ctx, d.node, d.point, d.place, d.home, d.seen);
    return result;
}
