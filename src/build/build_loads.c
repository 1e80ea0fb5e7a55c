// build_loads.c: regions of a scene become nodes and triangles; what acts on them goes into the
// world.

#include "base/array.h"
#include "build/build.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"

/// Of one steady turning.
#define MOST_KEYS 1e6

typedef FR_ARRAY(int32_t) IntArray;
typedef FR_ARRAY(FrKey) KeyArray;

static bool within_limits(const FrSceneLimits *limits, FrVec3 x, double sign) {
    // NaN limits compare false, so they never exclude
    return !(sign * x.x > sign * limits->x) && !(sign * x.y > sign * limits->y) &&
           !(sign * x.z > sign * limits->z);
}

bool fr_region_has(const FrRegionTest *test, FrVec3 x) {
    const FrSceneRegion *region = test->region;
    switch (region->kind) {
    case FR_SCENE_ALL:
        return true;
    case FR_SCENE_BELOW:
        return within_limits(region->limits, x, 1.0);
    case FR_SCENE_ABOVE:
        return within_limits(region->limits, x, -1.0);
    case FR_SCENE_SIDE:
        return fr_dot(fr_sub(x, region->side->point), region->side->normal) >= 0.0;
    case FR_SCENE_NEAR:
        return fr_distance(x, region->near->at) <= region->near->radius;
    case FR_SCENE_INSIDE:
        return fr_shape_distance(test->shape, x) <= region->inside->margin;
    }
    return false;
}

// the test of a region; its shape, if any, lives in `set`
static FrResult make_test(FrContext *ctx, FrShapeSet *set, const FrSceneRegion *region,
                          const char *folder, FrRegionTest *test) {
    *test = (FrRegionTest){region, NULL};
    if (region->kind != FR_SCENE_INSIDE) return FR_OK;
    return fr_build_shape(ctx, set, region->inside->shape, folder, &test->shape);
}

static FrResult nodes_in(FrContext *ctx, const FrTetMesh *mesh, const FrRegionTest *test,
                         IntArray *out) {
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (fr_region_has(test, fr_get3(mesh->x, n)) && !fr_array_push(ctx, out, n))
            return fr_no_memory(ctx, "a region");
    return FR_OK;
}

// triangles whose middle is inside, as three ints each
static FrResult triangles_in(FrContext *ctx, const FrTetMesh *mesh, const FrSurface *surface,
                             const FrRegionTest *test, IntArray *out) {
    for (int32_t k = 0; k < surface->tri_count; k++) {
        const int32_t *n = surface->tri[k];
        FrVec3 sum =
            fr_add(fr_get3(mesh->x, n[0]), fr_add(fr_get3(mesh->x, n[1]), fr_get3(mesh->x, n[2])));
        if (!fr_region_has(test, fr_scale(1.0 / 3.0, sum))) continue;
        for (int i = 0; i < 3; i++)
            if (!fr_array_push(ctx, out, n[i])) return fr_no_memory(ctx, "a region");
    }
    return FR_OK;
}

FrResult fr_empty_region(FrContext *ctx, const FrTetMesh *mesh) {
    FrBox box = fr_tetmesh_bounds(mesh);
    return fr_fail(ctx, FR_BAD_INPUT,
                   "the region holds no part of the body, which goes from (%.4g %.4g %.4g) to "
                   "(%.4g %.4g %.4g) m in its own frame, before at and turn",
                   box.lo.x, box.lo.y, box.lo.z, box.hi.x, box.hi.y, box.hi.z);
}

// keys of a scene's path; the world's turn is a quaternion
static FrResult path_keys(FrContext *ctx, const FrScenePose *path, int32_t count, KeyArray *keys) {
    for (int32_t k = 0; k < count; k++) {
        FrKey key = {path[k].t, path[k].move, fr_quat_from_euler(path[k].turn)};
        if (!fr_array_push(ctx, keys, key)) return fr_no_memory(ctx, "a path");
    }
    return FR_OK;
}

