// kernel.h: forces of four tets at a time, one per lane; compiled twice, with and without AVX2.
//
// Included by kernel_portable.c and kernel_avx2.c only, which define FR_KERNEL_NAME. Every
// operation is lane by lane and in a fixed order, so both give the same bits.
#pragma once

#include "fem/chunk.h"
#include "fem/lane_math.h"

// F = Ds Bm: columns are dx/du_i                                      [S2 eq. 21] [S6 eq. 3.26]
// (with velocities instead of positions                              [S2 eq. 22] [S6 eq. 3.27])
FR_LANE_INLINE LaneMat gradient(Lane3 d1, Lane3 d2, Lane3 d3, const FrTetBlock *block) {
#define B(r, c) fr_lane_load(block->B[r][c])
    LaneMat F = {lane3_mix(d1, B(0, 0), d2, B(1, 0), d3, B(2, 0)),
                 lane3_mix(d1, B(0, 1), d2, B(1, 1), d3, B(2, 1)),
                 lane3_mix(d1, B(0, 2), d2, B(1, 2), d3, B(2, 2))};
    return F;
}

// S = lambda tr(E) I + 2 mu E = lambda/2 tr(2E) I + mu 2E               [S2 eq. 7] [S6 eq. 3.12]
FR_LANE_INLINE LaneSym stress_isotropic(const FrKernelMaterial *m, const LaneSym *e, FrLane trace) {
    FrLane mu = fr_lane_set(m->mu), t = fr_lane_set(m->half_lambda) * trace;
    LaneSym s = {t + mu * e->xx, t + mu * e->yy, t + mu * e->zz,
                 mu * e->yz,     mu * e->zx,     mu * e->xy};
    return s;
}

FR_LANE_INLINE FrLane stress_row(const double c[6], const LaneSym *e) {
    return fr_lane_set(c[0]) * e->xx + fr_lane_set(c[1]) * e->yy + fr_lane_set(c[2]) * e->zz +
           fr_lane_set(c[3]) * e->yz + fr_lane_set(c[4]) * e->zx + fr_lane_set(c[5]) * e->xy;
}

// S = 2 mu dev(E - Ep) + k/2 (det C - 1) adj(C): laws.c says why
FR_LANE_INLINE LaneSym stress_flowed(const FrKernelMaterial *m, const LaneSym *el, FrLane trace,
                                     const LaneVolume *v) {
    FrLane mu = fr_lane_set(m->mu), third = fr_lane_set(m->mu / 3.0) * trace;
    FrLane push = fr_lane_set(m->half_bulk) * v->grown;
    LaneSym s = {mu * el->xx - third + push * v->adj.xx, mu * el->yy - third + push * v->adj.yy,
                 mu * el->zz - third + push * v->adj.zz, mu * el->yz + push * v->adj.yz,
                 mu * el->zx + push * v->adj.zx,         mu * el->xy + push * v->adj.xy};
    return s;
}

// S_ij = sum_kl C_ijkl E_kl; columns of C for stretches are halved       [S2 eq. 5] [S6 eq. 3.10]
FR_LANE_INLINE LaneSym stress_anisotropic(const FrKernelMaterial *m, const LaneSym *e) {
    LaneSym s = {stress_row(m->C[0], e), stress_row(m->C[1], e), stress_row(m->C[2], e),
                 stress_row(m->C[3], e), stress_row(m->C[4], e), stress_row(m->C[5], e)};
    return s;
}

// Sv = phi tr(Ed) I + 2 psi Ed, Ed = (F'Fd + Fd'F)/2                     [S2 eq. 8] [S6 eq. 3.13]
FR_LANE_INLINE LaneSym stress_viscous(const FrKernelMaterial *m, const LaneMat *F,
                                      const LaneMat *Fd) {
    FrLane psi = fr_lane_set(m->psi), twice = fr_lane_set(2.0 * m->psi);
    FrLane xx = lane3_dot(F->c0, Fd->c0), yy = lane3_dot(F->c1, Fd->c1),
           zz = lane3_dot(F->c2, Fd->c2);
    FrLane t = fr_lane_set(m->phi) * (xx + yy + zz);
    LaneSym s = {t + twice * xx,
                 t + twice * yy,
                 t + twice * zz,
                 psi * (lane3_dot(F->c1, Fd->c2) + lane3_dot(F->c2, Fd->c1)),
                 psi * (lane3_dot(F->c2, Fd->c0) + lane3_dot(F->c0, Fd->c2)),
                 psi * (lane3_dot(F->c0, Fd->c1) + lane3_dot(F->c1, Fd->c0))};
    return s;
}

