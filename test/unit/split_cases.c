// split_cases.c: splitting a node: the templates, planes, refusals, back-cracks and lost memory.

#include "split_kit.h"
#include "base/hash.h"

static const FrVec3 up = {0, 0, 1};

// a mesh of these tets, turned to positive volume; they may overlap: only the corners matter
static void raw_mesh(FrContext *ctx, const double *x, int32_t nodes, const int32_t (*tet)[4],
                     int32_t tets, FrTetMesh *mesh) {
    CHECK_OK(ctx, fr_tetmesh_create(ctx, x, nodes, tet, tets, NULL, mesh));
    fr_tetmesh_orient(mesh);
}

// options that cut wherever the plane goes
static FrSplitOptions exact(void) {
    FrSplitOptions o = {.min_quality = 1e-9};
    return o;
}

// children of one tet of the first mesh
static int32_t children_of(const FrCutLog *log, int32_t tet) {
    int32_t count = 0;
    for (int32_t k = 0; k < log->tet_count; k++) count += log->tets[k].parent == tet;
    return count ? count : 1;
}

// a lone tet cut through a corner: two nodes on edges, all three of the cut's nodes doubled, two
// pieces of three tets [M7]
TEST(lone_tet_falls_in_two) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    CutTest t;
    const double x[12] = {0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, -1};
    const int32_t tet[1][4] = {{0, 1, 2, 3}};
    raw_mesh(ctx, x, 4, tet, 1, &mesh);
    cut_begin(&t, ctx, &mesh, 1);
    FrSplitOptions options = exact();
    FrSplitResult result = cut_split(&t, 0, up, &options);
    CHECK_INT(result.outcome, FR_SPLIT_DONE);
    CHECK_INT(result.front_count, 0);
    CHECK_INT(t.log.node_count, 5);
    CHECK_INT(fr_cutmesh_view(t.cut)->tet_count, 3);
    FrMeshCheck check;
    CHECK_OK(ctx, fr_tetmesh_check(ctx, fr_cutmesh_view(t.cut), &check));
    CHECK_INT(check.component_count, 2);
    // the cut: (0 0 0) (1 .5 0) (.5 1 0), half of |(1 .5 0) x (.5 1 0)|
    CHECK_NEAR(result.area, 0.375, 1e-15);
    check_whole(&t);
    cut_end(&t);
    fr_context_destroy(ctx);
}

// how many tets the star tet becomes for the heights of its other corners [M7's table, primary]
TEST(primary_templates) {
    const double z[][3] = {{1, -1, 0}, {1, 1, -1}, {1, -1, -1}};
    const int32_t wanted[] = {2, 3, 3};
    for (int k = 0; k < 3; k++) {
        FrContext *ctx = make_context(1);
        FrTetMesh mesh;
        CutTest t;
        const double x[12] = {0, 0, 0, 1, 0, z[k][0], 0, 1, z[k][1], -1, -0.5, z[k][2]};
        const int32_t tet[1][4] = {{0, 1, 2, 3}};
        raw_mesh(ctx, x, 4, tet, 1, &mesh);
        cut_begin(&t, ctx, &mesh, 1);
        FrSplitOptions options = exact();
        CHECK_INT(cut_split(&t, 0, up, &options).outcome, FR_SPLIT_DONE);
        CHECK_INT(children_of(&t.log, 0), wanted[k]);
        cut_end(&t);
        fr_context_destroy(ctx);
    }
}

