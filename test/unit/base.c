// base.c: messages, memory, hash, random numbers, tasks and files keep their promises.

#include "test.h"
#include "context.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/tasks.h"
#include <errno.h>
#include <setjmp.h>
#include <unistd.h>

TEST(messages_nest) {
    FrContext *ctx = make_context(1);
    CHECK_INT(fr_fail(ctx, FR_BAD_INPUT, "found %d", 7), FR_BAD_INPUT);
    fr_fail_within(ctx, FR_BAD_INPUT, "bodies[%d]: ", 3);
    CHECK_TEXT(fr_context_message(ctx), "bodies[3]: found 7");
    fr_context_destroy(ctx);
}

// values published with the algorithm (xxHash repository, XXH64 of the empty string and of "a")
TEST(hash_known_values) {
    CHECK(fr_hash_of("", 0, 0) == 0xEF46DB3751D8E999u);
    CHECK(fr_hash_of("a", 1, 0) == 0xD24EC4F1A98C6E5Bu);
}

TEST(hash_does_not_depend_on_pieces) {
    uint8_t bytes[1000];
    FrRandom random = fr_random_for(1, "hash-test", 0);
    for (int k = 0; k < 1000; k++) bytes[k] = (uint8_t)fr_random_u32(&random);
    uint64_t whole = fr_hash_of(bytes, sizeof bytes, 5);
    for (size_t step = 1; step < 70; step++) {
        FrHash hash;
        fr_hash_begin(&hash, 5);
        for (size_t at = 0; at < sizeof bytes; at += step)
            fr_hash_bytes(&hash, bytes + at, step < sizeof bytes - at ? step : sizeof bytes - at);
        CHECK(fr_hash_end(&hash) == whole);
    }
}

TEST(random_streams_repeat_and_differ) {
    FrRandom a = fr_random_for(7, "mesh", 0), b = fr_random_for(7, "mesh", 0);
    FrRandom c = fr_random_for(7, "noise", 0);
    int same = 0;
    for (int k = 0; k < 100; k++) {
        uint32_t x = fr_random_u32(&a);
        CHECK(x == fr_random_u32(&b));
        same += x == fr_random_u32(&c);
    }
    CHECK(same < 3);
}

TEST(random_moments) {
    FrRandom r = fr_random_for(3, "moments", 0);
    int n = 200000;
    double mean = 0, square = 0, normal = 0, normal2 = 0;
    for (int k = 0; k < n; k++) {
        double u = fr_random_unit(&r), g = fr_random_normal(&r);
        mean += u / n, square += u * u / n, normal += g / n, normal2 += g * g / n;
    }
    // statistics: four standard errors each
    CHECK_NEAR(mean, 0.5, 4 * sqrt(1.0 / 12 / n));
    CHECK_NEAR(square, 1.0 / 3, 4 * sqrt(4.0 / 45 / n));
    CHECK_NEAR(normal, 0.0, 4 / sqrt(n));
    CHECK_NEAR(normal2, 1.0, 4 * sqrt(2.0 / n));
    int count[7] = {0};
    for (int k = 0; k < 70000; k++) count[fr_random_below(&r, 7)]++;
    for (int k = 0; k < 7; k++) CHECK_NEAR(count[k], 10000, 400);
}

typedef struct SumRun {
    double partial[200];
    int32_t visits[10000];
} SumRun;

static void sum_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)worker;
    SumRun *run = arg;
    double sum = 0;
    for (int32_t k = begin; k < end; k++) {
        sum += 1.0 / (1.0 + k);
        run->visits[k]++;
    }
    run->partial[chunk] = sum;
}

TEST(parallel_sums_have_the_same_bits) {
    double first = 0;
    int32_t workers[] = {1, 2, 3, 8};
    for (int w = 0; w < 4; w++) {
        FrContext *ctx = make_context(workers[w]);
        for (int round = 0; round < 200; round++) {
            static SumRun run;
            memset(&run, 0, sizeof run);
            fr_parallel_for(ctx, 10000, 64, sum_range, &run);
            double sum = 0;
            for (int c = 0; c < fr_chunk_count(10000, 64); c++) sum += run.partial[c];
            int32_t wrong = 0;
            for (int k = 0; k < 10000; k++) wrong += run.visits[k] != 1;
            CHECK_INT(wrong, 0);
            if (w == 0 && round == 0) first = sum;
            CHECK(sum == first);
        }
        fr_context_destroy(ctx);
    }
}

enum { OUTER = 37, INNER = 500, INNER_GRAIN = 16, CHUNKS = (INNER - 1) / INNER_GRAIN + 1 };