// f_i = T G_i with T = -vol F S, added to each node; f_1 = -(f_2 + f_3 + f_4)
// M a + C v + K(x) = f, without the M a                                    [S4 eq. 1] [S4 eq. 10]
//                     [S2 eq. 24] [S2 eq. 26] [S2 eq. 27] [S6 eq. 3.29] [S6 eq. 3.31] [S6 eq. 3.32]
// Departs from the papers: S is half of the printed sigma, so vol instead of vol/2 (E1).
FR_LANE_INLINE void add_forces(const LaneMat *T, const FrTetBlock *block, FrLocalNode *local,
                               size_t offset) {
    Lane3 f1 = lane3_mix(T->c0, B(0, 0), T->c1, B(0, 1), T->c2, B(0, 2));
    Lane3 f2 = lane3_mix(T->c0, B(1, 0), T->c1, B(1, 1), T->c2, B(1, 2));
    Lane3 f3 = lane3_mix(T->c0, B(2, 0), T->c1, B(2, 1), T->c2, B(2, 2));
    Lane3 f0 = {-(f1.x + f2.x + f3.x), -(f1.y + f2.y + f3.y), -(f1.z + f2.z + f3.z)};
#define ROW(lane, i) ((double *)((char *)&local[block->node[lane][i]] + offset))
    scatter(ROW(0, 0), ROW(1, 0), ROW(2, 0), ROW(3, 0), f0, f0.z);
    scatter(ROW(0, 1), ROW(1, 1), ROW(2, 1), ROW(3, 1), f1, f1.z);
    scatter(ROW(0, 2), ROW(1, 2), ROW(2, 2), ROW(3, 2), f2, f2.z);
    scatter(ROW(0, 3), ROW(1, 3), ROW(2, 3), ROW(3, 3), f3, f3.z);
#undef ROW
}

#define NODES(i, field)                                                                            \
    gather(local[n[0][i]].field, local[n[1][i]].field, local[n[2][i]].field, local[n[3][i]].field)

/// sums over the blocks of a chunk, per lane
typedef struct LaneSums {
    FrLane energy, w2, v2;
    FrLane plastic; ///< twice the work
    FrLane stress2;
    int32_t crushed;
} LaneSums;

FR_LANE_INLINE LaneSym stress(const FrKernelMaterial *m, const LaneSym *e, FrLane trace,
                              bool anisotropic) {
    return anisotropic ? stress_anisotropic(m, e) : stress_isotropic(m, e, trace);
}

// plastic strain of the four tets
FR_LANE_INLINE LaneSym plastic_strain(const FrFlow *flow, const int32_t tet[FR_LANES]) {
    static const FrPlasticRow unused = {0};
    const double *r[FR_LANES];
    for (int k = 0; k < FR_LANES; k++) r[k] = tet[k] < 0 ? unused : flow->row[tet[k]];
    Lane3 a = gather(r[0], r[1], r[2], r[3]), b = gather(r[0] + 4, r[1] + 4, r[2] + 4, r[3] + 4);
    LaneSym Ep = {a.x, a.y, a.z, b.x, b.y, b.z};
    return Ep;
}

static void store_plastic(const FrFlow *flow, const int32_t tet[FR_LANES], const LaneSym *Ep) {
    for (int k = 0; k < FR_LANES; k++) {
        if (tet[k] < 0) continue;
        double *row = flow->row[tet[k]];
        row[0] = Ep->xx[k], row[1] = Ep->yy[k], row[2] = Ep->zz[k];
        row[4] = Ep->yz[k], row[5] = Ep->zx[k], row[6] = Ep->xy[k];
    }
}

