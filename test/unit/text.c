// text.c: words, lines, columns and numbers come out right, whatever the bytes.

#include "test.h"
#include "context.h"
#include "base/random.h"
#include "base/text.h"

static FrText make_text(FrContext *ctx, const char *bytes) {
    FrText text;
    fr_text_init(&text, ctx, "file", bytes, strlen(bytes));
    text.comment = '#';
    return text;
}

TEST(words_lines_columns) {
    FrContext *ctx = make_context(1);
    FrText text = make_text(ctx, "one  two\r\n\t# only words\n three#x\rlast");
    FrWord word = fr_text_word(&text);
    CHECK(fr_word_is(word, "one") && word.line == 1 && word.column == 1);
    word = fr_text_word(&text);
    CHECK(fr_word_is(word, "two") && word.column == 6);
    CHECK_INT(fr_text_word(&text).length, 0);
    word = fr_text_next_word(&text);
    CHECK(fr_word_is(word, "three") && word.line == 3 && word.column == 2);
    CHECK(fr_text_line_done(&text));
    word = fr_text_next_word(&text);
    CHECK(fr_word_is(word, "last") && word.line == 4 && word.column == 1);
    CHECK(fr_text_done(&text));
    CHECK(!fr_text_next_line(&text));
    fr_context_destroy(ctx);
}

TEST(numbers_are_rounded_correctly) {
    // halfway and long cases: values known from the decimal expansion, compared by bits
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"0", 0.0},
                 {"-1.5", -1.5},
                 {"+.25", 0.25},
                 {"7.", 7.0},
                 {"1e-3", 0.001},
                 {"123456789012345678", 123456789012345680.0},
                 {"9007199254740993", 9007199254740992.0}, // tie to even
                 {"0.1000000000000000055511151231257827021181583404541015625", 0.1},
                 {"1.7976931348623157e308", 1.7976931348623157e308},
                 {"4.9406564584124654e-324", 4.9406564584124654e-324},
                 {"1e-400", 0.0},
                 {"0e999999999999", 0.0},
                 {"2.2250738585072011e-308", 2.2250738585072011e-308}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double value = -1;
        CHECK(fr_parse_double(cases[k].text, strlen(cases[k].text), &value));
        CHECK(value == cases[k].value);
    }
}

TEST(numbers_survive_printing) {
    FrRandom random = fr_random_for(1, "text-test", 0);
    for (int k = 0; k < 20000; k++) {
        uint64_t bits = (uint64_t)fr_random_u32(&random) << 32 | fr_random_u32(&random);
        double wanted, found = 0;
        memcpy(&wanted, &bits, 8);
        if (!isfinite(wanted)) continue;
        char text[40];
        int length = snprintf(text, sizeof text, "%.17g", wanted);
        CHECK(fr_parse_double(text, (size_t)length, &found));
        CHECK(found == wanted);
        // short decimals take the quick way: it must agree with the library's
        double small = (double)(int32_t)fr_random_u32(&random) * 1e-6;
        length = snprintf(text, sizeof text, "%.6f", small);
        CHECK(fr_parse_double(text, (size_t)length, &found));
        CHECK(found == strtod(text, NULL));
    }
}

TEST(not_numbers) {
    static const char *bad[] = {"",    "-",   ".",   "e5",       "1e",    "1e+", "nan",
                                "inf", "0x1", "1,5", "1.2.3",    "1e999", "--1", "1f",
                                "+-1", "1 ",  "1_0", "infinity", "1e5.0"};
    double value;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        CHECK(!fr_parse_double(bad[k], strlen(bad[k]), &value));
}

TEST(messages_say_where) {
    FrContext *ctx = make_context(1);
    double value;
    int64_t integer;
    FrText text = make_text(ctx, "a\n  1.5.2 9 1e999 99999999999999999999 x\x01y");
    fr_text_next_line(&text);
    CHECK_INT(fr_text_double(&text, "x of a point", &value), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(ctx), "file:2:3: x of a point: found \"1.5.2\"; wanted a number");
    CHECK_INT(fr_text_int(&text, "count", 0, 8, &integer), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(ctx), "file:2:9: count: found \"9\"; allowed are 0 to 8");
    CHECK_INT(fr_text_double(&text, "x", &value), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(ctx),
               "file:2:11: x: \"1e999\" is too large; at most 1.79e308 is allowed");
    CHECK_INT(fr_text_int(&text, "count", 0, 8, &integer), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "file:2:17: count: found \"99999999999999999999\"");
    CHECK_INT(fr_text_expect(&text, "endfacet"), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(ctx), "file:2:38: found \"x\\x01y\"; wanted \"endfacet\"");
    CHECK_INT(fr_text_double(&text, "x", &value), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(ctx), "file:2:41: x: found the end of the file; wanted a number");
    text = make_text(ctx, "12 13\n");
    CHECK_OK(ctx, fr_text_int(&text, "count", 0, 20, &integer));
    CHECK_INT(integer, 12);
    CHECK_INT(fr_text_expect_line_end(&text), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(ctx), "file:1:4: found \"13\"; wanted the end of the line");
    fr_context_destroy(ctx);
}

TEST(empty_and_long) {
    FrContext *ctx = make_context(1);
    FrText text;
    fr_text_init(&text, ctx, "file", NULL, 0);
    CHECK(fr_text_done(&text));
    CHECK_INT(fr_text_word(&text).length, 0);
    char long_number[1200];
    memset(long_number, '1', sizeof long_number);
    fr_text_init(&text, ctx, "file", long_number, sizeof long_number);
    double value;
    CHECK_INT(fr_text_double(&text, "x", &value), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(ctx),
               "file:1:1: x: a number of 1200 characters; at most 1000 are read");
    fr_text_init(&text, ctx, "file", long_number, sizeof long_number);
    CHECK_HAS(fr_text_quote(&text, fr_text_word(&text)).text, "111...\"");
    fr_context_destroy(ctx);
}
