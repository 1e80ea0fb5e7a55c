// text.c: the bounded cursor of all text readers, and numbers that do not depend on the locale.

#include "base/text.h"
#include "base/file.h"
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NUMBER 1000 ///< characters; more digits than that are nobody's measurement

void fr_text_init(FrText *text, FrContext *ctx, const char *name, const void *bytes, size_t size) {
    *text = (FrText){.ctx = ctx, .name = name, .data = bytes, .size = size, .line = 1};
    text->at = text->line_start = fr_text_mark(bytes, size);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
static bool is_break(char c) { return c == '\n' || c == '\r'; }

static void skip_blanks(FrText *text) {
    while (text->at < text->size && is_blank(text->data[text->at])) text->at++;
}

static bool at_comment(const FrText *text) {
    return text->comment && text->at < text->size && text->data[text->at] == text->comment;
}

bool fr_text_line_done(FrText *text) {
    skip_blanks(text);
    return text->at >= text->size || is_break(text->data[text->at]) || at_comment(text);
}

bool fr_text_next_line(FrText *text) {
    while (text->at < text->size && !is_break(text->data[text->at])) text->at++;
    if (text->at >= text->size) return false;
    bool pair = text->data[text->at] == '\r' && text->at + 1 < text->size &&
                text->data[text->at + 1] == '\n';
    text->at += pair ? 2 : 1;
    text->line_start = text->at;
    text->line++;
    return text->at < text->size;
}

bool fr_text_done(FrText *text) {
    while (fr_text_line_done(text))
        if (!fr_text_next_line(text)) return true;
    return false;
}

static FrWord word_here(const FrText *text) {
    FrWord word = {text->data ? text->data + text->at : "", 0, text->line,
                   (int64_t)(text->at - text->line_start) + 1};
    return word;
}

FrWord fr_text_word(FrText *text) {
    bool done = fr_text_line_done(text);
    FrWord word = word_here(text);
    if (done) return word;
    size_t start = text->at;
    while (text->at < text->size && !is_blank(text->data[text->at]) &&
           !is_break(text->data[text->at]) && !at_comment(text))
        text->at++;
    word.length = text->at - start;
    return word;
}

FrWord fr_text_next_word(FrText *text) {
    fr_text_done(text);
    return fr_text_word(text);
}

bool fr_word_is(FrWord word, const char *other) {
    return word.length == strlen(other) && !memcmp(word.data, other, word.length);
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool fr_word_is_nocase(FrWord word, const char *other) {
    if (word.length != strlen(other)) return false;
    for (size_t k = 0; k < word.length; k++)
        if (lower(word.data[k]) != lower(other[k])) return false;
    return true;
}

FrQuoted fr_text_quote(const FrText *text, FrWord word) {
    FrQuoted quoted = {""};
    if (!word.length) {
        bool end = !text->data || word.data >= text->data + text->size;
        snprintf(quoted.text, sizeof quoted.text,
                 end ? "the end of the file" : "the end of the line");
        return quoted;
    }
    size_t used = 0, room = sizeof quoted.text - 8, k = 0;
    quoted.text[used++] = '"';
    for (; k < word.length && used < room; k++) {
        char c = word.data[k];
        if (c >= ' ' && c <= '~')
            quoted.text[used++] = c;
        else
            used += (size_t)snprintf(quoted.text + used, 5, "\\x%02X", (unsigned char)c);
    }
    snprintf(quoted.text + used, sizeof quoted.text - used, k < word.length ? "...\"" : "\"");
    return quoted;
}

FrResult fr_text_fail(const FrText *text, FrWord where, const char *format, ...) {
    char words[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    return fr_fail(text->ctx, FR_BAD_INPUT, "%s:%lld:%lld: %s", text->name, (long long)where.line,
                   (long long)where.column, words);
}

FrResult fr_text_unwanted(const FrText *text, FrWord found, const char *wanted) {
    return fr_text_fail(text, found, "found %s; wanted %s", fr_text_quote(text, found).text,
                        wanted);
}

typedef struct Decimal {
    uint64_t digits;  ///< all digits as one integer, when they fit
    int32_t exponent; ///< value = digits * 10^exponent
    bool negative, fits;
} Decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t read_digits(const char *s, size_t at, size_t size, Decimal *d, int32_t step) {
    for (; at < size && is_digit(s[at]); at++) {
        if (d->digits > (UINT64_MAX - 9) / 10) d->fits = false;
        if (d->fits) d->digits = 10 * d->digits + (uint64_t)(s[at] - '0');
        d->exponent -= step;
    }
    return at;
}

// the grammar, and digits and exponent on the way; false when the bytes are not one number
static bool read_decimal(const char *s, size_t size, Decimal *d) {
    *d = (Decimal){.fits = true};
    size_t at = 0, first;
    if (at < size && (s[at] == '+' || s[at] == '-')) d->negative = s[at++] == '-';
    first = at;
    at = read_digits(s, at, size, d, 0);
    size_t count = at - first;
    if (at < size && s[at] == '.') {
        first = ++at;
        at = read_digits(s, at, size, d, 1);
        count += at - first;
    }
    if (!count) return false;
    if (at < size && (s[at] == 'e' || s[at] == 'E')) {
        bool down = ++at < size && s[at] == '-';
        if (at < size && (s[at] == '+' || s[at] == '-')) at++;
        int32_t power = 0;
        first = at;
        for (; at < size && is_digit(s[at]); at++)
            if (power < 100000) power = 10 * power + (s[at] - '0');
        if (at == first) return false;
        d->exponent += down ? -power : power;
    }
    return at == size;
}

static const double power_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// both factors exact: one correctly rounded operation (Clinger 1990); else the C library decides
static double decimal_value(const char *s, size_t size, const Decimal *d) {
    if (d->fits && d->digits <= (uint64_t)1 << 53 && d->exponent >= -22 && d->exponent <= 22) {
        double m = (double)d->digits;
        double v = d->exponent < 0 ? m / power_of_ten[-d->exponent] : m * power_of_ten[d->exponent];
        return d->negative ? -v : v;
    }
    char copy[LONGEST_NUMBER + 1];
    memcpy(copy, s, size);
    copy[size] = 0;
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale) return (double)NAN;
    double v = strtod_l(copy, NULL, c_locale);
    freelocale(c_locale);
    return v;
}

bool fr_parse_double(const char *bytes, size_t size, double *value) {
    Decimal d;
    if (size > LONGEST_NUMBER || !read_decimal(bytes, size, &d)) return false;
    *value = decimal_value(bytes, size, &d);
    return isfinite(*value);
}

FrResult fr_word_double(const FrText *text, FrWord word, const char *what, double *value) {
    Decimal d;
    *value = 0.0;
    if (word.length > LONGEST_NUMBER)
        return fr_text_fail(text, word, "%s: a number of %zu characters; at most %d are read", what,
                            word.length, LONGEST_NUMBER);
    if (!read_decimal(word.data, word.length, &d))
        return fr_text_fail(text, word, "%s: found %s; wanted a number", what,
                            fr_text_quote(text, word).text);
    *value = decimal_value(word.data, word.length, &d);
    if (isfinite(*value)) return FR_OK;
    *value = 0.0;
    return fr_text_fail(text, word, "%s: %s is too large; at most 1.79e308 is allowed", what,
                        fr_text_quote(text, word).text);
}

FrResult fr_word_int(const FrText *text, FrWord word, const char *what, int64_t lo, int64_t hi,
                     int64_t *value) {
    size_t at = 0;
    bool negative = false, fits = true;
    int64_t v = 0;
    *value = 0;
    if (word.length && (word.data[0] == '+' || word.data[0] == '-'))
        negative = word.data[at++] == '-';
    bool good = at < word.length;
    for (; at < word.length && good; at++) {
        good = is_digit(word.data[at]);
        int64_t digit = good ? word.data[at] - '0' : 0;
        if (__builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, negative ? -digit : digit, &v))
            fits = false;
    }
    if (!good)
        return fr_text_fail(text, word, "%s: found %s; wanted an integer", what,
                            fr_text_quote(text, word).text);
    if (!fits || v < lo || v > hi)
        return fr_text_fail(text, word, "%s: found %s; allowed are %lld to %lld", what,
                            fr_text_quote(text, word).text, (long long)lo, (long long)hi);
    *value = v;
    return FR_OK;
}

FrResult fr_text_double(FrText *text, const char *what, double *value) {
    return fr_word_double(text, fr_text_word(text), what, value);
}

FrResult fr_text_int(FrText *text, const char *what, int64_t lo, int64_t hi, int64_t *value) {
    return fr_word_int(text, fr_text_word(text), what, lo, hi, value);
}

FrResult fr_text_expect(FrText *text, const char *wanted) {
    FrWord word = fr_text_word(text);
    if (fr_word_is(word, wanted)) return FR_OK;
    char quoted[80];
    snprintf(quoted, sizeof quoted, "\"%s\"", wanted);
    return fr_text_unwanted(text, word, quoted);
}

FrResult fr_text_expect_line_end(FrText *text) {
    FrWord word = fr_text_word(text);
    return word.length ? fr_text_unwanted(text, word, "the end of the line") : FR_OK;
}

void fr_text_pass(FrPassed *passed, FrWord word) {
    if (!passed->count++) passed->first = word;
}

void fr_text_warn_passed(const FrText *text, const FrPassed *passed) {
    char times[40] = "";
    if (!passed->count) return;
    if (passed->count > 1) snprintf(times, sizeof times, ", %lld times", (long long)passed->count);
    fr_log(text->ctx, FR_LOG_WARNING, "%s:%lld:%lld: %s%s", text->name,
           (long long)passed->first.line, (long long)passed->first.column, passed->what, times);
}

// whatever the locale puts between digits becomes one point
static void put_number(char *to, size_t room, int digits, double value) {
    char raw[64];
    snprintf(raw, sizeof raw, "%.*g", digits, value);
    size_t used = 0;
    bool point = false;
    for (const char *c = raw; *c && used + 1 < room; c++) {
        bool plain = is_digit(*c) || *c == '-' || *c == '+' || (*c >= 'a' && *c <= 'z');
        if (plain || !point) to[used++] = plain ? *c : '.';
        point |= !plain;
    }
    to[used] = 0;
}

FrNumber fr_print_double(double value) {
    FrNumber number;
    double back;
    put_number(number.text, sizeof number.text, 15, value);
    if (!fr_parse_double(number.text, strlen(number.text), &back) || back != value)
        put_number(number.text, sizeof number.text, 17, value);
    return number;
}
