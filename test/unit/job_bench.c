// job_bench.c: the benchmark of whole steps times bodies that do touch; how fast is not a test's
// business.

#include "test.h"
#include "context.h"
#include "job/bench_world.h"

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
