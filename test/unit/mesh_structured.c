// mesh_structured.c: boxes, tubes, lathes and extrusions conform, have the right volume and lie on
// their shape.

#include "mesh_support.h"
#include "mesh/structured.h"
#include "mesh/triangulate.h"

static double volume_of(const FrTetMesh *mesh) { return fr_tetmesh_props(mesh).volume; }

static FrMeshQuality quality_of(FrContext *ctx, const FrTetMesh *mesh) {
    FrMeshQuality q = {0};
    CHECK_OK(ctx, fr_tetmesh_quality(ctx, mesh, &q));
    return q;
}

static void check_solid(FrContext *ctx, const FrTetMesh *mesh, int32_t euler) {
    check_mesh(ctx, mesh);
    FrSurfaceCheck facts = surface_facts(ctx, mesh);
    CHECK_INT(facts.nonmanifold_edges, 0);
    CHECK_INT(facts.nonmanifold_nodes, 0);
    CHECK_INT(facts.euler, euler);
    CHECK_INT(facts.component_count, 1);
}

TEST(box_has_its_volume_and_45_60_90_degrees) {
    FrContext *ctx = make_context(1);
    FrBox box = {{-1, 0.5, 2}, {2, 2.5, 3}};
    for (int32_t n = 1; n < 5; n++) {
        FrTetMesh mesh;
        CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (int32_t[3]){3 * n, 2 * n, n}, &mesh));
        CHECK_INT(mesh.tet_count, 36 * n * n * n);
        CHECK_INT(mesh.node_count, (3 * n + 1) * (2 * n + 1) * (n + 1));
        check_solid(ctx, &mesh, 2);
        CHECK_CLOSE(volume_of(&mesh), 6.0, 1e-13); // rounding: a sum of 36 n^3 terms
        FrMeshQuality q = quality_of(ctx, &mesh);
        // rounding: in degrees
        CHECK_NEAR(q.min_dihedral, 45, 1e-12);
        CHECK_NEAR(q.max_dihedral, 90, 1e-12);
        FrBox found = fr_tetmesh_bounds(&mesh);
        CHECK(found.lo.x == -1 && found.hi.x == 2 && found.hi.y == 2.5 && found.hi.z == 3);
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// two closed surfaces, the volume between two boxes, walls where they should be
TEST(hollow_box_has_walls) {
    FrContext *ctx = make_context(1);
    FrBox box = {{-1, 0.5, 2}, {2, 2.5, 3}};
    for (int k = 0; k < 3; k++) {
        FrTetMesh mesh;
        double wall = 0.05 * (k + 1), h = k == 2 ? 0.07 : 0.3;
        CHECK_OK(ctx, fr_mesh_hollow_box(ctx, box, wall, h, &mesh));
        check_mesh(ctx, &mesh);
        FrSurfaceCheck facts = surface_facts(ctx, &mesh);
        CHECK_INT(facts.nonmanifold_edges, 0);
        CHECK_INT(facts.component_count, 2); // outside and inside
        CHECK_INT(facts.euler, 4);
        double w = 2 * wall;
        // rounding: a sum of thousands of tets
        CHECK_CLOSE(volume_of(&mesh), 6.0 - (3 - w) * (2 - w) * (1 - w), 1e-12);
        fr_tetmesh_free(ctx, &mesh);
    }
    FrTetMesh none;
    CHECK_INT(fr_mesh_hollow_box(ctx, box, 0.5, 0.1, &none), FR_BAD_INPUT);
    fr_context_destroy(ctx);
}

