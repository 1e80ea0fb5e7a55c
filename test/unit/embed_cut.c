// embed_cut.c: a fine surface over a mesh that cracks: cut along the cracks, whole elsewhere.

#include "labels_kit.h"
#include "mesh_support.h"
#include "geom/trimesh.h"
#include "skin/embed.h"
#include "base/random.h"
#include "cut/split_labels.h"
#include "skin/embed_close.h"
#include "skin/embed_cut.h"
#include "skin/embed_uv.h"
#include "mesh/locate.h"
#include "mesh/topology.h"
#include "skin/zip.h"
#include "mesh/structured.h"
#include "mesh/stuffing.h"
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

static void begin_cuts(Case *c) {
    CHECK_OK(c->ctx, fr_cutmesh_create(c->ctx, &c->mesh, &c->cut));
    CHECK_OK(c->ctx, fr_pieces_create(c->ctx, c->cut, &c->pieces));
    size_t bytes = sizeof *c->at * (size_t)c->skin.point_count;
    c->at = memcpy(malloc(bytes), c->skin.at, bytes);
}

static void begin(Case *c, int32_t n) {
    FrBox box = {{0, 0, 0}, {3, 2, 1}};
    int32_t side = n + 1, points = side * side, tris = 2 * n * n;
    double *x = malloc(sizeof *x * 3 * (size_t)points);
    double *uv = malloc(sizeof *uv * 2 * (size_t)points);
    double *normal = malloc(sizeof *normal * 3 * (size_t)points);
    int32_t(*tri)[3] = malloc(sizeof *tri * (size_t)tris);
    c->ctx = make_context(1);
    CHECK_OK(c->ctx, fr_mesh_box_cells(c->ctx, box, (int32_t[3]){3, 2, 1}, &c->mesh));
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
    FrTriMesh surface = {points, tris, x, tri, normal, uv};
    CHECK_OK(c->ctx, fr_embed(c->ctx, &c->mesh, &surface, &c->skin, NULL));
    begin_cuts(c);
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
        CHECK_OK(c->ctx, fr_pieces_follow(c->pieces, c->cut, &log, group0, 1, NULL));
        for (int32_t k = 0; k < result.front_count && waiting < 256; k++)
            queue[waiting++] = result.front[k];
    }
    CHECK_OK(c->ctx, fr_cutlog_retarget(c->ctx, &log, fr_cutmesh_view(c->cut)->x, c->at,
                                        c->skin.point_count));
    fr_cutlog_free(c->ctx, &log);
}

