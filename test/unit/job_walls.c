// job_walls.c: a tile of library glass that bends, else as by default, struck by a ball: it breaks,
// and nodes that move onto cracks make no energy worth naming.

#include "run_kit.h"

TEST(moves_of_a_struck_tile_make_no_energy) {
    FrContext *ctx = make_context(1);
    FrText report;
    run_scene(
        ctx, "walls",
        "scene { duration = 0.4*ms, fps = 10000 }\n"
        "body { material = 'glass', model = 'fem', cells = 2*cm, shape = box { 16*cm, 16*cm, 6*mm "
        "} }\n"
        "sphere { 3*cm, material = 'steel', at = {1*cm, 0, 34*mm}, velocity = {0, 0, -10} }\n",
        &report);
    double cracks = report_number(&report, "\"cracks\":");
    double peak = report_number(&report, "\"peak\":");
    double made = report_number(&report, "\"fracture\":");
    printf("  %g cracks, energy lost to them %.3g of %.3g J\n", cracks, made, peak);
    CHECK(cracks > 50);
    CHECK(made > -1e-3 * peak);
    fr_text_free(ctx, &report);
    fr_context_destroy(ctx);
}
