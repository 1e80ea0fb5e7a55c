// fracture_precut.c: cracks that are there from the start.

#include "fracture/fracture.h"
#include "fem_mesh.h"

// whatever its angle to the mesh: as large as the disc, and along it
TEST(a_tilted_cut_is_a_disc) {
    double edge = 0.01, radius = 0.04;
    for (int k = 0; k < 6; k++) {
        FrContext *ctx = test_context(1);
        FrTetMesh mesh = test_box(20, 10, 10, edge);
        FrMaterial stuff = test_material(1e6, 0.0, 0.0);
        FrFem *fem = test_body(ctx, &mesh, &stuff);
        FrToughness toughness = {.strength = 1000.0};
        FrFractureDef def = fr_fracture_def_default();
        def.mesh = &mesh, def.toughness = &toughness, def.material_count = 1;
        def.split.min_height = 0.3;
        FrFracture *fracture;
        FrFractureResult r;
        CHECK_OK(ctx, fr_fracture_create(ctx, fem, &def, &fracture));
        FrVec3 centre = {0.1, 0.05, 0.05}, n = fr_normalize(fr_vec3(1, 0.2 * k, 0.1 * k));
        CHECK_OK(ctx, fr_fracture_precut(fracture, centre, n, radius, &r));
        const double *x = fr_cutmesh_view(fr_fracture_mesh(fracture))->x;
        double area = 0.0, far = 0.0, out = 0.0;
        for (int32_t i = 0; i < r.log->face_count; i++) {
            FrVec3 p[3];
            for (int j = 0; j < 3; j++) {
                p[j] = fr_get3(x, r.log->faces[i].plus_node[j]);
                far = fr_max(far, fabs(fr_dot(fr_sub(p[j], centre), n)));
                out = fr_max(out, fr_distance(p[j], centre));
            }
            area += 0.5 * fr_length(fr_cross(fr_sub(p[1], p[0]), fr_sub(p[2], p[0])));
        }
        printf("  tilt %.1f: %.2f of the disc, %.2f edges off, %.2f edges beyond\n", 0.2 * k,
               area / (FR_PI * radius * radius), far / edge, (out - radius) / edge);
        CHECK(far <= 0.5 * edge);
        CHECK(out <= radius + 1.5 * edge);
        // its rim ends with whole tets: up to an edge beyond
        CHECK(area >= 0.95 * FR_PI * radius * radius);
        CHECK(area <= FR_PI * (radius + edge) * (radius + edge));
        fr_fracture_destroy(fracture);
        fr_fem_destroy(fem);
        test_mesh_free(&mesh);
        fr_context_destroy(ctx);
    }
}
