// problems.c: one line per problem, with file, place, key path and the word that was meant.

#include "scene/problems.h"
#include <stdio.h>
#include <string.h>

#define WORD_MAX 40

void fr_problems_init(FrProblems *problems, FrContext *ctx) {
    *problems = (FrProblems){.ctx = ctx};
    fr_writer_init(&problems->text, ctx);
}

void fr_problems_free(FrProblems *problems) { fr_writer_free(&problems->text); }

const char *fr_path_print(const FrPath *path, char *buffer, size_t size) {
    const FrPath *part[FR_VALUE_DEPTH + 8];
    int count = 0;
    for (; path && count < FR_VALUE_DEPTH + 8; path = path->up) part[count++] = path;
    size_t used = 0;
    buffer[0] = 0;
    while (count-- > 0 && used < size) {
        const FrPath *p = part[count];
        int n = p->key ? snprintf(buffer + used, size - used, "%s%s", used ? "." : "", p->key)
                       : snprintf(buffer + used, size - used, "[%d]", p->index);
        used += n > 0 ? (size_t)n : 0;
    }
    return buffer;
}

const char *fr_problem_print(FrPlace place, const FrPath *path, const char *what,
                             char line[FR_PROBLEM_LINE]) {
    char where[300], at[48] = "";
    fr_path_print(path, where, sizeof where);
    if (place.line && place.column)
        snprintf(at, sizeof at, ":%d:%d", place.line, place.column);
    else if (place.line)
        snprintf(at, sizeof at, ":%d", place.line);
    snprintf(line, FR_PROBLEM_LINE, "%.200s%s: %s%s%s", place.file ? place.file : "scene", at,
             where, where[0] ? ": " : "", what);
    return line;
}

void fr_problem(FrProblems *problems, FrPlace place, const FrPath *path, const char *format, ...) {
    char line[FR_PROBLEM_LINE], what[FR_PROBLEM_WHAT];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    fr_problem_line(problems, fr_problem_print(place, path, what, line));
}

// was the very same reported before? (a param is read when the script gives it, and with the scene)
static bool reported_before(const FrProblems *problems, const char *line) {
    size_t length = strlen(line);
    if (!problems->text.size) return false;
    const char *at = (const char *)problems->text.data, *end = at + problems->text.size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if ((size_t)((stop ? stop : end) - at) == length && !memcmp(at, line, length)) return true;
        at = stop ? stop + 1 : end;
    }
    return false;
}

void fr_problem_line(FrProblems *problems, const char *line) {
    problems->count++;
    if (reported_before(problems, line)) {
        problems->repeats++;
        return;
    }
    int32_t shown = problems->count - problems->repeats;
    if (shown > FR_PROBLEM_LIMIT) return;
    if (shown > 1) fr_write_u8(&problems->text, '\n');
    fr_write_bytes(&problems->text, line, strlen(line));
}

FrResult fr_problems_result(FrProblems *problems) {
    if (problems->no_memory || problems->text.failed) return fr_no_memory(problems->ctx, "a scene");
    if (problems->count == 0) return FR_OK;
    int more = problems->count - problems->repeats - FR_PROBLEM_LIMIT;
    if (more > 0) {
        char line[60];
        snprintf(line, sizeof line, "\nand %d more problems", more);
        fr_write_bytes(&problems->text, line, strlen(line));
    }
    fr_write_u8(&problems->text, 0);
    if (problems->text.failed) return fr_no_memory(problems->ctx, "a scene");
    problems->text.size--; // the zero ends the text, it is not part of it
    return fr_fail(problems->ctx, FR_BAD_INPUT, "%s", (const char *)problems->text.data);
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

// edit distance with swaps of neighbours, case ignored (optimal string alignment)
static int edit_distance(const char *a, const char *b) {
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n > WORD_MAX || m > WORD_MAX) return WORD_MAX;
    int row[3][WORD_MAX + 1];
    for (int j = 0; j <= m; j++) row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);
            int best = last[j - 1] + !same;
            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][m];
}

const char *fr_suggest(const char *word, FrNameFn *name, const void *user, int32_t count) {
    const char *nearest = NULL;
    int limit = 1 + (int)strlen(word) / 4, best = limit + 1;
    if (strlen(word) < 2) return NULL;
    for (int32_t k = 0; k < count; k++) {
        const char *candidate = name(user, k);
        int distance = edit_distance(word, candidate);
        if (distance < best && distance < (int)strlen(candidate))
            best = distance, nearest = candidate;
    }
    return nearest;
}

const char *fr_suggest_text(const char *suggestion, char *buffer, size_t size) {
    if (suggestion)
        snprintf(buffer, size, "; did you mean \"%.60s\"?", suggestion);
    else
        buffer[0] = 0;
    return buffer;
}
