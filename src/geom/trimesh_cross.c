// trimesh_cross.c: which triangles of a surface run through others.

#include "geom/aabb.h"
#include "geom/edges.h"
#include "geom/trimesh.h"

/// The triangle across an edge.
typedef struct Neighbour {
    int32_t tri;  ///< -1: none, or more than one
    bool against; ///< wound the other way round
} Neighbour;

typedef struct Search {
    const FrTriMesh *mesh;
    Neighbour *neighbour; ///< across edge k of triangle t, from its corner k: [3 t + k]
    int32_t *first;       ///< of each point: where its triangles begin in `round` (point_count + 1)
    int32_t *round;       ///< (3 tri_count)
    bool *crossed;        ///< (tri_count)
    int64_t budget;       ///< pairs that may still be looked at
} Search;

static double side_of(FrVec3 a, FrVec3 b, FrVec3 c, FrVec3 d) {
    return fr_dot(fr_sub(d, a), fr_cross(fr_sub(b, a), fr_sub(c, a)));
}

/// What of a triangle a segment meets.
typedef enum Met { NOTHING, INSIDE, EDGE, CORNER } Met;

// where the segment pq passes through the triangle abc; `at`: which edge or corner it meets exactly
static Met pierces(FrVec3 p, FrVec3 q, const FrVec3 t[3], int *at) {
    double from = side_of(t[0], t[1], t[2], p), to = side_of(t[0], t[1], t[2], q);
    if (!((from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0))) return NOTHING;
    double u[3];
    int zeros = 0, above = 0, below = 0, other = 0;
    for (int k = 0; k < 3; k++) {
        u[k] = side_of(p, q, t[k], t[(k + 1) % 3]);
        above += u[k] > 0.0;
        below += u[k] < 0.0;
        if (u[k] == 0.0)
            zeros++, *at = k;
        else
            other = k;
    }
    if (zeros > 2 || (above && below)) return NOTHING;
    if (zeros == 2) *at = (other + 2) % 3; // the corner across from the edge that is not met
    return zeros == 0 ? INSIDE : zeros == 1 ? EDGE : CORNER;
}

static void points_of(const FrTriMesh *mesh, int32_t tri, FrVec3 at[3]) {
    for (int k = 0; k < 3; k++) at[k] = fr_get3(mesh->p, mesh->tri[tri][k]);
}

// a segment that meets an edge goes through the surface where it changes sides of both triangles
// there in the same sense; otherwise it only touches
static bool goes_through(const Search *search, FrVec3 p, FrVec3 q, int32_t tri, int edge) {
    Neighbour other = search->neighbour[3 * (size_t)tri + (size_t)edge];
    if (other.tri < 0) return false;
    FrVec3 t[3], n[3];
    points_of(search->mesh, tri, t);
    points_of(search->mesh, other.tri, n);
    double way = side_of(t[0], t[1], t[2], q) > 0.0 ? 1.0 : -1.0;
    if (other.against) way = -way;
    return way * side_of(n[0], n[1], n[2], p) < 0.0 && way * side_of(n[0], n[1], n[2], q) > 0.0;
}

// seen along the segment the triangles round a point turn about it once where it goes through them,
// and not at all where it only touches
static bool goes_through_corner(const Search *search, FrVec3 p, FrVec3 q, int32_t point) {
    FrVec3 d = fr_normalize(fr_sub(q, p)), v = fr_get3(search->mesh->p, point);
    double turn = 0.0;
    for (int32_t k = search->first[point]; k < search->first[point + 1]; k++) {
        const int32_t *tri = search->mesh->tri[search->round[k]];
        int c = tri[0] == point ? 0 : tri[1] == point ? 1 : 2;
        FrVec3 a = fr_sub(fr_get3(search->mesh->p, tri[(c + 1) % 3]), v);
        FrVec3 b = fr_sub(fr_get3(search->mesh->p, tri[(c + 2) % 3]), v);
        a = fr_axpy(-fr_dot(a, d), d, a);
        b = fr_axpy(-fr_dot(b, d), d, b);
        turn += atan2(fr_dot(d, fr_cross(a, b)), fr_dot(a, b));
    }
    return fabs(turn) > FR_PI;
}

static bool edge_crosses(const Search *search, FrVec3 p, FrVec3 q, int32_t tri) {
    FrVec3 t[3];
    int at = 0;
    points_of(search->mesh, tri, t);
    switch (pierces(p, q, t, &at)) {
    case NOTHING:
        return false;
    case INSIDE:
        return true;
    case EDGE:
        return goes_through(search, p, q, tri, at);
    case CORNER:
        break;
    }
    return goes_through_corner(search, p, q, search->mesh->tri[tri][at]);
}

// is all of t, but for its border, outside one edge of s? n: normal of s
static bool beside(const FrVec3 s[3], const FrVec3 t[3], FrVec3 n) {
    for (int k = 0; k < 3; k++) {
        FrVec3 out = fr_cross(fr_sub(s[(k + 1) % 3], s[k]), n);
        double inmost = HUGE_VAL;
        for (int j = 0; j < 3; j++) inmost = fr_min(inmost, fr_dot(out, fr_sub(t[j], s[k])));
        if (inmost >= -1e-12 * fr_length2(out)) return true;
    }
    return false;
}