// into regions about random seeds, all at once
static void shatter(Case *c, int32_t regions) {
    FrCutLog log;
    FrLabelCut said;
    FrRandom random = fr_random_for(4, "shatter", 0);
    FrLabels labels = labels_for(c->ctx, c->mesh.node_count, regions);
    FrLabelCutOptions options = fr_label_cut_options_default();
    label_by_random_seeds(&c->mesh, &labels, &random);
    fr_cutlog_init(&log, c->mesh.node_count);
    CHECK_OK(c->ctx, fr_cutmesh_split_labels(c->cut, &labels, &options, &log, &said));
    CHECK_OK(c->ctx, fr_pieces_follow(c->pieces, c->cut, &log, 0, 1, NULL));
    CHECK_OK(c->ctx, fr_cutlog_retarget(c->ctx, &log, fr_cutmesh_view(c->cut)->x, c->at,
                                        c->skin.point_count));
    fr_labels_free(c->ctx, &labels);
    fr_label_cut_free(c->ctx, &said);
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
    // rounding
    for (int32_t k = 0; k < cut.point_count; k++) CHECK_NEAR(3 * cut.uv[2 * k], x[3 * k], 1e-12);
    // pull the pieces apart by 1: no triangle is stretched
    double *p = malloc(sizeof *p * 3 * (size_t)mesh->node_count);
    memcpy(p, mesh->x, sizeof *p * 3 * (size_t)mesh->node_count);
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++)
            p[3 * mesh->tet[e][i]] = mesh->x[3 * mesh->tet[e][i]] + fr_pieces_of_tets(c.pieces)[e];
    places(&cut, mesh, p, x);
    // rounding: points hang on tets that extend them
    CHECK_CLOSE(skin_area(&cut, x), 6, 1e-11);
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
    CHECK_CLOSE(skin_area(&cut, x), 6, 1e-11); // rounding: as above
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
static void begin_box(Case *c, double longest, double lift) {
    FrVec3 size = {3, 2, 1};
    FrTriMesh box;
    c->ctx = make_context(1);
    CHECK_OK(c->ctx, fr_mesh_box_cells(c->ctx, (FrBox){fr_vec3_zero, size}, (int32_t[3]){6, 4, 2},
                                       &c->mesh));
    CHECK_OK(c->ctx, fr_trimesh_alloc(c->ctx, 8, 12, &box));
    for (int32_t k = 0; k < 8; k++)
        fr_set3(box.p, k, fr_vec3(k & 1 ? size.x : 0, k & 2 ? size.y : 0, k & 4 ? size.z : 0));
    int32_t quad[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                          {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < 3; i++) box.tri[k][i] = quad[k / 2][i ? i + k % 2 : 0];
    CHECK_OK(c->ctx, fr_trimesh_refine(c->ctx, &box, longest));
    for (int32_t k = 0; k < box.point_count; k++)
        fr_set3(box.p, k,
                fr_axpy(lift, fr_sub(fr_get3(box.p, k), fr_scale(0.5, size)), fr_get3(box.p, k)));
    FrTriMesh plain = {box.point_count, box.tri_count, box.p, box.tri, NULL, NULL};
    CHECK_OK(c->ctx, fr_embed(c->ctx, &c->mesh, &plain, &c->skin, NULL));
    begin_cuts(c);
    fr_trimesh_free(c->ctx, &box);
}

static FrTetMesh stuffed(FrContext *ctx, double cell) {
    Body body = {ROD, 1, 2, 0, fr_quat_identity, {0, 0, 0}};
    FrField field = body_field(&body);
    FrStuffingOptions options = fr_stuffing_options_default(cell);
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &mesh, NULL));
    return mesh;
}

// a rod of coarse tets under the surface of fine ones
static void begin_rod(Case *c) {
    FrSurface s;
    c->ctx = make_context(1);
    c->mesh = stuffed(c->ctx, 0.45);
    FrTetMesh fine = stuffed(c->ctx, 0.15);
    CHECK_OK(c->ctx, fr_tetmesh_surface(c->ctx, &fine, &s));
    FrTriMesh surface = {fine.node_count, s.tri_count, fine.x, s.tri, NULL, NULL};
    CHECK_OK(c->ctx, fr_embed(c->ctx, &c->mesh, &surface, &c->skin, NULL));
    begin_cuts(c);
    fr_surface_free(c->ctx, &s);
    fr_tetmesh_free(c->ctx, &fine);
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
    begin_box(&c, 0.5 / 3, 0);
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
        // mesh: cracks bend within a triangle
        CHECK_NEAR(got[k], wanted[k], 0.05 * wanted[k] + 0.02);
    }
    CHECK(outer >= 5);
    CHECK_CLOSE(all, 22, 1e-12); // rounding
    free(x), free(wanted), free(got);
    fr_surface_free(c.ctx, &surface);
    fr_embedded_free(c.ctx, &cut);
    end(&c);
}

static FrVec3 nearest_node(const Case *c, FrVec3 at) {
    FrVec3 best = fr_get3(c->mesh.x, 0);
    for (int32_t n = 1; n < c->mesh.node_count; n++)
        if (fr_distance(fr_get3(c->mesh.x, n), at) < fr_distance(best, at))
            best = fr_get3(c->mesh.x, n);
    return best;
}

