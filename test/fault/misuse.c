// misuse.c: callers' bugs without a handler of assertions: NULL where something must be, ids that
// are null or stale, defs not from their default functions. A result or nothing, never a crash.

#include "births_kit.h"
#include "context.h"
#include "fracas/fracas.h"
#include <string.h>

#define REFUSED(call) CHECK_INT((call), FR_BAD_USE)

TEST(null_handles_are_refused) {
    FrVec3 o = fr_vec3_zero;
    FrBodyId body = {1};
    int32_t count;
    int64_t events;
    double hz;
    CHECK(!fr_context_create(NULL));
    CHECK(!fr_context_create(&(FrContextDef){.cookie = 0}));
    CHECK_HAS(fr_context_message(NULL), "no context");
    CHECK(!fr_context_cancelled(NULL) && !fr_context_workers(NULL));
    fr_context_cancel(NULL), fr_context_resume(NULL), fr_context_destroy(NULL);
    REFUSED(fr_world_create(NULL, NULL, NULL));
    REFUSED(fr_world_add_plane(NULL, NULL, o, 0.0, NULL));
    REFUSED(fr_body_create(NULL, NULL, NULL));
    REFUSED(fr_body_exchange(NULL, body, NULL, 1, NULL));
    REFUSED(fr_body_destroy(NULL, body));
    REFUSED(fr_drive_create(NULL, NULL, NULL));
    REFUSED(fr_drive_destroy(NULL, (FrDriveId){1}));
    REFUSED(fr_load_create(NULL, NULL, NULL));
    REFUSED(fr_load_destroy(NULL, (FrLoadId){1}));
    REFUSED(fr_joint_create(NULL, NULL, NULL));
    REFUSED(fr_joint_destroy(NULL, (FrJointId){1}));
    REFUSED(fr_grab_create(NULL, NULL, NULL));
    REFUSED(fr_grab_move(NULL, (FrGrabId){1}, o));
    REFUSED(fr_grab_destroy(NULL, (FrGrabId){1}));
    REFUSED(fr_grab_report(NULL, (FrGrabId){1}, NULL));
    REFUSED(fr_body_modes(NULL, body, NULL, 0, &count));
    REFUSED(fr_body_skin(NULL, body, NULL, 0, &count));
    REFUSED(fr_body_cut(NULL, body, o, o));
    REFUSED(fr_world_ignore(NULL, body, body));
    REFUSED(fr_world_step(NULL));
    REFUSED(fr_world_set_step(NULL, 1e-3));
    REFUSED(fr_world_set_gravity(NULL, o));
    REFUSED(fr_world_save(NULL, NULL, NULL));
    REFUSED(fr_world_load(NULL, NULL, 0));
    REFUSED(fr_body_motion(NULL, body, NULL));
    REFUSED(fr_body_set_place(NULL, body, o, fr_quat_identity));
    REFUSED(fr_body_set_velocity(NULL, body, o, o));
    REFUSED(fr_body_add_force(NULL, body, o, o));
    REFUSED(fr_body_add_torque(NULL, body, o));
    REFUSED(fr_body_add_impulse(NULL, body, o, o));
    double warmth;
    REFUSED(fr_body_heat(NULL, body, o, 0.1, 1.0));
    REFUSED(fr_body_temperature(NULL, body, o, &warmth));
    fr_world_heat(NULL, NULL);
    REFUSED(fr_body_set_user(NULL, body, NULL));
    REFUSED(fr_body_get_user(NULL, body, NULL));
    REFUSED(fr_body_wake(NULL, body));
    REFUSED(fr_body_sleep(NULL, body));
    REFUSED(fr_body_asleep(NULL, body, NULL));
    REFUSED(fr_body_set_material(NULL, body, 0, NULL));
    REFUSED(fr_world_ray(NULL, NULL, NULL));
    REFUSED(fr_world_overlap_box(NULL, (FrBox){o, o}, NULL, 0, NULL));
    REFUSED(fr_world_overlap_sphere(NULL, o, 1.0, NULL, 0, NULL));
    fr_world_touch_points(NULL, NULL, 0, &count), fr_world_ties(NULL, NULL, 0, NULL);
    fr_world_energy(NULL, NULL), fr_world_momentum(NULL, NULL, NULL), fr_world_destroy(NULL);
    fr_world_free_bytes(NULL, NULL), fr_ledger_note(NULL, NULL);
    CHECK(!fr_body_alive(NULL, body) && fr_world_view_of(NULL, body) == -1);
    CHECK(!fr_world_view(NULL) && !fr_world_events(NULL, &events) && !fr_world_hash(NULL));
    CHECK(fr_world_time(NULL) == 0.0 && fr_world_dt(NULL) == 0.0 && fr_world_tick(NULL) == 0);
    CHECK(fr_world_stats(NULL).steps == 0 && fr_ledger_closure(NULL) == 0.0);
    CHECK_INT(fr_model_choose(NULL), FR_MODEL_AUTO);
    CHECK(!fr_model_traits((FrModel)-1).name && !fr_model_traits((FrModel)99).name);
    REFUSED(fr_mesh_box(NULL, o, 0.1, NULL));
    REFUSED(fr_mesh_sphere(NULL, 0.1, 0.1, NULL));
    REFUSED(fr_mesh_tube(NULL, 0.1, 0.05, 0.1, 0.1, NULL));
    REFUSED(fr_mesh_lathe(NULL, NULL, 3, 0.1, 0.1, NULL));
    REFUSED(fr_mesh_from_surface(NULL, NULL, 0.1, NULL, NULL));
    REFUSED(fr_material_check(NULL, NULL));
    CHECK(!fr_material_find(NULL, NULL) && !fr_material_info(NULL, NULL));
    CHECK(!fr_material_name(-1) && !fr_material_name(fr_material_count()));
    CHECK(!fr_material_set_orthotropic(NULL, NULL));
    fr_material_set_young(NULL, 1e9, 0.3), fr_material_inside(NULL, NULL);
    REFUSED(fr_asset_load(NULL, NULL, 0, NULL));
    REFUSED(fr_asset_rescale(NULL, 1, 1, 1));
    REFUSED(fr_asset_loudest(NULL, FR_MALLET_WOOD, NULL));
    REFUSED(fr_bank_create(NULL, NULL, NULL));
    CHECK(fr_asset_info(NULL).mode_count == 0);
    fr_asset_mode(NULL, 0, &hz, NULL), fr_asset_set_damping(NULL, 0, 0, 0);
    fr_asset_destroy(NULL), fr_bank_destroy(NULL), fr_bank_pull(NULL, NULL, 8);
    CHECK(!fr_bank_strike(NULL, o, o, 1e-3) && !fr_bank_sounding(NULL));
    CHECK(!fr_bank_strike_speed(NULL, o, (FrMallet)77, 0, 1));
    CHECK(!fr_bank_scrape(NULL, o, 1, 1, 1));
    fr_bank_listen(NULL, o);
    fr_tetmesh_free(NULL, NULL), fr_surface_free(NULL, NULL), fr_embedded_free(NULL, NULL);
}

