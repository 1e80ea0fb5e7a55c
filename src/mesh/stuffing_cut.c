// stuffing_cut.c: where the surface cuts lattice edges, points warped onto it, and the stencils
// that fill what is left (Labelle & Shewchuk 2007, section 3).
//
// The diagonal of a cut face with two inside corners must be the same from both tets:
// - corners joined by a short edge: from the cut point of the long edge;
// - corners joined by a long edge: from the corner with the parity of the outside one (the parity
//   rule; parity: sum of the cell coordinates of a lattice point).
// With the warp limits 0.2850 (long edges) and 0.3985 (short) every stencil, with every point
// anywhere it may be, has dihedral angles within [10.76, 164.71] degrees; the test
// stencils_keep_the_angle_bounds searches the extremes. These limits are our own optimum over those
// stencils; the paper proves [10.7, 164.8] for its own.

#include "mesh/lattice.h"
#include "base/tasks.h"

// direction from node a to node b: 0..5 long edges, 6..13 short ones
static int direction(const FrLatticeNode *a, const FrLatticeNode *b) {
    int32_t dx = (int32_t)(b->x - a->x), dy = (int32_t)(b->y - a->y), dz = (int32_t)(b->z - a->z);
    if (dx && dy && dz) return 6 + (dx > 0) + 2 * (dy > 0) + 4 * (dz > 0);
    int axis = dx ? 0 : dy ? 1 : 2;
    return 2 * axis + (dx + dy + dz > 0);
}

static int32_t cut_between(const FrLattice *L, int32_t in, int32_t out) {
    const FrLatticeNode *a = &L->node.data[in];
    unsigned before = a->cut_mask & ((1u << direction(a, &L->node.data[out])) - 1);
    return a->cut_start + __builtin_popcount(before);
}

static bool is_long(const FrLattice *L, int32_t a, int32_t b) {
    return direction(&L->node.data[a], &L->node.data[b]) < 6;
}

static int parity(const FrLatticeNode *n) { return (int)((n->x / 2 + n->y / 2 + n->z / 2) & 1); }

// mark the cut edges of all tets at their inside ends, then give them places in the list
static FrResult list_cuts(FrLattice *L) {
    for (int32_t e = 0; e < L->tet.count; e++)
        for (int k = 0; k < 6; k++) {
            int32_t a = L->tet.data[e].n[fr_tet_edge[k][0]],
                    b = L->tet.data[e].n[fr_tet_edge[k][1]];
            FrLatticeNode *p = &L->node.data[a], *q = &L->node.data[b];
            if (p->value < 0 && q->value > 0) p->cut_mask |= (uint16_t)(1u << direction(p, q));
            if (q->value < 0 && p->value > 0) q->cut_mask |= (uint16_t)(1u << direction(q, p));
        }
    int64_t count = 0;
    for (int32_t n = 0; n < L->node.count; n++) {
        L->node.data[n].cut_start = (int32_t)count;
        count += __builtin_popcount(L->node.data[n].cut_mask);
    }
    if (count > INT32_MAX || (count && !fr_array_extend(L->ctx, &L->cut, (int32_t)count)))
        return fr_no_memory(L->ctx, "cut points");
    for (int32_t e = 0; e < L->tet.count; e++)
        for (int k = 0; k < 6; k++) {
            int32_t a = L->tet.data[e].n[fr_tet_edge[k][0]],
                    b = L->tet.data[e].n[fr_tet_edge[k][1]];
            double va = L->node.data[a].value, vb = L->node.data[b].value;
            if (!(va < 0 && vb > 0) && !(vb < 0 && va > 0)) continue;
            int32_t in = va < 0 ? a : b, out = va < 0 ? b : a;
            FrCut *cut = &L->cut.data[cut_between(L, in, out)];
            cut->in = in;
            cut->out = out;
        }
    return FR_OK;
}

// the root of the field between two nodes: regula falsi with the Illinois rule, kept in its bracket
static double root(const FrField *field, const FrLatticeNode *a, const FrLatticeNode *b,
                   double length, int64_t *evaluations) {
    double lo = 0, hi = 1, flo = a->value, fhi = b->value;
    int last = 0;
    for (int k = 0; k < 60 && (hi - lo) * length > 1e-13 * length; k++) {
        double t = isfinite(flo) ? (lo * fhi - hi * flo) / (fhi - flo) : 0.5 * (lo + hi);
        if (!(t > lo && t < hi) || k % 8 == 7) t = 0.5 * (lo + hi);
        double f = fr_field_at(field, fr_lerp(a->at, b->at, t));
        ++*evaluations;
        if (f > -1e-14 * length && f < 1e-14 * length) return t;
        int side = f < 0 ? -1 : 1;
        if (side < 0) {
            lo = t, flo = f;
            if (last == side) fhi *= 0.5;
        } else {
            hi = t, fhi = f;
            if (last == side) flo *= 0.5;
        }
        last = side;
    }
    return 0.5 * (lo + hi);
}

#define GRAIN 128

typedef struct RootRun {
    FrLattice *L;
    int64_t *evaluations; ///< one per chunk
} RootRun;