typedef struct Nested {
    FrContext *ctx;
    int32_t workers;
    double sum[OUTER];  ///< of each outer item, from the inner chunks in order
    int32_t bad[OUTER]; ///< inner chunks out of order, or with another worker's number
} Nested;

typedef struct NestedRow {
    Nested *all;
    int32_t item, worker; ///< the outer item and who works on it
    int32_t next;         ///< the inner chunk that is due
} NestedRow;

static void inner_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    NestedRow *row = arg;
    row->all->bad[row->item] += chunk != row->next++ || worker != row->worker;
    for (int32_t k = begin; k < end; k++) row->all->sum[row->item] += 1.0 / (1.0 + k + row->item);
}

static void outer_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Nested *all = arg;
    (void)chunk;
    for (int32_t item = begin; item < end; item++) {
        NestedRow row = {all, item, worker, 0};
        all->bad[item] += worker < 0 || worker >= all->workers;
        fr_parallel_for(all->ctx, INNER, INNER_GRAIN, inner_range, &row);
        all->bad[item] += row.next != CHUNKS;
    }
}

TEST(parallel_within_parallel_runs_in_place) {
    static Nested first;
    int32_t workers[] = {1, 2, 4};
    for (int w = 0; w < 3; w++)
        for (int round = 0; round < 20; round++) {
            FrContext *ctx = make_context(workers[w]);
            static Nested run;
            run = (Nested){.ctx = ctx, .workers = workers[w]};
            fr_parallel_for(ctx, OUTER, 1, outer_range, &run);
            if (w == 0 && round == 0) first = run;
            CHECK(!memcmp(run.sum, first.sum, sizeof run.sum));
            for (int k = 0; k < OUTER; k++) CHECK_INT(run.bad[k], 0);
            fr_context_destroy(ctx);
        }
}

typedef struct Through {
    FrContext *a, *b;
    int32_t worker, again; ///< of the outer task of `a`, and of the task of `a` inside of `b`
} Through;

static void third_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Through *t = arg;
    (void)begin, (void)end, (void)chunk;
    t->again = worker;
}
static void second_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Through *t = arg;
    (void)end, (void)chunk, (void)worker;
    if (begin == 0) fr_parallel_for(t->a, 1, 1, third_range, t);
}
static void first_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    Through *t = (Through *)arg + begin;
    (void)end, (void)chunk;
    t->worker = worker;
    fr_parallel_for(t->b, 1, 1, second_range, t);
}

// from a task of one context through another context and back into the first
TEST(parallel_through_another_context) {
    Through t[8];
    FrContext *a = make_context(4), *b = make_context(1);
    for (int k = 0; k < 8; k++) t[k] = (Through){a, b, -1, -2};
    fr_parallel_for(a, 8, 1, first_range, t);
    for (int k = 0; k < 8; k++) CHECK_INT(t[k].again, t[k].worker);
    fr_context_destroy(a);
    fr_context_destroy(b);
}

typedef struct Told {
    jmp_buf back;
    char advice[100];
    int count;
} Told;

static void leave(void *user, const char *file, int line, const char *condition,
                  const char *advice) {
    Told *told = user;
    told->count += line > 0 && strstr(file, "tasks.c") && strstr(condition, "grain");
    snprintf(told->advice, sizeof told->advice, "%s", advice);
    longjmp(told->back, 1);
}

// each context tells its own host
TEST(assertions_go_to_their_context) {
    static Told told[2];
    for (int k = 0; k < 2; k++) {
        FrContextDef def = fr_context_def_default();
        def.tasks.workers = 1;
        def.assert_failed = leave;
        def.user = &told[k];
        FrContext *ctx = fr_context_create(&def);
        if (!setjmp(told[k].back)) fr_parallel_for(ctx, 1, 0, sum_range, NULL);
        CHECK_INT(told[k].count, 1);
        CHECK_TEXT(told[k].advice, "a chunk has at least one item");
        fr_context_destroy(ctx);
    }
}