// Constant velocity and spin from `start` on as keys: turns of at most a tenth of a circle, so that
// the shortest way is the right one. Keys lie at the same times however long the run is.
static FrResult steady_keys(FrContext *ctx, const FrSceneDrive *drive, double start,
                            double duration, KeyArray *keys) {
    FrVec3 velocity = drive->velocity, spin = drive->spin;
    if (fr_length(velocity) == 0.0 && fr_length(spin) == 0.0) return FR_OK;
    double turns = fr_length(spin) / (2.0 * FR_PI); // per second
    double every = fr_min(FR_LONGEST_RUN, turns > 0.0 ? 0.1 / turns : FR_LONGEST_RUN);
    double count = ceil(duration / every);
    if (count > MOST_KEYS)
        return fr_fail(ctx, FR_BAD_INPUT, "%.3g turns are more than a run can have (%.0g)",
                       turns * duration, 0.1 * MOST_KEYS);
    for (int32_t k = 0; k <= (int32_t)count; k++) {
        double t = every * k;
        FrKey key = {start + t, fr_scale(t, velocity), fr_quat_from_rotation(fr_scale(t, spin))};
        if (!fr_array_push(ctx, keys, key)) return fr_no_memory(ctx, "a path");
    }
    return FR_OK;
}

typedef struct Target {
    FrContext *ctx;
    FrBuilt *built;
    const FrScene *scene;
    FrShapeSet *set;
    int32_t only; ///< body whose loads are made; -1: all
    int32_t body;
} Target;

/// the body's nodes in a region, where there has to be one. Free them in any case.
static FrResult find_nodes(Target *t, const FrSceneRegion *where, IntArray *node) {
    const FrTetMesh *mesh = &t->built->mesh[t->body].mesh;
    FrRegionTest test;
    FR_TRY(make_test(t->ctx, t->set, where, t->scene->folder, &test));
    FR_TRY(nodes_in(t->ctx, mesh, &test, node));
    return node->count ? FR_OK : fr_empty_region(t->ctx, mesh);
}

static FrResult hold(Target *t, const FrSceneRegion *where, FrTrack track, double release) {
    IntArray node = {0};
    FrResult result = find_nodes(t, where, &node);
    FrDriveDef def = fr_drive_def_default();
    def.body = t->built->body[t->body];
    def.node = node.data;
    def.node_count = node.count;
    def.track = track;
    def.until = isnan(release) ? HUGE_VAL : release;
    if (result == FR_OK) result = fr_drive_create(t->built->world, &def, NULL);
    fr_array_free(t->ctx, &node);
    return result;
}

// is there a body to act on, and does it bend? A frame is a problem, a body left out is passed over
static bool can_act(Target *t, FrResult *result) {
    const FrSceneBody *body = &t->scene->bodies[t->body];
    *result = FR_OK;
    if (t->built->body[t->body].index1 == 0) return false;
    FrModelTraits traits = fr_body_traits(body);
    if (traits.deforms) return true;
    if (traits.shatters)
        *result = fr_fail(t->ctx, FR_BAD_INPUT,
                          "what shatters can be held and driven, but takes no forces, pressures or "
                          "blasts; model = \"fem\" takes them");
    else
        *result =
            fr_fail(t->ctx, FR_BAD_INPUT,
                    "a rigid frame takes no loads, and is driven only as a whole and for good; "
                    "model = \"fem\" takes them");
    return false;
}

// a frame is held as a whole already; its region still has to be somewhere
static FrResult check_region(Target *t, const FrSceneRegion *where) {
    IntArray node = {0};
    FrResult result = find_nodes(t, where, &node);
    fr_array_free(t->ctx, &node);
    return result;
}

// the same, where nodes are held: what shatters is held, too
static bool can_hold(Target *t, FrResult *result) {
    *result = FR_OK;
    bool shatters = fr_body_traits(&t->scene->bodies[t->body]).shatters;
    return shatters ? t->built->body[t->body].index1 != 0 : can_act(t, result);
}

static FrResult add_fixes(Target *t) {
    const FrSceneBody *body = &t->scene->bodies[t->body];
    double until;
    bool held = fr_body_held_whole(body, &until) || fr_body_bent_parts(body);
    for (int32_t k = 0; k < body->fixed_count; k++) {
        const FrSceneFix *fix = &body->fixed[k];
        FrResult result = FR_OK;
        if (held && t->built->body[t->body].index1)
            result = check_region(t, &fix->where);
        else if (!held && can_hold(t, &result))
            result = hold(t, &fix->where, (FrTrack){0}, fix->release);
        FR_TRY(fr_build_problem(t->built, t->scene, &fix->where, fix, body->name, result));
    }
    return FR_OK;
}