// mirrored in any axis, an even mesh is itself: each tet's mirror image is a tet
TEST(box_split_has_no_preferred_direction) {
    FrContext *ctx = make_context(1);
    FrBox box = {{-2, -2, -2}, {2, 2, 2}};
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (int32_t[3]){4, 4, 4}, &mesh));
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        // centroids of the tets, as a multiset, map onto themselves: compare sorted key sums
        uint64_t here = 0, there = 0;
        for (int32_t e = 0; e < mesh.tet_count; e++) {
            FrVec3 c = fr_vec3_zero;
            for (int i = 0; i < 4; i++) c = fr_add(c, fr_get3(mesh.x, mesh.tet[e][i]));
            FrVec3 m = c;
            if (axis == 0) m.x = -m.x;
            if (axis == 1) m.y = -m.y;
            if (axis == 2) m.z = -m.z;
            FrVec3 both[2] = {c, m};
            uint64_t key[2];
            for (int k = 0; k < 2; k++) {
                uint64_t x = (uint64_t)(both[k].x + 64), y = (uint64_t)(both[k].y + 64),
                         z = (uint64_t)(both[k].z + 64);
                key[k] = (x << 20 | y << 10 | z) * 0x9E3779B97F4A7C15u;
                key[k] ^= key[k] >> 29;
                key[k] *= 0xBF58476D1CE4E5B9u;
            }
            here += key[0];
            there += key[1];
            sum += c.x;
        }
        CHECK(here == there);
    }
    CHECK_NEAR(sum, 0, TOL_EXACT); // exact: small integers
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(sized_plate_has_its_layers) {
    FrContext *ctx = make_context(1);
    FrBox box = {{0, 0, 0}, {1, 0.6, 0.02}};
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_box_sized(ctx, box, 0.05, 3, &mesh));
    CHECK_INT(mesh.tet_count, 6 * 20 * 12 * 3);
    CHECK_CLOSE(volume_of(&mesh), 0.012, 1e-12); // rounding: a sum of 4,320 tets
    fr_tetmesh_free(ctx, &mesh);
    CHECK_INT(fr_mesh_box_sized(ctx, box, 0, 1, &mesh), FR_BAD_USE);
    CHECK_INT(fr_mesh_box_cells(ctx, (FrBox){{0, 0, 0}, {1, 0, 1}}, (int32_t[3]){1, 1, 1}, &mesh),
              FR_BAD_INPUT);
    fr_context_destroy(ctx);
}

// inscribed polygons: the error falls as h^2
TEST(tube_and_cylinder_volumes_converge) {
    FrContext *ctx = make_context(1);
    for (int solid = 0; solid < 2; solid++) {
        double inner = solid ? 0 : 0.6, exact = FR_PI * (1 - inner * inner) * 2, last = 0;
        for (int k = 0; k < 3; k++) {
            FrTetMesh mesh;
            CHECK_OK(ctx,
                     fr_mesh_tube_layers(ctx, (FrTube){1, inner, 2}, 0.3 / (1 << k), 0, &mesh));
            check_solid(ctx, &mesh, solid ? 2 : 0);
            double error = exact - volume_of(&mesh);
            CHECK(error > 0);
            // mesh: counts of cells are rounded to whole ones
            if (k > 0) CHECK_NEAR(log2(last / error), 2, 0.45);
            last = error;
            FrMeshQuality q = quality_of(ctx, &mesh);
            CHECK(q.min_dihedral > 22); // measured 24.9
            CHECK_INT(q.sliver_count, 0);
            // outside nodes on the circle to rounding
            double worst = 0;
            for (int32_t n = 0; n < mesh.node_count; n++) {
                FrVec3 p = fr_get3(mesh.x, n);
                double r = sqrt(p.x * p.x + p.y * p.y);
                if (r > 0.999) worst = fr_max(worst, fabs(r - 1));
                CHECK(fabs(p.z) <= 1);
            }
            CHECK(worst < 1e-15); // rounding
            fr_tetmesh_free(ctx, &mesh);
        }
    }
    fr_context_destroy(ctx);
}