// A crack that has not cut a piece off yet parts the skin, too, also where the skin is off the
// tets: what bridges it would be drawn out as it opens. Here the cut does not know of the pieces.
TEST(nothing_bridges_a_crack_within_a_piece) {
    Case c;
    FrEmbedded cut;
    int32_t pieces, bridges = 0;
    begin_rod(&c);
    crack(&c, nearest_node(&c, fr_vec3(0, 0, -0.8)), fr_vec3(0.3, 0.1, 1), 500);
    crack(&c, nearest_node(&c, fr_vec3(0, 0, 0.7)), fr_vec3(-0.6, 0.2, 1), 500);
    fr_pieces_table(c.pieces, &pieces);
    CHECK(pieces >= 3);
    CHECK_OK(c.ctx, fr_embedded_cut(c.ctx, &c.skin, c.at, c.cut, NULL, &cut));
    const int32_t *piece = fr_pieces_of_tets(c.pieces);
    for (int32_t t = 0; t < cut.tri_count; t++) {
        const int32_t *n = cut.tri[t];
        int32_t own = piece[cut.at[n[0]].tet];
        bridges += piece[cut.at[n[1]].tet] != own || piece[cut.at[n[2]].tet] != own;
    }
    CHECK_INT(bridges, 0);
    fr_embedded_free(c.ctx, &cut);
    end(&c);
}

static double from_segment(FrVec3 p, FrVec3 a, FrVec3 b) {
    FrVec3 along = fr_sub(b, a);
    double t = fr_dot(fr_sub(p, a), along) / fr_max(fr_length2(along), 1e-30);
    return fr_distance(p, fr_axpy(fr_clamp(t, 0, 1), along, a));
}

// how far a place is from where the cracks come to the outside: sides of faces that they opened
// whose ends are both at the outer faces
static double from_trace(const FrTetMesh *mesh, const FrSurface *s, const bool *outer, FrVec3 p) {
    double least = HUGE_VAL;
    for (int32_t h = 0; h < 3 * s->tri_count; h++) {
        int32_t a = s->tri[h / 3][h % 3], b = s->tri[h / 3][(h + 1) % 3];
        if (s->opened[h / 3] >= 0 && outer[a] && outer[b])
            least = fr_min(least, from_segment(p, fr_get3(mesh->x, a), fr_get3(mesh->x, b)));
    }
    return least;
}

// Where the skin lies on the tets, it is cut where the cracks are, not beside them; where it is off
// them, nothing of the tets is nearer to a cut than a crack.
static void check_trace(double lift) {
    Case c;
    FrLocator locator;
    FrEmbedded cut;
    FrSurface surface;
    begin_box(&c, 0.5 / 3, lift);
    crack(&c, fr_vec3(0.5, 1, 1), fr_vec3(1, 0.25, 0.1), 500);
    crack(&c, fr_vec3(2.5, 1, 1), fr_vec3(0.2, 1, 0), 500);
    CHECK_OK(c.ctx, fr_embedded_cut(c.ctx, &c.skin, c.at, c.cut, c.pieces, &cut));
    CHECK_OK(c.ctx, fr_cutmesh_surface(c.cut, fr_pieces_of_tets(c.pieces), &surface));
    const FrTetMesh *mesh = fr_cutmesh_view(c.cut);
    CHECK_OK(c.ctx, fr_locator_create(c.ctx, mesh, &locator));
    bool *outer = calloc((size_t)mesh->node_count, sizeof *outer);
    double *x = malloc(sizeof *x * 3 * (size_t)cut.point_count), worst = 0;
    places(&cut, mesh, mesh->x, x);
    for (int32_t h = 0; h < 3 * surface.tri_count; h++)
        if (surface.opened[h / 3] < 0) outer[surface.tri[h / 3][h % 3]] = true;
    int32_t seen = 0;
    // new points come in pairs, one on either side; then those where three pieces meet
    for (int32_t k = c.skin.point_count; k + 2 < cut.point_count; k += 2) {
        if (fr_distance(fr_get3(x, k), fr_get3(x, k + 2)) < 1e-12 &&
            cut.piece[k + 2] != cut.piece[k] && cut.piece[k + 2] != cut.piece[k + 1])
            break;
        if (cut.piece[k] == cut.piece[k + 1]) continue;
        double away;
        fr_locate(&locator, fr_get3(x, k), &away);
        worst = fr_max(worst, from_trace(mesh, &surface, outer, fr_get3(x, k)) - away);
        seen++;
    }
    CHECK(seen > 50);
    CHECK_NEAR(worst, 0, 1e-9); // rounding: of places of size 1, over edges of slivers
    free(outer), free(x);
    fr_locator_free(c.ctx, &locator);
    fr_surface_free(c.ctx, &surface);
    fr_embedded_free(c.ctx, &cut);
    end(&c);
}

