// split_labels.c: meshes cut at once along the borders of regions: what every cut must keep, where
// borders run, and what follows the log. LABELLINGS says how many random ones (200).

#include "labels_kit.h"
#include "split_kit.h"
#include "base/hash.h"
#include "cut/pieces.h"
#include "cut/split_labels.h"
#include "mesh/topology.h"

typedef enum Labelling { BY_SEEDS, ANY, LONELY, ALL_APART, LABELLINGS } Labelling;

// labels as a fracture has them; at random with random keys; one with single nodes of others in it;
// each node its own
static FrLabels random_labels(FrContext *ctx, const FrTetMesh *mesh, Labelling kind,
                              FrRandom *random) {
    int32_t nodes = mesh->node_count, count = 2 + fr_random_below(random, 8);
    FrLabels l = labels_for(ctx, nodes, kind == ALL_APART ? nodes : count);
    if (kind == BY_SEEDS) {
        label_by_random_seeds(mesh, &l, random);
        return l;
    }
    for (int32_t n = 0; n < nodes; n++) {
        bool lonely = fr_random_below(random, 10) == 0;
        l.label[n] = fr_random_below(random, count);
        if (kind == LONELY) l.label[n] = lonely ? 1 + fr_random_below(random, count - 1) : 0;
        if (kind == ALL_APART) l.label[n] = n;
        l.second[n] = fr_random_below(random, l.count + 1) - 1;
        l.key[n] = fr_random_unit(random);
        // cut points near the ends of edges, too
        l.second_key[n] = l.key[n] + pow(fr_random_unit(random), 4);
    }
    return l;
}

static uint64_t whole_hash(const FrCutMesh *cut) {
    const FrTetMesh *mesh = fr_cutmesh_view(cut);
    FrHash hash;
    fr_hash_begin(&hash, fr_tetmesh_hash(mesh));
    fr_hash_bytes(&hash, fr_cutmesh_opened(cut), 4 * sizeof(double) * (size_t)mesh->tet_count);
    fr_hash_bytes(&hash, fr_cutmesh_placed(cut), 3 * sizeof(double) * (size_t)mesh->node_count);
    for (int32_t n = 0; n < mesh->node_count; n++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(cut, n, &count);
        fr_hash_bytes(&hash, star, (size_t)count * sizeof *star);
    }
    return fr_hash_end(&hash);
}

// the faces of the log and the facets are the same, and each lies between two regions
static void check_facets(const CutTest *t, const FrLabelCut *cut, int32_t face0, int32_t tets) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    double area = 0;
    int32_t shared = 0;
    CHECK_INT(cut->facet_count, t->log.face_count - face0);
    for (int32_t k = 0; k < cut->facet_count; k++) {
        const FrLabelFacet *f = &cut->facet[k];
        const FrOpenFace *open = &t->log.faces[face0 + k];
        FrVec3 a = fr_get3(mesh->x, f->node[0]), b = fr_get3(mesh->x, f->node[1]);
        FrVec3 c = fr_get3(mesh->x, f->node[2]);
        FrVec3 twice = fr_cross(fr_sub(b, a), fr_sub(c, a));
        CHECK(f->a < f->b && f->tet >= 0 && f->tet < tets);
        CHECK_INT(f->a, cut->region[open->plus]);
        CHECK_INT(f->b, cut->region[open->minus]);
        CHECK(!memcmp(f->node, open->plus_node, sizeof f->node));
        for (int i = 0; i < 9; i++) shared += open->plus_node[i / 3] == open->minus_node[i % 3];
        CHECK_CLOSE(f->area, 0.5 * fr_length(twice), 1e-12);          // rounding
        CHECK_NEAR(fr_distance(f->n, fr_normalize(twice)), 0, 1e-12); // rounding
        FrVec3 middle = fr_scale(1 / 3.0, fr_add(a, fr_add(b, c)));
        CHECK_NEAR(fr_distance(f->x, middle), 0, 1e-12 * t->longest); // rounding
        area += f->area;
    }
    CHECK_INT(shared, 0);
    CHECK_CLOSE(cut->area, area, 1e-12); // rounding
    if (cut->facet_count) check_open_faces(t, face0, cut->area);
}