// Plastic flow: d = dev(E - Ep), where |d| > g1 Ep += (|d| - g1)/|d| d, |Ep| <= g2
//                                              [S3 eq. 2] [S3 eq. 3] [S3 eq. 4] [S3 eq. 5]
//                                              [S6 eq. 3.4] [S6 eq. 3.5] [S6 eq. 3.7] [S6 eq. 3.8]
// e, el: doubled total and elastic strain; el is made anew from what is stored. The work is
// vol (S_n + S_n+1)/2 : (Ep_n+1 - Ep_n): with it the ledger balances as well as without flow, since
// the change of stored energy is (S_n + S_n+1)/2 : (E_n+1 - E_n - Ep_n+1 + Ep_n) vol (exactly but
// for that of the volume, which Ep has no part in: S is 2 mu dev(E - Ep) here, and none of it is
// gained). The strain before the step follows from F - dt Fd, as p - dt v was its shape.
static __attribute__((noinline)) void flow_block(const FrKernelMaterial *m, const FrTetBlock *block,
                                                 const FrLocalNode *local, const FrFlow *flow,
                                                 const int32_t tet[FR_LANES], const LaneMat *F,
                                                 const LaneSym *e, LaneSym *el, LaneSums *sums) {
    const uint16_t(*n)[4] = block->node;
    FrLane zero = fr_lane_set(0.0), one = fr_lane_set(1.0), minus_two = fr_lane_set(-2.0);
    FrLane vol = fr_lane_load(block->vol), third = fr_lane_set(1.0 / 3.0) * sym_trace(el);
    LaneSym d = *el, Ep = plastic_strain(flow, tet);
    d.xx = d.xx - third, d.yy = d.yy - third, d.zz = d.zz - third;
    FrLane size = fr_lane_sqrt(sym_dot(&d, &d)), yield = fr_lane_set(m->twice_yield);
    FrLaneMask over = (size > yield) & (vol > zero);
    FrLane part = fr_lane_pick(over, fr_lane_set(0.5) * (size - yield) / size, zero);
    LaneSym flowed = sym_axpy(part, &d, &Ep);
    FrLane length = fr_lane_sqrt(sym_dot(&flowed, &flowed)), limit = fr_lane_set(m->plastic_limit);
    FrLane cap = fr_lane_pick(over & (length > limit), limit / length, one);
    LaneSym none = {zero, zero, zero, zero, zero, zero}, now = sym_axpy(cap, &flowed, &none);
    LaneSym change = sym_axpy(-one, &Ep, &now);
    Lane3 v0 = NODES(0, v);
    LaneMat Fd = gradient(lane3_sub(NODES(1, v), v0), lane3_sub(NODES(2, v), v0),
                          lane3_sub(NODES(3, v), v0), block);
    FrLane back = fr_lane_set(-flow->dt);
    LaneMat before = {lane3_axpy(back, Fd.c0, F->c0), lane3_axpy(back, Fd.c1, F->c1),
                      lane3_axpy(back, Fd.c2, F->c2)};
    LaneSym was = doubled_strain(&before);
    was = sym_axpy(minus_two, &Ep, &was);
    *el = sym_axpy(minus_two, &now, e);
    LaneSym both = sym_axpy(one, el, &was); // the trace of the change is 0
    FrLane work = fr_lane_set(m->mu) * sym_dot(&both, &change);
    if (m->anisotropic) {
        LaneSym S = stress_anisotropic(m, &both);
        work = sym_dot(&S, &change);
    }
    sums->plastic = sums->plastic + vol * work;
    store_plastic(flow, tet, &now);
}