TEST(the_cut_follows_the_cracks) { check_trace(0); }
TEST(the_cut_follows_the_cracks_where_the_skin_is_outside) { check_trace(0.04); }

// edges of one piece that more triangles run through one way than the other; vertex names of both
typedef struct Balance {
    int32_t from, to, piece, net, uses;
} Balance;

static void run_through(Balance *list, int32_t *count, int32_t from, int32_t to, int32_t piece) {
    int32_t k = 0, lo = fr_min_i(from, to), hi = fr_max_i(from, to);
    if (from == to) return;
    while (k < *count && (list[k].from != lo || list[k].to != hi || list[k].piece != piece)) k++;
    if (k == *count) list[(*count)++] = (Balance){lo, hi, piece, 0, 0};
    list[k].net += from < to ? 1 : -1;
    list[k].uses++;
}

// two rings of different counts: a strip that runs against one and along the other, with lines to
// near points only
TEST(two_loops_are_zipped) {
    enum { A = 12, B = 5 };
    FrContext *ctx = make_context(1);
    FrVec3 x[A + B];
    int32_t a[A], b[B], tri[A + B][3], wrong = 0;
    for (int32_t k = 0; k < A; k++) {
        a[k] = (k + 7) % A;
        x[k] = fr_vec3(cos(2 * M_PI * k / A), sin(2 * M_PI * k / A), 0);
    }
    for (int32_t k = 0; k < B; k++) {
        b[k] = A + k;
        x[A + k] = fr_vec3(1.1 * cos(2 * M_PI * k / B), 1.1 * sin(2 * M_PI * k / B), 0.1);
    }
    CHECK_OK(ctx, fr_loops_zip(ctx, x, (FrLoop){a, A}, (FrLoop){b, B}, tri));
    Balance edge[3 * (A + B)];
    int32_t edges = 0;
    for (int32_t k = 0; k < A + B; k++)
        for (int i = 0; i < 3; i++) run_through(edge, &edges, tri[k][i], tri[k][(i + 1) % 3], 0);
    for (int32_t k = 0; k < edges; k++) {
        bool across = edge[k].from < A && edge[k].to >= A;
        int32_t low = edge[k].from, high = edge[k].to;
        // sides of a are run against, sides of b along; the last one closes the ring
        int32_t step = low < A ? (high - low == 1 ? -1 : 1) : (high - low == 1 ? 1 : -1);
        wrong += edge[k].uses != (across ? 2 : 1) || edge[k].net != (across ? 0 : step);
        if (across) wrong += fr_distance(x[low], x[high]) > 0.9;
    }
    CHECK_INT(edges, 2 * (A + B));
    CHECK_INT(wrong, 0);
    CHECK_NEAR(fr_loop_distance(x, (FrLoop){b, B}, (FrLoop){b, B}, 1), 0, TOL_EXACT);
    fr_context_destroy(ctx);
}

// a triangle's share of the volume of its piece, and its sides
typedef struct Shells {
    Balance *edge;
    int32_t edges;
    double *volume;
} Shells;

static void add_to_shell(Shells *s, const int32_t v[3], const FrVec3 x[3], int32_t piece) {
    s->volume[piece] += fr_dot(x[0], fr_cross(x[1], x[2])) / 6;
    for (int i = 0; i < 3; i++) run_through(s->edge, &s->edges, v[i], v[(i + 1) % 3], piece);
}