TEST(lathe_bowl_closes_at_the_axis) {
    FrContext *ctx = make_context(1);
    double rz[4][2] = {{0, 0}, {0.04, 0}, {0.09, 0.02}, {0.13, 0.08}};
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_lathe_layers(ctx, (FrProfile){rz, 4, 0.004}, 0.005, 2, &mesh));
    check_solid(ctx, &mesh, 2);
    FrMeshQuality q = quality_of(ctx, &mesh);
    CHECK(q.min_dihedral > 15);
    CHECK_INT(q.sliver_count, 0);
    CHECK(q.max_edge < 0.012); // about h on the inside of the wall, 1.5 h diagonals
    // Pappus: each side of the sheet sweeps wall * length * 2 pi r, corners mitred
    double exact = 0;
    for (int k = 0; k < 3; k++) {
        double dr = rz[k + 1][0] - rz[k][0], dz = rz[k + 1][1] - rz[k][1];
        exact += 0.004 * sqrt(dr * dr + dz * dz) * FR_PI * (rz[k + 1][0] + rz[k][0]);
    }
    CHECK_CLOSE(volume_of(&mesh), exact, 0.001); // mesh: chords at 5 mm edges, mitres
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(lathe_closed_profile_and_dome) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    double ring[5][2] = {{1, 0}, {1.5, 0}, {1.5, 0.5}, {1, 0.5}, {1, 0}};
    CHECK_OK(ctx, fr_mesh_lathe_layers(ctx, (FrProfile){ring, 5, 0.05}, 0.1, 1, &mesh));
    check_mesh(ctx, &mesh);
    FrSurfaceCheck facts = surface_facts(ctx, &mesh);
    CHECK_INT(facts.component_count, 2); // a torus within a torus
    CHECK_INT(facts.euler, 0);
    fr_tetmesh_free(ctx, &mesh);
    // a half sphere of 32 sides, against the volume between two half spheres
    double dome[33][2];
    for (int k = 0; k <= 32; k++) {
        double angle = FR_PI / 2 * k / 32;
        dome[k][0] = k == 0 ? 0 : sin(angle);
        dome[k][1] = cos(angle);
    }
    CHECK_OK(ctx, fr_mesh_lathe_layers(ctx, (FrProfile){dome, 33, 0.1}, 0.05, 2, &mesh));
    check_solid(ctx, &mesh, 2);
    double exact = 2.0 / 3 * FR_PI * (1.05 * 1.05 * 1.05 - 0.95 * 0.95 * 0.95);
    CHECK_CLOSE(volume_of(&mesh), exact, 2e-3); // mesh: 32 sides and edges of h = 0.05, (h / r)^2
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(lathe_refuses_what_cannot_be) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    double back[3][2] = {{1, 0}, {2, 0}, {1, 0.01}};
    CHECK_INT(fr_mesh_lathe_layers(ctx, (FrProfile){back, 3, 0.1}, 0.1, 1, &mesh), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "sharply");
    double thin[2][2] = {{0.1, 0}, {0.1, 1}};
    CHECK_INT(fr_mesh_lathe_layers(ctx, (FrProfile){thin, 2, 0.3}, 0.1, 1, &mesh), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "reaches the axis");
    double axis[3][2] = {{1, 0}, {0, 1}, {1, 2}};
    CHECK_INT(fr_mesh_lathe_layers(ctx, (FrProfile){axis, 3, 0.1}, 0.1, 1, &mesh), FR_BAD_INPUT);
    double same[3][2] = {{1, 0}, {1, 0}, {1, 2}};
    CHECK_INT(fr_mesh_lathe_layers(ctx, (FrProfile){same, 3, 0.1}, 0.1, 1, &mesh), FR_BAD_INPUT);
    fr_context_destroy(ctx);
}

static double angle_at(const FrTriangulation *t, const int32_t *v, int k) {
    const double *p = t->xy[v[k]], *q = t->xy[v[(k + 1) % 3]], *r = t->xy[v[(k + 2) % 3]];
    double ax = q[0] - p[0], ay = q[1] - p[1], bx = r[0] - p[0], by = r[1] - p[1];
    return atan2(fabs(ax * by - ay * bx), ax * bx + ay * by) * 180 / FR_PI;
}