// no face between two regions is closed
static int32_t regions_joined(const CutTest *t, const FrLabelCut *cut) {
    int32_t joined = 0;
    for (int32_t k = 0; k < 4 * fr_cutmesh_view(t->cut)->tet_count; k++) {
        int32_t other = fr_cutmesh_across(t->cut, k / 4, k % 4);
        joined += other >= 0 && cut->region[other] != cut->region[k / 4];
    }
    return joined;
}

// Pieces are the face-connected parts, each of one region; each is a valid mesh by itself, with a
// closed surface, and their volumes add up.
static void check_pieces(const CutTest *t, const FrPieces *pieces, const FrLabelCut *cut) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    const int32_t *of = fr_pieces_of_tets(pieces);
    int32_t *part, parts, count;
    double volume = 0;
    fr_pieces_table(pieces, &count);
    CHECK_OK(t->ctx, fr_tet_components(t->ctx, mesh, &part, &parts));
    CHECK_INT(count, parts);
    for (int32_t k = 0; k < count; k++) {
        FrTetMesh piece;
        FrMeshCheck check;
        FrSurface surface;
        int32_t *node, *tet, mixed = 0;
        CHECK_OK(t->ctx, fr_tetmesh_part(t->ctx, mesh, (FrTetPart){of, k}, &piece, &node, &tet));
        CHECK_OK(t->ctx, fr_tetmesh_check(t->ctx, &piece, &check));
        CHECK_INT(check.component_count, 1);
        CHECK_OK(t->ctx, fr_tetmesh_surface(t->ctx, &piece, &surface));
        check_closed(t->ctx, &surface);
        volume += check.volume;
        for (int32_t e = 0; e < piece.tet_count; e++) {
            mixed += cut->region[tet[e]] != cut->region[tet[0]] || of[tet[e]] != k;
            if (piece.region) mixed += piece.region[e] != mesh->region[tet[e]];
            for (int i = 0; i < 4; i++) {
                mixed += node[piece.tet[e][i]] != mesh->tet[tet[e]][i];
                mixed += fr_distance(fr_get3(piece.x, piece.tet[e][i]),
                                     fr_get3(mesh->x, mesh->tet[tet[e]][i])) > 0;
            }
        }
        CHECK_INT(mixed, 0);
        fr_surface_free(t->ctx, &surface);
        fr_tetmesh_free(t->ctx, &piece);
        FR_FREE_ALL(t->ctx, node, tet);
    }
    CHECK_CLOSE(volume, t->volume, 1e-12); // the promise
    fr_free(t->ctx, part);
}

static double flatness(const double *x, const int32_t n[4]) {
    double longest = 0;
    for (int k = 0; k < 6; k++)
        longest = fr_max(longest, fr_distance(fr_get3(x, n[fr_tet_edge[k][0]]),
                                              fr_get3(x, n[fr_tet_edge[k][1]])));
    return kit_height(x, n) / longest;
}

// no child is flatter than was asked for, or than a quarter of its parent where that is flat
static void check_shapes(const CutTest *t, const FrLabelCut *cut, int32_t tet0, double flattest) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    double least = 1;
    int32_t bad = 0;
    for (int32_t k = tet0; k < t->log.tet_count; k++) {
        const FrSplitTet *s = &t->log.tets[k];
        bool alone = (k == 0 || s[-1].group != s->group) &&
                     (k + 1 == t->log.tet_count || s[1].group != s->group);
        if (alone) continue;
        double own = flatness(mesh->x, s->node), parent = flatness(mesh->x, s->parent_node);
        least = fr_min(least, own);
        bad += own < fr_min(flattest, parent / 4) * (1 - 1e-9); // rounding
    }
    CHECK_INT(bad, 0);
    CHECK_CLOSE(cut->flattest, least, 1e-9); // rounding, of thin tets
}

