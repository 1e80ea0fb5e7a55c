// asset_make.c: from modes and a mesh to a cooked body: couplings to the air, modes by how much is
// heard of them.

#include "base/array.h"
#include "math/vec.h"
#include "mesh/order2.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "sound/asset.h"
#include "sound/heard.h"
#include "modal/oscillator.h"
#include <math.h>
#include <string.h>
#include <stdlib.h>

#define LOWEST_HZ 20.0
#define HIGHEST_HZ 20000.0
#define MOST_MODES 1000

/// A mode that is kept.
typedef struct Kept {
    int32_t mode;              ///< of FrModes
    double coupling, loudness; ///< see fr_heard_shares
} Kept;

typedef struct Maker {
    FrContext *ctx;
    const FrTetMesh *mesh;
    const FrModes *modes;
    const FrMaterial *material;
    FrAssetOptions options;
    FrSurface surface;
    double *coupling;            ///< of each mode of FrModes
    int32_t *vertex;             ///< of each node, -1: inside (node_count)
    FR_ARRAY(FrHeardMode) heard; ///< in the band
    FR_ARRAY(Kept) kept;         ///< of these; in the end the loudest
} Maker;

static FrVec3 area_vector(const Maker *m, const int32_t *n) {
    FrVec3 a = fr_get3(m->mesh->x, n[0]);
    return fr_scale(
        0.5, fr_cross(fr_sub(fr_get3(m->mesh->x, n[1]), a), fr_sub(fr_get3(m->mesh->x, n[2]), a)));
}

static int by_loudness(const void *a, const void *b) {
    const Kept *x = a, *y = b;
    if (x->loudness != y->loudness) return x->loudness > y->loudness ? -1 : 1;
    return x->mode < y->mode ? -1 : x->mode > y->mode;
}

// in the band and with a tone (E36 puts the band right)
static FrResult gather(Maker *m) {
    for (int32_t i = 0; i < m->modes->mode_count; i++) {
        double lambda = m->modes->lambda[i];
        FrHeardMode mode = {lambda, fr_mode_damping(m->material, lambda, sqrt(lambda)),
                            m->coupling[i]};
        double hz = fr_mode_omega(lambda, mode.damping) / (2.0 * M_PI);
        if (!(hz >= m->options.lowest && hz <= m->options.highest)) continue;
        if (!isfinite(mode.coupling))
            return fr_fail(m->ctx, FR_NUMERICAL, "mode %d has a shape that is not finite", i);
        if (!fr_array_push(m->ctx, &m->heard, mode)) return fr_no_memory(m->ctx, "modes");
        Kept kept = {i, mode.coupling, 0.0};
        if (!fr_array_push(m->ctx, &m->kept, kept)) return fr_no_memory(m->ctx, "modes");
    }
    return FR_OK;
}

// those of which most is heard, by whatever mallet
static FrResult choose(Maker *m, const FrAssetInfo *info) {
    FR_TRY(gather(m));
    int32_t count = m->kept.count;
    if (count == 0) return FR_OK;
    double *share = FR_NEW(m->ctx, double, count);
    if (!share) return fr_no_memory(m->ctx, "modes");
    fr_heard_shares(info, m->heard.data, count, share);
    for (int32_t k = 0; k < count; k++) m->kept.data[k].loudness = share[k];
    fr_free(m->ctx, share);
    qsort(m->kept.data, (size_t)count, sizeof *m->kept.data, by_loudness);
    m->kept.count = fr_min_i(count, m->options.most_modes);
    return FR_OK;
}

// corner nodes of the surface get numbers in their order
static FrResult number_vertices(Maker *m, int32_t *count) {
    m->vertex = FR_NEW(m->ctx, int32_t, m->mesh->node_count);
    if (!m->vertex) return fr_no_memory(m->ctx, "surface points");
    for (int32_t t = 0; t < m->surface.tri_count; t++)
        for (int k = 0; k < 3; k++) m->vertex[m->surface.tri[t][k]] = 1;
    *count = 0;
    for (int32_t n = 0; n < m->mesh->node_count; n++) m->vertex[n] = m->vertex[n] ? (*count)++ : -1;
    return FR_OK;
}

