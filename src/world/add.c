// add.c: planes and bodies that are put into a world.

#include "base/hash.h"
#include "world/birth_code.h"
#include "world/body_def.h"
#include "world/world.h"
#include "cut/crack_def.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "skin/cells.h"
#include "skin/copy.h"
#include "skin/fits.h"
#include "world/world_tuning.h"
#include <string.h>

FrBodyDef fr_body_def_default(void) {
    return (FrBodyDef){.name = "body",
                       .box = {FR_CHOSEN, FR_CHOSEN, FR_CHOSEN},
                       .rotation = {1, 0, 0, 0},
                       .damping_limit = 1.0,
                       .temperature = FR_AIR,
                       .until = HUGE_VAL,
                       .crack = fr_crack_def_default(),
                       .modes = FR_MODES_SEEN,
                       .mode_fps = 60.0,
                       .cookie = FR_COOKIE};
}

void fr_world_free_body(FrContext *ctx, FrBody *body) {
    if (body->state) body->ops->destroy(body->state);
    fr_pieces_destroy(body->pieces);
    fr_cutmesh_destroy(body->cut);
    fr_free(ctx, body->name);
    fr_free(ctx, body->material);
    fr_tetmesh_free(ctx, &body->mesh);
    fr_surface_free(ctx, &body->surface);
    fr_embedded_free(ctx, &body->embedded);
    fr_cells_destroy(body->cells);
    fr_cutlog_free(ctx, &body->cuts);
    fr_cutlog_free(ctx, &body->first_cuts);
    fr_array_free(ctx, &body->cut_made);
    fr_free(ctx, body->birth);
}

static FrVec3 still(const void *state, FrPoint at, FrVec3 x) {
    (void)state, (void)at, (void)x;
    return fr_vec3_zero;
}
static double immovable(const void *state, FrPoint at, FrVec3 x) {
    (void)state, (void)at, (void)x;
    return 0.0;
}
static void unmoved(void *state, FrPoint at, FrVec3 x, FrVec3 force) {
    (void)state, (void)at, (void)x, (void)force;
}

static void set_surface(FrMover *mover, const FrMaterial *material) {
    mover->friction_static = material->friction_static;
    mover->friction_dynamic = material->friction_dynamic;
    mover->restitution = material->restitution;
}

static bool reserve_item(FrWorld *w) {
    return fr_array_reserve(w->ctx, &w->mover, 1) && fr_array_reserve(w->ctx, &w->item_body, 1);
}

// room is there
static void add_mover(FrWorld *w, int32_t item, FrMover mover, int32_t body) {
    if (item == w->mover.count) w->mover.count = ++w->item_body.count;
    w->mover.data[item] = mover;
    w->item_body.data[item] = body;
}

FrResult fr_world_add_plane(FrWorld *w, const char *name, FrVec3 normal, double offset,
                            const FrMaterial *material) {
    FR_NEED_ALL(fr_world_context(w), w && name && material);

    if (w->tick) return fr_fail(w->ctx, FR_BAD_USE, "a plane is added before the first step");
    FR_TRY(fr_material_check(w->ctx, material));
    if (!(fabs(fr_length(normal) - 1.0) < 1e-6) || !isfinite(offset))
        return fr_fail(w->ctx, FR_BAD_USE, "a plane needs a unit normal and a finite offset");
    FrPlane plane = {.number = -1, .normal = normal, .offset = offset, .material = *material};
    FrMover mover = {.velocity = still, .inverse_mass = immovable, .force = unmoved, .slow = true};
    set_surface(&mover, material);
    // room for everything first: a plane is there with all its parts, or not at all
    plane.name = fr_strdup(w->ctx, name);
    FrResult result = plane.name && reserve_item(w) && fr_array_reserve(w->ctx, &w->plane, 1) &&
                              fr_array_reserve(w->ctx, &w->frames.plane, 1)
                          ? fr_contact_add_plane(w->scene, normal, offset, &plane.item)
                          : fr_no_memory(w->ctx, "a plane");
    if (result != FR_OK) {
        fr_free(w->ctx, plane.name);
        return result;
    }
    w->plane.data[w->plane.count++] = plane;
    fr_world_frame_plane(w, normal, offset, material); // room is there
    fr_world_frame_layer(w, plane.item, false);
    add_mover(w, plane.item, mover, -1);
    return FR_OK;
}

