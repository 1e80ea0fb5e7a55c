// refusals.c: each allocation of thirteen operations is refused once (ours and Lua's): no memory is
// a message, nothing leaks, files are the old ones or the new ones.

#include "test.h"
#include "operations.h"
#include <time.h>

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// one trial; false when the operation has fewer allocations than that
static bool refuse(const Operation *op, long k) {
    Refuser refuser = {.refuse_at = (int)k};
    FrContext *ctx = new_context(&refuser, NULL);
    FrResult result = FR_NO_MEMORY;
    if (ctx) {
        int before = refuser.live;
        result = op->call(ctx);
        if (refuser.live != before)
            TEST_FAIL("%s, allocation %ld: %d are lost", op->name, k, refuser.live - before);
        if (result != FR_OK && result != FR_NO_MEMORY)
            TEST_FAIL("%s, allocation %ld: %d, %s", op->name, k, (int)result,
                      fr_context_message(ctx));
        if (result == FR_NO_MEMORY) CHECK_HAS(fr_context_message(ctx), "memory");
    }
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
    check_output(op, result, k);
    return refuser.calls >= k;
}

// every one; of pictures, which take long, and of runs that go on, which begin as runs do, one in
// three (FRACAS_EVERY: all). Under sanitizers the first hundred, then ever rarer: as many trials
// again for every doubling
static long next_trial(const Operation *op, long k) {
    if (getenv("FRACAS_EVERY")) return k + 1;
    long share = op->share < 16 ? 1 : 3;
    if (!getenv("FRACAS_SANITIZED")) return k + share;
    return k + (k < 100 ? 1 : k / 50) * (op->share < 8 ? 1 : 3);
}

TEST(each_allocation_may_be_refused) {
    CHECK(set_up());
    for (int o = 0; o < OPERATION_COUNT; o++) {
        const Operation *op = &operations[o];
        if (!op->call) continue;
        double start = seconds();
        long trials = 0;
        set_stage(op);
        for (long k = 1; refuse(op, k); k = next_trial(op, k)) trials++;
        CHECK(trials > 8);
        printf("  %-12s %5ld refusals, %.1f s\n", op->name, trials, seconds() - start);
        fflush(stdout);
    }
    tear_down();
}
