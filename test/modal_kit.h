// modal_kit.h: bodies, materials and checks that the tests of matrices and modes share.
#pragma once
#include "fem/matrices.h"
#include "fracas/studio.h"
#include "geom/shape.h"
#include "material/laws.h"
#include "math/vec.h"
#include "mesh/order2.h"
#include "mesh/structured.h"
#include "mesh/tetmesh.h"
#include "modal/load_stress.h"
#include "test.h"
#include "context.h"

/// With the studio's back end, as those who compute modes need.
static inline FrContext *make_modal_context(int32_t workers) {
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = workers;
    def.backend = fr_studio_backend();
    return fr_context_create(&def);
}

/// One push of 1 N.
static inline FrResult push_one(struct FrStressModel *model, const FrStressLoad *load,
                                FrStressAnswer *answer) {
    double all = 1.0;
    return fr_stress_push(model, &(FrStressLoads){load, &all, 1}, answer);
}

static inline FrMaterial kit_material(double density, double young, double poisson) {
    FrMaterial m = {.name = "test", .density = density};
    fr_material_set_young(&m, young, poisson);
    return m;
}

/// nx x ny x nz cells, each six tets; order 2: straight mid-nodes
static inline FrTetMesh kit_box(FrContext *ctx, FrVec3 size, int nx, int ny, int nz, int order) {
    FrTetMesh linear = {0}, mesh = {0};
    FrBox box = {fr_scale(-0.5, size), fr_scale(0.5, size)};
    int32_t n[3] = {nx, ny, nz};
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, n, &linear));
    if (order == 1) return linear;
    CHECK_OK(ctx, fr_tetmesh_order2(ctx, &linear, NULL, &mesh, NULL));
    fr_tetmesh_free(ctx, &linear);
    return mesh;
}

static inline double kit_dot(const double *a, const double *b, int32_t count) {
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++) sum += a[k] * b[k];
    return sum;
}