// How many tets a neighbour without the split node becomes [M7's table, secondary]. Tet 0 has
// corners a b c d = 1 2 3 4 at heights z; star tets with node 0 hold the edges that the plane cuts.
TEST(secondary_templates) {
    typedef struct Case {
        double z[4];
        int32_t star[2][4]; // tets round node 0
        int32_t low, high;
    } Case;
    const Case cases[] = {
        {{1, -1, 0, 1}, {{0, 1, 2, 3}, {0, 1, 2, 5}}, 2, 2},   // one edge
        {{1, 1, -1, 1}, {{0, 1, 2, 3}, {0, 1, 3, 5}}, 3, 3},   // two of one face
        {{1, -1, 1, -1}, {{0, 1, 2, 5}, {0, 3, 4, 6}}, 4, 4},  // two opposite
        {{1, -1, -1, -1}, {{0, 1, 2, 3}, {0, 1, 2, 4}}, 4, 4}, // three at one corner
        {{1, -1, 1, -1}, {{0, 1, 2, 3}, {0, 1, 2, 4}}, 4, 5},  // three of the 4-cycle
        {{1, 1, -1, -1}, {{0, 1, 2, 3}, {0, 1, 2, 4}}, 6, 6},  // all of the 4-cycle
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        FrContext *ctx = make_context(1);
        FrTetMesh mesh;
        CutTest t;
        const double *z = cases[k].z;
        const double x[21] = {0,    0, 0,    1,    0.1, z[0], -0.3, 1,  z[1], -1, -0.7,
                              z[2], 3, -0.5, z[3], 1.5, 2,    0,    -3, 1,    0};
        int32_t tet[3][4] = {{1, 2, 3, 4}};
        memcpy(tet[1], cases[k].star, sizeof cases[k].star);
        raw_mesh(ctx, x, 7, tet, 3, &mesh);
        CHECK_OK(ctx, fr_cutmesh_create(ctx, &mesh, &t.cut));
        fr_cutlog_init(&t.log, 7);
        FrSplitOptions options = exact();
        FrSplitResult result;
        CHECK_OK(ctx, fr_cutmesh_split(t.cut, 0, up, &options, &t.log, &result));
        CHECK_INT(result.outcome, FR_SPLIT_DONE);
        int32_t found = children_of(&t.log, 0);
        if (found < cases[k].low || found > cases[k].high)
            TEST_FAIL("case %zu: %d tets, wanted %d to %d", k, found, cases[k].low, cases[k].high);
        CHECK_CLOSE(mesh_volume(fr_cutmesh_view(t.cut)), mesh_volume(&mesh), 1e-14);
        fr_tetmesh_free(ctx, &mesh);
        fr_cutlog_free(ctx, &t.log);
        fr_cutmesh_destroy(t.cut);
        fr_context_destroy(ctx);
    }
}

static void unit_box(FrContext *ctx, int32_t nx, int32_t ny, int32_t nz, CutTest *t) {
    FrTetMesh mesh;
    FrBox box = {{0, 0, 0}, {nx, ny, nz}};
    CHECK_OK(ctx, fr_mesh_box(ctx, box, (int32_t[3]){nx, ny, nz}, &mesh));
    cut_begin(t, ctx, &mesh, 3);
}

static int32_t node_at(const CutTest *t, double x, double y, double z) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (fr_distance(fr_get3(mesh->x, n), fr_vec3(x, y, z)) < 1e-9) return n;
    TEST_FAIL("no node at %g %g %g", x, y, z);
    return 0;
}

// a crack led through a bar: in the plane to rounding, its area that of the section, two pieces at
// the end, and none before
TEST(crack_goes_through) {
    FrContext *ctx = make_context(1);
    CutTest t;
    unit_box(ctx, 4, 2, 2, &t);
    FrVec3 at = {2, 1, 1}, slope = {1, -1 / 3.0, -1 / 5.0}, normal = fr_normalize(slope);
    FrSplitOptions options = exact();
    options.back_angle = 0;
    int32_t waiting[200], count = 0, splits = 0;
    double area = 0;
    waiting[count++] = node_at(&t, 2, 1, 1);
    while (count > 0 && splits < 100) {
        FrSplitResult result = cut_split(&t, waiting[--count], normal, &options);
        if (result.outcome != FR_SPLIT_DONE) continue;
        splits++;
        area += result.area;
        for (int32_t k = 0; k < result.front_count && count < 200; k++)
            waiting[count++] = result.front[k];
        check_whole(&t);
    }
    const FrTetMesh *mesh = fr_cutmesh_view(t.cut);
    for (int32_t k = 0; k < t.log.face_count; k++)
        for (int i = 0; i < 3; i++) {
            FrVec3 p = fr_get3(mesh->x, t.log.faces[k].plus_node[i]);
            CHECK_NEAR(fr_dot(fr_sub(p, at), normal), 0, 1e-15); // rounding of places near 2
        }
    FrMeshCheck check;
    CHECK_OK(ctx, fr_tetmesh_check(ctx, mesh, &check));
    CHECK_INT(check.component_count, 2);
    CHECK_CLOSE(area, 4 * fr_length(slope), 1e-12); // section 2 x 2, seen along x
    CHECK_INT(check_euler(ctx, mesh), 4);           // two balls
    cut_end(&t);
    fr_context_destroy(ctx);
}