static void check_stars(const CutTest *t, int32_t face0) {
    bool *seen = calloc((size_t)fr_cutmesh_view(t->cut)->node_count, sizeof *seen);
    for (int32_t k = 6 * face0; k < 6 * t->log.face_count; k++) {
        const FrOpenFace *f = &t->log.faces[k / 6];
        int32_t node = k % 6 < 3 ? f->plus_node[k % 6] : f->minus_node[k % 6 - 3];
        if (!seen[node]) check_star(t, node);
        seen[node] = true;
    }
    free(seen);
}

// what random labellings come to
typedef struct Tally {
    int cuts, pieces, facets;
    double flattest;
} Tally;

// One labelling of a mesh, cut before or not, with everything that must hold.
static void cut_and_check(CutTest *t, FrPieces *pieces, Labelling kind, FrRandom *random,
                          Tally *tally) {
    FrContext *ctx = t->ctx;
    FrLabelCutOptions options = fr_label_cut_options_default();
    if (fr_random_below(random, 4) == 0) options.least_part = 0.03 * t->volume;
    if (fr_random_below(random, 4) == 0) options.flattest = 0.06;
    FrSplitOptions loose = {.min_quality = 1e-9};
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    int32_t tets = mesh->tet_count, groups = t->log.group_count;
    int32_t tet0 = t->log.tet_count, node0 = t->log.node_count, face0 = t->log.face_count;
    FrLabels labels = random_labels(ctx, mesh, kind, random);
    FrLabelCut cut;
    CHECK_OK(ctx, fr_cutmesh_split_labels(t->cut, &labels, &options, &t->log, &cut));
    CHECK_OK(ctx, fr_pieces_follow(pieces, t->cut, &t->log, groups, 0.5, NULL));
    check_divisions(t, tet0, node0, &loose);
    check_shapes(t, &cut, tet0, options.flattest);
    check_facets(t, &cut, face0, tets);
    CHECK_INT(regions_joined(t, &cut), 0);
    t->area += 2 * cut.area;
    carry(t);
    check_whole(t);
    check_pieces(t, pieces, &cut);
    check_stars(t, face0);
    int32_t count;
    fr_pieces_table(pieces, &count);
    tally->cuts++;
    tally->pieces += count;
    tally->facets += cut.facet_count;
    tally->flattest = fr_min(tally->flattest, cut.flattest);
    fr_labels_free(ctx, &labels);
    fr_label_cut_free(ctx, &cut);
}

// stretched, and cracked at a few nodes
static void place_and_crack(CutTest *t, FrRandom *random) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    FrSplitOptions options = fr_split_options_default();
    double *p = malloc(3 * sizeof(double) * (size_t)mesh->node_count);
    for (int32_t k = 0; k < 3 * mesh->node_count; k++) p[k] = (1 + 0.1 * (k % 3)) * mesh->x[k];
    fr_cutmesh_place(t->cut, p);
    for (int k = 0; k < 3; k++) {
        FrVec3 n = {1, fr_random_range(random, -1, 1), fr_random_range(random, -1, 1)};
        cut_split(t, fr_random_below(random, mesh->node_count), fr_normalize(n), &options);
    }
    free(p);
}

