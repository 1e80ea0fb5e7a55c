// options.c: reads a command line by its table; a mistake gets the word that was meant.

#include "options.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Option shared_options[] = {
    {"--threads", OPTION_INT, offsetof(Line, threads), "N",
     "worker threads (0: one per core); results do not depend on it", NULL},
    {"--json", OPTION_FLAG, offsetof(Line, json), NULL, "one JSON document on stdout", NULL},
    {"--quiet", OPTION_FLAG, offsetof(Line, quiet), NULL, "no progress, no notes; warnings stay",
     NULL},
    {"--help", OPTION_FLAG, offsetof(Line, help), NULL, "this text", NULL},
};
#define SHARED_COUNT ((int32_t)(sizeof shared_options / sizeof shared_options[0]))

// edit distance of short words
static int distance(const char *a, const char *b) {
    int row[64], n = (int)strlen(b);
    if (strlen(a) > 60 || n > 60) return 99;
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int keep = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            int best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            row[j] = keep < best ? keep : best;
        }
    }
    return row[n];
}

const char *nearest_word(const char *word, const char *const *words, int32_t count) {
    const char *best = NULL;
    int least = (int)strlen(word) / 3 + 2;
    for (int32_t k = 0; k < count; k++) {
        int d = distance(word, words[k]);
        if (d < least) least = d, best = words[k];
    }
    return best;
}

static int mistake(const char *verb, const char *format, const char *a, const char *b) {
    fprintf(stderr, "fracas %s: ", verb);
    fprintf(stderr, format, a, b);
    fprintf(stderr, "\n");
    return 2;
}

static const Option *find(const Option *options, int32_t count, const char *name, size_t length) {
    for (int32_t k = 0; k < count; k++)
        if (strlen(options[k].name) == length && !memcmp(options[k].name, name, length))
            return &options[k];
    return NULL;
}

static int unknown(const char *verb, const char *name, const Option *options, int32_t count) {
    const char *names[64];
    int32_t n = 0;
    for (int32_t k = 0; k < count && n < 64; k++) names[n++] = options[k].name;
    for (int32_t k = 0; k < SHARED_COUNT && n < 64; k++) names[n++] = shared_options[k].name;
    if (!strcmp(name, "--look"))
        return mistake(verb, "unknown option %s; use %s", name, "--target");
    const char *near = nearest_word(name, names, n);
    if (near) return mistake(verb, "unknown option %s; did you mean %s?", name, near);
    return mistake(verb, "unknown option %s; `fracas %s --help` lists them", name, verb);
}

static int set_choice(const Option *option, const char *value, const char *verb, int32_t *to) {
    char list[256] = "";
    for (int32_t k = 0; option->choices[k]; k++) {
        if (!strcmp(option->choices[k], value)) return *to = k, 0;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", option->choices[k]);
    }
    fprintf(stderr, "fracas %s: %s is '%s'; it can be %s\n", verb, option->name, value, list);
    return 2;
}

static int set_unit(const Option *option, const char *value, const char *verb, double *to) {
    static const char *const words[] = {"m", "cm", "mm", "in", NULL};
    static const double sizes[] = {1.0, 1e-2, 1e-3, 0.0254};
    Option choice = {.name = option->name, .choices = words};
    int32_t k = 0;
    int status = set_choice(&choice, value, verb, &k);
    if (!status) *to = sizes[k];
    return status;
}

static int set_up(const Option *option, const char *value, const char *verb, bool *to) {
    static const char *const words[] = {"z", "y", NULL};
    Option choice = {.name = option->name, .choices = words};
    int32_t k = 0;
    int status = set_choice(&choice, value, verb, &k);
    if (!status) *to = k == 1;
    return status;
}

static int set_setting(const Option *option, const char *value, const char *verb, const char **list,
                       int32_t *count) {
    const char *equals = strchr(value, '=');
    if (!equals || equals == value)
        return mistake(verb, "%s takes name=value, found '%s'", option->name, value);
    if (*count == MAX_SETTINGS) return mistake(verb, "too many %s%s", option->name, "");
    list[(*count)++] = value;
    return 0;
}

static int set_vary(const Option *option, const char *value, const char *verb, Line *line) {
    char shown[80];
    snprintf(shown, sizeof shown, "%s", value);
    if (line->vary_count == MAX_SETTINGS) return mistake(verb, "too many %s%s", option->name, "");
    if (spec_vary((char *)(uintptr_t)value, line->vary_value, &line->vary_values,
                  &line->vary[line->vary_count++]))
        return 0;
    return mistake(verb, "%s takes name=a:b:c, like strength=20MPa:40MPa:80MPa; found '%s'",
                   option->name, shown);
}