// a square with a round hole, a slanted bar beside it: areas add up, angles are good
TEST(triangulation_has_the_area_and_good_angles) {
    FrContext *ctx = make_context(1);
    double xy[72][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int k = 0; k < 64; k++) {
        xy[4 + k][0] = 0.1 + 0.5 * cos(2 * FR_PI * k / 64);
        xy[4 + k][1] = 0.05 + 0.5 * sin(2 * FR_PI * k / 64);
    }
    double bar[4][2] = {{1.2, -1}, {1.7, -0.9}, {1.4, 1.0}, {1.1, 0.9}};
    memcpy(xy + 68, bar, sizeof bar);
    int32_t loop_end[3] = {4, 68, 72};
    double exact = 4 - 0.5 * 64 * 0.25 * sin(2 * FR_PI / 64), corner = 0;
    for (int k = 0; k < 4; k++) {
        const double *a = bar[k], *b = bar[(k + 1) % 4];
        corner += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    for (int s = 0; s < 4; s++) {
        FrTriangulation t;
        CHECK_OK(ctx,
                 fr_triangulate(ctx, &(FrOutline){3, 72, loop_end, xy}, 0.3 / (1 << s), 0.0, &t));
        double area = 0, least = 180;
        for (int32_t k = 0; k < t.tri_count; k++) {
            const double *a = t.xy[t.tri[k][0]], *b = t.xy[t.tri[k][1]], *c = t.xy[t.tri[k][2]];
            double twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            CHECK(twice > 0);
            area += 0.5 * twice;
            for (int j = 0; j < 3; j++) least = fr_min(least, angle_at(&t, t.tri[k], j));
        }
        CHECK_CLOSE(area, exact + corner, 1e-12); // rounding: a sum of some 1,000 triangles
        if (getenv("FRACAS_BENCH"))
            printf("h %g: %d tris, %.1f deg\n", 0.3 / (1 << s), t.tri_count, least);
        CHECK(s < 2 || least > 20); // measured 23.8; at h > 0.1 the hole's sides are shorter than h
        fr_triangulation_free(ctx, &t);
    }
    fr_context_destroy(ctx);
}

TEST(extrusion_of_a_letter) {
    FrContext *ctx = make_context(1);
    // an A without rounding: outer loop and the triangle in it
    double xy[11][2] = {{0, 0},   {0.2, 0}, {0.3, 0.3},   {0.5, 0.3},   {0.6, 0},  {0.8, 0},
                        {0.5, 1}, {0.3, 1}, {0.35, 0.45}, {0.45, 0.45}, {0.4, 0.8}};
    int32_t loop_end[2] = {8, 11};
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_extrusion(ctx, &(FrOutline){2, 11, loop_end, xy}, 0.2, 0.07, 0, &mesh));
    check_solid(ctx, &mesh, 0);
    double area = 0;
    for (int l = 0, begin = 0; l < 2; begin = loop_end[l++])
        for (int k = begin; k < loop_end[l]; k++) {
            const double *a = xy[k], *b = xy[k + 1 < loop_end[l] ? k + 1 : begin];
            area += (l ? -0.5 : 0.5) * (a[0] * b[1] - a[1] * b[0]);
        }
    CHECK_CLOSE(volume_of(&mesh), area * 0.2, 1e-12); // rounding: a sum over tets
    CHECK_INT(quality_of(ctx, &mesh).sliver_count, 0);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// in a grid all edges across the middle of a plate lie in three directions of 36
static double most_in_one_direction(const FrTetMesh *mesh, int axis) {
    int bin[36] = {0}, all = 0;
    for (int32_t k = 0; k < 6 * mesh->tet_count; k++) {
        static const int end[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
        const int32_t *v = mesh->tet[k / 6];
        FrVec3 a = fr_get3(mesh->x, v[end[k % 6][0]]), b = fr_get3(mesh->x, v[end[k % 6][1]]);
        FrVec3 way = fr_sub(b, a), mid = fr_scale(0.5, fr_add(a, b));
        if (fabs(fr_vec3_get(way, axis)) > 1e-9 || fr_length(mid) > 0.35) continue;
        double turn = atan2(fr_vec3_get(way, (axis + 2) % 3), fr_vec3_get(way, (axis + 1) % 3));
        bin[(int)floor(fmod(turn / FR_PI + 2.0, 1.0) * 36) % 36]++, all++;
    }
    int most = 0;
    for (int k = 0; k < 36; k++) most = fr_max_i(most, bin[k]);
    return (double)most / all;
}

TEST(scattered_points_leave_no_lines) {
    FrContext *ctx = make_context(1);
    for (int axis = 0; axis < 3; axis++) {
        double size[3] = {1.0, 1.0, 1.0};
        size[axis] = 0.06;
        FrTetMesh mesh;
        CHECK_OK(ctx, fr_mesh_scattered_box(ctx, fr_get3(size, 0), 0.05, 2, &mesh));
        check_solid(ctx, &mesh, 2);
        // rounding: a sum of some 1,000 tets
        CHECK_CLOSE(volume_of(&mesh), 0.06, 1e-12);
        CHECK_INT(quality_of(ctx, &mesh).sliver_count, 0);
        for (int k = 0; k < 3; k++) {
            double far = 0.0;
            for (int32_t n = 0; n < mesh.node_count; n++) far = fr_max(far, mesh.x[3 * n + k]);
            CHECK_CLOSE(far, 0.5 * size[k], 1e-12);
        }
        CHECK(most_in_one_direction(&mesh, axis) < 0.08);
        fr_tetmesh_free(ctx, &mesh);
        int32_t cells[3] = {axis ? 20 : 2, axis == 1 ? 2 : 20, axis == 2 ? 2 : 20};
        FrBox box = {fr_scale(-0.5, fr_get3(size, 0)), fr_scale(0.5, fr_get3(size, 0))};
        CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, cells, &mesh));
        CHECK(most_in_one_direction(&mesh, axis) > 0.3);
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

TEST(crossing_outlines_are_refused) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    double bow[4][2] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}};
    int32_t end[2] = {4, 8};
    FrOutline crossed = {1, 4, end, bow};
    CHECK_INT(fr_mesh_extrusion(ctx, &crossed, 1, 0.3, 0, &mesh), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "itself");
    double touch[8][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {1, 0.2}, {2, 0.2}, {2, 0.4}, {1, 0.4}};
    FrOutline touching = {2, 8, end, touch};
    CHECK_INT(fr_mesh_extrusion(ctx, &touching, 1, 0.3, 0, &mesh), FR_BAD_INPUT);
    int32_t short_end[1] = {2};
    crossed.loop_end = short_end;
    CHECK_INT(fr_mesh_extrusion(ctx, &crossed, 1, 0.3, 0, &mesh), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "at least 3");
    fr_context_destroy(ctx);
}

