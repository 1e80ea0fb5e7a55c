// bench_bends.c: times steps of bodies that bend by modes: a heap, held points, S1's objects.

#include "bench/bench_bends.h"
#include "backend/backend.h"
#include "base/clock.h"
#include "base/file.h"
#include "bench/bench_model.h"
#include "build/build.h"
#include "build/scene_load.h"
#include "export/report_text.h"
#include "fracas/body.h"
#include "math/vec.h"
#include "mesh/structured.h"
#include "mesh/tetmesh.h"
#include "run/simulate.h"
#include <math.h>

#define SIDE 0.2 // m
#define HEAP 20
#define MODES 40
#define HELD 10
#define SKIN 18847 // points of S1's brain
/// Until the heap lies, s.
#define FALLS 0.6

static FrBodyDef cube_def(const FrTetMesh *mesh, const FrMaterial *material) {
    FrBodyDef def = fr_body_def_default();
    def.name = "cube";
    def.model = fr_bench_bending_model();
    def.mesh = mesh;
    def.material = material;
    def.material_count = 1;
    def.modes = MODES;
    return def;
}

static FrMaterial rubber(void) {
    FrMaterial m = {.name = "rubber", .density = 1000.0, .alpha1 = 1e-3, .friction_static = 0.6};
    m.friction_dynamic = 0.5;
    fr_material_set_young(&m, 1e5, 0.4);
    return m;
}

// processor seconds of a macro step, over about so many seconds
static FrResult time_steps(FrWorld *world, double seconds, double *each) {
    double start = fr_processor_seconds(), took;
    int64_t count = 0;
    do {
        FR_TRY(fr_world_step(world));
        took = fr_processor_seconds() - start;
        count++;
    } while (took < seconds);
    *each = took / (double)count;
    return FR_OK;
}

static FrResult drop_heap(FrWorld *world, const FrTetMesh *mesh) {
    FrMaterial m = rubber();
    FR_TRY(fr_world_add_plane(world, "ground", (FrVec3){0, 0, 1}, 0.0, &m));
    for (int k = 0; k < HEAP; k++) {
        FrBodyDef def = cube_def(mesh, &m);
        FrBodyId id;
        def.position =
            (FrVec3){0.9 * SIDE * (k % 2), 0.8 * SIDE * (k / 2 % 2), SIDE * (0.6 + 1.1 * (k / 4))};
        def.rotation = fr_quat_from_rotation(fr_vec3(0.1 * k, 0.07 * k, 0.05 * k));
        FR_TRY(fr_body_create(world, &def, &id));
    }
    while (fr_world_time(world) < FALLS) FR_TRY(fr_world_step(world));
    return FR_OK;
}

// ten points of one cube, each led along a line and back
static FrResult hold_points(FrWorld *world, const FrTetMesh *mesh) {
    FrMaterial m = rubber();
    FrBodyDef def = cube_def(mesh, &m);
    FrBodyId id;
    FR_TRY(fr_body_create(world, &def, &id));
    for (int k = 0; k < HELD; k++) {
        FrVec3 at = fr_get3(mesh->x, 11 * k % mesh->node_count);
        FrKey key[2] = {{0.0, fr_vec3_zero, fr_quat_identity},
                        {100.0, fr_scale(0.3, at), fr_quat_identity}};
        FrGrabDef grab = fr_grab_def_default();
        FrGrabId grabbed;
        grab.body = id;
        grab.kind = FR_PULL_PLACE;
        grab.at = grab.target = at;
        grab.track = (FrTrack){key, 2, at};
        FR_TRY(fr_grab_create(world, &grab, &grabbed));
    }
    return FR_OK;
}

// a skin of as many points as S1's brain has, on a body that moves
static FrResult time_skin(FrContext *ctx, FrWorld *world, const FrTetMesh *mesh, double *each) {
    FrMaterial m = rubber();
    FrBodyDef def = cube_def(mesh, &m);
    FrEmbedded skin = {.point_count = SKIN, .tri_count = 1};
    int32_t tri[1][3] = {{0, 1, 2}}, count;
    FrBodyId id;
    skin.tri = tri;
    skin.at = FR_NEW(ctx, FrPoint, SKIN);
    float *place = FR_NEW(ctx, float, 3 * SKIN);
    FrResult result = skin.at && place ? FR_OK : fr_no_memory(ctx, "a benchmark");
    for (int32_t k = 0; result == FR_OK && k < SKIN; k++)
        skin.at[k] =
            (FrPoint){(int32_t)((int64_t)k * mesh->tet_count / SKIN), {0.1, 0.2, 0.3, 0.4}};
    def.embedded = &skin;
    if (result == FR_OK) result = fr_body_create(world, &def, &id);
    double start = fr_processor_seconds();
    for (int k = 0; result == FR_OK && k < 200; k++)
        result = fr_body_skin(world, id, place, SKIN, &count);
    *each = (fr_processor_seconds() - start) / 200.0;
    FR_FREE_ALL(ctx, skin.at, place);
    return result;
}

static FrResult in_world(FrContext *ctx, const FrTetMesh *mesh, int which, double seconds,
                         FrBendsBench *b) {
    FrWorldDef def = fr_world_def_default();
    FrWorld *world;
    double each = 1.0;
    def.sleep_time = 0.0;
    if (which) def.gravity = fr_vec3_zero;
    FR_TRY(fr_world_create(ctx, &def, &world));
    FrResult result = which == 0   ? drop_heap(world, mesh)
                      : which == 1 ? hold_points(world, mesh)
                                   : time_skin(ctx, world, mesh, &b->skin_seconds);
    if (result == FR_OK && which < 2) result = time_steps(world, seconds, &each);
    if (which == 0) b->heap_real_time = (def.step > 0.0 ? def.step : 1.0 / 240.0) / each;
    if (which == 1) b->held_seconds = each;
    fr_world_destroy(world);
    return result;
}