static int set_tones(const Option *option, const char *value, const char *verb, Tones *to) {
    if (spec_tones(value, to->tone, &to->count)) return 0;
    return mistake(verb,
                   "%s is '%s'; it takes 1 to 16 pairs of Hz and s above 0, like 440:2.5,2000:0.8",
                   option->name, value);
}

static int set_change(const Option *option, const char *value, const char *verb, Changes *to) {
    char shown[80];
    snprintf(shown, sizeof shown, "%s", value);
    if (to->count == MAX_SETTINGS) return mistake(verb, "too many %s%s", option->name, "");
    const char *takes = spec_change((char *)(uintptr_t)value, &to->one[to->count++]);
    if (!takes) return 0;
    fprintf(stderr, "fracas %s: %s %s, found '%s'\n", verb, option->name, takes, shown);
    return 2;
}

// a whole number within limits with `stop` behind it; *end is what follows
static bool read_int(const char *text, long least, long most, char stop, const char **end,
                     int32_t *to) {
    char *after;
    errno = 0;
    long n = strtol(text, &after, 10);
    if (after == text || *after != stop || errno || n < least || n > most) return false;
    *to = (int32_t)n;
    *end = after + 1;
    return true;
}

static int set_size(const Option *option, const char *value, const char *verb, int32_t *to) {
    int32_t size[2];
    const char *rest;
    if (read_int(value, 1, 8192, 'x', &rest, &size[0]) &&
        read_int(rest, 1, 8192, 0, &rest, &size[1]))
        return to[0] = size[0], to[1] = size[1], 0;
    return mistake(verb, "%s takes two numbers from 1 to 8192 like 4x3, found '%s'", option->name,
                   value);
}

// size of the unit word behind a number; 0: not one that goes with this kind of option
static double unit_of(OptionKind kind, const char *word) {
    static const struct {
        const char *word;
        OptionKind kind;
        double size;
    } unit[] = {{"mm", OPTION_LENGTH, 1e-3},
                {"cm", OPTION_LENGTH, 1e-2},
                {"m", OPTION_LENGTH, 1.0},
                {"ms", OPTION_TIME, 1e-3},
                {"s", OPTION_TIME, 1.0}};
    if (!*word) return 1.0;
    for (size_t k = 0; k < sizeof unit / sizeof unit[0]; k++)
        if (kind == unit[k].kind && !strcmp(word, unit[k].word)) return unit[k].size;
    return 0.0;
}

static int set_number(const Option *option, const char *value, const char *verb, double *to) {
    const char *units = option->kind == OPTION_LENGTH ? " (mm, cm or m may follow)"
                        : option->kind == OPTION_TIME ? " (ms or s may follow)"
                                                      : "";
    char *end;
    double x = strtod(value, &end), unit = end == value ? 0.0 : unit_of(option->kind, end);
    if (isfinite(x) && x * unit > 0.0) return *to = x * unit, 0;
    fprintf(stderr, "fracas %s: %s takes a number above 0%s, found '%s'\n", verb, option->name,
            units, value);
    return 2;
}

static int set_int(const Option *option, const char *value, const char *verb, int32_t *to) {
    const char *end;
    bool count = option->kind == OPTION_COUNT;
    if (read_int(value, count, INT32_MAX, 0, &end, to)) return 0;
    return mistake(verb,
                   count ? "%s takes a whole number from 1 up, found '%s'"
                         : "%s takes a whole number from 0 up, found '%s'",
                   option->name, value);
}

// "X,Y,Z", finite
static bool read_place(const char *text, FrVec3 *place) {
    double *to[3] = {&place->x, &place->y, &place->z};
    for (int k = 0; k < 3; k++) {
        char *end;
        *to[k] = strtod(text, &end);
        if (end == text || !isfinite(*to[k]) || *end != (k < 2 ? ',' : 0)) return false;
        text = end + 1;
    }
    return true;
}

static int set_place(const Option *option, const char *value, const char *verb, Place *to) {
    char list[256] = "";
    for (int32_t k = 0; option->choices && option->choices[k]; k++) {
        if (!strcmp(option->choices[k], value)) return to->word = k, to->given = false, 0;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", option->choices[k]);
    }
    if (read_place(value, &to->at)) return to->given = true, 0;
    fprintf(stderr, "fracas %s: %s is '%s'; it takes %s%sX,Y,Z in m, like 0.1,0,0.25\n", verb,
            option->name, value, list, *list ? " or " : "");
    return 2;
}

static int set_turn(const Option *option, const char *value, const char *verb, Place *to) {
    const double degree = 3.14159265358979323846 / 180.0;
    to->given = read_place(value, &to->at);
    to->at = (FrVec3){to->at.x * degree, to->at.y * degree, to->at.z * degree};
    if (to->given) return 0;
    return mistake(verb, "%s is '%s'; it takes X,Y,Z in degrees, like 90,0,0", option->name, value);
}