// Every third mesh has cracks already, and is cut twice. A copy that follows the log is the same.
static void cut_shape_and_check(CutShape shape, Labelling kind, FrRandom *random, Tally *tally) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh, first;
    FrCutMesh *copy;
    FrPieces *pieces;
    CutTest t;
    CHECK_OK(ctx, cut_shape(ctx, shape, &mesh));
    CHECK_OK(ctx, fr_tetmesh_copy(ctx, &mesh, &first));
    cut_begin(&t, ctx, &mesh, shape);
    CHECK_OK(ctx, fr_cutmesh_create(ctx, &first, &copy));
    fr_cutmesh_clock(t.cut, 0.5);
    bool twice = fr_random_below(random, 3) == 0;
    if (twice) place_and_crack(&t, random);
    CHECK_OK(ctx, fr_pieces_create(ctx, t.cut, &pieces));
    cut_and_check(&t, pieces, kind, random, tally);
    if (twice && kind != ALL_APART) cut_and_check(&t, pieces, BY_SEEDS, random, tally);
    CHECK_OK(ctx, fr_cutmesh_apply(copy, &t.log, 0.5));
    fr_cutmesh_place(copy, fr_cutmesh_placed(t.cut)); // it was not stretched
    CHECK(whole_hash(copy) == whole_hash(t.cut));
    fr_cutmesh_destroy(copy);
    fr_pieces_destroy(pieces);
    fr_tetmesh_free(ctx, &first);
    cut_end(&t);
    fr_context_destroy(ctx);
}

TEST(random_labellings_keep_everything) {
    static const int share[CUT_SHAPES] = {
        [CUT_BOX] = 20, [CUT_TET] = 20, [CUT_TUBE] = 4, [CUT_BALL] = 4, [CUT_PLATE] = 2};
    const char *text = getenv("LABELLINGS");
    int wanted = text ? atoi(text) : 200;
    FrRandom random = fr_random_for(5, "labels", 0);
    for (int kind = 0; kind < LABELLINGS; kind++) {
        Tally tally = {.flattest = 1};
        for (int k = 0; k < CUT_SHAPES * wanted; k++)
            if (k / CUT_SHAPES < share[k % CUT_SHAPES] * wanted / 200)
                cut_shape_and_check((CutShape)(k % CUT_SHAPES), (Labelling)kind, &random, &tally);
        printf("labelling %d: %d cuts, %d pieces, %d facets, flattest %.3f\n", kind, tally.cuts,
               tally.pieces, tally.facets, tally.flattest);
        CHECK(tally.pieces > tally.cuts);
    }
}

// what a cut of a new mesh by labels comes to
typedef struct Cut {
    FrContext *ctx;
    FrTetMesh mesh; ///< before
    FrLabels labels;
    FrCutMesh *cut;
    FrCutLog log;
    FrLabelCut said;
} Cut;

static void begin_labels(Cut *c, FrTetMesh mesh, int32_t regions) {
    c->mesh = mesh;
    c->labels = labels_for(c->ctx, mesh.node_count, regions);
    CHECK_OK(c->ctx, fr_cutmesh_create(c->ctx, &mesh, &c->cut));
    fr_cutlog_init(&c->log, mesh.node_count);
}

static void cut_labels(Cut *c, FrLabelCutOptions options) {
    CHECK_OK(c->ctx, fr_cutmesh_split_labels(c->cut, &c->labels, &options, &c->log, &c->said));
}

static void end_labels(Cut *c) {
    fr_labels_free(c->ctx, &c->labels);
    fr_label_cut_free(c->ctx, &c->said);
    fr_cutlog_free(c->ctx, &c->log);
    fr_cutmesh_destroy(c->cut);
    fr_tetmesh_free(c->ctx, &c->mesh);
}

static FrTetMesh ball_of(FrContext *ctx, double cell) {
    FrTetMesh mesh;
    Body body = {BALL, 1, 0, 0, fr_quat_identity, {0, 0, 0}};
    FrField field = body_field(&body);
    FrStuffingOptions stuffing = fr_stuffing_options_default(cell);
    CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &stuffing, &mesh, NULL));
    return mesh;
}

static FrTetMesh box_of(FrContext *ctx, FrVec3 lo, FrVec3 hi, int32_t x, int32_t y, int32_t z) {
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, (FrBox){lo, hi}, (int32_t[3]){x, y, z}, &mesh));
    return mesh;
}