static FrResult copy_parts(FrWorld *w, const FrBodyDef *def, FrBody *body) {
    FrContext *ctx = w->ctx;
    body->name = fr_strdup(ctx, def->name);
    body->material = FR_NEW(ctx, FrMaterial, def->material_count);
    if (!body->name || !body->material) return fr_no_memory(ctx, "a body");
    memcpy(body->material, def->material, (size_t)def->material_count * sizeof *body->material);
    body->material_count = def->material_count;
    if (!def->mesh) return FR_OK;
    FR_TRY(fr_tetmesh_copy(ctx, def->mesh, &body->mesh));
    if (def->surface)
        FR_TRY(fr_surface_copy(ctx, def->surface, &body->surface));
    else
        FR_TRY(fr_tetmesh_surface(ctx, &body->mesh, &body->surface));
    return def->embedded ? fr_embedded_copy(ctx, def->embedded, &body->embedded) : FR_OK;
}

static FrResult add_item(FrWorld *w, const FrBodyDef *def, FrBody *body) {
    FrShapeView view;
    FrVec3 position, velocity, spin;
    FrQuat rotation;
    body->ops->view(body->state, &view);
    body->ops->pose(body->state, &position, &rotation, &velocity, &spin);
    if (def->mesh)
        return fr_contact_add_body(w->scene, &view, def->self_contact && body->ops->solid,
                                   &body->item);
    FR_TRY(fr_contact_add_sphere(w->scene, position, def->radius, &body->item));
    fr_world_place_sphere(w, body); // it may reach something in the first step
    return FR_OK;
}

static void show_arrays(FrMover *mover, const FrBody *body) {
    FrShapeView view;
    body->ops->view(body->state, &view);
    mover->tet = view.tet;
    mover->p = view.p;
    mover->v = view.v;
    mover->rigid = view.rigid;
    mover->soft = NULL; // of pieces as they were
    mover->f = body->ops->solid->contact_forces(body->state);
    mover->crumb = body->ops->solid->crumbs(body->state);
}

void fr_world_show_arrays(FrWorld *w, const FrBody *body) {
    FrShapeView view;
    body->ops->view(body->state, &view);
    show_arrays(&w->mover.data[body->item], body);
    fr_contact_set_view(w->scene, body->item, &view);
}

static FrMover body_mover(const FrBody *body) {
    FrContactTraits traits;
    body->ops->traits(body->state, &traits);
    FrMover mover = {.state = body->state,
                     .velocity = body->ops->velocity,
                     .inverse_mass = body->ops->inverse_mass,
                     .force = body->ops->force,
                     .young = traits.young,
                     .edge = traits.edge,
                     .node_mass = traits.node_mass,
                     .wall = traits.wall};
    set_surface(&mover, &body->material[0]);
    if (body->ops->solid) show_arrays(&mover, body);
    return mover;
}

// the step control judges gains against the largest energy seen: start it where rounding ends
static double least_energy(const FrBody *body) {
    FrContactTraits traits;
    body->ops->traits(body->state, &traits);
    double volume = body->mesh.tet_count ? fr_tetmesh_props(&body->mesh).volume : 0.0;
    return FR_ROUNDING_STRAIN * FR_ROUNDING_STRAIN * traits.young * volume;
}

// the mesh that its row may cut
static FrResult lend_cuts(FrWorld *w, const FrBodyDef *def, FrBody *body) {
    const FrBreakOps *breaks = body->ops->breaks;
    if (!breaks || !breaks->wanted(def)) return FR_OK;
    FR_TRY(fr_cutmesh_create(w->ctx, &body->mesh, &body->cut));
    FR_TRY(fr_pieces_create(w->ctx, body->cut, &body->pieces));
    FrLent lent = {body->cut, body->pieces, fr_world_criterion(w, def->crack.criterion.kind),
                   w->def.seed + (uint64_t)body->number};
    return breaks->begin(body->state, def, &lent);
}

