// build.c: a scene's definitions become a world: meshes, materials, bodies, spheres, ground, loads.

#include "build/build.h"
#include "backend/backend.h"
#include "export/mesh_report.h"
#include "math/vec.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "scene/scene_files.h"
#include "world/model.h"
#include <math.h>
#include <string.h>

FrResult fr_build_problem(FrBuilt *built, const FrScene *scene, const void *part, const void *owner,
                          const char *name, FrResult result) {
    if (result != FR_BAD_INPUT && result != FR_BAD_USE && result != FR_IO) return result;
    const char *message = fr_context_message(built->ctx);
    size_t length = name ? strlen(name) : 0;
    // messages of the world begin with the name already
    bool named = length && !strncmp(message, name, length) && message[length] == ':';
    fr_scene_problem(&built->problems, scene, part, owner, "%s%s%s", length && !named ? name : "",
                     length && !named ? ": " : "", message);
    return built->problems.no_memory ? fr_no_memory(built->ctx, "a problem") : FR_OK;
}

FrResult fr_build_result(FrBuilt *built) { return fr_problems_result(&built->problems); }

FrModelTraits fr_body_traits(const FrSceneBody *body) {
    return fr_model_traits(fr_scene_model(body, NULL));
}

// what a material that is wrong does is reported later
static bool can_break(FrContext *ctx, const FrScene *scene, const FrSceneBody *body) {
    FrMaterial m;
    if (!fr_body_traits(body).breaks || body->crack.off) return false;
    if (body->cuts_count) return true;
    return fr_scene_material(ctx, scene, body->material, &m) == FR_OK &&
           (m.strength > 0.0 || m.tau > 0.0);
}

/// Tets of a body that shatters, where the scene says nothing: cracks as smooth as one sees them
/// from a body's length away, and modes in seconds.
#define SHATTER_TETS 8000
/// Cells become so much smaller for that, at most.
#define MOST_FINER 0.3

/// Fewer than so many times as many tets are left as they are.
#define TOO_MANY 2.0

// Cells for about so many tets: in a wall of one layer their number goes by the square of the cell,
// else by its cube.
static double finer_cells(const FrBuiltMesh *mesh) {
    double volume = fr_tetmesh_props(&mesh->mesh).volume;
    double one = volume / mesh->mesh.tet_count;              // m^3
    double layers = 6.0 * one / (mesh->cells * mesh->cells); // of a wall: thickness, m
    double power = layers < 0.8 * mesh->cells ? 1.0 / 2.0 : 1.0 / 3.0;
    double by = pow((double)mesh->mesh.tet_count / SHATTER_TETS, power);
    return fr_max(by, MOST_FINER) * mesh->cells;
}

/// Cells in a wall from which on fewer would do.
#define COMPACT 3.0

// would other cells do as well? Smaller ones always, larger ones where no thin wall needs these
static FrResult may_change(FrContext *ctx, const FrBuiltMesh *mesh, bool *may) {
    FrSurface surface;
    int32_t tets = mesh->mesh.tet_count;
    *may = tets > 0 && tets < 0.8 * SHATTER_TETS && mesh->wall == 0.0;
    if (tets < TOO_MANY * SHATTER_TETS || mesh->wall > 0.0) return FR_OK;
    FR_TRY(fr_tetmesh_surface(ctx, &mesh->mesh, &surface));
    *may = fr_tetmesh_wall(&mesh->mesh, &surface) > COMPACT * mesh->cells;
    fr_surface_free(ctx, &surface);
    return FR_OK;
}

static void swap_meshes(FrBuiltMesh *a, FrBuiltMesh *b) {
    FrBuiltMesh was = *a;
    *a = *b;
    *b = was;
}

