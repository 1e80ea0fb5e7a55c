// solid.c: from any triangle surface to a distance field with an inside.

#include "base/random.h"
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

static double estimate_volume(const FrSolid *solid) {
    FrRandom random = fr_random_for(1, "volume", 0);
    FrBox box = solid->tree.bounds;
    FrVec3 cell = fr_scale(1.0 / SAMPLES, fr_box_size(box));
    int32_t inside = 0;
    for (int32_t k = 0; k < SAMPLES * SAMPLES * SAMPLES; k++) {
        double i = k % SAMPLES + fr_random_unit(&random);
        double j = k / SAMPLES % SAMPLES + fr_random_unit(&random);
        double l = k / SAMPLES / SAMPLES + fr_random_unit(&random);
        FrVec3 x = fr_add(box.lo, fr_vec3(i * cell.x, j * cell.y, l * cell.z));
        inside += fabs(fr_solid_winding(solid, x)) > 0.5;
    }
    return inside * cell.x * cell.y * cell.z;
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
        fr_tree_fill(&solid->tree, mesh);
        result = fr_repair_outwards(ctx, mesh, &patches, &solid->tree, &turned);
    }
    if (result == FR_OK && turned) fr_tree_fill(&solid->tree, mesh);
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
    solid->report.volume =
        solid->report.after.closed ? fr_trimesh_props(&solid->mesh).volume : estimate_volume(solid);
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
                   "%s: encloses no volume: %.3g m^3 inside %.3g m^2 of surface, %d open edges; "
                   "close it, or give it a thickness",
                   name, volume, solid->area, after->open_edges);
}

double fr_solid_winding(const FrSolid *solid, FrVec3 x) {
    if (!solid->report.after.unbalanced_edges) return fr_tree_turns(&solid->tree, x);
    return fr_tree_winding(&solid->tree, x);
}

double fr_solid_unsigned(const FrSolid *solid, FrVec3 x) {
    return sqrt(fr_tree_nearest2(&solid->tree, x));
}

double fr_solid_distance(const FrSolid *solid, FrVec3 x) {
    double d = fr_solid_unsigned(solid, x);
    double w = fabs(fr_solid_winding(solid, x));
    // where w is neither 0 nor 1 a hole is near: first-order distance to the surface w = 1/2
    if (solid->report.after.unbalanced_edges && fabs(w - 0.5) < 0.45) {
        double slope = fr_length(fr_tree_winding_gradient(&solid->tree, x));
        if (fabs(w - 0.5) < slope * d) d = fabs(w - 0.5) / slope;
    }
    return w > 0.5 ? -d : d;
}

static double field_distance(const void *user, FrVec3 x) { return fr_solid_distance(user, x); }

void fr_solid_field(const FrSolid *solid, FrField *field) {
    *field = (FrField){field_distance, solid, solid->tree.bounds};
}
