// contact_cut.c: detection on a body that is being cut finds the same with all that it remembers
// as with nothing.

#include "test.h"
#include "context.h"
#include "base/random.h"
#include "contact/contact_scene.h"
#include "cut/split.h"
#include "mesh/structured.h"
#include "mesh/tetmesh.h"
#include <stdlib.h>

#define MOST_NODES 20000

/// A cut body that drifts apart, and a second one that sweeps through it.
typedef struct Stage {
    FrContext *ctx;
    FrCutMesh *cut;
    FrTetMesh other;
    FrRandom random;
    double *p, *v, *p2, *v2;
    uint64_t topology;
    FrVec3 flight;               ///< that all share, m/s
    FrContactScene *kept, *anew; ///< with and without a memory
} Stage;

static FrVec3 any_vector(FrRandom *random) {
    FrVec3 v;
    do {
        v = fr_vec3(fr_random_unit(random) - 0.5, fr_random_unit(random) - 0.5,
                    fr_random_unit(random) - 0.5);
    } while (fr_length(v) < 1e-3);
    return v;
}

static FrShapeView view_of(const Stage *s) {
    FrShapeView view = fr_tetmesh_view(fr_cutmesh_view(s->cut), s->p, s->v);
    view.topology = s->topology;
    return view;
}

static FrContactScene *scene_of(const Stage *s) {
    FrContactScene *scene;
    int32_t item;
    FrContactOptions options = fr_contact_options_default();
    options.rebuild_every = 60;
    FrShapeView view = view_of(s), other = fr_tetmesh_view(&s->other, s->p2, s->v2);
    CHECK_OK(s->ctx, fr_contact_scene_create(s->ctx, &options, &scene));
    CHECK_OK(s->ctx, fr_contact_add_body(scene, &view, true, &item));
    CHECK_OK(s->ctx, fr_contact_add_body(scene, &other, false, &item));
    return scene;
}

static void stage_begin(Stage *s, int32_t workers, uint64_t seed) {
    const int32_t n[3] = {4, 3, 4}, m[3] = {2, 2, 1};
    FrTetMesh mesh;
    *s = (Stage){.ctx = make_context(workers), .random = fr_random_for(seed, "cuts", 0)};
    s->topology = 1;
    CHECK_OK(s->ctx, fr_mesh_box_cells(s->ctx, (FrBox){{0, 0, 0}, {0.4, 0.3, 0.4}}, n, &mesh));
    CHECK_OK(s->ctx,
             fr_mesh_box_cells(s->ctx, (FrBox){{0.1, 0.1, 0.3}, {0.3, 0.2, 0.5}}, m, &s->other));
    CHECK_OK(s->ctx, fr_cutmesh_create(s->ctx, &mesh, &s->cut));
    s->p = malloc(3 * MOST_NODES * sizeof(double)), s->v = calloc(3 * MOST_NODES, sizeof(double));
    s->p2 = malloc(3 * (size_t)s->other.node_count * sizeof(double));
    s->v2 = calloc(3 * (size_t)s->other.node_count, sizeof(double));
    memcpy(s->p, mesh.x, 3 * (size_t)mesh.node_count * sizeof(double));
    memcpy(s->p2, s->other.x, 3 * (size_t)s->other.node_count * sizeof(double));
    if (seed > 1) s->flight = fr_vec3(0.5, 0.2, 0.0);
    for (int32_t k = 0; k < mesh.node_count; k++) fr_set3(s->v, k, s->flight);
    fr_tetmesh_free(s->ctx, &mesh);
    s->kept = scene_of(s), s->anew = scene_of(s);
}

static void stage_end(Stage *s) {
    fr_contact_scene_destroy(s->kept), fr_contact_scene_destroy(s->anew);
    fr_cutmesh_destroy(s->cut);
    fr_tetmesh_free(s->ctx, &s->other);
    free(s->p), free(s->v), free(s->p2), free(s->v2);
    fr_context_destroy(s->ctx);
}

