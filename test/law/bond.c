// bond.c: where two parts of a body meet it breaks at its bond: a bar that is pulled tears at the
// joint, at that share of its strength.

#include "run_kit.h"
#include "fracas/event.h"
#include "record/recording.h"

// a bar of two equal halves, pulled apart; its middle is not weak by itself
static const char bar[] =
    "scene { duration = 40*ms, fps = 500, gravity = {0, 0, 0} }\n"
    "material { name = 'matter', density = 1000, young = 2*MPa, poisson = 0, strength = 40*kPa, "
    "alpha1 = 2e-3 }\n"
    "local bar = body { name = 'bar', material = 'matter', model = 'fem', mesher = 'structured', "
    "cells = 5*cm,\n"
    "  shape = box { 60*cm, 10*cm, 10*cm }, crack = { upright = false },\n"
    "  parts = { { where = above { x = 10*cm }, material = 'matter', bond = %s } } }\n"
    "fix { bar, where = below { x = -29*cm } }\n"
    "drive { bar, where = above { x = 29*cm }, velocity = {0.4, 0, 0} }\n";

typedef struct Torn {
    int32_t cracks, off; ///< off: farther from the joint than a cell
    double first;        ///< s
} Torn;

static Torn tear(const char *bond) {
    FrContext *ctx = make_context(1);
    char scene[1024], name[32], path[64];
    snprintf(scene, sizeof scene, bar, bond);
    snprintf(name, sizeof name, "bond-%s", bond);
    snprintf(path, sizeof path, "%s/run.fracas", name);
    FrText report;
    run_scene(ctx, name, scene, &report);
    fr_text_free(ctx, &report);
    FrRecording *recording = NULL;
    FrEventLog log;
    Torn torn = {0, 0, -1.0};
    fr_event_log_init(&log, ctx);
    CHECK_OK(ctx, fr_recording_open(ctx, path, &recording));
    CHECK_OK(ctx, fr_recording_events(recording, &log));
    for (int32_t k = 0; k < log.count; k++) {
        if (log.data[k].kind != FR_EVENT_CRACK) continue;
        if (torn.first < 0.0) torn.first = log.data[k].t;
        torn.cracks++;
        torn.off += fabs(log.data[k].u.crack.x.x - 0.1) >
                    0.08; // the joint, and how far it was pulled by then
    }
    fr_event_log_free(&log);
    fr_recording_close(recording);
    fr_context_destroy(ctx);
    return torn;
}

TEST(a_bar_tears_at_its_joint) {
    Torn weak = tear("0.4"), whole = tear("1");
    CHECK(weak.cracks > 0);
    CHECK_INT(weak.off, 0);
    // 0.4 of the strength after 0.4 of the time, but for the wave that goes along it
    CHECK(whole.cracks > 0);
    CHECK(weak.first < 0.6 * whole.first);
    CHECK(whole.off > 0);
}