static void root_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)worker;
    RootRun *run = arg;
    for (int32_t k = begin; k < end; k++) {
        FrCut *cut = &run->L->cut.data[k];
        const FrLatticeNode *a = &run->L->node.data[cut->in], *b = &run->L->node.data[cut->out];
        cut->t = root(run->L->field, a, b, run->L->size, &run->evaluations[chunk]);
        cut->at = fr_lerp(a->at, b->at, cut->t);
    }
}

static FrResult find_roots(FrLattice *L) {
    int32_t chunks = fr_chunk_count(L->cut.count, GRAIN);
    RootRun run = {L, FR_NEW(L->ctx, int64_t, chunks)};
    if (!run.evaluations) return fr_no_memory(L->ctx, "cut points");
    fr_parallel_for(L->ctx, L->cut.count, GRAIN, root_range, &run);
    for (int32_t c = 0; c < chunks; c++) L->evaluations += run.evaluations[c];
    fr_free(L->ctx, run.evaluations);
    return FR_OK;
}

// cuts around each node, by node; `start` has node.count + 1 entries
static void list_incident(const FrLattice *L, int32_t *start, int32_t *item) {
    for (int32_t c = 0; c < L->cut.count; c++) {
        start[L->cut.data[c].in]++;
        start[L->cut.data[c].out]++;
    }
    for (int32_t n = 1; n <= L->node.count; n++) start[n] += start[n - 1];
    for (int32_t c = L->cut.count - 1; c >= 0; c--) {
        item[--start[L->cut.data[c].in]] = c;
        item[--start[L->cut.data[c].out]] = c;
    }
}

// move a node to its nearest cut point that is too close; cut points die with either end
static void warp_node(FrLattice *L, int32_t n, const int32_t *item, int32_t count) {
    int32_t best = -1;
    double nearest = HUGE_VAL;
    for (int32_t k = 0; k < count; k++) {
        const FrCut *cut = &L->cut.data[item[k]];
        if (L->node.data[cut->in].value == 0 || L->node.data[cut->out].value == 0) continue;
        bool far = !is_long(L, cut->in, cut->out);
        double fraction = cut->in == n ? cut->t : 1.0 - cut->t;
        double distance = fraction * (far ? 0.86602540378443864676 : 1.0);
        if (fraction >= (far ? FR_STUFF_ALPHA_SHORT : FR_STUFF_ALPHA_LONG)) continue;
        if (distance < nearest) nearest = distance, best = item[k];
    }
    if (best < 0) return;
    L->node.data[n].value = 0;
    L->node.data[n].at = L->cut.data[best].at;
}

static FrResult warp(FrLattice *L) {
    int32_t *start = FR_NEW(L->ctx, int32_t, (size_t)L->node.count + 1);
    int32_t *item = FR_NEW(L->ctx, int32_t, 2 * (size_t)L->cut.count);
    FrResult result = start && item ? FR_OK : fr_no_memory(L->ctx, "warping");
    if (result == FR_OK) {
        list_incident(L, start, item);
        for (int32_t n = 0; n < L->node.count; n++)
            if (start[n + 1] > start[n]) warp_node(L, n, item + start[n], start[n + 1] - start[n]);
    }
    fr_free(L->ctx, start);
    fr_free(L->ctx, item);
    return result;
}

FrResult fr_lattice_cut(FrLattice *L) {
    FR_TRY(list_cuts(L));
    FR_TRY(find_roots(L));
    return warp(L);
}

// one background tet being filled: inside corners, surface corners, outside corners
typedef struct Stencil {
    int32_t in[4], on[4], out[4];
    int in_count, on_count, out_count;
    int32_t tet[3][4]; ///< node, or node.count + cut
    int tet_count;
} Stencil;

static void emit(Stencil *s, int32_t a, int32_t b, int32_t c, int32_t d) {
    int32_t *t = s->tet[s->tet_count++];
    t[0] = a, t[1] = b, t[2] = c, t[3] = d;
}

static int32_t cut_node(const FrLattice *L, int32_t in, int32_t out) {
    return L->node.count + cut_between(L, in, out);
}

// the diagonal of the quad (x, y, cut y-m, cut x-m) runs from x to cut y-m, not from y to cut x-m
static bool from_first(const FrLattice *L, int32_t x, int32_t y, int32_t m) {
    if (is_long(L, x, y)) return parity(&L->node.data[x]) == parity(&L->node.data[m]);
    return is_long(L, y, m);
}

static void one_inside(const FrLattice *L, Stencil *s) {
    int32_t v[4] = {s->in[0]};
    int n = 1;
    for (int k = 0; k < s->out_count; k++) v[n++] = cut_node(L, s->in[0], s->out[k]);
    for (int k = 0; k < s->on_count; k++) v[n++] = s->on[k];
    emit(s, v[0], v[1], v[2], v[3]);
}

