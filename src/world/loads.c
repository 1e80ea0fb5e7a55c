// loads.c: what a scene does to nodes of solids: supports and drives, forces, pressures, blasts.

#include "base/table.h"
#include "mesh/topology.h"
#include "world/world.h"
#include <string.h>

static FrResult solid_body(FrWorld *w, FrBodyId id, const char *what, int32_t *body) {
    FR_TRY(fr_world_need(w, id, body));
    if (!w->body.data[*body].ops->solid)
        return fr_fail(w->ctx, FR_BAD_USE, "%s: a %s acts on a body with nodes, this is a %s",
                       w->body.data[*body].name, what, w->body.data[*body].ops->name);
    return FR_OK;
}

// drives hold frames that shatter, too
static FrResult driven_body(FrWorld *w, FrBodyId id, int32_t *index) {
    FR_TRY(fr_world_need(w, id, index));
    const FrBody *body = &w->body.data[*index];
    if (!fr_world_holds_frame(body)) return solid_body(w, id, "drive", index);
    bool held = false;
    for (int32_t k = 0; k < w->drive.count; k++)
        held = held || (w->drive.data[k].body == *index && !w->drive.data[k].released);
    if (!body->kinematic || held) return FR_OK;
    return fr_fail(w->ctx, FR_BAD_USE, "%s: it is kinematic as a whole: nothing else holds it",
                   body->name);
}

bool fr_world_is_new(const FrWorld *w, const FrBody *body) { return body->born == w->tick; }

// nodes of a new body are those of its mesh before any cut, later those that there are
static FrResult check_nodes(FrWorld *w, int32_t index, const int32_t *node, int32_t count) {
    FrShapeView view;
    const FrBody *body = &w->body.data[index];
    body->ops->view(body->state, &view);
    int32_t nodes = fr_world_is_new(w, body) ? body->mesh.node_count : view.node_count;
    for (int32_t k = 0; k < count; k++)
        if (node[k] < 0 || node[k] >= nodes)
            return fr_fail(w->ctx, FR_BAD_USE, "%s: node %d does not exist (0 to %d)", body->name,
                           node[k], nodes - 1);
    return FR_OK;
}

static FrResult check_there(FrWorld *w, int32_t index, const int32_t *node, int32_t count) {
    const FrBody *body = &w->body.data[index];
    if (!body->ops->solid) return FR_OK;
    for (int32_t k = 0; k < count; k++)
        if (body->ops->solid->left(body->state, node[k]))
            return fr_fail(w->ctx, FR_BAD_USE,
                           "%s: node %d belongs to a piece that left as dust: nothing holds it",
                           body->name, node[k]);
    return FR_OK;
}

bool fr_world_holds_fast(const FrWorld *w, int32_t body) {
    bool fast = true;
    for (int32_t k = 0; k < w->drive.count; k++) {
        const FrDrive *drive = &w->drive.data[k];
        fast = fast && (drive->body != body || (!drive->track.count && isinf(drive->until)));
    }
    return fast;
}

void fr_world_fix_supports(FrWorld *w, int32_t index) {
    const FrBody *body = &w->body.data[index];
    bool any = false;
    for (int32_t k = 0; k < w->drive.count; k++) any = any || w->drive.data[k].body == index;
    if (body->ops->solid)
        body->ops->solid->fix_supports(body->state, any && fr_world_holds_fast(w, index));
}

static FrResult check_drive(FrWorld *w, int32_t index, const FrDriveDef *def) {
    const char *name = w->body.data[index].name;
    if (def->node_count < 1)
        return fr_fail(w->ctx, FR_BAD_USE, "%s: a drive of %d nodes; at least 1", name,
                       def->node_count);
    if (!(def->until >= 0.0))
        return fr_fail(w->ctx, FR_BAD_USE,
                       "%s: a drive cannot let go at %g s; at least 0, or INFINITY", name,
                       def->until);
    FR_TRY(check_nodes(w, index, def->node, def->node_count));
    return check_there(w, index, def->node, def->node_count);
}

