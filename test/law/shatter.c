// shatter.c: rigid frames that a blow breaks: what must stay stays, energy is spent but not made,
// weak blows break nothing, and a run goes on through its breaks from a checkpoint.

#include "event_kit.h"
#include "modal_kit.h"
#include "world_kit.h"
#include "mesh/quality.h"
#include "record/recording.h"
#include "skin/embed.h"
#include <string.h>
#include <unistd.h>

/// Macro steps a second, as scenes have them with what shatters.
#define STEPS 4800

typedef struct Stage {
    FrContext *ctx;
    FrWorld *world;
    FrTetMesh plate;
    FrMaterial glass;
    FrBodyId id;
} Stage;

// a plate of glass, 80 x 60 x 5 mm, edge down and tilted, over a floor of stone
static Stage drop(int workers, double speed) {
    Stage s = {.ctx = make_modal_context(workers)};
    FrWorldDef def = fr_world_def_default();
    def.step = 1.0 / STEPS;
    def.frame_substeps = 1;
    FrMaterial stone;
    CHECK_OK(s.ctx, fr_world_create(s.ctx, &def, &s.world));
    CHECK(fr_material_find("glass", &s.glass) && fr_material_find("granite", &stone));
    CHECK_OK(s.ctx, fr_world_add_plane(s.world, "floor", fr_vec3(0, 0, 1), 0.0, &stone));
    CHECK_OK(s.ctx, fr_mesh_box(s.ctx, fr_vec3(0.08, 0.06, 0.005), 0.005, &s.plate));
    FrBodyDef plate = fr_body_def_default();
    plate.name = "plate";
    plate.model = FR_MODEL_SHATTER;
    plate.mesh = &s.plate;
    plate.material = &s.glass;
    plate.material_count = 1;
    plate.position = fr_vec3(0, 0, 0.031);
    plate.rotation = fr_quat_from_euler(fr_vec3(0.45, 0.4, 0.2));
    plate.velocity = fr_vec3(0, 0, -speed);
    CHECK_OK(s.ctx, fr_body_create(s.world, &plate, &s.id));
    return s;
}

static void leave(Stage *s) {
    fr_world_destroy(s->world);
    fr_tetmesh_free(s->ctx, &s->plate);
    fr_context_destroy(s->ctx);
}

static void run(Stage *s, int steps) {
    for (int k = 0; k < steps; k++) CHECK_OK(s->ctx, fr_world_step(s->world));
}

typedef struct Totals {
    double mass, volume; ///< kg, m^3
    int32_t bodies;
} Totals;

static Totals totals(const FrWorld *world) {
    Totals sum = {0};
    for (int32_t k = 0; k < world->body.count; k++) {
        FrVec3 impulse;
        double mass;
        const FrBody *body = &world->body.data[k];
        body->ops->impulse(body->state, &impulse, &mass);
        sum.mass += mass;
        sum.volume += fr_tetmesh_props(&body->mesh).volume;
        sum.bodies++;
    }
    return sum;
}

static double ledger(FrWorld *world) {
    FrEnergy e;
    fr_world_energy(world, &e);
    return e.kinetic + e.elastic + e.plastic + e.fracture + e.dust + e.damping + e.contact -
           e.external;
}

// S7's budget made energy; here what cracks and flying pieces have came in by the blow (M35)
TEST(what_breaks_keeps_mass_and_makes_no_energy) {
    Stage s = drop(2, 5.0);
    Totals before = totals(s.world);
    FrEnergy first, last;
    fr_world_energy(s.world, &first);
    double start = ledger(s.world);
    run(&s, 120);
    Totals after = totals(s.world);
    fr_world_energy(s.world, &last);
    CHECK(after.bodies >= 4);
    CHECK_NEAR(after.volume, before.volume, 1e-12 * before.volume); // rounding of a sum
    CHECK_NEAR(after.mass, before.mass, 1e-12 * before.mass);       // likewise rounding
    CHECK(last.fracture > 0.0);
    CHECK(last.kinetic + last.fracture <= first.kinetic + (last.external - first.external));
    // the promise of every ledger, over its peak
    CHECK_NEAR(ledger(s.world), start, 1e-3 * first.kinetic);
    CHECK(fr_world_stats(s.world).momentum_drift < 1e-12); // rounding of sums over bodies
    leave(&s);
}

