// split_follow.c: what follows a cut: logs done again, faces and their times, pieces and their
// names.

#include "split_kit.h"
#include "base/hash.h"
#include "cut/pieces.h"

static uint64_t whole_hash(const FrCutMesh *cut) {
    const FrTetMesh *mesh = fr_cutmesh_view(cut);
    FrHash hash;
    fr_hash_begin(&hash, fr_tetmesh_hash(mesh));
    fr_hash_bytes(&hash, fr_cutmesh_opened(cut), 4 * sizeof(double) * (size_t)mesh->tet_count);
    for (int32_t n = 0; n < mesh->node_count; n++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(cut, n, &count);
        fr_hash_bytes(&hash, star, (size_t)count * sizeof *star);
    }
    return fr_hash_end(&hash);
}

// the surface that marks give is the surface; what is outside keeps its area, what is inside has
// twice that of the cuts
static void check_marks(const CutTest *t, double outside, double inside) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    FrSurface marked, real;
    CHECK_OK(t->ctx, fr_cutmesh_surface(t->cut, NULL, &marked));
    CHECK_OK(t->ctx, fr_tetmesh_surface(t->ctx, mesh, &real));
    CHECK_INT(marked.tri_count, real.tri_count);
    if (marked.tri_count == real.tri_count)
        CHECK(!memcmp(marked.tri, real.tri, sizeof *real.tri * (size_t)real.tri_count));
    double area[2] = {0, 0};
    for (int32_t k = 0; k < marked.tri_count; k++)
        area[marked.opened[k] >= 0] += tri_area(mesh->x, marked.tri[k]);
    // rounding: sums of the same areas in another order
    CHECK_CLOSE(area[0], outside, 1e-12);
    CHECK_NEAR(area[1], inside, 1e-12 * outside);
    fr_surface_free(t->ctx, &marked);
    fr_surface_free(t->ctx, &real);
}

// names agree with the face-connected parts, volumes add up, and the largest keeps the name
static void check_pieces(const CutTest *t, const FrPieces *pieces) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    const int32_t *of = fr_pieces_of_tets(pieces);
    int32_t *part, parts, count;
    const FrPiece *table = fr_pieces_table(pieces, &count);
    CHECK_OK(t->ctx, fr_tet_components(t->ctx, mesh, &part, &parts));
    CHECK_INT(count, parts);
    int32_t *name = malloc(sizeof(int32_t) * (size_t)(parts + 1));
    double *volume = calloc((size_t)count + 1, sizeof *volume);
    for (int32_t k = 0; k < parts; k++) name[k] = -1;
    int32_t wrong = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        if (name[part[e]] < 0) name[part[e]] = of[e];
        wrong += name[part[e]] != of[e];
        volume[of[e]] += fr_tet_volume(mesh, e);
    }
    CHECK_INT(wrong, 0);
    for (int32_t k = 0; k < count; k++) {
        // rounding: sums of the same volumes in another order
        CHECK_NEAR(table[k].volume, volume[k], 1e-12 * t->volume);
        CHECK_INT(of[table[k].tet], k);
        CHECK(table[k].parent < k);
    }
    free(name);
    free(volume);
    fr_free(t->ctx, part);
}

static void check_saved(CutTest *t, const FrTetMesh *first, const FrPieces *pieces) {
    FrWriter out;
    FrReader in;
    FrCutMesh *again;
    FrPieces *named;
    fr_writer_init(&out, t->ctx);
    fr_cutmesh_save(t->cut, &out);
    fr_pieces_save(pieces, &out);
    CHECK_OK(t->ctx, fr_writer_result(&out));
    CHECK_OK(t->ctx, fr_cutmesh_create(t->ctx, first, &again));
    CHECK_OK(t->ctx, fr_pieces_create(t->ctx, again, &named));
    fr_reader_init(&in, out.data, out.size);
    CHECK_OK(t->ctx, fr_cutmesh_load(again, &in));
    CHECK_OK(t->ctx, fr_pieces_load(named, again, &in));
    CHECK_INT(fr_reader_left(&in), 0);
    CHECK(whole_hash(again) == whole_hash(t->cut));
    CHECK(!memcmp(fr_pieces_of_tets(named), fr_pieces_of_tets(pieces),
                  sizeof(int32_t) * (size_t)fr_cutmesh_view(again)->tet_count));
    fr_pieces_destroy(named);
    fr_cutmesh_destroy(again);
    // half of it is refused
    CHECK_OK(t->ctx, fr_cutmesh_create(t->ctx, first, &again));
    fr_reader_init(&in, out.data, out.size / 3);
    CHECK_INT(fr_cutmesh_load(again, &in), FR_BAD_INPUT);
    fr_cutmesh_destroy(again);
    fr_writer_free(&out);
}