// what shatters gets finer tets than what bends, unless the scene gives its cells
static FrResult mesh_shattering(FrBuilt *built, const FrScene *scene, const FrSceneBody *body,
                                const FrBuildOptions *options, FrBuiltMesh *mesh) {
    bool may;
    FR_TRY(fr_build_tets(built->ctx, body, scene->folder, options, mesh));
    if (body->cells > 0.0 || options->rough || options->most_tets > 0.0 ||
        !fr_body_traits(body).shatters || body->shape.kind == FR_SCENE_MESH)
        return FR_OK;
    FR_TRY(may_change(built->ctx, mesh, &may));
    if (!may) return FR_OK;
    FrSceneBody other = *body;
    FrBuiltMesh better = {0};
    other.cells = finer_cells(mesh) / options->coarseness;
    FrResult result = fr_build_tets(built->ctx, &other, scene->folder, options, &better);
    if (result == FR_OK) swap_meshes(mesh, &better);
    fr_tetmesh_free(built->ctx, &better.mesh);
    fr_embedded_free(built->ctx, &better.skin);
    return result == FR_BAD_INPUT ? FR_OK : result; // those cells do not fit it: the first do
}

// before anything starts, not at its first blow
static FrResult warn_parts(FrContext *ctx, const FrTetMesh *mesh) {
    FrMeshCheck check;
    FR_TRY(fr_tetmesh_check(ctx, mesh, &check));
    if (check.component_count > 1)
        fr_log(ctx, FR_LOG_WARNING,
               "its tets are in %d parts that do not hang together, so that no blow breaks it: "
               "smaller cells may join them; what is apart in the file takes a body each",
               check.component_count);
    return FR_OK;
}

static FrResult mesh_body(FrBuilt *built, const FrScene *scene, int32_t k,
                          const FrBuildOptions *options, double *tets_left) {
    const FrSceneBody *body = &scene->bodies[k];
    FrBuiltMesh *mesh = &built->mesh[k];
    FrBuildOptions now = {options->coarseness / scene->scene.detail,
                          *tets_left,
                          options->rough,
                          options->walls,
                          can_break(built->ctx, scene, body),
                          fr_body_traits(body).shatters};
    fr_log_about(built->ctx, body->name);
    FrResult result = mesh_shattering(built, scene, body, &now, mesh);
    if (result == FR_OK && now.shatters && !now.rough && mesh->mesh.tet_count)
        result = warn_parts(built->ctx, &mesh->mesh);
    fr_log_about(built->ctx, NULL);
    const FrSceneFile *file = fr_scene_shape_file(&body->shape);
    bool asked = fr_length2(mesh->size) > 0.0 && !options->rough;
    if (asked && file)
        fr_question_size(built->ctx, body->name, mesh->size, file->unit, "unit =");
    else if (asked)
        fr_question_lengths(built->ctx, body->name, mesh->size);
    if (result != FR_OK) {
        // half a mesh is none
        fr_tetmesh_free(built->ctx, &mesh->mesh);
        fr_embedded_free(built->ctx, &mesh->skin);
        return fr_build_problem(built, scene, &body->shape, body, body->name, result);
    }
    if (options->most_tets > 0.0) *tets_left = fr_max(1.0, *tets_left - mesh->mesh.tet_count);
    return FR_OK;
}

FrResult fr_build_meshes(FrContext *ctx, const FrScene *scene, const FrBuildOptions *options,
                         FrBuilt *built) {
    *built = (FrBuilt){.ctx = ctx};
    fr_problems_init(&built->problems, ctx);
    built->mesh = FR_NEW(ctx, FrBuiltMesh, scene->bodies_count);
    built->body = FR_NEW(ctx, FrBodyId, scene->bodies_count);
    if (!built->mesh || !built->body) return fr_no_memory(ctx, "the bodies");
    built->mesh_count = scene->bodies_count;
    double tets_left = options->most_tets;
    for (int32_t k = 0; k < scene->bodies_count; k++) {
        if (fr_context_cancelled(ctx)) return fr_fail(ctx, FR_INTERRUPTED, "stopped while meshing");
        FR_TRY(mesh_body(built, scene, k, options, &tets_left));
        if (!options->rough) fr_progress(ctx, "mesh", k + 1.0, scene->bodies_count);
    }
    return FR_OK;
}

