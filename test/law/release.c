// release.c: what breaking sets free: momentum stays, energy rises as budgeted.

#include "base/random.h"
#include "fracture/release.h"
#include "test.h"

static FrVec3 random_vec(FrRandom *r, double size) {
    return fr_vec3(size * fr_random_normal(r), size * fr_random_normal(r),
                   size * fr_random_normal(r));
}

static FrMat3 random_rotation(FrRandom *r) {
    return fr_quat_mat3(fr_quat_from_rotation(random_vec(r, 2)));
}

// R diag R'
static FrMat3 turned(FrMat3 R, double x, double y, double z) {
    FrMat3 d = {{x, 0, 0}, {0, y, 0}, {0, 0, z}};
    return fr_mat3_mul(fr_mat3_mul(R, d), fr_mat3_transpose(R));
}

enum { PIECES = 9, FACETS = 60 };
/// A body that broke: pieces that moved as one.
typedef struct Scene {
    FrReleasePiece piece[PIECES];
    FrReleaseFacet facet[FACETS];
} Scene;

static Scene random_scene(uint64_t seed) {
    FrRandom r = fr_random_for(seed, "law/release", 0);
    Scene s;
    FrVec3 v = random_vec(&r, 2), w = random_vec(&r, 5);
    for (int d = 0; d < PIECES; d++) {
        double m = 0.01 + fr_random_unit(&r), l = 0.05 * m;
        FrVec3 x = random_vec(&r, 0.3);
        s.piece[d] = (FrReleasePiece){.mass = m,
                                      .x = x,
                                      .inv_inertia = turned(random_rotation(&r), 1 / (m * l * l),
                                                            2 / (m * l * l), 3 / (m * l * l)),
                                      .v = fr_add(v, fr_cross(w, x)),
                                      .w = w};
    }
    for (int k = 0; k < FACETS; k++) {
        int32_t a = fr_random_below(&r, PIECES),
                b = (a + 1 + fr_random_below(&r, PIECES - 1)) % PIECES;
        FrMat3 stress = turned(random_rotation(&r), 4e7 * fr_random_normal(&r),
                               4e7 * fr_random_normal(&r), 4e7 * fr_random_normal(&r));
        s.facet[k] = (FrReleaseFacet){a,
                                      b,
                                      1e-5 * fr_random_unit(&r),
                                      fr_lerp(s.piece[a].x, s.piece[b].x, 0.4),
                                      fr_normalize(random_vec(&r, 1)),
                                      fr_mat3_sym(stress)};
    }
    return s;
}

static double release(Scene *s, double energy, double fastest) {
    return fr_release(s->piece, PIECES, s->facet, FACETS, energy, fastest);
}

static FrVec3 spin_momentum(const FrReleasePiece *p) {
    return fr_mat3_apply(fr_mat3_inverse(p->inv_inertia), p->w);
}

static double kinetic(const FrReleasePiece *p, int count) {
    double sum = 0;
    for (int d = 0; d < count; d++)
        sum += 0.5 * (p[d].mass * fr_length2(p[d].v) + fr_dot(p[d].w, spin_momentum(&p[d])));
    return sum;
}

static FrVec3 momentum(const Scene *s) {
    FrVec3 sum = fr_vec3_zero;
    for (int d = 0; d < PIECES; d++) sum = fr_axpy(s->piece[d].mass, s->piece[d].v, sum);
    return sum;
}

static FrVec3 angular_momentum(const Scene *s) {
    FrVec3 sum = fr_vec3_zero;
    for (int d = 0; d < PIECES; d++) {
        const FrReleasePiece *p = &s->piece[d];
        sum = fr_add(sum, fr_axpy(p->mass, fr_cross(p->x, p->v), spin_momentum(p)));
    }
    return sum;
}

TEST(momentum_stays_and_energy_rises_as_budgeted) {
    for (uint64_t seed = 0; seed < 200; seed++) {
        Scene s = random_scene(seed);
        FrVec3 P = momentum(&s), L = angular_momentum(&s);
        double energy = 0.01 * pow(10, (double)(seed % 4)), before = kinetic(s.piece, PIECES);
        CHECK(release(&s, energy, 1e9) > 0);
        double size = sqrt(2 * kinetic(s.piece, PIECES) * 10);
        CHECK(fr_distance(momentum(&s), P) <= TOL_MOMENTUM * size);
        CHECK(fr_distance(angular_momentum(&s), L) <= TOL_MOMENTUM * size);
        // rounding: of the larger sum
        double after = kinetic(s.piece, PIECES);
        CHECK_NEAR(after - before, energy, 1e-12 * (energy + after));
    }
}

// pieces that fly apart or together already: the root that rises by the budget
TEST(pieces_may_move_before) {
    for (int sign = -1; sign <= 1; sign += 2) {
        Scene s = random_scene(3);
        for (int d = 0; d < PIECES; d++) s.piece[d].v = fr_scale(sign * 3.0, s.piece[d].x);
        double before = kinetic(s.piece, PIECES);
        release(&s, 2, 1e9);
        CHECK_NEAR(kinetic(s.piece, PIECES) - before, 2, 1e-12 * (2 + before)); // rounding
    }
}

static FrReleaseFacet middle_of_a_bar(double stress) {
    return (FrReleaseFacet){.a = 0, .b = 1, .area = 1e-4, .n = {1, 0, 0}, .stress = {.xx = stress}};
}

