// run_kit.h: runs a scene that is written here, and reads numbers from its report.
#pragma once
#include "test.h"
#include "context.h"
#include "fracas/studio.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Run `scene` as `name`.lua into the folder `name`, without film and sound.
static inline void run_scene(FrContext *ctx, const char *name, const char *scene, FrText *report) {
    char path[64];
    snprintf(path, sizeof path, "%s.lua", name);
    *report = (FrText){0};
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    if (!file) return;
    fputs(scene, file);
    fclose(file);
    FrRunDef options = fr_run_def_default();
    options.scene = path;
    options.out = name;
    options.detail = FR_DETAIL_NORMAL;
    options.restart = true;
    options.no_film = true;
    options.no_sound = true;
    CHECK_OK(ctx, fr_job_run(ctx, &options, true, report));
}

/// The number behind the first `name` of a report.
static inline double report_number(const FrText *report, const char *name) {
    const char *at = report->data ? strstr(report->data, name) : NULL;
    CHECK(at != NULL);
    return at ? strtod(at + strlen(name), NULL) : (double)NAN;
}
