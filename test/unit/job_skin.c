// job_skin.c: the drawn skin of a thin tube is whole: its area is the closed form's.

#include "context.h"
#include "job/build.h"
#include "math/vec.h"
#include "test.h"

// a wall of a sixth of a cell: no lattice of the skin's fineness would meet it
TEST(thin_walls_are_drawn_whole) {
    FrContext *ctx = make_context(1);
    FrSceneTube tube = {.radius = 0.012, .wall = 0.001, .height = 0.1};
    FrSceneBody body = {.name = "tube", .cells = 0.006, .skin = FR_SCENE_SKIN_SHAPE};
    FrBuildOptions options = {.coarseness = 1.0};
    FrBuiltMesh built;
    body.shape.kind = FR_SCENE_TUBE;
    body.shape.tube = &tube;
    CHECK_OK(ctx, fr_build_tets(ctx, &body, "", &options, &built));
    double area = 0;
    for (int32_t k = 0; k < built.skin.tri_count; k++) {
        FrVec3 p[3];
        for (int i = 0; i < 3; i++) {
            const FrPoint *at = &built.skin.at[built.skin.tri[k][i]];
            p[i] = fr_vec3_zero;
            for (int c = 0; c < 4; c++)
                p[i] = fr_axpy(at->b[c], fr_get3(built.mesh.x, built.mesh.tet[at->tet][c]), p[i]);
        }
        area += 0.5 * fr_length(fr_cross(fr_sub(p[1], p[0]), fr_sub(p[2], p[0])));
    }
    double outer = tube.radius, inner = outer - tube.wall;
    CHECK_CLOSE(area,
                2 * FR_PI * (outer + inner) * tube.height +
                    2 * FR_PI * (outer * outer - inner * inner),
                0.01);
    CHECK(built.skin.tri_count > 2000 && built.skin.tri_count < 16000);
    fr_embedded_free(ctx, &built.skin);
    fr_tetmesh_free(ctx, &built.mesh);
    fr_context_destroy(ctx);
}
