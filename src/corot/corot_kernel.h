// corot_kernel.h: four tets at once: rotation, strain, flow, forces; and rows of the matrix.
// Included by corot_portable.c and corot_avx2.c only.
#pragma once
#include "corot/corot_body.h"
#include "corot/corot_tuning.h"
#include "math/decompose.h"

typedef struct Mat {
    FrLane m[3][3]; ///< [column][row]
} Mat;

FR_LANE_INLINE FrLane gather_node(const double *x, const int32_t node[FR_LANES], int axis) {
    FrLane r = {x[3 * (size_t)node[0] + (size_t)axis], x[3 * (size_t)node[1] + (size_t)axis],
                x[3 * (size_t)node[2] + (size_t)axis], x[3 * (size_t)node[3] + (size_t)axis]};
    return r;
}

// F = sum_i (p_i - p_0) G_i': B of the printed A = Q P^-1       [S5 eq. 9] [S5 eq. 10] [S5 eq. 11]
FR_LANE_INLINE Mat gradient_of(const FrCorotBlock *b, const double *x) {
    Mat F;
    for (int r = 0; r < 3; r++) {
        FrLane x0 = gather_node(x, b->node[0], r), d[3];
        for (int i = 0; i < 3; i++) d[i] = gather_node(x, b->node[i + 1], r) - x0;
        for (int c = 0; c < 3; c++)
            F.m[c][r] = (d[0] * fr_lane_load(b->G[1][c]) + d[1] * fr_lane_load(b->G[2][c])) +
                        d[2] * fr_lane_load(b->G[3][c]);
    }
    return F;
}

FR_LANE_INLINE Mat load_rotation(const FrCorotBlock *b) {
    Mat R;
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) R.m[c][r] = fr_lane_load(b->R[c][r]);
    return R;
}

FR_LANE_INLINE FrLane dot3(const FrLane *a, const FrLane *b) {
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

typedef struct Sym {
    FrLane s[6]; ///< xx yy zz yz zx xy
} Sym;

// the symmetric part of R' F
FR_LANE_INLINE Sym turned_back(const Mat *R, const Mat *F) {
    FrLane half = fr_lane_set(0.5);
    Sym e = {{dot3(R->m[0], F->m[0]), dot3(R->m[1], F->m[1]), dot3(R->m[2], F->m[2]),
              half * (dot3(R->m[1], F->m[2]) + dot3(R->m[2], F->m[1])),
              half * (dot3(R->m[2], F->m[0]) + dot3(R->m[0], F->m[2])),
              half * (dot3(R->m[0], F->m[1]) + dot3(R->m[1], F->m[0]))}};
    return e;
}

// e_elastic = B (R^-1 x - x0) - e_plastic                              [S5 eq. 13] [S5 eq. 14]
FR_LANE_INLINE Sym elastic_strain(const FrCorotBlock *b, const Mat *R, const Mat *F) {
    Sym e = turned_back(R, F);
    for (int k = 0; k < 3; k++) e.s[k] = e.s[k] - fr_lane_set(1.0);
    for (int k = 0; k < 6; k++) e.s[k] = e.s[k] - fr_lane_load(b->Ep[k]);
    return e;
}

// sigma = lambda tr(e) I + 2 mu e                                       [S5 eq. 2] [S5 eq. 3]
FR_LANE_INLINE Sym stress_of(const Sym *e, FrLane lambda, FrLane mu) {
    FrLane t = lambda * ((e->s[0] + e->s[1]) + e->s[2]), two = mu + mu;
    Sym s;
    for (int k = 0; k < 6; k++) s.s[k] = k < 3 ? t + two * e->s[k] : two * e->s[k];
    return s;
}

FR_LANE_INLINE FrLane double_dot(const Sym *a, const Sym *b) {
    FrLane off = (a->s[3] * b->s[3] + a->s[4] * b->s[4]) + a->s[5] * b->s[5];
    return ((a->s[0] * b->s[0] + a->s[1] * b->s[1]) + a->s[2] * b->s[2]) + (off + off);
}

// cofactors of X and its determinant
FR_LANE_INLINE Mat cofactor(const Mat *X, FrLane *det) {
    Mat C;
    for (int c = 0; c < 3; c++) {
        const FrLane *a = X->m[(c + 1) % 3], *b = X->m[(c + 2) % 3];
        for (int r = 0; r < 3; r++)
            C.m[c][r] = a[(r + 1) % 3] * b[(r + 2) % 3] - a[(r + 2) % 3] * b[(r + 1) % 3];
    }
    *det = dot3(X->m[0], C.m[0]);
    return C;
}

// Newton's iteration X = (X + X^-T)/2 from F (Higham 1986); false lanes of `good` did not get there
FR_LANE_INLINE Mat polar_newton(const Mat *F, FrLaneMask *good) {
    Mat X = *F;
    FrLane det, half = fr_lane_set(0.5), near = fr_lane_set(1e-24),
                flat = fr_lane_set(FR_COROT_FLAT);
    Mat C = cofactor(&X, &det);
    FrLaneMask safe = det > flat, done = ~safe;
    for (int step = 0; step < FR_COROT_POLAR_STEPS && fr_lane_bits(done) != 15; step++) {
        FrLane inverse = fr_lane_set(1.0) / fr_lane_pick(safe, det, fr_lane_set(1.0)),
               moved = fr_lane_set(0.0);
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < 3; r++) {
                FrLane next = half * (X.m[c][r] + C.m[c][r] * inverse), d = next - X.m[c][r];
                moved = moved + d * d;
                X.m[c][r] = fr_lane_pick(done, X.m[c][r], next);
            }
        done = done | (moved < near); // the step after it is below rounding
        C = cofactor(&X, &det);
    }
    *good = safe & done;
    return X;
}