// nodes nearer the plane than the thresholds lie on it: nothing is cut
TEST(near_nodes_snap) {
    for (int by_angle = 0; by_angle < 2; by_angle++) {
        FrContext *ctx = make_context(1);
        CutTest t;
        unit_box(ctx, 2, 2, 2, &t);
        FrSplitOptions options = exact();
        FrVec3 normal = fr_normalize(fr_vec3(0.04, 0.03, 1)); // 0.05 rad off the z axis
        int32_t node = node_at(&t, 1, 1, 1);
        if (by_angle)
            options.snap_angle = 0.06;
        else
            options.snap_distance = 0.1; // of mean edges of about 1.3
        CHECK_INT(cut_split(&t, node, normal, &options).outcome, FR_SPLIT_DONE);
        for (int32_t k = 0; k < t.log.node_count; k++) // copies only
            CHECK_INT(t.log.nodes[k].a, t.log.nodes[k].b);
        CHECK_INT(fr_cutmesh_view(t.cut)->tet_count, 48);
        check_whole(&t);
        cut_end(&t);
        unit_box(ctx, 2, 2, 2, &t);
        options = exact();
        options.snap_distance = 0.001;
        CHECK_INT(cut_split(&t, node, normal, &options).outcome, FR_SPLIT_DONE);
        CHECK(t.log.nodes[0].a != t.log.nodes[0].b);
        cut_end(&t);
        fr_context_destroy(ctx);
    }
}

// E22: thresholds are shares of the edges, so that a bead breaks as a house of the same form does;
// the 5 mm of S2 would snap every node of the bead
TEST(size_does_not_choose_what_snaps) {
    FrSplitOptions options = fr_split_options_default();
    FrVec3 normal = fr_normalize(fr_vec3(0.3, 0.2, 1));
    FrNewNode made[64];
    int32_t nodes = 0, tets = 0;
    for (int k = 0; k < 3; k++) {
        FrContext *ctx = make_context(1);
        CutTest t;
        FrTetMesh mesh;
        double size = k == 0 ? 1.0 : k == 1 ? 0x1p-10 : 0x1p10; // of two: the same digits
        FrBox box = {{0, 0, 0}, {2 * size, 2 * size, 2 * size}};
        CHECK_OK(ctx, fr_mesh_box(ctx, box, (int32_t[3]){2, 2, 2}, &mesh));
        cut_begin(&t, ctx, &mesh, 1);
        CHECK_INT(cut_split(&t, node_at(&t, size, size, size), normal, &options).outcome,
                  FR_SPLIT_DONE);
        if (k == 0) {
            nodes = t.log.node_count, tets = fr_cutmesh_view(t.cut)->tet_count;
            CHECK(nodes > 4 && nodes <= 64 && tets > 48);
            memcpy(made, t.log.nodes, sizeof *made * (size_t)nodes);
        }
        CHECK_INT(t.log.node_count, nodes);
        CHECK_INT(fr_cutmesh_view(t.cut)->tet_count, tets);
        for (int32_t n = 0; n < nodes && n < t.log.node_count; n++)
            CHECK(t.log.nodes[n].a == made[n].a && t.log.nodes[n].b == made[n].b &&
                  t.log.nodes[n].t == made[n].t);
        check_whole(&t);
        cut_end(&t);
        fr_context_destroy(ctx);
    }
}

// remeshing off: labels by the middles of the tets, no new tets, no nodes on edges
TEST(along_faces_only_opens) {
    FrContext *ctx = make_context(1);
    CutTest t;
    unit_box(ctx, 3, 3, 3, &t);
    FrSplitOptions options = fr_split_options_default();
    options.along_faces = true;
    FrSplitResult result = cut_split(&t, node_at(&t, 1, 1, 1), fr_vec3(0.6, 0, 0.8), &options);
    CHECK_INT(result.outcome, FR_SPLIT_DONE);
    CHECK_INT(fr_cutmesh_view(t.cut)->tet_count, t.first_tets);
    for (int32_t k = 0; k < t.log.node_count; k++) CHECK_INT(t.log.nodes[k].a, t.log.nodes[k].b);
    CHECK(result.front_count >= 3); // an inner node: a closed ring of front nodes
    check_whole(&t);
    cut_end(&t);
    fr_context_destroy(ctx);
}

