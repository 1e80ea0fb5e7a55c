// bank_build.c: building a soundbank: samples side by side, kept as they come.

#include "backend/backend.h"
#include "base/clock.h"
#include "base/each.h"
#include "score/bank_file.h"
#include "score/bank_store.h"
#include <string.h>
#include <unistd.h>

typedef struct Builder {
    FrContext *ctx;
    const FrBankBuild *def;
    FrBankBuilt *built;
    FrBankShape *shape;
    FrSoundbank *empty;
    FrWriter head;
    FrStore *store;
    int32_t *wanted; ///< samples that are not there yet (count)
    int32_t count, first;
    FrWriter *bytes; ///< of those that are made side by side
    double *seconds;
} Builder;

static FrResult make_head(Builder *b) {
    FR_TRY(fr_bank_shapes(b->ctx, &b->def->plan, &b->shape, &b->built->samples));
    FR_TRY(fr_bank_empty(b->ctx, &b->def->plan, b->built->samples, &b->empty));
    fr_bank_write_head(&b->head, b->empty, b->def->plan.level);
    return fr_writer_result(&b->head);
}

static FrResult fill_new(void *arg, FrStore *store) {
    Builder *b = arg;
    return FR_STORE_PUT(store, "INSERT INTO head VALUES(?)",
                        fr_cell_blob(b->head.data, b->head.size));
}

static FrResult check_head(Builder *b) {
    FrWriter found;
    fr_writer_init(&found, b->ctx);
    FrResult result = fr_bank_store_head(b->store, &found);
    bool same = found.size == b->head.size && !memcmp(found.data, b->head.data, found.size);
    fr_writer_free(&found);
    if (result != FR_OK || same) return result;
    return fr_fail(b->ctx, FR_BAD_INPUT,
                   "%s is a bank of another material or other limits; --restart throws it away, or "
                   "take another -o",
                   b->def->path);
}

static FrResult open_store(Builder *b) {
    if (b->def->restart || access(b->def->path, F_OK))
        FR_TRY(fr_store_replace(b->ctx, b->def->path, &fr_bank_kind, false, fill_new, b));
    FR_TRY(fr_store_open(b->ctx, b->def->path, &fr_bank_kind, FR_STORE_WRITE, &b->store));
    return check_head(b);
}

static FrResult is_there(Builder *b, int32_t number, bool *there) {
    FrQuery q;
    FrCell cell = fr_cell_int(number);
    FR_TRY(fr_query_begin(b->store, "entry", "SELECT 1 FROM entry WHERE number = ?", &cell, 1, &q));
    FrResult result = fr_query_next(&q, there);
    fr_query_end(&q);
    return result;
}

static FrResult list_wanted(Builder *b) {
    b->wanted = FR_NEW(b->ctx, int32_t, b->built->samples);
    if (!b->wanted) return fr_no_memory(b->ctx, "samples");
    for (int32_t k = b->def->part - 1; k < b->built->samples; k += b->def->parts) {
        bool there = false;
        FR_TRY(is_there(b, k, &there));
        b->built->mine++;
        b->built->found += there;
        if (!there) b->wanted[b->count++] = k;
    }
    return FR_OK;
}

static FrResult make_one(void *arg, FrContext *own, int32_t k) {
    Builder *b = arg;
    FrBankEntry entry;
    double start = fr_thread_seconds();
    FR_TRY(fr_bank_entry_make(own, &b->def->plan, &b->shape[b->wanted[b->first + k]], &entry));
    fr_writer_init(&b->bytes[k], own);
    fr_bank_write_entry(&b->bytes[k], &entry, b->empty->sphere.octant_count);
    fr_bank_entry_free(own, &entry);
    b->seconds[k] = fr_thread_seconds() - start;
    FrResult result = fr_writer_result(&b->bytes[k]);
    b->bytes[k].ctx = b->ctx; // the same memory
    return result;
}

static FrResult keep(Builder *b, int32_t count) {
    FR_TRY(fr_store_begin(b->store));
    for (int32_t k = 0; k < count; k++)
        FR_TRY(FR_STORE_PUT(b->store, "INSERT INTO entry VALUES(?, ?)",
                            fr_cell_int(b->wanted[b->first + k]),
                            fr_cell_blob(b->bytes[k].data, b->bytes[k].size)));
    return fr_store_commit(b->store);
}

// so many at one time as there are workers: what is killed loses no more than these
static FrResult make_batch(Builder *b, int32_t count) {
    for (int32_t k = 0; k < count; k++) fr_writer_init(&b->bytes[k], b->ctx);
    FrEach each = {.count = count, .fn = make_one, .arg = b};
    FrResult result = fr_each(b->ctx, &each);
    if (result == FR_OK) result = keep(b, count);
    for (int32_t k = 0; k < count; k++) {
        fr_writer_free(&b->bytes[k]);
        b->built->seconds += b->seconds[k];
    }
    return result;
}

static FrResult make_all(Builder *b) {
    int32_t workers = fr_context_workers(b->ctx);
    b->bytes = FR_NEW(b->ctx, FrWriter, workers);
    b->seconds = FR_NEW(b->ctx, double, workers);
    if (!b->bytes || !b->seconds) return fr_no_memory(b->ctx, "a soundbank");
    for (b->first = 0; b->first < b->count; b->first += workers) {
        fr_progress(b->ctx, "bank", b->first, b->count);
        FR_TRY(make_batch(b, fr_min_i(workers, b->count - b->first)));
        if (fr_context_cancelled(b->ctx))
            return fr_fail(b->ctx, FR_INTERRUPTED,
                           "interrupted; the same command goes on where it was");
    }
    fr_progress(b->ctx, "bank", b->count, b->count);
    return FR_OK;
}

static FrResult build(Builder *b) {
    FR_TRY(make_head(b));
    FR_TRY(open_store(b));
    FR_TRY(list_wanted(b));
    FR_TRY(make_all(b));
    fr_store_close(b->store);
    b->store = NULL;
    // once more by rising number, so that how it was made does not show
    return fr_bank_merge(b->ctx, &b->def->path, 1, b->def->path);
}

FrResult fr_bank_build(FrContext *ctx, const FrBankBuild *def, FrBankBuilt *built) {
    FrBankBuild own = *def;
    Builder b = {.ctx = ctx, .def = &own, .built = built};
    *built = (FrBankBuilt){0};
    fr_backend_fill(ctx);
    FR_TRY(fr_bank_plan(ctx, &own.plan));
    fr_writer_init(&b.head, ctx);
    FrResult result = build(&b);
    fr_store_close(b.store);
    fr_writer_free(&b.head);
    fr_soundbank_destroy(b.empty);
    FR_FREE_ALL(ctx, b.shape, b.wanted, b.bytes, b.seconds);
    return result;
}
