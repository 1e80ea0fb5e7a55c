// modal_contact.c: contact of bodies that bend, against S1's linear program and all sets of
// touching points; many points at once; and all modes kept, which are the linear solid itself.

#include "modal_kit.h"
#include "rigid_kit.h"
#include "base/random.h"
#include "mesh/topology.h"
#include "modal/bend.h"
#include "modal/compute.h"
#include "modal/oscillator.h"
#include "solve/rows.h"

#define MOST 56

/// A cube that comes down on a floor, turning and bending, and touches it at some of its nodes.
typedef struct Fall {
    FrTetMesh mesh;
    FrSurface surface;
    FrBend *bend;
    FrRowBody body[2], before; ///< 0: the floor
    FrRow row[MOST];
    double modes[MOST][3 * 16], v[16];
    int32_t count;
    double A[MOST][MOST], b[MOST]; ///< S1's: u = A f + b
    double closing;                ///< fastest approach, m/s
} Fall;

static void make_fall(FrContext *ctx, int cells, int32_t contacts, uint64_t seed, Fall *f) {
    FrRandom r = fr_random_for(seed, "fall", 0);
    f->mesh = kit_box(ctx, fr_vec3(0.2, 0.2, 0.2), cells, cells, cells, 1);
    CHECK_OK(ctx, fr_tetmesh_surface(ctx, &f->mesh, &f->surface));
    FrMaterial m = kit_material(1000.0, 1e5, 0.3);
    FrBodyDef def = fr_body_def_default();
    def.mesh = &f->mesh;
    def.material = &m;
    def.material_count = 1;
    def.modes = 12;
    FrBendModes modes;
    CHECK_OK(ctx, fr_bend_modes_find(ctx, &def, &modes));
    FrBendDef bend = {
        .modes = &modes, .mesh = &f->mesh, .surface = &f->surface, .material = &m, .limit = 1.0};
    CHECK_OK(ctx, fr_bend_create(ctx, &bend, &f->bend));
    fr_bend_modes_free(ctx, &modes);
    double mass = 8.0, moment = mass * 0.04 / 6.0;
    f->body[0] = (FrRowBody){.inv_mass = 0.0};
    f->body[1] = (FrRowBody){.v = {fr_random_range(&r, -0.2, 0.2), 0.1, -1.0},
                             .w = {fr_random_range(&r, -3, 3), fr_random_range(&r, -3, 3), 1.0},
                             .inv_mass = 1.0 / mass,
                             .inv_inertia = {1 / moment, 1 / moment, 1 / moment, 0, 0, 0},
                             .mode_count = 12,
                             .mode = f->v};
    for (int k = 0; k < 12; k++) f->v[k] = fr_random_range(&r, -0.3, 0.3);
    f->count = contacts;
    for (int32_t k = 0; k < contacts; k++) {
        int32_t slot = (int32_t)((k * 17 + (int32_t)seed) % f->bend->outside);
        FrGrip grip = {{slot, -1, -1, -1}, {1, 0, 0, 0}};
        fr_bend_rows(f->bend, &grip, fr_mat3_identity, f->modes[k]);
        f->row[k] = (FrRow){.kind = FR_ROW_CONTACT,
                            .a = 1,
                            .axis = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
                            .ra = fr_get3(f->bend->rest, slot),
                            .mode_a = f->modes[k]};
    }
    fr_rows_prepare(f->body, f->row, f->count);
}

static void free_fall(FrContext *ctx, Fall *f) {
    fr_bend_destroy(f->bend);
    fr_surface_free(ctx, &f->surface);
    test_mesh_free(&f->mesh);
}

