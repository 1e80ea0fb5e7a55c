// mesh_embed.c: fine surfaces follow coarse tets, and cuts are followed through.

#include "mesh_support.h"
#include "cut/cutlog.h"
#include "skin/embed.h"
#include "mesh/locate.h"
#include "mesh/structured.h"
#include "base/random.h"

static FrVec3 random_in(FrRandom *r, double lo, double hi) {
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = fr_random_range(r, lo, hi);
    return fr_vec3(x[0], x[1], x[2]);
}

// a ball of triangles: points on a sphere, normals, uv
enum { RINGS = 12, AROUND = 24, POINTS = (RINGS + 1) * AROUND, TRIS = 2 * RINGS * AROUND };
typedef struct Skin {
    double x[3 * POINTS], normal[3 * POINTS], uv[2 * POINTS];
    int32_t tri[TRIS][3];
} Skin;

static void make_skin(Skin *s, double radius, FrVec3 centre) {
    int32_t t = 0;
    for (int i = 0; i <= RINGS; i++)
        for (int j = 0; j < AROUND; j++) {
            double u = 0.1 + (FR_PI - 0.2) * i / RINGS, v = 2 * FR_PI * j / AROUND;
            FrVec3 n = {sin(u) * cos(v), sin(u) * sin(v), cos(u)};
            int32_t k = i * AROUND + j;
            fr_set3(s->normal, k, n);
            fr_set3(s->x, k, fr_axpy(radius, n, centre));
            s->uv[2 * k] = v, s->uv[2 * k + 1] = u;
            if (i == RINGS) continue;
            int32_t right = i * AROUND + (j + 1) % AROUND;
            int32_t a[2][3] = {{k, k + AROUND, right}, {right, k + AROUND, right + AROUND}};
            memcpy(s->tri[t], a, sizeof a);
            t += 2;
        }
}

static void positions(const FrEmbedded *e, const FrTetMesh *mesh, const double *p, double *out) {
    for (int32_t k = 0; k < e->point_count; k++)
        fr_set3(out, k, fr_point_carried((const int32_t(*)[4])mesh->tet, &e->at[k], p));
}