// Cuts of every kind; every few of them go into one log, which a copy of the mesh follows.
static void follow_shape(CutShape shape, int splits) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh, first;
    FrCutMesh *copy;
    FrPieces *pieces, *told; // step by step, and log by log
    CutTest t;
    CHECK_OK(ctx, cut_shape(ctx, shape, &mesh));
    CHECK_OK(ctx, fr_tetmesh_copy(ctx, &mesh, &first));
    CHECK_OK(ctx, fr_cutmesh_create(ctx, &mesh, &copy));
    cut_begin(&t, ctx, &mesh, 9);
    CHECK_OK(ctx, fr_pieces_create(ctx, t.cut, &pieces));
    CHECK_OK(ctx, fr_pieces_create(ctx, copy, &told));
    double outside = t.area, inside = 0;
    FrCutLog log, one; // of every few splits, and of one
    fr_cutlog_init(&log, first.node_count);
    fr_cutlog_init(&one, first.node_count);
    FrRandom random = fr_random_for(13, "follow", shape);
    int births = 0;
    for (int k = 0; k < splits; k++) {
        FrSplitOptions options = fr_split_options_default();
        options.along_faces = fr_random_below(&random, 3) == 0;
        options.straight = 0;
        int32_t node = fr_random_below(&random, fr_cutmesh_view(t.cut)->node_count);
        // mostly two directions, so that cracks meet and pieces come off
        FrVec3 n = {fr_random_below(&random, 2), fr_random_range(&random, -0.2, 0.2), 0.1};
        fr_cutmesh_clock(t.cut, 0.001 * (k / 5));
        int32_t group0 = log.group_count, born;
        FrSplitResult result;
        if (fr_length(n) < 0.5) n.y = 1;
        fr_cutlog_clear(&one, fr_cutmesh_view(t.cut)->node_count);
        CHECK_OK(ctx, fr_cutmesh_split(t.cut, node, fr_normalize(n), &options, &one, &result));
        CHECK_OK(ctx, fr_cutlog_append(ctx, &log, &one, 0));
        CHECK_OK(ctx, fr_pieces_follow(pieces, t.cut, &log, group0, 0.001 * (k / 5), &born));
        inside += 2 * result.area;
        births += born;
        CHECK(result.outcome == FR_SPLIT_DONE || born == 0);
        if (k % 5 < 4) continue;
        CHECK_OK(ctx, fr_cutmesh_apply(copy, &log, 0.001 * (k / 5)));
        CHECK_OK(ctx, fr_pieces_follow(told, copy, &log, 0, 0.001 * (k / 5), NULL));
        CHECK(whole_hash(copy) == whole_hash(t.cut));
        check_marks(&t, outside, inside);
        check_pieces(&t, pieces);
        check_pieces(&t, told);
        fr_cutlog_clear(&log, fr_cutmesh_view(t.cut)->node_count);
    }
    CHECK(births > 0 || shape == CUT_TET);
    check_saved(&t, &first, pieces);
    fr_cutlog_free(ctx, &log);
    fr_cutlog_free(ctx, &one);
    fr_pieces_destroy(pieces);
    fr_pieces_destroy(told);
    fr_cutmesh_destroy(copy);
    fr_tetmesh_free(ctx, &first);
    cut_end(&t);
    fr_context_destroy(ctx);
}

TEST(logs_faces_and_pieces_follow) {
    for (int shape = 0; shape < CUT_SHAPES; shape++)
        follow_shape((CutShape)shape, shape == CUT_TET ? 40 : 400);
}

// a bar broken in two at a third: the larger part keeps the name; its props are those of a box
TEST(larger_part_keeps_the_name) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    FrCutMesh *cut;
    FrPieces *pieces;
    FrCutLog log;
    FrBox box = {{0, 0, 0}, {6, 1, 1}};
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (int32_t[3]){6, 1, 1}, &mesh));
    CHECK_OK(ctx, fr_cutmesh_create(ctx, &mesh, &cut));
    CHECK_OK(ctx, fr_pieces_create(ctx, cut, &pieces));
    fr_cutlog_init(&log, mesh.node_count);
    FrSplitOptions options = fr_split_options_default();
    int32_t born = 0, count;
    for (int32_t n = 0; n < mesh.node_count && !born; n++) {
        if (fabs(mesh.x[3 * n] - 2) > 1e-9) continue;
        int32_t group0 = log.group_count;
        FrSplitResult result;
        CHECK_OK(ctx, fr_cutmesh_split(cut, n, fr_vec3(1, 0, 0), &options, &log, &result));
        CHECK_OK(ctx, fr_pieces_follow(pieces, cut, &log, group0, 0.25, &born));
    }
    const FrPiece *table = fr_pieces_table(pieces, &count);
    CHECK_INT(count, 2);
    CHECK_INT(born, 1);
    // rounding: sums of some 100 tets
    CHECK_NEAR(table[0].volume, 4, 1e-12);
    CHECK_NEAR(table[1].volume, 2, 1e-12);
    CHECK_INT(table[1].parent, 0);
    CHECK_NEAR(table[1].t, 0.25, TOL_EXACT);
    FrSolidProps props[2];
    fr_pieces_props(pieces, cut, NULL, 0, 2, props);
    CHECK_NEAR(fr_distance(props[0].centre, fr_vec3(4, 0.5, 0.5)), 0, 1e-12);
    CHECK_NEAR(fr_distance(props[1].centre, fr_vec3(1, 0.5, 0.5)), 0, 1e-12);
    // a box a x b x c of mass m: m (b^2 + c^2) / 12 about x, m (a^2 + c^2) / 12 about y
    CHECK_NEAR(props[1].inertia.xx, 2 * (1 + 1) / 12.0, 1e-12);
    CHECK_NEAR(props[1].inertia.yy, 2 * (4 + 1) / 12.0, 1e-12);
    CHECK_NEAR(props[1].inertia.xy, 0, 1e-12);
    fr_cutlog_free(ctx, &log);
    fr_pieces_destroy(pieces);
    fr_cutmesh_destroy(cut);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// a log with any one number changed is refused, or makes a mesh whose indices are in range
