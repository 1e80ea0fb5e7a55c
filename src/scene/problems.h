// problems.h: what is wrong with a scene, collected with places, and the word that was meant.
#pragma once
#include "base/bytes.h"
#include "scene/value.h"

#define FR_PROBLEM_LIMIT 20

/// Where we are inside the scene, innermost last: bodies[3].shape. Lives on the C stack.
typedef struct FrPath {
    const struct FrPath *up;
    const char *key; ///< NULL: an item of a list
    int32_t index;   ///< from 1
} FrPath;

typedef struct FrProblems {
    FrContext *ctx;
    FrWriter text;   ///< one line per problem
    int32_t count;   ///< all, those past the limit and those found twice too
    int32_t repeats; ///< found twice
    bool no_memory;
} FrProblems;

/// Room for a message, and for the line that says where it belongs.
#define FR_PROBLEM_WHAT 800
#define FR_PROBLEM_LINE 1400
/// file:line[:column]: path: what
const char *fr_problem_print(FrPlace place, const FrPath *path, const char *what,
                             char line[FR_PROBLEM_LINE]);

void fr_problems_init(FrProblems *problems, FrContext *ctx);
void fr_problems_free(FrProblems *problems);
/// file:line[:column]: path: message
void fr_problem(FrProblems *problems, FrPlace place, const FrPath *path, const char *format, ...)
    FR_PRINTF(4, 5);
/// A line that has its place already.
void fr_problem_line(FrProblems *problems, const char *line);
/// FR_OK, or FR_BAD_INPUT with the lines as the context's message.
FrResult fr_problems_result(FrProblems *problems);
/// "bodies[3].shape"; "" at the top.
const char *fr_path_print(const FrPath *path, char *buffer, size_t size);

typedef const char *FrNameFn(const void *user, int32_t k);
/// The name nearest to `word` when it is near enough to be a slip; NULL: none.
const char *fr_suggest(const char *word, FrNameFn *name, const void *user, int32_t count);
/// ; did you mean "x"?   or nothing
const char *fr_suggest_text(const char *suggestion, char *buffer, size_t size);