FrResult fr_bends_bench(FrContext *ctx, double seconds, FrBendsBench *bench) {
    double h = 0.5 * SIDE;
    FrBox box = {{-h, -h, -h}, {h, h, h}};
    const int32_t n[3] = {4, 4, 4};
    FrTetMesh mesh;
    *bench = (FrBendsBench){0};
    fr_backend_fill(ctx);
    FR_TRY(fr_mesh_box_cells(ctx, box, n, &mesh));
    FrResult result = FR_OK;
    for (int which = 0; which < 3 && result == FR_OK; which++)
        result = in_world(ctx, &mesh, which, seconds, bench);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}

/// One row of S1's table 1.
typedef struct Row {
    const char *name, *file;
    int32_t nodes, tets, modes; ///< printed
    double seconds;             ///< printed, of the decomposition
    double until;               ///< of the scene that is timed, s
} Row;

// The columns of the bunny are swapped: 37,114 nodes cannot hang together by 15,507 tets.
static const Row rows[] = {
    {"Brain", "brain.lua", 304, 997, 40, 68.5, 1.0},
    {"Dodo", "dodo.lua", 113, 295, 40, 6.2, 0.8},
    {"Bunny", "bunny-bounce.lua", 15507, 37114, 32, 1440.0, 0.4},
    {"Sphere", "ball.lua", 80, 282, 40, 2.9, 1.0},
    {"Sheet", "sheet.lua", 195, 486, 20, 14.4, 1.0},
    {"Bat", "bat.lua", 310, 1030, 20, 68.9, 0.8},
};
#define ROWS ((int)(sizeof rows / sizeof rows[0]))

/// What was found for one: of its first body that bends.
typedef struct Found {
    int32_t bodies, nodes, tets, modes;
    double decompose; ///< processor time until its modes are there, s
    double step;      ///< of a macro step with contacts and all bodies, s
} Found;

static FrResult time_row(FrBuilt *built, const FrTiming *timing, Found *f) {
    const FrFrameView *view = fr_world_view(built->world);
    for (int32_t k = 0; view && k < view->body_count; k++) {
        if (!view->body[k].modes) continue;
        f->nodes = view->body[k].mesh->node_count;
        f->tets = view->body[k].mesh->tet_count;
        f->modes = view->body[k].modes->mode_count;
        f->bodies++;
    }
    double start = fr_processor_seconds();
    for (int64_t k = 0; k < timing->tick_count; k++) FR_TRY(fr_world_step(built->world));
    f->step = (fr_processor_seconds() - start) / (double)timing->tick_count;
    return FR_OK;
}

static FrResult find_row(FrContext *ctx, const char *folder, const Row *row, Found *f) {
    FrBuildOptions options = {.coarseness = 1.0};
    FrScene *scene;
    FrBuilt built;
    char *path = fr_path_join(ctx, folder, row->file);
    *f = (Found){0};
    if (!path) return fr_no_memory(ctx, "a benchmark");
    FrResult result = fr_load_scene_with(ctx, path, NULL, 0, &scene);
    fr_free(ctx, path);
    FR_TRY(result);
    FrTiming timing = fr_timing(row->until, scene->scene.fps, fr_step_rate(scene, false));
    result = fr_build_meshes(ctx, scene, &options, &built);
    double start = fr_processor_seconds();
    if (result == FR_OK) result = fr_build_world(&built, scene, timing.step);
    f->decompose = fr_processor_seconds() - start;
    if (result == FR_OK) result = fr_build_result(&built);
    if (result == FR_OK) result = time_row(&built, &timing, f);
    if (f->bodies) f->decompose /= f->bodies;
    fr_built_free(&built);
    fr_scene_free(scene);
    return result;
}

FrResult fr_bends_table(FrContext *ctx, const char *folder, FrWriter *w) {
    fr_print(w, "\n%-10s %7s %8s %7s %8s %6s %8s %8s %8s %9s\n", "S1 table 1", "nodes", "printed",
             "tets", "printed", "modes", "modes s", "printed", "ratio", "ms a step");
    for (int k = 0; k < ROWS; k++) {
        Found f;
        FR_TRY(find_row(ctx, folder, &rows[k], &f));
        fr_print(w, "%-10s %7d %8d %7d %8d %6d %8.3f %8.1f %8.0f %9.3f\n", rows[k].name, f.nodes,
                 rows[k].nodes, f.tets, rows[k].tets, f.modes, f.decompose, rows[k].seconds,
                 rows[k].seconds / f.decompose, 1e3 * f.step);
    }
    fr_print(w, "processor time; a step is 1/240 s, with contacts, of all bodies of the scene\n");
    return FR_OK;
}

FrResult fr_bends_json(FrContext *ctx, const char *folder, FrJson *j) {
    fr_json_array(j, "modal");
    for (int k = 0; k < ROWS; k++) {
        Found f;
        FR_TRY(find_row(ctx, folder, &rows[k], &f));
        fr_json_object(j, NULL);
        fr_json_text(j, "name", rows[k].name);
        fr_json_int(j, "nodes", f.nodes);
        fr_json_int(j, "printed_nodes", rows[k].nodes);
        fr_json_int(j, "tets", f.tets);
        fr_json_int(j, "printed_tets", rows[k].tets);
        fr_json_int(j, "modes", f.modes);
        fr_json_number(j, "decompose_seconds", f.decompose);
        fr_json_number(j, "printed_seconds", rows[k].seconds);
        fr_json_number(j, "step_ms", 1e3 * f.step);
        fr_json_end(j);
    }
    fr_json_end(j);
    return FR_OK;
}