static uint64_t hash_of_making(const FrBody *body) {
    const FrTetMesh *mesh = &body->mesh;
    FrHash hash;
    fr_hash_begin(&hash, (uint64_t)body->material_count);
    fr_hash_text(&hash, body->ops->name);
    fr_hash_u64(&hash, body->cut != NULL);
    fr_hash_f64(&hash, body->radius);
    if (mesh->tet_count)
        fr_hash_bytes(&hash, mesh->tet, (size_t)mesh->tet_count * sizeof mesh->tet[0]);
    if (mesh->tet_count)
        fr_hash_bytes(&hash, mesh->x, 3 * (size_t)mesh->node_count * sizeof(double));
    return fr_hash_end(&hash);
}

static FrResult make_body(FrWorld *w, const FrBodyDef *def, FrBody *body) {
    FR_TRY(copy_parts(w, def, body));
    FrBodyDef now = *def;
    now.material = body->material;
    // their arrays stay as long as the body
    if (def->mesh) now.mesh = &body->mesh;
    if (def->mesh) now.surface = &body->surface;
    if (def->mesh && def->embedded) now.embedded = &body->embedded;
    body->damping_kept = 1.0;
    if (body->ops->frame) fr_body_def_see_box(&now);
    if (body->ops->solid && body->ops->solid->most_loss)
        body->damping_kept = fr_body_def_limit_damping(def, body->ops->solid, body->material);
    FR_TRY(body->ops->create(w->ctx, &now, &body->state));
    FR_TRY(lend_cuts(w, &now, body));
    body->made = hash_of_making(body);
    body->control.reference = least_energy(body);
    // room first: once contact knows the body, nothing may fail any more
    if (!reserve_item(w) || !fr_array_reserve(w->ctx, &w->body, 1))
        return fr_no_memory(w->ctx, "a body");
    body->frame = -1;
    if (body->ops->frame) FR_TRY(fr_world_frame_add(w, &now, body));
    FrResult result = add_item(w, def, body);
    if (result != FR_OK) {
        if (body->frame >= 0) fr_world_frame_drop(w);
        return result;
    }
    if (body->frame >= 0) fr_world_frame_layer(w, body->item, def->mesh != NULL);
    add_mover(w, body->item, body_mover(body), w->body.count);
    w->body.data[w->body.count++] = *body;
    return FR_OK;
}

static bool unit_quat(FrQuat q) {
    return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-6;
}

static FrResult check_mesh(FrWorld *w, const FrBodyDef *def) {
    if (def->mesh->tet_count < 1)
        return fr_fail(w->ctx, FR_BAD_INPUT, "%s: the mesh has no tets", def->name);
    FrResult result = fr_tetmesh_check(w->ctx, def->mesh, NULL);
    if (result == FR_OK && def->surface) result = fr_surface_fits(w->ctx, def->surface, def->mesh);
    if (result == FR_OK && def->embedded)
        result = fr_embedded_fits(w->ctx, def->embedded, def->mesh);
    return result == FR_OK ? FR_OK : fr_fail_within(w->ctx, result, "%s: ", def->name);
}

static FrResult check_crack(FrWorld *w, const FrBodyDef *def) {
    FrResult result = fr_crack_def_check(w->ctx, &def->crack, def->mesh ? def->mesh->tet_count : 0);
    return result == FR_OK ? FR_OK : fr_fail_within(w->ctx, result, "%s: ", def->name);
}

// before anything reads them
static FrResult check_lists(FrWorld *w, const FrBodyDef *def) {
    if (def->held_count < 0 || def->track.count < 0)
        return fr_fail(w->ctx, FR_BAD_USE, "%s: %d held nodes and %d keys of a track; at least 0",
                       def->name, def->held_count, def->track.count);
    FR_NEED(w->ctx, def->held || !def->held_count, "give the nodes that are held");
    FR_NEED(w->ctx, def->track.key || !def->track.count, "give the keys of the track");
    return FR_OK;
}