// nodes that lie on edges of the mesh before, where keys and not the clamp put them
static void check_on_plane(const Cut *c, FrVec3 n, double at, double clamp) {
    const FrTetMesh *mesh = fr_cutmesh_view(c->cut);
    int32_t off = 0, free_ones = 0;
    double worst = 0;
    for (int32_t k = 0; k < c->log.node_count; k++) {
        FrNewNode node = c->log.nodes[k];
        double d = fr_dot(n, fr_get3(mesh->x, c->log.first_node + k)) - at;
        worst = fr_max(worst, fabs(d));
        if (node.a == node.b || node.t < clamp * (1 + 1e-9) || node.t > 1 - clamp * (1 + 1e-9))
            continue;
        free_ones++;
        off += fabs(d) > 1e-12; // rounding, of lengths of about 1
    }
    CHECK_INT(off, 0);
    CHECK(free_ones > c->log.node_count / 4); // the others are copies, or held by the clamp
    CHECK(worst < 0.1);
}

// two regions on either side of a plane, whose keys are linear: the cut is the plane
TEST(two_regions_part_along_a_plane) {
    FrRandom random = fr_random_for(3, "planes", 0);
    for (int k = 0; k < 12; k++) {
        Cut c = {.ctx = make_context(1)};
        FrTetMesh mesh = k < 6 ? box_of(c.ctx, fr_vec3(-1, -1, -1), fr_vec3(1, 1, 1), 6, 6, 6)
                               : ball_of(c.ctx, 0.25);
        FrVec3 n = {1, 0, 0};
        double at = fr_random_range(&random, -0.2, 0.2);
        if (k % 6) n = fr_vec3(1, fr_random_range(&random, -1, 1), fr_random_range(&random, -1, 1));
        n = fr_normalize(n);
        // the cross-section: the same cut, held by nothing
        Cut exact = {.ctx = c.ctx};
        FrTetMesh same;
        CHECK_OK(c.ctx, fr_tetmesh_copy(c.ctx, &mesh, &same));
        begin_labels(&c, mesh, 2);
        begin_labels(&exact, same, 2);
        label_by_plane(&c.mesh, &c.labels, n, at);
        label_by_plane(&c.mesh, &exact.labels, n, at);
        FrLabelCutOptions options = fr_label_cut_options_default();
        cut_labels(&c, options);
        cut_labels(&exact, (FrLabelCutOptions){.clamp = 1e-9});
        check_on_plane(&c, n, at, options.clamp);
        CHECK_CLOSE(c.said.area, exact.said.area, 0.01);   // the promise
        if (k == 0) CHECK_CLOSE(exact.said.area, 4, 1e-9); // exact but for that clamp
        FrVec3 mean = fr_vec3_zero;
        for (int32_t f = 0; f < c.said.facet_count; f++)
            mean = fr_axpy(c.said.facet[f].area, c.said.facet[f].n, mean);
        // from region 0 to 1 is along n; mesh: by the ends of the border that snapped
        CHECK(fr_dot(mean, n) > 0.99 * c.said.area);
        end_labels(&c);
        end_labels(&exact);
        fr_context_destroy(c.ctx);
    }
}

// Three seeds about the axis of a box: borders are planes at 120 degrees, of 2 / sqrt(3) and 1 m
// from the axis to the sides. They become exact with smaller cells.
TEST(three_regions_part_along_three_planes) {
    double error[2], exact = 0.5 * (2 * 2 / sqrt(3) + 1);
    for (int k = 0; k < 2; k++) {
        int32_t n = k ? 16 : 8;
        Cut c = {.ctx = make_context(1)};
        begin_labels(&c, box_of(c.ctx, fr_vec3(-1, -1, 0), fr_vec3(1, 1, 0.5), n, n, n / 4), 3);
        double s = sqrt(3) / 4, even[3] = {1, 1, 1};
        // not on the axis z, where nodes are
        FrVec3 o = {0.013, 0.017, 0.25};
        FrVec3 seed[3] = {{0, 0.5, 0}, {-s, -0.25, 0}, {s, -0.25, 0}};
        for (int i = 0; i < 3; i++) seed[i] = fr_add(seed[i], o);
        exact = 0.5 * ((1 - o.x) * 2 / sqrt(3) + (1 + o.x) * 2 / sqrt(3) + 1 + o.y);
        label_by_seeds(&c.mesh, &c.labels, seed, even);
        cut_labels(&c, fr_label_cut_options_default());
        error[k] = fabs(c.said.area / exact - 1);
        CHECK_INT(c.said.region[0] >= 0 && c.said.region[0] < 3, 1);
        end_labels(&c);
        fr_context_destroy(c.ctx);
    }
    printf("area of three planes: off by %.4f and %.4f\n", error[0], error[1]);
    CHECK(error[0] < 0.03); // mesh: cells of a quarter metre, whose corners the border rounds
    CHECK(error[1] < 0.6 * error[0]);
}