// all but the count of modes
static FrAssetInfo describe(const Maker *m, int32_t vertex_count) {
    const FrMaterial *mat = m->material;
    FrAssetInfo info = {.density = mat->density,
                        .alpha1 = mat->alpha1,
                        .alpha2 = mat->alpha2,
                        .eta = mat->eta,
                        .vertex_count = vertex_count,
                        .tri_count = m->surface.tri_count,
                        .bounds = fr_tetmesh_bounds(m->mesh)};
    memcpy(info.name, mat->name, sizeof info.name);
    info.name[sizeof info.name - 1] = 0;
    info.young = mat->mu * (3.0 * mat->lambda + 2.0 * mat->mu) / (mat->lambda + mat->mu);
    info.poisson = 0.5 * mat->lambda / (mat->lambda + mat->mu);
    for (int32_t e = 0; e < m->mesh->tet_count; e++) {
        double volume = fr_tet_volume(m->mesh, e);
        FrVec3 sum = fr_vec3_zero;
        for (int k = 0; k < 4; k++)
            sum = fr_axpy(0.25, fr_get3(m->mesh->x, m->mesh->tet[e][k]), sum);
        info.volume += volume;
        info.centre = fr_axpy(volume, sum, info.centre);
    }
    info.centre = fr_scale(1.0 / info.volume, info.centre);
    if (m->mesh->order == 2) info.volume = fr_order2_volume(m->mesh); // sides may be curved
    info.mass = info.density * info.volume;
    for (int32_t t = 0; t < m->surface.tri_count; t++)
        info.area += fr_length(area_vector(m, m->surface.tri[t]));
    return info;
}

static void fill(const Maker *m, FrAsset *a) {
    for (int32_t i = 0; i < m->kept.count; i++) {
        a->lambda[i] = m->modes->lambda[m->kept.data[i].mode];
        a->coupling[i] = m->kept.data[i].coupling;
        a->made_of[i] = m->kept.data[i].mode;
    }
    for (int32_t t = 0; t < m->surface.tri_count; t++)
        for (int k = 0; k < 3; k++) a->tri[t][k] = m->vertex[m->surface.tri[t][k]];
    for (int32_t n = 0; n < m->mesh->node_count; n++) {
        if (m->vertex[n] < 0) continue;
        size_t v = (size_t)m->vertex[n], at = 3 * v * (size_t)m->kept.count;
        for (int k = 0; k < 3; k++)
            a->x[3 * v + (size_t)k] = (float)m->mesh->x[3 * (size_t)n + (size_t)k];
        for (int32_t i = 0; i < m->kept.count; i++) {
            size_t from =
                3 * ((size_t)m->kept.data[i].mode * (size_t)m->modes->node_count + (size_t)n);
            for (int k = 0; k < 3; k++) a->shape[at++] = (float)m->modes->shape[from + (size_t)k];
        }
    }
}

static FrResult make(Maker *m, FrAsset **asset) {
    int32_t vertex_count = 0;
    FR_TRY(fr_tetmesh_surface(m->ctx, m->mesh, &m->surface));
    m->coupling = FR_NEW(m->ctx, double, m->modes->mode_count);
    if (!m->coupling) return fr_no_memory(m->ctx, "couplings");
    if (m->modes->mode_count > 0)
        FR_TRY(fr_modes_couplings(m->ctx, m->mesh, m->modes, m->coupling));
    FR_TRY(number_vertices(m, &vertex_count));
    FrAssetInfo info = describe(m, vertex_count);
    FR_TRY(choose(m, &info));
    info.mode_count = m->kept.count;
    FR_TRY(fr_asset_alloc(m->ctx, &info, asset));
    fill(m, *asset);
    fr_asset_balls(*asset);
    fr_asset_places(*asset);
    return FR_OK;
}

FrResult fr_asset_make(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                       const FrMaterial *material, const FrAssetOptions *options, FrAsset **asset) {
    Maker m = {.ctx = ctx, .mesh = mesh, .modes = modes, .material = material};
    if (options) m.options = *options;
    if (!(m.options.lowest > 0.0)) m.options.lowest = LOWEST_HZ;
    if (!(m.options.highest > 0.0)) m.options.highest = HIGHEST_HZ;
    if (m.options.most_modes <= 0) m.options.most_modes = MOST_MODES;
    *asset = NULL;
    FR_ASSERT_IN(ctx, modes->node_count == mesh->node_count || modes->mode_count == 0,
                 "give modes of this mesh");
    FrResult result = make(&m, asset);
    fr_surface_free(ctx, &m.surface);
    fr_free(ctx, m.coupling);
    fr_array_free(ctx, &m.heard);
    fr_array_free(ctx, &m.kept);
    fr_free(ctx, m.vertex);
    return result;
}