static void bar(FrReleasePiece half[2]) {
    for (int d = 0; d < 2; d++)
        half[d] = (FrReleasePiece){.mass = 0.05,
                                   .x = {d ? 0.05 : -0.05, 0, 0},
                                   .inv_inertia = {{1e5, 0, 0}, {0, 1e4, 0}, {0, 0, 1e4}}};
}

// torn in the middle, each half leaves with v = sqrt(dE/m), away from the other
TEST(a_bar_snaps) {
    FrReleasePiece half[2];
    bar(half);
    FrReleaseFacet f = middle_of_a_bar(5e7);
    double energy = 0.02, v = sqrt(energy / 0.05);
    double tau = fr_release(half, 2, &f, 1, energy, 1e9);
    CHECK_CLOSE(tau, 0.05 * v / (5e7 * 1e-4), 1e-14); // rounding: of few operations
    CHECK_CLOSE(half[1].v.x, v, 1e-14);  // rounding; with the outward normal they would meet (E56)
    CHECK_CLOSE(half[0].v.x, -v, 1e-14); // rounding
    CHECK_NEAR(fr_length(half[0].w), 0, TOL_EXACT); // exact: no lever
    // torn off its middle, it turns, too, and less goes into the way
    bar(half);
    f.x.y = 0.004;
    fr_release(half, 2, &f, 1, energy, 1e9);
    CHECK(half[1].w.z < 0 && half[0].w.z > 0 && half[1].v.x < v);
    CHECK_CLOSE(kinetic(half, 2), energy, 1e-13); // rounding
}

TEST(compression_sets_nothing_free) {
    FrReleasePiece half[2];
    bar(half);
    FrReleaseFacet f = middle_of_a_bar(-5e7);
    CHECK(!fr_release_pulls(&f));
    CHECK_NEAR(fr_release(half, 2, &f, 1, 1, 1e9), 0, TOL_EXACT); // exact: left out
    CHECK_NEAR(kinetic(half, 2), 0, TOL_EXACT);
    f = middle_of_a_bar(5e7);
    CHECK(fr_release_pulls(&f));
    CHECK_NEAR(fr_release(half, 2, &f, 1, 0, 1e9), 0, TOL_EXACT);  // nothing is left to set free
    CHECK_NEAR(fr_release(half, 2, &f, 1, -1, 1e9), 0, TOL_EXACT); // exact
}

// a limit slows all pieces alike, so momentum stays
TEST(no_piece_gains_more_than_the_limit) {
    Scene free = random_scene(5), s = free;
    double tau = release(&free, 50, 1e9), slow = release(&s, 50, 1.5), most = 0;
    CHECK(slow < tau);
    Scene before = random_scene(5);
    FrVec3 P = momentum(&before);
    for (int d = 0; d < PIECES; d++) {
        FrReleasePiece gain = s.piece[d];
        gain.v = fr_sub(gain.v, before.piece[d].v);
        gain.w = fr_sub(gain.w, before.piece[d].w);
        most = fmax(most, sqrt(2 * kinetic(&gain, 1) / gain.mass));
    }
    CHECK_CLOSE(most, 1.5, 1e-12); // rounding: the quickest piece is at the limit
    CHECK(fr_distance(momentum(&s), P) <= TOL_MOMENTUM * fr_length(P));
    CHECK(kinetic(s.piece, PIECES) < kinetic(free.piece, PIECES));
}

// turned, and seen from a train, it is the same
TEST(it_does_not_matter_who_looks) {
    FrRandom r = fr_random_for(7, "law/release", 1);
    for (uint64_t seed = 0; seed < 50; seed++) {
        FrMat3 R = random_rotation(&r);
        FrVec3 train = random_vec(&r, 20);
        Scene here = random_scene(seed), there = here;
        for (int d = 0; d < PIECES; d++) {
            FrReleasePiece *p = &there.piece[d];
            p->x = fr_mat3_apply(R, p->x);
            p->v = fr_add(fr_mat3_apply(R, p->v), train);
            p->w = fr_mat3_apply(R, p->w);
            p->inv_inertia = fr_mat3_mul(fr_mat3_mul(R, p->inv_inertia), fr_mat3_transpose(R));
        }
        for (int k = 0; k < FACETS; k++) {
            FrReleaseFacet *f = &there.facet[k];
            f->x = fr_mat3_apply(R, f->x);
            f->n = fr_mat3_apply(R, f->n);
            f->stress = fr_mat3_sym(
                fr_mat3_mul(fr_mat3_mul(R, fr_sym3_full(f->stress)), fr_mat3_transpose(R)));
        }
        double tau = release(&here, 1, 1e9);
        CHECK_CLOSE(release(&there, 1, 1e9), tau, 1e-11); // rounding: of what the train moves
        for (int d = 0; d < PIECES; d++) {
            FrVec3 v = fr_add(fr_mat3_apply(R, here.piece[d].v), train);
            FrVec3 w = fr_mat3_apply(R, here.piece[d].w);
            CHECK(fr_distance(there.piece[d].v, v) <= 1e-11 * 20);                 // rounding
            CHECK(fr_distance(there.piece[d].w, w) <= 1e-10 * (1 + fr_length(w))); // rounding
        }
    }
}