// area of inside triangles that lie in the sides of the box of 3 x 2 x 1
static double inside_on_the_outside(const FrEmbedded *cut, const double *x) {
    static const double size[3] = {3, 2, 1};
    double area = 0;
    for (int32_t t = cut->tri_count - cut->closing_count; t < cut->tri_count; t++) {
        bool flat = false;
        for (int k = 0; k < 6; k++) {
            int32_t in = 0;
            for (int i = 0; i < 3; i++)
                in += fabs(x[3 * cut->tri[t][i] + k / 2] - k % 2 * size[k / 2]) < 1e-9;
            flat = flat || in == 3;
        }
        if (flat) area += tri_area(x, cut->tri[t]);
    }
    return area;
}

// The skin, the faces inside and the strips between them: every piece is closed, and holds what its
// tets do. `lift`: how far the skin is drawn out of the box, over its size; `regions`: it is cut
// into, at once; 0: by cracks one after another.
static void check_closed(double lift, int32_t regions) {
    Case c;
    FrEmbedded cut;
    FrSurface surface;
    begin_box(&c, 0.5 / 3, lift);
    if (regions) {
        shatter(&c, regions);
    } else {
        crack(&c, fr_vec3(0.5, 1, 1), fr_vec3(1, 0.25, 0.1), 500);
        crack(&c, fr_vec3(1.5, 0, 1), fr_vec3(1, 0.1, -0.3), 2); // a slit
        crack(&c, fr_vec3(2.5, 1, 1), fr_vec3(0.2, 1, 0), 500);
    }
    CHECK_OK(c.ctx, fr_embedded_cut(c.ctx, &c.skin, c.at, c.cut, c.pieces, &cut));
    CHECK_OK(c.ctx, fr_cutmesh_surface(c.cut, fr_pieces_of_tets(c.pieces), &surface));
    const FrTetMesh *mesh = fr_cutmesh_view(c.cut);
    int32_t before = cut.tri_count, pieces;
    CHECK_OK(c.ctx, fr_embedded_close(c.ctx, mesh, &surface, &cut));
    CHECK(cut.closing_count > 0 && cut.tri_count >= before + cut.closing_count);
    fr_pieces_table(c.pieces, &pieces);
    CHECK(pieces >= (regions ? regions : 3));
    int32_t *place = calloc((size_t)cut.point_count, sizeof *place), open = 0, fold = 0;
    size_t sides = 3 * (size_t)(cut.tri_count + surface.tri_count);
    Shells s = {calloc(sides, sizeof *s.edge), 0, calloc((size_t)pieces, sizeof *s.volume)};
    double *x = malloc(sizeof *x * 3 * (size_t)cut.point_count), all = 0;
    CHECK_OK(c.ctx, fr_embedded_places(c.ctx, mesh, &cut, place));
    places(&cut, mesh, mesh->x, x);
    for (int32_t t = 0; t < cut.tri_count; t++) {
        int32_t v[3];
        FrVec3 at[3];
        for (int i = 0; i < 3; i++) v[i] = place[cut.tri[t][i]], at[i] = fr_get3(x, cut.tri[t][i]);
        add_to_shell(&s, v, at, cut.piece[cut.tri[t][0]]);
    }
    for (int32_t t = 0; t < surface.tri_count; t++) {
        FrVec3 at[3];
        for (int i = 0; i < 3; i++) at[i] = fr_get3(mesh->x, surface.tri[t][i]);
        if (surface.opened[t] >= 0) add_to_shell(&s, surface.tri[t], at, surface.piece[t]);
    }
    for (int32_t k = 0; k < s.edges; k++) open += s.edge[k].net != 0, fold += s.edge[k].uses > 2;
    CHECK_INT(open, 0);
    // a point of the skin at a node that cracked is a corner of both
    if (lift > 0) CHECK_INT(fold, 0);
    double *tets = calloc((size_t)pieces, sizeof *tets);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        const int32_t *n = mesh->tet[e];
        FrVec3 o = fr_get3(mesh->x, n[0]);
        FrVec3 u = fr_sub(fr_get3(mesh->x, n[1]), o), w = fr_sub(fr_get3(mesh->x, n[3]), o);
        tets[fr_pieces_of_tets(c.pieces)[e]] +=
            fr_dot(u, fr_cross(fr_sub(fr_get3(mesh->x, n[2]), o), w)) / 6;
    }
    // what lies between the outer faces and the skin, to first order: lift (x - centre) over them
    for (int32_t t = 0; t < surface.tri_count; t++) {
        FrVec3 at[3], mid = fr_vec3(-1.5, -1, -0.5);
        for (int i = 0; i < 3; i++) at[i] = fr_get3(mesh->x, surface.tri[t][i]);
        for (int i = 0; i < 3; i++) mid = fr_axpy(1 / 3.0, at[i], mid);
        FrVec3 area = fr_scale(0.5, fr_cross(fr_sub(at[1], at[0]), fr_sub(at[2], at[0])));
        if (surface.opened[t] < 0) tets[surface.piece[t]] += lift * fr_dot(mid, area);
    }
    // strips beside a crack that lie along the skin are none of the inside
    // rounding: areas of slivers
    if (lift == 0) CHECK_NEAR(inside_on_the_outside(&cut, x), 0, 1e-9);
    double larger = (1 + lift) * (1 + lift) * (1 + lift);
    for (int32_t k = 0; k < pieces; k++) {
        all += s.volume[k];
        // mesh: cracks bend within a triangle, and the strips beside them with it
        CHECK_NEAR(s.volume[k], tets[k], 0.03 * tets[k] + 0.01);
    }
    CHECK_CLOSE(all, 6 * larger, 0.005); // mesh: as above, of all pieces together
    free(place), free(s.edge), free(s.volume), free(tets), free(x);
    fr_surface_free(c.ctx, &surface);
    fr_embedded_free(c.ctx, &cut);
    end(&c);
}