// the matrix by impulses of one, and what the points do without any
static void measure(Fall *f) {
    for (int32_t j = 0; j < f->count; j++) f->b[j] = fr_row_velocity(f->body, &f->row[j]).x;
    for (int32_t i = 0; i < f->count; i++) {
        fr_row_apply(f->body, &f->row[i], fr_vec3(1, 0, 0));
        for (int32_t j = 0; j < f->count; j++)
            f->A[j][i] = fr_row_velocity(f->body, &f->row[j]).x - f->b[j];
        fr_row_apply(f->body, &f->row[i], fr_vec3(-1, 0, 0));
    }
    f->closing = 0.0;
    for (int32_t j = 0; j < f->count; j++) f->closing = fr_max(f->closing, -f->b[j]);
}

// Gauss with pivots; false: singular
static bool solve(int n, double M[][MOST], double *x) {
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c; r < n; r++)
            if (fabs(M[r][c]) > fabs(M[best][c])) best = r;
        if (fabs(M[best][c]) < 1e-12) return false;
        for (int k = 0; k < n; k++) {
            double t = M[c][k];
            M[c][k] = M[best][k], M[best][k] = t;
        }
        double t = x[c];
        x[c] = x[best], x[best] = t;
        for (int r = c + 1; r < n; r++) {
            double by = M[r][c] / M[c][c];
            for (int k = c; k < n; k++) M[r][k] -= by * M[c][k];
            x[r] -= by * x[c];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) x[r] -= M[r][k] * x[k];
        x[r] /= M[r][r];
    }
    return true;
}

#define SLACK 1e-10

// 0 <= f  perp  A f + b >= 0 by trying which points push; impulses into `push`, speeds into `u`
static bool enumerate(const Fall *f, double *push, double *u) {
    for (uint32_t set = 0; set < 1u << f->count; set++) {
        static double M[MOST][MOST];
        double x[MOST];
        int at[MOST], n = 0;
        for (int k = 0; k < f->count; k++)
            if (set >> k & 1) at[n++] = k;
        for (int r = 0; r < n; r++) {
            for (int c = 0; c < n; c++) M[r][c] = f->A[at[r]][at[c]];
            x[r] = -f->b[at[r]];
        }
        if (!solve(n, M, x)) continue;
        bool good = true;
        memset(push, 0, sizeof(double) * (size_t)f->count);
        for (int r = 0; r < n; r++) good = good && x[r] >= -SLACK, push[at[r]] = x[r];
        for (int j = 0; j < f->count; j++) {
            u[j] = f->b[j];
            for (int r = 0; r < n; r++) u[j] += f->A[j][at[r]] * x[r];
            good = good && u[j] >= -SLACK;
        }
        if (good) return true;
    }
    return false;
}

// S1's program: the least sum of pushes with A f + b >= 0, f >= 0. Its answer is a corner: n of the
// 2 n bounds hold.
static double program(const Fall *f, double *best_push) {
    int n = f->count;
    double best = HUGE_VAL;
    for (uint32_t set = 0; set < 1u << 2 * n; set++) {
        if (__builtin_popcount(set) != n) continue;
        static double M[MOST][MOST];
        double x[MOST];
        int row = 0;
        for (int k = 0; k < 2 * n; k++) {
            if (!(set >> k & 1)) continue;
            for (int c = 0; c < n; c++) M[row][c] = k < n ? c == k : f->A[k - n][c];
            x[row++] = k < n ? 0.0 : -f->b[k - n];
        }
        if (!solve(n, M, x)) continue;
        double sum = 0.0;
        bool good = true;
        for (int k = 0; k < n; k++) good = good && x[k] >= -SLACK, sum += x[k];
        for (int j = 0; j < n && good; j++) {
            double u = f->b[j];
            for (int c = 0; c < n; c++) u += f->A[j][c] * x[c];
            good = u >= -SLACK;
        }
        if (good && sum < best) best = sum, memcpy(best_push, x, sizeof *x * (size_t)n);
    }
    return best;
}