static FrMat3 one_lane(const Mat *m, int lane) {
    FrVec3 c[3];
    for (int k = 0; k < 3; k++)
        c[k] = fr_vec3(m->m[k][0][lane], m->m[k][1][lane], m->m[k][2][lane]);
    return fr_mat3(c[0], c[1], c[2]);
}

// tets that are flat or inside out: the smallest stretch takes the sign of det F    [M12] [K4]
static __attribute__((noinline)) void polar_safe(const Mat *F, const Mat *before, int good,
                                                 Mat *R) {
    for (int lane = 0; lane < FR_LANES; lane++) {
        if (good >> lane & 1) continue;
        FrMat3 one = fr_mat3_polar(one_lane(F, lane), one_lane(before, lane));
        FrVec3 c[3] = {one.c0, one.c1, one.c2};
        for (int k = 0; k < 3; k++)
            for (int r = 0; r < 3; r++) R->m[k][r][lane] = fr_vec3_get(c[k], r);
    }
}

// the rotation in F                                                       [S5 eq. 12] [M12]
FR_LANE_INLINE Mat rotation_of(const Mat *F, const Mat *before) {
    FrLaneMask good;
    Mat R = polar_newton(F, &good);
    int bits = fr_lane_bits(good);
    if (bits != 15) polar_safe(F, before, bits, &R);
    return R;
}

static void store_rotation(FrCorotBlock *b, const Mat *R) {
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) fr_lane_store(b->R[c][r], R->m[c][r]);
}

