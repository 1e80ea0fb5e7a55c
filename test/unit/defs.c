// defs.c: a def that does not come from its default function is a caller's bug, and is told which
// function to start from.

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

/// what a call is told: "" when it is no bug
#define ADVICE(told, call) (setjmp((told).back) ? (told).advice : ((void)(call), ""))

TEST(a_zeroed_def_of_a_world_is_told) {
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
