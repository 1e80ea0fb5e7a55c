// geom_winding.c: winding numbers of broken surfaces are as exact as they say, and so are the sides
// and the meshes that hang on them.

#include "test.h"
#include "geom.h"
#include "geom/field.h"
#include "geom/solid.h"
#include "geom/solid_tree.h"
#include "mesh/stuffing.h"

/// What is wrong with a surface: one triangle in so many; 0: none.
typedef struct Damage {
    int32_t hole, loose, turned, doubled;
    double seam; ///< how far the corners of loose triangles are off, m
} Damage;

static FrTriMesh damaged(FrContext *ctx, const FrTriMesh *mesh, Damage d, FrRandom *random) {
    FrTriMesh out;
    CHECK_OK(ctx, fr_trimesh_alloc(ctx, mesh->point_count + 3 * mesh->tri_count,
                                   2 * mesh->tri_count, &out));
    memcpy(out.p, mesh->p, 3 * sizeof *out.p * (size_t)mesh->point_count);
    out.point_count = mesh->point_count, out.tri_count = 0;
    for (int32_t t = 0; t < mesh->tri_count; t++) {
        int32_t *tri = out.tri[out.tri_count];
        if (d.hole && t % d.hole == 1) continue;
        bool turned = d.turned && t % d.turned == 2, loose = d.loose && t % d.loose == 3;
        for (int c = 0; c < 3; c++) {
            tri[c] = mesh->tri[t][turned ? 2 - c : c];
            if (!loose) continue;
            FrVec3 x = fr_get3(mesh->p, tri[c]), off;
            off.x = fr_random_range(random, -d.seam, d.seam);
            off.y = fr_random_range(random, -d.seam, d.seam);
            off.z = fr_random_range(random, -d.seam, d.seam);
            fr_set3(out.p, tri[c] = out.point_count++, fr_add(x, off));
        }
        out.tri_count++;
        if (d.doubled && t % d.doubled == 4) memcpy(out.tri[out.tri_count++], tri, sizeof *out.tri);
    }
    return out;
}

enum { KINDS = 5 };

// holes, seams, doubles and crossings; one of each, and one that has all
static FrTriMesh broken(FrContext *ctx, int kind, FrRandom *random) {
    static const Damage damage[KINDS] = {
        {.hole = 50},
        {.loose = 5, .seam = 0.01},
        {.doubled = 4, .hole = 90},
        {.turned = 9},
        {.hole = 80, .loose = 7, .turned = 40, .doubled = 30, .seam = 0.003}};
    FrTriMesh ball = make_sphere(ctx, 1, 16, 32), ring = make_torus(ctx, 1, 0.3, 30, 12);
    for (int32_t n = 0; n < ring.point_count; n++) ring.p[3 * n] += 0.6; // runs through the ball
    FrTriMesh both = join_meshes(ctx, &ball, &ring);
    FrTriMesh out = damaged(ctx, kind == 1 ? &ball : &both, damage[kind], random);
    fr_trimesh_free(ctx, &ball);
    fr_trimesh_free(ctx, &ring);
    fr_trimesh_free(ctx, &both);
    return out;
}

static FrTree make_tree(FrContext *ctx, const FrTriMesh *mesh) {
    FrTree tree;
    CHECK_OK(ctx, fr_tree_create(ctx, mesh, &tree));
    fr_tree_fill(ctx, &tree, mesh);
    return tree;
}

// anywhere near it, or right beside one of its triangles
static FrVec3 random_place(FrRandom *random, const FrTriMesh *mesh, FrBox box) {
    if (fr_random_below(random, 2)) return random_in(random, box);
    const int32_t *tri = mesh->tri[fr_random_below(random, mesh->tri_count)];
    FrVec3 a = fr_lerp(fr_get3(mesh->p, tri[0]), fr_get3(mesh->p, tri[1]), fr_random_unit(random));
    FrVec3 x = fr_lerp(a, fr_get3(mesh->p, tri[2]), fr_random_unit(random));
    double far = pow(10, -4 * fr_random_unit(random));
    return random_in(random, fr_box_grow((FrBox){x, x}, 0.3 * far));
}