// a place, or the name of a body
static int set_target(const Option *option, const char *value, const char *verb, Place *to) {
    if (strchr(value, ',')) return set_place(option, value, verb, to);
    to->name = value;
    return 0;
}

static int set_decibel(const Option *option, const char *value, const char *verb, double *to) {
    char *end;
    *to = strtod(value, &end);
    if (end != value && (!*end || !strcmp(end, "dB")) && fabs(*to) <= 200.0) return 0;
    return mistake(verb, "%s is '%s'; it takes decibels from -200 to 200", option->name, value);
}

static int set_seed(const Option *option, const char *value, const char *verb, Line *line) {
    char *end;
    errno = 0;
    unsigned long long seed = strtoull(value, &end, 10);
    if (*end || value[0] < '0' || value[0] > '9' || errno || seed > INT64_MAX)
        return mistake(verb, "%s takes a whole number, found '%s'", option->name, value);
    line->seed = seed;
    line->has_seed = true;
    return 0;
}

static int set_value(const Option *option, const char *value, const char *verb, char *at,
                     Line *line) {
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)at = true;
        return 0;
    case OPTION_TEXT:
        *(const char **)at = value;
        return 0;
    case OPTION_INT:
    case OPTION_COUNT:
        return set_int(option, value, verb, (int32_t *)at);
    case OPTION_NUMBER:
    case OPTION_LENGTH:
    case OPTION_TIME:
        return set_number(option, value, verb, (double *)at);
    case OPTION_SEED:
        return set_seed(option, value, verb, line);
    case OPTION_CHOICE:
        return set_choice(option, value, verb, (int32_t *)at);
    case OPTION_UNIT:
        return set_unit(option, value, verb, (double *)at);
    case OPTION_UP:
        return set_up(option, value, verb, (bool *)at);
    case OPTION_SETTING:
        return set_setting(option, value, verb, line->set, &line->set_count);
    case OPTION_VARY:
        return set_vary(option, value, verb, line);
    case OPTION_CHANGE:
        return set_change(option, value, verb, (Changes *)at);
    case OPTION_TONES:
        return set_tones(option, value, verb, (Tones *)at);
    case OPTION_SIZE:
        return set_size(option, value, verb, (int32_t *)at);
    case OPTION_PLACE:
        return set_place(option, value, verb, (Place *)at);
    case OPTION_TURN:
        return set_turn(option, value, verb, (Place *)at);
    case OPTION_TARGET:
        return set_target(option, value, verb, (Place *)at);
    case OPTION_DECIBEL:
        return set_decibel(option, value, verb, (double *)at);
    }
    return 2;
}

static int parse_option(int argc, char **argv, int *k, const OptionList *list, Line *line) {
    const char *verb = list->verb, *name = argv[*k], *equals = strchr(name, '=');
    size_t length = equals && name[1] == '-' ? (size_t)(equals - name) : strlen(name);
    const Option *option = find(list->option, list->count, name, length);
    char *base = option ? list->target : (char *)line;
    if (!option) option = find(shared_options, SHARED_COUNT, name, length);
    if (!option) return unknown(verb, name, list->option, list->count);
    const char *value = NULL;
    if (option->kind == OPTION_FLAG && length < strlen(name))
        return mistake(verb, "%s takes nothing after it, found '%s'", option->name, equals + 1);
    if (option->kind != OPTION_FLAG) {
        if (length < strlen(name))
            value = equals + 1;
        else if (*k + 1 < argc)
            value = argv[++*k];
        else
            return mistake(verb, "%s needs %s after it", option->name, option->argument);
    }
    return set_value(option, value, verb, base + option->offset, line);
}

int options_parse(int argc, char **argv, const OptionList *list, Line *line) {
    for (int k = 0; k < argc; k++) {
        if (argv[k][0] == '-' && argv[k][1]) {
            int status = parse_option(argc, argv, &k, list, line);
            if (status) return status;
        } else if (line->word_count < line->max_words) {
            line->word[line->word_count++] = argv[k];
        } else {
            return mistake(list->verb,
                           "'%s' is one argument too many; `fracas %s --help` shows the form",
                           argv[k], list->verb);
        }
    }
    return 0;
}

static void print_rows(const Option *options, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", options[k].name, options[k].argument ? " " : "",
                 options[k].argument ? options[k].argument : "");
        printf("  %-28s %s\n", left, options[k].help);
    }
}

void options_print(const Option *options, int32_t count) {
    print_rows(options, count);
    print_rows(shared_options, SHARED_COUNT);
}