// Pieces below a size leave: told, with their mass and momentum, and nothing is lost of either.
TEST(small_pieces_leave_as_dust) {
    Stage s = drop(2, 6.0);
    FrBodyDef def = fr_body_def_default();
    FrEnergy first, last;
    fr_body_destroy(s.world, s.id);
    def.name = "plate";
    def.model = FR_MODEL_SHATTER;
    def.mesh = &s.plate;
    def.material = &s.glass;
    def.material_count = 1;
    def.position = fr_vec3(0, 0, 0.031);
    def.rotation = fr_quat_from_euler(fr_vec3(0.45, 0.4, 0.2));
    def.velocity = fr_vec3(0, 0, -6.0);
    def.crack.shatter.dust = 0.012;
    CHECK_OK(s.ctx, fr_body_create(s.world, &def, &s.id));
    Totals before = totals(s.world);
    fr_world_energy(s.world, &first);
    double start = ledger(s.world), mass = 0.0, energy = 0.0;
    int64_t dusts = 0, left = 0;
    for (int step = 0; step < 120; step++) {
        int64_t count;
        run(&s, 1);
        const FrEvent *e = fr_world_events(s.world, &count);
        for (int64_t k = 0; k < count; k++) {
            left += e[k].kind == FR_EVENT_DEATH;
            if (e[k].kind != FR_EVENT_DUST) continue;
            mass += e[k].u.dust.mass, energy += e[k].u.dust.energy, dusts++;
            FrVec3 p = e[k].u.dust.momentum; // it turns, too: no less than p^2 / 2m
            double least = 0.5 * fr_dot(p, p) / e[k].u.dust.mass;
            CHECK(e[k].u.dust.energy > least * (1.0 - 1e-12)); // rounding
            CHECK(e[k].u.dust.mass < s.glass.density * 0.012 * 0.012 * 0.012);
            CHECK(!fr_body_alive(s.world, e[k].a));
        }
    }
    Totals after = totals(s.world);
    fr_world_energy(s.world, &last);
    CHECK(dusts > 0 && after.bodies > 1 && left > dusts);
    CHECK_NEAR(after.mass + mass, before.mass, 1e-12 * before.mass); // rounding of a sum
    CHECK_CLOSE(last.dust, energy, 1e-12);                           // rounding, likewise
    CHECK_NEAR(ledger(s.world), start, 1e-3 * first.kinetic);        // the promise of every ledger
    FrWorldStats stats = fr_world_stats(s.world);
    CHECK(stats.momentum_drift < 1e-12); // rounding of sums over bodies
    CHECK_INT(stats.dust_pieces, dusts);
    CHECK_CLOSE(stats.dust_mass, mass, 1e-12); // rounding of a sum
    uint8_t *bytes;
    size_t size;
    CHECK_OK(s.ctx, fr_world_save(s.world, &bytes, &size));
    Stage again = drop(1, 6.0);
    fr_body_destroy(again.world, again.id);
    CHECK_OK(again.ctx, fr_body_create(again.world, &def, &again.id));
    CHECK_OK(again.ctx, fr_world_load(again.world, bytes, size));
    CHECK_CLOSE(fr_world_stats(again.world).dust_mass, mass, 1e-12); // rounding
    fr_world_free_bytes(s.ctx, bytes);
    leave(&again), leave(&s);
}

// without gravity and floor nothing but the pieces themselves pushes them: release alone
TEST(energy_that_cracks_leave_drives_pieces_apart) {
    double kinetic[2];
    for (int k = 0; k < 2; k++) {
        Stage s = drop(1, 5.0);
        FrBodyDef def = fr_body_def_default();
        FrEnergy e;
        fr_body_destroy(s.world, s.id);
        def.model = FR_MODEL_SHATTER;
        def.mesh = &s.plate;
        def.material = &s.glass;
        def.material_count = 1;
        def.position = fr_vec3(0, 0, 0.031);
        def.rotation = fr_quat_from_euler(fr_vec3(0.45, 0.4, 0.2));
        def.velocity = fr_vec3(0, 0, -5.0);
        def.crack.shatter.release = k == 1;
        CHECK_OK(s.ctx, fr_body_create(s.world, &def, &s.id));
        while (fr_body_alive(s.world, s.id) && fr_world_tick(s.world) < 100) run(&s, 1);
        CHECK(!fr_body_alive(s.world, s.id));
        fr_world_energy(s.world, &e);
        kinetic[k] = e.kinetic;
        leave(&s);
    }
    CHECK(kinetic[1] > kinetic[0]);
}

TEST(a_weak_blow_breaks_nothing) {
    Stage s = drop(1, 0.05);
    run(&s, 240);
    CHECK(fr_body_alive(s.world, s.id));
    CHECK_INT(totals(s.world).bodies, 1);
    leave(&s);
}