// rows find what trying all sets finds; S1's linear program needs no more push than that
TEST(contact_is_complementary_as_by_trying_all_sets) {
    FrContext *ctx = make_modal_context(1);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        static Fall f;
        double push[MOST], u[MOST], least[MOST], sum = 0.0;
        make_fall(ctx, 2, 7, seed, &f);
        measure(&f);
        CHECK(f.closing > 0.5);
        CHECK(enumerate(&f, push, u));
        FrRowsReport report = fr_rows_solve(f.body, f.row, f.count, 4000, 1e-13);
        CHECK(report.end == FR_ROWS_CONVERGED);
        for (int k = 0; k < f.count; k++) {
            double now = fr_row_velocity(f.body, &f.row[k]).x;
            CHECK(fabs(now - u[k]) < 1e-9 * f.closing); // solver: 1e-13 a sweep, slowly
            CHECK(f.row[k].lambda[0] >= 0.0);
            CHECK(f.row[k].lambda[0] * f.A[k][k] < 1e-8 * f.closing ||
                  now < 1e-8 * f.closing); // solver: as above
            sum += push[k];
        }
        double bound = program(&f, least);
        CHECK(bound <= sum + 1e-9); // rounding: what complements is allowed by the program
        free_fall(ctx, &f);
    }
    fr_context_destroy(ctx);
}

// what is left of 0 <= f  perp  u >= 0, over the closing speed
static double left_over(const Fall *f) {
    double worst = 0.0;
    for (int k = 0; k < f->count; k++) {
        double now = fr_row_velocity(f->body, &f->row[k]).x;
        worst = fr_max(worst, -now);
        if (f->row[k].lambda[0] * f->A[k][k] > 1e-8 * f->closing) worst = fr_max(worst, now);
    }
    return worst / f->closing;
}

static double energy(const Fall *f) {
    const FrRowBody *b = &f->body[1];
    double sum = fr_length2(b->v) / b->inv_mass + fr_length2(b->w) / b->inv_inertia.xx;
    for (int k = 0; k < 12; k++) sum += f->v[k] * f->v[k];
    return 0.5 * sum;
}

// Fifty points of one body with 18 ways to move: as many sweeps as many rows get leave a hundredth
// of the closing speed, and more come nearer, slowly. Energy never rises on the way.
TEST(fifty_points_at_once) {
    FrContext *ctx = make_modal_context(1);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        static Fall f;
        double left[2], last;
        make_fall(ctx, 3, 50, seed, &f);
        measure(&f);
        last = energy(&f);
        for (int k = 0; k < 2; k++) {
            static const int sweeps[2] = {100, 19900};
            if (k)
                fr_rows_go_on(f.body, f.row, f.count, sweeps[k], 1e-13);
            else
                fr_rows_solve(f.body, f.row, f.count, sweeps[k], 1e-13);
            left[k] = left_over(&f);
            CHECK(energy(&f) <= last * (1.0 + 1e-12)); // rounding
            last = energy(&f);
        }
        printf("  of the closing speed: %.2g after 100 sweeps, %.2g after 20000\n", left[0],
               left[1]);
        CHECK(left[0] < 0.01 && left[1] < 5e-5); // solver: sweeps
        free_fall(ctx, &f);
    }
    fr_context_destroy(ctx);
}

// --- all modes kept

#define UNKNOWNS 54 ///< 18 nodes

// dense matrices from blocks
static void dense(FrContext *ctx, const FrBlockMatrix *from, double *to, int n) {
    for (int32_t i = 0; i < n; i++) {
        double x[UNKNOWNS] = {0}, y[UNKNOWNS] = {0};
        x[i] = 1.0;
        fr_block_matrix_apply(ctx, from, x, y, 1);
        for (int32_t j = 0; j < n; j++) to[j * n + i] = y[j];
    }
}