static FrResult check_body(FrWorld *w, const FrBodyDef *def, const FrModelOps *row) {
    FrContext *ctx = w->ctx;
    FR_NEED(ctx, def->cookie == FR_COOKIE, "start from fr_body_def_default()");
    FR_NEED(ctx, def->name, "give the body a name");
    if (def->material_count < 1 || !def->material)
        return fr_fail(ctx, FR_BAD_USE, "%s: a body needs a material", def->name);
    for (int32_t k = 0; k < def->material_count; k++)
        if (fr_material_check(ctx, &def->material[k]) != FR_OK)
            return fr_fail_within(ctx, FR_BAD_INPUT, "%s: ", def->name);
    if (!fr_vec3_finite(def->position) || !fr_vec3_finite(def->velocity) ||
        !fr_vec3_finite(def->spin))
        return fr_fail(ctx, FR_BAD_USE, "%s: position, velocity and spin must be finite",
                       def->name);
    if (!unit_quat(def->rotation))
        return fr_fail(ctx, FR_BAD_USE, "%s: the rotation must be a unit quaternion", def->name);
    if (!(isfinite(def->mass) && def->mass >= 0.0 && isfinite(def->radius)))
        return fr_fail(ctx, FR_BAD_USE, "%s: mass %g and radius %g must be finite, not below 0",
                       def->name, def->mass, def->radius);
    if (def->mesh && def->mesh->order != 1)
        return fr_fail(ctx, FR_BAD_USE, "%s: motion takes 4-node tets, this mesh has order %d",
                       def->name, def->mesh->order);
    if (def->mesh) FR_TRY(check_mesh(w, def));
    FrVec3 half = def->box;
    bool open = isnan(half.x) && isnan(half.y) && isnan(half.z);
    bool good = half.x >= 0.0 && half.y >= 0.0 && half.z >= 0.0 && fr_vec3_finite(half);
    if (!(open || good) || !fr_vec3_finite(def->box_centre))
        return fr_fail(ctx, FR_BAD_USE,
                       "%s: half sizes of a box must be finite, not below 0, or all FR_CHOSEN",
                       def->name);
    if (!(def->temperature >= -273.15 && def->temperature <= 1e4))
        return fr_fail(ctx, FR_BAD_USE, "%s: temperature is %g; -273.15 to 1e4 degrees C",
                       def->name, def->temperature);
    if (!(def->damping_limit >= 0.0))
        return fr_fail(ctx, FR_BAD_USE, "%s: damping_limit is %g; at least 0, or INFINITY",
                       def->name, def->damping_limit);
    FR_TRY(check_crack(w, def));
    FR_TRY(check_lists(w, def));
    if (def->modes < FR_MODES_SEEN || !(def->mode_fps > 0.0))
        return fr_fail(ctx, FR_BAD_USE,
                       "%s: %d modes seen at %g frames a second; at least 0 or FR_MODES_SEEN, and "
                       "above 0",
                       def->name, def->modes, def->mode_fps);
    if (def->motion && !(row->frame && row->frame->bends && def->mesh))
        return fr_fail(ctx, FR_BAD_USE,
                       "%s: cooked modes move a body of the model modal, with its mesh", def->name);
    if (def->kinematic && !row->frame)
        return fr_fail(ctx, FR_BAD_USE, "%s: only a frame can be kinematic", def->name);
    if (!(def->until >= 0.0))
        return fr_fail(ctx, FR_BAD_USE, "%s: it cannot be let go at %g s; at least 0, or INFINITY",
                       def->name, def->until);
    return FR_OK;
}

// what a checkpoint needs of a body that no scene makes
static FrResult keep_birth(FrWorld *w, const FrBodyDef *def, FrBody *body) {
    FrWriter writer;
    if (!w->tick) return FR_OK;
    fr_writer_init(&writer, w->ctx);
    fr_birth_write(def, &writer);
    body->birth = writer.data;
    body->birth_size = writer.size;
    return fr_writer_result(&writer);
}

// the ledgers begin with what it brings
static void book_birth(FrWorld *w, FrBody *body) {
    FrVec3 angular;
    FrEnergy e;
    body->ops->momentum(body->state, &body->momentum, &angular);
    if (!w->tick) return;
    body->ops->energy(body->state, w->gravity, &e);
    w->passed.external += e.kinetic + e.elastic;
}

