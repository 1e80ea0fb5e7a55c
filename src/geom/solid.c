// solid.c: from any triangle surface to a distance field with an inside.

#include "base/random.h"
#include "base/tasks.h"
#include "geom/solid_repair.h"

#define JOIN 1e-7        ///< of the size: points nearer than this are one
#define SAMPLES 20       ///< along each axis, to estimate the volume inside an open surface
#define THIN_CLOSED 1e-9 ///< of size^3: less volume inside a closed surface is none
#define THIN_OPEN 2e-3   ///< of area * size: less volume inside an open surface is none

struct FrSolid {
    FrTriMesh mesh;
    FrTriMesh given; ///< as it came, with normals or UVs; empty: it had none
    int32_t *joined; ///< the point of `mesh` that each given one became, -1: dropped
    FrTree tree;
    FrSolidReport report;
    double size; ///< diagonal of the bounds, m
    double area; ///< m^2
};

typedef struct VolumeRun {
    const FrSolid *solid;
    FrVec3 cell;
    int32_t inside[SAMPLES]; ///< samples of each layer
} VolumeRun;

// one layer of blocks, a random place in each
static void volume_layer(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    VolumeRun *run = arg;
    for (int32_t layer = begin; layer < end; layer++) {
        FrRandom random = fr_random_for(1, "volume", (uint64_t)layer);
        for (int32_t k = 0; k < SAMPLES * SAMPLES; k++) {
            FrVec3 at = {k % SAMPLES, k / SAMPLES, layer};
            at.x += fr_random_unit(&random);
            at.y += fr_random_unit(&random);
            at.z += fr_random_unit(&random);
            FrVec3 x = fr_add(run->solid->tree.bounds.lo,
                              fr_vec3(at.x * run->cell.x, at.y * run->cell.y, at.z * run->cell.z));
            run->inside[layer] += fabs(fr_solid_winding(run->solid, x)) > 0.5;
        }
    }
}

static double estimate_volume(FrContext *ctx, const FrSolid *solid) {
    FrVec3 size = fr_box_size(solid->tree.bounds);
    VolumeRun run = {.solid = solid, .cell = fr_scale(1.0 / SAMPLES, size)};
    int32_t inside = 0;
    fr_parallel_for(ctx, SAMPLES, 1, volume_layer, &run);
    for (int k = 0; k < SAMPLES; k++) inside += run.inside[k];
    return inside * run.cell.x * run.cell.y * run.cell.z;
}

static FrResult repair(FrContext *ctx, FrSolid *solid) {
    FrSolidReport *report = &solid->report;
    FrTriMesh *mesh = &solid->mesh;
    FrPatches patches = {0};
    int32_t turned = 0;
    FR_TRY(fr_trimesh_weld(ctx, mesh, JOIN * solid->size, solid->joined));
    FR_TRY(fr_trimesh_report(ctx, mesh, &report->before));
    FR_TRY(fr_repair_drop(ctx, mesh, &report->dropped_tris));
    if (!mesh->tri_count)
        return fr_fail(ctx, FR_BAD_INPUT, "the surface has no triangle with an area");
    FrResult result = fr_repair_patches(ctx, mesh, &patches, &report->flipped_tris);
    if (result == FR_OK) result = fr_tree_create(ctx, mesh, &solid->tree);
    if (result == FR_OK) {
        fr_tree_fill(ctx, &solid->tree, mesh);
        result = fr_repair_outwards(ctx, mesh, &patches, &solid->tree, &turned);
    }
    if (result == FR_OK && turned) fr_tree_fill(ctx, &solid->tree, mesh);
    report->flipped_tris += turned;
    report->patches = patches.count;
    fr_patches_free(ctx, &patches);
    return result;
}

static FrResult keep_looks(FrContext *ctx, const FrTriMesh *mesh, FrSolid *solid) {
    if (!mesh->uv && !mesh->normal) return FR_OK;
    solid->joined = FR_NEW(ctx, int32_t, mesh->point_count);
    if (!solid->joined) return fr_no_memory(ctx, "a solid");
    return fr_trimesh_copy(ctx, mesh, &solid->given);
}

static FrResult create(FrContext *ctx, const FrTriMesh *mesh, FrSolid *solid) {
    solid->size = fr_length(fr_box_size(fr_trimesh_bounds(mesh)));
    if (!mesh->tri_count || !isfinite(solid->size))
        return fr_fail(ctx, FR_BAD_INPUT, "the surface has no triangle with an area");
    FR_TRY(fr_trimesh_copy(ctx, mesh, &solid->mesh));
    FR_TRY(keep_looks(ctx, mesh, solid));
    FR_TRY(repair(ctx, solid));
    FR_TRY(fr_trimesh_report(ctx, &solid->mesh, &solid->report.after));
    solid->area = fr_trimesh_area(&solid->mesh);
    solid->report.volume = solid->report.after.closed ? fr_trimesh_props(&solid->mesh).volume
                                                      : estimate_volume(ctx, solid);
    return FR_OK;
}

FrResult fr_solid_create(FrContext *ctx, const FrTriMesh *mesh, FrSolid **out) {
    *out = NULL;
    FrSolid *solid = FR_NEW(ctx, FrSolid, 1);
    if (!solid) return fr_no_memory(ctx, "a solid");
    FrResult result = create(ctx, mesh, solid);
    if (result == FR_OK)
        *out = solid;
    else
        fr_solid_destroy(ctx, solid);
    return result;
}

void fr_solid_destroy(FrContext *ctx, FrSolid *solid) {
    if (!solid) return;
    fr_tree_free(ctx, &solid->tree);
    fr_trimesh_free(ctx, &solid->mesh);
    fr_trimesh_free(ctx, &solid->given);
    fr_free(ctx, solid->joined);
    fr_free(ctx, solid);
}