TEST(pieces_are_closed_where_skin_and_tets_agree) { check_closed(0, 0); }
TEST(pieces_are_closed_where_the_skin_is_outside) { check_closed(0.04, 0); }
TEST(halves_are_closed) { check_closed(0, 2); }
TEST(shards_are_closed) { check_closed(0, 7); }
TEST(shards_are_closed_where_the_skin_is_outside) { check_closed(0.04, 7); }

// a box in many pieces, some of them smaller than the triangles of its skin
static void begin_chips(Case *c) {
    begin_box(c, 0.5, 0.01);
    FrRandom random = fr_random_for(9, "chips", 0);
    for (int k = 0; k < 24; k++) {
        FrVec3 at = {0.5 * (1 + fr_random_below(&random, 5)),
                     0.5 * (1 + fr_random_below(&random, 3)), 1};
        FrVec3 normal = {fr_random_normal(&random), fr_random_normal(&random),
                         fr_random_normal(&random)};
        crack(c, at, normal, 500);
    }
}

static void cut_and_close(FrContext *ctx, const Case *c, FrSurface *surface, FrEmbedded *cut) {
    CHECK_OK(ctx, fr_embedded_cut(ctx, &c->skin, c->at, c->cut, c->pieces, cut));
    CHECK_OK(ctx, fr_cutmesh_surface(c->cut, fr_pieces_of_tets(c->pieces), surface));
    CHECK_OK(ctx, fr_embedded_close(ctx, fr_cutmesh_view(c->cut), surface, cut));
}

// what the skin of each piece holds, over what its tets do
static void shares(const Case *c, const FrEmbedded *cut, const FrSurface *surface, double *share,
                   int32_t pieces) {
    const FrTetMesh *mesh = fr_cutmesh_view(c->cut);
    double *x = malloc(sizeof *x * 3 * (size_t)cut->point_count);
    double *tets = calloc((size_t)pieces, sizeof *tets);
    places(cut, mesh, mesh->x, x);
    for (int32_t k = 0; k < pieces; k++) share[k] = 0;
    for (int32_t t = 0; t < cut->tri_count; t++) {
        const int32_t *n = cut->tri[t];
        share[cut->piece[n[0]]] +=
            fr_dot(fr_get3(x, n[0]), fr_cross(fr_get3(x, n[1]), fr_get3(x, n[2]))) / 6;
    }
    for (int32_t t = 0; t < surface->tri_count; t++) {
        const int32_t *n = surface->tri[t];
        double volume = fr_dot(fr_get3(mesh->x, n[0]),
                               fr_cross(fr_get3(mesh->x, n[1]), fr_get3(mesh->x, n[2]))) /
                        6;
        tets[surface->piece[t]] += volume;
        if (surface->opened[t] >= 0) share[surface->piece[t]] += volume;
    }
    for (int32_t k = 0; k < pieces; k++) share[k] /= tets[k];
    free(x), free(tets);
}