FrResult fr_build_held_list(FrBuilt *built, const FrScene *scene, int32_t k, int32_t **list,
                            FrBodyDef *def) {
    const FrTetMesh *mesh = &built->mesh[k].mesh;
    uint8_t *held;
    if (!fr_body_bent_parts(&scene->bodies[k])) return FR_OK;
    FR_TRY(fr_held_nodes(built->ctx, NULL, &scene->bodies[k], scene->folder, mesh, &held));
    *list = FR_NEW(built->ctx, int32_t, mesh->node_count);
    for (int32_t n = 0; *list && n < mesh->node_count; n++)
        if (held[n]) (*list)[def->held_count++] = n;
    def->held = *list;
    fr_free(built->ctx, held);
    return *list ? FR_OK : fr_no_memory(built->ctx, "held nodes");
}

static FrResult add_body(FrBuilt *built, const FrScene *scene, int32_t k) {
    const FrSceneBody *from = &scene->bodies[k];
    FrMaterial material[1 + FR_SCENE_PARTS];
    FR_TRY(fr_scene_material(built->ctx, scene, from->material, &material[0]));
    fr_set_colour(from->colour, &material[0]);
    fr_turn_grain(from->grain, &material[0]);
    FR_TRY(fr_build_parts(built, scene, k, material));
    FrBodyDef def = fr_body_def_default();
    def.name = from->name;
    def.model = fr_scene_model(from, NULL);
    def.damping_limit = scene->scene.step.damping_limit;
    def.method = (FrStepMethod)scene->scene.step.method;
    def.mesh = &built->mesh[k].mesh;
    def.embedded = built->mesh[k].skin.point_count ? &built->mesh[k].skin : NULL;
    def.material = material;
    def.material_count = 1 + from->parts_count;
    def.position = from->at;
    def.rotation = fr_quat_from_euler(from->turn);
    def.velocity = from->velocity;
    def.spin = from->spin;
    def.modes = (int32_t)from->modes;
    def.mode_fps = scene->scene.fps;
    FR_TRY(fr_build_parent(built, scene, from->parent, &def.parent));
    def.linear = from->linear;
    def.turning = from->turning;
    def.temperature = from->temperature;
    def.self_contact = from->self_contact;
    const FrSceneDrive *drive = fr_body_drive(scene, k);
    def.kinematic = fr_body_held_whole(from, &def.until) || drive;
    if (drive || !def.kinematic) def.until = HUGE_VAL;
    if (from->shape.kind == FR_SCENE_BOX && !(from->shape.box->round > 0.0))
        def.box = fr_scale(0.5, from->shape.box->size);
    if (drive) FR_TRY(fr_drive_track(built, drive, scene->scene.duration, &def.track));
    FrCrackParts parts = {0};
    int32_t *held = NULL;
    FrResult result = fr_build_crack(built, scene, k, &parts, &def.crack);
    if (result == FR_OK) result = fr_build_strained(built, scene, k, &def, &parts);
    if (result == FR_OK) result = fr_build_held_list(built, scene, k, &held, &def);
    if (result == FR_OK) result = fr_body_create(built->world, &def, &built->body[k]);
    fr_crack_parts_free(built->ctx, &parts);
    fr_free(built->ctx, held);
    if (drive) fr_free(built->ctx, (void *)(uintptr_t)def.track.key);
    return result;
}

