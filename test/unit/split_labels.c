// split_labels.c: meshes cut at once along the borders of regions: what every cut must keep, where
// borders run, and what follows the log. LABELLINGS says how many random ones (200).

#include "split_kit.h"
#include "base/hash.h"
#include "cut/pieces.h"
#include "cut/split_labels.h"
#include "mesh/topology.h"

static FrLabels labels_for(FrContext *ctx, int32_t nodes, int32_t count) {
    FrLabels l = {.node_count = nodes, .count = count};
    l.label = FR_NEW(ctx, int32_t, nodes);
    l.key = FR_NEW(ctx, double, nodes);
    l.second = FR_NEW(ctx, int32_t, nodes);
    l.second_key = FR_NEW(ctx, double, nodes);
    for (int32_t n = 0; n < nodes; n++) l.second[n] = -1;
    return l;
}

// keys are weighted distances from the seeds
static void label_by_seeds(const FrTetMesh *mesh, FrLabels *l, const FrVec3 *seed,
                           const double *weight) {
    for (int32_t n = 0; n < mesh->node_count; n++) {
        l->key[n] = l->second_key[n] = HUGE_VAL;
        l->label[n] = l->second[n] = -1;
        for (int32_t k = 0; k < l->count; k++) {
            double key = weight[k] * fr_distance(fr_get3(mesh->x, n), seed[k]);
            if (key < l->key[n]) {
                l->second[n] = l->label[n], l->second_key[n] = l->key[n];
                l->label[n] = k, l->key[n] = key;
            } else if (key < l->second_key[n]) {
                l->second[n] = k, l->second_key[n] = key;
            }
        }
    }
}

static FrVec3 random_place(FrRandom *random, FrBox box) {
    return fr_vec3(fr_random_range(random, box.lo.x, box.hi.x),
                   fr_random_range(random, box.lo.y, box.hi.y),
                   fr_random_range(random, box.lo.z, box.hi.z));
}

static void random_seeds(const FrTetMesh *mesh, FrLabels *l, FrRandom *random) {
    FrVec3 *seed = malloc(sizeof *seed * (size_t)l->count);
    double *weight = malloc(sizeof *weight * (size_t)l->count);
    for (int32_t k = 0; k < l->count; k++) {
        seed[k] = random_place(random, fr_tetmesh_bounds(mesh));
        weight[k] = fr_random_range(random, 0.7, 1.4);
    }
    label_by_seeds(mesh, l, seed, weight);
    free(seed), free(weight);
}

typedef enum Labelling { BY_SEEDS, ANY, LONELY, ALL_APART, LABELLINGS } Labelling;

