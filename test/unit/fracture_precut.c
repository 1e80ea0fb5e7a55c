// fracture_precut.c: cracks that are there from the start.

#include "fracture_kit.h"

TEST(a_cut_from_the_start_opens_a_disc) {
    Plate p = plate_make(8, 0.0, NULL);
    FrFractureResult r;
    CHECK_OK(p.ctx,
             fr_fracture_precut(p.fracture, fr_vec3(0, 0.05, 0.4), fr_vec3(0, 0, 1), 0.4, &r));
    CHECK_INT(r.crack_count, 0);
    CHECK(r.log->face_count > 0);
    const FrTetMesh *mesh = plate_mesh(&p);
    const double *x = mesh->x;
    double far = 0.0, area = 0.0;
    for (int32_t k = 0; k < r.log->face_count; k++) {
        const int32_t *n = r.log->faces[k].plus_node;
        FrVec3 a = fr_get3(x, n[0]), b = fr_get3(x, n[1]), c = fr_get3(x, n[2]);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(fr_get3(x, n[i]).z, 0.4, 1e-12); // a layer of the mesh lies there
            far = fr_max(far, fr_get3(x, n[i]).x);
        }
        area += 0.5 * fr_length(fr_cross(fr_sub(b, a), fr_sub(c, a)));
    }
    // half way across 0.8 m, up to a cell, and 0.1 m deep
    CHECK_NEAR(far, 0.4, 0.101);
    CHECK_NEAR(area, 0.1 * far, 0.02 * 0.1);
    plate_free(&p);
}

// whatever its angle to the mesh: as large as the disc, and along it
TEST(a_tilted_cut_is_a_disc) {
    double edge = 0.01, radius = 0.04;
    for (int k = 0; k < 6; k++) {
        FrContext *ctx = test_context(1);
        FrTetMesh mesh = test_box(20, 10, 10, edge);
        FrMaterial stuff = test_material(1e6, 0.0, 0.0);
        FrFem *fem = test_body(ctx, &mesh, &stuff);
        FrToughness toughness = {.strength = 1000.0};
        FrFractureDef def = test_fracture_def(&mesh, &toughness);
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