static FrResult copy_drive(FrWorld *w, const FrDriveDef *def, FrDrive *drive) {
    FrShapeView view;
    const FrBody *body = &w->body.data[drive->body];
    body->ops->view(body->state, &view);
    drive->node = FR_NEW(w->ctx, int32_t, def->node_count);
    drive->start = FR_NEW(w->ctx, double, 3 * (size_t)def->node_count);
    if (!drive->node || !drive->start) return fr_no_memory(w->ctx, "driven nodes");
    FR_TRY(fr_track_copy(w->ctx, &def->track, &drive->track));
    drive->node_count = def->node_count;
    for (int32_t k = 0; k < def->node_count; k++) {
        drive->node[k] = def->node[k];
        fr_set3(drive->start, k, fr_get3(view.p, def->node[k]));
    }
    if (fr_world_holds_frame(body))
        drive->from = fr_world_mesh_axes(body);
    else if (fr_world_is_new(w, body))
        FR_TRY(fr_world_follow_drive(w, drive, &body->first_cuts));
    return fr_array_reserve(w->ctx, &w->drive, 1) ? FR_OK : fr_no_memory(w->ctx, "driven nodes");
}

// room is there; what it takes hold of is awake and deforms: rigid pieces have no held nodes
static FrResult take_hold(FrWorld *w, FrDrive drive) {
    const FrBody *body = &w->body.data[drive.body];
    w->drive.data[w->drive.count++] = drive;
    if (fr_world_holds_frame(body)) {
        FrResult result = fr_world_renew_holds(w, drive.body, false);
        if (result != FR_OK) w->drive.count--;
        return result;
    }
    for (int32_t k = 0; k < drive.node_count; k++)
        body->ops->solid->support(body->state, drive.node[k]);
    fr_world_fix_supports(w, drive.body);
    return FR_OK;
}

FrResult fr_drive_create(FrWorld *w, const FrDriveDef *def, FrDriveId *id) {
    FR_NEED_ALL(fr_world_context(w), w && def);

    FR_NEED(w->ctx, def->cookie == FR_COOKIE, "start from fr_drive_def_default()");
    FR_NEED(w->ctx, def->node || def->node_count <= 0, "give the nodes to drive");
    FrDrive drive = {.number = w->next_hold, .late = w->tick > 0, .until = def->until};
    if (id) *id = (FrDriveId){0};
    FR_TRY(fr_world_need_number(w, w->next_hold, "drives"));
    FR_TRY(driven_body(w, def->body, &drive.body));
    FR_TRY(check_drive(w, drive.body, def));
    FrResult result = copy_drive(w, def, &drive);
    if (result == FR_OK) {
        fr_world_wake(w, drive.body);
        result = fr_world_deform_nodes(w, drive.body, drive.node, drive.node_count);
    }
    if (result == FR_OK) result = take_hold(w, drive);
    if (result != FR_OK) {
        fr_world_free_drive(w->ctx, &drive);
        return result;
    }
    w->next_hold++;
    if (id) *id = (FrDriveId){w->next_hold};
    return FR_OK;
}

static double loaded_mass(const FrBody *body, const FrLoadDef *def) {
    double mass = 0.0;
    FrVec3 impulse;
    if (!def->node) body->ops->impulse(body->state, &impulse, &mass);
    for (int32_t k = 0; def->node && k < def->node_count; k++)
        mass += body->ops->solid->node_mass(body->state, def->node[k]);
    return mass;
}

static uint64_t tri_key(const int32_t *tri) {
    int32_t n[3] = {tri[0], tri[1], tri[2]};
    fr_sort3(n);
    uint64_t low = (uint64_t)(uint32_t)n[0] << 32 | (uint32_t)n[1];
    return fr_mix64(fr_mix64(low) ^ (uint32_t)n[2]);
}

// the tets behind the loaded triangles, so that they can follow cuts
static FrResult find_tets(FrWorld *w, FrLoad *load, const FrSurface *surface) {
    int32_t count = load->def.tri_count;
    load->tri_tet = FR_NEW(w->ctx, int32_t, count);
    FrTable table = {0};
    if (!load->tri_tet || !fr_table_reserve(w->ctx, &table, surface->tri_count)) {
        fr_table_free(w->ctx, &table);
        return fr_no_memory(w->ctx, "a load");
    }
    for (int32_t k = 0; k < surface->tri_count; k++)
        fr_table_add(&table, tri_key(surface->tri[k]), k);
    for (int32_t k = 0; k < count; k++) {
        int32_t found = fr_table_find(&table, tri_key(load->def.tri[k]));
        load->tri_tet[k] = found < 0 ? -1 : surface->tet[found];
    }
    fr_table_free(w->ctx, &table);
    return FR_OK;
}

