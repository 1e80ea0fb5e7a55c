// score_csv.c: contacts from CSV: one thing a line, its kind first (docs/contacts.md).

#include "base/file.h"
#include "base/json.h"
#include "math/vec.h"
#include "score/score_contacts.h"
#include <math.h>
#include <string.h>

#define LARGEST_FILE ((size_t)256 << 20)
#define MOST_CELLS 12
#define LONGEST_CELL 256

typedef struct Csv {
    FrScore *score;
    const char *path;
    int64_t line;
    char cell[MOST_CELLS][LONGEST_CELL]; ///< blanks at both ends left out
    int32_t count;
    int32_t column[MOST_CELLS]; ///< where each begins, from 1
} Csv;

static FrResult wrong(Csv *c, int32_t cell, const char *what) {
    return fr_fail(c->score->ctx, FR_BAD_INPUT, "%s:%lld:%d: %s", c->path, (long long)c->line,
                   cell < c->count ? c->column[cell] : 1, what);
}

// a message that came from further down gets its place
static FrResult placed(Csv *c, int32_t cell, FrResult result) {
    if (result != FR_BAD_INPUT && result != FR_BAD_USE) return result;
    return fr_fail_within(c->score->ctx, result, "%s:%lld:%d: ", c->path, (long long)c->line,
                          c->column[cell]);
}

static FrResult split(Csv *c, const char *at, const char *end) {
    const char *start = at;
    c->count = 0;
    for (;;) {
        const char *stop = memchr(at, ',', (size_t)(end - at)), *from = at;
        const char *to = stop ? stop : end;
        while (from < to && (*from == ' ' || *from == '\t')) from++;
        while (to > from && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '\r')) to--;
        if (c->count == MOST_CELLS) return wrong(c, 0, "too many values on this line");
        c->column[c->count] = (int32_t)(from - start) + 1;
        if ((size_t)(to - from) >= LONGEST_CELL || memchr(from, 0, (size_t)(to - from)))
            return wrong(c, c->count, "this value is too long or not text");
        memcpy(c->cell[c->count], from, (size_t)(to - from));
        c->cell[c->count++][to - from] = 0;
        if (!stop) return FR_OK;
        at = stop + 1;
    }
}

static FrResult number(Csv *c, int32_t k, const char *what, double *to) {
    if (k >= c->count || !*c->cell[k]) return FR_OK; // stays as it was
    if (fr_number_read(c->cell[k], strlen(c->cell[k]), to) && isfinite(*to)) return FR_OK;
    return fr_fail(c->score->ctx, FR_BAD_INPUT, "%s:%lld:%d: %s is '%s', not a number", c->path,
                   (long long)c->line, c->column[k], what, c->cell[k]);
}

static FrResult vector(Csv *c, int32_t k, const char *what, FrVec3 *to) {
    FR_TRY(number(c, k, what, &to->x));
    FR_TRY(number(c, k + 1, what, &to->y));
    return number(c, k + 2, what, &to->z);
}

// body, NAME, FILE, MATERIAL, UNIT
static FrResult read_body(Csv *c) {
    double unit = 1.0;
    if (c->count < 3) return wrong(c, 0, "body takes a name, a file and a material");
    FR_TRY(number(c, 4, "the unit", &unit));
    if (!(unit > 0.0)) return wrong(c, 4, "the unit is metres per unit of the file, above 0");
    return placed(c, 2,
                  fr_score_contact_body(c->score, c->path, c->cell[1], c->cell[2],
                                        c->count > 3 ? c->cell[3] : NULL, unit));
}

static FrResult body_of(Csv *c, int32_t *body) {
    *body = c->count > 2 ? fr_score_find(c->score, c->cell[2]) : -1;
    return *body >= 0 ? FR_OK : wrong(c, 2, "no body of this name stands above");
}

