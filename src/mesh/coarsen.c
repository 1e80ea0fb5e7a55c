// coarsen.c: half-edge collapses of a tet mesh. Outside faces carry ghost tets to one more corner,
// so that the surface needs no rules of its own: a collapse keeps the topology where the links of
// both ends meet in the link of the edge only.

#include "mesh/coarsen.h"
#include "mesh/quality.h"
#include "mesh/topology.h"
#include <math.h>
#include <string.h>

/// Tets around a corner that are looked at; corners with more stay.
#define MOST_AROUND 256
/// Lowest height of a tet over its longest edge.
#define FLATTEST 0.08
/// Cosine of the most that a face of the surface may turn at once.
#define MOST_TURN 0.85
/// Edges grow by this from pass to pass, so that all places become coarser alike.
#define GROWTH 1.12
#define MOST_PASSES 60
/// Edges that are left where corners inside go first, over the mean one at the start.
#define INSIDE_EDGE 2.5

/// Planes of the faces that met at a corner: mean square distance is (x'Ax + 2 b.x + c) / weight.
typedef struct Planes {
    FrMat3 A;
    FrVec3 b;
    double c, weight;
} Planes;

typedef struct Star {
    int32_t tet[MOST_AROUND];
    int32_t count;
} Star;

typedef struct Coarsen {
    FrContext *ctx;
    const FrCoarsenOptions *options;
    FrTetMesh *mesh;
    int32_t (*tet)[4]; ///< real ones, then ghosts; a ghost's last corner is `ghost`
    uint8_t *dead;     ///< of each tet
    int32_t *next;     ///< slot 4 e + i: the next slot with the same corner; -1: last
    int32_t *head;     ///< first slot of each corner; -1: none
    int32_t tet_count, alive, ghost;
    Planes *planes;
    uint8_t *locked;             ///< corners near what changed in this pass
    int32_t *in_first, *in_both; ///< of each corner: stamp of the last collapse that marked it
    int32_t stamp;
    double longest; ///< m, in this pass
    Star first, second;
} Coarsen;

static FrVec3 at(const Coarsen *c, int32_t n) { return fr_get3(c->mesh->x, n); }

static bool is_ghost(const Coarsen *c, const int32_t *tet) { return tet[3] == c->ghost; }

static bool has(const int32_t *tet, int32_t n) {
    return tet[0] == n || tet[1] == n || tet[2] == n || tet[3] == n;
}

// live tets around a corner; dead ones leave its list. False: too many
static bool gather(Coarsen *c, int32_t n, Star *star) {
    star->count = 0;
    for (int32_t *slot = &c->head[n]; *slot >= 0;) {
        int32_t e = *slot / 4;
        if (c->dead[e]) {
            *slot = c->next[*slot];
            continue;
        }
        if (star->count == MOST_AROUND) return false;
        star->tet[star->count++] = e;
        slot = &c->next[*slot];
    }
    return true;
}

static bool on_surface(const Coarsen *c, const Star *star) {
    for (int32_t k = 0; k < star->count; k++)
        if (is_ghost(c, c->tet[star->tet[k]])) return true;
    return false;
}

// marks corners in the link of a, and those in the link of the edge ab; false: a surface corner
// that would leave the surface
static bool mark_links(Coarsen *c, int32_t a, int32_t b) {
    bool along = false;
    c->stamp++;
    for (int32_t k = 0; k < c->first.count; k++) {
        const int32_t *t = c->tet[c->first.tet[k]];
        bool both = has(t, b);
        along = along || (both && is_ghost(c, t));
        for (int i = 0; i < 4; i++) {
            if (t[i] == a) continue;
            c->in_first[t[i]] = c->stamp;
            if (both && t[i] != b) c->in_both[t[i]] = c->stamp;
        }
    }
    return along || !on_surface(c, &c->first);
}

static bool marked(const Coarsen *c, int32_t n) { return c->in_both[n] == c->stamp; }