TEST(refusals_change_nothing) {
    FrContext *ctx = make_context(1);
    CutTest t;
    unit_box(ctx, 2, 2, 2, &t);
    uint64_t before = fr_tetmesh_hash(fr_cutmesh_view(t.cut));
    FrSplitOptions options = fr_split_options_default();
    // a corner, with all its tets on one side
    FrVec3 diagonal = fr_normalize(fr_vec3(1, 1, 1));
    CHECK_INT(cut_split(&t, node_at(&t, 0, 0, 0), diagonal, &options).outcome, FR_SPLIT_VOID);
    // a corner piece of less than a cell
    options.min_piece = 1.0;
    options.back_angle = 0;
    FrVec3 across = fr_normalize(fr_vec3(1, -1, 0));
    CHECK_INT(cut_split(&t, node_at(&t, 0, 0, 0), across, &options).outcome, FR_SPLIT_DONE);
    cut_end(&t);
    FrTetMesh lone;
    CHECK_OK(ctx, cut_shape(ctx, CUT_TET, &lone));
    cut_begin(&t, ctx, &lone, 2);
    before = fr_tetmesh_hash(fr_cutmesh_view(t.cut));
    options = fr_split_options_default();
    options.min_piece = 0.6 * t.volume; // one side is smaller whatever the plane
    CHECK_INT(cut_split(&t, 0, across, &options).outcome, FR_SPLIT_POOR);
    CHECK(fr_tetmesh_hash(fr_cutmesh_view(t.cut)) == before);
    options = fr_split_options_default();
    options.min_height = 0.99; // no child is as tall as its parent
    CHECK_INT(cut_split(&t, 0, across, &options).outcome, FR_SPLIT_POOR);
    CHECK(fr_tetmesh_hash(fr_cutmesh_view(t.cut)) == before);
    options.min_height = 0;
    CHECK_INT(cut_split(&t, 0, across, &options).outcome, FR_SPLIT_DONE);
    cut_end(&t);
    fr_context_destroy(ctx);
}

// a block with a slit from x = 0 to x = 3 at half height
static void notched(FrContext *ctx, CutTest *t) {
    unit_box(ctx, 6, 2, 4, t);
    FrSplitOptions options = fr_split_options_default();
    options.back_angle = 0;
    for (int x = 0; x < 3; x++)
        for (int y = 0; y <= 2; y++) cut_split(t, node_at(t, x, y, 2), up, &options);
    CHECK_CLOSE(t->area, 2 * (12 + 24 + 8) + 2 * 6, 1e-12); // slit: 3 x 2
    check_whole(t);
}

// At the tip of a slit, a plane turned by 30 degrees meets material behind the tip as well. With
// avoidance only the part ahead opens, and no tet behind the tip is cut. [S6 4.3, M8]
TEST(no_crack_runs_back) {
    for (int avoid = 0; avoid < 2; avoid++) {
        FrContext *ctx = make_context(1);
        CutTest t;
        notched(ctx, &t);
        FrSplitOptions options = fr_split_options_default();
        if (!avoid) options.back_angle = 0;
        int32_t face0 = t.log.face_count, node0 = t.log.node_count;
        FrVec3 turned = {sin(FR_PI / 6), 0, cos(FR_PI / 6)};
        FrSplitResult result = cut_split(&t, node_at(&t, 3, 1, 2), turned, &options);
        CHECK_INT(result.outcome, FR_SPLIT_DONE);
        const FrTetMesh *mesh = fr_cutmesh_view(t.cut);
        int behind = 0;
        for (int32_t k = face0; k < t.log.face_count; k++)
            for (int i = 0; i < 3; i++)
                behind += mesh->x[3 * t.log.faces[k].plus_node[i]] < 3 - 1e-9;
        for (int32_t k = node0; k < t.log.node_count; k++)
            behind += mesh->x[3 * (t.log.first_node + k)] < 3 - 1e-9;
        CHECK((behind == 0) == avoid);
        // one chain of nodes ahead: it turns round the split node from tip node to tip node
        if (avoid) CHECK(result.front_count >= 3);
        check_whole(&t);
        cut_end(&t);
        fr_context_destroy(ctx);
    }
}

// a plane at 15 degrees to the surface is refused at 20, cut when allowed
TEST(shallow_cracks_are_refused) {
    FrContext *ctx = make_context(1);
    CutTest t;
    unit_box(ctx, 4, 4, 2, &t);
    FrSplitOptions options = fr_split_options_default();
    options.snap_angle = options.snap_distance = 0.01;
    FrVec3 shallow = {sin(FR_PI / 12), 0, cos(FR_PI / 12)};
    int32_t node = node_at(&t, 2, 2, 2);
    CHECK_INT(cut_split(&t, node, shallow, &options).outcome, FR_SPLIT_VOID);
    options.back_angle = 0.2;
    options.min_height = 0;
    CHECK_INT(cut_split(&t, node, shallow, &options).outcome, FR_SPLIT_DONE);
    check_whole(&t);
    cut_end(&t);
    fr_context_destroy(ctx);
}

// how far the faces that opened since face0 lie off a plane, rad: mean, weighted with their areas
static double mean_tilt(const CutTest *t, int32_t face0, FrVec3 normal) {
    const double *x = fr_cutmesh_view(t->cut)->x;
    double sum = 0, weight = 0;
    for (int32_t k = face0; k < t->log.face_count; k++) {
        const int32_t *n = t->log.faces[k].plus_node;
        FrVec3 a = fr_get3(x, n[0]);
        FrVec3 s = fr_cross(fr_sub(fr_get3(x, n[1]), a), fr_sub(fr_get3(x, n[2]), a));
        double size = fr_length(s);
        sum += size * acos(fr_min(1, fabs(fr_dot(s, normal)) / size));
        weight += size;
    }
    return sum / weight;
}

