// job_ledger.c: where nothing moves the energy ledger is off by rounding alone, which is no fault
// of the run; where things move, however little, what it misses is reported.

#include "run_kit.h"

static char logged[4096];

static void keep_log(void *user, FrLogLevel level, const char *text) {
    (void)user;
    size_t used = strlen(logged);
    if (level == FR_LOG_WARNING)
        snprintf(logged + used, sizeof logged - used, "warning: %s\n", text);
}

typedef struct Ledger {
    double peak, closure;
} Ledger;

static Ledger ledger_of(const char *name, const char *scene) {
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = 1;
    def.log = keep_log;
    logged[0] = 0;
    FrContext *ctx = fr_context_create(&def);
    FrText report;
    run_scene(ctx, name, scene, &report);
    Ledger found = {report_number(&report, "\"peak\":"), report_number(&report, "\"closure\":")};
    fr_text_free(ctx, &report);
    fr_context_destroy(ctx);
    return found;
}

// far from the origin places are rounded more, and what bends holds energy for it
#define STILL                                                                                      \
    "scene { duration = 1*ms, fps = 1000, gravity = {0, 0, 0} }\n"                                 \
    "body { material = 'glass', model = 'fem', cells = 2*cm, shape = box { 10*cm, 10*cm, 3*cm "    \
    "},\n"                                                                                         \
    "  at = {%g, 3, 1}, turn = {20, 30, 40}, velocity = {0, 0, 0} }\n"

TEST(what_lies_still_has_a_ledger_that_closes) {
    for (double far = 0.1; far < 1000; far *= 10) {
        char scene[400];
        snprintf(scene, sizeof scene, STILL, far);
        Ledger found = ledger_of("ledger-still", scene);
        CHECK(found.peak > 0.0 && found.peak < 1e-12);
        CHECK(found.closure == 0.0);
        CHECK_TEXT(logged, "");
    }
}

// the same glass pressed by 5 Pa: far above rounding
TEST(small_motions_are_still_judged) {
    Ledger found =
        ledger_of("ledger-small", "scene { duration = 0.2*ms, fps = 10000, gravity = {0, 0, 0} }\n"
                                  "local b = body { material = 'glass', model = 'fem', cells = "
                                  "2*cm, shape = box { 10*cm, 10*cm, 3*cm } }\n"
                                  "pressure { b, where = above { z = 14*mm }, value = 5 }\n");
    printf("  peak %.2g J, closes to %.2g\n", found.peak, found.closure);
    CHECK(found.peak > 0.0 && found.peak < 1e-9);
    CHECK(found.closure > 0.0 && found.closure < 1e-3);
}

// Stiff bodies of two sizes that land on a corner: contact takes energy, and gives none, though a
// corner is soft, and swings much slower than a node.
TEST(blows_on_corners_make_no_energy) {
    for (int k = 0; k < 2; k++) {
        FrContext *ctx = make_context(1);
        FrText report;
        char scene[500];
        double size = k ? 1.0 : 0.1; // m
        snprintf(
            scene, sizeof scene,
            "local a = %g\n"
            "scene { duration = 0.3 * a, fps = 100 / a }\n"
            "ground { material = 'concrete' }\n"
            "body { material = 'glass', model = 'fem', cells = 0.34 * a, shape = box { a, a, a },\n"
            "  at = {0, 0, 0.88 * a}, turn = {35, 35, 0}, velocity = {0, 0, -2},\n"
            "  crack = { off = true } }\n",
            size);
        run_scene(ctx, "ledger-corner", scene, &report);
        double start = report_number(&report, "\"start\":");
        double peak = report_number(&report, "\"peak\":");
        double contact = report_number(&report, "\"contact\":");
        printf("  %g m: %.4g J at first, %.4g J at most, %.3g J lost to contact\n", size, start,
               peak, contact);
        CHECK(contact > 0.0);
        CHECK(peak < 1.2 * start); // it falls on while it lands
        fr_text_free(ctx, &report);
        fr_context_destroy(ctx);
    }
}