// breaks are told: one crack, who was born of whom, who is gone, what was set free
TEST(events_name_parents_and_pieces) {
    Stage s = drop(1, 5.0);
    while (fr_body_alive(s.world, s.id) && fr_world_tick(s.world) < 100) run(&s, 1);
    int64_t count;
    const FrEvent *e = fr_world_events(s.world, &count);
    int births = 0, deaths = 0, cracks = 0, releases = 0;
    for (int64_t k = 0; k < count; k++) {
        births += e[k].kind == FR_EVENT_BIRTH && e[k].b.index1 == s.id.index1;
        deaths += e[k].kind == FR_EVENT_DEATH && e[k].a.index1 == s.id.index1;
        cracks += e[k].kind == FR_EVENT_CRACK && e[k].a.index1 == s.id.index1;
        releases += e[k].kind == FR_EVENT_RELEASE;
        if (e[k].kind == FR_EVENT_CRACK) CHECK(e[k].u.crack.strength > e[k].u.crack.limit);
    }
    CHECK_INT(births, totals(s.world).bodies);
    CHECK_INT(deaths, 1);
    CHECK_INT(cracks, 1);
    CHECK(releases > 0);
    leave(&s);
}

TEST(same_bits_for_any_workers_and_from_a_checkpoint) {
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        Stage s = drop(k ? 3 : 1, 4.0);
        uint8_t *bytes;
        size_t size;
        run(&s, 12);
        CHECK_OK(s.ctx, fr_world_save(s.world, &bytes, &size));
        run(&s, 48);
        hash[k] = fr_world_hash(s.world);
        Stage again = drop(1, 4.0);
        CHECK_OK(again.ctx, fr_world_load(again.world, bytes, size));
        run(&again, 48);
        CHECK(fr_world_hash(again.world) == hash[k]);
        CHECK(totals(again.world).bodies > 1);
        fr_world_free_bytes(s.ctx, bytes);
        leave(&again);
        leave(&s);
    }
    CHECK(hash[0] == hash[1]);
}

static bool same_bytes(const void *a, const void *b, size_t size) {
    return !a == !b && (!a || !size || !memcmp(a, b, size));
}

// does a body look the same: faces that cracks opened, and its skin to the last bit?
static bool same_look(const FrBodyView *a, const FrBodyView *b) {
    const FrEmbedded *s = a->embedded, *r = b->embedded;
    size_t faces = (size_t)a->surface->tri_count;
    if (a->surface->tri_count != b->surface->tri_count || !s != !r) return false;
    if (!same_bytes(a->surface->tri, b->surface->tri, faces * sizeof *a->surface->tri) ||
        !same_bytes(a->surface->opened, b->surface->opened, faces * sizeof(double)))
        return false;
    if (!s) return true;
    size_t points = (size_t)s->point_count, tris = (size_t)s->tri_count;
    if (s->point_count != r->point_count || s->tri_count != r->tri_count ||
        s->closing_count != r->closing_count)
        return false;
    for (int32_t k = 0; k < s->point_count; k++)
        if (!fr_points_alike(&s->at[k], &r->at[k])) return false;
    return same_bytes(s->tri, r->tri, tris * sizeof *s->tri) &&
           same_bytes(s->normal, r->normal, 3 * points * sizeof(double)) &&
           same_bytes(s->opened, r->opened, (size_t)s->closing_count * sizeof(double));
}

static double opened_area(const FrBodyView *view, double t) {
    double area = 0.0;
    const FrSurface *s = view->surface;
    for (int32_t k = 0; s->opened && k < s->tri_count; k++) {
        if (s->opened[k] < 0.0) continue;
        CHECK(s->opened[k] == t);
        FrVec3 a = fr_get3(view->mesh->x, s->tri[k][0]);
        FrVec3 u = fr_sub(fr_get3(view->mesh->x, s->tri[k][1]), a);
        FrVec3 v = fr_sub(fr_get3(view->mesh->x, s->tri[k][2]), a);
        area += 0.5 * fr_length(fr_cross(u, v));
    }
    return area;
}

// to where the plate has broken; when it did, s, and the area of its cracks
static double run_to_break(Stage *s, double *area) {
    int64_t count;
    while (fr_body_alive(s->world, s->id) && fr_world_tick(s->world) < 100) run(s, 1);
    const FrEvent *e = fr_world_events(s->world, &count);
    for (int64_t k = 0; k < count; k++)
        if (e[k].kind == FR_EVENT_CRACK) *area = e[k].u.crack.area;
    return fr_world_time(s->world);
}

// both sides of every crack show as such on the pieces, with the time
static void check_cracks(const FrFrameView *view, double area, double t) {
    double seen = 0.0;
    for (int32_t k = 0; k < view->body_count; k++)
        if (view->body[k].kind == FR_BODY_TETS) {
            seen += opened_area(&view->body[k], t);
            CHECK(view->body[k].embedded != NULL);
        }
    CHECK(area > 0.0);
    CHECK_CLOSE(seen, 2.0 * area, 1e-12); // rounding of a sum
}

