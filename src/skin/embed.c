// embed.c: a fine surface carried by a coarse tet mesh.

#include "skin/embed.h"
#include "mesh/locate.h"
#include "base/table.h"
#include "base/hash.h"
#include "base/tasks.h"
#include <string.h>

void fr_embedded_free(FrContext *ctx, FrEmbedded *embedded) {
    if (!ctx || !embedded) return;
    FR_FREE_ALL(ctx, embedded->at, embedded->normal, embedded->uv, embedded->tri, embedded->piece,
                embedded->opened);
    *embedded = (FrEmbedded){0};
}

static FrResult check(FrContext *ctx, const FrTriMesh *s) {
    for (int32_t k = 0; k < s->point_count; k++)
        if (!fr_vec3_finite(fr_get3(s->p, k)))
            return fr_fail(ctx, FR_BAD_INPUT, "surface point %d is not finite", k);
    for (int32_t t = 0; t < s->tri_count; t++)
        for (int j = 0; j < 3; j++)
            if (s->tri[t][j] < 0 || s->tri[t][j] >= s->point_count)
                return fr_fail(ctx, FR_BAD_INPUT, "triangle %d: point %d, allowed 0 to %d", t,
                               s->tri[t][j], s->point_count - 1);
    return FR_OK;
}

static FrResult allocate(FrContext *ctx, bool normal, bool uv, FrEmbedded *e) {
    e->at = FR_NEW(ctx, FrPoint, e->point_count);
    e->tri = fr_alloc_zero(ctx, (size_t)e->tri_count, sizeof *e->tri);
    if (normal) e->normal = fr_alloc_zero(ctx, (size_t)e->point_count, 3 * sizeof(double));
    if (uv) e->uv = fr_alloc_zero(ctx, (size_t)e->point_count, 2 * sizeof(double));
    if (e->at && e->tri && (!normal || e->normal) && (!uv || e->uv)) return FR_OK;
    return fr_no_memory(ctx, "an embedded surface");
}

typedef struct LocateRun {
    const FrLocator *locator;
    const double *point;
    FrPoint *at;
    double *distance;
} LocateRun;

static void locate_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    LocateRun *run = arg;
    for (int32_t k = begin; k < end; k++)
        run->at[k] = fr_locate(run->locator, fr_get3(run->point, k), &run->distance[k]);
}

static FrResult locate_all(FrContext *ctx, const FrTetMesh *mesh, const double *point,
                           FrEmbedded *e, FrEmbedReport *report) {
    FrLocator locator;
    FR_TRY(fr_locator_create(ctx, mesh, &locator));
    LocateRun run = {&locator, point, e->at, FR_NEW(ctx, double, e->point_count)};
    if (run.distance) fr_parallel_for(ctx, e->point_count, 256, locate_range, &run);
    for (int32_t k = 0; run.distance && k < e->point_count; k++) {
        report->outside_count += run.distance[k] > 0;
        if (run.distance[k] > report->worst) {
            report->worst = run.distance[k];
            report->worst_point = k;
        }
    }
    fr_locator_free(ctx, &locator);
    bool ok = run.distance != NULL;
    fr_free(ctx, run.distance);
    return ok ? FR_OK : fr_no_memory(ctx, "an embedded surface");
}

FrResult fr_embed(FrContext *ctx, const FrTetMesh *mesh, const FrTriMesh *surface,
                  FrEmbedded *embedded, FrEmbedReport *report) {
    int32_t point_count = surface->point_count, tri_count = surface->tri_count;
    const double *normal = surface->normal, *uv = surface->uv;
    FrEmbedReport own;
    if (!report) report = &own;
    *report = (FrEmbedReport){.worst_point = -1};
    *embedded = (FrEmbedded){.point_count = point_count, .tri_count = tri_count};
    FR_TRY(check(ctx, surface));
    FrResult result = allocate(ctx, normal != NULL, uv != NULL, embedded);
    if (result == FR_OK) result = locate_all(ctx, mesh, surface->p, embedded, report);
    if (result != FR_OK) {
        fr_embedded_free(ctx, embedded);
        return result;
    }
    if (tri_count) memcpy(embedded->tri, surface->tri, sizeof *embedded->tri * (size_t)tri_count);
    if (normal && point_count)
        memcpy(embedded->normal, normal, 3 * sizeof(double) * (size_t)point_count);
    if (uv && point_count) memcpy(embedded->uv, uv, 2 * sizeof(double) * (size_t)point_count);
    if (report->outside_count)
        fr_log(ctx, FR_LOG_DEBUG,
               "%d of %d surface points are outside the tet mesh, point %d by %.3g m: they follow "
               "the nearest tet",
               report->outside_count, point_count, report->worst_point, report->worst);
    return FR_OK;
}

// x = sum_i b_i p_i                                                  [S2 eq. 13] [S6 eq. 3.18]
FrVec3 fr_point_carried(const int32_t (*tet)[4], const FrPoint *at, const double *value) {
    const int32_t *n = tet[at->tet];
    FrVec3 sum = fr_vec3_zero;
    for (int i = 0; i < 4; i++) sum = fr_axpy(at->b[i], fr_get3(value, n[i]), sum);
    return sum;
}

static int32_t only_node(const FrTetMesh *mesh, const FrPoint *at) {
    int32_t node = -1;
    for (int i = 0; i < 4; i++) {
        if (at->b[i] == 1) node = mesh->tet[at->tet][i];
        if (at->b[i] != 1 && at->b[i] != 0) return -1;
    }
    return node;
}

bool fr_points_alike(const FrPoint *a, const FrPoint *b) {
    return a->tet == b->tet && !memcmp(a->b, b->b, sizeof a->b);
}

FrResult fr_embedded_places(FrContext *ctx, const FrTetMesh *mesh, const FrEmbedded *embedded,
                            int32_t *place) {
    FrTable table = {0};
    if (!fr_table_reserve(ctx, &table, embedded->point_count))
        return fr_no_memory(ctx, "an embedded surface");
    for (int32_t k = 0; k < embedded->point_count; k++) {
        const FrPoint *at = &embedded->at[k];
        FrHash hash;
        fr_hash_begin(&hash, 1);
        fr_hash_u64(&hash, (uint64_t)at->tet);
        fr_hash_bytes(&hash, at->b, sizeof at->b);
        int32_t first = fr_table_add(&table, fr_hash_end(&hash), k), node = only_node(mesh, at);
        place[k] = mesh->node_count + (fr_points_alike(at, &embedded->at[first]) ? first : k);
        if (node >= 0) place[k] = node;
    }
    fr_table_free(ctx, &table);
    return FR_OK;
}