// A node that is alone in its region: all its edges are cut in the middle, and an eighth of its
// tets is its piece.
TEST(a_lone_node_gets_an_eighth_of_its_tets) {
    Cut c = {.ctx = make_context(1)};
    begin_labels(&c, box_of(c.ctx, fr_vec3_zero, fr_vec3(4, 4, 4), 4, 4, 4), 2);
    int32_t lone = 0, count;
    for (int32_t n = 0; n < c.mesh.node_count; n++)
        if (fr_distance(fr_get3(c.mesh.x, n), fr_vec3(2, 2, 2)) < 1e-9) lone = n;
    c.labels.label[lone] = 1;
    double volume = 0, area = 0, own = 0;
    const int32_t *star = fr_cutmesh_star(c.cut, lone, &count);
    for (int32_t k = 0; k < count; k++) {
        const int32_t *n = c.mesh.tet[star[k]];
        int i = 0;
        while (n[i] != lone) i++;
        volume += fr_tet_volume(&c.mesh, star[k]) / 8;
        area += tri_area(c.mesh.x, (int32_t[3]){n[fr_tet_face[i][0]], n[fr_tet_face[i][1]],
                                                n[fr_tet_face[i][2]]}) /
                4;
    }
    cut_labels(&c, fr_label_cut_options_default());
    for (int32_t e = 0; e < fr_cutmesh_view(c.cut)->tet_count; e++)
        if (c.said.region[e] == 1) own += fr_tet_volume(fr_cutmesh_view(c.cut), e);
    CHECK_CLOSE(own, volume, 1e-12);       // rounding
    CHECK_CLOSE(c.said.area, area, 1e-12); // rounding
    CHECK_INT(c.said.facet_count, count);
    end_labels(&c);
    fr_context_destroy(c.ctx);
}

// how many parts and open faces a tet has with two, three and four regions at its corners
TEST(a_tet_falls_into_its_regions) {
    static const int32_t label[4][4] = {{0, 0, 0, 1}, {0, 0, 1, 1}, {0, 0, 1, 2}, {0, 1, 2, 3}};
    static const int32_t parts[4] = {4, 6, 12, 24}, faces[4] = {1, 2, 5, 12};
    FrRandom random = fr_random_for(12, "parts", 0);
    for (int k = 0; k < 40; k++) {
        Cut c = {.ctx = make_context(1)};
        FrTetMesh mesh;
        double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
        for (int i = 0; i < 12; i++) x[i] += fr_random_range(&random, -0.2, 0.2);
        CHECK_OK(c.ctx, fr_tetmesh_create(c.ctx, x, 4, (int32_t[1][4]){{0, 1, 2, 3}}, 1, &mesh));
        begin_labels(&c, mesh, 4);
        for (int32_t n = 0; n < 4; n++) c.labels.label[n] = label[k % 4][n];
        cut_labels(&c, fr_label_cut_options_default());
        CHECK_INT(fr_cutmesh_view(c.cut)->tet_count, parts[k % 4]);
        CHECK_INT(c.said.facet_count, faces[k % 4]);
        end_labels(&c);
        fr_context_destroy(c.ctx);
    }
}