// place, T, NAME, X, Y, Z: where a body is; the same steps of time for all of one body
static FrResult read_place(Csv *c) {
    int32_t body;
    double t = (double)NAN;
    FrVec3 at = {(double)NAN, (double)NAN, (double)NAN};
    FR_TRY(number(c, 1, "the time", &t));
    FR_TRY(body_of(c, &body));
    FR_TRY(vector(c, 3, "the place", &at));
    return placed(c, 1, fr_score_contact_place(c->score, body, t, at));
}

static FrResult read_contact(Csv *c) {
    FrContactRow row = fr_contact_row();
    int32_t body;
    const char *kind = c->cell[0];
    FR_TRY(number(c, 1, "the time", &row.t));
    FR_TRY(body_of(c, &body));
    FR_TRY(vector(c, 3, "the point", &row.at));
    if (!strcmp(kind, "hit")) {
        FR_TRY(vector(c, 6, "the impulse", &row.impulse));
        FR_TRY(number(c, 9, "the duration", &row.duration));
    } else if (!strcmp(kind, "blow")) {
        FR_TRY(number(c, 6, "the speed", &row.speed));
        if (c->count > 7) row.mallet = c->cell[7];
    } else {
        FR_TRY(number(c, 6, "the force", &row.force));
        FR_TRY(number(c, 7, "the speed", &row.speed));
        FR_TRY(number(c, 8, "the duration", &row.duration));
    }
    return placed(c, 0, fr_score_contact(c->score, body, &row));
}

// more values than a line of its kind has would be dropped
static FrResult check_count(Csv *c) {
    static const struct {
        const char *kind;
        int32_t cells;
    } most[] = {{"body", 5}, {"place", 6},  {"hit", 10},
                {"blow", 8}, {"scrape", 9}, {"listener", 4}};
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        if (strcmp(c->cell[0], most[i].kind)) continue;
        for (int32_t k = most[i].cells; k < c->count; k++)
            if (*c->cell[k]) return wrong(c, k, "a line of this kind ends before this value");
    }
    return FR_OK;
}

static FrResult read_line(Csv *c) {
    const char *kind = c->cell[0];
    if (!*kind || *kind == '#') return FR_OK;
    FR_TRY(check_count(c));
    if (!strcmp(kind, "body")) return read_body(c);
    if (!strcmp(kind, "place")) return read_place(c);
    if (!strcmp(kind, "hit") || !strcmp(kind, "blow") || !strcmp(kind, "scrape"))
        return read_contact(c);
    if (!strcmp(kind, "listener")) {
        FrVec3 at = {(double)NAN, (double)NAN, (double)NAN};
        FR_TRY(vector(c, 1, "the listener", &at));
        if (!fr_vec3_finite(at)) return wrong(c, 0, "listener takes X, Y, Z");
        c->score->listener.at = at;
        c->score->has_listener = true;
        return FR_OK;
    }
    return wrong(c, 0, "a line begins with body, place, hit, blow, scrape or listener");
}

FrResult fr_score_csv(FrScore *score, const char *path) {
    uint8_t *bytes;
    size_t size;
    FR_TRY(fr_file_load(score->ctx, path, LARGEST_FILE, &bytes, &size));
    Csv *c = FR_NEW(score->ctx, Csv, 1);
    FrResult result = c ? FR_OK : fr_no_memory(score->ctx, "a table");
    if (c) *c = (Csv){.score = score, .path = path};
    for (size_t at = fr_text_mark(bytes, size); result == FR_OK && at < size;) {
        const char *line = (const char *)bytes + at, *stop = memchr(line, '\n', size - at);
        const char *end = stop ? stop : (const char *)bytes + size;
        c->line++;
        result = split(c, line, end);
        if (result == FR_OK) result = read_line(c);
        at = (size_t)(end - (const char *)bytes) + 1;
    }
    fr_free(score->ctx, c);
    fr_free(score->ctx, bytes);
    return result;
}