TEST(null_sounds_and_motions_are_refused) {
    FrSoundbank *bank;
    FrMotion *motion;
    FrAsset *asset;
    double hz = 0.0, t60 = 0.0;
    float number = 1.0f;
    CHECK(!fr_asset_radiation(NULL) && fr_radiation_mode_count(NULL) == 0);
    CHECK(fr_radiation_power(NULL, 0) == 0.0);
    fr_radiation_gains(NULL, fr_vec3_zero, FR_RADIATION_COARSE, &number);
    REFUSED(fr_soundbank_load(NULL, NULL, 0, &bank));
    REFUSED(fr_proxy_create(NULL, NULL, &asset, NULL));
    CHECK(fr_soundbank_info(NULL).samples == 0 && fr_soundbank_entry(NULL, 0).mode_count == 0);
    fr_soundbank_destroy(NULL);
    REFUSED(fr_motion_load(NULL, NULL, 0, &motion));
    CHECK(fr_motion_info(NULL).mode_count == 0 && !fr_motion_skin_tris(NULL));
    CHECK(!fr_motion_body_def(NULL).mesh);
    fr_motion_mode(NULL, 0, &hz, &t60), fr_motion_skin_rest(NULL, &number);
    fr_motion_skin_shape(NULL, 0, &number), fr_motion_destroy(NULL);
    CHECK(number == 1.0f && hz == 0.0 && t60 == 0.0);
}

