// regions_march.c: how far each node is from the middle of a region: a front that marches through
// tets.                                                                       [S7 3.2, M20, M34]
//
// Along edges alone distances are too long by up to a third, depending on the direction, and
// borders are ragged. So a corner takes the shortest way through the face opposite it, with the
// distance linear on that face, or through its sides (the update of Kimmel & Sethian 1998). Long
// metrics can make a later node improve an earlier one: that one then marches again.

#include "fracture/regions_inside.h"
#include "fracture/fracture_tuning.h"
#include "mesh/tetmesh.h"

// edge of corners i and j, in the order 01 02 03 12 13 23
static const int8_t edge_of[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};

static bool before(const RegionStep *a, const RegionStep *b) {
    if (a->key != b->key) return a->key < b->key;
    return a->node != b->node ? a->node < b->node : a->region < b->region;
}

bool fr_region_heap_push(Regions *R, RegionStep step) {
    RegionHeap *heap = &R->heap;
    if (!fr_array_push(R->ctx, heap, step)) return false;
    int32_t k = heap->count - 1;
    for (; k > 0 && before(&step, &heap->data[(k - 1) / 2]); k = (k - 1) / 2)
        heap->data[k] = heap->data[(k - 1) / 2];
    heap->data[k] = step;
    return true;
}

RegionStep fr_region_heap_pop(RegionHeap *heap) {
    RegionStep *h = heap->data, top = h[0], last = h[--heap->count];
    int32_t k = 0;
    for (int32_t child = 1; child < heap->count; child = 2 * k + 1) {
        if (child + 1 < heap->count && before(&h[child + 1], &h[child])) child++;
        if (!before(&h[child], &last)) break;
        h[k] = h[child];
        k = child;
    }
    if (heap->count) h[k] = last;
    return top;
}

// T = min over y on the simplex of d(y) + |x - y|, d linear: with g_ij = (a_i - x).(a_j - x) and
// M = inverse of g, T solves (T 1 - d)' M (T 1 - d) = 1, and M (T 1 - d) >= 0, or y is on the rim
//
// A, B, C: 1'M1, 1'Md, d'Md. Returns HUGE_VAL where no such T is.
static double root(double A, double B, double C) {
    double q = B * B - A * (C - 1.0);
    return A > 0.0 && q >= 0.0 ? (B + sqrt(q)) / A : HUGE_VAL;
}

// from two corners; aa, bb, ab: products of the ways to them from x
static double from_side(double da, double db, double aa, double bb, double ab) {
    double ends = fr_min(da + sqrt(aa), db + sqrt(bb));
    double det = aa * bb - ab * ab;
    if (!(det > 0.0)) return ends;
    double m00 = bb / det, m11 = aa / det, m01 = -ab / det;
    double e = db - da; // relative to da: no digits are lost far from the seed
    double T = root(m00 + 2.0 * m01 + m11, (m01 + m11) * e, m11 * e * e);
    bool inside = T < HUGE_VAL && m00 * T + m01 * (T - e) >= 0.0 && m01 * T + m11 * (T - e) >= 0.0;
    return inside ? da + T : ends;
}

typedef struct Face {
    double d[3];     ///< distances of its corners, m
    double g[3];     ///< squares of the ways to them from x, m^2
    double cross[3]; ///< products of the ways to corners 1 2, 2 0, 0 1, m^2
} Face;

static double from_rim(const Face *f) {
    double best = from_side(f->d[1], f->d[2], f->g[1], f->g[2], f->cross[0]);
    best = fr_min(best, from_side(f->d[2], f->d[0], f->g[2], f->g[0], f->cross[1]));
    return fr_min(best, from_side(f->d[0], f->d[1], f->g[0], f->g[1], f->cross[2]));
}

