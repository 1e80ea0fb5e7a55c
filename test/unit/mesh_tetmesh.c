// mesh_tetmesh.c: making, checking, renumbering meshes, their topology, quality and node sets.

#include "mesh_support.h"
#include "mesh/structured.h"
#include "base/random.h"

static const double corner[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};

static FrTetMesh make_box(FrContext *ctx, int32_t n) {
    FrTetMesh mesh;
    FrBox box = {{0, 0, 0}, {1, 1, 1}};
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (int32_t[3]){n, n, n}, &mesh));
    return mesh;
}

static FrResult check_of(FrContext *ctx, const int32_t (*tet)[4], int32_t count, int32_t nodes,
                         FrMeshCheck *check) {
    FrTetMesh mesh;
    FR_TRY(fr_tetmesh_create(ctx, corner[0], nodes, tet, count, &mesh));
    FrResult result = fr_tetmesh_check(ctx, &mesh, check);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}

TEST(check_names_what_is_wrong) {
    FrContext *ctx = make_context(1);
    FrMeshCheck check;
    int32_t good[2][4] = {{0, 1, 2, 3}, {1, 2, 3, 4}};
    CHECK_OK(ctx, check_of(ctx, good, 2, 5, &check));
    CHECK_INT(check.component_count, 1);
    CHECK_CLOSE(check.volume, 0.5, 1e-15); // rounding: of a third and a sixth
    int32_t turned[1][4] = {{1, 0, 2, 3}};
    CHECK_INT(check_of(ctx, turned, 1, 4, &check), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "tet 0 (from 0) has volume -0.16");
    int32_t twice[3][4] = {{0, 1, 2, 3}, {1, 2, 3, 4}, {1, 2, 0, 3}};
    CHECK_INT(check_of(ctx, twice, 3, 5, &check), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "same four corners");
    CHECK_INT(check.duplicate_tets, 1);
    CHECK_INT(check_of(ctx, good, 1, 5, &check), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "node 4 (from 0) is in no tet");
    int32_t range[1][4] = {{0, 1, 2, 9}}, same[1][4] = {{0, 1, 2, 2}};
    CHECK_INT(check_of(ctx, range, 1, 4, &check), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "node 9, allowed 0 to 3");
    CHECK_INT(check_of(ctx, same, 1, 4, &check), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "twice");
    fr_context_destroy(ctx);
}