FrResult fr_drive_track(FrBuilt *built, const FrSceneDrive *drive, double duration,
                        FrTrack *track) {
    FrContext *ctx = built->ctx;
    KeyArray keys = {0};
    FrResult result = drive->path_count
                          ? path_keys(ctx, drive->path, drive->path_count, &keys)
                          : steady_keys(ctx, drive, fr_world_time(built->world), duration, &keys);
    if (result != FR_OK) fr_array_free(ctx, &keys);
    *track = (FrTrack){keys.data, keys.count, drive->about};
    return result;
}

// as a whole and for good
static bool leads_all(const FrSceneDrive *drive) {
    return drive->where.kind == FR_SCENE_ALL && isnan(drive->release);
}

const FrSceneDrive *fr_body_drive(const FrScene *scene, int32_t body) {
    if (!fr_body_traits(&scene->bodies[body]).rigid) return NULL;
    for (int32_t k = 0; k < scene->loads_count; k++) {
        const FrSceneLoad *load = &scene->loads[k];
        if (load->kind == FR_SCENE_DRIVE && load->drive->body == body && leads_all(load->drive))
            return load->drive;
    }
    return NULL;
}

// nodes of a body that two regions share
static FrResult count_shared(Target *t, const FrSceneRegion *a, const FrSceneRegion *b,
                             int32_t *count) {
    const FrTetMesh *mesh = &t->built->mesh[t->body].mesh;
    FrRegionTest one, other;
    *count = 0;
    FR_TRY(make_test(t->ctx, t->set, a, t->scene->folder, &one));
    FR_TRY(make_test(t->ctx, t->set, b, t->scene->folder, &other));
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FrVec3 x = fr_get3(mesh->x, n);
        *count += fr_region_has(&one, x) && fr_region_has(&other, x);
    }
    return FR_OK;
}

// no earlier drive has a part of what this one takes
static FrResult refuse_driven(Target *t, const FrSceneDrive *drive) {
    for (int32_t k = 0; k < t->scene->loads_count; k++) {
        const FrSceneLoad *load = &t->scene->loads[k];
        int32_t count = 0;
        if (load->kind != FR_SCENE_DRIVE) continue;
        if (load->drive == drive) break;
        if (load->drive->body == t->body)
            FR_TRY(count_shared(t, &drive->where, &load->drive->where, &count));
        if (count)
            return fr_fail(
                t->ctx, FR_BAD_INPUT,
                "driven twice: %d of %d nodes follow loads[%d] already; one drive for each part",
                count, t->built->mesh[t->body].mesh.node_count, k + 1);
    }
    return FR_OK;
}

// nor is any of it fixed; a frame is fixed as a whole
static FrResult refuse_fixed(Target *t, const FrSceneDrive *drive) {
    const FrSceneBody *body = &t->scene->bodies[t->body];
    const FrSceneRegion all = {.kind = FR_SCENE_ALL};
    for (int32_t k = 0; k < body->fixed_count; k++) {
        int32_t count;
        double until;
        const FrSceneRegion *fixed =
            fr_body_held_whole(body, &until) ? &all : &body->fixed[k].where;
        FR_TRY(count_shared(t, &drive->where, fixed, &count));
        if (count)
            return fr_fail(t->ctx, FR_BAD_INPUT,
                           "driven and fixed: %d of %d nodes are held by bodies[%d].fixed[%d]; "
                           "what is driven follows its path without being fixed",
                           count, t->built->mesh[t->body].mesh.node_count, t->body + 1, k + 1);
    }
    return FR_OK;
}

// where a path would have it before it is there, nothing says
static FrResult refuse_early(Target *t, const FrSceneDrive *drive) {
    double born = t->scene->bodies[t->body].born;
    if (!drive->path_count || drive->path[0].t >= born) return FR_OK;
    return fr_fail(t->ctx, FR_BAD_INPUT,
                   "its path begins at %.6g s, before it is born at %.6g s; times of paths count "
                   "from the start of the scene",
                   drive->path[0].t, born);
}