/// A world with one soft cube, which it owns, and an id that is stale.
typedef struct Room {
    FrContext *ctx;
    FrWorld *world;
    FrTetMesh mesh;
    FrMaterial material;
    FrBodyDef def;
    FrBodyId body, stale;
} Room;

static void make_room(Room *room) {
    Room r = {.ctx = make_context(1), .mesh = test_box(1, 1, 1, 0.1)};
    r.material = elastic_material(1e5, 0.3);
    r.world = test_world(r.ctx, fr_vec3(0, 0, -9.81));
    r.def = fr_body_def_default();
    r.def.name = "cube";
    r.def.mesh = &r.mesh;
    r.def.material = &r.material;
    r.def.material_count = 1;
    r.def.model = FR_MODEL_FEM;
    CHECK_OK(r.ctx, fr_body_create(r.world, &r.def, &r.body));
    CHECK_OK(r.ctx, fr_body_create(r.world, &r.def, &r.stale));
    CHECK_OK(r.ctx, fr_body_destroy(r.world, r.stale));
    *room = r;
    room->def.mesh = &room->mesh, room->def.material = &room->material;
}

static void free_room(Room *r) {
    fr_world_destroy(r->world);
    test_mesh_free(&r->mesh);
    fr_context_destroy(r->ctx);
}

TEST(null_arguments_are_refused_and_change_nothing) {
    Room r;
    make_room(&r);
    uint64_t before = fr_world_hash(r.world);
    REFUSED(fr_body_create(r.world, NULL, NULL));
    REFUSED(fr_world_add_plane(r.world, NULL, fr_vec3(0, 0, 1), 0.0, &r.material));
    REFUSED(fr_world_add_plane(r.world, "floor", fr_vec3(0, 0, 1), 0.0, NULL));
    REFUSED(fr_body_exchange(r.world, r.body, NULL, 1, NULL));
    REFUSED(fr_drive_create(r.world, NULL, NULL));
    REFUSED(fr_load_create(r.world, NULL, NULL));
    REFUSED(fr_joint_create(r.world, NULL, NULL));
    REFUSED(fr_grab_create(r.world, NULL, NULL));
    REFUSED(fr_body_motion(r.world, r.body, NULL));
    REFUSED(fr_body_get_user(r.world, r.body, NULL));
    REFUSED(fr_body_asleep(r.world, r.body, NULL));
    REFUSED(fr_body_set_material(r.world, r.body, 0, NULL));
    REFUSED(fr_world_ray(r.world, NULL, NULL));
    REFUSED(fr_world_overlap_sphere(r.world, fr_vec3_zero, 1.0, NULL, 0, NULL));
    REFUSED(fr_world_save(r.world, NULL, NULL));
    REFUSED(fr_world_load(r.world, NULL, 8));
    CHECK_HAS(fr_context_message(r.ctx), "NULL");
    fr_world_energy(r.world, NULL), fr_world_momentum(r.world, NULL, NULL);
    fr_world_touch_points(r.world, NULL, 0, NULL);
    CHECK(!fr_world_events(r.world, NULL));
    CHECK(fr_world_hash(r.world) == before);
    CHECK_OK(r.ctx, fr_world_step(r.world));
    free_room(&r);
}