// Inversion guard (E5): below J0 the energy density kb g(J) is added, with kb = lambda + 2 mu,
//     g = J0^2 (q^3/3 + 7/5 q^5),  g' = -J0 (q^2 + 7 q^4),  g'' = 2 q + 28 q^3,  q = (J0 - J)/J0
// so P_b = kb g' cof F. Its stiffness enters the bound on w^2 through
//     kb ( g'' sum_i |cof F G_i|^2 + 2 |g'| s sum_i |G_i|^2 ),  since |J''(H,H)| <= 2 s |H|^2
// Departs from M1, whose kb/2 (J - J0)^2 below J0 = 0.3 starts after the law has given way (0.577)
// and is soon passed: a jelly cube dropped on its corner turned tets inside out. This one starts
// before, without a jump in stiffness, and grows: J stays above 0.19 there.
static __attribute__((noinline)) void guard(const FrKernelMaterial *m, const LaneMat *F,
                                            const FrTetBlock *block, FrLane J, FrLane stretch2,
                                            LaneMat *T, LaneSums *sums, FrLane *w2) {
    FrLane zero = fr_lane_set(0.0), vol = fr_lane_load(block->vol), J0 = fr_lane_set(FR_GUARD_J0);
    FrLaneMask used = vol > zero, low = (J < J0) & used;
    FrLane q = fr_lane_pick(low, fr_lane_set(1.0 / FR_GUARD_J0) * (J0 - J), zero), q2 = q * q;
    LaneMat cof = {lane3_cross(F->c1, F->c2), lane3_cross(F->c2, F->c0), lane3_cross(F->c0, F->c1)};
    FrLane kb = fr_lane_set(m->barrier), slope = J0 * (q2 + fr_lane_set(7.0) * (q2 * q2));
    FrLane curve = q * (fr_lane_set(2.0) + fr_lane_set(28.0) * q2), push = vol * kb * slope;
    T->c0 = lane3_axpy(push, cof.c0, T->c0);
    T->c1 = lane3_axpy(push, cof.c1, T->c1);
    T->c2 = lane3_axpy(push, cof.c2, T->c2);
    FrLane steep = zero, size = zero;
    Lane3 last = {zero, zero, zero}, last_g = last;
    for (int i = 0; i < 3; i++) {
        Lane3 g = {B(i, 0), B(i, 1), B(i, 2)};
        Lane3 c = lane3_mix(cof.c0, g.x, cof.c1, g.y, cof.c2, g.z);
        steep = steep + lane3_dot(c, c);
        size = size + lane3_dot(g, g);
        last = lane3_sub(last, c);
        last_g = lane3_sub(last_g, g);
    }
    steep = steep + lane3_dot(last, last);
    size = size + lane3_dot(last_g, last_g);
    FrLane stiff = kb * (curve * steep + (slope + slope) * fr_lane_sqrt(stretch2) * size);
    FrLane bound = fr_lane_load(block->share) * (fr_lane_set(m->four_over_density) * stiff);
    *w2 = *w2 + fr_lane_pick(low, bound, zero);
    // four times the energy, as everywhere in the sum
    FrLane shape = q * q2 * (fr_lane_set(4.0 / 3.0) + fr_lane_set(5.6) * q2);
    sums->energy = sums->energy + fr_lane_set(FR_GUARD_J0 * FR_GUARD_J0) * kb * shape * vol;
    FrLaneMask crushed = (J < fr_lane_set(FR_CRUSHED_J)) & used;
    for (int lane = 0; lane < FR_LANES; lane++) sums->crushed += crushed[lane] != 0;
}

// doubled elastic strain: E - Ep, after material that flows at the end of a step     [S3 eq. 1] [S6
// eq. 3.6]
FR_LANE_INLINE LaneSym elastic_strain(const FrKernelMaterial *m, const FrTetBlock *block,
                                      const FrLocalNode *local, const FrFlow *flow,
                                      const int32_t tet[FR_LANES], const LaneMat *F,
                                      const LaneSym *e, LaneSums *sums) {
    LaneSym Ep = plastic_strain(flow, tet), el = sym_axpy(fr_lane_set(-2.0), &Ep, e);
    if (!(flow->dt > 0.0)) return el;
    FrLane trace = sym_trace(&el), yield = fr_lane_set(m->twice_yield);
    FrLane apart = sym_dot(&el, &el) - fr_lane_set(1.0 / 3.0) * trace * trace;
    if (fr_lane_any(apart > yield * yield)) flow_block(m, block, local, flow, tet, F, e, &el, sums);
    return el;
}

/// tr(2E), (2E):(2E) and a bound on the largest eigenvalue of 2E
typedef struct Extent {
    FrLane trace, size2, pull;
} Extent;

// largest eigenvalue <= tr/3 + sqrt(2/3) |dev|
FR_LANE_INLINE Extent extent(const LaneSym *e) {
    FrLane trace = sym_trace(e), size2 = sym_dot(e, e), third = fr_lane_set(1.0 / 3.0) * trace;
    FrLane apart = fr_lane_max(size2 - third * trace, fr_lane_set(0.0));
    Extent x = {trace, size2, third + fr_lane_sqrt(fr_lane_set(2.0 / 3.0) * apart)};
    return x;
}

// of the deviator
FR_LANE_INLINE Extent without_volume(const Extent *x) {
    FrLane third = fr_lane_set(1.0 / 3.0) * x->trace;
    Extent d = {fr_lane_set(0.0), x->size2 - third * x->trace, x->pull - third};
    return d;
}

// How many times stiffer what yields is against a change of its volume than at rest:
// k/2 (3 J^2 - 1) (cof F : H)^2 + k/2 (J^2 - 1) J''(H,H) J, with |cof F|^2 <= the largest
// eigenvalue of adj(C), and |J J''(H,H)| <= 2 |cof F|^2 |H|^2
FR_LANE_INLINE FrLane stiffer(const LaneVolume *v) {
    FrLane slope = fr_lane_set(1.0) + fr_lane_set(1.5) * v->grown;
    FrLane carried = fr_lane_max(v->grown, -v->grown);
    return (fr_lane_max(slope, fr_lane_set(0.0)) + carried) * extent(&v->adj).pull;
}