// Cuts of any direction through whole tets, none of whose parts may be flat (cut_split looks): the
// points of the cut give way, and the crack stays near its plane all the same. Along faces it is
// three times as far off.
TEST(mended_cuts_stay_near_their_plane) {
    FrContext *ctx = make_context(1);
    double tilt[2] = {0, 0};
    int done[2] = {0, 0};
    for (int k = 0; k < 60; k++)
        for (int faces = 0; faces < 2; faces++) {
            CutTest t;
            unit_box(ctx, 4, 4, 4, &t);
            FrSplitOptions options = fr_split_options_default();
            options.min_height = 0.2;
            options.along_faces = faces;
            FrVec3 n = fr_normalize(fr_vec3(cos(0.7 * k), sin(0.7 * k), 0.1 * (k % 20) - 1));
            if (cut_split(&t, node_at(&t, 2, 2, 2), n, &options).outcome == FR_SPLIT_DONE) {
                tilt[faces] += mean_tilt(&t, 0, n);
                done[faces]++;
            }
            cut_end(&t);
        }
    tilt[0] /= done[0], tilt[1] /= done[1];
    printf("  %d of 60 cuts, off by %.1f degrees; along faces %.1f\n", done[0],
           tilt[0] * 180 / FR_PI, tilt[1] * 180 / FR_PI);
    CHECK(done[0] > 50);
    CHECK(tilt[0] < tilt[1] / 3);
    fr_context_destroy(ctx);
}

// share of the area opened that lies within 1 degree of a face of the first mesh at that place
static double share_along_faces(const CutTest *t, const FrTetMesh *first) {
    const double *x = fr_cutmesh_view(t->cut)->x;
    double along = 0, whole = 0;
    for (int32_t k = 0; k < t->log.face_count; k++) {
        const FrOpenFace *f = &t->log.faces[k];
        FrVec3 a = fr_get3(x, f->plus_node[0]), b = fr_get3(x, f->plus_node[1]),
               c = fr_get3(x, f->plus_node[2]);
        FrVec3 s = fr_cross(fr_sub(b, a), fr_sub(c, a));
        double size = fr_length(s), most = 0;
        int32_t root = f->plus;
        for (int32_t e = t->log.tet_count - 1; e >= 0; e--)
            if (t->log.tets[e].child == root) root = t->log.tets[e].parent;
        for (int i = 0; i < 4; i++) {
            const int8_t *o = fr_tet_face[i];
            FrVec3 q = fr_get3(first->x, first->tet[root][o[0]]);
            FrVec3 n = fr_cross(fr_sub(fr_get3(first->x, first->tet[root][o[1]]), q),
                                fr_sub(fr_get3(first->x, first->tet[root][o[2]]), q));
            most = fr_max(most, fabs(fr_dot(s, n)) / (size * fr_length(n)));
        }
        along += most > cos(FR_PI / 180) ? size : 0;
        whole += size;
    }
    return along / whole;
}

// Cuts of any direction whose parts may not be flat: few of them end in faces of the mesh.
TEST(mended_cuts_seldom_follow_faces) {
    FrContext *ctx = make_context(1);
    double share = 0;
    int done = 0;
    for (int k = 0; k < 60; k++) {
        CutTest t;
        FrTetMesh first;
        unit_box(ctx, 4, 4, 4, &t);
        CHECK_OK(ctx,
                 fr_mesh_box(ctx, (FrBox){{0, 0, 0}, {4, 4, 4}}, (int32_t[3]){4, 4, 4}, &first));
        FrSplitOptions options = fr_split_options_default();
        options.min_height = 0.2;
        options.snap_distance = 0.02;
        options.snap_angle = 0.02;
        options.snap_part = 0.25;
        FrVec3 n = fr_normalize(fr_vec3(cos(0.7 * k), sin(0.7 * k), 0.1 * (k % 20) - 1));
        if (cut_split(&t, node_at(&t, 2, 2, 2), n, &options).outcome == FR_SPLIT_DONE) {
            share += share_along_faces(&t, &first);
            done++;
        }
        cut_end(&t);
        fr_tetmesh_free(ctx, &first);
    }
    share /= done;
    printf("  %d of 60 cuts, %.1f %% of their area in faces of the mesh\n", done, 100 * share);
    CHECK(done > 50);
    CHECK(share < 0.05);
    fr_context_destroy(ctx);
}