// what a def borrows
TEST(null_fields_of_defs_are_refused) {
    Room r;
    make_room(&r);
    FrBodyDef def = r.def;
    FrTetMesh hollow = r.mesh;
    FrTetMesh made;
    FrTriangles none = {0};
    def.name = NULL;
    REFUSED(fr_body_create(r.world, &def, NULL));
    CHECK_HAS(fr_context_message(r.ctx), "name");
    def = r.def, def.material = NULL;
    REFUSED(fr_body_create(r.world, &def, NULL));
    def = r.def, def.mesh = &hollow;
    hollow.x = NULL;
    CHECK_INT(fr_body_create(r.world, &def, NULL), FR_BAD_INPUT);
    hollow = r.mesh, hollow.tet = NULL;
    CHECK_INT(fr_body_create(r.world, &def, NULL), FR_BAD_INPUT);
    def = r.def, def.cookie = 0;
    REFUSED(fr_body_create(r.world, &def, NULL));
    CHECK_HAS(fr_context_message(r.ctx), "fr_body_def_default");
    REFUSED(fr_mesh_from_surface(r.ctx, &none, 0.1, &made, NULL));
    FrWorld *world = NULL;
    REFUSED(fr_world_create(r.ctx, &(FrWorldDef){.step = 1e-3}, &world));
    FrDriveDef drive = fr_drive_def_default();
    drive.body = r.body, drive.node_count = 3, drive.track.count = 2;
    REFUSED(fr_drive_create(r.world, &drive, NULL));
    CHECK_HAS(fr_context_message(r.ctx), "nodes");
    int32_t node = 0;
    drive.node = &node, drive.node_count = 1;
    REFUSED(fr_drive_create(r.world, &drive, NULL));
    CHECK_HAS(fr_context_message(r.ctx), "keys");
    FrLoadDef load = fr_load_def_default();
    load.body = r.body, load.curve.count = 2;
    REFUSED(fr_load_create(r.world, &load, NULL));
    // ids are not wanted
    CHECK_OK(r.ctx, fr_body_create(r.world, &r.def, NULL));
    FrGrabDef grab = fr_grab_def_default();
    grab.body = r.body;
    CHECK_OK(r.ctx, fr_grab_create(r.world, &grab, NULL));
    free_room(&r);
}

TEST(stale_and_null_ids_are_refused) {
    Room r;
    make_room(&r);
    FrVec3 o = fr_vec3_zero;
    FrBodyId id[] = {r.stale, {0}, {-7}, {INT32_MAX}};
    FrBodyMotion motion;
    void *user;
    bool asleep;
    for (int k = 0; k < 4; k++) {
        CHECK(!fr_body_alive(r.world, id[k]));
        CHECK(fr_world_view_of(r.world, id[k]) < 0);
        REFUSED(fr_body_destroy(r.world, id[k]));
        REFUSED(fr_body_motion(r.world, id[k], &motion));
        REFUSED(fr_body_set_place(r.world, id[k], o, fr_quat_identity));
        REFUSED(fr_body_set_velocity(r.world, id[k], o, o));
        REFUSED(fr_body_add_force(r.world, id[k], o, o));
        REFUSED(fr_body_add_torque(r.world, id[k], o));
        REFUSED(fr_body_add_impulse(r.world, id[k], o, o));
        REFUSED(fr_body_set_user(r.world, id[k], NULL));
        REFUSED(fr_body_get_user(r.world, id[k], &user));
        REFUSED(fr_body_wake(r.world, id[k]));
        REFUSED(fr_body_sleep(r.world, id[k]));
        REFUSED(fr_body_asleep(r.world, id[k], &asleep));
        REFUSED(fr_body_set_material(r.world, id[k], 0, &r.material));
        REFUSED(fr_body_exchange(r.world, id[k], &r.def, 1, &(FrBodyId){0}));
        REFUSED(fr_world_ignore(r.world, r.body, id[k]));
        FrGrabDef grab = fr_grab_def_default();
        grab.body = id[k];
        REFUSED(fr_grab_create(r.world, &grab, NULL));
        REFUSED(fr_grab_move(r.world, (FrGrabId){id[k].index1}, o));
        REFUSED(fr_drive_destroy(r.world, (FrDriveId){id[k].index1}));
        REFUSED(fr_load_destroy(r.world, (FrLoadId){id[k].index1}));
        REFUSED(fr_joint_destroy(r.world, (FrJointId){id[k].index1}));
    }
    free_room(&r);
}

// nothing was made: no body more, and the message has these words
static void refuse_body(Room *r, const FrBodyDef *def, const char *words) {
    FrBodyId id = {77};
    int32_t before = fr_world_view(r->world)->body_count;
    REFUSED(fr_body_create(r->world, def, &id));
    CHECK_HAS(fr_context_message(r->ctx), words);
    CHECK_INT(id.index1, 0);
    CHECK_INT(fr_world_view(r->world)->body_count, before);
}

