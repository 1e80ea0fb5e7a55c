// orders_kit.h: what becomes of a scene of the papers, in the mean of a few starts.
#pragma once
#include "run_kit.h"
#include <unistd.h>

#define STARTS 5

/// Params that change a start a little: heights of a fall, speeds of a ball.
static const char *const drops[STARTS] = {"fall=0.94", "fall=0.97", "fall=1", "fall=1.03",
                                          "fall=1.06"};
static const char *const blows[STARTS] = {"speed=5.8", "speed=5.9", "speed=6", "speed=6.1",
                                          "speed=6.2"};
static const char *const shots[STARTS] = {"speed=15.4", "speed=15.7", "speed=16", "speed=16.3",
                                          "speed=16.6"};

typedef struct Outcome {
    double pieces, cracks;
    double growth; ///< nodes at the end over those at the start
} Outcome;

static inline Outcome outcome_of(const char *scene, const char *until, const char *which,
                                 const char *start) {
    FrContext *ctx = make_context(1);
    char path[512], folder[64];
    snprintf(path, sizeof path, FRACAS_SOURCE_DIR "/scenes/papers/%s.lua", scene);
    snprintf(folder, sizeof folder, "orders-%s-%d", scene, (int)getpid());
    const char *set[2] = {which, start};
    FrRunDef run = fr_run_def_default();
    run.scene = path;
    run.out = folder;
    run.set = set;
    run.set_count = 2;
    run.until = strtod(until, NULL);
    run.detail = FR_DETAIL_DRAFT;
    run.restart = run.no_film = run.no_sound = true;
    FrText report = {0};
    CHECK_OK(ctx, fr_job_run(ctx, &run, true, &report));
    double nodes = report_number(&report, "\"nodes_start\":");
    Outcome o = {report_number(&report, "\"pieces\":"), report_number(&report, "\"cracks\":"),
                 report_number(&report, "\"nodes_end\":") / nodes};
    fr_text_free(ctx, &report);
    fr_context_destroy(ctx);
    return o;
}

static inline Outcome mean_of(const char *scene, const char *until, const char *which,
                              const char *const start[STARTS]) {
    Outcome mean = {0.0, 0.0, 0.0};
    for (int k = 0; k < STARTS; k++) {
        Outcome o = outcome_of(scene, until, which, start[k]);
        mean.pieces += o.pieces / STARTS;
        mean.cracks += o.cracks / STARTS;
        mean.growth += o.growth / STARTS;
    }
    return mean;
}