// corners of a tet other than `n` that lie in the link of the edge
static int shared(const Coarsen *c, const int32_t *tet, int32_t n, int32_t corner[4]) {
    int count = 0;
    for (int i = 0; i < 4; i++)
        if (tet[i] != n && marked(c, tet[i])) corner[count++] = tet[i];
    return count;
}

// has one of the tets of a star all of a, p, q?
static bool holds(const Coarsen *c, const Star *star, int32_t a, int32_t p, int32_t q) {
    for (int32_t k = 0; k < star->count; k++) {
        const int32_t *t = c->tet[star->tet[k]];
        if (has(t, a) && has(t, p) && has(t, q)) return true;
    }
    return false;
}

// do the links of a and b meet in that of the edge only?
static bool links_agree(const Coarsen *c, int32_t a, int32_t b) {
    for (int32_t k = 0; k < c->second.count; k++) {
        const int32_t *t = c->tet[c->second.tet[k]];
        for (int i = 0; i < 4; i++)
            if (t[i] != a && t[i] != b && c->in_first[t[i]] == c->stamp && !marked(c, t[i]))
                return false;
    }
    for (int32_t k = 0; k < c->first.count; k++) {
        const int32_t *t = c->tet[c->first.tet[k]];
        int32_t v[4];
        if (has(t, b)) continue;
        int count = shared(c, t, a, v);
        if (count == 3) return false;
        // an edge that both see, but no tet around the edge ab
        if (count == 2 && holds(c, &c->second, b, v[0], v[1]) &&
            !holds(c, &c->first, b, v[0], v[1]))
            return false;
    }
    return true;
}

// lowest height over longest edge of a tet; below 0: turned over
static double fatness(const FrVec3 p[4]) {
    double area2 = 0.0, edge2 = 0.0;
    for (int i = 0; i < 4; i++) {
        const int8_t *f = fr_tet_face[i];
        area2 =
            fr_max(area2, fr_length2(fr_cross(fr_sub(p[f[1]], p[f[0]]), fr_sub(p[f[2]], p[f[0]]))));
    }
    for (int k = 0; k < 6; k++)
        edge2 = fr_max(edge2, fr_length2(fr_sub(p[fr_tet_edge[k][0]], p[fr_tet_edge[k][1]])));
    double scale = sqrt(area2 * edge2);
    return scale > 0.0 ? fr_volume6(p[0], p[1], p[2], p[3]) / scale : -1.0;
}

static FrVec3 face_normal(const FrVec3 p[3]) {
    return fr_cross(fr_sub(p[1], p[0]), fr_sub(p[2], p[0]));
}

// may a face of the surface become this?
static bool face_stays(const FrVec3 before[3], const FrVec3 after[3]) {
    FrVec3 m = face_normal(before), n = face_normal(after);
    double scale = fr_length(m) * fr_length(n);
    return fr_dot(m, n) > MOST_TURN * scale;
}

// How good the worst tet is when a goes to b; below 0: it cannot. Edges, faces and heights.
static double worth(const Coarsen *c, int32_t a, int32_t b) {
    double before = HUGE_VAL, after = HUGE_VAL;
    for (int32_t k = 0; k < c->first.count; k++) {
        const int32_t *t = c->tet[c->first.tet[k]];
        bool ghost = is_ghost(c, t), gone = has(t, b);
        FrVec3 p[4], q[4];
        for (int i = 0; i < (ghost ? 3 : 4); i++) {
            p[i] = at(c, t[i]);
            q[i] = t[i] == a ? at(c, b) : p[i];
            double reach = fr_length(fr_sub(p[i], at(c, b)));
            if (!gone && t[i] != a && reach > c->longest) return -1.0;
        }
        if (!ghost) before = fr_min(before, fatness(p));
        if (gone) continue;
        if (ghost && !face_stays(p, q)) return -1.0;
        if (!ghost) after = fr_min(after, fatness(q));
    }
    return after >= fr_min(FLATTEST, before) ? after : -1.0;
}