static double from_face(const Face *f) {
    const double *g = f->g, *c = f->cross;
    double k00 = g[1] * g[2] - c[0] * c[0], k01 = c[1] * c[0] - c[2] * g[2];
    double k02 = c[2] * c[0] - c[1] * g[1], k11 = g[0] * g[2] - c[1] * c[1];
    double k12 = c[1] * c[2] - c[0] * g[0], k22 = g[0] * g[1] - c[2] * c[2];
    double det = g[0] * k00 + c[2] * k01 + c[1] * k02;
    if (!(det > 0.0)) return from_rim(f);
    double e1 = f->d[1] - f->d[0], e2 = f->d[2] - f->d[0];
    double r0 = k00 + k01 + k02, r1 = k01 + k11 + k12, r2 = k02 + k12 + k22; // rows times 1
    double v0 = k01 * e1 + k02 * e2, v1 = k11 * e1 + k12 * e2, v2 = k12 * e1 + k22 * e2;
    double T = root((r0 + r1 + r2) / det, (r1 * e1 + r2 * e2) / det, (v1 * e1 + v2 * e2) / det);
    bool inside = T < HUGE_VAL && r0 * T - v0 >= 0.0 && r1 * T - v1 >= 0.0 && r2 * T - v2 >= 0.0;
    return inside ? f->d[0] + T : from_rim(f);
}

double fr_region_update(const double length[6], int x, const double d[4]) {
    int known[3], count = 0;
    for (int i = 0; i < 4; i++)
        if (i != x && d[i] < HUGE_VAL) known[count++] = i;
    if (!count) return HUGE_VAL;
    Face f;
    for (int k = 0; k < count; k++) {
        f.d[k] = d[known[k]];
        f.g[k] = length[edge_of[x][known[k]]];
    }
    for (int k = 0; k < 3 && count > 1; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        if (i < count && j < count)
            f.cross[k] = 0.5 * (f.g[i] + f.g[j] - length[edge_of[known[i]][known[j]]]);
    }
    if (count == 1) return f.d[0] + sqrt(f.g[0]);
    if (count == 2) return from_side(f.d[0], f.d[1], f.g[0], f.g[1], f.cross[2]);
    return from_face(&f);
}

// by the metric at the seed, m
static double straight_to(const Regions *R, const RegionSeed *seed, int32_t node) {
    FrVec3 D = fr_sub(fr_get3(R->mesh->x, node), seed->x);
    return sqrt(fr_max(fr_dot(D, fr_sym3_apply(R->metric[seed->at.tet], D)), 0.0));
}

// a shorter way to a node, by more than rounding
static bool improve(Regions *R, const RegionSeed *seed, int32_t node, double d, uint8_t outside) {
    double old = R->dist[node];
    if (old == HUGE_VAL) {
        if (d == HUGE_VAL) return true;
        if (!fr_array_push(R->ctx, &R->touched, node)) return false;
        R->outside[node] = outside;
        R->turns[node] = 0;
        R->straight[node] = straight_to(R, seed, node);
    }
    if (outside < R->outside[node]) R->outside[node] = outside;
    if (!(d < old * (1.0 - FR_REGION_ROUNDING))) return true;
    R->dist[node] = d;
    if (R->turns[node] == FR_REGION_TURNS) return true;
    R->turns[node]++;
    return fr_region_heap_push(R, (RegionStep){d, node, 0});
}

// how alike the metrics of a tet and of the seed are for the way between them: 1 alike, 0 apart
static double alike(const Regions *R, int32_t e, const RegionSeed *seed) {
    const int32_t *n = R->mesh->tet[e];
    FrVec3 D = fr_vec3_zero;
    for (int i = 0; i < 4; i++) D = fr_axpy(0.25, fr_sub(fr_get3(R->mesh->x, n[i]), seed->x), D);
    double here = fr_dot(D, fr_sym3_apply(R->metric[e], D));
    double there = fr_dot(D, fr_sym3_apply(R->metric[seed->at.tet], D));
    if (!(here > 0.0) || !(there > 0.0)) return 0.0;
    return fr_clamp(1.0 - fabs(sqrt(here / there) - 1.0) / FR_REGION_ALIKE, 0.0, 1.0);
}