static FrResult make_all(FrContext *ctx) {
    FrTetMesh mesh;
    double rz[3][2] = {{0, 0}, {0.5, 0}, {1, 0.5}};
    FR_TRY(fr_mesh_lathe_layers(ctx, (FrProfile){rz, 3, 0.1}, 0.4, 1, &mesh));
    fr_tetmesh_free(ctx, &mesh);
    double xy[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    int32_t end[1] = {4};
    FR_TRY(fr_mesh_extrusion(ctx, &(FrOutline){1, 4, end, xy}, 0.3, 0.3, 1, &mesh));
    fr_tetmesh_free(ctx, &mesh);
    FR_TRY(fr_mesh_scattered_box(ctx, fr_vec3(1, 0.2, 1), 0.3, 1, &mesh));
    fr_tetmesh_free(ctx, &mesh);
    FR_TRY(fr_mesh_tube_layers(ctx, (FrTube){1, 0.5, 1}, 0.5, 1, &mesh));
    fr_tetmesh_free(ctx, &mesh);
    FR_TRY(fr_mesh_tube_layers(ctx, (FrTube){1, 0, 1}, 0.5, 1, &mesh));
    fr_tetmesh_free(ctx, &mesh);
    return FR_OK;
}

TEST(structured_refusals) { refuse_each(make_all); }