// x'' = -M^-1 K x by its power series in short steps
static void swing(const double *MK, int n, double t, double *x, double *v) {
    const int steps = 400;
    double h = t / steps;
    for (int s = 0; s < steps; s++) {
        double a[UNKNOWNS], b[UNKNOWNS], nx[UNKNOWNS], nv[UNKNOWNS];
        memcpy(a, x, sizeof a), memcpy(b, v, sizeof b);
        memcpy(nx, x, sizeof a), memcpy(nv, v, sizeof b);
        double factor = 1.0;
        for (int k = 1; k <= 24; k++) {
            double da[UNKNOWNS], db[UNKNOWNS];
            for (int i = 0; i < n; i++) {
                da[i] = b[i], db[i] = 0.0;
                for (int j = 0; j < n; j++) db[i] -= MK[i * n + j] * a[j];
            }
            factor *= h / k;
            for (int i = 0; i < n; i++) nx[i] += factor * da[i], nv[i] += factor * db[i];
            memcpy(a, da, sizeof a), memcpy(b, db, sizeof b);
        }
        memcpy(x, nx, sizeof a), memcpy(v, nv, sizeof b);
    }
}

// The decoupled system is no approximation of the linear one: an impulse at one node, and where all
// nodes are after a while [S1 s. 3.1]. Initial state from velocities by W^-1 = W' M (E35).
TEST(all_modes_kept_are_linear_fem) {
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.2, 0.1, 0.1), 2, 1, 2, 1);
    FrMaterial m = kit_material(1000.0, 1e5, 0.3);
    FrMatrices mat;
    FrMatricesDef def = {.mesh = &mesh, .material = &m, .material_count = 1};
    CHECK_OK(ctx, fr_matrices_assemble(ctx, &def, &mat));
    int n = 3 * mesh.node_count;
    CHECK_INT(n, UNKNOWNS);
    FrModalDef what = {.mesh = &mesh, .material = &m, .material_count = 1, .count = n - 6};
    FrModes modes;
    CHECK_OK(ctx, fr_modes_compute(ctx, &what, &modes, NULL));
    CHECK_INT(modes.mode_count, n - 6);
    static double M[UNKNOWNS * UNKNOWNS], K[UNKNOWNS * UNKNOWNS], MK[UNKNOWNS * UNKNOWNS];
    dense(ctx, &mat.M, M, n);
    dense(ctx, &mat.K, K, n);
    for (int c = 0; c < n; c++) { // M^-1 K, column by column
        static double A[MOST][MOST];
        double x[MOST];
        for (int r = 0; r < n; r++) {
            x[r] = K[r * n + c];
            for (int k = 0; k < n; k++) A[r][k] = M[r * n + k];
        }
        CHECK(solve(n, A, x));
        for (int r = 0; r < n; r++) MK[r * n + c] = x[r];
    }
    // a velocity without rigid motion: that of random modes, at nodes
    FrRandom r = fr_random_for(3, "swing", 0);
    double x[UNKNOWNS] = {0}, v[UNKNOWNS] = {0}, by[UNKNOWNS] = {0}, size = 0.0;
    for (int k = 0; k < modes.mode_count; k++) {
        double some = fr_random_range(&r, -1, 1);
        for (int i = 0; i < n; i++) v[i] += some * modes.shape[k * n + i];
    }
    const double t = 0.05;
    for (int k = 0; k < modes.mode_count; k++) {
        const double *w = modes.shape + k * n;
        double zdot = 0.0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) zdot += w[i] * M[i * n + j] * v[j];
        double z = fr_mode_step(modes.lambda[k], 0.0, t).zv * zdot;
        for (int i = 0; i < n; i++) by[i] += z * w[i];
    }
    swing(MK, n, t, x, v);
    double off = 0.0;
    for (int i = 0; i < n; i++)
        off = fr_max(off, fabs(x[i] - by[i])), size = fr_max(size, fabs(x[i]));
    printf("  %d modes against the power series after %g s: off by %.2g of %.3g m\n",
           modes.mode_count, t, off, size);
    CHECK(off < 1e-9 * size); // rounding: of the power series
    fr_modes_free(ctx, &modes);
    fr_matrices_free(ctx, &mat);
    test_mesh_free(&mesh);
    fr_context_destroy(ctx);
}