static FrResult add_drive(Target *t, const FrSceneDrive *drive) {
    bool frame = fr_body_traits(&t->scene->bodies[t->body]).rigid;
    FrResult result;
    if (!t->built->body[t->body].index1) return FR_OK;
    FR_TRY(refuse_early(t, drive));
    bool whole = frame && leads_all(drive);
    if (!whole && !can_hold(t, &result)) return result;
    FR_TRY(refuse_driven(t, drive));
    FR_TRY(refuse_fixed(t, drive));
    if (whole) return FR_OK; // the body itself follows the path
    FrTrack track = {0};
    FR_TRY(fr_drive_track(t->built, drive, t->scene->scene.duration, &track));
    result = hold(t, &drive->where, track, drive->release);
    fr_free(t->ctx, (void *)(uintptr_t)track.key);
    return result;
}

// a force whose direction changes is three forces along the axes, each with its own curve
static FrResult add_axis_force(Target *t, const FrSceneForce *force, const IntArray *node,
                               int axis) {
    double(*key)[2] = fr_alloc_zero(t->ctx, (size_t)force->value_count, sizeof *key);
    if (!key) return fr_no_memory(t->ctx, "a force");
    bool any = false;
    for (int32_t k = 0; k < force->value_count; k++) {
        key[k][0] = force->value[k].t;
        key[k][1] = fr_vec3_get(force->value[k].value, axis);
        any = any || key[k][1] != 0.0;
    }
    FrLoadDef def = fr_load_def_default();
    def.kind = FR_LOAD_FORCE;
    def.body = t->built->body[t->body];
    def.curve = (FrCurve){(const double(*)[2])key, force->value_count};
    def.node = node->data;
    def.node_count = node->count;
    def.vector = fr_vec3(axis == 0, axis == 1, axis == 2);
    FrResult result = any ? fr_load_create(t->built->world, &def, NULL) : FR_OK;
    fr_free(t->ctx, key);
    return result;
}

static FrResult add_force(Target *t, const FrSceneForce *force) {
    IntArray node = {0};
    FrResult result = find_nodes(t, &force->where, &node);
    for (int axis = 0; axis < 3 && result == FR_OK; axis++)
        result = add_axis_force(t, force, &node, axis);
    fr_array_free(t->ctx, &node);
    return result;
}

static FrResult add_pressure_on(Target *t, const FrScenePressure *pressure,
                                const FrSurface *surface) {
    FrRegionTest test;
    IntArray tri = {0};
    FR_TRY(make_test(t->ctx, t->set, &pressure->where, t->scene->folder, &test));
    FrResult result = triangles_in(t->ctx, &t->built->mesh[t->body].mesh, surface, &test, &tri);
    if (result == FR_OK && tri.count == 0)
        result = fr_empty_region(t->ctx, &t->built->mesh[t->body].mesh);
    double(*key)[2] = fr_alloc_zero(t->ctx, (size_t)pressure->value_count, sizeof *key);
    if (!key) result = fr_no_memory(t->ctx, "a pressure");
    for (int32_t k = 0; result == FR_OK && k < pressure->value_count; k++) {
        key[k][0] = pressure->value[k].t;
        key[k][1] = pressure->value[k].value;
    }
    FrLoadDef def = fr_load_def_default();
    def.kind = FR_LOAD_PRESSURE;
    def.body = t->built->body[t->body];
    def.curve = (FrCurve){(const double(*)[2])key, pressure->value_count};
    def.tri = (const int32_t(*)[3])tri.data;
    def.tri_count = tri.count / 3;
    def.pressure = 1.0;
    if (result == FR_OK) result = fr_load_create(t->built->world, &def, NULL);
    fr_free(t->ctx, key);
    fr_array_free(t->ctx, &tri);
    return result;
}

// triangles are named as they were before any cut from the start, like nodes
static FrResult add_pressure(Target *t, const FrScenePressure *pressure) {
    FrSurface surface;
    FR_TRY(fr_tetmesh_surface(t->ctx, &t->built->mesh[t->body].mesh, &surface));
    FrResult result = add_pressure_on(t, pressure, &surface);
    fr_surface_free(t->ctx, &surface);
    return result;
}

