// compute.c: from a mesh and its materials to modes: check, assemble, solve, fix signs [M14].

#include "modal/compute.h"
#include "base/clock.h"
#include "fem/matrices.h"
#include "material/laws.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "modal/rigid_modes.h"
#include <string.h>

// components this near to the largest count as equal to it, so that rounding does not pick the sign
#define EQUAL 1e-6
// eigenvalues this near to each other (relative) are one, and their shapes a matter of choice
#define ALIKE 1e-9
// Poisson's ratio from which tets are too stiff to be believed
#define LOCKS 0.495
// more nodes than this are hopeless: stiffness and a basis of 300 vectors take 10 GB, and factors
// are larger for all but rods
#define MOST_NODES 1000000

void fr_modes_free(FrContext *ctx, FrModes *modes) {
    fr_free(ctx, modes->lambda);
    fr_free(ctx, modes->shape);
    *modes = (FrModes){0};
}

FrModesScale fr_modes_scale(const FrMaterial *m) {
    FrModesScale scale = {m->anisotropic ? m->C[0][0] : fr_young(m->lambda, m->mu), m->density};
    return scale;
}

FrMaterial fr_modes_unit_material(const FrMaterial *m, FrModesScale scale) {
    FrMaterial unit = *m;
    unit.density = m->density / scale.density;
    if (m->anisotropic) {
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) unit.C[i][j] = m->C[i][j] / scale.young;
    } else {
        unit.lambda = m->lambda / scale.young;
        unit.mu = m->mu / scale.young;
    }
    return unit;
}

typedef struct Compute {
    FrContext *ctx;
    const FrBackend *backend;
    const FrModalDef *def;
    FrModesReport *report;
    FrModesScale scale;
    FrMaterial *unit; ///< materials for E = rho = 1
    FrMatrices matrices;
    FrRigidMotions rigid;
    FrEigenPairs pairs;
} Compute;

static FrResult check(Compute *c) {
    const FrModalDef *def = c->def;
    if (!(def->max_hz > 0.0) && def->count <= 0)
        return fr_fail(c->ctx, FR_BAD_USE, "say up to which frequency or how many modes");
    if (def->mesh->tet_count == 0) return fr_fail(c->ctx, FR_BAD_INPUT, "the mesh has no tets");
    if (def->mesh->node_count > MOST_NODES)
        return fr_fail(c->ctx, FR_BAD_INPUT,
                       "%d nodes are too many for modes, the limit is %d: use larger tets",
                       def->mesh->node_count, MOST_NODES);
    if (def->material_count < 1) return fr_fail(c->ctx, FR_BAD_USE, "no material was given");
    for (int32_t k = 0; k < def->material_count; k++) {
        const FrMaterial *m = &def->material[k];
        FR_TRY(fr_material_check(c->ctx, m));
        double poisson = fr_poisson(m->lambda, m->mu);
        if (!m->anisotropic && poisson > LOCKS)
            fr_log(c->ctx, FR_LOG_WARNING,
                   "material \"%s\": tets lock at a Poisson's ratio of %.6g; frequencies come out "
                   "too high",
                   m->name, poisson);
    }
    return fr_tetmesh_check(c->ctx, def->mesh, NULL);
}

static FrResult assemble(Compute *c) {
    const FrModalDef *def = c->def;
    double begun = fr_wall_seconds();
    c->unit = FR_NEW(c->ctx, FrMaterial, def->material_count);
    if (!c->unit) return fr_no_memory(c->ctx, "materials");
    c->scale = fr_modes_scale(&def->material[0]);
    for (int32_t k = 0; k < def->material_count; k++)
        c->unit[k] = fr_modes_unit_material(&def->material[k], c->scale);
    FrMatricesDef matrices = {def->mesh, c->unit, def->material_count, def->lumped, def->held};
    FR_TRY(fr_matrices_assemble(c->ctx, &matrices, &c->matrices));
    FR_TRY(fr_rigid_motions(c->ctx, def->mesh, def->held, &c->matrices, def->parts, &c->rigid));
    c->report->unknowns = 3 * c->matrices.node_count;
    c->report->parts = c->rigid.parts;
    c->report->assemble_seconds = fr_wall_seconds() - begun;
    return FR_OK;
}

// K x = lambda M x with x' M x = 1: the columns of L^-T V, M = L L'                    [S4 eq. 5]
// Departs from the paper: no L of the mass is made (S4 needs a lumped mass where M is large), and
// S1 3.1 has the sign of lambda wrong (E30).
static FrResult solve(Compute *c) {
    double omega = 2.0 * FR_PI * c->def->max_hz;
    FrEigenProblem problem = {.K = &c->matrices.K,
                              .M = &c->matrices.M,
                              .rigid = c->rigid.R,
                              .rigid_count = c->rigid.count,
                              .count = c->def->count,
                              .limit = omega * omega * (c->scale.density / c->scale.young)};
    return c->backend->eigen(c->ctx, &problem, &c->pairs, &c->report->eigen);
}