static FrRecording *record(FrContext *ctx, FrWorld *world) {
    FrRecorderDef def = {.scene_json = "{}", .fps = 50, .duration = 1, .tick_seconds = 1.0 / STEPS};
    FrRecorder *recorder;
    FrRecording *recording;
    const FrFrameView *view = fr_world_view(world);
    def.pose_hz = STEPS;
    CHECK_OK(ctx, fr_recorder_create(ctx, "law-shatter.fracas", &def, &recorder));
    for (int32_t k = 0; k < view->body_count; k++) {
        FrRecordBody body = {.id = k, .parent = -1, .view = view->body[k]};
        if (body.view.kind == FR_BODY_TETS) body.view = fr_world_first_view(world, k);
        CHECK_OK(ctx, fr_recorder_add_body(recorder, &body));
    }
    CHECK_OK(ctx, fr_recorder_frame(recorder, view));
    CHECK_OK(ctx, fr_recorder_commit(recorder));
    fr_recorder_close(recorder);
    CHECK_OK(ctx, fr_recording_open(ctx, "law-shatter.fracas", &recording));
    return recording;
}

// what pieces look like is in checkpoints and in recordings
TEST(cracks_show_on_pieces_and_come_back) {
    Stage s = drop(1, 4.0), again = drop(1, 4.0);
    uint8_t *bytes;
    size_t size;
    double area = 0.0, t = run_to_break(&s, &area);
    check_cracks(fr_world_view(s.world), area, t);
    CHECK_OK(s.ctx, fr_world_save(s.world, &bytes, &size));
    CHECK_OK(again.ctx, fr_world_load(again.world, bytes, size));
    FrRecording *recording = record(s.ctx, s.world);
    const FrFrameView *a = fr_world_view(s.world), *b = fr_world_view(again.world), *read;
    CHECK_OK(s.ctx, fr_recording_frame(recording, 0, &read));
    CHECK_INT(b->body_count, a->body_count);
    CHECK_INT(read->body_count, a->body_count);
    CHECK(totals(s.world).bodies > 1);
    for (int32_t k = 0; k < a->body_count; k++) {
        if (a->body[k].kind != FR_BODY_TETS) continue;
        CHECK(a->body[k].surface->opened != NULL);
        CHECK(same_look(&a->body[k], &b->body[k]));
        CHECK(same_look(&a->body[k], &read->body[k]));
    }
    fr_recording_close(recording);
    CHECK(unlink("law-shatter.fracas") == 0);
    fr_world_free_bytes(s.ctx, bytes);
    leave(&again), leave(&s);
}

// of several materials it is told what to do, and chosen to be fem by itself
TEST(bodies_of_several_materials_do_not_shatter) {
    Stage s = drop(1, 0.0);
    FrMaterial both[2] = {s.glass, s.glass};
    FrBodyDef def = fr_body_def_default();
    FrBodyId id;
    def.mesh = &s.plate;
    def.material = both;
    def.material_count = 2;
    CHECK(fr_model_choose(&def) == FR_MODEL_FEM);
    def.model = FR_MODEL_SHATTER;
    CHECK(fr_body_create(s.world, &def, &id) == FR_BAD_USE);
    CHECK(strstr(fr_context_message(s.ctx), "FR_MODEL_FEM takes several") != NULL);
    leave(&s);
}

// a runtime without solvers keeps to fem by itself, and says what it lacks when asked for more
TEST(without_a_back_end_auto_is_fem) {
    FrContext *ctx = test_context(1);
    FrWorld *world = test_world(ctx, fr_vec3_zero);
    FrTetMesh mesh;
    FrMaterial glass;
    FrBodyDef def = fr_body_def_default();
    FrBodyId id;
    CHECK(fr_material_find("glass", &glass));
    CHECK_OK(ctx, fr_mesh_box(ctx, fr_vec3(0.04, 0.04, 0.01), 0.02, &mesh));
    def.mesh = &mesh;
    def.material = &glass;
    def.material_count = 1;
    CHECK(fr_model_choose(&def) == FR_MODEL_SHATTER);
    CHECK_OK(ctx, fr_body_create(world, &def, &id));
    CHECK(!strcmp(world->body.data[0].ops->name, "fem"));
    def.model = FR_MODEL_SHATTER;
    CHECK(fr_body_create(world, &def, &id) == FR_BAD_USE);
    CHECK(strstr(fr_context_message(ctx), "back end") != NULL);
    fr_world_destroy(world);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}