// an affine motion of the nodes moves points by the same map, normals by its inverse transpose
TEST(affine_maps_are_followed_to_rounding) {
    FrContext *ctx = make_context(2);
    FrTetMesh mesh;
    FrBox box = {{0, 0, 0}, {1, 1, 1}};
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (int32_t[3]){5, 4, 3}, &mesh));
    static Skin skin;
    make_skin(&skin, 0.45, fr_vec3(0.5, 0.5, 0.5));
    FrEmbedded e;
    FrEmbedReport report;
    FrTriMesh surface = {POINTS, TRIS, skin.x, skin.tri, skin.normal, skin.uv};
    CHECK_OK(ctx, fr_embed(ctx, &mesh, &surface, &e, &report));
    CHECK_INT(report.outside_count, 0);
    FrMat3 map = fr_mat3(fr_vec3(1.3, 0.2, -0.4), fr_vec3(0.1, 0.7, 0.3), fr_vec3(-0.2, 0.5, 1.1));
    FrVec3 offset = {3, -1, 2};
    double *p = fr_alloc(ctx, sizeof(double) * 3 * (size_t)mesh.node_count);
    for (int32_t n = 0; n < mesh.node_count; n++)
        fr_set3(p, n, fr_add(offset, fr_mat3_apply(map, fr_get3(mesh.x, n))));
    static double x[3 * POINTS];
    positions(&e, &mesh, p, x);
    for (int32_t k = 0; k < POINTS; k++) {
        FrVec3 wanted = fr_add(offset, fr_mat3_apply(map, fr_get3(skin.x, k)));
        // rounding: affine maps of places of size 1 to 10
        CHECK_NEAR(fr_distance(fr_get3(x, k), wanted), 0, 1e-12);
        CHECK(e.normal[3 * k] == skin.normal[3 * k]);
        CHECK(e.uv[2 * k] == skin.uv[2 * k]);
    }
    fr_free(ctx, p);
    fr_embedded_free(ctx, &e);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(points_outside_follow_the_nearest_tet) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    FrBox box = {{0, 0, 0}, {1, 1, 1}};
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (int32_t[3]){3, 3, 3}, &mesh));
    double x[4][3] = {{0.5, 0.5, 0.5}, {0.5, 0.5, 1.25}, {-3, -4, 0.5}, {1, 1, 1}};
    FrEmbedded e;
    FrEmbedReport report;
    FrTriMesh points = {4, 0, x[0], NULL, NULL, NULL};
    CHECK_OK(ctx, fr_embed(ctx, &mesh, &points, &e, &report));
    CHECK_INT(report.outside_count, 2);
    CHECK_INT(report.worst_point, 2);
    // rounding: of places of size 1
    CHECK_CLOSE(report.worst, 5, 1e-14);
    double back[4][3];
    positions(&e, &mesh, mesh.x, back[0]);
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(fr_distance(fr_get3(back[0], k), fr_get3(x[0], k)), 0, 1e-13);
    fr_embedded_free(ctx, &e);
    double bad[1][3] = {{(double)NAN, 0, 0}};
    FrTriMesh lost = {1, 0, bad[0], NULL, NULL, NULL};
    CHECK_INT(fr_embed(ctx, &mesh, &lost, &e, NULL), FR_BAD_INPUT);
    int32_t tri[1][3] = {{0, 1, 7}};
    points.tri = tri, points.tri_count = 1;
    CHECK_INT(fr_embed(ctx, &mesh, &points, &e, NULL), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "point 7, allowed 0 to 3");
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// against trying every tet
TEST(locator_finds_the_nearest_of_all) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_tube_layers(ctx, (FrTube){1, 0.6, 1}, 0.3, 1, &mesh));
    FrLocator locator;
    CHECK_OK(ctx, fr_locator_create(ctx, &mesh, &locator));
    FrRandom r = fr_random_for(5, "locate", 0);
    for (int k = 0; k < 400; k++) {
        FrVec3 x = random_in(&r, -1.5, 1.5);
        double distance, b[4];
        FrPoint at = fr_locate(&locator, x, &distance);
        bool inside = false;
        for (int32_t e = 0; e < mesh.tet_count; e++) {
            fr_tet_weights(&mesh, e, x, b);
            inside |= b[0] >= 0 && b[1] >= 0 && b[2] >= 0 && b[3] >= 0;
            // no corner of any tet is nearer than the tet found
            for (int i = 0; i < 4; i++)
                CHECK(fr_distance(x, fr_get3(mesh.x, mesh.tet[e][i])) >= distance - 1e-12);
        }
        CHECK(inside ? distance == 0 : distance > 0);
        CHECK_NEAR(at.b[0] + at.b[1] + at.b[2] + at.b[3], 1, 1e-12); // rounding
    }
    fr_locator_free(ctx, &locator);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// one tet, its edge 0-1 divided at 1/3, then the second child divided again