// the largest component, the first of those that are nearly as large, is positive
static double sign_of(const double *x, int32_t size) {
    double most = 0.0;
    for (int32_t i = 0; i < size; i++) most = fr_max(most, fabs(x[i]));
    for (int32_t i = 0; i < size; i++)
        if (fabs(x[i]) >= (1.0 - EQUAL) * most) return x[i] < 0.0 ? -1.0 : 1.0;
    return 1.0;
}

// the row at which columns [k, count) move most, the first of those that are nearly as large
static int32_t largest_row(const double *X, int32_t size, int32_t k, int32_t count) {
    double most = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < size; i++) {
            double sum = 0.0;
            for (int32_t c = k; c < count; c++) {
                double x = X[(size_t)c * (size_t)size + (size_t)i];
                sum += x * x;
            }
            if (pass == 0) most = fr_max(most, sum);
            if (pass == 1 && sum >= (1.0 - EQUAL) * most) return i;
        }
    return 0;
}

// columns [k, count) turned into each other so that only the first of them moves at a row: a
// reflection, which keeps them orthonormal
static void gather_at(double *X, int32_t size, int32_t k, int32_t count, int32_t row) {
    double length2 = 0.0, norm2 = 0.0;
    for (int32_t c = k; c < count; c++) {
        double x = X[(size_t)c * (size_t)size + (size_t)row];
        length2 += x * x;
    }
    double head = X[(size_t)k * (size_t)size + (size_t)row], length = sqrt(length2);
    double first = head + (head < 0.0 ? -length : length);
    norm2 = length2 - head * head + first * first;
    for (int32_t i = 0; i < size && norm2 > 0.0; i++) {
        if (i == row) continue; // the others need it as it was
        double sum = 0.0;
        for (int32_t c = k; c < count; c++)
            sum += (c == k ? first : X[(size_t)c * (size_t)size + (size_t)row]) *
                   X[(size_t)c * (size_t)size + (size_t)i];
        for (int32_t c = k; c < count; c++)
            X[(size_t)c * (size_t)size + (size_t)i] -=
                2.0 / norm2 * sum * (c == k ? first : X[(size_t)c * (size_t)size + (size_t)row]);
    }
    for (int32_t c = k; c < count; c++) // the head becomes +-length
        X[(size_t)c * (size_t)size + (size_t)row] = c > k ? 0.0 : head < 0.0 ? length : -length;
}

// Shapes of one eigenvalue can be mixed at will, and a solver's mixture hangs on rounding: the
// first takes all of where they move most, the next all of where the rest do.
static void settle_clusters(FrEigenPairs *pairs) {
    for (int32_t first = 0, end; first < pairs->count; first = end) {
        double *X = pairs->X + (size_t)first * (size_t)pairs->size;
        end = first + 1;
        while (end < pairs->count &&
               pairs->lambda[end] - pairs->lambda[end - 1] <= ALIKE * pairs->lambda[end])
            end++;
        for (int32_t k = 0; k + 1 < end - first; k++)
            gather_at(X, pairs->size, k, end - first, largest_row(X, pairs->size, k, end - first));
    }
}

// to all nodes of the mesh, and from E = rho = 1 to what it is: lambda E / rho, shapes rho^-1/2
// (E38)
static FrResult take(Compute *c, FrModes *modes) {
    int32_t count = c->pairs.count, size = c->pairs.size;
    size_t stride = 3 * (size_t)c->def->mesh->node_count;
    modes->node_count = c->def->mesh->node_count;
    modes->rigid_count = c->rigid.count;
    modes->lambda = FR_NEW(c->ctx, double, count);
    modes->shape = FR_NEW(c->ctx, double, stride *(size_t)count);
    if (!modes->lambda || !modes->shape) return fr_no_memory(c->ctx, "modes");
    modes->mode_count = count;
    settle_clusters(&c->pairs);
    for (int32_t i = 0; i < count; i++) {
        const double *x = c->pairs.X + (size_t)i * (size_t)size;
        double *to = modes->shape + stride * (size_t)i, sign = sign_of(x, size);
        modes->lambda[i] = c->pairs.lambda[i];
        for (int32_t n = 0; n < c->matrices.node_count; n++)
            fr_set3(to, c->matrices.node[n], fr_scale(sign, fr_get3(x, n)));
    }
    fr_modes_rescale(modes, (FrRescale){c->scale.young, c->scale.density, 1.0});
    return FR_OK;
}

static FrResult run(Compute *c, FrModes *modes) {
    FR_TRY(check(c));
    FR_TRY(fr_backend_of(c->ctx, "modes", &c->backend));
    FR_TRY(assemble(c));
    FR_TRY(solve(c));
    return take(c, modes);
}

FrResult fr_modes_compute(FrContext *ctx, const FrModalDef *def, FrModes *modes,
                          FrModesReport *report) {
    FrModesReport own;
    Compute c = {.ctx = ctx, .def = def, .report = report ? report : &own};
    *modes = (FrModes){0};
    *c.report = (FrModesReport){0};
    FrResult result = run(&c, modes);
    fr_eigen_pairs_free(ctx, &c.pairs);
    fr_rigid_motions_free(ctx, &c.rigid);
    fr_matrices_free(ctx, &c.matrices);
    fr_free(ctx, c.unit);
    if (result != FR_OK) fr_modes_free(ctx, modes);
    return result;
}