// Four regions that meet in one tet, cut in the middles: each gets a quarter, whatever its shape;
// the borders meet in the middle of the tet and of its faces [M20].
TEST(four_regions_share_a_tet) {
    FrRandom random = fr_random_for(11, "quarters", 0);
    for (int k = 0; k < 20; k++) {
        Cut c = {.ctx = make_context(1)};
        FrTetMesh mesh;
        double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, part[4] = {0};
        for (int i = 0; i < 12; i++) x[i] += fr_random_range(&random, -0.2, 0.2);
        CHECK_OK(c.ctx, fr_tetmesh_create(c.ctx, x, 4, (int32_t[1][4]){{0, 1, 2, 3}}, 1, &mesh));
        begin_labels(&c, mesh, 4);
        for (int32_t n = 0; n < 4; n++) c.labels.label[n] = n;
        cut_labels(&c, fr_label_cut_options_default());
        const FrTetMesh *now = fr_cutmesh_view(c.cut);
        for (int32_t e = 0; e < now->tet_count; e++)
            part[c.said.region[e]] += fr_tet_volume(now, e);
        for (int i = 0; i < 4; i++)
            CHECK_CLOSE(part[i], fr_tet_volume(&c.mesh, 0) / 4, 1e-12); // rounding
        end_labels(&c);
        fr_context_destroy(c.ctx);
    }
}

// a small part between two borders joins the neighbour that it has the most area with
TEST(small_parts_join_a_neighbour) {
    double volume[2];
    for (int k = 0; k < 2; k++) {
        Cut c = {.ctx = make_context(1)};
        begin_labels(&c, box_of(c.ctx, fr_vec3_zero, fr_vec3(8, 2, 2), 8, 2, 2), 3);
        for (int32_t n = 0; n < c.mesh.node_count; n++) {
            double at = c.mesh.x[3 * n];
            c.labels.label[n] = at > 4.5 ? 2 : at > 3.5 ? 1 : 0;
        }
        // the middle one, between x = 3.5 and 4.5, has 4 m^3
        FrLabelCutOptions options = fr_label_cut_options_default();
        options.least_part = k ? 4.1 : 3.9;
        cut_labels(&c, options);
        volume[k] = 0;
        for (int32_t e = 0; e < fr_cutmesh_view(c.cut)->tet_count; e++)
            if (c.said.region[e] == 1) volume[k] += fr_tet_volume(fr_cutmesh_view(c.cut), e);
        CHECK_CLOSE(c.said.area, k ? 4 : 8, 1e-12); // rounding
        end_labels(&c);
        fr_context_destroy(c.ctx);
    }
    CHECK_CLOSE(volume[0], 4, 1e-12); // rounding
    CHECK_NEAR(volume[1], 0, TOL_EXACT);
}

// A tet (the first) whose corners all lie on the border: cuts pass them closely on the way to nodes
// across. None of its neighbours belongs to region 0, so neither does it: the only piece of region
// 0 is at node 8.
TEST(no_part_lies_between_borders_alone) {
    Cut c = {.ctx = make_context(1)};
    FrTetMesh mesh;
    const double x[27] = {0,   0,  0,   1,   0,   0,  0,   1,   0,   0,  0,     1,    0.8, 0.8,
                          0.8, -1, 0.3, 0.3, 0.3, -1, 0.3, 0.3, 0.3, -1, -0.32, 1.08, 1.08};
    const int32_t tet[6][4] = {{0, 1, 2, 3}, {4, 1, 2, 3}, {0, 5, 2, 3},
                               {0, 1, 6, 3}, {0, 1, 2, 7}, {2, 3, 4, 8}};
    CHECK_OK(c.ctx, fr_tetmesh_create(c.ctx, x, 9, tet, 6, &mesh));
    fr_tetmesh_orient(&mesh);
    begin_labels(&c, mesh, 2);
    for (int32_t n = 0; n < 9; n++) {
        c.labels.label[n] = n != 0 && n != 1 && n != 8;
        c.labels.second[n] = !c.labels.label[n];
        c.labels.second_key[n] = n < 4 ? 0.01 : 1;
    }
    cut_labels(&c, fr_label_cut_options_default());
    CHECK_INT(c.said.region[0], 1);
    int32_t *part, parts, pieces = 0;
    const FrTetMesh *now = fr_cutmesh_view(c.cut);
    CHECK_OK(c.ctx, fr_tet_components(c.ctx, now, &part, &parts));
    for (int32_t e = 0; e < now->tet_count; e++)
        for (int i = 0; i < 4; i++) pieces += c.said.region[e] == 0 && now->tet[e][i] == 8;
    CHECK(pieces > 0);
    CHECK_INT(parts, 2);
    fr_free(c.ctx, part);
    end_labels(&c);
    fr_context_destroy(c.ctx);
}

