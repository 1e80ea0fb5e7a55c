// defs.c: a def that does not come from its default function is a caller's bug, and the message
// says which function to start from.

#include "test.h"
#include "fracas/studio.h"
#include "fracas/body.h"
#include <setjmp.h>

typedef struct Told {
    jmp_buf back;
    char advice[200];
} Told;

static void leave(void *user, const char *file, int line, const char *condition,
                  const char *advice) {
    Told *told = user;
    (void)file, (void)line, (void)condition;
    snprintf(told->advice, sizeof told->advice, "%s", advice);
    longjmp(told->back, 1);
}

/// the advice that a call gets: "" when it is no bug
#define ADVICE(told, call) (setjmp((told).back) ? (told).advice : ((void)(call), ""))

TEST(a_zeroed_def_of_a_world_is_reported) {
    static Told told;
    FrContextDef def = fr_context_def_default();
    def.assert_failed = leave;
    def.user = &told;
    FrContext *ctx = fr_context_create(&def);
    FrWorldDef empty = fr_world_def_default();
    FrWorld *world = NULL, *none;
    FrBodyId body;
    FrGrabId grab;
    CHECK_OK(ctx, fr_world_create(ctx, &empty, &world));
    CHECK_TEXT(ADVICE(told, fr_world_create(ctx, &(FrWorldDef){.step = 1.0}, &none)),
               "start from fr_world_def_default()");
    CHECK_TEXT(ADVICE(told, fr_body_create(world, &(FrBodyDef){.name = "a"}, &body)),
               "start from fr_body_def_default()");
    CHECK_TEXT(ADVICE(told, fr_drive_create(world, &(FrDriveDef){.until = 1.0}, NULL)),
               "start from fr_drive_def_default()");
    CHECK_TEXT(ADVICE(told, fr_load_create(world, &(FrLoadDef){.pressure = 1.0}, NULL)),
               "start from fr_load_def_default()");
    CHECK_TEXT(ADVICE(told, fr_joint_create(world, &(FrJointDef){.length = 1.0}, NULL)),
               "start from fr_joint_def_default()");
    CHECK_TEXT(ADVICE(told, fr_grab_create(world, &(FrGrabDef){.damping = 1.0}, &grab)),
               "start from fr_grab_def_default()");
    // what comes from the default is no bug, though it asks for nothing that is there
    FrLoadDef load = fr_load_def_default();
    CHECK_TEXT(ADVICE(told, fr_load_create(world, &load, NULL)), "");
    fr_world_destroy(world);
    fr_context_destroy(ctx);
}

TEST(a_zeroed_def_of_a_job_is_reported) {
    static Told told;
    FrContextDef def = fr_context_def_default();
    def.assert_failed = leave;
    def.user = &told;
    FrContext *ctx = fr_context_create(&def);
    FrText text;
    FrSweepDef sweep = fr_sweep_def_default();
    sweep.run = (FrRunDef){.scene = "a.lua"};
    FrSweepDef vary = fr_sweep_def_default();
    vary.run.scene = "a.lua";
    vary.vary = &(FrVaryDef){.param = "fall"};
    vary.vary_count = 1;
    CHECK_TEXT(ADVICE(told, fr_job_run(ctx, &(FrRunDef){.scene = "a.lua"}, false, &text)),
               "start from fr_run_def_default()");
    CHECK_TEXT(ADVICE(told, fr_job_check(ctx, &(FrRunDef){.scene = "a.lua"}, false, &text)),
               "start from fr_run_def_default()");
    CHECK_TEXT(ADVICE(told, fr_job_scene(ctx, &(FrRunDef){.scene = "a.lua"}, &text)),
               "start from fr_run_def_default()");
    CHECK_TEXT(ADVICE(told, fr_job_sweep(ctx, &sweep, false, &text)),
               "start from fr_sweep_def_default()");
    CHECK_TEXT(ADVICE(told, fr_job_sweep(ctx, &vary, false, &text)),
               "start from fr_vary_def_default()");
    CHECK_TEXT(ADVICE(told, fr_job_mesh(ctx, &(FrMeshDef){.input = "a.obj"}, false, &text)),
               "start from fr_mesh_def_default()");
    CHECK_TEXT(ADVICE(told, fr_job_modes(ctx, &(FrModesDef){.input = "a.obj"}, false, &text)),
               "start from fr_modes_def_default()");
    CHECK_TEXT(ADVICE(told, fr_job_render(ctx, &(FrRenderDef){.width = 9}, false, &text)),
               "start from fr_render_def_default()");
    CHECK_TEXT(ADVICE(told, fr_job_export(ctx, &(FrExportDef){.fps = 9}, false, &text)),
               "start from fr_export_def_default()");
    CHECK_TEXT(ADVICE(told, fr_job_strike(ctx, &(FrStrikeDef){.speed = 9}, false, &text)),
               "start from fr_strike_def_default()");
    CHECK_TEXT(ADVICE(told, fr_job_bake(ctx, &(FrBakeDef){.modes = 9}, false, &text)),
               "start from fr_bake_def_default()");
    CHECK_TEXT(ADVICE(told, fr_job_sound(ctx, &(FrSoundDef){.gain = 9}, false, &text)),
               "start from fr_sound_def_default()");
    CHECK_TEXT(ADVICE(told, fr_job_bench(ctx, &(FrBenchDef){.until = 9}, false, &text)),
               "start from fr_bench_def_default()");
    fr_context_destroy(ctx);
}

// a 0 that is no value is refused, and does not stand for something else
TEST(no_value_stands_for_another) {
    FrContextDef def = fr_context_def_default();
    FrContext *ctx = fr_context_create(&def);
    FrText text;
    FrRunDef run = fr_run_def_default();
    run.scene = "a.lua";
    run.until = 0.0;
    CHECK_INT(fr_job_run(ctx, &run, false, &text), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "cannot run until 0 s");
    run = fr_run_def_default();
    run.fps = 0.0;
    CHECK_INT(fr_job_run(ctx, &run, false, &text), FR_BAD_USE);
    FrMeshDef mesh = fr_mesh_def_default();
    mesh.input = "a.obj";
    mesh.unit = 0.0;
    CHECK_INT(fr_job_mesh(ctx, &mesh, false, &text), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "a unit of 0 m; above 0");
    mesh = fr_mesh_def_default();
    mesh.input = "a.obj";
    mesh.size = 0.0;
    CHECK_INT(fr_job_mesh(ctx, &mesh, false, &text), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "a size of 0 m; above 0, or FR_CHOSEN");
    FrModesDef modes = fr_modes_def_default();
    modes.input = "a.obj";
    modes.material = "oak";
    modes.count = 0;
    CHECK_INT(fr_job_modes(ctx, &modes, false, &text), FR_BAD_USE);
    modes = fr_modes_def_default();
    modes.input = "a.obj";
    modes.material = "oak";
    modes.max_hz = 0.0;
    CHECK_INT(fr_job_modes(ctx, &modes, false, &text), FR_BAD_USE);
    FrBenchDef bench = fr_bench_def_default();
    bench.until = 0.0;
    CHECK_INT(fr_job_bench(ctx, &bench, false, &text), FR_BAD_USE);
    FrExportDef export = fr_export_def_default();
    export.output = "a.usda";
    export.recording = "a.fracas";
    export.fps = 0.0;
    CHECK_INT(fr_job_export(ctx, &export, false, &text), FR_BAD_USE);
    fr_context_destroy(ctx);
}
