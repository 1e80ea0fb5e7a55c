// geom_dress.c: an imported surface keeps its UVs and normals through welding and repair; where it
// has no normals, edges of a box are sharp and balls round.

#include "test.h"
#include "geom.h"
#include "geom/solid.h"

// a box 4 x 2 x 2 with UVs and, where asked for, normals; the second side is wound inwards, the
// third is there twice
static const char sides[6][64] = {"f 1/1 2/2 4/3 3/4\n", "f 5/1 6/4 8/3 7/2\n",
                                  "f 1/1 5/2 6/3 2/4\n", "f 3/1 4/2 8/3 7/4\n",
                                  "f 1/1 3/2 7/3 5/4\n", "f 2/1 6/2 8/3 4/4\n"};

static FrTriMesh read_box(FrContext *ctx) {
    char text[2048];
    int size = 0;
    FrTriMesh mesh;
    for (int k = 0; k < 8; k++)
        size += snprintf(text + size, sizeof text - (size_t)size, "v %d %d %d\n", k & 4 ? 2 : -2,
                         k & 2 ? 1 : -1, k & 1 ? 1 : -1);
    size +=
        snprintf(text + size, sizeof text - (size_t)size, "vt 0 0\nvt 1 0\nvt 1 0.5\nvt 0 0.5\n");
    for (int k = 0; k < 7; k++)
        size += snprintf(text + size, sizeof text - (size_t)size, "%s", sides[k < 6 ? k : 2]);
    CHECK_OK(ctx, fr_trimesh_parse_obj(ctx, "box.obj", text, (size_t)size, &mesh));
    return mesh;
}

static FrVec3 side_normal(const FrTriMesh *mesh, int32_t t) {
    FrVec3 a = fr_get3(mesh->p, mesh->tri[t][0]);
    return fr_normalize(fr_cross(fr_sub(fr_get3(mesh->p, mesh->tri[t][1]), a),
                                 fr_sub(fr_get3(mesh->p, mesh->tri[t][2]), a)));
}

// Each side of the file maps its first corner to (0, 0), the next to (1, 0), and so on: over the
// side, UV is an affine map, whose Jacobian has the area of the UV rectangle over the side's.
TEST(uvs_outlive_the_weld_and_edges_stay_sharp) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh mesh = read_box(ctx), seen;
    FrSolid *solid;
    CHECK_OK(ctx, fr_solid_create(ctx, &mesh, &solid));
    CHECK_INT(fr_solid_mesh(solid)->point_count, 8);
    CHECK(fr_solid_report(solid)->after.closed);
    CHECK_OK(ctx, fr_solid_dressed(ctx, solid, &seen));
    CHECK_INT(seen.tri_count, 12);
    CHECK_INT(seen.point_count, 24); // three normals at each corner
    CHECK(seen.uv && seen.normal);
    double area = 0;
    for (int32_t t = 0; t < seen.tri_count; t++) {
        FrVec3 n = side_normal(&seen, t);
        double *uv[3];
        for (int i = 0; i < 3; i++) {
            uv[i] = seen.uv + 2 * (size_t)seen.tri[t][i];
            CHECK_NEAR(fr_distance(fr_get3(seen.normal, seen.tri[t][i]), n), 0, 1e-14); // rounding
            CHECK(fr_dot(fr_get3(seen.p, seen.tri[t][i]), n) > 0);                      // outwards
        }
        double twice = (uv[1][0] - uv[0][0]) * (uv[2][1] - uv[0][1]) -
                       (uv[2][0] - uv[0][0]) * (uv[1][1] - uv[0][1]);
        // rounding: of halves
        CHECK_NEAR(fabs(twice), 0.5, 1e-15);
        area += fabs(twice) / 2;
    }
    CHECK_NEAR(area, 6 * 0.5, 1e-15); // rounding: as above
    // corner by corner: every (place, UV) of the file is there
    for (int32_t k = 0; k < 3 * mesh.tri_count; k++) {
        int32_t p = mesh.tri[k / 3][k % 3], found = 0;
        for (int32_t n = 0; n < seen.point_count; n++)
            found += fr_distance(fr_get3(mesh.p, p), fr_get3(seen.p, n)) == 0 &&
                     seen.uv[2 * n] == mesh.uv[2 * p] && seen.uv[2 * n + 1] == mesh.uv[2 * p + 1];
        CHECK(found > 0);
    }
    fr_trimesh_free(ctx, &seen);
    fr_trimesh_free(ctx, &mesh);
    fr_solid_destroy(ctx, solid);
    fr_context_destroy(ctx);
}

// a ball with a seam: normals that are made do not see it; those that are given are taken, turned
// outwards when the surface came inside out
TEST(normals_made_and_given) {
    for (int given = 0; given < 2; given++) {
        Refuser refuser;
        FrContext *ctx = geom_context(&refuser);
        FrTriMesh ball = make_sphere(ctx, 1, 60, 120), seen;
        FrVec3 tilt = {0.3, 0, 0}; // given normals are not those of the facets
        ball.uv = fr_alloc_zero(ctx, 2 * (size_t)ball.point_count, sizeof *ball.uv);
        for (int32_t n = 0; n < ball.point_count; n++) ball.uv[2 * n] = ball.p[3 * n] > 0;
        if (given) {
            ball.normal = fr_alloc_zero(ctx, 3 * (size_t)ball.point_count, sizeof *ball.normal);
            for (int32_t n = 0; n < ball.point_count; n++)
                fr_set3(ball.normal, n, fr_neg(fr_normalize(fr_add(fr_get3(ball.p, n), tilt))));
            for (int32_t t = 0; t < ball.tri_count; t++) {
                int32_t swap = ball.tri[t][1];
                ball.tri[t][1] = ball.tri[t][2], ball.tri[t][2] = swap;
            }
        }
        FrSolid *solid;
        CHECK_OK(ctx, fr_solid_create(ctx, &ball, &solid));
        CHECK_OK(ctx, fr_solid_dressed(ctx, solid, &seen));
        CHECK_INT(seen.point_count, ball.point_count);
        for (int32_t n = 0; n < seen.point_count; n++) {
            FrVec3 x = fr_get3(seen.p, n), normal = fr_get3(seen.normal, n);
            CHECK(seen.uv[2 * n] == (x.x > 0));
            // mesh: where normals are made, facets differ by 3 degrees
            // made: only the difference of neighbouring facets is left, (3 degrees)^2
            if (given)
                // rounding
                CHECK_NEAR(fr_distance(normal, fr_normalize(fr_add(x, tilt))), 0, 1e-14);
            else
                CHECK(fr_dot(normal, x) > 1 - 1e-5);
        }
        fr_trimesh_free(ctx, &seen);
        fr_trimesh_free(ctx, &ball);
        fr_solid_destroy(ctx, solid);
        fr_context_destroy(ctx);
    }
}

TEST(allocations_may_fail) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh mesh = read_box(ctx);
    EVERY_ALLOCATION_FAILS(ctx, &refuser, {
        FrTriMesh seen = {0};
        FrSolid *solid;
        result = fr_solid_create(ctx, &mesh, &solid);
        if (result == FR_OK) result = fr_solid_dressed(ctx, solid, &seen);
        fr_trimesh_free(ctx, &seen);
        fr_solid_destroy(ctx, solid);
    });
    fr_trimesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
}
