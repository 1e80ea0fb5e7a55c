// stress_loop.h: what breaking wants to know of the stresses of four tets at a time; compiled
// twice, with and without AVX2: same bits.
#pragma once

#include "fem/chunk.h"
#include "fem/fem.h"
#include "fem/lane_math.h"

FR_LANE_INLINE LaneMat load_gradient(const double F[9][FR_LANES]) {
#define AT(k) fr_lane_load(F[k])
    LaneMat m = {{AT(0), AT(1), AT(2)}, {AT(3), AT(4), AT(5)}, {AT(6), AT(7), AT(8)}};
#undef AT
    return m;
}

FR_LANE_INLINE LaneSym load_sym(const double S[6][FR_LANES]) {
    LaneSym s = {fr_lane_load(S[0]), fr_lane_load(S[1]), fr_lane_load(S[2]),
                 fr_lane_load(S[3]), fr_lane_load(S[4]), fr_lane_load(S[5])};
    return s;
}

static void overstressed_blocks(const FrBlockStress *stress, const double *limit2, int32_t count,
                                uint8_t *over) {
    for (int32_t k = 0; k < count; k++)
        over[k] = (uint8_t)fr_lane_bits(fr_lane_load(stress[k].size2) >
                                        fr_lane_load(&limit2[FR_LANES * k]));
}

// s_max <= tr/3 + sqrt(2/3) |dev|, or 0
FR_LANE_INLINE FrLane largest_pull(const LaneSym *S, FrLane size2) {
    FrLane zero = fr_lane_set(0.0), third = fr_lane_set(1.0 / 3.0) * sym_trace(S);
    FrLane apart = size2 - fr_lane_set(3.0) * third * third;
    FrLane most = third + fr_lane_sqrt(fr_lane_set(2.0 / 3.0) * fr_lane_max(apart, zero));
    return fr_lane_max(most, zero);
}

/// Of four tets, what bounds their pulls.
typedef struct LaneReach {
    LaneSym S;
    FrLane vol;
    FrLane stretch2; ///< square of |F x| / |x|, at most
    FrLane pull2;    ///< square of the largest principal stress, at most
} LaneReach;

// where the guard has forces of its own nothing is known
FR_LANE_INLINE LaneReach reach_of(const FrTetBlock *block, const FrBlockStress *stress) {
    FrLane zero = fr_lane_set(0.0), stretch = fr_lane_load(stress->stretch);
    LaneReach r = {load_sym(stress->S), fr_lane_load(block->vol), stretch * stretch, zero};
    FrLane most = largest_pull(&r.S, fr_lane_load(stress->size2));
    LaneMat F = load_gradient(stress->F);
    FrLane J = lane3_dot(F.c0, lane3_cross(F.c1, F.c2));
    r.pull2 = fr_lane_pick(J < fr_lane_set(FR_GUARD_J0), fr_lane_set(HUGE_VAL), most * most);
    return r;
}

// |f+|^2 <= vol^2 |F|^2 min(|S G|^2, s_max^2 |G|^2): |S+ G| <= |S G|, since the squares of S+ and
// S- add up to that of S
FR_LANE_INLINE FrLane pull_bound(const LaneReach *r, Lane3 SG, Lane3 G) {
    FrLane most = fr_lane_min(lane3_dot(SG, SG), r->pull2 * lane3_dot(G, G));
    FrLaneMask guarded = r->pull2 > fr_lane_set(1e300), used = r->vol > fr_lane_set(0.0);
    FrLane pull = r->vol * fr_lane_sqrt(r->stretch2 * fr_lane_pick(guarded, r->pull2, most));
    return fr_lane_pick(used, pull, fr_lane_set(0.0));
}

FR_LANE_INLINE Lane3 stress_on(const LaneSym *S, Lane3 g) {
    Lane3 r = {S->xx * g.x + S->xy * g.y + S->zx * g.z, S->xy * g.x + S->yy * g.y + S->yz * g.z,
               S->zx * g.x + S->yz * g.y + S->zz * g.z};
    return r;
}