// one region: nothing happens
TEST(one_region_stays_whole) {
    Cut c = {.ctx = make_context(1)};
    begin_labels(&c, ball_of(c.ctx, 0.5), 1);
    uint64_t before = whole_hash(c.cut);
    cut_labels(&c, fr_label_cut_options_default());
    CHECK(whole_hash(c.cut) == before);
    CHECK_INT(c.said.facet_count + c.log.group_count + c.log.node_count + c.log.face_count, 0);
    CHECK_NEAR(c.said.area, 0, TOL_EXACT);
    end_labels(&c);
    fr_context_destroy(c.ctx);
}

static uint64_t hash_with_workers(int workers) {
    Cut c = {.ctx = make_context(workers)};
    FrRandom random = fr_random_for(2, "workers", 0);
    begin_labels(&c, ball_of(c.ctx, 0.3), 12);
    label_by_random_seeds(&c.mesh, &c.labels, &random);
    cut_labels(&c, fr_label_cut_options_default());
    uint64_t hash = whole_hash(c.cut);
    end_labels(&c);
    fr_context_destroy(c.ctx);
    return hash;
}

TEST(same_bits_for_any_worker_count) {
    CHECK(hash_with_workers(1) == hash_with_workers(2));
    CHECK(hash_with_workers(1) == hash_with_workers(5));
}

static FrResult labels_refused(FrContext *ctx) {
    FrTetMesh mesh, piece = {0};
    FrCutMesh *cut = NULL;
    FrCutLog log = {0};
    FrLabelCut said = {0};
    FrRandom random = fr_random_for(2, "refused", 0);
    int32_t *node = NULL, *tet = NULL;
    FR_TRY(fr_mesh_box_cells(ctx, (FrBox){{0, 0, 0}, {3, 1, 1}}, (int32_t[3]){3, 1, 1}, &mesh));
    FrLabels labels = labels_for(ctx, mesh.node_count, 4);
    FrResult result = labels.label && labels.key && labels.second && labels.second_key
                          ? fr_cutmesh_create(ctx, &mesh, &cut)
                          : FR_NO_MEMORY;
    fr_cutlog_init(&log, mesh.node_count);
    if (result == FR_OK) {
        FrLabelCutOptions options = fr_label_cut_options_default();
        options.least_part = 0.2;
        label_by_random_seeds(&mesh, &labels, &random);
        result = fr_cutmesh_split_labels(cut, &labels, &options, &log, &said);
        CHECK(result == FR_OK || (log.node_count == 0 && log.tet_count == 0 && !said.facet));
    }
    if (result == FR_OK)
        result = fr_tetmesh_part(ctx, fr_cutmesh_view(cut), (FrTetPart){said.region, 0}, &piece,
                                 &node, &tet);
    fr_tetmesh_free(ctx, &piece);
    FR_FREE_ALL(ctx, node, tet);
    fr_label_cut_free(ctx, &said);
    fr_labels_free(ctx, &labels);
    fr_cutlog_free(ctx, &log);
    fr_cutmesh_destroy(cut);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}

TEST(lost_memory_leaves_nothing_behind) { refuse_each(labels_refused); }