// |F x| <= s |x| with s <= (1 + s^2)/2
FR_LANE_INLINE void note_stress(const LaneSym *S, FrLane vol, FrLane stretch2,
                                FrBlockStress *stress, LaneSums *sums) {
    FrLane zero = fr_lane_set(0.0), half = fr_lane_set(0.5), size2 = sym_dot(S, S);
    fr_lane_store(stress->size2, size2);
    fr_lane_store(stress->S[0], S->xx), fr_lane_store(stress->S[1], S->yy);
    fr_lane_store(stress->S[2], S->zz), fr_lane_store(stress->S[3], S->yz);
    fr_lane_store(stress->S[4], S->zx), fr_lane_store(stress->S[5], S->xy);
    fr_lane_store(stress->stretch, half + half * stretch2);
    sums->stress2 = fr_lane_max(fr_lane_pick(vol > zero, size2, zero), sums->stress2);
}

FR_LANE_INLINE void note_gradient(const LaneMat *F, FrBlockStress *stress) {
    fr_lane_store(stress->F[0], F->c0.x), fr_lane_store(stress->F[1], F->c0.y);
    fr_lane_store(stress->F[2], F->c0.z), fr_lane_store(stress->F[3], F->c1.x);
    fr_lane_store(stress->F[4], F->c1.y), fr_lane_store(stress->F[5], F->c1.z);
    fr_lane_store(stress->F[6], F->c2.x), fr_lane_store(stress->F[7], F->c2.y);
    fr_lane_store(stress->F[8], F->c2.z);
}

// the next block on its way into the cache; past the end it is a hint that does nothing
FR_LANE_INLINE void fetch_ahead(const FrTetBlock *block) {
    for (size_t at = 0; at < sizeof *block; at += 64)
        __builtin_prefetch((const char *)block + sizeof *block + at);
}

// forces of damping; its stress, per `damp`
FR_LANE_INLINE LaneSym add_viscous(const FrKernelMaterial *m, const FrTetBlock *block,
                                   FrLocalNode *local, const LaneMat *F, FrLane damp, FrLane vol) {
    const uint16_t(*n)[4] = block->node;
    Lane3 v0 = NODES(0, v);
    LaneMat Fd = gradient(lane3_sub(NODES(1, v), v0), lane3_sub(NODES(2, v), v0),
                          lane3_sub(NODES(3, v), v0), block);
    LaneSym Sv = stress_viscous(m, F, &Fd);
    LaneMat Tv = loaded(F, &Sv, -(damp * vol));
    add_forces(&Tv, block, local, offsetof(FrLocalNode, d));
    return Sv;
}