// a sphere's path gives places; a track gives moves from where it started, at `start` (s)
static FrResult sphere_track(FrContext *ctx, const FrSceneSphere *from, double start,
                             FrTrack *track) {
    int32_t count = from->path_count ? from->path_count : 2;
    FrKey *key = FR_NEW(ctx, FrKey, count);
    if (!key) return fr_no_memory(ctx, "a path");
    for (int32_t k = 0; k < count; k++) {
        double t = from->path_count ? from->path[k].t : FR_LONGEST_RUN * k;
        FrVec3 move =
            from->path_count ? fr_sub(from->path[k].value, from->at) : fr_scale(t, from->velocity);
        if (!from->path_count) t += start;
        key[k] = (FrKey){t, move, fr_quat_identity};
    }
    *track = (FrTrack){key, count, from->at};
    return FR_OK;
}

static FrResult add_sphere(FrBuilt *built, const FrScene *scene, int32_t k) {
    const FrSceneSphere *from = &scene->spheres[k];
    FrMaterial material;
    FR_TRY(fr_scene_material(built->ctx, scene, from->material, &material));
    fr_set_colour(from->colour, &material);
    FrBodyDef def = fr_body_def_default();
    def.name = from->name;
    def.radius = from->radius;
    def.mass = from->mass;
    def.material = &material;
    def.material_count = 1;
    def.position = from->at;
    def.velocity = from->velocity;
    def.spin = from->spin;
    def.kinematic = from->kinematic;
    FR_TRY(fr_build_parent(built, scene, from->parent, &def.parent));
    if (!from->kinematic) return fr_body_create(built->world, &def, &built->sphere[k]);
    FR_TRY(sphere_track(built->ctx, from, fr_world_time(built->world), &def.track));
    FrResult result = fr_body_create(built->world, &def, &built->sphere[k]);
    fr_free(built->ctx, (void *)(uintptr_t)def.track.key);
    return result;
}

static FrResult add_ground(FrBuilt *built, const FrScene *scene) {
    FrMaterial material;
    FR_TRY(fr_scene_material(built->ctx, scene, scene->ground->material, &material));
    fr_set_colour(scene->ground->colour, &material);
    return fr_world_add_plane(built->world, "ground", scene->ground->normal, scene->ground->height,
                              &material);
}

// Rigid bodies step so often in 1/240 s, however short macro steps are for what shatters.
static int32_t rigid_steps(const FrScene *scene, double step) {
    int32_t steps = (int32_t)scene->scene.step.rigid_steps;
    for (int32_t k = 0; k < scene->bodies_count; k++)
        if (fr_body_traits(&scene->bodies[k]).shatters) return fr_frame_substeps(step, steps);
    return steps;
}

static FrWorldDef world_def(const FrScene *scene, double step) {
    const FrSceneSettings *from = &scene->scene;
    FrWorldDef def = fr_world_def_default();
    def.gravity = from->gravity;
    def.step = step;
    def.step_safety = from->step.safety;
    def.substep = from->step.dt;
    def.energy_tolerance = from->step.adaptive ? from->step.tolerance : HUGE_VAL;
    def.contact_stiffness = from->contact.stiffness;
    def.contact_damping = from->contact.damping;
    def.stick_speed = from->contact.stick_speed;
    def.rolling = from->contact.rolling;
    def.node_penetration = from->contact.criterion == FR_SCENE_NODE;
    def.conservative_contact = from->contact.conservative;
    def.frame_substeps = rigid_steps(scene, step);
    def.sleep_time = from->step.sleep;
    def.seed = (uint64_t)from->seed;
    return def;
}

double fr_built_dt(const FrBuilt *built) {
    return built->dt > 0.0 ? built->dt : fr_world_dt(built->world);
}

double fr_built_substep(const FrBuilt *built, const FrScene *scene) {
    double fixed = scene->scene.step.dt;
    return fixed > 0.0 ? fixed : fr_built_dt(built);
}

FrResult fr_build_solid(FrBuilt *built, const FrScene *scene, int32_t solid) {
    int32_t ball = solid - scene->bodies_count;
    if (ball >= 0) {
        const FrSceneSphere *from = &scene->spheres[ball];
        return fr_build_problem(built, scene, from, NULL, from->name,
                                add_sphere(built, scene, ball));
    }
    const FrSceneBody *from = &scene->bodies[solid];
    if (!built->mesh[solid].mesh.tet_count) return FR_OK;
    return fr_build_problem(built, scene, from, NULL, from->name, add_body(built, scene, solid));
}