TEST(surfaces_and_skins_must_fit_their_mesh) {
    Room r;
    make_room(&r);
    FrBodyDef def = r.def;
    FrPoint at[] = {{0, {1, 0, 0, 0}}, {1, {0, 1, 0, 0}}, {2, {0, 0, 1, 0}}};
    int32_t tri[][3] = {{0, 1, 2}}, outer[][3] = {{0, 1, 2}}, behind[] = {0};
    FrEmbedded skin = {.point_count = 3, .tri_count = 1, .at = at, .tri = tri};
    FrSurface surface = {.tri_count = 1, .tri = outer, .tet = behind};
    char range[32];
    snprintf(range, sizeof range, "tet 99999; 0 to %d", r.mesh.tet_count - 1);
    def.embedded = &skin;
    at[1].tet = 99999;
    refuse_body(&r, &def, "point 1 of the skin");
    CHECK_HAS(fr_context_message(r.ctx), range);
    at[1].tet = -4;
    refuse_body(&r, &def, "tet -4");
    at[1].tet = 1, at[2].b[3] = (double)NAN;
    refuse_body(&r, &def, "point 2 of the skin");
    at[2].b[3] = 0.0, tri[0][2] = 3;
    refuse_body(&r, &def, "point 3; 0 to 2");
    tri[0][2] = 2, skin.at = NULL;
    refuse_body(&r, &def, "places of the skin's points");
    skin.at = at, skin.tri = NULL;
    refuse_body(&r, &def, "skin's triangles");
    skin.tri = tri, skin.point_count = -3;
    refuse_body(&r, &def, "-3 points");
    skin.point_count = 3, skin.closing_count = 2;
    refuse_body(&r, &def, "2 of them closing");
    skin.closing_count = 0;
    CHECK_OK(r.ctx, fr_body_create(r.world, &def, NULL));
    def.embedded = NULL, def.surface = &surface;
    outer[0][1] = 12345;
    refuse_body(&r, &def, "node 12345; 0 to 7");
    outer[0][1] = 1, behind[0] = 777;
    refuse_body(&r, &def, "tet 777");
    behind[0] = 0, surface.tet = NULL;
    refuse_body(&r, &def, "tets behind");
    surface.tet = behind, surface.tri_count = -1;
    refuse_body(&r, &def, "-1 triangles");
    surface.tri_count = 1;
    CHECK_OK(r.ctx, fr_body_create(r.world, &def, NULL));
    free_room(&r);
}

// before the first step, and after it, when what a checkpoint needs is written down first
TEST(counts_of_bodies_without_their_lists_are_refused) {
    Room r;
    make_room(&r);
    for (int late = 0; late < 2; late++) {
        if (late) CHECK_OK(r.ctx, fr_world_step(r.world));
        FrBodyDef def = r.def;
        def.crack.cut_count = 3;
        refuse_body(&r, &def, "crack.cut");
        def.crack.cut_count = -3;
        refuse_body(&r, &def, "cut_count is -3");
        def = r.def, def.model = FR_MODEL_SHATTER, def.crack.seed_count = 2;
        refuse_body(&r, &def, "crack.seed");
        def.crack.seed_count = -2;
        refuse_body(&r, &def, "seed_count -2");
        def = r.def, def.model = FR_MODEL_MODAL, def.held_count = 2;
        refuse_body(&r, &def, "held");
        def.held_count = -2;
        refuse_body(&r, &def, "-2 held nodes");
        def = r.def, def.model = FR_MODEL_FRAME, def.kinematic = true, def.track.count = 2;
        refuse_body(&r, &def, "keys");
        def.track.count = -2;
        refuse_body(&r, &def, "-2 keys");
        def = r.def, def.model = FR_MODEL_AUTO, def.material = NULL;
        refuse_body(&r, &def, "material");
    }
    free_room(&r);
}

TEST(exchanges_for_nothing_are_refused) {
    Room r;
    make_room(&r);
    uint64_t before = fr_world_hash(r.world);
    FrBodyId child = {0};
    REFUSED(fr_body_exchange(r.world, r.body, &r.def, -1, &child));
    CHECK_HAS(fr_context_message(r.ctx), "-1 others; at least 1");
    REFUSED(fr_body_exchange(r.world, r.body, &r.def, 0, &child));
    CHECK(fr_body_alive(r.world, r.body) && fr_world_hash(r.world) == before);
    CHECK_OK(r.ctx, fr_body_exchange(r.world, r.body, &r.def, 1, &child));
    CHECK(!fr_body_alive(r.world, r.body) && fr_body_alive(r.world, child));
    REFUSED(fr_world_ignore(r.world, child, child));
    CHECK_HAS(fr_context_message(r.ctx), "itself");
    free_room(&r);
}

