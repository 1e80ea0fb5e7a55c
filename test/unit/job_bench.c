// job_bench.c: the benchmark of whole steps times bodies that do touch; how fast is not a test's
// business.

#include "test.h"
#include "bench/bench_births.h"
#include "bench/bench_papers.h"
#include "bench/bench_world.h"
#include "context.h"

TEST(resting_boxes_touch_while_they_are_timed) {
    FrContext *ctx = make_context(1);
    FrWorldBench bench;
    CHECK_OK(ctx, fr_world_bench(ctx, 3, 0.01, &bench));
    CHECK_INT(bench.tets, 2 * 6 * 27);
    CHECK(bench.substeps > 0 && bench.seconds_per_tet > 0);
    // the lower box has 3 x 3 cells on the ground and as many under the other one
    CHECK(bench.contacts >= 18);
    fr_context_destroy(ctx);
}

TEST(births_are_timed) {
    FrContext *ctx = make_context(1);
    double seconds = 0.0;
    CHECK_OK(ctx, fr_births_bench(ctx, &seconds));
    CHECK(seconds > 0.0);
    printf("  a birth takes %.3f ms\n", 1e3 * seconds);
    fr_context_destroy(ctx);
}

TEST(each_allocation_may_be_refused) {
    Refuser refuser = {0};
    FrContext *ctx = make_refusing_context(&refuser);
    int before = refuser.live;
    FrResult result = FR_NO_MEMORY;
    for (int k = 1; k < 2000 && result != FR_OK; k++) {
        FrWorldBench bench;
        refuser.calls = 0, refuser.refuse_at = k;
        result = fr_world_bench(ctx, 1, 1e-6, &bench);
        if (result != FR_OK) CHECK_INT(result, FR_NO_MEMORY);
        CHECK_INT(refuser.live, before);
    }
    CHECK_OK(ctx, result);
    fr_context_destroy(ctx);
}

// one row for each figure of the papers, and one for a scene that they do not have
TEST(scenes_next_to_the_papers) {
    FrContext *ctx = make_context(1);
    FrPaperBench bench;
    const char *wall = FRACAS_SOURCE_DIR "/scenes/papers/wall.lua";
    const char *coarse = "cell=50cm";
    CHECK_OK(ctx, fr_paper_bench(ctx, wall, &coarse, 1, 0.02, &bench));
    CHECK_NEAR(bench.simulated, 0.02, 1.0 / 240.0); // whole macro steps
    CHECK(bench.seconds > 0.0 && bench.steps > 0);
    CHECK(bench.force > 0.0 && bench.contact > 0.0 && bench.fracture > 0.0);
    CHECK(bench.force + bench.contact + bench.fracture < 1.0);
    CHECK(bench.quiet_fracture > 0.0 && bench.quiet_fracture < 1.0);
    CHECK(bench.cracks > 0 && bench.tets_end > bench.tets_start);
    FrText text;
    const char *scenes[] = {wall, FRACAS_SOURCE_DIR "/scenes/papers/block.lua"};
    FrBenchDef job = fr_bench_def_default();
    job.scene = scenes;
    job.scene_count = 2;
    job.until = 1e-3;
    CHECK_OK(ctx, fr_job_bench(ctx, &job, false, &text));
    CHECK_HAS(text.data, "wall 1");
    CHECK_HAS(text.data, "wall 2");
    CHECK_HAS(text.data, "block.lua");
    fr_text_free(ctx, &text);
    job.scene_count = 1;
    CHECK_OK(ctx, fr_job_bench(ctx, &job, true, &text));
    CHECK_HAS(text.data, "\"paper_minutes_per_second\": 399");
    fr_text_free(ctx, &text);
    job.set = &coarse;
    job.set_count = 1;
    CHECK_OK(ctx, fr_job_bench(ctx, &job, true, &text));
    CHECK_HAS(text.data, "\"scene\": \"wall.lua\"");
    CHECK_HAS(text.data, "\"paper_minutes_per_second\": 0");
    fr_text_free(ctx, &text);
    CHECK(bench.remesh > 0.0 && bench.remesh < bench.fracture);
    job.film = "filmed";
    CHECK(fr_job_bench(ctx, &job, false, &text) == FR_BAD_USE); // of the papers' only
    job.film = NULL;
    job.papers = "no-such-folder";
    CHECK(fr_job_bench(ctx, &job, false, &text) == FR_BAD_USE); // these or those
    job.scene_count = 0;
    CHECK(fr_job_bench(ctx, &job, false, &text) != FR_OK);
    CHECK_HAS(fr_context_message(ctx), "no-such-folder/wall.lua");
    fr_context_destroy(ctx);
}