TEST(cut_log_carries_arrays_and_points) {
    FrContext *ctx = make_context(1);
    double x[7][3] = {{0, 0, 0}, {3, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double v[7][3] = {{0, 0, 0}, {9, 3, 0}, {1, 1, 1}, {2, 2, 2}};
    FrCutLog log;
    fr_cutlog_init(&log, 4);
    int32_t m, n, copy, parent[4] = {0, 1, 2, 3};
    CHECK_OK(ctx, fr_cutlog_edge_node(ctx, &log, 0, 1, 1.0 / 3, &m));
    CHECK_INT(m, 4);
    int32_t child[2] = {0, 1}, node[2][4] = {{0, m, 2, 3}, {m, 1, 2, 3}};
    CHECK_OK(ctx, fr_cutlog_split(ctx, &log,
                                  &(FrChildren){0, parent, child, (const int32_t(*)[4])node, 2}));
    CHECK_OK(ctx, fr_cutlog_edge_node(ctx, &log, m, 1, 0.5, &n));
    CHECK_INT(n, 5);
    int32_t child2[2] = {1, 2}, node2[2][4] = {{m, n, 2, 3}, {n, 1, 2, 3}};
    CHECK_OK(ctx, fr_cutlog_split(
                      ctx, &log, &(FrChildren){1, node[1], child2, (const int32_t(*)[4])node2, 2}));
    CHECK_OK(ctx, fr_cutlog_edge_node(ctx, &log, m, m, 0, &copy));
    FrOpenFace face = {0, 1, {m, 2, 3}, {copy, 2, 3}, 0};
    CHECK_OK(ctx, fr_cutlog_open(ctx, &log, face));
    CHECK_INT(log.face_count, 1);
    CHECK_INT(log.tet_count, 4);
    fr_cutlog_apply_positions(&log, x[0]);
    fr_cutlog_apply_positions(&log, v[0]);
    // rounding: one mean each
    CHECK_NEAR(x[m][0], 1, 1e-15);
    CHECK_NEAR(x[n][0], 2, 1e-15);
    CHECK_NEAR(x[copy][0], x[m][0], TOL_EXACT);
    CHECK_NEAR(v[m][0], 3, 1e-15);
    CHECK_NEAR(v[m][1], 1, 1e-15);
    // points at random in the parent end in the child that holds them, at the same place
    FrRandom r = fr_random_for(2, "cut", 0);
    for (int k = 0; k < 200; k++) {
        FrPoint p = {.tet = 0};
        double sum = 0;
        for (int i = 0; i < 4; i++) sum += p.b[i] = fr_random_unit(&r) + 1e-3;
        FrVec3 before = fr_vec3_zero, after = fr_vec3_zero;
        for (int i = 0; i < 4; i++) {
            p.b[i] /= sum;
            before = fr_axpy(p.b[i], fr_get3(x[0], i), before);
        }
        CHECK_OK(ctx, fr_cutlog_retarget(ctx, &log, x[0], &p, 1));
        const int32_t *corners[3] = {node[0], node2[0], node2[1]};
        for (int i = 0; i < 4; i++) {
            after = fr_axpy(p.b[i], fr_get3(x[0], corners[p.tet][i]), after);
            CHECK(p.b[i] >= -1e-14);
        }
        CHECK_NEAR(fr_distance(before, after), 0, 1e-14); // rounding
    }
    // volumes of the children add up
    double whole =
        fr_volume6(fr_get3(x[0], 0), fr_get3(x[0], 1), fr_get3(x[0], 2), fr_get3(x[0], 3));
    double parts = 0;
    const int32_t *leaf[3] = {node[0], node2[0], node2[1]};
    for (int k = 0; k < 3; k++)
        parts += fr_volume6(fr_get3(x[0], leaf[k][0]), fr_get3(x[0], leaf[k][1]),
                            fr_get3(x[0], leaf[k][2]), fr_get3(x[0], leaf[k][3]));
    CHECK_CLOSE(parts, whole, 1e-14); // rounding
    // a point in another tet stays
    FrPoint other = {.tet = 7, .b = {0.25, 0.25, 0.25, 0.25}};
    CHECK_OK(ctx, fr_cutlog_retarget(ctx, &log, x[0], &other, 1));
    CHECK_INT(other.tet, 7);
    fr_cutlog_clear(&log, 7);
    CHECK_INT(log.tet_count, 0);
    fr_cutlog_free(ctx, &log);
    fr_context_destroy(ctx);
}

static FrResult embed_and_cut(FrContext *ctx) {
    FrTetMesh mesh;
    FrBox box = {{0, 0, 0}, {1, 1, 1}};
    FR_TRY(fr_mesh_box_cells(ctx, box, (int32_t[3]){2, 2, 2}, &mesh));
    double x[3][3] = {{0.1, 0.2, 0.3}, {0.5, 0.6, 0.1}, {0.4, 2, 0.4}}, uv[6] = {0};
    int32_t tri[1][3] = {{0, 1, 2}}, node;
    FrEmbedded e = {0};
    FrTriMesh surface = {3, 1, x[0], tri, NULL, uv};
    FrResult r = fr_embed(ctx, &mesh, &surface, &e, NULL);
    FrCutLog log;
    fr_cutlog_init(&log, mesh.node_count);
    int32_t child[1] = {0}, nodes[1][4] = {{0, 1, 2, 3}};
    if (r == FR_OK) r = fr_cutlog_edge_node(ctx, &log, 0, 1, 0.5, &node);
    if (r == FR_OK)
        r = fr_cutlog_split(ctx, &log,
                            &(FrChildren){0, nodes[0], child, (const int32_t(*)[4])nodes, 1});
    if (r == FR_OK) r = fr_cutlog_open(ctx, &log, (FrOpenFace){0});
    if (r == FR_OK) r = fr_cutlog_retarget(ctx, &log, mesh.x, NULL, 0);
    fr_cutlog_free(ctx, &log);
    fr_embedded_free(ctx, &e);
    fr_tetmesh_free(ctx, &mesh);
    return r;
}

TEST(embedding_refusals) { refuse_each(embed_and_cut); }