// A wall of two layers, each a sixth as thick as its tets are wide, and upright planes: what gives
// way does so through the wall, and a crack led in from one side stays upright.
TEST(cracks_stand_upright_in_thin_walls) {
    FrContext *ctx = make_context(1);
    double lean = 0, area = 0;
    int done = 0;
    for (int k = 0; k < 60; k++) {
        CutTest t;
        FrTetMesh mesh;
        FrBox box = {{0, 0, 0}, {6, 6, 0.5}};
        CHECK_OK(ctx, fr_mesh_box(ctx, box, (int32_t[3]){4, 4, 2}, &mesh));
        cut_begin(&t, ctx, &mesh, 3);
        FrSplitOptions options = fr_split_options_default();
        options.min_height = 0.4;
        options.snap_distance = options.snap_angle = 0.02;
        options.together = 0.4;
        FrVec3 n = fr_vec3(cos(0.7 * k), sin(0.7 * k), 0);
        int32_t next[64] = {node_at(&t, 3, 3, 0.5)}, count = 1;
        for (int32_t i = 0; i < count && i < 6; i++) {
            FrSplitResult r = cut_split(&t, next[i], n, &options);
            for (int32_t j = 0; r.outcome == FR_SPLIT_DONE && j < r.front_count && count < 64; j++)
                next[count++] = r.front[j];
            done += r.outcome == FR_SPLIT_DONE;
        }
        const double *x = fr_cutmesh_view(t.cut)->x;
        for (int32_t f = 0; f < t.log.face_count; f++) {
            const int32_t *c = t.log.faces[f].plus_node;
            FrVec3 a = fr_get3(x, c[0]);
            FrVec3 s = fr_cross(fr_sub(fr_get3(x, c[1]), a), fr_sub(fr_get3(x, c[2]), a));
            lean += fabs(s.z);
            area += fr_length(s);
        }
        cut_end(&t);
    }
    printf("  %d cuts, %.1f %% of their area lies flat\n", done, 100 * lean / area);
    CHECK(done > 200);
    CHECK(lean < 0.05 * area);
    fr_context_destroy(ctx);
}

// A plane that crosses the front of a slit by 25 degrees is turned to hold it: the new faces hang
// on the edges of the front, and the tip moves on as a whole. [S6 4.3]
TEST(a_crack_goes_on_along_its_front) {
    FrContext *ctx = make_context(1);
    CutTest t;
    notched(ctx, &t);
    FrSplitOptions options = fr_split_options_default();
    int32_t node = node_at(&t, 3, 1, 2), face0 = t.log.face_count;
    FrVec3 across = {0, sin(25 * FR_PI / 180), cos(25 * FR_PI / 180)};
    CHECK_INT(cut_split(&t, node, across, &options).outcome, FR_SPLIT_DONE);
    CHECK_NEAR(mean_tilt(&t, face0, up), 0, 0.1);
    int hung = 0;
    for (int32_t k = face0; k < t.log.face_count; k++)
        for (int i = 0; i < 3; i++) {
            FrVec3 x = fr_get3(fr_cutmesh_view(t.cut)->x, t.log.faces[k].plus_node[i]);
            hung += x.x == 3 && x.y != 1 && x.z == 2;
        }
    CHECK_INT(hung, 2); // both ends of the front
    check_whole(&t);
    cut_end(&t);
    fr_context_destroy(ctx);
}

// Where a crack turns, it keeps part of its direction: by half of the turn where both weigh alike.
TEST(cracks_turn_by_part_of_what_is_asked) {
    double turned[3];
    const double weight[3] = {0, 1, 10};
    for (int k = 0; k < 3; k++) {
        FrContext *ctx = make_context(1);
        CutTest t;
        notched(ctx, &t);
        FrSplitOptions options = {.min_quality = 1e-9, .back_angle = 0.35, .straight = weight[k]};
        FrVec3 asked = {sin(0.4), 0, cos(0.4)};
        int32_t face0 = t.log.face_count;
        CHECK_INT(cut_split(&t, node_at(&t, 3, 1, 2), asked, &options).outcome, FR_SPLIT_DONE);
        turned[k] = mean_tilt(&t, face0, up);
        check_whole(&t);
        cut_end(&t);
        fr_context_destroy(ctx);
    }
    CHECK_CLOSE(turned[0], 0.4, 1e-9);
    CHECK_CLOSE(turned[1], 0.2, 1e-9);
    CHECK(turned[2] > 0 && turned[2] < 0.05);
}