TEST(changed_logs_are_refused) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    FrCutMesh *cut;
    FrCutLog log;
    CHECK_OK(ctx, cut_shape(ctx, CUT_BOX, &mesh));
    CHECK_OK(ctx, fr_cutmesh_create(ctx, &mesh, &cut));
    fr_cutlog_init(&log, mesh.node_count);
    FrSplitOptions options = fr_split_options_default();
    FrRandom random = fr_random_for(17, "changed", 0);
    for (int k = 0; k < 6; k++) {
        FrVec3 n = {fr_random_normal(&random), fr_random_normal(&random), 1};
        FrSplitResult result;
        CHECK_OK(ctx, fr_cutmesh_split(cut, 10 + k, fr_normalize(n), &options, &log, &result));
    }
    fr_cutmesh_destroy(cut);
    int refused = 0;
    for (int k = 0; k < 2000; k++) {
        int32_t *word, kind = fr_random_below(&random, 3);
        if (kind == 0)
            word = (int32_t *)&log.tets[fr_random_below(&random, log.tet_count)] + 1 +
                   fr_random_below(&random, 10);
        else if (kind == 1)
            word = &log.nodes[fr_random_below(&random, log.node_count)].a;
        else
            word = (int32_t *)&log.faces[fr_random_below(&random, log.face_count)] +
                   fr_random_below(&random, 9);
        int32_t old = *word;
        *word = k % 4 ? old + fr_random_below(&random, 9) - 4 : (int32_t)fr_random_u32(&random);
        CHECK_OK(ctx, fr_cutmesh_create(ctx, &mesh, &cut));
        FrResult result = fr_cutmesh_apply(cut, &log, 1);
        CHECK(result == FR_OK || result == FR_BAD_INPUT);
        refused += result == FR_BAD_INPUT;
        FrSurface surface;
        CHECK_OK(ctx, fr_cutmesh_surface(cut, NULL, &surface));
        fr_surface_free(ctx, &surface);
        fr_cutmesh_destroy(cut);
        *word = old;
    }
    CHECK(refused > 1000);
    fr_cutlog_free(ctx, &log);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

static FrResult follow_refused(FrContext *ctx) {
    FrTetMesh mesh;
    FrCutMesh *cut = NULL;
    FrPieces *pieces = NULL;
    FrCutLog log = {0};
    FrBox box = {{0, 0, 0}, {3, 1, 1}};
    FR_TRY(fr_mesh_box_cells(ctx, box, (int32_t[3]){3, 1, 1}, &mesh));
    FrResult result = fr_cutmesh_create(ctx, &mesh, &cut);
    if (result == FR_OK) result = fr_pieces_create(ctx, cut, &pieces);
    fr_cutlog_init(&log, mesh.node_count);
    FrSplitOptions options = fr_split_options_default();
    for (int32_t n = 0; n < mesh.node_count && result == FR_OK; n++) {
        int32_t group0 = log.group_count;
        FrSplitResult said;
        result = fr_cutmesh_split(cut, n, fr_vec3(1, 0, 0), &options, &log, &said);
        if (result == FR_OK) result = fr_pieces_follow(pieces, cut, &log, group0, 0, NULL);
    }
    FrSurface surface = {0};
    if (result == FR_OK) result = fr_cutmesh_surface(cut, fr_pieces_of_tets(pieces), &surface);
    fr_surface_free(ctx, &surface);
    fr_pieces_destroy(pieces);
    fr_cutmesh_destroy(cut);
    fr_cutlog_free(ctx, &log);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}

TEST(lost_memory_leaves_nothing_behind) { refuse_each(follow_refused); }