static FrResult add_heat(Target *t, const FrSceneHeat *heat) {
    IntArray node = {0};
    FrResult result = find_nodes(t, &heat->where, &node);
    double(*key)[2] = fr_alloc_zero(t->ctx, (size_t)heat->power_count, sizeof *key);
    if (!key) result = fr_no_memory(t->ctx, "heat");
    for (int32_t k = 0; result == FR_OK && k < heat->power_count; k++)
        key[k][0] = heat->power[k].t, key[k][1] = heat->power[k].value;
    FrLoadDef def = fr_load_def_default();
    def.kind = FR_LOAD_HEAT;
    def.body = t->built->body[t->body];
    def.curve = (FrCurve){(const double(*)[2])key, heat->power_count};
    def.node = node.data;
    def.node_count = node.count;
    def.power = 1.0;
    if (result == FR_OK) result = fr_load_create(t->built->world, &def, NULL);
    fr_free(t->ctx, key);
    fr_array_free(t->ctx, &node);
    return result;
}

static FrResult add_blast(Target *t, const FrSceneBlast *blast) {
    FrLoadDef def = fr_load_def_default();
    def.kind = FR_LOAD_BLAST;
    def.body = t->built->body[t->body];
    def.pressure = blast->peak;
    def.origin = blast->origin;
    def.start = blast->start;
    def.speed = blast->speed;
    def.decay = blast->decay;
    def.reference = blast->reference;
    return fr_load_create(t->built->world, &def, NULL);
}

static bool is_for(const Target *t) { return t->only < 0 || t->body == t->only; }

static FrResult add_blasts(Target *t, const FrSceneBlast *blast) {
    FrResult result = FR_OK;
    if (blast->body >= 0) {
        t->body = blast->body;
        if (!is_for(t)) return FR_OK;
        return can_act(t, &result) ? add_blast(t, blast) : result;
    }
    for (t->body = 0; t->body < t->scene->bodies_count; t->body++) {
        bool bends = fr_body_traits(&t->scene->bodies[t->body]).deforms;
        if (bends && is_for(t) && can_act(t, &result)) FR_TRY(add_blast(t, blast));
    }
    return FR_OK;
}

// `where`: the region to name when it holds nothing
static FrResult add_load(Target *t, const FrSceneLoad *load, const FrSceneRegion **where) {
    FrResult result;
    *where = NULL;
    switch (load->kind) {
    case FR_SCENE_FORCE:
        *where = &load->force->where;
        t->body = load->force->body;
        if (!is_for(t)) return FR_OK;
        return can_act(t, &result) ? add_force(t, load->force) : result;
    case FR_SCENE_PRESSURE:
        *where = &load->pressure->where;
        t->body = load->pressure->body;
        if (!is_for(t)) return FR_OK;
        return can_act(t, &result) ? add_pressure(t, load->pressure) : result;
    case FR_SCENE_DRIVE:
        *where = &load->drive->where;
        t->body = load->drive->body;
        return is_for(t) ? add_drive(t, load->drive) : FR_OK;
    case FR_SCENE_HEAT:
        *where = &load->heat->where;
        t->body = load->heat->body;
        if (!is_for(t)) return FR_OK;
        return can_act(t, &result) ? add_heat(t, load->heat) : result;
    case FR_SCENE_BLAST:
        return add_blasts(t, load->blast);
    }
    return FR_OK;
}

static FrResult try_load(Target *t, const FrSceneLoad *load) {
    const FrSceneRegion *where;
    FrResult result = add_load(t, load, &where);
    const char *name = t->body < t->scene->bodies_count ? t->scene->bodies[t->body].name : NULL;
    return fr_build_problem(t->built, t->scene, where, load, name, result);
}

FrResult fr_build_loads(FrBuilt *built, const FrScene *scene, int32_t body) {
    FrShapeSet *set;
    FR_TRY(fr_shapeset_create(built->ctx, &set));
    Target target = {built->ctx, built, scene, set, body, 0};
    FrResult result = FR_OK;
    for (; result == FR_OK && target.body < scene->bodies_count; target.body++)
        if (is_for(&target)) result = add_fixes(&target);
    for (int32_t k = 0; result == FR_OK && k < scene->loads_count; k++)
        result = try_load(&target, &scene->loads[k]);
    fr_shapeset_destroy(set);
    return result;
}