TEST(orient_turns_only_the_wrong_ones) {
    FrContext *ctx = make_context(1);
    int32_t tet[2][4] = {{0, 1, 2, 3}, {2, 1, 3, 4}};
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_tetmesh_create(ctx, corner[0], 5, tet, 2, &mesh));
    CHECK_INT(fr_tetmesh_orient(&mesh), 1);
    check_mesh(ctx, &mesh);
    CHECK_INT(fr_tetmesh_orient(&mesh), 0);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(hash_sees_every_array) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh = make_box(ctx, 2);
    uint64_t before = fr_tetmesh_hash(&mesh);
    double x = mesh.x[5];
    mesh.x[5] = nextafter(x, 2);
    CHECK(fr_tetmesh_hash(&mesh) != before);
    mesh.x[5] = x;
    CHECK(fr_tetmesh_hash(&mesh) == before);
    int32_t n = mesh.tet[3][0];
    mesh.tet[3][0] = mesh.tet[3][1];
    CHECK(fr_tetmesh_hash(&mesh) != before);
    mesh.tet[3][0] = n;
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// mass properties of a turned, moved, mirrored box against the closed form
TEST(transform_and_mass_properties) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    FrBox box = {{-1, -0.5, -0.25}, {1, 0.5, 0.25}};
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (int32_t[3]){3, 2, 1}, &mesh));
    FrMat3 turn = fr_quat_mat3(fr_quat_from_rotation(fr_vec3(0.3, -1.1, 0.7)));
    FrMat3 mirror = fr_mat3(fr_vec3(-1, 0, 0), fr_vec3(0, 1, 0), fr_vec3(0, 0, 1));
    FrVec3 offset = {100, -200, 300};
    CHECK_OK(ctx, fr_tetmesh_transform(ctx, &mesh, fr_mat3_mul(turn, mirror), offset));
    check_mesh(ctx, &mesh);
    FrSolidProps p = fr_tetmesh_props(&mesh);
    // rounding: coordinates of 300 are known to 6e-14: volumes of size 1 to about that
    CHECK_CLOSE(p.volume, 1.0, 1e-12);
    CHECK_NEAR(fr_distance(p.centre, offset), 0, 1e-11);
    // V/12 (b^2 + c^2) about the axes of the box, turned into place
    FrSym3 own = {(1 + 0.25) / 12, (4 + 0.25) / 12, (4 + 1.0) / 12, 0, 0, 0};
    FrMat3 full = fr_mat3_mul(turn, fr_mat3_mul(fr_sym3_full(own), fr_mat3_transpose(turn)));
    FrMat3 off = fr_mat3_axpy(-1, fr_sym3_full(p.inertia), full);
    CHECK_NEAR(fr_mat3_norm(off), 0, 1e-11);
    CHECK_INT(fr_tetmesh_transform(ctx, &mesh, fr_mat3_zero, offset), FR_BAD_USE);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(regular_tet_has_its_angles) {
    FrContext *ctx = make_context(1);
    double x[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    int32_t tet[1][4] = {{0, 1, 2, 3}};
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_tetmesh_create(ctx, x[0], 4, tet, 1, &mesh));
    fr_tetmesh_orient(&mesh);
    FrMeshQuality q;
    CHECK_OK(ctx, fr_tetmesh_quality(ctx, &mesh, &q));
    // rounding: a few dozen operations
    CHECK_CLOSE(q.min_dihedral, acos(1.0 / 3) * 180 / FR_PI, 1e-14);
    CHECK_CLOSE(q.max_dihedral, q.min_dihedral, 1e-14);
    CHECK_CLOSE(q.min_radius_ratio, 1, 1e-14);
    CHECK_CLOSE(q.mean_edge, sqrt(8), 1e-15);
    CHECK_INT(q.histogram[7], 6);
    CHECK_INT(q.sliver_count, 0);
    fr_tetmesh_free(ctx, &mesh);
    // flattened, it is a sliver
    double flat[4][3] = {{0, 0, 0}, {1, 0, 0.0001}, {1, 1, 0}, {0, 1, 0.0001}};
    CHECK_OK(ctx, fr_tetmesh_create(ctx, flat[0], 4, tet, 1, &mesh));
    fr_tetmesh_orient(&mesh);
    CHECK_OK(ctx, fr_tetmesh_quality(ctx, &mesh, &q));
    CHECK_INT(q.sliver_count, 1);
    CHECK(q.max_dihedral > 179 && q.min_radius_ratio < 1e-3);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(renumbering_keeps_the_shape) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh = make_box(ctx, 6);
    // shuffle the tets, then renumber twice: same result both times
    FrRandom r = fr_random_for(1, "shuffle", 0);
    for (int32_t e = mesh.tet_count - 1; e > 0; e--) {
        int32_t f = fr_random_below(&r, e + 1), t[4];
        memcpy(t, mesh.tet[e], sizeof t);
        memcpy(mesh.tet[e], mesh.tet[f], sizeof t);
        memcpy(mesh.tet[f], t, sizeof t);
    }
    CHECK_OK(ctx, fr_tetmesh_renumber(ctx, &mesh));
    check_mesh(ctx, &mesh);
    CHECK_CLOSE(fr_tetmesh_props(&mesh).volume, 1, 1e-13); // rounding: a sum of 1,296 tets
    CHECK_INT(surface_facts(ctx, &mesh).tri_count, 6 * 36 * 2);
    uint64_t once = fr_tetmesh_hash(&mesh);
    // neighbours in space are neighbours in memory: mean spread of node numbers in a tet
    double spread = 0;
    for (int32_t e = 0; e < mesh.tet_count; e++)
        for (int k = 1; k < 4; k++)
            spread += abs(mesh.tet[e][k] - mesh.tet[e][0]) / (3.0 * mesh.tet_count);
    CHECK(spread < 0.25 * mesh.node_count); // at random: a third
    CHECK_OK(ctx, fr_tetmesh_renumber(ctx, &mesh));
    CHECK(fr_tetmesh_hash(&mesh) == once);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(neighbours_edges) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh = make_box(ctx, 3);
    int32_t(*across)[4];
    CHECK_OK(ctx, fr_tet_neighbours(ctx, &mesh, &across));
    int32_t open = 0, wrong = 0;
    for (int32_t e = 0; e < mesh.tet_count; e++)
        for (int i = 0; i < 4; i++) {
            int32_t o = across[e][i];
            if (o < 0) open++;
            if (o < 0) continue;
            const int32_t *b = across[o];
            wrong += b[0] != e && b[1] != e && b[2] != e && b[3] != e;
        }
    CHECK_INT(open, 6 * 9 * 2);
    CHECK_INT(wrong, 0);
    fr_free(ctx, across);
    // Euler's formula for a ball: nodes - edges + faces - tets = 1
    FrEdges edges;
    CHECK_OK(ctx, fr_tetmesh_edges(ctx, &mesh, &edges));
    int32_t faces = (4 * mesh.tet_count + open) / 2;
    CHECK_INT(mesh.node_count - edges.count + faces - mesh.tet_count, 1);
    for (int32_t e = 0; e < mesh.tet_count; e++)
        for (int k = 0; k < 6; k++) {
            int32_t a = mesh.tet[e][fr_tet_edge[k][0]], b = mesh.tet[e][fr_tet_edge[k][1]];
            const int32_t *n = edges.node[edges.of_tet[e][k]];
            CHECK(n[0] == fr_min_i(a, b) && n[1] == fr_max_i(a, b));
        }
    fr_edges_free(ctx, &edges);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// a wheel of 200 tets about one axis: both of its nodes have hundreds of faces
TEST(neighbours_round_a_hub) {
    enum { SPOKES = 200 };
    FrContext *ctx = make_context(2);
    double x[SPOKES + 2][3] = {{0, 0, 0}, {0, 0, 1}};
    int32_t tet[SPOKES][4], (*across)[4], wrong = 0;
    for (int k = 0; k < SPOKES; k++) {
        double angle = 2 * FR_PI * k / SPOKES;
        x[k + 2][0] = cos(angle), x[k + 2][1] = sin(angle), x[k + 2][2] = 0.5;
        int32_t t[4] = {0, 1, 2 + k, 2 + (k + 1) % SPOKES};
        memcpy(tet[k], t, sizeof t);
    }
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_tetmesh_create(ctx, x[0], SPOKES + 2, tet, SPOKES, &mesh));
    fr_tetmesh_orient(&mesh);
    CHECK_OK(ctx, fr_tet_neighbours(ctx, &mesh, &across));
    for (int32_t e = 0; e < SPOKES; e++)
        for (int i = 0; i < 4; i++) {
            int32_t n = mesh.tet[e][i], wanted = -1; // behind the face opposite n
            if (n == 2 + e) wanted = (e + 1) % SPOKES;
            if (n == 2 + (e + 1) % SPOKES) wanted = (e + SPOKES - 1) % SPOKES;
            wrong += across[e][i] != wanted;
        }
    CHECK_INT(wrong, 0);
    fr_free(ctx, across);
    check_mesh(ctx, &mesh);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// the closed oriented surface: divergence theorem gives the volume, areas sum to zero
TEST(surface_is_closed_and_points_out) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh = make_box(ctx, 4);
    FrSurface surface;
    CHECK_OK(ctx, fr_tetmesh_surface(ctx, &mesh, &surface));
    FrVec3 area = fr_vec3_zero;
    double volume = 0;
    for (int32_t k = 0; k < surface.tri_count; k++) {
        FrVec3 a = fr_get3(mesh.x, surface.tri[k][0]), b = fr_get3(mesh.x, surface.tri[k][1]),
               c = fr_get3(mesh.x, surface.tri[k][2]);
        area = fr_axpy(0.5, fr_cross(fr_sub(b, a), fr_sub(c, a)), area);
        volume += fr_dot(a, fr_cross(b, c)) / 6;
    }
    // rounding: sums of 192 triangles
    CHECK_NEAR(fr_length(area), 0, 1e-13);
    CHECK_NEAR(volume, 1, 1e-13);
    FrSurfaceCheck facts = surface_facts(ctx, &mesh);
    CHECK_INT(facts.euler, 2);
    CHECK_INT(facts.nonmanifold_edges, 0);
    CHECK_INT(facts.nonmanifold_nodes, 0);
    CHECK_INT(facts.component_count, 1);
    fr_surface_free(ctx, &surface);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// two tets that share only an edge, and two that share only a node
TEST(hinges_are_found_and_split) {
    FrContext *ctx = make_context(1);
    double x[7][3] = {{0, 0, 0},  {0, 0, 1},   {1, 0, 0}, {1, 1, 0},
                      {-1, 0, 0}, {-1, -1, 0}, {0, 0, -1}};
    int32_t edge[2][4] = {{0, 2, 3, 1}, {0, 4, 5, 1}};
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_tetmesh_create(ctx, x[0], 6, edge, 2, &mesh));
    fr_tetmesh_orient(&mesh);
    FrMeshCheck check;
    CHECK_OK(ctx, fr_tetmesh_check(ctx, &mesh, &check));
    CHECK_INT(check.nonmanifold_edges, 1);
    CHECK_INT(check.component_count, 2);
    int32_t split;
    int32_t(*across)[4];
    CHECK_OK(ctx, fr_tet_neighbours(ctx, &mesh, &across));
    CHECK_OK(ctx, fr_tetmesh_split_hinges(ctx, &mesh, across, &split));
    fr_free(ctx, across);
    CHECK_INT(split, 2);
    CHECK_OK(ctx, fr_tetmesh_check(ctx, &mesh, &check));
    CHECK_INT(check.nonmanifold_edges, 0);
    CHECK_INT(surface_facts(ctx, &mesh).euler, 4);
    // keep one of them
    uint8_t keep[2] = {0, 1};
    CHECK_OK(ctx, fr_tetmesh_keep(ctx, &mesh, keep));
    CHECK_INT(mesh.tet_count, 1);
    CHECK_INT(mesh.node_count, 4);
    check_mesh(ctx, &mesh);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

static FrResult use_everything(FrContext *ctx) {
    FrTetMesh mesh, copy;
    FrBox box = {{0, 0, 0}, {1, 1, 1}};
    FR_TRY(fr_mesh_box_cells(ctx, box, (int32_t[3]){2, 2, 2}, &mesh));
    FrMeshQuality q;
    FrResult r = fr_tetmesh_check(ctx, &mesh, NULL);
    if (r == FR_OK) r = fr_tetmesh_renumber(ctx, &mesh);
    if (r == FR_OK) r = fr_tetmesh_quality(ctx, &mesh, &q);
    int32_t(*across)[4] = NULL;
    if (r == FR_OK) r = fr_tet_neighbours(ctx, &mesh, &across);
    if (r == FR_OK) r = fr_tetmesh_split_hinges(ctx, &mesh, across, NULL);
    fr_free(ctx, across);
    uint8_t keep[48] = {1, 1, 0, 1};
    if (r == FR_OK) r = fr_tetmesh_copy(ctx, &mesh, &copy);
    if (r == FR_OK) {
        r = fr_tetmesh_keep(ctx, &copy, keep);
        fr_tetmesh_free(ctx, &copy);
    }
    fr_tetmesh_free(ctx, &mesh);
    return r;
}

TEST(topology_refusals) { refuse_each(use_everything); }