static void pull_blocks(const FrTetBlock *block, const FrBlockStress *stress, int32_t count,
                        double *row) {
    FrLane zero = fr_lane_set(0.0);
    for (int32_t k = 0; k < count; k++) {
        LaneReach r = reach_of(&block[k], &stress[k]);
        Lane3 G0 = {zero, zero, zero}, SG0 = G0;
        double pull[4][FR_LANES];
        for (int i = 0; i < 3; i++) {
            Lane3 G = {fr_lane_load(block[k].B[i][0]), fr_lane_load(block[k].B[i][1]),
                       fr_lane_load(block[k].B[i][2])};
            Lane3 SG = stress_on(&r.S, G);
            G0 = lane3_sub(G0, G), SG0 = lane3_sub(SG0, SG);
            fr_lane_store(pull[i + 1], pull_bound(&r, SG, G));
        }
        fr_lane_store(pull[0], pull_bound(&r, SG0, G0));
        for (int lane = 0; lane < FR_LANES; lane++)
            for (int i = 0; i < 4; i++) row[block[k].node[lane][i]] += pull[i][lane];
    }
}

FR_LANE_INLINE LaneSym sym_shifted(const LaneSym *a, FrLane by) {
    LaneSym r = *a;
    r.xx = r.xx - by, r.yy = r.yy - by, r.zz = r.zz - by;
    return r;
}

FR_LANE_INLINE LaneSym sym_adjugate(const LaneSym *a) {
    LaneSym r = {a->yy * a->zz - a->yz * a->yz, a->zz * a->xx - a->zx * a->zx,
                 a->xx * a->yy - a->xy * a->xy, a->zx * a->xy - a->xx * a->yz,
                 a->xy * a->yz - a->yy * a->zx, a->yz * a->zx - a->zz * a->xy};
    return r;
}

FR_LANE_INLINE FrLane sym_det(const LaneSym *a, const LaneSym *adjugate) {
    return a->xx * adjugate->xx + a->xy * adjugate->xy + a->zx * adjugate->zx;
}

// S+ without all eigenvectors, off by less than 1e-7 |S|. Of three principal stresses that differ
// in sign the one with a sign of its own, s = q + 2 p cos(acos(r)/3) (or the same of -S), is
// farther from the others than from 0: so s m(n) = s adj(S - s) / tr adj(S - s) is known as well as
// s is. S+ is that, or what is left without it. det S > 0: the one is positive. All are where tr S
// and the sum of the minors are too.
FR_LANE_INLINE LaneSym pulling_part(const LaneSym *S) {
    FrLane zero = fr_lane_set(0.0), tiny = fr_lane_set(1e-290), trace = sym_trace(S);
    LaneSym minors = sym_adjugate(S);
    FrLane det = sym_det(S, &minors);
    FrLaneMask up = det > zero, same = sym_trace(&minors) > zero;
    FrLaneMask all = up & same & (trace > zero), none = ~up & same & (trace < zero);
    FrLane mean = fr_lane_set(1.0 / 3.0) * trace;
    LaneSym rest = sym_shifted(S, mean), rest_minors = sym_adjugate(&rest);
    FrLane p2 = fr_lane_set(1.0 / 6.0) * sym_dot(&rest, &rest), p = fr_lane_sqrt(p2);
    FrLane r = sym_det(&rest, &rest_minors) / fr_lane_max(fr_lane_set(2.0) * (p2 * p), tiny);
    FrLane apart = fr_lane_set(2.0) * p * fr_lane_third_angle(fr_lane_pick(up, r, -r));
    FrLane one = mean + fr_lane_pick(up, apart, -apart);
    LaneSym left = sym_shifted(S, one), own = sym_adjugate(&left);
    FrLane share = one / fr_lane_max(sym_trace(&own), tiny);
    FrLane keep = fr_lane_pick(all | (~up & ~none), fr_lane_set(1.0), zero);
    share = fr_lane_pick(all | none, zero, fr_lane_pick(up, share, -share));
    LaneSym part = {keep * S->xx + share * own.xx, keep * S->yy + share * own.yy,
                    keep * S->zz + share * own.zz, keep * S->yz + share * own.yz,
                    keep * S->zx + share * own.zx, keep * S->xy + share * own.xy};
    return part;
}