// one node is split; both scenes get the log
static void split(Stage *s) {
    FrSplitOptions options = fr_split_options_default();
    FrSplitResult result;
    FrCutLog log;
    int32_t nodes = fr_cutmesh_view(s->cut)->node_count;
    fr_cutlog_init(&log, nodes);
    fr_cutmesh_place(s->cut, s->p);
    int32_t node = fr_random_below(&s->random, nodes);
    FrVec3 normal = fr_normalize(any_vector(&s->random));
    CHECK_OK(s->ctx, fr_cutmesh_split(s->cut, node, normal, &options, &log, &result));
    if (result.outcome == FR_SPLIT_DONE) {
        CHECK(log.first_node + log.node_count < MOST_NODES);
        fr_cutlog_apply_positions(&log, s->p);
        fr_cutlog_apply_positions(&log, s->v);
        // what was one node drifts apart, or together
        for (int32_t k = 0; k < log.node_count; k++)
            fr_add3(s->v, log.first_node + k, fr_scale(0.2, any_vector(&s->random)));
        s->topology++;
        CHECK_OK(s->ctx, fr_contact_follow(s->kept, 0, &log));
        CHECK_OK(s->ctx, fr_contact_follow(s->anew, 0, &log));
    }
    fr_cutlog_free(s->ctx, &log);
}

// nodes of cracks move a little on their own; at times one jumps
static void move(Stage *s, int step, double dt) {
    int32_t nodes = fr_cutmesh_view(s->cut)->node_count;
    FrVec3 sweep = fr_add(s->flight, fr_vec3(0, 0, -3 * cos(0.02 * step)));
    for (int32_t n = 0; n < nodes; n++) fr_add3(s->p, n, fr_scale(dt, fr_get3(s->v, n)));
    for (int32_t n = 0; n < s->other.node_count; n++) {
        fr_set3(s->v2, n, sweep);
        fr_add3(s->p2, n, fr_scale(dt, sweep));
    }
    if (step % 7 == 3)
        fr_add3(s->p, fr_random_below(&s->random, nodes), fr_scale(0.02, any_vector(&s->random)));
}

static void forget(FrContactScene *scene) {
    for (int32_t k = 0; k < scene->item.count; k++) {
        scene->item.data[k].body.age = -1;
        scene->item.data[k].body.follows = false;
    }
    for (int32_t k = 0; k < scene->pair.count; k++) scene->pair.data[k].valid = false;
}

static bool same(const FrContactList *x, const FrContactList *y) {
    bool equal = x->count == y->count;
    for (int32_t k = 0; equal && k < x->count; k++)
        equal = x->contact[k].key == y->contact[k].key &&
                x->contact[k].volume == y->contact[k].volume &&
                fr_distance(x->contact[k].x, y->contact[k].x) == 0.0 &&
                fr_distance(x->contact[k].n, y->contact[k].n) == 0.0;
    return equal;
}

static void compare(Stage *s, int steps, int splits_until) {
    static const int32_t items[2] = {0, 1};
    FrContactList kept = {0}, anew = {0};
    int different = 0;
    int64_t found = 0, between = 0;
    for (int step = 0; step < steps; step++) {
        if (step < splits_until && step % 2 == 0) split(s);
        move(s, step, 3e-4);
        FrShapeView view = view_of(s);
        fr_contact_set_view(s->kept, 0, &view);
        fr_contact_set_view(s->anew, 0, &view);
        forget(s->anew);
        CHECK_OK(s->ctx, fr_contact_detect(s->kept, items, 2, 1e-3, &kept));
        CHECK_OK(s->ctx, fr_contact_detect(s->anew, items, 2, 1e-3, &anew));
        different += !same(&kept, &anew);
        found += kept.count;
        for (int32_t k = 0; k < kept.count; k++) between += kept.contact[k].a != kept.contact[k].b;
    }
    CHECK_INT(different, 0);
    CHECK(s->topology > 30);
    CHECK(between > 1000 && found > between + 1000);
    fr_contact_list_free(s->ctx, &kept);
    fr_contact_list_free(s->ctx, &anew);
}

TEST(a_cut_body_touches_the_same_with_and_without_memory) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        Stage s;
        stage_begin(&s, seed == 2 ? 3 : 1, seed);
        compare(&s, 260, 160);
        // what is known to be apart is not looked at
        CHECK(3 * fr_contact_stats(s.kept).tested < 2 * fr_contact_stats(s.anew).tested);
        stage_end(&s);
    }
}