// d is not linear on a face: near its seed it bends as d0 does, the straight distance by the
// metric at the seed. So take the bend off, as seen from corner x (factored eikonal equation):
//
//     d_i + share (d0(x) + grad d0(x).(a_i - x) - d0(a_i))
//
// Where the metric is the same everywhere and nothing is in the way, d = d0 to rounding.
static double update(const Regions *R, const RegionSeed *seed, int32_t e, int x, const double d[4],
                     double share) {
    const int32_t *n = R->mesh->tet[e];
    double straight = straight_to(R, seed, n[x]), least = HUGE_VAL, bent[4];
    FrVec3 at = fr_get3(R->mesh->x, n[x]);
    FrVec3 slope = fr_scale(straight > 0.0 ? 1.0 / straight : 0.0,
                            fr_sym3_apply(R->metric[seed->at.tet], fr_sub(at, seed->x)));
    for (int i = 0; i < 4; i++) {
        bent[i] = d[i];
        if (i == x || !(d[i] < HUGE_VAL)) continue;
        least = fr_min(least, d[i]);
        double along = fr_dot(slope, fr_sub(fr_get3(R->mesh->x, n[i]), at));
        bent[i] += share * (straight + along - R->straight[n[i]]);
    }
    return fr_max(least, fr_region_update(R->length[e], x, bent));
}

// the ways that end at corners of the tets round a node whose distance is new
static bool march_from(Regions *R, const RegionSeed *seed, int32_t node, uint8_t outside) {
    for (int32_t k = R->star_start[node]; k < R->star_start[node + 1]; k++) {
        int32_t e = R->star[k];
        const int32_t *n = R->mesh->tet[e];
        double d[4], share = alike(R, e, seed);
        for (int i = 0; i < 4; i++) d[i] = R->dist[n[i]];
        for (int i = 0; i < 4; i++) {
            if (n[i] == node) continue;
            double least = fr_min(fr_min(i == 0 ? HUGE_VAL : d[0], i == 1 ? HUGE_VAL : d[1]),
                                  fr_min(i == 2 ? HUGE_VAL : d[2], i == 3 ? HUGE_VAL : d[3]));
            if (d[i] <= least) continue;
            if (!improve(R, seed, n[i], update(R, seed, e, i, d, share), outside)) return false;
            d[i] = R->dist[n[i]];
        }
    }
    return true;
}

// straight ways from the seed to the corners of its tet and of those that touch it
static bool start(Regions *R, const RegionSeed *seed) {
    int32_t e = seed->at.tet;
    for (int i = 0; i < 4; i++) {
        int32_t n = R->mesh->tet[e][i];
        for (int32_t k = R->star_start[n]; k < R->star_start[n + 1]; k++) {
            int32_t t = R->star[k];
            FrSym3 G =
                fr_sym3_axpy(0.5, R->metric[t], fr_sym3_axpy(0.5, R->metric[e], fr_sym3_zero));
            for (int j = 0; j < 4; j++) {
                FrVec3 D = fr_sub(fr_get3(R->mesh->x, R->mesh->tet[t][j]), seed->x);
                double d = sqrt(fr_max(fr_dot(D, fr_sym3_apply(G, D)), 0.0));
                if (!improve(R, seed, R->mesh->tet[t][j], d, 1)) return false;
            }
        }
    }
    return true;
}

static bool run(Regions *R, const RegionSeed *seed) {
    R->heap.count = 0;
    if (!start(R, seed)) return false;
    while (R->heap.count) {
        RegionStep step = fr_region_heap_pop(&R->heap);
        int32_t n = step.node;
        if (step.key > R->dist[n]) continue;
        // beyond its own nodes it goes on for some steps only
        bool own = seed->weight * step.key < R->key[n];
        if (!own && R->outside[n] > FR_REGION_RIM) continue;
        if (!march_from(R, seed, n, own ? 1 : (uint8_t)(R->outside[n] + 1))) return false;
    }
    return true;
}

bool fr_regions_march(Regions *R, int32_t region) {
    RegionSeed seed = R->seeds.data[region];
    R->touched.count = 0;
    bool ok = run(R, &seed);
    for (int32_t k = 0; k < R->touched.count; k++) {
        int32_t n = R->touched.data[k];
        double key = seed.weight * R->dist[n];
        R->dist[n] = HUGE_VAL;
        ok = ok && fr_regions_note(R, n, region, key) &&
             (!(key < R->key[n]) || fr_regions_give(R, n, region, key));
    }
    return ok;
}