FR_LANE_INLINE LaneVolume volume_now(const FrBlockStress *stress) {
    LaneMat F = load_gradient(stress->F);
    LaneSym e = doubled_strain(&F);
    return volume_of(&e);
}

// is a node of the block wanted, which has a row?
FR_LANE_INLINE bool is_wanted(const FrTetBlock *block, const uint16_t *at) {
    int any = 0;
    for (int lane = 0; lane < FR_LANES; lane++)
        for (int i = 0; i < 4; i++) any |= at[block->node[lane][i]];
    return any != 0;
}

typedef double Pair __attribute__((vector_size(16)));
FR_LANE_INLINE void add_pair(double *row, Pair v) {
    Pair sum;
    memcpy(&sum, row, sizeof sum);
    sum += v;
    memcpy(row, &sum, sizeof sum);
}

static void grown_blocks(const FrTetBlock *block, const FrBlockStress *stress, int32_t count,
                         const uint16_t *at, double *row) {
    for (int32_t k = 0; k < count; k++) {
        if (!is_wanted(&block[k], at)) continue;
        FrLane vol = fr_lane_load(block[k].vol), part = vol * volume_now(&stress[k]).grown;
        for (int lane = 0; lane < FR_LANES; lane++) {
            Pair both = {part[lane], vol[lane]};
            for (int i = 0; i < 4; i++) add_pair(row + 2 * at[block[k].node[lane][i]], both);
        }
    }
}

/// Rows of the nodes that are corner i of four tets.
typedef struct CornerRows {
    size_t lane[FR_LANES];
} CornerRows;
// false: none is wanted
FR_LANE_INLINE bool corner_rows(const FrTetBlock *block, const uint16_t *at, int i, CornerRows *r) {
    size_t any = 0;
    for (int lane = 0; lane < FR_LANES; lane++) {
        r->lane[lane] = at[block->node[lane][i]];
        any |= r->lane[lane];
    }
    return any != 0;
}

#define ROWS(rows, width, r)                                                                       \
    (rows) + (width) * (r).lane[0], (rows) + (width) * (r).lane[1],                                \
        (rows) + (width) * (r).lane[2], (rows) + (width) * (r).lane[3]

FR_LANE_INLINE FrLane plastic_size2(const FrCounting *c, const int32_t tet[FR_LANES]) {
    static const double unused[8] = {0};
    const double *r[FR_LANES];
    for (int k = 0; k < FR_LANES; k++) r[k] = tet[k] < 0 ? unused : c->plastic[tet[k]];
    Lane3 a = gather(r[0], r[1], r[2], r[3]), b = gather(r[0] + 4, r[1] + 4, r[2] + 4, r[3] + 4);
    LaneSym Ep = {a.x, a.y, a.z, b.x, b.y, b.z};
    return sym_dot(&Ep, &Ep);
}

// What counts of the stress of what yields: with det C - 1 the mean of the corners', and no more
// mean tension than the cap.
FR_LANE_INLINE LaneSym counted(const FrTetBlock *block, const FrBlockStress *stress,
                               const FrCounting *c, const int32_t tet[FR_LANES]) {
    LaneSym S = load_sym(stress->S);
    if (c->nodal) {
        const uint16_t(*n)[4] = block->node;
#define MEAN(l)                                                                                    \
    (0.25 * (c->nodal[n[l][0]] + c->nodal[n[l][1]] + c->nodal[n[l][2]] + c->nodal[n[l][3]]))
        FrLane mean = {MEAN(0), MEAN(1), MEAN(2), MEAN(3)};
#undef MEAN
        LaneVolume v = volume_now(stress);
        S = sym_axpy(fr_lane_set(c->half_bulk) * (mean - v.grown), &v.adj, &S);
    }
    FrLane zero = fr_lane_set(0.0), most = fr_lane_set(c->most),
           mean = fr_lane_set(1.0 / 3.0) * sym_trace(&S);
    if (!fr_lane_any(mean > most)) return S;
    FrLane flowed = fr_lane_set(c->flowed * c->flowed);
    FrLaneMask capped = (mean > most) & (plastic_size2(c, tet) < flowed);
    return sym_shifted(&S, fr_lane_pick(capped, mean - most, zero));
}