// a wedge of 60 degrees between z = 0 and a slope, swept along y
static void wedge(FrContext *ctx, CutTest *t) {
    FrTetMesh mesh;
    FrBox box = {{0, 0, 0}, {4, 2, 2}};
    CHECK_OK(ctx, fr_mesh_box(ctx, box, (int32_t[3]){4, 2, 2}, &mesh));
    for (int32_t n = 0; n < mesh.node_count; n++)
        mesh.x[3 * n] += mesh.x[3 * n + 2] / tan(FR_PI / 3);
    cut_begin(t, ctx, &mesh, 3);
}

// the least angle between the faces of a crack and the surface at their common edges, rad
static double least_angle(const CutTest *t) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    FrSurface surface;
    double least = FR_PI;
    CHECK_OK(t->ctx, fr_tetmesh_surface(t->ctx, mesh, &surface));
    for (int32_t k = 0; k < 2 * t->log.face_count; k++)
        for (int32_t s = 0; s < surface.tri_count; s++) {
            const FrOpenFace *f = &t->log.faces[k / 2];
            const int32_t *a = k % 2 ? f->minus_node : f->plus_node, *b = surface.tri[s];
            int32_t shared = 0, edge[3], apex_a = 0, apex_b = 0;
            for (int i = 0; i < 3; i++) {
                bool in_b = a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
                bool in_a = b[i] == a[0] || b[i] == a[1] || b[i] == a[2];
                if (in_b) edge[shared++] = a[i];
                if (!in_b) apex_a = a[i];
                if (!in_a) apex_b = b[i];
            }
            // the same fan of the material: both triangles belong to one tet
            if (shared != 2 || surface.tet[s] != (k % 2 ? f->minus : f->plus)) continue;
            FrVec3 o = fr_get3(mesh->x, edge[0]);
            FrVec3 e = fr_normalize(fr_sub(fr_get3(mesh->x, edge[1]), o));
            FrVec3 p = fr_sub(fr_get3(mesh->x, apex_a), o), q = fr_sub(fr_get3(mesh->x, apex_b), o);
            p = fr_axpy(-fr_dot(p, e), e, p);
            q = fr_axpy(-fr_dot(q, e), e, q);
            least = fr_min(least, atan2(fr_length(fr_cross(p, q)), fr_dot(p, q)));
        }
    fr_surface_free(t->ctx, &surface);
    return least;
}

// new faces form no small angle with the surface, whatever the plane; without avoidance they do
// [S6 fig. 4.19]
TEST(no_small_angles_with_the_surface) {
    double least[2] = {FR_PI, FR_PI};
    int done[2] = {0};
    for (int k = 0; k < 400; k++) {
        FrContext *ctx = make_context(1);
        FrRandom random = fr_random_for(11, "ends", (uint64_t)k);
        FrVec3 normal = {fr_random_normal(&random), fr_random_normal(&random),
                         fr_random_normal(&random)};
        CutTest t;
        wedge(ctx, &t);
        FrSplitOptions options = fr_split_options_default();
        options.snap_angle = options.snap_distance = 0.01;
        options.min_height = options.min_quality = 0;
        int avoid = k % 2;
        if (!avoid) options.back_angle = 0;
        // on the sharp edge, or in the middle of the floor
        int32_t node = k % 4 < 2 ? node_at(&t, 0, 1, 0) : node_at(&t, 2, 1, 0);
        FrSplitResult result = cut_split(&t, node, fr_normalize(normal), &options);
        if (result.outcome == FR_SPLIT_DONE) {
            least[avoid] = fr_min(least[avoid], least_angle(&t));
            done[avoid]++;
        }
        if (k % 20 < 2) check_whole(&t);
        cut_end(&t);
        fr_context_destroy(ctx);
    }
    CHECK(least[0] < 0.1);
    CHECK(least[1] > 0.35 - 0.01); // nodes snap within 0.01 rad
    CHECK(done[1] > done[0] / 2);
}

static uint64_t log_hash(const FrCutLog *log) {
    FrHash hash;
    fr_hash_begin(&hash, 1);
    for (int32_t k = 0; k < log->tet_count; k++) {
        const FrSplitTet *s = &log->tets[k];
        fr_hash_bytes(&hash, s->node, sizeof s->node);
        fr_hash_u64(&hash, (uint64_t)s->child << 32 | (uint32_t)s->parent);
        fr_hash_u64(&hash, (uint64_t)s->group);
    }
    for (int32_t k = 0; k < log->node_count; k++) {
        fr_hash_u64(&hash, (uint64_t)log->nodes[k].a << 32 | (uint32_t)log->nodes[k].b);
        fr_hash_bytes(&hash, &log->nodes[k].t, sizeof(double));
    }
    for (int32_t k = 0; k < log->face_count; k++) {
        fr_hash_bytes(&hash, log->faces[k].plus_node, sizeof log->faces[k].plus_node);
        fr_hash_bytes(&hash, log->faces[k].minus_node, sizeof log->faces[k].minus_node);
    }
    return fr_hash_end(&hash);
}