// f_i = -V R sigma G_i for each corner                          [S5 eq. 4] [S5 eq. 7] [S5 eq. 15]
FR_LANE_INLINE void store_forces(const FrCorotBlock *b, const Mat *R, const Sym *s, double *to) {
    FrLane minus = -fr_lane_load(b->vol), T[3][3], sum[3];
    static const int at[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            T[c][r] = minus * ((R->m[0][r] * s->s[at[c][0]] + R->m[1][r] * s->s[at[c][1]]) +
                               R->m[2][r] * s->s[at[c][2]]);
    for (int r = 0; r < 3; r++) sum[r] = fr_lane_set(0.0);
    for (int i = 1; i <= 4; i++)
        for (int r = 0; r < 3; r++) {
            int corner = i & 3;
            FrLane f = -sum[r];
            if (corner) {
                f = (T[0][r] * fr_lane_load(b->G[i][0]) + T[1][r] * fr_lane_load(b->G[i][1])) +
                    T[2][r] * fr_lane_load(b->G[i][2]);
                sum[r] = sum[r] + f;
            }
            for (int lane = 0; lane < FR_LANES; lane++) to[12 * lane + 3 * corner + r] = f[lane];
        }
}

// Where the norm of the elastic deviator is above the yield strain it flows: with creep dt creep of
// it, all at most (E17); without, all that is above         [S5 section 3] [M4]
// Departs from the paper: Frobenius norm (E15), deviator only, so that volume is kept. The share is
// linear in dt although 1 - exp(-dt creep) would relax a held strain alike at any step: the solver
// sees stress before it flows, and in a steady flow that is rate / creep at any step only so.
static __attribute__((noinline)) void flow(FrCorotBlock *b, double dt, Sym *e) {
    for (int lane = 0; lane < FR_LANES; lane++) {
        double mean = (e->s[0][lane] + e->s[1][lane] + e->s[2][lane]) / 3.0, d[6], size2 = 0.0;
        if (!(b->yield[lane] > 0.0)) continue;
        for (int k = 0; k < 6; k++) {
            d[k] = e->s[k][lane] - (k < 3 ? mean : 0.0);
            size2 += (k < 3 ? 1.0 : 2.0) * d[k] * d[k];
        }
        double size = sqrt(size2);
        if (!(size > b->yield[lane])) continue;
        double share = b->creep[lane] > 0.0 ? fr_min(1.0, dt * b->creep[lane])
                                            : (size - b->yield[lane]) / size;
        double plastic[6], length2 = 0.0;
        for (int k = 0; k < 6; k++) {
            plastic[k] = b->Ep[k][lane] + share * d[k];
            length2 += (k < 3 ? 1.0 : 2.0) * plastic[k] * plastic[k];
        }
        double length = sqrt(length2), most = b->limit[lane],
               cap = length > most ? most / length : 1.0;
        for (int k = 0; k < 6; k++) {
            double now = cap * plastic[k];
            e->s[k][lane] -= now - b->Ep[k][lane];
            b->Ep[k][lane] = now;
        }
    }
}

// R G of each corner, side by side
FR_LANE_INLINE void store_turned(const FrCorotBlock *b, const Mat *R, FrCorotTet *tet) {
    for (int i = 0; i < 4; i++)
        for (int r = 0; r < 3; r++) {
            FrLane h =
                (R->m[0][r] * fr_lane_load(b->G[i][0]) + R->m[1][r] * fr_lane_load(b->G[i][1])) +
                R->m[2][r] * fr_lane_load(b->G[i][2]);
            for (int lane = 0; lane < FR_LANES; lane++) tet[lane].h[i][r] = h[lane];
        }
}

static double add_lanes(FrLane a) { return ((a[0] + a[1]) + a[2]) + a[3]; }

void FR_COROT_TETS(const FrCorotPass *pass, int32_t begin, int32_t end, FrCorotSums *sums) {
    FrLane zero = fr_lane_set(0.0), elastic = zero, turned = zero, bent = zero, viscous = zero,
           plastic = zero, half = fr_lane_set(0.5);
    FrLane rate = fr_lane_set(pass->dt > 0.0 ? 1.0 / pass->dt : 0.0);
    for (int32_t k = begin; k < end; k++) {
        FrCorotBlock *b = &pass->block[k];
        FrLane vol = fr_lane_load(b->vol), lambda = fr_lane_load(b->lambda),
               mu = fr_lane_load(b->mu);
        Mat F = gradient_of(b, pass->p), old = load_rotation(b);
        Mat solved = pass->d ? gradient_of(b, pass->q) : F;
        Sym e = elastic_strain(b, &old, &solved), s = stress_of(&e, lambda, mu);
        FrLane was = half * vol * double_dot(&e, &s);
        if (pass->d) {
            Mat D = gradient_of(b, pass->d);
            Sym de = turned_back(&old, &D), ds = stress_of(&de, lambda, mu);
            Sym v = stress_of(&de, rate * fr_lane_load(b->phi), rate * fr_lane_load(b->psi));
            bent = bent + half * vol * double_dot(&de, &ds);
            viscous = viscous + vol * double_dot(&de, &v);
            for (int c = 0; c < 6; c++) s.s[c] = s.s[c] + v.s[c];
            store_forces(b, &old, &s, pass->frozen + 48 * (size_t)k);
        }
        Mat R = old;
        if (!pass->linear) {
            R = rotation_of(&F, &old);
            store_rotation(b, &R);
        }
        e = elastic_strain(b, &R, &F);
        s = stress_of(&e, lambda, mu);
        FrLane now = half * vol * double_dot(&e, &s);
        turned = turned + (was - now);
        if (pass->dt > 0.0 && fr_lane_any(fr_lane_load(b->yield) > zero)) {
            flow(b, pass->dt, &e);
            s = stress_of(&e, lambda, mu);
            FrLane left = half * vol * double_dot(&e, &s);
            plastic = plastic + (now - left);
            now = left;
        }
        elastic = elastic + now;
        store_forces(b, &R, &s, pass->force + 48 * (size_t)k);
        store_turned(b, &R, pass->tet + 4 * (size_t)k);
    }
    sums->elastic = add_lanes(elastic), sums->turned = add_lanes(turned);
    sums->bent = add_lanes(bent), sums->viscous = add_lanes(viscous);
    sums->plastic = add_lanes(plastic);
}

#define WIDE_BLOCKS 64 // of a row that are summed at a time, columns of four numbers each

// Blocks of the row of one node: V (lambda h_i h_j' + mu h_j h_i' + mu h_i.h_j I), which is R K_ij
// R' of an isotropic material, h = R G; those from `first` on that there is room for
//                                                                       [S5 eq. 7] [S5 eq. 8]
FR_LANE_INLINE void add_entry(const FrCorotTet *tet, const FrCorotEntry *entry, double dt,
                              int32_t first, double *wide) {
    int i = entry->corner & 3;
    double lambda = dt * (dt * tet->lambda + tet->phi), mu = dt * (dt * tet->mu + tet->psi);
    const double *hi = tet->h[i];
    FrLane a = fr_lane_load(hi);
    for (int j = 0; j < 4; j++) {
        const double *hj = tet->h[j];
        int32_t slot = entry->slot[j] - first;
        if (slot < 0 || slot >= WIDE_BLOCKS) continue;
        FrLane b = fr_lane_load(hj);
        double *to = wide + 12 * (size_t)slot;
        double even = mu * ((hi[0] * hj[0] + hi[1] * hj[1]) + hi[2] * hj[2]);
        for (int c = 0; c < 3; c++) {
            FrLane one = {c == 0 ? even : 0.0, c == 1 ? even : 0.0, c == 2 ? even : 0.0, 0.0};
            FrLane add = (a * fr_lane_set(lambda * hj[c]) + b * fr_lane_set(mu * hi[c])) + one;
            fr_lane_store(to + 4 * c, fr_lane_load(to + 4 * c) + add);
        }
    }
}

// columns of four numbers to columns of three
FR_LANE_INLINE void close_up(const double *wide, int32_t blocks, double *value) {
    for (int32_t k = 0; k < blocks; k++) {
        fr_lane_store(value + 9 * (size_t)k, fr_lane_load(wide + 12 * (size_t)k));
        fr_lane_store(value + 9 * (size_t)k + 3, fr_lane_load(wide + 12 * (size_t)k + 4));
        memcpy(value + 9 * (size_t)k + 6, wide + 12 * (size_t)k + 8, 3 * sizeof(double));
    }
}

void FR_COROT_ROWS(const FrCorotRows *rows, int32_t begin, int32_t end) {
    FrBlockMatrix *A = rows->A;
    double wide[12 * WIDE_BLOCKS];
    for (int32_t n = begin; n < end; n++) {
        for (int32_t first = A->start[n]; first < A->start[n + 1]; first += WIDE_BLOCKS) {
            int32_t blocks = fr_min_i(WIDE_BLOCKS, A->start[n + 1] - first);
            memset(wide, 0, 12 * (size_t)blocks * sizeof(double));
            for (int32_t k = rows->first[n]; k < rows->first[n + 1]; k++)
                add_entry(&rows->tet[rows->entry[k].corner >> 2], &rows->entry[k], rows->dt, first,
                          wide);
            close_up(wide, blocks, A->value + 9 * (size_t)first);
        }
        const FrCorotEntry *any = &rows->entry[rows->first[n]];
        double *diagonal = A->value + 9 * (size_t)any->slot[any->corner & 3];
        double inertia = rows->mass[n] * (1.0 + rows->dt * rows->drag[n]);
        for (int a = 0; a < 3; a++) diagonal[4 * a] += inertia;
    }
}