// m(a) = a a' / |a|: the factor
FR_LANE_INLINE FrLane unit_factor(Lane3 a) {
    FrLane length = fr_lane_sqrt(lane3_dot(a, a));
    return fr_lane_set(1.0) / fr_lane_max(length, fr_lane_set(1e-150));
}

// not below |a|
FR_LANE_INLINE FrLane sum_abs(Lane3 a) {
    return fr_lane_max(a.x, -a.x) + fr_lane_max(a.y, -a.y) + fr_lane_max(a.z, -a.z);
}

// rows of 20: FrNodeTears, but for what comes after minus
FR_LANE_INLINE void add_tears(double *row, CornerRows r, Lane3 plus, Lane3 minus) {
    FrLane tiny = fr_lane_set(1e-150), u = fr_lane_max(fr_lane_sqrt(lane3_dot(plus, plus)), tiny),
           v = fr_lane_max(fr_lane_sqrt(lane3_dot(minus, minus)), tiny), both = 1.0 / (u * v);
    FrLane a = v * both, b = u * both; // 1/|f+|, 1/|f-| by one division
    Lane3 p = {a * plus.x, a * plus.y, a * plus.z}, m = {b * minus.x, b * minus.y, b * minus.z};
    LaneSym t = {p.x * plus.x - m.x * minus.x, p.y * plus.y - m.y * minus.y,
                 p.z * plus.z - m.z * minus.z, p.y * plus.z - m.y * minus.z,
                 p.z * plus.x - m.z * minus.x, p.x * plus.y - m.x * minus.y};
    scatter(ROWS(row, 20, r), (Lane3){t.xx, t.yy, t.zz}, t.yz);
    scatter(ROWS(row + 4, 20, r), (Lane3){t.zx, t.xy, plus.x}, plus.y);
    scatter(ROWS(row + 8, 20, r), (Lane3){plus.z, minus.x, minus.y}, minus.z);
}

// s m(a) and one more number, in `width` numbers from `row` on; `area`: vol cof(F) G of corner i
FR_LANE_INLINE void add_spread(double *row, size_t width, CornerRows r, Lane3 area, FrLane strength,
                               FrLane more) {
    FrLane f = strength * unit_factor(area);
    Lane3 g = {f * area.x, f * area.y, f * area.z};
    scatter(ROWS(row, width, r), (Lane3){g.x * area.x, g.y * area.y, g.z * area.z}, g.y * area.z);
    scatter(ROWS(row + 4, width, r), (Lane3){g.z * area.x, g.x * area.y, more}, fr_lane_set(0.0));
}

// strengths, 0 where corner i does not count
FR_LANE_INLINE FrLane counting(FrLane strength, const uint8_t *skip, int i) {
    FrLane r = strength;
    uint32_t any;
    memcpy(&any, skip, sizeof any);
    for (int lane = 0; any && lane < FR_LANES; lane++)
        if (skip[lane] >> i & 1) r[lane] = 0.0;
    return r;
}

/// Of a block: vol cof(F) by columns, over vol.
FR_LANE_INLINE LaneMat cofactor(const LaneMat *F) {
    LaneMat m = {lane3_cross(F->c1, F->c2), lane3_cross(F->c2, F->c0), lane3_cross(F->c0, F->c1)};
    return m;
}

FR_LANE_INLINE Lane3 area_of(const LaneMat *cof, FrLane vol, Lane3 G) {
    return lane3_mix(cof->c0, vol * G.x, cof->c1, vol * G.y, cof->c2, vol * G.z);
}

FR_LANE_INLINE Lane3 load_row(const double B[3][FR_LANES]) {
    Lane3 G = {fr_lane_load(B[0]), fr_lane_load(B[1]), fr_lane_load(B[2])};
    return G;
}

// what holds a corner, and the size of what tears
FR_LANE_INLINE void add_hold(double *row, CornerRows r, Lane3 area, FrHolding h, int32_t block,
                             int i, FrLane size) {
    FrLane strength = fr_lane_load(h.strength + FR_LANES * block);
    add_spread(row + 12, 20, r, area, counting(strength, h.skip + FR_LANES * block, i), size);
}

