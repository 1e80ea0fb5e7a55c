// split_cases.c: splitting a node: the templates, planes, refusals and lost memory.

#include "split_kit.h"
#include "base/hash.h"

static const FrVec3 up = {0, 0, 1};

// a mesh of these tets, turned to positive volume; they may overlap: only the corners matter
static void raw_mesh(FrContext *ctx, const double *x, int32_t nodes, const int32_t (*tet)[4],
                     int32_t tets, FrTetMesh *mesh) {
    CHECK_OK(ctx, fr_tetmesh_create(ctx, x, nodes, tet, tets, mesh));
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
    CHECK_NEAR(result.area, 0.375, 1e-15); // rounding
    cut_done(&t);
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
        CHECK_CLOSE(mesh_volume(fr_cutmesh_view(t.cut)), mesh_volume(&mesh), 1e-14); // rounding
        fr_tetmesh_free(ctx, &mesh);
        fr_cutlog_free(ctx, &t.log);
        fr_cutmesh_destroy(t.cut);
        fr_context_destroy(ctx);
    }
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
    CHECK_CLOSE(area, 4 * fr_length(slope), 1e-12); // rounding: section 2 x 2, seen along x
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
        CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (int32_t[3]){2, 2, 2}, &mesh));
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
        cut_done(&t);
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
    cut_done(&t);
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
    FR_TRY(fr_mesh_box_cells(ctx, box, (int32_t[3]){2, 2, 1}, &mesh));
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
