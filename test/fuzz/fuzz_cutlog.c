// fuzz_cutlog.c: any bytes as the log of cuts of a small box: read, done again, pieces, surface.

#include "context.h"
#include "cutlog_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FrContext *ctx = make_context(1);
    if (ctx) (void)cutlog_read(ctx, data, size);
    fr_context_destroy(ctx);
    return 0;
}
