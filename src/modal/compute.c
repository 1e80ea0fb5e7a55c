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

void fr_modal_system_free(FrContext *ctx, FrModalSystem *system) {
    fr_rigid_motions_free(ctx, &system->rigid);
    fr_matrices_free(ctx, &system->matrices);
    *system = (FrModalSystem){0};
}

typedef struct Compute {
    FrContext *ctx;
    const FrModalDef *def;
    const FrModalSystem *system;
    FrModesReport *report;
    FrEigenPairs pairs;
} Compute;

static FrResult check(FrContext *ctx, const FrModalDef *def) {
    if (!(def->max_hz > 0.0) && def->count <= 0)
        return fr_fail(ctx, FR_BAD_USE, "say up to which frequency or how many modes");
    if (def->mesh->tet_count == 0) return fr_fail(ctx, FR_BAD_INPUT, "the mesh has no tets");
    if (def->mesh->node_count > MOST_NODES)
        return fr_fail(ctx, FR_BAD_INPUT,
                       "%d nodes are too many for modes, the limit is %d: use larger tets",
                       def->mesh->node_count, MOST_NODES);
    if (def->material_count < 1) return fr_fail(ctx, FR_BAD_USE, "no material was given");
    for (int32_t k = 0; k < def->material_count; k++) {
        const FrMaterial *m = &def->material[k];
        FR_TRY(fr_material_check(ctx, m));
        double poisson = fr_poisson(m->lambda, m->mu);
        if (!m->anisotropic && poisson > LOCKS)
            fr_log(ctx, FR_LOG_WARNING,
                   "material \"%s\": tets lock at a Poisson's ratio of %.6g; frequencies come out "
                   "too high",
                   m->name, poisson);
    }
    return fr_tetmesh_check(ctx, def->mesh, NULL);
}

static FrResult assemble(FrContext *ctx, const FrModalDef *def, FrMaterial *unit,
                         FrModalSystem *system) {
    if (!unit) return fr_no_memory(ctx, "materials");
    system->scale = fr_modes_scale(&def->material[0]);
    for (int32_t k = 0; k < def->material_count; k++)
        unit[k] = fr_modes_unit_material(&def->material[k], system->scale);
    FrMatricesDef matrices = {def->mesh, unit, def->material_count, def->lumped, def->held};
    FR_TRY(fr_matrices_assemble(ctx, &matrices, &system->matrices));
    return fr_rigid_motions(ctx, def->mesh, def->held, &system->matrices, def->parts,
                            &system->rigid);
}

FrResult fr_modal_system(FrContext *ctx, const FrModalDef *def, FrModalSystem *system,
                         FrModesReport *report) {
    double begun = fr_wall_seconds();
    const FrBackend *backend;
    *system = (FrModalSystem){0};
    FR_TRY(check(ctx, def));
    FR_TRY(fr_backend_of(ctx, "modes", &backend)); // before the work
    FrMaterial *unit = FR_NEW(ctx, FrMaterial, def->material_count);
    FrResult result = assemble(ctx, def, unit, system);
    fr_free(ctx, unit);
    report->unknowns = 3 * system->matrices.node_count;
    report->parts = system->rigid.parts;
    report->assemble_seconds = fr_wall_seconds() - begun;
    if (result != FR_OK) fr_modal_system_free(ctx, system);
    return result;
}

// K x = lambda M x with x' M x = 1: the columns of L^-T V, M = L L'        [S4 eq. 4] [S4 eq. 5]
// Departs from the paper: no L of the mass is made (S4 needs a lumped mass where M is large), and
// S1 3.1 has the sign of lambda wrong (E30).
static FrResult solve(Compute *c) {
    const FrBackend *backend;
    FR_TRY(fr_backend_of(c->ctx, "modes", &backend));
    double omega = 2.0 * FR_PI * c->def->max_hz;
    FrModesScale scale = c->system->scale;
    FrEigenProblem problem = {.K = &c->system->matrices.K,
                              .M = &c->system->matrices.M,
                              .rigid = c->system->rigid.R,
                              .rigid_count = c->system->rigid.count,
                              .count = c->def->count,
                              .limit = omega * omega * (scale.density / scale.young),
                              .unproved = c->def->unproved,
                              .factor = c->def->factor};
    return backend->eigen(c->ctx, &problem, &c->pairs, &c->report->eigen);
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
    FrModesScale scale = c->system->scale;
    size_t stride = 3 * (size_t)c->def->mesh->node_count;
    modes->node_count = c->def->mesh->node_count;
    modes->rigid_count = c->system->rigid.count;
    modes->lambda = FR_NEW(c->ctx, double, count);
    modes->shape = FR_NEW(c->ctx, double, stride *(size_t)count);
    if (!modes->lambda || !modes->shape) return fr_no_memory(c->ctx, "modes");
    modes->mode_count = count;
    settle_clusters(&c->pairs);
    for (int32_t i = 0; i < count; i++) {
        const double *x = c->pairs.X + (size_t)i * (size_t)size;
        double *to = modes->shape + stride * (size_t)i, sign = sign_of(x, size);
        modes->lambda[i] = c->pairs.lambda[i];
        for (int32_t n = 0; n < c->system->matrices.node_count; n++)
            fr_set3(to, c->system->matrices.node[n], fr_scale(sign, fr_get3(x, n)));
    }
    fr_modes_rescale(modes, (FrRescale){scale.young, scale.density, 1.0});
    return FR_OK;
}

FrResult fr_modal_system_modes(FrContext *ctx, const FrModalDef *def, const FrModalSystem *system,
                               FrModes *modes, FrModesReport *report) {
    Compute c = {.ctx = ctx, .def = def, .system = system, .report = report};
    *modes = (FrModes){0};
    FrResult result = solve(&c);
    if (result == FR_OK) result = take(&c, modes);
    fr_eigen_pairs_free(ctx, &c.pairs);
    if (result != FR_OK) fr_modes_free(ctx, modes);
    return result;
}

FrResult fr_modes_compute(FrContext *ctx, const FrModalDef *def, FrModes *modes,
                          FrModesReport *report) {
    FrModesReport own;
    FrModalSystem system = {0};
    if (!report) report = &own;
    *modes = (FrModes){0};
    *report = (FrModesReport){0};
    FrResult result = fr_modal_system(ctx, def, &system, report);
    if (result == FR_OK) result = fr_modal_system_modes(ctx, def, &system, modes, report);
    fr_modal_system_free(ctx, &system);
    return result;
}
