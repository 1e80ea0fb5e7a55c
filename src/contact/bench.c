// bench.c: times detection of two resting boxes of tets, one on top of the other, and of a ball on
// one of them.

#include "contact/bench.h"
#include "base/clock.h"
#include "contact/contact_scene.h"
#include "base/random.h"
#include "mesh/structured.h"
#include <stdlib.h>

typedef struct Box {
    FrTetMesh mesh; ///< at rest
    double *p, *v;
} Box;

static FrResult make_box(FrContext *ctx, Box *box, int32_t n, double turn, FrVec3 at) {
    FrBox cube = {{-0.5, -0.5, 0.0}, {0.5, 0.5, 1.0}};
    FR_TRY(fr_mesh_box_cells(ctx, cube, (int32_t[3]){n, n, n}, &box->mesh));
    size_t count = 3 * (size_t)box->mesh.node_count;
    box->p = FR_NEW(ctx, double, count);
    box->v = FR_NEW(ctx, double, count);
    if (!box->p || !box->v) return fr_no_memory(ctx, "the contact benchmark");
    FrQuat q = fr_quat_from_rotation(fr_vec3(0, 0, turn));
    for (int32_t k = 0; k < box->mesh.node_count; k++)
        fr_set3(box->mesh.x, k, fr_add(fr_quat_rotate(q, fr_get3(box->mesh.x, k)), at));
    return FR_OK;
}

static void free_box(FrContext *ctx, Box *box) {
    fr_free(ctx, box->p);
    fr_free(ctx, box->v);
    fr_tetmesh_free(ctx, &box->mesh);
}

// a resting body trembles by far less than the skin of its boxes
static void tremble(Box *box, FrRandom *random, double by) {
    for (int32_t k = 0; k < 3 * box->mesh.node_count; k++)
        box->p[k] = box->mesh.x[k] + fr_random_range(random, -by, by);
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
    FR_TRY(make_box(ctx, &run->box[0], cells, 0.0, fr_vec3_zero));
    FR_TRY(make_box(ctx, &run->box[1], cells, 0.2, fr_vec3(0.01, 0.02, 1.0 - 0.01 * h)));
    double start = fr_wall_seconds();
    FR_TRY(fr_contact_scene_create(ctx, NULL, &run->scene));
    FrRandom random = fr_random_for(1, "contact-bench", 0);
    for (int k = 0; k < 2; k++) {
        Box *box = &run->box[k];
        tremble(box, &random, 1e-4 * h);
        FrShapeView view = fr_tetmesh_view(&box->mesh, box->p, box->v);
        int32_t item;
        FR_TRY(fr_contact_add_body(run->scene, &view, false, &item));
        bench->tets += box->mesh.tet_count;
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
    FR_ASSERT_IN(ctx, cells >= 1 && cells <= 200 && detections >= 2,
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