static double away2(const Planes *p, FrVec3 x) {
    if (!(p->weight > 0.0)) return 0.0;
    double sum = fr_dot(x, fr_mat3_apply(p->A, x)) + 2.0 * fr_dot(p->b, x) + p->c;
    return sum / p->weight;
}

static void add_planes(Planes *to, const Planes *from) {
    to->A = fr_mat3_add(to->A, from->A);
    to->b = fr_add(to->b, from->b);
    to->c += from->c;
    to->weight += from->weight;
}

static bool may_go(Coarsen *c, int32_t a, int32_t b, double *value) {
    double most = c->options->tolerance * c->options->tolerance;
    if (c->locked[b] || away2(&c->planes[a], at(c, b)) > most) return false;
    if (!mark_links(c, a, b)) return false;
    *value = worth(c, a, b);
    return *value > 0.0 && gather(c, b, &c->second) && links_agree(c, a, b);
}

// a is left out: its tets get b, those with both die
static void collapse(Coarsen *c, int32_t a, int32_t b) {
    for (int32_t slot = c->head[a], next; slot >= 0; slot = next) {
        int32_t *t = c->tet[slot / 4];
        next = c->next[slot];
        if (c->dead[slot / 4]) continue;
        for (int i = 0; i < 4; i++) c->locked[t[i]] = 1;
        if (has(t, b)) {
            c->alive -= !is_ghost(c, t);
            c->dead[slot / 4] = 1;
            continue;
        }
        t[slot % 4] = b;
        c->next[slot] = c->head[b];
        c->head[b] = slot;
    }
    c->head[a] = -1;
    add_planes(&c->planes[b], &c->planes[a]);
}

// the neighbour that leaves the best tets; -1: none
static int32_t best_neighbour(Coarsen *c, int32_t a) {
    int32_t seen[MOST_AROUND], count = 0, best = -1;
    double highest = 0.0;
    for (int32_t k = 0; k < c->first.count; k++)
        for (int i = 0; i < 4; i++) {
            int32_t b = c->tet[c->first.tet[k]][i], j = 0;
            while (j < count && seen[j] != b) j++;
            if (j < count || b == a || b == c->ghost || count == MOST_AROUND) continue;
            seen[count++] = b;
            double value;
            if (may_go(c, a, b, &value) && value > highest) highest = value, best = b;
        }
    return best;
}

// `inside`: only corners off the surface
static int32_t pass(Coarsen *c, bool inside) {
    int32_t done = 0;
    memset(c->locked, 0, (size_t)c->ghost + 1);
    for (int32_t a = 0; a < c->ghost && c->alive > c->options->enough; a++) {
        if (c->locked[a] || c->head[a] < 0 || !gather(c, a, &c->first)) continue;
        if (inside && on_surface(c, &c->first)) continue;
        int32_t b = best_neighbour(c, a);
        if (b < 0) continue;
        collapse(c, a, b);
        c->locked[c->ghost] = 0;
        done++;
    }
    return done;
}

static void list_slots(Coarsen *c) {
    for (int32_t n = 0; n < c->ghost; n++) c->head[n] = -1;
    for (int32_t slot = 4 * c->tet_count - 1; slot >= 0; slot--) {
        int32_t n = c->tet[slot / 4][slot % 4];
        if (n == c->ghost) continue;
        c->next[slot] = c->head[n];
        c->head[n] = slot;
    }
}

static void add_face(Coarsen *c, const int32_t *tri) {
    FrVec3 p[3] = {at(c, tri[0]), at(c, tri[1]), at(c, tri[2])}, n = face_normal(p);
    double area = fr_length(n);
    if (!(area > 0.0)) return;
    n = fr_scale(1.0 / area, n);
    double d = -fr_dot(n, p[0]);
    Planes plane = {fr_mat3_scale(area, fr_outer(n, n)), fr_scale(area * d, n), area * d * d, area};
    for (int k = 0; k < 3; k++) add_planes(&c->planes[tri[k]], &plane);
}

