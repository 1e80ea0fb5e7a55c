// job_walls.c: a tile of library glass, all as by default, struck by a ball: it breaks, and nodes
// that move onto cracks make no energy worth naming.

#include "test.h"
#include "context.h"
#include "fracas/studio.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number(const FrText *report, const char *name) {
    const char *at = report->data ? strstr(report->data, name) : NULL;
    CHECK(at != NULL);
    return at ? strtod(at + strlen(name), NULL) : (double)NAN;
}

TEST(moves_of_a_struck_tile_make_no_energy) {
    FILE *file = fopen("walls.lua", "wb");
    CHECK(file != NULL);
    if (!file) return;
    fputs("scene { duration = 0.4*ms, fps = 10000 }\n"
          "body { material = 'glass', cells = 2*cm, shape = box { 16*cm, 16*cm, 6*mm } }\n"
          "sphere { 3*cm, material = 'steel', at = {1*cm, 0, 34*mm}, velocity = {0, 0, -10} }\n",
          file);
    fclose(file);
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = 1;
    FrContext *ctx = fr_context_create(&def);
    FrRunOptions options = {.scene = "walls.lua",
                            .out = "walls",
                            .detail = FR_DETAIL_NORMAL,
                            .restart = true,
                            .no_film = true,
                            .no_sound = true};
    FrText report;
    CHECK_OK(ctx, fr_job_run(ctx, &options, true, &report));
    double cracks = number(&report, "\"cracks\":"), peak = number(&report, "\"peak\":");
    double made = number(&report, "\"fracture\":");
    printf("  %g cracks, energy lost to them %.3g of %.3g J\n", cracks, made, peak);
    CHECK(cracks > 50);
    CHECK(made > -1e-3 * peak);
    fr_text_free(ctx, &report);
    fr_context_destroy(ctx);
}