TEST(bounds_hold_on_broken_surfaces) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrRandom random = fr_random_for(1, "bounds", 0);
    for (int kind = 0; kind < KINDS; kind++) {
        FrTriMesh mesh = broken(ctx, kind, &random);
        FrTree tree = make_tree(ctx, &mesh);
        double far = 0.0, bounds = 0.0;
        for (int k = 0; k < 1000; k++) {
            FrVec3 x = random_place(&random, &mesh, fr_box_grow(tree.bounds, 0.5));
            double w = exact_winding(&mesh, x);
            FrWinding quick = fr_tree_winding(&tree, x, 1.0),
                      close = fr_tree_winding(&tree, x, 4.0);
            FrWinding exact = fr_tree_winding(&tree, x, HUGE_VAL);
            // rounding: sums of 2,000 angles
            CHECK(fabs(quick.turns - w) <= quick.bound + 1e-12);
            CHECK(fabs(close.turns - w) <= close.bound + 1e-12); // rounding: the same
            CHECK(close.bound <= quick.bound);
            CHECK_NEAR(exact.turns, w, 1e-12); // rounding: the same
            CHECK(exact.bound == 0.0);
            far = fr_max(far, fabs(quick.turns - w));
            bounds += quick.bound / 1000;
        }
        // three terms: what solid.h says of it, found up to 0.008
        CHECK(far < 0.02);
        // worth having: 1/2 is what tells inside from outside
        CHECK(far > 0.0 && bounds < 0.5);
        fr_tree_free(ctx, &tree);
        fr_trimesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// sides are those of the exact sum, but where that is 1/2 to a thousandth
TEST(sides_are_those_of_exact_sums) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrRandom random = fr_random_for(2, "sides", 0);
    for (int kind = 0; kind < KINDS; kind++) {
        FrTriMesh mesh = broken(ctx, kind, &random);
        FrSolid *solid;
        CHECK_OK(ctx, fr_solid_create(ctx, &mesh, &solid));
        int32_t inside = 0, unclear = 0;
        for (int k = 0; k < 1000; k++) {
            FrVec3 x = random_place(&random, &mesh, fr_solid_bounds(solid));
            double w = fabs(exact_winding(fr_solid_mesh(solid), x));
            if (fabs(w - 0.5) < 1e-3) {
                unclear++;
                continue;
            }
            inside += w > 0.5;
            CHECK((fabs(fr_solid_winding(solid, x)) > 0.5) == (w > 0.5));
        }
        CHECK(inside > 100 && inside < 900 && unclear < 100);
        fr_solid_destroy(ctx, solid);
        fr_trimesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// two balls as one list of triangles, broken; `flipped`: inside out
static FrTriMesh two_balls(FrContext *ctx, double radius, double aside, bool flipped,
                           FrRandom *random) {
    FrTriMesh a = make_sphere(ctx, 1, 20, 40), b = make_sphere(ctx, radius, 20, 40);
    for (int32_t n = 0; n < b.point_count; n++) b.p[3 * n] += aside;
    FrTriMesh both = join_meshes(ctx, &a, &b);
    Damage damage = {.hole = 80, .loose = 7, .turned = 40, .doubled = 30, .seam = 0.003};
    FrTriMesh out = damaged(ctx, &both, damage, random);
    if (flipped) flip(&out);
    fr_trimesh_free(ctx, &a);
    fr_trimesh_free(ctx, &b);
    fr_trimesh_free(ctx, &both);
    return out;
}

// what runs through another part or doubles it slightly apart is no wall of a cavity: all points
// farther than 0.05 from the balls, more than holes and facets are deep, are on their right side
TEST(parts_that_run_through_each_other_are_full) {
    static const double aside[3] = {0.9, 0.3, 0.0}, radius[3] = {0.8, 0.6, 0.98};
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrRandom random = fr_random_for(7, "full", 0);
    for (int kind = 0; kind < 6; kind++) {
        int k = kind / 2;
        FrTriMesh mesh = two_balls(ctx, radius[k], aside[k], kind % 2, &random);
        FrSolid *solid;
        CHECK_OK(ctx, fr_solid_create(ctx, &mesh, &solid));
        int32_t wrong = 0, inside = 0;
        for (int n = 0; n < 4000; n++) {
            FrVec3 x = random_in(&random, fr_box_grow(fr_solid_bounds(solid), 0.2));
            double one = fr_length(x) - 1,
                   two = fr_distance(x, fr_vec3(aside[k], 0, 0)) - radius[k];
            if (fr_min(fabs(one), fabs(two)) < 0.05) continue;
            wrong += (fr_solid_distance(solid, x) < 0) != (fr_min(one, two) < 0);
            inside += fr_min(one, two) < 0;
        }
        CHECK_INT(wrong, 0);
        CHECK(inside > 500);
        fr_solid_destroy(ctx, solid);
        fr_trimesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// up to four triangles there are no harmonics: the sum of angles itself is tested, to rounding
TEST(few_triangles_are_exact) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh box = make_box(ctx, fr_vec3(-1, -1, -1), fr_vec3(1, 1, 1));
    FrRandom random = fr_random_for(3, "few", 0);
    box.tri_count = 4;
    FrTree tree = make_tree(ctx, &box);
    for (int k = 0; k < 2000; k++) {
        FrVec3 x = random_in(&random, fr_box_grow(tree.bounds, 0.3));
        double w = fr_tree_winding(&tree, x, HUGE_VAL).turns;
        CHECK_NEAR(w, exact_winding(&box, x), 1e-13); // rounding
    }
    fr_tree_free(ctx, &tree);
    fr_trimesh_free(ctx, &box);
    fr_context_destroy(ctx);
}

static double slope(const FrTriMesh *mesh, FrVec3 x, FrVec3 step) {
    double up = exact_winding(mesh, fr_add(x, step)), down = exact_winding(mesh, fr_sub(x, step));
    return (up - down) / (2 * fr_length(step));
}

TEST(gradient_is_the_slope) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh mesh = make_sphere(ctx, 1, 12, 24);
    mesh.tri_count -= 120;
    FrTree tree = make_tree(ctx, &mesh);
    FrRandom random = fr_random_for(4, "gradient", 0);
    int checked = 0;
    for (int k = 0; k < 3000; k++) {
        FrVec3 x = random_in(&random, fr_box_grow(tree.bounds, 0.5));
        if (exact_distance(&mesh, x) < 0.2) continue;
        double h = 1e-4;
        FrVec3 g = {slope(&mesh, x, fr_vec3(h, 0, 0)), slope(&mesh, x, fr_vec3(0, h, 0)),
                    slope(&mesh, x, fr_vec3(0, 0, h))};
        // three terms: the fourth falls off once more with the distance than it does in the number
        CHECK(fr_distance(fr_tree_winding_gradient(&tree, x, 1.0), g) < 0.03 * fr_length(g) + 0.02);
        // rounding: differences of numbers near 1 over 2e-4, and curvature times 1e-8
        CHECK(fr_distance(fr_tree_winding_gradient(&tree, x, HUGE_VAL), g) < 1e-6);
        checked++;
    }
    CHECK(checked > 500);
    fr_tree_free(ctx, &tree);
    fr_trimesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// with and without AVX2, whatever is asked
TEST(lanes_give_the_same_bits) {
    if (!fr_cpu_has_avx2()) return;
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrRandom random = fr_random_for(5, "lanes", 0);
    const FrTreeQueries *p = &fr_tree_queries_portable, *q = &fr_tree_queries_avx2;
    FrTriMesh mesh = broken(ctx, KINDS - 1, &random);
    FrTree tree = make_tree(ctx, &mesh);
    for (int k = 0; k < 1000; k++) {
        FrVec3 x = random_place(&random, &mesh, fr_box_grow(tree.bounds, 0.5));
        FrWinding a = p->winding(&tree, x, 1.0), b = q->winding(&tree, x, 1.0);
        CHECK(a.turns == b.turns && a.bound == b.bound);
        CHECK(p->nearest2(&tree, x) == q->nearest2(&tree, x));
        CHECK_INT(p->turns(&tree, x), q->turns(&tree, x));
        FrVec3 g = p->gradient(&tree, x, 1.0), h = q->gradient(&tree, x, 1.0);
        CHECK(g.x == h.x && g.y == h.y && g.z == h.z);
    }
    fr_tree_free(ctx, &tree);
    fr_trimesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(meshes_are_those_of_exact_sums) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrRandom random = fr_random_for(6, "meshes", 0);
    for (int kind = 0; kind < 2; kind++) {
        FrTriMesh mesh = broken(ctx, kind, &random);
        FrSolid *solid;
        FrField field, exact;
        FrTetMesh a, b;
        CHECK_OK(ctx, fr_solid_create(ctx, &mesh, &solid));
        fr_solid_field(solid, &field);
        fr_solid_exact_field(solid, &exact);
        FrStuffingOptions options = fr_stuffing_options_default(0.15);
        FrStuffingReport of_a, of_b;
        options.thin = FR_THIN_ALLOW;
        CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &a, &of_a));
        CHECK_OK(ctx, fr_mesh_stuff(ctx, &exact, &options, &b, &of_b));
        // model: cut points in holes move by a thousandth of these, and a few of them less or more
        CHECK_CLOSE(of_a.volume, of_b.volume, 1e-3);
        CHECK_CLOSE(a.tet_count, b.tet_count, 3e-3);
        CHECK(a.tet_count > 3000);
        fr_tetmesh_free(ctx, &a);
        fr_tetmesh_free(ctx, &b);
        fr_solid_destroy(ctx, solid);
        fr_trimesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
}

static uint64_t hash_with(int32_t workers) {
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = workers;
    FrContext *ctx = fr_context_create(&def);
    FrRandom random = fr_random_for(8, "workers", 0);
    FrTriMesh mesh = broken(ctx, KINDS - 1, &random);
    FrSolid *solid;
    FrField field;
    FrTetMesh tets;
    CHECK_OK(ctx, fr_solid_create(ctx, &mesh, &solid));
    fr_solid_field(solid, &field);
    FrStuffingOptions options = fr_stuffing_options_default(0.12);
    options.thin = FR_THIN_ALLOW;
    CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &tets, NULL));
    uint64_t hash = fr_tetmesh_hash(&tets) ^ (uint64_t)fr_solid_report(solid)->flipped_tris;
    fr_tetmesh_free(ctx, &tets);
    fr_solid_destroy(ctx, solid);
    fr_trimesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
    return hash;
}

TEST(meshes_are_the_same_for_any_number_of_workers) {
    uint64_t one = hash_with(1);
    CHECK(hash_with(2) == one);
    CHECK(hash_with(5) == one);
}