// `all`: also who is born later, parents first
static FrResult fill_bodies(FrBuilt *built, const FrScene *scene, bool all) {
    int32_t count = scene->bodies_count + scene->spheres_count, made = 0;
    uint8_t *done = FR_NEW(built->ctx, uint8_t, count);
    if (!done) return fr_no_memory(built->ctx, "the bodies");
    FrResult result = FR_OK;
    for (int32_t before = -1; result == FR_OK && made > before;) {
        before = made;
        for (int32_t k = 0; result == FR_OK && k < count; k++) {
            if (done[k] || !(all || fr_built_lives(built, scene, k))) continue;
            if (!fr_built_parent_there(built, scene, k)) continue;
            result = fr_build_solid(built, scene, k);
            done[k] = 1;
            made++;
        }
    }
    fr_free(built->ctx, done);
    return result;
}

static FrResult fill_world(FrBuilt *built, const FrScene *scene, double step, bool all) {
    FrWorldDef def = world_def(scene, step);
    FR_TRY(fr_world_create(built->ctx, &def, &built->world));
    FR_TRY(fill_bodies(built, scene, all));
    if (scene->ground)
        FR_TRY(fr_build_problem(built, scene, scene->ground, NULL, NULL, add_ground(built, scene)));
    FR_TRY(fr_build_joints(built, scene, -1));
    return fr_build_loads(built, scene, -1);
}

// Fresh ids: none is there.
static FrResult new_ids(FrBuilt *built, const FrScene *scene) {
    fr_free(built->ctx, built->body);
    fr_free(built->ctx, built->sphere); // of a world that was there before
    built->body = FR_NEW(built->ctx, FrBodyId, scene->bodies_count);
    built->sphere = FR_NEW(built->ctx, FrBodyId, scene->spheres_count);
    return built->body && built->sphere ? FR_OK : fr_no_memory(built->ctx, "the bodies");
}

FrResult fr_build_world(FrBuilt *built, const FrScene *scene, double step) {
    fr_backend_fill(built->ctx); // bodies that shatter need it
    if (scene->bodies_count + scene->spheres_count == 0)
        fr_scene_problem(&built->problems, scene, NULL, NULL,
                         "there is nothing to simulate: a body or a sphere is wanted");
    FR_TRY(new_ids(built, scene));
    FR_TRY(fill_world(built, scene, step, true));
    if (!fr_scene_births(scene) || built->problems.count) return FR_OK;
    // mistakes of those born later were found; now without them
    built->dt = fr_world_dt(built->world);
    built->whole = built->world;
    built->whole_body = built->body;
    built->world = NULL;
    built->body = NULL;
    FR_TRY(new_ids(built, scene));
    return fill_world(built, scene, step, false);
}

FrWorld *fr_built_all(const FrBuilt *built) { return built->whole ? built->whole : built->world; }

void fr_built_drop_whole(FrBuilt *built) {
    fr_world_destroy(built->whole);
    fr_free(built->ctx, built->whole_body);
    built->whole = NULL;
    built->whole_body = NULL;
}

void fr_built_free(FrBuilt *built) {
    if (!built->ctx) return;
    fr_world_destroy(built->world);
    fr_built_drop_whole(built);
    for (int32_t k = 0; k < built->mesh_count; k++) {
        fr_tetmesh_free(built->ctx, &built->mesh[k].mesh);
        fr_embedded_free(built->ctx, &built->mesh[k].skin);
    }
    fr_free(built->ctx, built->mesh);
    fr_free(built->ctx, built->body);
    fr_free(built->ctx, built->sphere);
    fr_problems_free(&built->problems);
    *built = (FrBuilt){0};
}