// how many there are is told without room for them
TEST(queries_without_an_array_count) {
    Room r;
    make_room(&r);
    int32_t count = -1;
    FrBox all = {fr_vec3(-1, -1, -1), fr_vec3(1, 1, 1)};
    CHECK_OK(r.ctx, fr_world_overlap_box(r.world, all, NULL, 2, &count));
    CHECK_INT(count, 1);
    count = -1;
    CHECK_OK(r.ctx, fr_world_overlap_sphere(r.world, fr_vec3_zero, 1.0, NULL, 2, &count));
    CHECK_INT(count, 1);
    FrGrabDef grab = fr_grab_def_default();
    grab.body = r.body;
    CHECK_OK(r.ctx, fr_grab_create(r.world, &grab, NULL));
    fr_world_ties(r.world, NULL, 2, &count);
    CHECK_INT(count, 1);
    fr_world_touch_points(r.world, NULL, 2, &count);
    CHECK_INT(count, 0);
    free_room(&r);
}

static void refuse_load(Room *r, const FrLoadDef *def, const char *words) {
    FrLoadId id = {77};
    REFUSED(fr_load_create(r->world, def, &id));
    CHECK_HAS(fr_context_message(r->ctx), words);
    CHECK_INT(id.index1, 0);
}

static void refuse_drive(Room *r, const FrDriveDef *def, const char *words) {
    FrDriveId id = {77};
    REFUSED(fr_drive_create(r->world, def, &id));
    CHECK_HAS(fr_context_message(r->ctx), words);
    CHECK_INT(id.index1, 0);
}

TEST(loads_and_drives_that_mean_nothing_are_refused) {
    Room r;
    make_room(&r);
    uint64_t before = fr_world_hash(r.world);
    int32_t node[] = {0, 1, 2};
    FrLoadDef load = fr_load_def_default();
    load.body = r.body;
    load.kind = (FrLoadKind)5;
    refuse_load(&r, &load, "kind 5; 0 to 3");
    load.kind = (FrLoadKind)-1;
    refuse_load(&r, &load, "kind -1");
    load.kind = FR_LOAD_FORCE, load.node = node, load.node_count = -2;
    refuse_load(&r, &load, "-2 nodes");
    load = fr_load_def_default(), load.body = r.body, load.kind = FR_LOAD_PRESSURE;
    load.tri = &node, load.tri_count = -5;
    refuse_load(&r, &load, "-5 triangles");
    load.tri_count = 1, load.curve.count = -6;
    refuse_load(&r, &load, "-6 keys");
    FrDriveDef drive = fr_drive_def_default();
    drive.body = r.body;
    refuse_drive(&r, &drive, "0 nodes; at least 1");
    drive.node = node, drive.node_count = -1;
    refuse_drive(&r, &drive, "-1 nodes; at least 1");
    drive.node_count = 3, drive.until = (double)NAN;
    refuse_drive(&r, &drive, "let go at");
    drive.until = -0.5;
    refuse_drive(&r, &drive, "let go at -0.5 s");
    drive.until = (double)INFINITY, drive.track.count = -4;
    refuse_drive(&r, &drive, "-4 keys");
    CHECK(fr_world_hash(r.world) == before);
    drive.track.count = 0;
    CHECK_OK(r.ctx, fr_drive_create(r.world, &drive, NULL));
    load.curve.count = 0;
    CHECK_OK(r.ctx, fr_load_create(r.world, &load, NULL));
    CHECK_OK(r.ctx, fr_world_step(r.world));
    free_room(&r);
}

static int heard;
static void hear(void *user, const char *file, int line, const char *condition,
                 const char *advice) {
    (void)user, (void)file, (void)line, (void)condition, (void)advice;
    heard++;
}

TEST(a_handler_that_comes_back_gets_a_result) {
    FrContextDef def = fr_context_def_default();
    def.assert_failed = hear;
    FrContext *ctx = fr_context_create(&def);
    FrWorld *world = NULL;
    REFUSED(fr_world_create(ctx, &(FrWorldDef){.step = 1e-3}, &world));
    CHECK_INT(heard, 1);
    CHECK_HAS(fr_context_message(ctx), "fr_world_def_default");
    fr_context_destroy(ctx);
}