TEST(arrays_arenas_and_refusals) {
    for (int refuse = 1; refuse < 12; refuse++) {
        Refuser refuser = {.refuse_at = refuse};
        FrContext *ctx = make_refusing_context(&refuser);
        if (!ctx) {
            CHECK_INT(refuser.live, 0);
            continue;
        }
        FR_ARRAY(int) numbers = {0};
        bool full = false;
        for (int k = 0; k < 100 && !full; k++) full = !fr_array_push(ctx, &numbers, k);
        for (int k = 0; k < numbers.count; k++) CHECK_INT(numbers.data[k], k);
        fr_array_free(ctx, &numbers);
        FrArena arena;
        fr_arena_init(&arena, ctx);
        for (int k = 0; k < 20; k++) {
            uint8_t *p = fr_arena_alloc(&arena, 1000 * (size_t)(k + 1), 1);
            if (p) CHECK_INT((uintptr_t)p % 32, 0);
            if (p) memset(p, 1, 1000 * (size_t)(k + 1));
        }
        fr_arena_reset(&arena);
        uint8_t *p = fr_arena_alloc(&arena, 500, 1);
        if (p) CHECK_INT(p[499], 0);
        fr_arena_free(&arena);
        fr_context_destroy(ctx);
        CHECK_INT(refuser.live, 0);
    }
}

TEST(bytes_round_trip_and_end) {
    FrContext *ctx = make_context(1);
    FrWriter w;
    fr_writer_init(&w, ctx);
    fr_write_i32(&w, -5);
    fr_write_f64(&w, -0.1);
    fr_write_u64(&w, UINT64_MAX);
    CHECK_OK(ctx, fr_writer_result(&w));
    FrReader r;
    fr_reader_init(&r, w.data, w.size);
    CHECK_INT(fr_read_i32(&r), -5);
    CHECK(fr_read_f64(&r) == -0.1);
    CHECK(fr_read_u64(&r) == UINT64_MAX);
    CHECK(!r.failed && fr_reader_left(&r) == 0);
    CHECK_INT(fr_read_u8(&r), 0);
    CHECK(r.failed);
    for (size_t cut = 0; cut < w.size; cut++) {
        fr_reader_init(&r, w.data, cut);
        fr_read_i32(&r), fr_read_f64(&r), fr_read_u64(&r);
        CHECK(r.failed);
    }
    fr_writer_free(&w);
    fr_context_destroy(ctx);
}

typedef struct FailAt {
    int calls, at;
} FailAt;

static long failing_write(void *user, int fd, const void *bytes, size_t size) {
    FailAt *f = user;
    if (++f->calls == f->at) return errno = ENOSPC, -1;
    return write(fd, bytes, size > 100 ? 100 : size); // short writes too
}
static int failing_sync(void *user, int fd) {
    FailAt *f = user;
    if (++f->calls == f->at) return errno = EIO, -1;
    return fsync(fd);
}
static int failing_rename(void *user, const char *from, const char *to) {
    FailAt *f = user;
    if (++f->calls == f->at) return errno = EIO, -1;
    return rename(from, to);
}

TEST(a_file_is_old_or_new) {
    char path[] = "base-file-test.txt";
    char new_text[1000];
    memset(new_text, 'n', sizeof new_text);
    int failed = 0, saved = 0;
    for (int at = 1; at < 20; at++) {
        FailAt fail = {0, at};
        FrContextDef def = fr_context_def_default();
        def.tasks.workers = 1;
        FrContext *plain = fr_context_create(&def);
        CHECK_OK(plain, fr_file_save(plain, path, "old", 3));
        def.files = (FrFileCalls){failing_write, failing_sync, failing_rename, &fail};
        FrContext *ctx = fr_context_create(&def);
        FrResult result = fr_file_save(ctx, path, new_text, sizeof new_text);
        uint8_t *bytes;
        size_t size;
        CHECK_OK(plain, fr_file_load(plain, path, 4096, &bytes, &size));
        if (result == FR_OK) {
            saved++;
            CHECK(size == sizeof new_text && !memcmp(bytes, new_text, size));
        } else {
            failed++;
            CHECK_INT(result, FR_IO);
            CHECK(size == 3 && !memcmp(bytes, "old", 3));
        }
        fr_free(plain, bytes);
        fr_context_destroy(ctx);
        fr_context_destroy(plain);
    }
    CHECK(failed >= 10 && saved >= 1);
    unlink(path);
}

TEST(loading_says_what_is_wrong) {
    FrContext *ctx = make_context(1);
    uint8_t *bytes;
    size_t size;
    CHECK_INT(fr_file_load(ctx, "no-such-file", 10, &bytes, &size), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "no-such-file");
    CHECK_INT(fr_file_load(ctx, ".", 10, &bytes, &size), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "folder");
    CHECK_OK(ctx, fr_file_save(ctx, "base-size-test", "12345678901", 11));
    CHECK_INT(fr_file_load(ctx, "base-size-test", 10, &bytes, &size), FR_BAD_INPUT);
    unlink("base-size-test");
    fr_context_destroy(ctx);
}