// labels as a fracture has them; at random with random keys; one with single nodes of others in it;
// each node its own
static FrLabels random_labels(FrContext *ctx, const FrTetMesh *mesh, Labelling kind,
                              FrRandom *random) {
    int32_t nodes = mesh->node_count, count = 2 + fr_random_below(random, 8);
    FrLabels l = labels_for(ctx, nodes, kind == ALL_APART ? nodes : count);
    if (kind == BY_SEEDS) {
        random_seeds(mesh, &l, random);
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
static void check_facets(const CutTest *t, const FrLabelCut *cut, int32_t face0) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    double area = 0;
    CHECK_INT(cut->facet_count, t->log.face_count - face0);
    for (int32_t k = 0; k < cut->facet_count; k++) {
        const FrLabelFacet *f = &cut->facet[k];
        const FrOpenFace *open = &t->log.faces[face0 + k];
        FrVec3 a = fr_get3(mesh->x, f->node[0]), b = fr_get3(mesh->x, f->node[1]);
        FrVec3 c = fr_get3(mesh->x, f->node[2]);
        FrVec3 twice = fr_cross(fr_sub(b, a), fr_sub(c, a));
        CHECK(f->a < f->b && f->tet >= 0 && f->tet < t->first_tets);
        CHECK_INT(f->a, cut->region[open->plus]);
        CHECK_INT(f->b, cut->region[open->minus]);
        CHECK(!memcmp(f->node, open->plus_node, sizeof f->node));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) CHECK(open->plus_node[i] != open->minus_node[j]);
        // rounding
        CHECK_CLOSE(f->area, 0.5 * fr_length(twice), 1e-12);
        CHECK_NEAR(fr_distance(f->n, fr_normalize(twice)), 0, 1e-12);
        CHECK_NEAR(fr_distance(f->x, fr_scale(1 / 3.0, fr_add(a, fr_add(b, c)))), 0,
                   1e-12 * t->longest);
        area += f->area;
    }
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
        CHECK_OK(t->ctx, fr_tetmesh_part(t->ctx, mesh, of, k, &piece, &node, &tet));
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

// what a labelling comes to
typedef struct Tally {
    int cuts, pieces, facets;
    double flattest;
} Tally;

// One labelling of a mesh with everything that must hold.
static void cut_and_check(FrContext *ctx, CutShape shape, Labelling kind, FrRandom *random,
                          Tally *tally) {
    FrTetMesh mesh, first;
    FrCutMesh *copy;
    FrPieces *pieces;
    CutTest t;
    FrLabelCut cut;
    CHECK_OK(ctx, cut_shape(ctx, shape, &mesh));
    CHECK_OK(ctx, fr_tetmesh_copy(ctx, &mesh, &first));
    cut_begin(&t, ctx, &mesh, shape);
    FrLabelCutOptions options = fr_label_cut_options_default();
    if (fr_random_below(random, 4) == 0) options.least_part = 0.03 * t.volume;
    FrSplitOptions loose = {.min_quality = 1e-9};
    FrLabels labels = random_labels(ctx, &first, kind, random);
    CHECK_OK(ctx, fr_pieces_create(ctx, t.cut, &pieces));
    fr_cutmesh_clock(t.cut, 0.5);
    CHECK_OK(ctx, fr_cutmesh_split_labels(t.cut, &labels, &options, &t.log, &cut));
    CHECK_OK(ctx, fr_pieces_follow(pieces, t.cut, &t.log, 0, 0.5, NULL));
    check_divisions(&t, 0, 0, &loose);
    check_facets(&t, &cut, 0);
    CHECK_INT(regions_joined(&t, &cut), 0);
    t.area += 2 * cut.area;
    carry(&t);
    check_whole(&t);
    check_pieces(&t, pieces, &cut);
    for (int32_t k = 0; k < t.log.face_count; k++)
        for (int i = 0; i < 3; i++) {
            check_star(&t, t.log.faces[k].plus_node[i]);
            check_star(&t, t.log.faces[k].minus_node[i]);
        }
    CHECK_OK(ctx, fr_cutmesh_create(ctx, &first, &copy));
    CHECK_OK(ctx, fr_cutmesh_apply(copy, &t.log, 0.5));
    CHECK(whole_hash(copy) == whole_hash(t.cut));
    int32_t count;
    const FrPiece *piece = fr_pieces_table(pieces, &count);
    for (int32_t k = 0; k < count; k++) CHECK(count == 1 || piece[k].volume >= options.least_part);
    tally->cuts++;
    tally->pieces += count;
    tally->facets += cut.facet_count;
    tally->flattest = fr_min(tally->flattest, cut.flattest);
    fr_labels_free(ctx, &labels);
    fr_label_cut_free(ctx, &cut);
    fr_cutmesh_destroy(copy);
    fr_pieces_destroy(pieces);
    fr_tetmesh_free(ctx, &first);
    cut_end(&t);
}

TEST(random_labellings_keep_everything) {
    const char *text = getenv("LABELLINGS");
    int wanted = text ? atoi(text) : 200;
    FrRandom random = fr_random_for(5, "labels", 0);
    for (int kind = 0; kind < LABELLINGS; kind++)
        for (int shape = 0; shape < CUT_SHAPES; shape++) {
            FrContext *ctx = make_context(1);
            Tally tally = {.flattest = 1};
            for (int k = 0; k < wanted / (LABELLINGS * CUT_SHAPES) + 1; k++)
                cut_and_check(ctx, (CutShape)shape, (Labelling)kind, &random, &tally);
            printf("labelling %d, shape %d: %d cuts, %d pieces, %d facets, flattest %.3f\n", kind,
                   shape, tally.cuts, tally.pieces, tally.facets, tally.flattest);
            CHECK(tally.pieces > tally.cuts);
            fr_context_destroy(ctx);
        }
}