// a pyramid: the quad on one face, the surface corner as apex
static void two_inside_one_on(const FrLattice *L, Stencil *s) {
    int32_t x = s->in[0], y = s->in[1], m = s->out[0], apex = s->on[0];
    int32_t cx = cut_node(L, x, m), cy = cut_node(L, y, m);
    if (from_first(L, x, y, m)) {
        emit(s, x, y, cy, apex);
        emit(s, x, cy, cx, apex);
    } else {
        emit(s, x, y, cx, apex);
        emit(s, y, cy, cx, apex);
    }
}

// a wedge between the edge x y and four cut points. The two diagonals start at different corners,
// by the parity rule or by the long edges
static void two_inside(const FrLattice *L, Stencil *s) {
    int32_t x = s->in[0], y = s->in[1], m = s->out[0], n = s->out[1];
    if (!from_first(L, x, y, m)) m = s->out[1], n = s->out[0];
    int32_t xm = cut_node(L, x, m), xn = cut_node(L, x, n);
    int32_t ym = cut_node(L, y, m), yn = cut_node(L, y, n);
    emit(s, x, y, ym, xn);
    emit(s, x, xm, ym, xn);
    emit(s, y, yn, ym, xn);
}

// a tet without its tip; x: the corner where two diagonals start
static void three_inside(const FrLattice *L, Stencil *s) {
    int32_t m = s->out[0];
    int first = 0;
    for (int k = 0; k < 3; k++)
        if (from_first(L, s->in[k], s->in[(k + 1) % 3], m) &&
            from_first(L, s->in[k], s->in[(k + 2) % 3], m))
            first = k;
    int32_t x = s->in[first], y = s->in[(first + 1) % 3], w = s->in[(first + 2) % 3];
    int32_t cx = cut_node(L, x, m), cy = cut_node(L, y, m), cw = cut_node(L, w, m);
    emit(s, x, cx, cy, cw);
    if (from_first(L, y, w, m)) {
        emit(s, x, y, w, cw);
        emit(s, x, y, cw, cy);
    } else {
        emit(s, x, y, w, cy);
        emit(s, x, w, cy, cw);
    }
}

static void fill_tet(const FrLattice *L, const int32_t *n, Stencil *s) {
    s->in_count = s->on_count = s->out_count = s->tet_count = 0;
    for (int k = 0; k < 4; k++) {
        double value = L->node.data[n[k]].value;
        if (value < 0) s->in[s->in_count++] = n[k];
        if (value == 0) s->on[s->on_count++] = n[k];
        if (value > 0) s->out[s->out_count++] = n[k];
    }
    if (s->in_count == 0) return;
    if (s->out_count == 0)
        emit(s, n[0], n[1], n[2], n[3]);
    else if (s->in_count == 1)
        one_inside(L, s);
    else if (s->in_count == 3)
        three_inside(L, s);
    else if (s->on_count == 1)
        two_inside_one_on(L, s);
    else
        two_inside(L, s);
}

static FrVec3 output_point(const FrLattice *L, int32_t n) {
    return n < L->node.count ? L->node.data[n].at : L->cut.data[n - L->node.count].at;
}

static void write_stencil(FrLattice *L, const Stencil *s, int32_t *number) {
    FrTetMesh *mesh = &L->mesh;
    for (int k = 0; k < s->tet_count; k++) {
        int32_t *tet = mesh->tet[mesh->tet_count++];
        FrVec3 p[4];
        for (int i = 0; i < 4; i++) {
            int32_t n = s->tet[k][i];
            p[i] = output_point(L, n);
            if (number[n] < 0) {
                fr_set3(mesh->x, mesh->node_count, p[i]);
                number[n] = mesh->node_count++;
            }
            tet[i] = number[n];
        }
        if (fr_volume6(p[0], p[1], p[2], p[3]) >= 0) continue;
        int32_t swap = tet[2];
        tet[2] = tet[3];
        tet[3] = swap;
    }
}

FrResult fr_lattice_fill(FrLattice *L) {
    Stencil s;
    int64_t tets = 0, most = (int64_t)L->node.count + L->cut.count;
    for (int32_t e = 0; e < L->tet.count; e++) {
        fill_tet(L, L->tet.data[e].n, &s);
        tets += s.tet_count;
    }
    if (tets > L->options.max_tets)
        return fr_fail(L->ctx, FR_BAD_INPUT, "a size of %g m gives %lld tets, the limit is %d",
                       L->size, (long long)tets, L->options.max_tets);
    if (most > INT32_MAX) return fr_no_memory(L->ctx, "a tet mesh");
    FR_TRY(fr_tetmesh_alloc(L->ctx, (int32_t)most, (int32_t)tets, 1, false, &L->mesh));
    int32_t *number = fr_alloc(L->ctx, (size_t)most * sizeof(int32_t));
    if (!number) return fr_no_memory(L->ctx, "a tet mesh");
    for (int64_t n = 0; n < most; n++) number[n] = -1;
    L->mesh.node_count = L->mesh.tet_count = 0;
    for (int32_t e = 0; e < L->tet.count; e++) {
        fill_tet(L, L->tet.data[e].n, &s);
        write_stencil(L, &s, number);
    }
    L->mesh.corner_count = L->mesh.node_count;
    fr_free(L->ctx, number);
    return FR_OK;
}
