// test.h: tests that say what went wrong. TEST(name) { CHECK(...); } and nothing else is needed.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct TestCase {
    const char *name;
    void (*run)(void);
    struct TestCase *next;
} TestCase;

static TestCase *test_first, **test_last = &test_first;
static int test_failures, test_checks;

#define TEST(test_name)                                                                            \
    static void test_run_##test_name(void);                                                        \
    static TestCase test_case_##test_name = {#test_name, test_run_##test_name, NULL};              \
    __attribute__((constructor)) static void test_add_##test_name(void) {                          \
        *test_last = &test_case_##test_name;                                                       \
        test_last = &test_case_##test_name.next;                                                   \
    }                                                                                              \
    static void test_run_##test_name(void)

#define TEST_FAIL(...)                                                                             \
    (test_failures++, printf("%s:%d: ", __FILE__, __LINE__), printf(__VA_ARGS__), printf("\n"))

#define CHECK(condition)                                                                           \
    (test_checks++, (condition) ? (void)0 : (void)TEST_FAIL("not true: %s", #condition))

// Every tolerance has its reason in reach: behind the check, or above it as "// reason: ...", which
// holds to the end of that block. The reasons, by the words tools/lint_tolerances.py knows:
//   exact       no operation rounds (TOL_EXACT)
//   rounding    of doubles, or of float32 where it says so
//   mesh        cells, chords and facets in place of what is smooth
//   step        of time, of a difference quotient or of a scan
//   solver      iterations end there
//   statistics  of random draws
//   digits      as many as a paper or a table prints
//   model       the closed form leaves something out, or the method does
//   raster      pixels of a picture, samples of a sound
//   promise     a bound that users are given; what is found is well below
#define TOL_EXACT 0.0
#define TOL_LEDGER 1e-3    // promise, of the largest energy: steps along curves leave (w dt)^2
#define TOL_MOMENTUM 1e-12 // rounding, of sum m |v|: sums over nodes and steps, of either sign

#define CHECK_NEAR(found, wanted, tolerance)                                                       \
    do {                                                                                           \
        double found_ = (found), wanted_ = (wanted), tolerance_ = (tolerance);                     \
        test_checks++;                                                                             \
        if (!(fabs(found_ - wanted_) <= tolerance_))                                               \
            TEST_FAIL("%s is %.17g, wanted %.17g +- %g (off by %g)", #found, found_, wanted_,      \
                      tolerance_, found_ - wanted_);                                               \
    } while (0)

/// found within a relative tolerance of wanted
#define CHECK_CLOSE(found, wanted, relative)                                                       \
    do {                                                                                           \
        double close_ = (wanted);                                                                  \
        CHECK_NEAR(found, close_, (relative)*fabs(close_));                                        \
    } while (0)

#define CHECK_INT(found, wanted)                                                                   \
    do {                                                                                           \
        long long found_ = (long long)(found), wanted_ = (long long)(wanted);                      \
        test_checks++;                                                                             \
        if (found_ != wanted_) TEST_FAIL("%s is %lld, wanted %lld", #found, found_, wanted_);      \
    } while (0)

#define CHECK_TEXT(found, wanted)                                                                  \
    do {                                                                                           \
        const char *found_ = (found), *wanted_ = (wanted);                                         \
        test_checks++;                                                                             \
        if (strcmp(found_, wanted_))                                                               \
            TEST_FAIL("%s is \"%s\", wanted \"%s\"", #found, found_, wanted_);                     \
    } while (0)

#define CHECK_HAS(text, part)                                                                      \
    do {                                                                                           \
        const char *text_ = (text), *part_ = (part);                                               \
        test_checks++;                                                                             \
        if (!strstr(text_, part_)) TEST_FAIL("\"%s\" does not say \"%s\"", text_, part_);          \
    } while (0)

/// FR_OK, or the message
#define CHECK_OK(ctx, call)                                                                        \
    do {                                                                                           \
        int result_ = (int)(call);                                                                 \
        test_checks++;                                                                             \
        if (result_ != 0) TEST_FAIL("%s: %d, %s", #call, result_, fr_context_message(ctx));        \
    } while (0)

int main(int argc, char **argv) {
    int ran = 0;
    for (TestCase *c = test_first; c; c = c->next) {
        if (argc > 1 && !strstr(c->name, argv[1])) continue;
        int before = test_failures;
        c->run();
        ran++;
        if (test_failures != before) printf("FAILED %s\n", c->name);
        fflush(stdout);
    }
    printf("%d tests, %d checks, %d failures\n", ran, test_checks, test_failures);
    return test_failures || !ran ? EXIT_FAILURE : EXIT_SUCCESS;
}