const FrSolidReport *fr_solid_report(const FrSolid *solid) { return &solid->report; }
const FrTriMesh *fr_solid_mesh(const FrSolid *solid) { return &solid->mesh; }
FrResult fr_solid_dressed(FrContext *ctx, const FrSolid *solid, FrTriMesh *mesh) {
    return fr_repair_dress(ctx, &solid->mesh, &solid->given, solid->joined, mesh);
}
bool fr_solid_has_uv(const FrSolid *solid) { return solid->given.uv != NULL; }
FrBox fr_solid_bounds(const FrSolid *solid) { return solid->tree.bounds; }

FrResult fr_solid_check(FrContext *ctx, const char *name, const FrSolid *solid) {
    const FrTriReport *after = &solid->report.after;
    double size = solid->size, volume = fabs(solid->report.volume);
    double least =
        after->closed ? THIN_CLOSED * size * size * size : THIN_OPEN * size * solid->area;
    if (volume >= least) return FR_OK;
    return fr_fail(ctx, FR_BAD_INPUT,
                   "%s: is a sheet, not a solid: %.3g m^3 behind %.3g m^2 of surface is a wall of "
                   "%.2g m, less than %.2g of its size; %d open edges. Close it, or give it a "
                   "thickness",
                   name, volume, solid->area, volume / solid->area, least / (solid->area * size),
                   after->open_edges);
}

// where the bound does not tell the side, the far children are sought twice as far off
#define CLOSER 4.0

double fr_solid_winding(const FrSolid *solid, FrVec3 x) {
    if (!solid->report.after.unbalanced_edges) return fr_tree_turns(&solid->tree, x);
    FrWinding w = fr_tree_winding(&solid->tree, x, 1.0);
    bool clear = fabs(fabs(w.turns) - 0.5) > w.bound;
    return clear ? w.turns : fr_tree_winding(&solid->tree, x, CLOSER).turns;
}

double fr_solid_unsigned(const FrSolid *solid, FrVec3 x) {
    return sqrt(fr_tree_nearest2(&solid->tree, x));
}

// w: how often the surface goes round x
static double distance_of(const FrSolid *solid, FrVec3 x, double w, double reach2) {
    double d = fr_solid_unsigned(solid, x), beyond = fabs(w) - 0.5;
    // where w is neither 0 nor 1 a hole is near: first-order distance to the surface w = 1/2
    if (solid->report.after.unbalanced_edges && fabs(beyond) < 0.45) {
        double slope = fr_length(fr_tree_winding_gradient(&solid->tree, x, reach2));
        if (fabs(beyond) < slope * d) d = fabs(beyond) / slope;
    }
    return beyond > 0.0 ? -d : d;
}

double fr_solid_distance(const FrSolid *solid, FrVec3 x) {
    return distance_of(solid, x, fr_solid_winding(solid, x), 1.0);
}

#define SURELY_INSIDE 0.6 ///< beside a lone triangle the winding is 1/2, and it encloses nothing

typedef struct PointRun {
    const FrSolid *solid;
    int32_t stride;
    double depth;
    FrTriMesh *points;
    bool *bounds; ///< does it bound an inside?
} PointRun;

static void point_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    PointRun *run = arg;
    const FrTriMesh *mesh = &run->solid->mesh;
    for (int32_t k = begin; k < end; k++) {
        FrVec3 x[3];
        for (int c = 0; c < 3; c++) x[c] = fr_get3(mesh->p, mesh->tri[k * run->stride][c]);
        FrVec3 middle = fr_scale(1.0 / 3.0, fr_add(x[0], fr_add(x[1], x[2])));
        FrVec3 normal = fr_normalize(fr_cross(fr_sub(x[1], x[0]), fr_sub(x[2], x[0])));
        double behind = fr_solid_winding(run->solid, fr_axpy(-run->depth, normal, middle));
        double before = fr_solid_winding(run->solid, fr_axpy(run->depth, normal, middle));
        run->bounds[k] = fr_max(fabs(behind), fabs(before)) > SURELY_INSIDE;
        fr_set3(run->points->p, k, middle);
    }
}

FrResult fr_solid_skin_points(FrContext *ctx, const FrSolid *solid, int32_t most, double depth,
                              FrTriMesh *points) {
    int32_t stride = (solid->mesh.tri_count - 1) / most + 1, kept = 0;
    int32_t count = (solid->mesh.tri_count - 1) / stride + 1;
    FR_TRY(fr_trimesh_alloc(ctx, count, 0, points));
    PointRun run = {solid, stride, depth, points, FR_NEW(ctx, bool, count)};
    if (!run.bounds) return fr_no_memory(ctx, "points of a surface");
    fr_parallel_for(ctx, count, 64, point_range, &run);
    for (int32_t k = 0; k < count; k++)
        if (run.bounds[k]) fr_set3(points->p, kept++, fr_get3(points->p, k));
    points->point_count = kept;
    fr_free(ctx, run.bounds);
    return FR_OK;
}

static double exact_distance(const void *user, FrVec3 x) {
    const FrSolid *solid = user;
    return distance_of(solid, x, fr_tree_winding(&solid->tree, x, HUGE_VAL).turns, HUGE_VAL);
}

static double field_distance(const void *user, FrVec3 x) { return fr_solid_distance(user, x); }

void fr_solid_field(const FrSolid *solid, FrField *field) {
    *field = (FrField){field_distance, solid, solid->tree.bounds};
}

void fr_solid_exact_field(const FrSolid *solid, FrField *field) {
    *field = (FrField){exact_distance, solid, solid->tree.bounds};
}
