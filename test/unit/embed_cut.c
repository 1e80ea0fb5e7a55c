// embed_cut.c: a fine surface over a mesh that cracks: cut along the cracks, whole elsewhere.

#include "mesh_support.h"
#include "geom/trimesh.h"
#include "mesh/embed.h"
#include "mesh/embed_cut.h"
#include "mesh/topology.h"
#include "mesh/structured.h"
#include <string.h>

// a grid of n x n squares over the top of a box, and a box mesh cut across
typedef struct Case {
    FrContext *ctx;
    FrTetMesh mesh;
    FrEmbedded skin;
    FrCutMesh *cut;
    FrPieces *pieces;
    FrPoint *at;
} Case;

static void begin(Case *c, int32_t n) {
    FrBox box = {{0, 0, 0}, {3, 2, 1}};
    int32_t side = n + 1, points = side * side, tris = 2 * n * n;
    double *x = malloc(sizeof *x * 3 * (size_t)points);
    double *uv = malloc(sizeof *uv * 2 * (size_t)points);
    double *normal = malloc(sizeof *normal * 3 * (size_t)points);
    int32_t(*tri)[3] = malloc(sizeof *tri * (size_t)tris);
    c->ctx = make_context(1);
    CHECK_OK(c->ctx, fr_mesh_box(c->ctx, box, (int32_t[3]){3, 2, 1}, &c->mesh));
    for (int32_t k = 0; k < points; k++) {
        double u = (double)(k % side) / n, v = (double)(k / side) / n;
        // a little above the mesh: points outside are carried too
        fr_set3(x, k, fr_vec3(3 * u, 2 * v, 1.001));
        fr_set3(normal, k, fr_vec3(0, 0, 1));
        uv[2 * k] = u, uv[2 * k + 1] = v;
    }
    for (int32_t k = 0; k < n * n; k++) {
        int32_t a = k / n * side + k % n,
                quad[2][3] = {{a, a + 1, a + side + 1}, {a, a + side + 1, a + side}};
        memcpy(tri[2 * k], quad, sizeof quad);
    }
    CHECK_OK(c->ctx, fr_embed(c->ctx, &c->mesh, x, points, (const int32_t(*)[3])tri, tris, normal,
                              uv, &c->skin, NULL));
    CHECK_OK(c->ctx, fr_cutmesh_create(c->ctx, &c->mesh, &c->cut));
    CHECK_OK(c->ctx, fr_pieces_create(c->ctx, c->cut, &c->pieces));
    c->at = malloc(sizeof *c->at * (size_t)points);
    memcpy(c->at, c->skin.at, sizeof *c->at * (size_t)points);
    free(x), free(uv), free(normal), free(tri);
}

static void end(Case *c) {
    free(c->at);
    fr_pieces_destroy(c->pieces);
    fr_cutmesh_destroy(c->cut);
    fr_embedded_free(c->ctx, &c->skin);
    fr_tetmesh_free(c->ctx, &c->mesh);
    fr_context_destroy(c->ctx);
}

// split from (x, y, z) along the plane, and on along its front; at most `count` times
static void crack(Case *c, FrVec3 at, FrVec3 normal, int count) {
    FrCutLog log;
    int32_t queue[256], waiting = 0;
    fr_cutlog_init(&log, fr_cutmesh_view(c->cut)->node_count);
    for (int32_t n = 0; n < c->mesh.node_count; n++)
        if (fr_distance(fr_get3(c->mesh.x, n), at) < 1e-9) queue[waiting++] = n;
    FrSplitOptions options = fr_split_options_default();
    while (waiting > 0 && count-- > 0) {
        FrSplitResult result;
        int32_t group0 = log.group_count;
        CHECK_OK(c->ctx, fr_cutmesh_split(c->cut, queue[--waiting], fr_normalize(normal), &options,
                                          &log, &result));
        CHECK_OK(c->ctx, fr_pieces_follow(c->pieces, c->cut, &log, group0, 1, NULL, NULL));
        for (int32_t k = 0; k < result.front_count && waiting < 256; k++)
            queue[waiting++] = result.front[k];
    }
    CHECK_OK(c->ctx, fr_cutlog_retarget(c->ctx, &log, fr_cutmesh_view(c->cut)->x, c->at,
                                        c->skin.point_count));
    fr_cutlog_free(c->ctx, &log);
}

static void places(const FrEmbedded *skin, const FrTetMesh *mesh, const double *p, double *x) {
    for (int32_t k = 0; k < skin->point_count; k++)
        fr_set3(x, k, fr_point_carried((const int32_t(*)[4])mesh->tet, &skin->at[k], p));
}

static double skin_area(const FrEmbedded *skin, const double *x) {
    double area = 0;
    for (int32_t t = 0; t < skin->tri_count; t++) {
        FrVec3 a = fr_get3(x, skin->tri[t][0]);
        area += 0.5 * fr_cross(fr_sub(fr_get3(x, skin->tri[t][1]), a),
                               fr_sub(fr_get3(x, skin->tri[t][2]), a))
                          .z;
    }
    return area;
}