// do two triangles of one plane that look the same way have area in common?
static bool lies_in(const FrVec3 s[3], const FrVec3 t[3]) {
    FrVec3 n = fr_cross(fr_sub(s[1], s[0]), fr_sub(s[2], s[0]));
    FrVec3 m = fr_cross(fr_sub(t[1], t[0]), fr_sub(t[2], t[0]));
    if (!(fr_dot(n, m) > 0.0)) return false;
    double flat = 1e-12 * fr_length(n) * sqrt(fr_length(n));
    for (int k = 0; k < 3; k++)
        if (fabs(fr_dot(n, fr_sub(t[k], s[0]))) > flat) return false;
    return !beside(s, t, n) && !beside(t, s, m);
}

static bool share_a_point(const int32_t a[3], const int32_t b[3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (a[i] == b[j]) return true;
    return false;
}

// two triangles cross where an edge of one passes through the other, or one lies in the other
static bool cross(const Search *search, int32_t a, int32_t b) {
    FrVec3 s[3], t[3];
    points_of(search->mesh, a, s);
    points_of(search->mesh, b, t);
    for (int k = 0; k < 3; k++)
        if (edge_crosses(search, s[k], s[(k + 1) % 3], b) ||
            edge_crosses(search, t[k], t[(k + 1) % 3], a))
            return true;
    return lies_in(s, t);
}

static bool look_at_pair(void *user, int32_t a, int32_t b) {
    Search *search = user;
    const FrTriMesh *mesh = search->mesh;
    if (search->budget-- <= 0) return false;
    if (share_a_point(mesh->tri[a], mesh->tri[b])) return true;
    if (cross(search, a, b)) search->crossed[a] = search->crossed[b] = true;
    return true;
}

// where a side lies in its triangle
static size_t side_at(const FrTriMesh *mesh, const FrEdgeUse *use) {
    const int32_t *tri = mesh->tri[use->tri];
    int32_t first = use->forward ? use->lo : use->hi, then = use->forward ? use->hi : use->lo;
    size_t k = 0;
    while (k < 2 && !(tri[k] == first && tri[k + 1] == then)) k++;
    return 3 * (size_t)use->tri + k;
}

static FrResult find_neighbours(FrContext *ctx, const FrTriMesh *mesh, Neighbour *neighbour) {
    FrEdgeUse *use;
    int32_t count = 3 * mesh->tri_count;
    FR_TRY(fr_trimesh_edges(ctx, mesh, &use));
    for (int32_t k = 0; k < count; k++) neighbour[k] = (Neighbour){-1, false};
    for (int32_t k = 0, run; k < count; k += run) {
        run = fr_edge_run(use, count, k);
        if (run != 2 || use[k].lo == use[k].hi) continue;
        bool against = use[k].forward == use[k + 1].forward;
        neighbour[side_at(mesh, &use[k])] = (Neighbour){use[k + 1].tri, against};
        neighbour[side_at(mesh, &use[k + 1])] = (Neighbour){use[k].tri, against};
    }
    fr_free(ctx, use);
    return FR_OK;
}

// which triangles have each point; `first` is zero
static void list_round(Search *search) {
    const FrTriMesh *mesh = search->mesh;
    for (int32_t k = 0; k < 3 * mesh->tri_count; k++) search->first[mesh->tri[k / 3][k % 3]]++;
    for (int32_t n = 0; n < mesh->point_count; n++) search->first[n + 1] += search->first[n];
    for (int32_t k = 3 * mesh->tri_count - 1; k >= 0; k--)
        search->round[--search->first[mesh->tri[k / 3][k % 3]]] = k / 3;
}

FrResult fr_trimesh_crossings(FrContext *ctx, const FrTriMesh *mesh, int32_t *count) {
    // tidy surfaces have some 20 pairs of boxes a triangle
    Search search = {.mesh = mesh,
                     .neighbour = FR_NEW(ctx, Neighbour, 3 * (size_t)mesh->tri_count),
                     .first = FR_NEW(ctx, int32_t, (size_t)mesh->point_count + 1),
                     .round = FR_NEW(ctx, int32_t, 3 * (size_t)mesh->tri_count),
                     .crossed = FR_NEW(ctx, bool, mesh->tri_count),
                     .budget = 1000000 + 200 * (int64_t)mesh->tri_count};
    FrBox *box = FR_NEW(ctx, FrBox, mesh->tri_count);
    FrAabbTree tree = {0};
    bool room = search.neighbour && search.first && search.round && search.crossed && box &&
                fr_aabb_reserve(ctx, &tree, mesh->tri_count);
    *count = 0;
    FrResult result =
        room ? find_neighbours(ctx, mesh, search.neighbour) : fr_no_memory(ctx, "a surface report");
    if (result == FR_OK) {
        list_round(&search);
        for (int32_t t = 0; t < mesh->tri_count; t++) {
            box[t] = fr_box_empty();
            for (int k = 0; k < 3; k++)
                box[t] = fr_box_add(box[t], fr_get3(mesh->p, mesh->tri[t][k]));
        }
        fr_aabb_build(&tree, box, mesh->tri_count);
        fr_aabb_self_pairs(&tree, look_at_pair, &search);
        for (int32_t t = 0; t < mesh->tri_count; t++) *count += search.crossed[t];
    }
    fr_aabb_free(ctx, &tree);
    FR_FREE_ALL(ctx, box, search.neighbour, search.first, search.round, search.crossed);
    return result;
}