static uint64_t star_hash(const FrCutMesh *cut) {
    FrHash hash;
    fr_hash_begin(&hash, fr_tetmesh_hash(fr_cutmesh_view(cut)));
    for (int32_t n = 0; n < fr_cutmesh_view(cut)->node_count; n++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(cut, n, &count);
        fr_hash_u64(&hash, (uint64_t)count);
        fr_hash_bytes(&hash, star, (size_t)count * sizeof *star);
        fr_hash_bytes(&hash, fr_cutmesh_placed(cut) + 3 * (size_t)n, 3 * sizeof(double));
    }
    return fr_hash_end(&hash);
}

// a fixed run of splits; after a refusal the same split is asked for again, and mesh, stars and log
// must have stayed as they were
static FrResult split_run(FrContext *ctx, uint64_t *end) {
    FrTetMesh mesh;
    FrCutMesh *cut;
    FrCutLog log = {0};
    FrBox box = {{0, 0, 0}, {2, 2, 1}};
    FR_TRY(fr_mesh_box(ctx, box, (int32_t[3]){2, 2, 1}, &mesh));
    FrResult result = fr_cutmesh_create(ctx, &mesh, &cut), refused = FR_OK;
    fr_cutlog_init(&log, mesh.node_count);
    FrSplitOptions options = fr_split_options_default();
    options.min_piece = 0.05;
    FrRandom random = fr_random_for(5, "run", 0);
    for (int k = 0; result == FR_OK && k < 30; k++) {
        int32_t node = fr_random_below(&random, fr_cutmesh_view(cut)->node_count);
        FrVec3 n = {fr_random_normal(&random), fr_random_normal(&random), 1};
        FrSplitResult said;
        uint64_t mesh_before = star_hash(cut), log_before = log_hash(&log);
        result = fr_cutmesh_split(cut, node, fr_normalize(n), &options, &log, &said);
        if (result == FR_OK || refused) continue;
        CHECK(star_hash(cut) == mesh_before);
        CHECK(log_hash(&log) == log_before);
        refused = result;
        result = fr_cutmesh_split(cut, node, fr_normalize(n), &options, &log, &said);
    }
    if (result == FR_OK) *end = star_hash(cut) ^ log_hash(&log);
    fr_cutmesh_destroy(cut);
    fr_cutlog_free(ctx, &log);
    fr_tetmesh_free(ctx, &mesh);
    return refused ? refused : result;
}

TEST(lost_memory_changes_nothing) {
    uint64_t wanted = 0;
    for (int k = 0; k < 2000; k++) {
        Refuser r = {0};
        FrContext *ctx = make_refusing_context(&r);
        r.refuse_at = k ? r.calls + k : 0;
        uint64_t end = 0;
        FrResult result = split_run(ctx, k ? &end : &wanted);
        bool refused = k && r.calls >= r.refuse_at;
        CHECK_INT(result, refused ? FR_NO_MEMORY : FR_OK);
        if (end) CHECK(end == wanted);
        fr_context_destroy(ctx);
        CHECK_INT(r.live, 0);
        if (k && !refused) return;
    }
    TEST_FAIL("the run asks for memory without end");
}

// memory is asked for to grow, in ever larger steps, and not for each split
TEST(splits_ask_for_little_memory) {
    Refuser r = {0};
    FrContext *ctx = make_refusing_context(&r);
    FrTetMesh mesh;
    FrCutMesh *cut;
    FrCutLog log;
    CHECK_OK(ctx, cut_shape(ctx, CUT_GRADED, &mesh));
    CHECK_OK(ctx, fr_cutmesh_create(ctx, &mesh, &cut));
    fr_cutlog_init(&log, mesh.node_count);
    FrSplitOptions options = fr_split_options_default();
    FrRandom random = fr_random_for(6, "run", 0);
    int before = r.calls, done = 0;
    for (int k = 0; k < 1000; k++) {
        FrVec3 n = {fr_random_normal(&random), fr_random_normal(&random), 1};
        FrSplitResult said;
        CHECK_OK(ctx, fr_cutmesh_split(cut, k % mesh.node_count, fr_normalize(n), &options, &log,
                                       &said));
        done += said.outcome == FR_SPLIT_DONE;
    }
    CHECK(done > 500);
    // about 25 arrays that double a few times from their first size
    CHECK(r.calls - before < 250);
    fr_cutmesh_destroy(cut);
    fr_cutlog_free(ctx, &log);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}
