// split_random.c: random splits of many meshes; everything that cutting must keep, after each one.
// SPLITS says how many in all (1000).

#include "split_kit.h"

static FrVec3 random_normal(FrRandom *random) {
    FrVec3 n;
    do {
        n = fr_vec3(fr_random_range(random, -1, 1), fr_random_range(random, -1, 1),
                    fr_random_range(random, -1, 1));
    } while (fr_length2(n) > 1 || fr_length2(n) < 1e-3);
    return fr_normalize(n);
}

// stretched, sheared and ruffled by up to a tenth
static void place_at_random(CutTest *t, FrRandom *random) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    double *p = malloc(3 * sizeof(double) * (size_t)mesh->node_count);
    FrMat3 f = fr_mat3_identity;
    double *entry = (double *)&f, k = FR_PI / t->longest;
    for (int i = 0; i < 9; i++) entry[i] += fr_random_range(random, -0.1, 0.1);
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FrVec3 x = fr_get3(mesh->x, n);
        FrVec3 wave = {sin(k * x.y), sin(k * x.z), sin(k * x.x)};
        fr_set3(p, n, fr_axpy(0.03 * t->longest, wave, fr_mat3_apply(f, x)));
    }
    fr_cutmesh_place(t->cut, p);
    free(p);
}

typedef struct Tally {
    int done, empty, poor, moved;
} Tally;

static FrSplitOptions random_options(FrRandom *random, const CutTest *t) {
    FrSplitOptions o = fr_split_options_default();
    o.along_faces = fr_random_below(random, 8) == 0;
    if (fr_random_below(random, 4) == 0) o.back_angle = 0;
    if (fr_random_below(random, 4) == 0) o.min_piece = 1e-3 * t->volume;
    if (fr_random_below(random, 2) == 0) {
        o.min_height = 0.2;
        o.snap_part = fr_random_range(random, 0, 0.5);
        o.together = 0.4;
    }
    return o;
}

static void cut_at_random(CutShape shape, int wanted, bool moves, Tally *tally) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh;
    CutTest t;
    CHECK_OK(ctx, cut_shape(ctx, shape, &mesh));
    cut_begin(&t, ctx, &mesh, shape);
    if (moves) cut_let_move(&t);
    FrRandom random = fr_random_for(7, "splits", shape);
    int done = 0;
    for (int k = 0; done < wanted && k < 20 * wanted; k++) {
        if (k % 16 == 0) place_at_random(&t, &random);
        FrSplitOptions options = random_options(&random, &t);
        int32_t node = fr_random_below(&random, fr_cutmesh_view(t.cut)->node_count);
        FrSplitResult result = cut_split(&t, node, random_normal(&random), &options);
        tally->empty += result.outcome == FR_SPLIT_VOID;
        tally->poor += result.outcome == FR_SPLIT_POOR;
        if (result.outcome != FR_SPLIT_DONE) continue;
        done++;
        check_whole(&t);
        if (test_failures > 20) break;
    }
    tally->done += done;
    tally->moved += t.moved;
    CHECK(moves || t.moved == 0);
    printf("shape %d: %d splits, tets %d -> %d, nodes -> %d, %d moved\n", shape, done, t.first_tets,
           fr_cutmesh_view(t.cut)->tet_count, fr_cutmesh_view(t.cut)->node_count, t.moved);
    cut_end(&t);
    fr_context_destroy(ctx);
}

TEST(random_splits_keep_everything) {
    const char *text = getenv("SPLITS");
    int wanted = text ? atoi(text) : 1000;
    Tally tally = {0};
    // a lone tet can only be cut so often before its parts are too flat
    int lone = wanted / 50, rest = (wanted - lone) / (CUT_SHAPES - 1) + 1;
    for (int k = 0; k < 2 * CUT_SHAPES; k++)
        cut_at_random((CutShape)(k / 2), k / 2 == CUT_TET ? lone : rest / 2 + 1, k % 2, &tally);
    printf("%d splits, %d empty, %d poor\n", tally.done, tally.empty, tally.poor);
    CHECK(tally.moved > fr_min_i(wanted, 1000) / 20); // later most nodes lie on cracks
    CHECK(tally.done >= wanted);
}