FR_LANE_INLINE void add_size(double *row, CornerRows r, FrLane size) {
    for (int lane = 0; lane < FR_LANES; lane++) row[20 * r.lane[lane] + 18] += size[lane];
}

// f+_i = -vol F S+ G_i, f-_i = -vol F S- G_i        [S2 eq. 31] [S6 eq. 4.4] [S6 eq. 4.5]
static double tear_blocks(const FrTetBlock *block, const FrBlockStress *stress, int32_t count,
                          const uint16_t *at, const FrCounting *c, FrHolding holding, double *row) {
    FrLane zero = fr_lane_set(0.0), most = zero;
    for (int32_t k = 0; k < count; k++) {
        CornerRows rows;
        if (!is_wanted(&block[k], at)) continue;
        FrLane vol = fr_lane_load(block[k].vol), stretch = fr_lane_load(stress[k].stretch);
        LaneSym S =
            c ? counted(&block[k], &stress[k], c, c->tet + FR_LANES * k) : load_sym(stress[k].S);
        LaneSym pull = pulling_part(&S), push = sym_axpy(fr_lane_set(-1.0), &pull, &S);
        LaneMat F = load_gradient(stress[k].F), cof = cofactor(&F);
        LaneMat P = loaded(&F, &pull, -vol), M = loaded(&F, &push, -vol);
        FrLane size = stretch * vol * fr_lane_sqrt(sym_dot(&S, &S));
        Lane3 G0 = {zero, zero, zero}, plus0 = G0, minus0 = G0, area0 = G0;
        most = fr_lane_max(stretch, most);
        for (int i = 0; i < 4; i++) {
            Lane3 G = G0, plus = plus0, minus = minus0, area = area0;
            if (i < 3) {
                G = load_row(block[k].B[i]);
                plus = lane3_mix(P.c0, G.x, P.c1, G.y, P.c2, G.z);
                minus = lane3_mix(M.c0, G.x, M.c1, G.y, M.c2, G.z);
                area = area_of(&cof, vol, G);
                G0 = lane3_sub(G0, G), area0 = lane3_sub(area0, area);
                plus0 = lane3_sub(plus0, plus), minus0 = lane3_sub(minus0, minus);
            }
            int corner = (i + 1) % 4;
            if (!corner_rows(&block[k], at, corner, &rows)) continue;
            add_tears(row, rows, plus, minus);
            if (holding.strength)
                add_hold(row, rows, area, holding, k, corner, size * sum_abs(G));
            else
                add_size(row, rows, size * sum_abs(G));
        }
    }
    return fr_max(fr_max(most[0], most[1]), fr_max(most[2], most[3]));
}

FR_LANE_INLINE FrLane lane3_length(Lane3 a) { return fr_lane_sqrt(lane3_dot(a, a)); }

static void spread_blocks(const FrTetBlock *block, const FrBlockStress *stress, int32_t count,
                          const uint16_t *at, const double *strength, double *row) {
    FrLane zero = fr_lane_set(0.0);
    for (int32_t k = 0; k < count; k++) {
        CornerRows rows;
        if (!is_wanted(&block[k], at)) continue;
        LaneMat F = load_gradient(stress[k].F), cof = cofactor(&F);
        FrLane vol = fr_lane_load(block[k].vol), s = fr_lane_load(strength + FR_LANES * k);
        FrLane size = fr_lane_load(stress[k].stretch) * vol;
        LaneSym S = load_sym(stress[k].S);
        Lane3 area0 = {zero, zero, zero}, SG0 = area0;
        for (int i = 0; i < 3; i++) {
            Lane3 G = load_row(block[k].B[i]), area = area_of(&cof, vol, G), SG = stress_on(&S, G);
            area0 = lane3_sub(area0, area), SG0 = lane3_sub(SG0, SG);
            if (corner_rows(&block[k], at, i + 1, &rows))
                add_spread(row, 8, rows, area, s, size * lane3_length(SG));
        }
        if (corner_rows(&block[k], at, 0, &rows))
            add_spread(row, 8, rows, area0, s, size * lane3_length(SG0));
    }
}

const FrStressFns FR_STRESS_NAME = {overstressed_blocks, pull_blocks, grown_blocks, tear_blocks,
                                    spread_blocks};
