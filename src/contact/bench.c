// bench.c: times detection of two resting boxes of tets, one on top of the other, and of a ball on
// one of them.

#include "contact/bench.h"
#include "base/clock.h"
#include "contact/scene.h"
#include "base/random.h"
#include <stdlib.h>

typedef struct Box {
    int32_t node_count, tet_count;
    double *rest, *p, *v;
    int32_t (*tet)[4];
} Box;

// six tets round the diagonal of each cell
static void fill_tets(Box *box, int32_t n) {
    static const int path[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int32_t step[3] = {1, n + 1, (n + 1) * (n + 1)}, at = 0;
    for (int32_t z = 0; z < n; z++)
        for (int32_t y = 0; y < n; y++)
            for (int32_t x = 0; x < n; x++)
                for (int k = 0; k < 6; k++) {
                    int32_t *t = box->tet[at++];
                    t[0] = x + y * step[1] + z * step[2];
                    for (int i = 0; i < 3; i++) t[i + 1] = t[i] + step[path[k][i]];
                    if (k == 1 || k == 2 || k == 5) { // odd paths turn the other way
                        int32_t swap = t[2];
                        t[2] = t[3], t[3] = swap;
                    }
                }
}

static bool make_box(FrContext *ctx, Box *box, int32_t n, double turn, FrVec3 at) {
    box->node_count = (n + 1) * (n + 1) * (n + 1);
    box->tet_count = 6 * n * n * n;
    box->rest = FR_NEW(ctx, double, 3 * (size_t)box->node_count);
    box->p = FR_NEW(ctx, double, 3 * (size_t)box->node_count);
    box->v = FR_NEW(ctx, double, 3 * (size_t)box->node_count);
    box->tet = fr_alloc_zero(ctx, (size_t)box->tet_count, sizeof *box->tet);
    if (!box->rest || !box->p || !box->v || !box->tet) return false;
    fill_tets(box, n);
    double h = 1.0 / n, c = cos(turn), s = sin(turn);
    for (int32_t k = 0; k < box->node_count; k++) {
        double x = h * (k % (n + 1)) - 0.5, y = h * (k / (n + 1) % (n + 1)) - 0.5;
        FrVec3 p = {c * x - s * y, s * x + c * y, h * (k / ((n + 1) * (n + 1)))};
        fr_set3(box->rest, k, fr_add(p, at));
    }
    return true;
}

static void free_box(FrContext *ctx, Box *box) {
    fr_free(ctx, box->rest);
    fr_free(ctx, box->p);
    fr_free(ctx, box->v);
    fr_free(ctx, box->tet);
}

// a resting body trembles by far less than the skin of its boxes
static void tremble(Box *box, FrRandom *random, double by) {
    for (int32_t k = 0; k < 3 * box->node_count; k++)
        box->p[k] = box->rest[k] + fr_random_range(random, -by, by);
}

static int compare(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

typedef struct Run {
    FrContactScene *scene;
    Box box[2];
    FrContactList list;
    double *seconds;
} Run;

static FrResult add_boxes(FrContext *ctx, Run *run, int32_t cells, FrContactBench *bench) {
    double h = 1.0 / cells;
    if (!make_box(ctx, &run->box[0], cells, 0.0, fr_vec3_zero) ||
        !make_box(ctx, &run->box[1], cells, 0.2, fr_vec3(0.01, 0.02, 1.0 - 0.01 * h)))
        return fr_no_memory(ctx, "the contact benchmark");
    double start = fr_wall_seconds();
    FR_TRY(fr_contact_scene_create(ctx, NULL, &run->scene));
    FrRandom random = fr_random_for(1, "contact-bench", 0);
    for (int k = 0; k < 2; k++) {
        Box *box = &run->box[k];
        tremble(box, &random, 1e-4 * h);
        FrShapeView view = {box->node_count,
                            box->tet_count,
                            box->p,
                            box->v,
                            (const int32_t(*)[4])box->tet,
                            1,
                            NULL,
                            NULL};
        int32_t item;
        FR_TRY(fr_contact_add_body(run->scene, &view, false, &item));
        bench->tets += box->tet_count;
        bench->surface_tets += run->scene->item.data[item].body.leaf_count;
    }
    bench->seconds_build = fr_wall_seconds() - start;
    return FR_OK;
}

static FrResult time_it(Run *run, const int32_t items[2], int32_t detections, double h, bool renew,
                        double *median) {
    FrRandom random = fr_random_for(2, "contact-bench", renew);
    for (int32_t k = 0; k < detections; k++) {
        for (int i = 0; i < 2; i++) tremble(&run->box[i], &random, 1e-4 * h);
        if (renew) run->scene->item.data[0].body.age = run->scene->item.data[1].body.age = -1;
        double start = fr_wall_seconds();
        FR_TRY(fr_contact_detect(run->scene, items, 2, 1e-5, &run->list));
        run->seconds[k] = fr_wall_seconds() - start;
    }
    qsort(run->seconds, (size_t)detections, sizeof *run->seconds, compare);
    *median = run->seconds[detections / 2];
    return FR_OK;
}

// sunk by a third of a cell into the top of the upper box
static FrResult bench_ball(Run *run, int32_t detections, double h, FrContactBench *bench) {
    double radius = 0.5, warm;
    int32_t items[2] = {1, 0};
    FrVec3 centre = {0.01, 0.02, 2.0 - 0.01 * h + radius - h / 3.0};
    FR_TRY(fr_contact_add_sphere(run->scene, centre, radius, &items[1]));
    FR_TRY(time_it(run, items, 2, h, false, &warm));
    FR_TRY(time_it(run, items, detections, h, false, &bench->seconds_ball));
    bench->ball_contacts = run->list.count;
    return FR_OK;
}

static FrResult run_bench(FrContext *ctx, Run *run, int32_t cells, int32_t detections,
                          FrContactBench *bench) {
    static const int32_t boxes[2] = {0, 1};
    FR_TRY(add_boxes(ctx, run, cells, bench));
    double h = 1.0 / cells, warm;
    run->seconds = FR_NEW(ctx, double, detections);
    if (!run->seconds) return fr_no_memory(ctx, "the contact benchmark");
    FR_TRY(time_it(run, boxes, 2, h, false, &warm));
    int64_t walks = fr_contact_stats(run->scene).traversals;
    FR_TRY(time_it(run, boxes, detections, h, false, &bench->seconds));
    bench->traversals = fr_contact_stats(run->scene).traversals - walks;
    bench->candidates = run->scene->pair.data[run->scene->active.data[0]].candidate.count;
    bench->contacts = run->list.count;
    bench->detections = detections;
    FR_TRY(time_it(run, boxes, fr_min_i(detections, 20), h, true, &bench->seconds_renew));
    return bench_ball(run, detections, h, bench);
}

FrResult fr_contact_bench(FrContext *ctx, int32_t cells, int32_t detections,
                          FrContactBench *bench) {
    FR_ASSERT(cells >= 1 && cells <= 200 && detections >= 2,
              "1 to 200 cells, 2 detections or more");
    *bench = (FrContactBench){0};
    Run run = {0};
    FrResult result = run_bench(ctx, &run, cells, detections, bench);
    fr_contact_list_free(ctx, &run.list);
    fr_contact_scene_destroy(run.scene);
    for (int k = 0; k < 2; k++) free_box(ctx, &run.box[k]);
    fr_free(ctx, run.seconds);
    return result;
}
