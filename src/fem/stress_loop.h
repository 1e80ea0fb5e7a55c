// stress_loop.h: what breaking wants to know of the stresses of four tets at a time; compiled
// twice, with and without AVX2: same bits.
#pragma once

#include "fem/chunk.h"
#include "fem/lane_math.h"

/// Of stresses, which kernel and laws sum up in different orders.
#define ROUNDING 1e-9

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

FR_LANE_INLINE void store_sym(double S[6][FR_LANES], const LaneSym *s) {
    fr_lane_store(S[0], s->xx), fr_lane_store(S[1], s->yy), fr_lane_store(S[2], s->zz);
    fr_lane_store(S[3], s->yz), fr_lane_store(S[4], s->zx), fr_lane_store(S[5], s->xy);
}

// F1 S1 - F0 S0 = F1 (S1 - S0) + (F1 - F0) S0, and likewise for the pulling and the pushing part,
// which do not change more than the whole. What a node's room loses by it, and by areas that
// change: stress.c.
static void drift_blocks(const FrBlockStress *stress, const FrBlockCounted *counted,
                         const FrBlockMark *mark, int32_t count, double *drift) {
    for (int32_t k = 0; k < count; k++) {
        LaneSym now = load_sym(counted ? counted[k] : stress[k].S), was = load_sym(mark[k].S);
        LaneSym moved = sym_axpy(fr_lane_set(-1.0), &was, &now);
        LaneMat F = load_gradient(stress[k].F), F0 = load_gradient(mark[k].F);
        Lane3 a = lane3_sub(F.c0, F0.c0), b = lane3_sub(F.c1, F0.c1), c = lane3_sub(F.c2, F0.c2);
        FrLane turned = fr_lane_sqrt(lane3_dot(a, a) + lane3_dot(b, b) + lane3_dot(c, c));
        FrLane stretch = fr_lane_load(stress[k].stretch);
        FrLane by_turn = fr_lane_load(mark[k].turn) + stretch * fr_lane_load(mark[k].strength);
        FrLane by_stress = fr_lane_set(FR_PULLS_OF_STRESS) * stretch;
        fr_lane_store(&drift[FR_LANES * k], by_stress * fr_lane_sqrt(sym_dot(&moved, &moved)) +
                                                by_turn * (turned + fr_lane_set(ROUNDING)));
    }
}

static void hot_blocks(const FrBlockStress *stress, const double *limit2, int32_t count,
                       uint8_t *hot) {
    for (int32_t k = 0; k < count; k++)
        hot[k] = (uint8_t)fr_lane_bits(fr_lane_load(stress[k].size2) >
                                       fr_lane_load(&limit2[FR_LANES * k]));
}

/// Of four tets, what bounds their pulls.
typedef struct LaneReach {
    LaneSym S;
    FrLane vol;
    FrLane stretch2; ///< square of |F x| / |x|, at most
    FrLane pull2;    ///< square of the largest principal stress, at most
} LaneReach;

// s_max <= tr/3 + sqrt(2/3) |dev|; where the guard has forces of its own nothing is known
FR_LANE_INLINE LaneReach reach_of(const FrTetBlock *block, const FrBlockStress *stress) {
    FrLane zero = fr_lane_set(0.0), stretch = fr_lane_load(stress->stretch);
    LaneReach r = {load_sym(stress->S), fr_lane_load(block->vol), stretch * stretch, zero};
    FrLane third = fr_lane_set(1.0 / 3.0) * sym_trace(&r.S);
    FrLane apart = fr_lane_load(stress->size2) - fr_lane_set(3.0) * third * third;
    FrLane most = third + fr_lane_sqrt(fr_lane_set(2.0 / 3.0) * fr_lane_max(apart, zero));
    most = fr_lane_max(most, zero);
    LaneMat F = load_gradient(stress->F);
    FrLane J = lane3_dot(F.c0, lane3_cross(F.c1, F.c2));
    r.pull2 = fr_lane_pick(J < fr_lane_set(FR_GUARD_J0), fr_lane_set(HUGE_VAL), most * most);
    return r;
}

// |f+|^2 <= vol^2 |F|^2 min(|S G|^2, s_max^2 |G|^2): |S+ G| <= |S G|, since the squares of S+ and
// S- add up to that of S
FR_LANE_INLINE FrLane pull_bound(const LaneReach *r, Lane3 SG, Lane3 G) {
    FrLane most = fr_lane_min(lane3_dot(SG, SG), r->pull2 * lane3_dot(G, G));
    FrLaneMask guarded = r->pull2 > fr_lane_set(1e300);
    return r->vol * fr_lane_sqrt(r->stretch2 * fr_lane_pick(guarded, r->pull2, most));
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
            for (int i = 0; i < 4; i++)
                if (r.vol[lane] > 0.0) row[block[k].node[lane][i]] += pull[i][lane];
    }
}

FR_LANE_INLINE LaneVolume volume_now(const FrBlockStress *stress) {
    LaneMat F = load_gradient(stress->F);
    LaneSym e = doubled_strain(&F);
    return volume_of(&e);
}

static void grown_blocks(const FrTetBlock *block, const FrBlockStress *stress, int32_t count,
                         double *row) {
    for (int32_t k = 0; k < count; k++) {
        FrLane vol = fr_lane_load(block[k].vol), part = vol * volume_now(&stress[k]).grown;
        for (int lane = 0; lane < FR_LANES; lane++)
            for (int i = 0; vol[lane] > 0.0 && i < 4; i++) {
                row[2 * block[k].node[lane][i]] += part[lane];
                row[2 * block[k].node[lane][i] + 1] += vol[lane];
            }
    }
}

static void even_blocks(const FrTetBlock *block, const FrBlockStress *stress, int32_t count,
                        double half_bulk, const double *nodal, FrBlockCounted *counted) {
    for (int32_t k = 0; k < count; k++) {
        const uint16_t(*n)[4] = block[k].node;
#define MEAN(l) (0.25 * (nodal[n[l][0]] + nodal[n[l][1]] + nodal[n[l][2]] + nodal[n[l][3]]))
        FrLane mean = {MEAN(0), MEAN(1), MEAN(2), MEAN(3)};
#undef MEAN
        LaneVolume v = volume_now(&stress[k]);
        LaneSym S = load_sym(stress[k].S);
        S = sym_axpy(fr_lane_set(half_bulk) * (mean - v.grown), &v.adj, &S);
        store_sym(counted[k], &S);
    }
}

const FrStressFns FR_STRESS_NAME = {drift_blocks, hot_blocks, pull_blocks, grown_blocks,
                                    even_blocks};