// every edge has two triangles, apart from those at the rim and along the cracks, where the other
// side's edge lies at the same place
static void check_seams(const FrEmbedded *skin, const double *x, double rim_x, double rim_y) {
    int32_t lonely = 0;
    for (int32_t h = 0; h < 3 * skin->tri_count; h++) {
        int32_t a = skin->tri[h / 3][h % 3], b = skin->tri[h / 3][(h + 1) % 3], found = 0;
        FrVec3 pa = fr_get3(x, a), pb = fr_get3(x, b);
        bool rim = (pa.x == pb.x && (pa.x < 1e-9 || pa.x > rim_x - 1e-9)) ||
                   (fabs(pa.y - pb.y) < 1e-9 && (pa.y < 1e-9 || pa.y > rim_y - 1e-9)) ||
                   (fabs(pa.x - pb.x) < 1e-9 && (pa.x < 1e-9 || pa.x > rim_x - 1e-9));
        for (int32_t k = 0; k < 3 * skin->tri_count && !rim && !found; k++) {
            FrVec3 qa = fr_get3(x, skin->tri[k / 3][(k + 1) % 3]);
            FrVec3 qb = fr_get3(x, skin->tri[k / 3][k % 3]);
            found += fr_distance(pa, qa) < 1e-9 && fr_distance(pb, qb) < 1e-9;
        }
        lonely += !rim && !found;
    }
    CHECK_INT(lonely, 0);
}

TEST(cut_through_and_pulled_apart) {
    Case c;
    FrEmbedded cut;
    begin(&c, 17);
    crack(&c, fr_vec3(1, 1, 1), fr_vec3(1, 0.25, 0.1), 100);
    int32_t pieces;
    fr_pieces_table(c.pieces, &pieces);
    CHECK_INT(pieces, 2);
    CHECK_OK(c.ctx, fr_embedded_cut(c.ctx, &c.skin, c.at, c.cut, c.pieces, &cut));
    CHECK(cut.tri_count > c.skin.tri_count);
    const FrTetMesh *mesh = fr_cutmesh_view(c.cut);
    double *x = malloc(sizeof *x * 3 * (size_t)cut.point_count);
    places(&cut, mesh, mesh->x, x);
    CHECK_CLOSE(skin_area(&cut, x), 6, 1e-9); // points hang on tets that extend them: rounding
    check_seams(&cut, x, 3, 2);
    // each triangle belongs to one piece; uv follows
    int32_t mixed = 0;
    for (int32_t t = 0; t < cut.tri_count; t++)
        mixed += cut.piece[cut.tri[t][0]] != cut.piece[cut.tri[t][1]] ||
                 cut.piece[cut.tri[t][0]] != cut.piece[cut.tri[t][2]];
    CHECK_INT(mixed, 0);
    for (int32_t k = 0; k < cut.point_count; k++) CHECK_NEAR(3 * cut.uv[2 * k], x[3 * k], 1e-9);
    // pull the pieces apart by 1: no triangle is stretched
    double *p = malloc(sizeof *p * 3 * (size_t)mesh->node_count);
    memcpy(p, mesh->x, sizeof *p * 3 * (size_t)mesh->node_count);
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++)
            p[3 * mesh->tet[e][i]] = mesh->x[3 * mesh->tet[e][i]] + fr_pieces_of_tets(c.pieces)[e];
    places(&cut, mesh, p, x);
    CHECK_CLOSE(skin_area(&cut, x), 6, 1e-9);
    free(p), free(x);
    fr_embedded_free(c.ctx, &cut);
    end(&c);
}

// a crack that ends inside: the skin is slit, stays one piece, and has the same area
TEST(slit) {
    Case c;
    FrEmbedded cut;
    begin(&c, 13);
    crack(&c, fr_vec3(1, 0, 1), fr_vec3(1, 0.2, 0), 2);
    CHECK_OK(c.ctx, fr_embedded_cut(c.ctx, &c.skin, c.at, c.cut, c.pieces, &cut));
    const FrTetMesh *mesh = fr_cutmesh_view(c.cut);
    double *x = malloc(sizeof *x * 3 * (size_t)cut.point_count);
    places(&cut, mesh, mesh->x, x);
    CHECK(cut.point_count > c.skin.point_count);
    CHECK_CLOSE(skin_area(&cut, x), 6, 1e-9);
    check_seams(&cut, x, 3, 2);
    free(x);
    fr_embedded_free(c.ctx, &cut);
    end(&c);
}

// a mesh without cracks leaves the surface as it is
TEST(no_crack_no_cut) {
    Case c;
    FrEmbedded cut;
    begin(&c, 9);
    CHECK_OK(c.ctx, fr_embedded_cut(c.ctx, &c.skin, c.at, c.cut, c.pieces, &cut));
    CHECK_INT(cut.point_count, c.skin.point_count);
    CHECK_INT(cut.tri_count, c.skin.tri_count);
    CHECK(!memcmp(cut.tri, c.skin.tri, sizeof *cut.tri * (size_t)cut.tri_count));
    fr_embedded_free(c.ctx, &cut);
    end(&c);
}

