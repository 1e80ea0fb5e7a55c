// studio_misuse.c: callers' bugs in the studio's calls without a handler of assertions: NULL where
// something must be, defs not from their default functions, lists that are not there. FR_BAD_USE or
// nothing, with a message where there is a context; never a crash.

#include "test.h"
#include "context.h"
#include "fracas/draw.h"
#include "fracas/hear.h"
#include "fracas/live.h"
#include "fracas/studio.h"
#include "math/vec.h"
#include <string.h>

#define REFUSED(call) CHECK_INT((call), FR_BAD_USE)

// NULL for each of a job's pointers, a def that was never set, and its default, which names no file
#define JOB_IS_CAREFUL(ctx, Def, call, make)                                                       \
    do {                                                                                           \
        FrText text = {NULL, 0};                                                                   \
        Def none, def = make();                                                                    \
        memset(&none, 0, sizeof none);                                                             \
        REFUSED(call(NULL, &def, false, &text));                                                   \
        REFUSED(call(ctx, NULL, false, &text));                                                    \
        REFUSED(call(ctx, &def, false, NULL));                                                     \
        REFUSED(call(ctx, &none, false, &text));                                                   \
        CHECK_HAS(fr_context_message(ctx), #make);                                                 \
        REFUSED(call(ctx, &def, false, &text));                                                    \
        CHECK(strlen(fr_context_message(ctx)) > 10 && !text.data);                                 \
    } while (0)

TEST(jobs_need_what_they_work_on) {
    FrContext *ctx = make_context(1);
    JOB_IS_CAREFUL(ctx, FrRunDef, fr_job_run, fr_run_def_default);
    JOB_IS_CAREFUL(ctx, FrRunDef, fr_job_check, fr_run_def_default);
    JOB_IS_CAREFUL(ctx, FrSweepDef, fr_job_sweep, fr_sweep_def_default);
    JOB_IS_CAREFUL(ctx, FrMeshDef, fr_job_mesh, fr_mesh_def_default);
    JOB_IS_CAREFUL(ctx, FrModesDef, fr_job_modes, fr_modes_def_default);
    JOB_IS_CAREFUL(ctx, FrRenderDef, fr_job_render, fr_render_def_default);
    JOB_IS_CAREFUL(ctx, FrExportDef, fr_job_export, fr_export_def_default);
    JOB_IS_CAREFUL(ctx, FrBreakDef, fr_job_break, fr_break_def_default);
    JOB_IS_CAREFUL(ctx, FrStrikeDef, fr_job_strike, fr_strike_def_default);
    JOB_IS_CAREFUL(ctx, FrListenDef, fr_job_listen, fr_listen_def_default);
    JOB_IS_CAREFUL(ctx, FrRadiateJobDef, fr_job_radiate, fr_radiate_job_def_default);
    JOB_IS_CAREFUL(ctx, FrBakeDef, fr_job_bake, fr_bake_def_default);
    JOB_IS_CAREFUL(ctx, FrSoundDef, fr_job_sound, fr_sound_def_default);
    fr_context_destroy(ctx);
}

TEST(jobs_without_a_def_need_their_pointers) {
    FrContext *ctx = make_context(1);
    FrBenchDef bench = fr_bench_def_default();
    FrRunDef run = fr_run_def_default();
    FrMaterial material;
    FrText text;
    REFUSED(fr_job_bench(NULL, &bench, false, &text));
    REFUSED(fr_job_bench(ctx, NULL, false, &text));
    REFUSED(fr_job_bench(ctx, &bench, false, NULL));
    bench.scene_count = 1;
    REFUSED(fr_job_bench(ctx, &bench, false, &text));
    REFUSED(fr_job_scene(NULL, &run, &text));
    REFUSED(fr_job_scene(ctx, NULL, &text));
    REFUSED(fr_job_scene(ctx, &run, NULL));
    REFUSED(fr_job_scene(ctx, &run, &text));
    REFUSED(fr_job_info(NULL, "a", false, &text));
    REFUSED(fr_job_info(ctx, NULL, false, &text));
    REFUSED(fr_job_info(ctx, "a", false, NULL));
    REFUSED(fr_job_events(NULL, "a", FR_EVENTS_CSV, &text));
    REFUSED(fr_job_events(ctx, NULL, FR_EVENTS_CSV, &text));
    REFUSED(fr_job_events(ctx, "a", FR_EVENTS_CSV, NULL));
    FrSoundbankDef bank = fr_soundbank_def_default();
    REFUSED(fr_job_soundbank(NULL, &bank, false, &text));
    REFUSED(fr_job_soundbank(ctx, NULL, false, &text));
    REFUSED(fr_job_soundbank(ctx, &bank, false, NULL));
    bank.file_count = 1;
    REFUSED(fr_job_soundbank(ctx, &bank, false, &text));
    REFUSED(fr_job_materials(NULL, NULL, false, &text));
    REFUSED(fr_job_materials(ctx, NULL, false, NULL));
    REFUSED(fr_job_language(NULL, FR_LANGUAGE_LUA, &text));
    REFUSED(fr_job_language(ctx, FR_LANGUAGE_LUA, NULL));
    REFUSED(fr_material_parse(NULL, "glass", &material));
    REFUSED(fr_material_parse(ctx, NULL, &material));
    REFUSED(fr_material_parse(ctx, "glass", NULL));
    fr_text_free(NULL, NULL), fr_text_free(ctx, NULL), fr_duration_text(3.0, NULL);
    fr_context_destroy(ctx);
}

// so many words are said, and there are none, or one of them is not there
TEST(lists_of_words_are_there) {
    FrContext *ctx = make_context(1);
    const char *const hole[2] = {"a=1", NULL}, *const * list[2] = {NULL, hole};
    for (int k = 0; k < 2; k++) {
        FrText text;
        FrRunDef run = fr_run_def_default();
        run.scene = "no.lua";
        run.set = list[k];
        run.set_count = 2;
        REFUSED(fr_job_run(ctx, &run, false, &text));
        CHECK_HAS(fr_context_message(ctx), "words");
        REFUSED(fr_job_check(ctx, &run, false, &text));
        REFUSED(fr_job_scene(ctx, &run, &text));
        FrSweepDef sweep = fr_sweep_def_default();
        sweep.run.scene = "no.lua";
        sweep.vary_count = 1;
        REFUSED(fr_job_sweep(ctx, &sweep, false, &text));
        FrVaryDef vary = fr_vary_def_default();
        vary.param = "a";
        vary.value = list[k];
        vary.value_count = 2;
        sweep.vary = &vary;
        REFUSED(fr_job_sweep(ctx, &sweep, false, &text));
        FrModesDef modes = fr_modes_def_default();
        modes.input = "no.lua";
        modes.set = list[k];
        modes.set_count = -1;
        REFUSED(fr_job_modes(ctx, &modes, false, &text));
        FrStrikeDef strike = fr_strike_def_default();
        strike.input.file = "no.obj";
        strike.material = list[k];
        strike.material_count = 2;
        REFUSED(fr_job_strike(ctx, &strike, false, &text));
        FrLiveDef live = fr_live_def_default();
        FrLive *scene;
        live.scene = "no.lua";
        live.set = list[k];
        live.set_count = 2;
        REFUSED(fr_live_open(ctx, &live, &scene));
    }
    fr_context_destroy(ctx);
}

TEST(a_live_scene_that_is_not_there) {
    FrContext *ctx = make_context(1);
    FrLiveDef def = fr_live_def_default(), none;
    FrLive *live;
    FrInput input = {0};
    FrViewpoint from;
    FrSnapshot *snapshot;
    FrMaterial material;
    FrPlayback *playback;
    FrKitchen *kitchen;
    const FrFrameView *view;
    int64_t count;
    double value;
    memset(&none, 0, sizeof none);
    REFUSED(fr_live_open(NULL, &def, &live));
    REFUSED(fr_live_open(ctx, NULL, &live));
    REFUSED(fr_live_open(ctx, &def, NULL));
    REFUSED(fr_live_open(ctx, &none, &live));
    REFUSED(fr_live_open(ctx, &def, &live)); // no scene
    REFUSED(fr_live_input(NULL, &input));
    REFUSED(fr_live_advance(NULL, 1.0, 1, NULL));
    REFUSED(fr_live_rewind(NULL, 0));
    REFUSED(fr_live_save_inputs(NULL, "a"));
    REFUSED(fr_live_replay(NULL, "a", &live, NULL, NULL));
    REFUSED(fr_live_replay(ctx, NULL, &live, NULL, NULL));
    REFUSED(fr_live_replay(ctx, "a", NULL, NULL, NULL));
    REFUSED(fr_live_record(NULL, "a", "b"));
    REFUSED(fr_live_record(ctx, NULL, "b"));
    REFUSED(fr_live_record(ctx, "a", NULL));
    REFUSED(fr_live_viewpoint(NULL, 1.0, &from));
    REFUSED(fr_live_snapshot(NULL, NULL, false));
    REFUSED(fr_snapshot_create(NULL, &snapshot));
    REFUSED(fr_snapshot_create(ctx, NULL));
    REFUSED(fr_kitchen_create(NULL, &kitchen));
    REFUSED(fr_kitchen_create(ctx, NULL));
    REFUSED(fr_live_use_kitchen(NULL, NULL));
    CHECK(!fr_kitchen_cook(NULL, ctx) && !fr_live_raw(NULL));
    fr_kitchen_destroy(NULL);
    REFUSED(fr_playback_open(NULL, "a", &playback));
    REFUSED(fr_playback_open(ctx, NULL, &playback));
    REFUSED(fr_playback_open(ctx, "a", NULL));
    REFUSED(fr_playback_frame(NULL, 0, &view));
    REFUSED(fr_playback_viewpoint(NULL, 1.0, &from));
    CHECK(!fr_live_events(NULL, &count) && count == 0 && !fr_live_events(NULL, NULL));
    CHECK(!fr_live_tick(NULL) && fr_live_step(NULL) == 0.0 && !fr_live_hash(NULL));
    CHECK(!fr_live_param_count(NULL) && !fr_live_waiting(NULL) && !fr_snapshot_moment(NULL));
    CHECK_TEXT(fr_live_param(NULL, 0).name, "");
    CHECK(!fr_live_constant_of(&material, NULL, &value) && !fr_live_shape(-1));
    CHECK(!fr_live_constant_of(NULL, "friction", &value) && !fr_view_ray(NULL, NULL, NULL));
    CHECK(fr_length(fr_view_point(NULL, 0, NULL)) == 0.0);
    CHECK(!fr_playback_frames(NULL) && fr_playback_time(NULL, 0) == 0.0);
    fr_live_param_choice(NULL, 0, 0, NULL), fr_live_drop_waiting(NULL), fr_live_close(NULL);
    fr_snapshot_destroy(NULL), fr_playback_close(NULL);
    fr_context_destroy(ctx);
}

TEST(ears_and_pictures_that_are_not_there) {
    FrContext *ctx = make_context(1);
    FrHearDef hear_def = fr_hear_def_default();
    FrDrawDef draw_def = fr_draw_def_default();
    FrDrawLook look = fr_draw_look_default();
    FrFrameView view = {0};
    FrHear *hear;
    FrDraw *draw;
    float out[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    uint8_t rgba[4];
    REFUSED(fr_hear_create(NULL, &hear_def, &hear));
    REFUSED(fr_hear_create(ctx, NULL, &hear));
    REFUSED(fr_hear_create(ctx, &hear_def, NULL));
    hear_def.cookie = 0;
    REFUSED(fr_hear_create(ctx, &hear_def, &hear));
    fr_hear_tell(NULL, NULL, NULL, 1), fr_hear_listener(NULL, fr_vec3_zero, fr_vec3(1, 0, 0), 0.0);
    CHECK(!fr_hear_strike(NULL, NULL, NULL, FR_MALLET_WOOD, 1.0) && !fr_hear_cook(NULL, ctx));
    fr_hear_count(NULL, NULL, NULL, NULL), fr_hear_destroy(NULL);
    CHECK(!fr_hear_modes(NULL, (FrBodyId){0}, NULL, 3));
    CHECK(!fr_hear_shape(NULL, (FrBodyId){0}, 0, NULL, NULL));
    CHECK(!fr_hear_want(NULL, NULL, (FrBodyId){0}));
    fr_hear_pull(NULL, out, 4), fr_hear_pull(NULL, NULL, 4);
    for (int k = 0; k < 8; k++) CHECK(out[k] == 0.0f); // silence
    REFUSED(fr_draw_create(NULL, &draw_def, &draw));
    REFUSED(fr_draw_create(ctx, NULL, &draw));
    REFUSED(fr_draw_create(ctx, &draw_def, NULL));
    draw_def.cookie = 0;
    REFUSED(fr_draw_create(ctx, &draw_def, &draw));
    REFUSED(fr_draw_resize(NULL, 8, 8));
    REFUSED(fr_draw_set_quality(NULL, true, 4));
    REFUSED(fr_draw_view(NULL, &view, &look));
    REFUSED(fr_draw_marks(NULL, NULL, 0, NULL, 0));
    REFUSED(fr_draw_read(NULL, rgba));
    REFUSED(fr_draw_save(NULL, "a.png"));
    CHECK(fr_draw_cost(NULL).calls == 0 && fr_draw_ray(NULL, 8, 8, 1, 1).length == 0.0);
    CHECK(fr_length(fr_draw_place(NULL, 8, 8, fr_vec3_zero)) == 0.0);
    fr_draw_colour(0.5, NULL), fr_draw_destroy(NULL);
    fr_context_destroy(ctx);
}