static FrResult prepare(Coarsen *c, const FrSurface *surface) {
    FrContext *ctx = c->ctx;
    size_t corners = (size_t)c->ghost + 1, tets;
    c->tet_count = c->mesh->tet_count + surface->tri_count;
    tets = (size_t)c->tet_count;
    c->tet = fr_alloc(ctx, tets * sizeof *c->tet);
    c->dead = FR_NEW(ctx, uint8_t, tets);
    c->next = FR_NEW(ctx, int32_t, 4 * tets);
    c->head = FR_NEW(ctx, int32_t, corners);
    c->planes = FR_NEW(ctx, Planes, corners);
    c->locked = FR_NEW(ctx, uint8_t, corners);
    c->in_first = FR_NEW(ctx, int32_t, corners);
    c->in_both = FR_NEW(ctx, int32_t, corners);
    if (!c->tet || !c->dead || !c->next || !c->head || !c->planes || !c->locked || !c->in_first ||
        !c->in_both)
        return fr_no_memory(ctx, "larger tets");
    memcpy(c->tet, c->mesh->tet, (size_t)c->mesh->tet_count * sizeof *c->tet);
    for (int32_t k = 0; k < surface->tri_count; k++) {
        int32_t *ghost = c->tet[c->mesh->tet_count + k];
        memcpy(ghost, surface->tri[k], sizeof surface->tri[k]);
        ghost[3] = c->ghost;
        add_face(c, ghost);
    }
    list_slots(c);
    return FR_OK;
}

static FrResult keep_alive(Coarsen *c) {
    int32_t count = 0;
    for (int32_t e = 0; e < c->mesh->tet_count; e++)
        if (!c->dead[e]) memcpy(c->mesh->tet[count++], c->tet[e], sizeof c->tet[e]);
    c->mesh->tet_count = count;
    return fr_tetmesh_compact(c->ctx, c->mesh, NULL);
}

// The inside of walls goes while its tets are well shaped: corners that stay in the middle of a
// wall are in the way of all that comes later.
static void thin_out(Coarsen *c) {
    c->longest = fr_min(INSIDE_EDGE * fr_tetmesh_mean_edge(c->mesh), c->options->longest);
    for (int round = 0; round < MOST_PASSES; round++)
        if (pass(c, true) < 1 + c->alive / 2000) return;
}

FrResult fr_tetmesh_coarsen(FrContext *ctx, const FrCoarsenOptions *options, FrTetMesh *mesh) {
    if (mesh->order != 1 || mesh->region || !mesh->tet_count)
        return fr_fail(ctx, FR_BAD_USE, "only linear tets of one region can be made larger");
    FrSurface surface;
    FR_TRY(fr_tetmesh_surface(ctx, mesh, &surface));
    Coarsen *c = FR_NEW(ctx, Coarsen, 1);
    FrResult result = c ? FR_OK : fr_no_memory(ctx, "larger tets");
    if (c) {
        *c = (Coarsen){.ctx = ctx, .options = options, .mesh = mesh, .ghost = mesh->node_count};
        c->alive = mesh->tet_count;
        result = prepare(c, &surface);
    }
    if (result == FR_OK) thin_out(c);
    if (c) c->longest = 2.0 * fr_tetmesh_mean_edge(mesh);
    for (int round = 0; round < MOST_PASSES && result == FR_OK; round++) {
        c->longest = fr_min(c->longest, options->longest);
        int32_t done = pass(c, false);
        if (c->alive <= options->enough) break;
        if (c->longest >= options->longest && done < 1 + c->alive / 2000) break;
        c->longest *= GROWTH;
        if (fr_context_cancelled(ctx)) result = fr_fail(ctx, FR_INTERRUPTED, "meshing was stopped");
    }
    if (result == FR_OK) result = keep_alive(c);
    if (c) {
        FR_FREE_ALL(ctx, c->tet, c->dead, c->next, c->head, c->planes, c->locked, c->in_first,
                    c->in_both, c);
    }
    fr_surface_free(ctx, &surface);
    return result;
}