// the twelve triangles of the box itself, refined
static void begin_box(Case *c, double longest) {
    FrVec3 size = {3, 2, 1};
    FrTriMesh box;
    c->ctx = make_context(1);
    CHECK_OK(c->ctx,
             fr_mesh_box(c->ctx, (FrBox){fr_vec3_zero, size}, (int32_t[3]){6, 4, 2}, &c->mesh));
    CHECK_OK(c->ctx, fr_trimesh_alloc(c->ctx, 8, 12, &box));
    for (int32_t k = 0; k < 8; k++)
        fr_set3(box.p, k, fr_vec3(k & 1 ? size.x : 0, k & 2 ? size.y : 0, k & 4 ? size.z : 0));
    int32_t quad[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                          {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < 3; i++) box.tri[k][i] = quad[k / 2][i ? i + k % 2 : 0];
    CHECK_OK(c->ctx, fr_trimesh_refine(c->ctx, &box, longest));
    CHECK_OK(c->ctx,
             fr_embed(c->ctx, &c->mesh, box.p, box.point_count, (const int32_t(*)[3])box.tri,
                      box.tri_count, NULL, NULL, &c->skin, NULL));
    CHECK_OK(c->ctx, fr_cutmesh_create(c->ctx, &c->mesh, &c->cut));
    CHECK_OK(c->ctx, fr_pieces_create(c->ctx, c->cut, &c->pieces));
    size_t bytes = sizeof *c->at * (size_t)box.point_count;
    c->at = memcpy(malloc(bytes), c->skin.at, bytes);
    fr_trimesh_free(c->ctx, &box);
}

static double tri_area(const double *x, const int32_t tri[3]) {
    FrVec3 a = fr_get3(x, tri[0]);
    return 0.5 * fr_length(fr_cross(fr_sub(fr_get3(x, tri[1]), a), fr_sub(fr_get3(x, tri[2]), a)));
}

// Four cracks through a box of twelve triangles, refined as those of bodies that break are: every
// piece has that part of the skin that its tets have of the surface.
TEST(each_piece_has_its_part_of_a_coarse_skin) {
    Case c;
    FrEmbedded cut;
    begin_box(&c, 0.5 / 3);
    crack(&c, fr_vec3(0.5, 1, 1), fr_vec3(1, 0.25, 0.1), 500);
    crack(&c, fr_vec3(1, 1, 1), fr_vec3(1, -0.2, 0.1), 500);
    crack(&c, fr_vec3(2, 0, 1), fr_vec3(1, 0.1, -0.3), 500);
    crack(&c, fr_vec3(2.5, 1, 1), fr_vec3(0.2, 1, 0), 500);
    int32_t pieces, mixed = 0, outer = 0;
    fr_pieces_table(c.pieces, &pieces);
    CHECK(pieces >= 5);
    CHECK_OK(c.ctx, fr_embedded_cut(c.ctx, &c.skin, c.at, c.cut, c.pieces, &cut));
    const FrTetMesh *mesh = fr_cutmesh_view(c.cut);
    FrSurface surface;
    CHECK_OK(c.ctx, fr_cutmesh_surface(c.cut, fr_pieces_of_tets(c.pieces), &surface));
    double *x = malloc(sizeof *x * 3 * (size_t)cut.point_count), all = 0;
    double *wanted = calloc((size_t)pieces, sizeof *wanted);
    double *got = calloc((size_t)pieces, sizeof *got);
    places(&cut, mesh, mesh->x, x);
    for (int32_t t = 0; t < cut.tri_count; t++) {
        int32_t piece = cut.piece[cut.tri[t][0]];
        mixed += cut.piece[cut.tri[t][1]] != piece || cut.piece[cut.tri[t][2]] != piece;
        got[piece] += tri_area(x, cut.tri[t]);
    }
    CHECK_INT(mixed, 0);
    for (int32_t t = 0; t < surface.tri_count; t++)
        if (surface.opened[t] < 0) wanted[surface.piece[t]] += tri_area(mesh->x, surface.tri[t]);
    for (int32_t k = 0; k < pieces; k++) {
        all += got[k];
        outer += wanted[k] > 0;
        CHECK((got[k] > 0) == (wanted[k] > 0));
        CHECK_NEAR(got[k], wanted[k], 0.05 * wanted[k] + 0.02); // cracks bend within a triangle
    }
    CHECK(outer >= 5);
    CHECK_CLOSE(all, 22, 1e-9);
    free(x), free(wanted), free(got);
    fr_surface_free(c.ctx, &surface);
    fr_embedded_free(c.ctx, &cut);
    end(&c);
}

static Case *refused_case;

static FrResult cut_refused(FrContext *ctx) {
    FrEmbedded cut;
    Case *c = refused_case;
    FR_TRY(fr_embedded_cut(ctx, &c->skin, c->at, c->cut, c->pieces, &cut));
    fr_embedded_free(ctx, &cut);
    return FR_OK;
}

TEST(lost_memory_is_told) {
    Case c;
    begin(&c, 9);
    crack(&c, fr_vec3(1, 1, 1), fr_vec3(1, 0.25, 0.1), 100);
    refused_case = &c;
    refuse_each(cut_refused);
    end(&c);
}
