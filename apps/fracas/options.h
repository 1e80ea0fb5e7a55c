// options.h: command-line options as tables: parsing, help and mistakes come from the same rows.
#pragma once
#include "specs.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum OptionKind {
    OPTION_FLAG,    ///< bool
    OPTION_TEXT,    ///< const char *
    OPTION_INT,     ///< int32_t from 0 up
    OPTION_COUNT,   ///< int32_t from 1 up
    OPTION_NUMBER,  ///< double above 0
    OPTION_LENGTH,  ///< the same in m; mm, cm or m may follow
    OPTION_TIME,    ///< the same in s; ms or s may follow
    OPTION_SEED,    ///< into the line's seed
    OPTION_CHOICE,  ///< int32_t index into choices
    OPTION_UNIT,    ///< double: metres in m, cm, mm or in
    OPTION_UP,      ///< bool: is the upward axis y instead of z?
    OPTION_SETTING, ///< appended to the verb's settings
    OPTION_VARY,    ///< appended to what a sweep varies
    OPTION_TONES,   ///< Tones
    OPTION_CHANGE,  ///< appended to Changes
    OPTION_SIZE,    ///< "4x3" into two int32_t
    OPTION_PLACE,   ///< Place: one of the choices, if there are some, or "X,Y,Z" in m
    OPTION_TURN,    ///< Place: "X,Y,Z" in degrees, kept in rad
    OPTION_TARGET,  ///< Place: "X,Y,Z" in m, or the name of a body
    OPTION_DECIBEL, ///< double; dB may follow
} OptionKind;

typedef struct Option {
    const char *name; ///< "--fps"; "-o" for the short one
    OptionKind kind;
    size_t offset;        ///< into the verb's struct
    const char *argument; ///< "N", shown in help
    const char *help;
    const char *const *choices; ///< NULL-ended
} Option;

/// A place that was given as coordinates, or as a word.
typedef struct Place {
    bool given; ///< as coordinates
    FrVec3 at;  ///< m; of a turn: rad
    int32_t word;
    const char *name; ///< of a body, where one may be given instead; NULL: none is
} Place;

/// How long tones last.
typedef struct Tones {
    FrTone tone[MOST_TONES];
    int32_t count;
} Tones;

#define MAX_WORDS 32
#define MAX_SETTINGS 64

/// What of bodies is changed.
typedef struct Changes {
    SpecChange one[MAX_SETTINGS];
    int32_t count;
} Changes;

/// What every verb shares, and where the options put their values.
typedef struct Line {
    bool json, quiet, help;
    int32_t threads;
    bool has_seed;
    uint64_t seed;
    const char *set[MAX_SETTINGS]; ///< "name=value"
    int32_t set_count;
    FrVaryDef vary[MAX_SETTINGS];
    const char *vary_value[MOST_VALUES]; ///< of all of them
    int32_t vary_count, vary_values;
    const char *word[MAX_WORDS]; ///< arguments without dashes
    int32_t word_count;
    int32_t max_words;
} Line;

/// What a verb takes, and where it goes.
typedef struct OptionList {
    const char *verb;
    const Option *option; ///< (count)
    int32_t count;
    void *target; ///< what offsets count from
} OptionList;

/// 0, or 2 after a message on stderr.
int options_parse(int argc, char **argv, const OptionList *list, Line *line);
void options_print(const Option *options, int32_t option_count);
/// The word of `words` nearest to `word`, or NULL when none is near.
const char *nearest_word(const char *word, const char *const *words, int32_t count);
