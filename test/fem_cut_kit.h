// fem_cut_kit.h: a jittered box of material whose nodes are split at random, for tests of cut
// bodies.
#pragma once
#include "math/step_control.h"
#include "fem_mesh.h"

typedef struct Scene {
    FrContext *ctx;
    FrTetMesh mesh;
    FrMaterial material;
    FrFem *fem;
    FrCutMesh *cut;
    FrCutLog log;
    FrRandom random;
    double first_dt; ///< stable step before anything is cut, s
} Scene;

/// a box of nx * ny * nz cells of 10 cm at rest, 1 MPa, `alpha1` s of strain-rate damping
static inline Scene scene_box(int32_t workers, int nx, int ny, int nz, double alpha1) {
    Scene s = {.ctx = test_context(workers), .mesh = test_box(nx, ny, nz, 0.1)};
    test_jitter(&s.mesh, nx, ny, nz, 0.1, 0.02);
    s.material = test_material(1e6, 0.3, alpha1);
    s.material.density = 1000.0;
    s.fem = test_body(s.ctx, &s.mesh, &s.material);
    CHECK_OK(s.ctx, fr_cutmesh_create(s.ctx, &s.mesh, &s.cut));
    s.random = fr_random_for(3, "cut", 0);
    fr_cutlog_init(&s.log, s.mesh.node_count);
    s.first_dt = fr_fem_dt_limit(s.fem);
    return s;
}

/// a velocity at x of something that turns and shivers, m/s
static inline FrVec3 scene_velocity(Scene *s, FrVec3 x) {
    return fr_add(fr_cross(fr_vec3(1, 2, 3), x), test_vec(&s->random, 0.5));
}

static inline void scene_free(Scene *s) {
    fr_cutlog_free(s->ctx, &s->log);
    fr_cutmesh_destroy(s->cut);
    fr_fem_destroy(s->fem);
    test_mesh_free(&s->mesh);
    fr_context_destroy(s->ctx);
}

/// splits a node at random; false: nothing was cut
static inline bool scene_split(Scene *s, const FrSplitOptions *options) {
    FrShapeView view;
    fr_fem_view(s->fem, &view);
    fr_cutmesh_place(s->cut, view.p);
    fr_cutlog_clear(&s->log, view.node_count);
    int32_t node = (int32_t)fr_random_range(&s->random, 0, view.node_count - 1e-9);
    FrVec3 n = fr_normalize(test_vec(&s->random, 1.0));
    FrSplitResult result;
    CHECK_OK(s->ctx, fr_cutmesh_split(s->cut, node, n, options, &s->log, &result));
    if (result.outcome != FR_SPLIT_DONE) return false;
    CHECK_OK(s->ctx, fr_fem_cut(s->fem, &s->log, s->cut));
    return true;
}

/// of all nodes, kg
static inline double total_mass(const FrFem *fem) {
    FrShapeView view;
    fr_fem_view(fem, &view);
    double sum = 0.0;
    for (int32_t n = 0; n < view.node_count; n++) sum += fr_fem_node_mass(fem, n);
    return sum;
}