static FrResult surface_of(FrWorld *w, const FrBody *body, FrSurface *surface) {
    if (fr_world_is_new(w, body)) return fr_tetmesh_surface(w->ctx, &body->mesh, surface);
    return fr_cutmesh_surface(body->cut, fr_pieces_of_tets(body->pieces), surface);
}

// own copies of its lists, which are empty so far
static FrResult copy_load(FrWorld *w, const FrLoadDef *def, const FrSurface *surface,
                          FrLoad *load) {
    if (def->node) {
        int32_t *node = FR_NEW(w->ctx, int32_t, def->node_count);
        if (!node) return fr_no_memory(w->ctx, "a load");
        memcpy(node, def->node, (size_t)def->node_count * sizeof *node);
        load->def.node = node;
    }
    const int32_t(*from)[3] = def->tri ? def->tri : (const int32_t(*)[3])surface->tri;
    bool on_nodes = def->kind == FR_LOAD_FORCE || def->kind == FR_LOAD_HEAT;
    load->def.tri_count = on_nodes ? 0 : def->tri ? def->tri_count : surface->tri_count;
    int32_t(*tri)[3] = fr_alloc_zero(w->ctx, (size_t)load->def.tri_count, sizeof *tri);
    if (!tri) return fr_no_memory(w->ctx, "a load");
    if (load->def.tri_count) memcpy(tri, from, (size_t)load->def.tri_count * sizeof *tri);
    load->def.tri = (const int32_t(*)[3])tri;
    FR_TRY(find_tets(w, load, surface));
    FR_TRY(fr_curve_copy(w->ctx, &def->curve, &load->def.curve));
    const FrBody *body = &w->body.data[load->body];
    if (fr_world_is_new(w, body)) FR_TRY(fr_world_follow_load(w, load, &body->first_cuts));
    return fr_array_push(w->ctx, &w->load, *load) ? FR_OK : fr_no_memory(w->ctx, "a load");
}

static FrResult check_heat(FrWorld *w, int32_t index, const FrLoadDef *def) {
    if (def->kind != FR_LOAD_HEAT) return FR_OK;
    if (!isfinite(def->power)) return fr_fail(w->ctx, FR_BAD_USE, "heat must be finite");
    return fr_world_need_warm(w, index);
}

static FrResult check_load(FrWorld *w, int32_t index, const FrLoadDef *def) {
    const char *name = w->body.data[index].name;
    if ((unsigned)def->kind > FR_LOAD_HEAT)
        return fr_fail(w->ctx, FR_BAD_USE, "%s: no load is of kind %d; 0 to %d", name,
                       (int)def->kind, (int)FR_LOAD_HEAT);
    if ((def->node && def->node_count < 0) || (def->tri && def->tri_count < 0))
        return fr_fail(w->ctx, FR_BAD_USE,
                       "%s: a load on %d nodes and %d triangles; at least 0, or NULL for all", name,
                       def->node_count, def->tri_count);
    FR_TRY(check_nodes(w, index, def->node, def->node ? def->node_count : 0));
    FR_TRY(check_nodes(w, index, (const int32_t *)def->tri, def->tri ? 3 * def->tri_count : 0));
    if (!fr_vec3_finite(def->vector) || !isfinite(def->pressure) || !fr_vec3_finite(def->origin))
        return fr_fail(w->ctx, FR_BAD_USE, "a load must be finite");
    if (def->kind == FR_LOAD_BLAST &&
        !(def->speed > 0.0 && def->decay > 0.0 && def->reference >= 0.0))
        return fr_fail(w->ctx, FR_BAD_USE,
                       "a blast needs speed %g and decay %g above 0, reference %g not below",
                       def->speed, def->decay, def->reference);
    return check_heat(w, index, def);
}