void fr_world_take_back(FrWorld *w, const FrWorld *before) {
    w->passed = before->passed;
    w->stats = before->stats;
    w->event.count = before->event.count;
    w->event_hash = before->event_hash;
    w->next_number = before->next_number;
    while (w->body.count > before->body.count) fr_world_take_out(w, w->body.count - 1);
}

FrResult fr_world_check_def(FrWorld *w, const FrBodyDef *def, const FrModelOps **row) {
    *row = fr_world_model(w, fr_model_choose_with(def, fr_context_backend(w->ctx) != NULL));
    return *row ? check_body(w, def, *row)
                : fr_fail(w->ctx, FR_BAD_USE, "%s: no model has number %d", def->name, def->model);
}

// it is booked and reported, then cut: its pieces come after it
static FrResult set_out(FrWorld *w, int32_t index, const FrCrackDef *crack) {
    book_birth(w, &w->body.data[index]);
    fr_world_cuts_reported(w, index);
    if (w->tick) FR_TRY(fr_world_tell_birth(w, index, w->body.data[index].parent));
    fr_cutlog_clear(&w->body.data[index].first_cuts, w->body.data[index].cuts.first_node);
    return fr_world_precut(w, index, crack);
}

FrResult fr_world_add_body(FrWorld *w, const FrBodyDef *def, int32_t number, FrBodyId *id) {
    *id = (FrBodyId){0};
    const FrModelOps *row;
    FR_TRY(fr_world_check_def(w, def, &row));
    FrBody body = {.ops = row,
                   .number = number,
                   .parent = def->parent,
                   .born = w->tick,
                   .radius = def->mesh ? 0.0 : def->radius,
                   .kinematic = def->kinematic,
                   .until = def->until,
                   .control = fr_step_control_default()};
    body.control.tolerance = w->def.energy_tolerance;
    // steps of a given length keep it
    if (w->def.substep > 0.0 || !isfinite(w->def.energy_tolerance)) body.control.budget = 0.0;
    fr_step_control_cap(&body.control, w->def.step_safety);
    FrResult result = keep_birth(w, def, &body);
    if (result == FR_OK) result = make_body(w, def, &body);
    if (result != FR_OK) {
        fr_world_free_body(w->ctx, &body);
        return fr_fail_within(w->ctx, result, "%s: ", def->name);
    }
    FrWorld before = *w;
    before.body.count--;
    result = set_out(w, w->body.count - 1, &def->crack);
    if (result != FR_OK)
        fr_world_take_back(w, &before);
    else
        *id = (FrBodyId){number + 1}, fr_world_suit_step(w, row);
    return result;
}

FrResult fr_world_bear(FrWorld *w, const FrBodyDef *def, FrBodyId *id) {
    *id = (FrBodyId){0};
    FR_TRY(fr_world_need_number(w, w->next_number, "bodies"));
    FR_TRY(fr_world_add_body(w, def, w->next_number, id));
    w->next_number++;
    return FR_OK;
}

FrResult fr_body_create(FrWorld *w, const FrBodyDef *def, FrBodyId *id) {
    FR_NEED_ALL(fr_world_context(w), w && def);

    FrBodyDef own;
    FrBodyId unwanted;
    if (!id) id = &unwanted;
    *id = (FrBodyId){0};
    FR_TRY(fr_world_inherit(w, def, &own));
    return fr_world_bear(w, &own, id);
}

FrResult fr_world_ignore(FrWorld *w, FrBodyId a, FrBodyId b) {
    FR_NEED_ALL(fr_world_context(w), w);

    int32_t body_a, body_b;
    FR_TRY(fr_world_need(w, a, &body_a));
    FR_TRY(fr_world_need(w, b, &body_b));
    if (body_a == body_b)
        return fr_fail(w->ctx, FR_BAD_USE,
                       "%s cannot ignore itself: two bodies do, each other (parts of one: "
                       "FrBodyDef.self_contact)",
                       w->body.data[body_a].name);
    FR_TRY(fr_contact_ignore(w->scene, w->body.data[body_a].item, w->body.data[body_b].item));
    return fr_world_frame_ignore(w, body_a, body_b) ? FR_OK : fr_no_memory(w->ctx, "a pair");
}
