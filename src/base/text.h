// text.h: one bounded cursor for every text format: words, numbers, lines, and messages that say
// where.
#pragma once
#include "base/base.h"

/// A cursor over borrowed bytes. Bytes need no zero at the end. Lines end in LF, CR LF or CR.
typedef struct FrText {
    FrContext *ctx;
    const char *name; ///< of the file, for messages; borrowed
    const char *data;
    size_t size, at;
    size_t line_start; ///< where the present line begins
    int64_t line;      ///< from 1
    char comment;      ///< from here to the end of a line nothing counts; 0: no such sign
} FrText;

/// A run of bytes without blanks. Length 0: there was none.
typedef struct FrWord {
    const char *data; ///< into the cursor's bytes, not zero-ended
    size_t length;
    int64_t line, column; ///< of its first byte, from 1; a tab counts 1
} FrWord;

/// A mark at the start is skipped.
void fr_text_init(FrText *text, FrContext *ctx, const char *name, const void *bytes, size_t size);

/// The next word of this line; length 0 at the end of the line (the cursor stays there).
FrWord fr_text_word(FrText *text);
/// The next word, however many lines further; length 0 at the end of the text.
FrWord fr_text_next_word(FrText *text);
/// Go to the start of the next line, whatever this one still holds. False at the end of the text.
bool fr_text_next_line(FrText *text);
/// Skip blanks; true when nothing more (or only a comment) is on this line.
bool fr_text_line_done(FrText *text);
/// Skip blanks and empty lines; true when the text is done.
bool fr_text_done(FrText *text);

bool fr_word_is(FrWord word, const char *other);
/// Same, and a..z equals A..Z.
bool fr_word_is_nocase(FrWord word, const char *other);

/// The whole word as a finite number, decimal, correctly rounded, with a point in every locale:
/// [+-] digits [. digits] [e [+-] digits]. `what` names it in messages: "x of a point".
FrResult fr_word_double(const FrText *text, FrWord word, const char *what, double *value);
/// The whole word as an integer in [lo, hi].
FrResult fr_word_int(const FrText *text, FrWord word, const char *what, int64_t lo, int64_t hi,
                     int64_t *value);
/// The next word of this line as a number.
FrResult fr_text_double(FrText *text, const char *what, double *value);
FrResult fr_text_int(FrText *text, const char *what, int64_t lo, int64_t hi, int64_t *value);
/// The next word of this line must be `wanted`.
FrResult fr_text_expect(FrText *text, const char *wanted);
/// Nothing more may stand on this line.
FrResult fr_text_expect_line_end(FrText *text);

/// FR_BAD_INPUT with "name:line:column: " of the word before the message.
FrResult fr_text_fail(const FrText *text, FrWord where, const char *format, ...) FR_PRINTF(3, 4);
/// The same: "found "word"; wanted ..." ("found the end of the line" for an empty word).
FrResult fr_text_unwanted(const FrText *text, FrWord found, const char *wanted);

/// What a file has that is not read, of one kind: how often, and where first.
typedef struct FrPassed {
    const char
        *what; ///< what it is, and what becomes of it: "vt of a corner is not there: left out"
    int64_t count;
    FrWord first;
} FrPassed;
/// Read on all the same.
void fr_text_pass(FrPassed *passed, FrWord word);
/// One warning for all of a kind: "name:line:column: what, 37 times"; nothing where there was none.
void fr_text_warn_passed(const FrText *text, const FrPassed *passed);

/// Room for a quoted word in a message.
typedef struct FrQuoted {
    char text[64];
} FrQuoted;
/// "word" in quotes, cut when long, odd bytes as \xNN; the end of the line or text in words.
FrQuoted fr_text_quote(const FrText *text, FrWord word);

/// Bounded number reading without a cursor: false when `size` bytes are not one finite number.
bool fr_parse_double(const char *bytes, size_t size, double *value);

/// Room for any double in decimal.
typedef struct FrNumber {
    char text[32];
} FrNumber;
/// The shorter of %.15g and %.17g that reads back as the same bits; a point in every locale.
FrNumber fr_print_double(double value);