FrResult fr_load_create(FrWorld *w, const FrLoadDef *def, FrLoadId *id) {
    FR_NEED_ALL(fr_world_context(w), w && def);

    FR_NEED(w->ctx, def->cookie == FR_COOKIE, "start from fr_load_def_default()");
    FrLoad load = {.number = w->next_hold, .late = w->tick > 0, .def = *def};
    load.def.node = NULL, load.def.tri = NULL, load.def.curve = (FrCurve){NULL, 0}; // the caller's
    if (id) *id = (FrLoadId){0};
    FR_TRY(fr_world_need_number(w, w->next_hold, "loads"));
    FR_TRY(solid_body(w, def->body, "load", &load.body));
    FR_TRY(check_load(w, load.body, def));
    load.mass = loaded_mass(&w->body.data[load.body], def);
    const FrBody *body = &w->body.data[load.body];
    bool cut = fr_world_topology(body) > 1;
    FrSurface other = {0};
    FrResult result = cut ? surface_of(w, body, &other) : FR_OK;
    if (result == FR_OK) result = copy_load(w, def, cut ? &other : &body->surface, &load);
    fr_surface_free(w->ctx, &other);
    if (result != FR_OK) {
        fr_world_free_load(w->ctx, &load);
        return result;
    }
    w->next_hold++;
    fr_world_wake(w, load.body);
    if (id) *id = (FrLoadId){w->next_hold};
    return FR_OK;
}

FrResult fr_load_destroy(FrWorld *w, FrLoadId id) {
    FR_NEED_ALL(fr_world_context(w), w);

    for (int32_t k = 0; k < w->load.count; k++) {
        FrLoad *load = &w->load.data[k];
        if (load->number != id.index1 - 1) continue;
        fr_world_wake(w, load->body);
        fr_world_free_load(w->ctx, load);
        memmove(load, load + 1, (size_t)(w->load.count - 1 - k) * sizeof *load);
        w->load.count--;
        return FR_OK;
    }
    return fr_fail(w->ctx, FR_BAD_USE, "no load has id %d: it is gone, or never was", id.index1);
}

static void apply_force(const FrLoad *load, const FrBody *body, double factor) {
    FrVec3 per_mass = fr_scale(factor / load->mass, load->def.vector);
    const FrSolidOps *solid = body->ops->solid;
    FrShapeView view;
    body->ops->view(body->state, &view);
    int32_t count = load->def.node ? load->def.node_count : view.node_count;
    for (int32_t k = 0; k < count; k++) {
        int32_t node = load->def.node ? load->def.node[k] : k;
        solid->load(body->state, node, fr_scale(solid->node_mass(body->state, node), per_mass));
    }
}

// for so long at full power, s
static void apply_heat(const FrLoad *load, const FrBody *body, double time) {
    const FrSolidOps *solid = body->ops->solid;
    double per_mass = time * load->def.power / load->mass;
    FrShapeView view;
    body->ops->view(body->state, &view);
    int32_t count = load->def.node ? load->def.node_count : view.node_count;
    for (int32_t k = 0; k < count; k++) {
        int32_t node = load->def.node ? load->def.node[k] : k;
        solid->warm(body->state, node, per_mass * solid->node_mass(body->state, node));
    }
}

// mean pressure of a blast at distance r over the step from t to t + dt: nothing before the front
// is there, then a decay
//
//     P(r, t) = P0 (r0 / r) exp(-(t - t0 - r/c) / T)            (M28 row 11: the thesis gives the
//     peak only)
//
// Its integral over the step is exact, so that the impulse does not depend on dt.
static double blast_pressure(const FrLoadDef *def, double r, double t, double dt) {
    double since = t - def->start - r / def->speed, end = since + dt;
    if (end <= 0.0) return 0.0;
    double spread = def->reference > 0.0 ? def->reference / fr_max(r, 1e-3 * def->reference) : 1.0;
    double left = exp(-fr_max(since, 0.0) / def->decay) - exp(-end / def->decay);
    return def->pressure * spread * left * def->decay / dt;
}

static void apply_pressure(const FrLoad *load, const FrBody *body, double t, double dt,
                           double factor) {
    FrShapeView view;
    body->ops->view(body->state, &view);
    for (int32_t k = 0; k < load->def.tri_count; k++) {
        const int32_t *n = load->def.tri[k];
        FrVec3 a = fr_get3(view.p, n[0]), b = fr_get3(view.p, n[1]), c = fr_get3(view.p, n[2]);
        FrVec3 area = fr_scale(0.5, fr_cross(fr_sub(b, a), fr_sub(c, a)));
        double pressure = load->def.pressure;
        if (load->def.kind == FR_LOAD_BLAST) {
            FrVec3 ray = fr_sub(fr_scale(1.0 / 3.0, fr_add(a, fr_add(b, c))), load->def.origin);
            // the front pushes what faces it; the lee side is in the shadow
            pressure =
                fr_dot(ray, area) < 0.0 ? blast_pressure(&load->def, fr_length(ray), t, dt) : 0.0;
        }
        FrVec3 share = fr_scale(-factor * pressure / 3.0, area);
        for (int i = 0; i < 3; i++) body->ops->solid->load(body->state, n[i], share);
    }
}

