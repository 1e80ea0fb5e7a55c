// bench_surface.c: how fast imported surfaces are meshed, good and broken ones.

#include "bench/bench_surface.h"
#include "base/clock.h"
#include "base/random.h"
#include "geom/solid.h"
#include "mesh/outside.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include <string.h>

// what is wrong with the broken one: one triangle in so many
#define HOLE 400   ///< is missing
#define DOUBLE 30  ///< is there twice
#define TURNED 100 ///< is the wrong way round
#define LOOSE 7    ///< has corners of its own, beside those of its neighbours
#define SEAM 1e-3  ///< how far beside, of the size

#define SAMPLES 500 ///< questions that are asked once more, of both fields

/// What a field was asked, by one worker.
typedef struct Asked {
    FrField field;
    int64_t count;
    FrRandom random;
    FrVec3 at[SAMPLES]; ///< some of the questions, each as likely as any other
} Asked;

static double ask(const void *user, FrVec3 x) {
    Asked *asked = *(Asked *const *)user;
    int64_t k = asked->count++;
    if (k >= SAMPLES) k = (int64_t)(fr_random_unit(&asked->random) * (double)asked->count);
    if (k < SAMPLES) asked->at[k] = x;
    return fr_field_at(&asked->field, x);
}

static double seconds_of_samples(const FrField *field, const Asked *asked) {
    int64_t count = asked->count < SAMPLES ? asked->count : SAMPLES;
    double start = fr_wall_seconds();
    volatile double sink = 0.0;
    for (int64_t k = 0; k < count; k++) sink += fr_field_at(field, asked->at[k]);
    (void)sink;
    return (fr_wall_seconds() - start) / (double)count;
}

// how many times as long all of it takes by exact sums
static double exact_over_quick(const FrSolid *solid, const Asked *asked, double seconds) {
    FrField exact;
    fr_solid_exact_field(solid, &exact);
    double more = seconds_of_samples(&exact, asked) - seconds_of_samples(&asked->field, asked);
    return 1.0 + more * (double)asked->count / seconds;
}

static FrResult mesh_surface(FrContext *ctx, const FrTriMesh *surface,
                             const FrStuffingOptions *options, double *tets_per_second,
                             double *exact_over) {
    FrSolid *solid;
    FrTetMesh mesh = {0};
    Asked asked = {.random = fr_random_for(1, "questions", 0)}, *to = &asked;
    double start = fr_wall_seconds();
    FR_TRY(fr_solid_create(ctx, surface, &solid));
    fr_solid_field(solid, &asked.field);
    FrField field = {ask, &to, asked.field.bounds};
    FrResult result = fr_mesh_stuff(ctx, &field, options, &mesh, NULL);
    double seconds = fr_wall_seconds() - start;
    *tets_per_second = mesh.tet_count / seconds;
    if (result == FR_OK && exact_over) *exact_over = exact_over_quick(solid, &asked, seconds);
    fr_tetmesh_free(ctx, &mesh);
    fr_solid_destroy(ctx, solid);
    return result;
}

// two balls that run through each other, as one list of triangles
static FrResult two_balls(FrContext *ctx, const FrTriMesh *ball, FrTriMesh *both) {
    int32_t points = ball->point_count, tris = ball->tri_count;
    // room for doubles, and for corners of loose triangles
    FR_TRY(fr_trimesh_alloc(ctx, 2 * points + 6 * tris, 4 * tris, both));
    both->point_count = 2 * points;
    both->tri_count = 2 * tris;
    for (int32_t k = 0; k < points; k++) {
        FrVec3 x = fr_get3(ball->p, k);
        fr_set3(both->p, k, x);
        fr_set3(both->p, points + k, fr_axpy(0.6, x, fr_vec3(0.35, 0.0, 0.0)));
    }
    for (int32_t t = 0; t < tris; t++)
        for (int c = 0; c < 3; c++) {
            both->tri[t][c] = ball->tri[t][c];
            both->tri[tris + t][c] = points + ball->tri[t][c];
        }
    return FR_OK;
}

static void loosen(FrTriMesh *mesh, int32_t t, FrRandom *random) {
    for (int c = 0; c < 3; c++) {
        FrVec3 x = fr_get3(mesh->p, mesh->tri[t][c]);
        x.x += fr_random_range(random, -SEAM, SEAM);
        x.y += fr_random_range(random, -SEAM, SEAM);
        x.z += fr_random_range(random, -SEAM, SEAM);
        fr_set3(mesh->p, mesh->point_count, x);
        mesh->tri[t][c] = mesh->point_count++;
    }
}

static void damage(FrTriMesh *mesh) {
    FrRandom random = fr_random_for(1, "broken surface", 0);
    int32_t tris = mesh->tri_count, kept = 0;
    for (int32_t t = 0; t < tris; t++) {
        if (t % HOLE == 1) continue;
        memmove(mesh->tri[kept], mesh->tri[t], sizeof *mesh->tri);
        if (t % TURNED == 2) {
            mesh->tri[kept][1] = mesh->tri[t][2];
            mesh->tri[kept][2] = mesh->tri[t][1];
        }
        if (t % LOOSE == 3) loosen(mesh, kept, &random);
        kept++;
    }
    mesh->tri_count = kept;
    for (int32_t t = 4; t < kept; t += DOUBLE)
        memcpy(mesh->tri[mesh->tri_count++], mesh->tri[t], sizeof *mesh->tri);
}

FrResult fr_surface_bench(FrContext *ctx, const FrTetMesh *mesh, const FrStuffingOptions *options,
                          FrSurfaceBench *bench) {
    FrSurface surface = {0};
    FrTriMesh ball = {0}, broken = {0};
    FrResult result = fr_tetmesh_surface(ctx, mesh, &surface);
    if (result == FR_OK) result = fr_surface_trimesh(ctx, mesh, &surface, &ball);
    if (result == FR_OK) result = mesh_surface(ctx, &ball, options, &bench->tets_per_second, NULL);
    if (result == FR_OK) result = two_balls(ctx, &ball, &broken);
    if (result == FR_OK) {
        damage(&broken);
        bench->triangles = ball.tri_count;
        bench->broken_triangles = broken.tri_count;
        result = mesh_surface(ctx, &broken, options, &bench->broken_tets_per_second,
                              &bench->exact_over_quick);
    }
    fr_surface_free(ctx, &surface);
    fr_trimesh_free(ctx, &ball);
    fr_trimesh_free(ctx, &broken);
    return result;
}