FR_LANE_INLINE void tet_block(const FrKernelMaterial *m, const FrTetBlock *block,
                              FrLocalNode *local, const FrFlow *flow, int32_t k,
                              FrBlockStress *stressed, LaneSums *sums, bool anisotropic,
                              bool viscous, bool breaks) {
    const uint16_t(*n)[4] = block->node;
    fetch_ahead(block);
    Lane3 p0 = NODES(0, p);
    LaneMat F = gradient(lane3_sub(NODES(1, p), p0), lane3_sub(NODES(2, p), p0),
                         lane3_sub(NODES(3, p), p0), block);
    LaneSym e = doubled_strain(&F), el = e;
    Extent total = extent(&e), elastic = total;
    if (flow) {
        el = elastic_strain(m, block, local, flow, flow->tet + FR_LANES * k, &F, &e, sums);
        elastic = extent(&el);
    }
    FrLane vol = fr_lane_load(block->vol), bulge = fr_lane_set(0.0), stored;
    LaneSym S;
    if (flow && !anisotropic) {
        LaneVolume v = volume_of(&e);
        S = stress_flowed(m, &el, elastic.trace, &v);
        elastic = without_volume(&elastic);
        bulge = stiffer(&v);
        stored =
            fr_lane_set(m->mu) * elastic.size2 + fr_lane_set(m->half_bulk) * (v.grown * v.grown);
    } else {
        S = stress(m, &el, elastic.trace, anisotropic);
        stored = sym_dot(&S, &el);
    }
    // four times the energy: vol S:2E = 4 vol (1/2 S:E); an infinity anywhere shows up here
    sums->energy = sums->energy + vol * stored;
    // Stiffness grows with the largest stretch s: w^2 <= w0^2 (s^2 + the pulling part of the
    // stress, max(e, tr E, 0), e = (s^2 - 1)/2); pushing stress lowers it. Damping grows with s^2.
    // [M3] s^2 <= 1 + tr(2E)/3 + sqrt(2/3) |dev 2E|. Departs from M3: s^2 <= 1 + 2|E| alone leaves
    // out the stress-carried part of the tangent, and takes squeezing for stretching.
    FrLane zero = fr_lane_set(0.0), half = fr_lane_set(0.5);
    FrLane stretch2 = fr_lane_set(1.0) + total.pull, rest = fr_lane_load(block->w2);
    FrLane stiff2 = fr_lane_max(stretch2, bulge);
    // other materials may pull along one axis when they are squeezed along another
    FrLane carried =
        anisotropic || m->half_lambda < 0.0
            ? fr_lane_max(fr_lane_sqrt(elastic.size2), fr_lane_max(elastic.trace, -elastic.trace))
            : fr_lane_max(fr_lane_max(elastic.pull, elastic.trace), zero);
    FrLane w2 = rest * (stiff2 + half * carried);
    FrLane damp = fr_lane_load(block->damp);
    sums->v2 = fr_lane_max(damp * (rest * stretch2), sums->v2);
    LaneMat T = loaded(&F, &S, -vol);
    FrLane J = lane3_dot(F.c0, lane3_cross(F.c1, F.c2));
    FrLaneMask low = J < fr_lane_set(FR_GUARD_J0);
    if (fr_lane_any(low)) guard(m, &F, block, J, stretch2, &T, sums, &w2);
    sums->w2 = fr_lane_max(w2, sums->w2);
    add_forces(&T, block, local, offsetof(FrLocalNode, f));
    if (viscous) {
        LaneSym Sv = add_viscous(m, block, local, &F, damp, vol);
        // sigma = sigma_elastic + sigma_viscous                          [S2 eq. 4] [S6 eq. 3.9]
        if (breaks && !m->elastic_only) S = sym_axpy(damp, &Sv, &S);
    }
    if (breaks) note_stress(&S, vol, stretch2, stressed, sums);
    if (breaks || flow) note_gradient(&F, stressed);
}
#undef NODES
#undef B

// what neither flows nor breaks has a loop of its own, a tenth faster
FR_LANE_INLINE void tet_blocks(const FrTetBlock *block, int32_t count, const FrKernelMaterial *m,
                               FrLocalNode *local, const FrFlow *flow, FrBlockStress *stressed,
                               LaneSums *sums, bool anisotropic, bool viscous) {
    if (!flow && !m->breaks) {
        for (int32_t k = 0; k < count; k++)
            tet_block(m, &block[k], local, NULL, k, NULL, sums, anisotropic, viscous, false);
        return;
    }
    for (int32_t k = 0; k < count; k++)
        tet_block(m, &block[k], local, flow, k, &stressed[k], sums, anisotropic, viscous,
                  m->breaks);
}

// over the four lanes
static double lane_largest(FrLane a) { return fr_max(fr_max(a[0], a[1]), fr_max(a[2], a[3])); }
static double lane_total(FrLane a) { return (a[0] + a[1]) + (a[2] + a[3]); }

void FR_KERNEL_NAME(const FrTetBlock *block, int32_t count, const FrKernelMaterial *m,
                    FrLocalNode *local, const FrFlow *flow, FrBlockStress *stressed,
                    FrChunkSums *out) {
    LaneSums sums = {fr_lane_set(0.0), fr_lane_set(0.0), fr_lane_set(0.0),
                     fr_lane_set(0.0), fr_lane_set(0.0), 0};
    if (m->anisotropic) {
        if (m->viscous)
            tet_blocks(block, count, m, local, flow, stressed, &sums, true, true);
        else
            tet_blocks(block, count, m, local, flow, stressed, &sums, true, false);
    } else {
        if (m->viscous)
            tet_blocks(block, count, m, local, flow, stressed, &sums, false, true);
        else
            tet_blocks(block, count, m, local, flow, stressed, &sums, false, false);
    }
    out->energy = 0.25 * lane_total(sums.energy);
    out->w2 = lane_largest(sums.w2);
    out->v2 = lane_largest(sums.v2);
    out->plastic = 0.5 * lane_total(sums.plastic);
    out->stress2 = lane_largest(sums.stress2);
    out->crushed = sums.crushed;
}