static void drive_nodes(const FrDrive *drive, const FrBody *body, double t, double dt) {
    FrShapeView view;
    body->ops->view(body->state, &view);
    for (int32_t k = 0; k < drive->node_count; k++) {
        FrVec3 goal = fr_track_point(&drive->track, t + dt, fr_get3(drive->start, k));
        FrVec3 v = fr_scale(1.0 / dt, fr_sub(goal, fr_get3(view.p, drive->node[k])));
        body->ops->solid->drive(body->state, drive->node[k], v);
    }
}

// a node that another drive still has stays supported
static void support_again(FrWorld *w, int32_t index) {
    const FrBody *body = &w->body.data[index];
    for (int32_t k = 0; k < w->drive.count; k++) {
        const FrDrive *drive = &w->drive.data[k];
        if (drive->body != index || drive->released) continue;
        for (int32_t n = 0; n < drive->node_count; n++)
            body->ops->solid->support(body->state, drive->node[n]);
    }
}

static FrResult release_drive(FrWorld *w, FrDrive *drive) {
    const FrBody *body = &w->body.data[drive->body];
    if (fr_world_holds_frame(body)) {
        drive->released = true;
        return fr_world_renew_holds(w, drive->body, false);
    }
    for (int32_t n = 0; n < drive->node_count; n++)
        body->ops->solid->release(body->state, drive->node[n]);
    drive->released = true;
    support_again(w, drive->body);
    return FR_OK;
}

FrResult fr_world_release_drives(FrWorld *w, double t) {
    for (int32_t k = 0; k < w->drive.count; k++) {
        FrDrive *drive = &w->drive.data[k];
        if (!drive->released && !(t < drive->until)) FR_TRY(release_drive(w, drive));
    }
    return FR_OK;
}

FrResult fr_drive_destroy(FrWorld *w, FrDriveId id) {
    FR_NEED_ALL(fr_world_context(w), w);

    for (int32_t k = 0; k < w->drive.count; k++) {
        FrDrive *drive = &w->drive.data[k];
        if (drive->number != id.index1 - 1) continue;
        int32_t body = drive->body;
        fr_world_wake(w, body);
        if (!drive->released) { // what stood on it, or hung, does no more
            FR_TRY(fr_world_deform_nodes(w, body, drive->node, drive->node_count));
            FR_TRY(release_drive(w, drive));
        }
        fr_world_free_drive(w->ctx, drive);
        memmove(drive, drive + 1, (size_t)(w->drive.count - 1 - k) * sizeof *drive);
        w->drive.count--;
        fr_world_fix_supports(w, body);
        return FR_OK;
    }
    return fr_fail(w->ctx, FR_BAD_USE, "no drive has id %d: it is gone, or never was", id.index1);
}

void fr_world_apply_loads(FrWorld *w, int32_t index, double t, double dt) {
    const FrBody *body = &w->body.data[index];
    if (!body->ops->solid) return;
    for (int32_t k = 0; k < w->drive.count; k++) {
        const FrDrive *drive = &w->drive.data[k];
        if (drive->body == index && !drive->released) drive_nodes(drive, body, t, dt);
    }
    fr_world_apply_external(w, index, t, dt);
    for (int32_t k = 0; k < w->load.count; k++) {
        const FrLoad *load = &w->load.data[k];
        if (load->body != index) continue;
        double factor = fr_curve_at(&load->def.curve, t);
        // a blast says what it gives in dt; others are forces of the moment
        if (load->def.kind != FR_LOAD_BLAST)
            factor *= body->ops->solid->kick_time(body->state, dt) / dt;
        if (load->def.kind == FR_LOAD_HEAT)
            apply_heat(load, body, factor * dt);
        else if (load->def.kind == FR_LOAD_FORCE)
            apply_force(load, body, factor);
        else
            apply_pressure(load, body, t, dt, factor);
    }
}