// The skin is drawn out by 1 %: every piece holds about what its tets do, however small; two
// workers more make no difference.
TEST(chips_hold_what_their_tets_do) {
    Case c;
    FrEmbedded cut, again;
    FrSurface surface, other;
    double share[512], worst = 0;
    int32_t pieces, unlike = 0;
    begin_chips(&c);
    fr_pieces_table(c.pieces, &pieces);
    CHECK(pieces > 30 && pieces <= 512);
    cut_and_close(c.ctx, &c, &surface, &cut);
    shares(&c, &cut, &surface, share, pieces);
    for (int32_t k = 0; k < pieces; k++) worst = fr_max(worst, fabs(share[k] - 1));
    printf("  %d pieces, the worst holds %.0f %% more or less than its tets\n", pieces,
           100 * worst);
    CHECK(worst < 0.2);
    FrContext *three = make_context(3);
    cut_and_close(three, &c, &other, &again);
    CHECK_INT(again.point_count, cut.point_count);
    CHECK_INT(again.tri_count, cut.tri_count);
    CHECK(!memcmp(again.tri, cut.tri, sizeof *cut.tri * (size_t)cut.tri_count));
    for (int32_t k = 0; k < cut.point_count; k++)
        unlike += !fr_points_alike(&cut.at[k], &again.at[k]);
    CHECK_INT(unlike, 0);
    fr_surface_free(c.ctx, &other), fr_embedded_free(three, &again);
    fr_context_destroy(three);
    fr_surface_free(c.ctx, &surface), fr_embedded_free(c.ctx, &cut);
    end(&c);
}

// UVs of places at the surface are those that lie there
TEST(uvs_are_found_where_places_are) {
    Case c;
    FrUvFinder finder;
    FrRandom random = fr_random_for(7, "uv", 0);
    begin(&c, 17);
    FrVec3 *x = malloc(sizeof *x * (size_t)c.skin.point_count);
    for (int32_t k = 0; k < c.skin.point_count; k++)
        x[k] = fr_point_carried((const int32_t(*)[4])c.mesh.tet, &c.skin.at[k], c.mesh.x);
    CHECK_OK(c.ctx, fr_uv_finder_create(c.ctx, &c.skin, x, c.skin.tri_count, &finder));
    for (int k = 0; k < 500; k++) {
        double u = fr_random_unit(&random), v = fr_random_unit(&random), uv[2];
        fr_uv_find(&finder, fr_vec3(3 * u, 2 * v, 1 + 0.1 * fr_random_unit(&random)), uv);
        // rounding: weights of places of size 1
        CHECK_NEAR(uv[0], u, 1e-12);
        CHECK_NEAR(uv[1], v, 1e-12);
    }
    fr_uv_finder_free(c.ctx, &finder);
    free(x);
    end(&c);
}

static Case *refused_case;

static FrResult cut_refused(FrContext *ctx) {
    FrEmbedded cut;
    FrSurface surface = {0};
    Case *c = refused_case;
    FR_TRY(fr_embedded_cut(ctx, &c->skin, c->at, c->cut, c->pieces, &cut));
    FrResult result = fr_cutmesh_surface(c->cut, fr_pieces_of_tets(c->pieces), &surface);
    if (result == FR_OK) result = fr_embedded_close(ctx, fr_cutmesh_view(c->cut), &surface, &cut);
    fr_surface_free(c->ctx, &surface);
    fr_embedded_free(ctx, &cut);
    return result;
}

TEST(lost_memory_is_reported) {
    Case c;
    begin(&c, 9);
    crack(&c, fr_vec3(1, 1, 1), fr_vec3(1, 0.25, 0.1), 100);
    refused_case = &c;
    refuse_each(cut_refused);
    end(&c);
}
